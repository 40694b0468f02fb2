//! *Test* in the launch dialog: what a model's endpoint can do, found before anything is launched.

use std::sync::Arc;

use egui::Key;
use egui_kittest::Harness;
use egui_kittest::kittest::{By, NodeT as _, Queryable as _};

use pentimento::agent::AgentKind;
use pentimento::agent::chat::TokenUsage;
use pentimento::agent::model_agent::Mode;
use pentimento::agent::models::{Ability, EndpointReport, ModelChoice, ModelSetup};
use pentimento::agent::providers::{KeyPlace, ProviderKind};
use pentimento::workbench::protocol::PromptsListed;
use pentimento::workbench::{
    Browse, Command, ExperimentDraft, Fetched, LaunchEdit, ModelSetupKey, Overlay, PromptFolderKey,
    PromptsDraft, State,
};

use super::fixture;
use super::harness::{Host, Part, looks, window};

const SIZE: [f32; 2] = [1440.0, 900.0];
const NAME: &str = "anthropic:m";

/// The dialog with one model, whose key is there.
fn launching(key: Result<KeyPlace, String>) -> State {
    let mut state = fixture::full();
    state.overlay = Some(Overlay::Launch);
    state.launch.tasks.insert(fixture::task_ref("gid1-22"));
    state.launch.agent = AgentKind::Model;
    state.launch.model.name = NAME.to_owned();
    let setup = ModelSetup {
        kind: ProviderKind::Anthropic,
        address: "https://api.anthropic.com/v1".to_owned(),
        key_entry: Some("anthropic".to_owned()),
        key,
    };
    let choice = ModelChoice { name: NAME.to_owned(), ..state.launch.model.clone() };
    let key = ModelSetupKey { choice, entered: 0 };
    state.derived.model_setups.insert(key, Fetched::Ready(Arc::new(setup)));
    state
}

fn ready() -> State {
    launching(Ok(KeyPlace::Environment("ANTHROPIC_API_KEY".to_owned())))
}

/// It sees no pictures, and its price is not known.
fn report() -> EndpointReport {
    EndpointReport {
        answers: Ability::Yes,
        sees_pictures: Ability::Failed("status 400: No images.".to_owned()),
        calls_tools: Ability::No("it made no call and said \"Seven\"".to_owned()),
        streams: Some(true),
        first_token_secs: Some(0.42),
        total_secs: 3.5,
        usage: Some(TokenUsage { input: 300, output: 30, ..TokenUsage::default() }),
        cost_usd: None,
    }
}

/// What the worker would say of the test that was asked for last.
fn answer(state: &mut State, found: Fetched<EndpointReport>) {
    let test = state.launch.tests.last().expect("a test was asked for").clone();
    state.derived.endpoint_tests.insert(test, found);
}

fn click(harness: &mut Harness<'_, Host>, name: &str) {
    harness.get_by_label(name).click();
    harness.run_ok();
}

#[test]
fn escape_gives_up_what_was_typed_into_a_field_and_only_then_the_dialog() {
    let mut harness = window(ready(), SIZE);
    let name = |harness: &Harness<'_, Host>| harness.state().state.launch.model.name.clone();
    harness.get_by_label("Name of the model").focus();
    harness.run_ok();
    harness.get_by_label("Name of the model").type_text("x");
    harness.run_ok();
    assert!(name(&harness).contains('x'), "{}", name(&harness));
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert_eq!(harness.state().state.overlay, Some(Overlay::Launch));
    assert_eq!(name(&harness), NAME);
    assert!(!harness.get_by_label("Name of the model").accesskit_node().is_focused());
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert_eq!(harness.state().state.overlay, None);
}

