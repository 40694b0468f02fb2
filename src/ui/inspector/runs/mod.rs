//! The runs on the stage beside each other: which of their steps go together, where they diverge for good, and
//! what of the ground truth all of them have, or none.
//!
//! [`strip`] is the picture of all rows, [`rows`] the list of them, [`consensus`] what stands below it.

mod consensus;
mod rows;
mod strip;

use egui::{Align, Align2, Frame, Layout, Panel, Sense, Ui, pos2, vec2};

use super::parts::{quiet_ui, section_ui};
use crate::evaluate::alignment::{DivergenceKind, LastingDivergence};
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{
    caption_row_ui, elided_label_ui, hairline_ui, paint_numbers, paint_text, progress_bar_ui,
    rich_text, say,
};
use crate::workbench::AlignedRuns;
use crate::workbench::views::{RunBeside, RunsBeside, runs_beside};

/// What a run's letter takes across.
const LETTER: f32 = 30.0;
/// Most arguments that are named where runs diverge.
const ARGUMENTS: usize = 4;
/// Characters of a value that are shown.
const VALUE: usize = 20;

/// Draws the view.
pub(super) fn runs_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let Some(view) = runs_beside(cx.state) else {
        quiet_ui(ui, "Put another run beside this one to see where they diverge.");
        return;
    };
    ui.add_space(4.0);
    section_ui(ui, true, |ui| {
        for (at, run) in view.runs.iter().enumerate() {
            run_ui(ui, &view, at, run);
        }
        ui.add_space(6.0);
        match view.aligned {
            Some(aligned) => {
                strip::strip_ui(ui, cx, &view, aligned);
                divergence_ui(ui, cx, &view, aligned);
            }
            None => waiting_ui(ui, &view),
        }
        ui.add_space(6.0);
    });
    let Some(aligned) = view.aligned else { return };
    hairline_ui(ui);
    let room = ui.available_height();
    Panel::bottom("runs_consensus")
        .resizable(true)
        .default_size((room * 0.42).max(96.0))
        .size_range(64.0..=(room - 96.0).max(64.0))
        .frame(Frame::new().fill(tokens(ui).panel))
        .show(ui, |ui| consensus::consensus_ui(ui, cx, &view));
    rows::rows_ui(ui, cx, &view, aligned);
}

fn waiting_ui(ui: &mut Ui, view: &RunsBeside<'_>) {
    if let Some(problem) = &view.problem {
        ui.label(rich_text(problem, Type::Body, tokens(ui).loss));
        return;
    }
    let known = view.progress.filter(|progress| progress.total > 0);
    let words = match known {
        Some(progress) => format!("Going through the runs: {}", progress.message),
        None => "Going through the runs…".to_owned(),
    };
    quiet_ui(ui, &words);
    let share = known.map(|progress| progress.done as f32 / progress.total as f32);
    progress_bar_ui(ui, "Going through the runs", share, ui.available_width());
}

/// A run: its letter, its name and the step it shows; below it how much of it is like the selected one.
fn run_ui(ui: &mut Ui, view: &RunsBeside<'_>, at: usize, run: &RunBeside<'_>) {
    let tokens = tokens(ui);
    // The first is what the others are held against: beside itself it has nothing to say.
    let like = view.aligned.and_then(|aligned| aligned.like_first.get(at)).filter(|_| at > 0);
    let height = if like.is_some() { 36.0 } else { size::ROW };
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let painter = ui.painter();
    let upper = rect.top() + 12.0;
    let style = (Type::Strong, tokens.text);
    paint_text(painter, pos2(rect.left(), upper), Align2::LEFT_CENTER, run.letter(), style, LETTER);
    let steps = format!("{} / {}", run.step, run.run.steps);
    let right = pos2(rect.right(), upper);
    let style = (Type::Body, tokens.dim);
    let numbers = paint_numbers(painter, right, Align2::RIGHT_CENTER, &steps, style);
    let left = rect.left() + LETTER;
    let name = &run.run.manifest.agent.name;
    let style = (Type::Body, tokens.text);
    let room = numbers.left() - left - 8.0;
    paint_text(painter, pos2(left, upper), Align2::LEFT_CENTER, name, style, room);
    let mut spoken = format!("{} {name}, step {} of {}", run.letter(), run.step, run.run.steps);
    if let Some(like) = like {
        let words = format!(
            "alike: {} calls, {} changes, {} pictures",
            like.calls, like.effects, like.pictures
        );
        let style = (Type::Caption, tokens.dim);
        let lower = pos2(left, rect.top() + 27.0);
        paint_text(painter, lower, Align2::LEFT_CENTER, &words, style, rect.right() - left);
        spoken = format!("{spoken}; beside the run {words}");
    }
    say(ui, ("run_beside", at), rect, &spoken);
}

