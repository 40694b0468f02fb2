//! Texts that stay text: `<text>` with a `<tspan>` for each line, and one for each style within it.
//!
//! Lines stand where this program's layout puts them; within a line the reader's fonts decide.
//! Inter's optical size is said, as readers would else choose it by the font size. Lists are not
//! written as text, as SVG has no place for their markers.

use std::collections::BTreeMap;

use crate::base::{Affine, Size, Vector};
use crate::design::{LineType, Paint, TextAlign, TextContent, TextDecoration};
use crate::render::paint_facts::{is_seen, mixes};
use crate::render::scene::SceneNode;
use crate::render::text::layout;
use crate::render::text::layout::text_layout::{Line, Span, TextLayout};

use super::exporter::{Exporter, SvgClip};
use super::markup::{Attributes, Markup, escape};
use super::number::{coefficient, matrix};
use super::paint::Fill;

/// The values of properties by their names.
type Properties = BTreeMap<&'static str, String>;

/// Writes the fills of a text; `false` if `<text>` cannot have them, which is said.
pub(super) fn write(
    exporter: &mut Exporter<'_>,
    node: &SceneNode<'_>,
    (clip, attributes): (&SvgClip, &Attributes),
    to: &mut Markup,
) -> bool {
    let Some(content) = node.node.text() else { return false };
    let set = layout::in_box(&exporter.typesetter.shaper, content, node.node.size);
    let is_list = content.line_types.iter().any(|kind| *kind != LineType::None);
    let styles = if is_list { None } else { styles(exporter, node, content, &set) };
    let Some(styles) = styles else {
        let message = "a list, or a text of several fills, blends or pictures, cannot stay text: \
                       exported as outlines";
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
    let own = own.with_some("transform", is_turned.then(|| matrix(sheet_from_text)));
    if !is_turned && attributes.is_empty() {
        to.one_line("text", &own.with_some("clip-path", clip.pending()), &inside);
        return true;
    }
    // A clip is in the space of the picture, not of the letters, and the text has a style already.
    let mut text = Markup::default();
    text.one_line("text", &own, &inside);
    let around = attributes.clone().with_some("clip-path", clip.pending());
    if around.is_empty() {
        to.append(&text);
    } else {
        to.around("g", &around, &text);
    }
    true
}

/// The properties of every span; `None` if one of them cannot be said in `<text>`.
fn styles(
    exporter: &mut Exporter<'_>,
    node: &SceneNode<'_>,
    content: &TextContent,
    set: &TextLayout,
) -> Option<Vec<Properties>> {
    set.spans
        .iter()
        .map(|span| {
            let mut properties = letters(span);
            properties.extend(fill(exporter, node, content, span.style)?);
            Some(properties)
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

/// What a span says of its letters.
fn letters(span: &Span) -> Properties {
    let decoration = match span.decoration {
        TextDecoration::None => "none",
        TextDecoration::Underline => "underline",
        TextDecoration::Strikethrough => "line-through",
    };
    let features: Vec<_> = span.features.iter().filter_map(feature).collect();
    let features = if features.is_empty() { "normal".to_owned() } else { features.join(", ") };
    [
        ("font-family", families(&span.family)),
        ("font-size", coefficient(span.font_size)),
        ("font-weight", coefficient(span.weight.round())),
        ("font-style", if span.is_italic { "italic" } else { "normal" }.to_owned()),
        ("font-variation-settings", format!("'opsz' {}", coefficient(span.optical_size))),
        ("font-feature-settings", features),
        ("letter-spacing", coefficient(span.letter_spacing)),
        ("text-decoration", decoration.to_owned()),
    ]
    .into_iter()
    .collect()
}

/// A feature as CSS has it; `None` for a tag that is none.
fn feature((tag, value): (&String, &u32)) -> Option<String> {
    let is_tag = tag.len() == 4 && tag.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_tag.then(|| format!("'{}' {value}", tag.to_ascii_lowercase()))
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
        "font-style" | "font-feature-settings" => "normal",
        "text-decoration" => "none",
        _ => "",
    }
}

/// The properties as attributes; in `style` those that are no attributes.
fn said<'p>(properties: impl Iterator<Item = (&'p &'static str, &'p String)>) -> Attributes {
    let (styles, others): (Vec<_>, Vec<_>) =
        properties.partition(|(name, _)| name.ends_with("-settings"));
    let attributes = Attributes::default();
    let attributes = others
        .into_iter()
        .fold(attributes, |attributes, (name, value)| attributes.with(name, value));
    let styles: Vec<_> = styles.iter().map(|(name, value)| format!("{name}:{value}")).collect();
    attributes.with_some("style", (!styles.is_empty()).then(|| styles.join(";")))
}

struct Writer<'a> {
    exporter: &'a Exporter<'a>,
    content: &'a TextContent,
    set: &'a TextLayout,
    /// One for each span.
    styles: &'a [Properties],
    /// From the text's box to the picture, where the text has no map of its own.
    shift: Vector,
}

