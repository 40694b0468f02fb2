//! Beginning with a design, and ending.

use std::sync::Arc;

use crate::editor::Editor;
use crate::workbench::model::{AssistDesk, AssistStart, Recording, State, Workspace};
use crate::workbench::protocol::{HandsOrder, HandsStart, OpenedDesign, Request};

/// Has a design opened; the one before is left.
pub(super) fn open(state: &mut State, start: AssistStart) -> Vec<Request> {
    let mut requests = close(state);
    state.workspace = Workspace::Assist;
    state.overlay = None;
    state.assist.problem = None;
    let run = match &start {
        AssistStart::Run(run, _) => state.library.runs.get(run),
        AssistStart::Task(_) | AssistStart::Blank(_) | AssistStart::File(_) => None,
    };
    let task_ref = match &start {
        AssistStart::Task(task) => Some(task),
        _ => run.map(|run| &run.task),
    };
    state.assist.desks += 1;
    let order = HandsStart {
        desk: state.assist.desks,
        task: task_ref.and_then(|task| state.library.shared_task(task).cloned()),
        set_dir: task_ref.and_then(|task| Some(state.library.set(&task.set)?.set.dir.clone())),
        run: run.and_then(|run| run.loaded.as_ref().map(Arc::clone)),
        out_dir: state.out_dir(),
        study: None,
        start: start.clone(),
    };
    state.assist.opening = Some(start);
    requests.push(Request::Hands(HandsOrder::Open(Box::new(order))));
    requests
}

/// Leaves the design.
pub(super) fn close(state: &mut State) -> Vec<Request> {
    state.assist.opening = None;
    let desk = state.assist.desk.take();
    desk.map(|desk| Request::Hands(HandsOrder::Close(desk.number))).into_iter().collect()
}

/// Takes in a design that was opened; one that nobody waits for any more is dropped.
pub(super) fn opened(state: &mut State, desk: u64, result: Result<Box<OpenedDesign>, String>) {
    if state.assist.desks != desk {
        return;
    }
    let Some(start) = state.assist.opening.take() else { return };
    match result {
        Ok(opened) => {
            let OpenedDesign { title, instruction, goal, document, render } = *opened;
            state.assist.desk = Some(Box::new(AssistDesk {
                number: desk,
                title,
                start,
                instruction,
                goal,
                editor: Editor::new(document),
                render,
                scale: 1,
                recording: Recording::Empty,
            }));
        }
        Err(why) => state.assist.problem = Some(why),
    }
}
