//! The colour that was picked from the picture.

use super::context::EditorContext;
use super::editing::Editor;
use super::error::EditorError;
use super::tool::Tool;
use crate::base::Rgba;
use crate::design::{Node, NodeId, NodeKind, Paint, PaintKind};

/// Gives what is selected the colour: a line and an open path in its stroke, everything else in its fill. The
/// eyedropper is put away.
pub(super) fn pick_color(
    editor: &mut Editor,
    color: Rgba,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    if editor.tool() == Tool::Eyedropper {
        editor.set_tool(Tool::Move);
    }
    let document = editor.document();
    let nodes = editor.selection().nodes.iter();
    let nodes: Vec<NodeId> = nodes.filter(|id| !document.is_locked(id)).cloned().collect();
    if nodes.is_empty() {
        return Err(EditorError::NotPossible("nothing is selected to get the color".to_owned()));
    }
    editor.edit("Fill", &nodes, context, |change| {
        nodes.iter().try_for_each(|id| change.update(id, |node| give(node, color)))
    })?;
    Ok(())
}

/// The topmost solid paint gets the colour; without one it is the only paint there is.
fn give(node: &mut Node, color: Rgba) {
    let is_line = node.kind == NodeKind::Line
        || (matches!(node.kind, NodeKind::Vector(_)) && node.fills.is_empty());
    let paints = if is_line { &mut node.stroke.paints } else { &mut node.fills };
    let solid = paints
        .iter_mut()
        .rev()
        .find(|paint| paint.visible && matches!(paint.kind, PaintKind::Solid(_)));
    match solid {
        Some(paint) => {
            paint.kind = PaintKind::Solid(color.with_alpha(1.0));
            paint.opacity = color.a;
        }
        None => *paints = vec![Paint::solid(color)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_gets_it_in_its_stroke_and_a_shape_in_its_topmost_color() {
        let color = Rgba::from_u8([10, 20, 30, 255]);
        let mut line = Node::new("l".into(), "Line", NodeKind::Line);
        line.stroke.paints = vec![Paint::solid(Rgba::BLACK)];
        give(&mut line, color);
        assert_eq!(line.stroke.paints, [Paint::solid(color)]);
        let mut shape = Node::new("r".into(), "Rectangle", NodeKind::Rectangle);
        let hidden = Paint { visible: false, ..Paint::solid(Rgba::WHITE) };
        shape.fills = vec![Paint::solid(Rgba::BLACK), hidden.clone()];
        give(&mut shape, color);
        assert_eq!(shape.fills, [Paint::solid(color), hidden]);
        shape.fills.clear();
        give(&mut shape, color);
        assert_eq!(shape.fills, [Paint::solid(color)]);
    }
}
