//! The handles of a gradient on the page.

use super::feedback::Reading;
use super::grips::in_node;
use super::input::Pointer;
use super::preview::{GestureOutcome, Preview, changed};
use crate::base::{Affine, Point, Size, Vector};
use crate::design::{Document, Gradient, Node, NodeId, PaintKind};
use crate::editor::context::EditorContext;
use crate::editor::error::EditorError;

/// How near to a handle a pointer takes it, in points of the screen.
const REACH: f64 = 7.0;

/// A handle of a gradient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GradientHandle {
    /// Where it starts, or its centre.
    Start,
    /// Where it ends.
    End,
    /// A colour between them, by its place in the list.
    Stop(usize),
}

/// A handle that is pulled.
#[derive(Clone, Debug)]
pub(in crate::editor) struct GradientDrag {
    start: Document,
    node: NodeId,
    fill: usize,
    gradient: Gradient,
    size: Size,
    handle: GradientHandle,
    /// In the node's own space.
    from: Point,
    pub(super) preview: Preview,
}

/// Where the handles of a gradient fill are on the page: its ends first, then its colours. What is locked has none.
pub fn gradient_handles(
    document: &Document,
    node: &NodeId,
    fill: usize,
) -> Vec<(GradientHandle, Point)> {
    let Ok(page_from_node) = document.absolute_transform(node) else { return Vec::new() };
    let node = document.get(node).filter(|_| !document.is_locked(node));
    let Some(node) = node else { return Vec::new() };
    let Some(gradient) = gradient_of(node, fill) else { return Vec::new() };
    let [start, end, _] = gradient.handles.map(|at| in_pixels(at, node.size));
    let mut handles = vec![(GradientHandle::Start, start), (GradientHandle::End, end)];
    let along = end.since(start);
    for (at, stop) in gradient.stops.iter().enumerate() {
        let (dx, dy) = (along.x * stop.position, along.y * stop.position);
        handles.push((GradientHandle::Stop(at), Point::new(start.x + dx, start.y + dy)));
    }
    handles.into_iter().map(|(handle, at)| (handle, page_from_node.apply(at))).collect()
}

impl GradientDrag {
    /// Takes hold of a handle there of the gradient fill of the only node.
    pub(super) fn take(
        document: &Document,
        nodes: &[NodeId],
        fill: usize,
        pointer: Pointer,
    ) -> Option<Self> {
        let [id] = nodes else { return None };
        let node = document.get(id)?;
        let gradient = gradient_of(node, fill)?.clone();
        let handles = gradient_handles(document, id, fill);
        let mut near = handles.iter().filter(|(_, at)| {
            let off = pointer.at.since(*at);
            off.x.hypot(off.y) * pointer.zoom <= REACH
        });
        // A colour that lies on an end is pulled by the end: there the gradient itself is.
        let (handle, _) = near.next()?;
        Some(Self {
            start: document.clone(),
            node: id.clone(),
            fill,
            gradient,
            size: node.size,
            handle: *handle,
            from: in_node(document, id, pointer.at)?,
            preview: Preview::default(),
        })
    }

    /// Works out what it comes to with the pointer there.
    pub(super) fn go_to(
        &mut self,
        pointer: Pointer,
        context: &EditorContext<'_>,
    ) -> Result<(), EditorError> {
        let Some(at) = in_node(&self.start, &self.node, pointer.at) else { return Ok(()) };
        let by = at.since(self.from);
        let mut gradient = self.gradient.clone();
        let reading = self.pull(&mut gradient, by, at);
        let dragged = changed(&self.start, context, |change| {
            change.update(&self.node, |node| {
                let paint = node.fills.get_mut(self.fill).map(|paint| &mut paint.kind);
                if let Some(kind @ PaintKind::Gradient(_)) = paint {
                    *kind = PaintKind::Gradient(gradient);
                }
            })
        })?;
        self.preview = Preview::reading(dragged, reading);
        Ok(())
    }

    fn pull(&self, gradient: &mut Gradient, by: Vector, at: Point) -> Option<Reading> {
        if by == Vector::default() {
            return None;
        }
        let [start, end, width] = self.gradient.handles.map(|at| in_pixels(at, self.size));
        let moved = |point: Point| Point::new(point.x + by.x, point.y + by.y);
        let (new_start, new_end) = match self.handle {
            GradientHandle::Start => (moved(start), end),
            GradientHandle::End => (start, moved(end)),
            GradientHandle::Stop(stop) => {
                let along = end.since(start);
                let length = along.x * along.x + along.y * along.y;
                let off = at.since(start);
                if length <= 0.0 {
                    return None;
                }
                let position = ((off.x * along.x + off.y * along.y) / length).clamp(0.0, 1.0);
                // To a hundredth, as people write it.
                let position = (position * 100.0).round() / 100.0;
                gradient.stops.get_mut(stop)?.position = position;
                return Some(Reading::Stop(position));
            }
        };
        // The third handle turns and grows with the other two.
        let new_width = carried_along((start, end), (new_start, new_end), width)?;
        gradient.handles = [new_start, new_end, new_width].map(|at| in_units(at, self.size));
        None
    }

    /// What it came to.
    pub(super) fn finish(self) -> GestureOutcome {
        GestureOutcome::edited("Gradient", vec![self.node], self.preview)
    }
}

fn gradient_of(node: &Node, fill: usize) -> Option<&Gradient> {
    match &node.fills.get(fill)?.kind {
        PaintKind::Gradient(gradient) => Some(gradient),
        _ => None,
    }
}

