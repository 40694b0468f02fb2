//! Where the runs of a labelling project lie now, if they were moved: found by what is in them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::label::Item;
use crate::run::reader;
use crate::task::{TaskError, TaskFinder};

use super::labelled::run_content;

/// What was found of a project's runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relocation {
    /// Runs that lie where the project says.
    pub in_place: usize,
    /// Where runs lie that do not, by the hash of what is in them.
    pub found: BTreeMap<String, PathBuf>,
    /// Where runs lay that were found nowhere, or are no longer what they were.
    pub missing: Vec<String>,
    /// Where the task sets lie that were found with them.
    pub task_sets: Vec<PathBuf>,
}

/// Looks for the runs of these items that are not where they lay, in a folder and below. `home` is the folder of
/// the project's file.
///
/// # Errors
///
/// [`TaskError`] if the folder cannot be looked through.
pub fn relocate(items: &[Item], home: &Path, below: &Path) -> Result<Relocation, TaskError> {
    let mut relocation = Relocation::default();
    let mut wanted: BTreeMap<&str, &str> = BTreeMap::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    // By content: a run with many items is looked for once.
    for run in items.iter().flat_map(|item| &item.runs) {
        if !seen.insert(&run.content) {
            continue;
        }
        // The folder alone is not enough, as another run may lie there now.
        if is_there(&home.join(&run.path), &run.content) {
            relocation.in_place += 1;
        } else {
            wanted.insert(&run.content, &run.path);
        }
    }
    if wanted.is_empty() {
        return Ok(relocation);
    }
    let mut tasks = TaskFinder::default();
    for run in tasks.search(below)? {
        // One that cannot be read is none of those that are looked for.
        let Ok(content) = run_content(&run.dir, &run.manifest) else { continue };
        // The first copy is taken; by then nothing wants a second one.
        if wanted.remove(content.as_str()).is_some() {
            relocation.found.insert(content, run.dir);
        }
    }
    relocation.missing = wanted.into_values().map(str::to_owned).collect();
    // Of several of one id it is not known here which was meant: each run says it.
    let ids: BTreeSet<&str> =
        items.iter().filter_map(|item| Some(item.task.as_ref()?.set.as_str())).collect();
    let sets: BTreeSet<&Path> = ids.into_iter().flat_map(|id| tasks.set_dirs(id)).collect();
    relocation.task_sets = sets.into_iter().map(Path::to_path_buf).collect();
    Ok(relocation)
}

fn is_there(dir: &Path, content: &str) -> bool {
    let Ok(run) = reader::open(dir) else { return false };
    run_content(dir, &run.manifest).is_ok_and(|found| found == content)
}
