//! A document as our vector document: one frame, its layers in it.
//!
//! Ids are the same in every picture of a run: `{program}:{layer}`, with `/{layer}` for what lies in
//! an imported document.

use std::sync::Arc;

use crate::base::{Affine, Pixels, Rgba, Size};
use crate::design::{
    Document, FigmaPath, ImagePaint, LineHeight, Node, NodeId, NodeKind, Paint, PaintKind,
    PathGeometry, ShownPicture, Stroke, StrokeAlign, TextAlign, TextContent, TextStyle,
    VerticalAlign, WindingRule,
};
use crate::render::{Diagnostic, RenderError};

use super::document::{Content, Layer, Object, Source, SuiteDocument};
use super::geometry::Placement;
use super::given::{GivenContent, GivenLook};
use super::qr_code::QrCode;
use super::raster_cache::RasterCache;
use super::shown::{shown_by, shown_in_picture};

/// A page as a document, with what is to be said of it.
#[derive(Debug, Default)]
pub(super) struct PageDesign {
    /// The document.
    pub(super) document: Document,
    /// Where it shows pictures that were handed out.
    pub(super) shown: Vec<ShownPicture>,
    /// What stands in for something else.
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// What lies under the layers of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paper {
    /// White where the page has no colour: as on screen.
    White,
    /// Nothing where the page has no colour: as imported.
    None,
}

