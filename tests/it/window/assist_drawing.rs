//! Drawing, typing and editing points on the canvas of the room in which people design by hand.

use std::path::Path;

use egui::{Event, ImeEvent, Key, Modifiers, Pos2, Rect, vec2};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};
use serde_json::json;

use pentimento::design::{Contours, Node, NodeKind, TextDecoration};
use pentimento::editor::{Act, Editor, InPlace, SelectAct, Tool};
use pentimento::run::TaskRef;
use pentimento::workbench::{
    AssistCommand, AssistStart, Command, Recording, Settings, ThemeChoice,
};

use super::harness::add_look_at;
use super::labelling::{Host, state, until, window};

const SIZE: [f32; 2] = [1440.0, 900.0];

/// A task that begins with a screen of 400 by 400 that holds a title.
fn set_up(dir: &Path) {
    let white = json!([{"type": "SOLID", "color": {"r": 1.0, "g": 1.0, "b": 1.0, "a": 1.0}}]);
    let black = json!([{"type": "SOLID", "color": {"r": 0.0, "g": 0.0, "b": 0.0, "a": 1.0}}]);
    let title = json!({
        "id": "5:2", "name": "Title", "type": "TEXT", "characters": "Hello", "fills": black,
        "absoluteBoundingBox": {"x": 40.0, "y": 300.0, "width": 120.0, "height": 40.0},
        "style": {"fontFamily": "Inter", "fontSize": 24.0, "fontWeight": 400.0},
    });
    let screen = json!({"document": {
        "id": "5:1", "name": "Screen", "type": "FRAME", "clipsContent": true, "fills": white,
        "absoluteBoundingBox": {"x": 0.0, "y": 0.0, "width": 400.0, "height": 400.0},
        "children": [title],
    }});
    let set = json!({
        "format": "pentimento/taskset", "version": 1, "id": "drawing", "name": "Drawing",
        "tasks": [{
            "id": "screen", "environment": "canvas", "kind": "attribute_update",
            "instruction": "Draw", "start": {"document": "screen.json"},
            "ground_truth": {"document": "screen.json"},
            "canvas_size": {"width": 400, "height": 400},
        }],
    });
    for (name, content) in [("screen.json", screen), ("taskset.json", set)] {
        std::fs::write(dir.join(name), content.to_string()).unwrap();
    }
}

fn room(dir: &Path, theme: ThemeChoice) -> Harness<'static, Host> {
    set_up(dir);
    let mut harness = window(Settings { theme, ..Settings::default() }, SIZE);
    harness.state_mut().session.carry_out(Command::Open(vec![dir.to_path_buf()]));
    until(&mut harness, "the set is open", |state| {
        state.library.sets.iter().any(|set| set.set.id == "drawing")
    });
    let task = TaskRef { set: "drawing".to_owned(), id: "screen".to_owned() };
    let open = AssistCommand::Open(AssistStart::Task(task));
    harness.state_mut().session.carry_out(Command::Assist(open));
    until(&mut harness, "the design is there", |state| state.assist.desk.is_some());
    until_drawn(&mut harness);
    harness
}

fn until_drawn(harness: &mut Harness<'_, Host>) {
    until(harness, "it is drawn", |state| {
        let key = state.assist.desk.as_ref().unwrap().picture_key();
        state.derived.design_pictures.ready(&key).is_some()
    });
    harness.run_steps(3);
}

fn editor<'a>(harness: &'a Harness<'_, Host>) -> &'a Editor {
    &state(harness).assist.desk.as_ref().unwrap().editor
}

fn selected(harness: &Harness<'_, Host>) -> Node {
    let editor = editor(harness);
    let id = editor.selection().only().expect("one is selected");
    Node::clone(editor.document().get(id).unwrap())
}

/// Where a point of the page lies in the window.
fn place(harness: &Harness<'_, Host>, [x, y]: [f64; 2]) -> Pos2 {
    let picture = harness.get_by_label("Picture of the design").rect();
    picture.min + vec2(x as f32, y as f32) * (picture.width() / 400.0)
}

fn drag(harness: &mut Harness<'_, Host>, from: [f64; 2], to: [f64; 2]) {
    let [from, to] = [from, to].map(|at| place(harness, at));
    harness.hover_at(from);
    harness.run_steps(1);
    harness.drag_at(from);
    harness.run_steps(1);
    if from != to {
        harness.hover_at(from.lerp(to, 0.5));
        harness.run_steps(1);
        harness.hover_at(to);
        harness.run_steps(1);
    }
    harness.drop_at(to);
    harness.run_steps(2);
}

