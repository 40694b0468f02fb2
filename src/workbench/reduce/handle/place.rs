//! Going to a place that somebody pointed at while labelling.

use crate::design::NodeId;
use crate::label::Place;
use crate::workbench::model::{NodeRef, NodeSide, State};
use crate::workbench::protocol::PlaybackCommand;

use super::nodes;
use super::playback::playback;

/// Goes to a place of the selected run. Its node stays selected and its region framed until another is.
pub(super) fn go_to_place(state: &mut State, place: Place) {
    let Some(run) = state.selection.run else { return };
    if let Some(step) = place.step {
        state.playback.playing = false;
        playback(state, PlaybackCommand::Step(step));
    }
    if let Some(node) = &place.node {
        let id = NodeId::from(node.as_str());
        nodes::select(state, Some(NodeRef { side: NodeSide::Canvas, id }));
    }
    state.stage.place = place.region.is_some().then_some((run, place));
}
