//! What a person can do in the room with the table over all runs.

use std::path::PathBuf;

use crate::workbench::model::{
    Column, ExplorePanel, ExportedTable, PairCell, RunId, StageForm, TableFile,
};

/// Something asked for in the room.
#[derive(Clone, Debug, PartialEq)]
pub enum ExploreCommand {
    /// Filter the table.
    SetFilter(String),
    /// Go back to the filter that was on before.
    FilterBack,
    /// Keep the filter under a name.
    SaveFilter(String),
    /// Forget a kept filter by its name.
    ForgetFilter(String),
    /// Sort by a column: again, the other way round, and once more, not by it.
    Sort {
        /// Which.
        column: Column,
        /// Whether what it was sorted by before still counts, before this.
        is_added: bool,
    },
    /// Group by a column; `None`: not at all.
    Group(Option<Column>),
    /// Group by the next column of text that groups.
    NextGroup,
    /// Hide the runs of a group, or show them.
    ToggleGroup(String),
    /// Show a column, or take it away; the last one stays.
    ToggleColumn(Column),
    /// The rows of these runs are in sight.
    InSight(Vec<RunId>),
    /// Select.
    Select(Selecting),
    /// Plot these columns, to the right and upwards.
    Axes(Column, Column),
    /// Of which values distribution and comparison are.
    Metric(Column),
    /// Tell the runs in plots apart by this column.
    ColorBy(Column),
    /// From which value of the metric on a run passes, or up to which; `None`: as if nobody had said it.
    PassesFrom(Option<f64>),
    /// Separate the two groups that are held against each other by this column.
    PairBy(Column),
    /// Hold two groups against each other.
    Pair(String, String),
    /// Select the runs of both at some of their tasks.
    SelectCell(PairCell),
    /// Filter to them.
    FilterCell(PairCell),
    /// Put the runs of both at a task, by its place, beside each other on the stage.
    OpenPair(usize),
    /// Show the figure of this study, by its folder.
    Study(PathBuf),
    /// Select the runs of a level under a condition or of agents, by its place among the rows of the study; of one
    /// person, if one is named.
    SelectStudyCell {
        /// Which.
        cell: usize,
        /// Whose.
        participant: Option<String>,
        /// Whether they come beside what is selected.
        is_added: bool,
    },
    /// Find what follows from the runs that are shown, where that was put off. So does every command but a letter of the
    /// filter.
    Settle,
    /// What the side shows.
    Panel(ExplorePanel),
    /// Look at the run where the arrows stand, or else at the first that is selected.
    Open,
    /// Copy a figure or a plot as a picture, by its id.
    CopyFigure(String),
    /// Write a figure of the papers or a plot to a file, made of the runs that are shown.
    SaveFigure {
        /// Which, by its id, such as `canvas-4`.
        id: String,
        /// As what.
        form: StageForm,
        /// Where.
        path: PathBuf,
    },
    /// Write a table to a file.
    Export {
        /// Which.
        table: ExportedTable,
        /// As what.
        format: TableFile,
        /// Where.
        path: PathBuf,
    },
}

/// A change of the selection, which is the same in the table and in every plot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selecting {
    /// This run alone.
    Only(RunId),
    /// This run too, or not any more.
    Toggle(RunId),
    /// All from where the selection began up to this run.
    To(RunId),
    /// These runs, beside those that are.
    Add(Vec<RunId>),
    /// These runs and no other.
    These(Vec<RunId>),
    /// Everything that is shown.
    All,
    /// Nothing.
    None,
    /// The run under the arrows too, or not any more.
    ToggleCursor,
    /// Move the arrows by so many rows.
    CursorBy(i32),
    /// The same, and select what lies between.
    ExtendBy(i32),
}
