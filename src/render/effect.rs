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
use crate::design::{EffectKind, Node, NodeKind, Paint, Shadow, StrokeAlign};

use super::clip::{bounds_of, interior};
use super::diagnostic::Diagnostics;
use super::rounded_box::{Edges, RoundedBox};
use super::scene::SceneNode;
use super::shader;
use super::shape::{self, FilledPath, Shape};

/// What is painted of a node's effects. Made only for nodes that have any.
#[derive(Debug)]
pub(super) struct Effects<'d> {
    /// Below the node, bottom first.
    pub(super) drop_shadows: Vec<CastShadow<'d>>,
    /// On the node's fills, bottom first.
    pub(super) inner_shadows: Vec<CastShadow<'d>>,
    /// Radius of the blur of the whole node in its own units; 0 for none.
    pub(super) layer_blur: f64,
    /// Radius of the blur of what is below, likewise.
    pub(super) background_blur: f64,
    /// A box in the node's space that its fills hide whatever is below of.
    pub(super) hidden: Option<Rect>,
}

/// A shadow and what casts it.
#[derive(Debug)]
pub(super) struct CastShadow<'d> {
    pub(super) shadow: &'d Shadow,
    pub(super) caster: Caster,
    /// The page box of the caster, before the offset.
    pub(super) caster_box: Rect,
    /// Whether the node leaves the shadow out where it covers it. Never of an inner shadow.
    pub(super) is_cut_out: bool,
}

/// What casts a shadow.
#[derive(Clone, Debug)]
pub(super) enum Caster {
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
pub(super) enum Reach {
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
            Self::Painted => 1.5 * radius,
        }
    }
}

/// The effects of the node of `scene_node`, which is complete but for them and its bounds; `None`
/// if it has none that show.
pub(super) fn resolve<'d>(
    scene_node: &SceneNode<'d>,
    shape: &Shape,
    diagnostics: &mut Diagnostics,
) -> Option<Box<Effects<'d>>> {
    let node = scene_node.node;
    let mut effects = Effects {
        drop_shadows: Vec::new(),
        inner_shadows: Vec::new(),
        layer_blur: 0.0,
        background_blur: 0.0,
        hidden: hidden_below(scene_node, shape),
    };
    for effect in node.effects.iter().filter(|effect| effect.visible) {
        match &effect.kind {
            EffectKind::DropShadow { shadow, show_behind_node } => {
                let cast = Casting { scene_node, shape, diagnostics };
                effects.drop_shadows.extend(cast.drop(shadow, *show_behind_node));
            }
            EffectKind::InnerShadow(shadow) => {
                let cast = Casting { scene_node, shape, diagnostics };
                effects.inner_shadows.extend(cast.inner(shadow));
            }
            EffectKind::LayerBlur { radius } => effects.layer_blur = length(*radius),
            EffectKind::BackgroundBlur { radius } => effects.background_blur = length(*radius),
            EffectKind::Other(kind) => {
                diagnostics.add(&node.id, format!("its effect of type {kind} is not drawn"));
            }
        }
    }
    effects.has_any().then(|| Box::new(effects))
}

impl Effects<'_> {
    fn has_any(&self) -> bool {
        let has_shadow = !self.drop_shadows.is_empty() || !self.inner_shadows.is_empty();
        has_shadow || self.layer_blur > 0.0 || self.background_blur > 0.0
    }

    /// Whether one of them mixes with what lies below the node in another way than source over.
    pub(super) fn mix_with_backdrop(&self) -> bool {
        let mut shadows = self.drop_shadows.iter().chain(&self.inner_shadows);
        self.background_blur > 0.0
            || shadows.any(|cast| super::scene::mixes(cast.shadow.blend_mode))
    }

    /// The page box of the node with its effects; `content` is that of all it paints otherwise.
    pub(super) fn extend(
        &self,
        content: Option<Rect>,
        page_from_node: Affine,
        reach: Reach,
    ) -> Option<Rect> {
        let scale = unit_length(page_from_node);
        let shadow_box = |cast: &CastShadow<'_>| {
            let blurred = cast.caster_box.expand(reach.of(length(cast.shadow.radius) * scale));
            blurred.translate(cast.offset(page_from_node))
        };
        let all =
            Rect::union_all(content.into_iter().chain(self.drop_shadows.iter().map(shadow_box)));
        all.map(|all| all.expand(reach.of(self.layer_blur * scale)))
    }
}

