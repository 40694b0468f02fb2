use proptest::prelude::*;

use super::*;
use crate::base::{Rect, Rgba};
use crate::design::{BooleanOp, NoTexts, Paint, TextContent, figma};
use crate::editor::{Act, LayerAct, PageAct, SelectAct, StyleAct, StyleKind, shared_styles};

pub(super) const CONTEXT: EditorContext<'_> = EditorContext { measure: &NoTexts };

pub(super) fn node(id: &str, kind: NodeKind, parent: &str, area: [f64; 4]) -> Node {
    let [x, y, width, height] = area;
    let parent = (!parent.is_empty()).then(|| NodeId::from(parent));
    let (transform, size) = (Affine::translate(x, y), Size::new(width, height));
    Node { parent, transform, size, ..Node::new(id.into(), id, kind) }
}

pub(super) fn text(id: &str, parent: &str, words: &str, area: [f64; 4]) -> Node {
    let content = TextContent { characters: words.to_owned(), ..TextContent::default() };
    node(id, NodeKind::Text(Box::new(content)), parent, area)
}

/// Screen › (ground, button › (plate, label)).
fn editor() -> Editor {
    let nodes = [
        node("page", NodeKind::Canvas, "", [0.0; 4]),
        node("screen", NodeKind::Frame, "page", [0.0, 0.0, 400.0, 400.0]),
        node("ground", NodeKind::Rectangle, "screen", [0.0, 0.0, 400.0, 400.0]),
        node("button", NodeKind::Frame, "screen", [20.0, 20.0, 100.0, 40.0]),
        node("plate", NodeKind::Rectangle, "button", [0.0, 0.0, 100.0, 40.0]),
        text("label", "button", "Buy", [10.0, 10.0, 50.0, 20.0]),
    ];
    Editor::new(Document::from_nodes(nodes).unwrap())
}

pub(super) fn act(editor: &mut Editor, act: ComponentAct) -> Result<(), EditorError> {
    editor.act(Act::Component(act), &CONTEXT)
}

pub(super) fn select(editor: &mut Editor, ids: &[&str]) {
    let ids = ids.iter().map(|id| NodeId::from(*id)).collect();
    editor.act(Act::Select(SelectAct::Only(ids)), &CONTEXT).unwrap();
}

/// The button as a component with an instance below it; gives the instance.
pub(super) fn with_instance() -> (Editor, NodeId) {
    let mut editor = editor();
    select(&mut editor, &["button"]);
    act(&mut editor, ComponentAct::Create).unwrap();
    let at = Point::new(70.0, 240.0);
    act(&mut editor, ComponentAct::Insert { component: "button".into(), at }).unwrap();
    let instance = editor.selection().only().unwrap().clone();
    (editor, instance)
}

pub(super) fn change(editor: &mut Editor, id: &NodeId, change: impl FnOnce(&mut Node)) {
    let nodes = [id.clone()];
    editor.edit("Change", &nodes, &CONTEXT, |it| it.update(id, change)).unwrap();
}

pub(super) fn fill(editor: &mut Editor, id: &NodeId, color: Rgba) {
    change(editor, id, |node| node.fills = vec![Paint::solid(color)]);
}

pub(super) fn fill_of(editor: &Editor, id: &NodeId) -> Option<Rgba> {
    editor.document().get(id)?.fills.first()?.solid_color()
}

pub(super) fn words_of(editor: &Editor, id: &NodeId) -> String {
    editor.document().get(id).unwrap().text().unwrap().characters.clone()
}

pub(super) const RED: Rgba = Rgba { r: 1.0, g: 0.0, b: 0.0, a: 1.0 };
pub(super) const BLUE: Rgba = Rgba { r: 0.0, g: 0.0, b: 1.0, a: 1.0 };

#[test]
fn layers_of_instances_follow_to_shared_styles_and_leave_them_with_their_component() {
    let (mut editor, instance) = with_instance();
    let own = NodeId::new(format!("I{instance};plate"));
    let plate = NodeId::new("plate");
    fill(&mut editor, &plate, RED);
    select(&mut editor, &["plate"]);
    let create = StyleAct::Create { kind: StyleKind::Fill, name: "Plate".to_owned() };
    editor.act(Act::Style(create), &CONTEXT).unwrap();
    let users = |editor: &Editor| shared_styles(editor.document()).remove(0).users;
    assert_eq!(users(&editor), [plate.clone(), own.clone()]);
    fill(&mut editor, &plate, BLUE);
    assert!(users(&editor).is_empty());
    assert_eq!(fill_of(&editor, &own), Some(BLUE));
    editor.act(Act::Undo, &CONTEXT).unwrap();
    assert_eq!(users(&editor), [plate, own]);
}

