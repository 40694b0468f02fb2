//! The tree of layers.
//!
//! Beside it are the components and styles ([`assets`]). [`row`] draws a layer, [`dropping`] is where dragged rows go,
//! [`renaming`] a name that is typed over, [`pages`] the list of pages over it, [`search`] the field that narrows the
//! tree, [`proposed`] what it shows of a proposal.

mod assets;
mod dropping;
mod pages;
mod proposed;
mod renaming;
mod row;
mod search;

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{Key, Modifiers, Pos2, Rect, ScrollArea, Ui, vec2};

use crate::base::Rect as PageRect;
use crate::design::{Document, NodeId};
use crate::editor::{
    Act, Inherited, LayerAct, SelectAct, TreeRow, families_of, open_at_first, tree_rows,
};
use crate::ui::assist::acting::act;
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::size;
use crate::ui::widgets::{ArrowList, EmptyState};
use crate::workbench::AssistDesk;

use assets::Assets;
use dropping::{DropMark, DropPlace, OverRow};
use pages::Pages;
pub(super) use proposed::{ProposedLayers, proposed_layers};
use renaming::{Renamed, Renaming};
use row::{RowLook, RowResponse};
use search::{SearchField, Tab};

/// How long rows are held over a folded layer until it unfolds, in seconds.
const UNFOLDS_AFTER: f64 = 0.6;

/// What belongs to the panel alone.
#[derive(Debug, Default)]
pub(super) struct LayersPanel {
    search: SearchField,
    tab: Tab,
    assets: Assets,
    /// The number of the design.
    desk: u64,
    /// The layers whose children are listed.
    open: BTreeSet<NodeId>,
    rows: Arc<[TreeRow]>,
    /// How many layers there are, listed or not.
    count: usize,
    /// What the rows were made of.
    made_of: Option<MadeOf>,
    /// What was selected when the tree was last scrolled to that.
    shown: Vec<NodeId>,
    /// The next selection was made here: it is seen already.
    is_own_selection: bool,
    /// Where a range of rows begins.
    anchor: Option<NodeId>,
    dragged: Option<DraggedRows>,
    painted: Option<PaintedMarks>,
    renaming: Option<Renaming>,
    pages: Pages,
    hovered: Option<NodeId>,
    scrolled: f32,
    /// Where rows are seen; `None` before the first frame.
    seen: Option<Rect>,
}

/// What rows are drawn from.
#[derive(Clone, Copy)]
struct Drawn<'a> {
    desk: &'a AssistDesk,
    /// The design, with what a proposal adds.
    document: &'a Document,
    /// The layer under the pointer on the canvas.
    pointed: Option<&'a NodeId>,
    proposed: ProposedLayers<'a>,
    drop: Option<&'a DropPlace>,
}

/// What rows were made of.
#[derive(Clone, Debug, PartialEq, Eq)]
struct MadeOf {
    revision: u64,
    search: String,
    open: BTreeSet<NodeId>,
}

/// Rows that are dragged.
#[derive(Clone, Debug)]
struct DraggedRows {
    nodes: Vec<NodeId>,
    /// Whether they were selected: whoever takes the selection away by Escape takes nothing along.
    are_selected: bool,
    /// The folded layer under the pointer, and since when.
    over: Option<(NodeId, f64)>,
}

/// Eyes or locks over which the pointer is dragged.
#[derive(Clone, Debug)]
struct PaintedMarks {
    mark: LayerToggle,
    /// What all of them become.
    value: bool,
    nodes: Vec<NodeId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LayerToggle {
    Eye,
    Lock,
}

impl LayersPanel {
    /// The layer whose row is under the pointer.
    pub(super) fn hovered(&self) -> Option<&NodeId> {
        self.hovered.as_ref()
    }

    /// Folds all layers.
    pub(super) fn fold_all(&mut self) {
        self.open.clear();
    }

    /// Puts the cursor into the search field, which opens.
    pub(super) fn search(&mut self) {
        self.tab = Tab::Layers;
        self.search.open();
    }

    /// Shows the components and styles, or the layers.
    pub(super) fn switch_tab(&mut self) {
        self.tab = if self.tab == Tab::Layers { Tab::Assets } else { Tab::Layers };
    }

