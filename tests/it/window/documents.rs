//! The documents of a run with several programs in the window.

use std::sync::Arc;

use egui::Key;
use egui_kittest::kittest::Queryable as _;

use pentimento::base::{Pixels, Rect, Size};
use pentimento::environment::EnvironmentKind;
use pentimento::task::{DesignBrief, TaskKind};
use pentimento::workbench::protocol::{NodeBox, StagePicture};
use pentimento::workbench::{
    Command, Curves, DocumentChoice, Documents, Fetched, InspectorTab, NodeSide, NodesCommand,
    OpenDocument, PictureKey, PlaybackCommand, Program, SharedFile, StageCommand, State,
};

use super::fixture::{self, RUN, bare, put};
use super::harness::{Part, looks, window};
use super::plan::planned;

const STEP: u32 = 7;

/// A page with a frame of this colour on it, which is a node.
fn page(size: [u32; 2], ground: [u8; 4], frame: [u8; 4], (id, name): (&str, &str)) -> StagePicture {
    let [width, height] = size;
    let inside = |x: u32, y: u32| {
        (width / 5..width * 4 / 5).contains(&x) && (height / 4..height / 2).contains(&y)
    };
    let rgba = (0..height)
        .flat_map(|y| (0..width).flat_map(move |x| if inside(x, y) { frame } else { ground }))
        .collect();
    let (width_units, height_units) = (f64::from(width), f64::from(height));
    let node = NodeBox {
        id: id.to_owned(),
        name: name.to_owned(),
        kind: "RECTANGLE".to_owned(),
        pixel_box: Rect {
            x: width_units / 5.0,
            y: height_units / 4.0,
            width: width_units * 0.6,
            height: height_units / 4.0,
        },
    };
    StagePicture {
        nodes: Arc::from([node]),
        ..bare(Pixels::from_rgba(width, height, rgba).unwrap())
    }
}

fn program(name: &str, document: Option<OpenDocument>, is_current: bool) -> Program {
    Program { name: name.to_owned(), document, is_current }
}

fn open(title: &str, [width, height]: [u32; 2], file: Option<&str>) -> OpenDocument {
    OpenDocument {
        title: title.to_owned(),
        size: Size::new(width.into(), height.into()),
        is_saved: file.is_some(),
        file: file.map(str::to_owned),
        changed_at: 5,
    }
}

fn documents() -> Documents {
    let file = |name: &str, program: &str, saved_at| SharedFile {
        name: name.to_owned(),
        program: program.to_owned(),
        size: Size::new(612.0, 792.0),
        saved_at,
    };
    Documents {
        programs: vec![
            program("Photo Editor", Some(open("poster", [612, 792], Some("night.psd"))), false),
            program("Vector Graphic Editor", None, false),
            program("Layout Designer", Some(open("business card", [252, 144], None)), true),
        ],
        files: vec![file("night.psd", "Photo Editor", Some(5)), file("old.ai", "x", None)],
    }
}

/// A run of the suite at a step, its documents chosen so.
pub(super) fn suite(choice: DocumentChoice) -> State {
    let mut state = planned(InspectorTab::Step);
    state.settings.documents = choice;
    let set = Arc::make_mut(&mut state.library.sets[0].set);
    let task = set.tasks.iter_mut().find(|task| task.id == "gid11-16").map(Arc::make_mut).unwrap();
    task.kind = TaskKind::Composition;
    task.ground_truth = None;
    task.brief = Some(Arc::new(DesignBrief::default()));
    "A poster of a moon on a night sky, and a business card.".clone_into(&mut task.instruction);
    let entry = state.library.runs.get_mut(&RUN).unwrap();
    entry.manifest.environment = EnvironmentKind::Suite;
    entry.curves = Curves::default();
    entry.last_score = None;
    state.derived.maps.clear();
    let layout = page([252, 144], [250, 246, 236, 255], [60, 90, 80, 255], ("3:1", "TitleLayer"));
    let layout = StagePicture { documents: Some(Arc::new(documents())), ..layout };
    put(&mut state, PictureKey::Step(RUN, STEP), layout);
    let photo = page([612, 792], [16, 62, 78, 255], [236, 230, 190, 255], ("1:1", "MoonLayer"));
    put(&mut state, PictureKey::Document(RUN, 5, 0), photo);
    state
}

#[test]
fn the_documents_of_three_programs_side_by_side() {
    looks("documents_1440", &suite(DocumentChoice::All), [1440.0, 900.0], Part::Stage);
}

#[test]
fn the_document_of_one_program_in_a_small_window() {
    looks("documents_1024", &suite(DocumentChoice::Program(0)), [1024.0, 700.0], Part::Stage);
}

