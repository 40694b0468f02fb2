//! The folder of a run: what is in it, who writes it, where a new one goes.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::base::open_file;

use super::manifest::{Manifest, Outcome, TaskRef};

pub use super::manifest::slug;

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

/// Most runs of one agent on one task in one folder.
const NUMBERS: u32 = 99_999;

/// Whether a run that says it is running was broken off: nobody records into its folder any more.
pub fn is_broken_off(dir: &Path, manifest: &Manifest) -> bool {
    manifest.outcome == Outcome::Running && !is_live(dir)
}

/// Whether some process, perhaps this one, is recording into this folder now.
///
/// The recorder holds an advisory lock on [`LOCK_FILE`] that the system drops with the process,
/// however it ends. On file systems without locks the answer is always no.
pub fn is_live(dir: &Path) -> bool {
    let Ok(lock) = open_file(&dir.join(LOCK_FILE)) else { return false };
    // A shared lock: two that look at the same moment must not take each other for a recorder.
    matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock))
}

/// Makes a new, empty folder `out_dir/<set>/<task>/<agent>-<NN>` with the first free number.
///
/// The folder is claimed by making it, so runs that start at the same moment, in one process or
/// several, never get the same one. What a run left that was killed before it had recorded anything is
/// free after a minute.
pub fn claim(out_dir: &Path, task: &TaskRef, agent: &str) -> io::Result<PathBuf> {
    let parent = out_dir.join(slug(&task.set)).join(slug(&task.id));
    std::fs::create_dir_all(&parent)?;
    for number in 1..=NUMBERS {
        let dir = numbered(out_dir, task, agent, number);
        // Making it is the only test that no other process can come in between.
        match std::fs::create_dir(&dir) {
            Ok(()) => return Ok(dir),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                // Of two that clear it away one makes it anew.
                if clear_unbegun(&dir).is_ok() && std::fs::create_dir(&dir).is_ok() {
                    return Ok(dir);
                }
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other(format!("{} holds {NUMBERS} runs of {agent} already", parent.display())))
}

/// Gives back a claimed folder in which no run began; one in which one did stays as it is.
pub fn unclaim(dir: &Path) {
    if !dir.join(MANIFEST_FILE).exists() {
        // What cannot be taken away is free for others after a minute.
        std::fs::remove_dir_all(dir).ok();
    }
}

/// How old a folder without a run has to be until nobody can be about to record into it.
const UNBEGUN_AGE: Duration = Duration::from_mins(1);

/// Removes the folder of a run that was killed between claiming it and its manifest; an error if there
/// is anything else in it, or it may be about to be recorded into.
fn clear_unbegun(dir: &Path) -> io::Result<()> {
    // A clock that went backwards makes it new: it stays.
    let age = std::fs::metadata(dir)?.modified()?.elapsed().unwrap_or_default();
    if age < UNBEGUN_AGE || is_live(dir) {
        return Err(io::ErrorKind::DirectoryNotEmpty.into());
    }
    // All is looked at before anything is removed.
    let entries: Vec<_> = std::fs::read_dir(dir)?.take(8).collect::<io::Result<_>>()?;
    for entry in &entries {
        let name = entry.file_name();
        let is_empty = match name.to_str() {
            Some(EVENTS_FILE | LOCK_FILE) => entry.metadata()?.len() == 0,
            Some(IMAGES_DIR) => std::fs::read_dir(entry.path())?.next().is_none(),
            _ => false,
        };
        if !is_empty {
            return Err(io::ErrorKind::DirectoryNotEmpty.into());
        }
    }
    for entry in entries {
        if entry.file_type()?.is_dir() {
            std::fs::remove_dir(entry.path())?;
        } else {
            std::fs::remove_file(entry.path())?;
        }
    }
    std::fs::remove_dir(dir)
}

/// Opens the file that is locked by whoever looks what there is of an agent's runs on a task, and makes
/// what is missing.
pub fn open_claim(out_dir: &Path, task: &TaskRef, agent: &str) -> io::Result<File> {
    let parent = out_dir.join(slug(&task.set)).join(slug(&task.id));
    std::fs::create_dir_all(&parent)?;
    let path = parent.join(format!(".{}.lock", slug(agent)));
    // Hidden, so that it counts neither as a run nor as a picture; never removed, as another
    // process may be about to lock the same file.
    OpenOptions::new().create(true).append(true).open(path)
}

/// The folder of an agent's run on a task by its number, whether it is there or not.
pub fn numbered(out_dir: &Path, task: &TaskRef, agent: &str, number: u32) -> PathBuf {
    let parent = out_dir.join(slug(&task.set)).join(slug(&task.id));
    parent.join(format!("{}-{number:02}", slug(agent)))
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
        assert_eq!(slug("--"), "--");
        assert_eq!(slug("任务 1"), "---1");
    }

    #[test]
    fn ids_of_which_no_letter_is_left_have_names_of_their_own() {
        let names = ["任务一", "任务二", "任务三", "مهمة"].map(slug);
        for (at, name) in names.iter().enumerate() {
            assert!(name.starts_with("unnamed-") && name.is_ascii(), "{name}");
            assert!(!names[..at].contains(name), "{name}");
            assert_eq!(slug(name), *name, "a folder's name stays one");
        }
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

    #[cfg(unix)]
    #[test]
    fn the_folder_of_a_run_killed_before_it_began_is_free_after_a_minute() {
        let dir = tempfile::tempdir().unwrap();
        let task = TaskRef { set: "s".into(), id: "t".into() };
        let killed = claim(dir.path(), &task, "tracer").unwrap();
        std::fs::write(killed.join(EVENTS_FILE), "").unwrap();
        std::fs::create_dir(killed.join(IMAGES_DIR)).unwrap();
        age(&killed, 30);
        let second = claim(dir.path(), &task, "tracer").unwrap();
        assert_ne!(second, killed, "it may be about to begin");
        age(&killed, 90);
        assert_eq!(claim(dir.path(), &task, "tracer").unwrap(), killed);
        std::fs::write(second.join(EVENTS_FILE), "{").unwrap();
        age(&second, 90);
        assert_ne!(claim(dir.path(), &task, "tracer").unwrap(), second, "something is in it");
    }

    fn age(run: &Path, secs: u64) {
        let then = std::time::SystemTime::now() - Duration::from_secs(secs);
        File::open(run).unwrap().set_modified(then).unwrap();
    }
}
