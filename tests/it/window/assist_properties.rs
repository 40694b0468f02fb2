//! The panel of properties: numbers typed, dragged and refused, several layers at once, colours, and how it looks.

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_kittest::{Harness, SnapshotResults};

use pentimento::base::{Affine, Point, Rgba, Size};
use pentimento::design::{
    AutoLayout, ColorStop, Direction, Document, Effect, EffectKind, EllipseArc, Gradient,
    GradientKind, Node, NodeId, NodeKind, Paint, PaintKind, Shadow, Sides, TextContent,
    TextDecoration, TextStyle,
};
use pentimento::editor::{
    Act, ComponentAct, Editor, InPlace, PropertyAct, SelectAct, Setting, component_of,
};
use pentimento::workbench::{
    AssistCommand, Browse, Command, FilesCommand, Request, State, ThemeChoice, handle,
};

use super::accessibility::assert_all_have_names;
use super::assist::opened_state;
use super::harness::{Host, add_look_at, themed, window};

const WIDE: [f32; 2] = [1440.0, 900.0];
const SMALL: [f32; 2] = [1024.0, 700.0];

fn node(id: &str, kind: NodeKind, parent: Option<&str>, [x, y, w, h]: [f64; 4]) -> Node {
    let mut node = Node::new(id.into(), id, kind);
    node.parent = parent.map(NodeId::from);
    (node.transform, node.size) = (Affine::translate(x, y), Size::new(w, h));
    node.fills = vec![Paint::solid(Rgba::from_u8([5, 150, 105, 255]))];
    node
}

/// A screen with a tile, a dot, a button with auto layout and its words, and a text in a family that is nowhere.
fn screen() -> Document {
    let mut button = node("Button", NodeKind::Frame, Some("Screen"), [16.0, 200.0, 343.0, 56.0]);
    let mut layout = AutoLayout::new(Direction::Horizontal);
    layout.padding = Sides { top: 18.0, right: 24.0, bottom: 18.0, left: 24.0 };
    layout.item_spacing = 8.0;
    (layout.primary_hugs, layout.counter_hugs) = (false, false);
    button.auto_layout = Some(Box::new(layout));
    button.clips_content = true;
    let mut tile = node("Tile", NodeKind::Rectangle, Some("Screen"), [20.0, 20.0, 80.0, 60.0]);
    let stops = [0, 255].map(|red| ColorStop {
        position: f64::from(red) / 255.0,
        color: Rgba::from_u8([red, 80, 200, 255]),
    });
    let down = Affine::from_rows([[0.0, 1.0, 0.0], [-1.0, 0.0, 1.0]]);
    let gradient = Gradient::from_transform(GradientKind::Linear, down, stops.to_vec()).unwrap();
    tile.fills.push(Paint { kind: PaintKind::Gradient(gradient), ..tile.fills[0].clone() });
    tile.stroke.paints = vec![Paint::solid(Rgba::BLACK)];
    let shadow = Shadow {
        color: Rgba::BLACK.with_alpha(0.25),
        offset: Point::new(0.0, 8.0),
        radius: 24.0,
        spread: -2.0,
        blend_mode: pentimento::design::BlendMode::Normal,
    };
    let kind = EffectKind::DropShadow { shadow, show_behind_node: false };
    let blur = EffectKind::LayerBlur { radius: 3.0 };
    tile.effects = [kind, blur].map(|kind| Effect { kind, visible: true }).to_vec();
    let style = TextStyle { font_family: "Nowhere Sans".to_owned(), ..TextStyle::default() };
    let words = TextContent { characters: "Total".to_owned(), style, ..TextContent::default() };
    let label = TextContent { characters: "Go on".to_owned(), ..TextContent::default() };
    Document::from_nodes([
        node("Screen", NodeKind::Frame, None, [0.0, 0.0, 375.0, 300.0]),
        tile,
        node(
            "Dot",
            NodeKind::Ellipse(EllipseArc::WHOLE),
            Some("Screen"),
            [140.0, 20.0, 40.0, 40.0],
        ),
        button,
        node("Label", NodeKind::Text(Box::new(label)), Some("Button"), [24.0, 18.0, 80.0, 20.0]),
        node("Total", NodeKind::Text(Box::new(words)), Some("Screen"), [20.0, 120.0, 80.0, 20.0]),
    ])
    .unwrap()
}

