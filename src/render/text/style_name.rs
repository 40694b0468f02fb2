//! Names of styles within a family, such as `Semi Bold Italic`.

/// What a style name says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct StyleName {
    /// 100..=900, if the name says one.
    pub(super) weight: Option<f64>,
    pub(super) is_italic: bool,
}

impl StyleName {
    /// Reads a name in any case, with or without spaces and hyphens between its words.
    pub(super) fn parse(name: &str) -> Self {
        let letters: String = name.chars().filter(|c| c.is_alphabetic()).collect();
        let letters = letters.to_lowercase();
        let is_italic = ["italic", "oblique"].iter().any(|slant| letters.contains(slant));
        Self { weight: weight(&letters), is_italic }
    }
}

/// Longer names come before those they end with.
fn weight(letters: &str) -> Option<f64> {
    const WEIGHTS: [(&str, f64); 19] = [
        ("extralight", 200.0),
        ("ultralight", 200.0),
        ("extrabold", 800.0),
        ("ultrabold", 800.0),
        ("extrablack", 900.0),
        ("semibold", 600.0),
        ("demibold", 600.0),
        ("hairline", 100.0),
        ("thin", 100.0),
        ("light", 300.0),
        ("regular", 400.0),
        ("normal", 400.0),
        ("roman", 400.0),
        ("book", 400.0),
        ("medium", 500.0),
        ("demi", 600.0),
        ("bold", 700.0),
        ("black", 900.0),
        ("heavy", 900.0),
    ];
    let known = WEIGHTS.iter().find(|(name, _)| letters.contains(name));
    // `Italic` alone is the regular weight.
    known.map(|(_, weight)| *weight).or((letters == "italic").then_some(400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_weights_are_read_however_they_are_written() {
        let cases = [
            ("Thin", Some(100.0), false),
            ("Extra Light", Some(200.0), false),
            ("Light Italic", Some(300.0), true),
            ("Italic", Some(400.0), true),
            ("SemiBold", Some(600.0), false),
            ("semi-bold oblique", Some(600.0), true),
            ("Extra Bold", Some(800.0), false),
            ("Black", Some(900.0), false),
            ("Condensed", None, false),
            ("", None, false),
        ];
        for (name, weight, is_italic) in cases {
            assert_eq!(StyleName::parse(name), StyleName { weight, is_italic }, "{name}");
        }
    }
}
