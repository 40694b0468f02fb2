//! Writing pictures and designs to files.

use std::path::{Path, PathBuf};

use crate::base::Pixels;
use crate::metric::ScalarMap;
use crate::workbench::derive::kinds::inputs_of_slot;
use crate::workbench::derive::views;
use crate::workbench::model::{
    JobId, JobKind, NoticeLevel, RunId, SavingFile, StagePane, StagePixels, State,
};
use crate::workbench::protocol::{ExportFormat, ReportRun, ReportScope, Request};

/// Most runs of one report.
const MOST_REPORTED: usize = 200;

/// Writes what the pane shows: the picture, or the heat as grey, from black (same) to white.
pub(super) fn save_picture(state: &mut State, pane: StagePane, path: PathBuf) -> Vec<Request> {
    let pixels = if pane.facts().is_map {
        let heat = views::heat(state);
        let grey = heat.map.and_then(|map| grey_of_difference(map, heat.scale));
        grey.map(StagePixels::from)
    } else {
        views::pane(state, pane).picture.map(|picture| picture.pixels.clone())
    };
    let Some(pixels) = pixels else {
        state.notify(NoticeLevel::Error, "there is no picture to save in this pane");
        return Vec::new();
    };
    let job = start_saving(state, "saving", &path, folder_of(&path));
    let about = views::stage_about(state);
    vec![Request::SavePicture { job, pixels, about, path }]
}

/// Writes what the stage shows: its pictures from left to right, whole, without the window around them.
pub(super) fn save_stage(state: &mut State, scale: u8, path: PathBuf) -> Vec<Request> {
    let shot = views::stage_shot(state, scale);
    if shot.panes.is_empty() {
        state.notify(NoticeLevel::Error, "the stage shows no picture yet");
        return Vec::new();
    }
    let job = start_saving(state, "saving", &path, folder_of(&path));
    vec![Request::SaveStage { job, shot: Box::new(shot), path }]
}

/// Writes the selected node, or else the listed design.
pub(super) fn export(state: &mut State, format: ExportFormat, path: PathBuf) -> Vec<Request> {
    let Some((key, node)) = views::export_target(state) else {
        state.notify(NoticeLevel::Error, "there is no design to export: select a run or a task");
        return Vec::new();
    };
    if let Some(why) = state.why_no_document(&key) {
        state.notify(NoticeLevel::Error, format!("there is no design to export. {why}"));
        return Vec::new();
    }
    // A design that has a document may still be on its way from the disk.
    let Some(inputs) = inputs_of_slot(state, &key) else {
        state.notify(NoticeLevel::Error, "the run is still being read: try again in a moment");
        return Vec::new();
    };
    let job = start_saving(state, "exporting", &path, folder_of(&path));
    vec![Request::Export { job, key, node, format, inputs, path }]
}

/// Writes runs as one page, followed by the variant of the curve.
pub(super) fn report(state: &mut State, of: ReportScope, path: PathBuf) -> Vec<Request> {
    let ids: Vec<RunId> = match of {
        ReportScope::Selected => state.selection.run.into_iter().collect(),
        ReportScope::Listed => views::run_order(state),
    };
    report_of(state, &ids, path)
}

/// The same of these.
pub(super) fn report_of(state: &mut State, ids: &[RunId], path: PathBuf) -> Vec<Request> {
    // A page holds two pictures of each run; beyond this nobody reads it, and a browser may not.
    if ids.is_empty() || ids.len() > MOST_REPORTED {
        let words = match ids.len() {
            0 => "there is no run to report: select one".to_owned(),
            many => format!(
                "a report has at most {MOST_REPORTED} runs and {many} are listed: filter them"
            ),
        };
        state.notify(NoticeLevel::Error, words);
        return Vec::new();
    }
    let Some(variant) = state.curve_variant().map(|variant| variant.id.clone()) else {
        state.notify(NoticeLevel::Error, "there is no metric to report by");
        return Vec::new();
    };
    let runs = ids.iter().filter_map(|id| report_run(state, *id)).collect();
    let command = state.report_command(ids, &path);
    let job = start_saving(state, "reporting to", &path, folder_of(&path));
    vec![Request::Report { job, runs, variant, command, path }]
}

/// A run of the library as the worker reads it for itself, with its task.
pub(super) fn report_run(state: &State, id: RunId) -> Option<ReportRun> {
    let entry = state.library.runs.get(&id)?;
    let (dir, manifest) = entry.on_disk();
    let task = state.library.shared_task(&entry.task).cloned();
    Some(ReportRun { dir, manifest, task, steps: entry.steps })
}

/// Where a file lies.
fn folder_of(path: &Path) -> Option<PathBuf> {
    path.parent().map(Path::to_path_buf)
}

/// The job that writes a file, and tells of it when it is done, with the folder that is to be shown then.
pub(super) fn start_saving(
    state: &mut State,
    doing: &str,
    path: &Path,
    folder: Option<PathBuf>,
) -> JobId {
    let file = path.display().to_string();
    let job = state.jobs.start(JobKind::Save, format!("{doing} {file}"));
    state.in_flight.saves.insert(job, SavingFile { file, folder });
    job
}

fn grey_of_difference(map: &ScalarMap, scale: views::HeatScale) -> Option<Pixels> {
    let mut rgba = Vec::with_capacity(map.values.len() * 4);
    for value in map.values.iter() {
        let grey = (scale.difference(*value) * 255.0).round() as u8;
        rgba.extend([grey, grey, grey, 255]);
    }
    Pixels::from_rgba(map.width, map.height, rgba).ok()
}
