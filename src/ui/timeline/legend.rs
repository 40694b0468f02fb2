//! What the colours of the timeline mean.

use std::collections::BTreeSet;

use egui::{Align2, Color32, Rect, Stroke, Ui, pos2, vec2};

use super::curve::variant_words;
use crate::environment::ToolCategory;
use crate::metric::Score;
use crate::ui::theme::{Type, category_color, tokens};
use crate::ui::widgets::{paint_numbers, paint_text, score_words, text_width};
use crate::workbench::views::Timeline;

/// The lanes of the calls, from the top.
const LANES: &str = "lanes: photo, vector, layout · calls";

/// Draws the row: the curve at the left, the calls there are at the right.
pub(super) fn legend_ui(ui: &Ui, timeline: &Timeline<'_>, rect: Rect) {
    let left = if timeline.is_without_truth { rect.left() } else { curve_ui(ui, timeline, rect) };
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

/// The curve and its value at the step; gives where that ends.
fn curve_ui(ui: &Ui, timeline: &Timeline<'_>, rect: Rect) -> f32 {
    let tokens = tokens(ui);
    let y = rect.center().y;
    let line = [pos2(rect.left(), y), pos2(rect.left() + 10.0, y)];
    ui.painter().line_segment(line, Stroke::new(2.0, tokens.accent));
    let score = timeline.steps.get(timeline.current as usize).and_then(|step| step.score);
    let label = variant_words(timeline);
    let words = match score {
        Some(Score::Value(value)) => format!("{label} {}", score_words(*value)),
        Some(Score::Missing(why)) => format!("{label}: {why}"),
        None if timeline.why_not_scored.is_some() => format!("{label} –"),
        None => format!("{label} …"),
    };
    let at = pos2(rect.left() + 16.0, y);
    let style = (Type::Caption, tokens.dim);
    paint_numbers(ui.painter(), at, Align2::LEFT_CENTER, &words, style).right()
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
