//! Picture files, decoded once.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::base::{FileStamp, Pixels, PixelsError};

/// Most bytes of decoded files kept.
const BYTES: usize = 128 << 20;

/// Picture files that are needed again and again (ground truths, start states), decoded once as long
/// as they stay as they are.
#[derive(Debug, Default)]
pub(in crate::worker) struct PictureFiles(Mutex<Vec<(FileStamp, Pixels)>>);

impl PictureFiles {
    /// The picture in this file. Two threads that ask at once may both decode it; both get it.
    pub(in crate::worker) fn open(&self, path: &Path) -> Result<Pixels, PixelsError> {
        let stamp = FileStamp::of(path);
        if let Some(pixels) = self.known(&stamp) {
            return Ok(pixels);
        }
        let pixels = Pixels::open(path)?;
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.retain(|(known, _)| known.path() != path);
        files.push((stamp, pixels.clone()));
        let mut bytes: usize = files.iter().map(|(_, pixels)| pixels.rgba().len()).sum();
        while bytes > BYTES && files.len() > 1 {
            bytes -= files.remove(0).1.rgba().len();
        }
        Ok(pixels)
    }

    /// The picture if it is there, which then counts as used last.
    fn known(&self, stamp: &FileStamp) -> Option<Pixels> {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = files.iter().position(|(known, _)| known == stamp)?;
        let entry = files.remove(at);
        let pixels = entry.1.clone();
        files.push(entry);
        Some(pixels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_that_was_edited_is_decoded_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("truth.png");
        let save =
            |side| Pixels::filled(side, side, [1, 2, 3, 255]).unwrap().save_png(&path).unwrap();
        let files = PictureFiles::default();
        save(4);
        let first = files.open(&path).unwrap();
        assert_eq!(files.open(&path).unwrap().id(), first.id(), "decoded once");
        save(70);
        assert_eq!(files.open(&path).unwrap().width(), 70);
        assert_eq!(files.0.lock().unwrap().len(), 1, "what it was is let go");
    }
}
