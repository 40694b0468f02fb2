//! Figures of a region: of its colours (tint, saturation, hue, alpha) and of its luma (brightness,
//! contrast, sharpness, noise).

use crate::base::Pixels;
use crate::metric::picture::DifferenceFormula;
use crate::metric::plane::grey;

use super::{Region, Tint};

/// The mean of each channel, 0..=1: red, green, blue and alpha.
pub(super) fn channel_means(picture: &Pixels, region: Region) -> [f64; 4] {
    let mut sums = [0u64; 4];
    let mut count = 0u64;
    for pixel in region.pixels(picture) {
        for (sum, sample) in sums.iter_mut().zip(pixel) {
            *sum += u64::from(sample);
        }
        count += 1;
    }
    sums.map(|sum| sum as f64 / (255.0 * count as f64))
}

/// How much more a picture leans towards a colour than before.
pub(super) fn tint_rise(before: [f64; 4], after: [f64; 4], tint: Tint) -> f64 {
    let (channel, sign) = match tint {
        Tint::Red => (0, 1.0),
        Tint::Green => (1, 1.0),
        Tint::Blue => (2, 1.0),
        Tint::Cyan => (0, -1.0),
        Tint::Magenta => (1, -1.0),
        Tint::Yellow => (2, -1.0),
    };
    let rise: [f64; 3] = std::array::from_fn(|k| after[k] - before[k]);
    // Against the two others, so that a picture which only got lighter is not tinted.
    let others = (rise.iter().sum::<f64>() - rise[channel]) / 2.0;
    sign * (rise[channel] - others)
}

/// Largest less smallest channel, 0..=255.
fn chroma([r, g, b, _]: [u8; 4]) -> u8 {
    r.max(g).max(b) - r.min(g).min(b)
}

/// The mean chroma, 0..=1.
pub(super) fn mean_chroma(picture: &Pixels, region: Region) -> f64 {
    let sum: u64 = region.pixels(picture).map(|pixel| u64::from(chroma(pixel))).sum();
    sum as f64 / (255.0 * area(region))
}

/// The share of pixels with channels more than 8 levels apart.
pub(super) fn colored_share(picture: &Pixels, region: Region) -> f64 {
    let colored = region.pixels(picture).filter(|pixel| chroma(*pixel) > 8).count();
    colored as f64 / area(region)
}

fn area(region: Region) -> f64 {
    f64::from(region.width) * f64::from(region.height)
}

/// By how many degrees the hues were turned, −180..=180, each pixel counting by the lesser of its two
/// chromas; `None` if nothing is coloured in both pictures.
pub(super) fn hue_turn(before: &Pixels, after: &Pixels, region: Region) -> Option<f64> {
    let (mut x, mut y) = (0.0, 0.0);
    for (old, new) in region.pixels(before).zip(region.pixels(after)) {
        // Greys have no hue, and near-greys one that noise decides: they weigh as little as they
        // are coloured.
        let weight = f64::from(chroma(old).min(chroma(new)));
        if weight > 0.0 {
            let turn = (hue(new) - hue(old)).to_radians();
            x += weight * turn.cos();
            y += weight * turn.sin();
        }
    }
    // The mean of directions and not of degrees: −179° and 179° are 2° apart. Directions that
    // cancel out have no mean.
    (x.hypot(y) > 1e-6).then(|| y.atan2(x).to_degrees())
}

/// The hue of a coloured pixel in HSV, in degrees.
fn hue(pixel: [u8; 4]) -> f64 {
    let [r, g, b, _] = pixel.map(f64::from);
    let chroma = f64::from(chroma(pixel));
    let most = r.max(g).max(b);
    60.0 * if most == r {
        (g - b) / chroma
    } else if most == g {
        (b - r) / chroma + 2.0
    } else {
        (r - g) / chroma + 4.0
    }
}

/// The mean CIEDE2000 over a region of two pictures, without the pixels of `except`; `None` if none
/// are left.
pub(super) fn mean_difference(
    [before, after]: [&Pixels; 2],
    region: Region,
    except: Option<Region>,
) -> Option<f64> {
    let formula = DifferenceFormula::new();
    // Edits leave large areas alike, so the last pair is often the next one, too.
    let mut last = ([[0; 3]; 2], 0.0);
    let (mut sum, mut count) = (0.0, 0u64);
    for y in region.y..region.y + region.height {
        for x in region.x..region.x + region.width {
            if except.is_some_and(|except| except.contains(x, y)) {
                continue;
            }
            let pair = [before.get(x, y)?, after.get(x, y)?].map(|[r, g, b, _]| [r, g, b]);
            if pair != last.0 {
                last = (pair, formula.difference(pair));
            }
            sum += last.1;
            count += 1;
        }
    }
    (count > 0).then(|| sum / count as f64)
}

/// The luma of a region, 0..=1 each, rows from the top.
pub(super) struct Luma {
    width: usize,
    values: Vec<f64>,
}

impl Luma {
    /// Of a region inside a picture.
    pub(super) fn of(picture: &Pixels, region: Region) -> Self {
        let pixels = region.pixels(picture);
        let values = pixels.map(|[r, g, b, _]| f64::from(grey([r, g, b])) / 255.0).collect();
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
        // The difference of two Laplacians: edges and slopes cancel, noise does not.
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
