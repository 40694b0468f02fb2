//! Shadows and blurs in device space.
//!
//! What is blurred much shows no detail: it is painted in coarser pixels, blurred there, and
//! enlarged. So a blur costs what its visible area costs, whatever its radius.

use crate::base::{Affine, Limits, Rect, Vector};
use crate::render::geometry::boxes::{around, bounds_of};
use crate::render::paint_facts::unit;
use crate::render::scene::Scene;
use crate::render::scene::SceneNode;
use crate::render::scene::effect::{CastShadow, Caster, unit_length};

use super::clip::Clip;
use super::color;
use super::painter::{Inherited, PaintMode, Painter};
use super::source::Source;
use super::surface::{Channels, Compositing, Cover, Surface};

/// The largest standard deviation that is blurred in full pixels.
const FINE_SIGMA: f64 = 6.0;

/// Beyond this many pixels every picture is one colour.
const MOST_SIGMA: f64 = 1e12;

/// The least blur of a shadow that is painted in parts: sharper ones cost little, and show that the
/// rasteriser rounds the coverage of a corner otherwise where the path is cut elsewhere.
const LEAST_SIGMA_IN_PARTS: f64 = 1.0;

/// No surface is so many pixels long.
const BEYOND_ANY_SURFACE: f64 = Limits::IMAGE_PIXELS as f64;

/// The variance that painting in coarse pixels and enlarging them adds, in coarse pixels: that of
/// a box and of a triangle.
const COARSE_VARIANCE: f64 = 1.0 / 12.0 + 1.0 / 6.0;

/// How much something is blurred, and in which pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Softness {
    /// Standard deviation in device pixels.
    sigma: f64,
    /// Width of the pixels to blur in, a power of two.
    factor: f64,
}

impl Softness {
    const SHARP: Self = Self { sigma: 0.0, factor: 1.0 };

    fn of(sigma: f64) -> Self {
        let sigma = sigma.min(MOST_SIGMA);
        let mut factor = 1.0;
        while sigma / factor > FINE_SIGMA {
            factor *= 2.0;
        }
        Self { sigma, factor }
    }

    /// The standard deviation in the pixels to blur in.
    fn sigma_in_blocks(self) -> f64 {
        let sigma = self.sigma / self.factor;
        // Variances add up: what the coarse pixels blur by themselves is taken off.
        if self.factor == 1.0 { sigma } else { (sigma * sigma - COARSE_VARIANCE).sqrt() }
    }

    /// How far it reaches, in device pixels.
    fn reach(self) -> f64 {
        3.0 * self.sigma + 2.0 * self.factor
    }
}

