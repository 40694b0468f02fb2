//! Studies: what somebody who takes part or leads one does becomes a change of the desk and work for the thread that
//! keeps the study. Only what comes back from the disk counts: what is next follows from it.
//!
//! [`trial`] is the task that somebody is at, [`answering`] the form that is asked, [`practice`] practice.

mod answering;
mod parts;
mod practice;
mod trial;

use std::path::{Path, PathBuf};

use crate::label::text_hash;
use crate::study::{Counted, Happening, NextThing, PersonProgress};
use crate::workbench::model::{
    NewStudy, NoticeLevel, State, StudyCount, StudyDesk, Workspace, remember_opened,
};
use crate::workbench::protocol::{
    NewStudyEdit, OpenedStudy, Request, StudyCommand, StudyNews, StudyOrder, StudyRecipe,
};
use parts::{happens, order, sitting};

pub(super) use trial::{hands_are_held, input as first_input, is_at_task};
pub(in crate::workbench::reduce) use trial::{
    hold_clock_while_covered, study_after_hands, study_follows,
};

/// Does what the command says and gives the work it takes.
pub(super) fn study(state: &mut State, command: StudyCommand) -> Vec<Request> {
    match command {
        StudyCommand::Open(path) => return open(state, path),
        StudyCommand::EditNew(edit) => edit_new(state, edit),
        StudyCommand::Make(dir) => return make(state, dir),
        StudyCommand::Close => return close(state),
        StudyCommand::Join => return sit_down(state, None),
        StudyCommand::Continue(who) => return sit_down(state, Some(who)),
        StudyCommand::Consent => return consent(state),
        StudyCommand::GetUp => return get_up(state),
        StudyCommand::ShowResults(shows) => return show_results(state, shows),
        StudyCommand::Count(counted) => return count(state, Some(counted)),
        StudyCommand::StopCounting => return stop_counting(state),
        StudyCommand::ToggleAgents(runs) => return toggle_agents(state, runs),
        StudyCommand::AskWithdrawal(who) => {
            if let Some(desk) = &mut state.assist.study.desk {
                desk.asking_withdrawal = who;
            }
        }
        StudyCommand::Withdraw(who) => return withdraw(state, who),
        StudyCommand::Pack { row, path } => {
            if leading(state).is_some() {
                return order(StudyOrder::Pack { row, path });
            }
        }
        StudyCommand::SaveAnswers(path) => {
            let desk = state.assist.study.desk.as_ref();
            if desk.is_some_and(|desk| desk.packet.is_some()) {
                return order(StudyOrder::SaveAnswers(path));
            }
        }
        StudyCommand::Merge(path) => {
            if leading(state).is_some() {
                return order(StudyOrder::Merge(path));
            }
        }
        StudyCommand::Answer { question, value } => answering::answer(state, &question, value),
        StudyCommand::FocusQuestion(at) => answering::focus(state, at),
        StudyCommand::SendForm => return answering::send(state),
        StudyCommand::SkipForm => return answering::skip(state),
        StudyCommand::LeavePractice => {
            if let Some(sitting) = sitting(state) {
                sitting.had_practice = true;
            }
        }
        StudyCommand::Practise(at) => return practice::practise(state, at),
        StudyCommand::PractiseAgain => return practice::again(state),
        StudyCommand::EndPractice => return practice::end(state),
        StudyCommand::Begin => return trial::begin(state),
        StudyCommand::Drawn => return trial::drawn(state),
        StudyCommand::Input => return trial::input(state),
        StudyCommand::Focus(has_focus) => return trial::focus(state, has_focus),
        StudyCommand::Pause(reason) => return trial::pause(state, reason),
        StudyCommand::Resume => return trial::resume(state),
        StudyCommand::Done => return trial::end(state, Happening::Done),
        StudyCommand::AskGiveUp(asks) => trial::ask_give_up(state, asks),
        StudyCommand::GiveUp => return trial::end(state, Happening::GiveUp),
    }
    Vec::new()
}

/// The study, while nobody sits there who takes part.
fn leading(state: &mut State) -> Option<&mut StudyDesk> {
    let desk = state.assist.study.desk.as_deref_mut()?;
    (desk.sitting.is_none() && desk.packet.is_none()).then_some(desk)
}

