//! What keys mean while a text, a path or its points are edited in place.

use super::act::Act;
use super::arrange::ArrangeAct;
use super::context::EditorContext;
use super::edited::InPlace;
use super::editing::Editor;
use super::error::EditorError;
use super::pointer::PointerAct;
use super::pointer::{begin_points, can_edit_points, delete_points, end_pen};
use super::selection::SelectAct;
use super::tool::Tool;
use super::typing;
use crate::base::Point;
use crate::design::gesture::{HitSettings, hits};
use crate::design::{Document, NodeId, NodeKind};

/// Does what an act means while something is edited in place; gives the act if it is still to be done.
pub(super) fn act_in_place(
    editor: &mut Editor,
    act: Act,
    context: &EditorContext<'_>,
) -> Result<Option<Act>, EditorError> {
    let is_gone = editor.in_place().node().is_some_and(|id| editor.document().get(id).is_none());
    if is_gone {
        editor.set_in_place(InPlace::Nothing);
    }
    match editor.in_place() {
        InPlace::Nothing => Ok(begun(editor, act)),
        InPlace::Text(_) => typed(editor, act, context),
        InPlace::Pen(_) => drawn(editor, act, context),
        InPlace::Points(_) => pointed(editor, act, context),
    }
}

/// Enter and a double click begin; Escape gives up what is held, and then the tool.
fn begun(editor: &mut Editor, act: Act) -> Option<Act> {
    match act {
        Act::Select(SelectAct::None) if !editor.is_holding() && editor.tool() != Tool::Move => {
            editor.set_tool(Tool::Move);
            None
        }
        Act::Select(SelectAct::Children) => {
            let only = editor.selection().only().cloned();
            let began = only.is_some_and(|id| begin(editor, &id));
            (!began).then_some(act)
        }
        Act::Pointer(PointerAct::DoubleClick(pointer)) if editor.tool() == Tool::Move => {
            let settings = HitSettings::at_zoom(pointer.zoom);
            let under = deepest_at(&editor.on_page(), pointer.at, settings);
            let only = editor.selection().only().cloned();
            // What is not selected yet is first entered, level by level.
            let id = only.filter(|id| under.as_ref() == Some(id) && !is_plain(editor, id));
            let began = id.is_some_and(|id| begin(editor, &id));
            (!began).then_some(act)
        }
        act => Some(act),
    }
}

fn deepest_at(document: &Document, at: Point, settings: HitSettings) -> Option<NodeId> {
    hits(document, at, settings).into_iter().next()
}

/// Whether it is a shape whose points are edited by Enter alone, such as a rectangle.
fn is_plain(editor: &Editor, id: &NodeId) -> bool {
    editor
        .document()
        .get(id)
        .is_some_and(|node| node.text().is_none() && !matches!(node.kind, NodeKind::Vector(_)))
}

fn begin(editor: &mut Editor, id: &NodeId) -> bool {
    let Some(node) = editor.document().get(id) else { return false };
    if editor.document().is_locked(id) {
        return false;
    }
    if node.text().is_some() {
        return typing::begin(editor, id).is_ok();
    }
    let can = can_edit_points(node);
    if can {
        begin_points(editor, id);
    }
    can
}

fn typed(
    editor: &mut Editor,
    act: Act,
    context: &EditorContext<'_>,
) -> Result<Option<Act>, EditorError> {
    match act {
        Act::Typing(_)
        | Act::Property(_)
        | Act::Pointer(PointerAct::Move(_) | PointerAct::Release(_)) => Ok(Some(act)),
        // A new text that is empty goes: that alone is undone.
        Act::Undo => {
            let before = editor.undoable();
            typing::end(editor, context)?;
            Ok((editor.undoable() == before).then_some(act))
        }
        // What was written stays selected.
        Act::Select(SelectAct::None) => {
            typing::end(editor, context)?;
            Ok(None)
        }
        act => {
            typing::end(editor, context)?;
            Ok(Some(act))
        }
    }
}

fn drawn(
    editor: &mut Editor,
    act: Act,
    context: &EditorContext<'_>,
) -> Result<Option<Act>, EditorError> {
    match act {
        Act::Pointer(PointerAct::DoubleClick(_)) => Ok(None),
        Act::Pointer(_) | Act::Take(Tool::Pen) | Act::Property(_) => Ok(Some(act)),
        Act::Select(SelectAct::None | SelectAct::Children) => {
            end_pen(editor, context)?;
            Ok(None)
        }
        // The handle that is pulled is given up before a point is taken back.
        Act::Undo if editor.is_holding() => Ok(Some(act)),
        Act::Undo | Act::Arrange(ArrangeAct::Delete) => {
            editor.let_go();
            let left = match editor.in_place() {
                InPlace::Pen(path) => path.without_last(),
                _ => None,
            };
            editor.set_in_place(left.map_or(InPlace::Nothing, InPlace::Pen));
            Ok(None)
        }
        act => {
            end_pen(editor, context)?;
            Ok(Some(act))
        }
    }
}

fn pointed(
    editor: &mut Editor,
    act: Act,
    context: &EditorContext<'_>,
) -> Result<Option<Act>, EditorError> {
    match act {
        Act::Select(SelectAct::None) if editor.is_holding() => Ok(Some(act)),
        Act::Select(SelectAct::None | SelectAct::Children) => {
            editor.set_in_place(InPlace::Nothing);
            editor.set_tool(Tool::Move);
            Ok(None)
        }
        Act::Arrange(ArrangeAct::Delete) => {
            let is_done = delete_points(editor, context)?;
            Ok((!is_done).then_some(act))
        }
        Act::Pointer(_)
        | Act::Points(_)
        | Act::Property(_)
        | Act::Undo
        | Act::Redo
        | Act::Take(Tool::Move | Tool::Pen) => Ok(Some(act)),
        act => {
            editor.set_in_place(InPlace::Nothing);
            Ok(Some(act))
        }
    }
}
