//! `exchanges.jsonl`: what a model was asked and what it answered, one exchange a line.
//!
//! A line is on disk before its answer is acted on: answers are paid for. What an exchange is, is
//! the agent's matter; here it is any value that JSON can hold. Pictures stand in `images/`.

use std::io::{self, BufReader};
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
    let path = dir.join(EXCHANGES_FILE);
    let file = match open_file(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(ExchangesError::None(path));
        }
        Err(source) => return Err(ExchangesError::Read { source, path }),
    };
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
    fn a_run_without_a_record_says_so() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(read::<u32>(dir.path()), Err(ExchangesError::None(_))));
    }
}
