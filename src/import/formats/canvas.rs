//! CANVAS's result folders (kixlab/canvas, `base_runner.save_results`): `R-history.json` with what was asked
//! and answered, `snapshots/R-snapshot-N.json` with what each turn's tools gave back and what the canvas then
//! looked like, `R-json-structure.json` and `R-canvas.png` with the end.
//!
//! The two are joined by the snapshots' numbers, which are those of the turns that called a tool, as long as the ids of
//! the calls say the same; otherwise by these, and by their order where there are none. Snapshots have no arguments, the
//! history no pictures; either may be missing.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::base::{Limits, read_file_limited};
use crate::environment::EnvironmentKind;
use crate::import::conversation::{arguments_of, paragraphs, usage_of};
use crate::import::error::ImportError;
use crate::import::json;
use crate::import::picture_data;
use crate::import::sink::{
    CallRecord, OutcomeRecord, RunEnd, RunHead, RunWriter, Sink, TurnRecord,
};
use crate::import::source::{Certainty, Source};
use crate::run::{ImageRef, Outcome, TaskRef, Usage};

use super::canvas_case::Case;

const HISTORY: &str = "-history.json";
const STRUCTURE: &str = "-json-structure.json";
const RAW: &str = "-raw-response.json";
const RESPONSES: &str = "-responses.json";
const SNAPSHOTS: &str = "snapshots";
/// Most snapshots of a run.
const MOST_SNAPSHOTS: usize = 10_000;

/// A folder with a history or a result of this runner, or its snapshots.
pub(super) fn sniff(source: &Source) -> Option<Certainty> {
    let has_picture = source.files().iter().any(|file| file.ends_with("-canvas.png"));
    let has_file = source.files().iter().any(|file| {
        if file.ends_with(HISTORY) {
            let outline = source.outline_in(file);
            outline.is_some_and(|it| it.is_list && it.has_all(&["role", "type"]))
        } else if file.ends_with(RAW) {
            source.outline_in(file).is_some_and(|it| it.has("payload"))
        } else if file.ends_with(STRUCTURE) && has_picture {
            source.outline_in(file).is_some_and(|it| it.has("document") || it.has("html"))
        } else {
            false
        }
    });
    let is_result =
        has_file || (source.folders().iter().any(|it| it == SNAPSHOTS) && has_snapshot(source));
    is_result.then_some(Certainty::Certain)
}

fn has_snapshot(source: &Source) -> bool {
    let dir = source.path.join(SNAPSHOTS);
    let Ok(below) = Source::look(&dir) else { return false };
    let mut files = below.files().iter();
    files.any(|file| {
        snapshot_number(file).is_some()
            && below.outline_in(file).is_some_and(|it| it.has("toolResults") || it.has("case_id"))
    })
}

/// The number of a snapshot's file and the name of the result it is of.
fn snapshot_number(file: &str) -> Option<(&str, u32)> {
    let (result, number) = file.strip_suffix(".json")?.rsplit_once("-snapshot-")?;
    Some((result, number.parse().ok()?))
}

/// Imports the results in a folder: one, or several whose files somebody put into the same.
pub(super) fn import(source: &Source, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    let results = ResultFiles::all(source);
    for result in &results {
        let place = source.path.display().to_string();
        let place = if results.len() == 1 { place } else { format!("{place}#{}", result.name) };
        match import_result(result, &place, sink) {
            Err(error) if results.len() == 1 || error.ends_import() => return Err(error),
            Err(error) => sink.report.skip(place, error.to_string()),
            Ok(()) => {}
        }
    }
    Ok(())
}