/// The room with the design open and these layers selected.
fn selected(ids: &[&str]) -> State {
    let mut state = opened_state("basket", Size::new(375.0, 300.0), screen());
    let ids = ids.iter().map(|id| NodeId::from(*id)).collect();
    let select = Act::Select(SelectAct::Only(ids));
    drop(handle(&mut state, Command::Assist(AssistCommand::Act(Box::new(select)))));
    state
}

fn at(ids: &[&str]) -> Harness<'static, Host> {
    window(selected(ids), WIDE)
}

fn editor<'a>(harness: &'a Harness<'_, Host>) -> &'a Editor {
    &harness.state().state.assist.desk.as_deref().unwrap().editor
}

fn of<'a>(harness: &'a Harness<'_, Host>, id: &str) -> &'a Node {
    editor(harness).document().get(&id.into()).unwrap()
}

/// What stands in a field.
fn value(harness: &Harness<'_, Host>, name: &str) -> String {
    let field = harness.get_by_role_and_label(Role::TextInput, name);
    field.accesskit_node().value().unwrap_or_default()
}

/// Goes to a field, whose text is then selected, and types.
fn type_into(harness: &mut Harness<'_, Host>, name: &str, text: &str) {
    harness.get_by_role_and_label(Role::TextInput, name).focus();
    harness.run_steps(3);
    harness.event(Event::Text(text.to_owned()));
    harness.run_steps(2);
}

fn press(harness: &mut Harness<'_, Host>, key: Key) {
    harness.key_press(key);
    harness.run_steps(3);
}

#[test]
fn a_sum_is_worked_out_and_tab_goes_on() {
    let mut harness = at(&["Tile"]);
    assert_eq!(value(&harness, "Width"), "80");
    type_into(&mut harness, "Width", "16*2");
    assert_eq!(of(&harness, "Tile").size.width, 80.0, "not before it is meant");
    press(&mut harness, Key::Tab);
    assert_eq!(of(&harness, "Tile").size.width, 32.0);
    assert_eq!(value(&harness, "Width"), "32");
    let next = harness.get_by_role_and_label(Role::TextInput, "Height");
    assert!(next.accesskit_node().is_focused());
    harness.event(Event::Text("+6".to_owned()));
    // Enter is meant as well.
    press(&mut harness, Key::Enter);
    assert_eq!(of(&harness, "Tile").size.height, 66.0);
    assert_eq!(editor(&harness).undoable().0, 2);
}

#[test]
fn letters_that_are_selected_are_styled_by_keys_and_in_the_panel() {
    let mut harness = at(&["Total"]);
    press(&mut harness, Key::Enter);
    press(&mut harness, Key::Home);
    for _ in 0..3 {
        harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowRight);
        harness.run_steps(2);
    }
    let letters = |harness: &Harness<'_, Host>| {
        editor(harness).selected_letters().map(|(_, letters)| letters)
    };
    assert_eq!(letters(&harness), Some(0..3));
    let own = |harness: &Harness<'_, Host>| {
        let text = of(harness, "Total").text().unwrap();
        assert_eq!(text.characters, "Total", "no key wrote anything");
        text.override_ids.first().and_then(|id| text.overrides.get(id)).cloned()
    };
    harness.key_press_modifiers(Modifiers::COMMAND, Key::U);
    harness.run_steps(3);
    let underline = Some(TextDecoration::Underline);
    assert_eq!(own(&harness).and_then(|own| own.decoration), underline);
    assert_eq!(of(&harness, "Total").text().unwrap().style.decoration, TextDecoration::None);
    harness.get_by_label("Decoration: Underline");
    // A button of the panel is of the letters too, and gives the keyboard back.
    harness.get_by_label("Italic").click();
    harness.run_steps(6);
    assert_eq!(own(&harness).and_then(|own| own.italic), Some(true));
    assert_eq!(letters(&harness), Some(0..3));
    assert!(harness.get_by_label("Text on the canvas").is_focused());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.run_steps(3);
    harness.get_by_label("Decoration: Mixed");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::U);
    harness.run_steps(3);
    harness.get_by_label("Decoration: Underline");
    press(&mut harness, Key::Escape);
    assert_eq!(of(&harness, "Total").text().unwrap().style.decoration, TextDecoration::Underline);
}

