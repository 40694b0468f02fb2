//! Rows with a dot and its interval, and rows of stacked bars, as inline SVG.

use std::fmt::Write as _;

use crate::report::html::{escape, shorten};

const WIDTH: f64 = 880.0;
/// Room for the names on the left and the numbers on the right.
const LEFT: f64 = 220.0;
const RIGHT: f64 = 250.0;
const ROW: f64 = 26.0;
/// Room for the axis.
const BOTTOM: f64 = 24.0;
/// Characters of a name or a remark that fit.
const NAME: usize = 34;
const REMARK: usize = 36;

/// A value with its interval, or why there is none.
pub(super) struct DotRow {
    /// What it is of.
    pub(super) name: String,
    /// The value, if there is one.
    pub(super) value: Option<f64>,
    /// From where to where it may be.
    pub(super) interval: Option<[f64; 2]>,
    /// What stands on the right: the numbers, or the reason.
    pub(super) remark: String,
}

/// What values are drawn along.
pub(super) struct ValueAxis {
    /// The ends.
    pub(super) range: [f64; 2],
    /// Where lines stand.
    pub(super) ticks: Vec<f64>,
    /// The line that says: no better than nothing.
    pub(super) zero: f64,
    /// Decimals of the ticks.
    pub(super) decimals: usize,
}

impl ValueAxis {
    /// Of shares: 0 to 1, with a line at `zero`.
    pub(super) fn of_shares(zero: f64) -> Self {
        Self { range: [0.0, 1.0], ticks: vec![0.0, 0.25, 0.5, 0.75, 1.0], zero, decimals: 2 }
    }

    /// Of coefficients of agreement: from what the rows need, but at most 0, to 1.
    pub(super) fn of_agreement(rows: &[DotRow]) -> Self {
        let low = least(rows).clamp(-1.0, 0.0);
        let low = (low / 0.2).floor() * 0.2;
        let steps = ((1.0 - low) / 0.2).round() as usize;
        let ticks = (0..=steps).map(|at| low + 0.2 * at as f64).collect();
        Self { range: [low, 1.0], ticks, zero: 0.0, decimals: 1 }
    }

    /// Of values of any size around 0.
    pub(super) fn around_zero(rows: &[DotRow]) -> Self {
        let far = rows
            .iter()
            .flat_map(|row| row.value.into_iter().chain(row.interval.into_iter().flatten()))
            .fold(0.1_f64, |far, value| far.max(value.abs()));
        Self { range: [-far, far], ticks: vec![-far, 0.0, far], zero: 0.0, decimals: 2 }
    }

    /// Of ranks: from 1 to what the rows need.
    pub(super) fn of_ranks(rows: &[DotRow]) -> Self {
        let last = rows
            .iter()
            .flat_map(|row| row.value.into_iter().chain(row.interval.into_iter().flatten()))
            .fold(2.0, f64::max)
            .ceil();
        let ticks = (1..=last as usize).map(|rank| rank as f64).collect();
        Self { range: [1.0, last], ticks, zero: 1.0, decimals: 0 }
    }

    fn x(&self, value: f64) -> f64 {
        let [low, high] = self.range;
        let share = (value.clamp(low, high) - low) / (high - low);
        LEFT + share * (WIDTH - LEFT - RIGHT)
    }
}

fn least(rows: &[DotRow]) -> f64 {
    rows.iter()
        .flat_map(|row| row.value.into_iter().chain(row.interval.into_iter().flatten()))
        .fold(0.0, f64::min)
}

