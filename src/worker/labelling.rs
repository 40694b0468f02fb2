//! The thread that keeps the labelling project that is open.
//!
//! It has the project's file to itself, so that an answer never waits behind pictures or scores. What it is
//! given to write it tries until it is on disk: only then does the window go on. Between orders it looks
//! whether others wrote into the file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError};

use crate::agent::batch::seen_from;
use crate::base::Pixels;
use crate::evaluate::relocate;
use crate::label::{Event as Labelled, EventId, Ledger, WriterId};
use crate::store::labels::{DeskFile, HELD_SECS, LabelFile, LabelFileError, NewEvent, OnDesk};
use crate::workbench::{
    Event, LabelNews, LabelOrder, MOST_ITEMS, OpenLabels, UnsavedAct, survey_item,
};

use super::shared::{Shared, is_news};

/// How often the file is looked at for what others wrote, and what failed is tried again.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The project that is open.
struct Open {
    path: PathBuf,
    /// `None` after a failure: it is opened anew, as a disk that was full or gone may be back.
    file: Option<LabelFile>,
    /// Drawn once for this opening of the window: what is tried twice is written once.
    writer: WriterId,
    known: BTreeSet<EventId>,
    version: Option<i64>,
    /// What is not on disk yet, with its number.
    unwritten: Option<(u64, NewEvent)>,
    /// Why, as it was told last.
    told: Option<String>,
    /// Where it stands which item is here; none where nothing can be written.
    desk: Option<DeskFile>,
    /// What lies here, and when that was written last.
    on_desk: Option<(OnDesk, i64)>,
    /// What lay on other desks when it was told last.
    held: BTreeSet<OnDesk>,
}

/// Opens, writes and looks until nobody can give orders any more.
pub(super) fn keep_labels_until_closed(shared: &Shared, orders: &Receiver<LabelOrder>) {
    let mut open: Option<Open> = None;
    loop {
        let order = match orders.recv_timeout(LOOK_EVERY) {
            Ok(order) => Some(order),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                // The last chance of what could not be written so far.
                if let Some(open) = &mut open {
                    open.write(shared);
                }
                return;
            }
        };
        match order {
            // One that cannot be opened leaves the one before it open.
            Some(LabelOrder::Open(path)) => open = open_project(shared, path).or(open),
            Some(LabelOrder::Close) => open = None,
            Some(LabelOrder::Write { number, done }) => {
                if let Some(open) = &mut open {
                    open.unwritten = Some((number, new_event(*done)));
                    open.told = None;
                    open.write(shared);
                }
            }
            Some(LabelOrder::Relocate(dir)) => {
                if let Some(open) = &mut open {
                    let result = open.relocate(&dir);
                    shared.mailbox.send(Event::Labels(LabelNews::Relocated(result)));
                }
            }
            Some(LabelOrder::Withdraw(person)) => {
                if let Some(open) = &mut open {
                    open.withdraw(shared, person);
                }
            }
            Some(LabelOrder::Hold(on_desk)) => {
                if let Some(open) = &mut open {
                    open.hold(on_desk);
                }
            }
            // Nothing was asked: what could not be written is tried again, and what others wrote is looked for.
            None => {
                if let Some(open) = &mut open {
                    open.write(shared);
                    open.look(shared);
                    open.hold_on();
                    open.look_at_desks(shared);
                }
            }
        }
    }
}

fn new_event(done: UnsavedAct) -> NewEvent {
    let UnsavedAct { person, item, form, act } = done;
    NewEvent { at: jiff::Timestamp::now().to_string(), person, item, form, act }
}

/// Opens a project and tells all of it. One that cannot be opened leaves the other as it is.
fn open_project(shared: &Shared, path: PathBuf) -> Option<Open> {
    let read = read_project(&path);
    let (result, open) = match read {
        Ok((labels, ledger, file, writer)) => {
            let known = ledger.in_order().iter().map(|event| event.id).collect();
            let version = file.data_version().ok();
            let desk = (!labels.is_read_only).then(|| DeskFile::new(&path, writer));
            let open = Open {
                path: path.clone(),
                file: Some(file),
                writer,
                known,
                version,
                unwritten: None,
                told: None,
                held: desk.as_ref().map(|desk| desk.others(now_secs())).unwrap_or_default(),
                desk,
                on_desk: None,
            };
            (Ok((Arc::new(labels), Box::new(ledger))), Some(open))
        }
        Err(why) => (Err(why), None),
    };
    // Before anybody can sit down: their first item is chosen by it.
    if let Some(Open { held, .. }) = &open {
        shared.mailbox.send(Event::Labels(LabelNews::Held(held.clone())));
    }
    shared.mailbox.send(Event::Labels(LabelNews::Opened { path, result }));
    open
}

/// In seconds since 1970.
fn now_secs() -> i64 {
    jiff::Timestamp::now().as_second()
}

/// A labelling project with all that was done in it, as the window opens it.
///
/// # Errors
///
/// What is wrong with the file, for people.
pub fn read_labels(path: &Path) -> Result<(Arc<OpenLabels>, Box<Ledger>), String> {
    let (labels, ledger, ..) = read_project(path)?;
    Ok((Arc::new(labels), Box::new(ledger)))
}

