//! The kept ranges of the run, as brackets with their names over the steps that they are of.

use egui::{Align2, CursorIcon, Id, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::axis::TimelineAxis;
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{paint_text, tooltip_ui};
use crate::workbench::views::{KeptRangeRow, Timeline};
use crate::workbench::{Command, PlaybackCommand, RangeCommand};

/// The height of a lane.
const LANE: f32 = 16.0;

/// How high the row is; 0 without ranges.
pub(super) fn height(timeline: &Timeline<'_>) -> f32 {
    let lanes = timeline.kept.iter().map(|row| row.lane + 1).max().unwrap_or(0);
    lanes as f32 * LANE
}

/// Draws the row.
pub(super) fn bands_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    timeline: &Timeline<'_>,
    axis: &TimelineAxis,
    rect: Rect,
) {
    for row in &timeline.kept {
        band_ui(ui, cx, axis, rect, row);
    }
}

fn band_ui(ui: &Ui, cx: &ViewContext<'_>, axis: &TimelineAxis, rect: Rect, row: &KeptRangeRow<'_>) {
    let tokens = tokens(ui);
    let range = row.key.range;
    let last = u32::try_from(axis.count.saturating_sub(1)).unwrap_or(u32::MAX);
    // As far as the run goes: one that is read anew may be shorter.
    let shown = range.within(0, last);
    let half = axis.column * 0.5;
    let (left, right) = (axis.x_of(shown.first) - half, axis.x_of(shown.last) + half);
    let top = rect.top() + row.lane as f32 * LANE;
    // Never so narrow that nobody could press it.
    let width = (right - left).max(4.0);
    let band = Rect::from_min_size(pos2(left, top), vec2(width, LANE - 2.0));
    let id = Id::unique(("timeline_band", range.first, range.last));
    let response = ui.interact(band, id, Sense::click());
    let title = row.kept.title(range);
    let told = format!("Range {title}, steps {} to {}", range.first, range.last);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, row.is_marked, &told));
    let fill = if response.hovered() || response.has_focus() {
        tokens.raised_hover
    } else if row.is_marked {
        tokens.accent_wash
    } else {
        tokens.raised
    };
    ui.painter().rect_filled(band, size::RADIUS_SMALL, fill);
    // Its two ends, as of a bracket that opens downwards.
    let edge = Stroke::new(1.5, if row.is_marked { tokens.accent } else { tokens.dim });
    ui.painter().hline(band.x_range(), band.top() + 0.5, edge);
    for x in [band.left() + 0.75, band.right() - 0.75] {
        ui.painter().vline(x, band.y_range(), edge);
    }
    let at = pos2(band.left() + 5.0, band.center().y + 0.5);
    let room = band.width() - 10.0;
    // Of a name of which not even a letter has room there is nothing to read.
    if room >= 12.0 {
        let style = (Type::Caption, tokens.text);
        paint_text(ui.painter(), at, Align2::LEFT_CENTER, &title, style, room);
    }
    if response.clicked() {
        cx.send(if row.is_marked {
            Command::Playback(PlaybackCommand::SetRange(None))
        } else {
            Command::Ranges(RangeCommand::Choose(row.key.clone()))
        });
    }
    let note = row.kept.note.trim();
    let steps = format!("{title}: steps {} to {}", range.first, range.last);
    let words = if note.is_empty() { steps } else { format!("{steps}\n{note}") };
    response
        .on_hover_cursor(CursorIcon::PointingHand)
        .on_hover_ui(|ui| tooltip_ui(ui, &words, None));
}
