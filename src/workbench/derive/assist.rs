//! What follows from a design in somebody's hands, and from the runs of others before it.

use std::path::{Path, PathBuf};

use crate::run::{BY_HAND_KIND, Outcome, TaskRef};
use crate::workbench::model::{
    AssistStart, BriefPlan, JobOutcome, LibraryRun, PlanPhase, Recording, RunId, RunState, State,
};

/// Most designs that are offered to be gone on with.
const MOST_DESIGNS: usize = 12;

/// A run by hand that can be gone on with.
#[derive(Clone, Debug, PartialEq)]
pub struct EarlierDesign {
    /// What it is of.
    pub title: String,
    /// When it began, RFC 3339, UTC.
    pub started: String,
    /// How many steps it has.
    pub steps: u32,
    /// Whether it was broken off, and is gone on with where it is.
    pub is_broken_off: bool,
    /// What opens it.
    pub start: AssistStart,
}

impl State {
    /// The task of the design that is worked on, if its set is open.
    pub fn task_of_desk(&self) -> Option<&TaskRef> {
        let task = match &self.assist.desk.as_ref()?.start {
            AssistStart::Task(task) => task,
            AssistStart::Run(run, _) => &self.library.runs.get(run)?.task,
            AssistStart::Again(dir) => &self.run_in(dir)?.1.task,
            AssistStart::Blank(_) | AssistStart::File(_) | AssistStart::Brief(_) => return None,
        };
        self.library.task(task).map(|_| task)
    }

    /// Runs by hand that can be gone on with, the newest first.
    pub fn earlier_designs(&self) -> Vec<EarlierDesign> {
        let by_hand = self.library.runs.iter().filter(|(_, run)| {
            let is_worked_on = self.dir_of_desk() == Some(run.dir.as_path());
            run.manifest.agent.kind == BY_HAND_KIND && !is_worked_on && can_be_gone_on_with(run)
        });
        let mut designs: Vec<EarlierDesign> = by_hand.map(|(id, run)| earlier(*id, run)).collect();
        designs.sort_by(|a, b| b.started.cmp(&a.started));
        designs.truncate(MOST_DESIGNS);
        designs
    }

    /// The plan of a brief, and how far it is.
    pub fn brief_plan(&self) -> Option<(&BriefPlan, PlanPhase<'_>)> {
        let plan = self.assist.plan.as_ref()?;
        let job = self.jobs.by_id.get(&plan.job);
        let run = self.library.runs.get(&plan.run);
        let phase = match (job.map(|job| (&job.progress, &job.outcome)), run) {
            (Some((progress, None)), _) => {
                PlanPhase::Planning(&progress.message, progress.fraction())
            }
            (Some((_, Some(JobOutcome::Failed(why)))), _) => PlanPhase::Failed(why),
            (Some((_, Some(JobOutcome::Cancelled))), _) => PlanPhase::Stopped,
            (_, None) => PlanPhase::Failed("its run is not open any more"),
            // A job that ended may be forgotten: then the run says how.
            (_, Some(run)) => match (&run.state, &run.manifest.outcome) {
                (RunState::Failed(why) | RunState::Unreadable(why), _) => PlanPhase::Failed(why),
                (RunState::Cancelled, _) => PlanPhase::Stopped,
                (_, Outcome::LimitReached(limit)) => PlanPhase::Ready(&run.dir, Some(limit)),
                _ => PlanPhase::Ready(&run.dir, None),
            },
        };
        Some((plan, phase))
    }

    /// The folder of the run that the next session goes on with.
    pub(super) fn design_to_save(&self) -> Option<PathBuf> {
        // A task of a study is gone on with there alone, where its clock is.
        let study = self.assist.study.desk.as_ref();
        let is_at_task = study.is_some_and(|study| study.trial().is_some());
        let again = self.assist.again.as_deref().filter(|_| self.assist.desk.is_none());
        self.dir_of_desk().filter(|_| !is_at_task).or(again).map(Path::to_path_buf)
    }

    /// The folder of the run of the design that is worked on.
    pub(super) fn dir_of_desk(&self) -> Option<&Path> {
        match &self.assist.desk.as_ref()?.recording {
            Recording::Kept { dir, .. } => Some(dir),
            Recording::Empty | Recording::Failing(_) => None,
        }
    }

    fn run_in(&self, dir: &Path) -> Option<(&RunId, &LibraryRun)> {
        self.library.runs.iter().find(|(_, run)| run.dir == dir)
    }
}

fn can_be_gone_on_with(run: &LibraryRun) -> bool {
    matches!(run.state, RunState::Interrupted | RunState::Finished)
}

fn earlier(id: RunId, run: &LibraryRun) -> EarlierDesign {
    let is_broken_off = run.manifest.outcome == Outcome::Running;
    EarlierDesign {
        title: run.manifest.task.id.clone(),
        started: run.manifest.started.clone(),
        steps: run.steps,
        is_broken_off,
        // One that is over stays as it is: what follows is a run of its own.
        start: if is_broken_off {
            AssistStart::Again(run.dir.clone())
        } else {
            AssistStart::Run(id, u32::MAX)
        },
    }
}
