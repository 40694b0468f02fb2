//! The handles of what is selected: drawn, and told to screen readers.

use egui::{CursorIcon, Id, Painter, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind};
use egui::{Ui, Vec2, WidgetInfo, vec2};

use super::pill::length_words;
use super::under::Under;
use super::view::CanvasView;
use crate::design::gesture::Handle;
use crate::editor::{EditGrip, GripSpot, LineEnd, Side, Tool, grips, selection_corners};
use crate::ui::theme::tokens;
use crate::workbench::AssistDesk;

/// The side of a handle.
const HANDLE: f32 = 7.0;
/// The radius of a dot inside a corner.
const DOT: f32 = 3.5;
/// The place that screen readers find a handle at.
const PLACE: f32 = 12.0;

/// Draws the handles.
pub(super) fn handles_ui(
    ui: &Ui,
    painter: &Painter,
    desk: &AssistDesk,
    under: Under,
    response: &Response,
) {
    let has_grips = matches!(desk.editor.tool(), Tool::Move | Tool::Scale);
    let feedback = desk.editor.feedback();
    // While something is moved they would be in the way; while a number is pulled they say where.
    let is_busy = feedback.is_some_and(|feedback| feedback.reading.is_none());
    if !has_grips || (desk.editor.is_holding() && is_busy) {
        return;
    }
    let document = desk.editor.shown();
    let nodes = &desk.editor.selection().nodes;
    let size = selection_corners(document, nodes).map(|corners| {
        let [at, along, _, across] = corners;
        let [width, height] = [along, across].map(|end| {
            let side = end.since(at);
            length_words(side.x.hypot(side.y))
        });
        format!("{width} × {height}")
    });
    let is_near = is_over(desk, under, response) || desk.editor.is_holding();
    for spot in grips(document, nodes, under.view.zoom) {
        let at = under.view.to_screen(spot.at);
        if !under.rect.contains(at) {
            continue;
        }
        paint_handle(ui, painter, at, spot.grip, is_near);
        let place = Rect::from_center_size(at, Vec2::splat(PLACE));
        let id = Id::unique(("assist_handle", spot.grip));
        let value = value_words(&spot, size.as_deref());
        let handle = ui.interact(place, id, Sense::hover());
        handle.widget_info(|| {
            let mut info = WidgetInfo::labeled(Role::Button, true, grip_name(spot.grip));
            info.current_text_value.clone_from(&value);
            info
        });
    }
}

/// Whether the pointer is over what is selected: only then the handles inside it are drawn.
fn is_over(desk: &AssistDesk, under: Under, response: &Response) -> bool {
    let Some(pos) = response.hover_pos() else { return false };
    let corners = selection_corners(desk.editor.shown(), &desk.editor.selection().nodes);
    let Some(corners) = corners else { return false };
    let around = corners.map(|at| under.view.to_screen(at));
    Rect::from_points(&around).expand(8.0).contains(pos)
}

fn paint_handle(ui: &Ui, painter: &Painter, at: Pos2, grip: EditGrip, is_near: bool) {
    let tokens = tokens(ui);
    let edge = Stroke::new(1.5, tokens.accent);
    match grip {
        EditGrip::Resize(_) => {
            let square = Rect::from_center_size(at, Vec2::splat(HANDLE));
            painter.rect(square, 1.0, tokens.handle, edge, StrokeKind::Middle);
        }
        EditGrip::LineEnd(_) => {
            painter.circle(at, HANDLE / 2.0, tokens.handle, edge);
        }
        EditGrip::Radius(_) if is_near => {
            painter.circle(at, DOT, tokens.handle, edge);
        }
        EditGrip::Padding(side) if is_near => {
            let is_level = matches!(side, Side::Top | Side::Bottom);
            let extent = if is_level { vec2(14.0, 3.0) } else { vec2(3.0, 14.0) };
            let bar = Rect::from_center_size(at, extent);
            painter.rect(
                bar,
                1.5,
                tokens.guide,
                Stroke::new(1.0, tokens.handle),
                StrokeKind::Outside,
            );
        }
        EditGrip::Gap(_) if is_near => {
            let bar = Rect::from_center_size(at, vec2(6.0, 6.0));
            painter.rect(
                bar,
                3.0,
                tokens.guide,
                Stroke::new(1.0, tokens.handle),
                StrokeKind::Outside,
            );
        }
        EditGrip::Turn(_) | EditGrip::Radius(_) | EditGrip::Padding(_) | EditGrip::Gap(_) => {}
    }
}

