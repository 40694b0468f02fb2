//! Colours by the names people give them.
//!
//! A name is a reference colour ([`NAMED`]), adjectives ([`SHADES`]) that move it in CIE
//! L*a*b*, and words that say nothing of colour. A colour answers to the name if it is no further
//! from there than [`ColorName::reach`] in CIEDE2000: [`CHROMATIC`] for colours that have a hue,
//! [`NEUTRAL`] for greys, [`EXTREME`] for white and black, a little more with an adjective, as people agree less on
//! those. Names of several colours, scenes and materials have no one colour, and say so.
//!
//! The reach is wide on purpose: it tells a red from an orange, and not one red from another.

use std::fmt;

use crate::metric::{Lab, ciede2000};

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
        let mut words = words_of(name);
        if words.iter().any(|word| MANY.contains(&word.as_str())) {
            return Err(NoColor::Several(name.to_owned()));
        }
        let Some((at, length, rgb)) = reference(&words) else {
            return Err(NoColor::NoColor(name.to_owned()));
        };
        // Asked of the words beside the reference, as a name such as "sea and sky" may be one itself.
        let beside = words.iter().enumerate().filter(|(n, _)| !(at..at + length).contains(n));
        if beside.map(|(_, word)| word.as_str()).any(|word| JOINTS.contains(&word)) {
            return Err(joined(name, &words));
        }
        words.drain(at..at + length);
        let mut found = Self::of(rgb);
        for word in &words {
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
        // Greys are told apart by lightness alone, in which CIEDE2000 is finer than in hue.
        let is_neutral = middle.a.hypot(middle.b) < LEAST_CHROMA;
        // Beside white and black there is little room before the next name.
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
        // By a share of the way that is left, so that no colour gets lighter than white.
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
    // Of one colour and a joint ("blue with stars") the joint is what no rule is for.
    let joint = words.iter().find(|word| JOINTS.contains(&word.as_str())).cloned();
    NoColor::NoRule { name: name.to_owned(), word: joint.unwrap_or_default() }
}

