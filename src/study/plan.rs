//! `study.json`: a study as data.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::base::{JsonLimitError, check_id, parse_json, read_file_limited};

/// What a file of this format says of itself.
pub const STUDY_FORMAT: &str = "pentimento/study";
/// The newest version of the format.
pub const STUDY_VERSION: u32 = 1;
/// Largest `study.json`, in bytes.
const STUDY_BYTES: u64 = 16 << 20;
/// Most tasks, conditions and people.
const MOST_TASKS: usize = 10_000;
const MOST_CONDITIONS: usize = 26;
const MOST_PEOPLE: u32 = 10_000;
/// Longest limit of a task: a day.
const MOST_SECONDS: f64 = 86_400.0;

/// A study of people who do tasks under conditions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StudyPlan {
    /// `pentimento/study`.
    pub format: String,
    /// 1.
    pub version: u32,
    /// What files call it: letters, digits, `_` and `-`.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// All that is drawn at random follows from it.
    pub seed: u64,
    /// How people and conditions are brought together.
    pub arrangement: Arrangement,
    /// How many people are to take part.
    pub people: u32,
    /// What is compared.
    pub conditions: Vec<Condition>,
    /// Where the tasks' sets lie, as seen from this file.
    pub task_sets: Vec<String>,
    /// What is done.
    pub tasks: Vec<StudyTask>,
    /// What people are asked.
    #[serde(default)]
    pub instruments: Vec<Instrument>,
    /// What people agree to before they begin; Markdown. Empty: nothing is asked.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub consent: String,
    /// A page that people who may look things up are led to, from `http://` or `https://`; none: they open what they
    /// like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub web_link: Option<String>,
}

/// How people and conditions are brought together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Arrangement {
    /// Each person has one condition, and does all tasks under it.
    Between,
    /// Each person has every condition, each with another group of tasks.
    Within,
}

/// What is compared with others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// What files and tables call it: letters, digits, `_` and `-`.
    pub id: String,
    /// What figures call it.
    pub title: String,
    /// What help there is.
    pub help: Help,
}

/// What help people have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Help {
    /// None; the assistant is hidden, the key sheet is not.
    None,
    /// They may leave the window and look things up, which is written down and not subtracted.
    Web,
    /// The assistant suggests the next step.
    Assistant,
}

/// A task of the study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StudyTask {
    /// The id of its set.
    pub set: String,
    /// Its id there.
    pub id: String,
    /// How hard it is: `easy`, `medium`, `hard` or another word.
    pub difficulty: String,
    /// How long people may try, in seconds.
    pub limit_secs: f64,
    /// When it has succeeded.
    pub success: SuccessRule,
    /// What the canvas holds at first.
    #[serde(default)]
    pub start: TaskStart,
    /// Of a study within people, which group of tasks it is in, from 0: each condition has one group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<u32>,
}

/// When a task has succeeded, by its document at the end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "check", deny_unknown_fields)]
pub enum SuccessRule {
    /// The component-wise similarity to the ground truth is high enough.
    Components {
        /// As published, or strictly.
        variant: ComponentVariant,
        /// From this score on.
        at_least: f64,
    },
    /// Few enough differences from the ground truth are left.
    Distance {
        /// Up to this distance: 3 for a node too many or missing, 2 for place, size or words, 1 for a field of style.
        at_most: f64,
    },
    /// The checks of the task itself all hold.
    TaskChecks,
}

/// A variant of the component-wise similarity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ComponentVariant {
    /// As CANVAS's code has it.
    Canvas,
    /// This program's, which sees what should not be there.
    Strict,
}

/// What the canvas holds at first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind", deny_unknown_fields)]
pub enum TaskStart {
    /// What the task gives.
    #[default]
    Given,
    /// The ground truth, changed in so many places, which follow from the study's seed: the same for everybody.
    ChangedTruth {
        /// In how many places.
        changes: u32,
    },
}

/// A form that people fill in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Instrument {
    /// One that comes with the program, by its id, or a file as seen from this one.
    pub form: String,
    /// When it is asked.
    pub when: AskedWhen,
    /// After which conditions only; empty: all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
}

/// When an instrument is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AskedWhen {
    /// Once, before the first task.
    BeforeStudy,
    /// After every task.
    AfterTask,
    /// After all tasks of a condition.
    AfterCondition,
    /// Once, after the last task.
    AfterStudy,
}

