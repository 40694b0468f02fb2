//! Sets of components, and what instances override.

use proptest::prelude::*;

use super::*;
use crate::base::{Point, Rect, Rgba};
use crate::design::diff::StyleField;
use crate::design::{NodeKind, Paint, figma};
use crate::editor::components::tests::{
    BLUE, CONTEXT, RED, act, change, fill, fill_of, node, select, text, with_instance, words_of,
};
use crate::editor::components::variants::{
    DEFINITIONS, VariantProperty, set_of_instance, variant_properties, variant_value,
};
use crate::editor::{Act, ComponentAct, Editor};

/// A variant with a plate and a label, of a set whose label is a property.
fn variant(id: &str, name: &str, y: f64, color: Rgba) -> [Node; 3] {
    let [plate, label] = ["plate", "label"].map(|part| format!("{id}-{part}"));
    let root = node(id, NodeKind::Component, "set", [20.0, y, 100.0, 40.0]);
    let plate = node(&plate, NodeKind::Rectangle, id, [0.0, 0.0, 100.0, 40.0]);
    let mut label = text(&label, id, "Buy", [10.0, 10.0, 50.0, 20.0]);
    let references = json!({ "characters": "Label#1:0" });
    Arc::make_mut(&mut label.source).insert("componentPropertyReferences".to_owned(), references);
    [
        Node { name: name.to_owned(), ..root },
        Node { name: "plate".to_owned(), fills: vec![Paint::solid(color)], ..plate },
        Node { name: "label".to_owned(), ..label },
    ]
}

const GREEN: Rgba = Rgba { r: 0.0, g: 1.0, b: 0.0, a: 1.0 };

/// A set of three variants beside a screen with an instance of the first; gives the instance.
fn with_variants() -> (Editor, NodeId) {
    let mut set = node("set", NodeKind::ComponentSet, "page", [500.0, 0.0, 140.0, 200.0]);
    set.name = "Button".to_owned();
    let definitions = json!({ "Label#1:0": { "type": "TEXT", "defaultValue": "Buy" } });
    Arc::make_mut(&mut set.source).insert(DEFINITIONS.to_owned(), definitions);
    let mut nodes = vec![
        node("page", NodeKind::Canvas, "", [0.0; 4]),
        node("screen", NodeKind::Frame, "page", [0.0, 0.0, 400.0, 400.0]),
        set,
    ];
    nodes.extend(variant("off", "State=Off, Size=Small", 20.0, GREEN));
    nodes.extend(variant("on", "State=On, Size=Small", 80.0, BLUE));
    nodes.extend(variant("large", "State=Off, Size=Large", 140.0, GREEN));
    let mut editor = Editor::new(Document::from_nodes(nodes).unwrap());
    let at = Point::new(100.0, 100.0);
    act(&mut editor, ComponentAct::Insert { component: "off".into(), at }).unwrap();
    let instance = editor.selection().only().unwrap().clone();
    (editor, instance)
}

fn set_variant(editor: &mut Editor, property: &str, value: &str) {
    let (property, value) = (property.to_owned(), value.to_owned());
    act(editor, ComponentAct::SetVariant { property, value }).unwrap();
}

fn main_of(editor: &Editor, instance: &NodeId) -> NodeId {
    component_of(editor.document().get(instance).unwrap()).unwrap()
}

/// The layer of an instance of a variant.
fn part(editor: &Editor, instance: &NodeId, name: &str) -> NodeId {
    let document = editor.document();
    document.subtree(instance).find(|it| it.name == name).unwrap().id.clone()
}

fn written(editor: &Editor, id: &NodeId, field: &str) -> Value {
    let json = figma::node_to_json(editor.document(), id).unwrap();
    json.get(field).cloned().unwrap_or_default()
}

fn write_words(editor: &mut Editor, id: &NodeId, words: &str) {
    change(editor, id, |node| words.clone_into(&mut node.text_mut().unwrap().characters));
}

#[test]
fn an_instance_is_swapped_to_the_variant_with_the_value_or_the_nearest() {
    let (mut editor, instance) = with_variants();
    let document = editor.document();
    assert_eq!(document.get(&instance).unwrap().name, "Button", "it is called as the set");
    assert_eq!(set_of_instance(document, &instance), Some("set".into()));
    let property = |name: &str, values: [&str; 2]| VariantProperty {
        name: name.to_owned(),
        values: values.map(str::to_owned).to_vec(),
    };
    let expected = [property("State", ["Off", "On"]), property("Size", ["Small", "Large"])];
    assert_eq!(variant_properties(document, &"set".into()), expected);
    assert!(overrides_of(document, &instance).is_empty());
    set_variant(&mut editor, "State", "On");
    assert_eq!(main_of(&editor, &instance), "on".into());
    assert_eq!(fill_of(&editor, &part(&editor, &instance, "plate")), Some(BLUE));
    // There is no large one that is on.
    set_variant(&mut editor, "Size", "Large");
    assert_eq!(main_of(&editor, &instance), "large".into());
    assert_eq!(variant_value(editor.document(), &instance, "State").as_deref(), Some("Off"));
    let properties = written(&editor, &instance, "componentProperties");
    assert_eq!(properties["Size"], json!({ "value": "Large", "type": "VARIANT" }));
    // What there is none of, and what it is already, changes nothing.
    let steps = editor.steps();
    set_variant(&mut editor, "Size", "Huge");
    set_variant(&mut editor, "Size", "Large");
    assert_eq!(editor.steps(), steps);
}

