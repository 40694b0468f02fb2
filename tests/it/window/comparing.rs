//! The stage with more than one run, and with two pictures over one another.

use std::path::Path;
use std::sync::Arc;

use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::wgpu::WgpuTestRenderer;
use egui_kittest::{Harness, SnapshotResults};

use pentimento::base::{CancelToken, ColorMap, Pixels};
use pentimento::evaluate::canvas::score_picture;
use pentimento::gpu::Target;
use pentimento::metric::{Evidence, ScalarMap};
use pentimento::workbench::protocol::{Request, StagePicture};
use pentimento::workbench::views::PaneStatus;
use pentimento::workbench::{
    Against, Browse, Command, DerivedKey, Event, ExportedTable, Fetched, InspectorTab, JobOutcome,
    NodeSide, PictureKey, PlaybackCommand, RunId, Slot, SlotLock, StageCommand, StageForm,
    StagePane, StageView, State, TableFile, TableFormat, ThemeChoice, WhatIfCommand, apply, handle,
    views,
};
use pentimento::worker::{Worker, WorkerConfig};

use crate::nodes::PATIENCE;

use super::fixture::{self, RUN, bare, put};
use super::harness::{Host, Part, add_look, add_look_at, copied_text, themed, window};

const SIZE: [f32; 2] = [1440.0, 900.0];
const OTHER: RunId = RunId(2);

/// The fixture with another run's pictures: those of the run a step later.
fn with_other() -> State {
    let mut state = fixture::full();
    for step in 1..=fixture::STEPS {
        let before = PictureKey::Step(RUN, step - 1);
        let picture = state.derived.pictures.ready(&before).unwrap().clone();
        let key = PictureKey::Step(OTHER, step);
        state.derived.pictures.insert(key, Fetched::Ready(picture));
    }
    state
}

fn shown(state: &State) -> Vec<StagePane> {
    views::panes(state)
}

fn command(state: &mut State, command: StageCommand) {
    drop(handle(state, Command::Stage(command)));
}

#[test]
fn keys_lay_the_run_and_the_ground_truth_over_one_another() {
    let mut harness = window(fixture::full(), SIZE);
    for (key, view) in [
        (Key::Num2, StageView::Swipe),
        (Key::Num3, StageView::OnionSkin),
        (Key::Num4, StageView::Difference),
        (Key::Num5, StageView::Blink),
    ] {
        harness.key_press_modifiers(Modifiers::ALT, key);
        harness.run_steps(3);
        assert_eq!(harness.state().state.stage.view, view);
        assert_eq!(shown(&harness.state().state), [StagePane::Overlaid, StagePane::Heat]);
        harness.get_by_label(&format!("{} of the run and Ground truth", view.name()));
    }
    harness.key_press(Key::Backslash);
    harness.run_steps(2);
    assert_eq!(harness.state().state.stage.view, StageView::SideBySide);
}

#[test]
fn the_mouse_leads_the_edge_of_a_swipe_both_ways() {
    let mut harness = window(fixture::full(), SIZE);
    harness.key_press_modifiers(Modifiers::ALT, Key::Num2);
    harness.run_steps(3);
    let area = harness.get_by_label("Swipe of the run and Ground truth").rect();
    let quarter = area.min + area.size() * 0.25;
    harness.hover_at(quarter - vec2(5.0, 5.0));
    harness.run_steps(2);
    harness.hover_at(quarter);
    harness.run_steps(2);
    let swipe = harness.state().state.stage.swipe;
    assert!((swipe - 0.25).abs() < 0.02, "{swipe}");
    harness.key_press_modifiers(Modifiers::SHIFT, Key::Backslash);
    harness.run_steps(2);
    assert!(harness.state().state.stage.swipe_down);
    let low = area.min + area.size() * vec2(0.5, 0.75);
    harness.hover_at(low);
    harness.run_steps(2);
    let swipe = harness.state().state.stage.swipe;
    assert!((swipe - 0.75).abs() < 0.02, "{swipe}");
}

/// The run with another one beside it.
fn beside<'a>() -> Harness<'a, Host> {
    let mut state = with_other();
    command(&mut state, StageCommand::ToggleSlot(OTHER));
    let mut harness = window(state, SIZE);
    harness.run_steps(2);
    harness
}

/// Where the pictures of the run, of the run beside it and of the ground truth lie.
fn pictures(harness: &Harness<'_, Host>) -> Vec<egui::Rect> {
    let runs = harness.get_all_by_label_contains("Picture of step 18,").map(|it| it.rect());
    let truth = harness.get_by_label_contains("Picture of the ground truth").rect();
    runs.chain([truth]).collect()
}