#[test]
fn a_frame_becomes_a_component_and_others_get_one_around_them() {
    let mut editor = editor();
    let before = editor.document().clone();
    select(&mut editor, &["button"]);
    act(&mut editor, ComponentAct::Create).unwrap();
    let document = editor.document();
    assert_eq!(document.get(&"button".into()).unwrap().kind, NodeKind::Component);
    assert!(document.envelope().fields["components"]["button"].is_object());
    editor.act(Act::Undo, &CONTEXT).unwrap();
    assert_eq!(*editor.document(), before);
    select(&mut editor, &["label", "plate"]);
    act(&mut editor, ComponentAct::Create).unwrap();
    let component = editor.selection().only().unwrap();
    let children = editor.document().children_of(Some(component)).to_vec();
    assert_eq!(children, ["plate", "label"].map(NodeId::from));
    for id in ["plate", "label"].map(NodeId::from) {
        assert_eq!(editor.document().absolute_box(&id), before.absolute_box(&id));
    }
    // None lies in another.
    select(&mut editor, &["plate"]);
    assert!(act(&mut editor, ComponentAct::Create).is_err());
    select(&mut editor, &["screen"]);
    assert!(act(&mut editor, ComponentAct::Create).is_err());
    select(&mut editor, &[]);
    assert!(act(&mut editor, ComponentAct::Create).is_err());
}

#[test]
fn what_only_held_others_goes_when_they_become_a_component() {
    let union = NodeKind::BooleanOperation(BooleanOp::Union);
    let nodes = [
        node("screen", NodeKind::Frame, "", [0.0, 0.0, 400.0, 400.0]),
        node("union", union, "screen", [10.0, 10.0, 20.0, 20.0]),
        node("dot", NodeKind::Rectangle, "union", [0.0, 0.0, 20.0, 20.0]),
        node("top", NodeKind::Rectangle, "screen", [50.0, 10.0, 20.0, 20.0]),
    ];
    let mut editor = Editor::new(Document::from_nodes(nodes).unwrap());
    select(&mut editor, &["top", "dot"]);
    act(&mut editor, ComponentAct::Create).unwrap();
    let component = editor.selection().only().unwrap();
    let document = editor.document();
    assert_eq!(document.children_of(Some(component)).to_vec(), ["dot", "top"].map(NodeId::from));
    assert_eq!(
        document.children_of(Some(&"screen".into())).to_vec(),
        std::slice::from_ref(component)
    );
    assert_eq!(document.absolute_box(component), Ok(Rect::new(10.0, 10.0, 60.0, 20.0)));
}

#[test]
fn an_instance_is_made_as_figma_writes_it() {
    let (editor, instance) = with_instance();
    let document = editor.document();
    let node = document.get(&instance).unwrap();
    assert_eq!(component_of(node), Some("button".into()));
    assert_eq!(document.absolute_box(&instance), Ok(Rect::new(20.0, 220.0, 100.0, 40.0)));
    let children = document.children_of(Some(&instance)).to_vec();
    let expected = ["plate", "label"].map(|id| NodeId::new(format!("I{instance};{id}")));
    assert_eq!(children, expected);
    let json = figma::node_to_json(document, &instance).unwrap();
    assert_eq!(json["type"], "INSTANCE");
    assert_eq!(json["componentId"], "button");
}

#[test]
fn an_instance_follows_its_component_but_for_what_was_changed_in_it() {
    let (mut editor, instance) = with_instance();
    let [plate, label] = ["plate", "label"].map(|id| NodeId::new(format!("I{instance};{id}")));
    fill(&mut editor, &"plate".into(), RED);
    assert_eq!(fill_of(&editor, &plate), Some(RED));
    // What is another in the instance stays.
    fill(&mut editor, &plate, BLUE);
    change(&mut editor, &label, |node| node.text_mut().unwrap().characters = "Sell".to_owned());
    fill(&mut editor, &"plate".into(), Rgba::WHITE);
    change(&mut editor, &"label".into(), |node| {
        node.text_mut().unwrap().characters = "Order".to_owned();
        node.opacity = 0.5;
    });
    assert_eq!(
        (fill_of(&editor, &plate), words_of(&editor, &label).as_str()),
        (Some(BLUE), "Sell")
    );
    assert_eq!(editor.document().get(&label).unwrap().opacity, 0.5);
    // One step back undoes both.
    editor.act(Act::Undo, &CONTEXT).unwrap();
    assert_eq!(editor.document().get(&label).unwrap().opacity, 1.0);
    assert_eq!(words_of(&editor, &"label".into()), "Buy");
}

