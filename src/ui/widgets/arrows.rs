//! Choosing by the arrow keys.

use egui::{EventFilter, Id, Key, Modifiers, Role, Sense, Ui, WidgetInfo};

/// Makes what is left of `ui` a table that can have the keyboard, called `name` for screen readers.
/// While it has it, `choose` is told of every arrow key: 1 down, −1 up.
pub(crate) fn arrows_choose(ui: &Ui, id: Id, name: &str, mut choose: impl FnMut(i32)) {
    let area = ui.available_rect_before_wrap();
    let response = ui.interact(area, id, Sense::focusable_noninteractive());
    response.widget_info(|| WidgetInfo::labeled(Role::Table, true, name));
    if !response.has_focus() {
        return;
    }
    let arrows = EventFilter { vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id, arrows));
    for (key, by) in [(Key::ArrowDown, 1), (Key::ArrowUp, -1)] {
        if ui.input_mut(|input| input.consume_key(Modifiers::NONE, key)) {
            choose(by);
        }
    }
}
