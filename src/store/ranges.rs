//! Ranges of steps that people kept.

use rusqlite::params;

use super::{Store, StoreError};

/// A range of steps as it is kept. Of the same steps of a run there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRange {
    /// Which run it is of, by the id that it has wherever it lies.
    pub run: String,
    /// Its first step, 0 the start state.
    pub first: u32,
    /// Its last; not before the first.
    pub last: u32,
    /// What it is called.
    pub name: String,
    /// What was written to it.
    pub note: String,
}

impl Store {
    /// All kept ranges, by run and steps.
    ///
    /// # Errors
    ///
    /// As [`Store::score`].
    pub fn ranges(&self) -> Result<Vec<StoredRange>, StoreError> {
        self.with(|connection| {
            let mut statement = connection.prepare(
                "SELECT run, first_step, last_step, name, note FROM kept_range
                 ORDER BY run, first_step, last_step",
            )?;
            let rows = statement.query_map([], |row| {
                Ok(StoredRange {
                    run: row.get(0)?,
                    first: row.get(1)?,
                    last: row.get(2)?,
                    name: row.get(3)?,
                    note: row.get(4)?,
                })
            })?;
            rows.collect()
        })
    }

    /// Puts a range in the place of what was there of the same steps.
    ///
    /// # Errors
    ///
    /// As [`Store::score`].
    pub fn put_range(&self, range: &StoredRange) -> Result<(), StoreError> {
        self.with(|connection| {
            let mut statement = connection.prepare_cached(
                "INSERT OR REPLACE INTO kept_range (run, first_step, last_step, name, note, changed)
                 VALUES (?1, ?2, ?3, ?4, ?5, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
            )?;
            let StoredRange { run, first, last, name, note } = range;
            statement.execute(params![run, first, last, name, note])?;
            Ok(())
        })
    }

    /// Forgets the range of these steps, if there is one.
    ///
    /// # Errors
    ///
    /// As [`Store::score`].
    pub fn forget_range(&self, run: &str, first: u32, last: u32) -> Result<(), StoreError> {
        self.with(|connection| {
            let mut statement = connection.prepare_cached(
                "DELETE FROM kept_range WHERE run = ?1 AND first_step = ?2 AND last_step = ?3",
            )?;
            statement.execute(params![run, first, last])?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_come_back_in_another_connection() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("workspace.sqlite");
        let range = |first, last, name: &str| StoredRange {
            run: "a".into(),
            first,
            last,
            name: name.into(),
            note: "It forgets the header.\nTwice.".into(),
        };
        let store = Store::open(&path).unwrap();
        store.put_range(&range(12, 30, "Login")).unwrap();
        store.put_range(&range(0, 4, "Start")).unwrap();
        store.put_range(&range(12, 30, "Login form")).unwrap();
        store.put_range(&range(5, 5, "gone")).unwrap();
        store.forget_range("a", 5, 5).unwrap();
        store.forget_range("b", 0, 4).unwrap();
        let expected = [range(0, 4, "Start"), range(12, 30, "Login form")];
        assert_eq!(Store::open(&path).unwrap().ranges().unwrap(), expected);
    }
}
