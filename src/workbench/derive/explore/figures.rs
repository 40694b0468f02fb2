//! What the figures of the papers are made of: the runs that are shown, and what people said and did.

use std::collections::BTreeSet;
use std::hash::Hash as _;
use std::path::Path;
use std::sync::Arc;

use super::hashed;
use crate::evaluate::figures::{
    Attempt, FIGURES, Figure, FigureRun, FigureSources, SUCCESS_BY_DIFFICULTY, TIME_AND_SUCCESS,
    canvas_curves,
};
use crate::evaluate::studies::StudyAttempt;
use crate::evaluate::{RunDigest, has_come_to_end};
use crate::study::{ParticipantKind, Trial};
use crate::task::Task;
use crate::workbench::model::{
    ExplorePanel, ExploreTable, FigureInput, FiguresKey, LabelsInput, LibraryRun, PaperFigures,
    RunId, ShownIn, State,
};

/// The figures that attempts are counted in.
pub(super) const SUCCESS_FIGURES: [&str; 2] = [SUCCESS_BY_DIFFICULTY, TIME_AND_SUCCESS];

impl State {
    /// What of the runs that are shown and whose calls are read figures take, of the labelling project that is open
    /// and of the study that is.
    pub(in crate::workbench) fn explore_figure_input(&self) -> FigureInput {
        let curves = canvas_curves(self.variants.iter());
        let mut known = FigureSources { curves, ..FigureSources::default() };
        for id in &self.explore.table.shown {
            let Some(run) = self.library.runs.get(id) else { continue };
            if !has_come_to_end(&run.manifest) {
                // As in the tables of papers: neither is in any mean, and both are said below the figure.
                known.unfinished += 1;
                continue;
            }
            let Some(digest) = run.digest.read() else {
                known.unread += 1;
                continue;
            };
            let scores = scores_by_turn(run, digest, &known);
            known.runs.push(FigureRun {
                number: Some(id.0),
                model: run.manifest.agent.name.clone(),
                environment: run.manifest.environment.clone(),
                kind: self.explored_task(*id).map(|task| task.kind),
                turns: run.manifest.totals.turns,
                has_failed: run.manifest.outcome.is_failure(),
                digest: Arc::clone(digest),
                scores,
                ..FigureRun::default()
            });
        }
        let elsewhere = self.trials_elsewhere();
        let elsewhere = elsewhere.iter().filter_map(|trial| StudyAttempt::of_trial(trial));
        known.attempts.extend(elsewhere.map(|attempt| Attempt::from(&attempt)));
        // As everywhere, nothing of what anybody said shows while somebody labels blind.
        let labels = self.annotate.labels.as_ref().filter(|_| !self.annotate.hides_labels());
        let labels = labels.map(|labels| LabelsInput {
            labels: Arc::clone(labels),
            ledger: Arc::clone(&self.annotate.ledger),
        });
        FigureInput { known, labels }
    }

    /// The task of a run in the table: by its place, as a search for each of thousands takes too long.
    pub(in crate::workbench) fn explored_task(&self, run: RunId) -> Option<&Task> {
        let place = self.explore.table.runs.get(run)?.task?;
        let set = self.library.sets.get(place.set)?;
        set.set.tasks.get(place.task?).map(|task| &**task)
    }

    /// A figure of the papers: as the worker made it of what is shown now, or else made here.
    pub(super) fn paper_figure(&self, id: &str) -> Result<Figure, String> {
        let key = self.explore_figures_key();
        let made = key.and_then(|key| self.derived.paper_figures.ready(&key));
        match FIGURES.iter().enumerate().find(|(_, kind)| kind.id == id) {
            Some((place, kind)) => match made.and_then(|made| made.0.get(place)) {
                Some(figure) => figure.clone(),
                None => kind.make(&self.explore_figure_input().sources()),
            },
            None => Err(format!("there is no figure {id}")),
        }
    }

    /// Which figures of the papers are wanted; `None` while they are not shown, and while calls of runs are still being
    /// read: each block of them would have all figures made anew.
    pub fn explore_figures_key(&self) -> Option<FiguresKey> {
        let is_shown = self.shows_explore() && self.explore.view.panel == ExplorePanel::Figures;
        if !is_shown || self.in_flight.unread.are_any(&self.library.runs) {
            return None;
        }
        Some(FiguresKey(self.explore_figures_revision()))
    }

    /// The figures of the papers of what is shown now, or while they are made those made last.
    pub fn explored_figures(&self) -> Option<&PaperFigures> {
        let known = &self.derived.paper_figures;
        let now = self.explore_figures_key().and_then(|key| known.ready(&key));
        let figures = match now {
            Some(figures) => figures,
            None => known.ready(known.shown(ShownIn::Main)?)?,
        };
        Some(figures)
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
            self.explore.table.figures.map(|(_, revision)| revision).hash(hasher);
            (annotate.ledger.len(), annotate.hides_labels()).hash(hasher);
            annotate.labels.as_ref().map(|labels| Arc::as_ptr(labels).addr()).hash(hasher);
            if let Some(desk) = desk {
                // Its attempts whose runs are open count with these, if the filter shows them.
                let (open, filter) = (self.library.runs.len(), self.explored_filter());
                (Arc::as_ptr(&desk.record).addr(), open, filter).hash(hasher);
            }
        })
    }

    /// A hash of what figures take of the runs that a table shows: the score at a run's end is nothing to them, so that
    /// they are not made anew for each while runs are scored.
    pub(super) fn shown_figures_revision(&self, table: &ExploreTable) -> u64 {
        hashed(|hasher| {
            table.made_of.sets.hash(hasher);
            for id in &table.shown {
                let Some(run) = self.library.runs.get(id) else { continue };
                let digest = run.digest.read().map(|digest| Arc::as_ptr(digest).addr());
                let totals = &run.manifest.totals;
                (id, digest, run.steps, totals.turns).hash(hasher);
                (has_come_to_end(&run.manifest), run.manifest.outcome.is_failure()).hash(hasher);
                run.curves.hash_whole(hasher);
            }
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
    let whole: Vec<Option<&str>> = ids.map(|id| run.curves.is_whole(id).then_some(id)).collect();
    if whole.iter().all(Option::is_none) {
        return Vec::new();
    }
    let steps = [0].into_iter().chain(digest.turn_ends.iter().copied());
    let scores = steps.map(|step| whole.iter().map(|id| run.curves.value((*id)?, step)).collect());
    scores.collect()
}
