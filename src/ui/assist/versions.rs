//! Versions of the design: the bar while one is looked at, and the name that is asked for.

use egui::{Align, Id, Key, Layout, Modal, Modifiers, TextEdit, Ui, vec2};

use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, rich_text};
use crate::workbench::{AssistCommand, AssistDesk, Command, DesignVersion, FilesCommand};

/// How high the bar is.
pub(super) const BAR: f32 = 36.0;
/// How wide the question is.
const WIDTH: f32 = 360.0;

/// The bar over a version that is looked at: which it is, those beside it, and what to do with it.
pub(super) fn version_bar_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &AssistDesk) {
    let files = &desk.files;
    let Some((at, version)) = files.viewed.zip(files.viewed()) else { return };
    let tokens = tokens(ui);
    let DesignVersion { name, at: when, .. } = version;
    ui.horizontal_centered(|ui| {
        ui.add_space(8.0);
        let earlier = Button::icon(icons::STEP_BACK, "Earlier version").look(Look::Tool);
        if earlier.enabled(at > 0).show(ui).clicked() {
            files_command(cx, FilesCommand::View(at.checked_sub(1)));
        }
        let later = Button::icon(icons::STEP_FORWARD, "Later version").look(Look::Tool);
        if later.enabled(at + 1 < files.versions.len()).show(ui).clicked() {
            files_command(cx, FilesCommand::View(Some(at + 1)));
        }
        ui.label(rich_text(format!("Version “{name}”"), Type::Strong, tokens.text));
        let when = when.get(..16).unwrap_or(when).replace('T', " ");
        ui.label(rich_text(when, Type::Caption, tokens.dim));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(8.0);
            let tooltip = "Make the design what it was then, as one step that can be undone.";
            let restore = Button::text("Restore").look(Look::Primary).tooltip(tooltip);
            if restore.show(ui).clicked() {
                files_command(cx, FilesCommand::Restore);
            }
            let back = Button::text("Back").tooltip("Go back to the design as it is.");
            if back.show(ui).clicked() {
                files_command(cx, FilesCommand::View(None));
            }
        });
    });
}

/// The question for the name of a version, while it is asked.
pub(super) fn version_name_ui(ui: &Ui, cx: &ViewContext<'_>, desk: &AssistDesk) {
    let Some(before) = &desk.files.naming else { return };
    let tokens = tokens(ui);
    let modal = Modal::new(Id::unique("version_name"))
        .backdrop_color(tokens.backdrop)
        .frame(tokens.overlay_frame().inner_margin(16));
    let response = modal.show(ui.ctx(), |ui| {
        ui.set_width(WIDTH);
        ui.label(rich_text("Name this version", Type::Title, tokens.text));
        ui.add_space(8.0);
        let mut name = before.clone();
        let id = Id::unique("version_name_field");
        let field = TextEdit::singleline(&mut name).id(id).desired_width(f32::INFINITY);
        let field = ui.add(field.hint_text("Before the colours"));
        field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Name"));
        if ui.ctx().memory(|memory| memory.focused().is_none()) {
            field.request_focus();
        }
        ui.add_space(12.0);
        let row = vec2(ui.available_width(), 28.0);
        ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
            let has_name = !name.trim().is_empty();
            let button = Button::text("Name it").look(Look::Primary).enabled(has_name);
            let is_clicked = button.key(Some("Enter".to_owned())).show(ui).clicked();
            let is_entered = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
            if has_name && (is_clicked || is_entered) {
                files_command(cx, FilesCommand::NameVersion(name.clone()));
            } else if name != *before {
                files_command(cx, FilesCommand::AskName(Some(name.clone())));
            }
            if Button::text("Cancel").show(ui).clicked() {
                files_command(cx, FilesCommand::AskName(None));
            }
        });
    });
    if response.should_close() {
        files_command(cx, FilesCommand::AskName(None));
    }
}

fn files_command(cx: &ViewContext<'_>, command: FilesCommand) {
    cx.send(Command::Assist(AssistCommand::Files(command)));
}
