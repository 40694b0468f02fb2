//! What a trace of Playwright holds: its events as actions, frames of its pages and what went wrong. Versions
//! differ in where an event says what; `packages/trace` and the viewer's `traceModernizer.ts` tell how.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::import::error::ImportError;
use crate::import::json::{Lines, items, text};
use crate::import::sink::Sink;

use super::files::TraceFiles;

/// Most actions of all traces of an archive.
const MOST_ACTIONS: usize = 100_000;
/// Most frames of them that are known by their time.
const MOST_FRAMES: usize = 1_000_000;
/// Most bytes of what an action was logging.
const LOG_BYTES: usize = 1 << 20;
/// Most bytes of all that actions were asked with and gave back, as JSON.
const VALUE_BYTES: usize = 512 << 20;

/// What was read so far of what there may be.
#[derive(Clone, Copy, Default)]
pub(super) struct Spent {
    actions: usize,
    frames: usize,
    value_bytes: usize,
}

/// What a trace holds of a browser context, or of a test.
#[derive(Default)]
pub(super) struct Trace {
    pub(super) context: Value,
    pub(super) actions: BTreeMap<String, TraceAction>,
    /// Ids in the order they came.
    pub(super) order: Vec<String>,
    /// By their pages, each in the order of time.
    frames: BTreeMap<String, Vec<ScreencastFrame>>,
    /// Screenshots after an action, by its id.
    after: BTreeMap<String, String>,
    pub(super) warnings: Vec<String>,
    pub(super) errors: Vec<String>,
    /// A time of the trace's own clock and the same in milliseconds since 1970: up to version 6 the first action
    /// says it, and not the context.
    clock: Option<(f64, f64)>,
    /// Together with the traces before.
    pub(super) spent: Spent,
}

struct ScreencastFrame {
    file: String,
    timestamp: f64,
}

#[derive(Default)]
pub(super) struct TraceAction {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) params: Value,
    pub(super) parent: Option<String>,
    /// The step of a test that it belongs to.
    step: Option<String>,
    page: Option<String>,
    pub(super) start: f64,
    pub(super) end: Option<f64>,
    pub(super) error: Option<String>,
    pub(super) result: Option<Value>,
    pub(super) point: Option<Value>,
    pub(super) log: String,
}

impl TraceAction {
    /// Past the limit of one action the rest of its log is left out: a wait may log for minutes.
    fn log(&mut self, said: &str) {
        if self.log.len() + said.len() < LOG_BYTES {
            self.log.push_str(said.trim());
            self.log.push('\n');
        }
    }
}

impl Trace {
    /// Reads a trace; what cannot be read of it is a warning.
    pub(super) fn read(
        files: &mut TraceFiles,
        name: &str,
        spent: Spent,
        sink: &mut Sink<'_>,
    ) -> Result<Self, ImportError> {
        let place = files.place(name);
        let mut trace = Self { spent, ..Self::default() };
        let mut lines = Lines::new(files.stream(name)?);
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
        trace.sort_frames();
        Ok(trace)
    }

