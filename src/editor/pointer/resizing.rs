//! Resizing what is selected by a handle.

use super::feedback::{Feedback, Reading};
use super::grips::selection_corners;
use super::input::Pointer;
use super::preview::{GestureOutcome, Preview};
use super::scaling::scaled;
use crate::base::{Affine, Axis, Point, Rect, Vector};
use crate::design::edit::{Edit, Transaction};
use crate::design::gesture::{Drag, Dragged, Guide, Handle, ResizeKeys};
use crate::design::{Direction, Document, NodeId, Sizing};
use crate::editor::context::EditorContext;
use crate::editor::error::EditorError;
use crate::editor::tool::Tool;

/// How near an edge draws, in points of the screen.
const EDGES: f64 = 5.0;
/// The least factor of a scaling.
const LEAST: f64 = 0.01;

/// A resize.
#[derive(Clone, Debug)]
pub(in crate::editor) struct Resizing {
    from: Pointer,
    handle: Handle,
    /// Scales with strokes, letters, radii and effects.
    scales: bool,
    /// From the start with the pulled sides of a fixed size.
    drag: Drag,
    /// What leads there.
    fixing: Edit,
    others: Vec<Rect>,
    corners: Option<[Point; 4]>,
    pub(super) preview: Preview,
}

impl Resizing {
    /// Takes hold of a handle of the nodes; `others` are the boxes that its edges may be drawn to.
    pub(super) fn begin(
        document: &Document,
        nodes: &[NodeId],
        (handle, tool): (Handle, Tool),
        from: Pointer,
        others: Vec<Rect>,
    ) -> Self {
        let scales = tool == Tool::Scale;
        let mut fixed = document.clone();
        let fixing = fix_sizes(&mut fixed, nodes, if scales { None } else { Some(handle) });
        Self {
            from,
            handle,
            scales,
            drag: Drag::begin(&fixed, nodes),
            fixing,
            others,
            corners: selection_corners(document, nodes),
            preview: Preview::default(),
        }
    }

    /// Works out what it comes to with the pointer there.
    pub(super) fn go_to(
        &mut self,
        pointer: Pointer,
        context: &EditorContext<'_>,
    ) -> Result<(), EditorError> {
        let mut by = pointer.at.since(self.from.at);
        if by == Vector::default() {
            self.preview = Preview::default();
            return Ok(());
        }
        let keys = pointer.keys;
        let mut feedback = Feedback::default();
        let dragged = if self.scales {
            let (factor, anchor) = self.factor(by, keys.alt);
            feedback.reading = Some(Reading::Scale(factor));
            scaled(self.drag.start(), self.drag.nodes(), (factor, anchor), context)?
        } else {
            // With a key the sides follow from one another, or are to be free of all others.
            if !keys.shift && !keys.alt && !keys.command {
                feedback.guides = self.snap(&mut by, pointer.zoom);
            }
            let keys = ResizeKeys {
                keeps_ratio: keys.shift,
                from_center: keys.alt,
                ignores_constraints: keys.command,
                whole: true,
                reflows: true,
            };
            self.drag.resized(self.handle, by, keys, context.measure)?
        };
        let Dragged { document, edit } = dragged;
        // The drag began where sides were fixed already: one step is both. But where nothing is of another size,
        // nothing is fixed either.
        let dragged = (!edit.is_empty()).then(|| {
            let edit = self.fixing.followed_by(&edit);
            Dragged { document, edit }
        });
        self.preview = Preview { dragged, feedback };
        Ok(())
    }

