//! The last answers, to be opened again; and what undo did.

use egui::{Align, Align2, Layout, Role, Sense, StrokeKind, Ui, WidgetInfo, vec2};

use super::parts::{annotate, item_name};
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{Look, allocate_stable_of, paint_text, rich_text, text_width};
use crate::workbench::AnnotateCommand;
use crate::workbench::views::{LastAnswer, last_answers};

/// How many answers there is room for at most.
const SHOWN: usize = 10;
/// Width of one.
const CHIP: f32 = 78.0;

/// Draws the strip: the newest answer is the first.
pub(super) fn strip_ui(ui: &mut Ui, cx: &ViewContext<'_>) {
    let tokens = tokens(ui);
    let Some(desk) = &cx.state.annotate.desk else { return };
    ui.horizontal_centered(|ui| {
        ui.add_space(8.0);
        CommandButton::text(CommandId::UndoLabel)
            .with_icon(icons::UNDO)
            .look(Look::Tool)
            .compact()
            .show(ui, cx);
        if let Some(told) = &desk.told {
            ui.label(rich_text(told, Type::Body, tokens.text));
        }
        let last = last_answers(cx.state, SHOWN);
        if last.is_empty() {
            if desk.told.is_none() {
                let words = "The last answers stand here, to be changed.";
                ui.label(rich_text(words, Type::Body, tokens.dim));
            }
            return;
        }
        ui.spacing_mut().item_spacing.x = 4.0;
        // Whole ones only: half a chip could be pressed and not read.
        let room = ((ui.available_width() - 8.0) / (CHIP + 4.0)).max(0.0) as usize;
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            for answer in last.iter().take(room) {
                chip_ui(ui, cx, answer, answer.at == desk.at);
            }
        });
    });
}

fn chip_ui(ui: &mut Ui, cx: &ViewContext<'_>, answer: &LastAnswer, is_now: bool) {
    let tokens = tokens(ui);
    let (rect, response) = allocate_stable_of(ui, answer.at, vec2(CHIP, 40.0), Sense::click());
    let name = item_name(cx.state, answer.at);
    let told = format!("{name}, answered {}", answer.words);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_now, &told));
    let fill = match (is_now, response.hovered()) {
        (true, _) => tokens.accent_wash,
        (false, true) => tokens.raised_hover,
        (false, false) => tokens.raised,
    };
    let painter = ui.painter();
    painter.rect(rect, size::RADIUS, fill, tokens.line(), StrokeKind::Inside);
    let inner = rect.shrink2(vec2(8.0, 6.0));
    let style = (Type::Strong, tokens.text);
    paint_text(painter, inner.left_top(), Align2::LEFT_TOP, &answer.words, style, inner.width());
    let below = inner.left_bottom();
    let style = (Type::Caption, tokens.dim);
    let seconds = answer.millis.map(|millis| format!("{} s", millis.div_ceil(1000)));
    let seconds = seconds.unwrap_or_default();
    // The seconds stay whole, and the name is cut: it is told in full on hover.
    let room = inner.width() - text_width(ui, &seconds, Type::Caption) - 4.0;
    paint_text(painter, below, Align2::LEFT_BOTTOM, &name, style, room);
    let right = inner.right_bottom();
    paint_text(painter, right, Align2::RIGHT_BOTTOM, &seconds, style, inner.width());
    if answer.is_revised {
        let corner = inner.right_top();
        let style = (Type::IconSmall, tokens.dim);
        paint_text(painter, corner, Align2::RIGHT_TOP, icons::EDIT, style, 16.0);
    }
    let response = response.on_hover_text(format!("{name}: open it and change the answer."));
    if response.clicked() {
        annotate(cx, AnnotateCommand::GoTo(answer.at));
    }
}
