//! The document resolved for painting: shapes, strokes and text in each node's own space, with what
//! every node covers on the page.

use std::sync::Arc;

use crate::base::{Affine, Limits, Rect, Rgba, Size};
use crate::design::{
    BlendMode, Document, DocumentError, Images, MaskType, Node, NodeKind, Paint, PaintKind,
};

use super::clip::bounds_of;
use super::combined::ShapeCache;
use super::diagnostic::{Diagnostic, Diagnostics};
use super::effect::{self, Effects, Reach};
use super::rounded_box::RoundedBox;
use super::shader;
use super::shape::{FilledPath, Shape};
use super::stroke::{self, Kept};
use super::text::ColoredGlyph;
use super::text::ink;

/// What is to be painted, and what of the document could not be resolved.
#[derive(Debug)]
pub(super) struct Scene<'d> {
    pub(super) roots: Vec<SceneNode<'d>>,
    /// The pictures that image paints show.
    pub(super) images: &'d Images,
    diagnostics: Diagnostics,
}

/// A visible node with its subtree.
#[derive(Debug)]
pub(super) struct SceneNode<'d> {
    pub(super) node: &'d Arc<Node>,
    pub(super) page_from_node: Affine,
    /// Painted before the children.
    pub(super) below: Vec<Ink<'d>>,
    pub(super) children: Vec<Self>,
    /// Painted after the children: the stroke.
    pub(super) above: Vec<Ink<'d>>,
    /// Cuts the children, in the node's own space.
    pub(super) clip: Option<RoundedBox>,
    /// Its shadows and blurs; `None` if it has none that show.
    pub(super) effects: Option<Box<Effects<'d>>>,
    /// Figma's render bounds on the page; `None` if it paints nothing.
    pub(super) bounds: Option<Rect>,
    /// The page box of every pixel it paints: more than `bounds` where something is blurred.
    pub(super) reach: Option<Rect>,
    /// Whether something in its subtree mixes with what is below in another way than source over.
    pub(super) blends_within: bool,
}

/// An area of a node under one paint.
#[derive(Clone, Debug)]
pub(super) struct Ink<'d> {
    pub(super) area: FilledPath,
    pub(super) kept: Option<Kept>,
    pub(super) paint: &'d Paint,
    /// What paints instead of `paint`, within the area: a glyph with colours of its own.
    pub(super) glyph: Option<Arc<ColoredGlyph>>,
}

impl<'d> Scene<'d> {
    /// The scene of one node with its subtree.
    pub(super) fn of_node(
        cache: &ShapeCache,
        document: &'d Document,
        node: &'d Arc<Node>,
    ) -> Result<Self, DocumentError> {
        let page_from_parent = match &node.parent {
            Some(parent) => document.absolute_transform(parent)?,
            None => Affine::IDENTITY,
        };
        let mut builder = Builder { cache, document, diagnostics: Diagnostics::default() };
        let roots = builder.node(node, page_from_parent, 0).into_iter().collect();
        Ok(Self { roots, images: document.images(), diagnostics: builder.diagnostics })
    }

    /// The scene of the whole page.
    pub(super) fn of_page(cache: &ShapeCache, document: &'d Document) -> Self {
        let mut builder = Builder { cache, document, diagnostics: Diagnostics::default() };
        let roots = document.roots().iter().filter_map(|id| document.get(id));
        let roots = roots.filter_map(|node| builder.node(node, Affine::IDENTITY, 0)).collect();
        Self { roots, images: document.images(), diagnostics: builder.diagnostics }
    }

    /// The page box of all that is painted.
    pub(super) fn bounds(&self) -> Option<Rect> {
        Rect::union_all(self.roots.iter().filter_map(|root| root.bounds))
    }

    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics.into_vec()
    }
}

/// Whether the node cuts its children at its edge.
pub(super) fn clips_children(node: &Node) -> bool {
    node.clips_content && node.kind.is_container() && node.kind != NodeKind::Group
}

struct Builder<'c, 'd> {
    cache: &'c ShapeCache,
    document: &'d Document,
    diagnostics: Diagnostics,
}

