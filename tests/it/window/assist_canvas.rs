//! The canvas of the room in which people design by hand: what the pointer selects, moves and resizes.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers, PointerButton, Pos2, Rect, Shape, pos2, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_kittest::{Harness, SnapshotResults};

use pentimento::base::{Affine, Pixels, Point, Rect as PageRect};
use pentimento::design::{Document, Node, NodeId, NodeKind, Paint, PaintKind};
use pentimento::editor::{Act, ComponentAct, SelectAct};
use pentimento::render::{RenderContext, RenderOptions, render_node};
use pentimento::workbench::protocol::Request;
use pentimento::workbench::{
    AssistCommand, AssistantCommand, Command, CommentCommand, DerivedKey, DesignGoal,
    DesignPicture, DesignPictureKey, DesignSide, DesignVersion, Fetched, GoalView, State,
    ThemeChoice, handle,
};

use super::assist::{assist_state, card, desk, shape};
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
fn plain_text_is_pasted_where_people_look() {
    let mut harness = opened();
    harness.event(egui::Event::Paste("Two words\r\nand a line".to_owned()));
    harness.run_steps(2);
    let [pasted] = <[String; 1]>::try_from(selected(&harness)).unwrap();
    let at = box_of(&harness, &pasted).center();
    assert!((at.x - 200.0).abs() <= 2.0 && (at.y - 150.0).abs() <= 2.0, "{at:?}");
    let pasted = NodeId::from(pasted.as_str());
    let node = desk(&harness.state().state).editor.document().get(&pasted).unwrap();
    assert_eq!(node.name, "Two words");
    assert_eq!(node.text().unwrap().characters, "Two words\nand a line");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_steps(2);
    assert_eq!(*desk(&harness.state().state).editor.document(), card());
}

#[test]
fn a_copy_that_is_dragged_off_with_alt_is_copied_on_by_ctrl_d() {
    let mut harness = opened();
    click(&mut harness, 300.0, 200.0);
    let first = box_of(&harness, "dot");
    harness.event(egui::Event::ModifiersChanged(Modifiers::ALT));
    drag(&mut harness, [300.0, 200.0], [287.0, 120.0]);
    harness.event(egui::Event::ModifiersChanged(Modifiers::NONE));
    harness.run_steps(1);
    let place = |harness: &Harness<'_, Host>| {
        let [only] = <[String; 1]>::try_from(selected(harness)).unwrap();
        box_of(harness, &only)
    };
    let second = place(&harness);
    assert!(second.y < first.y - 40.0, "{second:?}");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::D);
    harness.run_steps(2);
    let third = place(&harness);
    assert_eq!((third.x - second.x, third.y - second.y), (second.x - first.x, second.y - first.y));
}

#[test]
fn undo_selects_what_it_changed_and_shows_it_where_it_was_out_of_sight() {
    let mut harness = opened();
    click(&mut harness, 300.0, 200.0);
    drag(&mut harness, [300.0, 200.0], [287.0, 231.0]);
    click(&mut harness, 80.0, 80.0);
    assert_eq!(selected(&harness), ["card"]);
    let picture =
        |harness: &Harness<'_, Host>| harness.get_by_label("Picture of the design").rect();
    let seen = picture(&harness);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_steps(3);
    assert_eq!(selected(&harness), ["dot"]);
    assert_eq!(picture(&harness), seen, "what is seen is left where it is");
    // The wheel moves all of it out of sight.
    let canvas = harness.get_by_label("Canvas").rect();
    harness.hover_at(canvas.center());
    harness.run_steps(1);
    harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: vec2(0.0, 4_000.0),
        source: egui::MouseWheelSource::Wheel,
        phase: egui::TouchPhase::Move,
        modifiers: Modifiers::NONE,
    });
    harness.run_steps(20);
    assert!(!canvas.intersects(picture(&harness)), "{:?}", picture(&harness));
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z);
    harness.run_steps(3);
    let corner = harness.get_by_label("Resize: top left").rect().center();
    assert!(canvas.contains(corner), "{corner:?}");
    assert_eq!(selected(&harness), ["dot"]);
}

