//! From the picture to a draft: what is to be drawn, before anything is.

use crate::base::{CancelToken, Cancelled};

use super::area::Area;
use super::draft::Piece;
use super::picture::{Picture, Rgb};
use super::segment::segment;
use super::text::lines;
use super::{boxes, draw, ink, residual};

/// What the agent means to draw.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    /// The colour of the main frame.
    pub(super) backdrop: Rgb,
    /// What lies on it, in paint order.
    pub(super) pieces: Vec<Piece>,
}

/// Finds what is in the picture.
pub(super) fn see(picture: &Picture, cancel: &CancelToken) -> Result<Draft, Cancelled> {
    let segments = segment(picture, cancel)?;
    let largest = segments.largest();
    // The largest region becomes the main frame itself and costs no node.
    let backdrop = largest.map_or([255.0; 3], |region| region.colour);
    let found = boxes::visible(boxes::find_boxes(picture, &segments, cancel)?, backdrop);
    let explained = found.iter().map(|b| b.label).chain(largest.map(|r| r.label)).collect();
    // Lower ones are lines and underlines, which text may cross.
    let walls: Vec<Area> = found.iter().map(|b| b.core).filter(|c| c.height() > 12).collect();
    let mut pieces: Vec<Piece> = found.into_iter().map(|b| b.piece).collect();
    // What is still missing is seen best beside what is there already.
    let below = draw::draw_all(backdrop, &pieces, picture.area());
    let marks = residual::find_marks(picture, &below, &segments, &explained);
    let lines = lines::group(&marks, &walls);
    pieces.extend(ink::draw_lines(picture, &below, &marks, &lines, cancel)?);
    Ok(Draft { backdrop, pieces })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::Value;

    use super::*;
    use crate::agent::tracer::draft::Shape;
    use crate::base::Pixels;

    fn texts(node: &Value, out: &mut Vec<String>) {
        if node["type"] == "TEXT" {
            out.push(node["characters"].as_str().unwrap_or_default().to_owned());
        }
        for child in node["children"].as_array().into_iter().flatten() {
            texts(child, out);
        }
    }

    /// Texts of a shipped screen that are read as they are written, and how many there are.
    fn read_right(name: &str) -> (usize, usize) {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sample_runs/replication");
        let image = image::open(dir.join(format!("{name}.png"))).unwrap().to_rgba8();
        let pixels = Pixels::from_rgba(image.width(), image.height(), image.into_raw()).unwrap();
        let file = std::fs::read(dir.join(format!("{name}.json"))).unwrap();
        let document: Value = serde_json::from_slice(&file).unwrap();
        let mut written = Vec::new();
        texts(&document["document"], &mut written);
        let draft = see(&Picture::of(&pixels), &CancelToken::default()).unwrap();
        let read = draft.pieces.iter().filter_map(|piece| match &piece.shape {
            Shape::Text(run) => Some(run.content.as_str()),
            _ => None,
        });
        let read: Vec<&str> = read.collect();
        let right = written.iter().filter(|text| read.contains(&text.as_str())).count();
        (right, written.len())
    }

    #[test]
    fn most_texts_of_a_screen_are_read_as_they_are_written() {
        for (name, least) in [("basket", 20), ("sign-in", 11)] {
            let (right, all) = read_right(name);
            assert!(right >= least, "{name}: {right} of {all}");
        }
    }
}
