//! Runs: recorded, torn, read back, replayed.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use pentimento::base::{CancelToken, Pixels, Size};
use pentimento::environment::{
    FailureClass, PictureRequest, StartError, ToolCall, ToolCategory, ToolFailure,
};
use pentimento::evaluate::groups::TaskContent;
use pentimento::run::reader::{self, RunError};
use pentimento::run::recorder::{RecordError, Recorder};
use pentimento::run::replay::{Replay, ReplayError};
use pentimento::run::{
    AgentRef, Event, ImageRef, Manifest, Outcome, Run, RunOrigin, TaskRef, Usage, folder, images,
};
use pentimento::study::is_study;
use pentimento::task::{Artifact, Task, TaskKind};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::mock::Marks;

fn manifest() -> Manifest {
    let task = TaskRef { set: "set".into(), id: "task".into() };
    let agent = AgentRef { kind: "scripted".into(), name: "scripted".into(), version: None };
    let mut manifest = Manifest::new(task, agent, "2026-01-02T03:04:05Z");
    manifest.canvas_size = Some(Size::new(4.0, 3.0));
    manifest
}

fn mark(turn: u32, step: u32, n: i64) -> [Event; 2] {
    let call =
        ToolCall { id: format!("c{step}"), name: "mark".into(), arguments: json!({ "n": n }) };
    let answered = Event::Outcome {
        step,
        text: format!("mark 1:{step}"),
        structured: Some(json!({ "id": format!("1:{step}") })),
        image: None,
        failure: None,
        latency_ms: 0.25,
    };
    [Event::Call { turn, step, category: ToolCategory::Creation, call }, answered]
}

/// Turns of two marks each.
fn marks(turns: u32) -> Vec<Event> {
    let turn = |turn| {
        let first = turn * 2 - 1;
        let mut events = vec![Event::Turn { turn, at: "2026-01-02T03:04:06Z".into() }];
        events.push(Event::Thought { turn, text: format!("Turn {turn} · “más”") });
        events.extend(mark(turn, first, i64::from(first)));
        events.extend(mark(turn, first + 1, i64::from(first + 1)));
        events.push(Event::TurnEnd { turn, seconds: 0.5 });
        events
    };
    (1..=turns).flat_map(turn).collect()
}

fn record(dir: &Path, events: Vec<Event>) -> Recorder {
    let mut recorder = Recorder::create(dir, manifest(), None).unwrap();
    for event in events {
        recorder.record(event).unwrap();
    }
    recorder
}

fn whole_turns(run: &Run) -> usize {
    assert_eq!(run.turns.iter().map(|turn| turn.step_count).sum::<usize>(), run.steps.len());
    run.turns.len()
}

#[test]
fn a_run_reads_back_as_it_was_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let mut recorder = record(dir.path(), marks(2));
    let picture = Pixels::filled(2, 2, [1, 2, 3, 255]).unwrap();
    let image = recorder.keep_picture(&picture).unwrap();
    let usage = Usage { input_tokens: 10, output_tokens: 3, cost_usd: Some(0.5) };
    for event in [
        Event::Turn { turn: 3, at: String::new() },
        Event::Usage { turn: 3, usage },
        Event::Observation { turn: 3, image: image.clone() },
        Event::TurnEnd { turn: 3, seconds: 1.0 },
        Event::Note { text: "a note".into() },
    ] {
        recorder.record(event).unwrap();
    }
    let document = json!({ "document": {} });
    recorder.finish(Outcome::Completed, "2026-01-02T03:05:00Z", Some(&document)).unwrap();

    let run = reader::open(dir.path()).unwrap();
    assert_eq!((whole_turns(&run), run.steps.len(), &run.torn), (3, 4, &None));
    assert_eq!(run.manifest.outcome, Outcome::Completed);
    assert_eq!((run.manifest.totals.turns, run.manifest.totals.calls), (3, 4));
    assert_eq!(run.manifest.totals.cost_usd, Some(0.5));
    assert_eq!(run.turns[1].thought, "Turn 2 · “más”");
    assert_eq!(run.turns[2].observation.as_ref(), Some(&image));
    assert_eq!(run.steps[3].outcome.as_ref().unwrap().text, "mark 1:4");
    assert_eq!(run.notes, ["a note"]);
    assert_eq!(images::load(dir.path(), &image).unwrap(), picture);
    let kept: Value =
        serde_json::from_slice(&fs::read(dir.path().join("final.json")).unwrap()).unwrap();
    assert_eq!(kept, document);
    let mut names: Vec<_> = fs::read_dir(dir.path())
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["events.jsonl", "final.json", "images", "run.json"]);
}

