//! The keyboard on the canvas.
//!
//! While it is there, Tab and Enter mean layers and not widgets, and arrows move what is selected. Esc gives it back,
//! and Tab goes on to the next widget.

use egui::{EventFilter, Id, Response, Role, Ui, WidgetInfo};

/// What egui calls the canvas, to know whether it has the keyboard.
pub(in crate::ui) fn canvas_id() -> Id {
    Id::unique("assist_canvas")
}

/// Keeps the keys that mean layers from moving the keyboard to another widget.
pub(super) fn keep(ui: &Ui, response: &Response) {
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Canvas"));
    if response.has_focus() {
        let own = EventFilter {
            tab: true,
            horizontal_arrows: true,
            vertical_arrows: true,
            ..EventFilter::default()
        };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, own));
    }
}
