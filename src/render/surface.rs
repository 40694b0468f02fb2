//! A part of the picture that is painted on.

use tiny_skia::{
    BlendMode, FilterQuality, IntSize, Mask, Paint, Pattern, Pixmap, PremultipliedColorU8,
    Rect as SkiaRect, SpreadMode, Transform,
};

use crate::base::{Affine, Rect};

use super::clip::bounds_of;
use super::far_path;
use super::shape::FilledPath;

/// A pixmap that covers a box of device space.
#[derive(Debug)]
pub(super) struct Surface {
    pub(super) pixmap: Pixmap,
    /// Device pixel of the pixmap's left top pixel.
    left: i32,
    top: i32,
    /// Distinguishes surfaces within one picture, for caches of masks.
    pub(super) id: u32,
}

impl Surface {
    /// The whole picture; `None` if there is no memory of that size.
    pub(super) fn picture(width: u32, height: u32) -> Option<Self> {
        Some(Self { pixmap: Pixmap::new(width, height)?, left: 0, top: 0, id: 0 })
    }

    /// A transparent layer over the part of `device_box` that lies on `self`; `None` if none does.
    pub(super) fn layer(&self, device_box: Rect, id: u32) -> Option<Self> {
        let visible = device_box.intersection(self.device_box())?;
        let (left, top) = (visible.x.floor(), visible.y.floor());
        let width = (visible.right().ceil() - left).max(1.0);
        let height = (visible.bottom().ceil() - top).max(1.0);
        let pixmap = Pixmap::new(width as u32, height as u32)?;
        Some(Self { pixmap, left: left as i32, top: top as i32, id })
    }

    /// The device pixels it covers.
    pub(super) fn device_box(&self) -> Rect {
        Rect::new(
            f64::from(self.left),
            f64::from(self.top),
            f64::from(self.pixmap.width()),
            f64::from(self.pixmap.height()),
        )
    }

    /// From a space given by its map to the device, to the pixmap; `None` if the map collapses
    /// what it maps or is not finite in single precision.
    pub(super) fn transform(&self, device_from_space: Affine) -> Option<Transform> {
        let shift = Affine::translate(-f64::from(self.left), -f64::from(self.top));
        let map = shift.after(device_from_space);
        let coefficients = [map.a, map.b, map.c, map.d, map.e, map.f].map(|v| v as f32);
        let [a, b, c, d, e, f] = coefficients;
        let transform = Transform::from_row(a, b, c, d, e, f);
        (transform.is_finite() && transform.invert().is_some()).then_some(transform)
    }

    /// An empty mask of the surface's size.
    pub(super) fn empty_mask(&self) -> Option<Mask> {
        Mask::new(self.pixmap.width(), self.pixmap.height())
    }

    /// Fills an area given in a space that `device_from_space` maps to the device. The paint's
    /// shader is in that space too.
    pub(super) fn fill(
        &mut self,
        area: &FilledPath,
        mut paint: Paint<'_>,
        device_from_space: Affine,
        mask: Option<&Mask>,
    ) {
        let Some(transform) = self.transform(device_from_space) else { return };
        paint.shader.transform(transform);
        // The fast pipeline is for source over only: its integers overflow in other modes.
        paint.force_hq_pipeline = paint.blend_mode != BlendMode::SourceOver;
        let identity = Transform::identity();
        if let Some(rect) = area.rect.and_then(|rect| self.upright(rect, device_from_space)) {
            self.pixmap.fill_rect(rect, &paint, identity, mask);
        } else if let Some(path) = far_path::near(&area.path, transform, self.size()) {
            self.pixmap.fill_path(&path, &paint, area.rule, identity, mask);
        }
    }

    /// Adds an area, as for [`Self::fill`], to a mask of this surface's size.
    pub(super) fn add_to_mask(
        &self,
        mask: &mut Mask,
        area: &FilledPath,
        device_from_space: Affine,
    ) {
        let Some(transform) = self.transform(device_from_space) else { return };
        if let Some(path) = far_path::near(&area.path, transform, self.size()) {
            mask.fill_path(&path, area.rule, true, Transform::identity());
        }
    }

    fn size(&self) -> (u32, u32) {
        (self.pixmap.width(), self.pixmap.height())
    }

    /// The visible part of a rectangle in the surface's pixels, if it stays upright there: its
    /// edges are then exact, however large it is.
    fn upright(&self, rect: Rect, device_from_space: Affine) -> Option<SkiaRect> {
        if device_from_space.b != 0.0 || device_from_space.c != 0.0 {
            return None;
        }
        let around = self.device_box();
        let visible = bounds_of(device_from_space, rect).intersection(around.expand(1.0))?;
        let (x, y) = (visible.x - around.x, visible.y - around.y);
        SkiaRect::from_xywh(x as f32, y as f32, visible.width as f32, visible.height as f32)
    }

    /// Lays `layer` on this surface.
    pub(super) fn composite(&mut self, layer: &Self, how: Compositing<'_>) {
        let (x, y) = ((layer.left - self.left) as f32, (layer.top - self.top) as f32);
        let (width, height) = (layer.pixmap.width() as f32, layer.pixmap.height() as f32);
        let Some(rect) = SkiaRect::from_xywh(x, y, width, height) else { return };
        let pattern = Pattern::new(
            layer.pixmap.as_ref(),
            SpreadMode::Pad,
            FilterQuality::Nearest,
            how.opacity,
            Transform::from_translate(x, y),
        );
        let paint = Paint {
            shader: pattern,
            blend_mode: how.blend_mode,
            anti_alias: false,
            force_hq_pipeline: how.blend_mode != BlendMode::SourceOver,
            ..Paint::default()
        };
        self.pixmap.fill_rect(rect, &paint, Transform::identity(), how.mask);
    }

    /// Keeps of this layer what `cover` (another layer of the same picture) covers.
    pub(super) fn keep_covered_by(&mut self, cover: &Self) {
        let size = IntSize::from_wh(self.pixmap.width(), self.pixmap.height());
        let Some(mask) = size.and_then(|size| Mask::from_vec(self.alpha_of(cover), size)) else {
            return;
        };
        self.pixmap.apply_mask(&mask);
    }

    /// The alpha of `cover` at every pixel of this layer, 0 beyond it.
    fn alpha_of(&self, cover: &Self) -> Vec<u8> {
        let (dx, dy) = (self.left - cover.left, self.top - cover.top);
        let at = |x: u32, y: u32| {
            let x = u32::try_from(i64::from(x) + i64::from(dx)).ok()?;
            let y = u32::try_from(i64::from(y) + i64::from(dy)).ok()?;
            cover.pixmap.pixel(x, y).map(PremultipliedColorU8::alpha)
        };
        let (width, height) = (self.pixmap.width(), self.pixmap.height());
        (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .map(|(x, y)| at(x, y).unwrap_or(0))
            .collect()
    }
}

/// How a layer is laid on the surface below it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compositing<'m> {
    /// 0..=1.
    pub(super) opacity: f32,
    pub(super) blend_mode: BlendMode,
    /// Of the size of the surface below.
    pub(super) mask: Option<&'m Mask>,
}
