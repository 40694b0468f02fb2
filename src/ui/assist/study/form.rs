//! A questionnaire: one question after the other, answered with the mouse or by keys.

use std::collections::{BTreeMap, BTreeSet};

use egui::{
    Align, Event, Frame, Key, Label, Layout, Margin, Rect, ScrollArea, Sense, Stroke, Ui,
    WidgetInfo, pos2, vec2,
};

use super::parts::{page_width, study, unwritten_ui};
use crate::label::form::{Question, QuestionKind, QuestionOption};
use crate::label::{AnswerValue, Form};
use crate::study::DueForm;
use crate::ui::annotate::{Field, markdown_ui, option_ui, row_option_ui};
use crate::ui::commands::digit_key;
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{Button, Look, allocate_stable_of, rich_text, text_width};
use crate::workbench::{AnswerDraft, StudyCommand, StudyDesk};

/// How wide the questions are.
const WIDTH: f32 = 640.0;
/// A scale of more steps is a line with marks.
const MOST_BUTTONS: i32 = 11;
/// How high such a line is.
const MARKS: f32 = 28.0;
/// Questions are in English, as the forms of studies are.
const LANGUAGE: &str = "en";

/// What the page remembers: words that are ahead of the state by what is being typed.
#[derive(Debug, Default)]
pub(super) struct FormPage {
    texts: BTreeMap<String, Field>,
    /// What the texts are of, and how far the view followed the keys: one form is asked several times.
    of: Option<(DueForm, usize)>,
}

