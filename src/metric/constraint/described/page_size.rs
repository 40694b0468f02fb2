//! The size of a page in words: `1080 × 1350 px`, `728x90`, `5 by 7 inches`.

use std::ops::Range;

use crate::base::{Limits, Size};

/// Sides below this, in points, are no page's: `3 x 4` is a grid.
const LEAST: f64 = 30.0;
/// What stands between the sides.
const TIMES: [&str; 3] = ["x", "×", "by"];
/// Units, in points: pixels of a screen count as points.
const UNITS: [(&str, f64); 11] = [
    ("px", 1.0),
    ("pixel", 1.0),
    ("pixels", 1.0),
    ("pt", 1.0),
    ("pts", 1.0),
    ("points", 1.0),
    ("mm", 72.0 / 25.4),
    ("cm", 72.0 / 2.54),
    ("inch", 72.0),
    ("inches", 72.0),
    ("in", 72.0),
];

/// The first size of a page that words say, in whole points, and which of them say it. What is no word, such as a
/// comma, is `None`.
pub(super) fn page_size_in(words: &[Option<&str>]) -> Option<(Size, Range<usize>)> {
    (0..words.len()).find_map(|at| {
        let (size, count) = size_at(words.get(at..)?)?;
        Some((size, at..at + count))
    })
}

/// The size that words begin with, and of how many words it is.
fn size_at(words: &[Option<&str>]) -> Option<(Size, usize)> {
    let word = |at: usize| words.get(at).copied().flatten().map(str::to_lowercase);
    let first = word(0)?;
    let (width, height, mut count) = match first.split_once(['x', '×']) {
        Some((width, height)) if !width.is_empty() && !height.is_empty() => {
            (side(width)?, side(height)?, 1)
        }
        _ => {
            let width = side(&first)?;
            word(1).filter(|word| TIMES.contains(&word.as_str()))?;
            (width, side(&word(2)?)?, 3)
        }
    };
    let mut unit = height.1.or(width.1);
    if unit.is_none() {
        // `In` begins something else, unless nothing follows.
        let ends = words.get(count + 1).is_none_or(Option::is_none);
        let next = word(count).filter(|next| next != "in" || ends);
        unit = next.and_then(|next| unit_of(&next));
        count += usize::from(unit.is_some());
    }
    let [width, height] = [width.0, height.0].map(|side| (side * unit.unwrap_or(1.0)).round());
    let sides = LEAST..=f64::from(Limits::IMAGE_SIDE);
    let is_page = sides.contains(&width) && sides.contains(&height);
    is_page.then_some((Size::new(width, height), count))
}

/// A number, with its unit if that is joined to it.
fn side(word: &str) -> Option<(f64, Option<f64>)> {
    let end = word.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(word.len());
    let (number, unit) = word.split_at(end);
    let number = number.parse().ok()?;
    if unit.is_empty() { Some((number, None)) } else { Some((number, Some(unit_of(unit)?))) }
}

fn unit_of(word: &str) -> Option<f64> {
    UNITS.iter().find(|(name, _)| *name == word).map(|(_, points)| *points)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(f64, f64, usize)> {
        let words: Vec<_> =
            text.split(' ').map(|word| Some(word).filter(|word| *word != ",")).collect();
        page_size_in(&words).map(|(size, said)| (size.width, size.height, said.len()))
    }

    #[test]
    fn sizes_are_read_however_they_are_spelt() {
        for (text, expected) in [
            ("a banner of 1080 x 1350 px", (1080.0, 1350.0, 4)),
            ("1080×1350", (1080.0, 1350.0, 1)),
            ("1080X1350px here", (1080.0, 1350.0, 1)),
            ("728 × 90 , navy", (728.0, 90.0, 3)),
            ("5 by 7 inches", (360.0, 504.0, 4)),
            ("5 x 7 in", (360.0, 504.0, 4)),
            ("148 x 210 mm", (420.0, 595.0, 4)),
            ("800 x 600 in navy", (800.0, 600.0, 3)),
            ("800px by 600px", (800.0, 600.0, 3)),
        ] {
            assert_eq!(read(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_page_is_none() {
        for text in [
            "",
            "a 3 x 4 grid",
            "24 pt",
            "1080 x",
            "x 1080",
            "1080 x 1350furlongs",
            "99999 x 100",
            "-5 x 100",
            "1e9x1e9",
            "1.2.3x100",
            "maximum",
            "×",
            "5 x 7 in navy",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
