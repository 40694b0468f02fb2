//! What is drawn over the picture: what is selected, and what it is drawn to.

use egui::{Painter, Shape, Stroke, Ui};

use super::view::CanvasView;
use crate::base::{Axis, Point};
use crate::design::gesture::Guide;
use crate::design::{Document, NodeId};
use crate::ui::theme::tokens;
use crate::workbench::AssistDesk;

/// Paints it.
pub(super) fn paint(ui: &Ui, painter: &Painter, desk: &AssistDesk, view: CanvasView) {
    let tokens = tokens(ui);
    let document = desk.editor.shown();
    for id in &desk.editor.selection().nodes {
        if let Some(corners) = corners_of(document, id) {
            let corners = corners.map(|corner| view.to_screen(corner)).to_vec();
            painter.add(Shape::closed_line(corners, Stroke::new(1.5, tokens.accent)));
        }
    }
    let stroke = Stroke::new(1.0, tokens.guide);
    for guide in desk.editor.guides() {
        painter.add(Shape::line_segment(ends(guide).map(|end| view.to_screen(end)), stroke));
    }
}

fn ends(guide: &Guide) -> [Point; 2] {
    match guide.axis {
        Axis::Horizontal => [Point::new(guide.at, guide.from), Point::new(guide.at, guide.to)],
        Axis::Vertical => [Point::new(guide.from, guide.at), Point::new(guide.to, guide.at)],
    }
}

/// The corners of a node's box on the page, clockwise from its own left top corner.
pub(super) fn corners_of(document: &Document, id: &NodeId) -> Option<[Point; 4]> {
    let node = document.get(id).filter(|node| node.has_box())?;
    let page_from_node = document.absolute_transform(id).ok()?;
    let (width, height) = (node.size.width, node.size.height);
    let corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)];
    Some(corners.map(|(x, y)| page_from_node.apply(Point::new(x, y))))
}
