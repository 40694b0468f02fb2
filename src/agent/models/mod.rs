//! Models by name: what a user's file says of them, and models made ready for many runs.
//!
//! - [`ModelsFile`] holds [`ModelEntry`]s by name; [`ModelsFile::entry`] also takes a model that is in
//!   no file, as `KIND:MODEL` or `KIND:MODEL@ADDRESS`;
//! - [`OpenedModel`] is one, ready: [`OpenedModel::agent`] makes an agent for each run, all of which
//!   share its key, its connections and its pace;
//! - [`OpenedModel::test`] finds out what an endpoint can do;
//! - [`ModelChoice`] is what a person chose;
//! - [`Recorded`] are the exchanges of an earlier run, to be played again ([`OpenedModel::replay`])
//!   or gone on from.
//!
//! Uses `agent::providers`, `agent::model_agent`, `model::wire`, `run` and `base`.

mod choice;
mod continued;
mod endpoint_test;
mod entry;
mod error;
mod file;
mod opened;
mod pace;
mod recorded;

pub use choice::{ChoiceError, ModelChoice, ModelSetup};
pub use endpoint_test::{Ability, EndpointReport, EndpointTestError};
pub use entry::ModelEntry;
pub use error::ReplayedRunError;
pub use file::{ModelsFile, ModelsFileError};
pub use opened::{MODE_SETTING, MODEL_SETTING, OpenedModel, OpenedModels, PROMPTS_SETTING};
pub use recorded::{Recorded, RecordedError};
