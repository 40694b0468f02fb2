//! The buttons above the pictures.

use egui::{Align, Layout, Ui};

use super::view_bar;
use crate::ui::commands::{CommandButton, CommandId, command};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::widgets::{Button, Look};
use crate::workbench::{Command, StageCommand, StagePane, views};

/// From which width of the stage on the buttons of the views have words.
const WITH_VIEW_WORDS: f32 = 760.0;
/// And all others.
const WITH_WORDS: f32 = 1020.0;

/// Draws the buttons. `scale`: points a pixel of the ground truth.
pub(super) fn toolbar_ui(ui: &mut Ui, cx: &ViewContext<'_>, scale: f32) {
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.add_space(8.0);
        let width = ui.available_width();
        view_bar::views_ui(ui, cx, width > WITH_VIEW_WORDS);
        ui.add_space(6.0);
        let roomy = width > WITH_WORDS;
        let shown = views::panes(cx.state);
        // Where it lies over the run, it has no pane of its own.
        let overlaid = shown.contains(&StagePane::Overlaid).then(|| views::against_pane(cx.state));
        for (pane, id, icon, words) in [
            (StagePane::Run, CommandId::ShowRun, icons::RUN, "Run"),
            (
                StagePane::GroundTruth,
                CommandId::ShowGroundTruth,
                icons::GROUND_TRUTH,
                "Ground truth",
            ),
            (StagePane::Heat, CommandId::ShowHeat, icons::HEAT, "Heat"),
        ] {
            let button = CommandButton::icon(id, icon);
            // The state keeps the pane for the next task, though this one may have nothing for it.
            let is_on = cx.state.stage.panes.contains(&pane)
                && (pane == StagePane::Run || shown.contains(&pane) || overlaid == Some(pane));
            let button = button.selected(is_on);
            let is_asked = pane == StagePane::GroundTruth && cx.state.asks_in_words();
            let words = if is_asked { "Asked for" } else { words };
            if roomy { button.short(words) } else { button }.show(ui, cx);
        }
        let boxes = CommandButton::icon(CommandId::ShowBoxes, icons::BOXES);
        let boxes = boxes.selected(cx.state.stage.boxes);
        if roomy { boxes.short("Boxes") } else { boxes }.show(ui, cx);
        view_bar::slots_menu_ui(ui, cx);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.add_space(8.0);
            zoom_ui(ui, cx, scale);
        });
    });
}

/// Fit, the zoom with its menu, and one step in and out; from the right.
fn zoom_ui(ui: &mut Ui, cx: &ViewContext<'_>, scale: f32) {
    let fitted = cx.state.stage.zoom.is_none();
    CommandButton::icon(CommandId::Fit, icons::FIT).selected(fitted).show(ui, cx);
    let words = percent(scale);
    let name = format!("Zoom {words}");
    let menu = Button::text(&words)
        .named(&name)
        .look(Look::Tool)
        .tooltip("Screen points a pixel of the ground truth. Click for fixed zooms.")
        .show(ui);
    egui::Popup::menu(&menu).show(|ui| {
        ui.set_min_width(150.0);
        for (id, zoom) in [
            (CommandId::Fit, "Fit"),
            (CommandId::ActualSize, "100 %"),
            (CommandId::Zoom2, "200 %"),
            (CommandId::Zoom4, "400 %"),
            (CommandId::Zoom8, "800 %"),
        ] {
            let key = command(id).key(ui, cx.state).unwrap_or_default();
            if ui.add(egui::Button::new(zoom).shortcut_text(key)).clicked() {
                CommandButton::text(id).press(cx);
            }
        }
        // The fixed zooms above have keys; these are only here.
        for zoom in [0.25, 0.5] {
            if ui.button(percent(zoom)).clicked() {
                cx.send(Command::Stage(StageCommand::Zoom(zoom)));
            }
        }
    });
}

fn percent(scale: f32) -> String {
    let percent = scale * 100.0;
    if percent < 9.95 { format!("{percent:.1} %") } else { format!("{percent:.0} %") }
}
