//! Which items lie on open desks just now, so that others are offered them later.
//!
//! Each desk keeps a small file of its own beside the project's, which says until when it holds an item: nobody waits
//! for anybody, and nothing of it is in copies or packets. A desk that was killed holds its item until the time is
//! over. It says nothing of runs, and being wrong about the time costs an order of items and no answer.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::base::read_file_limited;
use crate::label::{FormHash, ItemId, WriterId};

/// How long an item is held, in seconds, unless it is held anew.
pub const HELD_SECS: i64 = 900;
/// Most bytes of a desk's file.
const MOST_BYTES: u64 = 1 << 12;

/// An item by a form, as it lies on a desk.
pub type OnDesk = (ItemId, FormHash);

/// A desk at a project; its file goes with it.
#[derive(Debug)]
pub struct DeskFile {
    /// The folder of the project's file.
    folder: PathBuf,
    /// What the names of all desks' files begin with.
    prefix: OsString,
    own: PathBuf,
}

/// What stands in a desk's file.
#[derive(Debug, Serialize, Deserialize)]
struct Held {
    item: ItemId,
    form: FormHash,
    /// In seconds since 1970.
    until: i64,
}

impl DeskFile {
    /// The desk of an opening of a project's file.
    pub fn new(project: &Path, writer: WriterId) -> Self {
        let mut prefix = project.file_name().unwrap_or_default().to_owned();
        prefix.push(".desk-");
        let mut name = prefix.clone();
        name.push(format!("{:016x}", writer.0));
        let folder = project.parent().unwrap_or_else(|| Path::new("")).to_path_buf();
        Self { own: folder.join(name), folder, prefix }
    }

    /// Holds an item from now on, in place of another. `now_secs`: since 1970.
    ///
    /// # Errors
    ///
    /// That of the disk; then nothing is held.
    pub fn hold(&self, (item, form): &OnDesk, now_secs: i64) -> io::Result<()> {
        let until = now_secs.saturating_add(HELD_SECS);
        let held = Held { item: item.clone(), form: *form, until };
        std::fs::write(&self.own, serde_json::to_vec(&held)?)
    }

    /// Holds nothing any more.
    pub fn release(&self) {
        // One that was never written, or that nobody can remove, is over by itself.
        std::fs::remove_file(&self.own).ok();
    }

    /// What other desks hold now. Whatever is to be held for longer than anybody may was written by a clock that
    /// went wrong, and is not held. Files of desks that are over are removed.
    pub fn others(&self, now_secs: i64) -> BTreeSet<OnDesk> {
        let mut found = BTreeSet::new();
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return found };
        let prefix = self.prefix.as_encoded_bytes();
        for entry in entries.flatten() {
            let path = entry.path();
            if !entry.file_name().as_encoded_bytes().starts_with(prefix) || path == self.own {
                continue;
            }
            // One that is being written is read the next time.
            let Ok(bytes) = read_file_limited(&path, MOST_BYTES) else { continue };
            let Ok(held) = serde_json::from_slice::<Held>(&bytes) else { continue };
            let left = held.until.saturating_sub(now_secs);
            if (0..=HELD_SECS).contains(&left) {
                found.insert((held.item, held.form));
            } else {
                std::fs::remove_file(&path).ok();
            }
        }
        found
    }
}

impl Drop for DeskFile {
    fn drop(&mut self) {
        self.release();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::form::builtin_form;

    fn item(id: &str) -> OnDesk {
        (ItemId(id.to_owned()), builtin_form("task-success").unwrap().hash())
    }

    #[test]
    fn what_lies_on_a_desk_is_held_for_its_time_and_goes_with_it() {
        let dir = tempfile::tempdir().unwrap();
        let project = dir.path().join("study.labels");
        let [mine, theirs] = [1, 2].map(|writer| DeskFile::new(&project, WriterId(writer)));
        let now = 1_700_000_000;
        theirs.hold(&item("a"), now).unwrap();
        assert_eq!(mine.others(now), [item("a")].into());
        assert!(theirs.others(now).is_empty(), "its own is none of the others'");
        theirs.hold(&item("b"), now + 5).unwrap();
        assert_eq!(mine.others(now + 5), [item("b")].into(), "one at a time");
        // Another project in the same folder has its own.
        let other = DeskFile::new(&dir.path().join("other.labels"), WriterId(3));
        assert!(other.others(now).is_empty());
        assert_eq!(mine.others(now + 5 + HELD_SECS), [item("b")].into());
        assert!(mine.others(now + 6 + HELD_SECS).is_empty(), "the time is over");
        theirs.hold(&item("c"), now).unwrap();
        drop(theirs);
        assert!(mine.others(now).is_empty());
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_clock_that_jumps_and_a_file_that_is_none_hold_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let project = dir.path().join("study.labels");
        let [mine, theirs] = [1, 2].map(|writer| DeskFile::new(&project, WriterId(writer)));
        let now = 1_700_000_000;
        // Theirs is a year ahead, and then a year behind.
        for jump in [31_536_000, -31_536_000, i64::MAX, i64::MIN] {
            theirs.hold(&item("a"), jump).unwrap();
            assert!(mine.others(now).is_empty(), "{jump}");
        }
        theirs.hold(&item("a"), now).unwrap();
        assert_eq!(mine.others(now).len(), 1);
        let torn = dir.path().join("study.labels.desk-0000000000000007");
        std::fs::write(&torn, "{\"item\":\"a").unwrap();
        std::fs::write(dir.path().join("study.labels.desk-x"), vec![b'x'; 10_000]).unwrap();
        assert_eq!(mine.others(now).len(), 1);
        assert!(torn.exists(), "it may be written just now");
    }
}
