//! Who answers, and who listens.

use crate::agent::cpu_pool::CpuPool;
use crate::base::CancelToken;

use super::{Answer, Attempt, ChatError, ChatRequest, Exchange, RetryCause, TokenUsage};

/// A model that can be talked to. One may serve many conversations at once.
pub trait ChatModel: Send + Sync {
    /// Answers, after as many attempts as it takes and the settings allow.
    ///
    /// Blocks; a raised token is seen within 50 ms, and the connection is closed. Every attempt
    /// is given to [`ChatListener::exchange`], whatever comes of it.
    fn answer(
        &self,
        request: &ChatRequest,
        listener: &mut dyn ChatListener,
        cancel: &CancelToken,
    ) -> Result<Answer, ChatError>;

    /// Who this is.
    fn identity(&self) -> ModelIdentity;

    /// What these tokens cost, in US dollars; `None` where no price is known.
    fn cost_usd(&self, usage: &TokenUsage) -> Option<f64>;
}

/// Who a model is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ModelIdentity {
    /// Whose API it speaks, such as `anthropic`.
    pub provider: String,
    /// The model's name, as its provider knows it.
    pub model: String,
}

/// Hears an answer grow. Must not wait for anything: the answer waits for it.
///
/// Each method but [`Self::exchange`] does nothing unless written otherwise.
pub trait ChatListener {
    /// More of the answer's words.
    fn text(&mut self, delta: &str) {
        let _ = delta;
    }

    /// More of its reasoning, as far as it can be seen.
    fn reasoning(&mut self, delta: &str) {
        let _ = delta;
    }

    /// A call, as soon as its arguments are whole. The answer's own calls are what counts.
    fn call(&mut self, name: &str, arguments: &str) {
        let _ = (name, arguments);
    }

    /// Threads for what takes a processor and not only time.
    fn cpu(&self) -> CpuPool {
        CpuPool::default()
    }

    /// An attempt is over: what went over the wire, and what came of it.
    fn exchange(&mut self, exchange: &Exchange, attempt: &Attempt);

    /// An attempt failed, and the next comes after this wait. What was heard of the answer so far is
    /// void: it begins anew.
    fn waiting(&mut self, why: &RetryCause, secs: f64) {
        let _ = (why, secs);
    }
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoListener;

impl ChatListener for NoListener {
    fn exchange(&mut self, _exchange: &Exchange, _attempt: &Attempt) {}
}
