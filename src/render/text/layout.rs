//! Lines and placed glyphs.

use std::ops::Range;

use parley::{Alignment, AlignmentOptions, Cluster, Layout};

use crate::base::{Limits, Rect, Size};
use crate::design::{AutoResize, TextAlign, TextContent, TextStyle, VerticalAlign};

use super::engine::FAMILY;
use super::glyph::Face;
use super::shaping;
use super::spans::Prepared;
use super::truncate;

/// Widths that differ by no more are the same: a box that a text was measured for holds it.
const WIDTH_TOLERANCE: f64 = 0.02;

/// A text in its box: lines from the top, in the box's space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextLayout {
    /// The lines, from the top.
    pub lines: Vec<Line>,
    /// The fonts that [`PlacedGlyph::face`] counts.
    pub faces: Vec<Face>,
    /// Families that Inter stands in for, each once.
    pub replaced_families: Vec<String>,
    /// Characters that Inter has no glyph for, each once; they are drawn as boxes.
    pub missing: Vec<char>,
    /// Whether characters beyond [`super::MAX_CHARACTERS`] were left out.
    pub is_cut: bool,
    /// The characters that are set: in the letters they are shown in, cut where the text is cut.
    pub text: String,
    /// Byte ranges of `text` with the key of their style override, 0 for none; they cover it.
    pub spans: Vec<(Range<usize>, u32)>,
}

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Top of the line's box.
    pub top: f64,
    /// Height of the line's box.
    pub height: f64,
    /// Where letters stand.
    pub baseline_y: f64,
    /// Left end of the text.
    pub x0: f64,
    /// Right end of the text, without trailing space.
    pub x1: f64,
    /// The bytes of the set text that it holds.
    pub text_range: Range<usize>,
    /// Its glyphs, from the left; none for space.
    pub glyphs: Vec<PlacedGlyph>,
}

/// One glyph in its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedGlyph {
    /// Number within the font.
    pub id: u32,
    /// Origin on the baseline.
    pub x: f64,
    /// Origin on the baseline.
    pub y: f64,
    /// How far the next glyph stands, letter spacing included.
    pub advance: f64,
    /// Which of [`TextLayout::faces`].
    pub face: usize,
    /// Key of the style override its character has, 0 for none.
    pub style: u32,
}

impl Line {
    /// Its box: as wide as the text without trailing space, as high as the line.
    pub fn line_box(&self) -> Rect {
        Rect::new(self.x0, self.top, self.x1 - self.x0, self.height)
    }
}

impl TextLayout {
    /// Width of the longest line and height of all, not rounded.
    pub fn natural_size(&self) -> Size {
        let width = self.lines.iter().map(|line| line.x1 - line.x0).fold(0.0, f64::max);
        Size::new(width, self.lines.iter().map(|line| line.height).sum())
    }
}

/// See [`super::layout`].
pub(super) fn in_box(content: &TextContent, size: Size) -> TextLayout {
    let is_drawable = shaping::is_font_size(content.style.font_size) && size.is_finite();
    if content.characters.is_empty() || !is_drawable {
        return TextLayout::default();
    }
    let prepared = Prepared::new(content);
    let width = breaking_width(&content.style, size);
    let mut broken = break_lines(content, &prepared, width);
    if content.style.auto_resize == AutoResize::Truncate
        && let Some(cut) = truncate::to_fit(content, &prepared, size)
    {
        broken = break_lines(content, &cut, width);
        return placed(content, &cut, &broken, size);
    }
    placed(content, &prepared, &broken, size)
}

/// Shapes and breaks; lines are justified if the style says so, and otherwise begin at 0.
pub(super) fn break_lines(
    content: &TextContent,
    prepared: &Prepared,
    width: Option<f64>,
) -> Layout<u32> {
    let mut layout = shaping::shape(content, prepared);
    layout.break_all_lines(width.map(|width| width as f32));
    let alignment = match content.style.align {
        TextAlign::Justified => Alignment::Justify,
        TextAlign::Left | TextAlign::Center | TextAlign::Right => Alignment::Left,
    };
    layout.align(alignment, AlignmentOptions::default());
    layout
}

/// Where lines break, if anywhere but where the text says.
pub(super) fn breaking_width(style: &TextStyle, size: Size) -> Option<f64> {
    let breaks = style.auto_resize != AutoResize::WidthAndHeight;
    breaks.then(|| size.width.clamp(0.0, Limits::COORDINATE) + WIDTH_TOLERANCE)
}

