//! Plots of columns of a table over runs: two columns as dots, one as a distribution. The window shows the same, to be
//! clicked at; these are for files.

use super::bars::{decimals_of, legend_height, number, push_legend, tick_words, to_decimals};
use super::data::{Figure, count};
use super::drawing::{Anchor, Ink, VectorPicture};

/// Points across.
pub(super) const WIDTH: f64 = 620.0;
/// Points down, without the legend.
pub(super) const HEIGHT: f64 = 320.0;
/// Room for the words of the axis at the left, and for those below.
pub(super) const LEFT: f64 = 58.0;
pub(super) const BELOW: f64 = 42.0;
/// Half of a dot.
const DOT: f64 = 3.5;
/// Bins of a distribution.
const BINS: usize = 24;
/// The ids of the plots, beside those of the papers' figures.
pub const SCATTER: &str = "explore-scatter";
/// See [`SCATTER`].
pub const DISTRIBUTION: &str = "explore-distribution";

/// Runs in a plot that are told apart from the others, by their model or what else is chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlotSeries<T> {
    /// What they have in common.
    pub name: String,
    /// What is plotted of its runs.
    pub values: Vec<T>,
}

/// Runs as dots: the values of one column to the right, of another upwards. Those of `behind` are outside the filter.
///
/// # Errors
///
/// What is missing, in words.
pub fn scatter(
    [x, y]: [&str; 2],
    series: &[PlotSeries<[f64; 2]>],
    behind: &[[f64; 2]],
) -> Result<Figure, String> {
    let dots = series.iter().flat_map(|of| &of.values);
    let all: Vec<[f64; 2]> = dots.chain(behind).copied().collect();
    let shown = all.len() - behind.len();
    if shown == 0 {
        return Err("it needs runs with values in both columns".to_owned());
    }
    let axes = [0, 1].map(|axis| AxisRange::around(all.iter().map(|dot| dot[axis])));
    let names: Vec<&str> = series.iter().map(|of| of.name.as_str()).collect();
    let (mut drawing, frame) = framed(&names);
    push_axes(&mut drawing, frame, &axes, [x, y]);
    for dot in from_left(behind) {
        let [left, top] = place(frame, &axes, dot);
        drawing.rect([left - 1.5, top - 1.5, 3.0, 3.0], Ink::Grid);
    }
    let mut numbers = vec![["model", x, y].map(str::to_owned).to_vec()];
    for (at, of) in series.iter().enumerate() {
        for dot in from_left(&of.values) {
            let at_page = place(frame, &axes, dot);
            drawing.area(mark(at_page, at), Ink::Series(at));
            numbers.push(vec![of.name.clone(), dot[0].to_string(), dot[1].to_string()]);
        }
    }
    let mut remarks = vec![format!("{} with both values.", count(shown, "run"))];
    if !behind.is_empty() {
        remarks.push(format!("In grey: {} outside the filter.", count(behind.len(), "run")));
    }
    let title = "Runs by two columns";
    Ok(Figure { id: SCATTER, title, drawing, numbers, remarks })
}

/// Dots from left to right: the same runs make the same drawing, whatever a table is sorted by.
fn from_left(dots: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut dots = dots.to_vec();
    dots.sort_by(|a, b| a[0].total_cmp(&b[0]).then_with(|| a[1].total_cmp(&b[1])));
    dots
}

