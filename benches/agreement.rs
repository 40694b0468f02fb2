//! A project of 100,000 answers of 20 people to 20,000 items, against the clock: agreement with intervals, opening its
//! file and opening it in the window, all that a report says, and the next item; and how large its file is. What is to
//! be held is printed with whether it was.

#![expect(clippy::expect_used, reason = "without its project it measures nothing")]
#![expect(clippy::print_stdout, reason = "how large the file is has no other place")]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use criterion::Criterion;
use pentimento::app::Session;
use pentimento::label::agreement::{Answers, agreement};
use pentimento::label::form::{QuestionKind, builtin_form};
use pentimento::label::{
    Act, Answer, AnswerValue, Answered, Findings, Form, Item, ItemId, LabelledRun, Mark, Place,
    Project, QueueSettings, StudySettings, WriterId, assigned_to_each,
};
use pentimento::metric::stats::BootstrapPlan;
use pentimento::store::labels::{LabelFile, NewEvent};
use pentimento::workbench::{AnnotateCommand, Command, Dwell, Saving, Settings, State};
use pentimento::worker::WorkerConfig;

const ITEMS: usize = 20_000;
const PEOPLE: usize = 20;
const PER_ITEM: usize = 5;
/// How often what happens once a session is measured.
const TIMES: usize = 5;

/// What is to be held.
const AGREEMENT: Duration = Duration::from_secs(1);
const OPENING: Duration = Duration::from_secs(1);
const NEXT_ITEM: Duration = Duration::from_millis(50);
const FILE_MEGABYTES: f64 = 100.0;

fn held(what: &str, took: Duration, most: Duration) {
    let word = if took < most { "held" } else { "NOT HELD" };
    println!("{what}: {took:.1?}, {most:?} to be held: {word}");
}

fn median(mut took: Vec<Duration>) -> Duration {
    took.sort_unstable();
    took[took.len() / 2]
}

/// What somebody answers to an item: mostly what others do.
fn answer(form: &Form, item: usize, person: usize) -> Answer {
    let values = form.questions.iter().enumerate().filter_map(|(at, question)| {
        let whim = (item * 31 + person * 17 + at * 7) % 11;
        let value = match &question.answer {
            QuestionKind::Rating { .. } => {
                let rating = 1 + (item * 7 + usize::from(whim > 7)) % 5;
                AnswerValue::Rating(i32::try_from(rating).unwrap_or(1))
            }
            QuestionKind::YesNo => {
                AnswerValue::YesNo((item + at + usize::from(whim == 0)).is_multiple_of(3))
            }
            QuestionKind::Marks { options, .. } => {
                let seen = options.iter().enumerate().filter(|(kind, _)| {
                    let is_there = (item * 13 + kind * 5).is_multiple_of(4);
                    is_there != (whim + kind).is_multiple_of(11)
                });
                let marks = seen.map(|(_, option)| Mark {
                    option: option.id.clone(),
                    place: Place::default(),
                    severity: None,
                    note: String::new(),
                });
                AnswerValue::Marks(marks.collect())
            }
            _ => return None,
        };
        Some((question.id.clone(), value))
    });
    Answer { values: values.collect(), ..Answer::default() }
}

/// A project by a form, each of whose items was answered by those of its people it was dealt to.
fn write_project(path: &Path, form: &Form, people: &[String]) -> LabelFile {
    let home = path.parent().expect("a folder");
    let item = |at: usize| {
        // Folders alone: whether runs are where they lay is looked at when a project is opened.
        let run = format!("runs/run-{at:05}");
        std::fs::create_dir_all(home.join(&run)).expect("a folder of a run");
        Item {
            runs: vec![LabelledRun {
                path: run,
                content: format!("{at:032x}"),
                model: format!("model-{}", at % 7),
            }],
            ..Item::bare(ItemId(format!("{at:016x}")), form.about)
        }
    };
    let items: Vec<Item> = (0..ITEMS).map(item).collect();
    let labels_per_item = u32::try_from(PER_ITEM).unwrap_or(1);
    let project = Project {
        id: "5eed".to_owned(),
        name: "A large study".to_owned(),
        forms: vec![form.hash()],
        guidelines: String::new(),
        task_sets: Vec::new(),
        people: people.to_vec(),
        queue: QueueSettings { labels_per_item, ..QueueSettings::default() },
        study: StudySettings::default(),
        packet: None,
    };
    let file = LabelFile::create(path, &project, std::slice::from_ref(form), &items, WriterId(1));
    let file = file.expect("the project is written");
    let names: Vec<&str> = people.iter().map(String::as_str).collect();
    let dealt = assigned_to_each(&project.id, (people, &names), &items, labels_per_item);
    let given = (0..ITEMS).flat_map(|item| {
        let whose = dealt.iter().enumerate().filter(move |(_, mine)| mine[item]);
        whose.map(move |(person, _)| (item, person))
    });
    let events = given.map(|(item, person)| NewEvent {
        at: "2026-01-02T03:04:05Z".to_owned(),
        person: people[person].clone(),
        item: ItemId(format!("{item:016x}")),
        form: form.hash(),
        act: Act::Answered(Box::new(Answered {
            answer: answer(form, item, person),
            shown: None,
            millis: Some(4_000 + (item as u64 * 37) % 9_000),
            views: BTreeMap::new(),
            changes: None,
        })),
    });
    let events: Vec<NewEvent> = events.collect();
    assert_eq!(events.len(), ITEMS * PER_ITEM, "every item has as many answers");
    file.record_all(events).expect("the answers are written");
    file
}

