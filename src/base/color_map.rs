//! Colour maps: what a number between 0 and 1 looks like.

use serde::{Deserialize, Serialize};

/// A map from a number to a colour. All rise in lightness, evenly to the eye, so that they say the same to
/// every kind of colour vision and in print; the first three are matplotlib's (S. van der Walt and N. Smith
/// 2015; *Cividis*: Nuñez, Anderton and Renslow 2018).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColorMap {
    /// From black over violet and red to a pale yellow.
    #[default]
    Magma,
    /// From violet over green to yellow.
    Viridis,
    /// From blue over grey to yellow: made to look alike with and without red-green blindness.
    Cividis,
    /// From black to white.
    Grey,
}

impl ColorMap {
    /// Shades that [`Self::ramp`] has.
    pub const SHADES: usize = 256;
    /// All, in the order they are offered.
    pub const ALL: [Self; 4] = [Self::Magma, Self::Viridis, Self::Cividis, Self::Grey];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Magma => "Magma",
            Self::Viridis => "Viridis",
            Self::Cividis => "Cividis",
            Self::Grey => "Grey",
        }
    }

    /// The one after this in [`Self::ALL`]; after the last the first.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Magma => Self::Viridis,
            Self::Viridis => Self::Cividis,
            Self::Cividis => Self::Grey,
            Self::Grey => Self::Magma,
        }
    }

    /// Its colours in sRGB, from that of 0 to that of 1.
    pub fn ramp(self) -> [[u8; 3]; Self::SHADES] {
        let gradient = match self {
            Self::Magma => colorous::MAGMA,
            Self::Viridis => colorous::VIRIDIS,
            Self::Cividis => colorous::CIVIDIS,
            Self::Grey => return std::array::from_fn(|shade| [shade as u8; 3]),
        };
        std::array::from_fn(|shade| gradient.eval_rational(shade, Self::SHADES).as_array())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CIE lightness of an sRGB colour, 0 ..= 100.
    fn lightness(color: [u8; 3]) -> f64 {
        let [r, g, b] = color.map(|channel| {
            let encoded = f64::from(channel) / 255.0;
            if encoded <= 0.040_45 {
                encoded / 12.92
            } else {
                ((encoded + 0.055) / 1.055).powf(2.4)
            }
        });
        let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
        if y <= 216.0 / 24_389.0 { y * 24_389.0 / 27.0 } else { 116.0 * y.cbrt() - 16.0 }
    }

    #[test]
    fn lightness_rises_evenly() {
        for map in ColorMap::ALL {
            let ramp = map.ramp().map(lightness);
            let span = ramp[255] - ramp[0];
            assert!(span > 60.0, "{map:?} spans {span}");
            for (at, light) in ramp.into_iter().enumerate() {
                // A straight line, but for what 8 bits and the published tables leave.
                let straight = ramp[0] + span * at as f64 / 255.0;
                assert!((light - straight).abs() < 7.0, "{map:?} at {at}: {light} for {straight}");
            }
            let mut rising = ramp.windows(9).map(|shades| shades[8] - shades[0]);
            assert!(rising.all(|more| more > 0.0), "{map:?}");
        }
    }
}
