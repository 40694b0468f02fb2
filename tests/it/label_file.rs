//! A labelling project's file: what it says is kept is kept, copies join, what is odd is refused.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pentimento::label::form::builtin_form;
use pentimento::label::{
    Act, Answer, AnswerValue, Answered, CellKey, Event, Item, ItemId, ItemKind, ItemRole,
    LabelledRun, Ledger, LedgerCell, Project, QueueSettings, Shown, StudySettings, WriterId,
};
use pentimento::store::labels::{LabelFile, LabelFileError, Merged, NewEvent};

fn project() -> Project {
    Project {
        id: "7f3a".to_owned(),
        name: "first study".to_owned(),
        forms: vec![builtin_form("task-success").unwrap().hash()],
        guidelines: String::new(),
        task_sets: Vec::new(),
        people: vec!["ada".to_owned(), "bo".to_owned()],
        queue: QueueSettings::default(),
        study: StudySettings::default(),
        packet: None,
    }
}

fn item(id: &str) -> Item {
    let run = LabelledRun {
        path: format!("runs/{id}"),
        content: "00".to_owned(),
        model: "somebody".to_owned(),
    };
    Item {
        runs: vec![run],
        strata: BTreeMap::from([("difficulty".to_owned(), "hard".to_owned())]),
        ..Item::bare(ItemId(id.to_owned()), ItemKind::Run)
    }
}

fn make(path: &Path, writer: u64) -> LabelFile {
    let forms = [builtin_form("task-success").unwrap().clone()];
    let items = [item("a"), item("b")];
    LabelFile::create(path, &project(), &forms, &items, WriterId(writer)).unwrap()
}

fn answered(yes: bool) -> Act {
    let values = BTreeMap::from([("success".to_owned(), AnswerValue::YesNo(yes))]);
    Act::Answered(Box::new(Answered {
        answer: Answer { values, ..Answer::default() },
        shown: Some(Shown::default()),
        millis: Some(4_200),
        views: BTreeMap::new(),
        changes: Some(0),
    }))
}

fn did(person: &str, item: &str, act: Act) -> NewEvent {
    NewEvent {
        at: "2026-01-02T03:04:05Z".to_owned(),
        person: person.to_owned(),
        item: ItemId(item.to_owned()),
        form: builtin_form("task-success").unwrap().hash(),
        act,
    }
}

fn all(file: &LabelFile) -> Vec<Event> {
    file.ledger().unwrap().in_order().into_iter().cloned().collect()
}

fn cells(ledger: &Ledger) -> BTreeMap<CellKey, LedgerCell> {
    ledger.cell_keys().map(|key| (key.clone(), ledger.cell(key))).collect()
}

fn place() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("study.labels");
    (dir, path)
}

#[test]
fn what_was_recorded_is_there_when_the_file_is_opened_again() {
    let (_dir, path) = place();
    let file = make(&path, 1);
    let first = file.record(did("ada", "a", answered(true))).unwrap();
    let second = file.record(did("ada", "a", answered(false))).unwrap();
    let undo = Act::Retracted { event: second.id };
    file.record(did("ada", "a", undo)).unwrap();
    drop(file);
    let file = LabelFile::open(&path, WriterId(90)).unwrap();
    assert_eq!((file.project(), file.items().unwrap().len()), (&project(), 2));
    assert_eq!(file.forms().unwrap(), [builtin_form("task-success").unwrap().clone()]);
    let ledger = file.ledger().unwrap();
    assert_eq!((ledger.len(), ledger.next_clock()), (3, 4));
    let (_, cell) = cells(&ledger).pop_first().unwrap();
    assert_eq!(cell.answer, Some(first.id), "what was taken back gives way to what was before");
    assert!(matches!(
        LabelFile::create(&path, &project(), &[], &[], WriterId(2)),
        Err(LabelFileError::Exists { .. })
    ));
    let beside = std::fs::read_dir(path.parent().unwrap()).unwrap().flatten();
    let beside: Vec<_> = beside.map(|entry| entry.file_name()).collect();
    assert!(beside.iter().all(|name| !name.to_string_lossy().contains(".new")), "{beside:?}");
}

#[test]
fn several_at_once_on_one_file_lose_nothing_and_count_on() {
    let (_dir, path) = place();
    drop(make(&path, 1));
    std::thread::scope(|scope| {
        for (person, writer) in ["ada", "bo", "cy", "di"].into_iter().zip(10..) {
            let (path, writer) = (&path, WriterId(writer));
            // Each has opened the file for itself, as windows and command lines do.
            scope.spawn(move || {
                let file = LabelFile::open(path, writer).unwrap();
                for at in 0..25 {
                    file.record(did(person, "a", answered(at % 2 == 0))).unwrap();
                }
            });
        }
    });
    let events = all(&LabelFile::open(&path, WriterId(90)).unwrap());
    let clocks: Vec<u64> = events.iter().map(|event| event.clock).collect();
    assert_eq!(clocks, (1..=100).collect::<Vec<_>>(), "each has a place of its own");
    for person in ["ada", "bo", "cy", "di"] {
        assert_eq!(events.iter().filter(|event| event.person == person).count(), 25);
    }
}

