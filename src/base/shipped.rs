//! What comes with the program: the fonts that are part of it, and where the files are that are too
//! large for that.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use flate2::read::ZlibDecoder;

/// Inter 4.001, upright, variable over optical size (14..=32) and weight (100..=900): what the window,
/// designs, graphics and the tracer set texts in.
pub static INTER_FILE: LazyLock<Vec<u8>> =
    LazyLock::new(|| inflate(include_bytes!(concat!(env!("OUT_DIR"), "/InterVariable.ttf.zlib"))));
/// Its italic.
pub static INTER_ITALIC_FILE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    inflate(include_bytes!(concat!(env!("OUT_DIR"), "/InterVariable-Italic.ttf.zlib")))
});
/// Phosphor regular: the icons of the window.
pub static PHOSPHOR_FILE: LazyLock<Vec<u8>> =
    LazyLock::new(|| inflate(include_bytes!(concat!(env!("OUT_DIR"), "/Phosphor.ttf.zlib"))));

/// What `build.rs` deflated. Each of the fonts takes a few milliseconds, once.
fn inflate(deflated: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    // Made when the program was built, so that it can only be whole; half a font would be worse
    // than none.
    if ZlibDecoder::new(deflated).read_to_end(&mut file).is_err() {
        file.clear();
    }
    file
}

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
    folders.push(PathBuf::from(env!("PENTIMENTO_SOURCES")));
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fonts_within_the_program_are_those_of_the_assets() {
        let fonts = [
            (&INTER_FILE, "InterVariable.ttf"),
            (&INTER_ITALIC_FILE, "InterVariable-Italic.ttf"),
            (&PHOSPHOR_FILE, "Phosphor.ttf"),
        ];
        for (font, name) in fonts {
            let file = shipped(&format!("assets/fonts/{name}")).unwrap();
            assert!(**font == std::fs::read(file).unwrap(), "{name}");
        }
    }

    #[test]
    fn what_stands_in_the_sources_is_found_and_nothing_else() {
        assert!(shipped("assets/icon.png").is_some_and(|path| path.is_file()));
        assert_eq!(shipped("assets/no such file"), None);
    }
}