#[test]
fn the_run_a_run_beside_and_the_ground_truth_have_one_zoom_and_one_position() {
    let mut harness = beside();
    let view = StageCommand::View { zoom: 0.2, center: [0.5; 2] };
    command(&mut harness.state_mut().state, view);
    harness.run_ok();
    let whole = pictures(&harness);
    assert_eq!(whole.len(), 3);
    // About a corner, so that they come to lie elsewhere too.
    harness.hover_at(whole[0].min + vec2(4.0, 4.0));
    harness.run_ok();
    harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: vec2(0.0, -60.0),
        source: egui::MouseWheelSource::Wheel,
        phase: egui::TouchPhase::Move,
        modifiers: Modifiers::NONE,
    });
    harness.run_ok();
    let smaller = pictures(&harness);
    assert!(smaller[0].width() < whole[0].width() - 5.0, "{whole:?} {smaller:?}");
    command(&mut harness.state_mut().state, StageCommand::PanBy([0.1, 0.1]));
    harness.run_ok();
    let panned = pictures(&harness);
    assert!(panned[0].min.x < smaller[0].min.x - 3.0, "{smaller:?} {panned:?}");
    for (before, after) in [(&whole, &smaller), (&smaller, &panned)] {
        let moved: Vec<egui::Vec2> =
            before.iter().zip(after).map(|(before, after)| after.min - before.min).collect();
        // They lie on whole points, which each is rounded to by itself.
        let mut apart = moved.iter().map(|by| (*by - moved[0]).abs().max_elem());
        assert!(apart.all(|by| by <= 2.0), "{before:?} {after:?}");
        let sizes = after.iter().map(egui::Rect::size);
        let mut differ = sizes.map(|size| (size - after[0].size()).abs().max_elem());
        assert!(differ.all(|by| by < 0.5), "{after:?}");
    }
}

#[test]
fn a_press_on_the_curve_moves_the_run_and_the_run_beside_it() {
    let mut harness = beside();
    let curve = harness.get_by_label_contains("SSIM after each step").rect();
    harness.drag_at(curve.center());
    harness.run_ok();
    harness.drop_at(curve.center());
    harness.run_ok();
    let step = harness.state().state.selection.step;
    assert!(step != 18 && step > 0, "{step}");
    let named = format!("Picture of step {step},");
    assert_eq!(harness.query_all_by_label_contains(&named).count(), 2, "{step}");
}

#[test]
fn another_run_stands_beside_and_is_closed_pinned_and_swapped() {
    let mut harness = window(with_other(), SIZE);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::C);
    harness.run_steps(2);
    let slots = harness.state().state.stage.slots.clone();
    assert_eq!(slots, [Slot::Run { run: RunId(0), pinned: None }]);
    harness.get_by_label("Close A").click();
    harness.run_steps(2);
    assert_eq!(harness.state().state.stage.slots, []);
    let state = &mut harness.state_mut().state;
    command(state, StageCommand::ToggleSlot(OTHER));
    harness.run_steps(2);
    assert!(shown(&harness.state().state).contains(&StagePane::Slot(0)));
    harness.get_by_label("Pin A").click();
    harness.run_steps(2);
    let pinned = Slot::Run { run: OTHER, pinned: Some(18) };
    assert_eq!(harness.state().state.stage.slots, [pinned]);
    harness.key_press(Key::ArrowRight);
    harness.run_steps(2);
    let state = &harness.state().state;
    let slot = state.slot_picture(&state.stage.slots[0], state.selection.step);
    assert_eq!(slot, Some(PictureKey::Step(OTHER, 18)), "it stays where it was pinned");
    harness.get_by_label("Select A").click();
    harness.run_steps(2);
    let state = &harness.state().state;
    assert_eq!(state.selection.run, Some(OTHER));
    assert_eq!(state.stage.slots, [Slot::Run { run: RUN, pinned: None }]);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::X);
    harness.run_steps(2);
    assert_eq!(harness.state().state.stage.slots, []);
}

#[test]
fn steps_of_one_run_stand_beside_each_other_and_are_gone_to() {
    let mut harness = window(fixture::full(), SIZE);
    for step in [4, 12] {
        let go = PlaybackCommand::Step(step);
        drop(handle(&mut harness.state_mut().state, Command::Playback(go)));
        harness.key_press_modifiers(Modifiers::ALT, Key::B);
        harness.run_steps(2);
    }
    let kept = |step| Slot::Run { run: RUN, pinned: Some(step) };
    assert_eq!(harness.state().state.stage.slots, [kept(4), kept(12)]);
    harness.get_by_label_contains("A · gpt-4.1 step 4 of 26");
    harness.get_by_label_contains("B · gpt-4.1 step 12 of 26");
    // Going to one leaves the step that was selected in its place.
    harness.get_by_label("Select A").click();
    harness.run_steps(2);
    let state = &harness.state().state;
    assert_eq!((state.selection.run, state.selection.step), (Some(RUN), 4));
    assert_eq!(state.stage.slots, [kept(12), kept(12)]);
    // The same key takes the step away again that it put there.
    for slots in [3, 2] {
        harness.key_press_modifiers(Modifiers::ALT, Key::B);
        harness.run_steps(2);
        assert_eq!(harness.state().state.stage.slots.len(), slots);
    }
    // Two times of one run over one another.
    let state = &mut harness.state_mut().state;
    command(state, StageCommand::Compare(StageView::Swipe));
    command(state, StageCommand::Against(Against::Slot(0)));
    let slot = state.slot_picture(&state.stage.slots[0], state.selection.step);
    assert_eq!(slot, Some(PictureKey::Step(RUN, 12)));
    harness.run_steps(3);
    harness.get_by_label("Swipe of the run and gpt-4.1 · step 12");
}

