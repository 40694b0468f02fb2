use proptest::prelude::*;

use super::*;
use crate::base::{Affine, Point, Rect, Rgba, Size, Vector};
use crate::design::{
    AnchorKind, AutoResize, Document, Node, NodeId, NodeKind, Paint, SquareLetters,
};
use crate::editor::act::Act;
use crate::editor::arrange::ArrangeAct;
use crate::editor::editing::Editor;
use crate::editor::pointer::input::PointerKeys;
use crate::editor::pointer::putting::along_eighth;
use crate::editor::pointer::{PlacedContours, PointAct, PointerAct};
use crate::editor::selection::SelectAct;
use crate::editor::typing::TypingAct;

const CONTEXT: EditorContext<'static> = EditorContext { measure: &SquareLetters };

/// A page with a screen at (100, 50) that holds a card, and a locked frame over it.
fn document() -> Document {
    let place = |id: &str, kind: NodeKind, parent: Option<&str>, at: [f64; 4]| {
        let mut node = Node::new(id.into(), id, kind);
        node.parent = parent.map(NodeId::from);
        node.transform = Affine::translate(at[0], at[1]);
        node.size = Size::new(at[2], at[3]);
        node
    };
    let page = Node::new("page".into(), "Page", NodeKind::Canvas);
    let mut screen = place("screen", NodeKind::Frame, Some("page"), [100.0, 50.0, 400.0, 300.0]);
    screen.clips_content = true;
    let card = place("card", NodeKind::Frame, Some("screen"), [20.0, 20.0, 200.0, 100.0]);
    let mut locked = place("locked", NodeKind::Frame, Some("screen"), [0.0, 0.0, 400.0, 300.0]);
    locked.locked = true;
    let mut named = place("named", NodeKind::Rectangle, Some("card"), [3.3, 3.3, 5.0, 5.0]);
    named.name = "Rectangle 7".to_owned();
    Document::from_nodes([page, screen, card, locked, named]).unwrap()
}

fn pointer(x: f64, y: f64, keys: PointerKeys) -> Pointer {
    // Without anything near that would draw it.
    let visible = Rect::new(0.0, 0.0, 0.0, 0.0);
    Pointer { at: Point::new(x, y), zoom: 1.0, visible, keys }
}

fn act(editor: &mut Editor, act: Act) {
    editor.act(act, &CONTEXT).unwrap();
}

fn drag(editor: &mut Editor, from: [f64; 2], to: [f64; 2], keys: PointerKeys) {
    let between = pointer(f64::midpoint(from[0], to[0]), f64::midpoint(from[1], to[1]), keys);
    act(editor, Act::Pointer(PointerAct::Press(pointer(from[0], from[1], BARE))));
    act(editor, Act::Pointer(PointerAct::Move(between)));
    act(editor, Act::Pointer(PointerAct::Release(pointer(to[0], to[1], keys))));
}

fn click(editor: &mut Editor, at: [f64; 2]) {
    drag(editor, at, at, BARE);
}

fn drawn(tool: Tool, from: [f64; 2], to: [f64; 2], keys: PointerKeys) -> (Editor, Node) {
    let mut editor = Editor::new(document());
    act(&mut editor, Act::Take(tool));
    drag(&mut editor, from, to, keys);
    let id = editor.selection().only().unwrap().clone();
    let node = Node::clone(editor.document().get(&id).unwrap());
    (editor, node)
}

fn bounds(editor: &Editor, node: &Node) -> Rect {
    editor.document().absolute_box(&node.id).unwrap()
}

const BARE: PointerKeys = PointerKeys { shift: false, alt: false, command: false, space: false };
const SHIFT: PointerKeys = PointerKeys { shift: true, ..BARE };
const ALT: PointerKeys = PointerKeys { alt: true, ..BARE };

