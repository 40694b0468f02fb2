//! The published queries of GraphicBench (dayeonki/designbench and dayeonki/graphicweaver): JSON
//! lines of `{id, type, user_query, design_components, images}`, with `reference_plan` in the
//! training set, and questions about them in files of their own.
//!
//! - `lines`: which files these are, and their lines;
//! - `row`: one line as a task;
//! - `questions`: the yes/no questions about each query.
//!
//! A file is told by its first line and not by its name. Whatever is odd about a line is a warning
//! beside the set, and the line stays a task as far as it can be read.

mod lines;
mod questions;
mod row;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::listing::Listing;
use super::model::{Task, TaskSet};
use lines::{JsonLinesKind, LINES, NamedLine, QUESTION_FOLDERS, capital, kind_of, rows};
use questions::Questions;
pub(super) use questions::list_of;
pub use row::reference_as_plan;

/// A set with what was odd about it.
type SetWithWarnings = (TaskSet, Vec<String>);

/// The sets in a folder: one a file of queries; of questions alone all files are one set. Empty if
/// there is neither.
pub(super) fn read_folder(dir: &Path, listing: &Listing) -> Vec<SetWithWarnings> {
    let (mut queries, mut questions) = (Vec::new(), Vec::new());
    for name in &listing.files {
        match kind_of(&dir.join(name)) {
            Some(JsonLinesKind::Queries) => queries.push(name),
            Some(JsonLinesKind::Questions) => questions.push(name),
            None => {}
        }
    }
    // Questions beside queries are given to these; alone they name the queries too.
    if !queries.is_empty() {
        return queries.iter().map(|name| read_queries(dir, name)).collect();
    }
    if questions.is_empty() { Vec::new() } else { vec![read_questions(dir, &questions)] }
}

/// Whether a folder belongs to the queries beside it.
pub(super) fn is_beside(folder: &str) -> bool {
    QUESTION_FOLDERS.contains(&folder)
}

/// The set in a file; `None` if it is not one of these.
pub(super) fn read_file(path: &Path) -> Option<SetWithWarnings> {
    let name = path.file_name()?.to_str()?;
    let path = std::path::absolute(path).ok()?;
    let dir = path.parent()?;
    match kind_of(&path)? {
        JsonLinesKind::Queries => Some(read_queries(dir, name)),
        JsonLinesKind::Questions => Some(read_questions(dir, &[&name.to_owned()])),
    }
}

fn read_queries(dir: &Path, name: &str) -> SetWithWarnings {
    let mut warnings = Vec::new();
    let questions = Questions::beside(dir, &mut warnings);
    let rows = rows(dir, name, &mut warnings);
    let tasks = tasks(&rows, &questions, &mut warnings);
    (set(dir, set_name(name), tasks), warnings)
}

/// A set of the queries that questions name.
fn read_questions(dir: &Path, names: &[&String]) -> SetWithWarnings {
    let mut warnings = Vec::new();
    let mut all = Vec::new();
    for name in names {
        all.extend(rows(dir, name, &mut warnings));
    }
    // A query is asked about twice in some files: the second time is no query of its own.
    let mut seen = BTreeSet::new();
    let questions = Questions::read(all.iter(), &mut warnings);
    all.retain(|(_, row)| seen.insert((row["design"].to_string(), row["user_query"].to_string())));
    let tasks = tasks(&all, &questions, &mut warnings);
    (set(dir, "questions", tasks), warnings)
}

fn set(dir: &Path, name: &str, tasks: Vec<Arc<Task>>) -> TaskSet {
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

fn tasks(rows: &[NamedLine], questions: &Questions, warnings: &mut Vec<String>) -> Vec<Arc<Task>> {
    let mut ids = BTreeSet::new();
    let mut tasks = Vec::with_capacity(rows.len());
    for (place, row) in rows {
        let Some((mut task, odd)) = row::task(row) else {
            warnings.push(format!("{} is no task: it has no user query.", capital(place)));
            continue;
        };
        // Runs refer to tasks by id, so the second of one number gets an id of its own, which stays the
        // same as long as the file does.
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
    tasks.into_iter().map(Arc::new).collect()
}