impl Painter<'_> {
    /// The node as it is before its own opacity and blend mode.
    pub(crate) fn appearance(
        &mut self,
        node: &SceneNode<'_>,
        surface: &mut Surface,
        clip: &Clip,
        inherited: Inherited,
    ) {
        let blur = node.effects.as_ref().map_or(0.0, |effects| effects.layer_blur);
        if blur > 0.0 {
            self.blurred(node, blur, surface, clip);
        } else {
            self.with_drop_shadows(node, surface, clip, inherited);
        }
    }

    fn with_drop_shadows(
        &mut self,
        node: &SceneNode<'_>,
        surface: &mut Surface,
        clip: &Clip,
        inherited: Inherited,
    ) {
        for cast in node.effects.iter().flat_map(|effects| &effects.drop_shadows) {
            self.drop_shadow(node, cast, surface, clip);
        }
        self.content(node, surface, clip, inherited);
    }

    fn blurred(&mut self, node: &SceneNode<'_>, radius: f64, surface: &mut Surface, clip: &Clip) {
        let Some(area) = self.visible_box(node, surface, clip) else { return };
        let sigma = radius / 2.0 * unit_length(self.device_from(node));
        let Some(reach) = node.reach else { return };
        let content = bounds_of(self.device_from_page, reach);
        let softness = Softness::of(sigma);
        let layer = self.soft(area, content, softness, Channels::All, |painter, layer, clip| {
            painter.with_drop_shadows(node, layer, clip, Inherited::NOTHING);
        });
        lay(layer, surface, clip, Compositing::PLAIN);
    }

    fn drop_shadow(
        &mut self,
        node: &SceneNode<'_>,
        cast: &CastShadow<'_>,
        surface: &mut Surface,
        clip: &Clip,
    ) {
        let Some(area) = self.visible_box(node, surface, clip) else { return };
        let Some(hidden) = self.hidden_box(node, cast, surface, clip) else {
            let shadow = self.shadow(node, cast, area);
            return lay_shadow(shadow, cast, surface, clip);
        };
        // A blur paints more than it is asked for, in each part what is right in the next one only.
        for shown in around(area.expand(BEYOND_ANY_SURFACE), hidden) {
            let Some(part) = area.intersection(shown) else { continue };
            let shadow = self.shadow(node, cast, part).and_then(|shadow| shadow.cut_to(shown));
            lay_shadow(shadow, cast, surface, clip);
        }
    }

    /// A box of whole pixels of the surface where a shadow below the node is not to be seen, if it is
    /// so large that one saves by leaving it out.
    fn hidden_box(
        &self,
        node: &SceneNode<'_>,
        cast: &CastShadow<'_>,
        surface: &Surface,
        clip: &Clip,
    ) -> Option<Rect> {
        let hidden = node.effects.as_ref()?.hidden?;
        let device_from_node = self.device_from(node);
        if device_from_node.b != 0.0 || device_from_node.c != 0.0 {
            return None;
        }
        let hidden = bounds_of(device_from_node, hidden).intersection(surface.device_box())?;
        // A pixel less on every side: none that is covered in part.
        let (left, top) = (hidden.x.ceil() + 1.0, hidden.y.ceil() + 1.0);
        let (right, bottom) = (hidden.right().floor() - 1.0, hidden.bottom().floor() - 1.0);
        let pixels = Rect::new(left, top, right - left, bottom - top);
        let softness = Softness::of(cast.sigma(device_from_node));
        let is_large = pixels.width.min(pixels.height) > 3.0 * softness.reach();
        let is_worth_it = is_large && softness.sigma >= LEAST_SIGMA_IN_PARTS;
        (is_worth_it && clip.mask(pixels, surface).is_none()).then_some(pixels)
    }

    /// The shadow alone, in its colour; right within `area`.
    fn shadow(
        &mut self,
        node: &SceneNode<'_>,
        cast: &CastShadow<'_>,
        area: Rect,
    ) -> Option<Surface> {
        let mut shadow = self.caster(node, cast, area)?;
        if cast.is_cut_out
            && let Some(silhouette) = self.silhouette(node, &Caster::All, area)
        {
            shadow.keep_covered_by(&silhouette, Cover::NotAlpha);
        }
        shadow.tint(cast.shadow.color);
        Some(shadow)
    }

    /// What the shadows leave free of the node's silhouette.
    pub(crate) fn inner_shadows(
        &mut self,
        node: &SceneNode<'_>,
        surface: &mut Surface,
        clip: &Clip,
    ) {
        if self.paint_mode == PaintMode::Silhouette {
            return;
        }
        for cast in node.effects.iter().flat_map(|effects| &effects.inner_shadows) {
            let Some(area) = self.visible_box(node, surface, clip) else { return };
            // The shadow lies on the fills, or on all of a node that has none.
            let shape = if node.below.is_empty() { Caster::All } else { Caster::Fills };
            let Some(mut shadow) = self.silhouette(node, &shape, area) else { return };
            if let Some(caster) = self.caster(node, cast, area) {
                shadow.keep_covered_by(&caster, Cover::NotAlpha);
            }
            shadow.tint(cast.shadow.color);
            lay_shadow(Some(shadow), cast, surface, clip);
        }
    }

    /// Blurs what is on the surface where the node's fills are.
    pub(crate) fn background_blur(
        &mut self,
        node: &SceneNode<'_>,
        surface: &mut Surface,
        clip: &Clip,
    ) {
        let radius = node.effects.as_ref().map_or(0.0, |effects| effects.background_blur);
        if radius <= 0.0 || node.below.is_empty() {
            return;
        }
        // The fills say where the backdrop is blurred, so only their box is worked on.
        let own = node.own_box().map(|own| bounds_of(self.device_from_page, own).expand(1.0));
        let Some(area) =
            self.visible_box(node, surface, clip).and_then(|visible| visible.intersection(own?))
        else {
            return;
        };
        // The backdrop ends at the surface: more than its extent blurs it no further.
        let most = surface.device_box().size();
        let sigma = radius / 2.0 * unit_length(self.device_from(node));
        let softness = Softness::of(sigma.min(most.width.max(most.height)));
        let blurred = surface
            .blurred_part(area, softness.factor as u32, softness.sigma_in_blocks())
            .and_then(|blocks| blocks.enlarged(area, softness.factor, self.next_id()));
        let cover = self.silhouette(node, &Caster::Fills, area);
        if let (Some(blurred), Some(cover)) = (blurred, cover) {
            let mask = clip.mask(area, surface);
            let opacity = unit(node.node.opacity) as f32;
            let how = Compositing { opacity, mask: mask.as_deref(), ..Compositing::PLAIN };
            surface.replace(&blurred, &cover, how);
        }
    }

    /// Where the shadow is, before the node takes its part of it away; as alpha over `area`.
    fn caster(
        &mut self,
        node: &SceneNode<'_>,
        cast: &CastShadow<'_>,
        area: Rect,
    ) -> Option<Surface> {
        let device_from_node = self.device_from(node);
        let softness = Softness::of(cast.sigma(device_from_node));
        // The caster is painted moved, instead of moving what was painted: nothing is missing at
        // the surface's edge.
        let moved = moved(self.device_from_page, cast.offset(device_from_node));
        self.seen_by(moved, |painter| {
            let content = bounds_of(painter.device_from_page, cast.caster_box);
            painter.soft(area, content, softness, Channels::Alpha, |painter, layer, clip| {
                painter.cast(node, &cast.caster, layer, clip);
            })
        })
    }

    /// What `caster` covers, as alpha over `area`.
    fn silhouette(&mut self, node: &SceneNode<'_>, caster: &Caster, area: Rect) -> Option<Surface> {
        self.soft(area, area, Softness::SHARP, Channels::Alpha, |painter, layer, clip| {
            painter.cast(node, caster, layer, clip);
        })
    }

    fn cast(&mut self, node: &SceneNode<'_>, caster: &Caster, layer: &mut Surface, clip: &Clip) {
        let device_from_node = self.device_from(node);
        self.in_mode(PaintMode::Silhouette, |painter| match caster {
            Caster::Area(area) => Source::OPAQUE.fill(layer, area, device_from_node, None),
            Caster::Fills => {
                for ink in &node.below {
                    painter.ink(node, ink, layer, clip, Inherited::NOTHING);
                }
            }
            Caster::Own => {
                for ink in node.own_ink() {
                    painter.ink(node, ink, layer, clip, Inherited::NOTHING);
                }
            }
            Caster::All => painter.content(node, layer, clip, Inherited::NOTHING),
            Caster::Nothing => {}
        });
    }

    /// What `paint` paints within `content`, blurred, over `area` at least; both are device boxes.
    /// `None` if none of it is to be seen.
    fn soft(
        &mut self,
        area: Rect,
        content: Rect,
        softness: Softness,
        channels: Channels,
        paint: impl FnOnce(&mut Self, &mut Surface, &Clip),
    ) -> Option<Surface> {
        let reach = softness.reach();
        // What is farther from the visible than the blur reaches is not painted at all.
        let around = area.expand(reach).intersection(content.expand(reach))?;
        let shrink = Affine::scale(1.0 / softness.factor, 1.0 / softness.factor);
        let id = self.next_id();
        let mut layer = Surface::over(bounds_of(shrink, around), id)?;
        let clip = Clip::to_box(layer.device_box());
        let coarse = shrink.after(self.device_from_page);
        self.seen_by(coarse, |painter| paint(painter, &mut layer, &clip));
        layer.blur(softness.sigma_in_blocks(), channels);
        if softness.factor == 1.0 {
            return Some(layer);
        }
        layer.enlarged(area, softness.factor, self.next_id())
    }

    /// Paints as through another window for a while: all of it, as what is made of it may be seen
    /// elsewhere.
    fn seen_by<T>(&mut self, device_from_page: Affine, act: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.device_from_page, device_from_page);
        // What is blurred or moved shows elsewhere than it was painted.
        let focus = self.focus.take();
        let result = act(self);
        self.device_from_page = before;
        self.focus = focus;
        result
    }
}

