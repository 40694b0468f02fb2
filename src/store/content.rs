//! What is compared, as a number: the same content always has the same one, wherever it lies.

use std::io;

use blake3::Hasher;

use crate::base::Pixels;
use crate::design::{Document, ShownPicture, figma};
use crate::metric::{Comparison, Side};

/// The hash of one side of a comparison: 128 bits of BLAKE3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; 16]);

impl ContentHash {
    /// Its bytes, as they are in the file.
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    fn of(hasher: &Hasher) -> Self {
        let mut bytes = [0; 16];
        hasher.finalize_xof().fill(&mut bytes);
        Self(bytes)
    }
}

/// The hash of what was made: its picture, design, shown pictures and caption, as far as they are
/// there.
pub fn hash_side(side: &Side<'_>) -> ContentHash {
    let mut hasher = Hasher::new();
    add_side(&mut hasher, side);
    ContentHash::of(&hasher)
}

/// The hash of what it is compared with: the ground truth, and the pictures, the instruction and the
/// query that the task gave.
pub fn hash_ground_truth(comparison: &Comparison<'_>) -> ContentHash {
    let mut hasher = Hasher::new();
    add_side(&mut hasher, &comparison.ground_truth);
    // Without an instruction or a query their parts are left out, and each part says which it is:
    // what is absent cannot be taken for what is empty.
    for input in comparison.inputs {
        add_picture(&mut hasher, input);
    }
    if let Some(instruction) = comparison.instruction {
        add(&mut hasher, ContentTag::Instruction, instruction.as_bytes());
    }
    if let Some(query) = comparison.query {
        // As its JSON, whose names are kept: what a program prints of it for people may change with
        // every version. It holds texts and finite numbers alone, which JSON can be made of.
        add(&mut hasher, ContentTag::Query, &serde_json::to_vec(query).unwrap_or_default());
    }
    ContentHash::of(&hasher)
}

/// What follows in the hash, so that no two contents run together.
#[derive(Clone, Copy)]
enum ContentTag {
    Picture = 1,
    Design = 2,
    Caption = 3,
    Instruction = 4,
    Query = 5,
    Shown = 6,
}

fn add_side(hasher: &mut Hasher, side: &Side<'_>) {
    if let Some(picture) = side.picture {
        add_picture(hasher, picture);
    }
    if let Some(design) = side.design {
        add_design(hasher, design);
    }
    if let Some(shown) = side.shown {
        add_shown(hasher, shown);
    }
    if let Some(caption) = side.caption {
        add(hasher, ContentTag::Caption, caption.as_bytes());
    }
}

