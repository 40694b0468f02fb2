//! The room with the table over all runs: what is filtered, sorted, grouped, plotted and selected in it.
//!
//! [`ExploreView`] is what somebody chose, remembered between sessions; [`ExploreTable`] is what follows from it
//! and from the library, kept because it is a pass over thousands of runs, and made anew by `derive::explore`
//! only where something changed. [`Column`] is a column, [`Cell`] what stands in it.

mod column;
mod contents;
mod digests;
mod figures;
mod format;
mod statistics;
mod study;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::base::Pixels;

use super::ids::RunId;

pub use column::{Cell, Column, ColumnKind, Gap};
pub use contents::{TaskContents, TaskContentsKey};
pub use digests::{DigestInput, DigestState, Digests, DigestsKey};
pub use figures::{FigureInput, FiguresKey, PaperFigures};
pub use format::{ExportedTable, StudyRows, StudySource, TableFile, TableFormat};
pub use statistics::{Difference, Relation, Statistics, StatisticsKey, StatisticsOf};
pub use study::{ExploredStudy, ExploredStudyKey};
pub use table::{
    ContingencyCell, ExploreCompletion, ExploreRow, ExploreTable, FilterProblem, GroupRow,
    PairCell, PairTable, RunCells, Summary,
};
pub(in crate::workbench) use table::{TableSources, TaskPlace};

/// Most filters that are saved, and most that are gone back to.
pub const MOST_FILTERS: usize = 50;

/// What the room shows.
#[derive(Clone, Debug, Default)]
pub struct Explore {
    /// What somebody chose.
    pub view: ExploreView,
    /// The selected runs, in the table and in every plot.
    pub selected: BTreeSet<RunId>,
    /// The run the arrows stand at.
    pub cursor: Option<RunId>,
    /// Where a selection began that Shift extends.
    pub anchor: Option<RunId>,
    /// Runs whose rows are in sight: they get thumbnails.
    pub in_sight: Vec<RunId>,
    /// Filters that were on before, newest last, and how far back somebody went.
    pub history: Vec<String>,
    /// What follows from all that.
    pub table: ExploreTable,
    /// A plot that is to go to the system's clipboard, with a number of its own.
    pub outgoing: Option<(u64, Arc<Pixels>)>,
    /// Whether somebody sends [`ExploreCommand::Settle`](crate::workbench::ExploreCommand::Settle) once there is time,
    /// as a window does after the frame that took a letter of the filter or scores in.
    pub settles_later: bool,
}

/// What somebody chose in the room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExploreView {
    /// The filter as typed.
    pub filter: String,
    /// By what rows are sorted, the first first; nothing: as they were opened.
    pub sort: Vec<SortKey>,
    /// Below what rows stand.
    pub group: Option<Column>,
    /// The columns, from the left.
    pub columns: Vec<Column>,
    /// Groups whose runs are hidden.
    pub folded: BTreeSet<String>,
    /// Filters with a name.
    pub saved: Vec<SavedFilter>,
    /// What is plotted to the right, and below.
    pub axes: (Column, Column),
    /// Whose values are counted as a distribution, curves and the difference of two groups.
    pub metric: Column,
    /// By what the runs in plots have their colours and forms.
    pub color_by: Column,
    /// From which value of a column on a run passes, or up to which where less is better, as far as somebody said it.
    pub thresholds: BTreeMap<Column, f64>,
    /// What separates the two groups that are held against each other.
    pub pair_by: Column,
    /// The two groups; those with most runs, where nobody chose.
    pub pair: Option<(String, String)>,
    /// The study whose figure is shown, by its folder; that with most runs, where nobody chose.
    pub study: Option<PathBuf>,
    /// Folders of runs whose agents stand beside the people of a study, by the folder of the study.
    pub study_agents: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
    /// Which plots are shown.
    pub panel: ExplorePanel,
}

/// What the side shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExplorePanel {
    /// Distribution, scatter, two models.
    #[default]
    Plots,
    /// The figures of the papers.
    Figures,
}

/// A column that is sorted by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SortKey {
    /// Which.
    pub column: Column,
    /// Whether the largest comes first.
    pub is_descending: bool,
}

/// A filter with a name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedFilter {
    /// What it is called.
    pub name: String,
    /// The filter.
    pub filter: String,
}

impl Default for ExploreView {
    fn default() -> Self {
        let ssim = Column::Score(crate::evaluate::PrimaryMetric::Similarity.variant().into());
        Self {
            filter: String::new(),
            sort: Vec::new(),
            group: None,
            columns: vec![
                Column::Task,
                Column::Model,
                Column::Turns,
                Column::Calls,
                Column::Failures,
                ssim.clone(),
                Column::State,
                Column::Labels,
            ],
            folded: BTreeSet::new(),
            saved: Vec::new(),
            axes: (Column::Calls, ssim.clone()),
            metric: ssim,
            color_by: Column::Model,
            thresholds: BTreeMap::new(),
            pair_by: Column::Model,
            pair: None,
            study: None,
            study_agents: BTreeMap::new(),
            panel: ExplorePanel::default(),
        }
    }
}

impl Explore {
    /// Whether what follows from the runs that are shown is still to be found: with [`Settle`](crate::workbench::ExploreCommand::Settle).
    pub fn is_behind(&self) -> bool {
        self.table.is_behind
    }
}

impl ExploreView {
    /// The folders of runs whose agents stand beside the people of the study in a folder.
    pub fn agents_of(&self, study: &Path) -> BTreeSet<PathBuf> {
        self.study_agents.get(study).cloned().unwrap_or_default()
    }

    /// Puts the agents of a folder of runs beside the people of a study, or takes them away again.
    pub(in crate::workbench) fn toggle_agents(&mut self, study: &Path, runs: PathBuf) {
        let folders = self.study_agents.entry(study.to_path_buf()).or_default();
        if !folders.remove(&runs) {
            folders.insert(runs);
        }
        self.study_agents.retain(|_, folders| !folders.is_empty());
    }

    /// Every column whose cells are needed, each once.
    pub fn needed(&self) -> Vec<Column> {
        let sorted = self.sort.iter().map(|key| &key.column);
        let others = [&self.axes.0, &self.axes.1, &self.metric, &self.color_by, &self.pair_by];
        let all = self.columns.iter().chain(sorted).chain(&self.group).chain(others);
        let mut seen = BTreeSet::new();
        all.filter(|column| seen.insert(*column)).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_read_as_they_were_written_and_a_view_of_before_them_keeps_the_rest() {
        let ssim = Column::Score("ssim/uniform7".into());
        let thresholds = BTreeMap::from([(ssim, 0.9), (Column::Turns, 20.0)]);
        let view =
            ExploreView { filter: "turns>3".to_owned(), thresholds, ..ExploreView::default() };
        let text = serde_json::to_string(&view).unwrap();
        assert_eq!(serde_json::from_str::<ExploreView>(&text).unwrap(), view);
        let before = "{\"filter\": \"turns>3\", \"passes_from\": 0.8, \"metric\": \"turns\"}";
        let read: ExploreView = serde_json::from_str(before).unwrap();
        assert_eq!((read.filter.as_str(), read.metric), ("turns>3", Column::Turns));
        assert!(read.thresholds.is_empty());
    }
}
