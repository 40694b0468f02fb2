//! Another size, and what that does to what is inside: children of frames follow by their
//! constraints, what groups and combined shapes hold is stretched, paths of vectors are scaled.
//! Children that auto layout places are left to it ([`layout`](crate::design::layout)).

use std::collections::BTreeSet;

use svgtypes::{SimplePathSegment as Segment, SimplifyingPathParser};

use crate::base::{Affine, Rect, Size};

use super::transaction::Transaction;
use crate::design::document::DocumentError;
use crate::design::node::{Node, NodeKind};
use crate::design::node_id::NodeId;
use crate::design::shape::{PathGeometry, has_boundless_arc};
use crate::design::text::AutoResize;

/// The frames with auto layout that got another size, and the texts whose lines have to follow another width.
pub(in crate::design) type Resized = BTreeSet<NodeId>;

impl Transaction<'_> {
    /// Gives a node another size in its own space, and lets what is in it follow: children of a
    /// frame by their constraints, those of a group by stretching. A TEXT no longer resizes itself.
    /// Children that auto layout places follow when the change settles ([`Self::commit_with`]).
    pub fn resize(&mut self, id: &NodeId, to: Size) -> Result<(), DocumentError> {
        resize(self, id, to, &mut Resized::new())
    }

    /// The same as [`Self::resize`], but a TEXT that resized itself and keeps its height has its lines broken at the
    /// width from now on, and its height follows them.
    pub fn resize_and_reflow(&mut self, id: &NodeId, to: Size) -> Result<(), DocumentError> {
        resize_and_reflow(self, id, to, &mut Resized::new())
    }
}

/// Gives a node another size in its own space. Goes down as deep as the document, which is bounded.
pub(in crate::design) fn resize(
    change: &mut Transaction<'_>,
    id: &NodeId,
    to: Size,
    resized: &mut Resized,
) -> Result<(), DocumentError> {
    let node = change.document().node(id)?.clone();
    let from = node.size;
    match &node.kind {
        // The plugin API cannot give a line a height either.
        NodeKind::Line => {
            return change.update(id, |line| line.size = Size::new(to.width, 0.0));
        }
        // They have no size of their own: what is in them is stretched, and gives it to them.
        NodeKind::Group | NodeKind::BooleanOperation(_) => {
            for child in &node.children {
                stretch(change, child, (rect_of(from), rect_of(to)), resized)?;
            }
        }
        NodeKind::Frame
        | NodeKind::Section
        | NodeKind::Component
        | NodeKind::ComponentSet
        | NodeKind::Instance => {
            for child in &node.children {
                constrain(change, &node, child, (from, to), resized)?;
            }
        }
        _ => {}
    }
    // Its children are placed when the change settles; here it is only noted that they must be.
    if node.auto_layout.is_some() && from != to {
        resized.insert(id.clone());
    }
    change.update(id, |node| {
        node.size = to;
        match &mut node.kind {
            NodeKind::Vector(geometry) => scale_geometry(geometry, from, to),
            // A text that was given a size keeps it.
            NodeKind::Text(text) if text.style.auto_resize != AutoResize::Truncate => {
                text.style.auto_resize = AutoResize::None;
            }
            _ => {}
        }
    })
}

fn resize_and_reflow(
    change: &mut Transaction<'_>,
    id: &NodeId,
    to: Size,
    resized: &mut Resized,
) -> Result<(), DocumentError> {
    let node = change.document().node(id)?;
    let follows_lines = node.text().is_some_and(|text| {
        matches!(text.style.auto_resize, AutoResize::WidthAndHeight | AutoResize::Height)
    });
    let reflows = follows_lines && node.size.height == to.height;
    resize(change, id, to, resized)?;
    if !reflows {
        return Ok(());
    }
    resized.insert(id.clone());
    change.update(id, |node| {
        if let Some(text) = node.text_mut() {
            text.style.auto_resize = AutoResize::Height;
        }
    })
}

fn rect_of(size: Size) -> Rect {
    Rect::new(0.0, 0.0, size.width, size.height)
}

/// How many times `to` is `from`; 1 where there was no extent.
fn ratio(to: f64, from: f64) -> f64 {
    if from > 0.0 { to / from } else { 1.0 }
}

