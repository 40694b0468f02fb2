//! The kept ranges of the selected run.

use crate::workbench::model::{KeptRange, RangeKey, State};

/// Lanes that ranges are shown in; what overlaps more of them lies in the last.
pub const RANGE_LANES: usize = 2;

/// A range of steps that was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptRangeRow<'a> {
    /// Which.
    pub key: RangeKey,
    /// What it is called, and what was written to it.
    pub kept: &'a KeptRange,
    /// In which lane it is shown, from 0: the first that is free where it begins.
    pub lane: usize,
    /// Whether it is the one that is marked.
    pub is_marked: bool,
}

/// The kept ranges of the selected run, in the order of their steps.
pub fn kept_ranges(state: &State) -> Vec<KeptRangeRow<'_>> {
    let Some(run) = state.selected_run() else { return Vec::new() };
    let Some(notes) = state.notes.of(run) else { return Vec::new() };
    let mut ends = [None; RANGE_LANES];
    let rows = notes.ranges.iter().map(|(range, kept)| {
        let free = ends.iter().position(|end| end.is_none_or(|end| end < range.first));
        let lane = free.unwrap_or(RANGE_LANES - 1);
        ends[lane] = ends[lane].max(Some(range.last));
        let is_marked = state.selection.range == Some(*range);
        KeptRangeRow { key: RangeKey::of(run, *range), kept, lane, is_marked }
    });
    rows.collect()
}
