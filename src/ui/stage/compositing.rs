//! Pictures over one another and maps in colours: by the graphics card, or without one by the processor.

use std::ops::Range;
use std::sync::{Arc, Weak};

use egui::{ColorImage, Context, Painter, Rect, TextureHandle, TextureOptions, Vec2, pos2, vec2};

use super::texels::TexelGrid;
use super::textures::{Detail, detail, halvings, part_rgba, reduced_rgba};
use crate::base::{Palette, PixelsId, TiledPixels};
use crate::gpu::{
    DifferenceSamples, HeatDraw, OverlayDraw, Samples, Target, heat_shape, overlay_shape,
};
use crate::metric::ScalarMap;
use crate::raster::overlay::{HeatColors, Overlay, Viewport, heat, overlay};
use crate::ui::theme::picture_tint;
use crate::workbench::protocol::StagePicture;
use crate::workbench::views::HeatScale;
use crate::workbench::{MapKey, StagePixels};

/// What samples may take at most beside those of pictures that are kept anyway, in bytes, unless a frame
/// alone needs more.
const BUDGET: usize = 96 << 20;
const WHOLE: Rect = Rect { min: pos2(0.0, 0.0), max: pos2(1.0, 1.0) };

/// What is made of pictures and maps to be laid over one another, kept from frame to frame.
#[derive(Default)]
pub(in crate::ui) struct Compositing {
    target: Option<Target>,
    pictures: Vec<CachedPicture<DrawnPicture, Samples>>,
    maps: Vec<CachedPicture<DrawnMap, DifferenceSamples>>,
    /// Without a graphics card: what was computed last, by the number of the draw.
    computed: Vec<Computed>,
    frame: u64,
}

struct CachedPicture<K, T> {
    key: K,
    samples: Arc<T>,
    bytes: usize,
    drawn: u64,
    /// Let go of when it is not drawn any more: it keeps a picture in memory, or is a part of one that is
    /// another as soon as the picture is moved.
    is_passing: bool,
}

/// Which picture is drawn, halved how often, and of a packed one the columns and rows that are unpacked.
#[derive(PartialEq)]
struct DrawnPicture {
    samples: PixelsId,
    halvings: u8,
    part: Option<[Range<u32>; 2]>,
}

/// Which map is drawn, and halved how often: of another map under the same key other samples are made.
struct DrawnMap {
    key: MapKey,
    /// While a weak one is held, nothing else gets its address.
    values: Weak<[f32]>,
    halvings: u8,
}

impl PartialEq for DrawnMap {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.values.ptr_eq(&other.values)
            && self.halvings == other.halvings
    }
}

struct Computed {
    number: u64,
    /// In which frame it was drawn last.
    drawn: u64,
    /// What it was computed of.
    of: Work,
    texture: TextureHandle,
}

/// What there is to compute.
#[derive(Clone)]
enum Work {
    Overlay([Arc<Samples>; 2], Viewport, Overlay, [u8; 3]),
    Heat(Arc<DifferenceSamples>, Viewport, Shades),
}

/// How a map is coloured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::ui) struct Shades {
    /// Below this nothing is drawn.
    pub(in crate::ui) threshold: f32,
    /// 0 clear ..= 1.
    pub(in crate::ui) opacity: f32,
    /// In which colours.
    pub(in crate::ui) palette: Palette,
}

/// A place on the screen that is drawn, and where a picture lies that reaches over it.
#[derive(Clone, Copy, Debug)]
pub(in crate::ui) struct Room {
    /// Which draw of a frame it is.
    pub(in crate::ui) number: u64,
    /// What is drawn, in points.
    pub(in crate::ui) visible: Rect,
    /// Where the picture lies, in points.
    pub(in crate::ui) picture: Rect,
}

impl std::fmt::Debug for Compositing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let by = if self.target.is_some() { "graphics card" } else { "processor" };
        write!(f, "Compositing({by}, {} pictures, {} maps)", self.pictures.len(), self.maps.len())
    }
}

