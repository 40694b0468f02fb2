//! What the document has to ask those who draw it.

use crate::base::{Rect, Size};

use super::document::Document;
use super::node_id::NodeId;
use super::shape::PathGeometry;
use super::text::TextContent;

/// What a text takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextExtent {
    /// In whole pixels, as Figma gives it to a text that resizes itself.
    pub size: Size,
    /// From the top of the first line to where its letters stand.
    pub baseline: f64,
}

/// Answers what only a text engine and shape geometry know. The renderer implements it
/// ([`TextMeasurer`](crate::render::TextMeasurer)); the document stays free of fonts.
///
/// Answers depend on the arguments alone: the same question gets the same answer.
pub trait Measure {
    /// What a text takes with lines broken at `width`, or only where the text says.
    fn text(&self, content: &TextContent, width: Option<f64>) -> TextExtent;

    /// The box, in the node's own space, of what a BOOLEAN_OPERATION combines to; `None` if that
    /// is nothing.
    fn combined_box(&self, document: &Document, id: &NodeId) -> Option<Rect>;

    /// What the fills and the stroke of a node cover, in its own space; `None` where nobody can tell.
    fn outline(&self, _document: &Document, _id: &NodeId) -> Option<PathGeometry> {
        None
    }
}

/// Texts of no size: for tests of designs in which none matters, here and in the crates above.
#[derive(Clone, Copy, Debug)]
pub struct NoTexts;

impl Measure for NoTexts {
    fn text(&self, _: &TextContent, _: Option<f64>) -> TextExtent {
        TextExtent { size: Size::default(), baseline: 0.0 }
    }

    fn combined_box(&self, _: &Document, _: &NodeId) -> Option<Rect> {
        None
    }
}

/// Letters as wide as they are high, on one line: for tests in which texts grow.
#[derive(Clone, Copy, Debug)]
pub struct SquareLetters;

impl Measure for SquareLetters {
    fn text(&self, content: &TextContent, _: Option<f64>) -> TextExtent {
        let size = content.style.font_size;
        let width = content.characters.chars().count() as f64 * size;
        TextExtent { size: Size::new(width, size), baseline: size }
    }

    fn combined_box(&self, _: &Document, _: &NodeId) -> Option<Rect> {
        None
    }
}

/// Letters half as wide as they are high, in lines that break anywhere: for tests in which texts have to fit.
#[derive(Clone, Copy, Debug)]
pub struct NarrowLetters;

impl Measure for NarrowLetters {
    fn text(&self, content: &TextContent, width: Option<f64>) -> TextExtent {
        let size = content.style.font_size;
        let whole = content.characters.chars().count() as f64 * size / 2.0;
        let width = width.unwrap_or(whole).max(size / 2.0);
        let lines = (whole / width).ceil().max(1.0);
        TextExtent { size: Size::new(whole.min(width), lines * size), baseline: size }
    }

    fn combined_box(&self, _: &Document, _: &NodeId) -> Option<Rect> {
        None
    }
}
