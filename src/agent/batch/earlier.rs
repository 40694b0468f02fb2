//! What an earlier, broken-off batch with the same settings left in the folder.
//!
//! A run that came to its end is not repeated. One that did not is done again from the start in a
//! folder of its own, with the answers it had recorded given again: what they led to is the same, and
//! nothing is asked twice. When the new one holds all answers of the old one, or got as far as it did
//! where nothing was asked, it takes its place, and the old one is kept in it: what failed then may have
//! been paid for too.
//!
//! Of several processes that go on with the same batch one looks at a time ([`Claim`]), so that none
//! makes what another is about to make.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value};

use crate::base::{CancelToken, Cancelled};
use crate::environment::{FONTS_SETTING, FontSource};
use crate::model::wire::wait;
use crate::run::{Manifest, Outcome, TASKS_SETTING, TaskRef, folder, reader};

use crate::agent::models::Recorded;

/// Where a run keeps the broken-off ones that it took the place of.
const EARLIER_DIR: &str = "earlier";
/// How often a run that was too short is made again.
pub(super) const MOST_AGAIN: usize = 2;
/// Most earlier runs of one agent on one task that are looked at.
const MOST: u32 = 999;

/// What there is of earlier runs of one task by one agent with the same settings.
#[derive(Debug, Default)]
pub(super) struct Earlier {
    /// One that came to its end.
    pub(super) finished: Option<(PathBuf, Manifest)>,
    /// Those that did not, with their turns.
    unfinished: Vec<(PathBuf, u32)>,
    /// Another process is at it now.
    pub(super) is_live: bool,
}

impl Earlier {
    /// Looks for runs of `agent` on the task in `out`.
    pub(super) fn find(
        out: &Path,
        task: &TaskRef,
        agent: &str,
        settings: &Map<String, Value>,
    ) -> Self {
        let mut earlier = Self::default();
        for number in 1..=MOST {
            let dir = folder::numbered(out, task, agent, number);
            if !dir.is_dir() {
                // Numbers are given in order, but a folder in the middle may have been deleted.
                if number > 20 {
                    break;
                }
                continue;
            }
            // A folder that says nothing of itself is nobody's: it stays, and is not gone on with.
            let Ok(peek) = reader::peek(&dir) else { continue };
            earlier.add(dir, peek.manifest, agent, settings);
        }
        earlier
    }

    fn add(
        &mut self,
        dir: PathBuf,
        manifest: Manifest,
        agent: &str,
        settings: &Map<String, Value>,
    ) {
        if manifest.agent.name != agent || !are_same(&manifest.settings, settings) {
            return;
        }
        match manifest.outcome {
            Outcome::Completed | Outcome::LimitReached(_) => {
                self.finished.get_or_insert((dir, manifest));
            }
            Outcome::Running if folder::is_live(&dir) => self.is_live = true,
            Outcome::Running | Outcome::Cancelled | Outcome::Failed(_) => {
                self.unfinished.push((dir, manifest.totals.turns));
            }
        }
    }

    /// The answers to go on from: of the run that recorded most.
    pub(super) fn answers(&self) -> Option<Recorded> {
        let recorded = self.unfinished.iter().filter_map(|(dir, _)| Recorded::open(dir).ok());
        let answers = recorded.map(Recorded::answers).filter(|answers| !answers.is_empty());
        // The others were answered no more than this one: models are asked the same in each.
        answers.max_by_key(Recorded::len)
    }

