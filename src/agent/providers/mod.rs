//! Models behind five APIs: OpenAI Responses, OpenAI-compatible Chat Completions, Anthropic Messages,
//! Google Gemini and Amazon Bedrock.
//!
//! [`Provider`] is a [`ChatModel`](super::chat::ChatModel): it asks over a
//! [`Wire`](crate::model::wire::Wire), tries again what may pass, and tells its listener of every
//! attempt. [`ReplayWire`] plays recorded exchanges back.
//!
//! Each API has a folder with two sides: `request` writes what is asked; `answer` reads a whole
//! answer, and `stream` puts one together from its events, which is then read in the same way. So a
//! stream and a whole answer mean the same. What all of them share is in `api`, `draft`, `sse`,
//! `event_stream` and `limits`.
//!
//! Everything that comes from a provider is bounded by [`AnswerLimits`].
//!
//! Uses `agent::chat`, `model::wire` and `base`.

mod anthropic;
mod api;
mod arguments;
mod attempt;
mod aws;
mod bedrock;
mod chat_completions;
mod draft;
mod error;
mod event_stream;
mod gemini;
mod json;
mod keys;
mod limits;
mod prices;
mod provider;
mod replay;
mod responses;
mod retry;
mod settings;
mod sse;

pub use aws::AwsError;
pub use keys::{
    EnteredKey, KEYRING_SERVICE, KeyError, KeyPlace, KeySource, SessionKeys, forget_key, store_key,
};
pub use limits::AnswerLimits;
pub use prices::Prices;
pub use provider::{Provider, SetupError};
pub use replay::{ReplayError, ReplayWire};
pub use settings::{ProviderKind, ProviderSettings};
