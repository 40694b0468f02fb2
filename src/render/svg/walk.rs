//! Walks a scene as the painter does, and writes what the painter would paint.

use std::rc::Rc;

use tiny_skia::FillRule;

use crate::base::{Affine, Rect};
use crate::design::{Images, MaskType, Paint};

use super::super::Diagnostic;
use super::super::clip::{bounds_of, encloses, interior};
use super::super::diagnostic::Diagnostics;
use super::super::rounded_box::RoundedBox;
use super::super::scene::{Ink, SceneNode, mixes};
use super::super::shape::FilledPath;
use super::super::stroke::{Kept, Side};
use super::definitions::Definitions;
use super::geometry::{Outline, Sheet};
use super::layer::Layer;
use super::markup::{Attributes, Markup};
use super::number::Precision;
use super::paint::{self, Fill};
use super::{NodeIds, SvgOptions, TextForm, blend, picture, stroke, text};

/// Writes one scene.
#[derive(Debug)]
pub(super) struct Exporter<'s> {
    options: SvgOptions,
    images: &'s Images,
    pub(super) manner: Manner,
    pub(super) sheet: Sheet,
    pub(super) sheet_from_page: Affine,
    pub(super) definitions: Definitions,
    pub(super) diagnostics: Diagnostics,
}

/// What is written of everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// All of it.
    Colors,
    /// Only where it is, in this opaque colour: paints as far as they are there at all, without
    /// opacity, blending and effects; masks and clips cut as ever.
    Silhouette([u8; 3]),
}

/// What cuts the elements to be written.
#[derive(Clone, Debug)]
pub(super) struct Clip {
    /// Nothing outside of this box shows.
    pub(super) bounds: Rect,
    /// The clip that elements have to refer to themselves: an element around them would keep their
    /// blend modes from what is below it.
    pending: Option<String>,
}

impl Clip {
    pub(super) fn to_box(bounds: Rect) -> Self {
        Self { bounds, pending: None }
    }

    /// The clip that an element has to refer to.
    pub(super) fn pending(&self) -> Option<&String> {
        self.pending.as_ref()
    }
}

impl<'s> Exporter<'s> {
    pub(super) fn new(page_box: Rect, options: SvgOptions, images: &'s Images) -> Self {
        let extent = page_box.width.max(page_box.height);
        Self {
            options,
            images,
            manner: Manner::Colors,
            sheet: Sheet { size: page_box.size(), precision: Precision::of_extent(extent) },
            sheet_from_page: Affine::translate(-page_box.x, -page_box.y),
            definitions: Definitions::default(),
            diagnostics: Diagnostics::default(),
        }
    }

