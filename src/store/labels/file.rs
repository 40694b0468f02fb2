//! Making, opening, writing and joining files.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::LabelFileError;
use super::connection::{connect, connect_unchanging, failure, wants_to_write};
use super::pictures::{PacketPictures, put_pictures};
use super::tables::{self, LabelFileKind};
use super::withdrawal::{remove_rows, scrub};
use crate::label::{
    Act, Event, EventId, Form, FormHash, Item, ItemId, Ledger, Project, WriterId, check_settlement,
};

/// What somebody did, before it has a number and a place in the order.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEvent {
    /// When, by the machine's clock, as RFC 3339.
    pub at: String,
    /// Who.
    pub person: String,
    /// About which item.
    pub item: ItemId,
    /// By which form.
    pub form: FormHash,
    /// What.
    pub act: Act,
}

/// What came of joining two files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Events that were new.
    pub new: usize,
    /// Events that were there already.
    pub known: usize,
    /// Events of people who have withdrawn, which are not kept.
    pub withdrawn: usize,
}

/// An open labelling project, to be shared by threads. Others may have the same file open.
#[derive(Debug)]
pub struct LabelFile {
    connection: Mutex<Connection>,
    path: PathBuf,
    pub(super) writer: WriterId,
    project: Project,
}

impl LabelFile {
    /// Makes a project's file. `writer` is drawn at random by the caller, for this opening alone.
    ///
    /// # Errors
    ///
    /// [`LabelFileError::Exists`] if anything is there; [`LabelFileError::Known`]; whatever the disk says.
    pub fn create(
        path: &Path,
        project: &Project,
        forms: &[Form],
        items: &[Item],
        writer: WriterId,
    ) -> Result<Self, LabelFileError> {
        Self::create_with(path, project, (forms, items), None, writer)
    }

    pub(super) fn create_with(
        path: &Path,
        project: &Project,
        (forms, items): (&[Form], &[Item]),
        pictures: Option<&PacketPictures>,
        writer: WriterId,
    ) -> Result<Self, LabelFileError> {
        if path.exists() {
            return Err(LabelFileError::Exists { path: path.to_path_buf() });
        }
        for item in items {
            let Some(known) = &item.known else { continue };
            let mut asked = forms.iter().filter(|form| project.forms.contains(&form.hash()));
            if !asked.any(|form| known.check(form, &item.candidates).is_ok()) {
                let (item, path) = (item.id.0.clone(), path.to_path_buf());
                return Err(LabelFileError::Known { item, path });
            }
        }
        // Made under another name, so that nobody meets half a project: one that nobody else has drawn.
        let mut half = path.as_os_str().to_owned();
        half.push(format!(".{:016x}.new", writer.0));
        let half = PathBuf::from(half);
        if half.exists() {
            return Err(LabelFileError::Exists { path: half });
        }
        let made = fill(&half, project, (forms, items), pictures)
            .map_err(|source| LabelFileError::Sqlite { source, path: path.to_path_buf() });
        let placed = made.and_then(|()| {
            // A link never takes another file's place; some disks have none.
            let linked = std::fs::hard_link(&half, path);
            let placed = match linked {
                Err(error) if error.kind() != ErrorKind::AlreadyExists && !path.exists() => {
                    std::fs::rename(&half, path)
                }
                linked => linked,
            };
            placed.map_err(|error| match error.kind() {
                ErrorKind::AlreadyExists => LabelFileError::Exists { path: path.to_path_buf() },
                _ => LabelFileError::Place { source: error, path: path.to_path_buf() },
            })
        });
        // Nothing of a file that could not be made is of use to anybody.
        std::fs::remove_file(&half).ok();
        placed?;
        Self::open(path, writer)
    }

