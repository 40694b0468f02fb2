//! Where imported runs go: each is recorded aside, gets an id by what is in it, and comes into its place
//! whole, on disk, or not at all.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use crate::base::CancelToken;
use crate::environment::canvas::category_of;
use crate::environment::{EnvironmentKind, FailureClass, ToolCall, ToolCategory, ToolFailure};
use crate::run::recorder::{self, Durability, Recorder};
use crate::run::{
    AgentRef, Event, IMPORTED_KIND, ImageRef, ImportRecord, Manifest, Outcome, TaskRef, Usage,
    folder, reader, short_hash,
};

use super::archive::UnpackedPlace;
use super::error::ImportError;
use super::picture_data;
use super::report::{ImportReport, ImportedRun};

/// Who acted, where the record does not say it.
pub(super) const UNKNOWN_AGENT: &str = "not recorded";
/// The mode of imported runs.
const MODE: &str = "imported";
/// Most warnings that are kept of a run; more are counted.
const MOST_WARNINGS: usize = 50;
/// Most pictures of which it is remembered that they were kept already.
const MOST_REMEMBERED: usize = 10_000;

/// How far an import is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportProgress {
    /// Sources done.
    pub done: usize,
    /// Sources in all.
    pub total: usize,
    /// What it is at.
    pub message: String,
}

/// Where the runs of an import go.
pub(super) struct Sink<'a> {
    pub(super) out_dir: &'a Path,
    /// Where runs are made before they come into their place; on the same disk.
    pub(super) making: PathBuf,
    pub(super) cancel: &'a CancelToken,
    pub(super) progress: &'a mut dyn FnMut(&ImportProgress),
    pub(super) at: ImportProgress,
    pub(super) format: &'static str,
    pub(super) report: ImportReport,
    /// The archive whose files are read, if they are one's.
    pub(super) unpacked: Option<Arc<UnpackedPlace>>,
}

/// What is known of a run when its record is begun.
pub(super) struct RunHead {
    /// What it is an attempt at.
    pub(super) task: TaskRef,
    /// Who acted; [`UNKNOWN_AGENT`] where the record does not say it.
    pub(super) agent: String,
    /// What was acted on.
    pub(super) environment: EnvironmentKind,
    /// RFC 3339, UTC; empty where it is not known.
    pub(super) started: String,
    /// Where the record lies, for people.
    pub(super) source: String,
}

impl RunHead {
    /// A run at this task of which nothing else is known yet.
    pub(super) fn new(set: &str, id: &str, source: impl Into<String>) -> Self {
        Self {
            task: TaskRef { set: set.to_owned(), id: id.to_owned() },
            agent: UNKNOWN_AGENT.to_owned(),
            environment: EnvironmentKind::from("recorded"),
            started: String::new(),
            source: source.into(),
        }
    }
}

/// One answer of whoever acted, with what came of it.
#[derive(Default)]
pub(super) struct TurnRecord {
    /// RFC 3339, UTC; empty where it is not known.
    pub(super) at: String,
    pub(super) thought: String,
    pub(super) usage: Option<Usage>,
    /// How long it took; 0 where it is not known.
    pub(super) seconds: f64,
    pub(super) calls: Vec<CallRecord>,
    /// What was seen after the turn.
    pub(super) observation: Option<ImageRef>,
}

/// A call with what came of it.
pub(super) struct CallRecord {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: Value,
    /// `None`: no answer was recorded.
    pub(super) outcome: Option<OutcomeRecord>,
}

/// What came of a call.
#[derive(Default)]
pub(super) struct OutcomeRecord {
    pub(super) text: String,
    pub(super) structured: Option<Value>,
    pub(super) image: Option<ImageRef>,
    /// Why it failed, if it did.
    pub(super) error: Option<String>,
    /// 0 where it is not known.
    pub(super) latency_ms: f64,
}

/// How a run ended.
#[derive(Default)]
pub(super) struct RunEnd {
    /// How, and in which words of the record; `None` where it does not say.
    pub(super) outcome: Option<(Outcome, String)>,
    /// RFC 3339, UTC; empty where it is not known.
    pub(super) finished: String,
    /// The document at the end.
    pub(super) document: Option<Value>,
    /// What was used by the run as a whole and is of no turn.
    pub(super) usage: Option<Usage>,
    /// How long it took as a whole, where no turn says it.
    pub(super) seconds: Option<f64>,
}

