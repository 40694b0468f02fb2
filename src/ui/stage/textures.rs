//! Pictures on the graphics card: made when first drawn, dropped when long not drawn.

use std::borrow::Cow;
use std::collections::BTreeMap;

use egui::{ColorImage, Context, TextureHandle, TextureId, TextureOptions};

use crate::base::{Pixels, PixelsId};
use crate::gpu::Samples;
use crate::raster::shrink;
use crate::workbench::PictureKey;
use crate::workbench::protocol::StagePicture;

/// What textures may take at most, in bytes, unless one frame alone needs more.
pub(crate) const BUDGET: usize = 160 << 20;

/// How large a texture is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Detail {
    /// Halved so many times.
    pub(super) halvings: u8,
    /// Pixels stay square when magnified.
    pub(super) sharp: bool,
}

struct Entry {
    handle: TextureHandle,
    /// The samples it was made of: other samples under the same key replace it.
    samples: PixelsId,
    bytes: usize,
    drawn: u64,
}

/// The textures there are.
#[derive(Default)]
pub(crate) struct Textures {
    entries: BTreeMap<(PictureKey, Detail), Entry>,
    frame: u64,
    bytes: usize,
}

impl std::fmt::Debug for Textures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Textures({} of {} bytes)", self.entries.len(), self.bytes)
    }
}

impl Textures {
    /// Call once a frame, before drawing: makes room by dropping what was not drawn for longest.
    pub(crate) fn begin_frame(&mut self) {
        self.evict(BUDGET);
        self.frame += 1;
    }

    fn evict(&mut self, budget: usize) {
        // A search for the oldest each time: there are some tens of textures, and seldom one to let
        // go.
        while self.bytes > budget {
            let oldest = self
                .entries
                .iter()
                // What the present frame draws stays, even over the budget: it would be made anew
                // in every frame.
                .filter(|(_, entry)| entry.drawn < self.frame)
                .min_by_key(|(_, entry)| entry.drawn)
                .map(|(key, _)| key.clone());
            let Some(entry) = oldest.and_then(|key| self.entries.remove(&key)) else { return };
            self.bytes -= entry.bytes;
        }
    }

    /// A picture, at `scale` screen pixels a picture pixel.
    pub(crate) fn picture(
        &mut self,
        ctx: &Context,
        key: &PictureKey,
        picture: &StagePicture,
        scale: f32,
    ) -> TextureId {
        let pixels = &picture.pixels;
        // Part of the key: two panes may show one picture at different sizes at once.
        let detail = detail(ctx, scale, pixels.width().max(pixels.height()));
        self.get(ctx, (key.clone(), detail), pixels.id(), || {
            let (base, left) = nearest_reduced(picture, detail.halvings);
            picture_image(base, left)
        })
    }

    fn get(
        &mut self,
        ctx: &Context,
        key: (PictureKey, Detail),
        samples: PixelsId,
        make: impl FnOnce() -> ColorImage,
    ) -> TextureId {
        let frame = self.frame;
        if let Some(entry) = self.entries.get_mut(&key).filter(|entry| entry.samples == samples) {
            entry.drawn = frame;
            return entry.handle.id();
        }
        // Made only here: a frame in which nothing changed costs a look-up.
        let image = make();
        let bytes = image.pixels.len() * 4;
        let options = if key.1.sharp { TextureOptions::NEAREST } else { TextureOptions::LINEAR };
        let handle = ctx.load_texture("stage", image, options);
        let id = handle.id();
        self.bytes += bytes;
        if let Some(old) = self.entries.insert(key, Entry { handle, samples, bytes, drawn: frame })
        {
            self.bytes -= old.bytes;
        }
        id
    }
}

/// Halved as often as the picture is drawn smaller, so that no pixel is skipped; sharp from
/// twice its size on.
pub(super) fn detail(ctx: &Context, scale: f32, longest_side: u32) -> Detail {
    let limit = ctx.input(|input| input.max_texture_side) as u32;
    // Rounded down: then it is drawn at more than half its size, which a linear filter bridges without
    // skipping pixels.
    let mut halvings = (1.0 / scale.max(1.0 / 128.0)).log2().floor().clamp(0.0, 7.0) as u8;
    // The graphics card refuses larger ones, and egui would stop the program.
    while longest_side >> halvings > limit && halvings < 16 {
        halvings += 1;
    }
    Detail { halvings, sharp: scale >= 2.0 }
}

/// The smallest picture there is that is no smaller than wanted, and how often it is still to be
/// halved.
fn nearest_reduced(picture: &StagePicture, halvings: u8) -> (&Pixels, u8) {
    let there = halvings.min(picture.reduced.len() as u8);
    match usize::from(there).checked_sub(1).and_then(|at| picture.reduced.get(at)) {
        Some(base) => (base, halvings - there),
        None => (&picture.pixels, halvings),
    }
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
    let size = [width, (pixels.height() as usize).div_ceil(block)];
    // Nearly all are opaque, and then the conversion of every pixel can be spared.
    if halved.iter().all(|[.., alpha]| *alpha == u8::MAX) {
        ColorImage::from_rgba_premultiplied(size, halved.as_flattened())
    } else {
        ColorImage::from_rgba_unmultiplied(size, halved.as_flattened())
    }
}

/// The samples of a picture with every block of `2^halvings` pixels a side averaged into one.
pub(super) fn reduced_rgba(picture: &StagePicture, halvings: u8) -> Samples {
    let (base, left) = nearest_reduced(picture, halvings);
    let is_opaque = base.rgba().as_chunks::<4>().0.iter().all(|[.., alpha]| *alpha == u8::MAX);
    if left == 0 && is_opaque {
        return Samples::Opaque(base.clone());
    }
    let image = picture_image(base, left);
    let rgba = image.pixels.iter().map(egui::Color32::to_array).collect();
    Samples::Made { rgba, width: image.width() as u32 }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::workbench::RunId;

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
            pixels,
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
        let picture = StagePicture { reduced: Arc::from([half, quarter]), ..bare(whole) };
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
            let before = textures.entries.values().next().unwrap().handle.id();
            assert_ne!(textures.picture(&ctx, &key, &picture, 1.0), before);
        }
        assert_eq!(textures.bytes, 16 * 16 * 4);
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
        assert_eq!(textures.bytes, 3 * 16 * 16 * 4);
        textures.evict(16 * 16 * 4);
        assert_eq!(textures.entries.len(), 1);
        textures.evict(0);
        assert_eq!(textures.entries.len(), 1, "what this frame drew stays");
    }
}
