//! The assistant at the side of a design that is worked on by hand, without a window: what it offers, what becomes of
//! that, what is kept of it.

use std::path::{Path, PathBuf};

use pentimento::agent::assistant::{Author, Freshness, SuggestionState};
use pentimento::app::Session;
use pentimento::base::{Pixels, Size};
use pentimento::design::{Document, NodeId};
use pentimento::editor::{Act, ArrangeAct, SelectAct};
use pentimento::run::TaskRef;
use pentimento::workbench::{
    AssistCommand, AssistDesk, AssistStart, AssistantCommand, AssistantSource, Command,
    DesignStanding, HelpLevel, Recording, RunState, Settings, State,
};
use pentimento::worker::WorkerConfig;
use serde_json::{Value, json};

use crate::nodes::until;

/// A node of a file, by its box on the page.
pub(crate) fn shape(
    id: &str,
    kind: &str,
    [x, y, width, height]: [f64; 4],
    color: [f64; 3],
) -> Value {
    let [r, g, b] = color;
    json!({
        "id": id, "name": format!("{kind} {id}"), "type": kind,
        "absoluteBoundingBox": {"x": x, "y": y, "width": width, "height": height},
        "fills": [{"type": "SOLID", "color": {"r": r, "g": g, "b": b, "a": 1.0}}],
    })
}

/// A file of one screen.
pub(crate) fn screen(children: &[Value]) -> Value {
    let mut screen = shape("5:1", "FRAME", [0.0, 0.0, 400.0, 400.0], [1.0, 1.0, 1.0]);
    screen["clipsContent"] = json!(true);
    screen["children"] = json!(children);
    json!({"document": screen})
}

/// What the tasks lead to: a card, a dot on it, and a row that holds a tile.
pub(crate) fn shelf() -> Value {
    let mut row = shape("5:4", "FRAME", [40.0, 220.0, 320.0, 120.0], [0.9, 0.9, 0.8]);
    row["clipsContent"] = json!(true);
    row["children"] =
        json!([shape("5:5", "RECTANGLE", [60.0, 240.0, 80.0, 80.0], [0.1, 0.5, 0.3])]);
    let mut card = shape("5:2", "RECTANGLE", [40.0, 40.0, 320.0, 140.0], [0.1, 0.3, 0.9]);
    card["cornerRadius"] = json!(12);
    let dot = shape("5:3", "ELLIPSE", [60.0, 60.0, 60.0, 60.0], [1.0, 0.8, 0.2]);
    screen(&[card, dot, row])
}

/// A task that begins with a tile and leads to the [`shelf`].
pub(crate) fn set_up(dir: &Path) -> TaskRef {
    let tile = shape("5:2", "RECTANGLE", [20.0, 20.0, 60.0, 40.0], [0.9, 0.3, 0.1]);
    let set = json!({
        "format": "pentimento/taskset", "version": 1, "id": "hands", "name": "Hands",
        "tasks": [{
            "id": "shelf", "environment": "canvas", "kind": "attribute_update",
            "instruction": "Make a card of the tile", "start": {"document": "shelf.json"},
            "ground_truth": {"document": "card.json"},
            "canvas_size": {"width": 400, "height": 400},
        }, {
            "id": "pair", "environment": "canvas", "kind": "attribute_update",
            "instruction": "Make both blue", "start": {"document": "red.json"},
            "ground_truth": {"document": "blue.json"},
            "canvas_size": {"width": 400, "height": 400},
        }],
    });
    let pair = |color: [f64; 3]| {
        let tiles = [("5:2", 40.0), ("5:3", 200.0)];
        screen(&tiles.map(|(id, x)| shape(id, "RECTANGLE", [x, 40.0, 80.0, 80.0], color)))
    };
    let files = [
        ("card.json", shelf()),
        ("shelf.json", screen(&[tile])),
        ("red.json", pair([0.9, 0.1, 0.1])),
        ("blue.json", pair([0.1, 0.1, 0.9])),
        ("taskset.json", set),
    ];
    for (name, content) in files {
        std::fs::write(dir.join(name), content.to_string()).unwrap();
    }
    TaskRef { set: "hands".to_owned(), id: "shelf".to_owned() }
}

