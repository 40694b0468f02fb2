//! Something that may be imported, as far as it takes to tell what it is.

use std::collections::BTreeSet;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::run::natural_cmp;

use super::archive::Archive;
use super::error::ImportError;
use super::outline::{JsonHead, begins_as_json, shortened};
use super::packed::{self, Packer};
use super::tarball;

/// How much of a file is looked at to tell what it is.
const HEAD_BYTES: usize = 1 << 20;
/// How much of JSON is read for that where it has long texts, which are cut short.
const JSON_HEAD_BYTES: u64 = 64 << 20;
/// Most entries of a folder.
const ENTRIES: usize = 100_000;

/// How sure a format is that something is of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// It may be, if no other format knows it better.
    Possible,
    /// It has what only this format is known to have.
    Certain,
}

/// A file or folder, looked at but not read.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where it lies.
    pub path: PathBuf,
    /// What it is.
    pub content: SourceContent,
}

/// What lies at a path.
#[derive(Clone, Debug)]
pub enum SourceContent {
    /// A file.
    File {
        /// Its beginning, at most a megabyte; of JSON that is longer, with its long texts cut short. Of what is
        /// packed, that of what is in it.
        head: Vec<u8>,
        /// What JSON it begins with, if it does; of a stream of events, that of the first of them.
        outline: Option<JsonHead>,
        /// By what it is packed as a whole, if it is.
        packer: Option<Packer>,
        /// Whether it is a tar archive, packed or not, of which only the beginning is known before it is unpacked.
        is_tar: bool,
        /// The names of the entries if it is a zip archive; or why it, or what is packed, is refused.
        archive: Option<Result<BTreeSet<String>, String>>,
    },
    /// A folder: what is directly in it, hidden entries left out, in the order people would put them.
    Folder {
        /// The files.
        files: Vec<String>,
        /// The folders.
        folders: Vec<String>,
        /// Names of what is left out, with the reason.
        left_out: Vec<(String, String)>,
    },
}

impl Source {
    /// Looks at what lies at a path.
    pub fn look(path: &Path) -> Result<Self, ImportError> {
        let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => ImportError::Missing(path.to_path_buf()),
            _ => ImportError::read(path)(error),
        })?;
        let content = if metadata.is_dir() { look_at_folder(path)? } else { look_at_file(path)? };
        Ok(Self { path: path.to_path_buf(), content })
    }

    /// Files directly in it, if it is a folder.
    pub(super) fn files(&self) -> &[String] {
        match &self.content {
            SourceContent::Folder { files, .. } => files,
            SourceContent::File { .. } => &[],
        }
    }

    /// Folders directly in it, if it is one.
    pub(super) fn folders(&self) -> &[String] {
        match &self.content {
            SourceContent::Folder { folders, .. } => folders,
            SourceContent::File { .. } => &[],
        }
    }

    /// What of a folder is left out, by its name, with the reason.
    pub(super) fn left_out(&self) -> &[(String, String)] {
        match &self.content {
            SourceContent::Folder { left_out, .. } => left_out,
            SourceContent::File { .. } => &[],
        }
    }

    /// Whether it is a folder with this file.
    pub(super) fn has_file(&self, name: &str) -> bool {
        self.files().iter().any(|file| file == name)
    }

    /// The beginning, if it is a file.
    pub(super) fn head(&self) -> &[u8] {
        match &self.content {
            SourceContent::File { head, .. } => head,
            SourceContent::Folder { .. } => &[],
        }
    }

    /// What JSON it begins with, if it is a file and does.
    pub(super) fn outline(&self) -> Option<&JsonHead> {
        match &self.content {
            SourceContent::File { outline, .. } => outline.as_ref(),
            SourceContent::Folder { .. } => None,
        }
    }

    /// Whether it is a tar archive.
    pub(super) fn is_tar(&self) -> bool {
        matches!(self.content, SourceContent::File { is_tar: true, .. })
    }

    /// The names of its entries, if it is a zip archive that is not refused.
    pub(super) fn entries(&self) -> Option<&BTreeSet<String>> {
        match &self.content {
            SourceContent::File { archive: Some(Ok(names)), .. } => Some(names),
            _ => None,
        }
    }

    /// Why the archive, or what is packed, is refused, if it is.
    pub(super) fn refused(&self) -> Option<&str> {
        match &self.content {
            SourceContent::File { archive: Some(Err(why)), .. } => Some(why),
            _ => None,
        }
    }

    /// Looks at another line of a file of lines: a log may begin with lines about itself. `false` where there is
    /// no such line in the beginning.
    pub(super) fn look_at_line(&mut self, number: usize) -> bool {
        let SourceContent::File { head, outline: Some(outline), .. } = &mut self.content else {
            return false;
        };
        if !outline.is_lines {
            return false;
        }
        let Some(line) = head.split(|byte| *byte == b'\n').nth(number) else { return false };
        if let Some(other) = JsonHead::of_line(line) {
            *outline = other;
        }
        true
    }

    /// What JSON a file directly in the folder begins with.
    pub(super) fn outline_in(&self, file: &str) -> Option<JsonHead> {
        JsonHead::of(&head_of(&self.path.join(file)).ok()?.0)
    }

    /// Whether the beginning holds a text.
    pub(super) fn mentions(&self, text: &str) -> bool {
        contains(self.head(), text.as_bytes())
    }

    /// Its name without the extension, or without both where it is packed: `a.jsonl.gz`, but `a.1.tgz`.
    pub(super) fn stem(&self) -> String {
        let mut stem = self.path.file_stem().or_else(|| self.path.file_name());
        if let SourceContent::File { packer: Some(_), is_tar, .. } = self.content
            && let Some(inner) = stem.map(Path::new)
            && (!is_tar || inner.extension().is_some_and(|it| it == "tar"))
        {
            stem = inner.file_stem();
        }
        stem.map_or_else(|| "unnamed".to_owned(), |stem| stem.to_string_lossy().into_owned())
    }

    /// Its name.
    pub(super) fn name(&self) -> String {
        name_of(&self.path)
    }
}

