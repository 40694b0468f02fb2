//! A run repeated from its record: `--replay`.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use serde_json::{Value, json};

use crate::agent::CpuPool;
use crate::agent::models::{OpenedModel, Recorded};
use crate::agent::runner::{Attempt, NoObserver, RunLimits, START_RUN_SETTING, StartRun, run_task};
use crate::base::{CancelToken, Limits, parse_json, read_file_limited};
use crate::cli::arguments::RunArguments;
use crate::cli::collection::Collection;
use crate::cli::output::print;
use crate::environment::ToolCall;
use crate::run::recorder::Durability;
use crate::run::{ImageRef, Manifest, Outcome, Run, folder, reader};

use super::again::pictures;
use crate::cli::environments::environments;

/// Largest document compared, in bytes.
const DOCUMENT_BYTES: u64 = Limits::JSON_BYTES;

/// Repeats a run without a network, and says whether the same came of it.
pub(super) fn replay(dir: &Path, arguments: &RunArguments) -> anyhow::Result<()> {
    let first = reader::open(dir)?;
    let recorded = Recorded::open(dir)?;
    // Nothing but the record is asked: whatever was not asked then fails here.
    let mut agent = OpenedModel::replay(&first.manifest, &recorded)?;
    let tasks: Vec<_> = arguments.tasks.iter().cloned().collect();
    let mut collection = Collection::open(&[dir.to_path_buf()], &tasks)?;
    let task = collection.task_of(dir, &first.manifest).with_context(|| {
        format!("the task {} was not found: say where it is with --tasks", first.manifest.task.id)
    })?;
    // Without a place of its own the second run is only compared, and then gone.
    let kept = arguments.out.as_deref();
    let passing = kept.is_none().then(|| folder_beside(dir)).transpose()?;
    let out = kept.or(passing.as_ref().map(Passing::path)).context("no folder to replay into")?;
    let new = folder::claim(out, &first.manifest.task, &first.manifest.agent.name)?;
    let pictures = pictures(dir, &first.manifest, arguments)?;
    let mut settings = first.manifest.settings.clone();
    if let Some(start_run) = settings.get_mut(START_RUN_SETTING) {
        // What it began with is in its own folder, wherever the run is by now that it went on with.
        *start_run = json!(StartRun::start_of(&std::path::absolute(dir)?, &first.manifest));
    }
    let attempt = Attempt {
        set: &first.manifest.task.set,
        task: &task,
        limits: limits(&first.manifest),
        settings,
        dir: &new,
        open_environment: &environments().opener(),
        pictures: &pictures,
        durability: Durability::EveryTurn,
        cpu: &CpuPool::default(),
    };
    run_task(&attempt, &mut *agent, &CancelToken::new(), &mut NoObserver)?;
    let again = Arc::new(reader::open(&new)?);
    let differences = differences(&first, dir, &again, &new);
    let outcome = again.manifest.outcome.word();
    let place = kept.map(|_| format!("  {}", new.display())).unwrap_or_default();
    print(&format!("{}: {outcome}, {} exchanges{place}\n", first.manifest.id, recorded.len()))?;
    anyhow::ensure!(differences.is_empty(), "it is not the same run: {}", differences.join("; "));
    Ok(print("the same answers, calls, pictures and document\n")?)
}

/// As they were for the run, but for the time: an answer from a record takes none.
fn limits(manifest: &Manifest) -> RunLimits {
    RunLimits { max_seconds: None, ..RunLimits::of_settings(&manifest.settings) }
}

fn differences(first: &Run, dir: &Path, again: &Run, new: &Path) -> Vec<String> {
    let mut found = Vec::new();
    if first.manifest.outcome != again.manifest.outcome {
        found.push(match &again.manifest.outcome {
            Outcome::Failed(why) => format!("it failed: {why}"),
            outcome => format!("it ended otherwise: {}", outcome.word()),
        });
    }
    // What is the same at every replay: times and latencies are not.
    let same_calls = calls(first).eq(calls(again));
    let same_outcomes = outcomes(first).eq(outcomes(again));
    let same_pictures = pictures_seen(first).eq(pictures_seen(again));
    let same_document = final_document(dir) == final_document(new);
    for (is_same, what) in [
        (same_calls, "other calls"),
        (same_outcomes, "other outcomes"),
        (same_pictures, "other pictures"),
        (same_document, "another document at the end"),
    ] {
        if !is_same {
            found.push(what.to_owned());
        }
    }
    found
}

fn calls(run: &Run) -> impl Iterator<Item = Option<&ToolCall>> {
    run.steps.iter().map(|step| step.call.as_ref())
}

fn outcomes(run: &Run) -> impl Iterator<Item = Option<&str>> {
    run.steps.iter().map(|step| step.outcome.as_ref().map(|outcome| outcome.text.as_str()))
}

/// The names of the pictures after each turn, which are hashes of what they show.
fn pictures_seen(run: &Run) -> impl Iterator<Item = Option<&ImageRef>> {
    run.turns.iter().map(|turn| turn.observation.as_ref())
}

fn final_document(dir: &Path) -> Option<Value> {
    let bytes = read_file_limited(&dir.join(folder::FINAL_FILE), DOCUMENT_BYTES).ok()?;
    parse_json(&bytes).ok()
}

/// A folder that is gone when this is dropped.
struct Passing(std::path::PathBuf);

impl Passing {
    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        // What is left of it lies in the system's folder for such files.
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// A folder beside the run that is repeated.
fn folder_beside(run: &Path) -> anyhow::Result<Passing> {
    let run = std::path::absolute(run)?;
    let name = format!(".replay-{}", std::process::id());
    let path = run.parent().unwrap_or(&run).join(name);
    std::fs::create_dir(&path).with_context(|| {
        format!("cannot make the folder {}; name one with --out", path.display())
    })?;
    Ok(Passing(path))
}
