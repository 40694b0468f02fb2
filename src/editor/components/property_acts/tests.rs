//! Properties are made, set, bound, renamed and deleted, with the layers that refer to them.

use serde_json::json;

use super::*;
use crate::base::Point;
use crate::design::figma;
use crate::editor::components::overrides::{overrides_of, swapped_instances};
use crate::editor::components::properties::swap_choices;
use crate::editor::components::tests::{
    CONTEXT, act, change, node, select, text, with_instance, words_of,
};
use crate::editor::{Act, ComponentAct};

/// A card with a label, a badge and an instance of a star, beside a moon; with an instance of the card on the screen,
/// which is given.
fn with_card() -> (Editor, NodeId) {
    let mut icon = node("icon", NodeKind::Instance, "card", [70.0, 10.0, 20.0, 20.0]);
    Arc::make_mut(&mut icon.source).insert("componentId".to_owned(), "star".into());
    let document = Document::from_nodes([
        node("page", NodeKind::Canvas, "", [0.0; 4]),
        node("screen", NodeKind::Frame, "page", [0.0, 0.0, 400.0, 400.0]),
        node("star", NodeKind::Component, "page", [500.0, 0.0, 20.0, 20.0]),
        node("star-shape", NodeKind::Rectangle, "star", [0.0, 0.0, 20.0, 20.0]),
        node("moon", NodeKind::Component, "page", [530.0, 0.0, 20.0, 20.0]),
        node("moon-shape", NodeKind::Rectangle, "moon", [5.0, 5.0, 10.0, 10.0]),
        node("card", NodeKind::Component, "page", [500.0, 100.0, 100.0, 40.0]),
        text("label", "card", "Buy", [10.0, 10.0, 50.0, 20.0]),
        node("badge", NodeKind::Rectangle, "card", [0.0, 0.0, 10.0, 10.0]),
        icon,
        node("Iicon;star-shape", NodeKind::Rectangle, "icon", [0.0, 0.0, 20.0, 20.0]),
    ]);
    let mut editor = Editor::new(document.unwrap());
    let instance = insert(&mut editor, 100.0);
    (editor, instance)
}

fn insert(editor: &mut Editor, y: f64) -> NodeId {
    let at = Point::new(100.0, y);
    act(editor, ComponentAct::Insert { component: "card".into(), at }).unwrap();
    editor.selection().only().unwrap().clone()
}

/// The layer of an instance that stands for one of the card.
fn own(instance: &NodeId, layer: &str) -> NodeId {
    NodeId::new(format!("I{instance};{layer}"))
}

fn properties(editor: &mut Editor, it: ComponentPropertyAct) -> Result<(), EditorError> {
    act(editor, ComponentAct::Property(it))
}

fn made(editor: &mut Editor, layers: &[&str], kind: PropertyKind) {
    let layers = layers.iter().map(|id| NodeId::from(*id)).collect();
    properties(editor, ComponentPropertyAct::Create { layers, kind }).unwrap();
}

fn words(value: &str) -> PropertyValue {
    PropertyValue::Text(value.to_owned())
}

fn set_to(
    editor: &mut Editor,
    nodes: &[&NodeId],
    key: &str,
    value: PropertyValue,
) -> Result<(), EditorError> {
    let nodes = nodes.iter().map(|id| (*id).clone()).collect();
    let property = ComponentProperty { key: key.to_owned(), value };
    properties(editor, ComponentPropertyAct::Set { nodes, property })
}

fn value(editor: &Editor, id: &NodeId, key: &str) -> Option<PropertyValue> {
    let properties = component_properties(editor.document(), id);
    properties.into_iter().find(|it| it.key == key).map(|it| it.value)
}

fn written(editor: &Editor, id: &str, field: &str) -> Value {
    let json = figma::node_to_json(editor.document(), &id.into()).unwrap();
    json.get(field).cloned().unwrap_or_default()
}

