//! Choosing the variant whose curve and map are shown, and the files that metrics go by.

use crate::evaluate::VariantId;
use crate::metric::MapKind;
use crate::metric::saliency::Saliency;
use crate::workbench::model::{JobKind, StagePane, State};
use crate::workbench::protocol::{Request, ScoresCommand};

use super::select::moved;

pub(super) fn scores(state: &mut State, command: ScoresCommand) -> Vec<Request> {
    match command {
        ScoresCommand::Choose(variant) => choose(state, &variant),
        ScoresCommand::ShowMap(variant, kind) => show_map(state, &variant, kind),
        ScoresCommand::ChooseBy(by) => choose_by(state, by),
        ScoresCommand::ToggleBeside(variant) => toggle_beside(state, &variant),
        ScoresCommand::ShowChanges(are_shown) => state.settings.shows_changes = are_shown,
        ScoresCommand::UseModels(path) => {
            state.settings.models = path;
            return use_files(state);
        }
        ScoresCommand::UseCaptions(path) => {
            state.settings.captions = path;
            return use_files(state);
        }
    }
    Vec::new()
}

/// Has the files of models and of captions read, both in one job: the captions may be named by the
/// models. Until they are, everything is measured as before. A job that was to read others does not
/// matter any more.
fn use_files(state: &mut State) -> Vec<Request> {
    let (path, captions) = (state.settings.models.clone(), state.settings.captions.clone());
    state.models_problem = None;
    // Cancelled before the new file is read: whichever ends last would else be the one in use.
    let earlier = state.in_flight.models.take().map(Request::Cancel);
    let job = state.jobs.start(JobKind::Models, "");
    state.in_flight.models = Some(job);
    earlier.into_iter().chain([Request::UseModels { job, path, captions }]).collect()
}

fn choose(state: &mut State, id: &VariantId) {
    let Some(variant) = state.variants.get(id) else { return };
    let has_map = variant.map_range.is_some();
    state.settings.curve_variant = id.to_string();
    if has_map {
        show_map(state, id, MapKind::Difference);
    }
    // The library's score may have been on its way with the curve that is not wanted any more.
    let is_open = state.selected_run().is_some_and(|run| run.last_score.is_none());
    state.in_flight.finals_due.extend(state.selection.run.filter(|_| is_open));
}

/// A map that the variant has not changes nothing.
fn show_map(state: &mut State, id: &VariantId, kind: MapKind) {
    let has_it = state.variants.get(id).is_some_and(|variant| {
        variant.map_range.is_some() && (kind == MapKind::Difference || Saliency::has(variant))
    });
    if has_it {
        state.settings.heat_variant = id.to_string();
        state.settings.heat_map = kind;
        state.stage.panes.insert(StagePane::Heat);
    }
}

/// The chosen one has its curve anyhow, and stays what the others stand beside.
fn toggle_beside(state: &mut State, id: &VariantId) {
    let is_chosen = state.curve_variant().is_some_and(|variant| variant.id == *id);
    let beside = &mut state.settings.curves_beside;
    if let Some(at) = beside.iter().position(|known| *known == **id) {
        beside.remove(at);
    } else if !is_chosen && state.variants.get(id).is_some() {
        beside.push(id.to_string());
    }
}

fn choose_by(state: &mut State, by: i32) {
    let listed: Vec<&VariantId> = state.listed_variants().map(|it| &it.id).collect();
    let chosen = state.curve_variant().map(|variant| &variant.id);
    let at = listed.iter().position(|id| Some(*id) == chosen).unwrap_or(0);
    let to = moved(Some(at), by, listed.len()).and_then(|to| listed.get(to));
    if let Some(id) = to.copied().cloned() {
        choose(state, &id);
    }
}
