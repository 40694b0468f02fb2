//! What stands in a row of the library.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::metric::Score;
use crate::run::{Outcome, TaskRef};
use crate::task::TaskKind;
use crate::workbench::model::{Library, LibraryRun, RunId, RunLabels, RunNotes, RunState};

use super::filter::{Filter, FilterError};

/// The rows of the library, in order.
#[derive(Debug, Default)]
pub struct LibraryRows<'a> {
    /// What is shown, top first.
    pub rows: Vec<LibraryRow<'a>>,
    /// The filter, if it was understood; its spans are for colouring the text.
    pub filter: Filter,
    /// What is wrong with the filter; then nothing is filtered out.
    pub filter_error: Option<FilterError>,
    /// Runs that pass the filter, folded away or not.
    pub runs_shown: usize,
    /// Runs that do not pass because their score is still to come and may let them.
    pub runs_not_scored: usize,
    /// All runs.
    pub runs_total: usize,
    /// All tasks.
    pub tasks_total: usize,
}

/// One row.
#[derive(Debug)]
pub enum LibraryRow<'a> {
    /// A task set.
    Set(SetRow<'a>),
    /// A task, below its set.
    Task(TaskRow<'a>),
    /// A run, below its task or agent.
    Run(RunRow<'a>),
    /// An agent, where runs are grouped by agent.
    Agent(AgentRow<'a>),
}

/// An agent.
#[derive(Debug)]
pub struct AgentRow<'a> {
    /// Its name.
    pub name: &'a str,
    /// Whether its runs are hidden.
    pub is_folded: bool,
    /// Runs below it that pass the filter.
    pub runs: usize,
}

/// A task set.
#[derive(Debug)]
pub struct SetRow<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its name; the id, if the set is not open.
    pub name: &'a str,
    /// Whether the set itself is open; `false`: only runs that refer to it.
    pub is_open: bool,
    /// Whether its tasks are hidden.
    pub is_folded: bool,
    /// Tasks below it that pass the filter.
    pub tasks: usize,
    /// Runs below it that pass the filter.
    pub runs: usize,
    /// What was odd about it.
    pub warnings: &'a [String],
}

/// A task.
#[derive(Debug)]
pub struct TaskRow<'a> {
    /// Which.
    pub task: TaskRef,
    /// What is asked, in words; empty if its set is not open.
    pub instruction: &'a str,
    /// The UI category, if known.
    pub category: Option<&'a str>,
    /// What is asked, if its set is open.
    pub kind: Option<TaskKind>,
    /// Whether its runs are hidden.
    pub is_folded: bool,
    /// Whether it is the selected task.
    pub is_selected: bool,
    /// Runs below it that pass the filter.
    pub runs: usize,
}

/// A run.
#[derive(Debug)]
pub struct RunRow<'a> {
    /// Which.
    pub id: RunId,
    /// The run.
    pub run: &'a LibraryRun,
    /// The name shown: the agent's below a task, otherwise the task's.
    pub name: &'a str,
    /// The agent's name, where neither it nor the task is above the run.
    pub aside: Option<&'a str>,
    /// Where it stands.
    pub state: &'a RunState,
    /// The score at its last step by its [`PrimaryMetric`](crate::evaluate::PrimaryMetric), once known.
    pub last_score: Option<&'a Score>,
    /// The same after each step, for the sparkline; may have gaps.
    pub curve: &'a [Option<Score>],
    /// Whether it is on the stage.
    pub is_selected: bool,
    /// All runs below its task; empty where it does not stand below one.
    pub(super) beside: Rc<[RunId]>,
    pub(super) library: &'a Library,
    /// What people wrote to it and its steps.
    pub notes: Option<&'a RunNotes>,
    /// What people who label said of it; nothing while somebody labels blind.
    pub labels: Option<&'a RunLabels>,
}

/// How a run that ended did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunOutcome {
    /// The agent ended it.
    Completed,
    /// A limit was met first.
    LimitReached,
    /// Part of what was recorded is lost.
    Damaged,
    /// Nobody recorded how it ended: it was imported.
    NotRecorded,
}

impl RunRow<'_> {
    /// How it ended, if it did so in good order.
    pub fn outcome(&self) -> RunOutcome {
        let manifest = &self.run.manifest;
        match &manifest.outcome {
            _ if self.run.is_damaged() => RunOutcome::Damaged,
            _ if !manifest.says_outcome() => RunOutcome::NotRecorded,
            Outcome::LimitReached(_) => RunOutcome::LimitReached,
            _ => RunOutcome::Completed,
        }
    }

    /// What tells it apart from other runs of its name below its task; `None` where there are none, or nothing
    /// does. Worked out where the row is drawn: there are thousands of others.
    pub fn mark(&self) -> Option<String> {
        let name = |run: &LibraryRun| run.manifest.agent.name == self.run.manifest.agent.name;
        let beside = self.beside.iter().filter_map(|run| self.library.runs.get(run));
        let same: Vec<&LibraryRun> = beside.filter(|run| name(run)).collect();
        let tells_apart = |mark: &Disambiguator| {
            let seen: BTreeSet<Option<String>> = same.iter().map(|run| mark(run)).collect();
            seen.len() == same.len()
        };
        let mark = MARKS.into_iter().find(tells_apart).filter(|_| same.len() > 1)?;
        mark(self.run)
    }
}

/// A way to tell runs of one name apart.
type Disambiguator = fn(&LibraryRun) -> Option<String>;

/// Best first.
const MARKS: [Disambiguator; 3] = [number, time, day];

/// The number at the end of its folder's name, as in `tracer-02`.
fn number(run: &LibraryRun) -> Option<String> {
    let (name, number) = run.dir.file_name()?.to_str()?.rsplit_once('-')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !name.is_empty()).then(|| number.to_owned())
}

/// When it began, as in `2026-03-14T09:26:53Z`.
fn time(run: &LibraryRun) -> Option<String> {
    run.manifest.recorded_start()?.get(11..16).map(ToOwned::to_owned)
}

/// The day it began.
fn day(run: &LibraryRun) -> Option<String> {
    run.manifest.recorded_start()?.get(..10).map(ToOwned::to_owned)
}
