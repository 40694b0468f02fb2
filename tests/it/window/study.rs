//! What comes before the first item, who leaves, and what is revealed: by keys, on disk, and as it looks.

use std::fs;

use egui::{Key, Modifiers, Rect, pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};

use pentimento::label::{Act, CellKey, ItemId, ItemRole, Qualification, WriterId};
use pentimento::store::labels::LabelFile;
use pentimento::workbench::{
    AnnotateCommand, Command, Reading, Saving, Settings, State, ThemeChoice, views,
};

use super::harness::add_look_at;
use super::labelling::{
    Host, SMALL, THEMES, WIDE, add_look, desk, open, press, shows_pictures, state, until, window,
    words_of,
};
use crate::study::{Study, says};

/// Everything that can come before the first item.
fn whole() -> Study {
    let mut more = vec!["--consent", "consent.md", "--examples", "examples.md"];
    more.extend(["--pre-survey", "about.json", "--qualification", "qualification.csv"]);
    more.extend(["--pass", "0.8"]);
    Study::new(&more)
}

fn at_people<'a>(study: &Study, size: [f32; 2], theme: ThemeChoice) -> Harness<'a, Host> {
    let mut harness = window(Settings { theme, ..Settings::default() }, size);
    // What is timed differs from one time to the next.
    harness.input_mut().focused = false;
    open(&mut harness, &study.path());
    harness.run_steps(2);
    harness
}

fn sit_down(harness: &mut Harness<'_, Host>, name: &str) {
    harness.get_by_label(name).click();
    until(harness, "somebody sits there", |state| state.annotate.desk.is_some());
}

fn is_saved(state: &State) -> bool {
    state.annotate.desk.as_ref().is_some_and(|desk| desk.saving == Saving::Done)
}

/// Answers yes or no, and waits for what comes then.
fn answer(harness: &mut Harness<'_, Host>, yes: bool) {
    let at = desk(harness).at;
    press(harness, if yes { Key::Y } else { Key::N });
    press(harness, Key::Enter);
    until(harness, "the next one shows", |state| {
        is_saved(state) && state.annotate.desk.as_ref().is_some_and(|desk| desk.at != at)
    });
}

fn agree_and_answer_about_oneself(harness: &mut Harness<'_, Host>) {
    press(harness, Key::Enter);
    until(harness, "it is agreed", |state| {
        state.annotate.desk.as_ref().is_some_and(|it| it.reading == Some(Reading::Examples))
    });
    press(harness, Key::Enter);
    assert_eq!(desk(harness).reading, None);
    press(harness, Key::Num3);
    press(harness, Key::Enter);
    until(harness, "the first item shows", |state| {
        is_saved(state) && state.annotate.desk.as_ref().is_some_and(|desk| desk.at == 1)
    });
}

