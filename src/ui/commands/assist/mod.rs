//! Commands of the room in which people design by hand: one file a group.

pub(super) mod arrange;
pub(super) mod assistant;
pub(super) mod canvas;
pub(super) mod edit;
pub(super) mod files;
pub(super) mod letters;
pub(super) mod local;
pub(super) mod study;
pub(super) mod tools;

use super::command::Effect;
use crate::editor::Act;
use crate::workbench::{AssistCommand, AssistDesk, Command, State};

fn assist(command: AssistCommand) -> Effect {
    Effect::Send(Command::Assist(command))
}

fn act(act: Act) -> Effect {
    assist(AssistCommand::Act(Box::new(act)))
}

/// The design that is worked on, while it is seen: no key changes one below a page of a study.
fn desk(state: &State) -> Option<&AssistDesk> {
    state.assist.desk.as_deref().filter(|desk| is_seen(state, desk))
}

fn is_seen(state: &State, desk: &AssistDesk) -> bool {
    let room = &state.assist.study;
    let Some(opened) = room.desk.as_deref().filter(|_| room.practice.is_none()) else {
        return true;
    };
    let is_at_it = opened.trial().is_some_and(|(_, trial)| trial.desk == Some(desk.number));
    is_at_it && !room.hides_canvas()
}

/// Whether somebody is at a task of a study.
fn is_at_task(state: &State) -> bool {
    state.assist.study.desk.as_ref().is_some_and(|desk| desk.trial().is_some())
}

fn has_desk(state: &State) -> bool {
    desk(state).is_some()
}

fn has_selected(state: &State) -> bool {
    desk(state).is_some_and(|desk| !desk.editor.selection().nodes.is_empty())
}

fn can_undo(state: &State) -> bool {
    desk(state).is_some_and(|desk| desk.editor.undoable().0 > 0)
}

fn can_redo(state: &State) -> bool {
    desk(state).is_some_and(|desk| desk.editor.undoable().1 > 0)
}
