//! Designs that were worked on before.

use egui::Ui;

use super::begin::open;
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{
    Button, Look, count, elided_label_ui, minute_words, rich_text, section_header_ui,
};
use crate::workbench::{AssistStart, EarlierDesign};

/// What was open when the last session ended, or broke off.
pub(super) fn again_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let Some(dir) = &cx.state.assist.again else { return };
    let tokens = tokens(ui);
    tokens.card_frame().show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            let button = Button::text("Go on where you were").look(Look::Primary);
            if button.with_icon(icons::AGAIN).show(ui).clicked() {
                open(cx, AssistStart::Again(dir.clone()));
            }
            let words = dir.display().to_string();
            elided_label_ui(ui, &words, Type::Caption, tokens.dim);
        });
    });
    ui.add_space(16.0);
}

/// Runs by hand of the folders that are open.
pub(super) fn designs_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let designs = cx.state.earlier_designs();
    section_header_ui(ui, "Worked on before", "");
    if designs.is_empty() {
        let words = "Designs that you work on by hand stand here afterwards.";
        ui.add(egui::Label::new(rich_text(words, Type::Body, tokens(ui).dim)).wrap());
    }
    for design in designs {
        design_ui(ui, cx, &design);
    }
}

fn design_ui(ui: &mut Ui, cx: &ViewContext<'_>, design: &EarlierDesign) {
    let EarlierDesign { title, started, steps, is_broken_off, start } = design;
    ui.horizontal(|ui| {
        let name = format!("Go on with {title} of {started}");
        let button = Button::text(title).named(&name).with_icon(icons::OPEN);
        if button.show(ui).clicked() {
            open(cx, start.clone());
        }
        let when = minute_words(started);
        let state = if *is_broken_off { " · broken off" } else { "" };
        let words = format!("{when} · {}{state}", count(*steps as usize, "step"));
        elided_label_ui(ui, &words, Type::Caption, tokens(ui).dim);
    });
}
