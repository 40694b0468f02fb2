//! The calls along the steps, by the kind of work they do; failed ones in red.

use egui::{Color32, Id, Pos2, Rect, Stroke, StrokeKind, Ui, pos2, vec2};

use super::axis::TimelineAxis;
use crate::graphictown::Expert;
use crate::ui::theme::{Tokens, category_color, tokens};
use crate::ui::widgets::{say, say_picture};
use crate::workbench::views::{Timeline, TimelineStep};

/// Narrower columns than this have no chips of their own.
const NARROWEST: f32 = 3.0;
const CHIP_HEIGHT: f32 = 10.0;
/// The experts of the design suite, from the top lane down.
pub(super) const EXPERTS: [Expert; 3] =
    [Expert::PhotoEditor, Expert::VectorGraphicEditor, Expert::LayoutDesigner];

/// Draws the row.
pub(super) fn calls_ui(ui: &Ui, timeline: &Timeline<'_>, axis: &TimelineAxis, rect: Rect) {
    // Below the chips, which hide the ends of the lines.
    if timeline.has_experts() {
        hand_overs_ui(ui, timeline, axis, rect);
    }
    if !timeline.has_calls() {
        marks_ui(ui, timeline, axis, rect);
        return;
    }
    // Narrower chips would run into one another.
    if axis.column >= NARROWEST {
        for step in &timeline.steps {
            chip_ui(ui, timeline, axis, rect, step);
        }
    } else {
        bars_ui(ui, timeline, axis, rect);
    }
    marks_ui(ui, timeline, axis, rect);
    let failed = timeline.steps.iter().filter(|step| step.failed).count();
    let wrong = timeline.steps.iter().filter(|step| step.plan_error.is_some()).count();
    let wrong = if wrong > 0 { format!(", {wrong} wrong in the plan") } else { String::new() };
    let lanes = if timeline.has_experts() { ", a lane for each expert" } else { "" };
    let [extra, hits] = [false, true].map(|wanted| {
        timeline.steps.iter().filter(|step| step.is_reference == Some(wanted)).count()
    });
    let reference = match &timeline.agreement {
        Some(_) => format!(", {hits} hits of the reference, {extra} extra"),
        None => String::new(),
    };
    let name = format!("Calls of the steps, {failed} failed{wrong}{reference}{lanes}");
    say_picture(ui, Id::unique("timeline_calls"), rect, &name);
}

/// The middle of a step's chip, in the lane of its expert if there are lanes.
fn middle(timeline: &Timeline<'_>, rect: Rect, step: &TimelineStep<'_>) -> f32 {
    let lane = step.expert.and_then(|expert| EXPERTS.iter().position(|it| *it == expert));
    match lane {
        Some(lane) if timeline.has_experts() => {
            rect.top() + rect.height() * (lane as f32 + 0.5) / EXPERTS.len() as f32
        }
        _ => rect.center().y,
    }
}

/// The lanes, and a line from one to the next where the work passes on.
fn hand_overs_ui(ui: &Ui, timeline: &Timeline<'_>, axis: &TimelineAxis, rect: Rect) {
    let tokens = tokens(ui);
    let painter = ui.painter();
    for lane in 0..EXPERTS.len() {
        let y = rect.top() + rect.height() * (lane as f32 + 0.5) / EXPERTS.len() as f32;
        painter.hline(rect.x_range(), y, Stroke::new(1.0, tokens.hairline));
    }
    for pair in timeline.steps.windows(2) {
        let [from, to] = pair else { continue };
        // A call that nobody owns hands nothing over.
        if from.expert.is_none() || to.expert.is_none() || from.expert == to.expert {
            continue;
        }
        let at =
            |step: &TimelineStep<'_>| pos2(axis.x_of(step.number), middle(timeline, rect, step));
        painter.line_segment([at(from), at(to)], Stroke::new(1.5, tokens.dim));
    }
}

fn chip_ui(
    ui: &Ui,
    timeline: &Timeline<'_>,
    axis: &TimelineAxis,
    rect: Rect,
    step: &TimelineStep<'_>,
) {
    let tokens = tokens(ui);
    let x = axis.x_of(step.number);
    // No border after the last step, where nothing follows, and none where borders would be all
    // there is.
    if step.ends_turn && axis.column >= 8.0 && step.number as usize + 1 < axis.count {
        let border = x + axis.column * 0.5;
        ui.painter().vline(border.round(), rect.top()..=rect.bottom(), tokens.line());
    }
    let Some(color) = chip_color(tokens, step) else { return };
    let width = (axis.column - 4.0).max(axis.column * 0.6).min(18.0);
    let y = middle(timeline, rect, step);
    let chip = Rect::from_center_size(pos2(x, y), vec2(width, CHIP_HEIGHT));
    let radius = if width > 8.0 { 3 } else { 1 };
    if step.failed {
        let outline = Stroke::new(1.5, tokens.loss);
        ui.painter().rect(chip, radius, color.gamma_multiply(0.35), outline, StrokeKind::Inside);
    } else {
        ui.painter().rect_filled(chip, radius, color);
    }
    if step.plan_error.is_some() {
        // Ringed in the panel's colour, as the chip below may be red too.
        ui.painter().circle_filled(chip.right_top(), 3.0, tokens.panel);
        ui.painter().circle_filled(chip.right_top(), 2.0, tokens.loss);
    }
    if step.number == timeline.current {
        let ring = Stroke::new(1.5, tokens.text);
        ui.painter().rect_stroke(chip.expand(1.5), radius + 1, ring, StrokeKind::Outside);
    }
}

