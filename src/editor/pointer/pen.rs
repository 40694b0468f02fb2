//! The pen, which sets anchor after anchor, and the pencil, which follows the hand.

use super::input::Pointer;
use super::preview::Preview;
use super::putting::{DRAG, along_eighth, numbered, parent_at, put_in, stroke_black, take_made};
use crate::base::{Affine, Point};
use crate::design::{
    Anchor, AnchorKind, Contour, ContourPath, Contours, HandleSide, Node, NodeId, NodeKind,
    StrokeCap, StrokeJoin, WindingRule,
};
use crate::editor::context::EditorContext;
use crate::editor::drafting::Drafting;
use crate::editor::edited::{InPlace, PenPath};
use crate::editor::error::EditorError;
use crate::editor::tool::Tool;

/// How far a free line may be from the hand, in points of the screen.
const FREE: f64 = 1.5;
/// The most points of a free line.
const MOST_POINTS: usize = 50_000;

/// The anchor that the pen has set, while the button is down.
#[derive(Clone, Debug)]
pub(in crate::editor) struct PenDrag {
    pub(super) preview: Preview,
    anchor: Anchor,
    pressed: Point,
    closes: bool,
    parent: Option<NodeId>,
}

/// Whole numbers, but where the command key is held.
fn whole(at: Point, pointer: Pointer) -> Point {
    if pointer.keys.command { at } else { Point::new(at.x.round(), at.y.round()) }
}

impl PenDrag {
    /// Sets an anchor, or closes the path at its first.
    pub(super) fn begin(editor: &impl Drafting, pointer: Pointer) -> Self {
        let at = pointer.at;
        match editor.in_place() {
            InPlace::Pen(path) => {
                let closing =
                    path.contour.anchors.first().filter(|_| path.closes_at(at, pointer.zoom));
                let last = path.contour.anchors.last().map_or(at, |last| last.at);
                let to = if pointer.keys.shift {
                    let way = along_eighth(at.since(last));
                    Point::new(last.x + way.x, last.y + way.y)
                } else {
                    whole(at, pointer)
                };
                let anchor = closing.copied().unwrap_or_else(|| Anchor::corner(to));
                let closes = closing.is_some();
                let (preview, parent) = (Preview::default(), path.parent.clone());
                Self { preview, anchor, pressed: at, closes, parent }
            }
            _ => Self {
                preview: Preview::default(),
                anchor: Anchor::corner(whole(at, pointer)),
                pressed: at,
                closes: false,
                parent: parent_at(&editor.on_page(), at),
            },
        }
    }

    /// Pulls handles out of the anchor; with Alt only the one that goes out.
    pub(super) fn go_to(&mut self, pointer: Pointer) {
        let moved = pointer.at.since(self.pressed);
        if moved.x.hypot(moved.y) * pointer.zoom < DRAG {
            return;
        }
        let way = pointer.at.since(self.anchor.at);
        let way = if pointer.keys.shift { along_eighth(way) } else { way };
        let to = Point::new(self.anchor.at.x + way.x, self.anchor.at.y + way.y);
        self.anchor.kind =
            if pointer.keys.alt { AnchorKind::Corner } else { AnchorKind::Symmetric };
        self.anchor.pull(HandleSide::Out, to);
    }

    /// The path with the anchor.
    pub(super) fn after(&self, path: Option<&PenPath>) -> PenPath {
        let mut path = path.cloned().unwrap_or_else(|| PenPath {
            contour: Contour::default(),
            parent: self.parent.clone(),
        });
        if self.closes {
            path.contour.is_closed = true;
            if let Some(first) = path.contour.anchors.first_mut() {
                *first = self.anchor;
            }
        } else {
            path.contour.anchors.push(self.anchor);
        }
        path
    }

    pub(super) fn finish(
        self,
        editor: &mut impl Drafting,
        context: &EditorContext<'_>,
    ) -> Result<(), EditorError> {
        // Refused here, where the path before it goes on, and not when all of it is put into the design.
        self.anchor.check()?;
        let path = match editor.in_place() {
            InPlace::Pen(path) => self.after(Some(path)),
            _ => self.after(None),
        };
        editor.set_in_place(InPlace::Pen(path));
        if self.closes { end_pen(editor, context) } else { Ok(()) }
    }
}

/// Ends the path: it is put into the design if it draws anything, and the pen is put away.
pub(in crate::editor) fn end_pen(
    editor: &mut impl Drafting,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    editor.drop_held();
    let InPlace::Pen(path) = editor.in_place().clone() else { return Ok(()) };
    editor.set_in_place(InPlace::Nothing);
    editor.set_tool(Tool::Move);
    if path.contour.anchors.len() < 2 {
        return Ok(());
    }
    put_path(editor, path.contour, path.parent.as_ref(), StrokeCap::None, context)
}

/// Puts a path into the design, where it lies on the page.
fn put_path(
    editor: &mut impl Drafting,
    contour: Contour,
    parent: Option<&NodeId>,
    cap: StrokeCap,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let path = ContourPath { contours: vec![contour], winding: WindingRule::NonZero };
    let fitted = Contours { paths: vec![path] }.fitted()?;
    let document = editor.document();
    // Who drew may have taken the parent away meanwhile.
    let parent = parent.filter(|id| document.get(id).is_some());
    let name = numbered(document, parent, "Vector");
    let mut node = Node::new("new".into(), name, NodeKind::Rectangle);
    stroke_black(&mut node);
    node.stroke.cap = cap;
    if cap == StrokeCap::Round {
        node.stroke.join = StrokeJoin::Round;
    }
    node.transform = Affine::IDENTITY;
    fitted.put_into(&mut node);
    let page_from_node = node.transform;
    let made = put_in(document, node, parent, page_from_node, context)?;
    take_made(editor, "Vector", &made, None);
    Ok(())
}