#[test]
fn a_run_of_another_task_takes_the_place_of_the_selected_one_which_stays_pinned() {
    let mut state = with_other();
    let mut runs = state.library.runs.iter();
    let other = runs.find(|(_, run)| run.task.id == "gid1-22").map(|(id, _)| *id).unwrap();
    command(&mut state, StageCommand::ToggleSlot(other));
    command(&mut state, StageCommand::SwapSlot(0));
    assert_eq!(state.selection.run, Some(other));
    assert_eq!(state.stage.slots, [Slot::Run { run: RUN, pinned: Some(18) }]);
}

#[test]
fn a_swipe_stands_still_under_what_lies_over_the_window() {
    let mut harness = window(fixture::full(), SIZE);
    harness.key_press_modifiers(Modifiers::ALT, Key::Num2);
    harness.run_steps(3);
    let area = harness.get_by_label("Swipe of the run and Ground truth").rect();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::J);
    harness.run_steps(2);
    for share in [0.2, 0.3] {
        harness.hover_at(area.min + area.size() * share);
        harness.run_steps(2);
    }
    assert!((harness.state().state.stage.swipe - 0.5).abs() < 1e-6);
}

#[test]
fn a_click_with_ctrl_in_the_library_puts_a_run_beside_the_selected_one() {
    let mut harness = window(with_other(), SIZE);
    let row = harness.get_by_label_contains("gpt-4o").rect().center();
    harness.event(egui::Event::ModifiersChanged(Modifiers::COMMAND));
    harness.hover_at(row);
    harness.run_steps(1);
    for pressed in [true, false] {
        harness.event_modifiers(
            egui::Event::PointerButton {
                pos: row,
                button: egui::PointerButton::Primary,
                pressed,
                modifiers: Modifiers::COMMAND,
            },
            Modifiers::COMMAND,
        );
    }
    harness.run_steps(2);
    let state = &harness.state().state;
    assert_eq!(state.selection.run, Some(RUN));
    assert_eq!(state.stage.slots, [Slot::Run { run: OTHER, pinned: None }]);
}

#[test]
fn other_runs_follow_by_step_and_by_progress_and_end_where_they_end() {
    let mut state = with_other();
    state.library.runs.get_mut(&OTHER).unwrap().steps = 13;
    command(&mut state, StageCommand::ToggleSlot(OTHER));
    let at = |state: &State, step| state.locked_step(OTHER, step);
    assert_eq!([at(&state, 0), at(&state, 7), at(&state, 26)], [Some(0), Some(7), Some(13)]);
    command(&mut state, StageCommand::Lock(SlotLock::Progress));
    assert_eq!([at(&state, 0), at(&state, 8), at(&state, 26)], [Some(0), Some(4), Some(13)]);
    command(&mut state, StageCommand::Lock(SlotLock::Turn));
    assert_eq!(at(&state, 8), None, "its turns are not known before it is read");
}

#[test]
fn by_turn_another_run_shows_the_last_step_of_the_same_turn() {
    let mut state = with_other();
    let own = state.library.runs[&RUN].loaded.clone().unwrap();
    let mut other = (*own).clone();
    // Twice as many calls a turn.
    let steps = own
        .steps
        .iter()
        .enumerate()
        .map(|(at, step)| pentimento::run::Step { turn: own.steps[at / 2].turn, ..step.clone() });
    other.steps = steps.collect::<Vec<_>>().into();
    state.library.runs.get_mut(&OTHER).unwrap().loaded = Some(Arc::new(other));
    command(&mut state, StageCommand::Lock(SlotLock::Turn));
    for step in [0, 1, 5, 13] {
        let turn = if step == 0 { 0 } else { own.steps[step as usize - 1].turn };
        let last = own.steps.iter().filter(|it| it.turn <= turn).count() as u32 * 2;
        assert_eq!(state.locked_step(OTHER, step), Some(last.min(26)), "at step {step}");
    }
}

