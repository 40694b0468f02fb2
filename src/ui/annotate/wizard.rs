//! A project that is being made: of which runs, what is asked, of whom and how.

use egui::{Align, DragValue, Frame, Id, Layout, Margin, ScrollArea, TextEdit, Ui};

use super::parts::{annotate, area_ui, number_ui};
use super::study::{file_ui, study_ui};
use crate::label::ItemKind;
use crate::label::form::labelling_forms;
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{
    Button, Look, TickState, add_stable, caption_row_ui, check_ui, count, grouped, progress_bar_ui,
    rich_text, section_header_ui, tick_ui,
};
use crate::workbench::views::{NewLabelsPreview, new_labels_preview};
use crate::workbench::{AnnotateCommand, Browse, Command, NewLabels, NewLabelsFile, Progress};

/// How wide what is chosen is at most.
const WIDTH: f32 = 640.0;
/// The sample that is asked for first.
const FIRST_SAMPLE: u32 = 100;

/// Draws it, in the middle of the room.
pub(super) fn wizard_ui(ui: &mut Ui, cx: &ViewContext<'_>, new: &NewLabels) {
    let tokens = tokens(ui);
    let preview = new_labels_preview(cx.state).unwrap_or_default();
    let width = (ui.available_width() - 48.0).min(WIDTH);
    let foot = 62.0;
    let height = (ui.available_height() - foot).max(80.0);
    // Fields write into a copy, which is sent if it differs: the state is changed by commands alone.
    let mut draft = new.clone();
    let area = ScrollArea::vertical().id_salt("new_labels").auto_shrink([false, false]);
    area.max_height(height).show(ui, |ui| {
        ui.vertical_centered(|ui| {
            ui.add_space(24.0);
            ui.set_max_width(width);
            ui.with_layout(Layout::top_down(Align::Min), |ui| {
                ui.set_width(width);
                ui.label(rich_text("New labelling project", Type::Display, tokens.text));
                ui.add_space(10.0);
                ui.add_enabled_ui(new.making.is_none(), |ui| {
                    if !draft.needs_no_run() {
                        runs_ui(ui, cx, &preview);
                    }
                    forms_ui(ui, cx, &mut draft);
                    people_ui(ui, &mut draft);
                    queue_ui(ui, &mut draft, &preview);
                    words_ui(ui, &mut draft);
                    study_ui(ui, cx, &mut draft);
                });
                ui.add_space(16.0);
            });
        });
    });
    if draft != *new {
        annotate(cx, AnnotateCommand::EditNew(Box::new(draft)));
    }
    Frame::new().fill(tokens.panel).inner_margin(Margin::symmetric(24, 0)).show(ui, |ui| {
        ui.set_min_height(foot);
        ui.horizontal_centered(|ui| foot_ui(ui, cx, new, &preview));
    });
}

fn runs_ui(ui: &mut Ui, cx: &ViewContext<'_>, preview: &NewLabelsPreview) {
    let aside = format!("{} of {}", grouped(preview.runs as u64), count(preview.all_runs, "run"));
    section_header_ui(ui, "Runs", &aside);
    if preview.all_runs == 0 {
        let words = "No run is open. Open a folder of runs, then come back.";
        ui.label(rich_text(words, Type::Body, tokens(ui).warn));
        ui.add_space(4.0);
        CommandButton::text(CommandId::OpenFolder).with_icon(icons::OPEN).show(ui, cx);
        ui.add_space(10.0);
        return;
    }
    let mut filter = cx.state.library.filter.clone();
    let hint = "agent:tracer set:own-samples … the filter of the library; empty: all";
    if field_ui(ui, "new_labels_filter", &mut filter, "Filter of runs", hint) {
        cx.send(Command::SetFilter(filter));
    }
    let words = format!("{} by {}", count(preview.tasks, "task"), count(preview.agents, "agent"));
    ui.label(rich_text(words, Type::Caption, tokens(ui).dim));
    ui.add_space(10.0);
}

fn forms_ui(ui: &mut Ui, cx: &ViewContext<'_>, draft: &mut NewLabels) {
    section_header_ui(ui, "What is asked", "");
    for form in labelling_forms() {
        let at = draft.forms.iter().position(|id| *id == form.id);
        let title = form.title.in_language("en");
        let aside =
            format!("{} · of {}", count(form.questions.len(), "question"), plural(form.about));
        if check_ui(ui, title, &aside, TickState::of(at.is_some()), 1.0) {
            match at {
                Some(at) => {
                    draft.forms.remove(at);
                }
                None => draft.forms.push(form.id.clone()),
            }
        }
    }
    own_forms_ui(ui, cx, draft);
    if draft.asks_queries() {
        ui.add_space(4.0);
        queries_ui(ui, cx, draft);
    }
    ui.add_space(10.0);
}