/// The last and longest reference in a name: where it begins, how many words it has, its colour.
fn reference(words: &[String]) -> Option<(usize, usize, [u8; 3])> {
    // The longest first: "sky blue" is a colour of its own, and no sky that is blue.
    for length in (1..=3).rev() {
        // From the end, where English has the noun: what stands before it says what kind.
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

/// The colours that a text names: every stretch of words of colour that has a colour of its own, with what it
/// stands for. `words` are in lower case.
pub fn colors_in(words: &[String]) -> Vec<(String, ColorName)> {
    let stretches = words.chunk_by(|a, b| is_color_word(a) == is_color_word(b));
    let named = stretches.filter(|words| words.first().is_some_and(|word| is_color_word(word)));
    let found = named.filter_map(|words| {
        let name = words.join(" ");
        let color = ColorName::parse(&name).ok()?;
        Some((name, color))
    });
    found.collect()
}

/// Whether a word names a colour, or is an adjective of colours.
pub(super) fn is_color_word(word: &str) -> bool {
    let word = same_word(word);
    let shades = ["light", "dark", "pastel", "neon", "bright", "deep", "vibrant", "metallic"];
    // A list of its own: "soft" or "calm" beside a thing need not be of its colour.
    is_color(word) || shades.contains(&word)
}

fn words_of(name: &str) -> Vec<String> {
    // Hyphens and underlines part words, so that `navy-blue` and `navy_blue` are `navy blue`.
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| same_word(&word.to_lowercase()).to_owned()).collect()
}

/// Colours of two words that are not an adjective and a colour, and of one: before adjectives are
/// looked for, so that `navy blue` is no blue that is navy. CSS names have CSS colours; others are
/// what dictionaries and paint charts agree on.
pub(super) const NAMED: &[(&str, [u8; 3])] = &[
    ("navy blue", [0, 0, 128]),
    // A lightened blue is a violet to the eye: CIELAB bends there.
    ("light blue", [173, 216, 230]),
    ("pale blue", [190, 220, 235]),
    ("pastel blue", [174, 198, 220]),
    ("sky blue", [135, 206, 235]),
    ("blue sky", [135, 206, 235]),
    ("royal blue", [65, 105, 225]),
    ("midnight blue", [25, 25, 112]),
    ("night sky blue", [25, 25, 112]),
    ("twilight blue", [75, 81, 135]),
    ("ocean blue", [0, 105, 168]),
    ("turquoise ocean", [40, 170, 190]),
    ("sea blue", [0, 105, 148]),
    ("aqua blue", [0, 200, 230]),
    ("electric blue", [0, 120, 255]),
    ("neon blue", [30, 100, 255]),
    ("icy blue", [190, 225, 245]),
    ("snowy blue", [200, 225, 245]),
    ("ice blue", [190, 225, 245]),
    ("blue gray", [102, 130, 153]),
    ("forest green", [34, 139, 34]),
    ("mint green", [152, 255, 152]),
    ("lime green", [50, 205, 50]),
    ("emerald green", [40, 160, 90]),
    ("sea green", [46, 139, 87]),
    ("seafoam green", [147, 224, 180]),
    ("midnight green", [0, 73, 83]),
    ("cactus green", [86, 130, 80]),
    ("leafy green", [60, 140, 50]),
    ("green grass", [86, 150, 40]),
    ("earthy green", [95, 125, 75]),
    ("neon green", [57, 255, 20]),
    ("hot pink", [255, 105, 180]),
    ("blush pink", [240, 190, 195]),
    ("neon pink", [255, 16, 200]),
    ("rose gold", [190, 120, 125]),
    ("golden yellow", [255, 215, 0]),
    ("blood red", [138, 3, 3]),
    ("brick red", [175, 60, 55]),
    ("cherry red", [200, 20, 50]),
    ("rust red", [175, 65, 35]),
    ("fiery red", [235, 45, 20]),
    ("chocolate brown", [105, 60, 25]),
    ("greenish brown", [100, 85, 45]),
    ("sandy beige", [235, 215, 175]),
    ("sandy beach", [235, 215, 175]),
    ("burnt orange", [204, 85, 0]),
    ("sunset orange", [250, 110, 60]),
    ("orange sunset", [250, 110, 60]),
    ("desert orange", [225, 130, 60]),
    ("dusk orange", [230, 120, 60]),
    ("charcoal gray", [70, 75, 80]),
    ("slate gray", [112, 128, 144]),
    ("concrete gray", [150, 150, 145]),
    ("off white", [250, 248, 240]),
    ("twilight purple", [95, 65, 125]),
    ("white", [255, 255, 255]),
    ("black", [0, 0, 0]),
    ("gray", [128, 128, 128]),
    ("grayscale", [128, 128, 128]),
    ("silver", [192, 192, 192]),
    ("red", [255, 0, 0]),
    ("green", [0, 180, 0]),
    ("blue", [0, 60, 255]),
    ("yellow", [255, 240, 0]),
    ("orange", [255, 155, 0]),
    ("purple", [128, 0, 150]),
    ("violet", [130, 50, 200]),
    ("pink", [255, 170, 195]),
    ("brown", [139, 75, 30]),
    ("gold", [255, 215, 0]),
    ("golden", [255, 215, 0]),
    ("beige", [245, 240, 215]),
    ("cream", [255, 250, 215]),
    ("ivory", [255, 255, 240]),
    ("parchment", [240, 230, 205]),
    ("teal", [0, 128, 128]),
    ("turquoise", [50, 200, 200]),
    ("cyan", [0, 245, 255]),
    ("aqua", [0, 230, 240]),
    ("navy", [0, 0, 128]),
    ("lavender", [225, 215, 248]),
    ("maroon", [128, 0, 0]),
    ("burgundy", [128, 0, 32]),
    ("coral", [255, 127, 80]),
    ("magenta", [255, 0, 230]),
    ("sepia", [112, 66, 20]),
    ("chocolate", [105, 60, 25]),
    ("peach", [255, 218, 185]),
    ("olive", [128, 128, 0]),
    ("indigo", [75, 0, 130]),
    ("crimson", [220, 20, 60]),
    ("salmon", [250, 128, 114]),
    ("tan", [210, 180, 140]),
    ("khaki", [240, 230, 140]),
    ("plum", [142, 69, 133]),
    ("mint", [152, 255, 152]),
    ("lime", [80, 230, 20]),
    ("charcoal", [54, 60, 66]),
    ("rust", [183, 65, 14]),
    ("bronze", [205, 127, 50]),
    ("copper", [184, 115, 51]),
    ("emerald", [40, 160, 90]),
    ("lilac", [200, 162, 200]),
    ("mauve", [205, 165, 220]),
    ("mustard", [225, 173, 1]),
    ("fuchsia", [255, 0, 230]),
];

/// What an adjective does to a colour in CIE L*a*b*.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shade {
    /// Moves the lightness by this share towards white, or towards black if negative.
    pub(super) light: f64,
    /// The factor of the chroma.
    pub(super) chroma: f64,
    /// How much further away a colour may be, in CIEDE2000.
    pub(super) slack: f64,
}