#[test]
fn a_run_is_never_written_over_another() {
    let dir = tempfile::tempdir().unwrap();
    record(dir.path(), marks(1)).finish(Outcome::Completed, "", None).unwrap();
    let before = fs::read(dir.path().join("events.jsonl")).unwrap();
    let error = Recorder::create(dir.path(), manifest(), None).unwrap_err();
    assert!(matches!(error, RecordError::Occupied(_)), "{error}");
    assert_eq!(fs::read(dir.path().join("events.jsonl")).unwrap(), before);
}

#[test]
fn a_run_is_live_while_its_recorder_lives_and_interrupted_after() {
    let dir = tempfile::tempdir().unwrap();
    let mut recorder = record(dir.path(), marks(1));
    recorder.record(Event::Turn { turn: 2, at: String::new() }).unwrap();
    assert!(folder::is_live(dir.path()));
    let peek = reader::peek(dir.path()).unwrap();
    assert_eq!((peek.live, peek.steps), (true, 2));
    let live = reader::open(dir.path()).unwrap();
    assert_eq!((whole_turns(&live), live.torn), (1, None), "a turn in flight is not a loss");

    drop(recorder);
    assert!(!folder::is_live(dir.path()));
    let run = reader::open(dir.path()).unwrap();
    assert_eq!(run.manifest.outcome, Outcome::Running);
    assert_eq!(run.torn.unwrap().message.split(';').next(), Some("1 turn is whole"));
}

#[test]
fn a_torn_events_file_keeps_its_whole_turns() {
    let dir = tempfile::tempdir().unwrap();
    drop(record(dir.path(), marks(3)));
    let path = dir.path().join("events.jsonl");
    let whole = fs::read(&path).unwrap();
    for length in 0..=whole.len() {
        let kept = &whole[..length];
        fs::write(&path, kept).unwrap();
        let run = reader::open(dir.path()).unwrap();
        // A turn is whole with the last byte of its end, line feed or not.
        let lines = kept.split(|b| *b == b'\n').map(String::from_utf8_lossy);
        let ends = lines.filter(|l| l.contains("\"turn_end\"") && l.ends_with('}')).count();
        assert_eq!(whole_turns(&run), ends, "{length} bytes");
        assert_eq!(run.torn.is_some(), ends < 3, "{length} bytes: {:?}", run.torn);
        if let Some(torn) = run.torn {
            assert!(torn.lost_bytes <= length as u64 && torn.message.contains("whole"), "{torn:?}");
        }
    }
}