impl FormPage {
    /// Draws the form that is asked.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, desk: &StudyDesk) {
        let Some((due, form)) = desk.asked() else { return };
        let Some(sitting) = &desk.sitting else { return };
        let draft = &sitting.draft;
        if self.of.is_none_or(|(of, _)| of != due) {
            *self = Self { texts: BTreeMap::new(), of: Some((due, 0)) };
        }
        keys(ui, cx, form, draft);
        let tokens = tokens(ui);
        let width = page_width(ui, WIDTH);
        ui.vertical_centered(|ui| {
            ui.add_space((ui.available_height() * 0.04).clamp(8.0, 40.0));
            ui.set_max_width(width);
            ui.with_layout(Layout::top_down(Align::Min), |ui| {
                ui.set_width(width);
                let title = form.title.in_language(LANGUAGE);
                ui.label(rich_text(title, Type::Display, tokens.text));
                ui.add_space(4.0);
                let height = (ui.available_height() - 56.0).max(120.0);
                let area = ScrollArea::vertical().id_salt("study_form").max_height(height);
                area.auto_shrink([false, true]).show(ui, |ui| {
                    markdown_ui(ui, form.guide.in_language(LANGUAGE));
                    ui.add_space(8.0);
                    self.questions_ui(ui, cx, form, draft);
                });
                ui.add_space(8.0);
                foot_ui(ui, cx, desk, draft);
            });
        });
    }

    fn questions_ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        form: &Form,
        draft: &AnswerDraft,
    ) {
        for (at, question) in draft.answer.asked(form).into_iter().enumerate() {
            let is_focused = at == draft.focus;
            let tokens = tokens(ui);
            let fill = if is_focused { tokens.raised } else { tokens.panel };
            let frame = Frame::new().fill(fill).corner_radius(size::RADIUS);
            let frame = frame.inner_margin(Margin::symmetric(12, 8));
            let drawn = frame.show(ui, |ui| {
                ui.set_width(ui.available_width());
                let text =
                    rich_text(question.text.in_language(LANGUAGE), Type::Strong, tokens.text);
                let head = ui.add(Label::new(text).wrap().sense(Sense::click()));
                if head.clicked() {
                    study(cx, StudyCommand::FocusQuestion(at));
                }
                let mut help = question.help.in_language(LANGUAGE).to_owned();
                if question.optional {
                    help += if help.is_empty() { "If you like." } else { " If you like." };
                }
                if !help.is_empty() {
                    ui.add(Label::new(rich_text(help, Type::Caption, tokens.dim)).wrap());
                }
                ui.add_space(4.0);
                self.answers_ui(ui, cx, (question, is_focused), draft);
            });
            ui.add_space(8.0);
            // Where keys have come to is in sight.
            if let Some((_, seen)) = &mut self.of
                && is_focused
                && *seen != at
            {
                *seen = at;
                drawn.response.scroll_to_me(None);
            }
        }
    }

    fn answers_ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        (question, is_focused): (&Question, bool),
        draft: &AnswerDraft,
    ) {
        let value = draft.answer.values.get(&question.id);
        let give = |value| send(cx, question, value);
        let name = question.text.in_language(LANGUAGE);
        match &question.answer {
            QuestionKind::Rating { least, most, least_text, most_text } => {
                let rating = match value {
                    Some(AnswerValue::Rating(rating)) => Some(*rating),
                    _ => None,
                };
                let (chosen, width) = if most - least >= MOST_BUTTONS {
                    (marks_ui(ui, (*least, *most), rating, name), ui.available_width())
                } else {
                    buttons_ui(ui, (*least, *most), rating, name)
                };
                let ends = [least_text, most_text].map(|text| text.in_language(LANGUAGE));
                ends_ui(ui, ends, width);
                if let Some(chosen) = chosen {
                    give(Some(AnswerValue::Rating(chosen)));
                }
            }
            QuestionKind::Choice { options, .. } => {
                for (at, option) in options.iter().enumerate() {
                    let is_on = value == Some(&AnswerValue::Choice(option.id.clone()));
                    let key = key_of(at).filter(|_| is_focused);
                    if option_row_ui(ui, key, option, is_on) {
                        give(Some(AnswerValue::Choice(option.id.clone())));
                    }
                }
            }
            QuestionKind::Choices { options } => {
                let chosen = chosen_of(value);
                for (at, option) in options.iter().enumerate() {
                    let key = key_of(at).filter(|_| is_focused);
                    if option_row_ui(ui, key, option, chosen.contains(&option.id)) {
                        give(Some(AnswerValue::Choices(toggled(&chosen, &option.id))));
                    }
                }
            }
            QuestionKind::YesNo => {
                ui.horizontal(|ui| {
                    for (at, (yes, words)) in [(true, "Yes"), (false, "No")].into_iter().enumerate()
                    {
                        let is_on = value == Some(&AnswerValue::YesNo(yes));
                        let key = key_of(at).filter(|_| is_focused);
                        if option_ui(ui, key, words, is_on, vec2(96.0, MARKS)).clicked() {
                            give(Some(AnswerValue::YesNo(yes)));
                        }
                    }
                });
            }
            QuestionKind::Text => {
                let known = match value {
                    Some(AnswerValue::Text(text)) => text.as_str(),
                    _ => "",
                };
                let field = self.texts.entry(question.id.clone()).or_default();
                let id = format!("study_text_{}", question.id);
                if let Some(typed) = field.show(ui, (&id, name), known, 3) {
                    give((!typed.is_empty()).then_some(AnswerValue::Text(typed)));
                }
            }
            // About pictures beside each other, which nobody is shown here.
            QuestionKind::Preference { .. }
            | QuestionKind::Ranking { .. }
            | QuestionKind::Marks { .. } => {
                let words = "This kind of question cannot be asked here.";
                ui.label(rich_text(words, Type::Caption, tokens(ui).warn));
            }
        }
    }
}

fn send(cx: &ViewContext<'_>, question: &Question, value: Option<AnswerValue>) {
    study(cx, StudyCommand::Answer { question: question.id.clone(), value });
}

fn option_row_ui(ui: &mut Ui, key: Option<char>, option: &QuestionOption, is_on: bool) -> bool {
    let words = option.text.in_language(LANGUAGE);
    row_option_ui(ui, (key, Sense::click()), words, "", is_on).clicked()
}

fn chosen_of(value: Option<&AnswerValue>) -> BTreeSet<String> {
    match value {
        Some(AnswerValue::Choices(chosen)) => chosen.clone(),
        _ => BTreeSet::new(),
    }
}

fn toggled(chosen: &BTreeSet<String>, id: &str) -> BTreeSet<String> {
    let mut chosen = chosen.clone();
    if !chosen.remove(id) {
        chosen.insert(id.to_owned());
    }
    chosen
}

/// The key of an option at a place.
fn key_of(at: usize) -> Option<char> {
    char::from_digit(u32::try_from(at).ok()? + 1, 10)
}

