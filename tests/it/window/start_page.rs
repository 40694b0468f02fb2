//! The page that one begins with where people design by hand, versions, and whether all is on disk.

use std::path::{Path, PathBuf};

use egui::{Rect, pos2};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};

use pentimento::base::Size;
use pentimento::editor::{Act, ArrangeAct, SelectAct};
use pentimento::run::TaskRef;
use pentimento::workbench::{
    AnnotateCommand, AssistCommand, AssistStart, Command, FilesCommand, LaunchEdit, PictureKey,
    PlanPhase, Recording, Settings, State, ThemeChoice, Workspace, views,
};

use super::accessibility::assert_all_have_names;
use super::harness::add_look_at;
use super::labelling::{Host, SMALL, WIDE, state, until, window};

fn start_page<'a>(theme: ThemeChoice, size: [f32; 2], out_dir: &Path) -> Harness<'a, Host> {
    let mut harness = window(Settings { theme, ..Settings::default() }, size);
    let samples = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/sample_runs/taskset.json"));
    let session = &mut harness.state_mut().session;
    session.carry_out(Command::EditLaunch(LaunchEdit::OutDir(out_dir.to_path_buf())));
    session.carry_out(Command::Open(vec![samples]));
    session.carry_out(Command::Annotate(AnnotateCommand::Show(Workspace::Assist)));
    until(&mut harness, "the samples are open", |state| !state.library.sets.is_empty());
    harness.run_steps(3);
    harness
}

fn until_open(harness: &mut Harness<'_, Host>) {
    until(harness, "the design is open", |state| state.assist.desk.is_some());
    harness.run_steps(3);
}

fn carry_out(harness: &mut Harness<'_, Host>, command: AssistCommand) {
    harness.state_mut().session.carry_out(Command::Assist(command));
    harness.run_steps(3);
}

fn recording(state: &State) -> Option<&Recording> {
    state.assist.desk.as_ref().map(|desk| &desk.recording)
}

#[test]
fn one_begins_with_a_frame_of_a_usual_size_or_with_a_task() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = start_page(ThemeChoice::Dark, WIDE, dir.path());
    assert_all_have_names(&harness, "the start page");
    harness.get_by_label("Design by hand");
    harness.get_by_label("Worked on before");
    harness.get_by_label("Phone 393 × 852").click();
    until_open(&mut harness);
    let desk = state(&harness).assist.desk.as_ref().unwrap();
    let size = Size::new(desk.screen().width, desk.screen().height);
    assert_eq!((size, &desk.start), (Size::new(393.0, 852.0), &AssistStart::Blank(size)));
    carry_out(&mut harness, AssistCommand::Close);
    harness.get_by_label("Design quiz-progress").click_accesskit();
    until_open(&mut harness);
    let desk = state(&harness).assist.desk.as_ref().unwrap();
    assert!(desk.goal.is_some() && desk.title == "quiz-progress");
}

#[test]
fn a_design_that_is_described_is_planned_and_taken_over() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = start_page(ThemeChoice::Dark, WIDE, dir.path());
    let words = "A banner of 400 x 40 with the title \"Blue Notes\", huge, top center";
    harness.get_by_label("Describe a design in words").focus();
    harness.run_steps(2);
    harness.get_by_label("Describe a design in words").type_text(words);
    harness.run_steps(3);
    harness.get_by_label("Page: 400 × 40");
    harness.get_by_label("Title: “Blue Notes” · huge · top center");
    harness.get_by_label_contains("Planned by rules, without a model");
    harness.get_by_label("Width of the described design");
    harness.get_by_label("Planners need a page of 64 points a side or more.");
    harness.get_by_label("Phone, 393 × 852, for the described design").click_accesskit();
    harness.run_steps(3);
    assert!(harness.query_by_label_contains("Planners need a page").is_none());
    harness.get_by_label("Have it planned").click_accesskit();
    until(&mut harness, "the plan is ready", |state| {
        matches!(state.brief_plan(), Some((_, PlanPhase::Ready(..))))
    });
    harness.run_steps(3);
    assert_all_have_names(&harness, "the start page with a plan");
    harness.get_by_label("Show its run");
    harness.get_by_label("Take over the plan's design").click_accesskit();
    until_open(&mut harness);
    let desk = state(&harness).assist.desk.as_ref().unwrap();
    assert_eq!((desk.screen().width, desk.screen().height), (393.0, 852.0));
    let mut texts = desk.editor.document().iter_depth_first().filter_map(|node| node.text());
    assert!(texts.any(|text| text.characters == "Blue Notes"));
    harness.get_by_label("Brief");
    harness.get_by_label("checks the brief");
}

