//! What the window offers for runs: pause, resume, stop, again, with…; and what it says of them.

use std::sync::Arc;

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use pentimento::agent::AgentKind;
use pentimento::agent::providers::ProviderKind;
use pentimento::workbench::protocol::ListedModel;
use pentimento::workbench::{
    Command, Fetched, LaunchEdit, ModelFileKey, Overlay, RunId, RunsCommand, RunsTarget, State,
};

use super::fixture;
use super::harness::{Host, window};

const SIZE: [f32; 2] = [1280.0, 800.0];

fn sent(harness: &Harness<'_, Host>, command: RunsCommand) -> bool {
    harness.state().sent.contains(&Command::Runs(command))
}

fn chord(harness: &mut Harness<'_, Host>, modifiers: Modifiers, key: Key) {
    harness.key_press_modifiers(modifiers, key);
    harness.run_ok();
}

#[test]
fn the_list_pauses_resumes_and_stops_each_run_and_all() {
    let mut harness = window(fixture::running(), SIZE);
    chord(&mut harness, Modifiers::COMMAND, Key::J);
    harness.get_by_label("Pause gpt-4.1 on gid1-22").click();
    harness.run_ok();
    let job = *harness.state().state.jobs.by_id.keys().next().unwrap();
    assert!(sent(&harness, RunsCommand::Pause(RunsTarget::Job(job))));
    harness.get_by_label("Resume gpt-4.1 on gid1-22").click();
    harness.run_ok();
    assert!(sent(&harness, RunsCommand::Resume(RunsTarget::Job(job))));
    harness.get_by_label("Stop gpt-4.1 on gid1-22").click();
    harness.run_ok();
    assert!(harness.state().sent.contains(&Command::CancelJob(job)));
    harness.get_by_label("Stop all runs").click();
    harness.run_ok();
    assert!(sent(&harness, RunsCommand::Stop(RunsTarget::All)));
}

#[test]
fn the_list_says_of_each_run_how_far_it_is_and_what_it_cost() {
    let mut harness = window(fixture::running(), SIZE);
    chord(&mut harness, Modifiers::COMMAND, Key::J);
    for words in [
        "gpt-4.1 on gid1-22: 14 of at most 50 turns · 54,522 tokens · $0.2130 · 1 min 34 s",
        "gpt-4o on gid1-22: paused · 14 of at most 50 turns · 54,522 tokens · price unknown · 1 min 34 s",
        "tracer on gid28-1: queued",
    ] {
        assert!(harness.query_by_label_contains(words).is_some(), "{words}");
    }
    let unpriced = harness.query_all_by_label_contains("and 1 run of unknown price").count();
    assert_eq!(unpriced, 2, "in the list and in the status bar");
    assert!(harness.query_by_label_contains("Run tracer on gid1-22 again").is_some());
}

#[test]
fn the_status_bar_says_what_is_at_work_and_opens_the_list() {
    let mut harness = window(fixture::running(), SIZE);
    let words = "1 running · 1 paused · 1 waiting · 163,566 tokens · $0.2130 and 1 run of unknown price · about";
    harness.get_by_label_contains(words).click();
    harness.run_ok();
    assert_eq!(harness.state().state.overlay, Some(Overlay::Jobs));
}

#[test]
fn keys_pause_stop_and_repeat_the_run_on_the_stage() {
    let mut harness = window(fixture::running(), SIZE);
    chord(&mut harness, Modifiers::NONE, Key::P);
    let run = harness.state().state.selected_run().unwrap();
    let target = RunsTarget::Job(run.job.unwrap());
    assert!(sent(&harness, RunsCommand::Pause(target)));
    assert!(harness.query_all_by_label("Pausing").count() >= 2, "inspector and timeline say so");
    chord(&mut harness, Modifiers::COMMAND, Key::Period);
    assert!(sent(&harness, RunsCommand::Stop(target)));
    chord(&mut harness, Modifiers::SHIFT, Key::P);
    assert!(sent(&harness, RunsCommand::Pause(RunsTarget::All)));
    chord(&mut harness, Modifiers::SHIFT, Key::P);
    assert!(sent(&harness, RunsCommand::Resume(RunsTarget::All)));
    chord(&mut harness, Modifiers::COMMAND | Modifiers::SHIFT, Key::Period);
    assert!(sent(&harness, RunsCommand::Stop(RunsTarget::All)));
    chord(&mut harness, Modifiers::SHIFT, Key::R);
    let run = harness.state().state.selection.run.unwrap();
    assert!(sent(&harness, RunsCommand::With(run)));
    assert_eq!(harness.state().state.overlay, Some(Overlay::Launch));
}

#[test]
fn a_run_that_cannot_be_made_again_says_why_at_its_button() {
    let mut harness = window(fixture::full(), SIZE);
    let again = harness.get_by_label("Run again");
    assert!(again.accesskit_node().is_disabled());
    again.scroll_to_me();
    harness.run_ok();
    let at = harness.get_by_label("Run again").rect().center();
    harness.hover_at(at);
    harness.run_ok();
    // Tooltips come after a while.
    for _ in 0..40 {
        harness.step();
    }
    assert!(harness.query_by_label_contains("it cannot be made again").is_some());
}

