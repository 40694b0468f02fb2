//! The view of who leads a study: who takes part, in which order, how far they are, and who comes next. Nobody sees it
//! who takes part.

use egui::{Align, Frame, Grid, Label, Layout, Margin, Modal, ScrollArea, Ui};

use super::pages::next_words;
use super::parts::{clock_words, study, unwritten_ui};
use super::results;
use crate::study::{
    Balance, PEOPLE_DIR, ParticipantKind, PersonProgress, PersonRecord, next_free_row,
    participant_of, schedule,
};
use crate::ui::assist::questions::Question;
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{Button, EmptyState, Look, count, duration, rich_text, section_header_ui};
use crate::workbench::{AnnotateCommand, Browse, Command, StudyCommand, StudyDesk, Workspace};

/// Draws the page.
pub(super) fn lead_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &StudyDesk) {
    if let Some(who) = &desk.packet {
        packet_ui(ui, cx, desk, who);
        return;
    }
    let margin = Margin::symmetric(24, 16);
    Frame::new().inner_margin(margin).show(ui, |ui| {
        head_ui(ui, cx, desk);
        ui.add_space(8.0);
        let area = ScrollArea::both().id_salt("study_lead").auto_shrink([false, false]);
        area.show(ui, |ui| {
            if desk.shows_results {
                results::results_ui(ui, cx, desk);
            } else {
                people_ui(ui, cx, desk);
            }
        });
    });
}

/// Of a packet only the one whose it is takes part.
fn packet_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &StudyDesk, who: &str) {
    let words = format!("You take part as {who}. Nobody learns your name.");
    EmptyState::new(icons::TASKS, &desk.plan.title, &words).show(ui, |ui| {
        let begin = Button::text("Begin, or go on").look(Look::Primary).enabled(!desk.is_joining);
        if begin.with_icon(icons::PLAY).show(ui).clicked() {
            study(cx, StudyCommand::Join);
        }
        ui.add_space(8.0);
        let save = Button::text("Save what I did…").look(Look::Raised);
        if save.with_icon(icons::EXPORT).show(ui).clicked() {
            cx.send(Command::Browse(Browse::StudyAnswers));
        }
        ui.add_space(8.0);
        if Button::text("Close").look(Look::Tool).show(ui).clicked() {
            study(cx, StudyCommand::Close);
        }
    });
}

fn head_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &StudyDesk) {
    let tokens = tokens(ui);
    ui.horizontal(|ui| {
        ui.label(rich_text(&desk.plan.title, Type::Display, tokens.text));
        ui.label(rich_text(&desk.plan.id, Type::Body, tokens.dim))
            .on_hover_text(desk.dir.display().to_string());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if Button::text("Close").look(Look::Tool).show(ui).clicked() {
                study(cx, StudyCommand::Close);
            }
            let tip = "Take in what somebody did elsewhere, with a packet of this study.";
            let merge = Button::text("Merge answers…").look(Look::Raised).tooltip(tip);
            if merge.show(ui).clicked() {
                cx.send(Command::Browse(Browse::MergeStudy));
            }
            let tip = "Open the runs of everybody, and show them in the table with the figure of the study.";
            let runs = Button::text("Runs in Explore").look(Look::Raised).tooltip(tip);
            let has_runs = desk.record.people.iter().any(|person| !person.trials.is_empty());
            if runs.enabled(has_runs).show(ui).clicked() {
                cx.send(Command::Open(vec![desk.dir.join(PEOPLE_DIR)]));
                cx.send(Command::Annotate(AnnotateCommand::Show(Workspace::Explore)));
            }
            let is_on = desk.shows_results;
            let results = Button::text("Results").look(Look::Raised).selected(is_on);
            if results.with_icon(icons::TABLE).show(ui).clicked() {
                study(cx, StudyCommand::ShowResults(!is_on));
            }
            unwritten_ui(ui, desk);
        });
    });
    for warning in &desk.warnings {
        let line = rich_text(warning, Type::Caption, tokens.warn);
        ui.add(Label::new(line).truncate());
    }
}

