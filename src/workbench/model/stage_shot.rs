//! What the stage shows, taken out of the window to be written to a file.

use std::sync::Arc;

use crate::base::{Palette, Rect};

use super::stage::StageView;
use super::values::{StagePicture, StagePixels};

/// The pictures of the stage, whole and without the window around them, from left to right.
#[derive(Clone, Debug)]
pub struct StageShot {
    /// In order.
    pub panes: Vec<ShotPane>,
    /// Pixels across of the picture that all others are drawn as wide as.
    pub width: u32,
    /// Pixels of the file for each of those, 1 ..= 4.
    pub scale: u8,
    /// What the file says of itself.
    pub about: String,
}

/// One of them, with what is drawn over it.
#[derive(Clone, Debug)]
pub struct ShotPane {
    /// What it shows.
    pub content: ShotContent,
    /// Areas that a difference leaves out, hatched; in widths of the picture.
    pub ignored: Vec<Rect>,
    /// Boxes around nodes, in paint order.
    pub boxes: Vec<ShotBox>,
}

/// A box around a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShotBox {
    /// Where, in widths of the picture.
    pub area: Rect,
    /// Its colour.
    pub color: [u8; 3],
    /// A little of the colour lies in it, too.
    pub is_filled: bool,
}

/// What a pane shows.
#[derive(Clone, Debug)]
pub enum ShotContent {
    /// A picture alone.
    Picture(Arc<StagePicture>),
    /// Two over one another.
    Overlaid {
        /// The run, and what it is compared with.
        pictures: [Arc<StagePicture>; 2],
        /// How: whichever is no way to lay two over one another shows the first.
        view: StageView,
        /// Where they part, how much of the second is seen, or what the difference is multiplied with.
        amount: f32,
        /// A swipe parts above from below.
        swipe_down: bool,
    },
    /// A map in colours.
    Heat {
        /// Its values as places on the colours, 0 ..= 1: a row of `width` after the other.
        places: Vec<f32>,
        /// Values a row.
        width: u32,
        /// Differences below this share of the largest are not drawn.
        threshold: f32,
        /// In which colours.
        palette: Palette,
        /// The picture that it lies over, and how opaque it is there; `None`: on black.
        over: Option<(StagePixels, f32)>,
    },
}

impl ShotContent {
    /// Whether it is a map on black, without a picture below it.
    pub fn is_on_black(&self) -> bool {
        matches!(self, Self::Heat { over: None, .. })
    }
}

impl From<ShotContent> for ShotPane {
    fn from(content: ShotContent) -> Self {
        Self { content, ignored: Vec::new(), boxes: Vec::new() }
    }
}
