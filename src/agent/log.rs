//! What an agent tells while it answers.

use serde_json::Value;

use crate::run::ProviderTotals;

use super::chat::Exchange;

/// What an agent tells while it answers, before its turn is recorded.
pub trait AgentLog {
    /// Something went over the wire. It is on disk when this returns.
    fn exchange(&mut self, exchange: &Exchange);

    /// What a provider of models was asked, and what it cost: added to the run's totals, and its usage
    /// to the turn's, whatever becomes of the turn.
    fn count(&mut self, provider: &str, counts: &ProviderTotals);

    /// Something worth knowing about this turn, kept with the run.
    fn note(&mut self, text: String);

    /// The plan as far as it was made: the run keeps the last one it is told.
    fn plan(&mut self, plan: &Value);

    /// The answer grows. Shown while it does, kept only once it is whole.
    fn growing(&mut self, growth: &Growth<'_>);
}

/// A piece of an answer as it comes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Growth<'a> {
    /// The agent is asked; nothing has come yet, or what came is void and it is asked again.
    Asked,
    /// More of what it says.
    Text(&'a str),
    /// More of how it reasons, if its provider shows that.
    Reasoning(&'a str),
    /// More of a call: the tool's name as far as known, and more of the arguments' text.
    Call {
        /// The tool.
        name: &'a str,
        /// More of its arguments as JSON text.
        arguments: &'a str,
    },
    /// It will be asked again in a while.
    Waiting {
        /// Why.
        why: &'a str,
        /// In how many seconds.
        secs: f64,
    },
}

/// Hears nothing, keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLog;

impl AgentLog for NoLog {
    fn exchange(&mut self, _exchange: &Exchange) {}
    fn count(&mut self, _provider: &str, _counts: &ProviderTotals) {}
    fn note(&mut self, _text: String) {}
    fn plan(&mut self, _plan: &Value) {}
    fn growing(&mut self, _growth: &Growth<'_>) {}
}
