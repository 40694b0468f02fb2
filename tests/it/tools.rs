//! Where `tests/run` puts software that judges ours.

use std::path::PathBuf;

/// The path of something in `target/tools`, or `None` where it was not fetched, which [`skip`] says.
pub(crate) fn path(relative: &str) -> Option<PathBuf> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/target/tools")).join(relative);
    if path.exists() {
        return Some(path);
    }
    skip(&format!("{} is missing: tests/run fetches it", path.display()));
    None
}

/// Says why a test is not made. On CI, and under `tests/run`, which installs what they need, that is a failure: no test
/// may pass by doing nothing.
pub(crate) fn skip(why: &str) {
    let is_needed = ["CI", "PENTIMENTO_TOOLS"].iter().any(|name| std::env::var_os(name).is_some());
    assert!(!is_needed, "{why}");
    eprintln!("skipped: {why}");
}
