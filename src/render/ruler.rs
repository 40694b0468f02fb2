//! Measures for the document.

use crate::base::{Rect, Size};
use crate::design::{Document, Measure, NodeId, TextContent, TextExtent};

use super::{combined, text};

/// Measures texts and shapes as they are drawn here.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ruler;

impl Measure for Ruler {
    fn text(&self, content: &TextContent, width: Option<f64>) -> TextExtent {
        let size = text::measure(content, width).size;
        let lines = text::layout(content, Size::new(size.width, size.height)).lines;
        let baseline = lines.first().map_or(size.height, |line| line.baseline_y - line.top);
        TextExtent { size, baseline }
    }

    fn combined_box(&self, document: &Document, id: &NodeId) -> Option<Rect> {
        combined::bounds(document, document.get(id)?)
    }
}
