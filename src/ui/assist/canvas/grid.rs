//! Lines between the pixels of the picture.

use egui::{Painter, Rect, Stroke, Ui, pos2};

use super::view::CanvasView;
use crate::base::Rect as PageRect;
use crate::ui::theme::tokens;

/// From how many points of the screen a unit on there are any.
const FROM_ZOOM: f64 = 8.0;

/// Draws them over the screen of the design, where they are far enough apart.
pub(super) fn paint(ui: &Ui, painter: &Painter, rect: Rect, view: CanvasView, screen: PageRect) {
    if view.zoom < FROM_ZOOM {
        return;
    }
    // As there are no more of them than the canvas has points, divided by the zoom, they are few.
    let Some(seen) = view.visible(rect).intersection(screen) else { return };
    let area = view.rect_to_screen(seen);
    let stroke = Stroke::new(1.0, tokens(ui).pixel_grid);
    for x in seen.x.ceil() as i64..=seen.right().floor() as i64 {
        let x = view.origin.x + (x as f64 * view.zoom) as f32;
        painter.line_segment([pos2(x, area.top()), pos2(x, area.bottom())], stroke);
    }
    for y in seen.y.ceil() as i64..=seen.bottom().floor() as i64 {
        let y = view.origin.y + (y as f64 * view.zoom) as f32;
        painter.line_segment([pos2(area.left(), y), pos2(area.right(), y)], stroke);
    }
}
