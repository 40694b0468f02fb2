//! Google Gemini's `generateContent` (ai.google.dev/api/generate-content).

mod answer;
mod request;
mod schema;
mod stream;

use serde_json::{Map, Value};

use crate::agent::chat::{ChatRequest, TokenUsage};
use crate::model::wire::{ApiKey, WireHeader};

use super::api::{Api, Delivery, StreamReader};
use super::draft::{CallIds, Draft};
use super::error::ProviderError;

/// Google Gemini's `generateContent`.
#[derive(Debug)]
pub(super) struct Gemini;

impl Api for Gemini {
    fn path(&self, model: &str, delivery: Delivery) -> String {
        let model = if model.contains('/') { model.to_owned() } else { format!("models/{model}") };
        // What would begin a query is part of a name here.
        let model = model.replace('?', "%3F");
        match delivery {
            Delivery::Streamed => format!("/{model}:streamGenerateContent?alt=sse"),
            Delivery::Whole => format!("/{model}:generateContent"),
        }
    }

    fn headers(&self, key: Option<&ApiKey>) -> Vec<WireHeader> {
        key.map(|key| key.header("x-goog-api-key")).into_iter().collect()
    }

    fn body(&self, request: &ChatRequest, _delivery: Delivery) -> Map<String, Value> {
        request::body(request)
    }

    fn stream(&self) -> Box<dyn StreamReader> {
        Box::new(stream::ContentStream::default())
    }

    fn read(&self, answer: &Value, ids: CallIds) -> Result<Draft, ProviderError> {
        answer::read(answer, ids)
    }

    fn usage(&self, answer: &Value) -> Option<TokenUsage> {
        answer::usage(answer)
    }
}
