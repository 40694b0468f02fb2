//! A study that is open: who takes part, how far they are, what they are asked, and the clock of the task.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use crate::design::Document;
use crate::environment::StartState;
use crate::evaluate::figures::Figure;
use crate::evaluate::studies::CountedAttempt;
use crate::label::{Answer, Form};
use crate::run::Manifest;
use crate::study::practice::{PracticeStart, PracticeTask};
use crate::study::{
    Condition, Counted, DueForm, Ending, Help, NextThing, PauseReason, PersonProgress, PlannedTask,
    StartChoice, StudyPlan, StudyRecord, StudyResults, StudyTask, TrialFacts, planned_tasks,
};
use crate::task::Task;

use super::suggestions::SuggestionLog;

/// Studies in the window.
#[derive(Clone, Debug, Default)]
pub struct StudyRoom {
    /// The study that is open.
    pub desk: Option<Box<StudyDesk>>,
    /// What is being opened or made.
    pub opening: Option<PathBuf>,
    /// Why the last one could not be opened.
    pub problem: Option<String>,
    /// A study that is to be made, while somebody says of what.
    pub new: Option<NewStudy>,
    /// The practice that is open.
    pub practice: Option<PracticeDesk>,
    /// With which seed practice begins the next time.
    pub practice_seed: u64,
}

/// What a new study is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewStudy {
    /// Where the tasks lie.
    pub tasks: Option<PathBuf>,
    /// Which preset, by its place in [`Preset::ALL`](crate::study::Preset::ALL).
    pub preset: usize,
    /// Whether tasks begin with their ground truth, changed in a few places.
    pub start: StartChoice,
    /// All orders follow from it.
    pub seed: u64,
}

/// A study that is open.
#[derive(Clone, Debug)]
pub struct StudyDesk {
    /// Its folder.
    pub dir: PathBuf,
    /// What is compared.
    pub plan: Arc<StudyPlan>,
    /// The forms of its instruments, in its order.
    pub forms: Arc<Vec<Form>>,
    /// Its tasks as they lie on disk, in its order.
    pub tasks: Arc<Vec<OpenedTask>>,
    /// All that was recorded, when it was read last.
    pub record: Arc<StudyRecord>,
    /// Of a packet: the only one who takes part here.
    pub packet: Option<String>,
    /// What is odd about it, with where that is.
    pub warnings: Vec<String>,
    /// Who takes part at this desk now.
    pub sitting: Option<Sitting>,
    /// Whether somebody is being let in: the folder is made.
    pub is_joining: bool,
    /// Whether what comes of the study is shown.
    pub shows_results: bool,
    /// What it comes to, or why that cannot be said; `None`: it was not counted.
    pub results: Option<Result<Arc<StudyFindings>, String>>,
    /// Whether scripts are to be counted.
    pub counted: Counted,
    /// Whom it is being counted of just now, if it is.
    pub counting: Option<StudyCount>,
    /// Who is asked whether all they did shall be removed.
    pub asking_withdrawal: Option<String>,
    /// Why something is not on disk; it is tried again.
    pub unwritten: Option<String>,
}

/// A task of a study as it lies on disk.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenedTask {
    /// The task.
    pub task: Arc<Task>,
    /// Where its set lies, from the root.
    pub set_dir: PathBuf,
}

/// Whom the results of a study count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyCount {
    /// Whether scripts are counted.
    pub counted: Counted,
    /// Folders of runs whose agents stand beside the people.
    pub agents: BTreeSet<PathBuf>,
}

/// What a study comes to.
#[derive(Clone, Debug)]
pub struct StudyFindings {
    /// Whom they count.
    pub of: StudyCount,
    /// The numbers.
    pub results: StudyResults,
    /// The attempts that they are of.
    pub attempts: Vec<CountedAttempt>,
    /// The figure, or why there is none.
    pub figure: Result<Figure, String>,
    /// The figure of the distance over time, or why there is none.
    pub progress: Result<Figure, String>,
}

