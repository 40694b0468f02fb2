//! Pictures of the design that somebody works on: while it is on the screen, the newest alone.
//!
//! One at a time: what is being drawn is drawn to its end, and then what is newest by then. Were each given up for the
//! next, no picture would come while something is dragged.

use std::sync::Arc;

use crate::workbench::model::{AssistDesk, DesignPictureKey, Inputs, State, Urgency, Workspace};

use super::kind::DerivedKind;

impl DerivedKind for DesignPictureKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let desk = state.assist.desk.as_ref().filter(|_| state.workspace == Workspace::Assist);
        let key = desk.map(|desk| being_drawn(state, desk).unwrap_or_else(|| desk.picture_key()));
        key.map(|key| (key, Urgency::Stage)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        let desk = state.assist.desk.as_ref().filter(|desk| desk.picture_key() == *self)?;
        Some(Inputs { design: Some(Arc::new(desk.picture_input())), ..Inputs::default() })
    }
}

/// The picture of the desk that is asked for and not there yet.
fn being_drawn(state: &State, desk: &AssistDesk) -> Option<DesignPictureKey> {
    let pictures = &state.derived.design_pictures;
    pictures
        .iter()
        .map(|(key, _)| *key)
        .find(|key| key.desk == desk.number && pictures.is_pending(key))
}
