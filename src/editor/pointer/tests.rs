//! Gestures from the press to the release, on documents without a window.

use super::*;
use crate::base::{Affine, Point, Rect, Rgba, Size};
use crate::design::{
    AutoLayout, CornerRadii, Direction, Document, NoTexts, Node, NodeKind, Paint, Sides, Sizing,
};
use crate::editor::{Act, ArrangeAct, Arrow, Author, PropertyAct, SelectAct};
use proptest::prelude::*;

fn filled(id: &str, kind: NodeKind, parent: Option<&str>, [x, y, w, h]: [f64; 4]) -> Node {
    let mut node = Node::new(id.into(), id, kind);
    node.parent = parent.map(NodeId::from);
    (node.transform, node.size) = (Affine::translate(x, y), Size::new(w, h));
    node.fills = vec![Paint::solid(Rgba::BLACK)];
    node
}

/// A screen with a card that holds a tile and a group, a free shape, and a row with auto layout.
fn screen() -> Document {
    let mut row = filled("row", NodeKind::Frame, Some("screen"), [200.0, 300.0, 170.0, 70.0]);
    row.auto_layout = Some(Box::new(AutoLayout {
        padding: Sides::uniform(10.0),
        item_spacing: 15.0,
        ..AutoLayout::new(Direction::Horizontal)
    }));
    let mut group = filled("group", NodeKind::Group, Some("card"), [10.0, 90.0, 80.0, 30.0]);
    group.fills.clear();
    Document::from_nodes([
        filled("screen", NodeKind::Frame, None, [0.0, 0.0, 400.0, 400.0]),
        filled("card", NodeKind::Frame, Some("screen"), [20.0, 20.0, 160.0, 150.0]),
        filled("tile", NodeKind::Rectangle, Some("card"), [10.0, 10.0, 60.0, 60.0]),
        group,
        filled("one", NodeKind::Rectangle, Some("group"), [0.0, 0.0, 30.0, 30.0]),
        filled("two", NodeKind::Rectangle, Some("group"), [50.0, 0.0, 30.0, 30.0]),
        filled("free", NodeKind::Rectangle, Some("screen"), [230.5, 40.25, 101.0, 83.0]),
        row,
        filled("r1", NodeKind::Rectangle, Some("row"), [10.0, 10.0, 40.0, 50.0]),
        filled("r2", NodeKind::Rectangle, Some("row"), [65.0, 10.0, 40.0, 50.0]),
        filled("r3", NodeKind::Rectangle, Some("row"), [120.0, 10.0, 40.0, 50.0]),
    ])
    .unwrap()
}

fn pointer(x: f64, y: f64, keys: PointerKeys) -> Pointer {
    let visible = Rect::new(-100.0, -100.0, 700.0, 700.0);
    Pointer { at: Point::new(x, y), zoom: 1.0, visible, keys }
}

fn act(editor: &mut Editor, act: Act) {
    editor.act(act, &EditorContext { measure: &NoTexts }).unwrap();
}

fn drag(editor: &mut Editor, way: &[(f64, f64)], keys: PointerKeys) {
    let (first, last) = (way[0], way[way.len() - 1]);
    act(editor, Act::Pointer(PointerAct::Press(pointer(first.0, first.1, keys))));
    for (x, y) in way {
        act(editor, Act::Pointer(PointerAct::Move(pointer(*x, *y, keys))));
    }
    act(editor, Act::Pointer(PointerAct::Release(pointer(last.0, last.1, keys))));
}

fn select(editor: &mut Editor, ids: &[&str]) {
    let ids = ids.iter().map(|id| NodeId::from(*id)).collect();
    act(editor, Act::Select(SelectAct::Only(ids)));
}

fn selected(editor: &Editor) -> Vec<String> {
    editor.selection().nodes.iter().map(ToString::to_string).collect()
}

fn children(document: &Document, id: &str) -> Vec<String> {
    document.children_of(Some(&id.into())).iter().map(ToString::to_string).collect()
}

const NONE: PointerKeys = PointerKeys { shift: false, alt: false, command: false, space: false };
const SHIFT: PointerKeys = PointerKeys { shift: true, ..NONE };
const ALT: PointerKeys = PointerKeys { alt: true, ..NONE };
const CTRL: PointerKeys = PointerKeys { command: true, ..NONE };
const SPACE: PointerKeys = PointerKeys { space: true, ..NONE };

