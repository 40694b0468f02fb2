//! What an agent gets of a task: the picture to arrive at, and the size of the canvas.
//!
//! The published rule (kixlab/canvas, `reduceBase64Image` and `intializeMainScreenFrame`): a picture
//! higher than 1024 pixels is scaled down to that height, its width rounded, and the main frame has
//! the size of the picture the agent sees. A task with a start document keeps its frame's own size,
//! and one with only a start picture that of the picture, which such data sets export at scale 1.

use image::{RgbaImage, imageops};

use crate::base::{Limits, Pixels, PixelsError, Size};
use crate::environment::FALLBACK_CANVAS;

use super::artifact::{canvas_size_of_picture, frame_size};
use super::error::TaskError;
use super::model::Task;

/// What an agent gets of a task, and what its canvas begins with.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentInput {
    /// The picture to arrive at, of `canvas_size` rounded to whole pixels; `None`: there is none.
    pub picture: Option<Pixels>,
    /// The size of the main frame.
    pub canvas_size: Size,
    /// What the canvas holds at first, as Figma JSON; `None`: an empty frame.
    pub start: Option<serde_json::Value>,
}

impl Task {
    /// Reads and scales what an agent gets.
    pub fn agent_input(&self) -> Result<AgentInput, TaskError> {
        let start = self.load_start_document()?;
        let picture = self.load_ground_truth_picture()?;
        let canvas_size = self
            .canvas_size
            .or_else(|| start.as_ref().and_then(frame_size))
            .or_else(|| picture.as_ref().map(|p| canvas_size_of_picture(p.width(), p.height())))
            .unwrap_or(FALLBACK_CANVAS);
        // The agent sees what it is to arrive at in the units that it draws in.
        let picture = match (picture, self.ground_truth.as_ref().and_then(|g| g.picture.as_ref())) {
            (Some(picture), Some(path)) => {
                Some(scaled_to(picture, canvas_size).map_err(TaskError::picture(path))?)
            }
            _ => None,
        };
        Ok(AgentInput { picture, canvas_size, start })
    }
}

/// The picture at the canvas's size: bicubic (a = −0.5) with the support scaled when shrinking,
/// transparent pixels weighing nothing.
fn scaled_to(picture: Pixels, size: Size) -> Result<Pixels, PixelsError> {
    let (width, height) = (size.width.round().max(1.0) as u32, size.height.round().max(1.0) as u32);
    if (picture.width(), picture.height()) == (width, height) {
        return Ok(picture);
    }
    // A task set can name any canvas; its picture must still fit in memory.
    if u64::from(width) * u64::from(height) > Limits::IMAGE_PIXELS {
        return Err(PixelsError::TooLarge { width, height });
    }
    // Filtered as they stand, the invisible colours of transparent pixels would bleed into their
    // neighbours; multiplied by their alpha they weigh nothing.
    let mut samples = picture.rgba().to_vec();
    for [r, g, b, a] in samples.as_chunks_mut::<4>().0 {
        for c in [r, g, b] {
            *c = ((u32::from(*c) * u32::from(*a) + 127) / 255) as u8;
        }
    }
    let got = samples.len();
    let source = RgbaImage::from_raw(picture.width(), picture.height(), samples)
        .ok_or(PixelsError::WrongLength { width, height, got })?;
    let filter = imageops::FilterType::CatmullRom;
    let mut scaled = imageops::resize(&source, width, height, filter).into_raw();
    for [r, g, b, a] in scaled.as_chunks_mut::<4>().0 {
        for c in [r, g, b] {
            // The kernel has negative lobes: a colour may come out above its alpha.
            *c = (u32::from(*c) * 255 + u32::from(*a) / 2)
                .checked_div(u32::from(*a))
                .unwrap_or(0)
                .min(255) as u8;
        }
    }
    Pixels::from_rgba(width, height, scaled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_high_picture_gives_a_canvas_1024_high_with_its_width_rounded() {
        assert_eq!(canvas_size_of_picture(750, 1624), Size::new(473.0, 1024.0));
        assert_eq!(canvas_size_of_picture(375, 812), Size::new(375.0, 812.0));
        assert_eq!(canvas_size_of_picture(1, 16_384), Size::new(1.0, 1024.0));
    }

    #[test]
    fn scaling_keeps_a_flat_colour_and_does_not_bleed_transparent_ones() {
        let size = Size::new(3.0, 5.0);
        let flat = Pixels::filled(30, 50, [10, 200, 77, 255]).unwrap();
        assert_eq!(
            scaled_to(flat, size).unwrap(),
            Pixels::filled(3, 5, [10, 200, 77, 255]).unwrap()
        );
        let half: Vec<u8> = [[255, 0, 0, 0], [0, 0, 255, 255]].concat().repeat(2);
        let scaled =
            scaled_to(Pixels::from_rgba(2, 2, half).unwrap(), Size::new(1.0, 1.0)).unwrap();
        let [r, _, b, _] = scaled.get(0, 0).unwrap();
        assert!(r == 0 && b > 250, "{r} {b}");
    }
}
