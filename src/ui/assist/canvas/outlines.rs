//! The design as lines: the contour of every layer that is drawn, in place of the picture.

use egui::{Painter, Pos2, Rect, Shape, Stroke, Ui};

use super::view::CanvasView;
use crate::base::Point;
use crate::design::gesture::outline;
use crate::design::{Document, NodeId};
use crate::ui::theme::tokens;
use crate::workbench::AssistDesk;

/// The contours on the page, made anew with the design.
#[derive(Debug, Default)]
pub(super) struct Outlines {
    of: Option<(u64, u64)>,
    lines: Vec<Vec<Point>>,
}

impl Outlines {
    /// Draws them.
    pub(super) fn paint(
        &mut self,
        ui: &Ui,
        painter: &Painter,
        desk: &AssistDesk,
        view: CanvasView,
    ) {
        let of = (desk.number, desk.editor.revision());
        if self.of != Some(of) {
            self.of = Some(of);
            self.lines = contours(&desk.editor.shown_on_page());
        }
        let stroke = Stroke::new(1.0, tokens(ui).dim);
        let seen = painter.clip_rect();
        for line in &self.lines {
            let line: Vec<Pos2> = line.iter().map(|at| view.to_screen(*at)).collect();
            if Rect::from_points(&line).expand(1.0).intersects(seen) {
                painter.add(Shape::line(line, stroke));
            }
        }
    }
}

/// The contours of all layers that are drawn, on the page.
fn contours(document: &Document) -> Vec<Vec<Point>> {
    let mut lines = Vec::new();
    let mut stack: Vec<&NodeId> = document.roots().iter().collect();
    while let Some(id) = stack.pop() {
        let Some(node) = document.get(id).filter(|node| node.visible) else { continue };
        stack.extend(node.children.iter());
        let Ok(page_from_node) = document.absolute_transform(id) else { continue };
        if node.has_box() {
            let own = outline(node).into_iter();
            lines.extend(own.map(|line| {
                line.into_iter().map(|at| page_from_node.apply(at)).collect::<Vec<_>>()
            }));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Affine, Size};
    use crate::design::{Node, NodeKind};

    #[test]
    fn hidden_layers_have_no_contour_and_all_others_theirs_on_the_page() {
        let node = |id: &str, parent: Option<&str>, x: f64| Node {
            parent: parent.map(NodeId::from),
            transform: Affine::translate(x, 0.0),
            size: Size::new(10.0, 20.0),
            ..Node::new(
                id.into(),
                id,
                if parent.is_none() { NodeKind::Frame } else { NodeKind::Line },
            )
        };
        let hidden = Node { visible: false, ..node("hidden", Some("frame"), 7.0) };
        let nodes = [node("frame", None, 100.0), node("line", Some("frame"), 5.0), hidden];
        let lines = contours(&Document::from_nodes(nodes).unwrap());
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[1], [Point::new(105.0, 0.0), Point::new(115.0, 0.0)]);
    }
}
