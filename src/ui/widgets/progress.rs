//! How far something is.

use egui::{Rect, Role, Sense, Ui, WidgetInfo, vec2};

use crate::ui::theme::tokens;

/// A thin bar: done of 0..=1, or `None` while nobody knows.
pub(crate) fn progress_bar_ui(ui: &mut Ui, name: &str, done: Option<f32>, width: f32) {
    let (rect, response) = ui.allocate_exact_size(vec2(width, 14.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, name));
    let tokens = tokens(ui);
    let rail = Rect::from_center_size(rect.center(), vec2(width, 4.0));
    ui.painter().rect_filled(rail, 2, tokens.hairline);
    // A third in grey says that something is at work, and claims nothing of how far.
    let share = done.unwrap_or(0.3).clamp(0.0, 1.0);
    let color = if done.is_some() { tokens.accent } else { tokens.faint };
    let bar = Rect::from_min_size(rail.min, vec2(rail.width() * share, rail.height()));
    if bar.width() >= 1.0 {
        ui.painter().rect_filled(bar, 2, color);
    }
}
