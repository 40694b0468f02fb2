//! Walks a scene as the painter does, and writes what the painter would paint.

use tiny_skia::FillRule;

use crate::base::Rect;
use crate::design::MaskType;
use crate::render::diagnostic::Diagnostic;
use crate::render::geometry::boxes::{bounds_of, encloses};
use crate::render::geometry::filled_path::FilledPath;
use crate::render::geometry::rounded_box::RoundedBox;
use crate::render::paint_facts::mixes;
use crate::render::scene::SceneNode;

use super::exporter::{Exporter, NodeIds, PaintMode, SvgClip, TextForm};
use super::ink::{groups, is_one_element};
use super::layer::{self, SvgLayer};
use super::markup::{Attributes, Markup};
use super::text;

impl Exporter<'_> {
    /// The whole document, and what it shows otherwise than the scene.
    pub(super) fn export(mut self, roots: &[SceneNode<'_>]) -> (String, Vec<Diagnostic>) {
        let mut body = Markup::default();
        self.siblings(roots, &SvgClip::to_box(self.sheet.view()), &mut body);
        let [width, height] =
            [self.sheet.size.width, self.sheet.size.height].map(|extent| self.sheet.number(extent));
        let attributes = Attributes::default()
            .with("xmlns", "http://www.w3.org/2000/svg")
            .with("width", &width)
            .with("height", &height)
            .with("viewBox", format!("0 0 {width} {height}"));
        let mut svg = Markup::default();
        svg.open("svg", &attributes);
        svg.append(&body);
        svg.around("defs", &Attributes::default(), self.definitions.markup());
        svg.close("svg");
        (svg.into_text(), self.diagnostics.into_vec())
    }

    /// Nodes of one parent, bottom first. A mask holds for the ones after it, up to the next mask.
    fn siblings(&mut self, nodes: &[SceneNode<'_>], clip: &SvgClip, to: &mut Markup) {
        let mut rest = nodes;
        while let Some((first, after)) = rest.split_first() {
            if first.node.is_mask {
                let end = after.iter().position(|node| node.node.is_mask).unwrap_or(after.len());
                let (masked, next) = after.split_at(end);
                self.masked(first, masked, clip, to);
                rest = next;
            } else {
                self.node(first, clip, to);
                rest = after;
            }
        }
    }

    /// `nodes` where `mask` paints.
    fn masked(
        &mut self,
        mask: &SceneNode<'_>,
        nodes: &[SceneNode<'_>],
        clip: &SvgClip,
        to: &mut Markup,
    ) {
        let Some(area) = self.visible_box(mask, clip) else { return };
        let inner = SvgClip::to_box(area);
        let (mut content, mut cover) = (Markup::default(), Markup::default());
        self.siblings(nodes, &inner, &mut content);
        let (paint_mode, by) = match mask.node.mask_type {
            MaskType::Alpha => (PaintMode::Colors, Some("mask-type:alpha")),
            MaskType::Luminance => (PaintMode::Colors, None),
            MaskType::Vector => (PaintMode::Silhouette([255; 3]), None),
        };
        self.in_mode(paint_mode, |exporter| exporter.node(mask, &inner, &mut cover));
        if content.is_empty() || cover.is_empty() {
            return;
        }
        let attributes = Attributes::default().with_some("style", by);
        let mask = self.mask(&format!("mask-{}", mask.node.id), area, &attributes, &cover);
        let attributes =
            Attributes::default().with("mask", mask).with_some("clip-path", clip.pending.as_ref());
        to.around("g", &attributes, &content);
    }

    fn node(&mut self, node: &SceneNode<'_>, clip: &SvgClip, to: &mut Markup) {
        if self.visible_box(node, clip).is_none() {
            return;
        }
        if self.paint_mode != PaintMode::Colors {
            return self.content(node, clip, &Attributes::default(), to);
        }
        self.report(node);
        let (layer, blur) = (SvgLayer::of(node), self.layer_blur(node));
        // With nothing within that blends with what is below, a group may cut it: a group
        // isolates.
        let is_cut_alone = clip.pending.is_some() && !node.blends_within;
        let cuts_here = layer.is_apart() || is_cut_alone || blur.is_some();
        let filter = blur.as_ref().map(|blur| blur.filter.as_str());
        let attributes = self.id_of(node).and(&layer.attributes()).with_some("filter", filter);
        let needs_group = is_cut_alone || !attributes.is_empty();
        // One element has the attributes itself; a group around it would say the same.
        if !needs_group || is_one_element(node) {
            return self.with_drop_shadows(node, clip, &attributes, to);
        }
        let mut content = Markup::default();
        let pending = clip.pending.clone().filter(|_| !cuts_here);
        // What is blurred into the clip lies outside of it.
        let bounds = clip.bounds.expand(blur.map_or(0.0, |blur| blur.reach));
        let inner = SvgClip { bounds, pending };
        self.with_drop_shadows(node, &inner, &Attributes::default(), &mut content);
        let own_clip = clip.pending.as_ref().filter(|_| cuts_here);
        to.around("g", &attributes.with_some("clip-path", own_clip), &content);
    }

    fn report(&mut self, node: &SceneNode<'_>) {
        if let Some(message) = layer::limitation(node.node.blend_mode) {
            self.diagnostics.add(&node.node.id, message);
        }
        if node.effects.as_ref().is_some_and(|effects| effects.background_blur > 0.0) {
            let message = "SVG cannot blur what lies below: its background blur is left out";
            self.diagnostics.add(&node.node.id, message);
        }
    }

    fn id_of(&mut self, node: &SceneNode<'_>) -> Attributes {
        match self.options.ids {
            NodeIds::Omitted => Attributes::default(),
            NodeIds::Names => {
                Attributes::default().with("id", self.definitions.take_id(&node.node.name))
            }
        }
    }

    /// What the node paints; `attributes` are for its only element, where it has just one.
    pub(super) fn content(
        &mut self,
        node: &SceneNode<'_>,
        clip: &SvgClip,
        attributes: &Attributes,
        to: &mut Markup,
    ) {
        if !self.is_written_as_text(node, clip, attributes, to) {
            for inks in groups(node, &node.below) {
                self.ink(node, inks, clip, attributes, to);
            }
        }
        if !node.below.is_empty() {
            self.inner_shadows(node, clip, to);
        }
        match &node.clip {
            Some(rounded) => self.clipped_children(node, rounded, clip, to),
            None => self.siblings(&node.children, clip, to),
        }
        for inks in groups(node, &node.above) {
            self.stroke_or_ink(node, inks, clip, attributes, to);
        }
        if node.below.is_empty() {
            self.inner_shadows(node, clip, to);
        }
    }

    fn clipped_children(
        &mut self,
        node: &SceneNode<'_>,
        rounded: &RoundedBox,
        clip: &SvgClip,
        to: &mut Markup,
    ) {
        let sheet_from_node = self.sheet_from(node);
        let Some(bounds) = clip.bounds.intersection(bounds_of(sheet_from_node, rounded.rect))
        else {
            return;
        };
        // Most frames cut nothing of what is in them.
        if self.holds_children(node, rounded, clip) {
            let inner = SvgClip { bounds, pending: clip.pending.clone() };
            return self.siblings(&node.children, &inner, to);
        }
        let Some(path) = rounded.to_path() else { return };
        let mut area = FilledPath::new(path, FillRule::Winding);
        area.rect = rounded.is_sharp().then_some(rounded.rect);
        let id = format!("clip-{}", node.node.id);
        let Some(own) = self.clip_path(node, &[&area], &id, clip.pending.as_ref()) else { return };
        // A group with a clip would isolate its children from what they blend with, so each refers
        // to the clip by itself.
        if node.children.iter().any(|child| child.blends_within || mixes(child.node.blend_mode)) {
            let inner = SvgClip { bounds, pending: Some(own) };
            return self.siblings(&node.children, &inner, to);
        }
        let mut content = Markup::default();
        self.siblings(&node.children, &SvgClip::to_box(bounds), &mut content);
        to.around("g", &Attributes::default().with("clip-path", own), &content);
    }

    /// Whether the clip of the node cuts nothing that can be seen of its children.
    fn holds_children(&self, node: &SceneNode<'_>, rounded: &RoundedBox, clip: &SvgClip) -> bool {
        let children = Rect::union_all(node.children.iter().filter_map(|child| child.reach));
        let Some(children) = children else { return true };
        let visible = bounds_of(self.sheet_from_page, children).intersection(clip.bounds);
        let within = rounded.interior(self.sheet_from(node));
        match (visible, within) {
            (None, _) => true,
            (Some(visible), Some(within)) => within.iter().any(|part| encloses(*part, visible)),
            (Some(_), None) => false,
        }
    }

    fn is_written_as_text(
        &mut self,
        node: &SceneNode<'_>,
        clip: &SvgClip,
        attributes: &Attributes,
        to: &mut Markup,
    ) -> bool {
        self.options.text == TextForm::Text
            && self.paint_mode == PaintMode::Colors
            && !node.below.is_empty()
            && text::write(self, node, (clip, attributes), to)
    }
}
