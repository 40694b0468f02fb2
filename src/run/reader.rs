//! Reads runs back, whole or torn.
//!
//! [`open()`] reads everything, [`peek`] only what a list needs. Both take run folders of ours and
//! folders of pictures ([`super::pictures`]). Nothing in a folder is trusted: sizes, depths, counts
//! and names are checked before they are used.

use std::io::{self, BufReader};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize as _;
use serde_json::{Map, Value};

use crate::base::{JsonLimitError, Limits, Size, open_file, parse_json, read_file_limited};
use crate::metric::plan::PlanRow;

use super::builder::RunBuilder;
use super::event::Event;
use super::folder::{EVENTS_FILE, MANIFEST_FILE, PLAN_FILE, START_FILE, is_live};
use super::lines::{BoundedLines, LINE_BYTES, Line};
use super::manifest::{FORMAT, Manifest, Outcome, VERSION};
use super::model::{Run, RunOrigin, RunPlan, Torn};
use super::pictures;

pub use super::error::RunError;
pub use super::pictures::Peek;

/// Largest `run.json`, in bytes: settings may hold a prompt or two.
pub(super) const MANIFEST_BYTES: u64 = 16 << 20;
/// Largest `events.jsonl` read, in bytes.
const EVENTS_BYTES: u64 = 2 << 30;
/// Most steps of a run.
const STEPS: usize = 1_000_000;

/// Reads a run: all of it up to its last whole turn.
///
/// A damaged `events.jsonl` is not an error: what was lost is in [`Run::torn`].
pub fn open(dir: &Path) -> Result<Run, RunError> {
    match read_manifest(dir)? {
        Some(manifest) => read_events(dir, manifest),
        None => pictures::open(dir),
    }
}

/// Reads the manifest of a run and counts its steps, cheaply.
pub fn peek(dir: &Path) -> Result<Peek, RunError> {
    let Some(manifest) = read_manifest(dir)? else { return pictures::peek(dir) };
    let live = manifest.outcome == Outcome::Running && is_live(dir);
    // By the recorder's own count: a list of thousands of runs must read no events.
    Ok(Peek { steps: manifest.totals.calls, manifest, live })
}

/// The document a recorded run began with; `None` if it began with an empty frame.
pub fn read_start(dir: &Path, manifest: &Manifest) -> Result<Option<Value>, RunError> {
    if manifest.start.is_none() {
        return Ok(None);
    }
    // The manifest may only name this file, whatever it says.
    let path = dir.join(START_FILE);
    let bytes = read_file_limited(&path, Limits::JSON_BYTES).map_err(RunError::json(&path))?;
    parse_json(&bytes).map(Some).map_err(RunError::json(&path))
}

/// The manifest; `None` if the folder can only be a folder of pictures.
pub(super) fn read_manifest(dir: &Path) -> Result<Option<Manifest>, RunError> {
    let path = dir.join(MANIFEST_FILE);
    if !path.is_file() {
        return Ok(None);
    }
    let bytes = read_file_limited(&path, MANIFEST_BYTES).map_err(RunError::json(&path))?;
    let value: Value = parse_json(&bytes).map_err(RunError::json(&path))?;
    if pictures::is_manifest(&value) {
        return Ok(None);
    }
    // Before its fields: those of another format or a newer version say nothing that helps.
    check_version(&value, &path)?;
    let manifest = Manifest::deserialize(value).map_err(|e| RunError::json(&path)(e.into()))?;
    check_manifest(&manifest).map_err(|what| RunError::BadManifest { what, path })?;
    Ok(Some(manifest))
}

fn check_version(manifest: &Value, path: &Path) -> Result<(), RunError> {
    let path = path.to_path_buf();
    let format = &manifest["format"];
    if format != FORMAT {
        let found = if format.is_null() { "missing".to_owned() } else { format.to_string() };
        let found = found.chars().take(80).collect();
        return Err(RunError::OtherFormat { found, path });
    }
    match manifest["version"].as_u64() {
        Some(found) if found > u64::from(VERSION) => Err(RunError::Newer { found, path }),
        Some(1..) => Ok(()),
        _ => Err(RunError::BadManifest {
            what: format!("version must be a whole number from 1 to {VERSION}"),
            path,
        }),
    }
}

