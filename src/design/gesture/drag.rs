//! Dragging a selection: moving, resizing and turning it.

use super::handle::Handle;
use super::place::{moved_on_page, topmost, without_place};
use crate::base::{Affine, Point, Rect, Size, Vector};
use crate::design::document::{Document, DocumentError};
use crate::design::edit::{Edit, Transaction};
use crate::design::hunk::{Consequences, apply_hunks};
use crate::design::measure::Measure;
use crate::design::node::{Node, NodeKind};
use crate::design::node_id::NodeId;

/// The smallest side that a drag leaves, in units of the page.
const LEAST: f64 = 0.01;

/// A drag of a selection, from the state it began with.
///
/// Each frame is worked out from that state, never from the frame before: what is dragged there and back
/// is where it was, bit by bit. The last frame's edit is the one that is kept; dropped at Esc, nothing has
/// happened.
#[derive(Clone, Debug)]
pub struct Drag {
    start: Document,
    ids: Vec<NodeId>,
}

/// A frame of a drag.
#[derive(Clone, Debug, PartialEq)]
pub struct Dragged {
    /// The document as it looks now.
    pub document: Document,
    /// What leads there from the state that the drag began with; empty where nothing moved.
    pub edit: Edit,
}

/// The keys that are held while resizing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResizeKeys {
    /// Width and height keep their ratio (Shift).
    pub keeps_ratio: bool,
    /// The middle stays, not the opposite side (Alt).
    pub from_center: bool,
    /// What is in a frame stays as it is (Ctrl).
    pub ignores_constraints: bool,
    /// Sides that are pulled get whole numbers (the pixel grid).
    pub whole: bool,
    /// A text that resizes itself and keeps its height goes on following its lines, at its other width; else it has a
    /// fixed size from then on, as the canvas tool gives it.
    pub reflows: bool,
}

/// How a selection is turned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turning {
    /// To any angle.
    #[default]
    Free,
    /// To whole multiples of 15 degrees (Shift): of a single node the angle that it has then, else the
    /// angle that all are turned by.
    InSteps,
}

impl Drag {
    /// Begins with what is selected: of a node and one that it lies in only the latter is dragged.
    pub fn begin(document: &Document, selection: &[NodeId]) -> Self {
        Self { start: document.clone(), ids: topmost(document, selection) }
    }

    /// The state it began with.
    pub fn start(&self) -> &Document {
        &self.start
    }

    /// The nodes that are dragged, the one at the back first.
    pub fn nodes(&self) -> &[NodeId] {
        &self.ids
    }

    /// The box around them on the page, at the beginning; `None` of none.
    pub fn bounds(&self) -> Option<Rect> {
        Rect::union_all(self.ids.iter().filter_map(|id| self.start.absolute_box(id).ok()))
    }

    /// Moved by so much on the page. What auto layout places stays.
    ///
    /// # Errors
    ///
    /// What the document refuses, such as a place beyond all numbers.
    pub fn moved(&self, by: Vector, measure: &dyn Measure) -> Result<Dragged, DocumentError> {
        let hunks = self.ids.iter().filter_map(|id| moved_on_page(&self.start, id, by));
        let hunks: Vec<_> = hunks.filter(|_| by != Vector::default()).collect();
        let mut document = self.start.clone();
        let edit = apply_hunks(&mut document, &hunks, Consequences::Settle, measure)?;
        Ok(Dragged { document, edit })
    }

    /// The same with copies, which the nodes themselves stay below (Alt).
    ///
    /// # Errors
    ///
    /// What the document refuses.
    pub fn copied(&self, by: Vector, measure: &dyn Measure) -> Result<Dragged, DocumentError> {
        let mut document = self.start.clone();
        let mut change = Transaction::begin(&mut document);
        for id in &self.ids {
            let copy = change.duplicate(id)?;
            let place = change.document().absolute_transform(&copy)?;
            let (e, f) = (place.e + by.x, place.f + by.y);
            change.set_absolute_transform(&copy, Affine { e, f, ..place })?;
        }
        let edit = change.commit_with(measure);
        Ok(Dragged { document, edit })
    }