#[test]
fn words_from_the_right_are_typed_in_place_in_the_order_they_are_read() {
    for words in ["שלום", "مرحبا"] {
        let mut harness = at(&["Total"]);
        // The window's own font has no such letters.
        harness.ctx.set_missing_glyph_policy(egui::MissingGlyphPolicy::Tofu);
        press(&mut harness, Key::Enter);
        let write = |harness: &mut Harness<'_, Host>, text: &str| {
            harness.event(Event::Text(text.to_owned()));
            harness.run_steps(2);
        };
        let said =
            |harness: &Harness<'_, Host>| of(harness, "Total").text().unwrap().characters.clone();
        write(&mut harness, words);
        assert_eq!(said(&harness), words);
        // The cursor stands behind the last letter that is read, and goes to before the first.
        let letters: Vec<char> = words.chars().collect();
        let (first, last) = (letters[0].to_string(), letters[letters.len() - 1].to_string());
        press(&mut harness, Key::Backspace);
        assert_eq!(said(&harness) + &last, words);
        press(&mut harness, Key::Home);
        press(&mut harness, Key::Delete);
        assert_eq!(first.clone() + &said(&harness) + &last, words);
        write(&mut harness, &first);
        press(&mut harness, Key::End);
        write(&mut harness, &last);
        assert_eq!(said(&harness), words);
        press(&mut harness, Key::Escape);
        assert_eq!(editor(&harness).in_place(), &InPlace::Nothing);
        assert_eq!((said(&harness).as_str(), editor(&harness).undoable()), (words, (1, 0)));
    }
}

#[test]
fn escape_gives_up_what_was_typed_and_nothing_else() {
    let mut harness = at(&["Tile"]);
    type_into(&mut harness, "Width", "999");
    press(&mut harness, Key::Escape);
    assert_eq!(value(&harness, "Width"), "80");
    assert_eq!((editor(&harness).steps(), editor(&harness).selection().nodes.len()), (0, 1));
}

#[test]
fn wrong_text_is_taken_back_and_the_field_says_why() {
    for (text, why) in [("2px", "cannot read"), ("0-5", "Width"), ("1/0", "no number")] {
        let mut harness = at(&["Tile"]);
        type_into(&mut harness, "Width", text);
        press(&mut harness, Key::Enter);
        assert_eq!(editor(&harness).steps(), 0, "{text}");
        let field = harness.get_by(|node| {
            let label = node.label().unwrap_or_default();
            node.role() == Role::TextInput && label.starts_with("Width: ")
        });
        let label = field.accesskit_node().label().unwrap();
        assert!(label.contains(why), "{label}");
        assert_eq!(field.accesskit_node().value().as_deref(), Some("80"));
    }
}

#[test]
fn where_values_differ_it_says_so_and_typing_sets_all() {
    let mut harness = at(&["Tile", "Dot"]);
    assert_eq!(value(&harness, "Width"), "Mixed");
    harness.get_by_role_and_label(Role::TextInput, "Width").focus();
    harness.run_steps(3);
    press(&mut harness, Key::End);
    harness.event(Event::Text("+10".to_owned()));
    harness.run_steps(2);
    press(&mut harness, Key::Enter);
    let widths = |harness: &Harness<'_, Host>| ["Tile", "Dot"].map(|id| of(harness, id).size.width);
    assert_eq!(widths(&harness), [90.0, 50.0]);
    type_into(&mut harness, "Width", "64");
    press(&mut harness, Key::Enter);
    assert_eq!(widths(&harness), [64.0, 64.0]);
    assert_eq!(editor(&harness).undoable().0, 2);
}

