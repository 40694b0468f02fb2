//! Colours by the names people give them.
//!
//! A name is a reference colour ([`color_words`](super::color_words)), adjectives that move it in CIE
//! L*a*b*, and words that say nothing of colour. A colour answers to the name if it is no further
//! from there than [`ColorName::reach`] in CIEDE2000: [`CHROMATIC`] for colours that have a hue,
//! [`NEUTRAL`] for greys, [`EXTREME`] for white and black, a little more with an adjective, as people agree less on
//! those. Names of several colours, scenes and materials have no one colour, and say so.
//!
//! The reach is wide on purpose: it tells a red from an orange, and not one red from another.

use std::fmt;

use crate::metric::{Lab, ciede2000};

use super::color_words::{JOINTS, MANY, NAMED, SHADES, SILENT, Shade, same_word};

/// How far a colour with a hue may be from what its name stands for, in CIEDE2000.
pub const CHROMATIC: f64 = 18.0;
/// How far a grey may be.
pub const NEUTRAL: f64 = 14.0;
/// How far white and black may be, and what is nearly so: the next greys are other names.
pub const EXTREME: f64 = 8.0;
/// Least chroma of a colour that has a hue.
const LEAST_CHROMA: f64 = 12.0;

/// What a colour's name stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColorName {
    /// The middle of what it means.
    pub middle: Lab,
    /// How far from there a colour still answers to it, in CIEDE2000.
    pub reach: f64,
}

/// Why a name stands for no one colour.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoColor {
    /// It names several colours, or a change from one to another.
    #[error("{0:?} names more than one colour")]
    Several(String),
    /// It names a scene, a thing or a material.
    #[error("{0:?} names a scene or a thing, and no colour")]
    NoColor(String),
    /// Beside a colour it says something that no rule is for.
    #[error("there is no rule for {word:?} in the colour {name:?}")]
    NoRule {
        /// The whole name.
        name: String,
        /// What is not known.
        word: String,
    },
}

impl ColorName {
    /// What a name stands for, whatever its case, hyphens and underlines; or why it stands for none.
    pub fn parse(name: &str) -> Result<Self, NoColor> {
        let words = words_of(name);
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        if has(MANY) {
            return Err(NoColor::Several(name.to_owned()));
        }
        let Some((at, length, rgb)) = reference(&words) else {
            return Err(NoColor::NoColor(name.to_owned()));
        };
        let rest = || words.iter().take(at).chain(words.iter().skip(at + length));
        if rest().any(|word| JOINTS.contains(&word.as_str())) {
            return Err(joined(name, &words));
        }
        let mut found = Self::of(rgb);
        for word in rest() {
            if let Some((_, shade)) = SHADES.iter().find(|(name, _)| name == word) {
                found = found.shaded(*shade);
            } else if is_color(word) {
                return Err(NoColor::Several(name.to_owned()));
            } else if !SILENT.contains(&word.as_str()) {
                return Err(NoColor::NoRule { name: name.to_owned(), word: word.clone() });
            }
        }
        Ok(found)
    }

    fn of(rgb: [u8; 3]) -> Self {
        let middle = Lab::from_srgb8(rgb);
        let is_neutral = middle.a.hypot(middle.b) < LEAST_CHROMA;
        let is_extreme = !(4.0..=96.0).contains(&middle.l);
        let reach = match (is_neutral, is_extreme) {
            (true, true) => EXTREME,
            (true, false) => NEUTRAL,
            (false, _) => CHROMATIC,
        };
        Self { middle, reach }
    }

    fn shaded(self, shade: Shade) -> Self {
        let Lab { l, a, b } = self.middle;
        let towards = if shade.light > 0.0 { 100.0 - l } else { l };
        let l = (l + shade.light * towards).clamp(0.0, 100.0);
        let middle = Lab { l, a: a * shade.chroma, b: b * shade.chroma };
        Self { middle, reach: self.reach + shade.slack }
    }

    /// The nearest 8-bit sRGB colour to the middle, as near as is needed to be within its reach.
    pub fn rgb(&self) -> [u8; 3] {
        self.middle.to_srgb8()
    }

    /// How far a colour is from what the name stands for, in CIEDE2000.
    pub fn distance(&self, rgb: [u8; 3]) -> f64 {
        ciede2000(self.middle, Lab::from_srgb8(rgb))
    }
}

