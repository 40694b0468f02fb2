//! What is drawn over the picture: what is selected and hovered, what is under way, and the values of both.

use egui::{Align2, Painter, Pos2, Rect, Response, Shape, Stroke, StrokeKind, Ui, vec2};

use super::distances::{paint_distance, paint_distances};
use super::gradient::gradient_ui;
use super::handles::handles_ui;
use super::names::names_ui;
use super::pill::{length_words, paint_pill};
use super::under::Under;
use super::view::CanvasView;
use crate::base::{Axis, Point};
use crate::design::gesture::Guide;
use crate::design::{Document, NodeId};
use crate::editor::{Feedback, Reading, selection_corners};
use crate::ui::theme::tokens;
use crate::workbench::AssistDesk;

pub(super) use crate::editor::corners_of;

/// Draws it. Outlines are where the design has the nodes now, also while the picture is that of a moment ago.
pub(super) fn overlay_ui(
    ui: &Ui,
    painter: &Painter,
    desk: &AssistDesk,
    under: Under,
    (response, hovered): (&Response, Option<&NodeId>),
) {
    let (tokens, view) = (tokens(ui), under.view);
    let document = desk.editor.shown();
    names_ui(ui, painter, desk, under, hovered);
    let nodes = &desk.editor.selection().nodes;
    let hovered = hovered.filter(|id| !desk.editor.is_holding() && !nodes.contains(id));
    if let Some(id) = hovered {
        outline(painter, document, id, view, Stroke::new(2.0, tokens.accent));
    }
    for id in nodes {
        outline(painter, document, id, view, Stroke::new(1.5, tokens.accent));
    }
    if nodes.len() > 1
        && let Some(corners) = selection_corners(document, nodes)
    {
        let corners = corners.map(|corner| view.to_screen(corner)).to_vec();
        painter.add(Shape::closed_line(corners, Stroke::new(1.0, tokens.accent)));
    }
    if let Some(feedback) = desk.editor.feedback() {
        paint_feedback(ui, painter, document, feedback, view);
    }
    handles_ui(ui, painter, desk, under, response);
    gradient_ui(ui, painter, desk, under);
    paint_distances(ui, painter, desk, under, (response, hovered));
    paint_values(ui, painter, desk, under);
}

fn outline(painter: &Painter, document: &Document, id: &NodeId, view: CanvasView, stroke: Stroke) {
    if let Some(corners) = corners_of(document, id) {
        let corners = corners.map(|corner| view.to_screen(corner)).to_vec();
        painter.add(Shape::closed_line(corners, stroke));
    }
}

fn paint_feedback(
    ui: &Ui,
    painter: &Painter,
    document: &Document,
    feedback: &Feedback,
    view: CanvasView,
) {
    let tokens = tokens(ui);
    let stroke = Stroke::new(1.0, tokens.guide);
    for guide in &feedback.guides {
        painter.add(Shape::line_segment(ends(guide).map(|end| view.to_screen(end)), stroke));
    }
    for gap in &feedback.gaps {
        paint_distance(painter, view, *gap, tokens);
    }
    for corners in &feedback.floating {
        let corners = corners.map(|corner| view.to_screen(corner)).to_vec();
        let stroke = Stroke::new(1.0, tokens.accent);
        painter.extend(Shape::dashed_line(&closed(corners), stroke, 4.0, 3.0));
    }
    if let Some(drop) = &feedback.drop {
        outline(painter, document, &drop.frame, view, Stroke::new(2.0, tokens.accent));
        if let Some(line) = drop.line {
            let line = line.map(|end| view.to_screen(end));
            painter.add(Shape::line_segment(line, Stroke::new(3.0, tokens.accent)));
        }
    }
    if let Some(area) = feedback.area {
        let area = view.rect_to_screen(area);
        let fill = tokens.accent.gamma_multiply(0.12);
        painter.rect(area, 0.0, fill, Stroke::new(1.0, tokens.accent), StrokeKind::Middle);
    }
}

fn closed(mut corners: Vec<Pos2>) -> Vec<Pos2> {
    corners.extend(corners.first().copied());
    corners
}

/// The size below what is selected, and the number of a gesture beside the pointer.
fn paint_values(ui: &Ui, painter: &Painter, desk: &AssistDesk, under: Under) {
    let tokens = tokens(ui);
    let colors = (tokens.accent, tokens.on_accent);
    let nodes = &desk.editor.selection().nodes;
    let feedback = desk.editor.feedback();
    let draws_around = feedback.is_some_and(|feedback| feedback.area.is_some());
    let corners = selection_corners(desk.editor.shown(), nodes).filter(|_| !draws_around);
    if let Some(corners) = corners {
        let [at, along, _, across] = corners;
        let [width, height] = [along, across].map(|end| {
            let side = end.since(at);
            length_words(side.x.hypot(side.y))
        });
        let around = Rect::from_points(&corners.map(|corner| under.view.to_screen(corner)));
        let at = around.center_bottom() + vec2(0.0, 8.0);
        paint_pill(painter, at, Align2::CENTER_TOP, &format!("{width} × {height}"), colors);
    }
    let reading = feedback.and_then(|feedback| feedback.reading);
    let pos = ui.input(|input| input.pointer.latest_pos());
    if let (Some(reading), Some(pos)) = (reading, pos) {
        let colors = match reading {
            // In the colour of their handles.
            Reading::Padding(_) | Reading::Gap(_) => (tokens.guide, tokens.handle),
            _ => colors,
        };
        let at = pos + vec2(16.0, 16.0);
        paint_pill(painter, at, Align2::LEFT_TOP, &reading_words(reading), colors);
    }
}

fn reading_words(reading: Reading) -> String {
    match reading {
        Reading::Angle(degrees) => format!("{}°", length_words(degrees)),
        Reading::Radius(radius) => format!("Radius {}", length_words(radius)),
        Reading::Padding(space) | Reading::Gap(space) | Reading::Length(space) => {
            length_words(space)
        }
        Reading::Scale(factor) => format!("{}×", length_words(factor)),
        Reading::Stop(position) => format!("{} %", length_words(position * 100.0)),
    }
}

fn ends(guide: &Guide) -> [Point; 2] {
    match guide.axis {
        Axis::Horizontal => [Point::new(guide.at, guide.from), Point::new(guide.at, guide.to)],
        Axis::Vertical => [Point::new(guide.from, guide.at), Point::new(guide.to, guide.at)],
    }
}
