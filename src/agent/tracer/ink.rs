//! From marks to pieces: each line of marks becomes text if it can be read, else a traced form.

use rayon::prelude::*;

use crate::base::{CancelToken, Cancelled, Rect};

use super::area::Area;
use super::draft::{Fill, Piece, Role, Shape, TextRun};
use super::picture::{Picture, Rgb, dot, minus};
use super::residual::Mark;
use super::text::fit::{Fitted, fit, fit_as};
use super::text::font;
use super::text::lines::Line;
use super::text::read::{Guess, Ink};
use super::trace;

/// Empty pixels kept around ink.
const MARGIN: usize = 2;
/// Most points of one traced form.
const MOST_POINTS: usize = 160;
/// Most lines drawn: the largest.
const MOST_LINES: usize = 160;
/// Letters that are hardly more than a stroke.
const THIN: &str = "iljtrfI1.,:;!|'\"·-";
/// Symbols that are texts by themselves; others are icons.
const SYMBOLS: &str = "+-–−?!#$%&@×…";
/// The least gap between two words, of the height of their line. Inter's space is 0.28 of the size, and a line
/// with rising and falling letters about the size high; chosen on one sample, and measured on the public
/// screens (`docs/metrics.md`).
const SPACE: f32 = 0.24;
/// Sizes and baselines of words of one text differ less than this, of the size.
const LIKE_SIZE: f32 = 0.06;
/// How far the end of a word may be from where the text before it puts it, of the size.
const WORD_SLACK: f32 = 0.12;
/// Longest side of a form that is traced, in pixels.
const LARGEST_FORM: usize = 260;

/// Reads or traces every line: one piece a line, in the lines' order, or one a word of what can neither be
/// read nor traced as a whole.
pub(super) fn draw_lines(
    picture: &Picture,
    below: &Picture,
    marks: &[Mark],
    lines: &[Line],
    cancel: &CancelToken,
) -> Result<Vec<Piece>, Cancelled> {
    let mut largest: Vec<usize> = (0..lines.len()).collect();
    largest.sort_by_key(|i| std::cmp::Reverse(lines[*i].bounds.count()));
    largest.truncate(MOST_LINES);
    // Back in the lines' order, which is that of painting.
    largest.sort_unstable();
    let pieces: Result<Vec<Vec<Piece>>, Cancelled> = largest
        .par_iter()
        .map(|i| {
            cancel.check()?;
            let line = &lines[*i];
            if let Some(piece) = draw_line(picture, below, marks, line) {
                return Ok(vec![piece]);
            }
            Ok(joined(draw_words(picture, below, marks, line)))
        })
        .collect();
    Ok(pieces?.into_iter().flatten().collect())
}

fn draw_line(picture: &Picture, below: &Picture, marks: &[Mark], line: &Line) -> Option<Piece> {
    let area = line.bounds.grow(MARGIN, picture.width(), picture.height());
    let ink = ink_of(picture, below, marks, line, area);
    if may_be_text(line) {
        let feet = feet_of(marks, line) - area.y0 as f32;
        // Text first: a word that is traced looks right and is no text to anybody.
        if let Some(fitted) = fit(&ink, feet).filter(|fitted| is_legible(fitted, line)) {
            return Some(text_piece(line, below, area, fitted));
        }
    }
    trace_piece(below, line, area, &ink)
}

/// The words of a long line, by its gaps; nothing where it has none.
fn words_of(marks: &[Mark], line: &Line) -> Vec<Line> {
    let mut parts: Vec<Line> = line.marks.iter().map(|at| line.part(marks, &[*at])).collect();
    parts.sort_by_key(|part| part.bounds.x0);
    let least = (SPACE * line.bounds.height() as f32).max(2.0) as isize;
    let mut words: Vec<Line> = Vec::new();
    for part in parts {
        match words.last_mut() {
            Some(word) if word.bounds.gap_x(part.bounds) < least => {
                word.bounds = word.bounds.union(part.bounds);
                word.marks.extend(part.marks);
            }
            _ => words.push(part),
        }
    }
    // One word is the line again.
    if words.len() > 1 { words } else { Vec::new() }
}