#[test]
fn clicks_select_by_level_and_shift_toggles() {
    let mut editor = Editor::new(screen());
    drag(&mut editor, &[(40.0, 40.0)], NONE);
    assert_eq!(selected(&editor), ["card"]);
    drag(&mut editor, &[(280.0, 80.0)], SHIFT);
    assert_eq!(selected(&editor), ["card", "free"]);
    // Of what is selected a click selects the one when the button is let go.
    drag(&mut editor, &[(280.0, 80.0)], SHIFT);
    assert_eq!(selected(&editor), ["card"]);
    drag(&mut editor, &[(40.0, 40.0)], CTRL);
    assert_eq!(selected(&editor), ["tile"]);
    drag(&mut editor, &[(395.0, 200.0)], NONE);
    assert_eq!(selected(&editor), [""; 0]);
}

#[test]
fn a_rectangle_beside_what_was_worked_in_selects_on_the_page() {
    let mut editor = Editor::new(screen());
    let around_free = [(390.0, 20.0), (220.0, 130.0)];
    for (inside, entered) in [("tile", "card"), ("one", "group")] {
        select(&mut editor, &[inside]);
        assert_eq!(editor.selection().entered, Some(entered.into()));
        drag(&mut editor, &around_free, NONE);
        assert_eq!(selected(&editor), ["free"]);
        assert_eq!(editor.selection().entered, None);
    }
    // Begun in the card, it selects what lies in that; with Shift this stays selected, and the card entered.
    let mut document = screen();
    let mut change = crate::design::edit::Transaction::begin(&mut document);
    change.update(&"card".into(), |card| card.fills.clear()).unwrap();
    change.commit();
    let mut editor = Editor::new(document);
    select(&mut editor, &["tile"]);
    drag(&mut editor, &[(170.0, 60.0), (100.0, 150.0)], NONE);
    assert_eq!(selected(&editor), ["group"]);
    drag(&mut editor, &around_free, SHIFT);
    assert_eq!(selected(&editor), ["group", "free"]);
    assert_eq!(editor.selection().entered, Some("card".into()));
}

#[test]
fn a_click_on_one_of_several_waits_for_the_release() {
    let mut editor = Editor::new(screen());
    select(&mut editor, &["card", "free"]);
    let at = pointer(280.0, 80.0, NONE);
    act(&mut editor, Act::Pointer(PointerAct::Press(at)));
    assert_eq!(selected(&editor), ["card", "free"]);
    act(&mut editor, Act::Pointer(PointerAct::Release(at)));
    assert_eq!(selected(&editor), ["free"]);
}

#[test]
fn dropped_on_a_frame_a_node_lies_in_it_where_it_was_seen_and_undo_restores_its_place() {
    let mut editor = Editor::new(screen());
    drag(&mut editor, &[(280.0, 80.0), (120.0, 90.0)], CTRL);
    let document = editor.document();
    assert_eq!(children(document, "card"), ["tile", "group", "free"]);
    let at = document.absolute_box(&"free".into()).unwrap();
    assert_eq!((at.width, at.height), (101.0, 83.0));
    assert!((at.x - 70.5).abs() <= 0.5 && (at.y - 50.25).abs() <= 0.5, "{at:?}");
    assert_eq!(selected(&editor), ["free"]);
    act(&mut editor, Act::Undo);
    assert_eq!(*editor.document(), screen());
    // Space keeps it where it is.
    drag(&mut editor, &[(280.0, 80.0), (120.0, 90.0)], SPACE);
    assert_eq!(children(editor.document(), "screen"), ["card", "free", "row"]);
}

/// A page with a screen that holds a group, an instance and a free shape.
fn page() -> Document {
    Document::from_nodes([
        filled("page", NodeKind::Canvas, None, [0.0; 4]),
        filled("screen", NodeKind::Frame, Some("page"), [0.0, 0.0, 200.0, 200.0]),
        filled("group", NodeKind::Group, Some("screen"), [10.0, 10.0, 30.0, 30.0]),
        filled("one", NodeKind::Rectangle, Some("group"), [0.0, 0.0, 30.0, 30.0]),
        filled("instance", NodeKind::Instance, Some("screen"), [100.0, 10.0, 50.0, 50.0]),
        filled("inner", NodeKind::Rectangle, Some("instance"), [10.0, 10.0, 20.0, 20.0]),
        filled("free", NodeKind::Rectangle, Some("screen"), [100.0, 100.0, 40.0, 40.0]),
    ])
    .unwrap()
}

