//! The timeline: the run step by step, as pictures, as calls and as a curve, over one axis.
//!
//! [`axis`] maps steps to places; [`transport`] has the buttons, [`filmstrip`], [`calls`] and [`curve`] the rows below,
//! which are one surface: pressed anywhere, they go to the step there; dragged over with Shift, they mark a [`range`]
//! of steps; [`bands`] are those that were kept. [`changes`] are bars of what each step changed, [`curves`] is the menu
//! of what the [`legend`] lists.

mod axis;
mod bands;
mod calls;
mod changes;
mod curve;
mod curves;
mod filmstrip;
mod legend;
mod range;
mod transport;

pub(super) use curves::toggle_curves;

use egui::{CursorIcon, Id, Rect, Response, Sense, Ui, WidgetInfo, pos2, vec2};

use super::context::ViewContext;
use super::stage::Textures;
use super::theme::{size, tokens};
use super::widgets::{change_words, score_words, tooltip_ui};
use crate::metric::Score;
use crate::workbench::views::{self, Timeline};
use crate::workbench::{Command, PlaybackCommand};
use axis::TimelineAxis;

const CALLS: f32 = 18.0;
/// Where there are no calls.
const NO_CALLS: f32 = 6.0;
/// The calls of three experts, each in a lane.
const LANES: f32 = 36.0;
/// The bars of what each step changed.
const CHANGES: f32 = 22.0;
/// The line that says why there is no curve.
const NO_CURVE: f32 = 26.0;
/// What curves are given before the filmstrip, if they can be.
const LEAST_CURVE: f32 = 46.0;
/// The filmstrip's lowest.
const LEAST_STRIP: f32 = 24.0;
/// The filmstrip's highest, beside a curve and without one: pictures are 96 pixels at most.
const STRIP: [f32; 2] = [64.0, 96.0];

/// Draws the timeline of the selected run.
pub(super) fn timeline_ui(ui: &mut Ui, cx: &ViewContext<'_>, textures: &mut Textures) {
    let Some(timeline) = views::timeline(cx.state) else { return };
    ui.spacing_mut().item_spacing.y = 0.0;
    transport::transport_ui(ui, cx, &timeline);
    let area = ui.available_rect_before_wrap();
    let inner = area.shrink2(vec2(size::GUTTER, 0.0));
    let calls = match (timeline.has_experts(), timeline.has_calls()) {
        (true, _) => LANES,
        (false, true) => CALLS,
        // Room for the marks of notes alone: the curve has the rest.
        (false, false) => NO_CALLS,
    };
    let heights = Heights {
        bands: bands::height(&timeline),
        calls,
        changes: if timeline.shows_changes && timeline.best.is_some() { CHANGES } else { 0.0 },
        // Of the selected step: which rows there are does not follow the pointer.
        legend: legend::Legend::new(ui, &timeline, timeline.current, inner).height(),
    };
    let rows = Rows::of(inner, &heights, !timeline.is_without_truth);
    // The values of the grid have a place of their own beside the curve.
    let labels = if timeline.is_without_truth { 0.0 } else { curve::LABEL_WIDTH };
    let steps = inner.with_max_x((inner.right() - labels).max(inner.left()));
    let axis = TimelineAxis::new(steps.x_range(), timeline.steps.len());
    // Under the rows, which only paint: the step is chosen wherever it is pressed.
    let response = surface_ui(ui, cx, &timeline, &axis, rows.surface);
    bands::bands_ui(ui, cx, &timeline, &axis, rows.bands);
    filmstrip::filmstrip_ui(ui, cx, textures, &timeline, &axis, rows.filmstrip);
    calls::calls_ui(ui, &timeline, &axis, rows.calls);
    if heights.changes > 0.0 {
        changes::changes_ui(ui, &timeline, &axis, rows.changes);
    }
    curve::curve_ui(ui, &timeline, &axis, rows.curve);
    range::range_ui(ui, &timeline, &axis, rows.surface);
    marker_ui(ui, &timeline, &axis, &rows);
    // The curves are read where the pointer is, or else at the selected step.
    let pointed = response.hover_pos().and_then(|pos| axis.step_at(pos.x));
    let step = pointed.unwrap_or(timeline.current);
    legend::Legend::new(ui, &timeline, step, inner).show(ui, &timeline, rows.legend);
    if !timeline.is_without_truth {
        curves::curves_ui(ui, cx, &timeline, rows.legend);
    }
    range::chip_ui(ui, cx, &timeline, rows.curve.right_top() - vec2(labels + 4.0, 0.0));
    hover_ui(ui, &timeline, &axis, &response, &rows);
    // Everything was painted at places of its own; this tells egui that the room is taken.
    ui.allocate_rect(area, Sense::hover());
}

/// How high the rows are that have a height of their own.
struct Heights {
    /// 0: no range was kept.
    bands: f32,
    calls: f32,
    /// 0: there are no bars.
    changes: f32,
    legend: f32,
}

/// Where each row lies.
struct Rows {
    bands: Rect,
    surface: Rect,
    filmstrip: Rect,
    calls: Rect,
    changes: Rect,
    curve: Rect,
    legend: Rect,
}

