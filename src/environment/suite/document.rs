//! A document of one program: a page with layers; and documents that were saved, which layers show.
//!
//! The two define each other, as a layer may be a file that another program saved.

use std::sync::{Arc, OnceLock};

use crate::base::{Point, Rect, Rgba, Size};
use crate::graphictown::Expert;
use crate::raster::filter::Filter;

use super::drawing::DrawnShape;
use super::geometry::{Placement, middle};
use super::given::GivenContent;
use super::qr_code::QrCode;
use super::text_layer::TextLayer;

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
pub(super) struct SuiteDocument {
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

impl SuiteDocument {
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
        let wanted = plain(name);
        // The newest has the highest number, wherever it lies. A name that is right letter by letter
        // goes before any that is only nearly.
        let named = self.layers.iter().enumerate().filter_map(|(at, layer)| {
            let is_exact = layer.name == name;
            (is_exact || plain(&layer.name) == wanted).then_some((is_exact, layer.id, at))
        });
        named.max().map(|(_, _, at)| at)
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
        // Files in files multiply: what is bounded is what is drawn in the end.
        let is_full = self.layers.len() >= MOST_LAYERS
            || self.nodes() + layer.nodes() > MOST_NODES
            || depth_of(&layer) >= MOST_DEPTH;
        if is_full {
            return Err(Full);
        }
        self.is_saved = false;
        // Never given again, so that ids of nodes mean the same layer in every picture of a run.
        self.next_id += 1;
        self.layers.push(Arc::new(layer));
        Ok(())
    }

    /// Takes a layer out.
    pub(super) fn remove(&mut self, at: usize) {
        if at < self.layers.len() {
            let layer = self.layers.remove(at);
            self.removed.push(layer.name.clone());
            // They are only there to be told why a layer is missing.
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
        let mut pairs = self.layers.iter().zip(&other.layers);
        self.size == other.size
            && self.background == other.background
            && self.layers.len() == other.layers.len()
            && pairs.all(|(own, other)| Arc::ptr_eq(own, other))
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
    Drawing(DrawnShape),
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

    /// Where it lies, to be changed.
    pub(super) fn place_mut(&mut self) -> &mut Placement {
        match &mut self.content {
            Content::Text(text) => &mut text.place,
            Content::Drawing(drawing) => &mut drawing.place,
            Content::Object(object) => &mut object.place,
        }
    }

    /// The layer without filters and fully opaque, its middle here.
    pub(super) fn alone_at(&self, center: Point) -> Self {
        let mut layer = Self { opacity: 100.0, filters: Vec::new(), ..self.clone() };
        layer.place_mut().center = center;
        layer
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
        // With filters there is a group around it, and the picture that they make.
        if self.filters.is_empty() { own } else { own + 2 }
    }
}

/// An imported or generated object.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Object {
    /// What it shows.
    pub(super) source: Source,
    /// Where it lies.
    pub(super) place: Placement,
}

/// What an object shows.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Source {
    /// A picture that the query hands out, or the place of one whose file there is not.
    Given(Arc<GivenContent>),
    /// A saved document, live: its layers are in the page's document.
    Live(Arc<Saved>),
    /// A saved document as one picture.
    Flat(Arc<Saved>),
    /// A QR code.
    Qr(Arc<QrCode>),
}

impl Source {
    /// A saved document: live if its format is.
    pub(super) fn of_file(saved: Arc<Saved>) -> Self {
        if saved.is_live() { Self::Live(saved) } else { Self::Flat(saved) }
    }

    /// Its own size, in points: a pixel of a picture is a point.
    pub(super) fn size(&self) -> Size {
        match self {
            Self::Given(given) => given.size(),
            Self::Live(saved) | Self::Flat(saved) => saved.document.size,
            Self::Qr(code) => Size::new(code.cells(), code.cells()),
        }
    }

    /// How many nodes it makes in a document.
    pub(super) fn nodes(&self) -> usize {
        match self {
            // Counted once when it was saved: files in files would be walked again and again.
            Self::Live(saved) => saved.nodes,
            Self::Given(_) | Self::Flat(_) => 1,
            Self::Qr(_) => 2,
        }
    }

    /// How many documents are inside each other in it.
    pub(super) fn depth(&self) -> usize {
        match self {
            Self::Live(saved) | Self::Flat(saved) => saved.depth,
            Self::Given(_) | Self::Qr(_) => 0,
        }
    }
}

impl Object {
    /// The object in the middle of a page, in its own size or as large as the page has room for.
    pub(super) fn on_page(source: Source, page: Size) -> Self {
        let size = source.size();
        let fits = (page.width / size.width).min(page.height / size.height).min(1.0);
        let size = Size::new(size.width * fits, size.height * fits);
        Self { source, place: Placement::at(middle(page), size) }
    }
}

/// A document as it was when it was saved. It never changes.
#[derive(Clone, Debug)]
pub(super) struct Saved {
    /// Its file's name, with its ending.
    pub(super) name: String,
    /// Whose program wrote it.
    pub(super) expert: Expert,
    /// The document.
    pub(super) document: SuiteDocument,
    /// Nodes in it: see [`SuiteDocument::nodes`].
    pub(super) nodes: usize,
    /// Documents inside each other: see [`SuiteDocument::depth`].
    pub(super) depth: usize,
    /// See [`Saved::key`](super::json): filled when it is first asked for.
    pub(super) key: OnceLock<String>,
}

impl PartialEq for Saved {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
            || (self.name == other.name
                && self.expert == other.expert
                && self.nodes == other.nodes
                && self.key() == other.key())
    }
}

impl Saved {
    /// A document under this name.
    pub(super) fn new(name: String, expert: Expert, document: SuiteDocument) -> Arc<Self> {
        let (nodes, depth) = (document.nodes(), document.depth());
        Arc::new(Self { name, expert, document, nodes, depth, key: OnceLock::new() })
    }

    /// Its name's ending, without the dot.
    pub(super) fn format(&self) -> &str {
        self.name.rsplit_once('.').map_or("", |(_, ending)| ending)
    }

    /// Whether it stays editable where it is imported: the programs' own formats, and what is written
    /// as vectors. PNG and JPEG are one picture.
    pub(super) fn is_live(&self) -> bool {
        !matches!(self.format(), "png" | "jpg" | "jpeg" | "pdf")
    }
}
