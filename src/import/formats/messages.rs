//! Message logs: what the APIs of models are sent and answer, as JSON or JSON Lines, in all the ways in which
//! people keep it: a list of messages, a request that holds them, exchanges of which each repeats what came
//! before, answers alone, a message or a conversation a line.
//!
//! Each API says by a [`Dialect`] where its messages stand and what is in one.

use serde_json::Value;

use crate::import::conversation::{Answer, Conversation};
use crate::import::error::ImportError;
use crate::import::json::{Lines, text};
use crate::import::outline::JsonHead;
use crate::import::picture_data;
use crate::import::sink::{RunEnd, RunHead, RunWriter, Sink};
use crate::import::source::Source;
use crate::run::{ImageRef, Outcome, TaskRef};

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
}

/// A run of a log while it is read.
pub(super) struct Chat<'a> {
    pub(super) conversation: &'a mut Conversation,
    pub(super) writer: &'a mut RunWriter,
    /// An answer of which more items may follow.
    pub(super) pending: &'a mut Option<Answer>,
    /// Why the last answer ended, in the API's word.
    pub(super) stop: &'a mut Option<String>,
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

    /// Something was said to the model.
    pub(super) fn told(&mut self, said: &str, image: Option<ImageRef>) -> Result<(), ImportError> {
        self.end_answer()?;
        self.conversation.shown(self.writer, image);
        self.conversation.told(self.writer, said)
    }
}

/// Whether what a file begins with may be a log of messages at all.
pub(super) fn may_be_log(outline: &JsonHead, dialect: &Dialect) -> bool {
    let is_message = outline.has("role") || outline.has("message");
    let is_exchange = outline.has("request") && outline.has("response");
    let has_list = dialect.lists.iter().any(|name| outline.has(name));
    let is_answer = outline.has("choices") || outline.has("output") || outline.has("candidates");
    let items = ["message", "function_call", "computer_call", "reasoning", "user", "assistant"];
    let is_item = outline.text("type").is_some_and(|kind| items.contains(&kind));
    // Records of other formats that hold answers, too.
    let is_other = ["step_num", "traj", "eval", "resourceSpans", "traceId", "spanId", "payload"];
    (is_message || is_exchange || has_list || is_answer || is_item)
        && !is_other.iter().any(|name| outline.has(name))
}

/// Imports a log.
pub(super) fn import(
    source: &Source,
    sink: &mut Sink<'_>,
    dialect: &'static Dialect,
) -> Result<(), ImportError> {
    let path = source.path.display().to_string();
    let mut feed = Feed { dialect, stem: source.stem(), open: None, runs: 0 };
    // A file of lines may be larger than memory and is read line by line; a whole JSON must be parsed at once.
    if source.outline().is_some_and(|outline| outline.is_lines) {
        let mut lines = Lines::open(&source.path)?;
        while let Some((number, line)) = lines.next() {
            let place = format!("{path}:{number}");
            sink.doing(place.clone())?;
            match line {
                Ok(unit) => feed.take(&unit, &place, sink)?,
                // A torn line, as at the end of a log still written, costs that line alone.
                Err(why) => feed.warn(&place, &why, sink),
            }
        }
        return feed.finish(sink);
    }
    let whole = crate::import::json::read(&source.path)?;
    match &whole {
        Value::Array(units) => {
            for (number, unit) in (1..).zip(units) {
                feed.take(unit, &format!("{path}#{number}"), sink)?;
            }
        }
        unit => feed.take(unit, &path, sink)?,
    }
    feed.finish(sink)
}

/// The parts of a log, one after the other.
struct Feed {
    dialect: &'static Dialect,
    stem: String,
    open: Option<OpenRun>,
    runs: usize,
}

/// A run of which more may follow.
struct OpenRun {
    writer: RunWriter,
    conversation: Conversation,
    pending: Option<Answer>,
    stop: Option<String>,
    /// Messages of the request that was read last, and the hash of its last one: by them a request is known
    /// that goes on from it.
    request: Option<(usize, blake3::Hash)>,
    /// Messages that were read after that request: they are in the next one.
    after: usize,
}

impl Feed {
    fn take(&mut self, unit: &Value, place: &str, sink: &mut Sink<'_>) -> Result<(), ImportError> {
        // A line of a transcript may wrap its message, with a time.
        if let Some(message) = unit.get("message").filter(|it| (self.dialect.is_message)(it)) {
            return self.message(message, place, sink);
        }
        if let (Some(request), Some(response)) = (unit.get("request"), unit.get("response")) {
            // Bodies may be kept as texts.
            let request = body(request);
            let response = body(response);
            if let Some(list) = self.list_of(&request) {
                self.request(list, place, sink)?;
            }
            return self.response(&response, place, sink);
        }
        if let Some(list) = self.list_of(unit) {
            self.request(list, place, sink)?;
            // A log may hold the last answer beside the messages that it answers.
            let response = unit.get("response").unwrap_or(unit);
            if (self.dialect.answer)(response).is_some() {
                self.response(response, place, sink)?;
            }
            return Ok(());
        }
        if (self.dialect.is_message)(unit) {
            return self.message(unit, place, sink);
        }
        if (self.dialect.answer)(unit).is_some() {
            return self.response(unit, place, sink);
        }
        self.warn(place, "it is neither a message nor an exchange", sink);
        Ok(())
    }

