//! Scores: of the step on the stage with its map, of the table, of the curve, of the library.
//!
//! A job answers step by step; at most one of each purpose is under way, but for the library's. What
//! they bring is kept in the curves of their run ([`Curves`](crate::workbench::Curves)), never evicted.

use std::sync::Arc;

use super::{Derivations, DerivedKey, Inputs, ResourceKey, RunInput, Urgency};
use crate::evaluate::PrimaryMetric;
use crate::metric::{ScalarMap, Score, VariantSpec};
use crate::task::Task;
use crate::workbench::library::{LibraryRun, RunId, RunState};
use crate::workbench::nodes::InspectorTab;
use crate::workbench::protocol::{MapKey, VariantId};
use crate::workbench::state::State;

/// Most bytes of maps kept, the one on the stage aside.
pub const MAP_CACHE_BYTES: usize = 96 << 20;
/// How many last scores are asked for at a time.
const LAST_AT_ONCE: usize = 4;

/// Steps of a run to score, the first named first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScoreKey {
    /// The run.
    pub run: RunId,
    /// Which steps, 0 the start state; none: the last one of a run that is still to be read.
    pub steps: Vec<u32>,
    /// By which variants.
    pub variants: Vec<VariantId>,
    /// What for.
    pub purpose: ScorePurpose,
}

/// What scores are for, and so how soon they are wanted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScorePurpose {
    /// For the stage, which shows the map of this variant.
    Stage {
        /// Which.
        map: VariantId,
    },
    /// For the table of all variants.
    Table,
    /// For the curve.
    Curve,
    /// For the library, which shows the last step by its [`PrimaryMetric`]; gives nothing of the run
    /// itself back.
    Last,
}

/// Scores of one step, as soon as they are known: those of one metric.
#[derive(Clone, Debug)]
pub struct ScoredStep {
    /// Of which run.
    pub run: RunId,
    /// After which step.
    pub step: u32,
    /// Scores by variant.
    pub scores: Vec<(VariantId, Score)>,
    /// A map with its variant, if asked for.
    pub map: Option<(VariantId, ScalarMap)>,
}

impl ResourceKey for MapKey {
    type Value = ScalarMap;
    const BUDGET: usize = MAP_CACHE_BYTES;

    fn cost(map: &ScalarMap) -> usize {
        map.values.len() * size_of::<f32>()
    }
}

impl ScorePurpose {
    /// How soon such scores are wanted.
    pub fn urgency(&self) -> Urgency {
        match self {
            Self::Stage { .. } => Urgency::Stage,
            Self::Table => Urgency::Table,
            Self::Curve => Urgency::Curve,
            Self::Last => Urgency::Library,
        }
    }
}

impl ScoreKey {
    /// What the scores are made of.
    pub(super) fn inputs(&self, state: &State) -> Option<Inputs> {
        if self.purpose != ScorePurpose::Last {
            return scorable(state, self.run);
        }
        let entry = state.library.runs.get(&self.run)?;
        let task = Arc::clone(state.library.shared_task(&entry.manifest.task)?);
        let manifest = Box::new(entry.manifest.clone());
        let run = RunInput::Unread { dir: entry.dir.clone(), manifest };
        Some(Inputs { task: Some(task), run: Some(run) })
    }
}

impl Derivations {
    /// The scores under way that are this urgent.
    fn scores_in_flight(&self, urgency: Urgency) -> impl Iterator<Item = &ScoreKey> {
        self.in_flight.values().filter_map(move |key| match key {
            DerivedKey::Scores(key) if key.purpose.urgency() == urgency => Some(key),
            _ => None,
        })
    }
}

/// The task and the run of a score; `None` if the run is not there or there is nothing to measure it by.
/// A run whose task set is not open has the query of its own plan.
pub(super) fn scorable(state: &State, run: RunId) -> Option<Inputs> {
    let entry = state.library.runs.get(&run)?;
    let run = Arc::clone(entry.loaded.as_ref()?);
    let known = state.library.shared_task(&entry.manifest.task).cloned();
    let task = known.or_else(|| Task::of_plan(&run).map(Arc::new))?;
    let inputs = Inputs { task: Some(Arc::clone(&task)), run: Some(RunInput::Loaded(run)) };
    task.is_measurable().then_some(inputs)
}

/// Whether scores under way do not matter any more. Those for the library always do.
pub(in crate::workbench) fn is_stale(state: &State, key: &ScoreKey) -> bool {
    let is_elsewhere = state.selection.run != Some(key.run);
    match &key.purpose {
        ScorePurpose::Stage { .. } => {
            let step = state.selection.step;
            is_elsewhere || !key.steps.contains(&step) || key.variants != stage_variants(state)
        }
        ScorePurpose::Curve => {
            let curve = state.curve_variant().map(|variant| &variant.id);
            is_elsewhere || key.variants.first() != curve
        }
        ScorePurpose::Table => {
            let wanted = table_steps(state);
            is_elsewhere || !wanted.first().is_some_and(|step| key.steps.contains(step))
        }
        ScorePurpose::Last => false,
    }
}

