use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::base::{Affine, Size};
use crate::design::{NoTexts, NodeKind};
use crate::editor::{Act, EditorContext};

const CONTEXT: EditorContext<'_> = EditorContext { measure: &NoTexts };

fn node(id: &str, kind: NodeKind, parent: Option<&str>, x: f64) -> Node {
    let parent = parent.map(NodeId::from);
    let transform = Affine::translate(x, x);
    Node { parent, transform, size: Size::new(10.0, 10.0), ..Node::new(id.into(), id, kind) }
}

/// Page › screen › card › (title, group › (dot, dash)), ground at the back; a second frame beside it.
fn document() -> Document {
    Document::from_nodes([
        node("page", NodeKind::Canvas, None, 0.0),
        node("screen", NodeKind::Frame, Some("page"), 100.0),
        node("ground", NodeKind::Rectangle, Some("screen"), 0.0),
        node("card", NodeKind::Frame, Some("screen"), 20.0),
        node("title", NodeKind::Rectangle, Some("card"), 5.0),
        node("group", NodeKind::Group, Some("card"), 0.0),
        node("dot", NodeKind::Rectangle, Some("group"), 30.0),
        node("dash", NodeKind::Rectangle, Some("group"), 40.0),
        node("other", NodeKind::Frame, Some("page"), 500.0),
    ])
    .unwrap()
}

fn ids(names: &[&str]) -> Vec<NodeId> {
    names.iter().map(|name| NodeId::from(*name)).collect()
}

fn children(document: &Document, parent: &str) -> Vec<String> {
    let children = document.children_of(Some(&parent.into()));
    children.iter().map(|id| id.as_str().to_owned()).collect()
}

fn moved(
    editor: &mut Editor,
    nodes: &[&str],
    parent: &str,
    index: usize,
) -> Result<(), EditorError> {
    let act = LayerAct::MoveTo { nodes: ids(nodes), parent: Some(parent.into()), index };
    editor.act(Act::Layer(act), &CONTEXT)
}

fn listed(document: &Document, open: &[&str], search: &str) -> Vec<(String, u32, bool)> {
    let open: BTreeSet<NodeId> = ids(open).into_iter().collect();
    let rows = tree_rows(document, &open, search).into_iter();
    rows.map(|row| (row.id.as_str().to_owned(), row.depth, row.is_match)).collect()
}

#[test]
fn the_tree_has_the_front_first_and_what_is_folded_not() {
    let document = document();
    let rows = listed(&document, &["screen"], "");
    let expected = [("other", 0), ("screen", 0), ("card", 1), ("ground", 1)];
    assert_eq!(rows, expected.map(|(id, depth)| (id.to_owned(), depth, true)));
    let open = open_at_first(&document);
    assert_eq!(open, ids(&["screen", "other"]).into_iter().collect::<BTreeSet<_>>());
    let rows = tree_rows(&document, &open, "");
    let folded: Vec<Option<bool>> = rows.iter().map(|row| row.folded).collect();
    assert_eq!(folded, [None, Some(false), Some(true), None]);
}

#[test]
fn a_search_lists_what_has_the_words_with_what_it_lies_in() {
    let rows = listed(&document(), &[], " DA");
    let expected =
        [("screen", 0, false), ("card", 1, false), ("group", 2, false), ("dash", 3, true)];
    assert_eq!(rows, expected.map(|(id, depth, is_match)| (id.to_owned(), depth, is_match)));
    assert!(listed(&document(), &["screen"], "nothing").is_empty());
}

#[test]
fn several_layers_move_together_in_their_order_and_stay_where_they_are_on_the_page() {
    let mut editor = Editor::new(document());
    let before = editor.document().clone();
    // Named in another order than they lie in, and with one that lies in another of them.
    moved(&mut editor, &["group", "dash", "ground"], "other", 0).unwrap();
    assert_eq!(children(editor.document(), "other"), ["ground", "group"]);
    for id in ids(&["ground", "dot", "dash"]) {
        assert_eq!(editor.document().absolute_box(&id), before.absolute_box(&id), "{id}");
    }
    editor.act(Act::Undo, &CONTEXT).unwrap();
    assert_eq!(*editor.document(), before);
}

#[test]
fn the_place_is_counted_among_the_children_as_they_are() {
    for (index, expected) in [
        (0, ["dot", "title", "group"]),
        (1, ["title", "dot", "group"]),
        (2, ["title", "group", "dot"]),
        (9, ["title", "group", "dot"]),
    ] {
        let mut editor = Editor::new(document());
        moved(&mut editor, &["dot"], "card", index).unwrap();
        assert_eq!(children(editor.document(), "card"), expected, "{index}");
    }
    // Among its own siblings too.
    for (index, expected) in [(0, ["group", "title"]), (1, ["title", "group"])] {
        let mut editor = Editor::new(document());
        moved(&mut editor, &["group"], "card", index).unwrap();
        assert_eq!(children(editor.document(), "card"), expected, "{index}");
    }
}

#[test]
fn a_group_that_is_left_empty_goes_and_does_not_shift_the_place() {
    let mut editor = Editor::new(document());
    moved(&mut editor, &["dot", "dash"], "card", 1).unwrap();
    assert_eq!(children(editor.document(), "card"), ["title", "dot", "dash"]);
    assert_eq!(editor.document().get(&"group".into()), None);
}

