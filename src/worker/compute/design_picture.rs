//! Pictures of the design that somebody works on.

use crate::design::Document;
use crate::render::{RenderContext, RenderOptions, render_node};
use crate::workbench::DesignPicture;
use crate::worker::shared::job_border::JobError;

/// The screen of a design drawn, so many pixels a unit.
pub(super) fn picture_of(
    document: &Document,
    render: &RenderContext,
    scale: u8,
) -> Result<DesignPicture, JobError> {
    let screen = document.main_frame();
    let screen = screen.ok_or_else(|| JobError::failed("the design has no frame to be shown"))?;
    let area = document.absolute_box(&screen.id).map_err(JobError::failed)?;
    let options = RenderOptions { scale: f64::from(scale), ..RenderOptions::default() };
    let drawn = render_node(render, document, &screen.id, options);
    Ok(DesignPicture { pixels: drawn.map_err(JobError::failed)?.pixels, area })
}
