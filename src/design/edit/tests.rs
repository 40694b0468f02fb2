use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::base::{Affine, Limits, Rect, Size};
use crate::design::{DocumentError, EnvelopeShape, NodeKind};

/// One random change; nodes are picked by number, modulo how many there are.
#[derive(Clone, Debug)]
pub(in crate::design) enum Op {
    Insert { kind: u8, parent: usize, index: usize, at: (f64, f64), size: (f64, f64) },
    Move { node: usize, by: (f64, f64) },
    Rotate { node: usize, degrees: f64 },
    Resize { node: usize, size: (f64, f64) },
    Rename { node: usize },
    Remove { node: usize },
    Reparent { node: usize, parent: usize, index: usize },
    Duplicate { node: usize },
}

pub(in crate::design) fn ops() -> impl Strategy<Value = Vec<Vec<Op>>> {
    fn number() -> std::ops::Range<usize> {
        0..1000
    }
    fn pair() -> (std::ops::Range<f64>, std::ops::Range<f64>) {
        (-500.0..500.0, -500.0..500.0)
    }
    fn extent() -> (std::ops::Range<f64>, std::ops::Range<f64>) {
        (0.0..300.0, 0.0..300.0)
    }
    let op = prop_oneof![
        4 => (0u8..4, number(), number(), pair(), extent()).prop_map(
            |(kind, parent, index, at, size)| Op::Insert { kind, parent, index, at, size }
        ),
        2 => (number(), pair()).prop_map(|(node, by)| Op::Move { node, by }),
        1 => (number(), -180.0..180.0f64).prop_map(|(node, degrees)| Op::Rotate { node, degrees }),
        1 => (number(), extent()).prop_map(|(node, size)| Op::Resize { node, size }),
        1 => number().prop_map(|node| Op::Rename { node }),
        2 => number().prop_map(|node| Op::Remove { node }),
        3 => (number(), number(), number())
            .prop_map(|(node, parent, index)| Op::Reparent { node, parent, index }),
        1 => number().prop_map(|node| Op::Duplicate { node }),
    ];
    prop::collection::vec(prop::collection::vec(op, 0..6), 0..12)
}

fn pick(document: &Document, number: usize) -> Option<NodeId> {
    let ids: Vec<_> = document.iter_depth_first().map(|node| node.id.clone()).collect();
    (!ids.is_empty()).then(|| ids[number % ids.len()].clone())
}

/// Like [`pick`], but one choice is the page.
fn pick_parent(document: &Document, number: usize) -> Option<NodeId> {
    let at = (number % (document.len() + 1)).checked_sub(1)?;
    pick(document, at)
}

fn run(transaction: &mut Transaction<'_>, op: &Op) -> Result<(), DocumentError> {
    let document = transaction.document();
    let find = |number| pick(document, number).unwrap_or_else(|| "absent".into());
    match *op {
        Op::Insert { kind, parent, index, at, size } => {
            let parent = pick_parent(document, parent);
            let kinds = [
                NodeKind::Frame,
                NodeKind::Group,
                NodeKind::Rectangle,
                NodeKind::Ellipse(crate::design::EllipseArc::WHOLE),
            ];
            let mut node = Node::new(transaction.new_id(), "new", kinds[usize::from(kind)].clone());
            node.transform = Affine::translate(at.0, at.1);
            node.size = Size::new(size.0, size.1);
            transaction.insert(node, parent.as_ref(), Some(index % 7))
        }
        Op::Move { node, by } => {
            let by = Affine::translate(by.0, by.1);
            transaction.update(&find(node), |node| node.transform = by.after(node.transform))
        }
        Op::Rotate { node, degrees } => {
            let turn = Affine::rotate(degrees.to_radians());
            transaction.update(&find(node), |node| node.transform = node.transform.after(turn))
        }
        Op::Resize { node, size } => {
            transaction.update(&find(node), |node| node.size = Size::new(size.0, size.1))
        }
        Op::Rename { node } => transaction.update(&find(node), |node| node.name.push('!')),
        Op::Remove { node } => transaction.remove(&find(node)),
        Op::Reparent { node, parent, index } => {
            let (node, parent) = (find(node), pick_parent(document, parent));
            transaction.reparent(&node, parent.as_ref(), Some(index % 7))
        }
        Op::Duplicate { node } => transaction.duplicate(&find(node)).map(|_| ()),
    }
}

