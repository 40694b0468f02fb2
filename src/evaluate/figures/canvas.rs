//! The figures of CANVAS.

use std::collections::BTreeMap;

use super::bars::{
    BarRow, WIDTH, legend_areas, legend_height, number, push_legend, scale, shortened, stacked,
};
use super::data::{FigureResult, FigureRun, FigureSources, Preference, by_row, count, row};
use super::drawing::{Anchor, Ink, VectorPicture, areas_along};
use super::plots::mark;
use crate::environment::ToolCategory;
use crate::metric::stats::student_t_half_width;
use crate::task::TaskKind;

/// Most turns of a curve and of a distribution: the limit of the paper.
const MOST_TURNS: usize = 50;
/// Turns of a bin of the distribution.
const BIN: usize = 5;
const CONFIDENCE: f64 = 0.95;
/// How far beside a point that stands alone a pointer still is on it, in points.
const REACH: f64 = 4.0;

/// The parts of Figure 4. The paper has replication beside modification; runs whose task is not known are neither.
const PARTS: [&str; 3] = ["replication", "modification", "task not open"];

/// The part of Figure 4 that a run is drawn in.
pub(super) fn part_of_tools(run: &FigureRun) -> Option<&'static str> {
    let [replication, modification, not_open] = PARTS;
    let part = match run.kind {
        Some(TaskKind::Replication) => replication,
        Some(_) => modification,
        None => not_open,
    };
    (run.is_on_canvas() && !run.digest.is_pictures).then_some(part)
}

/// Runs whose task is not open are shown too: only those known to be modifications are left out.
fn is_replication(run: &FigureRun) -> bool {
    run.is_on_canvas() && run.kind.is_none_or(|kind| kind == TaskKind::Replication)
}

/// The same of Figure 35, which has one.
pub(super) fn part_of_turns(run: &FigureRun) -> Option<&'static str> {
    // A single point is no curve.
    (is_replication(run) && run.scores.len() > 1).then_some("")
}

/// The same of Figure 36, which has one.
pub(super) fn part_of_distribution(run: &FigureRun) -> Option<&'static str> {
    (is_replication(run) && run.turns > 0).then_some("")
}

/// Figure 4: calls a run by kind of tool, for each task.
pub(super) fn tools(sources: &FigureSources) -> FigureResult {
    let with_calls = sources.runs.iter().filter(|run| part_of_tools(run).is_some());
    let runs: Vec<&FigureRun> = with_calls.collect();
    if runs.is_empty() {
        return Err("it needs runs on a canvas whose calls were recorded; of pictures alone tools are not known"
            .to_owned());
    }
    // Only kinds that occur, in a fixed order: a colour means the same in every row.
    let kinds: Vec<ToolCategory> = ToolCategory::ALL
        .into_iter()
        .filter(|kind| {
            runs.iter().any(|run| run.digest.steps.iter().any(|it| it.category == *kind))
        })
        .collect();
    let names: Vec<&str> = kinds.iter().map(|kind| kind.label()).collect();
    let mut rows = Vec::new();
    let head = ["task", "model", "runs", "tools a run"].into_iter().chain(names.iter().copied());
    let mut numbers = vec![row(head)];
    for part in PARTS {
        let of_part = runs.iter().copied().filter(|run| part_of_tools(run) == Some(part));
        let of_part: Vec<&FigureRun> = of_part.collect();
        if of_part.is_empty() {
            continue;
        }
        rows.push(BarRow::Heading(part.to_owned()));
        for (model, runs) in by_row(of_part.iter().copied(), |run| &run.row) {
            // Means over runs and not sums, as models have unequally many runs.
            let total = runs.len() as f64;
            let parts = kinds.iter().map(|kind| {
                let calls = runs.iter().map(|run| {
                    run.digest.steps.iter().filter(|step| step.category == *kind).count()
                });
                calls.sum::<usize>() as f64 / total
            });
            let parts: Vec<f64> = parts.collect();
            let tools = runs.iter().filter_map(|run| run.digest.tool_diversity()).sum::<usize>();
            let tools = tools as f64 / total;
            let cells = [part.to_owned(), model.to_owned(), runs.len().to_string(), number(tools)];
            numbers.push(cells.into_iter().chain(parts.iter().map(|part| number(*part))).collect());
            // Different tools do not add up over kinds: they are beside the bar and not in it.
            let remark = format!("{:.1} · {tools:.1} tools", parts.iter().sum::<f64>());
            let runs = runs.iter().filter_map(|run| run.number).collect();
            rows.push(BarRow::Bar { name: model.to_owned(), parts, remark, runs });
        }
    }
    let drawing = stacked(&names, &rows, "calls a run");
    let remarks = vec![format!(
        "{}; at the right the mean of all calls and of different tools. Failed calls count.",
        count(runs.len(), "run")
    )];
    Ok((drawing, numbers, remarks))
}

