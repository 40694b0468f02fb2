//! Keys as people read them, and tooltips that name them.

use egui::{Align2, KeyboardShortcut, ModifierNames, Response, Role, Sense, StrokeKind, Ui, vec2};

use super::text::{paint_text, text_width};
use crate::ui::theme::{Type, size, tokens};

/// A key as people read it, such as `Ctrl P`.
pub(crate) fn key_text(ui: &Ui, key: KeyboardShortcut) -> String {
    let mac = matches!(ui.ctx().os(), egui::os::OperatingSystem::Mac);
    let modifiers = ModifierNames::NAMES.format(&key.modifiers, mac).replace('+', " ");
    // A symbol of a shifted key says the shift already.
    let symbol = match key.logical_key {
        egui::Key::ArrowLeft => "←",
        egui::Key::ArrowRight => "→",
        egui::Key::ArrowUp => "↑",
        egui::Key::ArrowDown => "↓",
        egui::Key::Questionmark => "?",
        egui::Key::Slash => "/",
        egui::Key::OpenBracket => "[",
        egui::Key::CloseBracket => "]",
        egui::Key::OpenCurlyBracket => "{",
        egui::Key::CloseCurlyBracket => "}",
        egui::Key::Plus => "+",
        egui::Key::Equals => "=",
        egui::Key::Minus => "−",
        egui::Key::Period => ".",
        egui::Key::Comma => ",",
        egui::Key::Colon => ":",
        egui::Key::Semicolon => ";",
        egui::Key::Quote => "'",
        egui::Key::Backtick => "`",
        egui::Key::Backslash => "\\",
        egui::Key::Pipe => "|",
        egui::Key::Exclamationmark => "!",
        egui::Key::PageUp => "Page Up",
        egui::Key::PageDown => "Page Down",
        egui::Key::Escape => "Esc",
        key => key.name(),
    };
    if modifiers.is_empty() { symbol.to_owned() } else { format!("{modifiers} {symbol}") }
}

/// A key cap.
pub(crate) fn kbd_ui(ui: &mut Ui, key: &str) -> Response {
    // Whole points, at least a square: caps stand in columns.
    let width = (text_width(ui, key, Type::Caption) + 10.0).ceil().max(18.0);
    let (rect, response) = ui.allocate_exact_size(vec2(width, 18.0), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Label, true, key));
    let tokens = tokens(ui);
    let cap = size::RADIUS_SMALL;
    ui.painter().rect(rect, cap, tokens.raised, tokens.line(), StrokeKind::Inside);
    let style = (Type::Caption, tokens.dim);
    paint_text(ui.painter(), rect.center(), Align2::CENTER_CENTER, key, style, f32::INFINITY);
    response
}

/// What a tooltip holds: what the thing does, and its key.
pub(crate) fn tooltip_ui(ui: &mut Ui, words: &str, key: Option<&str>) {
    ui.horizontal(|ui| {
        ui.set_max_width(380.0);
        ui.add(egui::Label::new(words).wrap());
        if let Some(key) = key {
            kbd_ui(ui, key);
        }
    });
}
