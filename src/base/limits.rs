//! What the program accepts from outside before it says no.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// Bounds on untrusted input. Every reader takes them from here, so that they are stated once.
#[derive(Clone, Copy, Debug)]
pub struct Limits;

impl Limits {
    /// Largest JSON document read, in bytes.
    pub const JSON_BYTES: u64 = 256 << 20;
    /// Deepest nesting of JSON values read.
    pub const JSON_DEPTH: usize = 512;
    /// Deepest nesting of design nodes.
    pub const NODE_DEPTH: usize = 128;
    /// Most nodes in one document. Each takes some 7 kB while a file is read: one of 300,000 was measured at 2.0 GB,
    /// so a file at this limit needs a machine with 8 GB to spare.
    pub const NODES: usize = 1_000_000;
    /// Largest encoded picture read, in bytes.
    pub const IMAGE_BYTES: u64 = 256 << 20;
    /// Longest side of a picture, in pixels.
    pub const IMAGE_SIDE: u32 = 16_384;
    /// Most pixels in a picture: 100 megapixels, 400 MB decoded.
    pub const IMAGE_PIXELS: u64 = 100_000_000;
    /// Largest SVG text accepted by `create_graphic`, in bytes.
    pub const SVG_BYTES: usize = 4 << 20;
    /// Largest magnitude of a number in path data with arcs, and of what rounds a rectangle: an arc is
    /// read as curves, the more the larger it is (some 50 of this radius, 10^8 of 10^50).
    pub const ARC: f64 = 1e9;
    /// Largest magnitude of a coordinate or extent in a design.
    pub const COORDINATE: f64 = 1e7;
}

/// Why untrusted JSON was refused.
#[derive(Debug, thiserror::Error)]
pub enum JsonLimitError {
    /// The file cannot be opened or read.
    #[error("cannot be read: {source}: {}", path.display())]
    Read {
        /// The cause.
        source: io::Error,
        /// Which file.
        path: PathBuf,
    },
    /// The file is larger than [`Limits::JSON_BYTES`] or the caller's limit.
    #[error("larger than the limit of {limit} bytes: {}", path.display())]
    TooLarge {
        /// The limit in bytes.
        limit: u64,
        /// Which file.
        path: PathBuf,
    },
    /// Values nest deeper than [`Limits::JSON_DEPTH`].
    #[error("JSON nests deeper than {limit} levels (at byte {at})")]
    TooDeep {
        /// The limit in levels.
        limit: usize,
        /// Byte offset of the bracket that went too far.
        at: usize,
    },
    /// Not JSON, with line and column.
    #[error("not valid JSON: {0}")]
    Syntax(#[from] serde_json::Error),
}

/// Opens a file from outside to be read; an error for what is no regular file: a pipe would be waited
/// for, and a device may have no end.
pub fn open_file(path: &Path) -> io::Result<File> {
    // Before it is opened, as opening a pipe waits for somebody who writes into it; and afterwards,
    // as another may have taken its name in between.
    ensure_regular(&std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    ensure_regular(&file.metadata()?)?;
    Ok(file)
}

fn ensure_regular(metadata: &Metadata) -> io::Result<()> {
    // A link was followed by whoever asked for the metadata.
    if metadata.is_file() {
        return Ok(());
    }
    let what = if metadata.is_dir() { "a folder" } else { "a pipe, a socket or a device" };
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it is {what}, not a file")))
}

/// Reads a whole file, but not more than `limit` bytes.
///
/// The size is checked while reading, so a file that grows or lies about its length is caught.
pub fn read_file_limited(path: &Path, limit: u64) -> Result<Vec<u8>, JsonLimitError> {
    let file = open_file(path)
        .map_err(|source| JsonLimitError::Read { source, path: path.to_path_buf() })?;
    read_limited(file, path, limit)
}

/// Reads all that a file gives, such as what is packed in it, but not more than `limit` bytes; errors name the path.
pub fn read_limited(
    file: impl io::Read,
    path: &Path,
    limit: u64,
) -> Result<Vec<u8>, JsonLimitError> {
    let mut bytes = Vec::new();
    // One byte more than may be: a file of just the limit is told from a longer one.
    file.take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(|source| JsonLimitError::Read { source, path: path.to_path_buf() })?;
    if bytes.len() as u64 > limit {
        return Err(JsonLimitError::TooLarge { limit, path: path.to_path_buf() });
    }
    Ok(bytes)
}

/// Parses JSON of bounded depth into `T`; a byte order mark before it is passed over.
///
/// serde_json's own recursion limit of 128 is too low for real Figma files and removing it would
/// risk the stack, so the depth is counted over the bytes first.
pub fn parse_json<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<T, JsonLimitError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    check_depth(bytes, Limits::JSON_DEPTH)?;
    // Safe only because the depth was counted before.
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    deserializer.disable_recursion_limit();
    let value = T::deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

fn check_depth(bytes: &[u8], limit: usize) -> Result<(), JsonLimitError> {
    // Brackets inside strings nest nothing; a quote after a backslash ends none.
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for (at, byte) in bytes.iter().enumerate() {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' | b'[' => {
                depth += 1;
                if depth > limit {
                    return Err(JsonLimitError::TooDeep { limit, at });
                }
            }
            // More closing than opening is no JSON; the parser says so.
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_inside_strings_do_not_count_as_depth() {
        let text = format!("[\"{}\\\"[\"]", "[".repeat(2000));
        assert!(parse_json::<serde_json::Value>(text.as_bytes()).is_ok());
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_json() {
        assert_eq!(parse_json::<u32>(b"\xef\xbb\xbf7").unwrap(), 7);
    }

    #[test]
    fn a_tower_of_brackets_is_refused_before_it_is_parsed() {
        let text = "[".repeat(100_000);
        let err = parse_json::<serde_json::Value>(text.as_bytes()).unwrap_err();
        assert!(matches!(err, JsonLimitError::TooDeep { at: 512, .. }), "{err}");
    }

    #[test]
    fn depth_up_to_the_limit_parses() {
        let text = format!("{}{}", "[".repeat(Limits::JSON_DEPTH), "]".repeat(Limits::JSON_DEPTH));
        assert!(parse_json::<serde_json::Value>(text.as_bytes()).is_ok());
    }
}
