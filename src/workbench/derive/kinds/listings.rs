//! What files and folders hold that the launch dialog names.

use crate::agent::AgentKind;
use crate::workbench::derive::views;
use crate::workbench::model::{
    Fetched, FolderKey, Inputs, ModelFileKey, Overlay, PictureFolderKey, State, Urgency,
};

use super::kind::DerivedKind;

/// Wanted while the launch dialog is open and a model is to act. What was asked for is waited for
/// though the dialog closes: the file is small, and the next dialog knows its names at once.
impl DerivedKind for ModelFileKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let launch = &state.launch;
        let is_shown = state.overlay == Some(Overlay::Launch) && launch.agent == AgentKind::Model;
        let known =
            launch.model.file.as_deref().and_then(|file| state.derived.model_files.get(file));
        let is_wanted = is_shown || matches!(known, Some(Fetched::Pending));
        let file = launch.model.file.iter().filter(|_| is_wanted);
        file.map(|file| (Self(file.clone()), Urgency::Stage)).collect()
    }

    fn inputs(&self, _: &State) -> Option<Inputs> {
        Some(Inputs::default())
    }
}

/// Wanted while a path is being typed.
impl DerivedKind for FolderKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let completing = state.completing.iter();
        completing.map(|it| (Self(it.folder.clone()), Urgency::Stage)).collect()
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
        let folder = state.launch.options.pictures.iter().filter(|_| is_shown);
        folder.map(|folder| (Self(folder.clone()), Urgency::Stage)).collect()
    }

    fn inputs(&self, _: &State) -> Option<Inputs> {
        Some(Inputs::default())
    }
}