#[test]
fn dropped_beside_all_frames_a_node_lies_on_the_page_if_there_is_one() {
    let mut editor = Editor::new(page());
    drag(&mut editor, &[(120.0, 120.0), (300.0, 120.0)], CTRL);
    let document = editor.document();
    assert_eq!(children(document, "page"), ["screen", "free"]);
    assert_eq!(document.absolute_box(&"free".into()), Ok(Rect::new(280.0, 100.0, 40.0, 40.0)));
    assert_eq!(selected(&editor), ["free"]);
    act(&mut editor, Act::Undo);
    assert_eq!(*editor.document(), page());
    // A group whose last child leaves goes; what an instance holds does not leave it.
    drag(&mut editor, &[(20.0, 20.0), (300.0, 20.0)], CTRL);
    assert_eq!(children(editor.document(), "page"), ["screen", "one"]);
    assert!(editor.document().get(&"group".into()).is_none());
    drag(&mut editor, &[(120.0, 30.0), (300.0, 90.0)], CTRL);
    assert_eq!(children(editor.document(), "instance"), ["inner"]);
    // Space keeps what a node lies in, and without pages there is only the screen.
    drag(&mut editor, &[(120.0, 120.0), (300.0, 180.0)], SPACE);
    assert_eq!(children(editor.document(), "screen"), ["instance", "free"]);
    let mut editor = Editor::new(screen());
    drag(&mut editor, &[(280.0, 80.0), (600.0, 80.0)], CTRL);
    assert_eq!(children(editor.document(), "screen"), ["card", "free", "row"]);
}

#[test]
fn what_is_locked_has_no_handles_and_stays_where_it_is() {
    let mut editor = Editor::new(screen());
    select(&mut editor, &["free"]);
    act(&mut editor, Act::Arrange(ArrangeAct::ToggleLocked));
    let before = editor.document().clone();
    assert!(grips(editor.document(), &["free".into()], 1.0).is_empty());
    // From where a handle would be.
    drag(&mut editor, &[(331.5, 123.25), (360.0, 150.0)], NONE);
    assert_eq!(*editor.document(), before);
    select(&mut editor, &["free"]);
    let nudge = Act::Arrange(ArrangeAct::Nudge(Arrow::Right, 1));
    let refused = editor.act(nudge.clone(), &EditorContext { measure: &NoTexts }).unwrap_err();
    assert_eq!(refused.to_string(), "what is selected is locked");
    // With others it is left behind, by keys and by the pointer.
    select(&mut editor, &["free", "card"]);
    act(&mut editor, nudge);
    drag(&mut editor, &[(41.0, 40.0), (61.0, 90.0)], NONE);
    let document = editor.document();
    assert_eq!(document.get(&"free".into()), before.get(&"free".into()));
    let [was, now] = [&before, document].map(|it| it.absolute_box(&"card".into()).unwrap());
    assert!(now.x > was.x + 10.0 && now.y > was.y + 40.0, "{now:?}");
}

#[test]
fn undoing_while_something_is_dragged_gives_only_that_up() {
    let mut editor = Editor::new(screen());
    drag(&mut editor, &[(280.0, 80.0), (290.0, 180.0)], CTRL);
    let moved = editor.document().clone();
    act(&mut editor, Act::Pointer(PointerAct::Press(pointer(290.0, 180.0, CTRL))));
    act(&mut editor, Act::Pointer(PointerAct::Move(pointer(200.0, 250.0, CTRL))));
    assert_ne!(editor.shown(), editor.document());
    act(&mut editor, Act::Undo);
    assert_eq!((editor.shown(), editor.document()), (&moved, &moved));
    act(&mut editor, Act::Pointer(PointerAct::Release(pointer(200.0, 250.0, CTRL))));
    assert_eq!(*editor.document(), moved, "the button that is let go later drops nothing");
    assert_eq!(editor.undoable(), (1, 0), "the step before is still there");
    act(&mut editor, Act::Undo);
    assert_eq!(*editor.document(), screen());
}

#[test]
fn what_lies_in_a_group_stays_in_it_within_the_frame() {
    let mut editor = Editor::new(screen());
    drag(&mut editor, &[(40.0, 120.0), (48.0, 131.0)], CTRL);
    assert_eq!(children(editor.document(), "group"), ["one", "two"]);
    assert_eq!(editor.steps(), 1);
}

