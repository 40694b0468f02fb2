//! The glyphs of a TEXT node as areas to paint.

use serde_json::Value;
use tiny_skia::FillRule;

use crate::design::{Node, Paint, TextContent};

use super::super::diagnostic::Diagnostics;
use super::super::scene::{Ink, report_paints};
use super::super::shader;
use super::super::shape::FilledPath;
use super::glyph::combined_path;
use super::layout::{self, TextLayout};
use super::letter_case::LetterCase;
use super::{MAX_CHARACTERS, shaping};

/// What the fills of a text paint: a line at a time, each style under its own fills.
pub(in super::super) fn fills<'d>(node: &'d Node, diagnostics: &mut Diagnostics) -> Vec<Ink<'d>> {
    let Some(content) = node.text() else { return Vec::new() };
    let layout = laid_out(node, content);
    report(node, content, &layout, diagnostics);
    let mut ink = Vec::new();
    for style in styles(&layout) {
        let paints = fills_of(node, content, style);
        report_paints(node, paints, diagnostics);
        let areas: Vec<_> = line_areas(&layout, Some(style)).collect();
        for paint in paints.iter().filter(|paint| shader::is_seen(paint)) {
            ink.extend(areas.iter().map(|area| Ink { area: area.clone(), kept: None, paint }));
        }
    }
    ink
}

/// The outlines of all glyphs, a line at a time.
pub(in super::super) fn outlines(node: &Node) -> Vec<FilledPath> {
    let Some(content) = node.text() else { return Vec::new() };
    line_areas(&laid_out(node, content), None).collect()
}

fn laid_out(node: &Node, content: &TextContent) -> TextLayout {
    layout::in_box(content, LetterCase::of(node).0, node.size)
}

/// The override keys that occur, in rising order.
fn styles(layout: &TextLayout) -> Vec<u32> {
    let glyphs = layout.lines.iter().flat_map(|line| &line.glyphs);
    let mut keys: Vec<u32> = glyphs.map(|glyph| glyph.style).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn fills_of<'d>(node: &'d Node, content: &'d TextContent, style: u32) -> &'d [Paint] {
    let own = content.overrides.get(&style).and_then(|style| style.fills.as_ref());
    own.unwrap_or(&node.fills)
}

/// The glyphs of one style, or of all, a line at a time.
fn line_areas(layout: &TextLayout, style: Option<u32>) -> impl Iterator<Item = FilledPath> {
    layout.lines.iter().filter_map(move |line| {
        let has_style = |glyph_style: u32| style.is_none_or(|style| style == glyph_style);
        let glyphs = line.glyphs.iter().filter(|glyph| has_style(glyph.style));
        combined_path(layout, glyphs).map(|path| FilledPath::new(path, FillRule::Winding))
    })
}

fn report(node: &Node, content: &TextContent, layout: &TextLayout, diagnostics: &mut Diagnostics) {
    if !content.characters.is_empty() && !shaping::is_font_size(content.style.font_size) {
        let message = format!("not drawn: no text has {} pixels an em", content.style.font_size);
        diagnostics.add(&node.id, message);
    }
    for family in &layout.replaced_families {
        diagnostics.add(&node.id, format!("the font {family} is not available: set in Inter"));
    }
    for character in &layout.missing {
        let code = u32::from(*character);
        let message = format!("Inter has no glyph for {character} (U+{code:04X}): drawn as a box");
        diagnostics.add(&node.id, message);
    }
    if layout.is_cut {
        let message =
            format!("the text is longer than {MAX_CHARACTERS} characters: the rest is cut");
        diagnostics.add(&node.id, message);
    }
    if let (_, Some(case)) = LetterCase::of(node) {
        diagnostics.add(&node.id, format!("the text case {case} is not drawn"));
    }
    let decoration = node.source.get("style").and_then(|style| style.get("textDecoration"));
    if let Some(line) = decoration.and_then(Value::as_str).filter(|line| *line != "NONE") {
        diagnostics.add(&node.id, format!("the text decoration {line} is not drawn"));
    }
}
