//! The pictures of a design on disk: a folder `images` beside its JSON, with a file
//! `{imageRef}.png`, `.jpg` or `.jpeg` for each picture.
//!
//! Figma's JSON only names the pictures of image paints. This is the one place that looks for their
//! files; a picture that is not there is drawn as a placeholder.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::{Limits, Pixels, PixelsError};
use crate::design::{Document, Node, Paint, PaintKind};

/// The folder beside a design that holds its pictures.
const FOLDER: &str = "images";

/// The endings of the files of pictures in designs, in the order in which they are looked for.
pub const DESIGN_PICTURE_ENDINGS: &[&str] = &["png", "jpg", "jpeg"];

/// Most pixels of all pictures of a design: 1.6 GB decoded.
const MOST_PIXELS: u64 = 4 * Limits::IMAGE_PIXELS;

/// Longest name of a picture; Figma's have 40 digits.
const MOST_CHARACTERS: usize = 128;

/// Why a picture file was not taken.
#[derive(Debug, thiserror::Error)]
pub enum DesignPictureError {
    /// It cannot be read or decoded.
    #[error("the picture {name} cannot be used: {source}")]
    Broken {
        /// The `imageRef`.
        name: String,
        /// The cause.
        source: PixelsError,
    },
    /// There are more pixels than a design may have.
    #[error(
        "the picture {name} is left out: the pictures of the design have over {MOST_PIXELS} pixels"
    )]
    TooMany {
        /// The `imageRef`.
        name: String,
    },
}

/// The folder with the pictures of the design in this file, if there is one.
pub fn pictures_beside(design: &Path) -> Option<PathBuf> {
    let folder = design.parent()?.join(FOLDER);
    folder.is_dir().then_some(folder)
}

/// Adds the pictures that the document names and the folder has. Gives what was found and cannot
/// be used; what is not there is not an error.
///
/// A name is only looked for if it is of letters, digits, `-` and `_`, so that no design reaches
/// beyond the folder.
pub fn add_pictures(document: &mut Document, folder: &Path) -> Vec<DesignPictureError> {
    let (mut errors, mut pixels) = (Vec::new(), 0);
    for name in names(document) {
        let Some(path) = file_of(&name, folder) else { continue };
        match Pixels::open(&path) {
            Ok(picture) => {
                pixels += u64::from(picture.width()) * u64::from(picture.height());
                // Each is within the limits by itself; together they could still fill the memory.
                if pixels > MOST_PIXELS {
                    errors.push(DesignPictureError::TooMany { name });
                    break;
                }
                document.add_image(name, Arc::new(picture));
            }
            Err(source) => errors.push(DesignPictureError::Broken { name, source }),
        }
    }
    errors
}

/// The pictures that the document's paints name and that it has not yet.
fn names(document: &Document) -> BTreeSet<String> {
    let nodes = document.iter_depth_first();
    let named = nodes.flat_map(|node| paints(node)).filter_map(|paint| match &paint.kind {
        PaintKind::Image(image) => image.image_ref.as_deref(),
        PaintKind::Solid(_) | PaintKind::Gradient(_) | PaintKind::Other(_) => None,
    });
    named.filter(|name| document.images().get(name).is_none()).map(str::to_owned).collect()
}

fn paints(node: &Node) -> impl Iterator<Item = &Paint> {
    // Letters may be filled with pictures of their own.
    let overrides = node.text().into_iter().flat_map(|text| text.overrides.values());
    let in_text = overrides.filter_map(|style| style.fills.as_ref()).flatten();
    node.fills.iter().chain(&node.stroke.paints).chain(in_text)
}

fn file_of(name: &str, folder: &Path) -> Option<PathBuf> {
    // A name with a slash or a dot would lead out of the folder.
    let is_plain =
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    if name.is_empty() || name.len() > MOST_CHARACTERS || !is_plain {
        return None;
    }
    let mut paths =
        DESIGN_PICTURE_ENDINGS.iter().map(|ending| folder.join(format!("{name}.{ending}")));
    paths.find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use crate::design::{ImagePaint, NodeKind};

    use super::*;

    fn document(names: &[&str]) -> Document {
        let mut node = Node::new("1:1".into(), "a", NodeKind::Rectangle);
        let paint = |name: &&str| Paint {
            kind: PaintKind::Image(ImagePaint {
                image_ref: Some((*name).to_owned()),
                ..ImagePaint::default()
            }),
            ..Paint::solid(crate::base::Rgba::BLACK)
        };
        node.fills = names.iter().map(paint).collect();
        Document::from_nodes([node]).unwrap()
    }

    #[test]
    fn pictures_are_found_by_their_name_and_only_in_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        let design = dir.path().join("design.json");
        assert_eq!(pictures_beside(&design), None);
        let folder = dir.path().join(FOLDER);
        std::fs::create_dir(&folder).unwrap();
        let png = Pixels::filled(3, 2, [9, 9, 9, 255]).unwrap().to_png().unwrap();
        std::fs::write(folder.join("abc1.png"), &png).unwrap();
        std::fs::write(folder.join("unused.png"), &png).unwrap();
        std::fs::write(dir.path().join("secret.png"), &png).unwrap();
        let mut document = document(&["abc1", "../secret", "missing", ""]);
        let errors = add_pictures(&mut document, &pictures_beside(&design).unwrap());
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(document.images().len(), 1);
        assert_eq!(document.images().get("abc1").map(|picture| picture.width()), Some(3));
    }

    #[test]
    fn a_broken_picture_is_told_and_the_others_are_taken() {
        let folder = tempfile::tempdir().unwrap();
        let png = Pixels::filled(3, 2, [9, 9, 9, 255]).unwrap().to_png().unwrap();
        std::fs::write(folder.path().join("a.jpg"), b"no picture").unwrap();
        std::fs::write(folder.path().join("b.jpeg"), &png).unwrap();
        let mut document = document(&["a", "b"]);
        let errors = add_pictures(&mut document, folder.path());
        assert!(errors.len() == 1 && errors[0].to_string().starts_with("the picture a cannot"));
        assert!(document.images().get("b").is_some());
    }
}
