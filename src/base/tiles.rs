//! A picture that is too large to be kept as it is: packed in square tiles, unpacked where it is looked at.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use parking_lot::Mutex;
use rayon::prelude::{IntoParallelIterator as _, ParallelIterator as _};

use super::pixels::{Pixels, PixelsError, PixelsId};

/// Pixels of a tile along each side; those at the right and lower edge may be smaller.
pub const TILE_SIDE: u32 = 256;
/// Tiles that stay unpacked, those looked at last: 8 MB.
const UNPACKED: usize = 32;

/// A picture as [`Pixels`] are, losslessly packed in tiles: 8-bit sRGB, RGBA, not premultiplied.
///
/// Cheap to clone: the tiles are shared. What a screen shows takes a few tens of milliseconds to unpack
/// and is kept; all of it at once is no smaller than [`Pixels`] are. A design takes some hundredths of its
/// samples, a photo about half of them.
#[derive(Clone)]
pub struct TiledPixels(Arc<Tiles>);

struct Tiles {
    width: u32,
    height: u32,
    /// Row by row.
    packed: Vec<Packed>,
    /// Stands for the samples, which nobody holds.
    identity: Arc<Vec<u8>>,
    /// By their places in `packed`, those looked at last at the end.
    unpacked: Mutex<VecDeque<(usize, Samples)>>,
}

/// The samples of a tile.
type Samples = Arc<[[u8; 4]]>;

enum Packed {
    /// All of one colour.
    Flat([u8; 4]),
    /// A PNG; without an alpha where all is opaque.
    Png(Vec<u8>),
}

/// Packs a picture of which only some rows are there at a time.
#[derive(Debug)]
pub struct TileBuilder {
    width: u32,
    height: u32,
    /// Rows taken so far.
    rows: u32,
    packed: Vec<Packed>,
}

impl TileBuilder {
    /// Nothing yet of a picture of this size.
    pub fn new(width: u32, height: u32) -> Result<Self, PixelsError> {
        super::pixels::check_size(width, height)?;
        Ok(Self { width, height, rows: 0, packed: Vec::new() })
    }

    /// Takes the next [`TILE_SIDE`] rows, or as many as are left at the end.
    ///
    /// # Errors
    ///
    /// It is another number of rows.
    pub fn push(&mut self, band: &[[u8; 4]]) -> Result<(), PixelsError> {
        let (width, height) = (self.width, self.height);
        let rows = TILE_SIDE.min(height - self.rows);
        if rows == 0 || band.len() != width as usize * rows as usize {
            return Err(PixelsError::WrongLength { width, height: rows, got: band.len() * 4 });
        }
        let lefts = (0..width).step_by(TILE_SIDE as usize).collect::<Vec<_>>();
        let tiles = lefts.into_par_iter().map(|left| {
            let columns = left as usize..(left + TILE_SIDE).min(width) as usize;
            let samples: Vec<[u8; 4]> = band
                .chunks_exact(width as usize)
                .flat_map(|row| &row[columns.clone()])
                .copied()
                .collect();
            pack(&samples, columns.len() as u32)
        });
        self.packed.append(&mut tiles.collect::<Result<_, _>>()?);
        self.rows += rows;
        Ok(())
    }

    /// The picture.
    ///
    /// # Errors
    ///
    /// Rows are missing.
    pub fn finish(self) -> Result<TiledPixels, PixelsError> {
        let Self { width, height, rows, packed } = self;
        if rows < height {
            let got = width as usize * rows as usize * 4;
            return Err(PixelsError::WrongLength { width, height, got });
        }
        let (identity, unpacked) = (Arc::default(), Mutex::default());
        Ok(TiledPixels(Arc::new(Tiles { width, height, packed, identity, unpacked })))
    }
}

impl std::fmt::Debug for Packed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Packed({} bytes)", self.bytes())
    }
}

impl std::fmt::Debug for TiledPixels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TiledPixels({} × {})", self.width(), self.height())
    }
}

impl TiledPixels {
    /// Packs a picture.
    pub fn pack(pixels: &Pixels) -> Result<Self, PixelsError> {
        let mut builder = TileBuilder::new(pixels.width(), pixels.height())?;
        let (samples, _) = pixels.rgba().as_chunks::<4>();
        for band in samples.chunks(pixels.width() as usize * TILE_SIDE as usize) {
            builder.push(band)?;
        }
        builder.finish()
    }

    /// All of it unpacked.
    pub fn unpack(&self) -> Result<Pixels, PixelsError> {
        let all = self.part(0..self.width(), 0..self.height());
        Pixels::from_rgba(self.width(), self.height(), all.into_flattened())
    }

