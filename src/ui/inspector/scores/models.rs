//! Which models learned metrics go by: a row below the scores.

use egui::{Align, Layout, RichText, Ui, vec2};

use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{Button, Look, hairline, path_label};
use crate::workbench::{Browse, Command, ScoresCommand};

/// Draws the row: the file, or that there is none, and why it cannot be used.
pub(super) fn models_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    hairline(ui);
    let wanted = vec2(ui.available_width(), size::BUTTON + 4.0);
    ui.allocate_ui_with_layout(wanted, Layout::left_to_right(Align::Center), |ui| {
        ui.add_space(size::GUTTER);
        ui.label(RichText::new("Models").font(Type::Caption.font()).color(tokens(ui).dim));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.add_space(8.0);
            buttons_ui(ui, cx);
            file_ui(ui, cx);
        });
    });
    if let Some(problem) = &cx.state.models_problem {
        problem_ui(ui, problem);
    }
}

fn buttons_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let choose = Button::icon(icons::FOLDER, "Choose a file of models").look(Look::Tool);
    let words = "Choose a JSON file that names the models learned metrics go by.";
    if choose.tooltip(words).show(ui).clicked() {
        cx.send(Command::Browse(Browse::Models));
    }
    if cx.state.settings.models.is_none() {
        return;
    }
    let without = Button::icon(icons::CLOSE, "Measure without models").look(Look::Tool);
    if without.tooltip("Go by no models.").show(ui).clicked() {
        cx.send(Command::Scores(ScoresCommand::UseModels(None)));
    }
}

fn file_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    if let Some(path) = &cx.state.settings.models {
        path_label(ui, &path.display().to_string());
    } else {
        let words = RichText::new("none chosen").font(Type::Caption.font());
        ui.label(words.color(tokens(ui).dim));
    }
}

fn problem_ui(ui: &mut Ui, problem: &str) {
    ui.horizontal_wrapped(|ui| {
        ui.add_space(size::GUTTER);
        ui.label(RichText::new(problem).font(Type::Caption.font()).color(tokens(ui).loss));
    });
    ui.add_space(6.0);
}
