//! The studies that the runs are of which the table shows, and the figure of one of them.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::shell_line;
use crate::evaluate::MadeBy;
use crate::evaluate::figures::Figure;
use crate::evaluate::studies::{study_attempts_table, study_levels_table};
use crate::evaluate::typed_table::TypedTable;
use crate::study::{Counted, SCRIPTED_PARTICIPANT_KIND, study_dir_of};
use crate::workbench::model::{
    ExploreTable, ExploredStudy, ExploredStudyKey, Fetched, Library, LibraryRun, RunId, State,
    StudyDesk, StudyFindings, StudyRows, StudySource,
};

/// The folders of the studies that the runs that pass are of, those with most runs first.
pub(super) fn studies(table: &ExploreTable, library: &Library) -> Vec<(Arc<Path>, usize)> {
    let mut counts: BTreeMap<&Path, usize> = BTreeMap::new();
    let of_studies = table.shown.iter().filter(|id| is_of_study(table, **id));
    for id in of_studies {
        if let Some(dir) = library.runs.get(id).and_then(|run| study_dir_of(&run.dir)) {
            *counts.entry(dir).or_default() += 1;
        }
    }
    let mut studies: Vec<(Arc<Path>, usize)> =
        counts.into_iter().map(|(dir, runs)| (Arc::from(dir), runs)).collect();
    studies.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    studies
}

fn is_of_study(table: &ExploreTable, run: RunId) -> bool {
    table.runs.get(run).is_some_and(|run| run.is_of_study)
}

/// What is asked for of the study that was chosen, or of that with most runs.
pub(super) fn study(table: &ExploreTable, state: &State) -> Option<ExploredStudyKey> {
    let chosen = state.explore.view.study.as_deref();
    let known = table.studies.iter().find(|(dir, _)| Some(&**dir) == chosen);
    let (dir, _) = known.or(table.studies.first())?;
    let mut runs: BTreeSet<PathBuf> = BTreeSet::new();
    let mut counted = Counted::People;
    let of_studies = table.shown.iter().filter(|id| is_of_study(table, **id));
    for run in of_studies.filter_map(|id| state.library.runs.get(id)) {
        if study_dir_of(&run.dir) == Some(&**dir) {
            runs.insert(run.dir.clone());
            // Scripts are shown only to who asks for them, and then they count.
            if run.manifest.agent.kind == SCRIPTED_PARTICIPANT_KIND {
                counted = Counted::ScriptedToo;
            }
        }
    }
    let agents = state.explore.view.agents_of(dir);
    let standing = standing_of(&state.library, &runs, &agents);
    Some(ExploredStudyKey::new(dir.to_path_buf(), counted, runs, agents, standing))
}

/// What may change the figure while all paths stay as they are: the runs in the agents' folders, and how far they and
/// the study's own are.
fn standing_of(library: &Library, runs: &BTreeSet<PathBuf>, agents: &BTreeSet<PathBuf>) -> u64 {
    let counts = |run: &&LibraryRun| {
        let is_in = |dir: &Path| agents.contains(dir);
        // A folder is said by a file of it, too.
        let is_above = |path: &PathBuf| path.parent() == Some(run.dir.as_path());
        runs.contains(&run.dir) || run.dir.ancestors().any(is_in) || agents.iter().any(is_above)
    };
    let mut counted: Vec<&LibraryRun> = library.runs.values().filter(counts).collect();
    // Numbers of runs go by when they were opened.
    counted.sort_by(|a, b| a.dir.cmp(&b.dir));
    let mut hasher = DefaultHasher::new();
    for run in counted {
        (&run.dir, &run.state, run.steps).hash(&mut hasher);
    }
    hasher.finish()
}

/// How the command line is told of the folders of agents' runs.
fn agents_words(folders: &BTreeSet<PathBuf>) -> impl Iterator<Item = String> {
    folders.iter().flat_map(|dir| ["--agents".to_owned(), dir.display().to_string()])
}

impl State {
    /// What the study comes to whose figure is shown, as far as that is known.
    pub fn explored_study(&self) -> Option<&Fetched<ExploredStudy>> {
        self.derived.explored_studies.get(self.explore.table.study.as_ref()?)
    }

    /// The runs that a level under a condition is of, of people or of agents, as
    /// [`StudyResults::cell`](crate::study::StudyResults::cell) finds it; of one person, if one is named.
    pub fn runs_of_study_cell(&self, cell: usize, participant: Option<&str>) -> Vec<RunId> {
        let Some(Fetched::Ready(study)) = self.explored_study() else { return Vec::new() };
        let dirs: BTreeSet<&Path> = study.runs_of(cell, participant).collect();
        let shown = self.explore.table.shown.iter();
        let runs = shown.filter(|id| {
            let run = self.library.runs.get(id);
            run.is_some_and(|run| dirs.contains(run.dir.as_path()))
        });
        runs.copied().collect()
    }

    /// Whether somebody or some agent attempted something there, whether those runs are open or not.
    pub(in crate::workbench) fn has_attempts_in_study_cell(&self, cell: usize) -> bool {
        let Some(Fetched::Ready(study)) = self.explored_study() else { return false };
        study.of.results.cell(cell).is_some_and(|cell| cell.attempts > 0)
    }

    pub(super) fn explore_study_figure(&self) -> Result<Figure, String> {
        self.shown_study()?.figure.clone().map(|it| it.figure)
    }

