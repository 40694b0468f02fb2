//! What enables the commands of runs that are made, and what they ask for.

use super::command::Effect;
use crate::workbench::{Command, JobId, Overlay, RunId, RunsCommand, RunsTarget, State, views};

/// The job of the selected run, while it is being made here.
fn selected_job(state: &State) -> Option<JobId> {
    let job = state.selected_run()?.job?;
    state.jobs.is_active(job).then_some(job)
}

pub(super) fn is_made_here(state: &State) -> bool {
    selected_job(state).is_some()
}

pub(super) fn makes_runs(state: &State) -> bool {
    state.jobs.active_runs().next().is_some()
}

pub(super) fn can_run_again(state: &State) -> bool {
    state.selection.run.is_some_and(|run| views::why_not_again(state, run).is_none())
}

pub(super) fn can_run_with(state: &State) -> bool {
    let task = state.selected_run().map(|run| &run.task);
    task.is_some_and(|task| state.library.task(task).is_some())
}

pub(super) fn can_hand_over(state: &State) -> bool {
    state.selection.run.is_some_and(|run| views::why_not_handed_on(state, run).is_none())
}

pub(super) fn can_remove_run(state: &State) -> bool {
    state.selection.run.is_some_and(|run| views::why_not_removed(state, run).is_none())
}

pub(super) fn runs(command: RunsCommand) -> Effect {
    Effect::Send(Command::Runs(command))
}

/// Without a selected run, nothing that anybody notices.
pub(super) fn of_selected(state: &State, command: fn(RunId) -> RunsCommand) -> Effect {
    state.selection.run.map_or(show_jobs(), |run| runs(command(run)))
}

pub(super) fn pause_selected(state: &State) -> Effect {
    let Some(job) = selected_job(state) else { return show_jobs() };
    let target = RunsTarget::Job(job);
    let is_on = state.jobs.by_id.get(&job).is_some_and(|job| job.pause.is_on());
    runs(if is_on { RunsCommand::Resume(target) } else { RunsCommand::Pause(target) })
}

pub(super) fn stop_selected(state: &State) -> Effect {
    let job = selected_job(state);
    // The command is off where there is none; were it run all the same, the list of jobs does no
    // harm.
    job.map_or(show_jobs(), |job| runs(RunsCommand::Stop(RunsTarget::Job(job))))
}

/// Pauses all; once all are paused, resumes all.
pub(super) fn pause_all(state: &State) -> Effect {
    // One key for both ways: a batch of which some runs are paused is paused whole first.
    let are_on = state.jobs.active_runs().all(|(_, job)| job.pause.is_on());
    let all = RunsTarget::All;
    runs(if are_on { RunsCommand::Resume(all) } else { RunsCommand::Pause(all) })
}

/// Does no harm where there is nothing to do.
fn show_jobs() -> Effect {
    Effect::Send(Command::ToggleOverlay(Overlay::Jobs))
}
