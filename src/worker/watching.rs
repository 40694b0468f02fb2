//! Noticing runs that other processes begin in folders that are open.
//!
//! A folder's time changes when something is put into it, so a look costs one question to the file
//! system for each folder between an opened one and its runs, and reading only those that changed.

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
struct Place {
    depth: usize,
    /// When something was last put into it, as far as it was read.
    changed: Option<SystemTime>,
}

/// The folders that are watched.
#[derive(Debug, Default)]
pub(super) struct Watch {
    places: BTreeMap<PathBuf, Place>,
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
            self.place(opened.to_path_buf(), 0);
            self.read_changed();
            self.fresh.clear();
        }
    }

    /// The folders of runs that have appeared, in order.
    pub(super) fn look(&mut self) -> Vec<PathBuf> {
        let ripe = std::mem::take(&mut self.fresh);
        self.read_changed();
        ripe
    }

    fn place(&mut self, dir: PathBuf, depth: usize) {
        if depth <= DEPTH && self.places.len() < FOLDERS {
            self.places.entry(dir).or_insert(Place { depth, changed: None });
        }
    }

    /// Reads the folders that changed, and those found in them.
    fn read_changed(&mut self) {
        // Until nothing is new: folders that are found may hold folders themselves.
        loop {
            let now = |place: &Place, dir: &Path| Place { changed: changed(dir), ..*place };
            let places = self.places.iter().map(|(dir, place)| (dir, place, now(place, dir)));
            let changed = places.filter(|(_, place, now)| *place != now || now.changed.is_none());
            let changed: Vec<(PathBuf, Place)> =
                changed.map(|(dir, _, now)| (dir.clone(), now)).collect();
            if changed.is_empty() {
                return;
            }
            for (dir, now) in changed {
                self.read(&dir, now);
            }
        }
    }

    fn read(&mut self, dir: &Path, now: Place) {
        if now.changed.is_none() {
            self.places.remove(dir);
            return;
        }
        if dir.join(MANIFEST_FILE).is_file() {
            // A run: it was no more than a folder when it was seen first.
            self.places.remove(dir);
            if self.runs.insert(dir.to_path_buf()) {
                self.fresh.push(dir.to_path_buf());
            }
            return;
        }
        self.places.insert(dir.to_path_buf(), now);
        for folder in folders_in(dir) {
            if !self.runs.contains(&folder) {
                self.place(folder, now.depth + 1);
            }
        }
    }
}

fn changed(dir: &Path) -> Option<SystemTime> {
    fs::metadata(dir).and_then(|dir| dir.modified()).ok()
}

/// The folders in a folder but for hidden ones and links, which may go in circles.
fn folders_in(dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let is_folder = |entry: &fs::DirEntry| {
        entry.file_type().is_ok_and(|kind| kind.is_dir())
            && !entry.file_name().to_string_lossy().starts_with('.')
    };
    let mut folders: Vec<PathBuf> =
        entries.flatten().take(FOLDERS).filter(is_folder).map(|entry| entry.path()).collect();
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
        assert_eq!(watch.places.len(), 3);
        fs::remove_dir_all(dir.path().join("s")).unwrap();
        watch.look();
        assert_eq!(watch.places.len(), 1);
    }
}
