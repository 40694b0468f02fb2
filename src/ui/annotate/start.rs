//! Before anybody labels: which project, and who.

use egui::{Align, Frame, Id, Key, Layout, Margin, Popup, ScrollArea, TextEdit, Ui, vec2};

use super::confirmations::menu_ui;
use super::form::markdown_ui;
use super::parts::annotate;
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{
    Button, EmptyState, Look, count, progress_bar_ui, rich_text, section_header_ui,
};
use crate::workbench::{AnnotateCommand, OpenLabels};

/// What is typed.
#[derive(Debug, Default)]
pub(super) struct Start {
    name: Option<String>,
    settler: Option<String>,
}

impl Start {
    /// Draws what there is to choose.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        match (&cx.state.annotate.labels, &cx.state.annotate.opening) {
            (_, Some(_)) => {
                let words = "Its items and everything answered so far are being read.";
                EmptyState::new(icons::OPEN, "Opening the project", words).show(ui, |_| {});
            }
            (Some(labels), None) => self.people_ui(ui, cx, labels),
            (None, None) => nothing_ui(ui, cx),
        }
    }

    /// Who labels.
    fn people_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, labels: &OpenLabels) {
        let tokens = tokens(ui);
        let width = (ui.available_width() - 48.0).min(460.0);
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            ui.vertical_centered(|ui| {
                ui.add_space((ui.available_height() * 0.12).clamp(16.0, 96.0));
                ui.set_max_width(width);
                ui.with_layout(Layout::top_down(Align::Min), |ui| {
                    ui.set_width(width);
                    ui.label(rich_text(&labels.project.name, Type::Display, tokens.text));
                    let forms: Vec<&str> = labels
                        .forms
                        .iter()
                        .map(|form| form.title.in_language(&cx.state.settings.form_language))
                        .collect();
                    let items = count(labels.items.len(), "item");
                    let about = format!("{} · {items}", forms.join(", "));
                    ui.label(rich_text(about, Type::Body, tokens.dim));
                    ui.add_space(12.0);
                    if labels.is_read_only {
                        let words = "The file cannot be written: answers would not be kept. \
                                     Copy it to a folder of yours and open the copy.";
                        ui.label(rich_text(words, Type::Body, tokens.warn));
                        ui.add_space(12.0);
                    }
                    if !labels.missing.is_empty() {
                        missing_ui(ui, cx, labels.missing.len());
                        ui.add_space(12.0);
                    }
                    if !labels.project.guidelines.is_empty() {
                        tokens.card_frame().show(ui, |ui| {
                            ui.set_width(ui.available_width());
                            markdown_ui(ui, &labels.project.guidelines);
                        });
                        ui.add_space(12.0);
                    }
                    section_header_ui(ui, "Who labels?", "");
                    for person in &cx.state.annotate.people {
                        person_ui(ui, cx, person);
                    }
                    // A packet is for one person, who settles nothing.
                    if labels.project.packet.is_none() {
                        self.name_ui(ui, cx, labels);
                        ui.add_space(16.0);
                        self.settle_ui(ui, cx);
                    }
                    ui.add_space(16.0);
                    CommandButton::text(CommandId::CloseLabels)
                        .short("Another project")
                        .show(ui, cx);
                });
            });
        });
    }

    /// Who settles what the others differ on.
    fn settle_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        section_header_ui(ui, "Who settles?", "agreement, people, final answers");
        let known = &cx.state.settings.adjudicator;
        let known = if known.is_empty() { "lead" } else { known };
        let name = self.settler.get_or_insert_with(|| known.to_owned());
        let mut entered = false;
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let button = Button::text("Agreement").with_icon(icons::CHECK).look(Look::Raised);
                entered = button.enabled(!name.trim().is_empty()).show(ui).clicked();
                let field = TextEdit::singleline(name)
                    .id(Id::unique("label_settler"))
                    .margin(Margin::symmetric(8, 5))
                    .desired_width(f32::INFINITY);
                let response = ui.add(field).accessible_name("Who settles");
                entered |= response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            });
        });
        if entered && !name.trim().is_empty() {
            annotate(cx, AnnotateCommand::SitDownToSettle(name.trim().to_owned()));
            self.settler = None;
        }
    }

    fn name_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, labels: &OpenLabels) {
        // Who is among those listed has a button there; only another name is typed.
        let is_named = labels.project.people.contains(&cx.state.settings.annotator);
        let known = if is_named { String::new() } else { cx.state.settings.annotator.clone() };
        let name = self.name.get_or_insert(known);
        let mut entered = None;
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let is_named = !name.trim().is_empty();
                let begin = Button::text("Begin").look(Look::Primary).enabled(is_named);
                let is_pressed = begin.show(ui).clicked();
                let nobody = labels.project.people.is_empty();
                let hint = if nobody { "Your name" } else { "Somebody else" };
                let hint = rich_text(hint, Type::Body, tokens(ui).dim);
                let field = TextEdit::singleline(name)
                    .id(Id::unique("label_person"))
                    .hint_text(hint)
                    .margin(Margin::symmetric(8, 5))
                    .desired_width(f32::INFINITY);
                let response = ui.add(field).accessible_name("Your name");
                let is_entered =
                    response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
                if (is_pressed || is_entered) && !name.trim().is_empty() {
                    entered = Some(name.trim().to_owned());
                }
            });
        });
        if let Some(name) = entered {
            annotate(cx, AnnotateCommand::SitDown(name));
            self.name = None;
        }
    }
}

