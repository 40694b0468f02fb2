//! Pictures on the graphics card: made when first drawn, dropped when long not drawn.
//!
//! A picture that the window keeps packed ([`StagePixels::Tiled`]) is one texture of its overview, and
//! magnified one texture for each tile that is seen: no texture is ever as large as the picture.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use egui::{
    ColorImage, Context, Painter, Rect, TextureHandle, TextureId, TextureOptions, pos2, vec2,
};

use super::texels::{TexelGrid, texels_of, tiles_of};
use crate::base::{Pixels, PixelsId, TILE_SIDE, TiledPixels};
use crate::gpu::Samples;
use crate::raster::shrink;
use crate::ui::theme::picture_tint;
use crate::workbench::protocol::StagePicture;
use crate::workbench::{PictureKey, StagePixels};

/// What textures may take at most, in bytes, unless one frame alone needs more.
pub(crate) const BUDGET: usize = 160 << 20;
/// Likewise the tiles of large pictures, beside it.
const TILE_BUDGET: usize = 20 << 20;
/// Tiles unpacked in a frame at most; where more are seen, the overview stands in until the next ones.
const TILES_A_FRAME: u32 = 16;
/// So far what covers a place is magnified without its pixels standing out.
const SMALL: f32 = 1.9;
const WHOLE: Rect = Rect { min: pos2(0.0, 0.0), max: pos2(1.0, 1.0) };

/// How large a texture is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Detail {
    /// Halved so many times.
    pub(super) halvings: u8,
    /// Pixels stay square when magnified.
    pub(super) sharp: bool,
}

struct TextureEntry {
    handle: TextureHandle,
    /// The samples it was made of: other samples under the same key replace it.
    samples: PixelsId,
    bytes: usize,
    drawn: u64,
}

/// Textures by what they show, with what they take.
struct TextureCache<K> {
    entries: BTreeMap<K, TextureEntry>,
    bytes: usize,
}

/// The textures there are.
#[derive(Default)]
pub(crate) struct Textures {
    pictures: TextureCache<(PictureKey, Detail)>,
    /// By column and row.
    tiles: TextureCache<(PictureKey, Detail, [u32; 2])>,
    frame: u64,
    /// Tiles that may still be unpacked in this frame.
    tiles_left: u32,
}

impl<K> Default for TextureCache<K> {
    fn default() -> Self {
        Self { entries: BTreeMap::new(), bytes: 0 }
    }
}

impl std::fmt::Debug for Textures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let count = self.pictures.entries.len() + self.tiles.entries.len();
        write!(f, "Textures({count} of {} bytes)", self.pictures.bytes + self.tiles.bytes)
    }
}

impl<K: Ord + Clone> TextureCache<K> {
    /// Lets go of what was not drawn for longest until the budget is kept.
    fn evict(&mut self, budget: usize, frame: u64) {
        // A search for the oldest each time: there are some tens of textures, and seldom one to let
        // go.
        while self.bytes > budget {
            let oldest = self
                .entries
                .iter()
                // What the present frame draws stays, even over the budget: it would be made anew
                // in every frame.
                .filter(|(_, entry)| entry.drawn < frame)
                .min_by_key(|(_, entry)| entry.drawn)
                .map(|(key, _)| key.clone());
            let Some(entry) = oldest.and_then(|key| self.entries.remove(&key)) else { return };
            self.bytes -= entry.bytes;
        }
    }

    /// The texture of these samples, which is drawn in this frame.
    fn drawn(&mut self, key: &K, samples: &PixelsId, frame: u64) -> Option<TextureId> {
        let entry = self.entries.get_mut(key).filter(|entry| entry.samples == *samples)?;
        entry.drawn = frame;
        Some(entry.handle.id())
    }

    fn insert(
        &mut self,
        ctx: &Context,
        (key, samples): (K, PixelsId),
        (image, sharp): (ColorImage, bool),
        frame: u64,
    ) -> TextureId {
        let bytes = image.pixels.len() * 4;
        let options = if sharp { TextureOptions::NEAREST } else { TextureOptions::LINEAR };
        let handle = ctx.load_texture("stage", image, options);
        let id = handle.id();
        self.bytes += bytes;
        if let Some(old) =
            self.entries.insert(key, TextureEntry { handle, samples, bytes, drawn: frame })
        {
            self.bytes -= old.bytes;
        }
        id
    }
}

