//! The colours of difference: from black over violet and red to a pale yellow.
//!
//! Lightness rises all the way, so that more difference is brighter to every kind of eye.

use egui::Color32;

/// Stops of the ramp: position and colour, rising in position.
const STOPS: [(f32, [u8; 3]); 9] = [
    (0.00, [0, 0, 0]),
    (0.12, [22, 13, 51]),
    (0.27, [66, 16, 110]),
    (0.42, [122, 35, 128]),
    (0.57, [184, 54, 118]),
    (0.70, [231, 88, 95]),
    (0.82, [250, 140, 98]),
    (0.92, [253, 194, 140]),
    (1.00, [252, 250, 196]),
];

/// How many shades [`heat_ramp`] has.
const SHADES: usize = 256;

/// The colour of a difference of 0..=1; outside is clamped, NaN is no difference.
pub(crate) fn heat_color(difference: f32) -> Color32 {
    let at = if difference.is_nan() { 0.0 } else { difference.clamp(0.0, 1.0) };
    let mut low = STOPS[0];
    for high in STOPS {
        if at <= high.0 {
            // The first stop is its own neighbour: no division by zero at a difference of 0.
            let span = (high.0 - low.0).max(f32::EPSILON);
            return mix(low.1, high.1, (at - low.0) / span);
        }
        low = high;
    }
    mix(low.1, low.1, 0.0)
}

/// The ramp in 256 shades, for colouring many pixels.
pub(crate) fn heat_ramp() -> [Color32; SHADES] {
    std::array::from_fn(|shade| heat_color(shade as f32 / (SHADES - 1) as f32))
}

fn mix(low: [u8; 3], high: [u8; 3], t: f32) -> Color32 {
    let [r, g, b] = std::array::from_fn(|channel| {
        let (low, high) = (f32::from(low[channel]), f32::from(high[channel]));
        (low + (high - low) * t).round() as u8
    });
    Color32::from_rgb(r, g, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_difference_is_always_brighter() {
        let luma =
            |c: Color32| 299 * u32::from(c.r()) + 587 * u32::from(c.g()) + 114 * u32::from(c.b());
        let ramp = heat_ramp();
        assert!(ramp.windows(2).all(|pair| luma(pair[0]) <= luma(pair[1])));
        assert_eq!(ramp[0], Color32::BLACK);
    }

    #[test]
    fn what_is_out_of_range_takes_the_nearest_end() {
        assert_eq!(heat_color(-1.0), heat_color(0.0));
        assert_eq!(heat_color(f32::NAN), heat_color(0.0));
        assert_eq!(heat_color(7.0), heat_color(1.0));
    }
}
