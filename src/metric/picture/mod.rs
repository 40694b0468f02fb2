//! Metrics of two pictures that look at each pixel for itself.
//!
//! All compare 8-bit RGB without alpha at the smaller width and height, like
//! [`ssim`](super::ssim); see [`compared_planes`]. Start with [`SquaredError`]. [`PixelMatch`] is no metric: it says
//! which pixels differ to the eye, by what somebody lets pass.

mod color_difference;
mod pixel_match;
mod squared_error;

pub use color_difference::ColorDifference;
pub(super) use color_difference::DifferenceFormula;
pub use pixel_match::{PixelBox, PixelDifference, PixelMatch, PixelMatchError};
pub use squared_error::SquaredError;

use std::sync::Arc;

use crate::base::CancelToken;

use super::plane::Plane;
use super::resize::compared_planes;
use super::{Comparison, Evidence, MissingScore, ScalarMap};

/// Red, green and blue of both pictures, ground truth first, all of one size.
struct ComparedPictures {
    planes: [[Plane; 3]; 2],
}

impl ComparedPictures {
    fn of(comparison: &Comparison<'_>, cancel: &CancelToken) -> Result<Self, MissingScore> {
        let (truth, generated) = comparison.pictures_at_size(cancel)?;
        Ok(Self { planes: compared_planes(&truth, generated, cancel)? })
    }

    fn width(&self) -> usize {
        self.planes[0][0].width()
    }

    fn height(&self) -> usize {
        self.planes[0][0].height()
    }

    fn pixel_count(&self) -> usize {
        self.width() * self.height()
    }

    /// A row of each plane.
    fn rows(&self, y: usize) -> [[&[u8]; 3]; 2] {
        self.planes.each_ref().map(|planes| planes.each_ref().map(|plane| plane.row(y)))
    }

    /// A map of the compared size.
    fn map(&self, values: Arc<[f32]>) -> Evidence {
        let (width, height) = (self.width() as u32, self.height() as u32);
        Evidence::Map(ScalarMap { width, height, values })
    }
}
