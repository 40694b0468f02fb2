//! What most figures look like: rows of stacked bars, a legend, an axis.

use super::drawing::{Anchor, Ink, VectorPicture};

/// Room for names at the left and for remarks at the right.
const LEFT: f64 = 190.0;
const RIGHT: f64 = 150.0;
/// All of it.
pub(super) const WIDTH: f64 = 720.0;
const ROW: f64 = 24.0;
const LEGEND: f64 = 24.0;
const AXIS: f64 = 22.0;
const HEADING: f64 = 24.0;
/// Letters of a name that fit.
const NAME: usize = 30;
/// Of them those of a model, where more is said to tell its rows apart.
const LEAST_OF_MODEL: usize = 10;

/// A row, or a heading above others.
pub(super) enum BarRow {
    /// Words above rows.
    Heading(String),
    /// A bar of parts, one a series.
    Bar {
        /// What it is of.
        name: String,
        /// How long each part is.
        parts: Vec<f64>,
        /// What stands at its right.
        remark: String,
        /// The runs that it is of, by their numbers in the library.
        runs: Vec<u32>,
    },
}

/// Rows of stacked bars along one axis.
pub(super) fn stacked(series: &[&str], rows: &[BarRow], axis: &str) -> VectorPicture {
    let longest = rows.iter().map(length).fold(0.0_f64, f64::max);
    // The axis ends at a round number that is not below the longest bar.
    let (top, ticks) = scale(longest);
    let heights: f64 = rows.iter().map(height).sum();
    let legend = legend_height(series);
    let mut drawing = VectorPicture::new(WIDTH, legend + heights + AXIS + 14.0);
    push_legend(&mut drawing, series);
    let room = WIDTH - LEFT - RIGHT;
    let x = |value: f64| LEFT + value / top * room;
    for (tick, words) in ticks.iter().zip(tick_words(&ticks)) {
        let line = vec![[x(*tick), legend], [x(*tick), legend + heights]];
        drawing.line(line, Ink::Grid, 1.0);
        let at = [x(*tick), legend + heights + 10.0];
        drawing.text(at, words, Anchor::Middle, Ink::Dim);
    }
    let below = [LEFT + room / 2.0, legend + heights + 26.0];
    drawing.text(below, axis, Anchor::Middle, Ink::Dim);
    let (mut y, mut heading) = (legend, None);
    for row in rows {
        match row {
            BarRow::Heading(words) => {
                heading = Some(words);
                drawing.text(
                    [0.0, y + HEADING / 2.0 + 2.0],
                    words.as_str(),
                    Anchor::Start,
                    Ink::Text,
                );
            }
            BarRow::Bar { name, parts, remark, runs } => {
                let middle = y + ROW / 2.0;
                drawing.text([LEFT - 10.0, middle], shortened_row(name), Anchor::End, Ink::Text);
                let mut from = 0.0;
                for (at, part) in parts.iter().enumerate().filter(|(_, part)| **part > 0.0) {
                    // What is hardly there is seen to be there.
                    let width = (x(from + part) - x(from)).max(0.5);
                    drawing.rect([x(from), y + 4.0, width, ROW - 8.0], Ink::Series(at));
                    from += part;
                }
                drawing.text([x(from) + 8.0, middle], remark.as_str(), Anchor::Start, Ink::Dim);
                let below = heading.map_or_else(String::new, |heading| format!("{heading} · "));
                let words = format!("{below}{name}: {remark}");
                drawing.mark([0.0, y, WIDTH, ROW], words, runs.clone());
            }
        }
        y += height(row);
    }
    drawing
}

fn height(row: &BarRow) -> f64 {
    match row {
        BarRow::Heading(_) => HEADING,
        BarRow::Bar { .. } => ROW,
    }
}

fn length(row: &BarRow) -> f64 {
    match row {
        BarRow::Heading(_) => 0.0,
        BarRow::Bar { parts, .. } => parts.iter().sum(),
    }
}

