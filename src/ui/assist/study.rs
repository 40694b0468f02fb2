//! The bar of a study, while somebody takes part in one.

use egui::Ui;

use crate::ui::context::ViewContext;

/// What belongs to the bar alone.
#[derive(Debug, Default)]
pub(super) struct StudyBar {}

impl StudyBar {
    /// Draws the bar; nothing while nobody takes part.
    #[expect(clippy::unused_self, reason = "what is typed comes here")]
    pub(super) fn show(&mut self, _ui: &mut Ui, _cx: &ViewContext<'_>) {}
}
