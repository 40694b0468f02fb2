//! Runs that their agent ended too soon, and are made again.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::run::{Manifest, Outcome, reader};
use crate::task::TaskKind;

/// How often a run that was too short is made again.
pub(super) const MOST_AGAIN: usize = 2;

/// How many turns a run must have that its agent ended by itself; with fewer it is made again, up to
/// two times. The short ones stay, in the folder of the one that follows them.
///
/// The published CANVAS code makes such runs again until they are long enough, and keeps nothing of
/// the others (kixlab/canvas, `utils/config.ts`, `MINIMUM_TURN`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeastTurns {
    /// So many.
    Turns(u32),
    /// As CANVAS's code has it: three to build a screen, two to change one.
    Published,
}

impl LeastTurns {
    fn of(self, kind: TaskKind) -> u32 {
        match (self, kind) {
            (Self::Turns(turns), _) => turns,
            (Self::Published, TaskKind::Replication) => 3,
            (Self::Published, _) => 2,
        }
    }

    /// Whether the agent ended this run too soon.
    pub(super) fn is_short(self, manifest: &Manifest, kind: TaskKind) -> bool {
        manifest.outcome == Outcome::Completed && manifest.totals.turns < self.of(kind)
    }
}

impl fmt::Display for LeastTurns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Turns(turns) => write!(f, "{turns}"),
            Self::Published => f.write_str("published"),
        }
    }
}

impl FromStr for LeastTurns {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "published" {
            return Ok(Self::Published);
        }
        let turns = text.parse().ok().filter(|turns| *turns > 0);
        turns.map(Self::Turns).ok_or_else(|| "must be a number from 1, or published".to_owned())
    }
}

/// How many runs that were too short stand one in the other below this run.
pub(super) fn short_before(dir: &Path) -> usize {
    let mut count = 0;
    let mut dir = dir.to_path_buf();
    while count <= MOST_AGAIN {
        let Ok(entries) = std::fs::read_dir(dir.join(super::earlier::EARLIER_DIR)) else { break };
        let finished = entries.flatten().map(|entry| entry.path()).find(|path| {
            reader::peek(path).is_ok_and(|peek| peek.manifest.outcome == Outcome::Completed)
        });
        let Some(finished) = finished else { break };
        count += 1;
        dir = finished;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{AgentRef, TaskRef};

    #[test]
    fn only_what_the_agent_ended_by_itself_is_too_short() {
        let agent = AgentRef { kind: "a".into(), name: "a".into(), version: None };
        let task = TaskRef { set: "s".into(), id: "t".into() };
        let mut manifest = Manifest::new(task, agent, "2026-01-01T00:00:00Z");
        manifest.totals.turns = 2;
        let least: LeastTurns = "published".parse().unwrap();
        assert!(!least.is_short(&manifest, TaskKind::Replication), "it has not ended");
        manifest.outcome = Outcome::Completed;
        assert!(least.is_short(&manifest, TaskKind::Replication));
        assert!(!least.is_short(&manifest, TaskKind::ModeChange));
        assert!("4".parse::<LeastTurns>().unwrap().is_short(&manifest, TaskKind::ModeChange));
        assert!("0".parse::<LeastTurns>().is_err() && "few".parse::<LeastTurns>().is_err());
    }
}
