//! CIE L*a*b*, the space that colour differences are taken in.

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
        let inside = |channels: [f64; 3]| channels.iter().all(|c| (-0.001..=1.001).contains(c));
        let mut color = self;
        for _ in 0..40 {
            let linear = color.to_linear();
            if inside(linear) {
                break;
            }
            color = Self { a: color.a * 0.95, b: color.b * 0.95, ..color };
        }
        color.to_linear().map(|c| (encoded(c.clamp(0.0, 1.0)) * 255.0).round() as u8)
    }

    /// Linear sRGB; within 0..=1 if sRGB has the colour.
    fn to_linear(self) -> [f64; 3] {
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
    if cubed > 0.008_856 { cubed } else { (value - 16.0 / 116.0) / 7.787 }
}

/// The cube root, with the straight piece near black that CIE 15 gives it.
fn perceived(ratio: f64) -> f64 {
    if ratio > 0.008_856 { ratio.cbrt() } else { 7.787 * ratio + 16.0 / 116.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
