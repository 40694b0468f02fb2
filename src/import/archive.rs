//! Zip archives of other programs: nothing in one may lead out of it, be larger than it may, or be an
//! archive again. Of one that is a record an entry is read by its name, and nothing is unpacked onto the disk; one that
//! holds files and folders with records is, within the same bounds. `tarball` has the same bounds from here.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Write as _};
use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};

use zip::{CompressionMethod, ZipArchive};

use crate::base::{CancelToken, open_file};

use super::error::ImportError;
use super::packed::{Frames, MOST_RATIO, SMALL_BYTES, TOTAL_BYTES};
use super::report::cut_name;

/// Most entries.
pub(super) const ENTRIES: usize = 100_000;
/// How much is unpacked at once.
const PART_BYTES: usize = 1 << 16;
/// How many of the folders around an archive are told with it.
const FOLDERS_AROUND: usize = 8;

/// An archive that was looked through.
pub(super) struct Archive {
    path: PathBuf,
    zip: ZipArchive<BufReader<File>>,
    /// The files in it, by their names.
    entries: BTreeMap<String, ArchiveEntry>,
}

#[derive(Clone, Copy)]
struct ArchiveEntry {
    index: usize,
    size: u64,
}

impl Archive {
    /// Opens an archive and looks at every entry, of which one that may not be refuses all.
    pub(super) fn open(path: &Path) -> Result<Self, ImportError> {
        let file = open_file(path).map_err(ImportError::read(path))?;
        let mut zip = ZipArchive::new(BufReader::new(file))
            .map_err(|error| refused(path, format!("the archive cannot be read: {error}")))?;
        if zip.len() > ENTRIES {
            // Of what follows, nothing is unpacked: a hostile archive is refused by its table of contents alone.
            return Err(refused(
                path,
                format!("the archive has {} entries, more than {ENTRIES}", zip.len()),
            ));
        }
        let (mut entries, mut total) = (BTreeMap::new(), 0_u64);
        for index in 0..zip.len() {
            let entry = zip.by_index_raw(index).map_err(|error| {
                refused(path, format!("entry {index} of the archive is damaged: {error}"))
            })?;
            let name = entry.name().to_owned();
            let shown = cut_name(&name);
            if entry.is_symlink() {
                return Err(refused(
                    path,
                    format!("the archive holds a link, {shown:?}: it is refused"),
                ));
            }
            if !stays_inside(&name) {
                return Err(refused(
                    path,
                    format!("the archive holds {shown:?}, which leads out of it: it is refused"),
                ));
            }
            if entry.encrypted() {
                return Err(refused(
                    path,
                    format!("{shown:?} in the archive is encrypted: decrypt it first"),
                ));
            }
            if name.ends_with('/') {
                continue;
            }
            let (size, packed) = (entry.size(), entry.compressed_size());
            // Sizes are what the archive says of itself: what is read later is limited by them again.
            total = total.saturating_add(size);
            if total > TOTAL_BYTES {
                return Err(refused(
                    path,
                    format!("the archive unpacks to more than {TOTAL_BYTES} bytes"),
                ));
            }
            // A zip bomb. Small files are let through: a few hundred spaces have such a ratio, too.
            if size > SMALL_BYTES && size / packed.max(1) > MOST_RATIO {
                return Err(refused(
                    path,
                    format!(
                        "{shown:?} in the archive unpacks to {} times its size: it is refused",
                        size / packed.max(1)
                    ),
                ));
            }
            // Which of the two another program would take is its own choice.
            if entries.insert(name, ArchiveEntry { index, size }).is_some() {
                return Err(refused(
                    path,
                    format!("the archive holds {shown:?} twice: it is refused"),
                ));
            }
        }
        Ok(Self { path: path.to_path_buf(), zip, entries })
    }

    /// The names of the files in it, in order.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Whether it has a file of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// Where a file is, for people.
    pub(super) fn place(&self, name: &str) -> String {
        format!("{}#{}", self.path.display(), cut_name(name))
    }

