//! What files and folders hold that the launch dialog names.

use crate::agent::AgentKind;
use crate::workbench::derive::views;
use crate::workbench::model::{
    EndpointTestKey, EstimateKey, Fetched, FolderKey, Inputs, KeptKeyKey, ModelFileKey,
    ModelSetupKey, Overlay, PictureFolderKey, PromptFolderKey, State, Urgency,
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
        file.cloned().map(|file| (Self(file), Urgency::Stage)).collect()
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

/// Wanted while the launch dialog is open and a model is to act: of each that is named rightly.
impl DerivedKind for ModelSetupKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let launch = &state.launch;
        if state.overlay != Some(Overlay::Launch) || launch.agent != AgentKind::Model {
            return Vec::new();
        }
        let is_read = models_are_read(state);
        let names = launch.model_names().into_iter();
        let names = names.filter(|name| is_read && views::is_model(state, name));
        names.map(|name| (state.model_setup_key(name), Urgency::Stage)).collect()
    }

    fn inputs(&self, _: &State) -> Option<Inputs> {
        Some(Inputs::default())
    }
}

/// Whether the file of models was read, if there is one: while it is being read nobody knows which of the names
/// are models.
fn models_are_read(state: &State) -> bool {
    state.launch.model.file.is_none()
        || state.launch_models().is_some_and(|models| !matches!(models, Fetched::Pending))
}

/// Wanted from when somebody asked for it until the dialog closes or somebody stops it.
impl DerivedKind for EndpointTestKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let is_shown = state.overlay == Some(Overlay::Launch);
        let tests = state.launch.tests.iter().filter(|_| is_shown);
        tests.cloned().map(|test| (test, Urgency::Stage)).collect()
    }

    fn inputs(&self, _: &State) -> Option<Inputs> {
        Some(Inputs::default())
    }
}

/// Wanted while the launch dialog is open and what it says can be launched with models.
impl DerivedKind for EstimateKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let is_shown = state.overlay == Some(Overlay::Launch) && models_are_read(state);
        let can_launch = is_shown && views::why_no_launch(state).is_none();
        let key = can_launch.then(|| views::estimate_key(state)).flatten();
        key.into_iter().map(|key| (key, Urgency::Stage)).collect()
    }

    fn inputs(&self, _: &State) -> Option<Inputs> {
        Some(Inputs::default())
    }
}

/// Wanted from when somebody entered a key to be kept; whether or not the dialog closes meanwhile.
impl DerivedKind for KeptKeyKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let entered = state.launch.entered_key.iter();
        entered.cloned().map(|entered| (Self(entered), Urgency::Stage)).collect()
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
        folder.cloned().map(|folder| (Self(folder), Urgency::Stage)).collect()
    }

    fn inputs(&self, _: &State) -> Option<Inputs> {
        Some(Inputs::default())
    }
}

/// Wanted while the launch dialog is open and models are to work with prompts of several folders: of each that is
/// listed, ticked or not.
impl DerivedKind for PromptFolderKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let launch = &state.launch;
        let is_shown = state.overlay == Some(Overlay::Launch) && launch.compares_prompts();
        let folders = launch.experiment.prompts.folders.iter().filter(|_| is_shown);
        folders.map(|folder| (Self(folder.path.clone()), Urgency::Stage)).collect()
    }

    fn inputs(&self, _: &State) -> Option<Inputs> {
        Some(Inputs::default())
    }
}
