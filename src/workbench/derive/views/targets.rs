//! Steps worth going to.

use crate::metric::{Direction, Score, VariantSpec};
use crate::workbench::model::{LibraryRun, RunState, State};

/// The smallest change of a score within 0..=1 from one step to the next that counts as a gain or a
/// loss to go to. A score of another range counts in parts of its largest value, one without bounds
/// in parts of what the run spans.
pub const NOTABLE_CHANGE: f64 = 0.005;

/// The next step where the score gets worse by at least [`NOTABLE_CHANGE`], and by no less than at
/// the steps before and after it: of a slide over several steps, the steepest.
pub fn next_loss(state: &State) -> Option<u32> {
    extremes(state, |gain| -gain)?.find(|step| *step > state.selection.step)
}

/// The step before where the score gets worse, chosen as [`next_loss`] chooses.
pub fn previous_loss(state: &State) -> Option<u32> {
    extremes(state, |gain| -gain)?.take_while(|step| *step < state.selection.step).last()
}

/// The next step where the score gets better, chosen as [`next_loss`] chooses.
pub fn next_gain(state: &State) -> Option<u32> {
    extremes(state, |gain| gain)?.find(|step| *step > state.selection.step)
}

/// The step before where the score gets better, chosen as [`next_loss`] chooses.
pub fn previous_gain(state: &State) -> Option<u32> {
    extremes(state, |gain| gain)?.take_while(|step| *step < state.selection.step).last()
}

/// The first step with the best score by a variant, among the scored ones; it is infinite where the run was equal to the
/// ground truth by a score without a bound. The start is nobody's work, and so no peak, however near an empty page is
/// to a pale design.
pub fn best_step(run: &LibraryRun, variant: &VariantSpec) -> Option<(u32, f64)> {
    scored(run, variant).filter(|(step, _)| *step > 0).fold(
        None,
        |best, (step, value)| match best {
            // Of equals the first: what came after did not make it better.
            Some((_, most)) if !variant.is_better(value, most) => best,
            _ => Some((step, value)),
        },
    )
}

/// The next step whose call failed.
pub fn next_error(state: &State) -> Option<u32> {
    let run = state.selected_run()?.loaded.as_ref()?;
    run.steps
        .iter()
        .filter(|step| step.number > state.selection.step && is_in_range(state, step.number))
        .find(|step| step.outcome.as_ref().is_some_and(|outcome| outcome.failure.is_some()))
        .map(|step| step.number)
}

/// Whether a step is in the range that was marked; without one, all are.
pub fn is_in_range(state: &State, step: u32) -> bool {
    state.selection.range.is_none_or(|range| range.contains(step))
}

/// How the curve of a run went, by a variant: how far its end is from its peak.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveEnd {
    /// The first step with the best score, and the score, which may be infinite.
    pub peak: (u32, f64),
    /// Its last step.
    pub end: EndOfCurve,
    /// Whether the run goes on: its end is only where it is now.
    pub is_live: bool,
}

/// Where the curve of a run ends. No step before the last is its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EndOfCurve {
    /// At its best.
    AtBest {
        /// The score there, which may be infinite.
        value: f64,
    },
    /// Worse than it was.
    Fallen {
        /// The score there.
        value: f64,
        /// By how much it is worse than the peak; infinite, if the peak is.
        by: f64,
    },
    /// Where nothing is known: the last step can have no score.
    NotScored,
}

/// How the curve of a run went; `None` while no step has a score by the variant, and while that of the last is not
/// known. Of a run that goes on, the last step that is known counts.
pub fn curve_end(run: &LibraryRun, variant: &VariantSpec) -> Option<CurveEnd> {
    let peak = best_step(run, variant)?;
    let (scores, is_live) = (run.curves.of(&variant.id), run.state == RunState::Live);
    let last = if is_live { scores.iter().flatten().next_back() } else { scores.last()?.as_ref() };
    let end = match last?.value_or_infinity() {
        None => EndOfCurve::NotScored,
        // Nothing is better than an infinite one, and from one to another there is no difference.
        Some(value) if value.is_infinite() => EndOfCurve::AtBest { value },
        Some(value) => {
            let by = gain(variant, peak.1 - value);
            // What rounds to 0.000 is no fall.
            if by < 0.000_5 {
                EndOfCurve::AtBest { value }
            } else {
                EndOfCurve::Fallen { value, by }
            }
        }
    };
    Some(CurveEnd { peak, end, is_live })
}

/// How much better a change makes a score: the change itself, or its opposite where less is better.
pub fn gain(variant: &VariantSpec, change: f64) -> f64 {
    match variant.direction {
        Direction::HigherIsBetter => change,
        Direction::LowerIsBetter => -change,
    }
}

/// The steps with a score, be it infinite.
fn scored<'a>(
    run: &'a LibraryRun,
    variant: &'a VariantSpec,
) -> impl Iterator<Item = (u32, f64)> + 'a {
    let scores = run.curves.of(&variant.id).iter();
    let values = scores.map(|score| score.as_ref()?.value_or_infinity());
    (0..).zip(values).filter_map(|(step, value)| Some((step, value?)))
}

