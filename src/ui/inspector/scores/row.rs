//! A variant of a metric with its values.

use egui::{Align2, Color32, Id, Pos2, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::metric::{Direction, MissingScore, Score, VariantSpec};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Tokens, Type, size, tokens};
use crate::ui::widgets::{
    ArrowList, metric_change_words, metric_words, paint_numbers, paint_text, rich_text,
};
use crate::workbench::views::{HOW_TO_ASK, ScoreRow};
use crate::workbench::{Command, ScoresCommand};

/// Two lines: the metric, and what distinguishes the variant.
const HEIGHT: f32 = 40.0;
const UPPER: f32 = 12.0;
const LOWER: f32 = 28.0;
/// The columns from the right, each with how wide it is. A change is wider by its sign.
const COLUMNS: [(&str, f32); 4] = [("Last", 50.0), (START, 50.0), ("Δ", 62.0), ("Now", 50.0)];
/// The column that goes first where there is no room for the names; the row's tooltip has its value.
const START: &str = "Start";
/// How much room the variant needs beside all columns; the metric's name stands above them.
const NAMES: f32 = 72.0;

/// The columns that there is room for, from the right; the others have no width.
fn columns(rect: Rect) -> [(&'static str, f32); 4] {
    let all: f32 = COLUMNS.iter().map(|(_, width)| width).sum();
    // By the room that is left for names, not by a width of the panel: the columns may change.
    let is_narrow = rect.width() - 2.0 * size::GUTTER - all < NAMES;
    COLUMNS.map(|(words, width)| (words, if is_narrow && words == START { 0.0 } else { width }))
}

/// Where a column ends; `None`: it is not shown.
fn column_end(rect: Rect, column: usize) -> Option<f32> {
    let columns = columns(rect);
    let to_the_right: f32 = columns.iter().take(column).map(|(_, width)| width).sum();
    let is_shown = columns.get(column)?.1 > 0.0;
    is_shown.then_some(rect.right() - size::GUTTER - to_the_right)
}

/// Where the numbers begin.
fn numbers_start(rect: Rect) -> f32 {
    let all: f32 = columns(rect).iter().map(|(_, width)| width).sum();
    rect.right() - size::GUTTER - all
}

/// Draws the headings of the columns.
pub(super) fn heading_ui(ui: &mut Ui, last_step: u32) {
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), size::ROW), Sense::hover());
    let style = (Type::Caption, tokens(ui).dim);
    let middle = rect.center().y;
    let left = pos2(rect.left() + size::GUTTER, middle);
    paint_text(ui.painter(), left, Align2::LEFT_CENTER, "Metric", style, 80.0);
    for (column, (words, width)) in COLUMNS.into_iter().enumerate() {
        if let Some(end) = column_end(rect, column) {
            let at = pos2(end, middle);
            paint_text(ui.painter(), at, Align2::RIGHT_CENTER, words, style, width);
        }
    }
    response.on_hover_text(format!(
        "At this step, its change against the step before, at the start, and at the last step ({last_step})."
    ));
}

/// Draws a variant; a click shows its curve and its map. Gives where it lies.
pub(super) fn row_ui(ui: &mut Ui, cx: &ViewContext<'_>, row: &ScoreRow<'_>) -> Rect {
    // The id is the variant's, so that a row keeps its hover while others come and go above it.
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), HEIGHT));
    let response = ui.interact(rect, Id::unique(("score_row", &*row.variant.id)), Sense::CLICK);
    let words = spoken(row);
    response.widget_info(|| WidgetInfo::selected(Role::Row, true, row.is_curve, &words));
    let tokens = tokens(ui);
    ground_ui(ui, rect, row, &response, tokens);
    name_ui(ui, rect, row, tokens);
    match row.now {
        // Even if it has a start or a last value: what matters at this step is that there is none.
        Some(Score::Missing(why)) => {
            let at = pos2(numbers_start(rect) + 4.0, rect.top() + LOWER);
            let (room, style) = (rect.right() - size::GUTTER - at.x, (Type::Caption, tokens.dim));
            paint_text(ui.painter(), at, Align2::LEFT_CENTER, &why.to_string(), style, room);
        }
        _ => numbers_ui(ui, rect, row, tokens),
    }
    if response.clicked() {
        // The arrows go on from the row that was clicked.
        ArrowList::Scores.take_keyboard(ui);
        cx.send(Command::Scores(ScoresCommand::Choose(row.variant.id.clone())));
    }
    response.on_hover_ui(|ui| about_ui(ui, row));
    rect
}

fn ground_ui(ui: &Ui, rect: Rect, row: &ScoreRow<'_>, response: &Response, tokens: &Tokens) {
    let fill = if row.is_curve {
        tokens.accent_wash
    } else if response.hovered() {
        tokens.raised
    } else {
        return;
    };
    ui.painter().rect_filled(rect.shrink2(vec2(6.0, 0.0)), size::RADIUS_SMALL, fill);
}