#[test]
fn each_program_says_what_it_has_open_and_which_was_worked_in() {
    let harness = window(suite(DocumentChoice::Current), [1440.0, 900.0]);
    for words in [
        "Photo Editor: poster, 612 × 792 points, saved as night.psd",
        "Vector Graphic Editor: no document at this step",
        "Layout Designer: business card, 252 × 144 points, not saved, worked in last",
        "Shared folder, 2 files",
    ] {
        assert!(harness.query_by_label(words).is_some(), "{words}");
    }
    let harness = window(fixture::full(), [1440.0, 900.0]);
    assert!(harness.query_by_label_contains("Shared folder").is_none(), "one document only");
}

#[test]
fn a_program_is_chosen_with_the_pointer_and_let_go_the_same_way() {
    let mut harness = window(suite(DocumentChoice::Current), [1440.0, 900.0]);
    for choice in [DocumentChoice::Program(0), DocumentChoice::Current] {
        harness.get_by_label_contains("Photo Editor: poster").click();
        harness.run_ok();
        assert_eq!(harness.state().state.settings.documents, choice);
    }
    harness.get_by_label_contains("Photo Editor: poster").click();
    harness.run_ok();
    assert!(harness.query_by_label_contains("document of program 1").is_some());
}

#[test]
fn keys_go_through_the_documents_and_put_them_side_by_side() {
    let mut harness = window(suite(DocumentChoice::Current), [1440.0, 900.0]);
    harness.key_press(Key::D);
    harness.run_ok();
    assert_eq!(harness.state().state.settings.documents, DocumentChoice::Program(0));
    harness.key_press_modifiers(egui::Modifiers::SHIFT, Key::D);
    harness.run_ok();
    assert_eq!(harness.state().state.settings.documents, DocumentChoice::All);
    let words = "This program has no document at this step";
    assert!(harness.query_by_label_contains(words).is_some());
    harness.key_press_modifiers(egui::Modifiers::SHIFT, Key::W);
    harness.run_ok();
    assert_eq!(harness.state().state.settings.documents, DocumentChoice::Current);
    let mut harness = window(fixture::full(), [1440.0, 900.0]);
    harness.key_press(Key::D);
    harness.run_ok();
    let sent = &harness.state().sent;
    let is_stage = |command: &Command| matches!(command, Command::Stage(_));
    assert!(!sent.iter().any(is_stage), "a run with one document");
}

#[test]
fn a_layer_is_selected_in_whichever_document_it_lies() {
    let mut harness = window(suite(DocumentChoice::All), [1440.0, 900.0]);
    let photo = harness.get_by_label_contains("document of program 1").rect();
    let at = photo.min + photo.size() * egui::vec2(0.5, 0.35);
    harness.hover_at(at);
    harness.run_ok();
    harness.drag_at(at);
    harness.drop_at(at);
    harness.run_ok();
    let host = harness.state();
    assert!(host.sent.contains(&Command::Nodes(NodesCommand::ListProgram(Some(0)))));
    let selected = host.state.nodes.selected.as_ref().unwrap();
    assert_eq!((selected.side, selected.id.as_str()), (NodeSide::Canvas, "1:1"));
}

#[test]
fn wheel_and_drag_move_all_documents_together() {
    let mut harness = window(suite(DocumentChoice::All), [1440.0, 900.0]);
    let photo = harness.get_by_label_contains("document of program 1").rect();
    harness.drag_at(photo.center());
    harness.hover_at(photo.center() + egui::vec2(40.0, 10.0));
    harness.run_ok();
    harness.drop_at(photo.center() + egui::vec2(40.0, 10.0));
    harness.run_ok();
    let stage = &harness.state().state.stage;
    assert!(stage.zoom.is_some() && stage.center[0] < 0.5, "{stage:?}");
    harness.key_press(Key::F);
    harness.run_ok();
    assert_eq!(harness.state().state.stage.zoom, None);
    assert_eq!(harness.get_by_label_contains("document of program 1").rect(), photo);
}

#[test]
fn a_file_of_the_shared_folder_is_a_way_to_the_step_that_saved_it() {
    let mut harness = window(suite(DocumentChoice::Current), [1440.0, 900.0]);
    harness.get_by_label("Shared folder, 2 files").click();
    harness.run_ok();
    harness.get_by_label_contains("night.psd Photo Editor").click();
    harness.run_ok();
    let wanted = Command::Playback(PlaybackCommand::Step(5));
    assert!(harness.state().sent.contains(&wanted), "{:?}", harness.state().sent);
}

#[test]
fn before_anything_is_known_the_row_says_that_it_is_looked_up() {
    let mut state = suite(DocumentChoice::All);
    state.derived.pictures.insert(PictureKey::Step(RUN, STEP), Fetched::Pending);
    let harness = window(state, [1024.0, 700.0]);
    assert!(harness.query_by_label("Documents loading…").is_some());
    let sent: Vec<&Command> = harness.state().sent.iter().collect();
    assert!(!sent.iter().any(|it| matches!(it, Command::Stage(StageCommand::ShowDocuments(_)))));
}
