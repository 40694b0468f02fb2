//! Practice: small tasks whose checks are shown while they are done.

use std::sync::Arc;

use super::parts::sitting;
use crate::run::TaskRef;
use crate::study::practice::{PRACTICE_SET, PracticeTask};
use crate::workbench::model::{
    AssistStart, NoticeLevel, PracticeCheck, PracticeDesk, State, StudyStart, Workspace,
};
use crate::workbench::protocol::{HandsStart, Request};
use crate::workbench::reduce::handle::assist::opening;

/// Opens a practice task; the one before is left. Not while somebody is at a task of a study.
pub(super) fn practise(state: &mut State, at: usize) -> Vec<Request> {
    let is_at_task = state.assist.study.desk.as_ref().is_some_and(|desk| desk.trial().is_some());
    let Some(task) = PracticeTask::all().get(at).filter(|_| !is_at_task) else {
        return Vec::new();
    };
    // What was practised already stays ticked off while one goes from task to task.
    let finished = state.assist.study.practice.take().map(|it| it.finished).unwrap_or_default();
    let seed = state.assist.study.practice_seed;
    state.workspace = Workspace::Assist;
    state.overlay = None;
    state.assist.problem = None;
    let mut requests = opening::close(state);
    state.assist.desks += 1;
    let number = state.assist.desks;
    let start = AssistStart::Task(TaskRef::new(PRACTICE_SET, &task.id));
    state.assist.study.practice = Some(PracticeDesk {
        at,
        seed,
        task: Arc::clone(task),
        desk: Some(number),
        begun: None,
        checks: Vec::new(),
        finished,
    });
    let order = HandsStart {
        desk: number,
        start,
        task: None,
        set_dir: None,
        run: None,
        run_dir: None,
        out_dir: state.out_dir(),
        study: Some(StudyStart::Practice(Arc::clone(task), seed)),
    };
    requests.push(opening::begin(state, order));
    requests
}

/// Practises anew, with other starts.
pub(super) fn again(state: &mut State) -> Vec<Request> {
    let room = &mut state.assist.study;
    room.practice_seed += 1;
    if let Some(practice) = &mut room.practice {
        practice.finished.clear();
    }
    practise(state, 0)
}

/// Leaves practice.
pub(super) fn end(state: &mut State) -> Vec<Request> {
    let Some(practice) = state.assist.study.practice.take() else { return Vec::new() };
    // It was offered, and they left it.
    if let Some(sitting) = sitting(state) {
        sitting.had_practice = true;
    } else if practice.finished.len() == PracticeTask::all().len() {
        let words = "Practice is finished. Begin a design of your own, or one of a task.";
        state.notify(NoticeLevel::Info, words);
    }
    opening::close(state)
}

/// The design of a practice task was opened, or not.
pub(super) fn opened(state: &mut State) {
    let open = state.assist.desk.as_ref().map(|desk| desk.number);
    let is_opening = state.assist.opening.is_some();
    let Some(practice) = &mut state.assist.study.practice else { return };
    if practice.desk != open && !is_opening {
        state.assist.study.practice = None;
        return;
    }
    if practice.begun.is_none() && practice.desk == open {
        // The same as it was opened with: it follows from the seed.
        practice.begun = practice.task.start(practice.seed).ok().map(Arc::new);
        look(state);
    }
}

/// Looks what of the design is as it should be.
pub(super) fn look(state: &mut State) {
    let Some(desk) = &state.assist.desk else { return };
    let Some(practice) = &mut state.assist.study.practice else { return };
    let begun = practice.begun.as_ref().filter(|_| practice.desk == Some(desk.number));
    let Some(begun) = begun else { return };
    let checks = practice.task.checks(begun, desk.editor.document()).into_iter();
    practice.checks = checks.map(|(words, holds)| PracticeCheck { words, holds }).collect();
    if practice.is_done() && !practice.finished.contains(&practice.at) {
        practice.finished.push(practice.at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_finished_all_of_practice_is_told_what_is_next() {
        for (finished, told) in [(0, 0), (1, 0), (PracticeTask::all().len(), 1)] {
            let mut state = State::default();
            drop(practise(&mut state, 0));
            let practice = state.assist.study.practice.as_mut().unwrap();
            practice.finished = (0..finished).collect();
            drop(end(&mut state));
            assert!(state.assist.study.practice.is_none());
            assert_eq!(state.notices.len(), told, "{finished} finished");
        }
    }
}
