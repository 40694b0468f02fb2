use proptest::prelude::*;
use svgtypes::{SimplePathSegment, SimplifyingPathParser};

use super::model::between;
use super::*;
use crate::base::{Affine, Point, Vector};
use crate::design::document::Document;
use crate::design::edit::Transaction;
use crate::design::node::{Node, NodeKind, node_in_box};
use crate::design::node_id::NodeId;
use crate::design::shape::{
    AnchorKind, CornerRadii, EllipseArc, FigmaPath, PathGeometry, WindingRule,
};

fn number() -> impl Strategy<Value = f64> {
    (-4000..4000_i32).prop_map(|n| f64::from(n) / 16.0)
}

fn point() -> impl Strategy<Value = Point> {
    (number(), number()).prop_map(|(x, y)| Point::new(x, y))
}

fn anchor() -> impl Strategy<Value = Anchor> {
    let handle = || prop::option::of(point());
    (point(), handle(), handle()).prop_map(|(at, one, other)| Anchor::with_handles(at, one, other))
}

fn contour() -> impl Strategy<Value = Contour> {
    (prop::collection::vec(anchor(), 2..7), any::<bool>()).prop_map(|(mut anchors, is_closed)| {
        if !is_closed {
            // What no line runs to is in no path data.
            anchors.first_mut().unwrap().handle_in = None;
            anchors.last_mut().unwrap().handle_out = None;
        }
        for anchor in &mut anchors {
            *anchor = Anchor::with_handles(anchor.at, anchor.handle_in, anchor.handle_out);
        }
        Contour { anchors, is_closed }
    })
}

fn contours() -> impl Strategy<Value = Contours> {
    let path = prop::collection::vec(contour(), 1..3)
        .prop_map(|contours| ContourPath { contours, winding: WindingRule::EvenOdd });
    prop::collection::vec(path, 1..3).prop_map(|paths| Contours { paths })
}

/// Path data of lines, quadratics and cubics, absolute and relative, with and without ends.
fn data() -> impl Strategy<Value = String> {
    let command = prop_oneof![
        point().prop_map(|p| format!("L{} {}", p.x, p.y)),
        point().prop_map(|p| format!("l{} {}", p.x, p.y)),
        number().prop_map(|x| format!("H{x}")),
        (point(), point()).prop_map(|(a, b)| format!("Q{} {} {} {}", a.x, a.y, b.x, b.y)),
        (point(), point(), point())
            .prop_map(|(a, b, c)| { format!("C{} {} {} {} {} {}", a.x, a.y, b.x, b.y, c.x, c.y) }),
    ];
    let contour = (point(), prop::collection::vec(command, 1..6), any::<bool>()).prop_map(
        |(start, commands, closed)| {
            let end = if closed { "Z" } else { "" };
            format!("M{} {}{}{end}", start.x, start.y, commands.concat())
        },
    );
    prop::collection::vec(contour, 1..3).prop_map(|contours| contours.concat())
}

fn vector(data: &str) -> Node {
    let path = FigmaPath::new(data.to_owned(), WindingRule::NonZero);
    let geometry = PathGeometry { fill: vec![path], stroke: Vec::new() };
    node_in_box("v", NodeKind::Vector(geometry), None, [30.0, 40.0, 100.0, 80.0])
}

fn data_of(node: &Node) -> String {
    let NodeKind::Vector(geometry) = &node.kind else { panic!("{:?}", node.kind) };
    geometry.fill.iter().map(|path| path.data.as_str()).collect()
}

/// Points along all that path data draws, on the page of a node that lies so.
fn drawn(data: &str, map: Affine) -> Vec<Point> {
    let (mut points, mut from, mut start) = (Vec::new(), Point::ZERO, Point::ZERO);
    for segment in SimplifyingPathParser::from(data) {
        let curve = match segment.unwrap() {
            SimplePathSegment::MoveTo { x, y } => {
                (from, start) = (Point::new(x, y), Point::new(x, y));
                continue;
            }
            SimplePathSegment::LineTo { x, y } => {
                let to = Point::new(x, y);
                [from, between(from, to, 1.0 / 3.0), between(from, to, 2.0 / 3.0), to]
            }
            SimplePathSegment::Quadratic { x1, y1, x, y } => {
                let (bend, to) = (Point::new(x1, y1), Point::new(x, y));
                [from, between(from, bend, 2.0 / 3.0), between(to, bend, 2.0 / 3.0), to]
            }
            SimplePathSegment::CurveTo { x1, y1, x2, y2, x, y } => {
                [from, Point::new(x1, y1), Point::new(x2, y2), Point::new(x, y)]
            }
            SimplePathSegment::ClosePath => {
                [from, between(from, start, 1.0 / 3.0), between(from, start, 2.0 / 3.0), start]
            }
        };
        let [a, b, c, d] = curve;
        from = d;
        let way = d.since(a);
        // A line of no length, as before a `Z`, draws nothing.
        if way.x.hypot(way.y) < 1e-6 && b == a && c == d {
            continue;
        }
        for n in 0..=8 {
            let t = f64::from(n) / 8.0;
            let s = 1.0 - t;
            let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
            let sum = |get: fn(Point) -> f64| {
                [a, b, c, d].into_iter().zip(weights).map(|(p, w)| get(p) * w).sum::<f64>()
            };
            points.push(map.apply(Point::new(sum(|p| p.x), sum(|p| p.y))));
        }
    }
    points
}

