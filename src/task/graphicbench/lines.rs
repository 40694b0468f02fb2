//! Files of JSON lines: which of them are queries or questions, and what their lines hold.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use serde_json::Value;

use super::row;
use crate::base::{parse_json, read_file_limited};

/// Largest file read, in bytes.
const FILE_BYTES: u64 = 256 << 20;
/// Longest first line that tells what a file is, in bytes.
const LINE_BYTES: u64 = 1 << 20;
/// Most lines read of a file.
pub(super) const LINES: usize = 100_000;
/// Folders of questions beside the queries.
pub(super) const QUESTION_FOLDERS: [&str; 2] = ["questions", "with_questions"];

/// What a file of JSON lines holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JsonLinesKind {
    /// Queries with their components.
    Queries,
    /// Queries with questions about them, and no components.
    Questions,
}

/// What a file holds, by its first line; `None` for any other file.
pub(super) fn kind_of(path: &Path) -> Option<JsonLinesKind> {
    if path.extension()? != "jsonl" || !path.is_file() {
        return None;
    }
    // Files are of hundreds of megabytes, and whole folders of them are asked; one line tells.
    let mut first = Vec::new();
    let mut file = BufReader::new(std::fs::File::open(path).ok()?).take(LINE_BYTES);
    file.read_until(b'\n', &mut first).ok()?;
    let row: Value = parse_json(&first).ok()?;
    row.get("user_query")?;
    if row.get("final_workflow").is_some() {
        return None; // What a planner made of the queries.
    }
    if row::components_of(&row).is_some() {
        return Some(JsonLinesKind::Queries);
    }
    row.get("questions").map(|_| JsonLinesKind::Questions)
}

/// A line's name for people, such as `line 3 of test.jsonl`, with what it holds.
pub(super) type NamedLine = (String, Value);

/// The lines of a file that are JSON; of the others a warning.
pub(super) fn rows(dir: &Path, name: &str, warnings: &mut Vec<String>) -> Vec<NamedLine> {
    let bytes = match read_file_limited(&dir.join(name), FILE_BYTES) {
        Ok(bytes) => bytes,
        Err(error) => {
            warnings.push(format!("{name} is not read: {error}."));
            return Vec::new();
        }
    };
    let mut rows = Vec::new();
    let lines = bytes.split(|byte| *byte == b'\n').enumerate();
    for (at, line) in lines.filter(|(_, line)| !line.trim_ascii().is_empty()) {
        if rows.len() >= LINES {
            warnings.push(format!("Only the first {LINES} lines of {name} are read."));
            break;
        }
        let place = format!("line {} of {name}", at + 1);
        match parse_json(line) {
            Ok(row) => rows.push((place, row)),
            Err(error) => warnings.push(format!("{} is no task: {error}.", capital(&place))),
        }
    }
    rows
}

/// The same beginning with a capital letter.
pub(super) fn capital(place: &str) -> String {
    let mut letters = place.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}