fn component(editor: &Editor, instance: &NodeId) -> Option<NodeId> {
    editor.document().get(instance).and_then(|node| component_of(node))
}

#[test]
fn properties_are_made_of_layers_as_figma_writes_them() {
    let (mut editor, instance) = with_card();
    made(&mut editor, &["label"], PropertyKind::Text);
    made(&mut editor, &["label"], PropertyKind::Boolean);
    made(&mut editor, &["icon"], PropertyKind::InstanceSwap);
    let definitions = json!({
        "label#1:1": { "type": "TEXT", "defaultValue": "Buy" },
        "label 2#1:2": { "type": "BOOLEAN", "defaultValue": true },
        "icon#1:3": { "type": "INSTANCE_SWAP", "defaultValue": "star" },
    });
    assert_eq!(written(&editor, "card", "componentPropertyDefinitions"), definitions);
    let references = json!({ "characters": "label#1:1", "visible": "label 2#1:2" });
    assert_eq!(written(&editor, "label", "componentPropertyReferences"), references);
    let references_of_own =
        written(&editor, own(&instance, "label").as_str(), "componentPropertyReferences");
    assert_eq!(references_of_own, references, "layers of instances say it too");
    let values = json!({
        "label#1:1": { "type": "TEXT", "value": "Buy" },
        "label 2#1:2": { "type": "BOOLEAN", "value": true },
        "icon#1:3": { "type": "INSTANCE_SWAP", "value": "star" },
    });
    assert_eq!(written(&editor, instance.as_str(), "componentProperties"), values);
    let there = component_properties(editor.document(), &instance);
    let names: Vec<&str> = there.iter().map(ComponentProperty::name).collect();
    assert_eq!(names, ["label", "label 2", "icon"]);
    // All of it is read again.
    let read = figma::from_json(figma::to_json(editor.document())).unwrap().document;
    for id in [&"card".into(), &instance] {
        let expected = component_properties(editor.document(), id);
        assert_eq!(component_properties(&read, id), expected, "{id}");
    }
}

#[test]
fn a_property_that_is_set_changes_its_layers_in_one_step_and_is_reset_with_them() {
    let (mut editor, instance) = with_card();
    for (layer, kind) in [
        ("label", PropertyKind::Text),
        ("badge", PropertyKind::Boolean),
        ("icon", PropertyKind::InstanceSwap),
    ] {
        made(&mut editor, &[layer], kind);
    }
    let start = editor.document().clone();
    let first = component_properties(&start, &instance);
    for (key, value) in [
        ("label#1:1", words("Sell")),
        ("badge#1:2", PropertyValue::Boolean(false)),
        ("icon#1:3", PropertyValue::Component("moon".into())),
    ] {
        let before = editor.document().clone();
        set_to(&mut editor, &[&instance], key, value).unwrap();
        let after = editor.document().clone();
        editor.act(Act::Undo, &CONTEXT).unwrap();
        assert_eq!(*editor.document(), before, "{key} is one step");
        editor.act(Act::Redo, &CONTEXT).unwrap();
        assert_eq!(*editor.document(), after);
    }
    assert_eq!(words_of(&editor, &own(&instance, "label")), "Sell");
    assert!(!editor.document().get(&own(&instance, "badge")).unwrap().visible);
    let icon = own(&instance, "icon");
    assert_eq!(component(&editor, &icon), Some("moon".into()));
    let shape = NodeId::new(format!("I{instance};icon;moon-shape"));
    assert!(editor.document().get(&shape).is_some());
    let values = component_properties(editor.document(), &instance);
    let values: Vec<PropertyValue> = values.into_iter().map(|it| it.value).collect();
    let moon = PropertyValue::Component("moon".into());
    assert_eq!(values, [words("Sell"), PropertyValue::Boolean(false), moon]);
    // The component is as it was.
    assert_eq!(words_of(&editor, &"label".into()), "Buy");
    assert_eq!(component(&editor, &"icon".into()), Some("star".into()));
    // What is changed in what was swapped is an override like any other.
    change(&mut editor, &shape, |node| node.opacity = 0.5);
    let of_shape = |editor: &Editor| {
        let mut overrides = overrides_of(editor.document(), &instance);
        overrides.retain(|one| one.node == shape);
        overrides.len()
    };
    assert_eq!(of_shape(&editor), 1);
    let swapped = swapped_instances(editor.document(), &instance);
    assert_eq!(swapped.len(), 1);
    assert_eq!((&swapped[0].node, &swapped[0].original), (&icon, &"star".into()));
    act(&mut editor, ComponentAct::ResetSwap(icon.clone())).unwrap();
    assert_eq!(component(&editor, &icon), Some("star".into()));
    assert_eq!(editor.document().get(&icon).unwrap().name, "icon", "as in the card");
    assert!(act(&mut editor, ComponentAct::ResetSwap(icon)).is_err(), "it is none any more");
    select(&mut editor, &[instance.as_str()]);
    act(&mut editor, ComponentAct::Reset).unwrap();
    assert_eq!(component_properties(editor.document(), &instance), first);
    assert!(overrides_of(editor.document(), &instance).is_empty());
}