/// Where the runs diverge for good, and by what.
fn divergence_ui(ui: &mut Ui, cx: &ViewContext<'_>, view: &RunsBeside<'_>, aligned: &AlignedRuns) {
    let tokens = tokens(ui);
    ui.add_space(6.0);
    let Some(divergence) = &aligned.alignment.divergence else {
        caption_row_ui(ui, |ui| {
            ui.label(rich_text("They end with the same canvas.", Type::Strong, tokens.gain));
        });
        return;
    };
    caption_row_ui(ui, |ui| {
        let words = rich_text(divergence_words(divergence), Type::Strong, tokens.text);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            CommandButton::text(CommandId::GoToDivergence).short("Go there").compact().show(ui, cx);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(egui::Label::new(words).truncate());
            });
        });
    });
    // What each did there, below one another: the difference is mostly in one word.
    for (run, step) in view.runs.iter().zip(&divergence.steps) {
        let call = step.and_then(|step| Some((step, run.call(step))));
        let words = match (step, call.and_then(|(_, call)| call)) {
            (Some(step), Some(call)) => format!("step {step} · {}", call.name),
            (Some(step), None) => format!("step {step}"),
            (None, _) => "no such step".to_owned(),
        };
        let ink = if step.is_some() { tokens.text } else { tokens.dim };
        pair_ui(ui, run.letter(), |ui| {
            elided_label_ui(ui, &words, Type::Body, ink);
        });
    }
    for difference in view.differing.iter().take(ARGUMENTS) {
        let values: Vec<String> =
            difference.values.iter().map(|value| short(value.as_deref())).collect();
        let words = format!("{}: {}", difference.name, values.join(" → "));
        elided_label_ui(ui, &words, Type::Caption, tokens.dim);
    }
    let more = view.differing.len().saturating_sub(ARGUMENTS);
    if more > 0 {
        elided_label_ui(ui, &format!("and {more} more"), Type::Caption, tokens.dim);
    }
    if divergence.reconverged > 0 {
        let times = if divergence.reconverged == 1 { "once" } else { "several times" };
        let words = format!("They diverged {times} before, and reconverged.");
        elided_label_ui(ui, &words, Type::Caption, tokens.dim);
    }
}

fn short(value: Option<&str>) -> String {
    let Some(value) = value else { return "none".to_owned() };
    let cut: String = value.chars().take(VALUE).collect();
    if cut.len() < value.len() { format!("{cut}…") } else { cut }
}

fn pair_ui(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let left = ui.cursor().left();
        ui.label(rich_text(name, Type::Caption, tokens(ui).dim));
        ui.add_space((left + LETTER - ui.cursor().left()).max(0.0));
        add(ui);
    });
}

fn divergence_words(divergence: &LastingDivergence) -> String {
    match divergence.kind {
        DivergenceKind::Start => "They begin with different canvases".to_owned(),
        DivergenceKind::Outcome => "They diverge: one call, two outcomes".to_owned(),
        DivergenceKind::Arguments => "They diverge: other arguments".to_owned(),
        DivergenceKind::Tools => "They diverge: other tools".to_owned(),
        DivergenceKind::OnlySome => "They diverge: a step that not all have".to_owned(),
    }
}