fn add(hasher: &mut Hasher, part: ContentTag, bytes: &[u8]) {
    hasher.update(&[part as u8]);
    // The length before the bytes: "ab" and "c" must not hash as "a" and "bc".
    hasher.update(&(bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}

fn add_picture(hasher: &mut Hasher, picture: &Pixels) {
    hasher.update(&[ContentTag::Picture as u8]);
    hasher.update(&picture.width().to_le_bytes());
    hasher.update(&picture.height().to_le_bytes());
    hasher.update(picture.rgba());
}

/// A design as its JSON; the pictures in it count by the names that the JSON has for them.
fn add_design(hasher: &mut Hasher, design: &Document) {
    // A document may be of hundreds of megabytes as JSON: it goes to the hasher as it is written.
    // Its length is known at the end only, so it follows the hash instead of going before it.
    let mut json = CountingHasher { hasher: Hasher::new(), bytes: 0 };
    // Writing to a hasher does not fail, and the JSON is made of values that can be written.
    serde_json::to_writer(&mut json, &figma::to_json(design)).ok();
    add(hasher, ContentTag::Design, json.hasher.finalize().as_bytes());
    hasher.update(&json.bytes.to_le_bytes());
}

/// Which pictures a design shows where.
fn add_shown(hasher: &mut Hasher, shown: &[ShownPicture]) {
    add(hasher, ContentTag::Shown, &(shown.len() as u64).to_le_bytes());
    for ShownPicture { node, name, part } in shown {
        add(hasher, ContentTag::Shown, node.as_str().as_bytes());
        add(hasher, ContentTag::Shown, name.as_bytes());
        for side in [part.x, part.y, part.width, part.height] {
            hasher.update(&side.to_le_bytes());
        }
    }
}

struct CountingHasher {
    hasher: Hasher,
    bytes: u64,
}

impl io::Write for CountingHasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.hasher.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rect;
    use crate::metric::constraint::{DesignType, Query, WantedSize, WantedVisual};

    fn picture(width: u32, height: u32) -> Pixels {
        Pixels::filled(width, height, [1, 2, 3, 255]).unwrap()
    }

    #[test]
    fn the_same_content_has_the_same_hash_and_any_other_another() {
        let [wide, again, tall] = [(4, 2), (4, 2), (2, 4)].map(|(width, height)| {
            hash_side(&Side { picture: Some(&picture(width, height)), ..Side::default() })
        });
        assert_eq!(wide, again);
        assert_ne!(wide, tall);
        let [empty, a, b] =
            ["", "a", "b"].map(|it| hash_side(&Side { caption: Some(it), ..Side::default() }));
        assert_ne!(hash_side(&Side::default()), empty);
        assert_ne!(a, b);
    }

    #[test]
    fn what_a_task_gave_is_part_of_what_it_is_compared_with() {
        let inputs = [picture(2, 2)];
        let bare = Comparison::default();
        let given = Comparison { inputs: &inputs, ..bare };
        let asked = Comparison { instruction: Some("draw"), ..bare };
        let hashes = [bare, given, asked].map(|comparison| hash_ground_truth(&comparison));
        assert!(hashes[0] != hashes[1] && hashes[1] != hashes[2] && hashes[0] != hashes[2]);
    }

    #[test]
    fn what_a_query_asks_and_what_shows_its_pictures_are_parts_too() {
        let [teal, again, red] = ["teal", "teal", "red"].map(|name| {
            let query = Query { background: Some(name.to_owned()), ..Query::default() };
            hash_ground_truth(&Comparison { query: Some(&query), ..Comparison::default() })
        });
        assert_eq!(teal, again);
        assert_ne!(teal, red);
        assert_ne!(teal, hash_ground_truth(&Comparison::default()));
        let half = Rect { width: 0.5, ..ShownPicture::ALL };
        let [whole, other, part] =
            [("1:1", ShownPicture::ALL), ("1:2", ShownPicture::ALL), ("1:1", half)].map(
                |(node, part)| [ShownPicture { node: node.into(), name: "moon".to_owned(), part }],
            );
        let shown: [Option<&[ShownPicture]>; 5] =
            [None, Some(&[]), Some(&whole), Some(&other), Some(&part)];
        let hashes = shown.map(|shown| hash_side(&Side { shown, ..Side::default() }));
        for (at, hash) in hashes.iter().enumerate() {
            assert_eq!(hashes.iter().position(|other| other == hash), Some(at));
        }
    }

    #[test]
    fn a_query_is_hashed_as_a_text_that_stays_the_same() {
        let moon = WantedVisual {
            name: "moon".to_owned(),
            size: Some(WantedSize::Points(12.5)),
            position: None,
        };
        let query = Query {
            design: Some(DesignType::BookCover),
            background: Some("teal".to_owned()),
            visuals: vec![moon],
            ..Query::default()
        };
        // Workspaces hold scores under its hash: another text is a new key for all of them.
        let text = r#"{"design":"book_cover","background":"teal","texts":[],"visuals":[{"name":"moon","size":{"points":12.5},"position":null}],"images":[]}"#;
        assert_eq!(serde_json::to_string(&query).unwrap(), text);
    }

    #[test]
    fn a_design_is_known_by_its_nodes() {
        let [a, again, b] = ["a", "a", "b"].map(|name| {
            let node = serde_json::json!({"id": "1:1", "name": name, "type": "FRAME"});
            let design = figma::from_json(node).unwrap().document;
            hash_side(&Side { design: Some(&design), ..Side::default() })
        });
        assert_eq!(a, again);
        assert_ne!(a, b);
    }
}
