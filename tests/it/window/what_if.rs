//! Runs with other calls in the window: over a real session on the samples.

use std::path::Path;
use std::sync::Arc;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};

use pentimento::evaluate::what_if::{Grouping, ShapleyPlan};
use pentimento::run::{CallSource, TaskRef};
use pentimento::task::Reference;
use pentimento::workbench::{
    AnnotateCommand, Browse, Command, DerivedKey, Event, ExportedTable, Fetched, InspectorTab,
    JobId, JobKind, JobOutcome, PlaybackCommand, ReferenceKind, Request, RunId, Settings,
    StageForm, State, TableFile, TableFormat, WhatIfCommand, WhatIfSubject, Workspace, apply,
    handle, views,
};

use super::fixture::{self, RUN};
use super::harness::{add_look_at, copied_text, window as fixture_window};
use super::labelling::{Host, THEMES, dressed, state, until, window};
use crate::first_study::copied;

const SIZE: [f32; 2] = [1440.0, 900.0];
const TASK: &str = "trailhead-welcome";

/// A window on the samples, its runs in a folder of their own, at the run of the tracer.
fn at_run(out: &Path) -> (Harness<'static, Host>, RunId) {
    at_run_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs"), out)
}

/// The same over these samples.
fn at_run_of(samples: &Path, out: &Path) -> (Harness<'static, Host>, RunId) {
    let mut harness = window(Settings::default(), SIZE);
    harness.state_mut().session.carry_out(Command::EditLaunch(
        pentimento::workbench::LaunchEdit::OutDir(out.to_path_buf()),
    ));
    harness.state_mut().session.carry_out(Command::Open(vec![samples.to_path_buf()]));
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
    let (mut harness, run) = at_run(out.path());
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
fn the_call_that_broke_a_run_is_found_proved_and_taken_into_a_figure_in_the_window_alone() {
    const COVER: &str = r#"30=create_rectangle:{"x": 0, "y": 0, "width": 375, "height": 420, "name": "Cover", "parentId": "1:1", "fillColor": {"r": 0, "g": 0, "b": 0, "a": 1}}"#;
    let out = tempfile::tempdir().unwrap();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    let good = samples.join("runs/own-samples/trailhead-welcome/tracer-01");
    let broken = crate::compare::branch(&good, &["--insert", COVER], out.path());
    let mut harness = window(Settings::default(), SIZE);
    harness.state_mut().session.carry_out(Command::Open(vec![samples, broken.clone()]));
    let run_at = |state: &State| {
        let mut runs = state.library.runs.iter();
        runs.find(|(_, run)| run.dir == broken).map(|(id, _)| *id)
    };
    until(&mut harness, "the run is listed", |state| run_at(state).is_some());
    let run = run_at(state(&harness)).unwrap();
    harness.state_mut().session.carry_out(Command::SelectRun(run));
    // Where it is: the largest area of the heat, what lies there, and the call that changed that last.
    until(&mut harness, "the call is named", |state| {
        let losses = views::losses(state).unwrap_or_default();
        losses.first().is_some_and(|loss| loss.call.is_some())
    });
    let losses = views::losses(state(&harness)).unwrap();
    assert_eq!(losses[0].node.map(|node| node.name.as_str()), Some("Cover"), "{losses:?}");
    assert_eq!(losses[0].call, Some((31, "create_rectangle")));
    harness.run_steps(2);
    let row = "last changed by create_rectangle · step 31";
    assert!(harness.query_all_by_label_contains(row).next().is_some());
    until(&mut harness, "its end is scored", |state| {
        state.step_score(run, state.last_step()).is_some()
    });
    let whole = state(&harness).step_score(run, state(&harness).last_step()).unwrap();
    let whole = whole.score.value().unwrap();
    // Proved: without it the end is better.
    harness.key_press_modifiers(Modifiers::SHIFT, Key::T);
    until(&mut harness, "its calls are listed", |state| {
        views::what_if(state).is_some_and(|view| view.rows.len() > 31)
    });
    send(&mut harness, WhatIfCommand::Select(Some(30)));
    harness.key_press(Key::Delete);
    until(&mut harness, "it is drawn and scored without it", |state| {
        let pane = views::pane(state, pentimento::workbench::StagePane::Branch);
        branch_score(state).is_some() && pane.status == views::PaneStatus::Current
    });
    let without = branch_score(state(&harness)).unwrap();
    assert!(without > whole + 0.1, "{without} without, {whole} with");
    // And into the paper, both beside the ground truth.
    let path = out.path().join("figure.png");
    let save = Browse::SaveStage { scale: 1, form: StageForm::Png };
    harness.state_mut().session.carry_out(Command::ChoosePath(save, path.clone()));
    until(&mut harness, "the figure is written", |state| {
        path.is_file() && state.jobs.active().all(|(_, job)| job.kind != JobKind::Save)
    });
    let figure = image::open(&path).unwrap();
    assert!(figure.width() > 3 * 375, "{}: run, what-if and ground truth", figure.width());
}

#[test]
fn what_was_discarded_is_brought_back_by_undo() {
    let mut state = fixture::full();
    drop(handle(&mut state, Command::ShowInspector(InspectorTab::WhatIf)));
    let mut harness = fixture_window(state, SIZE);
    let what_if = Command::WhatIf;
    let is_dropped = |state: &State| {
        let edited = state.what_if.of(&WhatIfSubject::Run(RUN)).unwrap();
        edited.now.items[3].is_dropped
    };
    drop(handle(&mut harness.state_mut().state, what_if(WhatIfCommand::ToggleDropped(3))));
    harness.run_steps(2);
    harness.get_by_label("Discard the what-if").click();
    harness.run_steps(2);
    let state = &mut harness.state_mut().state;
    assert!(!views::is_branch_edited(state) && !is_dropped(state));
    // A run that goes on meanwhile has its new calls in the list, and what was done is not forgotten for that.
    let grown = (**state.library.runs[&RUN].loaded.as_ref().unwrap()).clone();
    let steps = grown.steps.iter().chain(grown.steps.iter().last()).cloned();
    let steps: Vec<pentimento::run::Step> = steps.collect();
    let grown = pentimento::run::Run { steps: steps.into(), ..grown };
    state.library.runs.get_mut(&RUN).unwrap().loaded = Some(Arc::new(grown));
    drop(handle(state, what_if(WhatIfCommand::Select(None))));
    assert_eq!(views::what_if(state).unwrap().rows.len(), 27);
    drop(handle(state, what_if(WhatIfCommand::Undo)));
    assert!(views::is_branch_edited(state) && is_dropped(state));
    drop(handle(state, what_if(WhatIfCommand::Redo)));
    assert!(!views::is_branch_edited(state));
}

#[test]
fn the_call_that_broke_a_run_of_the_samples_is_found_and_proved() {
    let mut harness = window(Settings::default(), SIZE);
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    harness.state_mut().session.carry_out(Command::Open(vec![samples]));
    let run_at = |state: &State| {
        let mut runs = state.library.runs.iter();
        let found = runs.find(|(_, run)| run.dir.ends_with("now-playing/scripted-01"));
        found.map(|(id, _)| *id)
    };
    until(&mut harness, "the run is listed", |state| run_at(state).is_some());
    let run = run_at(state(&harness)).unwrap();
    harness.state_mut().session.carry_out(Command::SelectRun(run));
    until(&mut harness, "its end is scored", |state| {
        state.last_step() == 7 && state.step_score(run, 7).is_some()
    });
    let whole = state(&harness).step_score(run, 7).unwrap().score.value().unwrap();
    // Found: nothing else failed, and the agent, which went on with what the call should have made, ended there.
    harness.state_mut().session.carry_out(Command::Playback(PlaybackCommand::Step(0)));
    harness.run_steps(2);
    harness.key_press(Key::E);
    harness.run_steps(2);
    assert_eq!(state(&harness).selection.step, 7);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::T);
    until(&mut harness, "it was made once more", |state| {
        let view = views::what_if(state);
        view.is_some_and(|view| view.rows.last().is_some_and(|row| row.outcome.is_some()))
    });
    let is_failed = |row: &views::WhatIfRow<'_>| row.outcome.is_some_and(|it| it.failed);
    let view = views::what_if(state(&harness)).unwrap();
    let failed: Vec<usize> =
        view.rows.iter().filter(|row| is_failed(row)).map(|row| row.at).collect();
    assert_eq!(failed, [6]);
    // Proved: with the colour that it meant the button is there, and the end is better.
    let mut arguments = view.rows[6].item.planned.call.arguments.clone();
    assert_eq!(arguments["fillColor"], "#FDE68A");
    arguments["fillColor"] = serde_json::json!({"r": 0.9922, "g": 0.902, "b": 0.5412});
    send(&mut harness, WhatIfCommand::Replace { at: 6, arguments });
    until(&mut harness, "it is drawn and scored as it was meant", |state| {
        let view = views::what_if(state).unwrap();
        branch_score(state).is_some() && view.rows.iter().all(|row| row.outcome.is_some())
    });
    let view = views::what_if(state(&harness)).unwrap();
    assert!(!view.rows.iter().any(is_failed), "{:?}", view.rows);
    let meant = branch_score(state(&harness)).unwrap();
    assert!(meant > whole, "{meant} as it was meant, {whole} as it was");
}