#[test]
fn arrow_keys_go_as_far_as_is_set() {
    let mut harness = opened();
    click(&mut harness, 300.0, 200.0);
    let before = box_of(&harness, "dot");
    let keys = Modifiers::COMMAND.plus(Modifiers::ALT).plus(Modifiers::SHIFT);
    harness.key_press_modifiers(keys, Key::N);
    harness.run_steps(3);
    assert!(harness.get_by_role_and_label(Role::TextInput, "Small nudge").is_focused());
    for (name, size) in [("Small nudge", "4"), ("Big nudge", "25")] {
        harness.get_by_role_and_label(Role::TextInput, name).focus();
        harness.run_steps(2);
        harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
        harness.run_steps(1);
        harness.event(egui::Event::Text(size.to_owned()));
        harness.run_steps(2);
    }
    harness.key_press(Key::Enter);
    harness.run_steps(3);
    let nudge = harness.state().state.settings.canvas.nudge;
    assert_eq!((nudge.small(), nudge.big()), (4, 25));
    assert!(harness.query_by_label("Nudge amount").is_none(), "the question is gone");
    harness.key_press(Key::ArrowLeft);
    harness.run_steps(2);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowUp);
    harness.run_steps(2);
    let after = box_of(&harness, "dot");
    assert_eq!((before.x - after.x, before.y - after.y), (4.0, 25.0));
}

#[test]
fn escape_leaves_a_question_over_the_canvas_and_not_the_selection() {
    let mut harness = opened();
    click(&mut harness, 300.0, 200.0);
    let command_alt = Modifiers::COMMAND.plus(Modifiers::ALT);
    for (modifiers, key, title) in [
        (command_alt.plus(Modifiers::SHIFT), Key::N, "Nudge amount"),
        (command_alt, Key::S, "Name this version"),
    ] {
        harness.key_press_modifiers(modifiers, key);
        harness.run_steps(3);
        assert!(harness.query_by_label(title).is_some(), "{title}");
        // From a button too, which does not keep Escape for itself.
        harness.get_by_label("Cancel").focus();
        harness.run_steps(2);
        harness.key_press(Key::Escape);
        harness.run_steps(3);
        assert!(harness.query_by_label(title).is_none(), "{title}: Escape closes it");
        harness.key_press_modifiers(modifiers, key);
        harness.run_steps(3);
        assert!(harness.query_by_label(title).is_some(), "{title}");
        harness.key_press(Key::Escape);
        harness.run_steps(3);
        assert!(harness.query_by_label(title).is_none(), "{title}: from its field too");
        assert_eq!(selected(&harness), ["dot"], "{title}");
    }
}

#[test]
fn pages_are_gone_through_by_keys_and_listed_over_the_layers() {
    let white = [1.0; 3];
    let document = Document::from_nodes([
        shape("Page 1", NodeKind::Canvas, None, [0.0; 4], white),
        shape("screen", NodeKind::Frame, Some("Page 1"), [0.0, 0.0, 400.0, 300.0], white),
        shape("Page 2", NodeKind::Canvas, None, [0.0; 4], white),
        shape("loose", NodeKind::Rectangle, Some("Page 2"), [50.0, 40.0, 80.0, 60.0], white),
    ]);
    let mut harness = window(assist_state(document.unwrap()), SIZE);
    harness.run_steps(2);
    let lists = |harness: &Harness<'_, Host>, name: &str| {
        harness.query_all_by_label_contains(name).next().is_some()
    };
    assert!(lists(&harness, "screen") && !lists(&harness, "loose"));
    harness.key_press(Key::PageDown);
    harness.run_steps(3);
    let page = |harness: &Harness<'_, Host>| {
        desk(&harness.state().state).editor.page().unwrap().to_string()
    };
    assert_eq!(page(&harness), "Page 2");
    assert!(lists(&harness, "loose"));
    assert!(harness.query_by_label("Frame screen").is_none(), "that is on the other page");
    harness.get_by_label("New page").click();
    harness.run_steps(3);
    let new = page(&harness);
    harness.get_by_label("Page menu").click();
    harness.run_steps(3);
    harness.get_by_label("Delete page").click();
    harness.run_steps(3);
    assert_eq!(page(&harness), "Page 2");
    harness.get_by_label("Page: Page 1").click();
    harness.run_steps(3);
    assert_eq!(page(&harness), "Page 1");
    harness.get_by_label("Frame screen");
    let new = NodeId::from(new.as_str());
    assert!(desk(&harness.state().state).editor.document().get(&new).is_none());
    assert_eq!(desk(&harness.state().state).editor.steps(), 2, "looking is no step");
}

