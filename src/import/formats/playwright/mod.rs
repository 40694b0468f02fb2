//! Traces of Playwright (microsoft/playwright, `packages/trace/src/trace.ts`): an archive with `*.trace`, a
//! line an event, and the frames of the screencast; or the folder it was unpacked into. Each action is a turn with
//! one step; the picture of a step is the last frame of its page that came before the action ended.
//!
//! What a test runner traced (`test.trace`) is one run with the browser contexts of its test: [`Trace::join`].

mod files;
mod trace;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::base::Limits;
use crate::environment::EnvironmentKind;
use crate::import::error::ImportError;
use crate::import::json::text;
use crate::import::report::cut_name;
use crate::import::sink::{
    CallRecord, OutcomeRecord, RunEnd, RunHead, RunWriter, Sink, TurnRecord,
};
use crate::import::source::{Certainty, Source, is_named};
use crate::run::TaskRef;

use self::files::{TraceFiles, is_trace};
use self::trace::{Spent, Trace};

/// An archive or folder with a trace, or a trace by itself.
pub(super) fn sniff(source: &Source) -> Option<Certainty> {
    let is_known = match (source.entries(), source.outline()) {
        (Some(names), _) => names.iter().any(|name| is_named(name, "trace")),
        (None, Some(outline)) => outline.text("type") == Some("context-options"),
        (None, None) => source.files().iter().any(|file| is_trace(source, file)),
    };
    is_known.then_some(Certainty::Certain)
}

/// Imports what was traced: of each browser context there is a trace.
pub(super) fn import(source: &Source, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    let mut files = TraceFiles::open(source)?;
    let names = files.traces();
    let (mut traces, mut spent) = (Vec::new(), Spent::default());
    for name in &names {
        let place = files.place(name);
        sink.doing(place.clone())?;
        let trace = Trace::read(&mut files, name, spent, sink)?;
        spent = trace.spent;
        traces.push((place, trace));
    }
    let runner = traces.iter().position(|(_, trace)| trace.is_of_runner());
    if let Some(at) = runner
        && traces.iter().any(|(_, context)| traces[at].1.has_steps_of(context))
    {
        let (_, mut runner) = traces.remove(at);
        runner.join(traces.into_iter().map(|(_, trace)| trace).collect());
        let place = source.path.display().to_string();
        return write(&runner, &source.stem(), &place, &mut files, sink);
    }
    for (number, (place, trace)) in (1..).zip(&traces) {
        let id =
            if traces.len() == 1 { source.stem() } else { format!("{}-{number}", source.stem()) };
        write(trace, &id, place, &mut files, sink)?;
    }
    Ok(())
}

fn write(
    trace: &Trace,
    id: &str,
    place: &str,
    files: &mut TraceFiles,
    sink: &mut Sink<'_>,
) -> Result<(), ImportError> {
    let context = &trace.context;
    let mut head = RunHead {
        environment: EnvironmentKind::from("browser"),
        started: trace.started(),
        ..RunHead::new("", "", place)
    };
    let title = text(context, "title").map(str::to_owned);
    head.task = TaskRef {
        set: "playwright".to_owned(),
        id: title.clone().unwrap_or_else(|| id.to_owned()),
    };
    let mut writer = sink.begin(head)?;
    writer.about(|record| {
        let names = ["browserName", "playwrightVersion", "platform", "origin", "version"];
        for name in names {
            if let Some(value) = context.get(name).filter(|it| !it.is_null()) {
                record.facts.insert(name.to_owned(), value.clone());
            }
        }
        record.facts.insert("trace".to_owned(), json!(id));
    });
    for warning in &trace.warnings {
        writer.warn(warning.clone());
    }
    // Each action at the top is a turn, what it did inside are further steps of it.
    // In the order of their starts; equals stay in that of the file, as the sort is stable.
    let mut order: Vec<&String> = trace.order.iter().collect();
    order.sort_by(|a, b| {
        let [a, b] = [a, b].map(|id| trace.actions.get(*id).map_or(0.0, |action| action.start));
        a.total_cmp(&b)
    });
    let mut inside: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for id in &order {
        // Grandchildren too: a run knows turns and steps, and no third level.
        let root = trace.root(id);
        if root != id.as_str() {
            inside.entry(root).or_default().push(id);
        }
    }
    for id in order.iter().filter(|id| trace.root(id) == id.as_str()) {
        let Some(action) = trace.actions.get(*id) else { continue };
        sink.doing(format!("{place} · {}", action.name))?;
        let below = inside.get(id.as_str()).map(Vec::as_slice).unwrap_or_default();
        let mut calls = Vec::new();
        for id in std::iter::once(id.as_str()).chain(below.iter().copied()) {
            calls.extend(call_of(trace, id, files, &mut writer)?);
        }
        writer.turn(TurnRecord {
            at: trace.moment(action.start),
            thought: action.title.clone(),
            // Playwright counts in milliseconds.
            seconds: action.end.map_or(0.0, |end| (end - action.start) / 1e3),
            calls,
            ..TurnRecord::default()
        })?;
    }
    for error in &trace.errors {
        writer.error(error.clone())?;
    }
    if writer.is_empty() {
        let why = trace.warnings.first().map_or("the trace holds no action", String::as_str);
        sink.report.skip(place, why);
        return Ok(());
    }
    sink.finish(writer, RunEnd::default())
}

fn call_of(
    trace: &Trace,
    id: &str,
    files: &mut TraceFiles,
    writer: &mut RunWriter,
) -> Result<Option<CallRecord>, ImportError> {
    let Some(action) = trace.actions.get(id) else { return Ok(None) };
    let image = match trace.picture_of(id, action) {
        Some(file) if files.has(file) => {
            let place = files.place(file);
            match files.read(file, Limits::IMAGE_BYTES) {
                Ok(bytes) => writer.picture(&bytes, &place)?,
                Err(error) => {
                    writer.warn(error.to_string());
                    None
                }
            }
        }
        Some(file) => {
            writer.warn(format!("a picture is missing: {}", files.place(&cut_name(file))));
            None
        }
        None => None,
    };
    // Of an action that never ended nothing is known but what could be seen.
    let outcome = (action.end.is_some() || image.is_some()).then(|| {
        let mut structured = Map::new();
        for (name, value) in [("result", &action.result), ("point", &action.point)] {
            if let Some(value) = value.as_ref().filter(|value| !value.is_null()) {
                structured.insert(name.to_owned(), value.clone());
            }
        }
        OutcomeRecord {
            text: action.log.trim_end().to_owned(),
            structured: (!structured.is_empty()).then_some(Value::Object(structured)),
            image,
            error: action.error.clone(),
            latency_ms: action.end.map_or(0.0, |end| end - action.start),
        }
    });
    // Arguments of a call are an object everywhere else.
    let arguments = match &action.params {
        Value::Object(_) => action.params.clone(),
        other => json!({ "value": other }),
    };
    Ok(Some(CallRecord { id: id.to_owned(), name: action.name.clone(), arguments, outcome }))
}