    fn take(&mut self, event: &Value, place: &str) {
        let id = text(event, "callId").unwrap_or_default();
        match event["type"].as_str() {
            Some("context-options") => self.context = event.clone(),
            Some("before" | "action") => match event.get("metadata") {
                // Version 3 and older.
                Some(metadata) if !is_of_playwright(metadata) => {
                    self.begin(text(metadata, "id").unwrap_or_default(), metadata, place);
                }
                Some(_) => {}
                None => self.begin(id, event, place),
            },
            Some("after") => {
                let result = event.get("result").filter(|it| !it.is_null()).cloned();
                // Results may be whole pages: past the limit of all together they are left out, the actions are not.
                self.spent.value_bytes += result.as_ref().map_or(0, |it| it.to_string().len());
                if let Some(action) = self.actions.get_mut(id) {
                    action.end = event["endTime"].as_f64();
                    action.error = error_of(&event["error"]);
                    action.result = result.filter(|_| self.spent.value_bytes < VALUE_BYTES);
                    // An end without a point does not erase the one that an `input` event told.
                    action.point = event.get("point").cloned().or(action.point.take());
                    // Version 5 and older have the log at the end.
                    items(event, "log")
                        .iter()
                        .filter_map(Value::as_str)
                        .for_each(|it| action.log(it));
                }
            }
            Some("input") => {
                if let Some(action) = self.actions.get_mut(id) {
                    action.point = event.get("point").cloned();
                }
            }
            Some("log") => {
                if let Some(action) = self.actions.get_mut(id) {
                    action.log(text(event, "message").unwrap_or_default());
                }
            }
            Some("screencast-frame") => self.frame(event),
            // From version 9 on an action does not say its page, but what is kept of the page then does.
            Some("frame-snapshot") => self.page_of_action(&event["snapshot"]),
            Some("aria-snapshot") => self.page_of_action(event),
            Some("screenshot") => {
                self.page_of_action(event);
                if let Some(file) = text(event, "file").filter(|_| event["phase"] == "after") {
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

    fn page_of_action(&mut self, event: &Value) {
        let action = text(event, "callId").and_then(|id| self.actions.get_mut(id));
        if let Some(action) = action.filter(|action| action.page.is_none()) {
            action.page = text(event, "pageId").map(str::to_owned);
        }
    }

    fn begin(&mut self, id: &str, event: &Value, place: &str) {
        let params = event.get("params").cloned().unwrap_or_else(|| json!({}));
        self.spent.value_bytes += params.to_string().len();
        let is_too_much =
            self.spent.actions >= MOST_ACTIONS || self.spent.value_bytes > VALUE_BYTES;
        let why = if id.is_empty() {
            "an action without an id"
        } else if is_too_much {
            "more actions than are read"
        } else if self.actions.contains_key(id) {
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
        // Version 3 has the class under another name.
        let class = text(event, "class")
            .or_else(|| text(event, "type").filter(|it| *it != "before" && *it != "action"));
        let class = class.unwrap_or("Unknown");
        let method = text(event, "method").or_else(|| text(event, "apiName")).unwrap_or("unnamed");
        if let (None, Some(start), Some(wall)) =
            (self.clock, event["startTime"].as_f64(), event["wallTime"].as_f64())
        {
            self.clock = Some((start, wall));
        }
        let mut action = TraceAction {
            name: format!("{class}.{method}"),
            title: text(event, "title").unwrap_or_default().to_owned(),
            params,
            parent: text(event, "parentId").map(str::to_owned),
            step: text(event, "stepId").map(str::to_owned),
            page: text(event, "pageId").map(str::to_owned),
            start: event["startTime"].as_f64().unwrap_or(0.0),
            // Before version 5 an action was one event.
            end: event["endTime"].as_f64(),
            error: error_of(&event["error"]),
            result: event.get("result").filter(|it| !it.is_null()).cloned(),
            point: event.get("point").cloned(),
            log: String::new(),
        };
        items(event, "log").iter().filter_map(Value::as_str).for_each(|it| action.log(it));
        self.spent.actions += 1;
        self.order.push(id.to_owned());
        self.actions.insert(id.to_owned(), action);
    }

    fn frame(&mut self, event: &Value) {
        let file = text(event, "file").map(str::to_owned);
        // Up to version 8 a frame is named by its hash.
        let file = file.or_else(|| text(event, "sha1").map(|sha1| format!("resources/{sha1}")));
        if let (Some(file), Some(timestamp)) = (file, event["timestamp"].as_f64())
            && self.spent.frames < MOST_FRAMES
        {
            self.spent.frames += 1;
            let page = text(event, "pageId").unwrap_or_default().to_owned();
            self.frames.entry(page).or_default().push(ScreencastFrame { file, timestamp });
        }
    }

    /// So that the last before a time is found without looking at all of them. Equals stay in the order of the file.
    fn sort_frames(&mut self) {
        for frames in self.frames.values_mut() {
            frames.sort_by(|a, b| a.timestamp.total_cmp(&b.timestamp));
        }
    }

    /// The action at the top of the one with this id; an action whose parents go in a circle stands at the
    /// top itself.
    pub(super) fn root<'a>(&'a self, id: &'a str) -> &'a str {
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
    pub(super) fn picture_of(&self, id: &str, action: &TraceAction) -> Option<&str> {
        if let Some(file) = self.after.get(id) {
            return Some(file);
        }
        let end = action.end.unwrap_or(f64::INFINITY);
        let pages = self.frames.iter();
        let pages = pages.filter(|(page, _)| action.page.as_ref().is_none_or(|it| it == *page));
        let last = pages.filter_map(|(_, frames)| {
            let count = frames.partition_point(|frame| frame.timestamp <= end);
            frames.get(count.checked_sub(1)?)
        });
        last.max_by(|a, b| a.timestamp.total_cmp(&b.timestamp)).map(|frame| &*frame.file)
    }

    /// RFC 3339 of a time of the trace's own clock; empty where the clock is not known.
    pub(super) fn moment(&self, time: f64) -> String {
        let zero = self.context["monotonicTime"].as_f64();
        let clock = zero.zip(self.context["wallTime"].as_f64()).or(self.clock);
        clock.map(|(zero, wall)| moment_of(wall + (time - zero))).unwrap_or_default()
    }

    /// When it was begun, RFC 3339; empty where it does not say it.
    pub(super) fn started(&self) -> String {
        self.context["wallTime"].as_f64().map(moment_of).unwrap_or_default()
    }

    /// Whether a test runner wrote it; up to version 6 such traces have no context.
    pub(super) fn is_of_runner(&self) -> bool {
        self.context["origin"] == "testRunner"
            || (self.context.is_null()
                && self.actions.values().any(|action| action.name.starts_with("Test.")))
    }

    /// Whether actions of a browser context are steps of this test.
    pub(super) fn has_steps_of(&self, context: &Self) -> bool {
        !context.is_of_runner()
            && context.actions.values().any(|action| self.of_step(action.step.as_deref()).is_some())
    }

    /// The id of the action that is this step: steps have the ids of their actions.
    fn of_step<'a>(&self, step: Option<&'a str>) -> Option<&'a str> {
        step.filter(|step| self.actions.contains_key(*step))
    }

    /// Joins what a test runner traced with what its browser contexts did, as Playwright's viewer does: a step
    /// that called a browser gets what the browser was asked and what could be seen, at the time that the test saw.
    pub(super) fn join(&mut self, contexts: Vec<Self>) {
        // The clocks of the two processes differ: the first step that both have says by how much.
        let clocks =
            contexts.iter().flat_map(|context| context.actions.values()).find_map(|action| {
                let own = self.actions.get(self.of_step(action.step.as_deref())?)?;
                Some(own.start - action.start)
            });
        let ahead = clocks.unwrap_or(0.0);
        for (number, mut context) in (1..).zip(contexts) {
            self.take_context(&context.context);
            // By which ids the actions of the context are known from now on.
            let mut renamed: BTreeMap<String, String> = BTreeMap::new();
            let mut joined: BTreeSet<String> = BTreeSet::new();
            for id in std::mem::take(&mut context.order) {
                let Some(mut action) = context.actions.remove(&id) else { continue };
                action.start += ahead;
                action.end = action.end.map(|end| end + ahead);
                let step = self.of_step(action.step.as_deref()).map(str::to_owned);
                let parent = action.parent.take();
                action.parent = parent.map(|it| renamed.get(&it).cloned().unwrap_or(it));
                let new = match (step, action) {
                    // A step may have called the browser several times.
                    (Some(step), action) if joined.insert(step.clone()) => {
                        self.join_action(&step, action);
                        step
                    }
                    (step, mut action) => {
                        action.parent = action.parent.or(step);
                        let is_taken = self.actions.contains_key(&id);
                        let new = if is_taken { format!("{id} ({number})") } else { id.clone() };
                        self.order.push(new.clone());
                        self.actions.insert(new.clone(), action);
                        new
                    }
                };
                if let Some(file) = context.after.remove(&id) {
                    self.after.insert(new.clone(), file);
                }
                renamed.insert(id, new);
            }
            for (page, mut frames) in std::mem::take(&mut context.frames) {
                for frame in &mut frames {
                    frame.timestamp += ahead;
                }
                self.frames.entry(page).or_default().append(&mut frames);
            }
            self.warnings.append(&mut context.warnings);
            self.errors.append(&mut context.errors);
        }
        self.sort_frames();
    }

    fn join_action(&mut self, step: &str, asked: TraceAction) {
        let Some(own) = self.actions.get_mut(step) else { return };
        own.name = asked.name;
        own.params = asked.params;
        own.page = asked.page;
        own.point = asked.point;
        own.log = asked.log;
        own.result = asked.result.or(own.result.take());
        own.error = own.error.take().or(asked.error);
    }

    /// What a browser says of itself, where the test runner does not; the clock stays its own.
    fn take_context(&mut self, of_browser: &Value) {
        let Value::Object(of_browser) = of_browser else { return };
        if !self.context.is_object() {
            self.context = json!({});
        }
        for (name, value) in of_browser {
            let is_said = self.context.get(name).is_some_and(|it| !it.is_null() && it != "");
            if !is_said && !["wallTime", "monotonicTime"].contains(&name.as_str()) {
                self.context[name.as_str()] = value.clone();
            }
        }
    }
}

/// Whether version 3 recorded it for itself, as the viewer knows it.
fn is_of_playwright(metadata: &Value) -> bool {
    let is_tracing = text(metadata, "method").is_some_and(|it| it.starts_with("tracing"));
    metadata["internal"] == true || is_tracing
}

/// RFC 3339 of milliseconds since 1970; empty where they are no time.
fn moment_of(millis: f64) -> String {
    if !millis.is_finite() || millis.abs() >= 1e14 {
        return String::new();
    }
    let at = jiff::Timestamp::from_millisecond(millis as i64);
    at.map(|at| at.to_string()).unwrap_or_default()
}

fn error_of(error: &Value) -> Option<String> {
    let error = error.get("error").unwrap_or(error);
    text(error, "message")
        .or_else(|| text(error, "name"))
        .or_else(|| error.as_str())
        .map(str::to_owned)
}