fn click(harness: &mut Harness<'_, Host>, at: [f64; 2]) {
    drag(harness, at, at);
}

fn press(harness: &mut Harness<'_, Host>, modifiers: Modifiers, key: Key) {
    harness.key_press_modifiers(modifiers, key);
    harness.run_steps(2);
}

#[test]
fn shapes_are_drawn_by_their_keys() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = room(dir.path(), ThemeChoice::Dark);
    for (modifiers, key, name) in [
        (Modifiers::NONE, Key::R, "Rectangle 1"),
        (Modifiers::NONE, Key::O, "Ellipse 1"),
        (Modifiers::NONE, Key::L, "Line 1"),
        (Modifiers::SHIFT, Key::L, "Arrow 1"),
        (Modifiers::NONE, Key::F, "Frame 1"),
    ] {
        press(&mut harness, modifiers, key);
        assert_eq!(editor(&harness).tool().label(), name.split(' ').next().unwrap());
        drag(&mut harness, [210.0, 60.0], [290.0, 120.0]);
        let node = selected(&harness);
        assert_eq!(node.name, name);
        assert_eq!(editor(&harness).tool(), Tool::Move, "the tool is put away");
        let at = editor(&harness).document().absolute_box(&node.id).unwrap();
        assert!((at.width - 80.0).abs() <= 2.0 && (at.height - 60.0).abs() <= 2.0, "{at:?}");
        press(&mut harness, Modifiers::NONE, Key::Delete);
    }
    press(&mut harness, Modifiers::NONE, Key::R);
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert_eq!(editor(&harness).tool(), Tool::Move);
}

#[test]
fn a_file_of_several_pages_opens_with_all_of_them_and_what_is_drawn_there_is_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let page = |id: &str, name: &str, frame: &str| {
        let place = json!({"x": 0.0, "y": 0.0, "width": 400.0, "height": 400.0});
        let frame = json!({
            "id": frame, "name": "Screen", "type": "FRAME", "absoluteBoundingBox": place,
        });
        json!({"id": id, "name": name, "type": "CANVAS", "children": [frame]})
    };
    let pages = [page("0:1", "First", "1:1"), page("0:2", "Second", "2:1")];
    let file = json!({"document": {"id": "0:0", "type": "DOCUMENT", "children": pages}});
    let path = dir.path().join("file.json");
    std::fs::write(&path, file.to_string()).unwrap();
    let mut harness = window(Settings::default(), SIZE);
    let open = AssistCommand::Open(AssistStart::File(path));
    harness.state_mut().session.carry_out(Command::Assist(open));
    until(&mut harness, "the design is there", |state| {
        assert_eq!(state.assist.problem, None);
        state.assist.desk.is_some()
    });
    until_drawn(&mut harness);
    assert_eq!(editor(&harness).page().unwrap().as_str(), "0:1");
    press(&mut harness, Modifiers::NONE, Key::PageDown);
    assert_eq!(editor(&harness).page().unwrap().as_str(), "0:2");
    until_drawn(&mut harness);
    press(&mut harness, Modifiers::NONE, Key::R);
    drag(&mut harness, [100.0, 100.0], [160.0, 140.0]);
    let drawn = selected(&harness);
    assert_eq!(drawn.parent.unwrap().as_str(), "2:1");
    until(&mut harness, "it is recorded", |state| {
        let recording = &state.assist.desk.as_ref().unwrap().recording;
        assert!(!matches!(recording, Recording::Failing(_)), "{recording:?}");
        matches!(recording, Recording::Kept { step: 1, .. })
    });
}

#[test]
fn a_text_is_written_in_place_and_styled_by_keys() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = room(dir.path(), ThemeChoice::Dark);
    press(&mut harness, Modifiers::NONE, Key::T);
    click(&mut harness, [100.0, 100.0]);
    harness.run_steps(2);
    let field = harness.get_by_label("Text on the canvas");
    assert!(field.is_focused());
    field.type_text("Write me");
    harness.run_steps(3);
    // Letters are no commands while they are typed.
    assert_eq!(editor(&harness).tool(), Tool::Move);
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert_eq!(editor(&harness).in_place(), &InPlace::Nothing);
    let node = selected(&harness);
    assert_eq!(
        (node.text().unwrap().characters.as_str(), node.name.as_str()),
        ("Write me", "Write me")
    );
    press(&mut harness, Modifiers::COMMAND, Key::U);
    let decoration = selected(&harness).text().unwrap().style.decoration;
    assert_eq!(decoration, TextDecoration::Underline);
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert!(editor(&harness).document().get(&node.id).is_none(), "typing is one step");
}

