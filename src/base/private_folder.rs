//! A folder for a while.

use std::io;

use tempfile::TempDir;

/// A new, empty folder among the system's temporary ones, that nobody but this user can look into
/// and that goes with the value.
pub fn private_folder() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("pentimento-");
    #[cfg(unix)]
    // Set when it is made: opened up to others for a moment would be enough to look in.
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}
