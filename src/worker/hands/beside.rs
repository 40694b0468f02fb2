//! What lies beside a run that somebody makes by hand, and designs in files of their own.
//!
//! `assist.jsonl` is what became of suggestions, `offer.json` the one that nobody decided of yet, `comments.json` what was
//! remarked on the design, `versions.json` the names of versions. None of them is needed to read the run.

use std::fs::OpenOptions;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::pending::SavedOffer;
use crate::base::{Limits, parse_json, read_file_limited, replace_file};
use crate::design::{Measure, figma};
use crate::render::svg::{SvgOptions, export_node, export_page};
use crate::render::{RenderContext, RenderOptions, all_render_bounds, render_node, render_page};
use crate::run::event_log::EventLog;
use crate::workbench::protocol::{ExportFormat, WriteDesign};
use crate::workbench::{Comment, Comments, PendingOffer};

/// The events of the assistant.
const ASSIST_FILE: &str = "assist.jsonl";
/// The offer that nobody decided of.
const OFFER_FILE: &str = "offer.json";
/// One that could not be used.
const UNREADABLE_OFFER_FILE: &str = "offer.unreadable.json";
/// The comments.
const COMMENTS_FILE: &str = "comments.json";
/// Comments that could not be used.
const UNREADABLE_COMMENTS_FILE: &str = "comments.unreadable.json";
/// The names of versions.
const VERSIONS_FILE: &str = "versions.json";
/// Names of versions that could not be used.
const UNREADABLE_VERSIONS_FILE: &str = "versions.unreadable.json";

/// Something that is kept beside a run.
#[derive(Debug)]
pub(super) enum Beside {
    /// Events of the assistant, one a line.
    Assist(String),
    /// All comments, as JSON.
    Comments(String),
    /// The offer that nobody decided of, as JSON; `None`: there is none.
    Offer(Option<String>),
}

/// A version of the design that has a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VersionLine {
    /// What it is called.
    pub(super) name: String,
    /// When it got that, RFC 3339, UTC.
    pub(super) at: String,
    /// Behind which turn of the run it is; 0: the start.
    pub(super) turn: u32,
    /// Behind which step.
    pub(super) step: u32,
}

/// Keeps it in the run's folder, on disk when this returns.
pub(super) fn keep(dir: &Path, what: &Beside) -> io::Result<()> {
    match what {
        Beside::Assist(lines) => append(&dir.join(ASSIST_FILE), lines),
        Beside::Comments(json) => replace_file(&dir.join(COMMENTS_FILE), json.as_bytes()),
        Beside::Offer(Some(json)) => replace_file(&dir.join(OFFER_FILE), json.as_bytes()),
        Beside::Offer(None) => match std::fs::remove_file(dir.join(OFFER_FILE)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        },
    }
}

/// Appends lines, whole or not at all: what cannot be written is tried again.
fn append(path: &Path, lines: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).create(true).append(true).open(path)?;
    let bytes = file.seek(SeekFrom::End(0))?;
    let mut last = [b'\n'];
    if bytes > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    // A line that a crash tore stays one of its own.
    let between = if last == *b"\n" { "" } else { "\n" };
    let lines = format!("{between}{}", lines.trim_end_matches('\n'));
    let mut log = EventLog::after(file, bytes);
    log.append(lines.into_bytes())?;
    log.sync()
}

/// Keeps a version with a name, behind those that are there.
pub(super) fn keep_version(dir: &Path, version: &VersionLine) -> io::Result<()> {
    let kept = versions_of(dir);
    let versions: Vec<&VersionLine> = kept.iter().chain([version]).collect();
    let json = serde_json::to_vec_pretty(&versions)?;
    replace_file(&dir.join(VERSIONS_FILE), &json)
}

/// The versions that a run's folder names; none where there is no such file. One that cannot be used is put aside.
pub(super) fn versions_of(dir: &Path) -> Vec<VersionLine> {
    read_or_put_aside(dir, [VERSIONS_FILE, UNREADABLE_VERSIONS_FILE], Some)
}

/// The comments that a run's folder has; none where there is no such file. One that cannot be used is put aside.
pub(super) fn comments_of(dir: &Path) -> Comments {
    let checked = |list: Vec<Comment>| Comments::checked(list).ok();
    read_or_put_aside(dir, [COMMENTS_FILE, UNREADABLE_COMMENTS_FILE], checked)
}

/// The offer that nobody decided of when the run was left; `None` where there was none. One that cannot be used is put
/// aside.
pub(super) fn pending_of(dir: &Path, measure: &dyn Measure) -> Option<Box<PendingOffer>> {
    let checked = |json: SavedOffer| json.read(measure).ok().map(|offer| Some(Box::new(offer)));
    read_or_put_aside(dir, [OFFER_FILE, UNREADABLE_OFFER_FILE], checked)
}

