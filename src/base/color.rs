//! Colour as the design document has it: four floats, sRGB, not premultiplied.

use serde::{Deserialize, Serialize};

/// An sRGB colour with alpha, each channel in 0..=1, not premultiplied.
///
/// The same shape as Figma's `RGBA`. [`Rgba::new`] clamps, so a value of this type is always in
/// range and finite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rgba {
    /// Red, 0..=1.
    pub r: f64,
    /// Green, 0..=1.
    pub g: f64,
    /// Blue, 0..=1.
    pub b: f64,
    /// Alpha, 0 transparent ..= 1 opaque.
    pub a: f64,
}

impl Rgba {
    /// Opaque black.
    pub const BLACK: Self = Self { r: 0.0, g: 0.0, b: 0.0, a: 1.0 };
    /// Opaque white.
    pub const WHITE: Self = Self { r: 1.0, g: 1.0, b: 1.0, a: 1.0 };
    /// Fully transparent black.
    pub const TRANSPARENT: Self = Self { r: 0.0, g: 0.0, b: 0.0, a: 0.0 };
    /// The fill Figma gives a new shape: `#D9D9D9`.
    pub const DEFAULT_SHAPE: Self =
        Self { r: 217.0 / 255.0, g: 217.0 / 255.0, b: 217.0 / 255.0, a: 1.0 };

    /// A colour with every channel clamped into 0..=1; NaN becomes 0.
    pub fn new(r: f64, g: f64, b: f64, a: f64) -> Self {
        // `f64::clamp` lets NaN through.
        let [r, g, b, a] =
            [r, g, b, a].map(|v: f64| if v.is_nan() { 0.0 } else { v.clamp(0.0, 1.0) });
        Self { r, g, b, a }
    }

    /// From 8-bit channels.
    pub fn from_u8(channels: [u8; 4]) -> Self {
        let [r, g, b, a] = channels.map(|channel| f64::from(channel) / 255.0);
        Self { r, g, b, a }
    }

    /// To 8-bit channels, rounding to nearest.
    pub fn to_u8(self) -> [u8; 4] {
        // Rounded, not cut: 8 bits there and back are the same 8 bits.
        [self.r, self.g, self.b, self.a].map(|v| (v * 255.0).round().clamp(0.0, 255.0) as u8)
    }

    /// What lies between this colour and another, channel by channel: 0 this one, 1 the other.
    #[must_use]
    pub fn mixed(self, to: Self, share: f64) -> Self {
        let [r, g, b, a] = [(self.r, to.r), (self.g, to.g), (self.b, to.b), (self.a, to.a)]
            .map(|(from, to)| from + (to - from) * share);
        Self::new(r, g, b, a)
    }

    /// The same colour with another alpha (clamped).
    #[must_use]
    pub fn with_alpha(self, a: f64) -> Self {
        Self::new(self.r, self.g, self.b, a)
    }

    /// `#RRGGBB`, or `#RRGGBBAA` when not opaque.
    pub fn to_hex(self) -> String {
        let [r, g, b, a] = self.to_u8();
        if a == 255 {
            format!("#{r:02X}{g:02X}{b:02X}")
        } else {
            format!("#{r:02X}{g:02X}{b:02X}{a:02X}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_shows_alpha_only_when_it_matters() {
        assert_eq!(Rgba::from_u8([255, 0, 16, 255]).to_hex(), "#FF0010");
        assert_eq!(Rgba::from_u8([255, 0, 16, 128]).to_hex(), "#FF001080");
    }

    #[test]
    fn out_of_range_and_nan_channels_are_clamped() {
        assert_eq!(Rgba::new(2.0, -1.0, f64::NAN, 0.5), Rgba { r: 1.0, g: 0.0, b: 0.0, a: 0.5 });
    }

    #[test]
    fn eight_bit_round_trips() {
        for v in 0..=255 {
            assert_eq!(Rgba::from_u8([v, 0, v, v]).to_u8(), [v, 0, v, v]);
        }
    }
}