/// Somebody who takes part.
#[derive(Clone, Debug)]
pub struct Sitting {
    /// How far they are.
    pub progress: PersonProgress,
    /// Their tasks, in order.
    pub planned: Vec<PlannedTask>,
    /// What they are to do next.
    pub next: NextThing,
    /// Whether practice was offered and left.
    pub had_practice: bool,
    /// What is asked for and not on disk yet: until then nothing else is.
    pub is_waiting: bool,
    /// The task they are at.
    pub trial: Option<TrialDesk>,
    /// The answer that is being given.
    pub draft: AnswerDraft,
}

/// An answer that is being given to a form of a study.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnswerDraft {
    /// What was answered so far.
    pub answer: Answer,
    /// Which question keys answer, by its place among what is asked.
    pub focus: usize,
    /// What is still missing, once somebody tried to go on.
    pub problem: Option<String>,
}

/// A task that somebody is at.
#[derive(Clone, Debug)]
pub struct TrialDesk {
    /// Which of theirs.
    pub planned: PlannedTask,
    /// Where it is recorded, and what it begins with; `None` while that is made ready.
    pub place: Option<Arc<TrialPlace>>,
    /// The number of its desk.
    pub desk: Option<u64>,
    /// How far it is.
    pub phase: TrialPhase,
    /// Milliseconds at it, as of late.
    pub active_ms: u64,
    /// Milliseconds that the clock stands still now.
    pub stopped_ms: u64,
    /// Whether the first press was told.
    pub had_input: bool,
    /// Whether somebody is away where that is allowed.
    pub is_away: bool,
    /// Whether it is being asked if they want to give up.
    pub asks_give_up: bool,
    /// Whether it was over when it was opened: it only has to be checked.
    pub was_over: bool,
    /// Whether it is being checked.
    pub is_checking: bool,
    /// What happened with the assistant, as far as it is in the study's log.
    pub told: SuggestionLog,
}

/// How far a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrialPhase {
    /// It is being opened; the clock stands.
    Opening,
    /// Its log was there already: the clock stands until they go on.
    Recovered,
    /// The clock runs.
    Running,
    /// The clock stands still.
    Paused(PauseReason),
    /// It is over; the check is under way.
    Ended(Ending),
}

/// What a design begins with that is opened for a study, or for practice.
#[derive(Clone, Debug)]
pub enum StudyStart {
    /// A task of a study.
    Trial(Arc<TrialPlace>),
    /// A practice task, with its seed; it is not recorded.
    Practice(Arc<PracticeTask>, u64),
}

/// Where a task of a study is recorded, and what it begins with.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialPlace {
    /// The folder of its run, which is begun already, as is the study's log in it.
    pub dir: PathBuf,
    /// What is known of it beforehand.
    pub facts: TrialFacts,
    /// What the canvas begins with.
    pub start: StartState,
    /// What should come of it.
    pub goal: Arc<Document>,
    /// What is to be done, in words.
    pub words: String,
    /// What the run says of itself.
    pub manifest: Manifest,
    /// Whether something was done there already: it is gone on with behind its last step.
    pub goes_on: bool,
}

/// A practice task that is open.
#[derive(Clone, Debug)]
pub struct PracticeDesk {
    /// Which, by its place.
    pub at: usize,
    /// All that differs follows from it.
    pub seed: u64,
    /// The task.
    pub task: Arc<PracticeTask>,
    /// The number of its desk.
    pub desk: Option<u64>,
    /// What it began with, once it is open.
    pub begun: Option<Arc<PracticeStart>>,
    /// What it checks, of the design as it is.
    pub checks: Vec<PracticeCheck>,
    /// Those that were finished with this seed, by place.
    pub finished: Vec<usize>,
}

/// Something that practice checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PracticeCheck {
    /// In words.
    pub words: String,
    /// Whether it holds.
    pub holds: bool,
}

