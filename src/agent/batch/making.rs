//! From an order to a run.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::base::{CancelToken, Cancelled};
use crate::environment::OpenEnvironment;
use crate::run::recorder::Durability;
use crate::run::{Manifest, Outcome, folder};

use super::earlier::{Claim, Earlier, keep_in};
use super::short::{self, LeastTurns};
use super::{BatchSettings, Order, ReadyTasks, TASKS_SETTING, relative_path};
use crate::agent::models::Recorded;
use crate::agent::runner::{Attempt, Observer, RunTaskError, run_ready_task};
use crate::agent::{AgentError, OpenAgent};

/// What came of an order.
#[derive(Clone, Debug)]
pub struct Made {
    /// The run's folder.
    pub dir: PathBuf,
    /// What it says of itself.
    pub manifest: Manifest,
    /// How it came to be.
    pub how: How,
    /// Folders of broken-off runs that it took the place of: they are in its own now.
    pub replaced: Vec<PathBuf>,
}

/// How a run came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It was made now.
    Made,
    /// It was made now, and this many answers were there already.
    Resumed(usize),
    /// It was there already.
    Found,
}

/// Why there is no run, or no whole record of it.
#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    /// Another process is at it.
    #[error("another process is at this run now")]
    Live,
    /// It was stopped before it began.
    #[error("stopped before it began")]
    Cancelled(#[from] Cancelled),
    /// The agent cannot be made.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// Its task cannot be made ready.
    #[error(transparent)]
    Task(RunTaskError),
    /// There can be no folder for it.
    #[error("cannot make a folder for the run: {why}: {}", path.display())]
    Folder {
        /// The cause.
        why: std::io::Error,
        /// Where it should be.
        path: PathBuf,
    },
    /// It could not begin, or not be recorded to its end.
    #[error("the run in {}: {why}", dir.display())]
    Run {
        /// The cause.
        why: RunTaskError,
        /// Its folder.
        dir: PathBuf,
    },
}

/// What [`make`] makes runs of; how agents and environments are made is the program's own way but in
/// tests.
#[derive(Clone, Copy)]
pub struct Openers<'a> {
    /// Makes agents.
    pub agent: &'a OpenAgent,
    /// Makes environments.
    pub environment: &'a OpenEnvironment,
    /// The tasks of the batch that are worked on now.
    pub tasks: &'a ReadyTasks,
}

impl std::fmt::Debug for Openers<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Openers").finish_non_exhaustive()
    }
}

/// Makes the run of an order. With [`BatchSettings::resume`] one that came to its end is found, and
/// one that did not is made again with the answers it had.
pub fn make(
    order: &Order,
    settings: &BatchSettings,
    openers: Openers<'_>,
    cancel: &CancelToken,
    observer: &mut dyn Observer,
) -> Result<Made, MakeError> {
    // Held until the run has its last place: nobody sees it while folders are moved.
    let _claim = if settings.resume {
        let claim = Claim::take(&settings.out, &order.task_ref(), order.contestant.name(), cancel)?;
        Some(claim.ok_or(MakeError::Live)?)
    } else {
        None
    };
    let mut made = if settings.resume {
        resume(order, settings, openers, cancel, observer)?
    } else {
        make_new(order, settings, None, openers, cancel, observer)?
    };
    for _ in 0..short::MOST_AGAIN {
        if cancel.is_cancelled() || !is_short(order, settings, &made.dir, &made.manifest) {
            break;
        }
        // What was broken off while a short run was made again is gone on with.
        let next = if settings.resume {
            go_on(&earlier(order, settings), order, settings, openers, cancel, observer)?
        } else {
            make_new(order, settings, None, openers, cancel, observer)?
        };
        made = take_over(next, made);
    }
    Ok(made)
}

/// Whether the run in this folder was ended too soon, and is to be made again.
fn is_short(order: &Order, settings: &BatchSettings, dir: &Path, manifest: &Manifest) -> bool {
    let is_short = |least: LeastTurns| least.is_short(manifest, order.task.kind);
    settings.least_turns.is_some_and(is_short) && short::short_before(dir) < short::MOST_AGAIN
}