pub(in crate::design) fn run_all(document: &mut Document, ops: &[Op]) -> Edit {
    let mut transaction = Transaction::begin(document);
    for op in ops {
        drop(run(&mut transaction, op));
    }
    transaction.commit()
}

/// Every link is there in both directions, every node is reached once.
fn assert_sound(document: &Document) {
    let mut seen = BTreeSet::new();
    for node in document.iter_depth_first() {
        assert!(seen.insert(&node.id), "{} is reached twice", node.id);
        for child in &node.children {
            assert_eq!(document.node(child).unwrap().parent.as_ref(), Some(&node.id));
        }
    }
    assert_eq!(seen.len(), document.len(), "some nodes are not reached");
}

fn close(a: Rect, b: Rect) -> bool {
    [a.x - b.x, a.y - b.y, a.width - b.width, a.height - b.height]
        .iter()
        .all(|difference| difference.abs() < 1e-6)
}

proptest! {
    #[test]
    fn undone_in_reverse_every_edit_leaves_the_document_as_it_was(batches in ops()) {
        let mut document = Document::default();
        let mut states = vec![document.clone()];
        let mut edits = Vec::new();
        for batch in &batches {
            edits.push(run_all(&mut document, batch));
            assert_sound(&document);
            states.push(document.clone());
        }
        for (edit, before) in edits.iter().zip(&states).rev() {
            edit.inverse().apply(&mut document);
            prop_assert_eq!(&document, before);
        }
        for (edit, after) in edits.iter().zip(&states[1..]) {
            edit.apply(&mut document);
            prop_assert_eq!(&document, after);
            prop_assert_eq!(&edit.inverse().inverse(), edit);
        }
    }

    #[test]
    fn the_edit_between_two_documents_leads_there_and_back(one in ops(), other in ops()) {
        fn made(batches: &[Vec<Op>]) -> Document {
            let mut document = Document::default();
            for batch in batches {
                run_all(&mut document, batch);
            }
            document
        }
        let (before, mut after) = (made(&one), made(&other));
        after.set_envelope(Envelope { shape: EnvelopeShape::Bare, ..Envelope::default() });
        let edit = Edit::between(&before, &after);
        let mut document = before.clone();
        edit.apply(&mut document);
        prop_assert_eq!(&document, &after);
        edit.inverse().apply(&mut document);
        prop_assert_eq!(&document, &before);
        prop_assert!(Edit::between(&before, &before).is_empty());
    }

    #[test]
    fn a_dropped_transaction_leaves_no_trace(batches in ops()) {
        let mut document = Document::default();
        for batch in &batches {
            let before = document.clone();
            let mut transaction = Transaction::begin(&mut document);
            for op in batch {
                drop(run(&mut transaction, op));
            }
            drop(transaction);
            prop_assert_eq!(&document, &before);
            prop_assert_eq!(document.last_id(), before.last_id());
            run_all(&mut document, batch);
        }
    }

    #[test]
    fn a_failed_change_changes_nothing(batches in ops()) {
        let mut document = Document::default();
        for batch in &batches {
            let mut transaction = Transaction::begin(&mut document);
            for op in batch {
                let before = transaction.document().clone();
                if run(&mut transaction, op).is_err() {
                    prop_assert_eq!(transaction.document(), &before);
                }
            }
            transaction.commit();
        }
    }

    #[test]
    fn groups_fit_their_children_after_every_commit(batches in ops()) {
        let mut document = Document::default();
        for batch in &batches {
            run_all(&mut document, batch);
            for group in document.iter_depth_first().filter(|node| node.kind == NodeKind::Group) {
                let around = fit::box_around(&document, group, None);
                prop_assert!(around.is_none_or(|around| fit::is_own_box(group, around)));
            }
        }
    }

    #[test]
    fn reparenting_keeps_the_place_on_the_page(batches in ops(), node in 0usize..1000, parent in 0usize..1000) {
        let mut document = Document::default();
        for batch in &batches {
            run_all(&mut document, batch);
        }
        let (Some(node), parent) = (pick(&document, node), pick_parent(&document, parent)) else {
            return Ok(());
        };
        let boxes = |document: &Document| -> Vec<_> {
            document.subtree(&node).map(|node| document.absolute_box(&node.id).unwrap()).collect()
        };
        let before = boxes(&document);
        let mut transaction = Transaction::begin(&mut document);
        if transaction.reparent(&node, parent.as_ref(), None).is_ok() {
            transaction.commit();
            for (a, b) in before.iter().zip(boxes(&document)) {
                prop_assert!(close(*a, b), "{a:?} became {b:?}");
            }
        }
    }
}