/// How much room the legend takes: as many lines as it needs.
pub(super) fn legend_height(series: &[&str]) -> f64 {
    let mut drawing = VectorPicture::new(WIDTH, 0.0);
    push_legend(&mut drawing, series)
}

/// Puts the names of the series above everything; gives where that ends.
pub(super) fn push_legend(drawing: &mut VectorPicture, series: &[&str]) -> f64 {
    let areas = legend_areas(series);
    for (at, (name, [x, top, _, height])) in series.iter().zip(&areas).enumerate() {
        let y = top + height / 2.0;
        drawing.rect([*x, y - 5.0, 10.0, 10.0], Ink::Series(at));
        drawing.text([x + 15.0, y], shortened_row(name), Anchor::Start, Ink::Text);
    }
    areas.last().map_or(0.0, |[_, top, ..]| top + LEGEND)
}

/// Where each series is in the legend: left, top, width, height.
pub(super) fn legend_areas(series: &[&str]) -> Vec<[f64; 4]> {
    let (mut x, mut top) = (0.0, 0.0);
    let areas = series.iter().map(|name| {
        let width = 22.0 + 6.4 * shortened_row(name).chars().count() as f64;
        if x > 0.0 && x + width > WIDTH {
            (x, top) = (0.0, top + 18.0);
        }
        let area = [x, top, width, 16.0];
        x += width + 8.0;
        area
    });
    areas.collect()
}

/// The end of an axis and where its lines stand: round numbers, at most six.
pub(super) fn scale(longest: f64) -> (f64, Vec<f64>) {
    if longest <= 0.0 || !longest.is_finite() {
        return (1.0, vec![0.0, 1.0]);
    }
    let step = longest / 5.0;
    let power = 10_f64.powf(step.log10().floor());
    let round = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
    let step = round.into_iter().find(|round| *round >= step * (1.0 - 1e-9)).unwrap_or(step);
    let lines = (longest / step - 1e-9).ceil().max(1.0);
    ((lines * step), (0..=lines as usize).map(|at| at as f64 * step).collect())
}

/// The most decimals that are written: what a number can tell apart.
const MOST_DECIMALS: f64 = 15.0;

/// So many decimals as tell numbers apart that are a step from each other.
pub(super) fn decimals_of(step: f64) -> usize {
    // A power of ten may come out a little below itself.
    let decimals = -(step.log10() + 1e-9).floor();
    decimals.clamp(0.0, MOST_DECIMALS) as usize
}

/// The number in so many decimals, without noughts at its end.
pub(super) fn to_decimals(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The words at the lines of an axis, which are a step from each other: no two are the same.
pub(super) fn tick_words(ticks: &[f64]) -> Vec<String> {
    let [first, second, ..] = ticks else {
        return ticks.iter().map(|tick| number(*tick)).collect();
    };
    let step = (second - first).abs();
    let words = ticks.iter().map(|tick| {
        // Steps do not always add up to nothing, and there is no nought below nought.
        let tick = if tick.abs() < step / 2.0 { 0.0 } else { *tick };
        to_decimals(tick, decimals_of(step))
    });
    words.collect()
}

/// A number of a figure, in three decimals.
pub(super) fn number(value: f64) -> String {
    to_decimals(value, 3)
}

/// The name of a row as it fits: of a long one the model is cut first, so that what tells it from the other rows of
/// its model stays.
pub(super) fn shortened_row(name: &str) -> String {
    let told_apart = name.find(" · ").filter(|_| name.chars().count() > NAME);
    let Some((model, rest)) = told_apart.and_then(|at| name.split_at_checked(at)) else {
        return shortened(name, NAME);
    };
    let rest = shortened(rest, NAME - model.chars().count().min(LEAST_OF_MODEL));
    shortened(model, NAME - rest.chars().count()) + &rest
}

/// The text, cut where it is longer.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}
