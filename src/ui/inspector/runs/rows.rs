//! The rows of the runs as a list: which steps go together, and in which way.

use egui::{Align2, Id, Key, Rect, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::evaluate::alignment::{AlignedRow, Likeness};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, category_color, size, tokens};
use crate::ui::widgets::{ArrowList, paint_numbers, paint_text, text_width};
use crate::workbench::views::{RunBeside, RunsBeside};
use crate::workbench::{AlignedRuns, Command, StageCommand};

/// Room at both sides of a row.
const SIDE: f32 = 12.0;
/// What the mark of a row takes.
const MARK: f32 = 20.0;
/// Cells narrower than this have no room for a tool's name.
const NAMED: f32 = 84.0;
/// What stands before a step's number, and behind it.
const NUMBER: [f32; 2] = [12.0, 6.0];

/// Draws the list.
pub(super) fn rows_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    view: &RunsBeside<'_>,
    aligned: &AlignedRuns,
) {
    let rows = &aligned.alignment.rows;
    for key in ArrowList::Rows.arrows(ui) {
        let passed = view.rows_passed;
        let next = if key == Key::ArrowDown { passed + 1 } else { passed.saturating_sub(1) };
        cx.send(Command::Stage(StageCommand::PassRows(next.min(rows.len()) as u32)));
    }
    head_ui(ui, view);
    let area = ScrollArea::vertical().id_salt("aligned_rows").auto_shrink(false);
    // Brought into sight once when it changes, so that people can scroll away from it.
    let last = ArrowList::Rows.id().with("shown");
    let was: Option<usize> = ui.data(|data| data.get_temp(last));
    let is_new = was != Some(view.rows_passed);
    ui.data_mut(|data| data.insert_temp(last, view.rows_passed));
    let height = ui.available_height();
    let middle = view.rows_passed as f32 * size::ROW - height * 0.5;
    let area = if is_new { area.vertical_scroll_offset(middle.max(0.0)) } else { area };
    area.show_rows(ui, size::ROW, rows.len(), |ui, shown| {
        ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
        let first = shown.start;
        for (at, row) in (first..).zip(rows.get(shown).unwrap_or_default()) {
            row_ui(ui, cx, (view, aligned), at, row);
        }
    });
}

/// The names of the columns.
fn head_ui(ui: &mut Ui, view: &RunsBeside<'_>) {
    let tokens = tokens(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), size::ROW), Sense::hover());
    for (run, cell) in view.runs.iter().zip(cells(rect, view.runs.len())) {
        let at = pos2(cell.left(), cell.center().y);
        let style = (Type::Caption, tokens.dim);
        paint_text(ui.painter(), at, Align2::LEFT_CENTER, run.letter(), style, cell.width());
    }
}

/// Where the steps of the runs stand in a row.
fn cells(row: Rect, runs: usize) -> impl Iterator<Item = Rect> {
    let left = row.left() + SIDE;
    let width = (row.width() - 2.0 * SIDE - MARK) / runs.max(1) as f32;
    (0..runs).map(move |run| {
        let left = left + run as f32 * width;
        Rect::from_min_max(pos2(left, row.top()), pos2(left + width - 6.0, row.bottom()))
    })
}

