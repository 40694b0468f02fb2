//! One line as it is being placed: what stands on it, from left to right.

use std::ops::Range;

use parley::{Cluster, Layout};

use crate::base::Rect;
use crate::design::TextDecoration;
use crate::render::text::font::face::Face;
use crate::render::text::font::fallback;
use crate::render::text::font::library::Fonts;

use super::block::Block;
use super::spans::{Prepared, Setting};
use super::text_layout::{Decoration, PlacedGlyph, TextLayout};

/// A line. The baseline is at 0 until [`Row::drop_to`].
#[derive(Debug, Default)]
pub(crate) struct Row {
    /// Left end of the text.
    pub(crate) x0: f64,
    /// Right end, without the space that hangs over the end of the line.
    pub(crate) x1: f64,
    pub(crate) glyphs: Vec<PlacedGlyph>,
    /// From the left, without what hangs.
    pieces: Vec<GlyphCluster>,
    /// Width of the parts of a ligature that stand before the one that has its glyphs: of what is
    /// read from the right, the first letter has them and is the last from the left.
    ligature_rest: f64,
}

/// What cannot be parted: a letter with its marks, a ligature, a space.
#[derive(Debug)]
struct GlyphCluster {
    x: f64,
    advance: f64,
    is_space: bool,
    setting: usize,
    glyphs: Range<usize>,
}

impl Row {
    /// Line `index` of `block`, from 0.
    pub(crate) fn of(
        fonts: &Fonts,
        block: &Block<'_>,
        index: usize,
        prepared: &Prepared,
        layout: &mut TextLayout,
    ) -> Self {
        let Some(set) = &block.set else { return Self::default() };
        let text = prepared.text.get(block.paragraph.range.clone()).unwrap_or_default();
        Self::of_text(fonts, set, index, text, &prepared.settings, layout)
    }

    /// Line `index` of `set`, which is `text` shaped, from 0. Fonts and missing characters are noted
    /// in `layout`.
    pub(crate) fn of_text(
        fonts: &Fonts,
        set: &Layout<u32>,
        index: usize,
        text: &str,
        settings: &[Setting],
        layout: &mut TextLayout,
    ) -> Self {
        let mut row = Self::default();
        let Some(line) = set.get(index) else { return row };
        let own = text.get(line.text_range()).unwrap_or_default();
        let hangs_from = line.text_range().start + own.trim_end_matches(hangs).len();
        for run in line.runs() {
            let mut face = None;
            for cluster in run.visual_clusters() {
                // Space at the end of a line hangs over it and has no part in its width.
                if cluster.text_range().start >= hangs_from {
                    continue;
                }
                let shown = text.get(cluster.text_range()).unwrap_or_default();
                let is_space = shown.chars().all(char::is_whitespace);
                let face = (!is_space)
                    .then(|| *face.get_or_insert_with(|| face_index(fonts, &run, layout)));
                row.push(&cluster, face, settings);
                if !is_space {
                    note_missing(&cluster, shown, &mut layout.missing);
                }
            }
        }
        row
    }

    /// Adds a cluster at the right; `face` is `None` for space.
    fn push(&mut self, cluster: &Cluster<'_, u32>, face: Option<usize>, settings: &[Setting]) {
        let setting = cluster.style().brush as usize;
        let style = settings.get(setting).map_or(0, |setting| setting.style.key);
        let (start, mut x) = (self.glyphs.len(), self.x1 - self.ligature_rest);
        let text_start = cluster.text_range().start;
        for glyph in cluster.glyphs() {
            let advance = f64::from(glyph.advance);
            if let Some(face) = face {
                let (x, y) = (x + f64::from(glyph.x), f64::from(glyph.y));
                let id = glyph.id;
                self.glyphs.push(PlacedGlyph { id, x, y, advance, face, style, text_start });
            }
            x += advance;
        }
        let (advance, glyphs) = (f64::from(cluster.advance()), start..self.glyphs.len());
        self.pieces.push(GlyphCluster {
            x: self.x1,
            advance,
            is_space: face.is_none(),
            setting,
            glyphs,
        });
        self.x1 += advance;
        // The letter that has the ligature's glyphs comes after its rest, where reading goes to
        // the left.
        let is_rest = cluster.is_rtl() && cluster.is_ligature_continuation();
        self.ligature_rest = if is_rest { self.ligature_rest + advance } else { 0.0 };
    }

