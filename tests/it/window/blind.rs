//! Blind means blind in every room: what people said shows nowhere while somebody labels, and over the room in which
//! they do nothing opens, and from it nothing is copied, that names who made what.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use pentimento::label::form::builtin_form;
use pentimento::label::{
    Item, ItemId, ItemKind, LabelledRun, Project, QueueSettings, StudySettings,
};
use pentimento::workbench::{
    AnnotateCommand, Cell, Column, Command, DerivedKey, Event, ExploreCommand, InspectorTab,
    JobOutcome, LabelNews, NoticeSubject, OpenLabels, Overlay, Request, RunId, State, ThemeChoice,
    Workspace, apply, handle, views,
};

use super::harness::copied_text;
use super::labelling::{Host, SMALL, press, shows_pictures, state, themed_desk, until, words_of};
use super::labels_tab::{RUN, answer, made, send, shown};

const HIDDEN: &str = "labels are hidden while somebody labels blind";
/// Filters over labels, in every way of writing.
const OVER_LABELS: [&str; 6] = [
    "label:inconsistency",
    "label=inconsistency",
    "-label:inconsistency",
    "preferred>0.5",
    "ndec<0.5 or labels>=3",
    "model:scripted labels>=3",
];

fn annotate(harness: &mut Harness<'_, Host>, command: AnnotateCommand) {
    send(harness, Command::Annotate(command));
    harness.run_steps(3);
}

fn explore(harness: &mut Harness<'_, Host>, command: ExploreCommand) {
    send(harness, Command::Explore(command));
    harness.run_steps(2);
}

/// Which runs the library says something of that people said.
fn labelled_rows(state: &State) -> usize {
    let rows = views::library_rows(state).rows;
    let labelled = rows.iter().filter(|row| match row {
        views::LibraryRow::Run(run) => run.labels.is_some(),
        _ => false,
    });
    labelled.count()
}

fn marked_steps(state: &State) -> usize {
    let timeline = views::timeline(state).unwrap();
    timeline.steps.iter().filter(|step| !step.labels.is_empty()).count()
}

/// The run that people labelled, on the stage.
fn labelled_run(state: &State, dir: &Path) -> RunId {
    let run = state.selection.run.unwrap();
    assert_eq!(state.library.runs[&run].dir, dir.join(RUN));
    run
}

/// A project with answers, its run on the stage, and columns of labels in Explore.
fn answered(is_blind: bool) -> (tempfile::TempDir, Harness<'static, Host>) {
    let dir = made(is_blind);
    answer(dir.path());
    let mut harness = shown(dir.path(), ThemeChoice::Dark);
    send(&mut harness, Command::ShowInspector(InspectorTab::Step));
    // Beside it stands the column of labels from the beginning.
    explore(&mut harness, ExploreCommand::ToggleColumn(Column::Answers));
    (dir, harness)
}

#[test]
fn what_people_said_shows_in_no_room_while_somebody_labels_blind() {
    let (dir, mut harness) = answered(true);
    let run = labelled_run(state(&harness), dir.path());
    let folder = dir.path().join(RUN);
    // Nobody labels yet: all of it is there, or the rest of this would hold of nothing.
    let rows = labelled_rows(state(&harness));
    let steps = marked_steps(state(&harness));
    assert!(rows > 0 && steps > 0, "{rows} {steps}");
    harness.run_steps(3);
    let said = words_of(&harness);
    assert!(said.contains("12 labels · preferred 67 % of 3"), "{said}");
    annotate(&mut harness, AnnotateCommand::Show(Workspace::Explore));
    explore(&mut harness, ExploreCommand::SetFilter("label:inconsistency".to_owned()));
    assert_eq!(state(&harness).explore.table.shown, [run]);
    let cell = state(&harness).explore_cell_words(run, &Column::Labels);
    assert!(cell.contains("layout_displacement"), "{cell}");

    annotate(&mut harness, AnnotateCommand::SitDown("ada".to_owned()));
    // In Explore: no cell, no filter and no way to go on with one.
    annotate(&mut harness, AnnotateCommand::Show(Workspace::Explore));
    for filter in OVER_LABELS {
        explore(&mut harness, ExploreCommand::SetFilter(filter.to_owned()));
        let table = &state(&harness).explore.table;
        let problem = table.problem.as_ref().unwrap();
        assert!(problem.message.ends_with(HIDDEN), "{filter}: {}", problem.message);
        assert_eq!(table.shown.len(), state(&harness).library.runs.len(), "{filter}");
        let counted = table.completions.iter().filter(|way| way.runs.is_some()).count();
        assert_eq!(counted, 0, "{filter}");
    }
    assert!(words_of(&harness).contains(HIDDEN), "the filter says why");
    explore(&mut harness, ExploreCommand::SetFilter("label:".to_owned()));
    assert!(state(&harness).explore.table.completions.is_empty());
    explore(&mut harness, ExploreCommand::SetFilter(String::new()));
    let table = &state(&harness).explore.table;
    for run in &table.shown {
        for column in [Column::Labels, Column::Answers] {
            let Some(Cell::Missing(why)) = table.cell(*run, &column) else {
                panic!("{column:?}: {:?}", table.cell(*run, &column))
            };
            assert_eq!(why.to_string(), HIDDEN, "alike for runs with and without labels");
        }
    }
    assert!(!words_of(&harness).contains("layout_displacement"));

    // In the other room: no row, no mark, no fact, and no filter of the library.
    annotate(&mut harness, AnnotateCommand::Show(Workspace::Inspect));
    assert!(state(&harness).annotate.said_of(&folder).is_none());
    assert_eq!((labelled_rows(state(&harness)), marked_steps(state(&harness))), (0, 0));
    let words = words_of(&harness);
    assert!(words.contains("hidden while somebody labels blind"), "{words}");
    for told in ["12 labels", "layout displacement", "preferred 67 %"] {
        assert!(!words.to_lowercase().contains(told), "{told}: {words}");
    }
    for filter in OVER_LABELS {
        send(&mut harness, Command::SetFilter(filter.to_owned()));
        let rows = views::library_rows(state(&harness));
        assert!(rows.filter_error.as_ref().unwrap().message.ends_with(HIDDEN), "{filter}");
        assert_eq!(rows.runs_shown, rows.runs_total, "{filter}");
        assert_eq!(views::run_order(state(&harness)).len(), rows.runs_total, "{filter}");
    }
    harness.run_steps(3);
    assert!(words_of(&harness).contains(HIDDEN), "the filter says why");

    // Whoever settles sees all answers anyway, and so does everybody once nobody labels.
    annotate(&mut harness, AnnotateCommand::GetUp);
    send(&mut harness, Command::SetFilter("label:inconsistency".to_owned()));
    assert_eq!(views::run_order(state(&harness)), [run]);
    assert_eq!((labelled_rows(state(&harness)), marked_steps(state(&harness))), (1, steps));
    annotate(&mut harness, AnnotateCommand::SitDownToSettle("lead".to_owned()));
    assert!(state(&harness).annotate.said_of(&folder).is_some());
    assert_eq!(views::run_order(state(&harness)), [run]);
}

