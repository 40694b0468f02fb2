use super::*;
use crate::base::{Affine, Pixels, Point, Rgba, Size};
use crate::design::{AutoResize, Document, NoTexts, NodeId, NodeKind, Paint, SquareLetters, figma};
use crate::editor::act::Act;
use crate::editor::arrange::ArrangeAct;
use crate::editor::components::ComponentAct;
use crate::editor::selection::SelectAct;
use serde_json::{Value, json};

const CONTEXT: EditorContext<'_> = EditorContext { measure: &SquareLetters };
const SEEN: Option<Rect> = Some(Rect::new(0.0, 0.0, 400.0, 300.0));

fn node(id: &str, kind: NodeKind, parent: Option<&str>, [x, y, w, h]: [f64; 4]) -> Node {
    let mut node = Node::new(id.into(), id, kind);
    node.parent = parent.map(NodeId::from);
    (node.transform, node.size) = (Affine::translate(x, y), Size::new(w, h));
    node
}

fn screen() -> Editor {
    let document = Document::from_nodes([
        node("screen", NodeKind::Frame, None, [50.0, 60.0, 400.0, 300.0]),
        node("card", NodeKind::Frame, Some("screen"), [100.0, 100.0, 100.0, 100.0]),
        node("a", NodeKind::Rectangle, Some("card"), [10.0, 10.0, 40.0, 20.0]),
        node("b", NodeKind::Rectangle, Some("screen"), [10.0, 20.0, 30.0, 30.0]),
    ]);
    Editor::new(document.unwrap())
}

fn select(editor: &mut Editor, ids: &[&str]) {
    let ids = ids.iter().map(|id| NodeId::from(*id)).collect();
    editor.act(Act::Select(SelectAct::Only(ids)), &CONTEXT).unwrap();
}

fn copied(editor: &mut Editor, ids: &[&str]) -> Arc<Fragment> {
    select(editor, ids);
    Arc::new(editor.copied().unwrap())
}

fn paste(
    editor: &mut Editor,
    fragment: &Arc<Fragment>,
    place: PastePlace,
    visible: Option<Rect>,
) -> Result<NodeId, EditorError> {
    let act = ClipboardAct::Paste { fragment: Arc::clone(fragment), place, visible };
    editor.act(Act::Clipboard(act), &CONTEXT)?;
    Ok(editor.selection().nodes[0].clone())
}

#[test]
fn what_is_pasted_lies_where_it_was_copied_from_beside_what_is_selected() {
    let mut editor = screen();
    let start = editor.document().clone();
    let fragment = copied(&mut editor, &["card"]);
    let pasted = paste(&mut editor, &fragment, PastePlace::Beside, SEEN).unwrap();
    let document = editor.document();
    let boxes = [&pasted, &"card".into()].map(|id| document.absolute_box(id).unwrap());
    assert_eq!(boxes[0], boxes[1]);
    let siblings = document.children_of(Some(&"screen".into())).to_vec();
    assert_eq!(siblings, ["card".into(), pasted.clone(), "b".into()], "right above");
    assert_eq!(document.subtree(&pasted).count(), 2, "with what is in it");
    // Nothing selected: on top of the screen.
    select(&mut editor, &[]);
    let top = paste(&mut editor, &fragment, PastePlace::Beside, SEEN).unwrap();
    assert_eq!(editor.document().children_of(Some(&"screen".into())).last(), Some(&top));
    // Beside one in a card: in the card.
    select(&mut editor, &["a"]);
    let inside = paste(&mut editor, &fragment, PastePlace::Beside, SEEN).unwrap();
    assert_eq!(editor.document().get(&inside).unwrap().parent, Some("card".into()));
    for _ in 0..3 {
        editor.act(Act::Undo, &CONTEXT).unwrap();
    }
    assert_eq!(*editor.document(), start);
}

