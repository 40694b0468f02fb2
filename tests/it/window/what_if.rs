//! Runs with other calls in the window: over a real session on the samples.

use std::path::Path;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};

use pentimento::evaluate::what_if::Grouping;
use pentimento::run::TaskRef;
use pentimento::workbench::{
    Command, InspectorTab, RunId, Settings, State, ThemeChoice, WhatIfCommand, views,
};

use super::harness::add_look_at;
use super::labelling::{Host, state, until, window};

const SIZE: [f32; 2] = [1440.0, 900.0];
const TASK: &str = "trailhead-welcome";

/// A window on the samples, its runs in a folder of their own, at the run of the tracer.
fn at_run(out: &Path, theme: ThemeChoice) -> (Harness<'static, Host>, RunId) {
    let settings = Settings { theme, ..Settings::default() };
    let mut harness = window(settings, SIZE);
    harness.state_mut().session.carry_out(Command::EditLaunch(
        pentimento::workbench::LaunchEdit::OutDir(out.to_path_buf()),
    ));
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    harness.state_mut().session.carry_out(Command::Open(vec![samples]));
    until(&mut harness, "the samples are open", |state| run_of(state).is_some());
    let run = run_of(state(&harness)).unwrap();
    harness.state_mut().session.carry_out(Command::SelectRun(run));
    until(&mut harness, "it is read", |state| {
        state.library.runs[&run].loaded.is_some() && state.last_step() > 20
    });
    until(&mut harness, "its end is scored", |state| {
        state.step_score(run, state.last_step()).is_some()
    });
    harness.key_press_modifiers(Modifiers::SHIFT, Key::T);
    harness.run_steps(2);
    assert_eq!(state(&harness).inspector_tab(), InspectorTab::WhatIf);
    until(&mut harness, "it was made once more", |state| {
        views::what_if(state).is_some_and(|view| view.tools.is_some())
    });
    (harness, run)
}

fn run_of(state: &State) -> Option<RunId> {
    let mut runs = state.library.runs.iter();
    runs.find(|(_, run)| run.task.id == TASK && run.steps > 20).map(|(id, _)| *id)
}

fn send(harness: &mut Harness<'_, Host>, command: WhatIfCommand) {
    harness.state_mut().session.carry_out(Command::WhatIf(command));
}

fn branch_score(state: &State) -> Option<f64> {
    views::branch_curve(state)?.last()?.value()
}

/// The place of a call that draws something large.
fn large_call(state: &State) -> usize {
    let view = views::what_if(state).unwrap();
    let named = |at: &usize| view.rows[*at].item.planned.call.name == "create_rectangle";
    (0..view.rows.len()).find(named).unwrap()
}

#[test]
fn a_call_is_left_out_by_key_drawn_scored_and_taken_back() {
    let out = tempfile::tempdir().unwrap();
    let (mut harness, run) = at_run(out.path(), ThemeChoice::Dark);
    let whole = state(&harness).step_score(run, state(&harness).last_step()).unwrap();
    let whole = whole.score.value().unwrap();
    let at = large_call(state(&harness));
    send(&mut harness, WhatIfCommand::Select(Some(at)));
    harness.key_press(Key::Delete);
    harness.run_steps(2);
    send(&mut harness, WhatIfCommand::Select(None));
    until(&mut harness, "it is scored", |state| branch_score(state).is_some());
    let without = branch_score(state(&harness)).unwrap();
    assert!(without < whole, "{without} without, {whole} with");
    until(&mut harness, "it is drawn", |state| {
        let pane = views::pane(state, pentimento::workbench::StagePane::Branch);
        pane.status == views::PaneStatus::Current
    });
    let branch = views::pane(state(&harness), pentimento::workbench::StagePane::Branch);
    let own = views::pane(state(&harness), pentimento::workbench::StagePane::Run);
    let pixels = [branch, own].map(|it| it.picture.unwrap().pixels.unpacked().unwrap());
    assert_ne!(pixels[0], pixels[1]);
    harness.run_steps(2);
    harness.get_by_label_contains("What-if after");
    // Both are seen at one time.
    let made = |state: &State| match views::branch_picture_key(state) {
        Some(pentimento::workbench::PictureKey::Branch(_, made)) => made,
        key => panic!("{key:?}"),
    };
    assert_eq!(made(state(&harness)), state(&harness).last_step() - 1);
    harness.key_press(Key::ArrowLeft);
    harness.run_steps(2);
    assert_eq!(made(state(&harness)), state(&harness).selection.step - 1);
    harness.key_press(Key::End);
    harness.run_steps(2);
    // The run lies over it where that is chosen, and over the ground truth once it is gone.
    harness.key_press_modifiers(Modifiers::ALT, Key::Num4);
    harness.run_steps(2);
    harness.key_press(Key::Backtick);
    harness.run_steps(2);
    assert_eq!(views::against_pane(state(&harness)), pentimento::workbench::StagePane::Branch);
    harness.get_by_label("Difference of the run and What-if");
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::ALT), Key::Z);
    harness.run_steps(2);
    assert!(!views::is_branch_edited(state(&harness)), "it is the run again");
    assert_eq!(views::against_pane(state(&harness)), pentimento::workbench::StagePane::GroundTruth);
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::ALT), Key::Y);
    harness.run_steps(2);
    assert!(views::is_branch_edited(state(&harness)));
}