#[test]
fn in_auto_layout_a_drag_reorders_and_a_drop_is_put_between() {
    let mut editor = Editor::new(screen());
    select(&mut editor, &["r1"]);
    drag(&mut editor, &[(225.0, 340.0), (300.0, 340.0)], NONE);
    assert_eq!(children(editor.document(), "row"), ["r2", "r1", "r3"]);
    act(&mut editor, Act::Undo);
    assert_eq!(*editor.document(), screen());
    // Shown before it is let go.
    select(&mut editor, &["free"]);
    act(&mut editor, Act::Pointer(PointerAct::Press(pointer(280.0, 80.0, NONE))));
    act(&mut editor, Act::Pointer(PointerAct::Move(pointer(255.0, 340.0, NONE))));
    let drop = editor.feedback().and_then(|feedback| feedback.drop.clone()).unwrap();
    assert_eq!(drop.frame, NodeId::from("row"));
    assert!(drop.line.is_some());
    act(&mut editor, Act::Pointer(PointerAct::Release(pointer(255.0, 340.0, NONE))));
    assert_eq!(children(editor.document(), "row"), ["r1", "free", "r2", "r3"]);
}

#[test]
fn what_is_dropped_keeps_its_order_whichever_was_selected_first() {
    // To the end of its own row, into a frame, and a copy into a frame.
    let cases = [
        (NONE, (365.0, 340.0), "row", ["r2", "r1", "r3"].as_slice()),
        (NONE, (100.0, 100.0), "card", ["tile", "group", "r1", "r3"].as_slice()),
        (ALT, (100.0, 100.0), "card", ["tile", "group", "r1", "r3"].as_slice()),
    ];
    for (keys, to, parent, expected) in cases {
        let mut editor = Editor::new(screen());
        select(&mut editor, &["r3", "r1"]);
        assert_eq!(selected(&editor), ["r3", "r1"]);
        drag(&mut editor, &[(225.0, 340.0), to], keys);
        let document = editor.document();
        let ids = document.children_of(Some(&parent.into())).iter();
        let names: Vec<&str> = ids.map(|id| document.get(id).unwrap().name.as_str()).collect();
        assert_eq!(names, expected, "{parent}");
        act(&mut editor, Act::Undo);
        assert_eq!(*editor.document(), screen());
    }
}

#[test]
fn alt_copies_and_the_copy_is_selected() {
    let mut editor = Editor::new(screen());
    drag(&mut editor, &[(280.0, 80.0), (280.0, 230.0)], ALT);
    assert_eq!(editor.document().len(), screen().len() + 1);
    assert_eq!(selected(&editor).len(), 1);
    assert_ne!(selected(&editor), ["free"]);
    let old = editor.document().absolute_box(&"free".into()).unwrap();
    assert_eq!((old.x, old.y), (230.5, 40.25));
}

#[test]
fn a_copy_dragged_out_of_an_instance_lies_outside() {
    let keys = PointerKeys { command: true, ..ALT };
    for (x, parent) in [(60.0, "screen"), (300.0, "page")] {
        let mut editor = Editor::new(page());
        drag(&mut editor, &[(120.0, 30.0), (x, 120.0)], keys);
        let document = editor.document();
        assert_eq!(children(document, "instance"), ["inner"]);
        let copy = editor.selection().only().unwrap();
        assert_eq!(document.get(copy).unwrap().parent, Some(parent.into()));
    }
}

#[test]
fn a_copy_made_with_alt_goes_on_by_as_much() {
    let mut editor = Editor::new(screen());
    let duplicate = || Act::Arrange(ArrangeAct::Duplicate);
    let place = |editor: &Editor| {
        let only = editor.selection().only().unwrap();
        editor.document().absolute_box(only).unwrap().origin()
    };
    let keys = PointerKeys { command: true, ..ALT };
    select(&mut editor, &["free"]);
    let from = place(&editor);
    drag(&mut editor, &[(280.0, 80.0), (290.0, 200.0)], keys);
    let by = place(&editor).since(from);
    assert!(by.y > 100.0, "{by:?}");
    for times in [2.0, 3.0] {
        act(&mut editor, duplicate());
        let far = place(&editor).since(from);
        assert_eq!((far.x, far.y), (times * by.x, times * by.y));
    }
    // Taken back, there is no copy that it could go on from.
    for _ in 0..3 {
        act(&mut editor, Act::Undo);
    }
    select(&mut editor, &["free"]);
    act(&mut editor, duplicate());
    assert_eq!(place(&editor), from);
}

#[test]
fn shift_keeps_one_axis() {
    let mut editor = Editor::new(screen());
    select(&mut editor, &["free"]);
    drag(&mut editor, &[(280.0, 80.0), (291.0, 150.0)], PointerKeys { command: true, ..SHIFT });
    let at = editor.document().absolute_box(&"free".into()).unwrap();
    assert_eq!((at.x, at.y > 100.0), (230.5, true));
}

