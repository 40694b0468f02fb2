//! What the difference of two pictures lets pass, and areas that are drawn to be left out.

use std::sync::Arc;

use egui::{Key, Modifiers, PointerButton, Pos2};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::wgpu::WgpuTestRenderer;
use egui_kittest::{Harness, SnapshotResults};

use pentimento::base::CancelToken;
use pentimento::gpu::Target;
use pentimento::metric::picture::{PixelBox, PixelDifference, PixelMatch};
use pentimento::workbench::{
    AreaCommand, Command, DerivedKey, Fetched, IgnoredArea, PixelTolerance, RangeCommand, Request,
    ShotContent, StageCommand, StagePane, StageView, State, ThemeChoice, handle, views,
};

use super::fixture;
use super::harness::{Host, Part, add_look, themed, window};

const SIZE: [f32; 2] = [1440.0, 900.0];

fn differing() -> State {
    let mut state = fixture::full();
    state.stage.view = StageView::Difference;
    state.stage.panes.remove(&StagePane::Heat);
    state
}

/// What the worker would answer to what the stage wants now.
fn answer(state: &mut State) -> Arc<PixelDifference> {
    let key = state.pixel_difference_key().expect("something is let pass");
    let [run, against] =
        [&key.run, &key.against].map(|key| state.ready_picture(key).unwrap().pixels.unpacked());
    let (run, against) = (run.unwrap(), against.unwrap());
    let how = PixelMatch {
        threshold: f32::from(key.tolerance.threshold_percent) / 100.0,
        ignores_antialiasing: key.tolerance.ignores_antialiasing,
        shift: u32::from(key.tolerance.shift),
    };
    let unit = run.width() as f32 / IgnoredArea::WIDTH;
    let boxes = key.ignored.iter().map(|area| PixelBox {
        min: area.min.map(|at| (at as f32 * unit) as u32),
        max: area.max.map(|at| (at as f32 * unit).ceil() as u32),
    });
    let boxes: Vec<PixelBox> = boxes.collect();
    let found = Arc::new(how.compare(&run, &against, &boxes, &CancelToken::new()).unwrap());
    state.derived.pixel_differences.insert(key, Fetched::Ready(Arc::clone(&found)));
    found
}

fn percent(found: &PixelDifference) -> String {
    format!("{:.2} % of pixels differ", found.share().unwrap() * 100.0)
}

fn press(harness: &mut Harness<'_, Host>, modifiers: Modifiers, key: Key) {
    harness.key_press_modifiers(modifiers, key);
    harness.run_steps(3);
}

#[test]
fn anti_aliasing_and_shifts_are_let_pass_by_key_and_the_share_is_said() {
    let mut harness = window(differing(), SIZE);
    assert_eq!(harness.state().state.pixel_difference_key(), None, "the channels as they are");
    harness.get_by_label("Difference times 4");
    press(&mut harness, Modifiers::ALT, Key::A);
    harness.get_by_label("Comparing…");
    let smooth = answer(&mut harness.state_mut().state);
    harness.run_steps(2);
    harness.get_by_label(&percent(&smooth));
    harness.get_by_label("Pixels of the run that differ from Ground truth");
    for shift in [1, 2, 3] {
        press(&mut harness, Modifiers::ALT, Key::S);
        assert_eq!(harness.state().state.stage.tolerance.shift, shift);
    }
    let shifted = answer(&mut harness.state_mut().state);
    harness.run_steps(2);
    assert!(shifted.differing <= smooth.differing);
    harness.get_by_label(&percent(&shifted));
    // After the most comes none.
    press(&mut harness, Modifiers::ALT, Key::S);
    press(&mut harness, Modifiers::ALT, Key::A);
    assert_eq!(harness.state().state.stage.tolerance, PixelTolerance::default());
    harness.get_by_label("Difference times 4");
}

