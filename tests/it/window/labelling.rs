//! The room in which people label: by keys alone, blind, and as it looks; over a real file and real runs.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use egui::{Key, Modifiers, Shape};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_kittest::{Harness, SnapshotOptions, SnapshotResults};
use tempfile::TempDir;

use pentimento::app::Session;
use pentimento::label::form::{Form, QuestionKind, builtin_forms};
use pentimento::label::{AnswerValue, CellKey, ItemKind, WriterId};
use pentimento::store::labels::LabelFile;
use pentimento::ui::{self, CommandQueue, ViewContext, Window};
use pentimento::workbench::views;
use pentimento::workbench::{
    AnnotateCommand, Command, Desk, EvidenceLayout, JobKind, Overlay, Saving, Settings, State,
    ThemeChoice,
};
use pentimento::worker::WorkerConfig;

use super::accessibility::assert_all_have_names;
use crate::labelling::{project, sample_runs};

/// How long anything may take before a test gives up. Not a measure of speed.
const PATIENCE: Duration = Duration::from_mins(3);
pub(super) const WIDE: [f32; 2] = [1440.0, 900.0];
pub(super) const SMALL: [f32; 2] = [1024.0, 700.0];

/// A window over a workbench with its worker.
pub(super) struct Host {
    window: Window,
    pub(super) session: Session,
    /// Where what is recorded goes, if nowhere else was said.
    _runs: Option<TempDir>,
}

impl Host {
    fn show(&mut self, ui: &mut egui::Ui) {
        let _more = self.session.take_events(Duration::from_millis(8));
        let queue = CommandQueue::default();
        self.window.show(ui, &ViewContext { state: self.session.state(), commands: &queue });
        while let Some(command) = queue.next(self.session.state()) {
            self.session.carry_out(command);
        }
    }
}

pub(super) fn window<'a>(settings: Settings, size: [f32; 2]) -> Harness<'a, Host> {
    let runs = tempfile::tempdir().unwrap();
    hosted(State::new(settings, runs.path().to_path_buf()), size, Some(runs))
}

/// A window over a state.
pub(super) fn window_of<'a>(state: State, size: [f32; 2]) -> Harness<'a, Host> {
    hosted(state, size, None)
}

/// The same over another worker.
pub(super) fn window_with<'a>(
    state: State,
    size: [f32; 2],
    config: WorkerConfig,
) -> Harness<'a, Host> {
    hosted_by(state, size, None, config)
}

fn hosted<'a>(state: State, size: [f32; 2], runs: Option<TempDir>) -> Harness<'a, Host> {
    hosted_by(state, size, runs, WorkerConfig::default())
}

fn hosted_by<'a>(
    state: State,
    [width, height]: [f32; 2],
    runs: Option<TempDir>,
    config: WorkerConfig,
) -> Harness<'a, Host> {
    let session = Session::start(state, config, || {}).unwrap();
    let host = Host { window: Window::default(), session, _runs: runs };
    let mut harness = Harness::builder()
        .with_size(egui::vec2(width, height))
        .with_context_setup(ui::install)
        .wgpu()
        .build_ui_state(whole_window, host);
    harness.step();
    harness
}

fn whole_window(ui: &mut egui::Ui, host: &mut Host) {
    let all = egui::UiBuilder::new().max_rect(ui.ctx().content_rect());
    ui.scope_builder(all, |ui| host.show(ui));
}

pub(super) fn state<'a>(harness: &'a Harness<'_, Host>) -> &'a State {
    harness.state().session.state()
}

pub(super) fn desk<'a>(harness: &'a Harness<'_, Host>) -> &'a Desk {
    state(harness).annotate.desk.as_ref().unwrap()
}

pub(super) fn until(harness: &mut Harness<'_, Host>, what: &str, is_so: impl Fn(&State) -> bool) {
    let began = Instant::now();
    while !is_so(state(harness)) {
        assert!(
            began.elapsed() < PATIENCE,
            "it was never so: {what}: {:?}",
            state(harness).annotate.desk.as_ref().map(|desk| (&desk.draft, &desk.saving))
        );
        harness.step();
        std::thread::sleep(Duration::from_millis(2));
    }
    harness.step();
}

