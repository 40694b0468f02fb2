//! Pictures as text: PNG in base64.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::images::Images;
use super::node::Node;
use super::paint::{Paint, PaintKind};
use crate::base::{Pixels, PixelsError};

/// Why a text is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureTextError {
    /// It is no base64.
    #[error("it is no base64: {0}")]
    Base64(#[from] base64::DecodeError),
    /// What it says is no picture.
    #[error(transparent)]
    Pixels(#[from] PixelsError),
}

/// The pictures of these names, as far as they are there and together have room in so many bytes of PNG; and how many
/// of those that are there have not.
pub fn pictures_as_text<'n>(
    images: &Images,
    names: impl IntoIterator<Item = &'n str>,
    most_bytes: usize,
) -> (BTreeMap<String, String>, usize) {
    let (mut texts, mut bytes, mut left_out) = (BTreeMap::new(), 0, BTreeSet::new());
    for name in names {
        // A picture used by many nodes is written, and counted, once.
        if texts.contains_key(name) || left_out.contains(name) {
            continue;
        }
        let Some(picture) = images.get(name) else { continue };
        match picture.to_png() {
            Ok(png) if bytes + png.len() <= most_bytes => {
                bytes += png.len();
                texts.insert(name.to_owned(), STANDARD.encode(png));
            }
            _ => {
                left_out.insert(name);
            }
        }
    }
    (texts, left_out.len())
}

/// The picture of a text.
///
/// # Errors
///
/// That it is none.
pub fn picture_of_text(text: &str) -> Result<Pixels, PictureTextError> {
    Ok(Pixels::decode(&STANDARD.decode(text.trim())?)?)
}

/// The names of the pictures that a node shows, in its fills, its outline and its letters.
pub fn shown_pictures(node: &Node) -> impl Iterator<Item = &str> {
    let letters = node.text().into_iter().flat_map(|text| text.overrides.values());
    let letters = letters.filter_map(|style| style.fills.as_ref()).flatten();
    let paints = node.fills.iter().chain(&node.stroke.paints).chain(letters);
    paints.filter_map(picture_of)
}

fn picture_of(paint: &Paint) -> Option<&str> {
    match &paint.kind {
        PaintKind::Image(image) => image.image_ref.as_deref(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn pictures_come_back_from_their_text_and_those_without_room_are_counted() {
        let mut images = Images::default();
        for (name, shade) in [("a", 1), ("b", 2)] {
            images.add(name, Arc::new(Pixels::filled(3, 2, [shade, 9, 9, 255]).unwrap()));
        }
        let names = ["a", "a", "missing", "b"];
        let (texts, left_out) = pictures_as_text(&images, names, usize::MAX);
        assert_eq!((texts.len(), left_out), (2, 0));
        assert_eq!(picture_of_text(&texts["b"]).unwrap(), **images.get("b").unwrap());
        let one = images.get("a").unwrap().to_png().unwrap().len();
        let (texts, left_out) = pictures_as_text(&images, names, one);
        let names: Vec<&str> = texts.keys().map(String::as_str).collect();
        assert_eq!((names, left_out), (vec!["a"], 1));
        assert_eq!(pictures_as_text(&images, ["missing"], 0), (BTreeMap::new(), 0));
    }

    #[test]
    fn what_is_no_picture_says_why() {
        for (text, why) in [("%", "it is no base64"), ("AAAA", "cannot be decoded")] {
            let error = picture_of_text(text).unwrap_err().to_string();
            assert!(error.starts_with(why), "{error}");
        }
    }
}
