//! Answers that came in events, put together as the answers that would have come at once. A log holds events as they
//! came over the wire, one a line, or inside of what somebody's program wrote beside them: an object, or a text.
//!
//! One file a kind of stream; which of them an API has, its `Dialect` says.

pub(super) mod anthropic;
pub(super) mod chat;
pub(super) mod gemini;
pub(super) mod responses;

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::base::Limits;
use crate::import::json::{DONE, Lines, items, parse, text, typed};
use crate::import::outline::JsonHead;
use crate::import::source::Source;

/// Under what events stand in what others wrote around them.
const WRAPPERS: [&str; 9] =
    ["data", "event", "chunk", "response", "body", "raw", "line", "text", "value"];
/// Under what lists of them stand.
const LISTS: [&str; 3] = ["events", "chunks", "stream"];

/// How it begins that events cannot be told apart.
const MIXED: &str = "events of several answers came mixed and";
/// Most items of an answer by which it is told from others.
const MOST_ITEMS: usize = 10_000;
/// Most streams that are read or wait for one another.
const MOST_STREAMS: usize = 16;

/// A kind of stream.
pub(super) struct StreamShape {
    /// What the types of its events begin with, where they have types.
    types: &'static [&'static str],
    /// Whether a value is an event of such a stream.
    is_event: fn(&Value) -> bool,
    /// The id of the answer that an event is of, where events have it.
    id_of: fn(&Value) -> Option<&str>,
    /// Whether an event says why its answer ended, behind which more of that may follow.
    finishes: fn(&Value) -> bool,
    /// Whether an event is of another answer than those before it, of which so much is known.
    begins: fn(&Known, &Value) -> bool,
    /// Whether nothing of the same answer follows an event.
    ends: fn(&Value) -> bool,
    /// Whether events that came while another answer may have gone on are of several: for those that do not name
    /// their answer, which must come in an order of their own.
    is_mixed: fn(&[Value]) -> bool,
    /// Puts the events of an answer together.
    join: fn(&[Value]) -> Joint,
}

/// What tells the events of an answer from those of the next.
#[derive(Default)]
struct Known {
    /// The first id that one of them had.
    id: Option<String>,
    /// The ids of the items that they were of.
    items: BTreeSet<String>,
    /// The number of the last that had one.
    number: Option<u64>,
    /// Whether one of them said why it ended.
    is_finished: bool,
}

impl Known {
    fn note(&mut self, shape: &StreamShape, event: &Value) {
        if self.id.is_none() {
            self.id = (shape.id_of)(event).map(str::to_owned);
        }
        // Bounded, as a stream may go on for ever.
        if self.items.len() < MOST_ITEMS {
            self.items.extend(item_of(event).map(str::to_owned));
        }
        self.number = number_of(event).or(self.number);
        self.is_finished |= (shape.finishes)(event);
    }

    /// Whether an event names this answer, or an item of it.
    fn is_named_in(&self, shape: &StreamShape, event: &Value) -> bool {
        let is_named = (shape.id_of)(event).is_some_and(|id| self.id.as_deref() == Some(id));
        is_named || item_of(event).is_some_and(|item| self.items.contains(item))
    }
}

/// The item of an answer that an event is of.
fn item_of(event: &Value) -> Option<&str> {
    text(event, "item_id").or_else(|| text(&event["item"], "id"))
}

/// The place of an event among those of its answer.
fn number_of(event: &Value) -> Option<u64> {
    event["sequence_number"].as_u64()
}

#[cfg(test)]
impl StreamShape {
    /// Whether an event behind these is of another answer.
    fn begins_behind(&self, events: &[Value], event: &Value) -> bool {
        let mut known = Known::default();
        for event in events {
            known.note(self, event);
        }
        (self.begins)(&known, event)
    }
}

/// What the events of an answer come to.
struct Joint {
    /// As the API gives it at once; null if nothing was said.
    answer: Value,
    /// Whether the events say that it has ended.
    is_whole: bool,
    /// Why it broke off, if they say that.
    error: Option<String>,
}

