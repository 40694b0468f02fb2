//! Measures for the document.

use crate::base::Rect;
use crate::design::{Document, Measure, NodeId, TextContent, TextExtent};

use super::combined;
use super::context::RenderContext;
use super::text::{self, layout};

/// Measures texts and shapes as they are drawn in a context.
#[derive(Clone, Copy, Debug)]
pub struct TextMeasurer<'c>(pub &'c RenderContext);

impl Measure for TextMeasurer<'_> {
    fn text(&self, content: &TextContent, width: Option<f64>) -> TextExtent {
        let (size, lines) = self.0.with_cache(|cache| {
            let size = text::measure(&cache.typesetter, content, width).size;
            (size, layout::in_box(&cache.typesetter, content, size).lines)
        });
        let baseline = lines.first().map_or(size.height, |line| line.baseline_y - line.top);
        TextExtent { size, baseline }
    }

    fn combined_box(&self, document: &Document, id: &NodeId) -> Option<Rect> {
        let node = document.get(id)?;
        self.0.with_cache(|cache| combined::bounds(cache, document, node))
    }
}
