//! The menu that puts agents' runs beside people in the results of a study.

use egui::{Label, Popup, PopupCloseBehavior, ScrollArea, Ui};

use super::parts::study;
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, TickState, check_ui, count, rich_text};
use crate::workbench::views::{AgentFolder, agent_folders};
use crate::workbench::{StudyCommand, StudyDesk};

/// How wide the menu is, and how high at most.
const WIDTH: f32 = 440.0;
const HEIGHT: f32 = 360.0;
/// How far a name stands behind its tick.
const TICK: f32 = 20.0;

/// The button and its menu.
pub(super) fn agents_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &StudyDesk) {
    let tip = "Runs of agents at the study's tasks, judged as people's attempts are: a condition of their own.";
    let button = Button::text("Agents beside people…").look(Look::Raised).tooltip(tip);
    let is_on = cx.state.explore.view.study_agents.contains_key(&desk.dir);
    let button = button.selected(is_on).show(ui);
    // Several folders are chosen in one go.
    let menu = Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    menu.show(|ui| {
        ui.set_width(WIDTH);
        let folders = agent_folders(cx.state);
        if folders.is_empty() {
            let words = "No runs are open. Open a folder of agents' runs, then tick it here.";
            ui.label(rich_text(words, Type::Caption, tokens(ui).dim));
        }
        ScrollArea::vertical().max_height(HEIGHT).show(ui, |ui| {
            for folder in &folders {
                folder_ui(ui, cx, folder);
            }
        });
    });
}

fn folder_ui(ui: &mut Ui, cx: &ViewContext<'_>, folder: &AgentFolder<'_>) {
    let name = folder.dir.display().to_string();
    let aside = match folder.runs {
        0 => "not open".to_owned(),
        runs => format!("{} of {}", folder.of_study(), count(runs, "run")),
    };
    if check_ui(ui, &name, &aside, TickState::of(folder.is_counted), 0.0) {
        study(cx, StudyCommand::ToggleAgents(folder.dir.to_path_buf()));
    }
    if !folder.agents.is_empty() {
        let agents = folder.agents.iter();
        let agents = agents.map(|((name, mode), runs)| format!("{name} · {mode}: {runs}"));
        caption_ui(ui, &agents.collect::<Vec<_>>().join(", "));
    }
    if !folder.left_out.is_empty() {
        let left = folder.left_out.iter().map(|(why, runs)| format!("{runs} {}", why.words()));
        caption_ui(ui, &format!("Left out: {}", left.collect::<Vec<_>>().join(", ")));
    }
}

fn caption_ui(ui: &mut Ui, words: &str) {
    ui.horizontal(|ui| {
        // Below the name, and not below its tick.
        ui.add_space(TICK);
        ui.vertical(|ui| {
            ui.add(Label::new(rich_text(words, Type::Caption, tokens(ui).dim)).wrap());
        });
    });
}