    /// The whole document, and what it shows otherwise than the scene.
    pub(super) fn export(mut self, roots: &[SceneNode<'_>]) -> (String, Vec<Diagnostic>) {
        let mut body = Markup::default();
        self.siblings(roots, &Clip::to_box(self.sheet.view()), &mut body);
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
    fn siblings(&mut self, nodes: &[SceneNode<'_>], clip: &Clip, to: &mut Markup) {
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
        clip: &Clip,
        to: &mut Markup,
    ) {
        let Some(area) = self.visible_box(mask, clip) else { return };
        let inner = Clip::to_box(area);
        let (mut content, mut cover) = (Markup::default(), Markup::default());
        self.siblings(nodes, &inner, &mut content);
        let (manner, by) = match mask.node.mask_type {
            MaskType::Alpha => (Manner::Colors, Some("mask-type:alpha")),
            MaskType::Luminance => (Manner::Colors, None),
            MaskType::Vector => (Manner::Silhouette([255; 3]), None),
        };
        self.in_manner(manner, |exporter| exporter.node(mask, &inner, &mut cover));
        if content.is_empty() || cover.is_empty() {
            return;
        }
        let attributes = Attributes::default().with_some("style", by);
        let mask = self.mask(&format!("mask-{}", mask.node.id), area, &attributes, &cover);
        let attributes =
            Attributes::default().with("mask", mask).with_some("clip-path", clip.pending.as_ref());
        to.around("g", &attributes, &content);
    }

    /// Writes in another manner for a while.
    pub(super) fn in_manner<T>(&mut self, manner: Manner, act: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.manner, manner);
        let result = act(self);
        self.manner = before;
        result
    }

    /// Defines a mask over `area`, in whole pixels.
    pub(super) fn mask(&mut self, id: &str, area: Rect, attributes: &Attributes, cover: &Markup) -> String {
        let (x, y) = (area.x.floor(), area.y.floor());
        let region = Rect::new(x, y, area.right().ceil() - x, area.bottom().ceil() - y);
        let attributes = Attributes::default()
            .with("maskUnits", "userSpaceOnUse")
            .with("x", self.sheet.number(region.x))
            .with("y", self.sheet.number(region.y))
            .with("width", self.sheet.number(region.width))
            .with("height", self.sheet.number(region.height))
            .and(attributes);
        self.definitions.add(id, "mask", &attributes, cover)
    }

    fn node(&mut self, node: &SceneNode<'_>, clip: &Clip, to: &mut Markup) {
        if self.visible_box(node, clip).is_none() {
            return;
        }
        if self.manner != Manner::Colors {
            return self.content(node, clip, &Attributes::default(), to);
        }
        self.report(node);
        let (layer, blur) = (Layer::of(node), self.layer_blur(node));
        let is_cut_alone = clip.pending.is_some() && !node.blends_within;
        let cuts_here = layer.is_apart() || is_cut_alone || blur.is_some();
        let attributes = self.id_of(node).and(&layer.attributes()).with_some("filter", blur);
        let needs_group = is_cut_alone || !attributes.is_empty();
        if !needs_group || is_one_element(node) {
            return self.with_drop_shadows(node, clip, &attributes, to);
        }
        let mut content = Markup::default();
        let pending = clip.pending.clone().filter(|_| !cuts_here);
        let inner = Clip { bounds: clip.bounds, pending };
        self.with_drop_shadows(node, &inner, &Attributes::default(), &mut content);
        let own_clip = clip.pending.as_ref().filter(|_| cuts_here);
        to.around("g", &attributes.with_some("clip-path", own_clip), &content);
    }

    fn report(&mut self, node: &SceneNode<'_>) {
        if let Some(message) = blend::limitation(node.node.blend_mode) {
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
        clip: &Clip,
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

    /// The inks, whatever else the node has.
    pub(super) fn inks(
        &mut self,
        node: &SceneNode<'_>,
        inks: &[Ink<'_>],
        clip: &Clip,
        to: &mut Markup,
    ) {
        for inks in groups(node, inks) {
            self.ink(node, inks, clip, &Attributes::default(), to);
        }
    }

    fn clipped_children(
        &mut self,
        node: &SceneNode<'_>,
        rounded: &RoundedBox,
        clip: &Clip,
        to: &mut Markup,
    ) {
        let sheet_from_node = self.sheet_from(node);
        let Some(bounds) =
            clip.bounds.intersection(bounds_of(sheet_from_node, rounded.rect))
        else {
            return;
        };
        if self.holds_children(node, rounded, clip) {
            let inner = Clip { bounds, pending: clip.pending.clone() };
            return self.siblings(&node.children, &inner, to);
        }
        let Some(path) = rounded.to_path() else { return };
        let mut area = FilledPath::new(path, FillRule::Winding);
        area.rect = rounded.is_sharp().then_some(rounded.rect);
        let id = format!("clip-{}", node.node.id);
        let Some(own) = self.clip_path(node, &[&area], &id, clip.pending.as_ref()) else { return };
        if node.children.iter().any(|child| child.blends_within || mixes(child.node.blend_mode)) {
            let inner = Clip { bounds, pending: Some(own) };
            return self.siblings(&node.children, &inner, to);
        }
        let mut content = Markup::default();
        self.siblings(&node.children, &Clip::to_box(bounds), &mut content);
        to.around("g", &Attributes::default().with("clip-path", own), &content);
    }

    /// Whether the clip of the node cuts nothing that can be seen of its children.
    fn holds_children(&self, node: &SceneNode<'_>, rounded: &RoundedBox, clip: &Clip) -> bool {
        let children = Rect::union_all(node.children.iter().filter_map(|child| child.reach));
        let Some(children) = children else { return true };
        let visible = bounds_of(self.sheet_from_page, children).intersection(clip.bounds);
        let within = interior(rounded, self.sheet_from(node));
        match (visible, within) {
            (None, _) => true,
            (Some(visible), Some(within)) => within.iter().any(|part| encloses(*part, visible)),
            (Some(_), None) => false,
        }
    }

    /// Defines a clip to the union of `areas`, and within `outer`.
    fn clip_path(
        &mut self,
        node: &SceneNode<'_>,
        areas: &[&FilledPath],
        id: &str,
        outer: Option<&String>,
    ) -> Option<String> {
        let outlines = areas.iter().filter_map(|area| self.outline(node, &[area]));
        let outlines: Vec<_> = outlines.collect();
        self.clip_to(&outlines, id, outer)
    }

    fn clip_to(
        &mut self,
        outlines: &[Outline],
        id: &str,
        outer: Option<&String>,
    ) -> Option<String> {
        let mut inside = Markup::default();
        for outline in outlines {
            let rule = (outline.rule == FillRule::EvenOdd).then_some("evenodd");
            inside.leaf(outline.tag, &outline.attributes.clone().with_some("clip-rule", rule));
        }
        let attributes = Attributes::default().with_some("clip-path", outer);
        (!inside.is_empty()).then(|| self.definitions.add(id, "clipPath", &attributes, &inside))
    }

    pub(super) fn outline(&self, node: &SceneNode<'_>, areas: &[&FilledPath]) -> Option<Outline> {
        self.sheet.outline(node.node, areas, self.sheet_from(node))
    }

    /// The stroke of a box as that of a `<rect>`, any other as the area it covers.
    fn stroke_or_ink(
        &mut self,
        node: &SceneNode<'_>,
        inks: &[Ink<'_>],
        clip: &Clip,
        attributes: &Attributes,
        to: &mut Markup,
    ) {
        let rect = match inks {
            [ink] if ink.kept.is_none() => {
                stroke::stroked_rect(node.node, self.sheet_from(node), self.sheet)
                    .map(|rect| (ink, rect))
            }
            _ => None,
        };
        let filled = rect.and_then(|(ink, rect)| Some((ink, rect, self.fill(node, ink.paint)?)));
        match filled {
            Some((ink, rect, fill @ Fill::Server { .. })) => {
                let shown = self.mixed(ink, attributes).with_some("clip-path", clip.pending.as_ref());
                to.leaf("rect", &rect.and(&fill.attributes("stroke")).and(&shown));
            }
            _ => self.ink(node, inks, clip, attributes, to),
        }
    }

    /// `attributes`, and how the ink mixes with what is below it.
    fn mixed(&self, ink: &Ink<'_>, attributes: &Attributes) -> Attributes {
        let mode = match self.manner {
            Manner::Colors => blend::css_name(ink.paint.blend_mode),
            Manner::Silhouette(_) => None,
        };
        let style = mode.map(|name| format!("mix-blend-mode:{name}"));
        attributes.clone().with_some("style", style)
    }

    /// Areas under one paint as one element.
    fn ink(
        &mut self,
        node: &SceneNode<'_>,
        inks: &[Ink<'_>],
        clip: &Clip,
        attributes: &Attributes,
        to: &mut Markup,
    ) {
        let Some(first) = inks.first() else { return };
        let areas: Vec<_> = inks.iter().map(|ink| &ink.area).collect();
        let Some(outline) = self.outline(node, &areas) else { return };
        let Some(fill) = self.fill(node, first.paint) else { return };
        let Some((clip, side_mask)) = self.within_side(node, first.kept.as_ref(), &areas, clip)
        else {
            return;
        };
        let shown = self.mixed(first, attributes).with_some("mask", side_mask);
        match fill {
            Fill::Server { .. } => {
                let rule = (outline.rule == FillRule::EvenOdd).then_some("evenodd");
                let attributes = outline.attributes.with_some("fill-rule", rule);
                let attributes = attributes.and(&fill.attributes("fill")).and(&shown);
                to.leaf(outline.tag, &attributes.with_some("clip-path", clip.pending.as_ref()));
            }
            Fill::Picture => {
                self.picture(node, (first.paint, &areas), outline, (&clip, &shown), to);
            }
        }
    }

    fn fill(&mut self, node: &SceneNode<'_>, paint: &Paint) -> Option<Fill> {
        self.fill_in(node, paint, self.sheet_from(node))
    }

    /// The form of a paint in a space that `space_from_node` maps the node to.
    pub(super) fn fill_in(
        &mut self,
        node: &SceneNode<'_>,
        paint: &Paint,
        space_from_node: Affine,
    ) -> Option<Fill> {
        if let Manner::Silhouette(rgb) = self.manner {
            return Fill::silhouette_of(paint, &paint::hex(rgb));
        }
        if let Some(message) = blend::limitation(paint.blend_mode) {
            self.diagnostics.add(&node.node.id, message);
        }
        let id = format!("paint-{}", node.node.id);
        let at = (id.as_str(), self.sheet);
        let place = (node.paint_size(), space_from_node);
        Fill::of(paint, place, self.images, at, &mut self.definitions)
    }

    /// The clip and the mask that keep one side of an edge; `None` if nothing is on that side.
    fn within_side(
        &mut self,
        node: &SceneNode<'_>,
        kept: Option<&Kept>,
        areas: &[&FilledPath],
        clip: &Clip,
    ) -> Option<(Clip, Option<String>)> {
        let Some(kept) = kept else { return Some((clip.clone(), None)) };
        let of: Vec<_> = kept.of.iter().collect();
        if kept.side == Side::Inside {
            let id = format!("inside-{}", node.node.id);
            let inside = self.clip_path(node, &of, &id, clip.pending.as_ref())?;
            return Some((Clip { bounds: clip.bounds, pending: Some(inside) }, None));
        }
        let bounds = Rect::union_all(areas.iter().map(|area| area.bounds))?;
        let region = bounds_of(self.sheet_from(node), bounds).expand(1.0);
        let region = region.intersection(clip.bounds.expand(1.0))?;
        let mut cover = Markup::default();
        cover.leaf("rect", &self.sheet.rect_attributes(region.expand(1.0)).with("fill", "#FFFFFF"));
        for outline in of.iter().filter_map(|area| self.outline(node, &[area])) {
            let rule = (outline.rule == FillRule::EvenOdd).then_some("evenodd");
            let attributes = outline.attributes.with_some("fill-rule", rule);
            cover.leaf(outline.tag, &attributes.with("fill", "#000000"));
        }
        let id = format!("outside-{}", node.node.id);
        let mask = self.mask(&id, region, &Attributes::default(), &cover);
        Some((clip.clone(), Some(mask)))
    }

    /// A picture of the paint, cut to the areas.
    fn picture(
        &mut self,
        node: &SceneNode<'_>,
        (paint, areas): (&Paint, &[&FilledPath]),
        outline: Outline,
        (clip, attributes): (&Clip, &Attributes),
        to: &mut Markup,
    ) {
        let (size, sheet_from_node) = (node.paint_size(), self.sheet_from(node));
        let Some(bounds) = Rect::union_all(areas.iter().map(|area| area.bounds)) else { return };
        let (images, sheet) = (self.images, self.sheet);
        let image =
            picture::image_attributes(paint, (size, bounds), images, sheet_from_node, sheet);
        let Some(image) = image else { return };
        if let Some(message) = paint::limitation(paint) {
            self.diagnostics.add(&node.node.id, message);
        }
        let id = format!("shape-{}", node.node.id);
        let own = self.clip_to(&[outline], &id, clip.pending.as_ref());
        let mut inside = Markup::default();
        inside.leaf("image", &image);
        to.around("g", &attributes.clone().with_some("clip-path", own), &inside);
    }

    fn is_written_as_text(
        &mut self,
        node: &SceneNode<'_>,
        clip: &Clip,
        attributes: &Attributes,
        to: &mut Markup,
    ) -> bool {
        self.options.text == TextForm::Text
            && self.manner == Manner::Colors
            && !node.below.is_empty()
            && text::write(self, node, (clip, attributes), to)
    }

    /// The box of what is to be seen of a node; `None` if that is nothing.
    pub(super) fn visible_box(&self, node: &SceneNode<'_>, clip: &Clip) -> Option<Rect> {
        // A pixel more than the bounds: coverage is rounded outwards.
        bounds_of(self.sheet_from_page, node.reach?).expand(1.0).intersection(clip.bounds)
    }

    pub(super) fn sheet_from(&self, node: &SceneNode<'_>) -> Affine {
        self.sheet_from_page.after(node.page_from_node)
    }
}

/// Inks that are one element: the words of a text under one paint, any other ink by itself.
fn groups<'i, 'd>(
    node: &SceneNode<'_>,
    inks: &'i [Ink<'d>],
) -> impl Iterator<Item = &'i [Ink<'d>]> + use<'i, 'd> {
    let is_text = node.node.text().is_some();
    inks.chunk_by(move |ink, next| {
        let same_kept = match (&ink.kept, &next.kept) {
            (None, None) => true,
            (Some(kept), Some(next)) => kept.side == next.side && Rc::ptr_eq(&kept.of, &next.of),
            _ => false,
        };
        is_text && same_kept && std::ptr::eq(ink.paint, next.paint)
    })
}

/// Whether the node is written as one element, which can have what the node does to it.
fn is_one_element(node: &SceneNode<'_>) -> bool {
    let mut elements = groups(node, &node.below).chain(groups(node, &node.above));
    let (Some([first, ..]), None) = (elements.next(), elements.next()) else { return false };
    node.children.is_empty() && node.effects.is_none() && !mixes(first.paint.blend_mode)
}
