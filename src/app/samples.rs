//! Where the shipped samples are, and where new runs go.

use std::path::PathBuf;

use crate::base::shipped;

/// The folder of the samples, in the sources and beside the installed program.
const SAMPLES: &str = "sample_runs";

/// The samples that come with the program, if they can be found, or else those of the current folder.
pub(super) fn find() -> Vec<PathBuf> {
    let here = || Some(PathBuf::from(SAMPLES)).filter(|samples| samples.is_dir());
    shipped(SAMPLES).or_else(here).into_iter().collect()
}

/// `Pentimento/runs` in the home folder; without one, `runs` in the current folder.
pub(crate) fn default_out_dir() -> PathBuf {
    let home = std::env::home_dir().filter(|home| home.is_dir());
    home.map_or_else(|| PathBuf::from("runs"), |home| home.join("Pentimento").join("runs"))
}
