//! Small pictures of the canvas along the steps.

use egui::{Rect, Stroke, StrokeKind, Ui, pos2, vec2};

use super::axis::Axis;
use crate::base::Pixels;
use crate::ui::context::ViewContext;
use crate::ui::stage::Textures;
use crate::ui::theme::{picture_tint, tokens};
use crate::workbench::PictureKey;
use crate::workbench::views::{Timeline, filmstrip_steps};

/// A picture narrower than this says nothing.
const NARROWEST: f32 = 18.0;
const WIDEST: f32 = 40.0;

/// Draws the row.
pub(super) fn filmstrip_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    textures: &mut Textures,
    timeline: &Timeline<'_>,
    axis: &Axis,
    rect: Rect,
) {
    let last = u32::try_from(timeline.steps.len().saturating_sub(1)).unwrap_or(u32::MAX);
    let steps: Vec<u32> = filmstrip_steps(last).collect();
    let pitch = axis.column * axis.count as f32 / steps.len().max(1) as f32;
    // Where pictures stand too close, every second (third …) is left out.
    let stride = (NARROWEST / pitch.max(0.01)).ceil().max(1.0) as usize;
    let width = (pitch * stride as f32 - 2.0).clamp(4.0, WIDEST);
    for step in steps.iter().step_by(stride) {
        let cell = Rect::from_center_size(
            pos2(axis.x_of(*step), rect.center().y),
            vec2(width, rect.height()),
        );
        thumbnail_ui(ui, cx, textures, timeline, *step, cell);
    }
    current_ui(
        ui,
        timeline,
        &steps,
        stride,
        axis,
        Rect::from_center_size(rect.center(), vec2(width, rect.height())),
    );
    super::announce(ui, "timeline_filmstrip", rect, "Pictures of the steps");
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
    let Some(picture) = cx.state.ready_picture(&key) else {
        ui.painter().rect_filled(cell, 2, tokens.raised);
        return;
    };
    let uv = covering(&picture.pixels, cell);
    let scale = cell.width() * ui.pixels_per_point()
        / (uv.width() * picture.pixels.width() as f32).max(1.0);
    let texture = textures.picture(ui.ctx(), &key, &picture.pixels, scale.min(1.9));
    let far = step != timeline.current;
    ui.painter().image(texture, cell, uv, picture_tint(if far { 0.85 } else { 1.0 }));
    ui.painter().rect_stroke(cell, 1, tokens.line(), StrokeKind::Outside);
}

/// The part of a picture that fills a cell: all of its width and its top, or its middle.
fn covering(pixels: &Pixels, cell: Rect) -> Rect {
    let shape = (pixels.width() as f32 / pixels.height() as f32) / cell.aspect_ratio().max(0.01);
    if shape <= 1.0 {
        Rect::from_min_size(pos2(0.0, 0.0), vec2(1.0, shape))
    } else {
        let width = 1.0 / shape;
        Rect::from_min_size(pos2((1.0 - width) * 0.5, 0.0), vec2(width, 1.0))
    }
}

/// A frame around the picture nearest to the selected step.
fn current_ui(
    ui: &Ui,
    timeline: &Timeline<'_>,
    steps: &[u32],
    stride: usize,
    axis: &Axis,
    cell: Rect,
) {
    let nearest = steps.iter().step_by(stride).min_by_key(|step| step.abs_diff(timeline.current));
    let Some(nearest) = nearest else { return };
    let at = Rect::from_center_size(pos2(axis.x_of(*nearest), cell.center().y), cell.size());
    let stroke = Stroke::new(2.0, tokens(ui).accent);
    ui.painter().rect_stroke(at.expand(1.0), 3, stroke, StrokeKind::Outside);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tall_picture_shows_its_top_and_a_wide_one_its_middle() {
        let cell = Rect::from_min_size(pos2(0.0, 0.0), vec2(30.0, 30.0));
        let tall = Pixels::filled(10, 40, [0; 4]).unwrap();
        assert_eq!(covering(&tall, cell), Rect::from_min_size(pos2(0.0, 0.0), vec2(1.0, 0.25)));
        let wide = Pixels::filled(40, 10, [0; 4]).unwrap();
        assert_eq!(covering(&wide, cell), Rect::from_min_size(pos2(0.375, 0.0), vec2(0.25, 1.0)));
    }
}