    fn shown_study(&self) -> Result<&ExploredStudy, String> {
        match self.explored_study() {
            Some(Fetched::Ready(study)) => Ok(study),
            Some(Fetched::Failed(why)) => Err(String::clone(why)),
            Some(Fetched::Pending) => Err("it is still being worked out".to_owned()),
            None => Err("no run that is shown is of a study".to_owned()),
        }
    }

    /// What the study comes to that is open in *Assist*.
    pub(super) fn study_findings(&self) -> Result<&StudyFindings, String> {
        match self.study_desk().map(|desk| desk.results.as_ref()) {
            Some(Some(found)) => found.as_deref().map_err(String::clone),
            Some(None) => Err("what the study comes to was not counted yet".to_owned()),
            None => Err("no study is open".to_owned()),
        }
    }

    /// What a study comes to as a table, for a file of this name.
    pub(super) fn study_table(
        &self,
        of: StudySource,
        rows: StudyRows,
        file: &str,
    ) -> Result<TypedTable, String> {
        let mut rest = vec!["--table", file];
        if rows == StudyRows::Attempts {
            rest.extend(["--table-of", "attempts"]);
        }
        let (results, attempts, command) = match of {
            StudySource::Open => {
                let found = self.study_findings()?;
                (&found.results, &found.attempts, self.open_study_command(&rest))
            }
            StudySource::Shown => {
                let study = &self.shown_study()?.of;
                (&study.results, &study.attempts, self.shown_study_command(&rest))
            }
        };
        let made_by = MadeBy { command, ..MadeBy::default() };
        Ok(match rows {
            StudyRows::Levels => study_levels_table(results, made_by),
            StudyRows::Attempts => study_attempts_table(results, attempts, made_by),
        })
    }

    /// The command that reports what the study that is open comes to, and the rest of it.
    pub(super) fn open_study_command(&self, rest: &[&str]) -> String {
        let mut words = ["pentimento", "study", "report"].map(str::to_owned).to_vec();
        words.extend(self.study_desk().map(|desk| desk.dir.display().to_string()));
        if let Ok(found) = self.study_findings() {
            if found.of.counted == Counted::ScriptedToo {
                words.push("--include-scripted".to_owned());
            }
            words.extend(agents_words(&found.of.agents));
        }
        words.extend(rest.iter().map(|word| (*word).to_owned()));
        shell_line(words.iter().map(String::as_str))
    }

    pub(super) fn study_desk(&self) -> Option<&StudyDesk> {
        self.assist.study.desk.as_deref()
    }

    /// The same of the study whose figure is shown, and of its runs that are.
    pub(super) fn shown_study_command(&self, rest: &[&str]) -> String {
        let mut words = ["pentimento", "study", "report"].map(str::to_owned).to_vec();
        if let Some(key) = &self.explore.table.study {
            words.push(key.dir.display().to_string());
            if key.counted == Counted::ScriptedToo {
                words.push("--include-scripted".to_owned());
            }
            // Not read yet: the runs are named, which is right in either case.
            let is_part = match self.explored_study() {
                Some(Fetched::Ready(study)) => study.of.is_part,
                _ => true,
            };
            if is_part {
                let runs = key.runs.iter().map(|dir| dir.display().to_string());
                words.extend(runs.flat_map(|dir| ["--select".to_owned(), dir]));
            }
            words.extend(agents_words(&key.agents));
        }
        words.extend(rest.iter().map(|word| (*word).to_owned()));
        shell_line(words.iter().map(String::as_str))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{AgentRef, Manifest, TaskRef};
    use crate::workbench::model::RunState;

    fn run(dir: &str, state: RunState, steps: u32) -> LibraryRun {
        let agent = AgentRef { kind: "model".to_owned(), name: "small".to_owned(), version: None };
        let manifest = Manifest::new(TaskRef::new("set", "card"), agent, "2026-01-01T09:00:00Z");
        LibraryRun { steps, ..LibraryRun::new(manifest, dir.into(), state) }
    }

    #[test]
    fn a_run_of_an_agent_that_comes_or_goes_on_makes_the_figure_anew() {
        let runs = BTreeSet::from([PathBuf::from("/study/people/p01/a")]);
        // One folder, and a run that was opened by its file.
        let agents = ["/agents", "/lone/b/run.json"].map(PathBuf::from).into();
        let mut library = Library::default();
        let standing = |library: &Library| standing_of(library, &runs, &agents);
        let mut before = standing(&library);
        for (id, dir) in [(1, "/agents/deep/c"), (2, "/lone/b"), (3, "/study/people/p01/a")] {
            for (state, steps) in
                [(RunState::Live, 0), (RunState::Live, 4), (RunState::Finished, 4)]
            {
                library.runs.insert(RunId(id), run(dir, state, steps));
                let now = standing(&library);
                assert_ne!(now, before, "{dir}");
                before = now;
            }
        }
        for (id, dir) in [(4, "/agents2/c"), (5, "/lone/c"), (6, "/study/people/p02/a")] {
            library.runs.insert(RunId(id), run(dir, RunState::Live, 1));
            assert_eq!(standing(&library), before, "{dir} counts nowhere");
        }
        // In which order they were opened says nothing.
        let mut turned = Library::default();
        for (id, run) in &library.runs {
            turned.runs.insert(RunId(9 - id.0), run.clone());
        }
        assert_eq!(standing(&turned), before);
    }
}