fn import_result(
    result: &ResultFiles<'_>,
    place: &str,
    sink: &mut Sink<'_>,
) -> Result<(), ImportError> {
    let case = Case::of(&result.source.path, &result.name);
    let mut head = RunHead {
        agent: case.model.clone(),
        environment: EnvironmentKind::Canvas,
        ..RunHead::new("", "", place)
    };
    head.task = TaskRef { set: case.set.clone(), id: case.task.clone() };
    let mut writer = sink.begin(head)?;
    let raw = result.json(RAW, &mut writer);
    let payload = raw.as_ref().map(|raw| &raw["payload"]);
    let history = match result.json(HISTORY, &mut writer) {
        Some(history) => Some(history),
        // The reply of the server holds what the files beside it were written from.
        None => payload.map(|payload| payload["history"].clone()).filter(Value::is_array),
    };
    let mut turns = history.as_ref().map(turns_of).unwrap_or_default();
    if history.is_none() {
        writer.warn("the history is missing: what the calls were asked with is not known");
    }
    add_usage(&mut turns, result.json(RESPONSES, &mut writer).as_ref());
    let snapshots = result.snapshots(payload, &mut writer)?;
    let ends_itself = turns.last().is_some_and(|turn| turn.calls.is_empty());
    if let Some(instruction) = history.as_ref().and_then(instruction_of) {
        writer.set_instruction(&instruction);
    }
    write(turns, &snapshots, result, &mut writer, sink)?;
    let cost = payload.and_then(|payload| payload["cost"].as_f64());
    if let Some(variant) = &case.variant {
        writer.about(|record| {
            record.facts.insert("variant".to_owned(), variant.clone().into());
        });
    }
    let end = RunEnd {
        // The runner's loop ends when no tool is called; a limit of turns is not written down.
        outcome: ends_itself.then(|| (Outcome::Completed, "the model called no tool".to_owned())),
        document: result.json(STRUCTURE, &mut writer).filter(|it| it.get("document").is_some()),
        usage: cost.map(|cost| Usage { cost_usd: Some(cost), ..Usage::default() }),
        ..RunEnd::default()
    };
    if writer.is_empty() {
        sink.report.skip(place, "the result holds no turn");
        return Ok(());
    }
    sink.finish(writer, end)
}

/// The files of a result.
struct ResultFiles<'a> {
    source: &'a Source,
    /// What its files' names begin with.
    name: String,
    /// Whether files of other results lie beside its own.
    has_others: bool,
}

impl<'a> ResultFiles<'a> {
    /// The results in a folder, in the order of their files.
    fn all(source: &'a Source) -> Vec<Self> {
        let mut names: Vec<String> = Vec::new();
        for file in source.files() {
            let ends = [HISTORY, RAW, STRUCTURE, RESPONSES, "-canvas.png"];
            if let Some(name) = ends.iter().find_map(|end| file.strip_suffix(end))
                && !names.iter().any(|known| known == name)
            {
                names.push(name.to_owned());
            }
        }
        if names.is_empty() {
            names.push(source.name());
        }
        let has_others = names.len() > 1;
        names.into_iter().map(|name| Self { source, name, has_others }).collect()
    }

    fn path(&self, end: &str) -> Option<PathBuf> {
        let file = format!("{}{end}", self.name);
        self.source.has_file(&file).then(|| self.source.path.join(file))
    }

    /// A file of the result; one that cannot be read is a warning.
    fn json(&self, end: &str, writer: &mut RunWriter) -> Option<Value> {
        let path = self.path(end)?;
        json::read(&path).map_err(|error| writer.warn(error.to_string())).ok()
    }

    /// The snapshots in their order: by number, as `10` comes after `9`.
    fn snapshots(
        &self,
        payload: Option<&Value>,
        writer: &mut RunWriter,
    ) -> Result<Vec<Snapshot>, ImportError> {
        // Some results have the snapshots within, others in a folder of files beside.
        let dir = self.source.path.join(SNAPSHOTS);
        if !dir.is_dir() {
            let list = payload.map(|payload| json::items(payload, SNAPSHOTS)).unwrap_or_default();
            let snapshots = list.iter().map(|value| Snapshot::of(value.clone(), None, None));
            return Ok(snapshots.collect());
        }
        let listing = Source::look(&dir)?;
        let mut numbered: Vec<(u32, &String)> = listing
            .files()
            .iter()
            .filter_map(|file| {
                let (result, number) = snapshot_number(file)?;
                (!self.has_others || result == self.name).then_some((number, file))
            })
            .collect();
        numbered.sort();
        // The limit is on what is read: a folder may hold any number of files.
        if numbered.len() > MOST_SNAPSHOTS {
            writer.warn(format!("only the first {MOST_SNAPSHOTS} snapshots are read"));
        }
        let mut snapshots = Vec::new();
        for (number, file) in numbered.into_iter().take(MOST_SNAPSHOTS) {
            let path = dir.join(file);
            let picture = path.with_extension("png");
            match json::read(&path) {
                Ok(value) => {
                    let picture = picture.is_file().then_some(picture);
                    snapshots.push(Snapshot::of(value, Some(number), picture));
                }
                // One torn snapshot is no reason to lose the others.
                Err(error) => writer.warn(error.to_string()),
            }
        }
        Ok(snapshots)
    }
}

