//! Large pictures: packed in tiles beside a copy that is small enough to be looked at whole.
//!
//! A large PNG is read row by row, so that no more than a band of it is ever there unpacked. JPEG, PNG whose rows
//! are interlaced, and whatever is drawn here is there whole once, and then packed likewise.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use crate::base::{
    CancelToken, Cancelled, Limits, Pixels, PixelsError, TILE_SIDE, TileBuilder, open_file,
};
use crate::raster::shrink;
use crate::workbench::protocol::{Reduced, StagePixels, TiledPicture};

/// Pictures of fewer pixels are shrunk in no time when they are shown.
const LARGE: u64 = 1_000_000;
/// How often a large picture is halved ahead.
const REDUCED: u8 = 3;
/// From so many pixels on a picture is packed: 64 MB of samples.
const PACKED: u64 = 16 << 20;
/// Pixels that are looked at whole at most: 32 MB of samples.
const OVERVIEW: u64 = 8 << 20;

/// The samples that the window keeps of a picture, and smaller copies.
type KeptSamples = (StagePixels, Arc<[Reduced]>);

/// What is kept of a picture that is there.
pub(super) fn kept(pixels: Pixels) -> KeptSamples {
    let (width, height) = (pixels.width(), pixels.height());
    let area = u64::from(width) * u64::from(height);
    if area >= PACKED
        && let Ok(packed) = packed(&pixels)
    {
        return packed;
    }
    let mut levels = Levels::new(1, if area < LARGE { 0 } else { REDUCED });
    let (samples, _) = pixels.rgba().as_chunks::<4>();
    levels.push(samples, width);
    (pixels.into(), levels.finish().into())
}

fn packed(pixels: &Pixels) -> Result<KeptSamples, PixelsError> {
    let mut packing = Packing::new(pixels.width(), pixels.height())?;
    let (samples, _) = pixels.rgba().as_chunks::<4>();
    for band in samples.chunks(pixels.width() as usize * TILE_SIDE as usize) {
        packing.push(band)?;
    }
    packing.finish()
}

/// What is kept of the picture in a large file, of which no more than a band of rows is held at once; `None`
/// for any other file.
pub(super) fn tiled(path: &Path, cancel: &CancelToken) -> Result<Option<KeptSamples>, Cancelled> {
    let Some(mut reader) = large_png(path, PACKED) else { return Ok(None) };
    let (width, height) = (reader.info().width, reader.info().height);
    let Ok(mut packing) = Packing::new(width, height) else { return Ok(None) };
    let mut band = Vec::with_capacity(width as usize * TILE_SIDE as usize);
    for y in 1..=height {
        // Whoever reads it whole says what is wrong with it.
        let Ok(Some(row)) = reader.next_row() else { return Ok(None) };
        let channels = row.data().len() / width as usize;
        band.extend(row.data().chunks_exact(channels.max(1)).map(rgba));
        if y.is_multiple_of(TILE_SIDE) || y == height {
            cancel.check()?;
            if packing.push(&band).is_err() {
                return Ok(None);
            }
            band.clear();
        }
    }
    Ok(packing.finish().ok())
}

/// A large picture while its rows come.
struct Packing {
    width: u32,
    tiles: TileBuilder,
    levels: Levels,
}

impl Packing {
    fn new(width: u32, height: u32) -> Result<Self, PixelsError> {
        let area = u64::from(width) * u64::from(height);
        let overview = (0..8u8).find(|halvings| area >> (2 * halvings) <= OVERVIEW).unwrap_or(8);
        let levels = Levels::new(overview, REDUCED);
        Ok(Self { width, tiles: TileBuilder::new(width, height)?, levels })
    }

    fn push(&mut self, band: &[[u8; 4]]) -> Result<(), PixelsError> {
        self.tiles.push(band)?;
        self.levels.push(band, self.width);
        Ok(())
    }

    fn finish(self) -> Result<KeptSamples, PixelsError> {
        let exact = self.tiles.finish()?;
        let mut copies = self.levels.finish();
        if copies.is_empty() {
            return Err(PixelsError::Empty { width: exact.width(), height: exact.height() });
        }
        let overview = copies.remove(0);
        Ok((StagePixels::Tiled(TiledPicture { exact, overview }), copies.into()))
    }
}

