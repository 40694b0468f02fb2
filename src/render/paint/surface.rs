//! A part of the picture that is painted on.

use tiny_skia::{
    BlendMode, FilterQuality, IntRect, IntSize, Mask, Paint, Pattern, Pixmap, PremultipliedColorU8,
    Rect as SkiaRect, Shader, SpreadMode, Transform,
};

use crate::base::{Affine, Limits, Point, Rect, Rgba};
use crate::raster::{Blend, Edge, gaussian, shrink};

use crate::render::geometry::boxes::bounds_of;
use crate::render::geometry::far_path;
use crate::render::geometry::filled_path::FilledPath;

use super::color::premultiplied;

/// A pixmap that covers a box of device space.
#[derive(Debug)]
pub(crate) struct Surface {
    pub(crate) pixmap: Pixmap,
    /// Device pixel of the pixmap's left top pixel.
    left: i32,
    top: i32,
    /// Distinguishes surfaces within one picture, for caches of masks.
    pub(crate) id: u32,
}

impl Surface {
    /// The whole picture; `None` if there is no memory of that size.
    pub(crate) fn picture(width: u32, height: u32) -> Option<Self> {
        Some(Self { pixmap: Pixmap::new(width, height)?, left: 0, top: 0, id: 0 })
    }

    /// A transparent layer over the part of `device_box` that lies on `self`; `None` if none does.
    pub(crate) fn layer(&self, device_box: Rect, id: u32) -> Option<Self> {
        Self::over(device_box.intersection(self.device_box())?, id)
    }

    /// A transparent surface over the pixels that `device_box` touches; `None` if there is no
    /// memory for it.
    pub(crate) fn over(device_box: Rect, id: u32) -> Option<Self> {
        let (left, top) = (device_box.x.floor(), device_box.y.floor());
        let width = (device_box.right().ceil() - left).max(1.0);
        let height = (device_box.bottom().ceil() - top).max(1.0);
        let area = width * height;
        if area.is_nan() || area > Limits::IMAGE_PIXELS as f64 {
            return None;
        }
        let pixmap = Pixmap::new(width as u32, height as u32)?;
        Some(Self { pixmap, left: left as i32, top: top as i32, id })
    }

    /// The device pixels it covers.
    pub(crate) fn device_box(&self) -> Rect {
        Rect::new(
            f64::from(self.left),
            f64::from(self.top),
            f64::from(self.pixmap.width()),
            f64::from(self.pixmap.height()),
        )
    }

    /// From a space given by its map to the device, to the pixmap; `None` if the map collapses
    /// what it maps or is not finite in single precision.
    pub(crate) fn transform(&self, device_from_space: Affine) -> Option<Transform> {
        let shift = Affine::translate(-f64::from(self.left), -f64::from(self.top));
        let map = shift.after(device_from_space);
        let coefficients = [map.a, map.b, map.c, map.d, map.e, map.f].map(|v| v as f32);
        let [a, b, c, d, e, f] = coefficients;
        let transform = Transform::from_row(a, b, c, d, e, f);
        (transform.is_finite() && transform.invert().is_some()).then_some(transform)
    }

    /// An empty mask of the surface's size.
    pub(crate) fn empty_mask(&self) -> Option<Mask> {
        Mask::new(self.pixmap.width(), self.pixmap.height())
    }

    /// Fills an area with what is already in the surface's pixels.
    pub(crate) fn fill_with(
        &mut self,
        area: &FilledPath,
        paint: &Paint<'_>,
        (device_from_space, transform): (Affine, Transform),
        mask: Option<&Mask>,
    ) {
        let identity = Transform::identity();
        if mask.is_none()
            && let (Some(kept), Shader::SolidColor(color)) = (&area.coverage, &paint.shader)
            && kept.fill(&mut self.pixmap, (&area.path, area.rule), transform, *color)
        {
            return;
        }
        if let Some(rect) = area.rect.and_then(|rect| self.upright(rect, device_from_space)) {
            self.pixmap.fill_rect(rect, paint, identity, mask);
        } else if let Some(path) = far_path::near(&area.path, transform, self.size()) {
            self.pixmap.fill_path(&path, paint, area.rule, identity, mask);
        }
    }