#[test]
fn a_design_without_pages_gets_them_by_a_key() {
    let mut harness = window(assist_state(card()), SIZE);
    assert!(harness.query_by_label("Page menu").is_none());
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::ALT, Key::PageDown);
    harness.run_steps(3);
    harness.get_by_label("Page menu");
    harness.get_by_label("Page: Page 2");
    harness.get_by_label("Page: Page 1").click();
    harness.run_steps(3);
    harness.get_by_label("Frame screen");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_steps(3);
    assert!(harness.query_by_label("Page menu").is_none());
    assert_eq!(*desk(&harness.state().state).editor.document(), card());
    // The same by the button over the layers, which is always there; the pointer may rest on it, which says its name.
    harness.get_by_role_and_label(Role::Button, "New page").click();
    harness.run_steps(3);
    harness.get_by_label("Page: Page 2");
}

#[test]
fn a_page_with_several_frames_is_seen_whole_and_its_only_page_can_be_renamed() {
    let white = [1.0; 3];
    let frame = |id: &str, x: f64| {
        shape(id, NodeKind::Frame, Some("Page 1"), [x, 0.0, 400.0, 300.0], white)
    };
    let document = Document::from_nodes([
        shape("Page 1", NodeKind::Canvas, None, [0.0; 4], white),
        frame("first", 0.0),
        frame("second", 2_000.0),
    ]);
    let mut harness = window(assist_state(document.unwrap()), SIZE);
    harness.run_steps(2);
    let canvas = harness.get_by_label("Canvas").rect();
    for name in ["Frame first", "Frame second"] {
        assert!(canvas.contains_rect(harness.get_by_label(name).rect()), "{name}");
    }
    let picture = harness.get_by_label("Picture of the design").rect();
    assert!((picture.aspect_ratio() - 2_400.0 / 300.0).abs() < 0.1, "{picture:?}");
    harness.get_by_label("Page menu").click();
    harness.run_steps(3);
    assert!(harness.get_by_label("Delete page").accesskit_node().is_disabled());
    harness.get_by_label("Rename page").click();
    harness.run_steps(3);
    harness.get_by_label("Name of the layer").type_text("Screens");
    harness.run_steps(2);
    harness.key_press(Key::Enter);
    harness.run_steps(3);
    harness.get_by_label("Page: Screens");
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
fn undoing_gives_up_the_drag_and_takes_no_step_back() {
    let mut harness = opened();
    for steps in [0, 1] {
        let before = box_of(&harness, "dot");
        let middle = [before.center().x as f32, before.center().y as f32];
        press(&harness, place(&harness, middle[0], middle[1]), Modifiers::NONE);
        harness.run_steps(1);
        let to = place(&harness, 230.0, 120.0);
        harness.hover_at(to);
        harness.run_steps(2);
        assert_ne!(box_of(&harness, "dot"), before);
        harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        harness.run_steps(2);
        assert_eq!(box_of(&harness, "dot"), before);
        harness.drop_at(to);
        harness.run_steps(2);
        let editor = &desk(&harness.state().state).editor;
        assert_eq!((box_of(&harness, "dot"), editor.steps()), (before, steps));
        drag(&mut harness, middle, [287.0, 231.0]);
    }
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
fn a_picture_is_cropped_by_dragging_it_in_its_box_or_left_as_it_was() {
    let white = [1.0; 3];
    let photo = shape("photo", NodeKind::Rectangle, Some("screen"), [100.0; 4], white);
    let mut document = Document::from_nodes([
        shape("screen", NodeKind::Frame, None, [0.0, 0.0, 400.0, 300.0], white),
        Node { fills: vec![Paint::picture("cat")], ..photo },
    ])
    .unwrap();
    // Twice as wide as its box, whose middle it fills.
    document.add_image("cat", Arc::new(Pixels::filled(200, 100, [9, 8, 7, 255]).unwrap()));
    let mut harness = window(assist_state(document), SIZE);
    harness.run_steps(2);
    click(&mut harness, 150.0, 150.0);
    assert_eq!(selected(&harness), ["photo"]);
    let crop = |harness: &mut Harness<'_, Host>| {
        harness.key_press_modifiers(Modifiers::ALT, Key::C);
        harness.run_steps(3);
        drag(harness, [150.0, 150.0], [170.0, 150.0]);
    };
    crop(&mut harness);
    harness.key_press(Key::Escape);
    harness.run_steps(3);
    assert!(harness.query_by_label("Keep crop").is_none());
    assert_eq!(desk(&harness.state().state).editor.steps(), 0, "given up, it is as it was");
    let photo = Act::Select(SelectAct::Only(vec!["photo".into()]));
    let select = Command::Assist(AssistCommand::Act(Box::new(photo)));
    drop(handle(&mut harness.state_mut().state, select));
    harness.run_steps(3);
    crop(&mut harness);
    harness.get_by_label("Keep crop").click();
    harness.run_steps(3);
    let editor = &desk(&harness.state().state).editor;
    let fills = &editor.document().get(&"photo".into()).unwrap().fills;
    let PaintKind::Image(image) = &fills[0].kind else { panic!("{fills:?}") };
    let Affine { a, e, .. } = image.transform.unwrap();
    assert!((a - 0.5).abs() < 1e-6 && (e - 0.15).abs() < 0.01, "{a} {e}");
    assert_eq!(editor.steps(), 1);
}

#[test]
fn pictures_do_not_pile_up_while_something_changes() {
    let mut state = assist_state(card());
    let first =
        DesignPictureKey { desk: 1, side: DesignSide::Work, revision: 1, scale: 1, part: None };
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

/// The lines of the grid between pixels, which alone are of a clear black: those down the canvas, and those across it.
fn grid_lines(harness: &Harness<'_, Host>) -> [Vec<f32>; 2] {
    let (mut down, mut across) = (Vec::new(), Vec::new());
    let shapes = harness.output().shapes.iter();
    let mut shapes: Vec<&Shape> = shapes.map(|clipped| &clipped.shape).collect();
    while let Some(shape) = shapes.pop() {
        match shape {
            Shape::Vec(inside) => shapes.extend(inside),
            Shape::LineSegment { points: [from, to], stroke }
                if matches!(stroke.color.to_array(), [0, 0, 0, 1..=254]) =>
            {
                if from.x == to.x {
                    down.push(from.x);
                } else {
                    across.push(from.y);
                }
            }
            _ => {}
        }
    }
    for lines in [&mut down, &mut across] {
        lines.sort_by(f32::total_cmp);
    }
    [down, across]
}

#[test]
fn the_grid_between_pixels_has_their_pitch_and_is_drawn_from_800_percent_on() {
    let mut harness = opened();
    // 150, 200, 300 and 400 %.
    for _ in 0..4 {
        harness.key_press(Key::Plus);
        harness.run_steps(2);
    }
    assert!(grid_lines(&harness).iter().all(Vec::is_empty));
    harness.key_press(Key::Plus);
    harness.run_steps(2);
    let picture = harness.get_by_label("Picture of the design").rect();
    assert!((picture.width() - 8.0 * 400.0).abs() < 0.1, "{picture:?}");
    let canvas = harness.get_by_label("Canvas").rect();
    let sides = [(picture.left(), canvas.width()), (picture.top(), canvas.height())];
    for (lines, (from, room)) in grid_lines(&harness).into_iter().zip(sides) {
        assert!(lines.len() as f32 >= (room / 8.0).floor(), "{} in {room}", lines.len());
        assert!(lines.windows(2).all(|pair| (pair[1] - pair[0] - 8.0).abs() < 0.01), "{lines:?}");
        // Each lies where a pixel of the design begins.
        let pixels = (lines[0] - from) / 8.0;
        assert!((pixels - pixels.round()).abs() < 0.01, "{pixels}");
    }
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Quote);
    harness.run_steps(2);
    assert!(grid_lines(&harness).iter().all(Vec::is_empty));
}

#[test]
fn several_zooms_in_one_frame_are_each_from_where_the_one_before_led_to() {
    let mut harness = opened();
    let press = |key| {
        let modifiers = Modifiers::NONE;
        egui::Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }
    };
    // 150, 200, 150, 200 and 300 %.
    let keys = [Key::Plus, Key::Plus, Key::Minus, Key::Plus, Key::Plus];
    harness.input_mut().events.extend(keys.map(press));
    harness.run_steps(3);
    let picture = harness.get_by_label("Picture of the design").rect();
    assert!((picture.width() - 3.0 * 400.0).abs() < 0.1, "{picture:?}");
}