#[test]
fn holding_g_shows_what_the_run_is_compared_with_also_where_something_is_let_pass() {
    let mut state = differing();
    state.stage.tolerance.ignores_antialiasing = true;
    answer(&mut state);
    let mut harness = window(state, SIZE);
    let map = "Pixels of the run that differ from Ground truth";
    harness.get_by_label(map);
    harness.key_down(Key::G);
    harness.run_steps(3);
    assert!(harness.query_by_label(map).is_none());
    harness.get_by_label("Difference of the run and Ground truth");
    harness.key_up(Key::G);
    harness.run_steps(3);
    harness.get_by_label(map);
}

#[test]
fn what_is_let_pass_is_asked_of_the_worker_with_both_pictures() {
    let mut state = differing();
    let tolerance =
        PixelTolerance { ignores_antialiasing: true, shift: 200, threshold_percent: 20 };
    let asked = handle(&mut state, Command::Stage(StageCommand::Tolerate(tolerance)));
    assert_eq!(state.stage.tolerance.shift, 3, "at most three");
    let wanted = state.pixel_difference_key().unwrap();
    let inputs = asked.iter().find_map(|request| match request {
        Request::Derive { key: DerivedKey::PixelDifference(key), inputs, .. } => {
            (*key == wanted).then_some(inputs)
        }
        _ => None,
    });
    let [against, run] = inputs.expect("it is asked for").pictures.as_ref().unwrap();
    for (key, pixels) in [(&wanted.run, run), (&wanted.against, against)] {
        let picture = state.ready_picture(key).unwrap();
        assert_eq!(picture.pixels.unpacked().unwrap(), pixels.unpacked().unwrap());
    }
}

#[test]
fn the_stage_is_saved_with_what_is_let_pass() {
    let mut state = differing();
    state.stage.tolerance.ignores_antialiasing = true;
    let before = views::stage_shot(&state, 1).panes;
    assert!(
        before.iter().any(|pane| matches!(pane.content, ShotContent::Overlaid { .. })),
        "not compared yet"
    );
    let found = answer(&mut state);
    let after = views::stage_shot(&state, 1).panes;
    let saved = after.iter().find_map(|pane| match &pane.content {
        ShotContent::Heat { places, width, over: None, .. } => Some((places.len(), *width)),
        _ => None,
    });
    assert_eq!(saved, Some((found.map.values.len(), found.map.width)));
    assert_eq!(after.len(), before.len());
    assert!(after.iter().all(|pane| pane.ignored.is_empty()));
    let area = IgnoredArea::between([0.1, 0.2], [0.6, 0.5]).unwrap();
    drop(handle(&mut state, Command::Areas(AreaCommand::Ignore(area))));
    let panes = views::stage_shot(&state, 1).panes;
    let ignored: Vec<_> = panes.iter().flat_map(|pane| &pane.ignored).collect();
    let [found] = ignored[..] else { panic!("{ignored:?}") };
    let sides = [(found.x, 0.1), (found.y, 0.2), (found.width, 0.5), (found.height, 0.3)];
    assert!(sides.iter().all(|(is, meant)| (is - meant).abs() < 1e-4), "{found:?}");
}

fn drag(harness: &mut Harness<'_, Host>, from: Pos2, to: Pos2) {
    let button = |pos, pressed| egui::Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    harness.hover_at(from);
    harness.run_steps(1);
    harness.event(button(from, true));
    harness.run_steps(1);
    harness.hover_at(from + (to - from) * 0.5);
    harness.run_steps(1);
    harness.hover_at(to);
    harness.run_steps(1);
    harness.event(button(to, false));
    harness.run_steps(2);
}

