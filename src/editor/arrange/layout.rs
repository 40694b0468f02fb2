//! Auto layout on and off.

use super::group::{parent_of_wrap, put_around, wrap};
use super::members::{box_in, chosen, members, select_made};
use crate::base::{Axis, Rect};
use crate::design::edit::Transaction;
use crate::design::{
    AutoLayout, CounterAlign, Direction, Document, DocumentError, Node, NodeId, NodeKind, Sides,
    Sizing,
};
use crate::editor::context::EditorContext;
use crate::editor::editing::Editor;
use crate::editor::error::EditorError;

/// How far apart edges may be that are in line, in units of the page.
const IN_LINE: f64 = 0.5;

/// Auto layout of a frame that is selected alone and has none; else of a new frame around what is selected.
pub(super) fn add(editor: &mut Editor, context: &EditorContext<'_>) -> Result<(), EditorError> {
    let nodes = chosen(editor)?;
    let document = editor.document();
    if let [only] = nodes.as_slice()
        && document.get(only).is_some_and(|it| it.kind.can_lay_out() && it.auto_layout.is_none())
        && !flow(document, only).is_empty()
    {
        editor.edit("Add auto layout", &nodes, context, |change| set_up(change, only))?;
        return Ok(());
    }
    let members = members(editor)?;
    let mut made = Vec::new();
    editor.edit("Add auto layout", &members, context, |change| {
        made.push(wrap_in_layout(change, &members)?);
        Ok(())
    })?;
    select_made(editor, made);
    Ok(())
}

/// Takes auto layout from the selected frames; what is in them stays where it is seen.
pub(super) fn remove(editor: &mut Editor, context: &EditorContext<'_>) -> Result<(), EditorError> {
    let document = editor.document();
    let mut frames = chosen(editor)?;
    frames.retain(|id| document.get(id).is_some_and(|node| node.auto_layout.is_some()));
    if frames.is_empty() {
        let why = "nothing that is selected has auto layout";
        return Err(EditorError::NotPossible(why.to_owned()));
    }
    editor.edit("Remove auto layout", &frames, context, |change| {
        frames.iter().try_for_each(|id| take_off(change, id))
    })?;
    Ok(())
}

/// The children that auto layout would place.
fn flow(document: &Document, frame: &NodeId) -> Vec<NodeId> {
    let children = document.children_of(Some(frame)).iter();
    children.filter(|id| document.get(id).is_some_and(|child| child.flows())).cloned().collect()
}

fn set_up(change: &mut Transaction<'_>, frame: &NodeId) -> Result<(), DocumentError> {
    let document = change.document();
    let boxes = boxes_in(document, Some(frame), &flow(document, frame));
    let told = InferredLayout::of(boxes);
    let mut flowing = told.order.iter();
    let children = document.children_of(Some(frame)).to_vec();
    for (at, child) in children.iter().enumerate() {
        // What takes no part keeps its place between the others.
        let child = if told.order.contains(child) { flowing.next() } else { Some(child) };
        if let Some(child) = child {
            change.reparent(child, Some(frame), Some(at))?;
        }
    }
    change.update(frame, |node| {
        let mut layout = told.layout();
        let (width, height) = (node.size.width, node.size.height);
        // What is left around them; where one sticks out there is none, as no padding is negative.
        layout.padding = Sides {
            top: told.around.y.max(0.0),
            right: (width - told.around.right()).max(0.0),
            bottom: (height - told.around.bottom()).max(0.0),
            left: told.around.x.max(0.0),
        };
        // It keeps its size, whatever is in it.
        (layout.primary_hugs, layout.counter_hugs) = (false, false);
        node.auto_layout = Some(Box::new(layout));
        for sizing in [&mut node.layout_item.horizontal, &mut node.layout_item.vertical] {
            // A frame that fills another one goes on filling it.
            if *sizing != Some(Sizing::Fill) {
                *sizing = Some(Sizing::Fixed);
            }
        }
    })
}

fn wrap_in_layout(
    change: &mut Transaction<'_>,
    members: &[NodeId],
) -> Result<NodeId, DocumentError> {
    let document = change.document();
    let parent = parent_of_wrap(document, members);
    let told = InferredLayout::of(boxes_in(document, parent.as_ref(), members));
    let mut frame = Node::new("".into(), "Frame", NodeKind::Frame);
    put_around(&mut frame, document, members);
    frame.auto_layout = Some(Box::new(told.layout()));
    frame.layout_item.horizontal = Some(Sizing::Hug);
    frame.layout_item.vertical = Some(Sizing::Hug);
    frame.id = change.new_id();
    let id = wrap(change, frame, members)?;
    // They were put in as they are painted; laid out they come as they lie.
    for member in &told.order {
        change.reparent(member, Some(&id), None)?;
    }
    Ok(id)
}

