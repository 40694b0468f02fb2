//! What stands in the place of a design: what is agreed to, the pause, the rest between tasks, the end.

use egui::{Align, Frame, Label, Layout, Margin, ScrollArea, Ui};

use super::bar::help_words;
use super::parts::{clock_words, page_width, study, unwritten_ui};
use crate::study::{NextThing, PauseReason, PlannedTask};
use crate::ui::annotate::markdown_ui;
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{Button, Look, rich_text};
use crate::workbench::{Browse, Command, Sitting, StudyCommand, StudyDesk, TrialDesk, TrialPhase};

/// How wide what is read is.
const WIDTH: f32 = 560.0;

/// A card in the middle of the room, with a title and what is done at its foot.
fn card_ui(ui: &mut Ui, title: &str, body: impl FnOnce(&mut Ui), foot: impl FnOnce(&mut Ui)) {
    let tokens = tokens(ui);
    let width = page_width(ui, WIDTH);
    ui.vertical_centered(|ui| {
        ui.add_space((ui.available_height() * 0.12).clamp(16.0, 96.0));
        ui.set_max_width(width);
        let card = Frame::new().fill(tokens.panel).stroke(tokens.line());
        let card = card.corner_radius(size::RADIUS_LARGE).inner_margin(Margin::same(24));
        card.show(ui, |ui| {
            ui.with_layout(Layout::top_down(Align::Min), |ui| {
                ui.set_width(ui.available_width());
                ui.label(rich_text(title, Type::Display, tokens.text));
                ui.add_space(8.0);
                let height = (ui.available_height() - 96.0).max(80.0);
                let area = ScrollArea::vertical().id_salt("study_page").max_height(height);
                area.show(ui, body);
                ui.add_space(16.0);
                ui.horizontal(foot);
            });
        });
    });
}

fn words_ui(ui: &mut Ui, words: &str) {
    ui.add(Label::new(rich_text(words, Type::Body, tokens(ui).dim)).wrap());
    ui.add_space(4.0);
}

/// What somebody agrees to, or does not take part.
pub(super) fn consent_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &StudyDesk) {
    let is_waiting = desk.sitting.as_ref().is_some_and(|sitting| sitting.is_waiting);
    card_ui(
        ui,
        "Before you begin",
        |ui| markdown_ui(ui, &desk.plan.consent),
        |ui| {
            let agree = Button::text("I agree").look(Look::Primary).enabled(!is_waiting);
            if agree.with_icon(icons::CHECK).show(ui).clicked() {
                study(cx, StudyCommand::Consent);
            }
            let leave = Button::text("I do not take part").look(Look::Tool);
            let tip = "Nothing of you is kept: withdraws what little there is.";
            if leave.tooltip(tip).show(ui).clicked() {
                let who = desk.sitting.as_ref().map(|it| it.progress.participant.clone());
                study(cx, StudyCommand::AskWithdrawal(who));
            }
            unwritten_ui(ui, desk);
        },
    );
}

/// Practice before the first task, or none.
pub(super) fn practice_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &StudyDesk) {
    card_ui(
        ui,
        "Practise first?",
        |ui| {
            words_ui(
                ui,
                "Six small tasks of about five minutes show you the canvas. Nothing is measured.",
            );
            if desk.will_have_assistant() {
                words_ui(ui, "You meet the assistant there, too.");
            }
        },
        |ui| {
            let practise = Button::text("Practice, five minutes").look(Look::Primary);
            if practise.with_icon(icons::PLAY).show(ui).clicked() {
                study(cx, StudyCommand::Practise(0));
            }
            let tip = "Go on without practice.";
            if Button::text("Skip").look(Look::Tool).tooltip(tip).show(ui).clicked() {
                study(cx, StudyCommand::LeavePractice);
            }
        },
    );
}

