//! The list of jobs: what works in the background, how far it is, what it costs, how it ended.

use egui::{
    Align, Align2, Area, Color32, Id, Layout, Order, Rect, RichText, Role, ScrollArea, Sense, Ui,
    UiBuilder, WidgetInfo, pos2, vec2,
};

use super::commands::{CommandButton, CommandId};
use super::context::ViewContext;
use super::icons;
use super::status_bar::scoring_ui;
use super::theme::{Tokens, Type, size, tokens};
use super::usage::{batch_words, left_basis, run_words};
use super::widgets::{Button, Look, hairline_ui, paint_text, progress_bar_ui, rich_text, sentence};
use crate::workbench::views::BatchUsage;
use crate::workbench::{
    Command, Job, JobId, JobKind, JobOutcome, LibraryRun, NoticeLevel, Pause, RunsCommand,
    RunsTarget, views,
};

const WIDTH: f32 = 440.0;
/// Two lines.
const ROW: f32 = 42.0;
const HEIGHT: f32 = 378.0;

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
            let batch = views::batch_usage(cx.state);
            batch_ui(ui, cx, &batch);
            providers_ui(ui, &batch);
            list_ui(ui, cx);
            notices_ui(ui, cx);
        });
    });
    // The list covers nothing and takes no keys, so a click beside it is meant for what is there,
    // too.
    // The button that shows the list hides it too; it must not be hidden and shown at once.
    let pos = ui.input(|input| input.pointer.interact_pos());
    let in_top_bar = pos.is_some_and(|pos| pos.y < size::TOP_BAR);
    if response.response.clicked_elsewhere() && !in_top_bar {
        cx.send(Command::CloseOverlay);
    }
}

/// What was told in this session.
fn notices_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    if cx.state.notices.is_empty() {
        return;
    }
    hairline_ui(ui);
    ui.horizontal(|ui| {
        ui.label(rich_text("Notices", Type::Title, tokens(ui).text));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if Button::text("Clear notices").look(Look::Tool).show(ui).clicked() {
                cx.send(Command::ClearNotices);
            }
        });
    });
    ScrollArea::vertical().id_salt("notices").max_height(140.0).show(ui, |ui| {
        // The newest on top: they were seen last, or not at all.
        for notice in cx.state.notices.iter().rev() {
            let ink = match notice.level {
                NoticeLevel::Info => tokens(ui).dim,
                NoticeLevel::Warning => tokens(ui).warn,
                NoticeLevel::Error => tokens(ui).loss,
            };
            ui.add(egui::Label::new(rich_text(sentence(&notice.text), Type::Body, ink)).wrap());
        }
    });
}

fn header_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    ui.horizontal(|ui| {
        ui.label(rich_text("Jobs", Type::Title, tokens(ui).text));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let ended = views::listed_jobs(cx.state).any(|(_, job)| job.outcome.is_some());
            let clear = Button::text("Clear ended").look(Look::Tool).enabled(ended);
            if clear.tooltip("Take ended jobs off the list.").show(ui).clicked() {
                cx.send(Command::ClearEndedJobs);
            }
        });
    });
}

/// All runs of the batch together: what they cost so far, and what can be done to all of them.
fn batch_ui(ui: &mut Ui, cx: &ViewContext<'_>, batch: &BatchUsage<'_>) {
    if cx.state.jobs.active_runs().next().is_none() {
        return;
    }
    let tokens = tokens(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        // All of them: as long as one goes on, the button pauses the others as well.
        let is_paused = cx.state.jobs.active_runs().all(|(_, job)| job.pause.is_on());
        let (icon, words) =
            if is_paused { (icons::PLAY, "Resume all") } else { (icons::PAUSE, "Pause all") };
        CommandButton::icon(CommandId::PauseAll, icon).short(words).show(ui, cx);
        CommandButton::icon(CommandId::StopAll, icons::STOP).short("Stop all").show(ui, cx);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let ended = format!("{} of {} ended", batch.ended, batch.runs);
            ui.label(rich_text(ended, Type::Caption, tokens.dim));
        });
    });
    let words = rich_text(batch_words(batch), Type::Caption, tokens.dim);
    let response = ui.add(egui::Label::new(words).wrap());
    if let Some(left) = &batch.left {
        response.on_hover_text(left_basis(left));
    }
    hairline_ui(ui);
}