#[test]
fn a_model_is_tested_stopped_and_tested_again() {
    let mut harness = window(ready(), SIZE);
    assert!(harness.query_by_label_contains("key from ANTHROPIC_API_KEY").is_some());
    click(&mut harness, "Test anthropic:m");
    let test = Command::EditLaunch(LaunchEdit::Test(NAME.to_owned()));
    assert!(harness.state().sent.contains(&test));
    answer(&mut harness.state_mut().state, Fetched::Pending);
    // What is under way moves on by itself, and a frame each is enough.
    harness.run_steps(2);
    assert!(harness.query_by_label("Testing…").is_some());
    assert!(harness.query_by_label("Test anthropic:m").is_none());
    harness.get_by_label("Stop anthropic:m").click();
    harness.run_steps(2);
    assert!(harness.state().state.launch.tests.is_empty(), "nobody wants it any more");
    assert!(harness.query_by_label("Testing…").is_none());

    click(&mut harness, "Test anthropic:m");
    answer(&mut harness.state_mut().state, Fetched::Ready(Arc::new(report())));
    harness.run_ok();
    for line in [
        "Answers: yes",
        "Sees pictures: failed, status 400: No images.",
        "Calls tools: no, it made no call and said \"Seven\"",
        "streams · 0.42 s to first token · 3.50 s in all · 330 tokens · cost unknown",
    ] {
        assert!(harness.query_by_label(line).is_some(), "{line}");
    }
    // It hinders nobody: a model may be wanted for what it can do.
    assert!(!harness.get_by_label("Launch 1 run").accesskit_node().is_disabled());

    click(&mut harness, "Test anthropic:m");
    answer(&mut harness.state_mut().state, Fetched::Failed("no such region".to_owned()));
    harness.run_ok();
    assert!(harness.query_by_label("no such region").is_some());
    assert!(harness.query_by_label("Answers: yes").is_none(), "what was found before is void");
}

#[test]
fn a_key_that_is_typed_is_nowhere_in_the_accessibility_tree() {
    let mut harness = window(launching(Err("there is no key".to_owned())), SIZE);
    harness.get_by_label("Key for anthropic").focus();
    harness.run_ok();
    harness.get_by_label("Key for anthropic").type_text("sk-topsecret-1");
    harness.run_ok();
    assert!(!harness.get_by_label("Use this session").accesskit_node().is_disabled());
    let mut seen = 0;
    for node in harness.query_all(By::new().predicate(|_| true)) {
        let node = node.accesskit_node();
        seen += 1;
        let words = [node.label(), node.value(), node.description()];
        let said = words.into_iter().flatten().any(|words| words.contains("topsecret"));
        assert!(!said, "{:?}", node.role());
    }
    assert!(seen > 20, "{seen} nodes");
}

#[test]
fn the_launch_dialog_with_a_model_that_was_tested() {
    let mut harness = window(ready(), SIZE);
    click(&mut harness, "Test anthropic:m");
    let mut state = std::mem::take(&mut harness.state_mut().state);
    answer(&mut state, Fetched::Ready(Arc::new(report())));
    looks("launch_test", &state, SIZE, Part::Overlay("launch"));
}

/// An experiment of two models in two modes, at two temperatures, with the built-in prompts and those of two folders;
/// of a third it is said what is wrong.
fn experiment() -> State {
    let mut state = ready();
    state.launch.model.name = format!("{NAME}, gemini:g");
    state.launch.experiment = ExperimentDraft {
        is_on: true,
        name: "warm or cold".to_owned(),
        modes: [Mode::MultiTurn, Mode::SingleTurn].into(),
        temperatures: "0, 1".to_owned(),
        ..ExperimentDraft::default()
    };
    for (name, found) in
        [("terse", Ok(1)), ("step by step", Ok(4)), ("gone", Err("there is no folder of prompts"))]
    {
        list_prompts(&mut state, &format!("/home/ada/prompts/{name}"), found);
    }
    state.launch.experiment.prompts.folders[2].is_on = false;
    state
}

/// Puts a folder of prompts into the list, and what the worker would say of it.
fn list_prompts(state: &mut State, path: &str, found: Result<usize, &str>) {
    state.launch.experiment.prompts.add(path.into());
    let found = match found {
        Ok(prompts) => Fetched::Ready(Arc::new(PromptsListed { place: path.into(), prompts })),
        Err(why) => Fetched::Failed(format!("{why}: {path}")),
    };
    state.derived.prompt_folders.insert(PromptFolderKey(path.into()), found);
}

