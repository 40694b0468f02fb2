//! Packets: what one person labels, in a file that opens anywhere, names nobody, and comes back.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pentimento::app::Session;
use pentimento::environment::{BrowserSearch, Environments};
use pentimento::evaluate::ItemPictures;
use pentimento::label::{
    Act, Answer, AnswerValue, Answered, CellKey, Item, ItemKind, Preferred, Shown, WriterId,
};
use pentimento::store::labels::{EvidenceSlot, LabelFile, NewEvent};
use pentimento::task::TaskFinder;
use pentimento::workbench::{AnnotateCommand, Command, Dwell, Fetched, Settings, State, views};
use pentimento::worker::WorkerConfig;

use crate::first_study::{copied, label};

/// A project of three forms over the sample runs, with a packet for bo in a folder of its own.
struct Packed {
    lead: tempfile::TempDir,
    /// Another machine's home: nothing but the packet.
    other: tempfile::TempDir,
}

impl Packed {
    fn new() -> Self {
        let (lead, other) = (copied(), tempfile::tempdir().unwrap());
        let mut line = vec!["new", "study.labels", "runs/own-samples/now-playing"];
        line.extend(["runs/own-samples/recipe-tip", "labels/runs/own-samples/recipe-tip"]);
        line.extend(["--tasks", ".", "--form", "pairwise-preference", "--form", "canvas-errors"]);
        line.extend(["--person", "ada", "--person", "bo", "--name", "A study"]);
        label(lead.path(), &line);
        let packed = Self { lead, other };
        let out = packed.packet();
        let line = ["pack", "study.labels", "--for", "bo", "--out", out.to_str().unwrap()];
        let said = label(packed.lead.path(), &line);
        assert!(said.starts_with("8 items for bo, "), "{said}");
        packed
    }

    fn packet(&self) -> PathBuf {
        self.other.path().join("for-bo.labels")
    }

    fn project(&self) -> LabelFile {
        LabelFile::open(&self.lead.path().join("study.labels"), WriterId(1)).unwrap()
    }

    fn merge(&self) -> String {
        label(self.lead.path(), &["merge", "study.labels", self.packet().to_str().unwrap()])
    }
}

/// What `pentimento label` says when it refuses.
fn refused(dir: &Path, line: &[&str]) -> String {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pentimento"));
    let output = command.current_dir(dir).arg("label").args(line).output().unwrap();
    assert!(!output.status.success(), "{line:?} was not refused");
    String::from_utf8(output.stderr).unwrap()
}

fn answer(file: &LabelFile, item: &Item, value: (&str, AnswerValue)) {
    let forms = file.forms().unwrap();
    let form = forms.iter().find(|form| form.about == item.kind).unwrap();
    let mut answer = Answer::default();
    answer.values.insert(value.0.to_owned(), value.1);
    let answered = Answered {
        answer,
        shown: Some(Shown::default()),
        millis: Some(1),
        views: std::collections::BTreeMap::new(),
        changes: Some(0),
    };
    file.record(NewEvent {
        at: "2026-01-01T00:00:00Z".to_owned(),
        person: "bo".to_owned(),
        item: item.id.clone(),
        form: form.hash(),
        act: Act::Answered(Box::new(answered)),
    })
    .unwrap();
}

#[test]
fn nothing_in_a_packet_says_who_made_what() {
    let packed = Packed::new();
    let lead = packed.project();
    let mut names: Vec<String> = ["tracer", "scripted", "own-samples", "now-playing", "recipe-tip"]
        .map(str::to_owned)
        .to_vec();
    for item in lead.items().unwrap() {
        names.push(item.id.0.clone());
        for run in &item.runs {
            names.push(run.content[..16].to_owned());
            let dir = packed.lead.path().join(&run.path);
            names.push(pentimento::run::reader::open(&dir).unwrap().manifest.id);
        }
    }
    names.push(packed.lead.path().to_string_lossy().into_owned());
    let bytes = fs::read(packed.packet()).unwrap().to_ascii_lowercase();
    // PNGs hold pixels and nothing else: no words, no times, nothing compressed beside them.
    let signature = b"\x89PNG\r\n\x1a\n";
    let file = LabelFile::open(&packed.packet(), WriterId(2)).unwrap();
    let mut pictures = 0;
    for item in file.items().unwrap() {
        let (runs, has_truth) = file.pictured(&item.id).unwrap();
        assert!(has_truth && runs.len() == item.runs.len(), "{item:?}");
        for (run, last) in runs {
            for step in 0..=last {
                let slot = EvidenceSlot::Step { run, step };
                let Some(png) = file.picture(&item.id, slot).unwrap() else { continue };
                assert_eq!(&png[..8], signature);
                pictures += 1;
                let mut at = 8;
                while at < png.len() {
                    let length = u32::from_be_bytes(png[at..at + 4].try_into().unwrap()) as usize;
                    let kind = &png[at + 4..at + 8];
                    assert!([&b"IHDR"[..], b"IDAT", b"IEND"].contains(&kind), "{kind:?}");
                    at += 12 + length;
                }
            }
        }
        let json = serde_json::to_string(&item).unwrap();
        assert!(item.task.is_none() && item.strata.is_empty() && item.known.is_none(), "{json}");
    }
    assert!(pictures > 8, "the steps of runs are there too");
    for name in names {
        let name = name.to_ascii_lowercase();
        let is_there = bytes.windows(name.len()).any(|part| part == name.as_bytes());
        assert!(!is_there, "{name:?} is in the packet");
    }
    // Nothing is left beside it, of it or of the project's.
    let left = fs::read_dir(packed.other.path()).unwrap().map(|it| it.unwrap().file_name());
    let left: Vec<String> = left.map(|it| it.to_string_lossy().into_owned()).collect();
    assert!(left.iter().all(|name| name.starts_with("for-bo.labels")), "{left:?}");
}

