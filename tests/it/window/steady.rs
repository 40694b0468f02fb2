//! What stands still in the window keeps its identity while something comes in elsewhere. A click is a press in one
//! frame and a release in a later one: on a button that is another widget by then, it is lost, and so is the keyboard.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use serde_json::json;

use pentimento::agent::AgentKind;
use pentimento::label::form::builtin_form;
use pentimento::run::TaskRef;
use pentimento::workbench::{
    AnnotateCommand, Command, InspectorTab, LaunchEdit, Overlay, Settings, State, ThemeChoice,
    WhatIfCommand, Workspace,
};

use super::accessibility::acted_on;
use super::labelling::{Host, WIDE, shows_pictures, state, themed_desk, until, window};
use crate::batch::ModelServer;
use crate::session::is_idle;

/// How long anything may take before a test gives up. Not a measure of speed.
const PATIENCE: Duration = Duration::from_mins(3);

/// A widget as a person knows it: what it is and what it is called.
type Seen = String;

/// Whatever can be acted on, each with what tells it from others; of several that are called the same, none.
fn widgets(harness: &Harness<'_, Host>) -> BTreeMap<Seen, String> {
    let mut found = BTreeMap::new();
    let mut twice = BTreeSet::new();
    for node in harness.query_all(acted_on()) {
        let node = node.accesskit_node();
        // A table knows its rows by their places, and they move as others come: that is another thing to press.
        if node.role() == Role::Row {
            continue;
        }
        let seen = format!("{:?} {}", node.role(), node.label().unwrap_or_default());
        if found.insert(seen.clone(), format!("{:?}", node.id())).is_some() {
            twice.insert(seen);
        }
    }
    found.retain(|seen, _| !twice.contains(seen));
    found
}

/// Which widgets became others, and how often.
#[derive(Default)]
struct Moves {
    times: BTreeMap<String, usize>,
    frames: usize,
}

impl Moves {
    /// Draws frames until it is so, in which nobody does anything.
    fn watch(
        &mut self,
        harness: &mut Harness<'_, Host>,
        what: &str,
        is_so: impl Fn(&State) -> bool,
    ) {
        // What a command just changed may be other widgets altogether.
        harness.run_steps(2);
        let began = Instant::now();
        let mut before = widgets(harness);
        let mut quiet = 0;
        while quiet < 30 {
            assert!(began.elapsed() < PATIENCE, "it was never so: {what}");
            harness.step();
            let now = widgets(harness);
            for (seen, id) in &now {
                if before.get(seen).is_some_and(|before| before != id) {
                    *self.times.entry(format!("{what}: {seen}")).or_default() += 1;
                }
            }
            before = now;
            self.frames += 1;
            quiet = if is_so(state(harness)) { quiet + 1 } else { 0 };
        }
    }

    fn assert_none(&self) {
        assert!(self.frames > 20, "{} frames", self.frames);
        assert!(self.times.is_empty(), "in {} frames: {:#?}", self.frames, self.times);
    }
}

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs")
}

fn send(harness: &mut Harness<'_, Host>, command: Command) {
    harness.state_mut().session.carry_out(command);
}

/// A window on these files.
fn opened(settings: Settings, out: &Path, path: PathBuf) -> Harness<'static, Host> {
    let mut harness = window(settings, WIDE);
    send(&mut harness, Command::EditLaunch(LaunchEdit::OutDir(out.to_path_buf())));
    send(&mut harness, Command::Open(vec![path]));
    harness
}

#[test]
fn widgets_stay_while_runs_are_read_and_scored() {
    let mut moves = Moves::default();
    let tabs = [
        InspectorTab::Step,
        InspectorTab::Nodes,
        InspectorTab::Scores,
        InspectorTab::WhatIf,
        InspectorTab::Runs,
    ];
    for inspector_tab in tabs {
        let out = tempfile::tempdir().unwrap();
        let settings = Settings { inspector_tab, ..Settings::default() };
        let mut harness = opened(settings, out.path(), samples());
        moves.watch(&mut harness, &format!("{inspector_tab:?}"), |state| {
            !state.library.runs.is_empty() && is_idle(state)
        });
    }
    moves.assert_none();
}

