use super::*;
use crate::base::{Affine, Rect, Size};
use crate::design::edit::Transaction;
use crate::design::{
    AutoLayout, AutoResize, Direction, Document, EllipseArc, FigmaPath, Measure, Node, NodeId,
    NodeKind, Paint, PathGeometry, Sizing, TextContent, TextExtent, WindingRule,
};
use crate::editor::Author;
use crate::editor::act::Act;
use crate::editor::clipboard::ClipboardAct;
use crate::editor::selection::SelectAct;
use proptest::prelude::*;

/// Texts of ten units a letter; the outline of everything is its box.
struct Boxes;

impl Measure for Boxes {
    fn text(&self, content: &TextContent, _width: Option<f64>) -> TextExtent {
        let letters = content.characters.chars().count();
        TextExtent { size: Size::new(letters as f64 * 10.0, 20.0), baseline: 15.0 }
    }

    fn combined_box(&self, document: &Document, id: &NodeId) -> Option<Rect> {
        let children = document.children_of(Some(id)).iter();
        let boxes = children.filter_map(|id| document.get(id));
        Rect::union_all(boxes.map(|node| node.transform.bounds_of(node.size)))
    }

    fn outline(&self, document: &Document, id: &NodeId) -> Option<PathGeometry> {
        let size = document.get(id)?.size;
        let data = format!("M0 0L{w} 0L{w} {h}L0 {h}Z", w = size.width, h = size.height);
        let fill = vec![FigmaPath::new(data, WindingRule::NonZero)];
        Some(PathGeometry { fill, stroke: Vec::new() })
    }
}

fn node(id: &str, kind: NodeKind, parent: Option<&str>, [x, y, w, h]: [f64; 4]) -> Node {
    let mut node = Node::new(id.into(), id, kind);
    node.parent = parent.map(NodeId::from);
    (node.transform, node.size) = (Affine::translate(x, y), Size::new(w, h));
    node
}

/// A screen with two boxes, a group of two, and a row that auto layout places.
fn screen() -> Editor {
    let mut row = node("row", NodeKind::Frame, Some("screen"), [20.0, 200.0, 76.0, 10.0]);
    let mut layout = AutoLayout::new(Direction::Horizontal);
    layout.item_spacing = 8.0;
    row.auto_layout = Some(Box::new(layout));
    let ellipse = NodeKind::Ellipse(EllipseArc::WHOLE);
    let document = Document::from_nodes([
        node("screen", NodeKind::Frame, None, [0.0, 0.0, 400.0, 300.0]),
        node("a", NodeKind::Rectangle, Some("screen"), [10.0, 10.0, 40.0, 20.0]),
        node("b", NodeKind::Rectangle, Some("screen"), [100.0, 12.0, 30.0, 30.0]),
        node("group", NodeKind::Group, Some("screen"), [0.0, 0.0, 0.0, 0.0]),
        node("c", ellipse, Some("group"), [200.0, 50.0, 20.0, 20.0]),
        node("d", NodeKind::Rectangle, Some("group"), [240.0, 60.0, 20.0, 40.0]),
        row,
        node("r1", NodeKind::Rectangle, Some("row"), [0.0, 0.0, 10.0, 10.0]),
        node("r2", NodeKind::Rectangle, Some("row"), [18.0, 0.0, 20.0, 10.0]),
        node("r3", NodeKind::Rectangle, Some("row"), [46.0, 0.0, 30.0, 10.0]),
    ]);
    Editor::new(document.unwrap())
}

fn select(editor: &mut Editor, ids: &[&str]) {
    let ids = ids.iter().map(|id| NodeId::from(*id)).collect();
    let context = EditorContext { measure: &Boxes };
    editor.act(Act::Select(SelectAct::Only(ids)), &context).unwrap();
}

fn act(editor: &mut Editor, ids: &[&str], what: ArrangeAct) -> Result<(), EditorError> {
    select(editor, ids);
    again(editor, what)
}

/// With what is selected.
fn again(editor: &mut Editor, what: ArrangeAct) -> Result<(), EditorError> {
    editor.act(Act::Arrange(what), &EditorContext { measure: &Boxes })
}

fn undo(editor: &mut Editor) {
    editor.act(Act::Undo, &EditorContext { measure: &Boxes }).unwrap();
}