    /// Turned by so many degrees, counter-clockwise, about the middle of all. What auto layout places is placed again.
    ///
    /// # Errors
    ///
    /// What the document refuses.
    pub fn turned(
        &self,
        degrees: f64,
        turning: Turning,
        measure: &dyn Measure,
    ) -> Result<Dragged, DocumentError> {
        const STEP: f64 = 15.0;
        let Some(middle) = self.middle() else { return Ok(self.unchanged()) };
        let own = match self.ids.as_slice() {
            [only] => self.start.absolute_transform(only)?.rotation_degrees(),
            _ => 0.0,
        };
        let degrees = match turning {
            Turning::Free => degrees,
            Turning::InSteps => ((own + degrees) / STEP).round() * STEP - own,
        };
        if degrees == 0.0 {
            return Ok(self.unchanged());
        }
        let there = Affine::translate(middle.x, middle.y);
        let back = Affine::translate(-middle.x, -middle.y);
        let turn = there.after(Affine::rotate(degrees.to_radians())).after(back);
        let mut document = self.start.clone();
        let mut change = Transaction::begin(&mut document);
        for id in &self.ids {
            let turned = turn.after(self.start.absolute_transform(id)?);
            change.set_absolute_transform(id, turned)?;
        }
        let edit = change.commit_with(measure);
        Ok(Dragged { document, edit })
    }

    /// Resized by a handle that is pulled by so much on the page. A single node is resized along its own
    /// sides, several within the box around them. Through nothing it is flipped. What auto layout places is placed
    /// again.
    ///
    /// # Errors
    ///
    /// What the document refuses.
    pub fn resized(
        &self,
        handle: Handle,
        by: Vector,
        keys: ResizeKeys,
        measure: &dyn Measure,
    ) -> Result<Dragged, DocumentError> {
        if by == Vector::default() {
            return Ok(self.unchanged());
        }
        let mut document = self.start.clone();
        let mut change = Transaction::begin(&mut document);
        match self.ids.as_slice() {
            [] => {}
            [only] => {
                let page_from_node = self.start.absolute_transform(only)?;
                let node = self.start.node(only)?;
                // The pull along the node's own axes.
                let back = without_place(page_from_node).inverse();
                let back = back.ok_or_else(|| DocumentError::Singular(only.clone()))?;
                let pull = back.apply(Point::new(by.x, by.y));
                let to = pulled(node.size, handle, Vector { x: pull.x, y: pull.y }, keys);
                stretch_own(&mut change, only, page_from_node, to, keys)?;
            }
            several => {
                let Some(around) = self.bounds() else { return Ok(self.unchanged()) };
                let to = pulled(around.size(), handle, by, keys);
                for id in several {
                    let page_from_node = self.start.absolute_transform(id)?;
                    stretch_within(&mut change, id, page_from_node, (around, to), keys)?;
                }
            }
        }
        let edit = change.commit_with(measure);
        Ok(Dragged { document, edit })
    }

    /// The corners of a single node's box as [`Self::resized`] leaves it, on the page, clockwise from its own left top
    /// corner: what can be drawn without measuring texts. `None` of several, and of one without a box.
    pub fn resized_corners(
        &self,
        handle: Handle,
        by: Vector,
        keys: ResizeKeys,
    ) -> Option<[Point; 4]> {
        let [only] = self.ids.as_slice() else { return None };
        let page_from_node = self.start.absolute_transform(only).ok()?;
        let pull = without_place(page_from_node).inverse()?.apply(Point::new(by.x, by.y));
        let pull = Vector { x: pull.x, y: pull.y };
        let Pulled { at, .. } = pulled(self.start.get(only)?.size, handle, pull, keys);
        let corners =
            [(at.x, at.y), (at.right(), at.y), (at.right(), at.bottom()), (at.x, at.bottom())];
        Some(corners.map(|(x, y)| page_from_node.apply(Point::new(x, y))))
    }

