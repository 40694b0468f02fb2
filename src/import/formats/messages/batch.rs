//! Batches: files of OpenAI's Batch API and of Anthropic's Message Batches, a line for each request or each result,
//! with the name that its sender gave it (`custom_id`). Results come in any order, in a file of their own.
//!
//! - OpenAI (API reference, "Batch", the request and the output object): a request has `body`, a result `response`
//!   with `status_code` and `body`, or `error`; Azure, Mistral and others write the same;
//! - Anthropic (API reference, "Retrieve Message Batch results"): a request has `params`, a result `result` with its
//!   `type` and `message` or `error`.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::base::Limits;
use crate::import::error::ImportError;
use crate::import::json::{Lines, text, words};
use crate::import::outline::JsonHead;
use crate::import::report::cut_name;
use crate::import::sink::Sink;
use crate::import::source::{Source, name_of};

use super::stream::memory_of;

/// Most files in the folder of results that are looked at for requests.
const MOST_BESIDE: usize = 200;
/// Under what the answer of a line stands.
const ANSWERS: [&str; 3] = ["response", "error", "result"];
/// Under what its request stands.
const REQUESTS: [&str; 2] = ["body", "params"];

/// A line of a batch.
pub(super) enum BatchEntry<'a> {
    /// What was asked: what came of it stands in another file.
    Request,
    /// What came of a request.
    Result {
        /// The name of the request.
        id: &'a str,
        /// The body of the answer; or why there is none, in the words of the API.
        answer: Result<&'a Value, String>,
    },
}

impl<'a> BatchEntry<'a> {
    /// The entry that a line is, if it is one.
    pub(super) fn of(line: &'a Value) -> Option<Self> {
        let id = text(line, "custom_id")?;
        if line["result"]["type"].is_string() {
            return Some(Self::Result { id, answer: answer_of_result(&line["result"]) });
        }
        let response = &line["response"];
        let is_answer = response["body"].is_object() || response["status_code"].is_u64();
        if is_answer || !line["error"].is_null() {
            return Some(Self::Result { id, answer: answer_of_response(line) });
        }
        request_in(line).map(|_| Self::Request)
    }
}

/// What a line with a request asks.
fn request_in(line: &Value) -> Option<&Value> {
    REQUESTS.iter().find_map(|name| line.get(*name).filter(|it| it.is_object()))
}

fn answer_of_result(result: &Value) -> Result<&Value, String> {
    match result["type"].as_str().unwrap_or_default() {
        "succeeded" => Ok(&result["message"]),
        // The error of the API stands in the one of the answer.
        "errored" => Err(said_of(result["error"].get("error").unwrap_or(&result["error"]))),
        kind => Err(format!("the request is {kind}")),
    }
}

fn answer_of_response(line: &Value) -> Result<&Value, String> {
    let response = &line["response"];
    let body = &response["body"];
    if let Some(error) = [&line["error"], &body["error"]].into_iter().find(|it| !it.is_null()) {
        return Err(said_of(error));
    }
    match response["status_code"].as_u64() {
        Some(status) if status >= 400 => Err(format!("status {status}")),
        _ => Ok(body),
    }
}

/// An error in its own words.
fn said_of(error: &Value) -> String {
    let said = text(error, "message").map_or_else(|| words(error), str::to_owned);
    if said.is_empty() { "an error without words".to_owned() } else { said }
}

/// Whether a file begins with a line of a batch that has one of these names.
pub(super) fn is_kept(outline: &JsonHead, names: &[&str]) -> bool {
    outline.has("custom_id") && names.iter().any(|name| outline.has(name))
}

/// The requests that lie beside the results of a batch, by their names.
pub(super) struct Requests {
    /// `None`: several files ask by this name, and not the same.
    by_id: BTreeMap<String, Option<Value>>,
}