fn box_of(editor: &Editor, id: &NodeId) -> Rect {
    editor.document().absolute_box(id).unwrap()
}

fn boxed(editor: &Editor, id: &str) -> Rect {
    box_of(editor, &id.into())
}

fn children(editor: &Editor, id: &str) -> Vec<String> {
    let children = editor.document().children_of(Some(&id.into())).iter();
    children.map(ToString::to_string).collect()
}

fn only(editor: &Editor) -> NodeId {
    editor.selection().only().unwrap().clone()
}

#[test]
fn an_emptied_group_goes_with_what_is_deleted() {
    let mut editor = screen();
    let start = editor.document().clone();
    act(&mut editor, &["c", "d"], ArrangeAct::Delete).unwrap();
    assert_eq!(children(&editor, "screen"), ["a", "b", "row"]);
    assert!(editor.selection().nodes.is_empty());
    undo(&mut editor);
    assert_eq!(*editor.document(), start);
    assert_eq!(editor.selection().nodes, ["c".into(), "d".into()], "selected as before");
}

#[test]
fn a_duplicate_goes_on_by_what_the_last_one_was_moved() {
    let mut editor = screen();
    act(&mut editor, &["a"], ArrangeAct::Duplicate).unwrap();
    let first = only(&editor);
    assert_eq!(box_of(&editor, &first), boxed(&editor, "a"));
    assert_eq!(children(&editor, "screen")[1], first.as_str(), "right above it");
    again(&mut editor, ArrangeAct::Nudge(Arrow::Right, 10)).unwrap();
    again(&mut editor, ArrangeAct::Nudge(Arrow::Down, 1)).unwrap();
    again(&mut editor, ArrangeAct::Duplicate).unwrap();
    let second = only(&editor);
    assert_eq!(box_of(&editor, &second).origin(), crate::base::Point::new(30.0, 12.0));
    // Of something else it is in place again.
    act(&mut editor, &["b"], ArrangeAct::Duplicate).unwrap();
    assert_eq!(box_of(&editor, &only(&editor)), boxed(&editor, "b"));
}

#[test]
fn what_is_grouped_framed_and_ungrouped_stays_where_it_is() {
    for (what, kind) in [(ArrangeAct::Group, NodeKind::Group), (ArrangeAct::Frame, NodeKind::Frame)]
    {
        let mut editor = screen();
        let before = ["a", "b", "c"].map(|id| boxed(&editor, id));
        act(&mut editor, &["c", "a", "b"], what).unwrap();
        let made = only(&editor);
        assert_eq!(editor.document().get(&made).unwrap().kind, kind);
        assert_eq!(children(&editor, made.as_str()), ["a", "b", "c"], "in their order");
        assert_eq!(box_of(&editor, &made), Rect::union_all(before).unwrap());
        assert_eq!(["a", "b", "c"].map(|id| boxed(&editor, id)), before);
        again(&mut editor, ArrangeAct::Ungroup).unwrap();
        assert_eq!(["a", "b", "c"].map(|id| boxed(&editor, id)), before);
        assert_eq!(editor.selection().nodes.len(), 3);
        assert!(editor.document().get(&made).is_none());
    }
}

#[test]
fn the_lowest_masks_the_others() {
    let mut editor = screen();
    act(&mut editor, &["b", "a"], ArrangeAct::Mask).unwrap();
    let group = only(&editor);
    assert_eq!(children(&editor, group.as_str()), ["a", "b"]);
    let is_mask = |id: &str| editor.document().get(&id.into()).unwrap().is_mask;
    assert!(is_mask("a") && !is_mask("b"));
    act(&mut editor, &["a"], ArrangeAct::Mask).unwrap();
    assert!(!editor.document().get(&"a".into()).unwrap().is_mask);
}

