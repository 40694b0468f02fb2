//! Runs side by side in the window: over a real session on the samples.

use std::path::Path;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};

use pentimento::workbench::{
    Command, InspectorTab, RunId, Settings, SlotLock, StageCommand, State, views,
};

use super::harness::add_look_at;
use super::labelling::{Host, THEMES, dressed, state, until, window};
use crate::hold::generated::{write_long_run, write_runs};

const SIZE: [f32; 2] = [1440.0, 900.0];
const TASK: &str = "recipe-tip";

/// A window on the samples, with the two runs of a task on the stage and what they have in common known.
fn beside() -> (Harness<'static, Host>, [RunId; 2]) {
    let mut harness = window(Settings::default(), SIZE);
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    harness.state_mut().session.carry_out(Command::Open(vec![samples]));
    until(&mut harness, "the samples are open", |state| runs_of(state).len() == 2);
    let runs = runs_of(state(&harness));
    harness.state_mut().session.carry_out(Command::SelectRun(runs[0]));
    until(&mut harness, "it is read", |state| state.last_step() > 3);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::C);
    harness.run_steps(2);
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::ALT), Key::R);
    harness.run_steps(2);
    assert_eq!(state(&harness).inspector_tab(), InspectorTab::Runs);
    until(&mut harness, "they are aligned", |state| state.aligned_runs().is_some());
    until(&mut harness, "they are held against the ground truth", |state| {
        state.consensus_key().is_some_and(|key| state.derived.consensuses.ready(&key).is_some())
    });
    (harness, [runs[0], runs[1]])
}

fn runs_of(state: &State) -> Vec<RunId> {
    let runs = state.library.runs.iter().filter(|(_, run)| run.task.id == TASK);
    runs.map(|(id, _)| *id).collect()
}

fn send(harness: &mut Harness<'_, Host>, command: StageCommand) {
    harness.state_mut().session.carry_out(Command::Stage(command));
}

#[test]
fn two_runs_go_by_one_clock_and_part_where_the_key_leads() {
    let (mut harness, runs) = beside();
    let aligned = state(&harness).aligned_runs().unwrap().clone();
    let divergence = aligned.alignment.divergence.clone().unwrap();
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::ALT), Key::P);
    harness.run_steps(2);
    assert_eq!(state(&harness).stage.lock, SlotLock::Alignment);
    let row = divergence.row.unwrap() + 1;
    let view = views::runs_beside(state(&harness)).unwrap();
    assert_eq!(view.rows_passed, row);
    let expected: Vec<u32> = (0..2).map(|run| aligned.alignment.step_after(run, row)).collect();
    assert_eq!(view.runs.iter().map(|run| run.step).collect::<Vec<_>>(), expected);
    // The arrows of the list go row by row, also through rows that only one of them has.
    for rows in 0..=aligned.alignment.rows.len() as u32 {
        send(&mut harness, StageCommand::PassRows(rows));
        let state = state(&harness);
        let other = state.locked_step(runs[1], state.selection.step).unwrap();
        assert_eq!(other, aligned.alignment.step_after(1, rows as usize), "after {rows} rows");
    }
    // A step of the selected run leads the other one as well.
    harness.key_press(Key::Home);
    harness.run_steps(2);
    let first = state(&harness).selection.step;
    let other = state(&harness).locked_step(runs[1], first).unwrap();
    assert_eq!(other, aligned.alignment.step_with((0, first), 1));
}

#[test]
fn six_runs_of_unequal_length_go_by_one_clock() {
    let dir = tempfile::tempdir().unwrap();
    let root = write_runs(dir.path(), 5);
    write_long_run(dir.path(), &root, 200);
    let mut harness = window(Settings::default(), SIZE);
    harness.state_mut().session.carry_out(Command::Open(vec![root]));
    until(&mut harness, "the runs are listed", |state| state.library.runs.len() == 6);
    let runs: Vec<RunId> = state(&harness).library.runs.keys().copied().collect();
    harness.state_mut().session.carry_out(Command::SelectRun(runs[0]));
    for run in &runs[1..] {
        send(&mut harness, StageCommand::ToggleSlot(*run));
    }
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::ALT), Key::R);
    harness.run_steps(2);
    until(&mut harness, "they are aligned", |state| state.aligned_runs().is_some());
    let aligned = state(&harness).aligned_runs().unwrap().clone();
    let rows = &aligned.alignment.rows;
    let lengths: Vec<u32> =
        runs.iter().map(|run| state(&harness).library.runs[run].steps).collect();
    for (at, length) in lengths.iter().enumerate() {
        let steps: Vec<u32> = rows.iter().filter_map(|row| row.steps[at]).collect();
        assert_eq!(steps, (1..=*length).collect::<Vec<_>>(), "of run {at}");
    }
    // At the end of the rows each has come to its own end, and the window says so of all six.
    send(&mut harness, StageCommand::PassRows(rows.len() as u32));
    harness.run_steps(2);
    let view = views::runs_beside(state(&harness)).unwrap();
    let said = view.runs.iter().map(|run| {
        let name = &run.run.manifest.agent.name;
        format!("{} {name}, step {} of {}", run.letter(), run.step, run.run.steps)
    });
    let said: Vec<String> = said.collect();
    assert_eq!(view.runs.iter().map(|run| run.step).collect::<Vec<_>>(), lengths);
    for words in said {
        assert!(harness.get_all_by_label_contains(&words).count() > 0, "{words}");
    }
    let words = format!("The steps of Run, A, B, C, D, E in {} rows", rows.len());
    assert!(harness.get_all_by_label_contains(&words).count() > 0, "{words}");
}

#[test]
fn a_row_and_a_node_that_is_missed_are_chosen_by_a_click() {
    let (mut harness, _) = beside();
    let aligned = state(&harness).aligned_runs().unwrap().clone();
    send(&mut harness, StageCommand::PassRows(1));
    harness.run_steps(3);
    let calls = &state(&harness).selected_run().unwrap().loaded.as_ref().unwrap().steps;
    assert!(calls.get(0).unwrap().call.is_some());
    let of_first = aligned.alignment.rows[0].steps[0].map(|step| format!("Run {step} "));
    if let Some(words) = of_first {
        harness.get_all_by_label_contains(&words).next().unwrap().click();
        harness.run_steps(2);
        assert_eq!(views::runs_beside(state(&harness)).unwrap().rows_passed, 1);
    }
    let key = state(&harness).consensus_key().unwrap();
    let consensus = state(&harness).derived.consensuses.ready(&key).unwrap().clone();
    let nodes = consensus.nodes.as_ref().unwrap();
    let missed = nodes.iter().find(|node| node.had_by.contains(&false)).unwrap();
    let who = if missed.had_by == [false, false] { "none has it" } else { "only" };
    let words = format!("{}: {who}", missed.name);
    harness.get_all_by_label_contains(&words).next().unwrap().click_accesskit();
    harness.run_steps(3);
    assert!(state(&harness).nodes.selected.is_some());
}

#[test]
fn the_runs_side_by_side_look() {
    let mut results = SnapshotResults::new();
    let (mut harness, _) = beside();
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::ALT), Key::P);
    harness.remove_cursor();
    for (theme, suffix) in THEMES {
        dressed(&mut harness, theme);
        let panel = egui::Rect::from_min_max(
            egui::pos2(SIZE[0] - 312.0, 40.0),
            egui::pos2(SIZE[0], SIZE[1] - 24.0),
        );
        add_look_at(&mut results, &mut harness, &format!("runs_beside_{suffix}"), panel);
    }
}
