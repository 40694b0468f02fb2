//! Lines that are one text: a paragraph, broken where the width of its box ends a line.
//!
//! A line goes on below if the next one is set alike, stands at a usual distance, begins at the same
//! place, and begins with a word that would not have fitted any more. Lists and labels that stand below
//! each other fail the last: their next word would have fitted.

use super::font;
use crate::agent::tracer::draft::{Fill, Paragraph, Piece, Shape, TextRun};
use crate::agent::tracer::picture::distance;
use crate::base::Rect;

/// Of the size, how far apart lines stand at least and at most.
const LEADING: std::ops::RangeInclusive<f32> = 1.08..=1.8;
/// How far sizes of lines that were read apart may differ, of the size.
const SAME_SIZE: f32 = 0.04;
/// Likewise where they begin, and how far they are from the line before.
const SAME_PLACE: f32 = 0.08;
/// Colours nearer than this are one.
const SAME_COLOUR: f32 = 30.0;
/// Spare width of a box around lines that are broken by hand, of the size.
const SPARE_WIDTH: f32 = 0.6;
/// A box whose sides are as far from its text to this many pixels is as wide as the text makes it.
const HUGGING: f32 = 1.5;

/// Joins the lines of each paragraph to one piece, which stands where its first line did.
pub(in crate::agent::tracer) fn join(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut order: Vec<usize> = (0..pieces.len()).filter(|i| line(&pieces[*i]).is_some()).collect();
    // From the top: a paragraph is found at its first line, and later ones are not begun with.
    order.sort_by(|a, b| baseline(&pieces[*a]).total_cmp(&baseline(&pieces[*b])));
    let mut taken = vec![false; pieces.len()];
    let mut joined: Vec<(usize, Piece)> = Vec::new();
    for first in order {
        if taken[first] {
            continue;
        }
        let members = lines_from(&pieces, first, &taken);
        if members.len() < 2 {
            continue;
        }
        if let Some(paragraph) = paragraph(&pieces, &members) {
            for member in &members {
                taken[*member] = true;
            }
            joined.push((first, paragraph));
        }
    }
    // At the place of its first line, so that what is painted over what stays as it was.
    let mut out = Vec::with_capacity(pieces.len());
    for (i, piece) in pieces.into_iter().enumerate() {
        if let Some(at) = joined.iter().position(|(first, _)| *first == i) {
            out.push(joined.swap_remove(at).1);
        } else if !taken[i] {
            out.push(piece);
        }
    }
    out
}

/// The line that a piece is, with its fill.
fn line(piece: &Piece) -> Option<(&TextRun, &Fill)> {
    match &piece.shape {
        Shape::Text(run) if piece.stroke.is_none() => Some((run, &piece.fill)),
        _ => None,
    }
}

/// How far down a piece stands, in pixels; what is no line comes last.
fn baseline(piece: &Piece) -> f32 {
    line(piece).map_or(f32::INFINITY, |(run, _)| run.baseline)
}

/// The lines of the paragraph that may begin with this one.
fn lines_from(pieces: &[Piece], first: usize, taken: &[bool]) -> Vec<usize> {
    let mut members = vec![first];
    loop {
        let last = members[members.len() - 1];
        let below = (0..pieces.len()).filter(|i| !taken[*i] && !members.contains(i));
        let next = below
            .filter(|i| follows(&pieces[last], &pieces[*i]))
            .min_by(|a, b| baseline(&pieces[*a]).total_cmp(&baseline(&pieces[*b])));
        let Some(next) = next else { return members };
        members.push(next);
        let runs: Vec<&TextRun> =
            members.iter().filter_map(|i| Some(line(&pieces[*i])?.0)).collect();
        if !is_even(&runs) || breaks_within(&runs).is_none() {
            members.pop();
            return members;
        }
    }
}

