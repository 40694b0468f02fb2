//! Where studies begin: on the room's first page.

use egui::{Align, DragValue, Label, Layout, Ui, vec2};

use super::parts::study;
use crate::study::{Preset, StartChoice};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, Several, add_stable, choice_ui, rich_text};
use crate::workbench::protocol::NewStudyEdit;
use crate::workbench::{Browse, Command, NewStudy, StudyCommand};

/// Between what can be begun with.
const GAP: f32 = 8.0;
/// How wide what a new study is made of is at most.
const WIDTH: f32 = 520.0;
/// Most studies of before that are listed.
const RECENT: usize = 6;

/// Draws what begins studies.
pub(in crate::ui::assist) fn start_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let (tokens, room) = (tokens(ui), &cx.state.assist.study);
    if let Some(why) = &room.problem {
        let words = format!("The study could not be opened: {why}.");
        ui.add(Label::new(rich_text(words, Type::Body, tokens.warn)).wrap());
    }
    if room.opening.is_some() {
        ui.label(rich_text("Opening the study…", Type::Body, tokens.dim));
        return;
    }
    if let Some(new) = &room.new {
        let room = vec2(ui.available_width().min(WIDTH), 0.0);
        ui.allocate_ui_with_layout(room, Layout::top_down(Align::Min), |ui| new_ui(ui, cx, new));
        return;
    }
    ui.horizontal_wrapped(|ui| {
        let tip = "Lead a study of people who design, or take part in one.";
        let open = Button::text("Open a study…").with_icon(icons::TASKS).tooltip(tip);
        if open.show(ui).clicked() {
            cx.send(Command::Browse(Browse::Study));
        }
        let tip = "Take part in a study with the file that you were given.";
        let packet = Button::text("Open a packet…").with_icon(icons::OPEN).tooltip(tip);
        if packet.show(ui).clicked() {
            cx.send(Command::Browse(Browse::StudyPacket));
        }
        let tip = "Make a study of the tasks of a set.";
        let new = Button::text("New study…").with_icon(icons::ADD).tooltip(tip);
        if new.show(ui).clicked() {
            study(cx, StudyCommand::EditNew(NewStudyEdit::Show(true)));
        }
    });
    recent_ui(ui, cx);
}

/// Studies that were opened before.
fn recent_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let recent = &cx.state.settings.recent_studies;
    if recent.is_empty() {
        return;
    }
    ui.add_space(GAP);
    ui.label(rich_text("Studies opened before", Type::Section, tokens(ui).dim));
    for path in recent.iter().take(RECENT) {
        let words = path.display().to_string();
        let name = path.file_name().map_or(words.clone(), |name| name.to_string_lossy().into());
        let button = Button::text(&name).look(Look::Tool).tooltip(&words);
        if button.with_icon(icons::TASKS).show(ui).clicked() {
            study(cx, StudyCommand::Open(path.clone()));
        }
    }
}

fn new_ui(ui: &mut Ui, cx: &ViewContext<'_>, new: &NewStudy) {
    let tokens = tokens(ui);
    let edit = |edit| study(cx, StudyCommand::EditNew(edit));
    ui.label(rich_text("New study", Type::Title, tokens.text));
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.label(rich_text("Tasks", Type::Body, tokens.dim));
        let place = new.tasks.as_ref().map(|path| path.display().to_string());
        let words = place.as_deref().unwrap_or("Choose…");
        if Button::text(words).named("Where the tasks lie").look(Look::Raised).show(ui).clicked() {
            cx.send(Command::Browse(Browse::StudyTasks));
        }
    });
    ui.horizontal(|ui| {
        ui.label(rich_text("People", Type::Body, tokens.dim));
        for (at, preset) in Preset::ALL.into_iter().enumerate() {
            let words = match preset {
                Preset::Psbench => "Each has one condition",
                Preset::Small => "Each has all conditions",
            };
            if choice_ui(ui, words, preset.name(), new.preset == at, Several::No).clicked() {
                edit(NewStudyEdit::Preset(at));
            }
        }
    });
    ui.horizontal(|ui| {
        ui.label(rich_text("Tasks begin with", Type::Body, tokens.dim));
        let starts = [
            (StartChoice::ChangedTruth, "the goal, changed"),
            (StartChoice::Given, "what they give"),
        ];
        for (start, words) in starts {
            if choice_ui(ui, words, words, new.start == start, Several::No).clicked() {
                edit(NewStudyEdit::Start(start));
            }
        }
        ui.label(rich_text("Seed", Type::Body, tokens.dim));
        let mut seed = new.seed;
        let field = add_stable(ui, DragValue::new(&mut seed).range(0..=1_000_000));
        if field.accessible_name("Seed of all orders").changed() {
            edit(NewStudyEdit::Seed(seed));
        }
    });
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let make = Button::text("Make it…").look(Look::Primary).enabled(new.tasks.is_some());
        let tip = match new.tasks {
            None => "Choose first where the tasks lie.",
            Some(_) => "Choose a folder for it; study.json in it can be changed by hand.",
        };
        if make.tooltip(tip).show(ui).clicked() {
            cx.send(Command::Browse(Browse::NewStudy));
        }
        if Button::text("Cancel").look(Look::Tool).show(ui).clicked() {
            edit(NewStudyEdit::Show(false));
        }
    });
}
