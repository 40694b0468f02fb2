//! What the studies come to whose runs the table shows.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::evaluate::figures::StudyFigure;
use crate::evaluate::studies::StudyOfRuns;
use crate::study::Cell;
use crate::study::Counted;
use crate::workbench::model::values::ResourceKey;

/// A study, and which of its runs are shown, told from others by a hash of them.
#[derive(Clone, Debug)]
pub struct ExploredStudyKey {
    /// Its folder.
    pub dir: PathBuf,
    /// Whether scripts are counted.
    pub counted: Counted,
    /// The folders of the runs.
    pub runs: Arc<BTreeSet<PathBuf>>,
    /// Folders of runs whose agents stand beside the people.
    pub agents: Arc<BTreeSet<PathBuf>>,
    revision: u64,
}

/// What a study comes to, of the runs that are shown.
#[derive(Clone, Debug)]
pub struct ExploredStudy {
    /// The numbers, and the attempts they are of.
    pub of: StudyOfRuns,
    /// The figure, or why there is none.
    pub figure: Result<StudyFigure, String>,
}

impl ExploredStudyKey {
    /// The study in a folder, of these runs and, beside them, of the agents whose runs are in these folders; `standing`
    /// is another once these runs say something else.
    pub fn new(
        dir: PathBuf,
        counted: Counted,
        runs: BTreeSet<PathBuf>,
        agents: BTreeSet<PathBuf>,
        standing: u64,
    ) -> Self {
        let mut hasher = DefaultHasher::new();
        (&runs, &agents, standing).hash(&mut hasher);
        let revision = hasher.finish();
        Self { dir, counted, runs: Arc::new(runs), agents: Arc::new(agents), revision }
    }

    fn parts(&self) -> (&PathBuf, bool, u64, usize) {
        (&self.dir, self.counted == Counted::ScriptedToo, self.revision, self.runs.len())
    }
}

impl ExploredStudy {
    /// The folders of the runs that a level under a condition is of, as
    /// [`StudyResults::cell`](crate::study::StudyResults::cell) finds it; of one person, if one is named.
    pub fn runs_of<'a>(
        &'a self,
        cell: usize,
        participant: Option<&'a str>,
    ) -> impl Iterator<Item = &'a Path> {
        let results = &self.of.results;
        let of_people = move |cell: &'a Cell| {
            let attempts = self.of.attempts.iter().filter(move |attempt| {
                attempt.condition == cell.condition
                    && cell.level.as_ref().is_none_or(|level| *level == attempt.level)
                    && participant.is_none_or(|who| who == attempt.participant)
            });
            attempts.map(|attempt| attempt.dir.as_path())
        };
        let of_agents = move |cell: &'a Cell| {
            let attempts = participant.is_none().then(|| results.agent_attempts_of(cell));
            attempts.into_iter().flatten().map(|attempt| attempt.dir.as_path())
        };
        let cell = results.cell(cell).into_iter();
        cell.flat_map(move |cell| of_people(cell).chain(of_agents(cell)))
    }
}

impl PartialEq for ExploredStudyKey {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for ExploredStudyKey {}

impl PartialOrd for ExploredStudyKey {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ExploredStudyKey {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.parts().cmp(&other.parts())
    }
}

impl ResourceKey for ExploredStudyKey {
    type Value = ExploredStudy;
    // Whoever goes back to a filter finds it again.
    const BUDGET: usize = 16;

    fn cost(_: &ExploredStudy) -> usize {
        1
    }
}
