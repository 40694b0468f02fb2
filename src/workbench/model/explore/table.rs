//! The table as it follows from the library and from what somebody chose.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::column::{Cell, Column};
use super::statistics::StatisticsKey;
use super::study::ExploredStudyKey;
use crate::evaluate::groups::{GroupSide, MatchedTask};
use crate::workbench::model::ids::RunId;
use crate::workbench::model::run_map::RunMap;

/// The table over all runs.
#[derive(Clone, Debug, Default)]
pub struct ExploreTable {
    /// The columns of which cells are known, in the order of [`RunCells::cells`].
    pub columns: Vec<Column>,
    /// What is known of every run.
    pub runs: RunMap<RunCells>,
    /// The runs that pass the filter, in the order that was chosen, folded away or not.
    pub shown: Vec<RunId>,
    /// What is drawn, top first.
    pub rows: Vec<ExploreRow>,
    /// Groups, if there are any.
    pub groups: Vec<GroupRow>,
    /// Means over all that pass.
    pub all: Summary,
    /// Runs that may pass once more is known of them.
    pub awaited: usize,
    /// What is wrong with the filter; then nothing is filtered out.
    pub problem: Option<FilterProblem>,
    /// How the filter may go on, and how many runs that leaves.
    pub completions: Vec<ExploreCompletion>,
    /// What the runs that pass are told apart by in plots, those with most runs first: their models, unless somebody
    /// chose another column.
    pub series: Vec<(Arc<str>, usize)>,
    /// The groups that the runs that pass are in, by what separates them, those with most runs first.
    pub sides: Vec<(Arc<str>, usize)>,
    /// Statistics of the two axes, for the worker.
    pub relation: Option<StatisticsKey>,
    /// Two groups on the same tasks.
    pub pair: Option<PairTable>,
    /// The studies that the runs that pass are of, by their folders, those with most runs first.
    pub studies: Vec<(Arc<Path>, usize)>,
    /// What the one that was chosen comes to, for the worker.
    pub study: Option<ExploredStudyKey>,
    /// The settings that open runs were made with, by their paths, each with whether it is a number in every run that
    /// has it.
    pub(in crate::workbench) are_numbers: BTreeMap<String, bool>,
    /// What others scored open runs before they were imported, by its names, likewise.
    pub(in crate::workbench) are_imported: BTreeMap<String, bool>,
    /// Which figures of the papers follow from it, while they are shown: as how often it was made anew, and a hash of
    /// what they take of its runs.
    pub(in crate::workbench) figures: Option<(u64, u64)>,
    /// What it was made of.
    pub(in crate::workbench) made_of: TableSources,
    /// Whether series, groups, statistics and studies are still those of the runs that were shown before.
    pub(in crate::workbench) is_behind: bool,
    /// How often it was made anew.
    pub(in crate::workbench) made: u64,
}

/// What a table was made of: of the same, the same table follows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::workbench) struct TableSources {
    /// Hash of what was chosen and concerns cells.
    pub(in crate::workbench) columns: u64,
    /// Hash of the filter.
    pub(in crate::workbench) filter: u64,
    /// Hash of order, groups, folding and plots.
    pub(in crate::workbench) order: u64,
    /// Hash of the open task sets.
    pub(in crate::workbench) sets: u64,
    /// Hash of the notes and of what people said of runs.
    pub(in crate::workbench) said: u64,
    /// The revision of the library's runs.
    pub(in crate::workbench) runs: u64,
}

/// The places of a task set among those that are open and of a task in it, if it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::workbench) struct TaskPlace {
    pub(in crate::workbench) set: usize,
    pub(in crate::workbench) task: Option<usize>,
}

/// What is known of a run.
#[derive(Clone, Debug, Default)]
pub struct RunCells {
    /// Its cells, in the order of [`ExploreTable::columns`].
    pub cells: Box<[Cell]>,
    /// Whether it passes the filter.
    pub passes: bool,
    /// Whether it may, once more is known of it.
    pub is_awaited: bool,
    /// Which ways to go on with the filter would leave it, a bit each, and what that follows from.
    pub(in crate::workbench) ways: u16,
    /// Where its task is: its set among the open ones, and its place in that.
    pub(in crate::workbench) task: Option<TaskPlace>,
    /// Whether it lies in a study's folder.
    pub(in crate::workbench) is_of_study: bool,
    /// Whether a script stood for a person in it.
    pub(in crate::workbench) is_scripted: bool,
    /// Whether it came to its end, so that where it stands is a result.
    pub(in crate::workbench) has_result: bool,
    /// Hash of all that it was made of.
    pub(in crate::workbench) stamp: u64,
}

/// A row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExploreRow {
    /// A group, by its place.
    Group(usize),
    /// A run.
    Run(RunId),
}

/// A group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupRow {
    /// What its runs have in common.
    pub name: Arc<str>,
    /// Whether they are hidden.
    pub is_folded: bool,
    /// Its runs.
    pub runs: usize,
    /// Their means.
    pub summary: Summary,
}

