//! Noticing runs that other processes begin in folders that are open.
//!
//! A folder's time changes when something is put into it, so a look costs one question to the file
//! system for each folder between an opened one and its runs, and reading only those that changed. The
//! system's own news (`notify`) would come sooner, but needs a watch a folder, of which systems give a few
//! thousand, and does not come at all from network folders, where batches often write.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::run::folder::MANIFEST_FILE;

/// How deep below an opened folder runs are looked for: `runs/<set>/<task>/<run>` and one above.
const DEPTH: usize = 4;
/// Most folders that are watched; what lies in others shows when it is opened again.
const FOLDERS: usize = 4096;

/// A folder that may get runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WatchedFolder {
    depth: usize,
    /// When something was last put into it, as far as it was read.
    changed: Option<SystemTime>,
}

/// The folders that are watched.
#[derive(Debug, Default)]
pub(super) struct Watch {
    folders: BTreeMap<PathBuf, WatchedFolder>,
    /// Folders of runs that were seen.
    runs: BTreeSet<PathBuf>,
    /// Runs seen at the last look. They are told of at the next, when whoever began them in this
    /// process has told of them.
    fresh: Vec<PathBuf>,
}

impl Watch {
    /// Watches an opened folder; the runs that are there already are not told of.
    pub(super) fn add(&mut self, opened: &Path) {
        if opened.is_dir() {
            self.watch(opened.to_path_buf(), 0);
            self.read_changed();
            // Whoever opened the folder is told of these by the opening.
            self.fresh.clear();
        }
    }

    /// The folders of runs that have appeared, in order.
    pub(super) fn look(&mut self) -> Vec<PathBuf> {
        let ripe = std::mem::take(&mut self.fresh);
        self.read_changed();
        ripe
    }

    fn watch(&mut self, dir: PathBuf, depth: usize) {
        if depth <= DEPTH && self.folders.len() < FOLDERS {
            // Not read yet, whatever its time: the next look finds it changed.
            self.folders.entry(dir).or_insert(WatchedFolder { depth, changed: None });
        }
    }

    /// Reads the folders that changed, and those found in them.
    fn read_changed(&mut self) {
        // Until nothing is new: folders that are found may hold folders themselves.
        loop {
            // Taken out, and put back once they are read: a run is no folder to watch any more, and one
            // that has vanished has no time.
            let changed: Vec<(PathBuf, WatchedFolder)> = self
                .folders
                .extract_if(.., |dir, folder| {
                    let before = std::mem::replace(&mut folder.changed, changed(dir));
                    folder.changed.is_none() || folder.changed != before
                })
                .collect();
            if changed.is_empty() {
                return;
            }
            for (dir, folder) in changed {
                if folder.changed.is_some() {
                    self.read(dir, folder);
                }
            }
        }
    }

    fn read(&mut self, dir: PathBuf, folder: WatchedFolder) {
        if dir.join(MANIFEST_FILE).is_file() {
            // A run: it was no more than a folder when it was seen first.
            if self.runs.insert(dir.clone()) {
                self.fresh.push(dir);
            }
            return;
        }
        for inside in folders_in(&dir) {
            if !self.runs.contains(&inside) {
                self.watch(inside, folder.depth + 1);
            }
        }
        self.folders.insert(dir, folder);
    }
}

fn changed(dir: &Path) -> Option<SystemTime> {
    fs::metadata(dir).and_then(|dir| dir.modified()).ok()
}

/// The folders in a folder but for hidden ones and links, which may go in circles.
fn folders_in(dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let folders = entries.flatten().take(FOLDERS).filter(|entry| {
        entry.file_type().is_ok_and(|kind| kind.is_dir())
            && !entry.file_name().to_string_lossy().starts_with('.')
    });
    // File systems list in any order, and runs that appear together are told in that of their names.
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
    folders.sort();
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(dir: &Path, name: &str) -> PathBuf {
        let run = dir.join(name);
        fs::create_dir_all(&run).unwrap();
        fs::write(run.join(MANIFEST_FILE), "{}").unwrap();
        run
    }

    #[test]
    fn runs_that_appear_are_told_of_once_and_those_there_before_are_not() {
        let dir = tempfile::tempdir().unwrap();
        run(dir.path(), "s/t/a-01");
        let mut watch = Watch::default();
        watch.add(dir.path());
        assert_eq!((watch.look(), watch.look()), (vec![], vec![]));
        let (beside, elsewhere) = (run(dir.path(), "s/t/a-02"), run(dir.path(), "s/u/a-01"));
        assert_eq!(watch.look(), Vec::<PathBuf>::new(), "not at once");
        assert_eq!(watch.look(), [beside, elsewhere]);
        assert_eq!(watch.look(), Vec::<PathBuf>::new());
    }

    #[test]
    fn a_folder_that_becomes_a_run_is_one() {
        let dir = tempfile::tempdir().unwrap();
        let mut watch = Watch::default();
        watch.add(dir.path());
        fs::create_dir_all(dir.path().join("s/t/a-01")).unwrap();
        assert_eq!((watch.look(), watch.look()), (vec![], vec![]));
        // A file system may not tell times apart that are closer.
        std::thread::sleep(std::time::Duration::from_millis(20));
        let begun = run(dir.path(), "s/t/a-01");
        watch.look();
        assert_eq!(watch.look(), [begun]);
    }

    #[test]
    fn folders_that_vanish_are_watched_no_more() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("s/t")).unwrap();
        let mut watch = Watch::default();
        watch.add(dir.path());
        assert_eq!(watch.folders.len(), 3);
        fs::remove_dir_all(dir.path().join("s")).unwrap();
        watch.look();
        assert_eq!(watch.folders.len(), 1);
    }
}
