//! Scores: of the step on the stage with its map, of the table, of the curve, of the library.
//!
//! A job answers step by step; at most one of each purpose is under way, but for the library's. Lines beside
//! runs that nobody opened ([`ScorePurpose::Sketch`]) come last, of those in sight. What
//! they bring is kept in the curves of their run ([`Curves`](crate::workbench::Curves)), never evicted.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::evaluate::{PrimaryMetric, VariantId};
use crate::metric::{MapKind, Score};
use crate::workbench::model::{
    Inputs, InspectorTab, LibraryRun, RunId, RunInput, RunState, ScoreKey, ScorePurpose, State,
    Urgency, Workspace,
};

use crate::workbench::derive::explore::needs_score_by;
use crate::workbench::derive::views::Filter;

use super::kind::{DerivedKind, scorable};

/// How many last scores are asked for at a time.
const LAST_AT_ONCE: usize = 4;
/// How many parts a line in the library has at most.
const SKETCHED: u32 = 10;
/// How many steps of the curves beside the chosen one are asked for at a time.
const BESIDE_AT_ONCE: usize = 32;

impl DerivedKind for ScoreKey {
    /// The next job of each purpose that has none under way; those of the library are taken from their
    /// queue by [`take_last_scores`].
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let mut wanted = Vec::new();
        // Found first though it is listed last: the curve leaves out what comes with it.
        let of_stage = under_way(state, Urgency::Stage).cloned().or_else(|| step_scores(state));
        if under_way(state, Urgency::Curve).is_none() {
            // Those beside it when it is there: the chosen one is what people look at first.
            let chosen = curve_scores(state, of_stage.as_ref());
            wanted.extend(chosen.or_else(|| beside_scores(state)));
        }
        // Beside the step they are an extra: who steps through a run wants its curve first.
        let is_table = state.inspector_tab() == InspectorTab::Scores;
        let has_curve = wanted.is_empty() && under_way(state, Urgency::Curve).is_none();
        if (is_table || has_curve) && under_way(state, Urgency::Table).is_none() {
            wanted.extend(table_scores(state));
        }
        if under_way(state, Urgency::Stage).is_none() {
            wanted.extend(of_stage);
        }
        if under_way(state, Urgency::Sketch).is_none() {
            wanted.extend(sketch_scores(state));
        }
        wanted.into_iter().map(with_urgency).collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        if !matches!(self.purpose, ScorePurpose::Last | ScorePurpose::Sketch) {
            return scorable(state, self.run);
        }
        let entry = state.library.runs.get(&self.run)?;
        let task = Arc::clone(state.library.shared_task(&entry.task)?);
        // From the disk, and not what may be loaded: nothing of the run is kept for the library's sake.
        let (dir, manifest) = entry.on_disk();
        let run = RunInput::Unread { dir, manifest };
        Some(Inputs { task: Some(task), run: Some(run), ..Inputs::default() })
    }
}

fn with_urgency(key: ScoreKey) -> (ScoreKey, Urgency) {
    let urgency = key.purpose.urgency();
    (key, urgency)
}

/// The scores under way that are this urgent and still matter.
fn under_way(state: &State, urgency: Urgency) -> Option<&ScoreKey> {
    state.derived.scores_in_flight(urgency).find(|key| !is_stale(state, key))
}

/// Whether scores under way do not matter any more. Those for the library always do.
pub(in crate::workbench) fn is_stale(state: &State, key: &ScoreKey) -> bool {
    let is_elsewhere = state.selection.run != Some(key.run);
    match &key.purpose {
        // What somebody waits for goes first: it is stale as soon as something else is looked at.
        ScorePurpose::Stage { .. } => {
            let step = state.selection.step;
            let is_same = key.variants.iter().eq(stage_variants(state));
            is_elsewhere || !key.steps.contains(&step) || !is_same
        }
        ScorePurpose::Curve => {
            let mut shown = state.curve_variant().into_iter().chain(state.curves_beside());
            is_elsewhere || !shown.any(|variant| key.variants.contains(&variant.id))
        }
        ScorePurpose::Table => {
            let wanted = table_steps(state);
            is_elsewhere || !wanted.first().is_some_and(|step| key.steps.contains(step))
        }
        // The library wants it whatever is selected.
        ScorePurpose::Last => false,
        ScorePurpose::Sketch => !is_elsewhere || !state.in_flight.in_sight.contains(&key.run),
    }
}

