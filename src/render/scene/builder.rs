//! The document resolved for painting.

use std::sync::Arc;

use crate::base::{Affine, Limits, Rect, Rgba};
use crate::design::{
    BlendMode, Document, DocumentError, MaskType, Node, NodeKind, Paint, PaintKind,
};
use crate::render::diagnostic::Diagnostics;
use crate::render::geometry::rounded_box::RoundedBox;
use crate::render::paint_facts::{self, is_seen, mixes};

use super::combined::{self, ShapeCache};
use super::effect::Reach;
use super::shape::Shape;
use super::{Ink, Scene, SceneNode, effect_resolver, stroke, text_ink};

impl<'d> Scene<'d> {
    /// The scene of one node with its subtree.
    pub(crate) fn of_node(
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
    pub(crate) fn of_page(cache: &ShapeCache, document: &'d Document) -> Self {
        let mut builder = Builder { cache, document, diagnostics: Diagnostics::default() };
        let roots = document.roots().iter().filter_map(|id| document.get(id));
        let roots = roots.filter_map(|node| builder.node(node, Affine::IDENTITY, 0)).collect();
        Self { roots, images: document.images(), diagnostics: builder.diagnostics }
    }
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
        // The mean over both axes of how long a unit of the node is on the page: at scale 1, a
        // pixel.
        let pixels_per_unit = page_from_node.determinant().abs().sqrt();
        let shape = combined::shape_of(
            self.cache,
            self.document,
            node,
            pixels_per_unit,
            &mut self.diagnostics,
        );
        let mut scene_node = SceneNode {
            node,
            page_from_node,
            below: self.fill_ink(node, &shape),
            children: self.children(node, page_from_node, depth),
            above: self.stroke_ink(node, &shape, page_from_node),
            clip: node.clips().then(|| RoundedBox::of(node)),
            effects: None,
            bounds: None,
            reach: None,
            blends_within: false,
        };
        // Before the effects, which are those of what is painted in the end.
        if node.is_mask && node.mask_type == MaskType::Vector {
            scene_node.become_outline(&shape);
        }
        if !node.effects.is_empty() {
            scene_node.effects =
                effect_resolver::resolve(&scene_node, &shape, &mut self.diagnostics);
        }
        // Bounds come from the children's, so they are known only here, on the way up.
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
        // Ten times what one node may say: places add up along the parents. NaN is not near.
        let farthest = 10.0 * Limits::COORDINATE;
        let has_place = coefficients.iter().flatten().all(|value| value.abs() <= farthest);
        let extents = [node.size.width, node.size.height];
        let has_size = extents.iter().all(|extent| (0.0..=farthest).contains(extent));
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
            // Files have one root of that type, which paints nothing anyway.
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
        // Collected, as the builder is borrowed while it descends.
        let mut children: Vec<_> =
            node.children.iter().filter_map(|id| self.document.get(id)).collect();
        // Figma's "first on top": the order of painting turns, that of the layout does not.
        if node.auto_layout.as_ref().is_some_and(|layout| layout.reverses_paint_order) {
            children.reverse();
        }
        children
            .into_iter()
            .filter_map(|child| self.node(child, page_from_node, depth + 1))
            .collect()
    }

    fn fill_ink(&mut self, node: &'d Arc<Node>, shape: &Shape) -> Vec<Ink<'d>> {
        // Its letters are its shape, each style of them under its own fills.
        if node.text().is_some() {
            return text_ink::fills(
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
        // Around the letters, not around the box.
        let areas = if node.text().is_some() {
            let outlines = Arc::new(self.cache.typesetter.outlines(node));
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
        paint_facts::report(node, paints, self.document.images(), &mut self.diagnostics);
        paints.iter().filter(|paint| is_seen(paint)).collect()
    }
}

/// What a vector mask is painted with, whatever its own paints are.
static OPAQUE: Paint = Paint {
    kind: PaintKind::Solid(Rgba::BLACK),
    visible: true,
    opacity: 1.0,
    blend_mode: BlendMode::Normal,
};

impl SceneNode<'_> {
    /// A vector mask is its own shape, opaque, whatever paints it has.
    fn become_outline(&mut self, shape: &Shape) {
        let areas = shape.areas();
        if !areas.is_empty() {
            self.below = areas.into_iter().map(|area| Ink::new(area, &OPAQUE)).collect();
            self.above.clear();
        }
    }

    /// Whether nothing in it paints beyond its render bounds.
    fn is_sharp(&self) -> bool {
        self.effects.is_none() && self.children.iter().all(|child| child.reach == child.bounds)
    }

    fn box_with_effects(&self, reach: Reach) -> Option<Rect> {
        let is_outline = self.node.is_mask && self.node.mask_type == MaskType::Vector;
        // What paints nothing has no bounds, as in Figma; a vector mask counts whatever its
        // opacity.
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
}
