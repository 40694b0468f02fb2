//! The tables, and how older ones become them.

use rusqlite::{Connection, Result, TransactionBehavior};

/// Says in the file's header that it is ours: "Pent" in ASCII.
const APPLICATION_ID: i32 = 0x5065_6E74;

/// What turns a file of version *n* into one of version *n + 1*, from 0, an empty file. Only ever
/// added to: files of every version are in use.
const MIGRATIONS: &[&str] = &[
    "
    CREATE TABLE schema_version (version INTEGER NOT NULL) STRICT;
    INSERT INTO schema_version VALUES (0);
    CREATE TABLE score (
        ground_truth BLOB NOT NULL,
        generated BLOB NOT NULL,
        variant TEXT NOT NULL,
        version INTEGER NOT NULL,
        value REAL,
        missing TEXT,
        PRIMARY KEY (generated, ground_truth, variant, version),
        CHECK ((value IS NULL) <> (missing IS NULL))
    ) STRICT, WITHOUT ROWID;
",
    "
    CREATE TABLE note (
        run TEXT NOT NULL,
        step INTEGER NOT NULL,
        starred INTEGER NOT NULL,
        text TEXT NOT NULL,
        changed TEXT NOT NULL,
        PRIMARY KEY (run, step)
    ) STRICT, WITHOUT ROWID;
",
    "
    CREATE TABLE kept_range (
        run TEXT NOT NULL,
        first_step INTEGER NOT NULL,
        last_step INTEGER NOT NULL,
        name TEXT NOT NULL,
        note TEXT NOT NULL,
        changed TEXT NOT NULL,
        PRIMARY KEY (run, first_step, last_step),
        CHECK (0 <= first_step AND first_step <= last_step)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE ignored_area (
        task_set TEXT NOT NULL,
        task TEXT NOT NULL,
        place INTEGER NOT NULL,
        x_min INTEGER NOT NULL,
        y_min INTEGER NOT NULL,
        x_max INTEGER NOT NULL,
        y_max INTEGER NOT NULL,
        PRIMARY KEY (task_set, task, place)
    ) STRICT, WITHOUT ROWID;
",
];

/// The version this program writes, and the newest it reads.
pub(super) const VERSION: u32 = MIGRATIONS.len() as u32;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WorkspaceFileKind {
    /// Nothing in it yet.
    Empty,
    /// Ours, of this version.
    Workspace(u32),
    /// Somebody else's.
    Foreign,
}

/// Looks at a file without changing it.
pub(super) fn kind(connection: &Connection) -> Result<WorkspaceFileKind> {
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |r| r.get(0))?;
    let id: i32 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    match (tables, id) {
        (0, 0 | APPLICATION_ID) => Ok(WorkspaceFileKind::Empty),
        (_, APPLICATION_ID) => Ok(WorkspaceFileKind::Workspace(version(connection)?)),
        _ => Ok(WorkspaceFileKind::Foreign),
    }
}

fn version(connection: &Connection) -> Result<u32> {
    connection.query_row("SELECT version FROM schema_version", [], |row| row.get(0))
}

/// Brings the tables up to date, all of it or nothing. Of two programs that do so at once, the
/// second finds it done.
pub(super) fn migrate(connection: &mut Connection) -> Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let from = match kind(&transaction)? {
        WorkspaceFileKind::Empty => 0,
        WorkspaceFileKind::Workspace(version) => version,
        // Told apart before; between then and now nothing of ours makes it so.
        WorkspaceFileKind::Foreign => return Ok(()),
    };
    if from >= VERSION {
        return Ok(());
    }
    // Together with the tables: tables without it would be another program's.
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    for migration in MIGRATIONS.iter().skip(from as usize) {
        transaction.execute_batch(migration)?;
    }
    transaction.execute("UPDATE schema_version SET version = ?1", [VERSION])?;
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_every_earlier_version_keeps_its_notes_and_gets_what_is_new() {
        for from in 2..VERSION {
            let mut connection = Connection::open_in_memory().unwrap();
            for migration in MIGRATIONS.iter().take(from as usize) {
                connection.execute_batch(migration).unwrap();
            }
            connection.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
            connection.execute("UPDATE schema_version SET version = ?1", [from]).unwrap();
            let note = "INSERT INTO note VALUES ('a', 4, 1, 'the header', '')";
            connection.execute(note, []).unwrap();
            migrate(&mut connection).unwrap();
            assert_eq!(kind(&connection).unwrap(), WorkspaceFileKind::Workspace(VERSION));
            let text: String =
                connection.query_row("SELECT text FROM note", [], |row| row.get(0)).unwrap();
            assert_eq!(text, "the header");
            let ranges: u32 =
                connection.query_row("SELECT count(*) FROM kept_range", [], |r| r.get(0)).unwrap();
            assert_eq!(ranges, 0);
        }
    }
}
