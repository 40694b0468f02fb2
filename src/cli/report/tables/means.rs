//! A cell that is a mean over runs: of how many of them, why not of the others, and what else has to be known to read
//! it.

use super::numbers::deviation;
use super::run_summary::{ColumnScore, RunSummary};
use super::table::Cell;
use crate::cli::score::mean_of;
use crate::evaluate::mixed;

/// Why there is no mean over no runs.
pub(super) const NO_RUNS: &str = "there is no such run";

/// Decimals of scores, as CANVAS prints them.
const DECIMALS: usize = 3;

/// The mean over those runs that have the number.
pub(super) struct Mean {
    value: f64,
    /// Of how many of the runs it is and why of no more; `None`: of all.
    note: Option<String>,
}

/// Numbers as they are printed, and what has to be known to read them.
pub(super) struct NotedNumber {
    words: String,
    note: Option<String>,
}

impl Mean {
    /// With so many decimals.
    pub(super) fn words(self, decimals: usize) -> NotedNumber {
        NotedNumber { words: format!("{:.decimals$}", self.value), note: self.note }
    }
}

/// A cell about these runs, which says where it is not over all of them, they were not all made alike, or not all went
/// well.
pub(super) fn cell(number: Result<NotedNumber, String>, runs: &[&RunSummary]) -> Cell {
    match number {
        Ok(NotedNumber { words, note }) => {
            let notes = note.into_iter().chain(notes_of(runs));
            notes.fold(Cell::Text(words), |cell, note| cell.with_note(Some(note)))
        }
        Err(why) => Cell::Missing(why),
    }
}

/// What has to be known of these runs to read a number over them.
pub(super) fn notes_of(runs: &[&RunSummary]) -> Vec<String> {
    let failed = runs.iter().filter(|run| run.has_failed).count();
    let failed = (failed > 0).then(|| format!("{failed} of {} runs failed", runs.len()));
    mixed(runs.iter().map(|run| &run.others)).into_iter().chain(failed).collect()
}

/// The mean of the scores there are; if there are none, the first reason why.
pub(super) fn mean_of_scores(scores: impl Iterator<Item = ColumnScore>) -> Result<Mean, String> {
    let (mut values, mut reason, mut runs) = (Vec::new(), None, 0);
    for score in scores {
        runs += 1;
        match score {
            Ok(value) => values.push(value),
            Err(why) => {
                reason.get_or_insert(why);
            }
        }
    }
    match mean_of(&values) {
        Some(value) => {
            let note = reason.map(|why| format!("of {} of {runs} runs; {why}", values.len()));
            Ok(Mean { value, note })
        }
        None => Err(reason.unwrap_or_else(|| NO_RUNS.to_owned())),
    }
}

/// The same as it is printed.
pub(super) fn mean_in_words(
    scores: impl Iterator<Item = ColumnScore>,
) -> Result<NotedNumber, String> {
    Ok(mean_of_scores(scores)?.words(DECIMALS))
}

/// The mean of a column at the end, and its deviation over runs.
pub(super) fn with_deviation(runs: &[&RunSummary], column: usize) -> Result<NotedNumber, String> {
    let NotedNumber { words, note } = mean_in_words(runs.iter().map(|run| run.last(column)))?;
    // Of a single run there is a mean but no spread.
    let values: Vec<f64> = runs.iter().filter_map(|run| run.last(column).ok()).collect();
    let words = match deviation(&values) {
        Some(deviation) => format!("{words} (±{deviation:.DECIMALS$})"),
        None => words,
    };
    Ok(NotedNumber { words, note })
}

/// The mean of a column at the end, and by how much it changed, both over the runs that have both; the first alone
/// where it is not known of any run how it changed.
pub(super) fn with_gain(runs: &[&RunSummary], column: usize) -> Result<NotedNumber, String> {
    let Ok(gain) = mean_of_scores(runs.iter().map(|run| run.gain(column))) else {
        return mean_in_words(runs.iter().map(|run| run.last(column)));
    };
    let last = runs.iter().map(|run| run.gain(column).and_then(|_| run.last(column)));
    let NotedNumber { words, note } = mean_in_words(last)?;
    let gain = gain.value;
    // The sign stands before the Δ, as in the paper.
    let sign = if gain < 0.0 { "−" } else { "" };
    Ok(NotedNumber { words: format!("{words} ({sign}Δ {:.DECIMALS$})", gain.abs()), note })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run with a column, at its start and its end.
    fn run(first: Option<f64>, last: Option<f64>) -> RunSummary {
        let point = |score: Option<f64>| vec![score.ok_or_else(|| "no caption".to_owned())];
        RunSummary { points: vec![point(first), point(last)], ..RunSummary::default() }
    }

    #[test]
    fn a_mean_over_some_of_the_runs_says_over_how_many_and_why() {
        let runs = [run(Some(0.1), Some(0.6)), run(Some(0.1), None), run(Some(0.1), None)];
        let runs: Vec<&RunSummary> = runs.iter().collect();
        let noted = cell(with_deviation(&runs, 0), &runs);
        assert_eq!(
            (noted.words(), noted.note()),
            (Some("0.600"), Some("of 1 of 3 runs; no caption"))
        );
        let first = cell(mean_in_words(runs.iter().map(|run| run.first(0))), &runs);
        assert_eq!((first.words(), first.note()), (Some("0.100"), None));
        let none = cell(with_deviation(&runs[1..], 0), &runs);
        assert_eq!((none.words(), none.note()), (None, Some("no caption")));
        let nothing = cell(with_deviation(&[], 0), &[]);
        assert_eq!(nothing.note(), Some(NO_RUNS));
    }

    #[test]
    fn a_mean_and_its_change_are_over_the_same_runs() {
        let runs = [run(Some(0.5), Some(0.25)), run(None, Some(0.75))];
        let runs: Vec<&RunSummary> = runs.iter().collect();
        let noted = cell(with_gain(&runs, 0), &runs);
        let words = Some("0.250 (−Δ 0.250)");
        assert_eq!((noted.words(), noted.note()), (words, Some("of 1 of 2 runs; no caption")));
        let alone = cell(with_gain(&runs[1..], 0), &runs[1..]);
        assert_eq!((alone.words(), alone.note()), (Some("0.750"), None));
    }

    #[test]
    fn runs_that_failed_count_and_are_counted_below() {
        let failed = RunSummary { has_failed: true, ..run(Some(0.0), Some(0.75)) };
        let runs = [run(Some(0.0), Some(0.25)), failed];
        let runs: Vec<&RunSummary> = runs.iter().collect();
        let noted = cell(mean_in_words(runs.iter().map(|run| run.last(0))), &runs);
        assert_eq!((noted.words(), noted.note()), (Some("0.500"), Some("1 of 2 runs failed")));
    }
}
