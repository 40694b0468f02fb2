//! The properties of what is selected.

use egui::Ui;

use crate::ui::context::ViewContext;
use crate::ui::widgets::section_header_ui;
use crate::workbench::AssistDesk;

/// What belongs to the panel alone.
#[derive(Debug, Default)]
pub(super) struct PropertiesPanel {}

impl PropertiesPanel {
    /// Draws the panel.
    #[expect(clippy::unused_self, reason = "what is typed comes here")]
    pub(super) fn show(&mut self, ui: &mut Ui, _cx: &ViewContext<'_>, desk: &AssistDesk) {
        section_header_ui(ui, "Design", &desk.title);
    }
}
