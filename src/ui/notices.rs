//! Things to tell, at the bottom right (above the launch dialog while it is open), until they are
//! dismissed.

use egui::{Align2, Area, Frame, Id, Margin, Order, Stroke, Ui, vec2};

use super::context::ViewContext;
use super::icons;
use super::theme::{Type, size, tokens};
use super::widgets::{Button, Look, rich_text};
use crate::workbench::{Command, Notice, NoticeLevel, Overlay};

/// More than this many at once would hide the window.
const SHOWN: usize = 4;
const WIDTH: f32 = 340.0;

/// Draws the newest notices; the newest is lowest.
pub(super) fn notices_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let notices = &cx.state.notices;
    if notices.is_empty() {
        return;
    }
    // In a small window the launch dialog's buttons reach into the corner.
    let (shown, anchor, from_anchor) = if cx.state.overlay == Some(Overlay::Launch) {
        (1, Align2::CENTER_TOP, vec2(0.0, 8.0))
    } else {
        (SHOWN, Align2::RIGHT_BOTTOM, vec2(-16.0, -(size::STATUS_BAR + 12.0)))
    };
    let hidden = notices.len().saturating_sub(shown);
    let area = Area::new(Id::unique("notices")).order(Order::Tooltip).anchor(anchor, from_anchor);
    area.show(ui.ctx(), |ui| {
        let tokens = tokens(ui);
        ui.set_width(WIDTH);
        if hidden > 0 {
            let words = format!("{hidden} earlier");
            ui.label(rich_text(words, Type::Caption, tokens.dim));
        }
        // The newest are kept in sight: older ones are counted above.
        for notice in notices.iter().skip(hidden) {
            notice_ui(ui, cx, notice);
        }
    });
}

fn notice_ui(ui: &mut Ui, cx: &ViewContext<'_>, notice: &Notice) {
    let tokens = tokens(ui);
    let (icon, color) = match notice.level {
        NoticeLevel::Info => (icons::INFO, tokens.dim),
        NoticeLevel::Warning => (icons::WARNING, tokens.warn),
        NoticeLevel::Error => (icons::ERROR, tokens.loss),
    };
    let frame = Frame::new()
        .fill(tokens.overlay)
        .stroke(Stroke::new(1.0, tokens.hairline))
        .corner_radius(size::RADIUS_LARGE)
        .shadow(tokens.overlay_shadow())
        .inner_margin(Margin { left: 12, right: 6, top: 6, bottom: 8 });
    frame.show(ui, |ui| {
        // Without the margins of the frame, which come on top.
        ui.set_width(WIDTH - 18.0);
        ui.horizontal_top(|ui| {
            ui.vertical(|ui| {
                ui.add_space(5.0);
                ui.label(rich_text(icon, Type::Icon, color));
            });
            ui.vertical(|ui| {
                ui.set_width(WIDTH - 84.0);
                ui.add_space(5.0);
                ui.add(egui::Label::new(&notice.text).wrap().selectable(true));
            });
            let close = Button::icon(icons::CLOSE, "Dismiss").look(Look::Tool).height(24.0);
            if close.tooltip("Dismiss this notice.").show(ui).clicked() {
                cx.send(Command::DismissNotice(notice.id));
            }
        });
    });
}