fn row_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    (view, aligned): (&RunsBeside<'_>, &AlignedRuns),
    at: usize,
    row: &AlignedRow,
) {
    let tokens = tokens(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), size::ROW), Sense::hover());
    let response = ui.interact(rect, Id::unique(("aligned_row", at)), Sense::click());
    let is_current = at + 1 == view.rows_passed;
    let likeness = row.likeness(&aligned.traces());
    let diverges = aligned.alignment.divergence.as_ref().and_then(|it| it.row) == Some(at);
    let spoken = words_of_row(view, row, likeness, diverges);
    response.widget_info(|| WidgetInfo::selected(Role::Row, true, is_current, &spoken));
    // Where they are now goes before where they part, which the strip above shows as well.
    let fill = if is_current {
        Some(tokens.accent_wash)
    } else if response.hovered() {
        Some(tokens.raised_hover)
    } else {
        diverges.then_some(tokens.loss_wash)
    };
    if let Some(fill) = fill {
        ui.painter().rect_filled(rect.shrink2(vec2(4.0, 0.0)), size::RADIUS, fill);
    }
    for ((run, step), cell) in view.runs.iter().zip(&row.steps).zip(cells(rect, view.runs.len())) {
        if let Some(step) = step {
            paint_step(ui, run, *step, cell);
        }
    }
    // The strongest likeness alone: there is room for one mark, and the rest is said on hover.
    let (mark, ink) = match likeness {
        Some(Likeness { call: true, .. } | Likeness { effect: true, .. }) => {
            (icons::CHECK, tokens.gain)
        }
        Some(Likeness { picture: true, .. }) => (icons::PICTURE, tokens.gain),
        Some(Likeness { tool: true, .. }) => (icons::CHANGED, tokens.warn),
        _ => ("", tokens.dim),
    };
    let place = pos2(rect.right() - SIDE, rect.center().y);
    let style = (Type::IconSmall, ink);
    paint_text(ui.painter(), place, Align2::RIGHT_CENTER, mark, style, MARK);
    let response = response.on_hover_text(spoken);
    if response.clicked() {
        ArrowList::Rows.take_keyboard(ui);
        cx.send(Command::Stage(StageCommand::PassRows(at as u32 + 1)));
    }
}

fn paint_step(ui: &Ui, run: &RunBeside<'_>, step: u32, cell: Rect) {
    let tokens = tokens(ui);
    let known = run.run.loaded.as_ref().and_then(|it| it.steps.get(step as usize - 1));
    let middle = cell.center().y;
    let dot = known.map_or(tokens.hairline, |step| category_color(step.category));
    ui.painter().circle_filled(pos2(cell.left() + 3.0, middle), 3.0, dot);
    let at = pos2(cell.left() + NUMBER[0], middle);
    let style = (Type::Caption, tokens.dim);
    paint_numbers(ui.painter(), at, Align2::LEFT_CENTER, &step.to_string(), style);
    if cell.width() < NAMED {
        return;
    }
    let failed = known
        .is_some_and(|step| step.outcome.as_ref().is_some_and(|outcome| outcome.failure.is_some()));
    let name = run.call(step).map_or("picture", |call| call.name.as_str());
    let ink = if failed { tokens.loss } else { tokens.text };
    // As wide as the run's largest number, so that names stand below each other; every digit is painted as wide as a
    // zero, which a 1 alone is not.
    let most = run.run.loaded.as_ref().map_or(step as usize, |it| it.steps.len().max(10));
    let number = text_width(ui, &"0".repeat(most.to_string().len()), Type::Caption);
    let left = at.x + number + NUMBER[1];
    let room = cell.right() - left;
    paint_text(
        ui.painter(),
        pos2(left, middle),
        Align2::LEFT_CENTER,
        name,
        (Type::Body, ink),
        room,
    );
}

fn words_of_row(
    view: &RunsBeside<'_>,
    row: &AlignedRow,
    likeness: Option<Likeness>,
    diverges: bool,
) -> String {
    let steps = view.runs.iter().zip(&row.steps).filter_map(|(run, step)| {
        let name = run.call((*step)?).map_or("picture", |call| call.name.as_str());
        Some(format!("{} {} {name}", run.letter(), (*step)?))
    });
    let steps: Vec<String> = steps.collect();
    let same = match likeness {
        Some(Likeness { call: true, .. }) => "the same call",
        Some(Likeness { effect: true, .. }) => "the same change",
        Some(Likeness { picture: true, .. }) => "the canvas looks the same after it",
        Some(Likeness { tool: true, .. }) => "the same tool, other arguments",
        Some(_) => "not all alike",
        None => "only here",
    };
    let diverges = if diverges { "; here they diverge" } else { "" };
    format!("{}: {same}{diverges}", steps.join(", "))
}