fn until(session: &mut Session, what: &str, is_so: impl Fn(&State) -> bool) {
    let began = Instant::now();
    while !is_so(session.state()) {
        assert!(began.elapsed() < Duration::from_mins(3), "it was never so: {what}");
        session.take_next_event(Duration::from_millis(50));
    }
}

#[test]
fn a_packet_is_answered_in_another_home_and_comes_back() {
    let packed = Packed::new();
    // Nothing of the project can be looked at from there.
    let hidden = packed.lead.path().join("hidden");
    for part in ["runs", "labels", "modification", "replication", "taskset.json"] {
        fs::create_dir_all(&hidden).unwrap();
        fs::rename(packed.lead.path().join(part), hidden.join(part)).unwrap();
    }
    let state = State::new(Settings::default(), packed.other.path().join("runs"));
    let mut session = Session::start(state, WorkerConfig::default(), || {}).unwrap();
    let annotate = |session: &mut Session, command| session.carry_out(Command::Annotate(command));
    annotate(&mut session, AnnotateCommand::Open(packed.packet()));
    until(&mut session, "bo sits there", |state| state.annotate.desk.is_some());
    assert_eq!(session.state().annotate.desk.as_ref().unwrap().person, "bo");
    let mut pairs = 0;
    for _ in 0..8 {
        until(&mut session, "every picture is there", |state| {
            let panes = views::evidence_panes(state);
            !panes.is_empty() && panes.iter().all(|pane| pane.shown.picture.is_some())
        });
        let state = session.state();
        assert!(matches!(views::evidence(state), Some(Fetched::Ready(_))));
        let (item, _) = state.annotate.asked().unwrap();
        let (question, value) = if item.kind == ItemKind::Pair {
            pairs += 1;
            // What stands left.
            ("preference", AnswerValue::Preference(Preferred::First))
        } else {
            ("has_errors", AnswerValue::YesNo(false))
        };
        let answer = AnnotateCommand::Answer { question: question.to_owned(), value: Some(value) };
        annotate(&mut session, answer);
        annotate(&mut session, AnnotateCommand::Submit(Dwell::default()));
        until(&mut session, "it is on disk", |state| {
            state.annotate.desk.as_ref().unwrap().saving == pentimento::workbench::Saving::GoingOn
        });
        annotate(&mut session, AnnotateCommand::GoOn);
    }
    assert_eq!(pairs, 3);
    drop(session);
    for part in ["runs", "labels", "modification", "replication", "taskset.json"] {
        fs::rename(hidden.join(part), packed.lead.path().join(part)).unwrap();
    }
    // Once, and then nothing new.
    assert!(packed.merge().contains("8 new, 0 known"));
    assert!(packed.merge().contains("0 new, 8 known"));
    let said = label(packed.lead.path(), &["verify", "study.labels"]);
    assert!(said.contains("8 events"), "{said}");

    // The run that stood left in the packet is the one that the project says was preferred.
    let (lead, packet) = (packed.project(), packed.packet());
    let packet = LabelFile::open(&packet, WriterId(2)).unwrap();
    let known = lead.packed(&packet.project().id).unwrap();
    let environments = Environments::new(BrowserSearch::default());
    let opener = environments.opener();
    let mut tasks = TaskFinder::default();
    tasks.search(packed.lead.path()).unwrap();
    let (ledger, items) = (lead.ledger().unwrap(), lead.items().unwrap());
    let form = lead.forms().unwrap()[0].hash();
    let mut is_swapped = Vec::new();
    for of_packet in packet.items().unwrap().iter().filter(|it| it.kind == ItemKind::Pair) {
        let item = items.iter().find(|it| it.id == known[&of_packet.id].item).unwrap();
        let key = CellKey { item: item.id.clone(), form, person: "bo".to_owned() };
        let answered = ledger.answer(&key).unwrap();
        let AnswerValue::Preference(preferred) = answered.answer.values["preference"] else {
            panic!("{answered:?}")
        };
        let slot = EvidenceSlot::Step { run: 0, step: 1 };
        let left = packet.picture(&of_packet.id, slot).unwrap().unwrap();
        let drawn = ItemPictures::of(item, packed.lead.path(), &mut tasks, &opener).unwrap();
        let run = u8::from(preferred == Preferred::Second);
        let place = drawn.steps.iter().find(|((of, _), _)| *of == run).unwrap().1;
        assert_eq!(drawn.encoded[*place], left);
        assert_eq!(answered.shown.as_ref().unwrap().is_swapped, run == 1);
        is_swapped.push(run == 1);
    }
    assert_eq!(is_swapped.len(), 3);
}

