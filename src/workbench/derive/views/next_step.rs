//! What the assistant would do next on the run with other calls that is shown, and the design that hands work on.

use crate::environment::EnvironmentKind;
use crate::workbench::model::{
    BranchDesign, BranchKey, Fetched, NextStep, NextStepKey, OfferedStep, State, WhatIfSubject,
};

use super::what_if::{
    branch_key, is_branch_edited, shows_what_if, shows_whole_branch, what_if_subject,
};

/// Whether the assistant can say what could be next: of a vector design, where the inspector shows its calls.
pub fn has_assistant(state: &State) -> bool {
    let environment = match what_if_subject(state).filter(|_| shows_what_if(state)) {
        Some(WhatIfSubject::Run(run)) => {
            state.library.runs.get(&run).map(|entry| &entry.manifest.environment)
        }
        Some(WhatIfSubject::Task(task)) => state.library.task(&task).map(|task| &task.environment),
        None => None,
    };
    environment == Some(&EnvironmentKind::Canvas)
}

/// The next step that is asked for.
pub fn next_step_key(state: &State) -> Option<NextStepKey> {
    let assistant = &state.what_if.assistant;
    let branch = branch_key(state).filter(|_| assistant.is_open && has_assistant(state))?;
    let way = assistant.way.as_ref().filter(|(of, _)| *of == branch).map_or(0, |(_, way)| *way);
    Some(NextStepKey { branch, way })
}

/// What the assistant would do next, as far as it is known.
pub fn next_step(state: &State) -> Option<&Fetched<NextStep>> {
    state.derived.next_steps.get(&next_step_key(state)?)
}

/// The step that is offered now.
pub fn offered_step(state: &State) -> Option<&OfferedStep> {
    match next_step(state)? {
        Fetched::Ready(next) => next.step.as_ref(),
        Fetched::Pending | Fetched::Failed(_) => None,
    }
}

/// The step to be outlined: while the picture shows the design that it is about.
pub fn ghost_step(state: &State) -> Option<&OfferedStep> {
    let is_shown = state.what_if.assistant.shows_ghost && shows_whole_branch(state);
    offered_step(state).filter(|_| is_shown)
}

/// The design that hands can work on: that of the branch, while its pane shows it behind the last call.
pub fn design_in_hand(state: &State) -> Option<(BranchKey, &BranchDesign)> {
    let is_shown = is_branch_edited(state) && shows_whole_branch(state);
    let key = branch_key(state).filter(|_| is_shown)?;
    let design = state.derived.branches.ready(&key)?.design.as_ref()?;
    Some((key, design))
}
