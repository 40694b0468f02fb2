//! Inks as elements: areas under one paint.

use std::sync::Arc;

use tiny_skia::FillRule;

use crate::base::{Affine, Rect};
use crate::design::Paint;
use crate::render::geometry::boxes::bounds_of;
use crate::render::geometry::filled_path::FilledPath;
use crate::render::paint_facts::mixes;
use crate::render::scene::stroke::{EdgeSide, KeptSide};
use crate::render::scene::{Ink, SceneNode};

use super::exporter::{Exporter, PaintMode, SvgClip};
use super::geometry::SvgShape;
use super::markup::{Attributes, Markup};
use super::number::hex;
use super::paint::{self, Fill};
use super::picture::{self, PicturedPaint};
use super::{layer, stroke};

impl Exporter<'_> {
    /// The inks, whatever else the node has.
    pub(super) fn inks(
        &mut self,
        node: &SceneNode<'_>,
        inks: &[Ink<'_>],
        clip: &SvgClip,
        to: &mut Markup,
    ) {
        for inks in groups(node, inks) {
            self.ink(node, inks, clip, &Attributes::default(), to);
        }
    }

    /// The stroke of a box as that of a `<rect>`, any other as the area it covers.
    pub(super) fn stroke_or_ink(
        &mut self,
        node: &SceneNode<'_>,
        inks: &[Ink<'_>],
        clip: &SvgClip,
        attributes: &Attributes,
        to: &mut Markup,
    ) {
        let rect = match inks {
            // Where one side of an edge is kept, or several paints lie over another, it is no one stroke.
            [ink] if ink.kept.is_none() => {
                stroke::stroked_rect(node.node, self.sheet_from(node), self.sheet)
                    .map(|rect| (ink, rect))
            }
            _ => None,
        };
        let filled = rect.and_then(|(ink, rect)| Some((ink, rect, self.fill(node, ink.paint)?)));
        match filled {
            // As Figma exports it: it stays a stroke that editors can change.
            Some((ink, rect, fill @ Fill::Server { .. })) => {
                let shown = self.mixed(ink, attributes).with_some("clip-path", clip.pending());
                to.leaf("rect", &rect.and(&fill.attributes("stroke")).and(&shown));
            }
            _ => self.ink(node, inks, clip, attributes, to),
        }
    }

    /// `attributes`, and how the ink mixes with what is below it.
    fn mixed(&self, ink: &Ink<'_>, attributes: &Attributes) -> Attributes {
        let mode = match self.paint_mode {
            PaintMode::Colors => layer::css_name(ink.paint.blend_mode),
            PaintMode::Silhouette(_) => None,
        };
        let style = mode.map(|name| format!("mix-blend-mode:{name}"));
        attributes.clone().with_some("style", style)
    }

    /// Areas under one paint as one element.
    pub(super) fn ink(
        &mut self,
        node: &SceneNode<'_>,
        inks: &[Ink<'_>],
        clip: &SvgClip,
        attributes: &Attributes,
        to: &mut Markup,
    ) {
        let Some(first) = inks.first() else { return };
        if let Some(glyph) = &first.glyph {
            return self.glyph(node, glyph, (clip, attributes), to);
        }
        let areas: Vec<_> = inks.iter().map(|ink| &ink.area).collect();
        let Some(outline) = self.outline(node, &areas) else { return };
        if self.paint_mode != PaintMode::Colors && !self.may_repeat(node, &outline) {
            return;
        }
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
                to.leaf(outline.tag, &attributes.with_some("clip-path", clip.pending()));
            }
            // SVG has no such paint server.
            Fill::Picture => {
                self.picture(node, (first.paint, &areas), outline, (&clip, &shown), to);
            }
        }
    }

    /// Whether there is room for an element that is written only to cast a shadow.
    fn may_repeat(&mut self, node: &SceneNode<'_>, outline: &SvgShape) -> bool {
        let length = outline.attributes.as_str().len();
        // A shadow repeats what casts it, and shadows nest: a small design could fill the disk.
        let left = self.silhouette_bytes_left.checked_sub(length);
        self.silhouette_bytes_left = left.unwrap_or(0);
        if left.is_none() {
            self.diagnostics.add(&node.node.id, "not in a shadow: there are too many shadows");
        }
        left.is_some()
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
        if let PaintMode::Silhouette(rgb) = self.paint_mode {
            return Fill::silhouette_of(paint, self.images, &hex(rgb));
        }
        if let Some(message) = layer::limitation(paint.blend_mode) {
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
        kept: Option<&KeptSide>,
        areas: &[&FilledPath],
        clip: &SvgClip,
    ) -> Option<(SvgClip, Option<String>)> {
        let Some(kept) = kept else { return Some((clip.clone(), None)) };
        let of: Vec<_> = kept.of.iter().collect();
        // Inside is a clip; SVG has none for outside, so a mask with the areas in black.
        if kept.side == EdgeSide::Inside {
            let id = format!("inside-{}", node.node.id);
            let inside = self.clip_path(node, &of, &id, clip.pending())?;
            return Some((clip.replaced_by(inside), None));
        }
        let bounds = Rect::union_all(areas.iter().map(|area| area.bounds))?;
        let region = bounds_of(self.sheet_from(node), bounds).expand(1.0);
        let region = region.intersection(clip.bounds.expand(1.0))?;
        let mut cover = Markup::default();
        // A little larger than the region, so that the white has no edge in it.
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
        outline: SvgShape,
        (clip, attributes): (&SvgClip, &Attributes),
        to: &mut Markup,
    ) {
        let Some(bounds) = Rect::union_all(areas.iter().map(|area| area.bounds)) else { return };
        let (size, images, paint_mode) = (node.paint_size(), self.images, self.paint_mode);
        let pictured = PicturedPaint { paint, size, images, paint_mode };
        let place = (self.sheet_from(node), clip.bounds);
        let left = &mut self.picture_pixels_left;
        let image = picture::image_attributes(pictured, bounds, place, left);
        let Some(image) = image else { return };
        if let Some(message) = paint::limitation(paint) {
            self.diagnostics.add(&node.node.id, message);
        }
        let id = format!("shape-{}", node.node.id);
        let own = self.clip_to(&[outline], &id, clip.pending());
        let mut inside = Markup::default();
        inside.leaf("image", &image);
        to.around("g", &attributes.clone().with_some("clip-path", own), &inside);
    }

    /// Defines a clip to the union of `areas`, and within `outer`.
    pub(super) fn clip_path(
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
        outlines: &[SvgShape],
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

    pub(super) fn outline(&self, node: &SceneNode<'_>, areas: &[&FilledPath]) -> Option<SvgShape> {
        self.sheet.outline(node.node, areas, self.sheet_from(node))
    }
}

/// Inks that are one element: the words of a text under one paint, and the parts of a stroke on one
/// side of an edge; any other ink by itself.
pub(super) fn groups<'i, 'd>(
    node: &SceneNode<'_>,
    inks: &'i [Ink<'d>],
) -> impl Iterator<Item = &'i [Ink<'d>]> + use<'i, 'd> {
    let is_text = node.node.text().is_some();
    inks.chunk_by(move |ink, next| {
        let is_alike = match (&ink.kept, &next.kept) {
            (None, None) => is_text && ink.glyph.is_none() && next.glyph.is_none(),
            (Some(kept), Some(next)) => kept.side == next.side && Arc::ptr_eq(&kept.of, &next.of),
            _ => false,
        };
        is_alike && std::ptr::eq(ink.paint, next.paint)
    })
}

/// Whether the node is written as one element, which can have what the node does to it.
pub(super) fn is_one_element(node: &SceneNode<'_>) -> bool {
    let mut elements = groups(node, &node.below).chain(groups(node, &node.above));
    let (Some([first, ..]), None) = (elements.next(), elements.next()) else { return false };
    node.children.is_empty() && node.effects.is_none() && !mixes(first.paint.blend_mode)
}
