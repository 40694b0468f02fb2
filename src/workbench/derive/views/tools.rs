//! The tools of the selected run: beside those of the reference, and by what they moved.

use std::collections::{BTreeMap, BTreeSet};

use crate::metric::VariantSpec;
use crate::metric::behavior::{Attribution, Counts, Moved, ToolAgreement, ToolCounts};
use crate::run::behavior::{scored_steps, tool_uses_among};
use crate::workbench::model::{State, StepRange};

use super::targets::is_in_range;

/// The tools of the selected run.
#[derive(Debug)]
pub struct RunTools<'a> {
    /// Used beside annotated; `None` where the task has no reference tools.
    pub agreement: Option<ToolAgreement>,
    /// Every tool that was used, by name.
    pub tools: Vec<ToolRow>,
    /// By the kind of work, how far it moved the metric.
    pub by_category: Vec<(String, Moved)>,
    /// By which variant.
    pub variant: Option<&'a VariantSpec>,
    /// Steps with a score, of all: what the rest moved is not known yet.
    pub scored: (usize, usize),
    /// The steps that were marked, if calls outside them are left out.
    pub range: Option<StepRange>,
}

/// One tool.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolRow {
    /// Its name.
    pub name: String,
    /// How often it was called.
    pub calls: usize,
    /// How many of these calls failed.
    pub failed: usize,
    /// How far it moved the metric; `None` while no step of it is scored.
    pub moved: Option<Moved>,
    /// Whether it is among the reference's; `None` where there are none.
    pub is_reference: Option<bool>,
}

/// The tools of the selected run; `None` without a run that was read and has calls.
pub fn run_tools(state: &State) -> Option<RunTools<'_>> {
    let entry = state.selected_run()?;
    let run = entry.loaded.as_deref()?;
    let counts = Counts::of(&tool_uses_among(run, |step| is_in_range(state, step)));
    let range = state.selection.range;
    // In a range without calls there is something to say all the same: that it has none.
    if counts.by_tool.is_empty() && range.is_none() {
        return None;
    }
    let reference = reference_tools(state);
    let used = counts.by_tool.keys().map(String::as_str);
    let agreement =
        (!reference.is_empty()).then(|| ToolAgreement::of(used, reference.iter().copied()));
    let variant = state.curve_variant();
    // Of the start and after each step.
    let numbers = [0].into_iter().chain(run.steps.iter().map(|step| step.number));
    let scores: Vec<Option<f64>> = numbers
        .map(|step| variant.and_then(|variant| entry.curves.value(&variant.id, step)))
        .collect();
    let steps = scored_steps(run, &scores[1..]);
    // Steps are counted from 1, and the first of those meant is measured against the one before it.
    let last = range.map_or(steps.len(), |range| (range.last as usize).min(steps.len()));
    let before = range.map_or(0, |range| range.first.saturating_sub(1) as usize).min(last);
    let meant = &steps[before..last];
    let attribution = Attribution::of(scores[before], meant);
    let known = attribution.by_step.iter().filter(|change| change.is_some()).count();
    Some(RunTools {
        agreement,
        tools: rows(&counts.by_tool, &attribution, &reference),
        by_category: attribution.by_category.into_iter().collect(),
        variant,
        scored: (known, meant.len()),
        range,
    })
}

/// The tools that the task of the selected run names as those of its reference.
pub(super) fn reference_tools(state: &State) -> BTreeSet<&str> {
    let task = state.selected_task();
    task.into_iter().flat_map(|task| &task.reference_tools).map(String::as_str).collect()
}

fn rows(
    by_tool: &BTreeMap<String, ToolCounts>,
    attribution: &Attribution,
    reference: &BTreeSet<&str>,
) -> Vec<ToolRow> {
    let rows = by_tool.iter().map(|(name, calls)| ToolRow {
        name: name.clone(),
        calls: calls.calls,
        failed: calls.failures,
        moved: attribution.by_tool.get(name).copied(),
        is_reference: (!reference.is_empty()).then(|| reference.contains(name.as_str())),
    });
    let mut rows: Vec<ToolRow> = rows.collect();
    // What moved most stands first; by name where nothing is known.
    rows.sort_by(|a, b| {
        let [a, b] = [a, b].map(|row| row.moved.map_or(0.0, |moved| moved.up - moved.down));
        b.total_cmp(&a)
    });
    rows
}
