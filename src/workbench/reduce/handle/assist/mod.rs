//! Designing by hand: what a person does becomes a change of the editor, and steps for the thread that keeps them.
//!
//! [`opening`] begins and ends with a design; [`files`] writes it, names its versions, and hands it over; [`clipboard`]
//! copies and pastes; [`looking`] is how the canvas is looked at, [`saying`] what is said about nodes, [`placing`]
//! pictures of files; [`briefs`] has what somebody describes planned, and takes the plan's design over; [`assistant`]
//! is what is asked of the assistant, [`offering`] what it offers and what becomes of that.

mod acting;
mod assistant;
mod briefs;
mod canvas;
mod clipboard;
mod files;
mod looking;
mod offering;
mod opening;
mod placing;
mod recording;
mod saying;
mod study;

pub(in crate::workbench::reduce) use offering::refresh_assistant;
pub(in crate::workbench::reduce) use study::{
    hold_clock_while_covered, study_after_hands, study_follows, study_news,
};

use crate::workbench::model::{NoticeLevel, Recording, State};
use crate::workbench::protocol::{AssistCommand, BriefCommand, FilesCommand, HandsNews, Request};

use super::what_if::continue_by_hand;
use acting::act_on_desk;
use recording::record;

/// Does what the command says and gives the work it takes.
pub(super) fn assist(state: &mut State, command: AssistCommand) -> Vec<Request> {
    match command {
        AssistCommand::Open(_) | AssistCommand::Close if study::is_at_task(state) => {
            let words = "Somebody is at a task of a study: finish it, or pause and leave it first.";
            state.notify(NoticeLevel::Warning, words);
        }
        AssistCommand::Brief(BriefCommand::Plan(start, by)) => {
            return briefs::plan(state, start, by);
        }
        AssistCommand::Brief(BriefCommand::TakeOver) => {
            let start = briefs::ready_plan(state);
            let opened = start.map(|start| assist(state, AssistCommand::Open(start)));
            return opened.unwrap_or_default();
        }
        AssistCommand::Brief(BriefCommand::Discard) => briefs::discard(state),
        AssistCommand::Open(start) => {
            state.assist.study.practice = None;
            return opening::open(state, start);
        }
        AssistCommand::Close => {
            state.assist.study.practice = None;
            return opening::close(state);
        }
        AssistCommand::Act(act) => {
            let mut requests = study::first_input(state);
            requests.extend(act_on_desk(state, *act));
            return requests;
        }
        AssistCommand::Study(command) => return study::study(state, command),
        AssistCommand::Files(FilesCommand::ContinueByHand) => {
            let start = files::run_on_stage(state);
            if let Some(start) = start {
                return assist(state, AssistCommand::Open(start));
            }
            // Without a design that hands could drag it goes on by calls.
            continue_by_hand(state);
        }
        AssistCommand::Files(command) => return files::files(state, command),
        AssistCommand::Clipboard(command) => return clipboard::clipboard(state, command),
        AssistCommand::Canvas(command) => {
            if let Some(desk) = &mut state.assist.desk {
                canvas::carry_out(&mut desk.canvas, command);
            }
        }
        AssistCommand::Assistant(_) if study::hands_are_held(state) => {}
        AssistCommand::Assistant(command) => {
            let mut requests = assistant::assistant(state, command);
            requests.extend(state.assist.desk.as_deref_mut().map(record).unwrap_or_default());
            return requests;
        }
        AssistCommand::Draw(scale, part) => {
            if let Some(desk) = &mut state.assist.desk {
                (desk.scale, desk.part) = (scale.clamp(1, 4), part);
            }
        }
        AssistCommand::Look(command) => looking::look(state, command),
        AssistCommand::Comment(command) => return saying::comment(state, command),
        AssistCommand::PlacePictures(paths, at) => return placing::read(state, paths, at),
    }
    Vec::new()
}

/// Takes in what the thread says that keeps designs, and gives the work it takes.
pub(in crate::workbench::reduce) fn hands_news(state: &mut State, news: HandsNews) -> Vec<Request> {
    match news {
        HandsNews::PictureRead { desk, at, result } => {
            if let Some(act) = placing::placed(state, desk, at, result) {
                return act_on_desk(state, act);
            }
        }
        HandsNews::Opened { desk, result } => return opening::opened(state, desk, result),
        HandsNews::Copied(news) => clipboard::copied(state, news),
        HandsNews::Assistant(news) => offering::heard(state, news),
        HandsNews::Recorded { desk, step, result } => {
            let Some(open) = state.assist.desk.as_mut().filter(|it| it.number == desk) else {
                // It is left already: nobody would see it in the status bar.
                if let Err(why) = result {
                    state.notify(NoticeLevel::Error, format!("A design is not saved yet: {why}"));
                }
                return Vec::new();
            };
            match result {
                Ok(dir) => {
                    open.recording = Recording::Kept { step, dir: dir.clone() };
                    files::at_work(state, &dir);
                }
                Err(why) => open.recording = Recording::Failing(why),
            }
        }
        HandsNews::Version { .. }
        | HandsNews::HandedOver { .. }
        | HandsNews::Written { .. }
        | HandsNews::Finished { .. } => files::files_news(state, news),
    }
    Vec::new()
}
