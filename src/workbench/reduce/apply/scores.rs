//! Scores that were computed.

use std::sync::Arc;

use crate::evaluate::PrimaryMetric;
use crate::metric::{MissingScore, Needs, Score, VariantSpec};
use crate::workbench::model::{
    DerivedKey, Fetched, JobId, LibraryRun, MapKey, NoticeLevel, RunState, ScoredStep, State,
    TableSources, Variants,
};
use crate::workbench::protocol::Request;
use crate::workbench::reduce::reconcile::give_up;

/// Scores of a step came, and maybe its maps.
pub(super) fn scored(state: &mut State, scored: ScoredStep) {
    let ScoredStep { run, step, scores, maps } = scored;
    let Some(entry) = state.library.runs.get_mut(&run) else { return };
    // A run that nobody read says how long it is by the step its last score is of.
    if entry.loaded.is_none() {
        entry.steps = entry.steps.max(step);
        // Of what nobody opened, a line is drawn through what is known.
        if entry.state != RunState::Live && entry.curves.len() <= entry.steps as usize {
            entry.curves.resize(entry.steps as usize + 1);
        }
    }
    let shown = PrimaryMetric::of_run(&entry.manifest).variant();
    for (variant, score) in scores {
        // What was asked meanwhile is not taken back by whoever looked before that.
        let is_unasked = score == Score::Missing(MissingScore::NotAsked);
        if is_unasked && entry.score_by(&variant, step).is_some() {
            continue;
        }
        entry.curves.put(&variant, step, score.clone());
        if variant == shown && is_newest(entry, step) {
            entry.last_score = Some(score);
        } else if step == entry.steps {
            entry.last_scores.insert(variant, score);
        }
    }
    // Kept though another step is shown by now: whoever goes back has it at once.
    for (variant, kind, map) in maps {
        let key = MapKey { run, step, variant, kind, against: None };
        state.derived.maps.insert(key, Fetched::Ready(Arc::new(map)));
    }
}

/// Takes in what is measured from now on. Scores that may be others now are forgotten, with all that is made of
/// them, and so asked for again: all but those of metrics that need no model and no caption, which is a model's
/// answer wherever it lies.
pub(super) fn models_used(
    state: &mut State,
    result: Result<Vec<VariantSpec>, String>,
) -> Vec<Request> {
    let variants = match result {
        Ok(variants) => variants,
        Err(why) => {
            state.notify(
                NoticeLevel::Error,
                format!("The files that scores go by cannot be used: {why}"),
            );
            state.models_problem = Some(why);
            return Vec::new();
        }
    };
    // Scores of these are the same before and after, and a long curve need not be measured again.
    let plain = Variants::default();
    for run in state.library.runs.values_mut() {
        run.curves.keep(|id| goes_by_no_file(&plain, id));
        run.last_scores.retain(|id, _| goes_by_no_file(&plain, id));
    }
    state.derived.maps.forget(|key, _| !goes_by_no_file(&plain, &key.variant));
    state.derived.ask_estimates.forget(|_, _| true);
    state.derived.slot_maps.forget(|key, _| !goes_by_no_file(&plain, &key.map_key().variant));
    state.in_flight.step_scored = None;
    // Variants keep their ids whatever model is behind them: what was forgotten is asked for as if it were new.
    state.explore.table.made_of = TableSources::default();
    state.in_flight.filtered_by.clear();
    state.variants = Variants::new(variants);
    forget_what_ifs(state, &plain)
}

/// Forgets what calls and tools brought by variants that may measure otherwise now, and gives up what is being made
/// by the files of before.
fn forget_what_ifs(state: &mut State, plain: &Variants) -> Vec<Request> {
    let derived = &mut state.derived;
    derived.branch_curves.forget(|key, _| !goes_by_no_file(plain, &key.variant));
    derived.effects.forget(|key, _| !goes_by_no_file(plain, &key.variant));
    derived.shapley.forget(|key, _| !goes_by_no_file(plain, &key.variant));
    derived.ablations.forget(|key, _| !goes_by_no_file(plain, &key.variant));
    let mut gone: Vec<JobId> = Vec::new();
    derived.in_flight.retain(|job, key| {
        let variant = match key {
            DerivedKey::BranchCurve(key) => &key.variant,
            DerivedKey::Effects(key) => &key.variant,
            DerivedKey::Shapley(key) => &key.variant,
            DerivedKey::Ablation(key) => &key.variant,
            _ => return true,
        };
        let is_kept = goes_by_no_file(plain, variant);
        if !is_kept {
            gone.push(*job);
        }
        is_kept
    });
    gone.into_iter().map(|job| give_up(state, job)).collect()
}

/// Whether a variant measures the same whatever files are chosen.
fn goes_by_no_file(plain: &Variants, id: &str) -> bool {
    plain.get(id).is_some_and(|variant| variant.needs != Needs::Captions)
}

/// Whether the score of this step is the one the library shows: that of the last step, or, while
/// the run is live, of the last step scored.
fn is_newest(entry: &LibraryRun, step: u32) -> bool {
    if step == entry.steps || entry.state != RunState::Live {
        return step == entry.steps;
    }
    let curve = entry.curves.of(PrimaryMetric::of_run(&entry.manifest).variant());
    curve.iter().rposition(Option::is_some) == Some(step as usize)
}
