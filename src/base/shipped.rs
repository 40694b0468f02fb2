//! What comes with the program: the one font that is part of it, and where the files are that are
//! too large for that.

use std::path::{Path, PathBuf};

/// Inter 4.001, upright, variable over optical size (14..=32) and weight (100..=900): what the window,
/// designs, graphics and the tracer set texts in. The program holds its 880 kB once.
pub static INTER_FILE: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/fonts/InterVariable.ttf"));

/// A file or folder that comes with the program, if it is there: `name` is its path from the top of
/// the sources.
///
/// Looked for in the folders of [`shipped_folders`]; the first that has it wins.
pub fn shipped(name: &str) -> Option<PathBuf> {
    shipped_folders().into_iter().map(|folder| folder.join(name)).find(|path| path.exists())
}

/// Where what comes with the program is looked for: beside the program, in `../share/pentimento` as
/// seen from it, and in the sources that it was built from, which is where `cargo install --path`
/// leaves it.
pub fn shipped_folders() -> Vec<PathBuf> {
    let program = std::env::current_exe().ok();
    // An installed copy before the sources, which may have gone on since it was built.
    let beside = program.as_deref().and_then(Path::parent);
    let mut folders = Vec::new();
    folders.extend(beside.map(Path::to_path_buf));
    folders.extend(
        beside.and_then(Path::parent).map(|prefix| prefix.join("share").join("pentimento")),
    );
    folders.push(PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_the_sources_is_found_and_nothing_else() {
        assert!(shipped("assets/icon.png").is_some_and(|path| path.is_file()));
        assert_eq!(shipped("assets/no such file"), None);
    }
}
