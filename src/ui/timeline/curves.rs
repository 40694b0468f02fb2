//! The menu that chooses which curves the timeline shows.

use egui::{Id, Popup, PopupCloseBehavior, Rect, ScrollArea, Ui, pos2, vec2};

use super::legend::{end_words, value_words};
use crate::evaluate::figures::RUN_CURVES;
use crate::ui::commands::{CommandId, command};
use crate::ui::context::ViewContext;
use crate::ui::explore::save_buttons_ui;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, hairline_ui, rich_text, tick_look, tick_ui};
use crate::workbench::views::Timeline;
use crate::workbench::{Command, ScoresCommand};

/// Opens the menu, or closes it.
pub(crate) fn toggle_curves(ctx: &egui::Context) {
    Popup::toggle_id(ctx, menu_id());
}

fn menu_id() -> Id {
    Id::unique("timeline_curves_menu")
}

/// Draws the button at the left end of the legend, and the menu while it is open.
pub(super) fn curves_ui(ui: &mut Ui, cx: &ViewContext<'_>, timeline: &Timeline<'_>, legend: Rect) {
    let at = Rect::from_min_size(pos2(legend.left() - 4.0, legend.top() + 2.0), vec2(22.0, 22.0));
    let key = command(CommandId::ChooseCurves).key(ui, cx.state);
    let button = ui.scope_builder(egui::UiBuilder::new().max_rect(at), |ui| {
        Button::icon(icons::GAIN, "Curves")
            .look(Look::Tool)
            .height(22.0)
            .tooltip("Choose which curves the timeline shows.")
            .key(key)
            .show(ui)
    });
    let menu = Popup::menu(&button.inner)
        .id(menu_id())
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .align(egui::RectAlign::TOP_START);
    menu.show(|ui| menu_ui(ui, cx, timeline));
}

fn menu_ui(ui: &mut Ui, cx: &ViewContext<'_>, timeline: &Timeline<'_>) {
    let tokens = tokens(ui);
    ui.set_min_width(340.0);
    ui.set_max_width(340.0);
    ui.label(rich_text("Curves", Type::Section, tokens.dim));
    let send = |command| cx.send(Command::Scores(command));
    let chosen = timeline.variant.map(|variant| &variant.id);
    ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
        for variant in cx.state.listed_variants() {
            let is_chosen = Some(&variant.id) == chosen;
            let beside = timeline.beside.iter().find(|it| it.variant.id == variant.id);
            let name = format!("{} · {}", variant.label, variant.variant_label);
            ui.horizontal(|ui| {
                let mut is_on = is_chosen || beside.is_some();
                tick_look(ui);
                let tick = egui::Checkbox::new(&mut is_on, &name);
                let response = ui.add_enabled(!is_chosen, tick).on_hover_text(&*variant.id);
                if response.clicked() {
                    send(ScoresCommand::ToggleBeside(variant.id.clone()));
                }
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    let tooltip =
                        "Go by this one: it has the grid, the change bars, gains and losses.";
                    let go_by = Button::text("Go by").look(Look::Tool).compact().height(20.0);
                    let label = format!("Go by {name}");
                    if go_by.named(&label).selected(is_chosen).tooltip(tooltip).show(ui).clicked() {
                        send(ScoresCommand::Choose(variant.id.clone()));
                    }
                });
            });
            let end = if is_chosen { timeline.end() } else { beside.and_then(|it| it.end) };
            if is_chosen || beside.is_some() {
                let step = timeline.current;
                let score = timeline.run.curves.get(&variant.id, step);
                let value = value_words("Now", score, timeline.why_not_scored.is_none());
                let end = end.map(|end| format!(", {}", end_words(&end))).unwrap_or_default();
                ui.horizontal(|ui| {
                    ui.add_space(20.0);
                    ui.label(rich_text(value + &end, Type::Caption, tokens.dim));
                });
            }
        }
    });
    hairline_ui(ui);
    let tooltip = "Up for the better, down for the worse, by the metric that is gone by.";
    let shown = timeline.shows_changes;
    if let Some(on) = tick_ui(ui, "A bar for what each step changed", tooltip, shown) {
        send(ScoresCommand::ShowChanges(on));
    }
    let words = "The grid is that of the metric gone by; each other curve has a scale of its own, from its lowest value to its highest.";
    // In a menu's own layout words would be spread to both edges.
    ui.horizontal_wrapped(|ui| ui.label(rich_text(words, Type::Caption, tokens.dim)));
    hairline_ui(ui);
    ui.horizontal_wrapped(|ui| {
        ui.label(rich_text("Save the curves as", Type::Body, tokens.dim));
        save_buttons_ui(ui, cx, RUN_CURVES);
    });
}
