//! Pictures of the design that somebody works on: while it is on the screen, the newest alone, and that of its goal,
//! which is there before anybody asks for it.

use std::sync::Arc;

use crate::workbench::model::{DesignPictureKey, DesignSide, Inputs, State, Urgency, Workspace};

use super::kind::DerivedKind;

impl DerivedKind for DesignPictureKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let desk = state.assist.desk.as_ref().filter(|_| state.workspace == Workspace::Assist);
        let Some(desk) = desk else { return Vec::new() };
        let work = (desk.picture_key(), Urgency::Stage);
        let goal = desk.goal_picture_key().map(|key| (key, Urgency::Ahead));
        std::iter::once(work).chain(goal).collect()
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
