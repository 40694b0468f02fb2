//! The library as rows.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use crate::evaluate::PrimaryMetric;
use crate::metric::Score;
use crate::run::{Outcome, TaskRef};
use crate::task::{Task, TaskKind, TaskSet};
use crate::workbench::model::{
    Grouping, Library, LibraryRun, RunId, RunLabels, RunNotes, RunState, State, Urgency,
};

use super::arranged::{self, NumberedRun, RunGroup};
use super::filter::{Filter, FilterAnswer, FilterError, FilterItem};

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
    /// The score at its last step by its [`PrimaryMetric`], once known.
    pub last_score: Option<&'a Score>,
    /// The same after each step, for the sparkline; may have gaps.
    pub curve: &'a [Option<Score>],
    /// Whether it is on the stage.
    pub is_selected: bool,
    /// All runs below its task; empty where it does not stand below one.
    beside: Rc<[&'a LibraryRun]>,
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
        let same: Vec<&LibraryRun> = self.beside.iter().copied().filter(|run| name(run)).collect();
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

/// The rows of the library: filtered, folded, in order. While something is filtered for, matches
/// are shown even below folded rows.
pub fn library_rows(state: &State) -> LibraryRows<'_> {
    let library = &state.library;
    let (filter, filter_error) = match state.read_filter(&library.filter) {
        Ok(filter) => (filter, None),
        Err(error) => (Filter::default(), Some(error)),
    };
    // Counted before anything is filtered: the heading says how many there are in all.
    let mut out = LibraryRows {
        runs_total: library.runs.len(),
        tasks_total: library.sets.iter().map(|entry| entry.set.tasks.len()).sum(),
        ..LibraryRows::default()
    };
    let unfold = !filter.is_empty();
    let mut sieve = Sieve::new(state, &filter);
    let branches = branches(&mut sieve);
    out.runs_not_scored = sieve.not_scored;
    if library.arrangement.grouping == Grouping::Task {
        for branch in branches {
            branch.push_rows(state, unfold, &mut out);
        }
    } else {
        for group in arranged::groups(runs_of(branches), library.arrangement) {
            group.push_rows(state, unfold, &mut out);
        }
    }
    LibraryRows { filter, filter_error, ..out }
}

/// Whether the last score of the run is due or under way.
fn is_to_be_scored(state: &State, run: RunId) -> bool {
    let mut under_way = state.derived.scores_in_flight(Urgency::Library);
    state.in_flight.finals_due.contains(&run) || under_way.any(|key| key.run == run)
}

/// How far the last scores of the library's runs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LibraryScoring {
    /// Runs that were scored since the first of them was due.
    pub done: usize,
    /// Those, and the ones that are still due.
    pub total: usize,
    /// Whether it is paused.
    pub is_paused: bool,
}

/// How far the scores of runs that nobody looks at are; `None` when all are known.
pub fn library_scoring(state: &State) -> Option<LibraryScoring> {
    let under_way = state.derived.scores_in_flight(Urgency::Library).count();
    let due = state.in_flight.finals_due.len() + under_way;
    let total = state.in_flight.finals_most.max(due);
    (due > 0).then_some(LibraryScoring {
        done: total - due,
        total,
        is_paused: state.scoring_paused,
    })
}

/// Runs that pass the filter, in the order of the rows, folded away or not.
pub fn run_order(state: &State) -> Vec<RunId> {
    let filter = state.read_filter(&state.library.filter).unwrap_or_default();
    let runs = runs_of(branches(&mut Sieve::new(state, &filter)));
    let arrangement = state.library.arrangement;
    if arrangement.grouping == Grouping::Task {
        return runs.into_iter().map(|(id, _)| id).collect();
    }
    let groups = arranged::groups(runs, arrangement).into_iter();
    groups.flat_map(|group| group.runs).map(|(id, _)| id).collect()
}

fn runs_of(branches: Vec<Branch<'_>>) -> Vec<NumberedRun<'_>> {
    let twigs = branches.into_iter().flat_map(|branch| branch.twigs);
    twigs.flat_map(|twig| twig.runs).collect()
}

/// The tasks of open sets that pass the filter, or of which a run does, folded away or not.
pub fn filtered_tasks(state: &State) -> BTreeSet<TaskRef> {
    let filter = state.read_filter(&state.library.filter).unwrap_or_default();
    let twigs = branches(&mut Sieve::new(state, &filter)).into_iter();
    let twigs = twigs.flat_map(|branch| branch.twigs);
    twigs.filter(|twig| twig.task.is_some()).map(|twig| twig.task_ref).collect()
}

/// A set with what of it passes the filter.
struct Branch<'a> {
    id: &'a str,
    set: Option<&'a TaskSet>,
    warnings: &'a [String],
    twigs: Vec<Twig<'a>>,
}