#[test]
fn a_text_is_written_by_an_input_method() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = room(dir.path(), ThemeChoice::Dark);
    press(&mut harness, Modifiers::NONE, Key::T);
    click(&mut harness, [100.0, 100.0]);
    harness.run_steps(2);
    let compose = |text: &str| {
        Event::Ime(ImeEvent::Preedit { text: text.to_owned(), active_range_chars: None })
    };
    for event in [
        Event::Text("Cr".to_owned()),
        compose("^"),
        compose("^e"),
        Event::Ime(ImeEvent::Commit("ê".to_owned())),
        Event::Text("pe".to_owned()),
        // What is begun and given up leaves nothing behind.
        compose("s"),
        compose(""),
    ] {
        harness.event(event);
        harness.run_steps(2);
    }
    press(&mut harness, Modifiers::NONE, Key::Escape);
    let node = selected(&harness);
    assert_eq!(node.text().unwrap().characters, "Crêpe");
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert!(editor(&harness).document().get(&node.id).is_none(), "all of it is one step");
}

#[test]
fn the_pen_draws_and_points_are_edited_and_told() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = room(dir.path(), ThemeChoice::Dark);
    press(&mut harness, Modifiers::NONE, Key::P);
    click(&mut harness, [100.0, 60.0]);
    click(&mut harness, [160.0, 60.0]);
    drag(&mut harness, [160.0, 120.0], [140.0, 140.0]);
    click(&mut harness, [40.0, 40.0]);
    press(&mut harness, Modifiers::NONE, Key::Backspace);
    click(&mut harness, [102.0, 62.0]);
    let node = selected(&harness);
    let NodeKind::Vector(_) = node.kind else { panic!("{:?}", node.kind) };
    assert_eq!(Contours::of_node(&node).unwrap().anchors().count(), 3);
    press(&mut harness, Modifiers::NONE, Key::Enter);
    harness.run_steps(2);
    harness.get_by_label_contains("Point 1 of Vector 1: 100, 60");
    drag(&mut harness, [100.0, 60.0], [80.0, 90.0]);
    harness.get_by_label_contains("Point 1 of Vector 1: 80, 90, selected");
    press(&mut harness, Modifiers::NONE, Key::Delete);
    let node = selected(&harness);
    assert_eq!(Contours::of_node(&node).unwrap().anchors().count(), 2);
    press(&mut harness, Modifiers::NONE, Key::Escape);
    assert_eq!(editor(&harness).in_place(), &InPlace::Nothing);
}

#[test]
fn the_eyedropper_picks_a_color_of_the_picture() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = room(dir.path(), ThemeChoice::Dark);
    let title = Act::Select(SelectAct::Only(vec!["5:2".into()]));
    let act = Command::Assist(AssistCommand::Act(Box::new(title)));
    harness.state_mut().session.carry_out(act);
    press(&mut harness, Modifiers::NONE, Key::I);
    let at = place(&harness, [300.0, 60.0]);
    harness.hover_at(at);
    harness.run_steps(2);
    harness.get_by_label("Color under the pointer: #FFFFFF");
    click(&mut harness, [300.0, 60.0]);
    let color = selected(&harness).fills[0].solid_color().unwrap();
    assert_eq!((color.to_hex().as_str(), editor(&harness).tool()), ("#FFFFFF", Tool::Move));
}

#[test]
fn points_look() {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")] {
        let dir = tempfile::tempdir().unwrap();
        let mut harness = room(dir.path(), theme);
        press(&mut harness, Modifiers::NONE, Key::P);
        drag(&mut harness, [60.0, 200.0], [60.0, 140.0]);
        drag(&mut harness, [200.0, 120.0], [260.0, 120.0]);
        click(&mut harness, [320.0, 240.0]);
        press(&mut harness, Modifiers::NONE, Key::Enter);
        press(&mut harness, Modifiers::NONE, Key::Enter);
        click(&mut harness, [200.0, 120.0]);
        until_drawn(&mut harness);
        harness.remove_cursor();
        harness.run_steps(3);
        let [min, max] = [[0.0, 0.0], [400.0, 400.0]].map(|at| place(&harness, at));
        let look = Rect::from_min_max(min, max);
        add_look_at(&mut results, &mut harness, &format!("assist_points_{suffix}"), look);
    }
}