#[test]
fn a_drag_draws_into_the_topmost_frame_and_the_tool_is_put_away() {
    let (mut editor, node) = drawn(Tool::Rectangle, [130.0, 80.0], [190.0, 120.0], BARE);
    assert_eq!(node.parent, Some("card".into()), "not into what is locked");
    assert_eq!(bounds(&editor, &node), Rect::new(130.0, 80.0, 60.0, 40.0));
    assert_eq!((node.name.as_str(), editor.tool()), ("Rectangle 8", Tool::Move));
    assert_eq!(node.fills, [Paint::solid(Rgba::DEFAULT_SHAPE)]);
    assert_eq!(editor.undoable(), (1, 0));
    act(&mut editor, Act::Undo);
    assert_eq!(editor.document(), &document());
    let (_, outside) = drawn(Tool::Ellipse, [700.0, 80.0], [720.0, 120.0], BARE);
    assert_eq!((outside.parent, outside.name.as_str()), (Some("page".into()), "Ellipse 1"));
}

#[test]
fn a_section_lies_on_the_page_or_in_a_section_and_never_in_a_frame() {
    let (mut editor, outer) = drawn(Tool::Section, [130.0, 80.0], [330.0, 280.0], BARE);
    assert_eq!((&outer.kind, outer.name.as_str()), (&NodeKind::Section, "Section 1"));
    assert_eq!((&outer.parent, editor.tool()), (&Some("page".into()), Tool::Move));
    assert_eq!(bounds(&editor, &outer), Rect::new(130.0, 80.0, 200.0, 200.0));
    for (tool, from) in [(Tool::Section, [150.0, 100.0]), (Tool::Frame, [150.0, 100.0])] {
        act(&mut editor, Act::Take(tool));
        drag(&mut editor, from, [200.0, 150.0], BARE);
        let drawn = editor.selection().only().unwrap();
        assert_eq!(
            editor.document().get(drawn).unwrap().parent,
            Some(outer.id.clone()),
            "{tool:?}"
        );
        act(&mut editor, Act::Undo);
    }
    act(&mut editor, Act::Undo);
    assert_eq!(editor.document(), &document());
}

#[test]
fn keys_make_squares_and_draw_from_the_centre() {
    let (editor, node) = drawn(Tool::Frame, [300.0, 200.0], [330.0, 180.0], SHIFT);
    assert_eq!(bounds(&editor, &node), Rect::new(300.0, 170.0, 30.0, 30.0));
    assert!(node.clips_content && node.fills == [Paint::solid(Rgba::WHITE)]);
    let (editor, node) = drawn(Tool::Star, [300.0, 200.0], [330.0, 210.0], ALT);
    assert_eq!(bounds(&editor, &node), Rect::new(270.0, 190.0, 60.0, 20.0));
    let (editor, node) = drawn(Tool::Line, [300.0, 200.0], [340.0, 238.0], SHIFT);
    let around = bounds(&editor, &node);
    assert!((around.width - around.height).abs() < 1e-9, "{around:?}");
    assert_eq!((node.size.height, node.stroke.weight), (0.0, 1.0));
    assert_eq!(node.stroke.paints, [Paint::solid(Rgba::BLACK)]);
}

#[test]
fn space_moves_what_is_drawn() {
    let mut editor = Editor::new(document());
    act(&mut editor, Act::Take(Tool::Rectangle));
    let space = PointerKeys { space: true, ..BARE };
    act(&mut editor, Act::Pointer(PointerAct::Press(pointer(300.0, 200.0, BARE))));
    act(&mut editor, Act::Pointer(PointerAct::Move(pointer(340.0, 230.0, BARE))));
    act(&mut editor, Act::Pointer(PointerAct::Move(pointer(350.0, 220.0, space))));
    act(&mut editor, Act::Pointer(PointerAct::Release(pointer(360.0, 220.0, BARE))));
    let id = editor.selection().only().unwrap().clone();
    let at = editor.document().absolute_box(&id).unwrap();
    assert_eq!(at, Rect::new(310.0, 190.0, 50.0, 30.0));
}

