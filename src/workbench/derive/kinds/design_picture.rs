//! Pictures of the design that somebody works on: while it is on the screen, the newest alone, and that of its goal,
//! which is there before anybody asks for it.
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
        std::iter::once((work, Urgency::Stage)).chain(goal).collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        let desk = state.assist.desk.as_ref()?;
        let input = match self.side {
            DesignSide::Work if desk.picture_key() == *self => desk.picture_input(),
            DesignSide::Goal if desk.goal_picture_key() == Some(*self) => {
                desk.goal_picture_input()?
            }
            DesignSide::Work | DesignSide::Goal => return None,
        };
        Some(Inputs { design: Some(Arc::new(input)), ..Inputs::default() })
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
