//! The tasks of the set that is looked at.

use egui::Ui;

use super::begin::open;
use crate::environment::EnvironmentKind;
use crate::run::TaskRef;
use crate::task::Task;
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, elided_label_ui, rich_text, section_header_ui};
use crate::workbench::{AssistStart, LibrarySet};

/// Most tasks that are listed: the library has all of them, and a filter.
const MOST: usize = 60;
/// Where the words beside a task begin; behind its name, if that is longer.
const WORDS_AT: f32 = 152.0;
/// Most of an instruction that a line could show.
const MOST_WORDS: usize = 40;

/// Draws them, the selected one first.
pub(super) fn tasks_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let state = cx.state;
    let selected = state.selection.task.as_ref();
    let set = selected.and_then(|task| state.library.set(&task.set));
    let Some(set) = set.or(state.library.sets.first()) else {
        section_header_ui(ui, "Tasks", "");
        let words = "No task set is open. Open one in Inspect to design its tasks by hand.";
        ui.add(egui::Label::new(rich_text(words, Type::Body, tokens(ui).dim)).wrap());
        return;
    };
    section_header_ui(ui, "Tasks", &set.set.name);
    let of_set = selected.filter(|task| task.set == set.set.id);
    if let Some(task_ref) = of_set
        && let Some(task) = state.library.task(task_ref)
    {
        task_ui(ui, cx, task_ref, task, Look::Primary);
    }
    let tasks = designs(set).filter(|(task, _)| Some(task) != of_set);
    let (mut shown, mut more) = (0, 0);
    for (task_ref, task) in tasks {
        if shown == MOST {
            more += 1;
            continue;
        }
        shown += 1;
        task_ui(ui, cx, &task_ref, task, Look::Raised);
    }
    if shown == 0 && of_set.is_none() {
        let words = "None of its tasks is on the vector canvas.";
        ui.label(rich_text(words, Type::Body, tokens(ui).dim));
    }
    if more > 0 {
        let words = format!("and {more} more: select one in Inspect, and it stands here first");
        ui.label(rich_text(words, Type::Caption, tokens(ui).dim));
    }
}

/// Those that can be done by hand.
fn designs(set: &LibrarySet) -> impl Iterator<Item = (TaskRef, &Task)> {
    let tasks = set.set.tasks.iter().filter(|task| task.environment == EnvironmentKind::Canvas);
    tasks.map(|task| {
        let task_ref = TaskRef { set: set.set.id.clone(), id: task.id.clone() };
        (task_ref, &**task)
    })
}

fn task_ui(ui: &mut Ui, cx: &ViewContext<'_>, task_ref: &TaskRef, task: &Task, look: Look) {
    let is_canvas = task.environment == EnvironmentKind::Canvas;
    ui.horizontal(|ui| {
        let name = format!("Design {}", task.id);
        let button = Button::text(&task.id).named(&name).with_icon(icons::EDIT).look(look);
        if button.enabled(is_canvas).show(ui).clicked() {
            open(cx, AssistStart::Task(task_ref.clone()));
        }
        ui.add_space((WORDS_AT - ui.min_rect().width()).max(0.0));
        let words: Vec<&str> = task.instruction.split_whitespace().take(MOST_WORDS).collect();
        elided_label_ui(ui, &words.join(" "), Type::Caption, tokens(ui).dim);
    });
}
