//! The documents of a run with several programs, from its folder to what the stage shows of each.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use pentimento::agent::runner::{Attempt, NoObserver, RunLimits, run_task};
use pentimento::agent::{AgentKind, AgentOptions, PictureSource, by_kind};
use pentimento::app::Session;
use pentimento::base::{CancelToken, Pixels, Size};
use pentimento::environment::{PictureRequest, open_environment};
use pentimento::graphictown::Expert;
use pentimento::run::recorder::Durability;
use pentimento::run::replay::Replay;
use pentimento::run::{TaskRef, folder, reader};
use pentimento::task;
use pentimento::workbench::views::{self, PaneStatus};
use pentimento::workbench::{
    Command, Comparison, DocumentChoice, InspectorTab, NodesCommand, PictureKey, PlaybackCommand,
    Settings, StageCommand, StagePane, State,
};
use pentimento::worker::WorkerConfig;
use serde_json::{Value, json};

const PHOTO: &str = "Photo Editor";
const VECTOR: &str = "Vector Graphic Editor";
const LAYOUT: &str = "Layout Designer";
/// How long anything may take before a test gives up. Not a measure of speed.
const PATIENCE: Duration = Duration::from_mins(4);

/// Three programs, two files; the last call fails. Numbers are those of the steps.
fn calls() -> Vec<Value> {
    let call = |expert: &str, name: &str, values: Value| {
        let mut arguments = json!({ "expert": expert });
        for (key, value) in values.as_object().unwrap() {
            arguments[key] = value.clone();
        }
        json!({"name": name, "arguments": arguments})
    };
    let page = |width: u32, height: u32| json!({"width": width, "height": height});
    let rectangle = json!({"layerName": "Badge", "width": 60, "height": 40, "red": 200,
        "green": 30, "blue": 40});
    let title = json!({"layerName": "Title", "textString": "Moon"});
    vec![
        /* 1 */ call(PHOTO, "CreateDocumentCustom", page(120, 80)),
        /* 2 */
        call(PHOTO, "SetBackgroundColor", json!({"red": 10, "green": 20, "blue": 90})),
        /* 3 */ call(PHOTO, "SaveDocument", json!({"fileName": "sky", "format": "psd"})),
        /* 4 */ call(VECTOR, "CreateDocumentCustom", page(90, 90)),
        /* 5 */ call(VECTOR, "DrawRectangle", rectangle),
        /* 6 */ call(VECTOR, "SaveDocument", json!({"fileName": "badge", "format": "ai"})),
        /* 7 */ call(LAYOUT, "CreateDocumentCustom", page(200, 300)),
        /* 8 */
        call(LAYOUT, "ImportObject", json!({"fileName": "sky.psd", "layerName": "Sky"})),
        /* 9 */ call(LAYOUT, "CreateText", title),
        /* 10 */
        call(LAYOUT, "ImportObject", json!({"fileName": "no.psd", "layerName": "No"})),
    ]
}

/// Records the run and gives its folder.
fn recorded(out: &Path) -> PathBuf {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs/suite");
    let opened = task::open(&samples).unwrap();
    let (set, _) = &opened.sets[0];
    let script = out.join("script.json");
    let turns = json!([{"thought": "All of it.", "calls": calls()}]);
    std::fs::write(&script, turns.to_string()).unwrap();
    let options = AgentOptions { script: Some(script), ..AgentOptions::default() };
    let mut agent = by_kind(AgentKind::Scripted, &options).unwrap();
    let task = &set.tasks[0];
    let reference = TaskRef { set: set.id.clone(), id: task.id.clone() };
    let dir = folder::claim(&out.join("runs"), &reference, "scripted").unwrap();
    let attempt = Attempt {
        set: &set.id,
        task,
        limits: RunLimits::default(),
        settings: serde_json::Map::new(),
        dir: &dir,
        open_environment: &open_environment,
        pictures: &PictureSource::Nowhere,
        durability: Durability::EveryTurn,
        cpu: &pentimento::agent::CpuPool::default(),
    };
    let manifest = run_task(&attempt, &mut *agent, &CancelToken::new(), &mut NoObserver).unwrap();
    assert_eq!((manifest.totals.calls, manifest.totals.failures), (10, 1));
    dir
}

struct Looking {
    session: Session,
    dir: PathBuf,
    _temporary: tempfile::TempDir,
}

