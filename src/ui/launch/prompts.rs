//! The prompts that an experiment compares: the program's own, and folders of others.

use std::path::{Path, PathBuf};

use egui::{Align, Id, Key, Layout, Ui};

use super::parts::{label_ui, wrapped_ui};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::path_field::path_field_ui;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{
    Button, Look, TickState, caption_row_ui, check_row_ui, check_ui, count, rich_text,
};
use crate::workbench::{Browse, Command, ExperimentEdit, Fetched, LaunchEdit, PromptFolder, views};

/// How far the name of a row stands behind its tick.
const TICK: f32 = 28.0;

/// A row to tick for each, and a field for another folder.
pub(super) fn prompts_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let prompts = &cx.state.launch.experiment.prompts;
    caption_row_ui(ui, |ui| {
        label_ui(ui, "Prompts");
        if check_ui(ui, "Built-in prompts", "", TickState::of(prompts.built_in), 1.0) {
            send(cx, ExperimentEdit::TogglePrompts(None));
        }
    });
    for (at, folder) in prompts.folders.iter().enumerate() {
        folder_ui(ui, cx, at, folder);
    }
    ui.add_space(2.0);
    add_ui(ui, cx);
    ui.add_space(4.0);
}

/// A folder: its tick, how much is in it, what is wrong with it, and a button that takes it out.
fn folder_ui(ui: &mut Ui, cx: &ViewContext<'_>, at: usize, folder: &PromptFolder) {
    let name = cx.state.launch.experiment.prompts.name_of(folder);
    let aside = match cx.state.derived.prompt_folders.get(folder.path.as_path()) {
        Some(Fetched::Ready(listed)) => count(listed.prompts, "prompt"),
        Some(Fetched::Pending) => "reading…".to_owned(),
        Some(Fetched::Failed(_)) | None => String::new(),
    };
    caption_row_ui(ui, |ui| {
        label_ui(ui, "");
        // The button first, from the right: the row gets the room that it leaves.
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let remove = format!("Remove {name}");
            let button = Button::icon(icons::CLOSE, &remove).look(Look::Tool).height(22.0);
            if button.tooltip("Take the folder out of the list.").show(ui).clicked() {
                send(cx, ExperimentEdit::RemovePrompts(folder.path.clone()));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let row = check_row_ui(ui, &name, &aside, TickState::of(folder.is_on), 1.0);
                if row.clicked() {
                    send(cx, ExperimentEdit::TogglePrompts(Some(folder.path.clone())));
                }
                row.on_hover_text(folder.path.display().to_string());
            });
        });
    });
    if let Some(why) = views::why_no_prompts(cx.state, at) {
        ui.horizontal(|ui| {
            label_ui(ui, "");
            // Below the name, and not below its tick.
            ui.add_space(TICK);
            wrapped_ui(ui, rich_text(why, Type::Caption, tokens(ui).loss));
        });
    }
}

/// A folder more: by the system's dialog, or typed.
fn add_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let before = cx.state.launch.experiment.prompts.typed.as_str();
    caption_row_ui(ui, |ui| {
        label_ui(ui, "");
        // Buttons first, from the right, so that the path gets the room they leave.
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let browse = Button::text("Add folder…").height(24.0);
            let tooltip = "Compare the prompts of another folder: each file of it replaces the \
                           built-in prompt of its name.";
            if browse.tooltip(tooltip).show(ui).clicked() {
                cx.send(Command::Browse(Browse::PromptFolder));
            }
            let add = Button::icon(icons::ADD, "Add the typed folder").look(Look::Tool);
            let add = add.height(24.0).enabled(!before.trim().is_empty());
            let is_clicked = add.key(Some("Enter".to_owned())).show(ui).clicked();
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let id = Id::unique("launch_prompts");
                let had_focus = ui.memory(|memory| memory.has_focus(id));
                let path = Some(Path::new(before));
                let edited = path_field_ui(ui, cx, id, path, ("Folder of prompts", "~/prompts"));
                // Not where Enter takes a completion: the field keeps the keyboard then.
                let is_left = had_focus && !ui.memory(|memory| memory.has_focus(id));
                let is_entered = is_left && ui.input(|input| input.key_pressed(Key::Enter));
                let typed = edited.as_deref().unwrap_or(before).trim();
                if (is_clicked || is_entered) && !typed.is_empty() {
                    let path = PathBuf::from(typed);
                    cx.send(Command::ChoosePath(Browse::PromptFolder, path));
                    // The next one can be typed at once.
                    ui.memory_mut(|memory| memory.request_focus(id));
                } else if let Some(text) = edited {
                    send(cx, ExperimentEdit::TypePrompts(text));
                }
            });
        });
    });
}

fn send(cx: &ViewContext<'_>, edit: ExperimentEdit) {
    cx.send(Command::EditLaunch(LaunchEdit::Experiment(edit)));
}