    /// Opens a project's file. `writer` is drawn at random by the caller, for this opening alone.
    ///
    /// # Errors
    ///
    /// [`LabelFileError`]; the file is left as it is.
    pub fn open(path: &Path, writer: WriterId) -> Result<Self, LabelFileError> {
        if !path.is_file() {
            return Err(LabelFileError::Missing { path: path.to_path_buf() });
        }
        let mut connection = match connect(path, OpenFlags::empty()) {
            Err(error) if wants_to_write(&error) => connect_unchanging(path, error),
            connection => connection,
        }
        .map_err(|source| failure(source, path))?;
        match tables::kind(&connection).map_err(|source| failure(source, path))? {
            LabelFileKind::Labels(version) if version > tables::VERSION => {
                Err(LabelFileError::Newer {
                    found: version,
                    known: tables::VERSION,
                    path: path.to_path_buf(),
                })
            }
            LabelFileKind::Labels(version) => {
                let is_read_only = connection.is_readonly(rusqlite::MAIN_DB).unwrap_or(false);
                // What cannot be written is read as it is: what came later is not in it.
                if version < tables::VERSION && !is_read_only {
                    // A copy first: a migration that fails must not cost answers.
                    back_up(&connection, path, version)?;
                    tables::migrate(&mut connection).map_err(|source| failure(source, path))?;
                }
                Self::of(connection, path, writer)
            }
            LabelFileKind::Empty | LabelFileKind::Foreign => {
                Err(LabelFileError::Foreign { path: path.to_path_buf() })
            }
        }
    }

