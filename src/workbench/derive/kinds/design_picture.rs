//! Pictures of the design that somebody works on: while it is on the screen, the newest alone.

use std::sync::Arc;

use crate::workbench::model::{DesignPictureKey, Inputs, State, Urgency, Workspace};

use super::kind::DerivedKind;

impl DerivedKind for DesignPictureKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let desk = state.assist.desk.as_ref().filter(|_| state.workspace == Workspace::Assist);
        desk.map(|desk| (desk.picture_key(), Urgency::Stage)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        let desk = state.assist.desk.as_ref().filter(|desk| desk.picture_key() == *self)?;
        Some(Inputs { design: Some(Arc::new(desk.picture_input())), ..Inputs::default() })
    }
}
