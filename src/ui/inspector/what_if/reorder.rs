//! Dragging a call to another place in the list.

use egui::{CursorIcon, Response, Stroke, Ui};

use crate::ui::context::ViewContext;
use crate::ui::theme::tokens;
use crate::workbench::{Command, WhatIfCommand};

/// Follows a drag over the rows that are drawn, each with the place of its call in the list, and puts the call
/// where it is let go.
pub(super) fn reorder_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    dragged: &mut Option<usize>,
    rows: &[(usize, Response)],
) {
    if let Some((at, _)) = rows.iter().find(|(_, row)| row.drag_started()) {
        *dragged = Some(*at);
    }
    let Some(from) = *dragged else { return };
    let is_over = ui.input(|input| input.pointer.any_released() || !input.pointer.any_down());
    let pointer = ui.ctx().pointer_interact_pos();
    let target =
        pointer.and_then(|pos| gap_at(rows, pos.y)).map(|gap| (gap, place(from, rows, gap)));
    if is_over {
        *dragged = None;
        if let Some((_, to)) = target.filter(|(_, to)| *to != from) {
            cx.send(Command::WhatIf(WhatIfCommand::Move { from, to }));
        }
        return;
    }
    ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    let Some((gap, to)) = target else { return };
    let Some(rect) = rows.get(gap).or(rows.last()).map(|(_, row)| row.rect) else { return };
    let y = if gap < rows.len() { rect.top() } else { rect.bottom() };
    // Where it stands already there is nothing to promise.
    if to != from {
        let line = Stroke::new(2.0, tokens(ui).accent);
        ui.painter().hline(rect.shrink(6.0).x_range(), y, line);
    }
}

/// The gap between rows that is nearest: 0 above the first.
fn gap_at(rows: &[(usize, Response)], y: f32) -> Option<usize> {
    let gap = rows.iter().position(|(_, row)| y < row.rect.center().y);
    (!rows.is_empty()).then(|| gap.unwrap_or(rows.len()))
}

/// Where a call then stands that is put into a gap.
fn place(from: usize, rows: &[(usize, Response)], gap: usize) -> usize {
    match rows.get(gap) {
        // Taken out before, it makes all behind it one less.
        Some((at, _)) if *at > from => at - 1,
        Some((at, _)) => *at,
        None => rows.last().map_or(from, |(at, _)| if *at < from { at + 1 } else { *at }),
    }
}