fn read_project(path: &Path) -> Result<(OpenLabels, Ledger, LabelFile, WriterId), String> {
    let writer = WriterId(getrandom::u64().map_err(|error| error.to_string())?);
    let file = LabelFile::open(path, writer).map_err(|error| error.to_string())?;
    let items = file.items().map_err(|error| error.to_string())?;
    let places = items.iter().enumerate().map(|(at, item)| (item.id.clone(), at)).collect();
    let survey = file.pre_survey().map_err(|error| error.to_string())?;
    let mut pictures = BTreeMap::new();
    for (hash, encoded) in file.study_pictures().map_err(|error| error.to_string())? {
        let picture = Pixels::decode(&encoded);
        // A text without one of its pictures would say something else.
        let picture = picture.map_err(|error| format!("{error}: {}", path.display()))?;
        pictures.insert(hash, picture);
    }
    let home = path.parent().unwrap_or_else(|| Path::new(""));
    let is_packet = file.project().packet.is_some();
    // A look at the folders alone: whether they are what they were is seen when they are shown.
    let missing = items.iter().enumerate().filter(|(_, item)| {
        !is_packet && item.runs.iter().any(|run| !home.join(&run.path).is_dir())
    });
    let labels = OpenLabels {
        missing: missing.map(|(at, _)| at).collect(),
        survey: survey.map(|form| (survey_item(), form)),
        pictures: Arc::new(pictures),
        path: path.to_path_buf(),
        project: file.project().clone(),
        forms: file.forms().map_err(|error| error.to_string())?,
        items,
        places,
        is_read_only: file.is_read_only(),
    };
    if labels.items.len() > MOST_ITEMS {
        return Err(format!("more than {MOST_ITEMS} items: {}", path.display()));
    }
    let ledger = file.ledger().map_err(|error| error.to_string())?;
    Ok((labels, ledger, file, writer))
}

impl Open {
    /// Writes what is not on disk yet, and tells what became of it: a failure only when it is news.
    fn write(&mut self, shared: &Shared) {
        let Some((number, new)) = self.unwritten.clone() else { return };
        let result = self.opened().and_then(|file| file.record(new));
        let result = match result {
            Ok(event) => {
                self.unwritten = None;
                self.known.insert(event.id);
                Ok(Box::new(event))
            }
            Err(error) => {
                // Opened anew the next time: what a handle remembers of a disk that failed is of no use.
                self.file = None;
                let why = error.to_string();
                if !is_news(&mut self.told, &why) {
                    return;
                }
                Err(why)
            }
        };
        shared.mailbox.send(Event::Labels(LabelNews::Written { number, result }));
    }

    /// Looks for runs that were moved, and writes down where they lie.
    fn relocate(&mut self, dir: &Path) -> Result<(String, bool), String> {
        let home = self.path.parent().unwrap_or_else(|| Path::new(".")).to_path_buf();
        let file = self.opened().map_err(|error| error.to_string())?;
        let items = file.items().map_err(|error| error.to_string())?;
        let found = relocate(&items, &home, dir).map_err(|error| error.to_string())?;
        let elsewhere = found.found.into_iter();
        let places: BTreeMap<String, String> =
            elsewhere.map(|(hash, dir)| (hash, seen_from(&home, &dir))).collect();
        let sets: Vec<String> = found.task_sets.iter().map(|dir| seen_from(&home, dir)).collect();
        let is_changed = !places.is_empty();
        if is_changed {
            file.relocate(&places, &sets).map_err(|error| error.to_string())?;
        }
        let words = format!(
            "{} runs were where they lay, {} are found elsewhere, {} are missing.",
            found.in_place,
            places.len(),
            found.missing.len()
        );
        Ok((words, is_changed))
    }

    /// Removes all that a person did, once: what fails is told, and asked for again by who wants it.
    fn withdraw(&mut self, shared: &Shared, person: String) {
        let at = jiff::Timestamp::now().to_string();
        let done = self.opened().and_then(|file| file.withdraw(&person, at));
        let result = done.map_err(|error| error.to_string()).map(|done| {
            self.known.insert(done.event.id);
            (Box::new(done.event), done.removed, done.is_scrubbed)
        });
        shared.mailbox.send(Event::Labels(LabelNews::Withdrawn { person, result }));
    }

    /// Another item lies here, or none.
    fn hold(&mut self, on_desk: Option<OnDesk>) {
        let Some(desk) = &self.desk else { return };
        let now = now_secs();
        match &on_desk {
            // Where it cannot be written others are asked the same item at the same time, which harms no answer.
            Some(on_desk) => {
                desk.hold(on_desk, now).ok();
            }
            None => desk.release(),
        }
        self.on_desk = on_desk.map(|on_desk| (on_desk, now));
    }

    /// What lies here for long is held on.
    fn hold_on(&mut self) {
        let now = now_secs();
        let on_desk = self.on_desk.as_ref();
        // Also after a clock that went back.
        let due = on_desk.filter(|(_, since)| now.abs_diff(*since) > HELD_SECS.unsigned_abs() / 3);
        if let Some((on_desk, _)) = due.cloned() {
            self.hold(Some(on_desk));
        }
    }

    /// Tells what lies on other desks, when that is something else than before.
    fn look_at_desks(&mut self, shared: &Shared) {
        let Some(desk) = &self.desk else { return };
        let held = desk.others(now_secs());
        if held != self.held {
            self.held.clone_from(&held);
            shared.mailbox.send(Event::Labels(LabelNews::Held(held)));
        }
    }

    fn opened(&mut self) -> Result<&LabelFile, LabelFileError> {
        let file = match self.file.take() {
            Some(file) => file,
            None => LabelFile::open(&self.path, self.writer)?,
        };
        Ok(self.file.insert(file))
    }

    /// Tells what others wrote since the last look. A file that cannot be read is told when something is to
    /// be written.
    fn look(&mut self, shared: &Shared) {
        let Some(file) = &self.file else { return };
        let version = file.data_version().ok();
        if version.is_none() || version == self.version {
            return;
        }
        let Ok(news) = file.events_beyond(&self.known) else { return };
        self.version = version;
        self.known.extend(news.iter().map(|event: &Labelled| event.id));
        if !news.is_empty() {
            shared.mailbox.send(Event::Labels(LabelNews::Others(news)));
        }
    }
}