impl PracticeDesk {
    /// Whether all that it checks holds.
    pub fn is_done(&self) -> bool {
        !self.checks.is_empty() && self.checks.iter().all(|check| check.holds)
    }
}

impl StudyDesk {
    /// The condition of a task of somebody's.
    pub fn condition(&self, planned: &PlannedTask) -> Option<&Condition> {
        self.plan.conditions.get(planned.condition)
    }

    /// A task of somebody's.
    pub fn task(&self, planned: &PlannedTask) -> Option<&StudyTask> {
        self.plan.tasks.get(planned.task)
    }

    /// The form that is asked now.
    pub fn asked(&self) -> Option<(DueForm, &Form)> {
        let sitting = self.sitting.as_ref()?;
        match sitting.next {
            NextThing::Form(due) if sitting.trial.is_none() => {
                Some((due, self.forms.get(due.instrument)?))
            }
            _ => None,
        }
    }

    /// The task that somebody is at, with what is known of it.
    pub fn trial(&self) -> Option<(&Sitting, &TrialDesk)> {
        let sitting = self.sitting.as_ref()?;
        Some((sitting, sitting.trial.as_ref()?))
    }

    /// What help there is at the task that somebody is at.
    pub fn help(&self) -> Option<Help> {
        let (_, trial) = self.trial()?;
        Some(self.condition(&trial.planned)?.help)
    }

    /// Sits somebody down.
    pub(in crate::workbench) fn seat(&mut self, progress: PersonProgress) {
        let next = progress.next(&self.plan, &self.forms);
        self.sitting = Some(Sitting {
            planned: planned_tasks(&self.plan, progress.row),
            // Who did a task already needs no practice.
            had_practice: !progress.attempts.is_empty(),
            progress,
            next,
            is_waiting: false,
            trial: None,
            draft: AnswerDraft::default(),
        });
    }

    /// Whether the assistant is in the plan of who takes part: only they practise with it.
    pub fn will_have_assistant(&self) -> bool {
        let Some(sitting) = &self.sitting else { return true };
        let mut helps = sitting.planned.iter().filter_map(|planned| self.condition(planned));
        helps.any(|condition| condition.help == Help::Assistant)
    }
}

impl StudyRoom {
    /// Whether the assistant is there: at a task of a study only where the condition has it.
    pub fn allows_assistant(&self) -> bool {
        let Some(desk) = &self.desk else { return true };
        if self.practice.is_some() {
            return desk.will_have_assistant();
        }
        desk.help().is_none_or(|help| help == Help::Assistant)
    }

    /// Whether a study is open that somebody leads, and nobody takes part just now.
    pub fn leads(&self) -> bool {
        self.desk.as_ref().is_some_and(|desk| desk.sitting.is_none() && desk.packet.is_none())
    }

    /// Whether a task's clock is under way, running or not: what is not part of the task waits.
    pub fn is_measuring(&self) -> bool {
        let trial = self.desk.as_ref().and_then(|desk| desk.trial());
        trial.is_some_and(|(_, trial)| {
            matches!(trial.phase, TrialPhase::Running | TrialPhase::Paused(_))
        })
    }

    /// Whether the canvas is hidden: while the clock stands still, for good or until they go on. The window being
    /// elsewhere hides it once that is a pause.
    pub fn hides_canvas(&self) -> bool {
        let trial = self.desk.as_ref().and_then(|desk| desk.trial());
        trial.is_some_and(|(_, trial)| match trial.phase {
            TrialPhase::Opening | TrialPhase::Running => false,
            TrialPhase::Paused(PauseReason::Focus) => {
                trial.stopped_ms > crate::study::SHORTEST_FOCUS_PAUSE_MS
            }
            TrialPhase::Recovered | TrialPhase::Paused(_) | TrialPhase::Ended(_) => true,
        })
    }
}
