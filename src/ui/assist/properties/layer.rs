//! How a layer mixes with what is below it.

use egui::Ui;

use super::number_field::{Fields, NumberField, property_ui};
use super::parts::{menu_ui, section_ui, toggle_ui};
use super::subject::Subject;
use crate::design::BlendMode;
use crate::editor::{NumberProperty, Setting};
use crate::ui::icons;

/// The blend modes, with Figma's names.
const BLEND_MODES: [(BlendMode, &str); 19] = [
    (BlendMode::PassThrough, "Pass through"),
    (BlendMode::Normal, "Normal"),
    (BlendMode::Darken, "Darken"),
    (BlendMode::Multiply, "Multiply"),
    (BlendMode::LinearBurn, "Plus darker"),
    (BlendMode::ColorBurn, "Color burn"),
    (BlendMode::Lighten, "Lighten"),
    (BlendMode::Screen, "Screen"),
    (BlendMode::LinearDodge, "Plus lighter"),
    (BlendMode::ColorDodge, "Color dodge"),
    (BlendMode::Overlay, "Overlay"),
    (BlendMode::SoftLight, "Soft light"),
    (BlendMode::HardLight, "Hard light"),
    (BlendMode::Difference, "Difference"),
    (BlendMode::Exclusion, "Exclusion"),
    (BlendMode::Hue, "Hue"),
    (BlendMode::Saturation, "Saturation"),
    (BlendMode::Color, "Color"),
    (BlendMode::Luminosity, "Luminosity"),
];

/// Draws the section.
pub(super) fn layer_ui(ui: &mut Ui, fields: &mut Fields, subject: Subject<'_>) {
    let visible = subject.common(|node| Some(node.visible));
    section_ui(
        ui,
        "Layer",
        |ui| {
            let (icon, name) =
                if visible.is(&false) { (icons::HIDDEN, "Show") } else { (icons::SHOWN, "Hide") };
            if toggle_ui(ui, icon, name, visible.is(&true)).is_some() {
                subject.set(Setting::Visible(visible.is(&false)));
            }
        },
        |ui| {
            const OPACITY: f32 = 72.0;
            ui.horizontal(|ui| {
                let room = (ui.available_width() - OPACITY - 8.0).max(60.0);
                let now = subject.common(|node| Some(node.blend_mode));
                if let Some(mode) = menu_ui(ui, "Blend mode", &BLEND_MODES, &now, room) {
                    subject.set(Setting::Blend(mode));
                }
                let property = NumberProperty::Opacity;
                let field = NumberField::new(property.label(), subject.number(property)).unit("%");
                property_ui(ui, fields, subject, property, field, OPACITY);
            });
        },
    );
}