fn check_manifest(manifest: &Manifest) -> Result<(), String> {
    if let Some(Size { width, height }) = manifest.canvas_size {
        let mut sides = [width, height].into_iter();
        if !sides.all(|side| side > 0.0 && side <= Limits::COORDINATE) {
            return Err(format!("canvas_size cannot be {width} × {height}"));
        }
    }
    match &manifest.start {
        Some(start) if start != START_FILE => {
            Err(format!("start must be {START_FILE:?}, not {start:?}"))
        }
        _ => Ok(()),
    }
}

pub(super) fn read_events(dir: &Path, manifest: Manifest) -> Result<Run, RunError> {
    let mut builder = RunBuilder::new(manifest, RunOrigin::Recorded { dir: dir.to_path_buf() });
    let path = dir.join(EVENTS_FILE);
    let torn = match open_file(&path) {
        Ok(file) => read_lines(BufReader::new(file), &mut builder)
            .map_err(|source| RunError::Read { source, path })?,
        // The manifest still says whose run it was and how it stood.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Some(Damage::missing()),
        Err(source) => return Err(RunError::Read { source, path }),
    };
    let mut run = builder.into_run();
    run.torn = torn.or_else(|| missing_turns(&run)).map(|damage| damage.describe(&run));
    // The turn in flight of a live run is not a loss.
    if run.manifest.outcome == Outcome::Running && is_live(dir) {
        run.torn = None;
    }
    // A plan is beside the run: the run can be looked at without it.
    match read_plan(dir) {
        Ok(plan) => run.plan = plan.map(Arc::new),
        Err(error) => run.notes.push(format!("The plan cannot be shown: {error}")),
    }
    Ok(run)
}

/// The plan beside the events, if there is one.
pub(super) fn read_plan(dir: &Path) -> Result<Option<RunPlan>, JsonLimitError> {
    let path = dir.join(PLAN_FILE);
    if !path.is_file() {
        return Ok(None);
    }
    let plan: Map<String, Value> = parse_json(&read_file_limited(&path, Limits::JSON_BYTES)?)?;
    Ok(Some(RunPlan::new(PlanRow::read(&plan))))
}

/// What is wrong with a file of events.
struct Damage {
    line: usize,
    lost_bytes: u64,
    /// Turns behind the line that are whole in the file.
    turns_behind: usize,
    cause: String,
}

impl Damage {
    fn missing() -> Self {
        let cause = format!("{EVENTS_FILE} is missing");
        Self { line: 0, lost_bytes: 0, turns_behind: 0, cause }
    }

    fn describe(self, run: &Run) -> Torn {
        let whole = run.turns.len();
        let turns = match (whole, run.manifest.totals.turns as usize) {
            (1, counted) if counted > 1 => format!("1 of {counted} turns is"),
            (whole, counted) if counted > whole => format!("{whole} of {counted} turns are"),
            (1, _) => "1 turn is".to_owned(),
            (whole, _) => format!("{whole} turns are"),
        };
        let Self { line, lost_bytes, turns_behind, cause } = self;
        let bytes = match lost_bytes {
            0 => String::new(),
            n => format!(" ({n} bytes after the last whole turn are not shown)"),
        };
        // Their calls were made on a canvas that the lost ones had changed: without those they would come to
        // pictures that nobody saw.
        let behind = match turns_behind {
            0 => String::new(),
            1 => " 1 whole turn behind it cannot be shown: it worked on what is lost.".to_owned(),
            n => {
                format!(" {n} whole turns behind it cannot be shown: they worked on what is lost.")
            }
        };
        let message = format!("{turns} whole; {cause}{bytes}.{behind}");
        Torn { lost_bytes, line, message }
    }
}

/// Turns that `run.json` counts and the events, though sound, do not hold.
fn missing_turns(run: &Run) -> Option<Damage> {
    let (counted, found) = (run.manifest.totals.turns as usize, run.turns.len());
    (counted > found).then(|| Damage {
        line: 0,
        lost_bytes: 0,
        turns_behind: 0,
        cause: format!("the end of {EVENTS_FILE} was cut off"),
    })
}

