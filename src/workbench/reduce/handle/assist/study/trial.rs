//! The task that somebody is at: its desk, its clock, its end.

use std::sync::Arc;

use crate::agent::assistant::AssistEvent;
use crate::design::goal::SameNodes;
use crate::editor::EditStep;
use crate::run::TaskRef;
use crate::study::{
    Ending, Happening, Help, NextThing, PauseReason, StudyEvent, TaskClock, TaskStart, distance,
    trial_outcome,
};
use crate::workbench::model::{
    AnswerDraft, AssistStart, NoticeLevel, Overlay, State, StudyStart, SuggestionLog, TrialDesk,
    TrialPhase, TrialPlace, Workspace,
};
use crate::workbench::protocol::{HandsOrder, HandsStart, Request, StudyOrder};
use crate::workbench::reduce::handle::assist::opening;

use super::parts::{happens, order};
use super::practice;

/// Up to so many nodes the distance from the goal is worked out after every step.
const MOST_WEIGHED: usize = 150;

fn trial(state: &mut State) -> Option<&mut TrialDesk> {
    state.assist.study.desk.as_mut()?.sitting.as_mut()?.trial.as_mut()
}

/// The task, if it is at this position.
fn trial_at(state: &mut State, position: u32) -> Option<&mut TrialDesk> {
    trial(state).filter(|trial| trial.planned.position == position)
}

/// What happens at the task.
fn happens_here(trial: &TrialDesk, what: Happening) -> Vec<Request> {
    happens(Some(trial.planned.position), what)
}

/// Has the next task made ready.
pub(super) fn begin(state: &mut State) -> Vec<Request> {
    let Some(desk) = &mut state.assist.study.desk else { return Vec::new() };
    let Some(sitting) = &mut desk.sitting else { return Vec::new() };
    let NextThing::Task(planned) = sitting.next else { return Vec::new() };
    if sitting.trial.is_some() || sitting.is_waiting {
        return Vec::new();
    }
    sitting.had_practice = true;
    sitting.trial = Some(TrialDesk {
        planned,
        place: None,
        desk: None,
        phase: TrialPhase::Opening,
        active_ms: 0,
        stopped_ms: 0,
        had_input: false,
        is_away: false,
        asks_give_up: false,
        was_over: false,
        is_checking: false,
        told: SuggestionLog::default(),
    });
    // Practice would count nothing and hold the desk: it ends where a task begins.
    let mut requests = practice::end(state);
    requests.extend(order(StudyOrder::Begin(planned.position)));
    requests
}

/// The task is ready: its design is opened.
pub(super) fn begun(
    state: &mut State,
    position: u32,
    result: Result<Box<(TrialPlace, Vec<StudyEvent>)>, String>,
) -> Vec<Request> {
    let Some(desk) = &mut state.assist.study.desk else { return Vec::new() };
    let tasks = Arc::clone(&desk.tasks);
    let Some(sitting) = &mut desk.sitting else { return Vec::new() };
    let Some(trial) = sitting.trial.as_mut().filter(|it| it.planned.position == position) else {
        return Vec::new();
    };
    let (place, events) = match result {
        Ok(ready) => *ready,
        Err(why) => {
            sitting.trial = None;
            let words = format!("The task cannot be opened: {why}.");
            state.notify(NoticeLevel::Error, words);
            return Vec::new();
        }
    };
    // Of a task that was broken off, all that was done before: the clock goes on from there.
    for event in &events {
        sitting.progress.take_in(Some(position), event);
    }
    let clock = TaskClock::of(&events);
    trial.active_ms = clock.active_ms;
    trial.had_input = clock.first_input_ms.is_some();
    trial.was_over = clock.ending.is_some();
    // Whoever saw the picture before the crash had begun: they are let on by a button, and the clock stands until
    // then.
    let is_shown = events.iter().any(|event| event.what == Happening::Shown);
    trial.phase = match clock.ending {
        Some(ending) => TrialPhase::Ended(ending),
        None if is_shown => TrialPhase::Recovered,
        None => TrialPhase::Opening,
    };
    let place = Arc::new(place);
    trial.place = Some(Arc::clone(&place));
    let task = tasks.get(trial.planned.task).cloned();
    let start = AssistStart::Task(TaskRef::new(&place.facts.set, &place.facts.task));
    let (task, set_dir) = task.map(|it| (it.task, it.set_dir)).unzip();
    let mut requests = opening::close(state);
    state.assist.problem = None;
    state.assist.desks += 1;
    let number = state.assist.desks;
    if let Some(trial) = trial_at(state, position) {
        trial.desk = Some(number);
    }
    let order = HandsStart {
        desk: number,
        start,
        task,
        set_dir,
        run: None,
        run_dir: None,
        out_dir: place.dir.clone(),
        study: Some(StudyStart::Trial(place)),
    };
    requests.push(opening::begin(state, order));
    requests
}