#[test]
fn arrow_keys_step_and_the_steps_are_undone_at_once() {
    let mut harness = at(&["Tile"]);
    harness.get_by_role_and_label(Role::TextInput, "Width").focus();
    harness.run_steps(3);
    for (modifiers, width) in
        [(Modifiers::NONE, 81.0), (Modifiers::SHIFT, 91.0), (Modifiers::ALT, 91.1)]
    {
        harness.key_press_modifiers(modifiers, Key::ArrowUp);
        harness.run_steps(3);
        assert_eq!(of(&harness, "Tile").size.width, width);
    }
    press(&mut harness, Key::ArrowDown);
    assert_eq!(value(&harness, "Width"), "90.1");
    press(&mut harness, Key::Enter);
    assert_eq!(editor(&harness).undoable().0, 1);
}

fn drag(harness: &mut Harness<'_, Host>, from: Pos2, by: f32) {
    let button = |pos, pressed| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    harness.event(Event::PointerMoved(from));
    harness.run_steps(1);
    harness.event(button(from, true));
    harness.run_steps(1);
    for step in 1..=4_u8 {
        harness.event(Event::PointerMoved(from + vec2(by * f32::from(step) / 4.0, 0.0)));
        harness.run_steps(1);
    }
    harness.event(button(from + vec2(by, 0.0), false));
    harness.run_steps(2);
}

#[test]
fn a_mark_that_is_dragged_changes_its_number_in_one_step() {
    let mut harness = at(&["Tile"]);
    let field = harness.get_by_role_and_label(Role::TextInput, "Width").rect();
    let mark = field.left_center() - vec2(11.0, 0.0);
    drag(&mut harness, mark, 40.0);
    assert_eq!(of(&harness, "Tile").size.width, 120.0);
    drag(&mut harness, mark, -20.0);
    assert_eq!(of(&harness, "Tile").size.width, 100.0);
    assert_eq!(editor(&harness).undoable().0, 2);
}

#[test]
fn what_is_typed_is_meant_for_the_layer_it_was_typed_for() {
    let mut harness = at(&["Tile"]);
    type_into(&mut harness, "Width", "70");
    // Another is selected before the field is left.
    let select = Act::Select(SelectAct::Only(vec!["Dot".into()]));
    let command = Command::Assist(AssistCommand::Act(Box::new(select)));
    drop(handle(&mut harness.state_mut().state, command));
    harness.run_steps(1);
    press(&mut harness, Key::Enter);
    assert_eq!(["Tile", "Dot"].map(|id| of(&harness, id).size.width), [70.0, 40.0]);
}

#[test]
fn colors_are_typed_added_hidden_and_taken_away() {
    let mut harness = at(&["Dot"]);
    type_into(&mut harness, "Fill hex", "1b4dff");
    press(&mut harness, Key::Enter);
    assert_eq!(of(&harness, "Dot").fills, [Paint::solid(Rgba::from_u8([0x1b, 0x4d, 0xff, 255]))]);
    type_into(&mut harness, "Fill opacity", "40");
    press(&mut harness, Key::Enter);
    assert_eq!(of(&harness, "Dot").fills[0].opacity, 0.4);
    harness.get_by_label("Hide fill").click();
    harness.run_steps(3);
    assert!(!of(&harness, "Dot").fills[0].visible);
    harness.get_by_label("Add fill").click();
    harness.run_steps(3);
    assert_eq!(of(&harness, "Dot").fills.len(), 2);
    harness.get_by_label("Remove fill 1").click();
    harness.run_steps(3);
    assert_eq!(of(&harness, "Dot").fills.len(), 1);
    type_into(&mut harness, "Fill hex", "blue");
    press(&mut harness, Key::Enter);
    harness.get_by_label_contains("such as #1B4DFF");
}

#[test]
fn digits_that_are_typed_and_confirmed_in_one_slow_frame_are_no_opacity() {
    let mut harness = at(&["Dot"]);
    harness.get_by_role_and_label(Role::TextInput, "Fill hex").focus();
    harness.run_steps(3);
    let key = |key| {
        let modifiers = Modifiers::NONE;
        Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }
    };
    let letters = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6].into_iter();
    for (letter, text) in letters.zip("123456".chars()) {
        harness.input_mut().events.extend([key(letter), Event::Text(text.to_string())]);
    }
    harness.input_mut().events.push(key(Key::Enter));
    harness.step();
    harness.run_steps(3);
    let dot = of(&harness, "Dot");
    assert_eq!(dot.fills, [Paint::solid(Rgba::from_u8([0x12, 0x34, 0x56, 255]))]);
    assert_eq!(dot.opacity, 1.0);
    // Of no field they are.
    harness.input_mut().events.push(key(Key::Num7));
    harness.step();
    harness.run_steps(3);
    assert_eq!(of(&harness, "Dot").opacity, 0.7);
}

