//! Writing to stdout and stderr.

use std::io::{self, Write as _};
use std::path::Path;

use anyhow::Context as _;
use serde::Serialize;

use crate::metric::{Measured, MissingScore, Score};

use super::table::visible;

/// What was asked for could not be written to stdout.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to stdout: {0}")]
pub(super) struct StdoutError(pub(super) io::Error);

/// Writes data, ending with a new line, to stdout; what would control a terminal is spelled out.
pub(super) fn print(text: &str) -> Result<(), StdoutError> {
    // Flushed here, so that a full disk or a closed pipe is an error of ours and not lost at the exit.
    let (text, mut stdout) = (visible(text), io::stdout().lock());
    let end = if text.ends_with('\n') { "" } else { "\n" };
    write!(stdout, "{text}{end}").and_then(|()| stdout.flush()).map_err(StdoutError)
}

/// Writes indented JSON to stdout.
pub(super) fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    Ok(print(&serde_json::to_string_pretty(value)?)?)
}

/// Writes a line for people to stderr. If there is no stderr, there is nobody to tell.
pub(super) fn note(line: &str) {
    writeln!(io::stderr().lock(), "{}", visible(line)).ok();
}

/// Replaces a file by these bytes: whatever happens, it holds the old ones or the new ones, all of
/// them. The bytes go to a file beside it first, are forced to disk, and take its place in one step. A
/// link stays one. What is no file, such as a pipe, is written to as it is.
pub(super) fn write_atomic(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    replace(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let known = std::fs::metadata(path).ok();
    // A pipe or a device has nobody who could see half a file, and must not be replaced by one.
    if known.as_ref().is_some_and(|known| !known.is_file()) {
        return std::fs::write(path, bytes);
    }
    // Where a link leads, which also is where the new bytes have to lie to be moved in one step.
    let real = if known.is_some() { path.canonicalize()? } else { path.to_path_buf() };
    let folder = match real.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pentimento-");
    // The rights of the file that is replaced, or those that any new file gets.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    // Before the file takes its place: it is never readable by more people than the one before it.
    if let Some(known) = known {
        file.as_file().set_permissions(known.permissions())?;
    }
    // Without this a crash may leave the new name with none of the new bytes.
    file.as_file().sync_all()?;
    file.persist(&real).map_err(|error| error.error)?;
    Ok(())
}

/// A score in JSON: its value, or null with the reason.
#[derive(Debug, Serialize)]
pub(super) struct ScoreJson {
    /// Id of the variant, such as `ssim/uniform7`.
    id: String,
    value: Option<f64>,
    /// Why there is no value, as a word for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// The same for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

impl ScoreJson {
    /// The JSON of a score of this variant.
    pub(super) fn new(measured: &Measured) -> Self {
        let score = &measured.measurement.score;
        let missing = match score {
            Score::Value(_) => None,
            Score::Missing(missing) => Some(missing),
        };
        Self {
            id: measured.variant.id.to_string(),
            value: score.value(),
            reason: missing.map(MissingScore::reason),
            message: missing.map(ToString::to_string),
        }
    }
}

/// A score for people: four decimals, or why there is none.
pub(super) fn score_text(score: &Score) -> String {
    match score {
        Score::Value(value) => format!("{value:.4}"),
        Score::Missing(missing) => format!("— ({missing})"),
    }
}

/// So many runs, in words.
pub(super) fn runs(count: usize) -> String {
    if count == 1 { "1 run".to_owned() } else { format!("{count} runs") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_a_link_stays_one() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out.txt");
        write_atomic(&path, b"one").unwrap();
        write_atomic(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        let names: Vec<_> = std::fs::read_dir(dir.path()).unwrap().collect();
        assert_eq!(names.len(), 1, "nothing is left beside it: {names:?}");
        let error = write_atomic(&dir.path().join("none/out.txt"), b"x").unwrap_err();
        assert!(error.to_string().contains("none/out.txt"), "{error}");
    }

    #[cfg(unix)]
    fn mode(path: &Path) -> u32 {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[cfg(unix)]
    #[test]
    fn what_a_file_may_be_used_for_and_where_a_link_leads_stay_as_they_were() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let (path, link) = (dir.path().join("out.txt"), dir.path().join("link.txt"));
        write_atomic(&path, b"one").unwrap();
        std::fs::write(dir.path().join("plain"), b"").unwrap();
        let modes = [path.as_path(), &dir.path().join("plain")].map(mode);
        assert_eq!(modes[0], modes[1], "as any new file");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write_atomic(&link, b"two").unwrap();
        assert!(link.is_symlink());
        assert_eq!((std::fs::read(&path).unwrap().as_slice(), mode(&path)), (&b"two"[..], 0o640));
    }
}