/// What was asked of each provider of models by the runs of the batch, also when they have ended: a
/// batch that was refused or cut off often is to be seen without opening its runs.
fn providers_ui(ui: &mut Ui, batch: &BatchUsage<'_>) {
    let tokens = tokens(ui);
    for (provider, asked) in batch.providers.iter().filter(|(_, asked)| asked.attempts > 0) {
        let odd =
            asked.refusals + asked.malformed_answers + asked.malformed_calls + asked.length_stops;
        let ink = if odd > 0 { tokens.warn } else { tokens.dim };
        let words = RichText::new(format!("{}: {asked}", provider.replace('_', " ")));
        ui.add(egui::Label::new(words.font(Type::Caption.font()).color(ink)).wrap());
    }
}

fn list_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let jobs: Vec<(JobId, &Job)> = views::listed_jobs(cx.state).collect();
    // Many small jobs that come and go, and one row.
    let is_scoring = views::library_scoring(cx.state).is_some();
    if is_scoring {
        ui.horizontal(|ui| scoring_ui(ui, cx));
    }
    if jobs.is_empty() {
        if !is_scoring {
            let words = "Nothing works in the background. Launch an agent with R.";
            ui.add(egui::Label::new(RichText::new(words).color(tokens(ui).dim)).wrap());
        }
        return;
    }
    // Only rows in sight are drawn: a batch may have thousands of runs.
    let area = ScrollArea::vertical().max_height(HEIGHT).min_scrolled_height(HEIGHT);
    ui.spacing_mut().item_spacing.y = 0.0;
    area.show_rows(ui, ROW, jobs.len(), |ui, range| {
        ui.set_width(WIDTH);
        for (id, job) in jobs.get(range).unwrap_or_default() {
            job_ui(ui, cx, *id, job);
        }
    });
}

fn job_ui(ui: &mut Ui, cx: &ViewContext<'_>, id: JobId, job: &Job) {
    let tokens = tokens(ui);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ROW));
    let run = job.run.and_then(|run| cx.state.library.runs.get(&run));
    // A run that has not begun is not in the library and has nothing to show.
    if run.is_some() {
        ground_ui(ui, cx, rect, job);
    }
    let is_queued = views::is_queued(cx.state, job) && !job.pause.is_on();
    let (icon, color) = if is_queued { (icons::QUEUED, tokens.dim) } else { icon_of(job, tokens) };
    let middle = Align2::CENTER_CENTER;
    let at = pos2(rect.left() + 10.0, rect.top() + 13.0);
    paint_text(ui.painter(), at, middle, icon, (Type::Icon, color), 20.0);
    // Drawn before the words, which take the room that the buttons leave.
    let right = buttons_ui(ui, cx, rect, id, job);
    let left = Align2::LEFT_CENTER;
    let (x, room) = (rect.left() + 26.0, right - rect.left() - 34.0);
    let at = pos2(x, rect.top() + 13.0);
    paint_text(ui.painter(), at, left, &job.label, (Type::Body, tokens.text), room);
    let words = words_of(job, run);
    let ink =
        if matches!(job.outcome, Some(JobOutcome::Failed(_))) { tokens.loss } else { tokens.dim };
    let at = pos2(x, rect.top() + 30.0);
    let said = paint_text(ui.painter(), at, left, &words, (Type::Caption, ink), room);
    let name = format!("{}: {words}", job.label);
    let response = ui.interact(said, Id::unique(("job_words", id.0)), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
    // The row has room for one line; what was asked of providers is told to who waits on it.
    let asked = run.into_iter().flat_map(|run| run.manifest.totals.providers.iter().flatten());
    let asked: Vec<String> =
        asked.map(|(provider, asked)| format!("\n{provider}: {asked}")).collect();
    response.on_hover_text(words + &asked.concat());
}

/// A click on a run's row brings the run on the stage.
fn ground_ui(ui: &Ui, cx: &ViewContext<'_>, rect: Rect, job: &Job) {
    let Some(run) = job.run else { return };
    let response = ui.interact(rect, Id::unique(("job_row", run.0)), Sense::click());
    let name = format!("Show {}", job.label);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, size::RADIUS_SMALL, tokens(ui).raised);
    }
    if response.clicked() {
        cx.send(Command::SelectRun(run));
    }
}

