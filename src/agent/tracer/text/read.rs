//! Which characters a line holds: a beam search over the letter forms of Inter.
//!
//! The line's ink is compared with rendered letters from left to right. A hypothesis is a string
//! and how far it reaches; of those that reach equally far, the ones that explain the ink best go on.

use tiny_skia::{FillRule, Mask, Transform};

use super::font::{self, Glyph};

/// Hypotheses kept for each column.
const BEAM: usize = 4;
/// A pen position is tried at this many places within a pixel.
const PHASES: usize = 3;
/// How far a letter may stand from where the one before it ends, in thirds of a pixel.
const JITTER: [isize; 5] = [-2, -1, 0, 1, 2];
/// What a third of a pixel of jitter costs.
const JITTER_COST: f32 = 0.12;
/// What each further character costs: else a row of dots explains anything.
const CHARACTER_COST: f32 = 0.7;
/// Longest line read.
const MOST_CHARACTERS: usize = 120;

/// Ink of a line: how much of the line's colour each pixel has, 0..=1.
#[derive(Clone, Debug)]
pub(in crate::agent::tracer) struct Ink {
    /// Pixels across.
    pub(in crate::agent::tracer) width: usize,
    /// Pixels down.
    pub(in crate::agent::tracer) height: usize,
    /// Row by row.
    pub(in crate::agent::tracer) cover: Vec<f32>,
}

/// Ink column by column, with running sums, for fast comparison.
struct Columns {
    height: usize,
    count: isize,
    cover: Vec<f32>,
    /// Squared ink of all columns before each.
    squares_before: Vec<f32>,
}

impl Columns {
    fn of(ink: &Ink) -> Self {
        let (w, h) = (ink.width, ink.height);
        let cover: Vec<f32> =
            (0..w).flat_map(|x| (0..h).map(move |y| ink.cover[y * w + x])).collect();
        let mut squares_before = vec![0.0];
        let mut sum = 0.0;
        for column in cover.chunks(h) {
            sum += column.iter().map(|v| v * v).sum::<f32>();
            squares_before.push(sum);
        }
        Self { height: h, count: w as isize, cover, squares_before }
    }

    /// Squared ink in the columns `from..to`, of which some may be outside.
    fn squares(&self, from: isize, to: isize) -> f32 {
        let [from, to] = [from, to].map(|x| self.squares_before[x.clamp(0, self.count) as usize]);
        to - from
    }

    fn column(&self, x: isize) -> Option<&[f32]> {
        let x = usize::try_from(x).ok().filter(|x| (*x as isize) < self.count)?;
        self.cover.get(x * self.height..(x + 1) * self.height)
    }
}

/// A line as it was read.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::agent::tracer) struct Reading {
    /// Its characters.
    pub(in crate::agent::tracer) content: String,
    /// Where the pen stands before each character, from the ink's left, in pixels.
    pub(in crate::agent::tracer) pens: Vec<f32>,
    /// The squared differences between the ink and the letters, over the squared ink: 0 is perfect.
    pub(in crate::agent::tracer) error: f32,
}

/// The form of a character at one phase: which columns it touches, and how much.
struct Stamp {
    character: char,
    /// How far the pen moves, in phases.
    advance: isize,
    /// First column from the pen's pixel.
    left: isize,
    columns: usize,
    /// First row with ink of the letter, and how many.
    top: usize,
    rows: usize,
    /// Column by column, `rows` each.
    cover: Vec<f32>,
    /// The squared cover of each column.
    squares: Vec<f32>,
}

/// What letters to expect.
#[derive(Clone, Copy, Debug)]
pub(in crate::agent::tracer) struct Guess {
    /// Font size, in pixels.
    pub(in crate::agent::tracer) size: f32,
    /// 100..=900, in hundreds.
    pub(in crate::agent::tracer) weight: u16,
    /// Where the letters stand, from the ink's top.
    pub(in crate::agent::tracer) baseline: f32,
    /// Added after each character, in pixels.
    pub(in crate::agent::tracer) spacing: f32,
}

#[derive(Clone)]
struct Hypothesis {
    content: String,
    pens: Vec<f32>,
    /// Where the pen stands, in phases.
    pen: isize,
    /// Columns up to here are compared.
    done: isize,
    cost: f32,
}