impl PartialEq for Work {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Overlay(one, view, how, ground),
                Self::Overlay(other, view_2, how_2, ground_2),
            ) => {
                Arc::ptr_eq(&one[0], &other[0])
                    && Arc::ptr_eq(&one[1], &other[1])
                    && (view, how, ground) == (view_2, how_2, ground_2)
            }
            (Self::Heat(one, view, shades), Self::Heat(other, view_2, shades_2)) => {
                Arc::ptr_eq(one, other) && (view, shades) == (view_2, shades_2)
            }
            (Self::Overlay(..), Self::Heat(..)) | (Self::Heat(..), Self::Overlay(..)) => false,
        }
    }
}

impl Compositing {
    /// By the graphics card from now on; `None`: by the processor.
    pub(in crate::ui) fn set_target(&mut self, target: Option<Target>) {
        self.target = target;
        self.computed.clear();
    }

    /// Call once a frame, before drawing: lets go of what was not drawn for longest.
    pub(in crate::ui) fn begin_frame(&mut self) {
        evict(&mut self.pictures, self.frame);
        evict(&mut self.maps, self.frame);
        // Each keeps what it was computed of: only while it is drawn.
        self.computed.retain(|computed| computed.drawn == self.frame);
        self.frame += 1;
    }

    /// Draws two pictures over one another on a ground; the second one `second` points large.
    pub(in crate::ui) fn overlay_ui(
        &mut self,
        painter: &Painter,
        room: Room,
        (pictures, second): ([&StagePicture; 2], Vec2),
        how: Overlay,
        ground: egui::Color32,
    ) {
        let ctx = painter.ctx().clone();
        let places = [room.picture, Rect::from_min_size(room.picture.min, second)];
        let details = [0, 1].map(|at| {
            let pixels = &pictures[at].pixels;
            let scale = places[at].width() * ctx.pixels_per_point() / pixels.width() as f32;
            (detail(&ctx, scale, pixels.width().max(pixels.height())), halvings(scale))
        });
        // Neither may be blurred where the pixels of the other are told apart.
        let sharp = details.iter().any(|(detail, _)| detail.sharp);
        let seen = room.visible.intersect(ctx.content_rect());
        let [(first, at), (other, second_at)] = [0, 1].map(|which| {
            let (picture, (detail, halvings)) = (pictures[which], details[which]);
            match &picture.pixels {
                StagePixels::Tiled(tiled) if halvings < tiled.overview.halvings => {
                    self.part((&tiled.exact, halvings), places[which], seen)
                }
                _ => (self.picture(picture, detail.halvings), places[which]),
            }
        });
        let samples = [first, other];
        let Some((viewport, rect)) = viewport(&ctx, room.visible, [at, second_at], sharp) else {
            return;
        };
        let ground = [ground.r(), ground.g(), ground.b()];
        if let Some(target) = self.target {
            let number = room.number;
            let draw = OverlayDraw { number, pictures: samples, viewport, how, ground };
            painter.add(overlay_shape(target, rect, draw));
        } else {
            self.computed_ui(
                painter,
                room.number,
                rect,
                Work::Overlay(samples, viewport, how, ground),
            );
        }
    }

    /// Draws a map in colours.
    pub(in crate::ui) fn heat_ui(
        &mut self,
        painter: &Painter,
        room: Room,
        (key, map, scale): (&MapKey, &ScalarMap, HeatScale),
        shades: Shades,
    ) {
        let ctx = painter.ctx().clone();
        let per_pixel = room.picture.width() * ctx.pixels_per_point() / (map.width as f32).max(1.0);
        let Detail { halvings, sharp } = detail(&ctx, per_pixel, map.width.max(map.height));
        let samples = self.map(key, map, scale, halvings);
        let Some((viewport, rect)) = viewport(&ctx, room.visible, [room.picture; 2], sharp) else {
            return;
        };
        if let Some(target) = self.target {
            let draw = HeatDraw {
                number: room.number,
                map: samples,
                viewport,
                ramp: shades.palette.ramp(),
                neutral: shades.palette.neutral(),
                threshold: shades.threshold,
                opacity: shades.opacity,
            };
            painter.add(heat_shape(target, rect, draw));
        } else {
            self.computed_ui(painter, room.number, rect, Work::Heat(samples, viewport, shades));
        }
    }

