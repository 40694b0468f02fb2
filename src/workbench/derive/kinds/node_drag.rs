//! What a hand did on the picture: until its calls are put in.

use crate::workbench::derive::views;
use crate::workbench::model::{Inputs, NodeDragKey, State, Urgency};

use super::kind::{DerivedKind, inputs_of_branch};

impl DerivedKind for NodeDragKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let key = state.what_if.drag.as_ref().map(|(key, _)| key);
        let key = key.filter(|key| views::branch_key(state).as_ref() == Some(&key.branch));
        key.cloned().map(|key| (key, Urgency::Ahead)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        let (_, drag) = state.what_if.drag.as_ref().filter(|(key, _)| key == self)?;
        let inputs = inputs_of_branch(state, &self.branch)?;
        Some(Inputs { drag: Some(drag.clone()), ..inputs })
    }
}
