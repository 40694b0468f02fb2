//! From the picture to a draft: what is to be drawn, before anything is.

use crate::base::{CancelToken, Cancelled};

use super::boxes;
use super::draft::Piece;
use super::picture::{Picture, Rgb};
use super::segment::segment;

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
    let backdrop = segments.largest().map_or([255.0; 3], |region| region.colour);
    let found = boxes::visible(boxes::find_boxes(picture, &segments, cancel)?, backdrop);
    let pieces = found.into_iter().map(|b| b.piece).collect();
    Ok(Draft { backdrop, pieces })
}