/// A step a button; gives the one that was pressed, and how wide all are.
fn buttons_ui(
    ui: &mut Ui,
    (least, most): (i32, i32),
    rating: Option<i32>,
    name: &str,
) -> (Option<i32>, f32) {
    let count = (most - least + 1).max(1) as f32;
    let width = ((ui.available_width() - 4.0 * (count - 1.0)) / count).floor().clamp(24.0, 72.0);
    let mut chosen = None;
    let row = ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for step in least..=most {
            let words = step.to_string();
            let is_on = rating == Some(step);
            if option_ui(ui, None, &words, is_on, vec2(width, MARKS)).clicked() {
                chosen = Some(step);
            }
        }
    });
    let answered = rating.map_or("not answered".to_owned(), |rating| rating.to_string());
    let words = format!("{name} {answered}");
    crate::ui::widgets::say(ui, ("study_scale", name), row.response.rect, &words);
    (chosen, row.response.rect.width())
}

/// A line with a mark a step, as the published scale has it: a click takes the nearest.
fn marks_ui(
    ui: &mut Ui,
    (least, most): (i32, i32),
    rating: Option<i32>,
    name: &str,
) -> Option<i32> {
    let tokens = tokens(ui);
    let steps = (most - least).max(1);
    let (rect, response) =
        allocate_stable_of(ui, name, vec2(ui.available_width(), MARKS), Sense::click_and_drag());
    response.widget_info(|| {
        let value = rating.map_or(f64::from(least), f64::from);
        WidgetInfo::slider(true, value, name)
    });
    let line = Rect::from_min_max(rect.min + vec2(8.0, 0.0), rect.max - vec2(8.0, 0.0));
    let at = |step: i32| {
        let share = (step - least) as f32 / steps as f32;
        line.left() + share * line.width()
    };
    if ui.is_rect_visible(rect) {
        let painter = ui.painter();
        let base = rect.bottom() - 6.0;
        let stroke = Stroke::new(1.0, tokens.dim);
        painter.line_segment([pos2(line.left(), base), pos2(line.right(), base)], stroke);
        for step in least..=most {
            // The middle mark is longer, as on paper.
            let is_middle = (step - least) * 2 == steps;
            let height = if is_middle { 14.0 } else { 8.0 };
            let x = at(step);
            painter.line_segment([pos2(x, base), pos2(x, base - height)], stroke);
        }
        if let Some(rating) = rating {
            let center = pos2(at(rating), base - 12.0);
            painter.circle_filled(center, 6.0, tokens.accent);
        }
        if response.has_focus() {
            let ring = Stroke::new(1.5, tokens.accent);
            painter.rect_stroke(rect, size::RADIUS, ring, egui::StrokeKind::Inside);
        }
    }
    let pos = response.interact_pointer_pos().filter(|_| response.clicked() || response.dragged());
    let share = ((pos?.x - line.left()) / line.width().max(1.0)).clamp(0.0, 1.0);
    let chosen = least + (share * steps as f32).round() as i32;
    (Some(chosen) != rating).then_some(chosen)
}

/// What both ends of a scale mean, below them; longer words than the scale is wide go beyond it.
fn ends_ui(ui: &mut Ui, [least, most]: [&str; 2], width: f32) {
    let dim = tokens(ui).dim;
    let words = text_width(ui, least, Type::Caption) + text_width(ui, most, Type::Caption) + 16.0;
    let row = vec2(width.max(words).min(ui.available_width()), 20.0);
    ui.allocate_ui_with_layout(row, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_width(row.x);
        ui.label(rich_text(least, Type::Caption, dim));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(rich_text(most, Type::Caption, dim));
        });
    });
}

