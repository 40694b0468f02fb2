//! Everyone's answers to a question about an item, what they come to, and who answers how.

use egui::{Align, Frame, Layout, Margin, ScrollArea, Ui, vec2};

use super::interval::{agreement_words, two};
use super::participants::participants_ui;
use super::rankings::rankings_ui;
use super::topics::topic_words;
use crate::label::agreement::QuestionAgreement;
use crate::label::people::{PersonReport, Share};
use crate::label::{AnswerValue, Findings, Mark, Provenance};
use crate::metric::stats::StatsError;
use crate::ui::annotate::form::{Field, option_ui, place_link_ui};
use crate::ui::annotate::parts::annotate;
use crate::ui::commands::{CommandId, command};
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{
    Button, Look, count, elided_label_ui, hairline_ui, kbd_ui, rich_text, section_header_ui,
};
use crate::workbench::views::{self, GivenAnswer, answer_keys};
use crate::workbench::{AnnotateCommand, ReviewCommand, ReviewRow, Topic};

/// Pairs of people that are listed: those that agree least.
const PAIRS: usize = 6;

/// What the panel remembers.
#[derive(Debug, Default)]
pub(in crate::ui::annotate) struct SettlePanel {
    note: Field,
    /// What the note is of.
    shown: Option<(usize, usize)>,
}

impl SettlePanel {
    /// Puts the cursor into the note, next frame.
    pub(in crate::ui::annotate) fn write_note(&mut self) {
        self.note.focus();
    }

    /// Draws the panel.
    pub(in crate::ui::annotate) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let Some((labels, desk)) = cx.state.annotate.at_desk() else { return };
        let Some(review) = &desk.review else { return };
        let Some(topic) = views::review_topic(cx.state) else {
            // Forms of rankings and words alone: nothing of them has one value to settle.
            rankings_alone_ui(ui, cx, labels.forms.len());
            return;
        };
        let now = (review.topic, desk.at);
        if self.shown.replace(now) != Some(now) {
            self.note = Field::default();
        }
        let tokens = tokens(ui);
        let found = views::findings(cx.state).and_then(|found| found.forms.get(topic.form));
        let area = ScrollArea::vertical().auto_shrink([false, false]).id_salt("label_settle");
        area.show(ui, |ui| {
            let margin = Margin::symmetric(size::GUTTER as i8, 10);
            Frame::new().inner_margin(margin).show(ui, |ui| {
                ui.set_width(ui.available_width());
                let words = topic_words(labels, desk, &topic);
                let title = labels.forms.get(topic.form).map(|form| &form.title);
                let title = title.map_or("", |title| title.in_language(&desk.language));
                let is_said = title == words;
                ui.add(egui::Label::new(rich_text(words, Type::Title, tokens.text)).wrap());
                if !is_said {
                    elided_label_ui(ui, title, Type::Caption, tokens.dim);
                }
                ui.add_space(6.0);
                answers_ui(ui, cx, &topic);
                if views::review_row(cx.state).is_some() || desk.unit().is_some() {
                    self.settle_ui(ui, cx, &review.note);
                }
                if let Some(found) = found {
                    ui.add_space(12.0);
                    agreement_block_ui(ui, found, &topic);
                    people_ui(ui, found, &topic);
                }
                rankings_of_form_ui(ui, cx, topic.form);
                participants_ui(ui, cx);
            });
        });
    }

    /// What the answer is, and what it could be settled as.
    fn settle_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, note: &str) {
        let tokens = tokens(ui);
        ui.add_space(8.0);
        hairline_ui(ui);
        ui.add_space(8.0);
        final_ui(ui, cx, views::review_row(cx.state));
        ui.add_space(6.0);
        let choices = views::settle_choices(cx.state);
        let keys = answer_keys(cx.state);
        let settled = views::settlement(cx.state);
        // As many as fit beside each other with their words; more stand below each other.
        let is_row = choices.len() <= 3;
        let width = ui.available_width();
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        let each = if is_row {
            (width - 6.0 * (choices.len() as f32 - 1.0)) / choices.len().max(1) as f32
        } else {
            width
        };
        let add = |ui: &mut Ui| {
            for (value, words) in &choices {
                let key = keys.iter().find(|key| key.option.as_ref() == Some(value));
                let is_on = settled.is_some_and(|it| it.value == value);
                let key = key.map(|key| key.key);
                if option_ui(ui, key, words, is_on, vec2(each, 30.0)).clicked() {
                    annotate(cx, AnnotateCommand::Review(ReviewCommand::Settle(value.clone())));
                }
            }
        };
        if is_row {
            ui.horizontal(add);
        } else {
            ui.vertical(add);
        }
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            ui.label(rich_text("Why", Type::Section, tokens.dim));
            let key = command(CommandId::WriteLabelNote).key(ui, cx.state).unwrap_or_default();
            kbd_ui(ui, &key);
        });
        let id = ("settle_note", "Why it is settled so");
        if let Some(typed) = self.note.show(ui, id, note, 2) {
            annotate(cx, AnnotateCommand::Review(ReviewCommand::Note(typed)));
        }
    }
}