    /// The middle of the box around all; of a single node that of its own box, which turning keeps.
    fn middle(&self) -> Option<Point> {
        let [only] = self.ids.as_slice() else { return self.bounds().map(Rect::center) };
        let size = self.start.get(only)?.size;
        let page_from_node = self.start.absolute_transform(only).ok()?;
        Some(page_from_node.apply(Point::new(size.width / 2.0, size.height / 2.0)))
    }

    fn unchanged(&self) -> Dragged {
        let mut document = self.start.clone();
        let edit = Transaction::begin(&mut document).commit();
        Dragged { document, edit }
    }
}

/// A box that was pulled, in the space of the one before, and on which axes it is flipped.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pulled {
    at: Rect,
    flips: [bool; 2],
}

/// A box from (0, 0) of this size, pulled by a handle.
fn pulled(size: Size, handle: Handle, by: Vector, keys: ResizeKeys) -> Pulled {
    let (hx, hy) = (f64::from(handle.x), f64::from(handle.y));
    // From the middle both sides move.
    let twice = if keys.from_center { 2.0 } else { 1.0 };
    let mut width = size.width + hx * by.x * twice;
    let mut height = size.height + hy * by.y * twice;
    let keeps_ratio = keys.keeps_ratio && size.width > 0.0 && size.height > 0.0;
    if keeps_ratio {
        let (kx, ky) = (width / size.width, height / size.height);
        // Of a corner the axis that is pulled further decides; a side takes the other along.
        let factor = match (handle.x, handle.y) {
            (0, _) => ky,
            (_, 0) => kx,
            _ if (kx - 1.0).abs() >= (ky - 1.0).abs() => kx,
            _ => ky,
        };
        (width, height) = (size.width * factor, size.height * factor);
    }
    // A side that was not pulled stays as it is, unless the ratio takes it along.
    if keys.whole && (handle.x != 0 || keeps_ratio) {
        width = whole(width, size.width);
    }
    if keys.whole && (handle.y != 0 || keeps_ratio) {
        height = whole(height, size.height);
    }
    let (x, flips_x) = side(size.width, width, hx, keys.from_center);
    let (y, flips_y) = side(size.height, height, hy, keys.from_center);
    let at = Rect::new(x, y, extent(width, size.width), extent(height, size.height));
    Pulled { at, flips: [flips_x, flips_y] }
}

/// A whole number, but for what is thinner than 1 and stays so, as a hairline: rounded, it would be nothing.
fn whole(to: f64, was: f64) -> f64 {
    if was < 1.0 && to.abs() < 1.0 { to } else { to.round() }
}

/// As long as it is pulled, whichever way; what had no extent may go on without.
fn extent(to: f64, was: f64) -> f64 {
    to.abs().max(LEAST.min(was))
}

/// Where a side of a box begins when its extent becomes another, and whether it is flipped.
fn side(old: f64, new: f64, pull: f64, from_center: bool) -> (f64, bool) {
    // What stays: the opposite side, or the middle; of a side that the ratio takes along the middle too.
    let (anchor, share) = if from_center || pull == 0.0 {
        (old / 2.0, 0.5)
    } else if pull > 0.0 {
        (0.0, 0.0)
    } else {
        (old, 1.0)
    };
    let start = anchor - share * new;
    // Through nothing the start is where the end would be.
    (start.min(start + new), new < 0.0)
}

