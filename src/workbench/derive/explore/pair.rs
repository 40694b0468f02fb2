//! Two groups of runs on the same tasks, and how the two axes go together.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::export::FILTER;
use crate::evaluate::MadeBy;
use crate::evaluate::groups::{
    Difference, GroupComparison, GroupMetric, GroupSide, GroupedRun, MatchedTask, PassRule,
    TaskIdentityRef, match_tasks, setting_paths,
};
use crate::evaluate::typed_table::TypedTable;
use crate::metric::stats::PassTable;
use crate::run::{ImportRecord, Manifest, TaskRef};
use crate::workbench::model::{
    Cell, Column, ContingencyCell, ExploreTable, ExploreView, Fetched, Library, LibraryRun,
    LibrarySet, PairCell, PairTable, RunId, State, Statistics, StatisticsKey, StatisticsOf,
    TableFile, TaskContents, TaskContentsKey, TaskPlace, Urgency,
};

/// What stands in a table in the place of tests that the worker is still at.
const NOT_TESTED: &str = "it was not tested yet when this was written";
/// Most settings, and most of what was imported, that are offered as columns.
const MOST_NAMES: usize = 200;

/// What the runs that pass have in a column of words, what most have first.
pub(super) fn groups(table: &ExploreTable, column: &Column) -> Vec<(Arc<str>, usize)> {
    let mut counts: BTreeMap<&str, (Arc<str>, usize)> = BTreeMap::new();
    let Some(place) = table.place(column) else { return Vec::new() };
    for run in table.shown.iter().filter_map(|run| table.runs.get(*run)) {
        let Some(name) = run.cells.get(place).and_then(Cell::shared_text) else { continue };
        counts.entry(name).or_insert_with(|| (Arc::clone(name), 0)).1 += 1;
    }
    let mut groups: Vec<(Arc<str>, usize)> = counts.into_values().collect();
    groups.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    groups
}

/// The settings that runs were made with, by their paths, beside those that are known, with whether each is a number in
/// every run that has it.
pub(super) fn settings<'a>(
    runs: impl Iterator<Item = &'a LibraryRun>,
    known: BTreeMap<String, bool>,
) -> BTreeMap<String, bool> {
    names(runs, known, setting_paths)
}

/// What others scored runs that were imported, by its names, likewise.
pub(super) fn imported<'a>(
    runs: impl Iterator<Item = &'a LibraryRun>,
    known: BTreeMap<String, bool>,
) -> BTreeMap<String, bool> {
    names(runs, known, |manifest| {
        manifest.imported.as_ref().map(ImportRecord::score_names).unwrap_or_default()
    })
}

fn names<'a>(
    runs: impl Iterator<Item = &'a LibraryRun>,
    known: BTreeMap<String, bool>,
    of: impl Fn(&Manifest) -> BTreeMap<String, Option<f64>>,
) -> BTreeMap<String, bool> {
    let mut are_numbers = known;
    for run in runs {
        for (name, number) in of(&run.manifest) {
            // Of all runs, so that one with a word is not missed; bounded, as every run may have names of its own.
            if are_numbers.len() < MOST_NAMES || are_numbers.contains_key(&name) {
                *are_numbers.entry(name).or_insert(true) &= number.is_some();
            }
        }
    }
    are_numbers
}

/// The sets that share their id in their files with another one that is open.
pub(in crate::workbench) fn namesakes(library: &Library) -> impl Iterator<Item = &LibrarySet> {
    library.sets.iter().filter(move |entry| {
        let mut same = library.sets.iter().filter(|it| it.recorded_id == entry.recorded_id);
        same.nth(1).is_some()
    })
}

/// What makes attempts attempts at one task: the ids, as the set's own file says its own; where several sets say the
/// same, what the task asks too.
struct Identities<'a> {
    sets: HashMap<&'a str, (&'a LibrarySet, Option<&'a TaskContents>)>,
    shared: BTreeSet<&'a str>,
    is_reading: bool,
}

