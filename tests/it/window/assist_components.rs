//! Properties of components in the panel: made of layers, set at instances, renamed and deleted at the component.

use egui::accesskit::Role;
use egui::{Event, Key};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use pentimento::base::{Point, Size};
use pentimento::design::{Document, NodeId, NodeKind, TextContent};
use pentimento::editor::{
    Act, ComponentAct, ComponentPropertyAct, Editor, LayerAct, PropertyKind, SelectAct,
    component_of,
};
use pentimento::workbench::{AssistCommand, Command, State, handle};

use super::accessibility::assert_all_have_names;
use super::assist::{desk, opened_state, shape};
use super::harness::{Host, window};

const TALL: [f32; 2] = [1440.0, 1500.0];

/// A card with a label, a badge and an icon, which is an instance of a star, beside a moon; and a screen.
fn kit() -> State {
    let white = [1.0; 3];
    let words = TextContent { characters: "Buy".to_owned(), ..TextContent::default() };
    let label = NodeKind::Text(Box::new(words));
    let page = Some("Page");
    let document = Document::from_nodes([
        shape("Page", NodeKind::Canvas, None, [0.0; 4], white),
        shape("Screen", NodeKind::Frame, page, [0.0, 0.0, 375.0, 300.0], white),
        shape("Star", NodeKind::Component, page, [500.0, 0.0, 20.0, 20.0], [0.9, 0.7, 0.1]),
        shape("Moon", NodeKind::Component, page, [540.0, 0.0, 20.0, 20.0], [0.5, 0.5, 0.9]),
        shape("Card", NodeKind::Component, page, [500.0, 100.0, 160.0, 60.0], [0.9; 3]),
        shape("Label", label, Some("Card"), [10.0, 20.0, 60.0, 20.0], [0.0; 3]),
        shape(
            "Badge",
            NodeKind::Rectangle,
            Some("Card"),
            [80.0, 20.0, 20.0, 20.0],
            [0.8, 0.1, 0.1],
        ),
    ]);
    let mut state = opened_state("kit", Size::new(375.0, 300.0), document.unwrap());
    let at = Point::new(610.0, 130.0);
    do_act(&mut state, Act::Component(ComponentAct::Insert { component: "Star".into(), at }));
    let icon = selected(&state);
    let rename = LayerAct::Rename { node: icon.clone(), name: "Icon".into() };
    do_act(&mut state, Act::Layer(rename));
    let parent = Some("Card".into());
    let into = LayerAct::MoveTo { nodes: vec![icon], parent, index: 2 };
    do_act(&mut state, Act::Layer(into));
    state
}

fn do_act(state: &mut State, act: Act) {
    drop(handle(state, Command::Assist(AssistCommand::Act(Box::new(act)))));
}

fn select(state: &mut State, id: &NodeId) {
    do_act(state, Act::Select(SelectAct::Only(vec![id.clone()])));
}

fn selected(state: &State) -> NodeId {
    desk(state).editor.selection().only().unwrap().clone()
}

/// The icon of the card.
fn icon(state: &State) -> NodeId {
    let document = desk(state).editor.document();
    document.children_of(Some(&"Card".into())).last().unwrap().clone()
}

/// Makes properties of all three, and puts a card on the screen, which is selected.
fn with_instance() -> State {
    let mut state = kit();
    let icon = icon(&state);
    for (layer, kind) in [
        ("Label".into(), PropertyKind::Text),
        ("Badge".into(), PropertyKind::Boolean),
        (icon, PropertyKind::InstanceSwap),
    ] {
        let create = ComponentPropertyAct::Create { layers: vec![layer], kind };
        do_act(&mut state, Act::Component(ComponentAct::Property(create)));
    }
    let at = Point::new(150.0, 100.0);
    do_act(&mut state, Act::Component(ComponentAct::Insert { component: "Card".into(), at }));
    state
}

fn editor<'a>(harness: &'a Harness<'_, Host>) -> &'a Editor {
    &desk(&harness.state().state).editor
}