#[test]
fn keys_that_designers_know_mean_the_canvas_and_not_the_window() {
    let mut harness = opened();
    let of_window = |harness: &Harness<'_, Host>| {
        let state = &harness.state().state;
        (state.shows_dark(), state.settings.text_scale, state.overlay)
    };
    let before = of_window(&harness);
    click(&mut harness, 300.0, 200.0);
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::L);
    harness.run_steps(2);
    let document = desk(&harness.state().state).editor.document();
    assert!(document.get(&"dot".into()).unwrap().locked);
    let width =
        |harness: &Harness<'_, Host>| harness.get_by_label("Picture of the design").rect().width();
    for (key, wide) in
        [(Key::Equals, 600.0), (Key::Minus, 400.0), (Key::Equals, 600.0), (Key::Num0, 400.0)]
    {
        harness.key_press_modifiers(Modifiers::COMMAND, key);
        harness.run_steps(3);
        assert!((width(&harness) - wide).abs() < 0.5, "{key:?}: {}", width(&harness));
    }
    assert_eq!(of_window(&harness), before);
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

/// A surface of the room: its name, the room before, and how it comes to be seen, which gives where it is.
type Surface = (&'static str, fn() -> State, fn(&mut Harness<'_, Host>) -> Rect);

const SURFACES: [Surface; 13] = [
    ("assist_assets", with_component, assets_tab),
    ("assist_versions", with_versions, version_bar),
    ("assist_comment", with_comment, comment_popup),
    ("assist_crop", with_photo, crop),
    ("assist_picker", drawn, picker),
    ("assist_nudge", drawn, nudge_question),
    ("assist_goal_beside", goal_beside, both_screens),
    ("assist_goal_over", goal_over, whole_picture),
    ("assist_outlines", outlined, whole_picture),
    ("assist_eyedropper", drawn, eyedropper),
    ("assist_distances", drawn, distances),
    ("assist_rulers", ruled, corner_of_rulers),
    ("assistant_measures", drawn, measures),
];