pub(crate) fn desk(session: &Session) -> &AssistDesk {
    session.state().assist.desk.as_deref().unwrap()
}

pub(crate) fn document(session: &Session) -> Document {
    desk(session).editor.document().clone()
}

pub(crate) fn ask(session: &mut Session, command: AssistantCommand) {
    session.carry_out(Command::Assist(AssistCommand::Assistant(command)));
}

fn act(session: &mut Session, act: Act) {
    session.carry_out(Command::Assist(AssistCommand::Act(Box::new(act))));
}

pub(crate) fn opened(dir: &Path) -> Session {
    opened_at(dir, "shelf")
}

fn opened_at(dir: &Path, id: &str) -> Session {
    let task = TaskRef { id: id.to_owned(), ..set_up(dir) };
    started(dir, task)
}

/// The same at a task of which only a picture of the goal is known, at twice its size.
pub(crate) fn opened_at_picture(dir: &Path, color: [u8; 4]) -> Session {
    let task = set_up(dir);
    let path = dir.join("taskset.json");
    let mut set: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    set["tasks"][0]["ground_truth"] = json!({"picture": "card.png"});
    std::fs::write(&path, set.to_string()).unwrap();
    let picture = Pixels::filled(800, 800, color).unwrap();
    std::fs::write(dir.join("card.png"), picture.to_png().unwrap()).unwrap();
    started(dir, task)
}

fn started(dir: &Path, task: TaskRef) -> Session {
    let state = State::new(Settings::default(), dir.join("runs"));
    let mut session = Session::start(state, WorkerConfig::default(), || {}).unwrap();
    session.carry_out(Command::Open(vec![dir.to_path_buf()]));
    until(&mut session, "the set is open", |state| {
        state.library.sets.iter().any(|set| set.set.id == "hands")
    });
    session.carry_out(Command::Assist(AssistCommand::Open(AssistStart::Task(task))));
    until(&mut session, "the design is open", |state| state.assist.desk.is_some());
    session
}

/// Asks, and waits for what is said.
pub(crate) fn asked(session: &mut Session, command: AssistantCommand) {
    ask(session, command);
    until(session, "it is thought about", |state| {
        !state.assist.desk.as_ref().unwrap().assistant.is_thinking()
    });
}

fn standing(session: &mut Session) -> u32 {
    until(session, "it is compared", |state| {
        let desk = state.assist.desk.as_ref().unwrap();
        let known = desk.assistant.standing.as_ref();
        known.is_some_and(|(step, _)| *step == desk.editor.steps())
    });
    let (_, standing) = desk(session).assistant.standing.as_ref().unwrap();
    let DesignStanding::Distance(distance) = standing.standing else { panic!("no goal") };
    distance
}

#[test]
fn following_all_that_is_offered_ends_at_the_goal() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = opened(dir.path());
    let (mut before, mut taken) = (standing(&mut session), 0);
    assert!(before > 0);
    loop {
        asked(&mut session, AssistantCommand::Ask);
        if desk(&session).assistant.offer.is_none() {
            break;
        }
        let design = document(&session);
        ask(&mut session, AssistantCommand::Accept);
        assert_ne!(document(&session), design, "accepting changes the design");
        let now = standing(&mut session);
        assert!(now < before, "{now} after {before}");
        (before, taken) = (now, taken + 1);
    }
    assert_eq!((before, taken >= 3), (0, true), "{taken}");
    let assistant = &desk(&session).assistant;
    assert!(assistant.talk.last().unwrap().words.contains("Nothing that counts differs"));
    let layers = assistant.standing.as_ref().unwrap().1.layers.unwrap();
    assert_eq!(layers, [5, 5]);
    assert_eq!(assistant.steps_by(), [0, taken]);
    // All that was done is the plan, so no step was more than needed.
    assert_eq!(assistant.measures().step_ratio, Some(1.0));
    assert!(assistant.goal_picture.is_some());
}

