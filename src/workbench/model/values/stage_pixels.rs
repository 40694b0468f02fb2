//! The samples of a picture as the window keeps them.

use crate::base::{Pixels, PixelsError, PixelsId, TiledPixels};

/// The samples of a picture: as they are, or of a large one packed, beside a small copy to see it whole.
#[derive(Clone, Debug)]
pub enum StagePixels {
    /// As they are.
    Whole(Pixels),
    /// Packed.
    Tiled(TiledPicture),
}

/// A large picture: what is seen of it magnified is unpacked, all of it is seen in a smaller copy.
#[derive(Clone, Debug)]
pub struct TiledPicture {
    /// Every pixel.
    pub exact: TiledPixels,
    /// All of it.
    pub overview: Reduced,
}

/// A picture in a smaller size: each pixel is the mean of those it stands for.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// Halved so many times: a pixel stands for a block of `2^halvings` a side.
    pub halvings: u8,
    /// The smaller picture.
    pub pixels: Pixels,
}

impl From<Pixels> for StagePixels {
    fn from(pixels: Pixels) -> Self {
        Self::Whole(pixels)
    }
}

impl StagePixels {
    /// Pixels across, at least 1.
    pub fn width(&self) -> u32 {
        match self {
            Self::Whole(pixels) => pixels.width(),
            Self::Tiled(tiled) => tiled.exact.width(),
        }
    }

    /// Pixels down, at least 1.
    pub fn height(&self) -> u32 {
        match self {
            Self::Whole(pixels) => pixels.height(),
            Self::Tiled(tiled) => tiled.exact.height(),
        }
    }

    /// Which samples these are.
    pub fn id(&self) -> PixelsId {
        match self {
            Self::Whole(pixels) => pixels.id(),
            Self::Tiled(tiled) => tiled.exact.id(),
        }
    }

    /// One pixel; `None` outside.
    pub fn get(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        match self {
            Self::Whole(pixels) => pixels.get(x, y),
            Self::Tiled(tiled) => tiled.exact.get(x, y),
        }
    }

    /// Bytes that they take.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Whole(pixels) => pixels.rgba().len(),
            Self::Tiled(tiled) => tiled.exact.bytes() + tiled.overview.pixels.rgba().len(),
        }
    }

    /// All of them as they are: for a large picture as much memory as it was packed to spare.
    pub fn unpacked(&self) -> Result<Pixels, PixelsError> {
        match self {
            Self::Whole(pixels) => Ok(pixels.clone()),
            Self::Tiled(tiled) => tiled.exact.unpack(),
        }
    }
}
