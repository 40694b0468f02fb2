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
use pentimento::editor::{Act, Editor, SelectAct};
use pentimento::workbench::{AssistCommand, Command, State, ThemeChoice, handle};

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
fn a_family_that_is_not_here_is_marked() {
    let harness = at(&["Total"]);
    harness.get_by_label("Nowhere Sans is missing here: drawn in Inter.");
    let harness = at(&["Label"]);
    assert!(harness.query_by_label_contains("is missing here").is_none());
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