#[test]
fn a_click_draws_a_hundred_and_escape_puts_the_tool_away() {
    let (editor, node) = drawn(Tool::Rectangle, [300.0, 200.0], [301.0, 201.0], BARE);
    assert_eq!(bounds(&editor, &node), Rect::new(300.0, 200.0, 100.0, 100.0));
    let mut editor = Editor::new(document());
    act(&mut editor, Act::Take(Tool::Arrow));
    act(&mut editor, Act::Select(SelectAct::None));
    assert_eq!(editor.tool(), Tool::Move);
    act(&mut editor, Act::Take(Tool::Rectangle));
    let press = pointer(300.0, 200.0, BARE);
    act(&mut editor, Act::Pointer(PointerAct::Press(press)));
    act(&mut editor, Act::Select(SelectAct::None));
    assert!(!editor.is_holding() && editor.document() == &document());
}

#[test]
fn a_new_text_is_typed_into_and_goes_if_it_is_empty() {
    let (mut editor, node) = drawn(Tool::Text, [300.0, 200.0], [300.0, 200.0], BARE);
    assert_eq!(editor.in_place().typed(), Some(&node.id));
    assert!(!editor.pictured().get(&node.id).unwrap().visible, "the field draws it");
    act(&mut editor, Act::Typing(TypingAct::Write("Hello".to_owned())));
    let text = editor.document().get(&node.id).unwrap();
    assert_eq!((text.name.as_str(), text.size.width), ("Hello", 60.0));
    act(&mut editor, Act::Typing(TypingAct::End));
    assert_eq!(editor.undoable(), (1, 0), "made and written in one step");
    act(&mut editor, Act::Undo);
    assert_eq!(editor.document(), &document());
    let (mut editor, node) = drawn(Tool::Text, [300.0, 200.0], [380.0, 260.0], BARE);
    assert_eq!(node.size, Size::new(80.0, 60.0));
    assert_eq!(node.text().unwrap().style.auto_resize, AutoResize::None);
    act(&mut editor, Act::Select(SelectAct::None));
    assert_eq!((editor.document() == &document(), editor.undoable()), (true, (0, 0)));
    // Undone right away, it takes nothing along that was done before.
    let (mut editor, shape) = drawn(Tool::Rectangle, [300.0, 200.0], [380.0, 260.0], BARE);
    act(&mut editor, Act::Take(Tool::Text));
    click(&mut editor, [120.0, 300.0]);
    act(&mut editor, Act::Undo);
    assert_eq!(editor.in_place(), &InPlace::Nothing);
    assert!(editor.document().get(&shape.id).is_some());
    assert_eq!(editor.document().len(), document().len() + 1);
}

#[test]
fn the_pen_sets_anchors_and_closes_at_the_first() {
    let mut editor = Editor::new(document());
    act(&mut editor, Act::Take(Tool::Pen));
    click(&mut editor, [300.0, 200.0]);
    click(&mut editor, [340.0, 200.0]);
    drag(&mut editor, [340.0, 240.0], [330.0, 250.0], BARE);
    click(&mut editor, [500.0, 300.0]);
    act(&mut editor, Act::Arrange(ArrangeAct::Delete));
    assert_eq!(editor.drawn_path().unwrap().anchors.len(), 3, "the last one is taken back");
    assert_eq!(editor.document(), &document(), "it is in the design when it is ended");
    // Of a handle that is pulled only that is given up.
    act(&mut editor, Act::Pointer(PointerAct::Press(pointer(500.0, 300.0, BARE))));
    act(&mut editor, Act::Pointer(PointerAct::Move(pointer(520.0, 320.0, BARE))));
    assert_eq!(editor.drawn_path().unwrap().anchors.len(), 4);
    act(&mut editor, Act::Undo);
    act(&mut editor, Act::Pointer(PointerAct::Release(pointer(520.0, 320.0, BARE))));
    assert_eq!(editor.drawn_path().unwrap().anchors.len(), 3, "no point goes with it");
    // Within eight points of the first.
    click(&mut editor, [305.0, 204.0]);
    let id = editor.selection().only().unwrap().clone();
    let placed = PlacedContours::of(editor.document(), &id).unwrap();
    let contour = placed.contours.contours().next().unwrap();
    assert!(contour.is_closed && contour.anchors.len() == 3);
    assert_eq!(contour.anchors[2].kind, AnchorKind::Symmetric);
    assert_eq!((editor.tool(), editor.undoable()), (Tool::Move, (1, 0)));
    let at = placed.page_from_node.apply(contour.anchors[0].at);
    assert!((at.x - 300.0).abs() < 1e-6 && (at.y - 200.0).abs() < 1e-6);
    // Enter ends an open one; one anchor is nothing.
    act(&mut editor, Act::Take(Tool::Pen));
    click(&mut editor, [300.0, 200.0]);
    act(&mut editor, Act::Select(SelectAct::Children));
    assert_eq!(editor.undoable(), (1, 0));
}

