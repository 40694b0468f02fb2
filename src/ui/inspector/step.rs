//! The selected step: what was thought, what was called, what came of it, what it changed.

use egui::{Align, CollapsingHeader, Color32, Label, Layout, RichText, Ui};
use serde_json::Value;

use super::arguments;
use super::parts::{quiet_ui, section_ui, text_ui};
use crate::environment::{FailureClass, ToolFailure};
use crate::metric::{Needs, Score, VariantSpec};
use crate::run::{Step, StepOutcome, Turn};
use crate::task::Task;
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, category_ink, tokens};
use crate::ui::widgets::{
    Button, Look, caption_row_ui, duration, grouped, metric_change_words, metric_words,
    paint_numbers, rich_text, section_header_ui,
};
use crate::workbench::protocol::Answering;
use crate::workbench::views::{self, Inspector, Recording};
use crate::workbench::{Command, PictureKey, RunState, ScoresCommand};

/// Draws the sections.
pub(super) fn step_ui(ui: &mut Ui, cx: &ViewContext<'_>, inspector: &Inspector<'_>) {
    // Above the step: of a live run it is the newest there is.
    if let Some(answering) = inspector.answering {
        section_ui(ui, true, |ui| answering_ui(ui, answering));
    }
    let is_first = inspector.answering.is_none();
    match inspector.step {
        Some(step) => {
            section_ui(ui, is_first, |ui| {
                thought_ui(ui, inspector, inspector.turn);
                exchanges_link_ui(ui, cx);
            });
            section_ui(ui, false, |ui| {
                call_ui(ui, cx, inspector, step);
                ui.add_space(4.0);
                let by_hand = CommandButton::text(CommandId::ContinueByHand);
                by_hand.with_icon(icons::EDIT).show(ui, cx);
            });
            let plan = inspector.run.and_then(|run| run.plan.as_deref());
            if let Some(error) = plan.and_then(|plan| plan.error_at(step.number)) {
                section_ui(ui, false, |ui| super::plan::error_ui(ui, cx, error));
            }
            if let Some(outcome) = step.outcome.as_ref().filter(|it| has_outcome(it)) {
                section_ui(ui, false, |ui| outcome_ui(ui, outcome));
            }
        }
        None => section_ui(ui, is_first, |ui| start_ui(ui, inspector)),
    }
    for turn in inspector.closing_turns() {
        section_ui(ui, false, |ui| closing_turn_ui(ui, turn));
    }
    // Of a task that nothing can measure, a score that was recorded is shown all the same.
    let is_measured = inspector.task.is_none_or(Task::is_measurable);
    if is_measured || inspector.score.is_some() {
        section_ui(ui, false, |ui| change_ui(ui, cx, inspector));
    }
    if super::losses::has_heat(cx) {
        section_ui(ui, false, |ui| super::losses::losses_ui(ui, cx));
    }
    if let Some(checks) = views::edit_checks(cx.state) {
        section_ui(ui, false, |ui| super::checks::checks_ui(ui, cx, &checks));
    }
    if !inspector.diagnostics.is_empty() {
        section_ui(ui, false, |ui| list_ui(ui, "Not drawn", inspector.diagnostics));
    }
    if !inspector.notes.is_empty() {
        section_ui(ui, false, |ui| list_ui(ui, "Messages", inspector.notes));
    }
}

/// What has come of the next answer.
fn answering_ui(ui: &mut Ui, answering: &Answering) {
    let aside = if answering.waiting.is_some() { "waiting" } else { "answering" };
    section_header_ui(ui, &format!("Turn {}", answering.turn), aside);
    if let Some(why) = &answering.waiting {
        ui.add(Label::new(RichText::new(why).color(tokens(ui).warn)).wrap());
    }
    match answering.text.trim() {
        "" if answering.waiting.is_none() => quiet_ui(ui, "It was asked; nothing has come yet."),
        "" => {}
        text => {
            let words = RichText::new(text).color(tokens(ui).text).line_height(Some(17.0));
            ui.add(Label::new(words).wrap());
        }
    }
}