#[test]
fn what_was_accepted_is_undone_and_done_again_like_any_edit() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = opened(dir.path());
    let start = document(&session);
    asked(&mut session, AssistantCommand::Ask);
    assert_eq!(document(&session), start, "an offer changes nothing");
    ask(&mut session, AssistantCommand::Accept);
    let after = document(&session);
    act(&mut session, Act::Undo);
    assert_eq!(document(&session), start);
    act(&mut session, Act::Redo);
    assert_eq!(document(&session), after);
    let by: Vec<Author> = desk(&session).assistant.done.iter().map(|line| line.by).collect();
    assert_eq!(by, [Author::Assistant, Author::Person, Author::Assistant]);
    let measures = desk(&session).assistant.measures();
    assert_eq!(measures.undone, Some(1.0));
    let initiative = measures.initiative.unwrap();
    assert_eq!((initiative.assistant, initiative.assistant_edited), (1.0, 0.0));
}

/// At two tiles that are both to get another colour, which is one step.
fn at_pair(dir: &Path) -> Session {
    let mut session = opened_at(dir, "pair");
    asked(&mut session, AssistantCommand::Ask);
    let offer = desk(&session).assistant.offer.as_ref().unwrap();
    assert_eq!(offer.hunks.len(), 2, "{:?}", offer.suggestion.words);
    session
}

#[test]
fn a_part_of_an_offer_is_taken_by_what_is_ticked() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = at_pair(dir.path());
    let before = standing(&mut session);
    ask(&mut session, AssistantCommand::Tick(1));
    assert_eq!(desk(&session).assistant.ghost().len(), 1);
    ask(&mut session, AssistantCommand::AcceptTicked);
    let assistant = &desk(&session).assistant;
    assert_eq!(assistant.ledger.state(1), Some(SuggestionState::Partly));
    assert!(assistant.done.last().unwrap().words.ends_with("1 of 2 parts taken"));
    assert_eq!(standing(&mut session), before - 1);
}

#[test]
fn what_was_changed_under_an_offer_is_greyed_and_the_rest_can_be_taken() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = at_pair(dir.path());
    act(&mut session, Act::Select(SelectAct::Only(vec!["5:2".into()])));
    act(&mut session, Act::Arrange(ArrangeAct::Delete));
    let assistant = &desk(&session).assistant;
    let offer = assistant.offer.as_ref().unwrap();
    assert_eq!((offer.freshness, offer.fitting.len()), (Freshness::Stale, 1));
    assert_eq!(assistant.ledger.state(1), Some(SuggestionState::Stale));
    ask(&mut session, AssistantCommand::Accept);
    let assistant = &desk(&session).assistant;
    assert_eq!(assistant.ledger.state(1), Some(SuggestionState::Partly));
}

#[test]
fn with_nothing_ticked_nothing_is_taken() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = opened(dir.path());
    asked(&mut session, AssistantCommand::Ask);
    let start = document(&session);
    let hunks = desk(&session).assistant.offer.as_ref().unwrap().hunks.len();
    for at in 0..hunks {
        ask(&mut session, AssistantCommand::Tick(at));
    }
    assert!(desk(&session).assistant.ghost().is_empty(), "nothing would come of it");
    ask(&mut session, AssistantCommand::AcceptTicked);
    assert_eq!(document(&session), start);
    assert!(desk(&session).assistant.offer.is_some());
}

