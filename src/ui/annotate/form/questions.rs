//! One question with its answers.

use std::collections::BTreeSet;

use egui::{Align, Frame, Layout, Margin, Role, Sense, Ui, WidgetInfo, vec2};

use super::field::Field;
use super::options::{OPTION, option_ui, row_option_ui};
use super::places::{evidence_ui, marks_ui};
use super::ranking::ranking_ui;
use super::shown::ShownQuestion;
use crate::label::form::{QuestionKind, QuestionOption};
use crate::label::{AnswerValue, Preferred};
use crate::ui::annotate::parts::annotate;
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{kbd_ui, rich_text};
use crate::workbench::AnnotateCommand;

/// Draws a question: on a ground of its own while keys answer it.
pub(super) fn question_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    shown: &ShownQuestion<'_>,
    field: &mut Field,
) {
    let tokens = tokens(ui);
    let fill = if shown.is_focused { tokens.raised } else { tokens.panel };
    let frame = Frame::new()
        .fill(fill)
        .corner_radius(size::RADIUS)
        .inner_margin(Margin::symmetric(8, 6))
        .outer_margin(Margin { left: -8, right: -8, top: 0, bottom: 4 });
    let drawn = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        head_ui(ui, cx, shown);
        answers_ui(ui, cx, shown, field);
        evidence_ui(ui, cx, shown);
    });
    // Where keys have come to is in sight.
    let id = egui::Id::unique("label_question_in_sight");
    if shown.is_focused {
        let now = (shown.desk.at, shown.question.id.clone());
        let before: Option<(usize, String)> = ui.data(|data| data.get_temp(id));
        if before.as_ref() != Some(&now) {
            drawn.response.scroll_to_me(None);
            ui.data_mut(|data| data.insert_temp(id, now));
        }
    }
}

fn head_ui(ui: &mut Ui, cx: &ViewContext<'_>, shown: &ShownQuestion<'_>) {
    let tokens = tokens(ui);
    let question = shown.question;
    let response = ui
        .horizontal(|ui| {
            // All of it stands in the middle of one row, however high its parts are.
            ui.set_min_height(OPTION - 2.0);
            if let Some(key) = shown.own_key() {
                kbd_ui(ui, &key.to_string());
            }
            let text = question.text.in_language(&shown.desk.language);
            let is_only = shown.form.questions.len() == 1;
            let style = if is_only { Type::Body } else { Type::Strong };
            let is_yes_no = matches!(question.answer, QuestionKind::YesNo);
            let room = ui.available_width() - if is_yes_no { 132.0 } else { 0.0 };
            let label = egui::Label::new(rich_text(text, style, tokens.text)).wrap();
            ui.allocate_ui_with_layout(
                vec2(room, OPTION - 2.0),
                Layout::left_to_right(Align::Center),
                |ui| ui.add(label),
            );
            if is_yes_no {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| yes_no_ui(ui, cx, shown));
            }
        })
        .response;
    let response = ui.interact(
        response.rect,
        ui.scope_id().with(("label_question", &question.id)),
        Sense::click(),
    );
    let told = format!("Question {}", shown.number);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &told));
    if response.clicked() {
        annotate(cx, AnnotateCommand::Focus(question.id.clone()));
    }
    let help = question.help.in_language(&shown.desk.language);
    let mut aside = help.to_owned();
    if question.optional && shown.is_focused {
        let words = if aside.is_empty() { "If you like." } else { " If you like." };
        aside += words;
    }
    if !aside.is_empty() {
        ui.add(egui::Label::new(rich_text(aside, Type::Caption, tokens.dim)).wrap());
    }
}

fn send(cx: &ViewContext<'_>, shown: &ShownQuestion<'_>, value: AnswerValue) {
    // The same again takes an answer away that need not be given.
    let is_again = shown.value() == Some(&value) && shown.question.optional;
    let value = (!is_again).then_some(value);
    annotate(cx, AnnotateCommand::Answer { question: shown.question.id.clone(), value });
}

fn yes_no_ui(ui: &mut Ui, cx: &ViewContext<'_>, shown: &ShownQuestion<'_>) {
    ui.spacing_mut().item_spacing.x = 4.0;
    for (yes, words, id) in [(false, "No", "no"), (true, "Yes", "yes")] {
        let is_on = shown.value() == Some(&AnswerValue::YesNo(yes));
        let key = shown.key_of(id);
        if option_ui(ui, key, words, is_on, vec2(60.0, OPTION - 2.0)).clicked() {
            send(cx, shown, AnswerValue::YesNo(yes));
        }
    }
}

