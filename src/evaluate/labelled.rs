//! What an item of a labelling project is about: its runs, found by what is in them, and its task.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::{JsonLimitError, Limits, read_file_limited};
use crate::label::Item;
use crate::run::folder::EVENTS_FILE;
use crate::run::pictures;
use crate::run::reader::{self, RunError};
use crate::run::{Manifest, Run, RunOrigin};
use crate::task::{Task, TaskFinder};

/// What an item is about.
#[derive(Debug)]
pub struct OpenItem {
    /// Its runs, in the item's order; of each that cannot be shown, why.
    pub runs: Vec<Result<Arc<Run>, LabelledRunError>>,
    /// What they are attempts at, if its set was found.
    pub task: Option<Arc<Task>>,
}

/// Why a run of an item cannot be shown. The path is for who leads the project: it names the model, and
/// who labels blindly reads [`Self::without_place`].
#[derive(Debug, thiserror::Error)]
pub enum LabelledRunError {
    /// There is no run where it lay.
    #[error("the run is not where it lay; move it back, or make the project anew: {}", path.display())]
    Missing {
        /// Where.
        path: PathBuf,
    },
    /// Something else lies there, or it was recorded anew.
    #[error("the run is not the one that the project was made of: {}", path.display())]
    Changed {
        /// Where.
        path: PathBuf,
    },
    /// It cannot be read.
    #[error("the run cannot be read ({source}): {}", path.display())]
    Run {
        /// The cause.
        source: RunError,
        /// Where.
        path: PathBuf,
    },
    /// What is in it cannot be read.
    #[error("the run cannot be read ({source}): {}", path.display())]
    Content {
        /// The cause.
        source: JsonLimitError,
        /// Where.
        path: PathBuf,
    },
}

impl LabelledRunError {
    /// The same without where the run lies.
    pub fn without_place(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "the run is not where it lay",
            Self::Changed { .. } => "the run was changed since the project was made",
            Self::Run { .. } | Self::Content { .. } => "the run cannot be read",
        }
    }
}

/// The hash of what happened in a run, as hex: of its id and events, or of its pictures if it is known by
/// those alone. The same wherever the run lies.
///
/// # Errors
///
/// [`LabelledRunError`] if it cannot be read.
pub fn run_content(dir: &Path, manifest: &Manifest) -> Result<String, LabelledRunError> {
    let mut hasher = blake3::Hasher::new();
    let events = dir.join(EVENTS_FILE);
    if events.exists() {
        hasher.update(manifest.id.as_bytes());
        let bytes = read_file_limited(&events, Limits::JSON_BYTES)
            .map_err(|source| LabelledRunError::Content { source, path: dir.into() })?;
        hasher.update(&bytes);
    } else {
        let files = pictures::files(dir)
            .map_err(|source| LabelledRunError::Run { source, path: dir.into() })?;
        for file in files {
            // Where one ends is part of it: else a byte could go from one to the next.
            let bytes = read_file_limited(&file, Limits::IMAGE_BYTES)
                .map_err(|source| LabelledRunError::Content { source, path: dir.into() })?;
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(&bytes);
        }
    }
    Ok(hasher.finalize().to_hex().to_string())
}

/// Opens the runs of an item and finds its task. `home` is the folder of the project's file, from which
/// the paths of runs are seen.
pub fn open_item(item: &Item, home: &Path, tasks: &mut TaskFinder) -> OpenItem {
    let mut task = None;
    let mut runs = Vec::with_capacity(item.runs.len());
    for labelled in &item.runs {
        let dir = home.join(&labelled.path);
        let run = open_run(&dir, item, &labelled.content);
        if let (None, Ok(run)) = (&task, &run) {
            task = tasks.task_of(&dir, &run.manifest);
        }
        runs.push(run.map(Arc::new));
    }
    // What is about no run is of a task of the project's own sets.
    let task = task.or_else(|| tasks.task(item.task.as_ref()?));
    OpenItem { runs, task }
}

fn open_run(dir: &Path, item: &Item, content: &str) -> Result<Run, LabelledRunError> {
    if !dir.is_dir() {
        return Err(LabelledRunError::Missing { path: dir.into() });
    }
    let mut run =
        reader::open(dir).map_err(|source| LabelledRunError::Run { source, path: dir.into() })?;
    // Pictures alone do not say of which task they are.
    if matches!(run.origin, RunOrigin::Pictures { .. })
        && let Some(task) = &item.task
    {
        run.manifest.task.clone_from(task);
    }
    if run_content(dir, &run.manifest)? != content {
        return Err(LabelledRunError::Changed { path: dir.into() });
    }
    Ok(run)
}