#[test]
fn of_a_project_that_is_not_blind_what_people_said_shows_on() {
    let (dir, mut harness) = answered(false);
    let run = labelled_run(state(&harness), dir.path());
    let steps = marked_steps(state(&harness));
    annotate(&mut harness, AnnotateCommand::SitDown("ada".to_owned()));
    assert!(state(&harness).annotate.desk.is_some());
    annotate(&mut harness, AnnotateCommand::Show(Workspace::Inspect));
    assert!(labelled_rows(state(&harness)) > 0);
    assert_eq!(marked_steps(state(&harness)), steps);
    send(&mut harness, Command::SetFilter("label:inconsistency".to_owned()));
    assert_eq!(views::run_order(state(&harness)), [run]);
}

/// Presses a key with modifiers in one frame, in which what is copied is told.
fn press_with(harness: &mut Harness<'_, Host>, key: Key, modifiers: Modifiers) -> Option<String> {
    let key = egui::Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
    harness.input_mut().events.push(key);
    harness.step();
    let copied = copied_text(harness);
    harness.run_steps(3);
    copied
}

#[test]
fn over_a_blind_project_nothing_opens_and_from_it_nothing_is_copied_that_names_runs() {
    let dir = tempfile::tempdir().unwrap();
    let form = builtin_form("pairwise-preference").unwrap();
    let mut harness = themed_desk(dir.path(), form, 3, (SMALL, ThemeChoice::Dark));
    // The library knows names: the same runs are open in the other room, and one is on the stage.
    let runs = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    send(&mut harness, Command::Open(vec![runs]));
    until(&mut harness, "the library is listed", |state| !state.library.runs.is_empty());
    let run = *state(&harness).library.runs.keys().next().unwrap();
    send(&mut harness, Command::SelectRun(run));
    let name = state(&harness).library.runs[&run].manifest.agent.name.clone();
    let copy = Modifiers::COMMAND.plus(Modifiers::ALT);
    // There, keys do what they say.
    annotate(&mut harness, AnnotateCommand::Show(Workspace::Inspect));
    let link = press_with(&mut harness, Key::C, copy).expect("the link is copied");
    assert!(link.contains("sample_runs"), "{link}");
    press_with(&mut harness, Key::J, Modifiers::COMMAND);
    assert_eq!(state(&harness).overlay, Some(Overlay::Jobs));
    press(&mut harness, Key::Escape);
    press_with(&mut harness, Key::B, Modifiers::COMMAND);
    assert_eq!(state(&harness).overlay, Some(Overlay::Bookmarks));
    press(&mut harness, Key::Escape);

    annotate(&mut harness, AnnotateCommand::Show(Workspace::Annotate));
    until(&mut harness, "the pictures are there", shows_pictures);
    assert_eq!(press_with(&mut harness, Key::C, copy), None, "a link names a folder");
    for key in [Key::J, Key::B] {
        press_with(&mut harness, key, Modifiers::COMMAND);
        assert_eq!(state(&harness).overlay, None, "{key:?}");
    }
    // Whatever else would open them.
    for overlay in [Overlay::Jobs, Overlay::Bookmarks, Overlay::Launch, Overlay::Unfinished] {
        send(&mut harness, Command::ToggleOverlay(overlay));
        assert_eq!(state(&harness).overlay, None, "{overlay:?}");
    }
    press_with(&mut harness, Key::P, Modifiers::COMMAND);
    assert_eq!(state(&harness).overlay, Some(Overlay::Palette), "it offers items and commands");
    harness.event(egui::Event::Text("show".to_owned()));
    harness.run_steps(3);
    assert!(harness.query_all_by_label("Show the guide").next().is_some());
    assert!(harness.query_all_by_label("Show jobs").next().is_none());
    press(&mut harness, Key::Escape);
    press_with(&mut harness, Key::P, Modifiers::COMMAND);
    harness.event(egui::Event::Text("/".to_owned()));
    harness.run_steps(3);
    assert!(harness.query_all_by_label("No match").next().is_some(), "folders may name makers");
    press(&mut harness, Key::Escape);
    // What is said of labelling shows; what is said of runs does not.
    send(&mut harness, Command::Warn(format!("a run of {name} failed")));
    annotate(&mut harness, AnnotateCommand::WarnOfUnsaved);
    let notices = &state(&harness).notices;
    assert!(notices.iter().any(|notice| notice.about == Some(NoticeSubject::Labelling)));
    let words = words_of(&harness);
    assert!(words.contains("Closing the window again gives it up"), "{words}");
    assert!(!words.contains(&format!("of {name} failed")), "{words}");
    // A project that opens below a list closes it.
    annotate(&mut harness, AnnotateCommand::Close);
    press_with(&mut harness, Key::J, Modifiers::COMMAND);
    assert_eq!(state(&harness).overlay, Some(Overlay::Jobs), "nothing is blind without a project");
    let open = AnnotateCommand::Open(dir.path().join("study.labels"));
    send(&mut harness, Command::Annotate(open));
    send(&mut harness, Command::ToggleOverlay(Overlay::Jobs));
    until(&mut harness, "the project is open", |state| state.annotate.labels.is_some());
    assert_eq!(state(&harness).overlay, None);
}

