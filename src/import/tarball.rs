//! Tar archives, also packed as a whole by gzip or Zstandard: told by their content, and read once from their beginning
//! to their end, as they have no table of contents. What is unpacked is held to the bounds of other archives; of one that
//! is cut off comes what is whole.

use std::cell::Cell;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use tar::EntryType;

use crate::base::CancelToken;

use super::archive::{ENTRIES, refused, stays_inside, unpack_file};
use super::error::ImportError;
use super::packed::{self, TOTAL_BYTES, Unpacked};
use super::report::cut_name;

/// Most that may stand before a file of what is said about it: a long name, extended attributes. It is held in memory.
const HEADER_BYTES: u64 = 4 << 20;

/// Whether a file with this beginning is a tar archive: POSIX and GNU write so in the first header, v7 did not.
pub(super) fn is_tar(head: &[u8]) -> bool {
    head.get(257..262).is_some_and(|magic| magic == b"ustar")
}

/// Writes its files into a folder that is empty; gives what cannot be there, its name cut as in messages, with the
/// reason, and the folder itself where the archive cannot be read to its end. A disk that is full ends it.
///
/// # Errors
///
/// One that leads out of it, has too many entries, or unpacks to more than it may is refused as a whole.
pub(super) fn unpack(
    path: &Path,
    to: &Path,
    cancel: &CancelToken,
) -> Result<Vec<(PathBuf, String)>, ImportError> {
    let reader = packed::open(path).map_err(ImportError::read(path))?;
    let allowed = Cell::new(HEADER_BYTES);
    let mut archive = tar::Archive::new(Bounded { reader, allowed: &allowed, cancel });
    let (mut left_out, mut count, mut total) = (Vec::new(), 0, 0_u64);
    let mut entries = archive.entries().map_err(ImportError::read(path))?;
    let ended = loop {
        let mut entry = match entries.next() {
            Some(Ok(entry)) => entry,
            Some(Err(error)) => break Err(error),
            None => break Ok(()),
        };
        count += 1;
        if count > ENTRIES {
            let what = format!("the archive has more than {ENTRIES} entries");
            return Err(refused(path, what));
        }
        let kind = entry.header().entry_type();
        // A sparse file says of itself how large it were with all that is not there.
        let stored =
            if kind.is_gnu_sparse() { entry.header().entry_size() } else { Ok(entry.size()) };
        allowed.set(stored.unwrap_or(0).saturating_add(HEADER_BYTES));
        // Said of all that follows, such as which commit an archive of Git is.
        if kind.is_pax_global_extensions() {
            continue;
        }
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let shown = cut_name(&name);
        if !stays_inside(&name) {
            let what = format!("the archive holds {shown:?}, which leads out of it: it is refused");
            return Err(refused(path, what));
        }
        if kind.is_dir() || name.ends_with('/') {
            continue;
        }
        // POSIX has no kind for it: `tar --sparse --format=posix` says it in keys, and packs a map with what is there.
        if let Some(whole) = said_sparse(&mut entry, &name) {
            left_out.push((to.join(cut_name(&whole)), SPARSE.to_owned()));
            continue;
        }
        if let Some(why) = no_file(kind) {
            left_out.push((to.join(shown), why.to_owned()));
            continue;
        }
        let size = entry.size();
        total = total.saturating_add(size);
        if total > TOTAL_BYTES {
            let what = format!("the archive unpacks to more than {TOTAL_BYTES} bytes");
            return Err(refused(path, what));
        }
        let fault = unpack_file(&name, &mut entry, size, to, cancel)?;
        left_out.extend(fault.map(|why| (to.join(shown), why)));
    };
    // The sum of what was packed stands behind all of it.
    let ended = ended.and_then(|()| {
        allowed.set(u64::MAX);
        io::copy(&mut archive.into_inner(), &mut io::sink())
    });
    if let Err(error) = ended {
        cancel.check()?;
        if error.kind() == ErrorKind::FileTooLarge {
            return Err(refused(path, error.to_string()));
        }
        left_out.push((to.to_path_buf(), format!("cannot be read to its end: {error}")));
    }
    Ok(left_out)
}

/// Why a file with holes is not unpacked.
const SPARSE: &str = "it is a sparse file: pack it without holes";

/// Of a file with holes, as what stands before it says, the name under which it was packed; `own` is that of what the
/// archive holds of it. What cannot be read says nothing.
fn said_sparse(entry: &mut tar::Entry<'_, impl Read>, own: &str) -> Option<String> {
    let said = entry.pax_extensions().ok()??.filter_map(Result::ok);
    let names = said.filter_map(|it| {
        let key = it.key_bytes().strip_prefix(b"GNU.sparse.")?;
        let is_name = key == b"name";
        Some(is_name.then(|| String::from_utf8_lossy(it.value_bytes()).into_owned()))
    });
    let name = names.reduce(Option::or)?.filter(|name| stays_inside(name));
    Some(name.unwrap_or_else(|| own.to_owned()))
}

/// Why an entry that is no folder is not unpacked, if it is no file that is there as a whole.
fn no_file(kind: EntryType) -> Option<&'static str> {
    match kind {
        EntryType::Regular | EntryType::Continuous => None,
        EntryType::Link | EntryType::Symlink => Some("it is a link: in archives none is followed"),
        EntryType::GNUSparse => Some(SPARSE),
        _ => Some("it is neither a file nor a folder"),
    }
}

/// What a tar archive is read from: held up by whoever stops the import, and by what stands before a file and is longer
/// than it may be.
struct Bounded<'a> {
    reader: Unpacked,
    /// How many bytes may come before the next entry is there.
    allowed: &'a Cell<u64>,
    cancel: &'a CancelToken,
}

impl Read for Bounded<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.cancel.check().map_err(io::Error::other)?;
        let Some(left) = self.allowed.get().checked_sub(1) else {
            let why = format!("more than {HEADER_BYTES} bytes stand before one of its files");
            return Err(io::Error::new(ErrorKind::FileTooLarge, why));
        };
        let read = self.reader.read(out)?;
        self.allowed.set((left + 1).saturating_sub(read as u64));
        Ok(read)
    }
}
