//! Where a run's task set lies.

use std::path::{Component, Path, PathBuf};

/// The setting of a run's manifest that says where its task set lies as seen from the run's folder,
/// so that it can be scored without being told again, also after both were moved together.
pub const TASKS_SETTING: &str = "tasks";

/// The way from one folder to another; `None` if one of them cannot be found or there is none, as
/// between two drives.
pub fn relative_path(from: &Path, to: &Path) -> Option<PathBuf> {
    let (from, to) = (from.canonicalize().ok()?, to.canonicalize().ok()?);
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return None;
    }
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    Some(up.chain(to.components().skip(shared)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_path_leads_from_one_folder_to_the_other() {
        let dir = tempfile::tempdir().unwrap();
        let (run, tasks) = (dir.path().join("runs/a/b"), dir.path().join("tasks"));
        std::fs::create_dir_all(&run).unwrap();
        std::fs::create_dir_all(&tasks).unwrap();
        let way = relative_path(&run, &tasks).unwrap();
        assert_eq!(way, Path::new("../../../tasks"));
        assert_eq!(run.join(way).canonicalize().unwrap(), tasks.canonicalize().unwrap());
        assert_eq!(relative_path(&run, &dir.path().join("missing")), None);
    }
}
