//! Colours by hue, saturation and value or lightness, and as people write them.

use crate::base::Rgba;

/// Hue in 0..=360, saturation and value in 0..=1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Hsv {
    pub(super) hue: f64,
    pub(super) saturation: f64,
    pub(super) value: f64,
}

impl Hsv {
    /// Those of a colour; grey has no hue and black no saturation, and then keeps those of `before`.
    pub(super) fn of(color: Rgba, before: Self) -> Self {
        let most = color.r.max(color.g).max(color.b);
        let range = most - color.r.min(color.g).min(color.b);
        let saturation = if most > 0.0 { range / most } else { before.saturation };
        Self { hue: hue(color).unwrap_or(before.hue), saturation, value: most }
    }

    /// The colour.
    pub(super) fn color(self, alpha: f64) -> Rgba {
        // Source: the usual hexcone, in the form of one function a channel.
        let channel = |n: f64| {
            let k = (n + self.hue / 60.0).rem_euclid(6.0);
            self.value * (1.0 - self.saturation * k.min(4.0 - k).clamp(0.0, 1.0))
        };
        Rgba::new(channel(5.0), channel(3.0), channel(1.0), alpha)
    }
}

/// Hue in 0..=360, saturation and lightness in 0..=1.
pub(super) fn hsl_of(color: Rgba, before: Hsv) -> [f64; 3] {
    let Hsv { hue, saturation, value } = Hsv::of(color, before);
    let lightness = value * (1.0 - saturation / 2.0);
    let room = lightness.min(1.0 - lightness);
    [hue, if room > 0.0 { (value - lightness) / room } else { 0.0 }, lightness]
}

/// The other way round.
pub(super) fn hsv_of_hsl([hue, saturation, lightness]: [f64; 3]) -> Hsv {
    let value = lightness + saturation * lightness.min(1.0 - lightness);
    let of_value = if value > 0.0 { 2.0 * (1.0 - lightness / value) } else { 0.0 };
    Hsv { hue, saturation: of_value, value }
}

/// `None` of a grey.
fn hue(color: Rgba) -> Option<f64> {
    let Rgba { r, g, b, .. } = color;
    let most = r.max(g).max(b);
    let range = most - r.min(g).min(b);
    if range <= 0.0 {
        return None;
    }
    let sixth = if most == r {
        (g - b) / range
    } else if most == g {
        (b - r) / range + 2.0
    } else {
        (r - g) / range + 4.0
    };
    Some((sixth * 60.0).rem_euclid(360.0))
}

/// A colour as people write it: 3, 4, 6 or 8 digits, with or without `#`; without alpha it has `alpha`.
pub(super) fn parse_hex(text: &str, alpha: f64) -> Option<Rgba> {
    let digits = text.trim().trim_start_matches('#');
    let digits: Vec<u32> =
        digits.chars().map(|digit| digit.to_digit(16)).collect::<Option<Vec<u32>>>()?;
    let channels: Vec<u32> = match digits.len() {
        3 | 4 => digits.iter().map(|digit| digit * 17).collect(),
        6 | 8 => {
            digits.chunks(2).map(|pair| pair.iter().fold(0, |sum, it| sum * 16 + it)).collect()
        }
        _ => return None,
    };
    let mut channels = channels.into_iter().map(|channel| f64::from(channel) / 255.0);
    let (r, g, b) = (channels.next()?, channels.next()?, channels.next()?);
    Some(Rgba::new(r, g, b, channels.next().unwrap_or(alpha)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn colors_are_read_however_they_are_written() {
        for (text, expected) in [
            ("#1B4DFF", Some([0x1b, 0x4d, 0xff, 128])),
            ("1b4dff", Some([0x1b, 0x4d, 0xff, 128])),
            ("#fff", Some([255, 255, 255, 128])),
            (" #0008 ", Some([0, 0, 0, 0x88])),
            ("11223344", Some([0x11, 0x22, 0x33, 0x44])),
            ("#12345", None),
            ("blue", None),
            ("", None),
        ] {
            let color = parse_hex(text, 128.0 / 255.0).map(Rgba::to_u8);
            assert_eq!(color, expected, "{text}");
        }
    }

    #[test]
    fn grey_keeps_the_hue_and_black_the_saturation() {
        let before = Hsv { hue: 210.0, saturation: 0.5, value: 0.5 };
        assert_eq!(Hsv::of(Rgba::WHITE, before), Hsv { hue: 210.0, saturation: 0.0, value: 1.0 });
        assert_eq!(Hsv::of(Rgba::BLACK, before), Hsv { value: 0.0, ..before });
    }

    proptest! {
        #[test]
        fn colors_go_there_and_back(channels: [u8; 4]) {
            let color = Rgba::from_u8(channels);
            let hsv = Hsv::of(color, Hsv::default());
            prop_assert_eq!(hsv.color(color.a).to_u8(), channels);
            let hsl = hsl_of(color, Hsv::default());
            prop_assert_eq!(hsv_of_hsl(hsl).color(color.a).to_u8(), channels);
        }
    }
}
