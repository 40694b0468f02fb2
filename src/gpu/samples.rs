//! What is uploaded to the graphics card.

use crate::base::Pixels;
use crate::raster::overlay::{DifferencePlane, Plane};

/// Samples of a picture, premultiplied. Shared by an `Arc`, which is also what they are known by.
#[derive(Debug)]
pub enum Samples {
    /// An opaque picture as it is.
    Opaque(Pixels),
    /// Made of one: smaller, or premultiplied.
    Made {
        /// RGBA, rows from the top.
        rgba: Vec<[u8; 4]>,
        /// Pixels a row.
        width: u32,
    },
}

/// Differences of a map, 0 the same ..= 1; shared as [`Samples`] are.
#[derive(Debug)]
pub struct DifferenceSamples {
    /// Rows from the top.
    pub values: Vec<f32>,
    /// Values a row.
    pub width: u32,
}

impl Samples {
    /// The samples to be read from.
    pub fn plane(&self) -> Plane<'_> {
        match self {
            Self::Opaque(pixels) => Plane {
                rgba: pixels.rgba().as_chunks().0,
                width: pixels.width(),
                height: pixels.height(),
            },
            Self::Made { rgba, width } => {
                Plane { rgba, width: *width, height: rows(rgba.len(), *width) }
            }
        }
    }
}

impl DifferenceSamples {
    /// The samples to be read from.
    pub fn plane(&self) -> DifferencePlane<'_> {
        let height = rows(self.values.len(), self.width);
        DifferencePlane { values: &self.values, width: self.width, height }
    }
}

fn rows(samples: usize, width: u32) -> u32 {
    (samples / (width as usize).max(1)) as u32
}
