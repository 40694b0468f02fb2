//! The folder of a run: what is in it, who writes it, where a new one goes.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::manifest::TaskRef;

/// The manifest.
pub const MANIFEST_FILE: &str = "run.json";
/// The events.
pub const EVENTS_FILE: &str = "events.jsonl";
/// The document at the start.
pub const START_FILE: &str = "start.json";
/// The document at the end.
pub const FINAL_FILE: &str = "final.json";
/// The plan with its stages, in the shape that GraphicBench's planner writes.
pub const PLAN_FILE: &str = "plan.json";
/// What models were asked and answered, over the wire.
pub const EXCHANGES_FILE: &str = "exchanges.jsonl";
/// The pictures.
pub const IMAGES_DIR: &str = "images";
/// Held locked by whoever records.
///
/// A file of its own, because some systems keep others from *reading* a locked file.
pub const LOCK_FILE: &str = "run.lock";

/// Longest name made of an id, in characters.
const SLUG_CHARS: usize = 80;
/// Most runs of one agent on one task in one folder.
const NUMBERS: u32 = 99_999;

/// Whether some process, perhaps this one, is recording into this folder now.
///
/// The recorder holds an advisory lock on [`LOCK_FILE`] that the system drops with the process,
/// however it ends. On file systems without locks the answer is always no.
pub fn is_live(dir: &Path) -> bool {
    let Ok(lock) = File::open(dir.join(LOCK_FILE)) else { return false };
    matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock))
}

/// Makes a new, empty folder `out_dir/<set>/<task>/<agent>-<NN>` with the first free number.
///
/// The folder is claimed by making it, so runs that start at the same moment, in one process or
/// several, never get the same one.
pub fn claim(out_dir: &Path, task: &TaskRef, agent: &str) -> io::Result<PathBuf> {
    let parent = out_dir.join(slug(&task.set)).join(slug(&task.id));
    std::fs::create_dir_all(&parent)?;
    for number in 1..=NUMBERS {
        let dir = numbered(out_dir, task, agent, number);
        match std::fs::create_dir(&dir) {
            Ok(()) => return Ok(dir),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other(format!("{} holds {NUMBERS} runs of {agent} already", parent.display())))
}

/// The folder of an agent's run on a task by its number, whether it is there or not.
pub fn numbered(out_dir: &Path, task: &TaskRef, agent: &str, number: u32) -> PathBuf {
    let parent = out_dir.join(slug(&task.set)).join(slug(&task.id));
    parent.join(format!("{}-{number:02}", slug(agent)))
}

/// A folder name for an id: letters, digits, `.`, `_` and `-` stay, all else becomes `-`.
pub fn slug(id: &str) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let name: String = id.chars().take(SLUG_CHARS).map(keep).collect();
    let name = name.trim_start_matches('.');
    if name.is_empty() { "unnamed".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_is_one_plain_name() {
        assert_eq!(slug("gid6-27"), "gid6-27");
        assert_eq!(slug("../../etc"), "-..-etc");
        assert_eq!(slug(".."), "unnamed");
        assert_eq!(slug(""), "unnamed");
        assert_eq!(slug("a/b\\c:d"), "a-b-c-d");
    }

    #[test]
    fn every_claim_gets_a_folder_of_its_own() {
        let dir = tempfile::tempdir().unwrap();
        let task = TaskRef { set: "s".into(), id: "t/1".into() };
        let first = claim(dir.path(), &task, "tracer").unwrap();
        let second = claim(dir.path(), &task, "tracer").unwrap();
        assert_eq!(first, dir.path().join("s/t-1/tracer-01"));
        assert_eq!(second, dir.path().join("s/t-1/tracer-02"));
    }
}
