//! One task that is named on the command line.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;

use crate::task::Task;

use super::collection::open_noting;

/// Most ids that are listed when one is not found.
const MOST_LISTED: usize = 20;

/// A task with where it lies.
#[derive(Debug)]
pub(super) struct Chosen {
    /// The id of its set.
    pub(super) set: String,
    /// Where the set lies, from the root.
    pub(super) set_dir: PathBuf,
    /// The task.
    pub(super) task: Arc<Task>,
}

/// The task that `SET#ID` names, or the only one at `SET`. A path may hold a `#` of its own.
pub(super) fn choose(words: &str) -> anyhow::Result<Chosen> {
    let (path, id) = match words.rsplit_once('#') {
        Some((path, id)) if !Path::new(words).exists() => (path, Some(id)),
        _ => (words, None),
    };
    let mut tasks = tasks_at(Path::new(path))?;
    if let Some(id) = id {
        // A folder may hold several sets, so that even an id can name more than one task.
        tasks.retain(|chosen| chosen.task.id == id);
        if tasks.is_empty() {
            let known = ids(&tasks_at(Path::new(path))?);
            anyhow::bail!("there is no task {id:?} in {path}; there are {known}");
        }
    }
    let count = tasks.len();
    let all = ids(&tasks);
    let only = tasks.pop().filter(|_| count == 1);
    only.with_context(|| match (count, id) {
        (0, _) => format!("there is no task in {path}"),
        (_, None) => format!("there are {count} tasks in {path}: add # and the id of one ({all})"),
        (_, Some(id)) => format!("{count} task sets in {path} have a task {id:?}: name the set"),
    })
}

fn tasks_at(path: &Path) -> anyhow::Result<Vec<Chosen>> {
    let opened = open_noting(path)?;
    let sets = opened.sets.into_iter().flat_map(|(set, _)| {
        let set_dir = std::path::absolute(&set.dir).unwrap_or_else(|_| set.dir.clone());
        set.tasks.into_iter().map(move |task| Chosen {
            set: set.id.clone(),
            set_dir: set_dir.clone(),
            task,
        })
    });
    Ok(sets.collect())
}

fn ids(tasks: &[Chosen]) -> String {
    let listed = tasks.iter().take(MOST_LISTED).map(|chosen| chosen.task.id.as_str());
    let mut words = listed.collect::<Vec<_>>().join(", ");
    if tasks.len() > MOST_LISTED {
        words.push_str(", …");
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(rest: &str) -> String {
        format!("{}/sample_runs{rest}", env!("CARGO_MANIFEST_DIR"))
    }

    #[test]
    fn a_task_is_named_by_its_set_and_id() {
        let chosen = choose(&samples("#sign-in")).unwrap();
        assert_eq!((chosen.set.as_str(), chosen.task.id.as_str()), ("own-samples", "sign-in"));
    }

    #[test]
    fn what_is_not_one_task_is_said_with_the_tasks_there_are() {
        let error = choose(&samples("#sign-out")).unwrap_err().to_string();
        assert!(error.contains("no task \"sign-out\"") && error.contains("sign-in"), "{error}");
        let error = choose(&samples("")).unwrap_err().to_string();
        assert!(error.contains("add # and the id of one") && error.contains("sign-in"), "{error}");
        assert!(choose(&samples("-nowhere#x")).is_err());
    }
}
