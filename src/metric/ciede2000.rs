//! How different two colours look: CIEDE2000.
//!
//! Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula: implementation notes,
//! supplementary test data, and mathematical observations", 2005; all weights 1. A difference of
//! about 1 can just be seen, black and white differ by 100.

use super::Lab;

/// 25⁷, of the formula's own.
const TWENTY_FIVE_TO_THE_7TH: f64 = 6_103_515_625.0;

/// The difference of two colours, at least 0; 0 exactly for equal colours, and symmetric but for
/// rounding.
pub fn ciede2000(x: Lab, y: Lab) -> f64 {
    let mean_chroma = f64::midpoint(x.chroma(), y.chroma());
    let grey_shift = 0.5 * (1.0 - saturation(mean_chroma));
    let (x, y) = (Polar::of(x, grey_shift), Polar::of(y, grey_shift));
    let lightness = (y.l - x.l) / lightness_weight(f64::midpoint(x.l, y.l));
    let chroma_mean = f64::midpoint(x.chroma, y.chroma);
    let chroma = (y.chroma - x.chroma) / (1.0 + 0.045 * chroma_mean);
    let hue_mean = x.mean_hue(y);
    let hue_step = 2.0 * (x.chroma * y.chroma).sqrt() * (x.hue_to(y) / 2.0).to_radians().sin();
    let hue = hue_step / (1.0 + 0.015 * chroma_mean * hue_weight(hue_mean));
    let turn = blue_turn(hue_mean, chroma_mean);
    // What is left of rounding may be below 0 where both terms cancel.
    (lightness * lightness + chroma * chroma + hue * hue + turn * chroma * hue).max(0.0).sqrt()
}

/// A colour by lightness, chroma and hue, after the formula's correction of greys.
#[derive(Clone, Copy, Debug)]
struct Polar {
    l: f64,
    chroma: f64,
    /// Degrees, 0..360; 0 for grey.
    hue: f64,
}

impl Polar {
    fn of(color: Lab, grey_shift: f64) -> Self {
        let a = color.a * (1.0 + grey_shift);
        let hue = if a == 0.0 && color.b == 0.0 { 0.0 } else { color.b.atan2(a).to_degrees() };
        let hue = if hue < 0.0 { hue + 360.0 } else { hue };
        Self { l: color.l, chroma: a.hypot(color.b), hue }
    }

    fn is_grey_beside(self, other: Self) -> bool {
        self.chroma * other.chroma == 0.0
    }

    /// The shorter way from this hue to the other, in degrees; 0 if one of them is grey.
    fn hue_to(self, other: Self) -> f64 {
        let way = other.hue - self.hue;
        if self.is_grey_beside(other) {
            0.0
        } else if way > 180.0 {
            way - 360.0
        } else if way < -180.0 {
            way + 360.0
        } else {
            way
        }
    }

    /// The hue half-way on the shorter way; the only hue there is if one is grey.
    fn mean_hue(self, other: Self) -> f64 {
        let sum = self.hue + other.hue;
        if self.is_grey_beside(other) {
            sum
        } else if (self.hue - other.hue).abs() <= 180.0 {
            sum / 2.0
        } else if sum < 360.0 {
            f64::midpoint(sum, 360.0)
        } else {
            (sum - 360.0) / 2.0
        }
    }
}

fn saturation(chroma: f64) -> f64 {
    let power = chroma.powi(7);
    (power / (power + TWENTY_FIVE_TO_THE_7TH)).sqrt()
}

fn lightness_weight(mean: f64) -> f64 {
    let from_middle = (mean - 50.0) * (mean - 50.0);
    1.0 + 0.015 * from_middle / (20.0 + from_middle).sqrt()
}

fn hue_weight(mean: f64) -> f64 {
    let cos = |degrees: f64| degrees.to_radians().cos();
    1.0 - 0.17 * cos(mean - 30.0) + 0.24 * cos(2.0 * mean) + 0.32 * cos(3.0 * mean + 6.0)
        - 0.20 * cos(4.0 * mean - 63.0)
}