/// A free line, while the button is down.
#[derive(Clone, Debug)]
pub(in crate::editor) struct PencilDrag {
    pub(super) preview: Preview,
    points: Vec<Point>,
    parent: Option<NodeId>,
    zoom: f64,
}

impl PencilDrag {
    pub(super) fn begin(editor: &impl Drafting, pointer: Pointer) -> Self {
        let parent = parent_at(&editor.on_page(), pointer.at);
        let preview = Preview::default();
        Self { preview, points: vec![pointer.at], parent, zoom: pointer.zoom }
    }

    pub(super) fn go_to(&mut self, pointer: Pointer) {
        let Some(last) = self.points.last() else { return };
        let by = pointer.at.since(*last);
        // Not twice the same place; a line without end is cut.
        if by.x.hypot(by.y) * pointer.zoom >= 1.0 && self.points.len() < MOST_POINTS {
            self.points.push(pointer.at);
        }
    }

    pub(super) fn contour(&self) -> Contour {
        let anchors = self.points.iter().copied().map(Anchor::corner).collect();
        Contour { anchors, is_closed: false }
    }

    pub(super) fn finish(
        self,
        editor: &mut impl Drafting,
        context: &EditorContext<'_>,
    ) -> Result<(), EditorError> {
        let kept = simplified(&self.points, FREE / self.zoom);
        if kept.len() < 2 {
            return Ok(());
        }
        let contour = smoothed(&kept);
        put_path(editor, contour, self.parent.as_ref(), StrokeCap::Round, context)?;
        editor.set_tool(Tool::Move);
        Ok(())
    }
}

/// The points of a line that it takes so that none is further off than `tolerance` (Ramer 1972; Douglas and Peucker
/// 1973).
fn simplified(points: &[Point], tolerance: f64) -> Vec<Point> {
    let Some(last) = points.len().checked_sub(1) else { return Vec::new() };
    let mut kept = vec![false; points.len()];
    // Instead of recursion: a line may wind as often as it has points.
    let mut spans = vec![(0, last)];
    while let Some((from, to)) = spans.pop() {
        for end in [from, to] {
            if let Some(kept) = kept.get_mut(end) {
                *kept = true;
            }
        }
        let (Some(a), Some(b)) = (points.get(from), points.get(to)) else { continue };
        let between = points.iter().enumerate().take(to).skip(from + 1);
        let off = between.map(|(at, p)| (at, p.distance_to_line(*a, *b)));
        let furthest = off.max_by(|one, other| one.1.total_cmp(&other.1));
        if let Some((at, off)) = furthest
            && off > tolerance
        {
            spans.extend([(from, at), (at, to)]);
        }
    }
    points.iter().zip(kept).filter(|(_, kept)| *kept).map(|(point, _)| *point).collect()
}

/// A smooth line through points: each bends along the way from the one before to the one behind (Catmull and Rom 1974),
/// with handles no longer than a third of the way to the neighbour.
fn smoothed(points: &[Point]) -> Contour {
    let anchors = points.iter().enumerate().map(|(at, point)| {
        let before = at.checked_sub(1).and_then(|at| points.get(at));
        let (Some(before), Some(behind)) = (before, points.get(at + 1)) else {
            return Anchor::corner(*point);
        };
        let way = behind.since(*before);
        let length = way.x.hypot(way.y);
        if length <= 0.0 {
            return Anchor::corner(*point);
        }
        let [to_before, to_behind] = [before, behind].map(|other| {
            let by = other.since(*point);
            by.x.hypot(by.y) / 3.0 / length
        });
        let handle_in = Point::new(point.x - way.x * to_before, point.y - way.y * to_before);
        let handle_out = Point::new(point.x + way.x * to_behind, point.y + way.y * to_behind);
        Anchor::with_handles(*point, Some(handle_in), Some(handle_out))
    });
    Contour { anchors: anchors.collect(), is_closed: false }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn point() -> impl Strategy<Value = Point> {
        (-500..500_i32, -500..500_i32).prop_map(|(x, y)| Point::new(f64::from(x), f64::from(y)))
    }

    proptest! {
        /// Both ends stay, and no point is further from the line than allowed.
        #[test]
        fn a_simplified_line_is_nowhere_far_off(
            points in prop::collection::vec(point(), 2..60), tolerance in 0.5..40.0_f64,
        ) {
            let kept = simplified(&points, tolerance);
            prop_assert_eq!(kept.first(), points.first());
            prop_assert_eq!(kept.last(), points.last());
            for point in &points {
                let off = kept.windows(2).map(|ends| point.distance_to_line(ends[0], ends[1]));
                let off = off.fold(f64::INFINITY, f64::min);
                prop_assert!(off <= tolerance + 1e-9, "{off}");
            }
        }

        #[test]
        fn a_smooth_line_runs_through_its_points(points in prop::collection::vec(point(), 2..20)) {
            let contour = smoothed(&points);
            let through: Vec<Point> = contour.anchors.iter().map(|anchor| anchor.at).collect();
            prop_assert_eq!(through, points);
        }
    }
}