/// Whether a line may be the next one of a paragraph.
fn follows(above: &Piece, below: &Piece) -> bool {
    let (Some((above, fill)), Some((below, other))) = (line(above), line(below)) else {
        return false;
    };
    let size = above.size.max(1e-3);
    let is_alike = (above.size - below.size).abs() <= SAME_SIZE * size
        && above.weight.abs_diff(below.weight) <= 100
        && (above.spacing - below.spacing).abs() <= 0.02 * size
        && distance(fill.colour(), other.colour()) <= SAME_COLOUR;
    let is_below = LEADING.contains(&((below.baseline - above.baseline) / size))
        && (above.left - below.left).abs() <= (SAME_PLACE * size).max(1.0);
    is_alike && is_below && goes_on(&above.content, &below.content)
}

/// Whether a sentence may go on from a line to the next: names and labels rarely have many words.
fn goes_on(above: &str, below: &str) -> bool {
    let words = above.split_whitespace().count();
    let begins_small = below.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit());
    words >= 4 || (words >= 2 && begins_small)
}

/// Whether all lines are at one distance.
fn is_even(runs: &[&TextRun]) -> bool {
    let gaps: Vec<f32> = runs.windows(2).map(|two| two[1].baseline - two[0].baseline).collect();
    let mean = gaps.iter().sum::<f32>() / gaps.len().max(1) as f32;
    runs.first()
        .is_some_and(|first| gaps.iter().all(|gap| (gap - mean).abs() <= SAME_PLACE * first.size))
}

/// The widths, from and to, of a box in which all lines break where they do; `None` if there is none.
fn breaks_within(runs: &[&TextRun]) -> Option<(f32, f32)> {
    let least = runs.iter().map(|run| font::run_width(run)).fold(0.0, f32::max);
    let most = runs.windows(2).filter_map(|two| {
        let word = two[1].content.split_whitespace().next()?;
        let content = format!("{} {word}", two[0].content);
        Some(font::run_width(&TextRun { content, ..two[0].clone() }))
    });
    let most = most.fold(f32::INFINITY, f32::min);
    (most > least).then_some((least, most))
}

fn paragraph(pieces: &[Piece], members: &[usize]) -> Option<Piece> {
    let lines: Vec<Piece> = members.iter().map(|i| pieces[*i].clone()).collect();
    let runs: Vec<&TextRun> = lines.iter().filter_map(|piece| Some(line(piece)?.0)).collect();
    let (least, most) = breaks_within(&runs)?;
    let count = runs.len() as f32;
    let longest = (0..runs.len()).max_by_key(|at| runs[*at].content.len())?;
    let size = mean(&runs, |run| run.size);
    let leading = (runs.last()?.baseline - runs.first()?.baseline) / (count - 1.0);
    let bounds = lines.iter().map(|line| line.bounds).reduce(Rect::union)?;
    let left = mean(&runs, |run| run.left);
    let by_hand = is_hugged(pieces, bounds, left, least);
    let contents: Vec<&str> = runs.iter().map(|run| run.content.trim()).collect();
    let text = TextRun {
        content: contents.join(if by_hand { "\n" } else { " " }),
        size,
        weight: runs[longest].weight,
        spacing: mean(&runs, |run| run.spacing),
        left,
        // Where the first one stands, by all of them.
        baseline: mean(&runs, |run| run.baseline) - leading * (count - 1.0) / 2.0,
    };
    // In the middle, so that letters that are shaped a little otherwise break no line elsewhere.
    let width = if by_hand { least + SPARE_WIDTH * size } else { f32::midpoint(least, most) };
    let Piece { fill, role, .. } = lines[longest].clone();
    let shape = Shape::Paragraph(Paragraph { text, leading, width, lines });
    Some(Piece { bounds, shape, fill, stroke: None, role })
}

fn mean(runs: &[&TextRun], of: impl Fn(&TextRun) -> f32) -> f32 {
    runs.iter().map(|run| of(run)).sum::<f32>() / runs.len() as f32
}

