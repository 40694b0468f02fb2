//! Which tasks.

use egui::{Align, Layout, ScrollArea, Ui};

use crate::run::TaskRef;
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, Look, TickState, caption_row_ui, check_ui, rich_text};
use crate::workbench::{Command, LaunchEdit, LibrarySet};

/// Every task of every set, to tick.
pub(super) fn tasks_ui(ui: &mut Ui, cx: &ViewContext<'_>, height: f32) {
    header_ui(ui, cx);
    let height = height - 24.0;
    ScrollArea::vertical()
        .id_salt("launch_tasks")
        .max_height(height)
        .min_scrolled_height(height)
        .auto_shrink([false, false])
        .show(ui, |ui| {
            for entry in &cx.state.library.sets {
                set_ui(ui, cx, entry);
            }
        });
}

fn header_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    let chosen = cx.state.launch.tasks.len();
    caption_row_ui(ui, |ui| {
        ui.label(rich_text("Tasks", Type::Section, tokens.dim));
        let words = format!("{chosen} chosen");
        ui.label(rich_text(words, Type::Caption, tokens.dim));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let none = Button::text("None").look(Look::Tool).height(22.0).compact();
            let none = none.named("Choose no task").enabled(chosen > 0);
            if none.tooltip("Take every task out.").show(ui).clicked() {
                cx.send(Command::EditLaunch(LaunchEdit::NoTask));
            }
            // The same button either way; its words say which tasks it would take.
            let is_filtered = !cx.state.library.filter.trim().is_empty();
            let (words, tooltip) = if is_filtered {
                ("Filtered", "The tasks that the library's filter lets through, and no other.")
            } else {
                (
                    "All",
                    "Every task that is open. With a filter in the library: those it lets through.",
                )
            };
            let all = Button::text(words).look(Look::Tool).height(22.0).compact();
            if all.named("Choose all filtered tasks").tooltip(tooltip).show(ui).clicked() {
                cx.send(Command::EditLaunch(LaunchEdit::FilteredTasks));
            }
        });
    });
}

fn set_ui(ui: &mut Ui, cx: &ViewContext<'_>, entry: &LibrarySet) {
    let set = &entry.set;
    let mut tasks = Vec::with_capacity(set.tasks.len());
    for task in &set.tasks {
        let task_ref = TaskRef::new(&set.id, &task.id);
        tasks.push((task, cx.state.launch.tasks.contains(&task_ref), task_ref));
    }
    let chosen = tasks.iter().filter(|(_, is_on, _)| *is_on).count();
    // A set is ticked by its tasks and remembers nothing itself.
    let mark = match chosen {
        0 => TickState::No,
        all if all == set.tasks.len() => TickState::Yes,
        _ => TickState::Some,
    };
    if check_ui(ui, &set.name, "", mark, 0.0) {
        cx.send(Command::EditLaunch(LaunchEdit::ToggleSet(set.id.clone())));
    }
    for (task, is_on, task_ref) in tasks {
        let aside = task.category.as_deref().unwrap_or_default();
        if check_ui(ui, &task.id, aside, TickState::of(is_on), 18.0) {
            cx.send(Command::EditLaunch(LaunchEdit::ToggleTask(task_ref)));
        }
    }
}
