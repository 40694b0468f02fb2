//! Where the page lies on the screen.

use egui::{PointerButton, Pos2, Rect, Response, Ui, Vec2, pos2, vec2};

use crate::base::{Point, Rect as PageRect};

/// Smallest and largest zoom.
const ZOOM: (f64, f64) = (0.02, 64.0);

/// So near to the edge something is not seen, in points of the screen.
const EDGE: f64 = 4.0;

/// Where the page lies on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::ui::assist) struct CanvasView {
    /// Where the page's 0, 0 is.
    pub(in crate::ui::assist) origin: Pos2,
    /// Points of the screen a unit of the page.
    pub(in crate::ui::assist) zoom: f64,
}

impl CanvasView {
    /// All of a box, in the middle.
    pub(super) fn fitted(of: PageRect, into: Rect) -> Self {
        let room = into.shrink(40.0).size();
        let (width, height) = (of.width.max(1.0), of.height.max(1.0));
        let zoom = (f64::from(room.x) / width).min(f64::from(room.y) / height);
        let zoom = zoom.clamp(ZOOM.0, 1.0);
        let middle = of.center();
        let at = vec2((middle.x * zoom) as f32, (middle.y * zoom) as f32);
        Self { origin: into.center() - at, zoom }
    }

    /// Moved and zoomed by wheel, pinch and the middle button; by the first one too while that pans.
    pub(super) fn navigated(
        mut self,
        ui: &Ui,
        rect: Rect,
        response: &Response,
        pans: bool,
    ) -> Self {
        if response.dragged_by(PointerButton::Middle) {
            self.origin += response.drag_delta();
        } else if pans {
            self.origin += ui.input(|input| input.pointer.delta());
        }
        let Some(pos) = response.hover_pos().filter(|pos| rect.contains(*pos)) else { return self };
        let (zoom, scroll) = ui.input(|input| (input.zoom_delta(), input.smooth_scroll_delta));
        if scroll != Vec2::ZERO {
            self.origin += scroll;
        }
        if (zoom - 1.0).abs() > f32::EPSILON { self.zoomed(f64::from(zoom), pos) } else { self }
    }

    /// Zoomed about a place that stays.
    pub(super) fn zoomed(self, by: f64, about: Pos2) -> Self {
        self.zoomed_to(self.zoom * by, about)
    }

    /// The same at this zoom exactly: a product may come out a little less than what it is called.
    pub(super) fn zoomed_to(self, zoom: f64, about: Pos2) -> Self {
        let zoom = zoom.clamp(ZOOM.0, ZOOM.1);
        let page = self.to_page(about);
        let at = vec2((page.x * zoom) as f32, (page.y * zoom) as f32);
        Self { origin: about - at, zoom }
    }

    /// Where a place of the page is on the screen.
    pub(in crate::ui::assist) fn to_screen(self, at: Point) -> Pos2 {
        let (x, y) = ((at.x * self.zoom) as f32, (at.y * self.zoom) as f32);
        pos2(self.origin.x + x, self.origin.y + y)
    }

    /// What place of the page is there.
    pub(in crate::ui::assist) fn to_page(self, at: Pos2) -> Point {
        let by = at - self.origin;
        Point::new(f64::from(by.x) / self.zoom, f64::from(by.y) / self.zoom)
    }

    /// Where a box of the page is on the screen.
    pub(in crate::ui::assist) fn rect_to_screen(self, of: PageRect) -> Rect {
        let corner = Point::new(of.right(), of.bottom());
        Rect::from_min_max(self.to_screen(of.origin()), self.to_screen(corner))
    }

    /// With these boxes in the middle, as large as they are seen if they fit; as it is if any of them is seen already.
    pub(super) fn showing(self, boxes: &[PageRect], room: Rect) -> Self {
        // What is hidden by half a point is seen.
        let seen = self.visible(room).expand(-EDGE / self.zoom);
        let is_seen = |of: &PageRect| of.expand(EDGE / self.zoom).intersection(seen).is_some();
        let all = PageRect::union_all(boxes.iter().copied());
        let Some(all) = all.filter(|_| !boxes.iter().any(is_seen)) else { return self };
        let fits = all.width * self.zoom <= f64::from(room.width())
            && all.height * self.zoom <= f64::from(room.height());
        if !fits {
            return Self::fitted(all, room);
        }
        let by = room.center() - self.to_screen(all.center());
        Self { origin: self.origin + by, ..self }
    }

    /// The part of the page that is seen.
    pub(super) fn visible(self, rect: Rect) -> PageRect {
        PageRect::from_corners(self.to_page(rect.min), self.to_page(rect.max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_sight_is_brought_into_the_middle_and_what_is_seen_stays() {
        let room = Rect::from_min_size(pos2(100.0, 50.0), vec2(400.0, 300.0));
        let view = CanvasView { origin: room.min, zoom: 2.0 };
        let far = PageRect::new(1_000.0, 500.0, 20.0, 0.0);
        let near = PageRect::new(150.0, 100.0, 500.0, 10.0);
        assert_eq!(view.showing(&[], room), view);
        assert_eq!(view.showing(&[far, near], room), view, "some of it is seen");
        let shown = view.showing(&[far], room);
        assert_eq!((shown.zoom, shown.to_screen(far.center())), (2.0, room.center()));
        assert_eq!(shown.showing(&[far], room), shown);
        // At a named zoom it is there exactly, from wherever.
        for zoom in [0.02, 0.37, 1.1, 6.3] {
            assert_eq!(CanvasView { zoom, ..view }.zoomed_to(8.0, room.center()).zoom, 8.0);
        }
        // More than fits is fitted.
        let large = PageRect::new(1_000.0, 500.0, 5_000.0, 20.0);
        let shown = view.showing(&[large], room);
        assert!(shown.zoom < 2.0 && room.contains_rect(shown.rect_to_screen(large)));
    }
}
