//! A window that is closed or killed and opened again; [`killed`] has it killed at any moment.

mod killed;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use eframe::App as _;
use pentimento::agent::AgentKind;
use pentimento::app::{App, WindowOptions};
use pentimento::base::Variables;
use pentimento::environment::Environments;
use pentimento::metric::MapKind;
use pentimento::run::TaskRef;
use pentimento::store::Store;
use pentimento::workbench::protocol::ReportScope;
use pentimento::workbench::{
    Against, AnnotateCommand, AreaCommand, Column, Command, ExploreCommand, IgnoredArea,
    InspectorTab, KeptRange, LaunchEdit, Link, LinkedHeat, Note, NoteKey, Overlay, PanelWindow,
    PixelTolerance, PlaybackCommand, RangeCommand, RangeKey, RunState, Settings, Slot,
    StageCommand, StagePane, StageView, State, StepRange, WindowPlace, WindowsCommand, Workspace,
};
use serde_json::{Value, json};

use super::session::{frames_until, is_idle};
use super::store::change;

/// A home folder with its workspace, settings and runs.
struct Home {
    dir: PathBuf,
    /// Deleted with it; `None` where the folder is another process's.
    _temporary: Option<tempfile::TempDir>,
}

impl Home {
    fn new() -> Self {
        let temporary = tempfile::tempdir().unwrap();
        Self { dir: temporary.path().to_path_buf(), _temporary: Some(temporary) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// A window as the program opens it; whatever was open before is just gone.
    fn open(&self, paths: &[&Path]) -> Turned {
        self.open_at(paths, None)
    }

    /// The same at what a link says.
    fn open_at(&self, paths: &[&Path], link: Option<Link>) -> Turned {
        let ctx = egui::Context::default();
        let options = WindowOptions {
            paths: paths.iter().map(|path| path.to_path_buf()).collect(),
            link,
            captions: None,
            workspace: Some(self.path("workspace.sqlite")),
            runs: self.path("runs"),
            environments: Environments::default(),
            variables: Variables::default(),
        };
        let app = App::new(&eframe::CreationContext::_new_kittest(ctx.clone()), options).unwrap();
        Turned { ctx, app }
    }

    /// The session as the next window will find it.
    fn stored(&self) -> Value {
        let text = std::fs::read_to_string(self.path("settings.json")).unwrap_or_default();
        serde_json::from_str::<Value>(&text).map_or(Value::Null, |json| json["session"].clone())
    }
}

struct Turned {
    ctx: egui::Context,
    app: App,
}

impl Turned {
    fn until(&mut self, what: &str, is_so: impl Fn(&State) -> bool) {
        frames_until(&self.ctx, &mut self.app, what, is_so);
    }

    /// A frame in which somebody closes the window; what becomes of it.
    fn close(&mut self) -> Vec<egui::ViewportCommand> {
        let mut input = egui::RawInput::default();
        let root = input.viewports.entry(egui::ViewportId::ROOT).or_default();
        root.events.push(egui::ViewportEvent::Close);
        self.frame(input)
    }

    fn frame(&mut self, input: egui::RawInput) -> Vec<egui::ViewportCommand> {
        let (app, mut frame) = (&mut self.app, eframe::Frame::_new_kittest());
        let mut output = self.ctx.run_ui(input, |ui| app.logic(ui.ctx(), &mut frame));
        output.textures_delta.clear();
        output.viewport_output[&egui::ViewportId::ROOT].commands.clone()
    }

    fn opened(&mut self) -> &State {
        self.until("all is open", |state| {
            !state.library.sets.is_empty() && state.selection.task.is_some() && is_idle(state)
        });
        self.app.state()
    }

    /// Frames until the file says so: nothing but time stores it.
    fn until_stored(&mut self, home: &Home, what: &str, is_so: impl Fn(&Value) -> bool) {
        let (mut frame, began) = (eframe::Frame::_new_kittest(), Instant::now());
        while !is_so(&home.stored()) {
            assert!(began.elapsed() < Duration::from_mins(2), "never stored: {what}");
            self.app.logic(&self.ctx, &mut frame);
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// A set of so many tasks of one frame each, in a folder of this name.
fn task_set(home: &Home, name: &str, id: &str, tasks: usize) -> PathBuf {
    let dir = home.path(name);
    std::fs::create_dir_all(&dir).unwrap();
    let truth = image::RgbaImage::from_pixel(40, 80, image::Rgba([200, 30, 90, 255]));
    truth.save(dir.join("truth.png")).unwrap();
    let tasks = (0..tasks).map(|at| {
        json!({"id": format!("task-{at}"), "environment": "canvas", "kind": "replication",
               "instruction": "Draw it.", "ground_truth": {"picture": "truth.png"},
               "canvas_size": {"width": 40, "height": 80}})
    });
    let set = json!({"format": "pentimento/taskset", "version": 1, "id": id, "name": name, "tasks": tasks.collect::<Vec<_>>()});
    std::fs::write(dir.join("taskset.json"), set.to_string()).unwrap();
    dir
}

#[test]
fn the_first_window_shows_newcomers_around_and_no_later_one_does() {
    let home = Home::new();
    let first = home.open(&[]);
    assert_eq!(first.app.state().overlay, Some(Overlay::Tour(0)));
    // Killed at once, before anything else was stored.
    drop(first);
    let mut second = home.open(&[]);
    assert_eq!(second.app.state().overlay, None);
    assert_eq!(second.opened().library.opened.len(), 1, "it opens the samples all the same");
    second.app.carry_out(Command::ShowTour(0));
    assert_eq!(second.app.state().overlay, Some(Overlay::Tour(0)), "it can be called again");
}

#[test]
fn a_link_opens_the_window_at_its_run_step_and_view() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    let run = samples.join("runs/own-samples/trailhead-welcome/tracer-01");
    let link = |step| Link {
        step,
        view: Some(StageView::Swipe),
        tab: Some(InspectorTab::Scores),
        ..Link::to_run(&run).unwrap()
    };
    for (step, wanted) in [(Some(17), 17), (None, 65), (Some(4_000), 65)] {
        let home = Home::new();
        let mut window = home.open_at(&[&samples, &run], Some(link(step)));
        window.until("it is read", |state| {
            let is_read = state.selected_run().is_some_and(|entry| entry.loaded.is_some());
            is_read && state.selection.step == wanted
        });
        let state = window.app.state();
        assert_eq!(state.selected_run().unwrap().dir, run);
        assert_eq!(state.stage.view, StageView::Swipe);
        assert_eq!(state.settings.inspector_tab, InspectorTab::Scores);
        assert_eq!(state.overlay, None, "who follows a link wants to see that");
        assert!(state.selected_task().is_some(), "its task set is open too");
        let variant = Settings::default().heat_variant;
        let heat = Some(LinkedHeat { variant, map: MapKind::Difference });
        let wanted = Link { heat, ..link(Some(wanted)) };
        assert_eq!(state.link().unwrap().to_string(), wanted.to_string());
    }
}

#[test]
fn a_link_brings_back_the_usual_heat_where_another_was_chosen() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    let run = samples.join("runs/own-samples/trailhead-welcome/tracer-01");
    let usual = Settings::default().heat_variant;
    let plain = Link { step: Some(17), ..Link::to_run(&run).unwrap() };
    let home = Home::new();
    let mut window = home.open_at(&[&samples, &run], Some(plain.clone()));
    let state = window.opened();
    let link = state.link().unwrap();
    assert_eq!(link.heat.as_ref().map(|heat| &heat.variant), Some(&usual));
    let maps = state.variants.iter().filter(|variant| variant.map_range.is_some());
    let other = maps.map(|variant| variant.id.to_string()).find(|id| *id != usual).unwrap();
    drop(window);
    for (link, wanted) in [(plain, &other), (link, &usual)] {
        let elsewhere = Home::new();
        let settings = Settings { heat_variant: other.clone(), ..Settings::default() };
        let json = settings.to_json().unwrap();
        std::fs::write(elsewhere.path("settings.json"), json).unwrap();
        let mut window = elsewhere.open_at(&[&samples, &run], Some(link));
        assert_eq!(window.opened().settings.heat_variant, *wanted);
    }
}

#[test]
fn pictures_beside_the_run_are_there_after_a_kill_and_where_a_link_is_opened() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    let run = |name: &str| samples.join("runs/own-samples/basket").join(name);
    let is_beside = |state: &State| {
        let slots: Vec<_> = state.stage.slots.iter().collect();
        let [Slot::Run { run: one, pinned: None }, Slot::Start, Slot::Run { run: same, pinned }] =
            slots[..]
        else {
            return false;
        };
        let dir_of = |run| state.library.runs.get(run).map(|entry| entry.dir.as_path());
        let dirs =
            [dir_of(one), dir_of(same)] == [Some(&*run("tracer-02")), Some(&*run("tracer-01"))];
        dirs && *pinned == Some(3) && state.stage.against == Against::Slot(2)
    };
    let home = Home::new();
    let mut first = home.open(&[&samples]);
    let state = first.opened();
    let id_of = |name: &str| {
        let mut runs = state.library.runs.iter();
        *runs.find(|(_, entry)| entry.dir == run(name)).unwrap().0
    };
    let (selected, other) = (id_of("tracer-01"), id_of("tracer-02"));
    for command in [
        Command::SelectRun(selected),
        Command::Playback(PlaybackCommand::Step(3)),
        Command::Stage(StageCommand::ToggleSlot(other)),
        Command::Stage(StageCommand::ToggleStart),
        Command::Stage(StageCommand::ToggleStep),
        Command::Stage(StageCommand::Against(Against::Slot(2))),
        Command::Playback(PlaybackCommand::Step(5)),
    ] {
        first.app.carry_out(command);
    }
    assert!(is_beside(first.app.state()));
    let link = first.app.state().link().unwrap();
    assert!(link.to_string().contains("compare=C&"), "{link}");
    first.until_stored(&home, "the pictures beside", |session| session["step"] == 5);
    drop(first);
    let mut second = home.open(&[]);
    second.opened();
    assert!(is_beside(second.app.state()), "{:?}", second.app.state().stage.slots);
    drop(second);
    // For who has never seen it, in a window of their own.
    let elsewhere = Home::new();
    let mut window = elsewhere.open_at(&[&samples, &link.run], Some(link.clone()));
    window.until("all of it is there", is_beside);
    assert_eq!(window.app.state().link(), Some(link));
    // What is taken away there stays away.
    window.app.carry_out(Command::Stage(StageCommand::CloseSlots));
    window.opened();
    assert!(window.app.state().stage.slots.is_empty());
}

#[test]
fn a_killed_window_comes_back_with_what_was_open_chosen_filtered_and_zoomed() {
    let home = Home::new();
    let mut first = home.open(&[]);
    let state = first.opened();
    let samples = state.library.opened.clone();
    assert_eq!(samples.len(), 1, "at first the samples: {samples:?}");
    let longest = state.library.runs.iter().max_by_key(|(_, run)| run.steps).unwrap();
    let (run, dir) = (*longest.0, longest.1.dir.clone());
    for command in [
        Command::SelectRun(run),
        Command::Playback(PlaybackCommand::Step(2)),
        Command::SetFilter("agent:tracer".to_owned()),
        Command::Stage(StageCommand::Zoom(2.0)),
        Command::Stage(StageCommand::TogglePane(StagePane::Heat)),
        Command::Playback(PlaybackCommand::SetSpeed(9.0)),
    ] {
        first.app.carry_out(command);
    }
    let set = first.app.state().library.sets[0].set.id.clone();
    first.until_stored(&home, "the speed", |session| session["steps_per_second"] == 9.0);
    drop(first);

    let mut second = home.open(&[]);
    let state = second.opened();
    assert_eq!(state.selected_run().map(|run| &run.dir), Some(&dir));
    assert_eq!((state.selection.step, &*state.library.filter), (2, "agent:tracer"));
    assert_eq!((state.stage.zoom, state.playback.steps_per_second), (Some(2.0), 9.0));
    assert!(!state.stage.panes.contains(&StagePane::Heat));
    assert!(state.settings.recent.is_empty(), "nobody asked for the samples");
    // What is closed stays closed.
    second.app.carry_out(Command::Close(set));
    second.until_stored(&home, "an empty library", |session| session["open"] == json!([]));
    drop(second);
    let third = home.open(&[]);
    assert!(third.app.state().library.opened.is_empty() && is_idle(third.app.state()));
}

#[test]
fn a_session_that_cannot_be_stored_is_stored_as_soon_as_it_can_be() {
    let home = Home::new();
    let mut first = home.open(&[]);
    first.opened();
    first.until_stored(&home, "what is open", |session| session["open"][0].is_string());
    // A folder is no file to write over.
    let file = home.path("settings.json");
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    first.app.carry_out(Command::SetFilter("agent:tracer".to_owned()));
    let told = |state: &State| {
        let texts = state.notices.iter().map(|notice| &notice.text);
        texts.filter(|text| text.starts_with("The session cannot be saved")).count()
    };
    first.until("it is told", |state| told(state) > 0);
    std::fs::remove_dir(&file).unwrap();
    first.until_stored(&home, "the filter", |session| session["filter"] == "agent:tracer");
    assert_eq!(told(first.app.state()), 1);
    let left = std::fs::read_dir(&home.dir).unwrap().map(|entry| entry.unwrap().file_name());
    let mut left = left.map(|name| name.to_string_lossy().into_owned());
    assert!(!left.any(|name| name.contains(".tmp")), "nothing half-written is left");
}

#[test]
fn closing_asks_while_something_is_exported_and_not_while_what_was_open_is_opened_again() {
    let home = Home::new();
    let set = task_set(&home, "set", "set", 1);
    let mut window = home.open(&[]);
    let cancel = egui::ViewportCommand::CancelClose;
    assert!(!window.close().contains(&cancel), "the samples are opened the next time, too");
    window.opened();
    assert!(!window.close().contains(&cancel), "nothing is at work");

    window.app.carry_out(Command::Open(vec![set.clone()]));
    let session = window.app.state().session_to_save();
    assert!(session.open.is_some_and(|open| open.contains(&set)), "it is opened the next time");
    window.opened();
    let (of, path) = (ReportScope::Listed, home.path("report.html"));
    window.app.carry_out(Command::ExportReport { of, path });
    assert!(window.close().contains(&cancel));
    assert_eq!(window.app.state().overlay, Some(Overlay::Quit));
    // As its button does.
    window.app.carry_out(Command::Quit);
    let commands = window.frame(egui::RawInput::default());
    assert!(commands.contains(&egui::ViewportCommand::Close), "{commands:?}");
    assert!(!window.close().contains(&cancel));
}

#[test]
fn panels_in_windows_of_their_own_are_there_again_after_a_kill() {
    let home = Home::new();
    let mut first = home.open(&[]);
    first.opened();
    let place =
        WindowPlace { corner: Some([2100.0, 40.0]), size: [420.0, 760.0], is_maximized: false };
    for command in [
        WindowsCommand::Toggle(PanelWindow::Inspector),
        WindowsCommand::Toggle(PanelWindow::Stage),
        WindowsCommand::Place(PanelWindow::Inspector, place),
    ] {
        first.app.carry_out(Command::Windows(command));
    }
    first.until_stored(&home, "the place", |session| {
        session["windows"]["places"]["inspector"]["corner"] == json!([2100.0, 40.0])
    });
    assert_eq!(home.stored()["windows"]["open"], json!(["stage", "inspector"]));
    drop(first);
    let mut second = home.open(&[]);
    let windows = &second.opened().windows;
    assert!(windows.open.iter().eq(&[PanelWindow::Stage, PanelWindow::Inspector]));
    assert_eq!(windows.place(PanelWindow::Inspector), place);
    // Another thing that is opened changes nothing of where windows stand.
    let set = task_set(&home, "set", "set", 1);
    drop(second);
    let mut third = home.open(&[&set]);
    assert_eq!(third.opened().windows.place(PanelWindow::Inspector), place);
    third.app.carry_out(Command::Windows(WindowsCommand::DockAll));
    third.until_stored(&home, "no window", |session| session["windows"]["open"] == json!([]));
}

#[test]
fn samples_that_were_open_are_opened_where_the_program_has_them_now() {
    const RUN: &str = "runs/own-samples/quiz-progress/scripted-01";
    let home = Home::new();
    // As an AppImage of the version before left it, whose files are gone.
    let gone = home.path("cache/0123/usr/share/pentimento/sample_runs");
    let session = json!({"session": {"open": [gone], "run": gone.join(RUN), "step": 2}});
    std::fs::write(home.path("settings.json"), session.to_string()).unwrap();
    let mut window = home.open(&[]);
    let state = window.opened();
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    assert_eq!(state.library.opened, std::slice::from_ref(&here));
    assert_eq!(state.selected_run().map(|run| &run.dir), Some(&here.join(RUN)));
    assert_eq!(state.selection.step, 2);
}

#[test]
fn a_labelling_project_alone_leaves_the_library_as_it_was() {
    let home = Home::new();
    let labels = home.path("study.labels");
    std::fs::write(&labels, "what it holds does not matter here").unwrap();
    // Who has never had a library is shown the samples when he comes for that.
    let mut first = home.open(&[&labels]);
    first.app.carry_out(Command::SetFilter("agent:tracer".to_owned()));
    first.until_stored(&home, "a session", |session| session["filter"] == "agent:tracer");
    assert_eq!(home.stored()["open"], Value::Null);
    drop(first);
    let mut second = home.open(&[]);
    let samples = second.opened().library.opened.clone();
    assert_eq!(samples.len(), 1);
    second.until_stored(&home, "the samples", |session| session["open"] == json!(samples));
    drop(second);
    let mut third = home.open(&[&labels]);
    assert_eq!(third.opened().library.opened, samples);
    third.app.carry_out(Command::SetFilter(String::new()));
    third.until_stored(&home, "another filter", |session| session["filter"] == "");
    drop(third);
    assert_eq!(home.open(&[]).opened().library.opened, samples);
}

#[test]
fn what_is_missing_at_one_start_is_open_and_chosen_again_once_it_is_back() {
    let home = Home::new();
    let set = task_set(&home, "set", "set", 2);
    let mut first = home.open(&[&set]);
    first.opened();
    first.app.carry_out(Command::EditLaunch(LaunchEdit::OutDir(set.join("runs"))));
    launch(&mut first, &home, 2);
    first.until("all are over", is_idle);
    let (id, run) = first.app.state().library.runs.last_key_value().unwrap();
    let (id, run) = (*id, run.dir.clone());
    first.app.carry_out(Command::SelectRun(id));
    first.until_stored(&home, "the run", |session| session["run"] == json!(run));
    drop(first);
    // A disk is not there.
    let away = home.path("away");
    std::fs::rename(&set, &away).unwrap();
    let mut second = home.open(&[]);
    second.until("it is missing", |state| state.library.missing == [&*set]);
    second.app.carry_out(Command::SetFilter("agent:scripted".to_owned()));
    second.until_stored(&home, "the filter", |session| session["filter"] == "agent:scripted");
    assert_eq!((&home.stored()["open"], &home.stored()["run"]), (&json!([set]), &json!(run)));
    drop(second);
    std::fs::rename(&away, &set).unwrap();
    let mut third = home.open(&[]);
    assert_eq!(third.opened().selected_run().map(|run| &run.dir), Some(&run));
    assert!(third.app.state().library.missing.is_empty());
    drop(third);
    // Gone for good, as somebody says.
    std::fs::rename(&set, &away).unwrap();
    let mut fourth = home.open(&[]);
    fourth.until("it is missing", |state| !state.library.missing.is_empty() && is_idle(state));
    let missing = fourth.app.state().library.missing.clone();
    fourth.app.carry_out(Command::ForgetPaths(missing));
    fourth.until_stored(&home, "that it is forgotten", |session| session["open"] == json!([]));
}

#[test]
fn what_another_thing_takes_the_place_of_is_among_the_recent_paths() {
    let home = Home::new();
    let mut first = home.open(&[]);
    let samples = first.opened().library.opened.clone();
    first.until_stored(&home, "the samples", |session| session["open"] == json!(samples));
    drop(first);
    let set = task_set(&home, "set", "set", 1);
    let mut second = home.open(&[&set]);
    assert_eq!(second.opened().library.opened, std::slice::from_ref(&set));
    assert_eq!(second.app.state().settings.recent, [set, samples[0].clone()]);
    // What is closed is offered on the empty stage.
    second.app.carry_out(Command::Close("set".to_owned()));
    second.app.carry_out(Command::OpenSamples);
    second.until("the samples are open", |state| !state.library.sets.is_empty() && is_idle(state));
    assert!(second.app.state().library.opened.contains(&samples[0]));
}

#[test]
fn a_note_is_there_after_a_kill() {
    let home = Home::new();
    let mut first = home.open(&[]);
    first.opened();
    let run = first.app.state().selected_run().unwrap();
    let (step, whole) = (NoteKey::of(run, Some(2)), NoteKey::of(run, None));
    for text in ["T", "Th", "The heading is cut."] {
        let note = Note { is_starred: false, text: text.to_owned() };
        first.app.carry_out(Command::PutNote(step.clone(), note));
    }
    first.app.carry_out(Command::ToggleStar(whole.clone()));
    // Another process reads it while this one goes on: nothing waits for its end.
    let store = Store::open(&home.path("workspace.sqlite")).unwrap();
    let began = Instant::now();
    while store.notes().unwrap().len() < 2 {
        assert!(began.elapsed() < Duration::from_secs(20), "the notes are not kept");
        std::thread::sleep(Duration::from_millis(10));
    }
    std::mem::forget(first);
    let mut second = home.open(&[]);
    second.until("the notes are read", |state| !state.notes.is_empty());
    let notes = &second.app.state().notes;
    assert_eq!(notes.note(&step).map(|note| &*note.text), Some("The heading is cut."));
    assert!(notes.note(&whole).is_some_and(|note| note.is_starred));
    assert_eq!(notes.problem, None);
}

#[test]
fn a_note_that_could_not_be_written_is_kept_as_soon_as_it_can_be() {
    let home = Home::new();
    let workspace = home.path("workspace.sqlite");
    change(&workspace, "CREATE TABLE bookmarks (url TEXT)");
    let newer = home.path("newer.sqlite");
    drop(Store::open(&newer).unwrap());
    change(&newer, "UPDATE schema_version SET version = 99");
    let mut first = home.open(&[]);
    first.opened();
    first.until("it is said that notes are not kept", |state| {
        state.notes.problem.as_ref().is_some_and(|why| why.contains("not a workspace"))
    });
    let key = NoteKey::of(first.app.state().selected_run().unwrap(), None);
    let note = Note { is_starred: true, text: "The heading is cut.".to_owned() };
    first.app.carry_out(Command::PutNote(key, note));
    // A try that fails for the same reason is not told: for another one it is.
    std::fs::rename(&newer, &workspace).unwrap();
    first.until("it could not be written either", |state| {
        state.notes.problem.as_ref().is_some_and(|why| why.contains("of version 99"))
    });
    std::fs::remove_file(&workspace).unwrap();
    first.until("notes are kept again", |state| state.notes.problem.is_none());
    let stored = Store::open(&workspace).unwrap().notes().unwrap();
    assert_eq!(stored.len(), 1);
    assert_eq!((stored[0].is_starred, &*stored[0].text), (true, "The heading is cut."));
}

#[test]
fn a_kept_range_is_there_after_a_kill_and_a_link_marks_its_steps() {
    let home = Home::new();
    let mut first = home.open(&[]);
    first.opened();
    let range = StepRange { first: 1, last: 3 };
    first.app.carry_out(Command::Playback(PlaybackCommand::SetRange(Some(range))));
    first.app.carry_out(Command::Ranges(RangeCommand::Keep));
    let key = RangeKey::of(first.app.state().selected_run().unwrap(), range);
    let words = KeptRange { name: "Header".to_owned(), note: "twice".to_owned() };
    let edit = RangeCommand::Edit(key.clone(), words.clone());
    first.app.carry_out(Command::Ranges(edit));
    let store = Store::open(&home.path("workspace.sqlite")).unwrap();
    let began = Instant::now();
    while store.ranges().unwrap().iter().all(|kept| kept.name != "Header") {
        assert!(began.elapsed() < Duration::from_secs(20), "the range is not kept");
        std::thread::sleep(Duration::from_millis(10));
    }
    let dir = first.app.state().selected_run().unwrap().dir.clone();
    std::mem::forget(first);
    let link = Link { range: Some(range), ..Link::to_run(&dir).unwrap() };
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    let mut second = home.open_at(&[&samples, &dir], Some(link));
    second.until("the range is read and its steps are marked", |state| {
        let is_read = state.selected_run().is_some_and(|entry| entry.loaded.is_some());
        is_read && state.notes.range(&key) == Some(&words) && state.selection.range == Some(range)
    });
    assert_eq!(second.app.state().selection.step, 1);
}

#[test]
fn a_difference_that_lets_pass_is_made_of_both_pictures_and_its_areas_stay_with_the_task() {
    let home = Home::new();
    let mut first = home.open(&[]);
    first.opened();
    let tolerance = PixelTolerance { ignores_antialiasing: true, ..PixelTolerance::default() };
    first.app.carry_out(Command::Stage(StageCommand::Compare(StageView::Difference)));
    first.app.carry_out(Command::Stage(StageCommand::Tolerate(tolerance)));
    let found = |state: &State| {
        let key = state.pixel_difference_key()?;
        state.derived.pixel_differences.ready(&key).map(|found| (found.counted, found.share()))
    };
    first.until("it is compared", |state| found(state).is_some());
    let (counted, share) = found(first.app.state()).unwrap();
    assert!(counted > 10_000 && (0.0..=1.0).contains(&share.unwrap()), "{counted} {share:?}");
    let all = IgnoredArea::between([0.0, 0.0], [1.0, 90.0]).unwrap();
    first.app.carry_out(Command::Areas(AreaCommand::Ignore(all)));
    first.until("nothing is left to compare", |state| found(state) == Some((0, None)));
    let store = Store::open(&home.path("workspace.sqlite")).unwrap();
    let began = Instant::now();
    while store.areas().unwrap().is_empty() {
        assert!(began.elapsed() < Duration::from_secs(20), "the area is not kept");
        std::thread::sleep(Duration::from_millis(10));
    }
    std::mem::forget(first);
    let mut second = home.open(&[]);
    second.until("the area is read", |state| state.ignored_areas() == [all]);
}

#[test]
fn launched_runs_are_in_the_library_of_the_next_window_whatever_it_opens() {
    let home = Home::new();
    let set = task_set(&home, "set", "set", 1);
    let mut first = home.open(&[&set]);
    first.opened();
    launch(&mut first, &home, 2);
    first.until("the run is over", |state| {
        state.library.runs.values().any(|run| run.state == RunState::Finished)
    });
    drop(first);
    let other = task_set(&home, "other", "other", 1);
    let mut second = home.open(&[&other]);
    second.until("the run is listed", |state| {
        let runs = state.library.runs.values();
        runs.filter(|run| run.manifest.agent.kind == "scripted").count() == 1
    });
    assert_eq!(second.opened().library.sets[0].set.id, "other");
    assert_eq!(second.app.state().overlay, None, "nothing was left unfinished");
}

#[test]
fn every_folder_that_runs_were_launched_into_is_in_the_library_of_the_next_windows() {
    let home = Home::new();
    let set = task_set(&home, "set", "set", 1);
    let mut first = home.open(&[&set]);
    first.opened();
    let folders = ["a", "b"].map(|name| home.path(name));
    for folder in &folders {
        first.app.carry_out(Command::EditLaunch(LaunchEdit::OutDir(folder.clone())));
        launch(&mut first, &home, 2);
        first.until("the run is over", is_idle);
    }
    assert_eq!(first.app.state().settings.recent[..2], [folders[1].clone(), folders[0].clone()]);
    let open = json!([&set, &folders[0], &folders[1]]);
    first.until_stored(&home, "all that is open", |session| session["open"] == open);
    drop(first);
    let other = task_set(&home, "other", "other", 1);
    for paths in [&[&*other][..], &[]] {
        let mut window = home.open(paths);
        window.until("both runs are listed", |state| {
            let is_listed = |folder: &PathBuf| {
                state.library.runs.values().any(|run| run.dir.starts_with(folder))
            };
            folders.iter().all(is_listed)
        });
        window.opened();
        window.until_stored(&home, "what is open", |session| session["open"][0] == json!(other));
    }
}

#[test]
fn a_launch_that_was_broken_off_is_offered_again_and_goes_on() {
    let home = Home::new();
    let set = task_set(&home, "set", "set", 4);
    let mut first = home.open(&[&set]);
    first.opened();
    launch(&mut first, &home, 400);
    first.until_stored(&home, "an unfinished launch", |session| {
        session["unfinished"][0]["runs"].as_u64().is_some_and(|runs| runs >= 2)
    });
    drop(first);

    let mut second = home.open(&[&set]);
    let state = second.opened();
    assert_eq!(state.overlay, Some(Overlay::Unfinished));
    let offered = state.unfinished[0].tasks.clone();
    assert!(offered.len() >= 2, "{offered:?}");
    second.app.carry_out(Command::ResumeUnfinished);
    second.until("all are over", is_idle);
    let state = second.app.state();
    for task in &offered {
        let finished =
            state.library.runs_of(task).filter(|(_, run)| run.state == RunState::Finished);
        assert_eq!(finished.count(), 1, "{task:?}: {:?}", state.notices);
    }
    second.until_stored(&home, "nothing unfinished", |session| session["unfinished"] == json!([]));
}

#[test]
fn two_folders_with_sets_of_one_id_are_open_side_by_side_each_with_its_runs() {
    let home = Home::new();
    let sets = ["a/screens", "b/screens"].map(|place| task_set(&home, place, "screens", 2));
    for set in &sets {
        let mut window = home.open(&[set]);
        window.opened();
        let runs = LaunchEdit::OutDir(set.join("runs"));
        window.app.carry_out(Command::EditLaunch(runs));
        launch(&mut window, &home, 2);
        window.until("all are over", is_idle);
    }
    let mut window = home.open(&[&sets[0], &sets[1]]);
    window.until("both are listed", |state| state.library.sets.len() == 2 && is_idle(state));
    let state = window.app.state();
    let names: Vec<&str> = state.library.sets.iter().map(|entry| &*entry.set.name).collect();
    assert_eq!(names, ["a/screens", "b/screens — b/screens"]);
    for (entry, dir) in state.library.sets.iter().zip(&sets) {
        assert_eq!(&entry.set.dir, dir);
        for (task, _) in entry.tasks() {
            let runs: Vec<_> = state.library.runs_of(&task).collect();
            assert_eq!(runs.len(), 1, "{task:?}");
            assert!(runs[0].1.dir.starts_with(dir));
            assert_eq!(runs[0].1.manifest.task.set, "screens", "recorded as its file says");
        }
    }
}

#[test]
fn runs_at_copies_of_a_task_set_are_matched_by_what_their_tasks_ask() {
    let home = Home::new();
    let sets = ["a/screens", "b/screens"].map(|place| task_set(&home, place, "screens", 2));
    // Of the copy one task asks something else under the same name.
    let file = sets[1].join("taskset.json");
    let text = std::fs::read_to_string(&file).unwrap();
    let mut set: Value = serde_json::from_str(&text).unwrap();
    set["tasks"][1]["instruction"] = json!("Draw it twice.");
    std::fs::write(&file, set.to_string()).unwrap();
    for set in &sets {
        let mut window = home.open(&[set]);
        window.opened();
        window.app.carry_out(Command::EditLaunch(LaunchEdit::OutDir(set.join("runs"))));
        launch(&mut window, &home, 2);
        window.until("all are over", is_idle);
    }
    let mut window = home.open(&[&sets[0], &sets[1]]);
    window.until("both are listed", |state| state.library.sets.len() == 2 && is_idle(state));
    window.app.carry_out(Command::Annotate(AnnotateCommand::Show(Workspace::Explore)));
    window.app.carry_out(Command::Explore(ExploreCommand::PairBy(Column::Folder)));
    window.until("they are matched", |state| {
        let pair = state.explore.table.pair.as_ref();
        pair.is_some_and(|pair| !pair.is_reading && pair.both().count() == 1)
    });
    let pair = window.app.state().explore.table.pair.clone().unwrap();
    let ids: Vec<&str> = pair.tasks.iter().map(|task| task.task.id.as_str()).collect();
    assert_eq!(ids, ["task-0", "task-1", "task-1"], "one is the same task, and two are not");
    let both = pair.tasks[0].both().unwrap();
    assert_eq!(both.0, both.1, "the same calls at the same task");
    assert!(pair.first.ends_with("a/screens/runs") || pair.second.ends_with("a/screens/runs"));
}

/// Launches a script of so many turns on every task of the first set, one run at a time.
fn launch(window: &mut Turned, home: &Home, turns: usize) {
    let script = home.path("script.json");
    let turn = |at: usize| {
        json!({"thought": "", "calls": [{"name": "create_rectangle", "arguments": {
            "x": at % 30, "y": at % 60, "width": 5, "height": 5, "name": format!("Box {at}")}}]})
    };
    std::fs::write(&script, json!((0..turns).map(turn).collect::<Vec<_>>()).to_string()).unwrap();
    let set = window.app.state().library.sets[0].set.clone();
    let tasks = set.tasks.iter().map(|task| TaskRef { set: set.id.clone(), id: task.id.clone() });
    window.app.carry_out(Command::OpenLaunch(tasks.collect()));
    for edit in [
        LaunchEdit::Agent(AgentKind::Scripted),
        LaunchEdit::Script(Some(script)),
        LaunchEdit::Jobs(1),
        LaunchEdit::MaxTurns(1000),
    ] {
        window.app.carry_out(Command::EditLaunch(edit));
    }
    window.app.carry_out(Command::Launch);
    assert_eq!(window.app.state().overlay, None, "{:?}", window.app.state().notices);
}
