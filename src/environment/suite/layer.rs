//! Layers of a document.

use crate::base::Rect;
use crate::raster::filter::Filter;

use super::drawing::Drawing;
use super::geometry::Placement;
use super::object::Object;
use super::text_layer::TextLayer;

/// A layer: a text, a drawing or an object with a name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layer {
    /// Its number, unique in its document and never used again.
    pub(super) id: u64,
    /// What the plan calls it; of several of one name the newest is meant.
    pub(super) name: String,
    /// What it is.
    pub(super) content: Content,
    /// 0..=100 percent.
    pub(super) opacity: f64,
    /// What is done to it when it is drawn, first things first.
    pub(super) filters: Vec<Filter>,
}

/// What a layer is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Content {
    /// Words.
    Text(TextLayer),
    /// A form.
    Drawing(Drawing),
    /// Something imported or generated.
    Object(Object),
}

impl Layer {
    /// Where it lies.
    pub(super) fn place(&self) -> &Placement {
        match &self.content {
            Content::Text(text) => &text.place,
            Content::Drawing(drawing) => &drawing.place,
            Content::Object(object) => &object.place,
        }
    }

    /// The upright box around it.
    pub(super) fn bounds(&self) -> Rect {
        self.place().bounds()
    }

    /// One word for what it is.
    pub(super) fn kind(&self) -> &'static str {
        match self.content {
            Content::Text(_) => "text",
            Content::Drawing(_) => "drawing",
            Content::Object(_) => "object",
        }
    }

    /// How many nodes it makes in a document.
    pub(super) fn nodes(&self) -> usize {
        let own = match &self.content {
            Content::Text(_) | Content::Drawing(_) => 1,
            Content::Object(object) => object.source.nodes(),
        };
        if self.filters.is_empty() { own } else { own + 2 }
    }
}
