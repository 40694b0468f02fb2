//! Light that spreads from bright parts, as the distortion filter "diffuse glow".
//!
//! The blurred luma says how much white is added: at the brightest all of it at glow 20. What is
//! darker than the clear amount stays clear. Grain is see-through white noise on top, of up to 3 %
//! of white for each step of graininess.

use crate::base::Pixels;

use super::blur::blurred;
use super::noise;
use super::rows;

/// How far light spreads: the standard deviation of the blur, in pixels.
const SPREAD: i32 = 6;
/// The luma, of 255, that a clear amount of 20 keeps clear.
const CLEAREST: f32 = 230.0;

pub(super) fn apply(pixels: &Pixels, graininess: i32, glow: i32, clear: i32) -> Pixels {
    if graininess == 0 && glow == 0 {
        return pixels.clone();
    }
    let width = pixels.width() as usize;
    let source = rows::of(pixels);
    let lumas: Vec<[u8; 1]> = source.iter().map(|pixel| luma(*pixel)).collect();
    let light = blurred(lumas, width, SPREAD);
    let kept_clear = clear as f32 / 20.0 * CLEAREST;
    let (glow, grain) = (glow as f32 / 20.0, graininess as f32 * 0.03);
    rows::recolored(pixels, |x, y| {
        let [light] = light[y * width + x];
        let above = (f32::from(light) - kept_clear).max(0.0) / (255.0 - kept_clear);
        let speck = noise::signed(x as i32, y as i32, 41) * grain;
        // A dark speck takes from the glow, and never from the picture itself.
        let white = (above * glow + speck).clamp(0.0, 1.0);
        let [r, g, b, _] = source[y * width + x].map(f32::from);
        [r, g, b].map(|v| rows::sample(v + (255.0 - v) * white))
    })
}

/// The luma of a pixel; transparent ones give no light.
fn luma([r, g, b, a]: [u8; 4]) -> [u8; 1] {
    [((rows::luma([r, g, b]) >> 8) * u32::from(a) / 255) as u8]
}