    fn list_of<'v>(&self, unit: &'v Value) -> Option<&'v [Value]> {
        let list = self.dialect.lists.iter().find_map(|name| unit.get(*name)?.as_array())?;
        Some(list.as_slice())
    }

    /// A request: what it has more than the one before, or another conversation.
    fn request(
        &mut self,
        list: &[Value],
        place: &str,
        sink: &mut Sink<'_>,
    ) -> Result<(), ImportError> {
        // A request repeats the whole conversation. It goes on from the one before if the message where that
        // ended is still there, unchanged.
        let goes_on = self.open.as_ref().is_some_and(|open| {
            open.request.is_some_and(|(count, hash)| {
                list.get(count.wrapping_sub(1)).is_some_and(|last| hash_of(last) == hash)
            })
        });
        let mut read = 0;
        if goes_on {
            // What was read since then, answers above all, stands in this list once more.
            read = self
                .open
                .as_ref()
                .map_or(0, |open| open.request.map_or(0, |(count, _)| count) + open.after);
        } else {
            self.close(sink)?;
        }
        for message in list.iter().skip(read) {
            self.message(message, place, sink)?;
        }
        if let (Some(open), Some(last)) = (&mut self.open, list.last()) {
            open.request = Some((list.len(), hash_of(last)));
            open.after = 0;
        }
        Ok(())
    }

    fn response(
        &mut self,
        response: &Value,
        place: &str,
        sink: &mut Sink<'_>,
    ) -> Result<(), ImportError> {
        let Some(messages) = (self.dialect.answer)(response) else {
            let error = response.get("error").map(crate::import::json::words);
            let why = error.unwrap_or_else(|| "an answer that holds no message".to_owned());
            self.warn(place, &why, sink);
            return Ok(());
        };
        for message in &messages {
            self.message(message, place, sink)?;
        }
        if let Some(open) = &mut self.open {
            open.after += messages.len();
        }
        Ok(())
    }

    fn message(
        &mut self,
        message: &Value,
        place: &str,
        sink: &mut Sink<'_>,
    ) -> Result<(), ImportError> {
        let dialect = self.dialect;
        let open = self.opened(place, sink)?;
        let mut chat = Chat {
            conversation: &mut open.conversation,
            writer: &mut open.writer,
            pending: &mut open.pending,
            stop: &mut open.stop,
            place,
        };
        (dialect.take)(message, &mut chat)
    }

    fn opened(&mut self, place: &str, sink: &mut Sink<'_>) -> Result<&mut OpenRun, ImportError> {
        if self.open.is_none() {
            self.runs += 1;
            let id = match self.runs {
                1 => self.stem.clone(),
                number => format!("{}-{number}", self.stem),
            };
            let mut head = RunHead::new("", "", place);
            head.task = TaskRef { set: self.dialect.set.to_owned(), id };
            self.open = Some(OpenRun {
                writer: sink.begin(head)?,
                conversation: Conversation::default(),
                pending: None,
                stop: None,
                request: None,
                after: 0,
            });
        }
        self.open.as_mut().ok_or_else(|| ImportError::content("no run is open", place))
    }

    /// Something that could not be read: of the run that is open, or left out.
    fn warn(&mut self, place: &str, why: &str, sink: &mut Sink<'_>) {
        match &mut self.open {
            Some(open) => open.writer.warn(format!("{why}: {place}")),
            None => sink.report.skip(place, why),
        }
    }

    fn close(&mut self, sink: &mut Sink<'_>) -> Result<(), ImportError> {
        let Some(mut open) = self.open.take() else { return Ok(()) };
        if let Some(answer) = open.pending.take() {
            open.conversation.answer(&mut open.writer, answer)?;
        }
        let ended = open.conversation.ends_without_call();
        open.conversation.end_turn(&mut open.writer)?;
        if open.writer.is_empty() {
            // A conversation without an answer is no run, and takes no number.
            self.runs -= 1;
            return Ok(());
        }
        let outcome = open.stop.and_then(|stop| outcome_of(stop, ended));
        sink.finish(open.writer, RunEnd { outcome, ..RunEnd::default() })
    }

    fn finish(mut self, sink: &mut Sink<'_>) -> Result<(), ImportError> {
        self.close(sink)
    }
}

/// How a run ended whose last answer ended so.
fn outcome_of(stop: String, ended: bool) -> Option<(Outcome, String)> {
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

/// A body, also where it is kept as a text.
fn body(value: &Value) -> Value {
    let inner = ["body", "json", "data"].iter().find_map(|name| value.get(*name));
    match inner.unwrap_or(value) {
        Value::String(text) => {
            crate::import::json::parse(text.as_bytes()).unwrap_or_else(|_| value.clone())
        }
        other => other.clone(),
    }
}

/// A hash of a message. Marks for the provider's cache move from request to request and do not count.
fn hash_of(message: &Value) -> blake3::Hash {
    let mut message = message.clone();
    let blocks = message.get_mut("content").and_then(Value::as_array_mut);
    for block in blocks.into_iter().flatten() {
        if let Some(fields) = block.as_object_mut() {
            fields.shift_remove("cache_control");
        }
    }
    blake3::hash(message.to_string().as_bytes())
}

/// Whether an object has a role and something said.
pub(super) fn has_role(value: &Value, content: &str) -> bool {
    text(value, "role").is_some() && value.get(content).is_some()
}
