//! The letters of a text as areas to paint.

use tiny_skia::{FillRule, Path, PathBuilder, Rect as SkiaRect};

use crate::render::geometry::filled_path::FilledPath;
use crate::render::text::font::face::Face;
use crate::render::text::layout::text_layout::{Decoration, Line, PlacedGlyph, TextLayout};

use super::outlines::{OutlineCache, combined_path};

/// The words of `layout` but for its coloured glyphs, with the key of their override, by style, then
/// from the top.
///
/// A whole line would be one area as well, but the rasteriser's work grows with the edges that a scan
/// line crosses in one path. Only letters with a line along them are one area with it, so that no
/// place is painted twice.
pub(crate) fn of(outlines: &OutlineCache, layout: &TextLayout) -> Vec<(u32, FilledPath)> {
    let areas = styles(layout).into_iter().flat_map(|style| {
        let of_line =
            layout.lines.iter().flat_map(move |line| line_areas(outlines, layout, line, style));
        of_line
            .map(move |path| (style, FilledPath::new(path, FillRule::Winding).with_coverage_kept()))
    });
    areas.collect()
}

/// The override keys that occur, in rising order.
fn styles(layout: &TextLayout) -> Vec<u32> {
    let glyphs = layout.lines.iter().flat_map(|line| line.glyphs.iter().map(|glyph| glyph.style));
    let lines = layout.lines.iter().flat_map(|line| line.decorations.iter().map(|d| d.style));
    let mut keys: Vec<u32> = glyphs.chain(lines).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn line_areas(outlines: &OutlineCache, layout: &TextLayout, line: &Line, style: u32) -> Vec<Path> {
    // Coloured glyphs are painted by themselves.
    let own = line.glyphs.iter().filter(|glyph| glyph.style == style);
    let plain = own.filter(|glyph| {
        layout.faces.get(glyph.face).is_some_and(|face| !face.is_colored(glyph.id))
    });
    let glyphs: Vec<_> = plain.collect();
    let mut decorations = line.decorations.iter().filter(|d| d.style == style).peekable();
    if decorations.peek().is_some() {
        return decorated(outlines, layout, &glyphs, decorations).into_iter().collect();
    }
    let words = glyphs.chunk_by(|glyph, next| adjoins(layout, glyph, next));
    words.filter_map(|word| combined_path(outlines, layout, word.iter().copied())).collect()
}

/// Letters and the lines along them. The lines run around as the letters do: where both are, the
/// winding numbers add up.
fn decorated<'l>(
    outlines: &OutlineCache,
    layout: &TextLayout,
    glyphs: &[&PlacedGlyph],
    decorations: impl Iterator<Item = &'l Decoration>,
) -> Option<Path> {
    let face = glyphs.first().and_then(|glyph| layout.faces.get(glyph.face));
    let is_clockwise = face.is_none_or(Face::is_clockwise);
    let mut path = PathBuilder::new();
    for decoration in decorations {
        let area = decoration.area;
        let [x, y, width, height] =
            [area.x, area.y, area.width, area.height].map(|value| value as f32);
        let Some(rect) = SkiaRect::from_xywh(x, y, width, height) else { continue };
        push_rect(&mut path, rect, is_clockwise);
    }
    if let Some(letters) = combined_path(outlines, layout, glyphs.iter().copied()) {
        path.push_path(&letters);
    }
    path.finish()
}

fn push_rect(path: &mut PathBuilder, rect: SkiaRect, is_clockwise: bool) {
    if is_clockwise {
        path.push_rect(rect);
        return;
    }
    path.move_to(rect.left(), rect.top());
    path.line_to(rect.left(), rect.bottom());
    path.line_to(rect.right(), rect.bottom());
    path.line_to(rect.right(), rect.top());
    path.close();
}

/// Whether there is no space between two glyphs of a line.
fn adjoins(layout: &TextLayout, glyph: &PlacedGlyph, next: &PlacedGlyph) -> bool {
    let size = layout.faces.get(glyph.face).map_or(0.0, |face| face.size);
    let gap = next.x - (glyph.x + glyph.advance);
    // Kerning and tracking are in the advance; what is left is rounding, or a space without a glyph.
    gap.abs() < 0.1 * size
}
