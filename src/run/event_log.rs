//! `events.jsonl` while it is written: whole lines or nothing.

use std::fs::File;
use std::io::{self, Write};

/// What lines are appended to; a file, or in tests a disk that is full.
pub trait Sink: Write {
    /// Drops what is beyond this many bytes.
    fn cut(&mut self, bytes: u64) -> io::Result<()>;
    /// Forces what was written to disk.
    fn sync(&mut self) -> io::Result<()>;
}

impl Sink for File {
    fn cut(&mut self, bytes: u64) -> io::Result<()> {
        self.set_len(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

/// An append-only list of lines. A line that could not be written whole is taken back.
#[derive(Debug)]
pub struct EventLog<S> {
    sink: S,
    /// Bytes of whole lines.
    whole_bytes: u64,
    /// Whether a part of a line may be behind them.
    dirty: bool,
}

impl<S: Sink> EventLog<S> {
    /// A log that goes to an empty sink which appends.
    pub fn new(sink: S) -> Self {
        Self { sink, whole_bytes: 0, dirty: false }
    }

    /// A log that goes on after so many bytes of whole lines.
    pub fn after(sink: S, whole_bytes: u64) -> Self {
        Self { sink, whole_bytes, dirty: false }
    }

    /// Appends one line (without its line feed) in one write.
    pub fn append(&mut self, mut line: Vec<u8>) -> io::Result<()> {
        self.take_back()?;
        line.push(b'\n');
        // Before the write: whatever goes wrong in it, a part of the line may be there.
        self.dirty = true;
        if let Err(error) = self.sink.write_all(&line).and_then(|()| self.sink.flush()) {
            // If this fails too, the next append tries again, and readers skip the torn line.
            self.take_back().ok();
            return Err(error);
        }
        self.whole_bytes += line.len() as u64;
        self.dirty = false;
        Ok(())
    }

    /// Forces all lines to disk.
    pub fn sync(&mut self) -> io::Result<()> {
        self.sink.sync()
    }

    fn take_back(&mut self) -> io::Result<()> {
        if self.dirty {
            self.sink.cut(self.whole_bytes)?;
            self.dirty = false;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes `room` bytes and then says that the disk is full.
    struct FullDisk {
        bytes: Vec<u8>,
        room: usize,
    }

    impl Write for FullDisk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let free = self.room - self.bytes.len();
            if free == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            let taken = bytes.len().min(free);
            self.bytes.extend(&bytes[..taken]);
            Ok(taken)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Sink for FullDisk {
        fn cut(&mut self, bytes: u64) -> io::Result<()> {
            self.bytes.truncate(bytes as usize);
            Ok(())
        }

        fn sync(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_leaves_whole_lines_and_the_log_goes_on_when_there_is_room() {
        let mut log = EventLog::new(FullDisk { bytes: Vec::new(), room: 12 });
        log.append(b"first".to_vec()).unwrap();
        let error = log.append(b"too long a line".to_vec()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert_eq!(log.sink.bytes, b"first\n");
        log.append(b"last".to_vec()).unwrap();
        assert_eq!(log.sink.bytes, b"first\nlast\n");
    }
}
