//! Scores by step: the mean over runs with its interval, a line a model; and one run, a panel a variant.

use std::collections::BTreeMap;

use super::bars::{legend_height, push_legend};
use super::data::{Figure, count};
use super::drawing::{Ink, VectorPicture};
use super::plots::{
    AxisRange, BELOW, HEIGHT, LEFT, PlotSeries, WIDTH, framed, mark, place, push_axes,
};
use crate::metric::Direction;
use crate::metric::stats::student_t_half_width;

/// The id of the mean curves, beside those of the papers' figures.
pub const MEAN_CURVES: &str = "explore-curves";
/// The id of the curves of one run.
pub const RUN_CURVES: &str = "run-curves";
/// Most steps of mean curves: of longer runs the first are drawn.
pub const MOST_STEPS: usize = 200;
/// Of the intervals.
const CONFIDENCE: f64 = 0.95;
/// Points down of each panel where there are several.
const PANEL: f64 = 190.0;
/// The colours of bars, by their places among those of series.
const BETTER: usize = 0;
const WORSE: usize = 1;

/// The mean score after a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanPoint {
    /// The step, 0 the start.
    pub step: usize,
    /// The mean over all runs.
    pub mean: f64,
    /// The lower end of its 95 % interval, by Student's t; the mean itself where there is one run.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The mean of curves after each step, as far as the longest goes. A run that has ended stays as it was: else the mean
/// would be of fewer and fewer.
pub fn mean_points(curves: &[Vec<f64>]) -> Vec<MeanPoint> {
    let longest = curves.iter().map(Vec::len).max().unwrap_or_default();
    let points = (0..longest).map(|step| {
        let values = curves.iter().filter_map(|curve| curve.get(step).or(curve.last()).copied());
        let values: Vec<f64> = values.collect();
        let runs = values.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / runs;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let error = (squares / (runs - 1.0).max(1.0) / runs).sqrt();
        let half = student_t_half_width(values.len().saturating_sub(1), CONFIDENCE);
        let half = half.map_or(0.0, |half| half * error);
        MeanPoint { step, mean, low: mean - half, high: mean + half }
    });
    points.collect()
}

/// The mean score by step with its interval, a line a model, over the curves of its runs.
///
/// # Errors
///
/// What is missing, in words.
pub fn mean_curves(series: &[PlotSeries<Vec<f64>>]) -> Result<Figure, String> {
    let means: Vec<Vec<MeanPoint>> = series.iter().map(|of| mean_points(&of.values)).collect();
    let longest = means.iter().map(Vec::len).max().unwrap_or_default();
    if longest < 2 {
        return Err("it needs runs that are scored after each of their steps".to_owned());
    }
    // From the lowest end of an interval to the highest, so that no band is cut off.
    let ends = means.iter().flatten().flat_map(|point| [point.low, point.high]);
    let axes = [AxisRange::around([0.0, (longest - 1) as f64]), AxisRange::around(ends)];
    let names: Vec<&str> = series.iter().map(|of| of.name.as_str()).collect();
    let (mut drawing, frame) = framed(&names);
    push_axes(&mut drawing, frame, &axes, ["step", "score"]);
    let head = ["model", "runs", "step", "mean", "low", "high"];
    let mut numbers = vec![head.map(str::to_owned).to_vec()];
    for (at, (of, points)) in series.iter().zip(&means).enumerate() {
        let on_page = |point: &MeanPoint, value| place(frame, &axes, [point.step as f64, value]);
        // There along the upper ends of the intervals, and back along the lower ones.
        let there = points.iter().map(|point| on_page(point, point.high));
        let back = points.iter().rev().map(|point| on_page(point, point.low));
        drawing.area(there.chain(back).collect(), Ink::Wash(at));
        let means = points.iter().map(|point| on_page(point, point.mean));
        drawing.line(means.collect(), Ink::Series(at), 1.8);
        for point in points {
            let values = [point.mean, point.low, point.high].map(|value| value.to_string());
            let head = [of.name.clone(), of.values.len().to_string(), point.step.to_string()];
            numbers.push(head.into_iter().chain(values).collect());
        }
    }
    let runs: usize = series.iter().map(|of| of.values.len()).sum();
    let remarks = vec![format!(
        "{} scored after each step. The mean with its 95 % interval by Student's t; a run that has ended stays as it was.",
        count(runs, "run")
    )];
    Ok(Figure { id: MEAN_CURVES, title: "Score by step", drawing, numbers, remarks })
}