/// The change that the step made, by the scores after each; `None` where either is missing.
pub(super) fn delta(scores: &[Option<Score>], step: u32) -> Option<f64> {
    let value = |step: u32| scores.get(step as usize)?.as_ref()?.value();
    Some(value(step)? - value(step.checked_sub(1)?)?)
}

fn notable(run: &LibraryRun, variant: &VariantSpec) -> f64 {
    let (low, high) = variant.range;
    let largest = low.abs().max(high.abs());
    if largest.is_finite() {
        return NOTABLE_CHANGE * largest;
    }
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (_, value) in scored(run, variant).filter(|(_, value)| value.is_finite()) {
        (low, high) = (low.min(value), high.max(value));
    }
    // Without a score there is no span, and nothing that could be notable.
    NOTABLE_CHANGE * (high - low).max(0.0)
}

/// The next step with a star or a note.
pub fn next_note(state: &State) -> Option<u32> {
    noted(state)?.find(|step| *step > state.selection.step)
}

/// The step before with a star or a note.
pub fn previous_note(state: &State) -> Option<u32> {
    noted(state)?.take_while(|step| *step < state.selection.step).last()
}

/// The steps of the selected run with a star or a note, in order.
fn noted(state: &State) -> Option<impl Iterator<Item = u32> + '_> {
    let steps = state.notes.of(state.selected_run()?)?.steps.keys().copied();
    Some(steps.filter(|step| is_in_range(state, *step)))
}

/// The steps that are peaks of this, in order.
fn extremes<'a>(
    state: &'a State,
    goodness: impl Fn(f64) -> f64 + 'a,
) -> Option<impl Iterator<Item = u32> + 'a> {
    let (run, variant) = (state.selected_run()?, state.curve_variant()?);
    // Above zero in any case: of a run whose score never changes, every step would be a peak.
    let notable = notable(run, variant).max(f64::MIN_POSITIVE);
    let last = u32::try_from(run.curves.len()).ok()?;
    let peaks = (1..last).filter(move |&step| {
        let [before, now, after] = [step - 1, step, step + 1].map(|at| {
            // A step whose score is not known yet is beside every peak.
            let change =
                delta(run.curves.of(&variant.id), at).map(|change| goodness(gain(variant, change)));
            change.unwrap_or(f64::NEG_INFINITY)
        });
        // Of a plateau its first step: no two of it are peaks.
        is_in_range(state, step) && now >= notable && now > before && now >= after
    });
    Some(peaks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::{MissingScore, Registry};
    use crate::run::{AgentRef, Manifest, TaskRef};
    use crate::workbench::model::Curves;

    const PSNR: &str = "psnr/skimage";

    /// How a run went whose start and steps have these scores.
    fn went(scores: Vec<Option<Score>>, state: RunState) -> Option<CurveEnd> {
        let agent =
            AgentRef { kind: "tracer".to_owned(), name: "tracer".to_owned(), version: None };
        let manifest = Manifest::new(TaskRef::new("screens", "login"), agent, "");
        let run = LibraryRun::new(manifest, "/runs/a".into(), state);
        let run = LibraryRun { curves: Curves::of_one(PSNR, scores), ..run };
        curve_end(&run, Registry::built_in().variant(PSNR).unwrap())
    }

    #[test]
    fn a_run_that_becomes_equal_to_the_truth_peaks_and_ends_there() {
        let [near, nearer] = [29.0, 34.0].map(|value| Some(Score::Value(value)));
        let equal = Some(Score::Missing(MissingScore::infinite()));
        let scores = vec![near.clone(), nearer.clone(), equal.clone()];
        let end = went(scores, RunState::Finished).unwrap();
        assert_eq!(end.peak, (2, f64::INFINITY));
        assert_eq!(end.end, EndOfCurve::AtBest { value: f64::INFINITY });
        let scores = vec![near.clone(), equal.clone(), equal.clone()];
        let end = went(scores, RunState::Finished).unwrap();
        assert_eq!(end.peak.0, 1);
        assert_eq!(end.end, EndOfCurve::AtBest { value: f64::INFINITY });
        let end = went(vec![near, equal, nearer], RunState::Finished).unwrap();
        assert_eq!(end.end, EndOfCurve::Fallen { value: 34.0, by: f64::INFINITY });
    }

    #[test]
    fn a_run_ends_at_its_last_step_and_at_no_other() {
        let [start, peak] = [29.0, 34.0].map(|value| Some(Score::Value(value)));
        let missing = Some(Score::Missing(MissingScore::NoPicture("it is torn".to_owned())));
        let scores = vec![start.clone(), peak.clone(), missing];
        for state in [RunState::Finished, RunState::Live] {
            let end = went(scores.clone(), state).unwrap();
            assert_eq!((end.peak, end.end), ((1, 34.0), EndOfCurve::NotScored));
        }
        // What is not known yet may be anything; a run that goes on is where it was seen last.
        let scores = vec![start, peak, None];
        assert_eq!(went(scores.clone(), RunState::Finished), None);
        let end = went(scores, RunState::Live).unwrap();
        assert_eq!(end.end, EndOfCurve::AtBest { value: 34.0 });
    }
}
