//! The tasks of two groups of runs, one by one: the value on either side, the difference, and who is missing.

use std::path::Path;
use std::sync::Arc;

use egui::{Align2, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use super::parts::{caption_ui, explore, number_words};
use crate::evaluate::groups::{GroupSide, MatchedTask};
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{
    allocate_stable_of, count, metric_change_words, paint_numbers, paint_text,
};
use crate::workbench::{Column, ExploreCommand, PairCell, PairTable, RunId, State};

/// Rows seen at once.
const ROWS: f32 = 12.0;
/// The room of a number.
const NUMBER: f32 = 66.0;

/// What a press on some of the tasks asks for.
pub(super) fn press_of(ui: &Ui, cell: PairCell) -> ExploreCommand {
    let filters = ui.input(|input| input.modifiers.command || input.modifiers.ctrl);
    if filters { ExploreCommand::FilterCell(cell) } else { ExploreCommand::SelectCell(cell) }
}

/// The names of both groups, as short as tells them apart.
pub(super) fn names<'a>(cx: &ViewContext<'_>, pair: &'a PairTable) -> [&'a str; 2] {
    let sides = &cx.state.explore.table.sides;
    [short_name(&pair.first, sides), short_name(&pair.second, sides)]
}

/// Of a path its last name, if no other group has the same; all of anything else.
pub(super) fn short_name<'a>(name: &'a str, sides: &[(Arc<str>, usize)]) -> &'a str {
    let Some(last) = last_name(name) else { return name };
    let alike = sides.iter().filter(|(side, _)| last_name(side) == Some(last)).count();
    if alike > 1 { name } else { last }
}

fn last_name(name: &str) -> Option<&str> {
    let path = Path::new(name);
    path.file_name().filter(|_| path.is_absolute())?.to_str()
}

/// Draws who is missing and what is averaged, and below that a row for each task.
pub(super) fn matched_ui(ui: &mut Ui, cx: &ViewContext<'_>, pair: &PairTable) {
    let dim = tokens(ui).dim;
    let names = names(cx, pair);
    if pair.is_reading {
        caption_ui(ui, "Reading what the tasks of sets of one name ask, to match them…", dim);
    }
    let repeats = GroupSide::BOTH.map(|side| pair.repeats(side));
    if repeats.iter().any(|runs| *runs > 1) {
        let words = format!(
            "Several runs at a task count as their mean: up to {} of {}, {} of {}.",
            repeats[0], names[0], repeats[1], names[1]
        );
        caption_ui(ui, &words, dim);
    }
    for (side, name) in GroupSide::BOTH.into_iter().zip(names) {
        missing_ui(ui, cx, pair, side, name);
        let infinite = pair.infinite(side);
        if infinite > 0 {
            let tasks = count(infinite, "task");
            let words = format!("{name} is infinite at {tasks}: identical pictures, in no mean.");
            caption_ui(ui, &words, dim);
        }
    }
    ui.add_space(4.0);
    head_ui(ui, names);
    let rows = largest_first(pair);
    ui.spacing_mut().item_spacing.y = 0.0;
    ScrollArea::vertical()
        .id_salt("matched_tasks")
        .max_height(ROWS * size::ROW)
        .auto_shrink([false, true])
        .show_rows(ui, size::ROW, rows.len(), |ui, range| {
            for &(place, task) in rows.get(range).unwrap_or_default() {
                row_ui(ui, cx, names, place, task);
            }
        });
}

/// The tasks with their places: those of both first, by how far they differ, then those of one.
fn largest_first(pair: &PairTable) -> Vec<(usize, &MatchedTask<RunId>)> {
    let mut rows: Vec<(usize, &MatchedTask<RunId>)> = pair.tasks.iter().enumerate().collect();
    rows.sort_by(|(_, a), (_, b)| {
        let [a, b] =
            [a, b].map(|task| task.both().map_or(-1.0, |(first, second)| (first - second).abs()));
        b.total_cmp(&a)
    });
    rows
}

/// At how many tasks a group has no value, to be pressed.
fn missing_ui(ui: &mut Ui, cx: &ViewContext<'_>, pair: &PairTable, side: GroupSide, name: &str) {
    let missing = pair.missing(side);
    if missing == 0 {
        return;
    }
    let tokens = tokens(ui);
    let words = format!("{name} is missing at {}", count(missing, "task"));
    let wanted = vec2(ui.available_width(), 20.0);
    let (rect, response) =
        allocate_stable_of(ui, side == GroupSide::BOTH[0], wanted, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &words));
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, size::RADIUS_SMALL, tokens.raised);
    }
    let style = (Type::Caption, tokens.warn);
    let at = rect.left_center() + vec2(4.0, 0.0);
    paint_text(ui.painter(), at, Align2::LEFT_CENTER, &words, style, rect.width() - 8.0);
    let tip =
        "Click to select the other group's runs at these tasks, Ctrl-click to filter to them.";
    if response.on_hover_text(tip).clicked() {
        explore(cx, press_of(ui, PairCell::Missing(side)));
    }
}

