//! `study.jsonl`: events one a line, whole or not at all.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::check::{LogFault, check};
use super::event::{Happening, ParticipantKind, Stamp, StudyEvent};
use crate::base::{open_file, parse_json};
use crate::run::event_log::EventLog;
use crate::run::lines::{BoundedLines, Line};

/// Longest line taken, in bytes.
const LINE_BYTES: u64 = 16 << 20;
/// Most lines of a log.
const MOST_LINES: usize = 1_000_000;

/// Why a log cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("the study's log {what}: {source}: {}", path.display())]
pub struct StudyLogError {
    what: &'static str,
    source: io::Error,
    path: PathBuf,
}

/// When something happens, as whoever writes it knows: the wall's clock, and milliseconds of one that only goes
/// forwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// RFC 3339, UTC.
    pub wall: String,
    /// From the start of the process.
    pub mono_ms: u64,
}

/// How safely a log is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Safety {
    /// Every line is forced to disk before the next thing happens: a person will not do it again.
    EveryLine,
    /// Nothing is: what a script does can be made again.
    NoFsync,
}

/// A log that is being written.
#[derive(Debug)]
pub struct StudyLog {
    log: EventLog<File>,
    path: PathBuf,
    by: ParticipantKind,
    process: u32,
    safety: Safety,
}

impl StudyLog {
    /// Begins a log; nothing may be there yet.
    ///
    /// # Errors
    ///
    /// [`StudyLogError`].
    pub fn create(path: &Path, by: ParticipantKind, safety: Safety) -> Result<Self, StudyLogError> {
        let file = OpenOptions::new().create_new(true).append(true).open(path);
        let file = file.map_err(failed("cannot be begun", path))?;
        Ok(Self { log: EventLog::new(file), path: path.to_path_buf(), by, process: 1, safety })
    }

    /// Goes on with a log after a crash: what is torn at its end is cut off, and that it was opened again is its
    /// next line. Gives what was there.
    ///
    /// # Errors
    ///
    /// [`StudyLogError`].
    pub fn reopen(
        path: &Path,
        by: ParticipantKind,
        now: Moment,
    ) -> Result<(Self, ReadLog), StudyLogError> {
        let read = ReadLog::open(path)?;
        let file = OpenOptions::new().append(true).open(path);
        let file = file.map_err(failed("cannot be gone on with", path))?;
        // A line that was torn goes: what is written next would stand in the same line.
        file.set_len(read.whole_bytes).map_err(failed("cannot be gone on with", path))?;
        // Clocks of two processes have nothing in common: who reads the log has to tell them apart.
        let process = read.events.iter().map(|event| event.at.process).max().unwrap_or(0);
        let mut log = Self {
            log: EventLog::after(file, read.whole_bytes),
            path: path.to_path_buf(),
            by,
            process: process.saturating_add(1),
            safety: Safety::EveryLine,
        };
        log.append(now, Happening::Recovered)?;
        Ok((log, read))
    }

    /// Writes what happened; it is in the file when this returns.
    ///
    /// # Errors
    ///
    /// [`StudyLogError`]; the line is then not there, and the log can go on.
    pub fn append(&mut self, now: Moment, what: Happening) -> Result<StudyEvent, StudyLogError> {
        let at = Stamp { wall: now.wall, mono_ms: now.mono_ms, process: self.process };
        let event = StudyEvent { what, by: self.by, at };
        self.write(&event).map_err(failed("cannot be written", &self.path))?;
        Ok(event)
    }

    fn write(&mut self, event: &StudyEvent) -> io::Result<()> {
        let line = serde_json::to_vec(event)?;
        // Reading would end there, and going on after a crash would cut off all that follows.
        if line.len() as u64 > LINE_BYTES {
            let why = format!("a line of {} bytes, and {LINE_BYTES} are taken", line.len());
            return Err(io::Error::other(why));
        }
        self.log.append(line)?;
        match self.safety {
            Safety::EveryLine => self.log.sync(),
            Safety::NoFsync => Ok(()),
        }
    }
}

fn failed(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StudyLogError {
    move |source| StudyLogError { what, source, path: path.to_path_buf() }
}

/// A log that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadLog {
    /// What could be read, in order.
    pub events: Vec<StudyEvent>,
    /// What is odd, by line.
    pub faults: Vec<LogFault>,
    /// Bytes up to the end of the last whole line.
    pub whole_bytes: u64,
}

impl ReadLog {
    /// Reads and checks a log. What cannot be read of it is a fault, and the rest is there.
    ///
    /// # Errors
    ///
    /// [`StudyLogError`] where there is no file to be read.
    pub fn open(path: &Path) -> Result<Self, StudyLogError> {
        let file = open_file(path).map_err(failed("cannot be read", path))?;
        Self::of(BufReader::new(file)).map_err(failed("cannot be read", path))
    }

    /// The same of lines from anywhere.
    ///
    /// # Errors
    ///
    /// Those of the source.
    pub fn of(source: impl BufRead) -> io::Result<Self> {
        let mut lines = BoundedLines::new(source, LINE_BYTES);
        let mut read = Self::default();
        let mut numbers = Vec::new();
        while let Some(line) = lines.next()? {
            let number = lines.number;
            let Line::Whole(bytes) = line else {
                read.fault(number, format!("longer than {LINE_BYTES} bytes: reading ends here"));
                break;
            };
            // A crash leaves at most one line without its end, and that is the last.
            if !lines.has_feed {
                read.fault(number, "broken off in the middle, and left out".to_owned());
                break;
            }
            read.whole_bytes = lines.end;
            // Lines, not events: those that cannot be read are told of one by one.
            if number > MOST_LINES {
                read.fault(number, format!("more than {MOST_LINES} lines: reading ends here"));
                break;
            }
            match parse_json::<StudyEvent>(&bytes) {
                Ok(event) => {
                    read.events.push(event);
                    numbers.push(number);
                }
                Err(error) => read.fault(number, format!("left out: {error}")),
            }
        }
        read.faults.extend(check(&read.events, &numbers));
        read.faults.sort_by_key(|fault| fault.line);
        Ok(read)
    }

    fn fault(&mut self, line: usize, why: String) {
        self.faults.push(LogFault { line, why });
    }
}