fn stretch_own(
    change: &mut Transaction<'_>,
    id: &NodeId,
    page_from_node: Affine,
    Pulled { at, flips }: Pulled,
    keys: ResizeKeys,
) -> Result<(), DocumentError> {
    resize(change, id, at.size(), keys)?;
    // Flipped, its own corner is on the other side and its axis goes back.
    let [x, y] = [(flips[0], at.x, at.right()), (flips[1], at.y, at.bottom())]
        .map(|(flips, start, end)| if flips { (end, -1.0) } else { (start, 1.0) });
    let flip = Affine { a: x.1, d: y.1, e: x.0, f: y.0, ..Affine::IDENTITY };
    change.set_absolute_transform(id, page_from_node.after(flip))
}

fn stretch_within(
    change: &mut Transaction<'_>,
    id: &NodeId,
    page_from_node: Affine,
    (around, Pulled { at, flips }): (Rect, Pulled),
    keys: ResizeKeys,
) -> Result<(), DocumentError> {
    let [kx, ky] = [(at.width, around.width, flips[0]), (at.height, around.height, flips[1])].map(
        |(to, from, flips)| {
            let factor = if from > 0.0 { to / from } else { 1.0 };
            if flips { -factor } else { factor }
        },
    );
    let size = change.document().node(id)?.size;
    let t = page_from_node;
    let (along, across) = ((t.a * kx).hypot(t.b * ky), (t.c * kx).hypot(t.d * ky));
    let (old_along, old_across) = (t.a.hypot(t.b), t.c.hypot(t.d));
    let to = Size::new(
        extent(size.width * along / old_along.max(f64::MIN_POSITIVE), size.width),
        extent(size.height * across / old_across.max(f64::MIN_POSITIVE), size.height),
    );
    resize(change, id, to, keys)?;
    // Its corner keeps its share of the box; a turned one keeps its angle, so that nothing is skewed.
    let (left, top) = (around.x + at.x, around.y + at.y);
    let [x, y] = [(t.e - around.x, kx, left, at.width), (t.f - around.y, ky, top, at.height)].map(
        |(off, factor, start, extent)| {
            if factor < 0.0 { start + extent + off * factor } else { start + off * factor }
        },
    );
    let signs = (kx.signum(), ky.signum());
    let linear = Affine {
        a: t.a * signs.0,
        b: t.b * signs.1,
        c: t.c * signs.0,
        d: t.d * signs.1,
        e: x,
        f: y,
    };
    change.set_absolute_transform(id, linear)
}

fn resize(
    change: &mut Transaction<'_>,
    id: &NodeId,
    to: Size,
    keys: ResizeKeys,
) -> Result<(), DocumentError> {
    let node = change.document().node(id)?;
    if node.size == to {
        return Ok(());
    }
    if keys.ignores_constraints && node.auto_layout.is_none() && is_plain_frame(node) {
        return change.update(id, |node| node.size = to);
    }
    if keys.reflows { change.resize_and_reflow(id, to) } else { change.resize(id, to) }
}

