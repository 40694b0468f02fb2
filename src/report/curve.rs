//! The score over the steps, as inline SVG.

use std::fmt::Write as _;

use super::followed::{Followed, value_words};
use super::gather::RunReport;

const WIDTH: f64 = 880.0;
const HEIGHT: f64 = 168.0;
/// Room for the numbers on the left, and for the step numbers below.
const LEFT: f64 = 40.0;
const BOTTOM: f64 = 22.0;
const TOP: f64 = 12.0;
const RIGHT: f64 = 14.0;
/// Distances of grid lines, from the finest.
const GRID_STEPS: [f64; 12] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0];
/// Most grid lines.
const GRID_LINES: f64 = 5.0;
/// Points up to which each gets a dot of its own.
const DOTTED: usize = 80;

/// The curve of a variant over a run; empty if no step has a score.
pub(super) fn curve(report: &RunReport, followed: &Followed) -> String {
    let points: Vec<(usize, f64)> = followed
        .scores
        .iter()
        .enumerate()
        .filter_map(|(step, score)| Some((step, score.value()?)))
        .collect();
    let Some(scale) = Scale::fitting(&points, followed.scores.len()) else { return String::new() };
    let mut svg = format!(
        "<svg class=\"curve\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{} after each step\">",
        super::html::escape(followed.variant.label)
    );
    svg += &grid(&scale);
    svg += &turn_borders(report, &scale);
    svg += &lines(&points, &scale);
    svg += &dots(report, &points, &scale);
    svg += &peak(followed, &scale);
    svg + "</svg>"
}

/// From steps and scores to the drawing.
struct Scale {
    low: f64,
    high: f64,
    grid: f64,
    last_step: usize,
}

impl Scale {
    /// A scale that shows all points between grid lines; `None` of no points.
    fn fitting(points: &[(usize, f64)], steps: usize) -> Option<Self> {
        let values: Vec<f64> = points.iter().map(|(_, value)| *value).collect();
        let min = values.iter().copied().reduce(f64::min)?;
        let max = values.iter().copied().reduce(f64::max)?;
        // The finest round distance that needs no more lines than are readable; of scores without a
        // bound none of them may do.
        let fitting = GRID_STEPS.iter().find(|step| (max - min) / **step <= GRID_LINES - 1.0);
        let grid = fitting.copied().unwrap_or((max - min) / 4.0);
        // Whole lines above and below; a curve that never changes still gets a height.
        let low = (min / grid).floor() * grid;
        let high = ((max / grid).ceil() * grid).max(low + grid);
        Some(Self { low, high, grid, last_step: steps.saturating_sub(1).max(1) })
    }

    fn x(&self, step: f64) -> f64 {
        LEFT + step / self.last_step as f64 * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - (value - self.low) / (self.high - self.low) * (HEIGHT - TOP - BOTTOM)
    }
}

fn grid(scale: &Scale) -> String {
    let mut svg = String::new();
    let lines = ((scale.high - scale.low) / scale.grid).round() as usize;
    for line in 0..=lines {
        let value = scale.low + line as f64 * scale.grid;
        let y = scale.y(value);
        // Writing to a String cannot fail, here and below.
        write!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{value:.2}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            y + 3.5,
        )
        .ok();
    }
    for (step, anchor) in [(0, "start"), (scale.last_step, "end")] {
        write!(
            svg,
            "<text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
            scale.x(step as f64),
            HEIGHT - 5.0,
            if step == 0 { "start".to_owned() } else { format!("step {step}") },
        )
        .ok();
    }
    svg
}

/// Thin lines where a turn begins, but before the first.
fn turn_borders(report: &RunReport, scale: &Scale) -> String {
    let turns = report.run.turns.iter().filter(|turn| turn.step_count > 0).skip(1);
    turns.fold(String::new(), |mut svg, turn| {
        // Between the last step of one turn and the first of the next.
        let x = scale.x(turn.first_step as f64 + 0.5);
        let bottom = HEIGHT - BOTTOM;
        write!(
            svg,
            "<line class=\"turn\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{bottom}\"/>"
        )
        .ok();
        svg
    })
}

fn lines(points: &[(usize, f64)], scale: &Scale) -> String {
    let mut path = String::new();
    for (index, (step, value)) in points.iter().enumerate() {
        let command = if index == 0 { 'M' } else { 'L' };
        write!(path, "{command}{:.1} {:.1}", scale.x(*step as f64), scale.y(*value)).ok();
    }
    let ends = points.first().zip(points.last());
    let area = ends.map_or_else(String::new, |((first, _), (last, _))| {
        let floor = HEIGHT - BOTTOM;
        let (from, to) = (scale.x(*first as f64), scale.x(*last as f64));
        format!("<path class=\"area\" d=\"{path}L{to:.1} {floor}L{from:.1} {floor}Z\"/>")
    });
    format!("{area}<path class=\"line\" d=\"{path}\"/>")
}

/// A dot a step, with what happened as its tooltip; in long runs only at failed calls.
fn dots(report: &RunReport, points: &[(usize, f64)], scale: &Scale) -> String {
    points.iter().fold(String::new(), |mut svg, (step, value)| {
        let taken = step.checked_sub(1).and_then(|at| report.run.steps.get(at));
        let failed = taken.is_some_and(super::steps::failed);
        // A failed call has its dot in the longest run; all others would melt into a line.
        if failed || points.len() <= DOTTED {
            let name = taken.and_then(|step| step.call.as_ref()).map_or("", |call| &call.name);
            write!(
                svg,
                "<circle class=\"{}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{}\"><title>step {step} {} {value:.4}</title></circle>",
                if failed { "dot failed" } else { "dot" },
                scale.x(*step as f64),
                scale.y(*value),
                if failed { 3.5 } else { 2.2 },
                super::html::escape(name),
            )
            .ok();
        }
        svg
    })
}

/// A ring around the best step.
fn peak(followed: &Followed, scale: &Scale) -> String {
    followed.best().map_or_else(String::new, |(step, value)| {
        // What is infinite lies above all lines: it is marked at the highest.
        let (x, y) = (scale.x(step as f64), scale.y(value.min(scale.high)));
        let words =
            if value.is_finite() { format!("{value:.4}") } else { value_words(value) };
        format!(
            "<circle class=\"peak\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"><title>best: step {step}, {words}</title></circle>"
        )
    })
}

/// A small curve without axes, for tables.
pub(super) fn sparkline(followed: &Followed) -> String {
    const W: f64 = 96.0;
    const H: f64 = 20.0;
    let values: Vec<f64> = followed.scores.iter().filter_map(crate::metric::Score::value).collect();
    let (Some(min), Some(max)) =
        (values.iter().copied().reduce(f64::min), values.iter().copied().reduce(f64::max))
    else {
        return String::new();
    };
    // Never 0: of one value and of values that are all alike the line is flat.
    let (last, range) = ((values.len() - 1).max(1) as f64, (max - min).max(1e-9));
    let points: Vec<String> = values
        .iter()
        .enumerate()
        .map(|(at, value)| {
            let (x, y) =
                (1.0 + at as f64 / last * (W - 2.0), H - 2.0 - (value - min) / range * (H - 4.0));
            format!("{x:.1},{y:.1}")
        })
        .collect();
    format!(
        "<svg class=\"spark\" viewBox=\"0 0 {W} {H}\" aria-hidden=\"true\"><polyline points=\"{}\"/></svg>",
        points.join(" ")
    )
}