/// Builds a page.
#[derive(Debug)]
pub(super) struct PageBuilder<'a> {
    raster_cache: &'a RasterCache,
    /// Pixels a point, for what is drawn beforehand and need not be.
    scale: f64,
    nodes: Vec<Node>,
    images: Vec<(String, Arc<Pixels>)>,
    shown: Vec<ShownPicture>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> PageBuilder<'a> {
    /// Draws with this cache what has to be drawn first; drawings among the given pictures for a page
    /// that is shown at this many pixels a point.
    pub(super) fn new(raster_cache: &'a RasterCache, scale: f64) -> Self {
        Self {
            raster_cache,
            scale,
            nodes: Vec::new(),
            images: Vec::new(),
            shown: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// The page of a document, with this id.
    pub(super) fn page(
        mut self,
        document: &SuiteDocument,
        id: &str,
        paper: Paper,
    ) -> Result<PageDesign, RenderError> {
        self.document_frame(
            document,
            &NodeHeader { id, name: &document.title, parent: None },
            Affine::IDENTITY,
            paper,
        )?;
        self.finish()
    }

    /// One layer on a see-through page of its own.
    pub(super) fn alone(mut self, layer: &Layer, size: Size) -> Result<PageDesign, RenderError> {
        let mut root = Node::new("0:0".into(), "layer", NodeKind::Frame);
        root.size = size;
        // Its picture has a margin for what filters let it grow by; nothing reaches beyond that.
        root.clips_content = true;
        let parent = root.id.clone();
        self.nodes.push(root);
        self.layer(layer, "0", &parent)?;
        self.finish()
    }

    fn finish(self) -> Result<PageDesign, RenderError> {
        // Parents were pushed before their children, as a document wants them.
        let mut document = Document::from_nodes(self.nodes)?;
        for (name, picture) in self.images {
            document.add_image(name, picture);
        }
        Ok(PageDesign { document, shown: self.shown, diagnostics: self.diagnostics })
    }

    fn document_frame(
        &mut self,
        document: &SuiteDocument,
        frame: &NodeHeader<'_>,
        transform: Affine,
        paper: Paper,
    ) -> Result<(), RenderError> {
        let is_root = frame.parent.is_none();
        let id = if is_root { format!("{}:0", frame.id) } else { frame.id.to_owned() };
        let mut node = Node::new(NodeId::new(id), frame.name, NodeKind::Frame);
        node.parent = frame.parent.cloned();
        node.size = document.size;
        node.transform = transform;
        node.clips_content = true;
        // Paper is only on screen: an imported page without a colour is see-through.
        let blank = (paper == Paper::White).then_some(Rgba::WHITE);
        node.fills = document.background.or(blank).map(Paint::solid).into_iter().collect();
        let parent = node.id.clone();
        self.nodes.push(node);
        let prefix = if is_root { format!("{}:", frame.id) } else { format!("{}/", frame.id) };
        for layer in &document.layers {
            self.layer(layer, &format!("{prefix}{}", layer.id), &parent)?;
        }
        Ok(())
    }

    fn layer(&mut self, layer: &Layer, id: &str, parent: &NodeId) -> Result<(), RenderError> {
        let first = self.nodes.len();
        if layer.filters.is_empty() {
            self.content(layer, id, parent)?;
        } else {
            self.filtered(layer, id, parent)?;
        }
        // Of the outermost node that the layer made, whatever it made.
        if let Some(node) = self.nodes.get_mut(first) {
            node.opacity = layer.opacity / 100.0;
        }
        Ok(())
    }

    fn content(&mut self, layer: &Layer, id: &str, parent: &NodeId) -> Result<(), RenderError> {
        let name = layer.name.as_str();
        let mut node = match &layer.content {
            Content::Object(object) => {
                return self.object(object, &NodeHeader { id, name, parent: Some(parent) });
            }
            Content::Drawing(drawing) => drawing.node(NodeId::new(id), name),
            Content::Text(text) => {
                let content = Box::new(text.content());
                let mut node = Node::new(NodeId::new(id), name, NodeKind::Text(content));
                node.transform = text.place.transform();
                node.size = text.place.size;
                node.fills = vec![Paint::solid(text.color)];
                if let Some(outline) = text.stroke {
                    node.stroke = outline.stroke(StrokeAlign::Center);
                }
                node
            }
        };
        node.parent = Some(parent.clone());
        self.nodes.push(node);
        Ok(())
    }

    fn object(&mut self, object: &Object, frame: &NodeHeader<'_>) -> Result<(), RenderError> {
        let place = &object.place;
        self.shown.extend(shown_by(object, &NodeId::new(frame.id)));
        match &object.source {
            Source::Given(given) => self.given(given, frame, place),
            Source::Live(saved) => {
                let own = saved.document.size;
                let scale =
                    Affine::scale(place.size.width / own.width, place.size.height / own.height);
                // What lies in it is seen larger or smaller, and drawn beforehand as it is seen.
                let outer = self.scale;
                self.scale *= scale.a.max(scale.d);
                self.document_frame(
                    &saved.document,
                    frame,
                    place.transform().after(scale),
                    Paper::None,
                )?;
                self.scale = outer;
            }
            Source::Flat(saved) => {
                let pixels = self.raster_cache.flat(saved)?;
                self.picture(frame, place, (&format!("flat-{}", saved.key()), &pixels));
            }
            Source::Qr(code) => self.qr(code, frame, place),
        }
        Ok(())
    }

    fn given(&mut self, given: &GivenContent, frame: &NodeHeader<'_>, place: &Placement) {
        let look = match &given.look {
            Ok(GivenLook::Pixels(pixels)) => Ok((given.key.clone(), Arc::clone(pixels))),
            Ok(GivenLook::Graphic(graphic)) => {
                let drawn = self.raster_cache.graphic(&given.key, graphic, place.size, self.scale);
                drawn.map_err(|error| error.to_string())
            }
            Err(why) => Err(why.clone()),
        };
        // A drawing that cannot be drawn is treated as a picture that is not there.
        match look {
            Ok((key, pixels)) => self.picture(frame, place, (&key, &pixels)),
            Err(why) => self.placeholder(given, &why, frame, place),
        }
        // Said where it is shown, not when it is read: a picture that nobody uses lacks nothing.
        if let Ok(GivenLook::Graphic(graphic)) = &given.look
            && !graphic.left_out().is_empty()
        {
            let name = super::failure::shorten(&given.name);
            let left_out = graphic.left_out().join(", ");
            let message = format!("the picture {name:?} is drawn without some of it: {left_out}");
            self.diagnostics.push(Diagnostic { node: NodeId::new(frame.id), message });
        }
    }

    fn picture(
        &mut self,
        frame: &NodeHeader<'_>,
        place: &Placement,
        (key, pixels): (&str, &Arc<Pixels>),
    ) {
        let mut node = frame.node(NodeKind::Rectangle, place.transform(), place.size);
        node.fills = vec![image_paint(key)];
        self.nodes.push(node);
        self.images.push((key.to_owned(), Arc::clone(pixels)));
    }

    /// The layer as a picture of what its filters leave of it. What is no picture itself stays
    /// beside it, hidden: words stay words.
    fn filtered(&mut self, layer: &Layer, id: &str, parent: &NodeId) -> Result<(), RenderError> {
        let baked = self.raster_cache.baked(layer)?;
        let place = layer.place();
        let size = Size::new(
            place.size.width + 2.0 * baked.margin,
            place.size.height + 2.0 * baked.margin,
        );
        let around = Placement { size, ..*place };
        // As shares, as whoever asks where a picture is shown knows the node's box only.
        let beyond = [baked.margin / place.size.width, baked.margin / place.size.height];
        if let Content::Object(object) = &layer.content
            && matches!(object.source, Source::Given(_) | Source::Flat(_))
        {
            let frame = NodeHeader { id, name: &layer.name, parent: Some(parent) };
            self.shown.extend(shown_in_picture(object, &NodeId::new(id), beyond));
            self.picture(&frame, &around, (&baked.key, &baked.pixels));
            return Ok(());
        }
        // Upright around the turned picture, so that what lies in it has coordinates of its own.
        let corner = around.bounds();
        let group = NodeHeader { id, name: &layer.name, parent: Some(parent) };
        let to_corner = Affine::translate(corner.x, corner.y);
        let node = group.node(NodeKind::Frame, to_corner, corner.size());
        let group_id = node.id.clone();
        self.nodes.push(node);
        // The same turned box, in the coordinates of the group around it.
        let within = Placement {
            center: crate::base::Point::new(place.center.x - corner.x, place.center.y - corner.y),
            ..around
        };
        let own = format!("{id}/0");
        // The words themselves stay in the document, for whoever looks for them.
        let hidden = self.nodes.len();
        let inside = layer.alone_at(within.center);
        let shown_before = self.shown.len();
        self.content(&inside, &own, &group_id)?;
        // What is hidden shows nothing.
        self.shown.truncate(shown_before);
        if let Some(node) = self.nodes.get_mut(hidden) {
            node.visible = false;
        }
        let id = format!("{id}/filtered");
        if let Content::Object(object) = &layer.content {
            self.shown.extend(shown_in_picture(object, &NodeId::new(&*id), beyond));
        }
        let frame = NodeHeader { id: &id, name: &layer.name, parent: Some(&group_id) };
        self.picture(&frame, &within, (&baked.key, &baked.pixels));
        Ok(())
    }

    fn placeholder(
        &mut self,
        given: &GivenContent,
        why: &str,
        frame: &NodeHeader<'_>,
        place: &Placement,
    ) {
        let mut node = frame.node(NodeKind::Frame, place.transform(), place.size);
        node.clips_content = true;
        node.fills = vec![Paint::solid(Rgba::from_u8([232, 234, 237, 255]))];
        // Greys, so that nobody takes it for a part of the design.
        let edge = Paint::solid(Rgba::from_u8([168, 173, 181, 255]));
        let shorter = place.size.width.min(place.size.height);
        node.stroke = Stroke {
            paints: vec![edge],
            weight: (shorter / 100.0).clamp(0.5, 4.0),
            align: StrokeAlign::Inside,
            ..Stroke::default()
        };
        let name = super::failure::shorten(&given.name);
        let message = format!("a placeholder stands for the picture {name:?}: {why}");
        self.diagnostics.push(Diagnostic { node: node.id.clone(), message });
        let parent = node.id.clone();
        self.nodes.push(node);
        self.nodes.push(label(&name, &format!("{}/label", frame.id), parent, place.size));
    }

    fn qr(&mut self, code: &QrCode, frame: &NodeHeader<'_>, place: &Placement) {
        let mut node = frame.node(NodeKind::Frame, place.transform(), place.size);
        node.fills = vec![Paint::solid(Rgba::WHITE)];
        let parent = node.id.clone();
        self.nodes.push(node);
        // One vector for all modules: there may be tens of thousands.
        let data = code.path(place.size);
        let path = FigmaPath::new(data, WindingRule::NonZero);
        let geometry = PathGeometry { fill: vec![path], stroke: Vec::new() };
        let id = format!("{}/modules", frame.id);
        let mut modules = Node::new(NodeId::new(id), "modules", NodeKind::Vector(geometry));
        modules.size = place.size;
        modules.fills = vec![Paint::solid(Rgba::BLACK)];
        modules.parent = Some(parent);
        self.nodes.push(modules);
    }
}

/// What a node is called and where it hangs.
struct NodeHeader<'a> {
    id: &'a str,
    name: &'a str,
    parent: Option<&'a NodeId>,
}

