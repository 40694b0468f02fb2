//! A picture of plain shapes, to be written as SVG or painted in the window.

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

/// An area of a picture that stands for runs of a library.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Left, top, width, height, in points of the picture.
    pub area: [f64; 4],
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
        if !runs.is_empty() {
            self.marks.push(Mark { area, words, runs });
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