fn click(harness: &mut Harness<'_, Host>, name: &str) {
    harness.get_by_label(name).click();
    harness.run_steps(3);
}

fn value(harness: &Harness<'_, Host>, name: &str) -> String {
    let field = harness.get_by_role_and_label(Role::TextInput, name);
    field.accesskit_node().value().unwrap_or_default()
}

/// Goes to a field, whose text is then selected, types and means it.
fn type_into(harness: &mut Harness<'_, Host>, name: &str, text: &str) {
    harness.get_by_role_and_label(Role::TextInput, name).focus();
    harness.run_steps(3);
    harness.event(Event::Text(text.to_owned()));
    harness.run_steps(2);
    harness.key_press(Key::Enter);
    harness.run_steps(3);
}

/// The layers of an instance: its label, its badge, its icon.
fn layers(harness: &Harness<'_, Host>, instance: &NodeId) -> Vec<NodeId> {
    editor(harness).document().children_of(Some(instance)).to_vec()
}

#[test]
fn a_property_is_made_of_a_layer_and_let_go_of() {
    let mut state = kit();
    select(&mut state, &"Label".into());
    let mut harness = window(state, TALL);
    harness.get_by_label("Component properties");
    assert!(harness.query_by_label_contains("Instance swap property").is_none(), "it is a text");
    click(&mut harness, "Text property: None");
    click(&mut harness, "Create text property");
    harness.get_by_label("Text property: Label");
    let source = &editor(&harness).document().get(&"Label".into()).unwrap().source;
    assert_eq!(source["componentPropertyReferences"]["characters"], "Label#1:1");
    assert_all_have_names(&harness, "a layer of a component");
    click(&mut harness, "Text property: Label");
    click(&mut harness, "None");
    harness.get_by_label("Text property: None");
    // A layer that lies in no component has none.
    select(&mut harness.state_mut().state, &"Screen".into());
    harness.run_steps(3);
    assert!(harness.query_by_label("Component properties").is_none());
}

#[test]
fn words_from_the_right_are_set_at_an_instance_in_the_order_they_are_read() {
    let state = with_instance();
    let instance = selected(&state);
    let mut harness = window(state, TALL);
    // The window's own font has no such letters.
    harness.ctx.set_missing_glyph_policy(egui::MissingGlyphPolicy::Tofu);
    for (typed, kept) in [("שלום", "שלו"), ("مرحبا", "مرحب")] {
        harness.get_by_role_and_label(Role::TextInput, "Label").focus();
        harness.run_steps(3);
        harness.event(Event::Text(typed.to_owned()));
        harness.run_steps(2);
        harness.key_press(Key::Backspace);
        harness.run_steps(2);
        harness.key_press(Key::Enter);
        harness.run_steps(3);
        assert_eq!(value(&harness, "Label"), kept);
        let label = &layers(&harness, &instance)[0];
        let label = editor(&harness).document().get(label).unwrap();
        assert_eq!(label.text().unwrap().characters, kept);
    }
}

#[test]
fn words_switches_and_instances_are_set_at_an_instance() {
    let state = with_instance();
    let instance = selected(&state);
    let mut harness = window(state, TALL);
    let before = editor(&harness).undoable().0;
    assert_eq!(value(&harness, "Label"), "Buy");
    type_into(&mut harness, "Label", "Sell");
    let own = layers(&harness, &instance);
    let document = editor(&harness).document();
    assert_eq!(document.get(&own[0]).unwrap().text().unwrap().characters, "Sell");
    harness.get_by_role_and_label(Role::CheckBox, "Badge").click();
    harness.run_steps(3);
    assert!(!editor(&harness).document().get(&own[1]).unwrap().visible);
    click(&mut harness, "Icon: Star");
    harness.get_by_role_and_label(Role::Button, "Moon").click();
    harness.run_steps(3);
    harness.get_by_label("Icon: Moon");
    let component = component_of(editor(&harness).document().get(&own[2]).unwrap());
    assert_eq!(component, Some("Moon".into()));
    assert_eq!(editor(&harness).undoable().0, before + 3, "each is one step");
    assert_all_have_names(&harness, "an instance");
    click(&mut harness, "Reset component of Moon");
    harness.get_by_label("Icon: Star");
    click(&mut harness, "Reset all overrides");
    assert_eq!(value(&harness, "Label"), "Buy");
    harness.get_by_label("Nothing is overridden.");
}