#[test]
fn nothing_is_asked_before_the_text_is_agreed_to_the_person_asked_and_qualified() {
    let study = whole();
    let mut harness = at_people(&study, SMALL, ThemeChoice::Dark);
    sit_down(&mut harness, "ada");
    assert_eq!(desk(&harness).reading, Some(Reading::Consent));
    // No key answers, skips or shows anything behind it.
    for key in [Key::Y, Key::K, Key::Num3, Key::PageDown, Key::F, Key::Backspace] {
        press(&mut harness, key);
    }
    assert_eq!(desk(&harness).reading, Some(Reading::Consent));
    assert!(state(&harness).annotate.ledger.is_empty());
    // Who does not agree is among the people again, and nothing was written down.
    harness.get_by_label("I do not agree").click();
    until(&mut harness, "nobody sits there", |state| state.annotate.desk.is_none());
    assert!(study.file(50).ledger().unwrap().is_empty());
    sit_down(&mut harness, "ada");
    agree_and_answer_about_oneself(&mut harness);
    let file = study.file(51);
    let ledger = file.ledger().unwrap();
    assert!(ledger.has_consented("ada", &file.project().study.consent));
    assert!(!ledger.has_consented("ada", "another text"), "another text is asked about anew");
    assert!(ledger.survey(file.project(), "ada").is_some());

    // The qualification alone is asked: yes is known of both.
    assert_eq!(desk(&harness).units.len(), 3);
    answer(&mut harness, true);
    // Undo goes back while it is not over.
    press(&mut harness, Key::Backspace);
    until(&mut harness, "it is undone", |state| {
        is_saved(state) && state.annotate.desk.as_ref().is_some_and(|desk| desk.at == 1)
    });
    answer(&mut harness, true);
    answer(&mut harness, true);
    assert!(matches!(desk(&harness).qualification, Qualification::Passed(_)));
    assert_eq!(desk(&harness).units.len(), 1 + study.items.len());
    let role = |harness: &Harness<'_, Host>| state(harness).annotate.asked().unwrap().0.role;
    assert_eq!(role(&harness), ItemRole::Plain);
    // What decided it stays: neither undo nor a second answer changes it.
    let events = state(&harness).annotate.ledger.len();
    press(&mut harness, Key::Backspace);
    harness.run_steps(3);
    assert!(desk(&harness).told.as_deref().unwrap().contains("is over"));
    press(&mut harness, Key::PageUp);
    assert_eq!(role(&harness), ItemRole::Qualification);
    press(&mut harness, Key::N);
    press(&mut harness, Key::Enter);
    harness.run_steps(3);
    assert!(desk(&harness).draft.problem.as_deref().unwrap().contains("is over"));
    assert_eq!(state(&harness).annotate.ledger.len(), events);

    // Next time nothing of it is asked again.
    harness.key_press_modifiers(Modifiers::COMMAND, Key::U);
    until(&mut harness, "nobody sits there", |state| state.annotate.desk.is_none());
    sit_down(&mut harness, "ada");
    assert_eq!(desk(&harness).reading, None);
    assert_eq!(role(&harness), ItemRole::Plain);
}

#[test]
fn who_fails_is_told_kindly_and_goes_on_once_the_lead_lets_them() {
    let study = whole();
    let mut harness = at_people(&study, WIDE, ThemeChoice::Dark);
    sit_down(&mut harness, "bo");
    agree_and_answer_about_oneself(&mut harness);
    answer(&mut harness, true);
    answer(&mut harness, false);
    harness.get_by_label("That was the qualification");
    assert_eq!(desk(&harness).units.len(), 3, "no further items");
    let mut results = SnapshotResults::new();
    harness.set_size(egui::vec2(SMALL[0], SMALL[1]));
    add_look(&mut results, &mut harness, "study_failed_dark");
    harness.set_size(egui::vec2(WIDE[0], WIDE[1]));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::U);
    until(&mut harness, "nobody sits there", |state| state.annotate.desk.is_none());
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::J);
    harness.run_steps(2);
    until(&mut harness, "the answers are counted", |state| views::findings(state).is_some());
    harness.get_by_label("Let bo on").click();
    harness.run_steps(2);
    until(&mut harness, "that is on disk", |state| state.annotate.ledger.is_let_on("bo"));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::U);
    until(&mut harness, "nobody sits there", |state| state.annotate.desk.is_none());
    sit_down(&mut harness, "bo");
    assert_eq!(desk(&harness).units.len(), 1 + study.items.len());
    let file = study.file(52);
    let ledger = file.ledger().unwrap();
    let let_on = ledger.in_order().into_iter().find(|it| matches!(it.act, Act::LetOn { .. }));
    assert_eq!(let_on.unwrap().person, "lead");
}