fn start_ui(ui: &mut Ui, inspector: &Inspector<'_>) {
    section_header_ui(ui, "Start state", "");
    let words = match inspector.state {
        // Why, the banner above says.
        RunState::Unreadable(_) => "Nothing of the run can be shown.",
        _ if inspector.run.is_none() => "Reading the run…",
        _ if inspector.recording == Recording::Pictures => "Before the first picture. Press →.",
        _ => "The canvas before the first call. Press → to go on.",
    };
    quiet_ui(ui, words);
    let recorded = inspector.manifest.imported.as_ref().and_then(|it| it.instruction.as_deref());
    let of_task = inspector.task.map(|task| task.instruction.as_str());
    if let Some(instruction) = recorded.or(of_task) {
        ui.add_space(8.0);
        section_header_ui(ui, "Instruction", "");
        text_ui(ui, "instruction", instruction, tokens(ui).text);
    }
}

fn thought_ui(ui: &mut Ui, inspector: &Inspector<'_>, turn: Option<&Turn>) {
    section_header_ui(ui, "Thought", &turn.map(turn_words).unwrap_or_default());
    match turn.map(|turn| turn.thought.trim()).filter(|thought| !thought.is_empty()) {
        Some(thought) => text_ui(ui, "thought", thought, tokens(ui).text),
        None if inspector.recording == Recording::Run => quiet_ui(ui, "No thought in this turn."),
        None => quiet_ui(ui, "Not recorded."),
    }
}

/// The way to what went over the wire in this turn, of a run that asked a model.
fn exchanges_link_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    if cx.state.exchange_list_key().is_some() {
        ui.add_space(4.0);
        CommandButton::text(CommandId::ShowExchanges).show(ui, cx);
    }
}

fn turn_words(turn: &Turn) -> String {
    let tokens = turn.usage.as_ref().map(|usage| usage.input_tokens + usage.output_tokens);
    let parts = [
        Some(format!("turn {}", turn.number)),
        turn.seconds.map(duration),
        tokens.map(|tokens| format!("{} tokens", grouped(tokens))),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn call_ui(ui: &mut Ui, cx: &ViewContext<'_>, inspector: &Inspector<'_>, step: &Step) {
    let tokens = tokens(ui);
    // Imported folders of pictures have steps without calls.
    let Some(call) = &step.call else {
        section_header_ui(ui, "Call", "");
        quiet_ui(ui, "Only pictures were recorded of this run, no calls.");
        return;
    };
    caption_row_ui(ui, |ui| {
        ui.label(rich_text("Call", Type::Section, tokens.dim));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let copy = Button::icon(icons::COPY, "Copy the call").look(Look::Tool).height(22.0);
            if copy.tooltip("Copy the call with all its arguments, as JSON.").show(ui).clicked() {
                ui.ctx().copy_text(arguments::as_json(call));
            }
            let outcome = step.outcome.as_ref();
            let is_imported = inspector.manifest.imported.is_some();
            let (words, color) = outcome_words(outcome, is_imported, tokens.gain, tokens.loss);
            ui.label(rich_text(words, Type::Caption, color));
        });
    });
    // The names of nodes come with the picture of the step; until it is there, ids stand alone.
    let key = PictureKey::Step(inspector.run_id, inspector.step_number);
    let nodes = cx.state.ready_picture(&key).map(|picture| &*picture.nodes).unwrap_or_default();
    tokens.card_frame().show(ui, |ui| {
        ui.set_width(ui.available_width());
        let name = RichText::new(&call.name).font(Type::Mono.font()).strong();
        ui.add(Label::new(name.color(category_ink(ui, step.category))).truncate());
        arguments::arguments_ui(ui, &call.arguments, nodes);
    });
}

/// What came of a call and how long it took; of an imported one only if its record says so.
fn outcome_words(
    outcome: Option<&StepOutcome>,
    is_imported: bool,
    good: Color32,
    bad: Color32,
) -> (String, Color32) {
    let Some(outcome) = outcome else { return ("no answer recorded".to_owned(), bad) };
    let (word, color) = if outcome.failure.is_some() { ("failed", bad) } else { ("done", good) };
    if is_imported && outcome.latency_ms <= 0.0 {
        return (word.to_owned(), color);
    }
    (format!("{word} · {}", duration(outcome.latency_ms / 1000.0)), color)
}

