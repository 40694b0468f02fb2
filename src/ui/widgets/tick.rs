//! Boxes to tick.

use egui::{
    Checkbox, Rect, Response, RichText, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2,
};

use super::stable::{add_stable, allocate_stable_of};
use super::text::paint_text;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};

/// Whether something is ticked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TickState {
    No,
    Some,
    Yes,
}

impl TickState {
    /// Ticked or not.
    pub(crate) fn of(is_on: bool) -> Self {
        if is_on { Self::Yes } else { Self::No }
    }
}

/// A row with a box to tick; gives whether it was pressed.
pub(crate) fn check_ui(ui: &mut Ui, name: &str, aside: &str, mark: TickState, indent: f32) -> bool {
    check_row_ui(ui, name, aside, mark, indent).clicked()
}

/// The same for a row that says more than that it was pressed.
pub(crate) fn check_row_ui(
    ui: &mut Ui,
    name: &str,
    aside: &str,
    mark: TickState,
    indent: f32,
) -> Response {
    let tokens = tokens(ui);
    let wanted = vec2(ui.available_width(), size::ROW);
    let (rect, response) = allocate_stable_of(ui, name, wanted, Sense::click());
    let on = mark == TickState::Yes;
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, name));
    // There may be thousands of tasks: those out of sight take their room and are not laid out.
    if !ui.is_rect_visible(rect) {
        return response;
    }
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, size::RADIUS_SMALL, tokens.raised);
    }
    let center = rect.left_center() + vec2(indent + 12.0, 0.0);
    let tick = Rect::from_center_size(center, vec2(14.0, 14.0));
    let (fill, outline) = if mark == TickState::No {
        (tokens.raised, Stroke::new(1.0, tokens.faint))
    } else {
        (tokens.accent, Stroke::NONE)
    };
    ui.painter().rect(tick, 3, fill, outline, StrokeKind::Inside);
    let icon = match mark {
        TickState::No => "",
        TickState::Some => icons::SOME,
        TickState::Yes => icons::CHECK,
    };
    let middle = egui::Align2::CENTER_CENTER;
    paint_text(ui.painter(), center, middle, icon, (Type::IconSmall, tokens.on_accent), 20.0);
    let left = egui::Align2::LEFT_CENTER;
    let at = center + vec2(15.0, 0.0);
    // What is not indented is a set, the heading of its tasks.
    let style = if indent == 0.0 { (Type::Strong, tokens.text) } else { (Type::Body, tokens.text) };
    let room = rect.right() - at.x - 8.0;
    let named = paint_text(ui.painter(), at, left, name, style, room);
    let right = rect.right_center() - vec2(8.0, 0.0);
    let style = (Type::Caption, tokens.dim);
    let room = right.x - named.right() - 10.0;
    // Less would be an ellipsis and nothing before it.
    if room > 30.0 {
        paint_text(ui.painter(), right, egui::Align2::RIGHT_CENTER, aside, style, room);
    }
    response
}

/// Gives a box to tick an outline that is seen on the dialog's ground.
pub(crate) fn tick_look(ui: &mut Ui) {
    let tokens = tokens(ui);
    let widgets = &mut ui.visuals_mut().widgets;
    widgets.inactive.bg_fill = tokens.raised;
    for state in [&mut widgets.inactive, &mut widgets.hovered] {
        state.bg_stroke = Stroke::new(1.0, tokens.faint);
    }
}

/// Something that may be so or not; gives what it was changed to.
#[track_caller]
pub(crate) fn tick_ui(ui: &mut Ui, words: &str, tooltip: &str, is_on: bool) -> Option<bool> {
    let mut is_on = is_on;
    let words = RichText::new(words).color(tokens(ui).dim);
    // Scoped, because the look would stay for every box that follows.
    let before = ui.style().clone();
    tick_look(ui);
    let tick = add_stable(ui, Checkbox::new(&mut is_on, words));
    ui.set_style(before);
    let is_changed = tick.changed();
    tick.on_hover_text(tooltip);
    is_changed.then_some(is_on)
}