/// Why there is no study.
#[derive(Debug, thiserror::Error)]
pub enum StudyPlanError {
    /// The file cannot be read, or is no JSON of a study.
    #[error("not a study ({source}): {}", path.display())]
    File {
        /// The cause, with the line.
        source: JsonLimitError,
        /// Which file.
        path: PathBuf,
    },
    /// It says what cannot be.
    #[error("{fault}: {}", path.display())]
    Fault {
        /// What, and where.
        fault: PlanFault,
        /// Which file.
        path: PathBuf,
    },
}

/// What a study says that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {why}")]
pub struct PlanFault {
    /// Where in the file, such as `tasks[2].limit_secs`.
    pub place: String,
    /// What is wrong.
    pub why: String,
}

fn fault(place: impl Into<String>, why: impl Into<String>) -> PlanFault {
    PlanFault { place: place.into(), why: why.into() }
}

impl StudyPlan {
    /// The schema of the file, as it is in `assets/schema`.
    pub fn json_schema() -> Value {
        schemars::schema_for!(Self).to_value()
    }

    /// Reads and checks a study's file.
    ///
    /// # Errors
    ///
    /// [`StudyPlanError`], which names the place.
    pub fn open(path: &Path) -> Result<Self, StudyPlanError> {
        let file = |source| StudyPlanError::File { source, path: path.to_path_buf() };
        let bytes = read_file_limited(path, STUDY_BYTES).map_err(file)?;
        let plan: Self = parse_json(&bytes).map_err(file)?;
        let checked = plan.check();
        checked.map_err(|fault| StudyPlanError::Fault { fault, path: path.to_path_buf() })?;
        Ok(plan)
    }

    /// Whether it can be run.
    ///
    /// # Errors
    ///
    /// The first [`PlanFault`].
    pub fn check(&self) -> Result<(), PlanFault> {
        // The format before all else: of another format no further word would make sense.
        if self.format != STUDY_FORMAT {
            return Err(fault("format", format!("must be {STUDY_FORMAT:?}")));
        }
        if self.version != STUDY_VERSION {
            let why = format!("{} is not known, only {STUDY_VERSION}", self.version);
            return Err(fault("version", why));
        }
        check_id(&self.id).map_err(|why| fault("id", why))?;
        if !(1..=MOST_PEOPLE).contains(&self.people) {
            return Err(fault("people", format!("from 1 to {MOST_PEOPLE}")));
        }
        let link = self.web_link.as_deref();
        if link.is_some_and(|link| !link.starts_with("https://") && !link.starts_with("http://")) {
            return Err(fault("web_link", "begins with https:// or http://"));
        }
        self.check_conditions()?;
        self.check_tasks()?;
        self.check_groups()?;
        self.check_instruments()
    }

    /// The place of a condition.
    pub fn condition(&self, id: &str) -> Option<usize> {
        self.conditions.iter().position(|condition| condition.id == id)
    }

    /// The place of a task.
    pub fn task(&self, set: &str, id: &str) -> Option<usize> {
        self.tasks.iter().position(|task| task.set == set && task.id == id)
    }

    /// The levels of difficulty: easy, medium and hard in this order, then others as they come.
    pub fn levels(&self) -> Vec<&str> {
        // These in their own order; other words follow as the tasks name them.
        let known = ["easy", "medium", "hard"];
        let known = known
            .into_iter()
            .filter(|level| self.tasks.iter().any(|task| task.difficulty == **level));
        let mut levels: Vec<&str> = known.collect();
        for task in &self.tasks {
            if !levels.contains(&task.difficulty.as_str()) {
                levels.push(&task.difficulty);
            }
        }
        levels
    }

    fn check_conditions(&self) -> Result<(), PlanFault> {
        if !(2..=MOST_CONDITIONS).contains(&self.conditions.len()) {
            return Err(fault("conditions", format!("from 2 to {MOST_CONDITIONS} are compared")));
        }
        let mut ids = BTreeSet::new();
        for (at, condition) in self.conditions.iter().enumerate() {
            let place = format!("conditions[{at}].id");
            check_id(&condition.id).map_err(|why| fault(place.as_str(), why))?;
            if !ids.insert(&condition.id) {
                return Err(fault(place, "another condition is called the same"));
            }
        }
        Ok(())
    }