/// What stands in the place of the pictures of a pair whose files cannot be read, as the worker says it.
fn failures(is_blind: bool) -> Vec<String> {
    let form = builtin_form("pairwise-preference").unwrap();
    let run = |model: &str| LabelledRun {
        path: format!("runs/{model}-01"),
        content: "0".repeat(32),
        model: model.to_owned(),
    };
    let item = Item {
        runs: vec![run("quartz-7b"), run("saffron")],
        ..Item::bare(ItemId("pair".to_owned()), ItemKind::Pair)
    };
    let path = PathBuf::from("/study/study.labels");
    let labels = OpenLabels {
        path: path.clone(),
        project: Project {
            id: "5eed".to_owned(),
            name: "Study".to_owned(),
            forms: vec![form.hash()],
            guidelines: String::new(),
            task_sets: Vec::new(),
            people: vec!["ada".to_owned()],
            queue: QueueSettings { is_blind, ..QueueSettings::default() },
            study: StudySettings::default(),
            packet: None,
        },
        forms: vec![form.clone()],
        places: BTreeMap::from([(item.id.clone(), 0)]),
        items: vec![item],
        is_read_only: false,
        missing: BTreeSet::new(),
        survey: None,
        pictures: Arc::default(),
    };
    let mut state = State::default();
    drop(handle(&mut state, Command::Annotate(AnnotateCommand::Open(path.clone()))));
    let result = Ok((Arc::new(labels), Box::default()));
    drop(apply(&mut state, Event::Labels(LabelNews::Opened { path, result })));
    let sit_down = AnnotateCommand::SitDown("ada".to_owned());
    let asked = handle(&mut state, Command::Annotate(sit_down)).into_iter();
    let mut jobs = asked.filter_map(|request| match request {
        Request::Derive { job, key: DerivedKey::Evidence(_), .. } => Some(job),
        _ => None,
    });
    let job = jobs.next().expect("the item's runs are asked for");
    let why = "cannot be read: no such file: /study/runs/quartz-7b-01/pictures/0003.png";
    let failed = JobOutcome::Failed(why.to_owned());
    drop(apply(&mut state, Event::JobEnded(job, failed)));
    let panes = views::evidence_panes(&state);
    let failed = panes.iter().filter_map(|pane| match pane.shown.status {
        views::PaneStatus::Failed(why) => Some(why.to_owned()),
        _ => None,
    });
    failed.collect()
}

#[test]
fn a_picture_that_cannot_be_read_does_not_say_where_it_lay() {
    let told = failures(false);
    assert_eq!(told.len(), 2);
    assert!(told.iter().all(|why| why.contains("/study/runs/quartz-7b-01")), "{told:?}");
    let told = failures(true);
    assert_eq!(told.len(), 2);
    assert!(told.iter().all(|why| *why == "it cannot be shown: tell who leads the project"));
}
