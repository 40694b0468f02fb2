//! OpenAI's Chat Completions API as many others offer it (platform.openai.com/docs/api-reference/chat):
//! Ollama, llama.cpp, vLLM, LiteLLM, OpenRouter.
//!
//! Reads what they write as each of them writes it: calls without ids or places, arguments as objects,
//! reasoning under three names, no usage, no `[DONE]`, errors inside a success.

mod answer;
mod request;
mod stream;

pub(super) use request::TokensField;

use serde_json::{Map, Value};

use crate::agent::chat::{ChatRequest, TokenUsage};
use crate::model::wire::{ApiKey, WireHeader};

use super::api::{Api, Delivery, StreamReader};
use super::draft::{CallIds, Draft};
use super::error::ProviderError;

/// OpenAI's Chat Completions API.
#[derive(Debug)]
pub(super) struct ChatCompletions {
    /// What the limit of tokens is called there.
    pub(super) tokens_field: TokensField,
}

impl Api for ChatCompletions {
    fn path(&self, _model: &str, _delivery: Delivery) -> String {
        "/chat/completions".to_owned()
    }

    fn headers(&self, key: Option<&ApiKey>) -> Vec<WireHeader> {
        key.map(ApiKey::bearer).into_iter().collect()
    }

    fn body(&self, request: &ChatRequest, delivery: Delivery) -> Map<String, Value> {
        request::body(request, delivery, self.tokens_field)
    }

    fn stream(&self) -> Box<dyn StreamReader> {
        Box::new(stream::ChatStream::default())
    }

    fn read(&self, answer: &Value, ids: CallIds) -> Result<Draft, ProviderError> {
        answer::read(answer, ids)
    }

    fn usage(&self, answer: &Value) -> Option<TokenUsage> {
        answer::usage(answer)
    }
}
