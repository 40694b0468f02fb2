//! A run of a message log of which more may follow.

use crate::import::conversation::{Answer, Conversation};
use crate::import::sink::RunWriter;
use crate::run::Outcome;

use super::seen_request::{Asked, SeenRequest};

/// A run of which more may follow.
pub(super) struct OpenRun {
    /// Its number among those of the log, in the order that they began.
    pub(super) number: usize,
    pub(super) writer: RunWriter,
    pub(super) conversation: Conversation,
    pub(super) pending: Option<Answer>,
    pub(super) stop: Option<String>,
    /// Why a request of a batch has no answer, in the words of the API.
    pub(super) failure: Option<String>,
    /// The request that was read last.
    pub(super) request: Option<SeenRequest>,
    /// What the model said in each message that was read after that request: they are in the next one.
    pub(super) answers: Vec<Option<blake3::Hash>>,
    /// The model that was asked last.
    pub(super) asked_model: Option<String>,
    /// The model that answered last, by its own name.
    pub(super) answered_by: Option<String>,
    /// The id of the last answer, by which a request may name it instead of repeating what came before.
    pub(super) answer_id: Option<String>,
    /// When the last message was said; empty where the log does not say it.
    pub(super) last_at: String,
}

impl OpenRun {
    /// Whether there is no answer in it yet.
    pub(super) fn is_empty(&self) -> bool {
        self.pending.is_none() && self.conversation.is_empty() && self.writer.is_empty()
    }

    /// Whether a request asks another model than was asked before. Providers answer by longer names than they are
    /// asked by, so that only names of one kind are compared.
    pub(super) fn is_of_other_model(&self, asked: &Asked<'_>) -> bool {
        match (&self.asked_model, &asked.model) {
            (Some(before), Some(now)) => before != now,
            _ => match (&self.answered_by, asked.answered_by) {
                (Some(before), Some(now)) => before != now,
                _ => false,
            },
        }
    }
}

/// How a run ended whose last answer ended so.
pub(super) fn outcome_of(stop: String, ended: bool) -> Option<(Outcome, String)> {
    match stop.to_ascii_lowercase().as_str() {
        "end_turn" | "stop" | "stop_sequence" | "completed" if ended => {
            Some((Outcome::Completed, stop))
        }
        "max_tokens" | "length" | "max_output_tokens" | "model_context_window_exceeded" => {
            Some((Outcome::LimitReached(stop.clone()), stop))
        }
        "refusal" | "content_filter" | "safety" | "recitation" | "failed" => {
            Some((Outcome::Failed(stop.clone()), stop))
        }
        // It wanted to go on, and the log does not say why it did not.
        _ => None,
    }
}
