//! A project of 100,000 answers of 20 people to 20,000 items, against the clock: agreement with intervals, opening,
//! all that a report says, and the next item. How large its file is, is printed.

#![expect(clippy::expect_used, reason = "without its project it measures nothing")]
#![expect(clippy::print_stdout, reason = "how large the file is has no other place")]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use criterion::Criterion;
use pentimento::app::Session;
use pentimento::label::agreement::{Answers, agreement};
use pentimento::label::form::builtin_form;
use pentimento::label::{
    Act, Answer, AnswerValue, Answered, Findings, Form, Item, ItemId, ItemRole, Project,
    QueueSettings, StudySettings, WriterId,
};
use pentimento::metric::stats::BootstrapPlan;
use pentimento::store::labels::{LabelFile, NewEvent};
use pentimento::workbench::{AnnotateCommand, Command, Dwell, Saving, Settings, State};
use pentimento::worker::WorkerConfig;

const ITEMS: usize = 20_000;
const PEOPLE: usize = 20;
const PER_ITEM: usize = 5;

/// What somebody answers to an item: mostly what others do.
fn answer(form: &Form, item: usize, person: usize) -> Answer {
    let values = form.questions.iter().enumerate().map(|(at, question)| {
        let whim = (item * 31 + person * 17 + at * 7) % 11;
        let value = if question.id == "rating" {
            let rating = 1 + (item * 7 + usize::from(whim > 7)) % 5;
            AnswerValue::Rating(i32::try_from(rating).unwrap_or(1))
        } else {
            AnswerValue::YesNo((item + at + usize::from(whim == 0)).is_multiple_of(3))
        };
        (question.id.clone(), value)
    });
    let asked = values.filter(|(id, _)| id != "reason");
    Answer { values: asked.collect(), ..Answer::default() }
}

/// A project by a form, with everything answered but the last items.
fn write_project(path: &Path, form: &Form, people: &[String]) -> LabelFile {
    let item = |at: usize| Item {
        id: ItemId(format!("{at:016x}")),
        kind: form.about,
        task: None,
        runs: Vec::new(),
        step: None,
        candidates: Vec::new(),
        sources: Vec::new(),
        text: None,
        strata: BTreeMap::new(),
        role: ItemRole::Plain,
        known: None,
        proposal: None,
        repeats: None,
    };
    let items: Vec<Item> = (0..ITEMS).map(item).collect();
    let labels_per_item = u32::try_from(PEOPLE).unwrap_or(1);
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
    let given = (0..ITEMS).flat_map(|item| {
        let who = (0..PER_ITEM).map(move |at| (item + at * 4 + at * item % 4) % PEOPLE);
        who.map(move |person| (item, person))
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
    file.record_all(events.collect()).expect("the answers are written");
    file
}

/// Somebody at the project, as in the window.
fn at_desk(path: &Path, person: &str) -> Session {
    let state = State::new(Settings::default(), PathBuf::from("runs"));
    let mut session = Session::start(state, WorkerConfig::default(), || {}).expect("it starts");
    session.carry_out(Command::Annotate(AnnotateCommand::Open(path.to_path_buf())));
    while session.state().annotate.labels.is_none() {
        session.take_next_event(Duration::from_millis(20));
    }
    session.carry_out(Command::Annotate(AnnotateCommand::SitDown(person.to_owned())));
    session
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
    let bytes = std::fs::metadata(&path).map_or(0, |it| it.len());
    println!("the file of 100,000 answers: {:.1} MB", bytes as f64 / 1e6);
    criterion.bench_function("opening a project of 100,000 answers", |bencher| {
        bencher.iter(|| {
            let file = LabelFile::open(&path, WriterId(2)).expect("it opens");
            black_box((file.items().expect("items"), file.ledger().expect("events")))
        });
    });
    let mut session = at_desk(&path, "person 0");
    // So many and no more: every answer uses up an item.
    let mut took: Vec<Duration> = (0..1_000).map(|_| answer_next(&mut session)).collect();
    took.sort_unstable();
    println!("an answer on disk and the next item: {:?}, the slowest {:?}", took[500], took[999]);
}

fn main() {
    let people: Vec<String> = (0..PEOPLE).map(|at| format!("person {at}")).collect();
    let items: Vec<ItemId> = (0..ITEMS).map(|at| ItemId(format!("{at:016x}"))).collect();
    let plan = BootstrapPlan { resamples: 2_000, ..BootstrapPlan::default() };
    let mut criterion = Criterion::default().configure_from_args().sample_size(10);
    for id in ["likert", "ndec"] {
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
        let name = format!("agreement of {} questions, 100,000 answers", form.questions.len());
        criterion.bench_function(&name, |bencher| {
            bencher.iter(|| agreement(form, black_box(&answers), &plan));
        });
    }
    bench_project(&mut criterion, &people, &plan);
    criterion.final_summary();
}