    /// Has the name of the selected layer typed over.
    pub(super) fn rename(&mut self, desk: &AssistDesk) {
        let selected = desk.editor.selection().nodes.last();
        let node = selected.and_then(|id| desk.editor.document().get(id));
        self.renaming = node.map(|node| Renaming::new(node.id.clone(), &node.name));
        self.tab = Tab::Layers;
        // It has to be seen.
        self.shown.clear();
    }

    /// Draws the panel. `visible`: the part of the page that is seen.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        pointed: Option<&NodeId>,
        proposed: ProposedLayers<'_>,
        visible: Option<PageRect>,
    ) {
        self.hovered = None;
        if self.desk != desk.number {
            *self = Self {
                desk: desk.number,
                open: open_at_first(desk.editor.shown()),
                ..Self::default()
            };
        }
        let seen = match proposed.document {
            Some(document) => document.clone(),
            None => desk.editor.shown_on_page(),
        };
        let document = &seen;
        self.follow_selection(desk);
        self.list(desk, document, proposed.document.is_some());
        if self.search.header_ui(ui, cx, self.count, &mut self.tab) {
            self.fold_all();
        }
        if self.tab == Tab::Assets {
            self.assets.show(ui, cx, desk, visible);
            return;
        }
        self.pages.show(ui, cx, desk);
        if self.rows.is_empty() {
            let (title, words) = if self.search.text().trim().is_empty() {
                ("No layers", "Draw a frame or a shape on the canvas.")
            } else {
                ("Nothing found", "No layer has these words in its name.")
            };
            EmptyState::new(icons::NODES, title, words).show(ui, |_| {});
            return;
        }
        self.keys(ui, cx, desk, document);
        let mut area = ScrollArea::vertical().id_salt("layer_rows").auto_shrink(false);
        let offset = self.scroll_to_selection(desk).or_else(|| self.scroll_while_dragging(ui));
        if let Some(offset) = offset {
            area = area.vertical_scroll_offset(offset);
        }
        ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
        let drop = self.drop_place(ui, document);
        let rows = Arc::clone(&self.rows);
        let drawn = Drawn { desk, document, pointed, proposed, drop: drop.as_ref() };
        let output = area.show_rows(ui, size::ROW, rows.len(), |ui, range| {
            let top = ui.max_rect().top();
            let first = range.start;
            for (at, row) in rows.iter().enumerate().take(range.end).skip(first) {
                self.row(ui, cx, drawn, at, row);
            }
            if let Some(place) = &drop
                && let DropMark::Line { before, depth } = place.shown
            {
                let y = top + (before as f32 - first as f32) * size::ROW;
                let into = place.parent.as_ref().and_then(|id| document.get(id));
                let into = into.filter(|node| !node.kind.is_file_or_page());
                let into = into.map_or("", |node| row::shown_name(node));
                row::line_ui(ui, y, ui.max_rect().left(), ui.max_rect().right(), depth, into);
            }
        });
        self.scrolled = output.state.clamped_offset().y;
        self.seen = Some(output.inner_rect);
        self.let_go(ui, cx, desk, drop);
    }

    /// Lists the rows anew, if they would be others.
    fn list(&mut self, desk: &AssistDesk, document: &Document, is_proposed: bool) {
        let made_of = MadeOf {
            revision: desk.editor.revision(),
            search: self.search.text().to_owned(),
            open: self.open.clone(),
        };
        if is_proposed || self.made_of.as_ref() != Some(&made_of) {
            self.rows = tree_rows(document, &self.open, &made_of.search).into();
            self.count = layer_count(&desk.editor.shown_on_page());
            // What a proposal adds is known by no number.
            self.made_of = (!is_proposed).then_some(made_of);
        }
    }

    /// Unfolds what the selected layers lie in, once.
    fn follow_selection(&mut self, desk: &AssistDesk) {
        let selected = &desk.editor.selection().nodes;
        if self.shown == *selected {
            return;
        }
        for id in selected {
            let around = desk.editor.shown().ancestors(id);
            self.open.extend(around.map(|node| node.id.clone()));
        }
    }

