//! Where the shipped samples are, and where new runs go.

use std::path::{Path, PathBuf};

/// The folder of the samples, in the sources and beside the installed program.
const SAMPLES: &str = "sample_runs";

/// The shipped samples, if they can be found: in the sources this program was built from, beside the
/// program, or in the current folder.
pub(super) fn find() -> Vec<PathBuf> {
    let sources = Some(PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    let program = std::env::current_exe().ok();
    let beside = program.and_then(|program| program.parent().map(Path::to_path_buf));
    let current = std::env::current_dir().ok();
    [sources, beside, current]
        .into_iter()
        .flatten()
        .map(|folder| folder.join(SAMPLES))
        .find(|samples| samples.is_dir())
        .into_iter()
        .collect()
}

/// `Pentimento/runs` in the home folder; without one, `runs` in the current folder.
pub(crate) fn default_out_dir() -> PathBuf {
    let home = std::env::home_dir().filter(|home| home.is_dir());
    home.map_or_else(|| PathBuf::from("runs"), |home| home.join("Pentimento").join("runs"))
}
