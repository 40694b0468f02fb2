//! Everybody: scripted participants do a study from the first task to the last.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rayon::prelude::*;

use super::behaviour::{Behaviour, Novice};
use super::error::SimulationError;
use super::mutation::{ChangedStart, changed_start};
use super::session::{self, TrialOrder};
use crate::environment::{OpenEnvironment, StartState};
use crate::label::form::Form;
use crate::metric::transformation::Checks;
use crate::study::assignment::{conditions_of, schedule};
use crate::study::chance::Chance;
use crate::study::event::{Happening, ParticipantKind, TrialFacts};
use crate::study::folder::{participant_of, person_dir, person_log, seen_from_trial, trial_dir};
use crate::study::log::{Moment, Safety, StudyLog};
use crate::study::plan::{AskedWhen, StudyPlan, SuccessRule, TaskStart};

/// A task as scripted participants need it.
#[derive(Clone, Debug)]
pub struct SimulatedTask {
    /// Its ground truth, to be opened.
    pub truth: StartState,
    /// Its own checks, if it has some.
    pub checks: Option<Checks>,
}

/// A study to be done by scripts.
pub struct Simulation<'a> {
    /// The plan.
    pub plan: &'a StudyPlan,
    /// Where it is recorded: a folder that holds the plan.
    pub dir: &'a Path,
    /// The tasks, in the plan's order.
    pub tasks: &'a [SimulatedTask],
    /// The forms of the plan's instruments, in their order.
    pub forms: &'a [Form],
    /// Where each task's set lies, in the plan's order, as seen from the folder of the study or as an absolute path.
    pub set_dirs: &'a [PathBuf],
    /// How many take part.
    pub participants: u32,
    /// Makes environments.
    pub open_environment: &'a OpenEnvironment,
    /// Told of each participant who is done.
    pub passed: &'a (dyn Fn(&str) + Sync),
}

impl std::fmt::Debug for Simulation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation").field("dir", &self.dir).finish_non_exhaustive()
    }
}

/// Whether scripted participants can do a study: every task of it begins with a changed truth.
///
/// # Errors
///
/// [`SimulationError::StartIsGiven`] with the first that does not.
pub fn check_starts(plan: &StudyPlan) -> Result<(), SimulationError> {
    let given = plan.tasks.iter().find(|task| task.start == TaskStart::Given);
    given.map_or(Ok(()), |task| Err(SimulationError::StartIsGiven(task.id.clone())))
}

/// What was done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimulationSummary {
    /// How many took part.
    pub participants: u32,
    /// How many runs were recorded.
    pub runs: usize,
}

/// The day that all scripted sessions are on: their clock is virtual, and the same plan gives the same files.
const DAY: Timestamp = Timestamp::constant(1_767_258_000, 0);
/// From one task to the next, in milliseconds.
const BETWEEN_TASKS_MS: u64 = 15_000;

