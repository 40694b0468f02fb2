//! Writes a run while it happens.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::base::{Pixels, PixelsError, parse_json, read_file_limited};

use super::event::{Event, ImageRef};
use super::event_log::EventLog;
use super::folder::{
    EVENTS_FILE, EXCHANGES_FILE, FINAL_FILE, IMAGES_DIR, LOCK_FILE, MANIFEST_FILE, PLAN_FILE,
    START_FILE,
};
use super::images;
use super::lines::{BoundedLines, LINE_BYTES, Line};
use super::manifest::{ImportRecord, Manifest, Outcome, ProviderTotals, Totals};
use super::reader::{self, MANIFEST_BYTES, RunError};
use super::sanitize::sanitize;
use super::sequence::{Sequence, SequenceError};

/// Why something could not be recorded. Everything up to the last whole turn is safe in any case.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The folder holds a run, or something else.
    #[error("a new run needs a new or empty folder, and this one is not: {}", .0.display())]
    Occupied(PathBuf),
    /// The folder or a file in it could not be written: disk full, folder gone, no permission.
    #[error("cannot be written: {source}. {} is safe; free space or bring the folder back and run the task again: {}", safe(*whole_turns), path.display())]
    Write {
        /// The cause.
        source: io::Error,
        /// Which file or folder.
        path: PathBuf,
        /// How many whole turns are recorded.
        whole_turns: u32,
    },
    /// The run has ended.
    #[error("the run is over, and cannot be gone on with in its own folder: {}", .0.display())]
    Over(PathBuf),
    /// What is there of it cannot be read.
    #[error(transparent)]
    Unreadable(#[from] RunError),
    /// The caller broke the order of events.
    #[error("out of order: {0}")]
    OutOfOrder(#[from] SequenceError),
    /// One event is larger than readers take.
    #[error("an event of {bytes} bytes is over the limit of {limit}", limit = LINE_BYTES)]
    TooLarge {
        /// Its size.
        bytes: usize,
    },
    /// A picture could not be encoded.
    #[error(transparent)]
    Picture(#[from] PixelsError),
    /// A value could not be written as JSON.
    #[error("cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// How safely a run is kept while it is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// Every turn is forced to disk: nobody can make the run again as it was.
    #[default]
    EveryTurn,
    /// Nothing is forced to disk: for a run that can be made again from what it is made of.
    NoFsync,
}

fn safe(whole_turns: u32) -> String {
    match whole_turns {
        0 => "No turn was whole yet: nothing".to_owned(),
        1 => "What was recorded, 1 turn,".to_owned(),
        n => format!("What was recorded, {n} turns,"),
    }
}

/// Writes a run folder that is valid at every moment.
///
/// Every event is in the file when [`Recorder::record`] returns, and on disk when it returns from
/// an [`Event::TurnEnd`]; `run.json` then holds the totals so far. Dropping the recorder without
/// [`Recorder::finish`] leaves an interrupted run, as a crash does. After an error the recorder can
/// still be used: what failed was taken back.
#[derive(Debug)]
pub struct Recorder {
    dir: PathBuf,
    log: EventLog<File>,
    /// Begun with the first exchange.
    exchanges: Option<EventLog<File>>,
    manifest: Manifest,
    sequence: Sequence,
    durability: Durability,
    /// What the last picture shows, and where it is: a tool often shows what the turn ends with, and
    /// encoding takes longer than everything else.
    last_picture: Option<(blake3::Hash, ImageRef)>,
    /// Kept open: the lock is dropped with it. `None` where the file system has no locks.
    _lock: Option<File>,
}

impl Recorder {
    /// Begins a run in `dir`, which is made if missing and must be empty if not.
    ///
    /// The manifest's outcome is set to [`Outcome::Running`] and its totals to zero. `start` is the
    /// document the run begins with, kept in the folder so that replay needs nothing else.
    pub fn create(
        dir: &Path,
        manifest: Manifest,
        start: Option<&Value>,
    ) -> Result<Self, RecordError> {
        Self::create_durable(dir, manifest, start, Durability::EveryTurn)
    }

    /// Begins a run as [`Self::create`] does, kept so safely.
    pub fn create_durable(
        dir: &Path,
        mut manifest: Manifest,
        start: Option<&Value>,
        durability: Durability,
    ) -> Result<Self, RecordError> {
        manifest.outcome = Outcome::Running;
        manifest.finished = None;
        // Empty and not absent: nobody was asked yet, which absent would leave open.
        manifest.totals = Totals { providers: Some(BTreeMap::new()), ..Totals::default() };
        manifest.start = start.map(|_| START_FILE.to_owned());
        let (events, lock) = prepare(dir)?;
        let recorder = Self {
            dir: dir.to_path_buf(),
            log: EventLog::new(events),
            exchanges: None,
            manifest,
            sequence: Sequence::default(),
            durability,
            last_picture: None,
            _lock: lock,
        };
        // Before the manifest that names it, so that no reader looks for a file that is not there yet.
        if let Some(start) = start {
            recorder.replace(START_FILE, &serde_json::to_vec(start)?)?;
        }
        recorder.write_manifest()?;
        Ok(recorder)
    }

    /// Goes on with a run that was broken off, behind its last whole turn; what is there of the next one is
    /// taken away.
    ///
    /// # Errors
    ///
    /// [`RecordError::Over`] of a run that has ended, [`RecordError::Occupied`] of one that somebody records.
    pub fn resume(dir: &Path) -> Result<Self, RecordError> {
        let mut manifest = reader::peek(dir)?.manifest;
        if manifest.outcome != Outcome::Running {
            return Err(RecordError::Over(dir.to_path_buf()));
        }
        let path = dir.join(LOCK_FILE);
        let lock = OpenOptions::new().create(true).append(true).open(&path);
        let lock = lock.map_err(unwritable(&path))?;
        // Of a file system without locks nobody can tell.
        if matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(RecordError::Occupied(dir.to_path_buf()));
        }
        let path = dir.join(EVENTS_FILE);
        let events = OpenOptions::new().read(true).append(true).open(&path);
        let events = events.map_err(unwritable(&path))?;
        let whole = whole_turns_of(&events).map_err(unwritable(&path))?;
        events.set_len(whole.bytes).map_err(unwritable(&path))?;
        manifest.totals = Totals { providers: manifest.totals.providers, ..Totals::default() };
        let mut recorder = Self {
            dir: dir.to_path_buf(),
            log: EventLog::after(events, whole.bytes),
            exchanges: None,
            manifest,
            sequence: whole.sequence,
            durability: Durability::EveryTurn,
            last_picture: None,
            _lock: Some(lock),
        };
        whole.events.iter().for_each(|event| recorder.count(event));
        Ok(recorder)
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What `run.json` will say at the next turn's end; totals are always fresh.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Appends an event and gives it back as it was written: what a reader could not read is
    /// replaced, numbers that are not finite by 0 and values that nest too deep by a remark.
    pub fn record(&mut self, event: Event) -> Result<Event, RecordError> {
        let event = sanitize(event);
        // On a copy: an event that is refused, or cannot be written, must not have counted.
        let mut sequence = self.sequence.clone();
        sequence.advance(&event)?;
        let line = serde_json::to_vec(&event)?;
        if line.len() as u64 >= LINE_BYTES {
            return Err(RecordError::TooLarge { bytes: line.len() });
        }
        // Too long a line was refused: readers stop at one, and lose all turns behind it.
        self.log.append(line).map_err(|source| self.failed(EVENTS_FILE, source))?;
        self.sequence = sequence;
        self.count(&event);
        if matches!(event, Event::TurnEnd { .. }) && self.durability == Durability::EveryTurn {
            // The events first: totals must never count a turn that is not in the file.
            self.sync_events()?;
            self.write_manifest()?;
        }
        Ok(event)
    }

    /// Keeps what went over the wire, with the pictures (PNG) that it names by
    /// [`images::name_of`]; all of it is on disk when this returns.
    pub fn keep_exchange(
        &mut self,
        exchange: &impl Serialize,
        pictures: &[(String, Vec<u8>)],
    ) -> Result<(), RecordError> {
        for (file, png) in pictures {
            self.keep_png(file, png)?;
        }
        let line = serde_json::to_vec(exchange)?;
        if line.len() as u64 >= LINE_BYTES {
            return Err(RecordError::TooLarge { bytes: line.len() });
        }
        self.append_exchange(line).map_err(|source| self.failed(EXCHANGES_FILE, source))
    }

    /// Counts what a provider was asked, in the totals; tokens and costs are in those of the turn too,
    /// which come with its [`Event::Usage`].
    pub fn count_provider(&mut self, provider: &str, counts: &ProviderTotals) {
        let providers = self.manifest.totals.providers.get_or_insert_default();
        providers.entry(provider.to_owned()).or_default().add(counts);
    }

    fn append_exchange(&mut self, line: Vec<u8>) -> io::Result<()> {
        if self.exchanges.is_none() {
            let file = open_new(&self.dir.join(EXCHANGES_FILE))?;
            self.exchanges = Some(EventLog::new(file));
            // A file's bytes on disk are lost with its name, which is in the folder.
            if self.durability == Durability::EveryTurn {
                sync_dir(&self.dir)?;
            }
        }
        let Some(log) = &mut self.exchanges else { return Ok(()) };
        log.append(line)?;
        if self.durability == Durability::EveryTurn { log.sync() } else { Ok(()) }
    }

    /// Keeps a plan beside the events, instead of the one before; it is on disk when this returns.
    pub fn keep_plan(&mut self, plan: &Value) -> Result<(), RecordError> {
        self.replace(PLAN_FILE, &serde_json::to_vec_pretty(plan)?)
    }

    /// Keeps a picture in `images/`; the reference may then be recorded. The same picture is kept
    /// once.
    pub fn keep_picture(&mut self, pixels: &Pixels) -> Result<ImageRef, RecordError> {
        // Hashing the samples is far quicker than encoding them to find out.
        let content = content_of(pixels);
        if let Some((_, image)) = self.last_picture.as_ref().filter(|(last, _)| *last == content) {
            return Ok(image.clone());
        }
        let png = pixels.to_png()?;
        let file = images::name_of(&png);
        self.keep_png(&file, &png)?;
        let image = ImageRef { file, width: pixels.width(), height: pixels.height() };
        self.last_picture = Some((content, image.clone()));
        Ok(image)
    }

    fn keep_png(&mut self, file: &str, png: &[u8]) -> Result<(), RecordError> {
        let images_dir = self.dir.join(IMAGES_DIR);
        // Named by what it holds: one that is there is the same.
        if !images_dir.join(file).exists() {
            put(self.durability, &images_dir, file, png)
                .map_err(|source| self.failed(IMAGES_DIR, source))?;
        }
        Ok(())
    }

    /// Changes what `run.json` will say at the next turn's end, or at the end of the run: of a run that is
    /// imported some of it is only known when all of its record was read.
    pub fn edit_manifest(&mut self, edit: impl FnOnce(&mut Manifest)) {
        edit(&mut self.manifest);
    }

    /// Ends the run: writes the final document, the outcome and when that was (empty where it is not
    /// known), and lets go of the folder.
    pub fn finish(
        mut self,
        outcome: Outcome,
        finished: impl Into<String>,
        final_document: Option<&Value>,
    ) -> Result<Manifest, RecordError> {
        self.sync_events()?;
        if let Some(document) = final_document {
            self.replace(FINAL_FILE, &serde_json::to_vec(document)?)?;
        }
        // The outcome last: whoever reads it finds all that it is the outcome of.
        self.manifest.outcome = outcome;
        self.manifest.finished = Some(finished.into()).filter(|finished| !finished.is_empty());
        self.write_manifest()?;
        // An unlocked file left behind says the same as none.
        std::fs::remove_file(self.dir.join(LOCK_FILE)).ok();
        Ok(self.manifest)
    }

    fn sync_events(&mut self) -> Result<(), RecordError> {
        if self.durability == Durability::NoFsync {
            return Ok(());
        }
        self.log.sync().map_err(|source| self.failed(EVENTS_FILE, source))
    }

    fn write_manifest(&self) -> Result<(), RecordError> {
        let mut json = serde_json::to_vec_pretty(&self.manifest)?;
        json.push(b'\n');
        self.replace(MANIFEST_FILE, &json)
    }

    fn replace(&self, file: &str, bytes: &[u8]) -> Result<(), RecordError> {
        put(self.durability, &self.dir, file, bytes).map_err(|source| self.failed(file, source))
    }

    fn failed(&self, file: &str, source: io::Error) -> RecordError {
        let whole_turns = self.sequence.whole_turns();
        RecordError::Write { source, path: self.dir.join(file), whole_turns }
    }

    fn count(&mut self, event: &Event) {
        let totals = &mut self.manifest.totals;
        match event {
            Event::Call { .. } => totals.calls += 1,
            Event::Outcome { failure: Some(_), .. } => totals.failures += 1,
            Event::Usage { usage, .. } => totals.add(usage),
            Event::TurnEnd { seconds, .. } => {
                totals.turns += 1;
                totals.seconds += seconds;
            }
            _ => {}
        }
    }
}

/// Writes into the `run.json` of an imported run how another program's record says now that it ended and was scored.
/// All else in it stays, also fields that nobody here knows, and scores of which the record says nothing.
pub(crate) fn rescore(
    dir: &Path,
    outcome: &Outcome,
    record: &ImportRecord,
) -> Result<(), RecordError> {
    let path = dir.join(MANIFEST_FILE);
    let bytes = read_file_limited(&path, MANIFEST_BYTES).map_err(RunError::json(&path))?;
    let mut manifest: Value = parse_json(&bytes).map_err(RunError::json(&path))?;
    let Some(fields) = manifest.as_object_mut() else { return Ok(()) };
    fields.insert("outcome".to_owned(), serde_json::to_value(outcome)?);
    if let Some(imported) = fields.get_mut("imported").and_then(Value::as_object_mut) {
        match &record.outcome {
            Some(said) => imported.insert("outcome".to_owned(), Value::String(said.clone())),
            None => imported.shift_remove("outcome"),
        };
        let mut scores = match imported.get("scores") {
            Some(Value::Object(scores)) => scores.clone(),
            _ => Map::new(),
        };
        scores.extend(record.scores.clone());
        if !scores.is_empty() {
            imported.insert("scores".to_owned(), Value::Object(scores));
        }
    }
    let mut json = serde_json::to_vec_pretty(&manifest)?;
    json.push(b'\n');
    write_atomic(dir, MANIFEST_FILE, &json).map_err(unwritable(&path))
}

/// The whole turns of a file.
#[derive(Default)]
struct WholeTurns {
    bytes: u64,
    sequence: Sequence,
    events: Vec<Event>,
}

fn whole_turns_of(file: &File) -> io::Result<WholeTurns> {
    let (mut whole, mut open) = (WholeTurns::default(), Vec::new());
    let mut sequence = Sequence::default();
    let mut lines = BoundedLines::new(BufReader::new(file), LINE_BYTES);
    while let Some(Line::Whole(line)) = lines.next()? {
        // What cannot be read, or not at this place, is where readers stop.
        let Ok(event) = serde_json::from_slice::<Event>(&line) else { break };
        if !lines.has_feed || sequence.advance(&event).is_err() {
            break;
        }
        let is_whole = matches!(event, Event::TurnEnd { .. });
        open.push(event);
        if is_whole {
            whole.bytes = lines.end;
            whole.sequence = sequence.clone();
            whole.events.append(&mut open);
        }
    }
    Ok(whole)
}

/// A hash of size and samples.
fn content_of(pixels: &Pixels) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&pixels.width().to_le_bytes());
    hasher.update(&pixels.height().to_le_bytes());
    hasher.update(pixels.rgba());
    hasher.finalize()
}

