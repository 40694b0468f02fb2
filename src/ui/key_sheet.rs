//! Every key on one sheet, from the table of commands.

use egui::{Align, Id, Layout, Modal, RichText, ScrollArea, Ui, vec2};

use super::commands::{Group, TABLE};
use super::context::ViewContext;
use super::icons;
use super::theme::{Type, tokens};
use super::widgets::{Button, Look, kbd_ui, key_text, rich_text, section_header_ui};
use crate::workbench::Command;

/// What the mouse does, and the one key that is held; not commands, but nobody would guess them.
const BESIDES: [(&str, &str, Group); 6] = [
    ("Ground truth in place of the run", "hold G", Group::Stage),
    ("Zoom at the pointer", "wheel", Group::Stage),
    ("Move the pictures", "drag", Group::Stage),
    ("Fit", "double click", Group::Stage),
    ("Select the node there", "click", Group::Stage),
    ("Walk, fold and unfold in the list", "arrows", Group::Nodes),
];

/// Draws the sheet.
pub(super) fn key_sheet_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    let modal = Modal::new(Id::unique("key_sheet"))
        .backdrop_color(tokens.backdrop)
        .frame(tokens.overlay_frame().inner_margin(16));
    let room = ui.ctx().content_rect().size();
    let response = modal.show(ui.ctx(), |ui| {
        ui.set_width((room.x - 80.0).clamp(320.0, 720.0));
        ui.horizontal(|ui| {
            ui.label(rich_text("Keys", Type::Display, tokens.text));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let close = Button::icon(icons::CLOSE, "Close").look(Look::Tool);
                if close.key(Some("Esc".to_owned())).show(ui).clicked() {
                    cx.send(Command::CloseOverlay);
                }
            });
        });
        ui.add_space(6.0);
        let height = room.y - 140.0;
        let area = ScrollArea::vertical().max_height(height).min_scrolled_height(height);
        area.show(ui, |ui| {
            ui.spacing_mut().item_spacing.x = 32.0;
            // In two columns of about one height, which no order of the groups gives by itself.
            ui.columns_const(|[left, right]| {
                let [timeline, stage, nodes, scores, library, runs, workbench] = Group::ALL;
                groups_ui(left, [timeline, library, runs, workbench]);
                groups_ui(right, [stage, nodes, scores]);
            });
        });
    });
    if response.should_close() {
        cx.send(Command::CloseOverlay);
    }
}

fn groups_ui<const N: usize>(ui: &mut Ui, groups: [Group; N]) {
    ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
    for group in groups {
        section_header_ui(ui, group.label(), "");
        for command in TABLE.iter().filter(|command| command.group == group) {
            let keys: Vec<String> = command.keys.iter().map(|key| key_text(ui, *key)).collect();
            row_ui(ui, command.text.trim_end_matches('…'), &keys);
        }
        // After the commands of the group they belong to.
        for (words, key, _) in BESIDES.iter().filter(|(_, _, at)| *at == group) {
            row_ui(ui, words, &[(*key).to_owned()]);
        }
        ui.add_space(12.0);
    }
}

fn row_ui(ui: &mut Ui, words: &str, keys: &[String]) {
    let wanted = vec2(ui.available_width(), 23.0);
    ui.allocate_ui_with_layout(wanted, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_height(23.0);
        ui.label(RichText::new(words).color(tokens(ui).text));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            ui.add_space(4.0);
            for key in keys.iter().rev() {
                kbd_ui(ui, key);
            }
        });
    });
}
