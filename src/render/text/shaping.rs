//! Styles of the document in the words of the shaping engine.

use parley::{
    CHROMIUM_LINE_BREAK_OVERRIDE, FontFamily, FontFamilyName, FontStyle, FontVariation, FontVariations, FontWeight, Layout,
    LineHeight as ParleyLineHeight, OverflowWrap, RangedBuilder, StyleProperty, setting::Tag,
};

use crate::base::Limits;
use crate::design::{LineHeight, StyleOverride, TextContent, TextStyle};

use super::engine::{self, FAMILY};
use super::spans::Prepared;

/// Inter's optical sizes run from 14 to 32; text is drawn in the text cut at every size, as Figma
/// does unless told otherwise.
const OPTICAL_SIZE: f32 = 14.0;

/// Shapes `prepared` in the styles of `content`; lines are not broken yet.
pub(super) fn shape(content: &TextContent, prepared: &Prepared) -> Layout<u32> {
    engine::with(|engine| {
        let text = prepared.text.as_str();
        let mut builder = engine.scratch.ranged_builder(&mut engine.fonts, text, 1.0, false);
        builder.set_line_break_override(Some(CHROMIUM_LINE_BREAK_OVERRIDE));
        push_base(&mut builder, &content.style);
        for (range, key) in &prepared.spans {
            if let Some(style) = content.overrides.get(key) {
                for property in override_properties(style) {
                    builder.push(property, range.clone());
                }
                let weight = style.font_weight.unwrap_or(content.style.font_weight);
                let axes = variations(weight);
                builder.push(FontVariations::List(axes.as_slice().into()), range.clone());
                builder.push(StyleProperty::Brush(*key), range.clone());
            }
        }
        builder.build(text)
    })
}

fn push_base(builder: &mut RangedBuilder<'_, u32>, style: &TextStyle) {
    builder.push_default(FontFamily::Single(FontFamilyName::named(FAMILY)));
    builder.push_default(StyleProperty::FontSize(font_size(style.font_size)));
    builder.push_default(FontWeight::new(weight(style.font_weight)));
    builder.push_default(FontVariations::List(variations(style.font_weight).as_slice().into()));
    builder.push_default(font_style(style.italic));
    builder.push_default(StyleProperty::LetterSpacing(spacing(style.letter_spacing)));
    builder.push_default(line_height(style.line_height));
    builder.push_default(StyleProperty::OverflowWrap(OverflowWrap::BreakWord));
}

fn override_properties(style: &StyleOverride) -> Vec<StyleProperty<'static, u32>> {
    let size = style.font_size.map(|size| StyleProperty::FontSize(font_size(size)));
    let slant = style.italic.map(font_style);
    let weight = style.font_weight.map(|given| FontWeight::new(weight(given)).into());
    let spacing = style.letter_spacing.map(|given| StyleProperty::LetterSpacing(spacing(given)));
    [size, slant, weight, spacing].into_iter().flatten().collect()
}

fn variations(given: f64) -> [FontVariation; 2] {
    [
        FontVariation::new(Tag::new(b"opsz"), OPTICAL_SIZE),
        FontVariation::new(Tag::new(b"wght"), weight(given)),
    ]
}

fn font_style(is_italic: bool) -> StyleProperty<'static, u32> {
    StyleProperty::FontStyle(if is_italic { FontStyle::Italic } else { FontStyle::Normal })
}

fn line_height(height: LineHeight) -> ParleyLineHeight {
    match height {
        LineHeight::Pixels(pixels) if is_length(pixels) => {
            ParleyLineHeight::Absolute(pixels as f32)
        }
        LineHeight::Percent(percent) if is_length(percent) => {
            ParleyLineHeight::FontSizeRelative(percent as f32 / 100.0)
        }
        LineHeight::Auto | LineHeight::Pixels(_) | LineHeight::Percent(_) => {
            ParleyLineHeight::MetricsRelative(1.0)
        }
    }
}

fn is_length(value: f64) -> bool {
    value > 0.0 && value <= Limits::COORDINATE
}

/// Whether text of this size can be set at all.
pub(super) fn is_font_size(size: f64) -> bool {
    (0.01..=100_000.0).contains(&size)
}

fn font_size(size: f64) -> f32 {
    if is_font_size(size) { size as f32 } else { 0.01 }
}

fn weight(weight: f64) -> f32 {
    if weight.is_finite() { weight.clamp(100.0, 900.0) as f32 } else { 400.0 }
}

fn spacing(spacing: f64) -> f32 {
    if spacing.is_finite() { spacing.clamp(-1e5, 1e5) as f32 } else { 0.0 }
}