fn people_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &StudyDesk) {
    let (tokens, plan) = (tokens(ui), &desk.plan);
    let taken = desk.record.taken_rows(ParticipantKind::Person);
    let row = next_free_row(&taken);
    section_header_ui(ui, "Who comes next", &format!("{} of {} planned", taken.len(), plan.people));
    ui.horizontal(|ui| {
        let words = format!("Let {} in", participant_of(row));
        let join = Button::text(&words).look(Look::Primary).enabled(!desk.is_joining);
        if join.with_icon(icons::PLAY).show(ui).clicked() {
            study(cx, StudyCommand::Join);
        }
        let words = format!("Pack for {}…", participant_of(row));
        let tip = "Write the study for one person into a file that they open elsewhere.";
        let pack = Button::text(&words).look(Look::Raised).tooltip(tip);
        if pack.with_icon(icons::EXPORT).show(ui).clicked() {
            cx.send(Command::Browse(Browse::PackStudy(row)));
        }
        ui.label(rich_text(order_words(desk, row), Type::Body, tokens.dim));
    });
    ui.add_space(12.0);
    section_header_ui(ui, "Participants", &balance_words(desk));
    if desk.record.people.is_empty() && desk.record.packed.is_empty() {
        ui.label(rich_text("Nobody took part yet.", Type::Body, tokens.dim));
        return;
    }
    Grid::new("study_people").num_columns(7).spacing([24.0, 6.0]).show(ui, |ui| {
        for head in ["", "Row", "Conditions", "Done", "At tasks", "Next", ""] {
            ui.label(rich_text(head, Type::Section, tokens.dim));
        }
        ui.end_row();
        for person in &desk.record.people {
            person_ui(ui, cx, desk, person);
        }
        packed_ui(ui, cx, desk);
    });
}

fn person_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &StudyDesk, person: &PersonRecord) {
    let tokens = tokens(ui);
    let name = match person.by {
        ParticipantKind::Person => person.participant.clone(),
        ParticipantKind::Scripted => format!("{} (scripted)", person.participant),
    };
    ui.label(rich_text(&name, Type::Strong, tokens.text));
    let Some(progress) = PersonProgress::of(person) else {
        ui.label(rich_text("their log does not say who it is of", Type::Body, tokens.warn));
        ui.end_row();
        return;
    };
    ui.label(rich_text((progress.row + 1).to_string(), Type::Body, tokens.dim));
    ui.label(rich_text(order_words(desk, progress.row), Type::Body, tokens.dim));
    let all: usize = schedule(&desk.plan, progress.row).iter().map(|it| it.tasks.len()).sum();
    ui.label(rich_text(format!("{} of {all}", progress.done()), Type::Body, tokens.text));
    let seconds: f64 = person.trials.iter().map(|(_, trial)| trial.seconds()).sum();
    let time = if person.trials.is_empty() { "–".to_owned() } else { duration(seconds) };
    ui.label(rich_text(time, Type::Body, tokens.dim)).on_hover_text(times_words(person));
    let next = progress.next(&desk.plan, &desk.forms);
    let words = running_words(person).unwrap_or_else(|| next_words(desk, next));
    ui.label(rich_text(words, Type::Body, tokens.dim));
    ui.horizontal(|ui| {
        if person.by == ParticipantKind::Person {
            let goes_on = format!("Go on as {}", person.participant);
            let on = Button::text("Go on").named(&goes_on).look(Look::Tool).height(size::ROW);
            if on.enabled(!desk.is_joining).show(ui).clicked() {
                study(cx, StudyCommand::Continue(person.participant.clone()));
            }
            withdraw_button_ui(ui, cx, &person.participant);
        }
    });
    ui.end_row();
}

fn packed_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &StudyDesk) {
    let tokens = tokens(ui);
    let people = &desk.record.people;
    let waiting = desk.record.packed.iter().filter(|row| {
        !row.is_withdrawn && !people.iter().any(|person| person.participant == row.participant)
    });
    for row in waiting {
        ui.label(rich_text(&row.participant, Type::Strong, tokens.text));
        ui.label(rich_text((row.row + 1).to_string(), Type::Body, tokens.dim));
        ui.label(rich_text(order_words(desk, row.row), Type::Body, tokens.dim));
        ui.label(rich_text("–", Type::Body, tokens.dim));
        ui.label(rich_text("–", Type::Body, tokens.dim));
        ui.label(rich_text("packed: nothing came back", Type::Body, tokens.dim));
        withdraw_button_ui(ui, cx, &row.participant);
        ui.end_row();
    }
}