/// Smaller copies of a picture while its rows come: each pixel the mean of a block.
struct Levels(Vec<Level>);

struct Level {
    halvings: u8,
    width: usize,
    samples: Vec<[u8; 4]>,
}

impl Levels {
    fn new(first: u8, count: u8) -> Self {
        let none = |halvings| Level { halvings, width: 0, samples: Vec::new() };
        Self((first..first + count).map(none).collect())
    }

    /// Takes the next rows, as many as whole blocks have, or all that are left.
    fn push(&mut self, band: &[[u8; 4]], width: u32) {
        for level in &mut self.0 {
            let block = 1usize << level.halvings;
            let (mut samples, columns) = shrink(band, width as usize, (block, block));
            level.samples.append(&mut samples);
            level.width = columns;
        }
    }

    fn finish(self) -> Vec<Reduced> {
        let copies = self.0.into_iter().map_while(|Level { halvings, width, samples }| {
            let rows = samples.len().checked_div(width)?;
            let (columns, rows) = (u32::try_from(width).ok()?, u32::try_from(rows).ok()?);
            let pixels = Pixels::from_rgba(columns, rows, samples.into_flattened()).ok()?;
            Some(Reduced { halvings, pixels })
        });
        copies.collect()
    }
}

/// The picture in a large file with no side longer than `side`, of which no more than some rows are held at
/// once; `None` for any other file.
pub(super) fn thumbnail(
    path: &Path,
    side: u32,
    cancel: &CancelToken,
) -> Result<Option<Pixels>, Cancelled> {
    let Some(mut reader) = large_png(path, LARGE) else { return Ok(None) };
    let (width, height) = (reader.info().width, reader.info().height);
    // Blocks of whole pixels: each pixel of the picture is in one of them, and none is weighed in part.
    let block = width.max(height).div_ceil(side) as usize;
    let (mut strip, mut small) = (Vec::new(), Vec::new());
    for y in 1..=height as usize {
        cancel.check()?;
        // Whoever reads it whole says what is wrong with it.
        let Ok(Some(row)) = reader.next_row() else { return Ok(None) };
        let channels = row.data().len() / width as usize;
        strip.extend(row.data().chunks_exact(channels.max(1)).map(rgba));
        if y.is_multiple_of(block) || y == height as usize {
            let (mut shrunk, _) = shrink(&strip, width as usize, (block, block));
            small.append(&mut shrunk);
            strip.clear();
        }
    }
    let columns = width.div_ceil(block as u32);
    let rows = height.div_ceil(block as u32);
    Ok(Pixels::from_rgba(columns, rows, small.as_flattened().to_vec()).ok())
}

/// A reader of the rows of a PNG of so many pixels and more; `None` for what is smaller, no PNG, or has its
/// rows in another order.
fn large_png(path: &Path, fewest: u64) -> Option<png::Reader<BufReader<File>>> {
    /// Far more than the rows of a picture with the longest side there may be.
    const BYTES: usize = 64 << 20;
    let file = BufReader::new(open_file(path).ok()?);
    let mut decoder = png::Decoder::new_with_limits(file, png::Limits { bytes: BYTES });
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let reader = decoder.read_info().ok()?;
    let info = reader.info();
    let (width, height) = (u64::from(info.width), u64::from(info.height));
    let fits = width.max(height) <= u64::from(Limits::IMAGE_SIDE)
        && width * height <= Limits::IMAGE_PIXELS;
    (fits && width * height >= fewest && !info.interlaced).then_some(reader)
}