/// Somebody at the project, as in the window; and how long it took until the project was open, and until the first
/// item was there.
fn at_desk(path: &Path, person: &str) -> (Session, [Duration; 2]) {
    let state = State::new(Settings::default(), PathBuf::from("runs"));
    let mut session = Session::start(state, WorkerConfig::default(), || {}).expect("it starts");
    let began = Instant::now();
    session.carry_out(Command::Annotate(AnnotateCommand::Open(path.to_path_buf())));
    while session.state().annotate.labels.is_none() {
        session.take_next_event(Duration::from_millis(20));
    }
    let open = began.elapsed();
    session.carry_out(Command::Annotate(AnnotateCommand::SitDown(person.to_owned())));
    assert!(session.state().annotate.asked().is_some(), "there is an item to answer");
    (session, [open, began.elapsed()])
}

/// Answers the item on the screen; how long it takes until the answer is on disk and the next item shows.
fn answer_next(session: &mut Session) -> Duration {
    let value = Some(AnswerValue::YesNo(true));
    let asked = AnnotateCommand::Answer { question: "success".to_owned(), value };
    session.carry_out(Command::Annotate(asked));
    let before = session.state().annotate.ledger.len();
    let began = Instant::now();
    session.carry_out(Command::Annotate(AnnotateCommand::Submit(Dwell::default())));
    let saving =
        |session: &Session| session.state().annotate.desk.as_ref().map(|it| it.saving.clone());
    while matches!(saving(session), Some(Saving::Writing(_))) {
        session.take_next_event(Duration::from_millis(20));
    }
    // The pause in which it can be undone is not counted.
    session.carry_out(Command::Annotate(AnnotateCommand::GoOn));
    let took = began.elapsed();
    assert_eq!(session.state().annotate.ledger.len(), before + 1, "the answer is written");
    took
}

fn bench_project(criterion: &mut Criterion, people: &[String], plan: &BootstrapPlan) {
    let Some(form) = builtin_form("task-success") else { return };
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("large.labels");
    let file = write_project(&path, form, people);
    let (items, ledger) = (file.items().expect("items"), file.ledger().expect("events"));
    criterion.bench_function("all that a report says, 100,000 answers", |bencher| {
        bencher.iter(|| Findings::of(form, &items, black_box(&ledger), plan, Some(2.0)));
    });
    drop(file);
    let megabytes = std::fs::metadata(&path).map_or(0.0, |it| it.len() as f64 / 1e6);
    let word = if megabytes < FILE_MEGABYTES { "held" } else { "NOT HELD" };
    println!(
        "the file of 100,000 answers: {megabytes:.1} MB, {FILE_MEGABYTES} MB to be held: {word}"
    );
    criterion.bench_function("opening the file of 100,000 answers", |bencher| {
        bencher.iter(|| {
            let file = LabelFile::open(&path, WriterId(2)).expect("it opens");
            black_box((file.items().expect("items"), file.ledger().expect("events")))
        });
    });
    // Who is not among the people has every item to answer: the longest queue there is.
    let person = "somebody else";
    let opened: Vec<[Duration; 2]> = (0..TIMES).map(|_| at_desk(&path, person).1).collect();
    let what = ["opening it in the window", "opening it and sitting down, the first item there"];
    for (which, what) in what.into_iter().enumerate() {
        held(what, median(opened.iter().map(|took| took[which]).collect()), OPENING);
    }
    let (mut session, _) = at_desk(&path, person);
    // So many and no more: every answer uses up an item.
    let took: Vec<Duration> = (0..1_000).map(|_| answer_next(&mut session)).collect();
    held(
        "an answer on disk and the next item, the slowest of 1,000",
        *took.iter().max().expect("one"),
        NEXT_ITEM,
    );
    held("the same, the median", median(took), NEXT_ITEM);
}

fn main() {
    let people: Vec<String> = (0..PEOPLE).map(|at| format!("person {at}")).collect();
    let items: Vec<ItemId> = (0..ITEMS).map(|at| ItemId(format!("{at:016x}"))).collect();
    let plan = BootstrapPlan { resamples: 2_000, ..BootstrapPlan::default() };
    let mut criterion = Criterion::default().configure_from_args().sample_size(10);
    for id in ["likert", "ndec", "canvas-errors"] {
        let Some(form) = builtin_form(id) else { continue };
        let given: Vec<Vec<(&str, Answer)>> = (0..ITEMS)
            .map(|item| {
                let who = (0..PER_ITEM).map(|at| (item + at * 4 + at * item % 4) % PEOPLE);
                who.map(|person| (people[person].as_str(), answer(form, item, person))).collect()
            })
            .collect();
        let answers: Answers<'_> = items
            .iter()
            .zip(&given)
            .map(|(item, row)| {
                let row = row.iter().map(|(person, answer)| (*person, answer));
                (item, row.collect::<BTreeMap<_, _>>())
            })
            .collect();
        let name = format!("agreement by {id}, 100,000 answers");
        criterion.bench_function(&name, |bencher| {
            bencher.iter(|| agreement(form, black_box(&answers), &plan));
        });
        let took = (0..TIMES).map(|_| {
            let began = Instant::now();
            black_box(agreement(form, black_box(&answers), &plan));
            began.elapsed()
        });
        held(&name, median(took.collect()), AGREEMENT);
    }
    bench_project(&mut criterion, &people, &plan);
    criterion.final_summary();
}
