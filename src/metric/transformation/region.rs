//! A part of a picture.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::Pixels;

/// A part of a picture, in pixels from its top left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// Left edge.
    pub x: u32,
    /// Top edge.
    pub y: u32,
    /// Pixels across, at least 1.
    pub width: u32,
    /// Pixels down, at least 1.
    pub height: u32,
}

impl Region {
    /// All of a picture.
    pub fn whole(picture: &Pixels) -> Self {
        Self { x: 0, y: 0, width: picture.width(), height: picture.height() }
    }

    /// Whether it has area and lies inside a picture.
    pub fn is_inside(self, picture: &Pixels) -> bool {
        let fits = |start: u32, len: u32, side: u32| {
            len > 0 && start.checked_add(len).is_some_and(|end| end <= side)
        };
        fits(self.x, self.width, picture.width()) && fits(self.y, self.height, picture.height())
    }

    /// Whether a pixel is in it.
    pub fn contains(self, x: u32, y: u32) -> bool {
        x.checked_sub(self.x).is_some_and(|across| across < self.width)
            && y.checked_sub(self.y).is_some_and(|down| down < self.height)
    }

    /// Its pixels, by rows from the top; those outside the picture are left out.
    pub(super) fn pixels(self, picture: &Pixels) -> impl Iterator<Item = [u8; 4]> {
        let ends = (self.x.saturating_add(self.width), self.y.saturating_add(self.height));
        (self.y..ends.1.min(picture.height()))
            .flat_map(move |y| (self.x..ends.0).filter_map(move |x| picture.get(x, y)))
    }
}

impl std::fmt::Display for Region {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} × {} at ({}, {})", self.width, self.height, self.x, self.y)
    }
}
