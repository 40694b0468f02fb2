//! The form: what is asked of the item, and what was answered so far.

mod feedback;
mod field;
mod markdown;
mod options;
mod places;
mod proposal;
mod questions;
mod ranking;
mod shown;

use egui::{Frame, Margin, ScrollArea, Ui, vec2};

use crate::label::Form;
use crate::ui::commands::{CommandButton, CommandId, command};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{
    Button, Look, clock_words, hairline_ui, kbd_ui, rich_text, section_header_ui,
};
use crate::workbench::views::answer_keys;
use crate::workbench::{AnnotateCommand, Desk, Dwell, Saving};

use super::parts::{annotate, confirm, has_answer_bar};
use feedback::feedback_ui;
use proposal::proposal_ui;
use shown::ShownQuestion;

pub(in crate::ui) use field::Field;
pub(in crate::ui) use markdown::markdown_ui;
pub(in crate::ui) use options::{option_ui, row_option_ui};
pub(super) use places::place_link_ui;

/// What the panel remembers: texts that are ahead of the state by what is being typed.
#[derive(Debug, Default)]
pub(super) struct FormPanel {
    note: Field,
    flag: Field,
    texts: std::collections::BTreeMap<String, Field>,
    /// The unit that the texts are of.
    unit: Option<usize>,
}

impl FormPanel {
    /// Puts the cursor into the note, next frame.
    pub(super) fn write_note(&mut self) {
        self.note.focus();
    }

    /// Draws the panel.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, dwell: &Dwell) {
        let Some((labels, desk)) = cx.state.annotate.at_desk() else { return };
        let Some(form) = desk.unit().and_then(|unit| labels.form(unit)) else { return };
        let is_survey = desk.unit().is_some_and(|unit| labels.is_survey(unit));
        if self.unit.replace(desk.at) != Some(desk.at) {
            *self = Self { unit: Some(desk.at), ..Self::default() };
        }
        let foot = 84.0;
        let height = (ui.available_height() - foot).max(60.0);
        let area = ScrollArea::vertical().auto_shrink([false, false]).max_height(height);
        area.id_salt("label_form").show(ui, |ui| {
            let margin = Margin::symmetric(size::GUTTER as i8, 10);
            Frame::new().inner_margin(margin).show(ui, |ui| {
                ui.set_width(ui.available_width());
                guide_ui(ui, cx, form, desk);
                proposal_ui(ui, cx, form, desk);
                feedback_ui(ui, cx, desk);
                self.questions_ui(ui, cx, form, desk);
                // Who is asked about themselves looks at nothing that a note or a flag could be of.
                if is_survey {
                    return;
                }
                ui.add_space(8.0);
                self.note_ui(ui, cx, desk);
                self.flag_ui(ui, cx, desk);
                dwell_ui(ui, dwell);
            });
        });
        hairline_ui(ui);
        let margin = Margin::symmetric(size::GUTTER as i8, 8);
        let foot = |ui: &mut Ui| foot_ui(ui, cx, (desk, is_survey), dwell);
        Frame::new().inner_margin(margin).show(ui, foot);
    }

    fn questions_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, form: &Form, desk: &Desk) {
        let keys = answer_keys(cx.state);
        let focused = desk.draft.focused(form).map(|question| question.id.clone());
        // Which of a pair stands large below the pictures.
        let skipped = usize::from(has_answer_bar(cx));
        let asked = desk.draft.answer.asked(form);
        for (number, question) in (1..).zip(asked).skip(skipped) {
            let is_focused = focused.as_ref() == Some(&question.id);
            let field = self.texts.entry(question.id.clone()).or_default();
            let shown = ShownQuestion { form, desk, question, number, is_focused, keys: &keys };
            questions::question_ui(ui, cx, &shown, field);
        }
    }

    fn note_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, desk: &Desk) {
        let tokens = tokens(ui);
        let note = &desk.draft.answer.note;
        let is_unsure = desk.draft.answer.unsure;
        ui.horizontal(|ui| {
            let button = CommandButton::text(CommandId::ToggleUnsure).look(Look::Raised);
            let icon = if is_unsure { icons::CHECK } else { icons::UNSURE };
            button.with_icon(icon).selected(is_unsure).show(ui, cx);
            kbd_ui(ui, &command(CommandId::ToggleUnsure).key(ui, cx.state).unwrap_or_default());
        });
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            ui.label(rich_text("Note", Type::Section, tokens.dim));
            kbd_ui(ui, &command(CommandId::WriteLabelNote).key(ui, cx.state).unwrap_or_default());
        });
        let typed = self.note.show(ui, ("label_note", "Note on the item"), note, 2);
        if let Some(typed) = typed {
            annotate(cx, AnnotateCommand::Note(typed));
        }
    }

    fn flag_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, desk: &Desk) {
        let Some(reason) = &desk.flagging else {
            self.flag = Field::wanting_focus();
            return;
        };
        ui.add_space(8.0);
        ui.label(rich_text("What is wrong with the item?", Type::Section, tokens(ui).dim));
        let typed = self.flag.show(ui, ("label_flag", "What is wrong with the item"), reason, 1);
        if let Some(typed) = typed {
            // A line is a reason; its end is Enter.
            let is_done = typed.contains('\n');
            annotate(cx, AnnotateCommand::EditFlag(Some(typed.replace('\n', " "))));
            if is_done {
                annotate(cx, AnnotateCommand::Flag);
            }
        }
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            let flag = Button::text("Flag").look(Look::Primary).enabled(!reason.trim().is_empty());
            if flag.with_icon(icons::FLAG).show(ui).clicked() {
                annotate(cx, AnnotateCommand::Flag);
            }
            if Button::text("Cancel").look(Look::Tool).show(ui).clicked() {
                annotate(cx, AnnotateCommand::EditFlag(None));
            }
        });
    }
}