#[test]
fn shapes_combine_and_flatten_to_one_vector() {
    let mut editor = screen();
    act(&mut editor, &["a", "b"], ArrangeAct::Combine(BooleanOp::Subtract)).unwrap();
    let combined = only(&editor);
    let around = Rect::new(10.0, 10.0, 120.0, 32.0);
    assert_eq!(box_of(&editor, &combined), around);
    again(&mut editor, ArrangeAct::Combine(BooleanOp::Union)).unwrap();
    let node = editor.document().get(&combined).unwrap();
    assert_eq!(node.kind, NodeKind::BooleanOperation(BooleanOp::Union));
    assert_eq!(node.name, "Union");
    act(&mut editor, &[combined.as_str(), "c"], ArrangeAct::Flatten).unwrap();
    let vector = only(&editor);
    let NodeKind::Vector(geometry) = &editor.document().get(&vector).unwrap().kind else {
        panic!("no vector");
    };
    let paths: Vec<&str> = geometry.fill.iter().map(|path| path.data.as_str()).collect();
    assert_eq!(paths, ["M0 0L120 0L120 32L0 32Z", "M190 40L210 40L210 60L190 60Z"]);
    assert_eq!(box_of(&editor, &vector), Rect::new(10.0, 10.0, 210.0, 60.0));
    assert!(editor.document().get(&combined).is_none());
    assert_eq!(children(&editor, "group"), [vector.as_str(), "d"]);
}

#[test]
fn what_has_no_outline_is_not_combined() {
    let mut editor = screen();
    let start = editor.document().clone();
    for what in [ArrangeAct::Combine(BooleanOp::Union), ArrangeAct::Flatten] {
        let why = act(&mut editor, &["a", "row"], what).unwrap_err();
        assert_eq!(why.to_string(), "“row” is no shape, text or group of such");
    }
    let why = act(&mut editor, &["a"], ArrangeAct::Combine(BooleanOp::Union)).unwrap_err();
    assert!(why.to_string().contains("at least 2"), "{why}");
    let why = act(&mut editor, &["screen"], ArrangeAct::Group).unwrap_err();
    assert!(why.to_string().contains("the screen itself"), "{why}");
    assert_eq!((editor.document(), editor.undoable()), (&start, (0, 0)));
}

#[test]
fn nodes_keep_their_order_on_the_way_to_the_front() {
    let mut editor = screen();
    let mut after = |ids: &[&str], to| {
        act(&mut editor, ids, ArrangeAct::Order(to)).unwrap();
        children(&editor, "screen").join(" ")
    };
    assert_eq!(after(&["b", "a"], OrderTo::Forward), "group a b row");
    assert_eq!(after(&["b", "a"], OrderTo::Front), "group row a b");
    assert_eq!(after(&["b", "a"], OrderTo::Forward), "group row a b");
    assert_eq!(after(&["a", "b"], OrderTo::Backward), "group a b row");
    assert_eq!(after(&["row", "b"], OrderTo::Back), "b row group a");
    assert_eq!(after(&["b", "row"], OrderTo::Backward), "b row group a");
}

#[test]
fn a_burst_of_arrows_is_one_step_and_in_auto_layout_another_order() {
    let mut editor = screen();
    for _ in 0..3 {
        act(&mut editor, &["a"], ArrangeAct::Nudge(Arrow::Right, 1)).unwrap();
    }
    assert_eq!((boxed(&editor, "a").x, editor.undoable()), (13.0, (1, 0)));
    act(&mut editor, &["r1"], ArrangeAct::Nudge(Arrow::Right, 1)).unwrap();
    assert_eq!(children(&editor, "row"), ["r2", "r1", "r3"]);
    assert_eq!(boxed(&editor, "r1").x - boxed(&editor, "row").x, 28.0, "placed again");
    let before = editor.document().clone();
    act(&mut editor, &["r1"], ArrangeAct::Nudge(Arrow::Down, 1)).unwrap();
    assert_eq!(*editor.document(), before, "across the row there is nowhere to go");
}

#[test]
fn an_arrow_passes_what_auto_layout_does_not_place_together_with_the_next() {
    let mut editor = screen();
    act(&mut editor, &["r2"], ArrangeAct::ToggleVisible).unwrap();
    act(&mut editor, &["r1"], ArrangeAct::Nudge(Arrow::Right, 1)).unwrap();
    assert_eq!(children(&editor, "row"), ["r2", "r3", "r1"]);
    assert_eq!(boxed(&editor, "r3").x, boxed(&editor, "row").x, "it is seen");
    act(&mut editor, &["r1"], ArrangeAct::Nudge(Arrow::Left, 1)).unwrap();
    assert_eq!(children(&editor, "row"), ["r2", "r1", "r3"]);
    // Nothing is placed before it.
    let before = editor.document().clone();
    act(&mut editor, &["r1"], ArrangeAct::Nudge(Arrow::Left, 1)).unwrap();
    assert_eq!(*editor.document(), before);
    // Two that stand together stay together.
    act(&mut editor, &["r2"], ArrangeAct::ToggleVisible).unwrap();
    act(&mut editor, &["r2", "r1"], ArrangeAct::Nudge(Arrow::Right, 1)).unwrap();
    assert_eq!(children(&editor, "row"), ["r3", "r2", "r1"]);
}

