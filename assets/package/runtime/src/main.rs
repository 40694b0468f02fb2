//! The first part of Pentimento's AppImage: an ELF program that is linked statically, behind which lie
//! a squashfs image with the program's files and, last, the image's SHA-256 in 32 bytes.
//!
//! It keeps to what AppImages of type 2 promise to those who start them (`--appimage-…`, `APPIMAGE`, `APPDIR`,
//! `ARGV0`, `OWD`), but mounts nothing: it unpacks the image once, into a folder of the user's cache that
//! is named by the digest, and starts the program from there. So it needs no FUSE, the paths of the
//! samples are the same at every start, and a file that was not downloaded whole is told from a whole
//! one. [`cache`] is the folder, [`image`] what lies behind this program.

mod cache;
mod image;

use std::env;
use std::ffi::OsString;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use image::{Image, ImageError};

/// Where `--appimage-extract` unpacks to, in the current folder.
const EXTRACTED: &str = "squashfs-root";
/// What is started, in the unpacked folder.
const START: &str = "AppRun";

const HELP: &str = "\
This AppImage unpacks itself into the user's cache when it is started for the first time.

  --appimage-extract [PATTERN]  unpack what matches, by default everything, into ./squashfs-root
  --appimage-extract-and-run    start the program, as without an option
  --appimage-offset             where the squashfs image begins in this file, in bytes
  --appimage-version            which runtime this is
  --appimage-help               this text

Everything else is for the program: --help shows its own.

XDG_CACHE_HOME names another folder for the cache.
";

#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Image(#[from] ImageError),
    #[error(transparent)]
    Cache(#[from] cache::CacheError),
    #[error("this system does not say where the AppImage lies ({0})")]
    Unknown(std::io::Error),
    #[error("the program cannot be started ({0}): {program}", program = .1.display())]
    Start(std::io::Error, PathBuf),
    #[error("{0} is no option of this AppImage; --appimage-help lists them")]
    Option(String),
}

fn main() -> ExitCode {
    let mut arguments = env::args_os();
    let name = arguments.next().unwrap_or_default();
    match start(name, arguments.collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("AppImage: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Does what was asked; comes back only if that was not to start the program.
fn start(name: OsString, mut arguments: Vec<OsString>) -> Result<(), Failure> {
    let file = env::current_exe().map_err(Failure::Unknown)?;
    // Only as the first one: what stands behind is the program's.
    let first = arguments.first().map(|first| first.to_string_lossy().into_owned());
    match first.as_deref() {
        Some("--appimage-help") => print(HELP),
        Some("--appimage-version") => {
            print(concat!("Pentimento's own runtime ", env!("CARGO_PKG_VERSION"), "\n"));
        }
        Some("--appimage-offset") => print(&format!("{}\n", Image::open(&file)?.offset())),
        Some("--appimage-extract") => {
            let pattern = arguments.get(1).map_or("*".into(), |pattern| pattern.to_string_lossy());
            let image = Image::open(&file)?;
            image.check()?;
            image.unpack(Path::new(EXTRACTED), &pattern)?;
        }
        Some("--appimage-extract-and-run") => {
            arguments.remove(0);
            run(&file, name, arguments)?;
        }
        Some(other) if other.starts_with("--appimage-") => {
            return Err(Failure::Option(other.to_owned()));
        }
        _ => run(&file, name, arguments)?,
    }
    Ok(())
}

/// Whoever closed the output before it was read wants no more of it.
fn print(text: &str) {
    std::io::stdout().write_all(text.as_bytes()).ok();
}

/// Becomes the program.
fn run(file: &Path, name: OsString, arguments: Vec<OsString>) -> Result<(), Failure> {
    let folder = cache::unpacked(&Image::open(file)?)?;
    let program = folder.join(START);
    let mut command = Command::new(&program);
    command.args(arguments).env("APPIMAGE", file).env("APPDIR", &folder).env("ARGV0", name);
    if let Ok(current) = env::current_dir() {
        command.env("OWD", current);
    }
    Err(Failure::Start(command.exec(), program))
}