#[test]
fn who_withdraws_is_asked_once_more_and_gone() {
    let study = Study::new(&[]);
    let file = study.file(1);
    says(&file, "bo", &study.items[0].id, true, "quillbrush");
    let mut harness = at_people(&study, SMALL, ThemeChoice::Light);
    harness.get_by_label("More of bo").click();
    harness.run_steps(2);
    harness.get_by_label("Withdraw…").click();
    harness.run_steps(3);
    let words = words_of(&harness);
    assert!(words.contains("1 answer") && words.contains("cannot be undone"), "{words}");
    let mut results = SnapshotResults::new();
    add_look(&mut results, &mut harness, "study_withdrawal_light");
    press(&mut harness, Key::Escape);
    harness.run_steps(2);
    assert!(state(&harness).annotate.asking_withdrawal.is_none());
    assert!(!study.file(2).ledger().unwrap().has_withdrawn("bo"), "nothing was changed");
    let ask = AnnotateCommand::AskWithdrawal(Some("bo".to_owned()));
    harness.state_mut().session.carry_out(Command::Annotate(ask));
    harness.run_steps(3);
    harness.get_by_label("Withdraw for good").click();
    harness.run_steps(2);
    until(&mut harness, "bo is gone", |state| {
        state.annotate.ledger.has_withdrawn("bo") && state.annotate.withdrawing.is_none()
    });
    let key = CellKey {
        item: study.items[0].id.clone(),
        form: file.project().forms[0],
        person: "bo".to_owned(),
    };
    assert!(study.file(3).ledger().unwrap().answer(&key).is_none());
    let bytes = std::process::Command::new("cat").arg(study.path()).output().unwrap().stdout;
    assert!(!bytes.is_empty() && !bytes.windows(10).any(|window| window == b"quillbrush"));
    harness.get_by_label("withdrawn");
    // Who withdrew sits nowhere.
    let sit = AnnotateCommand::SitDown("bo".to_owned());
    harness.state_mut().session.carry_out(Command::Annotate(sit));
    harness.run_steps(2);
    assert!(state(&harness).annotate.desk.is_none());
}

#[test]
fn names_show_in_reviews_once_revealed_and_never_to_who_labels() {
    let dir = crate::first_study::copied();
    let path = dir.path().join("labels/first-study.labels");
    let mut harness = window(Settings::default(), WIDE);
    open(&mut harness, &path);
    let review = |harness: &mut Harness<'_, Host>| {
        harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::J);
        harness.run_steps(2);
        until(harness, "the answers are counted", |state| {
            views::findings(state).is_some() && shows_pictures(state)
        });
    };
    let file = LabelFile::open(&path, WriterId(60)).unwrap();
    // Beside the side it stands on: the project's own name says how it was made.
    let mut names: Vec<String> = Vec::new();
    for run in file.items().unwrap().into_iter().flat_map(|item| item.runs) {
        names.push(format!("· {}", run.model.to_lowercase()));
    }
    let shows_name = |harness: &Harness<'_, Host>| {
        let words = words_of(harness).to_lowercase();
        names.iter().any(|name| words.contains(name.as_str()))
    };
    review(&mut harness);
    assert!(!shows_name(&harness), "blind, so far");
    harness.get_by_label("Reveal who made what…").click();
    harness.run_steps(3);
    assert!(words_of(&harness).contains("cannot be taken back"));
    assert!(file.ledger().unwrap().revealed().is_none(), "it is asked first");
    let mut results = SnapshotResults::new();
    harness.get_by_label("Reveal").click();
    harness.run_steps(2);
    until(&mut harness, "it is revealed", |state| state.annotate.ledger.revealed().is_some());
    until(&mut harness, "the pictures are there", shows_pictures);
    assert!(shows_name(&harness), "{}", words_of(&harness));
    let ledger = file.ledger().unwrap();
    let revealed = ledger.revealed().unwrap();
    assert_eq!((revealed.person.as_str(), &revealed.item), ("lead", &ItemId::study()));
    until(&mut harness, "it is counted again", |state| {
        let key = pentimento::workbench::FindingsKey(state.annotate.ledger.len());
        state.derived.findings.ready(&key).is_some()
    });
    add_look(&mut results, &mut harness, "study_revealed_dark");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::U);
    until(&mut harness, "nobody sits there", |state| state.annotate.desk.is_none());
    let person = state(&harness).annotate.people[0].name.clone();
    sit_down(&mut harness, &person);
    let go = Command::Annotate(AnnotateCommand::GoTo(0));
    harness.state_mut().session.carry_out(go);
    until(&mut harness, "the pictures are there", shows_pictures);
    assert!(!shows_name(&harness), "who labels sees none: {}", words_of(&harness));
}

