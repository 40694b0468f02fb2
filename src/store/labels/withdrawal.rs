//! Removing what somebody did: from the rows, the free pages and the log.

use rusqlite::{Connection, Transaction, params};

use crate::label::Event;

/// What came of a withdrawal.
#[derive(Clone, Debug, PartialEq)]
pub struct Withdrawal {
    /// What keeps copies from bringing back what was removed.
    pub event: Event,
    /// Events that are gone.
    pub removed: usize,
    /// Whether nothing of them is left in the file and its log. Another program that reads the file just then
    /// keeps the log from being emptied: that is done when it is closed by all.
    pub is_scrubbed: bool,
}

/// Removes the rows of a person's events but those of what they decided of the study, and says how many. The
/// last number of each of their writers stays.
pub(super) fn remove_rows(transaction: &Transaction<'_>, person: &str) -> rusqlite::Result<usize> {
    let mut theirs: Vec<(i64, i64)> = Vec::new();
    {
        let mut statement = transaction.prepare("SELECT writer, sequence, content FROM event")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            // What cannot be read is nobody's: opening the file says so.
            let event: Option<Event> = serde_json::from_str(&row.get::<_, String>(2)?).ok();
            if event.is_some_and(|it| it.person == person && it.act.is_personal()) {
                theirs.push((row.get(0)?, row.get(1)?));
            }
        }
    }
    for (writer, sequence) in &theirs {
        transaction.execute(
            "INSERT INTO writer (id, sequence) VALUES (?1, ?2) \
             ON CONFLICT (id) DO UPDATE SET sequence = max(sequence, excluded.sequence)",
            params![writer, sequence],
        )?;
        transaction.execute(
            "DELETE FROM event WHERE writer = ?1 AND sequence = ?2",
            params![writer, sequence],
        )?;
    }
    Ok(theirs.len())
}

/// Writes the file anew without what was removed, and empties its log; whether that could be done. It changes
/// nothing that is to be read, so that a failure loses nothing.
pub(super) fn scrub(connection: &Connection) -> bool {
    if connection.execute_batch("VACUUM").is_err() {
        return false;
    }
    let busy: rusqlite::Result<i64> =
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0));
    busy.is_ok_and(|busy| busy == 0)
}