#[test]
fn an_area_is_drawn_by_a_drag_left_out_taken_in_again_and_brought_back() {
    let mut harness = window(differing(), SIZE);
    let pane = harness.get_by_label_contains("Difference of the run and").rect();
    press(&mut harness, Modifiers::ALT, Key::I);
    assert!(harness.state().state.stage.draws_ignored);
    let at = |x: f32, y: f32| pane.min + egui::vec2(x, y) * pane.width();
    drag(&mut harness, at(0.1, 0.2), at(0.6, 0.5));
    let areas = harness.state().state.ignored_areas().to_vec();
    assert_eq!(areas.len(), 1, "{areas:?}");
    for (is, meant) in [(areas[0].min, [1_000, 2_000]), (areas[0].max, [6_000, 5_000])] {
        assert!(
            is.iter().zip(meant).all(|(is, meant)| is.abs_diff(meant) < 60),
            "{is:?} {meant:?}"
        );
    }
    assert_eq!(harness.state().state.stage.zoom, None, "the pictures did not move");
    let all = harness.state().state.library.runs.len();
    let found = answer(&mut harness.state_mut().state);
    let pixels = u64::from(found.map.width) * u64::from(found.map.height);
    assert!(found.counted < pixels && found.counted > pixels / 2);
    harness.run_steps(2);
    harness.get_by_label("Take ignored area 1 in again").click();
    harness.run_steps(3);
    assert!(harness.state().state.ignored_areas().is_empty());
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert_eq!(harness.state().state.ignored_areas(), areas);
    press(&mut harness, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z);
    assert!(harness.state().state.ignored_areas().is_empty());
    // It is of the task and of no other, and changes no score.
    let mut state = harness.state().state.clone();
    let scores = state.library.runs.clone();
    let asked = handle(&mut state, Command::Areas(AreaCommand::Ignore(areas[0])));
    let keeps =
        |request: &Request| matches!(request, Request::KeepAreas { areas, .. } if areas.len() == 1);
    assert!(asked.iter().any(keeps), "{asked:?}");
    assert!(
        !asked.iter().any(|it| matches!(it, Request::Derive { key: DerivedKey::Scores(_), .. }))
    );
    assert_eq!((&state.library.runs, state.library.runs.len()), (&scores, all));
    drop(handle(&mut state, Command::SelectTask(fixture::task_ref("gid1-22"))));
    assert!(state.ignored_areas().is_empty());
    let undone = handle(&mut state, Command::Ranges(RangeCommand::Undo));
    let forgets =
        |request: &Request| matches!(request, Request::KeepAreas { areas, .. } if areas.is_empty());
    assert!(undone.iter().any(forgets));
}

/// With an area left out, and what differs beside it.
fn with_area() -> State {
    let mut state = differing();
    state.stage.tolerance =
        PixelTolerance { ignores_antialiasing: true, shift: 1, ..PixelTolerance::default() };
    let area = IgnoredArea::between([0.1, 0.3], [0.9, 0.8]).unwrap();
    drop(handle(&mut state, Command::Areas(AreaCommand::Ignore(area))));
    answer(&mut state);
    state
}

#[test]
fn what_differs_looks_the_same_by_the_graphics_card_and_without() {
    let render = egui_kittest::wgpu::create_render_state(
        egui_kittest::wgpu::default_wgpu_setup(),
        eframe::egui_wgpu::RendererOptions::PREDICTABLE,
    );
    let target = Target::of(&render);
    let renderer = WgpuTestRenderer::from_render_state(render);
    let mut by_card = Host::drawn_by(with_area(), SIZE, renderer, target);
    let mut by_processor = window(with_area(), SIZE);
    let [one, other] = [&mut by_card, &mut by_processor].map(|harness| {
        harness.run_steps(4);
        harness.render().unwrap()
    });
    let apart = one.pixels().zip(other.pixels()).filter(|(one, other)| {
        one.0.iter().zip(other.0).any(|(one, other)| one.abs_diff(other) > 1)
    });
    // At the threshold of what is drawn rounding decides.
    let apart = apart.count();
    assert!(apart <= 20, "{apart} pixels differ");
}

#[test]
fn the_difference_with_what_is_let_pass_looks_like_this() {
    let mut results = SnapshotResults::new();
    let mut harness = window(themed(with_area(), ThemeChoice::Dark), [1024.0, 700.0]);
    harness.run_steps(4);
    add_look(&mut results, &mut harness, "stage_tolerant_dark", Part::Stage);
}
