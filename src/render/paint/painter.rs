//! Paints a scene in device space.

use tiny_skia::{Color, IntRect, Mask, Pixmap, PremultipliedColorU8};

use crate::base::{Affine, Pixels, PixelsError, Rect};
use crate::design::{Images, MaskType};
use crate::raster::Blend;
use crate::render::geometry::boxes::bounds_of;
use crate::render::paint_facts::{mixes, unit};
use crate::render::scene::stroke::{EdgeSide, KeptSide};
use crate::render::scene::view::PixelGrid;
use crate::render::scene::{Ink, Scene, SceneNode};

use super::clip::Clip;
use super::color;
use super::source::{PaintContext, Source};
use super::surface::{Compositing, Cover, Surface};

/// Paints the scene.
pub(crate) fn paint(
    scene: &Scene<'_>,
    grid: &PixelGrid,
    background: [u8; 4],
) -> Result<Pixels, PixelsError> {
    let (width, height) = grid.size()?;
    let picture = painted(scene, grid, (width, height), background, None)
        .ok_or(PixelsError::TooLarge { width, height })?;
    Pixels::from_rgba(width, height, demultiplied(picture.pixmap))
}

/// A part of the picture, in whole pixels that lie on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PixelRect {
    pub(crate) left: u32,
    pub(crate) top: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl PixelRect {
    /// The pixels of a box with whole corners on the picture.
    pub(crate) fn of(device_box: Rect) -> Self {
        let Rect { x, y, width, height } = device_box;
        Self { left: x as u32, top: y as u32, width: width as u32, height: height as u32 }
    }

    fn device_box(self) -> Rect {
        let [x, y, width, height] = [self.left, self.top, self.width, self.height].map(f64::from);
        Rect::new(x, y, width, height)
    }
}

/// As [`paint`], and the same bytes, but only the samples of a part. What blurs of the background see
/// has to lie within ([`backdrops`]).
pub(crate) fn paint_part(
    scene: &Scene<'_>,
    grid: &PixelGrid,
    size: (u32, u32),
    background: [u8; 4],
    part: PixelRect,
) -> Option<Vec<u8>> {
    let picture = painted(scene, grid, size, background, Some(part.device_box()))?;
    let (left, top) = (i32::try_from(part.left).ok()?, i32::try_from(part.top).ok()?);
    let cut = IntRect::from_xywh(left, top, part.width, part.height)?;
    picture.pixmap.as_ref().clone_rect(cut).map(demultiplied)
}

/// The samples, not premultiplied. Most pixels are opaque or empty and stay as they are, which is
/// why this is not left to [`Pixmap::take_demultiplied`].
fn demultiplied(pixmap: Pixmap) -> Vec<u8> {
    let mut rgba = pixmap.take();
    let (pixels, _) = rgba.as_chunks_mut::<4>();
    for pixel in pixels {
        let [r, g, b, a] = *pixel;
        if a == 0 || a == 255 {
            continue;
        }
        if let Some(color) = PremultipliedColorU8::from_rgba(r, g, b, a) {
            let plain = color.demultiply();
            *pixel = [plain.red(), plain.green(), plain.blue(), a];
        }
    }
    rgba
}

/// The picture, right within `focus` at least; `None`: everywhere.
fn painted(
    scene: &Scene<'_>,
    grid: &PixelGrid,
    (width, height): (u32, u32),
    background: [u8; 4],
    focus: Option<Rect>,
) -> Option<Surface> {
    let mut picture = Surface::picture(width, height)?;
    let [r, g, b, a] = background;
    if a > 0 {
        picture.pixmap.fill(Color::from_rgba8(r, g, b, a));
    }
    let clip = Clip::to_box(picture.device_box());
    let mut painter = Painter {
        device_from_page: grid.device_from_page(),
        paint_mode: PaintMode::Colors,
        focus,
        images: scene.images,
        layers: 0,
    };
    painter.siblings(&scene.roots, &mut picture, &clip);
    Some(picture)
}

/// What is painted of everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PaintMode {
    /// All of it.
    Colors,
    /// Only where it is, in opaque black: paints as far as they are there at all, without opacity,
    /// blending and effects; masks and clips cut as ever.
    Silhouette,
}

pub(crate) struct Painter<'s> {
    pub(crate) device_from_page: Affine,
    pub(crate) paint_mode: PaintMode,
    /// The device box that has to be right; `None`: everything.
    pub(crate) focus: Option<Rect>,
    images: &'s Images,
    /// How many layers were made; the last one's id.
    layers: u32,
}

/// What of a node's own settings its single ink takes over, so that no layer is needed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inherited {
    opacity: f64,
    blend: Blend,
}

