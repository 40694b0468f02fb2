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