#[test]
fn an_override_that_is_reset_resets_the_property() {
    let (mut editor, instance) = with_card();
    made(&mut editor, &["label"], PropertyKind::Text);
    set_to(&mut editor, &[&instance], "label#1:1", words("Sell")).unwrap();
    let overrides = overrides_of(editor.document(), &instance);
    assert_eq!(overrides.len(), 1);
    act(&mut editor, ComponentAct::ResetOverrides(overrides)).unwrap();
    assert_eq!(value(&editor, &instance, "label#1:1"), Some(words("Buy")));
    assert!(overrides_of(editor.document(), &instance).is_empty());
}

#[test]
fn several_instances_are_set_at_once_and_others_stay() {
    let (mut editor, one) = with_card();
    let (two, three) = (insert(&mut editor, 200.0), insert(&mut editor, 300.0));
    made(&mut editor, &["label"], PropertyKind::Text);
    set_to(&mut editor, &[&one, &two, &"screen".into()], "label#1:1", words("Sell")).unwrap();
    let said = [&one, &two, &three].map(|id| words_of(&editor, &own(id, "label")));
    assert_eq!(said, ["Sell", "Sell", "Buy"]);
}

#[test]
fn what_a_property_is_at_first_is_what_its_layers_have_and_instances_follow() {
    let (mut editor, set) = with_card();
    let other = insert(&mut editor, 200.0);
    made(&mut editor, &["label"], PropertyKind::Text);
    made(&mut editor, &["icon"], PropertyKind::InstanceSwap);
    set_to(&mut editor, &[&set], "label#1:1", words("Sell")).unwrap();
    // Typed on the canvas.
    change(&mut editor, &"label".into(), |node| {
        node.text_mut().unwrap().characters = "Order".to_owned();
    });
    assert_eq!(value(&editor, &"card".into(), "label#1:1"), Some(words("Order")));
    assert_eq!(value(&editor, &other, "label#1:1"), Some(words("Order")));
    assert_eq!(value(&editor, &set, "label#1:1"), Some(words("Sell")));
    // Set in the panel of the component.
    set_to(&mut editor, &[&"card".into()], "label#1:1", words("Send")).unwrap();
    assert_eq!(words_of(&editor, &"label".into()), "Send");
    assert_eq!(words_of(&editor, &own(&other, "label")), "Send");
    let moon = PropertyValue::Component("moon".into());
    set_to(&mut editor, &[&"card".into()], "icon#1:2", moon.clone()).unwrap();
    for instance in [&set, &other] {
        let icon = own(instance, "icon");
        assert_eq!(component(&editor, &icon), Some("moon".into()), "instances follow");
        assert_eq!(value(&editor, instance, "icon#1:2"), Some(moon.clone()));
        assert_eq!(editor.document().children_of(Some(&icon)).len(), 1);
    }
    assert!(swapped_instances(editor.document(), &other).is_empty());
}

