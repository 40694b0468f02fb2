//! The points of a path: selecting, dragging, bending, adding and deleting them.

use super::input::Pointer;
use super::preview::{Preview, changed};
use super::putting::{DRAG, snapped};
use super::taken::Taken;
use crate::base::{Affine, Point, Rect, Vector};
use crate::design::{Anchor, AnchorId, AnchorKind, Contours, Document, HandleSide, Node, NodeId};
use crate::editor::context::EditorContext;
use crate::editor::drafting::Drafting;
use crate::editor::edited::{InPlace, PointEditing};
use crate::editor::error::EditorError;
use crate::editor::tool::Tool;

/// How near to an anchor or a handle a press takes it, in points of the screen.
const REACH: f64 = 6.0;
/// How near to the line a press takes it, in points of the screen.
const NEAR: f64 = 5.0;

/// What is done to the points that are selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointAct {
    /// They get this kind; corners lose their handles.
    Kind(AnchorKind),
    /// The open path of the first is closed.
    Close,
    /// The path is cut at the only one.
    Split,
    /// Two ends of open paths are joined.
    Join,
}

/// A path with where it lies on the page.
#[derive(Clone, Debug)]
pub struct PlacedContours {
    /// Its contours, in its own space.
    pub contours: Contours,
    /// From there to the page.
    pub page_from_node: Affine,
}

impl PlacedContours {
    /// Those of a node of a design.
    pub fn of(document: &Document, id: &NodeId) -> Result<Self, EditorError> {
        let node = document.node(id)?;
        let contours = Contours::of_node(node)?;
        Ok(Self { contours, page_from_node: document.absolute_transform(id)? })
    }

    fn node_from_page(&self) -> Result<Affine, EditorError> {
        let back = self.page_from_node.inverse();
        back.ok_or_else(|| EditorError::NotPossible("the path lies in no plane".to_owned()))
    }
}

/// Whether a node has points that can be edited.
pub(in crate::editor) fn can_edit_points(node: &Node) -> bool {
    Contours::of_node(node).is_ok()
}

/// Begins to edit the points of a node.
pub(in crate::editor) fn begin_points(editor: &mut impl Drafting, id: &NodeId) {
    let points = PointEditing { node: id.clone(), selected: Vec::new() };
    editor.set_in_place(InPlace::Points(points));
}

/// What lies under the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Grabbed {
    Handle(AnchorId, HandleSide),
    Anchor(AnchorId),
    /// On the line behind an anchor, at a share of the way.
    Line(AnchorId, f64),
    Nothing,
}

fn editing(editor: &impl Drafting) -> Option<PointEditing> {
    match editor.in_place() {
        InPlace::Points(points) => Some(points.clone()),
        InPlace::Nothing | InPlace::Text(_) | InPlace::Pen(_) => None,
    }
}

/// What a press takes: handles of selected anchors first, as they are drawn over the rest.
fn grabbed(placed: &PlacedContours, selected: &[AnchorId], pointer: Pointer) -> Grabbed {
    let reach = REACH / pointer.zoom;
    let is_near = |at: Point| {
        let by = placed.page_from_node.apply(at).since(pointer.at);
        by.x.hypot(by.y) <= reach
    };
    for id in selected {
        let Some(anchor) = placed.contours.anchor(*id) else { continue };
        for side in [HandleSide::In, HandleSide::Out] {
            if anchor.handle(side).is_some_and(is_near) {
                return Grabbed::Handle(*id, side);
            }
        }
    }
    if let Some((id, _)) = placed.contours.anchors().find(|(_, anchor)| is_near(anchor.at)) {
        return Grabbed::Anchor(id);
    }
    let on_page = placed.contours.mapped(placed.page_from_node);
    match on_page.nearest(pointer.at) {
        Some((id, share, far)) if far * pointer.zoom <= NEAR => Grabbed::Line(id, share),
        _ => Grabbed::Nothing,
    }
}

/// Takes hold of points. Beside the path a press leaves them, and then the path.
pub(super) fn take_points(
    editor: &mut impl Drafting,
    pointer: Pointer,
    context: &EditorContext<'_>,
) -> Result<Taken<PointDrag>, EditorError> {
    let Some(mut points) = editing(editor) else { return Ok(Taken::NotDrawing) };
    let mut placed = PlacedContours::of(editor.document(), &points.node)?;
    points.selected.retain(|id| placed.contours.anchor(*id).is_some());
    let mut under = grabbed(&placed, &points.selected, pointer);
    if let (Grabbed::Line(behind, share), Tool::Pen) = (under, editor.tool()) {
        let added = placed.contours.add(behind, share)?;
        change(editor, "Add point", &points.node, &placed.contours, context)?;
        placed = PlacedContours::of(editor.document(), &points.node)?;
        under = Grabbed::Anchor(added);
    }
    match under {
        Grabbed::Handle(..) => {}
        Grabbed::Anchor(id) if pointer.keys.shift => toggle(&mut points.selected, id),
        Grabbed::Anchor(id) => {
            if !points.selected.contains(&id) {
                points.selected = vec![id];
            }
        }
        Grabbed::Line(behind, _) => points.selected = ends_of(&placed.contours, behind),
        Grabbed::Nothing if points.selected.is_empty() => {
            editor.set_in_place(InPlace::Nothing);
            editor.set_tool(Tool::Move);
            return Ok(Taken::NotDrawing);
        }
        Grabbed::Nothing => points.selected.clear(),
    }
    editor.set_in_place(InPlace::Points(points.clone()));
    if under == Grabbed::Nothing {
        return Ok(Taken::Done);
    }
    let others = other_anchors(&placed, &points.selected);
    Ok(Taken::Held(PointDrag {
        start: editor.document().clone(),
        points,
        placed,
        under,
        from: pointer.at,
        others,
        preview: Preview::default(),
    }))
}