#[test]
fn an_experiment_is_made_by_ticking_and_says_how_many_runs_it_is() {
    let mut harness = window(ready(), SIZE);
    assert!(harness.query_by_label("Launch 1 run").is_some());
    click(&mut harness, "Compare modes, temperatures, prompts; repeat runs");
    assert!(harness.query_by_label("Launch 3 runs").is_some(), "three repeats, to begin with");
    click(&mut harness, "The model makes all calls at once");
    harness.get_by_label("Temperatures").focus();
    harness.run_ok();
    harness.get_by_label("Temperatures").type_text("0, 0.5, 1");
    harness.run_ok();
    assert!(harness.query_by_label("1 task × 6 cells × 3 repeats").is_some());
    assert!(!harness.get_by_label("Launch 18 runs").accesskit_node().is_disabled());
    // The last mode stays.
    click(&mut harness, "The model makes all calls at once");
    click(&mut harness, "The model works turn by turn");
    assert!(harness.query_by_label("1 task × 3 cells × 3 repeats").is_some());
    // What is no temperature is said, and keeps the launch back.
    harness.get_by_label("Temperatures").focus();
    harness.run_ok();
    harness.get_by_label("Temperatures").type_text(", x");
    harness.run_ok();
    assert!(harness.query_by_label_contains("\"x\" is no temperature").is_some());
    assert!(harness.get_by_label("Launch 0 runs").accesskit_node().is_disabled());
    click(&mut harness, "Compare modes, temperatures, prompts; repeat runs");
    assert!(harness.query_by_label("Launch 1 run").is_some());
}

#[test]
fn folders_of_prompts_are_added_ticked_and_removed_by_keyboard_and_by_name() {
    let mut harness = window(ready(), SIZE);
    click(&mut harness, "Compare modes, temperatures, prompts; repeat runs");
    assert!(harness.query_by_label("1 task × 1 cell × 3 repeats").is_some());
    let prompts =
        |harness: &Harness<'_, Host>| harness.state().state.launch.experiment.prompts.clone();
    assert_eq!(prompts(&harness), PromptsDraft::default());
    // One after the other: the field is ready for the next as soon as Enter has taken one.
    harness.get_by_label("Folder of prompts").focus();
    harness.run_ok();
    for path in ["/p/terse", "/q/terse"] {
        harness.get_by_label("Folder of prompts").type_text(path);
        harness.run_ok();
        assert_eq!(prompts(&harness).typed, path);
        harness.key_press(Key::Enter);
        harness.run_ok();
        let chosen = Command::ChoosePath(Browse::PromptFolder, path.into());
        assert!(harness.state().sent.contains(&chosen), "{path}");
        assert_eq!(prompts(&harness).typed, "");
    }
    assert!(harness.query_by_label("1 task × 3 cells × 3 repeats").is_some());
    assert!(!harness.get_by_label("Launch 9 runs").accesskit_node().is_disabled());
    // Two of one name have all of their paths for names.
    click(&mut harness, "Remove /q/terse");
    click(&mut harness, "Built-in prompts");
    assert!(harness.query_by_label("Launch 3 runs").is_some());
    click(&mut harness, "terse");
    assert!(harness.query_by_label("Tick the prompts that models work with.").is_some());
    assert!(harness.get_by_label("Launch 0 runs").accesskit_node().is_disabled());
    click(&mut harness, "Built-in prompts");
    // What is wrong with one is said below its row, and below what is ticked why nothing is launched.
    list_prompts(&mut harness.state_mut().state, "/p/gone", Err("there is no folder of prompts"));
    harness.run_ok();
    assert!(harness.query_by_label("there is no folder of prompts: /p/gone").is_some());
    assert!(harness.query_by_label("Prompts: there is no folder of prompts: /p/gone.").is_some());
    click(&mut harness, "Remove gone");
    assert!(!harness.get_by_label("Launch 3 runs").accesskit_node().is_disabled());

    // By the button, and by the system's dialog.
    harness.get_by_label("Folder of prompts").focus();
    harness.run_ok();
    harness.get_by_label("Folder of prompts").type_text("/p/long");
    harness.run_ok();
    click(&mut harness, "Add the typed folder");
    assert!(harness.query_by_label("Remove long").is_some());
    click(&mut harness, "Add folder…");
    assert!(harness.state().sent.contains(&Command::Browse(Browse::PromptFolder)));
}

#[test]
fn the_dialog_of_an_experiment_looks_as_it_did() {
    looks("launch_experiment", &experiment(), SIZE, Part::Overlay("launch"));
}
