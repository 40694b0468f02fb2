//! Hue, saturation and lightness, as the adjustment of that name: hues turn on the hexagon of HSL,
//! saturation grows or shrinks about the lightness of HSL, and lightness mixes white or black in.
//!
//! More saturation divides that of HSL by what is left to 100, up to 1, so that at 100 everything
//! that has a hue is pure; less multiplies it. Grey has no hue, and stays.

use crate::base::Pixels;

use super::rows;

pub(super) fn apply(pixels: &Pixels, hue: i32, saturation: i32, light: i32) -> Pixels {
    rows::mapped(pixels, |rgb| {
        let rgb = saturated(turned(rgb.map(i32::from), hue), saturation);
        rgb.map(|v| lit(v, light).clamp(0, 255) as u8)
    })
}

/// The colour with its hue turned by so many degrees: largest and smallest channel are kept.
fn turned([r, g, b]: [i32; 3], degrees: i32) -> [i32; 3] {
    let (low, high) = (r.min(g).min(b), r.max(g).max(b));
    let chroma = high - low;
    if chroma == 0 {
        return [r, g, b];
    }
    // The hue in parts of which 60 · chroma make a sixth of the circle: whole numbers throughout.
    let sixth = 60 * chroma;
    let hue = if r == high {
        60 * (g - b)
    } else if g == high {
        2 * sixth + 60 * (b - r)
    } else {
        4 * sixth + 60 * (r - g)
    };
    let hue = (hue + degrees * chroma).rem_euclid(6 * sixth);
    let (sector, along) = (hue / sixth, hue % sixth);
    // `along` counts 60 to a level of grey; half of that rounds.
    let way = (along + 30) / 60;
    let (up, down) = (low + way, high - way);
    match sector {
        0 => [high, up, low],
        1 => [down, high, low],
        2 => [low, high, up],
        3 => [low, down, high],
        4 => [up, low, high],
        _ => [high, low, down],
    }
}

/// The colour with its saturation changed by so many percent, its lightness kept.
fn saturated([r, g, b]: [i32; 3], percent: i32) -> [i32; 3] {
    let (low, high) = (r.min(g).min(b), r.max(g).max(b));
    if percent == 0 || low == high {
        return [r, g, b];
    }
    // Twice the lightness of HSL, and the most chroma that it allows.
    let twice = low + high;
    let most = twice.min(510 - twice);
    let chroma = high - low;
    // The factor of the chroma as a fraction: 1 / max(saturation, 1 − percent), or 1 + percent.
    let (over, under) = if percent < 0 {
        (100 + percent, 100)
    } else if 100 * chroma >= (100 - percent) * most {
        (most, chroma)
    } else {
        (100, 100 - percent)
    };
    [r, g, b].map(|v| divided(twice * under + (2 * v - twice) * over, 2 * under))
}

/// The sample with so many percent of white, or black if negative.
fn lit(v: i32, percent: i32) -> i32 {
    if percent >= 0 {
        divided(100 * v + (255 - v) * percent, 100)
    } else {
        divided(v * (100 + percent), 100)
    }
}

/// The quotient, rounded half up.
fn divided(a: i32, b: i32) -> i32 {
    (2 * a + b).div_euclid(2 * b)
}
