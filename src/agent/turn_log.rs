//! Keeps what an agent tells while it answers.

use serde_json::Value;

use crate::run::recorder::{RecordError, Recorder};
use crate::run::{Event, ProviderTotals, Usage};

use super::chat::{Exchange, ExchangeEnd, RecordedExchange};
use super::cpu_pool::run_on_pool;
use super::observer::Observer;
use super::{AgentLog, Growth};

/// How much is kept of an answer that is larger than a line of a record may be, in bytes.
const KEPT_OF_TOO_LARGE: usize = 1 << 20;

/// The log of one turn of a recorded run.
pub(super) struct TurnLog<'a> {
    pub(super) turn: u32,
    pub(super) recorder: &'a mut Recorder,
    pub(super) observer: &'a mut dyn Observer,
    /// What the models that were asked in this turn cost so far, if any provider told.
    pub(super) usage: Option<Usage>,
    /// Why something could not be kept; the first of it. Then the answer must not be acted on.
    pub(super) failed: Option<RecordError>,
}

impl TurnLog<'_> {
    fn keep(&mut self, exchange: &Exchange) -> Result<(), RecordError> {
        let (request, mut pictures) = exchange.request.without_pictures();
        let (answer, more) = exchange.answer.without_pictures();
        pictures.extend(more);
        let pictures: Vec<(String, Vec<u8>)> =
            pictures.into_iter().map(|picture| (picture.file, picture.png)).collect();
        let exchange = Exchange { request, answer, ..exchange.clone() };
        let mut line = RecordedExchange { turn: self.turn, exchange };
        match self.recorder.keep_exchange(&line, &pictures) {
            Err(RecordError::TooLarge { .. }) => {}
            kept => return kept,
        }
        // What was asked and how it ended is kept of it all the same.
        let bytes = line.exchange.answer.shorten(KEPT_OF_TOO_LARGE);
        line.exchange.end = ExchangeEnd::Abandoned;
        self.note(format!(
            "the answer is too large to be kept: of its {bytes} bytes the record holds the first \
             {KEPT_OF_TOO_LARGE}"
        ));
        self.recorder.keep_exchange(&line, &pictures)
    }

    fn record(&mut self, event: Event) -> Result<(), RecordError> {
        let event = self.recorder.record(event)?;
        self.observer.recorded(self.recorder.manifest(), &event);
        Ok(())
    }

    fn note_failure(&mut self, done: Result<(), RecordError>) {
        if let Err(error) = done {
            self.failed.get_or_insert(error);
        }
    }
}

impl AgentLog for TurnLog<'_> {
    fn exchange(&mut self, exchange: &Exchange) {
        let kept = run_on_pool(|| self.keep(exchange));
        self.note_failure(kept);
    }

    fn count(&mut self, provider: &str, counts: &ProviderTotals) {
        self.recorder.count_provider(provider, counts);
        if counts.usage != Usage::default() {
            self.usage.get_or_insert_default().add(&counts.usage);
        }
    }

    fn note(&mut self, text: String) {
        let text = format!("Turn {}: {text}", self.turn);
        let recorded = self.record(Event::Note { text });
        self.note_failure(recorded);
    }

    fn plan(&mut self, plan: &Value) {
        let kept = self.recorder.keep_plan(plan);
        self.note_failure(kept);
    }

    fn growing(&mut self, growth: &Growth<'_>) {
        self.observer.growing(self.turn, growth);
    }
}
