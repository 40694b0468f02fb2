//! Outlines of what would become of nodes, over a picture that they are no part of: added, removed, changed. Each kind
//! has a line and a sign of its own beside its colour.

use egui::{Align2, Color32, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, pos2, vec2};

use super::theme::{Type, size, tokens};
use super::widgets::{paint_text, text_width};
use crate::agent::assistant::GhostChange;

/// Between the lines of a hatch.
const HATCH: f32 = 7.0;
/// A tag across, at most, and its height.
const TAG: [f32; 2] = [240.0, 18.0];

/// The sign of what would become of a node.
pub(super) fn ghost_sign(change: GhostChange) -> &'static str {
    match change {
        GhostChange::Added => "+",
        GhostChange::Removed => "−",
        GhostChange::Changed => "~",
    }
}

/// The colour over a picture of what would become of a node.
pub(super) fn ghost_color(ui: &Ui, change: GhostChange) -> Color32 {
    let [added, removed, changed] = tokens(ui).ghost;
    match change {
        GhostChange::Added => added,
        GhostChange::Removed => removed,
        GhostChange::Changed => changed,
    }
}

/// Outlines a node that lies at these corners, and would lie at those.
pub(super) fn paint_ghost(
    ui: &Ui,
    painter: &Painter,
    change: GhostChange,
    before: Option<[Pos2; 4]>,
    after: Option<[Pos2; 4]>,
) {
    let color = ghost_color(ui, change);
    let stroke = Stroke::new(2.0, color);
    // Under the line, so that it is seen on a picture of its own colour.
    let halo = Stroke::new(4.0, tokens(ui).halo);
    match (change, before, after) {
        (GhostChange::Added, _, Some(after)) => {
            let fill = color.gamma_multiply(0.18);
            painter.add(Shape::convex_polygon(after.to_vec(), fill, Stroke::NONE));
            painter.add(Shape::closed_line(after.to_vec(), halo));
            painter.add(Shape::closed_line(after.to_vec(), stroke));
        }
        (GhostChange::Removed, Some(before), _) => {
            hatch(painter, Rect::from_points(&before), Stroke::new(1.0, color));
            painter.add(Shape::closed_line(before.to_vec(), halo));
            painter.add(Shape::closed_line(before.to_vec(), stroke));
        }
        (GhostChange::Changed, before, Some(after)) => {
            painter.add(Shape::closed_line(after.to_vec(), halo));
            painter.extend(Shape::dashed_line(&closed(after), stroke, 6.0, 4.0));
            // From where it lies now to where it would.
            if let Some(before) = before.filter(|before| is_elsewhere(*before, after)) {
                let [from, to] = [before, after].map(|it| Rect::from_points(&it).center());
                painter.arrow(from, to - from, Stroke::new(1.5, color));
            }
        }
        _ => {}
    }
}

/// A sign and words above a box, inside what is seen and beside the tags that are taken. Gives where it stands.
pub(super) fn paint_ghost_tag(
    ui: &Ui,
    painter: &Painter,
    (change, words): (GhostChange, &str),
    around: Rect,
    (visible, taken): (Rect, &[Rect]),
) -> Rect {
    let [most, height] = TAG;
    let width = (text_width(ui, words, Type::Caption) + 12.0).min(most);
    // Inside, also where the node reaches beyond it.
    let last = (visible.max - vec2(width, height)).max(visible.min);
    let above = around.left_top() - vec2(0.0, height + 3.0);
    let corner = above.min(last).max(visible.min);
    let tag = free_place(Rect::from_min_size(corner, vec2(width, height)), visible, taken);
    let tokens = tokens(ui);
    let edge = Stroke::new(1.5, ghost_color(ui, change));
    painter.rect(tag, size::RADIUS_SMALL, tokens.overlay, edge, StrokeKind::Inside);
    let place = pos2(tag.left() + 6.0, tag.center().y);
    let style = (Type::Caption, tokens.text);
    paint_text(painter, place, Align2::LEFT_CENTER, words, style, width - 10.0);
    tag
}

/// The nearest place upwards, then downwards, where no other tag is; where there is none, this one.
fn free_place(tag: Rect, visible: Rect, taken: &[Rect]) -> Rect {
    let moved = |lines: i8| tag.translate(vec2(0.0, f32::from(lines) * (tag.height() + 2.0)));
    let places = (0..=6).map(|lines: i8| moved(-lines)).chain((1..=6).map(moved));
    let mut seen = places.filter(|place| visible.contains_rect(*place));
    seen.find(|place| !taken.iter().any(|it| it.intersects(*place))).unwrap_or(tag)
}

/// A number in a disc, the same on the canvas and in words.
pub(super) fn paint_disc(ui: &Ui, painter: &Painter, center: Pos2, number: usize) {
    let tokens = tokens(ui);
    painter.circle(center, 8.0, tokens.text, Stroke::new(1.0, tokens.panel));
    let style = (Type::Caption, tokens.panel);
    paint_text(painter, center, Align2::CENTER_CENTER, &number.to_string(), style, 16.0);
}

/// A line around that ends where it begins.
fn closed([a, b, c, d]: [Pos2; 4]) -> [Pos2; 5] {
    [a, b, c, d, a]
}

fn is_elsewhere(before: [Pos2; 4], after: [Pos2; 4]) -> bool {
    let by = Rect::from_points(&before).center() - Rect::from_points(&after).center();
    by.length() > 8.0
}

/// Lines across a rectangle.
fn hatch(painter: &Painter, rect: Rect, stroke: Stroke) {
    let painter = painter.with_clip_rect(rect.intersect(painter.clip_rect()));
    // Only where it is seen: a page that is zoomed in may reach far beyond the pane.
    let seen = painter.clip_rect();
    if !seen.is_positive() {
        return;
    }
    let mut x = seen.left() - seen.height();
    while x < seen.right() {
        let line = [pos2(x, seen.bottom()), pos2(x + seen.height(), seen.top())];
        painter.add(Shape::line_segment(line, stroke));
        x += HATCH;
    }
}