    /// This surface as a shader in the pixels of `on`; each of its pixels is `factor` of those wide.
    pub(crate) fn pattern(
        &self,
        on: &Self,
        quality: FilterQuality,
        factor: f32,
        opacity: f32,
    ) -> tiny_skia::Shader<'_> {
        let x = self.left as f32 * factor - on.left as f32;
        let y = self.top as f32 * factor - on.top as f32;
        let map = Transform::from_row(factor, 0.0, 0.0, factor, x, y);
        Pattern::new(self.pixmap.as_ref(), SpreadMode::Pad, quality, opacity, map)
    }

    /// Adds an area, as for [`Self::fill`], to a mask of this surface's size.
    pub(crate) fn add_to_mask(
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

    /// A device box, counted from the surface's left top pixel.
    pub(crate) fn pixels_from_device(&self, device_box: Rect) -> Rect {
        let (x, y) = (device_box.x - f64::from(self.left), device_box.y - f64::from(self.top));
        Rect::new(x, y, device_box.width, device_box.height)
    }

    /// Pixels across and down.
    pub(crate) fn size(&self) -> (u32, u32) {
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
    pub(crate) fn composite(&mut self, layer: &Self, how: Compositing<'_>) {
        if how.blend != Blend::Normal {
            return self.blend(layer, how);
        }
        // Most layers: kept apart only for what was within them.
        if how.mask.is_none() && how.opacity == 1.0 {
            return self.lay(layer);
        }
        let (x, y) = ((layer.left - self.left) as f32, (layer.top - self.top) as f32);
        let (width, height) = (layer.pixmap.width() as f32, layer.pixmap.height() as f32);
        let Some(rect) = SkiaRect::from_xywh(x, y, width, height) else { return };
        let shader = layer.pattern(self, FilterQuality::Nearest, 1.0, how.opacity);
        let paint = Paint { shader, anti_alias: false, ..Paint::default() };
        self.pixmap.fill_rect(rect, &paint, Transform::identity(), how.mask);
    }

    /// Lays all of `layer` over this surface: the bytes that the rasteriser makes of it, sooner.
    fn lay(&mut self, layer: &Self) {
        let Some(shared) = layer.device_box().intersection(self.device_box()) else { return };
        let (columns, rows) = (shared.width as usize, shared.height as usize);
        let (here, there) = (self.index_of(shared), layer.index_of(shared));
        let (width, layer_width) = (self.pixmap.width() as usize, layer.pixmap.width() as usize);
        let (below, _) = self.pixmap.data_mut().as_chunks_mut::<4>();
        let (above, _) = layer.pixmap.data().as_chunks::<4>();
        let below = below[here..].chunks_mut(width).take(rows);
        for (below, above) in below.zip(above[there..].chunks(layer_width)) {
            for (below, above) in below[..columns].iter_mut().zip(&above[..columns]) {
                *below = over(*below, *above);
            }
        }
    }

    /// Which of its pixels lies at the left top of a box on it.
    fn index_of(&self, device_box: Rect) -> usize {
        let (x, y) = (device_box.x as i32 - self.left, device_box.y as i32 - self.top);
        y as usize * self.pixmap.width() as usize + x as usize
    }

    /// The part of this surface that lies in a box with whole corners; `None` if none does.
    pub(crate) fn cut_to(self, device_box: Rect) -> Option<Self> {
        let part = self.device_box().intersection(device_box)?;
        let (left, top) = (part.x as i32, part.y as i32);
        let (x, y) = (left - self.left, top - self.top);
        let cut = IntRect::from_xywh(x, y, part.width as u32, part.height as u32)?;
        let pixmap = self.pixmap.as_ref().clone_rect(cut)?;
        Some(Self { pixmap, left, top, id: self.id })
    }

    /// Mixes `layer` into this surface in a mode that the rasteriser has not, or not exactly.
    fn blend(&mut self, layer: &Self, how: Compositing<'_>) {
        self.with_pixels_of(layer, how.mask, |below, (_, above), coverage| {
            let mixed = how.blend.compose(bytes(*below), bytes(above), coverage * how.opacity);
            *below = color_of(mixed);
        });
    }

    /// Puts `layer` in the place of what is here, as far as `cover` covers it, by its opacity and
    /// within its mask.
    pub(crate) fn replace(&mut self, layer: &Self, cover: &Self, how: Compositing<'_>) {
        let covered = layer.values_of(cover, Cover::Alpha);
        self.with_pixels_of(layer, how.mask, |below, (index, above), coverage| {
            let share = coverage * how.opacity * f32::from(covered[index]) / 255.0;
            let (from, to) = (bytes(*below), bytes(above));
            *below = color_of(std::array::from_fn(|i| {
                let (from, to) = (f32::from(from[i]), f32::from(to[i]));
                (from + (to - from) * share).round() as u8
            }));
        });
    }

    /// Goes over the pixels that `layer` shares with this surface: the one here, the one there with
    /// its index, and the mask's value in 0..=1.
    fn with_pixels_of(
        &mut self,
        layer: &Self,
        mask: Option<&Mask>,
        mut act: impl FnMut(&mut PremultipliedColorU8, (usize, PremultipliedColorU8), f32),
    ) {
        let Some(shared) = layer.device_box().intersection(self.device_box()) else { return };
        let columns = shared.width as usize;
        let starts = (self.index_of(shared), layer.index_of(shared));
        let strides = (self.pixmap.width() as usize, layer.pixmap.width() as usize);
        for row in 0..shared.height as usize {
            let (here, there) = (starts.0 + row * strides.0, starts.1 + row * strides.1);
            let mask = mask.and_then(|mask| mask.data().get(here..here + columns));
            let above = &layer.pixmap.pixels()[there..there + columns];
            let below = &mut self.pixmap.pixels_mut()[here..here + columns];
            for (column, (below, above)) in below.iter_mut().zip(above).enumerate() {
                let coverage = mask.map_or(1.0, |mask| f32::from(mask[column]) / 255.0);
                act(below, (there + column, *above), coverage);
            }
        }
    }

    /// Sets every pixel to what `color` says of its middle in device space.
    pub(crate) fn paint_pixels(&mut self, color: impl Fn(Point) -> PremultipliedColorU8) {
        let (left, top) = (f64::from(self.left) + 0.5, f64::from(self.top) + 0.5);
        let width = self.pixmap.width() as usize;
        for (y, row) in self.pixmap.pixels_mut().chunks_mut(width).enumerate() {
            for (x, pixel) in row.iter_mut().enumerate() {
                *pixel = color(Point::new(left + x as f64, top + y as f64));
            }
        }
    }

    /// Sets every row of pixels; `paint` is told the middle of the row in device space.
    pub(crate) fn paint_rows(&mut self, mut paint: impl FnMut(f64, &mut [PremultipliedColorU8])) {
        let top = f64::from(self.top) + 0.5;
        let width = self.pixmap.width() as usize;
        for (y, row) in self.pixmap.pixels_mut().chunks_mut(width).enumerate() {
            paint(top + y as f64, row);
        }
    }

    /// Keeps of this layer what `cover` (another layer of the same picture) covers.
    pub(crate) fn keep_covered_by(&mut self, cover: &Self, by: Cover) {
        let size = IntSize::from_wh(self.pixmap.width(), self.pixmap.height());
        let values = self.values_of(cover, by);
        if let Some(mask) = size.and_then(|size| Mask::from_vec(values, size)) {
            self.pixmap.apply_mask(&mask);
        }
    }

    /// Makes the surface one colour, as opaque as it was times the colour's alpha.
    pub(crate) fn tint(&mut self, color: Rgba) {
        // There are only 256 results.
        let table: Vec<_> = (0..=255u8)
            .map(|alpha| {
                let alpha = f64::from(alpha) / 255.0;
                premultiplied(color.with_alpha(color.a * alpha))
            })
            .collect();
        for pixel in self.pixmap.pixels_mut() {
            *pixel = table[usize::from(pixel.alpha())];
        }
    }

    /// Blurs it; `sigma` is in its own pixels.
    pub(crate) fn blur(&mut self, sigma: f64, channels: Channels) {
        let width = self.pixmap.width() as usize;
        let (pixels, _) = self.pixmap.data_mut().as_chunks_mut::<4>();
        match channels {
            Channels::All => gaussian(pixels, width, sigma, Edge::Zero),
            // A quarter of the work: silhouettes have no colours.
            Channels::Alpha => {
                let mut alphas: Vec<[u8; 1]> = pixels.iter().map(|pixel| [pixel[3]]).collect();
                gaussian(&mut alphas, width, sigma, Edge::Zero);
                for (pixel, [alpha]) in pixels.iter_mut().zip(alphas) {
                    *pixel = [0, 0, 0, alpha];
                }
            }
        }
    }

    /// This surface, whose pixels are `factor` device pixels wide, in device pixels over `area`.
    pub(crate) fn enlarged(&self, area: Rect, factor: f64, id: u32) -> Option<Self> {
        let mut large = Self::over(area, id)?;
        let (width, height) = (large.pixmap.width() as f32, large.pixmap.height() as f32);
        let shader = self.pattern(&large, FilterQuality::Bilinear, factor as f32, 1.0);
        let paint =
            Paint { shader, blend_mode: BlendMode::Source, anti_alias: false, ..Paint::default() };
        let all = SkiaRect::from_xywh(0.0, 0.0, width, height)?;
        large.pixmap.fill_rect(all, &paint, Transform::identity(), None);
        Some(large)
    }

    /// The part of this surface around `area` as blocks of `factor` pixels, blurred by `sigma`
    /// blocks; beyond the surface its edge goes on.
    pub(crate) fn blurred_part(&self, area: Rect, factor: u32, sigma: f64) -> Option<Self> {
        let margin = (3.0 * sigma).ceil() + 1.0;
        let around = area.expand(margin * f64::from(factor)).intersection(self.device_box())?;
        // Blocks lie on a grid of the device, not of the surface: the same backdrop is blurred alike
        // whatever layer it is on.
        let [left, top] = [around.x, around.y].map(|at| (at / f64::from(factor)).floor() as i32);
        let factor = i64::from(factor);
        let x0 = i64::from(left) * factor - i64::from(self.left);
        let y0 = i64::from(top) * factor - i64::from(self.top);
        let columns = (around.right().ceil() as i64 - i64::from(self.left) - x0).max(1);
        let rows = (around.bottom().ceil() as i64 - i64::from(self.top) - y0).max(1);
        let (width, height) = (i64::from(self.pixmap.width()), i64::from(self.pixmap.height()));
        let source = self.pixmap.pixels();
        let mut part: Vec<[u8; 4]> = Vec::with_capacity((columns * rows) as usize);
        for y in y0..y0 + rows {
            let row = y.clamp(0, height - 1) * width;
            part.extend((x0..x0 + columns).map(|x| {
                let at = row + x.clamp(0, width - 1);
                source.get(at as usize).copied().map_or([0; 4], bytes)
            }));
        }
        let (mut blocks, per_row) =
            shrink(&part, columns as usize, (factor as usize, factor as usize));
        gaussian(&mut blocks, per_row, sigma, Edge::Extend);
        let size = IntSize::from_wh(per_row as u32, (blocks.len() / per_row.max(1)) as u32)?;
        let pixmap = Pixmap::from_vec(blocks.into_flattened(), size)?;
        Some(Self { pixmap, left, top, id: 0 })
    }

    /// How much `cover` covers at every pixel of this layer; it is transparent beyond its edge.
    fn values_of(&self, cover: &Self, by: Cover) -> Vec<u8> {
        let (dx, dy) = (self.left - cover.left, self.top - cover.top);
        let (width, height) = self.size();
        let mut values = Vec::with_capacity(width as usize * height as usize);
        for y in 0..height {
            let there = u32::try_from(i64::from(y) + i64::from(dy)).ok();
            values.extend((0..width).map(|x| {
                let x = u32::try_from(i64::from(x) + i64::from(dx)).ok();
                let pixel = x.zip(there).and_then(|(x, y)| cover.pixmap.pixel(x, y));
                by.of(pixel.unwrap_or(PremultipliedColorU8::TRANSPARENT))
            }));
        }
        values
    }
}

/// What of a layer covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cover {
    /// Its alpha.
    Alpha,
    /// What is left free by its alpha.
    NotAlpha,
    /// Its luminance, as in SVG masks: of the colours as they are, times their alpha.
    Luminance,
}

