//! A folder of pictures, one a turn: copied as it is, as this program reads such folders where they lie.

use std::path::Path;

use serde_json::json;

use crate::base::{Limits, Pixels, check_size, read_file_limited};
use crate::import::error::ImportError;
use crate::import::report::ImportedRun;
use crate::import::sink::{Sink, UNKNOWN_AGENT};
use crate::import::source::{Certainty, Source};
use crate::run::folder::MANIFEST_FILE;
use crate::run::pictures::{self, is_picture};
use crate::run::reader;

/// A folder with a picture in it, if nothing else in it is known.
pub(super) fn sniff(source: &Source) -> Option<Certainty> {
    let is_any = source.files().iter().any(|file| is_picture(&source.path.join(file)));
    is_any.then_some(Certainty::Possible)
}

/// Copies the pictures with what is said of them.
pub(super) fn import(source: &Source, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    let manifest = reader::peek(&source.path)
        .map_err(|error| ImportError::content(error.to_string(), place(&source.path)))?
        .manifest;
    let kind = manifest.task.set.strip_prefix(pictures::SET_PREFIX).map(str::to_owned);
    let about = json!({
        "task": manifest.task.id,
        "kind": kind,
        "model": manifest.agent.name,
        "source": place(&source.path),
    });
    copy(&source.path, about, "pictures", sink)
}

/// Makes a run of the pictures in a folder, with this beside them.
pub(super) fn copy(
    from: &Path,
    mut about: serde_json::Value,
    format: &'static str,
    sink: &mut Sink<'_>,
) -> Result<(), ImportError> {
    let files = pictures::files(from)
        .map_err(|error| ImportError::content(error.to_string(), place(from)))?;
    std::fs::create_dir_all(&sink.making).map_err(ImportError::write(&sink.making))?;
    let making = tempfile::Builder::new()
        .prefix("run-")
        .tempdir_in(&sink.making)
        .map_err(ImportError::write(&sink.making))?;
    // Beside where the run will be, so that it is moved there in one step when it is whole.
    let (mut copied, mut warnings) = (0_u64, Vec::new());
    for file in &files {
        sink.cancel.check()?;
        let name = file.file_name().unwrap_or_default();
        // Decoded once now, so that nobody meets a picture later that cannot be shown.
        if let Err(why) = check(file) {
            warnings.push(format!("a picture is left out, {why}: {}", place(file)));
            continue;
        }
        let to = making.path().join(name);
        std::fs::copy(file, &to).map_err(ImportError::write(&to))?;
        copied += 1;
    }
    if copied == 0 {
        let why = warnings.into_iter().next().unwrap_or_else(|| "no picture in it".to_owned());
        sink.report.skip(place(from), why);
        return Ok(());
    }
    if about["model"].as_str().is_none_or(str::is_empty) {
        about["model"] = json!(UNKNOWN_AGENT);
    }
    if let Some(source) = about["source"].as_str().map(str::to_owned) {
        about["source"] = json!(sink.shown(source));
    }
    if let Some(fields) = about.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
        fields.insert("turns".to_owned(), json!(copied));
    }
    let path = making.path().join(MANIFEST_FILE);
    std::fs::write(&path, about.to_string()).map_err(ImportError::write(&path))?;
    // Read back as anybody will read it: what cannot be is not let into the folder.
    let peek = reader::peek(making.path())
        .map_err(|error| ImportError::content(error.to_string(), place(from)))?;
    let (dir, was_there) = sink.settle(making, &peek.manifest)?;
    sink.report.runs.push(ImportedRun {
        dir,
        id: peek.manifest.id,
        task: peek.manifest.task,
        agent: peek.manifest.agent.name,
        format,
        turns: peek.steps,
        steps: peek.steps,
        was_there,
        has_new_scores: false,
        warnings,
    });
    Ok(())
}

/// Whether the file is a picture that can be shown, by its header.
fn check(file: &Path) -> Result<(), String> {
    let bytes = read_file_limited(file, Limits::IMAGE_BYTES).map_err(|error| error.to_string())?;
    let (width, height) = Pixels::size_of(&bytes).map_err(|error| error.to_string())?;
    check_size(width, height).map_err(|error| error.to_string())
}

fn place(path: &Path) -> String {
    path.display().to_string()
}