/// Where nothing can be settled: what people ranked, and who takes part.
fn rankings_alone_ui(ui: &mut Ui, cx: &ViewContext<'_>, forms: usize) {
    let area = ScrollArea::vertical().auto_shrink([false, false]).id_salt("label_rankings");
    area.show(ui, |ui| {
        let margin = Margin::symmetric(size::GUTTER as i8, 10);
        Frame::new().inner_margin(margin).show(ui, |ui| {
            ui.set_width(ui.available_width());
            for form in 0..forms {
                rankings_of_form_ui(ui, cx, form);
            }
            participants_ui(ui, cx);
        });
    });
}

fn rankings_of_form_ui(ui: &mut Ui, cx: &ViewContext<'_>, form: usize) {
    let found = views::findings(cx.state).and_then(|found| found.forms.get(form));
    let labels = cx.state.annotate.labels.as_ref();
    let asked = labels.and_then(|labels| labels.forms.get(form));
    if let Some((found, form)) = found.zip(asked) {
        rankings_ui(ui, cx, form, &found.rankings);
    }
}

/// What everybody answered.
fn answers_ui(ui: &mut Ui, cx: &ViewContext<'_>, topic: &Topic) {
    let given = views::given_answers(cx.state);
    if given.is_empty() {
        let words = "Nobody answered about this item yet.";
        ui.label(rich_text(words, Type::Body, tokens(ui).dim));
        return;
    }
    for answer in &given {
        answer_ui(ui, cx, topic, answer);
    }
}

fn answer_ui(ui: &mut Ui, cx: &ViewContext<'_>, topic: &Topic, given: &GivenAnswer<'_>) {
    let tokens = tokens(ui);
    let answer = &given.answered.answer;
    let labels = cx.state.annotate.labels.as_ref();
    let form = labels.and_then(|labels| labels.forms.get(topic.form));
    let question = form.and_then(|form| form.question(&topic.question));
    let value = answer.values.get(&topic.question);
    // A topic of one option asks whether it was chosen, whatever else was.
    let words = match (&topic.option, question) {
        (Some(option), Some(question)) => match answer.has_option(question, option) {
            Some(has) => views::value_words(cx.state, if has { "yes" } else { "no" }),
            None => "–".to_owned(),
        },
        _ => value.map_or_else(
            || "–".to_owned(),
            |value| views::value_words(cx.state, &value.words().join(", ")),
        ),
    };
    ui.horizontal(|ui| {
        ui.set_min_height(24.0);
        ui.allocate_ui_with_layout(vec2(96.0, 24.0), Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(96.0);
            elided_label_ui(ui, given.person, Type::Body, tokens.dim);
        });
        ui.label(rich_text(words, Type::Strong, tokens.text));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let Some(millis) = given.answered.millis {
                let words = format!("{} s", millis.div_ceil(1000));
                ui.label(rich_text(words, Type::Caption, tokens.dim));
            }
            if answer.unsure {
                ui.label(rich_text("not sure", Type::Caption, tokens.warn));
            }
        });
    });
    let marks: &[Mark] = match value {
        Some(AnswerValue::Marks(marks)) => marks,
        _ => &[],
    };
    for mark in marks.iter().filter(|mark| Some(&mark.option) == topic.option.as_ref()) {
        indented_ui(ui, |ui| {
            place_link_ui(ui, cx, &mark.place);
            let severity = mark.severity.map(|it| format!("severity {it}"));
            let words = [severity, Some(mark.note.clone()).filter(|it| !it.is_empty())];
            let words: Vec<String> = words.into_iter().flatten().collect();
            elided_label_ui(ui, &words.join(" · "), Type::Caption, tokens.dim);
        });
    }
    for place in answer.evidence.get(&topic.question).into_iter().flatten() {
        indented_ui(ui, |ui| place_link_ui(ui, cx, place));
    }
    if !answer.note.is_empty() {
        indented_ui(ui, |ui| {
            ui.add(egui::Label::new(rich_text(&answer.note, Type::Caption, tokens.dim)).wrap());
        });
    }
}