    /// Where to scroll so that what was just selected is seen, if it is not.
    fn scroll_to_selection(&mut self, desk: &AssistDesk) -> Option<f32> {
        let selected = &desk.editor.selection().nodes;
        // The first frame knows no height; not remembered as shown, so that the next one scrolls.
        if self.shown == *selected {
            self.is_own_selection = false;
            return None;
        }
        let height = self.seen.filter(|seen| seen.height() > 0.0)?.height();
        self.shown.clone_from(selected);
        if std::mem::take(&mut self.is_own_selection) {
            return None;
        }
        let last = selected.last()?;
        let at = self.position(last)?;
        let top = at as f32 * size::ROW;
        let seen = self.scrolled..=(self.scrolled + height - size::ROW);
        (!seen.contains(&top)).then(|| (top - height * 0.4).max(0.0))
    }

    /// Near the upper and lower edge dragged rows scroll the tree.
    fn scroll_while_dragging(&self, ui: &Ui) -> Option<f32> {
        self.dragged.as_ref()?;
        let seen = self.seen?;
        let at = ui.input(|input| input.pointer.latest_pos())?;
        let by = if at.y < seen.top() + size::ROW {
            -6.0
        } else if at.y > seen.bottom() - size::ROW {
            6.0
        } else {
            return None;
        };
        ui.request_repaint();
        Some((self.scrolled + by).max(0.0))
    }

    /// Arrows and Enter, while the tree has the keyboard.
    fn keys(&mut self, ui: &Ui, cx: &ViewContext<'_>, desk: &AssistDesk, document: &Document) {
        let has_keyboard = ui.memory(|memory| memory.has_focus(ArrowList::Layers.id()));
        let arrows = ArrowList::Layers.arrows(ui);
        let last = desk.editor.selection().nodes.last();
        let at = last.and_then(|id| self.position(id));
        for key in arrows {
            let row = at.and_then(|at| self.rows.get(at));
            let next = match (key, row) {
                (Key::ArrowDown, _) => at.map_or(Some(0), |at| at.checked_add(1)),
                (Key::ArrowUp, _) => at.map_or(Some(0), |at| at.checked_sub(1)),
                (Key::ArrowLeft, Some(row)) if row.folded == Some(false) => {
                    self.open.remove(&row.id);
                    None
                }
                (Key::ArrowLeft, Some(row)) => {
                    let parent = document.get(&row.id).and_then(|node| node.parent.as_ref());
                    parent.and_then(|id| self.position(id))
                }
                (Key::ArrowRight, Some(row)) if row.folded == Some(true) => {
                    self.open.insert(row.id.clone());
                    None
                }
                (Key::ArrowRight, Some(row)) if row.folded == Some(false) => {
                    at.and_then(|at| at.checked_add(1))
                }
                _ => None,
            };
            if let Some(next) = next.and_then(|next| self.rows.get(next)) {
                self.anchor = Some(next.id.clone());
                act(cx, Act::Select(SelectAct::Only(vec![next.id.clone()])));
            }
        }
        let enters =
            has_keyboard && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        if enters && self.renaming.is_none() {
            act(cx, Act::Select(SelectAct::Children));
        }
    }

    /// Where dragged rows would go.
    fn drop_place(&mut self, ui: &Ui, document: &Document) -> Option<DropPlace> {
        let dragged = self.dragged.as_mut()?;
        let seen = self.seen?;
        let at = ui.input(|input| input.pointer.latest_pos()).filter(|at| seen.contains(*at));
        let over = at.map(|at| over_row(at, seen, self.scrolled));
        let last = self.rows.len().checked_sub(1)?;
        let over = over.map(|over| match over.row {
            row if row <= last => over,
            // Below all rows is behind the last.
            _ => OverRow { row: last, share: 1.0, ..over },
        })?;
        let place = dropping::drop_at(document, &self.rows, &dragged.nodes, over);
        let folded = self.rows.get(over.row).filter(|row| {
            row.folded == Some(true)
                && matches!(&place, Some(DropPlace { shown: DropMark::Into(_), .. }))
        });
        let Some(folded) = folded else {
            dragged.over = None;
            return place;
        };
        let now = ui.input(|input| input.time);
        match &dragged.over {
            Some((id, since)) if *id == folded.id => {
                if now - since >= UNFOLDS_AFTER {
                    self.open.insert(folded.id.clone());
                }
            }
            _ => dragged.over = Some((folded.id.clone(), now)),
        }
        ui.request_repaint();
        place
    }

