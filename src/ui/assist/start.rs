//! Before there is a design: what to begin with.

use egui::Ui;

use super::study::start_ui;
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::widgets::{Button, EmptyState, Look};
use crate::workbench::{AssistCommand, AssistStart, Command};

/// What is typed.
#[derive(Debug, Default)]
pub(super) struct Start {}

impl Start {
    /// Draws what there is to choose.
    #[expect(clippy::unused_self, reason = "what is typed comes here")]
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let assist = &cx.state.assist;
        if assist.opening.is_some() {
            let words = "The design and what is to come of it are being read.";
            EmptyState::new(icons::OPEN, "Opening the design", words).show(ui, |_| {});
            return;
        }
        let words = match &assist.problem {
            Some(why) => format!("The last one could not be opened: {why}."),
            None => "Select a task in Inspect, and design it here by hand.".to_owned(),
        };
        EmptyState::new(icons::EDIT, "Design by hand", &words).show(ui, |ui| {
            let task = cx.state.selection.task.clone();
            let button = Button::text("Design the selected task").look(Look::Primary);
            if button.enabled(task.is_some()).show(ui).clicked()
                && let Some(task) = task
            {
                cx.send(Command::Assist(AssistCommand::Open(AssistStart::Task(task))));
            }
            ui.add_space(16.0);
            start_ui(ui, cx);
        });
    }
}