/// Whether what is in a node follows it by constraints.
fn is_plain_frame(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Frame | NodeKind::Section | NodeKind::Component)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::measure::{NarrowLetters, NoTexts};
    use crate::design::node::node_in_box as node;
    use crate::design::text::{AutoResize, TextContent};
    use proptest::prelude::*;

    /// A screen with a turned frame that holds two, and a group.
    fn screen() -> Document {
        let mut tilted = node("tilted", NodeKind::Frame, Some("screen"), [0.0, 0.0, 120.0, 80.0]);
        tilted.transform = Affine::translate(200.0, 200.0).after(Affine::rotate(0.5));
        Document::from_nodes([
            node("screen", NodeKind::Frame, None, [10.0, 20.0, 400.0, 400.0]),
            tilted,
            node("in", NodeKind::Rectangle, Some("tilted"), [10.0, 10.0, 30.0, 20.0]),
            node("group", NodeKind::Group, Some("screen"), [40.0, 40.0, 100.0, 40.0]),
            node("a", NodeKind::Rectangle, Some("group"), [0.0, 0.0, 40.0, 40.0]),
            node("b", NodeKind::Rectangle, Some("group"), [60.0, 0.0, 40.0, 40.0]),
        ])
        .unwrap()
    }

    fn drag(ids: &[&str]) -> Drag {
        let ids: Vec<NodeId> = ids.iter().map(|id| NodeId::from(*id)).collect();
        Drag::begin(&screen(), &ids)
    }

    fn box_of(document: &Document, id: &str) -> Rect {
        let at = document.absolute_box(&id.into()).unwrap();
        let [x, y, w, h] = [at.x, at.y, at.width, at.height].map(|v| (v * 1e6).round() / 1e6);
        Rect::new(x, y, w, h)
    }

    fn corner(x: i8, y: i8) -> Handle {
        Handle { x, y }
    }

    #[test]
    fn a_selection_moves_on_the_page_whatever_it_lies_in() {
        let drag = drag(&["in", "a"]);
        let before = box_of(drag.start(), "in");
        let by = Vector { x: 12.0, y: -5.0 };
        let dragged = drag.moved(by, &NoTexts).unwrap();
        let after = box_of(&dragged.document, "in");
        assert!(
            (after.x - before.x - 12.0).abs() < 1e-6 && (after.y - before.y + 5.0).abs() < 1e-6
        );
        assert_eq!(box_of(&dragged.document, "a").x, box_of(drag.start(), "a").x + 12.0);
        // The group follows what it holds.
        assert_eq!(box_of(&dragged.document, "group").width, 88.0);
    }

    #[test]
    fn of_a_node_and_what_it_lies_in_only_that_is_dragged() {
        let ids: Vec<String> =
            drag(&["a", "group", "in"]).nodes().iter().map(ToString::to_string).collect();
        assert_eq!(ids, ["in", "group"], "the one at the back first");
    }

    #[test]
    fn a_side_pulls_and_the_opposite_side_stays() {
        let drag = drag(&["a"]);
        let keys = ResizeKeys::default();
        for (handle, by, expected) in [
            (corner(1, 0), (10.0, 99.0), [50.0, 60.0, 50.0, 40.0]),
            (corner(-1, 0), (10.0, 0.0), [60.0, 60.0, 30.0, 40.0]),
            (corner(1, 1), (10.0, 20.0), [50.0, 60.0, 50.0, 60.0]),
            (corner(-1, -1), (-10.0, -20.0), [40.0, 40.0, 50.0, 60.0]),
            // Through nothing: on the other side of the one that stays.
            (corner(1, 0), (-70.0, 0.0), [20.0, 60.0, 30.0, 40.0]),
        ] {
            let by = Vector { x: by.0, y: by.1 };
            let dragged = drag.resized(handle, by, keys, &NoTexts).unwrap();
            let [x, y, w, h] = expected;
            assert_eq!(box_of(&dragged.document, "a"), Rect::new(x, y, w, h), "{handle:?}");
        }
        let flipped = drag.resized(corner(1, 0), Vector { x: -70.0, y: 0.0 }, keys, &NoTexts);
        let flipped = flipped.unwrap().document;
        assert!(flipped.get(&"a".into()).unwrap().transform.determinant() < 0.0);
    }

    #[test]
    fn the_corners_to_be_drawn_are_those_that_the_resized_node_has() {
        let drag = drag(&["tilted"]);
        let (handle, by) = (corner(1, -1), Vector { x: 14.0, y: -9.0 });
        let keys = ResizeKeys { keeps_ratio: true, ..ResizeKeys::default() };
        let drawn = drag.resized_corners(handle, by, keys).unwrap();
        let resized = drag.resized(handle, by, keys, &NoTexts).unwrap().document;
        let map = resized.absolute_transform(&"tilted".into()).unwrap();
        let size = resized.get(&"tilted".into()).unwrap().size;
        let there = [(0.0, 0.0), (size.width, 0.0), (size.width, size.height), (0.0, size.height)];
        for (drawn, (x, y)) in drawn.iter().zip(there) {
            let off = map.apply(Point::new(x, y)).since(*drawn);
            assert!(off.x.abs() < 1e-6 && off.y.abs() < 1e-6, "{off:?}");
        }
    }

    #[test]
    fn keys_keep_the_ratio_and_the_middle() {
        let drag = drag(&["a"]);
        let by = Vector { x: 20.0, y: 0.0 };
        let ratio = ResizeKeys { keeps_ratio: true, ..ResizeKeys::default() };
        let center = ResizeKeys { from_center: true, ..ResizeKeys::default() };
        let both = ResizeKeys { keeps_ratio: true, from_center: true, ..ResizeKeys::default() };
        for (keys, expected) in [
            (ratio, [50.0, 60.0, 60.0, 60.0]),
            (center, [30.0, 60.0, 80.0, 40.0]),
            (both, [30.0, 40.0, 80.0, 80.0]),
        ] {
            let dragged = drag.resized(corner(1, 1), by, keys, &NoTexts).unwrap();
            let [x, y, w, h] = expected;
            assert_eq!(box_of(&dragged.document, "a"), Rect::new(x, y, w, h), "{keys:?}");
        }
    }

    #[test]
    fn only_pulled_sides_get_whole_numbers_and_hairlines_stay() {
        let whole = ResizeKeys { whole: true, ..ResizeKeys::default() };
        let ratio = ResizeKeys { keeps_ratio: true, ..whole };
        let hairline = Size::new(300.0, 0.33);
        for (size, handle, keys, by, expected) in [
            (hairline, corner(1, 0), whole, (20.4, 0.0), (320.0, 0.33)),
            (hairline, corner(1, 1), whole, (20.4, 0.0), (320.0, 0.33)),
            (hairline, corner(1, 1), whole, (20.4, 2.0), (320.0, 2.0)),
            (hairline, corner(1, 0), ratio, (300.0, 0.0), (600.0, 0.66)),
            (Size::new(10.25, 20.75), corner(0, 1), whole, (3.0, 3.0), (10.25, 24.0)),
            (Size::new(10.25, 20.75), corner(-1, -1), whole, (-3.0, -3.0), (13.0, 24.0)),
            (Size::new(10.0, 20.5), corner(1, 0), ratio, (10.0, 0.0), (20.0, 41.0)),
            (Size::new(50.0, 0.0), corner(1, 0), whole, (5.0, 0.0), (55.0, 0.0)),
        ] {
            let Pulled { at, .. } = pulled(size, handle, Vector { x: by.0, y: by.1 }, keys);
            assert_eq!((at.width, at.height), expected, "{handle:?} of {size:?}");
        }
    }

    #[test]
    fn a_text_whose_width_alone_is_pulled_goes_on_following_its_lines() {
        let mut text = TextContent { characters: "twowords".to_owned(), ..TextContent::default() };
        text.style.auto_resize = AutoResize::WidthAndHeight;
        let text = node("text", NodeKind::Text(Box::new(text)), None, [0.0, 0.0, 48.0, 12.0]);
        let drag = Drag::begin(&Document::from_nodes([text]).unwrap(), &["text".into()]);
        let reflows = ResizeKeys { reflows: true, ..ResizeKeys::default() };
        let fixes = ResizeKeys::default();
        for (handle, keys, by, resizing, size) in [
            (corner(1, 0), reflows, (-24.0, 0.0), AutoResize::Height, (24.0, 24.0)),
            (corner(-1, 0), reflows, (-24.0, 0.0), AutoResize::Height, (72.0, 12.0)),
            (corner(0, 1), reflows, (0.0, 10.0), AutoResize::None, (48.0, 22.0)),
            (corner(1, 1), reflows, (-24.0, 10.0), AutoResize::None, (24.0, 22.0)),
            (corner(1, 0), fixes, (-24.0, 0.0), AutoResize::None, (24.0, 12.0)),
        ] {
            let by = Vector { x: by.0, y: by.1 };
            let document = drag.resized(handle, by, keys, &NarrowLetters).unwrap().document;
            let text = document.get(&"text".into()).unwrap();
            let found = text.text().unwrap().style.auto_resize;
            assert_eq!((found, (text.size.width, text.size.height)), (resizing, size));
        }
    }

    #[test]
    fn several_are_stretched_within_the_box_around_them() {
        let drag = drag(&["a", "b"]);
        // From 100 to 200 wide: everything is twice as wide and twice as far apart.
        let by = Vector { x: 100.0, y: 0.0 };
        let dragged = drag.resized(corner(1, 0), by, ResizeKeys::default(), &NoTexts).unwrap();
        assert_eq!(box_of(&dragged.document, "a"), Rect::new(50.0, 60.0, 80.0, 40.0));
        assert_eq!(box_of(&dragged.document, "b"), Rect::new(170.0, 60.0, 80.0, 40.0));
    }

    #[test]
    fn turning_keeps_the_middle_and_snaps_to_fifteen_degrees() {
        use Turning::{Free, InSteps};
        let drag = drag(&["tilted"]);
        let middle = |document: &Document| {
            let map = document.absolute_transform(&"tilted".into()).unwrap();
            map.apply(Point::new(60.0, 40.0))
        };
        for (degrees, turning) in [(10.0, Free), (40.0, InSteps), (-120.0, InSteps)] {
            let turned = drag.turned(degrees, turning, &NoTexts).unwrap().document;
            let (was, now) = (middle(drag.start()), middle(&turned));
            assert!((was.x - now.x).abs() < 1e-9 && (was.y - now.y).abs() < 1e-9);
            let angle = turned.get(&"tilted".into()).unwrap().transform.rotation_degrees();
            let off = angle.rem_euclid(15.0);
            assert!(turning == Free || off.min(15.0 - off) < 1e-6, "{angle}");
        }
    }

    #[test]
    fn copies_move_and_what_they_were_made_of_stays() {
        let drag = drag(&["a"]);
        let dragged = drag.copied(Vector { x: 0.0, y: 50.0 }, &NoTexts).unwrap();
        assert_eq!(box_of(&dragged.document, "a"), box_of(drag.start(), "a"));
        let children = dragged.document.children_of(Some(&"group".into()));
        assert_eq!(children.len(), 3);
        let copy = children.last().unwrap();
        assert_eq!(box_of(&dragged.document, copy.as_str()).y, 110.0);
    }

    proptest! {
        /// There and back, and undone: the very same document, bit by bit.
        #[test]
        fn nothing_drifts_and_all_is_undone(
            which in 0..4_usize, x in -300.0..300.0f64, y in -300.0..300.0f64, handle in 0..4_usize,
            keeps_ratio: bool, from_center: bool,
        ) {
            let ids = [["in", "a"], ["group", "in"], ["tilted", "tilted"], ["a", "b"]][which];
            let drag = drag(&ids);
            let by = Vector { x, y };
            let keys = ResizeKeys { keeps_ratio, from_center, ..ResizeKeys::default() };
            let frames = [
                drag.moved(by, &NoTexts),
                drag.turned(x, Turning::Free, &NoTexts),
                drag.resized(Handle::CORNERS[handle], by, keys, &NoTexts),
                drag.copied(by, &NoTexts),
            ];
            for frame in frames {
                // A size of nothing, or beyond all numbers, is refused and changes nothing.
                let Ok(Dragged { mut document, edit }) = frame else { continue };
                edit.inverse().apply(&mut document);
                prop_assert_eq!(&document, drag.start());
                edit.apply(&mut document);
                edit.inverse().apply(&mut document);
                prop_assert_eq!(&document, drag.start());
            }
            // Back where it began, the drag has done nothing at all.
            let back = drag.moved(Vector::default(), &NoTexts).unwrap();
            prop_assert!(back.edit.is_empty());
            prop_assert_eq!(&back.document, drag.start());
        }
    }
}