fn placed(id: &str, kind: NodeKind, parent: Option<&str>, rect: Rect) -> Node {
    let mut node = Node::new(id.into(), id, kind);
    node.parent = parent.map(NodeId::from);
    node.transform = Affine::translate(rect.x, rect.y);
    node.size = rect.size();
    node
}

/// A frame with a group of two rectangles.
fn grouped() -> Document {
    Document::from_nodes([
        placed("frame", NodeKind::Frame, None, Rect::new(100.0, 100.0, 200.0, 200.0)),
        placed("group", NodeKind::Group, Some("frame"), Rect::default()),
        placed("a", NodeKind::Rectangle, Some("group"), Rect::new(10.0, 20.0, 30.0, 40.0)),
        placed("b", NodeKind::Rectangle, Some("group"), Rect::new(50.0, 60.0, 10.0, 10.0)),
    ])
    .unwrap()
}

#[test]
fn a_group_follows_its_children_and_they_keep_their_place() {
    fn boxed(document: &Document, id: &str) -> Rect {
        document.absolute_box(&id.into()).unwrap()
    }
    let mut document = grouped();
    assert_eq!(boxed(&document, "group"), Rect::new(110.0, 120.0, 50.0, 50.0));
    assert_eq!(boxed(&document, "a"), Rect::new(110.0, 120.0, 30.0, 40.0));
    let mut transaction = Transaction::begin(&mut document);
    transaction.set_absolute_transform(&"b".into(), Affine::translate(0.0, 0.0)).unwrap();
    transaction.commit();
    assert_eq!(boxed(&document, "group"), Rect::new(0.0, 0.0, 140.0, 160.0));
    assert_eq!(boxed(&document, "a"), Rect::new(110.0, 120.0, 30.0, 40.0));
}

#[test]
fn the_last_child_takes_its_groups_along() {
    let mut document = grouped();
    let mut transaction = Transaction::begin(&mut document);
    let outer = placed("outer", NodeKind::Group, None, Rect::default());
    transaction.insert(outer, Some(&"frame".into()), None).unwrap();
    transaction.reparent(&"group".into(), Some(&"outer".into()), None).unwrap();
    transaction.remove(&"a".into()).unwrap();
    assert!(transaction.document().get(&"group".into()).is_some());
    transaction.remove(&"b".into()).unwrap();
    transaction.commit();
    assert_eq!(document.len(), 1);
}

#[test]
fn reordering_the_only_child_of_a_group_keeps_the_group() {
    let mut document = grouped();
    let mut transaction = Transaction::begin(&mut document);
    transaction.remove(&"b".into()).unwrap();
    transaction.reparent(&"a".into(), Some(&"group".into()), Some(9)).unwrap();
    transaction.commit();
    assert_eq!(document.children_of(Some(&"group".into())), [NodeId::from("a")]);
}

#[test]
fn ids_are_never_given_twice() {
    let mut document = Document::from_nodes([
        placed("1:41", NodeKind::Frame, None, Rect::default()),
        placed("1:18446744073709551615", NodeKind::Frame, None, Rect::default()),
    ])
    .unwrap();
    let mut transaction = Transaction::begin(&mut document);
    let id = transaction.new_id();
    assert_eq!(id.as_str(), "1:42");
    transaction.insert(Node::new(id.clone(), "n", NodeKind::Frame), None, None).unwrap();
    let edit = transaction.commit();
    edit.inverse().apply(&mut document);
    assert!(document.get(&id).is_none());
    assert_eq!(Transaction::begin(&mut document).new_id().as_str(), "1:43");
}