#[test]
fn an_offer_goes_when_its_layer_goes() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = opened(dir.path());
    // A step about the tile.
    asked(&mut session, AssistantCommand::Ask);
    for _ in 0..12 {
        let offer = desk(&session).assistant.offer.as_ref().unwrap();
        if offer.discs == [NodeId::from("5:2")] {
            break;
        }
        asked(&mut session, AssistantCommand::AnotherWay);
    }
    let offer = desk(&session).assistant.offer.as_ref().unwrap();
    assert_eq!(
        (offer.discs.clone(), offer.freshness),
        (vec![NodeId::from("5:2")], Freshness::Fresh)
    );
    let number = offer.number;
    act(&mut session, Act::Select(SelectAct::Only(vec!["5:2".into()])));
    act(&mut session, Act::Arrange(ArrangeAct::Delete));
    let assistant = &desk(&session).assistant;
    assert!(assistant.offer.is_none());
    assert_eq!(assistant.ledger.state(number), Some(SuggestionState::Withdrawn));
}

#[test]
fn what_was_refused_and_what_was_replaced_is_kept_in_the_ledger() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = opened(dir.path());
    asked(&mut session, AssistantCommand::Ask);
    let first = desk(&session).assistant.offer.as_ref().unwrap().suggestion.words.clone();
    ask(&mut session, AssistantCommand::Shown(1));
    asked(&mut session, AssistantCommand::AnotherWay);
    let second = desk(&session).assistant.offer.as_ref().unwrap().suggestion.words.clone();
    assert_ne!(first, second);
    ask(&mut session, AssistantCommand::Shown(2));
    ask(&mut session, AssistantCommand::Why);
    assert!(desk(&session).assistant.talk.last().unwrap().words.contains("I know the answer"));
    ask(&mut session, AssistantCommand::Refuse);
    let assistant = &desk(&session).assistant;
    let states = [1, 2].map(|number| assistant.ledger.state(number));
    assert_eq!(states, [Some(SuggestionState::Ignored), Some(SuggestionState::Refused)]);
    let measures = assistant.measures();
    let requests = [measures.next_requests, measures.why_requests, measures.another_requests];
    assert_eq!((measures.shown, requests), (2, [1, 1, 1]));
    assert_eq!((measures.acceptance, measures.under_reliance), (Some(0.0), Some(0.5)));
}