#[test]
fn parts_of_a_packet_come_back_in_any_order_without_counting_twice() {
    let packed = Packed::new();
    let file = LabelFile::open(&packed.packet(), WriterId(77)).unwrap();
    let items = file.items().unwrap();
    let runs: Vec<&Item> = items.iter().filter(|item| item.kind == ItemKind::Run).collect();
    let early = packed.other.path().join("early.labels");
    answer(&file, runs[0], ("has_errors", AnswerValue::YesNo(false)));
    drop(file);
    fs::copy(packed.packet(), &early).unwrap();
    let file = LabelFile::open(&packed.packet(), WriterId(78)).unwrap();
    answer(&file, runs[0], ("has_errors", AnswerValue::YesNo(false)));
    answer(&file, runs[1], ("has_errors", AnswerValue::YesNo(false)));
    drop(file);
    // The later one first: the early one brings nothing.
    assert!(packed.merge().contains("3 new, 0 known"));
    let early = early.to_str().unwrap();
    let said = label(packed.lead.path(), &["merge", "study.labels", early]);
    assert!(said.contains("0 new, 1 known"), "{said}");
    let report = label(packed.lead.path(), &["export", "study.labels", "--format", "jsonl"]);
    assert_eq!(report.lines().count(), 2, "{report}");
}

#[test]
fn what_is_not_this_projects_packet_is_refused() {
    let packed = Packed::new();
    let packet = packed.packet();
    let packet = packet.to_str().unwrap();
    let lead = packed.lead.path();
    // Of another project.
    let line = ["new", "other.labels", "runs", "--tasks", ".", "--form", "task-success"];
    label(lead, &line);
    let said = refused(lead, &["merge", "other.labels", packet]);
    assert!(said.contains("of another project"), "{said}");
    // A packet is not packed again, and nobody is packed for who does not label.
    assert!(refused(lead, &["pack", packet, "--for", "bo"]).contains("a packet itself"));
    assert!(refused(lead, &["pack", "study.labels", "--for", "eve"]).contains("there are ada, bo"));
    let line = ["pack", "study.labels", "--for", "bo", "--out", packet];
    assert!(refused(lead, &line).contains("a file is there already"));
    // Somebody else's answers, and an item that was never in it.
    let change = |sql: &str| {
        let copy = packed.other.path().join("tampered.labels");
        fs::copy(packed.packet(), &copy).unwrap();
        let connection = rusqlite::Connection::open(&copy).unwrap();
        connection.execute_batch(sql).unwrap();
        copy
    };
    let file = LabelFile::open(&packed.packet(), WriterId(77)).unwrap();
    let items = file.items().unwrap();
    let run = items.iter().find(|item| item.kind == ItemKind::Run).unwrap();
    answer(&file, run, ("has_errors", AnswerValue::YesNo(false)));
    drop(file);
    let eve = change("UPDATE event SET content = replace(content, '\"bo\"', '\"eve\"')");
    let said = refused(lead, &["merge", "study.labels", eve.to_str().unwrap()]);
    assert!(said.contains("answers of eve in a packet for bo"), "{said}");
    let id = &run.id.0;
    let other = change(&format!("UPDATE event SET content = replace(content, '{id}', 'x')"));
    let said = refused(lead, &["merge", "study.labels", other.to_str().unwrap()]);
    assert!(said.contains("item \"x\" of the packet"), "{said}");
    assert!(packed.merge().contains("1 new"));
}

#[test]
fn a_file_of_the_version_before_is_taken_over_with_a_copy_kept() {
    let dir = copied();
    let path = dir.path().join("old.labels");
    let line = ["new", "old.labels", "runs", "--tasks", ".", "--form", "task-success"];
    label(dir.path(), &line);
    let old = "DROP TABLE evidence; DROP TABLE picture; DROP TABLE packed; DROP TABLE withdrawn; \
         DROP TABLE writer; DROP TABLE study_picture; UPDATE file SET version = 1";
    rusqlite::Connection::open(&path).unwrap().execute_batch(old).unwrap();
    let said = label(dir.path(), &["verify", "old.labels"]);
    assert!(said.contains("all can be read"), "{said}");
    let version = |path: &Path| -> u32 {
        let connection = rusqlite::Connection::open(path).unwrap();
        connection.query_row("SELECT version FROM file", [], |row| row.get(0)).unwrap()
    };
    let copy = dir.path().join("old.labels.version-1");
    assert_eq!((version(&path), version(&copy)), (5, 1));
    // What the copy holds is the project as it was.
    let restored = dir.path().join("restored.labels");
    fs::copy(copy, &restored).unwrap();
    let items = |path: &Path| LabelFile::open(path, WriterId(3)).unwrap().items().unwrap();
    assert_eq!(items(&path), items(&restored));
}