#[test]
fn what_lies_in_nothing_is_not_put_in_line_alone() {
    let document = Document::from_nodes([
        node("page", NodeKind::Canvas, None, [0.0; 4]),
        node("one", NodeKind::Frame, Some("page"), [50.0, 60.0, 100.0, 100.0]),
        node("two", NodeKind::Frame, Some("page"), [250.0, 80.0, 100.0, 100.0]),
    ]);
    for mut editor in [screen(), Editor::new(document.unwrap())] {
        let before = editor.document().clone();
        let id = editor.document().main_frame().unwrap().id.clone();
        let why = act(&mut editor, &[id.as_str()], ArrangeAct::Align(AlignTo::Left)).unwrap_err();
        assert!(why.to_string().ends_with("this one lies in nothing"), "{why}");
        assert_eq!(*editor.document(), before);
    }
}

#[test]
fn arrows_with_ctrl_resize_and_fix_what_hugs() {
    let mut editor = screen();
    let was = boxed(&editor, "row");
    act(&mut editor, &["row", "a"], ArrangeAct::Resize(Arrow::Right, 10)).unwrap();
    assert_eq!(boxed(&editor, "row").width, was.width + 10.0);
    assert_eq!(boxed(&editor, "a"), Rect::new(10.0, 10.0, 50.0, 20.0));
    let row = editor.document().sizing(&"row".into(), Direction::Horizontal);
    assert_eq!(row, Sizing::Fixed);
    for _ in 0..9 {
        act(&mut editor, &["a"], ArrangeAct::Resize(Arrow::Up, 10)).unwrap();
    }
    assert_eq!(boxed(&editor, "a").height, 1.0, "not through nothing");
}

#[test]
fn a_text_that_is_widened_by_arrows_goes_on_following_its_lines() {
    let mut words = TextContent { characters: "word".to_owned(), ..TextContent::default() };
    words.style.auto_resize = AutoResize::WidthAndHeight;
    let kind = NodeKind::Text(Box::new(words));
    let mut words = node("words", kind, Some("screen"), [10.0, 10.0, 40.0, 20.0]);
    words.layout_item.horizontal = Some(Sizing::Hug);
    words.layout_item.vertical = Some(Sizing::Hug);
    let screen = node("screen", NodeKind::Frame, None, [0.0, 0.0, 400.0, 300.0]);
    let document = Document::from_nodes([screen, words]).unwrap();
    let resizing = |editor: &Editor| {
        let node = editor.document().get(&"words".into()).unwrap();
        (node.text().unwrap().style.auto_resize, node.size)
    };
    let mut editor = Editor::new(document.clone());
    act(&mut editor, &["words"], ArrangeAct::Resize(Arrow::Right, 10)).unwrap();
    assert_eq!(resizing(&editor), (AutoResize::Height, Size::new(50.0, 20.0)));
    act(&mut editor, &["words"], ArrangeAct::Resize(Arrow::Down, 10)).unwrap();
    assert_eq!(resizing(&editor), (AutoResize::None, Size::new(50.0, 30.0)));
    let mut editor = Editor::new(document);
    act(&mut editor, &["words"], ArrangeAct::Resize(Arrow::Down, 10)).unwrap();
    assert_eq!(resizing(&editor), (AutoResize::None, Size::new(40.0, 30.0)));
}

#[test]
fn auto_layout_is_told_from_the_places_and_leaves_them() {
    let mut editor = screen();
    let before = ["a", "b", "c"].map(|id| boxed(&editor, id));
    act(&mut editor, &["b", "a"], ArrangeAct::AddAutoLayout).unwrap();
    let frame = only(&editor);
    let layout = editor.document().get(&frame).unwrap().auto_layout.clone().unwrap();
    assert_eq!((layout.direction, layout.item_spacing), (Direction::Horizontal, 50.0));
    assert_eq!(children(&editor, frame.as_str()), ["a", "b"]);
    assert_eq!(boxed(&editor, "a"), before[0]);
    assert_eq!(boxed(&editor, "b").x, before[1].x);
    let laid_out = ["a", "b", "c"].map(|id| boxed(&editor, id));
    again(&mut editor, ArrangeAct::RemoveAutoLayout).unwrap();
    assert!(editor.document().get(&frame).unwrap().auto_layout.is_none());
    assert_eq!(["a", "b", "c"].map(|id| boxed(&editor, id)), laid_out);
    // Further down and out of order.
    let mut editor = screen();
    act(&mut editor, &["c", "a"], ArrangeAct::AddAutoLayout).unwrap();
    assert_eq!(children(&editor, only(&editor).as_str()), ["a", "c"]);
}

