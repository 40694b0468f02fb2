//! Files that are whole or not there.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

/// Replaces `dir/name` by `bytes`: after a crash at any moment the file holds the old bytes or the
/// new ones, all of them.
///
/// The bytes go to a file beside it first, are forced to disk, and take the name in one step.
pub(super) fn replace(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let temporary = dir.join(format!(".{name}.tmp"));
    let written = write_synced(&temporary, bytes)
        .and_then(|()| std::fs::rename(&temporary, dir.join(name)))
        .and_then(|()| sync_dir(dir));
    if written.is_err() {
        // What is left is not a run's file; failing to remove it changes nothing for the reader.
        std::fs::remove_file(&temporary).ok();
    }
    written
}

fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Forces the names in a folder to disk.
#[cfg(unix)]
pub(super) fn sync_dir(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}

/// Folders cannot be opened for syncing here; the file system's journal keeps the names.
#[cfg(not(unix))]
pub(super) fn sync_dir(_dir: &Path) -> io::Result<()> {
    Ok(())
}