impl Textures {
    /// Call once a frame, before drawing: makes room by dropping what was not drawn for longest.
    pub(crate) fn begin_frame(&mut self) {
        self.pictures.evict(BUDGET, self.frame);
        self.tiles.evict(TILE_BUDGET, self.frame);
        self.frame += 1;
        self.tiles_left = TILES_A_FRAME;
    }

    /// All of a picture in one texture, at `scale` screen pixels a picture pixel; of a packed one no more
    /// than its overview.
    pub(crate) fn picture(
        &mut self,
        ctx: &Context,
        key: &PictureKey,
        picture: &StagePicture,
        scale: f32,
    ) -> TextureId {
        let pixels = &picture.pixels;
        // Part of the key: two panes may show one picture at different sizes at once.
        let mut detail = detail(ctx, scale, pixels.width().max(pixels.height()));
        detail.halvings = detail.halvings.max(fewest_halvings(pixels));
        let (key, frame) = ((key.clone(), detail), self.frame);
        if let Some(texture) = self.pictures.drawn(&key, &pixels.id(), frame) {
            return texture;
        }
        // Made only here: a frame in which nothing changed costs a look-up.
        let (base, left) = nearest_reduced(picture, detail.halvings);
        let image = picture_image(base, left);
        self.pictures.insert(ctx, (key, pixels.id()), (image, detail.sharp), frame)
    }

    /// Draws a picture in its place, as exactly as its size on the screen can show it.
    pub(crate) fn picture_ui(
        &mut self,
        painter: &Painter,
        key: &PictureKey,
        picture: &StagePicture,
        place: Rect,
    ) {
        let ctx = painter.ctx();
        let scale =
            place.width() * ctx.pixels_per_point() / (picture.pixels.width() as f32).max(1.0);
        let halvings = halvings(scale);
        match &picture.pixels {
            StagePixels::Tiled(tiled) if halvings < tiled.overview.halvings => {
                let detail = Detail { halvings, sharp: is_sharp(scale) };
                self.tiles_ui(painter, (key, picture, &tiled.exact), place, detail);
            }
            StagePixels::Tiled(_) | StagePixels::Whole(_) => {
                let texture = self.picture(ctx, key, picture, scale);
                painter.image(texture, place, WHOLE, picture_tint(1.0));
            }
        }
    }

    /// Draws a small picture that covers its place: of one of another shape the upper or the middle part.
    pub(crate) fn cover(
        &mut self,
        painter: &Painter,
        key: &PictureKey,
        picture: &StagePicture,
        place: Rect,
    ) {
        let (width, height) = (picture.pixels.width() as f32, picture.pixels.height() as f32);
        let shape = (width / height.max(1.0)) / place.aspect_ratio().max(0.01);
        let uv = if shape <= 1.0 {
            Rect::from_min_size(pos2(0.0, 0.0), vec2(1.0, shape))
        } else {
            Rect::from_min_size(pos2((1.0 - 1.0 / shape) * 0.5, 0.0), vec2(1.0 / shape, 1.0))
        };
        let ctx = painter.ctx();
        let scale = place.width() * ctx.pixels_per_point() / (uv.width() * width).max(1.0);
        let texture = self.picture(ctx, key, picture, scale.min(SMALL));
        painter.image(texture, place, uv, picture_tint(1.0));
    }

    fn tiles_ui(
        &mut self,
        painter: &Painter,
        (key, picture, exact): (&PictureKey, &StagePicture, &TiledPixels),
        place: Rect,
        detail: Detail,
    ) {
        let texels = TexelGrid::of(exact, detail.halvings, place);
        let Some([columns, rows]) = texels.seen(painter.clip_rect()) else { return };
        let [columns, rows] = [columns, rows].map(|texels| tiles_of(&texels));
        for row in rows {
            for column in columns.clone() {
                let tile = texels.rect(column, row);
                if let Some((texture, uv)) =
                    self.tile(painter.ctx(), key, exact, detail, [column, row])
                {
                    painter.image(texture, tile, uv, picture_tint(1.0));
                    continue;
                }
                // At its own scale it is the texture that also shows all of it.
                let overview = self.picture(painter.ctx(), key, picture, 0.0);
                let share = |pos: egui::Pos2| ((pos - place.min) / place.size()).to_pos2();
                let uv = Rect::from_min_max(share(tile.min), share(tile.max));
                painter.image(overview, tile, uv, picture_tint(1.0));
                painter.ctx().request_repaint();
            }
        }
    }

