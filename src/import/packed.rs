//! Files that are packed as a whole, by gzip (RFC 1952) or Zstandard (RFC 8878), told by what they begin with and
//! read as if they were not. Nothing is unpacked onto the disk; what would unpack to far more than it is, is refused
//! as it is in archives.

use std::fmt;
use std::io::{self, BufReader, Read, Seek as _, SeekFrom};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::base::{JsonLimitError, open_file, read_limited};

/// Largest sum of what is unpacked of one file.
pub(super) const TOTAL_BYTES: u64 = 16 << 30;
/// What is larger than this ...
pub(super) const SMALL_BYTES: u64 = 16 << 20;
/// ... may not unpack to more than so many times its size: JSON with repeated pictures stays far below.
pub(super) const MOST_RATIO: u64 = 400;
/// Largest window that a Zstandard frame may ask for.
const ZSTD_WINDOW: u64 = 128 << 20;

/// By what a file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packer {
    /// gzip, also of several parts one after the other.
    Gzip,
    /// Zstandard, also of several frames.
    Zstd,
}

impl Packer {
    /// By what a file with this beginning is packed, if it is.
    fn of(head: &[u8]) -> Option<Self> {
        if head.starts_with(b"\x1f\x8b") {
            return Some(Self::Gzip);
        }
        head.starts_with(b"\x28\xb5\x2f\xfd").then_some(Self::Zstd)
    }
}

impl fmt::Display for Packer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gzip => "gzip",
            Self::Zstd => "Zstandard",
        })
    }
}

/// A file that is read as it is, or unpacked; what is beyond the bounds is [`io::ErrorKind::FileTooLarge`].
pub(super) struct Unpacked {
    /// By what it is packed; `None`: it is read as it is.
    pub(super) packer: Option<Packer>,
    reader: Box<dyn Read>,
    /// How many bytes the file has.
    packed: u64,
    /// How many were read of what is in it.
    read: u64,
}

/// Opens a file to be read, unpacked if it is packed.
pub(super) fn open(path: &Path) -> io::Result<Unpacked> {
    let mut file = open_file(path)?;
    let packed = file.metadata()?.len();
    let mut head = Vec::new();
    file.by_ref().take(4).read_to_end(&mut head)?;
    file.seek(SeekFrom::Start(0))?;
    let packer = Packer::of(&head);
    let reader: Box<dyn Read> = match packer {
        Some(Packer::Gzip) => Box::new(MultiGzDecoder::new(BufReader::new(file))),
        Some(Packer::Zstd) => Box::new(Frames::new(BufReader::new(file))),
        None => Box::new(file),
    };
    Ok(Unpacked { packer, reader, packed, read: 0 })
}

/// Reads a whole file, unpacked if it is packed, but not more than `limit` bytes.
pub(super) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, JsonLimitError> {
    let file =
        open(path).map_err(|source| JsonLimitError::Read { source, path: path.to_path_buf() })?;
    read_limited(file, path, limit)
}

impl Read for Unpacked {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let Some(packer) = self.packer else { return self.reader.read(out) };
        let read = self.reader.read(out).map_err(|error| explained(packer, &error))?;
        self.read += read as u64;
        let ratio = self.read / self.packed.max(1);
        if self.read > SMALL_BYTES && ratio > MOST_RATIO {
            let why =
                format!("what {packer} packed unpacks to {ratio} times its size: it is refused");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
        }
        if self.read > TOTAL_BYTES {
            let why = format!("what {packer} packed unpacks to more than {TOTAL_BYTES} bytes");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
        }
        Ok(read)
    }
}

/// What is wrong with what was packed, for people.
fn explained(packer: Packer, error: &io::Error) -> io::Error {
    let why = match error.kind() {
        io::ErrorKind::Interrupted => return io::ErrorKind::Interrupted.into(),
        io::ErrorKind::UnexpectedEof => {
            format!("what {packer} packed is cut off, and what follows is missing")
        }
        _ => format!("what {packer} packed is damaged or cut off here ({error})"),
    };
    io::Error::new(error.kind(), why)
}

/// Zstandard frames one after the other, as files that were appended to have them.
pub(super) struct Frames<R> {
    source: R,
    frame: Option<FrameDecoder>,
}

impl<R: io::BufRead> Frames<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, frame: None }
    }

    /// Begins the next frame; `false` at the end. What is marked to be passed over is.
    fn begin(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            let mut decoder = FrameDecoder::new();
            decoder.set_max_window_size(ZSTD_WINDOW);
            match decoder.init(&mut self.source) {
                Ok(()) => {
                    self.frame = Some(decoder);
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let skipped = &mut self.source.by_ref().take(u64::from(length));
                    io::copy(skipped, &mut io::sink())?;
                }
                Err(error) => return Err(io::Error::other(error.to_string())),
            }
        }
        Ok(false)
    }
}

impl<R: io::BufRead> Read for Frames<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(frame) = &mut self.frame {
                while frame.can_collect() == 0 && !frame.is_finished() {
                    frame
                        .decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1))
                        .map_err(|error| io::Error::other(error.to_string()))?;
                }
                let read = frame.read(out)?;
                if read > 0 || out.is_empty() {
                    return Ok(read);
                }
                self.frame = None;
            }
            if !self.begin()? {
                return Ok(0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn unpacked(bytes: &[u8]) -> (Vec<u8>, io::Result<usize>) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        let mut out = Vec::new();
        let result = open(file.path()).and_then(|mut it| it.read_to_end(&mut out));
        (out, result)
    }

    #[test]
    fn what_is_packed_is_read_as_if_it_were_not_and_anything_else_as_it_is() {
        for bytes in [&b""[..], b"{}", b"\x1f", b"PK\x03\x04"] {
            let (out, result) = unpacked(bytes);
            assert_eq!((&*out, result.is_ok()), (bytes, true));
        }
        // Two parts, as programs write them that append.
        let (out, result) = unpacked(&[gzip(b"one\n"), gzip(b"two\n")].concat());
        assert_eq!((&*out, result.is_ok()), (&b"one\ntwo\n"[..], true));
    }

    #[test]
    fn of_what_is_cut_off_comes_what_there_is_and_why_there_is_no_more() {
        let lines = (0..5000_u32).map(|number| format!("{}\n", number.wrapping_mul(number)));
        let text: String = lines.collect();
        let packed = gzip(text.as_bytes());
        let (out, result) = unpacked(&packed[..packed.len() / 2]);
        assert!(out.len() > text.len() / 4 && text.as_bytes().starts_with(&out), "{}", out.len());
        assert!(result.unwrap_err().to_string().contains("cut off"));
        let mut wrong = packed;
        let sum = wrong.len() - 8;
        wrong[sum] ^= 1;
        let (out, result) = unpacked(&wrong);
        assert_eq!(out, text.as_bytes());
        assert!(result.unwrap_err().to_string().contains("damaged"));
    }

    #[test]
    fn what_unpacks_to_far_more_than_it_is_is_refused() {
        let (out, result) = unpacked(&gzip(&vec![b' '; 32 << 20]));
        assert!(result.unwrap_err().to_string().contains("times its size"));
        assert!(out.len() as u64 <= SMALL_BYTES + (1 << 20));
        let (_, result) = unpacked(&gzip(&vec![b' '; 4 << 20]));
        assert!(result.is_ok(), "a little that is the same all over is no bomb");
    }
}
