//! The command line that makes the table again without a window.

use std::path::{Path, PathBuf};

use super::figures::SUCCESS_FIGURES;
use crate::base::shell_line;
use crate::evaluate::figures::{
    DISTRIBUTION, MEAN_CURVES, RUN_CURVES, SCATTER, STUDY, STUDY_PROGRESS, STUDY_RESULTS,
};
use crate::workbench::derive::views::Filter;
use crate::workbench::model::{Column, ExportedTable, PairTable, RunId, State, TableFile};

impl State {
    /// The command that makes the table as this again: the same runs, filter, columns, order and groups.
    pub fn explored_command(&self, file: TableFile) -> String {
        let view = &self.explore.view;
        let mut words = ["pentimento", "report", "table"].map(str::to_owned).to_vec();
        words.extend(self.paths_of_runs());
        if !self.explore.selected.is_empty() {
            for dir in self.exported_runs().iter().filter_map(|run| self.dir_of(*run)) {
                words.extend(["--select".to_owned(), dir.display().to_string()]);
            }
        }
        // With `=`, as a term may begin with `-`.
        words.extend(self.explored_filter().map(|filter| format!("--filter={filter}")));
        let columns: Vec<&str> = view.columns.iter().map(Column::id).collect();
        words.extend(["--columns".to_owned(), columns.join(",")]);
        if !view.sort.is_empty() {
            let keys = view.sort.iter().map(|key| {
                let sign = if key.is_descending { "-" } else { "" };
                format!("{sign}{}", key.column.id())
            });
            words.push(format!("--sort={}", keys.collect::<Vec<_>>().join(",")));
        }
        if let Some(group) = &view.group {
            words.extend(["--group".to_owned(), group.id().to_owned()]);
        }
        words.extend(self.files_of_scores());
        words.extend(self.own_metrics());
        words.extend(self.file_of_labels());
        words.extend(["--format".to_owned(), file.word().to_owned()]);
        if file == TableFile::Parquet {
            words.extend(["--out".to_owned(), file.file().2.to_owned()]);
        }
        shell_line(words.iter().map(String::as_str))
    }

    /// The command that holds the same two groups against each other and writes their tasks as this.
    pub(super) fn compare_command(&self, pair: &PairTable, file: TableFile) -> String {
        let view = &self.explore.view;
        let mut words = ["pentimento", "compare"].map(str::to_owned).to_vec();
        words.extend(self.paths_of_runs());
        let by = view.pair_by.group_by().map(|by| by.to_string()).unwrap_or_default();
        words.extend([format!("--by={by}"), format!("--first={}", pair.first)]);
        words.extend([
            format!("--second={}", pair.second),
            format!("--metric={}", view.metric.id()),
        ]);
        // What is usual is so on the command line, too.
        if let Some(from) = view.thresholds.get(&view.metric) {
            words.push(format!("--passes-from={from}"));
        }
        // Without a filter scripts that stand for people are left out here, and nothing is there.
        let is_filtered = self.explore.table.shown.len() < self.library.runs.len();
        let filter = is_filtered.then(|| self.explored_filter().unwrap_or_default());
        words.extend(filter.map(|filter| format!("--filter={filter}")));
        words.extend(self.files_of_scores());
        // The command refuses a project of which it counts nothing.
        let filter = filter.and_then(|filter| Filter::parse(filter, &self.variants).ok());
        if view.metric.is_about_labels() || filter.is_some_and(|filter| filter.asks_for_labels()) {
            words.extend(self.file_of_labels());
        }
        let name = ExportedTable::MatchedTasks.file_name(file);
        words.extend(["--table".to_owned(), name.to_owned()]);
        shell_line(words.iter().map(String::as_str))
    }

    /// The command that leaves calls out of runs in this way, and writes what came of it as this.
    pub(super) fn what_if_command(
        &self,
        runs: &[RunId],
        how: &[String],
        variant: &str,
        table: ExportedTable,
        file: TableFile,
    ) -> String {
        let mut words = ["pentimento", "what-if"].map(str::to_owned).to_vec();
        self.push_runs(&mut words, runs);
        words.extend_from_slice(how);
        words.extend(["--only", variant].map(str::to_owned));
        words.extend(named("--models", self.settings.models.as_deref()));
        words.extend(["--table", table.file_name(file)].map(str::to_owned));
        shell_line(words.iter().map(String::as_str))
    }