/// The picture of a design's screen, as the worker draws it.
fn picture_of(document: &Document) -> Arc<DesignPicture> {
    let screen = document.main_frame().unwrap();
    let (context, options) = (RenderContext::default(), RenderOptions::default());
    let drawn = render_node(&context, document, &screen.id, options).unwrap();
    let area = document.absolute_box(&screen.id).unwrap();
    Arc::new(DesignPicture { pixels: drawn.pixels, area })
}

/// The room with a design and its picture.
fn drawn_of(document: Document) -> State {
    let picture = picture_of(&document);
    let mut state = assist_state(document);
    let key = desk(&state).picture_key();
    state.derived.design_pictures.insert(key, Fetched::Ready(picture));
    state
}

fn drawn() -> State {
    drawn_of(card())
}

fn with_component() -> State {
    let mut state = drawn();
    let select = Act::Select(SelectAct::Only(vec!["dot".into()]));
    for act in [select, Act::Component(ComponentAct::Create)] {
        drop(handle(&mut state, Command::Assist(AssistCommand::Act(Box::new(act)))));
    }
    state
}

/// The first of two versions is looked at.
fn with_versions() -> State {
    let mut state = drawn();
    let version = |name: &str, at: &str| DesignVersion {
        name: name.to_owned(),
        at: at.to_owned(),
        document: card(),
    };
    let files = &mut state.assist.desk.as_mut().unwrap().files;
    files.versions = vec![
        version("First", "2026-01-02T09:30:00Z"),
        version("Before the colors", "2026-01-02T10:05:00Z"),
    ];
    files.viewed = Some(0);
    let keys = desk(&state).version_keys().into_iter().chain([desk(&state).picture_key()]);
    for key in keys.collect::<Vec<_>>() {
        state.derived.design_pictures.insert(key, Fetched::Ready(picture_of(&card())));
    }
    state
}

