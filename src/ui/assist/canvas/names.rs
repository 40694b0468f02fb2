//! The names of frames above them.

use egui::{Align2, Id, Painter, Role, Sense, Ui, WidgetInfo};

use super::pill::length_words;
use super::under::Under;
use crate::design::NodeId;
use crate::editor::{name_area, named_frames};
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{paint_text, text_width};
use crate::workbench::AssistDesk;

/// Draws the names, and the sizes where there is room.
pub(super) fn names_ui(
    ui: &Ui,
    painter: &Painter,
    desk: &AssistDesk,
    under: Under,
    hovered: Option<&NodeId>,
) {
    let tokens = tokens(ui);
    let document = &desk.editor.shown_on_page();
    for id in named_frames(document) {
        let Some(frame) = document.get(&id) else { continue };
        let Some(area) = name_area(document, frame, under.view.zoom) else { continue };
        let Ok(bounds) = document.absolute_box(&id) else { continue };
        let (area, bounds) = (under.view.rect_to_screen(area), under.view.rect_to_screen(bounds));
        if !under.rect.intersects(area) {
            continue;
        }
        let is_selected = desk.editor.selection().nodes.contains(&id);
        let is_hovered = hovered == Some(&id);
        let color = if is_selected || is_hovered { tokens.accent_ink } else { tokens.text };
        let at = area.left_bottom() - egui::vec2(0.0, 4.0);
        let took = paint_text(
            painter,
            at,
            Align2::LEFT_BOTTOM,
            &frame.name,
            (Type::Medium, color),
            bounds.width(),
        );
        let (width, height) = (length_words(frame.size.width), length_words(frame.size.height));
        let size = format!("{width} × {height}");
        if took.width() + text_width(ui, &size, Type::Caption) + 16.0 <= bounds.width() {
            let at = bounds.right_top() - egui::vec2(0.0, 4.0);
            let style = (Type::Caption, tokens.dim);
            paint_text(painter, at, Align2::RIGHT_BOTTOM, &size, style, bounds.width());
        }
        let response = ui.interact(
            area.intersect(under.rect),
            Id::unique(("assist_frame_name", id.as_str())),
            Sense::hover(),
        );
        let words = format!("Frame {}", frame.name);
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_selected, &words));
    }
}