/// The run on the stage at its last step.
fn looking() -> Looking {
    let temporary = tempfile::tempdir().unwrap();
    let dir = recorded(temporary.path());
    let state = State::new(Settings::default(), temporary.path().join("out"));
    let mut session = Session::start(state, WorkerConfig::default(), || {}).unwrap();
    session.carry_out(Command::Open(vec![dir.clone()]));
    let mut looking = Looking { session, dir, _temporary: temporary };
    looking.until("the run is on the stage", |state| {
        state.selection.step == 10 && is_current(state, StagePane::Run)
    });
    looking
}

fn is_current(state: &State, pane: StagePane) -> bool {
    views::pane(state, pane).status == PaneStatus::Current
}

impl Looking {
    fn until(&mut self, what: &str, is_so: impl Fn(&State) -> bool) {
        let began = Instant::now();
        while !is_so(self.session.state()) {
            assert!(began.elapsed() < PATIENCE, "it was never so: {what}");
            self.session.take_next_event(Duration::from_millis(50));
        }
    }

    fn state(&self) -> &State {
        self.session.state()
    }

    fn go_to(&mut self, step: u32) {
        self.session.carry_out(Command::Playback(PlaybackCommand::Step(step)));
        let run = self.state().selection.run.unwrap();
        self.until("the step is known", |state| {
            state.ready_picture(&PictureKey::Step(run, step)).is_some()
        });
    }

    fn show(&mut self, choice: DocumentChoice) {
        self.session.carry_out(Command::Stage(StageCommand::ShowDocuments(choice)));
    }

    /// What a pane shows, once it is what was asked for.
    fn shown(&mut self, pane: StagePane) -> Pixels {
        self.until("the pane shows what it is to show", |state| is_current(state, pane));
        views::pane(self.state(), pane).picture.unwrap().pixels.unpacked().unwrap()
    }

    /// What a program's document looks like after a step, by replaying the run alone.
    fn replayed(&self, step: u32, expert: Expert) -> Pixels {
        let run = Arc::new(reader::open(&self.dir).unwrap());
        let mut replay = Replay::new(run, &open_environment).unwrap();
        let environment = replay.environment_at(step, &CancelToken::new()).unwrap();
        environment
            .documents()
            .unwrap()
            .picture_of(expert.name(), &PictureRequest::default())
            .unwrap()
            .pixels
    }
}

#[test]
fn all_documents_stand_side_by_side_as_they_are_after_the_step() {
    let mut looking = looking();
    looking.show(DocumentChoice::All);
    for step in [10, 7, 8, 9] {
        looking.go_to(step);
        let panes = views::panes(looking.state());
        let programs = [StagePane::Program(0), StagePane::Program(1), StagePane::Program(2)];
        assert_eq!(panes[..3], programs, "{panes:?}");
        for (pane, expert) in programs.into_iter().zip(Expert::ALL) {
            let shown = looking.shown(pane);
            assert!(shown == looking.replayed(step, expert), "step {step}, {}", expert.name());
        }
    }
    let documents = looking.state().documents().unwrap();
    let sizes: Vec<Size> = (0..3).map(|at| documents.open(at).unwrap().size).collect();
    assert_eq!(
        sizes,
        [(120, 80), (90, 90), (200, 300)].map(|(w, h)| Size::new(w.into(), h.into()))
    );
    assert_eq!(documents.current(), Some(2));
}

#[test]
fn the_row_says_what_is_saved_and_which_step_saved_it() {
    let mut looking = looking();
    let documents = looking.state().documents().unwrap();
    let open: Vec<(bool, Option<&str>, u32)> = (0..3)
        .map(|at| documents.open(at).unwrap())
        .map(|open| (open.is_saved, open.file.as_deref(), open.changed_at))
        .collect();
    // The tenth call failed; it may have changed the document for all that is known of it.
    assert_eq!(open, [(true, Some("sky.psd"), 3), (true, Some("badge.ai"), 6), (false, None, 10)]);
    let files: Vec<(&str, &str, Option<u32>)> = documents
        .files
        .iter()
        .map(|file| (file.name.as_str(), file.program.as_str(), file.saved_at))
        .collect();
    assert_eq!(files, [("badge.ai", VECTOR, Some(6)), ("sky.psd", PHOTO, Some(3))]);
    looking.go_to(5);
    let documents = looking.state().documents().unwrap();
    assert_eq!((documents.files.len(), documents.current()), (1, Some(1)));
    assert!(!documents.open(1).unwrap().is_saved);
}

