//! The steps of several runs in rows, so that what goes together stands in one.

use crate::base::{CancelToken, Cancelled};

use super::divergence::{LastingDivergence, looks_by_row};
use super::features::{Features, KnownFeatures};
use super::longest::heaviest_pairs;
use super::row::AlignedRow;
use super::trace::{Likeness, RunTrace};

/// Most runs that are aligned at once.
pub const MOST_RUNS: usize = 6;

/// Several runs, aligned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Alignment {
    /// The rows; every step of every run is in one, in its order.
    pub rows: Vec<AlignedRow>,
    /// Which runs' canvases look the same before the first row, as [`AlignedRow::looks`].
    pub start: Vec<u8>,
    /// Where their canvases stop being the same for good; `None` if they end the same, or there is but one.
    pub divergence: Option<LastingDivergence>,
    /// By run: the row of each of its steps, which rise. Asked for many times a frame.
    rows_of_steps: Vec<Vec<usize>>,
}

/// Aligns runs: first those before each, then it with them.
///
/// Two steps go together by [`Likeness::weight`]; of the rows there are already, the run in a row that is
/// likest counts. Of all ways to pair the steps of the next run with the rows, in order, one that weighs most
/// is taken. Of two runs that is the best there is; of more, runs that come first have the say.
///
/// # Errors
///
/// [`Cancelled`].
pub fn align(traces: &[&RunTrace], cancel: &CancelToken) -> Result<Alignment, Cancelled> {
    let features = Features::of_runs(traces);
    let mut rows: Vec<Vec<Option<u32>>> = Vec::new();
    for (run, steps) in features.iter().enumerate() {
        rows = with_run(&rows, &features[..run], steps, cancel)?;
    }
    let (start, looks) = looks_by_row(traces, &rows);
    let rows = rows.into_iter().zip(looks);
    let rows: Vec<_> = rows.map(|(steps, looks)| AlignedRow { steps, looks }).collect();
    let divergence = LastingDivergence::of(traces, &start, &rows);
    let rows_of_steps = (0..traces.len()).map(|run| {
        let with_step = rows.iter().enumerate().filter(|(_, row)| row.steps[run].is_some());
        with_step.map(|(at, _)| at).collect()
    });
    let rows_of_steps = rows_of_steps.collect();
    Ok(Alignment { rows, start, divergence, rows_of_steps })
}

/// The rows with another run: `before` are the steps of the runs in them.
fn with_run(
    rows: &[Vec<Option<u32>>],
    before: &[Vec<Features>],
    steps: &[Features],
    cancel: &CancelToken,
) -> Result<Vec<Vec<Option<u32>>>, Cancelled> {
    let in_rows: Vec<Vec<Features>> = rows.iter().map(|row| distinct(row, before)).collect();
    let (known, known_before) =
        (KnownFeatures::of(steps), KnownFeatures::of(in_rows.iter().flatten()));
    let mosts = in_rows.iter().map(|row| row.iter().map(|step| known.most_with(*step)).max());
    let of_rows: Vec<u32> = mosts.map(Option::unwrap_or_default).collect();
    let of_steps: Vec<u32> = steps.iter().map(|step| known_before.most_with(*step)).collect();
    let weight = |row: usize, step: usize| {
        let weights = in_rows[row].iter().map(|known| known.weight(steps[step]));
        weights.max().unwrap_or(0)
    };
    let pairs = heaviest_pairs([&of_rows, &of_steps], weight, Likeness::MOST, cancel)?;
    let mut all = Vec::with_capacity(rows.len() + steps.len() - pairs.len());
    let (mut row, mut step) = (0, 0);
    // A pair behind all, so that what comes after the last is not another case.
    for (pair_row, pair_step) in pairs.into_iter().chain([(rows.len(), steps.len())]) {
        // What stands between two pairs: first the rows of those before, then the steps that only this run has.
        all.extend(rows[row..pair_row].iter().map(|row| with_step(row, None)));
        let alone = vec![None; before.len()];
        all.extend((step..pair_step).map(|step| with_step(&alone, Some(step))));
        if let Some(known) = rows.get(pair_row) {
            all.push(with_step(known, Some(pair_step)));
        }
        (row, step) = (pair_row + 1, pair_step + 1);
    }
    Ok(all)
}

/// What the steps in a row are compared by, each once: mostly all runs in it did the same.
fn distinct(row: &[Option<u32>], before: &[Vec<Features>]) -> Vec<Features> {
    let mut found: Vec<Features> = Vec::new();
    for (step, steps) in row.iter().zip(before) {
        let known = step.and_then(|step| steps.get((step as usize).checked_sub(1)?));
        found.extend(known.filter(|known| !found.contains(known)).copied());
    }
    found
}

/// A row with a place of a step, from 0, behind it.
fn with_step(row: &[Option<u32>], step: Option<usize>) -> Vec<Option<u32>> {
    let mut row = row.to_vec();
    row.push(step.and_then(|step| u32::try_from(step + 1).ok()));
    row
}

impl Alignment {
    /// The row in which a run has this step; `None` for 0, the start, and beyond the last.
    pub fn row_of(&self, run: usize, step: u32) -> Option<usize> {
        let at = (step as usize).checked_sub(1)?;
        self.rows_of_steps.get(run)?.get(at).copied()
    }

    /// How many rows have passed when a run is at this step: none at the start. One beyond the last that was known,
    /// as of a run that went on since, is where the last is.
    pub fn rows_until(&self, run: usize, step: u32) -> usize {
        let known = self.rows_of_steps.get(run).map_or(0, Vec::len);
        let step = step.min(u32::try_from(known).unwrap_or(u32::MAX));
        self.row_of(run, step).map_or(0, |row| row + 1)
    }

    /// The step of a run that goes with `step` of another: the last it has in its row or before.
    pub fn step_with(&self, (run, step): (usize, u32), other: usize) -> u32 {
        self.step_after(other, self.rows_until(run, step))
    }

    /// The step a run is at after so many rows.
    pub fn step_after(&self, run: usize, rows: usize) -> u32 {
        let known = self.rows_of_steps.get(run);
        let passed = known.map_or(0, |known| known.partition_point(|row| *row < rows));
        u32::try_from(passed).unwrap_or(u32::MAX)
    }

    /// How many steps of a run stand in a row with the first run's and are like it in such a way.
    pub fn count_like_first(
        &self,
        traces: &[&RunTrace],
        run: usize,
        is_like: impl Fn(Likeness) -> bool,
    ) -> usize {
        let likenesses = self.rows.iter().filter_map(|row| {
            let one = traces.first()?.step((*row.steps.first()?)?)?;
            let other = traces.get(run)?.step((*row.steps.get(run)?)?)?;
            Some(Likeness::between(one, other))
        });
        likenesses.filter(|likeness| is_like(*likeness)).count()
    }
}
