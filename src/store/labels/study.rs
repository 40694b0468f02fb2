//! What a project's file has beside items: the form about people, the pictures of texts; and withdrawing.

use std::path::Path;

use rusqlite::{Transaction, TransactionBehavior};

use super::LabelFileError;
use super::file::{LabelFile, NewEvent, insert, next_place};
use super::pictures::{PacketPictures, StudyPictures};
use super::withdrawal::{Withdrawal, remove_rows, scrub};
use crate::label::{Act, Event, EventId, Form, FormHash, Item, ItemId, Project, WriterId};

impl LabelFile {
    /// Makes a project's file with the pictures of its queries and of the texts before the first item; the form
    /// about people is among `forms`.
    ///
    /// # Errors
    ///
    /// As [`Self::create`].
    pub fn create_study(
        path: &Path,
        project: &Project,
        (forms, items): (&[Form], &[Item]),
        pictures: &PacketPictures,
        writer: WriterId,
    ) -> Result<Self, LabelFileError> {
        Self::create_with(path, project, (forms, items), Some(pictures), writer)
    }

    /// What people are asked about themselves, if they are.
    ///
    /// # Errors
    ///
    /// [`LabelFileError::Damaged`] if it is not what its hash says.
    pub fn pre_survey(&self) -> Result<Option<Form>, LabelFileError> {
        self.project().study.pre_survey.map(|hash| self.form(hash)).transpose()
    }

    /// The pictures of the texts before the first item, encoded, by their hash; none in a file of an older
    /// version that cannot be written.
    ///
    /// # Errors
    ///
    /// [`LabelFileError`].
    pub fn study_pictures(&self) -> Result<StudyPictures, LabelFileError> {
        if self.project().study.examples.is_empty() && self.project().study.consent.is_empty() {
            return Ok(StudyPictures::new());
        }
        self.read(|connection| {
            let mut statement = connection.prepare("SELECT hash, content FROM study_picture")?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        })
    }

    /// Whether such an act is done to an item or to the study, and by such a form.
    pub(super) fn check_place(
        &self,
        item: &ItemId,
        form: FormHash,
        act: &Act,
    ) -> Result<(), LabelFileError> {
        let (what, is_of_study, is_of_items) = match act {
            Act::Answered(_) => ("an answer", false, true),
            Act::Retracted { .. } => ("taking back", false, true),
            Act::Skipped => ("a skip", false, true),
            Act::Flagged { .. } | Act::Unflagged => ("a flag", false, true),
            Act::Settled { .. } => ("a settlement", false, true),
            Act::Judged(_) => ("an answer of a model", false, true),
            Act::Consented { .. } => ("consent", true, false),
            Act::Withdrawn => ("a withdrawal", true, false),
            Act::LetOn { .. } => ("letting somebody on", true, false),
            Act::Revealed => ("revealing", true, false),
        };
        let is_survey = self.project().study.pre_survey == Some(form)
            && matches!(act, Act::Answered(_) | Act::Retracted { .. });
        let (about, fits) = if item.is_study() {
            ("the study", (is_of_study && form == FormHash::NONE) || is_survey)
        } else {
            ("an item", is_of_items)
        };
        let path = self.path().to_path_buf();
        if fits { Ok(()) } else { Err(LabelFileError::Misplaced { what, about, path }) }
    }

    /// Whether what was answered about a person fits its form.
    pub(super) fn check_survey(
        &self,
        survey: Option<&Form>,
        event: &Event,
    ) -> Result<(), LabelFileError> {
        let (Act::Answered(answered), Some(form)) = (&event.act, survey) else { return Ok(()) };
        answered.answer.check(form, &[]).map_err(|error| LabelFileError::Unknown {
            what: format!("such answer of {} about themselves: {error}", event.person),
            path: self.path().to_path_buf(),
        })
    }

    /// Whether who does it still takes part.
    pub(super) fn check_still_there(
        &self,
        transaction: &Transaction<'_>,
        new: &NewEvent,
    ) -> Result<(), LabelFileError> {
        if !new.act.is_personal() {
            return Ok(());
        }
        let query = "SELECT count(*) FROM withdrawn WHERE person = ?1";
        let found: rusqlite::Result<i64> =
            transaction.query_row(query, [&new.person], |row| row.get(0));
        if found.map_err(|source| self.failed(source))? == 0 {
            return Ok(());
        }
        let (person, path) = (new.person.clone(), self.path().to_path_buf());
        Err(LabelFileError::Withdrawn { person, path })
    }

    /// Removes all that a person did, for good, and keeps that they withdrew: from then on nothing of theirs is
    /// taken in. `at`: when, as RFC 3339. When it returns, that is on disk.
    ///
    /// # Errors
    ///
    /// [`LabelFileError`]; then nothing was removed.
    pub fn withdraw(&self, person: &str, at: String) -> Result<Withdrawal, LabelFileError> {
        let (event, removed, is_scrubbed) = self.write(|connection| {
            // What is removed is overwritten, and not only forgotten.
            connection.pragma_update(None, "secure_delete", true)?;
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let (sequence, clock) = next_place(&transaction, self.writer)?;
            let event = Event {
                id: EventId { writer: self.writer, sequence },
                clock,
                at,
                person: person.to_owned(),
                item: ItemId::study(),
                form: FormHash::NONE,
                act: Act::Withdrawn,
            };
            insert(&transaction, &event)?;
            let removed = remove_rows(&transaction, person)?;
            transaction.commit()?;
            Ok((event, removed, scrub(connection)))
        })?;
        Ok(Withdrawal { event, removed, is_scrubbed })
    }

    /// Rows of people who withdrew, which should be none: what a program that does not know of withdrawing
    /// put there.
    ///
    /// # Errors
    ///
    /// [`LabelFileError`].
    pub fn rows_of_withdrawn(&self) -> Result<usize, LabelFileError> {
        let (rows, kept) =
            (self.events_beyond(&std::collections::BTreeSet::new())?, self.ledger()?);
        Ok(rows.iter().filter(|event| kept.event(event.id).is_none()).count())
    }
}