    fn of(connection: Connection, path: &Path, writer: WriterId) -> Result<Self, LabelFileError> {
        let query = "SELECT project FROM file";
        let project: String = connection
            .query_row(query, [], |row| row.get(0))
            .map_err(|source| failure(source, path))?;
        let project = parsed(&project, "what the project says of itself", path)?;
        let connection = Mutex::new(connection);
        Ok(Self { connection, path: path.to_path_buf(), writer, project })
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the project says of itself.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// The forms of the project, in its order.
    ///
    /// # Errors
    ///
    /// [`LabelFileError::Damaged`] if one is not what its hash says.
    pub fn forms(&self) -> Result<Vec<Form>, LabelFileError> {
        self.project.forms.iter().map(|hash| self.form(*hash)).collect()
    }

    /// Of the project's forms that of this version: found by its place, as hashing all for every event would take
    /// longer than all else.
    pub(super) fn form_among<'a>(
        &self,
        forms: &'a [Form],
        hash: FormHash,
    ) -> Result<&'a Form, LabelFileError> {
        let place = self.project.forms.iter().position(|known| *known == hash);
        let form = place.and_then(|place| forms.get(place));
        form.ok_or_else(|| self.unknown(format!("form {}", hash.to_hex())))
    }

    pub(super) fn form(&self, hash: FormHash) -> Result<Form, LabelFileError> {
        let text: String = self.read(|connection| form_text(connection, hash))?;
        self.parsed_form(hash, &text)
    }

    fn parsed_form(&self, hash: FormHash, text: &str) -> Result<Form, LabelFileError> {
        let hex = hash.to_hex();
        let what = format!("the form {hex}");
        let form: Form = parsed(text, &what, &self.path)?;
        if form.hash() != hash {
            let what = format!("{what} was changed");
            return Err(LabelFileError::Damaged { what, path: self.path.clone() });
        }
        Ok(form)
    }

    /// The items, in the project's order.
    ///
    /// # Errors
    ///
    /// [`LabelFileError`].
    pub fn items(&self) -> Result<Vec<Item>, LabelFileError> {
        let texts = self.texts("SELECT content FROM item ORDER BY place")?;
        texts.iter().map(|text| parsed(text, "an item", &self.path)).collect()
    }

    /// Everything that was done, in every copy that was taken in.
    ///
    /// # Errors
    ///
    /// [`LabelFileError::Damaged`] if an event is not to be read or stands there twice.
    pub fn ledger(&self) -> Result<Ledger, LabelFileError> {
        let mut ledger = Ledger::default();
        for text in self.texts("SELECT content FROM event ORDER BY clock")? {
            let event: Event = parsed(&text, "an event", &self.path)?;
            ledger.insert(event).map_err(|source| self.conflict(source))?;
        }
        Ok(ledger)
    }

    /// What was done beyond what is known, in its order.
    ///
    /// # Errors
    ///
    /// [`LabelFileError::Damaged`] if an event is not to be read.
    pub fn events_beyond(&self, known: &BTreeSet<EventId>) -> Result<Vec<Event>, LabelFileError> {
        let texts = self.read(|connection| {
            let mut statement =
                connection.prepare("SELECT writer, sequence, content FROM event ORDER BY clock")?;
            let mut rows = statement.query([])?;
            let mut texts = Vec::new();
            while let Some(row) = rows.next()? {
                let (writer, sequence): (i64, i64) = (row.get(0)?, row.get(1)?);
                let writer = WriterId(writer.cast_unsigned());
                if !known.contains(&EventId { writer, sequence: sequence.cast_unsigned() }) {
                    texts.push(row.get::<_, String>(2)?);
                }
            }
            Ok(texts)
        })?;
        texts.iter().map(|text| parsed(text, "an event", &self.path)).collect()
    }

    /// A number that changes when another opening of the file, here or elsewhere, has written into it.
    ///
    /// # Errors
    ///
    /// [`LabelFileError`] if the file cannot be looked at.
    pub fn data_version(&self) -> Result<i64, LabelFileError> {
        self.read(|connection| connection.query_row("PRAGMA data_version", [], |row| row.get(0)))
    }

    /// Whether nothing can be written into it.
    pub fn is_read_only(&self) -> bool {
        self.connection.lock().is_readonly(rusqlite::MAIN_DB).unwrap_or(false)
    }

    /// Writes down what somebody did. When it returns, that is on disk.
    ///
    /// # Errors
    ///
    /// [`LabelFileError`]; then nothing was written, and the same may be tried again.
    pub fn record(&self, new: NewEvent) -> Result<Event, LabelFileError> {
        let events = self.record_all(vec![new])?;
        events.into_iter().next().ok_or_else(|| LabelFileError::Damaged {
            what: "an event was not written".to_owned(),
            path: self.path.clone(),
        })
    }

    /// Writes down what was done, in order: all of it or nothing. When it returns, that is on disk.
    ///
    /// # Errors
    ///
    /// [`LabelFileError`]; then nothing was written.
    pub fn record_all(&self, new: Vec<NewEvent>) -> Result<Vec<Event>, LabelFileError> {
        let mut connection = self.connection.lock();
        // Immediate: the numbers that are read must be those that are written after.
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(|source| self.failed(source))?;
        let (first, first_clock) =
            next_place(&transaction, self.writer).map_err(|source| self.failed(source))?;
        let mut events = Vec::with_capacity(new.len());
        for (new, more) in new.into_iter().zip(0..) {
            self.check(&transaction, &new)?;
            let NewEvent { at, person, item, form, act } = new;
            let id = EventId { writer: self.writer, sequence: first + more };
            let event = Event { id, clock: first_clock + more, at, person, item, form, act };
            insert(&transaction, &event).map_err(|source| self.failed(source))?;
            events.push(event);
        }
        transaction.commit().map_err(|source| self.failed(source))?;
        Ok(events)
    }

    /// Whether it is about something the project has.
    fn check(&self, transaction: &Transaction<'_>, new: &NewEvent) -> Result<(), LabelFileError> {
        self.check_still_there(transaction, new)?;
        self.check_place(&new.item, new.form, &new.act)?;
        if new.item.is_study() {
            return self.check_retracted(transaction, &new.act);
        }
        let query = "SELECT count(*) FROM item WHERE id = ?1";
        let items: i64 = transaction
            .query_row(query, [&new.item.0], |row| row.get(0))
            .map_err(|source| self.failed(source))?;
        if items == 0 {
            return Err(self.unknown(format!("item {:?}", new.item.0)));
        }
        if !self.project.forms.contains(&new.form) {
            return Err(self.unknown(format!("form {}", new.form.to_hex())));
        }
        if let Act::Settled { .. } = new.act {
            let text = form_text(transaction, new.form).map_err(|source| self.failed(source))?;
            self.check_settled(&self.parsed_form(new.form, &text)?, &new.act)?;
        }
        self.check_retracted(transaction, &new.act)
    }

    /// Whether what is taken back is there.
    fn check_retracted(
        &self,
        transaction: &Transaction<'_>,
        act: &Act,
    ) -> Result<(), LabelFileError> {
        if let Act::Retracted { event } = *act {
            let query = "SELECT count(*) FROM event WHERE writer = ?1 AND sequence = ?2";
            let key = (event.writer.0.cast_signed(), event.sequence.cast_signed());
            let events: i64 = transaction
                .query_row(query, key, |row| row.get(0))
                .map_err(|source| self.failed(source))?;
            if events == 0 {
                return Err(LabelFileError::NothingToRetract { event, path: self.path.clone() });
            }
        }
        Ok(())
    }

    /// Whether the form has a question that can be settled so.
    fn check_settled(&self, form: &Form, act: &Act) -> Result<(), LabelFileError> {
        let Act::Settled { question, option, value, .. } = act else { return Ok(()) };
        check_settlement(form, question, option.as_deref(), value)
            .map_err(|source| LabelFileError::Settlement { source, path: self.path.clone() })
    }

    /// Takes in what was done in another copy of the project: all of it, or nothing.
    ///
    /// # Errors
    ///
    /// [`LabelFileError::OtherProject`], [`LabelFileError::Unknown`] if an event is about what this project
    /// does not have, [`LabelFileError::Settlement`], [`LabelFileError::Conflict`] if an event was changed by hand.
    pub fn merge(&self, project: &Project, events: &[Event]) -> Result<Merged, LabelFileError> {
        if project.id != self.project.id {
            let (other, path) = (project.name.clone(), self.path.clone());
            return Err(LabelFileError::OtherProject { other, path });
        }
        // Looked at before anything is written, against all that is there. Events alone do not say of which
        // project they are.
        let items: BTreeSet<ItemId> = self.items()?.into_iter().map(|item| item.id).collect();
        let forms = self.forms()?;
        let survey = self.pre_survey()?;
        for event in events {
            self.check_place(&event.item, event.form, &event.act)?;
            if event.item.is_study() {
                self.check_survey(survey.as_ref(), event)?;
                continue;
            }
            if !items.contains(&event.item) {
                return Err(self.unknown(format!("item {:?}", event.item.0)));
            }
            let form = self.form_among(&forms, event.form)?;
            self.check_settled(form, &event.act)?;
        }
        let mut ledger = self.ledger()?;
        // Who withdrew in either copy is known before what they did arrives.
        let (first, rest): (Vec<&Event>, Vec<&Event>) =
            events.iter().partition(|event| event.act == Act::Withdrawn);
        let mut merged = Merged::default();
        for event in first.iter().chain(&rest) {
            let is_gone = ledger.has_withdrawn(&event.person) && event.act.is_personal();
            let inserted = ledger.insert((*event).clone());
            let is_new = inserted.map_err(|source| self.conflict(source))?;
            merged.new += usize::from(is_new);
            merged.withdrawn += usize::from(is_gone);
            merged.known += usize::from(!is_new && !is_gone);
        }
        self.keep(&first, &rest, &ledger)?;
        Ok(merged)
    }

    /// Writes down what is to be kept of events, and removes what is of people who withdrew: all of it or nothing.
    fn keep(
        &self,
        first: &[&Event],
        rest: &[&Event],
        ledger: &Ledger,
    ) -> Result<(), LabelFileError> {
        self.write(|connection| {
            connection.pragma_update(None, "secure_delete", true)?;
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut removed = 0;
            for event in first {
                insert(&transaction, event)?;
                removed += remove_rows(&transaction, &event.person)?;
            }
            for event in rest.iter().filter(|event| ledger.event(event.id).is_some()) {
                insert(&transaction, event)?;
            }
            transaction.commit()?;
            if removed > 0 {
                scrub(connection);
            }
            Ok(())
        })
    }

    pub(super) fn unknown(&self, what: String) -> LabelFileError {
        LabelFileError::Unknown { what, path: self.path.clone() }
    }

    fn conflict(&self, source: crate::label::LedgerError) -> LabelFileError {
        LabelFileError::Conflict { source, path: self.path.clone() }
    }

    fn texts(&self, query: &str) -> Result<Vec<String>, LabelFileError> {
        self.read(|connection| {
            let mut statement = connection.prepare(query)?;
            let rows = statement.query_map([], |row| row.get(0))?;
            rows.collect()
        })
    }

    pub(super) fn failed(&self, source: rusqlite::Error) -> LabelFileError {
        failure(source, &self.path)
    }

    pub(super) fn write<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, LabelFileError> {
        work(&mut self.connection.lock()).map_err(|source| failure(source, &self.path))
    }

    pub(super) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, LabelFileError> {
        work(&self.connection.lock()).map_err(|source| failure(source, &self.path))
    }
}

