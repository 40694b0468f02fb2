//! Exporting runs: as pictures, pages, animations, reports and folders.

use std::path::{Path, PathBuf};

use crate::workbench::model::{
    ExportChoices, ExportForm, NoticeLevel, Overlay, RunId, RunsExport, State,
};
use crate::workbench::protocol::{ExportedRun, Request, RunsOrder};

use super::save::{report_of, report_run, start_saving};

/// Most runs whose pictures are in one file.
const MOST_RUNS: usize = 2_000;

/// Keeps what was chosen, for the next time too.
pub(super) fn choose(state: &mut State, choices: ExportChoices) {
    state.settings.export = choices.within_bounds();
}

/// Opens the dialog on a kind, for one run and for several if it is made of both.
pub(super) fn ask_how(state: &mut State, kind: RunsExport) {
    let choices = &mut state.settings.export;
    if RunsExport::OF_RUN.contains(&kind) {
        choices.of_run = kind;
    }
    if RunsExport::OF_RUNS.contains(&kind) {
        choices.of_runs = kind;
    }
    state.overlay = Some(Overlay::Export);
}

/// Has the runs written that an export is of now.
pub(super) fn export_runs(
    state: &mut State,
    (kind, form): (RunsExport, ExportForm),
    path: PathBuf,
) -> Vec<Request> {
    if state.overlay == Some(Overlay::Export) {
        state.overlay = None;
    }
    let ids = state.runs_to_export();
    if kind == RunsExport::Report {
        return report_of(state, &ids, path);
    }
    if ids.is_empty() || ids.len() > MOST_RUNS {
        let words = match ids.len() {
            0 => "there is no run to export: select one".to_owned(),
            many => format!(
                "at most {MOST_RUNS} runs are exported at once and these are {many}: filter them"
            ),
        };
        state.notify(NoticeLevel::Error, words);
        return Vec::new();
    }
    if RunsExport::OF_RUN.contains(&kind) && !RunsExport::OF_RUNS.contains(&kind) && ids.len() > 1 {
        state.notify(NoticeLevel::Error, "this is made of one run, and several are selected");
        return Vec::new();
    }
    let runs = exported(state, &ids);
    // Of the choices as they are now: what is written says how to make it again.
    let command = state.export_command(kind, form, &path);
    let folder = if form == ExportForm::Folder { Some(path.as_path()) } else { path.parent() };
    let folder = folder.map(Path::to_path_buf);
    let job = start_saving(state, "exporting", &path, folder);
    let order = RunsOrder {
        kind,
        form,
        choices: state.export_choices(),
        range: state.export_range(),
        runs,
        command,
        path,
    };
    vec![Request::ExportRuns { job, order: Box::new(order) }]
}

fn exported(state: &State, ids: &[RunId]) -> Vec<ExportedRun> {
    let runs = ids.iter().filter_map(|id| {
        let entry = state.library.runs.get(id)?;
        let note =
            if state.settings.export.notes { state.note_for_export(entry) } else { String::new() };
        Some(ExportedRun { run: report_run(state, *id)?, note })
    });
    runs.collect()
}
