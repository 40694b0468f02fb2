//! Designing by hand in the window: what the assistant says accepted, and nodes dragged on the picture.

use std::path::Path;

use egui::{Key, Modifiers, Pos2, Rect, vec2};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};
use serde_json::{Value, json};

use pentimento::run::TaskRef;
use pentimento::workbench::{
    Command, DesignStanding, Fetched, NextStep, Settings, StagePane, State, ThemeChoice,
    WhatIfCommand, views,
};

use super::harness::add_look_at;
use super::labelling::{Host, state, until, window};
use crate::assist::desk::{screen, shape, shelf};
use crate::session::is_idle;

const SIZE: [f32; 2] = [1440.0, 900.0];

/// Two tasks: `card` begins with nothing, `shelf` with a tile.
fn set_up(dir: &Path) {
    let tile = shape("5:2", "RECTANGLE", [20.0, 20.0, 60.0, 40.0], [0.1, 0.3, 0.9]);
    let files = [
        ("card.json", shelf()),
        ("shelf.json", screen(&[tile])),
        (
            "taskset.json",
            json!({
                "format": "pentimento/taskset", "version": 1, "id": "hands", "name": "Hands",
                "tasks": [
                    {"id": "card", "environment": "canvas", "kind": "replication", "instruction": "A card",
                     "ground_truth": {"document": "card.json"},
                     "canvas_size": {"width": 400, "height": 400}},
                    {"id": "shelf", "environment": "canvas", "kind": "attribute_update",
                     "instruction": "Move the tile", "start": {"document": "shelf.json"},
                     "ground_truth": {"document": "card.json"},
                     "canvas_size": {"width": 400, "height": 400}},
                ],
            }),
        ),
    ];
    for (name, content) in files {
        std::fs::write(dir.join(name), content.to_string()).unwrap();
    }
}

/// A window at a run by hand of a task.
fn by_hand(dir: &Path, task: &str, theme: ThemeChoice) -> Harness<'static, Host> {
    set_up(dir);
    let mut harness = window(Settings { theme, ..Settings::default() }, SIZE);
    harness.state_mut().session.carry_out(Command::Open(vec![dir.to_path_buf()]));
    until(&mut harness, "the set is open", |state| {
        state.library.sets.iter().any(|set| set.set.id == "hands")
    });
    let task = TaskRef { set: "hands".to_owned(), id: task.to_owned() };
    let begin = Command::WhatIf(WhatIfCommand::ByHand(task));
    harness.state_mut().session.carry_out(begin);
    until(&mut harness, "its design is there", |state| {
        let pane = views::pane(state, StagePane::Branch);
        views::design_in_hand(state).is_some() && pane.status == views::PaneStatus::Current
    });
    harness.run_steps(3);
    harness
}

fn next_step(state: &State) -> Option<&NextStep> {
    match views::next_step(state)? {
        Fetched::Ready(next) => Some(next),
        Fetched::Failed(why) => panic!("{why}"),
        Fetched::Pending => None,
    }
}

fn calls(state: &State) -> Vec<(String, Value)> {
    let view = views::what_if(state).unwrap();
    let calls = view.rows.iter().map(|row| &row.item.planned.call);
    calls.map(|call| (call.name.clone(), call.arguments.clone())).collect()
}

fn undo(harness: &mut Harness<'_, Host>) {
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::ALT), Key::Z);
    harness.run_steps(2);
}

