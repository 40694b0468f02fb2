//! The loupe: the pixels around the pointer, of every picture at once, with the value of the one under it.

use std::sync::Arc;

use egui::{Align2, Rect, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::geometry::PicturePlace;
use super::shown::ShownPanes;
use crate::ui::theme::{Type, picture_tint, swatch_color, tokens};
use crate::ui::widgets::paint_text;
use crate::workbench::protocol::StagePicture;
use crate::workbench::{SLOT_NAMES, StagePane};

/// Pixels to each side of the one under the pointer.
const REACH: i64 = 5;
/// Points a pixel.
const CELL: f32 = 9.0;
/// Pixels along a side.
const SIDE: f32 = (2 * REACH + 1) as f32 * CELL;
/// Between two pictures.
const GAP: f32 = 10.0;
/// Name and value, above and below.
const LINE: f32 = 17.0;
/// Pictures in a row.
const ROW: usize = 3;
/// How wide it is.
pub(super) const WIDTH: f32 = ROW as f32 * (SIDE + GAP);

/// A picture with the pixel of it that is under the pointer.
#[derive(Clone, Debug)]
pub(super) struct Magnified {
    name: &'static str,
    picture: Arc<StagePicture>,
    at: [u32; 2],
}

/// Everything that shows this place: what a pane shows, the ground truth where that is the same place, and what
/// stands beside.
pub(super) fn magnified(
    shown: &ShownPanes<'_>,
    own: StagePane,
    with_truth: bool,
    place: PicturePlace,
) -> Vec<Magnified> {
    let truth = with_truth.then_some(("truth", &shown.ground_truth));
    let branch = shown.shows_branch().then_some(("what-if", &shown.branch));
    let slots = SLOT_NAMES.into_iter().zip(&shown.slots);
    let all = [("run", shown.pane(own))].into_iter().chain(truth).chain(branch).chain(slots);
    let found = all.filter_map(|(name, pane)| {
        let picture = pane.picture?;
        let at = place.pixel_in([picture.pixels.width(), picture.pixels.height()])?;
        Some(Magnified { name, picture: Arc::clone(picture), at })
    });
    found.collect()
}

/// A colour in hexadecimal digits, with its opacity where it is not opaque.
pub(super) fn hex([r, g, b, a]: [u8; 4]) -> String {
    let opacity = if a < u8::MAX { format!("{a:02X}") } else { String::new() };
    format!("#{r:02X}{g:02X}{b:02X}{opacity}")
}

/// Draws them beside each other.
pub(super) fn loupe_ui(ui: &mut Ui, pictures: &[Magnified]) {
    let rows = pictures.len().div_ceil(ROW) as f32;
    let columns = pictures.len().min(ROW) as f32;
    let height = SIDE + 2.0 * LINE;
    let wanted = vec2(columns * (SIDE + GAP) - GAP, rows * (height + GAP) - GAP);
    let (rect, _) = ui.allocate_exact_size(wanted.max(vec2(0.0, 0.0)), Sense::hover());
    for (place, magnified) in pictures.iter().enumerate() {
        let corner =
            vec2((place % ROW) as f32 * (SIDE + GAP), (place / ROW) as f32 * (height + GAP));
        picture_ui(ui, magnified, Rect::from_min_size(rect.min + corner, vec2(SIDE, height)));
    }
}

fn picture_ui(ui: &Ui, magnified: &Magnified, rect: Rect) {
    let tokens = tokens(ui);
    let painter = ui.painter();
    let pixels = &magnified.picture.pixels;
    let grid = Rect::from_min_size(pos2(rect.left(), rect.top() + LINE), vec2(SIDE, SIDE));
    let cell_of = |dx: i64, dy: i64| {
        let at = vec2((dx + REACH) as f32, (dy + REACH) as f32) * CELL;
        Rect::from_min_size(grid.min + at, vec2(CELL, CELL))
    };
    for (dx, dy) in (-REACH..=REACH).flat_map(|dy| (-REACH..=REACH).map(move |dx| (dx, dy))) {
        let [x, y] = [(magnified.at[0], dx), (magnified.at[1], dy)]
            .map(|(at, by)| u32::try_from(i64::from(at) + by).ok());
        let color = x.zip(y).and_then(|(x, y)| pixels.get(x, y));
        // Beyond the edge there is nothing, which no colour of a picture stands for.
        let fill = color.map_or(tokens.overlay, swatch_color);
        painter.rect_filled(cell_of(dx, dy), 0, fill);
        if color.is_some() {
            let line = Stroke::new(0.5, tokens.pixel_grid);
            painter.rect_stroke(cell_of(dx, dy), 0, line, StrokeKind::Inside);
        }
    }
    painter.rect_stroke(grid, 0, tokens.line(), StrokeKind::Outside);
    // Dark around light: seen on pictures of any colour.
    let middle = cell_of(0, 0);
    painter.rect_stroke(middle, 0, Stroke::new(3.0, tokens.halo), StrokeKind::Outside);
    painter.rect_stroke(middle, 0, Stroke::new(1.5, picture_tint(1.0)), StrokeKind::Outside);
    let [x, y] = magnified.at;
    let value = pixels.get(x, y).map(hex).unwrap_or_default();
    let name = (Type::Caption, tokens.dim);
    let left = Align2::LEFT_CENTER;
    let above = pos2(rect.left(), rect.top() + LINE * 0.5 - 1.0);
    paint_text(painter, above, left, magnified.name, name, SIDE);
    let below = pos2(rect.left(), rect.bottom() - LINE * 0.5 + 1.0);
    paint_text(painter, below, left, &value, (Type::Mono, tokens.text), SIDE);
    let response = ui.interact(rect, ui.scope_id().with(("loupe", magnified.name)), Sense::hover());
    let spoken = format!("Loupe: {} {value} at {x}, {y}", magnified.name);
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, &spoken));
}
