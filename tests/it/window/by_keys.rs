//! What a drag or a menu of the mouse does, done by keys.

use egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use pentimento::workbench::{StageView, State, Workspace};

use super::fixture;
use super::harness::{Host, copied_text, window};

const DESKTOP: [f32; 2] = [1440.0, 900.0];

fn state<'a>(harness: &'a Harness<'_, Host>) -> &'a State {
    &harness.state().state
}

fn press(harness: &mut Harness<'_, Host>, modifiers: Modifiers, key: Key) {
    harness.key_press_modifiers(modifiers, key);
    harness.run_ok();
}

/// A key that goes down, and what lies there on a US keyboard.
fn down(key: Key, physical_key: Option<Key>, modifiers: Modifiers) -> Event {
    Event::Key { key, physical_key, pressed: true, repeat: false, modifiers }
}

#[test]
fn the_view_is_moved_by_keys_once_it_is_zoomed_into() {
    let mut harness = window(fixture::full(), DESKTOP);
    press(&mut harness, Modifiers::COMMAND, Key::ArrowRight);
    assert_eq!(state(&harness).stage.center, [0.5, 0.5], "all of the picture is seen");
    harness.key_press(Key::Num4);
    harness.run_ok();
    press(&mut harness, Modifiers::COMMAND, Key::ArrowRight);
    press(&mut harness, Modifiers::COMMAND, Key::ArrowUp);
    let [x, y] = state(&harness).stage.center;
    assert!(x > 0.5 && y < 0.5, "{x} {y}");
    // As far back, and no step of the run was taken meanwhile.
    press(&mut harness, Modifiers::COMMAND, Key::ArrowLeft);
    press(&mut harness, Modifiers::COMMAND, Key::ArrowDown);
    let [x, y] = state(&harness).stage.center;
    assert!((x - 0.5).abs() < 1e-4 && (y - 0.5).abs() < 1e-4, "{x} {y}");
    assert_eq!(state(&harness).selection.step, 18);
}

#[test]
fn several_zooms_in_one_frame_are_each_from_where_the_one_before_led_to() {
    let mut harness = window(fixture::full(), DESKTOP);
    press(&mut harness, Modifiers::NONE, Key::Num1);
    let keys = [Key::Plus, Key::Plus, Key::Minus, Key::Plus];
    let keys = keys.map(|key| down(key, None, Modifiers::NONE));
    harness.input_mut().events.extend(keys);
    harness.run_ok();
    let zoom = state(&harness).stage.zoom.unwrap();
    assert!((zoom - 1.25 * 1.25).abs() < 1e-4, "{zoom}");
}

/// As on a French keyboard, where `4` writes `'`, `6` writes `-`, and digits need Shift.
#[test]
fn digits_and_brackets_work_by_place_where_the_layout_writes_something_else() {
    let mut harness = window(fixture::full(), DESKTOP);
    let mut frame = |key, place, modifiers, written: &str| {
        let text = (!written.is_empty()).then(|| Event::Text(written.to_owned()));
        let events = std::iter::once(down(key, Some(place), modifiers)).chain(text);
        harness.input_mut().events.extend(events);
        harness.run_ok();
        let state = state(&harness);
        (state.stage.zoom, state.stage.view, state.workspace)
    };
    let none = Modifiers::NONE;
    let (zoom, view, workspace) = frame(Key::Quote, Key::Num4, none, "'");
    assert_eq!((zoom, view, workspace), (Some(4.0), StageView::SideBySide, Workspace::Inspect));
    assert_eq!(frame(Key::Num2, Key::Num2, Modifiers::SHIFT, "2").0, Some(2.0));
    // What a key means by what it writes is what it means: it zooms out.
    let zoom = frame(Key::Minus, Key::Num1, none, "-").0.unwrap();
    assert!((zoom - 2.0 * 0.8).abs() < 1e-4, "{zoom}");
    // What is held is kept apart.
    assert_eq!(frame(Key::Quote, Key::Num4, Modifiers::ALT, "").1, StageView::Difference);
    // What Ctrl and Alt write is typed.
    let ctrl_alt = Modifiers::CTRL | Modifiers::COMMAND | Modifiers::ALT;
    assert_eq!(frame(Key::Num2, Key::Num2, ctrl_alt, "@").2, Workspace::Inspect);
    assert_eq!(frame(Key::Num2, Key::Num2, ctrl_alt, "").2, Workspace::Explore);
}

