//! The pictures that a program is shown.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

use parking_lot::Mutex;
use tempfile::{TempDir, TempPath};

use crate::base::{Pixels, PixelsError, PixelsId, private_folder};

use super::message::PairPicture;

/// Pictures in a folder of their own that goes with this value. The folder is made with the first picture.
#[derive(Debug, Default)]
pub(super) struct PairPictures(Mutex<PictureFiles>);

#[derive(Debug, Default)]
struct PictureFiles {
    /// The ground truth that was shown last: a task's are shown again and again. Before the folder, so that it goes
    /// before it.
    truth: Option<(PixelsId, Arc<TempPath>)>,
    folder: Option<TempDir>,
}

/// A picture as it is shown; its file goes with the last of these.
#[derive(Debug)]
pub(super) struct ShownPicture {
    /// How the program is told of it.
    pub(super) picture: PairPicture,
    _file: Arc<TempPath>,
}

/// Why a picture cannot be shown.
#[derive(Debug, thiserror::Error)]
pub(super) enum ShowError {
    #[error(transparent)]
    Pixels(#[from] PixelsError),
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl PairPictures {
    /// The picture of a ground truth, whose file is kept until another is shown.
    pub(super) fn show_truth(&self, pixels: &Pixels) -> Result<ShownPicture, ShowError> {
        let id = pixels.id();
        let known = self.0.lock().truth.clone().filter(|(known, _)| *known == id);
        let file = match known {
            Some((_, file)) => file,
            None => Arc::new(self.write(pixels)?),
        };
        // Who shows another at the same time keeps that one: each goes on with the file that it has.
        self.0.lock().truth = Some((id, Arc::clone(&file)));
        Ok(shown(pixels, file))
    }

    /// Any other picture.
    pub(super) fn show(&self, pixels: &Pixels) -> Result<ShownPicture, ShowError> {
        Ok(shown(pixels, Arc::new(self.write(pixels)?)))
    }

    fn write(&self, pixels: &Pixels) -> Result<TempPath, ShowError> {
        let png = pixels.to_png()?;
        let mut file = tempfile::Builder::new().suffix(".png").tempfile_in(self.folder()?)?;
        file.write_all(&png)?;
        Ok(file.into_temp_path())
    }

    fn folder(&self) -> io::Result<PathBuf> {
        let mut kept = self.0.lock();
        let folder = match kept.folder.take() {
            Some(folder) => folder,
            None => private_folder()?,
        };
        Ok(kept.folder.insert(folder).path().to_owned())
    }
}

fn shown(pixels: &Pixels, file: Arc<TempPath>) -> ShownPicture {
    let (width, height) = (pixels.width(), pixels.height());
    ShownPicture { picture: PairPicture { width, height, path: file.to_path_buf() }, _file: file }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ground_truth_is_written_once_and_all_files_go() {
        let pictures = PairPictures::default();
        let pixels = Pixels::filled(3, 2, [9, 8, 7, 255]).unwrap();
        let first = pictures.show_truth(&pixels).unwrap();
        let again = pictures.show_truth(&pixels.clone()).unwrap();
        assert_eq!(first.picture, again.picture);
        assert_eq!(Pixels::open(&first.picture.path).unwrap(), pixels);
        let made = pictures.show(&pixels).unwrap();
        assert_ne!(made.picture.path, first.picture.path);
        let (truth, made_path) = (first.picture.path.clone(), made.picture.path.clone());
        drop((first, again, made));
        assert!(truth.exists() && !made_path.exists());
        let other = Pixels::filled(1, 1, [0; 4]).unwrap();
        let other = pictures.show_truth(&other).unwrap();
        assert!(!truth.exists());
        drop(pictures);
        assert!(!other.picture.path.parent().unwrap().exists());
    }
}
