//! Pictures of the design that somebody works on: while it is on the screen, the newest alone, and those of its versions
//! while one of them is looked at.

use std::sync::Arc;

use crate::workbench::model::{DesignPictureKey, Inputs, State, Urgency, Workspace};

use super::kind::DerivedKind;

impl DerivedKind for DesignPictureKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let desk = state.assist.desk.as_ref().filter(|_| state.workspace == Workspace::Assist);
        let Some(desk) = desk else { return Vec::new() };
        let shown = desk.picture_key();
        let versions = desk.version_keys().into_iter().filter(|key| *key != shown);
        let versions = versions.map(|key| (key, Urgency::Timeline));
        std::iter::once((shown, Urgency::Stage)).chain(versions).collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        let design = state.assist.desk.as_ref()?.input_of(self)?;
        Some(Inputs { design: Some(Arc::new(design)), ..Inputs::default() })
    }
}
