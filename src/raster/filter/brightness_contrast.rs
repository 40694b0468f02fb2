//! Brightness and contrast, as the adjustment of that name in its present, not its legacy form:
//! black stays black, white stays white, and nothing in between is cut off.
//!
//! Brightness bends the tone curve by a parabola, v + s·v·(1 − v), contrast by a cubic about the
//! middle grey, v + s·v·(1 − v)·(2v − 1), which at full contrast is the smoothstep 3v² − 2v³. Both
//! are monotone over their whole range. Contrast comes second.

use crate::base::Pixels;

use super::rows;

/// The full scale of a sample.
const WHITE: i64 = 255;

pub(super) fn apply(pixels: &Pixels, brightness: i32, contrast: i32) -> Pixels {
    let curve: [u8; 256] = std::array::from_fn(|v| toned(v as i64, brightness, contrast));
    rows::mapped(pixels, |rgb| rgb.map(|v| curve[usize::from(v)]))
}

/// One sample on the tone curve, in exact fractions of 255 up to one rounding for each of the two.
fn toned(v: i64, brightness: i32, contrast: i32) -> u8 {
    /// So many parts has a level of grey between the two curves.
    const FINE: i64 = 256;
    let full = WHITE * FINE;
    let v = v * FINE;
    let lighter = v + divided(v * (full - v) * i64::from(brightness), full * 150);
    // In 64 bits: the cube of the full scale is 2.8e14, and contrast a factor of 100 more.
    let bend = lighter * (full - lighter) * (2 * lighter - full);
    let harder = lighter + divided(bend * i64::from(contrast), full * full * 100);
    divided(harder, FINE).clamp(0, WHITE) as u8
}

/// The quotient, rounded half up.
fn divided(a: i64, b: i64) -> i64 {
    (2 * a + b).div_euclid(2 * b)
}