fn open(state: &mut State, path: PathBuf) -> Vec<Request> {
    state.workspace = Workspace::Assist;
    state.overlay = None;
    // Who is at a task is not sent away by a slip.
    if trial::is_at_task(state) {
        let words = "Somebody is at a task: let them finish, or pause and leave it first.";
        state.notify(NoticeLevel::Warning, words);
        return Vec::new();
    }
    let mut requests = stop_counting(state);
    state.assist.study.problem = None;
    state.assist.study.opening = Some(path.clone());
    requests.extend(order(StudyOrder::Open(path)));
    requests
}

fn edit_new(state: &mut State, edit: NewStudyEdit) {
    let room = &mut state.assist.study;
    if let NewStudyEdit::Show(shows) = edit {
        let seed = 1;
        let start = crate::study::StartChoice::ChangedTruth;
        // Of the two presets the one that fits a room with few people.
        room.new = shows.then_some(NewStudy { tasks: None, preset: 1, start, seed });
        return;
    }
    let Some(new) = &mut room.new else { return };
    match edit {
        NewStudyEdit::Show(_) => {}
        NewStudyEdit::Tasks(tasks) => new.tasks = Some(tasks),
        NewStudyEdit::Preset(preset) => new.preset = preset,
        NewStudyEdit::Start(start) => new.start = start,
        NewStudyEdit::Seed(seed) => new.seed = seed,
    }
}

fn make(state: &mut State, dir: PathBuf) -> Vec<Request> {
    let room = &mut state.assist.study;
    let Some(NewStudy { tasks: Some(tasks), preset, start, seed }) = room.new.clone() else {
        return Vec::new();
    };
    room.problem = None;
    room.opening = Some(dir.clone());
    let mut requests = stop_counting(state);
    let recipe = StudyRecipe { dir, tasks, preset, start, seed };
    requests.extend(order(StudyOrder::Make(Box::new(recipe))));
    requests
}

fn close(state: &mut State) -> Vec<Request> {
    if state.assist.study.desk.is_none() || state.assist.study.is_measuring() {
        return Vec::new();
    }
    let mut requests = trial::leave(state);
    requests.extend(practice::end(state));
    state.assist.study.desk = None;
    requests.extend(order(StudyOrder::Close));
    requests
}

fn sit_down(state: &mut State, who: Option<String>) -> Vec<Request> {
    let Some(desk) = &mut state.assist.study.desk else { return Vec::new() };
    if desk.sitting.is_some() || desk.is_joining {
        return Vec::new();
    }
    desk.is_joining = true;
    // Who takes part waits for no results.
    let mut requests = stop_counting(state);
    requests.extend(practice::end(state));
    requests.extend(order(StudyOrder::Seat(who)));
    requests
}

fn consent(state: &mut State) -> Vec<Request> {
    let Some(desk) = &mut state.assist.study.desk else { return Vec::new() };
    let text = text_hash(&desk.plan.consent);
    let Some(sitting) = &mut desk.sitting else { return Vec::new() };
    if sitting.next != NextThing::Consent || sitting.is_waiting {
        return Vec::new();
    }
    sitting.is_waiting = true;
    happens(None, Happening::Consented { text })
}

fn get_up(state: &mut State) -> Vec<Request> {
    // Who is at a task pauses first: leaving is then a decision, and no slip.
    if !trial::can_leave(state) {
        return Vec::new();
    }
    let mut requests = trial::leave(state);
    requests.extend(practice::end(state));
    let Some(desk) = &mut state.assist.study.desk else { return requests };
    if desk.sitting.take().is_some() {
        requests.extend(order(StudyOrder::GetUp));
    }
    requests
}

fn show_results(state: &mut State, shows: bool) -> Vec<Request> {
    let Some(desk) = leading(state) else { return Vec::new() };
    desk.shows_results = shows;
    if !shows || desk.counting.is_some() {
        return Vec::new();
    }
    // Anew each time: somebody may have done something since.
    count(state, None)
}

/// Counts what the study comes to; whom is as before where nobody says it.
fn count(state: &mut State, counted: Option<Counted>) -> Vec<Request> {
    let Some(dir) = leading(state).map(|desk| desk.dir.clone()) else { return Vec::new() };
    let agents = state.explore.view.agents_of(&dir);
    let Some(desk) = leading(state) else { return Vec::new() };
    desk.counted = counted.unwrap_or(desk.counted);
    let of = StudyCount { counted: desk.counted, agents };
    desk.counting = Some(of.clone());
    order(StudyOrder::Count(of))
}