/// The shares of runs by a column, in bins of one width, a line a model.
///
/// # Errors
///
/// What is missing, in words.
pub fn distribution(column: &str, series: &[PlotSeries<f64>]) -> Result<Figure, String> {
    let values = series.iter().flat_map(|of| of.values.iter().copied());
    let [low, high] = values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
        [low.min(value), high.max(value)]
    });
    if low > high {
        return Err("it needs runs with a value in the column".to_owned());
    }
    // Equal values would make bins of no width.
    let width = ((high - low) / BINS as f64).max(1e-9);
    let shares: Vec<Vec<f64>> = series
        .iter()
        .map(|of| {
            let mut bins = vec![0.0; BINS];
            for value in &of.values {
                // Shares and not counts, as models have unequally many runs.
                let bin = (((value - low) / width) as usize).min(BINS - 1);
                bins[bin] += 100.0 / of.values.len() as f64;
            }
            bins
        })
        .collect();
    let tallest = shares.iter().flatten().copied().fold(0.0, f64::max);
    let axes = [
        AxisRange::around([low, low + width * BINS as f64]),
        AxisRange { low: 0.0, high: tallest.max(1.0) },
    ];
    let names: Vec<&str> = series.iter().map(|of| of.name.as_str()).collect();
    let (mut drawing, frame) = framed(&names);
    push_axes(&mut drawing, frame, &axes, [column, "share of runs, %"]);
    let mut numbers = vec![["model", "from", "to", "share"].map(str::to_owned).to_vec()];
    for (at, (of, bins)) in series.iter().zip(&shares).enumerate() {
        let points = bins.iter().enumerate();
        let points = points.map(|(bin, share)| {
            let middle = low + (bin as f64 + 0.5) * width;
            place(frame, &axes, [middle, *share])
        });
        drawing.line(points.collect(), Ink::Series(at), 1.6);
        for (bin, share) in bins.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            // Two digits more than tell the edges apart: a width is seldom round.
            let edges = [bin, bin + 1]
                .map(|edge| to_decimals(low + edge as f64 * width, decimals_of(width) + 2));
            let [from, to] = edges;
            numbers.push(vec![of.name.clone(), from, to, number(*share)]);
        }
    }
    let runs: usize = series.iter().map(|of| of.values.len()).sum();
    let remarks =
        vec![format!("{} with a value, in {BINS} bins of one width.", count(runs, "run"))];
    let title = "Distribution";
    Ok(Figure { id: DISTRIBUTION, title, drawing, numbers, remarks })
}

/// What an axis spans.
#[derive(Clone, Copy)]
pub(super) struct AxisRange {
    low: f64,
    high: f64,
}

impl AxisRange {
    /// An axis with a little room beside the outermost values.
    pub(super) fn around(values: impl IntoIterator<Item = f64>) -> Self {
        let [low, high] =
            values.into_iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
                [low.min(value), high.max(value)]
            });
        // One value alone stands in the middle.
        let room = if high > low { (high - low) * 0.04 } else { low.abs().max(1.0) * 0.5 };
        Self { low: low - room, high: high + room }
    }

    fn share(self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    /// Round values on it, some five of them.
    fn ticks(self) -> Vec<f64> {
        let rough = (self.high - self.low) / 5.0;
        let power = 10_f64.powf(rough.log10().floor());
        let factors = [1.0, 2.0, 5.0, 10.0];
        let step = factors.map(|it| it * power).into_iter().find(|step| *step >= rough);
        let step = step.unwrap_or(rough);
        let first = (self.low / step).ceil();
        let ticks = (0..12).map(|at| (first + f64::from(at)) * step);
        ticks.take_while(|tick| *tick <= self.high).collect()
    }
}

/// An empty drawing with its legend, and the frame of the plot: left, top, width, height.
pub(super) fn framed(names: &[&str]) -> (VectorPicture, [f64; 4]) {
    let legend = legend_height(names);
    let mut drawing = VectorPicture::new(WIDTH, HEIGHT + legend);
    push_legend(&mut drawing, names);
    (drawing, [LEFT, legend + 8.0, WIDTH - LEFT - 8.0, HEIGHT - BELOW - 8.0])
}

pub(super) fn push_axes(
    drawing: &mut VectorPicture,
    [left, top, width, height]: [f64; 4],
    axes: &[AxisRange; 2],
    names: [&str; 2],
) {
    let bottom = top + height;
    let ticks = axes.map(AxisRange::ticks);
    for (tick, words) in ticks[0].iter().zip(tick_words(&ticks[0])) {
        let x = left + axes[0].share(*tick) * width;
        drawing.line(vec![[x, top], [x, bottom]], Ink::Grid, 0.5);
        drawing.text([x, bottom + 11.0], words, Anchor::Middle, Ink::Dim);
    }
    for (tick, words) in ticks[1].iter().zip(tick_words(&ticks[1])) {
        let y = bottom - axes[1].share(*tick) * height;
        drawing.line(vec![[left, y], [left + width, y]], Ink::Grid, 0.5);
        drawing.text([left - 6.0, y], words, Anchor::End, Ink::Dim);
    }
    // Text stands upright only: the name of the vertical axis is above it.
    drawing.text([left + width / 2.0, bottom + 28.0], names[0], Anchor::Middle, Ink::Text);
    drawing.text([left + 4.0, top + 8.0], names[1], Anchor::Start, Ink::Text);
}

pub(super) fn place(
    [left, top, width, height]: [f64; 4],
    axes: &[AxisRange; 2],
    [x, y]: [f64; 2],
) -> [f64; 2] {
    [left + axes[0].share(x) * width, top + height - axes[1].share(y) * height]
}

