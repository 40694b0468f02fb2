//! Labelling without a window, over a real file: what is shown as saved is there, whatever happens.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Process, Stdio};
use std::time::{Duration, Instant};

use pentimento::app::Session;
use pentimento::evaluate::{LabelPlan, StudyPlan, run_content};
use pentimento::label::form::builtin_form;
use pentimento::label::{
    Act, AnswerValue, CellKey, Form, Item, ItemId, ItemKind, LabelledRun, Project, QueueSettings,
    StudySettings, WriterId,
};
use pentimento::run::{TaskRef, reader};
use pentimento::store::labels::{LabelFile, NewEvent};
use pentimento::workbench::views;
use pentimento::workbench::{
    AnnotateCommand, Command, Desk, Dwell, Fetched, Saving, Settings, State, Workspace,
};
use pentimento::worker::WorkerConfig;

use crate::files::copy_folder;

/// How long anything may take before a test gives up. Not a measure of speed.
const PATIENCE: Duration = Duration::from_mins(3);

/// The runs that are shipped, in the order of their folders.
pub(crate) fn sample_runs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs/runs/own-samples");
    let folders = |dir: &Path| {
        let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
        let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
        folders.sort();
        folders
    };
    let tasks = folders(&root);
    let runs = tasks.iter().flat_map(|task| folders(task));
    runs.filter(|run| run.join("run.json").is_file()).collect()
}

pub(crate) fn labelled(dir: &Path) -> LabelledRun {
    let manifest = reader::open(dir).unwrap().manifest;
    LabelledRun {
        path: dir.to_string_lossy().into_owned(),
        content: run_content(dir, &manifest).unwrap(),
        model: manifest.agent.name,
    }
}

/// A project of the sample tasks by a form, for these people.
pub(crate) fn study(form: &Form, people: &[&str]) -> Project {
    Project {
        id: "5eed".to_owned(),
        name: "A study".to_owned(),
        forms: vec![form.hash()],
        guidelines: String::new(),
        task_sets: vec![concat!(env!("CARGO_MANIFEST_DIR"), "/sample_runs").to_owned()],
        people: people.iter().map(|person| (*person).to_owned()).collect(),
        queue: QueueSettings::default(),
        study: StudySettings::default(),
        packet: None,
    }
}

/// A plan with a form for ada and bo, and nothing else.
pub(crate) fn plan(form: &Form) -> LabelPlan {
    LabelPlan {
        name: "A study".to_owned(),
        forms: vec![form.clone()],
        guidelines: String::new(),
        people: vec!["ada".to_owned(), "bo".to_owned()],
        queue: QueueSettings::default(),
        sample: None,
        repeat: 0,
        task_sets: Vec::new(),
        study: StudyPlan::default(),
        known: Vec::new(),
        texts: Vec::new(),
        queries: None,
    }
}

/// A project of so many items of a form, made of these runs over and over.
pub(crate) fn project(path: &Path, form: &Form, runs: &[PathBuf], count: usize) -> Project {
    let labelled: Vec<LabelledRun> = runs.iter().map(|run| labelled(run)).collect();
    let item = |at: usize| {
        let of = |at: usize| labelled[at % labelled.len()].clone();
        let runs = match form.about {
            ItemKind::Task | ItemKind::Design | ItemKind::Text => Vec::new(),
            ItemKind::Pair => vec![of(at), of(at + 1)],
            _ => vec![of(at)],
        };
        let is_of_task = matches!(form.about, ItemKind::Task | ItemKind::Design);
        Item {
            runs,
            step: (form.about == ItemKind::Step).then_some(1),
            task: is_of_task
                .then(|| TaskRef { set: "own-samples".into(), id: "quiz-progress".into() }),
            text: (form.about == ItemKind::Text).then(|| format!("Is circle {at} filled?")),
            ..Item::bare(ItemId(format!("item-{at:05}")), form.about)
        }
    };
    let items: Vec<Item> = (0..count).map(item).collect();
    let queue = QueueSettings { labels_per_item: 2, ..QueueSettings::default() };
    let project = Project { queue, ..study(form, &["ada", "bo"]) };
    LabelFile::create(path, &project, std::slice::from_ref(form), &items, WriterId(1)).unwrap();
    project
}

fn started(settings: Settings) -> Session {
    let state = State::new(settings, PathBuf::from("runs"));
    Session::start(state, WorkerConfig::default(), || {}).unwrap()
}