fn foot_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &StudyDesk, draft: &AnswerDraft) {
    let tokens = tokens(ui);
    let is_waiting = desk.sitting.as_ref().is_some_and(|sitting| sitting.is_waiting);
    ui.horizontal(|ui| {
        let next = Button::text("Continue").look(Look::Primary).enabled(!is_waiting);
        let key = Some("Enter".to_owned());
        if next.with_icon(icons::CHECK).key(key).show(ui).clicked() {
            study(cx, StudyCommand::SendForm);
        }
        let tip = "Hand it in without an answer: nobody has to answer.";
        let skip = Button::text("Do not answer").look(Look::Tool).enabled(!is_waiting);
        if skip.tooltip(tip).show(ui).clicked() {
            study(cx, StudyCommand::SkipForm);
        }
        let hint = "Digits answer, ↑ ↓ go to another question, ← → move a mark.";
        let ink = if draft.problem.is_some() { tokens.warn } else { tokens.dim };
        let words = draft.problem.as_deref().unwrap_or(hint);
        ui.label(rich_text(words, Type::Caption, ink));
        unwritten_ui(ui, desk);
    });
}

/// Keys answer the question in focus: digits choose, arrows move, Enter goes on; it presses what Tab went to.
fn keys(ui: &Ui, cx: &ViewContext<'_>, form: &Form, draft: &AnswerDraft) {
    if ui.ctx().text_edit_focused() || cx.state.overlay.is_some() {
        return;
    }
    let asked = draft.answer.asked(form);
    let Some(question) = asked.get(draft.focus) else { return };
    let is_at_widget = ui.memory(|memory| memory.focused().is_some());
    let pressed: Vec<Key> = ui.input_mut(|input| {
        let mut pressed = Vec::new();
        input.events.retain(|event| {
            let own = own_key(event).filter(|key| !(is_at_widget && *key == Key::Enter));
            pressed.extend(own);
            own.is_none()
        });
        pressed
    });
    for key in pressed {
        match key {
            Key::ArrowDown => study(cx, StudyCommand::FocusQuestion(draft.focus + 1)),
            Key::ArrowUp => study(cx, StudyCommand::FocusQuestion(draft.focus.saturating_sub(1))),
            Key::Enter => study(cx, StudyCommand::SendForm),
            Key::ArrowLeft => moved(cx, question, draft, -1),
            Key::ArrowRight => moved(cx, question, draft, 1),
            key => {
                let digit = key.name().parse::<usize>().ok();
                if let Some(value) = digit.and_then(|digit| value_of(question, digit, draft)) {
                    send(cx, question, Some(value));
                }
            }
        }
    }
}

/// The key of the form that went down: an arrow, Enter or a digit.
fn own_key(event: &Event) -> Option<Key> {
    let ways = [Key::ArrowDown, Key::ArrowUp, Key::ArrowLeft, Key::ArrowRight, Key::Enter];
    match event {
        Event::Key { key, pressed: true, modifiers, .. }
            if modifiers.is_none() && ways.contains(key) =>
        {
            Some(*key)
        }
        _ => digit_key(event),
    }
}

/// What a digit answers: a step of a short scale, or the option at that place.
fn value_of(question: &Question, digit: usize, draft: &AnswerDraft) -> Option<AnswerValue> {
    match &question.answer {
        QuestionKind::Rating { least, most, .. } if most - least < MOST_BUTTONS => {
            let step = i32::try_from(digit).ok()?;
            (*least..=*most).contains(&step).then_some(AnswerValue::Rating(step))
        }
        QuestionKind::Choice { options, .. } => {
            Some(AnswerValue::Choice(options.get(digit.checked_sub(1)?)?.id.clone()))
        }
        QuestionKind::Choices { options } => {
            let option = options.get(digit.checked_sub(1)?)?;
            let chosen = chosen_of(draft.answer.values.get(&question.id));
            Some(AnswerValue::Choices(toggled(&chosen, &option.id)))
        }
        QuestionKind::YesNo => match digit {
            1 => Some(AnswerValue::YesNo(true)),
            2 => Some(AnswerValue::YesNo(false)),
            _ => None,
        },
        _ => None,
    }
}

/// A step up or down a scale; from the middle where nothing was answered.
fn moved(cx: &ViewContext<'_>, question: &Question, draft: &AnswerDraft, by: i32) {
    let QuestionKind::Rating { least, most, .. } = question.answer else { return };
    // A step of a short scale is one digit.
    if most - least < MOST_BUTTONS {
        return;
    }
    let now = match draft.answer.values.get(&question.id) {
        Some(AnswerValue::Rating(now)) => now + by,
        _ => i32::midpoint(least, most),
    };
    send(cx, question, Some(AnswerValue::Rating(now.clamp(least, most))));
}