fn icon_of(job: &Job, tokens: &Tokens) -> (&'static str, Color32) {
    match (&job.outcome, job.pause) {
        (None, Pause::No) => (icons::LIVE, tokens.accent),
        (None, Pause::Asked | Pause::Waits) => (icons::PAUSE, tokens.warn),
        (Some(JobOutcome::Done), _) => (icons::DONE, tokens.gain),
        (Some(JobOutcome::Cancelled), _) => (icons::STOPPED, tokens.dim),
        (Some(JobOutcome::Failed(_)), _) => (icons::ERROR, tokens.loss),
    }
}

/// What can be done to the job, from the right; gives where it begins.
fn buttons_ui(ui: &mut Ui, cx: &ViewContext<'_>, rect: Rect, id: JobId, job: &Job) -> f32 {
    let builder = UiBuilder::new()
        .id_salt(("job", id.0))
        .max_rect(rect.shrink2(vec2(2.0, 8.0)))
        .layout(Layout::right_to_left(Align::Center));
    // Of its own, so that the list goes on where the row ends.
    let mut side = ui.new_child(builder);
    let ui = &mut side;
    ui.spacing_mut().item_spacing.x = 2.0;
    match (&job.outcome, job.kind) {
        (None, kind) => {
            let name = format!("Stop {}", job.label);
            let stop = Button::icon(icons::STOP, &name).look(Look::Tool).height(24.0);
            let tip = match kind {
                JobKind::Derive => "Stop it; nothing is kept of it.",
                JobKind::Ask => "Stop it; what was answered stays.",
                _ => "Stop it; what was recorded stays.",
            };
            if stop.tooltip(tip).show(ui).clicked() {
                cx.send(Command::CancelJob(id));
            }
            if kind.can_pause() {
                pause_ui(ui, cx, id, job);
            }
            // What waits has nothing that could move.
            if !views::is_queued(cx.state, job) {
                progress_bar_ui(ui, &job.label, job.progress.fraction(), 48.0);
            }
        }
        (Some(_), JobKind::Run) => again_ui(ui, cx, job),
        (Some(_), _) => {}
    }
    ui.min_rect().left()
}

fn pause_ui(ui: &mut Ui, cx: &ViewContext<'_>, id: JobId, job: &Job) {
    let target = RunsTarget::Job(id);
    let (icon, verb, tooltip, command) = if job.pause.is_on() {
        (icons::PLAY, "Resume", "Let it go on.", RunsCommand::Resume(target))
    } else {
        let tooltip = match job.kind {
            JobKind::Ask => "Hold it back when the questions that were sent are answered.",
            _ => "Hold it back when the turn it is at is recorded.",
        };
        (icons::PAUSE, "Pause", tooltip, RunsCommand::Pause(target))
    };
    let name = format!("{verb} {}", job.label);
    let button = Button::icon(icon, &name).look(Look::Tool).height(24.0);
    if button.tooltip(tooltip).show(ui).clicked() {
        cx.send(Command::Runs(command));
    }
}

fn again_ui(ui: &mut Ui, cx: &ViewContext<'_>, job: &Job) {
    // The run may have been taken off the library since.
    let Some(run) = job.run.filter(|run| cx.state.library.runs.contains_key(run)) else { return };
    let name = format!("Run {} again", job.label);
    let why_not = views::why_not_again(cx.state, run);
    let tooltip = "Run it again with the same settings.";
    let button = Button::icon(icons::AGAIN, &name).look(Look::Tool).height(24.0);
    let button = button.enabled(why_not.is_none()).tooltip(why_not.as_deref().unwrap_or(tooltip));
    if button.show(ui).clicked() {
        cx.send(Command::Runs(RunsCommand::Again(run)));
    }
}

fn words_of(job: &Job, run: Option<&LibraryRun>) -> String {
    let state = match (&job.outcome, job.pause, run) {
        (Some(JobOutcome::Failed(why)), ..) => return format!("failed: {why}"),
        (Some(JobOutcome::Done), ..) => "done",
        (Some(JobOutcome::Cancelled), ..) => "stopped",
        (None, pause, _) if pause.is_on() => pause.word(),
        // Its turn in the queue comes when another run ends.
        (None, _, None) if job.kind == JobKind::Run => "queued",
        (None, ..) => "",
    };
    let spent = match run {
        Some(run) => run_words(&views::run_usage(&run.manifest)),
        None if job.outcome.is_none() => job.progress.message.clone(),
        None => String::new(),
    };
    let parts = [state, &spent].into_iter().filter(|words| !words.is_empty());
    parts.collect::<Vec<_>>().join(" · ")
}
