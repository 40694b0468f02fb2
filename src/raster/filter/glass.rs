//! Seen through glass, as the distortion filter of that name with its frosted pattern.
//!
//! Each pixel is taken from where a smooth random pattern bends the view to. A soft pattern has
//! larger waves: its lattice is 2 pixels wide at smoothness 1 and one pixel wider with each step,
//! at a scaling of 100 percent.

use crate::base::Pixels;

use super::noise::SmoothNoise;
use super::rows;
use super::sampling::Sampler;

pub(super) fn apply(pixels: &Pixels, distortion: i32, smoothness: i32, scaling: i32) -> Pixels {
    if distortion == 0 {
        return pixels.clone();
    }
    let reach = distortion as f32;
    let wave = (1 + smoothness) as f32 * scaling as f32 / 100.0;
    let size = [pixels.width() as usize, pixels.height() as usize];
    // Two patterns: one for both would push everything along the diagonal.
    let across = SmoothNoise::new(size, [wave; 2], 11);
    let down = SmoothNoise::new(size, [wave; 2], 12);
    let sampler = Sampler::new(pixels);
    rows::recolored(pixels, |x, y| {
        let (dx, dy) = (across.at(x, y).value, down.at(x, y).value);
        sampler.displaced(x, y, dx * reach, dy * reach)
    })
}
