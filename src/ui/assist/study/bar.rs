//! The bar over a task: whose it is, which, how late it is, and how it ends.

use egui::{Align, Label, Layout, Modal, Sense, Stroke, Ui, WidgetInfo, vec2};

use super::parts::{clock_words, study, unwritten_ui};
use crate::study::Help;
use crate::ui::assist::questions::Question;
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{
    Button, Look, elided_label_ui, progress_bar_ui, rich_text, say, section_header_ui,
};
use crate::workbench::{AssistDesk, StudyCommand, StudyDesk, TrialDesk, TrialPhase};

/// The last minute stands in another colour.
const LAST_MS: u64 = 60_000;
/// How wide the bar of the clock is.
const CLOCK: f32 = 120.0;

/// Draws the bar.
pub(super) fn bar_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &StudyDesk) {
    let Some((sitting, trial)) = desk.trial() else { return };
    let tokens = tokens(ui);
    let is_narrow = ui.available_width() < 1200.0;
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.add_space(size::GUTTER);
        let about = format!("{}, {}", desk.plan.title, desk.plan.id);
        let title = rich_text(&desk.plan.id, Type::Strong, tokens.text);
        ui.label(title).on_hover_text(about);
        ui.label(rich_text(&sitting.progress.participant, Type::Body, tokens.dim));
        if let Some(condition) = desk.condition(&trial.planned) {
            chip_ui(ui, &condition.title, help_words(condition.help));
        }
        let count = format!("Task {} of {}", trial.planned.position + 1, sitting.planned.len());
        ui.label(rich_text(count, Type::Body, tokens.dim));
        if let Some(task) = desk.task(&trial.planned) {
            let room = if is_narrow { 90.0 } else { 160.0 };
            ui.allocate_ui(vec2(room, size::ROW), |ui| {
                ui.set_max_width(room);
                elided_label_ui(ui, &task.id, Type::Strong, tokens.text);
            });
            ui.label(rich_text(&task.difficulty, Type::Body, tokens.dim));
        }
        if !is_narrow {
            dots_ui(ui, desk);
        }
        unwritten_ui(ui, desk);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            ui.add_space(size::GUTTER);
            let done = CommandButton::text(CommandId::StudyDone).look(Look::Raised).with_key();
            done.with_icon(icons::CHECK).show(ui, cx);
            let give_up = CommandButton::text(CommandId::StudyGiveUp).look(Look::Tool);
            give_up.with_icon(icons::FLAG).show(ui, cx);
            let pause = CommandButton::text(CommandId::StudyPause).look(Look::Raised).with_key();
            let stands = matches!(trial.phase, TrialPhase::Paused(_) | TrialPhase::Recovered);
            let (icon, words) =
                if stands { (icons::PLAY, "Go on") } else { (icons::PAUSE, "Pause") };
            pause.with_icon(icon).short(words).show(ui, cx);
            if desk.help() == Some(Help::Web) {
                web_ui(ui, desk);
            }
            ui.add_space(4.0);
            clock_ui(ui, desk, trial);
        });
    });
}

fn chip_ui(ui: &mut Ui, words: &str, tooltip: &str) {
    let tokens = tokens(ui);
    let frame = egui::Frame::new().fill(tokens.raised).stroke(tokens.line());
    let frame = frame.corner_radius(size::RADIUS).inner_margin(egui::Margin::symmetric(8, 3));
    let drawn = frame.show(ui, |ui| ui.label(rich_text(words, Type::Medium, tokens.text)));
    drawn.response.on_hover_text(tooltip);
}

/// What somebody may do under a condition.
pub(super) fn help_words(help: Help) -> &'static str {
    match help {
        Help::None => "You work by yourself.",
        Help::Web => "You may leave the window and look things up; the clock goes on.",
        Help::Assistant => "The assistant at the side suggests steps when you ask.",
    }
}

/// A dot a task: done, now, to do.
fn dots_ui(ui: &mut Ui, desk: &StudyDesk) {
    let Some((sitting, trial)) = desk.trial() else { return };
    let tokens = tokens(ui);
    let count = sitting.planned.len();
    // More would be a line.
    if count > 24 {
        return;
    }
    let (rect, response) = ui.allocate_exact_size(vec2(count as f32 * 12.0, 12.0), Sense::hover());
    let done = sitting.progress.done();
    response.widget_info(|| {
        WidgetInfo::labeled(egui::Role::Label, true, format!("{done} of {count} tasks are done"))
    });
    for (at, planned) in sitting.planned.iter().enumerate() {
        let center = rect.left_center() + vec2(at as f32 * 12.0 + 6.0, 0.0);
        let attempt = sitting.progress.attempts.get(&planned.position);
        if planned.position == trial.planned.position {
            ui.painter().circle_filled(center, 4.0, tokens.accent);
        } else if attempt.is_some_and(crate::study::AttemptProgress::is_whole) {
            ui.painter().circle_filled(center, 4.0, tokens.dim);
        } else {
            ui.painter().circle_stroke(center, 3.5, Stroke::new(1.0, tokens.faint));
        }
    }
}