impl Sink<'_> {
    /// Begins a run.
    pub(super) fn begin(&mut self, head: RunHead) -> Result<RunWriter, ImportError> {
        self.cancel.check()?;
        std::fs::create_dir_all(&self.making).map_err(ImportError::write(&self.making))?;
        // A folder that removes itself: a run that is dropped before its end leaves nothing behind.
        let making = tempfile::Builder::new()
            .prefix("run-")
            .tempdir_in(&self.making)
            .map_err(ImportError::write(&self.making))?;
        let agent = AgentRef {
            kind: IMPORTED_KIND.to_owned(),
            name: if head.agent.is_empty() { UNKNOWN_AGENT.to_owned() } else { head.agent },
            version: None,
        };
        let mut manifest = Manifest::new(head.task, agent, head.started);
        manifest.environment = head.environment;
        MODE.clone_into(&mut manifest.mode);
        manifest.imported = Some(ImportRecord {
            format: self.format.to_owned(),
            source: self.shown(head.source),
            ..ImportRecord::default()
        });
        // Forced to disk once, when it is whole: until then the record is what it can be made again from.
        let recorder =
            Recorder::create_durable(making.path(), manifest, None, Durability::NoFsync)?;
        Ok(RunWriter {
            recorder,
            making,
            content: blake3::Hasher::new(),
            kept: HashMap::new(),
            turns: 0,
            steps: 0,
            warnings: Vec::new(),
            more_warnings: 0,
            cancel: self.cancel.clone(),
            unpacked: self.unpacked.clone(),
        })
    }

    /// A text with the places in it as people know them.
    pub(super) fn shown(&self, text: String) -> String {
        match &self.unpacked {
            Some(unpacked) => unpacked.shown(&text),
            None => text,
        }
    }

    /// Tells how far it is within the source.
    pub(super) fn doing(&mut self, message: impl Into<String>) -> Result<(), ImportError> {
        self.cancel.check()?;
        self.at.message = self.shown(message.into());
        (self.progress)(&self.at);
        Ok(())
    }

    /// Ends a run and brings it into its place.
    pub(super) fn finish(&mut self, writer: RunWriter, end: RunEnd) -> Result<(), ImportError> {
        self.cancel.check()?;
        let (made, manifest) = writer.end(end)?;
        let (turns, steps) = (manifest.totals.turns, manifest.totals.calls);
        let (dir, was_there) = self.settle(made.making, &manifest)?;
        let has_new_scores = was_there && self.rescore(&dir, &manifest)?;
        self.report.runs.push(ImportedRun {
            dir,
            id: manifest.id,
            task: manifest.task,
            agent: manifest.agent.name,
            format: self.format,
            turns,
            steps,
            was_there,
            has_new_scores,
            warnings: made.warnings,
        });
        Ok(())
    }

    /// Takes into a run that was there how its record says now that it ended and was scored: a benchmark may have
    /// scored it since. All else of the run stays as it is, its id too, by which people's labels and notes are kept.
    /// Whether anything is new.
    fn rescore(&mut self, dir: &Path, now: &Manifest) -> Result<bool, ImportError> {
        let Ok(peek) = reader::peek(dir) else { return Ok(false) };
        let (Some(before), Some(record)) = (&peek.manifest.imported, &now.imported) else {
            return Ok(false);
        };
        // A copy of the record without its scores takes nothing from the run.
        let is_said = !record.scores.is_empty() || record.outcome.is_some();
        if !is_said || (record.scores.is_empty() && !before.scores.is_empty()) {
            return Ok(false);
        }
        let is_same_score =
            |(name, score): (&String, &Value)| before.scores.get(name) == Some(score);
        if peek.manifest.outcome == now.outcome
            && before.outcome == record.outcome
            && record.scores.iter().all(is_same_score)
        {
            return Ok(false);
        }
        // Two records at once that say the same but for the score: which of them is right nobody knows.
        if self.report.runs.iter().any(|run| run.id == now.id) {
            let why = "the same run was read before, with another outcome or other scores";
            self.report.skip(record.source.clone(), why);
            return Ok(false);
        }
        recorder::rescore(dir, &now.outcome, record)?;
        Ok(true)
    }

    /// Moves a whole run to the first free number; where the same is already, that one stays.
    pub(super) fn settle(
        &self,
        making: tempfile::TempDir,
        manifest: &Manifest,
    ) -> Result<(PathBuf, bool), ImportError> {
        for number in 1.. {
            let place =
                folder::numbered(self.out_dir, &manifest.task, &manifest.agent.name, number);
            if place.exists() {
                // What cannot be read is somebody else's, and keeps its place.
                if reader::peek(&place).is_ok_and(|peek| peek.manifest.id == manifest.id) {
                    return Ok((place, true));
                }
                continue;
            }
            let parent = place.parent().unwrap_or(self.out_dir);
            std::fs::create_dir_all(parent).map_err(ImportError::write(parent))?;
            sync_all(making.path()).map_err(ImportError::write(making.path()))?;
            open_to_others(making.path()).map_err(ImportError::write(making.path()))?;
            match std::fs::rename(making.path(), &place) {
                Ok(()) => {
                    // It is not there any more under its old name.
                    drop(making.keep());
                    File::open(parent).and_then(|it| it.sync_all()).ok();
                    return Ok((place, false));
                }
                // Another import was faster: it may have brought this very run.
                Err(_) if place.exists() => return self.settle(making, manifest),
                Err(error) => return Err(ImportError::write(&place)(error)),
            }
        }
        Err(ImportError::Program("there is no free number for the run".to_owned()))
    }
}

