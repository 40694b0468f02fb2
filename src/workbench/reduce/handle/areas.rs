//! Areas of a task's pictures that differences leave out.

use crate::workbench::model::State;
use crate::workbench::protocol::{AreaCommand, Request};

/// Most areas of a task: more are drawn by mistake.
const MOST_AREAS: usize = 200;

pub(super) fn areas(state: &mut State, command: AreaCommand) -> Vec<Request> {
    let Some(task) = state.areas_task() else { return Vec::new() };
    let mut areas = state.notes.areas(&task).to_vec();
    match command {
        AreaCommand::Ignore(area) if areas.len() < MOST_AREAS => areas.push(area),
        AreaCommand::Restore(place) if place < areas.len() => {
            areas.remove(place);
        }
        AreaCommand::RestoreAll => areas.clear(),
        AreaCommand::Ignore(_) | AreaCommand::Restore(_) => return Vec::new(),
    }
    state.notes.change_areas(&task, areas.clone());
    vec![Request::KeepAreas { task, areas }]
}