#[test]
fn what_comes_before_the_first_item_looks() {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in THEMES {
        let study = whole();
        let mut harness = at_people(&study, SMALL, theme);
        sit_down(&mut harness, "ada");
        add_look(&mut results, &mut harness, &format!("study_consent_{suffix}"));
        press(&mut harness, Key::Enter);
        until(&mut harness, "it is agreed", |state| {
            state.annotate.desk.as_ref().is_some_and(|it| it.reading == Some(Reading::Examples))
        });
        add_look(&mut results, &mut harness, &format!("study_examples_{suffix}"));
        press(&mut harness, Key::Enter);
        press(&mut harness, Key::Num3);
        add_look(&mut results, &mut harness, &format!("study_about_you_{suffix}"));
    }
}

#[test]
fn a_proposal_comes_after_the_answer_which_keeps_what_it_said() {
    let study = Study::new(&[]);
    crate::study::put_plans(study.dir());
    let run = crate::study::RUNS[0];
    let mut line = vec!["new", "plans.labels", run, "--tasks", ".", "--form", "plan-errors"];
    line.extend(["--person", "ada"]);
    crate::first_study::label(study.dir(), &line);
    let path = study.dir().join("plans.labels");
    let mut results = SnapshotResults::new();
    let mut harness = window(Settings::default(), WIDE);
    harness.input_mut().focused = false;
    open(&mut harness, &path);
    sit_down(&mut harness, "ada");
    let at = desk(&harness).units.iter().position(|unit| {
        let labels = state(&harness).annotate.labels.as_ref().unwrap();
        labels.item(unit).unwrap().step == Some(1)
    });
    let go = AnnotateCommand::GoTo(at.unwrap());
    harness.state_mut().session.carry_out(Command::Annotate(go));
    until(&mut harness, "the pictures are there", shows_pictures);
    assert!(views::proposal(state(&harness)).is_none(), "it would be an anchor");
    assert!(!words_of(&harness).contains("Proposed by a program"));
    // Nothing, says ada.
    press(&mut harness, Key::Num6);
    press(&mut harness, Key::Enter);
    until(&mut harness, "it is on disk", |state| {
        is_saved(state) && state.annotate.ledger.len() == 1
    });
    harness.run_steps(3);
    assert_eq!(Some(desk(&harness).at), at, "it stays, so that the proposal is seen");
    harness.get_by_label("Proposed by a program");
    let words = words_of(&harness);
    assert!(words.contains("Invalid expert") && words.contains("nobody's answer"), "{words}");
    // The form alone: every project of a new file has an order of its own.
    harness.remove_cursor();
    harness.run_steps(4);
    let proposal = harness.get_by_label("Proposed by a program").rect();
    let last = harness.get_by_label("I am not sure").rect();
    let form =
        Rect::from_min_max(proposal.min - vec2(40.0, 60.0), pos2(WIDE[0], last.bottom() + 20.0));
    add_look_at(&mut results, &mut harness, "study_proposal_dark", form);
    // She changes her mind.
    press(&mut harness, Key::Num6);
    press(&mut harness, Key::Num1);
    press(&mut harness, Key::Enter);
    until(&mut harness, "the next one shows", |state| {
        is_saved(state) && state.annotate.desk.as_ref().is_some_and(|desk| Some(desk.at) != at)
    });
    let ledger = LabelFile::open(&path, WriterId(61)).unwrap().ledger().unwrap();
    let said: Vec<(String, String)> = ledger
        .in_order()
        .into_iter()
        .map(|event| {
            let Act::Answered(answered) = &event.act else { panic!("{event:?}") };
            let shown = answered.shown.as_ref().unwrap().proposal.as_ref().unwrap();
            assert_eq!(shown.when, pentimento::label::ProposalTime::After);
            let words = |answer: &pentimento::label::Answer| answer.values["errors"].words();
            (words(&answered.answer).join("|"), words(&shown.said).join("|"))
        })
        .collect();
    let both = |mine: &str| (mine.to_owned(), "invalid_expert".to_owned());
    assert_eq!(said, [both("none"), both("invalid_expert")]);
    // For the timeline, which shows it once nobody labels blind.
    let labels = state(&harness).annotate.labels.as_ref().unwrap();
    let folder = study.dir().join(&labels.items[0].runs[0].path);
    assert!(state(&harness).annotate.said_of(&folder).is_none());
    harness.state_mut().session.carry_out(Command::Annotate(AnnotateCommand::GetUp));
    let said = state(&harness).annotate.said_of(&folder);
    let labels = said.map(|said| said.steps.clone());
    let label = pentimento::workbench::StepLabel {
        step: 1,
        words: "Invalid expert".to_owned(),
        people: 1,
        asked: 1,
    };
    assert_eq!(labels, Some(vec![label]));
}

