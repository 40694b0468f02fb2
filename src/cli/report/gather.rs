//! What a report says of a run: its canvas replayed and scored at every step.

use std::path::Path;
use std::sync::Arc;

use crate::base::{CancelToken, Pixels};
use crate::environment::open_environment;
use crate::metric::{Evidence, Measurement, MissingScore, ScalarMap, Score};
use crate::run::Run;
use crate::task::Task;
use crate::worker::scoring::{RunCanvas, ground_truth, score_picture};

/// A run, its score at every step, and the pictures of its end.
pub(super) struct RunReport {
    /// The run.
    pub(super) run: Arc<Run>,
    /// What it was an attempt at, if the task set was found.
    pub(super) task: Option<Arc<Task>>,
    /// Its folder, as it was given.
    pub(super) dir: String,
    /// The score after each step; the first is that of the start.
    pub(super) scores: Vec<Score>,
    /// The canvas after the last step.
    pub(super) canvas: Option<Pixels>,
    /// What it was to become.
    pub(super) ground_truth: Option<Pixels>,
    /// The map of the last score.
    pub(super) map: Option<ScalarMap>,
    /// What could not be had, for people.
    pub(super) problems: Vec<String>,
}

impl RunReport {
    /// Replays and scores a run. What cannot be had is among the problems.
    pub(super) fn gather(run: Run, task: Option<Arc<Task>>, dir: &Path) -> Self {
        let mut report = Self {
            run: Arc::new(run),
            dir: dir.display().to_string(),
            scores: Vec::new(),
            canvas: None,
            ground_truth: None,
            map: None,
            problems: Vec::new(),
            task,
        };
        report.find_ground_truth();
        report.replay();
        report
    }

    /// The score at the end.
    pub(super) fn last_score(&self) -> Option<&Score> {
        self.scores.last()
    }

    /// The step with the highest score, and that score.
    pub(super) fn best(&self) -> Option<(usize, f64)> {
        let values = self.scores.iter().map(Score::value).enumerate();
        let values = values.filter_map(|(step, value)| Some((step, value?)));
        // The first of equals: where the run got there.
        values.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    /// What a step changed in the score; `None` if one side has none.
    pub(super) fn gain(&self, step: usize) -> Option<f64> {
        let before = self.scores.get(step.checked_sub(1)?)?.value()?;
        Some(self.scores.get(step)?.value()? - before)
    }

    fn find_ground_truth(&mut self) {
        let Some(task) = &self.task else {
            let set = &self.run.manifest.task.set;
            self.problems.push(format!(
                "The task set {set} was not found, so there is no score; say where it is with --tasks."
            ));
            return;
        };
        match ground_truth(task, &open_environment) {
            Ok(truth) => self.ground_truth = truth,
            Err(error) => self.problems.push(format!("No ground truth: {error}.")),
        }
    }

    fn replay(&mut self) {
        let (run, task) = (Arc::clone(&self.run), self.task.clone());
        let mut canvas = match RunCanvas::open(run, task, &open_environment) {
            Ok(canvas) => canvas,
            Err(error) => {
                self.problems.push(format!("The run cannot be replayed: {error}."));
                return;
            }
        };
        for step in 0..=self.run.steps.len() {
            let picture = canvas.picture(step as u32, 1.0, &CancelToken::new());
            self.take(step, picture.map(|picture| picture.pixels).map_err(|e| e.to_string()));
        }
    }

    fn take(&mut self, step: usize, picture: Result<Pixels, String>) {
        let scored = match (&picture, &self.ground_truth) {
            (Err(error), _) => {
                self.problems.push(format!("No picture of step {step}: {error}."));
                Measurement::missing(MissingScore::NoPicture(error.clone()))
            }
            (Ok(_), None) => Measurement::missing(MissingScore::NoGroundTruth),
            (Ok(picture), Some(truth)) => match (self.canvas.as_ref(), self.scores.last()) {
                // Many calls change nothing that can be seen: looking, naming, grouping.
                (Some(last), Some(score)) if last == picture => Measurement {
                    score: score.clone(),
                    evidence: self.map.take().map(Evidence::Map),
                },
                _ => score_picture(truth, picture, &CancelToken::new()),
            },
        };
        self.scores.push(scored.score);
        self.map = scored.evidence.and_then(Evidence::into_map);
        self.canvas = picture.ok();
    }
}