impl NodeHeader<'_> {
    fn node(&self, kind: NodeKind, transform: Affine, size: Size) -> Node {
        let mut node = Node::new(NodeId::new(self.id), self.name, kind);
        node.parent = self.parent.cloned();
        node.transform = transform;
        node.size = size;
        node
    }
}

/// The picture of this name, stretched over its node.
fn image_paint(key: &str) -> Paint {
    let image = ImagePaint {
        image_ref: Some(key.to_owned()),
        scale_mode: "STRETCH".to_owned(),
        transform: Some(Affine::IDENTITY),
        ..ImagePaint::default()
    };
    Paint { kind: PaintKind::Image(image), ..Paint::solid(Rgba::BLACK) }
}

/// The name of a picture, in the middle of its placeholder.
fn label(name: &str, id: &str, parent: NodeId, size: Size) -> Node {
    // About as wide as the box: letters of a text face are some 0.6 em wide.
    let longest = name.chars().count().max(8) as f64;
    let style = TextStyle {
        font_size: (size.width / longest * 1.4).min(size.height / 4.0).clamp(1.0, 48.0),
        font_weight: 500.0,
        line_height: LineHeight::Auto,
        align: TextAlign::Center,
        vertical_align: VerticalAlign::Center,
        auto_resize: crate::design::AutoResize::None,
        ..TextStyle::default()
    };
    let content = TextContent { characters: name.to_owned(), style, ..TextContent::default() };
    let mut node = Node::new(NodeId::new(id), "label", NodeKind::Text(Box::new(content)));
    node.size = size;
    node.fills = vec![Paint::solid(Rgba::from_u8([96, 102, 112, 255]))];
    node.parent = Some(parent);
    node
}
