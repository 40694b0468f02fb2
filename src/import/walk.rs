//! Finding what can be imported, and importing it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::{CancelToken, Cancelled};
use crate::run::folder::MANIFEST_FILE;
use crate::run::pictures::is_picture;
use crate::run::reader;

use super::archive::{Archive, UnpackedPlace, folders_of};
use super::error::ImportError;
use super::formats::{FORMATS, Format, is_film_at};
use super::outline::{JsonHead, begins_as_json};
use super::report::ImportReport;
use super::sink::{ImportProgress, Sink};
use super::source::{Certainty, Source, SourceContent};
use super::tarball;

/// Deepest folder below a path that is looked at.
const DEPTH: usize = 12;
/// Most files and folders that are looked at.
const MOST_SOURCES: usize = 200_000;
/// Most that are looked at to tell whether there is anything to import.
const MOST_LOOKED_AT: usize = 10_000;
/// Most lines of a log that are looked at to tell what it is.
const MOST_LINES: usize = 32;
/// Folders that belong to the record they lie in.
const PARTS_OF_RECORDS: [&str; 6] =
    ["snapshots", "screenshots", "a11y_trees", "onboard", "resources", "screencast"];
/// Where runs are made before they come into their place.
const MAKING_DIR: &str = ".importing";
/// What is in documents of other programs that are archives, and in no folder that somebody packed.
const DOCUMENT_MARKS: [&str; 4] =
    ["[Content_Types].xml", "mimetype", "META-INF/MANIFEST.MF", "AndroidManifest.xml"];
/// What is said of an archive with nothing in it that is read.
const NO_FORMAT: &str = "it is an archive of no format that is read";

/// What is to be imported.
#[derive(Debug)]
pub struct ImportRequest<'a> {
    /// Files and folders.
    pub paths: &'a [PathBuf],
    /// Where the runs go; made if it is missing.
    pub out_dir: &'a Path,
    /// The format; `None`: each file and folder is asked what it is.
    pub format: Option<&'static Format>,
}

/// Something that a format knows, or an archive with what may be known.
#[derive(Debug)]
struct FoundSource {
    source: Source,
    /// `None`: an archive that is read as the folder that was packed.
    format: Option<&'static Format>,
    /// How many folders above it were walked through.
    depth: usize,
}

impl FoundSource {
    /// Whether it is pictures that the window shows as they are.
    fn is_pictures(&self) -> bool {
        self.format.is_some_and(|format| format.is_opened_as_it_is)
    }
}

/// Imports what there is at the paths. What cannot be read is in the report and keeps nothing else from
/// coming in; an error is only given where nothing can be done at all: somebody stopped it, nothing can
/// be written, a path is not there.
pub fn import(
    request: &ImportRequest<'_>,
    cancel: &CancelToken,
    progress: &mut dyn FnMut(&ImportProgress),
) -> Result<ImportReport, ImportError> {
    let mut walk = ImportWalk { format: request.format, ..ImportWalk::new(cancel) };
    for path in request.paths {
        let before = walk.listed();
        walk.visit(path, 0)?;
        if walk.listed() == before {
            walk.report.skip(path.display().to_string(), "there is nothing in it");
        }
    }
    let ImportWalk { mut found, archives, mut report, .. } = walk;
    leave_out_pictures_of_records(&mut found, &mut report);
    found.extend(archives);
    let making = request.out_dir.join(MAKING_DIR);
    let at = ImportProgress { done: 0, total: found.len(), message: String::new() };
    let out_dir = request.out_dir;
    let mut sink =
        Sink { out_dir, making, cancel, progress, at, format: "", report, unpacked: None };
    let result = found.iter().try_for_each(|found| import_one(found, request.format, &mut sink));
    // Empty, unless another import is at work.
    std::fs::remove_dir(&sink.making).ok();
    result.map(|()| sink.report)
}

/// Leaves out folders of pictures that lie beside or below a record in a file: it names them.
fn leave_out_pictures_of_records(found: &mut Vec<FoundSource>, report: &mut ImportReport) {
    let records = found.iter().filter(|found| {
        found.format.is_some_and(|format| !format.is_opened_as_it_is)
            && matches!(found.source.content, SourceContent::File { .. })
    });
    let folders: BTreeSet<PathBuf> =
        records.filter_map(|found| found.source.path.parent().map(Path::to_path_buf)).collect();
    found.retain(|it| {
        let is_of_record =
            it.is_pictures() && it.source.path.ancestors().any(|above| folders.contains(above));
        if is_of_record {
            let place = it.source.path.display().to_string();
            report.skip(place, "pictures beside a record, which takes those that it names");
        }
        !is_of_record
    });
}

