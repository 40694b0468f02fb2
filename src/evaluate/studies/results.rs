//! What a study comes to, of everybody or of some of its runs: the report on the command line, the window's results and
//! the figure over runs in *Explore* are all of this.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::label::Form;
use crate::study::{Counted, Ending, ParticipantKind, StudyRecord, StudyResults, TaskClock};

/// Which runs of a study are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountedRuns<'a> {
    /// All.
    All,
    /// These only, by their folders.
    These(&'a BTreeSet<PathBuf>),
}

/// An attempt that is counted.
#[derive(Clone, Debug, PartialEq)]
pub struct CountedAttempt {
    /// Its run.
    pub dir: PathBuf,
    /// Whose.
    pub participant: String,
    /// A person's, or a script's.
    pub by: ParticipantKind,
    /// The place of its condition in the plan.
    pub condition: usize,
    /// How hard its task is.
    pub level: String,
    /// The set of its task.
    pub set: String,
    /// Its task.
    pub task: String,
    /// Whether it succeeded within the limit.
    pub success: bool,
    /// Seconds at it, without pauses, at most the limit.
    pub seconds: f64,
    /// How it ended.
    pub ending: Ending,
    /// Time away, and when the clock stood still.
    pub clock: TaskClock,
}

/// What a study comes to, with the attempts that it is of.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyOfRuns {
    /// The numbers.
    pub results: StudyResults,
    /// The attempts that are counted.
    pub attempts: Vec<CountedAttempt>,
    /// Whether runs that would count were left out as they are not among those named.
    pub is_part: bool,
}

impl StudyOfRuns {
    /// Counts. `forms` are those that questionnaires are scored by.
    pub fn of(
        mut record: StudyRecord,
        runs: CountedRuns<'_>,
        forms: &[Form],
        counted: Counted,
        resamples: usize,
    ) -> Self {
        let all = attempts(&record, counted).len();
        if let CountedRuns::These(dirs) = runs {
            record.keep_runs(dirs);
        }
        let attempts = attempts(&record, counted);
        Self {
            results: StudyResults::of(&record, forms, counted, resamples),
            is_part: attempts.len() < all,
            attempts,
        }
    }
}

/// The attempts that count, as [`StudyResults`] takes them.
fn attempts(record: &StudyRecord, counted: Counted) -> Vec<CountedAttempt> {
    let plan = &record.plan;
    let people = record.people.iter().filter(|person| counted.counts(person.by));
    let trials = people.flat_map(|person| {
        person.trials.iter().map(move |(dir, trial)| (&person.participant, dir, trial))
    });
    let found = trials.filter(|(.., trial)| trial.is_whole()).filter_map(|(who, dir, trial)| {
        let facts = &trial.facts;
        let task = plan.tasks.get(plan.task(&facts.set, &facts.task)?)?;
        Some(CountedAttempt {
            dir: dir.clone(),
            participant: who.clone(),
            by: trial.by,
            condition: plan.condition(&facts.condition)?,
            level: task.difficulty.clone(),
            set: facts.set.clone(),
            task: facts.task.clone(),
            success: trial.succeeded(),
            seconds: trial.seconds(),
            ending: trial.clock.ending?,
            clock: trial.clock.clone(),
        })
    });
    found.collect()
}
