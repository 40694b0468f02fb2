//! A document of one program: a page with layers.

use std::sync::Arc;

use crate::base::{Rgba, Size};

use super::layer::{Content, Layer};
use super::object::{Object, Source};

/// Most layers of a document.
pub(super) const MOST_LAYERS: usize = 500;
/// Most nodes of a document, those of imported ones counted in.
pub(super) const MOST_NODES: usize = 5_000;
/// Most documents inside each other.
pub(super) const MOST_DEPTH: usize = 16;
/// Names of removed layers that are remembered.
const REMEMBERED: usize = 64;

/// A document. Cloning shares all layers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sheet {
    /// What was asked for: `book cover`, or `custom`.
    pub(super) title: String,
    /// The page, in points.
    pub(super) size: Size,
    /// Its colour; `None`: white paper on screen, and see-through where it is imported.
    pub(super) background: Option<Rgba>,
    /// From the bottom up.
    pub(super) layers: Vec<Arc<Layer>>,
    /// The number of the next layer.
    pub(super) next_id: u64,
    /// The unit in which texts are placed.
    pub(super) text_unit: TextUnit,
    /// Whether it was saved since the last change.
    pub(super) is_saved: bool,
    /// Names of layers that were removed, the last ones.
    pub(super) removed: Vec<String>,
}

/// The unit in which texts of a document are placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum TextUnit {
    /// As the tables of actions say.
    #[default]
    Millimetres,
    /// As everything else is; from the first text on that millimetres would put off the page.
    Points,
}

impl TextUnit {
    /// Points of one.
    pub(super) const fn points(self) -> f64 {
        match self {
            Self::Millimetres => 72.0 / 25.4,
            Self::Points => 1.0,
        }
    }

    /// Its name, for outcomes.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Millimetres => "mm",
            Self::Points => "pt",
        }
    }
}

/// A document holds no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Full;

impl Sheet {
    /// An empty document.
    pub(super) fn new(title: &str, size: Size, background: Option<Rgba>) -> Self {
        Self {
            title: title.to_owned(),
            size,
            background,
            layers: Vec::new(),
            next_id: 1,
            text_unit: TextUnit::default(),
            is_saved: false,
            removed: Vec::new(),
        }
    }

    /// The layer of this name, of several the newest: exactly, else but for case and space around it.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let newest = |is_it: &dyn Fn(&Layer) -> bool| {
            let found = self.layers.iter().enumerate().filter(|(_, layer)| is_it(layer));
            found.max_by_key(|(_, layer)| layer.id).map(|(at, _)| at)
        };
        let wanted = plain(name);
        newest(&|layer| layer.name == name)
            .or_else(|| newest(&|layer| plain(&layer.name) == wanted))
    }

    /// Adds a layer on top. Another of the same name stays, but the name means the newer one from
    /// here on, as in the desktop programs.
    pub(super) fn add(&mut self, name: &str, content: Content) -> Result<(), Full> {
        let layer = Layer {
            id: self.next_id,
            name: name.to_owned(),
            content,
            opacity: 100.0,
            filters: Vec::new(),
        };
        let is_full = self.layers.len() >= MOST_LAYERS
            || self.nodes() + layer.nodes() > MOST_NODES
            || depth_of(&layer) >= MOST_DEPTH;
        if is_full {
            return Err(Full);
        }
        self.is_saved = false;
        self.next_id += 1;
        self.layers.push(Arc::new(layer));
        Ok(())
    }

    /// Takes a layer out.
    pub(super) fn remove(&mut self, at: usize) {
        if at < self.layers.len() {
            let layer = self.layers.remove(at);
            self.removed.push(layer.name.clone());
            if self.removed.len() > REMEMBERED {
                self.removed.remove(0);
            }
            self.is_saved = false;
        }
    }

    /// A layer to change.
    pub(super) fn layer_mut(&mut self, at: usize) -> Option<&mut Layer> {
        self.is_saved = false;
        self.layers.get_mut(at).map(Arc::make_mut)
    }

    /// Whether it is a copy of which neither was changed since: told by what they share, without
    /// looking into the layers.
    pub(super) fn is_same_as(&self, other: &Self) -> bool {
        let same = |(own, other): (&Arc<Layer>, &Arc<Layer>)| Arc::ptr_eq(own, other);
        self.size == other.size
            && self.background == other.background
            && self.layers.len() == other.layers.len()
            && self.layers.iter().zip(&other.layers).all(same)
    }

    /// How many nodes it makes in a document, its page counted in.
    pub(super) fn nodes(&self) -> usize {
        1 + self.layers.iter().map(|layer| layer.nodes()).sum::<usize>()
    }

    /// How many documents are inside each other, itself counted in.
    pub(super) fn depth(&self) -> usize {
        1 + self.layers.iter().map(|layer| depth_of(layer)).max().unwrap_or(0)
    }
}

fn depth_of(layer: &Layer) -> usize {
    match &layer.content {
        Content::Object(Object { source, .. }) => match source {
            Source::Live(_) | Source::Flat(_) => source.depth(),
            Source::Given(_) | Source::Qr(_) => 0,
        },
        Content::Text(_) | Content::Drawing(_) => 0,
    }
}

/// A name as it is compared: without case and space around it.
pub(super) fn plain(name: &str) -> String {
    name.trim().to_lowercase()
}
