//! Two models on the same tasks, and how the two axes go together.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::metric::Direction;
use crate::metric::stats::PassTable;
use crate::run::TaskRef;
use crate::workbench::model::{
    Column, ContingencyCell, ExploreTable, ExploreView, Library, PairTable, RunId, State,
    StatisticsKey, StatisticsOf, Urgency,
};

/// The models of the runs that pass, those with most runs first.
pub(super) fn models(table: &ExploreTable) -> Vec<(Arc<str>, usize)> {
    let mut counts: BTreeMap<&str, (Arc<str>, usize)> = BTreeMap::new();
    let Some(place) = table.place(&Column::Model) else { return Vec::new() };
    for run in table.shown.iter().filter_map(|run| table.runs.get(run)) {
        let Some(crate::workbench::model::Cell::Text(name)) = run.cells.get(place) else {
            continue;
        };
        counts.entry(name).or_insert_with(|| (Arc::clone(name), 0)).1 += 1;
    }
    let mut models: Vec<(Arc<str>, usize)> = counts.into_values().collect();
    models.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    models
}

/// The values of both axes of every run shown that has both.
pub(super) fn relation(table: &ExploreTable, view: &ExploreView) -> Option<StatisticsKey> {
    let (x, y) = (table.place(&view.axes.0)?, table.place(&view.axes.1)?);
    let pairs = table.shown.iter().filter_map(|run| {
        let cells = &table.runs.get(run)?.cells;
        Some((cells.get(x)?.number()?, cells.get(y)?.number()?))
    });
    let pairs: Vec<(f64, f64)> = pairs.collect();
    (!pairs.is_empty()).then(|| StatisticsKey::new(StatisticsOf::Relation, pairs))
}

/// The two models that are held against each other at the tasks of both.
pub(super) fn pair(
    table: &ExploreTable,
    view: &ExploreView,
    library: &Library,
) -> Option<PairTable> {
    let chosen = view.pair.as_ref().map(|(first, second)| (first.as_str(), second.as_str()));
    // A model that was chosen may be gone with its runs.
    let chosen = chosen.filter(|(a, b)| {
        let are_there = [a, b]
            .into_iter()
            .all(|name| table.models.iter().any(|(known, _)| known.as_ref() == *name));
        are_there && a != b
    });
    let (first, second) = match chosen {
        Some((first, second)) => (Arc::from(first), Arc::from(second)),
        None => (Arc::clone(&table.models.first()?.0), Arc::clone(&table.models.get(1)?.0)),
    };
    let (model, metric) = (table.place(&Column::Model)?, table.place(&view.metric)?);
    // Several runs of a model at a task count as their mean.
    let mut by_task: BTreeMap<&TaskRef, [(f64, usize); 2]> = BTreeMap::new();
    for id in &table.shown {
        let (Some(run), Some(entry)) = (table.runs.get(id), library.runs.get(id)) else { continue };
        let name = run.cells.get(model).and_then(|cell| cell.text());
        let side = [&first, &second].iter().position(|of| Some(&***of) == name);
        let value = run.cells.get(metric).and_then(crate::workbench::model::Cell::number);
        let (Some(side), Some(value)) = (side, value) else { continue };
        let sums = by_task.entry(&entry.task).or_default();
        if let Some((sum, count)) = sums.get_mut(side) {
            *sum += value;
            *count += 1;
        }
    }
    let tasks: Vec<(TaskRef, f64, f64)> = by_task
        .into_iter()
        .filter(|(_, [first, second])| first.1 > 0 && second.1 > 0)
        .map(|(task, [a, b])| (task.clone(), a.0 / a.1 as f64, b.0 / b.1 as f64))
        .collect();
    let pairs: Vec<(f64, f64)> = tasks.iter().map(|(_, first, second)| (*first, *second)).collect();
    let difference =
        (!pairs.is_empty()).then(|| StatisticsKey::new(StatisticsOf::Difference, pairs));
    Some(PairTable { first, second, tasks, difference })
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

    /// Whether a value of the metric of the plots passes.
    pub fn explore_passes(&self, value: f64) -> bool {
        let view = &self.explore.view;
        let lower_is_better = match &view.metric {
            Column::Score(id) => {
                let variant = self.variants.get(id);
                variant.is_some_and(|variant| variant.direction == Direction::LowerIsBetter)
            }
            _ => false,
        };
        if lower_is_better { value <= view.passes_from } else { value >= view.passes_from }
    }

    /// Who passes at the tasks of both models.
    pub fn explore_contingency(&self) -> Option<PassTable> {
        let pair = self.explore.table.pair.as_ref()?;
        let tasks = pair.tasks.iter();
        Some(PassTable::of(
            tasks.map(|(_, first, second)| {
                (self.explore_passes(*first), self.explore_passes(*second))
            }),
        ))
    }

    /// The tasks in a cell of that.
    pub fn explore_tasks_in(&self, cell: ContingencyCell) -> Vec<&TaskRef> {
        let pair = self.explore.table.pair.as_ref();
        let tasks = pair.into_iter().flat_map(|pair| &pair.tasks);
        let of_cell = tasks.filter(|(_, first, second)| {
            ContingencyCell::of(self.explore_passes(*first), self.explore_passes(*second)) == cell
        });
        of_cell.map(|(task, ..)| task).collect()
    }

    /// The runs of both models at the tasks in a cell.
    pub(in crate::workbench) fn explore_runs_in(&self, cell: ContingencyCell) -> Vec<RunId> {
        let Some(pair) = &self.explore.table.pair else { return Vec::new() };
        let tasks: std::collections::BTreeSet<&TaskRef> =
            self.explore_tasks_in(cell).into_iter().collect();
        let shown = self.explore.table.shown.iter().copied();
        let of_cell = shown.filter(|run| {
            self.library.runs.get(run).is_some_and(|run| {
                let name = run.manifest.agent.name.as_str();
                tasks.contains(&run.task) && (name == &*pair.first || name == &*pair.second)
            })
        });
        of_cell.collect()
    }
}
