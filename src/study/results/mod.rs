//! What a study comes to: success and time by level and condition, tests, questionnaires, co-design.
//!
//! Start with [`StudyResults::of`]. `cells` are what the figure shows, `comparisons` the tests, `questionnaires`
//! what people answered on scales and `answers` what they said in words, each with what it is about by `occasions`;
//! `clocks` are pauses and time away; `autonomous` are rows of agents beside those of people. Every figure has its persons
//! and tasks, its interval, and where there is none, why.

mod answers;
mod assisted;
mod autonomous;
mod cells;
mod clocks;
mod comparisons;
mod counting;
mod occasions;
mod questionnaires;

use crate::label::Form;
use crate::metric::codesign::CoDesign;
use crate::run::TaskRef;

use super::assignment::Balance;
use super::event::ParticipantKind;
use super::folder::{PersonRecord, StudyRecord};
use super::plan::{Help, StudyPlan};
use super::trial::Trial;

pub use answers::{GivenAnswer, GivenAnswers};
pub use assisted::Progress;
pub use autonomous::{AgentAttempt, AgentModel, Autonomous, LeftOutRun};
pub use cells::{Cell, EQUAL_SHARES, Individual};
pub use clocks::{AttemptClock, ConditionClock};
pub use comparisons::{ConditionComparison, EffectSize, Measure, MixedModel, TestFinding};
pub use counting::Unit;
pub use questionnaires::QuestionnaireScore;

use counting::Counting;

/// Whether what scripts did is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// People only.
    People,
    /// Scripts, too: every figure says so.
    ScriptedToo,
}

impl Counted {
    /// Whether what somebody of this kind did is counted.
    pub fn counts(self, by: ParticipantKind) -> bool {
        self == Self::ScriptedToo || by == ParticipantKind::Person
    }
}

/// What a study comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyResults {
    /// The plan.
    pub plan: StudyPlan,
    /// Whether what scripts did is counted here.
    pub has_scripted: bool,
    /// Who is counted.
    pub participants: Vec<String>,
    /// How many scripted participants are left out.
    pub scripted_left_out: usize,
    /// Attempts that did not come to their end, or that were done and not checked: left out.
    pub unfinished: Vec<UnfinishedAttempt>,
    /// How evenly conditions, positions and groups of tasks met.
    pub balance: Balance,
    /// Success and time: each level, then all levels, by condition.
    pub cells: Vec<Cell>,
    /// Time away and pauses, by condition, in the plan's order.
    pub clocks: Vec<ConditionClock>,
    /// What agents did alone: beside the people, and in none of their tests. Empty until it is put in.
    pub autonomous: Autonomous,
    /// The tests.
    pub comparisons: Vec<ConditionComparison>,
    /// Success by condition and level with persons and tasks random: with every level's own effect, and without.
    pub mixed: Vec<MixedModel>,
    /// What questionnaires say.
    pub questionnaires: Vec<QuestionnaireScore>,
    /// What was answered in words or by choice.
    pub answers: GivenAnswers,
    /// What happened between people and the assistant, by condition, in the plan's order; `None`: not recorded.
    pub codesign: Vec<Option<CoDesign>>,
    /// How far designs were from the ground truth over time, of each attempt of which that is known.
    pub progress: Vec<Progress>,
}

/// An attempt that is in no figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnfinishedAttempt {
    /// Whose, such as `P01`.
    pub participant: String,
    /// The id of its condition.
    pub condition: String,
    /// Its task.
    pub task: TaskRef,
    /// Why it says nothing, in words.
    pub why: &'static str,
}

impl UnfinishedAttempt {
    fn of(participant: &str, trial: &Trial) -> Self {
        let facts = &trial.facts;
        Self {
            participant: participant.to_owned(),
            condition: facts.condition.clone(),
            task: TaskRef::new(&facts.set, &facts.task),
            why: match trial.clock.ending {
                None => "it did not come to an end",
                Some(_) if !trial.is_whole() => "it was done, and not checked",
                Some(_) => "the plan has no such condition or task",
            },
        }
    }
}

/// Resamples of an interval.
pub const RESAMPLES: usize = 10_000;

