//! Pictures in `images/`: named by what they hold, so that a name says nothing else and cannot lead
//! out of the folder.

use std::path::{Path, PathBuf};

use crate::base::{JsonLimitError, Limits, Pixels, PixelsError, read_file_limited};

use super::event::ImageRef;
use super::folder::IMAGES_DIR;

/// Hex digits of the hash in a file name.
const HASH_DIGITS: usize = 32;

/// Why a recorded picture cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    /// The name is not a hash, so it may lead anywhere.
    #[error("{0:?} is not the name of a recorded picture (32 hex digits and .png)")]
    BadName(String),
    /// The size is not that of a picture.
    #[error("a picture of {width} × {height} pixels is not possible")]
    BadSize {
        /// Pixels across, as recorded.
        width: u32,
        /// Pixels down, as recorded.
        height: u32,
    },
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] JsonLimitError),
    /// The file does not hold what was recorded.
    #[error("the picture was changed after it was recorded: {}", .0.display())]
    Changed(PathBuf),
    /// The file is not a picture.
    #[error("{source}: {}", path.display())]
    Decode {
        /// The cause.
        source: PixelsError,
        /// Which file.
        path: PathBuf,
    },
}

/// The file name for the bytes of a PNG.
pub fn name_of(png: &[u8]) -> String {
    let digits: String = blake3::hash(png).to_hex().chars().take(HASH_DIGITS).collect();
    format!("{digits}.png")
}

/// Whether the reference may be followed: a hash for a name, and a size that a picture can have.
pub fn check(image: &ImageRef) -> Result<(), ImageError> {
    if !is_name(&image.file) {
        return Err(ImageError::BadName(image.file.chars().take(80).collect()));
    }
    let ImageRef { width, height, .. } = *image;
    if width == 0 || height == 0 || width > Limits::IMAGE_SIDE || height > Limits::IMAGE_SIDE {
        return Err(ImageError::BadSize { width, height });
    }
    Ok(())
}

/// A file with a picture, as it was read.
#[derive(Clone, Debug)]
pub struct PictureFile {
    /// Which.
    pub path: PathBuf,
    /// What it holds.
    pub bytes: Vec<u8>,
}

impl PictureFile {
    /// Reads a file of at most [`Limits::IMAGE_BYTES`].
    pub fn read(path: PathBuf) -> Result<Self, ImageError> {
        let bytes = read_file_limited(&path, Limits::IMAGE_BYTES)?;
        Ok(Self { path, bytes })
    }

    /// Reads that of a recorded picture of the run in `run_dir` and checks that it is the one recorded.
    pub fn recorded(run_dir: &Path, image: &ImageRef) -> Result<Self, ImageError> {
        check(image)?;
        let file = Self::read(run_dir.join(IMAGES_DIR).join(&image.file))?;
        // The name is the hash: a picture that was touched up would be scored as what the agent drew.
        if name_of(&file.bytes) != image.file {
            return Err(ImageError::Changed(file.path));
        }
        Ok(file)
    }

    /// The picture in it.
    pub fn decode(&self) -> Result<Pixels, ImageError> {
        let decoded = Pixels::decode(&self.bytes);
        decoded.map_err(|source| ImageError::Decode { source, path: self.path.clone() })
    }
}

/// Reads a recorded picture of the run in `run_dir` and checks that it is the one recorded.
pub fn load(run_dir: &Path, image: &ImageRef) -> Result<Pixels, ImageError> {
    PictureFile::recorded(run_dir, image)?.decode()
}

/// Whether this is the name of a recorded picture: a hash, which leads nowhere else.
pub fn is_name(name: &str) -> bool {
    name.strip_suffix(".png").is_some_and(|digits| {
        // Lower case only: on file systems that ignore case one picture would have two names.
        digits.len() == HASH_DIGITS
            && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(file: &str) -> ImageRef {
        ImageRef { file: file.to_owned(), width: 1, height: 1 }
    }

    #[test]
    fn a_name_that_leads_out_of_the_folder_is_refused() {
        for name in ["../run.json", "/etc/passwd", "", ".png", "..\\..\\x.png", "C:x.png"] {
            assert!(matches!(check(&reference(name)), Err(ImageError::BadName(_))), "{name}");
        }
        assert!(check(&reference(&name_of(b"png"))).is_ok());
    }

    #[test]
    fn a_size_that_no_picture_has_is_refused() {
        let image = ImageRef { width: 0, ..reference(&name_of(b"png")) };
        assert!(matches!(check(&image), Err(ImageError::BadSize { width: 0, height: 1 })));
    }
}