    /// Pixels across, at least 1.
    pub fn width(&self) -> u32 {
        self.0.width
    }

    /// Pixels down, at least 1.
    pub fn height(&self) -> u32 {
        self.0.height
    }

    /// Which samples it has: the same for clones, another for whatever is packed anew.
    pub fn id(&self) -> PixelsId {
        PixelsId::of(&self.0.identity)
    }

    /// Bytes that its tiles take; those that are unpacked come to it.
    pub fn bytes(&self) -> usize {
        self.0.packed.iter().map(Packed::bytes).sum()
    }

    /// One pixel; `None` outside.
    pub fn get(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        self.part(x..x.saturating_add(1), y..y.saturating_add(1)).first().copied()
    }

    /// The samples of these columns and rows, row by row; what lies outside is left out.
    pub fn part(&self, columns: Range<u32>, rows: Range<u32>) -> Vec<[u8; 4]> {
        let (columns, rows) = (within(columns, self.width()), within(rows, self.height()));
        let across = columns.len();
        let mut out = vec![[0; 4]; across * rows.len()];
        for row in tiles_in(&rows) {
            for column in tiles_in(&columns) {
                let [x, y] = [column, row].map(|at| at * TILE_SIDE);
                let from_tile = self.tile(column, row);
                let wanted = columns.start.max(x)..columns.end.min(x + TILE_SIDE);
                let to = (wanted.start - columns.start) as usize;
                let stride = (self.width() - x).min(TILE_SIDE) as usize;
                for line in rows.start.max(y)..rows.end.min(y + TILE_SIDE) {
                    let start = (line - rows.start) as usize * across + to;
                    let into = &mut out[start..start + wanted.len()];
                    match &from_tile {
                        Unpacked::Flat(color) => into.fill(*color),
                        Unpacked::Samples(samples) => {
                            let at = (line - y) as usize * stride + (wanted.start - x) as usize;
                            into.copy_from_slice(&samples[at..at + wanted.len()]);
                        }
                    }
                }
            }
        }
        out
    }

    fn tile(&self, column: u32, row: u32) -> Unpacked {
        let index = row as usize * self.width().div_ceil(TILE_SIDE) as usize + column as usize;
        let png = match &self.0.packed[index] {
            Packed::Flat(color) => return Unpacked::Flat(*color),
            Packed::Png(png) => png,
        };
        {
            let mut unpacked = self.0.unpacked.lock();
            if let Some(at) = unpacked.iter().position(|(known, _)| *known == index)
                && let Some(known) = unpacked.remove(at)
            {
                let samples = Arc::clone(&known.1);
                unpacked.push_back(known);
                return Unpacked::Samples(samples);
            }
        }
        // Not while the others wait: two threads may unpack the same, to the same samples.
        let [x, y] = [column, row].map(|at| at * TILE_SIDE);
        let size = [(self.width() - x).min(TILE_SIDE), (self.height() - y).min(TILE_SIDE)];
        let Some(samples) = unpack(png, size) else { return Unpacked::Flat([0; 4]) };
        let mut unpacked = self.0.unpacked.lock();
        if unpacked.len() >= UNPACKED {
            unpacked.pop_front();
        }
        unpacked.push_back((index, Arc::clone(&samples)));
        Unpacked::Samples(samples)
    }
}

/// A tile that can be read from.
enum Unpacked {
    Flat([u8; 4]),
    Samples(Samples),
}

impl Packed {
    fn bytes(&self) -> usize {
        size_of::<Self>() + if let Self::Png(png) = self { png.len() } else { 0 }
    }
}

fn pack(samples: &[[u8; 4]], width: u32) -> Result<Packed, PixelsError> {
    use image::ImageEncoder as _;
    use image::codecs::png::{CompressionType, FilterType, PngEncoder};
    if let Some(first) = samples.first()
        && samples.iter().all(|pixel| pixel == first)
    {
        return Ok(Packed::Flat(*first));
    }
    let height = (samples.len() / (width as usize).max(1)) as u32;
    let mut png = Vec::new();
    let encoder =
        PngEncoder::new_with_quality(&mut png, CompressionType::Fast, FilterType::Adaptive);
    if samples.iter().all(|[.., alpha]| *alpha == u8::MAX) {
        let opaque: Vec<[u8; 3]> = samples.iter().map(|[r, g, b, _]| [*r, *g, *b]).collect();
        let format = image::ExtendedColorType::Rgb8;
        encoder.write_image(opaque.as_flattened(), width, height, format)?;
    } else {
        let format = image::ExtendedColorType::Rgba8;
        encoder.write_image(samples.as_flattened(), width, height, format)?;
    }
    png.shrink_to_fit();
    Ok(Packed::Png(png))
}