fn until(session: &mut Session, what: &str, is_so: impl Fn(&State) -> bool) {
    let began = Instant::now();
    while !is_so(session.state()) {
        assert!(began.elapsed() < PATIENCE, "it was never so: {what}");
        session.take_next_event(Duration::from_millis(50));
    }
}

fn annotate(session: &mut Session, command: AnnotateCommand) {
    session.carry_out(Command::Annotate(command));
}

/// A session with somebody at the project.
fn at_desk(path: &Path, person: &str) -> Session {
    let mut session = started(Settings::default());
    annotate(&mut session, AnnotateCommand::Open(path.to_path_buf()));
    until(&mut session, "the project is open", |state| state.annotate.labels.is_some());
    annotate(&mut session, AnnotateCommand::SitDown(person.to_owned()));
    session
}

fn desk(session: &Session) -> &Desk {
    session.state().annotate.desk.as_ref().unwrap()
}

fn answer(session: &mut Session, yes: bool) {
    let value = Some(AnswerValue::YesNo(yes));
    annotate(session, AnnotateCommand::Answer { question: "success".to_owned(), value });
}

/// Answers the item on the screen, and waits until that is shown as saved.
fn answer_and_save(session: &mut Session, yes: bool) {
    answer(session, yes);
    annotate(session, AnnotateCommand::Submit(Dwell { millis: 900, ..Dwell::default() }));
    until(session, "the answer is saved", |state| {
        state.annotate.desk.as_ref().is_some_and(|desk| desk.saving == Saving::GoingOn)
    });
}

fn success_project(dir: &Path, count: usize) -> PathBuf {
    let path = dir.join("study.labels");
    project(&path, builtin_form("task-success").unwrap(), &sample_runs()[..2], count);
    path
}

/// What a fresh look at the file says of an item: the answer of somebody.
fn on_disk(path: &Path, item: &str, person: &str) -> Option<AnswerValue> {
    let ledger = LabelFile::open(path, WriterId(99)).unwrap().ledger().unwrap();
    let form = builtin_form("task-success").unwrap().hash();
    let key = CellKey { item: ItemId(item.to_owned()), form, person: person.to_owned() };
    ledger.answer(&key).map(|answered| answered.answer.values["success"].clone())
}

fn item_on_screen(session: &Session) -> String {
    session.state().annotate.asked().unwrap().0.id.0.clone()
}

#[test]
fn an_answer_is_on_disk_before_the_next_item_shows() {
    let dir = tempfile::tempdir().unwrap();
    let path = success_project(dir.path(), 4);
    let mut session = at_desk(&path, "ada");
    let first = item_on_screen(&session);
    // Not answered: it stays, and says what is missing in the form's words.
    annotate(&mut session, AnnotateCommand::Submit(Dwell::default()));
    let problem = desk(&session).draft.problem.clone().unwrap();
    assert!(problem.starts_with("Not answered yet: "), "{problem}");
    answer_and_save(&mut session, true);
    assert_eq!(on_disk(&path, &first, "ada"), Some(AnswerValue::YesNo(true)));
    assert_eq!(item_on_screen(&session), first, "it stays for a moment");
    annotate(&mut session, AnnotateCommand::GoOn);
    assert_ne!(item_on_screen(&session), first);
    for _ in 1..4 {
        answer_and_save(&mut session, false);
        annotate(&mut session, AnnotateCommand::GoOn);
    }
    assert!(session.state().annotate.asked().is_none(), "all is done");
    assert_eq!(desk(&session).progress.answered(), 4);
    // What was recorded of how it came about.
    let ledger = LabelFile::open(&path, WriterId(98)).unwrap().ledger().unwrap();
    let Act::Answered(answered) = &ledger.in_order()[0].act else { panic!("an answer") };
    assert_eq!((answered.millis, answered.changes), (Some(900), Some(0)));
    assert_eq!(answered.shown.as_ref().unwrap().language.as_deref(), Some("en"));
}