/// An open path of three anchors at (300, 200), (340, 200), (340, 240), whose points are edited.
fn at_points() -> (Editor, NodeId) {
    let mut editor = Editor::new(document());
    act(&mut editor, Act::Take(Tool::Pen));
    for at in [[300.0, 200.0], [340.0, 200.0], [340.0, 240.0]] {
        click(&mut editor, at);
    }
    act(&mut editor, Act::Select(SelectAct::None));
    let id = editor.selection().only().unwrap().clone();
    act(&mut editor, Act::Select(SelectAct::Children));
    assert!(matches!(editor.in_place(), InPlace::Points(_)));
    (editor, id)
}

fn places(editor: &Editor, id: &NodeId) -> Vec<[f64; 2]> {
    let placed = PlacedContours::of(editor.document(), id).unwrap();
    let on_page = placed.contours.mapped(placed.page_from_node);
    let rounded = |value: f64| (value * 1e4).round() / 1e4;
    on_page.anchors().map(|(_, anchor)| [rounded(anchor.at.x), rounded(anchor.at.y)]).collect()
}

#[test]
fn points_are_dragged_bent_added_and_deleted() {
    let (mut editor, id) = at_points();
    drag(&mut editor, [300.0, 200.0], [290.0, 180.0], BARE);
    assert_eq!(places(&editor, &id), [[290.0, 180.0], [340.0, 200.0], [340.0, 240.0]]);
    let double = pointer(340.0, 200.0, BARE);
    act(&mut editor, Act::Pointer(PointerAct::DoubleClick(double)));
    let placed = PlacedContours::of(editor.document(), &id).unwrap();
    let bent = placed.contours.anchors().nth(1).unwrap().1;
    assert!(bent.handle_in.is_some() && bent.kind != AnchorKind::Corner);
    act(&mut editor, Act::Pointer(PointerAct::DoubleClick(double)));
    let placed = PlacedContours::of(editor.document(), &id).unwrap();
    assert_eq!(placed.contours.anchors().nth(1).unwrap().1.kind, AnchorKind::Corner);
    // A second click on the line adds one, which is selected and deleted again.
    let line = pointer(340.0, 221.0, BARE);
    act(&mut editor, Act::Pointer(PointerAct::DoubleClick(line)));
    assert_eq!(places(&editor, &id).len(), 4);
    act(&mut editor, Act::Arrange(ArrangeAct::Delete));
    assert_eq!(places(&editor, &id).len(), 3);
    // Beside the path a double click leaves it.
    let beside = pointer(450.0, 320.0, BARE);
    act(&mut editor, Act::Pointer(PointerAct::DoubleClick(beside)));
    assert_eq!(editor.in_place(), &InPlace::Nothing);
    let steps = editor.undoable().0;
    for _ in 0..steps {
        act(&mut editor, Act::Undo);
    }
    assert_eq!(editor.document(), &document());
}