fn with_comment() -> State {
    let mut state = drawn();
    let (node, at) = ("dot".into(), Point::new(40.0, 30.0));
    let comment = CommentCommand::Add { node, at, text: "Smaller, please".to_owned() };
    drop(handle(&mut state, Command::Assist(AssistCommand::Comment(comment))));
    state
}

fn with_photo() -> State {
    let white = [1.0; 3];
    let photo = shape("photo", NodeKind::Rectangle, Some("screen"), [100.0; 4], white);
    let mut document = Document::from_nodes([
        shape("screen", NodeKind::Frame, None, [0.0, 0.0, 400.0, 300.0], white),
        Node { fills: vec![Paint::picture("cat")], ..photo },
    ])
    .unwrap();
    document.add_image("cat", Arc::new(Pixels::filled(200, 100, [190, 120, 60, 255]).unwrap()));
    drawn_of(document)
}

/// With a goal that is one large tile.
fn with_goal(view: GoalView) -> State {
    let goal = Document::from_nodes([
        shape("screen", NodeKind::Frame, None, [0.0, 0.0, 400.0, 300.0], [1.0; 3]),
        shape(
            "tile",
            NodeKind::Rectangle,
            Some("screen"),
            [40.0, 40.0, 320.0, 200.0],
            [0.2, 0.6, 0.3],
        ),
    ])
    .unwrap();
    let mut state = drawn();
    state.settings.canvas.goal = view;
    let picture = picture_of(&goal);
    state.assist.desk.as_mut().unwrap().goal = Some(DesignGoal::of_design(Arc::new(goal)));
    let key = desk(&state).goal_picture_key().unwrap();
    state.derived.design_pictures.insert(key, Fetched::Ready(picture));
    state
}

fn goal_beside() -> State {
    with_goal(GoalView::Beside)
}

fn goal_over() -> State {
    with_goal(GoalView::Over)
}

fn outlined() -> State {
    let mut state = drawn();
    state.settings.canvas.outlines = true;
    state
}

fn ruled() -> State {
    let mut state = drawn();
    state.settings.canvas.rulers = true;
    state
}

fn canvas_of(harness: &Harness<'_, Host>) -> Rect {
    harness.get_by_label("Canvas").rect()
}

/// The box of what lies over the window at a place, once the pointer is gone.
fn over_window(harness: &mut Harness<'_, Host>, at: Pos2) -> Rect {
    harness.remove_cursor();
    harness.run_steps(2);
    let layer = harness.ctx.layer_id_at(at).unwrap();
    harness.ctx.memory(|memory| memory.area_rect(layer.id)).unwrap()
}

fn assets_tab(harness: &mut Harness<'_, Host>) -> Rect {
    harness.key_press_modifiers(Modifiers::ALT, Key::Num2);
    harness.run_steps(3);
    Rect::from_min_max(pos2(0.0, 40.0), pos2(232.0, 460.0))
}

