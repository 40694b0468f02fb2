//! Paints a scene in device space.

use tiny_skia::{BlendMode, Color, Mask, Paint};

use crate::base::{Affine, Rect};

use super::clip::{Clip, bounds_of};
use super::pixel_grid::PixelGrid;
use super::scene::{Ink, Scene, SceneNode, mixes};
use super::shader;
use super::stroke::{Kept, Side};
use super::surface::{Compositing, Surface};

/// Paints the scene; RGBA samples, not premultiplied. `None` if there is no memory for the picture.
pub(super) fn paint(
    scene: &Scene<'_>,
    grid: &PixelGrid,
    (width, height): (u32, u32),
    background: [u8; 4],
) -> Option<Vec<u8>> {
    let mut picture = Surface::picture(width, height)?;
    let [r, g, b, a] = background;
    picture.pixmap.fill(Color::from_rgba8(r, g, b, a));
    let clip = Clip::to_box(picture.device_box());
    let mut painter = Painter { device_from_page: grid.device_from_page(), layers: 0 };
    painter.siblings(&scene.roots, &mut picture, &clip);
    Some(picture.pixmap.take_demultiplied())
}

struct Painter {
    device_from_page: Affine,
    /// How many layers were made; the next one's id.
    layers: u32,
}

/// What of a node's own settings its single ink takes over, so that no layer is needed.
#[derive(Clone, Copy, Debug)]
struct Inherited {
    opacity: f64,
    blend_mode: BlendMode,
}

impl Inherited {
    const NOTHING: Self = Self { opacity: 1.0, blend_mode: BlendMode::SourceOver };
}

impl Painter {
    /// Nodes of one parent, bottom first. A mask holds for the ones after it, up to the next mask.
    fn siblings(&mut self, nodes: &[SceneNode<'_>], surface: &mut Surface, clip: &Clip) {
        let mut rest = nodes;
        while let Some((first, after)) = rest.split_first() {
            if first.node.is_mask {
                let end = after.iter().position(|node| node.node.is_mask).unwrap_or(after.len());
                let (masked, next) = after.split_at(end);
                self.masked(first, masked, surface, clip);
                rest = next;
            } else {
                self.node(first, surface, clip);
                rest = after;
            }
        }
    }

    /// Paints `nodes` where `mask` paints.
    fn masked(
        &mut self,
        mask: &SceneNode<'_>,
        nodes: &[SceneNode<'_>],
        surface: &mut Surface,
        clip: &Clip,
    ) {
        let Some(area) = self.visible_box(mask, surface, clip) else { return };
        let (Some(mut content), Some(mut cover)) =
            (self.layer(surface, area), self.layer(surface, area))
        else {
            return;
        };
        let inner = Clip::to_box(area);
        self.siblings(nodes, &mut content, &inner);
        self.node(mask, &mut cover, &inner);
        content.keep_covered_by(&cover);
        let mask = clip.mask(area, surface);
        surface.composite(
            &content,
            Compositing { opacity: 1.0, blend_mode: BlendMode::SourceOver, mask: mask.as_deref() },
        );
    }

    fn node(&mut self, node: &SceneNode<'_>, surface: &mut Surface, clip: &Clip) {
        let Some(area) = self.visible_box(node, surface, clip) else { return };
        if let Some(inherited) = without_layer(node) {
            self.content(node, surface, clip, inherited);
            return;
        }
        let Some(mut layer) = self.layer(surface, area) else { return };
        self.content(node, &mut layer, &Clip::to_box(area), Inherited::NOTHING);
        let mask = clip.mask(area, surface);
        surface.composite(
            &layer,
            Compositing {
                opacity: shader::unit(node.node.opacity) as f32,
                blend_mode: shader::blend_mode(node.node.blend_mode).0,
                mask: mask.as_deref(),
            },
        );
    }

    fn content(
        &mut self,
        node: &SceneNode<'_>,
        surface: &mut Surface,
        clip: &Clip,
        inherited: Inherited,
    ) {
        let device_from_node = self.device_from_page.after(node.page_from_node);
        for ink in &node.below {
            self.ink(node, ink, surface, clip, inherited);
        }
        let inner = match &node.clip {
            Some(rounded) => clip.within(rounded, device_from_node),
            None => Some(clip.clone()),
        };
        if let Some(inner) = inner {
            self.siblings(&node.children, surface, &inner);
        }
        for ink in &node.above {
            self.ink(node, ink, surface, clip, inherited);
        }
    }

    fn ink(
        &mut self,
        node: &SceneNode<'_>,
        ink: &Ink<'_>,
        surface: &mut Surface,
        clip: &Clip,
        inherited: Inherited,
    ) {
        let device_from_node = self.device_from_page.after(node.page_from_node);
        let device_box = bounds_of(device_from_node, ink.area.bounds).expand(1.0);
        let Some(visible) = device_box.intersection(clip.bounds) else { return };
        let Some(shader) = shader::shader(ink.paint, node.paint_size(), inherited.opacity) else {
            return;
        };
        let own_blend = shader::blend_mode(ink.paint.blend_mode).0;
        let blend_mode = if mixes(ink.paint.blend_mode) { own_blend } else { inherited.blend_mode };
        let paint = Paint { shader, blend_mode, ..Paint::default() };
        let mask = clip.mask(visible, surface);
        match &ink.kept {
            None => surface.fill(&ink.area, paint, device_from_node, mask.as_deref()),
            Some(kept) => {
                let Some(mut layer) = self.layer(surface, visible) else { return };
                let layer_paint = Paint { blend_mode: BlendMode::SourceOver, ..paint };
                let side = side_mask(kept, &layer, device_from_node);
                layer.fill(&ink.area, layer_paint, device_from_node, side.as_ref());
                let mask = mask.as_deref();
                surface.composite(&layer, Compositing { opacity: 1.0, blend_mode, mask });
            }
        }
    }

    /// The device box of what is to be seen of a node; `None` if that is nothing.
    fn visible_box(&self, node: &SceneNode<'_>, surface: &Surface, clip: &Clip) -> Option<Rect> {
        // A pixel more than the bounds: coverage is rounded outwards.
        let device_box = bounds_of(self.device_from_page, node.bounds?).expand(1.0);
        device_box.intersection(clip.bounds)?.intersection(surface.device_box())
    }

    fn layer(&mut self, below: &Surface, area: Rect) -> Option<Surface> {
        self.layers += 1;
        below.layer(area, self.layers)
    }
}

/// What the node's only ink takes over; `None` if the node needs a layer.
fn without_layer(node: &SceneNode<'_>) -> Option<Inherited> {
    let (opacity, mode) = (shader::unit(node.node.opacity), node.node.blend_mode);
    let isolates = mode == crate::design::BlendMode::Normal && node.blends_within;
    if opacity == 1.0 && !mixes(mode) && !isolates {
        return Some(Inherited::NOTHING);
    }
    let mut paints = node.own_ink().map(|ink| ink.paint);
    let first = paints.next()?;
    let is_single = node.children.is_empty()
        && paints.all(|paint| std::ptr::eq(paint, first))
        && !mixes(first.blend_mode);
    let blend_mode = shader::blend_mode(mode).0;
    is_single.then_some(Inherited { opacity, blend_mode })
}

/// What lies on the kept side.
fn side_mask(kept: &Kept, layer: &Surface, device_from_node: Affine) -> Option<Mask> {
    let mut mask = layer.empty_mask()?;
    for area in kept.of.iter() {
        layer.add_to_mask(&mut mask, area, device_from_node);
    }
    if kept.side == Side::Outside {
        mask.invert();
    }
    Some(mask)
}
