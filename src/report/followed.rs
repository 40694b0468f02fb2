//! One variant over a run, for the report.

use crate::metric::behavior::Curve;
use crate::metric::{Direction, Measured, MissingScore, ScalarMap, Score, VariantSpec};

/// One variant over a run.
#[derive(Clone, Debug)]
pub(super) struct Followed {
    /// Which.
    pub(super) variant: VariantSpec,
    /// The score after each step; the first is that of the start.
    pub(super) scores: Vec<Score>,
    /// The map of the last score, if it was asked for.
    pub(super) map: Option<ScalarMap>,
}

impl Followed {
    /// Nothing yet.
    pub(super) fn new(variant: &VariantSpec) -> Self {
        Self { variant: variant.clone(), scores: Vec::new(), map: None }
    }

    /// Takes the score of the next step, if it is among these.
    pub(super) fn take(&mut self, measured: &[Measured]) {
        let found = measured.iter().find(|it| it.variant.id == self.variant.id);
        // A place for every step, also for one that was not measured: steps are found by their number.
        self.scores.push(found.map_or_else(
            || Score::Missing(MissingScore::Undefined("it was not measured".to_owned())),
            |measured| measured.measurement.score.clone(),
        ));
        self.map = found
            .and_then(|measured| measured.measurement.evidence.clone())
            .and_then(crate::metric::Evidence::into_map);
    }

    /// Takes the score of the last step again, as nothing changed.
    pub(super) fn repeat(&mut self) {
        self.scores.extend(self.scores.last().cloned());
    }

    /// The score at the end.
    pub(super) fn last(&self) -> Option<&Score> {
        self.scores.last()
    }

    /// The step with the best score, and that score, infinite where the pictures were equal; the first of equals, where
    /// the run got there.
    pub(super) fn best(&self) -> Option<(usize, f64)> {
        let best = Curve::of(&self.scores, self.variant.direction).best()?;
        Some((best.at, best.value))
    }

    /// What a step changed; `None` if one side has no score.
    pub(super) fn gain(&self, step: usize) -> Option<f64> {
        // The start has no step before it, and so no gain.
        let before = self.scores.get(step.checked_sub(1)?)?.value()?;
        Some(self.scores.get(step)?.value()? - before)
    }

    /// Which way is better.
    pub(super) fn direction(&self) -> Direction {
        self.variant.direction
    }

    /// What it is called, the variant only where a label is no name: `SSIM · gaussian`.
    pub(super) fn name(&self) -> String {
        format!("{} · {}", self.variant.label, self.variant.variant_label)
    }
}

/// A value as it is printed, be it infinite.
pub(super) fn value_words(value: f64) -> String {
    if value.is_infinite() { "infinite".to_owned() } else { format!("{value:.3}") }
}
