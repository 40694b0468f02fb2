//! A video: a picture a second, taken out by the ffmpeg that is installed, as a folder of pictures. An animated
//! WebP or GIF: its frames.

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::base::CancelToken;
use crate::import::error::ImportError;
use crate::import::sink::Sink;
use crate::import::source::{Certainty, Source};

use super::film;
use super::pictures;

/// The program.
const FFMPEG: &str = "ffmpeg";
/// Most pictures that are taken out: two hours.
const MOST_FRAMES: u32 = 7200;
/// The longest that it may take.
const MOST_TIME: Duration = Duration::from_mins(20);
/// Most bytes of the pictures that are taken out.
const MOST_BYTES: u64 = 16 << 30;
/// The same of a picture that moves.
const MOST: film::Most = film::Most { frames: MOST_FRAMES, time: MOST_TIME, bytes: MOST_BYTES };
/// How often their bytes are counted.
const COUNT_EVERY: Duration = Duration::from_secs(2);
/// How often it is looked whether it ended.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Most of what it says that is shown.
const SAID_BYTES: u64 = 2000;

/// A file that begins as the usual containers of video do.
pub(super) fn sniff(source: &Source) -> Option<Certainty> {
    let head = source.head();
    let second = head.get(4..).unwrap_or_default();
    let is_mp4 = second.starts_with(b"ftyp") || (second.starts_with(b"moov") && head.len() > 64);
    let is_avi = head.starts_with(b"RIFF") && head.get(8..12) == Some(b"AVI ");
    let is_matroska_or_webm = head.starts_with(b"\x1a\x45\xdf\xa3");
    let is_ogg = head.starts_with(b"OggS");
    // Three of the packets of an MPEG transport stream.
    let is_stream = [0, 188, 376].into_iter().all(|packet| head.get(packet) == Some(&0x47));
    let is_video = is_mp4 || is_matroska_or_webm || is_avi || is_ogg || is_stream;
    (is_video || film::is_film(head, &source.path)).then_some(Certainty::Certain)
}

/// Takes the pictures out and makes a run of them.
pub(super) fn import(source: &Source, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    let frames = tempfile::Builder::new()
        .prefix("pentimento-frames-")
        .tempdir()
        .map_err(ImportError::write(Path::new("the folder of temporary files")))?;
    sink.doing(format!("{} · taking pictures out", source.path.display()))?;
    let (mut taken, mut fault) = ("one a second", None);
    if film::is_film(source.head(), &source.path) {
        taken = "each";
        fault = film::extract(&source.path, frames.path(), &MOST, sink)?;
    } else {
        let most = MOST_FRAMES.to_string();
        extract(&source.path, frames.path(), &["-vf", "fps=1", "-frames:v", &most], sink.cancel)?;
        // One that is over before the middle of its first second has no picture of that.
        if pictures_in(frames.path()).next().is_none() {
            extract(&source.path, frames.path(), &["-frames:v", "1"], sink.cancel)?;
        }
        if pictures_in(frames.path()).count() >= MOST_FRAMES as usize {
            fault = Some(format!("only the first {MOST_FRAMES} seconds are taken"));
        }
    }
    if pictures_in(frames.path()).next().is_none() {
        let why = fault.unwrap_or_else(|| "there is no picture in the video".to_owned());
        sink.report.skip(source.path.display().to_string(), why);
        return Ok(());
    }
    let about = json!({
        "task": source.stem(),
        "source": source.path.display().to_string(),
        "frames": taken,
    });
    let before = sink.report.runs.len();
    pictures::copy(frames.path(), about, "video", sink)?;
    if let Some(run) = sink.report.runs.get_mut(before) {
        run.warnings.extend(fault);
    }
    Ok(())
}

/// Takes out the pictures that these options of ffmpeg choose.
fn extract(
    video: &Path,
    to: &Path,
    chosen: &[&str],
    cancel: &CancelToken,
) -> Result<(), ImportError> {
    let missing = "reading a video needs ffmpeg, which is not installed: \
                   on Debian, install the package ffmpeg";
    let video = std::path::absolute(video).map_err(ImportError::read(video))?;
    // What ffmpeg says goes to a file: a pipe that nobody reads would fill, and ffmpeg would wait for ever.
    let said = tempfile::tempfile().map_err(ImportError::write(to))?;
    let log = said.try_clone().map_err(ImportError::write(to))?;
    // With its protocol and absolute, a name that begins with `-` or holds a colon is a file all the same.
    let mut input = std::ffi::OsString::from("file:");
    input.push(&video);
    let mut child = Command::new(FFMPEG)
        .args(["-nostdin", "-hide_banner", "-loglevel", "error"])
        // A file that is a list of addresses must not be followed.
        .args(["-protocol_whitelist", "file"])
        .arg("-i")
        .arg(input)
        .args(["-an", "-sn", "-dn"])
        .args(chosen)
        .arg(to.join("%06d.png"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::from(log))
        .spawn()
        .map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => ImportError::Program(missing.to_owned()),
            _ => ImportError::Program(format!("ffmpeg cannot be started: {error}")),
        })?;
    let (began, mut counted) = (Instant::now(), Instant::now());
    // Looked at again and again, as waiting for a process cannot be cancelled.
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) => {
                let is_late = began.elapsed() > MOST_TIME;
                // A small file may be hours of large pictures.
                let mut is_full = false;
                if counted.elapsed() > COUNT_EVERY {
                    let bytes =
                        pictures_in(to).filter_map(|file| Some(file.metadata().ok()?.len()));
                    is_full = bytes.sum::<u64>() > MOST_BYTES;
                    counted = Instant::now();
                }
                if !cancel.is_cancelled() && !is_late && !is_full {
                    std::thread::sleep(LOOK_EVERY);
                    continue;
                }
                child.kill().ok();
                // Waited for, or it would stay in the list of processes as a zombie.
                child.wait().ok();
                // Either the user has had enough, which is no fault of the file, or it is too much.
                cancel.check()?;
                let why = if is_late {
                    let most = MOST_TIME.as_secs() / 60;
                    format!("ffmpeg took longer than {most} minutes and was stopped")
                } else {
                    format!(
                        "its pictures have more than {MOST_BYTES} bytes: cut it or scale it down"
                    )
                };
                return Err(ImportError::content(why, video.display().to_string()));
            }
            Err(error) => {
                child.kill().ok();
                return Err(ImportError::Program(format!("ffmpeg was lost: {error}")));
            }
        }
    };
    if status.success() {
        return Ok(());
    }
    let why = format!("ffmpeg cannot read it ({})", last_words(said));
    Err(ImportError::content(why, video.display().to_string()))
}

/// What was taken out so far.
fn pictures_in(dir: &Path) -> impl Iterator<Item = std::fs::DirEntry> {
    std::fs::read_dir(dir).into_iter().flatten().flatten()
}

/// The last line that the program said.
fn last_words(mut said: std::fs::File) -> String {
    use std::io::Seek as _;
    let mut bytes = Vec::new();
    let read = said
        .seek(std::io::SeekFrom::Start(0))
        .and_then(|_| said.take(SAID_BYTES).read_to_end(&mut bytes));
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let line = text.lines().map(str::trim).rfind(|line| !line.is_empty());
    match (read, line) {
        (Ok(_), Some(line)) => line.to_owned(),
        _ => "it does not say why".to_owned(),
    }
}