impl CastShadow<'_> {
    /// How far the shadow lies from the node, in the space that `space_from_node` leads to.
    pub(super) fn offset(&self, space_from_node: Affine) -> Vector {
        let Affine { a, b, c, d, .. } = space_from_node;
        let (x, y) = (finite(self.shadow.offset.x), finite(self.shadow.offset.y));
        Vector { x: a * x + c * y, y: b * x + d * y }
    }

    /// Standard deviation of its blur, in units of that space.
    pub(super) fn sigma(&self, space_from_node: Affine) -> f64 {
        length(self.shadow.radius) / 2.0 * unit_length(space_from_node)
    }
}

/// How long a unit of the node is in another space, in the mean over both axes.
pub(super) fn unit_length(space_from_node: Affine) -> f64 {
    space_from_node.determinant().abs().sqrt()
}

struct Casting<'s, 'd> {
    scene_node: &'s SceneNode<'d>,
    shape: &'s Shape,
    diagnostics: &'s mut Diagnostics,
}

impl Casting<'_, '_> {
    fn drop(mut self, shadow: &Shadow, shows_behind: bool) -> Option<CastShadow<'_>> {
        let node = self.scene_node;
        let lies_within = node.children.is_empty() || (node.clip.is_some() && has_fill(node.node));
        let silhouette = if lies_within { Caster::Own } else { Caster::All };
        let spread = finite(shadow.spread);
        let outsets = stroke_outsets(node.node);
        let caster = self.spread(spread, outsets).unwrap_or(silhouette);
        if matches!(caster, Caster::Nothing) {
            return None;
        }
        let is_cut_out = !shows_behind && !covers_wholly(node);
        self.cast(shadow, caster, is_cut_out)
    }

    fn inner(mut self, shadow: &Shadow) -> Option<CastShadow<'_>> {
        let has_fill = !self.scene_node.below.is_empty();
        let silhouette = if has_fill { Caster::Fills } else { Caster::All };
        let caster = self.spread(-finite(shadow.spread), NO_EDGES).unwrap_or(silhouette);
        self.cast(shadow, caster, false)
    }

    /// `None` where nothing casts or nothing would be seen. An inner shadow of nothing fills the
    /// shape.
    fn cast(self, shadow: &Shadow, caster: Caster, is_cut_out: bool) -> Option<CastShadow<'_>> {
        let node = self.scene_node;
        let caster_box = match &caster {
            Caster::Area(area) => Some(bounds_of(node.page_from_node, area.bounds)),
            Caster::Fills | Caster::Own => node.own_box(),
            Caster::All => node.content_box(Reach::Painted),
            Caster::Nothing => Some(Rect::default()),
        };
        let is_seen = shadow.color.a > 0.0;
        let caster_box = caster_box.filter(|_| is_seen)?;
        Some(CastShadow { shadow, caster, caster_box, is_cut_out })
    }

    /// The shape grown by `spread`, and at its edges by `outsets`; `None` if there is no spread or
    /// it does not hold here.
    fn spread(&mut self, spread: f64, outsets: Edges) -> Option<Caster> {
        let node = self.scene_node.node;
        if spread == 0.0 {
            return None;
        }
        if !takes_spread(node) {
            let message = "the spread of its shadow is left out: it holds only for rectangles, \
                           ellipses and clipping frames, with a fill";
            self.diagnostics.add(&node.id, message);
            return None;
        }
        let by = Edges {
            left: spread + outsets.left,
            top: spread + outsets.top,
            right: spread + outsets.right,
            bottom: spread + outsets.bottom,
        };
        let path = match self.shape {
            Shape::Box(rounded) => rounded.grow(by).and_then(RoundedBox::to_path),
            Shape::Ellipse(size) => {
                let (width, height) = (size.width + 2.0 * by.left, size.height + 2.0 * by.top);
                let grown = Rect::new(-by.left, -by.top, width, height);
                (width > 0.0 && height > 0.0).then(|| shape::ellipse(grown)).flatten()
            }
            _ => return None,
        };
        let area = path.map(|path| FilledPath::new(path, tiny_skia::FillRule::Winding));
        Some(area.map_or(Caster::Nothing, Caster::Area))
    }
}

