//! The room in which people design by hand, with an assistant at the side.
//!
//! [`start`] is there before a design is; then [`layers`] at the left, the [`canvas`] in the middle below its
//! [`toolbar`], [`properties`] and the [`assistant`] at the right, and the [`study`] bar on top while somebody takes
//! part in a study.

mod acting;
mod assistant;
mod canvas;
mod clipboard;
mod digits;
mod layers;
mod nudge;
mod properties;
mod questions;
mod start;
mod study;
mod toolbar;
mod versions;

pub(super) use canvas::{canvas_id, is_cropping, typing_id};
pub(super) use questions::is_asking;

use egui::{CentralPanel, Frame, Panel, Rect, Ui};

use super::commands::AssistLocal;
use super::context::ViewContext;
use super::stage::Textures;
use super::theme::{size, tokens};
use crate::design::NodeId;
use crate::workbench::{AssistCommand, AssistDesk, Browse, Command, LookCommand};

use assistant::AssistantPanel;
use canvas::{Around, Canvas};
use clipboard::Clipboard;
use digits::OpacityDigits;
use layers::{LayersPanel, ProposedLayers, proposed_layers};
use nudge::NudgeDialog;
use properties::PropertiesPanel;
use start::Start;
use study::StudyParts;
use versions::Versions;

/// The tree of layers when first seen.
const LAYERS: f32 = 232.0;
/// The properties when first seen.
const PROPERTIES: f32 = 248.0;
/// The assistant when first seen.
const ASSISTANT: f32 = 328.0;

/// The room with what belongs to its panels alone.
#[derive(Debug, Default)]
pub(super) struct AssistRoom {
    /// The number of the design that all below but `start`, `study` and `clipboard` is about.
    desk: Option<u64>,
    start: Start,
    study: StudyParts,
    layers: LayersPanel,
    canvas: Canvas,
    versions: Versions,
    /// What is hovered in the tree or on the canvas, which show it to each other.
    hovered: Option<NodeId>,
    /// The layer of the change of an offer that is hovered in its list or on the canvas, which show it to each other.
    proposed: Option<NodeId>,
    properties: PropertiesPanel,
    assistant: AssistantPanel,
    clipboard: Clipboard,
    digits: OpacityDigits,
    nudge: NudgeDialog,
}

impl AssistRoom {
    /// Does what concerns the window alone.
    pub(super) fn do_local(&mut self, cx: &ViewContext<'_>, local: AssistLocal) {
        let Some(desk) = cx.state.assist.desk.as_deref() else { return };
        // Whoever looks for a layer or names one has to see the tree.
        if matches!(
            local,
            AssistLocal::ShowAssets | AssistLocal::SearchLayers | AssistLocal::RenameLayer
        ) {
            show_panels(cx);
        }
        match local {
            AssistLocal::ShowAssets => self.layers.switch_tab(),
            AssistLocal::FoldLayers => self.layers.fold_all(),
            AssistLocal::SearchLayers => self.layers.search(),
            AssistLocal::RenameLayer => self.layers.rename(desk),
            AssistLocal::NudgeAmount => self.nudge.open(cx.state.settings.canvas.nudge),
            AssistLocal::PlacePicture => {
                let at = desk.place_to_insert(self.canvas.visible());
                cx.send(Command::Browse(Browse::PlacePicture(at)));
            }
            _ => self.canvas.ask(local),
        }
    }

    /// What is under the pointer, for the status bar.
    pub(super) fn readout(&self) -> Option<&str> {
        self.canvas.readout()
    }

    /// Puts the cursor into the field in which the assistant is asked.
    pub(super) fn ask_assistant(&mut self, cx: &ViewContext<'_>) {
        show_panels(cx);
        self.assistant.focus();
    }

    /// Leaves behind what was about another design: what was typed there, dragged, cropped or commented on would else
    /// happen to this one, whose layers may have the same ids.
    fn follow(&mut self, desk: Option<u64>) {
        let before = std::mem::replace(&mut self.desk, desk);
        if before == desk || before.is_none() {
            return;
        }
        let Self { start, study, clipboard, .. } = std::mem::take(self);
        *self = Self { desk, start, study, clipboard, ..Self::default() };
    }

