//! CIE L*a*b*, the space that colour differences are taken in, and CIEDE2000, how different two
//! colours look.
//!
//! Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula: implementation notes,
//! supplementary test data, and mathematical observations", 2005; all weights 1. A difference of
//! about 1 can just be seen, black and white differ by 100.

/// A colour in CIE L*a*b*, of the 2° observer under D65.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lab {
    /// Lightness, 0 black ..= 100 white.
    pub l: f64,
    /// Green (negative) to red.
    pub a: f64,
    /// Blue (negative) to yellow.
    pub b: f64,
}

/// X, Y and Z of linear sRGB, Y of white being 1 (IEC 61966-2-1, to the digits scikit-image has).
const XYZ_FROM_RGB: [[f64; 3]; 3] = [
    [0.412_453, 0.357_580, 0.180_423],
    [0.212_671, 0.715_160, 0.072_169],
    [0.019_334, 0.119_193, 0.950_227],
];
/// The inverse of [`XYZ_FROM_RGB`].
const RGB_FROM_XYZ: [[f64; 3]; 3] = [
    [3.240_481_343_200, -1.537_151_516_271, -0.498_536_326_168],
    [-0.969_254_949_996, 1.875_990_001_489, 0.041_555_926_558],
    [0.055_646_639_135, -0.204_041_338_366, 1.057_311_069_645],
];
/// X, Y and Z of the white of D65.
const WHITE: [f64; 3] = [0.950_47, 1.0, 1.088_83];

impl Lab {
    /// From sRGB channels within 0..=1, with the matrix and white of scikit-image's `rgb2lab`.
    pub fn from_srgb(channels: [f64; 3]) -> Self {
        Self::from_linear(channels.map(linear))
    }

    /// The colour of 8-bit sRGB samples.
    pub fn from_srgb8(rgb: [u8; 3]) -> Self {
        Self::from_linear(rgb.map(linear8))
    }

    /// The 8-bit sRGB colour, or one near it where sRGB has none so colourful: less and less chroma
    /// is taken until it has.
    pub fn to_srgb8(self) -> [u8; 3] {
        let mut color = self;
        // 0.95⁴⁰ leaves an eighth of the chroma. Lightness and hue stay, as clamping channels would
        // change both.
        for _ in 0..40 {
            if color.to_linear().iter().all(|channel| (-0.001..=1.001).contains(channel)) {
                break;
            }
            color = Self { a: color.a * 0.95, b: color.b * 0.95, ..color };
        }
        color.to_linear().map(|c| (encoded(c.clamp(0.0, 1.0)) * 255.0).round() as u8)
    }

    /// Linear sRGB; within 0..=1 if sRGB has the colour.
    fn to_linear(self) -> [f64; 3] {
        // The inverse of `from_linear`, step for step.
        let y = (self.l + 16.0) / 116.0;
        let xyz = [y + self.a / 500.0, y, y - self.b / 200.0];
        let [x, y, z] = std::array::from_fn(|at| unperceived(xyz[at]) * WHITE[at]);
        std::array::from_fn(|row| {
            let [from_x, from_y, from_z] = RGB_FROM_XYZ[row];
            from_x * x + from_y * y + from_z * z
        })
    }

    /// From linear sRGB within 0..=1.
    pub(super) fn from_linear(rgb: [f64; 3]) -> Self {
        let [x, y, z] = std::array::from_fn(|row| {
            let [r, g, b] = XYZ_FROM_RGB[row];
            perceived((r * rgb[0] + g * rgb[1] + b * rgb[2]) / WHITE[row])
        });
        Self { l: 116.0 * y - 16.0, a: 500.0 * (x - y), b: 200.0 * (y - z) }
    }

    /// How colourful it is, at least 0.
    pub(super) fn chroma(self) -> f64 {
        self.a.hypot(self.b)
    }
}

/// The linear intensity of an 8-bit sRGB sample.
pub(super) fn linear8(sample: u8) -> f64 {
    linear(f64::from(sample) / 255.0)
}

/// The linear intensity of an sRGB channel within 0..=1 (IEC 61966-2-1).
fn linear(encoded: f64) -> f64 {
    if encoded > 0.040_45 { ((encoded + 0.055) / 1.055).powf(2.4) } else { encoded / 12.92 }
}

/// The sRGB channel of a linear intensity within 0..=1.
fn encoded(linear: f64) -> f64 {
    if linear > 0.003_130_8 { 1.055 * linear.powf(1.0 / 2.4) - 0.055 } else { 12.92 * linear }
}