#[test]
fn layers_come_go_and_change_their_order_with_the_component() {
    let (mut editor, instance) = with_instance();
    let names = |editor: &Editor| -> Vec<String> {
        let children = editor.document().children_of(Some(&instance));
        children
            .iter()
            .filter_map(|id| editor.document().get(id))
            .map(|it| it.name.clone())
            .collect()
    };
    let nodes = ["plate".into()];
    let icon = node("icon", NodeKind::Rectangle, "", [70.0, 10.0, 20.0, 20.0]);
    editor
        .edit("Add", &nodes, &CONTEXT, |it| it.insert(icon, Some(&"button".into()), Some(1)))
        .unwrap();
    assert_eq!(names(&editor), ["plate", "icon", "label"]);
    let to_back =
        LayerAct::MoveTo { nodes: vec!["label".into()], parent: Some("button".into()), index: 0 };
    editor.act(Act::Layer(to_back), &CONTEXT).unwrap();
    assert_eq!(names(&editor), ["label", "plate", "icon"]);
    editor.edit("Remove", &nodes, &CONTEXT, |it| it.remove(&"plate".into())).unwrap();
    assert_eq!(names(&editor), ["label", "icon"]);
    // The instance lies where it was.
    let area = editor.document().absolute_box(&instance).unwrap();
    assert_eq!((area.x, area.y), (20.0, 220.0));
}

#[test]
fn moving_the_component_moves_no_instance() {
    let (mut editor, instance) = with_instance();
    let before = editor.document().absolute_box(&instance);
    change(&mut editor, &"button".into(), |node| node.transform = Affine::translate(200.0, 9.0));
    assert_eq!(editor.document().absolute_box(&instance), before);
}

#[test]
fn a_detached_instance_follows_nothing() {
    let (mut editor, instance) = with_instance();
    let plate = NodeId::new(format!("I{instance};plate"));
    act(&mut editor, ComponentAct::Detach).unwrap();
    let node = editor.document().get(&instance).unwrap();
    assert_eq!((component_of(node), &node.kind), (None, &NodeKind::Frame));
    assert!(!node.source.contains_key("componentId"));
    fill(&mut editor, &"plate".into(), RED);
    assert_eq!(fill_of(&editor, &plate), None);
    assert!(act(&mut editor, ComponentAct::Detach).is_err(), "it is none any more");
}

#[test]
fn what_was_changed_is_reset_and_stays_when_swapped() {
    let (mut editor, instance) = with_instance();
    let label = NodeId::new(format!("I{instance};label"));
    change(&mut editor, &label, |node| node.text_mut().unwrap().characters = "Sell".to_owned());
    select(&mut editor, &["ground"]);
    act(&mut editor, ComponentAct::Create).unwrap();
    let other = editor.selection().only().unwrap().clone();
    let words = text("note", "", "Note", [0.0, 0.0, 50.0, 20.0]);
    let words = Node { name: "label".to_owned(), ..words };
    let nodes = [other.clone()];
    editor.edit("Add", &nodes, &CONTEXT, |it| it.insert(words, Some(&other), None)).unwrap();
    select(&mut editor, &[instance.as_str()]);
    act(&mut editor, ComponentAct::Swap(other.clone())).unwrap();
    let document = editor.document();
    assert_eq!(document.get(&instance).and_then(|node| component_of(node)), Some(other));
    let inside: Vec<&str> =
        document.subtree(&instance).filter_map(|it| Some(it.text()?.characters.as_str())).collect();
    assert_eq!(inside, ["Sell"]);
    act(&mut editor, ComponentAct::Reset).unwrap();
    let inside = editor.document().subtree(&instance);
    let inside: Vec<String> = inside.filter_map(|it| Some(it.text()?.characters.clone())).collect();
    assert_eq!(inside, ["Note"]);
}

#[test]
fn no_component_holds_an_instance_of_itself() {
    let (mut editor, _) = with_instance();
    let before = editor.document().clone();
    // In the middle of the screen there is no component; the screen as one would hold its own.
    for component in ["screen", "label", "absent"] {
        let at = Point::new(70.0, 40.0);
        let insert = ComponentAct::Insert { component: component.into(), at };
        assert!(act(&mut editor, insert).is_err(), "{component}");
    }
    assert_eq!(*editor.document(), before);
}

