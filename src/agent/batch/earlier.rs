//! What an earlier, broken-off batch with the same settings left in the folder.
//!
//! A run that came to its end is not repeated. One that did not is done again from the start in a
//! folder of its own, with the answers it had recorded given again: what they led to is the same, and
//! nothing is asked twice. When the new one holds all answers of the old one, it takes its place, and the
//! old one is kept in it: what failed then may have been paid for too.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::run::{Manifest, Outcome, TaskRef, folder, reader};

use super::super::models::Recorded;
use super::TASKS_SETTING;

/// Where a run keeps the broken-off ones that it took the place of.
pub(super) const EARLIER_DIR: &str = "earlier";
/// Most earlier runs of one agent on one task that are looked at.
const MOST: u32 = 999;

/// What there is of earlier runs of one task by one agent with the same settings.
#[derive(Debug, Default)]
pub(super) struct Earlier {
    /// One that came to its end.
    pub(super) finished: Option<(PathBuf, Manifest)>,
    /// Those that did not.
    unfinished: Vec<PathBuf>,
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
            Outcome::Running | Outcome::Cancelled | Outcome::Failed(_) => self.unfinished.push(dir),
        }
    }

    /// The answers to go on from: of the run that recorded most.
    pub(super) fn answers(&self) -> Option<Recorded> {
        let recorded = self.unfinished.iter().filter_map(|dir| Recorded::open(dir).ok());
        let answers = recorded.map(Recorded::answers).filter(|answers| !answers.is_empty());
        answers.max_by_key(Recorded::len)
    }

    /// Puts each broken-off run of which the new one holds every answer into it, and gives the new one
    /// the lowest number that is free then. Gives where it is, and where those were.
    pub(super) fn make_way(
        &self,
        new: PathBuf,
        out: &Path,
        task: &TaskRef,
        agent: &str,
    ) -> (PathBuf, Vec<PathBuf>) {
        let mut replaced = Vec::new();
        let Ok(answers) = Recorded::open(&new).map(Recorded::answers) else {
            return (new, replaced);
        };
        for old in &self.unfinished {
            let held = match Recorded::open(old).map(Recorded::answers) {
                Ok(old) => answers.begins_with(&old),
                // A run that asked nothing has nothing to lose.
                Err(_) => !old.join(folder::EXCHANGES_FILE).exists(),
            };
            // What cannot be moved is only in the way.
            if held && keep_in(&new, old).is_ok() {
                replaced.push(old.clone());
            }
        }
        let free = (1..=MOST).map(|number| folder::numbered(out, task, agent, number));
        let dir = match free.take_while(|dir| *dir != new).find(|dir| !dir.exists()) {
            Some(free) if std::fs::rename(&new, &free).is_ok() => free,
            _ => new,
        };
        (dir, replaced)
    }
}

/// Moves a run's folder into another's.
pub(super) fn keep_in(new: &Path, old: &Path) -> std::io::Result<()> {
    let place = new.join(EARLIER_DIR);
    std::fs::create_dir_all(&place)?;
    std::fs::rename(old, place.join(old.file_name().unwrap_or_default()))
}

/// Whether two runs were told the same, wherever their tasks lie.
fn are_same(one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    let told = |settings: &Map<String, Value>| {
        let mut settings = settings.clone();
        settings.remove(TASKS_SETTING);
        settings
    };
    told(one) == told(other)
}