    /// The texture of a tile with the part of it to be drawn; `None`: in another frame.
    fn tile(
        &mut self,
        ctx: &Context,
        key: &PictureKey,
        exact: &TiledPixels,
        detail: Detail,
        at: [u32; 2],
    ) -> Option<(TextureId, Rect)> {
        let unit = 1u32 << detail.halvings;
        let size = [exact.width(), exact.height()].map(|side| side.div_ceil(unit));
        // With the neighbouring texels all around, so that a linear filter finds at the edge of a tile
        // what it would find in the whole picture.
        let [across, down] = [0, 1].map(|axis| {
            let start = (at[axis] * TILE_SIDE).saturating_sub(1);
            start..((at[axis] + 1) * TILE_SIDE + 1).min(size[axis])
        });
        let share = |axis: usize, around: &Range<u32>| {
            let edges = [at[axis] * TILE_SIDE, ((at[axis] + 1) * TILE_SIDE).min(size[axis])];
            edges.map(|edge| (edge - around.start) as f32 / around.len() as f32)
        };
        let ([left, right], [top, bottom]) = (share(0, &across), share(1, &down));
        let uv = Rect::from_min_max(pos2(left, top), pos2(right, bottom));
        let (key, frame) = ((key.clone(), detail, at), self.frame);
        if let Some(texture) = self.tiles.drawn(&key, &exact.id(), frame) {
            return Some((texture, uv));
        }
        if self.tiles_left == 0 {
            return None;
        }
        self.tiles_left = self.tiles_left.saturating_sub(unit * unit);
        let (samples, width) = texels_of(exact, detail.halvings, [&across, &down]);
        let image = color_image(&samples, [width, down.len()]);
        let texture = self.tiles.insert(ctx, (key, exact.id()), (image, detail.sharp), frame);
        Some((texture, uv))
    }
}

/// Halved as often as the picture is drawn smaller, so that no pixel is skipped; sharp from
/// twice its size on.
pub(super) fn detail(ctx: &Context, scale: f32, longest_side: u32) -> Detail {
    let limit = ctx.input(|input| input.max_texture_side) as u32;
    let mut halvings = halvings(scale);
    // The graphics card refuses larger ones, and egui would stop the program.
    while longest_side >> halvings > limit && halvings < 16 {
        halvings += 1;
    }
    Detail { halvings, sharp: is_sharp(scale) }
}

/// How often a picture is halved that is drawn at this scale.
pub(super) fn halvings(scale: f32) -> u8 {
    // Rounded down: then it is drawn at more than half its size, which a linear filter bridges without
    // skipping pixels.
    (1.0 / scale.max(1.0 / 128.0)).log2().floor().clamp(0.0, 7.0) as u8
}

fn is_sharp(scale: f32) -> bool {
    scale >= 2.0
}

/// How often all of a picture is halved at least.
fn fewest_halvings(pixels: &StagePixels) -> u8 {
    match pixels {
        StagePixels::Whole(_) => 0,
        StagePixels::Tiled(tiled) => tiled.overview.halvings,
    }
}

/// The smallest picture there is that is no smaller than wanted, and how often it is still to be
/// halved. What a packed one has no copy for is its overview.
fn nearest_reduced(picture: &StagePicture, halvings: u8) -> (&Pixels, u8) {
    let reduced = picture.reduced.iter().rev().find(|it| it.halvings <= halvings);
    match (reduced, &picture.pixels) {
        (Some(reduced), _) => (&reduced.pixels, halvings - reduced.halvings),
        (None, StagePixels::Whole(pixels)) => (pixels, halvings),
        (None, StagePixels::Tiled(tiled)) => {
            (&tiled.overview.pixels, halvings.saturating_sub(tiled.overview.halvings))
        }
    }
}

/// A picture for a texture that is drawn at this scale, of pixels of the screen: averaged down to less than twice its
/// size there, as a linear filter skips pixels beyond that.
pub(crate) fn reduced(pixels: &Pixels, scale: f32) -> ColorImage {
    picture_image(pixels, halvings(scale))
}

/// The picture with every block of `2^halvings` pixels a side averaged into one.
fn picture_image(pixels: &Pixels, halvings: u8) -> ColorImage {
    let width = pixels.width() as usize;
    let (whole, _) = pixels.rgba().as_chunks::<4>();
    let block = 1usize << halvings;
    let (halved, width) = if halvings == 0 {
        (Cow::Borrowed(whole), width)
    } else {
        let (halved, columns) = shrink(whole, width, (block, block));
        (Cow::Owned(halved), columns)
    };
    color_image(&halved, [width, (pixels.height() as usize).div_ceil(block)])
}

