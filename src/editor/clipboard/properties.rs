//! The look of one node for others.

use crate::design::Node;
use crate::design::diff::StyleField;
use crate::editor::arrange::members::chosen;
use crate::editor::context::EditorContext;
use crate::editor::editing::Editor;
use crate::editor::error::EditorError;

/// What is taken over: not what a node is, says or has room for.
const FIELDS: [StyleField; 9] = [
    StyleField::Opacity,
    StyleField::BlendMode,
    StyleField::Fills,
    StyleField::Strokes,
    StyleField::StrokeWeight,
    StyleField::StrokeForm,
    StyleField::Effects,
    StyleField::Corners,
    StyleField::Font,
];

/// Gives what is selected the look of a node, which need not be in the design. Letters of a text are set as those of
/// another text; how its box follows it stays.
pub(super) fn paste(
    editor: &mut Editor,
    from: &Node,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let nodes = chosen(editor)?;
    editor.edit("Paste properties", &nodes, context, |change| {
        nodes.iter().try_for_each(|id| {
            change.update(id, |node| {
                for field in FIELDS {
                    field.copy(from, node);
                }
                copy_letters(from, node);
            })
        })
    })?;
    Ok(())
}

fn copy_letters(from: &Node, to: &mut Node) {
    let (Some(from), Some(to)) = (from.text(), to.text_mut()) else { return };
    let (from, to) = (&from.style, &mut to.style);
    (to.align, to.vertical_align) = (from.align, from.vertical_align);
    (to.line_height, to.letter_spacing) = (from.line_height, from.letter_spacing);
    (to.case, to.decoration) = (from.case, from.decoration);
    to.opentype.clone_from(&from.opentype);
}
