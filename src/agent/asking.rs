//! Asking a model within a turn of a run: what comes in is passed on, and what it cost is summed.

use crate::base::CancelToken;
use crate::run::Usage;

use super::chat::{
    Answer, CallRequest, ChatListener, ChatModel, ChatRequest, Exchange, RetryCause, StopReason,
    TokenUsage,
};
use super::{AgentError, AgentLog, Growth};

/// A model that is asked within a turn, any number of times.
pub(super) struct Asking<'a> {
    model: &'a dyn ChatModel,
    log: &'a mut dyn AgentLog,
    cancel: &'a CancelToken,
    usage: Option<Usage>,
}

impl<'a> Asking<'a> {
    /// Nothing was asked in this turn yet.
    pub(super) fn new(
        model: &'a dyn ChatModel,
        log: &'a mut dyn AgentLog,
        cancel: &'a CancelToken,
    ) -> Self {
        Self { model, log, cancel, usage: None }
    }

    /// Asks, notes what is odd about the answer, and counts what it and the attempts at it cost.
    pub(super) fn ask(&mut self, request: &ChatRequest) -> Result<Answer, AgentError> {
        self.cancel.check()?;
        self.log.growing(&Growth::Asked);
        let mut listener = LogListener { log: &mut *self.log };
        let answer = self.model.answer(request, &mut listener, self.cancel)?;
        self.note_what_is_odd(&answer);
        for spent in tokens_of(&answer) {
            self.usage.get_or_insert_default().add(&Usage {
                input_tokens: spent.input,
                output_tokens: spent.output,
                cost_usd: self.model.cost_usd(spent),
            });
        }
        Ok(answer)
    }

    /// Notes something worth knowing about the turn.
    pub(super) fn note(&mut self, text: String) {
        self.log.note(text);
    }

    /// What all answers cost, if any provider told.
    pub(super) fn usage(&self) -> Option<Usage> {
        self.usage
    }

    fn note_what_is_odd(&mut self, answer: &Answer) {
        if let Some(problems) = unreadable(&answer.message.calls) {
            self.note(problems);
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

/// The tokens of an answer, and of the attempts at it that were paid for.
fn tokens_of(answer: &Answer) -> impl Iterator<Item = &TokenUsage> {
    let attempts = answer.attempts.iter().filter(|attempt| attempt.failure.is_some());
    attempts.filter_map(|attempt| attempt.usage.as_ref()).chain(answer.usage.as_ref())
}

/// The arguments of the calls that could not be read, and why.
fn unreadable(calls: &[CallRequest]) -> Option<String> {
    let problem = |call: &CallRequest| {
        call.arguments.as_ref().err().map(|why| format!("{}: {why}", call.name))
    };
    let problems: Vec<String> = calls.iter().filter_map(problem).collect();
    (!problems.is_empty()).then(|| problems.join("; "))
}

/// Hears a model for a run's log.
struct LogListener<'a> {
    log: &'a mut dyn AgentLog,
}

impl ChatListener for LogListener<'_> {
    fn text(&mut self, delta: &str) {
        self.log.growing(&Growth::Text(delta));
    }

    fn reasoning(&mut self, delta: &str) {
        self.log.growing(&Growth::Reasoning(delta));
    }

    fn call(&mut self, name: &str, arguments: &str) {
        self.log.growing(&Growth::Call { name, arguments });
    }

    fn exchange(&mut self, exchange: &Exchange) {
        self.log.exchange(exchange);
    }

    fn waiting(&mut self, why: &RetryCause, secs: f64) {
        let why = why.to_string();
        self.log.growing(&Growth::Waiting { why: &why, secs });
        self.log.note(format!("{why}; asked again after {secs:.1} s"));
    }
}
