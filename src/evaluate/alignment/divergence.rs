//! Where runs diverge: the first lasting divergence of their canvases.

use std::sync::Arc;

use super::row::AlignedRow;
use super::trace::{Likeness, RunTrace, StateTrace};

/// Where the canvases of runs stop being the same for good, and by what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastingDivergence {
    /// The row after which they are never the same again; `None`: they are not from the start on.
    pub row: Option<usize>,
    /// What makes the difference there.
    pub kind: DivergenceKind,
    /// By run: the step that makes the difference; `None` where the run has none in the row. By other tools it is what
    /// the run does instead, in a row of its own behind that one.
    pub steps: Vec<Option<u32>>,
    /// How often they diverged before and came to look the same again.
    pub reconverged: usize,
}

/// What makes the difference where runs diverge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DivergenceKind {
    /// They begin with different canvases.
    Start,
    /// The same call of all did something else.
    Outcome,
    /// All called the same tool, with other arguments.
    Arguments,
    /// All did something, by different tools.
    Tools,
    /// Some have a step that the others lack.
    OnlySome,
}

impl LastingDivergence {
    /// Where runs diverge; `None` if they end the same.
    pub(super) fn of(traces: &[&RunTrace], start: &[u8], rows: &[AlignedRow]) -> Option<Self> {
        let is_same = |look: &[u8]| look.iter().all(|run| *run == 0);
        let looks: Vec<bool> = std::iter::once(is_same(start))
            .chain(rows.iter().map(AlignedRow::is_same_for_all))
            .collect();
        if *looks.last()? {
            return None;
        }
        let reconverged = looks.windows(2).filter(|two| !two[0] && two[1]).count();
        // The state before the first row is the first of them, so that what follows the last that is the same
        // is the row of that number.
        let Some(last_same) = looks.iter().rposition(|is_same| *is_same) else {
            let steps = vec![None; traces.len()];
            return Some(Self { row: None, kind: DivergenceKind::Start, steps, reconverged });
        };
        let row = rows.get(last_same)?;
        let (kind, steps) = if row.steps.contains(&None) {
            match steps_by_other_tools(traces, row, rows.get(last_same + 1..)?) {
                Some(steps) => (DivergenceKind::Tools, steps),
                None => (DivergenceKind::OnlySome, row.steps.clone()),
            }
        } else {
            let kind = match row.likeness(traces) {
                Some(Likeness { call: true, .. }) => DivergenceKind::Outcome,
                Some(Likeness { tool: true, .. }) => DivergenceKind::Arguments,
                _ => DivergenceKind::Tools,
            };
            (kind, row.steps.clone())
        };
        Some(Self { row: Some(last_same), kind, steps, reconverged })
    }
}

/// By run: its step in a row that not all have, or else what it does instead: its next step that changes something,
/// before the row in which all go together again. Steps by other tools never share a row, however surely one stands in
/// the place of the other. `None` where a run does nothing instead, and where all called the same tool or that is not
/// known.
fn steps_by_other_tools(
    traces: &[&RunTrace],
    row: &AlignedRow,
    behind: &[AlignedRow],
) -> Option<Vec<Option<u32>>> {
    let apart = behind.iter().take_while(|row| row.steps.contains(&None));
    let instead = |run: usize, trace: &RunTrace| {
        let mut own = apart.clone().filter_map(|row| row.steps.get(run).copied().flatten());
        own.find(|step| trace.step(*step).is_some_and(|it| it.is_seen || it.effect.is_some()))
    };
    let mut steps: Vec<Option<u32>> = Vec::new();
    let mut tools: Vec<&Arc<str>> = Vec::new();
    for (run, (step, trace)) in row.steps.iter().zip(traces).enumerate() {
        let step = step.or_else(|| instead(run, trace))?;
        tools.push(trace.step(step)?.tool.as_ref()?);
        steps.push(Some(step));
    }
    let differ = tools.iter().any(|tool| Some(tool) != tools.first());
    differ.then_some(steps)
}

/// Which canvases look the same before the first row, and after each.
pub(super) fn looks_by_row(
    traces: &[&RunTrace],
    rows: &[Vec<Option<u32>>],
) -> (Vec<u8>, Vec<Vec<u8>>) {
    let mut now: Vec<StateTrace> = traces.iter().map(|trace| trace.start).collect();
    let start = numbered(&now);
    let looks = rows.iter().map(|row| {
        for ((state, step), trace) in now.iter_mut().zip(row).zip(traces) {
            if let Some(reached) = step.and_then(|step| trace.state(step)) {
                *state = reached;
            }
        }
        numbered(&now)
    });
    let looks = looks.collect();
    (start, looks)
}

/// The same number for those that look the same, from 0 as they come.
fn numbered(states: &[StateTrace]) -> Vec<u8> {
    let mut kinds: Vec<StateTrace> = Vec::new();
    let number = |state: &StateTrace| {
        let known = kinds.iter().position(|kind| looks_same(*kind, *state));
        let at = known.unwrap_or_else(|| {
            kinds.push(*state);
            kinds.len() - 1
        });
        u8::try_from(at).unwrap_or(u8::MAX)
    };
    states.iter().map(number).collect()
}

/// By their pictures; where one cannot be had, by their documents.
fn looks_same(one: StateTrace, other: StateTrace) -> bool {
    match (one.picture, other.picture) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}