#[test]
fn what_a_set_says_follows_the_names_of_its_variants_and_instances_its_own() {
    let (mut editor, instance) = with_variants();
    let before = editor.document().clone();
    let done = editor.undoable().0;
    change(&mut editor, &"off".into(), |node| "State=Rest, Size=Small".clone_into(&mut node.name));
    change(&mut editor, &"set".into(), |node| "Knob".clone_into(&mut node.name));
    let properties = written(&editor, &instance, "componentProperties");
    assert_eq!(properties["State"]["value"], "Rest");
    assert_eq!(editor.document().get(&instance).unwrap().name, "Knob");
    assert!(overrides_of(editor.document(), &instance).is_empty());
    let definitions = written(&editor, &"set".into(), DEFINITIONS);
    assert_eq!(definitions["State"]["variantOptions"], json!(["Rest", "On", "Off"]));
    assert_eq!(definitions["Label#1:0"]["type"], "TEXT", "the others stay");
    while editor.undoable().0 > done {
        editor.act(Act::Undo, &CONTEXT).unwrap();
    }
    assert_eq!(*editor.document(), before);
}

#[test]
fn a_property_of_words_says_what_its_layer_says_whatever_the_variant() {
    let (mut editor, instance) = with_variants();
    let value = |editor: &Editor| {
        written(editor, &instance, "componentProperties")["Label#1:0"]["value"].clone()
    };
    assert_eq!(value(&editor), "Buy");
    let label = part(&editor, &instance, "label");
    write_words(&mut editor, &label, "Sell");
    assert_eq!(value(&editor), "Sell");
    set_variant(&mut editor, "State", "On");
    assert_eq!(value(&editor), "Sell");
    assert_eq!(words_of(&editor, &part(&editor, &instance, "label")), "Sell");
    act(&mut editor, ComponentAct::Reset).unwrap();
    assert_eq!(value(&editor), "Buy");
}

#[test]
fn what_is_changed_in_an_instance_is_written_into_it_and_undone_with_it() {
    let (mut editor, instance) = with_instance();
    let [plate, label] = ["plate", "label"].map(|id| NodeId::new(format!("I{instance};{id}")));
    let before = editor.document().clone();
    fill(&mut editor, &plate, RED);
    write_words(&mut editor, &label, "Sell");
    change(&mut editor, &label, |node| node.transform.e += 3.0);
    let entry =
        |id: &NodeId, field: &str| json!({ "id": id.as_str(), "overriddenFields": [field] });
    let both = json!([entry(&plate, "fills"), entry(&label, "characters")]);
    assert_eq!(written(&editor, &instance, "overrides"), both, "no place is overridden");
    let overrides = overrides_of(editor.document(), &instance);
    let fills = Field::Style(StyleField::Fills);
    let expected = [
        Override { node: plate.clone(), field: fills },
        Override { node: label.clone(), field: Field::Words },
    ];
    assert_eq!(overrides, expected, "what the file says and what is another is the same");
    // As in the component again, it is none.
    write_words(&mut editor, &label, "Buy");
    assert_eq!(written(&editor, &instance, "overrides"), json!([entry(&plate, "fills")]));
    act(&mut editor, ComponentAct::ResetOverrides(vec![expected[0].clone()])).unwrap();
    assert_eq!(written(&editor, &instance, "overrides"), json!([]));
    assert_eq!(fill_of(&editor, &plate), fill_of(&editor, &"plate".into()));
    while editor.undoable().0 > 2 {
        editor.act(Act::Undo, &CONTEXT).unwrap();
    }
    assert_eq!(*editor.document(), before);
}