/// Forces all of a folder to disk.
fn sync_all(dir: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_all(&entry.path())?;
        } else {
            File::open(entry.path())?.sync_all()?;
        }
    }
    if cfg!(unix) { File::open(dir)?.sync_all() } else { Ok(()) }
}

/// Gives a folder that was made for this process alone the rights of any new one.
fn open_to_others(dir: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As the folder around it, which somebody made.
        let around = std::fs::metadata(dir.parent().unwrap_or(dir))?.permissions().mode();
        std::fs::set_permissions(dir, std::fs::Permissions::from_mode(around & 0o777))?;
    }
    Ok(())
}

/// What is left of a run when it is written.
struct WrittenRun {
    making: tempfile::TempDir,
    warnings: Vec<String>,
}

/// A run while its record is read.
pub(super) struct RunWriter {
    recorder: Recorder,
    making: tempfile::TempDir,
    /// Of everything that was recorded: what the run's id is made of.
    content: blake3::Hasher,
    /// Pictures by the hash of their bytes: logs repeat them in every request.
    kept: HashMap<blake3::Hash, Option<ImageRef>>,
    turns: u32,
    steps: u32,
    warnings: Vec<String>,
    more_warnings: usize,
    cancel: CancelToken,
    unpacked: Option<Arc<UnpackedPlace>>,
}

impl RunWriter {
    /// Something of the record that could not be taken in, with its place.
    pub(super) fn warn(&mut self, warning: impl Into<String>) {
        if self.warnings.len() < MOST_WARNINGS {
            let warning: String = warning.into();
            self.warnings.push(match &self.unpacked {
                Some(unpacked) => unpacked.shown(&warning),
                None => warning,
            });
        } else {
            self.more_warnings += 1;
        }
    }

    /// Whether anything was recorded.
    pub(super) fn is_empty(&self) -> bool {
        self.turns == 0
    }

    /// Tells the run apart from others that are the same in all that is recorded, such as another attempt.
    pub(super) fn tell_apart(&mut self, by: &str) {
        self.content.update(by.as_bytes());
    }

    /// How many turns there are.
    pub(super) fn turns(&self) -> u32 {
        self.turns
    }

    /// What the record says of the run as a whole.
    pub(super) fn about(&mut self, edit: impl FnOnce(&mut ImportRecord)) {
        self.recorder.edit_manifest(|manifest| {
            edit(manifest.imported.get_or_insert_default());
        });
    }

    /// Sets who acted, where that is said in the middle of the record.
    pub(super) fn set_agent(&mut self, name: &str) {
        self.recorder.edit_manifest(|manifest| {
            if manifest.agent.name == UNKNOWN_AGENT && !name.is_empty() {
                name.clone_into(&mut manifest.agent.name);
            }
        });
    }