impl Writer<'_> {
    /// The properties of the text itself: those of its first span.
    fn text_attributes(&self) -> Attributes {
        let start = Attributes::default().with("xml:space", "preserve");
        let base = self.styles.first().into_iter().flatten();
        start.and(&said(base.filter(|(name, value)| initial(name) != value.as_str())))
    }

    fn lines(&self, size: Size) -> String {
        let spacing = self.word_spacing(size);
        let mut inside = String::new();
        for (index, line) in self.set.lines.iter().enumerate() {
            let extra = spacing.get(index).copied().unwrap_or(0.0);
            let mut place = Attributes::default()
                .with("x", self.exporter.sheet.number(line.x0 + self.shift.x))
                .with("y", self.exporter.sheet.number(line.baseline_y + self.shift.y));
            for (words, style) in self.runs(line) {
                let word_spacing = (extra > 0.01).then(|| coefficient(extra));
                let attributes = std::mem::take(&mut place)
                    .and(&self.differences(style))
                    .with_some("word-spacing", word_spacing);
                push_span(&attributes, words, &mut inside);
            }
        }
        inside
    }

    /// The parts of a line in one style each, without the space at its end.
    fn runs(&self, line: &Line) -> impl Iterator<Item = (&str, &Properties)> {
        let start = line.text_range.start;
        let end = start + self.words(line).len();
        let spans = self.set.spans.iter().zip(self.styles);
        spans.filter_map(move |(span, style)| {
            let part = span.range.start.max(start)..span.range.end.min(end);
            let words = self.set.text.get(part).unwrap_or_default();
            (!words.is_empty()).then_some((words, style))
        })
    }

    /// What a line says, without the space at its end.
    fn words(&self, line: &Line) -> &str {
        self.set.text.get(line.text_range.clone()).unwrap_or_default().trim_end()
    }

    /// What a style says otherwise than the text itself.
    fn differences(&self, style: &Properties) -> Attributes {
        let base = self.styles.first();
        said(
            style
                .iter()
                .filter(|(name, value)| base.and_then(|base| base.get(**name)) != Some(*value)),
        )
    }

    /// How much wider than in the font each space of a line is; nothing unless lines are justified.
    fn word_spacing(&self, size: Size) -> Vec<f64> {
        if self.content.style.align != TextAlign::Justified {
            return Vec::new();
        }
        // Set once more without justification: the difference is what the spaces took.
        let mut loose = self.content.clone();
        loose.style.align = TextAlign::Left;
        let natural = layout::in_box(&self.exporter.typesetter.shaper, &loose, size).lines;
        let both = self.set.lines.iter().zip(natural);
        both.map(|(line, natural)| {
            let spaces = self.words(line).chars().filter(|c| c.is_whitespace()).count().max(1);
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
    fn a_feature_is_a_tag_of_four_letters() {
        let said = |tag: &str| feature((&tag.to_owned(), &1));
        assert_eq!(said("TNUM").as_deref(), Some("'tnum' 1"));
        assert_eq!((said("a';b"), said("long tag")), (None, None));
    }
}