impl fmt::Display for ColorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Lab { l, a, b } = self.middle;
        write!(f, "L* {l:.0}, a* {a:.0}, b* {b:.0}")
    }
}

/// Two colours with a word between them, or a colour with something that has another.
fn joined(name: &str, words: &[String]) -> NoColor {
    let colors = words.iter().filter(|word| is_color(word)).count();
    if colors > 1 {
        return NoColor::Several(name.to_owned());
    }
    let joint = words.iter().find(|word| JOINTS.contains(&word.as_str())).cloned();
    NoColor::NoRule { name: name.to_owned(), word: joint.unwrap_or_default() }
}

/// The last and longest reference in a name: where it begins, how many words it has, its colour.
fn reference(words: &[String]) -> Option<(usize, usize, [u8; 3])> {
    for length in (1..=3).rev() {
        let found = words.windows(length).enumerate().rev().find_map(|(at, part)| {
            let part = part.join(" ");
            let (_, rgb) = NAMED.iter().find(|(name, _)| *name == part)?;
            Some((at, length, *rgb))
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

fn is_color(word: &str) -> bool {
    NAMED.iter().any(|(name, _)| *name == word)
}

/// Whether a word names a colour, or is an adjective of colours.
pub(super) fn is_color_word(word: &str) -> bool {
    let word = same_word(word);
    let shades = ["light", "dark", "pastel", "neon", "bright", "deep", "vibrant", "metallic"];
    is_color(word) || shades.contains(&word)
}

fn words_of(name: &str) -> Vec<String> {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| same_word(&word.to_lowercase()).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(name: &str, rgb: [u8; 3]) -> bool {
        let name = ColorName::parse(name).unwrap();
        name.distance(rgb) <= name.reach
    }

    #[test]
    fn colours_answer_to_their_names_and_not_to_others() {
        for (name, yes, no) in [
            ("white", [250, 250, 245], [211, 211, 211]),
            ("black", [20, 20, 20], [70, 70, 70]),
            ("gold", [218, 185, 40], [255, 250, 200]),
            ("deep purple", [48, 0, 96], [200, 120, 255]),
            ("pastel pink", [255, 209, 220], [255, 20, 147]),
            ("dark blue", [0, 0, 139], [173, 216, 230]),
            ("light blue", [173, 216, 230], [0, 0, 139]),
            ("Navy-Blue", [0, 0, 128], [135, 206, 235]),
            ("light_grey", [211, 211, 211], [90, 90, 90]),
            ("leather-textured dark brown", [90, 50, 20], [245, 222, 179]),
            ("red", [200, 20, 20], [255, 165, 0]),
            ("bright yellow", [255, 255, 0], [255, 140, 0]),
            ("neon green", [57, 255, 20], [0, 80, 0]),
        ] {
            assert!(
                answers(name, yes),
                "{name} {:?}",
                ColorName::parse(name).unwrap().distance(yes)
            );
            assert!(
                !answers(name, no),
                "{name} {:?}",
                ColorName::parse(name).unwrap().distance(no)
            );
        }
    }

    #[test]
    fn names_of_no_one_colour_say_why() {
        for (name, several) in [
            ("rainbow", true),
            ("neon green to black gradient", true),
            ("teal and white", true),
            ("sunset", false),
            ("wooden texture", false),
            ("", false),
        ] {
            let found = ColorName::parse(name).unwrap_err();
            assert_eq!(matches!(found, NoColor::Several(_)), several, "{name}: {found}");
        }
        let odd = ColorName::parse("black with circuits").unwrap_err();
        assert_eq!(
            odd.to_string(),
            "there is no rule for \"with\" in the colour \"black with circuits\""
        );
    }

    #[test]
    fn an_adjective_moves_a_colour_the_way_it_says() {
        for name in ["red", "green", "blue", "brown", "gray", "purple"] {
            let of = |adjective: &str| ColorName::parse(&format!("{adjective} {name}")).unwrap();
            let plain = ColorName::parse(name).unwrap().middle.l;
            assert!(of("light").middle.l > plain && of("pastel").middle.l > plain);
            assert!(of("dark").middle.l < plain && of("deep").middle.l < plain);
        }
    }

    #[test]
    fn a_light_blue_is_blue_to_the_eye() {
        for name in ["light blue", "pale blue", "pastel blue", "sky blue"] {
            let [red, green, blue] = ColorName::parse(name).unwrap().rgb();
            assert!(red <= green && green < blue, "{name}: {red}, {green}, {blue}");
        }
    }
}