/// Puts a file where it belongs, as safely as the run is kept.
fn put(durability: Durability, dir: &Path, file: &str, bytes: &[u8]) -> io::Result<()> {
    match durability {
        Durability::EveryTurn => write_atomic(dir, file, bytes),
        Durability::NoFsync => std::fs::write(dir.join(file), bytes),
    }
}

/// Makes the folder ready: nothing of another run is ever touched.
fn prepare(dir: &Path) -> Result<(File, Option<File>), RecordError> {
    std::fs::create_dir_all(dir).map_err(unwritable(dir))?;
    if std::fs::read_dir(dir).map_err(unwritable(dir))?.next().is_some() {
        return Err(RecordError::Occupied(dir.to_path_buf()));
    }
    // Of two recorders that found the folder empty, one gets this file.
    let path = dir.join(EVENTS_FILE);
    let events = open_new(&path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => RecordError::Occupied(dir.to_path_buf()),
        _ => unwritable(&path)(error),
    })?;
    // A run without a lock is recorded as well: it only looks interrupted while it is not over.
    let lock = open_new(&dir.join(LOCK_FILE)).ok().filter(|file| file.lock().is_ok());
    let images_dir = dir.join(IMAGES_DIR);
    std::fs::create_dir(&images_dir).map_err(unwritable(&images_dir))?;
    Ok((events, lock))
}

