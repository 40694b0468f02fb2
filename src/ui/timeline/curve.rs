//! The score along the steps.

use egui::{Align2, Color32, Id, Pos2, Rect, Stroke, TextStyle, Ui, Vec2, pos2, vec2};

use super::axis::TimelineAxis;
use crate::metric::Score;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{paint_text, say_picture, score_words, text_width};
use crate::workbench::views::{CurveBeside, Timeline};

/// Less than this range of values is stretched no further.
const SMALLEST_RANGE: f64 = 0.08;

/// What a value of the grid takes across.
pub(super) const LABEL_WIDTH: f32 = 40.0;

/// The values an axis covers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    low: f64,
    high: f64,
}

/// Draws the curve with its grid and its peak.
pub(super) fn curve_ui(ui: &Ui, timeline: &Timeline<'_>, axis: &TimelineAxis, rect: Rect) {
    // Without a single value there is no axis to draw; the reason stands in its place.
    let Some(range) = range(timeline) else {
        empty_ui(ui, timeline, rect);
        return;
    };
    let peak = Peak::of(ui, timeline, axis, range, rect);
    grid_ui(ui, range, rect);
    let tokens = tokens(ui);
    let value = |step| value(timeline, step);
    for piece in pieces(timeline.steps.len(), value, axis, range, rect) {
        // A line of one point would not be seen, and it may be the only score there is so far.
        if let [alone] = piece.as_slice() {
            ui.painter().circle_filled(*alone, 2.0, tokens.accent);
        } else {
            ui.painter().line(piece, Stroke::new(1.8, tokens.accent));
        }
    }
    for (at, curve) in timeline.beside.iter().enumerate() {
        beside_ui(ui, curve, CurveStroke::of(ui, at), axis, rect);
    }
    // The run with other calls over it, by how many calls were made: thinner, in the colour of what is extra.
    for piece in branch_pieces(timeline.branch, axis, range, rect) {
        ui.painter().line(piece, Stroke::new(1.4, tokens.extra));
    }
    if let Some(peak) = peak {
        peak.peak_ui(ui);
    }
    let others = timeline.beside.iter().map(|curve| curve.variant.label).collect::<Vec<_>>();
    let others = if others.is_empty() {
        String::new()
    } else {
        format!(", beside it {}", others.join(", "))
    };
    let name = format!("{} after each step{others}", variant_words(timeline));
    say_picture(ui, Id::unique("timeline_curve"), rect, &name);
}

/// How a curve beside the chosen one is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct CurveStroke {
    color: Color32,
    /// Lengths of dash and gap; `None`: an unbroken line.
    dash: Option<(f32, f32)>,
}

impl CurveStroke {
    /// That of a curve by its place: four colours unbroken, then the same four dashed, then dotted, and so on.
    pub(super) fn of(ui: &Ui, at: usize) -> Self {
        let series = tokens(ui).series;
        let dash = match at / series.len() % 3 {
            0 => None,
            1 => Some((6.0, 4.0)),
            _ => Some((1.5, 3.0)),
        };
        Self { color: series[at % series.len()], dash }
    }

    /// Draws a line of it.
    pub(super) fn line_ui(self, ui: &Ui, line: Vec<Pos2>) {
        let stroke = Stroke::new(1.4, self.color);
        if let Some((dash, gap)) = self.dash {
            ui.painter().extend(egui::Shape::dashed_line(&line, stroke, dash, gap));
        } else {
            ui.painter().line(line, stroke);
        }
    }
}

/// A curve on a scale of its own, as metrics are of many units: from its lowest value to its highest.
fn beside_ui(ui: &Ui, curve: &CurveBeside<'_>, ink: CurveStroke, axis: &TimelineAxis, rect: Rect) {
    let value = |step: usize| curve.scores.get(step)?.as_ref()?.value();
    let values = (0..curve.scores.len()).filter_map(value);
    let largest = curve.variant.range.0.abs().max(curve.variant.range.1.abs());
    // As for the chosen one: what hardly moves is not stretched to look as if it did.
    let smallest = if largest.is_finite() { SMALLEST_RANGE * largest } else { 1e-9 };
    let Some(range) = Range::over(values, smallest) else { return };
    for piece in pieces(curve.scores.len(), value, axis, range, rect) {
        if let [alone] = piece.as_slice() {
            ui.painter().circle_filled(*alone, 2.0, ink.color);
        } else {
            ink.line_ui(ui, piece);
        }
    }
}