/// What the tools of a turn gave back, and what the canvas then looked like. The design is not kept: a
/// hundred of them would be.
struct Snapshot {
    /// Of which turn it is, from 0, of those that called a tool: as its file says, or else it itself.
    turn: Option<usize>,
    /// Whether it says that it is the first, or that it is not.
    is_first: Option<bool>,
    results: Vec<Value>,
    /// The picture's file, or else its data URI.
    picture: Option<PathBuf>,
    uri: Option<String>,
}

impl Snapshot {
    fn of(mut value: Value, number: Option<u32>, picture: Option<PathBuf>) -> Self {
        let turn = number.map(u64::from).or_else(|| value["turn"].as_u64());
        let turn = turn.and_then(|turn| usize::try_from(turn).ok());
        let is_first = value["init"].as_bool();
        let uri = match value.get_mut("image_uri").map(Value::take) {
            Some(Value::String(uri)) if picture.is_none() => Some(uri),
            _ => None,
        };
        let results = match value.get_mut("toolResults").map(Value::take) {
            Some(Value::Array(results)) => results,
            _ => Vec::new(),
        };
        Self { turn, is_first, results, picture, uri }
    }

    fn image(&self, writer: &mut RunWriter) -> Result<Option<ImageRef>, ImportError> {
        if let Some(path) = &self.picture {
            return picture_file(path, writer);
        }
        let Some(uri) = &self.uri else { return Ok(None) };
        match picture_data::from_data_uri(uri) {
            Ok(bytes) => writer.picture(&bytes, "a snapshot's image_uri"),
            Err(why) => {
                writer.warn(format!("a snapshot has no picture: {why}"));
                Ok(None)
            }
        }
    }

    /// Whether it is of a turn with these calls.
    fn answers(&self, calls: &[HistoryCall]) -> bool {
        self.results.iter().any(|result| {
            let id = id_of(result);
            !id.is_empty() && calls.iter().any(|call| call.id == id)
        })
    }
}

fn picture_file(path: &Path, writer: &mut RunWriter) -> Result<Option<ImageRef>, ImportError> {
    match read_file_limited(path, Limits::IMAGE_BYTES) {
        Ok(bytes) => writer.picture(&bytes, &path.display().to_string()),
        Err(error) => {
            writer.warn(error.to_string());
            Ok(None)
        }
    }
}

/// An answer of the model in the history.
#[derive(Default)]
struct HistoryTurn {
    text: String,
    at: String,
    calls: Vec<HistoryCall>,
    results: Vec<Value>,
    usage: Option<Usage>,
}

struct HistoryCall {
    id: String,
    name: String,
    arguments: Value,
}

/// What a call and its result are joined by.
fn id_of(value: &Value) -> String {
    let id = json::text(value, "call_id").or_else(|| json::text(value, "id"));
    id.unwrap_or_default().to_owned()
}

/// The answers of the model, each with what came back after it.
fn turns_of(history: &Value) -> Vec<HistoryTurn> {
    let mut turns: Vec<HistoryTurn> = Vec::new();
    for message in history.as_array().map(Vec::as_slice).unwrap_or_default() {
        let is_answer = message["role"] == "assistant" || message["type"] == "agent_request";
        if is_answer {
            let calls = json::items(message, "calls").iter().map(|call| HistoryCall {
                id: id_of(call),
                name: json::text(call, "name").unwrap_or("unnamed").to_owned(),
                arguments: arguments_of(call.get("arguments")),
            });
            turns.push(HistoryTurn {
                text: text_of(&message["content"]),
                at: json::text(message, "timestamp").map(json::moment).unwrap_or_default(),
                calls: calls.collect(),
                ..HistoryTurn::default()
            });
        } else if let Some(turn) = turns.last_mut() {
            turn.results.extend(json::items(message, "results").iter().cloned());
        }
    }
    turns
}