impl Requests {
    /// Reads those in the folder of a file of results. What of them cannot be read, or is not looked at, is in the
    /// report.
    pub(super) fn beside(results: &Path, sink: &mut Sink<'_>) -> Result<Self, ImportError> {
        let mut requests = Self { by_id: BTreeMap::new() };
        let Some(folder) = results.parent() else { return Ok(requests) };
        // A plain name lies in the folder that the program works in.
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let Ok(folder) = Source::look(folder) else { return Ok(requests) };
        let (mut bytes, own) = (0, name_of(results));
        let mut beside = folder.files().iter().filter(|name| **name != own);
        for name in beside.by_ref().take(MOST_BESIDE) {
            sink.cancel.check()?;
            let has_requests = folder
                .outline_in(name)
                .is_some_and(|it| is_kept(&it, &REQUESTS) && !is_kept(&it, &ANSWERS));
            if has_requests {
                requests.read(&folder.path.join(name), &mut bytes, sink)?;
            }
        }
        if beside.next().is_some() {
            let why = format!(
                "only the first {MOST_BESIDE} files beside the results of a batch are looked at for its requests: put both into a folder of their own"
            );
            sink.report.skip(results.display().to_string(), why);
        }
        Ok(requests)
    }

    fn read(
        &mut self,
        path: &Path,
        bytes: &mut u64,
        sink: &mut Sink<'_>,
    ) -> Result<(), ImportError> {
        let mut lines = Lines::open(path)?;
        while let Some((number, line)) = lines.next() {
            sink.cancel.check()?;
            // What is torn is told where the file itself is looked at.
            let Ok(line) = line else { continue };
            let (Some(id), Some(request)) = (text(&line, "custom_id"), request_in(&line)) else {
                continue;
            };
            *bytes += memory_of(request) + id.len() as u64;
            if *bytes > Limits::JSON_BYTES {
                let most = Limits::JSON_BYTES;
                let why = format!(
                    "the requests of a batch have more than {most} bytes: no more are read"
                );
                sink.report.skip(format!("{}:{number}", path.display()), why);
                return Ok(());
            }
            self.by_id
                .entry(id.to_owned())
                .and_modify(|known| *known = known.take().filter(|it| it == request))
                .or_insert_with(|| Some(request.clone()));
        }
        Ok(())
    }

    /// What was asked by this name, if that is known; an error where it stands in several files, not the same.
    pub(super) fn asked(&self, id: &str) -> Result<Option<&Value>, String> {
        match self.by_id.get(id) {
            Some(None) => Err(format!(
                "several requests beside the results are called {:?} and are not the same: none is taken",
                cut_name(id)
            )),
            known => Ok(known.and_then(Option::as_ref)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_line_is_a_request_an_answer_or_why_there_is_none() {
        let said = |line: Value| match BatchEntry::of(&line) {
            Some(BatchEntry::Request) => "request".to_owned(),
            Some(BatchEntry::Result { id, answer: Ok(body) }) => format!("{id}: {body}"),
            Some(BatchEntry::Result { id, answer: Err(why) }) => format!("{id}: {why}"),
            None => "none".to_owned(),
        };
        for (line, expected) in [
            (
                json!({"custom_id": "a", "method": "POST", "url": "/v1/responses", "body": {}}),
                "request",
            ),
            (json!({"custom_id": "a", "params": {"messages": []}}), "request"),
            (
                json!({"custom_id": "a", "response": {"status_code": 200, "body": {"id": 1}}, "error": null}),
                "a: {\"id\":1}",
            ),
            (
                json!({"custom_id": "a", "response": {"status_code": 400, "body": {"error": {"message": "No."}}}}),
                "a: No.",
            ),
            (
                json!({"custom_id": "a", "response": {"status_code": 500, "body": {}}}),
                "a: status 500",
            ),
            (
                json!({"custom_id": "a", "response": null, "error": {"code": "batch_expired", "message": "Late."}}),
                "a: Late.",
            ),
            (
                json!({"custom_id": "a", "result": {"type": "succeeded", "message": {"id": 2}}}),
                "a: {\"id\":2}",
            ),
            (
                json!({"custom_id": "a", "result": {"type": "errored", "error": {"type": "error", "error": {"message": "Bad."}}}}),
                "a: Bad.",
            ),
            (json!({"custom_id": "a", "result": {"type": "expired"}}), "a: the request is expired"),
            (json!({"custom_id": "a"}), "none"),
            (json!({"response": {"status_code": 200}}), "none"),
        ] {
            assert_eq!(said(line.clone()), expected, "{line}");
        }
    }
}