/// What items of a kind are called, many of them.
fn plural(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Run => "runs",
        ItemKind::Pair => "pairs",
        ItemKind::Step => "steps",
        ItemKind::Task => "tasks",
        ItemKind::Design => "designs",
        ItemKind::Text => "texts",
        ItemKind::Query => "queries",
    }
}

/// Forms from files: chosen, or dropped on the window.
fn own_forms_ui(ui: &mut Ui, cx: &ViewContext<'_>, draft: &mut NewLabels) {
    let mut gone = None;
    for (at, own) in draft.own_forms.iter().enumerate() {
        let title = own.form.title.in_language("en");
        let name = own.path.file_name().map(|name| name.to_string_lossy().into_owned());
        let (asked, about) = (own.form.questions.len(), plural(own.form.about));
        let aside =
            format!("{} · of {about} · {}", count(asked, "question"), name.unwrap_or_default());
        if check_ui(ui, title, &aside, TickState::of(true), 1.0) {
            gone = Some(at);
        }
        for warning in own.form.warnings() {
            let words = rich_text(warning.to_string(), Type::Caption, tokens(ui).warn);
            ui.add(egui::Label::new(words).wrap());
        }
    }
    if let Some(at) = gone {
        draft.own_forms.remove(at);
    }
    caption_row_ui(ui, |ui| {
        let button = Button::text("A form of your own…").height(24.0);
        let tooltip = "Choose a file of JSON, or drop it on the window.";
        if button.with_icon(icons::OPEN).tooltip(tooltip).show(ui).clicked() {
            cx.send(Command::Browse(Browse::NewLabelsFile(NewLabelsFile::Form)));
        }
    });
}

/// Which queries are ranked.
fn queries_ui(ui: &mut Ui, cx: &ViewContext<'_>, draft: &mut NewLabels) {
    let chosen = draft.queries.clone();
    let choices = [(NewLabelsFile::Queries, "Table…"), (NewLabelsFile::QueryFolder, "Folder…")];
    if file_ui(ui, cx, &choices, "Queries with pictures", chosen.as_deref()) {
        draft.queries = None;
    }
    if draft.queries.is_none() {
        let words = "A folder with one for each query, which holds its words (query.txt) and its pictures, called \
                     after who made them; or a table with the columns query, and folder or pictures.";
        let label = egui::Label::new(rich_text(words, Type::Caption, tokens(ui).dim));
        ui.add(label.wrap());
    }
}

fn people_ui(ui: &mut Ui, draft: &mut NewLabels) {
    let named = draft.named_people();
    let aside = match named.len() {
        0 => "whoever sits down".to_owned(),
        1 => "1 person".to_owned(),
        many => format!("{many} people"),
    };
    section_header_ui(ui, "Who labels", &aside);
    let hint = "ada, bo, cy";
    field_ui(ui, "new_labels_people", &mut draft.people, "Who labels, divided by commas", hint);
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        number_ui(ui, "Labels per item", &mut draft.per_item, 1..=1000);
        ui.add_space(16.0);
        number_ui(ui, "Items asked once more", &mut draft.repeat, 0..=100_000);
    });
    if named.len() > usize::try_from(draft.per_item).unwrap_or(usize::MAX) {
        let words = "Items are dealt evenly: everybody labels some of them.";
        ui.label(rich_text(words, Type::Caption, tokens(ui).dim));
    }
    ui.add_space(10.0);
}

fn queue_ui(ui: &mut Ui, draft: &mut NewLabels, preview: &NewLabelsPreview) {
    section_header_ui(ui, "How", "");
    let tooltip = "No model, agent, run, path, score, cost or time reaches the screen.";
    if let Some(is_on) = tick_ui(ui, "Blind", tooltip, draft.is_blind) {
        draft.is_blind = is_on;
    }
    let tooltip = "As published studies have it, the baseline first. Else each model stands left as often \
                   as right, for everybody.";
    if let Some(is_on) =
        tick_ui(ui, "The first of a pair always left", tooltip, draft.has_fixed_sides)
    {
        draft.has_fixed_sides = is_on;
    }
    let tooltip = "Tasks drawn at random by type and difficulty, with every item of theirs.";
    let is_sampled = draft.sample.is_some();
    ui.horizontal(|ui| {
        if let Some(is_on) = tick_ui(ui, "Only a sample of tasks", tooltip, is_sampled) {
            let most = u32::try_from(preview.tasks).unwrap_or(u32::MAX).max(1);
            // A sample of more than there is would be all of it, and say something else.
            draft.sample = is_on.then_some(FIRST_SAMPLE.min(most));
        }
        if let Some(sample) = &mut draft.sample {
            let field = DragValue::new(sample).range(1..=1_000_000).speed(0.5);
            add_stable(ui, field).accessible_name("Tasks of the sample");
        }
    });
    if is_sampled {
        let tooltip = "Else in proportion to how many there are.";
        if let Some(is_on) =
            tick_ui(ui, "As many of each type and difficulty", tooltip, draft.is_equal)
        {
            draft.is_equal = is_on;
        }
    }
    ui.add_space(10.0);
}