#[test]
fn the_run_lies_over_another_one_where_that_is_chosen() {
    let mut state = with_other();
    command(&mut state, StageCommand::ToggleSlot(OTHER));
    command(&mut state, StageCommand::Compare(StageView::Difference));
    assert_eq!(shown(&state)[0], StagePane::Overlaid);
    assert!(shown(&state).contains(&StagePane::Slot(0)));
    command(&mut state, StageCommand::Against(Against::Slot(0)));
    let panes = shown(&state);
    assert!(panes.contains(&StagePane::GroundTruth) && !panes.contains(&StagePane::Slot(0)));
    command(&mut state, StageCommand::Against(Against::Slot(3)));
    assert_eq!(state.stage.against, Against::Slot(0), "there is no such slot");
    command(&mut state, StageCommand::CloseSlot(0));
    assert_eq!(state.stage.against, Against::GroundTruth);
}

#[test]
fn the_heat_is_against_the_picture_that_the_run_is_compared_with() {
    let mut state = with_other();
    command(&mut state, StageCommand::ToggleSlot(OTHER));
    let of_truth = state.heat_key().unwrap();
    assert_eq!(of_truth.against, None);
    let against = Command::Stage(StageCommand::Against(Against::Slot(0)));
    let mut asked = handle(&mut state, against);
    asked.retain(|it| matches!(it, Request::Derive { key: DerivedKey::SlotMap(_), .. }));
    assert_eq!(asked.len(), 1, "{asked:?}");
    let key = state.heat_key().unwrap();
    assert_eq!(key.against, Some(PictureKey::Step(OTHER, 18)));
    assert_eq!(views::heat(&state).status, PaneStatus::Loading);
    let worker = Worker::start(WorkerConfig::default(), || {}).unwrap();
    worker.send(asked.remove(0));
    let answer = loop {
        let event = worker.event_within(PATIENCE).unwrap();
        if matches!(event, Event::Derived { .. }) {
            break event;
        }
    };
    drop(apply(&mut state, answer));

    let heat = views::heat(&state);
    assert_eq!((heat.status, heat.key.as_ref()), (PaneStatus::Current, Some(&key)));
    let pixels = |run| {
        let picture = state.ready_picture(&PictureKey::Step(run, 18)).unwrap();
        picture.pixels.unpacked().unwrap()
    };
    let measured = score_picture(&pixels(OTHER), &pixels(RUN), &CancelToken::new());
    let expected = measured.evidence.and_then(Evidence::into_map).unwrap();
    let map = heat.map.unwrap();
    assert_eq!((map.width, map.height), (expected.width, expected.height));
    let differ = |other: &ScalarMap| {
        map.values.iter().zip(other.values.iter()).any(|(one, other)| (one - other).abs() > 1e-5)
    };
    assert!(!differ(&expected), "it is that of the two pictures");
    assert!(differ(state.derived.maps.ready(&of_truth).unwrap()), "and not of the ground truth");
    assert_eq!(state.loss_key(), None, "another run is no ground truth");
    let name = heat.name();
    assert!(name.ends_with(" heat against A"), "{name}");
    let harness = window(state.clone(), SIZE);
    harness.get_by_label_contains(&name);
    command(&mut state, StageCommand::CloseSlot(0));
    assert_eq!(state.heat_key(), Some(of_truth));
}

#[test]
fn a_picture_file_and_the_start_stand_beside_and_no_more_than_fit() {
    let mut state = with_other();
    let path = Path::new("/home/someone/mock-up.png");
    for _ in 0..2 {
        let add = Command::AddPicture(path.to_path_buf());
        drop(handle(&mut state, add));
    }
    command(&mut state, StageCommand::ToggleStart);
    assert_eq!(state.stage.slots, [Slot::File(Arc::from(path)), Slot::Start]);
    let picture = Pixels::filled(393, 852, [90, 160, 200, 255]).unwrap();
    put(&mut state, PictureKey::File(Arc::from(path)), bare(picture));
    for run in [0, 2, 3] {
        command(&mut state, StageCommand::ToggleSlot(RunId(run)));
    }
    assert_eq!(state.stage.slots.len(), 5, "six with the run");
    let one_more = Path::new("/home/someone/other.png").to_path_buf();
    drop(handle(&mut state, Command::AddPicture(one_more)));
    assert_eq!(state.stage.slots.len(), 5);
    let told = state.notices.iter().any(|notice| notice.text.contains("no more fit"));
    assert!(told, "{:?}", state.notices);
    let mut harness = window(state, SIZE);
    harness.run_steps(2);
    harness.get_by_label_contains("A · mock-up.png");
    harness.get_by_label_contains("B · Start state");
}

#[test]
fn another_task_keeps_what_is_pinned_only() {
    let mut state = with_other();
    command(&mut state, StageCommand::ToggleSlot(OTHER));
    command(&mut state, StageCommand::ToggleSlot(RunId(0)));
    command(&mut state, StageCommand::PinSlot(0));
    let other_task = fixture::task_ref("gid1-22");
    drop(handle(&mut state, Command::SelectTask(other_task)));
    assert_eq!(state.stage.slots, [Slot::Run { run: OTHER, pinned: Some(18) }]);
}

