//! Runs as exports take them, and what exports go by on the command line.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::ValueEnum;

use crate::base::CancelToken;
use crate::cli::collection::Collection;
use crate::cli::environments::environments;
use crate::cli::explored::{ExploredSources, passing};
use crate::cli::made_by::made_by;
use crate::cli::output::note_missing_letters;
use crate::cli::progress::SharedProgress;
use crate::evaluate::Scorer;
use crate::export::{Every, ExportContext, ExportRun, Page, PageForm};
use crate::render::{FontSource, Fonts, RenderContext};

/// Which steps are shown, as the command line has it.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum EveryArgument {
    /// Each that changed how the canvas looks.
    Step,
    /// The last of each turn.
    Turn,
}

impl From<EveryArgument> for Every {
    fn from(every: EveryArgument) -> Self {
        match every {
            EveryArgument::Step => Self::Step,
            EveryArgument::Turn => Self::Turn,
        }
    }
}

/// Steps from the first to the last, `FIRST-LAST`.
pub(super) fn steps(text: &str) -> Result<RangeInclusive<u32>, String> {
    let range = text
        .split_once('-')
        .and_then(|(first, last)| Some(first.trim().parse().ok()?..=last.trim().parse().ok()?));
    range
        .filter(|range| !range.is_empty())
        .ok_or_else(|| format!("must be FIRST-LAST, such as 0-12, and not {text}"))
}

/// Pixels a point.
pub(super) fn scale(text: &str) -> Result<f64, String> {
    let scale: f64 = text.parse().map_err(|error| format!("{error}: {text}"))?;
    if (0.1..=8.0).contains(&scale) {
        Ok(scale)
    } else {
        Err("must be within 0.1 and 8".to_owned())
    }
}

/// The runs of a collection with their tasks.
fn export_runs(collection: &mut Collection) -> Vec<ExportRun> {
    let found = std::mem::take(&mut collection.runs).into_iter();
    let runs = found.map(|found| {
        let task = collection.task_of(&found.dir, &found.manifest);
        ExportRun { dir: found.dir, manifest: found.manifest, task, note: String::new() }
    });
    runs.collect()
}

/// The runs at these paths that pass a filter of Explore, with their tasks; without a filter, all.
pub(super) fn filtered_runs(
    runs: &[PathBuf],
    tasks: &[PathBuf],
    filter: &str,
) -> anyhow::Result<Vec<ExportRun>> {
    if filter.trim().is_empty() {
        return Ok(export_runs(&mut Collection::open(runs, tasks)?));
    }
    let sources = ExploredSources { tasks, paths: runs, ..ExploredSources::default() };
    let passing = passing(&sources, filter)?;
    // Their sets may lie beside runs that do not pass: what was named is searched for tasks too.
    Ok(export_runs(&mut Collection::open_among(&passing, tasks, runs)?))
}

/// The one run at a path.
pub(super) fn one_run(dir: &Path, tasks: &[PathBuf]) -> anyhow::Result<ExportRun> {
    let mut collection = Collection::open(std::slice::from_ref(&dir.to_path_buf()), tasks)?;
    let mut runs = export_runs(&mut collection);
    match (runs.pop(), runs.len()) {
        (Some(run), 0) => Ok(run),
        (_, others) => {
            anyhow::bail!("there are {} runs in {}; name one of them", others + 1, dir.display())
        }
    }
}

/// A page as a file for people: letters that Inter lacks are set in fonts of this machine, and those that none has are
/// said.
pub(super) fn page_bytes(page: Page, form: PageForm, scale: f64) -> anyhow::Result<Vec<u8>> {
    let render = RenderContext::new(Fonts::new(FontSource::Machine));
    note_missing_letters(&page.missing_letters(render.fonts()));
    Ok(page.write(form, scale, &render)?)
}

/// Has something made with what the command line goes by: its environments, this scorer, a bar of progress that counts
/// these, and nobody who stops it but Ctrl-C.
pub(super) fn with_context<T>(
    scorer: &Scorer,
    counts: &'static str,
    make: impl FnOnce(&ExportContext<'_>) -> T,
) -> T {
    let bar: OnceLock<SharedProgress> = OnceLock::new();
    make(&ExportContext {
        scorer,
        open_environment: &environments().opener(),
        cancel: &CancelToken::new(),
        made_by: &made_by(),
        progress: &|done, count, what| {
            // How many there are is known only when the first begins.
            let bar = bar.get_or_init(|| SharedProgress::start(count, counts));
            if done > 0 {
                bar.passed(what);
            }
        },
    })
}
