use proptest::prelude::*;

use crate::base::{Affine, CancelToken, Cancelled, Rgba, Size};

use super::*;
use crate::design::edit::Transaction;
use crate::design::node::{NodeKind, node_in_box};
use crate::design::paint::Paint;
use crate::design::text::TextContent;

fn node(id: &str, parent: Option<&str>, at: [f64; 4]) -> Node {
    let fills = vec![Paint::solid(Rgba::new(0.2, 0.4, 0.6, 1.0))];
    Node { fills, ..node_in_box(id, NodeKind::Rectangle, parent, at) }
}

fn frame(id: &str, parent: Option<&str>, at: [f64; 4]) -> Node {
    Node { kind: NodeKind::Frame, ..node(id, parent, at) }
}

fn text(id: &str, parent: &str, at: [f64; 4], characters: &str) -> Node {
    let content = TextContent { characters: characters.to_owned(), ..TextContent::default() };
    Node { kind: NodeKind::Text(Box::new(content)), ..node(id, Some(parent), at) }
}

/// A screen with a bar of three buttons and a title below.
fn screen() -> Document {
    Document::from_nodes([
        frame("screen", None, [100.0, 50.0, 400.0, 800.0]),
        frame("bar", Some("screen"), [0.0, 0.0, 400.0, 60.0]),
        node("one", Some("bar"), [10.0, 10.0, 40.0, 40.0]),
        node("two", Some("bar"), [60.0, 10.0, 40.0, 40.0]),
        node("three", Some("bar"), [110.0, 10.0, 40.0, 40.0]),
        text("title", "screen", [10.0, 80.0, 200.0, 24.0], "Good morning"),
    ])
    .unwrap()
}