/// What went wrong before anything was recorded.
fn unwritable(path: &Path) -> impl Fn(io::Error) -> RecordError {
    move |source| RecordError::Write { source, path: path.to_path_buf(), whole_turns: 0 }
}

fn open_new(path: &Path) -> io::Result<File> {
    OpenOptions::new().create_new(true).append(true).open(path)
}

/// Replaces `dir/name` by `bytes`: after a crash at any moment the file holds the old bytes or the
/// new ones, all of them.
///
/// The bytes go to a file beside it first, are forced to disk, and take the name in one step.
fn write_atomic(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    let (prefix, suffix) = (format!(".{name}."), ".tmp");
    builder.prefix(&prefix).suffix(suffix);
    // As any file of this person's: others may read a run as far as their settings say.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // Gone when it is dropped, unless it took the name: what is left of a failure is no run's file.
    let mut temporary = builder.tempfile_in(dir)?;
    temporary.write_all(bytes)?;
    temporary.as_file().sync_all()?;
    temporary.persist(dir.join(name)).map_err(|error| error.error)?;
    sync_dir(dir)
}

/// Forces the names in a folder to disk.
#[cfg(unix)]
fn sync_dir(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}

/// Folders cannot be opened for syncing here; the file system's journal keeps the names.
#[cfg(not(unix))]
fn sync_dir(_dir: &Path) -> io::Result<()> {
    Ok(())
}