    pub(crate) fn width(&self) -> f64 {
        self.x1 - self.x0
    }

    /// Makes the line `width` wide by wider spaces, if it has any and is shorter.
    pub(crate) fn justify(&mut self, width: f64) {
        let spaces = self.pieces.iter().filter(|piece| piece.is_space).count();
        let spare = width - self.width();
        if spaces == 0 || spare <= 0.0 {
            return;
        }
        // All spaces alike; letters keep their distance.
        let each = spare / spaces as f64;
        let mut shift = 0.0;
        for piece in &mut self.pieces {
            piece.x += shift;
            for glyph in self.glyphs.get_mut(piece.glyphs.clone()).unwrap_or_default() {
                glyph.x += shift;
            }
            if piece.is_space {
                piece.advance += each;
                shift += each;
            }
        }
        self.x1 += shift;
    }

    /// Moves all of it to the right.
    pub(crate) fn shift(&mut self, right: f64) {
        self.x0 += right;
        self.x1 += right;
        for piece in &mut self.pieces {
            piece.x += right;
        }
        for glyph in &mut self.glyphs {
            glyph.x += right;
        }
    }

    /// Counts what the glyphs show from the start of the text, not of the paragraph.
    pub(crate) fn count_from(&mut self, start: usize) {
        for glyph in &mut self.glyphs {
            glyph.text_start += start;
        }
    }

    /// Puts the glyphs on the baseline.
    pub(crate) fn drop_to(&mut self, baseline_y: f64) {
        for glyph in &mut self.glyphs {
            glyph.y += baseline_y;
        }
    }

    /// The lines along its letters.
    pub(crate) fn decorations(&self, settings: &[Setting], baseline_y: f64) -> Vec<Decoration> {
        let mut lines: Vec<Decoration> = Vec::new();
        for piece in &self.pieces {
            let Some(setting) = settings.get(piece.setting) else { continue };
            let Some(next) = decoration(piece, setting, baseline_y) else { continue };
            match lines.last_mut() {
                Some(last) if continues(last, &next) => {
                    // One line through words and the spaces between them: seams would show where
                    // it is see-through.
                    last.area.width = next.area.x + next.area.width - last.area.x;
                }
                _ => lines.push(next),
            }
        }
        lines
    }
}

/// Whether the character hangs over the end of a line: space at which a line may break.
fn hangs(character: char) -> bool {
    character.is_whitespace() && !matches!(character, '\u{A0}' | '\u{2007}' | '\u{202F}')
}

fn decoration(piece: &GlyphCluster, setting: &Setting, baseline_y: f64) -> Option<Decoration> {
    let stroke = match setting.style.decoration {
        TextDecoration::None => return None,
        TextDecoration::Underline => setting.measures.underline,
        TextDecoration::Strikethrough => setting.measures.strikethrough,
    };
    let size = setting.style.size;
    let y = baseline_y + stroke.top * size;
    let area = Rect::new(piece.x, y, piece.advance, stroke.thickness * size);
    Some(Decoration { area, style: setting.style.key })
}

/// Whether `next` lies along `last` without a gap.
fn continues(last: &Decoration, next: &Decoration) -> bool {
    last.style == next.style
        && (last.area.y, last.area.height) == (next.area.y, next.area.height)
        && (last.area.x + last.area.width - next.area.x).abs() < 1e-3
}

fn face_index(fonts: &Fonts, run: &parley::layout::Run<'_, u32>, layout: &mut TextLayout) -> usize {
    let face = Face::of_run(run);
    if let Some(known) = layout.faces.iter().position(|known| *known == face) {
        return known;
    }
    if let Some(family) = fonts.family_of(run.font())
        && !layout.machine_families.contains(&family)
    {
        layout.machine_families.push(family);
    }
    layout.faces.push(face);
    layout.faces.len() - 1
}

fn note_missing(cluster: &Cluster<'_, u32>, shown: &str, missing: &mut Vec<char>) {
    if !cluster.glyphs().any(|glyph| glyph.id == 0) {
        return;
    }
    let character = shown.chars().find(|c| fallback::is_shown(*c));
    missing.extend(character.filter(|c| !missing.contains(c)));
}