#[test]
fn beside_the_screen_itself_is_on_top_of_it_and_not_on_the_page() {
    let document = Document::from_nodes([
        node("page", NodeKind::Canvas, None, [0.0; 4]),
        node("screen", NodeKind::Frame, Some("page"), [50.0, 60.0, 400.0, 300.0]),
        node("b", NodeKind::Rectangle, Some("screen"), [10.0, 20.0, 30.0, 30.0]),
    ]);
    let mut editor = Editor::new(document.unwrap());
    let fragment = copied(&mut editor, &["b"]);
    select(&mut editor, &["screen"]);
    let pasted = paste(&mut editor, &fragment, PastePlace::Beside, SEEN).unwrap();
    assert_eq!(editor.document().get(&pasted).unwrap().parent, Some("screen".into()));
}

#[test]
fn on_a_page_it_is_pasted_into_the_frame_that_is_selected_or_seen() {
    let document = Document::from_nodes([
        node("page", NodeKind::Canvas, None, [0.0; 4]),
        node("screen", NodeKind::Frame, Some("page"), [0.0, 0.0, 400.0, 300.0]),
        node("dot", NodeKind::Rectangle, Some("screen"), [10.0, 20.0, 30.0, 30.0]),
        node("detail", NodeKind::Frame, Some("page"), [1000.0, 0.0, 400.0, 300.0]),
    ]);
    let mut editor = Editor::new(document.unwrap());
    let dot = copied(&mut editor, &["dot"]);
    let put = |editor: &mut Editor, fragment: &Arc<Fragment>, selected: &[&str], x: f64| {
        select(editor, selected);
        let seen = Some(Rect::new(x, 0.0, 400.0, 300.0));
        let pasted = paste(editor, fragment, PastePlace::Beside, seen).unwrap();
        let parent = editor.document().get(&pasted).unwrap().parent.clone().unwrap();
        (parent.to_string(), editor.document().absolute_box(&pasted).unwrap().origin())
    };
    let there = Point::new(1185.0, 135.0);
    let cases: [(&[&str], f64, &str, Point); 5] = [
        (&["detail"], 1000.0, "detail", there),
        (&[], 1000.0, "detail", there),
        (&[], 5000.0, "page", Point::new(5185.0, 135.0)),
        (&[], 0.0, "screen", Point::new(10.0, 20.0)),
        (&["screen"], 0.0, "screen", Point::new(10.0, 20.0)),
    ];
    for (selected, x, parent, at) in cases {
        assert_eq!(put(&mut editor, &dot, selected, x), (parent.to_owned(), at), "{selected:?}");
    }
    // A copy of a frame lies beside it.
    let detail = copied(&mut editor, &["detail"]);
    assert_eq!(put(&mut editor, &detail, &["detail"], 1000.0).0, "page");
}

#[test]
fn the_frame_in_the_middle_comes_before_the_screen_and_none_that_is_locked_takes_anything() {
    let cases: [(&[&str], Option<&str>, &str); 6] = [
        (&[], None, "detail"),
        (&["detail"], None, "screen"),
        (&["screen"], None, "detail"),
        (&["screen", "detail"], None, "page"),
        (&[], Some("detail"), "detail"),
        (&["detail"], Some("detail"), "page"),
    ];
    for (locked, selected, parent) in cases {
        let mut nodes = [
            node("page", NodeKind::Canvas, None, [0.0; 4]),
            node("screen", NodeKind::Frame, Some("page"), [0.0, 0.0, 400.0, 300.0]),
            node("dot", NodeKind::Rectangle, Some("screen"), [10.0, 20.0, 30.0, 30.0]),
            node("detail", NodeKind::Frame, Some("page"), [450.0, 0.0, 400.0, 300.0]),
        ];
        for node in &mut nodes {
            node.locked = locked.contains(&node.name.as_str());
        }
        let mut editor = Editor::new(Document::from_nodes(nodes).unwrap());
        let dot = copied(&mut editor, &["dot"]);
        select(&mut editor, selected.as_slice());
        // One unit of the screen is seen.
        let seen = Some(Rect::new(399.0, 0.0, 500.0, 300.0));
        let pasted = paste(&mut editor, &dot, PastePlace::Beside, seen).unwrap();
        let lies_in = editor.document().get(&pasted).unwrap().parent.clone();
        assert_eq!(lies_in, Some(parent.into()), "{locked:?}, {selected:?}");
    }
}

