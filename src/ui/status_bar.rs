//! The line at the bottom: how much is open, what the pointer is on, where the keys are.

use egui::{Align, Label, Layout, Ui};

use super::commands::{CommandId, command};
use super::context::ViewContext;
use super::icons;
use super::theme::{Type, tokens};
use super::usage::{batch_words, left_basis};
use super::widgets::{Button, Look, count, elided_label_ui, grouped, kbd_ui, rich_text};
use crate::workbench::{
    AssistDesk, AssistStart, Command, Overlay, Recording, Saving, Workspace, views,
};

/// Draws the line. `readout`: what is under the pointer on the stage.
pub(super) fn status_bar_ui(ui: &mut Ui, cx: &ViewContext<'_>, readout: Option<&str>) {
    let tokens = tokens(ui);
    ui.horizontal_centered(|ui| {
        ui.add_space(6.0);
        match cx.state.workspace {
            Workspace::Annotate => labels_ui(ui, cx),
            Workspace::Assist if cx.state.assist.desk.is_some() => design_ui(ui, cx),
            _ => library_ui(ui, cx),
        }
        // Who labels blind is told nothing of what others made.
        if !cx.state.shows_blind_project() {
            scoring_ui(ui, cx);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(10.0);
            keys_hint_ui(ui, cx);
            // What is between both ends: a long readout is cut and moves nothing.
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                if let Some(readout) = readout {
                    elided_label_ui(ui, readout, Type::Caption, tokens.dim);
                }
            });
        });
    });
}

/// How much is open, and what is at work.
fn library_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let library = &cx.state.library;
    let tasks = library.sets.iter().map(|entry| entry.set.tasks.len()).sum();
    let counts = format!("{} · {}", count(library.runs.len(), "run"), count(tasks, "task"));
    ui.add(Label::new(rich_text(counts, Type::Caption, tokens(ui).dim)));
    ui.add_space(12.0);
    batch_ui(ui, cx);
}

/// Whether everything that was answered is on disk, and in which file.
fn labels_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let Some((labels, desk)) = cx.state.annotate.at_desk() else { return };
    let tokens = tokens(ui);
    let words = match desk.saving {
        Saving::Done | Saving::GoingOn if desk.review.is_some() => {
            format!("Everything is on disk · {}", labels.file_name())
        }
        Saving::Done | Saving::GoingOn => {
            let answers = count(desk.progress.answered(), "answer");
            format!("{answers} on disk · {}", labels.file_name())
        }
        Saving::Writing(_) => "Saving…".to_owned(),
        Saving::Failing { .. } => "The last answer is not on disk yet.".to_owned(),
    };
    ui.add(Label::new(rich_text(words, Type::Caption, tokens.dim)));
    ui.add_space(12.0);
}

/// Whether everything that was done to the design is on disk.
fn design_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let Some(desk) = &cx.state.assist.desk else { return };
    let tokens = tokens(ui);
    let done = desk.editor.steps();
    let is_practice = cx.state.assist.study.practice.is_some();
    let (words, ink) = match &desk.recording {
        _ if is_practice => ("Practice is not recorded".to_owned(), tokens.dim),
        Recording::Failing(why) => (format!("Not saved: {why}"), tokens.loss),
        Recording::Kept { step, .. } if *step >= done => ("Recorded".to_owned(), tokens.dim),
        Recording::Empty if done == 0 => ("Nothing to record yet".to_owned(), tokens.dim),
        Recording::Kept { .. } | Recording::Empty => ("Saving…".to_owned(), tokens.dim),
    };
    let words = format!("{words} · {}", count(usize::try_from(done).unwrap_or_default(), "step"));
    // A long reason leaves room for the keys at the other end.
    let most = ui.available_width() * 0.6;
    ui.scope(|ui| {
        ui.set_max_width(most);
        elided_label_ui(ui, &words, Type::Caption, ink);
    });
    ui.add_space(12.0);
    if let Some(words) = continued_words(cx, desk) {
        ui.add(Label::new(rich_text(words, Type::Caption, tokens.dim)));
        ui.add_space(12.0);
    }
}

/// Which run a design goes on with, and from where.
fn continued_words(cx: &ViewContext<'_>, desk: &AssistDesk) -> Option<String> {
    let AssistStart::Run(run, step) = desk.start else { return None };
    let agent = &cx.state.library.runs.get(&run)?.manifest.agent.name;
    Some(match step {
        0 => format!("Continues {agent} from its start"),
        step => format!("Continues {agent} from step {step}"),
    })
}

/// What the runs at work have cost so far, and how long they will go on.
fn batch_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    if cx.state.jobs.active_runs().next().is_none() {
        return;
    }
    let tokens = tokens(ui);
    let batch = views::batch_usage(cx.state);
    // Paused only when nothing goes on: one paused run among others is no news.
    let (icon, ink) = if batch.paused > 0 && batch.at_work == 0 {
        (icons::PAUSE, tokens.warn)
    } else {
        (icons::LIVE, tokens.accent)
    };
    ui.spacing_mut().item_spacing.x = 4.0;
    ui.add(Label::new(rich_text(icon, Type::IconSmall, ink)));
    let words = rich_text(batch_words(&batch), Type::Caption, tokens.dim);
    let response = ui.add(Label::new(words).sense(egui::Sense::click()));
    let basis = batch.left.as_ref().map(left_basis).unwrap_or_default();
    let response = response.on_hover_text(format!(
        "{} of {} ended. {basis}",
        batch.ended,
        count(batch.runs, "run")
    ));
    if response.clicked() {
        cx.send(Command::ToggleOverlay(Overlay::Jobs));
    }
    ui.add_space(12.0);
}

/// How far the scores of the library are, with a button that holds them back.
pub(super) fn scoring_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let Some(scoring) = views::library_scoring(cx.state) else { return };
    let tokens = tokens(ui);
    let (done, total) = (grouped(scoring.done as u64), grouped(scoring.total as u64));
    let (icon, name, tooltip) = if scoring.is_paused {
        (icons::PLAY, "Resume scoring", "Go on scoring runs in the background.")
    } else {
        let tooltip = "Stop scoring runs in the background; what is selected is still scored.";
        (icons::PAUSE, "Pause scoring", tooltip)
    };
    ui.spacing_mut().item_spacing.x = 4.0;
    let button = Button::icon(icon, name).look(Look::Tool).height(20.0).tooltip(tooltip);
    if button.show(ui).clicked() {
        cx.send(Command::PauseScoring(!scoring.is_paused));
    }
    let state = if scoring.is_paused { "Scoring paused" } else { "Scoring" };
    let words = format!("{state} · {done} of {total} runs");
    ui.add(Label::new(rich_text(words, Type::Caption, tokens.dim)));
    ui.add_space(12.0);
}

fn keys_hint_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    let command = command(CommandId::KeySheet);
    let words = rich_text("keys", Type::Caption, tokens.dim);
    let label = Label::new(words).sense(egui::Sense::click());
    let response = ui.add(label).on_hover_text(command.tooltip);
    kbd_ui(ui, &command.key(ui, cx.state).unwrap_or_default());
    if response.clicked() {
        cx.send(Command::ToggleOverlay(Overlay::Keys));
    }
}