#[test]
fn leaving_calls_out_goes_on_behind_another_view_and_is_stopped_in_the_list_of_jobs() {
    let mut state = fixture::full();
    let asked = |requests: &[Request]| {
        requests.iter().find_map(|request| match request {
            Request::Derive { job, key: DerivedKey::Effects(_), .. } => Some(*job),
            _ => None,
        })
    };
    drop(handle(&mut state, Command::ShowInspector(InspectorTab::WhatIf)));
    let leave_out = WhatIfCommand::LeaveOut(Some(Grouping::Turn));
    let job = asked(&handle(&mut state, Command::WhatIf(leave_out))).unwrap();
    let is_stopped = |requests: &[Request]| {
        requests.iter().any(|request| matches!(request, Request::Cancel(of) if *of == job))
    };
    for elsewhere in [
        Command::ShowInspector(InspectorTab::Step),
        Command::Annotate(AnnotateCommand::Show(Workspace::Explore)),
    ] {
        assert!(!is_stopped(&handle(&mut state, elsewhere)));
    }
    let listed = views::listed_jobs(&state).find(|(id, _)| *id == job);
    assert_eq!(listed.unwrap().1.label, "leaving out each turn");
    assert!(is_stopped(&handle(&mut state, Command::CancelJob(job))));
    assert_eq!(views::listed_jobs(&state).count(), 0);
    // Nor does it begin again where it was asked for.
    let back = Command::Annotate(AnnotateCommand::Show(Workspace::Inspect));
    assert_eq!(asked(&handle(&mut state, back)), None);
    let back = Command::ShowInspector(InspectorTab::WhatIf);
    assert_eq!(asked(&handle(&mut state, back)), None);
}

