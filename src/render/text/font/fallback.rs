//! Which font beside Inter sets a character that Inter lacks.
//!
//! For each kind of script a list of well-known families in the order of preference, then families
//! of wide coverage, those of emoji, then every `Noto Sans …` and `Noto Serif …` there is and at last
//! any font, by name. The first that has the character is taken. Nothing here looks for fonts before a
//! character asks for one.
//!
//! Not fontique's own fallback, which asks the system (fontconfig, DirectWrite, Core Text): its answer
//! depends on settings that no run records, this one only on which fonts there are.

use std::sync::LazyLock;

use skrifa::charmap::Charmap;
use skrifa::{FontRef, MetadataProvider as _};

use crate::base::INTER_FILE;

use super::emoji;

/// Whether the character has a glyph of its own at all.
pub(crate) fn is_shown(character: char) -> bool {
    let is_ignorable = matches!(u32::from(character),
        0xAD | 0x034F | 0x061C | 0x115F..=0x1160 | 0x17B4..=0x17B5 | 0x180B..=0x180F
        | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0x3164 | 0xFE00..=0xFE0F
        | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFF8 | 0xE0000..=0xE0FFF);
    !is_ignorable && !character.is_whitespace() && !character.is_control()
}

/// Whether the vendored upright Inter has a glyph for it.
pub(crate) fn inter_has(character: char) -> bool {
    static MAP: LazyLock<Option<Charmap<'static>>> =
        LazyLock::new(|| Some(FontRef::new(&INTER_FILE).ok()?.charmap()));
    MAP.as_ref().is_some_and(|map| map.map(character).is_some())
}

/// What Chinese characters of a text are shaped like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Han {
    Chinese,
    Japanese,
    Korean,
}

impl Han {
    /// By the other letters of the text.
    pub(crate) fn of(text: &str) -> Self {
        // Unicode has one code for the forms of all three countries: only the letters beside it say
        // which one is meant.
        if text.chars().any(|c| Script::of(c) == Script::Kana) {
            Self::Japanese
        } else if text.chars().any(|c| Script::of(c) == Script::Hangul) {
            Self::Korean
        } else {
            Self::Chinese
        }
    }
}

/// The families to be asked for `character`, in the order of preference.
pub(crate) fn preferred(character: char, han: Han) -> impl Iterator<Item = &'static str> {
    [Script::of(character).families(han), WIDE, EMOJI].into_iter().flatten().copied()
}

/// Families that have many scripts.
const WIDE: &[&str] = &[
    "Noto Sans",
    "DejaVu Sans",
    "Liberation Sans",
    "FreeSans",
    "Noto Sans Symbols",
    "Noto Sans Symbols 2",
    "Noto Sans Symbols2",
    "Noto Sans Math",
    "Segoe UI",
    "Segoe UI Symbol",
    "Apple Symbols",
    "Arial Unicode MS",
    "Arial",
    "Noto Sans CJK SC",
    "Droid Sans Fallback",
    "FreeSerif",
    "Unifont",
];

/// Families of emoji, those in colours first.
pub(crate) const EMOJI: &[&str] = &[
    "Noto Color Emoji",
    "Apple Color Emoji",
    "Segoe UI Emoji",
    "Twemoji",
    "Noto Emoji",
    "Symbola",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    Arabic,
    Hebrew,
    Indic,
    Thai,
    Georgian,
    Han,
    Kana,
    Hangul,
    Emoji,
    Other,
}

impl Script {
    fn of(character: char) -> Self {
        match u32::from(character) {
            0x0590..=0x05FF | 0xFB1D..=0xFB4F => Self::Hebrew,
            0x0600..=0x06FF
            | 0x0750..=0x077F
            | 0x0870..=0x08FF
            | 0xFB50..=0xFDFF
            | 0xFE70..=0xFEFC => Self::Arabic,
            0x0900..=0x0DFF | 0xA8E0..=0xA8FF => Self::Indic,
            0x0E00..=0x0EFF => Self::Thai,
            0x10A0..=0x10FF | 0x1C90..=0x1CBF => Self::Georgian,
            0x1100..=0x11FF | 0x3130..=0x318F | 0xA960..=0xA97F | 0xAC00..=0xD7FF => Self::Hangul,
            0x3040..=0x30FF | 0x31F0..=0x31FF | 0xFF66..=0xFF9D => Self::Kana,
            0x2E80..=0x9FFF
            | 0xF900..=0xFAFF
            | 0xFE30..=0xFE4F
            | 0xFF00..=0xFFEF
            | 0x20000..=0x3FFFF => Self::Han,
            _ if emoji::is_picture(character) => Self::Emoji,
            _ => Self::Other,
        }
    }

    fn families(self, han: Han) -> &'static [&'static str] {
        match self {
            Self::Arabic => {
                &["Noto Sans Arabic", "Noto Naskh Arabic", "DejaVu Sans", "Geeza Pro", "Segoe UI"]
            }
            Self::Hebrew => &["Noto Sans Hebrew", "DejaVu Sans", "Arial Hebrew", "Segoe UI"],
            Self::Indic => &[
                "Noto Sans Devanagari",
                "Noto Sans Bengali",
                "Noto Sans Gurmukhi",
                "Noto Sans Gujarati",
                "Noto Sans Tamil",
                "Noto Sans Telugu",
                "Noto Sans Kannada",
                "Noto Sans Malayalam",
                "Lohit Devanagari",
                "Kohinoor Devanagari",
                "Nirmala UI",
            ],
            Self::Thai => &["Noto Sans Thai", "Noto Sans Lao", "Thonburi", "Leelawadee UI", "Loma"],
            Self::Georgian => &["Noto Sans Georgian", "DejaVu Sans"],
            Self::Emoji => EMOJI,
            Self::Han | Self::Kana | Self::Hangul => eastern(self, han),
            Self::Other => &[],
        }
    }
}

fn eastern(script: Script, han: Han) -> &'static [&'static str] {
    // A Han character has another shape in each of these languages: the first font that has it is not good enough.
    match (script, han) {
        (Script::Hangul, _) | (_, Han::Korean) => &[
            "Noto Sans CJK KR",
            "Noto Sans KR",
            "Apple SD Gothic Neo",
            "Malgun Gothic",
            "NanumGothic",
            "UnDotum",
            "WenQuanYi Micro Hei",
            "Droid Sans Fallback",
        ],
        (Script::Kana, _) | (_, Han::Japanese) => &[
            "Noto Sans CJK JP",
            "Noto Sans JP",
            "Hiragino Sans",
            "Yu Gothic",
            "IPAGothic",
            "WenQuanYi Micro Hei",
            "Droid Sans Fallback",
        ],
        _ => &[
            "Noto Sans CJK SC",
            "Noto Sans SC",
            "PingFang SC",
            "Microsoft YaHei",
            "WenQuanYi Zen Hei",
            "WenQuanYi Micro Hei",
            "Droid Sans Fallback",
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn han_characters_take_the_form_of_the_letters_beside_them() {
        assert_eq!(Han::of("漢字"), Han::Chinese);
        assert_eq!(Han::of("漢字かな"), Han::Japanese);
        assert_eq!(Han::of("한국 漢字"), Han::Korean);
    }

    #[test]
    fn what_has_no_glyph_needs_no_font() {
        for character in
            ['\u{200D}', '\u{FE0F}', '\u{202E}', '\u{AD}', '\u{E0041}', '\t', '\u{3000}']
        {
            assert!(!is_shown(character), "{:04X}", u32::from(character));
        }
        assert!(is_shown('漢') && is_shown('\u{10FFFD}'));
    }
}
