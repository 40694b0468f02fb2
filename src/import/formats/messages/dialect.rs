//! How an API writes messages, and a run of its log while these are taken in.

use serde_json::Value;

use crate::import::conversation::{Answer, Conversation};
use crate::import::error::ImportError;
use crate::import::picture_data;
use crate::import::sink::RunWriter;
use crate::run::ImageRef;

use super::stream::StreamShape;

/// How an API writes messages.
pub(super) struct Dialect {
    /// The id of the set that its runs belong to.
    pub(super) set: &'static str,
    /// The names under which a list of messages stands.
    pub(super) lists: &'static [&'static str],
    /// Whether an object is a message by itself.
    pub(super) is_message: fn(&Value) -> bool,
    /// Takes a message.
    pub(super) take: fn(&Value, &mut Chat<'_>) -> Result<(), ImportError>,
    /// The messages in an answer of the API, each as it would stand in the list of the next request; `None`
    /// if it is none.
    pub(super) answer: fn(&Value) -> Option<Vec<Value>>,
    /// Whether a message is the model's own.
    pub(super) is_of_model: fn(&Value) -> bool,
    /// In which events its answers come.
    pub(super) streams: &'static [StreamShape],
}

/// How a message stands in a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// In a list or an exchange.
    Listed,
    /// On a line of a transcript, which may give each block of an answer a line.
    Line,
}

/// A run of a log while it is read.
pub(super) struct Chat<'a> {
    pub(super) conversation: &'a mut Conversation,
    pub(super) writer: &'a mut RunWriter,
    /// An answer of which more items may follow.
    pub(super) pending: &'a mut Option<Answer>,
    /// Why the last answer ended, in the API's word.
    pub(super) stop: &'a mut Option<String>,
    pub(super) standing: Standing,
    /// When it was said, if the log has that beside the message; RFC 3339, UTC, or empty.
    pub(super) at: &'a str,
    pub(super) place: &'a str,
}

impl Chat<'_> {
    /// Keeps a picture that stands in the log as a data URI.
    pub(super) fn picture_of_uri(&mut self, uri: &str) -> Result<Option<ImageRef>, ImportError> {
        self.picture(picture_data::from_data_uri(uri))
    }

    /// Keeps a picture that stands in the log as base64.
    pub(super) fn picture_of_base64(
        &mut self,
        data: &str,
    ) -> Result<Option<ImageRef>, ImportError> {
        self.picture(picture_data::from_base64(data))
    }

    fn picture(&mut self, bytes: Result<Vec<u8>, String>) -> Result<Option<ImageRef>, ImportError> {
        match bytes {
            Ok(bytes) => self.writer.picture(&bytes, self.place),
            Err(why) => {
                self.writer.warn(format!("{why}: {}", self.place));
                Ok(None)
            }
        }
    }

    /// Gives the answer on whose items are all there.
    pub(super) fn end_answer(&mut self) -> Result<(), ImportError> {
        match self.pending.take() {
            Some(answer) => self.conversation.answer(self.writer, answer),
            None => Ok(()),
        }
    }

    /// Says how many answers to the same question are not taken in, if there are any: a conversation can only have
    /// gone on from one.
    pub(super) fn leave_out_others(&mut self, count: &Value) {
        let Some(count) = count.as_u64().filter(|count| *count > 0) else { return };
        let others =
            if count == 1 { "1 more answer".to_owned() } else { format!("{count} more answers") };
        let place = self.place;
        self.writer
            .warn(format!("{others} to the same question left out, the first is taken: {place}"));
    }

    /// Something was said to the model.
    pub(super) fn told(&mut self, said: &str, image: Option<ImageRef>) -> Result<(), ImportError> {
        self.end_answer()?;
        self.conversation.shown(self.writer, image);
        self.conversation.told(self.writer, said)
    }
}