#[test]
fn the_picker_opens_is_worked_by_keys_and_is_one_step() {
    let mut harness = at(&["Dot"]);
    harness.get_by_label("Fill color").focus();
    harness.run_steps(2);
    press(&mut harness, Key::Enter);
    let plane = harness.get_by_label("Saturation and value");
    plane.focus();
    harness.run_steps(3);
    let before = of(&harness, "Dot").fills[0].clone();
    press(&mut harness, Key::ArrowLeft);
    assert_ne!(of(&harness, "Dot").fills[0], before);
    assert_eq!(editor(&harness).undoable().0, 1);
    assert_all_have_names(&harness, "the picker");
    press(&mut harness, Key::Escape);
    assert!(harness.query_by_label("Saturation and value").is_none());
}

#[test]
fn layout_of_a_frame_is_changed_in_the_panel() {
    let mut harness = at(&["Button"]);
    assert_eq!(value(&harness, "Horizontal padding"), "24");
    type_into(&mut harness, "Gap", "12");
    press(&mut harness, Key::Enter);
    harness.get_by_label("Vertical").click();
    harness.run_steps(3);
    let layout = of(&harness, "Button").auto_layout.as_deref().unwrap().clone();
    assert_eq!((layout.item_spacing, layout.direction), (12.0, Direction::Vertical));
    harness.get_by_label("Align middle center").click();
    harness.run_steps(3);
    harness.get_by_label("Remove auto layout").click();
    harness.run_steps(3);
    assert!(of(&harness, "Button").auto_layout.is_none());
}

#[test]
fn limits_of_sizes_are_added_by_the_menu_typed_and_removed() {
    let mut harness = at(&["Button"]);
    assert!(harness.query_by_label("Min width").is_none());
    click(&mut harness, "Width sizing: Fixed");
    click(&mut harness, "Add min width…");
    assert_eq!(value(&harness, "Min width"), "343");
    type_into(&mut harness, "Min width", "360");
    press(&mut harness, Key::Enter);
    let button = of(&harness, "Button");
    assert_eq!((button.size.width, button.layout_item.min_width), (360.0, Some(360.0)));
    click(&mut harness, "Height sizing: Fixed");
    click(&mut harness, "Add max height…");
    type_into(&mut harness, "Max height", "40");
    press(&mut harness, Key::Enter);
    assert_eq!(of(&harness, "Button").size.height, 40.0);
    assert_all_have_names(&harness, "the limits");
    click(&mut harness, "Remove min width");
    assert_eq!(of(&harness, "Button").layout_item.min_width, None);
    assert!(harness.query_by_label("Min width").is_none());
    click(&mut harness, "Remove max height");
    assert_eq!(of(&harness, "Button").layout_item.max_height, None);
}

#[test]
fn a_family_that_is_not_here_is_marked() {
    let harness = at(&["Total"]);
    harness.get_by_label("Nowhere Sans is missing here: drawn in Inter.");
    let harness = at(&["Label"]);
    assert!(harness.query_by_label_contains("is missing here").is_none());
}

#[test]
fn missing_fonts_are_told_selected_and_replaced_everywhere() {
    let mut harness = at(&[]);
    harness.get_by_label_contains("1 text is drawn in Inter");
    harness.get_by_label_contains("font missing: Nowhere Sans");
    harness.get_by_label("Select them").click();
    harness.run_steps(3);
    assert_eq!(editor(&harness).selection().nodes, [NodeId::from("Total")]);
    harness.get_by_label("Replace everywhere").click();
    harness.run_steps(3);
    harness.get_by_role_and_label(Role::Button, "Inter").click();
    harness.run_steps(3);
    assert_eq!(of(&harness, "Total").text().unwrap().style.font_family, "Inter");
    assert!(harness.query_by_label_contains("font missing").is_none());
    assert_eq!(editor(&harness).undoable().0, 1);
}

