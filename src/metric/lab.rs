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
}