fn nearness(one: &[Point], other: &[Point]) -> f64 {
    assert_eq!(one.len(), other.len());
    let far = one.iter().zip(other).map(|(a, b)| (a.x - b.x).hypot(a.y - b.y));
    far.fold(0.0, f64::max)
}

/// The same line, whichever anchor of a closed one is the first.
fn same_line(one: &Contour, other: &Contour) -> bool {
    let turns = if one.is_closed { one.anchors.len() } else { 1 };
    one.is_closed == other.is_closed
        && (0..turns).any(|by| {
            let mut turned = one.anchors.clone();
            turned.rotate_left(by);
            turned == other.anchors
        })
}

proptest! {
    #[test]
    fn path_data_read_and_written_draws_the_same(data in data()) {
        let node = vector(&data);
        let contours = Contours::of_node(&node).unwrap();
        let mut written = node.clone();
        contours.fitted().unwrap().put_into(&mut written);
        let (before, after) =
            (drawn(&data, node.transform), drawn(&data_of(&written), written.transform));
        // Closing lines of no length are the one thing that may go.
        prop_assume!(before.len() == after.len());
        prop_assert!(nearness(&before, &after) < 1e-6, "{data} {}", data_of(&written));
    }

    #[test]
    fn contours_come_back_from_the_path_they_were_written_as(contours in contours()) {
        let fitted = contours.fitted().unwrap();
        let mut node = vector("M0 0L1 1");
        fitted.put_into(&mut node);
        let back = Contours::of_node(&node).unwrap();
        let bounds = fitted.bounds();
        let back = back.mapped(Affine::translate(bounds.x, bounds.y));
        let count = |of: &Contours| {
            of.contours().map(|contour| contour.anchors.len()).collect::<Vec<_>>()
        };
        // A closed line that ends where it began has one anchor less when read.
        prop_assume!(count(&back) == count(&contours));
        for ((_, a), (_, b)) in contours.anchors().zip(back.anchors()) {
            prop_assert!((a.at.x - b.at.x).abs() < 1e-6 && (a.at.y - b.at.y).abs() < 1e-6);
            prop_assert_eq!(a.handle_in.is_some(), b.handle_in.is_some());
            prop_assert_eq!(a.handle_out.is_some(), b.handle_out.is_some());
        }
    }

    /// The box is never smaller than what is drawn, and never larger than needed.
    #[test]
    fn the_box_is_that_of_what_is_drawn(contours in contours()) {
        let bounds = contours.bounds().unwrap();
        let curves = contours.contours().flat_map(Contour::segments);
        let slow = curves.flat_map(|segment| {
            (0..=400).map(move |n| segment.at(f64::from(n) / 400.0))
        });
        let slow: Vec<Point> = slow.collect();
        let least = slow.iter().map(|p| p.x).fold(f64::INFINITY, f64::min);
        let most = slow.iter().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max);
        prop_assert!(bounds.x <= least + 1e-9 && bounds.bottom() >= most - 1e-9);
        prop_assert!(least - bounds.x < 0.05 && bounds.bottom() - most < 0.05);
    }

    #[test]
    fn an_anchor_that_is_added_changes_nothing_that_is_drawn(
        contours in contours(), which in 0..64_usize, share in 0.05..0.95_f64,
    ) {
        let ids: Vec<AnchorId> = contours.anchors().map(|(id, _)| id).collect();
        let id = ids[which % ids.len()];
        let mut added = contours.clone();
        prop_assume!(added.add(id, share).is_ok());
        let [old, new] = [&contours, &added]
            .map(|of| of.contour(id).unwrap().segments().collect::<Vec<Segment>>());
        prop_assert_eq!(&new[..id.anchor], &old[..id.anchor]);
        prop_assert_eq!(&new[id.anchor + 2..], &old[id.anchor + 1..]);
        let whole = old[id.anchor];
        for n in 0..=20 {
            let t = f64::from(n) / 20.0;
            let parts = [(id.anchor, share * t), (id.anchor + 1, share + (1.0 - share) * t)];
            for (part, of_whole) in parts {
                let [is, was] = [new[part].at(t), whole.at(of_whole)];
                // A straight line is not run along as evenly, but it is the same line.
                let is_line = whole.leaving == whole.from && whole.arriving == whole.to;
                let off = (is.x - was.x).hypot(is.y - was.y);
                prop_assert!(is_line || off < 1e-9, "{off}");
            }
        }
    }

    /// By looking at very many places.
    #[test]
    fn what_is_nearest_is_not_further_than_anything_that_is_drawn(
        contours in contours(), to in point(),
    ) {
        let (id, t, distance) = contours.nearest(to).unwrap();
        let slow = contours.contours().flat_map(Contour::segments).flat_map(|segment| {
            (0..=400).map(move |n| segment.at(f64::from(n) / 400.0).since(to))
        });
        let slow = slow.map(|by| by.x.hypot(by.y)).fold(f64::INFINITY, f64::min);
        prop_assert!(distance <= slow + 0.5, "{distance} {slow}");
        let segment = contours.contour(id).unwrap().segments().nth(id.anchor).unwrap();
        let by = segment.at(t).since(to);
        prop_assert!((by.x.hypot(by.y) - distance).abs() < 1e-9);
    }

    #[test]
    fn what_is_split_and_joined_is_the_start(contours in contours(), which in 0..64_usize) {
        let ids: Vec<AnchorId> = contours.anchors().map(|(id, _)| id).collect();
        let id = ids[which % ids.len()];
        let mut changed = contours.clone();
        let Ok([one, other]) = changed.split(id) else {
            prop_assert_eq!(&changed, &contours, "what is refused changes nothing");
            return Ok(());
        };
        prop_assert_ne!(&changed, &contours);
        changed.join(one, other).unwrap();
        for (before, after) in contours.contours().zip(changed.contours()) {
            prop_assert!(same_line(before, after), "{before:?} {after:?}");
        }
        prop_assert_eq!(changed.contours().count(), contours.contours().count());
    }

    #[test]
    fn a_move_and_its_way_back_is_no_move(contours in contours(), by in point()) {
        let ids: Vec<AnchorId> = contours.anchors().map(|(id, _)| id).collect();
        let by = Vector { x: by.x, y: by.y };
        let mut moved = contours.clone();
        moved.move_anchors(&ids, by).unwrap();
        moved.move_anchors(&ids, Vector { x: -by.x, y: -by.y }).unwrap();
        prop_assert_eq!(moved, contours);
    }

    /// Whatever is done, undoing it gives the very node that was there.
    #[test]
    fn every_change_of_contours_has_an_exact_inverse(
        data in data(), what in 0..8_u8, which in 0..64_usize, to in point(),
    ) {
        let mut document = Document::from_nodes([vector(&data)]).unwrap();
        let start = document.clone();
        let id = NodeId::from("v");
        let mut contours = Contours::of_node(document.get(&id).unwrap()).unwrap();
        let ids: Vec<AnchorId> = contours.anchors().map(|(id, _)| id).collect();
        let at = ids[which % ids.len()];
        let before = contours.clone();
        let done = match what {
            0 => contours.add(at, 0.3).map(drop),
            1 => contours.remove(&[at]),
            2 => contours.move_anchors(&[at], Vector { x: to.x, y: to.y }),
            3 => contours.move_handle(at, HandleSide::Out, to),
            4 => contours.set_kind(at, AnchorKind::Smooth),
            5 => contours.close(at),
            6 => contours.split(at).map(drop),
            _ => contours.join(at, ids[0]),
        };
        if done.is_err() {
            prop_assert_eq!(contours, before);
            return Ok(());
        }
        let Ok(fitted) = contours.fitted() else { return Ok(()) };
        let mut change = Transaction::begin(&mut document);
        change.update(&id, |node| fitted.put_into(node)).unwrap();
        let edit = change.commit();
        edit.inverse().apply(&mut document);
        prop_assert_eq!(document, start);
    }

    /// What no design can hold is refused by name.
    #[test]
    fn hostile_contours_are_refused_and_change_nothing(
        contours in contours(), which in 0..64_usize, bad in 0..4_u8,
    ) {
        let ids: Vec<AnchorId> = contours.anchors().map(|(id, _)| id).collect();
        let id = ids[which % ids.len()];
        let value = [f64::NAN, f64::INFINITY, 1e300, -1e8][usize::from(bad)];
        let refusal = if bad < 2 { ContourError::NotFinite } else { ContourError::TooFar };
        let mut changed = contours.clone();
        let by = Vector { x: value, y: 0.0 };
        prop_assert_eq!(changed.move_anchors(&[id], by), Err(refusal.clone()));
        let to = Point::new(0.0, value);
        prop_assert_eq!(changed.move_handle(id, HandleSide::In, to), Err(refusal.clone()));
        prop_assert_eq!(&changed, &contours);
        changed.paths[id.path].contours[id.contour].anchors[id.anchor].at.x = value;
        prop_assert_eq!(changed.fitted(), Err(refusal));
        let nowhere = AnchorId { anchor: 999, ..id };
        let mut same = contours.clone();
        prop_assert!(same.remove(&[id, nowhere]).is_err() && same.split(nowhere).is_err());
        prop_assert!(same.join(id, nowhere).is_err() && same.add(nowhere, 0.5).is_err());
        prop_assert!(same.add(id, f64::NAN).is_err() && same.add(id, 1.0).is_err());
        prop_assert_eq!(same, contours);
    }

    #[test]
    fn any_text_is_read_or_refused(data in "[MmLlCcQqAaHhVvZz0-9.,eE -]{0,60}") {
        if let Ok(contours) = Contours::of_node(&vector(&data)) {
            prop_assert!(contours.fitted().is_ok());
        }
    }
}