/// Means of the columns of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// By column, in the order of [`ExploreTable::columns`]: the mean, half the width of its 95 % interval by
    /// Student's t if there are two runs, and of how many runs. `None`: there is no number.
    pub means: Vec<Option<(f64, Option<f64>, usize)>>,
    /// By column likewise, how many runs are left out of the mean as their value is infinite.
    pub infinite: Vec<usize>,
}

/// What is wrong with the filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterProblem {
    /// What, and what would be right.
    pub message: String,
    /// Where, in bytes.
    pub span: std::ops::Range<usize>,
}

/// A way the filter may go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExploreCompletion {
    /// The whole term.
    pub term: String,
    /// The filter with it.
    pub filter: String,
    /// How many runs would pass; `None`: it is a field that wants a value.
    pub runs: Option<usize>,
}

/// Two groups of runs on the same tasks.
#[derive(Clone, Debug, Default)]
pub struct PairTable {
    /// The first.
    pub first: Arc<str>,
    /// The second.
    pub second: Arc<str>,
    /// The tasks of either.
    pub tasks: Vec<MatchedTask<RunId>>,
    /// Whether what tasks ask is still being read, of sets that have one id.
    pub is_reading: bool,
    /// Statistics of their difference, for the worker.
    pub difference: Option<StatisticsKey>,
}

impl PairTable {
    /// The means of both at each task that both have a value for.
    pub fn both(&self) -> impl Iterator<Item = (f64, f64)> {
        self.tasks.iter().filter_map(MatchedTask::both)
    }

    /// The most runs that one group has at one task: more than one are repeats.
    pub fn repeats(&self, side: GroupSide) -> usize {
        self.tasks.iter().map(|task| task.side(side).measured).max().unwrap_or(0)
    }

    /// At how many tasks runs of a group have an infinite value, which is in no mean.
    pub fn infinite(&self, side: GroupSide) -> usize {
        self.tasks.iter().filter(|task| task.side(side).infinite > 0).count()
    }

    /// At how many tasks a group has no value and the other one has.
    pub fn missing(&self, side: GroupSide) -> usize {
        self.tasks.iter().filter(|task| task.lacks(side)).count()
    }
}

/// Some of the tasks of two groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairCell {
    /// Those at which they pass so.
    Passing(ContingencyCell),
    /// Those at which only the other group has a value.
    Missing(GroupSide),
    /// One, by its place.
    Task(usize),
}

/// Which of two groups pass at a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContingencyCell {
    /// Both.
    Both,
    /// Only the first.
    OnlyFirst,
    /// Only the second.
    OnlySecond,
    /// Neither.
    Neither,
}

impl ContingencyCell {
    /// All, row by row.
    pub const ALL: [Self; 4] = [Self::Both, Self::OnlyFirst, Self::OnlySecond, Self::Neither];

    /// The cell of a task.
    #[expect(clippy::fn_params_excessive_bools, reason = "the two sides of a table of two by two")]
    pub fn of(first_passes: bool, second_passes: bool) -> Self {
        match (first_passes, second_passes) {
            (true, true) => Self::Both,
            (true, false) => Self::OnlyFirst,
            (false, true) => Self::OnlySecond,
            (false, false) => Self::Neither,
        }
    }
}

impl ExploreTable {
    /// How often it was made anew: what is made of it holds as long as this is the same.
    pub fn made(&self) -> u64 {
        self.made
    }

    /// The settings that open runs were made with, by their paths.
    pub fn settings(&self) -> impl ExactSizeIterator<Item = &str> {
        self.are_numbers.keys().map(String::as_str)
    }

    /// Those of them that are numbers: they are plotted.
    pub fn number_settings(&self) -> impl Iterator<Item = &str> {
        numbers_in(&self.are_numbers)
    }

    /// What others scored open runs before they were imported, by its names.
    pub fn imported(&self) -> impl ExactSizeIterator<Item = &str> {
        self.are_imported.keys().map(String::as_str)
    }

    /// That of it which is numbers: it is plotted.
    pub fn number_imported(&self) -> impl Iterator<Item = &str> {
        numbers_in(&self.are_imported)
    }

    /// The place of a column's cells.
    pub fn place(&self, column: &Column) -> Option<usize> {
        self.columns.iter().position(|known| known == column)
    }

    /// The cell of a run.
    pub fn cell(&self, run: RunId, column: &Column) -> Option<&Cell> {
        self.runs.get(run)?.cells.get(self.place(column)?)
    }

    /// The words in a cell.
    pub fn text(&self, run: RunId, column: &Column) -> Option<&str> {
        self.cell(run, column)?.text()
    }

    /// The number in a cell.
    pub fn number(&self, run: RunId, column: &Column) -> Option<f64> {
        self.cell(run, column)?.number()
    }
}

fn numbers_in(are_numbers: &BTreeMap<String, bool>) -> impl Iterator<Item = &str> {
    let numbers = are_numbers.iter().filter(|(_, is_number)| **is_number);
    numbers.map(|(name, _)| name.as_str())
}