#[test]
fn shapley_values_and_tools_over_all_runs_are_stopped_in_the_list_of_jobs_and_leave_nothing() {
    let mut state = fixture::full();
    let asked = |requests: &[Request]| {
        requests.iter().find_map(|request| match request {
            Request::Derive { job, key, .. } => {
                matches!(key, DerivedKey::Shapley(_) | DerivedKey::Ablation(_)).then_some(*job)
            }
            _ => None,
        })
    };
    let is_stopped = |requests: &[Request], job: JobId| {
        requests.iter().any(|request| matches!(request, Request::Cancel(of) if *of == job))
    };
    drop(handle(&mut state, Command::ShowInspector(InspectorTab::WhatIf)));
    let leave_out = WhatIfCommand::LeaveOut(Some(Grouping::Node));
    drop(handle(&mut state, Command::WhatIf(leave_out)));
    let leaving_out = views::listed_jobs(&state).map(|(id, _)| id).next().unwrap();
    let plan = ShapleyPlan { orders: 8, seed: 1 };
    for (command, label) in [
        (WhatIfCommand::Shapley(Some(plan)), "Shapley values of each node"),
        (WhatIfCommand::Ablate(true), "tools left out of "),
    ] {
        let job = asked(&handle(&mut state, Command::WhatIf(command))).unwrap();
        let listed = views::listed_jobs(&state).find(|(id, _)| *id == job);
        assert!(listed.unwrap().1.label.starts_with(label), "{label}");
        // Nobody waits for it behind another view, and it goes on.
        let step = Command::ShowInspector(InspectorTab::Step);
        assert!(!is_stopped(&handle(&mut state, step), job), "{label}");
        assert!(is_stopped(&handle(&mut state, Command::CancelJob(job)), job), "{label}");
        drop(apply(&mut state, Event::JobEnded(job, JobOutcome::Cancelled)));
        // Nor does it begin again where it was asked for; what else is made goes on.
        let back = Command::ShowInspector(InspectorTab::WhatIf);
        assert_eq!(asked(&handle(&mut state, back)), None, "{label}");
        let left: Vec<_> = views::listed_jobs(&state).map(|(id, _)| id).collect();
        assert_eq!(left, [leaving_out], "{label}");
        let view = views::what_if(&state).unwrap();
        assert!(view.shapley.is_none() && view.shapley_problem.is_none());
        assert!(views::ablation(&state).is_none());
    }
}

