//! Figures of the luma of a region: brightness, contrast, sharpness, noise.

use crate::base::Pixels;

use super::Region;
use crate::metric::grey::grey;

/// The luma of a region, 0..=1 each, rows from the top.
pub(super) struct Luma {
    width: usize,
    values: Vec<f64>,
}

impl Luma {
    /// Of a region inside a picture.
    pub(super) fn of(picture: &Pixels, region: Region) -> Self {
        let luma = |[r, g, b, _]: [u8; 4]| f64::from(grey([r, g, b])) / 255.0;
        let values = region.pixels(picture).map(luma).collect();
        Self { width: region.width as usize, values }
    }

    /// Brightness.
    pub(super) fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len() as f64
    }

    /// Contrast: the standard deviation.
    pub(super) fn deviation(&self) -> f64 {
        let mean = self.mean();
        let squares = self.values.iter().map(|value| (value - mean) * (value - mean));
        (squares.sum::<f64>() / self.values.len() as f64).sqrt()
    }

    /// Sharpness: the mean absolute Laplacian of the inner pixels; `None` without any.
    pub(super) fn sharpness(&self) -> Option<f64> {
        self.mean_response([0.0, 1.0, 0.0, 1.0, -4.0, 1.0, 0.0, 1.0, 0.0])
    }

    /// The standard deviation of the noise; `None` without inner pixels.
    ///
    /// Source: Immerkær, "Fast noise variance estimation", 1996.
    pub(super) fn noise(&self) -> Option<f64> {
        let response = self.mean_response([1.0, -2.0, 1.0, -2.0, 4.0, -2.0, 1.0, -2.0, 1.0])?;
        Some((std::f64::consts::PI / 2.0).sqrt() / 6.0 * response)
    }

    /// The mean absolute response of the inner pixels to a 3×3 filter.
    fn mean_response(&self, filter: [f64; 9]) -> Option<f64> {
        if self.width < 3 || self.values.len() < 3 * self.width {
            return None;
        }
        let rows: Vec<&[f64]> = self.values.chunks_exact(self.width).collect();
        let mut sum = 0.0;
        let mut count = 0usize;
        for rows in rows.windows(3) {
            for x in 1..self.width - 1 {
                let around = rows.iter().flat_map(|row| &row[x - 1..=x + 1]);
                sum += around.zip(&filter).map(|(value, weight)| value * weight).sum::<f64>().abs();
                count += 1;
            }
        }
        Some(sum / count as f64)
    }
}