#[test]
fn undo_and_redo_go_where_they_act() {
    let dir = tempfile::tempdir().unwrap();
    let path = success_project(dir.path(), 3);
    let mut session = at_desk(&path, "ada");
    let first = item_on_screen(&session);
    answer_and_save(&mut session, true);
    annotate(&mut session, AnnotateCommand::GoOn);
    // Something is begun at the second, which undo must not lose.
    answer(&mut session, false);
    let second = desk(&session).at;
    annotate(&mut session, AnnotateCommand::Undo);
    until(&mut session, "it is undone", |state| {
        state.annotate.desk.as_ref().is_some_and(|desk| desk.told.is_some())
    });
    assert_eq!(item_on_screen(&session), first);
    assert_eq!(on_disk(&path, &first, "ada"), None);
    assert_eq!(desk(&session).progress.answered(), 0);
    annotate(&mut session, AnnotateCommand::Redo);
    until(&mut session, "it is done again", |state| {
        state.annotate.desk.as_ref().is_some_and(|desk| desk.progress.answered() == 1)
    });
    assert_eq!(on_disk(&path, &first, "ada"), Some(AnswerValue::YesNo(true)));
    annotate(&mut session, AnnotateCommand::GoTo(second));
    assert_eq!(desk(&session).draft.answer.values.len(), 1, "what was begun is there");
    annotate(&mut session, AnnotateCommand::Redo);
    assert_eq!(desk(&session).told.as_deref(), Some("Nothing to redo"));
    // An answer that is opened again and changed is a second event, and the first stays.
    let at = desk(&session).unit_of((&ItemId(first.clone()), desk_form())).unwrap();
    annotate(&mut session, AnnotateCommand::GoTo(at));
    answer_and_save(&mut session, false);
    assert_eq!(on_disk(&path, &first, "ada"), Some(AnswerValue::YesNo(false)));
    assert_eq!(desk(&session).progress.states[at].revisions, 1);
}

fn desk_form() -> pentimento::label::FormHash {
    builtin_form("task-success").unwrap().hash()
}

#[test]
fn skipped_items_come_again_and_flags_keep_their_reason() {
    let dir = tempfile::tempdir().unwrap();
    let path = success_project(dir.path(), 2);
    let mut session = at_desk(&path, "ada");
    let first = item_on_screen(&session);
    annotate(&mut session, AnnotateCommand::EditFlag(Some("the \u{1b}picture is black".into())));
    annotate(&mut session, AnnotateCommand::Flag);
    until(&mut session, "it is flagged", |state| {
        state.annotate.desk.as_ref().is_some_and(|desk| desk.progress.flagged() == 1)
    });
    annotate(&mut session, AnnotateCommand::Skip);
    until(&mut session, "it is put off", |state| {
        state.annotate.desk.as_ref().is_some_and(|desk| desk.saving == Saving::GoingOn)
    });
    annotate(&mut session, AnnotateCommand::GoOn);
    assert_ne!(item_on_screen(&session), first);
    answer_and_save(&mut session, true);
    annotate(&mut session, AnnotateCommand::GoOn);
    assert_eq!(item_on_screen(&session), first, "it comes when all others are done");
    let ledger = LabelFile::open(&path, WriterId(97)).unwrap().ledger().unwrap();
    let key = CellKey { item: ItemId(first), form: desk_form(), person: "ada".into() };
    assert_eq!(ledger.cell(&key).flag.as_deref(), Some("the picture is black"));
}

#[test]
fn two_windows_and_a_program_on_one_file_do_not_harm_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let path = success_project(dir.path(), 12);
    let (mut ada, mut bo) = (at_desk(&path, "ada"), at_desk(&path, "bo"));
    let mut again = at_desk(&path, "ada");
    for at in 0..4 {
        answer_and_save(&mut ada, at % 2 == 0);
        annotate(&mut ada, AnnotateCommand::GoOn);
        answer_and_save(&mut bo, true);
        annotate(&mut bo, AnnotateCommand::GoOn);
    }
    until(&mut again, "the other window's answers are there", |state| {
        state.annotate.desk.as_ref().is_some_and(|desk| desk.progress.answered() == 4)
    });
    assert_eq!(again.state().annotate.ledger.len(), 8);
    // The one that did nothing goes on behind what the other did.
    annotate(&mut again, AnnotateCommand::GoTo(0));
    assert!(desk(&again).progress.states[0].is_answered);
    assert_eq!(LabelFile::open(&path, WriterId(96)).unwrap().ledger().unwrap().len(), 8);
}

