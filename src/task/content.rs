//! What a task asks, as a number: the same wherever its set lies.

use std::io;
use std::path::Path;

use blake3::Hasher;

use crate::base::open_file;

use super::model::{Artifact, Task};

/// A hash of all that an attempt at a task is given and held against, by what the files hold and not by where they
/// lie. What only describes the task (its category, its tags, the tools people used) does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskContent([u8; 16]);

impl TaskContent {
    /// Reads what a task asks.
    ///
    /// # Errors
    ///
    /// A file of it cannot be read.
    pub fn of(task: &Task) -> io::Result<Self> {
        let mut hasher = Hasher::new();
        let environment = serde_json::to_vec(&task.environment)?;
        add(&mut hasher, &environment);
        add(&mut hasher, task.kind.word().as_bytes());
        add(&mut hasher, task.instruction.as_bytes());
        add(&mut hasher, &serde_json::to_vec(&task.canvas_size)?);
        add(&mut hasher, &serde_json::to_vec(&task.checks)?);
        if let Some(brief) = &task.brief {
            add(&mut hasher, &serde_json::to_vec(&brief.query)?);
            add(&mut hasher, &serde_json::to_vec(&brief.questions)?);
        }
        for artifact in [&task.start, &task.ground_truth] {
            add_artifact(&mut hasher, artifact.as_ref())?;
        }
        for given in &task.given {
            add(&mut hasher, given.name.as_bytes());
            match (&given.recorded, &given.file) {
                (Some(Ok(bytes)), _) => add(&mut hasher, bytes),
                (Some(Err(_)), _) | (None, None) => add(&mut hasher, &[]),
                (None, Some(file)) => add_file(&mut hasher, file)?,
            }
        }
        Ok(Self::finish(&hasher))
    }

    fn finish(hasher: &Hasher) -> Self {
        let mut bytes = [0; 16];
        hasher.finalize_xof().fill(&mut bytes);
        Self(bytes)
    }

    #[cfg(test)]
    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        let mut hasher = Hasher::new();
        hasher.update(bytes);
        Self::finish(&hasher)
    }
}

/// With its length, so that no two parts run together.
fn add(hasher: &mut Hasher, bytes: &[u8]) {
    hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
}

fn add_artifact(hasher: &mut Hasher, artifact: Option<&Artifact>) -> io::Result<()> {
    let files = [
        artifact.and_then(|artifact| artifact.document.as_deref()),
        artifact.and_then(|artifact| artifact.picture.as_deref()),
    ];
    for file in files {
        match file {
            Some(file) => add_file(hasher, file)?,
            // No file is that long.
            None => {
                hasher.update(&u64::MAX.to_le_bytes());
            }
        }
    }
    Ok(())
}

/// A piece at a time: a picture may be large.
fn add_file(hasher: &mut Hasher, path: &Path) -> io::Result<()> {
    let mut of_file = Hasher::new();
    let length = io::copy(&mut open_file(path)?, &mut of_file)?;
    hasher.update(&length.to_le_bytes()).update(of_file.finalize().as_bytes());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::TaskKind;

    #[test]
    fn the_place_of_a_task_does_not_count_and_what_its_files_hold_does() {
        let [here, there] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let task = |dir: &Path, truth: &str, instruction: &str| {
            let picture = dir.join("truth.png");
            std::fs::write(&picture, truth).unwrap();
            let task = Task::new("login", TaskKind::Replication, instruction);
            let ground_truth = Some(Artifact { document: None, picture: Some(picture) });
            TaskContent::of(&Task { ground_truth, category: Some(truth.into()), ..task }).unwrap()
        };
        let first = task(here.path(), "blue", "Draw it.");
        assert_eq!(task(there.path(), "blue", "Draw it."), first);
        assert_ne!(task(there.path(), "red", "Draw it."), first);
        assert_ne!(task(there.path(), "blue", "Draw it!"), first);
        let gone = Artifact { document: Some(here.path().join("none.json")), picture: None };
        let task = Task { start: Some(gone), ..Task::new("a", TaskKind::Replication, "") };
        assert!(TaskContent::of(&task).is_err());
    }
}