/// The scores of a run by one variant.
#[derive(Clone, Debug, PartialEq)]
pub struct RunCurve {
    /// What the variant is called.
    pub label: String,
    /// Its id.
    pub variant: String,
    /// The score after each step, the start first; or why there is none.
    pub scores: Vec<Result<f64, String>>,
}

/// The scores of one run after each step: a panel a variant, as each has a unit of its own. `of` says which run it is.
/// Where the direction of the first variant is given, a last panel has a bar for what each step changed by it, up for
/// the better.
///
/// # Errors
///
/// What is missing, in words.
pub fn run_curves(
    of: &str,
    curves: &[RunCurve],
    changes: Option<Direction>,
) -> Result<Figure, String> {
    let (drawn, empty): (Vec<&RunCurve>, Vec<&RunCurve>) =
        curves.iter().partition(|curve| curve.scores.iter().any(Result::is_ok));
    let Some(steps) = drawn.iter().map(|curve| curve.scores.len()).max() else {
        let why =
            empty.iter().find_map(|curve| curve.scores.iter().find_map(|it| it.as_ref().err()));
        let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
        return Err(format!("no step of the run has a score{why}"));
    };
    let names: Vec<&str> = drawn.iter().map(|curve| curve.label.as_str()).collect();
    let legend = legend_height(&names);
    let panels = drawn.len() + usize::from(changes.is_some());
    let panel = if panels == 1 { HEIGHT } else { PANEL };
    let mut drawing = VectorPicture::new(WIDTH, legend + panel * panels as f64);
    push_legend(&mut drawing, &names);
    let across = AxisRange::around([0.0, (steps.max(2) - 1) as f64]);
    let mut numbers = vec![["variant", "step", "score"].map(str::to_owned).to_vec()];
    let mut remarks = vec![format!("{of}: {}.", count(steps.saturating_sub(1), "step"))];
    for (at, curve) in drawn.iter().enumerate() {
        let axes = [across, AxisRange::around(curve.scores.iter().flatten().copied())];
        let top = legend + at as f64 * panel + 8.0;
        let frame = [LEFT, top, WIDTH - LEFT - 8.0, panel - BELOW - 8.0];
        push_axes(&mut drawing, frame, &axes, ["step", &curve.variant]);
        for piece in pieces(curve) {
            let piece: Vec<[f64; 2]> =
                piece.into_iter().map(|point| place(frame, &axes, point)).collect();
            // A line of one point would not be seen.
            match piece.as_slice() {
                [alone] => drawing.area(mark(*alone, at), Ink::Series(at)),
                _ => drawing.line(piece, Ink::Series(at), 1.8),
            }
        }
        for (step, score) in curve.scores.iter().enumerate() {
            if let Ok(score) = score {
                numbers.push(vec![curve.variant.clone(), step.to_string(), score.to_string()]);
            }
        }
    }
    if let (Some(direction), Some(first)) = (changes, curves.first()) {
        let top = legend + drawn.len() as f64 * panel + 8.0;
        let frame = [LEFT, top, WIDTH - LEFT - 8.0, panel - BELOW - 8.0];
        push_changes(&mut drawing, frame, across, first, direction);
    }
    for curve in curves {
        remarks.extend(gaps(curve).map(|(why, gaps)| {
            format!("{}: {} without a score: {why}.", curve.variant, count(gaps, "step"))
        }));
    }
    Ok(Figure { id: RUN_CURVES, title: "Scores by step", drawing, numbers, remarks })
}

