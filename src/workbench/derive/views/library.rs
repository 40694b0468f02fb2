//! The library as rows.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash as _;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use crate::evaluate::PrimaryMetric;
use crate::run::TaskRef;
use crate::task::{Task, TaskSet};
use crate::workbench::model::{
    Arrangement, Grouping, Library, LibraryRun, LibrarySet, RunId, Selection, State, Urgency,
};

use super::arranged::{self, NumberedRun, RunGroup};
use super::filter::{Filter, FilterAnswer, FilterError, FilterItem};
use super::library_row::{AgentRow, LibraryRow, LibraryRows, RunRow, SetRow, TaskRow};
use crate::workbench::derive::explore::hashed;

/// Which rows the library has, without what stands in them: filtered, folded, in order.
#[derive(Debug, Default)]
pub struct LibraryOutline {
    rows: Vec<OutlineRow>,
    filter: Filter,
    filter_error: Option<FilterError>,
    runs_shown: usize,
    runs_not_scored: usize,
    runs_total: usize,
    tasks_total: usize,
}

/// What an outline follows from, where it can be kept: as long as that is the same, so is the outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutlineStamp {
    runs: u64,
    sets: u64,
    folded: u64,
    arrangement: Arrangement,
}

/// A row of the outline.
#[derive(Debug)]
enum OutlineRow {
    /// A set by its place among those that are open, or by a run that names it where it is not.
    Set {
        of: Result<usize, RunId>,
        is_folded: bool,
        tasks: usize,
        runs: usize,
    },
    /// A task, with the places of its set and of itself in that, if the set is open.
    Task {
        task: TaskRef,
        place: Option<(usize, usize)>,
        is_folded: bool,
        runs: usize,
    },
    Run {
        id: RunId,
        below: Below,
    },
    /// An agent, by a run of it.
    Agent {
        of: RunId,
        is_folded: bool,
        runs: usize,
    },
}

/// What a run stands below.
#[derive(Clone, Debug)]
enum Below {
    /// Its task, with all runs of that.
    Task(Rc<[RunId]>),
    /// Its agent.
    Agent,
    /// Neither.
    Nothing,
}

impl OutlineStamp {
    /// What the outline follows from; `None` while something is filtered for, as that may be anything.
    pub fn of(state: &State) -> Option<Self> {
        let Library { runs, sets, folded, arrangement, filter, .. } = &state.library;
        filter.is_empty().then(|| Self {
            runs: runs.revision(),
            sets: hashed(|hasher| {
                for entry in sets {
                    // A set that is read again is another one.
                    (&entry.set.id, Arc::as_ptr(&entry.set).addr()).hash(hasher);
                }
            }),
            folded: hashed(|hasher| folded.hash(hasher)),
            arrangement: *arrangement,
        })
    }
}

impl LibraryOutline {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Some of the rows of the state that it was made of, and all else that is known of them.
    pub fn rows<'a>(&self, state: &'a State, range: Range<usize>) -> LibraryRows<'a> {
        let rows = self.rows.get(range).unwrap_or_default();
        LibraryRows {
            rows: rows.iter().filter_map(|row| row.of(state)).collect(),
            filter: self.filter.clone(),
            filter_error: self.filter_error.clone(),
            runs_shown: self.runs_shown,
            runs_not_scored: self.runs_not_scored,
            runs_total: self.runs_total,
            tasks_total: self.tasks_total,
        }
    }

    /// The place of the row of the selected run, or of the selected task where none is.
    pub fn selected(&self, state: &State) -> Option<usize> {
        let Selection { run, task, .. } = &state.selection;
        self.rows.iter().position(|row| match row {
            OutlineRow::Run { id, .. } => *run == Some(*id),
            OutlineRow::Task { task: of, .. } => run.is_none() && task.as_ref() == Some(of),
            OutlineRow::Set { .. } | OutlineRow::Agent { .. } => false,
        })
    }
}