/// Figure 34: how often a model was preferred to each other.
pub(super) fn preferences(sources: &FigureSources) -> FigureResult {
    let asked = sources.preferences.iter().filter(|it| it.wins + it.ties + it.losses > 0);
    let mut pairs: Vec<Preference> = asked.cloned().collect();
    if pairs.is_empty() {
        return Err(
            "it needs people's preferences of pairs of runs: open a labelling project in which pairs were answered \
             (--labels study.labels on the command line)"
                .to_owned(),
        );
    }
    // As the paper: one model against all others, which is the one most often compared.
    let mut met: BTreeMap<&str, usize> = BTreeMap::new();
    for pair in &pairs {
        for model in [&pair.model, &pair.against] {
            *met.entry(model).or_default() += 1;
        }
    }
    // Of equals the first by name, so that the figure is the same every time.
    let most = met.iter().max_by_key(|(name, pairs)| (**pairs, std::cmp::Reverse(**name)));
    let baseline = most.map_or_else(String::new, |(name, _)| (*name).to_owned());
    // Turned round so that the baseline comes first: what it lost, the other one won.
    for pair in &mut pairs {
        if pair.against == baseline {
            std::mem::swap(&mut pair.model, &mut pair.against);
            std::mem::swap(&mut pair.wins, &mut pair.losses);
        }
    }
    pairs.sort_by_key(|pair| (pair.model != baseline, pair.model.clone(), pair.against.clone()));
    let mut numbers = vec![row(["model", "against", "wins", "ties", "losses"])];
    let rows = pairs.iter().map(|pair| {
        let all = (pair.wins + pair.ties + pair.losses) as f64;
        numbers.push(vec![
            pair.model.clone(),
            pair.against.clone(),
            pair.wins.to_string(),
            pair.ties.to_string(),
            pair.losses.to_string(),
        ]);
        BarRow::Bar {
            name: format!(
                "{} against {}",
                shortened(&pair.model, 12),
                shortened(&pair.against, 10)
            ),
            parts: [pair.wins, pair.ties, pair.losses].map(|it| 100.0 * it as f64 / all).to_vec(),
            remark: format!("{} · {} · {}", pair.wins, pair.ties, pair.losses),
            // Of pairs of runs, whose items are no runs of the library.
            runs: Vec::new(),
        }
    });
    let rows: Vec<BarRow> = rows.collect();
    let drawing = stacked(&["wins", "ties", "losses"], &rows, "share of pairs, %");
    let items: usize = pairs.iter().map(|pair| pair.wins + pair.ties + pair.losses).sum();
    let remarks = vec![format!(
        "{} by what most people said of each; pairs without a majority or an answer are left out.",
        count(items, "pair")
    )];
    Ok((drawing, numbers, remarks))
}

