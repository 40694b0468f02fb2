//! What runs are exported as, and how: the run on the stage, or what is selected in the table.

use std::ops::RangeInclusive;

use egui::{Align, DragValue, Id, Key, Label, Layout, Modal, Modifiers, Ui, vec2};

use super::context::ViewContext;
use super::icons;
use super::theme::{Type, tokens};
use super::widgets::{
    Button, Look, Several, add_stable, caption_row_ui, choice_ui, count, escape_left_field,
    rich_text, section_header_ui, tick_ui,
};
use crate::workbench::{
    Browse, Command, DemonstrationLines, ExportBadge, ExportChoices, ExportForm, ExportSteps,
    RunsExport, State,
};

const WIDTH: f32 = 520.0;
/// What the words before fields take across, so that fields stand below each other.
const WORDS: f32 = 150.0;

/// Draws the dialog.
pub(super) fn export_ui(ui: &Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    let modal = Modal::new(Id::unique("export_runs"))
        .backdrop_color(tokens.backdrop)
        .frame(tokens.overlay_frame().inner_margin(16));
    let room = ui.ctx().content_rect().width();
    let kind = cx.state.export_kind();
    let form = cx.state.settings.export.form(kind);
    let response = modal.show(ui.ctx(), |ui| {
        ui.set_width((room - 80.0).clamp(280.0, WIDTH));
        ui.label(rich_text("Export", Type::Title, tokens.text));
        ui.add(Label::new(rich_text(of_what(cx.state), Type::Caption, tokens.dim)).truncate());
        ui.add_space(8.0);
        kinds_ui(ui, cx, kind);
        ui.add(Label::new(rich_text(kind.description(), Type::Body, tokens.dim)).wrap());
        forms_ui(ui, cx, kind, form);
        options_ui(ui, cx, kind, form);
        ui.add_space(14.0);
        buttons_ui(ui, cx, (kind, form));
    });
    if !escape_left_field(ui.ctx()) && response.should_close() {
        cx.send(Command::CloseOverlay);
    }
}

/// Which runs are exported, in words.
fn of_what(state: &State) -> String {
    let runs = state.runs_to_export();
    let only = if let [run] = runs.as_slice() { state.library.runs.get(run) } else { None };
    match only {
        Some(run) => format!("{} on {}", run.manifest.agent.name, run.task.id),
        None => count(runs.len(), "run"),
    }
}

fn kinds_ui(ui: &mut Ui, cx: &ViewContext<'_>, kind: RunsExport) {
    let is_of_run = cx.state.export_kinds() == RunsExport::OF_RUN;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        for known in cx.state.export_kinds() {
            let words = known.label();
            let choice = choice_ui(ui, words, words, *known == kind, Several::No);
            if choice.on_hover_text(known.description()).clicked() {
                choose(cx, |choices| {
                    *(if is_of_run { &mut choices.of_run } else { &mut choices.of_runs }) = *known;
                });
            }
        }
    });
    ui.add_space(6.0);
}

fn forms_ui(ui: &mut Ui, cx: &ViewContext<'_>, kind: RunsExport, form: ExportForm) {
    if kind.forms().len() < 2 {
        return;
    }
    section_header_ui(ui, "File", "");
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        for known in kind.forms() {
            let words = known.label();
            if choice_ui(ui, words, words, *known == form, Several::No).clicked() {
                choose(cx, |choices| choices.set_form(kind, *known));
            }
        }
    });
    if form.needs_ffmpeg() {
        let words = "Made by ffmpeg, which has to be installed (package ffmpeg).";
        ui.add(Label::new(rich_text(words, Type::Caption, tokens(ui).dim)).wrap());
    }
}

fn options_ui(ui: &mut Ui, cx: &ViewContext<'_>, kind: RunsExport, form: ExportForm) {
    let choices = &cx.state.settings.export;
    if !matches!(kind, RunsExport::Report | RunsExport::Canvas) {
        section_header_ui(ui, "Options", "");
    }
    match kind {
        RunsExport::ContactSheet => {
            steps_ui(ui, cx);
            number_ui(ui, cx, ("Most pictures", ""), choices.most, 1..=400, |it, most| {
                it.most = most;
            });
            number_ui(ui, cx, ("Pictures a row", ""), choices.columns, 1..=40, |it, columns| {
                it.columns = columns;
            });
            let width = choices.sheet_width;
            number_ui(ui, cx, ("Width of a picture", "points"), width, 20..=1200, |it, width| {
                it.sheet_width = width;
            });
        }
        RunsExport::Animation => {
            steps_ui(ui, cx);
            number_ui(ui, cx, ("A step takes", "ms"), choices.delay, 10..=10_000, |it, delay| {
                it.delay = delay;
            });
            number_ui(
                ui,
                cx,
                ("The last one stays", "ms"),
                choices.hold,
                0..=60_000,
                |it, hold| {
                    it.hold = hold;
                },
            );
            let width = choices.animation_width;
            number_ui(ui, cx, ("Least width", "pixels"), width, 50..=4000, |it, width| {
                it.animation_width = width;
            });
            let tip = "Show what the task wants at the right of each picture.";
            if let Some(truth) = tick_ui(ui, "Ground truth beside it", tip, choices.truth) {
                choose(cx, |choices| choices.truth = truth);
            }
        }
        RunsExport::Page => {
            let width = choices.page_width;
            number_ui(ui, cx, ("Least width", "pixels"), width, 50..=4000, |it, width| {
                it.page_width = width;
            });
        }
        RunsExport::Grid => grid_ui(ui, cx),
        RunsExport::Demonstrations => demonstrations_ui(ui, cx),
        RunsExport::Report | RunsExport::Canvas => {}
    }
    // The other forms have no pixels, and an animation has a width in pixels itself.
    if form == ExportForm::Png && matches!(kind, RunsExport::ContactSheet | RunsExport::Grid) {
        let scale = choices.scale;
        number_ui(ui, cx, ("Pixels a point", ""), scale, 1..=8, |it, scale| it.scale = scale);
    }
}