impl<'a> Identities<'a> {
    fn of(state: &'a State) -> Self {
        let contents = &state.derived.task_contents;
        // Only of sets of one id is it open which one a run means, and only those have to be read for it.
        let shared: BTreeSet<&str> =
            namesakes(&state.library).map(|entry| entry.set.id.as_str()).collect();
        let mut is_reading = false;
        let sets = state.library.sets.iter().map(|entry| {
            let id = entry.set.id.as_str();
            let fetched =
                shared.contains(id).then(|| contents.get(&TaskContentsKey(id.to_owned())));
            let read = match fetched.flatten() {
                Some(Fetched::Ready(contents)) => Some(&**contents),
                _ => None,
            };
            is_reading |= matches!(fetched, Some(None | Some(Fetched::Pending)));
            (id, (entry, read))
        });
        let sets = sets.collect();
        Self { sets, shared, is_reading }
    }

    fn of_task(&self, set: &'a str, id: &'a str) -> TaskIdentityRef<'a> {
        let listed = TaskIdentityRef { set, id, content: None };
        let Some((entry, contents)) = self.sets.get(set) else { return listed };
        let recorded = entry.recorded_id.as_str();
        if !self.shared.contains(set) {
            return TaskIdentityRef { set: recorded, ..listed };
        }
        match contents.and_then(|contents| contents.get(id)) {
            Some(content) => TaskIdentityRef { set: recorded, content: Some(*content), id },
            // Of which nothing is known is a task of its own.
            None => listed,
        }
    }
}

/// The values of both axes of every run shown that has both: the same runs make the same statistics, whatever the table
/// is sorted by.
pub(super) fn relation(table: &ExploreTable, view: &ExploreView) -> Option<StatisticsKey> {
    let (x, y) = (table.place(&view.axes.0)?, table.place(&view.axes.1)?);
    let pairs = table.shown.iter().filter_map(|run| {
        let cells = &table.runs.get(*run)?.cells;
        Some((cells.get(x)?.number()?, cells.get(y)?.number()?))
    });
    let mut pairs: Vec<(f64, f64)> = pairs.collect();
    pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.total_cmp(&b.1)));
    (!pairs.is_empty()).then(|| StatisticsKey::new(StatisticsOf::Relation, pairs))
}

/// The two groups that are held against each other, task by task.
pub(super) fn pair(table: &ExploreTable, state: &State) -> Option<PairTable> {
    let view = &state.explore.view;
    let chosen = view.pair.as_ref().map(|(first, second)| (first.as_str(), second.as_str()));
    // A group that was chosen may be gone with its runs.
    let chosen = chosen.filter(|(a, b)| {
        let are_there = [a, b]
            .into_iter()
            .all(|name| table.sides.iter().any(|(known, _)| known.as_ref() == *name));
        are_there && a != b
    });
    let (first, second) = match chosen {
        Some((first, second)) => (Arc::from(first), Arc::from(second)),
        None => (Arc::clone(&table.sides.first()?.0), Arc::clone(&table.sides.get(1)?.0)),
    };
    let (by, metric) = (table.place(&view.pair_by)?, table.place(&view.metric)?);
    let identities = Identities::of(state);
    // What thousands of runs share is found once for each task, by where it is; only of runs whose task is not open are
    // texts read.
    let mut known: HashMap<TaskPlace, TaskIdentityRef<'_>> = HashMap::new();
    let mut identity_of = |id: &RunId, place: Option<TaskPlace>| {
        let task = place.and_then(|place| {
            let set = &state.library.sets.get(place.set)?.set;
            Some((place, set.id.as_str(), set.tasks.get(place.task?)?.id.as_str()))
        });
        if let Some((place, set, id)) = task {
            return Some(*known.entry(place).or_insert_with(|| identities.of_task(set, id)));
        }
        let TaskRef { set, id } = &state.library.runs.get(id)?.task;
        Some(identities.of_task(set, id))
    };
    let runs = table.shown.iter().filter_map(|id| {
        let run = table.runs.get(*id)?;
        let name = run.cells.get(by)?.text()?;
        let side = [&first, &second].into_iter().position(|of| **of == *name)?;
        let side = GroupSide::BOTH[side];
        // Where one that did not come to its end stands is no result.
        let value = run.cells.get(metric).and_then(Cell::number_or_infinity);
        let value = value.filter(|_| run.has_result);
        Some(GroupedRun { task: identity_of(id, run.task)?, side, run: *id, value })
    });
    let tasks = match_tasks(runs);
    let pairs: Vec<(f64, f64)> = tasks.iter().filter_map(MatchedTask::both).collect();
    let difference =
        (!pairs.is_empty()).then(|| StatisticsKey::new(StatisticsOf::Difference, pairs));
    let is_reading = identities.is_reading;
    Some(PairTable { first, second, tasks, is_reading, difference })
}