    /// Draws what the processor computes, as long as nothing of it changes the same.
    fn computed_ui(&mut self, painter: &Painter, number: u64, rect: Rect, work: Work) {
        let frame = self.frame;
        let known = self.computed.iter_mut().find(|it| it.number == number);
        let texture = if let Some(known) = known {
            if known.of != work {
                known.texture.set(compute(&work), TextureOptions::NEAREST);
                known.of = work;
            }
            known.drawn = frame;
            known.texture.id()
        } else {
            let image = compute(&work);
            let texture = painter.ctx().load_texture("overlaid", image, TextureOptions::NEAREST);
            let id = texture.id();
            self.computed.push(Computed { number, drawn: frame, of: work, texture });
            id
        };
        painter.image(texture, rect, WHOLE, picture_tint(1.0));
    }

    fn picture(&mut self, picture: &StagePicture, halvings: u8) -> Arc<Samples> {
        let key = DrawnPicture { samples: picture.pixels.id(), halvings, part: None };
        self.samples(key, || reduced_rgba(picture, halvings))
    }

    /// What is seen of a packed picture that lies there, by whole tiles, and where that lies.
    fn part(
        &mut self,
        (exact, halvings): (&TiledPixels, u8),
        place: Rect,
        seen: Rect,
    ) -> (Arc<Samples>, Rect) {
        let texels = TexelGrid::of(exact, halvings, place);
        // Beside what is seen a corner stands for it: something has to lie there.
        let part = texels.widened(texels.seen(seen).unwrap_or([0..1, 0..1]));
        let area = [&part[0], &part[1]];
        let key = DrawnPicture { samples: exact.id(), halvings, part: Some(part.clone()) };
        (self.samples(key, || part_rgba(exact, halvings, area)), texels.area(area))
    }

    fn samples(&mut self, key: DrawnPicture, make: impl FnOnce() -> Samples) -> Arc<Samples> {
        let frame = self.frame;
        if let Some(made) = self.pictures.iter_mut().find(|made| made.key == key) {
            made.drawn = frame;
            return Arc::clone(&made.samples);
        }
        let samples = make();
        let bytes = match &samples {
            Samples::Opaque(_) => 0,
            Samples::Made { rgba, .. } => rgba.len() * 4,
        };
        let is_passing = bytes == 0 || key.part.is_some();
        let samples = Arc::new(samples);
        let shared = Arc::clone(&samples);
        self.pictures.push(CachedPicture { key, samples: shared, bytes, drawn: frame, is_passing });
        samples
    }

    fn map(
        &mut self,
        key: &MapKey,
        map: &ScalarMap,
        scale: HeatScale,
        halvings: u8,
    ) -> Arc<DifferenceSamples> {
        let frame = self.frame;
        let key = DrawnMap { key: key.clone(), values: Arc::downgrade(&map.values), halvings };
        if let Some(made) = self.maps.iter_mut().find(|made| made.key == key) {
            made.drawn = frame;
            return Arc::clone(&made.samples);
        }
        let samples = Arc::new(differences(map, scale, halvings));
        let bytes = samples.values.len() * size_of::<f32>();
        let shared = Arc::clone(&samples);
        self.maps.push(CachedPicture {
            key,
            samples: shared,
            bytes,
            drawn: frame,
            is_passing: false,
        });
        samples
    }
}

fn evict<K, T>(made: &mut Vec<CachedPicture<K, T>>, frame: u64) {
    let mut bytes: usize = made.iter().map(|made| made.bytes).sum();
    made.sort_by_key(|made| std::cmp::Reverse(made.drawn));
    // What the last frame drew stays, even over the budget: it would be made anew in every frame.
    while bytes > BUDGET
        && let Some(last) = made.pop_if(|last| last.drawn < frame)
    {
        bytes -= last.bytes;
    }
    made.retain(|made| !made.is_passing || made.drawn + 2 > frame);
}

