//! A model behind one of the APIs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde_json::Value;

use crate::agent::chat::{
    Answer, Attempt, ChatError, ChatListener, ChatModel, ChatRequest, ModelIdentity, RetryCause,
    TokenUsage,
};
use crate::base::{CancelToken, Variables};
use crate::model::wire::{
    AddressError, ApiKey, HttpWire, Wire, WireError, WireHeader, WireRequest, checked_address,
};

use super::anthropic::Anthropic;
use super::api::{Api, Delivery};
use super::attempt::{Attempted, Attempting};
use super::bedrock::Bedrock;
use super::chat_completions::{ChatCompletions, TokensField};
use super::draft::{CallIds, Draft};
use super::error::ProviderError;
use super::gemini::Gemini;
use super::json::merge;
use super::responses::Responses;
use super::retry::Retries;
use super::{KeyError, ProviderKind, ProviderSettings, SessionKeys};

/// A model behind one of the APIs, ready to be asked. One serves any number of threads.
pub struct Provider {
    settings: ProviderSettings,
    api: Box<dyn Api>,
    wire: Arc<dyn Wire>,
    key: Option<ApiKey>,
    retries: Retries,
    host: String,
}

/// Why a provider cannot be asked at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The address is not one that can be asked.
    #[error("the provider's address is {0}")]
    Address(#[from] AddressError),
    /// There is no key, or none that can be used.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// Connections cannot be set up in the way the settings want.
    #[error(transparent)]
    Wire(#[from] WireError),
}

/// What one request is, over all its attempts.
struct RetriedRequest<'a> {
    request: WireRequest,
    /// How many of its headers are those of every try.
    headers: usize,
    delivery: Delivery,
    ids: CallIds,
    cancel: &'a CancelToken,
    asked_at: Instant,
    attempts: Vec<Attempt>,
}

impl Provider {
    /// A provider over the network, with the key from where the settings say it is.
    pub fn new(settings: ProviderSettings, variables: &Variables) -> Result<Self, SetupError> {
        let settings = settings.with_region(variables)?;
        let (key, _) = settings.take_key(&SessionKeys::default(), variables)?;
        let wire = HttpWire::new(settings.http())?;
        Self::over(Arc::new(wire), settings, key)
    }

    /// A provider over this wire and with this key, such as a [`super::ReplayWire`] and none.
    pub fn over(
        wire: Arc<dyn Wire>,
        settings: ProviderSettings,
        key: Option<ApiKey>,
    ) -> Result<Self, SetupError> {
        // Looked at now rather than when it is asked.
        let address = checked_address(&settings.address(), "")?;
        let host = address.split('/').nth(2).unwrap_or_default().to_owned();
        let api = api_of(&settings);
        let retries = Retries::new(&settings);
        Ok(Self { settings, api, wire, key, retries, host })
    }

    /// How it is asked.
    pub fn settings(&self) -> &ProviderSettings {
        &self.settings
    }

    fn wire_request(
        &self,
        request: &ChatRequest,
        delivery: Delivery,
    ) -> Result<WireRequest, ChatError> {
        let mut body = self.api.body(request, delivery);
        // Last, so that a user's own fields win over those of the API.
        merge(&mut body, &request.settings.extra);
        let body = serde_json::to_vec(&Value::Object(body))
            .map_err(|error| ChatError::Unsendable { why: error.to_string() })?;
        let path = self.api.path(&request.settings.model, delivery);
        let url = checked_address(&self.settings.address(), &path)
            .map_err(|error| ChatError::Unsendable { why: error.to_string() })?;
        let mut headers = vec![WireHeader::new("content-type", "application/json")];
        let accepted = match delivery {
            Delivery::Streamed => self.api.stream_type(),
            Delivery::Whole => "application/json",
        };
        headers.push(WireHeader::new("accept", accepted));
        headers.extend(self.api.headers(self.key.as_ref()));
        let own = self.settings.headers.iter();
        headers.extend(own.map(|(name, value)| WireHeader::new(name, value)));
        Ok(WireRequest { url, headers, body })
    }

    /// The draft of the first attempt that gives one.
    fn ask(
        &self,
        asking: &mut RetriedRequest<'_>,
        listener: &mut dyn ChatListener,
    ) -> Result<Draft, ChatError> {
        loop {
            // A run that is paused asks nothing, not even again.
            if asking.cancel.wait_while_paused().is_err() {
                return Err(self.lasting(ProviderError::Cancelled, asking));
            }
            asking.request.headers.truncate(asking.headers);
            let of_try =
                self.api.headers_of_try(&asking.request, self.key.as_ref(), Timestamp::now());
            asking.request.headers.extend(of_try);
            let attempting = Attempting {
                api: &*self.api,
                wire: &*self.wire,
                key: self.key.as_ref(),
                request: &asking.request,
                delivery: asking.delivery,
                ids: asking.ids,
                cancel: asking.cancel,
                asked_at: asking.asked_at,
            };
            // Written once and sent as often as it takes: every attempt is the same bytes, and only what
            // signs it has a time.
            let attempted = attempting.run(listener);
            let attempt = attempt_of(&attempted);
            // Before anything is made of it: what was paid for is recorded, whatever happens next.
            listener.exchange(&attempted.exchange, &attempt);
            asking.attempts.push(attempt);
            let cause = match attempted.outcome {
                Ok(draft) => return Ok(draft),
                Err(ProviderError::Passing(cause)) => cause,
                Err(error) => return Err(self.lasting(error, asking)),
            };
            self.wait(cause, attempted.asked_wait, asking, listener)?;
        }
    }

