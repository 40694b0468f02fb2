//! Designing by hand: what a person does becomes a change of the editor, and steps for the thread that keeps them.
//!
//! [`opening`] begins and ends with a design.

mod opening;
mod study;

use crate::editor::{Act, EditorContext};
use crate::render::TextMeasurer;
use crate::workbench::model::{AssistDesk, NoticeLevel, Recording, State};
use crate::workbench::protocol::{AssistCommand, HandsNews, HandsOrder, Request};

/// Does what the command says and gives the work it takes.
pub(super) fn assist(state: &mut State, command: AssistCommand) -> Vec<Request> {
    match command {
        AssistCommand::Open(_) | AssistCommand::Close if study::is_at_task(state) => {
            let words = "Somebody is at a task of a study: finish it, or pause and leave it first.";
            state.notify(NoticeLevel::Warning, words);
        }
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
        AssistCommand::Scale(scale) => {
            if let Some(desk) = &mut state.assist.desk {
                desk.scale = scale.clamp(1, 4);
            }
        }
    }
    Vec::new()
}

/// Does something to the design, and has the steps kept that come of it.
fn act_on_desk(state: &mut State, act: Act) -> Vec<Request> {
    if study::hands_are_held(state) {
        return Vec::new();
    }
    let Some(desk) = &mut state.assist.desk else { return Vec::new() };
    let AssistDesk { editor, render, .. } = &mut **desk;
    let measure = TextMeasurer(render);
    let done = editor.act(act, &EditorContext { measure: &measure });
    let mut requests = record(desk);
    requests.extend(study::steps_made(state, &requests));
    if let Err(why) = done {
        state.notify(NoticeLevel::Warning, format!("Not done: {why}."));
    }
    requests
}

/// Has the steps kept that were made since the last time.
fn record(desk: &mut AssistDesk) -> Vec<Request> {
    let number = desk.number;
    let steps = desk.editor.take_steps().into_iter();
    let orders = steps.map(|step| HandsOrder::Record { desk: number, step: Box::new(step) });
    orders.map(Request::Hands).collect()
}

pub(in crate::workbench::reduce) use study::{
    hold_clock_while_covered, study_after_hands, study_news,
};

/// Takes in what the thread says that keeps designs.
pub(in crate::workbench::reduce) fn hands_news(state: &mut State, news: HandsNews) {
    match news {
        HandsNews::Opened { desk, result } => opening::opened(state, desk, result),
        HandsNews::Recorded { desk, step, result } => {
            let Some(open) = state.assist.desk.as_mut().filter(|it| it.number == desk) else {
                return;
            };
            open.recording = match result {
                Ok(dir) => Recording::Kept { step, dir },
                Err(why) => Recording::Failing(why),
            };
        }
    }
}