    fn check_tasks(&self) -> Result<(), PlanFault> {
        if !(1..=MOST_TASKS).contains(&self.tasks.len()) {
            return Err(fault("tasks", format!("from 1 to {MOST_TASKS}")));
        }
        let mut ids = BTreeSet::new();
        for (at, task) in self.tasks.iter().enumerate() {
            let place = format!("tasks[{at}]");
            if !ids.insert((&task.set, &task.id)) {
                return Err(fault(place, "the task is named twice"));
            }
            if task.difficulty.trim().is_empty() {
                return Err(fault(format!("{place}.difficulty"), "say how hard it is"));
            }
            if !(task.limit_secs > 0.0 && task.limit_secs <= MOST_SECONDS) {
                let why = format!("above 0 and up to {MOST_SECONDS} seconds");
                return Err(fault(format!("{place}.limit_secs"), why));
            }
            // A rule that can never hold, or always does, would only be found out from the results.
            let (number, name, is_possible) = match task.success {
                SuccessRule::Components { at_least, .. } => {
                    (at_least, "at_least", (0.0..=1.0).contains(&at_least))
                }
                SuccessRule::Distance { at_most } => (at_most, "at_most", at_most >= 0.0),
                SuccessRule::TaskChecks => (0.0, "", true),
            };
            if !is_possible {
                return Err(fault(
                    format!("{place}.success.{name}"),
                    format!("cannot be {number}"),
                ));
            }
            if matches!(task.start, TaskStart::ChangedTruth { changes } if !(1..=200).contains(&changes))
            {
                return Err(fault(format!("{place}.start.changes"), "from 1 to 200"));
            }
        }
        Ok(())
    }

    fn check_groups(&self) -> Result<(), PlanFault> {
        let groups = self.conditions.len();
        // As many groups as conditions: within people everybody does one of them by each.
        let mut sizes = vec![0_usize; groups];
        for (at, task) in self.tasks.iter().enumerate() {
            let place = format!("tasks[{at}].group");
            match (self.arrangement, task.group) {
                (Arrangement::Between, None) => {}
                (Arrangement::Between, Some(_)) => {
                    return Err(fault(place, "between people everybody does all tasks"));
                }
                (Arrangement::Within, Some(group)) => {
                    let size = sizes.get_mut(group as usize);
                    *size.ok_or_else(|| fault(place, format!("from 0 to {}", groups - 1)))? += 1;
                }
                (Arrangement::Within, None) => {
                    return Err(fault(place, "within people each task is in a group"));
                }
            }
        }
        let empty = sizes.iter().position(|size| *size == 0);
        match empty.filter(|_| self.arrangement == Arrangement::Within) {
            Some(group) => {
                let why = format!("no task is in group {group}, and each condition has one");
                Err(fault("tasks", why))
            }
            None => Ok(()),
        }
    }

    fn check_instruments(&self) -> Result<(), PlanFault> {
        for (at, instrument) in self.instruments.iter().enumerate() {
            let place = format!("instruments[{at}]");
            if instrument.form.trim().is_empty() {
                return Err(fault(format!("{place}.form"), "say which"));
            }
            if let Some(id) = instrument.conditions.iter().find(|id| self.condition(id).is_none()) {
                let why = format!("no condition is called {id:?}");
                return Err(fault(format!("{place}.conditions"), why));
            }
            // Logs know a form by its id: one that is asked twice of a person has one answer there.
            let mut earlier = self.instruments.iter().take(at);
            let is_asked = earlier.any(|it| it.is_of_person() && it.form == instrument.form);
            if instrument.is_of_person() && is_asked {
                let why = "this form is asked already, and logs could not tell its answers apart: \
                    make another form of it, with an id of its own";
                return Err(fault(format!("{place}.form"), why));
            }
        }
        Ok(())
    }
}

impl Instrument {
    /// Whether what it asks is about no condition and no task.
    fn is_of_person(&self) -> bool {
        matches!(self.when, AskedWhen::BeforeStudy | AskedWhen::AfterStudy)
    }

    /// Whether it is asked then: under or after one of these conditions, or before or after the study of somebody who
    /// has these.
    pub fn is_due(&self, when: AskedWhen, conditions: &[&str]) -> bool {
        let named = &self.conditions;
        let is_here = named.is_empty() || named.iter().any(|id| conditions.contains(&id.as_str()));
        self.when == when && is_here
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::presets::{CandidateTask, Preset, StartChoice};

    #[test]
    fn a_form_that_is_asked_before_and_after_has_two_ids() {
        let candidate = CandidateTask::of_set("task");
        let places = vec!["tasks".to_owned()];
        let plan = Preset::Psbench.plan(&[candidate], places, StartChoice::Given, 1);
        let mut plan = plan.unwrap();
        plan.check().unwrap();
        let asked = [AskedWhen::AfterCondition, AskedWhen::AfterStudy, AskedWhen::BeforeStudy];
        let asked = asked.map(|when| {
            let (form, conditions) = ("sus".to_owned(), Vec::new());
            Instrument { form, when, conditions }
        });
        plan.instruments = asked[..2].to_vec();
        plan.check().unwrap();
        plan.instruments = asked.to_vec();
        assert_eq!(plan.check().unwrap_err().place, "instruments[2].form");
    }
}
