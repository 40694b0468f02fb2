//! Traces of OpenTelemetry with its conventions for generative AI: OTLP as JSON, one object or one a line, and
//! the spans that the Python SDK writes. Each trace is a run: spans that ask a model are its turns, spans that
//! carry a tool out are what came of its calls.
//!
//! What was said stands in attributes (`gen_ai.input.messages`, `gen_ai.output.messages`), in events of the span,
//! or, by OpenLLMetry, in attributes with numbers (`gen_ai.completion.0.content`); where a program recorded none of
//! it, turns have no words.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde_json::{Value, json};

use crate::import::conversation::{
    Answer, AskedCall, Conversation, ToolResult, arguments_of, paragraphs,
};
use crate::import::error::ImportError;
use crate::import::json::{self, first_count, items, text, words};
use crate::import::sink::{OutcomeRecord, RunEnd, RunHead, Sink};
use crate::import::source::{Certainty, Source};
use crate::run::{Outcome, TaskRef, Usage};

use super::otel_span::{Span, SpanMessage};

/// Most spans that are read of a file.
const MOST_SPANS: usize = 500_000;

/// Spans of either shape that speak of generative AI.
pub(super) fn sniff(source: &Source) -> Option<Certainty> {
    let outline = source.outline()?;
    let is_otlp = outline.has("resourceSpans") || outline.has("resource_spans");
    let is_python = outline.has_all(&["context", "attributes", "start_time"]);
    let is_span = outline.has_all(&["traceId", "spanId"]);
    (is_otlp || is_python || is_span).then_some(Certainty::Certain)
}

/// Imports every trace.
pub(super) fn import(source: &Source, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    let path = source.path.display().to_string();
    let mut spans = Spans::default();
    json::each(source, sink, |value, place, sink| {
        match value {
            Ok(value) => spans.take(value, place, sink),
            Err(why) => sink.report.skip(place, why),
        }
        Ok(())
    })?;
    // Only now, when all lines are read: spans of one trace may lie anywhere in the file.
    let stem = source.stem();
    let count = spans.traces.len();
    for (number, (trace, spans)) in (1..).zip(spans.traces) {
        let place = format!("{path}#{trace}");
        sink.doing(place.clone())?;
        // Traces of web servers and databases lie in the same file.
        if !spans.iter().any(|span| span.is_answer() || span.is_tool()) {
            sink.report.skip(place, "no span of the trace asks a model or carries out a tool");
            continue;
        }
        let id = if count == 1 { stem.clone() } else { format!("{stem}-{number}") };
        write(spans, &id, &place, sink)?;
    }
    Ok(())
}

/// The spans of a file by their trace.
#[derive(Default)]
struct Spans {
    traces: BTreeMap<String, Vec<Span>>,
    seen: BTreeSet<(String, String)>,
}

impl Spans {
    /// Takes what is one span, or holds some.
    fn take(&mut self, value: &Value, place: &str, sink: &mut Sink<'_>) {
        let groups = [items(value, "resourceSpans"), items(value, "resource_spans")].concat();
        if groups.is_empty() {
            self.add(Span::read(value), place, sink);
            return;
        }
        for group in &groups {
            // Before version 0.15 of the protocol a scope was called a library.
            let names = ["scopeSpans", "scope_spans", "instrumentationLibrarySpans"];
            let scopes = names.map(|name| items(group, name)).concat();
            for span in scopes.iter().flat_map(|scope| items(scope, "spans")) {
                self.add(Span::read(span), place, sink);
            }
        }
    }

    fn add(&mut self, span: Option<Span>, place: &str, sink: &mut Sink<'_>) {
        let Some(span) = span else {
            sink.report.skip(place, "it is no span: it has no id of a trace or of itself");
            return;
        };
        if self.seen.len() >= MOST_SPANS {
            sink.report.skip(place, format!("more than {MOST_SPANS} spans"));
            return;
        }
        if !self.seen.insert((span.trace.clone(), span.id.clone())) {
            sink.report.skip(place, format!("the span {} is there twice", span.id));
            return;
        }
        self.traces.entry(span.trace.clone()).or_default().push(span);
    }
}