#[test]
fn views_look() {
    let mut results = SnapshotResults::new();
    for (view, theme, name) in [
        (StageView::Swipe, ThemeChoice::Dark, "stage_swipe_dark"),
        (StageView::OnionSkin, ThemeChoice::Light, "stage_onion_light"),
        (StageView::Difference, ThemeChoice::Light, "stage_difference_light"),
    ] {
        let mut state = themed(with_other(), theme);
        state.stage.view = view;
        state.stage.gain = 2.0;
        state.stage.swipe = 0.4;
        state.stage.panes.remove(&StagePane::Heat);
        let mut harness = window(state, [1024.0, 700.0]);
        harness.run_steps(4);
        add_look(&mut results, &mut harness, name, Part::Stage);
    }
}

#[test]
fn runs_side_by_side_look() {
    let mut results = SnapshotResults::new();
    for (theme, name) in
        [(ThemeChoice::Dark, "stage_runs_dark"), (ThemeChoice::Light, "stage_runs_light")]
    {
        let mut state = themed(with_other(), theme);
        command(&mut state, StageCommand::ToggleSlot(OTHER));
        state.settings.heat_colors = ColorMap::Viridis;
        let mut harness = window(state, SIZE);
        harness.run_steps(4);
        add_look(&mut results, &mut harness, name, Part::Stage);
    }
}

/// A window that draws what lies over one another by the graphics card.
fn on_card(state: State) -> Harness<'static, Host> {
    let render = egui_kittest::wgpu::create_render_state(
        egui_kittest::wgpu::default_wgpu_setup(),
        eframe::egui_wgpu::RendererOptions::PREDICTABLE,
    );
    let target = Target::of(&render);
    Host::drawn_by(state, SIZE, WgpuTestRenderer::from_render_state(render), target)
}

fn picture_of(mut harness: Harness<'_, Host>) -> image::RgbaImage {
    harness.run_steps(4);
    harness.render().unwrap()
}

#[test]
fn the_window_shows_the_same_by_the_graphics_card_and_without() {
    for view in StageView::ALL {
        let mut state = with_other();
        state.stage.view = view;
        state.stage.gain = 3.0;
        state.stage.heat_opacity = 0.6;
        state.stage.heat_threshold = 0.1;
        let by_card = picture_of(on_card(state.clone()));
        let by_processor = picture_of(window(state, SIZE));
        let apart = by_card.pixels().zip(by_processor.pixels()).filter(|(one, other)| {
            one.0.iter().zip(other.0).any(|(one, other)| one.abs_diff(other) > 1)
        });
        let apart = apart.count();
        // At the threshold of the heat rounding decides, and cards round in their own way.
        assert!(apart <= 20, "{view:?}: {apart} pixels differ");
    }
}

#[test]
fn the_stage_is_saved_as_it_is_seen() {
    let mut state = with_other();
    command(&mut state, StageCommand::ToggleSlot(OTHER));
    command(&mut state, StageCommand::Compare(StageView::Swipe));
    let shot = views::stage_shot(&state, 2);
    assert_eq!((shot.panes.len(), shot.width, shot.scale), (3, 393, 2));
    let dir = tempfile::tempdir().unwrap();
    let worker = Worker::start(WorkerConfig::default(), || {}).unwrap();
    let mut save = |name: &str| {
        let path = dir.path().join(name);
        let save = Command::SaveStage { scale: 2, path: path.clone() };
        let mut requests = handle(&mut state, save);
        requests.retain(|request| matches!(request, Request::SaveStage { .. }));
        let [Request::SaveStage { job, .. }] = requests.as_slice() else { panic!("{requests:?}") };
        let saving = *job;
        worker.send(requests.remove(0));
        loop {
            if let Event::JobEnded(ended, outcome) = worker.event_within(PATIENCE).unwrap()
                && ended == saving
            {
                assert!(matches!(outcome, JobOutcome::Done), "{outcome:?}");
                break std::fs::read(&path).unwrap();
            }
        }
    };
    let png = save("stage.png");
    // Where it was, and the command that opens the window there, stand in the file's comment.
    let reader = png::Decoder::new(std::io::Cursor::new(&png)).read_info().unwrap();
    let about = reader.info().utf8_text[0].get_text().unwrap();
    let lines: Vec<&str> = about.lines().collect();
    let [run, made_by, metrics] = lines.as_slice() else { panic!("{about}") };
    assert!(run.contains(", step ") && made_by.starts_with("Pentimento "), "{about}");
    assert!(made_by.contains(": pentimento open 'run:/"), "{about}");
    assert!(metrics.starts_with("metrics: "), "the heat is shown: {about}");
    let png = image::load_from_memory(&png).unwrap();
    // The page is as large as the picture at its own size; the picture on it has all its pixels.
    let svg = usvg::Tree::from_data(&save("stage.svg"), &usvg::Options::default()).unwrap();
    assert_eq!((svg.size().width() * 2.0).round() as u32, png.width());
    assert_eq!((svg.size().height() * 2.0).round() as u32, png.height());
    assert!(save("stage.pdf").starts_with(b"%PDF-"));
}