#[test]
fn an_instance_that_was_swapped_gets_no_layers_of_what_the_component_has_there() {
    let (mut editor, instance) = with_card();
    made(&mut editor, &["icon"], PropertyKind::InstanceSwap);
    let moon = PropertyValue::Component("moon".into());
    set_to(&mut editor, &[&instance], "icon#1:1", moon).unwrap();
    let rest = node("ray", NodeKind::Rectangle, "", [0.0, 0.0, 4.0, 4.0]);
    let nodes = ["star".into()];
    editor.edit("Add", &nodes, &CONTEXT, |it| it.insert(rest, Some(&"star".into()), None)).unwrap();
    let layers = |id: &NodeId| editor.document().children_of(Some(id)).len();
    assert_eq!((layers(&"icon".into()), layers(&own(&instance, "icon"))), (2, 1));
}

#[test]
fn layers_refer_to_a_property_together_and_let_go_of_it() {
    let (mut editor, instance) = with_card();
    made(&mut editor, &["label"], PropertyKind::Text);
    let more = text("more", "", "More", [10.0, 25.0, 50.0, 10.0]);
    let nodes = ["card".into()];
    editor.edit("Add", &nodes, &CONTEXT, |it| it.insert(more, Some(&"card".into()), None)).unwrap();
    let refer = |key: Option<&str>| ComponentPropertyAct::Refer {
        layers: vec!["more".into()],
        kind: PropertyKind::Text,
        key: key.map(str::to_owned),
    };
    properties(&mut editor, refer(Some("label#1:1"))).unwrap();
    assert_eq!(words_of(&editor, &"more".into()), "Buy", "it takes on what the property is");
    set_to(&mut editor, &[&instance], "label#1:1", words("Sell")).unwrap();
    let said = ["label", "more"].map(|layer| words_of(&editor, &own(&instance, layer)));
    assert_eq!(said, ["Sell", "Sell"]);
    // Typed into one of them on the canvas, both say it.
    change(&mut editor, &"more".into(), |node| {
        node.text_mut().unwrap().characters = "Order".to_owned();
    });
    assert_eq!(words_of(&editor, &"label".into()), "Order");
    assert_eq!(value(&editor, &"card".into(), "label#1:1"), Some(words("Order")));
    properties(&mut editor, refer(None)).unwrap();
    let references = written(&editor, "more", "componentPropertyReferences");
    assert_eq!(references, Value::Null);
    set_to(&mut editor, &[&instance], "label#1:1", words("Rent")).unwrap();
    assert_eq!(words_of(&editor, &own(&instance, "more")), "Sell");
    assert!(properties(&mut editor, refer(Some("nothing#1:9"))).is_err());
}

#[test]
fn a_property_is_renamed_with_what_was_set_and_deleted_with_its_references() {
    let (mut editor, instance) = with_card();
    made(&mut editor, &["label"], PropertyKind::Text);
    made(&mut editor, &["badge"], PropertyKind::Boolean);
    set_to(&mut editor, &[&instance], "label#1:1", words("Sell")).unwrap();
    let rename = |key: &str, name: &str| ComponentPropertyAct::Rename {
        holder: "card".into(),
        key: key.to_owned(),
        name: name.to_owned(),
    };
    properties(&mut editor, rename("label#1:1", " Call # to\naction ")).unwrap();
    let key = "Call   to action#1:1";
    assert_eq!(value(&editor, &instance, key), Some(words("Sell")));
    let own_label = own(&instance, "label");
    for id in ["label", own_label.as_str()] {
        let references = written(&editor, id, "componentPropertyReferences");
        assert_eq!(references, json!({ "characters": key }), "{id}");
    }
    // It keeps its place, and no two are called the same.
    properties(&mut editor, rename("badge#1:2", "Call   to action")).unwrap();
    let all = component_properties(editor.document(), &"card".into());
    let names: Vec<&str> = all.iter().map(ComponentProperty::name).collect();
    assert_eq!(names, ["Call   to action", "Call   to action 2"]);
    assert!(properties(&mut editor, rename(key, " # ")).is_err());
    let delete = ComponentPropertyAct::Delete { holder: "card".into(), key: key.to_owned() };
    properties(&mut editor, delete.clone()).unwrap();
    assert_eq!(value(&editor, &"card".into(), key), None);
    assert_eq!(written(&editor, instance.as_str(), "componentProperties").get(key), None);
    assert_eq!(written(&editor, own_label.as_str(), "componentPropertyReferences"), Value::Null);
    assert_eq!(words_of(&editor, &own_label), "Sell", "layers stay as they are");
    assert!(properties(&mut editor, delete).is_err());
}

