//! Where the reference data for developers lies.

use std::path::PathBuf;

/// The path of a file or folder of reference data, or `None` (with a note) on a machine that has
/// none. On CI a missing folder is a failure: no test may pass by doing nothing.
pub(crate) fn path(relative: &str) -> Option<PathBuf> {
    let root = std::env::var_os("PENTIMENTO_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared")),
        PathBuf::from,
    );
    let path = root.join(relative);
    if path.exists() {
        return Some(path);
    }
    assert!(std::env::var_os("CI").is_none(), "reference data is missing: {}", path.display());
    eprintln!("skipped: no reference data at {}", path.display());
    None
}
