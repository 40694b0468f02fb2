//! The handles of a gradient that is edited on the canvas.

use egui::{Id, Painter, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, Vec2, WidgetInfo};

use super::pill::length_words;
use super::under::Under;
use crate::design::{ColorStop, Document, NodeId, PaintKind};
use crate::editor::{GradientHandle, gradient_handles};
use crate::ui::theme::{swatch_color, tokens};
use crate::workbench::AssistDesk;

/// The side of a colour's place.
const STOP: f32 = 12.0;

/// Draws them for the only selected node.
pub(super) fn gradient_ui(ui: &Ui, painter: &Painter, desk: &AssistDesk, under: Under) {
    let Some(fill) = desk.canvas.editing_gradient else { return };
    let Some(node) = desk.editor.selection().only() else { return };
    let document = desk.editor.shown();
    let handles = gradient_handles(document, node, fill);
    let places: Vec<_> =
        handles.iter().map(|(handle, at)| (*handle, under.view.to_screen(*at))).collect();
    let [(_, start), (_, end), ..] = places.as_slice() else { return };
    // A light line in a dark one is seen on any picture.
    let tokens = tokens(ui);
    painter.add(Shape::line_segment([*start, *end], Stroke::new(3.0, tokens.shadow)));
    painter.add(Shape::line_segment([*start, *end], Stroke::new(1.5, tokens.handle)));
    let edge = Stroke::new(1.5, tokens.handle);
    // The ends last: they lie over the colours there and are what is pulled.
    for (handle, at) in places.iter().rev() {
        let (name, value) = match *handle {
            GradientHandle::Start => ("Start of the gradient".to_owned(), None),
            GradientHandle::End => ("End of the gradient".to_owned(), None),
            GradientHandle::Stop(stop) => {
                let found = stop_of(document, node, fill, stop);
                let percent = found.map(|it| format!("{} %", length_words(it.position * 100.0)));
                (format!("Colour {} of the gradient", stop + 1), percent)
            }
        };
        match *handle {
            GradientHandle::Stop(stop) => {
                let color =
                    stop_of(document, node, fill, stop).map(|it| swatch_color(it.color.to_u8()));
                let place = Rect::from_center_size(*at, Vec2::splat(STOP));
                let ground = Stroke::new(3.0, tokens.shadow);
                painter.rect_stroke(place, 3.0, ground, StrokeKind::Middle);
                painter.rect(place, 3.0, color.unwrap_or_default(), edge, StrokeKind::Middle);
            }
            GradientHandle::Start | GradientHandle::End => {
                painter.circle(*at, 4.0, tokens.accent, edge);
            }
        }
        let place = Rect::from_center_size(*at, Vec2::splat(STOP));
        let response = ui.interact(place, Id::unique(("assist_gradient", *handle)), Sense::hover());
        response.widget_info(|| {
            let mut info = WidgetInfo::labeled(Role::Button, true, &name);
            info.current_text_value.clone_from(&value);
            info
        });
    }
}

fn stop_of(document: &Document, node: &NodeId, fill: usize, stop: usize) -> Option<ColorStop> {
    match &document.get(node)?.fills.get(fill)?.kind {
        PaintKind::Gradient(gradient) => gradient.stops.get(stop).copied(),
        _ => None,
    }
}