    /// Reads a file of at most so many bytes.
    pub(super) fn read(&mut self, name: &str, limit: u64) -> Result<Vec<u8>, ImportError> {
        let place = self.place(name);
        let Some(entry) = self.entries.get(name).copied() else {
            return Err(ImportError::content("the archive has no such entry", place));
        };
        if entry.size > limit {
            let what = format!("larger than the limit of {limit} bytes");
            return Err(ImportError::content(what, place));
        }
        let mut bytes = Vec::new();
        let read = self.reader(entry).and_then(|reader| {
            // What an entry says of its size may be a lie: one byte more shows it.
            reader.take(entry.size + 1).read_to_end(&mut bytes)
        });
        if let Err(error) = read {
            return Err(ImportError::content(format!("cannot be unpacked: {error}"), place));
        }
        if bytes.len() as u64 != entry.size {
            let what = format!("does not unpack to the {} bytes that the archive says", entry.size);
            return Err(ImportError::content(what, place));
        }
        Ok(bytes)
    }

    /// Reads a file from its beginning on, never more than the archive says it has and one byte, which shows
    /// whether its sum is right.
    pub(super) fn stream(&mut self, name: &str) -> Result<impl Read + '_, ImportError> {
        let place = self.place(name);
        let Some(entry) = self.entries.get(name).copied() else {
            return Err(ImportError::content("the archive has no such entry", place));
        };
        let reader = self.reader(entry);
        let reader = reader
            .map_err(|error| ImportError::content(format!("cannot be unpacked: {error}"), place))?;
        Ok(reader.take(entry.size + 1))
    }

    /// Writes its files into a folder that is empty; gives those that cannot be there, their names cut as in messages,
    /// with the reason. A disk that is full ends it.
    pub(super) fn unpack(
        mut self,
        to: &Path,
        cancel: &CancelToken,
    ) -> Result<Vec<(PathBuf, String)>, ImportError> {
        let packed = std::fs::metadata(&self.path).map_err(ImportError::read(&self.path))?.len();
        let total: u64 = self.entries.values().map(|entry| entry.size).sum();
        let ratio = total / packed.max(1);
        // Each may keep to its bounds where all of them unpack the same bytes.
        if total > SMALL_BYTES && ratio > MOST_RATIO {
            let what = format!("the archive unpacks to {ratio} times its size: it is refused");
            return Err(refused(&self.path, what));
        }
        let mut left_out = Vec::new();
        for (name, entry) in std::mem::take(&mut self.entries) {
            let fault = match self.reader(entry) {
                Ok(reader) => unpack_file(&name, reader, entry.size, to, cancel)?,
                Err(error) => Some(format!("cannot be unpacked: {error}")),
            };
            left_out.extend(fault.map(|why| (to.join(cut_name(&name)), why)));
        }
        Ok(left_out)
    }

    fn reader(&mut self, entry: ArchiveEntry) -> io::Result<Box<dyn Read + '_>> {
        let method = self.zip.by_index_raw(entry.index).map_err(io::Error::other)?.compression();
        if method != CompressionMethod::ZSTD {
            return Ok(Box::new(self.zip.by_index(entry.index).map_err(io::Error::other)?));
        }
        let raw = self.zip.by_index_raw(entry.index).map_err(io::Error::other)?;
        let expected = raw.crc32();
        let frames = Frames::new(BufReader::new(raw));
        Ok(Box::new(Checked { reader: frames, hasher: crc32fast::Hasher::new(), expected }))
    }
}

/// Writes what a reader gives into a file of this name below a folder, which [`stays_inside`] was asked about; gives why
/// it is not there, if it is not.
pub(super) fn unpack_file(
    name: &str,
    reader: impl Read,
    size: u64,
    to: &Path,
    cancel: &CancelToken,
) -> Result<Option<String>, ImportError> {
    // A colon within a path leads elsewhere on Windows, and is a letter as any other elsewhere.
    if cfg!(windows) && name.contains(':') {
        return Ok(Some("no file can be called so here".to_owned()));
    }
    let mut path = to.to_path_buf();
    path.extend(name.split(['/', '\\']).filter(|part| !part.is_empty()));
    let made = std::fs::create_dir_all(path.parent().unwrap_or(to));
    let mut file = match made.and_then(|()| File::create_new(&path)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::StorageFull => {
            return Err(ImportError::write(&path)(error));
        }
        // What another lies in the place of, or has too long a name.
        Err(error) => return Ok(Some(format!("cannot be unpacked: {error}"))),
    };
    let fault = unpack_into(&mut file, &path, reader, size, cancel)?;
    if fault.is_some() {
        drop(file);
        // What there is of it is not what it says it is.
        std::fs::remove_file(&path).map_err(ImportError::write(&path))?;
    }
    Ok(fault)
}