fn toggle(selected: &mut Vec<AnchorId>, id: AnchorId) {
    match selected.iter().position(|it| *it == id) {
        Some(at) => drop(selected.remove(at)),
        None => selected.push(id),
    }
}

/// The anchors at the ends of a line.
fn ends_of(contours: &Contours, behind: AnchorId) -> Vec<AnchorId> {
    let count = contours.contour(behind).map_or(1, |contour| contour.anchors.len());
    let next = AnchorId { anchor: (behind.anchor + 1) % count.max(1), ..behind };
    vec![behind, next]
}

/// Where the other anchors are on the page, as boxes without extent that draw.
fn other_anchors(placed: &PlacedContours, selected: &[AnchorId]) -> Vec<Rect> {
    let others = placed.contours.anchors().filter(|(id, _)| !selected.contains(id));
    let places = others.map(|(_, anchor)| placed.page_from_node.apply(anchor.at));
    places.map(|at| Rect::new(at.x, at.y, 0.0, 0.0)).take(100).collect()
}

/// Points that are dragged.
#[derive(Clone, Debug)]
pub(in crate::editor) struct PointDrag {
    start: Document,
    points: PointEditing,
    placed: PlacedContours,
    under: Grabbed,
    from: Point,
    others: Vec<Rect>,
    pub(super) preview: Preview,
}

impl PointDrag {
    pub(super) fn go_to(
        &mut self,
        pointer: Pointer,
        context: &EditorContext<'_>,
    ) -> Result<(), EditorError> {
        let by = pointer.at.since(self.from);
        if self.preview.dragged.is_none() && by.x.hypot(by.y) * pointer.zoom < DRAG {
            return Ok(());
        }
        let mut contours = self.placed.contours.clone();
        self.change(&mut contours, by, pointer)?;
        let fitted = contours.fitted()?;
        let dragged = changed(&self.start, context, |change| {
            change.update(&self.points.node, |node| fitted.put_into(node))
        })?;
        self.preview.dragged = Some(dragged);
        Ok(())
    }

    fn change(
        &mut self,
        contours: &mut Contours,
        by: Vector,
        pointer: Pointer,
    ) -> Result<(), EditorError> {
        let node_from_page = self.placed.node_from_page()?;
        match self.under {
            Grabbed::Handle(id, side) => {
                if pointer.keys.alt {
                    // The two of them are no longer bound together.
                    contours.set_kind(id, AnchorKind::Corner)?;
                }
                let to = node_from_page.apply(pointer.at);
                contours.move_handle(id, side, to).map_err(EditorError::from)
            }
            // Handles are pulled out of an anchor.
            Grabbed::Anchor(id) if pointer.keys.command => {
                let to = node_from_page.apply(pointer.at);
                contours.retract(id)?;
                contours.set_kind(id, AnchorKind::Symmetric)?;
                contours.move_handle(id, HandleSide::Out, to).map_err(EditorError::from)
            }
            Grabbed::Anchor(id) | Grabbed::Line(id, _) => {
                let by = self.snapped(id, by, pointer);
                let there = node_from_page.apply(Point::new(by.x, by.y));
                let zero = node_from_page.apply(Point::ZERO);
                let by = there.since(zero);
                contours.move_anchors(&self.points.selected, by).map_err(EditorError::from)
            }
            Grabbed::Nothing => Ok(()),
        }
    }

    /// By how much on the page, so that the anchor lies where others do or on whole numbers.
    fn snapped(&mut self, id: AnchorId, by: Vector, pointer: Pointer) -> Vector {
        let Some(anchor) = self.placed.contours.anchor(id) else { return by };
        let mut by = by;
        if pointer.keys.shift {
            if by.x.abs() >= by.y.abs() { by.y = 0.0 } else { by.x = 0.0 }
        }
        let from = self.placed.page_from_node.apply(anchor.at);
        let there = Point::new(from.x + by.x, from.y + by.y);
        let (to, guides) = snapped(there, &self.others, pointer);
        self.preview.feedback.guides = guides;
        let drawn = to.since(from);
        // Along an axis on which it does not move it stays, also between whole numbers.
        Vector {
            x: if by.x == 0.0 { 0.0 } else { drawn.x },
            y: if by.y == 0.0 { 0.0 } else { drawn.y },
        }
    }