    /// The command that makes a figure of the papers or a plot again: of the runs that the filter leaves, or of the run
    /// on the stage, or of the study that is open.
    pub fn explore_figure_command(&self, id: &str) -> String {
        match id {
            STUDY => return self.shown_study_command(&["--out", "figures"]),
            STUDY_RESULTS | STUDY_PROGRESS => {
                return self.open_study_command(&["--out", "figures"]);
            }
            _ => {}
        }
        let view = &self.explore.view;
        let (kind, which, file): (&str, Vec<String>, &str) = match id {
            SCATTER => {
                let which = ["--x", view.axes.0.id(), "--y", view.axes.1.id()];
                ("plot", which.map(str::to_owned).to_vec(), "scatter.svg")
            }
            DISTRIBUTION => {
                let which = ["--of", view.metric.id()];
                ("plot", which.map(str::to_owned).to_vec(), "distribution.svg")
            }
            MEAN_CURVES => ("plot", vec!["--by-step".to_owned()], "curves.svg"),
            RUN_CURVES => {
                let ids: Vec<&str> = self.shown_curves().map(|variant| &*variant.id).collect();
                let changes = self.settings.shows_changes.then(|| "--changes".to_owned());
                let curve = ["--curve".to_owned(), ids.join(",")];
                ("plot", curve.into_iter().chain(changes).collect(), "run.svg")
            }
            id => ("figures", vec!["--only".to_owned(), id.to_owned()], "figures"),
        };
        // What is drawn of one run names that run; everything else the folders and the filter they pass.
        let mut words = ["pentimento", "report", kind].map(str::to_owned).to_vec();
        if id == RUN_CURVES {
            self.push_runs(&mut words, self.selection.run.as_slice());
        } else {
            words.extend(self.paths_of_runs());
            // What the open study has beside that counts in figures of success, and in no other.
            if SUCCESS_FIGURES.contains(&id) && !self.trials_elsewhere().is_empty() {
                words.extend(self.study_desk().map(|desk| desk.dir.display().to_string()));
            }
            words.extend(self.explored_filter().map(|filter| format!("--filter={filter}")));
        }
        words.extend(which);
        if [SCATTER, DISTRIBUTION, MEAN_CURVES].contains(&id) && view.color_by != Column::Model {
            words.extend(["--color".to_owned(), view.color_by.id().to_owned()]);
        }
        words.extend(self.files_of_scores());
        words.extend(self.own_metrics());
        words.extend(self.file_of_labels());
        words.extend(["--out", file].map(str::to_owned));
        shell_line(words.iter().map(String::as_str))
    }

    /// Where everything lies that is open: what was opened, and the folders of runs that came otherwise; behind `--tasks`
    /// that of which only the tasks were taken.
    pub(in crate::workbench) fn paths_of_runs(&self) -> Vec<String> {
        let (tasks, opened): (Vec<PathBuf>, Vec<PathBuf>) =
            self.open_paths().into_iter().partition(|path| self.named_tasks.contains(path));
        // A file of a set or of a run stands for its folder, and all that is in it was opened.
        let folders: Vec<&Path> = opened
            .iter()
            .map(|path| {
                let is_file = path.extension().is_some_and(|it| it == "json" || it == "jsonl");
                path.parent().filter(|_| is_file).unwrap_or(path)
            })
            .collect();
        let runs = self.library.runs.values().map(|run| run.dir.as_path());
        let others = runs.filter(|dir| !folders.iter().any(|folder| dir.starts_with(folder)));
        let paths = opened.iter().map(PathBuf::as_path).chain(others);
        let paths = paths.map(|path| path.display().to_string());
        let tasks =
            tasks.iter().flat_map(|path| ["--tasks".to_owned(), path.display().to_string()]);
        paths.chain(tasks).collect()
    }

    /// The files that scores go by.
    fn files_of_scores(&self) -> impl Iterator<Item = String> {
        let models = named("--models", self.settings.models.as_deref());
        models.chain(named("--captions", self.settings.captions.as_deref()))
    }

    /// The metrics of one's own that no file of models has.
    fn own_metrics(&self) -> impl Iterator<Item = String> {
        self.named_metrics.iter().flat_map(|metric| ["--metric".to_owned(), metric.clone()])
    }

    /// The labelling project that is open.
    fn file_of_labels(&self) -> impl Iterator<Item = String> {
        named("--labels", self.annotate.labels.as_ref().map(|labels| labels.path.as_path()))
    }

    fn dir_of(&self, run: RunId) -> Option<&Path> {
        self.library.runs.get(&run).map(|run| run.dir.as_path())
    }
}

/// An option with its file, if there is one.
fn named(option: &str, path: Option<&Path>) -> impl Iterator<Item = String> {
    path.into_iter().flat_map(move |path| [option.to_owned(), path.display().to_string()])
}
