//! Shadows and blurs: silhouettes of the node, moved, blurred and cut.
//!
//! They are elements of their own below and above the node's, as one filter around the node could
//! not have their blend modes, nor a spread whose corners are parallel to those of the shape.

use crate::base::{Rect, Vector};
use crate::render::geometry::boxes::bounds_of;
use crate::render::scene::SceneNode;
use crate::render::scene::effect::{CastShadow, Caster, unit_length};

use super::exporter::{Exporter, PaintMode, SvgClip};
use super::layer;
use super::markup::{Attributes, Markup};
use super::number::{hex, share};

const WHITE: [u8; 3] = [255; 3];
const BLACK: [u8; 3] = [0; 3];

impl Exporter<'_> {
    pub(super) fn with_drop_shadows(
        &mut self,
        node: &SceneNode<'_>,
        clip: &SvgClip,
        attributes: &Attributes,
        to: &mut Markup,
    ) {
        for cast in node.effects.iter().flat_map(|effects| &effects.drop_shadows) {
            self.drop_shadow(node, cast, clip, to);
        }
        self.content(node, clip, attributes, to);
    }

    /// The blur of all of the node, if it is blurred.
    pub(super) fn layer_blur(&mut self, node: &SceneNode<'_>) -> Option<Blur> {
        let radius = node.effects.as_ref()?.layer_blur;
        let sigma = radius / 2.0 * unit_length(self.sheet_from(node));
        let around = bounds_of(self.sheet_from_page, node.reach?);
        self.blur(&format!("blur-{}", node.node.id), sigma, around, Vector::default())
    }

    fn drop_shadow(
        &mut self,
        node: &SceneNode<'_>,
        cast: &CastShadow<'_>,
        clip: &SvgClip,
        to: &mut Markup,
    ) {
        let color = cast.shadow.color;
        let [r, g, b, _] = color.to_u8();
        // In the shadow's colour already, so that no filter has to give it one.
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
    fn cut_out(&mut self, node: &SceneNode<'_>, clip: &SvgClip) -> Option<String> {
        let area = self.visible_box(node, clip)?;
        let mut cover = Markup::default();
        cover.leaf("rect", &self.sheet.rect_attributes(area.expand(1.0)).with("fill", hex(WHITE)));
        cover.append(&self.silhouette(node, &Caster::All, BLACK, area));
        Some(self.mask(&format!("behind-{}", node.node.id), area, &Attributes::default(), &cover))
    }

    /// What the shadows leave free of the node's silhouette.
    pub(super) fn inner_shadows(&mut self, node: &SceneNode<'_>, clip: &SvgClip, to: &mut Markup) {
        if self.paint_mode != PaintMode::Colors {
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
        clip: &SvgClip,
        to: &mut Markup,
    ) {
        let Some(area) = self.visible_box(node, clip) else { return };
        let shape = if node.below.is_empty() { Caster::All } else { Caster::Fills };
        let mut cover = self.silhouette(node, &shape, WHITE, area);
        cover.append(&self.caster(node, cast, BLACK));
        let id = format!("within-{}", node.node.id);
        // White where the node is, black where the moved caster is: what is left is the shadow.
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
        if let Some(message) = layer::limitation(mode) {
            self.diagnostics.add(&node.node.id, message);
        }
        let style = layer::css_name(mode).map(|name| format!("mix-blend-mode:{name}"));
        Attributes::default().with_some("style", style)
    }

    /// What casts the shadow, moved and blurred, before the node takes its part of it away.
    fn caster(&mut self, node: &SceneNode<'_>, cast: &CastShadow<'_>, rgb: [u8; 3]) -> Markup {
        let sheet_from_node = self.sheet_from(node);
        let (offset, sigma) = (cast.offset(sheet_from_node), cast.sigma(sheet_from_node));
        let around = bounds_of(self.sheet_from_page, cast.caster_box);
        let blur = self.blur(&format!("shadow-{}", node.node.id), sigma, around, offset);
        let reach = blur.as_ref().map_or(0.0, |blur| blur.reach);
        let area = seen_from(self.sheet.view().expand(reach), offset);
        let silhouette = self.silhouette(node, &cast.caster, rgb, area);
        let moved = (offset.x, offset.y) != (0.0, 0.0);
        let shift = moved.then(|| {
            let (x, y) = (self.sheet.number(offset.x), self.sheet.number(offset.y));
            format!("translate({x} {y})")
        });
        let attributes = Attributes::default()
            .with_some("transform", shift)
            .with_some("filter", blur.map(|blur| blur.filter));
        if attributes.is_empty() {
            return silhouette;
        }
        let mut cast = Markup::default();
        cast.around("g", &attributes, &silhouette);
        cast
    }

    /// What `caster` covers within `area`, in one colour.
    fn silhouette(
        &mut self,
        node: &SceneNode<'_>,
        caster: &Caster,
        rgb: [u8; 3],
        area: Rect,
    ) -> Markup {
        let mut to = Markup::default();
        let clip = SvgClip::to_box(area);
        self.in_mode(PaintMode::Silhouette(rgb), |exporter| match caster {
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

    /// Defines a blur of what lies `around` and is then moved by `offset`; `None` if there is none.
    fn blur(&mut self, id: &str, sigma: f64, around: Rect, offset: Vector) -> Option<Blur> {
        let view = self.sheet.view();
        // Beyond this everything that shows is one colour.
        let sigma = sigma.min(2.0 * view.width.max(view.height));
        if sigma <= 0.0 {
            return None;
        }
        let reach = 3.0 * sigma + 2.0;
        let seen = seen_from(view.expand(reach), offset);
        let region = around.expand(reach).intersection(seen)?;
        let deviation = Attributes::default().with("stdDeviation", self.sheet.number(sigma));
        let mut steps = Markup::default();
        steps.leaf("feGaussianBlur", &deviation);
        let attributes = Attributes::default()
            .with("filterUnits", "userSpaceOnUse")
            .and(&self.sheet.region_attributes(region))
            .with("color-interpolation-filters", "sRGB");
        let filter = self.definitions.add(id, "filter", &attributes, &steps);
        Some(Blur { filter, reach })
    }
}

/// A filter that blurs.
#[derive(Clone, Debug)]
pub(super) struct Blur {
    /// What refers to it.
    pub(super) filter: String,
    /// From how far away something may show, in pixels.
    pub(super) reach: f64,
}

/// What of the picture `area` shows of something that is moved by `offset`.
fn seen_from(area: Rect, offset: Vector) -> Rect {
    area.translate(Vector { x: -offset.x, y: -offset.y })
}
