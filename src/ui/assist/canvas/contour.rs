//! The points of a path that is edited, and the path that the pen draws.

use egui::{Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, vec2};

use super::view::CanvasView;
use crate::base::{Affine, Point};
use crate::design::{Anchor, AnchorId, Contour, HandleSide};
use crate::editor::{InPlace, PlacedContours, PointEditing};
use crate::ui::theme::tokens;
use crate::ui::widgets::say;
use crate::workbench::AssistDesk;

/// The side of an anchor, in points of the screen.
const ANCHOR: f32 = 6.0;
/// The radius of a handle.
const HANDLE: f32 = 3.0;
/// Into so many lines a curve is taken apart.
const LINES: u32 = 24;
/// The most points that screen readers are told of.
const MOST_TOLD: usize = 200;

/// Paints them; `hover` is where the pointer is.
pub(super) fn paint(
    ui: &Ui,
    painter: &Painter,
    desk: &AssistDesk,
    view: CanvasView,
    hover: Option<Pos2>,
) {
    if let Some(contour) = desk.editor.drawn_path() {
        paint_drawn(ui, painter, desk, view, &contour, hover);
    }
    if let InPlace::Points(points) = desk.editor.in_place() {
        // What is no path any more has no points.
        if let Ok(placed) = PlacedContours::of(desk.editor.shown(), &points.node) {
            paint_points(ui, painter, desk, view, points, &placed);
        }
    }
}

fn paint_drawn(
    ui: &Ui,
    painter: &Painter,
    desk: &AssistDesk,
    view: CanvasView,
    contour: &Contour,
    hover: Option<Pos2>,
) {
    let tokens = tokens(ui);
    let line = Stroke::new(1.5, tokens.accent);
    paint_contour(painter, contour, Affine::IDENTITY, view, line);
    let InPlace::Pen(path) = desk.editor.in_place() else { return };
    let Some(last) = contour.anchors.last() else { return };
    for anchor in &contour.anchors {
        paint_anchor(ui, painter, view.to_screen(anchor.at), false);
    }
    paint_handles(ui, painter, last, Affine::IDENTITY, view);
    let Some(hover) = hover.filter(|_| !desk.editor.is_holding()) else { return };
    // Where the next line would go, and whether it would end there.
    let closes = path.closes_at(view.to_page(hover), view.zoom);
    let to = match contour.anchors.first().filter(|_| closes) {
        Some(first) => Anchor { handle_out: None, ..*first },
        None => Anchor::corner(view.to_page(hover)),
    };
    let next = Contour { anchors: vec![*last, to], is_closed: false };
    paint_contour(painter, &next, Affine::IDENTITY, view, Stroke::new(1.0, tokens.accent));
    if closes {
        let ring = Stroke::new(1.5, tokens.accent);
        painter.circle_stroke(view.to_screen(to.at), ANCHOR, ring);
    }
}

fn paint_points(
    ui: &Ui,
    painter: &Painter,
    desk: &AssistDesk,
    view: CanvasView,
    points: &PointEditing,
    placed: &PlacedContours,
) {
    let line = Stroke::new(1.0, tokens(ui).accent);
    for contour in placed.contours.contours() {
        paint_contour(painter, contour, placed.page_from_node, view, line);
    }
    let selected = points.selected.iter().filter_map(|id| placed.contours.anchor(*id));
    for anchor in selected {
        paint_handles(ui, painter, anchor, placed.page_from_node, view);
    }
    let name = desk.editor.shown().get(&points.node).map_or("", |node| node.name.as_str());
    for (at, (id, anchor)) in placed.contours.anchors().enumerate() {
        let on_page = placed.page_from_node.apply(anchor.at);
        let center = view.to_screen(on_page);
        let is_selected = points.selected.contains(&id);
        paint_anchor(ui, painter, center, is_selected);
        if at < MOST_TOLD {
            tell(ui, name, at + 1, id, (on_page, center), is_selected);
        }
    }
}

/// Says where a point is, for those who do not see it.
fn tell(
    ui: &Ui,
    name: &str,
    number: usize,
    id: AnchorId,
    (at, center): (Point, Pos2),
    is_selected: bool,
) {
    let mark = if is_selected { ", selected" } else { "" };
    let words = format!("Point {number} of {name}: {:.0}, {:.0}{mark}", at.x, at.y);
    let rect = Rect::from_center_size(center, vec2(ANCHOR, ANCHOR));
    say(ui, ("point", id.path, id.contour, id.anchor), rect, &words);
}

fn paint_contour(
    painter: &Painter,
    contour: &Contour,
    page_from_node: Affine,
    view: CanvasView,
    stroke: Stroke,
) {
    let mut line: Vec<Pos2> = Vec::new();
    for segment in contour.segments() {
        let is_straight = segment.leaving == segment.from && segment.arriving == segment.to;
        let steps = if is_straight { 1 } else { LINES };
        for n in 0..=steps {
            let at = segment.at(f64::from(n) / f64::from(steps));
            line.push(view.to_screen(page_from_node.apply(at)));
        }
    }
    painter.add(Shape::line(line, stroke));
}

fn paint_anchor(ui: &Ui, painter: &Painter, center: Pos2, is_selected: bool) {
    let tokens = tokens(ui);
    let rect = Rect::from_center_size(center, vec2(ANCHOR, ANCHOR));
    let fill = if is_selected { tokens.accent } else { tokens.panel };
    painter.rect_filled(rect, 0.0, fill);
    painter.rect_stroke(rect, 0.0, Stroke::new(1.0, tokens.accent), StrokeKind::Inside);
}

fn paint_handles(
    ui: &Ui,
    painter: &Painter,
    anchor: &Anchor,
    page_from_node: Affine,
    view: CanvasView,
) {
    let tokens = tokens(ui);
    let stroke = Stroke::new(1.0, tokens.accent);
    let from = view.to_screen(page_from_node.apply(anchor.at));
    for side in [HandleSide::In, HandleSide::Out] {
        let Some(handle) = anchor.handle(side) else { continue };
        let to = view.to_screen(page_from_node.apply(handle));
        painter.line_segment([from, to], stroke);
        painter.circle(to, HANDLE, tokens.panel, stroke);
    }
}