const NO_EDGES: Edges = Edges { left: 0.0, top: 0.0, right: 0.0, bottom: 0.0 };

/// Source: Figma REST API, `BaseShadowEffect.spread`.
fn takes_spread(node: &Node) -> bool {
    let is_simple = matches!(node.kind, NodeKind::Rectangle | NodeKind::Ellipse(_));
    let is_frame = matches!(
        node.kind,
        NodeKind::Frame | NodeKind::Component | NodeKind::ComponentSet | NodeKind::Instance
    );
    has_fill(node) && (is_simple || (is_frame && node.clips_content))
}

fn has_fill(node: &Node) -> bool {
    node.fills.iter().any(shader::is_seen)
}

/// How far the stroke lies outside of the shape.
fn stroke_outsets(node: &Node) -> Edges {
    let share = match node.stroke.align {
        StrokeAlign::Inside => 0.0,
        StrokeAlign::Center => 0.5,
        StrokeAlign::Outside => 1.0,
    };
    if share == 0.0 || !node.stroke.paints.iter().any(shader::is_seen) {
        return NO_EDGES;
    }
    let sides = node.stroke.sides.unwrap_or(crate::design::Sides::uniform(node.stroke.weight));
    let [left, top, right, bottom] =
        [sides.left, sides.top, sides.right, sides.bottom].map(|side| length(side) * share);
    Edges { left, top, right, bottom }
}

/// Whether nothing behind the node shows through it: then there is nothing to cut out of its
/// shadow, and its edges look better.
fn covers_wholly(scene_node: &SceneNode<'_>) -> bool {
    let strokes_hide = scene_node.above.iter().all(|ink| is_opaque(ink.paint));
    let children_hide = scene_node.children.is_empty() || scene_node.clip.is_some();
    let fills_hide = match &scene_node.node.text() {
        Some(_) => scene_node.below.iter().all(|ink| is_opaque(ink.paint)),
        None => scene_node.below.iter().any(|ink| is_opaque(ink.paint)),
    };
    fills_hide && strokes_hide && children_hide
}

/// The largest box found that an opaque fill of the node covers.
fn hidden_below(scene_node: &SceneNode<'_>, shape: &Shape) -> Option<Rect> {
    let Shape::Box(rounded) = shape else { return None };
    let is_hidden = scene_node.below.iter().any(|ink| is_opaque(ink.paint));
    let [wide, tall] = interior(rounded, Affine::IDENTITY).filter(|_| is_hidden)?;
    let larger = if wide.width * wide.height < tall.width * tall.height { tall } else { wide };
    (larger.width > 0.0 && larger.height > 0.0).then_some(larger)
}

/// Whether nothing below shows through the paint.
fn is_opaque(paint: &Paint) -> bool {
    paint.solid_color().is_some_and(|color| color.a >= 1.0)
        && !super::scene::mixes(paint.blend_mode)
}

/// A length within the range of coordinates; 0 for what is none.
fn length(value: f64) -> f64 {
    if value > 0.0 { value.min(Limits::COORDINATE) } else { 0.0 }
}

/// A coordinate in range; 0 for what is none.
fn finite(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(-Limits::COORDINATE, Limits::COORDINATE) }
}