#[test]
fn the_other_button_of_the_mouse_saves_the_stage_at_a_scale_that_is_chosen() {
    let mut harness = window(fixture::full(), SIZE);
    harness.get_by_label_contains("Picture of step 18").click_secondary();
    harness.run_steps(3);
    harness.get_by_label("Save the stage as PNG at 4×").click();
    harness.run_steps(3);
    let save = Browse::SaveStage { scale: 4, form: StageForm::Png };
    assert!(harness.state().sent.contains(&Command::Browse(save)), "{:?}", harness.state().sent);
    assert!(harness.query_by_label("Save the stage as PNG at 4×").is_none(), "the menu is closed");
}

#[test]
fn where_the_loss_is_names_nodes_and_calls_and_selects_them() {
    let mut harness = super::labelling::window(pentimento::workbench::Settings::default(), SIZE);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    let open = Command::Open(vec![folder]);
    harness.state_mut().session.carry_out(open);
    let is_tracer = |run: &pentimento::workbench::LibraryRun| run.task.id == "trailhead-welcome";
    super::labelling::until(&mut harness, "the samples are open", |state| {
        state.library.runs.values().any(is_tracer)
    });
    let state = super::labelling::state(&harness);
    let run = state.library.runs.iter().find(|(_, run)| is_tracer(run)).map(|(id, _)| *id);
    let select = Command::SelectRun(run.unwrap());
    harness.state_mut().session.carry_out(select);
    super::labelling::until(&mut harness, "it is read", |state| state.last_step() > 40);
    super::labelling::until(&mut harness, "a call is named", |state| {
        views::losses(state).is_some_and(|losses| losses.iter().any(|loss| loss.call.is_some()))
    });
    assert_eq!(
        super::labelling::state(&harness).nodes.selected,
        None,
        "nobody has to select first"
    );
    // Early in it, so that much is still missing.
    let step = pentimento::workbench::PlaybackCommand::Step(40);
    harness.state_mut().session.carry_out(Command::Playback(step));
    super::labelling::until(&mut harness, "losses are found", |state| {
        views::losses(state).is_some_and(|losses| !losses.is_empty())
    });
    let losses = views::losses(super::labelling::state(&harness)).unwrap();
    let shares: Vec<f64> = losses.iter().map(|loss| loss.share).collect();
    assert!(shares.is_sorted_by(|one, other| one >= other), "{shares:?}");
    assert!(shares.iter().sum::<f64>() <= 1.0 + 1e-9, "{shares:?}");
    let node = losses.iter().find_map(views::Loss::node_ref).unwrap();
    assert!(losses.iter().any(|loss| loss.truth.is_some()), "{losses:?}");
    harness.key_press_modifiers(Modifiers::SHIFT, Key::M);
    harness.run_steps(3);
    assert_eq!(super::labelling::state(&harness).nodes.selected.as_ref(), Some(&node));
    assert!(harness.query_all_by_label_contains("of the loss").count() > 1);
}

#[test]
fn a_hot_place_names_what_lies_there_on_both_sides_and_a_click_selects_what_is_missing() {
    let mut state = fixture::full();
    let key = PictureKey::Step(RUN, 18);
    let picture = state.derived.pictures.ready(&key).unwrap();
    // Without the list that lies below all rows: where a row is missing there is nothing.
    let nodes = picture.nodes.iter().filter(|node| node.name != "Transactions").cloned();
    let picture = StagePicture { nodes: nodes.collect(), ..(**picture).clone() };
    put(&mut state, key, picture);
    let mut harness = window(state, SIZE);
    let run = harness.get_by_label_contains("Picture of step 18").rect();
    let truth = harness.get_by_label_contains("Picture of the ground truth").rect();
    let at = |picture: egui::Rect, x, y| picture.min + picture.size() * vec2(x, y);
    harness.hover_at(at(run, 0.6, 0.2));
    harness.run_ok();
    assert!(harness.query_by_label("ground truth here: Card").is_some());
    // On the ground truth it is what the run has there, and how much of the loss lies in the node.
    harness.hover_at(at(truth, 0.6, 0.2));
    harness.run_ok();
    assert!(harness.query_by_label("run here: Card").is_some());
    assert!(harness.query_by_label_contains("of the loss").is_some());
    // The heat stands as far beyond the ground truth as that beyond the run.
    let hot = at(truth, 0.3, 0.634) + (truth.min - run.min);
    harness.hover_at(hot);
    harness.run_ok();
    assert!(harness.query_by_label("the run has nothing here").is_some());
    assert!(harness.query_all_by_label("Transaction row 3").next().is_some());
    assert!(harness.query_by_label_contains("of the loss").is_some());
    harness.drag_at(hot);
    harness.drop_at(hot);
    harness.run_ok();
    let selected = harness.state().state.nodes.selected.clone().unwrap();
    assert_eq!((selected.side, selected.id.as_str()), (NodeSide::GroundTruth, "1:41"));
}