impl Cover {
    fn of(self, pixel: PremultipliedColorU8) -> u8 {
        match self {
            Self::Alpha => pixel.alpha(),
            Self::NotAlpha => 255 - pixel.alpha(),
            Self::Luminance => {
                let [r, g, b] = [pixel.red(), pixel.green(), pixel.blue()].map(f64::from);
                (0.2125 * r + 0.7154 * g + 0.0721 * b).round() as u8
            }
        }
    }
}

/// Which channels of a layer count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channels {
    /// Colours and alpha.
    All,
    /// Alpha only; the colour becomes black.
    Alpha,
}

/// How a layer is laid on the surface below it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compositing<'m> {
    /// 0..=1.
    pub(crate) opacity: f32,
    pub(crate) blend: Blend,
    /// Of the size of the surface below.
    pub(crate) mask: Option<&'m Mask>,
}

impl Compositing<'_> {
    /// Source over, all of it.
    pub(crate) const PLAIN: Self = Self { opacity: 1.0, blend: Blend::Normal, mask: None };
}

/// Source over of premultiplied bytes, rounded to the nearest.
fn over(below: [u8; 4], above: [u8; 4]) -> [u8; 4] {
    let free = u16::from(255 - above[3]);
    std::array::from_fn(|channel| {
        let rest = u16::from(below[channel]) * free + 128;
        above[channel].saturating_add(((rest + (rest >> 8)) >> 8) as u8)
    })
}

fn bytes(pixel: PremultipliedColorU8) -> [u8; 4] {
    [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()]
}

/// The pixel of premultiplied bytes.
fn color_of([r, g, b, a]: [u8; 4]) -> PremultipliedColorU8 {
    PremultipliedColorU8::from_rgba(r, g, b, a).unwrap_or(PremultipliedColorU8::TRANSPARENT)
}
