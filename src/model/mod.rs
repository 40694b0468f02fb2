//! What learned metrics need: sentence embedding, captioner, judge, and networks from ONNX files.
//!
//! The metrics ask for models through traits that live beside them ([`crate::metric::caption`],
//! [`crate::metric::judging`], [`crate::metric::lpips`]); this module has the backends. So `metric`
//! stays free of files, the network and the inference engine, and `model` uses `metric` and not the
//! other way round.
//!
//! Start with [`ModelSettings`]: which models there are, and the metrics that go by them.
//!
//! | item | what |
//! |---|---|
//! | [`MiniLm`] | all-MiniLM-L6-v2, comes with the program |
//! | [`Clip`], [`SaliencyNetwork`], [`LpipsNetwork`] | from ONNX files that the user names (`assets/models/README.md`) |
//! | [`wire`] | HTTP to models, for the endpoint and for agents: all that reaches the network |
//! | [`endpoint`] | an OpenAI-compatible endpoint with a cache of answers |
//! | [`captions`] | what pictures show: from an endpoint, or from a file made before |
//! | [`program`] | a metric of one's own that is a program |
//! | [`EndpointJudge`], [`prompts`] | a judge, and the wording of what it is asked |
//!
//! Uses `base` and `metric`. Nothing is downloaded.

pub mod captions;
mod clip;
pub mod endpoint;
mod error;
mod judge;
mod lazy;
mod lpips_network;
mod minilm;
mod network;
mod onnx_check;
pub mod program;
pub mod prompts;
mod saliency_network;
mod settings;
pub mod template;
mod text;
pub mod wire;

pub use clip::{Clip, ClipFiles};
pub use error::ModelError;
pub use judge::EndpointJudge;
pub use lpips_network::{LpipsFile, LpipsNetwork};
pub use minilm::MiniLm;
pub use saliency_network::{SaliencyFile, SaliencyNetwork};
pub use settings::{ModelSettings, ModelsFileError, SetupError};
