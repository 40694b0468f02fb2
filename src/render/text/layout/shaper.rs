//! The shaping engine, and styles of the document in its words.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use parley::fontique::FontInfoOverride;
use parley::setting::Tag;
use parley::{
    CHROMIUM_LINE_BREAK_OVERRIDE, FontContext, FontFamily, FontFamilyName, FontFeature,
    FontFeatures, FontStyle, FontVariation, FontVariations, FontWeight, Layout, LayoutContext,
    OverflowWrap, RangedBuilder, StyleProperty,
};

use crate::design::TextCase;
use crate::render::text::font::emoji;
use crate::render::text::font::fallback::{self, Han};
use crate::render::text::font::library::{Fonts, LibraryFace};
use crate::render::text::font::vendored::{INTER, INTER_UPRIGHT, VENDORED};

use super::family::Typeface;
use super::spans::Setting;
use super::style::LetterForm;

/// What texts are shaped with: the fonts, and the engine over them.
pub(crate) struct Shaper {
    fonts: Arc<Fonts>,
    engine: RefCell<Engine>,
}

impl fmt::Debug for Shaper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shaper").field("fonts", &self.fonts).finish_non_exhaustive()
    }
}

impl Shaper {
    pub(crate) fn new(fonts: Arc<Fonts>) -> Self {
        let engine = Engine {
            fonts: FontContext { collection: VENDORED.clone(), ..FontContext::default() },
            scratch: LayoutContext::new(),
            registered: HashMap::new(),
        };
        Self { fonts, engine: RefCell::new(engine) }
    }

    pub(crate) fn fonts(&self) -> &Fonts {
        &self.fonts
    }
}

/// What shaping needs beside the text. The brush of a style is its index.
struct Engine {
    fonts: FontContext,
    scratch: LayoutContext<u32>,
    /// What the fonts beside Inter that were registered are called here.
    registered: HashMap<String, Option<String>>,
}

impl Engine {
    /// The family name under which `face` can be asked for; `None` if it is no font after all.
    fn name_of(&mut self, face: &LibraryFace) -> Option<String> {
        if let Some(known) = self.registered.get(&face.id) {
            return known.clone();
        }
        let name = self.register(face);
        self.registered.insert(face.id.clone(), name.clone());
        name
    }

    fn register(&mut self, face: &LibraryFace) -> Option<String> {
        let collection = &mut self.fonts.collection;
        let named =
            FontInfoOverride { family_name: Some(face.id.as_str()), ..FontInfoOverride::default() };
        let families = collection.register_fonts(face.font.data.clone(), Some(named));
        let (family, _) = families.first()?;
        collection.family_name(*family).map(str::to_owned)
    }
}

/// A text without ends of paragraphs, with the settings its spans count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShaperText<'p> {
    pub(crate) text: &'p str,
    /// Byte ranges with their setting; they cover the text in order.
    pub(crate) spans: &'p [(Range<usize>, usize)],
    pub(crate) settings: &'p [Setting],
}

/// Shapes the text; lines are not broken yet. The brush of a glyph is the number of its setting.
pub(crate) fn shape(shaper: &Shaper, source: ShaperText<'_>) -> Layout<u32> {
    let fonts = shaper.fonts();
    let fallbacks = fallback_families(fonts, source.text);
    let pictures = emoji::pictures(source.text);
    let emoji = (!pictures.is_empty()).then(|| emoji_family(fonts)).flatten();
    let engine = &mut *shaper.engine.borrow_mut();
    // Names first: registering a font and building the layout both need the engine.
    let stacks: Vec<_> = source
        .spans
        .iter()
        .map(|(_, setting)| stack(engine, fonts, source.settings.get(*setting), &fallbacks))
        .collect();
    let mut of_pictures = Vec::new();
    if !pictures.is_empty() {
        // The font for emoji before Inter, which has letter-like forms of some of them.
        of_pictures.extend(emoji.and_then(|name| registered(engine, fonts, &name, 400.0, false)));
        of_pictures.extend(stack(engine, fonts, None, &fallbacks));
    }
    let Engine { scratch, fonts, .. } = engine;
    let mut builder = scratch.ranged_builder(fonts, source.text, 1.0, false);
    // Breaks where Chromium breaks: designs are compared with what browsers show.
    builder.set_line_break_override(Some(CHROMIUM_LINE_BREAK_OVERRIDE));
    // A word longer than the line is broken too.
    builder.push_default(StyleProperty::OverflowWrap(OverflowWrap::BreakWord));
    for ((range, index), stack) in source.spans.iter().zip(&stacks) {
        if let Some(setting) = source.settings.get(*index) {
            push(&mut builder, setting, range);
            builder.push(StyleProperty::Brush(*index as u32), range.clone());
            builder.push(family_list(stack), range.clone());
        }
    }
    // Last, so that it holds over the family of the style.
    for range in pictures {
        builder.push(family_list(&of_pictures), range);
    }
    builder.build(source.text)
}

/// The families for the characters of `text` that Inter lacks, each once, in the order of need; those
/// of emoji come last.
fn fallback_families(fonts: &Fonts, text: &str) -> Vec<String> {
    let mut families: Vec<String> = Vec::new();
    if text.is_ascii() {
        return families;
    }
    let han = Han::of(text);
    for character in
        text.chars().filter(|c| !c.is_ascii() && fallback::is_shown(*c) && !fallback::inter_has(*c))
    {
        if let Some(family) = fonts.fallback_family(character, han)
            && !families.contains(&family)
        {
            families.push(family);
        }
    }
    // Pictures are asked for on their own; no other character is to become one.
    families.sort_by_key(|family| fallback::EMOJI.contains(&family.as_str()));
    families
}

/// The family for emoji in colour, if there is one.
fn emoji_family(fonts: &Fonts) -> Option<String> {
    fonts.fallback_family('😀', Han::Chinese)
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
        Some(Typeface::Library(face)) => engine.name_of(face),
        Some(Typeface::Inter { .. } | Typeface::Replaced) | None => None,
    };
    // The upright after the italic: it has a few characters more.
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
        // Inter's cut goes by the family, not by the size of the letters.
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
    if setting.style.form == LetterForm::Full && setting.face.has_small_capitals() {
        // `smcp` makes small capitals of small letters, `c2sc` of capitals.
        let tags: &[_] = match setting.style.case {
            TextCase::SmallCaps => &[b"smcp"],
            TextCase::SmallCapsForced => &[b"smcp", b"c2sc"],
            _ => &[],
        };
        features.extend(tags.iter().map(|tag| FontFeature::new(Tag::new(tag), 1)));
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
    use crate::render::text::font::library::FontSource;

    #[test]
    fn tags_of_features_are_read_in_capitals_and_others_are_none() {
        assert_eq!(feature("TNUM", 1), Some(FontFeature::new(Tag::new(b"tnum"), 1)));
        assert_eq!(feature("SS01", u32::MAX), Some(FontFeature::new(Tag::new(b"ss01"), u16::MAX)));
        for none in ["", "tnu", "tnums", "tn\"m", "tnü"] {
            assert_eq!(feature(none, 1), None, "{none}");
        }
    }

    #[test]
    fn inter_sets_latin_greek_and_cyrillic_and_nothing_is_looked_for() {
        assert!(
            "Grüße, Ελλάδα, Привет — €½…"
                .chars()
                .all(|c| fallback::inter_has(c) || !fallback::is_shown(c))
        );
        let text = "Grüße, Ελλάδα, Привет\u{200B}\u{2028}\u{FE0F}";
        assert_eq!(fallback_families(&Fonts::new(FontSource::Machine), text), Vec::<String>::new());
    }
}
