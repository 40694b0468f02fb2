//! The glyphs of a TEXT node as areas to paint.

use std::sync::Arc;

use crate::base::Rgba;
use crate::design::{Images, Node, Paint, PaintKind, TextContent};

use super::layout::TextLayout;
use super::typesetter::Typesetter;
use super::{MAX_CHARACTERS, style};
use crate::render::diagnostic::Diagnostics;
use crate::render::scene::{Ink, report_paints};
use crate::render::shader;
use crate::render::shape::FilledPath;

/// What the fills of a text paint: each style under its own fills, a word at a time.
pub(in crate::render) fn fills<'d>(
    typesetter: &Typesetter,
    node: &'d Arc<Node>,
    images: &Images,
    diagnostics: &mut Diagnostics,
) -> Vec<Ink<'d>> {
    let (Some(content), Some(set)) = (node.text(), typesetter.typeset(node)) else {
        return Vec::new();
    };
    report(node, content, &set.layout, diagnostics);
    let mut ink = Vec::new();
    for areas in set.areas.chunk_by(|(style, _), (next, _)| style == next) {
        let Some((style, _)) = areas.first() else { continue };
        let paints = fills_of(node, content, *style);
        report_paints(node, paints, images, diagnostics);
        for paint in paints.iter().filter(|paint| shader::is_seen(paint)) {
            ink.extend(areas.iter().map(|(_, area)| Ink::new(area.clone(), paint)));
        }
    }
    ink.extend(set.colored.iter().filter_map(Ink::of_glyph));
    ink
}

/// The outlines of all glyphs, a word at a time.
pub(in crate::render) fn outlines(typesetter: &Typesetter, node: &Arc<Node>) -> Vec<FilledPath> {
    let set = typesetter.typeset(node);
    set.map(|set| set.areas.iter().map(|(_, area)| area.clone()).collect()).unwrap_or_default()
}

/// The one colour that stands for the fills of a style in glyphs with colours of their own: that of
/// the topmost fill, of a gradient its first; black for a picture, nothing without a fill.
pub(super) fn letter_color(node: &Node, content: &TextContent, style: u32) -> Rgba {
    let fills = fills_of(node, content, style);
    let Some(top) = fills.iter().rfind(|paint| shader::is_seen(paint)) else {
        return Rgba::TRANSPARENT;
    };
    let color = match &top.kind {
        PaintKind::Solid(color) => *color,
        PaintKind::Gradient(gradient) => {
            gradient.stops.first().map_or(Rgba::TRANSPARENT, |stop| stop.color)
        }
        PaintKind::Image(_) | PaintKind::Other(_) => Rgba::BLACK,
    };
    color.with_alpha(color.a * shader::unit(top.opacity))
}

fn fills_of<'d>(node: &'d Node, content: &'d TextContent, style: u32) -> &'d [Paint] {
    let own = content.overrides.get(&style).and_then(|style| style.fills.as_ref());
    own.unwrap_or(&node.fills)
}

fn report(node: &Node, content: &TextContent, layout: &TextLayout, diagnostics: &mut Diagnostics) {
    if !content.characters.is_empty() && !style::is_font_size(content.style.font_size) {
        let message = format!("not drawn: no text has {} pixels an em", content.style.font_size);
        diagnostics.add(&node.id, message);
    }
    for family in &layout.replaced_families {
        diagnostics.add(&node.id, format!("the font {family} is not available: set in Inter"));
    }
    for family in &layout.machine_families {
        diagnostics.add(&node.id, format!("set in {family}, found on this machine"));
    }
    for character in &layout.missing {
        let code = u32::from(*character);
        let message = format!("no font has a glyph for {character} (U+{code:04X}): drawn as a box");
        diagnostics.add(&node.id, message);
    }
    if layout.is_cut {
        let message =
            format!("the text is longer than {MAX_CHARACTERS} characters: the rest is cut");
        diagnostics.add(&node.id, message);
    }
}
