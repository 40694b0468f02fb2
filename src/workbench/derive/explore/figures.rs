//! What the figures of the papers are made of, of the runs that are shown.

use std::sync::Arc;

use crate::evaluate::figures::{FigurePlan, FigureRun, FigureSources};
use crate::evaluate::{PrimaryMetric, RunDigest};
use crate::run::Outcome;
use crate::workbench::model::{LibraryRun, State};

impl State {
    /// The runs that are shown and whose calls are read, as figures take them.
    pub fn explore_figure_sources(&self) -> FigureSources {
        let mut sources = FigureSources::default();
        let metric = PrimaryMetric::Similarity;
        sources.curves.push((metric.variant().into(), metric.heading().to_owned()));
        for id in &self.explore.table.shown {
            let Some(run) = self.library.runs.get(id) else { continue };
            if run.manifest.outcome == Outcome::Running {
                // As in the tables of papers: neither is in any mean, and both are said below the figure.
                sources.unfinished += 1;
                continue;
            }
            let Some(digest) = run.digest.read() else {
                sources.unread += 1;
                continue;
            };
            if let Some(plan) = &digest.plan {
                sources.plans.push(FigurePlan {
                    model: run.manifest.agent.name.clone(),
                    steps: digest
                        .steps
                        .iter()
                        .map(|step| {
                            let expert = step.expert.map(|expert| expert.name().to_owned());
                            (expert, Some(digest.tool_of(step).to_owned()))
                        })
                        .collect(),
                    errors: plan.errors.clone(),
                    numbers: plan.numbers,
                });
            }
            sources.runs.push(FigureRun {
                model: run.manifest.agent.name.clone(),
                environment: run.manifest.environment.clone(),
                kind: self.library.task(&run.task).map(|task| task.kind),
                turns: run.manifest.totals.turns,
                digest: Arc::clone(digest),
                scores: scores_by_turn(run, digest),
            });
        }
        sources
    }
}

/// The score that stands for the run, at the start and the end of each turn; empty where its curve is not whole.
fn scores_by_turn(run: &LibraryRun, digest: &RunDigest) -> Vec<Vec<Option<f64>>> {
    let curve = run.curves.of(PrimaryMetric::Similarity.variant());
    if curve.is_empty() || curve.iter().any(Option::is_none) {
        return Vec::new();
    }
    let steps = [0].into_iter().chain(digest.turn_ends.iter().copied());
    let scores = steps.map(|step| curve.get(step as usize)?.as_ref()?.value());
    scores.map(|score| vec![score]).collect()
}
