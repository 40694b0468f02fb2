//! Traces of Playwright (microsoft/playwright, `packages/trace/src/trace.ts`): an archive with `*.trace`, a
//! line an event, and the frames of the screencast. Each action is a turn with one step; the picture of a step
//! is the last frame of its page that came before the action ended.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::base::Limits;
use crate::environment::EnvironmentKind;
use crate::import::archive::Archive;
use crate::import::error::ImportError;
use crate::import::json::{Lines, text};
use crate::import::sink::{
    CallRecord, OutcomeRecord, RunEnd, RunHead, RunWriter, Sink, TurnRecord,
};
use crate::import::source::{Certainty, Source};
use crate::run::TaskRef;

/// Most actions of a trace.
const MOST_ACTIONS: usize = 100_000;
/// Most frames of a trace that are known by their time.
const MOST_FRAMES: usize = 1_000_000;
/// Most bytes of what an action was logging.
const LOG_BYTES: usize = 1 << 20;
/// Most bytes of all that actions were asked with and gave back, as JSON.
const VALUE_BYTES: usize = 512 << 20;

/// An archive with a trace.
pub(super) fn sniff(source: &Source) -> Option<Certainty> {
    let names = source.entries()?;
    names.iter().any(|name| is_named(name, "trace")).then_some(Certainty::Certain)
}

/// Imports each trace of the archive: of each browser context there is one.
pub(super) fn import(source: &Source, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    let mut archive = Archive::open(&source.path)?;
    let names: Vec<String> =
        archive.names().filter(|name| is_named(name, "trace")).map(str::to_owned).collect();
    for (number, name) in (1..).zip(&names) {
        let place = archive.place(name);
        sink.doing(place.clone())?;
        let trace = Trace::read(&mut archive, name, sink)?;
        let id =
            if names.len() == 1 { source.stem() } else { format!("{}-{number}", source.stem()) };
        write(&trace, &id, &place, &mut archive, sink)?;
    }
    Ok(())
}

/// What a trace holds of a browser context.
#[derive(Default)]
struct Trace {
    context: Value,
    actions: BTreeMap<String, Action>,
    /// Ids in the order they came.
    order: Vec<String>,
    frames: Vec<Frame>,
    /// Screenshots after an action, by its id.
    after: BTreeMap<String, String>,
    warnings: Vec<String>,
    errors: Vec<String>,
    value_bytes: usize,
}

struct Frame {
    page: String,
    file: String,
    timestamp: f64,
}

#[derive(Default)]
struct Action {
    name: String,
    title: String,
    params: Value,
    parent: Option<String>,
    page: Option<String>,
    start: f64,
    end: Option<f64>,
    error: Option<String>,
    result: Option<Value>,
    point: Option<Value>,
    log: String,
}

impl Trace {
    fn read(archive: &mut Archive, name: &str, sink: &mut Sink<'_>) -> Result<Self, ImportError> {
        let place = archive.place(name);
        let mut trace = Self::default();
        let mut lines = Lines::new(archive.stream(name)?);
        while let Some((number, line)) = lines.next() {
            match line {
                Ok(event) => trace.take(&event, &format!("{place}:{number}")),
                Err(why) if trace.warnings.len() < 50 => {
                    trace.warnings.push(format!("{why}: {place}:{number}"));
                }
                Err(_) => {}
            }
            if number % 1000 == 0 {
                sink.doing(format!("{place}:{number}"))?;
            }
        }
        Ok(trace)
    }

    fn take(&mut self, event: &Value, place: &str) {
        let id = text(event, "callId").unwrap_or_default();
        match event["type"].as_str() {
            Some("context-options") => self.context = event.clone(),
            Some("before" | "action") => self.begin(id.to_owned(), event, place),
            Some("after") => {
                let result = event.get("result").filter(|it| !it.is_null()).cloned();
                // Results may be whole pages: past the limit of all together they are left out, the actions are not.
                self.value_bytes += result.as_ref().map_or(0, |it| it.to_string().len());
                if let Some(action) = self.actions.get_mut(id) {
                    action.end = event["endTime"].as_f64();
                    action.error = error_of(&event["error"]);
                    action.result = result.filter(|_| self.value_bytes < VALUE_BYTES);
                    // An end without a point does not erase the one that an `input` event told.
                    action.point = event.get("point").cloned().or(action.point.take());
                }
            }
            Some("input") => {
                if let Some(action) = self.actions.get_mut(id) {
                    action.point = event.get("point").cloned();
                }
            }
            // Past the limit of one action the rest of its log is left out: a wait may log for minutes.
            Some("log") => {
                let said = text(event, "message").unwrap_or_default();
                if let Some(action) = self.actions.get_mut(id)
                    && action.log.len() + said.len() < LOG_BYTES
                {
                    action.log.push_str(said.trim());
                    action.log.push('\n');
                }
            }
            Some("screencast-frame") => self.frame(event),
            Some("screenshot") if event["phase"] == "after" => {
                if let Some(file) = text(event, "file") {
                    self.after.insert(id.to_owned(), file.to_owned());
                }
            }
            // Bounded: a page may fail in a loop.
            Some("error") if self.errors.len() < 100 => {
                self.errors.extend(error_of(event));
            }
            _ => {}
        }
    }

