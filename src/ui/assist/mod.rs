//! The room in which people design by hand, with an assistant at the side.
//!
//! [`start`] is there before a design is; then [`layers`] at the left, the [`canvas`] in the middle below its
//! [`toolbar`], [`properties`] and the [`assistant`] at the right, and the [`study`] bar on top while somebody takes
//! part in a study.

mod assistant;
mod canvas;
mod layers;
mod properties;
mod start;
mod study;
mod toolbar;

use egui::{CentralPanel, Frame, Panel, Ui};

use super::context::ViewContext;
use super::theme::{size, tokens};
use crate::editor::Act;
use crate::workbench::{AssistCommand, Command};

use assistant::AssistantPanel;
use canvas::Canvas;
use layers::LayersPanel;
use properties::PropertiesPanel;
use start::Start;
use study::StudyParts;

/// The tree of layers when first seen.
const LAYERS: f32 = 232.0;
/// The properties when first seen.
const PROPERTIES: f32 = 248.0;
/// The assistant when first seen.
const ASSISTANT: f32 = 328.0;

/// The room with what belongs to its panels alone.
#[derive(Debug, Default)]
pub(super) struct AssistRoom {
    start: Start,
    study: StudyParts,
    layers: LayersPanel,
    canvas: Canvas,
    properties: PropertiesPanel,
    assistant: AssistantPanel,
}

impl AssistRoom {
    /// What is under the pointer, for the status bar.
    pub(super) fn readout(&self) -> Option<&str> {
        self.canvas.readout()
    }

    /// Draws the room.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>) {
        let ground = Frame::new().fill(tokens(ui).stage);
        self.study.watch(ui, cx);
        if self.study.page_ui(ui, cx) {
            return;
        }
        let Some(desk) = cx.state.assist.desk.as_deref() else {
            self.canvas.clear();
            CentralPanel::default().frame(ground).show(ui, |ui| self.start.show(ui, cx));
            return;
        };
        self.study.show(ui, cx);
        let width = ui.available_width();
        let class = if width < 1200.0 { "narrow" } else { "wide" };
        let panel = Frame::new().fill(tokens(ui).panel);
        Panel::left(("assist_layers", class))
            .default_size(LAYERS.min(width * 0.18))
            .size_range(150.0..=(width * 0.3).max(150.0))
            .frame(panel)
            .show(ui, |ui| {
                ui.set_min_width(ui.available_width());
                self.layers.show(ui, cx, desk);
            });
        Panel::right(("assist_assistant", class))
            .default_size(ASSISTANT.min(width * 0.24))
            .size_range(200.0..=(width * 0.36).max(200.0))
            .frame(panel)
            .show(ui, |ui| {
                ui.set_min_width(ui.available_width());
                // What a condition forbids is not there.
                if cx.state.assist.study.allows_assistant() {
                    self.assistant.show(ui, cx, desk);
                } else {
                    StudyParts::brief_ui(ui, cx, desk);
                }
            });
        Panel::right(("assist_properties", class))
            .default_size(PROPERTIES.min(width * 0.2))
            .size_range(190.0..=(width * 0.3).max(190.0))
            .frame(panel)
            .show(ui, |ui| {
                ui.set_min_width(ui.available_width());
                self.properties.show(ui, cx, desk);
            });
        Panel::top("assist_toolbar").exact_size(size::TOOLBAR).frame(panel).show(ui, |ui| {
            toolbar::toolbar_ui(ui, cx, desk, self.canvas.zoom());
        });
        CentralPanel::default().frame(ground).show(ui, |ui| self.canvas.show(ui, cx, desk));
        StudyParts::drawn(cx, desk);
    }
}

/// Does something to the design.
fn act(cx: &ViewContext<'_>, act: Act) {
    cx.send(Command::Assist(AssistCommand::Act(Box::new(act))));
}
