//! Passes on what comes in while an answer grows.

use super::super::chat::{ChatListener, Exchange, RetryCause};
use super::super::{AgentLog, Growth};

/// Hears a model for a run's log.
pub(super) struct LogListener<'a> {
    pub(super) log: &'a mut dyn AgentLog,
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
