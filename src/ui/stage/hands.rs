//! Hands on the picture of the run with other calls: selecting, moving and resizing what its last call left. What a
//! hand does is recorded as calls when it lets go; until then only outlines move.

use egui::{
    CursorIcon, Key, Modifiers, PointerButton, Pos2, Rect, Response, Shape, Stroke, StrokeKind, Ui,
    vec2,
};

use super::geometry::{Arrangement, PaneBox};
use super::page_view::PageView;
use crate::base::{Axis, Point, Rect as CanvasRect, Vector};
use crate::design::gesture::{
    Depth, Drag, Grip, Guide, Handle, HitSettings, ResizeKeys, Snapped, enter, handle_at, hit,
    hits, snap_candidates, snap_move,
};
use crate::design::{Document, NodeId};
use crate::ui::context::ViewContext;
use crate::ui::theme::tokens;
use crate::ui::widgets::say;
use crate::workbench::{
    BranchDesign, BranchKey, Command, NodeDrag, NodeGesture, StagePane, WhatIfCommand,
    WhatIfSubject, views,
};

/// The side of a handle.
const HANDLE: f32 = 6.0;

/// What is selected and held.
#[derive(Debug, Default)]
pub(super) struct Hands {
    /// Of which run or task, and which node.
    selected: Option<(WhatIfSubject, NodeId)>,
    held: Option<Held>,
}

/// A node that is being dragged.
#[derive(Debug)]
struct Held {
    branch: BranchKey,
    drag: Drag,
    node: NodeId,
    /// The handle that is pulled; `None`: it is moved.
    handle: Option<Handle>,
    /// Where on the page the button went down.
    from: Point,
    /// What it may be drawn to.
    others: Vec<CanvasRect>,
    /// What letting go would do.
    gesture: Option<NodeGesture>,
    guides: Vec<Guide>,
    /// Whether it was given up, while the button is still down.
    is_dropped: bool,
}

/// The pane with the design, and what lies where.
#[derive(Clone, Copy)]
struct InHand<'a> {
    pane: &'a PaneBox<StagePane>,
    document: &'a Document,
    view: PageView,
}

impl Hands {
    /// Takes clicks and drags over the design; whether they were its.
    pub(super) fn update(
        &mut self,
        ui: &Ui,
        cx: &ViewContext<'_>,
        arrangement: &Arrangement<StagePane>,
        response: &Response,
    ) -> bool {
        let Some((branch, in_hand)) = in_hand(cx, arrangement) else {
            self.held = None;
            return false;
        };
        self.forget_gone(&branch, in_hand.document);
        if response.drag_started_by(PointerButton::Primary) {
            let from = ui.input(|input| input.pointer.press_origin());
            let from = from.filter(|from| in_hand.pane.visible.contains(*from));
            self.held = from.and_then(|from| self.grip(ui, &branch, in_hand, from));
        }
        if self.held.is_some() {
            self.drag(ui, cx, in_hand, response);
            return true;
        }
        let is_left = ui.input(|input| input.key_pressed(Key::Escape));
        if is_left && cx.state.overlay.is_none() {
            self.selected = None;
        }
        self.click(ui, &branch, in_hand, response)
    }

    /// What was selected may be gone, and what is held be another design's.
    fn forget_gone(&mut self, branch: &BranchKey, document: &Document) {
        self.selected = self
            .selected
            .take()
            .filter(|(subject, node)| *subject == branch.subject && document.get(node).is_some());
        self.held = self.held.take().filter(|held| held.branch == *branch);
    }

    fn selected_node(&self) -> Option<&NodeId> {
        self.selected.as_ref().map(|(_, node)| node)
    }

    /// What a button that goes down there takes hold of: a handle of the selected node, or the node there.
    fn grip(
        &mut self,
        ui: &Ui,
        branch: &BranchKey,
        in_hand: InHand<'_>,
        from: Pos2,
    ) -> Option<Held> {
        let InHand { document, view, pane } = in_hand;
        let point = view.page_from_screen(from);
        let gripped = self.selected_node().and_then(|node| {
            let corners = corners_of(document, node)?;
            match handle_at(corners, point, view.zoom())? {
                Grip::Resize(handle) => Some((node.clone(), handle)),
                Grip::Turn(_) => None,
            }
        });
        let (node, handle) = match gripped {
            Some((node, handle)) => (node, Some(handle)),
            None => (self.node_at(ui, in_hand, point)?, None),
        };
        self.selected = Some((branch.subject.clone(), node.clone()));
        let drag = Drag::begin(document, std::slice::from_ref(&node));
        let seen = [pane.visible.min, pane.visible.max].map(|pos| view.page_from_screen(pos));
        let on_screen = CanvasRect::from_corners(seen[0], seen[1]);
        Some(Held {
            branch: branch.clone(),
            others: snap_candidates(document, std::slice::from_ref(&node), on_screen),
            drag,
            node,
            handle,
            from: point,
            gesture: None,
            guides: Vec::new(),
            is_dropped: false,
        })
    }