#[test]
fn what_makes_no_sense_is_refused_and_changes_nothing() {
    let (mut editor, instance) = with_card();
    made(&mut editor, &["icon"], PropertyKind::InstanceSwap);
    let before = editor.document().clone();
    let create = |layers: &[&NodeId], kind: PropertyKind| {
        let layers = layers.iter().map(|id| (*id).clone()).collect();
        ComponentPropertyAct::Create { layers, kind }
    };
    for act in [
        create(&[&"badge".into()], PropertyKind::Text),
        create(&[&"label".into()], PropertyKind::InstanceSwap),
        create(&[&"screen".into()], PropertyKind::Boolean),
        create(&[&own(&instance, "label")], PropertyKind::Text),
        create(&[&"label".into(), &"star-shape".into()], PropertyKind::Boolean),
        create(&[&"absent".into()], PropertyKind::Boolean),
        create(&[], PropertyKind::Boolean),
    ] {
        let words = format!("{act:?}");
        assert!(properties(&mut editor, act).is_err(), "{words}");
    }
    for (key, value) in [
        ("nothing#1:1", words("x")),
        ("icon#1:1", words("x")),
        ("icon#1:1", PropertyValue::Component("badge".into())),
        ("icon#1:1", PropertyValue::Component("absent".into())),
    ] {
        for id in [&instance, &"card".into()] {
            assert!(set_to(&mut editor, &[id], key, value.clone()).is_err(), "{key} of {id}");
        }
    }
    let card = PropertyValue::Component("card".into());
    assert!(set_to(&mut editor, &[&"card".into()], "icon#1:1", card).is_err(), "in itself");
    assert_eq!(*editor.document(), before);
}

#[test]
fn a_set_defines_the_properties_of_its_variants_and_keeps_what_was_set_when_swapped() {
    let (mut editor, instance) = with_instance();
    made(&mut editor, &["label"], PropertyKind::Text);
    // Another button, whose words are called otherwise.
    let nodes = [
        node("other", NodeKind::Component, "", [20.0, 80.0, 100.0, 40.0]),
        text("caption", "other", "Buy", [10.0, 10.0, 50.0, 20.0]),
    ];
    editor
        .edit("Add", &[], &CONTEXT, |it| {
            let [other, caption] = nodes;
            it.insert(other, Some(&"screen".into()), None)?;
            it.insert(caption, Some(&"other".into()), None)
        })
        .unwrap();
    select(&mut editor, &["button", "other"]);
    act(&mut editor, ComponentAct::Create).unwrap();
    let set = editor.selection().only().unwrap().clone();
    assert_eq!(value(&editor, &set, "label#1:1"), Some(words("Buy")));
    assert_eq!(written(&editor, "button", "componentPropertyDefinitions"), Value::Null);
    let kind = PropertyKind::Text;
    let (layers, key) = (vec!["caption".into()], Some("label#1:1".to_owned()));
    properties(&mut editor, ComponentPropertyAct::Refer { layers, kind, key }).unwrap();
    set_to(&mut editor, &[&instance], "label#1:1", words("Sell")).unwrap();
    select(&mut editor, &[instance.as_str()]);
    act(&mut editor, ComponentAct::Swap("other".into())).unwrap();
    assert_eq!(words_of(&editor, &own(&instance, "caption")), "Sell");
    assert_eq!(value(&editor, &instance, "label#1:1"), Some(words("Sell")));
}

