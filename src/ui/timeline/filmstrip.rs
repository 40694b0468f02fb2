//! Small pictures of the canvas along the steps.

use egui::{Id, Rect, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};

use super::axis::TimelineAxis;
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::stage::Textures;
use crate::ui::theme::{Type, picture_tint, tokens};
use crate::ui::widgets::{paint_text, say, say_picture};
use crate::workbench::views::{Timeline, filmstrip_steps};
use crate::workbench::{Fetched, PictureKey};

/// A picture narrower than this says nothing.
const NARROWEST: f32 = 18.0;
const WIDEST: f32 = 40.0;

/// Draws the row.
pub(super) fn filmstrip_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    textures: &mut Textures,
    timeline: &Timeline<'_>,
    axis: &TimelineAxis,
    rect: Rect,
) {
    let last = u32::try_from(timeline.steps.len().saturating_sub(1)).unwrap_or(u32::MAX);
    let steps: Vec<u32> = filmstrip_steps(last).collect();
    let length = axis.column * axis.count as f32;
    // Where pictures stand too close, every second (third …) is left out.
    let most = (length / NARROWEST).max(1.0);
    let stride = (steps.len() as f32 / most).ceil().max(1.0) as usize;
    let steps: Vec<u32> = steps.into_iter().step_by(stride).collect();
    let cells = cells(rect, axis, length, steps.len());
    // Of pictures alone there is no start.
    let shown = steps.iter().zip(&cells).filter(|(step, _)| **step >= cx.state.first_step());
    for (step, cell) in shown {
        thumbnail_ui(ui, cx, textures, timeline, *step, *cell);
    }
    // The selected step may have no picture of its own here: the nearest one is marked.
    let nearest = (0..steps.len()).min_by_key(|at| steps[*at].abs_diff(timeline.current));
    if let Some(cell) = nearest.and_then(|at| cells.get(at)) {
        let stroke = Stroke::new(2.0, tokens(ui).accent);
        ui.painter().rect_stroke(cell.expand(1.0), 3, stroke, StrokeKind::Outside);
    }
    say_picture(ui, Id::unique("timeline_filmstrip"), rect, "Pictures of the steps");
}

/// Evenly along the axis, so that the first and the last stay within it: above their steps where every
/// step has a picture, else within half a picture of them.
fn cells(rect: Rect, axis: &TimelineAxis, length: f32, count: usize) -> Vec<Rect> {
    let pitch = length / count.max(1) as f32;
    let size = vec2((pitch - 2.0).clamp(4.0, WIDEST), rect.height());
    let left = axis.x_of(0) - axis.column * 0.5;
    let cells = (0..count).map(|at| {
        let center = pos2(left + (at as f32 + 0.5) * pitch, rect.center().y);
        Rect::from_center_size(center, size)
    });
    cells.collect()
}

fn thumbnail_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    textures: &mut Textures,
    timeline: &Timeline<'_>,
    step: u32,
    cell: Rect,
) {
    let tokens = tokens(ui);
    let key = PictureKey::Thumbnail(timeline.run_id, step);
    // The place is kept, so that nothing moves when the picture comes.
    let Some(picture) = cx.state.ready_picture(&key) else {
        ui.painter().rect_filled(cell, 2, tokens.raised);
        if let Some(Fetched::Failed(why)) = cx.state.derived.pictures.get(&key) {
            broken_ui(ui, step, why, cell);
        }
        return;
    };
    let size = vec2(picture.pixels.width() as f32, picture.pixels.height() as f32);
    let uv = covering(size, cell);
    let scale = cell.width() * ui.pixels_per_point() / (uv.width() * size.x).max(1.0);
    // Below twice its size, from where a texture would be sharp: small pictures shall be smooth.
    let texture = textures.picture(ui.ctx(), &key, picture, scale.min(1.9));
    let far = step != timeline.current;
    ui.painter().image(texture, cell, uv, picture_tint(if far { 0.85 } else { 1.0 }));
    ui.painter().rect_stroke(cell, 1, tokens.line(), StrokeKind::Outside);
}

/// In place of a picture that cannot be had: that, and on hover why.
fn broken_ui(ui: &Ui, step: u32, why: &str, cell: Rect) {
    let style = (Type::Icon, tokens(ui).dim);
    let (at, anchor) = (cell.center(), egui::Align2::CENTER_CENTER);
    paint_text(ui.painter(), at, anchor, icons::PICTURE_BROKEN, style, cell.width());
    let words = format!("No picture of step {step}: {why}");
    say(ui, ("broken_thumbnail", step), cell, &words).on_hover_text(words);
}

/// The part of a picture that fills a cell: all of its width and its top, or its middle.
fn covering(size: Vec2, cell: Rect) -> Rect {
    let shape = (size.x / size.y) / cell.aspect_ratio().max(0.01);
    if shape <= 1.0 {
        Rect::from_min_size(pos2(0.0, 0.0), vec2(1.0, shape))
    } else {
        let width = 1.0 / shape;
        Rect::from_min_size(pos2((1.0 - width) * 0.5, 0.0), vec2(width, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tall_picture_shows_its_top_and_a_wide_one_its_middle() {
        let cell = Rect::from_min_size(pos2(0.0, 0.0), vec2(30.0, 30.0));
        let tall = vec2(10.0, 40.0);
        assert_eq!(covering(tall, cell), Rect::from_min_size(pos2(0.0, 0.0), vec2(1.0, 0.25)));
        let wide = vec2(40.0, 10.0);
        assert_eq!(covering(wide, cell), Rect::from_min_size(pos2(0.375, 0.0), vec2(0.25, 1.0)));
    }

    #[test]
    fn every_picture_of_a_long_run_stays_on_the_axis() {
        let rect = Rect::from_min_size(pos2(12.0, 0.0), vec2(800.0, 40.0));
        for (count, shown) in [(3, 3), (27, 27), (120, 24)] {
            let axis = TimelineAxis::new(rect.x_range(), count);
            let length = axis.column * axis.count as f32;
            for cell in cells(rect, &axis, length, shown) {
                assert!(cell.left() >= rect.left() && cell.right() <= rect.right(), "{cell:?}");
            }
        }
    }
}