#[test]
fn the_scale_tool_scales_strokes_and_radii() {
    let mut document = screen();
    let mut change = crate::design::edit::Transaction::begin(&mut document);
    let looks = |node: &mut Node| {
        node.stroke.weight = 4.0;
        node.corner_radii = CornerRadii::uniform(6.0);
    };
    change.update(&"tile".into(), looks).unwrap();
    change.commit();
    let mut editor = Editor::new(document);
    act(&mut editor, Act::Take(Tool::Scale));
    select(&mut editor, &["card"]);
    // The right bottom corner of the card, pulled to twice its size.
    drag(&mut editor, &[(180.0, 170.0), (340.0, 320.0)], NONE);
    let tile = editor.document().get(&"tile".into()).unwrap();
    assert_eq!((tile.size.width, tile.stroke.weight), (120.0, 8.0));
    assert_eq!((tile.transform.e, tile.corner_radii.as_uniform()), (20.0, Some(12.0)));
    let card = editor.document().absolute_box(&"card".into()).unwrap();
    assert_eq!((card.x, card.y, card.width), (20.0, 20.0, 320.0));
}

/// How wide a node is found to be, and its width.
fn width_of(document: &Document, id: &str) -> (Sizing, f64) {
    let id = NodeId::from(id);
    (document.sizing(&id, Direction::Horizontal), document.get(&id).unwrap().size.width)
}

#[test]
fn scaling_leaves_what_hugs_hugging_and_fixes_what_fills() {
    let mut editor = Editor::new(screen());
    act(&mut editor, Act::Take(Tool::Scale));
    select(&mut editor, &["row"]);
    drag(&mut editor, &[(370.0, 370.0), (540.0, 440.0)], NONE);
    assert_eq!(width_of(editor.document(), "row"), (Sizing::Hug, 340.0));
    let layout = editor.document().get(&"row".into()).unwrap().auto_layout.as_ref().unwrap();
    assert_eq!(layout.padding, Sides::uniform(20.0));
    let mut editor = Editor::new(with_fill(screen(), "r1"));
    act(&mut editor, Act::Take(Tool::Scale));
    select(&mut editor, &["r1"]);
    drag(&mut editor, &[(250.0, 360.0), (270.0, 385.0)], NONE);
    assert_eq!(width_of(editor.document(), "r1"), (Sizing::Fixed, 60.0));
}

/// The same with a child of the row that fills it.
fn with_fill(mut document: Document, id: &str) -> Document {
    let mut change = crate::design::edit::Transaction::begin(&mut document);
    change.set_sizing(&id.into(), Direction::Horizontal, Sizing::Fill).unwrap();
    change.commit_with(&NoTexts);
    document
}

#[test]
fn several_that_auto_layout_places_get_their_sizes_and_are_placed_again() {
    let start = with_fill(screen(), "r1");
    let mut editor = Editor::new(start.clone());
    select(&mut editor, &["r1", "r2"]);
    // From 95 to 114 wide, the gap between them included.
    drag(&mut editor, &[(305.0, 335.0), (324.0, 335.0)], CTRL);
    let document = editor.document();
    for id in ["r1", "r2"] {
        let (sizing, width) = width_of(document, id);
        assert!(sizing == Sizing::Fixed && (width - 48.0).abs() < 1e-9, "{id}: {width}");
    }
    let places = ["r1", "r2", "r3"].map(|id| document.get(&id.into()).unwrap().transform.e);
    for (place, expected) in places.into_iter().zip([10.0, 73.0, 136.0]) {
        assert!((place - expected).abs() < 1e-9, "{places:?}");
    }
    assert_eq!(editor.steps(), 1);
    act(&mut editor, Act::Undo);
    assert_eq!(*editor.document(), start);
}

#[test]
fn a_pull_that_changes_no_size_does_not_fix_what_fills() {
    let start = with_fill(screen(), "r1");
    let selections: [(&[&str], f64); 2] = [(&["r1", "r2"], 305.0), (&["r1"], 250.0)];
    for (ids, right) in selections {
        let mut editor = Editor::new(start.clone());
        select(&mut editor, ids);
        drag(&mut editor, &[(right, 335.0), (right + 20.0, 335.0), (right + 0.3, 335.0)], CTRL);
        assert_eq!(*editor.document(), start);
        assert_eq!(editor.steps(), 0);
    }
}

