//! What a branch on the vector canvas is measured with, and where its screen lies.

use crate::base::Rect;
use crate::design::Document;
use crate::environment::Environment;
use crate::environment::canvas::{CanvasSettings, Compat};
use crate::evaluate::what_if::Base;
use crate::worker::shared::Shared;

/// What the canvas of a branch measures and draws with.
pub(super) fn canvas_settings(shared: &Shared, base: &Base) -> CanvasSettings {
    let named = base.start().compat.as_deref();
    let compat = named.and_then(Compat::from_name).unwrap_or_default();
    CanvasSettings { compat, render: shared.render.clone(), ..CanvasSettings::default() }
}

/// The box of the environment's screen on its page.
pub(super) fn screen_of(environment: &dyn Environment, design: &Document) -> Rect {
    let screen = environment.main_frame().and_then(|frame| design.absolute_box(&frame).ok());
    screen.unwrap_or_default()
}
