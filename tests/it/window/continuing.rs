//! Going on by hand with runs that have no design to be dragged: call by call, in the window.

use std::path::{Path, PathBuf};

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use serde_json::Value;

use pentimento::agent::runner::StartRun;
use pentimento::run::folder::EVENTS_FILE;
use pentimento::run::{BY_HAND_KIND, reader};
use pentimento::workbench::{
    Command, InspectorTab, LaunchEdit, Overlay, PlaybackCommand, RunId, Settings, StagePane, State,
    WhatIfCommand, views,
};
use pentimento::worker::WorkerConfig;

use super::labelling::{Host, WIDE, state, until, window_with};
use crate::taking_over::{
    assert_by_hand, ground, open_flat, page_calls, recorded, suite_calls, write_set,
};

/// A window at a step of the only run.
fn at_step(dir: &Path, step: u32) -> Harness<'static, Host> {
    let config = WorkerConfig { open_environment: Box::new(open_flat), ..WorkerConfig::default() };
    let out = dir.join("more");
    let mut harness = window_with(State::new(Settings::default(), out.clone()), WIDE, config);
    let send = |harness: &mut Harness<'_, Host>, command| {
        harness.state_mut().session.carry_out(command);
    };
    send(&mut harness, Command::EditLaunch(LaunchEdit::OutDir(out)));
    send(&mut harness, Command::Open(vec![dir.to_path_buf()]));
    until(&mut harness, "set and run are listed", |state| {
        !state.library.runs.is_empty() && !state.library.sets.is_empty()
    });
    let run = *state(&harness).library.runs.keys().next().unwrap();
    send(&mut harness, Command::SelectRun(run));
    until(&mut harness, "it is read", |state| state.library.runs[&run].loaded.is_some());
    send(&mut harness, Command::Playback(PlaybackCommand::Step(step)));
    harness
}

fn press(harness: &mut Harness<'_, Host>, key: Key) {
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::ALT), key);
    harness.run_steps(3);
}

/// Goes on by hand, and waits until the tools are there.
fn go_on(harness: &mut Harness<'_, Host>, step: u32) {
    press(harness, Key::B);
    assert_eq!(state(harness).inspector_tab(), InspectorTab::WhatIf);
    until(harness, "the tools are there", |state| {
        views::what_if(state).is_some_and(|view| view.tools.is_some())
    });
    harness.run_steps(3);
    harness.get_by_label_contains(&format!("You go on with scripted from step {step}."));
    assert!(harness.get_by_label("Find a tool").accesskit_node().is_focused());
}

/// How many calls are made, those that failed not counted.
fn made(state: &State) -> usize {
    let view = views::what_if(state).unwrap();
    view.rows.iter().filter(|row| row.outcome.is_some_and(|outcome| !outcome.failed)).count()
}

/// Saves it, and gives where the new run is.
fn save(harness: &mut Harness<'_, Host>) -> PathBuf {
    press(harness, Key::S);
    let by_hand = |state: &State| -> Option<PathBuf> {
        let mut runs = state.library.runs.values();
        let run = runs.find(|run| run.manifest.agent.kind == BY_HAND_KIND)?;
        Some(run.dir.clone())
    };
    until(harness, "it is a run", |state| by_hand(state).is_some());
    by_hand(state(harness)).unwrap()
}

