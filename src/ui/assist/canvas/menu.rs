//! The menu of the right button: what lies at a place.

use egui::{Response, ScrollArea, Ui};

use super::under::Under;
use crate::design::NodeId;
use crate::editor::{Act, SelectAct};
use crate::ui::assist::acting::act;
use crate::ui::context::ViewContext;
use crate::ui::widgets::chosen_look;
use crate::workbench::AssistDesk;

/// The menu, and what lay where it was opened.
#[derive(Debug, Default)]
pub(super) struct LayerMenu {
    /// The topmost first.
    layers: Vec<NodeId>,
    /// With Ctrl there is the list alone.
    is_list: bool,
    /// The layer whose row is under the pointer.
    pointed: Option<NodeId>,
}

impl LayerMenu {
    /// The layer whose row is under the pointer.
    pub(super) fn pointed(&self) -> Option<&NodeId> {
        self.pointed.as_ref()
    }

    /// Opens and shows it.
    pub(super) fn update(
        &mut self,
        ui: &Ui,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        under: Under,
        response: &Response,
    ) {
        if response.secondary_clicked()
            && let Some(pos) = response.interact_pointer_pos()
        {
            let pointer = under.pointer(ui, pos);
            self.layers = desk.editor.lying_at(pointer);
            self.is_list = pointer.keys.command;
            // The menu is about what it was opened on.
            let node = desk.editor.hovered(pointer).filter(|_| !self.is_list);
            if let Some(node) = node
                && !desk.editor.selection().nodes.contains(&node)
            {
                act(cx, Act::Select(SelectAct::Only(vec![node])));
            }
        }
        self.pointed = None;
        response.context_menu(|ui| {
            if self.is_list {
                self.layers_ui(ui, cx, desk);
            } else {
                ui.menu_button("Select layer", |ui| self.layers_ui(ui, cx, desk));
            }
        });
    }

    fn layers_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, desk: &AssistDesk) {
        if self.layers.is_empty() {
            ui.label("Nothing lies here.");
            return;
        }
        ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
            chosen_look(ui);
            for id in self.layers.clone() {
                let id = &id;
                let Some(node) = desk.editor.document().get(id) else { continue };
                let is_selected = desk.editor.selection().nodes.contains(id);
                let row = ui.selectable_label(is_selected, &node.name);
                if row.hovered() {
                    self.pointed = Some(id.clone());
                }
                if row.clicked() {
                    act(cx, Act::Select(SelectAct::Only(vec![id.clone()])));
                    ui.close();
                }
            }
        });
    }
}
