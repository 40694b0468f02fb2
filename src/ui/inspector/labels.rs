//! What people who label said of the run and of the step that is shown.

use egui::{Align, Frame, Label, Layout, Margin, Role, ScrollArea, Sense, Ui, WidgetInfo, vec2};

use super::parts::{quiet_ui, section_ui, text_ui};
use crate::label::Provenance;
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::labels::place_words;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{
    Button, EmptyState, Look, count, elided_label_ui, rich_text, section_header_ui,
};
use crate::workbench::views::{
    LabelsOfRun, SaidAnswer, SaidByForm, SaidNote, SaidOfItem, SaidOfRun, SaidPlace, labels_of_run,
};
use crate::workbench::{Command, PlaybackCommand, StepLabel};

/// Most items of a form that are shown: a run may be in hundreds of pairs.
const MOST_ITEMS: usize = 40;
/// Most steps that are listed.
const MOST_STEPS: usize = 200;

/// Draws the view.
pub(super) fn labels_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let empty = |ui: &mut Ui, title: &str, words: &str| {
        EmptyState::new(icons::CHECK, title, words).show(ui, |ui| {
            CommandButton::text(CommandId::ShowAnnotate).short("Go to Annotate").show(ui, cx);
        });
    };
    match labels_of_run(cx.state) {
        None => {
            let words = "Open a labelling project to see what people said of this run.";
            empty(ui, "No labelling project is open", words);
        }
        // Why there is nothing to be seen is said of each case: hidden, not asked, not answered are different things.
        Some(LabelsOfRun::Hidden) => {
            let words = "Somebody is labelling this run blind. What others said of it shows here once \
                         nobody sits at the project.";
            empty(ui, "Labels are hidden", words);
        }
        Some(LabelsOfRun::NotInProject) => {
            let words = "The labelling project that is open asks nothing about this run. Runs become \
                         part of a project when it is made.";
            empty(ui, "Not in this project", words);
        }
        Some(LabelsOfRun::Unanswered) => {
            let words = "Nobody has answered anything about this run yet. Answers show here as they are \
                         given.";
            empty(ui, "No labels yet", words);
        }
        Some(LabelsOfRun::Said(said)) => {
            ScrollArea::vertical().id_salt("labels_of_run").auto_shrink(false).show(ui, |ui| {
                ui.add_space(4.0);
                said_ui(ui, cx, &said);
                ui.add_space(12.0);
            });
        }
    }
}

fn said_ui(ui: &mut Ui, cx: &ViewContext<'_>, said: &SaidOfRun<'_>) {
    let mut is_first = true;
    for of_form in &said.of_step {
        section_ui(ui, std::mem::take(&mut is_first), |ui| {
            form_ui(ui, cx, of_form, &format!("step {}", said.step));
        });
    }
    // Something was said of other steps, which are listed below.
    if said.of_step.is_empty() && said.of_run.is_empty() {
        section_ui(ui, std::mem::take(&mut is_first), |ui| {
            section_header_ui(ui, &format!("Step {}", said.step), "");
            quiet_ui(ui, "Nobody said anything of this step.");
        });
    }
    for of_form in &said.of_run {
        section_ui(ui, std::mem::take(&mut is_first), |ui| form_ui(ui, cx, of_form, "run"));
    }
    if !said.steps.is_empty() {
        section_ui(ui, is_first, |ui| {
            section_header_ui(ui, "Found at steps", &count(said.steps.len(), "label"));
            for (at, label) in said.steps.iter().take(MOST_STEPS).enumerate() {
                step_ui(ui, cx, (at, label), said.step);
            }
            if said.steps.len() > MOST_STEPS {
                quiet_ui(ui, &format!("and {} more", said.steps.len() - MOST_STEPS));
            }
        });
    }
}

/// What was said by a form; `about` stands beside its title.
fn form_ui(ui: &mut Ui, cx: &ViewContext<'_>, of_form: &SaidByForm<'_>, about: &str) {
    let pairs = of_form.items.iter().filter(|item| item.is_pair).count();
    let aside = match (pairs, of_form.items.first()) {
        (0, Some(item)) => format!("{about} · {}", people_words(item.people)),
        (0, None) => about.to_owned(),
        (pairs, _) => count(pairs, "pair"),
    };
    section_header_ui(ui, of_form.title, &aside);
    for (at, item) in of_form.items.iter().take(MOST_ITEMS).enumerate() {
        ui.push_id((of_form.title, at), |ui| item_ui(ui, cx, item, at));
    }
    if of_form.items.len() > MOST_ITEMS {
        quiet_ui(ui, &format!("and {} more", of_form.items.len() - MOST_ITEMS));
    }
}

fn item_ui(ui: &mut Ui, cx: &ViewContext<'_>, item: &SaidOfItem<'_>, at: usize) {
    let tokens = tokens(ui);
    if item.is_pair {
        ui.add_space(if at > 0 { 8.0 } else { 2.0 });
        let beside = match item.other {
            Some(other) => format!("beside {other}"),
            None => format!("pair {}", at + 1),
        };
        let words = format!("{beside} · {}", people_words(item.people));
        elided_label_ui(ui, &words, Type::Caption, tokens.dim);
    }
    if item.answers.is_empty() && item.notes.is_empty() {
        quiet_ui(ui, "Nothing was found.");
    }
    for answer in &item.answers {
        answer_ui(ui, cx, answer);
    }
    for note in &item.notes {
        note_ui(ui, note);
    }
}