#[test]
fn a_locked_screen_takes_nothing_that_is_pasted_on_no_page_either() {
    for (locked, parent) in [(false, Some(NodeId::from("screen"))), (true, None)] {
        let mut nodes = [
            node("screen", NodeKind::Frame, None, [50.0, 60.0, 400.0, 300.0]),
            node("b", NodeKind::Rectangle, Some("screen"), [10.0, 20.0, 30.0, 30.0]),
        ];
        nodes[0].locked = locked;
        let mut editor = Editor::new(Document::from_nodes(nodes).unwrap());
        let fragment = copied(&mut editor, &["b"]);
        select(&mut editor, &[]);
        for visible in [None, SEEN] {
            let pasted = paste(&mut editor, &fragment, PastePlace::Beside, visible).unwrap();
            assert_eq!(editor.document().get(&pasted).unwrap().parent, parent, "{visible:?}");
            select(&mut editor, &[]);
        }
    }
}

#[test]
fn what_would_not_be_seen_is_pasted_in_the_middle_of_what_is() {
    let mut editor = screen();
    let fragment = copied(&mut editor, &["b"]);
    let seen = Some(Rect::new(1000.0, 1000.0, 100.0, 101.0));
    let pasted = paste(&mut editor, &fragment, PastePlace::Beside, seen).unwrap();
    let at = editor.document().absolute_box(&pasted).unwrap();
    assert_eq!(at, Rect::new(1035.0, 1036.0, 30.0, 30.0), "at whole numbers");
    select(&mut editor, &["a"]);
    let over = paste(&mut editor, &fragment, PastePlace::OverSelection, seen).unwrap();
    let at = editor.document().absolute_box(&over).unwrap();
    assert_eq!(at.origin(), editor.document().absolute_box(&"a".into()).unwrap().origin());
}

#[test]
fn what_is_copied_goes_as_json_and_comes_back() {
    let mut editor = screen();
    for ids in [vec!["card"], vec!["card", "b"]] {
        let fragment = copied(&mut editor, &ids);
        let json: Value = serde_json::from_str(&fragment.to_json()).unwrap();
        let read = figma::from_json(json).unwrap().document;
        let back = Fragment::of_design(&read).unwrap();
        assert_eq!(back.bounds(), fragment.bounds());
        assert_eq!(back.document().len(), fragment.document().len());
    }
}

#[test]
fn of_a_file_what_is_on_its_pages_is_pasted() {
    let rectangle = |id: &str, x: f64| {
        json!({
            "id": id, "name": id, "type": "RECTANGLE",
            "absoluteBoundingBox": { "x": x, "y": 5, "width": 10, "height": 10 },
        })
    };
    let page = json!({
        "id": "0:1", "name": "Page 1", "type": "CANVAS",
        "children": [rectangle("1:1", 5.0), rectangle("1:2", 25.0)],
    });
    let file = json!({ "document": { "id": "0:0", "type": "DOCUMENT", "children": [page] } });
    let read = figma::from_json(file).unwrap().document;
    let fragment = Fragment::of_design(&read).unwrap();
    assert_eq!(fragment.document().len(), 2);
    let mut editor = screen();
    paste(&mut editor, &Arc::new(fragment), PastePlace::Beside, SEEN).unwrap();
    assert_eq!(editor.selection().nodes.len(), 2);
    let entered = editor.document().children_of(Some(&"screen".into()));
    assert_eq!(entered.len(), 4);
}