    /// Sets what the agent was asked, unless that is known.
    pub(super) fn set_instruction(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.about(|record| {
                record.instruction.get_or_insert_with(|| text.to_owned());
            });
        }
    }

    /// Adds to what the agent was asked: it may have been said in several messages.
    pub(super) fn add_instruction(&mut self, text: &str) {
        self.about(|record| {
            let said = record.instruction.take();
            record.instruction = Some(match said {
                Some(said) => format!("{said}\n\n{text}"),
                None => text.to_owned(),
            });
        });
    }

    /// Sets the picture before the first step, unless there is one.
    pub(super) fn set_start_picture(&mut self, image: Option<ImageRef>) {
        self.about(|record| record.start_picture = record.start_picture.take().or(image));
    }

    /// Keeps a picture; one that cannot be read is a warning.
    pub(super) fn picture(
        &mut self,
        bytes: &[u8],
        place: &str,
    ) -> Result<Option<ImageRef>, ImportError> {
        self.cancel.check()?;
        let hash = blake3::hash(bytes);
        if let Some(kept) = self.kept.get(&hash) {
            return Ok(kept.clone());
        }
        let image = match picture_data::pixels_of(bytes) {
            Ok(pixels) => Some(self.recorder.keep_picture(&pixels)?),
            Err(error) => {
                self.warn(format!("a picture is left out, {error}: {place}"));
                None
            }
        };
        if self.kept.len() < MOST_REMEMBERED {
            self.kept.insert(hash, image.clone());
        }
        Ok(image)
    }

    /// Records something worth knowing.
    pub(super) fn note(&mut self, text: impl Into<String>) -> Result<(), ImportError> {
        self.record(Event::Note { text: text.into() })
    }

    /// Records something that went wrong in the run itself.
    pub(super) fn error(&mut self, text: impl Into<String>) -> Result<(), ImportError> {
        self.record(Event::Error { text: text.into() })
    }

    /// Records a turn.
    pub(super) fn turn(&mut self, turn: TurnRecord) -> Result<(), ImportError> {
        self.cancel.check()?;
        self.turns += 1;
        let number = self.turns;
        self.record(Event::Turn { turn: number, at: turn.at })?;
        if !turn.thought.trim().is_empty() {
            self.record(Event::Thought { turn: number, text: turn.thought })?;
        }
        for call in turn.calls {
            self.call(number, call)?;
        }
        if let Some(usage) = turn.usage {
            self.record(Event::Usage { turn: number, usage })?;
        }
        if let Some(image) = turn.observation {
            self.record(Event::Observation { turn: number, image })?;
        }
        self.record(Event::TurnEnd { turn: number, seconds: positive(turn.seconds) })
    }

    fn call(&mut self, turn: u32, call: CallRecord) -> Result<(), ImportError> {
        self.steps += 1;
        let step = self.steps;
        let category = category_of(&call.name).unwrap_or(ToolCategory::Other);
        let CallRecord { id, name, arguments, outcome } = call;
        let id = if id.is_empty() { format!("step-{step}") } else { id };
        self.record(Event::Call { turn, step, category, call: ToolCall { id, name, arguments } })?;
        let Some(outcome) = outcome else { return Ok(()) };
        let OutcomeRecord { text, structured, image, error, latency_ms } = outcome;
        let failure = error.map(|message| {
            // The published servers say it so; of other failures nothing is known but that they were.
            let is_unknown = message.contains("tool not found") || message.contains("Unknown tool");
            let class = if is_unknown { FailureClass::UnknownTool } else { FailureClass::Refused };
            ToolFailure { class, message }
        });
        let latency_ms = positive(latency_ms);
        self.record(Event::Outcome { step, text, structured, image, failure, latency_ms })
    }

    fn record(&mut self, event: Event) -> Result<(), ImportError> {
        let event = self.recorder.record(event)?;
        let line = serde_json::to_vec(&event).map_err(crate::run::recorder::RecordError::from)?;
        self.content.update(&line);
        Ok(())
    }

    fn end(mut self, end: RunEnd) -> Result<(WrittenRun, Manifest), ImportError> {
        if self.more_warnings > 0 {
            self.warnings.push(format!("{} more", self.more_warnings));
        }
        // Before the warnings, which say where the record lay: that is no part of what a run is.
        let content = self.content.finalize().to_hex();
        // Kept with the run: whoever looks at it later must know that it is not whole.
        for warning in self.warnings.clone() {
            self.record(Event::Note { text: format!("Not imported: {warning}") })?;
        }
        let (outcome, said) = match end.outcome {
            Some((outcome, said)) => (outcome, Some(said)),
            None => (Outcome::Completed, None),
        };
        self.recorder.edit_manifest(|manifest| {
            let task = &manifest.task;
            let parts = [&*task.set, &task.id, &manifest.agent.name, &manifest.started, &content];
            let hash = short_hash(&parts);
            let agent = folder::slug(&manifest.agent.name);
            manifest.id = format!("{agent}-{}-{hash}", folder::slug(&task.id));
            // Nobody of ours was asked.
            manifest.totals.providers = None;
            if let Some(usage) = &end.usage {
                let totals = &mut manifest.totals;
                totals.input_tokens = totals.input_tokens.max(usage.input_tokens);
                totals.output_tokens = totals.output_tokens.max(usage.output_tokens);
                totals.cost_usd = totals.cost_usd.or(usage.cost_usd.filter(|it| it.is_finite()));
            }
            if let Some(seconds) = end.seconds.filter(|_| manifest.totals.seconds <= 0.0) {
                manifest.totals.seconds = positive(seconds);
            }
            if let Some(record) = &mut manifest.imported {
                record.outcome = said;
            }
        });
        let Self { recorder, making, warnings, .. } = self;
        let manifest = recorder.finish(outcome, end.finished, end.document.as_ref())?;
        Ok((WrittenRun { making, warnings }, manifest))
    }
}

/// A time that a record says; what cannot be one is not known.
fn positive(time: f64) -> f64 {
    if time.is_finite() && time > 0.0 { time } else { 0.0 }
}