/// Writes what a reader gives into a file; gives what is wrong if that is not of this size.
fn unpack_into(
    file: &mut File,
    path: &Path,
    reader: impl Read,
    size: u64,
    cancel: &CancelToken,
) -> Result<Option<String>, ImportError> {
    // One byte more shows that it is more than it says.
    let mut reader = reader.take(size + 1);
    let (mut part, mut unpacked) = (vec![0; PART_BYTES], 0);
    loop {
        cancel.check()?;
        let read = match reader.read(&mut part) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Ok(Some(format!("cannot be unpacked: {error}"))),
        };
        unpacked += read as u64;
        file.write_all(part.get(..read).unwrap_or_default()).map_err(ImportError::write(path))?;
    }
    let why = format!("does not unpack to the {size} bytes that the archive says");
    Ok((unpacked != size).then_some(why))
}

/// The folders that what is in an archive would lie in beside it: those around it, of which some formats tell whose a
/// record is, and one that is called as it is.
pub(super) fn folders_of(archive: &Path, stem: &str) -> PathBuf {
    let path = std::path::absolute(archive).unwrap_or_else(|_| archive.to_path_buf());
    let mut around: Vec<&Path> = Vec::new();
    for component in path.parent().unwrap_or(Path::new("")).components() {
        if let Component::Normal(name) = component {
            around.push(Path::new(name));
        }
    }
    let skipped = around.len().saturating_sub(FOLDERS_AROUND);
    let mut folders: PathBuf = around.into_iter().skip(skipped).collect();
    folders.push(stem);
    folders
}

/// Where an archive lies that is unpacked, and where its files are meanwhile: for people they are in it.
#[derive(Debug)]
pub(super) struct UnpackedPlace {
    /// The folder with its files.
    pub(super) folder: String,
    /// The archive.
    pub(super) archive: String,
}

impl UnpackedPlace {
    /// A text with the places in it as people know them.
    pub(super) fn shown(&self, text: &str) -> String {
        let below = format!("{}{MAIN_SEPARATOR}", self.folder);
        text.replace(&below, &format!("{}#", self.archive)).replace(&self.folder, &self.archive)
    }
}

pub(super) fn refused(path: &Path, what: String) -> ImportError {
    ImportError::content(what, path.display().to_string())
}

/// Whether a name is a plain path below the archive: nothing absolute, no `..`, no drive. A backslash divides, as
/// on Windows, or is part of an id that the name was made of.
pub(super) fn stays_inside(name: &str) -> bool {
    let is_rooted = name.starts_with(['/', '\\']) || name.contains('\0');
    let has_drive = name.as_bytes().get(1) == Some(&b':');
    let is_up = name.split(['/', '\\']).any(|part| part == "..");
    !name.is_empty() && !is_rooted && !has_drive && !is_up
}

/// Bytes whose sum is held against what the archive says, at their end.
struct Checked<R> {
    reader: R,
    hasher: crc32fast::Hasher,
    expected: u32,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(out)?;
        self.hasher.update(out.get(..read).unwrap_or_default());
        if read == 0 && !out.is_empty() && self.hasher.clone().finalize() != self.expected {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum is wrong"));
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_leads_out_is_none() {
        for name in ["../a", "/a", "\\a", "a/../../b", "C:\\a", "c:a", "a\\..\\b", "", "a\0b"] {
            assert!(!stays_inside(name), "{name}");
        }
        for name in ["a", "a/b.json", "a..b", "resources/9f-1.jpeg", "samples/x\\y.json"] {
            assert!(stays_inside(name), "{name}");
        }
    }
}
