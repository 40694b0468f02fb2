//! Texts that stay text: `<text>` with a `<tspan>` for each line, and one for each style within it.
//!
//! Lines stand where this program's layout puts them; within a line the reader's fonts decide. Inter's
//! optical size is held at 14, as in [`super::super::text`].

use std::collections::BTreeMap;
use std::ops::Range;

use crate::base::{Affine, Size, Vector};
use crate::design::{Paint, StyleOverride, TextAlign, TextCase, TextContent, TextDecoration};

use super::super::scene::{SceneNode, mixes};
use super::super::shader::is_seen;
use super::super::text::{Line, TextLayout, layout};
use super::gradient::matrix;
use super::markup::{Attributes, Markup, escape};
use super::number::coefficient;
use super::paint::Fill;
use super::walk::{Clip, Exporter};

/// The value of a property for one style, by the property's name.
type Properties = BTreeMap<&'static str, String>;

/// Writes the fills of a text; `false` if `<text>` cannot have them, which is said.
pub(super) fn write(
    exporter: &mut Exporter<'_>,
    node: &SceneNode<'_>,
    (clip, attributes): (&Clip, &Attributes),
    to: &mut Markup,
) -> bool {
    let Some(content) = node.node.text() else { return false };
    let set = layout(content, node.node.size);
    let Some(styles) = styles(exporter, node, content, &set) else {
        let message =
            "a text of several fills, blends or pictures cannot stay text: exported as outlines";
        exporter.diagnostics.add(&node.node.id, message);
        return false;
    };
    let sheet_from_text = exporter.sheet_from(node);
    let is_turned = !sheet_from_text.is_translation();
    let shift = if is_turned {
        Vector::default()
    } else {
        Vector { x: sheet_from_text.e, y: sheet_from_text.f }
    };
    let writer = Writer { exporter, content, set: &set, styles: &styles, shift };
    let (own, inside) = (writer.text_attributes(), writer.lines(node.node.size));
    if !is_turned {
        let own = own.and(attributes).with_some("clip-path", clip.pending());
        to.one_line("text", &own, &inside);
        return true;
    }
    let mut text = Markup::default();
    text.one_line("text", &own.with("transform", matrix(sheet_from_text)), &inside);
    // A clip and what the node does are in the space of the picture, not of the letters.
    let around = attributes.clone().with_some("clip-path", clip.pending());
    if around.is_empty() {
        to.append(&text);
    } else {
        to.around("g", &around, &text);
    }
    true
}

/// The properties of every style that occurs, and of the text itself (0); `None` if one of them
/// cannot be said in `<text>`.
fn styles(
    exporter: &mut Exporter<'_>,
    node: &SceneNode<'_>,
    content: &TextContent,
    set: &TextLayout,
) -> Option<BTreeMap<u32, Properties>> {
    let keys = std::iter::once(0).chain(set.spans.iter().map(|(_, key)| *key));
    keys.map(|key| {
        let mut properties = letters(content, key);
        properties.extend(fill(exporter, node, content, key)?);
        Some((key, properties))
    })
    .collect()
}

/// The one fill of a style.
fn fill(
    exporter: &mut Exporter<'_>,
    node: &SceneNode<'_>,
    content: &TextContent,
    key: u32,
) -> Option<Properties> {
    let own = content.overrides.get(&key).and_then(|style| style.fills.as_ref());
    let paints: Vec<&Paint> =
        own.unwrap_or(&node.node.fills).iter().filter(|paint| is_seen(paint)).collect();
    let (value, opacity) = match paints.as_slice() {
        [] => ("none".to_owned(), 1.0),
        [paint] if !mixes(paint.blend_mode) => {
            let sheet_from_text = exporter.sheet_from(node);
            let is_turned = !sheet_from_text.is_translation();
            let space = if is_turned { Affine::IDENTITY } else { sheet_from_text };
            match exporter.fill_in(node, paint, space)? {
                Fill::Server { value, opacity } => (value, opacity),
                Fill::Picture => return None,
            }
        }
        _ => return None,
    };
    Some([("fill", value), ("fill-opacity", coefficient(opacity))].into_iter().collect())
}

/// What a style says of its letters.
fn letters(content: &TextContent, key: u32) -> Properties {
    let default = StyleOverride::default();
    let (base, own) = (&content.style, content.overrides.get(&key).unwrap_or(&default));
    let family = own.font_family.as_deref().unwrap_or(&base.font_family);
    let weight = own.font_weight.unwrap_or(base.font_weight);
    let weight = if weight.is_finite() { weight.clamp(100.0, 900.0).round() } else { 400.0 };
    let is_italic = own.italic.unwrap_or(base.italic);
    let decoration = match own.decoration.unwrap_or(base.decoration) {
        TextDecoration::None => "none",
        TextDecoration::Underline => "underline",
        TextDecoration::Strikethrough => "line-through",
    };
    let variant = match own.case.unwrap_or(base.case) {
        TextCase::SmallCaps | TextCase::SmallCapsForced => "small-caps",
        _ => "normal",
    };
    [
        ("font-family", families(family)),
        ("font-size", coefficient(own.font_size.unwrap_or(base.font_size))),
        ("font-weight", coefficient(weight)),
        ("font-style", if is_italic { "italic" } else { "normal" }.to_owned()),
        ("font-variant", variant.to_owned()),
        ("letter-spacing", coefficient(own.letter_spacing.unwrap_or(base.letter_spacing))),
        ("text-decoration", decoration.to_owned()),
    ]
    .into_iter()
    .collect()
}

