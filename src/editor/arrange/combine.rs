//! Shapes combined, and made one vector.

use svgtypes::{SimplePathSegment as Segment, SimplifyingPathParser};

use super::group::{parent_of_wrap, put_around, replace, wrap};
use super::members::{members, select_made};
use crate::base::{Affine, Point, Rect};
use crate::design::edit::Transaction;
use crate::design::{
    BooleanOp, Document, DocumentError, FigmaPath, Node, NodeId, NodeKind, PathGeometry,
    has_boundless_arc,
};
use crate::editor::context::EditorContext;
use crate::editor::editing::Editor;
use crate::editor::error::EditorError;

/// Combines shapes, which become children of a new node in their order; it takes the look of the topmost, or of the
/// lowest where the others are taken from that.
pub(super) fn combine(
    editor: &mut Editor,
    operation: BooleanOp,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let members = members(editor)?;
    let document = editor.document();
    if let [only] = members.as_slice()
        && let Some(node) = document.get(only)
        && let NodeKind::BooleanOperation(was) = node.kind
    {
        // A name that somebody gave stays; one that only says the operation goes with it.
        let keeps_name = node.name != was.label();
        editor.edit(operation.label(), &members, context, |change| {
            change.update(only, |node| {
                node.kind = NodeKind::BooleanOperation(operation);
                if !keeps_name {
                    operation.label().clone_into(&mut node.name);
                }
            })
        })?;
        return Ok(());
    }
    if members.len() < 2 {
        return Err(EditorError::NotPossible("it takes at least 2 shapes".to_owned()));
    }
    refuse_others(document, &members)?;
    // It looks like the topmost; what others are cut out of is the lowest, and it looks like that.
    let model = if operation == BooleanOp::Subtract { members.first() } else { members.last() };
    let mut combined =
        Node::new("".into(), operation.label(), NodeKind::BooleanOperation(operation));
    if let Some(model) = model.and_then(|id| document.get(id)) {
        combined.fills.clone_from(&model.fills);
        combined.stroke.clone_from(&model.stroke);
        combined.effects.clone_from(&model.effects);
    }
    let mut made = Vec::new();
    editor.edit(operation.label(), &members, context, |change| {
        combined.id = change.new_id();
        made.push(wrap(change, combined, &members)?);
        made.iter().try_for_each(|id| fit_to_children(change, id))
    })?;
    select_made(editor, made);
    Ok(())
}

/// Only what has an outline of its own combines, and groups of such.
fn refuse_others(document: &Document, members: &[NodeId]) -> Result<(), EditorError> {
    for node in members.iter().filter_map(|id| document.get(id)) {
        let combines = matches!(
            node.kind,
            NodeKind::Rectangle
                | NodeKind::Ellipse(_)
                | NodeKind::Line
                | NodeKind::Vector(_)
                | NodeKind::Text(_)
                | NodeKind::RegularPolygon { .. }
                | NodeKind::Star { .. }
                | NodeKind::BooleanOperation(_)
                | NodeKind::Group
        );
        if !combines {
            let why = format!("“{}” is no shape, text or group of such", node.name);
            return Err(EditorError::NotPossible(why));
        }
    }
    Ok(())
}

/// Gives a combined shape the box around its children, which stay where they are. It stands for the right one until
/// the change settles.
fn fit_to_children(change: &mut Transaction<'_>, id: &NodeId) -> Result<(), DocumentError> {
    let children = change.document().children_of(Some(id)).to_vec();
    let boxes = children.iter().filter_map(|child| change.document().get(child));
    let around = Rect::union_all(boxes.map(|child| child.transform.bounds_of(child.size)));
    let Some(around) = around else { return Ok(()) };
    let back = Affine::translate(-around.x, -around.y);
    for child in &children {
        change.update(child, |child| child.transform = back.after(child.transform))?;
    }
    change.update(id, |node| {
        node.transform = node.transform.after(Affine::translate(around.x, around.y));
        node.size = around.size();
    })
}

