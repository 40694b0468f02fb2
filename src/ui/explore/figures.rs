//! The figures of the papers, of the runs that are shown.

use egui::Ui;

use super::parts::caption_ui;
use crate::ui::context::ViewContext;
use crate::ui::theme::tokens;

/// Draws them.
pub(super) fn figures_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let _ = cx;
    caption_ui(ui, "", tokens(ui).dim);
}
