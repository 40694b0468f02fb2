//! Runs of the library in the order that was chosen, below agents or in one list.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::evaluate::PrimaryMetric;
use crate::metric::Score;
use crate::workbench::model::{Arrangement, Grouping, LibraryRun, RunId, SortBy};

/// A run with its number.
pub(super) type NumberedRun<'a> = (RunId, &'a LibraryRun);

/// Runs below one heading.
#[derive(Debug)]
pub(super) struct RunGroup<'a> {
    /// The agent; `None`: there are no headings.
    pub(super) agent: Option<&'a str>,
    /// In order.
    pub(super) runs: Vec<NumberedRun<'a>>,
}

/// Groups runs by agent, by name, or makes one group of all; sorted.
pub(super) fn groups(runs: Vec<NumberedRun<'_>>, arrangement: Arrangement) -> Vec<RunGroup<'_>> {
    let mut groups = if arrangement.grouping == Grouping::Agent {
        let mut by_agent: BTreeMap<&str, Vec<NumberedRun<'_>>> = BTreeMap::new();
        for run in runs {
            by_agent.entry(&run.1.manifest.agent.name).or_default().push(run);
        }
        by_agent.into_iter().map(|(agent, runs)| RunGroup { agent: Some(agent), runs }).collect()
    } else if runs.is_empty() {
        Vec::new()
    } else {
        vec![RunGroup { agent: None, runs }]
    };
    for group in &mut groups {
        sort(&mut group.runs, arrangement);
    }
    groups
}

/// Sorts runs; equal ones keep their order.
pub(super) fn sort(runs: &mut [NumberedRun<'_>], arrangement: Arrangement) {
    match arrangement.sort {
        SortBy::Opened if arrangement.is_reversed => runs.reverse(),
        // They come in this order.
        SortBy::Opened => {}
        _ => runs.sort_by(|(_, a), (_, b)| compare(a, b, arrangement)),
    }
}

fn compare(a: &LibraryRun, b: &LibraryRun, arrangement: Arrangement) -> Ordering {
    let totals = (&a.manifest.totals, &b.manifest.totals);
    let is_reversed = arrangement.is_reversed;
    match arrangement.sort {
        SortBy::Opened => Ordering::Equal,
        SortBy::Agent => {
            let order = a.manifest.agent.name.cmp(&b.manifest.agent.name);
            if is_reversed { order.reverse() } else { order }
        }
        SortBy::Score => {
            // Of different metrics, neither number is the better one.
            let metrics =
                PrimaryMetric::of_run(&a.manifest).cmp(&PrimaryMetric::of_run(&b.manifest));
            let places = place(a).cmp(&place(b));
            metrics.then(places).then_with(|| most_first(score(a), score(b), is_reversed))
        }
        SortBy::Failures => {
            most_first(Some(totals.0.failures), Some(totals.1.failures), is_reversed)
        }
        // RFC 3339 in UTC sorts as text.
        SortBy::Started => {
            let started = (a.manifest.recorded_start(), b.manifest.recorded_start());
            most_first(started.0, started.1, is_reversed)
        }
        SortBy::Steps => most_first(Some(a.steps), Some(b.steps), is_reversed),
        SortBy::Cost => most_first(totals.0.cost_usd, totals.1.cost_usd, is_reversed),
    }
}

fn score(run: &LibraryRun) -> Option<f64> {
    run.last_score.as_ref().and_then(Score::value)
}

/// Where a run stands among others by its score, whichever way they are sorted: results first, then what runs that
/// failed left behind, then what has no score.
fn place(run: &LibraryRun) -> u8 {
    match score(run) {
        Some(_) if run.state.is_result() => 0,
        Some(_) => 1,
        None => 2,
    }
}

/// The larger first, or the smaller; what has no number last either way.
fn most_first<T: PartialOrd>(a: Option<T>, b: Option<T>, is_reversed: bool) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => {
            let order = b.partial_cmp(&a).unwrap_or(Ordering::Equal);
            if is_reversed { order.reverse() } else { order }
        }
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}
