//! Seen through moving water, as the distortion filter of that name: randomly placed ripples.
//!
//! The surface is smooth noise in two sizes, waves and the wavelets on them, and the view is bent
//! down its slope, as water does; so ripples have crests, where glass has none. Waves are 4 pixels
//! long at size 1 and 3 more with each step; they move what is below by half a pixel for each step
//! of magnitude where they are steep.

use crate::base::Pixels;

use super::noise::SmoothNoise;
use super::rows;
use super::sampling::Sampler;

pub(super) fn apply(pixels: &Pixels, size: i32, magnitude: i32) -> Pixels {
    if magnitude == 0 {
        return pixels.clone();
    }
    let reach = magnitude as f32 * 0.25;
    let wave = (1 + 3 * size) as f32;
    let size = [pixels.width() as usize, pixels.height() as usize];
    // Waves are longer across than down.
    let waves = SmoothNoise::new(size, [wave * 1.4, wave], 21);
    let wavelets = SmoothNoise::new(size, [wave * 0.6, wave * 0.5], 22);
    let sampler = Sampler::new(pixels);
    rows::recolored(pixels, |x, y| {
        let (wave, wavelet) = (waves.at(x, y), wavelets.at(x, y));
        let dx = 0.7 * wave.across + 0.6 * wavelet.across;
        let dy = wave.down + 0.8 * wavelet.down;
        sampler.displaced(x, y, dx * reach, dy * reach)
    })
}