#[test]
fn what_auto_layout_places_is_turned_where_it_is_put() {
    let mut editor = Editor::new(screen());
    select(&mut editor, &["r1"]);
    // A quarter clockwise about its middle at (230, 335), from outside its right bottom corner.
    assert!(matches!(editor.grip_at(pointer(259.0, 369.0, SHIFT)), Some(EditGrip::Turn(_))));
    drag(&mut editor, &[(259.0, 369.0), (196.0, 364.0)], SHIFT);
    let document = editor.document();
    let turned = document.get(&"r1".into()).unwrap();
    assert!((turned.transform.rotation_degrees() + 90.0).abs() < 1e-6);
    let at = turned.transform.bounds_of(turned.size);
    assert!((at.x - 10.0).abs() < 1e-6 && (at.width - 50.0).abs() < 1e-6, "{at:?}");
    let next = document.get(&"r2".into()).unwrap().transform.e;
    assert!((next - 75.0).abs() < 1e-6, "{next}");
}

#[test]
fn a_handle_is_pulled_only_once_the_pointer_went_four_points() {
    let mut document = screen();
    let mut change = crate::design::edit::Transaction::begin(&mut document);
    let radii = CornerRadii { top_left: 1.0, top_right: 2.0, bottom_right: 3.0, bottom_left: 4.0 };
    change.update(&"free".into(), |node| node.corner_radii = radii).unwrap();
    change.commit();
    // The dot of the left top corner, the right bottom corner, the zone that turns outside it, a padding and a gap.
    for (id, at) in [
        ("free", (244.5, 54.25)),
        ("free", (331.5, 123.25)),
        ("free", (340.5, 132.25)),
        ("row", (214.0, 335.0)),
        ("row", (257.5, 335.0)),
    ] {
        let mut editor = Editor::new(document.clone());
        select(&mut editor, &[id]);
        assert!(editor.grip_at(pointer(at.0, at.1, NONE)).is_some(), "{at:?}");
        drag(&mut editor, &[at, (at.0 + 1.0, at.1 - 2.0), (at.0 + 2.0, at.1 + 3.0)], NONE);
        assert_eq!((editor.document(), editor.steps()), (&document, 0), "{at:?}");
        assert_eq!(selected(&editor), [id]);
        // Once it went that far it follows, also nearer.
        drag(&mut editor, &[at, (at.0 + 9.0, at.1 + 9.0), (at.0 + 2.0, at.1 + 2.0)], CTRL);
        assert_eq!(editor.steps(), 1, "{at:?}");
    }
    // In points of the screen: twice as large, half the way will do.
    let mut editor = Editor::new(document);
    select(&mut editor, &["free"]);
    let zoomed = |x: f64, y: f64| Pointer { zoom: 2.0, ..pointer(x, y, CTRL) };
    act(&mut editor, Act::Pointer(PointerAct::Press(zoomed(331.5, 123.25))));
    act(&mut editor, Act::Pointer(PointerAct::Release(zoomed(331.5, 126.25))));
    assert_eq!(editor.document().get(&"free".into()).unwrap().size, Size::new(101.0, 86.0));
}

#[test]
fn dots_round_corners_and_bars_change_padding_and_gap() {
    let mut editor = Editor::new(screen());
    select(&mut editor, &["free"]);
    drag(&mut editor, &[(244.5, 54.25), (254.5, 64.25)], NONE);
    let radii = editor.document().get(&"free".into()).unwrap().corner_radii;
    assert_eq!(radii.as_uniform(), Some(10.0));
    drag(&mut editor, &[(244.5, 54.25), (249.5, 59.25)], ALT);
    let radii = editor.document().get(&"free".into()).unwrap().corner_radii;
    assert_eq!((radii.top_left, radii.bottom_right), (15.0, 10.0));
    select(&mut editor, &["row"]);
    let padding = |editor: &Editor, grip| {
        let nodes = &editor.selection().nodes;
        let spots = grips(editor.document(), nodes, 1.0);
        spots.into_iter().find(|spot| spot.grip == grip).unwrap().at
    };
    let left = padding(&editor, EditGrip::Padding(Side::Left));
    drag(&mut editor, &[(left.x, left.y), (left.x + 6.0, left.y)], NONE);
    let gap = padding(&editor, EditGrip::Gap(0));
    drag(&mut editor, &[(gap.x, gap.y), (gap.x + 5.0, gap.y)], NONE);
    let row = editor.document().get(&"row".into()).unwrap();
    let layout = row.auto_layout.as_ref().unwrap();
    assert_eq!(
        (layout.padding.left, layout.padding.right, layout.item_spacing),
        (16.0, 10.0, 20.0)
    );
}