/// Whether the parents of any span lead back to it.
fn has_circle(spans: &[Span]) -> bool {
    let parents: BTreeMap<&str, &str> =
        spans.iter().filter_map(|span| Some((&*span.id, span.parent.as_deref()?))).collect();
    let mut sound: BTreeSet<&str> = BTreeSet::new();
    for start in parents.keys() {
        let (mut at, mut path) = (*start, BTreeSet::new());
        while let Some(parent) = parents.get(at) {
            if !path.insert(at) {
                return true;
            }
            if sound.contains(at) {
                break;
            }
            at = parent;
        }
        sound.extend(path);
    }
    false
}

fn write(
    mut spans: Vec<Span>,
    id: &str,
    place: &str,
    sink: &mut Sink<'_>,
) -> Result<(), ImportError> {
    // Times decide and not parents: spans of tools lie beside, below or above those of the answers.
    spans.sort_by_key(|span| span.start);
    // Zero is a time that was not said.
    let started = spans.iter().map(|span| span.start).filter(|at| *at > 0).min();
    let finished = spans.iter().map(|span| span.end).max();
    let mut head =
        RunHead { started: started.map(moment).unwrap_or_default(), ..RunHead::new("", "", place) };
    // A model is who acted; what people called the agent stands beside.
    if let Some(model) = said(&spans, &["gen_ai.response.model", "gen_ai.request.model"]) {
        model.clone_into(&mut head.agent);
    }
    head.task = TaskRef { set: "opentelemetry".to_owned(), id: id.to_owned() };
    let facts = [
        ("agent", said(&spans, &["gen_ai.agent.name"])),
        ("system", said(&spans, &["gen_ai.provider.name", "gen_ai.system"])),
        ("conversation", said(&spans, &["gen_ai.conversation.id"])),
    ];
    let mut writer = sink.begin(head)?;
    writer.about(|record| {
        for (name, value) in facts {
            record.facts.extend(value.map(|value| (name.to_owned(), json!(value))));
        }
    });
    // A circle in parents is only possible in a broken or hostile file, and a walk up would never end.
    if has_circle(&spans) {
        writer.warn(format!("the parents of spans go in a circle, and are not looked at: {place}"));
    }
    let mut conversation = Conversation::default();
    let mut seen: HashSet<blake3::Hash> = HashSet::new();
    let mut stop = None;
    for span in spans.iter().filter(|span| span.is_answer() || span.is_tool()) {
        if span.is_tool() {
            tool(span, &mut conversation);
            continue;
        }
        // What a model is asked with has the results of the tools that were called before.
        let asked = span.asked();
        // Every request repeats what came before: new is what follows the last answer in it.
        let last_answer = asked.iter().rposition(|said| said.role == "assistant");
        for (at, said) in asked.iter().enumerate() {
            result_or_told(said, &mut conversation, &mut writer, place);
            let is_new = last_answer.is_none_or(|answer| at > answer);
            for picture in &said.pictures {
                let bytes = match picture {
                    Ok(bytes) => bytes,
                    Err(why) => {
                        writer.warn(format!("{why}: {place}"));
                        continue;
                    }
                };
                // Where there is no answer in it, what was not seen before is new.
                let is_first = seen.insert(blake3::hash(bytes));
                if is_new && (is_first || last_answer.is_some()) {
                    let image = writer.picture(bytes, place)?;
                    conversation.shown(&mut writer, image);
                }
            }
        }
        let (said, calls, reason) = answered(span);
        stop = reason;
        if let Some(error) = &span.error {
            // The error ends the turn before it; what was answered all the same follows below.
            conversation.end_turn(&mut writer)?;
            writer.error(error.clone())?;
        }
        let answer = Answer {
            at: moment(span.start),
            text: said,
            calls,
            usage: usage_of(&span.attributes),
            model: text(&span.attributes, "gen_ai.response.model").map(str::to_owned),
            seconds: span.seconds(),
            ..Answer::default()
        };
        conversation.answer(&mut writer, answer)?;
    }
    let ends = conversation.ends_without_call();
    conversation.end_turn(&mut writer)?;
    // Only a model that stopped by itself, and with words, has finished; a stop after a call is one of many.
    let stop = stop.filter(|stop| ends && matches!(stop.as_str(), "stop" | "end_turn"));
    let end = RunEnd {
        outcome: stop.map(|stop| (Outcome::Completed, stop)),
        finished: finished.filter(|at| *at > 0).map(moment).unwrap_or_default(),
        ..RunEnd::default()
    };
    sink.finish(writer, end)
}