#[test]
fn overrides_that_another_component_has_no_layers_for_are_counted_and_back_with_the_layers() {
    let state = with_instance();
    let instance = selected(&state);
    let mut harness = window(state, TALL);
    type_into(&mut harness, "Label", "Sell");
    let swap = |harness: &mut Harness<'_, Host>, component: &str| {
        let act = Act::Component(ComponentAct::Swap(component.into()));
        do_act(&mut harness.state_mut().state, act);
        harness.run_steps(3);
    };
    swap(&mut harness, "Star");
    let kept = "1 override of layers that this component does not have, kept for swapping back.";
    harness.get_by_label(kept);
    swap(&mut harness, "Card");
    assert_eq!(value(&harness, "Label"), "Sell", "the property as well as its layer");
    let label = layers(&harness, &instance)[0].clone();
    assert_eq!(editor(&harness).document().get(&label).unwrap().text().unwrap().characters, "Sell");
    swap(&mut harness, "Star");
    click(&mut harness, "Reset all overrides");
    harness.get_by_label("Nothing is overridden.");
    swap(&mut harness, "Card");
    assert_eq!(value(&harness, "Label"), "Buy");
}

#[test]
fn several_instances_say_where_they_differ_and_are_set_at_once() {
    let mut state = with_instance();
    let one = selected(&state);
    let at = Point::new(150.0, 220.0);
    do_act(&mut state, Act::Component(ComponentAct::Insert { component: "Card".into(), at }));
    let two = selected(&state);
    let mut harness = window(state, TALL);
    type_into(&mut harness, "Label", "Sell");
    harness.get_by_role_and_label(Role::CheckBox, "Badge").click();
    harness.run_steps(3);
    let both = Act::Select(SelectAct::Only(vec![one.clone(), two.clone()]));
    do_act(&mut harness.state_mut().state, both);
    harness.run_steps(3);
    assert_eq!(value(&harness, "Label"), "Mixed");
    harness.get_by_label("Badge (mixed)");
    type_into(&mut harness, "Label", "Rent");
    for instance in [&one, &two] {
        let label = &layers(&harness, instance)[0];
        let node = editor(&harness).document().get(label).unwrap();
        assert_eq!(node.text().unwrap().characters, "Rent");
    }
}

#[test]
fn a_component_lists_its_properties_which_are_renamed_changed_and_deleted() {
    let mut state = with_instance();
    let instance = selected(&state);
    select(&mut state, &"Card".into());
    let mut harness = window(state, TALL);
    type_into(&mut harness, "Default of Label", "Order");
    let of = |harness: &Harness<'_, Host>, id: &NodeId| {
        let node = editor(harness).document().get(id).unwrap();
        node.text().unwrap().characters.clone()
    };
    let label = layers(&harness, &instance)[0].clone();
    assert_eq!([of(&harness, &"Label".into()), of(&harness, &label)], ["Order", "Order"]);
    type_into(&mut harness, "Name of text property Label", "Call");
    harness.get_by_role_and_label(Role::TextInput, "Default of Call");
    type_into(&mut harness, "Name of text property Call", " ");
    harness.get_by_label_contains("a property has a name");
    assert_all_have_names(&harness, "a component");
    click(&mut harness, "Delete text property Call");
    assert!(harness.query_by_label("Default of Call").is_none());
    assert_eq!(of(&harness, &label), "Order", "layers stay as they are");
    click(&mut harness, "Delete boolean property Badge");
    click(&mut harness, "Delete instance swap property Icon");
    harness.get_by_label_contains("Select layers of the component");
}