fn clock_ui(ui: &mut Ui, desk: &StudyDesk, trial: &TrialDesk) {
    let tokens = tokens(ui);
    let Some(task) = desk.task(&trial.planned) else { return };
    let limit_ms = (task.limit_secs * 1_000.0) as u64;
    let left_ms = limit_ms.saturating_sub(trial.active_ms);
    // Amber, and never blinking.
    let ink = if left_ms <= LAST_MS { tokens.warn } else { tokens.text };
    let share = trial.active_ms as f32 / limit_ms.max(1) as f32;
    let of = format!("of {}", clock_words(limit_ms));
    ui.label(rich_text(of, Type::Body, tokens.dim));
    progress_bar_ui(ui, "Time at the task", Some(share), CLOCK);
    let time = rich_text(clock_words(trial.active_ms), Type::Title, ink);
    ui.label(time);
}

/// The way out, where people may look things up.
fn web_ui(ui: &mut Ui, desk: &StudyDesk) {
    let Some(link) = desk.plan.web_link.as_deref() else { return };
    let tip = "Look something up: opens your browser. The clock goes on, and that you left is written down.";
    if Button::text("Web").look(Look::Raised).tooltip(tip).show(ui).clicked() {
        ui.ctx().open_url(egui::OpenUrl::new_tab(link));
    }
}

/// Asks once whether they want to give up. The clock goes on meanwhile.
pub(super) fn give_up_ui(ui: &Ui, cx: &ViewContext<'_>, desk: &StudyDesk) {
    let Some((_, trial)) = desk.trial().filter(|(_, trial)| trial.asks_give_up) else { return };
    if trial.phase != TrialPhase::Running {
        return;
    }
    let tokens = tokens(ui);
    let modal = Modal::new(Question::GiveUp.id())
        .backdrop_color(tokens.backdrop)
        .frame(tokens.overlay_frame().inner_margin(16));
    let response = modal.show(ui.ctx(), |ui| {
        ui.set_width(360.0);
        ui.label(rich_text("Give up this task?", Type::Title, tokens.text));
        ui.add_space(8.0);
        let words = "It counts as not solved, and you cannot come back to it.";
        ui.add(Label::new(rich_text(words, Type::Body, tokens.dim)).wrap());
        ui.add_space(12.0);
        ui.horizontal(|ui| {
            let goes = Button::text("Give up").look(Look::Raised).tint(tokens.warn);
            let gives_up = goes.with_icon(icons::FLAG).show(ui).clicked();
            let stays = Button::text("Go on").look(Look::Primary).show(ui).clicked();
            (gives_up, stays)
        })
        .inner
    });
    let should_close = response.should_close();
    let (gives_up, stays) = response.inner;
    if gives_up {
        study(cx, StudyCommand::GiveUp);
    } else if stays || should_close {
        study(cx, StudyCommand::AskGiveUp(false));
    }
}

/// What is to be done, at the side.
pub(super) fn brief_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &AssistDesk) {
    let tokens = tokens(ui);
    section_header_ui(ui, "Task", &desk.title);
    egui::Frame::new().inner_margin(egui::Margin::symmetric(12, 8)).show(ui, |ui| {
        let words = desk.instruction.as_deref().unwrap_or("Make it look like the goal.");
        ui.add(Label::new(rich_text(words, Type::Body, tokens.text)).wrap());
        ui.add_space(8.0);
        if desk.goal.is_some() {
            let words = "Hold G to see the goal.";
            ui.add(Label::new(rich_text(words, Type::Body, tokens.dim)).wrap());
        }
        let study = cx.state.assist.study.desk.as_deref();
        if let Some(help) = study.and_then(StudyDesk::help) {
            ui.add_space(8.0);
            ui.add(Label::new(rich_text(help_words(help), Type::Body, tokens.dim)).wrap());
        }
    });
    let rect = ui.min_rect();
    say(ui, "study_brief", rect, "What is to be done");
}
