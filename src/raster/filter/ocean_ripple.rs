//! Seen through moving water, as the distortion filter of that name: randomly placed ripples.
//!
//! The surface is smooth noise in two sizes, waves and the wavelets on them, and the view is bent
//! down its slope, as water does; so ripples have crests, where glass has none. Waves are 4 pixels
//! long at size 1 and 3 more with each step; they move what is below by half a pixel for each step
//! of magnitude where they are steep.

use crate::base::Pixels;

use super::noise;
use super::rows;
use super::sampling::Sampler;

pub(super) fn apply(pixels: &Pixels, size: i32, magnitude: i32) -> Pixels {
    if magnitude == 0 {
        return pixels.clone();
    }
    let reach = magnitude as f32 * 0.5;
    let wave = (1 + 3 * size) as f32;
    let sampler = Sampler::new(pixels);
    rows::recolored(pixels, |x, y| {
        let (dx, dy) = slope(x as f32 / wave, y as f32 / wave);
        sampler.displaced(x, y, dx * reach, dy * reach)
    })
}

/// The slope of the water's surface, about −1..1 in each direction.
fn slope(x: f32, y: f32) -> (f32, f32) {
    /// The distance over which the slope is taken, in wavelengths.
    const STEP: f32 = 0.25;
    let here = height(x, y);
    ((height(x + STEP, y) - here) / STEP * 0.5, (height(x, y + STEP) - here) / STEP * 0.5)
}

/// The height of the water: waves that are longer across than down, and wavelets.
fn height(x: f32, y: f32) -> f32 {
    noise::smooth(x * 0.7, y, 21) + 0.4 * noise::smooth(x * 1.6, y * 2.1, 22)
}
