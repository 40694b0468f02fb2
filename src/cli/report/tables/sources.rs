//! What tables are made of: runs, plans and labels.

use super::super::super::labels::Label;
use super::super::super::plans::PlanFile;
use super::facts::{Columns, RunFacts};

/// What tables are made of.
#[derive(Debug, Default)]
pub(super) struct Sources {
    /// The scores of CANVAS.
    pub(super) canvas: Columns,
    /// The scores of GraphicBench and GraphicWeaver.
    pub(super) suite: Columns,
    /// The runs; those of a suite have its scores, all others those of CANVAS.
    pub(super) runs: Vec<RunFacts>,
    /// Published plans.
    pub(super) plans: Vec<PlanFile>,
    /// What people and judges said.
    pub(super) labels: Vec<Label>,
}

impl Sources {
    /// The runs of an environment.
    pub(super) fn runs_of<'a>(
        &'a self,
        environment: &'a str,
    ) -> impl Iterator<Item = &'a RunFacts> {
        self.runs.iter().filter(move |run| run.environment == environment)
    }
}