/// After a design was opened or not: a task that was over already is checked now.
pub(in crate::workbench::reduce) fn study_after_hands(state: &mut State) -> Vec<Request> {
    practice::opened(state);
    let open = state.assist.desk.as_ref().map(|desk| desk.number);
    let is_opening = state.assist.opening.is_some();
    let Some(trial) = trial(state) else { return Vec::new() };
    let position = trial.planned.position;
    if trial.desk.is_some() && trial.desk == open {
        let is_over = matches!(trial.phase, TrialPhase::Ended(_));
        // One that was over when it was opened; of others their end has it checked.
        return if is_over && trial.was_over { check(state, position) } else { Vec::new() };
    }
    // What cannot be opened is not gone on with: they can try again.
    if trial.desk.is_some() && !is_opening {
        let why = state.assist.problem.take().unwrap_or_else(|| "nobody knows why".to_owned());
        if let Some(sitting) = super::sitting(state) {
            sitting.trial = None;
        }
        state.notify(NoticeLevel::Error, format!("The task cannot be opened: {why}."));
    }
    Vec::new()
}

/// The task is fully drawn: the clock runs.
pub(super) fn drawn(state: &mut State) -> Vec<Request> {
    let open = state.assist.desk.as_ref().map(|desk| (desk.number, desk.picture_key()));
    let Some((number, key)) = open else { return Vec::new() };
    let is_drawn = state.derived.design_pictures.ready(&key).is_some();
    let Some(trial) = trial(state) else { return Vec::new() };
    if trial.phase != TrialPhase::Opening || trial.desk != Some(number) || !is_drawn {
        return Vec::new();
    }
    trial.phase = TrialPhase::Running;
    happens_here(trial, Happening::Shown)
}

/// The first press of a button or key.
pub(in crate::workbench::reduce::handle::assist) fn input(state: &mut State) -> Vec<Request> {
    let Some(trial) = trial(state) else { return Vec::new() };
    if trial.phase != TrialPhase::Running || std::mem::replace(&mut trial.had_input, true) {
        return Vec::new();
    }
    happens_here(trial, Happening::FirstInput)
}

/// The window came to the front, or went to the back: a pause, or where people may look things up, leaving.
pub(super) fn focus(state: &mut State, has_focus: bool) -> Vec<Request> {
    let may_leave =
        state.assist.study.desk.as_ref().and_then(|desk| desk.help()) == Some(Help::Web);
    let Some(trial) = trial(state) else { return Vec::new() };
    match (trial.phase, has_focus) {
        (TrialPhase::Running, false) if may_leave && !trial.is_away => {
            trial.is_away = true;
            happens_here(trial, Happening::Leaving)
        }
        (TrialPhase::Running, true) if trial.is_away => {
            trial.is_away = false;
            happens_here(trial, Happening::Back)
        }
        (TrialPhase::Running, false) if !may_leave => pause(state, PauseReason::Focus),
        (TrialPhase::Paused(PauseReason::Focus), true) => resume(state),
        _ => Vec::new(),
    }
}

/// Holds the clock.
pub(super) fn pause(state: &mut State, reason: PauseReason) -> Vec<Request> {
    let Some(trial) = trial(state) else { return Vec::new() };
    if trial.phase != TrialPhase::Running {
        return Vec::new();
    }
    trial.phase = TrialPhase::Paused(reason);
    trial.stopped_ms = 0;
    trial.asks_give_up = false;
    let mut requests = Vec::new();
    if std::mem::take(&mut trial.is_away) {
        requests.extend(happens_here(trial, Happening::Back));
    }
    requests.extend(happens_here(trial, Happening::Pause { reason }));
    requests
}

/// Lets the clock go on.
pub(super) fn resume(state: &mut State) -> Vec<Request> {
    let open = state.assist.desk.as_ref().map(|desk| desk.number);
    let Some(trial) = trial(state) else { return Vec::new() };
    let stands = matches!(trial.phase, TrialPhase::Paused(_) | TrialPhase::Recovered);
    if !stands || trial.desk != open {
        return Vec::new();
    }
    trial.phase = TrialPhase::Running;
    trial.stopped_ms = 0;
    happens_here(trial, Happening::Resume)
}

