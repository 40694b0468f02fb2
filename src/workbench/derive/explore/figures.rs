//! What the figures of the papers are made of: the runs that are shown, and what people said and did.

use std::collections::BTreeSet;
use std::hash::Hash as _;
use std::path::Path;
use std::sync::Arc;

use super::hashed;
use crate::evaluate::figures::{
    Attempt, FigurePlan, FigureRun, FigureSources, SUCCESS_BY_DIFFICULTY, TIME_AND_SUCCESS,
    canvas_curves, project_attempts, project_preferences,
};
use crate::evaluate::studies::StudyAttempt;
use crate::evaluate::{Condition, RunDigest, has_come_to_end};
use crate::study::{ParticipantKind, Trial};
use crate::workbench::model::{Curves, LibraryRun, State};

/// The figures that attempts are counted in.
pub(super) const SUCCESS_FIGURES: [&str; 2] = [SUCCESS_BY_DIFFICULTY, TIME_AND_SUCCESS];

impl State {
    /// The runs that are shown and whose calls are read, as figures take them, with the answers of the labelling
    /// project that is open and the attempts of the study that is.
    pub fn explore_figure_sources(&self) -> FigureSources {
        let curves = canvas_curves(self.variants.iter());
        let mut sources = FigureSources { curves, ..FigureSources::default() };
        for id in &self.explore.table.shown {
            let Some(run) = self.library.runs.get(id) else { continue };
            if !has_come_to_end(&run.manifest) {
                // As in the tables of papers: neither is in any mean, and both are said below the figure.
                sources.unfinished += 1;
                continue;
            }
            let Some(digest) = run.digest.read() else {
                sources.unread += 1;
                continue;
            };
            let (condition, others) = Condition::of(&run.manifest);
            if let Some(plan) = &digest.plan {
                sources.plans.push(FigurePlan {
                    model: run.manifest.agent.name.clone(),
                    condition: condition.clone(),
                    others: others.clone(),
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
                    ..FigurePlan::default()
                });
            }
            let scores = scores_by_turn(run, digest, &sources);
            sources.runs.push(FigureRun {
                model: run.manifest.agent.name.clone(),
                condition,
                others,
                environment: run.manifest.environment.clone(),
                kind: self.library.task(&run.task).map(|task| task.kind),
                turns: run.manifest.totals.turns,
                has_failed: run.manifest.outcome.is_failure(),
                digest: Arc::clone(digest),
                scores,
                ..FigureRun::default()
            });
        }
        sources.name_rows();
        // As everywhere, nothing of what anybody said shows while somebody labels blind.
        let labels = self.annotate.labels.as_ref().filter(|_| !self.annotate.hides_labels());
        if let Some(labels) = labels {
            let (forms, items, ledger) = (&labels.forms, &labels.items, &self.annotate.ledger);
            sources.preferences = project_preferences(forms, items, ledger);
            sources.attempts = project_attempts(forms, items, ledger);
        }
        let elsewhere = self.trials_elsewhere();
        let elsewhere = elsewhere.iter().filter_map(|trial| StudyAttempt::of_trial(trial));
        sources.attempts.extend(elsewhere.map(|attempt| Attempt::from(&attempt)));
        sources
    }

    /// People's attempts of the study that is open in *Assist* whose runs are not: those of runs that are open are
    /// shown, or the filter hides them. With a filter there are none, as nobody knows whether they pass it.
    pub(super) fn trials_elsewhere(&self) -> Vec<&Trial> {
        let desk = self.study_desk().filter(|_| self.explored_filter().is_none());
        let Some(desk) = desk else { return Vec::new() };
        let runs = self.library.runs.values();
        let runs: BTreeSet<&Path> = runs.map(|run| run.dir.as_path()).collect();
        // Scripts count only where somebody asks for their runs by the filter.
        let people = desk.record.people.iter();
        let people = people.filter(|person| person.by == ParticipantKind::Person);
        let trials = people.flat_map(|person| &person.trials);
        let elsewhere = trials.filter(|(dir, _)| !runs.contains(dir.as_path()));
        elsewhere.map(|(_, trial)| trial).collect()
    }

    /// A number that is another wherever figures of the papers may be.
    pub fn explore_figures_revision(&self) -> u64 {
        let (annotate, desk) = (&self.annotate, self.study_desk());
        hashed(|hasher| {
            self.explore.table.made().hash(hasher);
            (annotate.ledger.len(), annotate.hides_labels()).hash(hasher);
            annotate.labels.as_ref().map(|labels| Arc::as_ptr(labels).addr()).hash(hasher);
            desk.map(|desk| Arc::as_ptr(&desk.record).addr()).hash(hasher);
        })
    }
}

/// The scores at the start and the end of each turn, by those curves that are whole; empty where none is.
fn scores_by_turn(
    run: &LibraryRun,
    digest: &RunDigest,
    sources: &FigureSources,
) -> Vec<Vec<Option<f64>>> {
    let ids = sources.curves.iter().map(|(id, _)| &**id);
    let whole: Vec<Option<&str>> = ids.map(|id| is_whole(&run.curves, id).then_some(id)).collect();
    if whole.iter().all(Option::is_none) {
        return Vec::new();
    }
    let steps = [0].into_iter().chain(digest.turn_ends.iter().copied());
    let scores = steps.map(|step| whole.iter().map(|id| run.curves.value((*id)?, step)).collect());
    scores.collect()
}

fn is_whole(curves: &Curves, variant: &str) -> bool {
    let curve = curves.of(variant);
    !curve.is_empty() && curve.iter().all(Option::is_some)
}
