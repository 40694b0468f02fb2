//! Copies in place.

use super::last_duplicate::LastDuplicate;
use super::members::{chosen, select_made};
use crate::base::{Affine, Rect, Vector};
use crate::design::edit::Transaction;
use crate::design::{Document, DocumentError, NodeId};
use crate::editor::context::EditorContext;
use crate::editor::editing::Editor;
use crate::editor::error::EditorError;

/// How far beside a screen its copy lies, in units of the page.
const BESIDE: f64 = 100.0;

/// Copies what is selected, each right above its original; in auto layout behind it.
pub(super) fn duplicate(
    editor: &mut Editor,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let originals = chosen(editor)?;
    let document = editor.document();
    let by = editor.last_duplicate().offset(document, &originals);
    let by = by.unwrap_or_else(|| beside(document, &originals));
    let mut copies = Vec::new();
    editor.edit("Duplicate", &originals, context, |change| {
        for original in &originals {
            copies.push(copy(change, original, by)?);
        }
        Ok(())
    })?;
    editor.set_last_duplicate(LastDuplicate::new(originals, copies.clone()));
    select_made(editor, copies);
    Ok(())
}

/// Where a first copy goes: into its place, but that of a screen beside it.
fn beside(document: &Document, originals: &[NodeId]) -> Vector {
    let are_screens = originals.iter().filter_map(|id| document.get(id)).all(|node| {
        let parent = node.parent.as_ref().and_then(|parent| document.get(parent));
        parent.is_none_or(|parent| parent.kind.is_file_or_page())
    });
    let boxes = originals.iter().filter_map(|id| document.absolute_box(id).ok());
    match Rect::union_all(boxes) {
        Some(around) if are_screens => Vector { x: around.width + BESIDE, y: 0.0 },
        _ => Vector::default(),
    }
}

fn copy(
    change: &mut Transaction<'_>,
    original: &NodeId,
    by: Vector,
) -> Result<NodeId, DocumentError> {
    let copy = change.duplicate(original)?;
    let parent = change.document().node(original)?.parent.clone();
    let siblings = change.document().children_of(parent.as_ref());
    // Right in front of its original, and not of all.
    let above = siblings.position(original).map(|at| at + 1);
    change.reparent(&copy, parent.as_ref(), above)?;
    let has_box = change.document().node(&copy)?.has_box();
    // Of what auto layout places, layout says where.
    if by != Vector::default() && has_box && !change.document().is_placed(&copy) {
        let place = change.document().absolute_transform(&copy)?;
        let (e, f) = (place.e + by.x, place.f + by.y);
        change.set_absolute_transform(&copy, Affine { e, f, ..place })?;
    }
    Ok(copy)
}