#[test]
fn leaving_each_tool_out_ranks_what_they_brought() {
    let out = tempfile::tempdir().unwrap();
    let (mut harness, _) = at_run(out.path());
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
fn what_calls_brought_is_copied_and_saved_with_the_command_that_says_it_again() {
    let out = tempfile::tempdir().unwrap();
    let (mut harness, _) = at_run(out.path());
    send(&mut harness, WhatIfCommand::LeaveOut(Some(Grouping::Tool)));
    until(&mut harness, "each was left out", |state| {
        views::what_if(state).is_some_and(|view| view.effects.is_some())
    });
    harness.run_steps(3);
    harness.get_by_label("Save what calls brought");
    harness.get_by_label("Copy what calls brought").click_accesskit();
    harness.step();
    let copied = copied_text(&harness).expect("nothing was copied");
    assert!(copied.starts_with("steps\tcalls\tbrought "), "{copied}");
    let csv = TableFile::Text(TableFormat::Csv);
    let table = state(&harness).exported_table(ExportedTable::Calls, csv).unwrap();
    let effects = views::what_if(state(&harness)).unwrap().effects.unwrap();
    assert_eq!(table.rows(), effects.effects.len());
    assert_eq!(table.to_tsv(), copied);
    let said = |name: &str| {
        table.about.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    };
    let command = said("command").unwrap();
    assert!(command.starts_with("pentimento what-if "), "{command}");
    assert!(command.contains(" --leave-one-out --by=tool --only "), "{command}");
    assert!(command.ends_with(" --table calls.csv"), "{command}");
    assert_eq!(said("left out together"), Some("tool"));
    // What is not asked for is not there to be written.
    for other in [ExportedTable::Shapley, ExportedTable::Tools] {
        assert!(state(&harness).exported_table(other, csv).is_err(), "{other:?}");
    }
}

#[test]
fn what_tools_brought_in_all_listed_runs_is_a_table_by_agent_that_is_put_away_again() {
    let out = tempfile::tempdir().unwrap();
    let (mut harness, _) = at_run(out.path());
    // Two short runs of one task.
    harness.state_mut().session.carry_out(Command::SetFilter("recipe-tip".to_owned()));
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::ALT), Key::O);
    harness.run_steps(2);
    let key = views::ablation(state(&harness)).unwrap().key;
    assert_eq!(key.runs.len(), 2, "{key:?}");
    until(&mut harness, "tools were left out of both", |state| {
        matches!(views::ablation(state).unwrap().found, Some(Fetched::Ready(_)))
    });
    let Some(Fetched::Ready(found)) = views::ablation(state(&harness)).unwrap().found else {
        unreachable!()
    };
    assert_eq!((found.runs, found.left_out.len()), (2, 0), "{:?}", found.left_out);
    assert!(!found.effects.is_empty());
    for effect in &found.effects {
        assert_eq!((&*effect.agent, effect.tasks), ("scripted", 1));
        assert_eq!(effect.interval, None, "of one task there is none");
    }
    assert!(found.effects.iter().any(|effect| effect.brought.is_some_and(|it| it != 0.0)));
    harness.run_steps(2);
    harness.get_by_label("Of 2 runs; a task counts once.");
    harness.get_by_label("Save what tools brought");
    harness.get_by_label("Copy what tools brought");
    let latex = TableFile::Text(TableFormat::Latex);
    let table = state(&harness).exported_table(ExportedTable::Tools, latex).unwrap();
    let command = &table.about.iter().find(|(name, _)| name == "command").unwrap().1;
    assert!(command.contains(" --ablate-tools --only "), "{command}");
    assert!(command.ends_with(" --table tools.tex"), "{command}");
    harness.get_by_label("Close what tools brought").click();
    harness.run_steps(2);
    assert!(views::ablation(state(&harness)).is_none());
    // Where nothing is listed it says so.
    harness.state_mut().session.carry_out(Command::SetFilter("nothing-like-that".to_owned()));
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::ALT), Key::O);
    harness.run_steps(2);
    assert!(views::ablation(state(&harness)).is_none());
    let told = state(&harness).notices.iter().any(|it| it.text.contains("no listed run"));
    assert!(told, "{:?}", state(&harness).notices);
}