impl StudyResults {
    /// Of a study's record; `forms` are those that its questionnaires are scored by: of the plan's instruments, in its
    /// order, and others behind them.
    pub fn of(record: &StudyRecord, forms: &[Form], counted: Counted, resamples: usize) -> Self {
        let plan = &record.plan;
        let people = record.people.iter().filter(|person| counted.counts(person.by));
        let people: Vec<&PersonRecord> = people.collect();
        let (mut counting, mut unfinished) = (Vec::new(), Vec::new());
        for (person, record) in people.iter().enumerate() {
            for (_, trial) in &record.trials {
                let facts = &trial.facts;
                let places =
                    plan.condition(&facts.condition).zip(plan.task(&facts.set, &facts.task));
                // An attempt without an end, or of a plan that was changed since, is in no figure, and listed.
                match places.filter(|_| trial.is_whole()) {
                    Some((condition, task)) => {
                        counting.push(Counting { person, condition, task, trial });
                    }
                    None => unfinished.push(UnfinishedAttempt::of(&record.participant, trial)),
                }
            }
        }
        let conditions = plan.conditions.len();
        // Measures are sums and counts: over several tasks they add up.
        let codesign = (0..conditions).map(|condition| {
            let of_condition = counting.iter().filter(|it| it.condition == condition);
            let mut told = of_condition.filter_map(|it| it.trial.codesign.as_ref());
            let mut sum = told.next()?.clone();
            told.for_each(|more| sum.add(more));
            Some(sum)
        });
        let progress = counting.iter().filter(|it| !it.trial.distances.is_empty());
        let progress = progress.map(|it| Progress {
            participant: people[it.person].participant.clone(),
            condition: it.condition,
            task: it.task,
            points: it.trial.distances.clone(),
            end_secs: it.trial.seconds(),
        });
        Self {
            has_scripted: people.iter().any(|person| person.by == ParticipantKind::Scripted),
            participants: people.iter().map(|person| person.participant.clone()).collect(),
            scripted_left_out: record.people.len() - people.len(),
            unfinished,
            balance: Balance::of(plan, people.iter().filter_map(|person| person.row())),
            clocks: clocks::clocks(plan, &people, &counting),
            cells: cells::cells(plan, &people, &counting, resamples),
            autonomous: Autonomous::default(),
            comparisons: comparisons::compare(plan, people.len(), &counting, resamples),
            mixed: comparisons::mixed(plan, &counting),
            questionnaires: questionnaires::score(plan, &people, forms, resamples),
            answers: answers::given(plan, &people, forms),
            codesign: codesign.collect(),
            progress: progress.collect(),
            plan: plan.clone(),
        }
    }

    /// Success and time as tables and figures show them, level by level: people by condition, then each model alone.
    pub fn levels(&self) -> Vec<Vec<&Cell>> {
        let models = self.autonomous.models.len();
        let of_people = self.cells.chunks(self.plan.conditions.len().max(1));
        let levels = of_people.enumerate().map(|(at, people)| {
            let agents = self.autonomous.cells.iter().skip(at * models).take(models);
            people.iter().chain(agents).collect()
        });
        levels.collect()
    }

    /// A level under a condition, by its place: first all of people, then those of agents.
    pub fn cell(&self, at: usize) -> Option<&Cell> {
        self.cells.iter().chain(&self.autonomous.cells).nth(at)
    }

    /// The runs of agents that such a level is of; none where it is of people.
    pub fn agent_attempts_of<'a>(
        &'a self,
        cell: &'a Cell,
    ) -> impl Iterator<Item = &'a AgentAttempt> {
        let model = self.model(cell.condition);
        let attempts = self.autonomous.attempts.iter();
        attempts.filter(move |attempt| {
            let level = self.plan.tasks.get(attempt.task).map(|task| &task.difficulty);
            model.is_some_and(|model| model.name == attempt.model)
                && cell.level.as_ref().is_none_or(|of| Some(of) == level)
        })
    }

    /// What files call the condition at a place, as a [`Cell`] has it; `None` if there is none.
    pub fn condition_id(&self, at: usize) -> Option<String> {
        match self.model(at) {
            Some(model) => Some(format!("autonomous:{}", model.name)),
            None => self.plan.conditions.get(at).map(|it| it.id.clone()),
        }
    }

    /// What figures call it.
    pub fn condition_title(&self, at: usize) -> Option<String> {
        match self.model(at) {
            Some(model) => Some(format!("Autonomous: {}", model.name)),
            None => self.plan.conditions.get(at).map(|it| it.title.clone()),
        }
    }

    /// Whether people may leave the window under the condition at a place: it is written down how long they are away.
    pub fn may_leave(&self, at: usize) -> bool {
        self.plan.conditions.get(at).is_some_and(|condition| condition.help == Help::Web)
    }

    /// The model whose place this is; `None` of the plan's own conditions.
    fn model(&self, at: usize) -> Option<&AgentModel> {
        self.autonomous.models.get(at.checked_sub(self.plan.conditions.len())?)
    }

    /// How long people were away where they may leave, and how often the clock stood still, a sentence each; none where
    /// it never did. Conditions are called by [`Self::condition_id`] or [`Self::condition_title`].
    pub fn clock_lines(&self, name_of: impl Fn(&Self, usize) -> Option<String>) -> Vec<String> {
        let clocks = self.clocks.iter().enumerate();
        let lines = clocks.map(|(at, clock)| clock.lines(&name_of(self, at).unwrap_or_default()));
        lines.flatten().collect()
    }

    /// What happened between people and the assistant as a table: a row a measure, and a cell a condition in the plan's
    /// order. What was not recorded is said to be so.
    pub fn assistant_rows(&self) -> Vec<(String, Vec<String>)> {
        assisted::assistant_rows(&self.codesign)
    }
}