#[test]
fn the_menu_of_a_run_offers_what_can_be_done_to_it() {
    let mut harness = window(fixture::running(), SIZE);
    let rows: Vec<_> = harness.get_all_by_label("gpt-4.1").collect();
    rows[0].click_secondary();
    harness.run_ok();
    for words in ["Pause", "Stop", "Run the same task with…", "Copy the folder's path", "Reload"]
    {
        assert!(harness.query_all_by_label(words).next().is_some(), "{words}");
    }
    let with: Vec<_> = harness.get_all_by_label("Run the same task with…").collect();
    with.last().unwrap().click();
    harness.run_ok();
    let with = |command: &Command| matches!(command, Command::Runs(RunsCommand::With(_)));
    assert!(harness.state().sent.iter().any(with));
}

#[test]
fn a_run_is_removed_by_its_menu_which_says_that_it_stays_on_disk_and_reloaded_by_a_key() {
    let mut harness = window(fixture::full(), SIZE);
    chord(&mut harness, Modifiers::NONE, Key::F5);
    let run = harness.state().state.selection.run.unwrap();
    assert!(sent(&harness, RunsCommand::Reload(run)));
    harness.get_by_label("gpt-4o").click_secondary();
    harness.run_ok();
    harness.get_by_label("Remove from library (stays on disk)").click();
    harness.run_ok();
    assert!(sent(&harness, RunsCommand::Remove(RunId(2))));
    assert!(!harness.state().state.library.runs.contains_key(&RunId(2)));
    chord(&mut harness, Modifiers::COMMAND, Key::Delete);
    assert!(sent(&harness, RunsCommand::Remove(run)));
    let selection = &harness.state().state.selection;
    assert!(selection.run.is_none() && selection.task.is_some());
}

#[test]
fn a_paused_run_is_said_in_the_inspector_and_above_the_timeline() {
    let mut harness = window(fixture::paused(), SIZE);
    assert!(harness.query_all_by_label("Paused").count() >= 2);
    let resume: Vec<_> = harness.get_all_by_label("Pause or resume the run").collect();
    resume[0].click();
    harness.run_ok();
    let resumed = |command: &Command| matches!(command, Command::Runs(RunsCommand::Resume(_)));
    assert!(harness.state().sent.iter().any(resumed));
}

fn with_models(mut state: State) -> State {
    state.overlay = Some(Overlay::Launch);
    state.launch.tasks.insert(fixture::task_ref("gid1-22"));
    state.launch.agent = AgentKind::Model;
    state.launch.model.file = Some("/m.json".into());
    let model = |name: &str, has_prices| ListedModel {
        name: name.to_owned(),
        model: name.to_owned(),
        kind: ProviderKind::Anthropic,
        has_prices,
    };
    let listed = Fetched::Ready(Arc::new(vec![model("large", true), model("small", false)]));
    state.derived.model_files.insert(ModelFileKey("/m.json".into()), listed);
    state
}

#[test]
fn models_are_ticked_and_the_runs_are_counted() {
    let mut harness = window(with_models(fixture::full()), SIZE);
    harness.get_by_label("large").click();
    harness.run_ok();
    harness.get_by_label("small").click();
    harness.run_ok();
    assert_eq!(harness.state().state.launch.model.name, "large, small");
    assert!(harness.query_by_label("1 task by 2 models").is_some());
    harness.get_by_label("Choose all filtered tasks").click();
    harness.run_ok();
    let tasks = harness.state().state.launch.tasks.len();
    assert_eq!(tasks, 30);
    assert!(harness.query_by_label("Launch 60 runs").is_some());
    chord(&mut harness, Modifiers::COMMAND, Key::Enter);
    assert!(harness.state().sent.contains(&Command::Launch));
}

#[test]
fn a_budget_is_set_and_refused_where_a_price_is_missing() {
    let mut harness = window(with_models(fixture::full()), SIZE);
    harness.get_by_label("small").click();
    harness.run_ok();
    harness.get_by_label("Limit total cost").scroll_to_me();
    harness.run_ok();
    harness.get_by_label("Limit total cost").click();
    harness.run_ok();
    let budget = Command::EditLaunch(LaunchEdit::Budget(Some(10.0)));
    assert!(harness.state().sent.contains(&budget));
    let launch = harness.get_by_label("Launch 1 run");
    assert!(launch.accesskit_node().is_disabled());
    let why = "small has no prices in its file: no budget can be kept.";
    assert!(harness.query_by_label(why).is_some());
    chord(&mut harness, Modifiers::COMMAND, Key::Enter);
    assert!(!harness.state().sent.contains(&Command::Launch), "no key launches it either");
}

#[test]
fn a_click_on_a_run_in_the_list_brings_it_on_the_stage() {
    let mut harness = window(fixture::running(), SIZE);
    chord(&mut harness, Modifiers::COMMAND, Key::J);
    harness.get_by_label("Show gpt-4o on gid1-22").click();
    harness.run_ok();
    let run = harness.state().state.selection.run.unwrap();
    assert_eq!(harness.state().state.library.runs[&run].manifest.agent.name, "gpt-4o");
}

#[test]
fn a_run_by_a_finished_job_can_be_made_again_from_the_list() {
    let mut state = fixture::running();
    state.overlay = Some(Overlay::Jobs);
    let mut harness = window(state, SIZE);
    harness.get_by_label("Run tracer on gid1-22 again").click();
    harness.run_ok();
    let again = |command: &Command| matches!(command, Command::Runs(RunsCommand::Again(RunId(_))));
    assert!(harness.state().sent.iter().any(again));
}