/// The variants of the step on the stage: the heat's first, then the curve's.
fn stage_variants(state: &State) -> impl Iterator<Item = &VariantId> {
    let heat = state.heat_variant().map(|variant| &variant.id);
    let curve = state.curve_variant().map(|variant| &variant.id);
    heat.into_iter().chain(curve.filter(|curve| Some(*curve) != heat))
}

fn step_scores(state: &State) -> Option<ScoreKey> {
    let (run, step) = (state.selection.run?, state.selection.step);
    let (task, map) = (state.selected_task()?, state.truth_heat_key()?);
    // Without a ground truth there is no map but that of the run alone, and the rest comes with the curve.
    if task.ground_truth.is_none() && map.kind != MapKind::Generated {
        return None;
    }
    let curves = &state.library.runs.get(&run)?.curves;
    // A value without its map is not all: the map may have been let go since.
    let has_map = state.derived.maps.ready(&map).is_some();
    let is_known = match curves.get(&map.variant, step) {
        Some(Score::Value(_)) => has_map,
        // One side may have a map though both cannot be compared.
        Some(Score::Missing(_)) => has_map || map.kind == MapKind::Difference,
        None => false,
    };
    // The run grew and is not read that far: its scores would have no place.
    let is_beyond = step as usize >= curves.len();
    if is_known || is_beyond || state.in_flight.step_scored.as_ref() == Some(&map) {
        return None;
    }
    let purpose = ScorePurpose::Stage { map: map.variant };
    let variants = stage_variants(state).cloned().collect();
    Some(ScoreKey { run, steps: vec![step], variants, purpose })
}

/// The rest of the curve, but for what comes with the scores of the stage. The last step is the first:
/// it is the one the library shows.
fn curve_scores(state: &State, of_stage: Option<&ScoreKey>) -> Option<ScoreKey> {
    let run = state.selection.run?;
    let variant = &state.curve_variant()?.id;
    let entry = state.library.runs.get(&run)?;
    // The stage's job may be for another run still, or by other variants.
    let of_stage = of_stage.filter(|key| key.run == run && key.variants.contains(variant));
    let mut steps: Vec<u32> = entry.curves.missing(variant).collect();
    steps.retain(|step| !of_stage.is_some_and(|key| key.steps.contains(step)));
    if steps.last() == Some(&entry.steps) {
        steps.rotate_right(1);
    }
    let variants = vec![variant.clone()];
    (!steps.is_empty()).then_some(ScoreKey { run, steps, variants, purpose: ScorePurpose::Curve })
}

/// The next steps of the curves that stand beside the chosen one: a few at a time, so that the chosen one never
/// waits long, and by all variants at once, as each step is drawn only once for them.
fn beside_scores(state: &State) -> Option<ScoreKey> {
    let run = state.selection.run?;
    let curves = &state.library.runs.get(&run)?.curves;
    let missing =
        |id: &VariantId| -> Vec<u32> { curves.missing(id).take(BESIDE_AT_ONCE).collect() };
    let open: Vec<(VariantId, Vec<u32>)> =
        state.curves_beside().map(|variant| (variant.id.clone(), missing(&variant.id))).collect();
    // One key for all curves: a step is drawn once and measured by every metric that lacks it.
    let steps: BTreeSet<u32> = open.iter().flat_map(|(_, steps)| steps).copied().collect();
    let steps: Vec<u32> = steps.into_iter().take(BESIDE_AT_ONCE).collect();
    let wants = |of: &[u32]| of.iter().any(|step| steps.contains(step));
    let variants = open.iter().filter(|(_, of)| wants(of)).map(|(id, _)| id.clone()).collect();
    (!steps.is_empty()).then_some(ScoreKey { run, steps, variants, purpose: ScorePurpose::Curve })
}