/// What the model was asked.
fn instruction_of(history: &Value) -> Option<String> {
    let first = history.as_array()?.iter().find(|message| message["role"] == "user")?;
    let text = text_of(&first["content"]);
    (!text.is_empty()).then_some(text)
}

/// The texts of a list of content; of a text, itself.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => paragraphs(
            parts.iter().filter_map(|part| part.as_str().or_else(|| part["text"].as_str())),
        ),
        _ => String::new(),
    }
}

/// Takes tokens from what the provider answered, where it answered as often as the history says.
fn add_usage(turns: &mut [HistoryTurn], responses: Option<&Value>) {
    let Some(responses) = responses.and_then(Value::as_array) else { return };
    if responses.len() != turns.len() {
        return;
    }
    for (turn, response) in turns.iter_mut().zip(responses) {
        let named = ["usage", "usageMetadata", "usage_metadata"];
        turn.usage = named.iter().find_map(|name| usage_of(response.get(*name)?));
    }
}

/// By turn that called a tool the place of its snapshot, as the snapshots' numbers say; `None` where these cannot be
/// numbers of turns, or ids say otherwise.
fn placed_by_number(
    turns: &[HistoryTurn],
    snapshots: &[Snapshot],
    telling: &[bool],
) -> Option<Vec<Option<usize>>> {
    let calling: Vec<&HistoryTurn> = turns.iter().filter(|turn| !turn.calls.is_empty()).collect();
    let mut places = vec![None; calling.len()];
    for ((place, snapshot), tells) in snapshots.iter().enumerate().zip(telling) {
        let turn = snapshot.turn?;
        // The first is marked: otherwise the numbers begin with another one than 0.
        if snapshot.is_first.is_some_and(|is_first| is_first != (turn == 0)) {
            return None;
        }
        let is_of_turn = !tells || snapshot.answers(&calling.get(turn)?.calls);
        // Two of one number are none.
        let is_free = places.get_mut(turn)?.replace(place).is_none();
        if !(is_of_turn && is_free) {
            return None;
        }
    }
    Some(places)
}

fn write(
    turns: Vec<HistoryTurn>,
    snapshots: &[Snapshot],
    result: &ResultFiles<'_>,
    writer: &mut RunWriter,
    sink: &mut Sink<'_>,
) -> Result<(), ImportError> {
    let mut used = vec![false; snapshots.len()];
    // Of turns whose calls have no ids the order decides: there is a snapshot of each that called a tool.
    let mut next = 0;
    // Some agents draw other ids for results than the history has for calls: those say nothing of whose a snapshot is.
    let known: HashSet<&str> =
        turns.iter().flat_map(|turn| &turn.calls).map(|call| call.id.as_str()).collect();
    let tells = |snapshot: &Snapshot| {
        let mut ids = snapshot.results.iter().map(id_of);
        ids.any(|id| !id.is_empty() && known.contains(id.as_str()))
    };
    let telling: Vec<bool> = snapshots.iter().map(tells).collect();
    // Where numbers tell, a snapshot that is missing moves no other.
    let mut by_number = placed_by_number(&turns, snapshots, &telling).map(Vec::into_iter);
    let count = turns.len();
    let has_end = result.path("-canvas.png").is_some();
    for (at, turn) in turns.into_iter().enumerate() {
        sink.doing(format!("{} · turn {}", result.name, at + 1))?;
        let mut snapshot = None;
        if !turn.calls.is_empty() {
            // Ids are sure, the order is a guess: it is only taken where the snapshot has no ids that contradict it.
            // Some agents begin anew with their ids in every turn: the first that no turn has is meant.
            let free = snapshots.iter().zip(&used).enumerate().filter(|(_, (_, used))| !**used);
            let found: Vec<usize> = free
                .filter(|(_, (it, _))| it.answers(&turn.calls))
                .map(|(index, _)| index)
                .collect();
            // Behind the last that was taken, as turns and snapshots are in one order.
            let by_id = found.iter().find(|index| **index >= next).or(found.first()).copied();
            let by_order = (next < snapshots.len() && !telling[next]).then_some(next);
            let index = match &mut by_number {
                Some(places) => places.next().flatten(),
                None => by_id.or(by_order),
            };
            if let Some(index) = index
                && let Some(taken) = used.get_mut(index)
                // A snapshot belongs to one turn; a second claim on it leaves that turn without a picture.
                && !std::mem::replace(taken, true)
            {
                snapshot = snapshots.get(index);
                next = index + 1;
            }
        }
        // What the folder calls the canvas belongs to the last turn, unless a snapshot shows that.
        let mut image = snapshot.map(|it| it.image(writer)).transpose()?.flatten();
        if image.is_none() && has_end && at + 1 == count && snapshots.is_empty() {
            image = result
                .path("-canvas.png")
                .map(|path| picture_file(&path, writer))
                .transpose()?
                .flatten();
        }
        let results = snapshot.map_or(turn.results.as_slice(), |snapshot| {
            if snapshot.results.is_empty() { &turn.results } else { &snapshot.results }
        });
        let calls = joined(turn.calls, results, writer);
        write_turn(turn.text, turn.at, turn.usage, calls, image, writer)?;
    }
    // What no turn claims was seen all the same: it becomes a turn without words at the end.
    for (snapshot, _) in snapshots.iter().zip(&used).filter(|(_, used)| !**used) {
        let image = snapshot.image(writer)?;
        let calls = joined(Vec::new(), &snapshot.results, writer);
        write_turn(String::new(), String::new(), None, calls, image, writer)?;
    }
    Ok(())
}

