//! Which runs of agents may stand beside the people of the study that is open.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::evaluate::studies::{AgentRun, AgentRuns};
use crate::study::LeftOutRun;
use crate::workbench::model::{LibraryRun, RunState, State, StudyDesk};

/// A folder of runs.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentFolder<'a> {
    /// The folder.
    pub dir: &'a Path,
    /// Whether its agents stand beside the people.
    pub is_counted: bool,
    /// How many runs of it are open; of a folder without, nothing else is known here.
    pub runs: usize,
    /// The agents with runs at the study's tasks: each by name and mode, with how many.
    pub agents: BTreeMap<(&'a str, &'a str), usize>,
    /// How many runs do not count, and why, as far as their manifests say it.
    pub left_out: BTreeMap<LeftOutRun, usize>,
}

impl AgentFolder<'_> {
    /// How many runs are at the study's tasks.
    pub fn of_study(&self) -> usize {
        self.agents.values().sum()
    }
}

/// The folders of runs that are open, in the order they were opened, and behind them others that were chosen; none
/// without a study.
pub fn agent_folders(state: &State) -> Vec<AgentFolder<'_>> {
    let Some(desk) = state.assist.study.desk.as_deref() else { return Vec::new() };
    let chosen = state.explore.view.study_agents.get(&desk.dir);
    let opened: HashSet<&Path> = state.library.opened.iter().map(PathBuf::as_path).collect();
    let others = chosen.into_iter().flatten().filter(|dir| !opened.contains(dir.as_path()));
    let folders: Vec<&Path> =
        state.library.opened.iter().chain(others).map(PathBuf::as_path).collect();
    let known: HashSet<&Path> = folders.iter().copied().collect();
    // A run is opened by a file, too; then its folder is above the path.
    let mut files: HashMap<&Path, Vec<&Path>> = HashMap::new();
    for file in &folders {
        if let Some(above) = file.parent() {
            files.entry(above).or_default().push(file);
        }
    }
    let mut runs: HashMap<&Path, Vec<AgentRun<'_>>> = HashMap::new();
    for run in state.library.runs.values() {
        let above = run.dir.ancestors().filter_map(|dir| known.get(dir).copied());
        let by_file = files.get(run.dir.as_path()).into_iter().flatten().copied();
        for dir in above.chain(by_file) {
            runs.entry(dir).or_default().push(listed(run));
        }
    }
    let folders = folders.into_iter().map(|dir| {
        let is_counted = chosen.is_some_and(|chosen| chosen.contains(dir));
        folder(desk, dir, is_counted, runs.get(dir).map_or(&[], Vec::as_slice))
    });
    // What was opened for its tasks alone holds no runs.
    folders.filter(|it| it.runs > 0 || it.is_counted).collect()
}

fn folder<'a>(
    desk: &StudyDesk,
    dir: &'a Path,
    is_counted: bool,
    runs: &[AgentRun<'a>],
) -> AgentFolder<'a> {
    let mut agents: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let found = AgentRuns::of(&desk.plan, runs.iter().copied());
    for (_, run) in &found.of_study {
        let agent = (run.manifest.agent.name.as_str(), run.manifest.mode.as_str());
        *agents.entry(agent).or_default() += 1;
    }
    AgentFolder { dir, is_counted, runs: runs.len(), agents, left_out: found.left_out }
}

fn listed(run: &LibraryRun) -> AgentRun<'_> {
    let unreadable = match &run.state {
        RunState::Unreadable(why) => Some(why.as_str()),
        _ => None,
    };
    AgentRun { dir: &run.dir, manifest: &run.manifest, unreadable }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::run::{AgentRef, Manifest, Outcome, TaskRef, Totals};
    use crate::study::{CandidateTask, Counted, Preset, StartChoice, StudyRecord};
    use crate::workbench::model::RunId;

    fn run(dir: &str, task: &str, outcome: Outcome) -> LibraryRun {
        let agent = AgentRef { kind: "model".to_owned(), name: "small".to_owned(), version: None };
        let totals = Totals { seconds: 1.0, ..Totals::default() };
        let manifest = Manifest::new(TaskRef::new("set", task), agent, "2026-01-01T09:00:00Z");
        let manifest = Manifest { outcome, totals, mode: "multi_turn".to_owned(), ..manifest };
        LibraryRun::new(manifest, dir.into(), RunState::Finished)
    }

    fn desk() -> StudyDesk {
        let candidate = CandidateTask {
            set: "set".to_owned(),
            id: "card".to_owned(),
            difficulty: None,
            has_checks: false,
        };
        let plan = Preset::Psbench.plan(&[candidate], vec![], StartChoice::Given, 1).unwrap();
        let record = StudyRecord {
            plan: plan.clone(),
            people: Vec::new(),
            packed: Vec::new(),
            warnings: Vec::new(),
        };
        StudyDesk {
            dir: "/study".into(),
            plan: Arc::new(plan),
            forms: Arc::default(),
            tasks: Arc::default(),
            record: Arc::new(record),
            packet: None,
            warnings: Vec::new(),
            sitting: None,
            is_joining: false,
            shows_results: true,
            results: None,
            counted: Counted::People,
            counting: None,
            asking_withdrawal: None,
            unwritten: None,
        }
    }

    #[test]
    fn folders_say_which_agents_are_at_the_studys_tasks_and_why_other_runs_do_not_count() {
        let mut state = State::default();
        assert!(agent_folders(&state).is_empty(), "no study is open");
        state.assist.study.desk = Some(Box::new(desk()));
        state.library.opened = vec!["/runs".into(), "/tasks".into()];
        let runs = [
            run("/runs/a", "card", Outcome::Completed),
            run("/runs/b", "card", Outcome::LimitReached("10 turns".to_owned())),
            run("/runs/c", "card", Outcome::Cancelled),
            run("/runs/d", "other", Outcome::Completed),
        ];
        for (at, run) in (0..).zip(runs) {
            state.library.runs.insert(RunId(at), run);
        }
        for chosen in ["/gone", "/runs"] {
            state.explore.view.toggle_agents(Path::new("/study"), chosen.into());
        }
        let folders = agent_folders(&state);
        let [open, gone] = folders.as_slice() else { panic!("{folders:?}") };
        assert_eq!((open.dir, open.is_counted, open.runs), (Path::new("/runs"), true, 4));
        assert_eq!(open.agents, BTreeMap::from([(("small", "multi_turn"), 2)]));
        let left = BTreeMap::from([(LeftOutRun::OtherTask, 1), (LeftOutRun::Unfinished, 1)]);
        assert_eq!((open.of_study(), &open.left_out), (2, &left));
        // It was chosen and is not open now: it can still be taken away.
        assert_eq!((gone.dir, gone.is_counted, gone.runs), (Path::new("/gone"), true, 0));
        for chosen in ["/gone", "/runs"] {
            state.explore.view.toggle_agents(Path::new("/study"), chosen.into());
        }
        assert!(!agent_folders(&state)[0].is_counted && state.explore.view.study_agents.is_empty());
    }
}
