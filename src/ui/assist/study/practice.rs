//! The bar of practice: what is to be done, and what of it is done.

use egui::{Align, Label, Layout, Sense, Stroke, Ui, WidgetInfo, vec2};

use super::parts::study;
use crate::study::practice::PracticeTask;
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{Button, Look, allocate_stable_of, count, rich_text};
use crate::workbench::{PracticeDesk, StudyCommand};

/// Draws the bar.
pub(super) fn bar_ui(ui: &mut Ui, cx: &ViewContext<'_>, practice: &PracticeDesk) {
    let tokens = tokens(ui);
    let tasks = PracticeTask::all().len();
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.add_space(size::GUTTER);
        ui.label(rich_text("Practice", Type::Strong, tokens.text));
        let place = format!("{} of {tasks}", practice.at + 1);
        ui.label(rich_text(place, Type::Body, tokens.dim));
        ui.label(rich_text(&practice.task.title, Type::Strong, tokens.text));
        let about = format!("about {} s", practice.task.seconds);
        ui.label(rich_text(about, Type::Body, tokens.dim));
        // A part of its own: the dots stand closer together than all else.
        ui.scope(|ui| dots_ui(ui, cx, practice));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(size::GUTTER);
            if Button::text("End practice").look(Look::Tool).show(ui).clicked() {
                study(cx, StudyCommand::EndPractice);
            }
            let tip = "Practise this again; other places differ.";
            if Button::text("Start over").look(Look::Tool).tooltip(tip).show(ui).clicked() {
                study(cx, StudyCommand::PractiseAgain);
            }
            let is_last = practice.at + 1 >= tasks;
            let words = if is_last { "Finish" } else { "Next task" };
            let look = if practice.is_done() { Look::Primary } else { Look::Raised };
            if Button::text(words).look(look).with_icon(icons::STEP_FORWARD).show(ui).clicked() {
                study(
                    cx,
                    if is_last {
                        StudyCommand::EndPractice
                    } else {
                        StudyCommand::Practise(practice.at + 1)
                    },
                );
            }
            ui.add_space(8.0);
            let steps = cx.state.assist.desk.as_ref().map_or(0, |desk| desk.editor.steps());
            let steps = count(usize::try_from(steps).unwrap_or(usize::MAX), "step");
            ui.label(rich_text(steps, Type::Body, tokens.dim));
        });
    });
    ui.horizontal_wrapped(|ui| {
        ui.add_space(size::GUTTER);
        let words = if practice.task.words.is_empty() {
            "Something differs from the goal. Find it."
        } else {
            &practice.task.words
        };
        ui.add(Label::new(rich_text(words, Type::Body, tokens.text)).wrap());
        ui.label(rich_text(&practice.task.tip, Type::Body, tokens.dim));
        if cx.state.assist.study.allows_assistant() {
            ui.label(rich_text(&practice.task.assisted_tip, Type::Body, tokens.dim));
        }
    });
    checks_ui(ui, practice);
    ui.add_space(6.0);
}

/// What is checked, live. What is to be found is counted, and not said.
fn checks_ui(ui: &mut Ui, practice: &PracticeDesk) {
    let tokens = tokens(ui);
    ui.horizontal_wrapped(|ui| {
        ui.add_space(size::GUTTER);
        if practice.task.words.is_empty() {
            // The last one says of all the others whether they hold.
            let made = practice.checks.split_last().map(|(_, made)| made).unwrap_or_default();
            let open = made.iter().filter(|check| !check.holds).count();
            let words = if practice.is_done() {
                "Everything is as in the goal.".to_owned()
            } else {
                format!("{} left", count(open.max(1), "difference"))
            };
            ui.label(rich_text(words, Type::Medium, tokens.text));
            return;
        }
        for check in &practice.checks {
            let (icon, ink) = if check.holds {
                (icons::DONE, tokens.gain)
            } else {
                (icons::OPEN_ITEM, tokens.dim)
            };
            ui.label(rich_text(icon, Type::IconSmall, ink));
            let done = if check.holds { "done" } else { "not yet" };
            let line = ui.label(rich_text(&check.words, Type::Body, tokens.text));
            line.widget_info(|| {
                let name = format!("{}: {done}", check.words);
                WidgetInfo::labeled(egui::Role::Label, true, name)
            });
        }
    });
}

/// A dot a task: filled once it was finished. A click goes there.
fn dots_ui(ui: &mut Ui, cx: &ViewContext<'_>, practice: &PracticeDesk) {
    let tokens = tokens(ui);
    ui.spacing_mut().item_spacing.x = 2.0;
    for (at, task) in PracticeTask::all().iter().enumerate() {
        let (rect, response) = allocate_stable_of(ui, at, vec2(14.0, 14.0), Sense::click());
        let is_done = practice.finished.contains(&at);
        response.widget_info(|| {
            let done = if is_done { ", done" } else { "" };
            let name = format!("Practice {}: {}{done}", at + 1, task.title);
            WidgetInfo::selected(egui::Role::Button, true, at == practice.at, name)
        });
        let center = rect.center();
        if at == practice.at {
            ui.painter().circle_filled(center, 4.5, tokens.accent);
        } else if is_done {
            ui.painter().circle_filled(center, 4.5, tokens.dim);
        } else {
            ui.painter().circle_stroke(center, 4.0, Stroke::new(1.0, tokens.dim));
        }
        if response.clicked() {
            study(cx, StudyCommand::Practise(at));
        }
    }
}
