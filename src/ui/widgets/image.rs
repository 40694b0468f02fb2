//! Pixels of ours as the window takes them.

use egui::ColorImage;

use crate::base::Pixels;

/// The pixels as a picture of egui: for a texture, or for the clipboard.
pub(crate) fn color_image(pixels: &Pixels) -> ColorImage {
    let sides = [pixels.width() as usize, pixels.height() as usize];
    ColorImage::from_rgba_unmultiplied(sides, pixels.rgba())
}