#[test]
fn a_frame_keeps_its_size_and_its_content_its_place_with_auto_layout() {
    let mut editor = screen();
    act(&mut editor, &["a", "b"], ArrangeAct::Frame).unwrap();
    let frame = only(&editor);
    let before = ["a", frame.as_str()].map(|id| boxed(&editor, id));
    again(&mut editor, ArrangeAct::AddAutoLayout).unwrap();
    assert_eq!(only(&editor), frame, "no other around it");
    assert_eq!(["a", frame.as_str()].map(|id| boxed(&editor, id)), before);
    let layout = editor.document().get(&frame).unwrap().auto_layout.clone().unwrap();
    assert_eq!(layout.item_spacing, 50.0);
}

#[test]
fn what_is_mirrored_twice_is_as_it_was() {
    for axis in Axis::ALL {
        let mut editor = screen();
        let before = ["a", "b"].map(|id| boxed(&editor, id));
        act(&mut editor, &["a", "b"], ArrangeAct::Flip(axis)).unwrap();
        assert!(editor.document().get(&"a".into()).unwrap().transform.determinant() < 0.0);
        if axis == Axis::Horizontal {
            assert_eq!((boxed(&editor, "a").right(), boxed(&editor, "b").x), (130.0, 10.0));
        }
        again(&mut editor, ArrangeAct::Flip(axis)).unwrap();
        assert_eq!(["a", "b"].map(|id| boxed(&editor, id)), before);
    }
}

#[test]
fn two_digits_are_one_step() {
    let mut editor = screen();
    for (percent, goes_on) in [(50, false), (55, true), (10, false)] {
        act(&mut editor, &["a"], ArrangeAct::Opacity { percent, goes_on }).unwrap();
    }
    assert_eq!(editor.undoable(), (2, 0));
    undo(&mut editor);
    assert_eq!(editor.document().get(&"a".into()).unwrap().opacity, 0.55);
}

#[test]
fn eyes_and_locks_are_switched_together() {
    let mut editor = screen();
    let start = editor.document().clone();
    for what in [ArrangeAct::ToggleVisible, ArrangeAct::ToggleLocked] {
        act(&mut editor, &["a"], what).unwrap();
        act(&mut editor, &["a", "b"], what).unwrap();
        let shown = ["a", "b"].map(|id| editor.document().get(&id.into()).unwrap().clone());
        let are_on = shown.iter().all(|node| !node.visible || node.locked);
        assert!(are_on, "{what:?}");
        act(&mut editor, &["a", "b"], what).unwrap();
    }
    assert_eq!(*editor.document(), start);
}

#[test]
fn undoing_selects_what_was_selected_before_and_doing_again_what_came_of_it() {
    let mut editor = screen();
    act(&mut editor, &["a", "b"], ArrangeAct::Group).unwrap();
    let made = only(&editor);
    act(&mut editor, &["c"], ArrangeAct::Nudge(Arrow::Left, 1)).unwrap();
    act(&mut editor, &["c"], ArrangeAct::Nudge(Arrow::Left, 1)).unwrap();
    select(&mut editor, &["d"]);
    undo(&mut editor);
    assert_eq!(editor.selection().nodes, ["c".into()]);
    undo(&mut editor);
    assert_eq!(editor.selection().nodes, ["a".into(), "b".into()]);
    editor.act(Act::Redo, &EditorContext { measure: &Boxes }).unwrap();
    assert_eq!(editor.selection().nodes, [made]);
}