impl Rows {
    /// Where there is no curve, the pictures and the calls get its room.
    fn of(area: Rect, heights: &Heights, has_curve: bool) -> Self {
        // Above the surface, as they are pressed for themselves.
        let bands = area.with_max_y(area.top() + heights.bands);
        let area = area.with_min_y(bands.bottom());
        let calls_height = heights.calls;
        // What is left over for pictures where there is no curve, after the line that says so.
        let left = area.height() - heights.legend - NO_CURVE - calls_height - 14.0;
        let (strip, calls_height) = if has_curve {
            let strip = (area.height() * 0.24).clamp(LEAST_STRIP, STRIP[0]);
            let others = heights.legend + calls_height + heights.changes + 18.0 + LEAST_CURVE;
            (strip.min((area.height() - others).max(LEAST_STRIP)), calls_height)
        } else {
            let strip = left.clamp(24.0, STRIP[1]);
            (strip, calls_height + (left - strip).clamp(0.0, calls_height))
        };
        let legend = area.bottom() - heights.legend;
        let calls = area.top() + strip + 8.0;
        let changes = calls + calls_height + 2.0;
        let curve = changes + heights.changes;
        let [surface, filmstrip, calls, changes, curve, legend] = [
            (area.top(), legend),
            (area.top(), area.top() + strip),
            (calls, calls + calls_height),
            (changes + 2.0, curve),
            (curve + 4.0, legend - 4.0),
            (legend, area.bottom()),
        ]
        // Never upside down: in a low window a row may be left with nothing.
        .map(|(top, bottom)| area.with_min_y(top).with_max_y(bottom.max(top)));
        Self { bands, surface, filmstrip, calls, changes, curve, legend }
    }
}

fn surface_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    timeline: &Timeline<'_>,
    axis: &TimelineAxis,
    rect: Rect,
) -> Response {
    let response = ui.interact(rect, Id::unique("timeline_surface"), Sense::click_and_drag());
    response
        .widget_info(|| WidgetInfo::slider(true, f64::from(timeline.current), "Step of the run"));
    if range::drag_ui(ui, cx, axis, &response) {
        return response.on_hover_cursor(CursorIcon::ResizeHorizontal);
    }
    // At once on press, not only when the button is released; but a click can begin and end within
    // one slow frame.
    if (response.is_pointer_button_down_on() || response.clicked())
        && let Some(pos) = response.interact_pointer_pos()
        && let Some(step) = axis.step_at(pos.x)
        && step != timeline.current
    {
        cx.send(Command::Playback(PlaybackCommand::Step(step)));
    }
    response.on_hover_cursor(CursorIcon::PointingHand)
}

/// The line through all rows at the selected step.
fn marker_ui(ui: &Ui, timeline: &Timeline<'_>, axis: &TimelineAxis, rows: &Rows) {
    if timeline.best.is_none() {
        // Without a curve the line would cross the words that say so.
        return;
    }
    let tokens = tokens(ui);
    let x = axis.x_of(timeline.current);
    let line = egui::Stroke::new(1.0, tokens.text);
    ui.painter().vline(x, rows.curve.top()..=rows.curve.bottom(), line);
    curve::current_ui(ui, timeline, axis, rows.curve);
}

fn hover_ui(
    ui: &Ui,
    timeline: &Timeline<'_>,
    axis: &TimelineAxis,
    response: &Response,
    rows: &Rows,
) {
    let Some(pos) = response.hover_pos() else { return };
    let Some(step) = axis.step_at(pos.x) else { return };
    let tokens = tokens(ui);
    let line = egui::Stroke::new(1.0, tokens.faint.gamma_multiply(0.6));
    ui.painter().vline(axis.x_of(step), rows.curve.y_range(), line);
    let Some(words) = step_words(timeline, step) else { return };
    let anchor = Rect::from_center_size(pos2(axis.x_of(step), rows.surface.top()), vec2(1.0, 1.0));
    let tooltip = egui::Tooltip::always_open(
        ui.ctx().clone(),
        ui.layer_id(),
        Id::unique("timeline_hover"),
        egui::PopupAnchor::ParentRect(anchor),
    );
    let mut tooltip = tooltip.gap(6.0);
    // Above the timeline, where it hides neither the curve nor the calls.
    tooltip.popup = tooltip.popup.align(egui::RectAlign::TOP);
    tooltip.show(|ui| tooltip_ui(ui, &words, None));
}

/// A step in a line: its tool, how that stands to the reference, its score and what it changed.
fn step_words(timeline: &Timeline<'_>, step: u32) -> Option<String> {
    let at = timeline.steps.get(step as usize)?;
    let place = match step {
        0 => "Start state".to_owned(),
        step => format!("Step {step} · turn {}", at.turn),
    };
    let change = at.delta.map(|delta| format!(" ({})", change_words(delta))).unwrap_or_default();
    let label = curve::variant_words(timeline);
    let score = at.score.map(|score| match score {
        Score::Value(value) => format!("{label} {}{change}", score_words(*value)),
        Score::Missing(why) => format!("no score: {why}"),
    });
    let failed = at.failed.then(|| "failed".to_owned());
    let expert = at.expert.map(|expert| expert.name().to_owned());
    let wrong = at.plan_error.map(|error| error.class.label().to_owned());
    let labels = (!at.labels.is_empty()).then(|| calls::label_words(at));
    let tool = at.tool.map(ToOwned::to_owned);
    let reference = at.is_reference.map(|it| calls::reference_words(it).to_owned());
    let parts = [Some(place), expert, tool, reference, failed, wrong, labels, score];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(" · "))
}
