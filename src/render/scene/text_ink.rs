//! The glyphs of a TEXT node as areas to paint.

use std::sync::Arc;

use crate::design::{Images, Node, TextContent};
use crate::render::diagnostic::Diagnostics;
use crate::render::paint_facts::{self, is_seen};
use crate::render::text::layout::spans::MAX_CHARACTERS;
use crate::render::text::layout::style;
use crate::render::text::layout::text_layout::TextLayout;
use crate::render::text::typesetter::{Typesetter, fills_of};

use super::Ink;

/// What the fills of a text paint: each style under its own fills, a word at a time.
pub(crate) fn fills<'d>(
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
    // The areas come by style, so each style's are one chunk.
    for areas in set.areas.chunk_by(|(style, _), (next, _)| style == next) {
        let Some((style, _)) = areas.first() else { continue };
        let paints = fills_of(node, content, *style);
        paint_facts::report(node, paints, images, diagnostics);
        for paint in paints.iter().filter(|paint| is_seen(paint)) {
            ink.extend(areas.iter().map(|(_, area)| Ink::new(area.clone(), paint)));
        }
    }
    // Glyphs in their own colours come last: where they overlap letters, they lie above.
    ink.extend(set.colored.iter().filter_map(Ink::of_glyph));
    ink
}

fn report(node: &Node, content: &TextContent, layout: &TextLayout, diagnostics: &mut Diagnostics) {
    if !content.characters.is_empty() && !style::is_font_size(content.style.font_size) {
        let message = format!("not drawn: no text has {} pixels an em", content.style.font_size);
        diagnostics.add(&node.id, message);
    }
    let fitted = match layout.fitting {
        None => String::new(),
        // Letters become smaller only after they were set as close as may be.
        Some(by) if by.scale < 1.0 => {
            let smaller = 100.0 * (1.0 - by.scale);
            format!(", fitted to the lines of its box: size −{smaller:.0} %, set closer")
        }
        Some(by) => {
            let closer = -100.0 * by.tracking;
            format!(", fitted to the lines of its box: letters {closer:.1} % of an em closer")
        }
    };
    for family in &layout.replaced_families {
        let message = format!("the font {family} is not available: set in Inter{fitted}");
        diagnostics.add(&node.id, message);
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