/// The name of the variant whose curve is shown.
pub(super) fn variant_words(timeline: &Timeline<'_>) -> &'static str {
    timeline.variant.map_or("Score", |variant| variant.label)
}

fn value(timeline: &Timeline<'_>, step: usize) -> Option<f64> {
    timeline.steps.get(step)?.score.and_then(Score::value)
}

fn range(timeline: &Timeline<'_>) -> Option<Range> {
    let of_branch = timeline.branch.into_iter().flatten().filter_map(Score::value);
    let of_run = (0..timeline.steps.len()).filter_map(|step| value(timeline, step));
    Range::over(of_run.chain(of_branch), SMALLEST_RANGE)
}

impl Range {
    /// From the lowest to the highest of some values, and no narrower than this.
    fn over(values: impl Iterator<Item = f64>, smallest: f64) -> Option<Self> {
        let mut range: Option<(f64, f64)> = None;
        for value in values {
            let (low, high) = range.unwrap_or((value, value));
            range = Some((low.min(value), high.max(value)));
        }
        let (low, high) = range?;
        let missing = (smallest - (high - low)).max(0.0) * 0.5;
        Some(Self { low: low - missing, high: high + missing })
    }

    fn y_of(self, value: f64, rect: Rect) -> f32 {
        let share = (value - self.low) / (self.high - self.low).max(1e-9);
        let inner = Rect::from_min_max(rect.min + vec2(0.0, 16.0), rect.max - vec2(0.0, 6.0));
        inner.bottom() - share as f32 * inner.height()
    }
}

/// Lines with round values, which stand beside the curve: three to six, or fewer where they would run into each other.
fn grid_ui(ui: &Ui, range: Range, rect: Rect) {
    let tokens = tokens(ui);
    let parts = ((rect.height() - 22.0) / 10.5).floor().clamp(1.0, 5.0);
    let step = round_step((range.high - range.low) / f64::from(parts));
    let mut value = (range.low / step).ceil() * step;
    // A step is at least a fifth of the range, so there are six at most; the count ends it whatever floats do.
    for _ in 0..8 {
        if value > range.high {
            break;
        }
        // In the middle of a pixel, where a hairline is one pixel and not two half ones.
        let y = range.y_of(value, rect).round() + 0.5;
        let lines = rect.left()..=(rect.right() - LABEL_WIDTH).max(rect.left());
        ui.painter().hline(lines, y, Stroke::new(1.0, tokens.grid));
        let digits = grid_digits(step);
        let words = format!("{value:.digits$}");
        let style = (Type::Caption, tokens.dim);
        let at = pos2(rect.right(), y);
        paint_text(ui.painter(), at, Align2::RIGHT_CENTER, &words, style, LABEL_WIDTH);
        value += step;
    }
}

/// As many decimals as tell the lines apart.
fn grid_digits(step: f64) -> usize {
    match step {
        step if step < 0.01 => 3,
        step if step < 1.0 => 2,
        step if step < 5.0 => 1,
        _ => 0,
    }
}

/// The next larger of 1, 2 or 5 times a power of ten.
fn round_step(wanted: f64) -> f64 {
    let power = 10f64.powf(wanted.max(1e-6).log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|step| *step >= wanted)
        .unwrap_or(power)
}

/// The line in unbroken pieces, at most two points a point of width.
fn pieces(
    count: usize,
    value: impl Fn(usize) -> Option<f64>,
    axis: &TimelineAxis,
    range: Range,
    rect: Rect,
) -> Vec<Vec<Pos2>> {
    // A run of 10,000 steps has many in a point; drawing each would take long and show nothing
    // more.
    let stride = (0.5 / axis.column.max(1e-4)).ceil().max(1.0) as usize;
    let mut pieces: Vec<Vec<Pos2>> = vec![Vec::new()];
    for first in (0..count).step_by(stride) {
        let known: Vec<(usize, f64)> = (first..(first + stride).min(count))
            .filter_map(|step| Some((step, value(step)?)))
            .collect();
        // A stretch without a value breaks the line: joined over it, it would claim scores that
        // nobody measured.
        if known.is_empty() {
            pieces.push(Vec::new());
        }
        let points = extremes(&known).into_iter().map(|(step, value)| {
            pos2(axis.x_of(u32::try_from(step).unwrap_or(u32::MAX)), range.y_of(value, rect))
        });
        if let Some(piece) = pieces.last_mut() {
            piece.extend(points);
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// The line of the run with other calls, in unbroken pieces; what lies beyond the last step is not drawn.
fn branch_pieces(
    branch: Option<&[Score]>,
    axis: &TimelineAxis,
    range: Range,
    rect: Rect,
) -> Vec<Vec<Pos2>> {
    let mut pieces: Vec<Vec<Pos2>> = vec![Vec::new()];
    for (made, score) in (0..).zip(branch.into_iter().flatten()) {
        let x = axis.x_of(made);
        match score.value().filter(|_| x <= rect.right()) {
            Some(value) => {
                if let Some(piece) = pieces.last_mut() {
                    piece.push(pos2(x, range.y_of(value, rect)));
                }
            }
            None => pieces.push(Vec::new()),
        }
    }
    pieces.retain(|piece| piece.len() > 1);
    pieces
}

/// The lowest and the highest of neighbouring values in their order, so that no peak is lost.
fn extremes(known: &[(usize, f64)]) -> Vec<(usize, f64)> {
    let low = known.iter().min_by(|a, b| a.1.total_cmp(&b.1));
    let high = known.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    match (low, high) {
        (Some(low), Some(high)) if low.0 == high.0 => vec![*low],
        (Some(low), Some(high)) if low.0 < high.0 => vec![*low, *high],
        (Some(low), Some(high)) => vec![*high, *low],
        _ => Vec::new(),
    }
}

/// The best value, where it is not the selected one.
struct Peak {
    at: Pos2,
    words: String,
    /// Above the dot, and within the curve's room also at its ends.
    words_rect: Rect,
}

impl Peak {
    fn of(
        ui: &Ui,
        timeline: &Timeline<'_>,
        axis: &TimelineAxis,
        range: Range,
        rect: Rect,
    ) -> Option<Self> {
        // The selected step has a dot of its own.
        let (step, value) = timeline.best.filter(|(step, _)| *step != timeline.current)?;
        // What is infinite lies above all others: it is marked at the highest.
        let at = pos2(axis.x_of(step), range.y_of(value.min(range.high), rect));
        let words = score_words(value);
        let size = words_size(ui, &words);
        let last = (rect.right() - LABEL_WIDTH - size.x).max(rect.left());
        let mut left = at.x - size.x * 0.5;
        // Beside the line of the selected step, not under it.
        let line = axis.x_of(timeline.current);
        if (left - 3.0..=left + size.x + 3.0).contains(&line) {
            left = if line < at.x { line + 4.0 } else { line - 4.0 - size.x };
        }
        let left = left.clamp(rect.left(), last);
        let words_rect = Rect::from_min_size(pos2(left, at.y - 5.0 - size.y), size);
        Some(Self { at, words, words_rect })
    }

    fn peak_ui(&self, ui: &Ui) {
        let tokens = tokens(ui);
        ui.painter().circle(self.at, 3.5, tokens.panel, Stroke::new(1.5, tokens.accent));
        let at = self.words_rect.left_bottom();
        let style = (Type::Caption, tokens.dim);
        paint_text(ui.painter(), at, Align2::LEFT_BOTTOM, &self.words, style, f32::INFINITY);
    }
}

fn words_size(ui: &Ui, words: &str) -> Vec2 {
    vec2(text_width(ui, words, Type::Caption).ceil(), ui.text_style_height(&TextStyle::Small))
}

/// The dot at the selected step.
pub(super) fn current_ui(ui: &Ui, timeline: &Timeline<'_>, axis: &TimelineAxis, rect: Rect) {
    let tokens = tokens(ui);
    let Some(range) = range(timeline) else { return };
    let Some(value) = value(timeline, timeline.current as usize) else { return };
    let at = pos2(axis.x_of(timeline.current), range.y_of(value, rect));
    ui.painter().circle(at, 4.5, tokens.accent, Stroke::new(2.0, tokens.panel));
}

/// What stands in the place of a curve that has no value.
fn empty_ui(ui: &Ui, timeline: &Timeline<'_>, rect: Rect) {
    let tokens = tokens(ui);
    let why = timeline.steps.iter().find_map(|step| match step.score {
        Some(Score::Missing(why)) => Some(format!("No scores: {why}")),
        _ => None,
    });
    let never = timeline.why_not_scored.map(|why| format!("No scores: {why}"));
    let words = why.or(never).unwrap_or_else(|| "Not scored yet".to_owned());
    let style = (Type::Caption, tokens.dim);
    paint_text(ui.painter(), rect.center(), Align2::CENTER_CENTER, &words, style, rect.width());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extremes_of_neighbours_stay_in_order() {
        assert_eq!(extremes(&[(3, 0.5), (4, 0.9), (5, 0.1)]), [(4, 0.9), (5, 0.1)]);
        assert_eq!(extremes(&[(3, 0.5)]), [(3, 0.5)]);
        assert!(extremes(&[]).is_empty());
    }

    #[test]
    fn grid_lines_stand_at_round_values() {
        assert!((round_step(0.03) - 0.05).abs() < 1e-12);
        assert!((round_step(0.11) - 0.2).abs() < 1e-12);
        assert!((round_step(0.6) - 1.0).abs() < 1e-12);
    }
}