/// A window in which all sections have room.
const TALL: [f32; 2] = [1440.0, 1500.0];

fn click(harness: &mut Harness<'_, Host>, name: &str) {
    harness.get_by_label(name).click();
    harness.run_steps(3);
}

#[test]
fn rows_of_exports_are_added_typed_into_and_taken_away() {
    let mut harness = window(selected(&["Dot"]), TALL);
    assert!(harness.query_by_label_contains("Export 1 layer").is_none(), "there are no rows");
    click(&mut harness, "Add export");
    click(&mut harness, "Add export");
    type_into(&mut harness, "Export 2 size", "512w");
    press(&mut harness, Key::Enter);
    type_into(&mut harness, "Export 1 suffix", "-small");
    press(&mut harness, Key::Enter);
    type_into(&mut harness, "Export 1 size", "huge");
    press(&mut harness, Key::Enter);
    harness.get_by_label_contains("such as 512w");
    let rows = |harness: &Harness<'_, Host>| -> Vec<(String, String)> {
        let settings = of(harness, "Dot").export_settings.iter();
        settings.map(|it| (it.suffix.clone(), it.size.to_string())).collect()
    };
    let row = |suffix: &str, size: &str| (suffix.to_owned(), size.to_owned());
    assert_eq!(rows(&harness), [row("-small", "1x"), row("@512w", "512w")]);
    click(&mut harness, "Remove export 1");
    assert_eq!(rows(&harness), [row("@512w", "512w")]);
    click(&mut harness, "Export 1 layer…");
    assert!(harness.state().sent.contains(&Command::Browse(Browse::ExportLayers)));
    let folder = std::path::PathBuf::from("/exports");
    let export = AssistCommand::Files(FilesCommand::ExportLayers(folder.clone()));
    let requests = handle(&mut harness.state_mut().state, Command::Assist(export));
    let order = requests.iter().find_map(|request| match request {
        Request::ExportLayers { order, .. } => Some(order),
        _ => None,
    });
    let order = order.unwrap();
    assert_eq!((&order.folder, order.layers.as_slice()), (&folder, &["Dot".into()][..]));
    assert_all_have_names(&harness, "the rows");
}

/// A design with a set of two buttons, and an instance of the first on the screen, which is selected.
fn kit() -> State {
    let variant = |name: &str, y: f64| {
        let root = node(name, NodeKind::Component, Some("Button"), [20.0, y, 100.0, 40.0]);
        let words = TextContent { characters: "Buy".to_owned(), ..TextContent::default() };
        let id = format!("{name} label");
        let label = NodeKind::Text(Box::new(words));
        let label = node(&id, label, Some(name), [10.0, 10.0, 60.0, 20.0]);
        [root, Node { name: "Label".to_owned(), ..label }]
    };
    let mut nodes = vec![
        node("Page", NodeKind::Canvas, None, [0.0; 4]),
        node("Screen", NodeKind::Frame, Some("Page"), [0.0, 0.0, 375.0, 300.0]),
        node("Button", NodeKind::ComponentSet, Some("Page"), [500.0, 0.0, 140.0, 140.0]),
    ];
    nodes.extend(variant("State=Rest", 20.0));
    nodes.extend(variant("State=Hover", 80.0));
    for (id, y) in [("Tag/Small", 200.0), ("Tag/Large", 260.0)] {
        nodes.push(node(id, NodeKind::Component, Some("Page"), [500.0, y, 60.0, 20.0]));
    }
    let document = Document::from_nodes(nodes).unwrap();
    let mut state = opened_state("kit", Size::new(375.0, 300.0), document);
    let at = Point::new(100.0, 100.0);
    do_act(&mut state, Act::Component(ComponentAct::Insert { component: "State=Rest".into(), at }));
    state
}

fn do_act(state: &mut State, act: Act) {
    drop(handle(state, Command::Assist(AssistCommand::Act(Box::new(act)))));
}