impl<'d> Builder<'_, 'd> {
    /// `None` for what is hidden or cannot be placed.
    fn node(
        &mut self,
        node: &'d Arc<Node>,
        page_from_parent: Affine,
        depth: usize,
    ) -> Option<SceneNode<'d>> {
        if !node.visible || depth >= Limits::NODE_DEPTH {
            return None;
        }
        let page_from_node = page_from_parent.after(node.transform);
        if !self.is_placed(node, page_from_node) {
            return None;
        }
        self.report_limitations(node);
        let pixels_per_unit = page_from_node.determinant().abs().sqrt();
        let shape =
            Shape::of(self.cache, self.document, node, pixels_per_unit, &mut self.diagnostics);
        let mut scene_node = SceneNode {
            node,
            page_from_node,
            below: self.fill_ink(node, &shape),
            children: self.children(node, page_from_node, depth),
            above: self.stroke_ink(node, &shape, page_from_node),
            clip: clips_children(node).then(|| RoundedBox::of(node)),
            effects: None,
            bounds: None,
            reach: None,
            blends_within: false,
        };
        if node.is_mask && node.mask_type == MaskType::Vector {
            scene_node.become_outline(&shape);
        }
        if !node.effects.is_empty() {
            scene_node.effects = effect::resolve(&scene_node, &shape, &mut self.diagnostics);
        }
        scene_node.bounds = scene_node.box_with_effects(Reach::RenderBounds);
        scene_node.reach = if scene_node.is_sharp() {
            scene_node.bounds
        } else {
            scene_node.box_with_effects(Reach::Painted)
        };
        scene_node.blends_within = scene_node.has_blending_ink();
        Some(scene_node)
    }

    /// Whether place and size are numbers one can draw with.
    fn is_placed(&mut self, node: &Node, page_from_node: Affine) -> bool {
        let coefficients = page_from_node.to_rows();
        let is_near = |value: &f64| value.abs() <= 10.0 * Limits::COORDINATE;
        let has_place = coefficients.iter().flatten().all(is_near);
        let extents = [node.size.width, node.size.height];
        let has_size = extents.iter().all(|extent| *extent >= 0.0 && is_near(extent));
        if !has_place {
            self.diagnostics.add(&node.id, "not drawn: its place is not finite or too far away");
        } else if !has_size {
            self.diagnostics
                .add(&node.id, "not drawn: its size is negative, too large or no number");
        }
        has_place && has_size
    }

    fn report_limitations(&mut self, node: &Node) {
        if let NodeKind::Other(kind) = &node.kind
            && kind != "DOCUMENT"
        {
            let kind = if kind.is_empty() { "no type" } else { &format!("type {kind}") };
            self.add(node, &format!("a node of {kind} is not drawn, only what is in it"));
        }
    }

    fn add(&mut self, node: &Node, message: &str) {
        self.diagnostics.add(&node.id, message);
    }

    fn children(
        &mut self,
        node: &'d Node,
        page_from_node: Affine,
        depth: usize,
    ) -> Vec<SceneNode<'d>> {
        if matches!(node.kind, NodeKind::BooleanOperation(_)) {
            return Vec::new(); // They are its shape.
        }
        let children = node.children.iter().filter_map(|id| self.document.get(id));
        // Collected, as the builder is borrowed while it descends.
        let mut children: Vec<_> = children.collect();
        if node.auto_layout.as_ref().is_some_and(|layout| layout.reverses_paint_order) {
            children.reverse();
        }
        children
            .into_iter()
            .filter_map(|child| self.node(child, page_from_node, depth + 1))
            .collect()
    }

    fn fill_ink(&mut self, node: &'d Arc<Node>, shape: &Shape) -> Vec<Ink<'d>> {
        if node.text().is_some() {
            return ink::fills(
                &self.cache.typesetter,
                node,
                self.document.images(),
                &mut self.diagnostics,
            );
        }
        let paints = self.seen_paints(node, &node.fills);
        if paints.is_empty() {
            return Vec::new();
        }
        let areas = shape.areas();
        let layers = paints.iter().flat_map(|paint| areas.iter().map(move |area| (*paint, area)));
        layers.map(|(paint, area)| Ink::new(area.clone(), paint)).collect()
    }

    fn stroke_ink(
        &mut self,
        node: &'d Arc<Node>,
        shape: &Shape,
        page_from_node: Affine,
    ) -> Vec<Ink<'d>> {
        let paints = self.seen_paints(node, &node.stroke.paints);
        if paints.is_empty() {
            return Vec::new();
        }
        let scale = page_from_node.determinant().abs().sqrt();
        let areas = if node.text().is_some() {
            let outlines = Arc::new(ink::outlines(&self.cache.typesetter, node));
            stroke::around_text(node, &outlines, scale * 4.0, &mut self.diagnostics)
        } else {
            // Pictures are drawn at up to a few pixels a unit; curves are followed finely enough.
            stroke::areas(node, shape, scale * 4.0, &mut self.diagnostics)
        };
        let layers = paints.iter().flat_map(|paint| areas.iter().map(move |area| (*paint, area)));
        layers
            .map(|(paint, stroke)| Ink {
                kept: stroke.kept.clone(),
                ..Ink::new(stroke.area.clone(), paint)
            })
            .collect()
    }

    /// The paints that show, bottom first, with a word on those drawn otherwise.
    fn seen_paints(&mut self, node: &Node, paints: &'d [Paint]) -> Vec<&'d Paint> {
        report_paints(node, paints, self.document.images(), &mut self.diagnostics);
        paints.iter().filter(|paint| shader::is_seen(paint)).collect()
    }
}

