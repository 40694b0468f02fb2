//! Whether a file is still what was read.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A file as it was at a moment: its path, length and time. What is kept of a file's content is kept
/// under its stamp, taken *before* reading, so that what is written meanwhile counts as new.
///
/// A file that is written anew with as many bytes within the resolution of the file system's clock
/// has the same stamp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileStamp {
    path: PathBuf,
    /// `None` if there is no such file.
    state: Option<(u64, Option<SystemTime>)>,
}

impl FileStamp {
    /// The stamp of a file as it is now.
    pub fn of(path: &Path) -> Self {
        // A file that is not there has a stamp too: that it comes counts as a change.
        let file = std::fs::metadata(path).ok();
        let state = file.map(|file| (file.len(), file.modified().ok()));
        Self { path: path.to_path_buf(), state }
    }

    /// Which file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_another_stamp_once_it_is_longer_or_later_or_gone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        std::fs::write(&path, "one").unwrap();
        let first = FileStamp::of(&path);
        assert_eq!(FileStamp::of(&path), first);
        std::fs::write(&path, "longer").unwrap();
        let longer = FileStamp::of(&path);
        assert_ne!(longer, first);
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        let earlier = FileStamp::of(&path);
        assert_ne!(earlier, longer);
        std::fs::remove_file(&path).unwrap();
        assert_ne!(FileStamp::of(&path), earlier);
    }
}
