//! What to mend, from the picture of what was drawn.

use super::area::Area;
use super::closeness::similarity_sum;
use super::draft::{Piece, Shape, TextRun};
use super::draw;
use super::picture::{Picture, distance};
use super::plan::{Plan, touched};

/// A text that is this far off, in pixels, is moved.
const LEAST_SHIFT: f32 = 0.12;
/// Further off, of the size, is no misfit but another thing that was taken for this text.
const FAR: f32 = 0.35;
/// A piece is taken away if the picture is nearer without it by this many windows.
const LEAST_HARM: f64 = 2.0;
/// A paragraph is taken apart that is this much further off than its lines were meant to be, of the pixels
/// it touches.
const LEAST_LOST: f64 = 0.02;

/// A change to one piece.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Correction {
    /// It made its surroundings worse.
    Remove(usize),
    /// The line stands and runs otherwise.
    Refit(usize, TextRun),
    /// A paragraph stands so far off, across and down.
    Shift(usize, [f32; 2]),
    /// The lines of a paragraph stand nearer each by itself.
    Split(usize),
}

/// What is worth mending at this look, in paint order. `drawn` is what the canvas looks like.
pub(super) fn corrections(
    picture: &Picture,
    drawn: &Picture,
    plan: &Plan,
    round: usize,
    is_there: impl Fn(usize) -> bool,
) -> Vec<Correction> {
    let pieces = plan.draft.pieces.iter().enumerate().filter(|(i, _)| is_there(*i));
    pieces
        .filter_map(|(i, piece)| match &piece.shape {
            _ if is_harmful(picture, drawn, plan, i, piece) => Some(Correction::Remove(i)),
            Shape::Paragraph(paragraph) => {
                let off = extents(picture, drawn, plan, i, piece)
                    .map(|(wanted, is)| [wanted.left - is.left, wanted.middle - is.middle]);
                let off = off.filter(|by| is_worth_moving(*by, paragraph.text.size));
                let broken = is_broken(picture, drawn, plan, piece);
                match off {
                    // Moved once before it is judged: its lines may be read half a pixel off each.
                    Some(by) if round == 1 || !broken => Some(Correction::Shift(i, by)),
                    _ => broken.then_some(Correction::Split(i)),
                }
            }
            Shape::Text(run) => {
                Some(Correction::Refit(i, refit(picture, drawn, plan, i, piece, run)?))
            }
            _ => None,
        })
        .collect()
}

/// Whether the lines of a paragraph came out where they are not.
fn is_broken(picture: &Picture, drawn: &Picture, plan: &Plan, piece: &Piece) -> bool {
    let area = touched(piece, picture);
    if area.count() == 0 {
        return false;
    }
    let (seen, is) = (picture.crop(area), drawn.crop(area));
    let meant = draw::draw_all(plan.draft.backdrop, &plan.draft.pieces, area);
    let whole = Area::new(0, 0, area.width(), area.height());
    let lost = similarity_sum(&seen, &meant, whole).0 - similarity_sum(&seen, &is, whole).0;
    lost > LEAST_LOST * area.count() as f64
}

/// The draft around a piece, without it.
fn without(plan: &Plan, index: usize, area: Area) -> Picture {
    let pieces = plan.draft.pieces.iter().enumerate().filter(|(i, _)| *i != index);
    draw::draw_all(plan.draft.backdrop, pieces.map(|(_, p)| p), area)
}

fn is_harmful(
    picture: &Picture,
    drawn: &Picture,
    plan: &Plan,
    index: usize,
    piece: &Piece,
) -> bool {
    let area = touched(piece, picture);
    // Boxes are sure; only what was read or traced can be a mistake as a whole.
    if !matches!(piece.shape, Shape::Text(_) | Shape::Trace(_)) || area.count() == 0 {
        return false;
    }
    let (seen, is) = (picture.crop(area), drawn.crop(area));
    let whole = Area::new(0, 0, area.width(), area.height());
    let bare = without(plan, index, area);
    similarity_sum(&seen, &bare, whole).0 > similarity_sum(&seen, &is, whole).0 + LEAST_HARM
}

/// Where the ink of a line begins, ends, and has its middle height, in pixels of its area.
#[derive(Clone, Copy, Debug)]
struct InkExtent {
    left: f32,
    right: f32,
    middle: f32,
}

/// The run moved and spaced so that its ink falls where the picture has it.
fn refit(
    picture: &Picture,
    drawn: &Picture,
    plan: &Plan,
    index: usize,
    piece: &Piece,
    run: &TextRun,
) -> Option<TextRun> {
    let (wanted, is) = extents(picture, drawn, plan, index, piece)?;
    let wider = (wanted.right - wanted.left) - (is.right - is.left);
    let (dx, dy) = (wanted.left - is.left, wanted.middle - is.middle);
    let far = run.size * FAR;
    let is_wide = wider.abs() >= LEAST_SHIFT && dx.abs() <= far && dy.abs() <= far;
    if !is_wide && !is_worth_moving([dx, dy], run.size) {
        return None;
    }
    let gaps = run.content.chars().count().saturating_sub(1).max(1) as f32;
    // A line that is wider by a letter or more was misread, which no spacing mends.
    let spacing = if wider.abs() > 2.0 * far || gaps < 1.5 { 0.0 } else { wider / gaps };
    Some(TextRun {
        left: run.left + dx,
        baseline: run.baseline + dy,
        spacing: run.spacing + spacing,
        ..run.clone()
    })
}

/// Whether ink of letters of this size stands off, but not so far that it is another thing.
fn is_worth_moving(by: [f32; 2], size: f32) -> bool {
    by.iter().any(|off| off.abs() >= LEAST_SHIFT) && by.iter().all(|off| off.abs() <= size * FAR)
}

/// Where the ink of a piece is wanted, and where it is.
fn extents(
    picture: &Picture,
    drawn: &Picture,
    plan: &Plan,
    index: usize,
    piece: &Piece,
) -> Option<(InkExtent, InkExtent)> {
    let area = touched(piece, picture);
    let bare = without(plan, index, area);
    Some((extent(&picture.crop(area), &bare)?, extent(&drawn.crop(area), &bare)?))
}

fn extent(seen: &Picture, bare: &Picture) -> Option<InkExtent> {
    let mut columns = vec![0.0f32; seen.width()];
    let (mut moment, mut total) = (0.0f32, 0.0f32);
    for (x, y) in seen.area().pixels() {
        let ink = distance(seen.get(x, y), bare.get(x, y));
        // Below that it is the softness of another renderer's edges.
        let ink = if ink < 12.0 { 0.0 } else { ink };
        columns[x] += ink;
        moment += ink * y as f32;
        total += ink;
    }
    // The ends are where a small share of all ink has passed: single faint pixels do not count.
    let edge = total / columns.len().max(1) as f32 * 0.5;
    let first = columns.iter().position(|c| *c > edge)?;
    let last = columns.iter().rposition(|c| *c > edge)?;
    Some(InkExtent {
        left: first as f32 + 1.0 - filled_share(&columns, first, Some(first + 1)),
        right: last as f32 + filled_share(&columns, last, last.checked_sub(1)),
        middle: moment / total.max(1e-3),
    })
}

/// How much of an outer column is filled, by the one further in: an edge may lie within a pixel.
fn filled_share(columns: &[f32], at: usize, inner: Option<usize>) -> f32 {
    let next = inner.and_then(|i| columns.get(i)).copied().unwrap_or(columns[at]);
    (columns[at] / next.max(columns[at]).max(1e-3)).clamp(0.0, 1.0)
}
