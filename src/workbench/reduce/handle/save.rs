//! Writing pictures and designs to files.

use std::path::PathBuf;

use crate::base::Pixels;
use crate::metric::ScalarMap;
use crate::workbench::derive::kinds::inputs_of_slot;
use crate::workbench::derive::views;
use crate::workbench::model::{JobKind, NoticeLevel, StagePane, State};
use crate::workbench::protocol::{ExportFormat, Request};

/// Writes what the pane shows: the picture, or the heat as grey, from black (same) to white.
pub(super) fn save_picture(state: &mut State, pane: StagePane, path: PathBuf) -> Vec<Request> {
    let pixels = match pane {
        StagePane::Heat => {
            let heat = views::heat(state);
            heat.map.and_then(|map| grey_of_difference(map, heat.scale))
        }
        StagePane::Run | StagePane::GroundTruth | StagePane::Program(_) => {
            views::pane(state, pane).picture.map(|picture| picture.pixels.clone())
        }
    };
    let Some(pixels) = pixels else {
        state.tell(NoticeLevel::Error, "there is no picture to save in this pane");
        return Vec::new();
    };
    let job = state.jobs.start(JobKind::Save, format!("saving {}", path.display()));
    state.in_flight.saves.insert(job, path.clone());
    vec![Request::SavePicture { job, pixels, path }]
}

/// Writes the selected node, or else the listed design.
pub(super) fn export(state: &mut State, format: ExportFormat, path: PathBuf) -> Vec<Request> {
    let Some((key, node)) = views::export_target(state) else {
        state.tell(NoticeLevel::Error, "there is no design to export: select a run or a task");
        return Vec::new();
    };
    if let Some(why) = state.why_no_document(&key) {
        state.tell(NoticeLevel::Error, format!("there is no design to export. {why}"));
        return Vec::new();
    }
    let Some(inputs) = inputs_of_slot(state, &key) else {
        state.tell(NoticeLevel::Error, "the run is still being read: try again in a moment");
        return Vec::new();
    };
    let job = state.jobs.start(JobKind::Save, format!("exporting {}", path.display()));
    state.in_flight.saves.insert(job, path.clone());
    vec![Request::Export { job, key, node, format, inputs, path }]
}

fn grey_of_difference(map: &ScalarMap, scale: views::HeatScale) -> Option<Pixels> {
    let grey = |value: &f32| (scale.difference(*value) * 255.0).round() as u8;
    let rgba = map.values.iter().map(grey).flat_map(|grey| [grey, grey, grey, 255]).collect();
    Pixels::from_rgba(map.width, map.height, rgba).ok()
}
