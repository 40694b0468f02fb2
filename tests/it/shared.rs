//! Where the reference data for developers lies, and which tests did without.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;

/// The tests that were skipped, each once. They are counted out loud, past what the harness captures
/// of tests that pass, so that a green run says what it is worth.
static SKIPPED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The path of a file or folder of reference data, or `None` on a machine that has none: the test is
/// then skipped, which is said. On CI a missing file is a failure: no test may pass by doing nothing.
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
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let mut skipped = SKIPPED.lock().unwrap();
    if !skipped.contains(&test) {
        skipped.push(test.clone());
        let (count, path) = (skipped.len(), path.display());
        writeln!(std::io::stderr(), "SKIPPED {count}: {test} (no reference data at {path})")
            .unwrap();
    }
    None
}