impl OutlineRow {
    /// The row; `None` where the state is another by now.
    fn of<'a>(&self, state: &'a State) -> Option<LibraryRow<'a>> {
        Some(match self {
            Self::Set { of, is_folded, tasks, runs } => {
                let (id, name, warnings) = match of {
                    Ok(place) => {
                        let LibrarySet { set, warnings, .. } = state.library.sets.get(*place)?;
                        (&set.id, &set.name, warnings.as_slice())
                    }
                    Err(run) => {
                        let id = &state.library.runs.get(run)?.task.set;
                        (id, id, &[][..])
                    }
                };
                LibraryRow::Set(SetRow {
                    id,
                    name,
                    is_open: of.is_ok(),
                    is_folded: *is_folded,
                    tasks: *tasks,
                    runs: *runs,
                    warnings,
                })
            }
            Self::Task { task: task_ref, place, is_folded, runs } => {
                let set = place.and_then(|(set, _)| state.library.sets.get(set));
                let task = set.zip(*place).and_then(|(entry, (_, at))| entry.set.tasks.get(at));
                LibraryRow::Task(TaskRow {
                    task: task_ref.clone(),
                    instruction: task.map_or("", |task| &task.instruction),
                    category: task.and_then(|task| task.category.as_deref()),
                    kind: task.map(|task| task.kind),
                    is_folded: *is_folded,
                    is_selected: state.selection.task.as_ref() == Some(task_ref),
                    runs: *runs,
                })
            }
            Self::Run { id, below } => run_row(state, *id, below)?,
            Self::Agent { of, is_folded, runs } => {
                let name = &state.library.runs.get(of)?.manifest.agent.name;
                LibraryRow::Agent(AgentRow { name, is_folded: *is_folded, runs: *runs })
            }
        })
    }
}

/// The rows of the library: filtered, folded, in order. While something is filtered for, matches
/// are shown even below folded rows.
pub fn library_rows(state: &State) -> LibraryRows<'_> {
    let outline = library_outline(state);
    outline.rows(state, 0..outline.len())
}

/// Which rows those are.
pub fn library_outline(state: &State) -> LibraryOutline {
    let library = &state.library;
    let (filter, filter_error) = match state.read_filter(&library.filter) {
        Ok(filter) => (filter, None),
        Err(error) => (Filter::default(), Some(error)),
    };
    // Counted before anything is filtered: the heading says how many there are in all.
    let mut out = LibraryOutline {
        runs_total: library.runs.len(),
        tasks_total: library.sets.iter().map(|entry| entry.set.tasks.len()).sum(),
        ..LibraryOutline::default()
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
    LibraryOutline { filter, filter_error, ..out }
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
    twigs.filter(|twig| twig.place.is_some()).map(|twig| twig.task_ref).collect()
}

/// A set with what of it passes the filter.
struct Branch<'a> {
    id: &'a str,
    /// Among the sets that are open, if it is.
    place: Option<usize>,
    twigs: Vec<Twig<'a>>,
}

/// A task with those of its runs that pass the filter.
struct Twig<'a> {
    task_ref: TaskRef,
    /// Among the sets that are open and in its set, if it is.
    place: Option<(usize, usize)>,
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
        // Whatever it has: to look that up for thousands of runs takes a while.
        if self.filter.is_empty() {
            return true;
        }
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
    for (set, entry) in library.sets.iter().enumerate() {
        let known = entry.tasks().enumerate().filter_map(|(at, (task_ref, task))| {
            let runs = by_task.remove(&task_ref).unwrap_or_default();
            let known = Some((&*entry.set, &**task, (set, at)));
            twig(sieve, known, task_ref, runs)
        });
        let twigs = known.collect();
        branches.push(Branch { id: &entry.set.id, place: Some(set), twigs });
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

/// All runs by their tasks. While something is filtered for this is done in every frame, for thousands of runs: those of
/// one task mostly follow each other, so that few are looked up.
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
        let Some(twig) = twig(sieve, None, task_ref.clone(), runs) else { continue };
        match branches.iter_mut().find(|branch| branch.id == task_ref.set) {
            Some(branch) => branch.twigs.push(twig),
            None => branches.push(Branch { id: &task_ref.set, place: None, twigs: vec![twig] }),
        }
    }
}