/// Puts a run that was too short into the one that follows it, which gets its place.
fn take_over(next: Made, short: Made) -> Made {
    if next.manifest.outcome == Outcome::Cancelled || keep_in(&next.dir, &short.dir).is_err() {
        return next;
    }
    let dir = match std::fs::rename(&next.dir, &short.dir) {
        Ok(()) => short.dir.clone(),
        Err(_) => next.dir,
    };
    let replaced = short.replaced.into_iter().chain([short.dir]).collect();
    Made { dir, how: short.how, replaced, ..next }
}

/// What an earlier batch left of an order, gone on with.
fn resume(
    order: &Order,
    settings: &BatchSettings,
    openers: Openers<'_>,
    cancel: &CancelToken,
    observer: &mut dyn Observer,
) -> Result<Made, MakeError> {
    let mut earlier = earlier(order, settings);
    if let Some((dir, manifest)) = earlier.finished.take() {
        return Ok(Made { dir, manifest, how: How::Found, replaced: Vec::new() });
    }
    go_on(&earlier, order, settings, openers, cancel, observer)
}

fn earlier(order: &Order, settings: &BatchSettings) -> Earlier {
    let told = settings.told(&order.contestant);
    Earlier::find(&settings.out, &order.task_ref(), order.contestant.name(), &told)
}

/// Makes a run with the answers of the broken-off ones.
fn go_on(
    earlier: &Earlier,
    order: &Order,
    settings: &BatchSettings,
    openers: Openers<'_>,
    cancel: &CancelToken,
    observer: &mut dyn Observer,
) -> Result<Made, MakeError> {
    if earlier.is_live {
        return Err(MakeError::Live);
    }
    let answers = earlier.answers();
    let how = answers.as_ref().map_or(How::Made, |answers| How::Resumed(answers.len()));
    let made = make_new(order, settings, answers, openers, cancel, observer)?;
    let (dir, replaced) = earlier.make_way(made.dir, &made.manifest, &settings.out);
    Ok(Made { dir, how, replaced, ..made })
}

fn make_new(
    order: &Order,
    settings: &BatchSettings,
    recorded: Option<Recorded>,
    openers: Openers<'_>,
    cancel: &CancelToken,
    observer: &mut dyn Observer,
) -> Result<Made, MakeError> {
    let mut agent = order.contestant.agent(recorded, openers.agent)?;
    // Before there is a folder, so that whoever is killed while the task is read leaves none.
    let ready = openers.tasks.get(order, settings, openers.environment).map_err(MakeError::Task)?;
    let dir = claim(order, &settings.out)?;
    let mut told = settings.told(&order.contestant);
    if let Some(tasks) = relative_path(&dir, &order.set_dir) {
        told.insert(TASKS_SETTING.to_owned(), json!(tasks.display().to_string()));
    }
    observer.placed(&dir);
    let attempt = Attempt {
        set: &order.set,
        task: &order.task,
        limits: settings.limits.clone(),
        settings: told,
        dir: &dir,
        open_environment: openers.environment,
        pictures: &settings.pictures,
        durability: Durability::EveryTurn,
    };
    match run_ready_task(&attempt, &ready, &mut *agent, cancel, observer) {
        Ok(manifest) => Ok(Made { dir, manifest, how: How::Made, replaced: Vec::new() }),
        Err(why) => {
            // Succeeds only on an empty folder: what was recorded stays.
            std::fs::remove_dir(&dir).ok();
            Err(MakeError::Run { why, dir })
        }
    }
}

fn claim(order: &Order, out: &Path) -> Result<PathBuf, MakeError> {
    let claimed = folder::claim(out, &order.task_ref(), order.contestant.name());
    claimed.map_err(|why| MakeError::Folder { why, path: out.to_path_buf() })
}
