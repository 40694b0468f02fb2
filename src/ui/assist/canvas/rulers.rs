//! Rulers at the upper and left edge of the canvas.

use std::f32::consts::FRAC_PI_2;

use egui::epaint::TextShape;
use egui::{Align2, Painter, Pos2, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::view::CanvasView;
use crate::base::{Axis, Point, Rect as PageRect};
use crate::ui::theme::{Tokens, Type, tokens};
use crate::ui::widgets::{paint_text, say};

/// How wide they are.
pub(super) const RULER: f32 = 20.0;
/// The least room between two numbers.
const LABELS: f64 = 56.0;
/// The least room between two ticks.
const TICKS: f64 = 5.0;

/// What rulers show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rulers {
    /// Where they count from, on the page.
    pub(super) zero: Point,
    /// The box of what is selected, on the page.
    pub(super) selected: Option<PageRect>,
    /// Where the pointer is.
    pub(super) pointer: Option<Pos2>,
}

/// Draws both.
pub(super) fn paint(ui: &Ui, painter: &Painter, rect: Rect, view: CanvasView, rulers: Rulers) {
    let tokens = tokens(ui);
    for axis in Axis::ALL {
        // What is pressed on a ruler is not pressed on the page below it.
        let name = if axis == Axis::Horizontal { "Ruler across" } else { "Ruler down" };
        let id = ui.scope_id().with(name);
        let response = ui.interact(strip(rect, axis), id, Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, name));
        ruler(ui, painter, strip(rect, axis), view, rulers, axis);
    }
    // Where they meet neither counts.
    let corner = Rect::from_min_size(rect.min, vec2(RULER, RULER));
    painter.rect_filled(corner, 0, tokens.panel);
    let words = match rulers.selected {
        Some(of) => format!(
            "Rulers, {:.0} to {:.0} across, {:.0} to {:.0} down",
            of.x - rulers.zero.x,
            of.right() - rulers.zero.x,
            of.y - rulers.zero.y,
            of.bottom() - rulers.zero.y
        ),
        None => "Rulers".to_owned(),
    };
    say(ui, "rulers", corner, &words);
}

fn strip(rect: Rect, axis: Axis) -> Rect {
    match axis {
        Axis::Horizontal => Rect::from_min_size(rect.min, vec2(rect.width(), RULER)),
        Axis::Vertical => Rect::from_min_size(rect.min, vec2(RULER, rect.height())),
    }
}

fn ruler(ui: &Ui, painter: &Painter, strip: Rect, view: CanvasView, rulers: Rulers, axis: Axis) {
    let tokens = tokens(ui);
    painter.rect_filled(strip, 0, tokens.panel);
    let (start, end, origin, zero) = match axis {
        Axis::Horizontal => (strip.left() + RULER, strip.right(), view.origin.x, rulers.zero.x),
        Axis::Vertical => (strip.top() + RULER, strip.bottom(), view.origin.y, rulers.zero.y),
    };
    let painter = painter.with_clip_rect(painter.clip_rect().intersect(match axis {
        Axis::Horizontal => Rect::from_min_max(pos2(start, strip.top()), strip.max),
        Axis::Vertical => Rect::from_min_max(pos2(strip.left(), start), strip.max),
    }));
    let along = |value: f64| origin + ((value + zero) * view.zoom) as f32;
    if let Some(of) = rulers.selected {
        let (from, to) = axis.span(of);
        let [from, to] = [from, to].map(|edge| along(edge - zero));
        painter.rect_filled(across(strip, axis, from, to), 0, tokens.accent_wash);
    }
    let (step, parts) = steps(view.zoom);
    let value_at = |at: f32| f64::from(at - origin) / view.zoom - zero;
    let first = (value_at(start) / step).floor() as i64;
    let last = (value_at(end) / step).ceil() as i64;
    for number in first..=last {
        let value = number as f64 * step;
        for part in 0..parts {
            let at = along(value + step * f64::from(part) / f64::from(parts));
            let length = if part == 0 { 8.0 } else { 4.0 };
            tick(&painter, tokens, strip, axis, at, length);
        }
        label(&painter, tokens, strip, axis, along(value), &format!("{value}"));
    }
    if let Some(at) = rulers.pointer {
        let at = if axis == Axis::Horizontal { at.x } else { at.y };
        painter.rect_filled(across(strip, axis, at - 0.5, at + 0.5), 0, tokens.accent);
    }
    let edge = match axis {
        Axis::Horizontal => [strip.left_bottom(), strip.right_bottom()],
        Axis::Vertical => [strip.right_top(), strip.right_bottom()],
    };
    painter.line_segment(edge, tokens.line());
}

fn across(strip: Rect, axis: Axis, from: f32, to: f32) -> Rect {
    match axis {
        Axis::Horizontal => Rect::from_x_y_ranges(from..=to, strip.y_range()),
        Axis::Vertical => Rect::from_x_y_ranges(strip.x_range(), from..=to),
    }
}

fn tick(painter: &Painter, tokens: &Tokens, strip: Rect, axis: Axis, at: f32, length: f32) {
    let ends = match axis {
        Axis::Horizontal => [pos2(at, strip.bottom() - length), pos2(at, strip.bottom())],
        Axis::Vertical => [pos2(strip.right() - length, at), pos2(strip.right(), at)],
    };
    painter.line_segment(ends, tokens.line());
}

fn label(painter: &Painter, tokens: &Tokens, strip: Rect, axis: Axis, at: f32, words: &str) {
    match axis {
        Axis::Horizontal => {
            let (pos, style) = (pos2(at + 3.0, strip.top() + 1.0), (Type::Caption, tokens.dim));
            paint_text(painter, pos, Align2::LEFT_TOP, words, style, f32::INFINITY);
        }
        Axis::Vertical => {
            let font = Type::Caption.font();
            let galley = painter.layout_no_wrap(words.to_owned(), font, tokens.dim);
            let pos = pos2(strip.left() + 1.0, at - 3.0);
            painter.add(TextShape::new(pos, galley, tokens.dim).with_angle(-FRAC_PI_2));
        }
    }
}

/// From one number to the next, in units of the page, and into how many parts that is divided: numbers stand so far
/// apart that they can be read.
fn steps(zoom: f64) -> (f64, u32) {
    let least = LABELS / zoom;
    let power = 10f64.powf(least.log10().floor());
    // 1, 2, 5 or 10 of the power of ten at or below the least; whole units at least.
    let step = [1.0, 2.0, 5.0, 10.0].map(|of| of * power).into_iter().find(|step| *step >= least);
    let step = step.unwrap_or(10.0 * power).max(1.0);
    let parts = [10, 5, 2].into_iter().find(|parts| {
        let part = step / f64::from(*parts);
        part * zoom >= TICKS && part.fract() == 0.0
    });
    (step, parts.unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_of_usual_zooms_are_round() {
        for (zoom, step, parts) in
            [(1.0, 100.0, 10), (0.5, 200.0, 10), (2.0, 50.0, 10), (8.0, 10.0, 10), (64.0, 1.0, 1)]
        {
            assert_eq!(steps(zoom), (step, parts), "{zoom}");
        }
    }

    proptest! {
        #[test]
        fn numbers_can_be_read_at_every_zoom(zoom in 0.02..64.0f64) {
            let (step, parts) = steps(zoom);
            prop_assert!(step * zoom >= LABELS - 1e-9);
            prop_assert!(step * zoom < LABELS * 10.0 + 1.0);
            prop_assert!(step * zoom / f64::from(parts) >= TICKS);
            prop_assert_eq!(step.fract(), 0.0);
        }
    }
}
