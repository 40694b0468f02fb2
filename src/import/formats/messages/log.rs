//! The parts of a message log, one after the other: whatever repeats what came before is one run with it, also where
//! several conversations take turns.
//!
//! Each API says by a [`Dialect`] where its messages stand and what is in one.

use std::borrow::Cow;
use std::path::Path;

use serde_json::{Value, json};

use crate::import::conversation::Conversation;
use crate::import::error::ImportError;
use crate::import::json::{self, moment_of, text, words};
use crate::import::outline::JsonHead;
use crate::import::picture_data;
use crate::import::report::cut_name;
use crate::import::sink::{RunEnd, RunHead, Sink};
use crate::import::source::Source;
use crate::run::Outcome;

use super::batch::{BatchEntry, Requests};
use super::dialect::{Chat, Dialect, Standing};
use super::open_run::{OpenRun, outcome_of};
use super::seen_request::{Asked, Listed, SeenRequest, model_asked, said_in};
use super::stream::{Joined, Streams, answers_in, pieces_in};

/// Most conversations of which more may follow, beside the one that is read. Each holds two files open, of which macOS
/// gives a program 256 and Linux 1024.
const MOST_WAITING: usize = if cfg!(target_os = "macos") { 64 } else { 256 };

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

/// Whether it is what a browser or a proxy captured (HTTP Archive), with an address that holds one of these.
pub(super) fn is_capture(source: &Source, outline: &JsonHead, addresses: &[&str]) -> bool {
    outline.has("log")
        && source.mentions("\"postData\"")
        && addresses.iter().any(|address| source.mentions(address))
}

/// Imports a log.
pub(super) fn import(
    source: &Source,
    sink: &mut Sink<'_>,
    dialect: &'static Dialect,
) -> Result<(), ImportError> {
    let mut feed = Feed {
        dialect,
        path: &source.path,
        stem: source.stem(),
        named: None,
        requests: None,
        has_requests: false,
        open: None,
        waiting: Vec::new(),
        streams: Streams::default(),
        runs: 0,
        before: sink.report.runs.len(),
        ended: Vec::new(),
        at: String::new(),
        is_aside: None,
        asides: 0,
    };
    json::each(source, sink, |unit, place, sink| match unit {
        Ok(unit) => feed.take(unit, place, sink),
        // A torn line, as at the end of a log still written, costs that line alone.
        Err(why) => {
            feed.warn(place, &why, sink);
            Ok(())
        }
    })?;
    feed.finish(sink)
}

/// The parts of a log, one after the other.
struct Feed<'a> {
    dialect: &'static Dialect,
    path: &'a Path,
    stem: String,
    /// How the run is called that begins next, where the log says it.
    named: Option<String>,
    /// What was asked in a batch, once the first result of it was read.
    requests: Option<Requests>,
    /// Whether it holds requests of a batch itself.
    has_requests: bool,
    /// The run that is read.
    open: Option<OpenRun>,
    /// Others that a request may go on with, the one that was read last at the end. Each has an answer.
    waiting: Vec<OpenRun>,
    /// Answers of which more events may follow.
    streams: Streams,
    runs: usize,
    /// How many runs were in the report before this log.
    before: usize,
    /// The numbers of its runs that are in the report, in that order.
    ended: Vec<usize>,
    /// When the part that is read was said; empty where it does not say it.
    at: String,
    /// Whether what is read was said among agents that the first one asked, which some transcripts have on lines
    /// between its own.
    is_aside: Option<bool>,
    /// How many such lines were left out.
    asides: usize,
}

