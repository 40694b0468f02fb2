//! Panels in windows of their own: out by key and by menu, keys in them, back when they are closed, remembered.
//!
//! There are no windows of the system here: what is driven is windows inside the main one.

use std::path::PathBuf;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Pos2, Rect};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use pentimento::label::form::builtin_form;
use pentimento::workbench::{
    AnnotateCommand, Command, DerivedKey, DockedPanel, InspectorTab, PanelWindow, PictureKey,
    Request, RunId, SavedSession, Settings, Slot, StageCommand, State, WindowPlace, WindowsCommand,
    Workspace, handle, views,
};

use super::accessibility::assert_all_have_names;
use super::fixture::{self, RUN};
use super::harness::{Host, Part, looks, window};
use super::{explore, labelling};

const DESKTOP: [f32; 2] = [1440.0, 900.0];

fn state<'a>(harness: &'a Harness<'_, Host>) -> &'a State {
    &harness.state().state
}

fn shift(harness: &mut Harness<'_, Host>, key: Key) {
    harness.key_press_modifiers(Modifiers::SHIFT, key);
    harness.run_ok();
}

fn press(harness: &mut Harness<'_, Host>, key: Key) {
    harness.key_press(key);
    harness.run_ok();
}

fn click(harness: &mut Harness<'_, Host>, at: Pos2) {
    harness.hover_at(at);
    harness.run_ok();
    for pressed in [true, false] {
        harness.event(egui::Event::PointerButton {
            pos: at,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        });
    }
    harness.run_ok();
}

/// Where the window of a panel lies in the main one.
fn frame(harness: &Harness<'_, Host>, name: &str) -> Rect {
    harness.get_by_role_and_label(Role::Window, name).rect()
}

fn has_frame(harness: &Harness<'_, Host>, name: &str) -> bool {
    harness.query_by_role_and_label(Role::Window, name).is_some()
}

/// The state with panels in windows of their own.
fn apart(mut state: State, panels: &[PanelWindow]) -> State {
    for panel in panels {
        drop(handle(&mut state, Command::Windows(WindowsCommand::Toggle(*panel))));
    }
    state
}

/// Another run of the same task.
fn other_run(state: &State) -> RunId {
    let task = &state.library.runs[&RUN].task;
    let mut runs = state.library.runs.iter();
    *runs.find(|(id, run)| **id != RUN && run.task == *task).unwrap().0
}

#[test]
fn the_inspector_moves_to_its_own_window_works_there_and_comes_back_when_that_is_closed() {
    let mut harness = window(fixture::full(), DESKTOP);
    let docked = harness.get_by_label("Inspect the scores").rect();
    assert!(!has_frame(&harness, "Inspector"));
    shift(&mut harness, Key::F7);
    assert!(state(&harness).has_window(PanelWindow::Inspector));
    let window = frame(&harness, "Inspector");
    // Once, in its window: the stage has the room where it was.
    let tab = harness.get_by_label("Inspect the scores").rect();
    assert!(window.contains_rect(tab), "{tab:?} in {window:?}");
    assert!(
        tab.right() < docked.left() || tab.bottom() < docked.top() || tab.top() > docked.bottom()
    );
    harness.get_by_label("Inspect the scores").click();
    harness.run_ok();
    assert_eq!(state(&harness).settings.inspector_tab, InspectorTab::Scores);
    // Keys of the main window go on.
    press(&mut harness, Key::ArrowLeft);
    assert_eq!(state(&harness).selection.step, 17);
    // Where it stands is known, and kept with the session.
    let place = state(&harness).windows.places[&PanelWindow::Inspector];
    let [width, height] = place.size.map(|side| side as f32);
    let known = frame(&harness, "Inspector").size();
    assert!((known.x - width).abs() <= 1.0 && (known.y - height).abs() <= 1.0, "{place:?}");
    assert_eq!(state(&harness).session_to_save().windows, state(&harness).windows);
    harness.get_by_label("Close window").click();
    harness.run_ok();
    assert!(!state(&harness).has_window(PanelWindow::Inspector));
    assert!(!has_frame(&harness, "Inspector"));
    assert_eq!(harness.get_by_label("Inspect the scores").rect(), docked);
    assert!(state(&harness).windows.places.contains_key(&PanelWindow::Inspector));
}