    /// Draws a row, and does what a click or a drag on it means.
    fn row(
        &mut self,
        ui: &mut Ui,
        cx: &ViewContext<'_>,
        drawn: Drawn<'_>,
        at: usize,
        row: &TreeRow,
    ) {
        let Drawn { desk, document, pointed, proposed, drop } = drawn;
        let Some(node) = document.get(&row.id) else { return };
        let fonts = desk.render.fonts();
        let look = RowLook {
            row,
            node,
            inherited: Inherited::from_ancestors(document, &row.id),
            is_selected: desk.editor.selection().nodes.contains(&row.id),
            is_pointed_at: pointed == Some(&row.id),
            takes_drop: drop.is_some_and(|drop| drop.shown == DropMark::Into(at)),
            is_renamed: self.renaming.as_ref().is_some_and(|typed| typed.node == row.id),
            is_dragging: self.dragged.is_some() || self.painted.is_some(),
            proposed: proposed.of(&row.id),
            missing_font: families_of(node).into_iter().find(|family| !fonts.has(family)),
        };
        let response = row::row_ui(ui, look);
        if look.is_renamed {
            self.rename_ui(ui, cx, desk, response.name);
            return;
        }
        // What is only proposed cannot be worked on.
        let is_there = desk.editor.document().get(&row.id).is_some();
        if response.row.contains_pointer() && is_there {
            self.hovered = Some(row.id.clone());
        }
        self.take_marks(ui, cx, look, &response, is_there);
        if response.row.clicked() && response.on_caret {
            self.toggle_folded(row);
        } else if response.row.double_clicked() && is_there {
            self.renaming = Some(Renaming::new(row.id.clone(), &node.name));
        } else if response.row.clicked() && is_there {
            ArrowList::Layers.take_keyboard(ui);
            self.click(ui, cx, &row.id);
        }
        if response.row.drag_started_by(egui::PointerButton::Primary) && is_there {
            self.take_rows(cx, desk, &row.id);
        }
        if let Some(dragged) = &self.dragged
            && dragged.nodes.contains(&row.id)
        {
            ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
        }
    }

    /// The number of a layer's row.
    fn position(&self, id: &NodeId) -> Option<usize> {
        self.rows.iter().position(|row| row.id == *id)
    }

    fn toggle_folded(&mut self, row: &TreeRow) {
        if !self.open.remove(&row.id) {
            self.open.insert(row.id.clone());
        }
    }

    /// Selects by a click: alone, too with Ctrl, up to it with Shift.
    fn click(&mut self, ui: &Ui, cx: &ViewContext<'_>, id: &NodeId) {
        let modifiers = ui.input(|input| input.modifiers);
        self.is_own_selection = true;
        let ends =
            [self.anchor.as_ref(), Some(id)].map(|end| end.and_then(|end| self.position(end)));
        let select = match ends {
            [Some(from), Some(to)] if modifiers.shift => {
                let range = self.rows.get(from.min(to)..=from.max(to)).unwrap_or_default();
                SelectAct::Only(range.iter().map(|row| row.id.clone()).collect())
            }
            _ if modifiers.command => {
                self.anchor = Some(id.clone());
                SelectAct::Toggle(id.clone())
            }
            _ => {
                self.anchor = Some(id.clone());
                SelectAct::Only(vec![id.clone()])
            }
        };
        act(cx, Act::Select(select));
    }

    /// Begins to drag a row: with it all that are selected, if it is.
    fn take_rows(&mut self, cx: &ViewContext<'_>, desk: &AssistDesk, id: &NodeId) {
        let selected = &desk.editor.selection().nodes;
        let nodes = if selected.contains(id) { selected.clone() } else { vec![id.clone()] };
        if nodes.len() == 1 && !selected.contains(id) {
            self.is_own_selection = true;
            act(cx, Act::Select(SelectAct::Only(nodes.clone())));
        }
        self.dragged = Some(DraggedRows { nodes, are_selected: false, over: None });
    }