/// Counts no further, so that what is asked for next does not wait for it.
fn stop_counting(state: &mut State) -> Vec<Request> {
    let desk = state.assist.study.desk.as_mut();
    match desk.and_then(|desk| desk.counting.take()) {
        Some(_) => order(StudyOrder::StopCounting),
        None => Vec::new(),
    }
}

fn toggle_agents(state: &mut State, runs: PathBuf) -> Vec<Request> {
    let Some(dir) = leading(state).map(|desk| desk.dir.clone()) else { return Vec::new() };
    state.explore.view.toggle_agents(&dir, runs);
    count(state, None)
}

fn withdraw(state: &mut State, who: String) -> Vec<Request> {
    let Some(desk) = &mut state.assist.study.desk else { return Vec::new() };
    // Asked once, and of nobody but oneself while one takes part.
    if desk.asking_withdrawal.take().as_ref() != Some(&who) {
        return Vec::new();
    }
    let sitting = desk.sitting.as_ref();
    let is_another = sitting.is_some_and(|sitting| sitting.progress.participant != who);
    if is_another || !trial::can_leave(state) {
        return Vec::new();
    }
    let mut requests = trial::leave(state);
    if let Some(desk) = &mut state.assist.study.desk {
        desk.sitting = None;
    }
    requests.extend(order(StudyOrder::Withdraw(who)));
    requests
}

/// Takes in what the thread says that keeps a study.
pub(in crate::workbench::reduce) fn study_news(state: &mut State, news: StudyNews) -> Vec<Request> {
    match news {
        StudyNews::Opened { path, result } => return opened(state, &path, result),
        StudyNews::Seated(result) => seated(state, result),
        StudyNews::Begun { position, result } => return trial::begun(state, position, result),
        StudyNews::Kept { position, event } => return trial::kept(state, position, &event),
        StudyNews::Unwritten(why) => {
            if let Some(desk) = &mut state.assist.study.desk {
                desk.unwritten = why;
            }
        }
        StudyNews::Unchecked(why) => return trial::unchecked(state, &why),
        StudyNews::Clock { position, active_ms, stopped_ms } => {
            trial::clock(state, position, active_ms, stopped_ms);
        }
        StudyNews::Read(record) => {
            if let Some(desk) = &mut state.assist.study.desk {
                desk.record = record;
            }
        }
        StudyNews::Counted(of, result) => {
            let desk = state.assist.study.desk.as_mut();
            // Something else may have been asked for since, or nothing any more.
            if let Some(desk) = desk.filter(|desk| desk.counting.as_ref() == Some(&of)) {
                desk.counting = None;
                desk.results = Some(result);
            }
        }
        StudyNews::Told(result) => match result {
            Ok(words) => state.notify(NoticeLevel::Info, words),
            Err(why) => state.notify(NoticeLevel::Error, format!("Not done: {why}.")),
        },
    }
    Vec::new()
}

fn opened(
    state: &mut State,
    path: &Path,
    result: Result<Box<OpenedStudy>, String>,
) -> Vec<Request> {
    if state.assist.study.opening.as_deref() != Some(path) {
        return Vec::new();
    }
    state.assist.study.opening = None;
    // Who began a task meanwhile is of the study before, which is left.
    let requests = if result.is_ok() { trial::leave(state) } else { Vec::new() };
    let room = &mut state.assist.study;
    match result {
        Ok(opened) => {
            let OpenedStudy { dir, plan, forms, tasks, record, packet, warnings } = *opened;
            remember_opened(&mut state.settings.recent_studies, dir.clone());
            room.new = None;
            room.desk = Some(Box::new(StudyDesk {
                dir,
                plan,
                forms,
                tasks,
                record,
                packet,
                warnings,
                sitting: None,
                is_joining: false,
                shows_results: false,
                results: None,
                counted: Counted::People,
                counting: None,
                asking_withdrawal: None,
                unwritten: None,
            }));
        }
        Err(why) => room.problem = Some(why),
    }
    requests
}

fn seated(state: &mut State, result: Result<Box<PersonProgress>, String>) {
    let Some(desk) = &mut state.assist.study.desk else { return };
    desk.is_joining = false;
    match result {
        Ok(progress) => {
            desk.shows_results = false;
            desk.seat(*progress);
        }
        Err(why) => state.notify(NoticeLevel::Error, format!("Nobody was let in: {why}.")),
    }
}