#[test]
fn leaving_each_tool_out_ranks_what_they_brought() {
    let out = tempfile::tempdir().unwrap();
    let (mut harness, _) = at_run(out.path(), ThemeChoice::Dark);
    send(&mut harness, WhatIfCommand::LeaveOut(Some(Grouping::Tool)));
    until(&mut harness, "each was left out", |state| {
        views::what_if(state).is_some_and(|view| view.effects.is_some())
    });
    send(&mut harness, WhatIfCommand::Rank(true));
    harness.run_steps(3);
    let view = views::what_if(state(&harness)).unwrap();
    let brought: Vec<f64> = view.rows.iter().filter_map(views::WhatIfRow::brought).collect();
    assert!(brought.len() > 10, "{brought:?}");
    assert!(brought.is_sorted_by(|one, other| one >= other), "{brought:?}");
    assert!(brought[0] > 0.0);
    harness.get_by_label("Ranked");
}

#[test]
fn a_changed_run_is_saved_beside_the_one_it_was_made_of() {
    let out = tempfile::tempdir().unwrap();
    let (mut harness, run) = at_run(out.path(), ThemeChoice::Dark);
    let at = large_call(state(&harness));
    send(&mut harness, WhatIfCommand::ToggleDropped(at));
    let before = state(&harness).library.runs.len();
    let steps = state(&harness).library.runs[&run].steps;
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::ALT), Key::S);
    until(&mut harness, "it is in the library", |state| state.library.runs.len() > before);
    let state = state(&harness);
    let (_, saved) = state.library.runs.last_key_value().unwrap();
    assert_eq!((&saved.task.id[..], saved.steps), (TASK, steps - 1));
    assert!(saved.dir.starts_with(out.path()), "{}", saved.dir.display());
    let manifest = std::fs::read_to_string(saved.dir.join("run.json")).unwrap();
    assert!(manifest.contains("parent"), "{manifest}");
}

#[test]
fn a_run_by_hand_begins_at_a_task_with_a_form_for_each_call() {
    let out = tempfile::tempdir().unwrap();
    let (mut harness, _) = at_run(out.path(), ThemeChoice::Dark);
    let task = TaskRef { set: "own-samples".to_owned(), id: "basket".to_owned() };
    send(&mut harness, WhatIfCommand::ByHand(task));
    until(&mut harness, "the tools are there", |state| {
        views::what_if(state).is_some_and(|view| view.tools.is_some())
    });
    harness.run_steps(3);
    harness.get_by_label("create_rectangle").click_accesskit();
    harness.run_steps(3);
    harness.get_by_label("Put it in").click_accesskit();
    harness.run_steps(3);
    let view = views::what_if(state(&harness)).unwrap();
    assert_eq!(view.rows.len(), 1);
    assert_eq!(view.rows[0].item.planned.call.name, "create_rectangle");
    until(&mut harness, "it was called", |state| {
        views::what_if(state).is_some_and(|view| view.rows[0].outcome.is_some())
    });
    let view = views::what_if(state(&harness)).unwrap();
    assert!(!view.rows[0].outcome.unwrap().failed, "{:?}", view.rows[0].outcome);
}

#[test]
fn the_what_if_looks() {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")] {
        let out = tempfile::tempdir().unwrap();
        let (mut harness, _) = at_run(out.path(), theme);
        let at = large_call(state(&harness));
        send(&mut harness, WhatIfCommand::ToggleDropped(at));
        send(&mut harness, WhatIfCommand::Select(Some(at + 1)));
        send(&mut harness, WhatIfCommand::LeaveOut(Some(Grouping::Tool)));
        until(&mut harness, "all is known", |state| {
            views::what_if(state)
                .is_some_and(|view| view.effects.is_some() && view.scores[1].is_some())
        });
        harness.remove_cursor();
        harness.run_steps(4);
        let tab = harness.get_by_label("What-if").rect();
        let left = harness.get_by_label_contains("SSIM 0").rect().left() - 10.0;
        let panel = egui::Rect::from_min_max(
            egui::pos2(left, tab.top() - 10.0),
            egui::pos2(SIZE[0], SIZE[1] - 24.0),
        );
        add_look_at(&mut results, &mut harness, &format!("what_if_{suffix}"), panel);
    }
}
