//! The published queries of GraphicBench (dayeonki/designbench and dayeonki/graphicweaver): JSON
//! lines of `{id, type, user_query, design_components, images}`, with `reference_plan` in the
//! training set, and questions about them in files of their own.
//!
//! - `row`: one line as a task;
//! - `questions`: the yes/no questions about each query.
//!
//! A file is told by its first line and not by its name. Whatever is odd about a line is a warning
//! beside the set, and the line stays a task as far as it can be read.

mod questions;
mod row;

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use serde_json::Value;

use crate::base::{parse_json, read_file_limited};

use super::listing::Listing;
use super::model::{Task, TaskSet};
use questions::Questions;
pub(super) use questions::list_of;
pub use row::reference_as_plan;
pub(super) use row::{of_query, task};

/// Largest file read, in bytes.
const FILE_BYTES: u64 = 256 << 20;
/// Longest first line that tells what a file is, in bytes.
const LINE_BYTES: u64 = 1 << 20;
/// Most lines read of a file.
const LINES: usize = 100_000;
/// Folders of questions beside the queries.
const QUESTION_FOLDERS: [&str; 2] = ["questions", "with_questions"];

/// What a file of JSON lines holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Queries with their components.
    Queries,
    /// Queries with questions about them, and no components.
    Questions,
}

/// A set with what was odd about it.
type Found = (TaskSet, Vec<String>);

/// The sets in a folder: one a file of queries; of questions alone all files are one set. Empty if
/// there is neither.
pub(super) fn read_folder(dir: &Path, listing: &Listing) -> Vec<Found> {
    let of_kind = |wanted: Kind| {
        let lines = listing
            .files
            .iter()
            .filter(|name| Path::new(name).extension().is_some_and(|end| end == "jsonl"));
        lines.filter(move |name| kind_of(&dir.join(name)) == Some(wanted)).collect::<Vec<_>>()
    };
    let queries = of_kind(Kind::Queries);
    if !queries.is_empty() {
        return queries.iter().map(|name| read_queries(dir, name)).collect();
    }
    let questions = of_kind(Kind::Questions);
    if questions.is_empty() { Vec::new() } else { vec![read_questions(dir, &questions)] }
}

/// Whether a folder belongs to the queries beside it.
pub(super) fn is_beside(folder: &str) -> bool {
    QUESTION_FOLDERS.contains(&folder)
}

/// The set in a file; `None` if it is not one of these.
pub(super) fn read_file(path: &Path) -> Option<Found> {
    let name = path.file_name()?.to_str()?;
    let path = std::path::absolute(path).ok()?;
    let dir = path.parent()?;
    match kind_of(&path)? {
        Kind::Queries => Some(read_queries(dir, name)),
        Kind::Questions => Some(read_questions(dir, &[&name.to_owned()])),
    }
}

/// What a file holds, by its first line; `None` for any other file.
fn kind_of(path: &Path) -> Option<Kind> {
    if path.extension()? != "jsonl" || !path.is_file() {
        return None;
    }
    let mut first = Vec::new();
    let mut file = BufReader::new(std::fs::File::open(path).ok()?).take(LINE_BYTES);
    file.read_until(b'\n', &mut first).ok()?;
    let row: Value = parse_json(&first).ok()?;
    row.get("user_query")?;
    if row.get("final_workflow").is_some() {
        return None; // What a planner made of the queries.
    }
    if row::components_of(&row).is_some() {
        return Some(Kind::Queries);
    }
    row.get("questions").map(|_| Kind::Questions)
}

fn read_queries(dir: &Path, name: &str) -> Found {
    let mut warnings = Vec::new();
    let questions = Questions::beside(dir, &mut warnings);
    let rows = rows(dir, name, &mut warnings);
    let tasks = tasks(&rows, &questions, &mut warnings);
    (set(dir, set_name(name), tasks), warnings)
}

/// A set of the queries that questions name.
fn read_questions(dir: &Path, names: &[&String]) -> Found {
    let mut warnings = Vec::new();
    let mut all = Vec::new();
    for name in names {
        all.extend(rows(dir, name, &mut warnings));
    }
    // A query is asked about twice in some files: the second time is no query of its own.
    let mut seen = BTreeSet::new();
    let key = |row: &Value| (row["design"].to_string(), row["user_query"].to_string());
    let queries: Vec<_> = all.iter().filter(|(_, row)| seen.insert(key(row))).cloned().collect();
    let questions = Questions::read(all.iter(), &mut warnings);
    let tasks = tasks(&queries, &questions, &mut warnings);
    (set(dir, "questions", tasks), warnings)
}

fn set(dir: &Path, name: &str, tasks: Vec<Task>) -> TaskSet {
    TaskSet {
        id: format!("graphicbench-{name}"),
        name: format!("GraphicBench · {}", name.replace('_', " ")),
        dir: dir.to_path_buf(),
        tasks,
    }
}

/// The name of the set in a file: `test` for `test.jsonl` and for `graphicbench_test.jsonl`.
fn set_name(file: &str) -> &str {
    let stem = file.strip_suffix(".jsonl").unwrap_or(file);
    stem.strip_prefix("graphicbench_").unwrap_or(stem)
}

/// A line's name for people, such as `line 3 of test.jsonl`, with what it holds.
type Row = (String, Value);

/// The lines of a file that are JSON; of the others a warning.
fn rows(dir: &Path, name: &str, warnings: &mut Vec<String>) -> Vec<Row> {
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

fn tasks(rows: &[Row], questions: &Questions, warnings: &mut Vec<String>) -> Vec<Task> {
    let mut ids = BTreeSet::new();
    let mut tasks = Vec::with_capacity(rows.len());
    for (place, row) in rows {
        let Some((mut task, odd)) = row::task(row) else {
            warnings.push(format!("{} is no task: it has no user query.", capital(place)));
            continue;
        };
        if !ids.insert(task.id.clone()) {
            let again = (2..).map(|n| format!("{}-{n}", task.id));
            let free = again.take(LINES).find(|id| !ids.contains(id)).unwrap_or_default();
            warnings.push(format!("A task before {place} is {} too: this is {free}.", task.id));
            task.id.clone_from(&free);
            ids.insert(free);
        }
        warnings.extend(odd.iter().map(|odd| format!("{} ({place}): {odd}.", task.id)));
        tasks.push(task);
    }
    questions.give_to(&mut tasks, warnings);
    tasks
}

fn capital(place: &str) -> String {
    let mut letters = place.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}
