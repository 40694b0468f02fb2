//! Where `tests/run` puts software that judges ours.

use std::path::PathBuf;

/// The path of something in `target/tools`, or `None` (with a note) where it was not fetched. Under
/// `tests/run`, which fetches it, that is a failure: no test may pass by doing nothing.
pub(crate) fn path(relative: &str) -> Option<PathBuf> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/target/tools")).join(relative);
    if path.exists() {
        return Some(path);
    }
    let words = format!("{} is missing: tests/run fetches it", path.display());
    assert!(std::env::var_os("PENTIMENTO_TOOLS").is_none(), "{words}");
    eprintln!("skipped: {words}");
    None
}