#[test]
fn an_instance_lies_in_the_frame_where_it_is_put_on_the_page_that_is_looked_at() {
    let nodes = [
        node("page", NodeKind::Canvas, "", [0.0; 4]),
        node("screen", NodeKind::Frame, "page", [0.0, 0.0, 200.0, 200.0]),
        node("detail", NodeKind::Frame, "page", [300.0, 0.0, 200.0, 200.0]),
        node("button", NodeKind::Component, "page", [600.0, 80.0, 40.0, 40.0]),
        node("other", NodeKind::Canvas, "", [0.0; 4]),
        node("far", NodeKind::Frame, "other", [0.0, 0.0, 200.0, 200.0]),
    ];
    let mut editor = Editor::new(Document::from_nodes(nodes).unwrap());
    let put = |editor: &mut Editor, x: f64| {
        let at = Point::new(x, 100.0);
        act(editor, ComponentAct::Insert { component: "button".into(), at }).unwrap();
        let made = editor.selection().only().unwrap();
        editor.document().get(made).unwrap().parent.clone().unwrap().to_string()
    };
    for (x, parent) in [(100.0, "screen"), (400.0, "detail"), (620.0, "page")] {
        assert_eq!(put(&mut editor, x), parent);
    }
    editor.act(Act::Page(PageAct::ShowBy(1)), &CONTEXT).unwrap();
    for (x, parent) in [(100.0, "far"), (400.0, "other")] {
        assert_eq!(put(&mut editor, x), parent);
    }
}

#[test]
fn an_instance_with_ids_of_its_own_follows_too() {
    let (mut editor, instance) = with_instance();
    let nodes = [instance.clone()];
    let mut copy = None;
    editor
        .edit("Duplicate", &nodes, &CONTEXT, |it| {
            copy = Some(it.duplicate(&instance)?);
            Ok(())
        })
        .unwrap();
    fill(&mut editor, &"plate".into(), RED);
    let plate = editor.document().children_of(copy.as_ref()).first().unwrap().clone();
    assert_eq!(fill_of(&editor, &plate), Some(RED));
}

#[test]
fn a_copied_component_is_an_instance() {
    let (mut editor, _) = with_instance();
    let nodes = ["button".into()];
    let mut copy = None;
    editor
        .edit("Duplicate", &nodes, &CONTEXT, |it| {
            copy = Some(it.duplicate(&"button".into())?);
            Ok(())
        })
        .unwrap();
    let copy = copy.unwrap();
    let node = editor.document().get(&copy).unwrap();
    assert_eq!(component_of(node), Some("button".into()));
    // One that is like none there is a component of its own.
    let other = node_of_size("other", 7.0);
    let add = |it: &mut Transaction<'_>| it.insert(other, Some(&"screen".into()), None);
    editor.edit("Paste", &nodes, &CONTEXT, add).unwrap();
    assert_eq!(editor.document().get(&"other".into()).unwrap().kind, NodeKind::Component);
}

fn node_of_size(id: &str, side: f64) -> Node {
    node(id, NodeKind::Component, "", [0.0, 0.0, side, side])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn undoing_all_gives_the_first_design_and_redoing_the_last(
        changes in prop::collection::vec((0..4usize, 0..3usize, 0.0..1.0f64), 1..12),
    ) {
        let (mut editor, instance) = with_instance();
        let start = editor.document().clone();
        let done = editor.undoable().0;
        let own = |id: &str| NodeId::new(format!("I{instance};{id}"));
        let nodes = ["plate".into(), "label".into(), own("plate"), own("label")];
        for (node, what, value) in changes {
            change(&mut editor, &nodes[node], |node| match what {
                0 => node.opacity = value,
                1 => node.transform.e += value,
                _ => node.fills = vec![Paint::solid(Rgba { r: value, ..Rgba::WHITE })],
            });
        }
        let end = editor.document().clone();
        while editor.undoable().0 > done {
            editor.act(Act::Undo, &CONTEXT).unwrap();
        }
        prop_assert_eq!(editor.document(), &start);
        while editor.undoable().1 > 0 {
            editor.act(Act::Redo, &CONTEXT).unwrap();
        }
        prop_assert_eq!(editor.document(), &end);
    }
}
