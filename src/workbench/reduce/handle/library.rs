//! Opening, closing, folding.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::run::TaskRef;
use crate::workbench::model::{FoldKey, JobKind, NoticeSubject, Recents, RunId, State};
use crate::workbench::protocol::Request;

pub(super) fn open(state: &mut State, paths: Vec<PathBuf>, recents: Recents) -> Vec<Request> {
    let Some(first) = paths.first() else { return Vec::new() };
    let label = match paths.len() {
        1 => format!("opening {}", first.display()),
        count => format!("opening {} and {} more", first.display(), count - 1),
    };
    let job = state.jobs.start(JobKind::Open, label);
    state.in_flight.opens.insert(job, (paths.clone(), recents));
    if recents == Recents::Leave {
        state.in_flight.reopening.insert(job);
    }
    let imports = state.out_dir();
    vec![Request::Open { job, paths, imports }]
}

/// Takes paths that are missing off what is opened again.
pub(super) fn forget_paths(state: &mut State, paths: Vec<PathBuf>) {
    state.library.missing.retain(|path| !paths.contains(path));
    state.in_flight.stands_in &= !state.library.missing.is_empty();
    // Folders of runs below them are no more there than they are.
    let folders = &mut state.settings.run_folders;
    folders.retain(|folder| !paths.iter().any(|path| folder.starts_with(path)));
    let about = NoticeSubject::NotOpened { paths };
    state.notices.retain(|notice| notice.about.as_ref() != Some(&about));
}

/// Takes a set and its runs out. Runs that are being made stay, below the set's bare id.
pub(super) fn close(state: &mut State, set: &str) -> Vec<Request> {
    let being_made: BTreeSet<RunId> = state.in_flight.launches.values().copied().collect();
    let mut gone: Vec<RunId> = Vec::new();
    for (id, run) in &state.library.runs {
        if run.task.set == set && !being_made.contains(id) {
            gone.push(*id);
        }
    }
    state.library.sets.retain(|entry| entry.set.id != set);
    // The dialog may be open, and cannot launch what is not there any more.
    state.launch.tasks.retain(|task| task.set != set);
    state.derived.forget_set(set);
    deselect(state, set, &gone);
    gone.into_iter().map(|run| forget_run(state, run)).collect()
}

/// Takes a run out.
pub(in crate::workbench) fn forget_run(state: &mut State, run: RunId) -> Request {
    state.library.runs.remove(&run);
    state.in_flight.finals_due.remove(&run);
    // What a job under way still says of it finds no run, and is dropped.
    state.in_flight.loads.remove(&run);
    state.what_if.ablation.take_if(|key| key.runs.contains(&run));
    state.derived.forget_run(run);
    Request::Forget(run)
}

/// Takes what went from the stage. What is chosen within a run or a task of another set stays.
fn deselect(state: &mut State, set: &str, gone: &[RunId]) {
    // The run goes first: the task stays on the stage as long as a run of it does.
    let gone_run = state.selection.run.take_if(|run| gone.contains(run));
    if gone_run.is_some() {
        state.selection.step = 0;
        state.playback.playing = false;
    }
    let run_stays = state.selection.run.is_some();
    let gone_task = state.selection.task.take_if(|task| task.set == set && !run_stays);
    if gone_run.is_some() || gone_task.is_some() {
        state.nodes.selected = None;
        state.query.selected = None;
    }
}

pub(super) fn toggle_folded(state: &mut State, key: FoldKey) {
    match key {
        FoldKey::Set(set) => toggle(&mut state.library.folded.sets, set),
        FoldKey::Agent(agent) => toggle(&mut state.library.folded.agents, agent),
        FoldKey::Task(task) => toggle(&mut state.library.folded.tasks, task),
    }
}

/// Puts something in, or takes it out if it is in.
pub(super) fn toggle<T: Ord>(set: &mut BTreeSet<T>, item: T) {
    if !set.remove(&item) {
        set.insert(item);
    }
}

/// Makes the rows of a task and its runs visible.
pub(in crate::workbench) fn unfold(state: &mut State, task: &TaskRef) {
    state.library.folded.sets.remove(&task.set);
    state.library.folded.tasks.remove(task);
    // Where runs are grouped by agent.
    let library = &mut state.library;
    if let Some(run) = state.selection.run.and_then(|run| library.runs.get(&run)) {
        library.folded.agents.remove(&run.manifest.agent.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{AgentRef, Manifest};
    use crate::workbench::model::{AblationKey, LibraryRun, NodeRef, NodeSide, RunState};

    fn task(set: &str) -> TaskRef {
        TaskRef { set: set.to_owned(), id: "login".to_owned() }
    }

    #[test]
    fn what_is_chosen_in_one_set_stays_when_another_is_closed() {
        let mut state = State::default();
        state.selection.task = Some(task("screens"));
        let chosen = Some(NodeRef { side: NodeSide::Canvas, id: "1:2".into() });
        state.nodes.selected.clone_from(&chosen);
        close(&mut state, "icons");
        assert_eq!(state.nodes.selected, chosen);
        assert_eq!(state.selection.task, Some(task("screens")));
        close(&mut state, "screens");
        assert_eq!((state.nodes.selected, state.selection.task), (None, None));
    }

    #[test]
    fn paths_that_are_forgotten_take_the_folders_of_runs_in_them_along_and_no_others() {
        let mut state = State::default();
        state.settings.run_folders =
            ["/disk/set/runs", "/disk/set", "/disk/set 2/runs"].map(PathBuf::from).into();
        forget_paths(&mut state, vec!["/disk/set".into()]);
        assert_eq!(state.settings.run_folders, [PathBuf::from("/disk/set 2/runs")]);
    }

    #[test]
    fn what_tools_brought_is_asked_for_no_more_when_a_run_of_it_is_closed() {
        let mut state = State::default();
        for (id, set) in [(1, "screens"), (2, "icons")] {
            let manifest = Manifest::new(task(set), AgentRef::by_hand(), "");
            let run = LibraryRun::new(manifest, set.into(), RunState::Finished);
            state.library.runs.insert(RunId(id), run);
        }
        let asked = AblationKey { runs: vec![RunId(1)], variant: "ssim/uniform7".to_owned() };
        state.what_if.ablation = Some(asked.clone());
        close(&mut state, "icons");
        assert_eq!(state.what_if.ablation, Some(asked));
        close(&mut state, "screens");
        assert_eq!(state.what_if.ablation, None);
    }
}