/// Where the columns of numbers end, from the left.
fn ends(right: f32) -> [f32; 3] {
    [right - 2.0 * NUMBER, right - NUMBER, right].map(|end| end - 6.0)
}

fn head_ui(ui: &mut Ui, names: [&str; 2]) {
    let tokens = tokens(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::hover());
    let style = (Type::Caption, tokens.dim);
    let middle = rect.center().y;
    let left = pos2(rect.left() + 4.0, middle);
    let room = (rect.width() - 3.0 * NUMBER - 8.0).max(0.0);
    paint_text(ui.painter(), left, Align2::LEFT_CENTER, "Task", style, room);
    for (end, name) in ends(rect.right()).into_iter().zip([names[0], names[1], "difference"]) {
        let at = pos2(end, middle);
        paint_text(ui.painter(), at, Align2::RIGHT_CENTER, name, style, NUMBER - 6.0);
    }
}

fn row_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    names: [&str; 2],
    place: usize,
    task: &MatchedTask<RunId>,
) {
    let tokens = tokens(ui);
    let wanted = vec2(ui.available_width(), size::ROW);
    let (rect, response) = allocate_stable_of(ui, &task.task, wanted, Sense::click());
    let [first, second] = GroupSide::BOTH.map(|side| value_words(cx.state, task, side));
    let difference = task.both().map(|(first, second)| first - second);
    let change = difference.map(|change| change_of(cx.state, change)).unwrap_or_default();
    let id = &task.task.id;
    let told = format!("{id}: {} {first}, {} {second}, difference {change}", names[0], names[1]);
    let is_selected = task.runs().all(|run| cx.state.explore.selected.contains(run));
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, is_selected, &told));
    if is_selected {
        ui.painter().rect_filled(rect, size::RADIUS_SMALL, tokens.accent_wash);
    } else if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, size::RADIUS_SMALL, tokens.raised);
    }
    let middle = rect.center().y;
    let room = (rect.width() - 3.0 * NUMBER - 8.0).max(0.0);
    let at = pos2(rect.left() + 4.0, middle);
    paint_text(ui.painter(), at, Align2::LEFT_CENTER, id, (Type::Body, tokens.text), room);
    for (end, words) in ends(rect.right()).into_iter().zip([&first, &second, &change]) {
        let style = (Type::Body, tokens.text);
        paint_numbers(ui.painter(), pos2(end, middle), Align2::RIGHT_CENTER, words, style);
    }
    let tip = "Click to select its runs, Ctrl-click to filter to them, double-click to open the first \
               run of each beside the other.";
    let response = response.on_hover_text(tip);
    if response.double_clicked() {
        explore(cx, ExploreCommand::OpenPair(place));
    } else if response.clicked() {
        explore(cx, press_of(ui, PairCell::Task(place)));
    }
}

/// The mean of a group at a task; a dash where it has no run there, dots where none has a value.
fn value_words(state: &State, task: &MatchedTask<RunId>, side: GroupSide) -> String {
    let side = task.side(side);
    match side.mean() {
        Some(mean) => number_words(state, &state.explore.view.metric, mean),
        None if side.runs.is_empty() => "–".to_owned(),
        None => "…".to_owned(),
    }
}

fn change_of(state: &State, change: f64) -> String {
    let variant = match &state.explore.view.metric {
        Column::Score(id) => state.variants.get(id),
        _ => None,
    };
    metric_change_words(variant.map_or((0.0, 1.0), |variant| variant.range), change)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_called_by_its_last_name_unless_two_end_alike() {
        let sides = |names: &[&str]| -> Vec<(Arc<str>, usize)> {
            names.iter().map(|name| (Arc::from(*name), 1)).collect()
        };
        let apart = sides(&["/out/warm", "/out/cold"]);
        assert_eq!(short_name("/out/warm", &apart), "warm");
        let alike = sides(&["/a/warm", "/b/warm", "/b/cold"]);
        assert_eq!(short_name("/a/warm", &alike), "/a/warm");
        assert_eq!(short_name("/b/cold", &alike), "cold");
        assert_eq!(short_name("openai/gpt", &sides(&["openai/gpt"])), "openai/gpt");
    }
}
