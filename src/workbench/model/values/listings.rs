//! What files and folders hold that the launch dialog names.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::agent::batch::{AgentChoice, Estimate, LaunchOptions};
use crate::agent::models::{EndpointReport, ModelChoice, ModelSetup};
use crate::agent::providers::{EnteredKey, ProviderKind};

use super::resource::ResourceKey;
use crate::run::TaskRef;
use crate::task::Task;

/// A file of models.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModelFileKey(pub PathBuf);

/// A folder of pictures that queries name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PictureFolderKey(pub PathBuf);

/// A folder of prompts that models are to work with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PromptFolderKey(pub PathBuf);

/// A folder that is being typed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FolderKey(pub PathBuf);

/// What a folder holds, one of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderEntry {
    /// Its name.
    pub name: String,
    /// Whether it is a folder itself.
    pub is_folder: bool,
}

/// The folder of a path that is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completing {
    /// As it is typed, with its separator.
    pub typed: PathBuf,
    /// Where it is.
    pub folder: PathBuf,
}

/// A model that is chosen, to be looked at before it is asked.
#[derive(Clone, Debug)]
pub struct ModelSetupKey {
    /// Which.
    pub choice: ModelChoice,
    /// How often keys were entered before: another key may be found after each.
    pub entered: u64,
}

impl ModelSetupKey {
    // The way of working and typed keys are no part of it: the first changes nothing, the second counts.
    fn parts(&self) -> (&str, Option<&Path>, u64) {
        (&self.choice.name, self.choice.file.as_deref(), self.entered)
    }
}

impl PartialEq for ModelSetupKey {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for ModelSetupKey {}

impl PartialOrd for ModelSetupKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ModelSetupKey {
    fn cmp(&self, other: &Self) -> Ordering {
        self.parts().cmp(&other.parts())
    }
}

impl ResourceKey for ModelSetupKey {
    type Value = ModelSetup;
    // More than anybody compares at once; what is shown is kept in any case.
    const BUDGET: usize = 16;

    fn cost(_: &ModelSetup) -> usize {
        1
    }
}

/// A test of what a model's endpoint can do. Told from others by its number: each is paid for, and none
/// is made again because something else of the dialog changed.
#[derive(Clone, Debug)]
pub struct EndpointTestKey {
    /// Of which model.
    pub choice: ModelChoice,
    /// The how-manieth test it is.
    pub number: u64,
}

impl PartialEq for EndpointTestKey {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for EndpointTestKey {}

impl PartialOrd for EndpointTestKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for EndpointTestKey {
    fn cmp(&self, other: &Self) -> Ordering {
        self.number.cmp(&other.number)
    }
}

impl ResourceKey for EndpointTestKey {
    type Value = EndpointReport;
    const BUDGET: usize = 16;

    fn cost(_: &EndpointReport) -> usize {
        1
    }
}

/// What a launch would cost, before anything is asked.
#[derive(Clone, Debug)]
pub struct EstimateKey {
    /// Who would act.
    pub agents: Vec<AgentChoice>,
    /// On which tasks, with the folders of their sets.
    pub tasks: Vec<(TaskRef, PathBuf, Arc<Task>)>,
    /// How often each.
    pub repeats: u32,
    /// How.
    pub options: LaunchOptions,
    /// All that the estimate depends on, in words: what is compared.
    identity: String,
}

impl EstimateKey {
    /// The estimate of this launch.
    pub fn new(
        agents: Vec<AgentChoice>,
        tasks: Vec<(TaskRef, PathBuf, Arc<Task>)>,
        repeats: u32,
        options: LaunchOptions,
    ) -> Self {
        let refs: Vec<&TaskRef> = tasks.iter().map(|(task, ..)| task).collect();
        let (turns, pictures) = (options.limits.max_turns, &options.pictures);
        let start = (&options.start_design, &options.start_run);
        let identity = format!("{agents:?} {refs:?} {repeats} {turns} {pictures:?} {start:?}");
        Self { agents, tasks, repeats, options, identity }
    }
}

impl PartialEq for EstimateKey {
    fn eq(&self, other: &Self) -> bool {
        self.identity == other.identity
    }
}

impl Eq for EstimateKey {}

impl PartialOrd for EstimateKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for EstimateKey {
    fn cmp(&self, other: &Self) -> Ordering {
        self.identity.cmp(&other.identity)
    }
}

impl ResourceKey for EstimateKey {
    type Value = Estimate;
    const BUDGET: usize = 4;

    fn cost(_: &Estimate) -> usize {
        1
    }
}

/// A key that is to go into the system's keyring.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeptKeyKey(pub EnteredKey);

/// That a key is in the system's keyring now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyKept;

impl ResourceKey for KeptKeyKey {
    type Value = KeyKept;
    const BUDGET: usize = 1;

    fn cost(_: &KeyKept) -> usize {
        1
    }
}

/// A model of a file of models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedModel {
    /// What the user calls it.
    pub name: String,
    /// Its name where it answers.
    pub model: String,
    /// Whose API it speaks.
    pub kind: ProviderKind,
    /// Whether it is known what its answers cost.
    pub has_prices: bool,
}

/// What a folder of pictures holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PicturesListed {
    /// How many pictures, in the folder and below it.
    pub pictures: usize,
}

/// What a folder of prompts holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptsListed {
    /// Where it lies, whichever way leads there: two folders that lie in one place are one.
    pub place: PathBuf,
    /// How many prompts it has a file for, at least 1.
    pub prompts: usize,
}

// Looked up in every frame by the path that the dialog has.
impl Borrow<Path> for ModelFileKey {
    fn borrow(&self) -> &Path {
        &self.0
    }
}

impl Borrow<EnteredKey> for KeptKeyKey {
    fn borrow(&self) -> &EnteredKey {
        &self.0
    }
}

impl Borrow<Path> for FolderKey {
    fn borrow(&self) -> &Path {
        &self.0
    }
}

impl Borrow<Path> for PictureFolderKey {
    fn borrow(&self) -> &Path {
        &self.0
    }
}

impl Borrow<Path> for PromptFolderKey {
    fn borrow(&self) -> &Path {
        &self.0
    }
}

impl ResourceKey for ModelFileKey {
    type Value = Vec<ListedModel>;
    // The dialog names one at a time.
    const BUDGET: usize = 1;

    fn cost(_: &Vec<ListedModel>) -> usize {
        1
    }
}

impl ResourceKey for FolderKey {
    type Value = Vec<FolderEntry>;
    // A path is typed along its folders, and back.
    const BUDGET: usize = 8;

    fn cost(_: &Vec<FolderEntry>) -> usize {
        1
    }
}

impl ResourceKey for PictureFolderKey {
    type Value = PicturesListed;
    const BUDGET: usize = 1;

    fn cost(_: &PicturesListed) -> usize {
        1
    }
}

impl ResourceKey for PromptFolderKey {
    type Value = PromptsListed;
    // More than anybody compares at once; what is shown is kept in any case.
    const BUDGET: usize = 16;

    fn cost(_: &PromptsListed) -> usize {
        1
    }
}