/// Copies a file before it is changed to a newer version, with what is in the log beside it; a copy that is
/// there already stays.
fn back_up(connection: &Connection, path: &Path, version: u32) -> Result<(), LabelFileError> {
    let mut copy = path.as_os_str().to_owned();
    copy.push(format!(".version-{version}"));
    let copy = PathBuf::from(copy);
    if copy.exists() {
        return Ok(());
    }
    let name = copy.to_string_lossy().into_owned();
    connection
        .execute("VACUUM INTO ?1", [name])
        .map(|_| ())
        .map_err(|source| LabelFileError::Sqlite { source, path: copy })
}

/// The number and the place in the order of what is done next in this copy.
pub(super) fn next_place(
    transaction: &Transaction<'_>,
    writer: WriterId,
) -> rusqlite::Result<(u64, u64)> {
    // Of a writer whose events were removed no number is given twice: other copies may have them still.
    let sequence: i64 = transaction.query_row(
        "SELECT 1 + max(coalesce((SELECT max(sequence) FROM event WHERE writer = ?1), 0), \
         coalesce((SELECT sequence FROM writer WHERE id = ?1), 0))",
        [writer.0.cast_signed()],
        |row| row.get(0),
    )?;
    let clock: i64 =
        transaction
            .query_row("SELECT coalesce(max(clock), 0) + 1 FROM event", [], |row| row.get(0))?;
    Ok((sequence.cast_unsigned(), clock.cast_unsigned()))
}