/// A rest, and what comes next.
pub(super) fn between_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    (desk, sitting): (&StudyDesk, &Sitting),
    planned: PlannedTask,
) {
    let (done, all) = (sitting.progress.done(), sitting.planned.len());
    let title = if done == 0 { "Ready when you are" } else { "Take a rest if you like" };
    let begun = sitting.progress.attempts.get(&planned.position);
    card_ui(
        ui,
        title,
        |ui| {
            words_ui(ui, &format!("{done} of {all} tasks are done."));
            if let Some((condition, task)) = desk.condition(&planned).zip(desk.task(&planned)) {
                let limit = clock_words((task.limit_secs * 1_000.0) as u64);
                let words = format!("Next: {}, {}. You have {limit}.", task.id, task.difficulty);
                ui.add(Label::new(rich_text(words, Type::Strong, tokens(ui).text)).wrap());
                ui.add_space(4.0);
                let words = format!("{}: {}", condition.title, help_words(condition.help));
                words_ui(ui, &words);
            }
            words_ui(ui, "The clock starts when the task is drawn.");
        },
        |ui| {
            let words = if begun.is_some() { "Go on with the task" } else { "Begin the task" };
            let begin = Button::text(words).look(Look::Primary).enabled(!sitting.is_waiting);
            if begin.with_icon(icons::PLAY).show(ui).clicked() {
                study(cx, StudyCommand::Begin);
            }
            get_up_ui(ui, cx);
            unwritten_ui(ui, desk);
        },
    );
}

fn get_up_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let tip = "Leave for now: what is done is kept, and you can go on later.";
    if Button::text("Leave").look(Look::Tool).tooltip(tip).show(ui).clicked() {
        study(cx, StudyCommand::GetUp);
    }
}

/// They are through.
pub(super) fn end_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &StudyDesk) {
    card_ui(
        ui,
        "Thank you",
        |ui| {
            words_ui(ui, "That was the last of it. All you did is kept in the study's folder.");
            if desk.packet.is_some() {
                words_ui(
                    ui,
                    "Save what you did into a file, and send it to whoever gave you the packet.",
                );
            }
        },
        |ui| {
            if desk.packet.is_some() {
                let save = Button::text("Save what I did…").look(Look::Primary);
                if save.with_icon(icons::EXPORT).show(ui).clicked() {
                    cx.send(Command::Browse(Browse::StudyAnswers));
                }
            }
            if Button::text("Finish").look(Look::Raised).show(ui).clicked() {
                study(cx, StudyCommand::GetUp);
            }
            let tip = "Have all that you did removed, for good.";
            if Button::text("Withdraw…").look(Look::Tool).tooltip(tip).show(ui).clicked() {
                let who = desk.sitting.as_ref().map(|it| it.progress.participant.clone());
                study(cx, StudyCommand::AskWithdrawal(who));
            }
        },
    );
}

/// Nothing is seen of the task while its clock stands.
pub(super) fn stopped_ui(ui: &mut Ui, cx: &ViewContext<'_>, trial: &TrialDesk) {
    let (title, words, goes_on) = match trial.phase {
        TrialPhase::Opening | TrialPhase::Running => {
            ("Opening the task", "The clock starts when it is drawn.", false)
        }
        TrialPhase::Recovered => (
            "The task was broken off",
            "All you did is there. The time between does not count.",
            true,
        ),
        TrialPhase::Paused(PauseReason::Button) => {
            ("Paused", "The clock stands still, and the task is hidden until you go on.", true)
        }
        TrialPhase::Paused(PauseReason::Focus) => {
            ("Paused", "The window is not in front. The clock goes on when you come back.", true)
        }
        TrialPhase::Paused(PauseReason::Dialog) => {
            ("Paused", "Something else is open. The clock goes on when it is closed.", true)
        }
        TrialPhase::Ended(_) => ("The task is over", "What you made is being kept.", false),
    };
    card_ui(
        ui,
        title,
        |ui| words_ui(ui, words),
        |ui| {
            if !goes_on {
                return;
            }
            let on = Button::text("Go on").look(Look::Primary).with_icon(icons::PLAY);
            if on.show(ui).clicked() {
                study(cx, StudyCommand::Resume);
            }
            if !matches!(trial.phase, TrialPhase::Paused(PauseReason::Dialog)) {
                get_up_ui(ui, cx);
            }
        },
    );
}

/// What somebody is to do next, in a word or two.
pub(super) fn next_words(desk: &StudyDesk, next: NextThing) -> String {
    match next {
        NextThing::Consent => "consent".to_owned(),
        NextThing::Form(due) => {
            desk.forms.get(due.instrument).map(|form| form.id.clone()).unwrap_or_default()
        }
        NextThing::Task(planned) => format!("task {}", planned.position + 1),
        NextThing::End => "through".to_owned(),
    }
}