#[test]
fn a_broken_line_ends_the_run_before_its_turn_and_is_named() {
    let dir = tempfile::tempdir().unwrap();
    drop(record(dir.path(), marks(3)));
    let path = dir.path().join("events.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines[9] = "{\"event\": \"call\", ";
    fs::write(&path, lines.join("\n")).unwrap();
    let run = reader::open(dir.path()).unwrap();
    let torn = run.torn.clone().unwrap();
    assert_eq!((whole_turns(&run), torn.line), (1, 10));
    assert!(
        torn.message.starts_with("1 of 3 turns is whole; line 10 is not valid JSON"),
        "{torn:?}"
    );
    // The third was made on what the second left, which nobody can know any more.
    assert!(
        torn.message
            .ends_with("1 whole turn behind it cannot be shown: it worked on what is lost."),
        "{torn:?}"
    );
    let lost: usize = lines[7..].iter().map(|line| line.len() + 1).sum::<usize>() - 1;
    assert_eq!(torn.lost_bytes, lost as u64);
    // The third is whole no more, either.
    let last = lines.len() - 2;
    lines[last] = "{";
    fs::write(&path, lines.join("\n")).unwrap();
    let torn = reader::open(dir.path()).unwrap().torn.unwrap();
    assert!(torn.line == 10 && !torn.message.contains("behind it"), "{torn:?}");
}

#[test]
fn events_out_of_order_are_refused_by_both_sides() {
    let dir = tempfile::tempdir().unwrap();
    let mut recorder = record(dir.path(), marks(1));
    let skipped = Event::Turn { turn: 3, at: String::new() };
    assert!(matches!(recorder.record(skipped.clone()), Err(RecordError::OutOfOrder(_))));
    recorder.record(Event::Note { text: "still works".into() }).unwrap();
    drop(recorder);
    let path = dir.path().join("events.jsonl");
    let mut text = fs::read_to_string(&path).unwrap();
    text += &serde_json::to_string(&skipped).unwrap();
    fs::write(&path, text).unwrap();
    let torn = reader::open(dir.path()).unwrap().torn.unwrap();
    assert!(torn.message.contains("turn 3 begins where turn 2 should"), "{torn:?}");
}

#[test]
fn kinds_of_events_from_the_future_are_skipped_with_one_note() {
    let dir = tempfile::tempdir().unwrap();
    record(dir.path(), marks(1)).finish(Outcome::Completed, "", None).unwrap();
    let path = dir.path().join("events.jsonl");
    let mut text = fs::read_to_string(&path).unwrap();
    text.insert_str(0, "{\"event\":\"dream\",\"turn\":1}\n{\"event\":\"dream\"}\n\n");
    fs::write(&path, text).unwrap();
    let run = reader::open(dir.path()).unwrap();
    assert_eq!((whole_turns(&run), &run.torn), (1, &None));
    assert_eq!(run.notes, ["Events of the kind \"dream\" are not known to this version."]);
}

#[test]
fn a_picture_name_that_leads_out_of_the_folder_is_not_followed() {
    let dir = tempfile::tempdir().unwrap();
    let image = ImageRef { file: "../../secret.png".into(), width: 1, height: 1 };
    let mut events = marks(1);
    events.insert(6, Event::Observation { turn: 1, image });
    drop(record(dir.path(), events));
    let run = reader::open(dir.path()).unwrap();
    assert_eq!((whole_turns(&run), &run.turns[0].observation), (1, &None));
    assert!(run.notes[0].contains("secret.png"), "{:?}", run.notes);
}

#[test]
fn a_changed_picture_is_not_shown() {
    let dir = tempfile::tempdir().unwrap();
    let mut recorder = record(dir.path(), Vec::new());
    let image = recorder.keep_picture(&Pixels::filled(2, 2, [9; 4]).unwrap()).unwrap();
    let other = Pixels::filled(2, 2, [8; 4]).unwrap().to_png().unwrap();
    fs::write(dir.path().join("images").join(&image.file), other).unwrap();
    let error = images::load(dir.path(), &image).unwrap_err();
    assert!(matches!(error, images::ImageError::Changed(_)), "{error}");
}

#[test]
fn each_bad_manifest_is_named_with_its_fault() {
    let good = serde_json::to_value(manifest()).unwrap();
    let with = |key: &str, value: Value| {
        let mut manifest = good.clone();
        manifest[key] = value;
        manifest.to_string()
    };
    let cases = [
        (String::new(), "not valid JSON"),
        ("{\"format\": \"pentim".into(), "not valid JSON"),
        ("[".repeat(5000), "nests deeper"),
        ("{}".into(), "its format is missing"),
        (with("format", json!("other")), "its format is \"other\""),
        (with("version", json!(7)), "written by a newer version (7 > 2): update Pentimento"),
        (with("version", json!(0)), "version must be"),
        (with("version", json!("1")), "version must be"),
        (with("task", json!(3)), "invalid type"),
        (with("canvas_size", json!({ "width": -1, "height": 5 })), "canvas_size cannot be"),
        (with("start", json!("../../etc/passwd")), "start must be"),
    ];
    for (text, fault) in cases {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("run.json"), &text).unwrap();
        fs::write(dir.path().join("events.jsonl"), "").unwrap();
        let error = reader::open(dir.path()).unwrap_err().to_string();
        assert!(error.contains(fault), "{text}\n{error}");
        assert!(error.contains("run.json"), "{error}");
        assert!(reader::peek(dir.path()).is_err());
    }
}

#[test]
fn a_folder_without_a_run_says_so_and_one_without_events_shows_what_it_has() {
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(reader::open(dir.path()), Err(RunError::NotARun(_))));
    assert!(matches!(reader::open(&dir.path().join("gone")), Err(RunError::Read { .. })));
    drop(record(dir.path(), marks(2)));
    fs::remove_file(dir.path().join("events.jsonl")).unwrap();
    let run = reader::open(dir.path()).unwrap();
    assert_eq!(run.torn.unwrap().message, "0 of 2 turns are whole; events.jsonl is missing.");
}