fn version_bar(harness: &mut Harness<'_, Host>) -> Rect {
    let canvas = canvas_of(harness);
    Rect::from_x_y_ranges(canvas.x_range(), canvas.top() - 144.0..=canvas.top())
}

fn comment_popup(harness: &mut Harness<'_, Host>) -> Rect {
    harness.get_by_label("Comment 1: Smaller, please").click();
    harness.run_steps(4);
    let pin = harness.get_by_label("Comment 1: Smaller, please").rect();
    let words = harness.get_by_label("Smaller, please").rect().center();
    over_window(harness, words).union(pin).expand(8.0)
}

fn crop(harness: &mut Harness<'_, Host>) -> Rect {
    click(harness, 150.0, 150.0);
    harness.key_press_modifiers(Modifiers::ALT, Key::C);
    harness.run_steps(3);
    harness.remove_cursor();
    Rect::from_two_pos(place(harness, 36.0, 84.0), place(harness, 264.0, 262.0))
}

fn picker(harness: &mut Harness<'_, Host>) -> Rect {
    click(harness, 300.0, 200.0);
    harness.get_by_label("Fill color").click();
    harness.run_steps(4);
    let plane = harness.get_by_label("Saturation and value").rect().center();
    over_window(harness, plane)
}

fn nudge_question(harness: &mut Harness<'_, Host>) -> Rect {
    let keys = Modifiers::COMMAND.plus(Modifiers::ALT).plus(Modifiers::SHIFT);
    harness.key_press_modifiers(keys, Key::N);
    harness.run_steps(3);
    let title = harness.get_by_label("Nudge amount").rect().center();
    over_window(harness, title)
}

fn whole_picture(harness: &mut Harness<'_, Host>) -> Rect {
    harness.get_by_label("Picture of the design").rect().expand(28.0)
}

/// The design, and the goal at its right.
fn both_screens(harness: &mut Harness<'_, Host>) -> Rect {
    let design = whole_picture(harness);
    let right = design.right() + design.width();
    design.with_max_x(right).intersect(canvas_of(harness))
}

fn eyedropper(harness: &mut Harness<'_, Host>) -> Rect {
    harness.key_press(Key::I);
    harness.run_steps(2);
    let at = place(harness, 300.0, 200.0);
    harness.hover_at(at);
    harness.run_steps(2);
    Rect::from_min_size(at - vec2(24.0, 24.0), vec2(150.0, 80.0))
}

/// From the dot to the card, while Alt is held.
fn distances(harness: &mut Harness<'_, Host>) -> Rect {
    click(harness, 300.0, 200.0);
    harness.event(egui::Event::ModifiersChanged(Modifiers::ALT));
    harness.hover_at(place(harness, 80.0, 80.0));
    harness.run_steps(2);
    whole_picture(harness)
}

fn corner_of_rulers(harness: &mut Harness<'_, Host>) -> Rect {
    click(harness, 300.0, 200.0);
    harness.remove_cursor();
    Rect::from_min_size(canvas_of(harness).min, vec2(480.0, 160.0))
}

fn measures(harness: &mut Harness<'_, Host>) -> Rect {
    let show = AssistCommand::Assistant(AssistantCommand::ShowMeasures(true));
    drop(handle(&mut harness.state_mut().state, Command::Assist(show)));
    harness.run_steps(3);
    let first = harness.get_by_label("suggestions shown").rect();
    let below = harness.get_by_label("Ask for the next step").rect();
    Rect::from_min_max(
        first.left_top() - vec2(12.0, 32.0),
        pos2(first.left() + 312.0, below.top() - 4.0),
    )
}

#[test]
fn every_surface_of_the_room_looks() {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")] {
        for (name, state, seen) in SURFACES {
            let mut harness = window(themed(state(), theme), SIZE);
            harness.run_steps(3);
            let rect = seen(&mut harness);
            harness.run_steps(2);
            add_look_at(&mut results, &mut harness, &format!("{name}_{suffix}"), rect);
        }
    }
}
