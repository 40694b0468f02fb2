//! What is said about nodes.

use crate::workbench::model::{CommentCommand, NoticeLevel, State};
use crate::workbench::protocol::{HandsOrder, Request};

/// Changes the comments, and has them kept.
pub(super) fn comment(state: &mut State, command: CommentCommand) -> Vec<Request> {
    let State { assist, settings, .. } = &mut *state;
    // Whoever takes part in a study has no other name in what is recorded of them.
    let sitting = assist.study.desk.as_ref().and_then(|desk| desk.sitting.as_ref());
    let author = sitting.map_or(&settings.annotator, |sitting| &sitting.progress.participant);
    let Some(desk) = &mut assist.desk else { return Vec::new() };
    if let CommentCommand::Add { node, .. } = &command
        && desk.editor.document().get(node).is_none()
    {
        // It was deleted while somebody wrote.
        state.notify(NoticeLevel::Warning, "Not kept: the layer is not there any more.");
        return Vec::new();
    }
    match desk.comments.change(command, author) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Point, Size};
    use crate::design::{Document, Node, NodeId, NodeKind};
    use crate::editor::Editor;
    use crate::render::RenderContext;
    use crate::workbench::model::{AssistDesk, AssistStart};

    #[test]
    fn what_is_said_is_kept_with_who_said_it_and_nothing_about_what_is_gone() {
        let screen = Node::new("1:1".into(), "Screen", NodeKind::Frame);
        let editor = Editor::new(Document::from_nodes([screen]).unwrap());
        let start = AssistStart::Blank(Size::new(10.0, 10.0));
        let desk = AssistDesk::new(7, "A".to_owned(), start, editor, RenderContext::default());
        let mut state = State::default();
        state.settings.annotator = "P01".to_owned();
        state.assist.desk = Some(Box::new(desk));
        let add = |node: &str, text: &str| {
            let (node, text) = (NodeId::from(node), text.to_owned());
            CommentCommand::Add { node, at: Point::ZERO, text }
        };
        let requests = comment(&mut state, add("1:1", "Too dark"));
        let [Request::Hands(HandsOrder::Comments { desk: 7, comments })] = requests.as_slice()
        else {
            panic!("{requests:?}");
        };
        assert_eq!(comments.iter().next().unwrap().author, "P01");
        for wrong in [add("9:9", "Where?"), add("1:1", " ")] {
            assert!(comment(&mut state, wrong).is_empty());
        }
        assert_eq!(state.notices.len(), 2);
        assert_eq!(state.assist.desk.as_ref().unwrap().comments.len(), 1);
    }
}