#[test]
fn a_run_of_the_suite_is_gone_on_with_by_hand_from_a_middle_step() {
    let dir = tempfile::tempdir().unwrap();
    write_set(dir.path());
    let parent = recorded(dir.path(), "suite", &suite_calls());
    let events = || std::fs::read(parent.join(EVENTS_FILE)).unwrap();
    let before = events();
    let mut harness = at_step(dir.path(), 2);
    go_on(&mut harness, 2);
    // Out of the field again, so that keys are commands.
    harness.key_press(Key::Escape);
    harness.run_steps(3);
    assert!(!harness.get_by_label("Find a tool").accesskit_node().is_focused());
    let dropped = |state: &State| -> Vec<bool> {
        let view = views::what_if(state).unwrap();
        view.rows.iter().map(|row| row.item.is_dropped).collect()
    };
    assert_eq!(dropped(state(&harness)), [false, false, true, true]);
    // It is one change: taken back, it is the run again, and done again it goes on.
    press(&mut harness, Key::Z);
    assert_eq!(dropped(state(&harness)), [false; 4]);
    press(&mut harness, Key::Y);
    // Nothing was done yet, and so there is nothing to be kept.
    press(&mut harness, Key::S);
    let told = |state: &State| {
        state.notices.iter().any(|notice| notice.text.contains("nothing was done by hand"))
    };
    assert!(told(state(&harness)));
    let (name, arguments) = ground(40);
    let insert = WhatIfCommand::Insert { at: 2, name: name.to_owned(), arguments };
    harness.state_mut().session.carry_out(Command::WhatIf(insert));
    until(&mut harness, "the call is made and drawn", |state| {
        let pane = views::pane(state, StagePane::Branch);
        made(state) == 3 && pane.status == views::PaneStatus::Current
    });
    harness.run_steps(2);
    harness.get_by_label_contains("By hand after 3 of 3 calls");
    // What is not a run yet cannot be handed to an agent.
    harness.key_press_modifiers(
        Modifiers::COMMAND.plus(Modifiers::ALT).plus(Modifiers::SHIFT),
        Key::A,
    );
    harness.run_steps(3);
    assert_eq!(state(&harness).overlay, None);
    let run_dir = save(&mut harness);
    assert_by_hand(&run_dir, &parent, 2);
    assert_eq!(events(), before, "the run stays as it is");
    // The run that was made by hand is handed to an agent, behind its last step.
    let by_hand = |state: &State| -> RunId {
        *state.library.runs.iter().find(|(_, run)| run.dir == run_dir).unwrap().0
    };
    let by_hand = by_hand(state(&harness));
    harness.state_mut().session.carry_out(Command::SelectRun(by_hand));
    until(&mut harness, "it is read", |state| {
        state.library.runs[&by_hand].loaded.is_some() && state.last_step() == 3
    });
    harness.state_mut().session.carry_out(Command::Playback(PlaybackCommand::Last));
    harness.key_press_modifiers(
        Modifiers::COMMAND.plus(Modifiers::ALT).plus(Modifiers::SHIFT),
        Key::A,
    );
    harness.run_steps(3);
    assert_eq!(state(&harness).overlay, Some(Overlay::Launch));
    harness.get_by_label_contains("goes on with that of by hand behind step 3");
    let id = reader::peek(&run_dir).unwrap().manifest.id;
    let wanted = StartRun { path: run_dir, run: id, step: 3 };
    assert_eq!(state(&harness).launch.options.start_run.as_ref(), Some(&wanted));
    harness.get_by_label("Begin with the task's own start").click_accesskit();
    harness.run_steps(2);
    assert_eq!(state(&harness).launch.options.start_run, None);
}

#[test]
fn a_run_of_a_page_is_gone_on_with_by_keys_and_the_form_of_its_tool() {
    let dir = tempfile::tempdir().unwrap();
    write_set(dir.path());
    let parent = recorded(dir.path(), "page", &page_calls());
    let mut harness = at_step(dir.path(), 1);
    go_on(&mut harness, 1);
    harness.get_by_label("Find a tool").type_text("render");
    harness.run_steps(2);
    harness.key_press(Key::Enter);
    harness.run_steps(3);
    harness.get_by_label("Put it in").click_accesskit();
    harness.run_steps(2);
    until(&mut harness, "the page is shown", |state| {
        let pane = views::pane(state, StagePane::Branch);
        made(state) == 2 && pane.status == views::PaneStatus::Current
    });
    let run_dir = save(&mut harness);
    assert_by_hand(&run_dir, &parent, 1);
    let last = reader::open(&run_dir).unwrap().steps.iter().last().unwrap().call.clone().unwrap();
    assert_eq!(last.arguments["html"], Value::from(""));
}
