//! Pictures of files that somebody puts onto a page.

use std::path::Path;
use std::sync::Arc;

use crate::base::{Limits, Pixels, one_line, read_file_limited};
use crate::editor::PlacedPicture;

/// Letters of a picture's name: as many as Figma's have.
const NAME_LETTERS: usize = 40;

/// Reads a PNG or JPEG file; the size is checked before it is decoded.
pub(super) fn read_picture(path: &Path) -> Result<PlacedPicture, String> {
    let bytes = read_file_limited(path, Limits::IMAGE_BYTES).map_err(|error| error.to_string())?;
    let pixels = Pixels::decode(&bytes).map_err(|error| format!("{} {error}", path.display()))?;
    let mut image_ref = blake3::hash(&bytes).to_hex().to_string();
    image_ref.truncate(NAME_LETTERS);
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = one_line(&name.unwrap_or_default());
    Ok(PlacedPicture { name, image_ref, pixels: Arc::new(pixels) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_read_and_known_by_what_is_in_it() {
        let dir = tempfile::tempdir().unwrap();
        let [one, same, other] = ["one.png", "same.png", "other.png"].map(|it| dir.path().join(it));
        for (path, color) in [(&one, [1, 2, 3, 255]), (&same, [1, 2, 3, 255]), (&other, [0; 4])] {
            Pixels::filled(3, 2, color).unwrap().save_png(path).unwrap();
        }
        let [one, same, other] = [one, same, other].map(|path| read_picture(&path).unwrap());
        assert_eq!((one.name.as_str(), one.pixels.width()), ("one", 3));
        assert_eq!(one.image_ref, same.image_ref);
        assert_ne!(one.image_ref, other.image_ref);
        assert_eq!(one.image_ref.len(), NAME_LETTERS);
    }

    #[test]
    fn what_is_no_picture_is_refused_with_its_path() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("words.png");
        std::fs::write(&path, "no picture").unwrap();
        for path in [path, dir.path().join("absent.png"), dir.path().to_path_buf()] {
            let why = read_picture(&path).unwrap_err();
            assert!(why.contains(&path.display().to_string()), "{why}");
        }
    }
}
