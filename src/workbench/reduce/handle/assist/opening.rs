//! Beginning with a design, and ending.

use std::sync::Arc;

use crate::design::NodeId;
use crate::editor::Editor;
use crate::run::Outcome;
use crate::workbench::model::{
    AssistDesk, AssistStart, AssistantDesk, DesignFiles, NoticeLevel, NoticeSubject, Recording,
    State, Workspace,
};
use crate::workbench::protocol::{HandsOrder, HandsStart, OpenedDesign, Request};

use super::briefs::take_over;
use super::offering::end;

/// Has a design opened; the one before is left.
pub(super) fn open(state: &mut State, start: AssistStart) -> Vec<Request> {
    let mut requests = close(state);
    state.workspace = Workspace::Assist;
    state.overlay = None;
    state.assist.problem = None;
    state.assist.again = None;
    // What the library knows of it goes along: the thread has no library to look into.
    let run = match &start {
        AssistStart::Run(run, _) => state.library.runs.get(run),
        AssistStart::Again(dir) => state.library.runs.values().find(|run| run.dir == *dir),
        AssistStart::Task(_)
        | AssistStart::Blank(_)
        | AssistStart::File(_)
        | AssistStart::Brief(_) => None,
    };
    let task_ref = match &start {
        AssistStart::Task(task) => Some(task),
        _ => run.map(|run| &run.task),
    };
    state.assist.desks += 1;
    let order = HandsStart {
        desk: state.assist.desks,
        task: task_ref.and_then(|task| state.library.shared_task(task).cloned()),
        set_dir: task_ref.and_then(|task| state.library.set_dir(&task.set)),
        run: run.and_then(|run| run.loaded.as_ref().map(Arc::clone)),
        run_dir: run.map(|run| run.dir.clone()),
        out_dir: state.out_dir(),
        study: None,
        start,
    };
    requests.push(begin(state, order));
    requests
}

/// Has the thread open a design, and waits for it.
pub(super) fn begin(state: &mut State, order: HandsStart) -> Request {
    state.assist.opening = Some(order.start.clone());
    Request::Hands(HandsOrder::Open(Box::new(order)))
}

/// Leaves the design.
pub(super) fn close(state: &mut State) -> Vec<Request> {
    close_with(state, Some(&Outcome::Completed))
}

/// The same of a design whose run says this of how it came out; `None`: it is gone on with another time.
pub(super) fn close_with(state: &mut State, outcome: Option<&Outcome>) -> Vec<Request> {
    // One that is still being opened is left as well: nobody will sit at it.
    let opening = state.assist.opening.take().map(|_| state.assist.desks);
    let mut requests = Vec::new();
    let desk = state.assist.desk.take().map(|mut desk| {
        requests = end(&mut desk);
        desk.number
    });
    let left = opening.into_iter().chain(desk);
    requests.extend(left.map(|desk| {
        let outcome = outcome.cloned();
        Request::Hands(HandsOrder::Close { desk, outcome })
    }));
    requests
}

/// Takes in a design that was opened; one that nobody waits for any more is dropped.
pub(super) fn opened(
    state: &mut State,
    desk: u64,
    result: Result<Box<OpenedDesign>, String>,
) -> Vec<Request> {
    if state.assist.desks != desk {
        return Vec::new();
    }
    let Some(start) = state.assist.opening.take() else { return Vec::new() };
    match result {
        Ok(opened) => {
            let OpenedDesign {
                title,
                instruction,
                goal,
                brief,
                document,
                plan,
                render,
                kept,
                versions,
                comments,
                pending,
            } = *opened;
            let recording = kept.map_or(Recording::Empty, |dir| Recording::Kept { step: 0, dir });
            let files = DesignFiles { versions, ..DesignFiles::default() };
            let knows_goal = goal.as_ref().is_some_and(|goal| goal.design().is_some());
            let mut assistant = AssistantDesk::new(&document, knows_goal);
            assistant.is_hidden = !state.assist.study.allows_assistant();
            if let Some(pending) = &pending
                && matches!(start, AssistStart::Again(_))
            {
                assistant.kept_offer = Some((pending.number, pending.level));
            }
            assistant.left = pending.filter(|_| !assistant.is_hidden);
            let editor = Editor::new(document).with_snapping(state.settings.canvas.snaps);
            let new = AssistDesk::new(desk, title, start, editor, render);
            let new = AssistDesk {
                instruction,
                goal,
                brief,
                recording,
                comments,
                assistant,
                files,
                ..new
            };
            state.assist.desk = Some(Box::new(new));
            tell_missing_fonts(state);
            if let Some(plan) = plan
                && let Some(desk) = &mut state.assist.desk
            {
                // It was taken over: the page has nothing more to offer.
                state.assist.plan = None;
                return take_over(desk, &plan).unwrap_or_else(|why| {
                    let words = format!("The plan's design was not taken over: {why}.");
                    state.notify(NoticeLevel::Error, words);
                    Vec::new()
                });
            }
        }
        Err(why) => state.assist.problem = Some(why),
    }
    Vec::new()
}

/// Says which fonts of the design are missing; not to people in a study, who have other things to do.
fn tell_missing_fonts(state: &mut State) {
    let is_study = state.assist.study.desk.is_some();
    let Some(desk) = state.assist.desk.as_deref().filter(|_| !is_study) else { return };
    let (mut names, mut nodes) = (Vec::new(), Vec::<NodeId>::new());
    for family in desk.missing_families() {
        names.push(family.name);
        for id in family.nodes {
            if !nodes.contains(&id) {
                nodes.push(id);
            }
        }
    }
    let texts = match nodes.len() {
        0 => return,
        1 => "1 text is".to_owned(),
        count => format!("{count} texts are"),
    };
    let text = format!("Missing fonts: {texts} drawn in Inter instead of {}.", names.join(", "));
    let about = NoticeSubject::MissingFonts { desk: desk.number, nodes };
    state.notify_about(about, NoticeLevel::Warning, text);
}
