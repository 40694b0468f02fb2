//! What the assistant would do next, outlined over the design that it is about: nothing of it is in the picture.

use egui::{Align2, Color32, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, pos2, vec2};

use super::geometry::{Arrangement, PaneBox};
use super::page_view::PageView;
use crate::agent::assistant::GhostChange;
use crate::base::Point;
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{paint_text, say, text_width};
use crate::workbench::{GhostOutline, StagePane, views};

/// Between the lines of a hatch.
const HATCH: f32 = 7.0;
/// A tag across, at most, and its height.
const TAG: [f32; 2] = [160.0, 18.0];
/// Most nodes that are named; all are outlined.
const MOST_TAGS: usize = 12;

/// Draws the outlines over the pane that shows the end of the branch.
pub(super) fn ghost_ui(ui: &Ui, cx: &ViewContext<'_>, arrangement: &Arrangement<StagePane>) {
    let Some(step) = views::ghost_step(cx.state) else { return };
    let is_branch = views::is_branch_edited(cx.state);
    let own = if is_branch { StagePane::Branch } else { StagePane::Run };
    for pane in arrangement.panes.iter().filter(|pane| pane.pane == own) {
        let view = PageView::of(pane, step.screen);
        for (at, outline) in step.ghost.iter().enumerate() {
            outline_ui(ui, pane, view, outline);
            if at < MOST_TAGS {
                tag_ui(ui, pane, view, (at, outline));
            }
        }
    }
}

fn color_of(ui: &Ui, change: GhostChange) -> Color32 {
    let [added, removed, changed] = tokens(ui).ghost;
    match change {
        GhostChange::Added => added,
        GhostChange::Removed => removed,
        GhostChange::Changed => changed,
    }
}

fn outline_ui(ui: &Ui, pane: &PaneBox<StagePane>, view: PageView, outline: &GhostOutline) {
    let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
    let color = color_of(ui, outline.change);
    let stroke = Stroke::new(2.0, color);
    // Under the line, so that it is seen on a picture of its own colour.
    let halo = Stroke::new(4.0, tokens(ui).halo);
    let [before, after] =
        [outline.before, outline.after].map(|corners| corners.map(|it| on_screen(view, it)));
    match (outline.change, before, after) {
        (GhostChange::Added, _, Some(after)) => {
            let fill = color.gamma_multiply(0.18);
            painter.add(Shape::convex_polygon(after.to_vec(), fill, Stroke::NONE));
            painter.add(Shape::closed_line(after.to_vec(), halo));
            painter.add(Shape::closed_line(after.to_vec(), stroke));
        }
        (GhostChange::Removed, Some(before), _) => {
            hatch(&painter, Rect::from_points(&before), Stroke::new(1.0, color));
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

/// The sign and the name, above the outline.
fn tag_ui(
    ui: &Ui,
    pane: &PaneBox<StagePane>,
    view: PageView,
    (at, outline): (usize, &GhostOutline),
) {
    let Some(corners) = outline.after.or(outline.before) else { return };
    let sign = match outline.change {
        GhostChange::Added => "+",
        GhostChange::Removed => "−",
        GhostChange::Changed => "~",
    };
    let words = format!("{sign} {}", outline.name);
    let around = Rect::from_points(&on_screen(view, corners));
    let [most, height] = TAG;
    let width = (text_width(ui, &words, Type::Caption) + 12.0).min(most);
    // Inside the pane, also where the node reaches beyond it.
    let last = (pane.visible.max - vec2(width, height)).max(pane.visible.min);
    let above = around.left_top() - vec2(0.0, height + 3.0);
    let corner = above.min(last).max(pane.visible.min);
    let tag = Rect::from_min_size(corner, vec2(width, height));
    let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
    let tokens = tokens(ui);
    let edge = Stroke::new(1.5, color_of(ui, outline.change));
    painter.rect(tag, size::RADIUS_SMALL, tokens.overlay, edge, StrokeKind::Inside);
    let place = pos2(tag.left() + 6.0, tag.center().y);
    let style = (Type::Caption, tokens.text);
    paint_text(&painter, place, Align2::LEFT_CENTER, &words, style, width - 10.0);
    say(ui, ("ghost", pane.pane, at), tag, &words);
}

fn on_screen(view: PageView, corners: [Point; 4]) -> [Pos2; 4] {
    corners.map(|corner| view.screen_from_page(corner))
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