#[test]
fn the_list_of_losses_looks() {
    let mut results = SnapshotResults::new();
    for (theme, name) in [(ThemeChoice::Dark, "losses_dark"), (ThemeChoice::Light, "losses_light")]
    {
        let mut state = themed(fixture::full(), theme);
        let key = state.loss_key().unwrap();
        let areas = pentimento::workbench::LossAreas {
            areas: [([34.0, 352.0, 40.0, 60.0], 0.41), ([34.0, 660.0, 40.0, 44.0], 0.22)]
                .map(|([x, y, width, height], share)| pentimento::metric::LossArea {
                    area: pentimento::base::Rect::new(x, y, width, height),
                    share,
                })
                .to_vec(),
            size: [393, 852],
        };
        state.derived.losses.insert(key, Fetched::Ready(Arc::new(areas)));
        let mut harness = window(state, [1440.0, 1400.0]);
        harness.run_steps(3);
        let title = harness.get_by_label("Where the loss is").rect();
        let last = harness.get_by_label_contains("22 % of the loss").rect();
        let area = egui::Rect::from_min_max(title.min, egui::pos2(1440.0, last.bottom()));
        super::harness::add_look_at(&mut results, &mut harness, name, area.expand(10.0));
        harness.get_by_label("Save where the loss is");
        harness.get_by_label("Copy where the loss is").click_accesskit();
        harness.step();
        let copied = copied_text(&harness).expect("nothing was copied");
        let lines: Vec<&str> = copied.lines().collect();
        assert!(lines[0].starts_with("share\tleft\ttop\twidth\theight\tnode\t"), "{copied}");
        assert!(lines.len() == 3 && lines[1].starts_with("0.41\t"), "{copied}");
    }
}

#[test]
fn the_table_of_losses_has_every_area_also_those_that_are_not_listed() {
    for (found, is_cut) in [(9_u8, false), (64, true)] {
        let mut state = fixture::full();
        let key = state.loss_key().unwrap();
        let areas = (0..found).map(|at| pentimento::metric::LossArea {
            area: pentimento::base::Rect::new(10.0, 10.0 * f64::from(at), 5.0, 5.0),
            share: 1.0 / f64::from(at + 2),
        });
        let areas = pentimento::workbench::LossAreas { areas: areas.collect(), size: [393, 852] };
        state.derived.losses.insert(key, Fetched::Ready(Arc::new(areas)));
        let csv = TableFile::Text(TableFormat::Csv);
        let table = state.exported_table(ExportedTable::Losses, csv).unwrap();
        assert_eq!(table.rows(), usize::from(found));
        let left_out = table.about.iter().find(|(name, _)| name == "left out");
        let left_out = left_out.map(|(_, words)| words.as_str());
        let words = "areas after the first 64, if there are more";
        assert_eq!(left_out, is_cut.then_some(words));
        // The window lists the largest, as it has no room for more.
        assert_eq!(views::losses(&state).unwrap().len(), 6);
    }
}

#[test]
fn the_loupe_has_the_pixels_around_the_pointer_of_every_picture_with_their_values() {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")] {
        let mut state = with_other();
        command(&mut state, StageCommand::ToggleSlot(OTHER));
        let mut harness = window(themed(state, theme), SIZE);
        harness.key_press_modifiers(Modifiers::ALT, Key::L);
        harness.run_ok();
        assert!(harness.state().state.stage.loupe);
        let stage = Part::Stage.rect_in(&harness);
        // Over the first picture, away from its middle.
        let place = stage.left_center() + egui::vec2(stage.width() * 0.12, -20.0);
        harness.hover_at(place);
        harness.run_ok();
        for name in ["run", "truth", "A"] {
            let spoken = format!("Loupe: {name} #");
            assert!(harness.query_by_label_contains(&spoken).is_some(), "{name}");
        }
        let boxes =
            ["Loupe: run #", "Loupe: A #"].map(|name| harness.get_by_label_contains(name).rect());
        let card = boxes[0].union(boxes[1]).expand(12.0);
        add_look_at(&mut results, &mut harness, &format!("loupe_{suffix}"), card);
        harness.key_press_modifiers(Modifiers::ALT, Key::L);
        harness.run_ok();
        assert!(harness.query_by_label_contains("Loupe: run").is_none());
    }
}

