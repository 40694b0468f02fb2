//! Which runs are exported, as what, and by which command line it is done without a window.

use std::path::Path;

use crate::base::shell_line;
use crate::workbench::model::{
    DemonstrationLines, ExportBadge, ExportChoices, ExportForm, ExportSteps, LibraryRun, RunId,
    RunsExport, State, StepRange, Workspace, preferences_beside,
};

impl State {
    /// The runs that an export is of: in *Explore* the selected ones, or all that are shown; else the one on the stage.
    /// In the order in which they were opened.
    pub fn runs_to_export(&self) -> Vec<RunId> {
        let mut runs = match self.workspace {
            Workspace::Explore => self.exported_runs(),
            Workspace::Inspect => self.selection.run.into_iter().collect(),
            // Who labels may not know who made what.
            Workspace::Annotate | Workspace::Assist => Vec::new(),
        };
        runs.sort_unstable();
        runs
    }

    /// What as many runs can be exported as.
    pub fn export_kinds(&self) -> &'static [RunsExport] {
        if self.runs_to_export().len() == 1 { RunsExport::OF_RUN } else { RunsExport::OF_RUNS }
    }

    /// What they are exported as: what was chosen last for as many.
    pub fn export_kind(&self) -> RunsExport {
        let kinds = self.export_kinds();
        let choices = &self.settings.export;
        let chosen = if kinds == RunsExport::OF_RUN { choices.of_run } else { choices.of_runs };
        kinds.iter().copied().find(|kind| *kind == chosen).unwrap_or(kinds[0])
    }

    /// What was chosen for them, within what can be made.
    pub(in crate::workbench) fn export_choices(&self) -> ExportChoices {
        self.settings.export.clone().within_bounds()
    }

    /// The marked steps, if contact sheets and animations are to show no others.
    pub fn export_range(&self) -> Option<StepRange> {
        let is_of_stage = self.workspace == Workspace::Inspect;
        self.selection.range.filter(|_| is_of_stage && self.settings.export.within_range)
    }

    /// What people wrote of a run: the note on it, then that on its last step, in one line.
    pub(in crate::workbench) fn note_for_export(&self, run: &LibraryRun) -> String {
        let Some(notes) = self.notes.of(run) else { return String::new() };
        let last = notes.steps.get(&run.steps);
        let texts = std::iter::once(&notes.run).chain(last).map(|note| note.text.as_str());
        let words: Vec<&str> = texts.flat_map(str::split_whitespace).collect();
        words.join(" ")
    }

    /// The command line that makes the same file without a window.
    pub fn export_command(&self, kind: RunsExport, form: ExportForm, path: &Path) -> String {
        let choices = self.export_choices();
        let name = match kind {
            RunsExport::ContactSheet => "contact-sheet",
            RunsExport::Animation => "animation",
            RunsExport::Page => "html",
            RunsExport::Grid => "grid",
            RunsExport::Canvas => "canvas",
            RunsExport::Demonstrations => "demonstrations",
            RunsExport::Report => return self.report_command(&self.runs_to_export(), path),
        };
        let mut words = ["pentimento", "export", name].map(str::to_owned).to_vec();
        self.push_exported_runs(&mut words, kind);
        words.extend(["--out".to_owned(), path.display().to_string()]);
        if matches!(kind, RunsExport::ContactSheet | RunsExport::Animation) {
            if choices.steps == ExportSteps::Turns {
                words.extend(["--every", "turn"].map(str::to_owned));
            }
            // As the window shows them: a range that is marked there is all that is written.
            if let Some(StepRange { first, last }) = self.export_range() {
                words.extend(["--steps".to_owned(), format!("{first}-{last}")]);
            }
        }
        match kind {
            RunsExport::ContactSheet => {
                words.extend(number("--most", choices.most));
                words.extend(number("--columns", choices.columns));
                words.extend(number("--width", choices.sheet_width));
            }
            RunsExport::Animation => {
                words.extend(number("--delay", choices.delay));
                words.extend(number("--hold", choices.hold));
                words.extend(number("--width", choices.animation_width));
                words.extend(choices.truth.then(|| "--truth".to_owned()));
            }
            RunsExport::Page => words.extend(number("--width", choices.page_width)),
            RunsExport::Grid => {
                if choices.badge == ExportBadge::Pos {
                    words.extend(["--badge", "pos"].map(str::to_owned));
                }
                words.extend(choices.notes.then(|| "--notes".to_owned()));
                words.extend(choices.changed.then(|| "--changed".to_owned()));
                words.extend(number("--width", choices.grid_width));
            }
            RunsExport::Demonstrations => {
                let is_steps = choices.demonstration_lines == DemonstrationLines::Steps;
                words.extend(is_steps.then(|| "--steps".to_owned()));
                words.extend(choices.demonstration_pictures.then(|| "--images".to_owned()));
                if choices.preferences {
                    let beside = preferences_beside(path).display().to_string();
                    words.extend(["--preferences".to_owned(), beside]);
                }
            }
            RunsExport::Canvas | RunsExport::Report => {}
        }
        // The other forms have no pixels of their own, and animations have a width.
        if form == ExportForm::Png && kind != RunsExport::Animation {
            words.extend(number("--scale", choices.scale));
        }
        if let (RunsExport::Page, Some(models)) = (kind, &self.settings.models) {
            words.extend(["--models".to_owned(), models.display().to_string()]);
        }
        shell_line(words.iter().map(String::as_str))
    }

    /// The command line that writes a report of these runs without a window.
    pub fn report_command(&self, runs: &[RunId], path: &Path) -> String {
        let mut words = ["pentimento", "report"].map(str::to_owned).to_vec();
        self.push_runs(&mut words, runs);
        words.extend(["--out".to_owned(), path.display().to_string()]);
        if let Some(variant) = self.curve_variant() {
            words.extend(["--only".to_owned(), variant.id.to_string()]);
        }
        if let Some(models) = &self.settings.models {
            words.extend(["--models".to_owned(), models.display().to_string()]);
        }
        shell_line(words.iter().map(String::as_str))
    }

    /// The runs that an export is of; of all that a filter leaves, everything that is open and the filter: thousands of
    /// folders fit into no line.
    fn push_exported_runs(&self, words: &mut Vec<String>, kind: RunsExport) {
        let filter = self.explore.view.filter.trim();
        // The filter itself, not the runs it leaves: the line stays short and means the same next week.
        let is_of_table = self.workspace == Workspace::Explore
            && self.explore.selected.is_empty()
            && matches!(kind, RunsExport::Grid | RunsExport::Canvas);
        if is_of_table {
            words.extend(self.paths_of_runs());
            if !filter.is_empty() && self.explore.table.problem.is_none() {
                words.push(format!("--filter={filter}"));
            }
            return;
        }
        self.push_runs(words, &self.runs_to_export());
    }

    /// Runs by their folders, and where their tasks are.
    pub(super) fn push_runs(&self, words: &mut Vec<String>, runs: &[RunId]) {
        let runs: Vec<&LibraryRun> =
            runs.iter().filter_map(|run| self.library.runs.get(run)).collect();
        words.extend(runs.iter().map(|run| run.dir.display().to_string()));
        let mut sets: Vec<String> = runs
            .iter()
            .filter_map(|run| self.library.set(&run.task.set))
            .map(|entry| entry.set.dir.display().to_string())
            .collect();
        // Each once: runs of one set name it over and over.
        sets.sort_unstable();
        sets.dedup();
        words.extend(sets.into_iter().flat_map(|set| ["--tasks".to_owned(), set]));
    }
}

fn number(option: &str, number: u32) -> [String; 2] {
    [option.to_owned(), number.to_string()]
}