#[test]
fn the_person_takes_back_and_what_is_done_again_is_whose_it_was() {
    let mut editor = screen();
    let mut other = editor.document().clone();
    let mut change = Transaction::begin(&mut other);
    change.update(&"a".into(), |node| node.opacity = 0.5).unwrap();
    let edit = change.commit();
    editor.take_in_by(Author::Assistant, "Opacity", &["a".into()], edit, None);
    act(&mut editor, &["b"], ArrangeAct::Nudge(Arrow::Left, 1)).unwrap();
    for what in [Act::Undo, Act::Undo, Act::Redo, Act::Redo] {
        editor.act(what, &EditorContext { measure: &Boxes }).unwrap();
    }
    let by: Vec<Author> = editor.take_steps().iter().map(|step| step.author).collect();
    let (person, assistant) = (Author::Person, Author::Assistant);
    assert_eq!(by, [assistant, person, person, person, assistant, person]);
}

#[test]
fn the_first_of_more_than_a_thousand_steps_is_taken_back() {
    let mut editor = screen();
    for step in 0..1_010 {
        let arrow = if step % 2 == 0 { Arrow::Left } else { Arrow::Down };
        let id = if step % 2 == 0 { "a" } else { "b" };
        act(&mut editor, &[id], ArrangeAct::Nudge(arrow, 1)).unwrap();
    }
    assert_eq!(editor.undoable(), (1_010, 0));
    for step in (0..1_010).rev() {
        undo(&mut editor);
        let id = if step % 2 == 0 { "a" } else { "b" };
        assert_eq!(editor.selection().nodes, [id.into()]);
    }
    assert_eq!(editor.document(), screen().document());
}

#[test]
fn what_auto_layout_places_is_not_put_in_line() {
    let mut editor = screen();
    let why = act(&mut editor, &["r1", "r2"], ArrangeAct::Align(AlignTo::Left)).unwrap_err();
    assert_eq!(why.to_string(), "auto layout places what is selected");
    act(&mut editor, &["a", "b"], ArrangeAct::Align(AlignTo::Top)).unwrap();
    assert_eq!(boxed(&editor, "b").y, 10.0);
}

#[test]
fn what_is_locked_stays_while_others_are_put_in_order() {
    let mut start = screen();
    act(&mut start, &["b"], ArrangeAct::ToggleLocked).unwrap();
    // Each act moves one of them at least.
    let ids = ["a", "b", "c", "d", "row"];
    let sides = [
        AlignTo::Left,
        AlignTo::HorizontalCenter,
        AlignTo::Right,
        AlignTo::Top,
        AlignTo::VerticalCenter,
        AlignTo::Bottom,
    ];
    let aligned = sides.map(ArrangeAct::Align);
    let along = Axis::ALL
        .into_iter()
        .flat_map(|axis| [ArrangeAct::Distribute(axis), ArrangeAct::Flip(axis)]);
    for what in aligned.into_iter().chain(along).chain([ArrangeAct::TidyUp]) {
        let mut editor = start.clone();
        let before = ids.map(|id| editor.document().get(&id.into()).unwrap().transform);
        act(&mut editor, &ids, what).unwrap();
        let after = ids.map(|id| editor.document().get(&id.into()).unwrap().transform);
        assert_eq!(after[1], before[1], "{what:?}");
        assert_ne!(after, before, "{what:?}");
        let why = act(&mut editor, &["b"], what).unwrap_err();
        assert_eq!(why.to_string(), "what is selected is locked", "{what:?}");
    }
}

fn selected(editor: &mut Editor, what: SelectAct) -> Vec<String> {
    editor.act(Act::Select(what), &EditorContext { measure: &Boxes }).unwrap();
    editor.selection().nodes.iter().map(ToString::to_string).collect()
}

#[test]
fn siblings_that_are_locked_or_hidden_are_passed_over() {
    let mut editor = screen();
    act(&mut editor, &["b"], ArrangeAct::ToggleLocked).unwrap();
    act(&mut editor, &["row"], ArrangeAct::ToggleVisible).unwrap();
    select(&mut editor, &[]);
    assert_eq!(selected(&mut editor, SelectAct::Siblings), ["a", "group"]);
    select(&mut editor, &["a"]);
    assert_eq!(selected(&mut editor, SelectAct::Inverse), ["group"]);
    // Around, and from one that the tree of layers selected.
    for (from, by, to) in [
        ("a", 1, "group"),
        ("group", 1, "a"),
        ("a", -1, "group"),
        ("b", 1, "group"),
        ("b", -1, "a"),
    ] {
        select(&mut editor, &[from]);
        assert_eq!(selected(&mut editor, SelectAct::SiblingBy(by)), [to], "from {from} by {by}");
    }
}