/// Says what of `paints` is drawn otherwise.
pub(super) fn report_paints(
    node: &Node,
    paints: &[Paint],
    images: &Images,
    diagnostics: &mut Diagnostics,
) {
    for paint in paints.iter().filter(|paint| paint.visible) {
        if let Some(message) = shader::limitation(paint, images) {
            diagnostics.add(&node.id, message);
        }
    }
}

/// What inks have that paint nothing else than their glyph: nothing hides behind it.
static CLEAR: Paint = Paint {
    kind: PaintKind::Solid(Rgba::TRANSPARENT),
    visible: true,
    opacity: 1.0,
    blend_mode: BlendMode::Normal,
};

/// What a vector mask is painted with, whatever its own paints are.
static OPAQUE: Paint = Paint {
    kind: PaintKind::Solid(Rgba::BLACK),
    visible: true,
    opacity: 1.0,
    blend_mode: BlendMode::Normal,
};

impl SceneNode<'_> {
    /// Every ink of the node itself, in paint order.
    pub(super) fn own_ink(&self) -> impl Iterator<Item = &Ink<'_>> {
        self.below.iter().chain(&self.above)
    }

    /// A vector mask is its own shape, opaque, whatever paints it has.
    fn become_outline(&mut self, shape: &Shape) {
        let areas = shape.areas();
        if !areas.is_empty() {
            self.below = areas.into_iter().map(|area| Ink::new(area, &OPAQUE)).collect();
            self.above.clear();
        }
    }

    /// The page box of its own fills and stroke.
    pub(super) fn own_box(&self) -> Option<Rect> {
        Rect::union_all(self.own_ink().filter_map(|ink| ink.page_box(self.page_from_node)))
    }

    /// The page box of all it paints but for its effects.
    pub(super) fn content_box(&self, reach: Reach) -> Option<Rect> {
        let child_box = |child: &Self| match reach {
            Reach::RenderBounds => child.bounds,
            Reach::Painted => child.reach,
        };
        let children = Rect::union_all(self.children.iter().filter_map(child_box));
        let children = match &self.clip {
            Some(clip) => children
                .and_then(|bounds| bounds.intersection(bounds_of(self.page_from_node, clip.rect))),
            None => children,
        };
        Rect::union_all(self.own_box().into_iter().chain(children))
    }

    /// Whether nothing in it paints beyond its render bounds.
    fn is_sharp(&self) -> bool {
        self.effects.is_none() && self.children.iter().all(|child| child.reach == child.bounds)
    }

    fn box_with_effects(&self, reach: Reach) -> Option<Rect> {
        let is_outline = self.node.is_mask && self.node.mask_type == MaskType::Vector;
        if self.node.opacity <= 0.0 && !is_outline {
            return None;
        }
        let content = self.content_box(reach);
        match &self.effects {
            Some(effects) => effects.extend(content, self.page_from_node, reach),
            None => content,
        }
    }

    fn has_blending_ink(&self) -> bool {
        self.own_ink().any(|ink| mixes(ink.paint.blend_mode))
            || self.effects.as_ref().is_some_and(|effects| effects.mix_with_backdrop())
            || self.children.iter().any(|child| child.blends_within || mixes(child.node.blend_mode))
    }

    /// The box that gradients run over.
    pub(super) fn paint_size(&self) -> Size {
        self.node.size
    }
}

/// Whether the mode is another than source over.
pub(super) fn mixes(mode: BlendMode) -> bool {
    !matches!(mode, BlendMode::PassThrough | BlendMode::Normal)
}

impl<'d> Ink<'d> {
    /// All of an area.
    pub(super) fn new(area: FilledPath, paint: &'d Paint) -> Self {
        Self { area, kept: None, paint, glyph: None }
    }

    /// A glyph with colours of its own; `None` if it has no area.
    pub(super) fn of_glyph(glyph: &Arc<ColoredGlyph>) -> Option<Self> {
        let area = FilledPath::of_rect(glyph.bounds)?;
        Some(Self { glyph: Some(Arc::clone(glyph)), ..Self::new(area, &CLEAR) })
    }

    /// The box around it on the page.
    fn page_box(&self, page_from_node: Affine) -> Option<Rect> {
        let mut own = self.area.bounds;
        if let Some(Kept { side: stroke::Side::Inside, of }) = &self.kept {
            own = own.intersection(Rect::union_all(of.iter().map(|area| area.bounds))?)?;
        }
        Some(bounds_of(page_from_node, own))
    }
}