fn withdraw_button_ui(ui: &mut Ui, cx: &ViewContext<'_>, who: &str) {
    let name = format!("Withdraw {who}");
    let button = Button::text("Withdraw…").named(&name).look(Look::Tool).height(size::ROW);
    if button.show(ui).clicked() {
        study(cx, StudyCommand::AskWithdrawal(Some(who.to_owned())));
    }
}

/// The task that somebody is at, with its clock as it was written last; `None` where they are at none.
fn running_words(person: &PersonRecord) -> Option<String> {
    let (_, trial) = person.trials.iter().find(|(_, trial)| trial.clock.ending.is_none())?;
    let facts = &trial.facts;
    let limit = clock_words((facts.limit_secs * 1_000.0) as u64);
    let place = facts.position + 1;
    Some(format!("at task {place}: {} of {limit}", clock_words(trial.clock.active_ms)))
}

/// The conditions of a row in their order.
fn order_words(desk: &StudyDesk, row: u32) -> String {
    let blocks = schedule(&desk.plan, row);
    let conditions = blocks.iter().map(|block| {
        let title = desk.plan.conditions.get(block.condition).map_or("", |it| it.title.as_str());
        match block.group {
            Some(group) => format!("{title} (tasks {})", group + 1),
            None => title.to_owned(),
        }
    });
    conditions.collect::<Vec<_>>().join(", ")
}

fn times_words(person: &PersonRecord) -> String {
    let lines = person.trials.iter().map(|(_, trial)| {
        let ending = trial.clock.ending.map_or("not over", crate::study::Ending::name);
        let stops = trial.clock.stops.len();
        let pauses = if stops > 0 { format!(", {}", count(stops, "pause")) } else { String::new() };
        let facts = &trial.facts;
        format!(
            "{} ({}): {}, {ending}{pauses}",
            facts.task,
            facts.condition,
            duration(trial.seconds())
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// How evenly it all met so far.
fn balance_words(desk: &StudyDesk) -> String {
    let people = desk.record.people.iter().filter(|it| it.by == ParticipantKind::Person);
    let balance = Balance::of(&desk.plan, people.filter_map(PersonRecord::row));
    if balance.people == 0 {
        return String::new();
    }
    if balance.is_even() {
        return "conditions, positions and groups met equally often".to_owned();
    }
    let uneven = balance.tables().into_iter().filter_map(|(name, table)| {
        let (least, most) = (table.values().min()?, table.values().max()?);
        (least != most).then(|| format!("{name} {least} to {most}"))
    });
    format!("times met so far: {}", uneven.collect::<Vec<_>>().join(", "))
}

/// Asks before all that somebody did is removed.
pub(super) fn withdrawal_ui(ui: &Ui, cx: &ViewContext<'_>, desk: &StudyDesk) {
    let Some(who) = &desk.asking_withdrawal else { return };
    let tokens = tokens(ui);
    let modal = Modal::new(Question::Withdrawal.id())
        .backdrop_color(tokens.backdrop)
        .frame(tokens.overlay_frame().inner_margin(16));
    let response = modal.show(ui.ctx(), |ui| {
        ui.set_width(400.0);
        ui.label(rich_text(format!("Withdraw {who}?"), Type::Title, tokens.text));
        ui.add_space(8.0);
        let words = format!(
            "All that {who} did is removed from the study's folder, for good. Whoever comes next takes their place."
        );
        ui.add(Label::new(rich_text(words, Type::Body, tokens.dim)).wrap());
        ui.add_space(12.0);
        ui.horizontal(|ui| {
            let goes = Button::text("Withdraw for good").look(Look::Raised).tint(tokens.loss);
            let is_pressed = goes.with_icon(icons::WARNING).show(ui).clicked();
            let cancel = Button::text("Cancel").key(Some("Esc".to_owned()));
            let is_left = cancel.show(ui).clicked();
            (is_pressed, is_left)
        })
        .inner
    });
    let should_close = response.should_close();
    let (is_pressed, is_left) = response.inner;
    if is_pressed {
        study(cx, StudyCommand::Withdraw(who.clone()));
    } else if is_left || should_close {
        study(cx, StudyCommand::AskWithdrawal(None));
    }
}
