//! Who leads a project: making one, agreement, and settling what people differ on; by keys, blind, and as it looks.

use std::path::PathBuf;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Rect, pos2};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};

use pentimento::label::form::builtin_form;
use pentimento::label::{Answer, Item, ItemId, ItemRole, Provenance, WriterId};
use pentimento::store::labels::LabelFile;
use pentimento::workbench::{
    AnnotateCommand, Command, NewLabels, NewLabelsFile, NewText, ReviewList, Settings, State,
    ThemeChoice, views,
};

use super::accessibility::assert_all_have_names;
use super::harness::add_look_at;
use super::labelling::{
    Host, SMALL, THEMES, WIDE, add_look, desk, dressed, is_listed, open, press, shows_pictures,
    state, until, window, words_of,
};
use crate::first_study::{copied, label};
use crate::study::Study;

/// The pair that three people answered in three ways.
const DISPUTED: &str = "f6df05f79faf1573";

/// A window with the lead over a copy of the project.
fn review<'a>(dir: &std::path::Path, size: [f32; 2], theme: ThemeChoice) -> Harness<'a, Host> {
    let mut harness = window(Settings { theme, ..Settings::default() }, size);
    open(&mut harness, &dir.join("labels/first-study.labels"));
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::J);
    harness.run_steps(2);
    until(&mut harness, "the answers are counted", |state| {
        views::findings(state).is_some() && shows_pictures(state)
    });
    harness
}

/// What the disputed pair came to on disk: the answer, and who settled it.
fn settled(dir: &std::path::Path) -> Option<(String, String)> {
    let file = LabelFile::open(&dir.join("labels/first-study.labels"), WriterId(99)).unwrap();
    let ledger = file.ledger().unwrap();
    let form = file.forms().unwrap()[0].hash();
    let found = ledger.settled(&ItemId(DISPUTED.to_owned()), form);
    let one = found.values().next()?;
    Some((one.value.to_owned(), one.event.person.clone()))
}

fn item_shown(harness: &Harness<'_, Host>) -> String {
    let (labels, desk) = state(harness).annotate.at_desk().unwrap();
    labels.item(desk.unit().unwrap()).unwrap().id.0.clone()
}

fn is_counted(state: &State) -> bool {
    let events = state.annotate.ledger.len();
    let key = pentimento::workbench::FindingsKey(events);
    state.derived.findings.ready(&key).is_some()
}

#[test]
fn what_people_differ_on_is_settled_taken_back_and_settled_anew_by_keys() {
    let dir = copied();
    let dir = dir.path();
    assert_eq!(settled(dir), Some(("first".to_owned(), "lead".to_owned())));
    let mut harness = review(dir, WIDE, ThemeChoice::Dark);
    // Nothing is left to settle: what people agree on least comes first.
    assert_eq!(views::review(state(&harness)).unwrap().list, ReviewList::Differ);
    assert_eq!(item_shown(&harness), DISPUTED);
    assert_all_have_names(&harness, "settling");
    harness.get_by_label("Take back").click();
    harness.run_steps(2);
    until(&mut harness, "it is open again", |state| {
        is_counted(state)
            && views::review_row(state).is_some_and(|it| it.provenance == Provenance::Unresolved)
    });
    assert_eq!(settled(dir), None);
    // 3 is what stands on the right, whichever of the two that is.
    let is_swapped = desk(&harness).unit().unwrap().turn.is_swapped;
    press(&mut harness, Key::Num3);
    until(&mut harness, "it is settled", |state| {
        is_counted(state)
            && views::review_row(state).is_some_and(|it| it.provenance == Provenance::Adjudicated)
    });
    let right = if is_swapped { "first" } else { "second" };
    assert_eq!(settled(dir), Some((right.to_owned(), "lead".to_owned())));
    press(&mut harness, Key::Backspace);
    until(&mut harness, "that was taken back", |state| views::settlement(state).is_none());
    // What the lead answers as an annotator is none of this: no key writes an answer here.
    let before = state(&harness).annotate.ledger.len();
    for key in [Key::K, Key::U, Key::F, Key::Enter, Key::PageDown, Key::PageUp] {
        press(&mut harness, key);
    }
    harness.run_steps(20);
    assert_eq!(state(&harness).annotate.ledger.len(), before);
    // The next question is an arrow away, with its form's items.
    for _ in 0..5 {
        press(&mut harness, Key::ArrowDown);
    }
    let topic = views::review_topic(state(&harness)).unwrap();
    assert_eq!((topic.form, topic.question.as_str()), (1, "masks"));
    assert_eq!(desk(&harness).unit().unwrap().form, 1);
    press(&mut harness, Key::N);
    until(&mut harness, "the mask is settled", |state| views::settlement(state).is_some());
    let words = words_of(&harness);
    assert!(words.contains("No, settled by lead"), "{words}");
}