#[test]
fn a_panel_is_moved_out_and_docked_from_the_menu_of_its_head() {
    let mut harness = window(fixture::full(), DESKTOP);
    harness.get_by_label("Inspect the nodes").click_secondary();
    harness.run_ok();
    harness.get_by_label_contains("Move to its own window").click();
    harness.run_ok();
    assert!(has_frame(&harness, "Inspector"));
    // The other button presses nothing.
    assert_eq!(state(&harness).settings.inspector_tab, InspectorTab::Step);
    harness.get_by_label("Play or pause").click_secondary();
    harness.run_ok();
    harness.get_by_label_contains("Move to its own window").click();
    harness.run_ok();
    let open: Vec<PanelWindow> = state(&harness).windows.open.iter().copied().collect();
    assert_eq!(open, [PanelWindow::Inspector, PanelWindow::Timeline]);
    harness.get_by_label("Inspect the nodes").click_secondary();
    harness.run_ok();
    harness.get_by_label_contains("Dock in the main window").click();
    harness.run_ok();
    assert!(!has_frame(&harness, "Inspector") && has_frame(&harness, "Timeline"));
    // All others by one key.
    shift(&mut harness, Key::F6);
    shift(&mut harness, Key::F5);
    assert!(state(&harness).windows.open.is_empty());
    assert!(!has_frame(&harness, "Timeline") && !has_frame(&harness, "Stage"));
}

#[test]
fn panels_are_hidden_and_shown_by_key_and_a_key_that_leads_into_one_shows_it() {
    let mut harness = window(fixture::full(), DESKTOP);
    let of_truth = "Picture of the ground truth, 393 by 852 pixels";
    let before = harness.get_by_label(of_truth).rect();
    for key in [Key::Num7, Key::Num8, Key::Num9] {
        harness.key_press_modifiers(Modifiers::ALT, key);
        harness.run_ok();
    }
    assert_eq!(state(&harness).windows.hidden.len(), 3);
    for name in ["Filter the library", "Inspect the step", "Play or pause"] {
        assert!(harness.query_by_label(name).is_none(), "{name}");
    }
    assert!(harness.get_by_label(of_truth).rect().height() > before.height());
    // Keys of what is hidden go on, and those that put the cursor into it show it.
    press(&mut harness, Key::ArrowRight);
    assert_eq!(state(&harness).selection.step, 19);
    press(&mut harness, Key::N);
    harness.get_by_label("Inspect the step");
    press(&mut harness, Key::Slash);
    harness.event(egui::Event::Text("gpt".to_owned()));
    harness.run_ok();
    assert_eq!(state(&harness).library.filter, "gpt");
    assert!(state(&harness).windows.hidden.iter().eq(&[DockedPanel::Timeline]));
}

#[test]
fn the_palette_lists_the_windows_and_moves_panels() {
    let mut harness = window(fixture::full(), DESKTOP);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::P);
    harness.run_ok();
    harness.event(egui::Event::Text("timeline in its own".to_owned()));
    harness.run_ok();
    press(&mut harness, Key::Enter);
    assert!(has_frame(&harness, "Timeline"));
    // The step is chosen in it as ever.
    let curve = harness.get_by_label("SSIM after each step").rect();
    assert!(frame(&harness, "Timeline").contains_rect(curve));
    let first = harness.get_by_label("First step");
    first.click();
    harness.run_ok();
    assert_eq!(state(&harness).selection.step, 0);
}