/// What [`pack`] has packed; `None` never, unless the memory is broken.
fn unpack(png: &[u8], [width, height]: [u32; 2]) -> Option<Samples> {
    let pixels = Pixels::decode(png).ok()?;
    let (samples, _) = pixels.rgba().as_chunks::<4>();
    (samples.len() == width as usize * height as usize).then(|| samples.into())
}

fn within(range: Range<u32>, end: u32) -> Range<u32> {
    let end = range.end.min(end);
    range.start.min(end)..end
}

/// The tiles that hold these columns or rows.
fn tiles_in(range: &Range<u32>) -> Range<u32> {
    range.start / TILE_SIDE..range.end.div_ceil(TILE_SIDE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wider than three tiles and higher than two, neither by a whole one; a clear corner, a flat part, noise.
    fn picture() -> Pixels {
        let (width, height) = (700u32, 530u32);
        let mut noise = 1u32;
        let rgba = (0..height).flat_map(|y| (0..width).map(move |x| [x, y])).flat_map(|[x, y]| {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            match (x, y) {
                (600.., 500..) => [10, 20, 30, (noise >> 24) as u8],
                (..512, ..256) => [200, 100, 50, 255],
                _ => [x as u8, y as u8, (noise >> 24) as u8, 255],
            }
        });
        Pixels::from_rgba(width, height, rgba.collect()).unwrap()
    }

    #[test]
    fn what_was_packed_is_unpacked_to_the_same_samples() {
        let picture = picture();
        let tiled = TiledPixels::pack(&picture).unwrap();
        assert_eq!(tiled.unpack().unwrap(), picture);
        assert!(matches!(tiled.0.packed[0], Packed::Flat([200, 100, 50, 255])));
        for [x, y] in [[0, 0], [255, 256], [256, 255], [699, 529], [610, 510]] {
            assert_eq!(tiled.get(x, y), picture.get(x, y), "{x} {y}");
        }
        assert_eq!([tiled.get(700, 0), tiled.get(0, 530), tiled.get(u32::MAX, 0)], [None; 3]);
    }

    #[test]
    fn a_part_across_tiles_is_that_part_of_the_picture() {
        let picture = picture();
        let tiled = TiledPixels::pack(&picture).unwrap();
        for (columns, rows) in [(250..260, 250..520), (500..9_000, 509..9_000), (3..3, 0..9)] {
            let expected: Vec<[u8; 4]> = rows
                .clone()
                .flat_map(|y| columns.clone().map(move |x| [x, y]))
                .filter_map(|[x, y]| picture.get(x, y))
                .collect();
            assert!(tiled.part(columns, rows) == expected);
        }
    }

    #[test]
    fn only_what_is_looked_at_is_unpacked_and_no_more_than_some_of_it_kept() {
        let side = TILE_SIDE * 9;
        let rgba = (0..side * side).flat_map(|at| [at as u8, (at >> 8) as u8, 7, 255]).collect();
        let tiled = TiledPixels::pack(&Pixels::from_rgba(side, side, rgba).unwrap()).unwrap();
        tiled.part(10..20, 10..20);
        assert_eq!(tiled.0.unpacked.lock().len(), 1);
        tiled.part(0..side, 0..side);
        assert_eq!(tiled.0.unpacked.lock().len(), UNPACKED);
        assert!(tiled.bytes() < (side * side) as usize);
    }

    #[test]
    fn bands_of_another_height_and_missing_rows_are_refused() {
        let mut builder = TileBuilder::new(3, TILE_SIDE + 1).unwrap();
        assert!(builder.push(&[[0; 4]; 3]).is_err());
        builder.push(&[[0; 4]; 3 * TILE_SIDE as usize]).unwrap();
        builder.push(&[[9; 4]; 3]).unwrap();
        assert!(builder.push(&[[0; 4]; 3]).is_err(), "all rows were given");
        assert_eq!(builder.finish().unwrap().get(2, TILE_SIDE), Some([9; 4]));
        assert!(TileBuilder::new(3, 1).unwrap().finish().is_err());
        assert!(TileBuilder::new(0, 1).is_err());
    }

    #[test]
    fn clones_are_the_same_samples_and_what_is_packed_anew_is_not() {
        let picture = picture();
        let tiled = TiledPixels::pack(&picture).unwrap();
        assert_eq!(tiled.clone().id(), tiled.id());
        assert_ne!(TiledPixels::pack(&picture).unwrap().id(), tiled.id());
    }
}
