//! The tables, and how older ones become them.

use rusqlite::{Connection, Result, TransactionBehavior};

/// Says in the file's header that it is ours: "PenL" in ASCII.
const APPLICATION_ID: i32 = 0x5065_6E4C;

/// What turns a file of version *n* into one of version *n + 1*, from 0, an empty file. Only ever added to.
const MIGRATIONS: &[&str] = &[
    "
    CREATE TABLE file (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        version INTEGER NOT NULL,
        project TEXT NOT NULL
    ) STRICT;
    CREATE TABLE form (
        hash TEXT PRIMARY KEY,
        content TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE item (
        place INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        content TEXT NOT NULL
    ) STRICT;
    CREATE TABLE event (
        writer INTEGER NOT NULL,
        sequence INTEGER NOT NULL,
        clock INTEGER NOT NULL,
        content TEXT NOT NULL,
        PRIMARY KEY (writer, sequence)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX event_by_clock ON event (clock);
",
    "
    CREATE TABLE picture (
        id INTEGER PRIMARY KEY,
        content BLOB NOT NULL
    ) STRICT;
    CREATE TABLE evidence (
        item TEXT NOT NULL,
        run INTEGER NOT NULL,
        step INTEGER NOT NULL,
        picture INTEGER NOT NULL REFERENCES picture (id),
        PRIMARY KEY (item, run, step)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE packed (
        packet TEXT NOT NULL,
        id TEXT NOT NULL,
        item TEXT NOT NULL,
        is_swapped INTEGER NOT NULL,
        PRIMARY KEY (packet, id)
    ) STRICT, WITHOUT ROWID;
",
    // What earlier programs would lose: acts about the study, and what it shows before the first item. A writer
    // whose events are gone counts on from where it was.
    "
    CREATE TABLE study_picture (
        hash TEXT PRIMARY KEY,
        content BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE writer (
        id INTEGER PRIMARY KEY,
        sequence INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE withdrawn (
        person TEXT PRIMARY KEY
    ) STRICT, WITHOUT ROWID;
",
    // Events may be a model's from here on, which older programs cannot read: they say so of the file's version
    // instead of calling it damaged.
    "",
    // Queries say who made their candidates, and packets which those were.
    "
    ALTER TABLE packed ADD COLUMN candidates TEXT NOT NULL DEFAULT '[]';
",
];

/// The version this program writes, and the newest it reads.
pub(super) const VERSION: u32 = MIGRATIONS.len() as u32;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LabelFileKind {
    /// Nothing in it yet.
    Empty,
    /// A labelling project of this version.
    Labels(u32),
    /// Somebody else's.
    Foreign,
}

/// Looks at a file without changing it.
pub(super) fn kind(connection: &Connection) -> Result<LabelFileKind> {
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let id: i32 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    match (tables, id) {
        (0, 0 | APPLICATION_ID) => Ok(LabelFileKind::Empty),
        (_, APPLICATION_ID) => {
            let version = connection.query_row("SELECT version FROM file", [], |row| row.get(0))?;
            Ok(LabelFileKind::Labels(version))
        }
        _ => Ok(LabelFileKind::Foreign),
    }
}

/// Makes the tables of a new file, with its one row, all of it or nothing.
pub(super) fn create(connection: &mut Connection, project: &str) -> Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    for migration in MIGRATIONS {
        transaction.execute_batch(migration)?;
    }
    transaction.execute(
        "INSERT INTO file (one, version, project) VALUES (1, ?1, ?2)",
        (VERSION, project),
    )?;
    transaction.commit()
}

/// Makes a file of an older version one of this, all of it or nothing. Another opening may have been faster.
pub(super) fn migrate(connection: &mut Connection) -> Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version: u32 = transaction.query_row("SELECT version FROM file", [], |row| row.get(0))?;
    for migration in MIGRATIONS.iter().skip(version as usize) {
        transaction.execute_batch(migration)?;
    }
    if version < VERSION {
        transaction.execute("UPDATE file SET version = ?1", [VERSION])?;
    }
    transaction.commit()
}
