//! A new frame: of a usual size, or of one's own; or a design from a file.

use egui::{DragValue, Response, Ui};

use super::begin::open;
use crate::base::{Limits, Size};
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Button, add_stable, rich_text, section_header_ui};
use crate::workbench::AssistStart;

/// Usual sizes, with what they are called.
pub(super) const PRESETS: [(&str, f64, f64); 4] = [
    ("Phone", 393.0, 852.0),
    ("Tablet", 834.0, 1194.0),
    ("Desktop", 1440.0, 1024.0),
    ("Square", 1080.0, 1080.0),
];

/// The size that is typed.
#[derive(Debug)]
pub(super) struct NewFrame {
    width: f64,
    height: f64,
}

impl Default for NewFrame {
    fn default() -> Self {
        Self { width: 1280.0, height: 720.0 }
    }
}

impl NewFrame {
    /// Draws the sizes.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        section_header_ui(ui, "New design", "");
        ui.horizontal_wrapped(|ui| {
            for (name, width, height) in PRESETS {
                let words = format!("{name} {width} × {height}");
                if Button::text(&words).with_icon(icons::NODE_FRAME).show(ui).clicked() {
                    open(cx, AssistStart::Blank(Size::new(width, height)));
                }
            }
        });
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            side_ui(ui, "Width", &mut self.width);
            ui.label(rich_text("×", Type::Body, tokens(ui).dim));
            side_ui(ui, "Height", &mut self.height);
            if Button::text("New design of this size").show(ui).clicked() {
                open(cx, AssistStart::Blank(Size::new(self.width, self.height)));
            }
        });
        ui.add_space(8.0);
        CommandButton::text(CommandId::OpenDesign).with_icon(icons::OPEN).show(ui, cx);
    }
}

/// A side of a page, in whole units.
pub(super) fn side_ui(ui: &mut Ui, name: &str, side: &mut f64) -> Response {
    let most = f64::from(Limits::IMAGE_SIDE);
    let field = DragValue::new(side).range(1.0..=most).max_decimals(0).suffix(" px");
    let response = add_stable(ui, field);
    let value = *side;
    response.widget_info(|| {
        let mut info = egui::WidgetInfo::drag_value(true, value);
        info.label = Some(name.to_owned());
        info
    });
    response
}