/// Reads events up to the end or the first line that makes no sense. Says what was lost.
fn read_lines(file: impl io::BufRead, builder: &mut RunBuilder) -> io::Result<Option<Damage>> {
    let mut lines = BoundedLines::new(file, LINE_BYTES);
    // Up to the last whole turn, and up to the last line that makes sense: what lies between is a
    // turn that was broken off, what lies behind is damage.
    let (mut whole_end, mut whole_turns, mut sound_end) = (0, 0, 0);
    let mut damage = None;
    let mut behind = Behind::default();
    while let Some(line) = lines.next()? {
        // Only to count what is lost. Behind a limit nothing is, and all the rest may be long.
        if damage.is_some() {
            if !is_beyond_limits(lines.end, builder) {
                behind.take(&line);
            }
            continue;
        }
        if let Err(cause) = take_line(line, lines.end, builder) {
            damage = Some((lines.number, format!("line {} {cause}", lines.number)));
            continue;
        }
        sound_end = lines.end;
        let turns = builder.run().turns.len();
        // Notes between turns are whole too.
        if turns > whole_turns || !builder.turn_is_open() {
            (whole_end, whole_turns) = (lines.end, turns);
        }
    }
    let lost_bytes = lines.end - whole_end;
    Ok(match damage {
        Some((line, cause)) => Some(Damage { line, lost_bytes, turns_behind: behind.turns, cause }),
        None if sound_end > whole_end => Some(Damage {
            line: lines.number,
            lost_bytes,
            turns_behind: 0,
            cause: "the last turn has no end".to_owned(),
        }),
        None => None,
    })
}

/// The turns behind the damage.
#[derive(Default)]
struct Behind {
    /// Those that are whole.
    turns: usize,
    /// Whether one has begun of which every line so far makes sense by itself.
    is_sound: bool,
}

impl Behind {
    fn take(&mut self, line: &Line) {
        let parsed = match line {
            Line::Whole(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => return,
            Line::Whole(bytes) => parse_event(bytes).ok(),
            Line::TooLong => None,
        };
        match parsed {
            Some(Parsed::Known(event)) => match *event {
                Event::Turn { .. } => self.is_sound = true,
                Event::TurnEnd { .. } => {
                    self.turns += usize::from(self.is_sound);
                    self.is_sound = false;
                }
                _ => {}
            },
            Some(Parsed::Unknown(_)) => {}
            None => self.is_sound = false,
        }
    }
}

/// Whether a line that ends there is not read, however sound it is.
fn is_beyond_limits(end: u64, builder: &RunBuilder) -> bool {
    end > EVENTS_BYTES || builder.run().steps.len() >= STEPS
}

pub(super) fn take_line(line: Line, end: u64, builder: &mut RunBuilder) -> Result<(), String> {
    // Every limit is damage at this line, so that all whole turns before it can still be looked at.
    let Line::Whole(bytes) = line else {
        return Err(format!("is longer than {LINE_BYTES} bytes"));
    };
    if end > EVENTS_BYTES {
        return Err(format!("is beyond the first {EVENTS_BYTES} bytes, which is all that is read"));
    }
    if builder.run().steps.len() >= STEPS {
        return Err(format!("is beyond the first {STEPS} steps, which is all that is read"));
    }
    // What editors leave at the end of a file.
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(());
    }
    match parse_event(&bytes)? {
        Parsed::Known(event) => {
            builder.push(*event).map_err(|error| format!("is out of order: {error}"))
        }
        Parsed::Unknown(kind) => {
            builder.note(format!("Events of the kind {kind:?} are not known to this version."));
            Ok(())
        }
    }
}

enum Parsed {
    Known(Box<Event>),
    Unknown(String),
}

fn parse_event(bytes: &[u8]) -> Result<Parsed, String> {
    let error = match parse_json::<Event>(bytes) {
        Ok(event) => return Ok(Parsed::Known(Box::new(event))),
        Err(error) => error,
    };
    // A newer program of the same version of the format may add kinds: what this one does not know
    // is passed over, and only a known kind that is malformed is damage.
    let unknown_kind = parse_json::<Value>(bytes).ok().and_then(|value| {
        let kind = value.get("event")?.as_str()?;
        (!Event::KINDS.contains(&kind)).then(|| kind.chars().take(40).collect())
    });
    unknown_kind.map(Parsed::Unknown).ok_or_else(|| format!("is {error}"))
}