#[test]
fn widgets_stay_while_a_table_of_runs_is_filled() {
    let mut moves = Moves::default();
    let out = tempfile::tempdir().unwrap();
    let mut harness = opened(Settings::default(), out.path(), samples());
    send(&mut harness, Command::Annotate(AnnotateCommand::Show(Workspace::Explore)));
    moves.watch(&mut harness, "Explore", |state| !state.library.runs.is_empty() && is_idle(state));
    moves.assert_none();
}

#[test]
fn widgets_stay_while_a_run_by_hand_begins() {
    let mut moves = Moves::default();
    let out = tempfile::tempdir().unwrap();
    let mut harness = opened(Settings::default(), out.path(), samples());
    until(&mut harness, "the samples are open", |state| !state.library.runs.is_empty());
    let task = TaskRef { set: "own-samples".to_owned(), id: "basket".to_owned() };
    send(&mut harness, Command::WhatIf(WhatIfCommand::ByHand(task)));
    moves.watch(&mut harness, "by hand", |state| {
        pentimento::workbench::views::what_if(state).is_some_and(|view| view.tools.is_some())
            && is_idle(state)
    });
    moves.assert_none();
}

#[test]
fn widgets_stay_while_runs_go_on() {
    let mut moves = Moves::default();
    let rooms = [
        Command::ShowInspector(InspectorTab::Step),
        Command::ShowInspector(InspectorTab::Scores),
        Command::Annotate(AnnotateCommand::Show(Workspace::Explore)),
        Command::ToggleOverlay(Overlay::Jobs),
    ];
    for room in rooms {
        let (dir, server) = (tempfile::tempdir().unwrap(), ModelServer::start());
        let models = json!({"models": {"one": {"provider": {"kind": "chat_completions",
            "base_url": server.address, "model": "one", "proxy": "",
            "prices": {"input": 1.0, "output": 10.0}}}}});
        let file = dir.path().join("models.json");
        std::fs::write(&file, models.to_string()).unwrap();
        let out = dir.path().join("runs");
        let mut harness = opened(Settings::default(), &out, samples().join("taskset.json"));
        until(&mut harness, "the tasks are listed", |state| !state.library.sets.is_empty());
        let set = &state(&harness).library.sets[0].set;
        let tasks = set.tasks.iter().take(3);
        let tasks = tasks.map(|it| TaskRef { set: set.id.clone(), id: it.id.clone() }).collect();
        send(&mut harness, Command::OpenLaunch(tasks));
        for edit in [
            LaunchEdit::Agent(AgentKind::Model),
            LaunchEdit::ModelFile(Some(file)),
            LaunchEdit::ModelName("one".to_owned()),
            LaunchEdit::Jobs(2),
        ] {
            send(&mut harness, Command::EditLaunch(edit));
        }
        send(&mut harness, Command::Launch);
        let what = format!("{room:?}");
        send(&mut harness, room);
        moves.watch(&mut harness, &what, |state| !state.library.runs.is_empty() && is_idle(state));
    }
    moves.assert_none();
}

#[test]
fn widgets_stay_while_the_assistant_thinks() {
    let mut moves = Moves::default();
    let mut harness = window(Settings::default(), WIDE);
    send(&mut harness, Command::Annotate(AnnotateCommand::Show(Workspace::Assist)));
    harness.run_steps(2);
    harness.get_by_label("Practice, five minutes").click();
    moves
        .watch(&mut harness, "a task opens", |state| state.assist.desk.is_some() && is_idle(state));
    harness.key_press_modifiers(Modifiers::ALT, Key::Enter);
    moves.watch(&mut harness, "a step is offered", |state| {
        let desk = state.assist.desk.as_ref();
        desk.is_some_and(|desk| desk.assistant.offer.is_some()) && is_idle(state)
    });
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Enter);
    moves.watch(&mut harness, "it is taken", |state| {
        let desk = state.assist.desk.as_ref();
        desk.is_some_and(|desk| desk.editor.steps() > 0) && is_idle(state)
    });
    moves.assert_none();
}

#[test]
fn widgets_stay_while_pictures_of_an_item_come() {
    let mut moves = Moves::default();
    let dir = tempfile::tempdir().unwrap();
    let form = builtin_form("pairwise-preference").unwrap();
    let mut harness = themed_desk(dir.path(), form, 4, (WIDE, ThemeChoice::Dark));
    moves.watch(&mut harness, "an item", shows_pictures);
    moves.assert_none();
}