#[test]
fn shapley_values_stand_beside_what_leaving_out_says_and_few_orders_have_no_intervals() {
    let out = tempfile::tempdir().unwrap();
    let (mut harness, _) = at_run(out.path());
    send(&mut harness, WhatIfCommand::LeaveOut(Some(Grouping::Turn)));
    harness.run_steps(3);
    harness.get_by_label("Shapley values").click_accesskit();
    harness.run_steps(2);
    assert_eq!(state(&harness).what_if.shapley, Some(ShapleyPlan { orders: 100, seed: 1 }));
    let plan = ShapleyPlan { orders: 4, seed: 7 };
    send(&mut harness, WhatIfCommand::Shapley(Some(plan)));
    until(&mut harness, "both are there", |state| {
        views::what_if(state).is_some_and(|view| view.effects.is_some() && view.shapley.is_some())
    });
    let drawn = |harness: &Harness<'_, Host>| {
        let view = views::what_if(state(harness)).unwrap();
        assert!(view.rows.iter().all(|row| row.shapley.is_some()), "each call is of a group");
        let shapley = view.shapley.unwrap();
        shapley.of_variants[0].clone().unwrap()
    };
    let first = drawn(&harness);
    // They sum to what all calls brought together, however few the orders.
    let sum: f64 = first.values.iter().map(|value| value.value).sum();
    assert!((sum - (first.full - first.empty)).abs() < 1e-9, "{sum}");
    assert!(first.values.iter().all(|value| value.interval.is_none()), "two pairs say nothing");
    harness.run_steps(2);
    harness.get_by_label_contains("Shapley of 4 orders, without intervals (too few orders: 20");
    // The same seed gives the same values, another one others.
    send(&mut harness, WhatIfCommand::Shapley(None));
    harness.run_steps(2);
    assert!(views::what_if(state(&harness)).unwrap().shapley.is_none());
    send(&mut harness, WhatIfCommand::Shapley(Some(ShapleyPlan { seed: 8, ..plan })));
    until(&mut harness, "others are there", |state| {
        views::what_if(state).is_some_and(|view| view.shapley.is_some())
    });
    assert_ne!(drawn(&harness), first);
    send(&mut harness, WhatIfCommand::Shapley(Some(plan)));
    until(&mut harness, "the first are there", |state| {
        views::what_if(state).is_some_and(|view| view.shapley.is_some())
    });
    assert_eq!(drawn(&harness), first);
}

#[test]
fn a_call_is_dragged_to_another_place() {
    let out = tempfile::tempdir().unwrap();
    let (mut harness, _) = at_run(out.path());
    harness.run_steps(2);
    let names = |harness: &Harness<'_, Host>| -> Vec<CallSource> {
        let view = views::what_if(state(harness)).unwrap();
        view.rows.iter().map(|row| row.item.planned.source).collect()
    };
    let before = names(&harness);
    let name = |harness: &Harness<'_, Host>, at: usize| {
        let view = views::what_if(state(harness)).unwrap();
        format!("{} {}", at + 1, view.rows[at].item.planned.call.name)
    };
    let (from, to) = (name(&harness, 3), name(&harness, 1));
    let row = |harness: &Harness<'_, Host>, name: &str| {
        harness.get_by_role_and_label(egui::accesskit::Role::Row, name).rect()
    };
    let (from, to) = (row(&harness, &from).center(), row(&harness, &to));
    harness.hover_at(from);
    harness.run_steps(1);
    harness.drag_at(from);
    harness.run_steps(1);
    harness.hover_at(from - egui::vec2(0.0, 12.0));
    harness.run_steps(1);
    // Above the middle of the second row.
    let place = egui::pos2(from.x, to.top() + 4.0);
    harness.hover_at(place);
    harness.run_steps(2);
    harness.drop_at(place);
    harness.run_steps(2);
    let wanted = [before[0], before[3], before[1], before[2]];
    assert_eq!(names(&harness)[..4], wanted);
    assert_eq!(state(&harness).what_if.selected, Some(1));
    assert!(views::is_branch_edited(state(&harness)));
    send(&mut harness, WhatIfCommand::Undo);
    assert_eq!(names(&harness), before);
}