    fn begin(&mut self, id: String, event: &Value, place: &str) {
        let params = event.get("params").cloned().unwrap_or_else(|| json!({}));
        self.value_bytes += params.to_string().len();
        let is_too_much = self.actions.len() >= MOST_ACTIONS || self.value_bytes > VALUE_BYTES;
        let why = if id.is_empty() {
            "an action without an id"
        } else if is_too_much {
            "more actions than are read"
        } else if self.actions.contains_key(&id) {
            // The same id again would take the place of an action that others name as their parent.
            "an action with the id of another"
        } else {
            ""
        };
        if !why.is_empty() {
            if self.warnings.len() < 50 {
                self.warnings.push(format!("{why}: {place}"));
            }
            return;
        }
        let class = text(event, "class").unwrap_or("Unknown");
        let method = text(event, "method").or_else(|| text(event, "apiName")).unwrap_or("unnamed");
        self.order.push(id.clone());
        self.actions.insert(
            id,
            Action {
                name: format!("{class}.{method}"),
                title: text(event, "title").unwrap_or_default().to_owned(),
                params,
                parent: text(event, "parentId").map(str::to_owned),
                page: text(event, "pageId").map(str::to_owned),
                start: event["startTime"].as_f64().unwrap_or(0.0),
                // Before version 4 an action was one event.
                end: event["endTime"].as_f64(),
                error: error_of(&event["error"]),
                result: event.get("result").filter(|it| !it.is_null()).cloned(),
                point: event.get("point").cloned(),
                log: String::new(),
            },
        );
    }

    fn frame(&mut self, event: &Value) {
        let file = text(event, "file").map(str::to_owned);
        // Up to version 8 a frame is named by its hash.
        let file = file.or_else(|| text(event, "sha1").map(|sha1| format!("resources/{sha1}")));
        if let (Some(file), Some(timestamp)) = (file, event["timestamp"].as_f64())
            && self.frames.len() < MOST_FRAMES
        {
            let page = text(event, "pageId").unwrap_or_default().to_owned();
            self.frames.push(Frame { page, file, timestamp });
        }
    }

    /// The action at the top of the one with this id; an action whose parents go in a circle stands at the
    /// top itself.
    fn root<'a>(&'a self, id: &'a str) -> &'a str {
        let (mut at, mut seen) = (id, BTreeSet::new());
        while let Some(parent) = self.actions.get(at).and_then(|action| action.parent.as_deref()) {
            if !seen.insert(at) {
                return id;
            }
            if !self.actions.contains_key(parent) {
                break;
            }
            at = parent;
        }
        at
    }

    /// What was seen last of an action's page before it ended.
    fn picture_of(&self, id: &str, action: &Action) -> Option<&str> {
        if let Some(file) = self.after.get(id) {
            return Some(file);
        }
        let end = action.end.unwrap_or(f64::INFINITY);
        let frames = self.frames.iter().filter(|frame| {
            action.page.as_ref().is_none_or(|page| *page == frame.page) && frame.timestamp <= end
        });
        frames.max_by(|a, b| a.timestamp.total_cmp(&b.timestamp)).map(|frame| &*frame.file)
    }

    /// RFC 3339 of a time of the trace's own clock; empty where the clock is not known.
    fn moment(&self, time: f64) -> String {
        let wall = self.context["wallTime"].as_f64();
        let zero = self.context["monotonicTime"].as_f64();
        let millis = wall.zip(zero).map(|(wall, zero)| wall + (time - zero));
        // Traces of old versions have a clock of seconds, which is not told apart.
        let millis = millis.filter(|millis| millis.is_finite() && millis.abs() < 1e14);
        millis
            .and_then(|millis| jiff::Timestamp::from_millisecond(millis as i64).ok())
            .map(|at| at.to_string())
            .unwrap_or_default()
    }
}

fn error_of(error: &Value) -> Option<String> {
    let error = error.get("error").unwrap_or(error);
    text(error, "message")
        .or_else(|| text(error, "name"))
        .or_else(|| error.as_str())
        .map(str::to_owned)
}

fn write(
    trace: &Trace,
    id: &str,
    place: &str,
    archive: &mut Archive,
    sink: &mut Sink<'_>,
) -> Result<(), ImportError> {
    let context = &trace.context;
    let started = context["monotonicTime"].as_f64().map(|zero| trace.moment(zero));
    let mut head = RunHead {
        environment: EnvironmentKind::from("browser"),
        started: started.unwrap_or_default(),
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
            calls.extend(call_of(trace, id, archive, &mut writer)?);
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
    archive: &mut Archive,
    writer: &mut RunWriter,
) -> Result<Option<CallRecord>, ImportError> {
    let Some(action) = trace.actions.get(id) else { return Ok(None) };
    let image = match trace.picture_of(id, action) {
        Some(file) if archive.has(file) => {
            let place = archive.place(file);
            match archive.read(file, Limits::IMAGE_BYTES) {
                Ok(bytes) => writer.picture(&bytes, &place)?,
                Err(error) => {
                    writer.warn(error.to_string());
                    None
                }
            }
        }
        Some(file) => {
            let shown: String = file.chars().take(120).collect();
            writer.warn(format!("a picture is missing: {}", archive.place(&shown)));
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

/// Whether a name ends so, as these programs write it.
fn is_named(name: &str, extension: &str) -> bool {
    std::path::Path::new(name).extension().is_some_and(|it| it == extension)
}