impl State {
    /// Whether scores in a column are still coming in: statistics of it would be out of date before they are there,
    /// and keep the scores waiting.
    pub fn awaits_scores_in(&self, column: &Column) -> bool {
        let table = &self.explore.table;
        let is_under_way = self.derived.scores_in_flight(Urgency::Library).next().is_some();
        let is_due = !self.scoring_paused && !self.in_flight.finals_due.is_empty();
        let mean = table.place(column).and_then(|place| *table.all.means.get(place)?);
        let known = mean.map_or(0, |(_, _, runs)| runs);
        matches!(column, Column::Score(_)) && (is_under_way || is_due) && known < table.shown.len()
    }

    /// What groups of runs are compared by where it is this column.
    pub fn group_metric(&self, column: &Column) -> GroupMetric {
        let variant = match column {
            Column::Score(id) => self.variants.get(id),
            _ => None,
        };
        variant.map_or_else(|| column.group_metric(), GroupMetric::from)
    }

    /// Which runs pass by the metric of the plots; `None`: nothing says from which value on.
    pub fn explore_pass_rule(&self) -> Option<PassRule> {
        let view = &self.explore.view;
        self.group_metric(&view.metric).rule(view.thresholds.get(&view.metric).copied())
    }

    /// Who passes at the tasks of both groups; `None` too where nothing says from which value on a run passes.
    pub fn explore_contingency(&self) -> Option<PassTable> {
        let pair = self.explore.table.pair.as_ref()?;
        Some(self.explore_pass_rule()?.contingency(pair.both()))
    }

    /// The tasks of the two groups as a table, with what is found over them.
    pub(super) fn matched_table(&self, file: TableFile) -> Result<TypedTable, String> {
        let view = &self.explore.view;
        let pair = self.explore.table.pair.as_ref();
        let (Some(pair), Some(by)) = (pair, view.pair_by.group_by()) else {
            return Err("there are no two groups of runs at the same tasks".to_owned());
        };
        let difference = match pair.difference.as_ref() {
            // There is no task of both, of which the tests say what they say of none.
            None => Ok(Difference::of(&[])),
            Some(key) => match self.derived.statistics.get(key) {
                Some(Fetched::Ready(statistics)) => match &**statistics {
                    Statistics::Difference(difference) => Ok(difference.clone()),
                    Statistics::Relation(_) => Err(NOT_TESTED.to_owned()),
                },
                Some(Fetched::Failed(why)) => Err(String::clone(why)),
                Some(Fetched::Pending) | None => Err(NOT_TESTED.to_owned()),
            },
        };
        let found = GroupComparison {
            by,
            names: [&pair.first, &pair.second].map(ToString::to_string),
            metric: self.group_metric(&view.metric),
            rule: self.explore_pass_rule(),
            tasks: pair.tasks.clone(),
            difference,
        };
        let filter = self.explored_filter().map(|filter| (FILTER, filter.to_owned()));
        let made_by = MadeBy {
            command: self.compare_command(pair, file),
            choices: filter.into_iter().collect(),
            ..MadeBy::default()
        };
        Ok(found.to_table(made_by))
    }

    /// Some of the tasks of both groups.
    pub fn explore_matched(&self, cell: PairCell) -> Vec<&MatchedTask<RunId>> {
        let Some(pair) = &self.explore.table.pair else { return Vec::new() };
        let rule = self.explore_pass_rule();
        let tasks = pair.tasks.iter().enumerate();
        let meant = tasks.filter(|(at, task)| match cell {
            PairCell::Task(place) => *at == place,
            PairCell::Missing(side) => task.lacks(side),
            PairCell::Passing(cell) => task.both().zip(rule).is_some_and(|(means, rule)| {
                ContingencyCell::of(rule.passes(means.0), rule.passes(means.1)) == cell
            }),
        });
        meant.map(|(_, task)| task).collect()
    }
}