#[test]
fn empty_and_single_points_are_refused_by_name() {
    assert_eq!(Contours::default().fitted(), Err(ContourError::Empty));
    let contour = Contour::begun_at(Point::ZERO);
    let path = ContourPath { contours: vec![contour], winding: WindingRule::NonZero };
    assert_eq!(Contours { paths: vec![path] }.fitted(), Err(ContourError::SinglePoint));
    for (data, words) in [
        ("", "without points"),
        ("M1 1", "without points"),
        ("L5 5", "cannot be read"),
        ("M0 0L1e300 0", "beyond"),
        ("M0 0A1e12 5 0 0 1 10 10", "beyond"),
        ("M0 0L1", "cannot be read"),
    ] {
        let refused = Contours::of_node(&vector(data)).unwrap_err();
        assert!(refused.to_string().contains(words), "{data}: {refused}");
    }
    let mut stroked = vector("");
    let outline = FigmaPath::new("M0 0L9 0L9 1Z".into(), WindingRule::NonZero);
    stroked.kind = NodeKind::Vector(PathGeometry { fill: Vec::new(), stroke: vec![outline] });
    assert_eq!(Contours::of_node(&stroked), Err(ContourError::OnlyStroke));
    let frame = node_in_box("f", NodeKind::Frame, None, [0.0, 0.0, 9.0, 9.0]);
    assert!(Contours::of_node(&frame).unwrap_err().to_string().contains("FRAME"));
}

