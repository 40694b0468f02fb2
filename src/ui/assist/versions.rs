//! Versions of the design: the bar with all of them while one is looked at, and the name that is asked for.

use std::collections::BTreeMap;

use egui::{
    Align, Align2, Id, Key, Layout, Modal, Modifiers, Rect, Role, ScrollArea, Sense, Stroke,
    StrokeKind, TextEdit, TextureHandle, TextureOptions, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use super::questions::Question;
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, picture_tint, tokens};
use crate::ui::widgets::{
    Button, Look, allocate_stable_of, color_image, hairline_ui, minute_words, paint_text, rich_text,
};
use crate::workbench::{
    AssistCommand, AssistDesk, Command, DesignPicture, DesignPictureKey, DesignVersion,
    FilesCommand,
};

/// How high the bar is.
pub(super) const BAR: f32 = 144.0;
/// How high a small picture is, and how wide its place.
const PICTURE: f32 = 80.0;
const CELL: f32 = 88.0;
/// How wide the question is.
const WIDTH: f32 = 360.0;

/// What belongs to the versions alone.
#[derive(Default)]
pub(super) struct Versions {
    /// Whether a name was asked for when the room was last drawn.
    is_naming: bool,
    /// Their small pictures.
    shown: BTreeMap<DesignPictureKey, TextureHandle>,
}

impl std::fmt::Debug for Versions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Versions").field("shown", &self.shown.len()).finish_non_exhaustive()
    }
}

impl Versions {
    /// The bar over a version that is looked at: which it is, what to do with it, and below that all of them.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, desk: &AssistDesk) {
        let keys = desk.version_keys();
        self.shown.retain(|key, _| keys.contains(key));
        head_ui(ui, cx, desk);
        hairline_ui(ui);
        ScrollArea::horizontal().auto_shrink([false, true]).show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.add_space(8.0);
                for (at, key) in keys.iter().enumerate() {
                    self.version_ui(ui, cx, desk, at, key);
                }
            });
        });
    }

    fn version_ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        at: usize,
        key: &DesignPictureKey,
    ) {
        let Some(DesignVersion { name, at: when, .. }) = desk.files.versions.get(at) else {
            return;
        };
        let tokens = tokens(ui);
        let (cell, response) =
            allocate_stable_of(ui, at, vec2(CELL, PICTURE + 20.0), Sense::click());
        let words = format!("Version {name} of {}", minute_words(when));
        let is_viewed = desk.files.viewed == Some(at);
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_viewed, &words));
        if response.clicked() {
            files_command(cx, FilesCommand::View(Some(at)));
        }
        let frame = Rect::from_min_size(cell.min + vec2(0.0, 2.0), vec2(CELL, PICTURE - 4.0));
        ui.painter().rect_filled(frame, 4, tokens.raised);
        // While it is the one on the canvas its own picture is made, at the canvas's scale.
        let pictures = &cx.state.derived.design_pictures;
        let picture = pictures.ready(key).or_else(|| {
            let shown = desk.picture_key();
            pictures.ready(&shown).filter(|_| shown.revision == key.revision)
        });
        if let Some(picture) = picture {
            let texture = self.shown.entry(*key).or_insert_with(|| texture_of(ui, picture));
            let place = fitted(texture.size_vec2(), frame.shrink(2.0));
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            ui.painter().image(texture.id(), place, whole, picture_tint(1.0));
        }
        if is_viewed {
            let line = Stroke::new(2.0, tokens.accent);
            ui.painter().rect_stroke(frame, 4, line, StrokeKind::Inside);
        }
        let below = pos2(cell.left(), cell.bottom() - 8.0);
        let style = (Type::Caption, if is_viewed { tokens.text } else { tokens.dim });
        paint_text(ui.painter(), below, Align2::LEFT_CENTER, name, style, CELL);
        response.on_hover_text(words);
    }
}

fn texture_of(ui: &Ui, picture: &DesignPicture) -> TextureHandle {
    ui.ctx().load_texture("version", color_image(&picture.pixels), TextureOptions::LINEAR)
}

/// As large as it fits, in the middle.
fn fitted(size: Vec2, room: Rect) -> Rect {
    let scale = (room.width() / size.x.max(1.0)).min(room.height() / size.y.max(1.0));
    Rect::from_center_size(room.center(), size * scale)
}

fn head_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &AssistDesk) {
    let Some(DesignVersion { name, at: when, .. }) = desk.files.viewed() else { return };
    let tokens = tokens(ui);
    let row = vec2(ui.available_width(), 36.0);
    ui.allocate_ui_with_layout(row, Layout::left_to_right(Align::Center), |ui| {
        ui.add_space(8.0);
        ui.label(rich_text(format!("Version “{name}”"), Type::Strong, tokens.text));
        ui.label(rich_text(minute_words(when), Type::Caption, tokens.dim));
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

impl Versions {
    /// The question for the name of a version, while it is asked.
    pub(super) fn name_ui(&mut self, ui: &Ui, cx: &ViewContext<'_>, desk: &AssistDesk) {
        let is_new = desk.files.naming.is_some() && !self.is_naming;
        self.is_naming = desk.files.naming.is_some();
        if let Some(before) = &desk.files.naming {
            version_name_ui(ui, cx, before, is_new);
        }
    }
}

/// Asks for the name; what was typed of it so far is `before`.
fn version_name_ui(ui: &Ui, cx: &ViewContext<'_>, before: &str, is_new: bool) {
    let tokens = tokens(ui);
    let modal = Modal::new(Question::VersionName.id())
        .backdrop_color(tokens.backdrop)
        .frame(tokens.overlay_frame().inner_margin(16));
    let response = modal.show(ui.ctx(), |ui| {
        ui.set_width(WIDTH);
        ui.label(rich_text("Name this version", Type::Title, tokens.text));
        ui.add_space(8.0);
        let mut name = before.to_owned();
        let id = Id::unique("version_name_field");
        let field = TextEdit::singleline(&mut name).id(id).desired_width(f32::INFINITY);
        let field = ui.add(field.hint_text("Before the colours"));
        field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Name"));
        // From the canvas too, whose keys would be tools and no letters.
        if is_new || ui.ctx().memory(|memory| memory.focused().is_none()) {
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
            } else if name != before {
                files_command(cx, FilesCommand::AskName(Some(name.clone())));
            }
            if Button::text("Cancel").key(Some("Esc".to_owned())).show(ui).clicked() {
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