/// A point above each step that was noted or starred, and a line below each in which something was found.
fn marks_ui(ui: &Ui, timeline: &Timeline<'_>, axis: &TimelineAxis, rect: Rect) {
    let tokens = tokens(ui);
    // Where many steps lie in a point, one line stands for all of its kind there.
    let mut last_line = [f32::NEG_INFINITY; 2];
    for step in &timeline.steps {
        let x = axis.x_of(step.number);
        if step.note.is_some() {
            ui.painter().circle_filled(pos2(x, rect.top() - 1.0), 2.5, tokens.accent);
        }
        if !step.labels.is_empty() {
            // Beside the point of a note, in case there is one too.
            let at = pos2(x + if step.note.is_some() { 6.0 } else { 0.0 }, rect.top() - 1.0);
            let mark = [vec2(0.0, -3.5), vec2(3.5, 0.0), vec2(0.0, 3.5), vec2(-3.5, 0.0)];
            let corners = mark.map(|corner| at + corner).to_vec();
            let shape = egui::Shape::convex_polygon(corners, tokens.warn, Stroke::NONE);
            ui.painter().add(shape);
            let room = Rect::from_center_size(at, vec2(8.0, 8.0));
            say(ui, ("timeline_label", step.number), room, &label_words(step));
        }
        if let Some(is_reference) = step.is_reference
            && x - last_line[usize::from(is_reference)] >= 0.5
        {
            last_line[usize::from(is_reference)] = x;
            let half = (axis.column * 0.5 - 2.0).clamp(1.0, 5.0);
            reference_mark_ui(ui, pos2(x, rect.bottom() - 2.0), half, is_reference);
        }
        if step.is_found {
            let half = (axis.column * 0.5 - 1.0).clamp(1.0, 9.0);
            let stroke = Stroke::new(2.0, tokens.warn);
            ui.painter().hline(x - half..=x + half, rect.bottom() + 1.0, stroke);
        }
    }
}

/// Under a call: a line where its tool is one of the reference, a point where the reference does not have it.
pub(super) fn reference_mark_ui(ui: &Ui, at: Pos2, half_width: f32, is_reference: bool) {
    let tokens = tokens(ui);
    if is_reference {
        let line = Stroke::new(2.0, tokens.gain);
        ui.painter().hline(at.x - half_width..=at.x + half_width, at.y, line);
    } else {
        ui.painter().circle_filled(at, 1.75, tokens.extra);
    }
}

/// How the tool of a step stands to those of the reference.
pub(super) fn reference_words(is_reference: bool) -> &'static str {
    if is_reference { "hit: a tool of the reference" } else { "extra: no tool of the reference" }
}

/// What people said of a step: each label with how many of those who were asked said so.
pub(super) fn label_words(step: &TimelineStep<'_>) -> String {
    let labels = step.labels.iter().map(|label| {
        let people = if label.asked == 1 { "person" } else { "people" };
        format!("{}: {} of {} {people}", label.words, label.people, label.asked)
    });
    labels.collect::<Vec<_>>().join(" · ")
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
fn bars_ui(ui: &Ui, timeline: &Timeline<'_>, axis: &TimelineAxis, rect: Rect) {
    const BAR: f32 = 2.0;
    let tokens = tokens(ui);
    let per_bar = (BAR / axis.column.max(1e-4)).ceil().max(1.0) as usize;
    for (index, steps) in timeline.steps.chunks(per_bar).enumerate() {
        let failed = steps.iter().any(|step| step.failed || step.plan_error.is_some());
        // The first call stands for its neighbours, but a failure among them is never left out.
        let color = steps.iter().find_map(|step| chip_color(tokens, step));
        let Some(color) = color.map(|color| if failed { tokens.loss } else { color }) else {
            continue;
        };
        let x = rect.left() + index as f32 * per_bar as f32 * axis.column;
        let y = steps.first().map_or(rect.center().y, |step| middle(timeline, rect, step));
        let top = y - CHIP_HEIGHT * 0.5;
        let bar = Rect::from_min_size(pos2(x, top), vec2(BAR, CHIP_HEIGHT));
        ui.painter().rect_filled(bar, 0, color);
    }
}
