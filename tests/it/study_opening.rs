//! Studies are opened as whatever else is: by their folder, their plan, or a packet.

use std::path::Path;
use std::time::{Duration, Instant};

use egui::vec2;
use egui_kittest::Harness;

use pentimento::app::App;
use pentimento::evaluate::studies::{StudyMaterial, pack_study};
use pentimento::study::STUDY_FILE;
use pentimento::workbench::{Browse, Command, Settings, State, Workspace};
use pentimento::worker::WorkerConfig;

use crate::files::copy_folder;
use crate::study_session::set_up;

const PATIENCE: Duration = Duration::from_mins(2);

fn app<'a>(dir: &Path) -> Harness<'a, App> {
    let mut settings = Settings::default();
    (settings.tour_is_seen, settings.hint_is_closed) = (true, true);
    let state = State::new(settings, dir.join("runs"));
    let builder = Harness::builder().with_size(vec2(1024.0, 700.0)).wgpu();
    builder.build_eframe(|cc| {
        App::with_state(&cc.egui_ctx, WorkerConfig::default(), state, Vec::new()).unwrap()
    })
}

fn until(harness: &mut Harness<'_, App>, what: &str, is_so: impl Fn(&State) -> bool) {
    let began = Instant::now();
    while !is_so(harness.state().state()) {
        let State { assist, notices, .. } = harness.state().state();
        let said = (&assist.study.problem, notices);
        assert!(began.elapsed() < PATIENCE, "it was never so: {what}: {said:?}");
        harness.step();
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn has_study(state: &State) -> bool {
    state.assist.study.desk.is_some()
}

#[test]
fn a_study_is_opened_by_its_folder_its_plan_and_a_packet_and_is_among_the_recent_ones() {
    let dir = tempfile::tempdir().unwrap();
    let study = dir.path().join("mine");
    set_up(&study);
    let packet = dir.path().join("for-p02.study-packet");
    let material = StudyMaterial::open(&study).unwrap();
    pack_study(&study, &material, (1, "0".repeat(32)), &packet).unwrap();

    let mut harness = app(dir.path());
    // What is dropped on the window, typed in the palette and given to `pentimento open` comes as this.
    harness.state_mut().carry_out(Command::Open(vec![study.clone()]));
    until(&mut harness, "the folder is open", has_study);
    let state = harness.state().state();
    assert_eq!((state.workspace, state.library.runs.len()), (Workspace::Assist, 0));
    assert_eq!(state.settings.recent_studies, std::slice::from_ref(&study));
    assert!(state.settings.recent.is_empty(), "it was opened as nothing else");

    // The path that is typed where there is no dialog.
    let plan = study.join(STUDY_FILE);
    harness.state_mut().carry_out(Command::ChoosePath(Browse::OpenFiles, plan));
    until(&mut harness, "its plan is open", |state| state.assist.study.opening.is_none());
    assert_eq!(harness.state().state().settings.recent_studies, [study]);

    harness.state_mut().carry_out(Command::Open(vec![packet.clone()]));
    until(&mut harness, "the packet is open", |state| {
        state.assist.study.desk.as_ref().is_some_and(|desk| desk.packet.is_some())
    });
    let recent = &harness.state().state().settings.recent_studies;
    assert_eq!(recent.first(), Some(&packet.with_extension("")), "where it was unpacked");
    assert_eq!(recent.len(), 2);
}

#[test]
fn a_folder_that_is_no_study_is_opened_as_what_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("others");
    let sample = "sample_runs/runs/own-samples/recipe-tip/scripted-01";
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join(sample), &folder.join("scripted-01"));
    std::fs::write(folder.join(STUDY_FILE), "{\"format\": \"of another program\"}").unwrap();
    let mut harness = app(dir.path());
    harness.state_mut().carry_out(Command::Open(vec![folder]));
    until(&mut harness, "its run is listed", |state| state.library.runs.len() == 1);
    assert!(!has_study(harness.state().state()));

    // One that is a study and broken says so, and nothing else of it is opened.
    let broken = dir.path().join("broken");
    set_up(&broken);
    let plan = std::fs::read_to_string(broken.join(STUDY_FILE)).unwrap();
    std::fs::write(broken.join(STUDY_FILE), &plan[..plan.len() / 2]).unwrap();
    harness.state_mut().carry_out(Command::Open(vec![broken]));
    until(&mut harness, "it says why", |state| state.assist.study.problem.is_some());
    assert!(!has_study(harness.state().state()));
}