/// How chroma and hue interact, which they do among blues.
fn blue_turn(hue_mean: f64, chroma_mean: f64) -> f64 {
    let from_blue = (hue_mean - 275.0) / 25.0;
    let angle = 60.0 * (-from_blue * from_blue).exp();
    -2.0 * saturation(chroma_mean) * angle.to_radians().sin()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Table 1 of Sharma, Wu and Dalal: two colours and their difference to four decimals.
    const PAIRS: [([f64; 3], [f64; 3], f64); 34] = [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, 3.1571, -77.2803], [50.0, 0.0, -82.7485], 2.8615),
        ([50.0, 2.8361, -74.0200], [50.0, 0.0, -82.7485], 3.4412),
        ([50.0, -1.3802, -84.2814], [50.0, 0.0, -82.7485], 1.0000),
        ([50.0, -1.1848, -84.8006], [50.0, 0.0, -82.7485], 1.0000),
        ([50.0, -0.9009, -85.5211], [50.0, 0.0, -82.7485], 1.0000),
        ([50.0, 0.0, 0.0], [50.0, -1.0, 2.0], 2.3669),
        ([50.0, -1.0, 2.0], [50.0, 0.0, 0.0], 2.3669),
        ([50.0, 2.49, -0.001], [50.0, -2.49, 0.0009], 7.1792),
        ([50.0, 2.49, -0.001], [50.0, -2.49, 0.0010], 7.1792),
        ([50.0, 2.49, -0.001], [50.0, -2.49, 0.0011], 7.2195),
        ([50.0, 2.49, -0.001], [50.0, -2.49, 0.0012], 7.2195),
        ([50.0, -0.001, 2.49], [50.0, 0.0009, -2.49], 4.8045),
        ([50.0, -0.001, 2.49], [50.0, 0.0010, -2.49], 4.8045),
        ([50.0, -0.001, 2.49], [50.0, 0.0011, -2.49], 4.7461),
        ([50.0, 2.5, 0.0], [50.0, 0.0, -2.5], 4.3065),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
        ([50.0, 2.5, 0.0], [61.0, -5.0, 29.0], 22.8977),
        ([50.0, 2.5, 0.0], [56.0, -27.0, -3.0], 31.9030),
        ([50.0, 2.5, 0.0], [58.0, 24.0, 15.0], 19.4535),
        ([50.0, 2.5, 0.0], [50.0, 3.1736, 0.5854], 1.0000),
        ([50.0, 2.5, 0.0], [50.0, 3.2972, 0.0], 1.0000),
        ([50.0, 2.5, 0.0], [50.0, 1.8634, 0.5757], 1.0000),
        ([50.0, 2.5, 0.0], [50.0, 3.2592, 0.3350], 1.0000),
        ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
        ([63.0109, -31.0961, -5.8663], [62.8187, -29.7946, -4.0864], 1.2630),
        ([61.2901, 3.7196, -5.3901], [61.4292, 2.2480, -4.9620], 1.8731),
        ([35.0831, -44.1164, 3.7933], [35.0232, -40.0716, 1.5901], 1.8645),
        ([22.7233, 20.0904, -46.6940], [23.0331, 14.9730, -42.5619], 2.0373),
        ([36.4612, 47.8580, 18.3852], [36.2715, 50.5065, 21.2231], 1.4146),
        ([90.8027, -2.0831, 1.4410], [91.1528, -1.6435, 0.0447], 1.4441),
        ([90.9257, -0.5406, -0.9208], [88.6381, -0.8985, -0.7239], 1.5381),
        ([6.7747, -0.2908, -2.4247], [5.8714, -0.0985, -2.2286], 0.6377),
        ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
    ];

    fn lab([l, a, b]: [f64; 3]) -> Lab {
        Lab { l, a, b }
    }

    #[test]
    fn the_pairs_of_the_paper_differ_as_it_says() {
        for (x, y, expected) in PAIRS {
            let found = ciede2000(lab(x), lab(y));
            assert!((found - expected).abs() < 5e-5, "{x:?} {y:?}: {found}, expected {expected}");
        }
    }

    #[test]
    fn white_is_white_and_black_is_100_away() {
        let (white, black) = (Lab::from_srgb([1.0; 3]), Lab::from_srgb([0.0; 3]));
        assert!((white.l - 100.0).abs() < 1e-3 && white.a.abs() < 1e-2 && white.b.abs() < 1e-2);
        assert!((ciede2000(white, black) - 100.0).abs() < 1e-2);
    }

    proptest! {
        #[test]
        fn it_is_symmetric_and_nothing_differs_from_itself(
            x in prop::array::uniform3(0.0..=1.0f64),
            y in prop::array::uniform3(0.0..=1.0f64),
        ) {
            let (x, y) = (Lab::from_srgb(x), Lab::from_srgb(y));
            let there = ciede2000(x, y);
            prop_assert!(there >= 0.0 && there.is_finite());
            prop_assert!((there - ciede2000(y, x)).abs() < 1e-9);
            prop_assert_eq!(ciede2000(x, x), 0.0);
        }
    }
}
