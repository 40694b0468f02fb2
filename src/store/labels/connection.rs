//! How a project's file is opened.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::LabelFileError;
use super::tables::{self, LabelFileKind};

/// How long a writer waits for another.
const WAIT: Duration = Duration::from_secs(5);

/// Opens a file to be read and written.
pub(super) fn connect(path: &Path, more: OpenFlags) -> rusqlite::Result<Connection> {
    // Without SQLITE_OPEN_URI: a name is a name, whatever it begins with.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | more;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(WAIT)?;
    // What a file says of views, triggers and functions is never run.
    connection.pragma_update(None, "trusted_schema", false)?;
    // Looked at first: a file that is none of ours, or empty, stays as it is.
    let is_new = more.contains(OpenFlags::SQLITE_OPEN_CREATE);
    if is_new || matches!(tables::kind(&connection)?, LabelFileKind::Labels(_)) {
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
    }
    Ok(connection)
}

/// Whether a file could not be opened because SQLite would have to write beside it.
pub(super) fn wants_to_write(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen))
}

/// Opens a file in a folder that cannot be written, as samples of an installed program are, without the files
/// that SQLite wants beside it; fails as `before` where another program's are there, which are a part of it.
pub(super) fn connect_unchanging(
    path: &Path,
    before: rusqlite::Error,
) -> rusqlite::Result<Connection> {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let whole = std::path::absolute(path).ok().filter(|_| !Path::new(&log).exists());
    let Some(whole) = whole.as_deref().and_then(Path::to_str) else { return Err(before) };
    let mut name = "file:///".to_owned();
    for byte in whole.trim_start_matches('/').bytes() {
        // Whatever it is: a name must not become a question.
        name.extend(['%', hex_digit(byte >> 4), hex_digit(byte & 15)]);
    }
    name.push_str("?immutable=1");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(name, flags)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    Ok(connection)
}

fn hex_digit(of: u8) -> char {
    char::from_digit(u32::from(of), 16).unwrap_or('0')
}

/// What went wrong, told apart by what SQLite says.
pub(super) fn failure(source: rusqlite::Error, path: &Path) -> LabelFileError {
    let path = path.to_path_buf();
    match source.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => LabelFileError::Foreign { path },
        Some(ErrorCode::DatabaseCorrupt) => {
            LabelFileError::Damaged { what: source.to_string(), path }
        }
        _ => LabelFileError::Sqlite { source, path },
    }
}
