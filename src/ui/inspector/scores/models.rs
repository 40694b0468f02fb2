//! Which files scores go by: models of learned metrics, and captions that were made before. Two rows
//! below the scores.

use std::path::Path;

use egui::{Align, Layout, RichText, Ui, vec2};

use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{Button, Look, hairline_ui, path_label_ui, rich_text};
use crate::workbench::{Browse, Command, ScoresCommand};

/// A file that scores go by.
struct ScoresFile<'a> {
    /// What stands before it.
    name: &'a str,
    path: Option<&'a Path>,
    /// What its button is called and does.
    choose: &'a str,
    tooltip: &'a str,
    browse: Browse,
    /// What takes it back is called.
    without: &'a str,
    clear: ScoresCommand,
}

/// Draws the rows, and why a file cannot be used.
pub(super) fn models_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    hairline_ui(ui);
    let settings = &cx.state.settings;
    let models = ScoresFile {
        name: "Models",
        path: settings.models.as_deref(),
        choose: "Choose a file of models",
        tooltip: "Choose a JSON file that names the models learned metrics go by.",
        browse: Browse::Models,
        without: "Measure without models",
        clear: ScoresCommand::UseModels(None),
    };
    file_ui(ui, cx, models);
    let captions = ScoresFile {
        name: "Captions",
        path: settings.captions.as_deref(),
        choose: "Choose a file of captions",
        tooltip: "Choose a JSON file with captions that were made before: cases by the ids of runs, or \
                  TASK-AGENT. No captioner is asked then.",
        browse: Browse::Captions,
        without: "Measure without a file of captions",
        clear: ScoresCommand::UseCaptions(None),
    };
    file_ui(ui, cx, captions);
    // Below both, as one job reads them: what was in use before stays in use.
    if let Some(problem) = &cx.state.models_problem {
        ui.horizontal_wrapped(|ui| {
            ui.add_space(size::GUTTER);
            ui.label(rich_text(problem, Type::Caption, tokens(ui).loss));
        });
        ui.add_space(6.0);
    }
}

fn file_ui(ui: &mut Ui, cx: &ViewContext<'_>, file: ScoresFile<'_>) {
    let wanted = vec2(ui.available_width(), size::BUTTON + 4.0);
    ui.allocate_ui_with_layout(wanted, Layout::left_to_right(Align::Center), |ui| {
        ui.add_space(size::GUTTER);
        ui.label(rich_text(file.name, Type::Caption, tokens(ui).dim));
        // From the right, so that the path gets whatever room the buttons leave.
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.add_space(8.0);
            let choose = Button::icon(icons::FOLDER, file.choose).look(Look::Tool);
            if choose.tooltip(file.tooltip).show(ui).clicked() {
                cx.send(Command::Browse(file.browse));
            }
            let Some(path) = file.path else {
                let words = RichText::new("none chosen").font(Type::Caption.font());
                ui.label(words.color(tokens(ui).dim));
                return;
            };
            let without = Button::icon(icons::CLOSE, file.without).look(Look::Tool);
            if without.tooltip("Go by no such file.").show(ui).clicked() {
                cx.send(Command::Scores(file.clear));
            }
            path_label_ui(ui, &path.display().to_string());
        });
    });
}