pub(super) fn open(harness: &mut Harness<'_, Host>, path: &Path) {
    let open = Command::Annotate(AnnotateCommand::Open(path.to_path_buf()));
    harness.state_mut().session.carry_out(open);
    until(harness, "the project is open", |state| state.annotate.labels.is_some());
}

/// Whether what was opened is listed; its runs may still be read and scored.
pub(super) fn is_listed(state: &State) -> bool {
    let mut active = state.jobs.active();
    !state.library.runs.is_empty() && active.all(|(_, job)| job.kind != JobKind::Open)
}

/// The window in another theme.
pub(super) fn dressed(harness: &mut Harness<'_, Host>, theme: ThemeChoice) {
    harness.state_mut().session.carry_out(Command::SetTheme(theme));
    harness.run_steps(4);
}

/// A window with ada at a project of so many items of a form.
fn at_desk<'a>(dir: &Path, form: &Form, count: usize, size: [f32; 2]) -> Harness<'a, Host> {
    desk_in(dir, form, count, (size, ThemeChoice::Dark), true)
}

/// The same to be looked at, where nothing differs from one time to the next.
pub(super) fn themed_desk<'a>(
    dir: &Path,
    form: &Form,
    count: usize,
    looks: ([f32; 2], ThemeChoice),
) -> Harness<'a, Host> {
    desk_in(dir, form, count, looks, false)
}

fn desk_in<'a>(
    dir: &Path,
    form: &Form,
    count: usize,
    (size, theme): ([f32; 2], ThemeChoice),
    counts_time: bool,
) -> Harness<'a, Host> {
    let path = dir.join("study.labels");
    // Two short runs of different tasks: what is labelled matters to nobody here.
    let runs: Vec<PathBuf> =
        sample_runs().into_iter().filter(|run| is_short(run)).take(2).collect();
    project(&path, form, &runs, count);
    let mut harness = window(Settings { theme, ..Settings::default() }, size);
    // Time is counted while the window has the keyboard, and how much of it passes differs.
    harness.input_mut().focused = counts_time;
    open(&mut harness, &path);
    harness.get_by_label("ada").click();
    until(&mut harness, "ada sits there", |state| state.annotate.desk.is_some());
    harness
}

fn is_short(run: &Path) -> bool {
    run.to_string_lossy().contains("quiz-progress") || run.to_string_lossy().contains("timer-shape")
}

pub(super) fn press(harness: &mut Harness<'_, Host>, key: Key) {
    harness.key_press(key);
    harness.step();
    // What a key asks for is carried out after the frame, and seen in the next one.
    harness.step();
}

/// A key that goes down, and what lies there on a US keyboard.
fn down(key: Key, physical_key: Option<Key>, modifiers: Modifiers) -> egui::Event {
    egui::Event::Key { key, physical_key, pressed: true, repeat: false, modifiers }
}

fn key_of(letter: char) -> Key {
    Key::from_name(&letter.to_ascii_uppercase().to_string()).unwrap()
}

/// Answers the question that keys answer.
fn answer_focused(harness: &mut Harness<'_, Host>) {
    let (_, form) = state(harness).annotate.asked().unwrap();
    let question = desk(harness).draft.focused(form).unwrap().clone();
    let keys = views::answer_keys(state(harness)).into_iter();
    let mut keys = keys.filter(|key| key.question == question.id && key.option.is_some());
    match question.answer {
        QuestionKind::Text => {
            // Typed on at once, as people do, with the letter that systems send after the key in the same
            // frame: nothing of the words may be lost, and the letter of the key is none of them.
            let key = egui::Event::Key {
                key: Key::T,
                physical_key: None,
                pressed: true,
                repeat: false,
                modifiers: Modifiers::NONE,
            };
            let texts = ["t", "words"].map(|text| egui::Event::Text(text.to_owned()));
            harness.input_mut().events.push(key);
            harness.input_mut().events.extend(texts);
            harness.run_steps(6);
            let typed = desk(harness).draft.answer.values.get(&question.id);
            let wanted = AnswerValue::Text("words".to_owned());
            assert_eq!(typed, Some(&wanted), "{}: {:?}", question.id, desk(harness).writing);
            press(harness, Key::Escape);
        }
        QuestionKind::Ranking { .. } => {
            let letters: Vec<char> = keys.map(|key| key.key).collect();
            for letter in letters {
                press(harness, key_of(letter));
            }
        }
        _ => {
            let letter = keys.next().expect("a key that answers").key;
            press(harness, key_of(letter));
        }
    }
}

