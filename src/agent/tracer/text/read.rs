//! Which characters a line holds: the cheapest way through the letter forms of Inter.
//!
//! The line's ink is compared with rendered letters from left to right. What a letter costs depends on
//! where the pen stands and on nothing before it, so the cheapest way to each place of the pen is all
//! that has to be kept (Viterbi, 1967): nothing is given up on the way because a wider letter costs
//! more before it has explained more.

use tiny_skia::{FillRule, Mask, Transform};

use super::font::{self, Glyph};
use super::spelling::spelled;

/// Letters tried a little off their place: those that fit best where the pen stands.
const MOVED: usize = 10;
/// A pen position is tried at this many places within a pixel.
const PHASES: usize = 3;
/// How far a letter may stand from where the one before it ends, in thirds of a pixel.
const JITTER: [isize; 4] = [-2, -1, 1, 2];
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
pub(in crate::agent::tracer) struct LineReading {
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

/// A letter on the cheapest way to where the pen stands after it.
#[derive(Clone, Copy)]
struct LetterStep {
    /// Where the pen stood before, as an index; `None`: it is the first letter.
    before: Option<usize>,
    letter: usize,
    /// Where the letter stands, in phases.
    at: isize,
}

/// The cheapest ways to all places of the pen.
struct Ways {
    /// Of the place with index 0, in phases.
    first: isize,
    /// Infinite where no way leads.
    costs: Vec<f32>,
    steps: Vec<Option<LetterStep>>,
}

impl Ways {
    /// No way to any place from `first` to `last`, in phases.
    fn between(first: isize, last: isize) -> Self {
        let count = (last - first + 1).max(0) as usize;
        Self { first, costs: vec![f32::INFINITY; count], steps: vec![None; count] }
    }

    /// Keeps a way if it is the cheapest to its place.
    fn offer(&mut self, pen: isize, cost: f32, step: LetterStep) {
        let Ok(index) = usize::try_from(pen - self.first) else { return };
        if self.costs.get(index).is_some_and(|known| cost < *known) {
            self.costs[index] = cost;
            self.steps[index] = Some(step);
        }
    }
}

/// Reads a line, or only its first `columns`; `None` if the guess is no size to read at.
pub(in crate::agent::tracer) fn read(
    ink: &Ink,
    guess: Guess,
    columns: usize,
) -> Option<LineReading> {
    if !(4.0..=90.0).contains(&guess.size) || ink.width == 0 || ink.height == 0 {
        return None;
    }
    let stamps = stamps(ink, guess);
    let end = ink.width.min(columns) as isize;
    let columns = Columns::of(ink);
    let (margin, phases) = (guess.size as isize + 2, PHASES as isize);
    // The last letter may begin in the last column and reach far beyond it.
    let mut ways = Ways::between(-2 * margin * phases, (end + 4 * margin) * phases);
    // Whatever is left of the first ink is empty, and no letter stands there.
    let first_ink = (0..ink.width).position(|x| columns.squares(x as isize, x as isize + 1) > 0.0);
    for start in starts(&stamps, first_ink? as isize) {
        let from = From { pen: start, done: -margin, index: None, cost: 0.0 };
        go_on(&columns, &stamps, &from, &mut ways);
    }
    let mut best: Option<(f32, usize)> = None;
    // Every letter leads to a later place: when one is looked at, the cheapest way to it is known.
    for index in 0..ways.costs.len() {
        let (pen, cost) = (ways.first + index as isize, ways.costs[index]);
        let done = pen.div_euclid(phases);
        if cost.is_infinite() {
            continue;
        }
        if done >= end {
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, index));
            }
        } else {
            let from = From { pen, done, index: Some(index), cost };
            go_on(&columns, &stamps, &from, &mut ways);
        }
    }
    let (cost, last) = best?;
    let total = columns.squares(0, end).max(1.0);
    reading(&stamps, &ways, last, cost / total)
}

/// The letters on the way to a place.
fn reading(stamps: &[Vec<Stamp>], ways: &Ways, last: usize, error: f32) -> Option<LineReading> {
    let (mut letters, mut pens, mut at) = (Vec::new(), Vec::new(), Some(last));
    while let Some(step) = at.and_then(|index| ways.steps.get(index).copied().flatten()) {
        letters.push(stamps[0][step.letter].character);
        pens.push(step.at as f32 / PHASES as f32);
        at = step.before;
        if letters.len() > MOST_CHARACTERS {
            return None;
        }
    }
    pens.reverse();
    let content: String = letters.iter().rev().collect();
    Some(LineReading { content: spelled(content.trim_end()), error, pens })
}

/// Pen positions at which some letter's ink begins in this column.
fn starts(stamps: &[Vec<Stamp>], column: isize) -> Vec<isize> {
    let phases = PHASES as isize;
    let mut starts: Vec<isize> = Vec::new();
    for (phase, set) in stamps.iter().enumerate() {
        for stamp in set.iter().filter(|s| s.columns > 0) {
            starts.push((column - stamp.left) * phases + phase as isize);
            // The first column of a letter may be hardly covered, and so be no ink.
            starts.push((column - stamp.left - 1) * phases + phase as isize);
        }
    }
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// Where a letter may be put next.
struct From {
    /// Where the pen stands, in phases.
    pen: isize,
    /// Columns up to here are compared.
    done: isize,
    /// The place among the ways; `None`: nothing is read yet.
    index: Option<usize>,
    cost: f32,
}

/// Goes on by each letter: all where the pen stands, and those that fit best there a little off too.
fn go_on(ink: &Columns, stamps: &[Vec<Stamp>], from: &From, ways: &mut Ways) {
    let is_first = from.index.is_none();
    // What a letter leaves unexplained, of the ink it covers: a wide letter covers more of it, and
    // would cost more than a narrow one however well it fits.
    let mut fits: Vec<(f32, usize)> = Vec::with_capacity(stamps[0].len());
    for letter in 0..stamps[0].len() {
        let Some((pen, cost)) = follow(ink, stamps, from, letter, 0) else { continue };
        ways.offer(pen, cost, LetterStep { before: from.index, letter, at: from.pen });
        let covered = ink.squares(from.done, pen.div_euclid(PHASES as isize));
        fits.push((cost - from.cost - covered, letter));
    }
    if is_first {
        return;
    }
    if fits.len() > MOVED {
        fits.select_nth_unstable_by(MOVED, |a, b| a.0.total_cmp(&b.0));
        fits.truncate(MOVED);
    }
    for (_, letter) in fits {
        for jitter in JITTER {
            let Some((pen, cost)) = follow(ink, stamps, from, letter, jitter) else { continue };
            ways.offer(pen, cost, LetterStep { before: from.index, letter, at: from.pen + jitter });
        }
    }
}

/// Where the pen stands after a letter, and what the way costs then; `None` if it reaches no further.
fn follow(
    ink: &Columns,
    stamps: &[Vec<Stamp>],
    from: &From,
    letter: usize,
    jitter: isize,
) -> Option<(isize, f32)> {
    let phases = PHASES as isize;
    let at = from.pen + jitter;
    let stamp = &stamps[at.rem_euclid(phases) as usize][letter];
    let blank = stamp.columns == 0;
    // A space has nothing that could stand a little off, and no line begins with one.
    if blank && (jitter != 0 || from.index.is_none()) {
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
    Some((pen, cost))
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
    // Only rows with ink: most of a line's height is empty, and comparing is what takes the time.
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
