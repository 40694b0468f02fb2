//! Amazon Bedrock's Converse and ConverseStream
//! (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html), which ask every model of
//! Bedrock in one way.
//!
//! A key of the form `ID:SECRET` or `ID:SECRET:TOKEN` signs each try
//! ([`ApiKey::signature`](crate::model::wire::ApiKey::signature)); any other is an API key of Bedrock and
//! is sent as it is. Where credentials are found is in [`aws`](super::aws).
//!
//! Converse has no word for calls one at a time, so that `parallel_calls` says nothing here.

mod answer;
mod request;
mod stream;

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::agent::chat::{ChatRequest, TokenUsage};
use crate::model::wire::{ApiKey, SigningScope, WireHeader, WireRequest, encode_path_segment};

use super::api::{Api, Delivery, StreamReader};
use super::draft::{CallIds, Draft};
use super::error::ProviderError;

/// Bedrock's name in signatures.
const SERVICE: &str = "bedrock";

/// Amazon Bedrock's Converse.
#[derive(Debug)]
pub(super) struct Bedrock {
    /// Where the models are, such as `eu-central-1`.
    pub(super) region: String,
    /// Whether the provider is to keep what it has read for the next request.
    pub(super) cache_prompts: bool,
}

impl Api for Bedrock {
    fn path(&self, model: &str, delivery: Delivery) -> String {
        // Names of models hold colons, and ARNs slashes.
        let model = encode_path_segment(model);
        match delivery {
            Delivery::Streamed => format!("/model/{model}/converse-stream"),
            Delivery::Whole => format!("/model/{model}/converse"),
        }
    }

    fn headers(&self, _key: Option<&ApiKey>) -> Vec<WireHeader> {
        Vec::new()
    }

    fn stream_type(&self) -> &'static str {
        "application/vnd.amazon.eventstream"
    }

    fn headers_of_try(
        &self,
        request: &WireRequest,
        key: Option<&ApiKey>,
        at: Timestamp,
    ) -> Vec<WireHeader> {
        let Some(key) = key else { return Vec::new() };
        let scope = SigningScope { region: &self.region, service: SERVICE, at };
        key.signature(request, scope).unwrap_or_else(|| vec![key.bearer()])
    }

    fn body(&self, request: &ChatRequest, _delivery: Delivery) -> Map<String, Value> {
        request::body(request, self.cache_prompts)
    }

    fn stream(&self) -> Box<dyn StreamReader> {
        Box::new(stream::ConverseStream::default())
    }

    fn read(&self, answer: &Value, ids: CallIds) -> Result<Draft, ProviderError> {
        answer::read(answer, ids)
    }

    fn usage(&self, answer: &Value) -> Option<TokenUsage> {
        answer::usage(answer)
    }
}
