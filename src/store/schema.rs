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
];

/// The version this program writes, and the newest it reads.
pub(super) const VERSION: u32 = MIGRATIONS.len() as u32;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing in it yet.
    Empty,
    /// Ours, of this version.
    Workspace(u32),
    /// Somebody else's.
    Foreign,
}

/// Looks at a file without changing it.
pub(super) fn kind(connection: &Connection) -> Result<Kind> {
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |r| r.get(0))?;
    let id: i32 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    match (tables, id) {
        (0, 0 | APPLICATION_ID) => Ok(Kind::Empty),
        (_, APPLICATION_ID) => Ok(Kind::Workspace(version(connection)?)),
        _ => Ok(Kind::Foreign),
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
        Kind::Empty => 0,
        Kind::Workspace(version) => version,
        // Told apart before; between then and now nothing of ours makes it so.
        Kind::Foreign => return Ok(()),
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