fn color_image(samples: &[[u8; 4]], size: [usize; 2]) -> ColorImage {
    // Nearly all are opaque, and then the conversion of every pixel can be spared.
    if samples.iter().all(|[.., alpha]| *alpha == u8::MAX) {
        ColorImage::from_rgba_premultiplied(size, samples.as_flattened())
    } else {
        ColorImage::from_rgba_unmultiplied(size, samples.as_flattened())
    }
}

/// All of a picture with every block of `2^halvings` pixels a side averaged into one; of a packed one no
/// more than its overview.
pub(super) fn reduced_rgba(picture: &StagePicture, halvings: u8) -> Samples {
    let (base, left) = nearest_reduced(picture, halvings);
    let is_opaque = base.rgba().as_chunks::<4>().0.iter().all(|[.., alpha]| *alpha == u8::MAX);
    if left == 0 && is_opaque {
        return Samples::Opaque(base.clone());
    }
    made_of(&picture_image(base, left))
}

/// These texels of a packed picture, as they are laid over others.
pub(super) fn part_rgba(exact: &TiledPixels, halvings: u8, texels: [&Range<u32>; 2]) -> Samples {
    let rows = texels[1].len();
    let (samples, width) = texels_of(exact, halvings, texels);
    made_of(&color_image(&samples, [width, rows]))
}