/// What is seen of two pictures in whole pixels of the screen, and the same in points; `None` where nothing
/// is.
fn viewport(
    ctx: &Context,
    visible: Rect,
    [first, second]: [Rect; 2],
    sharp: bool,
) -> Option<(Viewport, Rect)> {
    let scale = ctx.pixels_per_point();
    let screen = ctx.content_rect();
    let seen = visible.intersect(screen);
    let origin = |place: Rect| [place.left() * scale, place.top() * scale];
    let extent = |place: Rect| [place.width().max(1e-3) * scale, place.height().max(1e-3) * scale];
    let [left, top, right, bottom] = [seen.left(), seen.top(), seen.right(), seen.bottom()]
        .map(|at| (at.max(0.0) * scale).round());
    if right <= left || bottom <= top {
        return None;
    }
    let viewport = Viewport {
        left: left as u32,
        top: top as u32,
        width: (right - left) as u32,
        height: (bottom - top) as u32,
        origin: origin(first),
        size: extent(first),
        second_origin: origin(second),
        second_size: extent(second),
        sharp,
    };
    let size = vec2(right - left, bottom - top) / scale;
    Some((viewport, Rect::from_min_size(pos2(left / scale, top / scale), size)))
}

fn compute(work: &Work) -> ColorImage {
    let (pixels, viewport) = match work {
        Work::Overlay(samples, viewport, how, ground) => {
            let planes = [samples[0].plane(), samples[1].plane()];
            (overlay(planes, viewport, *how, *ground), viewport)
        }
        Work::Heat(map, viewport, shades) => {
            let Shades { threshold, opacity, palette } = *shades;
            let (ramp, neutral) = (palette.ramp(), palette.neutral());
            let colors = HeatColors { ramp: &ramp, neutral, threshold, opacity };
            (heat(map.plane(), viewport, colors), viewport)
        }
    };
    let size = [viewport.width as usize, viewport.height as usize];
    if pixels.is_empty() {
        return ColorImage::filled(size, egui::Color32::TRANSPARENT);
    }
    ColorImage::from_rgba_premultiplied(size, pixels.as_flattened())
}

/// Places on a ramp, with every block of `2^halvings` values a side averaged into one.
fn differences(map: &ScalarMap, scale: HeatScale, halvings: u8) -> DifferenceSamples {
    let block = 1usize << halvings;
    let width = map.width as usize;
    let columns = width.div_ceil(block);
    let rows = (map.height as usize).div_ceil(block);
    let mut values = Vec::with_capacity(columns * rows);
    let mut sums = vec![(0f32, 0f32); columns];
    for band in map.values.chunks((width * block).max(1)) {
        sums.fill((0.0, 0.0));
        for row in band.chunks_exact(width.max(1)) {
            for (sum, run) in sums.iter_mut().zip(row.chunks(block)) {
                sum.0 += run.iter().sum::<f32>();
                sum.1 += run.len() as f32;
            }
        }
        values.extend(sums.iter().map(|(sum, count)| scale.place(sum / count.max(1.0))));
    }
    // What a map lacks is no difference.
    values.resize(columns * rows, scale.place(f32::NAN));
    DifferenceSamples { values, width: columns as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::RunId;

    #[test]
    fn another_map_under_the_same_key_is_drawn_anew_and_the_same_is_kept() {
        let mut compositing = Compositing::default();
        let key = MapKey::of(RunId(1), 3, "ssim/uniform7");
        let map = |value: f32| ScalarMap { width: 2, height: 1, values: Arc::from([value, 1.0]) };
        let (before, after) = (map(1.0), map(0.5));
        let first = compositing.map(&key, &before, HeatScale::default(), 0);
        let again = compositing.map(&key, &before.clone(), HeatScale::default(), 0);
        assert!(Arc::ptr_eq(&first, &again));
        let other = compositing.map(&key, &after, HeatScale::default(), 0);
        assert_eq!((&first.values[..], &other.values[..]), (&[0.0, 0.0][..], &[0.5, 0.0][..]));
    }

    #[test]
    fn a_map_that_lacks_values_does_not_differ_there() {
        let map = ScalarMap { width: 3, height: 2, values: Arc::from([0.0, 0.5, 1.0]) };
        let whole = differences(&map, HeatScale::default(), 0);
        assert_eq!(whole.values, [1.0, 0.5, 0.0, 0.0, 0.0, 0.0]);
        let halved = differences(&map, HeatScale::default(), 1);
        assert_eq!((halved.values, halved.width), (vec![0.75, 0.0], 2));
        let signed = HeatScale { same: 0.0, different: 1.0, is_signed: true };
        assert_eq!(differences(&map, signed, 0).values, [0.5, 0.75, 1.0, 0.5, 0.5, 0.5]);
    }
}