/// Figure 35: the mean of each score at the end of each turn.
pub(super) fn turns(sources: &FigureSources) -> FigureResult {
    let runs = sources.runs.iter().filter(|run| part_of_turns(run).is_some());
    let runs: Vec<&FigureRun> = runs.collect();
    // A score that no run has would be an empty panel.
    let known = sources.curves.iter().enumerate().filter(|(at, _)| {
        runs.iter()
            .any(|run| run.scores.iter().any(|point| point.get(*at).is_some_and(Option::is_some)))
    });
    let curves: Vec<(usize, &str)> = known.map(|(at, (_, name))| (at, name.as_str())).collect();
    if curves.is_empty() {
        return Err(
            "it needs runs at replication tasks whose task sets are open, scored after every turn"
                .to_owned(),
        );
    }
    let rows = by_row(runs.iter().copied(), |run| &run.row);
    let models: Vec<&str> = rows.keys().copied().collect();
    let legend = legend_height(&models);
    let (panel, gap) = ([330.0, 150.0], [60.0, 46.0]);
    // Two panels a line, as in the paper.
    let lines = curves.len().div_ceil(2);
    let height = legend + lines as f64 * (panel[1] + gap[1]);
    let mut drawing = VectorPicture::new(WIDTH, height);
    push_legend(&mut drawing, &models);
    for (area, (model, of_model)) in legend_areas(&models).into_iter().zip(&rows) {
        let words = format!("{model}: {}", count(of_model.len(), "run"));
        drawing.mark(area, words, of_model.iter().filter_map(|run| run.number).collect());
    }
    let mut numbers = vec![row(["score", "model", "turn", "runs", "mean", "low", "high"])];
    let mut has_gaps = false;
    for (place, (curve, name)) in curves.iter().enumerate() {
        let left = 40.0 + (place % 2) as f64 * (panel[0] + gap[0] - 30.0);
        let top = legend + 20.0 + (place / 2) as f64 * (panel[1] + gap[1]);
        let series: Vec<MeanCurve> = rows
            .iter()
            .map(|(model, of_model)| {
                let points = mean_curve(of_model, *curve);
                // By its own number: a turn without a score has no row, and the next do not move up.
                for (turn, point) in points.iter().enumerate() {
                    let Some([mean, low, high, runs]) = point else { continue };
                    let cells = [number(*runs), number(*mean), number(*low), number(*high)];
                    let head = [(*name).to_owned(), (*model).to_owned(), turn.to_string()];
                    numbers.push(head.into_iter().chain(cells).collect());
                }
                has_gaps |=
                    points.iter().any(Option::is_some) && points.iter().any(Option::is_none);
                let counted = of_model.iter().filter(|run| is_in_curve(run, *curve));
                let counted: Vec<&&FigureRun> = counted.collect();
                let words = format!("{name} · {model}: {}", count(counted.len(), "run"));
                let runs = counted.iter().filter_map(|run| run.number).collect();
                MeanCurve { points, words, runs }
            })
            .collect();
        push_panel(&mut drawing, [left, top, panel[0] - 30.0, panel[1]], name, &series);
    }
    let mut remarks = vec![
        format!(
            "{} of replication. The mean over runs at the start (turn 0) and the end of each turn, with its 95 % \
             interval by Student's t; a run that has ended stays as it was, as far as turn {MOST_TURNS}.",
            count(runs.len(), "run")
        ),
        format!(
            "Scores: {}.",
            curves
                .iter()
                .filter_map(|(at, name)| Some(format!("{name} by {}", sources.curves.get(*at)?.0)))
                .collect::<Vec<_>>()
                .join(", ")
        ),
    ];
    if has_gaps {
        let remark = "A curve has a gap at turns at which none of its runs has the score.";
        remarks.push(remark.to_owned());
    }
    Ok((drawing, numbers, remarks))
}

/// A curve of a panel.
struct MeanCurve {
    /// Mean, low, high and number of runs at each turn; `None` where no run has the score.
    points: Vec<Option<[f64; 4]>>,
    /// What it is of, in words.
    words: String,
    /// The runs of the library that are in one of its means.
    runs: Vec<u32>,
}

impl MeanCurve {
    /// The points with their turns, parted where a turn has none.
    fn pieces(&self) -> Vec<Vec<(usize, [f64; 4])>> {
        let points = self.points.iter().enumerate();
        let points: Vec<Option<(usize, [f64; 4])>> =
            points.map(|(turn, point)| point.map(|point| (turn, point))).collect();
        let pieces = points.split(Option::is_none).filter(|piece| !piece.is_empty());
        pieces.map(|piece| piece.iter().flatten().copied().collect()).collect()
    }
}

