//! Places that show an answer, and marks.

use egui::{Align, Layout, Ui};

use super::field::Field;
use super::shown::ShownQuestion;
use crate::label::form::{Evidence, QuestionOption};
use crate::label::{Mark, Place};
use crate::ui::annotate::parts::annotate;
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::labels::place_words;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, elided_label_ui, kbd_ui, rich_text};
use crate::workbench::{AnnotateCommand, EvidenceCommand, MarkEdit, Pointing};

/// The places that show the answer to a question, and the way to show another.
pub(super) fn evidence_ui(ui: &mut Ui, cx: &ViewContext<'_>, shown: &ShownQuestion<'_>) {
    let question = shown.question;
    if question.evidence == Evidence::None {
        return;
    }
    let places = shown.desk.draft.answer.evidence.get(&question.id);
    for (at, place) in places.into_iter().flatten().enumerate() {
        ui.horizontal(|ui| {
            place_link_ui(ui, cx, place);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let remove = Button::icon(icons::CLOSE, "Take the place away").look(Look::Tool);
                if remove.height(20.0).show(ui).clicked() {
                    let question = question.id.clone();
                    annotate(cx, AnnotateCommand::RemoveEvidence { question, at });
                }
            });
        });
    }
    // Keys are for the question that has the keyboard: beside the others they would be wrong.
    if !shown.is_focused {
        return;
    }
    let wanted = Pointing::Evidence(question.id.clone());
    if shown.desk.view.pointing.as_ref() == Some(&wanted) {
        let words = "Drag over the picture, or click; Esc: never mind.";
        ui.label(rich_text(words, Type::Caption, tokens(ui).accent_ink));
        return;
    }
    let is_required = question.evidence == Evidence::Required;
    ui.horizontal(|ui| {
        let button = CommandButton::text(CommandId::PinEvidence).look(Look::Tool).compact();
        button.with_icon(icons::PIN).show(ui, cx);
        kbd_ui(ui, "D");
        if is_required {
            ui.label(rich_text("needed", Type::Caption, tokens(ui).dim));
        }
    });
}

/// A place in words; a click goes to its step.
pub(in crate::ui::annotate) fn place_link_ui(ui: &mut Ui, cx: &ViewContext<'_>, place: &Place) {
    let words = place_words(place);
    let button = Button::text(&words).look(Look::Tool).compact().height(22.0);
    if button.with_icon(icons::PIN).tooltip("Go to the step.").show(ui).clicked()
        && let Some(step) = place.step
    {
        let run = place.run.and_then(|run| u8::try_from(run).ok()).unwrap_or(0);
        annotate(cx, AnnotateCommand::View(EvidenceCommand::Step { run, step }));
    }
}

/// The marks of a question: what is there, how bad, where.
pub(super) fn marks_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    shown: &ShownQuestion<'_>,
    (marks, options, severities): (&[Mark], &[QuestionOption], u32),
    note: &mut Field,
) {
    let tokens = tokens(ui);
    for (at, mark) in marks.iter().enumerate() {
        let question = || shown.question.id.clone();
        let edit = |edit| {
            annotate(cx, AnnotateCommand::EditMark { question: question(), at, edit });
        };
        // Of the selected one all can be set; the others are a line each.
        let is_selected = shown.desk.draft.mark.as_ref() == Some(&(question(), at));
        let option = options.iter().find(|option| option.id == mark.option);
        let words = option
            .map_or(mark.option.as_str(), |option| option.text.in_language(&shown.desk.language));
        ui.horizontal(|ui| {
            let name = format!("{}  {words}", at + 1);
            let button = Button::text(&name).look(Look::Tool).compact().height(22.0);
            if button.selected(is_selected).show(ui).clicked() {
                edit(MarkEdit::Select);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let remove = Button::icon(icons::CLOSE, "Remove the mark").look(Look::Tool);
                if remove.height(20.0).show(ui).clicked() {
                    edit(MarkEdit::Remove);
                }
                elided_label_ui(ui, &place_words(&mark.place), Type::Caption, tokens.dim);
            });
        });
        if !is_selected {
            continue;
        }
        ui.horizontal(|ui| {
            if severities > 0 {
                ui.label(rich_text("Severity", Type::Caption, tokens.dim));
                for severity in 1..=severities {
                    let words = severity.to_string();
                    let is_on = mark.severity == Some(severity);
                    let look = if is_on { Look::Primary } else { Look::Raised };
                    let button = Button::text(&words).look(look).compact().height(22.0);
                    if button.show(ui).clicked() {
                        edit(MarkEdit::Severity(severity));
                    }
                }
            }
            let is_pointing = shown.desk.view.pointing == Some(Pointing::Mark(question(), at));
            if is_pointing {
                ui.label(rich_text("drag over it", Type::Caption, tokens.accent_ink));
            } else {
                let button = CommandButton::text(CommandId::PinEvidence).look(Look::Tool);
                button.short("Where").with_icon(icons::PIN).compact().show(ui, cx);
                kbd_ui(ui, "D");
            }
        });
        let id = ("label_mark_note", "Note on the mark");
        if let Some(typed) = note.show(ui, id, &mark.note, 1) {
            edit(MarkEdit::Note(typed));
        }
    }
}