#[test]
fn who_settles_a_blind_project_is_not_told_who_made_what_either() {
    let dir = copied();
    let mut harness = review(dir.path(), WIDE, ThemeChoice::Dark);
    let mut seen = String::new();
    for _ in 0..12 {
        seen += &words_of(&harness);
        press(&mut harness, Key::ArrowDown);
        until(&mut harness, "the pictures are there", shows_pictures);
    }
    assert!(seen.contains("careful") && seen.contains("Agreement"), "the screen was read");
    let seen = seen.to_lowercase();
    for name in ["tracer", "scripted-0", "own-samples", "labels/runs"] {
        assert!(!seen.contains(name), "{name:?} reached the screen");
    }
}

#[test]
fn agreement_looks() {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in THEMES {
        let dir = copied();
        let size = if suffix == "dark" { WIDE } else { SMALL };
        let mut harness = review(dir.path(), size, theme);
        harness.input_mut().focused = false;
        until(&mut harness, "all pictures are there", |state| {
            let pictures = &state.derived.pictures;
            pictures.iter().all(|(key, _)| !pictures.is_pending(key))
        });
        add_look(&mut results, &mut harness, &format!("annotate_agreement_{suffix}"));
    }
}

/// A window in which a project is being made of the sample runs.
fn making<'a>(size: [f32; 2], theme: ThemeChoice) -> Harness<'a, Host> {
    making_of(crate::first_study::samples(), size, theme)
}

/// The same of another folder.
fn making_of<'a>(dir: PathBuf, size: [f32; 2], theme: ThemeChoice) -> Harness<'a, Host> {
    let mut harness = window(Settings { theme, ..Settings::default() }, size);
    harness.state_mut().session.carry_out(Command::Open(vec![dir]));
    until(&mut harness, "the library is listed", is_listed);
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::N);
    harness.run_steps(3);
    harness.get_by_label("New labelling project");
    assert_all_have_names(&harness, "a new labelling project");
    harness
}

