//! The colours that photo filters come in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The colour of a photo filter, 8-bit sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Tint(pub [u8; 3]);

/// The filters by the names that desktop photo editors and the published plans use, with their
/// colours. `LBA`, `LBB` and the numbers are those of Wratten's glass filters.
const NAMED: [(&str, [u8; 3]); 20] = [
    ("Warming Filter (85)", [236, 138, 0]),
    ("Warming Filter (LBA)", [250, 150, 0]),
    ("Warming Filter (81)", [235, 177, 19]),
    ("Cooling Filter (80)", [0, 109, 255]),
    ("Cooling Filter (LBB)", [0, 93, 255]),
    ("Cooling Filter (82)", [0, 181, 255]),
    ("Red", [234, 26, 26]),
    ("Orange", [243, 132, 23]),
    ("Yellow", [249, 227, 28]),
    ("Green", [25, 201, 25]),
    ("Cyan", [29, 203, 234]),
    ("Blue", [29, 53, 234]),
    ("Violet", [155, 29, 234]),
    ("Magenta", [227, 24, 227]),
    ("Sepia", [172, 122, 51]),
    ("Deep Red", [255, 0, 0]),
    ("Deep Blue", [0, 34, 205]),
    ("Deep Emerald", [0, 140, 0]),
    ("Deep Yellow", [255, 213, 0]),
    ("Underwater", [0, 193, 177]),
];

impl Tint {
    /// The filter of this name, whatever its case, spaces and punctuation; `None` if there is none.
    pub fn named(name: &str) -> Option<Self> {
        // Plans write these names from memory: with other brackets, hyphens and spaces.
        let wanted = plain(name);
        let found = NAMED.iter().find(|(known, _)| plain(known) == wanted)?;
        Some(Self(found.1))
    }

    /// The names that [`Tint::named`] knows, in the order of the editors' menus.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMED.iter().map(|(name, _)| *name)
    }
}

fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_whatever_their_case_and_punctuation() {
        for name in Tint::names() {
            assert_eq!(Tint::named(&name.to_uppercase()), Tint::named(name));
            assert!(Tint::named(name).is_some());
        }
        assert_eq!(Tint::named("warming filter 85"), Some(Tint([236, 138, 0])));
        for unknown in ["", "Snow", "()", "Warming Filter"] {
            assert_eq!(Tint::named(unknown), None);
        }
    }
}