/// Makes one vector of the outline of what is selected, with the look of the topmost shape. A single node keeps its
/// box and its turn; of several the vector has the box around them.
pub(super) fn flatten(editor: &mut Editor, context: &EditorContext<'_>) -> Result<(), EditorError> {
    let members = members(editor)?;
    let document = editor.document();
    refuse_others(document, &members)?;
    let mut shapes = Vec::new();
    for id in &members {
        add_shapes(document, id, &mut shapes);
    }
    let Some(model) = shapes.last().and_then(|id| document.get(id)) else {
        return Err(EditorError::NotPossible("nothing visible is selected".to_owned()));
    };
    let mut vector = Node {
        visible: true,
        opacity: model.opacity,
        blend_mode: model.blend_mode,
        fills: model.fills.clone(),
        stroke: model.stroke.clone(),
        effects: model.effects.clone(),
        ..Node::new("".into(), model.name.clone(), NodeKind::Rectangle)
    };
    put_vector(&mut vector, document, &members)?;
    let parent = parent_of_wrap(document, &members);
    let page_from_parent = match &parent {
        Some(parent) => document.absolute_transform(parent)?,
        None => Affine::IDENTITY,
    };
    let Some(vector_from_page) = page_from_parent.after(vector.transform).inverse() else {
        return Err(DocumentError::Singular(model.id.clone()).into());
    };
    let mut geometry = PathGeometry::default();
    for id in &shapes {
        // Its outline is in its own space already, and there it keeps its turn.
        let is_itself = members.as_slice() == [id.clone()];
        let by = if is_itself {
            Affine::IDENTITY
        } else {
            vector_from_page.after(document.absolute_transform(id)?)
        };
        add_outline(&mut geometry, document, id, by, context)?;
    }
    if geometry.fill.is_empty() && geometry.stroke.is_empty() {
        return Err(EditorError::NotPossible("what is selected has no outline".to_owned()));
    }
    vector.kind = NodeKind::Vector(geometry);
    let mut made = Vec::new();
    editor.edit("Flatten", &members, context, |change| {
        vector.id = change.new_id();
        made.push(replace(change, vector, &members)?);
        Ok(())
    })?;
    select_made(editor, made);
    Ok(())
}

/// The shapes that are seen of a node: itself, or those of a group.
fn add_shapes(document: &Document, id: &NodeId, shapes: &mut Vec<NodeId>) {
    let Some(node) = document.get(id).filter(|node| node.visible) else { return };
    match node.kind {
        NodeKind::Group => node.children.iter().for_each(|id| add_shapes(document, id, shapes)),
        ref kind if kind.is_container() && !matches!(kind, NodeKind::BooleanOperation(_)) => {}
        _ => shapes.push(id.clone()),
    }
}

/// Gives the vector the place of a single node, or the box around several.
fn put_vector(
    vector: &mut Node,
    document: &Document,
    members: &[NodeId],
) -> Result<(), DocumentError> {
    let [only] = members else {
        put_around(vector, document, members);
        return Ok(());
    };
    let only = document.node(only)?;
    (vector.transform, vector.size) = (only.transform, only.size);
    (vector.is_mask, vector.mask_type) = (only.is_mask, only.mask_type);
    vector.constraints.clone_from(&only.constraints);
    vector.layout_item = only.layout_item;
    vector.name.clone_from(&only.name);
    Ok(())
}

fn add_outline(
    geometry: &mut PathGeometry,
    document: &Document,
    id: &NodeId,
    by: Affine,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let shape = document.node(id)?;
    let Some(outline) = context.measure.outline(document, id) else {
        let why = format!("“{}” has no outline", shape.name);
        return Err(EditorError::NotPossible(why));
    };
    // A stroke that nothing paints is not seen.
    let strokes = if shape.stroke.paints.is_empty() { Vec::new() } else { outline.stroke };
    for (paths, into) in [(outline.fill, &mut geometry.fill), (strokes, &mut geometry.stroke)] {
        for path in paths {
            let mapped = mapped(&path, by).ok_or_else(|| {
                EditorError::NotPossible(format!("the outline of “{}” is no path", shape.name))
            })?;
            into.push(mapped);
        }
    }
    Ok(())
}

/// A path somewhere else, in absolute coordinates; `None` of data that is no path or has an arc without bounds.
fn mapped(path: &FigmaPath, by: Affine) -> Option<FigmaPath> {
    if by == Affine::IDENTITY {
        return Some(path.clone());
    }
    if has_boundless_arc(&path.data) {
        return None;
    }
    let mut data = String::with_capacity(path.data.len());
    for segment in SimplifyingPathParser::from(path.data.as_str()) {
        let (letter, points) = match segment.ok()? {
            Segment::MoveTo { x, y } => ('M', vec![(x, y)]),
            Segment::LineTo { x, y } => ('L', vec![(x, y)]),
            Segment::Quadratic { x1, y1, x, y } => ('Q', vec![(x1, y1), (x, y)]),
            Segment::CurveTo { x1, y1, x2, y2, x, y } => ('C', vec![(x1, y1), (x2, y2), (x, y)]),
            Segment::ClosePath => ('Z', Vec::new()),
        };
        let points: Vec<String> = points.into_iter().map(|(x, y)| pair(by, x, y)).collect();
        data.push(letter);
        data.push_str(&points.join(" "));
    }
    (!data.is_empty()).then(|| FigmaPath { data, ..path.clone() })
}

/// To a ten-thousandth of a unit, finer than anything drawn; no minus zero.
fn pair(by: Affine, x: f64, y: f64) -> String {
    let at = by.apply(Point::new(x, y));
    let [x, y] = [at.x, at.y].map(|value| (value * 1e4).round() / 1e4 + 0.0);
    format!("{x} {y}")
}