fn answers_ui(ui: &mut Ui, cx: &ViewContext<'_>, shown: &ShownQuestion<'_>, field: &mut Field) {
    ui.spacing_mut().item_spacing.y = 4.0;
    match &shown.question.answer {
        QuestionKind::YesNo => {}
        QuestionKind::Preference { tie } => preference_ui(ui, cx, shown, *tie),
        QuestionKind::Rating { least, most, least_text, most_text } => {
            rating_ui(ui, cx, shown, (*least, *most));
            let language = &shown.desk.language;
            let ends = [least_text, most_text].map(|text| text.in_language(language));
            ends_ui(ui, ends);
        }
        QuestionKind::Choice { options, .. } => {
            let is_on = |option: &QuestionOption| {
                shown.value() == Some(&AnswerValue::Choice(option.id.clone()))
            };
            if let Some(id) = listed_ui(ui, shown, options, is_on) {
                send(cx, shown, AnswerValue::Choice(id));
            }
        }
        QuestionKind::Choices { options } => {
            let chosen = match shown.value() {
                Some(AnswerValue::Choices(chosen)) => chosen.clone(),
                _ => BTreeSet::new(),
            };
            let is_on = |option: &QuestionOption| chosen.contains(&option.id);
            if let Some(id) = listed_ui(ui, shown, options, is_on) {
                let mut chosen = chosen.clone();
                if !chosen.remove(&id) {
                    chosen.insert(id);
                }
                send(cx, shown, AnswerValue::Choices(chosen));
            }
        }
        QuestionKind::Ranking { ties, .. } => ranking_ui(ui, cx, shown, *ties),
        QuestionKind::Text => {
            let known = match shown.value() {
                Some(AnswerValue::Text(text)) => text.as_str(),
                _ => "",
            };
            // A key asked for it; asked once, or the field would take the keyboard back in every frame.
            if shown.desk.writing.as_ref() == Some(&shown.question.id) {
                field.focus();
                annotate(cx, AnnotateCommand::Write(None));
            }
            let id = format!("label_text_{}", shown.question.id);
            let name = shown.question.text.in_language(&shown.desk.language);
            if let Some(typed) = field.show(ui, (&id, name), known, 2) {
                let value = (!typed.is_empty()).then_some(AnswerValue::Text(typed));
                let question = shown.question.id.clone();
                annotate(cx, AnnotateCommand::Answer { question, value });
            }
        }
        QuestionKind::Marks { options, severities } => {
            if let Some(id) = listed_ui(ui, shown, options, |_| false) {
                let question = shown.question.id.clone();
                annotate(cx, AnnotateCommand::AddMark { question, option: id });
            }
            if let Some(AnswerValue::Marks(marks)) = shown.value() {
                marks_ui(ui, cx, shown, (marks, options, *severities), field);
            }
        }
    }
}

fn preference_ui(ui: &mut Ui, cx: &ViewContext<'_>, shown: &ShownQuestion<'_>, tie: bool) {
    let is_swapped = shown.desk.unit().is_some_and(|unit| unit.turn.is_swapped);
    let (left, right) = if is_swapped {
        (Preferred::Second, Preferred::First)
    } else {
        (Preferred::First, Preferred::Second)
    };
    let mut answers = vec![(left, "A")];
    if tie {
        answers.push((Preferred::Tie, "Tie"));
    }
    answers.push((right, "B"));
    row_ui(ui, answers.len(), |ui, width| {
        for (preferred, words) in &answers {
            let is_on = shown.value() == Some(&AnswerValue::Preference(*preferred));
            let key = shown.key_of(preferred.name());
            if option_ui(ui, key, words, is_on, vec2(width, OPTION)).clicked() {
                send(cx, shown, AnswerValue::Preference(*preferred));
            }
        }
    });
}

fn rating_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    shown: &ShownQuestion<'_>,
    (least, most): (i32, i32),
) {
    let numbers: Vec<i32> = (least..=most).collect();
    // A long scale goes on in the next row, where there is no room for it in one.
    let in_row = ((ui.available_width() / 48.0) as usize).clamp(7, 11);
    for numbers in numbers.chunks(in_row) {
        row_ui(ui, numbers.len(), |ui, width| {
            for number in numbers {
                let words = number.to_string();
                let is_on = shown.value() == Some(&AnswerValue::Rating(*number));
                // The number is its key: a cap would say it twice.
                if option_ui(ui, None, &words, is_on, vec2(width, OPTION)).clicked() {
                    send(cx, shown, AnswerValue::Rating(*number));
                }
            }
        });
    }
}

fn ends_ui(ui: &mut Ui, [least, most]: [&str; 2]) {
    if least.is_empty() && most.is_empty() {
        return;
    }
    let dim = tokens(ui).dim;
    ui.horizontal(|ui| {
        ui.label(rich_text(least, Type::Caption, dim));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(rich_text(most, Type::Caption, dim));
        });
    });
}

/// So many of one width beside each other.
fn row_ui(ui: &mut Ui, count: usize, add: impl FnOnce(&mut Ui, f32)) {
    let gap = 4.0;
    let all = ui.available_width() - gap * count.saturating_sub(1) as f32;
    let width = (all / count.max(1) as f32).floor().max(24.0);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = gap;
        add(ui, width);
    });
}

/// Options below each other, under their headings; gives what was chosen.
fn listed_ui(
    ui: &mut Ui,
    shown: &ShownQuestion<'_>,
    options: &[QuestionOption],
    is_on: impl Fn(&QuestionOption) -> bool,
) -> Option<String> {
    let mut chosen = None;
    let mut group = None;
    for option in options {
        // A heading where a group begins; options without one stay under the last.
        if option.group.is_some() && group != option.group.as_ref() {
            let words = option.group.as_deref().unwrap_or_default();
            let heading = crate::ui::widgets::sentence(words);
            ui.label(rich_text(heading, Type::Section, tokens(ui).dim));
            group = option.group.as_ref();
        }
        let key = shown.key_of(&option.id);
        let response =
            row_option_ui(ui, (key, Sense::click()), shown.words(option), "", is_on(option));
        let help = option.help.in_language(&shown.desk.language);
        let response = if help.is_empty() { response } else { response.on_hover_text(help) };
        if response.clicked() {
            chosen = Some(option.id.clone());
        }
    }
    chosen
}