#[test]
fn a_layer_goes_into_no_layer_of_its_own_and_a_page_nowhere() {
    let mut editor = Editor::new(document());
    let before = editor.document().clone();
    for (nodes, parent) in
        [(["card"], "card"), (["card"], "group"), (["page"], "other"), (["absent"], "other")]
    {
        assert!(moved(&mut editor, &nodes, parent, 0).is_err(), "{nodes:?} into {parent}");
    }
    assert!(moved(&mut editor, &["card"], "ground", 0).is_err(), "a rectangle holds nothing");
    assert_eq!((editor.document(), editor.undoable()), (&before, (0, 0)));
}

#[test]
fn a_name_is_one_line_with_something_in_it() {
    let mut editor = Editor::new(document());
    let long = "a".repeat(LONGEST_NAME + 1);
    for name in ["", "  ", "one\ntwo", &long] {
        let act = LayerAct::Rename { node: "card".into(), name: name.to_owned() };
        assert!(editor.act(Act::Layer(act), &CONTEXT).is_err(), "{name:?}");
    }
    let act = LayerAct::Rename { node: "card".into(), name: " Karte ".to_owned() };
    editor.act(Act::Layer(act), &CONTEXT).unwrap();
    assert_eq!(editor.document().get(&"card".into()).unwrap().name, "Karte");
    assert_eq!(editor.take_steps().last().unwrap().label, "Rename");
}

#[test]
fn eyes_and_locks_are_of_several_layers_and_of_all_that_lies_in_them() {
    let mut editor = Editor::new(document());
    let before = editor.document().clone();
    let nodes = ids(&["card", "ground"]);
    let lock = LayerAct::SetLocked { nodes: nodes.clone(), locked: true };
    editor.act(Act::Layer(lock), &CONTEXT).unwrap();
    let hide = LayerAct::SetVisible { nodes: nodes.clone(), visible: false };
    editor.act(Act::Layer(hide), &CONTEXT).unwrap();
    assert_eq!(editor.undoable(), (2, 0));
    let of = |id: &str| Inherited::from_ancestors(editor.document(), &id.into());
    let both = Inherited { is_hidden: true, is_locked: true };
    assert_eq!((of("dot"), of("card")), (both, Inherited::default()));
    let unlock = LayerAct::SetLocked { nodes: nodes.clone(), locked: false };
    editor.act(Act::Layer(unlock), &CONTEXT).unwrap();
    let show = LayerAct::SetVisible { nodes, visible: true };
    editor.act(Act::Layer(show), &CONTEXT).unwrap();
    assert_eq!(*editor.document(), before, "nothing is left of it in the file");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn moving_and_undoing_gives_the_same_design(
        moves in prop::collection::vec((0..9usize, 0..9usize, 0..4usize), 1..8),
    ) {
        let all = ["page", "screen", "ground", "card", "title", "group", "dot", "dash", "other"];
        let mut editor = Editor::new(document());
        let start = editor.document().clone();
        let mut done = 0;
        for (node, parent, index) in moves {
            let before = editor.document().clone();
            if moved(&mut editor, &[all[node]], all[parent], index).is_err() {
                prop_assert_eq!(editor.document(), &before);
                continue;
            }
            let id = NodeId::from(all[node]);
            let now = editor.document().get(&id).unwrap();
            prop_assert_eq!(now.parent.as_ref(), Some(&NodeId::from(all[parent])));
            if now.kind != NodeKind::Group {
                let [old, new] = [&before, editor.document()].map(|it| it.absolute_box(&id).unwrap());
                prop_assert!((old.x - new.x).abs() < 1e-9 && (old.y - new.y).abs() < 1e-9);
            }
            done = editor.undoable().0;
        }
        for _ in 0..done {
            editor.act(Act::Undo, &CONTEXT).unwrap();
        }
        prop_assert_eq!(editor.document(), &start);
    }
}

/// The rows below a parent, as one would write them down.
fn rows_below(
    document: &Document,
    parent: &NodeId,
    depth: u32,
    open: &BTreeSet<NodeId>,
    rows: &mut Vec<(NodeId, u32)>,
) {
    for id in document.children_of(Some(parent)).iter().rev() {
        rows.push((id.clone(), depth));
        if open.contains(id) {
            rows_below(document, id, depth + 1, open, rows);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_tree_is_listed_as_one_would_write_it_down(
        parents in prop::collection::vec(0..30usize, 1..30),
        open in prop::collection::btree_set(0..30usize, 0..30),
    ) {
        let mut nodes = vec![node("0", NodeKind::Canvas, None, 0.0)];
        for (at, parent) in parents.iter().enumerate() {
            let parent = (parent % (at + 1)).to_string();
            nodes.push(node(&(at + 1).to_string(), NodeKind::Frame, Some(&parent), 0.0));
        }
        let document = Document::from_nodes(nodes).unwrap();
        let open: BTreeSet<NodeId> = open.into_iter().map(|at| NodeId::new(at.to_string())).collect();
        let mut expected = Vec::new();
        rows_below(&document, &"0".into(), 0, &open, &mut expected);
        let rows = tree_rows(&document, &open, "");
        let listed: Vec<(NodeId, u32)> = rows.iter().map(|row| (row.id.clone(), row.depth)).collect();
        prop_assert_eq!(listed, expected);
        // A search lists exactly what has the words, and what that lies in.
        let rows = tree_rows(&document, &open, "2");
        let listed: BTreeSet<NodeId> = rows.iter().map(|row| row.id.clone()).collect();
        let wanted: BTreeSet<NodeId> = document
            .iter_depth_first()
            .filter(|it| it.kind == NodeKind::Frame)
            .filter(|it| document.subtree(&it.id).any(|below| below.name.contains('2')))
            .map(|it| it.id.clone())
            .collect();
        prop_assert_eq!(listed, wanted);
    }
}
