//! Pictures of the design that somebody works on.

use crate::base::{Pixels, Rect};
use crate::design::Document;
use crate::render::{RenderContext, RenderError, RenderOptions, render_node, render_page};
use crate::workbench::{DesignInput, DesignPicture, DrawnPart};
use crate::worker::shared::job_border::JobError;

/// Most pixels of a page.
const MOST_PIXELS: f64 = 24e6;

/// The fewest pixels a unit that are drawn.
const LEAST_SCALE: f64 = 0.01;

/// What is looked at of a design drawn, so many pixels a unit; of a page that is very large fewer, and of one that is
/// larger still the screen alone.
pub(super) fn drawn(input: &DesignInput, scale: u8) -> Result<DesignPicture, JobError> {
    let DesignInput { document, part, render } = input;
    let layers = document.top_layers();
    let boxes = layers.iter().filter_map(|id| document.absolute_box(id).ok());
    let area = Rect::union_all(boxes).map_or(0.0, Rect::area);
    let most = (MOST_PIXELS / area.max(1.0)).sqrt();
    if *part == DrawnPart::Screen || most < LEAST_SCALE {
        return picture_of(document, render, scale);
    }
    let options = RenderOptions { scale: f64::from(scale).min(most), ..RenderOptions::default() };
    match render_page(render, document, options) {
        Ok(drawn) => Ok(DesignPicture { pixels: drawn.pixels, area: drawn.page_box }),
        // A page on which nothing lies yet.
        Err(RenderError::Empty(_)) => {
            let pixels = Pixels::filled(1, 1, [0; 4]).map_err(JobError::failed)?;
            Ok(DesignPicture { pixels, area: Rect::new(0.0, 0.0, 1.0, 1.0) })
        }
        Err(error) => Err(JobError::failed(error)),
    }
}

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