#[test]
fn an_instance_whose_component_is_elsewhere_is_set_by_what_its_layers_refer_to() {
    let (mut editor, instance) = with_card();
    made(&mut editor, &["label"], PropertyKind::Text);
    editor.edit("Remove", &[], &CONTEXT, |it| it.remove(&"card".into())).unwrap();
    set_to(&mut editor, &[&instance], "label#1:1", words("Sell")).unwrap();
    assert_eq!(words_of(&editor, &own(&instance, "label")), "Sell");
    assert_eq!(value(&editor, &instance, "label#1:1"), Some(words("Sell")));
    // Detached, nothing refers to anything.
    select(&mut editor, &[instance.as_str()]);
    act(&mut editor, ComponentAct::Detach).unwrap();
    let label = own(&instance, "label");
    assert_eq!(written(&editor, label.as_str(), "componentPropertyReferences"), Value::Null);
}

#[test]
fn definitions_that_are_none_are_passed_over() {
    for odd in [
        json!(7),
        json!(["label#1:1"]),
        json!({ "a": 7, "b": { "type": 7 }, "c": { "type": "TEXT", "defaultValue": 7 } }),
        json!({ "d": { "type": "SLOT" }, "e": { "type": "BOOLEAN" }, "#": {} }),
    ] {
        let (mut editor, instance) = with_card();
        change(&mut editor, &"card".into(), |node| {
            Arc::make_mut(&mut node.source).insert(DEFINITIONS.to_owned(), odd.clone());
        });
        change(&mut editor, &"label".into(), |node| {
            Arc::make_mut(&mut node.source).insert(
                "componentPropertyReferences".to_owned(),
                json!({ "characters": 7, "visible": "e" }),
            );
        });
        assert!(component_properties(editor.document(), &"card".into()).is_empty(), "{odd}");
        assert!(set_to(&mut editor, &[&instance], "c", words("x")).is_err());
        change(&mut editor, &"label".into(), |node| node.visible = false);
        assert!(!editor.document().get(&own(&instance, "label")).unwrap().visible, "{odd}");
        made(&mut editor, &["label"], PropertyKind::Text);
        let there = component_properties(editor.document(), &"card".into());
        assert_eq!(there.len(), 1, "{odd}");
    }
}

#[test]
fn what_a_property_prefers_comes_first() {
    let (mut editor, instance) = with_card();
    made(&mut editor, &["icon"], PropertyKind::InstanceSwap);
    change(&mut editor, &"card".into(), |node| {
        let definitions = &mut Arc::make_mut(&mut node.source)[DEFINITIONS];
        definitions["icon#1:1"]["preferredValues"] =
            json!([{ "type": "COMPONENT", "key": "of the moon" }, 7]);
    });
    let mut document = editor.document().clone();
    let mut envelope = document.envelope().clone();
    let listed = json!({ "moon": { "key": "of the moon" }, "star": { "key": "" } });
    envelope.fields.insert("components".to_owned(), listed);
    document.set_envelope(envelope);
    let choices = swap_choices(&document, &instance, "icon#1:1");
    let names: Vec<(&str, bool)> =
        choices.iter().map(|it| (it.name.as_str(), it.is_preferred)).collect();
    assert_eq!(names, [("moon", true), ("star", false), ("card", false)]);
}

#[test]
fn ids_of_keys_are_no_part_of_names() {
    for (key, name, id) in [
        ("Label#12:3", "Label", "#12:3"),
        ("Label", "Label", ""),
        ("C# developer", "C# developer", ""),
        ("#1:2", "#1:2", ""),
        ("Label#", "Label#", ""),
        ("Größe#0:1", "Größe", "#0:1"),
    ] {
        assert_eq!(name_and_id(key), (name, id));
    }
}
