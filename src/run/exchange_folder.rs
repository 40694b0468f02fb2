//! Exchanges that are of no run: appended to a folder that keeps them as a run's does.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::base::replace_file;

use super::event_log::EventLog;
use super::exchanges::{self, ExchangesError};
use super::folder::{EXCHANGES_FILE, IMAGES_DIR};
use super::lines::LINE_BYTES;

/// Held locked by whoever appends.
const LOCK_FILE: &str = "exchanges.lock";
/// How much of a file's end is looked at at once.
const CHUNK: u64 = 64 << 10;

impl ExchangeFolderError {
    /// A cause for `map_err` that names what cannot be written.
    fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Write { source, path }
    }
}

/// A folder with `exchanges.jsonl` and `images/`, open to be appended to by this process alone.
#[derive(Debug)]
pub struct ExchangeFolder {
    dir: PathBuf,
    log: EventLog<File>,
    last: u32,
    /// Kept open: the lock is dropped with it. `None` where the file system has no locks.
    _lock: Option<File>,
}

/// Why exchanges cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum ExchangeFolderError {
    /// Another process appends to it.
    #[error("another program is writing there; wait until it is done: {}", .0.display())]
    InUse(PathBuf),
    /// What is there cannot be read.
    #[error(transparent)]
    Read(#[from] ExchangesError),
    /// An exchange is too large for a line.
    #[error("an exchange of {0} bytes is too large to be kept")]
    TooLarge(usize),
    /// An exchange is nothing that JSON can hold.
    #[error("an exchange cannot be written: {0}")]
    Json(#[from] serde_json::Error),
    /// The disk says no.
    #[error("cannot be written ({source}): {}", path.display())]
    Write {
        /// The cause.
        source: io::Error,
        /// Where.
        path: PathBuf,
    },
}

/// What is read of an exchange that is there.
#[derive(Deserialize)]
struct Numbered {
    turn: u32,
}

impl ExchangeFolder {
    /// Opens the folder, which is made if it is not there. What a crash left of a last line is cut off: its answer
    /// had not come yet.
    ///
    /// # Errors
    ///
    /// [`ExchangeFolderError`].
    pub fn open(dir: &Path) -> Result<Self, ExchangeFolderError> {
        let path = dir.join(EXCHANGES_FILE);
        std::fs::create_dir_all(dir.join(IMAGES_DIR)).map_err(ExchangeFolderError::write(dir))?;
        let lock_path = dir.join(LOCK_FILE);
        let lock = OpenOptions::new().create(true).append(true).open(&lock_path);
        let lock = lock.map_err(ExchangeFolderError::write(&lock_path))?;
        let lock = match lock.try_lock() {
            Ok(()) => Some(lock),
            Err(TryLockError::WouldBlock) => {
                return Err(ExchangeFolderError::InUse(dir.to_path_buf()));
            }
            Err(TryLockError::Error(_)) => None,
        };
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(&path);
        let whole = file.as_mut().map_err(|error| io::Error::from(error.kind()));
        let whole = whole.and_then(whole_bytes).map_err(ExchangeFolderError::write(&path))?;
        let file = file
            .and_then(|file| file.set_len(whole).map(|()| file))
            .map_err(ExchangeFolderError::write(&path))?;
        let (there, _damaged) = exchanges::index::<Numbered>(dir)?;
        let last = there.iter().map(|it| it.value.turn).max().unwrap_or(0);
        Ok(Self { dir: dir.to_path_buf(), log: EventLog::after(file, whole), last, _lock: lock })
    }

    /// A number that no exchange here has yet.
    pub fn next_number(&mut self) -> u32 {
        self.last = self.last.saturating_add(1);
        self.last
    }

    /// Keeps what went over the wire, with the pictures (PNG) that it names by
    /// [`images::name_of`](super::images::name_of); all of it is on disk when this returns.
    ///
    /// # Errors
    ///
    /// [`ExchangeFolderError`]; then nothing of it stands in the file.
    pub fn keep(
        &mut self,
        exchange: &impl Serialize,
        pictures: &[(String, Vec<u8>)],
    ) -> Result<(), ExchangeFolderError> {
        for (file, png) in pictures {
            let path = self.dir.join(IMAGES_DIR).join(file);
            // Named by what it holds: one that is there is the same.
            if !path.exists() {
                replace_file(&path, png)
                    .map_err(|source| ExchangeFolderError::Write { source, path })?;
            }
        }
        let line = serde_json::to_vec(exchange)?;
        if line.len() as u64 >= LINE_BYTES {
            return Err(ExchangeFolderError::TooLarge(line.len()));
        }
        self.log.append(line).and_then(|()| self.log.sync()).map_err(|source| {
            ExchangeFolderError::Write { source, path: self.dir.join(EXCHANGES_FILE) }
        })
    }
}

/// The bytes up to the last line feed.
fn whole_bytes(file: &mut File) -> io::Result<u64> {
    let mut end = file.metadata()?.len();
    while end > 0 {
        let start = end.saturating_sub(CHUNK);
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start))?;
        file.take(end - start).read_to_end(&mut bytes)?;
        if let Some(at) = bytes.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn exchanges_are_appended_and_a_torn_line_is_cut_off() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(EXCHANGES_FILE);
        let mut folder = ExchangeFolder::open(dir.path()).unwrap();
        assert_eq!((folder.next_number(), folder.next_number()), (1, 2));
        let picture = ("00.png".to_owned(), vec![1, 2]);
        folder.keep(&json!({"turn": 2}), &[picture]).unwrap();
        let error = ExchangeFolder::open(dir.path()).unwrap_err();
        assert!(matches!(error, ExchangeFolderError::InUse(_)), "{error}");
        drop(folder);
        assert_eq!(std::fs::read(dir.path().join("images/00.png")).unwrap(), [1, 2]);
        // Longer than a chunk, and no line feed behind it.
        let torn = format!("{{\"turn\": 9, \"a\": \"{}", "x".repeat(100_000));
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text + &torn).unwrap();
        let mut folder = ExchangeFolder::open(dir.path()).unwrap();
        assert_eq!(folder.next_number(), 3);
        folder.keep(&json!({"turn": 3}), &[]).unwrap();
        let turns: Vec<u32> =
            exchanges::read::<Numbered>(dir.path()).unwrap().iter().map(|it| it.turn).collect();
        assert_eq!(turns, [2, 3]);
    }
}