fn placed(
    content: &TextContent,
    prepared: &Prepared,
    broken: &Layout<u32>,
    size: Size,
) -> TextLayout {
    let mut layout = TextLayout { is_cut: prepared.is_cut, ..TextLayout::default() };
    layout.replaced_families = replaced_families(content, prepared);
    for line in broken.lines() {
        let placed = place_line(&line, prepared, &mut layout);
        layout.lines.push(placed);
    }
    align(&mut layout.lines, &content.style, size);
    layout.text.clone_from(&prepared.text);
    layout.spans.clone_from(&prepared.spans);
    layout
}

fn place_line(line: &parley::Line<'_, u32>, prepared: &Prepared, layout: &mut TextLayout) -> Line {
    let metrics = *line.metrics();
    let mut x = f64::from(metrics.inline_min_coord + metrics.offset);
    let x0 = x;
    let mut placed = Line {
        top: f64::from(metrics.block_min_coord),
        height: f64::from(metrics.line_height),
        baseline_y: f64::from(metrics.baseline),
        x0,
        x1: x0,
        text_range: line.text_range(),
        glyphs: Vec::new(),
    };
    for run in line.runs() {
        let face = face_index(&run, &mut layout.faces);
        for cluster in run.visual_clusters() {
            let is_space = is_space(&cluster, prepared);
            if !is_space {
                place_cluster(&cluster, (x, placed.baseline_y), face, &mut placed.glyphs);
                note_missing(&cluster, prepared, &mut layout.missing);
            }
            x += f64::from(cluster.advance());
            if !is_space {
                placed.x1 = x;
            }
        }
    }
    placed
}

fn place_cluster(
    cluster: &Cluster<'_, u32>,
    (mut x, y): (f64, f64),
    face: usize,
    glyphs: &mut Vec<PlacedGlyph>,
) {
    let style = cluster.style().brush;
    for glyph in cluster.glyphs() {
        let advance = f64::from(glyph.advance);
        glyphs.push(PlacedGlyph {
            id: glyph.id,
            x: x + f64::from(glyph.x),
            y: y - f64::from(glyph.y),
            advance,
            face,
            style,
        });
        x += advance;
    }
}

fn face_index(run: &parley::layout::Run<'_, u32>, faces: &mut Vec<Face>) -> usize {
    let face = Face::of_run(run);
    faces.iter().position(|known| *known == face).unwrap_or_else(|| {
        faces.push(face);
        faces.len() - 1
    })
}

/// Whether the cluster shows nothing: space, or the end of a line.
fn is_space(cluster: &Cluster<'_, u32>, prepared: &Prepared) -> bool {
    let text = prepared.text.get(cluster.text_range()).unwrap_or_default();
    text.chars().all(char::is_whitespace)
}

fn note_missing(cluster: &Cluster<'_, u32>, prepared: &Prepared, missing: &mut Vec<char>) {
    if !cluster.glyphs().any(|glyph| glyph.id == 0) {
        return;
    }
    let text = prepared.text.get(cluster.text_range()).unwrap_or_default();
    if let Some(character) = text.chars().next().filter(|c| !missing.contains(c)) {
        missing.push(character);
    }
}

/// Moves every line to its place in a box of `size`.
fn align(lines: &mut [Line], style: &TextStyle, size: Size) {
    let height: f64 = lines.iter().map(|line| line.height).sum();
    let down = (size.height - height)
        * match style.vertical_align {
            VerticalAlign::Top => 0.0,
            VerticalAlign::Center => 0.5,
            VerticalAlign::Bottom => 1.0,
        };
    let share = match style.align {
        TextAlign::Left | TextAlign::Justified => 0.0,
        TextAlign::Center => 0.5,
        TextAlign::Right => 1.0,
    };
    for line in lines {
        let right = (size.width - (line.x1 - line.x0)) * share;
        line.shift(right, down);
    }
}

impl Line {
    fn shift(&mut self, right: f64, down: f64) {
        self.x0 += right;
        self.x1 += right;
        self.top += down;
        self.baseline_y += down;
        for glyph in &mut self.glyphs {
            glyph.x += right;
            glyph.y += down;
        }
    }
}

fn replaced_families(content: &TextContent, prepared: &Prepared) -> Vec<String> {
    let mut replaced: Vec<String> = Vec::new();
    for (_, key) in &prepared.spans {
        let given = content.overrides.get(key).and_then(|style| style.font_family.as_ref());
        let family = given.unwrap_or(&content.style.font_family);
        if !is_inter(family) && !replaced.contains(family) {
            replaced.push(family.clone());
        }
    }
    replaced
}

fn is_inter(family: &str) -> bool {
    let family = family.trim();
    family.eq_ignore_ascii_case(FAMILY) || family.eq_ignore_ascii_case("Inter Variable")
}