/// Moves and resizes a child so that it lies in `to` as it lay in `from` (boxes in its parent's
/// space). Skew, which Figma cannot show, is left out: a turned child keeps its right angles. What only moves is the
/// same as before: a text goes on resizing itself, and a path keeps its data.
fn stretch(
    change: &mut Transaction<'_>,
    id: &NodeId,
    (from, to): (Rect, Rect),
    resized: &mut Resized,
) -> Result<(), DocumentError> {
    let node = change.document().node(id)?;
    let (t, size) = (node.transform, node.size);
    let (kx, ky) = (ratio(to.width, from.width), ratio(to.height, from.height));
    // Its origin keeps its share of the box, and its sides are as long as the stretch makes them.
    let (e, f) = (to.x + (t.e - from.x) * kx, to.y + (t.f - from.y) * ky);
    let (along, across) = ((t.a * kx).hypot(t.b * ky), (t.c * kx).hypot(t.d * ky));
    let (old_along, old_across) = (t.a.hypot(t.b), t.c.hypot(t.d));
    let turned = if along > 0.0 {
        // The x axis goes where it is stretched to; the other is square to it again, on the side where it was.
        let (cos, sin) = (t.a * kx / along, t.b * ky / along);
        let side = old_across * t.determinant().signum();
        Affine { a: cos * old_along, b: sin * old_along, c: -sin * side, d: cos * side, e, f }
    } else {
        Affine { e, f, ..t }
    };
    // Without the detour over sines, so that an upright child stays exactly upright, and a moved one as it is turned.
    let keeps_turn = (t.b == 0.0 && t.c == 0.0) || (kx == 1.0 && ky == 1.0);
    let transform = if keeps_turn { Affine { e, f, ..t } } else { turned };
    change.update(id, |node| node.transform = transform)?;
    let stretched =
        Size::new(size.width * ratio(along, old_along), size.height * ratio(across, old_across));
    if stretched == size {
        return Ok(());
    }
    resize_and_reflow(change, id, stretched, resized)
}

/// Lets a child of a frame follow the frame's size by its constraints, unless auto layout has to
/// place it.
fn constrain(
    change: &mut Transaction<'_>,
    parent: &Node,
    id: &NodeId,
    (from, to): (Size, Size),
    resized: &mut Resized,
) -> Result<(), DocumentError> {
    let node = change.document().node(id)?;
    // It is placed when the change settles.
    if parent.auto_layout.is_some() && !node.layout_item.is_absolute {
        return Ok(());
    }
    let at = node.transform.bounds_of(node.size);
    let (x, width) = follow(&node.constraints.horizontal, at.x, at.width, from.width, to.width);
    let (y, height) = follow(&node.constraints.vertical, at.y, at.height, from.height, to.height);
    let now = Rect::new(x, y, width, height);
    if now == at { Ok(()) } else { stretch(change, id, (at, now), resized) }
}

/// Start and extent of a child along one axis when its parent's extent goes from `from` to `to`.
fn follow(constraint: &str, start: f64, extent: f64, from: f64, to: f64) -> (f64, f64) {
    /// What is left of a child that is squeezed between the edges of its parent.
    const LEAST: f64 = 0.01;
    let more = to - from;
    match constraint {
        "RIGHT" | "BOTTOM" => (start + more, extent),
        "CENTER" => (start + more / 2.0, extent),
        // Both distances stay, and what is between takes the difference.
        "LEFT_RIGHT" | "TOP_BOTTOM" => (start, (extent + more).max(extent.min(LEAST))),
        "SCALE" => (start * ratio(to, from), extent * ratio(to, from)),
        _ => (start, extent),
    }
}

fn scale_geometry(geometry: &mut PathGeometry, from: Size, to: Size) {
    let (kx, ky) = (ratio(to.width, from.width), ratio(to.height, from.height));
    for path in geometry.fill.iter_mut().chain(&mut geometry.stroke) {
        // What is no path data stays as the file has it.
        if let Some(data) = scale_path(&path.data, kx, ky) {
            path.data = data;
        }
    }
}

/// The path with every x times `kx` and every y times `ky`, in absolute coordinates and without
/// shorthands, as Figma writes it; `None` for data that is not a path or has an arc without bounds.
fn scale_path(data: &str, kx: f64, ky: f64) -> Option<String> {
    if has_boundless_arc(data) {
        return None;
    }
    let mut scaled = String::with_capacity(data.len());
    for segment in SimplifyingPathParser::from(data) {
        let (letter, points) = match segment.ok()? {
            Segment::MoveTo { x, y } => ('M', vec![(x, y)]),
            Segment::LineTo { x, y } => ('L', vec![(x, y)]),
            Segment::Quadratic { x1, y1, x, y } => ('Q', vec![(x1, y1), (x, y)]),
            Segment::CurveTo { x1, y1, x2, y2, x, y } => ('C', vec![(x1, y1), (x2, y2), (x, y)]),
            // The parser has resolved shorthands, arcs and relative coordinates.
            Segment::ClosePath => ('Z', Vec::new()),
        };
        let points: Vec<String> =
            points.iter().map(|(x, y)| format!("{} {}", round(x * kx), round(y * ky))).collect();
        scaled.push(letter);
        scaled.push_str(&points.join(" "));
    }
    (!scaled.is_empty()).then_some(scaled)
}