#[test]
fn what_lies_in_a_resized_frame_follows_its_constraints_and_with_ctrl_stays() {
    let tile = |id: &str, [across, down]: [&str; 2], area: [f64; 4]| {
        let mut tile = filled(id, NodeKind::Rectangle, Some("card"), area);
        tile.constraints.horizontal = across.to_owned();
        tile.constraints.vertical = down.to_owned();
        tile
    };
    let start = Document::from_nodes([
        filled("screen", NodeKind::Frame, None, [0.0, 0.0, 400.0, 400.0]),
        filled("card", NodeKind::Frame, Some("screen"), [20.0, 20.0, 100.0, 100.0]),
        tile("fixed", ["LEFT", "TOP"], [10.0, 10.0, 20.0, 20.0]),
        tile("far", ["RIGHT", "BOTTOM"], [70.0, 70.0, 20.0, 20.0]),
        tile("wide", ["LEFT_RIGHT", "CENTER"], [10.0, 40.0, 80.0, 20.0]),
        tile("share", ["SCALE", "SCALE"], [20.0, 40.0, 20.0, 20.0]),
    ])
    .unwrap();
    let mut editor = Editor::new(start.clone());
    let boxes = |editor: &Editor| {
        ["fixed", "far", "wide", "share"].map(|id| {
            let node = editor.document().get(&id.into()).unwrap();
            node.transform.bounds_of(node.size)
        })
    };
    let before = boxes(&editor);
    select(&mut editor, &["card"]);
    drag(&mut editor, &[(120.0, 120.0), (220.0, 170.0)], NONE);
    let card = editor.document().get(&"card".into()).unwrap();
    assert_eq!(card.size, Size::new(200.0, 150.0));
    let expected = [
        Rect::new(10.0, 10.0, 20.0, 20.0),
        Rect::new(170.0, 120.0, 20.0, 20.0),
        Rect::new(10.0, 65.0, 180.0, 20.0),
        Rect::new(40.0, 60.0, 40.0, 30.0),
    ];
    assert_eq!(boxes(&editor), expected);
    act(&mut editor, Act::Undo);
    assert_eq!(*editor.document(), start);
    drag(&mut editor, &[(120.0, 120.0), (220.0, 170.0)], CTRL);
    assert_eq!(boxes(&editor), before);
    assert_ne!(*editor.document(), start);
}

#[test]
fn small_shapes_move_by_their_inside() {
    let mut document = screen();
    let mut change = crate::design::edit::Transaction::begin(&mut document);
    change.update(&"free".into(), |node| node.size = Size::new(8.0, 8.0)).unwrap();
    change.commit();
    let mut editor = Editor::new(document);
    select(&mut editor, &["free"]);
    let grips = [(233.0, 43.0), (238.5, 48.25), (227.0, 37.0)]
        .map(|(x, y)| editor.grip_at(pointer(x, y, NONE)));
    assert_eq!(grips[0], None);
    assert_eq!(grips[1], None);
    assert!(matches!(grips[2], Some(EditGrip::Resize(_))), "{grips:?}");
}

#[test]
fn a_frame_is_picked_by_its_name() {
    let mut editor = Editor::new(screen());
    drag(&mut editor, &[(10.0, -8.0)], NONE);
    assert_eq!(selected(&editor), ["screen"]);
}

#[test]
fn a_list_of_what_lies_there_has_what_holds_it_behind_it() {
    let editor = Editor::new(screen());
    let found = editor.lying_at(pointer(40.0, 120.0, NONE));
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(found, ["one", "group", "card", "screen"]);
}

#[test]
fn an_edit_from_elsewhere_is_not_lost_to_what_is_dragged_meanwhile() {
    let mut editor = Editor::new(screen());
    act(&mut editor, Act::Pointer(PointerAct::Press(pointer(280.0, 80.0, NONE))));
    act(&mut editor, Act::Pointer(PointerAct::Move(pointer(300.0, 80.0, NONE))));
    let seen = editor.revision();
    // What ends with a burst is the burst, not the drag.
    act(&mut editor, Act::Property(PropertyAct::EndBurst));
    assert!(editor.is_holding());
    let mut other = screen();
    let mut change = crate::design::edit::Transaction::begin(&mut other);
    change.update(&"free".into(), |node| node.opacity = 0.5).unwrap();
    let edit = change.commit();
    editor.take_in_by(Author::Assistant, "Opacity", &["free".into()], edit, None);
    assert!(!editor.is_holding() && editor.revision() > seen);
    act(&mut editor, Act::Pointer(PointerAct::Release(pointer(320.0, 80.0, NONE))));
    assert_eq!(*editor.document(), other);
}

