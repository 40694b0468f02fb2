//! One axis of sizes, boxes, paddings and limits.

use crate::base::{Affine, Limits, Rect, Size};
use crate::design::auto_layout::{Direction, LayoutItem};
use crate::design::shape::Sides;

/// The least and the greatest an extent may be; the least wins where they contradict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    /// At least 0.
    pub(super) least: f64,
    /// At least `least`; infinite where there is no limit.
    pub(super) most: f64,
}

impl Bounds {
    pub(super) fn clamp(self, extent: f64) -> f64 {
        // In this order, as `f64::clamp` panics where the two contradict.
        extent.min(self.most).max(self.least)
    }
}

impl Direction {
    /// The other axis.
    #[must_use]
    pub fn across(self) -> Self {
        match self {
            Self::Horizontal => Self::Vertical,
            Self::Vertical => Self::Horizontal,
        }
    }

    pub(super) fn extent(self, size: Size) -> f64 {
        match self {
            Self::Horizontal => size.width,
            Self::Vertical => size.height,
        }
    }

    pub(super) fn with_extent(self, size: Size, extent: f64) -> Size {
        match self {
            Self::Horizontal => Size { width: extent, ..size },
            Self::Vertical => Size { height: extent, ..size },
        }
    }

    pub(super) fn start(self, rect: Rect) -> f64 {
        match self {
            Self::Horizontal => rect.x,
            Self::Vertical => rect.y,
        }
    }

    /// The sides at the start and at the end.
    pub(super) fn sides(self, sides: Sides) -> (f64, f64) {
        match self {
            Self::Horizontal => (sides.left, sides.right),
            Self::Vertical => (sides.top, sides.bottom),
        }
    }

    pub(super) fn bounds(self, item: &LayoutItem) -> Bounds {
        let (least, most) = match self {
            Self::Horizontal => (item.min_width, item.max_width),
            Self::Vertical => (item.min_height, item.max_height),
        };
        let least = least.unwrap_or(0.0).max(0.0);
        Bounds { least, most: most.unwrap_or(f64::INFINITY).max(least) }
    }

    /// The transform moved along the axis, no farther than a document reaches.
    pub(super) fn moved(self, transform: Affine, by: f64) -> Affine {
        // Only the one coordinate is touched, so that the other keeps its bits.
        let (least, most) = (-Limits::COORDINATE, Limits::COORDINATE);
        match self {
            Self::Horizontal => Affine { e: (transform.e + by).clamp(least, most), ..transform },
            Self::Vertical => Affine { f: (transform.f + by).clamp(least, most), ..transform },
        }
    }
}