fn in_pixels(at: Point, size: Size) -> Point {
    Point::new(at.x * size.width, at.y * size.height)
}

fn in_units(at: Point, size: Size) -> Point {
    let one = |at: f64, side: f64| if side > 0.0 { at / side } else { at };
    Point::new(one(at.x, size.width), one(at.y, size.height))
}

/// Where a point goes when a line goes elsewhere and it with it, turned and scaled alike; `None` where the line has no
/// length.
fn carried_along(old: (Point, Point), new: (Point, Point), point: Point) -> Option<Point> {
    let (was, now) = (old.1.since(old.0), new.1.since(new.0));
    let map = |along: Vector, origin: Point| Affine {
        a: along.x,
        b: along.y,
        c: -along.y,
        d: along.x,
        e: origin.x,
        f: origin.y,
    };
    let to = map(now, new.0);
    // A gradient of no length cannot be undone, nor drawn.
    to.inverse()?;
    Some(to.after(map(was, old.0).inverse()?).apply(point))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Rect, Rgba};
    use crate::design::{ColorStop, GradientKind, NoTexts, NodeKind, Paint};
    use crate::editor::{Act, ArrangeAct, Editor, PointerAct, PointerKeys, SelectAct};

    const CONTEXT: EditorContext<'_> = EditorContext { measure: &NoTexts };

    /// A rectangle of 100 by 50 at 20, 10, turned by a quarter where that is said, with a gradient of three colours
    /// along its width; selected.
    fn editor(is_turned: bool) -> Editor {
        let mut node = Node::new("tile".into(), "tile", NodeKind::Rectangle);
        node.size = Size::new(100.0, 50.0);
        node.transform = Affine::translate(20.0, 10.0);
        if is_turned {
            // Its own x goes down the page.
            node.transform = Affine { a: 0.0, b: 1.0, c: -1.0, d: 0.0, e: 70.0, f: 10.0 };
        }
        let stop = |position: f64| ColorStop { position, color: Rgba::BLACK };
        let stops = [0.0, 0.5, 1.0].map(stop).to_vec();
        let gradient = Gradient::from_transform(GradientKind::Linear, Affine::IDENTITY, stops);
        let kind = PaintKind::Gradient(gradient.unwrap());
        node.fills = vec![Paint { kind, ..Paint::solid(Rgba::BLACK) }];
        let mut editor = Editor::new(Document::from_nodes([node]).unwrap());
        let all = SelectAct::Only(vec!["tile".into()]);
        editor.act(Act::Select(all), &CONTEXT).unwrap();
        editor
    }

    fn drag(editor: &mut Editor, from: (f64, f64), to: (f64, f64)) {
        let pointer = |(x, y): (f64, f64)| Pointer {
            at: Point::new(x, y),
            zoom: 1.0,
            visible: Rect::new(-500.0, -500.0, 1_000.0, 1_000.0),
            keys: PointerKeys { command: true, ..PointerKeys::default() },
        };
        for act in [
            PointerAct::PressGradient(pointer(from), 0),
            PointerAct::Move(pointer(to)),
            PointerAct::Release(pointer(to)),
        ] {
            editor.act(Act::Pointer(act), &CONTEXT).unwrap();
        }
    }

    fn gradient(editor: &Editor) -> Gradient {
        gradient_of(editor.document().get(&"tile".into()).unwrap(), 0).unwrap().clone()
    }

    #[test]
    fn ends_and_colors_of_a_gradient_are_pulled_on_the_page_in_one_step_each() {
        let mut editor = editor(false);
        let before = editor.document().clone();
        drag(&mut editor, (120.0, 35.0), (90.0, 35.0));
        assert_eq!(gradient(&editor).handles[1], Point::new(0.7, 0.5));
        // A colour goes along the line between the ends, and no further.
        drag(&mut editor, (55.0, 35.0), (41.0, 60.0));
        assert_eq!(gradient(&editor).stops[1].position, 0.3);
        drag(&mut editor, (41.0, 35.0), (500.0, 35.0));
        assert_eq!(gradient(&editor).stops[1].position, 1.0);
        assert_eq!(editor.steps(), 3);
        for _ in 0..3 {
            editor.act(Act::Undo, &CONTEXT).unwrap();
        }
        assert_eq!(*editor.document(), before);
    }

    #[test]
    fn handles_of_a_turned_node_are_where_they_are_seen() {
        let mut editor = editor(true);
        let at = |editor: &Editor| {
            let handles = gradient_handles(editor.document(), &"tile".into(), 0);
            handles.into_iter().map(|(_, at)| (at.x.round(), at.y.round())).collect::<Vec<_>>()
        };
        let expected = [(45.0, 10.0), (45.0, 110.0), (45.0, 10.0), (45.0, 60.0), (45.0, 110.0)];
        assert_eq!(at(&editor), expected);
        drag(&mut editor, (45.0, 110.0), (45.0, 90.0));
        assert_eq!(at(&editor)[1], (45.0, 90.0));
    }

    #[test]
    fn a_line_of_no_length_and_what_is_locked_stay_as_they_are() {
        let mut editor = editor(false);
        let before = gradient(&editor);
        drag(&mut editor, (120.0, 35.0), (20.0, 35.0));
        assert_eq!(gradient(&editor), before);
        editor.act(Act::Arrange(ArrangeAct::ToggleLocked), &CONTEXT).unwrap();
        assert!(gradient_handles(editor.document(), &"tile".into(), 0).is_empty());
        drag(&mut editor, (120.0, 35.0), (90.0, 35.0));
        assert_eq!(gradient(&editor), before);
    }
}
