//! All rows of the runs as one picture: a lane for each run, and above them whether all look the same.

use egui::{Id, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::evaluate::alignment::AlignedRow;
use crate::ui::context::ViewContext;
use crate::ui::theme::{category_color, tokens};
use crate::workbench::views::{RunBeside, RunsBeside};
use crate::workbench::{AlignedRuns, Command, StageCommand};

/// Height of a lane.
const LANE: f32 = 10.0;
/// Between lanes.
const GAP: f32 = 3.0;
/// Height of the line above the lanes.
const SAME: f32 = 3.0;

/// Draws the picture. A click or a drag goes to a row.
pub(super) fn strip_ui(
    ui: &mut Ui,
    cx: &ViewContext<'_>,
    view: &RunsBeside<'_>,
    aligned: &AlignedRuns,
) {
    let rows = &aligned.alignment.rows;
    let lanes = view.runs.len() as f32;
    let height = SAME + GAP + lanes * (LANE + GAP);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let response = ui.interact(rect, Id::unique("aligned_strip"), Sense::click_and_drag());
    let names: Vec<&str> = view.runs.iter().map(RunBeside::letter).collect();
    let spoken = format!(
        "The steps of {} in {} rows; {} have passed",
        names.join(", "),
        rows.len(),
        view.rows_passed
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, &spoken));
    if rows.is_empty() {
        return;
    }
    // A column a row of the alignment, as narrow as it has to be: the whole of it is in sight.
    let column = rect.width() / rows.len() as f32;
    paint_rows(ui, rect, column, aligned);
    paint_marks(ui, rect, column, view, aligned);
    if let Some(at) = response.interact_pointer_pos()
        && (response.clicked() || response.dragged())
    {
        let row = ((at.x - rect.left()) / column).floor().clamp(0.0, rows.len() as f32 - 1.0);
        cx.send(Command::Stage(StageCommand::PassRows(row as u32 + 1)));
    }
    response.on_hover_text(
        "Each lane is a run; what stands below one another goes together. Click to go there.",
    );
}

fn paint_rows(ui: &Ui, rect: Rect, column: f32, aligned: &AlignedRuns) {
    let tokens = tokens(ui);
    let rows = &aligned.alignment.rows;
    // Where rows are narrower than a point, one of them stands for its neighbours.
    let stride = (1.0 / column).ceil().max(1.0) as usize;
    let width = column * stride as f32;
    let inset = if width > 4.0 { 1.0 } else { 0.0 };
    for (at, row) in rows.iter().enumerate().step_by(stride) {
        let left = rect.left() + at as f32 * column;
        let around = rows[at..rows.len().min(at + stride)].iter();
        let is_same = around.clone().all(AlignedRow::is_same_for_all);
        let ink = if is_same { tokens.gain } else { tokens.hairline };
        let cell = Rect::from_min_size(pos2(left, rect.top()), vec2(width, SAME));
        ui.painter().rect_filled(cell, 0, ink);
        for (run, trace) in aligned.traces.iter().enumerate() {
            let top = rect.top() + SAME + GAP + run as f32 * (LANE + GAP);
            let mut steps = around.clone().filter_map(|row| *row.steps.get(run)?);
            let Some(step) = steps.next().and_then(|step| trace.step(step)) else {
                // So that a lane can be followed through where it has nothing.
                let middle = top + LANE * 0.5;
                ui.painter().hline(left..=left + width, middle, tokens.line());
                continue;
            };
            let goes_together = row.steps.iter().flatten().count() > 1;
            let color = if step.failed { tokens.loss } else { category_color(step.category) };
            let color = if goes_together { color } else { color.gamma_multiply(0.45) };
            let cell =
                Rect::from_min_size(pos2(left + inset * 0.5, top), vec2(width - inset, LANE));
            ui.painter().rect_filled(cell, if width > 6.0 { 2 } else { 0 }, color);
        }
    }
}

fn paint_marks(ui: &Ui, rect: Rect, column: f32, view: &RunsBeside<'_>, aligned: &AlignedRuns) {
    let tokens = tokens(ui);
    if let Some(row) = aligned.alignment.divergence.as_ref().and_then(|divergence| divergence.row) {
        let x = rect.left() + row as f32 * column;
        ui.painter().vline(x, rect.y_range(), Stroke::new(1.5, tokens.loss));
    }
    let x = rect.left() + view.rows_passed as f32 * column;
    let x = x.clamp(rect.left() + 0.5, rect.right() - 0.5);
    ui.painter().vline(x, rect.y_range(), Stroke::new(1.5, tokens.text));
}
