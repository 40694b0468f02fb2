//! Order, groups, frames, alignment, deletion, copies in place.

use super::context::EditorContext;
use super::editing::Editor;
use super::error::EditorError;

/// What is put in order.
#[derive(Clone, Debug, PartialEq)]
pub enum ArrangeAct {
    /// Takes what is selected out.
    Delete,
}

/// Does it.
pub(super) fn arrange(
    editor: &mut Editor,
    act: ArrangeAct,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    match act {
        ArrangeAct::Delete => {
            let nodes = editor.topmost_selected();
            if nodes.is_empty() {
                return Ok(());
            }
            editor.edit("Delete", &nodes, context, |change| {
                nodes.iter().try_for_each(|id| change.remove(id))
            })?;
            Ok(())
        }
    }
}
