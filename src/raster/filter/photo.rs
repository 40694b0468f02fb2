//! A coloured glass before the lens, as the photo filter of desktop editors with its brightness kept.
//!
//! The colour is multiplied with the tint, mixed with itself by the density, and then moved to its
//! luma of before; what that pushes out of range is drawn towards the grey of that luma (the
//! luminosity rule of the W3C's "Compositing and Blending Level 1", section 10.2).

use crate::base::Pixels;

use super::rows;
use super::tint::Tint;

pub(super) fn apply(pixels: &Pixels, tint: Tint, density: i32) -> Pixels {
    let density = density as f32 / 100.0;
    let glass = tint.0.map(|channel| 1.0 - density * (1.0 - f32::from(channel) / 255.0));
    rows::mapped(pixels, |rgb| filtered(rgb, glass))
}

/// The colour behind a glass that lets these shares of red, green and blue through.
fn filtered(rgb: [u8; 3], glass: [f32; 3]) -> [u8; 3] {
    // A glass without colour changes nothing, whatever rounding would.
    if glass == [1.0; 3] {
        return rgb;
    }
    let before = rgb.map(f32::from);
    let seen: [f32; 3] = std::array::from_fn(|channel| before[channel] * glass[channel]);
    let lost = luma(before) - luma(seen);
    in_range(seen.map(|v| v + lost), luma(before)).map(rows::sample)
}

/// Luma by the weights of the W3C's rule.
fn luma([r, g, b]: [f32; 3]) -> f32 {
    0.3 * r + 0.59 * g + 0.11 * b
}

/// The colour drawn towards its grey until every channel is within 0..=255.
fn in_range(rgb: [f32; 3], grey: f32) -> [f32; 3] {
    let low = rgb[0].min(rgb[1]).min(rgb[2]);
    let high = rgb[0].max(rgb[1]).max(rgb[2]);
    // Both ends may be out of range; the nearer to grey then counts for all channels, so that
    // the hue stays.
    let mut share = 1.0f32;
    if low < 0.0 && grey > low {
        share = share.min(grey / (grey - low));
    }
    if high > 255.0 && high > grey {
        share = share.min((255.0 - grey) / (high - grey));
    }
    rgb.map(|v| grey + (v - grey) * share)
}
