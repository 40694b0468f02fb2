//! Lines of a file that may be anything.

use std::io::{self, BufRead, Read as _};

/// Longest line taken, in bytes.
pub(crate) const LINE_BYTES: u64 = 64 << 20;

/// A line of the file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Its bytes without the line feed.
    Whole(Vec<u8>),
    /// Longer than the limit.
    TooLong,
}

/// Reads lines one at a time and never more than the limit of each.
#[derive(Debug)]
pub(crate) struct BoundedLines<R> {
    reader: R,
    limit: u64,
    /// Number of the line last given, from 1.
    pub(crate) number: usize,
    /// Bytes up to the end of the line last given, its line feed included.
    pub(crate) end: u64,
    /// Whether that line ends with a line feed, and not only because the file does.
    pub(crate) has_feed: bool,
}

impl<R: BufRead> BoundedLines<R> {
    pub(crate) fn new(reader: R, limit: u64) -> Self {
        Self { reader, limit, number: 0, end: 0, has_feed: false }
    }

    /// The next line; `None` at the end. What follows [`Line::TooLong`] is the rest of that
    /// line in pieces, up to the first that ends with a line feed.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        // One byte over the limit shows that the line goes on, without reading the rest of it.
        let read = self.reader.by_ref().take(self.limit + 1).read_until(b'\n', &mut bytes)? as u64;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        self.end += read;
        self.has_feed = bytes.last() == Some(&b'\n');
        if self.has_feed {
            bytes.pop();
        } else if read > self.limit {
            return Ok(Some(Line::TooLong));
        }
        Ok(Some(Line::Whole(bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_with_their_ends_and_a_long_one_is_refused() {
        let mut lines = BoundedLines::new(&b"ab\n\ncd"[..], 2);
        assert_eq!(lines.next().unwrap(), Some(Line::Whole(b"ab".to_vec())));
        assert_eq!(lines.next().unwrap(), Some(Line::Whole(Vec::new())));
        assert_eq!(lines.next().unwrap(), Some(Line::Whole(b"cd".to_vec())));
        assert_eq!((lines.number, lines.end), (3, 6));
        assert_eq!(lines.next().unwrap(), None);
        assert_eq!(BoundedLines::new(&b"abc\n"[..], 2).next().unwrap(), Some(Line::TooLong));
    }
}