/// A component with a text, and an instance whose text is named as overridden though it says the same.
fn read_file() -> Editor {
    let at = |x: i32| json!({ "x": x, "y": 0, "width": 50, "height": 20 });
    let words = |id: &str, x: i32| {
        json!({
            "id": id, "name": "label", "type": "TEXT", "characters": "Buy",
            "absoluteBoundingBox": at(x),
        })
    };
    let overrides = json!([
        { "id": "I3:1;2:2", "overriddenFields": ["characters", "boundVariables"] },
        { "id": "I3:1;9:9", "overriddenFields": ["fills"] },
    ]);
    let page = json!({ "id": "0:1", "name": "Page", "type": "CANVAS", "children": [
        {
            "id": "2:1", "name": "Button", "type": "COMPONENT",
            "absoluteBoundingBox": at(0), "children": [words("2:2", 0)],
        },
        {
            "id": "3:1", "name": "Button", "type": "INSTANCE", "componentId": "2:1",
            "overrides": overrides, "absoluteBoundingBox": at(100),
            "children": [words("I3:1;2:2", 100)],
        },
    ] });
    let file = json!({ "document": { "id": "0:0", "name": "Document", "type": "DOCUMENT", "children": [page] } });
    Editor::new(figma::from_json(file).unwrap().document)
}

#[test]
fn what_a_file_names_stays_until_it_is_reset() {
    let mut editor = read_file();
    let (instance, own) = (NodeId::from("3:1"), NodeId::from("I3:1;2:2"));
    let named = Override { node: own.clone(), field: Field::Words };
    assert_eq!(overrides_of(editor.document(), &instance), std::slice::from_ref(&named));
    write_words(&mut editor, &"2:2".into(), "Order");
    assert_eq!(words_of(&editor, &own), "Buy");
    // Another field is not named, and follows.
    change(&mut editor, &"2:2".into(), |node| node.opacity = 0.5);
    assert_eq!(editor.document().get(&own).unwrap().opacity, 0.5);
    act(&mut editor, ComponentAct::ResetOverrides(vec![named])).unwrap();
    assert_eq!(words_of(&editor, &own), "Order");
    assert!(overrides_of(editor.document(), &instance).is_empty());
    // What is none of ours stays in the file.
    let entries = written(&editor, &instance, "overrides");
    assert_eq!(entries[0], json!({ "id": "I3:1;2:2", "overriddenFields": ["boundVariables"] }));
    assert_eq!(entries[1]["id"], "I3:1;9:9", "a layer that the file does not have");
    write_words(&mut editor, &"2:2".into(), "Send");
    assert_eq!(words_of(&editor, &own), "Send");
}

#[test]
fn an_instance_whose_component_is_elsewhere_is_changed_and_says_so() {
    let mut editor = read_file();
    editor.edit("Remove", &[], &CONTEXT, |it| it.remove(&"2:1".into())).unwrap();
    let own = NodeId::from("I3:1;2:2");
    change(&mut editor, &own, |node| node.opacity = 0.25);
    let entries = written(&editor, &"3:1".into(), "overrides");
    let names = json!(["characters", "boundVariables", "opacity"]);
    assert_eq!(entries[0], json!({ "id": "I3:1;2:2", "overriddenFields": names }));
    let field = Field::Words;
    let reset = ComponentAct::ResetOverrides(vec![Override { node: own, field }]);
    assert!(act(&mut editor, reset).is_err(), "there is nothing to go back to");
}

#[test]
fn overrides_that_are_no_list_cost_nothing() {
    for odd in [json!(7), json!([7, { "id": 7 }, { "id": "I3:1;2:2", "overriddenFields": "x" }])] {
        let mut editor = read_file();
        change(&mut editor, &"3:1".into(), |node| {
            Arc::make_mut(&mut node.source).insert("overrides".to_owned(), odd.clone());
        });
        assert!(overrides_of(editor.document(), &"3:1".into()).is_empty(), "{odd}");
        let own = NodeId::from("I3:1;2:2");
        write_words(&mut editor, &own, "Sell");
        let overrides = overrides_of(editor.document(), &"3:1".into());
        assert_eq!(overrides, [Override { node: own, field: Field::Words }], "{odd}");
    }
}