fn grid_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let choices = &cx.state.settings.export;
    let width = choices.grid_width;
    number_ui(ui, cx, ("Width of a picture", "points"), width, 20..=1200, |it, width| {
        it.grid_width = width;
    });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        for (badge, words) in
            [(ExportBadge::Score, "Score below"), (ExportBadge::Pos, "Pos@K below")]
        {
            let is_chosen = choices.badge == badge;
            if choice_ui(ui, words, words, is_chosen, Several::No).clicked() {
                choose(cx, |choices| choices.badge = badge);
            }
        }
    });
    let tip = "Put below each picture what was written of its run: the note on it, and that on its last step.";
    if let Some(notes) = tick_ui(ui, "Notes below", tip, choices.notes) {
        choose(cx, |choices| choices.notes = notes);
    }
    let tip = "Draw boxes around the nodes that are not as they were at the start.";
    if let Some(changed) = tick_ui(ui, "Box what changed", tip, choices.changed) {
        choose(cx, |choices| choices.changed = changed);
    }
}

fn demonstrations_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let choices = &cx.state.settings.export;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        for (lines, words, tip) in [
            (
                DemonstrationLines::Runs,
                "A line a run",
                "Each run is one chat, from its start to its end.",
            ),
            (
                DemonstrationLines::Steps,
                "A line a step",
                "Each turn is a chat of its own, with what was on the canvas before it.",
            ),
        ] {
            let is_chosen = choices.demonstration_lines == lines;
            let choice = choice_ui(ui, words, words, is_chosen, Several::No);
            if choice.on_hover_text(tip).clicked() {
                choose(cx, |choices| choices.demonstration_lines = lines);
            }
        }
    });
    let tip = "Put pictures into the lines: what is to be arrived at, and with a line a step the canvas before it.";
    if let Some(pictures) = tick_ui(ui, "Pictures", tip, choices.demonstration_pictures) {
        choose(cx, |choices| choices.demonstration_pictures = pictures);
    }
    let tip = "Of runs that people took over from an agent: what they did, preferred to what the agent did from the \
               same state. Written beside the file, as NAME.preferences.jsonl; both runs have to be among those exported.";
    if let Some(preferences) = tick_ui(ui, "Preference pairs", tip, choices.preferences) {
        choose(cx, |choices| choices.preferences = preferences);
    }
    let words = "Runs that do not come out as they were recorded are left out, and named.";
    ui.add(Label::new(rich_text(words, Type::Caption, tokens(ui).dim)).wrap());
}

/// Which pictures of the run are shown.
fn steps_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let choices = &cx.state.settings.export;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        for (steps, words, tip) in [
            (
                ExportSteps::Every,
                "Every step",
                "Each picture that looks another than the one before.",
            ),
            (ExportSteps::Turns, "Ends of turns", "The last picture of each turn."),
        ] {
            let is_chosen = choices.steps == steps;
            let choice = choice_ui(ui, words, words, is_chosen, Several::No);
            if choice.on_hover_text(tip).clicked() {
                choose(cx, |choices| choices.steps = steps);
            }
        }
    });
    // Of several runs a range would mean other steps in each.
    let marked = cx.state.selection.range.filter(|_| cx.state.runs_to_export().len() == 1);
    if let Some(range) = marked {
        let words = format!("Only the marked steps {} to {}", range.first, range.last);
        let tip = "Leave out what lies before and after the range that is marked on the timeline.";
        if let Some(within) = tick_ui(ui, &words, tip, choices.within_range) {
            choose(cx, |choices| choices.within_range = within);
        }
    }
}

/// A whole number with words around it.
fn number_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    (before, after): (&str, &str),
    value: u32,
    range: RangeInclusive<u32>,
    put: impl FnOnce(&mut ExportChoices, u32),
) {
    caption_row_ui(ui, |ui| {
        let start = ui.cursor().left();
        ui.label(rich_text(before, Type::Body, tokens(ui).dim));
        ui.add_space((start + WORDS - ui.cursor().left()).max(0.0));
        let mut number = value;
        let field = DragValue::new(&mut number).range(range).speed(0.5);
        let response = add_stable(ui, field).accessible_name(before);
        ui.label(rich_text(after, Type::Body, tokens(ui).dim));
        if response.changed() {
            choose(cx, |choices| put(choices, number));
        }
    });
}

fn choose(cx: &ViewContext<'_>, change: impl FnOnce(&mut ExportChoices)) {
    let mut choices = cx.state.settings.export.clone();
    change(&mut choices);
    cx.send(Command::ChooseExport(Box::new(choices)));
}

fn buttons_ui(ui: &mut Ui, cx: &ViewContext<'_>, (kind, form): (RunsExport, ExportForm)) {
    let row = vec2(ui.available_width(), 28.0);
    ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
        let can_export = !cx.state.runs_to_export().is_empty();
        let button = Button::text("Export…").with_icon(icons::EXPORT).look(Look::Primary);
        let button = button.key(Some("Enter".to_owned())).enabled(can_export);
        let is_clicked = button.tooltip("Choose where it goes.").show(ui).clicked();
        // Enter on a choice chooses it.
        let is_free = ui.memory(|memory| memory.focused().is_none());
        let is_entered =
            is_free && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        if can_export && (is_clicked || is_entered) {
            cx.send(Command::Browse(Browse::Runs(kind, form)));
        }
        if Button::text("Cancel").key(Some("Esc".to_owned())).show(ui).clicked() {
            cx.send(Command::CloseOverlay);
        }
    });
}