#[test]
fn a_project_is_made_of_the_listed_runs_and_opened() {
    let mut harness = making(WIDE, ThemeChoice::Dark);
    harness.get_by_label("Which is closer to the ground truth?").click();
    harness.run_steps(2);
    harness.get_by_label("Errors in a design").click();
    harness.run_steps(2);
    harness.get_by_label("Who labels, divided by commas").focus();
    harness.run_steps(2);
    harness.event(egui::Event::Text("ada, bo , ada".to_owned()));
    harness.run_steps(2);
    harness.get_by_label("Filter of runs").focus();
    harness.run_steps(2);
    harness.event(egui::Event::Text("now-playing".to_owned()));
    harness.run_steps(3);
    harness.get_by_label_contains("1 pair, 2 runs");
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("study.labels");
    let make = || Command::Annotate(AnnotateCommand::Make(path.clone()));
    harness.state_mut().session.carry_out(make());
    harness.run_steps(2);
    harness.get_by_label("ada is named twice");
    assert!(!path.exists());
    let mut draft = state(&harness).annotate.new.clone().unwrap();
    draft.people = "ada\nbo".to_owned();
    let edit = AnnotateCommand::EditNew(Box::new(draft));
    harness.state_mut().session.carry_out(Command::Annotate(edit));
    harness.state_mut().session.carry_out(make());
    until(&mut harness, "the project is open", |state| state.annotate.labels.is_some());
    let labels = state(&harness).annotate.labels.clone().unwrap();
    assert_eq!((labels.project.name.as_str(), labels.items.len()), ("study", 3));
    assert_eq!(labels.project.people, ["ada", "bo"]);
    // Its evidence is found from where the file lies.
    harness.get_by_label("ada").click();
    until(&mut harness, "the pictures are there", shows_pictures);
    // The same file is not overwritten.
    let leave = Command::Annotate(AnnotateCommand::Close);
    harness.state_mut().session.carry_out(leave);
    let begin = Command::Annotate(AnnotateCommand::BeginNew);
    harness.state_mut().session.carry_out(begin);
    let forms = vec!["ndec".to_owned()];
    let draft = NewLabels { forms, ..NewLabels::default() };
    let edit = AnnotateCommand::EditNew(Box::new(draft));
    harness.state_mut().session.carry_out(Command::Annotate(edit));
    harness.state_mut().session.carry_out(make());
    harness.run_steps(2);
    harness.get_by_label_contains("nothing is overwritten");
}

#[test]
fn a_study_made_in_the_window_is_what_the_command_line_makes() {
    let asked = ["--qualification", "qualification.csv", "--pass", "0.5", "--proposals", "never"];
    let shown = ["--examples", "examples.md", "--pre-survey", "background"];
    let study = Study::new(&[&asked[..], &shown].concat());
    let mut harness = making_of(study.dir().to_path_buf(), [1024.0, 1800.0], ThemeChoice::Dark);
    harness.get_by_label("Task success").click();
    harness.get_by_label("Show proposals never").click();
    harness.run_steps(2);
    harness.get_by_role_and_label(Role::MultilineTextInput, "Text to agree to").focus();
    harness.run_steps(2);
    harness.event(egui::Event::Text("You may stop at any time.".to_owned()));
    harness.get_by_label("Questions about people: none").click();
    harness.run_steps(3);
    harness.get_all_by_label("About you").last().unwrap().click();
    harness.run_steps(3);
    harness.get_by_label("Questions about people: About you");
    let files =
        [(NewLabelsFile::Examples, "examples.md"), (NewLabelsFile::Known, "qualification.csv")];
    for (what, file) in files {
        let choose = AnnotateCommand::ChooseNewFile(what, study.dir().join(file));
        harness.state_mut().session.carry_out(Command::Annotate(choose));
    }
    harness.run_steps(3);
    let mut draft = state(&harness).annotate.new.clone().unwrap();
    (draft.qualifying, draft.pass_percent) = (3, 50);
    let make = |harness: &mut Harness<'_, Host>, draft: NewLabels| {
        let edit = AnnotateCommand::EditNew(Box::new(draft));
        harness.state_mut().session.carry_out(Command::Annotate(edit));
        let make = AnnotateCommand::Make(study.dir().join("window.labels"));
        harness.state_mut().session.carry_out(Command::Annotate(make));
    };
    make(&mut harness, draft.clone());
    until(&mut harness, "it is said what is wrong", |state| {
        state.annotate.new.as_ref().is_some_and(|new| new.problem.is_some())
    });
    harness.run_steps(2);
    harness.get_by_label_contains("3 items with a known answer");
    draft.qualifying = 2;
    make(&mut harness, draft);
    until(&mut harness, "the project is open", |state| state.annotate.labels.is_some());
    let made = state(&harness).annotate.labels.clone().unwrap();
    let (project, expected) = (&made.project, study.file(3).project().clone());
    assert_eq!(project.study.consent, "You may stop at any time.");
    assert_eq!(project.study.examples, expected.study.examples);
    assert_eq!(project.study.pre_survey, expected.study.pre_survey);
    assert_eq!(project.study.pass_mark, expected.study.pass_mark);
    assert_eq!(project.queue, expected.queue);
    let qualifying = |items: &[Item]| -> Vec<(ItemId, Option<Answer>)> {
        let mut found: Vec<_> = items
            .iter()
            .filter(|item| item.role == ItemRole::Qualification)
            .map(|item| (item.id.clone(), item.known.clone()))
            .collect();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    };
    assert_eq!(qualifying(&study.items).len(), 2);
    assert_eq!(qualifying(&made.items), qualifying(&study.items));
}