#[test]
fn the_status_bar_says_what_is_on_disk_and_a_version_has_a_bar_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = start_page(ThemeChoice::Light, SMALL, dir.path());
    let task = TaskRef { set: "own-samples".to_owned(), id: "chat-dark".to_owned() };
    carry_out(&mut harness, AssistCommand::Open(AssistStart::Task(task)));
    until_open(&mut harness);
    harness.get_by_label("Nothing to record yet · 0 steps");
    carry_out(&mut harness, AssistCommand::Files(FilesCommand::NameVersion("Start".to_owned())));
    until(&mut harness, "it has its name", |state| {
        state.assist.desk.as_ref().is_some_and(|desk| desk.files.versions.len() == 1)
    });
    for act in [Act::Select(SelectAct::Siblings), Act::Arrange(ArrangeAct::Delete)] {
        carry_out(&mut harness, AssistCommand::Act(Box::new(act)));
    }
    until(&mut harness, "it is on disk", |state| {
        matches!(recording(state), Some(Recording::Kept { step: 1, .. }))
    });
    harness.run_steps(3);
    harness.get_by_label("Recorded · 1 step");
    carry_out(&mut harness, AssistCommand::Files(FilesCommand::View(Some(0))));
    harness.get_by_label("Version “Start”");
    harness.get_by_label("Restore").click();
    harness.run_steps(3);
    let desk = state(&harness).assist.desk.as_ref().unwrap();
    assert_eq!((desk.files.viewed, desk.editor.steps()), (None, 2));
    assert!(harness.query_by_label("Version “Start”").is_none());
}

#[test]
fn the_name_of_a_version_is_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = start_page(ThemeChoice::Dark, SMALL, dir.path());
    carry_out(&mut harness, AssistCommand::Open(AssistStart::Blank(Size::new(200.0, 100.0))));
    until_open(&mut harness);
    let ask = FilesCommand::AskName(Some("First".to_owned()));
    carry_out(&mut harness, AssistCommand::Files(ask));
    assert_all_have_names(&harness, "the name of a version");
    harness.get_by_label("Name it").click();
    until(&mut harness, "it has its name", |state| {
        let desk = state.assist.desk.as_ref();
        desk.is_some_and(|desk| desk.files.versions.iter().any(|version| version.name == "First"))
    });
    assert_eq!(state(&harness).assist.desk.as_ref().unwrap().files.naming, None);
}

#[test]
fn the_start_page_looks_as_it_should() {
    let dir = tempfile::tempdir().unwrap();
    let mut results = SnapshotResults::new();
    for (theme, name, size) in [
        (ThemeChoice::Dark, "start_page_dark", WIDE),
        (ThemeChoice::Light, "start_page_light", SMALL),
    ] {
        let mut harness = start_page(theme, size, dir.path());
        until(&mut harness, "all goals are drawn", |state| {
            let mut tasks = views::design_tasks(state).unwrap().tasks.into_iter();
            tasks.all(|task| state.ready_picture(&PictureKey::GroundTruth(task)).is_some())
        });
        harness.run_steps(3);
        let [width, height] = size;
        // Without the bars above and below, which are others' subject.
        let page = Rect::from_min_max(pos2(0.0, 44.0), pos2(width, height - 28.0));
        add_look_at(&mut results, &mut harness, name, page);
    }
}
