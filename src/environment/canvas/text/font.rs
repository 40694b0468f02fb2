//! Names of font styles, and the weights they stand for.

use crate::environment::canvas::error::ToolError;

/// The weights of Inter with the names Figma gives them.
const WEIGHTS: [(&str, f64); 9] = [
    ("Thin", 100.0),
    ("Extra Light", 200.0),
    ("Light", 300.0),
    ("Regular", 400.0),
    ("Medium", 500.0),
    ("Semi Bold", 600.0),
    ("Bold", 700.0),
    ("Extra Bold", 800.0),
    ("Black", 900.0),
];

/// A face of a family.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Face {
    /// The style's name.
    pub(super) style: String,
    /// 100..=900.
    pub(super) weight: f64,
    /// Slanted.
    pub(super) italic: bool,
}

/// The style a weight has in CANVAS's tools: its own name for a hundred, Regular for anything else.
pub(in crate::environment::canvas) fn style_of_weight(weight: f64) -> (&'static str, f64) {
    let found = WEIGHTS.iter().find(|(_, w)| *w == weight).copied();
    found.unwrap_or(("Regular", 400.0))
}

/// The name of the slanted form of an upright style.
pub(super) fn slanted(upright: &str) -> String {
    if upright == "Regular" { "Italic".to_owned() } else { format!("{upright} Italic") }
}

/// Whether texts of this family are drawn in it.
pub(super) fn is_drawn(family: &str) -> bool {
    ["Inter", "Inter Variable"].contains(&family)
}

/// The face of this name. Spaces, hyphens and case do not matter (`SemiBold Italic`). Inter takes
/// its own styles only; another family takes any, with the weight its words name.
pub(super) fn face(family: &str, style: &str) -> Result<Face, ToolError> {
    if family.trim().is_empty() {
        let message = "font.family: is empty; give a family such as \"Inter\"";
        return Err(ToolError::BadArguments(message.to_owned()));
    }
    // Models write `SemiBold`, `Semi-Bold` and `semi bold`: all of them mean one face.
    let squeezed = squeeze(style);
    let slant = ["italic", "oblique"].into_iter().find(|word| squeezed.ends_with(word));
    let upright = slant.map_or(squeezed.as_str(), |word| squeezed.trim_end_matches(word));
    // `Italic` alone is the regular weight, slanted; nothing at all is no style.
    let is_regular = matches!(upright, "" | "normal" | "book") && !squeezed.is_empty();
    let weight = WEIGHTS.iter().find(|(name, _)| squeeze(name) == upright);
    let weight = if is_regular { Some(&("Regular", 400.0)) } else { weight };
    match weight {
        Some((name, weight)) if is_drawn(family) => {
            let style = if slant.is_some() { slanted(name) } else { (*name).to_owned() };
            Ok(Face { style, weight: *weight, italic: slant.is_some() })
        }
        None if is_drawn(family) => Err(unknown_style(family, style)),
        // Of other families nobody knows the styles here; their words tell the weight.
        known => {
            let weight = known.map_or_else(|| weight_named_in(&squeezed), |(_, weight)| *weight);
            Ok(Face { style: style.to_owned(), weight, italic: slant.is_some() })
        }
    }
}

fn unknown_style(family: &str, style: &str) -> ToolError {
    let asked: String = style.chars().take(60).collect();
    let names: Vec<&str> = WEIGHTS.iter().map(|(name, _)| *name).collect();
    let names = names.join(", ");
    ToolError::Refused(format!(
        "{family} has no style \"{asked}\"; it has {names}, each also with Italic"
    ))
}

/// The weight of the longest name that occurs in a style: `Condensed Extra Bold` is 800.
fn weight_named_in(squeezed: &str) -> f64 {
    let named = WEIGHTS.iter().filter(|(name, _)| squeezed.contains(&squeeze(name)));
    named.max_by_key(|(name, _)| name.len()).map_or(400.0, |(_, weight)| *weight)
}

fn squeeze(style: &str) -> String {
    style.chars().filter(|c| !matches!(c, ' ' | '-' | '_')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_of_inter_are_found_however_they_are_spelt() {
        for (spelling, style, weight, italic) in [
            ("Semi Bold", "Semi Bold", 600.0, false),
            ("SemiBold Italic", "Semi Bold Italic", 600.0, true),
            ("extra-light", "Extra Light", 200.0, false),
            ("Italic", "Italic", 400.0, true),
            ("Regular", "Regular", 400.0, false),
        ] {
            let found = face("Inter", spelling).unwrap();
            assert_eq!(found, Face { style: style.to_owned(), weight, italic }, "{spelling}");
        }
    }

    #[test]
    fn inter_refuses_a_style_it_does_not_have_and_names_those_it_has() {
        let message = face("Inter", "Condensed").unwrap_err().to_string();
        assert!(message.contains("Condensed") && message.contains("Semi Bold"), "{message}");
        assert!(face("Inter", "").is_err());
    }

    #[test]
    fn another_family_keeps_its_style_and_takes_the_weight_it_names() {
        let found = face("Roboto Flex", "Condensed Extra Bold Italic").unwrap();
        assert_eq!((found.weight, found.italic), (800.0, true));
        assert_eq!(found.style, "Condensed Extra Bold Italic");
    }
}
