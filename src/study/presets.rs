//! The studies that come with the program.

use super::chance::Chance;
use super::plan::{
    Arrangement, AskedWhen, ComponentVariant, Condition, Help, Instrument, STUDY_FORMAT,
    STUDY_VERSION, StudyPlan, StudyTask, SuccessRule, TaskStart,
};

/// A study that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// As PSBench's user study: between people, three groups, all tasks, 5, 10 and 20 minutes.
    Psbench,
    /// Within people: 12 people, 12 tasks in three groups of four.
    Small,
}

/// A task that a study may be made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateTask {
    /// The id of its set.
    pub set: String,
    /// Its id there.
    pub id: String,
    /// How hard it is, if it says.
    pub difficulty: Option<String>,
    /// Whether it has checks of its own.
    pub has_checks: bool,
}

#[cfg(test)]
impl CandidateTask {
    /// One without a difficulty and without checks: for tests to which nothing else matters.
    pub(crate) fn of_set(id: &str) -> Self {
        Self { set: "set".to_owned(), id: id.to_owned(), difficulty: None, has_checks: false }
    }
}

/// What tasks begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartChoice {
    /// What they give.
    Given,
    /// Their ground truth, changed in a few places: more of harder tasks.
    ChangedTruth,
}

/// There are fewer tasks than the study is of.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the study {id} needs {needed} tasks of the canvas with a ground truth as a document, and there are {found}"
)]
pub struct TooFewTasks {
    /// Which study.
    pub id: &'static str,
    /// How many it takes.
    pub needed: usize,
    /// How many there are.
    pub found: usize,
}

/// Tasks of `small`.
const SMALL_TASKS: usize = 12;
/// Groups of them, one a condition.
const SMALL_GROUPS: usize = 3;

impl Preset {
    /// Every one.
    pub const ALL: [Self; 2] = [Self::Psbench, Self::Small];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Psbench => "psbench",
            Self::Small => "small",
        }
    }

    /// The study of these tasks; `task_sets` says where they lie as seen from the study's file.
    ///
    /// # Errors
    ///
    /// [`TooFewTasks`].
    pub fn plan(
        self,
        candidates: &[CandidateTask],
        task_sets: Vec<String>,
        start: StartChoice,
        seed: u64,
    ) -> Result<StudyPlan, TooFewTasks> {
        let (needed, found) = (if self == Self::Small { SMALL_TASKS } else { 1 }, candidates.len());
        if found < needed {
            return Err(TooFewTasks { id: self.name(), needed, found });
        }
        let tasks = match self {
            Self::Psbench => candidates.iter().map(|it| task(it, None, start)).collect(),
            Self::Small => {
                let chosen = one_of_each_level(candidates, seed).into_iter().enumerate();
                // Levels follow one another, so that dealing them out gives each group its share.
                chosen.map(|(at, it)| task(it, Some((at % SMALL_GROUPS) as u32), start)).collect()
            }
        };
        let (title, arrangement, people) = match self {
            Self::Psbench => ("As PSBench's user study", Arrangement::Between, 24),
            Self::Small => ("Twelve people, twelve tasks", Arrangement::Within, 12),
        };
        Ok(StudyPlan {
            format: STUDY_FORMAT.to_owned(),
            version: STUDY_VERSION,
            id: self.name().to_owned(),
            title: title.to_owned(),
            seed,
            arrangement,
            people,
            conditions: conditions(),
            task_sets,
            tasks,
            instruments: instruments(),
            consent: String::new(),
            web_link: None,
        })
    }
}

fn conditions() -> Vec<Condition> {
    let all = [
        ("unassisted", "Unassisted", Help::None),
        ("web", "Web", Help::Web),
        ("assisted", "Assisted", Help::Assistant),
    ];
    let each = all.into_iter().map(|(id, title, help)| Condition {
        id: id.to_owned(),
        title: title.to_owned(),
        help,
    });
    each.collect()
}

/// CSI is left out: its statements are filled in by who leads the study.
fn instruments() -> Vec<Instrument> {
    let all: [(&str, AskedWhen, &[&str]); 6] = [
        ("background", AskedWhen::BeforeStudy, &[]),
        ("confidence", AskedWhen::AfterTask, &[]),
        ("nasa-tlx", AskedWhen::AfterCondition, &[]),
        ("trust-control", AskedWhen::AfterCondition, &["assisted"]),
        ("sus", AskedWhen::AfterStudy, &[]),
        ("remarks", AskedWhen::AfterStudy, &[]),
    ];
    let each = all.into_iter().map(|(form, when, conditions)| Instrument {
        form: form.to_owned(),
        when,
        conditions: conditions.iter().map(|id| (*id).to_owned()).collect(),
    });
    each.collect()
}

/// Limits as PSBench states them for agents, by level; and in how many places a changed truth differs.
fn by_level(difficulty: &str) -> (f64, u32) {
    match difficulty {
        "easy" => (300.0, 2),
        "hard" => (1_200.0, 8),
        _ => (600.0, 4),
    }
}

fn task(candidate: &CandidateTask, group: Option<u32>, start: StartChoice) -> StudyTask {
    let difficulty = candidate.difficulty.clone().unwrap_or_else(|| "medium".to_owned());
    let (limit_secs, changes) = by_level(&difficulty);
    let (start, success) = match start {
        // Made by known changes, so nothing but all of them undone is a success.
        StartChoice::ChangedTruth => {
            (TaskStart::ChangedTruth { changes }, SuccessRule::Distance { at_most: 0.0 })
        }
        StartChoice::Given if candidate.has_checks => (TaskStart::Given, SuccessRule::TaskChecks),
        StartChoice::Given => {
            let variant = ComponentVariant::Canvas;
            (TaskStart::Given, SuccessRule::Components { variant, at_least: 0.95 })
        }
    };
    let (set, id) = (candidate.set.clone(), candidate.id.clone());
    StudyTask { set, id, difficulty, limit_secs, success, start, group }
}

/// As many of each level as there are, level by level: one of each in turn, drawn at random.
fn one_of_each_level(candidates: &[CandidateTask], seed: u64) -> Vec<&CandidateTask> {
    let mut levels: [Vec<&CandidateTask>; 4] = Default::default();
    for candidate in candidates {
        let level = match candidate.difficulty.as_deref() {
            Some("easy") => 0,
            Some("medium") | None => 1,
            Some("hard") => 2,
            Some(_) => 3,
        };
        levels[level].push(candidate);
    }
    for (at, tasks) in levels.iter_mut().enumerate() {
        Chance::new(seed, &["tasks", &at.to_string()]).shuffle(tasks);
    }
    let mut taken = [0_usize; 4];
    let mut count = 0;
    // Ends, as there are enough tasks for all.
    while count < SMALL_TASKS {
        for (taken, tasks) in taken.iter_mut().zip(&levels) {
            if *taken < tasks.len() && count < SMALL_TASKS {
                (*taken, count) = (*taken + 1, count + 1);
            }
        }
    }
    levels.into_iter().zip(taken).flat_map(|(tasks, taken)| tasks.into_iter().take(taken)).collect()
}
