//! Sizes of documents by their names.

use crate::base::Size;

use super::compat::Compat;

/// Longest side of a document, in points: that of the desktop programs' own pages.
pub(super) const MOST_POINTS: f64 = 14_400.0;
/// Largest page, in square points: what can be drawn at scale 1.
pub(super) const MOST_AREA: f64 = 100_000_000.0;

/// A document type with its size in points. The first four are those of the released scripts
/// (dayeonki/designbench, `execution/skillset/*/CreateDocument.jsx`); the tables of actions name five
/// more, which those scripts refuse: they have their usual sizes on US paper here.
const PRESETS: [(&str, f64, f64); 9] = [
    ("postcard", 1000.0, 640.0),
    ("business card", 1000.0, 640.0),
    ("poster", 1296.0, 1728.0),
    ("book cover", 1296.0, 1728.0),
    ("letter", 612.0, 792.0),
    ("magazine cover", 603.0, 783.0),
    ("label", 288.0, 192.0),
    ("resume", 612.0, 792.0),
    ("flyer", 612.0, 792.0),
];

/// How many of them the released scripts know.
const RELEASED: usize = 4;

/// The type and size of this name. As documented, case, spaces, `_` and `-` do not matter.
pub(super) fn find(name: &str, compat: Compat) -> Option<(&'static str, Size)> {
    let found = match compat {
        Compat::Documented => PRESETS.iter().find(|(known, ..)| plain(known) == plain(name)),
        Compat::GraphicBench => {
            // The released scripts compare whole names, spaces included.
            PRESETS.iter().take(RELEASED).find(|(known, ..)| *known == name.to_lowercase())
        }
    };
    found.map(|(known, width, height)| (*known, Size::new(*width, *height)))
}

/// Why there can be no page of this size; `None`: there can.
pub fn why_no_page(size: Size) -> Option<String> {
    let Size { width, height } = size;
    let side = 1.0..=MOST_POINTS;
    let is_whole = side.contains(&width) && side.contains(&height);
    (!is_whole || width * height > MOST_AREA).then(|| {
        format!(
            "a page of {width} × {height} cannot be: each side must be within 1 and {MOST_POINTS} points, and the \
             page no larger than {MOST_AREA} square points"
        )
    })
}

/// The names there are.
pub(super) fn names(compat: Compat) -> String {
    let count = match compat {
        Compat::Documented => PRESETS.len(),
        Compat::GraphicBench => RELEASED,
    };
    PRESETS.iter().take(count).map(|(name, ..)| *name).collect::<Vec<_>>().join(", ")
}

fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_released_sizes_are_found_however_they_are_spelt() {
        assert_eq!(find("Book_Cover", Compat::Documented).unwrap().1, Size::new(1296.0, 1728.0));
        assert_eq!(find("Poster", Compat::GraphicBench).unwrap().1, Size::new(1296.0, 1728.0));
        assert!(find("flyer", Compat::Documented).is_some());
        assert!(find("flyer", Compat::GraphicBench).is_none());
        assert!(find("document", Compat::Documented).is_none());
    }
}