#[test]
fn a_field_loses_no_sign_that_lies_on_a_digit() {
    let mut harness = window(fixture::full(), DESKTOP);
    press(&mut harness, Modifiers::NONE, Key::Slash);
    let zoom = state(&harness).stage.zoom;
    let quote = down(Key::Quote, Some(Key::Num4), Modifiers::NONE);
    harness.input_mut().events.extend([quote, Event::Text("'".to_owned())]);
    harness.run_ok();
    let state = state(&harness);
    assert_eq!((&*state.library.filter, state.stage.zoom), ("'", zoom));
}

#[test]
fn space_presses_what_has_the_keyboard_and_plays_where_nothing_has() {
    let mut harness = window(fixture::full(), DESKTOP);
    harness.get_by_label("First step").focus();
    harness.run_ok();
    press(&mut harness, Modifiers::NONE, Key::Space);
    assert_eq!((state(&harness).selection.step, state(&harness).playback.playing), (0, false));
    press(&mut harness, Modifiers::NONE, Key::Escape);
    harness.key_press(Key::Space);
    harness.run_steps(2);
    assert!(state(&harness).playback.playing);
}

#[test]
fn the_threshold_the_edge_the_mix_and_the_gain_are_set_by_keys() {
    let mut harness = window(fixture::full(), DESKTOP);
    let before = state(&harness).stage.heat_threshold;
    press(&mut harness, Modifiers::ALT, Key::Equals);
    assert!((state(&harness).stage.heat_threshold - before - 0.05).abs() < 1e-4);
    press(&mut harness, Modifiers::ALT, Key::Minus);
    press(&mut harness, Modifiers::ALT, Key::Minus);
    assert!((state(&harness).stage.heat_threshold - before + 0.05).abs() < 1e-4);
    // Side by side there is nothing to set.
    press(&mut harness, Modifiers::ALT, Key::Period);
    let stage = &state(&harness).stage;
    assert_eq!((stage.swipe, stage.onion, stage.gain), (0.5, 0.5, 1.0));
    press(&mut harness, Modifiers::ALT, Key::Num2);
    assert_eq!(state(&harness).stage.view, StageView::Swipe);
    press(&mut harness, Modifiers::ALT, Key::Period);
    assert!((state(&harness).stage.swipe - 0.55).abs() < 1e-4);
    press(&mut harness, Modifiers::ALT, Key::Num3);
    press(&mut harness, Modifiers::ALT, Key::Comma);
    assert!((state(&harness).stage.onion - 0.45).abs() < 1e-4);
    press(&mut harness, Modifiers::ALT, Key::Num4);
    press(&mut harness, Modifiers::ALT, Key::Period);
    press(&mut harness, Modifiers::ALT, Key::Period);
    assert_eq!(state(&harness).stage.gain, 4.0);
    press(&mut harness, Modifiers::ALT, Key::Comma);
    assert_eq!(state(&harness).stage.gain, 2.0);
}

#[test]
fn a_task_set_is_closed_and_the_path_of_a_run_is_copied_by_keys() {
    let mut harness = window(fixture::full(), DESKTOP);
    let dir = state(&harness).selected_run().unwrap().dir.display().to_string();
    // Into the one frame in which what was copied is told.
    harness.input_mut().events.push(Event::Key {
        key: Key::F,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::COMMAND.plus(Modifiers::ALT),
    });
    harness.step();
    assert_eq!(copied_text(&harness), Some(dir));
    let sets = state(&harness).library.sets.len();
    press(&mut harness, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::W);
    assert_eq!(state(&harness).library.sets.len(), sets - 1);
    assert!(state(&harness).library.sets.iter().all(|entry| entry.set.id != "replication"));
}