/// A question, what its answers come to and how, by whom, and where that is seen.
fn answer_ui(ui: &mut Ui, cx: &ViewContext<'_>, answer: &SaidAnswer<'_>) {
    let tokens = tokens(ui);
    ui.add_space(4.0);
    ui.add(Label::new(rich_text(answer.asked, Type::Body, tokens.dim)).wrap());
    let (words, ink) = match &answer.value {
        Some(value) => (value.as_str(), tokens.text),
        None => ("To settle", tokens.warn),
    };
    // How sure it is stands beside it: one vote of one is no majority.
    let how = how_words(answer);
    ui.horizontal(|ui| {
        ui.set_min_height(20.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(rich_text(how, Type::Caption, tokens.dim));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                elided_label_ui(ui, words, Type::Strong, ink);
            });
        });
    });
    for (value, people) in &answer.by {
        let words = format!("{value}: {}", people.join(", "));
        ui.add(Label::new(rich_text(words, Type::Caption, tokens.dim)).wrap());
    }
    if !answer.why.is_empty() {
        ui.add(Label::new(rich_text(answer.why, Type::Caption, tokens.dim)).wrap());
    }
    for place in &answer.places {
        place_ui(ui, cx, place);
    }
}

/// How a final answer came about, as reports call it.
fn how_words(answer: &SaidAnswer<'_>) -> String {
    let SaidAnswer { votes, of, .. } = answer;
    match answer.provenance {
        Provenance::Single => "by one person".to_owned(),
        Provenance::Unresolved => format!("at most {votes} of {of}"),
        // Also where nobody had answered.
        Provenance::Adjudicated if *of == 0 => "adjudicated".to_owned(),
        how => format!("{votes} of {of}, {}", how.name()),
    }
}

/// A place that somebody showed: pressed, the run goes there.
fn place_ui(ui: &mut Ui, cx: &ViewContext<'_>, shown: &SaidPlace<'_>) {
    let place = place_words(shown.place);
    ui.horizontal(|ui| {
        let button = Button::text(&place).look(Look::Tool).compact().height(22.0);
        let tip = "Go to the step, and select the node or frame the region.";
        if button.with_icon(icons::PIN).tooltip(tip).show(ui).clicked() {
            cx.send(Command::GoToPlace(shown.place.clone()));
        }
        let severity = shown.severity.map(|severity| format!("severity {severity}"));
        let parts = [severity, shown.person.map(str::to_owned), said(shown.note)];
        let words: Vec<String> = parts.into_iter().flatten().collect();
        elided_label_ui(ui, &words.join(" · "), Type::Caption, tokens(ui).dim);
    });
}

fn said(words: &str) -> Option<String> {
    (!words.is_empty()).then(|| words.to_owned())
}

/// What somebody wrote, under what they were asked.
fn note_ui(ui: &mut Ui, note: &SaidNote<'_>) {
    let tokens = tokens(ui);
    ui.add_space(4.0);
    let parts = [note.question.unwrap_or("Note"), note.person.unwrap_or_default()];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    ui.add(Label::new(rich_text(parts.join(" · "), Type::Body, tokens.dim)).wrap());
    text_ui(ui, "note", &note.text, tokens.text);
}

/// What was found at a step: pressed, the run goes there.
fn step_ui(ui: &mut Ui, cx: &ViewContext<'_>, (at, label): (usize, &StepLabel), now: u32) {
    const NUMBER: f32 = 28.0;
    let tokens = tokens(ui);
    let is_now = label.step == now;
    let fill = if is_now { tokens.accent_wash } else { egui::Color32::TRANSPARENT };
    let frame = Frame::new().fill(fill).corner_radius(size::RADIUS_SMALL);
    let shown = frame.inner_margin(Margin::symmetric(6, 0)).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.set_width(ui.available_width());
            ui.set_min_height(size::ROW);
            let number = rich_text(label.step.to_string(), Type::Mono, tokens.dim);
            let wanted = vec2(NUMBER, size::ROW);
            ui.allocate_ui_with_layout(wanted, Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_width(NUMBER);
                ui.label(number);
            });
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let votes = format!("{} of {}", label.people, label.asked);
                ui.label(rich_text(votes, Type::Caption, tokens.dim));
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    elided_label_ui(ui, &label.words, Type::Body, tokens.text);
                });
            });
        });
    });
    // Over what is drawn already: the row is as wide as the panel, whatever its words are.
    let id = ui.scope_id().with(("label_of_step", at));
    let response = ui.interact(shown.response.rect, id, Sense::click());
    let name = format!(
        "Go to step {}: {}, said by {} of {}",
        label.step, label.words, label.people, label.asked
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    if response.clicked() {
        cx.send(Command::Playback(PlaybackCommand::Step(label.step)));
    }
    response.on_hover_cursor(egui::CursorIcon::PointingHand);
}

fn people_words(people: usize) -> String {
    if people == 1 { "1 person".to_owned() } else { format!("{people} people") }
}