/// Whether a run is in the mean at some turn: what lies behind the last that is drawn is in none.
fn is_in_curve(run: &FigureRun, curve: usize) -> bool {
    let mut drawn = run.scores.iter().take(MOST_TURNS + 1);
    drawn.any(|scores| scores.get(curve).is_some_and(Option::is_some))
}

/// Mean, low, high and number of runs at each turn; `None` where no run has the score, as at the start of imported
/// results, which say nothing of it.
fn mean_curve(runs: &[&FigureRun], curve: usize) -> Vec<Option<[f64; 4]>> {
    let longest = runs.iter().map(|run| run.scores.len()).max().unwrap_or_default();
    let turns = (0..longest.min(MOST_TURNS + 1)).map(|turn| {
        let values: Vec<f64> = runs
            .iter()
            .filter_map(|run| *run.scores.get(turn).or(run.scores.last())?.get(curve)?)
            .collect();
        let count = values.len() as f64;
        if values.is_empty() {
            return None;
        }
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let error = (squares / (count - 1.0).max(1.0) / count).sqrt();
        let half = student_t_half_width(values.len() - 1, CONFIDENCE).map_or(0.0, |it| it * error);
        Some([mean, mean - half, mean + half, count])
    });
    turns.collect()
}

fn push_panel(
    drawing: &mut VectorPicture,
    [left, top, width, height]: [f64; 4],
    name: &str,
    series: &[MeanCurve],
) {
    let points = series.iter().flat_map(|curve| curve.points.iter().flatten());
    // From the lowest end of an interval to the highest, so that no band is cut off.
    let [low, high] = points.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], point| {
        [low.min(point[1]), high.max(point[2])]
    });
    // Equal values everywhere would divide by nothing.
    let span = (high - low).max(1e-3);
    let longest = series.iter().map(|curve| curve.points.len()).max().unwrap_or(2).max(2);
    let x = |turn: usize| left + turn as f64 / (longest - 1) as f64 * width;
    let y = |value: f64| top + height - (value - low) / span * height;
    drawing.text([left, top - 10.0], name, Anchor::Start, Ink::Text);
    for share in [0.0, 0.5, 1.0] {
        let value = low + share * span;
        drawing.line(vec![[left, y(value)], [left + width, y(value)]], Ink::Grid, 1.0);
        drawing.text([left - 6.0, y(value)], format!("{value:.2}"), Anchor::End, Ink::Dim);
    }
    for turn in [0, (longest - 1) / 2, longest - 1] {
        drawing.text([x(turn), top + height + 10.0], turn.to_string(), Anchor::Middle, Ink::Dim);
    }
    for (at, curve) in series.iter().enumerate() {
        let mut areas = Vec::new();
        for piece in curve.pieces() {
            let mean: Vec<[f64; 2]> =
                piece.iter().map(|(turn, point)| [x(*turn), y(point[0])]).collect();
            // A line of one point would not be seen.
            if let [alone] = mean.as_slice() {
                drawing.area(mark(*alone, at), Ink::Series(at));
                areas.push([alone[0] - REACH, alone[1] - REACH, 2.0 * REACH, 2.0 * REACH]);
                continue;
            }
            // There along the upper ends of the intervals, and back along the lower ones.
            let there = piece.iter().map(|(turn, point)| [x(*turn), y(point[2])]);
            let back = piece.iter().rev().map(|(turn, point)| [x(*turn), y(point[1])]);
            drawing.area(there.chain(back).collect(), Ink::Wash(at));
            areas.extend(areas_along(&mean));
            drawing.line(mean, Ink::Series(at), 1.8);
        }
        drawing.mark_areas(areas, curve.words.clone(), curve.runs.clone());
    }
}