/// A task with its runs, if something of it passes: one of its runs, or, of a task without runs,
/// the task itself.
fn twig<'a>(
    sieve: &mut Sieve<'_, '_>,
    known: Option<(&TaskSet, &Task, (usize, usize))>,
    task_ref: TaskRef,
    mut runs: Vec<(RunId, &'a LibraryRun)>,
) -> Option<Twig<'a>> {
    let (set, task) = (known.map(|(set, ..)| set), known.map(|(_, task, _)| task));
    let place = known.map(|(.., place)| place);
    let item = FilterItem { set, task, task_ref: &task_ref, run: None, notes: None, labels: None };
    if runs.is_empty() {
        return sieve.filter.matches(&item).then_some(Twig { task_ref, place, runs });
    }
    runs.retain(|run| sieve.passes(*run, item));
    (!runs.is_empty()).then_some(Twig { task_ref, place, runs })
}

impl Branch<'_> {
    fn push_rows(self, state: &State, unfold: bool, out: &mut LibraryOutline) {
        let folded = &state.library.folded;
        let is_folded = !unfold && folded.sets.contains(self.id);
        // Counted though they are folded: the line above the list says how many pass.
        let runs = self.twigs.iter().map(|twig| twig.runs.len()).sum();
        out.runs_shown += runs;
        let any_run = self.twigs.iter().find_map(|twig| twig.runs.first()).map(|(id, _)| *id);
        // Without a set there is a run that names it.
        let Some(of) = self.place.map(Ok).or(any_run.map(Err)) else { return };
        out.rows.push(OutlineRow::Set { of, is_folded, tasks: self.twigs.len(), runs });
        if is_folded {
            return;
        }
        for twig in self.twigs {
            twig.push_rows(state, unfold, out);
        }
    }
}

impl Twig<'_> {
    fn push_rows(self, state: &State, unfold: bool, out: &mut LibraryOutline) {
        let is_folded = !unfold && state.library.folded.tasks.contains(&self.task_ref);
        let (task, place, runs) = (self.task_ref, self.place, self.runs.len());
        out.rows.push(OutlineRow::Task { task, place, is_folded, runs });
        if !is_folded {
            let beside: Rc<[RunId]> = self.runs.iter().map(|(id, _)| *id).collect();
            let rows = beside.iter();
            let rows =
                rows.map(|id| OutlineRow::Run { id: *id, below: Below::Task(Rc::clone(&beside)) });
            out.rows.extend(rows);
        }
    }
}

impl RunGroup<'_> {
    fn push_rows(self, state: &State, unfold: bool, out: &mut LibraryOutline) {
        let runs = self.runs.len();
        out.runs_shown += runs;
        let below = if self.agent.is_some() { Below::Agent } else { Below::Nothing };
        if let (Some(name), Some((of, _))) = (self.agent, self.runs.first()) {
            let is_folded = !unfold && state.library.folded.agents.contains(name);
            out.rows.push(OutlineRow::Agent { of: *of, is_folded, runs });
            if is_folded {
                return;
            }
        }
        let rows = self.runs.into_iter();
        out.rows.extend(rows.map(|(id, _)| OutlineRow::Run { id, below: below.clone() }));
    }
}

fn run_row<'a>(state: &'a State, id: RunId, below: &Below) -> Option<LibraryRow<'a>> {
    let run = state.library.runs.get(&id)?;
    let agent = &*run.manifest.agent.name;
    let (name, aside) = match below {
        Below::Task(_) => (agent, None),
        Below::Agent => (&*run.task.id, None),
        Below::Nothing => (&*run.task.id, Some(agent)),
    };
    let beside = match below {
        Below::Task(beside) => Rc::clone(beside),
        Below::Agent | Below::Nothing => Rc::default(),
    };
    Some(LibraryRow::Run(RunRow {
        id,
        run,
        name,
        aside,
        state: &run.state,
        last_score: run.last_score.as_ref(),
        curve: run.curves.of(PrimaryMetric::of_run(&run.manifest).variant()),
        is_selected: state.selection.run == Some(id),
        beside,
        library: &state.library,
        notes: state.notes.of(run),
        labels: state.annotate.said_of(&run.dir),
    }))
}