/// The scores of the table that are not there, its own step first.
fn table_scores(state: &State) -> Option<ScoreKey> {
    let run = state.selection.run?;
    let curves = &state.library.runs.get(&run)?.curves;
    let mut steps = table_steps(state);
    steps.retain(|step| {
        let mut listed = state.listed_variants();
        // Beyond the curve the run is not read, and a score would have no place.
        (*step as usize) < curves.len() && listed.any(|it| curves.get(&it.id, *step).is_none())
    });
    let variants = state.listed_variants().map(|variant| variant.id.clone()).collect();
    let key = ScoreKey { run, steps, variants, purpose: ScorePurpose::Table };
    (!key.steps.is_empty()).then_some(key)
}

/// The steps that all variants are shown for, while they are looked at: the selected one, the one before for
/// the change, the start and the last.
fn table_steps(state: &State) -> Vec<u32> {
    let others: &[u32] = match state.inspector_tab() {
        InspectorTab::Scores => &[0, state.last_step()],
        // It shows what the step changed by every metric.
        InspectorTab::Step => &[],
        InspectorTab::Nodes
        | InspectorTab::Plan
        | InspectorTab::Query
        | InspectorTab::WhatIf
        | InspectorTab::Labels
        | InspectorTab::Runs => return Vec::new(),
    };
    let step = state.selection.step;
    // In the order of their importance, as they are scored; a short run has some of them twice.
    let mut steps = vec![step];
    for other in [step.saturating_sub(1)].iter().chain(others) {
        if !steps.contains(other) {
            steps.push(*other);
        }
    }
    steps
}

/// Some steps of a run in sight that nobody has opened, once nothing else of the library is due.
fn sketch_scores(state: &State) -> Option<ScoreKey> {
    let is_due = !state.in_flight.finals_due.is_empty()
        || state.derived.scores_in_flight(Urgency::Library).next().is_some();
    if is_due || state.scoring_paused || state.workspace != Workspace::Inspect {
        return None;
    }
    state.in_flight.in_sight.iter().find_map(|run| {
        let entry = state.library.runs.get(run)?;
        // Where nothing was measured at its end, nothing will be before it.
        let is_scored = entry.last_score.as_ref().is_some_and(|score| score.value().is_some());
        let is_opened = state.selection.run == Some(*run) || entry.loaded.is_some();
        if !is_scored
            || is_opened
            || matches!(entry.state, RunState::Live | RunState::Unreadable(_))
        {
            return None;
        }
        let variant: VariantId = PrimaryMetric::of_run(&entry.manifest).variant().into();
        let parts = entry.steps.min(SKETCHED);
        // The last step has its score.
        let steps = (0..parts)
            .map(|part| (u64::from(part) * u64::from(entry.steps) / u64::from(parts)) as u32);
        let steps = steps.filter(|step| entry.curves.get(&variant, *step).is_none());
        let steps: Vec<u32> = steps.collect();
        let purpose = ScorePurpose::Sketch;
        (!steps.is_empty()).then(|| ScoreKey { run: *run, steps, variants: vec![variant], purpose })
    })
}

/// By what the last steps of all runs are measured beside the metric that stands for each: by what the table over all
/// runs shows, and by what the library is filtered by.
fn wanted_at_end(state: &State) -> Vec<VariantId> {
    let mut variants = state.explored_variants();
    for variant in filtered_variants(state) {
        if !variants.contains(&variant) {
            variants.push(variant);
        }
    }
    variants
}

/// The variants that the library is filtered by, but for those that stand for runs, which are measured anyhow.
fn filtered_variants(state: &State) -> Vec<VariantId> {
    // A filter half typed asks for nothing.
    let filter = Filter::parse(&state.library.filter, &state.variants).unwrap_or_default();
    let primary = [PrimaryMetric::Similarity, PrimaryMetric::Constraints];
    let others = filter.variants().filter(|id| primary.iter().all(|it| it.variant() != **id));
    others.cloned().collect()
}

