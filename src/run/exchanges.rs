//! `exchanges.jsonl`: what a model was asked and what it answered, one exchange a line.
//!
//! A line is on disk before its answer is acted on: answers are paid for. What an exchange is, is
//! the agent's matter; here it is any value that JSON can hold. Pictures stand in `images/`.

use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::base::open_file;

use super::folder::EXCHANGES_FILE;
use super::lines::{BoundedLines, LINE_BYTES, Line};

/// Most exchanges read of one run.
const MOST_EXCHANGES: usize = 100_000;

/// Why recorded exchanges cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ExchangesError {
    /// The run recorded none.
    #[error("the run has no record of what went over the wire: {}", .0.display())]
    None(PathBuf),
    /// The file cannot be read.
    #[error("cannot be read: {source}: {}", path.display())]
    Read {
        /// The cause.
        source: io::Error,
        /// Which file.
        path: PathBuf,
    },
    /// What was listed is not there any more.
    #[error("the file has changed since it was listed: {why}: {}", path.display())]
    Changed {
        /// What is wrong with what stands there now.
        why: String,
        /// Which file.
        path: PathBuf,
    },
    /// A line in the middle is no exchange.
    #[error("line {line} is no exchange: {why}: {}", path.display())]
    Damaged {
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
        /// Which file.
        path: PathBuf,
    },
}

/// Reads the exchanges of the run in `dir`, in order. A last line that is not whole is what a crash
/// left of an answer that had not come yet, and is left out.
pub fn read<T: DeserializeOwned>(dir: &Path) -> Result<Vec<T>, ExchangesError> {
    let (path, file) = open(dir)?;
    let mut lines = BoundedLines::new(BufReader::new(file), LINE_BYTES);
    let (mut exchanges, mut broken) = (Vec::new(), None);
    loop {
        let line = match lines.next() {
            Ok(Some(line)) => line,
            Ok(None) => return Ok(exchanges),
            Err(source) => return Err(ExchangesError::Read { source, path }),
        };
        // Only the last line may be torn.
        if let Some((line, why)) = broken.take() {
            return Err(ExchangesError::Damaged { line, why, path });
        }
        match parse(&line, exchanges.len()) {
            Ok(exchange) => exchanges.push(exchange),
            Err(why) => broken = Some((lines.number, why)),
        }
    }
}

/// An exchange and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<T> {
    /// The exchange, or what of it was wanted.
    pub value: T,
    /// Its bytes in the file, without the line feed.
    pub bytes: Range<u64>,
}

/// Lists the exchanges of the run in `dir`, in order, with their places, to read each by itself by
/// [`read_at`]. Lines that are no exchange are left out; how many they are, a torn last one aside, is the
/// second value.
pub fn index<T: DeserializeOwned>(dir: &Path) -> Result<(Vec<Located<T>>, usize), ExchangesError> {
    let (path, file) = open(dir)?;
    let mut lines = BoundedLines::new(BufReader::new(file), LINE_BYTES);
    let (mut located, mut damaged, mut start) = (Vec::new(), 0, 0);
    loop {
        let line = match lines.next() {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(source) => return Err(ExchangesError::Read { source, path }),
        };
        let end = lines.end - u64::from(lines.has_feed);
        match parse(&line, located.len()) {
            Ok(value) => located.push(Located { value, bytes: start..end }),
            // Without its line feed it is what a crash left.
            Err(_damaged) => damaged += usize::from(lines.has_feed || line == Line::TooLong),
        }
        start = lines.end;
        // What follows a line that is too long is not known to be a line.
        if line == Line::TooLong {
            break;
        }
    }
    Ok((located, damaged))
}

/// Reads one exchange that [`index`] found.
pub fn read_at<T: DeserializeOwned>(dir: &Path, bytes: &Range<u64>) -> Result<T, ExchangesError> {
    let (path, mut file) = open(dir)?;
    // The file may be another one than was listed: no more is read than a line may have.
    let length = bytes.end.saturating_sub(bytes.start).min(LINE_BYTES);
    let mut line = Vec::new();
    let read = file
        .seek(SeekFrom::Start(bytes.start))
        .and_then(|_| file.take(length).read_to_end(&mut line));
    if let Err(source) = read {
        return Err(ExchangesError::Read { source, path });
    }
    crate::base::parse_json(&line)
        .map_err(|error| ExchangesError::Changed { why: error.to_string(), path })
}

fn open(dir: &Path) -> Result<(PathBuf, File), ExchangesError> {
    let path = dir.join(EXCHANGES_FILE);
    match open_file(&path) {
        Ok(file) => Ok((path, file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(ExchangesError::None(path)),
        Err(source) => Err(ExchangesError::Read { source, path }),
    }
}

fn parse<T: DeserializeOwned>(line: &Line, before: usize) -> Result<T, String> {
    match line {
        Line::TooLong => Err(format!("longer than {LINE_BYTES} bytes")),
        // Counted before it is read: the limit is on time and memory.
        Line::Whole(_) if before >= MOST_EXCHANGES => {
            Err(format!("more than {MOST_EXCHANGES} exchanges"))
        }
        Line::Whole(bytes) => crate::base::parse_json(bytes).map_err(|error| error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<Vec<u32>, ExchangesError> {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(EXCHANGES_FILE), text).unwrap();
        read(dir.path())
    }

    #[test]
    fn a_torn_last_line_is_left_out_and_one_in_the_middle_is_an_error() {
        assert_eq!(read_text("1\n2\n").unwrap(), [1, 2]);
        assert_eq!(read_text("1\n{\"a").unwrap(), [1]);
        let error = read_text("1\nx\n3\n").unwrap_err().to_string();
        assert!(error.starts_with("line 2 is no exchange: "), "{error}");
    }

    #[test]
    fn what_is_listed_is_read_by_its_place() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(EXCHANGES_FILE);
        std::fs::write(&path, "10\nx\n[3]\n20\n7").unwrap();
        let (listed, damaged) = index::<u32>(dir.path()).unwrap();
        let values: Vec<u32> = listed.iter().map(|it| it.value).collect();
        assert_eq!((values, damaged), (vec![10, 20, 7], 2));
        for it in &listed {
            assert_eq!(read_at::<u32>(dir.path(), &it.bytes).unwrap(), it.value);
        }
        std::fs::write(&path, "ten of them\n").unwrap();
        let error = read_at::<u32>(dir.path(), &listed[0].bytes).unwrap_err().to_string();
        assert!(error.starts_with("the file has changed since it was listed: "), "{error}");
        assert!(read_at::<u32>(dir.path(), &listed[2].bytes).is_err());
        std::fs::write(&path, "10\n{\"torn").unwrap();
        assert_eq!(index::<u32>(dir.path()).unwrap().1, 0, "a crash leaves such a last line");
    }

    #[test]
    fn a_run_without_a_record_says_so() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(read::<u32>(dir.path()), Err(ExchangesError::None(_))));
    }
}