/// The form of a series, beside its colour: for print without colours, and for people who see fewer.
pub(super) fn mark([x, y]: [f64; 2], series: usize) -> Vec<[f64; 2]> {
    let corners: &[[f64; 2]] = match series {
        0 => &[
            [0.92, 0.38],
            [0.38, 0.92],
            [-0.38, 0.92],
            [-0.92, 0.38],
            [-0.92, -0.38],
            [-0.38, -0.92],
            [0.38, -0.92],
            [0.92, -0.38],
        ],
        1 => &[[0.0, -1.3], [1.3, 0.0], [0.0, 1.3], [-1.3, 0.0]],
        2 => &[[0.0, -1.2], [1.2, 1.0], [-1.2, 1.0]],
        3 => &[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]],
        _ => &[[0.0, 1.2], [1.2, -1.0], [-1.2, -1.0]],
    };
    corners.iter().map(|[dx, dy]| [x + dx * DOT, y + dy * DOT]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::figures::Shape;

    fn series<T: Clone>(name: &str, values: &[T]) -> PlotSeries<T> {
        PlotSeries { name: name.to_owned(), values: values.to_vec() }
    }

    #[test]
    fn a_scatter_has_a_mark_a_run_within_its_frame_and_says_how_many() {
        let of = [series("a", &[[1.0, 0.5], [9.0, 0.75]]), series("b", &[[4.0, 0.25]])];
        let figure = scatter(["Calls", "SSIM"], &of, &[[2.0, 0.5]]).unwrap();
        let marks = figure.drawing.shapes.iter().filter_map(|shape| match shape {
            Shape::Area { points, .. } => Some(points),
            _ => None,
        });
        let marks: Vec<_> = marks.collect();
        assert_eq!(marks.len(), 3);
        for [x, y] in marks.into_iter().flatten() {
            assert!((0.0..=figure.drawing.width).contains(x), "{x}");
            assert!((0.0..=figure.drawing.height).contains(y), "{y}");
        }
        assert_eq!(figure.numbers[1], ["a", "1", "0.5"]);
        assert_eq!(
            figure.remarks,
            ["3 runs with both values.", "In grey: 1 run outside the filter."]
        );
        assert!(scatter(["x", "y"], &[], &[[1.0, 1.0]]).is_err());
    }

    #[test]
    fn the_shares_of_a_distribution_sum_to_all_runs_even_where_all_are_equal() {
        let of = [series("a", &[0.5, 0.5, 0.9]), series("b", &[0.7])];
        let figure = distribution("SSIM", &of).unwrap();
        let share = |name: &str| -> f64 {
            let rows = figure.numbers.iter().filter(|row| row[0] == name);
            rows.map(|row| row[3].parse::<f64>().unwrap()).sum()
        };
        assert!((share("a") - 100.0).abs() < 0.1 && (share("b") - 100.0).abs() < 0.1);
        assert_eq!(distribution("SSIM", &[series("a", &[3.0, 3.0])]).unwrap().numbers.len(), 2);
        assert!(distribution("SSIM", &[]).is_err());
    }

    #[test]
    fn no_two_ticks_and_no_two_edges_of_bins_are_written_alike() {
        for (low, high) in [(0.9991, 0.9997), (0.0, 0.0012), (0.0, 100.0), (-0.5, 0.5), (3e6, 4e6)]
        {
            let words = tick_words(&AxisRange::around([low, high]).ticks());
            let mut apart = words.clone();
            apart.dedup();
            assert!(words.len() > 2 && apart == words, "{words:?}");
            assert!(words.iter().all(|word| word.len() < 9), "{words:?}");
            let figure = distribution("SSIM", &[series("a", &[low, high])]).unwrap();
            for row in &figure.numbers[1..] {
                assert_ne!(row[1], row[2], "{row:?}");
            }
            assert_eq!(figure.numbers[1][1].parse::<f64>().unwrap(), low);
        }
        assert_eq!(tick_words(&[0.999, 0.9995, 1.0]), ["0.999", "0.9995", "1"]);
        assert_eq!(tick_words(&[-20.0, 0.0, 20.0]), ["-20", "0", "20"]);
        assert_eq!(tick_words(&[0.5]), ["0.5"]);
    }

    #[test]
    fn ticks_are_round_and_within_the_axis() {
        assert_eq!(AxisRange { low: 0.0, high: 10.0 }.ticks(), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        let ticks = AxisRange::around([0.31, 0.87]).ticks();
        assert!((3..=8).contains(&ticks.len()), "{ticks:?}");
        assert_eq!(AxisRange::around([5.0]).ticks().len(), 5);
    }
}