/// The last part of a path.
pub(super) fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Whether a name ends so, as programs write it.
pub(super) fn is_named(name: &str, extension: &str) -> bool {
    Path::new(name).extension().is_some_and(|it| it == extension)
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len().max(1)).any(|window| window == part)
}

/// The beginning of a file, and by what it is packed; of what is packed as much as can be unpacked.
fn head_of(path: &Path) -> io::Result<(Vec<u8>, Option<Packer>)> {
    let mut file = packed::open(path)?;
    let packer = file.packer;
    let mut head = Vec::new();
    let read = file.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head);
    // Whoever reads all of it says where it is cut off.
    if packer.is_none() || head.is_empty() {
        read?;
    }
    if head.len() < HEAD_BYTES || !begins_as_json(&head) {
        return Ok((head, packer));
    }
    Ok((shortened(head.as_slice().chain(file).take(JSON_HEAD_BYTES), HEAD_BYTES)?, packer))
}

fn look_at_file(path: &Path) -> Result<SourceContent, ImportError> {
    let (head, packer) = match head_of(path) {
        Ok(head) => head,
        // What is packed and cannot be unpacked is no reason to end an import.
        Err(error) if is_packed(path) => {
            let archive = Some(Err(error.to_string()));
            return Ok(SourceContent::File {
                head: Vec::new(),
                outline: None,
                packer: None,
                is_tar: false,
                archive,
            });
        }
        Err(error) => return Err(ImportError::read(path)(error)),
    };
    // An archive may be empty, and then begins with its end.
    let is_archive = head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06");
    let is_tar = tarball::is_tar(&head);
    let outline = if is_archive || is_tar { None } else { JsonHead::of(&head) };
    let archive = match packer {
        Some(packer) if outline.is_none() && !is_tar => Some(Err(format!(
            "what {packer} packed is of no format that is read so: unpack it first"
        ))),
        None if is_archive => Some(match Archive::open(path) {
            Ok(opened) => Ok(opened.names().map(str::to_owned).collect()),
            Err(error) => Err(error.to_string()),
        }),
        _ => None,
    };
    Ok(SourceContent::File { head, outline, packer, is_tar, archive })
}

fn is_packed(path: &Path) -> bool {
    packed::open(path).is_ok_and(|file| file.packer.is_some())
}

fn look_at_folder(path: &Path) -> Result<SourceContent, ImportError> {
    let (mut files, mut folders, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
    let mut entries = std::fs::read_dir(path).map_err(ImportError::read(path))?;
    for entry in entries.by_ref().take(ENTRIES) {
        let entry = entry.map_err(ImportError::read(path))?;
        let name = entry.file_name();
        let shown = name.to_string_lossy().into_owned();
        if shown.starts_with('.') {
            continue;
        }
        // A name that is no text cannot be named in a record either.
        let Ok(name) = name.into_string() else {
            left_out.push((shown, "its name is not UTF-8: rename it".to_owned()));
            continue;
        };
        // A link is followed; whether it goes in a circle is seen by whoever goes into folders.
        match std::fs::metadata(entry.path()) {
            Ok(metadata) if metadata.is_dir() => folders.push(name),
            Ok(metadata) if metadata.is_file() => files.push(name),
            Ok(_) => left_out.push((name, "it is neither a file nor a folder".to_owned())),
            Err(error) => left_out.push((name, format!("cannot be read: {error}"))),
        }
    }
    if entries.next().is_some() {
        let why =
            format!("more than {ENTRIES} entries in a folder: those behind them are not looked at");
        left_out.push((String::new(), why));
    }
    files.sort_by(|a, b| natural_cmp(a, b));
    folders.sort_by(|a, b| natural_cmp(a, b));
    Ok(SourceContent::Folder { files, folders, left_out })
}
