//! Files that are whole or not there.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

/// Replaces `dir/name` by `bytes`: after a crash at any moment the file holds the old bytes or the
/// new ones, all of them.
///
/// The bytes go to a file beside it first, are forced to disk, and take the name in one step.
pub(super) fn write_atomic(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    let (prefix, suffix) = (format!(".{name}."), ".tmp");
    builder.prefix(&prefix).suffix(suffix);
    // As any file of this person's: others may read a run as far as their settings say.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // Gone when it is dropped, unless it took the name: what is left of a failure is no run's file.
    let mut temporary = builder.tempfile_in(dir)?;
    temporary.write_all(bytes)?;
    temporary.as_file().sync_all()?;
    temporary.persist(dir.join(name)).map_err(|error| error.error)?;
    sync_dir(dir)
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