/// While something else covers the task the clock stands; the palette and the keys belong to it.
pub(in crate::workbench::reduce) fn hold_clock_while_covered(state: &mut State) -> Vec<Request> {
    let is_covered = state.workspace != Workspace::Assist
        || !matches!(state.overlay, None | Some(Overlay::Palette | Overlay::Keys));
    match trial(state).map(|trial| trial.phase) {
        Some(TrialPhase::Running) if is_covered => pause(state, PauseReason::Dialog),
        Some(TrialPhase::Paused(PauseReason::Dialog)) if !is_covered => resume(state),
        _ => Vec::new(),
    }
}

/// Asks whether they want to give up; the clock goes on.
pub(super) fn ask_give_up(state: &mut State, asks: bool) {
    if let Some(trial) = trial(state) {
        trial.asks_give_up = asks && trial.phase == TrialPhase::Running;
    }
}

/// They are done, or give up, which was asked for before.
pub(super) fn end(state: &mut State, what: Happening) -> Vec<Request> {
    let Some(trial) = trial(state) else { return Vec::new() };
    if trial.phase != TrialPhase::Running || (what == Happening::GiveUp && !trial.asks_give_up) {
        return Vec::new();
    }
    trial.asks_give_up = false;
    let ending = if what == Happening::Done { Ending::Done } else { Ending::GaveUp };
    trial.phase = TrialPhase::Ended(ending);
    happens_here(trial, what)
}

/// Something is on disk.
pub(super) fn kept(state: &mut State, position: Option<u32>, event: &StudyEvent) -> Vec<Request> {
    let Some(desk) = &mut state.assist.study.desk else { return Vec::new() };
    let (plan, forms) = (Arc::clone(&desk.plan), Arc::clone(&desk.forms));
    let Some(sitting) = &mut desk.sitting else { return Vec::new() };
    sitting.progress.take_in(position, event);
    match (&event.what, position) {
        (Happening::Consented { .. } | Happening::Answer { .. }, _) => {
            sitting.is_waiting = false;
            sitting.draft = AnswerDraft::default();
            sitting.next = sitting.progress.next(&plan, &forms);
            Vec::new()
        }
        (what, Some(position)) if what.ends() => ended(state, position, what),
        (Happening::Checked { .. }, Some(position)) => {
            let requests = finish(state, position);
            if let Some(sitting) = super::sitting(state) {
                sitting.next = sitting.progress.next(&plan, &forms);
            }
            requests
        }
        _ => Vec::new(),
    }
}

/// The task is over, by the log: what nobody decided of is ignored, and the document is held against the rule.
fn ended(state: &mut State, position: u32, what: &Happening) -> Vec<Request> {
    let Some(trial) = trial_at(state, position) else { return Vec::new() };
    trial.phase = TrialPhase::Ended(match what {
        Happening::Done => Ending::Done,
        Happening::GiveUp => Ending::GaveUp,
        _ => Ending::TimedOut,
    });
    trial.asks_give_up = false;
    let left = trial.told.end().into_iter();
    let mut requests: Vec<Request> = left.flat_map(|what| happens(Some(position), what)).collect();
    requests.extend(check(state, position));
    requests
}

/// Has the document as it is held against the task's rule; what was being dragged is not in it.
fn check(state: &mut State, position: u32) -> Vec<Request> {
    let Some(desk) = &state.assist.desk else { return Vec::new() };
    let document = Box::new(desk.editor.document().clone());
    // Once: it is told of the desk again after every step that is kept.
    let Some(trial) = trial_at(state, position).filter(|trial| !trial.is_checking) else {
        return Vec::new();
    };
    trial.is_checking = true;
    order(StudyOrder::Check { position, document })
}

/// The check says nothing: the attempt counts as unfinished if they were done, else as failed all the same, and they go
/// on.
pub(super) fn unchecked(state: &mut State, why: &str) -> Vec<Request> {
    let Some(position) = trial(state).map(|trial| trial.planned.position) else {
        return Vec::new();
    };
    state.notify(NoticeLevel::Warning, format!("The task could not be checked: {why}."));
    let requests = finish(state, position);
    let Some(desk) = &mut state.assist.study.desk else { return requests };
    let (plan, forms) = (Arc::clone(&desk.plan), Arc::clone(&desk.forms));
    if let Some(sitting) = &mut desk.sitting {
        sitting.progress.pass_unchecked(position);
        sitting.next = sitting.progress.next(&plan, &forms);
    }
    requests
}