/// Imports something by its format; what is in an archive by the one that is asked for, if one is.
fn import_one(
    found: &FoundSource,
    asked: Option<&'static Format>,
    sink: &mut Sink<'_>,
) -> Result<(), ImportError> {
    let place = found.source.path.display().to_string();
    sink.doing(place.clone())?;
    let before = sink.report.runs.len() + sink.report.skipped.len();
    let result = match found.format {
        Some(format) => {
            sink.format = format.name;
            (format.import)(&found.source, sink)
        }
        None => import_archive(found, asked, sink),
    };
    match result {
        Ok(()) if sink.report.runs.len() + sink.report.skipped.len() == before => {
            let label = found.format.map_or("archive", |format| format.label);
            sink.report.skip(place, format!("{label} without a run in it"));
        }
        Ok(()) => {}
        Err(error) if error.ends_import() => return Err(error),
        Err(error) => sink.report.skip(place, error.to_string()),
    }
    sink.at.done += 1;
    Ok(())
}

/// Imports what is in an archive as it would be from the folder that was packed.
fn import_archive(
    found: &FoundSource,
    asked: Option<&'static Format>,
    sink: &mut Sink<'_>,
) -> Result<(), ImportError> {
    let archive = &found.source.path;
    std::fs::create_dir_all(&sink.making).map_err(ImportError::write(&sink.making))?;
    // On the disk that the runs come onto: it may be a lot.
    let unpacked = tempfile::Builder::new()
        .prefix("archive-")
        .tempdir_in(&sink.making)
        .map_err(ImportError::write(&sink.making))?;
    let folder = unpacked.path().join(folders_of(archive, &found.source.stem()));
    std::fs::create_dir_all(&folder).map_err(ImportError::write(&folder))?;
    sink.doing(format!("{} · unpacking", archive.display()))?;
    let left_out = if found.source.is_tar() {
        tarball::unpack(archive, &folder, sink.cancel)?
    } else {
        Archive::open(archive)?.unpack(&folder, sink.cancel)?
    };
    let mut walk =
        ImportWalk { format: asked, is_in_archive: true, ..ImportWalk::new(sink.cancel) };
    for (path, why) in left_out {
        walk.report.skip(path.display().to_string(), why);
    }
    walk.visit(&folder, 0)?;
    let ImportWalk { found: mut inside, mut report, .. } = walk;
    leave_out_pictures_of_records(&mut inside, &mut report);
    // Many programs pack their documents with pictures in them: alone they are a run only where they are asked for.
    inside.retain(|inside| found.depth == 0 || !inside.is_pictures());
    let place = UnpackedPlace {
        folder: folder.display().to_string(),
        archive: archive.display().to_string(),
    };
    if inside.is_empty() {
        let first = report.skipped.first();
        let first = first.map(|it| format!(" ({}: {})", it.place, it.reason)).unwrap_or_default();
        sink.report.skip(&*place.archive, place.shown(&format!("{NO_FORMAT}{first}")));
        return Ok(());
    }
    let (runs, skipped) = (sink.report.runs.len(), sink.report.skipped.len());
    for it in report.skipped {
        sink.report.skip(it.place, it.reason);
    }
    sink.report.more_skipped += report.more_skipped;
    sink.at.total += inside.len();
    let place = Arc::new(place);
    sink.unpacked = Some(place.clone());
    let result = inside.iter().try_for_each(|found| import_one(found, asked, sink));
    sink.unpacked = None;
    for it in sink.report.skipped.iter_mut().skip(skipped) {
        (it.place, it.reason) = (place.shown(&it.place), place.shown(&it.reason));
    }
    for warning in sink.report.runs.iter_mut().skip(runs).flat_map(|run| &mut run.warnings) {
        *warning = place.shown(warning);
    }
    result
}

/// Whether there is something to import at a path, other than loose pictures, which are opened as they
/// are. Looks at no more than it must.
pub fn is_importable(path: &Path, cancel: &CancelToken) -> Result<bool, Cancelled> {
    let mut walk = ImportWalk { is_first_enough: true, ..ImportWalk::new(cancel) };
    match walk.visit(path, 0) {
        Err(ImportError::Cancelled(cancelled)) => Err(cancelled),
        _ => Ok(walk.has_record()),
    }
}

/// The format that knows a source best: of two that are equally sure the one that comes first.
pub fn recognize(source: &Source) -> Option<&'static Format> {
    let mut best: Option<(Certainty, &Format)> = None;
    for format in FORMATS {
        if let Some(certainty) = (format.sniff)(source)
            && best.is_none_or(|(known, _)| certainty > known)
        {
            best = Some((certainty, format));
        }
    }
    best.map(|(_, format)| format)
}