/// A bar for what each step changed, from the line of no change: up for the better.
fn push_changes(
    drawing: &mut VectorPicture,
    frame: [f64; 4],
    across: AxisRange,
    curve: &RunCurve,
    direction: Direction,
) {
    let pairs = curve.scores.windows(2).enumerate();
    let gains = pairs.filter_map(|(before, pair)| {
        let [Ok(from), Ok(to)] = pair else { return None };
        let gain = match direction {
            Direction::HigherIsBetter => to - from,
            Direction::LowerIsBetter => from - to,
        };
        Some([(before + 1) as f64, gain])
    });
    let gains: Vec<[f64; 2]> = gains.collect();
    let axes = [across, AxisRange::around(gains.iter().map(|gain| gain[1]).chain([0.0]))];
    let name = format!("change of {}, up for the better", curve.variant);
    push_axes(drawing, frame, &axes, ["step", &name]);
    let width = (frame[2] / curve.scores.len().max(1) as f64 * 0.6).clamp(0.5, 10.0);
    for gain in gains {
        let [x, end] = place(frame, &axes, gain);
        let [_, none] = place(frame, &axes, [gain[0], 0.0]);
        let ink = if gain[1] >= 0.0 { Ink::Series(BETTER) } else { Ink::Series(WORSE) };
        drawing.rect([x - width / 2.0, end.min(none), width, (end - none).abs()], ink);
    }
}

/// The points of a curve, parted where a step has no score.
fn pieces(curve: &RunCurve) -> Vec<Vec<[f64; 2]>> {
    let points = curve.scores.iter().enumerate();
    let points: Vec<Option<[f64; 2]>> = points
        .map(|(step, score)| score.as_ref().ok().map(|score| [step as f64, *score]))
        .collect();
    let pieces = points.split(Option::is_none).filter(|piece| !piece.is_empty());
    pieces.map(|piece| piece.iter().flatten().copied().collect()).collect()
}