/// What the first span that says anything under the first of these names says.
fn said<'a>(spans: &'a [Span], names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| spans.iter().find_map(|span| text(&span.attributes, name)))
}

/// What a tool was asked and gave back.
fn tool(span: &Span, conversation: &mut Conversation) {
    let attributes = &span.attributes;
    let id = text(&span.attributes, "gen_ai.tool.call.id").unwrap_or_default();
    let given = attributes
        .get("gen_ai.tool.call.result")
        .or_else(|| attributes.get("traceloop.entity.output"));
    let given = given.map(words).unwrap_or_default();
    let latency_ms = span.seconds() * 1e3;
    let outcome = OutcomeRecord {
        text: given,
        error: span.error.clone(),
        latency_ms,
        ..OutcomeRecord::default()
    };
    let name = text(&span.attributes, "gen_ai.tool.name")
        .or_else(|| text(&span.attributes, "traceloop.entity.name"))
        .unwrap_or(&span.name);
    let asked = attributes
        .get("gen_ai.tool.call.arguments")
        .or_else(|| attributes.get("traceloop.entity.input"));
    let arguments = arguments_of(asked);
    let call = AskedCall { id: id.to_owned(), name: name.to_owned(), arguments, outcome: None };
    conversation.carried_out(call, outcome);
}

/// Of what the model was asked with, what belongs to calls of the turn before, and what it was asked at first.
fn result_or_told(
    said: &SpanMessage,
    conversation: &mut Conversation,
    writer: &mut crate::import::sink::RunWriter,
    place: &str,
) {
    for (id, given) in &said.results {
        // Every request repeats those of all turns before.
        if conversation.waits_for(id) {
            let result =
                ToolResult { call_id: id.clone(), text: given.clone(), ..ToolResult::default() };
            conversation.result(writer, result, place);
        }
    }
    // The first thing a user says is the task; later ones are results or repeats.
    if said.role == "user" && writer.is_empty() && !said.text.is_empty() {
        writer.set_instruction(&said.text);
    }
}

/// What the model said, what it asked for, and why it stopped.
fn answered(span: &Span) -> (String, Vec<AskedCall>, Option<String>) {
    let (mut said, mut calls, mut stop) = (Vec::new(), Vec::new(), None);
    for message in span.answered() {
        said.push(message.text);
        stop = message.finish.or(stop);
        for (id, name, arguments) in message.calls {
            let arguments = arguments_of(Some(&arguments));
            calls.push(AskedCall { id, name, arguments, outcome: None });
        }
    }
    let reasons = &span.attributes["gen_ai.response.finish_reasons"];
    let stop = stop.or_else(|| Some(reasons.as_array()?.first()?.as_str()?.to_owned()));
    (paragraphs(said), calls, stop)
}

fn usage_of(attributes: &Value) -> Option<Usage> {
    let input =
        first_count(attributes, &["gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"]);
    let output =
        first_count(attributes, &["gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"]);
    (input.is_some() || output.is_some()).then(|| Usage {
        input_tokens: input.unwrap_or(0),
        output_tokens: output.unwrap_or(0),
        cost_usd: None,
    })
}

/// RFC 3339 of nanoseconds since 1970; empty where they are no time.
fn moment(nanos: u64) -> String {
    if nanos == 0 {
        return String::new();
    }
    jiff::Timestamp::from_nanosecond(i128::from(nanos)).map(|at| at.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Map;

    fn span(id: &str, parent: &str) -> Span {
        Span::read(&json!({"traceId": "t", "spanId": id, "parentSpanId": parent})).unwrap()
    }

    #[test]
    fn parents_that_go_in_a_circle_are_found() {
        let chain = [span("a", ""), span("b", "a"), span("c", "b"), span("d", "b")];
        assert!(!has_circle(&chain));
        let circle = [span("a", "c"), span("b", "a"), span("c", "b")];
        assert!(has_circle(&circle));
        assert!(has_circle(&[span("a", "a")]));
    }

    #[test]
    fn tokens_are_read_by_old_and_new_names() {
        let old = json!({"gen_ai.usage.prompt_tokens": "12"});
        assert_eq!(usage_of(&old).map(|usage| usage.input_tokens), Some(12));
        assert_eq!(usage_of(&Value::Object(Map::new())), None);
    }
}
