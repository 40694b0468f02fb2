//! Opening the file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use parking_lot::Mutex;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::StoreError;
use super::schema::{self, WorkspaceFileKind};

/// How long a writer waits for another.
const WAIT: Duration = Duration::from_secs(5);
/// How often the change to WAL is tried, and how long between: SQLite does not wait for that itself.
const TRIES: u32 = 50;
const BETWEEN: Duration = Duration::from_millis(20);
/// Most files set aside beside one workspace.
const ASIDES: u32 = 1000;

/// An open workspace, to be shared by threads. Others may have the same file open.
#[derive(Debug)]
pub struct Store {
    /// `None` once it failed.
    connection: Mutex<Option<Connection>>,
    path: PathBuf,
}

impl Store {
    /// Opens a workspace's file, or makes it, with its folder.
    ///
    /// # Errors
    ///
    /// A damaged file is set aside ([`StoreError::Damaged`]); a newer or foreign one is left alone.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .map_err(|source| StoreError::Folder { source, path: folder.to_path_buf() })?;
        }
        // A damaged file is moved away here and an error all the same: the next start makes a new
        // one.
        let connection = connect(path).map_err(|why| why.at(path))?;
        Ok(Self { connection: Mutex::new(Some(connection)), path: path.to_path_buf() })
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Works with the file; after a failure there is none any more, so that a broken disk is told
    /// of once and not at every score.
    pub(super) fn with<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let mut place = self.connection.lock();
        let Some(connection) = place.as_mut() else {
            return Err(StoreError::Closed { path: self.path.clone() });
        };
        match work(connection) {
            Ok(done) => Ok(done),
            // Another process writes for long: the score is computed instead.
            Err(source) if source.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {
                Err(StoreError::Sqlite { source, path: self.path.clone() })
            }
            Err(source) => {
                *place = None;
                Err(Refused::Sqlite(source).at(&self.path))
            }
        }
    }
}

/// Why a file is not opened.
enum Refused {
    Sqlite(rusqlite::Error),
    Foreign,
    Newer(u32),
}

impl From<rusqlite::Error> for Refused {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl Refused {
    /// The error; what is damaged is moved away.
    fn at(self, path: &Path) -> StoreError {
        let path_buf = path.to_path_buf();
        match self {
            Self::Foreign => StoreError::Foreign { path: path_buf },
            Self::Newer(found) => {
                StoreError::Newer { found, known: schema::VERSION, path: path_buf }
            }
            Self::Sqlite(source) if is_damage(&source) => match set_aside(path) {
                Ok(aside) => StoreError::Damaged { source, aside, path: path_buf },
                Err(rename) => StoreError::Stuck { source, rename, path: path_buf },
            },
            Self::Sqlite(source) => StoreError::Sqlite { source, path: path_buf },
        }
    }
}

fn is_damage(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(code, Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt))
}

fn connect(path: &Path) -> Result<Connection, Refused> {
    // Without SQLITE_OPEN_URI: a name is a name, whatever it begins with.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(WAIT)?;
    match schema::kind(&connection)? {
        WorkspaceFileKind::Foreign => return Err(Refused::Foreign),
        WorkspaceFileKind::Workspace(version) if version > schema::VERSION => {
            return Err(Refused::Newer(version));
        }
        WorkspaceFileKind::Empty | WorkspaceFileKind::Workspace(_) => {}
    }
    use_wal(&connection)?;
    // A score that a power cut loses is computed again.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    schema::migrate(&mut connection)?;
    Ok(connection)
}

/// Where the file system cannot do it, SQLite keeps to its journal, and says so instead of failing.
fn use_wal(connection: &Connection) -> rusqlite::Result<()> {
    let mut tries = 0;
    loop {
        let set = connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()));
        match set {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && tries < TRIES =>
            {
                tries += 1;
                std::thread::sleep(BETWEEN);
            }
            done => return done,
        }
    }
}

/// Moves a file and its journals beside itself, to the first free name.
fn set_aside(path: &Path) -> std::io::Result<PathBuf> {
    let mut names = (1..ASIDES).map(|n| with_ending(path, &format!(".damaged-{n}")));
    let free = names.find(|aside| !aside.exists());
    let aside = free.ok_or_else(|| std::io::Error::other("there are too many already"))?;
    // Moved and not removed: what is in it may still be had with SQLite's own tools.
    std::fs::rename(path, &aside)?;
    for journal in ["-wal", "-shm"] {
        // There may be none; left behind, it would be taken for the new file's.
        std::fs::rename(with_ending(path, journal), with_ending(&aside, journal)).ok();
    }
    Ok(aside)
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