    /// Draws the room.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, textures: &mut Textures) {
        let ground = Frame::new().fill(tokens(ui).stage);
        let desk = cx.state.assist.desk.as_deref();
        self.follow(desk.map(|desk| desk.number));
        self.study.watch(ui, cx);
        if self.study.page_ui(ui, cx) {
            return;
        }
        let Some(desk) = desk else {
            let page = CentralPanel::default().frame(ground);
            page.show(ui, |ui| self.start.show(ui, cx, textures));
            return;
        };
        StudyParts::bar_ui(ui, cx);
        self.versions.name_ui(ui, cx, desk);
        self.nudge.show(ui, cx);
        self.assistant.play(ui, cx, &desk.assistant);
        let hovered = self.hovered.take();
        let proposed = self.proposed.take();
        let properties = if cx.state.settings.canvas.hides_panels {
            None
        } else {
            Some(self.panels_ui(ui, cx, desk, hovered.as_ref(), proposed.as_ref()))
        };
        // Also without the panels: whoever looks at a version has to know it, and find the way back.
        if desk.files.viewed.is_some() {
            let panel = Frame::new().fill(tokens(ui).panel);
            Panel::top("assist_version").exact_size(versions::BAR).frame(panel).show(ui, |ui| {
                self.versions.show(ui, cx, desk);
            });
        }
        self.canvas_ui(ui, cx, desk, properties);
        self.clipboard.show(ui, cx, self.canvas.visible());
        self.digits.show(ui, cx, desk);
        StudyParts::drawn(cx, desk);
    }

    /// What stands around the canvas; gives where the properties are. `hovered` and `proposed`: the layer that the
    /// pointer was over on the canvas, and that of the change whose tag it was over there.
    fn panels_ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        hovered: Option<&NodeId>,
        proposed: Option<&NodeId>,
    ) -> Rect {
        let width = ui.available_width();
        let class = if width < 1200.0 { "narrow" } else { "wide" };
        let panel = Frame::new().fill(tokens(ui).panel);
        Panel::left(("assist_layers", class))
            .default_size(LAYERS.min(width * 0.18))
            .size_range(150.0..=(width * 0.3).max(150.0))
            .frame(panel)
            .show(ui, |ui| {
                ui.set_min_width(ui.available_width());
                let layers = proposed_layers(&desk.assistant);
                let layers = ProposedLayers::of_offer(&desk.assistant, &layers);
                let visible = self.canvas.visible();
                self.layers.show(ui, cx, desk, hovered, layers, visible);
            });
        Panel::right(("assist_assistant", class))
            .default_size(ASSISTANT.min(width * 0.24))
            .size_range(200.0..=(width * 0.36).max(200.0))
            .frame(panel)
            .show(ui, |ui| {
                ui.set_min_width(ui.available_width());
                // What a condition forbids is not there.
                if cx.state.assist.study.allows_assistant() {
                    self.proposed = self.assistant.show(ui, cx, desk, proposed);
                } else {
                    StudyParts::brief_ui(ui, cx, desk);
                }
            });
        let properties = Panel::right(("assist_properties", class))
            .default_size(PROPERTIES.min(width * 0.2))
            .size_range(190.0..=(width * 0.3).max(190.0))
            .frame(panel)
            .show(ui, |ui| {
                ui.set_min_width(ui.available_width());
                self.properties.show(ui, cx, desk);
            });
        let toolbar = Panel::top("assist_toolbar").exact_size(size::TOOLBAR).frame(panel);
        let zoom = self.canvas.zoom();
        let asked = toolbar.show(ui, |ui| toolbar::toolbar_ui(ui, cx, desk, zoom)).inner;
        if let Some(local) = asked {
            self.do_local(cx, local);
        }
        self.hovered = self.layers.hovered().cloned();
        properties.response.rect
    }

    /// The canvas, with what is hovered in the tree.
    fn canvas_ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        properties: Option<Rect>,
    ) {
        let ground = Frame::new().fill(tokens(ui).stage);
        CentralPanel::default().frame(ground).show(ui, |ui| {
            let (pointed, proposed) = (self.hovered.as_ref(), self.proposed.as_ref());
            self.canvas.show(ui, cx, desk, Around { pointed, proposed, properties });
        });
        if self.hovered.is_none() {
            self.hovered = self.canvas.hovered().cloned();
        }
        if self.proposed.is_none() {
            self.proposed = self.canvas.proposed().cloned();
        }
    }
}

/// Whoever is to see something beside the canvas has the panels back.
fn show_panels(cx: &ViewContext<'_>) {
    if cx.state.settings.canvas.hides_panels {
        cx.send(Command::Assist(AssistCommand::Look(LookCommand::HidePanels(false))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_about_a_design_is_gone_with_it() {
        let mut room = AssistRoom::default();
        room.follow(Some(1));
        room.hovered = Some("1:1".into());
        room.follow(Some(1));
        assert_eq!(room.hovered, Some("1:1".into()));
        room.follow(Some(2));
        assert_eq!((room.hovered, room.desk), (None, Some(2)));
    }
}
