//! Areas that the difference leaves out: drawn by a drag, hatched, and taken in again.

use egui::{
    Align2, CursorIcon, PointerButton, Pos2, Rect, Response, Role, Sense, Shape, Stroke,
    StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use super::geometry::PaneBox;
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::paint_text;
use crate::workbench::{AreaCommand, Command, IgnoredArea, StagePane};

/// Between the lines of a hatch.
const HATCH: f32 = 8.0;
/// The button that takes an area in again.
const BUTTON: f32 = 18.0;
/// Where a drag began, of each of two stages for itself.
const BEGUN: &str = "stage_ignored_from";

/// Takes a drag over the difference as an area, while that is what drags do; whether it was one.
pub(super) fn drag_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    pane: &PaneBox<StagePane>,
    response: &Response,
) -> bool {
    if !draws(cx, pane) {
        return false;
    }
    let id = ui.make_persistent_id(BEGUN);
    let pointer = response.interact_pointer_pos();
    if response.drag_started_by(PointerButton::Primary) {
        // Where the button went down: a drag is told from a click only after some points.
        let from = ui.input(|input| input.pointer.press_origin()).or(pointer);
        if let Some(from) = from.filter(|from| pane.visible.contains(*from)) {
            ui.data_mut(|data| data.insert_temp(id, from));
        }
    }
    let begun: Option<Pos2> = ui.data(|data| data.get_temp(id));
    let (Some(from), Some(to)) = (begun, pointer) else { return false };
    if response.drag_stopped_by(PointerButton::Primary) {
        ui.data_mut(|data| data.remove::<Pos2>(id));
        let [from, to] = [from, to].map(|at| in_widths(pane, at));
        if let Some(area) = IgnoredArea::between(from, to) {
            cx.send(Command::Areas(AreaCommand::Ignore(area)));
        }
        return true;
    }
    ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
    response.dragged_by(PointerButton::Primary)
}

/// Draws the areas that are left out, and what is being drawn.
pub(super) fn areas_ui(ui: &Ui, cx: &ViewContext<'_>, pane: &PaneBox<StagePane>) {
    if pane.pane != StagePane::Overlaid || !cx.state.shows_difference() {
        return;
    }
    for (place, area) in cx.state.ignored_areas().iter().enumerate() {
        area_ui(ui, cx, pane, place, *area);
    }
    let id = ui.make_persistent_id(BEGUN);
    let begun: Option<Pos2> = ui.data(|data| data.get_temp(id));
    let pointer = ui.input(|input| input.pointer.interact_pos());
    if let (Some(from), Some(to), true) = (begun, pointer, draws(cx, pane)) {
        let rect = Rect::from_two_pos(from, to).intersect(pane.visible);
        hatch_ui(ui, rect);
    }
}

fn draws(cx: &ViewContext<'_>, pane: &PaneBox<StagePane>) -> bool {
    cx.state.stage.draws_ignored && pane.pane == StagePane::Overlaid && cx.state.shows_difference()
}

/// A place on the screen in widths of the picture.
fn in_widths(pane: &PaneBox<StagePane>, at: Pos2) -> [f32; 2] {
    let from = at - pane.picture.min;
    let width = pane.picture.width().max(1.0);
    [from.x / width, from.y / width]
}

fn area_ui(
    ui: &Ui,
    cx: &ViewContext<'_>,
    pane: &PaneBox<StagePane>,
    place: usize,
    area: IgnoredArea,
) {
    let unit = pane.picture.width() / IgnoredArea::WIDTH;
    let [min, max] = [area.min, area.max]
        .map(|[x, y]| pane.picture.min + vec2(x as f32 * unit, y as f32 * unit));
    let rect = Rect::from_min_max(min, max).intersect(pane.visible);
    // Beside what is seen of the picture.
    if !rect.is_positive() {
        return;
    }
    hatch_ui(ui, rect);
    let tokens = tokens(ui);
    let at = pos2(rect.right() - BUTTON, rect.top());
    let button = Rect::from_min_size(at, vec2(BUTTON, BUTTON));
    let response =
        ui.interact(button, ui.make_persistent_id(("stage_ignored", place)), Sense::click());
    let name = format!("Take ignored area {} in again", place + 1);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    let fill = if response.hovered() { tokens.raised_hover } else { tokens.overlay };
    ui.painter().rect(button, size::RADIUS_SMALL, fill, tokens.line(), StrokeKind::Inside);
    let style = (Type::IconSmall, tokens.text);
    paint_text(ui.painter(), button.center(), Align2::CENTER_CENTER, icons::CLOSE, style, BUTTON);
    let tip = "Take this area in again; undo leaves it out once more.";
    if response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text(tip).clicked() {
        cx.send(Command::Areas(AreaCommand::Restore(place)));
    }
}

/// Lines across a rectangle, with its outline.
fn hatch_ui(ui: &Ui, rect: Rect) {
    let tokens = tokens(ui);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, 0, tokens.halo);
    let stroke = Stroke::new(1.0, tokens.dim);
    let mut x = rect.left() - rect.height();
    while x < rect.right() {
        let line = [pos2(x, rect.bottom()), pos2(x + rect.height(), rect.top())];
        painter.add(Shape::line_segment(line, stroke));
        x += HATCH;
    }
    painter.rect_stroke(rect, 0, Stroke::new(1.0, tokens.text), StrokeKind::Inside);
}