/// Items whose runs are not where they lay: nobody is asked them.
fn missing_ui(ui: &mut Ui, cx: &ViewContext<'_>, missing: usize) {
    let (items, are, they) =
        if missing == 1 { ("item", "is", "its") } else { ("items", "are", "their") };
    let words = format!("{missing} {items} {are} left out: {they} runs are not where they lay.");
    ui.add(egui::Label::new(rich_text(words, Type::Body, tokens(ui).warn)).wrap());
    ui.add_space(4.0);
    CommandButton::text(CommandId::FindMovedRuns).with_icon(icons::SEARCH).show(ui, cx);
}

fn person_ui(ui: &mut Ui, cx: &ViewContext<'_>, person: &crate::workbench::PersonProgress) {
    let tokens = tokens(ui);
    let frame = Frame::new().inner_margin(Margin::symmetric(0, 2));
    frame.show(ui, |ui| {
        ui.horizontal(|ui| {
            let is_last = cx.state.settings.annotator == person.name;
            let look = if is_last { Look::Primary } else { Look::Raised };
            let button = Button::text(&person.name).look(look).enabled(!person.has_withdrawn);
            if button.show(ui).clicked() {
                annotate(cx, AnnotateCommand::SitDown(person.name.clone()));
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if person.has_withdrawn {
                    ui.label(rich_text("withdrawn", Type::Body, tokens.dim));
                    return;
                }
                let name = format!("More of {}", person.name);
                let more = Button::icon(icons::MORE, &name).look(Look::Tool).compact().show(ui);
                Popup::menu(&more).show(|ui| menu_ui(ui, cx, &person.name));
                let words = format!("{} of {}", person.answered, person.all);
                ui.allocate_ui_with_layout(
                    vec2(84.0, 20.0),
                    Layout::right_to_left(Align::Center),
                    |ui| {
                        // The bars of all stand below each other.
                        ui.set_min_width(84.0);
                        ui.label(rich_text(words, Type::Body, tokens.dim));
                    },
                );
                let share = person.answered as f32 / person.all.max(1) as f32;
                progress_bar_ui(ui, &format!("{} answered", person.name), Some(share), 120.0);
            });
        });
    });
}

fn nothing_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let problem = cx.state.annotate.problem.as_deref();
    let (icon, title) = match problem {
        Some(_) => (icons::WARNING, "The project cannot be opened"),
        None => (icons::CHECK, "Open a labelling project"),
    };
    let words = problem.unwrap_or(
        "People compare, check and mark runs here by keyboard, and every answer is on disk before \
         the next item shows. A project is one file, made of the runs that the library lists.",
    );
    EmptyState::new(icon, title, words).show(ui, |ui| {
        CommandButton::text(CommandId::OpenLabels)
            .with_icon(icons::OPEN)
            .look(Look::Primary)
            .show(ui, cx);
        ui.add_space(6.0);
        CommandButton::text(CommandId::NewLabels).with_icon(icons::EDIT).show(ui, cx);
        let recent = &cx.state.settings.recent_labels;
        if recent.is_empty() {
            return;
        }
        ui.add_space(14.0);
        ui.label(rich_text("Opened before", Type::Section, tokens(ui).dim));
        // By their names, as they mostly lie in one folder; the whole path is under the pointer.
        for path in recent.iter().take(6) {
            let words = path.display().to_string();
            let name = path.file_name().map_or(words.clone(), |name| name.to_string_lossy().into());
            let button = Button::text(&name).look(Look::Tool).tooltip(&words);
            if button.with_icon(icons::CHECK).show(ui).clicked() {
                annotate(cx, AnnotateCommand::Open(path.clone()));
            }
        }
    });
}