/// The metric with the way that is better, the variant below it, and whether its map is on the
/// stage.
fn name_ui(ui: &Ui, rect: Rect, row: &ScoreRow<'_>, tokens: &Tokens) {
    let painter = ui.painter();
    let left = rect.left() + size::GUTTER;
    let room = numbers_start(rect) - left - 4.0;
    let name_room = rect.right() - size::GUTTER - left;
    let (upper, lower) = (rect.top() + UPPER, rect.top() + LOWER);
    let style = (Type::Body, tokens.text);
    let label = row.variant.label;
    let at = pos2(left, upper);
    let name = paint_text(painter, at, Align2::LEFT_CENTER, label, style, name_room - 14.0);
    let at = pos2(name.right() + 4.0, upper);
    let style = (Type::Caption, tokens.dim);
    let better = match row.variant.direction {
        Direction::HigherIsBetter => "↑",
        Direction::LowerIsBetter => "↓",
    };
    paint_text(painter, at, Align2::LEFT_CENTER, better, style, 12.0);
    // Before the second line, where the icon takes no room from the metric's name.
    let indent = if row.variant.map_range.is_some() {
        let ink = if row.is_heat { tokens.accent } else { tokens.faint };
        let style = (Type::IconSmall, ink);
        paint_text(painter, pos2(left, lower), Align2::LEFT_CENTER, icons::HEAT, style, 14.0);
        15.0
    } else {
        0.0
    };
    let at = pos2(left + indent, lower);
    let style = (Type::Caption, tokens.dim);
    paint_text(painter, at, Align2::LEFT_CENTER, &row.variant.variant_label, style, room - indent);
}

fn numbers_ui(ui: &Ui, rect: Rect, row: &ScoreRow<'_>, tokens: &Tokens) {
    // In the order of the columns, which are counted from the right.
    let ends: [Option<Pos2>; 4] =
        std::array::from_fn(|at| Some(pos2(column_end(rect, at)?, rect.top() + LOWER)));
    let [last, start, change, now] = ends;
    score_ui(ui, last, row, row.last, tokens.dim);
    score_ui(ui, start, row, row.start, tokens.dim);
    if let (Some(delta), Some(gain), Some(at)) = (row.delta, row.gain, change) {
        let style = (Type::Body, tokens.change(gain));
        paint_numbers(
            ui.painter(),
            at,
            Align2::RIGHT_CENTER,
            &metric_change_words(row.variant.range, delta),
            style,
        );
    }
    score_ui(ui, now, row, row.now, tokens.text);
}

/// A value; a dot while it is computed, a dash where there is none.
fn score_ui(ui: &Ui, at: Option<Pos2>, row: &ScoreRow<'_>, score: Option<&Score>, ink: Color32) {
    let Some(at) = at else { return };
    let (words, ink) = match score {
        Some(Score::Value(value)) => (metric_words(row.variant.range, *value), ink),
        Some(Score::Missing(_)) => ("–".to_owned(), tokens(ui).dim),
        None => ("·".to_owned(), tokens(ui).dim),
    };
    paint_numbers(ui.painter(), at, Align2::RIGHT_CENTER, &words, (Type::Body, ink));
}

/// What a screen reader says.
fn spoken(row: &ScoreRow<'_>) -> String {
    let variant = row.variant;
    let value = match row.now {
        Some(Score::Value(value)) => metric_words(variant.range, *value),
        Some(Score::Missing(why)) => format!("none, {why}"),
        None => "not scored yet".to_owned(),
    };
    let change = row
        .delta
        .map(|delta| format!(", {} to the step before", metric_change_words(variant.range, delta)));
    format!("{}, {}: {value}{}", variant.label, variant.variant_label, change.unwrap_or_default())
}

/// What the number is, and where it comes from.
fn about_ui(ui: &mut Ui, row: &ScoreRow<'_>) {
    let (tokens, variant) = (tokens(ui), row.variant);
    ui.set_max_width(300.0);
    let title = format!("{} · {}", variant.label, variant.variant_label);
    ui.label(rich_text(title, Type::Strong, tokens.text));
    let mut lines = Vec::new();
    if let Some(Score::Missing(why)) = row.now {
        lines.push((format!("There is none: {why}."), tokens.text));
        if *why == MissingScore::NotAsked {
            lines.push((HOW_TO_ASK.to_owned(), tokens.text));
        }
    }
    // Said here too, because a narrow panel leaves that column out.
    if let Some(Score::Value(start)) = row.start {
        lines.push((format!("At the start: {}.", metric_words(variant.range, *start)), tokens.dim));
    }
    lines.push((range_words(variant), tokens.dim));
    lines.push((variant.source.to_owned(), tokens.dim));
    lines.push((format!("{}, version {}", variant.id, variant.version), tokens.dim));
    lines.push((action_words(row).to_owned(), tokens.dim));
    for (words, ink) in lines {
        ui.add(egui::Label::new(rich_text(words, Type::Caption, ink)).wrap());
    }
}

fn range_words(variant: &VariantSpec) -> String {
    let better = match variant.direction {
        Direction::HigherIsBetter => "More",
        Direction::LowerIsBetter => "Less",
    };
    let [low, high] = [variant.range.0, variant.range.1].map(|bound| match bound {
        f64::INFINITY => "∞".to_owned(),
        f64::NEG_INFINITY => "−∞".to_owned(),
        bound => bound.to_string().replace('-', "−"),
    });
    format!("{better} is better, from {low} to {high}.")
}

fn action_words(row: &ScoreRow<'_>) -> &'static str {
    match (row.variant.map_range.is_some(), row.is_curve) {
        (true, false) => "Click to show its curve and its map.",
        (true, true) => "Its curve and its map are shown.",
        (false, false) => "Click to show its curve. It has no map.",
        (false, true) => "Its curve is shown. It has no map.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Registry;

    #[test]
    fn a_range_says_which_way_is_better_and_how_far_it_goes() {
        let spec = Registry::built_in().variants().next().unwrap().clone();
        assert_eq!(range_words(&spec), "More is better, from −1 to 1.");
        let distance = VariantSpec {
            direction: Direction::LowerIsBetter,
            range: (0.0, f64::INFINITY),
            ..spec
        };
        assert_eq!(range_words(&distance), "Less is better, from 0 to ∞.");
    }
}