fn place() -> impl Strategy<Value = (f64, f64)> {
    (-20..420_i32, -20..420_i32).prop_map(|(x, y)| (f64::from(x), f64::from(y)))
}

fn keys() -> impl Strategy<Value = PointerKeys> {
    prop::array::uniform4(any::<bool>()).prop_map(|[shift, alt, command, space]| PointerKeys {
        shift,
        alt,
        command,
        space,
    })
}

fn tool() -> impl Strategy<Value = Tool> {
    prop_oneof![Just(Tool::Move), Just(Tool::Scale)]
}

fn selection() -> impl Strategy<Value = Vec<&'static str>> {
    let ids = vec!["card", "tile", "group", "one", "free", "row", "r2"];
    prop::sample::subsequence(ids, 0..3)
}

proptest! {
    #[test]
    fn a_drag_there_and_back_is_the_start(
        way in prop::collection::vec(place(), 1..6), keys in keys(), tool in tool(),
        ids in selection(),
    ) {
        // With Alt a node is copied wherever it is let go, but not where it was taken up.
        let mut editor = Editor::new(screen());
        act(&mut editor, Act::Take(tool));
        select(&mut editor, &ids);
        let mut way = way;
        way.push(way[0]);
        drag(&mut editor, &way, keys);
        prop_assert_eq!(editor.document(), &screen());
        prop_assert_eq!(editor.steps(), 0);
    }

    #[test]
    fn what_is_given_up_has_not_happened(
        way in prop::collection::vec(place(), 1..6), keys in keys(), tool in tool(),
        ids in selection(),
    ) {
        let mut editor = Editor::new(screen());
        act(&mut editor, Act::Take(tool));
        select(&mut editor, &ids);
        let (x, y) = way[0];
        act(&mut editor, Act::Pointer(PointerAct::Press(pointer(x, y, keys))));
        for (x, y) in way {
            act(&mut editor, Act::Pointer(PointerAct::Move(pointer(x, y, keys))));
        }
        act(&mut editor, Act::Pointer(PointerAct::Cancel));
        prop_assert_eq!(editor.document(), &screen());
        prop_assert_eq!(editor.shown(), &screen());
        prop_assert_eq!((editor.steps(), editor.is_holding()), (0, false));
    }

    #[test]
    fn every_gesture_is_undone_exactly(
        way in prop::collection::vec(place(), 2..5), keys in keys(), tool in tool(),
        ids in selection(),
    ) {
        let mut editor = Editor::new(screen());
        act(&mut editor, Act::Take(tool));
        select(&mut editor, &ids);
        drag(&mut editor, &way, keys);
        while editor.undoable().0 > 0 {
            act(&mut editor, Act::Undo);
        }
        prop_assert_eq!(editor.document(), &screen());
    }

    /// By trying all shapes on the screen.
    #[test]
    fn a_rectangle_selects_what_it_meets(
        boxes in prop::collection::vec(prop::array::uniform4(1..90_i32), 0..12),
        corner in place(), other in place(),
    ) {
        prop_assume!((corner.0 - other.0).hypot(corner.1 - other.1) >= 4.0);
        let shapes = boxes.iter().enumerate().map(|(n, [x, y, w, h])| {
            let at = [*x, *y, *w, *h].map(|v| f64::from(v) * 3.0);
            filled(&format!("s{n}"), NodeKind::Rectangle, Some("screen"), at)
        });
        let screen = filled("screen", NodeKind::Frame, None, [0.0, 0.0, 900.0, 900.0]);
        let nodes: Vec<Node> = std::iter::once(screen).chain(shapes).collect();
        let document = Document::from_nodes(nodes.clone()).unwrap();
        let mut marquee =
            marquee::Marquee::begin(&document, Selection::default(), pointer(corner.0, corner.1, NONE));
        marquee.go_to(pointer(other.0, other.1, NONE));
        let (left, right) = (corner.0.min(other.0), corner.0.max(other.0));
        let (top, bottom) = (corner.1.min(other.1), corner.1.max(other.1));
        let met = nodes.iter().skip(1).filter(|node| {
            let at = document.absolute_box(&node.id).unwrap();
            at.x <= right && at.right() >= left && at.y <= bottom && at.bottom() >= top
        });
        let met: Vec<NodeId> = met.map(|node| node.id.clone()).collect();
        prop_assert_eq!(marquee.selection.nodes, met);
    }
}
