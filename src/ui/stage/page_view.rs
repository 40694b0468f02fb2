//! Where places of a design's page lie on the screen.

use egui::{Pos2, vec2};

use super::geometry::PaneBox;
use crate::base::{Point, Rect as CanvasRect};
use crate::workbench::StagePane;

/// A pane that shows the screen of a design from edge to edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageView {
    origin: Pos2,
    screen: CanvasRect,
    zoom: f64,
}

impl PageView {
    /// What a pane shows of a page, by the box of the screen there.
    pub(super) fn of(pane: &PaneBox<StagePane>, screen: CanvasRect) -> Self {
        // By the width alone: the picture may be higher than the screen says.
        let zoom = f64::from(pane.picture.width().max(1.0)) / screen.width.max(1.0);
        Self { origin: pane.picture.min, screen, zoom }
    }

    /// Where a point of the page lies.
    pub(super) fn screen_from_page(&self, point: Point) -> Pos2 {
        let (x, y) = ((point.x - self.screen.x) * self.zoom, (point.y - self.screen.y) * self.zoom);
        self.origin + vec2(x as f32, y as f32)
    }

    /// Which point of the page lies at a place of the screen.
    pub(super) fn page_from_screen(&self, pos: Pos2) -> Point {
        let from = pos - self.origin;
        let (x, y) = (f64::from(from.x) / self.zoom, f64::from(from.y) / self.zoom);
        Point::new(self.screen.x + x, self.screen.y + y)
    }

    /// Points of the screen a unit of the page.
    pub(super) fn zoom(&self) -> f64 {
        self.zoom
    }
}