/// Answers the form on the screen by keys, and goes on.
pub(super) fn answer_by_keys(harness: &mut Harness<'_, Host>) {
    for _ in 0..60 {
        let (item, form) = state(harness).annotate.asked().unwrap();
        let answer = &desk(harness).draft.answer;
        if answer.check(form, &item.candidates).is_ok() {
            break;
        }
        let focused = desk(harness).draft.focused(form).unwrap();
        if answer.values.contains_key(&focused.id) {
            press(harness, Key::ArrowDown);
        } else {
            answer_focused(harness);
        }
    }
    let before = desk(harness).progress.answered();
    let at = desk(harness).at;
    press(harness, Key::Enter);
    until(harness, "the answer is saved and the next item shows", |state| {
        let desk = state.annotate.desk.as_ref().unwrap();
        desk.progress.answered() == before + 1 && desk.at != at && desk.saving == Saving::Done
    });
}

/// Fifty items of every form about one of these kinds.
fn answer_fifty_of_each(kinds: &[ItemKind]) {
    let forms: Vec<&Form> =
        builtin_forms().iter().filter(|form| kinds.contains(&form.about)).collect();
    assert!(kinds.iter().all(|kind| forms.iter().any(|form| form.about == *kind)));
    for form in forms {
        let dir = tempfile::tempdir().unwrap();
        let mut harness = at_desk(dir.path(), form, 50, SMALL);
        assert_all_have_names(&harness, &form.id);
        for _ in 0..50 {
            answer_by_keys(&mut harness);
        }
        assert!(state(&harness).annotate.asked().is_none(), "{}: all done", form.id);
        harness.get_by_label("All done");
        let file = LabelFile::open(&dir.path().join("study.labels"), WriterId(9)).unwrap();
        assert_eq!(file.ledger().unwrap().len(), 50, "{}", form.id);
    }
}

/// Queries have a test of their own.
#[test]
fn fifty_items_of_each_form_are_answered_by_keys_alone() {
    answer_fifty_of_each(&[ItemKind::Run, ItemKind::Pair, ItemKind::Step]);
}

#[test]
fn fifty_tasks_designs_and_texts_of_each_form_are_answered_by_keys_alone() {
    answer_fifty_of_each(&[ItemKind::Task, ItemKind::Design, ItemKind::Text]);
}

#[test]
fn several_zooms_in_one_frame_are_each_from_where_the_one_before_led_to() {
    let dir = tempfile::tempdir().unwrap();
    let form = pentimento::label::form::builtin_form("pairwise-preference").unwrap();
    let mut harness = at_desk(dir.path(), form, 2, SMALL);
    until(&mut harness, "the pictures are there", shows_pictures);
    press(&mut harness, Key::Plus);
    let before = desk(&harness).view.zoom.unwrap();
    let keys = [Key::Plus, Key::Plus, Key::Minus];
    harness.input_mut().events.extend(keys.map(|key| down(key, None, Modifiers::NONE)));
    harness.run_steps(3);
    let zoom = desk(&harness).view.zoom.unwrap();
    assert!((zoom / before - 1.25).abs() < 1e-3, "{zoom} after {before}");
}