#[test]
fn a_form_of_ones_own_and_practice_are_the_same_in_the_window_and_on_the_command_line() {
    let study = Study::new(&[]);
    let mut form = builtin_form("task-success").unwrap().clone();
    "own".clone_into(&mut form.id);
    let write = |name: &str, text: &str| std::fs::write(study.dir().join(name), text).unwrap();
    write("own.json", &serde_json::to_string(&form).unwrap());
    write("odd.json", "{\"format\": \"pentimento/form\"}");
    let mut line = vec!["new", "cli.labels", "runs", "--tasks", ".", "--form", "own.json"];
    line.extend(["--practice", "qualification.csv"]);
    label(study.dir(), &line);
    let made = LabelFile::open(&study.dir().join("cli.labels"), WriterId(3)).unwrap();
    let practice = |items: &[Item]| -> Vec<(ItemId, Option<Answer>)> {
        let mut found: Vec<_> = items
            .iter()
            .filter(|item| item.role == ItemRole::Practice)
            .map(|item| (item.id.clone(), item.known.clone()))
            .collect();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    };
    let expected = practice(&made.items().unwrap());
    assert_eq!(expected.len(), 2);

    let mut harness = making_of(study.dir().to_path_buf(), [1024.0, 1800.0], ThemeChoice::Dark);
    let choose = |harness: &mut Harness<'_, Host>, what, name: &str| {
        let command = AnnotateCommand::ChooseNewFile(what, study.dir().join(name));
        harness.state_mut().session.carry_out(Command::Annotate(command));
    };
    choose(&mut harness, NewLabelsFile::Form, "odd.json");
    until(&mut harness, "it is said what is wrong", |state| {
        state.annotate.new.as_ref().is_some_and(|new| new.problem.is_some())
    });
    choose(&mut harness, NewLabelsFile::Form, "own.json");
    until(&mut harness, "the form is read", |state| {
        state.annotate.new.as_ref().is_some_and(|new| new.own_forms.len() == 1)
    });
    harness.run_steps(3);
    assert_eq!(harness.query_all_by_label("Task success").count(), 2, "it stands below the others");
    choose(&mut harness, NewLabelsFile::Practice, "qualification.csv");
    let make = AnnotateCommand::Make(study.dir().join("window.labels"));
    harness.state_mut().session.carry_out(Command::Annotate(make));
    until(&mut harness, "the project is open", |state| state.annotate.labels.is_some());
    let labels = state(&harness).annotate.labels.clone().unwrap();
    assert_eq!(labels.project.forms, made.project().forms);
    assert_eq!(labels.forms, [form]);
    assert_eq!(practice(&labels.items), expected);
}

#[test]
fn a_form_that_takes_the_key_of_a_command_is_told_of_where_it_is_chosen() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("keyed.json");
    let asked = serde_json::json!({
        "format": "pentimento/form", "version": 1, "id": "keyed", "title": "Keyed", "about": "run",
        "questions": [{"id": "why", "text": "Why?", "answer": {"kind": "choice", "options": [
            {"id": "fonts", "text": "Fonts", "key": "f"}, {"id": "other", "text": "Other"}]}}],
    });
    std::fs::write(&path, asked.to_string()).unwrap();
    let mut harness = window(Settings::default(), [1024.0, 1500.0]);
    let choose = AnnotateCommand::ChooseNewFile(NewLabelsFile::Form, path);
    for command in [AnnotateCommand::BeginNew, choose] {
        harness.state_mut().session.carry_out(Command::Annotate(command));
    }
    until(&mut harness, "the form is read", |state| {
        state.annotate.new.as_ref().is_some_and(|new| new.own_forms.len() == 1)
    });
    harness.run_steps(3);
    harness.get_by_label_contains("“f” is the key of Flag");
}