    /// Puts each broken-off run of which the new one holds every answer into it, and gives the new one
    /// the lowest number that is free then. Gives where it is, and where those were.
    ///
    /// Where nothing was asked, as by agents without a model, the new one has to have come to its end
    /// or as far as the old one.
    pub(super) fn make_way(
        &self,
        new: PathBuf,
        manifest: &Manifest,
        out: &Path,
    ) -> (PathBuf, Vec<PathBuf>) {
        let mut replaced = Vec::new();
        let answers = Recorded::open(&new).map(Recorded::answers).ok();
        let is_whole = matches!(manifest.outcome, Outcome::Completed | Outcome::LimitReached(_));
        for (old, turns) in &self.unfinished {
            // An agent without a model records no exchanges: then turns are what can be compared.
            let asked = old.join(folder::EXCHANGES_FILE).exists();
            let held = match (Recorded::open(old).map(Recorded::answers), &answers) {
                (Ok(old), Some(answers)) => answers.begins_with(&old),
                // Of a damaged record nobody knows what was paid for.
                _ => !asked && (is_whole || manifest.totals.turns >= *turns),
            };
            // What cannot be moved is only in the way.
            if held && keep_in(&new, old).is_ok() {
                replaced.push(old.clone());
            }
        }
        // So that a batch that was resumed lies in the same folders as one that was not broken off.
        let (task, agent) = (&manifest.task, &manifest.agent.name);
        let free = (1..=MOST).map(|number| folder::numbered(out, task, agent, number));
        let dir = match free.take_while(|dir| *dir != new).find(|dir| !dir.exists()) {
            Some(free) if std::fs::rename(&new, &free).is_ok() => free,
            _ => new,
        };
        (dir, replaced)
    }
}

/// The right to look at what there is of one task by one agent, and to make what is missing: one process
/// has it at a time.
#[derive(Debug)]
pub(super) struct Claim {
    /// Locked, and unlocked when it is dropped; `None` where there are no locks.
    _lock: Option<File>,
}

/// Hexadecimal digits of a hash that tell one claim from another.
const CLAIM_DIGITS: usize = 16;
/// How often a process that waits for the right looks again.
const LOOK: Duration = Duration::from_millis(20);

impl Claim {
    /// Waits for the right while another process only looks; `None` once that one is at the run. On a
    /// file system without locks everybody has it.
    pub(super) fn take(
        out: &Path,
        task: &TaskRef,
        agent: &str,
        told: &Map<String, Value>,
        cancel: &CancelToken,
    ) -> Result<Option<Self>, Cancelled> {
        // Runs that were told otherwise are others: repeats of an experiment are made side by side.
        let told = Value::Object(told.clone()).to_string();
        let of = format!("{agent}-{}", &blake3::hash(told.as_bytes()).to_hex()[..CLAIM_DIGITS]);
        let Ok(file) = folder::open_claim(out, task, &of) else {
            return Ok(Some(Self { _lock: None }));
        };
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(Self { _lock: Some(file) })),
                Err(TryLockError::Error(_no_locks)) => return Ok(Some(Self { _lock: None })),
                Err(TryLockError::WouldBlock) => {}
            }
            // Who has the lock either only looks, or makes the run: then its folder is live.
            let mut numbers = (1..=MOST).map(|number| folder::numbered(out, task, agent, number));
            if numbers.by_ref().take_while(|dir| dir.exists()).any(|dir| folder::is_live(&dir)) {
                return Ok(None);
            }
            wait(LOOK, cancel)?;
        }
    }
}

/// Moves a run's folder into another's.
pub(super) fn keep_in(new: &Path, old: &Path) -> std::io::Result<()> {
    let place = new.join(EARLIER_DIR);
    std::fs::create_dir_all(&place)?;
    std::fs::rename(old, place.join(old.file_name().unwrap_or_default()))
}

/// How many runs that were too short stand one in the other below this run.
pub(super) fn short_before(dir: &Path) -> usize {
    let mut count = 0;
    let mut dir = dir.to_path_buf();
    // One more than is asked for is enough to know that it is too many.
    while count <= MOST_AGAIN {
        let Ok(entries) = std::fs::read_dir(dir.join(EARLIER_DIR)) else { break };
        let finished = entries.flatten().map(|entry| entry.path()).find(|path| {
            reader::peek(path).is_ok_and(|peek| peek.manifest.outcome == Outcome::Completed)
        });
        let Some(finished) = finished else { break };
        count += 1;
        dir = finished;
    }
    count
}

/// Whether two runs were told the same, wherever their tasks lie.
fn are_same(one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    let [one, other] = [one, other].map(|settings| {
        let mut settings = settings.clone();
        settings.remove(TASKS_SETTING);
        // Runs that do not say were made before there was a choice that is recorded.
        settings.entry(FONTS_SETTING).or_insert_with(|| FontSource::Vendored.name().into());
        settings
    });
    one == other
}