#[test]
fn digits_answer_by_place_and_with_shift_where_the_layout_has_them_there() {
    let dir = tempfile::tempdir().unwrap();
    let form = pentimento::label::form::builtin_form("pairwise-preference").unwrap();
    let mut harness = at_desk(dir.path(), form, 2, SMALL);
    let mut answer = |key, place, modifiers, written: &str| {
        let text = egui::Event::Text(written.to_owned());
        harness.input_mut().events.extend([down(key, Some(place), modifiers), text]);
        harness.run_steps(2);
        desk(&harness).draft.answer.values.get("preference").cloned()
    };
    let first = answer(Key::Quote, Key::Num1, Modifiers::NONE, "'");
    assert!(first.is_some());
    let other = answer(Key::Num3, Key::Num3, Modifiers::SHIFT, "3");
    assert!(other.is_some() && other != first);
    // On a US keyboard that is no digit; and what zooms does not answer.
    assert_eq!(answer(Key::Num2, Key::Num2, Modifiers::SHIFT, "@"), other);
    assert_eq!(answer(Key::Minus, Key::Num1, Modifiers::NONE, "-"), other);
}

#[test]
fn the_side_that_was_pressed_is_the_run_that_stood_there() {
    let dir = tempfile::tempdir().unwrap();
    let form = pentimento::label::form::builtin_form("pairwise-preference").unwrap();
    let mut harness = at_desk(dir.path(), form, 12, WIDE);
    let mut swapped = 0;
    for at in 0..12 {
        let unit = desk(&harness).unit().unwrap().clone();
        swapped += usize::from(unit.turn.is_swapped);
        let (key, is_left) = if at % 2 == 0 { (Key::Num1, true) } else { (Key::Num3, false) };
        press(&mut harness, key);
        let item = state(&harness).annotate.asked().unwrap().0.id.clone();
        press(&mut harness, Key::Enter);
        until(&mut harness, "it is on disk", |state| {
            state.annotate.desk.as_ref().unwrap().saving == Saving::Done
        });
        let key = CellKey { item, form: form.hash(), person: "ada".to_owned() };
        let answered = state(&harness).annotate.ledger.answer(&key).unwrap();
        let AnswerValue::Preference(preferred) = answered.answer.values["preference"] else {
            panic!("a preference")
        };
        let is_first = preferred == pentimento::label::Preferred::First;
        assert_eq!(is_first, is_left != unit.turn.is_swapped);
        assert_eq!(answered.shown.as_ref().unwrap().is_swapped, unit.turn.is_swapped);
    }
    assert!((3..=9).contains(&swapped), "{swapped} of 12 were swapped");
}

#[test]
fn the_pause_after_an_answer_can_be_undone_and_time_is_counted() {
    let dir = tempfile::tempdir().unwrap();
    let form = pentimento::label::form::builtin_form("task-success").unwrap();
    let mut harness = at_desk(dir.path(), form, 3, SMALL);
    let first = desk(&harness).at;
    harness.run_steps(8);
    press(&mut harness, Key::Y);
    harness.key_press(Key::Enter);
    until(&mut harness, "it is on disk", |state| {
        state.annotate.desk.as_ref().unwrap().progress.answered() == 1
    });
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    until(&mut harness, "it is undone", |state| {
        state.annotate.desk.as_ref().unwrap().progress.answered() == 0
    });
    assert_eq!(desk(&harness).at, first, "it stayed, or came back");
    assert!(desk(&harness).told.as_deref().unwrap().starts_with("Undone at item "));
    press(&mut harness, Key::N);
    answer_by_keys(&mut harness);
    let ledger = &state(&harness).annotate.ledger;
    let key = ledger.cell_keys().next().unwrap();
    let answered = ledger.answer(key).unwrap();
    assert!(answered.millis.unwrap() > 100, "{:?}", answered.millis);
    assert_eq!(answered.views.values().sum::<u64>(), answered.millis.unwrap());
}

