//! Keeps what an agent tells while it answers.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::run::Event;
use crate::run::recorder::{RecordError, Recorder};

use super::chat::Exchange;
use super::hands::by_hand;
use super::runner::Observer;
use super::{AgentLog, Growth};

/// A line of a run's `exchanges.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedExchange {
    /// In which turn, from 1.
    pub turn: u32,
    /// What went over the wire; pictures in it stand in the run's `images/`.
    #[serde(flatten)]
    pub exchange: Exchange,
}

/// The log of one turn of a recorded run.
pub(super) struct TurnLog<'a> {
    pub(super) turn: u32,
    pub(super) recorder: &'a mut Recorder,
    pub(super) observer: &'a mut dyn Observer,
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
        let line = RecordedExchange { turn: self.turn, exchange };
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
        let kept = by_hand(|| self.keep(exchange));
        self.note_failure(kept);
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