/// What a file beside the run says. One that cannot be used is put aside under another name, as the next that is said
/// is written in its place.
fn read_or_put_aside<J: DeserializeOwned, T: Default>(
    dir: &Path,
    [name, unreadable]: [&str; 2],
    checked: impl FnOnce(J) -> Option<T>,
) -> T {
    let path = dir.join(name);
    if !path.exists() {
        return T::default();
    }
    let bytes = read_file_limited(&path, Limits::JSON_BYTES).ok();
    let json = bytes.and_then(|bytes| parse_json(&bytes).ok());
    json.and_then(checked).unwrap_or_else(|| {
        // Where it cannot be moved either, the folder cannot be written at all.
        let _moved = std::fs::rename(&path, dir.join(unreadable));
        T::default()
    })
}

/// Writes a design, or a node of it, to a file of its own.
pub(super) fn write_design(order: &WriteDesign, render: &RenderContext) -> Result<(), String> {
    let WriteDesign { path, format, document, node } = order;
    let node = node.as_ref().or(document.main_frame().map(|frame| &frame.id));
    let node = node.ok_or("the design has no node")?;
    let is_page = document.get(node).is_some_and(|node| node.kind.is_file_or_page());
    let bytes = match format {
        ExportFormat::Png { scale } => {
            let scale = f64::from((*scale).clamp(1, 4));
            let options = RenderOptions { scale, ..RenderOptions::default() };
            let drawn = if is_page {
                render_page(render, &document.with_page_alone(node), options)
            } else {
                render_node(render, document, node, options)
            };
            let drawn = drawn.map_err(|error| error.to_string())?;
            drawn.pixels.to_png().map_err(|error| error.to_string())?
        }
        ExportFormat::Svg => {
            let options = SvgOptions::default();
            let exported = if is_page {
                export_page(render, &document.with_page_alone(node), options)
            } else {
                export_node(render, document, node, options)
            };
            exported.map_err(|error| error.to_string())?.svg.into_bytes()
        }
        ExportFormat::Json => {
            // Files say how far a node is drawn, which only whoever draws it knows.
            let json = figma::to_json_with(document, &all_render_bounds(render, document));
            serde_json::to_vec_pretty(&json).map_err(|error| error.to_string())?
        }
    };
    replace_file(path, &bytes).map_err(|error| format!("{error}: {}", path.display()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_lies_beside_a_run_is_read_back_and_a_bad_file_is_none() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(versions_of(dir.path()), []);
        let version = |name: &str, turn| VersionLine {
            name: name.to_owned(),
            at: "2026-11-26T03:00:00Z".to_owned(),
            turn,
            step: turn + 1,
        };
        for (name, turn) in [("First", 1), ("Second", 4)] {
            keep_version(dir.path(), &version(name, turn)).unwrap();
        }
        assert_eq!(versions_of(dir.path()), [version("First", 1), version("Second", 4)]);
        for line in ["{\"a\":1}", "{\"b\":2}\n"] {
            keep(dir.path(), &Beside::Assist(line.to_owned())).unwrap();
        }
        let lines = std::fs::read_to_string(dir.path().join(ASSIST_FILE)).unwrap();
        assert_eq!(lines, "{\"a\":1}\n{\"b\":2}\n");
        std::fs::write(dir.path().join(ASSIST_FILE), "{\"torn").unwrap();
        keep(dir.path(), &Beside::Assist("{\"c\":3}\n{\"d\":4}".to_owned())).unwrap();
        let lines = std::fs::read_to_string(dir.path().join(ASSIST_FILE)).unwrap();
        assert_eq!(lines, "{\"torn\n{\"c\":3}\n{\"d\":4}\n");
        std::fs::write(dir.path().join(VERSIONS_FILE), "[{").unwrap();
        assert_eq!(versions_of(dir.path()), []);
        keep_version(dir.path(), &version("Third", 5)).unwrap();
        assert_eq!(versions_of(dir.path()), [version("Third", 5)]);
        assert!(dir.path().join(UNREADABLE_VERSIONS_FILE).is_file(), "nothing is lost");
        let comments = json!([{
            "number": 3, "node": "1:2", "at": {"x": 4.0, "y": 5.0}, "text": "Larger?",
            "author": "P01", "done": false,
        }]);
        keep(dir.path(), &Beside::Comments(comments.to_string())).unwrap();
        assert_eq!(serde_json::to_value(comments_of(dir.path())).unwrap(), comments);
        keep(dir.path(), &Beside::Comments("[{\"number\": 0}]".to_owned())).unwrap();
        assert!(comments_of(dir.path()).is_empty());
        assert!(dir.path().join(UNREADABLE_COMMENTS_FILE).is_file(), "nothing is lost");
        assert!(keep(&dir.path().join("gone"), &Beside::Comments(String::new())).is_err());
    }
}