fn guide_ui(ui: &mut Ui, cx: &ViewContext<'_>, form: &Form, desk: &Desk) {
    let tokens = tokens(ui);
    let title = form.title.in_language(&desk.language);
    ui.add(egui::Label::new(rich_text(title, Type::Title, tokens.text)).wrap());
    languages_ui(ui, cx, form, desk);
    if desk.shows_guide && !form.guide.is_empty() {
        ui.add_space(4.0);
        tokens.card_frame().show(ui, |ui| {
            ui.set_width(ui.available_width());
            markdown_ui(ui, form.guide.in_language(&desk.language));
        });
    }
    ui.add_space(8.0);
}

/// The languages the form has, where there are several.
fn languages_ui(ui: &mut Ui, cx: &ViewContext<'_>, form: &Form, desk: &Desk) {
    let languages = form.languages();
    if languages.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        for language in &languages {
            let button = Button::text(language).look(Look::Tool).compact().height(22.0);
            let tooltip = format!("Read the form in {language}.");
            let button = button.selected(desk.language == *language).tooltip(&tooltip);
            if button.show(ui).clicked() {
                annotate(cx, AnnotateCommand::Language(language.clone()));
            }
        }
        let missing = form.untranslated(&desk.language);
        if !missing.is_empty() {
            let words = format!("{} texts in another language", missing.len());
            let label = ui.label(rich_text(words, Type::Caption, tokens(ui).warn));
            label.on_hover_text(missing.join("\n"));
        }
    });
}

/// How long the item is on the screen, by view: kept with the answer, and shown to whom it is about.
fn dwell_ui(ui: &mut Ui, dwell: &Dwell) {
    if dwell.millis < 1000 {
        return;
    }
    ui.add_space(10.0);
    section_header_ui(ui, "On this item", &clock_words(dwell.millis / 1000));
    for (view, millis) in &dwell.views {
        ui.horizontal(|ui| {
            let dim = tokens(ui).dim;
            ui.allocate_ui(vec2(96.0, 16.0), |ui| {
                ui.set_min_width(96.0);
                ui.label(rich_text(crate::ui::widgets::sentence(view), Type::Caption, dim));
            });
            let share = *millis as f32 / dwell.millis.max(1) as f32;
            let width = (ui.available_width() - 44.0).max(20.0);
            crate::ui::widgets::progress_bar_ui(ui, view, Some(share), width);
            ui.label(rich_text(format!("{} s", millis / 1000), Type::Caption, dim));
        });
    }
    let words = "Kept with the answer; you see your own.";
    ui.label(rich_text(words, Type::Caption, tokens(ui).dim));
}

/// What finishes the form, and what leaves it.
fn foot_ui(ui: &mut Ui, cx: &ViewContext<'_>, (desk, is_survey): (&Desk, bool), dwell: &Dwell) {
    let tokens = tokens(ui);
    if let Some(problem) = &desk.draft.problem {
        ui.add(egui::Label::new(rich_text(problem, Type::Caption, tokens.warn)).truncate());
    } else {
        let words = match &desk.saving {
            Saving::GoingOn => "Saved. Undo takes it back.",
            Saving::Writing(_) => "Saving…",
            Saving::Failing { .. } => "Not saved: it is tried again.",
            Saving::Done if desk.progress.states.get(desk.at).is_some_and(|it| it.is_answered) => {
                "Answered; what you change is written anew."
            }
            Saving::Done => "Enter writes the answer down.",
        };
        ui.label(rich_text(words, Type::Caption, tokens.dim));
    }
    ui.horizontal(|ui| {
        let key = command(CommandId::ConfirmAnswer).key(ui, cx.state);
        let done = Button::text("Done").look(Look::Primary).key(key);
        if done.with_icon(icons::CHECK).named("Next question, or done").show(ui).clicked() {
            confirm(cx, dwell);
        }
        if is_survey {
            CommandButton::text(CommandId::GetUp).short("Leave").look(Look::Tool).show(ui, cx);
            return;
        }
        CommandButton::text(CommandId::SkipItem).with_icon(icons::SKIP).show(ui, cx);
        let is_flagged = desk.progress.states.get(desk.at).is_some_and(|it| it.is_flagged);
        if is_flagged {
            let button = Button::text("Unflag").look(Look::Raised).with_icon(icons::FLAG);
            if button.tooltip("Nothing is wrong with the item after all.").show(ui).clicked() {
                annotate(cx, AnnotateCommand::Unflag);
            }
        } else {
            CommandButton::text(CommandId::FlagItem).with_icon(icons::FLAG).show(ui, cx);
        }
    });
}