fn form_text(connection: &Connection, hash: FormHash) -> rusqlite::Result<String> {
    let query = "SELECT content FROM form WHERE hash = ?1";
    connection.query_row(query, [hash.to_hex()], |row| row.get(0))
}

pub(super) fn to_json(value: &impl Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(value)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

/// What is there already stays as it is.
pub(super) fn insert(transaction: &Transaction<'_>, event: &Event) -> rusqlite::Result<()> {
    let text = to_json(event)?;
    let key = (event.id.writer.0.cast_signed(), event.id.sequence.cast_signed());
    transaction.execute(
        "INSERT OR IGNORE INTO event (writer, sequence, clock, content) VALUES (?1, ?2, ?3, ?4)",
        params![key.0, key.1, event.clock.cast_signed(), text],
    )?;
    if event.act == Act::Withdrawn {
        let query = "INSERT OR IGNORE INTO withdrawn (person) VALUES (?1)";
        transaction.execute(query, [&event.person])?;
    }
    Ok(())
}

fn fill(
    path: &Path,
    project: &Project,
    (forms, items): (&[Form], &[Item]),
    pictures: Option<&PacketPictures>,
) -> rusqlite::Result<()> {
    let mut connection = connect(path, OpenFlags::SQLITE_OPEN_CREATE)?;
    tables::create(&mut connection, &to_json(project)?)?;
    let transaction = connection.transaction()?;
    for form in forms {
        let content = to_json(form)?;
        let hash = form.hash().to_hex();
        // What is asked of people may be asked of items, too.
        let query = "INSERT OR IGNORE INTO form (hash, content) VALUES (?1, ?2)";
        transaction.execute(query, [hash, content])?;
    }
    for (place, item) in (1i64..).zip(items) {
        let content = to_json(item)?;
        transaction.execute(
            "INSERT INTO item (place, id, content) VALUES (?1, ?2, ?3)",
            params![place, item.id.0, content],
        )?;
    }
    if let Some(pictures) = pictures {
        put_pictures(&transaction, pictures)?;
    }
    transaction.commit()?;
    // Into the one file that takes its place, and not into the log beside it.
    connection.close().map_err(|(_, error)| error)
}

pub(super) fn parsed<T: DeserializeOwned>(
    text: &str,
    what: &str,
    path: &Path,
) -> Result<T, LabelFileError> {
    serde_json::from_str(text).map_err(|error| LabelFileError::Damaged {
        what: format!("{what} ({error})"),
        path: path.to_path_buf(),
    })
}
