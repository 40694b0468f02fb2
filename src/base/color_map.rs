//! Colour maps: what a number between 0 and 1, or between −1 and 1, looks like.

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

/// The colours of a scale, which either begins where nothing differs or has that in its middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Palette {
    /// From nothing to the most.
    Sequential(ColorMap),
    /// From the most to one side, over nothing, to the most to the other: light blue, black, light orange. Both
    /// arms are equally light at the same distance from the middle and rise evenly, and blue and orange are
    /// two colours to every kind of colour vision.
    Diverging,
}

/// The colours of [`Palette::Diverging`], evenly spaced. In CIE LCh lightness goes from 6 in the middle to 86 at both
/// ends; hue from 285° to 232° at the blue side, from 45° to 78° at the orange one; chroma is 62 where sRGB has
/// that, and falls towards the middle and the ends.
const DIVERGING: [[u8; 3]; 17] = [
    [148, 226, 255],
    [33, 202, 255],
    [0, 173, 228],
    [0, 144, 198],
    [0, 116, 169],
    [0, 89, 139],
    [0, 64, 109],
    [0, 40, 79],
    [19, 19, 19],
    [72, 25, 0],
    [107, 41, 0],
    [140, 62, 0],
    [170, 87, 2],
    [194, 115, 32],
    [215, 146, 67],
    [232, 177, 111],
    [245, 210, 164],
];

impl Palette {
    /// Its colours in sRGB, from one end to the other.
    pub fn ramp(self) -> [[u8; 3]; ColorMap::SHADES] {
        match self {
            Self::Sequential(map) => map.ramp(),
            Self::Diverging => std::array::from_fn(|shade| {
                let parts = DIVERGING.len() - 1;
                let at = shade * parts;
                let (from, part) = (at / (ColorMap::SHADES - 1), at % (ColorMap::SHADES - 1));
                let share = part as f32 / (ColorMap::SHADES - 1) as f32;
                // Between two of them in sRGB: they lie so near that lightness stays even.
                let (low, high) = (DIVERGING[from], DIVERGING[(from + 1).min(parts)]);
                std::array::from_fn(|i| {
                    let (low, high) = (f32::from(low[i]), f32::from(high[i]));
                    (low + (high - low) * share).round() as u8
                })
            }),
        }
    }

    /// Where on the ramp nothing differs, 0 ..= 1.
    pub fn neutral(self) -> f32 {
        match self {
            Self::Sequential(_) => 0.0,
            Self::Diverging => 0.5,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::color_vision::seen_distances;

    #[test]
    fn both_arms_of_a_diverging_map_are_equally_light_and_rise_evenly() {
        let ramp = Palette::Diverging.ramp().map(lightness);
        assert!(ramp[127] < 8.0 && ramp[128] < 8.0, "nothing is dark: {}", ramp[127]);
        let span = ramp[255] - ramp[128];
        assert!(span > 60.0, "{span}");
        for distance in 0..128 {
            let (low, high) = (ramp[127 - distance], ramp[128 + distance]);
            assert!((low - high).abs() < 1.5, "{low} and {high}, {distance} from the middle");
            let straight = ramp[128] + span * distance as f64 / 127.0;
            assert!((high - straight).abs() < 2.0, "{high} for {straight}");
            let nearer = distance.saturating_sub(4);
            let rises = low > ramp[127 - nearer] && high > ramp[128 + nearer];
            assert!(rises || distance < 4, "at {distance}");
        }
    }

    #[test]
    fn both_sides_of_a_diverging_map_differ_for_every_kind_of_colour_vision() {
        let ramp = Palette::Diverging.ramp();
        for distance in 24..128 {
            let (low, high) = (ramp[127 - distance], ramp[128 + distance]);
            for apart in seen_distances(low, high) {
                assert!(apart > 70.0, "{apart} of {low:?} and {high:?}");
            }
        }
    }

    #[test]
    fn a_palette_has_nothing_at_its_neutral_shade() {
        for map in ColorMap::ALL {
            assert_eq!(Palette::Sequential(map).ramp(), map.ramp());
            assert_eq!(Palette::Sequential(map).neutral(), 0.0);
        }
        let (ramp, neutral) = (Palette::Diverging.ramp(), Palette::Diverging.neutral());
        assert_eq!((ramp[0], ramp[255]), (DIVERGING[0], DIVERGING[16]));
        let middle = ramp[(neutral * 255.0) as usize];
        assert!(middle.iter().all(|channel| *channel < 24), "{middle:?}");
    }

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