fn edited(change: impl FnOnce(&mut Transaction<'_>)) -> Document {
    let mut document = screen();
    let mut transaction = Transaction::begin(&mut document);
    change(&mut transaction);
    transaction.commit();
    document
}

fn by_id(after: &Document) -> Vec<(String, Vec<Change>)> {
    let before = screen();
    let found = diff(&before, after, &pair_by_id(&before, after));
    let named = found.nodes.into_iter().map(|node| {
        let name = node.after.or(node.before).unwrap().to_string();
        (name, node.changes)
    });
    named.collect()
}

fn one(id: &str, change: Change) -> Vec<(String, Vec<Change>)> {
    vec![(id.to_owned(), vec![change])]
}

#[test]
fn a_document_does_not_differ_from_itself() {
    assert_eq!(by_id(&screen()), []);
    let (one, other) = (screen(), screen());
    let pairing = pair_by_content(&one, &other);
    assert_eq!((pairing.len(), diff(&one, &other, &pairing).is_empty()), (6, true));
}

#[test]
fn what_is_in_a_frame_that_moved_did_not_move() {
    let after = edited(|change| {
        change.update(&"bar".into(), |bar| bar.transform = Affine::translate(0.0, 30.0)).unwrap();
    });
    let moved = Change::Moved { from: Point::new(0.0, 0.0), to: Point::new(0.0, 30.0) };
    assert_eq!(by_id(&after), one("bar", moved));
}

#[test]
fn one_brought_to_the_front_is_the_only_one_reordered() {
    let after = edited(|change| {
        change.reparent(&"one".into(), Some(&"bar".into()), None).unwrap();
    });
    assert_eq!(by_id(&after), one("one", Change::Reordered { from: 0, to: 2 }));
}

#[test]
fn a_node_in_another_parent_at_the_same_place_did_not_move() {
    let after = edited(|change| {
        change.reparent(&"two".into(), Some(&"screen".into()), None).unwrap();
    });
    let (from, to) = (Some("bar".into()), Some("screen".into()));
    assert_eq!(by_id(&after), one("two", Change::Reparented { from, to }));
}

#[test]
fn words_sizes_names_kinds_and_looks_are_told_apart() {
    let after = edited(|change| {
        change
            .update(&"title".into(), |title| {
                title.name = "Greeting".to_owned();
                title.size.width = 300.0;
                title.opacity = 0.5;
                let text = title.text_mut().unwrap();
                text.characters = "Good evening".to_owned();
                text.style.font_size = 20.0;
            })
            .unwrap();
        change.update(&"one".into(), |one| one.kind = NodeKind::Frame).unwrap();
        change.update(&"two".into(), |two| two.transform = Affine::rotate(0.5)).unwrap();
    });
    let mut found = by_id(&after);
    let (title, changes) = found.pop().unwrap();
    assert_eq!(title, "title");
    let resized = Change::Resized { from: Size::new(200.0, 24.0), to: Size::new(300.0, 24.0) };
    assert!(changes.contains(&resized), "{changes:?}");
    assert!(changes.iter().any(|change| matches!(change, Change::Renamed { .. })));
    assert!(changes.iter().any(|change| matches!(change, Change::Rewritten { .. })));
    let fields = vec![StyleField::Opacity, StyleField::Font];
    assert!(changes.contains(&Change::Restyled { fields }), "{changes:?}");
    assert!(matches!(found[0].1[0], Change::Retyped { .. }));
    assert!(found[1].1.iter().any(|change| matches!(change, Change::Turned { .. })));
}

#[test]
fn added_and_removed_nodes_have_no_partner() {
    let after = edited(|change| {
        change.remove(&"three".into()).unwrap();
        change.insert(node("four", None, [0.0; 4]), Some(&"bar".into()), None).unwrap();
    });
    let expected =
        vec![("four".to_owned(), vec![Change::Added]), ("three".to_owned(), vec![Change::Removed])];
    assert_eq!(by_id(&after), expected);
}

#[test]
fn screens_made_apart_are_paired_by_what_is_on_them() {
    let before = screen();
    // No bar, the words nearly the same, one button missing, everything some pixels off.
    let after = Document::from_nodes([
        frame("1:1", None, [0.0, 0.0, 400.0, 800.0]),
        node("1:2", Some("1:1"), [12.0, 10.0, 40.0, 40.0]),
        node("1:3", Some("1:1"), [110.0, 12.0, 40.0, 40.0]),
        text("1:4", "1:1", [10.0, 84.0, 210.0, 24.0], "Good day"),
        text("1:5", "1:1", [10.0, 700.0, 210.0, 24.0], "Sign out"),
    ])
    .unwrap();
    let pairing = pair_by_content(&before, &after);
    let pairs: Vec<_> = pairing.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let expected = [("one", "1:2"), ("screen", "1:1"), ("three", "1:3"), ("title", "1:4")];
    assert_eq!(pairs, expected);
    let found = diff(&before, &after, &pairing);
    assert_eq!(found.of_later(&"1:5".into()).unwrap().changes, [Change::Added]);
    assert_eq!(found.of_earlier(&"bar".into()).unwrap().changes, [Change::Removed]);
}

#[test]
fn thousands_of_nodes_are_paired_in_no_time() {
    fn many(shift: f64) -> Document {
        let nodes = (0..3000).map(|n| {
            let at = [f64::from(n % 60) * 10.0 + shift, f64::from(n / 60) * 10.0, 8.0, 8.0];
            node(&format!("n{n}"), None, at)
        });
        Document::from_nodes(nodes).unwrap()
    }
    assert_eq!(pair_by_content(&many(0.0), &many(0.2)).len(), 3000);
}

#[test]
fn nodes_all_at_one_place_are_not_weighed_each_with_each() {
    let nodes = (0..20_000).map(|n| node(&format!("n{n}"), None, [5.0, 5.0, 8.0, 8.0]));
    let heap = Document::from_nodes(nodes).unwrap();
    let pairing = pair_by_content(&heap, &heap);
    assert_eq!(pairing.len(), 20_000);
    assert!(pairing.iter().all(|(was, now)| was == now), "by paint order");
}

#[test]
fn pairing_by_content_stops_when_it_is_told_to() {
    let cancel = CancelToken::new();
    let pairing = pair_by_content_until(&screen(), &screen(), &cancel);
    assert_eq!(pairing.unwrap(), pair_by_content(&screen(), &screen()));
    cancel.cancel();
    assert_eq!(pair_by_content_until(&screen(), &screen(), &cancel), Err(Cancelled));
}

proptest! {
    /// Turned around, what was added was removed, and so on; equal documents alone differ in nothing.
    #[test]
    fn it_is_the_same_from_both_sides(steps in prop::collection::vec((0..6_u8, 0..6_usize, 0..6_usize), 0..8)) {
        let ids = ["screen", "bar", "one", "two", "three", "title"];
        let before = screen();
        let after = edited(|change| {
            for (what, a, b) in steps {
                let (a, b) = (NodeId::from(ids[a]), NodeId::from(ids[b]));
                // Refusals (a cycle, a node that is gone) are part of it.
                drop(match what {
                    0 => change.update(&a, |node| node.transform.e += 5.0),
                    1 => change.update(&a, |node| node.opacity = 0.5),
                    2 => change.reparent(&a, Some(&b), Some(0)),
                    3 => change.remove(&a),
                    4 => change.update(&a, |node| node.size.height += 1.0),
                    _ => change.reparent(&a, None, None),
                });
            }
        });
        let there = diff(&before, &after, &pair_by_id(&before, &after));
        let back = diff(&after, &before, &pair_by_id(&after, &before));
        prop_assert_eq!(there.is_empty(), before == after);
        // Of two siblings that changed places either may count as the one reordered.
        prop_assert_eq!(reordered(&there), reordered(&back));
        let (there, back) = (without_order(&there), without_order(&back));
        let turned: BTreeSet<_> = back.into_iter().map(|(a, b, count)| (b, a, count)).collect();
        prop_assert_eq!(there, turned);
    }
}

fn reordered(diff: &Diff) -> usize {
    let changes = diff.nodes.iter().flat_map(|node| &node.changes);
    changes.filter(|change| matches!(change, Change::Reordered { .. })).count()
}

/// The nodes with how many other changes they have.
fn without_order(diff: &Diff) -> BTreeSet<(Option<NodeId>, Option<NodeId>, usize)> {
    let nodes = diff.nodes.iter().map(|node| {
        let others = node.changes.iter().filter(|it| !matches!(it, Change::Reordered { .. }));
        (node.before.clone(), node.after.clone(), others.count())
    });
    nodes.filter(|(_, _, count)| *count > 0).collect()
}
