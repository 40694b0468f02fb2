//! Shadows and blurs: silhouettes of the node, moved, blurred and cut.
//!
//! They are elements of their own below and above the node's, as one filter around the node could
//! not have their blend modes, nor a spread whose corners are parallel to those of the shape.

use crate::base::{Rect, Vector};

use super::super::clip::bounds_of;
use super::super::effect::{CastShadow, Caster, unit_length};
use super::super::scene::SceneNode;
use super::blend;
use super::markup::{Attributes, Markup};
use super::number::share;
use super::paint::hex;
use super::walk::{Clip, Exporter, Manner};

const WHITE: [u8; 3] = [255; 3];
const BLACK: [u8; 3] = [0; 3];

impl Exporter<'_> {
    pub(super) fn with_drop_shadows(
        &mut self,
        node: &SceneNode<'_>,
        clip: &Clip,
        attributes: &Attributes,
        to: &mut Markup,
    ) {
        for cast in node.effects.iter().flat_map(|effects| &effects.drop_shadows) {
            self.drop_shadow(node, cast, clip, to);
        }
        self.content(node, clip, attributes, to);
    }

    /// The filter that blurs all of the node, if it is blurred.
    pub(super) fn layer_blur(&mut self, node: &SceneNode<'_>) -> Option<String> {
        let radius = node.effects.as_ref()?.layer_blur;
        let sigma = radius / 2.0 * unit_length(self.sheet_from(node));
        let around = bounds_of(self.sheet_from_page, node.reach?);
        self.filter(&format!("blur-{}", node.node.id), (Vector::default(), sigma), around)
    }

    fn drop_shadow(
        &mut self,
        node: &SceneNode<'_>,
        cast: &CastShadow<'_>,
        clip: &Clip,
        to: &mut Markup,
    ) {
        let color = cast.shadow.color;
        let [r, g, b, _] = color.to_u8();
        let shadow = self.caster(node, cast, [r, g, b]);
        let cut = cast.is_cut_out.then(|| self.cut_out(node, clip)).flatten();
        let opacity = (color.a < 1.0).then(|| share(color.a));
        let attributes = self
            .blended(node, cast)
            .with_some("opacity", opacity)
            .with_some("mask", cut)
            .with_some("clip-path", clip.pending());
        if attributes.is_empty() {
            to.append(&shadow);
        } else {
            to.around("g", &attributes, &shadow);
        }
    }

    /// The mask that leaves out where the node is.
    fn cut_out(&mut self, node: &SceneNode<'_>, clip: &Clip) -> Option<String> {
        let area = self.visible_box(node, clip)?;
        let mut cover = Markup::default();
        cover.leaf("rect", &self.sheet.rect_attributes(area.expand(1.0)).with("fill", hex(WHITE)));
        cover.append(&self.silhouette(node, &Caster::All, BLACK));
        Some(self.mask(&format!("behind-{}", node.node.id), area, &Attributes::default(), &cover))
    }

    /// What the shadows leave free of the node's silhouette.
    pub(super) fn inner_shadows(&mut self, node: &SceneNode<'_>, clip: &Clip, to: &mut Markup) {
        if self.manner != Manner::Colors {
            return;
        }
        for cast in node.effects.iter().flat_map(|effects| &effects.inner_shadows) {
            self.inner_shadow(node, cast, clip, to);
        }
    }

    fn inner_shadow(
        &mut self,
        node: &SceneNode<'_>,
        cast: &CastShadow<'_>,
        clip: &Clip,
        to: &mut Markup,
    ) {
        let Some(area) = self.visible_box(node, clip) else { return };
        let shape = if node.below.is_empty() { Caster::All } else { Caster::Fills };
        let mut cover = self.silhouette(node, &shape, WHITE);
        cover.append(&self.caster(node, cast, BLACK));
        let id = format!("within-{}", node.node.id);
        let mask = self.mask(&id, area, &Attributes::default(), &cover);
        let color = cast.shadow.color;
        let [r, g, b, _] = color.to_u8();
        let opacity = (color.a < 1.0).then(|| share(color.a));
        let attributes = self
            .sheet
            .rect_attributes(area)
            .with("fill", hex([r, g, b]))
            .with_some("fill-opacity", opacity)
            .and(&self.blended(node, cast))
            .with("mask", mask)
            .with_some("clip-path", clip.pending());
        to.leaf("rect", &attributes);
    }

    fn blended(&mut self, node: &SceneNode<'_>, cast: &CastShadow<'_>) -> Attributes {
        let mode = cast.shadow.blend_mode;
        if let Some(message) = blend::limitation(mode) {
            self.diagnostics.add(&node.node.id, message);
        }
        let style = blend::css_name(mode).map(|name| format!("mix-blend-mode:{name}"));
        Attributes::default().with_some("style", style)
    }

    /// What casts the shadow, moved and blurred, before the node takes its part of it away.
    fn caster(&mut self, node: &SceneNode<'_>, cast: &CastShadow<'_>, rgb: [u8; 3]) -> Markup {
        let sheet_from_node = self.sheet_from(node);
        let silhouette = self.silhouette(node, &cast.caster, rgb);
        let (offset, sigma) = (cast.offset(sheet_from_node), cast.sigma(sheet_from_node));
        let around = bounds_of(self.sheet_from_page, cast.caster_box);
        let filter = self.filter(&format!("shadow-{}", node.node.id), (offset, sigma), around);
        let Some(filter) = filter else { return silhouette };
        let mut cast = Markup::default();
        cast.around("g", &Attributes::default().with("filter", filter), &silhouette);
        cast
    }

    /// What `caster` covers, in one colour.
    fn silhouette(&mut self, node: &SceneNode<'_>, caster: &Caster, rgb: [u8; 3]) -> Markup {
        let mut to = Markup::default();
        // Shadows fall into the picture from without.
        let clip = Clip::to_box(self.sheet.view().expand(FAR));
        self.in_manner(Manner::Silhouette(rgb), |exporter| match caster {
            Caster::Area(area) => {
                if let Some(outline) = exporter.outline(node, &[area]) {
                    to.leaf(outline.tag, &outline.attributes.with("fill", hex(rgb)));
                }
            }
            Caster::Fills => exporter.inks(node, &node.below, &clip, &mut to),
            Caster::Own => {
                exporter.inks(node, &node.below, &clip, &mut to);
                exporter.inks(node, &node.above, &clip, &mut to);
            }
            Caster::All => exporter.content(node, &clip, &Attributes::default(), &mut to),
            Caster::Nothing => {}
        });
        to
    }

    /// Defines a filter that moves and blurs what lies `around`; `None` if it would do nothing.
    fn filter(&mut self, id: &str, (offset, sigma): (Vector, f64), around: Rect) -> Option<String> {
        let view = self.sheet.view();
        // Beyond this everything that shows is one colour.
        let sigma = sigma.min(2.0 * view.width.max(view.height));
        let mut steps = Markup::default();
        if (offset.x, offset.y) != (0.0, 0.0) {
            let by = |value: f64| (value != 0.0).then(|| self.sheet.number(value));
            let attributes =
                Attributes::default().with_some("dx", by(offset.x)).with_some("dy", by(offset.y));
            steps.leaf("feOffset", &attributes);
        }
        if sigma > 0.0 {
            let deviation = self.sheet.number(sigma);
            steps.leaf("feGaussianBlur", &Attributes::default().with("stdDeviation", deviation));
        }
        if steps.is_empty() {
            return None;
        }
        let reach = 3.0 * sigma + 2.0;
        let region = around.union(around.translate(offset)).expand(reach);
        let far = reach + offset.x.abs().max(offset.y.abs());
        let region = region.intersection(view.expand(far.min(FAR)))?;
        let attributes = Attributes::default()
            .with("filterUnits", "userSpaceOnUse")
            .and(&self.sheet.region_attributes(region))
            .with("color-interpolation-filters", "sRGB");
        Some(self.definitions.add(id, "filter", &attributes, &steps))
    }
}

/// Pixels beyond the picture from which a shadow may fall into it.
const FAR: f64 = 8192.0;