#[test]
fn the_tools_that_worked_become_the_reference_after_a_question_and_a_copy_is_kept() {
    let (samples, out) = (copied(), tempfile::tempdir().unwrap());
    let (mut harness, _) = at_run_of(samples.path(), out.path());
    let file = samples.path().join("taskset.json");
    let before = std::fs::read_to_string(&file).unwrap();
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::ALT), Key::M);
    harness.run_steps(3);
    harness.get_by_label_contains("Make these the reference tools of");
    harness.get_by_label("Cancel").click_accesskit();
    harness.run_steps(2);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), before, "asking writes nothing");
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::ALT), Key::M);
    harness.run_steps(3);
    let order = views::reference_order(state(&harness), ReferenceKind::Tools).unwrap();
    let Reference::Tools(tools) = &order.reference else { panic!("{order:?}") };
    assert!(tools.contains(&"create_rectangle".to_owned()), "{tools:?}");
    assert!(harness.query_by_label("Reference plan").is_none(), "the canvas has no plans");
    harness.get_by_label("Write them").click_accesskit();
    let wanted = tools.clone();
    until(&mut harness, "the task has them", |state| {
        state.selected_task().is_some_and(|task| task.reference_tools == wanted)
    });
    let kept = std::fs::read_to_string(samples.path().join("taskset.json.before-1")).unwrap();
    assert_eq!(kept, before);
    let after: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let tasks = after["tasks"].as_array().unwrap();
    let task = tasks.iter().find(|task| task["id"] == TASK).unwrap();
    assert_eq!(task["reference_tools"], serde_json::json!(tools));
    let said = &state(&harness).notices;
    assert!(said.iter().any(|notice| notice.text.contains("taskset.json.before-1")), "{said:?}");
}

#[test]
fn calls_of_the_design_suite_become_the_reference_plan_by_a_choice_in_the_question() {
    let mut results = SnapshotResults::new();
    let (suite, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = suite.path().join("taskset.json");
    let before = r#"{"format": "pentimento/taskset", "version": 1, "id": "mine", "name": "Mine", "tasks": [
        {"id": "card", "environment": "suite", "kind": "composition", "instruction": "A card"}]}"#;
    std::fs::write(&file, before).unwrap();
    let (mut harness, _) = at_run(out.path());
    let plan_key = (Modifiers::COMMAND.plus(Modifiers::ALT), Key::A);
    harness.key_press_modifiers(plan_key.0, plan_key.1);
    harness.run_steps(3);
    assert_eq!(state(&harness).what_if.asks_reference, None, "the canvas has no plans");
    let open = Command::Open(vec![suite.path().to_path_buf()]);
    harness.state_mut().session.carry_out(open);
    until(&mut harness, "the set is open", |state| {
        state.library.sets.iter().any(|set| set.set.id == "mine")
    });
    let task = TaskRef { set: "mine".to_owned(), id: "card".to_owned() };
    send(&mut harness, WhatIfCommand::ByHand(task));
    for (at, name, arguments) in [
        (
            0,
            "CreateDocument",
            serde_json::json!({"expert": "Layout Designer", "docType": "poster"}),
        ),
        (1, "NoSuchAction", serde_json::json!({"expert": "Layout Designer"})),
    ] {
        let insert = WhatIfCommand::Insert { at, name: name.to_owned(), arguments };
        send(&mut harness, insert);
    }
    until(&mut harness, "both were called", |state| {
        views::what_if(state).is_some_and(|view| {
            view.rows.len() == 2 && view.rows.iter().all(|row| row.outcome.is_some())
        })
    });
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::ALT), Key::M);
    harness.run_steps(3);
    harness.get_by_label_contains("Make these the reference tools of card?");
    harness.get_by_label("Reference plan").click_accesskit();
    harness.remove_cursor();
    harness.run_steps(4);
    harness.get_by_label_contains("Make these the reference plan of card?");
    // The call that failed is no part of it.
    harness.get_by_label("1 step by Layout Designer");
    let card = harness.get_by_label("Reference tools").rect();
    let card = card.union(harness.get_by_label("Write it").rect()).expand(14.0);
    let card = card.with_max_x(SIZE[0]);
    add_look_at(&mut results, &mut harness, "what_if_reference_plan_dark", card);
    harness.get_by_label("Write it").click_accesskit();
    until(&mut harness, "the task has it", |state| {
        let plan = state.selected_task().and_then(|task| task.reference_plan.as_ref());
        plan.is_some_and(|plan| plan.steps().count() == 1)
    });
    assert_eq!(state(&harness).selected_task().unwrap().reference_tools, ["CreateDocument"]);
    let kept = std::fs::read_to_string(suite.path().join("taskset.json.before-1")).unwrap();
    assert_eq!(kept, before);
    let after: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let step = &after["tasks"][0]["reference_plan"][0];
    assert_eq!(
        (&step["skill"], &step["expert"]),
        (&"CreateDocument".into(), &"Layout Designer".into())
    );
    let said = &state(&harness).notices;
    assert!(said.iter().any(|notice| notice.text.contains("is now 1 step")), "{said:?}");
}

