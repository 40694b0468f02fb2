//! An OpenAI-compatible chat endpoint: one prompt, at most one picture, one answer.
//!
//! Asks over [`super::wire`]. [`Asker`] is what the captioner and the
//! judge use: an endpoint with its cache of answers.

mod answer;
mod asker;
mod cache;
mod chat;
mod error;
mod prices;
mod settings;

pub use asker::Asker;
pub use cache::{AnswerCache, CacheError};
pub use chat::{ChatEndpoint, ChatRequest};
pub use error::EndpointError;
pub use prices::Prices;
pub use settings::EndpointSettings;
