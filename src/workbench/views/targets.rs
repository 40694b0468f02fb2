//! Steps worth going to.

use crate::workbench::{LibraryRun, State};

/// The smallest change of SSIM from one step to the next that counts as a gain or a loss to go to.
pub const NOTABLE_CHANGE: f64 = 0.005;

/// The next step where the score falls by at least [`NOTABLE_CHANGE`], and by no less than at the
/// steps before and after it: of a slide over several steps, the steepest.
pub fn next_loss(state: &State) -> Option<u32> {
    next_extreme(state, |delta| -delta)
}

/// The next step where the score rises, chosen as [`next_loss`] chooses.
pub fn next_gain(state: &State) -> Option<u32> {
    next_extreme(state, |delta| delta)
}

/// The first step with the highest score, among the scored ones.
pub fn best_step(run: &LibraryRun) -> Option<(u32, f64)> {
    scored(run).fold(None, |best, (step, value)| match best {
        Some((_, most)) if most >= value => best,
        _ => Some((step, value)),
    })
}

/// The last step that has a score.
pub fn last_scored_step(run: &LibraryRun) -> Option<(u32, f64)> {
    scored(run).last()
}

/// The next step whose call failed.
pub fn next_error(state: &State) -> Option<u32> {
    let run = state.selected_run()?.loaded.as_ref()?;
    run.steps
        .iter()
        .filter(|step| step.number > state.selection.step)
        .find(|step| step.outcome.as_ref().is_some_and(|outcome| outcome.failure.is_some()))
        .map(|step| step.number)
}

fn scored(run: &LibraryRun) -> impl Iterator<Item = (u32, f64)> + '_ {
    let values = run.curve.iter().map(|score| score.as_ref()?.value());
    (0..).zip(values).filter_map(|(step, value)| Some((step, value?)))
}

/// The change that the step made; `None` where either score is missing.
pub(super) fn delta(run: &LibraryRun, step: u32) -> Option<f64> {
    let value = |at: u32| run.curve.get(at as usize)?.as_ref()?.value();
    Some(value(step)? - value(step.checked_sub(1)?)?)
}

fn next_extreme(state: &State, goodness: impl Fn(f64) -> f64) -> Option<u32> {
    let run = state.selected_run()?;
    let change = |step: u32| delta(run, step).map(&goodness);
    let last = u32::try_from(run.curve.len()).ok()?;
    (state.selection.step + 1..last).find(|&step| {
        let beside = |at: u32| change(at).unwrap_or(f64::NEG_INFINITY);
        change(step).is_some_and(|now| {
            now >= NOTABLE_CHANGE && now > beside(step - 1) && now >= beside(step + 1)
        })
    })
}