#[test]
fn queries_are_the_same_in_the_window_and_on_the_command_line() {
    let dir = tempfile::tempdir().unwrap();
    let folder = crate::ranking::queries(dir.path(), 3);
    let mut line = vec!["new", "cli.labels", "--queries", "drawn-by-models"];
    line.extend(["--form", "component-alignment"]);
    label(dir.path(), &line);
    let made = LabelFile::open(&dir.path().join("cli.labels"), WriterId(3)).unwrap();

    let mut harness = window(Settings::default(), [1024.0, 1500.0]);
    let begin = Command::Annotate(AnnotateCommand::BeginNew);
    harness.state_mut().session.carry_out(begin);
    harness.run_steps(3);
    // No run is needed, and none is open.
    harness.get_by_label("How well each component fits the query").click();
    harness.run_steps(3);
    harness.get_by_label("Queries with pictures: choose a folder");
    let make = AnnotateCommand::Make(dir.path().join("window.labels"));
    harness.state_mut().session.carry_out(Command::Annotate(make.clone()));
    harness.run_steps(3);
    harness.get_by_label_contains("say which queries have some");
    let choose = AnnotateCommand::ChooseNewFile(NewLabelsFile::QueryFolder, folder);
    harness.state_mut().session.carry_out(Command::Annotate(choose));
    harness.state_mut().session.carry_out(Command::Annotate(make));
    until(&mut harness, "the project is open", |state| state.annotate.labels.is_some());
    let labels = state(&harness).annotate.labels.clone().unwrap();
    assert_eq!(labels.items.as_slice(), made.items().unwrap());
}

/// What comes before the first item, alone: the form above it is another picture's.
#[test]
fn what_a_new_study_asks_of_people_looks() {
    let mut results = SnapshotResults::new();
    let mut harness = making([1024.0, 1900.0], ThemeChoice::Dark);
    let draft = NewLabels {
        forms: vec!["plan-errors".to_owned()],
        pre_survey: Some("background".to_owned()),
        examples: NewText { file: Some("/studies/examples.md".into()), ..NewText::default() },
        known: Some("/studies/known-answers.csv".into()),
        qualifying: 5,
        ..NewLabels::default()
    };
    let edit = AnnotateCommand::EditNew(Box::new(draft));
    harness.state_mut().session.carry_out(Command::Annotate(edit));
    harness.remove_cursor();
    for (theme, suffix) in THEMES {
        dressed(&mut harness, theme);
        let top = harness.get_by_label("Before the first item").rect();
        let end = harness.get_by_label("Show proposals never").rect();
        let alone = Rect::from_min_max(
            pos2(top.left() - 24.0, top.top() - 16.0),
            pos2(1024.0 - top.left() + 24.0, end.bottom() + 16.0),
        );
        add_look_at(&mut results, &mut harness, &format!("new_study_{suffix}"), alone);
    }
}

#[test]
fn making_a_project_looks() {
    let mut results = SnapshotResults::new();
    let mut harness = making(SMALL, ThemeChoice::Dark);
    harness.get_by_label("NDEC checklist").click();
    harness.run_steps(2);
    harness.remove_cursor();
    for (theme, suffix) in THEMES {
        dressed(&mut harness, theme);
        // The form alone, as far as it is seen: what stands around it is another picture's.
        let top = harness.get_by_label("What is asked").rect();
        let alone =
            Rect::from_min_max(pos2(top.left() - 16.0, top.top() - 12.0), pos2(848.0, 612.0));
        add_look_at(&mut results, &mut harness, &format!("annotate_new_{suffix}"), alone);
    }
}
