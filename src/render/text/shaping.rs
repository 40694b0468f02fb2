//! Styles of the document in the words of the shaping engine.

use std::ops::Range;

use parley::setting::Tag;
use parley::{
    CHROMIUM_LINE_BREAK_OVERRIDE, FontFamily, FontFamilyName, FontFeature, FontFeatures, FontStyle,
    FontVariation, FontVariations, FontWeight, Layout, OverflowWrap, RangedBuilder, StyleProperty,
};

use crate::design::TextCase;

use super::emoji;
use super::fallback;
use super::family::Face;
use super::fonts::Fonts;
use super::spans::Setting;
use super::style::Form;
use super::typesetter::{Engine, INTER, INTER_UPRIGHT, Typesetter};

/// A text without ends of paragraphs, with the settings its spans count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'p> {
    pub(super) text: &'p str,
    /// Byte ranges with their setting; they cover the text in order.
    pub(super) spans: &'p [(Range<usize>, usize)],
    pub(super) settings: &'p [Setting],
}

/// Shapes the text; lines are not broken yet. The brush of a glyph is the number of its setting.
pub(super) fn shape(typesetter: &Typesetter, source: Source<'_>) -> Layout<u32> {
    let fonts = typesetter.fonts();
    let fallbacks = fallback::families(fonts, source.text);
    let pictures = emoji::pictures(source.text);
    let emoji = (!pictures.is_empty()).then(|| fallback::emoji_family(fonts)).flatten();
    let engine = &mut *typesetter.engine();
    let stacks: Vec<_> = source
        .spans
        .iter()
        .map(|(_, setting)| stack(engine, fonts, source.settings.get(*setting), &fallbacks))
        .collect();
    let mut of_pictures = Vec::new();
    if !pictures.is_empty() {
        of_pictures.extend(emoji.and_then(|name| registered(engine, fonts, &name, 400.0, false)));
        of_pictures.extend(stack(engine, fonts, None, &fallbacks));
    }
    let Engine { scratch, fonts, .. } = engine;
    let mut builder = scratch.ranged_builder(fonts, source.text, 1.0, false);
    builder.set_line_break_override(Some(CHROMIUM_LINE_BREAK_OVERRIDE));
    builder.push_default(StyleProperty::OverflowWrap(OverflowWrap::BreakWord));
    for ((range, index), stack) in source.spans.iter().zip(&stacks) {
        if let Some(setting) = source.settings.get(*index) {
            push(&mut builder, setting, range);
            builder.push(StyleProperty::Brush(*index as u32), range.clone());
            builder.push(family_list(stack), range.clone());
        }
    }
    for range in pictures {
        builder.push(family_list(&of_pictures), range);
    }
    builder.build(source.text)
}

/// The families to be asked for a glyph, first to last: the one that the style names, Inter, and
/// those that have what Inter lacks.
fn stack(
    engine: &mut Engine,
    fonts: &Fonts,
    setting: Option<&Setting>,
    fallbacks: &[String],
) -> Vec<String> {
    let named = match setting.map(|setting| &setting.face) {
        Some(Face::Library(face)) => engine.name_of(face),
        Some(Face::Inter { .. } | Face::Replaced) | None => None,
    };
    let inter = [INTER, INTER_UPRIGHT].map(str::to_owned);
    let style = setting.map(|setting| (setting.style.weight, setting.style.is_italic));
    let (weight, is_italic) = style.unwrap_or((400.0, false));
    let others =
        fallbacks.iter().filter_map(|name| registered(engine, fonts, name, weight, is_italic));
    let others: Vec<String> = others.collect();
    named.into_iter().chain(inter).chain(others).collect()
}

fn registered(
    engine: &mut Engine,
    fonts: &Fonts,
    family: &str,
    weight: f32,
    is_italic: bool,
) -> Option<String> {
    engine.name_of(&*fonts.face(family, weight, is_italic)?)
}

fn family_list(names: &[String]) -> FontFamily<'_> {
    let names: Vec<_> = names.iter().map(|name| FontFamilyName::named(name)).collect();
    FontFamily::List(names.into())
}

fn push(builder: &mut RangedBuilder<'_, u32>, setting: &Setting, range: &Range<usize>) {
    let style = &setting.style;
    let slant = if style.is_italic { FontStyle::Italic } else { FontStyle::Normal };
    builder.push(StyleProperty::FontSize(style.glyph_size() as f32), range.clone());
    builder.push(FontWeight::new(style.weight), range.clone());
    builder.push(StyleProperty::FontStyle(slant), range.clone());
    builder.push(StyleProperty::LetterSpacing(style.letter_spacing as f32), range.clone());
    let axes = [
        FontVariation::new(Tag::new(b"opsz"), setting.face.optical_size()),
        FontVariation::new(Tag::new(b"wght"), style.weight),
    ];
    builder.push(FontVariations::List(axes.as_slice().into()), range.clone());
    let features = features(setting);
    if !features.is_empty() {
        builder.push(FontFeatures::List(features.into()), range.clone());
    }
}

/// Figma writes the tags of features in capitals, fonts in small letters.
fn features(setting: &Setting) -> Vec<FontFeature> {
    let flags = setting.style.opentype.iter();
    let mut features: Vec<_> = flags.filter_map(|(tag, value)| feature(tag, *value)).collect();
    if setting.style.form == Form::Full && setting.face.has_small_capitals() {
        let on = |tag: &[u8; 4]| FontFeature::new(Tag::new(tag), 1);
        match setting.style.case {
            TextCase::SmallCaps => features.push(on(b"smcp")),
            TextCase::SmallCapsForced => features.extend([on(b"smcp"), on(b"c2sc")]),
            _ => {}
        }
    }
    features
}

fn feature(tag: &str, value: u32) -> Option<FontFeature> {
    let tag: [u8; 4] = tag.as_bytes().try_into().ok()?;
    let is_tag = tag.iter().all(u8::is_ascii_alphanumeric);
    let value = u16::try_from(value).unwrap_or(u16::MAX);
    is_tag.then(|| FontFeature::new(Tag::new(&tag.map(|c| c.to_ascii_lowercase())), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_features_are_read_in_capitals_and_others_are_none() {
        assert_eq!(feature("TNUM", 1), Some(FontFeature::new(Tag::new(b"tnum"), 1)));
        assert_eq!(feature("SS01", u32::MAX), Some(FontFeature::new(Tag::new(b"ss01"), u16::MAX)));
        for none in ["", "tnu", "tnums", "tn\"m", "tnü"] {
            assert_eq!(feature(none, 1), None, "{none}");
        }
    }
}
