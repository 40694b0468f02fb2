//! What a path is, by its name and by what lies there.

use std::path::{Path, PathBuf};

use crate::study::{ANSWERS_EXTENSION, is_study};

/// The path from the root, as another session may have another current folder; `~` is the home folder.
pub(super) fn absolute(path: PathBuf) -> PathBuf {
    let in_home = path.strip_prefix("~").ok().zip(std::env::home_dir());
    let path = in_home.map(|(rest, home)| home.join(rest)).unwrap_or(path);
    std::path::absolute(&path).unwrap_or(path)
}

/// Whether a file is called as labelling projects are.
pub(super) fn is_labels(path: &Path) -> bool {
    path.extension().is_some_and(|it| it.eq_ignore_ascii_case("labels"))
}

/// Whether a path is opened in a room of its own, and not in the library.
pub(super) fn is_project(path: &Path) -> bool {
    path.is_file() && is_labels(path) || is_study(path)
}

/// Whether a file is called as answers of a study are.
pub(super) fn is_answers(path: &Path) -> bool {
    path.extension().is_some_and(|it| it.eq_ignore_ascii_case(ANSWERS_EXTENSION))
}

/// Whether a file is called as JSON is.
pub(super) fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|it| it.eq_ignore_ascii_case("json"))
}