/// The family, and Inter for where it is missing.
fn families(family: &str) -> String {
    let quoted: String = family.trim().chars().filter(|c| !"'\"\\".contains(*c)).collect();
    if quoted.is_empty() || quoted.eq_ignore_ascii_case("Inter") {
        "Inter, sans-serif".to_owned()
    } else {
        format!("'{quoted}', Inter, sans-serif")
    }
}

/// What a property is where nothing is said.
fn initial(name: &str) -> &'static str {
    match name {
        "font-weight" => "400",
        "fill-opacity" => "1",
        "letter-spacing" => "0",
        "font-style" | "font-variant" => "normal",
        "text-decoration" => "none",
        _ => "",
    }
}

struct Writer<'a> {
    exporter: &'a Exporter<'a>,
    content: &'a TextContent,
    set: &'a TextLayout,
    styles: &'a BTreeMap<u32, Properties>,
    /// From the text's box to the picture, where the text has no map of its own.
    shift: Vector,
}

impl Writer<'_> {
    fn text_attributes(&self) -> Attributes {
        let start = Attributes::default()
            .with("xml:space", "preserve")
            .with("font-variation-settings", "'opsz' 14");
        let base = self.styles.get(&0).into_iter().flatten();
        base.filter(|(name, value)| initial(name) != value.as_str())
            .fold(start, |attributes, (name, value)| attributes.with(name, value))
    }

    fn lines(&self, size: Size) -> String {
        let spacing = self.word_spacing(size);
        let mut inside = String::new();
        for (index, line) in self.set.lines.iter().enumerate() {
            let extra = spacing.get(index).copied().unwrap_or(0.0);
            let mut place = Attributes::default()
                .with("x", self.exporter.sheet.number(line.x0 + self.shift.x))
                .with("y", self.exporter.sheet.number(line.baseline_y + self.shift.y));
            for (range, key) in self.runs(line) {
                let words = self.set.text.get(range).unwrap_or_default();
                let word_spacing = (extra > 0.01).then(|| coefficient(extra));
                let attributes = std::mem::take(&mut place)
                    .and(&self.differences(key))
                    .with_some("word-spacing", word_spacing);
                push_span(&attributes, words, &mut inside);
            }
        }
        inside
    }

    /// The parts of a line in one style each, without the space at its end.
    fn runs(&self, line: &Line) -> impl Iterator<Item = (Range<usize>, u32)> {
        let words = self.set.text.get(line.text_range.clone()).unwrap_or_default();
        let (start, end) = (line.text_range.start, line.text_range.start + words.trim_end().len());
        let spans = self.set.spans.iter();
        spans.filter_map(move |(range, key)| {
            let part = range.start.max(start)..range.end.min(end);
            (!part.is_empty()).then_some((part, *key))
        })
    }

    /// What a style says otherwise than the text itself.
    fn differences(&self, key: u32) -> Attributes {
        let base = self.styles.get(&0);
        let own = self.styles.get(&key).into_iter().flatten();
        own.filter(|(name, value)| base.and_then(|base| base.get(*name)) != Some(value))
            .fold(Attributes::default(), |attributes, (name, value)| attributes.with(name, value))
    }

    /// How much wider than in the font each space of a line is; nothing unless lines are justified.
    fn word_spacing(&self, size: Size) -> Vec<f64> {
        if self.content.style.align != TextAlign::Justified {
            return Vec::new();
        }
        let mut loose = self.content.clone();
        loose.style.align = TextAlign::Left;
        let natural = layout(&loose, size).lines;
        let both = self.set.lines.iter().zip(natural);
        both.map(|(line, natural)| {
            let words = self.set.text.get(line.text_range.clone()).unwrap_or_default();
            let spaces = words.trim_end().chars().filter(|c| c.is_whitespace()).count().max(1);
            ((line.x1 - line.x0) - (natural.x1 - natural.x0)) / spaces as f64
        })
        .collect()
    }
}

fn push_span(attributes: &Attributes, words: &str, to: &mut String) {
    to.push_str("<tspan");
    to.push_str(attributes.as_str());
    to.push('>');
    escape(words, to);
    to.push_str("</tspan>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_cannot_leave_its_quotes() {
        assert_eq!(families("SF Pro"), "'SF Pro', Inter, sans-serif");
        assert_eq!(families("a', serif; \"b"), "'a, serif; b', Inter, sans-serif");
        assert_eq!(families(" inter "), "Inter, sans-serif");
    }

    #[test]
    fn a_style_says_only_what_is_not_usual() {
        let properties = letters(&TextContent::default(), 0);
        let said = properties.iter().filter(|(name, value)| initial(name) != value.as_str());
        let names: Vec<_> = said.map(|(name, _)| *name).collect();
        assert_eq!(names, ["font-family", "font-size"]);
    }
}