    pub(super) fn finish(self, editor: &mut impl Drafting) {
        if let Some(dragged) = self.preview.dragged {
            let label = match self.under {
                Grabbed::Handle(..) => "Bend path",
                _ => "Move points",
            };
            editor.take_in(label, &[self.points.node], dragged.edit, None);
        }
    }
}

/// Makes other contours of a node one step.
fn change(
    editor: &mut impl Drafting,
    label: &str,
    id: &NodeId,
    contours: &Contours,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let fitted = contours.fitted()?;
    editor.edit(label, std::slice::from_ref(id), context, |change| {
        change.update(id, |node| fitted.put_into(node))
    })?;
    Ok(())
}

/// Takes the selected points out; without any it is not about them. Of the last line the node goes as well.
pub(in crate::editor) fn delete_points(
    editor: &mut impl Drafting,
    context: &EditorContext<'_>,
) -> Result<bool, EditorError> {
    let Some(points) = editing(editor) else { return Ok(false) };
    let mut placed = PlacedContours::of(editor.document(), &points.node)?;
    let there = points.selected.iter().copied();
    let selected: Vec<AnchorId> =
        there.filter(|id| placed.contours.anchor(*id).is_some()).collect();
    if selected.is_empty() {
        editor.set_in_place(InPlace::Nothing);
        return Ok(false);
    }
    placed.contours.remove(&selected)?;
    let id = points.node.clone();
    if placed.contours.anchors().next().is_none() {
        editor.set_in_place(InPlace::Nothing);
        editor.edit("Delete", std::slice::from_ref(&id), context, |change| change.remove(&id))?;
        return Ok(true);
    }
    change(editor, "Delete points", &id, &placed.contours, context)?;
    editor.set_in_place(InPlace::Points(PointEditing { selected: Vec::new(), ..points }));
    Ok(true)
}

/// A second click: an anchor becomes a corner or smooth, the line gets one, and beside the path it is left.
pub(super) fn double_click_points(
    editor: &mut impl Drafting,
    pointer: Pointer,
    context: &EditorContext<'_>,
) -> Result<bool, EditorError> {
    let Some(mut points) = editing(editor) else { return Ok(false) };
    let mut placed = PlacedContours::of(editor.document(), &points.node)?;
    // Handles of other anchors are not what is meant.
    match grabbed(&placed, &[], pointer) {
        Grabbed::Anchor(id) => {
            let anchor = placed.contours.anchor(id).copied();
            let is_bent = anchor.is_some_and(has_handles);
            let kind = if is_bent { AnchorKind::Corner } else { AnchorKind::Smooth };
            set_kind(&mut placed.contours, id, kind)?;
            change(editor, "Point type", &points.node, &placed.contours, context)?;
            points.selected = vec![id];
            editor.set_in_place(InPlace::Points(points));
        }
        Grabbed::Line(behind, share) => {
            let added = placed.contours.add(behind, share)?;
            change(editor, "Add point", &points.node, &placed.contours, context)?;
            points.selected = vec![added];
            editor.set_in_place(InPlace::Points(points));
        }
        Grabbed::Handle(..) | Grabbed::Nothing => {
            editor.set_in_place(InPlace::Nothing);
            editor.set_tool(Tool::Move);
        }
    }
    Ok(true)
}

fn has_handles(anchor: Anchor) -> bool {
    anchor.handle_in.is_some() || anchor.handle_out.is_some()
}

fn set_kind(contours: &mut Contours, id: AnchorId, kind: AnchorKind) -> Result<(), EditorError> {
    let done = match kind {
        AnchorKind::Corner => contours.retract(id),
        AnchorKind::Smooth | AnchorKind::Symmetric => contours.set_kind(id, kind),
    };
    done.map_err(EditorError::from)
}

/// Does something to the selected points.
pub(in crate::editor) fn point_act(
    editor: &mut impl Drafting,
    act: PointAct,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let Some(points) = editing(editor) else {
        return Err(EditorError::NotPossible("no path is being edited".to_owned()));
    };
    let mut placed = PlacedContours::of(editor.document(), &points.node)?;
    let contours = &mut placed.contours;
    let label = match (act, points.selected.as_slice()) {
        (_, []) => {
            return Err(EditorError::NotPossible("no point of the path is selected".to_owned()));
        }
        (PointAct::Kind(kind), selected) => {
            for id in selected {
                set_kind(contours, *id, kind)?;
            }
            "Point type"
        }
        (PointAct::Close, [first, ..]) => {
            contours.close(*first)?;
            "Close path"
        }
        (PointAct::Split, [only]) => {
            contours.split(*only)?;
            "Split path"
        }
        (PointAct::Join, [one, other]) => {
            contours.join(*one, *other)?;
            "Join points"
        }
        (PointAct::Split, _) => {
            return Err(EditorError::NotPossible("a path is split at one point".to_owned()));
        }
        (PointAct::Join, _) => {
            return Err(EditorError::NotPossible("two points are joined".to_owned()));
        }
    };
    change(editor, label, &points.node, &placed.contours, context)?;
    // Other anchors have their numbers after a cut.
    if matches!(act, PointAct::Split | PointAct::Join) {
        editor.set_in_place(InPlace::Points(PointEditing { selected: Vec::new(), ..points }));
    }
    Ok(())
}