fn indented_ui(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.add_space(12.0);
        add(ui);
    });
}

/// What the answers come to, and how.
fn final_ui(ui: &mut Ui, cx: &ViewContext<'_>, row: Option<&ReviewRow>) {
    let tokens = tokens(ui);
    let settled = views::settlement(cx.state);
    let value = |value: &str| views::value_words(cx.state, value);
    let words = match (settled, row) {
        (Some(settled), _) => {
            format!("{}, settled by {}", value(settled.value), settled.event.person)
        }
        (None, None) => "No answer".to_owned(),
        (None, Some(row)) => {
            let all: usize = row.votes.iter().map(|vote| vote.1).sum();
            let most = row.votes.first().map_or(0, |vote| vote.1);
            match (&row.value, row.provenance) {
                (Some(found), Provenance::Unanimous) => format!("{}, unanimous", value(found)),
                (Some(found), Provenance::Single) => format!("{}, by one person", value(found)),
                (Some(found), _) => format!("{}, {most} of {all}", value(found)),
                (None, _) => "To settle: no answer has more than half".to_owned(),
            }
        }
    };
    let is_open = settled.is_none() && row.is_some_and(|row| row.value.is_none());
    let ink = if is_open { tokens.warn } else { tokens.text };
    ui.horizontal(|ui| {
        ui.set_min_height(24.0);
        let mine = cx.state.annotate.desk.as_ref().map(|desk| &desk.person);
        // What another adjudicator settled is theirs to take back.
        let can_take_back = settled.is_some_and(|it| Some(&it.event.person) == mine);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if can_take_back {
                let back = Button::text("Take back").look(Look::Tool).compact();
                if back.show(ui).clicked() {
                    annotate(cx, AnnotateCommand::Review(ReviewCommand::Unsettle));
                }
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                elided_label_ui(ui, &words, Type::Strong, ink);
            });
        });
    });
    if let Some(settled) = settled.filter(|settled| !settled.note.is_empty()) {
        ui.add(egui::Label::new(rich_text(settled.note, Type::Caption, tokens.dim)).wrap());
    }
}

/// How far people agree on the topic.
fn agreement_block_ui(ui: &mut Ui, found: &Findings, topic: &Topic) {
    let tokens = tokens(ui);
    let of = found.agreement.iter().find(|it| {
        it.question == topic.question && it.option.as_deref() == topic.option.as_deref()
    });
    let Some(of) = of else { return };
    let aside = format!("{} · {}", count(of.items, "item"), count(of.answers, "answer"));
    section_header_ui(ui, "Agreement", &aside);
    ui.add(egui::Label::new(rich_text(agreement_words(of), Type::Body, tokens.text)).wrap());
    let number = |value: &Result<f64, StatsError>| {
        value.as_ref().map_or_else(|_| "–".to_owned(), |value| two(*value))
    };
    let raw = of.raw.as_ref().map_or_else(|_| "–".to_owned(), |it| format!("{:.0} %", it * 100.0));
    let line = format!("{raw} of pairs of answers equal · Fleiss κ {}", number(&of.fleiss));
    let label = ui.label(rich_text(line, Type::Caption, tokens.dim));
    if let Err(why) = &of.fleiss {
        label.on_hover_text(why.to_string());
    }
    kappas_ui(ui, of);
}