/// What a handle changes now, in words.
fn value_words(spot: &GripSpot, size: Option<&str>) -> Option<String> {
    match spot.grip {
        EditGrip::Resize(_) | EditGrip::Turn(_) => size.map(str::to_owned),
        EditGrip::Radius(_) | EditGrip::LineEnd(_) | EditGrip::Padding(_) | EditGrip::Gap(_) => {
            spot.value.map(length_words)
        }
    }
}

/// What a handle is called.
fn grip_name(grip: EditGrip) -> String {
    match grip {
        EditGrip::Resize(handle) => format!("Resize: {}", handle_name(handle)),
        EditGrip::Turn(handle) => format!("Rotate: {}", handle_name(handle)),
        EditGrip::Radius(handle) => format!("Corner radius: {}", handle_name(handle)),
        EditGrip::LineEnd(LineEnd::Start) => "Start of the line".to_owned(),
        EditGrip::LineEnd(LineEnd::End) => "End of the line".to_owned(),
        EditGrip::Padding(Side::Top) => "Padding: top".to_owned(),
        EditGrip::Padding(Side::Right) => "Padding: right".to_owned(),
        EditGrip::Padding(Side::Bottom) => "Padding: bottom".to_owned(),
        EditGrip::Padding(Side::Left) => "Padding: left".to_owned(),
        EditGrip::Gap(at) => format!("Gap {}", at + 1),
    }
}

fn handle_name(handle: Handle) -> &'static str {
    match (handle.x.signum(), handle.y.signum()) {
        (-1, -1) => "top left",
        (0, -1) => "top",
        (1, -1) => "top right",
        (1, 0) => "right",
        (1, 1) => "bottom right",
        (0, 1) => "bottom",
        (-1, 1) => "bottom left",
        (-1, 0) => "left",
        _ => "middle",
    }
}

/// The form of the pointer over a handle.
pub(super) fn grip_cursor(desk: &AssistDesk, view: CanvasView, grip: EditGrip) -> CursorIcon {
    match grip {
        EditGrip::Resize(handle) => resize_cursor(desk, view, handle),
        EditGrip::Turn(_) => CursorIcon::Alias,
        EditGrip::Radius(_) | EditGrip::LineEnd(_) => CursorIcon::PointingHand,
        EditGrip::Padding(Side::Top | Side::Bottom) => CursorIcon::ResizeVertical,
        EditGrip::Padding(Side::Left | Side::Right) => CursorIcon::ResizeHorizontal,
        EditGrip::Gap(_) => CursorIcon::AllScroll,
    }
}

/// Along the way that the handle pulls on the screen, however the node is turned.
fn resize_cursor(desk: &AssistDesk, view: CanvasView, handle: Handle) -> CursorIcon {
    let corners = selection_corners(desk.editor.shown(), &desk.editor.selection().nodes);
    let Some(corners) = corners else { return CursorIcon::Default };
    let [at, along, _, across] = corners.map(|at| view.to_screen(at));
    let (along, across) = ((along - at).normalized(), (across - at).normalized());
    let pull = along * f32::from(handle.x) + across * f32::from(handle.y);
    let eighths = (pull.y.atan2(pull.x) / std::f32::consts::FRAC_PI_4).round().rem_euclid(4.0);
    match eighths as u8 {
        0 => CursorIcon::ResizeHorizontal,
        1 => CursorIcon::ResizeNwSe,
        2 => CursorIcon::ResizeVertical,
        _ => CursorIcon::ResizeNeSw,
    }
}