#[test]
fn keys_mean_what_they_mean_in_the_window_of_the_table_until_the_main_one_is_clicked() {
    let mut start = explore::room();
    let place =
        WindowPlace { corner: Some([420.0, 100.0]), size: [980.0, 720.0], is_maximized: false };
    start.windows.places.insert(PanelWindow::Explore, place);
    let mut harness = window(start, DESKTOP);
    assert_eq!(state(&harness).workspace, Workspace::Explore);
    shift(&mut harness, Key::F9);
    // The main window goes on where runs are stepped through; the table lists all runs in its own.
    assert_eq!(state(&harness).workspace, Workspace::Inspect);
    let window = frame(&harness, "Explore");
    let group = harness.get_by_label("Columns").rect();
    assert!(window.contains_rect(group), "{group:?} in {window:?}");
    let shown = state(&harness).explore.table.shown.clone();
    assert!(shown.len() > 10);
    let selected = state(&harness).selection.run;
    press(&mut harness, Key::ArrowDown);
    press(&mut harness, Key::ArrowDown);
    assert_eq!(state(&harness).explore.cursor, shown.get(1).copied());
    assert_eq!(state(&harness).selection.run, selected, "arrows walk through the table");
    // Enter puts the run on the stage of the main window, and the table stays.
    press(&mut harness, Key::Enter);
    assert_eq!(state(&harness).selection.run, shown.get(1).copied());
    assert!(state(&harness).has_window(PanelWindow::Explore));
    // The library is beside the table: there arrows go through its runs.
    let library = harness.get_by_label("Filter the library").rect();
    assert!(!window.intersects(library), "{library:?} beside {window:?}");
    // Below its rows: nearer to the field the click would begin to type.
    click(&mut harness, egui::pos2(library.center().x, 740.0));
    let before = (state(&harness).selection.run, state(&harness).explore.cursor);
    // From the last run of the library there is none below.
    let is_last = views::run_order(state(&harness)).last().copied() == before.0;
    press(&mut harness, if is_last { Key::ArrowUp } else { Key::ArrowDown });
    assert_ne!(state(&harness).selection.run, before.0);
    assert_eq!(state(&harness).explore.cursor, before.1);
    // Going to the room comes to the window: the table is nowhere twice.
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::ALT), Key::Num2);
    harness.run_ok();
    assert_eq!(state(&harness).workspace, Workspace::Inspect);
    assert_eq!(harness.query_all_by_label("Columns").count(), 1);
    let cursor = state(&harness).explore.cursor;
    press(&mut harness, Key::ArrowDown);
    assert_ne!(state(&harness).explore.cursor, cursor, "its keys are meant again");
}

#[test]
fn the_second_stage_shows_what_the_first_does_or_what_is_pinned() {
    let mut start = fixture::full();
    let other = other_run(&start);
    // Its pictures are those of the fixture's run: what they show matters to nobody here.
    for command in
        [Command::Stage(StageCommand::ToggleSlot(other)), Command::Stage(StageCommand::ToggleStart)]
    {
        drop(handle(&mut start, command));
    }
    let mut harness = window(apart(start, &[PanelWindow::Stage]), DESKTOP);
    let of_truth = "Picture of the ground truth, 393 by 852 pixels";
    let of_start = "Picture of the start state, 393 by 852 pixels";
    assert_eq!(harness.query_all_by_label(of_truth).count(), 2, "on both stages");
    assert_eq!(harness.query_all_by_label(of_start).count(), 2);
    harness.get_by_label("Pinned pictures").click();
    harness.run_ok();
    // The start state stays as it is; the ground truth belongs to the run, and the other run follows.
    assert_eq!(harness.query_all_by_label(of_truth).count(), 1);
    assert_eq!(harness.query_all_by_label(of_start).count(), 2);
    assert_eq!(harness.query_all_by_label("Close A").count(), 1, "on the first stage");
    // A run that is kept at its step stays, too.
    let at = state(&harness).stage.slots.iter().position(|it| matches!(it, Slot::Run { .. }));
    let pin = Command::Stage(StageCommand::PinSlot(u8::try_from(at.unwrap()).unwrap()));
    drop(handle(&mut harness.state_mut().state, pin));
    harness.run_ok();
    assert_eq!(harness.query_all_by_label("Close A").count(), 2);
    // Without anything pinned it says what to do.
    drop(handle(&mut harness.state_mut().state, Command::Stage(StageCommand::CloseSlots)));
    harness.run_ok();
    harness.get_by_label("No picture is pinned");
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::F6);
    harness.run_ok();
    assert_eq!(harness.query_all_by_label(of_truth).count(), 2);
}

#[test]
fn what_windows_show_is_asked_for_whatever_room_the_main_one_shows() {
    let wants_file = |requests: &[Request]| {
        requests.iter().any(|request| {
            matches!(request, Request::Derive { key: DerivedKey::Picture(PictureKey::File(_)), .. })
        })
    };
    let wants_calls = |requests: &[Request]| {
        requests
            .iter()
            .any(|request| matches!(request, Request::Derive { key: DerivedKey::Digests(_), .. }))
    };
    // In the room of the table no picture of the stage is wanted, until a stage has a window.
    let mut state = fixture::full();
    let room = Command::Annotate(AnnotateCommand::Show(Workspace::Explore));
    drop(handle(&mut state, room));
    let requests = handle(&mut state, Command::AddPicture("/pictures/aim.png".into()));
    assert!(!wants_file(&requests));
    let out = |panel| Command::Windows(WindowsCommand::Toggle(panel));
    assert!(wants_file(&handle(&mut state, out(PanelWindow::Stage))));
    // Where runs are stepped through nobody reads the calls of all, until the table has one.
    let mut state = fixture::full();
    assert!(!wants_calls(&handle(&mut state, out(PanelWindow::Inspector))));
    assert!(wants_calls(&handle(&mut state, out(PanelWindow::Explore))));
}