/// An answer that came in events.
pub(super) struct Joined {
    /// As the API gives it at once; null if nothing was said.
    pub(super) answer: Value,
    /// What is wrong with it.
    pub(super) fault: Option<String>,
    /// Whether another came at the same time: neither goes on from the other.
    pub(super) is_beside: bool,
    /// When its first event came; RFC 3339, UTC, or empty.
    pub(super) at: String,
    /// Where that stands.
    pub(super) place: String,
}

/// A part of a stream.
pub(super) enum StreamItem {
    Event(&'static StreamShape, Value),
    /// What marks its end.
    End,
    /// Why it ended before that, where this is no event of its kind.
    Broken(String),
}

/// Whether a file that begins so may hold such streams, and holds one of these marks of them.
pub(super) fn is_kept(
    source: &Source,
    outline: &JsonHead,
    shapes: &[StreamShape],
    marks: &[&str],
) -> bool {
    let kind = outline.text("type").unwrap_or_default();
    let mut types = shapes.iter().flat_map(|shape| shape.types);
    let may_be = WRAPPERS.iter().chain(&LISTS).any(|name| outline.has(name))
        || types.any(|begin| kind.starts_with(begin));
    // Spans and sessions hold streams as well.
    let is_other = ["spanId", "payload"].iter().any(|name| outline.has(name));
    may_be && !is_other && marks.iter().any(|mark| source.mentions(mark))
}

/// The parts of a stream that a value is, or holds; none if it is of no stream.
pub(super) fn pieces_in(value: &Value, shapes: &'static [StreamShape]) -> Vec<StreamItem> {
    match value {
        Value::String(said) => pieces_in_text(said, shapes),
        // Who writes such lines writes the whole messages as well.
        Value::Object(_) if value["type"] == "stream_event" => Vec::new(),
        // What was asked beside it has to be read first.
        Value::Object(fields) if !is_with_request(fields) => {
            if let Some(shape) = shape_of(value, shapes) {
                return vec![StreamItem::Event(shape, value.clone())];
            }
            let kind = text(value, "event").or_else(|| text(value, "type"));
            let wrapped = WRAPPERS.iter().filter_map(|name| fields.get(*name));
            let mut pieces = wrapped.map(|inner| match inner {
                Value::String(said) => pieces_in_text(said, shapes),
                Value::Object(_) => {
                    piece_of(typed(inner.clone(), kind), shapes).into_iter().collect()
                }
                _ => Vec::new(),
            });
            pieces.find(|pieces| !pieces.is_empty()).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

fn is_with_request(fields: &Map<String, Value>) -> bool {
    let lists = ["messages", "contents", "history", "input"];
    fields.contains_key("request")
        || lists.iter().any(|name| fields.get(*name).is_some_and(Value::is_array))
}

/// The parts of a stream in a text: the JSON of one event, or events as they came over the wire.
fn pieces_in_text(said: &str, shapes: &'static [StreamShape]) -> Vec<StreamItem> {
    let said = said.trim();
    if said == DONE {
        return vec![StreamItem::End];
    }
    if said.starts_with('{') {
        let event = parse(said.as_bytes()).ok();
        return event.and_then(|event| piece_of(event, shapes)).into_iter().collect();
    }
    if !["data:", "event:", "id:", ":"].iter().any(|field| said.starts_with(field)) {
        return Vec::new();
    }
    let mut lines = Lines::new(said.as_bytes());
    let mut pieces = Vec::new();
    while let Some((_, line)) = lines.next() {
        match line {
            Ok(Value::String(end)) if end == DONE => pieces.push(StreamItem::End),
            Ok(event) => {
                let error = error_in(&event);
                pieces.extend(piece_of(event, shapes).or_else(|| error.map(StreamItem::Broken)));
            }
            // Torn at its end: that the answer has none says so.
            Err(_) => {}
        }
    }
    pieces
}

fn shape_of(value: &Value, shapes: &'static [StreamShape]) -> Option<&'static StreamShape> {
    shapes.iter().find(|shape| (shape.is_event)(value))
}

fn piece_of(event: Value, shapes: &'static [StreamShape]) -> Option<StreamItem> {
    Some(StreamItem::Event(shape_of(&event, shapes)?, event))
}

/// The answers in a body that holds a stream; none if it holds none.
pub(super) fn answers_in(
    body: &Value,
    shapes: &'static [StreamShape],
    at: &str,
    place: &str,
) -> Vec<Joined> {
    let list = LISTS.iter().find_map(|name| body.get(*name)?.as_array());
    let pieces = match body.as_array().or(list) {
        Some(list) => list.iter().flat_map(|item| pieces_in(item, shapes)).collect(),
        None => pieces_in(body, shapes),
    };
    let (mut streams, mut answers) = (Streams::default(), Vec::new());
    for piece in pieces {
        streams.take(piece, at, place, &mut answers);
    }
    answers.extend(streams.end());
    answers
}

/// The streams of a log while it is read, in the order they began. Events of several answers may come mixed: they are
/// told apart by the ids that they name.
#[derive(Default)]
pub(super) struct Streams {
    /// One that is over waits for those that began before it.
    kept: Vec<Stream>,
    /// How many events were taken.
    taken: u64,
    /// Whether the one that ended last was of several answers, of which more may follow.
    is_mixed: bool,
}

/// To which stream an event belongs.
enum Owner {
    /// The one at this place.
    Stream(usize),
    /// One that begins with it.
    New,
    /// One of several, and it does not say which.
    Unknown,
}

impl Streams {
    /// Takes the next part of a stream; answers that end with it, or before it, are added to the others.
    pub(super) fn take(
        &mut self,
        piece: StreamItem,
        at: &str,
        place: &str,
        answers: &mut Vec<Joined>,
    ) {
        match piece {
            StreamItem::Event(shape, event) => self.take_event(shape, event, at, place),
            StreamItem::End => self.take_end(),
            StreamItem::Broken(error) => match self.last() {
                Some(stream) => {
                    stream.is_over = true;
                    stream.broken = Some(error);
                }
                None => answers.push(Joined {
                    answer: Value::Null,
                    fault: Some(error),
                    is_beside: false,
                    at: at.to_owned(),
                    place: place.to_owned(),
                }),
            },
        }
        self.give(answers);
    }

    /// Ends all that are read: what follows is of none of them.
    pub(super) fn end(mut self) -> Vec<Joined> {
        for stream in &mut self.kept {
            stream.is_over = true;
        }
        let mut answers = Vec::new();
        self.give(&mut answers);
        answers
    }

    fn take_event(&mut self, shape: &'static StreamShape, event: Value, at: &str, place: &str) {
        let owner = match self.owner(shape, &event) {
            Owner::Stream(index) => index,
            Owner::New => {
                self.begin(shape, &event, at, place);
                self.kept.len() - 1
            }
            Owner::Unknown => {
                for stream in self.kept.iter_mut().filter(|it| it.is_open(shape)) {
                    stream.has_lost = true;
                }
                return;
            }
        };
        // What began behind it did so before it was over.
        if owner + 1 < self.kept.len() {
            for stream in self.kept.iter_mut().skip(owner) {
                stream.is_beside = true;
            }
        }
        self.taken += 1;
        let taken = self.taken;
        if let Some(stream) = self.kept.get_mut(owner) {
            stream.push(event, taken);
        }
    }

    fn owner(&self, shape: &'static StreamShape, event: &Value) -> Owner {
        let mut open: Vec<(usize, &Stream)> =
            self.kept.iter().enumerate().filter(|(_, stream)| stream.is_open(shape)).collect();
        open.sort_by_key(|(_, stream)| stream.taken);
        let Some((last, stream)) = open.last().copied() else { return Owner::New };
        // What begins an answer by its type does so whatever its id.
        if (shape.begins)(&Known::default(), event) {
            return Owner::New;
        }
        if let Some((named, _)) = open.iter().find(|(_, it)| it.known.is_named_in(shape, event)) {
            return Owner::Stream(*named);
        }
        if (shape.begins)(&stream.known, event) {
            return Owner::New;
        }
        if open.len() == 1 {
            return Owner::Stream(last);
        }
        // A new item of one of several, which is told by where it stands among the events.
        let number = number_of(event);
        let before = number.and_then(|number| number.checked_sub(1));
        let follows: Vec<usize> = open
            .iter()
            .filter(|(_, it)| before.is_some() && it.known.number == before)
            .map(|(index, _)| *index)
            .collect();
        match follows.as_slice() {
            [one] => Owner::Stream(*one),
            // As long as nothing else shows that those before go on, they are cut off.
            [] if !open.iter().any(|(_, it)| it.is_beside) => Owner::Stream(last),
            _ => Owner::Unknown,
        }
    }

    fn begin(&mut self, shape: &'static StreamShape, event: &Value, at: &str, place: &str) {
        let has_id = (shape.id_of)(event).is_some();
        let mut may_be_mixed = self.is_mixed;
        for stream in self.kept.iter_mut().filter(|stream| !stream.is_over) {
            // More of one with an id is known by that.
            let is_known = stream.is_open(shape) && has_id && stream.known.id.is_some();
            may_be_mixed |= !is_known;
            stream.is_over = !is_known;
        }
        self.kept.push(Stream {
            shape,
            known: Known::default(),
            events: Vec::new(),
            bytes: 0,
            taken: 0,
            is_over: false,
            has_end: false,
            broken: None,
            has_lost: false,
            may_be_mixed,
            is_beside: false,
            at: at.to_owned(),
            place: place.to_owned(),
        });
    }

    /// The mark of the end: of those that said why they ended, or else of the one that was read last.
    fn take_end(&mut self) {
        if self.kept.iter().any(|stream| !stream.is_over && stream.known.is_finished) {
            for stream in self.kept.iter_mut().filter(|stream| stream.known.is_finished) {
                (stream.is_over, stream.has_end) = (true, true);
            }
        } else if let Some(stream) = self.last() {
            (stream.is_over, stream.has_end) = (true, true);
        }
    }

    /// The one that was read last of those that are not over.
    fn last(&mut self) -> Option<&mut Stream> {
        let open = self.kept.iter_mut().filter(|stream| !stream.is_over);
        open.max_by_key(|stream| stream.taken)
    }

    /// Gives the answers of those that are over, in the order they began. What waits for too long is cut off.
    fn give(&mut self, answers: &mut Vec<Joined>) {
        while let Some(first) = self.kept.first() {
            let bytes: u64 = self.kept.iter().map(|stream| stream.bytes).sum();
            let is_too_much = self.kept.len() > MOST_STREAMS
                || (self.kept.len() > 1 && bytes > Limits::JSON_BYTES);
            if !first.is_over && !is_too_much {
                return;
            }
            let first = self.kept.remove(0);
            self.is_mixed = first.is_mixed();
            answers.push(first.end());
        }
    }
}

/// A stream while it is read.
struct Stream {
    shape: &'static StreamShape,
    known: Known,
    events: Vec<Value>,
    /// About how much memory they take.
    bytes: u64,
    /// Which of all events its last one was.
    taken: u64,
    /// Whether nothing more is taken.
    is_over: bool,
    /// Whether its end was read.
    has_end: bool,
    /// Why it broke off, where that stood beside it.
    broken: Option<String>,
    /// Whether there were events that may have been its own.
    has_lost: bool,
    /// Whether it began before another had ended of which nothing tells it apart.
    may_be_mixed: bool,
    /// Whether another came at the same time.
    is_beside: bool,
    at: String,
    place: String,
}

impl Stream {
    /// Whether events of this kind may still be its own.
    fn is_open(&self, shape: &'static StreamShape) -> bool {
        !self.is_over && std::ptr::eq(self.shape, shape)
    }

    fn is_mixed(&self) -> bool {
        self.may_be_mixed && (self.shape.is_mixed)(&self.events)
    }

    fn push(&mut self, event: Value, taken: u64) {
        self.taken = taken;
        self.known.note(self.shape, &event);
        if (self.shape.ends)(&event) {
            (self.is_over, self.has_end) = (true, true);
        }
        self.bytes += memory_of(&event);
        // As large as an answer may be that comes at once.
        if self.bytes <= Limits::JSON_BYTES {
            self.events.push(event);
        }
    }

    /// The answer so far.
    fn end(self) -> Joined {
        let is_mixed = self.is_mixed();
        let Joint { answer, is_whole, error } = (self.shape.join)(&self.events);
        let is_repeated =
            self.events.last().is_some_and(|event| !items(&event["response"], "output").is_empty());
        let fault = if is_mixed {
            Some(format!("{MIXED} do not say which they are of: they are left out"))
        } else if self.bytes > Limits::JSON_BYTES {
            Some(format!(
                "the stream has more than {} bytes: the rest is left out",
                Limits::JSON_BYTES
            ))
        } else if self.broken.is_some() || error.is_some() {
            self.broken.or(error)
        } else if answer.is_null() {
            Some("a stream without an answer in it".to_owned())
        } else if self.has_lost && !is_repeated {
            Some(format!("{MIXED} do not all say which they are of: some are left out"))
        } else {
            (!is_whole && !self.has_end)
                .then(|| "the stream is cut off: the answer is as far as it came".to_owned())
        };
        let answer = if is_mixed { Value::Null } else { answer };
        Joined { answer, fault, is_beside: self.is_beside, at: self.at, place: self.place }
    }
}

/// About how much memory a value takes.
pub(super) fn memory_of(value: &Value) -> u64 {
    let inner = match value {
        Value::String(text) => text.len() as u64,
        Value::Array(items) => items.iter().map(memory_of).sum(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| name.len() as u64 + memory_of(value)).sum()
        }
        _ => 0,
    };
    inner + size_of::<Value>() as u64
}

/// Appends to a text, which is made if it is not there.
fn append(fields: &mut Map<String, Value>, name: &str, more: &Value) {
    let Some(more) = more.as_str().filter(|more| !more.is_empty()) else { return };
    match fields.get_mut(name) {
        Some(Value::String(said)) => said.push_str(more),
        // What is there and no text stands for nothing yet.
        _ => drop(fields.insert(name.to_owned(), more.into())),
    }
}

/// What an event says went wrong.
fn error_in(event: &Value) -> Option<String> {
    let error = event.get("error").filter(|error| !error.is_null())?;
    let said =
        text(error, "message").map_or_else(|| crate::import::json::words(error), str::to_owned);
    Some(format!("the stream broke off: {said}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    static SHAPES: [StreamShape; 2] = [chat::SHAPE, responses::SHAPE];

    fn said(body: &Value) -> Vec<(String, Option<String>)> {
        let answers = answers_in(body, &SHAPES, "", "");
        let said = |it: Joined| {
            (
                it.answer["choices"][0]["message"]["content"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned(),
                it.fault,
            )
        };
        answers.into_iter().map(said).collect()
    }

    #[test]
    fn events_are_found_in_whatever_they_are_wrapped_in() {
        let chunk = |text: &str, end: Value| json!({"object": "chat.completion.chunk", "choices": [{"delta": {"content": text}, "finish_reason": end}]});
        let (first, last) = (chunk("a", json!(null)), chunk("b", json!("stop")));
        let wire = format!("data: {first}\n\ndata: {last}\n\ndata: [DONE]\n\n");
        for body in [
            json!([first, last]),
            json!([{"data": first}, {"chunk": last.to_string()}, {"data": "[DONE]"}]),
            json!({"events": [{"event": "x", "data": first.to_string()}, {"raw": format!("data: {last}\n\n")}]}),
            json!(wire),
            json!({"data": wire}),
        ] {
            assert_eq!(said(&body), [("ab".to_owned(), None)], "{body}");
        }
        let doubled = json!({"type": "stream_event", "event": chunk("a", json!(null))});
        assert_eq!(said(&doubled), []);
        for none in [
            json!({"choices": [{"message": {"content": "x"}}]}),
            json!("text"),
            json!([1]),
            json!({"data": 7}),
        ] {
            assert_eq!(said(&none), [], "{none}");
        }
    }

    #[test]
    fn what_is_cut_off_is_as_far_as_it_came_and_says_so() {
        let chunk =
            json!({"object": "chat.completion.chunk", "choices": [{"delta": {"content": "a"}}]});
        let cut = format!("data: {chunk}\n\ndata: {{\"object\": \"chat.com");
        let [(text, fault)] = &said(&json!(cut))[..] else { panic!("one answer") };
        assert!(text == "a" && fault.as_ref().unwrap().contains("cut off"));
        let broken =
            format!("data: {chunk}\n\ndata: {{\"error\": {{\"message\": \"Sorry\"}}}}\n\n");
        let why = Some("the stream broke off: Sorry".to_owned());
        assert_eq!(said(&json!(broken)), [("a".to_owned(), why)]);
        // Its end was sent, without a reason for it.
        assert_eq!(said(&json!([chunk, "[DONE]"])), [("a".to_owned(), None)]);
    }
}
