//! Pictures of the design that somebody works on: while it is on the screen, the newest alone, and that of its goal,
//! which is there before anybody asks for it; those of its versions while one of them is looked at.
//!
//! One at a time: what is being drawn is drawn to its end, and then what is newest by then. Were each given up for the
//! next, no picture would come while something is dragged.

use std::sync::Arc;

use crate::workbench::model::{
    AssistDesk, DesignPictureKey, DesignSide, Inputs, State, Urgency, Workspace,
};

use super::kind::DerivedKind;

impl DerivedKind for DesignPictureKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let desk = state.assist.desk.as_ref().filter(|_| state.workspace == Workspace::Assist);
        let Some(desk) = desk else { return Vec::new() };
        let work = being_drawn(state, desk).unwrap_or_else(|| desk.picture_key());
        let goal = desk.goal_picture_key().map(|key| (key, Urgency::Ahead));
        let versions = desk.version_keys().into_iter().filter(|key| *key != work);
        let versions = versions.map(|key| (key, Urgency::Timeline));
        std::iter::once((work, Urgency::Stage)).chain(goal).chain(versions).collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        let design = state.assist.desk.as_ref()?.input_of(self)?;
        Some(Inputs { design: Some(Arc::new(design)), ..Inputs::default() })
    }
}

/// The picture of the desk that is asked for and not there yet.
fn being_drawn(state: &State, desk: &AssistDesk) -> Option<DesignPictureKey> {
    let pictures = &state.derived.design_pictures;
    let versions = desk.version_keys();
    let mut own = pictures.iter().map(|(key, _)| *key).filter(|key| {
        key.desk == desk.number && key.side == DesignSide::Work && !versions.contains(key)
    });
    own.find(|key| pictures.is_pending(key))
}
