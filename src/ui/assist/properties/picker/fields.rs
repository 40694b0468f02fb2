//! Fields of colours: a plane, a bar, a checkered ground, swatches.

use egui::{
    CursorIcon, Event, EventFilter, Key, Mesh, Pos2, Rect, Response, Role, Sense, Shape, Stroke,
    StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use crate::base::Rgba;
use crate::ui::theme::{size, swatch_color, tokens};
use crate::ui::widgets::allocate_stable_of;

/// Cells a side of a plane.
const CELLS: u16 = 24;

/// What is done in a plane or bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Dragged {
    /// It is dragged there, in shares of its extent.
    To(f32, f32),
    /// A key sets it there.
    Set(f32, f32),
    /// It is let go.
    Ended,
}

/// Paints a rectangle of colours by shares across and down.
pub(in crate::ui::assist::properties) fn paint_colors(
    ui: &Ui,
    rect: Rect,
    color: impl Fn(f32, f32) -> Rgba,
) {
    let mut mesh = Mesh::default();
    let side = u32::from(CELLS) + 1;
    for row in 0..=CELLS {
        for line in 0..=CELLS {
            let (x, y) = (f32::from(line) / f32::from(CELLS), f32::from(row) / f32::from(CELLS));
            let at = pos2(rect.left() + x * rect.width(), rect.top() + y * rect.height());
            mesh.colored_vertex(at, swatch_color(color(x, y).to_u8()));
            if row < CELLS && line < CELLS {
                let first = u32::from(row) * side + u32::from(line);
                mesh.add_triangle(first, first + 1, first + side);
                mesh.add_triangle(first + 1, first + side, first + side + 1);
            }
        }
    }
    ui.painter().add(Shape::mesh(mesh));
}

/// Paints the ground that shows how opaque a colour is.
pub(in crate::ui::assist::properties) fn paint_checkers(ui: &Ui, rect: Rect) {
    const CELL: f32 = 4.0;
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, 0, swatch_color([255; 4]));
    let grey = swatch_color([200, 200, 200, 255]);
    let (columns, rows) =
        ((rect.width() / CELL).ceil() as u16, (rect.height() / CELL).ceil() as u16);
    for row in 0..rows {
        for line in (row % 2..columns).step_by(2) {
            let at = rect.min + vec2(f32::from(line), f32::from(row)) * CELL;
            painter.rect_filled(Rect::from_min_size(at, vec2(CELL, CELL)), 0, grey);
        }
    }
}

/// A place that is dragged in a rectangle, or moved in it with the arrow keys; `down` is whether there is more than one
/// row to go to.
pub(super) fn drag_ui(
    ui: &Ui,
    rect: Rect,
    (name, value): (&str, f64),
    now: (f32, f32),
    down: bool,
) -> Option<Dragged> {
    let id = ui.make_persistent_id(("assist_color", name));
    let response = ui.interact(rect, id, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::slider(true, value, name));
    if response.has_focus() {
        let filter = EventFilter {
            horizontal_arrows: true,
            vertical_arrows: down,
            ..EventFilter::default()
        };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
        let ring = Stroke::new(2.0, tokens(ui).accent);
        ui.painter().rect_stroke(rect.expand(2.0), size::RADIUS_SMALL, ring, StrokeKind::Outside);
        if let Some((x, y)) = take_arrows(ui, down) {
            let (x, y) = ((now.0 + x).clamp(0.0, 1.0), (now.1 + y).clamp(0.0, 1.0));
            return Some(Dragged::Set(x, y));
        }
    }
    let response = response.on_hover_cursor(CursorIcon::Crosshair);
    if response.drag_stopped() || response.clicked() {
        return Some(Dragged::Ended);
    }
    if !response.is_pointer_button_down_on() {
        return None;
    }
    let at = response.interact_pointer_pos()?;
    let share = (at - rect.min) / rect.size();
    Some(Dragged::To(share.x.clamp(0.0, 1.0), share.y.clamp(0.0, 1.0)))
}

/// A ring where the colour is, that shows on any.
pub(super) fn paint_ring(ui: &Ui, at: Pos2, color: Rgba) {
    let painter = ui.painter();
    painter.circle(
        at,
        6.0,
        swatch_color(color.with_alpha(1.0).to_u8()),
        Stroke::new(2.0, swatch_color([255; 4])),
    );
    painter.circle_stroke(at, 7.5, Stroke::new(1.0, swatch_color([0, 0, 0, 120])));
}

/// A colour to press; several are drawn from left to right, as those of a gradient.
pub(in crate::ui::assist::properties) fn swatch_ui(
    ui: &mut Ui,
    name: &str,
    colors: &[Rgba],
    side: f32,
) -> Response {
    let (rect, response) = allocate_stable_of(ui, name, vec2(side, side), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    let inner = rect.shrink(3.0);
    paint_checkers(ui, inner);
    let width = inner.width() / colors.len().max(1) as f32;
    for (at, color) in colors.iter().enumerate() {
        let left = inner.left() + width * at as f32;
        let stripe = Rect::from_min_size(pos2(left, inner.top()), vec2(width, inner.height()));
        ui.painter().rect_filled(stripe, 0, swatch_color(color.to_u8()));
    }
    let theme = tokens(ui);
    let outline = if response.has_focus() || response.hovered() {
        Stroke::new(1.5, theme.accent)
    } else {
        Stroke::new(1.0, theme.faint)
    };
    ui.painter().rect_stroke(inner, 2, outline, StrokeKind::Outside);
    response
}

/// Takes presses of arrow keys, as shares of the extent.
fn take_arrows(ui: &Ui, down: bool) -> Option<(f32, f32)> {
    const STEP: f32 = 0.01;
    let (mut x, mut y, mut any) = (0.0, 0.0, false);
    ui.input_mut(|input| {
        input.events.retain(|event| {
            let Event::Key { key, pressed: true, modifiers, .. } = event else { return true };
            let by = if modifiers.shift { 10.0 * STEP } else { STEP };
            match key {
                Key::ArrowLeft => x -= by,
                Key::ArrowRight => x += by,
                Key::ArrowUp if down => y -= by,
                Key::ArrowDown if down => y += by,
                _ => return true,
            }
            any = true;
            false
        });
    });
    any.then_some((x, y))
}
