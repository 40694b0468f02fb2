//! Anthropic's Messages API (docs.anthropic.com/en/api/messages), version 2023-06-01.

mod answer;
mod request;
mod stream;

use serde_json::{Map, Value};

use crate::agent::chat::{ChatRequest, TokenUsage};
use crate::model::wire::{ApiKey, WireHeader};

use super::api::{Api, Delivery, StreamReader};
use super::draft::{CallIds, Draft};
use super::error::ProviderError;

/// The version of the API that is spoken here.
const VERSION: &str = "2023-06-01";

/// Anthropic's Messages API.
#[derive(Debug)]
pub(super) struct Anthropic {
    /// Whether the provider is to keep what it has read for the next request.
    pub(super) cache_prompts: bool,
}

impl Api for Anthropic {
    fn path(&self, _model: &str, _delivery: Delivery) -> String {
        "/messages".to_owned()
    }

    fn headers(&self, key: Option<&ApiKey>) -> Vec<WireHeader> {
        let version = WireHeader::new("anthropic-version", VERSION);
        key.map(|key| key.header("x-api-key")).into_iter().chain([version]).collect()
    }

    fn body(&self, request: &ChatRequest, delivery: Delivery) -> Map<String, Value> {
        request::body(request, delivery, self.cache_prompts)
    }

    fn stream(&self) -> Box<dyn StreamReader> {
        Box::new(stream::MessageStream::default())
    }

    fn read(&self, answer: &Value, ids: CallIds) -> Result<Draft, ProviderError> {
        answer::read(answer, ids)
    }

    fn usage(&self, answer: &Value) -> Option<TokenUsage> {
        answer::usage(answer)
    }
}