impl Hypothesis {
    /// Nothing read yet, the pen at `pen`, everything before column `done` compared.
    fn at(pen: isize, done: isize) -> Self {
        Self { content: String::new(), pens: Vec::new(), pen, done, cost: 0.0 }
    }
}

/// Reads a line, or only its first `columns`; `None` if the guess is no size to read at.
pub(in crate::agent::tracer) fn read(ink: &Ink, guess: Guess, columns: usize) -> Option<Reading> {
    if !(4.0..=90.0).contains(&guess.size) || ink.width == 0 || ink.height == 0 {
        return None;
    }
    let stamps = stamps(ink, guess);
    let end = ink.width.min(columns) as isize;
    let columns = Columns::of(ink);
    // One list of hypotheses for each column that the pen may stand in.
    let margin = guess.size as isize + 2;
    let mut by_column = vec![Vec::new(); ink.width + 3 * margin as usize];
    for start in starts(&stamps) {
        keep(&mut by_column, margin, Hypothesis::at(start, -margin));
    }
    let mut best: Option<Hypothesis> = None;
    // Each step reaches a later column (see `follow`): a list is whole when it is looked at.
    for column in 0..by_column.len() {
        for hypothesis in std::mem::take(&mut by_column[column]) {
            if hypothesis.done >= end {
                if best.as_ref().is_none_or(|b| hypothesis.cost < b.cost) {
                    best = Some(hypothesis);
                }
            } else if hypothesis.pens.len() < MOST_CHARACTERS {
                for next in followers(&columns, &stamps, &hypothesis) {
                    keep(&mut by_column, margin, next);
                }
            }
        }
    }
    let total = columns.squares(0, end).max(1.0);
    best.map(|b| Reading {
        content: b.content.trim_end().to_owned(),
        error: b.cost / total,
        pens: b.pens,
    })
}

