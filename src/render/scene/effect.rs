//! The shadows and blurs of a node, resolved: what casts them and how far they reach.
//!
//! As Figma has them, told from its own SVG exports, its REST API and its documentation:
//!
//! - A shadow is cast by the *silhouette* of the node, wherever it paints at all: a translucent
//!   fill casts as dark a shadow as an opaque one (in Figma's SVG the alpha is multiplied by 127
//!   first). A frame without a visible fill casts the shadow of what is in it. Effects within the
//!   node cast none themselves.
//! - Spread changes the *shape* and so holds for rectangles, ellipses, and frames, components and
//!   instances that clip and have a visible fill; elsewhere it is ignored, and said. Rounded corners
//!   stay parallel to those of the shape, sharp ones stay sharp, as in CSS.
//! - Offsets lie in the node's own space: the shadow of a rotated node turns with it.
//! - A drop shadow is left out where the node covers it unless `showShadowBehindNode` is set; under
//!   an opaque fill that makes no difference.
//! - An inner shadow lies on the node's fills and below its children and stroke; on all of it where
//!   there is no fill.
//! - A layer blur blurs the node with its shadows. A background blur blurs what was painted below
//!   within the nearest isolating layer, where the node's fills are.
//! - The Gaussian's standard deviation is half the radius, and `absoluteRenderBounds` reach one
//!   radius beyond the caster. Pixels are painted to three standard deviations where there is room.

use crate::base::{Affine, Limits, Rect, Vector};
use crate::design::Shadow;
use crate::render::geometry::filled_path::FilledPath;
use crate::render::paint_facts::mixes;

/// What is painted of a node's effects. Made only for nodes that have any.
#[derive(Debug)]
pub(crate) struct Effects<'d> {
    /// Below the node, bottom first.
    pub(crate) drop_shadows: Vec<CastShadow<'d>>,
    /// On the node's fills, bottom first.
    pub(crate) inner_shadows: Vec<CastShadow<'d>>,
    /// Radius of the blur of the whole node in its own units; 0 for none.
    pub(crate) layer_blur: f64,
    /// Radius of the blur of what is below, likewise.
    pub(crate) background_blur: f64,
    /// A box in the node's space that its fills hide whatever is below of.
    pub(crate) hidden: Option<Rect>,
}

/// A shadow and what casts it.
#[derive(Debug)]
pub(crate) struct CastShadow<'d> {
    pub(crate) shadow: &'d Shadow,
    pub(crate) caster: Caster,
    /// The page box of the caster, before the offset.
    pub(crate) caster_box: Rect,
    /// Whether the node leaves the shadow out where it covers it. Never of an inner shadow.
    pub(crate) is_cut_out: bool,
}

/// What casts a shadow.
#[derive(Clone, Debug)]
pub(crate) enum Caster {
    /// The node's fills.
    Fills,
    /// The node's fills and stroke: whatever else it holds lies within.
    Own,
    /// All that the node paints.
    All,
    /// An area in the node's space: its shape, grown or shrunk by the spread.
    Area(FilledPath),
    /// The shape is shrunk to nothing.
    Nothing,
}

/// How far blurs are taken to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// As Figma's `absoluteRenderBounds` say: one radius.
    RenderBounds,
    /// As far as pixels are painted: three standard deviations.
    Painted,
}

impl Reach {
    /// How far a blur of this radius goes beyond what it blurs.
    fn of(self, radius: f64) -> f64 {
        match self {
            Self::RenderBounds => radius,
            // Three standard deviations of half the radius each.
            Self::Painted => 1.5 * radius,
        }
    }
}

impl Effects<'_> {
    pub(crate) fn has_any(&self) -> bool {
        let has_shadow = !self.drop_shadows.is_empty() || !self.inner_shadows.is_empty();
        has_shadow || self.layer_blur > 0.0 || self.background_blur > 0.0
    }

    /// Whether one of them mixes with what lies below the node in another way than source over.
    pub(crate) fn mix_with_backdrop(&self) -> bool {
        let mut shadows = self.drop_shadows.iter().chain(&self.inner_shadows);
        self.background_blur > 0.0 || shadows.any(|cast| mixes(cast.shadow.blend_mode))
    }

    /// The page box of the node with its effects; `content` is that of all it paints otherwise.
    pub(crate) fn extend(
        &self,
        content: Option<Rect>,
        page_from_node: Affine,
        reach: Reach,
    ) -> Option<Rect> {
        let scale = unit_length(page_from_node);
        // Inner shadows lie within what the node paints and add nothing.
        let shadows = self.drop_shadows.iter().map(|cast| {
            let blurred = cast.caster_box.expand(reach.of(length(cast.shadow.radius) * scale));
            blurred.translate(cast.offset(page_from_node))
        });
        // The layer blur is the last: it blurs the shadows too.
        let all = Rect::union_all(content.into_iter().chain(shadows));
        all.map(|all| all.expand(reach.of(self.layer_blur * scale)))
    }
}

impl CastShadow<'_> {
    /// How far the shadow lies from the node, in the space that `space_from_node` leads to.
    pub(crate) fn offset(&self, space_from_node: Affine) -> Vector {
        let Affine { a, b, c, d, .. } = space_from_node;
        let (x, y) = (finite(self.shadow.offset.x), finite(self.shadow.offset.y));
        // A direction: the map without its translation.
        Vector { x: a * x + c * y, y: b * x + d * y }
    }

    /// Standard deviation of its blur, in units of that space.
    pub(crate) fn sigma(&self, space_from_node: Affine) -> f64 {
        length(self.shadow.radius) / 2.0 * unit_length(space_from_node)
    }
}

/// How long a unit of the node is in another space, in the mean over both axes.
pub(crate) fn unit_length(space_from_node: Affine) -> f64 {
    space_from_node.determinant().abs().sqrt()
}

/// A length within the range of coordinates; 0 for what is none.
pub(crate) fn length(value: f64) -> f64 {
    if value > 0.0 { value.min(Limits::COORDINATE) } else { 0.0 }
}

/// A coordinate in range; 0 for what is none.
pub(crate) fn finite(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(-Limits::COORDINATE, Limits::COORDINATE) }
}