struct ImportWalk<'a> {
    cancel: &'a CancelToken,
    /// The one format that is asked for.
    format: Option<&'static Format>,
    /// Whether it ends with the first thing that is found.
    is_first_enough: bool,
    /// Whether it is in what was unpacked of an archive, in which no other is.
    is_in_archive: bool,
    found: Vec<FoundSource>,
    /// Archives with what may be known.
    archives: Vec<FoundSource>,
    report: ImportReport,
    /// Real paths of folders that were looked at.
    seen: BTreeSet<PathBuf>,
    looked_at: usize,
}

impl<'a> ImportWalk<'a> {
    fn new(cancel: &'a CancelToken) -> Self {
        Self {
            cancel,
            format: None,
            is_first_enough: false,
            is_in_archive: false,
            found: Vec::new(),
            archives: Vec::new(),
            report: ImportReport::default(),
            seen: BTreeSet::new(),
            looked_at: 0,
        }
    }

    /// How much was found, or is said to be left out.
    fn listed(&self) -> usize {
        self.found.len() + self.archives.len() + self.report.skipped.len()
    }

    fn has_record(&self) -> bool {
        !self.archives.is_empty() || self.found.iter().any(|found| !found.is_pictures())
    }

    fn is_over(&self) -> bool {
        self.is_first_enough && self.has_record()
    }

    fn visit(&mut self, path: &Path, depth: usize) -> Result<(), ImportError> {
        self.cancel.check()?;
        if self.is_over() {
            return Ok(());
        }
        self.looked_at += 1;
        let most = if self.is_first_enough { MOST_LOOKED_AT } else { MOST_SOURCES };
        if self.looked_at > most {
            let why = format!("more than {most} files and folders: import a part at a time");
            self.report.skip(path.display().to_string(), why);
            return Ok(());
        }
        let source = match Source::look(path) {
            Ok(source) => source,
            // What was asked for has to be there; anything below it may have gone.
            Err(error) if depth == 0 => return Err(error),
            Err(error) => {
                self.report.skip(path.display().to_string(), error.to_string());
                return Ok(());
            }
        };
        match &source.content {
            SourceContent::File { .. } => {
                self.take_file(source, depth);
                Ok(())
            }
            SourceContent::Folder { .. } => self.take_folder(source, depth),
        }
    }

    fn take_file(&mut self, mut source: Source, depth: usize) {
        let place = source.path.display().to_string();
        if let Some(why) = source.refused() {
            self.report.skip(place, why.to_owned());
        } else if self.is_in_archive && (source.is_tar() || source.entries().is_some()) {
            self.report.skip(place, "it is an archive within an archive: unpack it first");
        } else if !source.is_tar()
            && let Some(format) = self.known_by_line(&mut source)
        {
            self.found.push(FoundSource { source, format: Some(format), depth });
        } else if source.is_tar() || source.entries().is_some_and(is_packed_folder) {
            // Whether there is a record in one shows when it is unpacked: among other files that is no first thing.
            if depth == 0 || !self.is_first_enough {
                self.archives.push(FoundSource { source, format: None, depth });
            }
        } else if depth == 0 || !is_beside(&source) {
            let reason = if source.head().is_empty() {
                "the file is empty".to_owned()
            } else {
                not_known(&source)
            };
            self.report.skip(place, reason);
        }
    }