#[test]
fn closed_lines_that_end_where_they_began_have_one_anchor_there() {
    let contours = Contours::of_node(&vector("M0 0L10 0L10 10L0 0Z")).unwrap();
    assert_eq!(contours.anchors().count(), 3);
    let circle =
        "M10 5C10 7.76 7.76 10 5 10C2.24 10 0 7.76 0 5C0 2.24 2.24 0 5 0C7.76 0 10 2.24 10 5Z";
    let contours = Contours::of_node(&vector(circle)).unwrap();
    assert_eq!(contours.anchors().count(), 4);
    assert!(contours.anchors().all(|(_, anchor)| anchor.kind == AnchorKind::Symmetric));
}

#[test]
fn kinds_that_are_looser_than_handles_look_are_kept_with_the_path() {
    let circle =
        "M10 5C10 7.76 7.76 10 5 10C2.24 10 0 7.76 0 5C0 2.24 2.24 0 5 0C7.76 0 10 2.24 10 5Z";
    let mut node = vector(circle);
    let kept = |node: &Node| {
        let NodeKind::Vector(geometry) = &node.kind else { panic!("{:?}", node.kind) };
        geometry.fill[0].anchor_kinds.clone()
    };
    let kinds = |node: &Node| {
        let contours = Contours::of_node(node).unwrap();
        contours.anchors().map(|(_, anchor)| anchor.kind).collect::<Vec<AnchorKind>>()
    };
    let mut contours = Contours::of_node(&node).unwrap();
    contours.fitted().unwrap().put_into(&mut node);
    assert!(kept(&node).is_empty(), "as they look");
    let [first, second] = [0, 1].map(|anchor| AnchorId { anchor, ..AnchorId::default() });
    contours.set_kind(first, AnchorKind::Smooth).unwrap();
    contours.set_kind(second, AnchorKind::Corner).unwrap();
    contours.fitted().unwrap().put_into(&mut node);
    let symmetric = AnchorKind::Symmetric;
    let expected = [AnchorKind::Smooth, AnchorKind::Corner, symmetric, symmetric];
    assert_eq!(kinds(&node), expected);
    // The next drag leaves the other handle as long as it was, or where it was.
    let mut again = Contours::of_node(&node).unwrap();
    let before = [first, second].map(|id| again.anchor(id).unwrap().handle_in.unwrap());
    again.move_handle(first, HandleSide::Out, Point::new(10.0, 9.0)).unwrap();
    again.move_handle(second, HandleSide::Out, Point::new(2.0, 12.0)).unwrap();
    let after = [first, second].map(|id| again.anchor(id).unwrap().handle_in.unwrap());
    assert!(nearness(&before, &after) < 1e-6, "{before:?} {after:?}");
    // Of a path of another number of anchors they say nothing.
    let NodeKind::Vector(geometry) = &mut node.kind else { panic!("it is a path") };
    geometry.fill[0].anchor_kinds.pop();
    assert_eq!(kinds(&node), [symmetric; 4]);
    // Nor do they say more than the handles allow.
    let mut corners = vector("M0 0L10 0L10 10Z");
    let NodeKind::Vector(geometry) = &mut corners.kind else { panic!("it is a path") };
    geometry.fill[0].anchor_kinds = vec![symmetric; 3];
    assert_eq!(kinds(&corners), [AnchorKind::Corner; 3]);
}