/// A pixel of 1 to 4 channels, as PNG has them.
fn rgba(pixel: &[u8]) -> [u8; 4] {
    match *pixel {
        [grey] => [grey, grey, grey, u8::MAX],
        [grey, alpha] => [grey, grey, grey, alpha],
        [red, green, blue] => [red, green, blue, u8::MAX],
        [red, green, blue, alpha, ..] => [red, green, blue, alpha],
        [] => [0; 4],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_picture_file_has_the_thumbnail_that_it_would_have_whole() {
        let dir = tempfile::tempdir().unwrap();
        let (width, height) = (1300u32, 901u32);
        let rgba = (0..height).flat_map(|y| {
            (0..width).flat_map(move |x| [(x / 8) as u8, (y / 4) as u8, (x ^ y) as u8, 255])
        });
        let pixels = Pixels::from_rgba(width, height, rgba.collect()).unwrap();
        let path = dir.path().join("000.png");
        pixels.save_png(&path).unwrap();
        let never = CancelToken::new();
        let small = thumbnail(&path, 96, &never).unwrap().unwrap();
        assert_eq!((small.width(), small.height()), (93, 65));
        let (samples, _) = pixels.rgba().as_chunks::<4>();
        let (whole, _) = shrink(samples, width as usize, (14, 14));
        assert_eq!(small.rgba(), whole.as_flattened());
        let small = Pixels::filled(90, 90, [1, 2, 3, 255]).unwrap();
        small.save_png(&path).unwrap();
        assert_eq!(thumbnail(&path, 96, &never).unwrap(), None, "read whole");
    }

    #[test]
    fn a_large_picture_comes_with_smaller_ones_of_the_means_of_its_blocks() {
        let (width, height) = (1201u32, 903u32);
        let rgba = (0..height)
            .flat_map(|y| (0..width).flat_map(move |x| [x as u8, y as u8, (x ^ y) as u8, 255]))
            .collect();
        let pixels = Pixels::from_rgba(width, height, rgba).unwrap();
        let block = [(10, 20), (11, 20), (10, 21), (11, 21)];
        let block = block.map(|(x, y)| pixels.get(x, y).unwrap());
        let (_, reduced) = kept(pixels);
        let sizes: Vec<_> =
            reduced.iter().map(|it| (it.halvings, it.pixels.width(), it.pixels.height())).collect();
        assert_eq!(sizes, [(1, 601, 452), (2, 301, 226), (3, 151, 113)]);
        let mean: [u8; 4] = std::array::from_fn(|c| {
            let sum: u32 = block.iter().map(|pixel| u32::from(pixel[c])).sum();
            ((sum + 2) / 4) as u8
        });
        assert_eq!(reduced[0].pixels.get(5, 10), Some(mean));
        let small = Pixels::filled(900, 900, [1, 2, 3, 255]).unwrap();
        assert!(kept(small).1.is_empty());
    }

    #[test]
    fn a_picture_that_is_packed_is_the_same_from_its_file_and_from_its_samples() {
        let dir = tempfile::tempdir().unwrap();
        let (width, height) = (6_000u32, 2_803u32);
        let row: Vec<u8> =
            (0..width * 4).map(|at| if at % 4 == 3 { 255 } else { (at / 9) as u8 }).collect();
        let mut rgba = row.repeat(height as usize);
        let last = rgba.len() - 4;
        rgba[last..].copy_from_slice(&[9, 8, 7, 6]);
        let pixels = Pixels::from_rgba(width, height, rgba).unwrap();
        let path = dir.path().join("large.png");
        pixels.save_png(&path).unwrap();
        let (read, copies) = tiled(&path, &CancelToken::new()).unwrap().unwrap();
        let (packed, packed_copies) = kept(pixels.clone());
        for kept in [&read, &packed] {
            let StagePixels::Tiled(TiledPicture { exact, overview }) = kept else { panic!() };
            assert!(exact.unpack().unwrap() == pixels);
            assert_eq!(exact.get(width - 1, height - 1), Some([9, 8, 7, 6]));
            let (small, _) = shrink(pixels.rgba().as_chunks::<4>().0, width as usize, (2, 2));
            assert_eq!(overview.halvings, 1);
            assert!(overview.pixels.rgba() == small.as_flattened());
            assert!(kept.bytes() < 8_000_000 + overview.pixels.rgba().len());
        }
        let sizes = |copies: &[Reduced]| -> Vec<_> {
            copies.iter().map(|it| (it.halvings, it.pixels.width(), it.pixels.height())).collect()
        };
        assert_eq!(sizes(&copies), [(2, 1500, 701), (3, 750, 351)]);
        assert_eq!(sizes(&copies), sizes(&packed_copies));
        let torn = std::fs::read(&path).unwrap();
        std::fs::write(&path, &torn[..torn.len() / 2]).unwrap();
        assert!(tiled(&path, &CancelToken::new()).unwrap().is_none(), "read whole, it says why");
    }
}
