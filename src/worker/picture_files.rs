//! Picture files, decoded once.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::base::{Pixels, PixelsError};

/// Most bytes of decoded files kept.
const BYTES: usize = 128 << 20;

/// Picture files that are needed again and again (ground truths, start states), decoded once.
#[derive(Debug, Default)]
pub(super) struct PictureFiles(Mutex<Vec<(PathBuf, Pixels)>>);

impl PictureFiles {
    /// The picture in this file. Two threads that ask at once may both decode it; both get it.
    pub(super) fn open(&self, path: &Path) -> Result<Pixels, PixelsError> {
        if let Some(pixels) = self.known(path) {
            return Ok(pixels);
        }
        let pixels = Pixels::open(path)?;
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.retain(|(known, _)| known != path);
        files.push((path.to_path_buf(), pixels.clone()));
        let mut bytes: usize = files.iter().map(|(_, pixels)| pixels.rgba().len()).sum();
        while bytes > BYTES && files.len() > 1 {
            bytes -= files.remove(0).1.rgba().len();
        }
        Ok(pixels)
    }

    /// The picture if it is there, which then counts as used last.
    fn known(&self, path: &Path) -> Option<Pixels> {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = files.iter().position(|(known, _)| known == path)?;
        let entry = files.remove(at);
        let pixels = entry.1.clone();
        files.push(entry);
        Some(pixels)
    }
}
