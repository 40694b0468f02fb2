//! What the agent means to draw: pieces in paint order, each of which becomes one node.

use crate::base::Rect;

use super::picture::Rgb;

/// One thing to draw.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    /// Its box, in pixels of the working picture.
    pub(super) bounds: Rect,
    /// Its form.
    pub(super) shape: Shape,
    /// What it is filled with.
    pub(super) fill: Fill,
    /// Its outline, inside the box.
    pub(super) stroke: Option<Stroke>,
    /// What a person would call it.
    pub(super) role: Role,
}

/// The form of a piece.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// A rectangle with the radii of its corners: left top, right top, right bottom, left bottom.
    Box([f32; 4]),
    /// The ellipse in the box.
    Ellipse,
    /// A line of text.
    Text(TextRun),
    /// Lines that are one text.
    Paragraph(Paragraph),
    /// Closed polygons, filled where an odd number of them overlap.
    Trace(Vec<Vec<[f32; 2]>>),
}

/// A line of text in Inter.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TextRun {
    /// Its characters.
    pub(super) content: String,
    /// Font size, in pixels.
    pub(super) size: f32,
    /// 100..=900, in hundreds.
    pub(super) weight: u16,
    /// Added after every character, in pixels.
    pub(super) spacing: f32,
    /// Where the pen starts.
    pub(super) left: f32,
    /// Where the letters stand.
    pub(super) baseline: f32,
}

/// Lines of text that are one: they break at the width of its box.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Paragraph {
    /// What its lines have in common, with all that they say; it starts where the first one does.
    pub(super) text: TextRun,
    /// From where a line stands to where the next does, in pixels.
    pub(super) leading: f32,
    /// How wide its box is, in pixels.
    pub(super) width: f32,
    /// The lines as they were seen, from the top.
    pub(super) lines: Vec<Piece>,
}

/// What a piece is filled with.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Fill {
    /// One colour.
    Solid(Rgb),
    /// A gradient along an axis of the box, with stops from 0 to 1 in order.
    Linear(GradientDirection, Vec<(f32, Rgb)>),
}

/// Which way a gradient runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GradientDirection {
    /// Left to right.
    Across,
    /// Top to bottom.
    Down,
}

/// An outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stroke {
    /// Its colour.
    pub(super) colour: Rgb,
    /// Its width, in pixels.
    pub(super) weight: f32,
}

/// What a person would call a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Role {
    /// A band over the whole width or height, such as a header.
    Region,
    /// A box that holds other things.
    Card,
    /// A box that holds one line of text.
    Button,
    /// A box that holds nothing.
    Block,
    /// A disc or an ellipse.
    Disc,
    /// A thin line.
    Divider,
    /// A small traced form.
    Icon,
    /// A line of text.
    Text,
}

impl Role {
    /// The first word of the names of such pieces.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Region => "Region",
            Self::Card => "Card",
            Self::Button => "Button",
            Self::Block => "Block",
            Self::Disc => "Disc",
            Self::Divider => "Divider",
            Self::Icon => "Icon",
            Self::Text => "Text",
        }
    }
}

impl Fill {
    /// Its mean colour.
    pub(super) fn colour(&self) -> Rgb {
        match self {
            Self::Solid(colour) => *colour,
            // Where only one colour can be given, as at the creation of a node, the mean is the
            // least wrong.
            Self::Linear(_, stops) => {
                super::picture::mean(stops.iter().map(|(_, colour)| *colour)).unwrap_or_default()
            }
        }
    }
}