fn words_ui(ui: &mut Ui, draft: &mut NewLabels) {
    section_header_ui(ui, "Name and guidelines", "Markdown; people read it before they begin");
    field_ui(ui, "new_labels_name", &mut draft.name, "Name of the project", "as its file");
    ui.add_space(6.0);
    let hint = "What matters, and what does not";
    area_ui(ui, &mut draft.guidelines, "Guidelines", hint, 4);
    ui.add_space(10.0);
}

fn foot_ui(ui: &mut Ui, cx: &ViewContext<'_>, new: &NewLabels, preview: &NewLabelsPreview) {
    let tokens = tokens(ui);
    if let Some((job, _)) = &new.making {
        let progress = cx.state.jobs.by_id.get(job).map(|job| &job.progress);
        let done = progress.and_then(Progress::fraction);
        progress_bar_ui(ui, "Making the project", done, 160.0);
        let words = progress.map_or("", |it| it.message.as_str());
        ui.label(rich_text(words, Type::Body, tokens.dim));
    } else if let Some(problem) = &new.problem {
        ui.label(rich_text(icons::WARNING, Type::Icon, tokens.warn));
        ui.label(rich_text(problem, Type::Body, tokens.warn));
    } else {
        ui.label(rich_text(preview_words(new, preview), Type::Body, tokens.dim));
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        // All that is missing at once keeps the button off; the line beside it says what comes first.
        let has_items = preview.runs > 0 || new.needs_no_run();
        let has_queries = new.queries.is_some() || !new.asks_queries();
        let has_form = new.chosen_forms().next().is_some();
        let is_ready = new.making.is_none() && has_items && has_queries && has_form;
        let make = Button::text("Make…").look(Look::Primary).enabled(is_ready);
        if make.tooltip("Choose a file, and make the project.").show(ui).clicked() {
            cx.send(Command::Browse(Browse::NewLabels));
        }
        let words = if new.making.is_some() { "Stop" } else { "Cancel" };
        if Button::text(words).look(Look::Tool).show(ui).clicked() {
            annotate(cx, AnnotateCommand::LeaveNew);
        }
    });
}

/// How many items there would be, and how many answers.
fn preview_words(new: &NewLabels, preview: &NewLabelsPreview) -> String {
    if new.chosen_forms().next().is_none() {
        return "Choose what is asked.".to_owned();
    }
    if new.asks_queries() && new.queries.is_none() {
        return "Choose the queries whose pictures are ranked.".to_owned();
    }
    if new.needs_no_run() {
        return "As many items as there are queries.".to_owned();
    }
    // How many queries there are is known once they are read.
    let known = preview.items.iter().filter(|(kind, _)| *kind != ItemKind::Query);
    let kinds = known.map(|(kind, number)| {
        let word = match kind {
            ItemKind::Pair => "pair",
            ItemKind::Step => "step",
            ItemKind::Task => "task",
            ItemKind::Design => "design",
            ItemKind::Text => "text",
            _ => "run",
        };
        count(*number, word)
    });
    let kinds: Vec<String> = kinds.collect();
    let answers = preview.answers.saturating_mul(usize::try_from(new.per_item).unwrap_or(1));
    let sampled = if new.sample.is_some() { " before the sample is drawn" } else { "" };
    let queries = if new.asks_queries() { ", and the queries" } else { "" };
    format!("{}{queries} · {} in all{sampled}", kinds.join(", "), count(answers, "answer"))
}

/// A field of one line; gives whether it changed.
fn field_ui(ui: &mut Ui, id: &str, text: &mut String, name: &str, hint: &str) -> bool {
    let hint = rich_text(hint, Type::Body, tokens(ui).dim);
    let field = TextEdit::singleline(text)
        .id(Id::unique(id))
        .hint_text(hint)
        .margin(Margin::symmetric(8, 5))
        .desired_width(f32::INFINITY);
    ui.add(field).accessible_name(name).changed()
}