#[test]
fn copies_come_to_the_same_in_any_order_twice_or_in_parts() {
    let (dir, path) = place();
    let (one, two) = (make(&path, 1), make(&dir.path().join("two.labels"), 2));
    for at in 0..6 {
        one.record(did("ada", if at % 2 == 0 { "a" } else { "b" }, answered(at > 2))).unwrap();
        two.record(did("bo", "a", answered(at < 2))).unwrap();
    }
    two.record(did("bo", "b", Act::Flagged { reason: "no picture".to_owned() })).unwrap();
    let (of_one, of_two) = (all(&one), all(&two));
    assert_eq!(
        one.merge(&project(), &of_two[3..]).unwrap(),
        Merged { new: 4, ..Merged::default() }
    );
    assert_eq!(one.merge(&project(), &of_two).unwrap(), Merged { new: 3, known: 4, withdrawn: 0 });
    assert_eq!(one.merge(&project(), &of_two).unwrap(), Merged { known: 7, ..Merged::default() });
    assert_eq!(two.merge(&project(), &of_one).unwrap(), Merged { new: 6, ..Merged::default() });
    assert_eq!(cells(&one.ledger().unwrap()), cells(&two.ledger().unwrap()));
    assert_eq!(all(&one), all(&two));
    // What is done next comes after all that was seen.
    let next = two.record(did("bo", "b", Act::Unflagged)).unwrap();
    assert!(of_one.iter().all(|event| event.clock < next.clock));

    let other = Project { id: "8888".to_owned(), name: "other".to_owned(), ..project() };
    let error = one.merge(&other, &of_two).unwrap_err().to_string();
    assert!(error.contains("of another project (other)"), "{error}");
    let mut strange = of_two[..2].to_vec();
    strange[1].item = ItemId("of-another-project".to_owned());
    let error = one.merge(&project(), &strange).unwrap_err().to_string();
    assert!(error.contains("no item \"of-another-project\""), "{error}");
    let mut forged = of_two[..2].to_vec();
    forged[1].act = answered(true);
    forged[1].person = "mallory".to_owned();
    let before = all(&one);
    assert!(matches!(one.merge(&project(), &forged), Err(LabelFileError::Conflict { .. })));
    assert_eq!(all(&one), before, "all of it or nothing");
}

#[test]
fn what_the_project_does_not_have_is_not_answered() {
    let (_dir, path) = place();
    let file = make(&path, 1);
    let error = file.record(did("ada", "z", answered(true))).unwrap_err().to_string();
    assert!(error.contains("no item \"z\""), "{error}");
    let mut other = did("ada", "a", answered(true));
    other.form = builtin_form("ndec").unwrap().hash();
    assert!(file.record(other).unwrap_err().to_string().contains("has no form"));
    let mut first = file.record(did("ada", "a", Act::Skipped)).unwrap();
    first.id.sequence = 9;
    let undo = did("ada", "a", Act::Retracted { event: first.id });
    assert!(matches!(file.record(undo), Err(LabelFileError::NothingToRetract { .. })));
    assert_eq!(file.ledger().unwrap().len(), 1);
}

#[test]
fn a_known_answer_that_fits_no_form_makes_no_project() {
    let (_dir, path) = place();
    let known = |yes: AnswerValue| {
        let values = BTreeMap::from([("success".to_owned(), yes)]);
        let known = Some(Answer { values, ..Answer::default() });
        let items = [Item { known, role: ItemRole::KnownAnswer, ..item("a") }];
        let forms = [builtin_form("task-success").unwrap().clone()];
        LabelFile::create(&path, &project(), &forms, &items, WriterId(1))
    };
    let error = known(AnswerValue::Rating(3)).unwrap_err().to_string();
    assert!(error.contains("the known answer of the item \"a\" fits no form"), "{error}");
    assert!(!path.exists());
    let file = known(AnswerValue::YesNo(true)).unwrap();
    assert!(file.items().unwrap()[0].known.is_some(), "it is there when the file is read");
}