/// To a ten-thousandth of a pixel, finer than anything drawn; no minus zero.
fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::document::Document;
    use crate::design::measure::NarrowLetters;
    use crate::design::node::node_in_box;
    use crate::design::shape::{FigmaPath, WindingRule};
    use crate::design::text::TextContent;
    use proptest::prelude::*;

    /// A card of 100 by 100 with a text of eight letters that resizes itself, a group with another, and a path; all of
    /// them with these constraints.
    fn card(horizontal: &str, vertical: &str) -> Document {
        let words = |id: &str, parent: &str, at: [f64; 4]| {
            let mut text =
                TextContent { characters: "twowords".to_owned(), ..TextContent::default() };
            text.style.auto_resize = AutoResize::WidthAndHeight;
            node_in_box(id, NodeKind::Text(Box::new(text)), Some(parent), at)
        };
        let path = FigmaPath::new("M0 0h10.123456v10z".to_owned(), WindingRule::NonZero);
        let path = NodeKind::Vector(PathGeometry { fill: vec![path], stroke: Vec::new() });
        let mut tilted = node_in_box("path", path, Some("card"), [60.0, 60.0, 10.0, 10.0]);
        tilted.transform = Affine::translate(60.0, 60.0).after(Affine::rotate(0.3));
        let mut children = [
            words("words", "card", [10.0, 10.0, 48.0, 12.0]),
            node_in_box("group", NodeKind::Group, Some("card"), [10.0, 30.0, 48.0, 12.0]),
            tilted,
        ];
        for child in &mut children {
            horizontal.clone_into(&mut child.constraints.horizontal);
            vertical.clone_into(&mut child.constraints.vertical);
        }
        let card = node_in_box("card", NodeKind::Frame, None, [0.0, 0.0, 100.0, 100.0]);
        let held = words("held", "group", [0.0, 0.0, 48.0, 12.0]);
        Document::from_nodes([card].into_iter().chain(children).chain([held])).unwrap()
    }

    fn resized_card(document: &Document, to: Size) -> Document {
        let mut after = document.clone();
        let mut change = Transaction::begin(&mut after);
        change.resize(&"card".into(), to).unwrap();
        change.commit_with(&NarrowLetters);
        after
    }

    #[test]
    fn what_only_moves_in_a_resized_frame_is_the_same_elsewhere() {
        for (horizontal, vertical, by) in
            [("RIGHT", "BOTTOM", (60.0, 30.0)), ("CENTER", "CENTER", (30.0, 15.0))]
        {
            let before = card(horizontal, vertical);
            let after = resized_card(&before, Size::new(160.0, 130.0));
            for id in ["words", "group", "path"] {
                let was = before.get(&id.into()).unwrap();
                let mut now = Node::clone(after.get(&id.into()).unwrap());
                let (x, y) = (now.transform.e - was.transform.e, now.transform.f - was.transform.f);
                assert!((x - by.0).abs() < 1e-9 && (y - by.1).abs() < 1e-9, "{id}: {x} {y}");
                (now.transform.e, now.transform.f) = (was.transform.e, was.transform.f);
                assert_eq!(now, **was, "{horizontal}");
            }
            assert_eq!(after.get(&"held".into()), before.get(&"held".into()), "{horizontal}");
        }
    }

    #[test]
    fn a_text_that_is_widened_with_its_frame_goes_on_following_its_lines() {
        let before = card("LEFT_RIGHT", "TOP");
        for (width, size) in [(160.0, Size::new(108.0, 12.0)), (76.0, Size::new(24.0, 24.0))] {
            let after = resized_card(&before, Size::new(width, 100.0));
            for id in ["words", "held"] {
                let node = after.get(&id.into()).unwrap();
                let resizing = node.text().unwrap().style.auto_resize;
                assert_eq!((resizing, node.size), (AutoResize::Height, size), "{width} {id}");
            }
        }
        // Stretched down as well, it keeps the size that it is given.
        let after = resized_card(&card("LEFT_RIGHT", "TOP_BOTTOM"), Size::new(160.0, 130.0));
        let words = after.get(&"words".into()).unwrap();
        assert_eq!(words.text().unwrap().style.auto_resize, AutoResize::None);
        assert_eq!(words.size, Size::new(108.0, 42.0));
    }

    #[test]
    fn each_axis_is_scaled_by_its_own_factor() {
        assert_eq!(scale_path("M0 0L10 10H5V4Z", 2.0, 3.0).unwrap(), "M0 0L20 30L10 30L10 12Z");
        assert_eq!(scale_path("m1,1 2-3q1 1 2 0", 2.0, 2.0).unwrap(), "M2 2L6 -4Q8 -2 10 -4");
    }

    #[test]
    fn what_is_no_path_is_left_to_the_caller() {
        for bad in ["", "10 10", "L5 5", "M1", "M0 0X"] {
            assert!(scale_path(bad, 2.0, 2.0).is_none(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_scaled_or_refused(data in "[MmLlCcQqAaHhVvZz0-9.,eE -]{0,60}", k in 0.01..100.0f64) {
            if let Some(scaled) = scale_path(&data, k, k) {
                prop_assert!(scaled.starts_with('M'));
            }
        }
    }
}