/// A task with those of its runs that pass the filter.
struct Twig<'a> {
    task_ref: TaskRef,
    task: Option<&'a Task>,
    runs: Vec<NumberedRun<'a>>,
}

/// What runs have to pass.
struct Sieve<'a, 'f> {
    state: &'a State,
    filter: &'f Filter,
    /// Whether those are counted that do not pass and may once they are scored.
    asks_for_score: bool,
    not_scored: usize,
}

impl<'a, 'f> Sieve<'a, 'f> {
    fn new(state: &'a State, filter: &'f Filter) -> Self {
        Self { state, filter, asks_for_score: filter.asks_for_score(), not_scored: 0 }
    }

    /// Whether a run passes, which is what it is asked about beside what is known of its task.
    fn passes(&mut self, (id, run): NumberedRun<'_>, of_task: FilterItem<'_>) -> bool {
        let State { notes, annotate, .. } = self.state;
        let (notes, labels) = (notes.of(run), annotate.said_of(&run.dir));
        let item = FilterItem { run: Some(run), notes, labels, ..of_task };
        if !self.asks_for_score {
            return self.filter.matches(&item);
        }
        let answer = self.filter.answer(&item);
        // Of a task that nothing can be measured by, no score will come.
        let may_pass = answer == FilterAnswer::Awaited
            && item.task.is_some_and(Task::is_measurable)
            && is_to_be_scored(self.state, id);
        self.not_scored += usize::from(may_pass);
        answer == FilterAnswer::Passes
    }
}

type RunsOfTask<'a> = Vec<NumberedRun<'a>>;
type RunsByTask<'a> = HashMap<&'a TaskRef, RunsOfTask<'a>>;

/// Open sets in their order, then sets known only from runs, by id.
fn branches<'a>(sieve: &mut Sieve<'a, '_>) -> Vec<Branch<'a>> {
    let library = &sieve.state.library;
    let mut by_task = runs_by_task(library);
    let mut branches = Vec::with_capacity(library.sets.len());
    for entry in &library.sets {
        let known = entry.tasks().filter_map(|(task_ref, task)| {
            let runs = by_task.remove(&task_ref).unwrap_or_default();
            twig(sieve, Some(&entry.set), Some(&**task), task_ref, runs)
        });
        branches.push(Branch {
            id: &entry.set.id,
            set: Some(&*entry.set),
            warnings: &entry.warnings,
            twigs: known.collect(),
        });
    }
    // What no open set took is left.
    add_loose_runs(&mut branches, by_task, sieve);
    // An empty set stays while nothing is filtered: it was opened, and would be missed.
    branches.retain(|branch| sieve.filter.is_empty() || !branch.twigs.is_empty());
    if library.arrangement.grouping == Grouping::Task {
        for twig in branches.iter_mut().flat_map(|branch| &mut branch.twigs) {
            arranged::sort(&mut twig.runs, library.arrangement);
        }
    }
    branches
}

/// All runs by their tasks. This is done in every frame, for thousands of runs: those of one task
/// mostly follow each other, so that few are looked up.
fn runs_by_task(library: &Library) -> RunsByTask<'_> {
    let mut by_task = RunsByTask::new();
    let mut group: Option<(&TaskRef, RunsOfTask<'_>)> = None;
    for (id, run) in &library.runs {
        let task = &run.task;
        match &mut group {
            Some((of, runs)) if *of == task => runs.push((*id, run)),
            _ => {
                let before = group.replace((task, vec![(*id, run)]));
                add_group(&mut by_task, before);
            }
        }
    }
    add_group(&mut by_task, group);
    by_task
}

fn add_group<'a>(by_task: &mut RunsByTask<'a>, group: Option<(&'a TaskRef, RunsOfTask<'a>)>) {
    let Some((task, runs)) = group else { return };
    by_task.entry(task).or_default().extend(runs);
}

