//! Who is asked, and the menu of that.

use egui::{Align, Layout, Popup, PopupCloseBehavior, Ui, vec2};

use super::parts::{HEADER, send, source_words};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, elided_label_ui, hairline_ui, rich_text};
use crate::workbench::{AssistDesk, AssistantCommand, AssistantSource, Fetched};

/// The seconds of inactivity after which a step may be offered unasked.
const IDLE_SECS: [f64; 3] = [10.0, 30.0, 60.0];

/// Draws the row.
pub(super) fn header_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &AssistDesk) {
    let tokens = tokens(ui);
    let wanted = vec2(ui.available_width(), HEADER);
    ui.allocate_ui_with_layout(wanted, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_height(HEADER);
        ui.add_space(12.0);
        ui.label(rich_text("Assistant", Type::Title, tokens.text));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(8.0);
            let menu = Button::icon(icons::MORE, "Who is asked").look(Look::Tool);
            let menu = menu.tooltip("Choose who is asked, and when.").show(ui);
            Popup::menu(&menu)
                .close_behavior(PopupCloseBehavior::CloseOnClick)
                .show(|ui| menu_ui(ui, cx, desk));
            let shows = desk.assistant.shows_measures;
            let measures = Button::icon(icons::TABLE, "How it went").look(Look::Tool);
            let tooltip = "Show how you and the assistant worked together, in numbers.";
            if measures.selected(shows).tooltip(tooltip).show(ui).clicked() {
                send(cx, AssistantCommand::ShowMeasures(!shows));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let words = source_words(desk);
                elided_label_ui(ui, &words, Type::Body, tokens.dim);
            });
        });
    });
    hairline_ui(ui);
}

fn menu_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &AssistDesk) {
    ui.set_min_width(220.0);
    let chosen = &desk.assistant.source;
    let mut sources = Vec::new();
    if desk.goal_design().is_some() {
        sources.push((AssistantSource::Answer, "Without a model (knows the answer)".to_owned()));
    }
    let rules = match desk.brief {
        Some(_) => "Without a model (checks the brief)",
        None => "Without a model (looks for flaws)",
    };
    sources.push((AssistantSource::Flaws, rules.to_owned()));
    for name in model_names(cx) {
        let words = format!("Model {name}");
        sources.push((AssistantSource::Model(name), words));
    }
    for (source, words) in sources {
        if ui.radio(*chosen == source, words).clicked() {
            send(cx, AssistantCommand::Choose(source));
        }
    }
    ui.separator();
    let idle = desk.assistant.idle_secs;
    if ui.radio(idle.is_none(), "Only when asked").clicked() {
        send(cx, AssistantCommand::AfterIdle(None));
    }
    for secs in IDLE_SECS {
        let words = format!("Also after {secs:.0} s of inactivity");
        if ui.radio(idle == Some(secs), words).clicked() {
            send(cx, AssistantCommand::AfterIdle(Some(secs)));
        }
    }
}

/// The models that can be asked: those that are named for runs, and those of the file of models as far as it was read.
fn model_names(cx: &ViewContext<'_>) -> Vec<String> {
    let named = cx.state.launch.model_names().into_iter().map(str::to_owned);
    let mut names: Vec<String> = named.collect();
    if let Some(Fetched::Ready(listed)) = cx.state.launch_models() {
        for model in listed.iter() {
            if !names.contains(&model.name) {
                names.push(model.name.clone());
            }
        }
    }
    names
}
