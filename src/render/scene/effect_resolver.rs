//! What casts the shadows of a node, and how far its blurs reach.

use crate::base::{Affine, Rect};
use crate::design::{EffectKind, Node, NodeKind, Paint, Shadow, Sides, StrokeAlign};
use crate::render::diagnostic::Diagnostics;
use crate::render::geometry::boxes::bounds_of;
use crate::render::geometry::ellipse::ellipse;
use crate::render::geometry::filled_path::FilledPath;
use crate::render::geometry::rounded_box::{Edges, RoundedBox};
use crate::render::paint_facts::{is_seen, mixes};

use super::SceneNode;
use super::effect::{CastShadow, Caster, Effects, Reach, finite, length};
use super::shape::Shape;

/// The effects of the node of `scene_node`, which is complete but for them and its bounds; `None`
/// if it has none that show.
pub(crate) fn resolve<'d>(
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
            // Noise, texture and glass: Figma's newer ones.
            EffectKind::Other(kind) => {
                diagnostics.add(&node.id, format!("its effect of type {kind} is not drawn"));
            }
        }
    }
    effects.has_any().then(|| Box::new(effects))
}

struct Casting<'s, 'd> {
    scene_node: &'s SceneNode<'d>,
    shape: &'s Shape,
    diagnostics: &'s mut Diagnostics,
}

impl Casting<'_, '_> {
    fn drop(mut self, shadow: &Shadow, shows_behind: bool) -> Option<CastShadow<'_>> {
        let node = self.scene_node;
        // A filled frame that clips covers what is in it: its own shape is the silhouette, and
        // cheaper.
        let lies_within = node.children.is_empty() || (node.clip.is_some() && has_fill(node.node));
        let silhouette = if lies_within { Caster::Own } else { Caster::All };
        let spread = finite(shadow.spread);
        let outsets = stroke_outsets(node.node);
        let caster = self.spread(spread, outsets).unwrap_or(silhouette);
        if matches!(caster, Caster::Nothing) {
            return None;
        }
        // Under an opaque node nothing shows of the cut, but its antialiased edge would let the
        // backdrop through.
        let is_cut_out = !shows_behind && !covers_wholly(node);
        self.cast(shadow, caster, is_cut_out)
    }

    fn inner(mut self, shadow: &Shadow) -> Option<CastShadow<'_>> {
        // Without fills, all that the node paints casts it.
        let has_fill = !self.scene_node.below.is_empty();
        let silhouette = if has_fill { Caster::Fills } else { Caster::All };
        // Inwards the spread makes the free area smaller.
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
            // An inner shadow that nothing leaves free fills the shape: it has to be painted.
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
                (width > 0.0 && height > 0.0).then(|| ellipse(grown)).flatten()
            }
            // `takes_spread` lets nothing else through.
            _ => return None,
        };
        let area = path.map(|path| FilledPath::new(path, tiny_skia::FillRule::Winding));
        // Shrunk to nothing, it casts nothing.
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
    node.fills.iter().any(is_seen)
}

/// How far the stroke lies outside of the shape.
fn stroke_outsets(node: &Node) -> Edges {
    let share = match node.stroke.align {
        StrokeAlign::Inside => 0.0,
        StrokeAlign::Center => 0.5,
        StrokeAlign::Outside => 1.0,
    };
    if share == 0.0 || !node.stroke.paints.iter().any(is_seen) {
        return NO_EDGES;
    }
    let sides = node.stroke.sides.unwrap_or(Sides::uniform(node.stroke.weight));
    let [left, top, right, bottom] =
        [sides.left, sides.top, sides.right, sides.bottom].map(|side| length(side) * share);
    Edges { left, top, right, bottom }
}

/// Whether nothing behind the node shows through it: then there is nothing to cut out of its
/// shadow, and its edges look better.
fn covers_wholly(scene_node: &SceneNode<'_>) -> bool {
    let strokes_hide = scene_node.above.iter().all(|ink| is_opaque(ink.paint));
    let children_hide = scene_node.children.is_empty() || scene_node.clip.is_some();
    // Of a text every ink has its own letters, so all have to hide; of a shape all inks cover the
    // same area.
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
    // A rounded box holds a cross of two boxes: the larger saves more.
    let [wide, tall] = rounded.interior(Affine::IDENTITY).filter(|_| is_hidden)?;
    let larger = if wide.width * wide.height < tall.width * tall.height { tall } else { wide };
    (larger.width > 0.0 && larger.height > 0.0).then_some(larger)
}

/// Whether nothing below shows through the paint.
fn is_opaque(paint: &Paint) -> bool {
    paint.solid_color().is_some_and(|color| color.a >= 1.0) && !mixes(paint.blend_mode)
}