/// Why steps have no score, and how many.
fn gaps(curve: &RunCurve) -> impl Iterator<Item = (&str, usize)> {
    let mut counts = BTreeMap::<&str, usize>::new();
    for why in curve.scores.iter().filter_map(|score| score.as_ref().err()) {
        *counts.entry(why).or_default() += 1;
    }
    counts.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::figures::Shape;

    fn lines(figure: &Figure, ink: Ink) -> Vec<&[[f64; 2]]> {
        let shapes = figure.drawing.shapes.iter();
        let lines = shapes.filter_map(|shape| match shape {
            Shape::Line { points, ink: of, .. } if *of == ink => Some(points.as_slice()),
            _ => None,
        });
        lines.collect()
    }

    #[test]
    fn the_mean_of_curves_is_that_of_the_values_and_a_run_that_ended_stays_as_it_was() {
        let points = mean_points(&[vec![0.0, 1.0], vec![1.0, 1.0, 0.5]]);
        let means: Vec<f64> = points.iter().map(|point| point.mean).collect();
        assert_eq!(means, [0.5, 1.0, 0.75]);
        // Two values 0 and 1: a standard error of 0.5, and t of one degree of freedom is 12.706.
        assert!((points[0].high - (0.5 + 12.706 * 0.5)).abs() < 1e-3, "{:?}", points[0]);
        assert_eq!((points[1].low, points[1].high), (1.0, 1.0));
        let alone = mean_points(&[vec![0.25, 0.75]]);
        assert_eq!((alone[1].low, alone[1].high), (0.75, 0.75));
    }

    #[test]
    fn mean_curves_have_a_line_and_a_band_a_model_and_every_number() {
        let of = |name: &str, values: Vec<Vec<f64>>| PlotSeries { name: name.to_owned(), values };
        let series =
            [of("a", vec![vec![0.1, 0.2], vec![0.3, 0.4]]), of("b", vec![vec![0.5, 0.6, 0.7]])];
        let figure = mean_curves(&series).unwrap();
        assert_eq!(lines(&figure, Ink::Series(0))[0].len(), 2);
        assert_eq!(lines(&figure, Ink::Series(1))[0].len(), 3);
        assert_eq!(figure.numbers.len(), 1 + 2 + 3);
        assert_eq!(figure.numbers[3], ["b", "1", "0", "0.5", "0.5", "0.5"]);
        assert!(
            figure.remarks[0].starts_with("3 runs scored after each step"),
            "{:?}",
            figure.remarks
        );
        for shape in &figure.drawing.shapes {
            let Shape::Area { points, .. } = shape else { continue };
            assert!(points.iter().all(|[x, y]| *x <= WIDTH && *y <= figure.drawing.height));
        }
        assert!(mean_curves(&[of("a", vec![vec![0.1]])]).is_err());
        assert!(mean_curves(&[]).is_err());
    }

    #[test]
    fn a_run_has_a_panel_a_variant_parted_where_a_score_is_missing_which_is_said() {
        let missing = || Err("no picture".to_owned());
        let curve = |label: &str, scores| RunCurve {
            label: label.to_owned(),
            variant: format!("{}/test", label.to_lowercase()),
            scores,
        };
        let curves = [
            curve("SSIM", vec![Ok(0.1), Ok(0.2), missing(), Ok(0.4)]),
            curve("PSNR", vec![Ok(10.0), Ok(20.0), Ok(30.0), Ok(40.0)]),
            curve("CLIP", vec![missing(), missing(), missing(), missing()]),
        ];
        let figure = run_curves("login · gpt", &curves, None).unwrap();
        // The last step of SSIM stands alone, as a mark.
        assert_eq!(lines(&figure, Ink::Series(0)).len(), 1);
        assert_eq!(lines(&figure, Ink::Series(1))[0].len(), 4);
        let expected = [
            "login · gpt: 3 steps.",
            "ssim/test: 1 step without a score: no picture.",
            "clip/test: 4 steps without a score: no picture.",
        ];
        assert_eq!(figure.remarks, expected);
        assert_eq!(figure.numbers.len(), 1 + 3 + 4);
        let [above, below] = [0, 1].map(|at| lines(&figure, Ink::Series(at))[0][0][1]);
        assert!(above < below, "one panel below the other");
        let why = run_curves("x", &curves[2..], None).unwrap_err();
        assert_eq!(why, "no step of the run has a score (no picture)");
    }

    #[test]
    fn a_bar_a_step_goes_up_for_the_better_whichever_way_that_is() {
        let curve = RunCurve {
            label: "ΔE2000".to_owned(),
            variant: "color/test".to_owned(),
            scores: vec![Ok(5.0), Ok(3.0), Err("no picture".to_owned()), Ok(2.0), Ok(4.0)],
        };
        for (direction, inks) in [
            (Direction::LowerIsBetter, [Ink::Series(BETTER), Ink::Series(WORSE)]),
            (Direction::HigherIsBetter, [Ink::Series(WORSE), Ink::Series(BETTER)]),
        ] {
            let figure = run_curves("x", std::slice::from_ref(&curve), Some(direction)).unwrap();
            // The first rectangle is the legend's; no bar where one of the two scores is missing.
            let bars = figure.drawing.shapes.iter().filter_map(|shape| match shape {
                Shape::Rect { area, ink } => Some((*area, *ink)),
                _ => None,
            });
            let bars: Vec<([f64; 4], Ink)> = bars.skip(1).collect();
            assert_eq!(bars.iter().map(|bar| bar.1).collect::<Vec<_>>(), inks);
            // Both are of two units, one above the line of no change and one below it.
            let [first, second] = [bars[0].0, bars[1].0];
            assert!((first[3] - second[3]).abs() < 1e-9 && first[3] > 10.0, "{bars:?}");
            let up = if direction == Direction::LowerIsBetter { first } else { second };
            let down = if direction == Direction::LowerIsBetter { second } else { first };
            assert!((up[1] + up[3] - down[1]).abs() < 1e-9, "{bars:?}");
        }
    }
}
