//! In line, evenly spaced, in rows, mirrored.

use super::members::unlocked;
use crate::base::{Affine, Axis, Rect};
use crate::design::gesture::{AlignTo, align, distribute, tidy_up};
use crate::design::hunk::{Consequences, Hunk, apply_hunks};
use crate::design::{Document, NodeId};
use crate::editor::context::EditorContext;
use crate::editor::editing::Editor;
use crate::editor::error::EditorError;

/// Puts what is selected in line.
pub(super) fn align_to(
    editor: &mut Editor,
    to: AlignTo,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let nodes = movable(editor, 1)?;
    if let [only] = nodes.as_slice()
        && !lies_in_a_box(editor.document(), only)
    {
        let why =
            "a single layer is put in line with what it lies in, and this one lies in nothing";
        return Err(EditorError::not_possible(why));
    }
    let label = match to {
        AlignTo::Left => "Align left",
        AlignTo::HorizontalCenter => "Align horizontal centers",
        AlignTo::Right => "Align right",
        AlignTo::Top => "Align top",
        AlignTo::VerticalCenter => "Align vertical centers",
        AlignTo::Bottom => "Align bottom",
    };
    let hunks = align(editor.document(), &nodes, to);
    carry_out(editor, label, &nodes, &hunks, context)
}

/// Spaces what is selected evenly.
pub(super) fn distribute_along(
    editor: &mut Editor,
    axis: Axis,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let nodes = movable(editor, 3)?;
    let label = match axis {
        Axis::Horizontal => "Distribute horizontal spacing",
        Axis::Vertical => "Distribute vertical spacing",
    };
    let hunks = distribute(editor.document(), &nodes, axis);
    carry_out(editor, label, &nodes, &hunks, context)
}

/// Puts what is selected in rows.
pub(super) fn tidy(editor: &mut Editor, context: &EditorContext<'_>) -> Result<(), EditorError> {
    let nodes = movable(editor, 2)?;
    let hunks = tidy_up(editor.document(), &nodes);
    carry_out(editor, "Tidy up", &nodes, &hunks, context)
}

/// Mirrors what is selected about the middle of all.
pub(super) fn flip(
    editor: &mut Editor,
    axis: Axis,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let nodes = unlocked(editor)?;
    let document = editor.document();
    let boxes = nodes.iter().filter_map(|id| document.absolute_box(id).ok());
    let Some(around) = Rect::union_all(boxes) else { return Ok(()) };
    // One mirror for all: each about its own middle would leave them where they are.
    let middle = around.center();
    let (label, mirror) = match axis {
        Axis::Horizontal => {
            ("Flip horizontal", Affine { a: -1.0, e: 2.0 * middle.x, ..Affine::IDENTITY })
        }
        Axis::Vertical => {
            ("Flip vertical", Affine { d: -1.0, f: 2.0 * middle.y, ..Affine::IDENTITY })
        }
    };
    editor.edit(label, &nodes, context, |change| {
        for id in &nodes {
            // On the page, as what is selected may lie in frames that are turned.
            let mirrored = mirror.after(change.document().absolute_transform(id)?);
            change.set_absolute_transform(id, mirrored)?;
        }
        Ok(())
    })?;
    Ok(())
}

/// Whether a node lies in something with edges, which a page has not.
fn lies_in_a_box(document: &Document, id: &NodeId) -> bool {
    let parent = document.get(id).and_then(|node| document.get(node.parent.as_ref()?));
    parent.is_some_and(|parent| parent.has_box())
}

/// What is selected, of which at least so many are not placed by auto layout.
fn movable(editor: &Editor, least: usize) -> Result<Vec<NodeId>, EditorError> {
    let mut nodes = unlocked(editor)?;
    // Asked first: that too few are left would be no reason that tells people what to do.
    if nodes.len() >= least && nodes.iter().all(|id| editor.document().is_placed(id)) {
        let why = "auto layout places what is selected";
        return Err(EditorError::NotPossible(why.to_owned()));
    }
    nodes.retain(|id| !editor.document().is_placed(id));
    if nodes.len() < least {
        let why = format!("it takes at least {least} layers");
        return Err(EditorError::NotPossible(why));
    }
    Ok(nodes)
}

fn carry_out(
    editor: &mut Editor,
    label: &str,
    nodes: &[NodeId],
    hunks: &[Hunk],
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let mut document = editor.document().clone();
    let edit = apply_hunks(&mut document, hunks, Consequences::Settle, context.measure)?;
    editor.take_in(label, nodes, edit, None);
    Ok(())
}