#[test]
fn structure_is_shared_with_a_snapshot() {
    let mut document = grouped();
    let snapshot = document.clone();
    let mut transaction = Transaction::begin(&mut document);
    transaction.update(&"b".into(), |node| node.name = "changed".to_owned()).unwrap();
    let edit = transaction.commit();
    assert_eq!(edit.touched().collect::<Vec<_>>(), [&NodeId::from("b")]);
    assert!(Arc::ptr_eq(document.node(&"a".into()).unwrap(), snapshot.node(&"a".into()).unwrap()));
    assert_eq!(snapshot.node(&"b".into()).unwrap().name, "b");
}

#[test]
fn an_update_cannot_touch_structure() {
    let mut document = grouped();
    let mut transaction = Transaction::begin(&mut document);
    transaction
        .update(&"group".into(), |node| {
            node.id = "other".into();
            node.parent = None;
            node.children.clear();
        })
        .unwrap();
    assert!(transaction.commit().is_empty());
    assert_eq!(document, grouped());
}

#[test]
fn bad_numbers_are_refused_by_name() {
    let mut document = grouped();
    let mut transaction = Transaction::begin(&mut document);
    let mut error =
        |change: fn(&mut Node)| transaction.update(&"a".into(), change).unwrap_err().to_string();
    assert!(error(|node| node.transform.e = f64::NAN).starts_with("x must be"));
    assert!(error(|node| node.transform.f = 1e8).starts_with("y must be"));
    assert!(error(|node| node.size.width = -1.0).starts_with("width must be"));
    assert!(error(|node| node.opacity = 1.5).contains("between 0 and 1"));
    assert!(error(|node| node.transform = Affine::scale(0.0, 1.0)).contains("no inverse"));
    assert!(transaction.commit().is_empty());
}

#[test]
fn nodes_nest_only_so_deep() {
    let mut document = Document::default();
    let mut transaction = Transaction::begin(&mut document);
    let mut parent = None;
    for level in 0..Limits::NODE_DEPTH {
        let id = NodeId::new(format!("level {level}"));
        transaction
            .insert(Node::new(id.clone(), "n", NodeKind::Frame), parent.as_ref(), None)
            .unwrap();
        parent = Some(id);
    }
    let one_more = Node::new("one more".into(), "n", NodeKind::Frame);
    let error = transaction.insert(one_more.clone(), parent.as_ref(), None).unwrap_err();
    assert!(matches!(error, DocumentError::TooLarge(_)), "{error}");
    transaction.insert(one_more, None, None).unwrap();
    let error =
        transaction.reparent(&"level 0".into(), Some(&"one more".into()), None).unwrap_err();
    assert!(matches!(error, DocumentError::TooLarge(_)), "{error}");
}

#[test]
fn a_node_goes_neither_into_itself_nor_into_a_shape() {
    let mut document = grouped();
    let mut transaction = Transaction::begin(&mut document);
    let error = transaction.reparent(&"frame".into(), Some(&"group".into()), None).unwrap_err();
    assert_eq!(error, DocumentError::Cycle("frame".into()));
    let error = transaction.reparent(&"b".into(), Some(&"a".into()), None).unwrap_err();
    assert!(error.to_string().contains("RECTANGLE"), "{error}");
}

#[test]
fn a_duplicate_is_a_deep_copy_with_fresh_ids() {
    let mut document = grouped();
    let mut transaction = Transaction::begin(&mut document);
    let copy = transaction.duplicate(&"group".into()).unwrap();
    transaction.commit();
    assert_eq!(document.len(), 7);
    assert_eq!(document.children_of(Some(&"frame".into())), ["group".into(), copy.clone()]);
    let names: Vec<_> = document.subtree(&copy).map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["group", "a", "b"]);
}