impl Simulation<'_> {
    /// Lets everybody do everything.
    ///
    /// # Errors
    ///
    /// [`SimulationError`]; what was recorded until then stays.
    pub fn run(&self) -> Result<SimulationSummary, SimulationError> {
        let starts = self.plan.tasks.iter().zip(self.tasks).collect::<Vec<_>>();
        let starts: Vec<ChangedStart> = starts
            .into_par_iter()
            .map(|(task, simulated)| {
                let TaskStart::ChangedTruth { changes } = task.start else {
                    return Err(SimulationError::StartIsGiven(task.id.clone()));
                };
                // Of the study and the task alone: everybody begins with the same.
                let mut chance = Chance::new(self.plan.seed, &["start", &task.set, &task.id]);
                let start =
                    changed_start(&simulated.truth, changes, self.open_environment, &mut chance);
                start.map_err(|source| SimulationError::Start { source, task: task.id.clone() })
            })
            .collect::<Result<_, _>>()?;
        let runs = (0..self.participants).into_par_iter().map(|row| {
            let runs = self.participant(row, &starts)?;
            (self.passed)(&participant_of(row));
            Ok::<usize, SimulationError>(runs)
        });
        let runs = runs.try_reduce(|| 0, |all, more| Ok(all + more))?;
        Ok(SimulationSummary { participants: self.participants, runs })
    }

    fn participant(&self, row: u32, starts: &[ChangedStart]) -> Result<usize, SimulationError> {
        let (plan, by) = (self.plan, ParticipantKind::Scripted);
        let participant = participant_of(row);
        let dir = person_dir(self.dir, &participant, by);
        std::fs::create_dir_all(&dir)
            .map_err(|source| SimulationError::Folder { source, path: dir.clone() })?;
        let mut novice = Novice::drawn(&mut Chance::new(plan.seed, &["novice", &participant]));
        let mut desk = Desk {
            log: StudyLog::create(&person_log(&dir, by), by, Safety::NoFsync)?,
            simulation: self,
            conditions: conditions_of(plan, row),
            now_ms: 0,
        };
        let (study, name) = (plan.id.clone(), participant.clone());
        desk.happens(Happening::Joined { study, participant: name, row })?;
        desk.ask(AskedWhen::BeforeStudy, None)?;
        let mut position = 0_u32;
        for (block, of_block) in schedule(plan, row).into_iter().enumerate() {
            let condition = &plan.conditions[of_block.condition];
            for at in of_block.tasks {
                let task = &plan.tasks[at];
                let trial_dir = trial_dir(&dir, position, &task.id);
                let order = TrialOrder {
                    facts: TrialFacts {
                        study: plan.id.clone(),
                        participant: participant.clone(),
                        row,
                        block: block as u32,
                        position,
                        condition: condition.id.clone(),
                        set: task.set.clone(),
                        task: task.id.clone(),
                        difficulty: task.difficulty.clone(),
                        limit_secs: task.limit_secs,
                        distance: Some(starts[at].distance),
                        // Each change is healed by one step, which was tried.
                        least_steps: Some(starts[at].changes),
                    },
                    dir: &trial_dir,
                    task,
                    // Beside the run: each task has an answer of its own.
                    questions: desk.due(AskedWhen::AfterTask, Some(&condition.id)),
                    help: condition.help,
                    prepared: &starts[at],
                    checks: self.tasks[at]
                        .checks
                        .as_ref()
                        .filter(|_| task.success == SuccessRule::TaskChecks),
                    tasks_setting: seen_from_trial(&self.set_dirs[at]),
                    begins: (desk.wall(), desk.now_ms),
                };
                let mut chance =
                    Chance::new(plan.seed, &["task", &participant, &task.set, &task.id]);
                // Of its own: what is done besides draws nothing from what is done next.
                let mut habits =
                    Chance::new(plan.seed, &["habits", &participant, &task.set, &task.id]);
                let behaviour: &mut dyn Behaviour = &mut novice;
                let (chance, open) = (&mut chance, self.open_environment);
                let ended = session::run(&order, behaviour, chance, &mut habits, open)?;
                desk.now_ms = ended + BETWEEN_TASKS_MS;
                position += 1;
            }
            desk.ask(AskedWhen::AfterCondition, Some(&condition.id))?;
        }
        desk.ask(AskedWhen::AfterStudy, None)?;
        Ok(position as usize)
    }
}

/// What is put to a participant beside tasks.
struct Desk<'a> {
    log: StudyLog,
    simulation: &'a Simulation<'a>,
    /// The ids of those that the participant has.
    conditions: Vec<&'a str>,
    now_ms: u64,
}

impl Desk<'_> {
    fn wall(&self) -> Timestamp {
        let passed = jiff::SignedDuration::from_millis(i64::try_from(self.now_ms).unwrap_or(0));
        DAY.checked_add(passed).unwrap_or(Timestamp::MAX)
    }

    fn happens(&mut self, what: Happening) -> Result<(), SimulationError> {
        let now = Moment { wall: self.wall().to_string(), mono_ms: self.now_ms };
        self.log.append(now, what)?;
        Ok(())
    }

    /// Puts every form that is due; a script answers none.
    fn ask(&mut self, when: AskedWhen, condition: Option<&str>) -> Result<(), SimulationError> {
        for question in self.due(when, condition) {
            self.happens(question)?;
        }
        Ok(())
    }

    /// The forms that are due, without an answer.
    fn due(&self, when: AskedWhen, condition: Option<&str>) -> Vec<Happening> {
        let conditions = condition.map_or_else(|| self.conditions.clone(), |id| vec![id]);
        let instruments = self.simulation.plan.instruments.iter().zip(self.simulation.forms);
        let due = instruments.filter(|(it, _)| it.is_due(when, &conditions));
        let questions = due.map(|(_, form)| Happening::Answer {
            form: form.id.clone(),
            version: form.hash(),
            condition: condition.map(str::to_owned),
            answer: None,
        });
        questions.collect()
    }
}