#[test]
fn windows_open_where_they_stood_and_come_into_the_main_one_if_that_was_elsewhere() {
    let place =
        |x, y| WindowPlace { corner: Some([x, y]), size: [480.0, 420.0], is_maximized: false };
    let mut session = SavedSession::default();
    session.windows.open.extend([PanelWindow::Inspector, PanelWindow::Timeline]);
    session.windows.places.insert(PanelWindow::Inspector, place(300.0, 200.0));
    session.windows.places.insert(PanelWindow::Timeline, place(4000.0, 3000.0));
    let opened = State::new(Settings { session, ..Settings::default() }, "runs".into());
    let restored = State { windows: opened.windows, ..fixture::full() };
    let harness = window(restored, DESKTOP);
    let inspector = frame(&harness, "Inspector");
    assert!((inspector.left_top() - egui::pos2(300.0, 200.0)).length() < 2.0, "{inspector:?}");
    assert!((inspector.size() - egui::vec2(480.0, 420.0)).length() < 4.0, "{inspector:?}");
    let all = Rect::from_min_size(Pos2::ZERO, DESKTOP.into());
    assert!(all.contains_rect(frame(&harness, "Timeline")), "{:?}", frame(&harness, "Timeline"));
}

#[test]
fn whatever_is_in_the_windows_has_a_name() {
    let all = apart(explore::room(), &PanelWindow::ALL);
    let harness = window(all, DESKTOP);
    for panel in PanelWindow::ALL {
        assert!(has_frame(&harness, panel.name()), "{panel:?}");
    }
    assert_all_have_names(&harness, "panels in windows of their own");
}

#[test]
fn windows_of_panels_name_nobody_while_somebody_labels_blind() {
    let dir = tempfile::tempdir().unwrap();
    let form = builtin_form("pairwise-preference").unwrap();
    let path = dir.path().join("study.labels");
    let runs = crate::labelling::sample_runs();
    let runs = runs.into_iter().filter(|run| run.to_string_lossy().contains("quiz-progress"));
    let runs: Vec<PathBuf> = runs.take(2).collect();
    crate::labelling::project(&path, form, &runs, 2);
    let mut session = SavedSession::default();
    session.windows.open.extend(PanelWindow::ALL);
    let settings = Settings { session, ..Settings::default() };
    let mut harness = labelling::window(settings, labelling::WIDE);
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    harness.state_mut().session.carry_out(Command::Open(vec![samples]));
    labelling::until(&mut harness, "runs are listed", |state| !state.library.runs.is_empty());
    labelling::open(&mut harness, &path);
    assert!(labelling::state(&harness).hides_panel_windows());
    harness.run_steps(4);
    let hidden = harness.query_all_by_label("Hidden while somebody labels blind").count();
    assert_eq!(hidden, PanelWindow::ALL.len());
    for panel in PanelWindow::ALL {
        // Its name is the panel's alone.
        harness.get_by_role_and_label(Role::Window, panel.name());
    }
    assert!(!labelling::words_of(&harness).contains("tracer"));
    // Whoever leaves the room sees them again.
    let show = Command::Annotate(AnnotateCommand::Show(Workspace::Inspect));
    harness.state_mut().session.carry_out(show);
    harness.run_steps(4);
    assert_eq!(harness.query_all_by_label("Hidden while somebody labels blind").count(), 0);
    assert!(labelling::words_of(&harness).contains("tracer"));
}

#[test]
fn the_inspector_in_its_own_window_looks_the_same_in_both_themes() {
    let state = apart(fixture::full(), &[PanelWindow::Inspector]);
    looks("inspector_window", &state, DESKTOP, Part::Overlay("inspector_window"));
}

#[test]
fn a_second_stage_beside_the_first_looks_the_same_in_both_themes() {
    let mut state = apart(fixture::full(), &[PanelWindow::Stage]);
    let place =
        WindowPlace { corner: Some([320.0, 120.0]), size: [760.0, 520.0], is_maximized: false };
    let place = Command::Windows(WindowsCommand::Place(PanelWindow::Stage, place));
    drop(handle(&mut state, place));
    looks("stage_window", &state, DESKTOP, Part::Overlay("stage_window"));
}
