//! What a task asks.

use egui::Ui;

use super::parts::{fact_ui, section_ui, text_ui};
use crate::task::{DesignBrief, Task};
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::tokens;
use crate::ui::widgets::{Look, section_header_ui, task_kind_words};

/// Draws what the task asks.
pub(super) fn task_ui(ui: &mut Ui, cx: &ViewContext<'_>, task: &Task) {
    section_ui(ui, true, |ui| {
        section_header_ui(ui, "Instruction", &task.id);
        let color = tokens(ui).text;
        text_ui(ui, "instruction", task.instruction.trim(), color);
        ui.add_space(10.0);
        CommandButton::text(CommandId::RunAgent)
            .with_icon(icons::PLAY)
            .look(Look::Raised)
            .show(ui, cx);
        ui.add_space(4.0);
    });
    section_ui(ui, false, |ui| {
        section_header_ui(ui, "Task", "");
        fact_ui(ui, "Kind", task_kind_words(task.kind));
        fact_ui(ui, "Environment", task.environment.name());
        for (name, value) in [("Category", &task.category), ("Difficulty", &task.difficulty)] {
            if let Some(value) = value {
                fact_ui(ui, name, value);
            }
        }
        if let Some(size) = task.canvas_size {
            fact_ui(ui, "Canvas", &format!("{:.0} × {:.0}", size.width, size.height));
        }
        // A query is measured by what it asks for; a task with neither by nothing, which is worth
        // saying.
        let truth = match (&task.ground_truth, &task.brief) {
            (Some(_), _) => "yes",
            (None, Some(_)) => "none: asked for in words",
            (None, None) => "none: nothing can be scored",
        };
        fact_ui(ui, "Ground truth", truth);
        if let Some(brief) = &task.brief {
            brief_ui(ui, brief);
        }
        if let Some(plan) = &task.reference_plan {
            fact_ui(ui, "Plan", &format!("{} steps", plan.steps().count()));
        }
        if !task.reference_tools.is_empty() {
            fact_ui(ui, "Tools", &task.reference_tools.join(", "));
        }
        if !task.tags.is_empty() {
            fact_ui(ui, "Tags", &task.tags.join(", "));
        }
    });
}

/// What a design query brings along.
fn brief_ui(ui: &mut Ui, brief: &DesignBrief) {
    let images: Vec<String> =
        brief.query.images.iter().map(|image| image.name.replace('_', " ")).collect();
    if !images.is_empty() {
        fact_ui(ui, "Pictures", &images.join(", "));
    }
    if !brief.questions.is_empty() {
        fact_ui(ui, "Questions", &brief.questions.len().to_string());
    }
}