#[test]
fn a_folder_that_vanishes_gives_an_error_that_says_what_was_safe() {
    let dir = tempfile::tempdir().unwrap();
    let run_dir = dir.path().join("run");
    let mut recorder = record(&run_dir, marks(1));
    fs::remove_dir_all(&run_dir).unwrap();
    let error = marks(2).into_iter().skip(7).find_map(|e| recorder.record(e).err()).unwrap();
    assert!(matches!(error, RecordError::Write { .. }), "{error}");
    assert!(error.to_string().contains("run.json"), "{error}");
}

#[test]
fn what_json_cannot_hold_does_not_spoil_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let tower = (0..511).fold(Value::Null, |inner, _| json!([inner]));
    let call = ToolCall { id: String::new(), name: "mark".into(), arguments: tower };
    let mut recorder = record(dir.path(), Vec::new());
    for event in [
        Event::Turn { turn: 1, at: String::new() },
        Event::Call { turn: 1, step: 1, category: ToolCategory::Other, call },
        Event::TurnEnd { turn: 1, seconds: f64::INFINITY },
    ] {
        recorder.record(event).unwrap();
    }
    drop(recorder);
    let run = reader::open(dir.path()).unwrap();
    assert_eq!((whole_turns(&run), &run.torn), (1, &None));
    assert_eq!(run.steps[0].outcome, None);
}

#[test]
fn replay_goes_to_any_step_in_any_order() {
    let dir = tempfile::tempdir().unwrap();
    let start = json!({ "marks": [100, 101] });
    let mut recorder = Recorder::create(dir.path(), manifest(), Some(&start)).unwrap();
    // The ids that follow two marks that were there.
    for mut event in marks(20) {
        if let Event::Outcome { step, text, .. } = &mut event {
            *text = format!("mark 1:{}", *step + 2);
        }
        recorder.record(event).unwrap();
    }
    drop(recorder);
    let run = Arc::new(reader::open(dir.path()).unwrap());
    let mut replay = Replay::new(Arc::clone(&run), &Marks::open).unwrap();
    let cancel = CancelToken::new();
    for step in [0, 40, 3, 3, 17, 39, 1, 40, 0] {
        let environment = replay.environment_at(step, &cancel).unwrap();
        let marks = environment.document_json()["marks"].clone();
        let expected: Vec<i64> = [100, 101].into_iter().chain(1..=i64::from(step)).collect();
        assert_eq!(marks, json!(expected), "step {step}");
    }
    assert_eq!(replay.divergences().count(), 0);
    let picture = replay.picture_at(5, &PictureRequest::default(), &cancel).unwrap();
    assert_eq!(picture.pixels.get(0, 0), Some([5, 7, 0, 255]));
    let error = replay.environment_at(41, &cancel).unwrap_err();
    assert!(matches!(error, ReplayError::NoStep { step: 41, last: 40 }), "{error}");
}

#[test]
fn a_replay_that_comes_out_differently_says_where() {
    let dir = tempfile::tempdir().unwrap();
    let mut events = marks(2);
    if let Event::Outcome { text, .. } = &mut events[5] {
        "something else".clone_into(text);
    }
    drop(record(dir.path(), events));
    let run = Arc::new(reader::open(dir.path()).unwrap());
    let mut replay = Replay::new(run, &Marks::open).unwrap();
    replay.environment_at(4, &CancelToken::new()).unwrap();
    let found: Vec<_> = replay.divergences().map(|d| (d.step, d.replayed.as_str())).collect();
    assert_eq!(found, [(2, "mark 1:2")]);
}

#[test]
fn a_replay_follows_a_run_that_grows() {
    let dir = tempfile::tempdir().unwrap();
    let mut recorder = record(dir.path(), marks(1));
    let mut replay =
        Replay::new(Arc::new(reader::open(dir.path()).unwrap()), &Marks::open).unwrap();
    let cancel = CancelToken::new();
    replay.environment_at(2, &cancel).unwrap();
    for event in marks(2).into_iter().skip(7) {
        recorder.record(event).unwrap();
    }
    replay.update(Arc::new(reader::open(dir.path()).unwrap()));
    let document = replay.environment_at(4, &cancel).unwrap().document_json();
    assert_eq!(document["marks"], json!([1, 2, 3, 4]));
}