fn take_off(change: &mut Transaction<'_>, frame: &NodeId) -> Result<(), DocumentError> {
    let document = change.document();
    let [across, down] = [Direction::Horizontal, Direction::Vertical]
        .map(|direction| document.sizing(frame, direction) == Sizing::Hug);
    let children = document.children_of(Some(frame)).to_vec();
    change.update(frame, |node| {
        node.auto_layout = None;
        // There is nothing to hug any more.
        if across {
            node.layout_item.horizontal = Some(Sizing::Fixed);
        }
        if down {
            node.layout_item.vertical = Some(Sizing::Fixed);
        }
    })?;
    for child in &children {
        change.update(child, |node| {
            let item = &mut node.layout_item;
            for sizing in [&mut item.horizontal, &mut item.vertical] {
                if *sizing == Some(Sizing::Fill) {
                    *sizing = Some(Sizing::Fixed);
                }
            }
            // Said to this layout alone: the next one would hear it.
            (item.grows, item.stretches, item.is_absolute) = (false, false, false);
        })?;
    }
    Ok(())
}

fn boxes_in(document: &Document, parent: Option<&NodeId>, nodes: &[NodeId]) -> Vec<(NodeId, Rect)> {
    let boxes = nodes.iter().filter_map(|id| Some((id.clone(), box_in(document, parent, id)?)));
    boxes.collect()
}

/// The auto layout that places nodes about as they lie.
#[derive(Debug)]
struct InferredLayout {
    direction: Direction,
    spacing: f64,
    counter_align: CounterAlign,
    order: Vec<NodeId>,
    around: Rect,
}

impl InferredLayout {
    fn of(mut boxes: Vec<(NodeId, Rect)>) -> Self {
        let axis = axis_of(&boxes);
        sort_along(&mut boxes, axis);
        let rects: Vec<Rect> = boxes.iter().map(|(_, own)| *own).collect();
        Self {
            direction: axis.into(),
            spacing: usual_gap(&rects, axis),
            counter_align: alignment(&rects, axis.across()),
            around: Rect::union_all(rects).unwrap_or_default(),
            order: boxes.into_iter().map(|(id, _)| id).collect(),
        }
    }

    fn layout(&self) -> AutoLayout {
        AutoLayout {
            item_spacing: self.spacing,
            counter_align: self.counter_align,
            ..AutoLayout::new(self.direction)
        }
    }
}

/// The axis along which boxes overlap less; of both the same the one along which they are spread further.
fn axis_of(boxes: &[(NodeId, Rect)]) -> Axis {
    let [across, down] = Axis::ALL.map(|axis| overlap_along(boxes, axis));
    let [wide, high] = Axis::ALL.map(|axis| spread_along(boxes, axis));
    let is_across = across < down || (across == down && wide >= high);
    if is_across { Axis::Horizontal } else { Axis::Vertical }
}

fn sort_along(boxes: &mut [(NodeId, Rect)], axis: Axis) {
    // By their middles: edges of boxes that overlap may come the other way round.
    boxes.sort_by(|a, b| axis.edges(a.1)[1].total_cmp(&axis.edges(b.1)[1]));
}

fn overlap_along(boxes: &[(NodeId, Rect)], axis: Axis) -> f64 {
    let mut sorted = boxes.to_vec();
    sort_along(&mut sorted, axis);
    let rects: Vec<Rect> = sorted.into_iter().map(|(_, own)| own).collect();
    gaps(&rects, axis).map(|gap| (-gap).max(0.0)).sum()
}

fn spread_along(boxes: &[(NodeId, Rect)], axis: Axis) -> f64 {
    let middles = boxes.iter().map(|(_, own)| axis.edges(*own)[1]);
    let (least, most) = middles.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), at| {
        (least.min(at), most.max(at))
    });
    most - least
}

/// From the end of each to the start of the next.
fn gaps(rects: &[Rect], axis: Axis) -> impl Iterator<Item = f64> {
    let pairs = rects.iter().zip(rects.iter().skip(1));
    pairs.map(move |(one, next)| axis.span(*next).0 - axis.span(*one).1)
}

/// The middle one, in whole units; 0 of none.
fn usual_gap(rects: &[Rect], axis: Axis) -> f64 {
    let mut gaps: Vec<f64> = gaps(rects, axis).map(f64::round).collect();
    // The median: one wide gap between two groups says nothing of the others.
    gaps.sort_by(f64::total_cmp);
    // No minus zero.
    gaps.get(gaps.len() / 2).copied().unwrap_or(0.0) + 0.0
}

/// How they are in line along this axis.
fn alignment(rects: &[Rect], axis: Axis) -> CounterAlign {
    let are_in_line = [0, 1, 2].map(|edge: usize| {
        let mut all = rects.iter().filter_map(|own| axis.edges(*own).get(edge).copied());
        let first = all.next();
        all.all(|at| first.is_none_or(|first| (at - first).abs() <= IN_LINE))
    });
    // Boxes of one extent are in line in all three ways: the start wins.
    match are_in_line {
        [false, true, _] => CounterAlign::Center,
        [false, false, true] => CounterAlign::Max,
        _ => CounterAlign::Min,
    }
}
