//! The nodes of the design: its layers, how they differ, and what the selected one is.
//!
//! [`toolbar`] chooses what is listed, [`row`] draws a layer, [`details`] the selected node.

mod details;
mod row;
mod toolbar;

use egui::{Frame, Key, Panel, ScrollArea, Ui, vec2};

use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{size, tokens};
use crate::ui::widgets::{ArrowList, Button, EmptyState};
use crate::workbench::views::{self, Nodes, PaneStatus};
use crate::workbench::{Command, Comparison, NodeRef, NodesCommand};
use toolbar::FilterField;

/// What the list itself remembers.
#[derive(Debug, Default)]
pub(super) struct NodesList {
    filter: FilterField,
    hovered: Option<NodeRef>,
    /// The node the list was last scrolled to.
    shown: Option<NodeRef>,
    /// What it was compared with then: another comparison has other rows.
    against: Comparison,
    /// How far the list is scrolled, and how much of it is seen.
    scrolled: f32,
    seen_height: f32,
}

impl NodesList {
    /// The node under the pointer.
    pub(super) fn hovered(&self) -> Option<&NodeRef> {
        self.hovered.as_ref()
    }

    /// The list is not shown.
    pub(super) fn clear(&mut self) {
        self.hovered = None;
    }

    /// Draws the list, and the selected node below it.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, on_stage: Option<&NodeRef>) {
        self.hovered = None;
        let nodes = views::nodes(cx.state);
        toolbar::toolbar_ui(ui, cx, &mut self.filter, &nodes);
        // The one of another step stays until the new one is there; only without any there is
        // nothing to list.
        if nodes.layers.is_none() {
            status_ui(ui, nodes.status);
            return;
        }
        let row = nodes.selected.zip(nodes.layers);
        if let Some((index, layers)) = row
            && let Some(row) = layers.rows.get(index)
        {
            // Before the list, as egui's panels take their room in the order they are drawn.
            let height = ui.available_height();
            let frame = Frame::new().fill(tokens(ui).panel);
            Panel::bottom("node_details")
                .resizable(true)
                .default_size(height * 0.5)
                .size_range(120.0..=(height * 0.75).max(120.0))
                .frame(frame)
                .show(ui, |ui| details::details_ui(ui, cx, &nodes, layers, row));
        }
        if nodes.rows.is_empty() {
            nothing_ui(ui, cx, &nodes);
        } else {
            self.list_ui(ui, cx, &nodes, on_stage);
        }
    }

    fn list_ui(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        nodes: &Nodes<'_>,
        on_stage: Option<&NodeRef>,
    ) {
        for key in ArrowList::Nodes.arrows(ui) {
            cx.send(Command::Nodes(match key {
                Key::ArrowDown => NodesCommand::SelectBy(1),
                Key::ArrowUp => NodesCommand::SelectBy(-1),
                Key::ArrowLeft => NodesCommand::FoldSelected,
                _ => NodesCommand::UnfoldSelected,
            }));
        }
        let (Some(key), Some(layers)) = (&nodes.key, nodes.layers) else { return };
        // Other rows stand at other places: what was scrolled to has to be found again.
        if std::mem::replace(&mut self.against, key.against) != key.against {
            self.shown = None;
        }
        let mut area = ScrollArea::vertical().id_salt("node_rows").auto_shrink(false);
        if let Some(offset) = self.scroll_to_selection(cx, nodes) {
            area = area.vertical_scroll_offset(offset);
        }
        ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
        // Found once for all rows: a name is looked for in the whole tree.
        let pointed = on_stage.and_then(|node| layers.row_of(key, node));
        let output = area.show_rows(ui, size::ROW, nodes.rows.len(), |ui, range| {
            for shown in nodes.rows.get(range).unwrap_or_default() {
                let Some(layer) = layers.rows.get(shown.index) else { continue };
                let look = row::RowLook {
                    shown: *shown,
                    is_selected: nodes.selected == Some(shown.index),
                    is_pointed_at: pointed == Some(shown.index),
                    against: key.against,
                };
                let response = row::row_ui(ui, cx, layer, look, key);
                if response.hovered() {
                    self.hovered = Some(key.node_of(layer));
                }
                if response.clicked() {
                    ArrowList::Nodes.take_keyboard(ui);
                    // What was clicked is seen already, and must not jump away under the pointer.
                    self.shown = Some(key.node_of(layer));
                }
            }
        });
        self.scrolled = output.state.clamped_offset().y;
        self.seen_height = output.inner_rect.height();
    }

    /// Where to scroll so that what was just selected is seen, if it is not.
    fn scroll_to_selection(&mut self, cx: &ViewContext<'_>, nodes: &Nodes<'_>) -> Option<f32> {
        if self.shown == cx.state.nodes.selected {
            return None;
        }
        let index = nodes.selected?;
        let at = nodes.rows.iter().position(|shown| shown.index == index)?;
        // The first frame knows no height; not remembered as shown, so that the next one scrolls.
        if self.seen_height <= 0.0 {
            return None;
        }
        self.shown.clone_from(&cx.state.nodes.selected);
        let top = at as f32 * size::ROW;
        let seen = self.scrolled..=(self.scrolled + self.seen_height - size::ROW);
        (!seen.contains(&top)).then(|| (top - self.seen_height * 0.4).max(0.0))
    }
}

/// In place of the list: why there is none.
fn status_ui(ui: &mut Ui, status: PaneStatus<'_>) {
    match status {
        PaneStatus::Failed(why) => {
            EmptyState::new(icons::ERROR, "The nodes cannot be listed", why).show(ui, |_| {});
        }
        PaneStatus::Nothing(why) | PaneStatus::Asked(why) => {
            EmptyState::new(icons::NODES, "No document", why).show(ui, |_| {});
        }
        PaneStatus::Current | PaneStatus::Loading => {
            let words = "The design is being read and compared.";
            EmptyState::new(icons::NODES, "Nodes loading…", words).show(ui, |_| {});
        }
    }
}

/// In place of rows: nothing passes the filters, or there is no node at all.
fn nothing_ui(ui: &mut Ui, cx: &ViewContext<'_>, nodes: &Nodes<'_>) {
    if !nodes.is_filtered {
        let words = "The page is empty.";
        EmptyState::new(icons::NODES, "No nodes", words).show(ui, |_| {});
        return;
    }
    let panel = &cx.state.nodes;
    let (title, words) = if panel.filter.trim().is_empty() {
        ("No differences", "No node differs in this way.")
    } else {
        ("Nothing found", "No node passes the filter.")
    };
    EmptyState::new(icons::FILTER, title, words).show(ui, |ui| {
        if Button::text("Show all nodes").tooltip("Take all filters away.").show(ui).clicked() {
            clear_filters(cx);
        }
    });
}

fn clear_filters(cx: &ViewContext<'_>) {
    let panel = &cx.state.nodes;
    // There is no command for all three, and the toggles would turn on what is off.
    cx.send(Command::Nodes(NodesCommand::SetFilter(String::new())));
    if panel.only_changed {
        cx.send(Command::Nodes(NodesCommand::ToggleOnlyChanged));
    }
    if let Some(mark) = panel.only_change_kind {
        cx.send(Command::Nodes(NodesCommand::ToggleChangeKind(mark)));
    }
}
