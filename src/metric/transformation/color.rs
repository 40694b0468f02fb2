//! Figures of the colours of a region: tint, saturation, hue, alpha.

use crate::base::Pixels;

use super::{Region, Tint};
use crate::metric::picture::DifferenceFormula;

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
        let weight = f64::from(chroma(old).min(chroma(new)));
        if weight > 0.0 {
            let turn = (hue(new) - hue(old)).to_radians();
            x += weight * turn.cos();
            y += weight * turn.sin();
        }
    }
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
    let rgb = |[r, g, b, _]: [u8; 4]| [r, g, b];
    let mut last = ([[0; 3]; 2], 0.0);
    let (mut sum, mut count) = (0.0, 0u64);
    for y in region.y..region.y + region.height {
        for x in region.x..region.x + region.width {
            if except.is_some_and(|except| except.contains(x, y)) {
                continue;
            }
            let pair = [before.get(x, y)?, after.get(x, y)?].map(rgb);
            if pair != last.0 {
                last = (pair, formula.difference(pair));
            }
            sum += last.1;
            count += 1;
        }
    }
    (count > 0).then(|| sum / count as f64)
}
