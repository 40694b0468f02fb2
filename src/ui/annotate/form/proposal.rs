//! What a program says of the item: told apart from what anybody answered.

use egui::Ui;

use crate::label::form::Question;
use crate::label::{AnswerValue, Form, Preferred};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{rich_text, sentence};
use crate::workbench::{Desk, views};

/// Draws the proposal, once it may be seen.
pub(super) fn proposal_ui(ui: &mut Ui, cx: &ViewContext<'_>, form: &Form, desk: &Desk) {
    let Some(proposal) = views::proposal(cx.state) else { return };
    let tokens = tokens(ui);
    tokens.card_frame().stroke(tokens.line()).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 4.0;
        ui.horizontal(|ui| {
            ui.label(rich_text(icons::SCRIPT, Type::Icon, tokens.dim));
            ui.label(rich_text("Proposed by a program", Type::Section, tokens.dim));
        });
        for question in &form.questions {
            let Some(value) = proposal.answer.values.get(&question.id) else { continue };
            let words = value_words(question, value, desk);
            ui.add(egui::Label::new(rich_text(words, Type::Strong, tokens.text)).wrap());
        }
        if !proposal.answer.note.is_empty() {
            let note = rich_text(&proposal.answer.note, Type::Body, tokens.text);
            ui.add(egui::Label::new(note).wrap());
        }
        // Before and after one's own answer it means something else.
        let is_answered = desk.progress.states.get(desk.at).is_some_and(|it| it.is_answered);
        let aside = if is_answered {
            "It may be wrong, and counts as nobody's answer. Change yours, or keep it."
        } else {
            "It may be wrong, and counts as nobody's answer: yours is asked for."
        };
        let words = format!("{}. {aside}", sentence(&proposal.by));
        ui.add(egui::Label::new(rich_text(words, Type::Caption, tokens.dim)).wrap());
    });
    ui.add_space(8.0);
}

/// A value as people read it, with the sides of a pair as it stands.
pub(super) fn value_words(question: &Question, value: &AnswerValue, desk: &Desk) -> String {
    if let AnswerValue::Preference(preferred) = value {
        let is_swapped = desk.unit().is_some_and(|unit| unit.turn.is_swapped);
        let words = match (preferred, is_swapped) {
            (Preferred::Tie, _) => "Tie",
            (Preferred::First, false) | (Preferred::Second, true) => "A",
            (Preferred::First, true) | (Preferred::Second, false) => "B",
        };
        return words.to_owned();
    }
    let options = question.answer.options();
    let words = value.words().into_iter().map(|word| {
        let option = options.iter().find(|option| option.id == word);
        option.map_or(word, |option| option.text.in_language(&desk.language).to_owned())
    });
    words.map(|word| sentence(&word)).collect::<Vec<_>>().join(", ")
}