/// Pen positions at which some letter's ink begins in the first column.
fn starts(stamps: &[Vec<Stamp>]) -> Vec<isize> {
    let phases = PHASES as isize;
    let mut starts: Vec<isize> = Vec::new();
    for (phase, set) in stamps.iter().enumerate() {
        for stamp in set.iter().filter(|s| s.columns > 0) {
            starts.push(-stamp.left * phases + phase as isize);
            // The first column of a letter may be hardly covered, and so be no ink.
            starts.push((-stamp.left - 1) * phases + phase as isize);
        }
    }
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// Adds a hypothesis to its column, if it is among the best there.
fn keep(by_column: &mut [Vec<Hypothesis>], margin: isize, hypothesis: Hypothesis) {
    let column = hypothesis.pen.div_euclid(PHASES as isize) + margin;
    let Some(list) = usize::try_from(column).ok().and_then(|c| by_column.get_mut(c)) else {
        return;
    };
    if hypothesis.content.is_empty() {
        list.push(hypothesis);
        return;
    }
    // Two ways to the same letters would fill the beam with one reading.
    if let Some(same) = list.iter_mut().find(|h| h.content == hypothesis.content) {
        if hypothesis.cost < same.cost {
            *same = hypothesis;
        }
    } else {
        list.push(hypothesis);
    }
    list.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    list.truncate(BEAM);
}

fn followers(ink: &Columns, stamps: &[Vec<Stamp>], from: &Hypothesis) -> Vec<Hypothesis> {
    // All letters where the last one ends, and only the best of them moved about: five times less
    // to compare.
    let mut straight: Vec<(f32, usize)> = (0..stamps[0].len())
        .filter_map(|i| Some((follow(ink, stamps, from, i, 0)?.cost, i)))
        .collect();
    straight.sort_by(|a, b| a.0.total_cmp(&b.0));
    straight.truncate(2 * BEAM);
    let jitters: &[isize] = if from.content.is_empty() { &[0] } else { &JITTER };
    let tried = straight.iter().flat_map(|(_, i)| jitters.iter().map(|jitter| (*i, *jitter)));
    let mut found: Vec<Next> =
        tried.filter_map(|(i, jitter)| follow(ink, stamps, from, i, jitter)).collect();
    found.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    found.truncate(2 * BEAM);
    found.into_iter().map(|next| next.after(from)).collect()
}

/// A step of a hypothesis, not taken yet.
struct Next {
    character: char,
    at: isize,
    pen: isize,
    done: isize,
    cost: f32,
}

impl Next {
    fn after(self, from: &Hypothesis) -> Hypothesis {
        let mut next = from.clone();
        next.content.push(self.character);
        next.pens.push(self.at as f32 / PHASES as f32);
        (next.pen, next.done, next.cost) = (self.pen, self.done, self.cost);
        next
    }
}

/// The hypothesis with one more letter, if that reaches further.
fn follow(
    ink: &Columns,
    stamps: &[Vec<Stamp>],
    from: &Hypothesis,
    letter: usize,
    jitter: isize,
) -> Option<Next> {
    let phases = PHASES as isize;
    let at = from.pen + jitter;
    let stamp = &stamps[at.rem_euclid(phases) as usize][letter];
    let blank = stamp.columns == 0;
    // A space has nothing that could stand a little off, and no line begins with one.
    if blank && (jitter != 0 || from.content.is_empty()) {
        return None;
    }
    let pen = at + stamp.advance;
    let done = pen.div_euclid(phases);
    if done <= from.done {
        return None;
    }
    let cost = from.cost
        + compare(ink, stamp, at.div_euclid(phases), from.done, done)
        + JITTER_COST * jitter.unsigned_abs() as f32
        + CHARACTER_COST;
    Some(Next { character: stamp.character, at, pen, done, cost })
}

/// Squared differences in the columns `from..to`, with the stamp's pen in column `pixel`.
fn compare(ink: &Columns, stamp: &Stamp, pixel: isize, from: isize, to: isize) -> f32 {
    // (ink − letter)² = ink² − 2·ink·letter + letter², of which the first comes from the running
    // sums and the last with the stamp: only the product is left for each pixel.
    let mut sum = ink.squares(from, to);
    let left = pixel + stamp.left;
    for x in from.max(left)..to.min(left + stamp.columns as isize) {
        let column = (x - left) as usize;
        sum += stamp.squares[column];
        let Some(seen) = ink.column(x) else { continue };
        let expected = &stamp.cover[column * stamp.rows..(column + 1) * stamp.rows];
        let seen = &seen[stamp.top..stamp.top + stamp.rows];
        sum -= 2.0 * seen.iter().zip(expected).map(|(a, b)| a * b).sum::<f32>();
    }
    sum
}

fn stamps(ink: &Ink, guess: Guess) -> Vec<Vec<Stamp>> {
    let face = font::face(guess.weight);
    (0..PHASES)
        .map(|phase| {
            let at = phase as f32 / PHASES as f32;
            face.glyphs.iter().map(|glyph| stamp(glyph, ink, guess, at)).collect()
        })
        .collect()
}

fn stamp(glyph: &Glyph, ink: &Ink, guess: Guess, phase: f32) -> Stamp {
    let advance = glyph.advance * guess.size + guess.spacing;
    let mut stamp = Stamp {
        character: glyph.character,
        advance: ((advance * PHASES as f32).round() as isize).max(1),
        left: 0,
        columns: 0,
        top: 0,
        rows: 0,
        cover: Vec::new(),
        squares: Vec::new(),
    };
    let place = Transform::from_row(guess.size, 0.0, 0.0, guess.size, phase, guess.baseline);
    let Some(path) = glyph.path.clone().and_then(|p| p.transform(place)) else { return stamp };
    let bounds = path.bounds();
    let left = bounds.left().floor();
    let columns = (bounds.right().ceil() - left).max(1.0);
    let Some(mut mask) = Mask::new(columns as u32, ink.height as u32) else { return stamp };
    mask.fill_path(&path, FillRule::Winding, true, Transform::from_translate(-left, 0.0));
    let (top, bottom) = (bounds.top().floor().max(0.0) as usize, bounds.bottom().ceil().max(0.0));
    stamp.top = top.min(ink.height);
    stamp.rows = (bottom as usize).min(ink.height).saturating_sub(stamp.top);
    stamp.left = left as isize;
    stamp.columns = columns as usize;
    for x in 0..stamp.columns {
        let column = (stamp.top..stamp.top + stamp.rows)
            .map(|y| f32::from(mask.data()[y * stamp.columns + x]) / 255.0);
        stamp.squares.push(column.clone().map(|v| v * v).sum());
        stamp.cover.extend(column);
    }
    stamp
}
