//! Pulling an end of a line.

use super::feedback::Reading;
use super::grips::LineEnd;
use super::input::Pointer;
use super::preview::{GestureOutcome, Preview, changed};
use crate::base::{Affine, Point, Size, Vector};
use crate::design::{Document, NodeId};
use crate::editor::context::EditorContext;
use crate::editor::error::EditorError;

/// The shortest line.
const LEAST: f64 = 0.01;
/// The steps of its angle with Shift, in degrees.
const STEP: f64 = 15.0;

/// An end that is pulled.
#[derive(Clone, Debug)]
pub(in crate::editor) struct LineEndDrag {
    start: Document,
    node: NodeId,
    end: LineEnd,
    from: Point,
    /// Both ends on the page, the pulled one first.
    ends: [Point; 2],
    pub(super) preview: Preview,
}

impl LineEndDrag {
    /// Takes hold of an end of the only node, which is a line.
    pub(super) fn begin(
        document: &Document,
        nodes: &[NodeId],
        end: LineEnd,
        pointer: Pointer,
    ) -> Option<Self> {
        let [node] = nodes else { return None };
        let width = document.get(node)?.size.width;
        let page_from_node = document.absolute_transform(node).ok()?;
        let [first, last] = [0.0, width].map(|x| page_from_node.apply(Point::new(x, 0.0)));
        let ends = match end {
            LineEnd::Start => [first, last],
            LineEnd::End => [last, first],
        };
        let (start, node, from) = (document.clone(), node.clone(), pointer.at);
        Some(Self { start, node, end, from, ends, preview: Preview::default() })
    }

    /// Works out what it comes to with the pointer there.
    pub(super) fn go_to(
        &mut self,
        pointer: Pointer,
        context: &EditorContext<'_>,
    ) -> Result<(), EditorError> {
        let by = pointer.at.since(self.from);
        if by == Vector::default() {
            self.preview = Preview::default();
            return Ok(());
        }
        let [pulled, fixed] = self.ends;
        // Whole units of the page; with Shift the angle counts for more than that.
        let mut pulled = Point::new((pulled.x + by.x).round(), (pulled.y + by.y).round());
        if pointer.keys.shift {
            pulled = in_steps(pulled, fixed);
        }
        let (from, to) = match self.end {
            LineEnd::Start => (pulled, fixed),
            LineEnd::End => (fixed, pulled),
        };
        let along = to.since(from);
        let length = along.x.hypot(along.y);
        // Ends in one place have no angle between them: what was shown last stays.
        if length < LEAST {
            return Ok(());
        }
        let (x, y) = (along.x / length, along.y / length);
        // A line that was mirrored stays so: the sign of the determinant says which side of it is up.
        let side = self.start.absolute_transform(&self.node)?.determinant().signum();
        let place = Affine { a: x, b: y, c: -y * side, d: x * side, e: from.x, f: from.y };
        let dragged = changed(&self.start, context, |change| {
            change.resize(&self.node, Size::new(length, 0.0))?;
            change.set_absolute_transform(&self.node, place)
        })?;
        self.preview = Preview::reading(dragged, Some(Reading::Length(length)));
        Ok(())
    }

    /// What it came to.
    pub(super) fn finish(self) -> GestureOutcome {
        GestureOutcome::edited("Resize", vec![self.node], self.preview)
    }
}

/// As far from the fixed end, at the nearest whole step of the angle.
fn in_steps(pulled: Point, fixed: Point) -> Point {
    let off = pulled.since(fixed);
    let angle = off.y.atan2(off.x).to_degrees();
    let (sin, cos) = ((angle / STEP).round() * STEP).to_radians().sin_cos();
    let length = off.x.hypot(off.y);
    Point::new(fixed.x + cos * length, fixed.y + sin * length)
}
