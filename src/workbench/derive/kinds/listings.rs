//! What files and folders hold that the launch dialog names.

use crate::agent::AgentKind;
use crate::workbench::derive::views;
use crate::workbench::model::{Inputs, ModelFileKey, Overlay, PictureFolderKey, State, Urgency};

use super::kind::DerivedKind;

/// Wanted while the launch dialog is open and a model is to act. What was asked for is waited for
/// though the dialog closes: the file is small, and the next dialog knows its names at once.
impl DerivedKind for ModelFileKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let launch = &state.launch;
        let is_shown = state.overlay == Some(Overlay::Launch) && launch.agent == AgentKind::Model;
        let file = launch.model.file.clone().map(Self);
        let file = file.filter(|key| is_shown || state.derived.model_files.is_pending(key));
        file.map(|key| (key, Urgency::Stage)).into_iter().collect()
    }

    fn inputs(&self, _: &State) -> Option<Inputs> {
        Some(Inputs::default())
    }
}

/// Wanted while the launch dialog is open and queries are chosen. A folder may be large: reading it
/// ends when nobody waits for it any more.
impl DerivedKind for PictureFolderKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let is_shown = state.overlay == Some(Overlay::Launch) && views::launches_queries(state);
        let folder = state.launch.options.pictures.clone().filter(|_| is_shown);
        folder.map(|path| (Self(path), Urgency::Stage)).into_iter().collect()
    }

    fn inputs(&self, _: &State) -> Option<Inputs> {
        Some(Inputs::default())
    }
}
