//! A picture of plain shapes, to be written as SVG or painted in the window.

/// How long a piece of a line is at most that stands for runs, and how far beside it a pointer still is on it, in points.
const PIECE: f64 = 10.0;
const REACH: f64 = 4.0;

/// A picture of shapes, in points from its top left corner.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VectorPicture {
    /// Points across.
    pub width: f64,
    /// Points down.
    pub height: f64,
    /// The shapes, the lowest first.
    pub shapes: Vec<Shape>,
    /// What in it stands for runs, for who looks at it and asks which.
    pub marks: Vec<Mark>,
}

/// A part of a picture that stands for runs of a library.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Where it is: left, top, width, height, in points of the picture. A bar is one area; a curve or a band is as many
    /// as follow it, at least one.
    pub areas: Vec<[f64; 4]>,
    /// What it shows, in words.
    pub words: String,
    /// The runs, by their numbers in the library.
    pub runs: Vec<u32>,
}

/// What a shape is drawn in; which colour that is says whoever draws it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Words.
    Text,
    /// Words of less weight.
    Dim,
    /// Lines behind everything.
    Grid,
    /// Series by their place.
    Series(usize),
    /// The same, so faint that others show through.
    Wash(usize),
}

/// Where a text stands to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// To the right of it.
    Start,
    /// About it.
    Middle,
    /// To the left of it.
    End,
}

/// A shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A filled rectangle: left, top, width, height.
    Rect {
        /// Left, top, width, height.
        area: [f64; 4],
        /// Its fill.
        ink: Ink,
    },
    /// A line through points.
    Line {
        /// The points.
        points: Vec<[f64; 2]>,
        /// Its colour.
        ink: Ink,
        /// Its width.
        width: f64,
    },
    /// A filled area around points.
    Area {
        /// The points.
        points: Vec<[f64; 2]>,
        /// Its fill.
        ink: Ink,
    },
    /// One line of text; its place is the middle of its height.
    Text {
        /// Where.
        at: [f64; 2],
        /// What.
        text: String,
        /// How it stands to its place.
        anchor: Anchor,
        /// Its size.
        size: f64,
        /// Its colour.
        ink: Ink,
    },
}

impl VectorPicture {
    /// An empty one.
    pub fn new(width: f64, height: f64) -> Self {
        Self { width, height, shapes: Vec::new(), marks: Vec::new() }
    }

    /// Has an area stand for runs, if there are some.
    pub(super) fn mark(&mut self, area: [f64; 4], words: String, runs: Vec<u32>) {
        self.mark_areas(vec![area], words, runs);
    }

    /// Has areas stand for runs, if there are some of both.
    pub(super) fn mark_areas(&mut self, areas: Vec<[f64; 4]>, words: String, runs: Vec<u32>) {
        if !areas.is_empty() && !runs.is_empty() {
            self.marks.push(Mark { areas, words, runs });
        }
    }

    pub(super) fn rect(&mut self, area: [f64; 4], ink: Ink) {
        self.shapes.push(Shape::Rect { area, ink });
    }

    pub(super) fn line(&mut self, points: Vec<[f64; 2]>, ink: Ink, width: f64) {
        self.shapes.push(Shape::Line { points, ink, width });
    }

    pub(super) fn area(&mut self, points: Vec<[f64; 2]>, ink: Ink) {
        self.shapes.push(Shape::Area { points, ink });
    }

    pub(super) fn text(&mut self, at: [f64; 2], text: impl Into<String>, anchor: Anchor, ink: Ink) {
        self.shapes.push(Shape::Text { at, text: text.into(), anchor, size: 11.0, ink });
    }
}

/// The areas that follow a line through points, within reach of a pointer.
pub(super) fn areas_along(points: &[[f64; 2]]) -> Vec<[f64; 4]> {
    let mut areas = Vec::new();
    for ends in points.windows(2) {
        let [from, to] = ends else { continue };
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let pieces = (dx.hypot(dy) / PIECE).ceil().max(1.0);
        let (width, height) = (dx.abs() / pieces, dy.abs() / pieces);
        for piece in 0..pieces as usize {
            let share = (piece as f64 + 0.5) / pieces;
            let [x, y] = [from[0] + share * dx, from[1] + share * dy];
            // Wider across the line only, so that pieces lie side by side.
            areas.push(if width >= height {
                [x - width / 2.0, y - REACH, width.max(1.0), 2.0 * REACH]
            } else {
                [x - REACH, y - height / 2.0, 2.0 * REACH, height]
            });
        }
    }
    areas
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_areas_along_a_line_hold_every_point_of_it_and_nothing_far_off() {
        let points = [[0.0, 0.0], [55.0, 20.0], [60.0, 90.0], [60.0, 90.0]];
        let areas = areas_along(&points);
        let holds = |[x, y]: [f64; 2]| {
            areas.iter().any(|[left, top, width, height]| {
                let is_across = (left - 1e-9..=left + width + 1e-9).contains(&x);
                is_across && (top - 1e-9..=top + height + 1e-9).contains(&y)
            })
        };
        for ends in points.windows(2) {
            for share in (0..=100).map(|at| f64::from(at) / 100.0) {
                let [x, y] =
                    [0, 1].map(|axis| ends[0][axis] * (1.0 - share) + ends[1][axis] * share);
                assert!(holds([x, y]), "{x}, {y}");
            }
        }
        assert!(!holds([27.0, 20.0]) && !holds([50.0, 60.0]));
    }
}
