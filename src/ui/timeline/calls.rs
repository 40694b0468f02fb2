//! The calls along the steps, by the kind of work they do; failed ones in red.

use egui::{Color32, Rect, Stroke, StrokeKind, Ui, pos2, vec2};

use super::axis::Axis;
use crate::ui::theme::{Tokens, category_color, tokens};
use crate::workbench::views::{Timeline, TimelineStep};

/// Narrower columns than this have no chips of their own.
const NARROWEST: f32 = 3.0;
const CHIP_HEIGHT: f32 = 10.0;

/// Draws the row.
pub(super) fn calls_ui(ui: &Ui, timeline: &Timeline<'_>, axis: &Axis, rect: Rect) {
    if axis.column >= NARROWEST {
        for step in &timeline.steps {
            chip(ui, timeline, axis, rect, step);
        }
    } else {
        bars(ui, timeline, axis, rect);
    }
    let failed = timeline.steps.iter().filter(|step| step.failed).count();
    let name = format!("Calls of the steps, {failed} failed");
    super::announce(ui, "timeline_calls", rect, &name);
}

fn chip(ui: &Ui, timeline: &Timeline<'_>, axis: &Axis, rect: Rect, step: &TimelineStep<'_>) {
    let tokens = tokens(ui);
    let x = axis.x_of(step.number);
    if step.ends_turn && axis.column >= 8.0 && step.number as usize + 1 < axis.count {
        let border = x + axis.column * 0.5;
        ui.painter().vline(border.round(), rect.top()..=rect.bottom(), tokens.line());
    }
    let Some(color) = chip_color(tokens, step) else { return };
    let width = (axis.column - 4.0).max(axis.column * 0.6).min(18.0);
    let chip = Rect::from_center_size(pos2(x, rect.center().y), vec2(width, CHIP_HEIGHT));
    let radius = if width > 8.0 { 3 } else { 1 };
    if step.failed {
        let outline = Stroke::new(1.5, tokens.loss);
        ui.painter().rect(chip, radius, color.gamma_multiply(0.35), outline, StrokeKind::Inside);
    } else {
        ui.painter().rect_filled(chip, radius, color);
    }
    if step.number == timeline.current {
        let ring = Stroke::new(1.5, tokens.text);
        ui.painter().rect_stroke(chip.expand(1.5), radius + 1, ring, StrokeKind::Outside);
    }
}

fn chip_color(tokens: &Tokens, step: &TimelineStep<'_>) -> Option<Color32> {
    match step.category {
        Some(category) => Some(category_color(category)),
        // A step of a run of pictures has no call to show.
        None if step.number > 0 => Some(tokens.hairline),
        None => None,
    }
}

/// A bar two points wide for every few steps: red if any of them failed.
fn bars(ui: &Ui, timeline: &Timeline<'_>, axis: &Axis, rect: Rect) {
    const BAR: f32 = 2.0;
    let tokens = tokens(ui);
    let per_bar = (BAR / axis.column.max(1e-4)).ceil().max(1.0) as usize;
    for (index, steps) in timeline.steps.chunks(per_bar).enumerate() {
        let failed = steps.iter().any(|step| step.failed);
        let color = steps.iter().find_map(|step| chip_color(tokens, step));
        let Some(color) = color.map(|color| if failed { tokens.loss } else { color }) else {
            continue;
        };
        let x = rect.left() + index as f32 * per_bar as f32 * axis.column;
        let top = rect.center().y - CHIP_HEIGHT * 0.5;
        let bar = Rect::from_min_size(pos2(x, top), vec2(BAR, CHIP_HEIGHT));
        ui.painter().rect_filled(bar, 0, color);
    }
}