#[test]
fn accepting_what_the_assistant_says_leads_from_nothing_to_the_ground_truth() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = by_hand(dir.path(), "card", ThemeChoice::Dark);
    assert!(views::next_step_key(state(&harness)).is_some(), "it is open at a run by hand");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Slash);
    harness.run_steps(2);
    assert!(views::next_step_key(state(&harness)).is_none(), "nobody asks any more");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Slash);
    harness.run_steps(2);
    let (mut before, mut accepted) = (u32::MAX, 0);
    loop {
        until(&mut harness, "a step is there", |state| next_step(state).is_some());
        let next = next_step(state(&harness)).unwrap();
        let DesignStanding::Distance(distance) = next.standing else { panic!("{next:?}") };
        assert!(distance < before, "{distance} after {before}");
        before = distance;
        let Some(step) = &next.step else { break };
        assert!(step.why.contains("knows the answer"), "{}", step.why);
        assert!(!step.calls.is_empty(), "{}", step.words);
        assert!(!step.hunks.is_empty() && !step.ghost.is_empty(), "{step:?}");
        harness.run_steps(2);
        harness.get_by_label("Accept the next step");
        harness.key_press_modifiers(Modifiers::COMMAND, Key::Enter);
        harness.run_steps(2);
        accepted += 1;
    }
    assert_eq!((before, accepted >= 4), (0, true), "{accepted}");
    harness.run_steps(2);
    harness.get_by_label("Nothing that counts differs from the ground truth.");
    until(&mut harness, "it is scored", |state| {
        views::branch_curve(state).is_some_and(|curve| curve.last().unwrap().value().is_some())
    });
    let score = views::branch_curve(state(&harness)).unwrap().last().unwrap().value().unwrap();
    assert!(score > 0.999, "{score}");
    // A node that a call made is named by that call, so that it is found whatever is left out before.
    let made = calls(state(&harness));
    let mut named = made.iter().filter_map(|(_, arguments)| arguments["parentId"].as_str());
    assert!(named.any(|parent| parent.starts_with('+')), "{made:?}");
    // One step is one change.
    undo(&mut harness);
    let left = calls(state(&harness));
    assert!(left.len() < made.len() && made.starts_with(&left), "{left:?}");
    until(&mut harness, "the step is offered again", |state| {
        next_step(state).is_some_and(|next| next.step.is_some())
    });
}

#[test]
fn another_way_is_another_step_and_behind_the_last_comes_the_first() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = by_hand(dir.path(), "card", ThemeChoice::Dark);
    let mut heard: Vec<String> = Vec::new();
    for _ in 0..12 {
        harness.run_steps(2);
        until(&mut harness, "a step is there", |state| next_step(state).is_some());
        let words = next_step(state(&harness)).unwrap().step.as_ref().unwrap().words.clone();
        if heard.first() == Some(&words) {
            break;
        }
        heard.push(words);
        harness.key_press(Key::F4);
    }
    assert!(heard.len() >= 2, "{heard:?}");
    assert!(calls(state(&harness)).is_empty(), "hearing of them changes nothing");
    assert!(heard.len() < 12, "the first never came again: {heard:?}");
}

/// Where the picture of the branch lies.
fn picture(harness: &Harness<'_, Host>) -> Rect {
    harness.get_by_label_contains("Picture of the what-if after").rect()
}

/// Where a point of the screen lies in the window.
fn place(harness: &Harness<'_, Host>, x: f32, y: f32) -> Pos2 {
    let picture = picture(harness);
    picture.min + vec2(x, y) * (picture.width() / 400.0)
}

/// Drags from one point of the screen to another, and lets go.
fn drag(harness: &mut Harness<'_, Host>, from: [f32; 2], to: [f32; 2]) {
    hold(harness, from, to);
    let to = place(harness, to[0], to[1]);
    harness.drop_at(to);
    harness.run_steps(2);
}

fn hold(harness: &mut Harness<'_, Host>, from: [f32; 2], to: [f32; 2]) {
    let [from, to] = [from, to].map(|[x, y]| place(harness, x, y));
    harness.hover_at(from);
    harness.run_steps(1);
    harness.drag_at(from);
    harness.run_steps(1);
    harness.hover_at(from.lerp(to, 0.5));
    harness.run_steps(1);
    harness.hover_at(to);
    harness.run_steps(2);
}