fn has_outcome(outcome: &StepOutcome) -> bool {
    outcome.failure.is_some() || !outcome.text.trim().is_empty() || outcome.structured.is_some()
}

fn outcome_ui(ui: &mut Ui, outcome: &StepOutcome) {
    if let Some(failure) = &outcome.failure {
        failure_ui(ui, failure);
        return;
    }
    section_header_ui(ui, "Outcome", "");
    let text = outcome.text.trim();
    // Tools that answer with data mostly say it in words as well: once is enough.
    if let Some(data) = said_data(text) {
        data_ui(ui, &data);
        if outcome.structured.as_ref().is_none_or(|structured| *structured == data) {
            return;
        }
    } else if !text.is_empty() {
        text_ui(ui, "outcome", text, tokens(ui).dim);
    }
    if let Some(structured) = &outcome.structured {
        ui.add_space(4.0);
        let title = rich_text("As data", Type::Caption, tokens(ui).dim);
        CollapsingHeader::new(title).id_salt("outcome_data").show(ui, |ui| {
            data_ui(ui, structured);
        });
    }
}

/// The object or list that an answer is, if it is nothing else.
fn said_data(text: &str) -> Option<Value> {
    // More than is worth reading anew every frame is shown as it is.
    const LONGEST: usize = 64 * 1024;
    let is_data = text.starts_with(['{', '[']) && text.len() <= LONGEST;
    is_data.then(|| serde_json::from_str(text).ok()).flatten()
}

fn data_ui(ui: &mut Ui, data: &Value) {
    let shown = rich_text(arguments::pretty(data), Type::Mono, tokens(ui).dim);
    ui.add(Label::new(shown).wrap().selectable(true));
}

fn failure_ui(ui: &mut Ui, failure: &ToolFailure) {
    let tokens = tokens(ui);
    section_header_ui(ui, "Failed", class_words(failure.class));
    egui::Frame::new()
        .fill(tokens.loss_wash)
        .corner_radius(crate::ui::theme::size::RADIUS)
        .inner_margin(egui::Margin::symmetric(10, 8))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            text_ui(ui, "failure", &failure.message, tokens.text);
        });
}

fn class_words(class: FailureClass) -> &'static str {
    match class {
        FailureClass::UnknownTool => "unknown tool",
        FailureClass::BadArguments => "bad arguments",
        FailureClass::UnknownNode => "unknown node",
        FailureClass::WrongNodeType => "wrong type of node",
        FailureClass::Render => "could not be drawn",
        FailureClass::Refused => "refused",
        FailureClass::UnknownExpert => "unknown expert",
        FailureClass::NotOfExpert => "another expert's action",
        FailureClass::MissingParameter => "parameter missing",
        FailureClass::ExtraParameter => "parameter too many",
        FailureClass::IllTypedParameter => "wrong type of value",
        FailureClass::OutOfRange => "value out of range",
        FailureClass::NoDocument => "no open document",
        FailureClass::UnknownLayer => "unknown layer",
        FailureClass::UnknownFile => "unknown file",
        FailureClass::WrongFormat => "wrong format",
        FailureClass::OffPage => "off the page",
        FailureClass::TooLarge => "too large",
        FailureClass::BrokeDown => "the tool broke down",
    }
}