    /// The format of a file; of a log that begins with lines about itself by the first line that tells it.
    fn known_by_line(&self, source: &mut Source) -> Option<&'static Format> {
        let mut tried: Option<JsonHead> = None;
        for next in 1..MOST_LINES {
            // Most logs have lines of one kind, and to ask all formats of each would take long.
            if tried.as_ref().zip(source.outline()).is_none_or(|(a, b)| !a.is_like(b)) {
                if let Some(format) = self.known(source) {
                    return Some(format);
                }
                tried = source.outline().cloned();
            }
            if !source.look_at_line(next) {
                return None;
            }
        }
        None
    }

    fn known(&self, source: &Source) -> Option<&'static Format> {
        match self.format {
            Some(format) => (format.sniff)(source).map(|_| format),
            None => recognize(source),
        }
    }

    fn take_folder(&mut self, source: Source, depth: usize) -> Result<(), ImportError> {
        let place = source.path.display().to_string();
        let real = match source.path.canonicalize() {
            Ok(real) => real,
            Err(error) => {
                self.report.skip(place, format!("cannot be read: {error}"));
                return Ok(());
            }
        };
        if depth > DEPTH {
            self.report.skip(place, format!("deeper than {DEPTH} folders"));
            return Ok(());
        }
        // A link may lead back up.
        if !self.seen.insert(real) {
            return Ok(());
        }
        if source.has_file(MANIFEST_FILE) && is_run_of_ours(&source.path) {
            self.report.skip(place, "it is a run of this program already: open it");
            return Ok(());
        }
        if source.has_file("taskset.json") {
            self.report.skip(place, "it is a task set of this program: open it");
            return Ok(());
        }
        for (name, why) in source.left_out() {
            self.report.skip(source.path.join(name).display().to_string(), why.as_str());
        }
        if let Some(format) = self.known(&source).filter(|format| !format.is_opened_as_it_is) {
            let below =
                source.folders().iter().filter(|it| !PARTS_OF_RECORDS.contains(&it.as_str()));
            let below: Vec<PathBuf> = below.map(|it| source.path.join(it)).collect();
            self.found.push(FoundSource { source, format: Some(format), depth });
            return self.take_records_below(&below, depth);
        }
        let before = self.found.len();
        for folder in source.folders() {
            self.visit(&source.path.join(folder), depth + 1)?;
        }
        let (mut others, mut has_still) = (Vec::new(), false);
        for file in source.files() {
            self.cancel.check()?;
            let path = source.path.join(file);
            let is_film = is_picture(&path) && is_film_at(&path);
            if is_picture(&path) && !is_film {
                has_still = true;
            } else if file != MANIFEST_FILE {
                // What is said of pictures is read with them.
                others.push((path, is_film));
            }
        }
        // Among pictures that stand still one that moves is a picture, too.
        for (path, _) in others.into_iter().filter(|(_, is_film)| !(*is_film && has_still)) {
            self.visit(&path, depth + 1)?;
        }
        // Only where there is nothing else are pictures a run, and not illustrations.
        if self.found.len() == before
            && let Some(format) = self.known(&source)
        {
            self.found.push(FoundSource { source, format: Some(format), depth });
        }
        Ok(())
    }

    /// Takes the records in folders below another one. Anything else there is part of that, and not listed.
    fn take_records_below(&mut self, folders: &[PathBuf], depth: usize) -> Result<(), ImportError> {
        if folders.is_empty() {
            return Ok(());
        }
        let (found, archives) = (self.found.len(), self.archives.len());
        let report = self.report.clone();
        for folder in folders {
            self.visit(folder, depth + 1)?;
        }
        self.report = report;
        self.archives.truncate(archives);
        let below = self.found.split_off(found);
        self.found.extend(below.into_iter().filter(|found| {
            !found.is_pictures() && matches!(found.source.content, SourceContent::Folder { .. })
        }));
        Ok(())
    }
}

/// Whether `run.json` is the manifest of a run of this program, or of a newer one, and not what lies
/// beside pictures.
fn is_run_of_ours(dir: &Path) -> bool {
    match reader::peek(dir) {
        Ok(peek) => peek.manifest.mode != "pictures",
        Err(error) => !matches!(error, reader::RunError::Json { .. }),
    }
}

/// Whether an archive with these entries may be files and folders that somebody packed, and no document of a program.
fn is_packed_folder(entries: &BTreeSet<String>) -> bool {
    !entries.is_empty() && !DOCUMENT_MARKS.iter().any(|mark| entries.contains(*mark))
}

/// Whether a file below a folder that was given is of a kind that nobody takes for a record of a run: it
/// is passed over and not listed.
fn is_beside(source: &Source) -> bool {
    // What OSWorld's runner writes around its results.
    if ["args.json", "all_result.json"].contains(&source.name().as_str())
        || source.path.ends_with("summary/results.json")
    {
        return true;
    }
    let extension = source.path.extension().map(|it| it.to_string_lossy().to_ascii_lowercase());
    let extension = extension.as_deref().unwrap_or_default();
    let kinds =
        ["txt", "log", "md", "lock", "csv", "py", "yaml", "yml", "html", "svg", "css", "js", "pdf"];
    kinds.contains(&extension)
}

/// What is said of a file that no format knows.
fn not_known(source: &Source) -> String {
    let head = source.head();
    if matches!(head, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
        "the text is UTF-16; save it as UTF-8".to_owned()
    } else if let Some(packer) = packer_of(head) {
        format!("it is packed by {packer}: unpack it first")
    } else if begins_as_json(head) && source.outline().is_none() {
        "it begins as JSON and cannot be read".to_owned()
    } else if source.entries().is_some() {
        NO_FORMAT.to_owned()
    } else {
        "it is of no format that is read".to_owned()
    }
}

/// By what a file is packed that no format unpacks.
fn packer_of(head: &[u8]) -> Option<&'static str> {
    let packers: [(&[u8], &str); 3] =
        [(b"\xfd7zXZ\0", "xz"), (b"BZh", "bzip2"), (b"7z\xbc\xaf\x27\x1c", "7-Zip")];
    packers.into_iter().find(|(mark, _)| head.starts_with(mark)).map(|(_, name)| name)
}
