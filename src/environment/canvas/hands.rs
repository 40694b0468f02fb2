//! The one tool that no model is told of: what people do by hand and no other tool does, as the change it makes.
//!
//! It can do everything, and so it is no part of what agents are compared by: a canvas refuses it unless it was opened
//! for hands ([`HandTools::Allowed`](super::HandTools::Allowed)), as runs by hand say in their manifest
//! ([`HANDS_SETTING`](crate::environment::HANDS_SETTING)).

use serde_json::{Value, json};

use super::arguments::read;
use super::error::ToolError;
use super::page::Page;
use super::reply::Reply;
use crate::design::Document;
use crate::design::patch::DocumentPatch;
use crate::environment::ToolCall;

/// The tool's name.
pub const APPLY_EDIT: &str = "apply_edit";

/// The call that leads from a design to another, on a canvas that has the first.
///
/// # Errors
///
/// Never for designs of this program: what cannot be written as JSON.
pub fn apply_edit_call(
    before: &Document,
    after: &Document,
    id: String,
) -> Result<ToolCall, serde_json::Error> {
    let arguments = serde_json::to_value(DocumentPatch::between(before, after))?;
    Ok(ToolCall { id, name: APPLY_EDIT.to_owned(), arguments })
}

/// Makes the change. Nothing follows from it: it is the whole change, layout and all.
pub(super) fn apply_edit(page: &mut Page, arguments: Value) -> Result<Reply, ToolError> {
    if !arguments.is_object() {
        return Err(ToolError::BadArguments("the arguments must be an object".to_owned()));
    }
    let patch: DocumentPatch = read(arguments)?;
    let patched = patch.apply(&page.document)?;
    for (name, picture) in patched.pictures {
        page.document.add_image(name, picture);
    }
    patched.edit.apply(&mut page.document);
    // Laid out already by whoever made the edit: settling it again could move what they placed.
    page.last_edit = Some(patched.edit);
    let (changed, removed) = patch.counts();
    let text = format!("Changed {changed} nodes and removed {removed}");
    let structured = json!({"success": true, "changed": changed, "removed": removed});
    Ok(Reply::new(text, structured))
}

/// What a canvas says that was not opened for hands.
pub(super) const REFUSED: &str = "apply_edit records what people do by hand, and this canvas was not opened for \
    that: use the other tools";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Size;
    use crate::design::edit::Transaction;
    use crate::design::{Node, NodeId, NodeKind};
    use crate::environment::canvas::{CanvasEnvironment, CanvasSettings, HandTools, Start};

    /// Two pages with a frame on each.
    fn file() -> Document {
        let node = |id: &str, kind: NodeKind, parent: Option<&str>| {
            let mut node = Node::new(id.into(), id, kind);
            (node.parent, node.size) = (parent.map(Into::into), Size::new(10.0, 10.0));
            node
        };
        Document::from_nodes([
            node("one", NodeKind::Canvas, None),
            node("a", NodeKind::Frame, Some("one")),
            node("two", NodeKind::Canvas, None),
            node("b", NodeKind::Frame, Some("two")),
        ])
        .unwrap()
    }

    fn opened(document: Document, hands: HandTools) -> CanvasEnvironment {
        let settings = CanvasSettings { hands, ..CanvasSettings::default() };
        CanvasEnvironment::new(Start::Design(document), settings).unwrap()
    }

    #[test]
    fn hands_have_all_pages_of_a_file_and_tools_the_screen_alone() {
        for (hands, pages) in
            [(HandTools::WholeFile, 2), (HandTools::Allowed, 2), (HandTools::Refused, 0)]
        {
            let canvas = opened(file(), hands);
            assert_eq!(canvas.document().pages().len(), pages);
            assert_eq!(canvas.start_frame().as_str(), "a");
        }
    }

    #[test]
    fn a_whole_file_with_one_page_has_all_that_lies_on_it_and_else_the_screen_alone() {
        let mut one_page = file();
        let mut change = Transaction::begin(&mut one_page);
        change.reparent(&"b".into(), Some(&"one".into()), None).unwrap();
        change.remove(&"two".into()).unwrap();
        change.commit();
        assert_eq!(*opened(one_page.clone(), HandTools::WholeFile).document(), one_page);
        for hands in [HandTools::Allowed, HandTools::Refused] {
            let canvas = opened(one_page.clone(), hands);
            assert_eq!(canvas.document().roots().to_vec(), [NodeId::from("a")], "{hands:?}");
        }
        // A page on which no frame lies is one, too; tools need a frame.
        let mut dot = Node::new("dot".into(), "dot", NodeKind::Rectangle);
        dot.size = Size::new(10.0, 10.0);
        let loose = Document::from_nodes([dot]).unwrap();
        let canvas = opened(loose.clone(), HandTools::WholeFile);
        assert_eq!((canvas.document(), canvas.start_frame().as_str()), (&loose, "dot"));
        assert!(CanvasEnvironment::new(Start::Design(loose), CanvasSettings::default()).is_err());
    }

    #[test]
    fn what_a_run_says_of_hands_is_read_again() {
        for hands in [HandTools::Refused, HandTools::Allowed, HandTools::WholeFile] {
            assert_eq!(HandTools::from_setting(hands.setting().as_ref()), hands);
        }
        assert_eq!(HandTools::from_setting(Some(&json!("other"))), HandTools::Refused);
    }

    #[test]
    fn pages_are_put_in_and_taken_out_by_the_tool() {
        let before = file();
        let mut after = before.clone();
        let mut change = Transaction::begin(&mut after);
        change.remove(&"two".into()).unwrap();
        change.insert(Node::new("1:7".into(), "New", NodeKind::Canvas), None, Some(0)).unwrap();
        change.commit();
        let call = apply_edit_call(&before, &after, String::new()).unwrap();
        let patch: DocumentPatch = serde_json::from_value(call.arguments).unwrap();
        let mut there = before;
        patch.apply(&there).unwrap().edit.apply(&mut there);
        assert_eq!(there, after);
    }
}
