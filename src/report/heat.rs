//! The map of a metric as a picture: black where nothing differs, through red to pale yellow.

use crate::base::Pixels;
use crate::metric::ScalarMap;
use crate::workbench::views::HeatScale;

/// Colours from no difference to the greatest, evenly spaced. Lightness grows all the way, so the
/// picture reads without colour too.
const RAMP: [[u8; 3]; 6] =
    [[8, 8, 12], [58, 16, 84], [138, 30, 102], [212, 68, 70], [247, 146, 40], [252, 240, 164]];

/// The picture of a map: black where both sides are the same, brightest where they could not differ
/// more.
pub(super) fn heat(map: &ScalarMap, scale: HeatScale) -> Option<Pixels> {
    let rgba = map.values.iter().flat_map(|value| color(scale.difference(*value))).collect();
    Pixels::from_rgba(map.width, map.height, rgba).ok()
}

/// The colour of a difference within 0..=1; outside it counts as the nearer end.
fn color(difference: f32) -> [u8; 4] {
    // A difference that is no number survives the clamp, and a cast makes it black.
    let at = difference.clamp(0.0, 1.0) * (RAMP.len() - 1) as f32;
    let (from, part) = (at.floor(), at.fract());
    let [low, high] = [from, (from + 1.0).min((RAMP.len() - 1) as f32)].map(|at| RAMP[at as usize]);
    // Mixed in sRGB, as browsers mix the gradient of the legend: both show the same colours.
    let [red, green, blue] = [0, 1, 2].map(|channel| {
        let (low, high) = (f32::from(low[channel]), f32::from(high[channel]));
        (low + (high - low) * part).round() as u8
    });
    [red, green, blue, 255]
}

/// The ramp as a CSS gradient, for the legend.
pub(super) fn css_gradient() -> String {
    let stops = RAMP.map(|[r, g, b]| format!("rgb({r},{g},{b})"));
    format!("linear-gradient(90deg,{})", stops.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_the_ramp_stand_for_equal_and_unlike() {
        assert_eq!(color(0.0), [8, 8, 12, 255]);
        assert_eq!(color(1.0), [252, 240, 164, 255]);
        assert_eq!(color(2.0), color(1.0));
        assert_eq!(color(-0.1), color(0.0));
        assert_eq!(color(f32::NAN), color(f32::NAN), "no panic");
    }

    #[test]
    fn brightness_grows_with_the_difference() {
        let lumas = (0..=50).map(|at| {
            let [r, g, b, _] = color(at as f32 / 50.0).map(f64::from);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        });
        assert!(lumas.is_sorted());
    }
}