/// Cohen's κ of two people each, the lowest first.
fn kappas_ui(ui: &mut Ui, of: &QuestionAgreement) {
    if of.pairs.len() < 2 {
        return;
    }
    let tokens = tokens(ui);
    let mut pairs: Vec<_> = of.pairs.iter().collect();
    let kappa = |value: &Result<f64, StatsError>| value.as_ref().copied().unwrap_or(2.0);
    // The worst first, as that is what is looked for; what has no value stands last.
    pairs.sort_by(|a, b| kappa(&a.kappa).total_cmp(&kappa(&b.kappa)));
    ui.add_space(6.0);
    section_header_ui(ui, "Cohen’s κ of two", "");
    for pair in pairs.iter().take(PAIRS) {
        ui.horizontal(|ui| {
            let [one, other] = &pair.people;
            let value = match &pair.kappa {
                Ok(kappa) => two(*kappa),
                Err(_) => "–".to_owned(),
            };
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let words = format!("of {}", pair.items);
                ui.label(rich_text(words, Type::Caption, tokens.dim));
                let label = ui.label(rich_text(value, Type::Medium, tokens.text));
                if let Err(why) = &pair.kappa {
                    label.on_hover_text(why.to_string());
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    elided_label_ui(ui, &format!("{one}, {other}"), Type::Body, tokens.dim);
                });
            });
        });
    }
    if pairs.len() > PAIRS {
        let words = format!("{} more, in “label report --json”", pairs.len() - PAIRS);
        ui.label(rich_text(words, Type::Caption, tokens.dim));
    }
}

/// Who answers how.
fn people_ui(ui: &mut Ui, found: &Findings, topic: &Topic) {
    if found.people.is_empty() {
        return;
    }
    let tokens = tokens(ui);
    ui.add_space(6.0);
    section_header_ui(ui, "People", "α without them");
    for person in &found.people {
        // Of this question alone: somebody may be at odds with the others in one and not in another.
        let without = found.without.get(&person.person).and_then(|all| {
            all.iter().find(|it| {
                it.question == topic.question && it.option.as_deref() == topic.option.as_deref()
            })
        });
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let alpha = without.map(|it| &it.alpha);
                let words = match alpha {
                    Some(Ok(alpha)) => two(*alpha),
                    _ => "–".to_owned(),
                };
                let label = ui.label(rich_text(words, Type::Medium, tokens.text));
                if let Some(Err(why)) = alpha {
                    label.on_hover_text(why.to_string());
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    elided_label_ui(ui, &person.person, Type::Body, tokens.text);
                });
            });
        });
        let words = person_words(person);
        ui.add(egui::Label::new(rich_text(words, Type::Caption, tokens.dim)).wrap());
        ui.add_space(4.0);
    }
}

/// How fast, how often with the others, from which side, and what known answers and repeats say.
fn person_words(person: &PersonReport) -> String {
    let percent = |share: Share| share.value().map(|it| format!("{:.0}\u{a0}%", 100.0 * it));
    let mut parts = vec![count(person.items, "answer")];
    if let Ok(seconds) = &person.median_secs {
        parts.push(format!("{seconds:.0} s each"));
    }
    if let Some(with) = percent(person.with_majority) {
        parts.push(format!("{with} with the others"));
    }
    let [first, second] = person.halves.map(percent);
    // Only where it changed: twice the same number says nothing of drift.
    if let Some((first, second)) = first.zip(second).filter(|(first, second)| first != second) {
        parts.push(format!("first {first}, then {second}"));
    }
    if let Some(left) = person.left.and_then(|sides| percent(sides.left)) {
        parts.push(format!("{left} left"));
    }
    if person.known_failed.of > 0 {
        let Share { hits, of } = person.known_failed;
        parts.push(format!("{hits} of {of} known answers failed"));
    }
    if person.same_again.of > 0 {
        let Share { hits, of } = person.same_again;
        parts.push(format!("{hits} of {of} the same again"));
    }
    parts.join(" · ")
}