#[test]
fn paths_are_closed_split_and_joined_by_their_points() {
    let (mut editor, id) = at_points();
    assert!(editor.act(Act::Points(PointAct::Close), &CONTEXT).is_err(), "no point is selected");
    click(&mut editor, [340.0, 200.0]);
    act(&mut editor, Act::Points(PointAct::Split));
    assert_eq!(places(&editor, &id).len(), 4);
    let split = editor.document().clone();
    act(&mut editor, Act::Undo);
    click(&mut editor, [300.0, 200.0]);
    act(&mut editor, Act::Points(PointAct::Close));
    let placed = PlacedContours::of(editor.document(), &id).unwrap();
    assert!(placed.contours.contours().all(|contour| contour.is_closed));
    let closed = editor.document().clone();
    assert!(editor.act(Act::Points(PointAct::Close), &CONTEXT).is_err(), "it is closed");
    assert!(editor.act(Act::Points(PointAct::Join), &CONTEXT).is_err(), "one is not two");
    assert!(editor.document() == &closed && closed != split);
}

fn any_tool() -> impl Strategy<Value = Tool> {
    prop::sample::select(vec![
        Tool::Frame,
        Tool::Rectangle,
        Tool::Ellipse,
        Tool::Polygon,
        Tool::Star,
        Tool::Line,
        Tool::Arrow,
        Tool::Text,
        Tool::Pen,
        Tool::Pencil,
        Tool::Move,
    ])
}

#[test]
fn a_point_that_is_too_far_is_refused_and_the_path_goes_on() {
    let mut editor = Editor::new(document());
    act(&mut editor, Act::Take(Tool::Pen));
    click(&mut editor, [150.0, 100.0]);
    let far = pointer(1e300, 100.0, BARE);
    act(&mut editor, Act::Pointer(PointerAct::Press(far)));
    assert!(editor.act(Act::Pointer(PointerAct::Release(far)), &CONTEXT).is_err());
    click(&mut editor, [180.0, 100.0]);
    assert_eq!(editor.drawn_path().unwrap().anchors.len(), 2);
    act(&mut editor, Act::Select(SelectAct::None));
    assert_eq!(editor.undoable().0, 1);
}

fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => (0..600_i32).prop_map(f64::from),
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, 1e300, -1e9, 0.0]),
    ]
}

proptest! {
    /// Whatever is drawn where, undoing all of it gives the start; what is refused changes nothing.
    #[test]
    fn whatever_is_drawn_is_undone_exactly(
        strokes in prop::collection::vec(
            (any_tool(), (coordinate(), coordinate()), (coordinate(), coordinate()), 0..16_u8), 0..8,
        ),
    ) {
        let mut editor = Editor::new(document());
        for (tool, from, to, held) in strokes {
            let keys = PointerKeys {
                shift: held & 1 != 0,
                alt: held & 2 != 0,
                command: held & 4 != 0,
                space: held & 8 != 0,
            };
            let acts = [
                Act::Take(tool),
                Act::Pointer(PointerAct::Press(pointer(from.0, from.1, keys))),
                Act::Pointer(PointerAct::Move(pointer(to.0, to.1, keys))),
                Act::Pointer(PointerAct::Release(pointer(to.0, to.1, keys))),
            ];
            for act in acts {
                let before = editor.document().clone();
                if editor.act(act, &CONTEXT).is_err() {
                    prop_assert_eq!(editor.document(), &before);
                }
            }
        }
        act(&mut editor, Act::Select(SelectAct::None));
        for _ in 0..40 {
            act(&mut editor, Act::Undo);
        }
        prop_assert_eq!(editor.document(), &document());
    }

    #[test]
    fn eighths_keep_the_way_they_are_on(x in -400.0..400.0_f64, y in -400.0..400.0_f64) {
        let way = along_eighth(Vector { x, y });
        let again = along_eighth(way);
        prop_assert!((again.x - way.x).abs() < 1e-9 && (again.y - way.y).abs() < 1e-9);
        prop_assert!(way.x.hypot(way.y) <= x.hypot(y) + 1e-9);
    }
}