    /// The node of the level of what is selected; with Ctrl the deepest.
    fn node_at(&self, ui: &Ui, in_hand: InHand<'_>, point: Point) -> Option<NodeId> {
        let InHand { document, view, .. } = in_hand;
        let selected = self.selected_node().and_then(|node| document.get(node));
        let entered = selected.and_then(|node| node.parent.as_ref());
        let is_deep = ui.input(|input| input.modifiers.command);
        let depth = if is_deep { Depth::Deepest } else { Depth::Level };
        let found = hit(document, point, entered, depth, HitSettings::at_zoom(view.zoom()))?;
        // The screen itself is the ground, on which a drag moves the view.
        let is_ground = document.main_frame().is_some_and(|screen| screen.id == found);
        (!is_ground).then_some(found)
    }

    fn drag(&mut self, ui: &Ui, cx: &ViewContext<'_>, in_hand: InHand<'_>, response: &Response) {
        let Some(held) = &mut self.held else { return };
        let (modifiers, is_given_up) =
            ui.input(|input| (input.modifiers, input.key_down(Key::Escape)));
        held.is_dropped |= is_given_up;
        if let Some(pos) = response.interact_pointer_pos().filter(|_| !held.is_dropped) {
            held.go_to(in_hand.view, pos, modifiers);
            let cursor =
                if held.handle.is_some() { CursorIcon::Crosshair } else { CursorIcon::Grabbing };
            ui.ctx().set_cursor_icon(cursor);
        }
        if response.drag_stopped() || !ui.input(|input| input.pointer.any_down()) {
            let held = self.held.take().filter(|held| !held.is_dropped);
            if let Some((node, gesture)) = held.and_then(|it| Some((it.node, it.gesture?))) {
                cx.send(Command::WhatIf(WhatIfCommand::Drag(NodeDrag { node, gesture })));
            }
        }
    }

    /// A click selects, a double click goes one level further in; whether it was on this design.
    fn click(
        &mut self,
        ui: &Ui,
        branch: &BranchKey,
        in_hand: InHand<'_>,
        response: &Response,
    ) -> bool {
        let pos = response.interact_pointer_pos().filter(|_| response.clicked());
        let Some(pos) = pos.filter(|pos| in_hand.pane.visible.contains(*pos)) else { return false };
        let point = in_hand.view.page_from_screen(pos);
        let mut found = self.node_at(ui, in_hand, point);
        if response.double_clicked() {
            let settings = HitSettings::at_zoom(in_hand.view.zoom());
            let deepest = hits(in_hand.document, point, settings).into_iter().next();
            let further = found
                .as_ref()
                .zip(deepest.as_ref())
                .and_then(|(selected, deepest)| enter(in_hand.document, selected, deepest));
            if found.is_none() {
                // On the ground it is the view that is meant.
                return false;
            }
            found = further.or(found);
        }
        self.selected = found.map(|node| (branch.subject.clone(), node));
        true
    }

    /// Draws what is selected with its handles, or what is dragged with the lines that it is in.
    pub(super) fn show(&self, ui: &Ui, cx: &ViewContext<'_>, arrangement: &Arrangement<StagePane>) {
        let Some((branch, in_hand)) = in_hand(cx, arrangement) else { return };
        let InHand { pane, document, view } = in_hand;
        if let Some(held) = self.held.as_ref().filter(|held| !held.is_dropped) {
            if let Some(corners) = held.corners() {
                outline_ui(ui, pane, corners.map(|corner| view.screen_from_page(corner)));
            }
            guides_ui(ui, in_hand, &held.guides);
            return;
        }
        let selected = self.selected.as_ref().filter(|(of, _)| *of == branch.subject);
        let Some((node, corners)) =
            selected.and_then(|(_, id)| Some((document.get(id)?, corners_of(document, id)?)))
        else {
            return;
        };
        let corners = corners.map(|corner| view.screen_from_page(corner));
        outline_ui(ui, pane, corners);
        handles_ui(ui, pane, corners);
        let around = Rect::from_points(&corners).intersect(pane.visible);
        say(ui, ("in_hand", pane.pane), around, &format!("Selected: {}", node.name));
    }
}

