//! A task of a study, made ready for somebody.

use std::sync::Arc;

use crate::base::{CancelToken, Pixels};
use crate::design::goal::SameNodes;
use crate::design::{Document, figma};
use crate::environment::{
    OpenEnvironment, PictureRequest, RenderError, StartError, StartState, canvas,
};
use crate::metric::transformation::Checks;
use crate::study::scripted::{MutationError, changed_start};
use crate::study::{
    Chance, StudyPlan, StudyTask, SuccessError, SuccessFinding, SuccessInput, SuccessRule,
    TaskStart, check_success, distance,
};
use crate::task::{Artifact, Task, TaskError};

/// What somebody begins a task with, and what they are held against.
#[derive(Clone, Debug)]
pub struct PreparedTrial {
    /// What the canvas begins with.
    pub start: StartState,
    /// The design that this is.
    pub design: Document,
    /// What should come of it.
    pub truth: Arc<Document>,
    /// Whether nodes of both are the same by id.
    pub same: SameNodes,
    /// How far the start is from that.
    pub distance: f64,
    rule: SuccessRule,
    checks: Option<Checks>,
    /// The picture at the start, where the checks need it.
    before: Option<Pixels>,
}

/// Why a task cannot be made ready, or not be checked.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// Its files cannot be read.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// Its canvas cannot be opened.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Its start cannot be made of the ground truth.
    #[error(transparent)]
    Mutation(#[from] MutationError),
    /// It has no design.
    #[error("its environment has no vector design")]
    NoDesign,
    /// A picture that its checks need cannot be drawn.
    #[error(transparent)]
    Picture(#[from] RenderError),
    /// The check says nothing.
    #[error(transparent)]
    Success(#[from] SuccessError),
}

impl PreparedTrial {
    /// Makes a task of a study ready. `given` is what the canvas begins with where the task says so. Everybody begins
    /// with the same.
    ///
    /// # Errors
    ///
    /// [`TrialError`].
    pub fn new(
        (plan, wanted): (&StudyPlan, &StudyTask),
        task: &Task,
        given: &StartState,
        open_environment: &OpenEnvironment,
    ) -> Result<Self, TrialError> {
        let pictures = task.ground_truth.as_ref().and_then(Artifact::pictures_folder);
        let truth = StartState {
            document: task.load_ground_truth_document()?,
            pictures: pictures.or_else(|| given.pictures.clone()),
            ..given.clone()
        };
        let (start, truth, same) = match wanted.start {
            TaskStart::ChangedTruth { changes } => {
                // By the task and not by the person: everybody begins with the same changes.
                let mut chance = Chance::new(plan.seed, &["start", &wanted.set, &wanted.id]);
                let changed = changed_start(&truth, changes, open_environment, &mut chance)?;
                (changed.start, changed.truth, SameNodes::ById)
            }
            TaskStart::Given => {
                let truth = open_environment(&truth)?.design().ok_or(TrialError::NoDesign)?;
                (given.clone(), truth, SameNodes::ByContent)
            }
        };
        let environment = open_environment(&start)?;
        let now = environment.design().ok_or(TrialError::NoDesign)?;
        let checks = task.checks.clone().filter(|_| wanted.success == SuccessRule::TaskChecks);
        // Drawn once, before anybody begins: checks hold the end against it.
        let before = match &checks {
            Some(_) => Some(environment.picture(&PictureRequest::default())?.pixels),
            None => None,
        };
        Ok(Self {
            distance: distance(&now, &truth, same),
            start,
            design: now,
            truth: Arc::new(truth),
            same,
            rule: wanted.success,
            checks,
            before,
        })
    }

    /// Holds the document at the end against the task's rule. One in which nothing is left that the rule could be held
    /// against does not pass.
    ///
    /// # Errors
    ///
    /// [`TrialError`].
    pub fn check(
        &self,
        now: &Document,
        open_environment: &OpenEnvironment,
    ) -> Result<SuccessFinding, TrialError> {
        let after = match &self.before {
            Some(_) => match self.picture_at_end(now, open_environment) {
                Err(error) if error.says_nothing_is_left() => {
                    return Ok(SuccessFinding::NOTHING_LEFT);
                }
                picture => Some(picture?),
            },
            None => None,
        };
        let pictures = self.before.as_ref().zip(after.as_ref());
        let input = SuccessInput {
            now,
            truth: &self.truth,
            same: self.same,
            checks: self.checks.as_ref().zip(pictures.map(|(before, after)| [before, after])),
        };
        Ok(check_success(self.rule, &input, &CancelToken::default())?)
    }

    /// What the checks see of a document.
    fn picture_at_end(
        &self,
        now: &Document,
        open_environment: &OpenEnvironment,
    ) -> Result<Pixels, TrialError> {
        let end = StartState { document: Some(figma::to_json(now)), ..self.start.clone() };
        // Else the file without a node would be refused as one that cannot be read.
        if now.main_frame().is_none() {
            return Err(StartError::Canvas(canvas::StartError::NoFrame).into());
        }
        let environment = open_environment(&end)?;
        Ok(environment.picture(&PictureRequest::default())?.pixels)
    }
}

impl TrialError {
    /// Whether it is about a document without a screen, or with one on which nothing is shown.
    fn says_nothing_is_left(&self) -> bool {
        matches!(
            self,
            Self::Start(StartError::Canvas(canvas::StartError::NoFrame))
                | Self::Picture(RenderError::Empty(_))
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Size;
    use crate::design::{Node, NodeKind};
    use crate::environment::canvas::HandTools;
    use crate::environment::{EnvironmentKind, FontSource, open_environment};

    #[test]
    fn of_a_deleted_screen_no_check_of_the_task_holds() {
        let mut frame = Node::new("1:1".into(), "Screen", NodeKind::Frame);
        frame.size = Size::new(40.0, 40.0);
        let screen = Document::from_nodes([frame]).unwrap();
        let start = StartState {
            environment: EnvironmentKind::Canvas,
            canvas_size: Size::new(40.0, 40.0),
            document: Some(figma::to_json(&screen)),
            pictures: None,
            given: Vec::new(),
            compat: None,
            fonts: FontSource::default(),
            hands: HandTools::default(),
        };
        let checks = br#"{"checks": [{"check": "flip", "axis": "horizontal"}]}"#;
        let prepared = PreparedTrial {
            start,
            design: screen.clone(),
            truth: Arc::new(screen),
            same: SameNodes::ByContent,
            distance: 0.0,
            rule: SuccessRule::TaskChecks,
            checks: Some(Checks::parse(checks).unwrap()),
            before: Some(Pixels::filled(40, 40, [255; 4]).unwrap()),
        };
        let found = prepared.check(&Document::default(), &open_environment);
        assert_eq!(found.unwrap(), SuccessFinding::NOTHING_LEFT);
    }
}
