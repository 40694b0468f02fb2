//! By what a request is known that goes on from one before: it begins alike and repeats what that ended with.

use std::cell::OnceCell;

use serde_json::Value;

use crate::import::conversation::arguments_of;
use crate::import::json::{items, text};

/// What a request says beside its messages.
#[derive(Default)]
pub(super) struct Asked<'v> {
    /// The id of the answer that it goes on from.
    pub(super) previous: Option<&'v str>,
    /// The model that it asks.
    pub(super) model: Option<String>,
    /// The model that its answer names, where that stands beside it.
    pub(super) answered_by: Option<&'v str>,
}

impl<'v> Asked<'v> {
    /// What this request says; `sent` is what it stands in, with the address that it went to.
    pub(super) fn of(request: &'v Value, sent: &Value, response: &'v Value) -> Self {
        let names = ["model", "modelVersion", "model_version"];
        Self {
            previous: text(request, "previous_response_id"),
            model: model_asked(request, sent),
            answered_by: names.iter().find_map(|name| text(response, name)),
        }
    }
}

/// The model that a request asks, by its own word, by what it stands in, or by the address that it was sent to.
pub(super) fn model_asked(request: &Value, sent: &Value) -> Option<String> {
    let named = text(request, "model").or_else(|| text(sent, "model"));
    let name = if let Some(name) = named {
        // Gemini's are called by a path: `models/NAME`, or `projects/…/models/NAME`.
        let is_path = name.starts_with("models/") || name.starts_with("projects/");
        name.rsplit_once("models/").filter(|_| is_path).map_or(name, |(_, name)| name)
    } else {
        // `https://…/models/NAME:generateContent?alt=sse`
        let address = text(sent, "url").or_else(|| text(&sent["request"], "url"))?;
        let (_, behind) = address.rsplit_once("/models/")?;
        behind.split_once(':')?.0
    };
    (!name.is_empty()).then(|| name.to_owned())
}

/// The messages of a request that is compared with those before.
pub(super) struct Listed<'a> {
    list: &'a [Value],
    is_of_model: fn(&Value) -> bool,
    /// Each is hashed once, and only if it is asked for: messages may be pictures.
    hashes: Vec<OnceCell<blake3::Hash>>,
}

impl<'a> Listed<'a> {
    /// Messages, and which of them are the model's own.
    pub(super) fn new(list: &'a [Value], is_of_model: fn(&Value) -> bool) -> Self {
        Self { list, is_of_model, hashes: vec![OnceCell::new(); list.len()] }
    }

    fn hash_at(&self, at: usize) -> Option<blake3::Hash> {
        let message = self.list.get(at)?;
        Some(*self.hashes.get(at)?.get_or_init(|| hash_of(message)))
    }
}

/// A request that was read.
pub(super) struct SeenRequest {
    /// The hash of the messages before the first of the model: another conversation begins otherwise.
    start: blake3::Hash,
    /// The hash of its last message.
    last: blake3::Hash,
    /// Whether that is the model's.
    is_answered: bool,
    /// Of each message what the model said in it ([`said_in`]); `None` of the others.
    said: Vec<Option<blake3::Hash>>,
}

/// How a request repeats one before.
pub(super) struct Repeat {
    /// How many of its messages were read already.
    pub(super) read: usize,
    /// Whether the model says the same in them.
    pub(super) is_alike: bool,
}

impl SeenRequest {
    /// What is known by these messages; `None` of none.
    pub(super) fn of(listed: &Listed<'_>) -> Option<Self> {
        let (list, is_of_model) = (listed.list, listed.is_of_model);
        let last = listed.hash_at(list.len().checked_sub(1)?)?;
        let mut start = blake3::Hasher::new();
        let first_of_model = list.iter().position(is_of_model).unwrap_or(list.len());
        for hash in (0..first_of_model).filter_map(|at| listed.hash_at(at)) {
            start.update(hash.as_bytes());
        }
        let said = list.iter().map(|it| if is_of_model(it) { said_in(it) } else { None });
        Some(Self {
            start: start.finalize(),
            last,
            is_answered: list.last().is_some_and(is_of_model),
            said: said.collect(),
        })
    }

    /// How the next request, with these messages, repeats this one and the answers that were read behind it; `None`
    /// if it does not go on from it. It does if it begins alike, and the message where this one ended is still there,
    /// unchanged: those in between may have lost their pictures.
    pub(super) fn repeated_in(
        &self,
        next: &Self,
        listed: &Listed<'_>,
        answers: &[Option<blake3::Hash>],
    ) -> Option<Repeat> {
        if self.start != next.start {
            return None;
        }
        let count = self.said.len();
        // The same once more is another try or another sample, unless nothing was answered yet.
        let is_answered = self.is_answered || !answers.is_empty();
        let is_begun_anew = is_answered && next.said.len() == count;
        if is_begun_anew || self.last != listed.hash_at(count.checked_sub(1)?)? {
            return None;
        }
        // The answers that were read since then stand in this list once more, though not always with what they
        // reasoned.
        let behind = listed.list.iter().skip(count).take(answers.len());
        let read = count + behind.take_while(|it| (listed.is_of_model)(it)).count();
        let is_alike_before = self
            .said
            .iter()
            .zip(&next.said)
            .all(|(before, now)| before.is_none() || now.is_none() || before == now);
        let again = next.said.iter().take(read).skip(count).flatten();
        let is_alike_behind =
            answers.iter().flatten().zip(again).all(|(before, now)| before == now);
        Some(Repeat { read, is_alike: is_alike_before && is_alike_behind })
    }
}

/// A hash of what the model says and asks for in a message of its own; `None` if that is nothing. What it thought is
/// left out, as it is of later requests, and so is space: an answer that came in parts may be repeated in one.
pub(super) fn said_in(message: &Value) -> Option<blake3::Hash> {
    if message["type"] == "reasoning" {
        return None;
    }
    let mut said: Vec<String> = Vec::new();
    match message.get("content").or_else(|| message.get("parts")) {
        Some(Value::String(words)) => said.push(words.clone()),
        Some(Value::Array(parts)) => said.extend(parts.iter().filter_map(said_in_part)),
        _ => {}
    }
    let calls = items(message, "tool_calls").iter().map(|call| {
        // As functions are called, and tools that take free text.
        if call["function"].is_object() { &call["function"] } else { &call["custom"] }
    });
    // An item that is a call has the name and the arguments itself.
    said.extend(calls.chain([message, &message["function_call"]]).filter_map(called_in));
    let said: String = said.concat().split_whitespace().collect();
    (!said.is_empty()).then(|| blake3::hash(said.as_bytes()))
}

fn said_in_part(part: &Value) -> Option<String> {
    if part["thought"] == true || part["type"] == "reasoning" {
        return None;
    }
    let calls = [part, &part["functionCall"], &part["function_call"]];
    text(part, "text").map(str::to_owned).or_else(|| calls.into_iter().find_map(called_in))
}

/// The name and the arguments of a call.
fn called_in(call: &Value) -> Option<String> {
    let arguments = ["arguments", "input", "args"].iter().find_map(|name| call.get(*name))?;
    Some(format!("{}{}", text(call, "name")?, arguments_of(Some(arguments))))
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
