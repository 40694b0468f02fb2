//! What a project that is being made shows and asks before its first item, and what programs say of its items.

use std::path::Path;

use egui::{Align, ComboBox, DragValue, Layout, Role, Ui, WidgetInfo};

use super::parts::{area_ui, number_ui};
use crate::evaluate::question_of_item;
use crate::label::Proposals;
use crate::label::form::{builtin_form, labelling_forms};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{
    Button, Look, Several, add_stable, caption_row_ui, choice_ui, chosen_look, path_label_ui,
    rich_text, section_header_ui,
};
use crate::workbench::{Browse, Command, NewLabels, NewLabelsFile, NewText};

/// Where what is chosen begins, right of what it is called.
const NAMES: f32 = 164.0;

/// What can be said when, as the window calls it.
const TIMES: [(Proposals, &str, &str); 3] = [
    (Proposals::Before, "before the answer", "It is seen first, which is an anchor."),
    (Proposals::After, "after it", "The answer is given first, and can still be changed."),
    (Proposals::Never, "never", "No item has a proposal."),
];

/// Draws both sections.
pub(super) fn study_ui(ui: &mut Ui, cx: &ViewContext<'_>, draft: &mut NewLabels) {
    section_header_ui(ui, "Before the first item", "all of it optional");
    let words = ("Text to agree to", "Who does not agree labels nothing");
    text_ui(ui, cx, &mut draft.consent, NewLabelsFile::Consent, words);
    let words = ("Good and bad examples", "A file can show pictures that lie beside it");
    text_ui(ui, cx, &mut draft.examples, NewLabelsFile::Examples, words);
    survey_ui(ui, draft);
    practice_ui(ui, cx, draft);
    known_ui(ui, cx, draft);
    ui.add_space(10.0);
    section_header_ui(ui, "Proposals", "what a program says of an item; nobody's answer");
    caption_row_ui(ui, |ui| {
        name_ui(ui, "Shown");
        for (time, words, tooltip) in TIMES {
            let name = format!("Show proposals {words}");
            let is_on = draft.proposals == time;
            let choice = choice_ui(ui, words, &name, is_on, Several::No);
            if choice.on_hover_text(tooltip).clicked() {
                draft.proposals = time;
            }
        }
    });
}

/// A text, typed or in a file.
fn text_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    text: &mut NewText,
    what: NewLabelsFile,
    (name, hint): (&str, &str),
) {
    let chosen = text.file.clone();
    if file_ui(ui, cx, &[(what, "Markdown file…")], name, chosen.as_deref()) {
        text.file = None;
    }
    if text.file.is_none() {
        area_ui(ui, &mut text.typed, name, hint, 2);
    }
    ui.add_space(8.0);
}

/// A file, and buttons to choose it and to do without it; gives whether it is done without.
pub(super) fn file_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    choices: &[(NewLabelsFile, &str)],
    name: &str,
    path: Option<&Path>,
) -> bool {
    let mut is_cleared = false;
    caption_row_ui(ui, |ui| {
        name_ui(ui, name);
        // Buttons first, from the right, so that the path gets the room they leave.
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            for (what, choose) in choices.iter().rev() {
                let is_folder = *what == NewLabelsFile::QueryFolder;
                let of = if is_folder { "folder" } else { "file" };
                let named = format!("{name}: choose a {of}");
                let button = Button::text(choose).named(&named).height(24.0);
                if button.show(ui).clicked() {
                    cx.send(Command::Browse(Browse::NewLabelsFile(*what)));
                }
            }
            let Some(path) = path else { return };
            let words = format!("{name}: without the file");
            let button = Button::icon(icons::CLOSE, &words).look(Look::Tool).height(24.0);
            is_cleared = button.tooltip("Without the file").show(ui).clicked();
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                path_label_ui(ui, &path.display().to_string());
            });
        });
    });
    is_cleared
}

fn survey_ui(ui: &mut Ui, draft: &mut NewLabels) {
    caption_row_ui(ui, |ui| {
        name_ui(ui, "Questions about people");
        let title = |id: &str| match builtin_form(id) {
            Some(form) => form.title.in_language("en").to_owned(),
            None => id.to_owned(),
        };
        let now = draft.pre_survey.as_deref().map_or_else(|| "none".to_owned(), title);
        let shown = rich_text(&now, Type::Body, tokens(ui).text);
        let combo = ComboBox::from_id_salt("new_labels_survey").selected_text(shown).width(220.0);
        let response = combo.show_ui(ui, |ui| {
            chosen_look(ui);
            ui.selectable_value(&mut draft.pre_survey, None, "none");
            // Forms about people: those that ask about an item have nothing to show here.
            for form in labelling_forms().iter().filter(|form| question_of_item(form).is_none()) {
                let title = form.title.in_language("en");
                ui.selectable_value(&mut draft.pre_survey, Some(form.id.clone()), title);
            }
        });
        response.response.widget_info(|| {
            let name = format!("Questions about people: {now}");
            WidgetInfo::labeled(Role::ComboBox, true, name)
        });
    });
    ui.add_space(4.0);
}

fn practice_ui(ui: &mut Ui, cx: &ViewContext<'_>, draft: &mut NewLabels) {
    let practice = draft.practice.clone();
    let choices = [(NewLabelsFile::Practice, "Table…")];
    if file_ui(ui, cx, &choices, "Items to learn by", practice.as_deref()) {
        draft.practice = None;
    }
    if draft.practice.is_none() {
        let words =
            "A table of answers that are told after each answer: asked first, in no result.";
        ui.label(rich_text(words, Type::Caption, tokens(ui).dim));
    }
    ui.add_space(4.0);
}

fn known_ui(ui: &mut Ui, cx: &ViewContext<'_>, draft: &mut NewLabels) {
    let known = draft.known.clone();
    let choices = [(NewLabelsFile::Known, "Table…")];
    if file_ui(ui, cx, &choices, "Known answers", known.as_deref()) {
        draft.known = None;
    }
    if draft.known.is_none() {
        let words = "A table of answers that are known: its first items can decide who labels, the others \
                     are asked without being told from the rest.";
        ui.label(rich_text(words, Type::Caption, tokens(ui).dim));
        return;
    }
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        number_ui(ui, "Items that decide who labels", &mut draft.qualifying, 0..=1000);
        if draft.qualifying > 0 {
            ui.add_space(16.0);
            ui.label(rich_text("Enough to pass", Type::Body, tokens(ui).dim));
            let field = DragValue::new(&mut draft.pass_percent).range(1..=100).speed(0.2);
            add_stable(ui, field.suffix(" %")).accessible_name("Enough to pass, in a hundred");
        }
    });
}

/// What something is called; what is chosen stands beside each other.
fn name_ui(ui: &mut Ui, words: &str) {
    let before = ui.cursor().left();
    ui.label(rich_text(words, Type::Body, tokens(ui).dim));
    ui.add_space((before + NAMES - ui.cursor().left()).max(0.0));
}