#[test]
fn what_lies_on_another_desk_is_asked_later_and_then_all_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let path = success_project(dir.path(), 2);
    let ada = at_desk(&path, "ada");
    let first = item_on_screen(&ada);
    let desks = || {
        let files = std::fs::read_dir(dir.path()).unwrap().map(|it| it.unwrap().file_name());
        files.filter(|name| name.to_string_lossy().contains(".desk-")).count()
    };
    let began = Instant::now();
    while desks() < 1 {
        assert!(began.elapsed() < PATIENCE, "the item is on ada's desk");
        std::thread::sleep(Duration::from_millis(20));
    }
    // The same queue in another window: what lies here is not shown there first.
    let mut again = at_desk(&path, "ada");
    assert_ne!(item_on_screen(&again), first);
    answer_and_save(&mut again, true);
    annotate(&mut again, AnnotateCommand::GoOn);
    // Nothing else is left: two people may answer at once, and nothing of it is lost.
    assert_eq!(item_on_screen(&again), first);
    drop(ada);
    annotate(&mut again, AnnotateCommand::Close);
    while desks() > 0 {
        assert!(began.elapsed() < PATIENCE, "nothing of desks is left");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn what_cannot_be_written_stays_on_the_screen_and_is_tried_until_it_can() {
    let dir = tempfile::tempdir().unwrap();
    let path = success_project(dir.path(), 3);
    let mut session = at_desk(&path, "ada");
    let first = item_on_screen(&session);
    // Somebody holds the file and does not let go of it.
    let holder = rusqlite::Connection::open(&path).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    answer(&mut session, true);
    annotate(&mut session, AnnotateCommand::Submit(Dwell::default()));
    until(&mut session, "it is said that it failed", |state| {
        matches!(state.annotate.desk.as_ref().unwrap().saving, Saving::Failing { .. })
    });
    let told = &session.state().notices.last().unwrap().text;
    assert!(told.starts_with("The answer is not saved: "), "{told}");
    // Nobody gets away from it: neither to another item nor to another project.
    annotate(&mut session, AnnotateCommand::GoBy(1));
    annotate(&mut session, AnnotateCommand::GetUp);
    annotate(&mut session, AnnotateCommand::Close);
    assert_eq!(item_on_screen(&session), first);
    assert_eq!(desk(&session).draft.answer.values["success"], AnswerValue::YesNo(true));
    holder.execute_batch("ROLLBACK").unwrap();
    until(&mut session, "it is saved after all", |state| {
        state.annotate.desk.as_ref().unwrap().saving == Saving::GoingOn
    });
    assert_eq!(on_disk(&path, &first, "ada"), Some(AnswerValue::YesNo(true)));
    let ledger = LabelFile::open(&path, WriterId(95)).unwrap().ledger().unwrap();
    assert_eq!(ledger.len(), 1, "once, however often it was tried");
}

#[test]
fn runs_that_moved_or_changed_are_said_without_naming_who_made_them() {
    let dir = tempfile::tempdir().unwrap();
    let runs: Vec<PathBuf> = sample_runs().into_iter().take(2).collect();
    let copies: Vec<PathBuf> =
        ["secret-model-01", "secret-model-02"].iter().map(|name| dir.path().join(name)).collect();
    for (run, copy) in runs.iter().zip(&copies) {
        copy_folder(run, copy);
    }
    let path = dir.path().join("study.labels");
    project(&path, builtin_form("pairwise-preference").unwrap(), &copies, 1);
    std::fs::rename(&copies[0], dir.path().join("elsewhere")).unwrap();
    let events = copies[1].join("events.jsonl");
    let mut text = std::fs::read_to_string(&events).unwrap();
    text.push('\n');
    std::fs::write(&events, text).unwrap();
    // What cannot be shown is asked of nobody; who reviews is told why.
    let mut session = at_desk(&path, "ada");
    assert!(desk(&session).units.is_empty());
    assert_eq!(session.state().annotate.labels.as_ref().unwrap().missing.len(), 1);
    annotate(&mut session, AnnotateCommand::GetUp);
    annotate(&mut session, AnnotateCommand::SitDownToSettle("lead".to_owned()));
    until(&mut session, "the evidence was looked for", |state| {
        matches!(views::evidence(state), Some(Fetched::Ready(_)))
    });
    let Some(Fetched::Ready(evidence)) = views::evidence(session.state()) else { panic!() };
    let why: Vec<&str> =
        evidence.runs.iter().map(|run| run.as_ref().unwrap_err().as_str()).collect();
    assert_eq!(
        why,
        ["the run is not where it lay", "the run was changed since the project was made"]
    );
    // What was changed is asked, and says so; it can be put off, and flagged.
    std::fs::rename(dir.path().join("elsewhere"), &copies[0]).unwrap();
    let mut session = at_desk(&path, "ada");
    assert_eq!(desk(&session).units.len(), 1);
    annotate(&mut session, AnnotateCommand::Skip);
    until(&mut session, "it is put off", |state| {
        state.annotate.desk.as_ref().is_some_and(|desk| desk.saving == Saving::GoingOn)
    });
}

#[test]
fn a_session_sits_down_again_where_it_was_with_what_was_begun() {
    let dir = tempfile::tempdir().unwrap();
    let path = success_project(dir.path(), 5);
    let mut session = at_desk(&path, "ada");
    answer_and_save(&mut session, true);
    annotate(&mut session, AnnotateCommand::GoOn);
    annotate(&mut session, AnnotateCommand::GoBy(2));
    answer(&mut session, false);
    annotate(&mut session, AnnotateCommand::Note("half a note".to_owned()));
    let item = item_on_screen(&session);
    let state = session.state();
    let saved = Settings { session: state.session_to_save(), ..state.settings.clone() };
    drop(session);
    let settings = Settings::from_json(&saved.to_json().unwrap()).unwrap();
    let mut session = started(settings);
    assert_eq!(session.state().workspace, Workspace::Annotate);
    annotate(&mut session, AnnotateCommand::Open(path.clone()));
    until(&mut session, "somebody sits there again", |state| state.annotate.desk.is_some());
    assert_eq!((desk(&session).person.as_str(), item_on_screen(&session)), ("ada", item));
    let draft = &desk(&session).draft;
    assert_eq!(draft.answer.values["success"], AnswerValue::YesNo(false));
    assert_eq!(draft.answer.note, "half a note");
    assert_eq!(desk(&session).progress.answered(), 1);
}

#[test]
fn what_is_no_project_is_told_and_the_one_that_is_open_stays() {
    let dir = tempfile::tempdir().unwrap();
    let path = success_project(dir.path(), 2);
    let mut session = at_desk(&path, "ada");
    for (name, content) in
        [("torn.labels", &b"SQLite format 3\0torn"[..]), ("text.labels", b"hello")]
    {
        let odd = dir.path().join(name);
        std::fs::write(&odd, content).unwrap();
        annotate(&mut session, AnnotateCommand::Open(odd.clone()));
        until(&mut session, "it is refused", |state| state.annotate.problem.is_some());
        assert!(session.state().annotate.labels.is_some());
        assert_eq!(std::fs::read(&odd).unwrap(), content, "it is left as it is");
        annotate(&mut session, AnnotateCommand::Open(path.clone()));
        until(&mut session, "the project is open again", |state| {
            state.annotate.opening.is_none() && state.annotate.problem.is_none()
        });
        annotate(&mut session, AnnotateCommand::SitDown("ada".to_owned()));
    }
    answer_and_save(&mut session, true);
}

#[test]
fn notes_are_kept_as_long_as_answers_may_be_and_without_control_characters() {
    let dir = tempfile::tempdir().unwrap();
    let path = success_project(dir.path(), 1);
    let mut session = at_desk(&path, "ada");
    let item = item_on_screen(&session);
    annotate(&mut session, AnnotateCommand::Note(format!("a\0b\u{7}c\n{}", "ä".repeat(60_000))));
    answer_and_save(&mut session, true);
    let ledger = LabelFile::open(&path, WriterId(94)).unwrap().ledger().unwrap();
    let key = CellKey { item: ItemId(item), form: desk_form(), person: "ada".into() };
    let note = &ledger.answer(&key).unwrap().answer.note;
    assert!(note.starts_with("abc\nää") && note.chars().count() == 50_000);
}

/// The file that the child labels.
const FILE_VARIABLE: &str = "PENTIMENTO_TEST_LABELS";

#[test]
#[ignore = "the child of the tests that kill it"]
fn labels_until_it_is_killed() {
    let path = PathBuf::from(std::env::var_os(FILE_VARIABLE).expect("only the tests run this"));
    let mut session = at_desk(&path, "ada");
    let mut out = std::io::stderr();
    while let Some((item, _)) = session.state().annotate.asked() {
        let item = item.id.0.clone();
        answer(&mut session, item.ends_with(['0', '2', '4', '6', '8']));
        annotate(&mut session, AnnotateCommand::Submit(Dwell::default()));
        let is_over = |state: &State| {
            let saving = &state.annotate.desk.as_ref().unwrap().saving;
            matches!(saving, Saving::GoingOn | Saving::Failing { .. })
        };
        until(&mut session, "it is saved, or cannot be", is_over);
        if let Saving::Failing { why, .. } = &desk(&session).saving {
            writeln!(out, "failing {why}").unwrap();
            return;
        }
        writeln!(out, "saved {item}").unwrap();
        annotate(&mut session, AnnotateCommand::GoOn);
    }
    writeln!(out, "done").unwrap();
}

fn start_child(path: &Path, limit_blocks: Option<u64>) -> Child {
    // A file may grow no further than this, as on a full disk; what is told of it is an error and no signal.
    let limit = limit_blocks.map(|blocks| format!("trap '' XFSZ; ulimit -f {blocks}; "));
    let script = limit.unwrap_or_default() + "exec \"$0\" \"$@\"";
    Process::new("sh")
        .arg("-c")
        .arg(script)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "labelling::labels_until_it_is_killed", "--ignored", "--nocapture"])
        .env(FILE_VARIABLE, path)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Kills a process that labels after this long; gives how many answers it had shown as saved, all of which are
