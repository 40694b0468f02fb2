//! The menu of the pictures: what they are saved as.

use egui::Ui;

use crate::ui::commands::{CommandButton, CommandId, command};
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, rich_text};
use crate::workbench::{Browse, Command, StageForm};

/// How many pixels of a file there can be for each of the picture's.
const SCALES: std::ops::RangeInclusive<u8> = 1..=4;

/// Draws what is in it.
pub(super) fn picture_menu_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    ui.set_min_width(240.0);
    ui.horizontal(|ui| {
        ui.label(rich_text("Save the stage as PNG at", Type::Body, tokens(ui).text));
        for scale in SCALES {
            let (words, name) = (format!("{scale}×"), format!("Save the stage as PNG at {scale}×"));
            let button = Button::text(&words).named(&name).look(Look::Tool).compact();
            if button.show(ui).clicked() {
                let form = StageForm::Png;
                cx.send(Command::Browse(Browse::SaveStage { scale, form }));
                ui.close();
            }
        }
    });
    for id in [CommandId::SaveStageSvg, CommandId::SaveStagePdf, CommandId::SavePicture] {
        item_ui(ui, cx, id);
    }
    ui.separator();
    item_ui(ui, cx, CommandId::KeepStep);
    item_ui(ui, cx, CommandId::AddPicture);
}

fn item_ui(ui: &mut Ui, cx: &ViewContext<'_>, id: CommandId) {
    let command = command(id);
    let key = command.key(ui, cx.state).unwrap_or_default();
    let button = egui::Button::new(command.text).shortcut_text(key);
    let response = ui.add_enabled((command.enabled)(cx.state), button);
    if response.on_hover_text(command.tooltip).clicked() {
        CommandButton::text(id).press(cx);
    }
}