#[test]
fn a_changed_run_is_saved_beside_the_one_it_was_made_of() {
    let out = tempfile::tempdir().unwrap();
    let (mut harness, run) = at_run(out.path());
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
    let (mut harness, _) = at_run(out.path());
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

/// Where the line with both scores begins, which is further right than the legend of the timeline.
fn head_left(harness: &Harness<'_, Host>) -> f32 {
    let scores = harness.get_all_by_label_contains("SSIM 0");
    scores.map(|node| node.rect().left()).fold(f32::MIN, f32::max)
}

#[test]
fn the_what_if_looks() {
    let mut results = SnapshotResults::new();
    let out = tempfile::tempdir().unwrap();
    let (mut harness, _) = at_run(out.path());
    let at = large_call(state(&harness));
    send(&mut harness, WhatIfCommand::ToggleDropped(at));
    send(&mut harness, WhatIfCommand::Select(Some(at + 1)));
    send(&mut harness, WhatIfCommand::LeaveOut(Some(Grouping::Tool)));
    until(&mut harness, "all is known", |state| {
        views::what_if(state).is_some_and(|view| view.effects.is_some() && view.scores[1].is_some())
    });
    harness.remove_cursor();
    for (theme, suffix) in THEMES {
        dressed(&mut harness, theme);
        let tab = harness.get_by_label("What-if").rect();
        let left = head_left(&harness) - 10.0;
        let panel = egui::Rect::from_min_max(
            egui::pos2(left, tab.top() - 10.0),
            egui::pos2(SIZE[0], SIZE[1] - 24.0),
        );
        add_look_at(&mut results, &mut harness, &format!("what_if_{suffix}"), panel);
    }
}

#[test]
fn what_calls_brought_and_the_question_about_the_reference_look() {
    let mut results = SnapshotResults::new();
    let out = tempfile::tempdir().unwrap();
    let (mut harness, _) = at_run(out.path());
    send(&mut harness, WhatIfCommand::LeaveOut(Some(Grouping::Turn)));
    send(&mut harness, WhatIfCommand::Shapley(Some(ShapleyPlan { orders: 20, seed: 1 })));
    until(&mut harness, "all is known", |state| {
        views::what_if(state).is_some_and(|view| view.effects.is_some() && view.shapley.is_some())
    });
    harness.remove_cursor();
    for (theme, suffix) in THEMES {
        dressed(&mut harness, theme);
        let tab = harness.get_by_label("What-if").rect();
        let left = head_left(&harness) - 10.0;
        let panel = egui::Rect::from_min_max(
            egui::pos2(left, tab.top() - 10.0),
            egui::pos2(SIZE[0], tab.top() + 420.0),
        );
        add_look_at(&mut results, &mut harness, &format!("what_if_shapley_{suffix}"), panel);
    }
    send(&mut harness, WhatIfCommand::AskReference(Some(ReferenceKind::Tools)));
    for (theme, suffix) in THEMES {
        dressed(&mut harness, theme);
        let tab = harness.get_by_label("What-if").rect();
        let panel = egui::Rect::from_min_max(
            egui::pos2(head_left(&harness) - 10.0, tab.top() - 10.0),
            egui::pos2(SIZE[0], harness.get_by_label("Write them").rect().bottom() + 14.0),
        );
        add_look_at(&mut results, &mut harness, &format!("what_if_reference_{suffix}"), panel);
    }
}
