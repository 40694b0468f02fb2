//! The style of some characters, complete: the text's own with an override over it.

use std::collections::BTreeMap;

use crate::base::Limits;
use crate::design::{LineHeight, StyleOverride, TextCase, TextContent, TextDecoration};

use super::style_name::StyleName;

/// Size of a small capital made of a capital, in the size of the text. Inter has no small capitals;
/// at 0.8 its capitals stand a little above the small letters (0.75 of the capitals), as drawn
/// small capitals do.
const SMALL_CAPITAL: f64 = 0.8;

/// What characters are set with. All values are in range.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Style {
    /// The key of the override, 0 for none.
    pub(super) key: u32,
    pub(super) family: String,
    /// 100..=900.
    pub(super) weight: f32,
    pub(super) is_italic: bool,
    /// Pixels per em.
    pub(super) size: f64,
    pub(super) line_height: LineHeight,
    /// Pixels.
    pub(super) letter_spacing: f64,
    pub(super) case: TextCase,
    pub(super) decoration: TextDecoration,
    /// OpenType features by tag.
    pub(super) opentype: BTreeMap<String, u32>,
    pub(super) form: Form,
}

/// Which form of its letters a style shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Form {
    /// As the font has them.
    Full,
    /// Capitals in a smaller size.
    SmallCapitals,
}

impl Style {
    /// The style of `content` with the override `key` over it, if there is such an override.
    pub(super) fn of(content: &TextContent, key: u32) -> Self {
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
            form: Form::Full,
        }
    }

    /// The same in small capitals.
    pub(super) fn in_small_capitals(&self) -> Self {
        Self { form: Form::SmallCapitals, ..self.clone() }
    }

    /// The size its glyphs are drawn in.
    pub(super) fn glyph_size(&self) -> f64 {
        match self.form {
            Form::Full => self.size,
            Form::SmallCapitals => self.size * SMALL_CAPITAL,
        }
    }

    /// The distance of baselines it asks for, in pixels; `None` if the fonts decide.
    pub(super) fn fixed_line_height(&self) -> Option<f64> {
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
    let base_weight = if base.font_weight == 400.0 {
        base_name.weight.unwrap_or(400.0)
    } else {
        base.font_weight
    };
    let weight = own.font_weight.or(own_name.weight).unwrap_or(base_weight);
    let has_own_slant = own.italic.is_some() || own.font_style.is_some();
    let is_italic = if has_own_slant {
        own.italic.unwrap_or(own_name.is_italic)
    } else {
        base.italic || base_name.is_italic
    };
    (if weight.is_finite() { weight.clamp(100.0, 900.0) as f32 } else { 400.0 }, is_italic)
}

/// Whether text of this size can be set at all.
pub(super) fn is_font_size(size: f64) -> bool {
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
}