#[test]
fn what_nobody_decided_of_is_pending_when_the_design_is_opened_again() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = opened(dir.path());
    asked(&mut session, AssistantCommand::Ask);
    ask(&mut session, AssistantCommand::Accept);
    asked(&mut session, AssistantCommand::Ask);
    ask(&mut session, AssistantCommand::Shown(2));
    let left = offered(&session);
    assert_eq!(left.1, 2);
    let run = until_kept(&mut session);
    let file = run.join("offer.json");
    until(&mut session, "the offer is kept", |_| file.is_file());
    let design = document(&session);
    drop(session);

    let mut session = again(dir.path(), AssistStart::Again(run.clone()));
    until_offered(&mut session);
    assert_eq!(offered(&session), left, "the very one");
    assert_eq!(document(&session), design, "nothing of it was done");
    assert!(desk(&session).assistant.talk.last().unwrap().words.contains("pending"));
    ask(&mut session, AssistantCommand::Accept);
    assert_ne!(document(&session), design);
    until(&mut session, "it is not kept any more", |_| !file.exists());
    until_kept(&mut session);
    asked(&mut session, AssistantCommand::Ask);
    let left = offered(&session);
    assert_eq!(left.1, 3);
    until(&mut session, "the next is kept", |_| file.is_file());
    session.carry_out(Command::Assist(AssistCommand::Close));
    until(&mut session, "the run is over", |state| {
        state.library.runs.values().any(|it| it.dir == run && it.state == RunState::Finished)
    });
    drop(session);
    // The record knows of each once, and what became of it.
    let record = std::fs::read_to_string(run.join("assist.jsonl")).unwrap();
    let of = |act: &str| {
        let lines = record.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let of = lines.filter(|line| line["act"] == act);
        of.map(|line| line["suggestion"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!((of("offered"), of("taken"), of("ignored")), (vec![1, 2, 3], vec![1, 2], vec![3]));

    // What follows a run that is over is another run, whose record begins anew.
    let mut session = again(dir.path(), AssistStart::Blank(Size::new(10.0, 10.0)));
    until(&mut session, "the run is listed", |state| {
        state.library.runs.values().any(|it| it.dir == run)
    });
    let runs = &session.state().library.runs;
    let id = *runs.iter().find(|(_, it)| it.dir == run).unwrap().0;
    session.carry_out(Command::SelectRun(id));
    until(&mut session, "it is read", |state| state.library.runs[&id].loaded.is_some());
    let start = AssistStart::Run(id, u32::MAX);
    session.carry_out(Command::Assist(AssistCommand::Open(start)));
    until_offered(&mut session);
    assert_eq!(offered(&session), (left.0, 1));
    let before = standing(&mut session);
    ask(&mut session, AssistantCommand::Accept);
    assert!(standing(&mut session) < before);
}

#[test]
fn an_offer_that_cannot_be_read_is_put_aside() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = opened(dir.path());
    asked(&mut session, AssistantCommand::Ask);
    ask(&mut session, AssistantCommand::Accept);
    asked(&mut session, AssistantCommand::Ask);
    let run = until_kept(&mut session);
    let file = run.join("offer.json");
    until(&mut session, "the offer is kept", |_| file.is_file());
    drop(session);
    let good: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    for (at, value) in [
        ("/suggestion/hunks", json!([])),
        ("/suggestion/hunks/0/node", json!("no such")),
        ("/suggestion/hunks/0/change", json!({"set": {"field": "parent"}})),
        ("/suggestion/wanted", json!({"type": "FRAME"})),
        ("/level", json!(7)),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(at).unwrap() = value;
        std::fs::write(&file, bad.to_string()).unwrap();
        let mut session = again(dir.path(), AssistStart::Again(run.clone()));
        standing(&mut session);
        assert!(desk(&session).assistant.offer.is_none(), "{at}");
        let aside = run.join("offer.unreadable.json");
        assert_eq!(std::fs::read_to_string(&aside).unwrap(), bad.to_string());
        assert!(!file.exists());
        asked(&mut session, AssistantCommand::Ask);
        assert!(desk(&session).assistant.offer.is_some(), "and another is found");
        until(&mut session, "that is kept", |_| file.is_file());
    }
}

/// A session of another day.
fn again(dir: &Path, start: AssistStart) -> Session {
    let state = State::new(Settings::default(), dir.join("runs"));
    let mut session = Session::start(state, WorkerConfig::default(), || {}).unwrap();
    session.carry_out(Command::Open(vec![dir.to_path_buf()]));
    session.carry_out(Command::Assist(AssistCommand::Open(start)));
    until(&mut session, "the design is open", |state| {
        assert_eq!(state.assist.problem, None);
        state.assist.desk.is_some()
    });
    session
}

fn until_offered(session: &mut Session) {
    until(session, "it is offered again", |state| {
        state.assist.desk.as_ref().is_some_and(|desk| desk.assistant.offer.is_some())
    });
}

/// The folder of the run, once all that was done is in it.
fn until_kept(session: &mut Session) -> PathBuf {
    until(session, "all is on disk", |state| {
        let desk = state.assist.desk.as_ref().unwrap();
        matches!(&desk.recording, Recording::Kept { step, .. } if *step >= desk.editor.steps())
    });
    let Recording::Kept { dir, .. } = &desk(session).recording else { unreachable!() };
    dir.clone()
}

/// The words of the step that is offered, and its number in the ledger.
fn offered(session: &Session) -> (String, u32) {
    let offer = desk(session).assistant.offer.as_ref().unwrap();
    (offer.suggestion.words.clone(), offer.number)
}

#[test]
fn steps_are_gone_back_and_forth_through_as_long_as_the_design_is_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = opened(dir.path());
    asked(&mut session, AssistantCommand::Ask);
    let (first, _) = offered(&session);
    ask(&mut session, AssistantCommand::PreviousWay);
    assert_eq!(offered(&session), (first.clone(), 1), "there was none before");
    asked(&mut session, AssistantCommand::NextWay);
    let (second, _) = offered(&session);
    assert_ne!(first, second, "behind the last another is looked for");
    ask(&mut session, AssistantCommand::PreviousWay);
    assert_eq!(offered(&session), (first.clone(), 3), "as a suggestion of its own");
    ask(&mut session, AssistantCommand::NextWay);
    assert_eq!(offered(&session), (second, 4), "it is there at once");
    let assistant = &desk(&session).assistant;
    assert_eq!(assistant.measures().another_requests, 1, "that was asked for once");
    let states = [1, 2, 3].map(|number| assistant.ledger.state(number));
    assert_eq!(states, [Some(SuggestionState::Ignored); 3]);
    // What was refused is not gone back to, but what was offered before it is.
    ask(&mut session, AssistantCommand::Refuse);
    ask(&mut session, AssistantCommand::PreviousWay);
    assert_eq!(offered(&session), (first, 5));
    assert!(desk(&session).assistant.way_after(0).is_none());
    ask(&mut session, AssistantCommand::Accept);
    asked(&mut session, AssistantCommand::Ask);
    let other = offered(&session);
    ask(&mut session, AssistantCommand::PreviousWay);
    assert_eq!(offered(&session), other, "those were of another design");
}

