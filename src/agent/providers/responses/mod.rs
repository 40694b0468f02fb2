//! OpenAI's Responses API (platform.openai.com/docs/api-reference/responses).
//!
//! Nothing is stored at the provider: reasoning comes encrypted and is sent back with the rest of
//! the answer's items.

mod answer;
mod request;
mod stream;

use serde_json::{Map, Value};

use crate::agent::chat::{ChatRequest, TokenUsage};
use crate::model::wire::{ApiKey, WireHeader};

use super::api::{Api, Delivery, StreamReader};
use super::draft::{CallIds, Draft};
use super::error::ProviderError;

/// OpenAI's Responses API.
#[derive(Debug)]
pub(super) struct Responses;

impl Api for Responses {
    fn path(&self, _model: &str, _delivery: Delivery) -> String {
        "/responses".to_owned()
    }

    fn headers(&self, key: Option<&ApiKey>) -> Vec<WireHeader> {
        key.map(ApiKey::bearer).into_iter().collect()
    }

    fn body(&self, request: &ChatRequest, delivery: Delivery) -> Map<String, Value> {
        request::body(request, delivery)
    }

    fn stream(&self) -> Box<dyn StreamReader> {
        Box::new(stream::ResponsesStream::default())
    }

    fn read(&self, answer: &Value, ids: CallIds) -> Result<Draft, ProviderError> {
        answer::read(answer, ids)
    }

    fn usage(&self, answer: &Value) -> Option<TokenUsage> {
        answer::usage(answer)
    }
}