/// Where blurs of the background may look, each in device space.
pub(crate) fn backdrops(scene: &Scene<'_>, device_from_page: Affine) -> Vec<Rect> {
    let mut found = Vec::new();
    let mut rest: Vec<_> = scene.roots.iter().collect();
    while let Some(node) = rest.pop() {
        found.extend(backdrop(node, device_from_page));
        rest.extend(&node.children);
    }
    found
}

/// The device box of what a node's blur of the background may see; `None` if it has none.
fn backdrop(node: &SceneNode<'_>, device_from_page: Affine) -> Option<Rect> {
    let radius = node.effects.as_ref().map(|effects| effects.background_blur)?;
    if radius <= 0.0 {
        return None;
    }
    let own = bounds_of(device_from_page, node.own_box()?);
    let sigma = radius / 2.0 * unit_length(device_from_page.after(node.page_from_node));
    let softness = Softness::of(sigma);
    let blocks = 3.0 * softness.sigma_in_blocks() + 4.0;
    Some(own.expand(1.0 + blocks * softness.factor))
}

/// Lays a layer on the surface within the clip.
fn lay(layer: Option<Surface>, surface: &mut Surface, clip: &Clip, how: Compositing<'_>) {
    if let Some(layer) = layer {
        let mask = clip.mask(layer.device_box(), surface);
        surface.composite(&layer, Compositing { mask: mask.as_deref(), ..how });
    }
}

/// Lays a shadow on the surface within the clip.
fn lay_shadow(shadow: Option<Surface>, cast: &CastShadow<'_>, surface: &mut Surface, clip: &Clip) {
    let blend = color::blend(cast.shadow.blend_mode);
    lay(shadow, surface, clip, Compositing { blend, ..Compositing::PLAIN });
}

fn moved(map: Affine, by: Vector) -> Affine {
    Affine::translate(by.x, by.y).after(map)
}
