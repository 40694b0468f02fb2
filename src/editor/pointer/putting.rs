//! Where what is drawn goes, and putting it there: what every tool that draws has in common.

use super::drop_target::landing_at;
use super::input::Pointer;
use crate::base::{Affine, Axis, Limits, Point, Rect, Rgba, Vector};
use crate::design::edit::Transaction;
use crate::design::gesture::{BurstKey, Dragged, Guide, snap_move};
use crate::design::{Document, DocumentError, Node, NodeId, Paint, StrokeAlign};
use crate::editor::context::EditorContext;
use crate::editor::drafting::Drafting;
use crate::editor::selection::Selection;

/// How far the pointer goes, in points of the screen, until a press is a drag.
pub(super) const DRAG: f64 = 4.0;

/// A node that was put in.
#[derive(Clone, Debug)]
pub(super) struct InsertedNode {
    pub(super) dragged: Dragged,
    pub(super) id: NodeId,
}

/// Makes what was put in a step, and selects it.
pub(super) fn take_made(
    editor: &mut impl Drafting,
    label: &str,
    made: &InsertedNode,
    burst: Option<BurstKey>,
) {
    editor.take_in(label, std::slice::from_ref(&made.id), made.dragged.edit.clone(), burst);
    let selection = Selection::of_nodes(editor.document(), vec![made.id.clone()]);
    editor.set_selection(selection);
}

/// Puts a node on top of a parent, where it lies on the page.
pub(super) fn put_in(
    start: &Document,
    mut node: Node,
    parent: Option<&NodeId>,
    page_from_node: Affine,
    context: &EditorContext<'_>,
) -> Result<InsertedNode, DocumentError> {
    let mut document = start.clone();
    let mut change = Transaction::begin(&mut document);
    let id = change.new_id();
    node.id = id.clone();
    change.insert(node, parent, None)?;
    change.set_absolute_transform(&id, page_from_node)?;
    let edit = change.commit_with(context.measure);
    Ok(InsertedNode { dragged: Dragged { document, edit }, id })
}

/// The stroke of a new line: black, 1 wide, in the middle.
pub(super) fn stroke_black(node: &mut Node) {
    node.stroke.paints = vec![Paint::solid(Rgba::BLACK)];
    node.stroke.weight = 1.0;
    node.stroke.align = StrokeAlign::Center;
}

/// A name with the next number that no node of the page has behind the same word.
pub(super) fn numbered(document: &Document, parent: Option<&NodeId>, stem: &str) -> String {
    let around = parent.into_iter().flat_map(|id| {
        document.get(id).into_iter().chain(document.ancestors(id)).map(|node| &node.id)
    });
    // Each page counts by itself, as names are read beside one another there.
    let page = around.last();
    let own = page.map(|page| document.subtree(page).collect::<Vec<_>>());
    let nodes = own.unwrap_or_else(|| document.iter_depth_first().collect());
    let numbers = nodes.iter().filter_map(|node| {
        let number = node.name.strip_prefix(stem)?.strip_prefix(' ')?;
        number.parse::<u32>().ok()
    });
    format!("{stem} {}", numbers.max().unwrap_or(0).saturating_add(1))
}

/// What is drawn into at a point: the topmost frame there, else the page; without a page the screen.
pub(super) fn parent_at(document: &Document, at: Point) -> Option<NodeId> {
    landing_at(document, &[], at).map(|landing| landing.parent().clone()).or_else(|| {
        let screen = document.main_frame().filter(|node| node.kind.is_container());
        screen.map(|node| node.id.clone())
    })
}

/// A point drawn to edges of others on each axis; where nothing is near, whole numbers.
pub(super) fn snapped(at: Point, others: &[Rect], pointer: Pointer) -> (Point, Vec<Guide>) {
    // A node further out would be refused.
    let most = Limits::COORDINATE;
    let at = Point::new(at.x.clamp(-most, most), at.y.clamp(-most, most));
    let whole = Point::new(at.x.round(), at.y.round());
    if pointer.keys.command {
        return (whole, Vec::new());
    }
    let found = snap_move(Rect::new(at.x, at.y, 0.0, 0.0), others, pointer.zoom);
    let to = Point::new(
        line_near(&found.guides, Axis::Horizontal, at.x).unwrap_or(whole.x),
        line_near(&found.guides, Axis::Vertical, at.y).unwrap_or(whole.y),
    );
    (to, found.guides)
}

/// The line of an axis that is nearest to a coordinate. Gaps are none: a point has nothing beside it.
fn line_near(guides: &[Guide], axis: Axis, value: f64) -> Option<f64> {
    let guides = guides.iter().filter(|guide| guide.axis == axis);
    guides.map(|guide| guide.at).min_by(|a, b| (a - value).abs().total_cmp(&(b - value).abs()))
}

/// The same way along the nearest of eight directions.
pub(super) fn along_eighth(way: Vector) -> Vector {
    const EIGHTH: f64 = std::f64::consts::FRAC_PI_4;
    let (sin, cos) = ((way.y.atan2(way.x) / EIGHTH).round() * EIGHTH).sin_cos();
    let along = way.x * cos + way.y * sin;
    // The cosine of a quarter turn is dust, and no way.
    let [x, y] = [cos, sin].map(|share| if share.abs() < 1e-9 { 0.0 } else { along * share });
    Vector { x, y }
}