    /// How many times as large, and about which point, a pull at the handle makes it.
    fn factor(&self, by: Vector, from_center: bool) -> (f64, Point) {
        let Some([left_top, right_top, right_bottom, left_bottom]) = self.corners else {
            return (1.0, Point::ZERO);
        };
        // By shares of both sides from the left top corner.
        let (along, down) = (right_top.since(left_top), left_bottom.since(left_top));
        let place = |x: f64, y: f64| {
            // Handles go from −1 to 1, shares from 0 to 1.
            let (x, y) = (f64::midpoint(x, 1.0), f64::midpoint(y, 1.0));
            let (dx, dy) = (along.x * x + down.x * y, along.y * x + down.y * y);
            Point::new(left_top.x + dx, left_top.y + dy)
        };
        let (x, y) = (f64::from(self.handle.x), f64::from(self.handle.y));
        let held = place(x, y);
        let anchor = if from_center { place(0.0, 0.0) } else { place(-x, -y) };
        let arm = held.since(anchor);
        let length = arm.x * arm.x + arm.y * arm.y;
        if length <= 0.0 {
            return (1.0, right_bottom);
        }
        // By how much of the arm the pointer went along it: at right angles to it nothing grows.
        let factor = 1.0 + (by.x * arm.x + by.y * arm.y) / length;
        // The width becomes a whole number.
        let width = along.x.hypot(along.y);
        let whole = if width > 0.0 { (width * factor).round() / width } else { factor };
        (whole.max(LEAST), anchor)
    }

    /// Draws the pulled edges of an upright box to those of others.
    fn snap(&self, by: &mut Vector, zoom: f64) -> Vec<Guide> {
        let Some(bounds) = self.drag.bounds().filter(|_| self.is_upright()) else {
            return Vec::new();
        };
        let mut guides = Vec::new();
        for (axis, pull) in [(Axis::Horizontal, self.handle.x), (Axis::Vertical, self.handle.y)] {
            let (start, end) = axis.span(bounds);
            let offset = match axis {
                Axis::Horizontal => &mut by.x,
                Axis::Vertical => &mut by.y,
            };
            let edge = if pull > 0 { end } else { start } + *offset;
            let edges = self
                .others
                .iter()
                .filter(|_| pull != 0)
                .flat_map(|other| axis.edges(*other).map(|at| (at - edge, at, *other)));
            let near = edges.filter(|(off, ..)| off.abs() <= EDGES / zoom);
            let nearest = near.min_by(|one, other| one.0.abs().total_cmp(&other.0.abs()));
            // Sides stay whole numbers: what lies between them does not draw.
            let nearest = nearest.filter(|(_, at, _)| {
                let fixed = if pull > 0 { start } else { end };
                (at - fixed - (at - fixed).round()).abs() < 1e-6
            });
            if let Some((off, at, other)) = nearest {
                *offset += off;
                let (from, to) = axis.across().span(other.union(bounds));
                guides.push(Guide { axis, at, from, to });
            }
        }
        guides
    }

    fn is_upright(&self) -> bool {
        match self.drag.nodes() {
            [only] => self.drag.start().absolute_transform(only).is_ok_and(Affine::is_translation),
            _ => true,
        }
    }

    /// What it came to.
    pub(super) fn finish(self) -> GestureOutcome {
        let label = if self.scales { "Scale" } else { "Resize" };
        GestureOutcome::edited(label, self.drag.nodes().to_vec(), self.preview)
    }
}

/// Sides that follow their content, or fill what they lie in, keep the size that they are pulled to. Without a handle
/// all are scaled, and what follows its content goes on to: that is scaled, too.
fn fix_sizes(document: &mut Document, nodes: &[NodeId], pulled: Option<Handle>) -> Edit {
    let before = document.clone();
    let mut change = Transaction::begin(document);
    for id in nodes {
        let is_text = before.get(id).is_some_and(|node| node.text().is_some());
        let pulls = pulled.map_or([true, true], |handle| [handle.x != 0, handle.y != 0]);
        for (direction, is_pulled) in
            [Direction::Horizontal, Direction::Vertical].into_iter().zip(pulls)
        {
            let is_fixed = match before.sizing(id, direction) {
                Sizing::Fixed => false,
                Sizing::Fill => is_pulled,
                // A text says by itself how it follows its letters.
                Sizing::Hug => is_pulled && !is_text && pulled.is_some(),
            };
            if is_fixed {
                // Refused, it keeps following: the drag says the same of it.
                drop(change.set_sizing(id, direction, Sizing::Fixed));
            }
        }
    }
    change.commit()
}