/// A row a value: a dot with a line from end to end of its interval.
pub(super) fn dots(rows: &[DotRow], axis: &ValueAxis, label: &str) -> String {
    let height = ROW * rows.len() as f64 + BOTTOM;
    let floor = height - BOTTOM;
    let mut svg = opened(height, label);
    for tick in &axis.ticks {
        let x = axis.x(*tick);
        // Writing to a String cannot fail, here and below.
        write!(
            svg,
            "<line class=\"{}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"0\" y2=\"{floor:.1}\"/>\
             <text class=\"axis\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            // A tick is a multiple of a step and may miss zero by a rounding.
            if (*tick - axis.zero).abs() < 1e-9 { "grid zero" } else { "grid" },
            height - 7.0,
            tick_text(*tick, axis.decimals),
        )
        .ok();
    }
    for (at, row) in rows.iter().enumerate() {
        let y = ROW * (at as f64 + 0.5);
        svg += &row_texts(&row.name, &row.remark, y);
        if let Some([low, high]) = row.interval {
            let (low, high) = (axis.x(low), axis.x(high));
            write!(
                svg,
                "<line class=\"whisker\" x1=\"{low:.1}\" x2=\"{high:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>"
            )
            .ok();
        }
        if let Some(value) = row.value {
            write!(
                svg,
                "<circle class=\"dot\" cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\"/>",
                axis.x(value)
            )
            .ok();
        }
    }
    svg + "</svg>"
}

/// Counts of one thing, which together are all of it.
pub(super) struct BarRow {
    /// What it is of.
    pub(super) name: String,
    /// How many of each kind, in the order of the kinds.
    pub(super) counts: Vec<usize>,
    /// What stands on the right.
    pub(super) remark: String,
}

/// A row of each, as shares of its counts, with what the colours are.
pub(super) fn bars(rows: &[BarRow], kinds: &[(&str, &str)], label: &str) -> String {
    const KEY: f64 = 22.0;
    let height = KEY + ROW * rows.len() as f64 + 4.0;
    let mut svg = opened(height, label);
    let mut x = LEFT;
    for (class, name) in kinds {
        write!(
            svg,
            "<rect class=\"bar {class}\" x=\"{x:.1}\" y=\"4\" width=\"10\" height=\"10\" rx=\"2\"/>\
             <text class=\"axis\" x=\"{:.1}\" y=\"13\">{}</text>",
            x + 15.0,
            escape(name),
        )
        .ok();
        // Browsers measure letters, this text cannot: about their mean width.
        x += 30.0 + 6.5 * name.chars().count() as f64;
    }
    for (at, row) in rows.iter().enumerate() {
        let y = KEY + ROW * (at as f64 + 0.5);
        svg += &row_texts(&row.name, &row.remark, y);
        let all: usize = row.counts.iter().sum();
        let mut x = LEFT;
        for ((class, name), count) in kinds.iter().zip(&row.counts).filter(|(_, count)| **count > 0)
        {
            let width = *count as f64 / all as f64 * (WIDTH - LEFT - RIGHT);
            write!(
                svg,
                "<rect class=\"bar {class}\" x=\"{x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"16\" rx=\"2\">\
                 <title>{}: {count} of {all}</title></rect>",
                y - 8.0,
                // A gap of a point between neighbours, and something to see of the smallest.
                (width - 1.0).max(1.0),
                escape(name),
            )
            .ok();
            if width > 18.0 {
                write!(
                    svg,
                    "<text class=\"in {class}\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{count}</text>",
                    x + width / 2.0,
                    y + 4.0,
                )
                .ok();
            }
            x += width;
        }
    }
    svg + "</svg>"
}

fn opened(height: f64, label: &str) -> String {
    format!(
        "<svg class=\"rows\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">",
        escape(label)
    )
}

fn row_texts(name: &str, remark: &str, y: f64) -> String {
    let (short, remark_short) = (shorten(name, NAME), shorten(remark, REMARK));
    format!(
        "<text class=\"name\" x=\"{:.1}\" y=\"{y1:.1}\" text-anchor=\"end\">{}<title>{}</title></text>\
         <text class=\"remark\" x=\"{:.1}\" y=\"{y1:.1}\">{}<title>{}</title></text>",
        LEFT - 12.0,
        escape(&short),
        escape(name),
        WIDTH - RIGHT + 16.0,
        escape(&remark_short),
        escape(remark),
        y1 = y + 4.0,
    )
}

/// Without a minus before 0.
fn tick_text(tick: f64, decimals: usize) -> String {
    let text = format!("{tick:.decimals$}");
    let is_zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    if is_zero { text.replace('-', "") } else { text.replace('-', "−") }
}