/// The inverse of [`perceived`].
fn unperceived(value: f64) -> f64 {
    let cubed = value * value * value;
    // The threshold is applied to the cube, as in scikit-image's `lab2xyz`: it is of the ratio.
    if cubed > 0.008_856 { cubed } else { (value - 16.0 / 116.0) / 7.787 }
}

/// The cube root, with the straight piece near black that CIE 15 gives it.
fn perceived(ratio: f64) -> f64 {
    if ratio > 0.008_856 { ratio.cbrt() } else { 7.787 * ratio + 16.0 / 116.0 }
}

/// 25⁷, of the formula's own.
const TWENTY_FIVE_TO_THE_7TH: f64 = 6_103_515_625.0;

/// The difference of two colours, at least 0; 0 exactly for equal colours, and symmetric but for
/// rounding.
pub fn ciede2000(x: Lab, y: Lab) -> f64 {
    // Eq. 2 to 7: a* is stretched by the mean chroma of both colours before anything
    // else is taken from it, which makes room among the greys.
    let mean_chroma = f64::midpoint(x.chroma(), y.chroma());
    let grey_shift = 0.5 * (1.0 - saturation(mean_chroma));
    let (x, y) = (Polar::of(x, grey_shift), Polar::of(y, grey_shift));
    let lightness = (y.l - x.l) / lightness_weight(f64::midpoint(x.l, y.l));
    // From here on chroma is that of the stretched colours, not `Lab::chroma`.
    let chroma_mean = f64::midpoint(x.chroma, y.chroma);
    let chroma = (y.chroma - x.chroma) / (1.0 + 0.045 * chroma_mean);
    let hue_mean = x.mean_hue(y);
    // ΔH′ is a chord of the hue circle and not an angle, so that it adds up with the other two (eq.
    // 11).
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
        // Hues are on a circle: 350° and 10° are 20° apart (eq. 10). A grey has no hue to turn
        // from.
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
        // Eq. 14. Where one colour is grey its hue is stored as 0, so the sum is the other's hue.
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
    // √(C⁷ / (C⁷ + 25⁷)): near 0 for greys, near 1 beyond a chroma of about 40.
    let power = chroma.powi(7);
    (power / (power + TWENTY_FIVE_TO_THE_7TH)).sqrt()
}

fn lightness_weight(mean: f64) -> f64 {
    // S_L (eq. 18): the eye tells lightness apart best around 50.
    let from_middle = (mean - 50.0) * (mean - 50.0);
    1.0 + 0.015 * from_middle / (20.0 + from_middle).sqrt()
}

fn hue_weight(mean: f64) -> f64 {
    1.0 - 0.17 * (mean - 30.0).to_radians().cos()
        + 0.24 * (2.0 * mean).to_radians().cos()
        + 0.32 * (3.0 * mean + 6.0).to_radians().cos()
        - 0.20 * (4.0 * mean - 63.0).to_radians().cos()
}

/// How chroma and hue interact, which they do among blues.
fn blue_turn(hue_mean: f64, chroma_mean: f64) -> f64 {
    // R_T (eq. 16, 17 and 21): a bell of 25° around 275°, elsewhere nothing.
    let from_blue = (hue_mean - 275.0) / 25.0;
    let angle = 60.0 * (-from_blue * from_blue).exp();
    -2.0 * saturation(chroma_mean) * angle.to_radians().sin()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Computed by scikit-image's `rgb2lab`.
    #[test]
    fn known_colours_have_their_coordinates() {
        for (rgb, [l, a, b]) in [
            ([255, 0, 0], [53.240_588, 80.092_308, 67.202_751]),
            ([0, 0, 255], [32.295_673, 79.185_591, -107.857_300]),
            ([12, 200, 77], [70.815_745, -66.543_544, 48.873_178]),
        ] {
            let found = Lab::from_srgb8(rgb);
            let off = (found.l - l).abs().max((found.a - a).abs()).max((found.b - b).abs());
            assert!(off < 1e-5, "{rgb:?}: {found:?}");
        }
    }

    #[test]
    fn every_sixth_srgb_colour_comes_back() {
        for r in (0..=255).step_by(17) {
            for g in (0..=255).step_by(17) {
                for b in (0..=255).step_by(17) {
                    assert_eq!(Lab::from_srgb8([r, g, b]).to_srgb8(), [r, g, b]);
                }
            }
        }
    }

    #[test]
    fn a_colour_that_srgb_has_not_loses_chroma_and_keeps_its_lightness() {
        let wild = Lab { l: 60.0, a: 150.0, b: -90.0 };
        let found = Lab::from_srgb8(wild.to_srgb8());
        assert!((found.l - 60.0).abs() < 1.5 && found.chroma() < wild.chroma(), "{found:?}");
    }

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
