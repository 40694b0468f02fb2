//! What becomes of work under way when the window is closed, and of those that the last session left.

use egui::{Id, Layout, Modal, Ui, vec2};

use super::context::ViewContext;
use super::icons;
use super::theme::{Type, tokens};
use super::widgets::{Button, Look, count, rich_text, sentence};
use crate::workbench::{Command, Job, JobKind};

const WIDTH: f32 = 420.0;
/// How many jobs are named.
const NAMED: usize = 3;

/// Asks before work under way is cut off by closing the window.
pub(super) fn quit_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let (running, queued) = cx.state.runs_under_way();
    let others: Vec<&Job> =
        cx.state.work_under_way().filter(|job| job.kind != JobKind::Run).collect();
    let title = match (running + queued, others.len()) {
        (0, 0) => "Close the window?".to_owned(),
        (1, 0) => "Stop the run and close?".to_owned(),
        (runs, 0) => format!("Stop {runs} runs and close?"),
        (_, _) => "Stop what is at work and close?".to_owned(),
    };
    let mut words = Vec::new();
    if running + queued > 0 {
        words.push(format!(
            "{} What they recorded so far is kept, and the next start offers to resume them.",
            under_way(running, queued)
        ));
    }
    if !others.is_empty() {
        let named = jobs_words(cx, &others);
        words.push(format!(
            "{named}. It is cut off unfinished; what is being opened is opened at the next start."
        ));
    }
    if words.is_empty() {
        words.push("All work has ended by now.".to_owned());
    }
    let words = words.join("\n");
    question_ui(ui, cx, "quit", &title, &words, |ui| {
        let stop = Button::text("Stop and close").look(Look::Primary);
        if stop.show(ui).clicked() {
            cx.send(Command::Quit);
        }
        if Button::text("Keep running").key(Some("Esc".to_owned())).show(ui).clicked() {
            cx.send(Command::CloseOverlay);
        }
    });
}

/// Jobs by their names, where those may be told.
fn jobs_words(cx: &ViewContext<'_>, jobs: &[&Job]) -> String {
    if cx.state.shows_blind_project() {
        return format!("{} in progress", count(jobs.len(), "job"));
    }
    let named: Vec<&str> = jobs.iter().take(NAMED).map(|job| job.label.as_str()).collect();
    let more = match jobs.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    sentence(&format!("{}{more}", named.join(", ")))
}

fn under_way(running: usize, queued: usize) -> String {
    match (running, queued) {
        (running, 0) => format!("{} in progress.", count(running, "run")),
        (0, queued) => format!("{} queued.", count(queued, "run")),
        _ => format!("{} in progress, {queued} queued.", count(running, "run")),
    }
}

/// Offers to go on with what the last session left unfinished.
pub(super) fn unfinished_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let unfinished = &cx.state.unfinished;
    let runs: usize = unfinished.iter().map(|launch| launch.runs).sum();
    let runs = if runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") };
    // The first one's, as there is room for one: mostly there is one launch.
    let dir = unfinished.first().map(|launch| launch.launch.options.out_dir.display().to_string());
    let words = format!(
        "The last session ended before {runs} did. Finished runs are skipped, interrupted ones \
         continue with the answers they had.\nFolder: {}",
        dir.unwrap_or_default()
    );
    question_ui(ui, cx, "unfinished", &format!("Resume {runs}?"), &words, |ui| {
        let resume = Button::text("Resume").with_icon(icons::PLAY).look(Look::Primary);
        if resume.show(ui).clicked() {
            cx.send(Command::ResumeUnfinished);
        }
        let later = Button::text("Not now").key(Some("Esc".to_owned()));
        if later.tooltip("Ask again at the next start.").show(ui).clicked() {
            cx.send(Command::CloseOverlay);
        }
        let discard = Button::text("Don't ask again").look(Look::Tool);
        if discard.tooltip("What the runs recorded stays in their folders.").show(ui).clicked() {
            cx.send(Command::DiscardUnfinished);
        }
    });
}

fn question_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    id: &str,
    title: &str,
    words: &str,
    buttons_ui: impl FnOnce(&mut Ui),
) {
    let tokens = tokens(ui);
    let modal = Modal::new(Id::unique(id))
        .backdrop_color(tokens.backdrop)
        .frame(tokens.overlay_frame().inner_margin(16));
    let room = ui.ctx().content_rect().width();
    let response = modal.show(ui.ctx(), |ui| {
        ui.set_width((room - 80.0).clamp(280.0, WIDTH));
        ui.label(rich_text(title, Type::Title, tokens.text));
        ui.add_space(8.0);
        ui.add(egui::Label::new(rich_text(words, Type::Body, tokens.dim)).wrap());
        ui.add_space(14.0);
        ui.allocate_ui_with_layout(
            vec2(ui.available_width(), 28.0),
            Layout::right_to_left(egui::Align::Center),
            buttons_ui,
        );
    });
    if response.should_close() {
        cx.send(Command::CloseOverlay);
    }
}
