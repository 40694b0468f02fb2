//! What a design on the vector canvas is measured with, and where the screen of a branch lies.

use crate::base::Rect;
use crate::design::Document;
use crate::environment::Environment;
use crate::environment::canvas::{CanvasSettings, Compat};
use crate::render::RenderContext;

/// What a canvas measures and draws with, and whose behaviour it follows; of no name, or one that is not known, the
/// documentation's.
pub(in crate::worker) fn canvas_settings(
    render: &RenderContext,
    compat: Option<&str>,
) -> CanvasSettings {
    let compat = compat.and_then(Compat::from_name).unwrap_or_default();
    CanvasSettings { compat, render: render.clone(), ..CanvasSettings::default() }
}

/// The box of the environment's screen on its page.
pub(super) fn screen_of(environment: &dyn Environment, design: &Document) -> Rect {
    let screen = environment.main_frame().and_then(|frame| design.absolute_box(&frame).ok());
    screen.unwrap_or_default()
}
