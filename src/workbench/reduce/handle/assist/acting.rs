//! What is done to the design becomes steps.

use super::recording::record;
use super::study;
use crate::editor::{Act, EditorContext};
use crate::render::TextMeasurer;
use crate::workbench::model::{AssistDesk, NoticeLevel, State};
use crate::workbench::protocol::Request;

/// Does something to the design, and has the steps kept that come of it.
pub(super) fn act_on_desk(state: &mut State, act: Act) -> Vec<Request> {
    if study::hands_are_held(state) {
        return Vec::new();
    }
    let Some(desk) = &mut state.assist.desk else { return Vec::new() };
    // A version that is looked at is not worked on.
    if desk.files.viewed.is_some() {
        return Vec::new();
    }
    let AssistDesk { editor, render, .. } = &mut **desk;
    let measure = TextMeasurer(render);
    let done = editor.act(act, &EditorContext { measure: &measure });
    let requests = record(desk);
    if let Err(why) = done {
        state.notify(NoticeLevel::Warning, format!("Not done: {why}."));
    }
    requests
}
