//! What lies in the folder already: an earlier export, which is replaced whole, or files of others, which are left
//! alone.
//!
//! The evaluator goes by what it finds: a result that stayed from before would be compared with the ground truth of
//! whichever task has its id now.

use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::base::read_file_limited;

use super::files::CanvasExportError;

/// What says which case is which; also that a folder holds an export.
pub(super) const CASES_FILE: &str = "cases.json";
/// Where an export is written until it is whole: in the folder itself, so that it is moved within one file system.
const UNFINISHED: &str = ".unfinished-export";
/// The folders that an export makes.
const FOLDERS: [&str; 2] = ["benchmarks", "results"];
/// No `cases.json` is larger.
const LARGEST_CASES: u64 = 256 << 20;
/// The tools that people used, of all tasks.
pub(super) const TOOLS: &str = "benchmarks/modification_gt/human-tool-path.csv";
/// How the files of a ground truth end, behind the id of its task.
const TRUTH_ENDINGS: [&str; 8] = [
    ".png",
    ".json",
    "-meta.json",
    "-base.png",
    "-base.json",
    "-target.png",
    "-target.json",
    "-target-meta.json",
];

/// An export while it is written; what is left of it is removed in the end, whatever happens.
pub(super) struct Unfinished<'a> {
    dir: &'a Path,
    /// Whether the folder was made for it.
    is_new: bool,
}

impl<'a> Unfinished<'a> {
    /// Begins one that is to become what lies in `dir`, if nothing there is of others.
    pub(super) fn begin(dir: &'a Path) -> Result<Self, CanvasExportError> {
        check(dir)?;
        let is_new = !dir.exists();
        let unfinished = Self { dir, is_new };
        let path = unfinished.path();
        // Of an export that was killed.
        if path.exists() {
            std::fs::remove_dir_all(&path).map_err(|source| failed(&path, source))?;
        }
        std::fs::create_dir_all(&path).map_err(|source| failed(&path, source))?;
        Ok(unfinished)
    }

    /// Where it is written.
    pub(super) fn path(&self) -> PathBuf {
        self.dir.join(UNFINISHED)
    }

    /// Puts it in the place of the earlier one.
    pub(super) fn place(&self) -> Result<(), CanvasExportError> {
        let new = self.path();
        let earlier = new.join("earlier");
        std::fs::create_dir_all(&earlier).map_err(|source| failed(&earlier, source))?;
        for folder in FOLDERS {
            let place = self.dir.join(folder);
            if place.exists() {
                rename(&place, &earlier.join(folder))?;
            }
            rename(&new.join(folder), &place)?;
        }
        // Last, as it speaks of the others.
        rename(&new.join(CASES_FILE), &self.dir.join(CASES_FILE))
    }
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        // What cannot be removed now is when the next export begins.
        std::fs::remove_dir_all(self.path()).ok();
        if self.is_new {
            // Only if it is empty: nothing was written.
            std::fs::remove_dir(self.dir).ok();
        }
    }
}

fn failed(path: &Path, source: io::Error) -> CanvasExportError {
    CanvasExportError::Write { path: path.to_path_buf(), source }
}

fn rename(from: &Path, to: &Path) -> Result<(), CanvasExportError> {
    std::fs::rename(from, to).map_err(|source| failed(to, source))
}

/// Whether all that would be replaced in a folder was written by an earlier export. What lies beside that, such as what
/// the evaluator came to, is not replaced and may be anything.
fn check(dir: &Path) -> Result<(), CanvasExportError> {
    if !dir.exists() {
        return Ok(());
    }
    let foreign = |found: PathBuf| CanvasExportError::Foreign { found, dir: dir.to_path_buf() };
    let unreadable = |source| failed(dir, source);
    let Some(cases) = earlier_cases(dir) else {
        for entry in std::fs::read_dir(dir).map_err(unreadable)? {
            let name = entry.map_err(unreadable)?.file_name();
            if name != UNFINISHED {
                return Err(foreign(PathBuf::from(name)));
            }
        }
        return Ok(());
    };
    let mut files = Vec::new();
    for folder in FOLDERS {
        files_below(dir, Path::new(folder), &mut files).map_err(unreadable)?;
    }
    // It is there whatever cases there are.
    files.retain(|file| file != Path::new(TOOLS));
    match files.into_iter().find(|file| !cases.iter().any(|case| case.wrote(file))) {
        Some(file) => Err(foreign(file)),
        None => Ok(()),
    }
}

/// A case of an earlier export.
struct EarlierCase {
    folder: String,
    case_id: String,
    gt_id: String,
}

/// Those of the export that lies in a folder; `None` if none does.
fn earlier_cases(dir: &Path) -> Option<Vec<EarlierCase>> {
    let bytes = read_file_limited(&dir.join(CASES_FILE), LARGEST_CASES).ok()?;
    let written: Value = serde_json::from_slice(&bytes).ok()?;
    // Other programs may call a file of theirs so, too.
    written.get("pentimento").and_then(Value::as_str)?;
    let cases = written.get("cases").and_then(Value::as_array)?.iter();
    let cases = cases.map(|case| {
        let word = |key: &str| case.get(key).and_then(Value::as_str).map(str::to_owned);
        let (folder, case_id, gt_id) = (word("folder")?, word("case_id")?, word("gt_id")?);
        Some(EarlierCase { folder, case_id, gt_id })
    });
    cases.collect()
}

impl EarlierCase {
    /// Whether a file, by its path within the folder of the export, was written for it.
    fn wrote(&self, file: &Path) -> bool {
        let Some(name) = file.file_name().and_then(|name| name.to_str()) else { return false };
        if file.starts_with("benchmarks") {
            let ending = name.strip_prefix(&self.gt_id);
            return ending.is_some_and(|ending| TRUTH_ENDINGS.contains(&ending));
        }
        let ending = name.strip_prefix(&self.case_id).and_then(|name| name.strip_prefix('-'));
        file.starts_with(&self.folder) && ending.is_some_and(is_result)
    }
}

/// Whether a file of a result ends so, behind the name of its case and a hyphen.
fn is_result(ending: &str) -> bool {
    let Some(numbered) = ending.strip_prefix("snapshot-") else {
        return matches!(ending, "canvas.png" | "json-structure.json" | "history.json");
    };
    let ending = numbered.trim_start_matches(|c: char| c.is_ascii_digit());
    matches!(ending, ".png" | ".json" | "-structure.json")
}

/// All files in a folder of `dir`, by their paths from there; a link is a file.
fn files_below(dir: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let path = dir.join(folder);
    match path.symlink_metadata() {
        Ok(known) if known.is_dir() => {}
        Ok(_) => {
            files.push(folder.to_path_buf());
            return Ok(());
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    }
    for entry in std::fs::read_dir(path)? {
        files_below(dir, &folder.join(entry?.file_name()), files)?;
    }
    Ok(())
}