#[test]
fn a_mark_gets_its_severity_and_its_place_by_key_and_drag() {
    let dir = tempfile::tempdir().unwrap();
    let form = pentimento::label::form::builtin_form("canvas-errors").unwrap();
    let mut harness = at_desk(dir.path(), form, 2, WIDE);
    until(&mut harness, "the pictures are there", shows_pictures);
    press(&mut harness, Key::Y);
    press(&mut harness, Key::Q);
    press(&mut harness, Key::Num3);
    press(&mut harness, Key::D);
    let picture = harness
        .get_by(|node| node.label().is_some_and(|label| label.starts_with("Picture of Design")));
    let rect = picture.rect();
    let at = |x: f32, y: f32| rect.min + egui::vec2(rect.width() * x, rect.height() * y);
    harness.drag_at(at(0.25, 0.25));
    harness.step();
    harness.hover_at(at(0.4, 0.4));
    harness.step();
    harness.hover_at(at(0.5, 0.75));
    harness.step();
    harness.drop_at(at(0.5, 0.75));
    harness.step();
    harness.step();
    let AnswerValue::Marks(marks) = &desk(&harness).draft.answer.values["errors"] else {
        panic!("marks")
    };
    let [mark] = marks.as_slice() else { panic!("one mark") };
    assert_eq!(mark.severity, Some(3));
    assert_all_have_names(&harness, "a mark");
    let [x, y, width, height] = mark.place.region.expect("a region");
    let evidence = state(&harness).derived.evidence.iter().find_map(|(_, it)| match it {
        pentimento::workbench::Fetched::Ready(evidence) => Some(evidence.clone()),
        _ => None,
    });
    let run = evidence.unwrap().runs[0].as_ref().unwrap().clone();
    let canvas = run.manifest.canvas_size.unwrap();
    for (found, wanted) in [
        (x, canvas.width * 0.25),
        (y, canvas.height * 0.25),
        (width, canvas.width * 0.25),
        (height, canvas.height * 0.5),
    ] {
        assert!((found - wanted).abs() <= 3.0, "{found} for {wanted}");
    }
    assert!(mark.place.step.is_some());
}

pub(super) fn shows_pictures(state: &State) -> bool {
    let panes = views::evidence_panes(state);
    let are_there =
        |panes: &[views::EvidenceShown<'_>]| panes.iter().all(|pane| pane.shown.picture.is_some());
    !panes.is_empty() && are_there(&panes)
}

/// Every word that is drawn or read out.
pub(super) fn words_of(harness: &Harness<'_, Host>) -> String {
    let mut words = String::new();
    let mut nodes = vec![harness.root()];
    while let Some(node) = nodes.pop() {
        let accessible = node.accesskit_node();
        for text in [accessible.label(), accessible.value(), accessible.description()] {
            words.extend(text.into_iter().chain(["\n".to_owned()]));
        }
        nodes.extend(node.children());
    }
    for shape in &harness.output().shapes {
        drawn_words(&shape.shape, &mut words);
    }
    let commands = harness.output().platform_output.commands.iter();
    words.extend(commands.map(|command| format!("{command:?}")));
    words
}

fn drawn_words(shape: &Shape, words: &mut String) {
    match shape {
        Shape::Text(text) => {
            words.push_str(text.galley.text());
            words.push('\n');
        }
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| drawn_words(shape, words)),
        _ => {}
    }
}

#[test]
fn nothing_on_the_screen_of_a_blind_queue_says_who_made_what() {
    let dir = tempfile::tempdir().unwrap();
    let form = pentimento::label::form::builtin_form("pairwise-preference").unwrap();
    let mut harness = at_desk(dir.path(), form, 6, WIDE);
    // The library knows names: the same runs are open in the other room, and something failed there.
    let runs = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    harness.state_mut().session.carry_out(Command::Open(vec![runs]));
    until(&mut harness, "the library is listed", |state| !state.library.runs.is_empty());
    let warning = Command::Warn("the run of tracer in runs/tracer-01 failed".to_owned());
    harness.state_mut().session.carry_out(warning);
    let file = LabelFile::open(&dir.path().join("study.labels"), WriterId(9)).unwrap();
    let mut names: Vec<String> = vec!["tracer".into(), "scripted".into(), "sample_runs".into()];
    for run in file.items().unwrap().iter().flat_map(|item| &item.runs) {
        names.extend([run.model.clone(), run.path.clone(), run.content[..12].to_owned()]);
        let id = pentimento::run::reader::open(Path::new(&run.path)).unwrap().manifest.id;
        names.push(id);
    }
    let mut seen = String::new();
    for step in 0..6 {
        until(&mut harness, "the pictures are there", shows_pictures);
        seen += &words_of(&harness);
        match step {
            0 | 1 => press(&mut harness, Key::V),
            2 => press(&mut harness, Key::F1),
            3 => {
                seen += &words_of(&harness);
                press(&mut harness, Key::Escape);
                harness.key_press_modifiers(Modifiers::COMMAND, Key::P);
                harness.run_steps(3);
                harness.event(egui::Event::Text("t".to_owned()));
                harness.run_steps(3);
                assert_eq!(state(&harness).overlay, Some(Overlay::Palette));
                seen += &words_of(&harness);
                press(&mut harness, Key::Escape);
            }
            _ => answer_by_keys(&mut harness),
        }
        harness.hover_at(egui::pos2(700.0, 400.0));
        harness.run_steps(4);
        seen += &words_of(&harness);
    }
    assert!(seen.contains("Ground truth") && seen.contains("Pair 2"), "the screen was read");
    let seen = seen.to_lowercase();
    for name in names {
        assert!(!seen.contains(&name.to_lowercase()), "{name:?} reached the screen");
    }
}

