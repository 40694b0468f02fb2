//! Fonts by the names that plans give them.

use serde::{Deserialize, Serialize};

/// The family that every machine has: the vendored one.
const OWN: &str = "Inter";

/// Families whose letters are about as wide as Inter's, which is set in their place: plans name
/// them where they mean no font in particular.
const PLAIN: [&str; 8] = [
    "arial",
    "arialmt",
    "helvetica",
    "helveticaneue",
    "sansserif",
    "inter",
    "myriadpro",
    "default",
];

/// Words of styles with their weights, longest first where one holds another.
const WEIGHTS: [(&str, f64); 15] = [
    ("extralight", 200.0),
    ("ultralight", 200.0),
    ("semibold", 600.0),
    ("demibold", 600.0),
    ("extrabold", 800.0),
    ("ultrabold", 800.0),
    ("hairline", 100.0),
    ("regular", 400.0),
    ("medium", 500.0),
    ("light", 300.0),
    ("black", 900.0),
    ("heavy", 900.0),
    ("roman", 400.0),
    ("thin", 100.0),
    ("bold", 700.0),
];

/// A font as a text has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Font {
    /// The name the plan gave it.
    pub(super) asked: String,
    /// The family that is set.
    pub(super) family: String,
    /// 100..=900.
    pub(super) weight: f64,
    /// Slanted.
    pub(super) italic: bool,
}

impl Default for Font {
    /// The documented default, Arial.
    fn default() -> Self {
        Self::named("Arial")
    }
}

impl Font {
    /// The font of this name: a family with words of style behind it, as `Arial Bold`,
    /// `HelveticaNeue-Bold` or `Cooper Std Black`. A family this program does not bring is looked for
    /// on the machine when it is drawn, else Inter stands in.
    pub(super) fn named(name: &str) -> Self {
        let spaced = name.trim().replace(['-', '_'], " ");
        let mut family = spaced.as_str();
        let (mut weight, mut italic) = (None, false);
        // Words of style stand behind the family's name.
        while let Some((rest, word)) = family.rsplit_once(' ') {
            let plain = plain(word);
            // PostScript names end so: `Arial-BoldMT`.
            let trimmed = plain.trim_end_matches("psmt").trim_end_matches("mt");
            if trimmed == "italic" || trimmed == "oblique" {
                italic = true;
            } else if let Some((_, found)) = WEIGHTS.iter().find(|(known, _)| *known == trimmed) {
                // The last word of weight counts, as it is met first.
                weight = weight.or(Some(*found));
            } else {
                break;
            }
            family = rest.trim_end();
        }
        let is_plain = PLAIN.contains(&plain(family).as_str());
        // Impact has one face, and it is a heavy one.
        let own_weight = if plain(family) == "impact" { 900.0 } else { 400.0 };
        Self {
            asked: name.to_owned(),
            family: if is_plain { OWN } else { family }.to_owned(),
            weight: weight.unwrap_or(own_weight),
            italic,
        }
    }

    /// What to say of it: nothing if it is Inter that was asked for.
    pub(super) fn note(&self) -> Option<String> {
        let asked = super::failure::shorten(&self.asked);
        if plain(&self.family) != "inter" {
            let family = super::failure::shorten(&self.family);
            return Some(format!(
                "{family} is used where the machine has it, else {OWN} stands in"
            ));
        }
        // Its own styles are not worth a word.
        (plain(&self.asked) != "inter" && !plain(&self.asked).starts_with("inter"))
            .then(|| format!("{asked} is set in {OWN}"))
    }

    /// The name of its style: `Bold Italic`.
    pub(super) fn style(&self) -> String {
        let weight = match self.weight as u32 {
            0..=150 => "Thin",
            151..=250 => "Extra Light",
            251..=350 => "Light",
            351..=450 => "Regular",
            451..=550 => "Medium",
            551..=650 => "Semi Bold",
            651..=750 => "Bold",
            751..=850 => "Extra Bold",
            _ => "Black",
        };
        match (weight, self.italic) {
            ("Regular", true) => "Italic".to_owned(),
            (weight, true) => format!("{weight} Italic"),
            (weight, false) => weight.to_owned(),
        }
    }
}

fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_style_are_told_from_the_family() {
        for (name, family, weight, italic) in [
            ("Arial", "Inter", 400.0, false),
            ("Arial Black", "Inter", 900.0, false),
            ("Arial-BoldMT", "Inter", 700.0, false),
            ("Roboto Bold Italic", "Roboto", 700.0, true),
            ("Cooper Std Black", "Cooper Std", 900.0, false),
            ("Andale Mono", "Andale Mono", 400.0, false),
            ("Impact", "Impact", 900.0, false),
            ("Bold", "Bold", 400.0, false),
            ("", "", 400.0, false),
        ] {
            let font = Font::named(name);
            assert_eq!((font.family.as_str(), font.weight, font.italic), (family, weight, italic));
        }
    }

    #[test]
    fn a_stand_in_is_said() {
        assert_eq!(Font::named("Inter Bold").note(), None);
        assert_eq!(Font::default().note().unwrap(), "Arial is set in Inter");
        assert!(Font::named("Futura").note().unwrap().starts_with("Futura is used where"));
    }
}
