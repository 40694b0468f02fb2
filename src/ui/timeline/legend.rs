//! What the colours of the timeline mean, and what the curves are at a step.

use std::collections::BTreeSet;

use egui::{Align2, Color32, Rect, Stroke, Ui, pos2, vec2};

use super::curve::{Ink, variant_words};
use crate::environment::ToolCategory;
use crate::metric::Score;
use crate::ui::theme::{Type, category_color, tokens};
use crate::ui::widgets::{paint_numbers, paint_text, say, score_words, text_width};
use crate::workbench::views::{CurveBeside, CurveEnd, Timeline};

/// The lanes of the calls, from the top.
const LANES: &str = "lanes: photo, vector, layout · calls";
/// The row of the chosen curve and of the calls.
const FIRST_ROW: f32 = 26.0;
/// The row of another curve.
const ROW: f32 = 17.0;
/// What the button that chooses curves takes before the first row.
pub(super) const BUTTON: f32 = 26.0;

/// How high the legend is, of so many curves beside the chosen one, in a timeline of this height: rows that
/// would leave the curves no room are left out, and counted in the last.
pub(super) fn height(beside: usize, area: f32) -> f32 {
    FIRST_ROW + rows(beside, area) as f32 * ROW
}

fn rows(beside: usize, area: f32) -> usize {
    let room = ((area * 0.28) / ROW).floor().max(1.0) as usize;
    beside.min(room)
}

/// Draws the legend: the curves at the left with their values at a step, the calls there are at the right.
pub(super) fn legend_ui(ui: &Ui, timeline: &Timeline<'_>, step: u32, rect: Rect, area: f32) {
    let first = rect.with_max_y(rect.top() + FIRST_ROW);
    let left =
        if timeline.is_without_truth { first.left() } else { chosen_ui(ui, timeline, step, first) };
    calls_ui(ui, timeline, first, left);
    let rows = rows(timeline.beside.len(), area);
    for (at, curve) in timeline.beside.iter().take(rows).enumerate() {
        let top = first.bottom() - 3.0 + at as f32 * ROW;
        let row = rect.with_min_y(top).with_max_y(top + ROW);
        let hidden = timeline.beside.len() - rows;
        // The last row stands for those that have none.
        let more = if at + 1 == rows && hidden > 0 {
            format!(" · and {hidden} more")
        } else {
            String::new()
        };
        beside_ui(ui, curve, Ink::of(ui, at), step, row, &more);
    }
}

fn calls_ui(ui: &Ui, timeline: &Timeline<'_>, rect: Rect, left: f32) {
    let y = rect.center().y;
    let style = (Type::Caption, tokens(ui).dim);
    // Only the kinds that the run has: all eight would not fit.
    let categories: BTreeSet<ToolCategory> =
        timeline.steps.iter().filter_map(|step| step.category).collect();
    let mut x = rect.right();
    for category in ToolCategory::ALL.into_iter().rev().filter(|it| categories.contains(it)) {
        x = entry_ui(ui, pos2(x, y), category.label(), category_color(category)) - 12.0;
        // Entries are left out from the left, where the value of the step must stay.
        if x < left + 80.0 {
            return;
        }
    }
    let has_reference = timeline.steps.iter().any(|step| step.is_reference == Some(true));
    if has_reference && x > left + 160.0 {
        x = entry_ui(ui, pos2(x, y), "reference tool", tokens(ui).gain) - 12.0;
    }
    if categories.is_empty() {
        return;
    }
    let words = if timeline.has_experts() { LANES } else { "calls" };
    let width = text_width(ui, words, Type::Caption) + 2.0;
    if x - width > left + 12.0 {
        paint_text(ui.painter(), pos2(x, y), Align2::RIGHT_CENTER, words, style, width);
    }
}

/// The chosen curve and its value at the step; gives where that ends.
fn chosen_ui(ui: &Ui, timeline: &Timeline<'_>, step: u32, rect: Rect) -> f32 {
    let tokens = tokens(ui);
    let (y, left) = (rect.center().y, rect.left() + BUTTON);
    let line = [pos2(left, y), pos2(left + 10.0, y)];
    ui.painter().line_segment(line, Stroke::new(2.0, tokens.accent));
    let score = timeline.steps.get(step as usize).and_then(|step| step.score);
    let is_waiting = timeline.why_not_scored.is_none();
    let mut words = value_words(variant_words(timeline), score, is_waiting);
    // Beside others its sentence stands here too; alone, above the timeline.
    let end = timeline.end().filter(|_| !timeline.beside.is_empty());
    words.extend(end.map(|end| format!(" · {}", end_words(&end))));
    let at = pos2(left + 16.0, y);
    let style = (Type::Caption, tokens.dim);
    let painted = paint_numbers(ui.painter(), at, Align2::LEFT_CENTER, &words, style);
    if !timeline.beside.is_empty() {
        say(ui, "timeline_chosen_curve", painted, &words);
    }
    painted.right()
}

fn beside_ui(ui: &Ui, curve: &CurveBeside<'_>, ink: Ink, step: u32, rect: Rect, more: &str) {
    let (y, left) = (rect.center().y, rect.left() + BUTTON);
    ink.line_ui(ui, vec![pos2(left, y), pos2(left + 10.0, y)]);
    let score = curve.scores.get(step as usize).and_then(Option::as_ref);
    let mut words = value_words(curve.variant.label, score, true);
    words.extend(curve.end.map(|end| format!(" · {}", end_words(&end))));
    words.push_str(more);
    let style = (Type::Caption, tokens(ui).dim);
    let at = pos2(left + 16.0, y);
    let painted = paint_numbers(ui.painter(), at, Align2::LEFT_CENTER, &words, style);
    say(ui, ("timeline_curve_beside", &*curve.variant.id), painted, &words);
}

/// What a curve is at a step.
pub(super) fn value_words(label: &str, score: Option<&Score>, is_waiting: bool) -> String {
    match score {
        Some(Score::Value(value)) => format!("{label} {}", score_words(*value)),
        Some(Score::Missing(why)) => format!("{label}: {why}"),
        None if is_waiting => format!("{label} …"),
        None => format!("{label} –"),
    }
}

/// How a curve went, in a sentence without its first letter.
pub(super) fn end_words(end: &CurveEnd) -> String {
    if end.fallen <= 0.0 {
        return format!("ended at its best, {}", score_words(end.end.1));
    }
    let (step, peak) = end.peak;
    // Of a metric where less is better the peak is the lowest value.
    let side = if peak > end.end.1 { "lower" } else { "higher" };
    format!(
        "peaked at step {step} ({}), ended {} {side}",
        score_words(peak),
        score_words(end.fallen)
    )
}

/// One entry, from its right end; gives where it begins.
fn entry_ui(ui: &Ui, right: egui::Pos2, words: &str, color: Color32) -> f32 {
    let tokens = tokens(ui);
    let width = text_width(ui, words, Type::Caption);
    let style = (Type::Caption, tokens.dim);
    paint_text(ui.painter(), right, Align2::RIGHT_CENTER, words, style, width + 2.0);
    let swatch = Rect::from_center_size(pos2(right.x - width - 11.0, right.y), vec2(8.0, 8.0));
    ui.painter().rect_filled(swatch, 2, color);
    swatch.left()
}