/// The next scores to ask for that are this urgent; `None` where they are known or under way.
pub(in crate::workbench) fn next_scores(state: &mut State, urgency: Urgency) -> Option<ScoreKey> {
    if urgency == Urgency::Library {
        return last_score(state);
    }
    if state.derived.scores_in_flight(urgency).next().is_some() {
        return None;
    }
    match urgency {
        Urgency::Stage => step_scores(state),
        Urgency::Table => table_scores(state),
        Urgency::Curve => curve_scores(state),
        Urgency::Ahead | Urgency::Timeline | Urgency::Library => None,
    }
}

/// The variants of the step on the stage: the heat's first, then the curve's.
fn stage_variants(state: &State) -> Vec<VariantId> {
    let heat = state.heat_variant().map(|variant| variant.id.clone());
    let curve = state.curve_variant().map(|variant| variant.id.clone());
    let curve = curve.filter(|curve| Some(curve) != heat.as_ref());
    heat.into_iter().chain(curve).collect()
}

fn step_scores(state: &State) -> Option<ScoreKey> {
    let (run, step) = (state.selection.run?, state.selection.step);
    // Without a ground truth there is no map, and the rest comes with the curve.
    state.selected_task()?.ground_truth.as_ref()?;
    let map = state.heat_key()?;
    let curves = &state.library.runs.get(&run)?.curves;
    let is_known = match curves.get(&map.variant, step) {
        Some(Score::Value(_)) => state.derived.maps.ready(&map).is_some(),
        Some(Score::Missing(_)) => true,
        None => false,
    };
    let is_beyond = step as usize >= curves.len();
    if is_known || is_beyond || state.in_flight.step_scored.as_ref() == Some(&map) {
        return None;
    }
    let purpose = ScorePurpose::Stage { map: map.variant };
    Some(ScoreKey { run, steps: vec![step], variants: stage_variants(state), purpose })
}

fn curve_scores(state: &State) -> Option<ScoreKey> {
    let run = state.selection.run?;
    let variant = state.curve_variant()?.id.clone();
    let steps = unscored_steps(state, run, &variant);
    let key = ScoreKey { run, steps, variants: vec![variant], purpose: ScorePurpose::Curve };
    (!key.steps.is_empty()).then_some(key)
}

/// Steps without a score that is on its way, the last one first: it is the one the library shows.
fn unscored_steps(state: &State, run: RunId, variant: &VariantId) -> Vec<u32> {
    let Some(entry) = state.library.runs.get(&run) else { return Vec::new() };
    let under_way = state.derived.scores_in_flight(Urgency::Stage);
    let under_way = under_way.filter(|key| key.run == run && key.variants.contains(variant));
    let under_way: Vec<u32> = under_way.flat_map(|key| key.steps.iter().copied()).collect();
    let steps = entry.curves.missing(variant).filter(|step| !under_way.contains(step));
    let mut steps: Vec<u32> = steps.collect();
    if steps.last() == Some(&entry.steps) {
        steps.rotate_right(1);
    }
    steps
}

/// The scores of the table that are not there, its own step first.
fn table_scores(state: &State) -> Option<ScoreKey> {
    let run = state.selection.run?;
    let curves = &state.library.runs.get(&run)?.curves;
    let is_open = |variant: &VariantSpec, step: u32| curves.get(&variant.id, step).is_none();
    let mut steps = table_steps(state);
    steps.retain(|step| {
        (*step as usize) < curves.len() && state.listed_variants().any(|v| is_open(v, *step))
    });
    let variants = state.listed_variants().map(|variant| variant.id.clone()).collect();
    let key = ScoreKey { run, steps, variants, purpose: ScorePurpose::Table };
    (!key.steps.is_empty()).then_some(key)
}

/// The steps the table has columns for, while it is looked at: the selected one, the one before for
/// the change, the start and the last.
fn table_steps(state: &State) -> Vec<u32> {
    if state.settings.inspector_tab != InspectorTab::Scores {
        return Vec::new();
    }
    let (step, last) = (state.selection.step, state.last_step());
    let mut steps = vec![step];
    for other in [step.saturating_sub(1), 0, last] {
        if !steps.contains(&other) {
            steps.push(other);
        }
    }
    steps
}

/// The next run whose last score is due; those that need none are passed over.
fn last_score(state: &mut State) -> Option<ScoreKey> {
    if state.derived.scores_in_flight(Urgency::Library).count() >= LAST_AT_ONCE {
        return None;
    }
    loop {
        let run = state.in_flight.finals_due.pop_first()?;
        let Some(entry) = state.library.runs.get(&run) else { continue };
        if needs_last_score(state, run, entry) {
            let variants = vec![PrimaryMetric::of_run(&entry.manifest).variant().into()];
            return Some(ScoreKey {
                run,
                steps: Vec::new(),
                variants,
                purpose: ScorePurpose::Last,
            });
        }
    }
}

fn needs_last_score(state: &State, run: RunId, entry: &LibraryRun) -> bool {
    let comes_by_curve = state.selection.run == Some(run)
        && state
            .curve_variant()
            .is_some_and(|variant| variant.id == PrimaryMetric::of_run(&entry.manifest).variant());
    let is_readable = !matches!(entry.state, RunState::Live | RunState::Unreadable(_));
    let task = state.library.task(&entry.manifest.task);
    let is_comparable =
        task.is_some_and(|task| task.ground_truth.is_some() || task.brief.is_some());
    is_comparable && is_readable && entry.last_score.is_none() && !comes_by_curve
}