#[test]
fn the_what_if_is_read_out_and_magnified_where_it_lies_over_the_run() {
    let mut state = fixture::full();
    drop(handle(&mut state, Command::ShowInspector(InspectorTab::WhatIf)));
    drop(handle(&mut state, Command::WhatIf(WhatIfCommand::ToggleDropped(3))));
    let picture = Pixels::filled(393, 852, [90, 160, 200, 255]).unwrap();
    let key = views::branch_picture_key(&state).unwrap();
    put(&mut state, key, bare(picture));
    command(&mut state, StageCommand::Compare(StageView::Difference));
    command(&mut state, StageCommand::Against(Against::Branch));
    assert!(!shown(&state).contains(&StagePane::Branch));
    let mut harness = window(state, SIZE);
    harness.key_press_modifiers(Modifiers::ALT, Key::L);
    harness.run_ok();
    let stage = Part::Stage.rect_in(&harness);
    // Over the first picture, away from its middle.
    harness.hover_at(stage.left_center() + vec2(stage.width() * 0.12, -20.0));
    harness.run_ok();
    let words = harness.get_by_label_contains("ΔRGB").value().unwrap_or_default();
    assert!(words.contains("what-if #5AA0C8"), "{words}");
    harness.get_by_label_contains("Loupe: what-if #5AA0C8");
}

/// A picture in which every row has a colour of its own.
fn rows(width: u32, height: u32) -> Pixels {
    let row = |y: u32| [(y % 256) as u8, (y / 256 * 40) as u8, 90, 255];
    let rgba = (0..height).flat_map(|y| row(y).repeat(width as usize));
    Pixels::from_rgba(width, height, rgba.collect()).unwrap()
}

#[test]
fn what_lies_over_one_another_in_two_shapes_is_read_out_as_it_is_drawn() {
    let mut state = fixture::full();
    let step = state.selection.step;
    put(&mut state, PictureKey::Step(RUN, step), bare(rows(393, 852)));
    let truth = PictureKey::GroundTruth(fixture::task_ref("gid11-16"));
    put(&mut state, truth, bare(rows(393, 1704)));
    for change in [
        StageCommand::Compare(StageView::OnionSkin),
        StageCommand::Onion(1.0),
        StageCommand::Zoom(1.0),
        StageCommand::PanBy([0.0, -0.25]),
    ] {
        command(&mut state, change);
    }
    let mut harness = window(state, SIZE);
    let middle = harness.get_by_label("Onion skin of the run and Ground truth").rect().center();
    let at = middle.floor() + vec2(0.5, 0.5);
    // Before the crosshairs lie over it.
    let [r, g, b, _] = harness.render().unwrap().get_pixel(at.x as u32, at.y as u32).0;
    harness.hover_at(at);
    harness.run_ok();
    let words = harness.get_by_label_contains("ΔRGB").value().unwrap_or_default();
    // Between two rows their mean is drawn, which is a step away.
    let near =
        (r.saturating_sub(1)..=r.saturating_add(1)).map(|r| format!("#{r:02X}{g:02X}{b:02X}"));
    let near: Vec<String> = near.collect();
    let read = near.iter().find(|color| words.contains(&format!("run {color}")));
    let drawn = read.unwrap_or_else(|| panic!("{words}: one of {near:?} is drawn"));
    assert!(words.contains(&format!("truth {drawn}")), "{words}");
    assert!(words.ends_with("ΔRGB 0"), "{words}");
    harness.key_press_modifiers(Modifiers::ALT, Key::L);
    harness.run_ok();
    for name in ["run", "truth"] {
        harness.get_by_label_contains(&format!("Loupe: {name} {drawn}"));
    }
}

#[test]
fn what_is_clear_does_not_differ_from_white_in_either_theme_and_is_read_out_with_its_opacity() {
    for theme in [ThemeChoice::Dark, ThemeChoice::Light] {
        let mut state = fixture::full();
        let step = state.selection.step;
        let [clear, white] = [[30, 60, 90, 0], [255; 4]].map(|it| Pixels::filled(393, 852, it));
        put(&mut state, PictureKey::Step(RUN, step), bare(clear.unwrap()));
        let truth = PictureKey::GroundTruth(fixture::task_ref("gid11-16"));
        put(&mut state, truth, bare(white.unwrap()));
        command(&mut state, StageCommand::Compare(StageView::Difference));
        command(&mut state, StageCommand::Gain(8.0));
        let mut harness = window(themed(state, theme), SIZE);
        let middle = harness.get_by_label("Difference of the run and Ground truth").rect().center();
        harness.hover_at(middle);
        harness.run_ok();
        let drawn = harness.render().unwrap().get_pixel(middle.x as u32, middle.y as u32).0;
        assert_eq!(drawn, [0, 0, 0, 255], "{theme:?}");
        let words = harness.get_by_label_contains("ΔRGB").value().unwrap_or_default();
        assert!(words.contains("run #1E3C5A00") && words.contains("truth #FFFFFF"), "{words}");
        assert!(words.ends_with("ΔRGB 0"), "{words}");
    }
}