impl Inherited {
    pub(crate) const NOTHING: Self = Self { opacity: 1.0, blend: Blend::Normal };
}

impl Painter<'_> {
    /// Nodes of one parent, bottom first. A mask holds for the ones after it, up to the next mask.
    fn siblings(&mut self, nodes: &[SceneNode<'_>], surface: &mut Surface, clip: &Clip) {
        let mut rest = nodes;
        while let Some((first, after)) = rest.split_first() {
            // A mask is not painted itself: it only says where its followers show.
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
        if !self.is_in_focus(area) {
            return;
        }
        let (Some(mut content), Some(mut cover)) =
            (self.layer(surface, area), self.layer(surface, area))
        else {
            return;
        };
        let inner = Clip::to_box(area);
        self.siblings(nodes, &mut content, &inner);
        self.mask(mask, &mut cover, &inner);
        let by = match mask.node.mask_type {
            MaskType::Alpha | MaskType::Vector => Cover::Alpha,
            MaskType::Luminance => Cover::Luminance,
        };
        content.keep_covered_by(&cover, by);
        let mask = clip.mask(area, surface);
        surface.composite(&content, Compositing { mask: mask.as_deref(), ..Compositing::PLAIN });
    }

    /// What masks, whatever is being painted of the rest.
    fn mask(&mut self, mask: &SceneNode<'_>, cover: &mut Surface, clip: &Clip) {
        let paint_mode = match mask.node.mask_type {
            MaskType::Alpha | MaskType::Luminance => PaintMode::Colors,
            MaskType::Vector => PaintMode::Silhouette,
        };
        // In a shadow, too, a mask cuts by what it looks like.
        self.in_mode(paint_mode, |painter| painter.node(mask, cover, clip));
    }

    /// Paints in another mode for a while.
    pub(crate) fn in_mode<T>(
        &mut self,
        paint_mode: PaintMode,
        act: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = std::mem::replace(&mut self.paint_mode, paint_mode);
        let result = act(self);
        self.paint_mode = before;
        result
    }

    fn node(&mut self, node: &SceneNode<'_>, surface: &mut Surface, clip: &Clip) {
        let Some(area) = self.visible_box(node, surface, clip) else { return };
        if !self.is_in_focus(area) {
            return;
        }
        // Opacity, blending and effects make a silhouette neither larger nor smaller.
        if self.paint_mode == PaintMode::Silhouette {
            return self.content(node, surface, clip, Inherited::NOTHING);
        }
        // First: it blurs what is below, and the node with its shadows lies on it unblurred.
        self.background_blur(node, surface, clip);
        if let Some(inherited) = without_layer(node) {
            return self.appearance(node, surface, clip, inherited);
        }
        // Painted apart and laid down as one, as its parts must not show through one another.
        let Some(mut layer) = self.layer(surface, area) else { return };
        self.appearance(node, &mut layer, &Clip::to_box(area), Inherited::NOTHING);
        let mask = clip.mask(area, surface);
        let how = Compositing {
            opacity: unit(node.node.opacity) as f32,
            blend: color::blend(node.node.blend_mode),
            mask: mask.as_deref(),
        };
        surface.composite(&layer, how);
    }

    /// Fills, children and stroke, with the inner shadows between them.
    pub(crate) fn content(
        &mut self,
        node: &SceneNode<'_>,
        surface: &mut Surface,
        clip: &Clip,
        inherited: Inherited,
    ) {
        for ink in &node.below {
            self.ink(node, ink, surface, clip, inherited);
        }
        // Figma draws inner shadows on the fills, below what is in the frame; without fills, on
        // everything.
        if !node.below.is_empty() {
            self.inner_shadows(node, surface, clip);
        }
        let inner = match &node.clip {
            Some(rounded) => clip.within(rounded, self.device_from(node)),
            None => Some(clip.clone()),
        };
        if let Some(inner) = inner {
            self.siblings(&node.children, surface, &inner);
        }
        for ink in &node.above {
            self.ink(node, ink, surface, clip, inherited);
        }
        if node.below.is_empty() {
            self.inner_shadows(node, surface, clip);
        }
    }

    pub(crate) fn ink(
        &mut self,
        node: &SceneNode<'_>,
        ink: &Ink<'_>,
        surface: &mut Surface,
        clip: &Clip,
        inherited: Inherited,
    ) {
        let device_from_node = self.device_from(node);
        let device_box = bounds_of(device_from_node, ink.area.bounds);
        let visible = device_box.expand(1.0).intersection(clip.bounds);
        let Some(visible) = visible.and_then(|v| v.intersection(surface.device_box())) else {
            return;
        };
        if let Some(glyph) = &ink.glyph {
            let Some(picture) = glyph.picture(device_from_node, visible) else { return };
            let mask = clip.mask(device_box, surface);
            let (opacity, blend) = (inherited.opacity as f32, inherited.blend);
            return surface
                .composite(&picture, Compositing { opacity, blend, mask: mask.as_deref() });
        }
        let place = PaintContext {
            size: node.paint_size(),
            device_from_node,
            visible,
            images: self.images,
        };
        let Some(source) = self.source(ink, place, inherited.opacity) else { return };
        // Of the whole ink: the part within the clip's box always seems to need no mask.
        let mask = clip.mask(device_box, surface);
        let blend = self.blend_of(ink, inherited);
        if ink.kept.is_none() && blend == Blend::Normal {
            return source.fill(surface, &ink.area, device_from_node, mask.as_deref());
        }
        // One side of an edge or another blend mode: neither goes with filling straight away.
        let Some(mut layer) = self.layer(surface, visible) else { return };
        let side = ink.kept.as_ref().and_then(|kept| side_mask(kept, &layer, device_from_node));
        source.fill(&mut layer, &ink.area, device_from_node, side.as_ref());
        surface.composite(&layer, Compositing { opacity: 1.0, blend, mask: mask.as_deref() });
    }

    fn source(&self, ink: &Ink<'_>, place: PaintContext<'_>, opacity: f64) -> Option<Source> {
        match self.paint_mode {
            PaintMode::Colors => Source::of(ink.paint, place, opacity),
            PaintMode::Silhouette => Source::silhouette_of(ink.paint, place),
        }
    }

    fn blend_of(&self, ink: &Ink<'_>, inherited: Inherited) -> Blend {
        match self.paint_mode {
            PaintMode::Silhouette => Blend::Normal,
            PaintMode::Colors if mixes(ink.paint.blend_mode) => color::blend(ink.paint.blend_mode),
            PaintMode::Colors => inherited.blend,
        }
    }

    pub(crate) fn device_from(&self, node: &SceneNode<'_>) -> Affine {
        self.device_from_page.after(node.page_from_node)
    }

    /// The device box of what is to be seen of a node; `None` if that is nothing.
    pub(crate) fn visible_box(
        &self,
        node: &SceneNode<'_>,
        surface: &Surface,
        clip: &Clip,
    ) -> Option<Rect> {
        // A pixel more than the bounds: coverage is rounded outwards.
        let device_box = bounds_of(self.device_from_page, node.reach?).expand(1.0);
        device_box.intersection(clip.bounds)?.intersection(surface.device_box())
    }

    /// Whether something painted within `device_box` may be seen where it matters.
    fn is_in_focus(&self, device_box: Rect) -> bool {
        self.focus.is_none_or(|focus| focus.intersection(device_box).is_some())
    }

    fn layer(&mut self, below: &Surface, area: Rect) -> Option<Surface> {
        let id = self.next_id();
        below.layer(area, id)
    }

    /// An id that no surface of this picture has yet.
    pub(crate) fn next_id(&mut self) -> u32 {
        self.layers += 1;
        self.layers
    }
}

impl SceneNode<'_> {
    /// Whether it is painted on a layer of its own.
    pub(crate) fn needs_layer(&self) -> bool {
        without_layer(self).is_none()
    }
}

/// What the node's only ink takes over; `None` if the node needs a layer.
fn without_layer(node: &SceneNode<'_>) -> Option<Inherited> {
    let (opacity, mode) = (unit(node.node.opacity), node.node.blend_mode);
    let isolates = mode == crate::design::BlendMode::Normal && node.blends_within;
    if opacity == 1.0 && !mixes(mode) && !isolates {
        return Some(Inherited::NOTHING);
    }
    // Shadows overlap what casts them: they fade together with it or not at all.
    if node.effects.is_some() {
        return None;
    }
    let mut paints = node.own_ink().map(|ink| ink.paint);
    let first = paints.next()?;
    let is_single = node.children.is_empty()
        && paints.all(|paint| std::ptr::eq(paint, first))
        && !mixes(first.blend_mode);
    is_single.then_some(Inherited { opacity, blend: color::blend(mode) })
}

/// What lies on the kept side.
fn side_mask(kept: &KeptSide, layer: &Surface, device_from_node: Affine) -> Option<Mask> {
    let mut mask = layer.empty_mask()?;
    for area in kept.of.iter() {
        layer.add_to_mask(&mut mask, area, device_from_node);
    }
    if kept.side == EdgeSide::Outside {
        mask.invert();
    }
    Some(mask)
}