fn options() -> SnapshotOptions {
    SnapshotOptions::new().threshold(1.5).max_failed_pixels(120).output_path("tests/snapshots")
}

pub(super) fn add_look(results: &mut SnapshotResults, harness: &mut Harness<'_, Host>, name: &str) {
    // Away from everything, or something would be drawn as if under the pointer.
    harness.remove_cursor();
    harness.run_steps(4);
    results.add(harness.try_snapshot_options(name, &options()));
}

pub(super) const THEMES: [(ThemeChoice, &str); 2] =
    [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")];

#[test]
fn a_pair_looks() {
    let mut results = SnapshotResults::new();
    let form = pentimento::label::form::builtin_form("pairwise-preference").unwrap();
    for (theme, suffix) in THEMES {
        let dir = tempfile::tempdir().unwrap();
        let mut harness = themed_desk(dir.path(), form, 30, (WIDE, theme));
        until(&mut harness, "the pictures are there", shows_pictures);
        press(&mut harness, Key::Num1);
        assert_eq!(desk(&harness).view.layout, EvidenceLayout::SideBySide);
        add_look(&mut results, &mut harness, &format!("annotate_pair_{suffix}"));
    }
}

#[test]
fn a_checklist_and_marks_look_in_a_small_window() {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in THEMES {
        for id in ["ndec", "canvas-errors"] {
            let form = pentimento::label::form::builtin_form(id).unwrap();
            let dir = tempfile::tempdir().unwrap();
            let mut harness = themed_desk(dir.path(), form, 8, (SMALL, theme));
            until(&mut harness, "the pictures are there", shows_pictures);
            press(&mut harness, Key::Y);
            press(&mut harness, if id == "ndec" { Key::N } else { Key::Q });
            until(&mut harness, "the filmstrip is there", |state| {
                let pictures = &state.derived.pictures;
                pictures.iter().all(|(key, _)| !pictures.is_pending(key))
            });
            add_look(&mut results, &mut harness, &format!("annotate_{id}_{suffix}"));
        }
    }
}

#[test]
fn the_beginning_and_the_end_look() {
    let mut results = SnapshotResults::new();
    let form = pentimento::label::form::builtin_form("task-success").unwrap();
    for (theme, suffix) in THEMES {
        let settings = || Settings { theme, ..Settings::default() };
        let mut empty = window(settings(), SMALL);
        empty.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::ALT), Key::Num3);
        empty.run_steps(3);
        empty.get_by_label("Open a labelling project");
        add_look(&mut results, &mut empty, &format!("annotate_empty_{suffix}"));
        let dir = tempfile::tempdir().unwrap();
        let mut harness = themed_desk(dir.path(), form, 1, (SMALL, theme));
        press(&mut harness, Key::Y);
        harness.key_press(Key::Enter);
        until(&mut harness, "all is done", |state| state.annotate.asked().is_none());
        // How long it took differs.
        let mut states = desk(&harness).progress.clone();
        states.states[0].millis = None;
        assert_eq!(states.answered(), 1);
        harness.get_by_label("All done");
        harness.key_press_modifiers(Modifiers::COMMAND, Key::U);
        until(&mut harness, "nobody sits there", |state| state.annotate.desk.is_none());
        add_look(&mut results, &mut harness, &format!("annotate_people_{suffix}"));
    }
}