#[test]
fn a_node_is_moved_and_resized_on_the_picture_and_taken_back() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = by_hand(dir.path(), "shelf", ThemeChoice::Dark);
    drag(&mut harness, [50.0, 40.0], [100.0, 110.0]);
    until(&mut harness, "the call is there", |state| !calls(state).is_empty());
    let made = calls(state(&harness));
    let [(name, arguments)] = made.as_slice() else { panic!("{made:?}") };
    assert_eq!((name.as_str(), &arguments["nodeId"]), ("move_node", &json!("5:2")));
    let at = ["x", "y"].map(|key| arguments[key].as_f64().unwrap());
    assert_eq!(at, [70.0, 90.0], "in whole numbers");
    until(&mut harness, "it is drawn there", |state| views::design_in_hand(state).is_some());
    harness.run_steps(2);
    // What was dragged stays selected; its corner is now at (130, 130).
    harness.get_by_label_contains("Selected: RECTANGLE");
    drag(&mut harness, [130.0, 130.0], [151.0, 163.0]);
    until(&mut harness, "it was resized", |state| calls(state).len() == 2);
    let (name, arguments) = calls(state(&harness)).pop().unwrap();
    assert_eq!(name, "resize_node");
    let size = ["width", "height"].map(|key| arguments[key].as_f64().unwrap());
    assert_eq!(size, [81.0, 73.0]);
    undo(&mut harness);
    assert_eq!(calls(state(&harness)).len(), 1);
    undo(&mut harness);
    assert!(calls(state(&harness)).is_empty());
    let said = &state(&harness).notices;
    assert!(said.iter().all(|notice| !notice.text.contains("stays as it is")), "{said:?}");
}

#[test]
fn a_node_that_a_step_made_is_moved_back_and_not_made_again() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = by_hand(dir.path(), "card", ThemeChoice::Dark);
    until(&mut harness, "a step is there", |state| next_step(state).is_some());
    harness.run_steps(2);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Enter);
    harness.run_steps(2);
    until(&mut harness, "the row is there", |state| {
        next_step(state).is_some() && views::design_in_hand(state).is_some()
    });
    let made = calls(state(&harness));
    assert_eq!(made[0].0, "create_frame", "{made:?}");
    let before = next_step(state(&harness)).unwrap().standing.count();
    until(&mut harness, "it is drawn", |state| {
        views::pane(state, StagePane::Branch).status == views::PaneStatus::Current
    });
    harness.run_steps(3);
    drag(&mut harness, [200.0, 320.0], [200.0, 120.0]);
    until(&mut harness, "it was moved", |state| {
        calls(state).len() > made.len() && next_step(state).is_some()
    });
    let moved = calls(state(&harness)).pop().unwrap();
    assert_eq!(moved.0, "move_node", "{moved:?}");
    // Its place alone, which counts 2: not one too many and another one missing.
    assert_eq!(next_step(state(&harness)).unwrap().standing.count(), before + 2);
}

#[test]
fn a_drag_is_given_up_by_escape_and_the_ground_moves_the_view() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = by_hand(dir.path(), "shelf", ThemeChoice::Dark);
    let before = state(&harness).stage.center;
    hold(&mut harness, [50.0, 40.0], [100.0, 110.0]);
    harness.key_down(Key::Escape);
    harness.run_steps(2);
    let there = place(&harness, 100.0, 110.0);
    harness.drop_at(there);
    harness.run_steps(2);
    harness.key_up(Key::Escape);
    harness.run_steps(4);
    assert!(state(&harness).what_if.drag.is_none() && calls(state(&harness)).is_empty());
    assert_eq!(state(&harness).stage.center, before, "a drag that was given up moves nothing");
    drag(&mut harness, [300.0, 300.0], [250.0, 250.0]);
    assert_ne!(state(&harness).stage.center, before);
    assert!(state(&harness).what_if.drag.is_none() && calls(state(&harness)).is_empty());
}

#[test]
fn the_next_step_looks() {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")] {
        let dir = tempfile::tempdir().unwrap();
        let mut harness = by_hand(dir.path(), "shelf", theme);
        harness.key_press(Key::F6);
        harness.run_steps(2);
        until(&mut harness, "a step is there", |state| next_step(state).is_some());
        until(&mut harness, "it is scored", |state| {
            views::what_if(state).is_some_and(|view| view.scores.iter().any(Option::is_some))
        });
        assert!(views::ghost_step(state(&harness)).is_some());
        // What is at work, and what waits, is said in the window.
        until(&mut harness, "nothing is at work", is_idle);
        harness.remove_cursor();
        harness.run_steps(4);
        let accept = harness.get_by_label("Accept the next step").rect();
        let look = picture(&harness).union(accept).expand(8.0).with_max_x(SIZE[0]);
        add_look_at(&mut results, &mut harness, &format!("next_step_{suffix}"), look);
    }
}