#[test]
fn a_file_that_is_none_is_told_and_left_alone() {
    let (dir, path) = place();
    assert!(matches!(LabelFile::open(&path, WriterId(90)), Err(LabelFileError::Missing { .. })));
    let odd = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let error = LabelFile::open(&path, WriterId(90)).unwrap_err().to_string();
        assert!(std::fs::read(&path).unwrap() == bytes, "{name} is left as it was");
        error
    };
    assert!(
        odd("text.labels", b"not a database, and long enough to be looked at")
            .contains("not a labelling")
    );
    assert!(odd("empty.labels", b"").contains("not a labelling"));
    drop(make(&path, 1));
    let whole = std::fs::read(&path).unwrap();
    for cut in [100, whole.len() / 2, whole.len() - 1] {
        let path = dir.path().join(format!("torn-{cut}.labels"));
        std::fs::write(&path, &whole[..cut]).unwrap();
        // Whatever of it can be read: never a panic, and never an answer that nobody gave.
        if let Ok(file) = LabelFile::open(&path, WriterId(90)) {
            assert!(file.ledger().map_or(true, |ledger| ledger.is_empty()));
        }
    }
    let foreign = dir.path().join("foreign.labels");
    let connection = rusqlite::Connection::open(&foreign).unwrap();
    connection.execute_batch("CREATE TABLE photo (id INTEGER)").unwrap();
    drop(connection);
    assert!(matches!(LabelFile::open(&foreign, WriterId(90)), Err(LabelFileError::Foreign { .. })));
    let change = |sql: &str| {
        let changed = dir.path().join("changed.labels");
        std::fs::remove_file(&changed).ok();
        drop(make(&changed, 1));
        rusqlite::Connection::open(&changed).unwrap().execute_batch(sql).unwrap();
        LabelFile::open(&changed, WriterId(90))
    };
    let newer = change("UPDATE file SET version = 99").unwrap_err().to_string();
    assert!(newer.contains("version 99") && newer.contains("update the program"), "{newer}");
    let torn = change("UPDATE file SET project = '{\"id\": 4}'").unwrap_err().to_string();
    assert!(torn.contains("damaged") && torn.contains("what the project says"), "{torn}");
    let form = change("UPDATE form SET content = replace(content, 'Did the agent', 'Did it')");
    let error = form.unwrap().forms().unwrap_err().to_string();
    assert!(error.contains("was changed"), "{error}");
}

#[test]
fn copies_made_by_hand_join_like_any_others() {
    let (dir, path) = place();
    let file = make(&path, 1);
    file.record(did("ada", "a", answered(true))).unwrap();
    drop(file);
    let copy = dir.path().join("copy.labels");
    std::fs::copy(&path, &copy).unwrap();
    let one = LabelFile::open(&path, WriterId(2)).unwrap();
    let two = LabelFile::open(&copy, WriterId(3)).unwrap();
    one.record(did("ada", "b", answered(true))).unwrap();
    two.record(did("bo", "b", answered(false))).unwrap();
    assert_eq!(
        one.merge(&project(), &all(&two)).unwrap(),
        Merged { new: 1, known: 1, withdrawn: 0 }
    );
    assert_eq!(one.ledger().unwrap().len(), 3);
}

#[test]
fn a_file_beside_a_new_project_is_somebody_elses() {
    let (dir, path) = place();
    let beside = dir.path().join("study.labels.new");
    std::fs::write(&beside, "mine").unwrap();
    drop(make(&path, 1));
    assert_eq!(std::fs::read(&beside).unwrap(), b"mine");
}

/// Runs the program on a file as somebody who may not write where it lies; root may anywhere, unless it
/// does without the right to.
fn as_a_reader(arguments: &[&str], path: &Path) -> Output {
    let dir = path.parent().unwrap();
    let program = env!("CARGO_BIN_EXE_pentimento");
    std::fs::set_permissions(dir, std::fs::Permissions::from_mode(0o555)).unwrap();
    let may_write = std::fs::write(dir.join("probe"), "").is_ok();
    let mut command = Command::new(if may_write { "setpriv" } else { program });
    if may_write {
        std::fs::remove_file(dir.join("probe")).unwrap();
        command.args(["--bounding-set", "-dac_override", program]);
    }
    let output = command.arg("label").args(arguments).env("PENTIMENTO_WORKSPACE", "").output();
    std::fs::set_permissions(dir, std::fs::Permissions::from_mode(0o755)).unwrap();
    output.unwrap()
}

#[test]
fn a_project_in_a_folder_that_cannot_be_written_is_read_and_takes_no_answers() {
    let dir = tempfile::tempdir().unwrap();
    // As SQLite's own names of files would misread it.
    let path = dir.path().join("what? 100% #1&mode=rw.labels");
    let file = make(&path, 1);
    file.record(did("ada", "a", answered(true))).unwrap();
    drop(file);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o444)).unwrap();
    let before = std::fs::read(&path).unwrap();
    let file = path.to_str().unwrap();

    let exported = as_a_reader(&["export", file, "--format", "jsonl"], &path);
    assert!(exported.status.success(), "{}", String::from_utf8_lossy(&exported.stderr));
    assert_eq!(String::from_utf8_lossy(&exported.stdout).lines().count(), 1);
    let settle = ["settle", file, "--item", "a", "--question", "success", "--value", "no"];
    let settled = as_a_reader(&[&settle[..], &["--as", "lead"]].concat(), &path);
    let said = String::from_utf8_lossy(&settled.stderr).into_owned();
    assert!(!settled.status.success() && said.contains("readonly"), "{said}");

    // With a log beside it the file alone is not the project.
    std::fs::write(dir.path().join("what? 100% #1&mode=rw.labels-wal"), "a log").unwrap();
    let refused = as_a_reader(&["export", file, "--format", "jsonl"], &path);
    assert!(!refused.status.success());
    assert_eq!(std::fs::read(&path).unwrap(), before);
}
