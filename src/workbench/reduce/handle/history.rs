//! Going back and forward through what was looked at.

use crate::workbench::model::{State, VisitedPlace};
use crate::workbench::protocol::{
    AnnotateCommand, Command, FindCommand, PlaybackCommand, RangeCommand, Request, StageCommand,
};

use super::{annotate, select};

/// Whether a command goes to a step from afar, so that there is somewhere to come back to; stepping, playing and
/// dragging along the timeline pass through many.
pub(super) fn is_jump(command: &Command) -> bool {
    match command {
        Command::Playback(command) => matches!(
            command,
            PlaybackCommand::JumpTo(_)
                | PlaybackCommand::First
                | PlaybackCommand::Last
                | PlaybackCommand::NextLoss
                | PlaybackCommand::PreviousLoss
                | PlaybackCommand::NextGain
                | PlaybackCommand::PreviousGain
                | PlaybackCommand::Best
                | PlaybackCommand::NextError
                | PlaybackCommand::NextNote
                | PlaybackCommand::PreviousNote
        ),
        Command::Find(command) => matches!(command, FindCommand::GoTo(_) | FindCommand::By(_)),
        Command::Ranges(command) => {
            matches!(command, RangeCommand::Choose(_) | RangeCommand::ChooseBy(_))
        }
        Command::Stage(StageCommand::GoToDivergence)
        | Command::GoToNote(_)
        | Command::GoToPlace(_) => true,
        _ => false,
    }
}

/// Remembers the place that a command left, if it left one.
pub(super) fn note(state: &mut State, before: VisitedPlace, is_jump: bool) {
    let now = state.place();
    if before != now && (is_jump || !before.is_beside(&now)) {
        state.history.leave(before);
    }
}

/// Goes to the place before (`true`) or after; runs and tasks that are not open any more are passed over.
pub(super) fn travel(state: &mut State, is_back: bool) -> Vec<Request> {
    let mut history = std::mem::take(&mut state.history);
    history.keep(|place| match (place.run, &place.task) {
        (Some(run), _) => state.library.runs.contains_key(&run),
        (None, Some(task)) => state.library.task(task).is_some(),
        (None, None) => true,
    });
    let place = history.step(state.place(), is_back);
    state.history = history;
    let Some(place) = place else { return Vec::new() };
    let mut requests = Vec::new();
    if state.workspace != place.workspace {
        requests = annotate::annotate(state, AnnotateCommand::Show(place.workspace));
    }
    match (place.run, place.task) {
        (Some(run), _) => {
            select::select_run(state, run);
            // As far as it is known: one that is read anew is as long as it was.
            state.selection.step = place.step.min(state.last_step());
            state.in_flight.to_last_of = None;
        }
        (None, Some(task)) => select::select_task(state, task),
        (None, None) => {}
    }
    state.settings.inspector_tab = place.tab;
    requests
}