/// The words of a line, each read or traced by itself. What differs from the longest text among them is
/// looked at once more as a word of its size and weight.
fn draw_words(picture: &Picture, below: &Picture, marks: &[Mark], line: &Line) -> Vec<Piece> {
    let words = words_of(marks, line);
    let pieces = words.iter().map(|word| draw_line(picture, below, marks, word));
    let pieces: Vec<Option<Piece>> = pieces.collect();
    let texts = pieces.iter().flatten().filter_map(text_of);
    let Some(known) = texts.max_by_key(|run| run.content.len()).cloned() else {
        return pieces.into_iter().flatten().collect();
    };
    let again = words.iter().zip(pieces).filter_map(|(word, piece)| {
        if piece.as_ref().and_then(text_of).is_some_and(|run| is_alike(run, &known)) {
            return piece;
        }
        let area = word.bounds.grow(MARGIN, picture.width(), picture.height());
        let ink = ink_of(picture, below, marks, word, area);
        let baseline = known.baseline - area.y0 as f32;
        let guess = Guess { size: known.size, weight: known.weight, baseline, spacing: 0.0 };
        let fitted = fit_as(&ink, guess).filter(|fitted| is_legible(fitted, word));
        let fitted = fitted.map(|fitted| text_piece(word, below, area, fitted));
        fitted.filter(|text| text_of(text).is_some_and(|run| is_alike(run, &known))).or(piece)
    });
    again.collect()
}

fn text_of(piece: &Piece) -> Option<&TextRun> {
    match &piece.shape {
        Shape::Text(run) => Some(run),
        _ => None,
    }
}

/// Whether two texts may be words of one: of one size and weight, on one line.
fn is_alike(one: &TextRun, other: &TextRun) -> bool {
    (one.size - other.size).abs() < LIKE_SIZE * one.size
        && one.weight.abs_diff(other.weight) <= 100
        && (one.baseline - other.baseline).abs() < LIKE_SIZE * one.size
}

/// Words that follow one another as one text, where that is as wide as they are.
fn joined(words: Vec<Piece>) -> Vec<Piece> {
    let mut texts: Vec<Piece> = Vec::new();
    for word in words {
        let before = texts.last_mut();
        let both = before.and_then(|before| Some((sentence(before, &word)?, before)));
        match both {
            Some((run, before)) => {
                before.bounds = text_bounds(&run);
                before.shape = Shape::Text(run);
            }
            None => texts.push(word),
        }
    }
    texts
}

/// Two texts as one with a space between, if both are of one size and stand where that puts them.
fn sentence(before: &Piece, word: &Piece) -> Option<TextRun> {
    let (before, word) = (text_of(before)?, text_of(word)?);
    // The longer one is better known.
    let known = if before.content.len() < word.content.len() { word } else { before };
    let content = format!("{} {}", before.content, word.content);
    let TextRun { left, baseline, .. } = *before;
    let run = TextRun { content, left, baseline, spacing: 0.0, ..known.clone() };
    let (right, wanted) = (left + font::run_width(&run), word.left + font::run_width(word));
    (is_alike(before, word) && (right - wanted).abs() < WORD_SLACK * run.size).then_some(run)
}

fn may_be_text(line: &Line) -> bool {
    let (w, h) = (line.bounds.width(), line.bounds.height());
    (4..=72).contains(&h) && w * 4 >= h
}

/// A long line may be of another font than Inter; a single letter must be exact.
fn is_legible(fitted: &Fitted, line: &Line) -> bool {
    let content = &fitted.run.content;
    let letters = content.chars().filter(|c| c.is_alphanumeric()).count();
    // A bar or a rim reads as one letter again and again; a symbol alone is an icon.
    let distinct: std::collections::BTreeSet<char> = content.chars().collect();
    let is_repeated = distinct.len() == 1 && letters >= 3;
    if is_repeated || letters >= 6 && distinct.len() * 4 <= letters {
        return false;
    }
    let thin = content.chars().filter(|c| THIN.contains(*c)).count();
    // Thin letters in a row fit any ink a little: that is no reading.
    if letters >= 3 && thin * 3 > content.chars().filter(|c| *c != ' ').count() * 2 {
        return fitted.error < 0.04;
    }
    let most = match letters {
        0 if content.chars().any(|c| !SYMBOLS.contains(c)) => return false,
        0 => return fitted.error < 0.05,
        1 => 0.05,
        2 => 0.14,
        3 => 0.16,
        // Nothing else can be made of it, and over a long line the pairs of letters add up.
        _ if line.bounds.width() > LARGEST_FORM => 0.3,
        _ => 0.22,
    };
    fitted.error < most
}