    /// Waits for the next attempt, if there is one.
    fn wait(
        &self,
        cause: RetryCause,
        asked: Option<Duration>,
        asking: &mut RetriedRequest<'_>,
        listener: &mut dyn ChatListener,
    ) -> Result<(), ChatError> {
        let failed = u32::try_from(asking.attempts.len()).unwrap_or(u32::MAX);
        // No wait means no further attempt: the last cause stands for all.
        let Some(wait) = self.retries.wait_after(failed, asked) else {
            let attempts = std::mem::take(&mut asking.attempts);
            return Err(ChatError::GaveUp { host: self.host.clone(), cause, attempts });
        };
        listener.waiting(&cause, wait.as_secs_f64());
        let began = Instant::now();
        let waited = self.wire.wait(wait, asking.cancel);
        if let Some(attempt) = asking.attempts.last_mut() {
            attempt.waited_secs = began.elapsed().as_secs_f64();
        }
        waited.map_err(|_stopped| ChatError::Cancelled {
            attempts: std::mem::take(&mut asking.attempts),
        })
    }

    fn lasting(&self, error: ProviderError, asking: &mut RetriedRequest<'_>) -> ChatError {
        let (host, attempts) = (self.host.clone(), std::mem::take(&mut asking.attempts));
        match error {
            ProviderError::Cancelled => ChatError::Cancelled { attempts },
            ProviderError::Rejected { status, message } => {
                let status = status.unwrap_or_default();
                ChatError::Rejected { host, status, message, attempts }
            }
            ProviderError::TooMuch(why) => ChatError::TooMuch { host, why, attempts },
            ProviderError::Unsendable(why) => ChatError::Unsendable { why },
            ProviderError::NotRecorded(why) => ChatError::NotRecorded { why },
            ProviderError::Passing(cause) => ChatError::GaveUp { host, cause, attempts },
        }
    }
}

impl ChatModel for Provider {
    fn answer(
        &self,
        request: &ChatRequest,
        listener: &mut dyn ChatListener,
        cancel: &CancelToken,
    ) -> Result<Answer, ChatError> {
        let delivery = if self.settings.stream { Delivery::Streamed } else { Delivery::Whole };
        // Encoding pictures takes the processor, of which runs have a share; waiting for the answer
        // does not.
        let wire_request = listener.cpu().run(|| self.wire_request(request, delivery))?;
        let mut asking = RetriedRequest {
            headers: wire_request.headers.len(),
            request: wire_request,
            delivery,
            ids: CallIds::new(request),
            cancel,
            asked_at: Instant::now(),
            attempts: Vec::new(),
        };
        let draft = self.ask(&mut asking, listener)?;
        let Draft { message, reasoning, stop, usage } = draft;
        Ok(Answer { message, reasoning, stop, usage, attempts: asking.attempts })
    }

    fn identity(&self) -> ModelIdentity {
        let provider = self.settings.kind.name().to_owned();
        ModelIdentity { provider, model: self.settings.model.clone() }
    }

    fn cost_usd(&self, usage: &TokenUsage) -> Option<f64> {
        self.settings.prices?.cost_usd(usage)
    }
}

impl std::fmt::Debug for Provider {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The settings' headers may hold what is secret.
        let mut fields = f.debug_struct("Provider");
        fields.field("kind", &self.settings.kind).field("model", &self.settings.model);
        fields.field("host", &self.host).field("key", &self.key).finish_non_exhaustive()
    }
}

fn api_of(settings: &ProviderSettings) -> Box<dyn Api> {
    match settings.kind {
        ProviderKind::Responses => Box::new(Responses),
        ProviderKind::ChatCompletions => {
            // The same API at its own maker's knows a newer name for the limit, and other servers
            // do not.
            let own = settings.address().contains("api.openai.com");
            let tokens_field =
                if own { TokensField::MaxCompletionTokens } else { TokensField::MaxTokens };
            Box::new(ChatCompletions { tokens_field })
        }
        ProviderKind::Anthropic => Box::new(Anthropic { cache_prompts: settings.cache_prompts }),
        ProviderKind::Gemini => Box::new(Gemini),
        ProviderKind::Bedrock => {
            let (region, cache_prompts) = (settings.region().to_owned(), settings.cache_prompts);
            Box::new(Bedrock { region, cache_prompts })
        }
    }
}

fn attempt_of(attempted: &Attempted) -> Attempt {
    let status = attempted.exchange.status;
    let failure = match &attempted.outcome {
        Ok(_) => None,
        Err(ProviderError::Passing(cause)) => Some(cause.clone()),
        Err(ProviderError::Rejected { status, message }) => {
            let status = status.unwrap_or_default();
            Some(RetryCause::Status { status, message: message.clone() })
        }
        // Recorded in the words of failures that may pass, which are the only ones that the format
        // has.
        Err(ProviderError::Cancelled) => Some(RetryCause::BrokenOff { why: "stopped".to_owned() }),
        Err(
            ProviderError::TooMuch(why)
            | ProviderError::Unsendable(why)
            | ProviderError::NotRecorded(why),
        ) => Some(RetryCause::Malformed { why: why.clone() }),
    };
    let milliseconds = attempted.exchange.milliseconds;
    Attempt { status, failure, milliseconds, waited_secs: 0.0, usage: attempted.usage }
}
