//! Opacity, eyes and locks.

use super::members::chosen;
use crate::design::diff::StyleField;
use crate::design::gesture::{BurstKey, BurstKind};
use crate::design::hunk::Field;
use crate::editor::context::EditorContext;
use crate::editor::editing::Editor;
use crate::editor::error::EditorError;

/// Sets the opacity of what is selected.
pub(super) fn opacity(
    editor: &mut Editor,
    percent: u8,
    goes_on: bool,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let nodes = chosen(editor)?;
    if !goes_on {
        editor.end_burst();
    }
    let field = Field::Style(StyleField::Opacity);
    let key = BurstKey { kind: BurstKind::Typing, nodes: nodes.clone(), field };
    let opacity = f64::from(percent) / 100.0;
    editor.edit_in_burst("Opacity", &nodes, Some(key), context, |change| {
        nodes.iter().try_for_each(|id| change.update(id, |node| node.opacity = opacity))
    })?;
    Ok(())
}

/// Hides what is selected, or shows it if all of it is hidden.
pub(super) fn toggle_visible(
    editor: &mut Editor,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let nodes = chosen(editor)?;
    let mut all = nodes.iter().filter_map(|id| editor.document().get(id));
    let shows = all.all(|node| !node.visible);
    let label = if shows { "Show" } else { "Hide" };
    editor.edit(label, &nodes, context, |change| {
        nodes.iter().try_for_each(|id| change.update(id, |node| node.visible = shows))
    })?;
    Ok(())
}

/// Locks what is selected, or unlocks it if all of it is locked.
pub(super) fn toggle_locked(
    editor: &mut Editor,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let nodes = chosen(editor)?;
    let mut all = nodes.iter().filter_map(|id| editor.document().get(id));
    let locks = !all.all(|node| node.locked);
    let label = if locks { "Lock" } else { "Unlock" };
    editor.edit(label, &nodes, context, |change| {
        nodes.iter().try_for_each(|id| change.update(id, |node| node.locked = locks))
    })?;
    Ok(())
}