/// How much of the line's colour each pixel of `area` has that belongs to the line or to nothing.
fn ink_of(picture: &Picture, below: &Picture, marks: &[Mark], line: &Line, area: Area) -> Ink {
    let strength = dot(line.contrast, line.contrast).max(1.0);
    let mut cover: Vec<f32> = area
        .pixels()
        .map(|(x, y)| {
            // Along the line's own contrast, so that the share is that of its colour and not of any
            // other.
            let difference = minus(picture.get(x, y), below.get(x, y));
            let share = (dot(difference, line.contrast) / strength).clamp(0.0, 1.0);
            if share < 0.04 { 0.0 } else { share }
        })
        .collect();
    // Other marks reach into the box: what is theirs must not be read as part of this line.
    let own: std::collections::BTreeSet<usize> = line.marks.iter().copied().collect();
    for (i, mark) in marks.iter().enumerate() {
        if own.contains(&i) || mark.bounds().intersection(area).count() == 0 {
            continue;
        }
        for (x, y) in &mark.part.pixels {
            if Area::pixel(*x, *y).intersection(area).count() > 0 {
                cover[(y - area.y0) * area.width() + x - area.x0] = 0.0;
            }
        }
    }
    Ink { width: area.width(), height: area.height(), cover }
}

/// Where most marks end: the line that letters stand on. Ties go to the wider marks.
fn feet_of(marks: &[Mark], line: &Line) -> f32 {
    let bottoms: Vec<(usize, usize)> = line
        .marks
        .iter()
        .map(|i| marks[*i].bounds())
        .filter(|b| b.height() * 5 >= line.bounds.height() * 2)
        .map(|b| (b.y1, b.width()))
        .collect();
    // A pixel up or down counts too: round letters end a little below the flat ones.
    let best = bottoms.iter().map(|(y, _)| *y).max_by_key(|y| {
        let near = bottoms.iter().filter(|(bottom, _)| bottom.abs_diff(*y) <= 1);
        let weight: usize = near.map(|(bottom, width)| width + usize::from(bottom == y)).sum();
        (weight, *y)
    });
    // The last row is covered in part only.
    best.unwrap_or(line.bounds.y1) as f32 - 0.3
}

fn text_piece(line: &Line, below: &Picture, area: Area, fitted: Fitted) -> Piece {
    let Fitted { run, strength, .. } = fitted;
    let run =
        TextRun { left: run.left + area.x0 as f32, baseline: run.baseline + area.y0 as f32, ..run };
    let fill = Fill::Solid(ink_colour(below, line, strength));
    Piece {
        bounds: text_bounds(&run),
        shape: Shape::Text(run),
        fill,
        stroke: None,
        role: Role::Text,
    }
}

fn text_bounds(run: &TextRun) -> Rect {
    Rect::new(
        f64::from(run.left),
        f64::from(run.baseline - font::ASCENT * run.size),
        f64::from(font::run_width(run)),
        f64::from((font::ASCENT + font::DESCENT) * run.size),
    )
}

/// The colour below the line's middle, changed by its contrast.
fn ink_colour(below: &Picture, line: &Line, strength: f32) -> Rgb {
    let b = line.bounds;
    let ground = super::picture::mean(b.pixels().map(|(x, y)| below.get(x, y))).unwrap_or_default();
    [0, 1, 2].map(|c| (ground[c] + line.contrast[c] * strength).clamp(0.0, 255.0))
}

fn trace_piece(below: &Picture, line: &Line, area: Area, ink: &Ink) -> Option<Piece> {
    if line.bounds.width().max(line.bounds.height()) > LARGEST_FORM {
        return None;
    }
    let contours: Vec<Vec<[f32; 2]>> = trace::outlines(ink, MOST_POINTS.max(4 * area.width()))
        .into_iter()
        .map(|c| c.into_iter().map(|[x, y]| [x + area.x0 as f32, y + area.y0 as f32]).collect())
        .collect();
    let points = contours.iter().flatten();
    let rects = points.map(|p| Rect::new(f64::from(p[0]), f64::from(p[1]), 0.0, 0.0));
    let bounds = Rect::union_all(rects)?;
    let fill = Fill::Solid(ink_colour(below, line, 1.0));
    Some(Piece { bounds, shape: Shape::Trace(contours), fill, stroke: None, role: Role::Icon })
}
