//! The list of jobs: what works in the background, how far it is, how it ended.

use egui::{Align, Align2, Area, Id, Layout, Order, RichText, ScrollArea, Ui, vec2};

use super::context::ViewContext;
use super::icons;
use super::theme::{Type, size, tokens};
use super::widgets::{Button, Look, elided_label, progress_bar};
use crate::workbench::{Command, Job, JobId, JobOutcome, views};

const WIDTH: f32 = 340.0;

/// Draws the list below its button.
pub(super) fn jobs_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let area = Area::new(Id::unique("jobs"))
        .order(Order::Foreground)
        .anchor(Align2::RIGHT_TOP, vec2(-12.0, size::TOP_BAR + 4.0));
    let response = area.show(ui.ctx(), |ui| {
        tokens(ui).overlay_frame().show(ui, |ui| {
            ui.set_width(WIDTH);
            ui.spacing_mut().item_spacing.y = 4.0;
            header_ui(ui, cx);
            list_ui(ui, cx);
        });
    });
    if response.response.clicked_elsewhere() && !clicked_in_top_bar(ui) {
        cx.send(Command::CloseOverlay);
    }
}

/// The button that shows the list hides it too; it must not be hidden and shown at once.
fn clicked_in_top_bar(ui: &Ui) -> bool {
    ui.input(|input| input.pointer.interact_pos().is_some_and(|pos| pos.y < size::TOP_BAR))
}

fn header_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Jobs").font(Type::Title.font()).color(tokens(ui).text));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let ended = views::listed_jobs(cx.state).any(|(_, job)| job.outcome.is_some());
            let clear = Button::text("Clear ended").look(Look::Tool).enabled(ended);
            if clear.tooltip("Take ended jobs off the list.").show(ui).clicked() {
                cx.send(Command::ClearEndedJobs);
            }
        });
    });
}

fn list_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    if views::listed_jobs(cx.state).next().is_none() {
        let words = "Nothing works in the background. Launch an agent with R.";
        ui.add(egui::Label::new(RichText::new(words).color(tokens(ui).dim)).wrap());
        return;
    }
    ScrollArea::vertical().max_height(320.0).min_scrolled_height(320.0).show(ui, |ui| {
        ui.set_width(WIDTH);
        for (id, job) in views::listed_jobs(cx.state).take(200) {
            job_ui(ui, cx, id, job);
        }
    });
}

fn job_ui(ui: &mut Ui, cx: &ViewContext<'_>, id: JobId, job: &Job) {
    let tokens = tokens(ui);
    ui.horizontal(|ui| {
        ui.set_min_height(size::ROW);
        ui.spacing_mut().item_spacing.x = 6.0;
        let (icon, color) = match &job.outcome {
            None => (icons::LIVE, tokens.accent),
            Some(JobOutcome::Done) => (icons::DONE, tokens.gain),
            Some(JobOutcome::Cancelled) => (icons::STOPPED, tokens.dim),
            Some(JobOutcome::Failed(_)) => (icons::ERROR, tokens.loss),
        };
        ui.label(RichText::new(icon).font(Type::Icon.font()).color(color));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if job.outcome.is_none() {
                let name = format!("Stop {}", job.label);
                let stop = Button::icon(icons::CLOSE, &name).look(Look::Tool).height(22.0);
                let tooltip = "Stop it; what was recorded stays.";
                if stop.tooltip(tooltip).show(ui).clicked() {
                    cx.send(Command::CancelJob(id));
                }
                progress_bar(ui, &job.label, job.progress.fraction(), 64.0);
            }
            let words = RichText::new(state_words(job)).font(Type::Caption.font());
            ui.label(words.color(tokens.dim));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                elided_label(ui, &job.label, Type::Body, tokens.text);
            });
        });
    });
    if let Some(JobOutcome::Failed(why)) = &job.outcome {
        ui.horizontal(|ui| {
            ui.add_space(22.0);
            let words = RichText::new(why).font(Type::Caption.font()).color(tokens.loss);
            ui.add(egui::Label::new(words).wrap().selectable(true));
        });
    }
}

fn state_words(job: &Job) -> String {
    match &job.outcome {
        None => job.progress.message.clone(),
        Some(JobOutcome::Done) => "done".to_owned(),
        Some(JobOutcome::Cancelled) => "stopped".to_owned(),
        Some(JobOutcome::Failed(_)) => "failed".to_owned(),
    }
}