#[test]
fn what_is_locked_stays_while_others_are_deleted() {
    let mut editor = screen();
    act(&mut editor, &["b"], ArrangeAct::ToggleLocked).unwrap();
    act(&mut editor, &["a", "b"], ArrangeAct::Delete).unwrap();
    assert_eq!(children(&editor, "screen"), ["b", "group", "row"]);
    let why = act(&mut editor, &["b"], ArrangeAct::Delete).unwrap_err();
    assert_eq!(why.to_string(), "what is selected is locked");
    let cut = Act::Clipboard(ClipboardAct::Cut);
    assert!(editor.act(cut, &EditorContext { measure: &Boxes }).is_err());
}

#[test]
fn flattened_shapes_have_the_look_of_the_topmost() {
    let mut editor = screen();
    let paint = Paint::solid(crate::base::Rgba::BLACK);
    let context = EditorContext { measure: &Boxes };
    let fills = vec![paint.clone()];
    editor
        .edit("Fill", &["b".into()], &context, |change| {
            change.update(&"b".into(), |node| node.fills = fills)
        })
        .unwrap();
    act(&mut editor, &["a", "b"], ArrangeAct::Flatten).unwrap();
    assert_eq!(editor.document().get(&only(&editor)).unwrap().fills, [paint]);
}

fn any_act() -> impl Strategy<Value = ArrangeAct> {
    let arrow = prop::sample::select(vec![Arrow::Left, Arrow::Right, Arrow::Up, Arrow::Down]);
    let axis = || prop::sample::select(Axis::ALL.to_vec());
    let operation = prop::sample::select(vec![BooleanOp::Union, BooleanOp::Subtract]);
    let order = prop::sample::select(vec![
        OrderTo::Front,
        OrderTo::Back,
        OrderTo::Forward,
        OrderTo::Backward,
    ]);
    let plain = prop::sample::select(vec![
        ArrangeAct::Delete,
        ArrangeAct::Duplicate,
        ArrangeAct::Group,
        ArrangeAct::Ungroup,
        ArrangeAct::Frame,
        ArrangeAct::Mask,
        ArrangeAct::Flatten,
        ArrangeAct::TidyUp,
        ArrangeAct::AddAutoLayout,
        ArrangeAct::RemoveAutoLayout,
        ArrangeAct::ToggleVisible,
        ArrangeAct::ToggleLocked,
    ]);
    prop_oneof![
        6 => plain,
        1 => operation.prop_map(ArrangeAct::Combine),
        1 => order.prop_map(ArrangeAct::Order),
        1 => axis().prop_map(ArrangeAct::Flip),
        1 => axis().prop_map(ArrangeAct::Distribute),
        2 => (arrow, 1..20_u16, any::<bool>()).prop_map(|(arrow, by, resizes)| {
            if resizes { ArrangeAct::Resize(arrow, by) } else { ArrangeAct::Nudge(arrow, by) }
        }),
    ]
}

proptest! {
    /// Every act is undone to the same bits, done again to the same end, and one that is refused changes nothing.
    #[test]
    fn every_act_has_its_inverse(
        acts in prop::collection::vec((any_act(), 0..50_usize, 1..4_usize), 1..8),
    ) {
        let mut editor = screen();
        for (what, first, count) in acts {
            let nodes = editor.document().iter_depth_first();
            let ids: Vec<String> = nodes.map(|node| node.id.to_string()).collect();
            let picked = ids.iter().cycle().skip(first).step_by(2).take(count);
            let ids: Vec<&str> = picked.map(String::as_str).collect();
            let (before, steps) = (editor.document().clone(), editor.undoable().0);
            if act(&mut editor, &ids, what).is_err() {
                prop_assert_eq!(editor.document(), &before, "{:?} was refused", what);
                continue;
            }
            let after = editor.document().clone();
            // Nothing to do is no step; more of a burst is none of its own.
            if editor.undoable().0 <= steps {
                continue;
            }
            undo(&mut editor);
            prop_assert_eq!(editor.document(), &before, "{:?} was undone", what);
            editor.act(Act::Redo, &EditorContext { measure: &Boxes }).unwrap();
            prop_assert_eq!(editor.document(), &after, "{:?} was done again", what);
        }
    }
}
