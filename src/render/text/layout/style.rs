//! The style of some characters, complete: the text's own with an override over it.

use std::collections::BTreeMap;

use crate::base::Limits;
use crate::design::{LineHeight, StyleOverride, TextCase, TextContent, TextDecoration};

/// Size of a small capital made of a capital, in the size of the text. Inter has no small capitals;
/// at 0.8 its capitals stand a little above the small letters (0.75 of the capitals), as drawn
/// small capitals do.
const SMALL_CAPITAL: f64 = 0.8;

/// What characters are set with. All values are in range.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Style {
    /// The key of the override, 0 for none.
    pub(crate) key: u32,
    pub(crate) family: String,
    /// 100..=900.
    pub(crate) weight: f32,
    pub(crate) is_italic: bool,
    /// Pixels per em.
    pub(crate) size: f64,
    pub(crate) line_height: LineHeight,
    /// Pixels.
    pub(crate) letter_spacing: f64,
    pub(crate) case: TextCase,
    pub(crate) decoration: TextDecoration,
    /// OpenType features by tag.
    pub(crate) opentype: BTreeMap<String, u32>,
    pub(crate) form: LetterForm,
    /// How large its glyphs are over the size; its lines stay as high.
    pub(crate) scale: f64,
}

/// Which form of its letters a style shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LetterForm {
    /// As the font has them.
    Full,
    /// Capitals in a smaller size.
    SmallCapitals,
}

impl Style {
    /// The style of `content` with the override `key` over it, if there is such an override.
    pub(crate) fn of(content: &TextContent, key: u32) -> Self {
        let none = StyleOverride::default();
        let (key, own) = match content.overrides.get(&key) {
            Some(own) if key != 0 => (key, own),
            _ => (0, &none),
        };
        let base = &content.style;
        let (weight, is_italic) = weight_and_slant(content, own);
        Self {
            key,
            family: own.font_family.as_ref().unwrap_or(&base.font_family).trim().to_owned(),
            weight,
            is_italic,
            size: font_size(own.font_size.unwrap_or(base.font_size)),
            line_height: own.line_height.unwrap_or(base.line_height),
            letter_spacing: spacing(own.letter_spacing.unwrap_or(base.letter_spacing)),
            case: own.case.unwrap_or(base.case),
            decoration: own.decoration.unwrap_or(base.decoration),
            opentype: own.opentype.as_ref().unwrap_or(&base.opentype).clone(),
            form: LetterForm::Full,
            scale: 1.0,
        }
    }

    /// The same in small capitals.
    pub(crate) fn in_small_capitals(&self) -> Self {
        Self { form: LetterForm::SmallCapitals, ..self.clone() }
    }

    /// The size its glyphs are drawn in.
    pub(crate) fn glyph_size(&self) -> f64 {
        match self.form {
            LetterForm::Full => self.size * self.scale,
            LetterForm::SmallCapitals => self.size * SMALL_CAPITAL * self.scale,
        }
    }

    /// The distance of baselines it asks for, in pixels; `None` if the fonts decide.
    pub(crate) fn fixed_line_height(&self) -> Option<f64> {
        let height = match self.line_height {
            LineHeight::Pixels(pixels) => pixels,
            LineHeight::Percent(percent) => percent / 100.0 * self.size,
            LineHeight::Auto => return None,
        };
        (height > 0.0 && height <= Limits::COORDINATE).then_some(height)
    }
}

/// Figma writes weight and slant as numbers and, in newer files, as a style name as well. The
/// numbers win; the name counts where there are only defaults.
fn weight_and_slant(content: &TextContent, own: &StyleOverride) -> (f32, bool) {
    let base = &content.style;
    let base_name = base.font_style.as_deref().map(StyleName::parse).unwrap_or_default();
    let own_name = own.font_style.as_deref().map(StyleName::parse).unwrap_or_default();
    // 400 is the default: it may mean that no number was given.
    let base_weight = if base.font_weight == 400.0 {
        base_name.weight.unwrap_or(400.0)
    } else {
        base.font_weight
    };
    let weight = own.font_weight.or(own_name.weight).unwrap_or(base_weight);
    // An override that names a style says with it that it is upright.
    let has_own_slant = own.italic.is_some() || own.font_style.is_some();
    let is_italic = if has_own_slant {
        own.italic.unwrap_or(own_name.is_italic)
    } else {
        base.italic || base_name.is_italic
    };
    (if weight.is_finite() { weight.clamp(100.0, 900.0) as f32 } else { 400.0 }, is_italic)
}

/// What the name of a style within its family says, such as `Semi Bold Italic`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct StyleName {
    /// 100..=900, if the name says one.
    weight: Option<f64>,
    is_italic: bool,
}

impl StyleName {
    /// Reads a name in any case, with or without spaces and hyphens between its words.
    fn parse(name: &str) -> Self {
        let letters: String = name.chars().filter(|c| c.is_alphabetic()).collect();
        let letters = letters.to_lowercase();
        let is_italic = ["italic", "oblique"].iter().any(|slant| letters.contains(slant));
        Self { weight: named_weight(&letters), is_italic }
    }
}

/// Longer names come before those they end with.
fn named_weight(letters: &str) -> Option<f64> {
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

/// Whether text of this size can be set at all.
pub(crate) fn is_font_size(size: f64) -> bool {
    (0.01..=100_000.0).contains(&size)
}

fn font_size(size: f64) -> f64 {
    if is_font_size(size) { size } else { 0.01 }
}

fn spacing(spacing: f64) -> f64 {
    if spacing.is_finite() { spacing.clamp(-1e5, 1e5) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(over: StyleOverride) -> TextContent {
        TextContent { overrides: [(1, over)].into_iter().collect(), ..TextContent::default() }
    }

    #[test]
    fn an_override_replaces_every_field_it_has_and_no_other() {
        let over = StyleOverride {
            font_size: Some(20.0),
            line_height: Some(LineHeight::Pixels(30.0)),
            case: Some(TextCase::Upper),
            decoration: Some(TextDecoration::Underline),
            opentype: Some([("TNUM".to_owned(), 1)].into_iter().collect()),
            ..StyleOverride::default()
        };
        let content = content(over);
        let style = Style::of(&content, 1);
        assert_eq!((style.size, style.fixed_line_height()), (20.0, Some(30.0)));
        assert_eq!((style.case, style.decoration), (TextCase::Upper, TextDecoration::Underline));
        assert_eq!(
            (style.family.as_str(), style.weight, style.opentype.len()),
            ("Inter", 400.0, 1)
        );
    }

    #[test]
    fn a_style_name_counts_where_there_is_no_number() {
        let name = || Some("Semi Bold Italic".to_owned());
        let mut named = content(StyleOverride { font_style: name(), ..StyleOverride::default() });
        let style = Style::of(&named, 1);
        assert_eq!((style.weight, style.is_italic), (600.0, true));
        named.style.font_style = name();
        named.style.font_weight = 300.0;
        let style = Style::of(&named, 0);
        assert_eq!((style.weight, style.is_italic), (300.0, true));
    }

    #[test]
    fn numbers_that_are_none_become_some_that_can_be_set() {
        let over = StyleOverride {
            font_size: Some(f64::NAN),
            font_weight: Some(f64::INFINITY),
            letter_spacing: Some(f64::NEG_INFINITY),
            line_height: Some(LineHeight::Percent(-3.0)),
            ..StyleOverride::default()
        };
        let style = Style::of(&content(over), 1);
        assert_eq!((style.size, style.weight, style.letter_spacing), (0.01, 400.0, 0.0));
        assert_eq!(style.fixed_line_height(), None);
    }

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