#[test]
fn what_cannot_be_pasted_says_why() {
    let page = json!({ "id": "0:2", "type": "CANVAS", "children": [] });
    let hidden_page = json!({ "id": "1:1", "type": "FRAME", "children": [page],
        "absoluteBoundingBox": { "x": 0, "y": 0, "width": 10, "height": 10 } });
    let placeless = json!({ "id": "1:1", "type": "RECTANGLE", "absoluteBoundingBox": null });
    for (json, why) in [
        (hidden_page, "there is a page within a layer of it"),
        (placeless, "there is nothing with a place"),
    ] {
        let read = figma::from_json(json).unwrap().document;
        assert_eq!(Fragment::of_design(&read).unwrap_err().to_string(), why);
    }
    let many = (0..=MOST_PASTED)
        .map(|at| node(&format!("1:{at}"), NodeKind::Rectangle, None, [0.0, 0.0, 1.0, 1.0]));
    let many = Document::from_nodes(many).unwrap();
    let why = Fragment::of_design(&many).unwrap_err().to_string();
    assert_eq!(why, "it has 20001 layers, 20000 at most are pasted");
    assert!(screen().copied().is_err(), "nothing is selected");
}

#[test]
fn what_would_nest_too_deep_is_not_pasted_at_all() {
    let levels = (0..127).map(|level: usize| {
        let around = level.checked_sub(1).map(|level| format!("level {level}"));
        let id = format!("level {level}");
        node(&id, NodeKind::Frame, around.as_deref(), [0.0, 0.0, 10.0, 10.0])
    });
    let fragment = Fragment::of_design(&Document::from_nodes(levels).unwrap()).unwrap();
    let mut editor = screen();
    let start = editor.document().clone();
    select(&mut editor, &["a"]);
    let why = paste(&mut editor, &Arc::new(fragment), PastePlace::Beside, SEEN).unwrap_err();
    assert!(why.to_string().contains("nest too deep"), "{why}");
    assert_eq!((editor.document(), editor.undoable()), (&start, (0, 0)));
}

#[test]
fn a_picture_is_pasted_where_people_look_with_its_pixels() {
    let mut editor = screen();
    let picture = Arc::new(Pixels::filled(20, 10, [1, 2, 3, 255]).unwrap());
    let fragment = Arc::new(Fragment::of_picture("hash", Arc::clone(&picture)).unwrap());
    let pasted = paste(&mut editor, &fragment, PastePlace::Beside, SEEN).unwrap();
    let at = editor.document().absolute_box(&pasted).unwrap();
    assert_eq!(at, Rect::new(190.0, 145.0, 20.0, 10.0));
    assert_eq!(editor.document().images().get("hash"), Some(&picture));
    let steps = editor.take_steps();
    assert_eq!(steps[0].after.images().get("hash"), Some(&picture), "recorded with it");
}

#[test]
fn plain_text_becomes_a_text_that_is_named_by_its_first_line() {
    let fragment =
        Fragment::of_text("\u{feff}\r\n Two\twords \r\nand\u{7} a line\r\n\r\n", &SquareLetters);
    let fragment = Arc::new(fragment.unwrap());
    let mut editor = screen();
    let start = editor.document().clone();
    let pasted = paste(&mut editor, &fragment, PastePlace::Beside, SEEN).unwrap();
    let node = editor.document().get(&pasted).unwrap();
    let text = node.text().unwrap();
    assert_eq!(text.characters, "\n Two\twords \nand a line");
    assert_eq!(
        (node.name.as_str(), text.style.auto_resize),
        ("Two words", AutoResize::WidthAndHeight)
    );
    assert_eq!(node.fills, [Paint::solid(Rgba::BLACK)]);
    let at = editor.document().absolute_box(&pasted).unwrap().center();
    assert!(
        (at.x - 200.0).abs() <= 1.0 && (at.y - 150.0).abs() <= 1.0,
        "where people look: {at:?}"
    );
    editor.act(Act::Undo, &CONTEXT).unwrap();
    assert_eq!(*editor.document(), start);
}

#[test]
fn only_a_long_text_breaks_its_lines() {
    // Letters are 12 units wide.
    for (letters, resize, width) in
        [(53, AutoResize::WidthAndHeight, 636.0), (54, AutoResize::Height, 640.0)]
    {
        let fragment = Fragment::of_text(&"a".repeat(letters), &SquareLetters).unwrap();
        let node = fragment.document().iter_depth_first().next().unwrap();
        let style = &node.text().unwrap().style;
        assert_eq!((style.auto_resize, node.size.width), (resize, width));
        assert_eq!(node.name.len(), letters.min(60));
    }
}