#[test]
fn asked_again_more_is_told_and_at_last_it_is_done_step_by_step() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = opened(dir.path());
    let start = document(&session);
    asked(&mut session, AssistantCommand::ShowMe);
    for level in [HelpLevel::What, HelpLevel::Where, HelpLevel::Value, HelpLevel::Ghost] {
        let assistant = &desk(&session).assistant;
        assert_eq!(assistant.offer.as_ref().unwrap().level, level);
        assert_eq!(assistant.takeable().is_some(), level >= HelpLevel::Value);
        assert_eq!(assistant.ghost().is_empty(), level < HelpLevel::Ghost);
        assert_eq!(document(&session), start);
        ask(&mut session, AssistantCommand::ShowMe);
    }
    while desk(&session).assistant.is_playing() {
        ask(&mut session, AssistantCommand::PlayNext);
    }
    assert_ne!(document(&session), start);
    let assistant = &desk(&session).assistant;
    assert!(assistant.done.iter().all(|line| line.by == Author::AssistantAlone));
    assert_eq!(assistant.ledger.state(1), Some(SuggestionState::Accepted));
}

#[test]
fn the_work_is_checked_in_words_and_flaws_can_be_asked_for_instead() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = opened(dir.path());
    asked(&mut session, AssistantCommand::CheckWork);
    let said = desk(&session).assistant.talk.clone();
    assert!(said.iter().any(|talk| talk.words.contains("differs from the goal")), "{said:?}");
    ask(&mut session, AssistantCommand::Choose(AssistantSource::Flaws));
    asked(&mut session, AssistantCommand::Ask);
    let assistant = &desk(&session).assistant;
    assert!(assistant.offer.is_none());
    assert!(assistant.talk.last().unwrap().words.contains("nothing amiss"));
}

#[test]
fn without_a_model_sentences_are_not_understood_and_that_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = opened(dir.path());
    asked(&mut session, AssistantCommand::Say("make it pop".to_owned()));
    let assistant = &desk(&session).assistant;
    assert!(assistant.talk.iter().any(|talk| talk.words.contains("I understand no sentences")));
    assert!(assistant.offer.is_some());
}

#[test]
fn a_model_that_there_is_not_is_said_to_be_so() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = opened(dir.path());
    let model = AssistantSource::Model("no such model".to_owned());
    ask(&mut session, AssistantCommand::Choose(model));
    asked(&mut session, AssistantCommand::Ask);
    let last = desk(&session).assistant.talk.last().unwrap();
    assert!(last.words.starts_with("The model did not answer"), "{last:?}");
    assert!(desk(&session).assistant.offer.is_none());
}