#[test]
fn components_become_a_set_with_the_properties_that_their_names_say() {
    let nodes = [
        node("page", NodeKind::Canvas, "", [0.0; 4]),
        node("a", NodeKind::Component, "page", [100.0, 100.0, 100.0, 40.0]),
        node("b", NodeKind::Component, "page", [100.0, 160.0, 100.0, 40.0]),
        node("c", NodeKind::Component, "page", [300.0, 160.0, 100.0, 40.0]),
    ];
    let names = ["Page", "Button/Primary", "Button/Secondary", "Card"];
    let named = nodes.into_iter().zip(names);
    let nodes = named.map(|(node, name)| Node { name: name.to_owned(), ..node });
    let mut editor = Editor::new(Document::from_nodes(nodes).unwrap());
    let before = editor.document().clone();
    select(&mut editor, &["b", "a"]);
    act(&mut editor, ComponentAct::Create).unwrap();
    let set = editor.selection().only().unwrap().clone();
    let document = editor.document();
    let node = document.get(&set).unwrap();
    assert_eq!((node.name.as_str(), &node.kind), ("Button", &NodeKind::ComponentSet));
    assert_eq!(document.absolute_box(&set), Ok(Rect::new(80.0, 80.0, 140.0, 140.0)));
    assert_eq!(document.absolute_box(&"b".into()), before.absolute_box(&"b".into()));
    let names = node.children.iter().map(|id| document.get(id).unwrap().name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["Property 1=Primary", "Property 1=Secondary"]);
    let definition = &written(&editor, &set, DEFINITIONS)["Property 1"];
    assert_eq!(definition["variantOptions"], json!(["Primary", "Secondary"]));
    assert_eq!(document.envelope().fields["componentSets"][set.as_str()]["name"], "Button");
    // A copy of a variant is a variant, and no instance.
    let mut copy = None;
    editor
        .edit("Duplicate", &["a".into()], &CONTEXT, |it| {
            copy = Some(it.duplicate(&"a".into())?);
            Ok(())
        })
        .unwrap();
    let copied = editor.document().get(&copy.unwrap()).unwrap();
    assert_eq!(copied.kind, NodeKind::Component);
    // One that is in a set already is put into no other.
    select(&mut editor, &["a", "c"]);
    assert!(act(&mut editor, ComponentAct::Create).is_err());
    while editor.undoable().0 > 0 {
        editor.act(Act::Undo, &CONTEXT).unwrap();
    }
    assert_eq!(*editor.document(), before);
}

#[test]
fn an_instance_in_an_instance_is_reset_to_what_the_outer_component_has() {
    let (mut editor, instance) = with_variants();
    // The screen's instance becomes part of a component of its own, with other words.
    select(&mut editor, &[instance.as_str()]);
    let label = part(&editor, &instance, "label");
    write_words(&mut editor, &label, "Outer");
    act(&mut editor, ComponentAct::Create).unwrap();
    let card = editor.selection().only().unwrap().clone();
    let at = Point::new(200.0, 300.0);
    act(&mut editor, ComponentAct::Insert { component: card, at }).unwrap();
    let outer = editor.selection().only().unwrap().clone();
    let inner = editor.document().children_of(Some(&outer)).first().unwrap().clone();
    let words = part(&editor, &inner, "label");
    assert_eq!(words_of(&editor, &words), "Outer");
    assert!(overrides_of(editor.document(), &inner).is_empty(), "that is how the outer one is");
    write_words(&mut editor, &words, "Inner");
    let entries = written(&editor, &outer, "overrides");
    assert_eq!(entries[0]["id"], words.as_str());
    assert_eq!(overrides_of(editor.document(), &inner).len(), 1);
    select(&mut editor, &[inner.as_str()]);
    act(&mut editor, ComponentAct::Reset).unwrap();
    assert_eq!(words_of(&editor, &part(&editor, &inner, "label")), "Outer");
    assert!(overrides_of(editor.document(), &outer).is_empty());
}

/// How the layers of an instance look, by their names.
fn look_of(editor: &Editor, instance: &NodeId) -> Vec<(String, Node)> {
    let layers = editor.document().subtree(instance);
    let layers = layers.map(|node| {
        let plain = Node { source: Arc::default(), origin: None, ..Node::clone(node) };
        (node.name.clone(), plain)
    });
    layers.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn swapping_there_and_back_keeps_overrides_and_resetting_gives_the_component(
        changes in prop::collection::vec((0..3usize, 0..4usize, 0.1..0.9f64), 0..8),
    ) {
        let (mut editor, instance) = with_variants();
        let fresh = look_of(&editor, &instance);
        for (layer, what, value) in changes {
            let name = ["Button", "plate", "label"][layer];
            let id = part(&editor, &instance, name);
            change(&mut editor, &id, |node| match what {
                0 => node.opacity = value,
                1 => node.visible = value < 0.5,
                // As the variant that it is swapped to.
                2 => node.fills = vec![Paint::solid(BLUE)],
                _ => if let Some(text) = node.text_mut() {
                    text.characters = format!("{value:.1}");
                },
            });
        }
        let (look, overrides) = (look_of(&editor, &instance), overrides_of(editor.document(), &instance));
        set_variant(&mut editor, "State", "On");
        prop_assert_eq!(overrides_of(editor.document(), &instance).len(), overrides.len());
        set_variant(&mut editor, "State", "Off");
        prop_assert_eq!(look_of(&editor, &instance), look);
        prop_assert_eq!(overrides_of(editor.document(), &instance), overrides);
        act(&mut editor, ComponentAct::Reset).unwrap();
        prop_assert_eq!(look_of(&editor, &instance), fresh);
        prop_assert!(overrides_of(editor.document(), &instance).is_empty());
    }
}
