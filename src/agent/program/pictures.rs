//! The pictures a program is shown.

use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tempfile::TempDir;

use crate::base::{Pixels, private_folder};

use super::error::ProgramError;
use super::message::{PictureForm, ProgramPicture};

/// Pictures in a folder of their own that goes with this value. The folder is made with the first
/// picture.
#[derive(Debug, Default)]
pub(super) struct Pictures {
    folder: Option<TempDir>,
    /// Pictures written.
    written: u32,
}

impl Pictures {
    /// The picture in the form that the program wants.
    pub(super) fn show(
        &mut self,
        pixels: &Pixels,
        form: PictureForm,
    ) -> Result<ProgramPicture, ProgramError> {
        let png = pixels.to_png()?;
        let (width, height) = (pixels.width(), pixels.height());
        let picture = ProgramPicture { width, height, path: None, base64: None };
        Ok(match form {
            PictureForm::Base64 => ProgramPicture { base64: Some(STANDARD.encode(png)), ..picture },
            PictureForm::Path => ProgramPicture { path: Some(self.write(&png)?), ..picture },
        })
    }

    fn write(&mut self, png: &[u8]) -> Result<PathBuf, ProgramError> {
        let folder = if let Some(folder) = &self.folder {
            folder
        } else {
            let folder = private_folder().map_err(|source| ProgramError::Picture {
                source,
                path: PathBuf::from("a folder of its own"),
            })?;
            self.folder.insert(folder)
        };
        // A new name each: the program may still be reading the one before.
        self.written += 1;
        let path = folder.path().join(format!("{:04}.png", self.written));
        match std::fs::write(&path, png) {
            Ok(()) => Ok(path),
            Err(source) => Err(ProgramError::Picture { source, path }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_private_and_goes_with_the_pictures() {
        let mut pictures = Pictures::default();
        let pixels = Pixels::filled(3, 2, [9, 8, 7, 255]).unwrap();
        let shown = pictures.show(&pixels, PictureForm::Path).unwrap();
        let path = shown.path.unwrap();
        assert_eq!(Pixels::open(&path).unwrap(), pixels);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = path.parent().unwrap().metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o700);
        }
        drop(pictures);
        assert!(!path.parent().unwrap().exists());
    }

    #[test]
    fn bytes_in_the_message_are_the_picture() {
        let pixels = Pixels::filled(3, 2, [9, 8, 7, 255]).unwrap();
        let shown = Pictures::default().show(&pixels, PictureForm::Base64).unwrap();
        let png = STANDARD.decode(shown.base64.unwrap()).unwrap();
        assert_eq!((png, shown.path), (pixels.to_png().unwrap(), None));
    }
}
