//! The steps that were marked: dragged over with Shift, or between two steps by keys.

use egui::{Align2, CursorIcon, Id, Rect, Response, Sense, Ui, pos2};

use super::axis::TimelineAxis;
use crate::ui::commands::{CommandButton, CommandId, command};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{count, paint_text, text_width, tooltip_ui};
use crate::workbench::views::Timeline;
use crate::workbench::{Command, PlaybackCommand, StepRange};

/// Takes a drag with Shift over the surface as a range; whether it was one.
pub(super) fn drag_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    axis: &TimelineAxis,
    surface: &Response,
) -> bool {
    let from = Id::unique("timeline_range_from");
    let begun: Option<u32> = ui.data(|data| data.get_temp(from));
    let is_down = surface.is_pointer_button_down_on();
    let step = surface.interact_pointer_pos().and_then(|pos| axis.step_at(pos.x));
    let begins = is_down && ui.input(|input| input.modifiers.shift && input.pointer.any_pressed());
    if let Some(step) = step.filter(|_| begins) {
        ui.data_mut(|data| data.insert_temp(from, step));
        return true;
    }
    let Some(begun) = begun else { return false };
    if let Some(step) = step.filter(|_| is_down) {
        let range = StepRange::between(begun, step);
        // A click alone marks nothing; and what is marked already is not sent again.
        if begun != step && cx.state.selection.range != Some(range) {
            cx.send(Command::Playback(PlaybackCommand::SetRange(Some(range))));
        }
        return true;
    }
    ui.data_mut(|data| data.remove::<u32>(from));
    // The frame in which the button goes up is still of the drag.
    true
}

/// Draws the steps that are marked: what is outside them steps back.
pub(super) fn range_ui(ui: &Ui, timeline: &Timeline<'_>, axis: &TimelineAxis, surface: Rect) {
    let Some(range) = timeline.range else { return };
    let tokens = tokens(ui);
    let half = axis.column * 0.5;
    let (left, right) = (axis.x_of(range.first) - half, axis.x_of(range.last) + half);
    let veil = tokens.panel.gamma_multiply(0.62);
    let end = axis.x_of(u32::try_from(axis.count.saturating_sub(1)).unwrap_or(u32::MAX)) + half;
    ui.painter().rect_filled(surface.with_max_x(left), 0, veil);
    ui.painter().rect_filled(surface.with_min_x(right).with_max_x(end.max(right)), 0, veil);
    for x in [left, right] {
        let edge = egui::Stroke::new(1.5, tokens.accent);
        ui.painter().vline(x.round(), surface.y_range(), edge);
    }
}

/// Says which steps are marked and what is in them; pressed, they are not any more. It stands at the right of
/// the curve's own row.
pub(super) fn chip_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    timeline: &Timeline<'_>,
    right_top: egui::Pos2,
) {
    let Some(range) = timeline.range else { return };
    let tokens = tokens(ui);
    let steps = timeline.steps.iter().filter(|step| range.contains(step.number));
    let calls = steps.clone().filter(|step| step.tool.is_some()).count();
    let failed = steps.filter(|step| step.failed).count();
    let failed = if failed > 0 { format!(", {failed} failed") } else { String::new() };
    let words =
        format!("Steps {} to {} · {}{failed}", range.first, range.last, count(calls, "call"));
    let width = text_width(ui, &words, Type::Caption) + 30.0;
    let rect = Rect::from_min_size(pos2(right_top.x - width, right_top.y), egui::vec2(width, 20.0));
    let response = ui.interact(rect, Id::unique("timeline_range_chip"), Sense::click());
    let name = format!("{words}. Unmark them");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    let fill = if response.hovered() { tokens.raised_hover } else { tokens.accent_wash };
    ui.painter().rect_filled(rect, size::RADIUS_SMALL, fill);
    let middle = rect.center().y;
    let style = (Type::Caption, tokens.text);
    let at = pos2(rect.left() + 8.0, middle);
    paint_text(ui.painter(), at, Align2::LEFT_CENTER, &words, style, width);
    let cross = (Type::IconSmall, tokens.dim);
    let at = pos2(rect.right() - 6.0, middle);
    paint_text(ui.painter(), at, Align2::RIGHT_CENTER, icons::CLOSE, cross, 20.0);
    if response.clicked() {
        cx.send(Command::Playback(PlaybackCommand::SetRange(None)));
    }
    keep_ui(ui, cx, timeline, rect);
    let key = command(CommandId::ClearRange).key(ui, cx.state);
    response.on_hover_cursor(CursorIcon::PointingHand).on_hover_ui(|ui| {
        let words = "Playing goes round in these steps, and lists are narrowed to them. Click to unmark them.";
        tooltip_ui(ui, words, key.as_deref());
    });
}

/// Keeps the marked steps under a name, at the left of the chip; nothing where they are kept.
fn keep_ui(ui: &Ui, cx: &ViewContext<'_>, timeline: &Timeline<'_>, chip: Rect) {
    if timeline.kept.iter().any(|row| row.is_marked) {
        return;
    }
    let tokens = tokens(ui);
    let words = "Keep";
    let width = text_width(ui, words, Type::Caption) + 16.0;
    let rect = chip.with_max_x(chip.left() - 4.0).with_min_x(chip.left() - 4.0 - width);
    let response = ui.interact(rect, Id::unique("timeline_range_keep"), Sense::click());
    let keep = command(CommandId::KeepRange);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, keep.text));
    let fill = if response.hovered() { tokens.raised_hover } else { tokens.raised };
    ui.painter().rect_filled(rect, size::RADIUS_SMALL, fill);
    let style = (Type::Caption, tokens.text);
    paint_text(ui.painter(), rect.center(), Align2::CENTER_CENTER, words, style, width);
    if response.clicked() {
        CommandButton::text(CommandId::KeepRange).press(cx);
    }
    let key = keep.key(ui, cx.state);
    response
        .on_hover_cursor(CursorIcon::PointingHand)
        .on_hover_ui(|ui| tooltip_ui(ui, keep.tooltip, key.as_deref()));
}