impl Held {
    /// Follows the pointer, from the state that the drag began with.
    fn go_to(&mut self, view: PageView, pos: Pos2, modifiers: Modifiers) {
        let mut by = view.page_from_screen(pos).since(self.from);
        self.guides.clear();
        if let Some(handle) = self.handle {
            let keys = ResizeKeys {
                keeps_ratio: modifiers.shift,
                from_center: modifiers.alt,
                ignores_constraints: modifiers.command,
                whole: true,
                // As the canvas tool does, which it becomes a call of.
                reflows: false,
            };
            // In whole numbers less is no change.
            let is_meant = by.x.abs() >= 0.5 || by.y.abs() >= 0.5;
            self.gesture = is_meant.then_some(NodeGesture::Resize(handle, by, keys));
            return;
        }
        if modifiers.shift {
            // Along the axis it was moved further on.
            if by.x.abs() >= by.y.abs() { by.y = 0.0 } else { by.x = 0.0 }
        }
        let Some(bounds) = self.drag.bounds() else { return };
        let snapped = if modifiers.command {
            Snapped::default()
        } else {
            snap_move(bounds.translate(by), &self.others, view.zoom())
        };
        let on_axis = |axis| snapped.guides.iter().any(|guide| guide.axis == axis);
        // Where nothing is near, whole numbers, as people write them.
        by.x = if snapped.by.x != 0.0 || on_axis(Axis::Horizontal) {
            by.x + snapped.by.x
        } else {
            (bounds.x + by.x).round() - bounds.x
        };
        by.y = if snapped.by.y != 0.0 || on_axis(Axis::Vertical) {
            by.y + snapped.by.y
        } else {
            (bounds.y + by.y).round() - bounds.y
        };
        self.guides = snapped.guides;
        self.gesture = (by != Vector::default()).then_some(NodeGesture::Move(by));
    }

    /// The corners of its box on the page, as it would be.
    fn corners(&self) -> Option<[Point; 4]> {
        match self.gesture? {
            NodeGesture::Move(by) => {
                let corners = corners_of(self.drag.start(), &self.node)?;
                Some(corners.map(|corner| Point::new(corner.x + by.x, corner.y + by.y)))
            }
            NodeGesture::Resize(handle, by, keys) => self.drag.resized_corners(handle, by, keys),
        }
    }
}

/// The design that hands can work on, and the pane that shows it.
fn in_hand<'a>(
    cx: &'a ViewContext<'_>,
    arrangement: &'a Arrangement<StagePane>,
) -> Option<(BranchKey, InHand<'a>)> {
    let (branch, design) = views::design_in_hand(cx.state)?;
    let pane = arrangement.panes.iter().find(|pane| pane.pane == StagePane::Branch)?;
    let BranchDesign { document, screen } = design;
    Some((branch, InHand { pane, document, view: PageView::of(pane, *screen) }))
}

/// The corners of a node's box on the page, clockwise from its own left top corner.
fn corners_of(document: &Document, id: &NodeId) -> Option<[Point; 4]> {
    let node = document.get(id).filter(|node| node.has_box())?;
    let page_from_node = document.absolute_transform(id).ok()?;
    let (width, height) = (node.size.width, node.size.height);
    let corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)];
    Some(corners.map(|(x, y)| page_from_node.apply(Point::new(x, y))))
}

fn outline_ui(ui: &Ui, pane: &PaneBox<StagePane>, corners: [Pos2; 4]) {
    let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
    let tokens = tokens(ui);
    // Under the line, so that the accent is seen on a picture that has its colour.
    painter.add(Shape::closed_line(corners.to_vec(), Stroke::new(3.5, tokens.halo)));
    painter.add(Shape::closed_line(corners.to_vec(), Stroke::new(2.0, tokens.accent)));
}

/// Squares at the corners, and on the sides of what is large enough.
fn handles_ui(ui: &Ui, pane: &PaneBox<StagePane>, corners: [Pos2; 4]) {
    let painter =
        ui.painter().with_clip_rect(pane.visible.expand(HANDLE).intersect(ui.clip_rect()));
    let tokens = tokens(ui);
    let [a, b, c, d] = corners;
    let is_small = (b - a).length() < 20.0 || (d - a).length() < 20.0;
    let sides = [(a, b), (b, c), (c, d), (d, a)].map(|(from, to)| from.lerp(to, 0.5));
    let places = corners.iter().chain(sides.iter().filter(|_| !is_small));
    for place in places {
        let square = Rect::from_center_size(*place, vec2(HANDLE, HANDLE));
        let edge = Stroke::new(1.5, tokens.accent);
        painter.rect(square, 1, tokens.overlay, edge, StrokeKind::Middle);
    }
}

fn guides_ui(ui: &Ui, in_hand: InHand<'_>, guides: &[Guide]) {
    let InHand { pane, view, .. } = in_hand;
    let painter = ui.painter().with_clip_rect(pane.visible.intersect(ui.clip_rect()));
    let stroke = Stroke::new(1.0, tokens(ui).guide);
    for guide in guides {
        let ends = match guide.axis {
            Axis::Horizontal => [Point::new(guide.at, guide.from), Point::new(guide.at, guide.to)],
            Axis::Vertical => [Point::new(guide.from, guide.at), Point::new(guide.to, guide.at)],
        };
        painter.add(Shape::line_segment(ends.map(|end| view.screen_from_page(end)), stroke));
    }
}