#[test]
fn a_variant_is_chosen_and_overrides_are_kept_and_reset_one_by_one() {
    let mut harness = window(kit(), TALL);
    let instance = editor(&harness).selection().only().unwrap().clone();
    harness.get_by_label("Nothing is overridden.");
    let label = editor(&harness).document().children_of(Some(&instance)).first().unwrap().clone();
    let rewrite = PropertyAct::On {
        nodes: vec![label],
        act: Box::new(PropertyAct::Set(Setting::Visible(false))),
    };
    do_act(&mut harness.state_mut().state, Act::Property(rewrite));
    harness.run_steps(2);
    harness.get_by_label("Label · visibility");
    click(&mut harness, "State: Rest");
    click(&mut harness, "Hover");
    let document = editor(&harness).document();
    let main = component_of(document.get(&instance).unwrap());
    assert_eq!(main, Some("State=Hover".into()));
    let label = document.children_of(Some(&instance)).first().unwrap().clone();
    assert!(!document.get(&label).unwrap().visible, "it is kept");
    assert_all_have_names(&harness, "the instance");
    click(&mut harness, "Reset visibility of Label");
    assert!(editor(&harness).document().get(&label).unwrap().visible);
    harness.get_by_label("Nothing is overridden.");
    click(&mut harness, "Go to main component");
    assert_eq!(editor(&harness).selection().nodes, [NodeId::from("State=Hover")]);
    harness.get_by_label("Variant");
}

#[test]
fn several_components_become_a_set_in_the_panel() {
    let mut state = kit();
    let tags = ["Tag/Small", "Tag/Large"].map(NodeId::from).to_vec();
    do_act(&mut state, Act::Select(SelectAct::Only(tags)));
    let mut harness = window(state, WIDE);
    click(&mut harness, "Create component set");
    let set = editor(&harness).selection().only().unwrap().clone();
    let node = of(&harness, set.as_str());
    assert_eq!((node.name.as_str(), &node.kind), ("Tag", &NodeKind::ComponentSet));
    harness.get_by_label("Property 1");
    harness.get_by_label("Small, Large");
}

#[test]
fn exports_and_instances_look_as_they_should() {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")] {
        let mut harness = window(themed(selected(&["Dot"]), theme), TALL);
        click(&mut harness, "Add export");
        click(&mut harness, "Add export");
        let first = harness.get_by_label("Add export").rect();
        let last = harness.get_by_label("Export 1 layer…").rect();
        let rect = section(&harness, first, last);
        add_look_at(&mut results, &mut harness, &format!("assist_export_{suffix}"), rect);
        let mut harness = window(themed(kit(), theme), TALL);
        let first = harness.get_by_label("Instance").rect();
        let last = harness.get_by_label("Detach instance").rect();
        let rect = section(&harness, first, last);
        add_look_at(&mut results, &mut harness, &format!("assist_instance_{suffix}"), rect);
    }
}

/// The part of the panel from one row to another.
fn section(harness: &Harness<'_, Host>, first: Rect, last: Rect) -> Rect {
    let panel = panel(harness);
    Rect::from_x_y_ranges(panel.x_range(), first.top() - 8.0..=last.bottom() + 8.0)
}

#[test]
fn everything_in_the_panel_has_a_name() {
    for ids in
        [&[][..], &["Tile"], &["Dot", "Tile"], &["Button"], &["Label"], &["Total"], &["Screen"]]
    {
        for size in [WIDE, SMALL] {
            let harness = window(selected(ids), size);
            assert_all_have_names(&harness, &format!("{ids:?}"));
        }
    }
}

/// The box of the panel: it begins where its first field does, less the margins.
fn panel(harness: &Harness<'_, Host>) -> Rect {
    let left = harness.get_by_role_and_label(Role::TextInput, "X").rect().left() - 34.0;
    let bottom = harness.ctx.content_rect().bottom() - 24.0;
    Rect::from_x_y_ranges(left..=left + 248.0, 40.0..=bottom)
}

#[test]
fn the_panel_looks_as_it_should() {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")] {
        for (name, id) in [("text", "Total"), ("auto_layout", "Button"), ("gradient", "Tile")] {
            let mut harness = window(themed(selected(&[id]), theme), WIDE);
            let panel = panel(&harness);
            let name = format!("assist_properties_{name}_{suffix}");
            add_look_at(&mut results, &mut harness, &name, panel);
        }
    }
}
