//! The menu of the pictures: what they are saved as.

use egui::Ui;

use crate::ui::commands::{CommandButton, CommandId};
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
        CommandButton::text(id).menu_item_ui(ui, cx);
    }
    ui.separator();
    CommandButton::text(CommandId::KeepStep).menu_item_ui(ui, cx);
    CommandButton::text(CommandId::AddPicture).menu_item_ui(ui, cx);
}