/// Whether the box around a text is as wide as its longest line makes it: then nothing but the writer has
/// ended the others.
fn is_hugged(pieces: &[Piece], bounds: Rect, left: f32, width: f32) -> bool {
    let around = pieces.iter().filter(|piece| {
        matches!(piece.shape, Shape::Box(_))
            && piece.bounds.union(bounds).area() <= piece.bounds.area() * 1.001
    });
    let nearest = around.min_by(|a, b| a.bounds.area().total_cmp(&b.bounds.area()));
    nearest.is_some_and(|around| {
        let before = left - around.bounds.x as f32;
        let after = around.bounds.right() as f32 - (left + width);
        (before - after).abs() <= HUGGING
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::tracer::draft::Role;

    fn lines(lines: &[&str], leading: f32) -> Vec<Piece> {
        let lines = lines.iter().enumerate().map(|(at, content)| {
            let run = TextRun {
                content: (*content).to_owned(),
                size: 16.0,
                weight: 400,
                spacing: 0.0,
                left: 24.0,
                baseline: 100.0 + leading * at as f32,
            };
            let width = f64::from(font::run_width(&run));
            let y = f64::from(run.baseline) - 12.0;
            Piece {
                bounds: Rect { x: 24.0, y, width, height: 15.0 },
                shape: Shape::Text(run),
                fill: Fill::Solid([20.0; 3]),
                stroke: None,
                role: Role::Text,
            }
        });
        lines.collect()
    }

    fn contents(pieces: &[Piece]) -> Vec<&str> {
        let texts = pieces.iter().filter_map(|piece| match &piece.shape {
            Shape::Text(run) => Some(run.content.as_str()),
            Shape::Paragraph(paragraph) => Some(paragraph.text.content.as_str()),
            _ => None,
        });
        texts.collect()
    }

    const PROSE: [&str; 3] = [
        "Plan a route, keep an eye on the weather",
        "and find your way back, even without a",
        "signal.",
    ];

    #[test]
    fn lines_that_break_at_a_width_are_one_text() {
        let joined = join(lines(&PROSE, 24.0));
        assert_eq!(contents(&joined), [PROSE.join(" ")]);
        let Shape::Paragraph(paragraph) = &joined[0].shape else { panic!() };
        assert!((paragraph.leading - 24.0).abs() < 1e-3);
        assert!((paragraph.text.baseline - 100.0).abs() < 1e-3);
        assert_eq!(paragraph.lines.len(), 3);
    }

    #[test]
    fn what_would_have_fitted_into_the_line_before_is_a_text_of_its_own() {
        let menu = ["Notifications and sounds", "Privacy", "help"];
        assert_eq!(contents(&join(lines(&menu, 24.0))), menu);
        // Too far apart, and unevenly.
        assert_eq!(join(lines(&PROSE, 40.0)).len(), 3);
        let mut uneven = lines(&PROSE, 24.0);
        if let Shape::Text(run) = &mut uneven[2].shape {
            run.baseline += 4.0;
        }
        assert_eq!(join(uneven).len(), 2, "the first two are one, the last is not");
    }

    #[test]
    fn another_size_weight_colour_or_edge_is_another_text() {
        type Change = fn(&mut Piece);
        fn run(piece: &mut Piece) -> &mut TextRun {
            match &mut piece.shape {
                Shape::Text(run) => run,
                _ => panic!(),
            }
        }
        let changes: [Change; 4] = [
            |piece| run(piece).size = 18.0,
            |piece| run(piece).weight = 700,
            |piece| piece.fill = Fill::Solid([200.0; 3]),
            |piece| run(piece).left += 6.0,
        ];
        for change in changes {
            let mut changed = lines(&PROSE[..2], 24.0);
            change(&mut changed[1]);
            assert_eq!(join(changed).len(), 2);
        }
    }

    #[test]
    fn in_a_box_as_wide_as_its_text_lines_were_broken_by_hand() {
        let mut pieces = lines(&PROSE[..2], 20.0);
        let width = pieces.iter().map(|line| line.bounds.width).fold(0.0, f64::max);
        let bubble = Piece {
            bounds: Rect { x: 10.0, y: 70.0, width: width + 28.0, height: 70.0 },
            shape: Shape::Box([12.0; 4]),
            fill: Fill::Solid([230.0; 3]),
            stroke: None,
            role: Role::Block,
        };
        pieces.insert(0, bubble);
        let joined = join(pieces);
        assert_eq!(contents(&joined), [PROSE[..2].join("\n")]);
        assert_eq!(joined.len(), 2);
    }
}