    /// Clicks on eye and lock, and drags over several.
    fn take_marks(
        &mut self,
        ui: &Ui,
        cx: &ViewContext<'_>,
        look: RowLook<'_>,
        response: &RowResponse,
        is_there: bool,
    ) {
        if !is_there {
            return;
        }
        let id = &look.node.id;
        for (mark, on, at) in [
            (LayerToggle::Eye, look.node.visible, &response.eye),
            (LayerToggle::Lock, crate::editor::is_locked(look.node), &response.lock),
        ] {
            if at.clicked() {
                act(cx, mark.act(vec![id.clone()], !on));
            } else if at.drag_started_by(egui::PointerButton::Primary) {
                self.painted = Some(PaintedMarks { mark, value: !on, nodes: vec![id.clone()] });
            } else if let Some(painted) = self.painted.as_mut().filter(|it| it.mark == mark)
                && let Some(pos) = ui.input(|input| input.pointer.latest_pos())
                && at.rect.y_range().contains(pos.y)
                && on != painted.value
                && !painted.nodes.contains(id)
            {
                painted.nodes.push(id.clone());
            }
        }
    }

    /// The field in a row's place, and what becomes of what was typed.
    fn rename_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, desk: &AssistDesk, place: Rect) {
        let Some(mut renaming) = self.renaming.take() else { return };
        let renamed = renaming.show(ui, place);
        match renamed {
            Renamed::No => {
                self.renaming = Some(renaming);
                return;
            }
            Renamed::Dropped => return,
            Renamed::Kept | Renamed::KeptWithNext => {}
        }
        let document = desk.editor.document();
        let name = renaming.text().trim();
        let is_other = document.get(&renaming.node).is_some_and(|node| node.name != name);
        // Nothing typed is no name: the old one stays.
        if is_other && !name.is_empty() {
            let (node, name) = (renaming.node.clone(), name.to_owned());
            act(cx, Act::Layer(LayerAct::Rename { node, name }));
        }
        if renamed == Renamed::KeptWithNext
            && let Some(at) = self.position(&renaming.node)
            && let Some(next) = self.rows.get(at + 1).and_then(|row| document.get(&row.id))
        {
            self.renaming = Some(Renaming::new(next.id.clone(), &next.name));
            act(cx, Act::Select(SelectAct::Only(vec![next.id.clone()])));
        }
    }

    /// Ends a drag of rows or marks when the button is let go.
    fn let_go(
        &mut self,
        ui: &Ui,
        cx: &ViewContext<'_>,
        desk: &AssistDesk,
        drop: Option<DropPlace>,
    ) {
        let (is_down, is_released, escape) = ui.input(|input| {
            let pointer = &input.pointer;
            (pointer.primary_down(), pointer.primary_released(), input.key_pressed(Key::Escape))
        });
        let selected = &desk.editor.selection().nodes;
        let is_left = self.dragged.as_mut().is_some_and(|dragged| {
            let are_selected = dragged.nodes.iter().all(|id| selected.contains(id));
            let is_left = dragged.are_selected && !are_selected;
            dragged.are_selected |= are_selected;
            is_left
        });
        // Let go while the rows were not seen, they go nowhere.
        let is_missed = !is_down && !is_released;
        if escape || is_left || is_missed {
            (self.dragged, self.painted) = (None, None);
        }
        if is_down {
            return;
        }
        if let Some(dragged) = self.dragged.take()
            && let Some(place) = drop
        {
            let (parent, index) = (place.parent, place.index);
            if matches!(place.shown, DropMark::Into(_)) {
                self.open.extend(parent.clone());
            }
            act(cx, Act::Layer(LayerAct::MoveTo { nodes: dragged.nodes, parent, index }));
        }
        if let Some(painted) = self.painted.take() {
            act(cx, painted.mark.act(painted.nodes, painted.value));
        }
    }
}

impl LayerToggle {
    fn act(self, nodes: Vec<NodeId>, value: bool) -> Act {
        Act::Layer(match self {
            Self::Eye => LayerAct::SetVisible { nodes, visible: value },
            Self::Lock => LayerAct::SetLocked { nodes, locked: value },
        })
    }
}

/// Where a place on the screen is over the rows.
fn over_row(at: Pos2, seen: Rect, scrolled: f32) -> OverRow {
    let rows = ((at.y - seen.top() + scrolled) / size::ROW).max(0.0);
    OverRow {
        row: rows.floor() as usize,
        share: rows.fract(),
        level: (at.x - seen.left() - row::FIRST) / row::INDENT,
    }
}

/// How many layers there are.
fn layer_count(document: &Document) -> usize {
    document.iter_depth_first().filter(|node| !node.kind.is_file_or_page()).count()
}