const fn shade(light: f64, chroma: f64, slack: f64) -> Shade {
    Shade { light, chroma, slack }
}

/// Adjectives that change a colour.
pub(super) const SHADES: &[(&str, Shade)] = &[
    ("light", shade(0.5, 0.6, 2.0)),
    ("pale", shade(0.65, 0.45, 2.0)),
    ("pastel", shade(0.55, 0.5, 3.0)),
    ("soft", shade(0.35, 0.6, 4.0)),
    ("dark", shade(-0.4, 0.8, 2.0)),
    ("deep", shade(-0.4, 0.9, 3.0)),
    ("rich", shade(-0.15, 1.0, 3.0)),
    ("bright", shade(0.05, 1.05, 2.0)),
    ("vibrant", shade(0.0, 1.05, 4.0)),
    ("vivid", shade(0.0, 1.05, 4.0)),
    ("neon", shade(0.1, 1.1, 4.0)),
    ("electric", shade(0.05, 1.1, 4.0)),
    ("fiery", shade(0.0, 1.0, 4.0)),
    ("muted", shade(0.05, 0.55, 4.0)),
    ("ancient", shade(-0.2, 0.7, 6.0)),
    ("aged", shade(-0.08, 1.1, 5.0)),
    ("rustic", shade(-0.15, 0.8, 5.0)),
    ("earthy", shade(-0.1, 0.75, 5.0)),
    ("icy", shade(0.6, 0.4, 4.0)),
    ("snowy", shade(0.5, 0.5, 4.0)),
    ("spooky", shade(-0.2, 0.8, 5.0)),
    ("calm", shade(0.2, 0.7, 8.0)),
    ("calming", shade(0.2, 0.7, 8.0)),
    ("tranquil", shade(0.2, 0.7, 8.0)),
    ("subtle", shade(0.25, 0.6, 8.0)),
    ("warm", shade(0.0, 1.0, 5.0)),
];

/// Words beside a colour that say nothing of it: manner, material, and the thing that has it.
pub(super) const SILENT: &[&str] = &[
    "bold",
    "elegant",
    "delicate",
    "glowing",
    "glittery",
    "shiny",
    "metallic",
    "matte",
    "grunge",
    "sleek",
    "polished",
    "textured",
    "chic",
    "dynamic",
    "fresh",
    "lush",
    "clear",
    "tropical",
    "sunny",
    "space",
    "starred",
    "leather",
    "paper",
    "foggy",
    "fog",
    "background",
    "color",
    "colour",
    "colored",
    "coloured",
    "font",
    "letters",
    "text",
    "clean",
    "plain",
    "solid",
    "simple",
];

/// Words of several colours, and of scenes, that have no one colour.
pub(super) const MANY: &[&str] = &[
    "gradient",
    "rainbow",
    "multicolor",
    "multicolored",
    "multi",
    "multicolour",
    "colors",
    "colours",
    "colorful",
    "checkered",
    "stripes",
    "striped",
    "mosaic",
    "patchwork",
    "mix",
    "blend",
    "marbled",
    "various",
    "pattern",
];

/// Words that part two colours.
pub(super) const JOINTS: &[&str] = &["and", "to", "with", "or"];

/// Spellings and forms that mean the same.
pub(super) fn same_word(word: &str) -> &str {
    match word {
        "grey" | "greyish" | "grayish" => "gray",
        other => other,
    }
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
            let plain = ColorName::parse(name).unwrap().middle.l;
            let [light, pastel, dark, deep] =
                ["light", "pastel", "dark", "deep"].map(|adjective| {
                    ColorName::parse(&format!("{adjective} {name}")).unwrap().middle.l
                });
            assert!(light > plain && pastel > plain && dark < plain && deep < plain);
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
