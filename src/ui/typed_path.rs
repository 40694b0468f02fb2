//! A path asked for in the window, where the system has no dialog to show.

use std::path::{Path, PathBuf};

use egui::{Id, Key, Layout, Modal, Modifiers, Ui, vec2};

use super::context::ViewContext;
use super::path_field::path_field_ui;
use super::theme::{Type, tokens};
use super::widgets::{Button, Look, rich_text};
use crate::workbench::{Command, PathKind, TypedPath, views, with_extension};

const WIDTH: f32 = 520.0;

/// Draws the field with what it is for, why it is here, and what will come of it.
pub(super) fn typed_path_ui(ui: &Ui, cx: &ViewContext<'_>) {
    let Some(before) = &cx.state.typed_path else { return };
    let tokens = tokens(ui);
    let modal = Modal::new(Id::unique("typed_path"))
        .backdrop_color(tokens.backdrop)
        .frame(tokens.overlay_frame().inner_margin(16));
    let room = ui.ctx().content_rect().width();
    let response = modal.show(ui.ctx(), |ui| {
        ui.set_width((room - 80.0).clamp(280.0, WIDTH));
        ui.label(rich_text(before.what.title(), Type::Title, tokens.text));
        ui.add_space(4.0);
        let why = "The system's file dialog could not be shown (xdg-desktop-portal with a backend, or \
                   zenity, brings one). Type the path here; Tab completes it.";
        ui.add(egui::Label::new(rich_text(why, Type::Body, tokens.dim)).wrap());
        ui.add_space(10.0);
        let id = Id::unique("typed_path_field");
        // The first time it is drawn; whoever presses Tab later goes on to the buttons.
        if ui.ctx().memory(|memory| memory.focused().is_none()) {
            ui.ctx().memory_mut(|memory| memory.request_focus(id));
        }
        let path = Path::new(&before.text);
        let edited = path_field_ui(ui, cx, id, Some(path), ("Path", "~/folder/name"));
        // What was typed in this frame counts for an Enter in it.
        let typed = &TypedPath { text: edited.unwrap_or_else(|| before.text.clone()), ..*before };
        ui.add_space(6.0);
        let note = note(cx, typed);
        ui.label(rich_text(&note.words, Type::Caption, note.color(tokens)));
        ui.add_space(10.0);
        let row = vec2(ui.available_width(), 28.0);
        ui.allocate_ui_with_layout(row, Layout::right_to_left(egui::Align::Center), |ui| {
            let name = if is_there(cx, typed) {
                "Replace"
            } else if is_written(typed) {
                "Save"
            } else {
                "Open"
            };
            let can_go_on = has_name(typed);
            let button = Button::text(name).look(Look::Primary).enabled(can_go_on);
            let is_clicked = button.key(Some("Enter".to_owned())).show(ui).clicked();
            let is_entered = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
            if can_go_on && (is_clicked || is_entered) {
                cx.send(Command::ChoosePath(typed.what, PathBuf::from(typed.text.trim())));
            } else if *typed != *before {
                cx.send(Command::EditTypedPath(typed.text.clone()));
            }
            if Button::text("Cancel").key(Some("Esc".to_owned())).show(ui).clicked() {
                cx.send(Command::CloseOverlay);
            }
        });
    });
    if response.should_close() {
        cx.send(Command::CloseOverlay);
    }
}

/// What stands below the field.
struct Remark {
    words: String,
    is_warning: bool,
}

impl Remark {
    fn color(&self, tokens: &super::theme::Tokens) -> egui::Color32 {
        if self.is_warning { tokens.warn } else { tokens.dim }
    }
}

/// What will come of what is typed, as far as the folder was read.
fn note(cx: &ViewContext<'_>, typed: &TypedPath) -> Remark {
    let (words, is_warning) = match typed.what.path_kind() {
        PathKind::NewFile(..) if is_there(cx, typed) => {
            ("A file of this name is there and will be replaced.".to_owned(), true)
        }
        PathKind::NewFile(kind, extension, _) => (format!("{kind}, .{extension}"), false),
        PathKind::Folder => ("A folder".to_owned(), false),
        PathKind::File(Some((kind, _))) => (kind.to_owned(), false),
        PathKind::File(None) => ("A file".to_owned(), false),
    };
    Remark { words, is_warning }
}

/// Whether what would be written is there already, as far as the folder was read; with the end that its name gets.
fn is_there(cx: &ViewContext<'_>, typed: &TypedPath) -> bool {
    let PathKind::NewFile(_, extension, _) = typed.what.path_kind() else { return false };
    let whole = with_extension(PathBuf::from(typed.text.trim()), extension);
    let whole = whole.to_string_lossy();
    views::completions(cx.state, &whole).iter().any(|it| it.text == whole)
}

fn is_written(typed: &TypedPath) -> bool {
    matches!(typed.what.path_kind(), PathKind::NewFile(..))
}

/// Whether a name stands behind the folder: a file cannot be written to a folder.
fn has_name(typed: &TypedPath) -> bool {
    let text = typed.text.trim();
    let is_folder = text.ends_with(['/', '\\']);
    !text.is_empty() && (!is_written(typed) || !is_folder)
}