/// The task is over and checked: its design goes away.
fn finish(state: &mut State, position: u32) -> Vec<Request> {
    let Some(sitting) = super::sitting(state) else { return Vec::new() };
    if sitting.trial.as_ref().is_none_or(|trial| trial.planned.position != position) {
        return Vec::new();
    }
    let ended = sitting.trial.take().and_then(|trial| {
        let TrialPhase::Ended(ending) = trial.phase else { return None };
        Some(trial_outcome(ending, trial.place?.facts.limit_secs))
    });
    opening::close_with(state, ended.as_ref())
}

/// Whether who sits there can get up: not while the clock runs.
pub(super) fn can_leave(state: &State) -> bool {
    let trial = state.assist.study.desk.as_ref().and_then(|desk| desk.trial());
    trial.is_none_or(|(_, trial)| {
        matches!(
            trial.phase,
            TrialPhase::Opening
                | TrialPhase::Recovered
                | TrialPhase::Paused(PauseReason::Button | PauseReason::Focus)
        )
    })
}

/// Leaves the task as it is.
pub(super) fn leave(state: &mut State) -> Vec<Request> {
    let Some(sitting) = super::sitting(state) else { return Vec::new() };
    if sitting.trial.take().is_none() {
        return Vec::new();
    }
    opening::close_with(state, None)
}

/// How late it is at the task.
pub(super) fn clock(state: &mut State, position: u32, active_ms: u64, stopped_ms: u64) {
    if let Some(trial) = trial_at(state, position) {
        trial.active_ms = active_ms;
        let stands = matches!(trial.phase, TrialPhase::Paused(_) | TrialPhase::Recovered);
        trial.stopped_ms = if stands { stopped_ms } else { 0 };
    }
}

/// Whether nothing may be done to the design now: the clock of its task stands, or it is over.
pub(in crate::workbench::reduce::handle::assist) fn hands_are_held(state: &State) -> bool {
    let trial = state.assist.study.desk.as_ref().and_then(|desk| desk.trial());
    trial.is_some_and(|(_, trial)| trial.phase != TrialPhase::Running)
}

/// Whether somebody is at a task: its design is not left for another.
pub(in crate::workbench::reduce::handle::assist) fn is_at_task(state: &State) -> bool {
    state.assist.study.desk.as_ref().is_some_and(|desk| desk.trial().is_some())
}

/// Has the study's log say what was done to the design and what happened with the assistant, in the order in which both
/// were to be kept, and looks what practice says of it.
pub(in crate::workbench::reduce) fn study_follows(
    state: &mut State,
    requests: &[Request],
) -> Vec<Request> {
    let mut more = Vec::new();
    for request in requests {
        match request {
            Request::Hands(HandsOrder::Record { desk, step }) => {
                practice::look(state);
                more.extend(step_made(state, *desk, step));
            }
            Request::Hands(HandsOrder::Assist { desk, events }) => {
                more.extend(assistant_acted(state, *desk, events));
            }
            _ => {}
        }
    }
    more
}

fn step_made(state: &mut State, desk: u64, step: &EditStep) -> Vec<Request> {
    let study = state.assist.study.desk.as_ref();
    let task = study.and_then(|study| study.task(&study.trial()?.1.planned));
    let same = match task.map(|task| task.start) {
        Some(TaskStart::ChangedTruth { .. }) => SameNodes::ById,
        _ => SameNodes::ByContent,
    };
    let Some(trial) = trial(state).filter(|trial| trial.desk == Some(desk)) else {
        return Vec::new();
    };
    let Some(place) = &trial.place else { return Vec::new() };
    // Weighing every node against every other takes too long between two frames of a large design: then the way of
    // the distance is not recorded.
    let is_fast = same == SameNodes::ById || step.after.len() <= MOST_WEIGHED;
    let left = is_fast.then(|| distance(&step.after, &place.goal, same));
    let position = trial.planned.position;
    let changes = trial.told.changes(step, left).into_iter();
    changes.flat_map(|what| happens(Some(position), what)).collect()
}

fn assistant_acted(state: &mut State, desk: u64, events: &[AssistEvent]) -> Vec<Request> {
    let Some(trial) = trial(state).filter(|trial| trial.desk == Some(desk)) else {
        return Vec::new();
    };
    let position = trial.planned.position;
    let what = events.iter().filter_map(|event| trial.told.take_in(&event.act));
    what.flat_map(|what| happens(Some(position), what)).collect()
}
