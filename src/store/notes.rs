//! Notes of people on runs and steps.

use rusqlite::params;

use super::{Store, StoreError};

/// A note as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredNote {
    /// Which run it is on, by the id that it has wherever it lies.
    pub run: String,
    /// Which step, 0 the start state; `None`: the run as a whole.
    pub step: Option<u32>,
    /// Whether it is starred.
    pub is_starred: bool,
    /// What was written.
    pub text: String,
}

/// Stands for the run as a whole: SQLite takes no NULL in a primary key.
const WHOLE_RUN: i64 = -1;

impl Store {
    /// All notes, by run and step.
    ///
    /// # Errors
    ///
    /// As [`Store::score`].
    pub fn notes(&self) -> Result<Vec<StoredNote>, StoreError> {
        self.with(|connection| {
            let mut statement = connection
                .prepare("SELECT run, step, starred, text FROM note ORDER BY run, step")?;
            let rows = statement.query_map([], |row| {
                let step: i64 = row.get(1)?;
                Ok(StoredNote {
                    run: row.get(0)?,
                    step: u32::try_from(step).ok(),
                    is_starred: row.get(2)?,
                    text: row.get(3)?,
                })
            })?;
            rows.collect()
        })
    }

    /// Puts a note in the place of what was there; one without star and text takes it away.
    ///
    /// # Errors
    ///
    /// As [`Store::score`].
    pub fn put_note(&self, note: &StoredNote) -> Result<(), StoreError> {
        let step = note.step.map_or(WHOLE_RUN, i64::from);
        self.with(|connection| {
            if !note.is_starred && note.text.trim().is_empty() {
                let delete = "DELETE FROM note WHERE run = ?1 AND step = ?2";
                connection.prepare_cached(delete)?.execute(params![note.run, step])?;
                return Ok(());
            }
            let mut statement = connection.prepare_cached(
                "INSERT OR REPLACE INTO note (run, step, starred, text, changed)
                 VALUES (?1, ?2, ?3, ?4, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
            )?;
            statement.execute(params![note.run, step, note.is_starred, note.text])?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_come_back_in_another_connection() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("workspace.sqlite");
        let note = |run: &str, step, is_starred, text: &str| StoredNote {
            run: run.into(),
            step,
            is_starred,
            text: text.into(),
        };
        let store = Store::open(&path).unwrap();
        store.put_note(&note("b", Some(4), false, "It forgets the header.\nTwice.")).unwrap();
        store.put_note(&note("b", None, true, "")).unwrap();
        store.put_note(&note("a", Some(0), true, "gone")).unwrap();
        store.put_note(&note("a", Some(0), false, " ")).unwrap();
        store.put_note(&note("b", Some(4), true, "It forgets the header.")).unwrap();
        let expected =
            [note("b", None, true, ""), note("b", Some(4), true, "It forgets the header.")];
        assert_eq!(Store::open(&path).unwrap().notes().unwrap(), expected);
    }
}