fn made_of(image: &ColorImage) -> Samples {
    let rgba = image.pixels.iter().map(egui::Color32::to_array).collect();
    Samples::Made { rgba, width: image.width() as u32 }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::workbench::{Reduced, RunId, TiledPicture};

    #[test]
    fn halving_averages_blocks_and_keeps_the_odd_edge() {
        let rgba: Vec<u8> =
            (0..3u8).flat_map(|y| (0..3u8).flat_map(move |x| [x * 10, y * 10, 0, 255])).collect();
        let image = picture_image(&Pixels::from_rgba(3, 3, rgba).unwrap(), 1);
        assert_eq!(image.size, [2, 2]);
        assert_eq!(image.pixels[0].to_array(), [5, 5, 0, 255]);
        assert_eq!(image.pixels[3].to_array(), [20, 20, 0, 255]);
    }

    fn bare(pixels: Pixels) -> StagePicture {
        StagePicture {
            pixels: pixels.into(),
            reduced: Arc::default(),
            nodes: Arc::default(),
            diagnostics: Vec::new(),
            documents: None,
        }
    }

    #[test]
    fn what_was_halved_ahead_is_halved_no_further_than_is_left() {
        let [whole, half, quarter] =
            [16, 8, 4].map(|side| Pixels::filled(side, side, [1, 2, 3, 255]).unwrap());
        let reduced = [(1, half), (2, quarter)];
        let reduced = reduced.map(|(halvings, pixels)| Reduced { halvings, pixels });
        let picture = StagePicture { reduced: Arc::from(reduced), ..bare(whole) };
        let found = [0, 1, 2, 3].map(|halvings| {
            let (base, left) = nearest_reduced(&picture, halvings);
            (base.width(), left)
        });
        assert_eq!(found, [(16, 0), (8, 0), (4, 0), (4, 1)]);
    }

    #[test]
    fn other_samples_under_a_key_are_another_texture_wherever_they_lie() {
        let ctx = Context::default();
        let mut textures = Textures::default();
        let key = PictureKey::Step(RunId(1), 0);
        let picture = bare(Pixels::filled(16, 16, [1, 2, 3, 255]).unwrap());
        let first = textures.picture(&ctx, &key, &picture, 1.0);
        assert_eq!(
            textures.picture(&ctx, &key, &picture.clone(), 1.0),
            first,
            "a clone is the same"
        );
        // What is made next often gets the memory of what was let go.
        drop(picture);
        for shade in 0..32 {
            let picture = bare(Pixels::filled(16, 16, [shade, 0, 0, 255]).unwrap());
            let before = textures.pictures.entries.values().next().unwrap().handle.id();
            assert_ne!(textures.picture(&ctx, &key, &picture, 1.0), before);
        }
        assert_eq!(textures.pictures.bytes, 16 * 16 * 4);
    }

    #[test]
    fn textures_not_drawn_for_longest_go_first_and_those_of_this_frame_stay() {
        let ctx = Context::default();
        let mut textures = Textures::default();
        let picture = bare(Pixels::filled(16, 16, [1, 2, 3, 255]).unwrap());
        for run in 0..3 {
            textures.begin_frame();
            textures.picture(&ctx, &PictureKey::Step(RunId(run), 0), &picture, 1.0);
        }
        assert_eq!(textures.pictures.bytes, 3 * 16 * 16 * 4);
        textures.pictures.evict(16 * 16 * 4, textures.frame);
        assert_eq!(textures.pictures.entries.len(), 1);
        textures.pictures.evict(0, textures.frame);
        assert_eq!(textures.pictures.entries.len(), 1, "what this frame drew stays");
    }

    /// A picture of noise in tiles, three by two of them and neither side by a whole one.
    fn tiled(halvings: u8) -> (Pixels, StagePicture) {
        let (width, height) = (700u32, 501u32);
        let samples = (0..width * height).flat_map(|at| {
            let noise = at.wrapping_mul(0x9E37_79B1);
            [(noise >> 24) as u8, (noise >> 16) as u8, at as u8, 255]
        });
        let whole = Pixels::from_rgba(width, height, samples.collect()).unwrap();
        let block = 1usize << halvings;
        let (small, columns) =
            shrink(whole.rgba().as_chunks::<4>().0, width as usize, (block, block));
        let rows = small.len() / columns;
        let small =
            Pixels::from_rgba(columns as u32, rows as u32, small.as_flattened().to_vec()).unwrap();
        let overview = Reduced { halvings, pixels: small };
        let exact = TiledPixels::pack(&whole).unwrap();
        let pixels = StagePixels::Tiled(TiledPicture { exact, overview });
        (whole.clone(), StagePicture { pixels, ..bare(whole) })
    }

    #[test]
    fn texels_of_a_packed_picture_are_those_of_the_picture() {
        let (whole, picture) = tiled(2);
        let StagePixels::Tiled(TiledPicture { exact, overview }) = &picture.pixels else {
            panic!()
        };
        for halvings in [0u8, 1, 2] {
            let all = picture_image(&whole, halvings);
            let [columns, rows] = [all.width(), all.height()].map(|side| 0..side as u32);
            let (texels, width) = texels_of(exact, halvings, [&columns, &rows]);
            assert!(color_image(&texels, [width, rows.len()]) == all, "{halvings}");
            let (part, width) = texels_of(exact, halvings, [&(100..150), &(60..80)]);
            assert_eq!((width, part.len()), (50, 1000));
            let expected = all.pixels[60 * all.width() + 100].to_array();
            assert_eq!(part[0], expected);
        }
        assert!(picture_image(&overview.pixels, 0) == picture_image(&whole, 2));
    }

    #[test]
    fn what_is_seen_magnified_is_made_of_tiles_and_some_of_them_a_frame() {
        let ctx = Context::default();
        let (_, picture) = tiled(2);
        let key = PictureKey::Step(RunId(1), 0);
        let mut textures = Textures::default();
        let mut draw = |place: Rect, clip: Rect| {
            let mut counts = [0, 0];
            let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
                textures.begin_frame();
                textures.picture_ui(&ui.painter().with_clip_rect(clip), &key, &picture, place);
                counts = [textures.pictures.entries.len(), textures.tiles.entries.len()];
            });
            output.textures_delta.clear();
            counts
        };
        let size = egui::vec2(700.0, 501.0);
        let place = Rect::from_min_size(pos2(0.0, 0.0), size);
        let corner = Rect::from_min_size(pos2(10.0, 10.0), egui::vec2(100.0, 100.0));
        assert_eq!(draw(place, corner), [0, 1], "of a corner one tile, and nothing else");
        assert_eq!(draw(place, place), [0, 6]);
        // Halved once, a tile is four of the picture's.
        let half = Rect::from_min_size(pos2(0.0, 0.0), size * 0.5);
        assert_eq!(draw(half, half), [0, 6 + 2]);
        let quarter = Rect::from_min_size(pos2(0.0, 0.0), size * 0.25);
        assert_eq!(draw(quarter, quarter), [1, 6 + 2], "small it is its overview");
        textures.begin_frame();
        textures.tiles_left = 1;
        let other = PictureKey::Step(RunId(2), 0);
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            textures.picture_ui(&ui.painter().with_clip_rect(place), &other, &picture, place);
        });
        output.textures_delta.clear();
        assert_eq!(textures.tiles.entries.len(), 6 + 2 + 1, "the others come in later frames");
        assert!(textures.pictures.entries.keys().any(|(key, _)| *key == other), "until then this");
    }
}