#[test]
fn a_program_without_a_document_says_so_and_is_not_asked_for() {
    let mut looking = looking();
    looking.show(DocumentChoice::Program(2));
    looking.go_to(5);
    let pane = views::pane(looking.state(), StagePane::Run);
    let why = PaneStatus::Nothing("this program has no document at this step");
    assert_eq!((pane.status, pane.picture.is_none()), (why, true));
    let is_asked = |key: &PictureKey| matches!(key, PictureKey::Document(_, _, 2));
    assert!(!looking.state().derived.pictures.iter().any(|(key, _)| is_asked(key)));
    looking.show(DocumentChoice::All);
    assert_eq!(views::pane(looking.state(), StagePane::Program(2)).status, why);
    assert!(looking.shown(StagePane::Program(0)) == looking.replayed(5, Expert::PhotoEditor));
}

#[test]
fn a_chosen_document_stays_on_the_stage_while_the_others_are_worked_in() {
    let mut looking = looking();
    looking.show(DocumentChoice::Program(0));
    let expected = looking.replayed(10, Expert::PhotoEditor);
    let mut keys = Vec::new();
    for step in [4, 6, 8, 10] {
        looking.go_to(step);
        assert!(looking.shown(StagePane::Run) == expected, "step {step}");
        keys.push(looking.state().run_picture_key().unwrap());
        assert!(!looking.state().shows_compared_document());
    }
    assert!(keys.iter().all(|key| *key == keys[0]), "it is drawn once: {keys:?}");
    looking.go_to(2);
    assert!(looking.state().shows_compared_document(), "here it is the one worked in");
}

#[test]
fn what_lies_under_the_pointer_is_known_in_every_document() {
    let mut looking = looking();
    looking.show(DocumentChoice::All);
    let mut names = Vec::new();
    for at in 0..3 {
        looking.shown(StagePane::Program(at));
        let picture = views::pane(looking.state(), StagePane::Program(at)).picture.unwrap();
        names.push(picture.nodes.iter().map(|node| node.name.clone()).collect::<Vec<_>>());
    }
    assert!(names[1].contains(&"Badge".to_owned()), "{names:?}");
    assert!(names[2].contains(&"Title".to_owned()), "{names:?}");
    assert!(!names[0].contains(&"Badge".to_owned()), "{names:?}");
}

#[test]
fn the_nodes_of_the_document_that_is_shown_are_listed_with_the_steps_that_made_them() {
    let mut looking = looking();
    looking.session.carry_out(Command::ShowInspector(InspectorTab::Nodes));
    looking.session.carry_out(Command::Nodes(NodesCommand::Compare(Comparison::None)));
    let listed = |state: &State| {
        let nodes = views::nodes(state);
        let rows = nodes.layers.filter(|_| nodes.status == PaneStatus::Current)?;
        let row = |name: &str| rows.rows.iter().find(|row| row.name == name).cloned();
        Some((row("Badge"), row("Title")))
    };
    looking
        .until("the layout is listed", |state| listed(state).is_some_and(|(_, it)| it.is_some()));
    looking.show(DocumentChoice::Program(1));
    looking
        .until("the drawing is listed", |state| listed(state).is_some_and(|(it, _)| it.is_some()));
    let (badge, title) = listed(looking.state()).unwrap();
    let history = badge.unwrap().history.unwrap();
    assert_eq!((history.made, history.changed, title.is_none()), (5, 5, true));
    // Side by side, the one that was pointed at.
    looking.show(DocumentChoice::All);
    looking.until("the layout again", |state| listed(state).is_some_and(|(_, it)| it.is_some()));
    looking.session.carry_out(Command::Nodes(NodesCommand::ListProgram(Some(1))));
    looking.until("the drawing again", |state| listed(state).is_some_and(|(it, _)| it.is_some()));
}

#[test]
fn the_choice_goes_round_by_key_and_is_remembered() {
    use DocumentChoice::{All, Current, Program};
    let mut looking = looking();
    let mut seen = Vec::new();
    for _ in 0..5 {
        let next = looking.state().next_document_choice();
        looking.show(next);
        seen.push(next);
    }
    assert_eq!(seen, [Program(0), Program(1), Program(2), All, Current]);
    looking.show(Program(1));
    let kept = serde_json::to_string(&looking.state().settings).unwrap();
    assert_eq!(serde_json::from_str::<Settings>(&kept).unwrap().documents, Program(1));
}