#[test]
fn a_run_of_an_unknown_environment_cannot_be_replayed_and_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let mut other = manifest();
    other.environment = "sculpture".into();
    drop(Recorder::create(dir.path(), other, None).unwrap());
    let run = Arc::new(reader::open(dir.path()).unwrap());
    let error = Replay::new(run, &Marks::open).unwrap_err();
    let ReplayError::Environment(StartError::UnknownEnvironment(name)) = error else {
        panic!("{error}")
    };
    assert_eq!(name, "sculpture");
}

#[test]
fn a_folder_of_screenshots_is_a_run_in_natural_order() {
    let dir = tempfile::tempdir().unwrap();
    for (n, name) in ["shot 10.png", "shot 9.PNG", "shot 1.png", ".hidden.png"].iter().enumerate() {
        Pixels::filled(n as u32 + 1, 1, [0; 4]).unwrap().save_png(&dir.path().join(name)).unwrap();
    }
    fs::write(dir.path().join("notes.txt"), "").unwrap();
    fs::write(dir.path().join("run.json"), "{\"model\": \"m\", \"task\": \"t\", \"turns\": 4}")
        .unwrap();
    let run = reader::open(dir.path()).unwrap();
    let RunOrigin::Pictures { files, .. } = &run.origin else { panic!("{:?}", run.origin) };
    let names: Vec<_> = files.iter().map(|f| f.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["shot 1.png", "shot 9.PNG", "shot 10.png"]);
    assert_eq!((whole_turns(&run), run.steps.len()), (3, 3));
    assert_eq!((run.manifest.agent.name.as_str(), run.manifest.task.id.as_str()), ("m", "t"));
    assert_eq!(run.notes, ["run.json counts 4 turns, the folder holds 3 pictures."]);
    assert!(matches!(Replay::new(Arc::new(run), &Marks::open), Err(ReplayError::NoCalls)));
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Text, structured form, whether it failed, milliseconds.
type AnyOutcome = (String, Option<Value>, bool, f64);

/// A call's name and arguments of any content, its outcome perhaps missing.
fn any_step() -> impl Strategy<Value = (String, Value, Option<AnyOutcome>)> {
    let outcome = (any::<String>(), prop::option::of(any_json()), any::<bool>(), any::<f64>());
    (any::<String>(), any_json(), prop::option::of(outcome))
}

fn any_events() -> impl Strategy<Value = Vec<Event>> {
    let turn = (any::<String>(), prop::collection::vec(any_step(), 0..4), any::<f64>());
    prop::collection::vec(turn, 0..4).prop_map(|turns| {
        let (mut events, mut step) = (Vec::new(), 0);
        for (number, (text, steps, seconds)) in turns.into_iter().enumerate() {
            let turn = number as u32 + 1;
            events.push(Event::Turn { turn, at: text.clone() });
            events.push(Event::Thought { turn, text: text.clone() });
            for (name, arguments, outcome) in steps {
                step += 1;
                let call = ToolCall { id: name.clone(), name, arguments };
                events.push(Event::Call { turn, step, category: ToolCategory::Text, call });
                events.extend(outcome.map(|(text, structured, failed, latency_ms)| {
                    let class = FailureClass::Refused;
                    let failure = failed.then(|| ToolFailure { class, message: text.clone() });
                    // JSON cannot tell a null from nothing.
                    let structured = structured.filter(|value| !value.is_null());
                    Event::Outcome { step, text, structured, image: None, failure, latency_ms }
                }));
            }
            events.push(Event::Note { text });
            events.push(Event::TurnEnd { turn, seconds });
        }
        events
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_run_reads_back_as_it_was_recorded(events in any_events()) {
        let dir = tempfile::tempdir().unwrap();
        let mut recorder = Recorder::create(dir.path(), manifest(), None).unwrap();
        let mut builder = pentimento::run::builder::RunBuilder::new(
            manifest(),
            RunOrigin::Recorded { dir: dir.path().to_path_buf() },
        );
        for event in events {
            builder.push(recorder.record(event).unwrap()).unwrap();
        }
        builder.set_manifest(recorder.finish(Outcome::Completed, "now", None).unwrap());
        prop_assert_eq!(reader::open(dir.path()).unwrap(), builder.into_run());
    }

    #[test]
    fn flipped_bytes_never_panic_and_never_add_turns(
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        in_manifest in any::<bool>(),
    ) {
        let dir = tempfile::tempdir().unwrap();
        drop(record(dir.path(), marks(2)));
        let name = if in_manifest { "run.json" } else { "events.jsonl" };
        let path = dir.path().join(name);
        let mut bytes = fs::read(&path).unwrap();
        for (at, byte) in flips {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        fs::write(&path, bytes).unwrap();
        match reader::open(dir.path()) {
            Ok(run) => prop_assert!(whole_turns(&run) <= 2),
            Err(error) => prop_assert!(in_manifest, "{error}"),
        }
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_device_in_the_place_of_a_file_is_refused_and_not_waited_for() {
    let (done, told) = crossbeam_channel::bounded(1);
    let look = move || {
        let dir = tempfile::tempdir().unwrap();
        for file in ["run.json", "events.jsonl", "exchanges.jsonl", "run.lock", "start.json"] {
            for kind in ["pipe", "device"] {
                let run = dir.path().join(format!("{file}-{kind}"));
                let start = json!({});
                Recorder::create(&run, manifest(), Some(&start)).unwrap();
                let path = run.join(file);
                fs::remove_file(&path).ok();
                put(kind, &path);
                let opened = reader::open(&run);
                let exchanges = pentimento::run::exchanges::read::<Value>(&run);
                let start = reader::read_start(&run, &manifest_with_start());
                match file {
                    "run.json" => assert!(opened.is_err(), "{file} {kind}"),
                    "events.jsonl" => {
                        let error = opened.unwrap_err().to_string();
                        assert!(error.contains("it is a pipe, a socket or a device"), "{error}");
                    }
                    "exchanges.jsonl" => {
                        let error = exchanges.unwrap_err().to_string();
                        assert!(error.contains("it is a pipe, a socket or a device"), "{error}");
                    }
                    "start.json" => assert!(start.is_err(), "{file} {kind}"),
                    _ => assert!(!folder::is_live(&run), "{file} {kind}"),
                }
            }
        }
        for kind in ["pipe", "device"] {
            let study = dir.path().join(kind);
            fs::create_dir(&study).unwrap();
            let path = study.join("study.json");
            put(kind, &path);
            assert!(!is_study(&study) && !is_study(&path), "{kind}");
            let truth = Artifact { document: None, picture: Some(path) };
            let task = Task::new("task", TaskKind::Replication, "");
            let task = Task { ground_truth: Some(truth), ..task };
            let error = TaskContent::of(&task).unwrap_err().to_string();
            assert!(error.contains("it is a pipe, a socket or a device"), "{error}");
        }
        done.send(()).unwrap();
    };
    std::thread::Builder::new().spawn(look).unwrap();
    told.recv_timeout(std::time::Duration::from_secs(20)).expect("waits, or failed above");
}

/// Puts a pipe or a device in the place of a file.
#[cfg(unix)]
fn put(kind: &str, path: &Path) {
    if kind == "pipe" {
        let made = std::process::Command::new("mkfifo").arg(path).status().unwrap();
        assert!(made.success());
    } else {
        std::os::unix::fs::symlink("/dev/zero", path).unwrap();
    }
}

fn manifest_with_start() -> Manifest {
    Manifest { start: Some("start.json".into()), ..manifest() }
}

#[test]
fn a_run_that_says_it_is_running_and_is_recorded_by_nobody_is_broken_off() {
    let dir = tempfile::tempdir().unwrap();
    let recorder = record(dir.path(), marks(1));
    assert!(!folder::is_broken_off(dir.path(), recorder.manifest()));
    drop(recorder);
    let manifest = reader::peek(dir.path()).unwrap().manifest;
    assert!(folder::is_broken_off(dir.path(), &manifest));
    let ended = Manifest { outcome: Outcome::Completed, ..manifest };
    assert!(!folder::is_broken_off(dir.path(), &ended));
}
