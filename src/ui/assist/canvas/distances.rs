//! Distances: from what is selected to what is under the pointer, and gaps that are equal.

use egui::{Align2, Painter, Response, Shape, Stroke, Ui};

use super::pill::{length_words, paint_pill};
use super::under::Under;
use super::view::CanvasView;
use crate::base::{Axis, Point, Rect};
use crate::design::NodeId;
use crate::design::gesture::GapGuide;
use crate::editor::{distances_between, named_frames};
use crate::ui::theme::{Tokens, tokens};
use crate::workbench::AssistDesk;

/// Half the length of the strokes at the ends of a distance.
const END: f32 = 4.0;

/// While Alt is held, paints how far what is selected is from what is under the pointer.
pub(super) fn paint_distances(
    ui: &Ui,
    painter: &Painter,
    desk: &AssistDesk,
    under: Under,
    (response, hovered): (&Response, Option<&NodeId>),
) {
    let is_asked = ui.input(|input| input.modifiers.alt) && !desk.editor.is_holding();
    let Some(pos) = response.hover_pos().filter(|_| is_asked) else { return };
    let document = &desk.editor.shown_on_page();
    let nodes = &desk.editor.selection().nodes;
    let own = nodes.iter().filter_map(|id| document.absolute_box(id).ok());
    let Some(own) = Rect::union_all(own) else { return };
    let at = under.view.to_page(pos);
    let hovered = hovered.filter(|id| !nodes.contains(id));
    let other = if let Some(id) = hovered {
        document.absolute_box(id).ok()
    } else {
        // On the ground of a frame it is the frame.
        let boxes = named_frames(document).into_iter().filter(|id| !nodes.contains(id));
        boxes.filter_map(|id| document.absolute_box(&id).ok()).find(|it| it.contains(at))
    };
    let Some(other) = other else { return };
    let tokens = tokens(ui);
    let corners = under.view.rect_to_screen(other);
    painter.rect_stroke(corners, 0.0, Stroke::new(1.0, tokens.guide), egui::StrokeKind::Middle);
    for distance in distances_between(own, other) {
        paint_distance(painter, under.view, distance, tokens);
    }
}

/// Paints a distance with strokes at its ends and its value in a pill.
pub(super) fn paint_distance(
    painter: &Painter,
    view: CanvasView,
    distance: GapGuide,
    tokens: &Tokens,
) {
    let GapGuide { axis, from, to, at } = distance;
    let [one, other] = [from, to].map(|along| {
        view.to_screen(match axis {
            Axis::Horizontal => Point::new(along, at),
            Axis::Vertical => Point::new(at, along),
        })
    });
    let across = match axis {
        Axis::Horizontal => egui::vec2(0.0, END),
        Axis::Vertical => egui::vec2(END, 0.0),
    };
    let stroke = Stroke::new(1.0, tokens.guide);
    painter.add(Shape::line_segment([one, other], stroke));
    for end in [one, other] {
        painter.add(Shape::line_segment([end - across, end + across], stroke));
    }
    let colors = (tokens.guide, tokens.handle);
    let words = length_words(to - from);
    paint_pill(painter, one.lerp(other, 0.5), Align2::CENTER_CENTER, &words, colors);
}
