//! Asking a model within a turn of a run: what comes in is passed on, and what it cost is counted.

use crate::base::CancelToken;
use crate::run::{ProviderTotals, Usage};

use super::chat::{
    Answer, Attempt, ChatListener, ChatModel, ChatRequest, Exchange, RetryCause, StopReason,
};
use super::{AgentError, AgentLog, CpuPool, Growth};

/// A model that is asked within a turn, any number of times.
pub(super) struct Asking<'a> {
    model: &'a dyn ChatModel,
    log: &'a mut dyn AgentLog,
    cancel: &'a CancelToken,
}

impl<'a> Asking<'a> {
    /// Nothing was asked in this turn yet.
    pub(super) fn new(
        model: &'a dyn ChatModel,
        log: &'a mut dyn AgentLog,
        cancel: &'a CancelToken,
    ) -> Self {
        Self { model, log, cancel }
    }

    /// Asks, notes what is odd about the answer, and counts what it and the attempts at it cost. What
    /// was paid for before an attempt failed is counted too.
    pub(super) fn ask(&mut self, request: &ChatRequest) -> Result<Answer, AgentError> {
        // Nothing is asked of a run that was stopped while the last answer was read.
        self.cancel.check()?;
        self.log.growing(&Growth::Asked);
        let provider = self.model.identity().provider;
        let mut listener = LogListener {
            model: self.model,
            provider: &provider,
            log: &mut *self.log,
            attempts: 0,
        };
        // What failed attempts cost is counted as they end, by the listener: an error carries nothing.
        let answer = self.model.answer(request, &mut listener, self.cancel)?;
        self.log.count(&provider, &counts_of(&answer));
        self.note_what_is_odd(&answer);
        Ok(answer)
    }

    /// Notes something worth knowing about the turn.
    pub(super) fn note(&mut self, text: String) {
        self.log.note(text);
    }

    fn note_what_is_odd(&mut self, answer: &Answer) {
        let calls = answer.message.calls.iter();
        let unreadable: Vec<String> = calls
            .filter_map(|call| Some(format!("{}: {}", call.name, call.arguments.as_ref().err()?)))
            .collect();
        if !unreadable.is_empty() {
            self.note(unreadable.join("; "));
        }
        match &answer.stop {
            StopReason::Length if !answer.message.calls.is_empty() => self.note(
                "cut off at the limit of tokens; the calls that are whole are made".to_owned(),
            ),
            StopReason::Other(why) => {
                self.note(format!("the answer ended for an unknown reason: {why}"));
            }
            _ => {}
        }
    }
}

/// What an answer adds to the totals of its provider; its attempts were counted one by one.
fn counts_of(answer: &Answer) -> ProviderTotals {
    let calls = answer.message.calls.iter().filter(|call| call.arguments.is_err()).count();
    // One that its provider could not read never becomes a call, and is counted by how it stopped.
    let by_provider = matches!(answer.stop, StopReason::MalformedCall(_));
    ProviderTotals {
        answers: 1,
        refusals: matches!(answer.stop, StopReason::Refused(_) | StopReason::Filtered(_)).into(),
        malformed_calls: u32::try_from(calls)
            .unwrap_or(u32::MAX)
            .saturating_add(by_provider.into()),
        length_stops: (answer.stop == StopReason::Length).into(),
        ..ProviderTotals::default()
    }
}

/// Hears a model for a run's log.
struct LogListener<'a> {
    model: &'a dyn ChatModel,
    provider: &'a str,
    log: &'a mut dyn AgentLog,
    /// How many attempts at this answer are over.
    attempts: u32,
}

impl ChatListener for LogListener<'_> {
    fn cpu(&self) -> CpuPool {
        self.log.cpu()
    }

    fn text(&mut self, delta: &str) {
        self.log.growing(&Growth::Text(delta));
    }

    fn reasoning(&mut self, delta: &str) {
        self.log.growing(&Growth::Reasoning(delta));
    }

    fn call(&mut self, name: &str, arguments: &str) {
        self.log.growing(&Growth::Call { name, arguments });
    }

    fn exchange(&mut self, exchange: &Exchange, attempt: &Attempt) {
        // On disk first: what is counted can then be counted again.
        self.log.exchange(exchange);
        let usage = attempt.usage.map(|spent| Usage {
            input_tokens: spent.input,
            output_tokens: spent.output,
            cost_usd: self.model.cost_usd(&spent),
        });
        let is_malformed = matches!(attempt.failure, Some(RetryCause::Malformed { .. }));
        let counts = ProviderTotals {
            attempts: 1,
            // All attempts but the first at this answer.
            retries: u32::from(self.attempts > 0),
            malformed_answers: is_malformed.into(),
            usage: usage.unwrap_or_default(),
            ..ProviderTotals::default()
        };
        self.attempts += 1;
        self.log.count(self.provider, &counts);
    }

    fn waiting(&mut self, why: &RetryCause, secs: f64) {
        let why = why.to_string();
        self.log.growing(&Growth::Waiting { why: &why, secs });
        self.log.note(format!("{why}; asked again after {secs:.1} s"));
    }
}
