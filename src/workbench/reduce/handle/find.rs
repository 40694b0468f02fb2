//! Looking for words in the selected run.

use crate::workbench::model::State;
use crate::workbench::protocol::FindCommand;

pub(super) fn find(state: &mut State, command: FindCommand) {
    match command {
        FindCommand::Open => state.find.is_open = true,
        FindCommand::Close => state.find.is_open = false,
        FindCommand::SetQuery(query) => {
            state.find.query = query;
            state.refresh_found();
            // The first from here on, as in a text: whoever types sees where it leads.
            let step = state.selection.step;
            let next = state.find.found.iter().position(|found| found.step >= step);
            go_to(state, next.or(Some(0)));
        }
        FindCommand::GoTo(at) => go_to(state, Some(at)),
        FindCommand::By(by) => step_by(state, by),
    }
}

/// On from the place that is shown, or from the step if somebody went elsewhere; around the ends.
fn step_by(state: &mut State, by: i32) {
    let step = state.selection.step;
    let found = &state.find.found;
    let count = found.len() as i64;
    if count == 0 {
        return;
    }
    let shown = state.find.at.filter(|at| found.get(*at).is_some_and(|at| at.step == step));
    let target = match shown {
        Some(at) => at as i64 + i64::from(by),
        None if by > 0 => found.iter().take_while(|found| found.step <= step).count() as i64,
        None => found.iter().take_while(|found| found.step < step).count() as i64 - 1,
    };
    go_to(state, usize::try_from(target.rem_euclid(count)).ok());
}

fn go_to(state: &mut State, at: Option<usize>) {
    let place = at.and_then(|at| state.find.found.get(at));
    let Some(step) = place.map(|found| found.step) else {
        state.find.at = None;
        return;
    };
    state.find.at = at;
    state.selection.step = step.min(state.last_step());
    state.playback.playing = false;
    state.in_flight.to_last_of = None;
}