/// in the file.
fn kill_after(path: &Path, time: Duration) -> usize {
    let mut child = start_child(path, None);
    let mut told = BufReader::new(child.stderr.take().unwrap());
    let mut saved: Vec<String> = Vec::new();
    let mut line = String::new();
    // From the first answer on: before it there is nothing to lose.
    while told.read_line(&mut line).unwrap() > 0 && !line.starts_with("saved") {
        line.clear();
    }
    saved.extend(line.strip_prefix("saved ").map(|item| item.trim().to_owned()));
    std::thread::sleep(time);
    child.kill().unwrap();
    child.wait().unwrap();
    for line in told.lines() {
        let line = line.unwrap();
        saved.extend(line.strip_prefix("saved ").map(str::to_owned));
    }
    let file = LabelFile::open(path, WriterId(93)).unwrap();
    let ledger = file.ledger().unwrap();
    for item in &saved {
        let key = CellKey { item: ItemId(item.clone()), form: desk_form(), person: "ada".into() };
        let answered = ledger.answer(&key).expect("what was shown as saved is there");
        let yes = item.ends_with(['0', '2', '4', '6', '8']);
        assert_eq!(answered.answer.values["success"], AnswerValue::YesNo(yes));
    }
    saved.len()
}

#[test]
fn a_process_that_is_killed_loses_no_answer_that_was_shown_as_saved() {
    let dir = tempfile::tempdir().unwrap();
    let path = success_project(dir.path(), 5_000);
    let saved: usize =
        [0, 7, 31, 120].map(|millis| kill_after(&path, Duration::from_millis(millis))).iter().sum();
    assert!(saved >= 4);
    assert!(LabelFile::open(&path, WriterId(92)).unwrap().ledger().unwrap().len() >= saved);
}

