//! What a report says of a run: its canvas replayed and scored at every step.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::base::{CancelToken, Cancelled, Pixels};
use crate::environment::{EnvironmentKind, OpenEnvironment};
use crate::evaluate::RunCanvas;
use crate::evaluate::{ComparedSide, ComparedTask, Scorer, Wanted, compared_step};
use crate::metric::{Measured, MissingScore, Needs, VariantSpec};
use crate::run::{Manifest, Run};
use crate::task::Task;

use super::followed::Followed;
use super::player::Player;

/// A run, its scores at every step, and the pictures of its end.
#[derive(Debug)]
pub struct RunReport {
    /// The run.
    pub(super) run: Arc<Run>,
    /// What it was an attempt at, if the task set was found.
    pub(super) task: Option<Arc<Task>>,
    /// Its folder, as it was given.
    pub(super) dir: String,
    /// The variant that leads: steps and heat are shown by it.
    pub(super) lead: Followed,
    /// The other variants.
    pub(super) others: Vec<Followed>,
    /// The canvas after the last step.
    pub(super) canvas: Option<Pixels>,
    /// What it was to become.
    pub(super) ground_truth: Option<Pixels>,
    /// What could not be had, for people.
    pub(super) problems: Vec<String>,
}

/// What runs are scored by: who scores, and the variants that are shown, the leading one first.
pub struct Measuring<'a> {
    /// Who scores.
    pub scorer: &'a Scorer,
    /// The variant that leads.
    pub lead: &'a VariantSpec,
    /// The others.
    pub others: Vec<&'a VariantSpec>,
    /// Makes environments.
    pub open_environment: &'a OpenEnvironment,
}

impl fmt::Debug for Measuring<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Measuring").field("lead", &self.lead.id).finish_non_exhaustive()
    }
}

impl RunReport {
    /// Replays and scores a run. What cannot be had is among the problems.
    ///
    /// # Errors
    ///
    /// [`Cancelled`] once `cancel` is raised.
    pub fn gather(
        run: Arc<Run>,
        task: Option<Arc<Task>>,
        dir: &Path,
        by: &Measuring<'_>,
        cancel: &CancelToken,
    ) -> Result<Self, Cancelled> {
        let mut report = Self {
            run,
            dir: dir.display().to_string(),
            lead: Followed::new(by.lead),
            others: by.others.iter().map(|variant| Followed::new(variant)).collect(),
            canvas: None,
            ground_truth: None,
            problems: Vec::new(),
            task,
        };
        // Before the replay, which scores against it as it goes; without one there is a page with its reason.
        let truth = report.find_ground_truth(by.open_environment);
        report.ground_truth = truth.as_ref().and_then(|truth| truth.truth().picture.clone());
        report.replay(truth.as_ref(), by, cancel)?;
        Ok(report)
    }

    /// All variants, the leading one first.
    pub(super) fn followed(&self) -> impl Iterator<Item = &Followed> {
        std::iter::once(&self.lead).chain(&self.others)
    }

    fn followed_mut(&mut self) -> impl Iterator<Item = &mut Followed> {
        std::iter::once(&mut self.lead).chain(&mut self.others)
    }

    fn find_ground_truth(&mut self, open_environment: &OpenEnvironment) -> Option<ComparedTask> {
        let Some(task) = &self.task else {
            let set = &self.run.manifest.task.set;
            self.problems.push(format!(
                "The task set {set} was not found, so there is no score that needs it; say where it is \
                 with --tasks."
            ));
            // Runs of the suite hold the pictures that they were given.
            let is_suite = self.run.manifest.environment == EnvironmentKind::Suite;
            return is_suite.then(ComparedTask::unknown_query);
        };
        ComparedTask::load(task, open_environment).unwrap_or_else(|error| {
            self.problems.push(format!("No ground truth: {error}."));
            None
        })
    }

    fn replay(
        &mut self,
        truth: Option<&ComparedTask>,
        by: &Measuring<'_>,
        cancel: &CancelToken,
    ) -> Result<(), Cancelled> {
        let (run, task) = (Arc::clone(&self.run), self.task.clone());
        let mut canvas = match RunCanvas::open(run, task, by.open_environment) {
            Ok(canvas) => canvas,
            Err(error) => {
                self.problems.push(format!("The run cannot be replayed: {error}."));
                return Ok(());
            }
        };
        let last = u32::try_from(self.run.steps.len()).unwrap_or(u32::MAX);
        // In order, so that each call is made once: a step by itself would be replayed from the start.
        for step in 0..=last {
            let made = compared_step(&mut canvas, step, cancel)?;
            if let Some(why) = &made.no_picture {
                self.problems.push(format!("No picture of step {step}: {why}."));
            }
            self.score(truth, &made, by, step == last, cancel)?;
            // The one before is what the next is compared with, the last what the page shows.
            self.canvas = made.picture;
        }
        Ok(())
    }

    fn score(
        &mut self,
        truth: Option<&ComparedTask>,
        made: &ComparedSide,
        by: &Measuring<'_>,
        is_last: bool,
        cancel: &CancelToken,
    ) -> Result<(), Cancelled> {
        // Many calls change nothing that can be seen: looking, naming, grouping.
        let is_same = made.picture.is_some() && made.picture == self.canvas;
        let mut variants = by.others.iter().chain([&by.lead]);
        let goes_by_pictures = variants.all(|variant| variant.needs == Needs::Pictures);
        if is_same && !is_last && goes_by_pictures {
            self.followed_mut().for_each(Followed::repeat);
            return Ok(());
        }
        let measured = by.measure(truth, made, is_last, cancel)?;
        self.followed_mut().for_each(|it| it.take(&measured));
        Ok(())
    }
}

impl<'a> Measuring<'a> {
    /// A run by the variants of these ids, or, where there are none, by the one that stands for it in lists; `None` if
    /// the scorer has none of them.
    pub fn of_run(
        scorer: &'a Scorer,
        only: &[&str],
        manifest: &Manifest,
        open_environment: &'a OpenEnvironment,
    ) -> Option<Self> {
        // The first leads: its changes colour the steps, and its map is the heat.
        let mut variants = Player::variants_of(scorer, only, manifest).into_iter();
        let lead = variants.next()?;
        Some(Self { scorer, lead, others: variants.collect(), open_environment })
    }
}

impl Measuring<'_> {
    /// The scores of a step, with the map of the leading one where that is shown.
    fn measure(
        &self,
        truth: Option<&ComparedTask>,
        made: &ComparedSide,
        with_map: bool,
        cancel: &CancelToken,
    ) -> Result<Vec<Measured>, Cancelled> {
        let ids: Vec<&str> =
            self.others.iter().chain(std::iter::once(&self.lead)).map(|it| &*it.id).collect();
        // Maps are large and drawn once: only of the last step, and where the metric has one.
        let map = (with_map && self.lead.map_range.is_some()).then_some(&*self.lead.id);
        let wanted = Wanted { variants: Some(&ids), map };
        let Some(truth) = truth else {
            return Ok(self.scorer.all_missing(wanted, &MissingScore::NoGroundTruth));
        };
        let mut all = Vec::new();
        self.scorer.score(truth, made, wanted, cancel, |of_metric| all.extend(of_metric))?;
        Ok(all)
    }
}