/// What the step changed, by every metric that has a value: the one of the curve first.
fn change_ui(ui: &mut Ui, cx: &ViewContext<'_>, inspector: &Inspector<'_>) {
    let tokens = tokens(ui);
    let needs = inspector.variant.map(|variant| variant.needs);
    let against = if needs == Some(Needs::Query) { "the query" } else { "the ground truth" };
    section_header_ui(ui, "What it changed", &format!("against {against}"));
    let chosen = inspector.variant.map(|variant| &variant.id);
    match (&inspector.score, inspector.variant) {
        (Some(step), Some(variant)) => {
            change_row_ui(ui, cx, variant, Some(step.score), step.delta, true);
        }
        (None, _) | (_, None) => caption_row_ui(ui, |ui| {
            let label = inspector.variant.map_or("Score", |variant| variant.label);
            ui.label(RichText::new(label).color(tokens.dim));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let words = inspector.why_not_scored.unwrap_or("not scored yet");
                ui.label(RichText::new(words).color(tokens.dim));
            });
        }),
    }
    let scores = views::scores(cx.state);
    let mut labels: Vec<&str> = Vec::new();
    labels.extend(inspector.variant.map(|variant| variant.label));
    let mut missing = 0;
    for row in scores.rows.iter().filter(|row| Some(&row.variant.id) != chosen) {
        // One row a metric: the table of scores has all its variants.
        if labels.contains(&row.variant.label) {
            continue;
        }
        match row.now {
            Some(Score::Value(_)) => {
                labels.push(row.variant.label);
                change_row_ui(ui, cx, row.variant, row.now, row.delta, false);
            }
            Some(Score::Missing(_)) => missing += 1,
            None => {}
        }
    }
    if missing > 0 {
        ui.add_space(2.0);
        let words = format!("{missing} more cannot be computed here. Scores says why.");
        ui.label(rich_text(words, Type::Caption, tokens.dim));
    }
}

/// A metric with its value and its change; a click shows its curve.
fn change_row_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    variant: &VariantSpec,
    score: Option<&Score>,
    delta: Option<f64>,
    is_curve: bool,
) {
    let tokens = tokens(ui);
    caption_row_ui(ui, |ui| {
        let ink = if is_curve { tokens.text } else { tokens.dim };
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            match score {
                Some(Score::Value(value)) => {
                    // Less may be better: then a fall is the gain, and is coloured as one.
                    let change = delta.map(|delta| {
                        let words = metric_change_words(variant.range, delta);
                        (words, tokens.change(views::gain(variant, delta)), 58.0)
                    });
                    let change = change.unwrap_or((String::new(), tokens.dim, 58.0));
                    let value = (metric_words(variant.range, *value), tokens.text, 46.0);
                    for (words, color, width) in [change, value] {
                        number_ui(ui, &words, color, width);
                    }
                }
                Some(Score::Missing(why)) => {
                    ui.label(RichText::new(why.to_string()).color(tokens.dim));
                }
                None => {}
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let label = RichText::new(variant.label).color(ink);
                let label = ui.add(Label::new(label).truncate().sense(egui::Sense::click()));
                let name = format!("Show the curve of {}", variant.label);
                label.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Link, true, &name));
                let label = label.on_hover_text(variant.variant_label.as_ref());
                if label.on_hover_cursor(egui::CursorIcon::PointingHand).clicked() {
                    cx.send(Command::Scores(ScoresCommand::Choose(variant.id.clone())));
                }
            });
        });
    });
}

/// A number of a fixed width, so that numbers stand still while steps are played.
fn number_ui(ui: &mut Ui, words: &str, color: Color32, width: f32) {
    let (rect, response) = ui.allocate_exact_size(egui::vec2(width, 20.0), egui::Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, words));
    let (at, anchor) = (rect.right_center(), egui::Align2::RIGHT_CENTER);
    paint_numbers(ui.painter(), at, anchor, words, (Type::Medium, color));
}

/// A turn without calls after the step: what the agent said before it ended, mostly.
fn closing_turn_ui(ui: &mut Ui, turn: &Turn) {
    section_header_ui(ui, "Answer without a call", &turn_words(turn));
    match turn.thought.trim() {
        "" => quiet_ui(ui, "No words and no call."),
        words => text_ui(ui, "closing", words, tokens(ui).text),
    }
}

fn list_ui(ui: &mut Ui, title: &str, items: &[String]) {
    section_header_ui(ui, title, &items.len().to_string());
    // A page may have thousands of the same complaint.
    for item in items.iter().take(20) {
        let words = RichText::new(item).color(tokens(ui).dim);
        ui.add(Label::new(words).wrap().selectable(true));
        ui.add_space(4.0);
    }
    if items.len() > 20 {
        quiet_ui(ui, &format!("and {} more", items.len() - 20));
    }
}