#[test]
fn a_text_with_nothing_in_it_or_too_much_is_not_pasted() {
    let long = "a".repeat(MOST_PASTED_CHARACTERS + 1);
    for (text, why) in [
        ("", "there is nothing to be read in the text"),
        (" \r\n\u{0}\u{7f} ", "there is nothing to be read in the text"),
        (long.as_str(), "the text has 100001 characters, 100000 at most are pasted"),
    ] {
        assert_eq!(Fragment::of_text(text, &SquareLetters).unwrap_err().to_string(), why);
    }
    assert!(Fragment::of_text(&long[1..], &SquareLetters).is_ok());
}

#[test]
fn in_a_parent_that_cuts_it_is_pasted_where_it_is_seen() {
    let mut editor = screen();
    editor
        .edit("Clip", &["card".into()], &CONTEXT, |change| {
            change.update(&"card".into(), |node| node.clips_content = true)
        })
        .unwrap();
    let text = Arc::new(Fragment::of_text("Hi", &SquareLetters).unwrap());
    select(&mut editor, &["a"]);
    // The card lies at 150, 160 and is 100 wide and high.
    let seen = [(SEEN, [200.0, 210.0]), (Some(Rect::new(0.0, 0.0, 200.0, 900.0)), [175.0, 210.0])];
    let beside = (Some(Rect::new(900.0, 0.0, 200.0, 200.0)), [200.0, 210.0]);
    for (visible, [x, y]) in seen.into_iter().chain([beside]) {
        let pasted = paste(&mut editor, &text, PastePlace::Beside, visible).unwrap();
        let document = editor.document();
        assert_eq!(document.get(&pasted).unwrap().parent, Some("card".into()));
        let at = document.absolute_box(&pasted).unwrap().center();
        assert!((at.x - x).abs() <= 1.0 && (at.y - y).abs() <= 1.0, "{visible:?}: {at:?}");
        select(&mut editor, &["a"]);
    }
}

#[test]
fn a_picture_that_is_too_large_does_not_go_along() {
    let picture = |width| Arc::new(Pixels::filled(width, 1024, [1, 2, 3, 255]).unwrap());
    let large = Fragment::of_picture("large", picture(2049)).unwrap();
    let mut json = figma::to_json(large.document());
    let before = json.clone();
    assert_eq!(carry_pictures(&mut json, large.document(), CarryLimits::AT_ONCE), 1);
    assert_eq!(json, before);
    let small = Fragment::of_picture("small", picture(1)).unwrap();
    let mut json = figma::to_json(small.document());
    assert_eq!(carry_pictures(&mut json, small.document(), CarryLimits::AT_ONCE), 0);
    let pictures = take_carried(&mut json);
    assert_eq!((pictures.len(), &json), (1, &figma::to_json(small.document())));
    // Only what is shown is read.
    let mut other = screen().document().clone();
    assert!(add_carried(&mut other, &pictures).is_empty());
    assert_eq!(other.images().len(), 0);
}

#[test]
fn properties_are_the_look_and_not_the_place() {
    let mut editor = screen();
    let context = EditorContext { measure: &NoTexts };
    let red = Paint::solid(Rgba { r: 1.0, g: 0.0, b: 0.0, a: 1.0 });
    let fills = vec![red.clone()];
    editor
        .edit("Fill", &["a".into()], &context, |change| {
            change.update(&"a".into(), |node| (node.fills, node.opacity) = (fills, 0.5))
        })
        .unwrap();
    let from = editor.document().get(&"a".into()).unwrap().clone();
    let before = editor.document().absolute_box(&"b".into()).unwrap();
    select(&mut editor, &["b"]);
    let act = Act::Clipboard(ClipboardAct::PasteProperties(from));
    editor.act(act, &CONTEXT).unwrap();
    let after = editor.document().get(&"b".into()).unwrap();
    assert_eq!((after.fills.as_slice(), after.opacity), ([red].as_slice(), 0.5));
    assert_eq!(editor.document().absolute_box(&"b".into()).unwrap(), before);
    assert_eq!(after.name, "b");
}

