//! What the panels of the room share: how they ask for something, what items are called, and fields.

use egui::{DragValue, Id, Margin, TextEdit, Ui};

use crate::label::ItemKind;
use crate::label::form::QuestionKind;
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{add_stable, rich_text, with_escape};
use crate::workbench::{AnnotateCommand, Command, Dwell, State};

/// Asks for the answer to be written down; before all questions are answered, for the next one that is not.
pub(super) fn confirm(cx: &ViewContext<'_>, dwell: &Dwell) {
    annotate(cx, AnnotateCommand::Submit(dwell.clone()));
}

pub(super) fn annotate(cx: &ViewContext<'_>, command: AnnotateCommand) {
    cx.send(Command::Annotate(command));
}

/// What an item is called in the queue: its kind and its place, and nothing that says who made it.
pub(super) fn item_name(state: &State, at: usize) -> String {
    let unit = state.annotate.desk.as_ref().and_then(|desk| desk.units.get(at));
    let labels = state.annotate.labels.as_ref();
    if labels.zip(unit).is_some_and(|(labels, unit)| labels.is_survey(unit)) {
        return "About you".to_owned();
    }
    // What asks about people is no item, and comes first.
    let has_survey = labels.is_some_and(|labels| labels.survey.is_some())
        && state.annotate.desk.as_ref().is_some_and(|desk| desk.review.is_none());
    let at = at - usize::from(has_survey && at > 0);
    let kind = labels.zip(unit).and_then(|(labels, unit)| labels.item(unit)).map(|it| it.kind);
    let word = match kind {
        Some(ItemKind::Pair) => "Pair",
        Some(ItemKind::Query) => "Query",
        Some(ItemKind::Task) => "Task",
        Some(ItemKind::Text) => "Text",
        Some(ItemKind::Step) => "Step",
        Some(ItemKind::Run | ItemKind::Design) | None => "Item",
    };
    format!("{word} {}", at + 1)
}

/// Whether the form asks which of a pair first of all: then the answers stand below the pictures.
pub(super) fn has_answer_bar(cx: &ViewContext<'_>) -> bool {
    let settles = cx.state.annotate.desk.as_ref().is_some_and(|desk| desk.review.is_some());
    !settles
        && cx.state.annotate.asked().is_some_and(|(item, form)| {
            let first = form.questions.first().map(|question| &question.answer);
            item.kind == ItemKind::Pair && matches!(first, Some(QuestionKind::Preference { .. }))
        })
}

/// A field of several lines; Escape leaves it.
pub(super) fn area_ui(ui: &mut Ui, text: &mut String, name: &str, hint: &str, rows: usize) {
    let hint = rich_text(hint, Type::Body, tokens(ui).dim);
    let field = TextEdit::multiline(text)
        .id(Id::unique(("new_labels", name)))
        .hint_text(hint)
        .desired_rows(rows)
        .margin(Margin::symmetric(8, 5))
        .event_filter(with_escape())
        .desired_width(f32::INFINITY);
    let response = ui.add(field).accessible_name(name);
    if response.has_focus() && ui.input(|input| input.key_pressed(egui::Key::Escape)) {
        response.surrender_focus();
    }
}

/// A number with its name before it.
pub(super) fn number_ui(
    ui: &mut Ui,
    name: &str,
    value: &mut u32,
    range: std::ops::RangeInclusive<u32>,
) {
    ui.label(rich_text(name, Type::Body, tokens(ui).dim));
    add_stable(ui, DragValue::new(value).range(range).speed(0.1)).accessible_name(name);
}
