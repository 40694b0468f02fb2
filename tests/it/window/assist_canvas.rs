//! The canvas of the room in which people design by hand: what the pointer selects, moves and resizes.

use egui::{Key, Modifiers, PointerButton, Pos2, Rect, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_kittest::{Harness, SnapshotResults};

use pentimento::base::Rect as PageRect;
use pentimento::design::NodeId;
use pentimento::editor::{Act, SelectAct};
use pentimento::workbench::protocol::Request;
use pentimento::workbench::{
    AssistCommand, Command, DerivedKey, DesignPictureKey, DesignSide, Fetched, ThemeChoice, handle,
};

use super::assist::{assist_state, card, desk};
use super::harness::{Host, add_look_at, themed, window};

const SIZE: [f32; 2] = [1440.0, 900.0];

fn opened<'a>() -> Harness<'a, Host> {
    let mut harness = window(assist_state(card()), SIZE);
    harness.run_steps(2);
    harness
}

/// Where a place of the page is in the window: the screen lies in the middle, as large as it is.
fn place(harness: &Harness<'_, Host>, x: f32, y: f32) -> Pos2 {
    let canvas = harness.get_by_label("Canvas").rect();
    canvas.center() + vec2(x - 200.0, y - 150.0)
}

fn press(harness: &Harness<'_, Host>, at: Pos2, modifiers: Modifiers) {
    harness.event(egui::Event::PointerMoved(at));
    harness.event(egui::Event::PointerButton {
        pos: at,
        button: PointerButton::Primary,
        pressed: true,
        modifiers,
    });
}

fn drag(harness: &mut Harness<'_, Host>, from: [f32; 2], to: [f32; 2]) {
    let (from, to) = (place(harness, from[0], from[1]), place(harness, to[0], to[1]));
    press(harness, from, Modifiers::NONE);
    harness.run_steps(1);
    harness.hover_at(from.lerp(to, 0.5));
    harness.run_steps(1);
    harness.hover_at(to);
    harness.run_steps(1);
    harness.drop_at(to);
    harness.run_steps(2);
}

fn click(harness: &mut Harness<'_, Host>, x: f32, y: f32) {
    let at = place(harness, x, y);
    press(harness, at, Modifiers::NONE);
    harness.run_steps(1);
    harness.drop_at(at);
    harness.run_steps(2);
}

/// Clicks, all in the next frame: steps of a test are slower than double clicks.
fn push_clicks(
    harness: &mut Harness<'_, Host>,
    pos: Pos2,
    (button, modifiers): (PointerButton, Modifiers),
    times: usize,
) {
    let events = &mut harness.input_mut().events;
    events.push(egui::Event::ModifiersChanged(modifiers));
    for pressed in [true, false].repeat(times) {
        events.push(egui::Event::PointerButton { pos, button, pressed, modifiers });
    }
}

fn selected(harness: &Harness<'_, Host>) -> Vec<String> {
    let nodes = &desk(&harness.state().state).editor.selection().nodes;
    nodes.iter().map(ToString::to_string).collect()
}

fn box_of(harness: &Harness<'_, Host>, id: &str) -> PageRect {
    desk(&harness.state().state).editor.shown().absolute_box(&NodeId::from(id)).unwrap()
}

#[test]
fn a_click_selects_and_a_drag_moves_and_undo_takes_it_back() {
    let mut harness = opened();
    click(&mut harness, 300.0, 200.0);
    assert_eq!(selected(&harness), ["dot"]);
    let before = box_of(&harness, "dot");
    drag(&mut harness, [300.0, 200.0], [287.0, 231.0]);
    let after = box_of(&harness, "dot");
    assert!(after.x < before.x - 5.0 && after.y > before.y + 15.0, "{after:?}");
    assert_eq!(desk(&harness.state().state).editor.steps(), 1);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_steps(2);
    assert_eq!(box_of(&harness, "dot"), before);
    // The ground of the screen selects nothing.
    click(&mut harness, 380.0, 20.0);
    assert_eq!(selected(&harness), [""; 0]);
}

#[test]
fn double_clicks_go_one_level_further_in() {
    let mut harness = opened();
    click(&mut harness, 80.0, 80.0);
    assert_eq!(selected(&harness), ["card"]);
    let at = place(&harness, 80.0, 80.0);
    // In one frame, after a while in which the first click is forgotten.
    harness.run_steps(8);
    push_clicks(&mut harness, at, (PointerButton::Primary, Modifiers::NONE), 2);
    harness.run_steps(2);
    assert_eq!(selected(&harness), ["tile"]);
}

#[test]
fn handles_have_names_and_values_and_resize() {
    let mut harness = opened();
    click(&mut harness, 300.0, 200.0);
    let corner = harness.get_by_label("Resize: bottom right");
    let at = corner.rect().center();
    assert!(at.distance(place(&harness, 340.0, 240.0)) < 1.0);
    assert_eq!(corner.accesskit_node().value().as_deref(), Some("80 × 60"));
    harness.get_by_label("Corner radius: top left");
    drag(&mut harness, [340.0, 240.0], [352.0, 251.0]);
    let size = box_of(&harness, "dot");
    assert_eq!((size.width, size.height), (92.0, 71.0));
}

#[test]
fn escape_gives_up_the_drag_before_the_selection() {
    let mut harness = opened();
    click(&mut harness, 300.0, 200.0);
    let before = box_of(&harness, "dot");
    let (from, to) = (place(&harness, 300.0, 200.0), place(&harness, 250.0, 150.0));
    press(&harness, from, Modifiers::NONE);
    harness.run_steps(1);
    harness.hover_at(to);
    harness.run_steps(2);
    assert_ne!(box_of(&harness, "dot"), before);
    harness.key_press(Key::Escape);
    harness.run_steps(2);
    assert_eq!(box_of(&harness, "dot"), before);
    assert_eq!(selected(&harness), ["dot"]);
    harness.drop_at(to);
    harness.run_steps(2);
    assert_eq!((box_of(&harness, "dot"), desk(&harness.state().state).editor.steps()), (before, 0));
    harness.key_press(Key::Escape);
    harness.run_steps(2);
    assert_eq!(selected(&harness), [""; 0]);
}

#[test]
fn a_rectangle_drawn_from_the_ground_selects_what_it_meets() {
    let mut harness = opened();
    drag(&mut harness, [380.0, 280.0], [320.0, 170.0]);
    assert_eq!(selected(&harness), ["dot"]);
    assert_eq!(desk(&harness.state().state).editor.steps(), 0);
}

#[test]
fn a_frame_is_selected_by_its_name() {
    let mut harness = opened();
    let name = harness.get_by_label("Frame screen").rect().center();
    press(&harness, name, Modifiers::NONE);
    harness.run_steps(1);
    harness.drop_at(name);
    harness.run_steps(2);
    assert_eq!(selected(&harness), ["screen"]);
}

#[test]
fn space_and_a_drag_move_the_page_and_nothing_on_it() {
    let mut harness = opened();
    click(&mut harness, 300.0, 200.0);
    let before = harness.get_by_label("Resize: top left").rect().center();
    let (from, to) = (place(&harness, 300.0, 200.0), place(&harness, 320.0, 230.0));
    harness.key_down(Key::Space);
    harness.run_steps(1);
    press(&harness, from, Modifiers::NONE);
    harness.run_steps(1);
    harness.hover_at(to);
    harness.run_steps(1);
    harness.drop_at(to);
    harness.key_up(Key::Space);
    harness.run_steps(2);
    let after = harness.get_by_label("Resize: top left").rect().center();
    assert!((after - before - vec2(20.0, 30.0)).length() < 1.0, "{before} {after}");
    assert_eq!(desk(&harness.state().state).editor.steps(), 0);
}

#[test]
fn the_right_button_lists_what_lies_there() {
    let mut harness = opened();
    let at = place(&harness, 80.0, 80.0);
    harness.hover_at(at);
    harness.run_steps(1);
    push_clicks(&mut harness, at, (PointerButton::Secondary, Modifiers::COMMAND), 1);
    harness.step();
    harness.event(egui::Event::ModifiersChanged(Modifiers::NONE));
    harness.run_steps(2);
    // The tree beside the canvas may have a row of the same name.
    harness.get_all_by_label("tile").last().unwrap().click();
    harness.run_steps(2);
    assert_eq!(selected(&harness), ["tile"]);
}

#[test]
fn pictures_do_not_pile_up_while_something_changes() {
    let mut state = assist_state(card());
    let first = DesignPictureKey { desk: 1, side: DesignSide::Work, revision: 1, scale: 1 };
    assert!(matches!(state.derived.design_pictures.get(&first), Some(Fetched::Pending)));
    let delete = Act::Arrange(pentimento::editor::ArrangeAct::Delete);
    for act in [Act::Select(SelectAct::Only(vec!["dot".into()])), delete] {
        let command = Command::Assist(AssistCommand::Act(Box::new(act)));
        let requests = handle(&mut state, command);
        let asks = |request: &Request| {
            matches!(request, Request::Derive { key: DerivedKey::DesignPicture(_), .. })
        };
        assert!(!requests.iter().any(asks), "{requests:?}");
    }
    assert!(desk(&state).picture_key() > first);
    assert_eq!(state.derived.design_pictures.len(), 1);
    assert!(matches!(state.derived.design_pictures.get(&first), Some(Fetched::Pending)));
}

#[test]
fn the_canvas_looks() {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")] {
        let mut harness = window(themed(assist_state(card()), theme), SIZE);
        harness.run_steps(2);
        click(&mut harness, 300.0, 200.0);
        harness.remove_cursor();
        harness.run_steps(2);
        let (from, to) = (place(&harness, 0.0, 0.0), place(&harness, 400.0, 300.0));
        let look = Rect::from_two_pos(from, to).expand(32.0);
        add_look_at(&mut results, &mut harness, &format!("assist_canvas_{suffix}"), look);
    }
}