#[test]
fn a_shape_that_grows_to_the_left_stays_where_it_is() {
    let mut node = vector("M0 0L100 0L100 80Z");
    let mut contours = Contours::of_node(&node).unwrap();
    contours.move_anchors(&[AnchorId::default()], Vector { x: -20.0, y: -10.0 }).unwrap();
    contours.fitted().unwrap().put_into(&mut node);
    assert_eq!((node.size.width, node.size.height), (120.0, 90.0));
    assert_eq!((node.transform.e, node.transform.f), (10.0, 30.0));
    assert_eq!(data_of(&node), "M0 0L120 10L120 90Z");
}

#[test]
fn handles_follow_by_the_kind_of_their_anchor() {
    let mut anchor = Anchor::with_handles(
        Point::ZERO,
        Some(Point::new(-10.0, 0.0)),
        Some(Point::new(10.0, 0.0)),
    );
    assert_eq!(anchor.kind, AnchorKind::Symmetric);
    anchor.pull(HandleSide::Out, Point::new(0.0, 20.0));
    assert_eq!(anchor.handle_in, Some(Point::new(0.0, -20.0)));
    anchor.kind = AnchorKind::Smooth;
    anchor.pull(HandleSide::In, Point::new(-5.0, 0.0));
    assert_eq!(anchor.handle_out, Some(Point::new(20.0, 0.0)), "as long as it was");
    anchor.kind = AnchorKind::Corner;
    anchor.pull(HandleSide::In, Point::new(3.0, 3.0));
    assert_eq!(anchor.handle_out, Some(Point::new(20.0, 0.0)));
}

#[test]
fn other_shapes_have_the_contours_that_draw_the_same() {
    let size = [0.0, 0.0, 40.0, 20.0];
    let mut rounded = node_in_box("r", NodeKind::Rectangle, None, size);
    rounded.corner_radii = CornerRadii::uniform(30.0);
    for (node, count) in [
        (node_in_box("r", NodeKind::Rectangle, None, size), 4),
        (rounded, 8),
        (node_in_box("e", NodeKind::Ellipse(EllipseArc::WHOLE), None, size), 4),
        (node_in_box("p", NodeKind::RegularPolygon { corners: 6 }, None, size), 6),
        (node_in_box("s", NodeKind::Star { tips: 5, inner_ratio: 0.4 }, None, size), 10),
    ] {
        let contours = Contours::of_node(&node).unwrap();
        assert_eq!(contours.anchors().count(), count, "{:?}", node.kind);
        let bounds = contours.bounds().unwrap();
        assert!(bounds.x >= -1e-9 && bounds.right() <= 40.0 + 1e-9, "{bounds:?}");
        assert!(bounds.y.abs() < 1e-9, "{bounds:?}");
        let mut vector = node.clone();
        contours.fitted().unwrap().put_into(&mut vector);
        assert!(matches!(vector.kind, NodeKind::Vector(_)));
    }
    let mut smooth = node_in_box("r", NodeKind::Rectangle, None, size);
    smooth.corner_smoothing = 0.6;
    assert!(Contours::of_node(&smooth).is_err());
}
