//! Pictures of the design that somebody works on.

use crate::base::Rect;
use crate::render::{RenderOptions, render_node};
use crate::workbench::{DesignInput, DesignPicture, DesignPictureKey};
use crate::worker::shared::job_border::JobError;

/// Draws the screen.
pub(super) fn draw(key: &DesignPictureKey, input: &DesignInput) -> Result<DesignPicture, JobError> {
    let DesignInput { document, render } = input;
    let screen = document.main_frame();
    let screen = screen.ok_or_else(|| JobError::failed("the design has no frame to be shown"))?;
    let area: Rect = document.absolute_box(&screen.id).map_err(JobError::failed)?;
    let options = RenderOptions { scale: f64::from(key.scale), ..RenderOptions::default() };
    let drawn = render_node(render, document, &screen.id, options).map_err(JobError::failed)?;
    Ok(DesignPicture { pixels: drawn.pixels, area })
}
