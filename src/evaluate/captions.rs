//! What a file of captions says of a run.

use crate::model::captions::{CaptionsOfRun, PrecomputedCaptions};
use crate::run::Run;

use super::compared::{ComparedSide, ComparedTask};

/// What a file of captions says of a run, or that it does not.
#[derive(Clone, Debug)]
pub struct RunCaptions<'a> {
    of_run: Option<CaptionsOfRun<'a>>,
    last_step: u32,
}

const NO_CASE: &str = "the file of captions has no case of this run";

impl<'a> RunCaptions<'a> {
    /// What the file says of this run.
    pub fn new(captions: &'a PrecomputedCaptions, run: &Run) -> Self {
        let manifest = &run.manifest;
        let of_run = captions.of_run(&manifest.id, &manifest.task.id, &manifest.agent.name);
        Self { of_run, last_step: u32::try_from(run.steps.len()).unwrap_or(u32::MAX) }
    }

    /// The task with the caption of its ground truth, or with the reason why there is none.
    pub fn task(&self, task: &ComparedTask) -> ComparedTask {
        let none = "the file of captions has none of the ground truth of this run";
        task.with_truth_caption(match &self.of_run {
            None => Err(NO_CASE.to_owned()),
            Some(of_run) => of_run.ground_truth().map(ToOwned::to_owned).ok_or(none.to_owned()),
        })
    }

    /// Gives a step its caption, or the reason why there is none. A captioner is not asked then.
    pub fn put(&self, made: &mut ComparedSide, step: u32) {
        let Some(of_run) = &self.of_run else {
            made.no_caption = Some(NO_CASE.to_owned());
            return;
        };
        if let Some(caption) = of_run.at_step(step, self.last_step) {
            made.caption = Some(caption.to_owned());
        } else {
            let why = format!("the file of captions has none of step {step} of this run");
            made.no_caption = Some(why);
        }
    }
}