#[test]
fn what_is_cut_is_gone_and_can_be_put_back() {
    let mut editor = screen();
    let fragment = copied(&mut editor, &["card", "b"]);
    editor.act(Act::Clipboard(ClipboardAct::Cut), &CONTEXT).unwrap();
    assert_eq!(editor.document().len(), 1);
    paste(&mut editor, &fragment, PastePlace::Beside, SEEN).unwrap();
    assert_eq!(editor.document().len(), 4);
    let names: Vec<&str> =
        editor.document().iter_depth_first().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["screen", "card", "a", "b"]);
}

/// The card as a component, and the ids of an instance of it and of the layer in that.
fn with_instance() -> (Editor, NodeId, NodeId) {
    let mut editor = screen();
    select(&mut editor, &["card"]);
    editor.act(Act::Component(ComponentAct::Create), &CONTEXT).unwrap();
    let at = Point::new(100.0, 100.0);
    let insert = ComponentAct::Insert { component: "card".into(), at };
    editor.act(Act::Component(insert), &CONTEXT).unwrap();
    let instance = editor.selection().nodes[0].clone();
    let layer = editor.document().children_of(Some(&instance)).to_vec()[0].clone();
    (editor, instance, layer)
}

#[test]
fn a_component_that_is_cut_and_pasted_is_the_same_and_its_instances_follow_it() {
    let (mut editor, instance, layer) = with_instance();
    let red = Paint::solid(Rgba { r: 1.0, g: 0.0, b: 0.0, a: 1.0 });
    let (start, steps) = (editor.document().clone(), editor.undoable().0);
    let fragment = copied(&mut editor, &["card"]);
    editor.act(Act::Clipboard(ClipboardAct::Cut), &CONTEXT).unwrap();
    assert!(editor.document().get(&"card".into()).is_none());
    let pasted = paste(&mut editor, &fragment, PastePlace::Beside, SEEN).unwrap();
    assert_eq!(pasted, "card".into());
    assert_eq!(editor.document().children_of(Some(&pasted)).to_vec(), ["a".into()]);
    let a = NodeId::from("a");
    editor
        .edit("Fill", &["a".into()], &CONTEXT, |change| {
            change.update(&a, |node| node.fills = vec![red.clone()])
        })
        .unwrap();
    let fills = &editor.document().get(&layer).unwrap().fills;
    assert_eq!(fills.as_slice(), std::slice::from_ref(&red), "{instance} follows");
    // There is one of that id by now: this is another component.
    let another = paste(&mut editor, &fragment, PastePlace::Beside, SEEN).unwrap();
    assert_ne!(another, "card".into());
    assert_eq!(editor.document().get(&another).unwrap().kind, NodeKind::Component);
    let end = editor.document().clone();
    while editor.undoable().0 > steps {
        editor.act(Act::Undo, &CONTEXT).unwrap();
    }
    assert_eq!(*editor.document(), start);
    while editor.undoable().1 > 0 {
        editor.act(Act::Redo, &CONTEXT).unwrap();
    }
    assert_eq!(*editor.document(), end);
}

#[test]
fn a_component_that_is_copied_and_deleted_is_another_one_when_it_is_pasted() {
    let (mut editor, ..) = with_instance();
    let fragment = copied(&mut editor, &["card"]);
    editor.act(Act::Arrange(ArrangeAct::Delete), &CONTEXT).unwrap();
    let pasted = paste(&mut editor, &fragment, PastePlace::Beside, SEEN).unwrap();
    assert_ne!(pasted, "card".into());
    // What is no component has a new id, cut here or not.
    let fragment = copied(&mut editor, &["b"]);
    editor.act(Act::Clipboard(ClipboardAct::Cut), &CONTEXT).unwrap();
    assert_ne!(paste(&mut editor, &fragment, PastePlace::Beside, SEEN).unwrap(), "b".into());
}