#[test]
#[ignore = "takes minutes: 300 kills at other moments, by hand"]
fn three_hundred_kills() {
    let dir = tempfile::tempdir().unwrap();
    let path = success_project(dir.path(), 20_000);
    // Moments of their own, the same each time.
    let saved: usize =
        (0..300u64).map(|at| kill_after(&path, Duration::from_micros(at * at * 7 % 90_000))).sum();
    println!("300 kills, {saved} answers shown as saved, all of them in the file");
}

#[test]
fn a_disk_that_is_full_is_told_and_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = success_project(dir.path(), 3_000);
    // In blocks of 512 bytes: room for some answers more than are there.
    let now = std::fs::metadata(&path).unwrap().len() / 512;
    let mut child = start_child(&path, Some(now + 400));
    let told: Vec<String> =
        BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap).collect();
    child.wait().unwrap();
    let saved: Vec<&str> = told.iter().filter_map(|line| line.strip_prefix("saved ")).collect();
    let failing = told.iter().find(|line| line.starts_with("failing")).expect("it is told");
    assert!(!saved.is_empty() && failing.contains("nothing was changed"), "{failing}");
    for item in &saved {
        assert!(on_disk(&path, item, "ada").is_some(), "{item} was shown as saved");
    }
    // With room again it goes on.
    let file = LabelFile::open(&path, WriterId(91)).unwrap();
    let act = Act::Skipped;
    let (at, item) = ("2026-01-02T03:04:05Z".to_owned(), ItemId("item-02999".to_owned()));
    let new = NewEvent { at, person: "bo".into(), item, form: desk_form(), act };
    file.record(new).unwrap();
}