/// Figure 36: how many turns runs take.
pub(super) fn turn_distribution(sources: &FigureSources) -> FigureResult {
    let runs = sources.runs.iter().filter(|run| part_of_distribution(run).is_some());
    let runs: Vec<&FigureRun> = runs.collect();
    if runs.is_empty() {
        return Err("it needs runs at replication tasks whose turns were recorded".to_owned());
    }
    let rows = by_row(runs.iter().copied(), |run| &run.row);
    // The last bin holds whatever is longer.
    let bins = MOST_TURNS / BIN;
    let mut numbers = vec![row(["model", "from turn", "to turn", "runs", "share"])];
    let shares: Vec<Vec<f64>> = rows
        .iter()
        .map(|(model, runs)| {
            let mut counts = vec![0_usize; bins];
            for run in runs {
                counts[bin_of(run)] += 1;
            }
            for (bin, runs_of_bin) in counts.iter().enumerate() {
                let share = *runs_of_bin as f64 / runs.len() as f64;
                let to =
                    if bin + 1 == bins { "more".to_owned() } else { ((bin + 1) * BIN).to_string() };
                let from = (bin * BIN + 1).to_string();
                numbers.push(vec![
                    (*model).to_owned(),
                    from,
                    to,
                    runs_of_bin.to_string(),
                    number(share),
                ]);
            }
            counts.iter().map(|count| 100.0 * *count as f64 / runs.len() as f64).collect()
        })
        .collect();
    let drawing = bins_of(&rows, &shares);
    let remarks =
        vec![format!("{} of replication, as shares of each model's.", count(runs.len(), "run"))];
    Ok((drawing, numbers, remarks))
}

/// In which bin a run is: turns count from 1, and the first bin holds 1 to `BIN`.
fn bin_of(run: &FigureRun) -> usize {
    ((run.turns.max(1) as usize - 1) / BIN).min(MOST_TURNS / BIN - 1)
}

/// Groups of upright bars, one a bin of turns, in them one a model.
fn bins_of(rows: &BTreeMap<&str, Vec<&FigureRun>>, shares: &[Vec<f64>]) -> VectorPicture {
    let bins = MOST_TURNS / BIN;
    let models: Vec<&str> = rows.keys().copied().collect();
    // One scale for all models, or their bars could not be compared.
    let longest = shares.iter().flatten().copied().fold(0.0_f64, f64::max);
    let (top_value, ticks) = scale(longest);
    let legend = legend_height(&models);
    let (left, height) = (48.0, 220.0);
    let mut drawing = VectorPicture::new(WIDTH, legend + height + 44.0);
    push_legend(&mut drawing, &models);
    let y = |value: f64| legend + 8.0 + height - value / top_value * height;
    for tick in ticks {
        drawing.line(vec![[left, y(tick)], [WIDTH, y(tick)]], Ink::Grid, 1.0);
        drawing.text([left - 6.0, y(tick)], format!("{} %", number(tick)), Anchor::End, Ink::Dim);
    }
    let slot = (WIDTH - left) / bins as f64;
    let bar = (slot - 8.0) / models.len().max(1) as f64;
    for bin in 0..bins {
        let from = left + bin as f64 * slot + 4.0;
        let words = if bin + 1 == bins {
            format!("{}+", bin * BIN + 1)
        } else {
            format!("{}–{}", bin * BIN + 1, (bin + 1) * BIN)
        };
        for (at, ((model, runs), share)) in rows.iter().zip(shares).enumerate() {
            let share = share.get(bin).copied().unwrap_or_default();
            let x = from + at as f64 * bar;
            let area = [x, y(share), (bar - 1.0).max(1.0), y(0.0) - y(share)];
            drawing.rect(area, Ink::Series(at));
            let of_bin = runs.iter().filter(|run| bin_of(run) == bin);
            let of_bin: Vec<u32> = of_bin.filter_map(|run| run.number).collect();
            // As high as all others, as a short bar could not be hit.
            let said = format!("{model}, {words} turns: {}", count(of_bin.len(), "run"));
            drawing.mark([x, legend + 8.0, bar, height], said, of_bin);
        }
        drawing.text([from + slot / 2.0 - 4.0, y(0.0) + 12.0], words, Anchor::Middle, Ink::Dim);
    }
    drawing.text([left + (WIDTH - left) / 2.0, y(0.0) + 28.0], "turns", Anchor::Middle, Ink::Dim);
    drawing
}