fn write_turn(
    thought: String,
    at: String,
    usage: Option<Usage>,
    mut calls: Vec<CallRecord>,
    image: Option<ImageRef>,
    writer: &mut RunWriter,
) -> Result<(), ImportError> {
    // There is one picture a turn, of its end: the steps before show what was there before.
    if let (Some(call), Some(image)) = (calls.last_mut(), &image) {
        call.outcome.get_or_insert_default().image = Some(image.clone());
    }
    writer.turn(TurnRecord { at, thought, usage, calls, observation: image, seconds: 0.0 })
}

/// The calls with their results; results of no call become calls of their own, of which the arguments are
/// not known.
fn joined(calls: Vec<HistoryCall>, results: &[Value], writer: &mut RunWriter) -> Vec<CallRecord> {
    // Removed when taken: two calls of one name get the first and second result in their order.
    let mut free: Vec<&Value> = results.iter().collect();
    // Ids that no call has are none to go by.
    let ids: HashSet<&str> = calls.iter().map(|call| call.id.as_str()).collect();
    let have_ids = results.iter().map(id_of).any(|id| !id.is_empty() && ids.contains(id.as_str()));
    let mut records = Vec::with_capacity(calls.len());
    for call in calls {
        // Without ids the first of this name answers; a failed one has no name either.
        let at = free.iter().position(|it| {
            let id = id_of(it);
            if !have_ids || id.is_empty() || call.id.is_empty() {
                json::text(it, "name").is_none_or(|name| name == call.name)
            } else {
                id == call.id
            }
        });
        let outcome = at.map(|at| outcome_of(free.remove(at)));
        let HistoryCall { id, name, arguments } = call;
        records.push(CallRecord { id, name, arguments, outcome });
    }
    // Better a call without arguments than a change of the canvas that nothing explains.
    for result in free {
        let name = json::text(result, "name").unwrap_or("unnamed");
        writer.warn(format!("the arguments of a call of {name} are not known"));
        records.push(CallRecord {
            id: id_of(result),
            name: name.to_owned(),
            arguments: Value::Object(Map::new()),
            outcome: Some(outcome_of(result)),
        });
    }
    records
}

fn outcome_of(result: &Value) -> OutcomeRecord {
    let text = text_of(&result["content"]);
    let is_error = result["isError"] == true;
    let error = is_error.then(|| match (&*text, json::text(result, "name")) {
        ("", _) => "the record gives no reason".to_owned(),
        // What was no tool has no name.
        (text, None) if !text.contains("not found") => format!("tool not found or failed: {text}"),
        (text, _) => text.to_owned(),
    });
    OutcomeRecord {
        structured: result.get("structuredContent").filter(|it| !it.is_null()).cloned(),
        text,
        error,
        ..OutcomeRecord::default()
    }
}