#[test]
fn practice_tells_at_once_what_it_should_be() {
    let study = Study::new(&["--practice", "qualification.csv"]);
    let mut harness = at_people(&study, SMALL, ThemeChoice::Light);
    sit_down(&mut harness, "ada");
    until(&mut harness, "the pictures are there", shows_pictures);
    press(&mut harness, Key::N);
    press(&mut harness, Key::Enter);
    until(&mut harness, "it is on disk", |state| {
        is_saved(state) && state.annotate.ledger.len() == 1
    });
    harness.run_steps(3);
    assert_eq!(desk(&harness).at, 0, "it stays, so that this is read");
    harness.get_by_label("It should be");
    let mut results = SnapshotResults::new();
    until(&mut harness, "the filmstrip is there", |state| {
        let pictures = &state.derived.pictures;
        pictures.iter().all(|(key, _)| !pictures.is_pending(key))
    });
    add_look(&mut results, &mut harness, "study_practice_light");
    press(&mut harness, Key::Y);
    press(&mut harness, Key::Enter);
    until(&mut harness, "it is on disk", |state| {
        is_saved(state) && state.annotate.ledger.len() == 2
    });
    harness.run_steps(3);
    harness.get_by_label("As it should be");
    press(&mut harness, Key::Enter);
    until(&mut harness, "the next one shows", |state| {
        state.annotate.desk.as_ref().is_some_and(|desk| desk.at == 1)
    });
}

#[test]
fn what_lies_elsewhere_is_left_out_and_found_again() {
    let study = Study::new(&[]);
    fs::rename(study.dir().join("runs"), study.dir().join("elsewhere")).unwrap();
    let mut harness = at_people(&study, SMALL, ThemeChoice::Dark);
    let words = words_of(&harness);
    assert!(words.contains("are left out: their runs are not where they lay"), "{words}");
    let mut results = SnapshotResults::new();
    add_look(&mut results, &mut harness, "study_moved_dark");
    sit_down(&mut harness, "ada");
    assert!(desk(&harness).units.is_empty(), "nothing is asked that cannot be shown");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::U);
    until(&mut harness, "nobody sits there", |state| state.annotate.desk.is_none());
    let look = AnnotateCommand::Relocate(study.dir().join("elsewhere"));
    harness.state_mut().session.carry_out(Command::Annotate(look));
    until(&mut harness, "they are found", |state| {
        let labels = state.annotate.labels.as_ref();
        labels.is_some_and(|labels| labels.missing.is_empty())
    });
    sit_down(&mut harness, "ada");
    until(&mut harness, "the pictures are there", shows_pictures);
    assert_eq!(desk(&harness).units.len(), study.items.len());
}