impl Feed<'_> {
    fn take(&mut self, unit: &Value, place: &str, sink: &mut Sink<'_>) -> Result<(), ImportError> {
        if let Some(entries) = unit["log"]["entries"].as_array() {
            return (1..).zip(entries).try_for_each(|(number, entry)| {
                let place = format!("{place}#entry {number}");
                // Most of what is captured asks for something else.
                match entry.get("request").map(body) {
                    Some(asked) if self.list_of(&asked).is_some() => self.take(entry, &place, sink),
                    _ => Ok(()),
                }
            });
        }
        if let Some(entry) = BatchEntry::of(unit) {
            return self.batched(&entry, place, sink);
        }
        self.at = time_of(unit);
        let pieces = pieces_in(unit, self.dialect.streams);
        if !pieces.is_empty() {
            let mut answers = Vec::new();
            for piece in pieces {
                self.streams.take(piece, &self.at, place, &mut answers);
            }
            // What follows them may have begun already, and goes on.
            let begun = std::mem::take(&mut self.streams);
            answers.into_iter().try_for_each(|answer| self.joined(answer, sink))?;
            self.streams = begun;
            return Ok(());
        }
        // A line of a transcript may wrap its message, with a time.
        if let Some(message) = unit.get("message").filter(|it| (self.dialect.is_message)(it)) {
            let is_aside = unit["isSidechain"] == true;
            if *self.is_aside.get_or_insert(is_aside) != is_aside {
                self.asides += 1;
                return Ok(());
            }
            return self.message(message, Standing::Line, place, sink);
        }
        if let (Some(request), Some(response)) = (unit.get("request"), unit.get("response")) {
            // Bodies may be kept as texts.
            let request = body(request);
            let response = body(response);
            if let Some(list) = self.list_of(&request) {
                let asked = Asked::of(&request, unit, &response);
                self.request(&list, &asked, place, sink)?;
            }
            return self.response(&response, place, sink);
        }
        if let Some(list) = self.list_of(unit) {
            // A log may hold the last answer beside the messages that it answers.
            let response = unit.get("response").unwrap_or(unit);
            self.request(&list, &Asked::of(unit, unit, &unit["response"]), place, sink)?;
            if (self.dialect.answer)(response).is_some() {
                return self.response(response, place, sink);
            }
            let answers = answers_in(response, self.dialect.streams, &self.at, place);
            return answers.into_iter().try_for_each(|answer| self.joined(answer, sink));
        }
        if (self.dialect.is_message)(unit) {
            return self.message(unit, Standing::Listed, place, sink);
        }
        if (self.dialect.answer)(unit).is_some() {
            return self.response(unit, place, sink);
        }
        let answers = answers_in(unit, self.dialect.streams, &self.at, place);
        if !answers.is_empty() {
            return answers.into_iter().try_for_each(|answer| self.joined(answer, sink));
        }
        // Lines of a transcript about itself: a title, a snapshot of files.
        let about = ["sessionId", "session_id", "leafUuid", "messageId"];
        if about.iter().any(|name| unit.get(*name).is_some()) {
            return Ok(());
        }
        let error = unit.get("error").filter(|error| !error.is_null()).map(words);
        let why = error.unwrap_or_else(|| "it is neither a message nor an exchange".to_owned());
        self.warn(place, &why, sink);
        Ok(())
    }

    /// A line of a batch: what came of a request is a run, called as the request is.
    fn batched(
        &mut self,
        entry: &BatchEntry<'_>,
        place: &str,
        sink: &mut Sink<'_>,
    ) -> Result<(), ImportError> {
        self.end_streams(sink)?;
        // What came of one request goes on with nothing.
        self.close_all(sink)?;
        let BatchEntry::Result { id, answer } = entry else {
            self.has_requests = true;
            return Ok(());
        };
        let messages = match answer {
            Ok(answer) => (self.dialect.answer)(answer),
            Err(_) => Some(Vec::new()),
        };
        let Some(messages) = messages else {
            let why = format!("{:?} has an answer that holds no message", cut_name(id));
            sink.report.skip(place, why);
            return Ok(());
        };
        self.at = answer.as_ref().map(|answer| time_of(answer)).unwrap_or_default();
        let requests = match self.requests.take() {
            Some(requests) => requests,
            None => Requests::beside(self.path, sink)?,
        };
        self.named = Some((*id).to_owned());
        let (asked, unclear) = match requests.asked(id) {
            Ok(asked) => (asked, None),
            Err(why) => (None, Some(why)),
        };
        if let Some(asked) = asked
            && let Some(list) = self.list_of(asked)
        {
            let model = model_asked(asked, asked);
            self.request(&list, &Asked { model, ..Asked::default() }, place, sink)?;
        }
        match answer {
            Ok(answer) => self.answered(answer, &messages, place, sink)?,
            Err(why) => self.opened(place, sink)?.failure = Some(why.clone()),
        }
        if let Some(why) = unclear {
            self.warn(place, &why, sink);
        }
        self.requests = Some(requests);
        self.close(sink)
    }

    /// The messages of a request; a conversation may also be a list by itself, and what is asked a text.
    fn list_of<'v>(&self, unit: &'v Value) -> Option<Cow<'v, [Value]>> {
        if let Value::Array(list) = unit {
            return Some(Cow::Borrowed(list.as_slice()));
        }
        self.dialect.lists.iter().find_map(|name| match unit.get(*name)? {
            Value::Array(list) => Some(Cow::Borrowed(list.as_slice())),
            // As a message of any API.
            Value::String(said) => {
                let message =
                    json!({ "role": "user", "content": said, "parts": [{ "text": said }] });
                Some(Cow::Owned(vec![message]))
            }
            _ => None,
        })
    }

    /// A request: what it has more than one before, or another conversation.
    fn request(
        &mut self,
        list: &[Value],
        asked: &Asked<'_>,
        place: &str,
        sink: &mut Sink<'_>,
    ) -> Result<(), ImportError> {
        self.end_streams(sink)?;
        let listed = Listed::new(list, self.dialect.is_of_model);
        let seen = SeenRequest::of(&listed);
        let read = if let Some((index, read)) = self.goes_on_with(asked, &listed, seen.as_ref()) {
            self.go_on_with(index, sink)?;
            read
        } else {
            self.set_aside(sink)?;
            0
        };
        for message in list.iter().skip(read) {
            self.message(message, Standing::Listed, place, sink)?;
        }
        if let Some(open) = self.open.as_mut().filter(|_| seen.is_some()) {
            open.request = seen;
            open.answers.clear();
            open.asked_model = asked.model.clone().or(open.asked_model.take());
            if let Some(name) = asked.answered_by {
                open.answered_by = Some(name.to_owned());
            }
        }
        Ok(())
    }

    /// The run that a request goes on with, as its index among those that wait and the one that is read, and how many
    /// of its messages were read already; `None`: it begins another conversation.
    fn goes_on_with(
        &self,
        asked: &Asked<'_>,
        listed: &Listed<'_>,
        seen: Option<&SeenRequest>,
    ) -> Option<(usize, usize)> {
        let runs = || self.waiting.iter().chain(&self.open).enumerate();
        // What it names need not be said again.
        if asked.previous.is_some()
            && let Some((index, _)) =
                runs().find(|(_, run)| run.answer_id.as_deref() == asked.previous)
        {
            return Some((index, 0));
        }
        let seen = seen?;
        let repeats = runs().filter_map(|(index, run)| {
            let before = run.request.as_ref().filter(|_| !run.is_of_other_model(asked))?;
            let repeat = before.repeated_in(seen, listed, &run.answers)?;
            // A program may write the model's words anew: of the run that was read last that is likelier than that
            // another began alike.
            let is_it = repeat.is_alike || index == self.waiting.len();
            is_it.then_some((index, repeat))
        });
        // The one of which it repeats the most; of several, as samples of one question are, the one read last.
        let found = repeats.max_by_key(|(_, repeat)| (repeat.is_alike, repeat.read));
        found.map(|(index, repeat)| (index, repeat.read))
    }

    /// Reads a run from now on, by its index as [`Self::goes_on_with`] has it.
    fn go_on_with(&mut self, index: usize, sink: &mut Sink<'_>) -> Result<(), ImportError> {
        if index < self.waiting.len() {
            let run = self.waiting.remove(index);
            self.set_aside(sink)?;
            self.open = Some(run);
        }
        Ok(())
    }

    /// What is read from now on is of another run than the one that was read, of which more may follow later.
    fn set_aside(&mut self, sink: &mut Sink<'_>) -> Result<(), ImportError> {
        match self.open.take_if(|open| !open.is_empty()) {
            Some(open) => self.waiting.push(open),
            // What nobody has answered is no run.
            None => self.close(sink)?,
        }
        while self.waiting.len() > MOST_WAITING {
            let oldest = self.waiting.remove(0);
            self.end_run(oldest, sink)?;
        }
        Ok(())
    }

    /// An answer, at once or in events.
    fn response(
        &mut self,
        response: &Value,
        place: &str,
        sink: &mut Sink<'_>,
    ) -> Result<(), ImportError> {
        let Some(messages) = (self.dialect.answer)(response) else {
            let answers = answers_in(response, self.dialect.streams, &self.at, place);
            if !answers.is_empty() {
                return answers.into_iter().try_for_each(|answer| self.joined(answer, sink));
            }
            let error = response.get("error").filter(|error| !error.is_null()).map(words);
            let why = error.unwrap_or_else(|| "an answer that holds no message".to_owned());
            self.warn(place, &why, sink);
            return Ok(());
        };
        self.answered(response, &messages, place, sink)
    }

    /// An answer with the messages in it.
    fn answered(
        &mut self,
        response: &Value,
        messages: &[Value],
        place: &str,
        sink: &mut Sink<'_>,
    ) -> Result<(), ImportError> {
        for message in messages {
            self.message(message, Standing::Listed, place, sink)?;
        }
        if let Some(open) = &mut self.open {
            open.answers.extend(messages.iter().map(said_in));
            open.answer_id = text(response, "id").map(str::to_owned);
        }
        Ok(())
    }

    /// An answer that came in events, said when the first of them came.
    fn joined(&mut self, joined: Joined, sink: &mut Sink<'_>) -> Result<(), ImportError> {
        // One that was begun before came before it.
        self.end_streams(sink)?;
        let Joined { answer, fault, is_beside, at, place } = joined;
        let now = std::mem::replace(&mut self.at, at);
        let messages = (self.dialect.answer)(&answer);
        // Of two that came at the same time neither goes on from the other.
        let is_alone = is_beside && messages.is_some();
        if is_alone {
            self.close(sink)?;
        }
        if let Some(messages) = messages {
            // One that is cut off does not say why it ended, and that of the one before is not its own.
            if let Some(open) = &mut self.open {
                open.stop = None;
            }
            self.answered(&answer, &messages, &place, sink)?;
            // Nothing more of it follows, whether or not it says that it has ended.
            if let Some(open) = &mut self.open
                && let Some(answer) = open.pending.take()
            {
                open.conversation.answer(&mut open.writer, answer)?;
            }
        }
        self.at = now;
        if is_alone {
            let why = "another answer came at the same time: this one is a run of its own";
            self.warn(&place, why, sink);
        }
        if let Some(fault) = fault {
            self.warn(&place, &fault, sink);
        }
        if is_alone { self.close(sink) } else { Ok(()) }
    }

    /// What is read from now on is of no stream that was begun.
    fn end_streams(&mut self, sink: &mut Sink<'_>) -> Result<(), ImportError> {
        let begun = std::mem::take(&mut self.streams);
        begun.end().into_iter().try_for_each(|answer| self.joined(answer, sink))
    }

    fn message(
        &mut self,
        message: &Value,
        standing: Standing,
        place: &str,
        sink: &mut Sink<'_>,
    ) -> Result<(), ImportError> {
        self.end_streams(sink)?;
        let dialect = self.dialect;
        let at = self.at.clone();
        let open = self.opened(place, sink)?;
        if !at.is_empty() {
            open.last_at.clone_from(&at);
        }
        let mut chat = Chat {
            conversation: &mut open.conversation,
            writer: &mut open.writer,
            pending: &mut open.pending,
            stop: &mut open.stop,
            standing,
            at: &at,
            place,
        };
        (dialect.take)(message, &mut chat)
    }

    fn opened(&mut self, place: &str, sink: &mut Sink<'_>) -> Result<&mut OpenRun, ImportError> {
        if self.open.is_none() {
            self.runs += 1;
            let id = match (self.named.take(), self.runs) {
                (Some(named), _) => named,
                (None, 1) => self.stem.clone(),
                (None, number) => format!("{}-{number}", self.stem),
            };
            let started = self.at.clone();
            let head = RunHead { started, ..RunHead::new(self.dialect.set, &id, place) };
            self.open = Some(OpenRun {
                number: self.runs,
                writer: sink.begin(head)?,
                conversation: Conversation::default(),
                pending: None,
                stop: None,
                failure: None,
                request: None,
                answers: Vec::new(),
                asked_model: None,
                answered_by: None,
                answer_id: None,
                last_at: String::new(),
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

    /// Ends the run that is read.
    fn close(&mut self, sink: &mut Sink<'_>) -> Result<(), ImportError> {
        self.open.take().map_or(Ok(()), |open| self.end_run(open, sink))
    }

    /// Ends all runs of which more could have followed.
    fn close_all(&mut self, sink: &mut Sink<'_>) -> Result<(), ImportError> {
        self.close(sink)?;
        let waiting = std::mem::take(&mut self.waiting);
        waiting.into_iter().try_for_each(|run| self.end_run(run, sink))
    }

    fn end_run(&mut self, mut open: OpenRun, sink: &mut Sink<'_>) -> Result<(), ImportError> {
        if let Some(answer) = open.pending.take() {
            open.conversation.answer(&mut open.writer, answer)?;
        }
        let ended = open.conversation.ends_without_call();
        open.conversation.end_turn(&mut open.writer)?;
        if let Some(why) = &open.failure {
            open.writer.error(why.clone())?;
        } else if open.writer.is_empty() {
            // A conversation without an answer is no run, and takes no number: it is always the one begun last.
            self.runs -= 1;
            return Ok(());
        }
        // Only now: how the model calls itself in an answer comes before how it was asked.
        if let Some(model) = &open.asked_model {
            open.writer.set_agent(model);
        }
        let outcome = match open.failure {
            Some(why) => Some((Outcome::Failed(why.clone()), why)),
            None => open.stop.and_then(|stop| outcome_of(stop, ended)),
        };
        let end = RunEnd { outcome, finished: open.last_at, ..RunEnd::default() };
        sink.finish(open.writer, end)?;
        self.ended.push(open.number);
        Ok(())
    }

    fn finish(mut self, sink: &mut Sink<'_>) -> Result<(), ImportError> {
        self.end_streams(sink)?;
        if let Some(open) = self.open.as_mut().filter(|_| self.asides > 0) {
            open.writer.warn(format!("lines of other agents are left out: {}", self.asides));
        }
        if self.has_requests && self.runs == 0 {
            let why = "requests of a batch, which are read with the results that lie beside them";
            sink.report.skip(self.path.display().to_string(), why);
        }
        self.close_all(sink)?;
        // They ended in another order than they began.
        let runs = sink.report.runs.split_off(self.before.min(sink.report.runs.len()));
        let mut runs: Vec<_> = self.ended.into_iter().zip(runs).collect();
        runs.sort_by_key(|(number, _)| *number);
        sink.report.runs.extend(runs.into_iter().map(|(_, run)| run));
        Ok(())
    }
}

/// When a part of a log was said: by itself, or by the answer or the request in it.
fn time_of(unit: &Value) -> String {
    let names = ["timestamp", "time", "created_at", "created", "ts", "startedDateTime"];
    let times = [unit, &unit["response"], &unit["request"]]
        .into_iter()
        .flat_map(|value| names.iter().filter_map(|name| value.get(*name)));
    times.map(moment_of).find(|at| !at.is_empty()).unwrap_or_default()
}

/// A body, also where it is kept as a text.
fn body(value: &Value) -> Value {
    let names = ["body", "body_raw", "json", "data"];
    let inner = names.iter().find_map(|name| value.get(*name).filter(|it| !it.is_null()));
    // As captures have it.
    let inner = inner.or_else(|| value.pointer("/postData/text"));
    let inner = inner.or_else(|| value.pointer("/content/text"));
    match inner.unwrap_or(value) {
        Value::String(text) if value["content"]["encoding"] == "base64" => {
            let bytes = picture_data::from_base64(text).unwrap_or_default();
            json::parse(&bytes)
                .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&bytes).into_owned()))
        }
        Value::String(text) => {
            json::parse(text.as_bytes()).unwrap_or_else(|_| Value::String(text.clone()))
        }
        other => other.clone(),
    }
}

/// Whether an object has a role and something said.
pub(super) fn has_role(value: &Value, content: &str) -> bool {
    text(value, "role").is_some() && value.get(content).is_some()
}