/// Queues the runs that lack a score by what the library is filtered by, once it is.
pub(in crate::workbench) fn queue_filtered_scores(state: &mut State) {
    let filtered = filtered_variants(state);
    if filtered == state.in_flight.filtered_by {
        return;
    }
    let runs = state.library.runs.iter();
    let due = runs.filter(|(_, run)| filtered.iter().any(|variant| needs_score_by(run, variant)));
    state.in_flight.finals_due.extend(due.map(|(id, _)| *id));
    state.in_flight.filtered_by = filtered;
}

/// Takes the runs whose last scores are asked for next from their queue; those that need none leave it
/// on the way.
pub(in crate::workbench) fn take_last_scores(state: &mut State) -> Vec<ScoreKey> {
    let mut taken = Vec::new();
    let under_way = state.derived.scores_in_flight(Urgency::Library).count();
    let due = state.in_flight.finals_due.len() + under_way;
    // Counted from the most there ever were, as more are found while some are scored already.
    state.in_flight.finals_most = if due == 0 { 0 } else { state.in_flight.finals_most.max(due) };
    if due == 0 {
        return taken;
    }
    // Asked once: thousands of runs may leave the queue here.
    let wanted = wanted_at_end(state);
    while !state.scoring_paused
        && under_way + taken.len() < LAST_AT_ONCE
        && let Some(run) = next_due(state)
    {
        let Some(entry) = state.library.runs.get(&run) else { continue };
        if needs_last_score(state, run, entry, &wanted) {
            let variants = last_variants(entry, &wanted);
            let purpose = ScorePurpose::Last;
            taken.push(ScoreKey { run, steps: Vec::new(), variants, purpose });
        }
    }
    taken
}

/// Empties the queue where none in it needs a score any more, so that nobody waits for scores that never come.
pub(in crate::workbench) fn drop_needless_last_scores(state: &mut State) {
    if state.in_flight.finals_due.is_empty() {
        return;
    }
    let wanted = wanted_at_end(state);
    let needs_one = state.in_flight.finals_due.iter().any(|run| {
        let entry = state.library.runs.get(run);
        entry.is_some_and(|entry| needs_last_score(state, *run, entry, &wanted))
    });
    if !needs_one {
        state.in_flight.finals_due.clear();
    }
}

/// The next run to score: one whose row is in sight, or else the first.
fn next_due(state: &mut State) -> Option<RunId> {
    let due = &mut state.in_flight.finals_due;
    let in_sight = state.in_flight.in_sight.iter().find(|run| due.contains(run)).copied();
    match in_sight {
        Some(run) => due.take(&run),
        None => due.pop_first(),
    }
}

fn needs_last_score(state: &State, run: RunId, entry: &LibraryRun, wanted: &[VariantId]) -> bool {
    // The curve begins with the last step, so its first score is the one of the library.
    let comes_by_curve = state.selection.run == Some(run)
        && state
            .curve_variant()
            .is_some_and(|variant| variant.id == PrimaryMetric::of_run(&entry.manifest).variant());
    let is_readable = !matches!(entry.state, RunState::Live | RunState::Unreadable(_));
    let task = state.library.task(&entry.task);
    let is_comparable =
        task.is_some_and(|task| task.ground_truth.is_some() || task.brief.is_some());
    let wants_primary = entry.last_score.is_none() && !comes_by_curve;
    is_comparable
        && is_readable
        && (wants_primary || wanted.iter().any(|it| needs_score_by(entry, it)))
}

/// By what a run's last step is measured: by the metric that stands for it, and by those that are wanted of all.
fn last_variants(entry: &LibraryRun, wanted: &[VariantId]) -> Vec<VariantId> {
    let primary: VariantId = PrimaryMetric::of_run(&entry.manifest).variant().into();
    let others = wanted.iter().filter(|it| **it != primary && needs_score_by(entry, it));
    let mut variants: Vec<VariantId> = others.cloned().collect();
    if entry.last_score.is_none() {
        variants.insert(0, primary);
    }
    variants
}
