//! Marks grouped into what may be a line of text, or an icon.

use crate::agent::tracer::area::Area;
use crate::agent::tracer::picture::{Rgb, dot};
use crate::agent::tracer::residual::Mark;

/// Tallest mark that can be of text, in pixels.
const TALLEST: usize = 64;
/// Marks of one line are no further apart than this, of the line's height.
const WIDEST_GAP: f32 = 0.85;

/// Marks side by side.
#[derive(Clone, Debug)]
pub(in crate::agent::tracer) struct Line {
    /// The box around them.
    pub(in crate::agent::tracer) bounds: Area,
    /// Indices into the marks.
    pub(in crate::agent::tracer) marks: Vec<usize>,
    /// The mean contrast of the marks, by their pixels.
    pub(in crate::agent::tracer) contrast: Rgb,
    /// Which of the walls is around it.
    room: Option<usize>,
}

impl Line {
    /// Some of its marks, as a line of their own.
    pub(in crate::agent::tracer) fn part(&self, of: &[Mark], marks: &[usize]) -> Self {
        let boxes = marks.iter().map(|at| of[*at].bounds());
        let bounds = boxes.reduce(Area::union).unwrap_or(self.bounds);
        Self { bounds, marks: marks.to_vec(), ..self.clone() }
    }
}

/// Groups marks that stand side by side, in the same colour, each but once.
///
/// `walls` are areas no line may leave: a gap that crosses one's border parts two lines.
pub(in crate::agent::tracer) fn group(marks: &[Mark], walls: &[Area]) -> Vec<Line> {
    let mut lines: Vec<Line> = marks
        .iter()
        .enumerate()
        .map(|(i, m)| Line {
            bounds: m.bounds(),
            marks: vec![i],
            contrast: m.contrast,
            room: room_of(walls, m.bounds()),
        })
        .collect();
    // Dots and accents first, so that an i is as tall as its neighbours; then letters of a word,
    // and words of a line last, when the height of the line is known.
    join(&mut lines, is_over);
    join(&mut lines, |a, b| is_beside(a, b, 0.35));
    join(&mut lines, |a, b| is_beside(a, b, WIDEST_GAP));
    lines
}

/// The smallest wall around a box, as an index; none on open ground.
fn room_of(walls: &[Area], bounds: Area) -> Option<usize> {
    let around = walls.iter().enumerate().filter(|(_, wall)| wall.holds(bounds));
    around.min_by_key(|(i, wall)| (wall.count(), *i)).map(|(i, _)| i)
}

/// Joins pairs in the same room until none is left to join.
fn join(lines: &mut Vec<Line>, belong: impl Fn(&Line, &Line) -> bool) {
    lines.sort_by_key(|l| (l.bounds.x0, l.bounds.y0));
    loop {
        let before = lines.len();
        let mut at = 0;
        while at < lines.len() {
            let one = &lines[at];
            let mut later = at + 1..lines.len();
            match later.find(|i| lines[*i].room == one.room && belong(one, &lines[*i])) {
                Some(other) => {
                    // It has grown, so that it is looked at once more.
                    let taken = lines.remove(other);
                    merge(&mut lines[at], taken);
                }
                None => at += 1,
            }
        }
        if lines.len() == before {
            return;
        }
    }
}

fn merge(into: &mut Line, taken: Line) {
    let (n, m) = (into.marks.len() as f32, taken.marks.len() as f32);
    into.contrast = [0, 1, 2].map(|c| (into.contrast[c] * n + taken.contrast[c] * m) / (n + m));
    into.bounds = into.bounds.union(taken.bounds);
    into.marks.extend(taken.marks);
}

/// Whether one is the dot or accent of the other.
fn is_over(a: &Line, b: &Line) -> bool {
    let (small, large) = if a.bounds.count() < b.bounds.count() {
        (a.bounds, b.bounds)
    } else {
        (b.bounds, a.bounds)
    };
    let tall = small.union(large).height();
    tall <= TALLEST
        && small.width() * 2 <= tall
        && small.width() <= large.width() + 2
        && small.gap_x(large) <= -(small.width() as isize + 1) / 2
        && small.gap_y(large) <= 1 + tall as isize / 5
        && similar(a.contrast, b.contrast)
}

/// Whether the two stand side by side on one line.
fn is_beside(a: &Line, b: &Line, gap: f32) -> bool {
    let (ha, hb) = (a.bounds.height(), b.bounds.height());
    let height = ha.max(hb);
    if height > TALLEST || !similar(a.contrast, b.contrast) {
        return false;
    }
    let overlap = -a.bounds.gap_y(b.bounds);
    // A full stop, a comma or a dash overlaps little, but lies within the line.
    let least = ha.min(hb) as isize;
    let room = (gap * height as f32).max(3.0) as isize;
    // A low mark must stand close by: a full stop belongs to its word, a dash far off to nothing.
    let room = if ha.min(hb) * 5 < height * 2 { room.min(height as isize / 2 + 1) } else { room };
    overlap * 2 >= least.max(1) && a.bounds.gap_x(b.bounds) <= room
}

/// Whether two contrasts are of one colour, more or less strong.
fn similar(a: Rgb, b: Rgb) -> bool {
    let (na, nb) = (dot(a, a).sqrt(), dot(b, b).sqrt());
    let cosine = dot(a, b) / (na * nb).max(1e-3);
    cosine > 0.9 && na.min(nb) > 0.3 * na.max(nb)
}
