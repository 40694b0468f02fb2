//! What is said about nodes.

use crate::workbench::model::{CommentCommand, NoticeLevel, State};
use crate::workbench::protocol::{HandsOrder, Request};

/// Changes the comments, and has them kept.
pub(super) fn comment(state: &mut State, command: CommentCommand) -> Vec<Request> {
    let author = state.settings.annotator.clone();
    let Some(desk) = &mut state.assist.desk else { return Vec::new() };
    if let CommentCommand::Add { node, .. } = &command
        && desk.editor.document().get(node).is_none()
    {
        // It was deleted while somebody wrote.
        state.notify(NoticeLevel::Warning, "Not kept: the layer is not there any more.");
        return Vec::new();
    }
    match desk.comments.change(command, &author) {
        Ok(()) => {
            let (desk, comments) = (desk.number, Box::new(desk.comments.clone()));
            vec![Request::Hands(HandsOrder::Comments { desk, comments })]
        }
        Err(why) => {
            state.notify(NoticeLevel::Warning, format!("Not kept: {why}."));
            Vec::new()
        }
    }
}