/// Runs at tasks that are not in an open set.
fn add_loose_runs<'a>(
    branches: &mut Vec<Branch<'a>>,
    loose: RunsByTask<'a>,
    sieve: &mut Sieve<'_, '_>,
) {
    let mut loose: Vec<(&TaskRef, RunsOfTask<'_>)> = loose.into_iter().collect();
    loose.sort_unstable_by_key(|(task, _)| *task);
    for (task_ref, runs) in loose {
        let Some(twig) = twig(sieve, None, None, task_ref.clone(), runs) else { continue };
        match branches.iter_mut().find(|branch| branch.id == task_ref.set) {
            Some(branch) => branch.twigs.push(twig),
            None => branches.push(Branch {
                id: &task_ref.set,
                set: None,
                warnings: &[],
                twigs: vec![twig],
            }),
        }
    }
}

/// A task with its runs, if something of it passes: one of its runs, or, of a task without runs,
/// the task itself.
fn twig<'a>(
    sieve: &mut Sieve<'_, '_>,
    set: Option<&'a TaskSet>,
    task: Option<&'a Task>,
    task_ref: TaskRef,
    mut runs: Vec<(RunId, &'a LibraryRun)>,
) -> Option<Twig<'a>> {
    let item = FilterItem { set, task, task_ref: &task_ref, run: None, notes: None, labels: None };
    if runs.is_empty() {
        return sieve.filter.matches(&item).then_some(Twig { task_ref, task, runs });
    }
    runs.retain(|run| sieve.passes(*run, item));
    (!runs.is_empty()).then_some(Twig { task_ref, task, runs })
}

impl<'a> Branch<'a> {
    fn push_rows(self, state: &'a State, unfold: bool, out: &mut LibraryRows<'a>) {
        let folded = &state.library.folded;
        let is_folded = !unfold && folded.sets.contains(self.id);
        // Counted though they are folded: the line above the list says how many pass.
        let runs = self.twigs.iter().map(|twig| twig.runs.len()).sum();
        out.runs_shown += runs;
        out.rows.push(LibraryRow::Set(SetRow {
            id: self.id,
            name: self.set.map_or(self.id, |set| &set.name),
            is_open: self.set.is_some(),
            is_folded,
            tasks: self.twigs.len(),
            runs,
            warnings: self.warnings,
        }));
        if is_folded {
            return;
        }
        for twig in self.twigs {
            twig.push_rows(state, unfold, out);
        }
    }
}

impl<'a> Twig<'a> {
    fn push_rows(self, state: &'a State, unfold: bool, out: &mut LibraryRows<'a>) {
        let is_folded = !unfold && state.library.folded.tasks.contains(&self.task_ref);
        out.rows.push(LibraryRow::Task(TaskRow {
            instruction: self.task.map_or("", |task| &task.instruction),
            category: self.task.and_then(|task| task.category.as_deref()),
            kind: self.task.map(|task| task.kind),
            is_folded,
            is_selected: state.selection.task.as_ref() == Some(&self.task_ref),
            runs: self.runs.len(),
            task: self.task_ref,
        }));
        if !is_folded {
            let beside: Rc<[&LibraryRun]> = self.runs.iter().map(|(_, run)| *run).collect();
            for (id, run) in self.runs {
                let name = &run.manifest.agent.name;
                out.rows.push(run_row(state, (id, run), (name, None), Rc::clone(&beside)));
            }
        }
    }
}

impl<'a> RunGroup<'a> {
    fn push_rows(self, state: &'a State, unfold: bool, out: &mut LibraryRows<'a>) {
        out.runs_shown += self.runs.len();
        if let Some(name) = self.agent {
            let is_folded = !unfold && state.library.folded.agents.contains(name);
            out.rows.push(LibraryRow::Agent(AgentRow { name, is_folded, runs: self.runs.len() }));
            if is_folded {
                return;
            }
        }
        for (id, run) in self.runs {
            let agent = self.agent.is_none().then_some(&*run.manifest.agent.name);
            out.rows.push(run_row(state, (id, run), (&run.task.id, agent), Rc::default()));
        }
    }
}

fn run_row<'a>(
    state: &'a State,
    (id, run): NumberedRun<'a>,
    (name, aside): (&'a str, Option<&'a str>),
    beside: Rc<[&'a LibraryRun]>,
) -> LibraryRow<'a> {
    LibraryRow::Run(RunRow {
        id,
        run,
        name,
        aside,
        state: &run.state,
        last_score: run.last_score.as_ref(),
        curve: run.curves.of(PrimaryMetric::of_run(&run.manifest).variant()),
        is_selected: state.selection.run == Some(id),
        beside,
        notes: state.notes.of(run),
        labels: state.annotate.said_of(&run.dir),
    })
}
