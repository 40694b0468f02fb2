//! The timeline's curves, the bars of what each step changed, and the range of steps: what a person does there,
//! and how it looks.

use std::sync::Arc;

use egui::{Key, Modifiers, Pos2, pos2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_kittest::{Harness, SnapshotResults};

use pentimento::evaluate::PrimaryMetric;
use pentimento::metric::{Direction, Needs, Score, VariantSpec};
use pentimento::workbench::{
    Command, DerivedKey, FindCommand, InspectorTab, PlaybackCommand, Request, RunState,
    ScoresCommand, Settings, State, StepRange, ThemeChoice, VariantId, Variants, handle, views,
};

use super::fixture::{self, RUN, STEPS};
use super::harness::{Host, Part, add_look, add_look_at, looks, themed, window};

const DESKTOP: [f32; 2] = [1440.0, 900.0];
const PSNR: &str = "psnr/test";
const COLOR: &str = "color/test";

/// SSIM of the fixture, a metric in decibels that falls at the end, and one of which less is better.
fn measured() -> State {
    let mut state = fixture::full();
    let ssim = PrimaryMetric::Similarity.variant();
    let ssim = Variants::default().get(ssim).expect("it is built in").clone();
    let own = |id: &'static str, label, variant: &'static str, direction| VariantSpec {
        id: id.into(),
        label,
        variant_label: variant.into(),
        needs: Needs::Pictures,
        is_asked: false,
        direction,
        range: (0.0, f64::INFINITY),
        map_range: None,
        version: 1,
        source: "A paper, section 4",
    };
    let psnr = own(PSNR, "PSNR", "8 bits", Direction::HigherIsBetter);
    let color = own(COLOR, "ΔE2000", "mean over pixels", Direction::LowerIsBetter);
    state.variants = Variants::new([ssim, psnr, color]);
    let run = state.library.runs.get_mut(&RUN).expect("the fixture has it");
    for step in 0..=STEPS {
        let along = f64::from(step);
        let psnr = if step <= 14 { 14.0 + along * 0.5 } else { 21.0 - (along - 14.0) * 0.25 };
        run.curves.put(&VariantId::from(PSNR), step, Score::Value(psnr));
        let color = 31.0 - along * 0.5 + (along * 1.3).sin();
        run.curves.put(&VariantId::from(COLOR), step, Score::Value(color));
    }
    state
}

fn surface(harness: &Harness<'_, Host>) -> egui::Rect {
    harness.get_by_label("Step of the run").rect()
}

/// The place of a step: one column each, the start first.
fn at_step(harness: &Harness<'_, Host>, step: u32) -> Pos2 {
    let all = surface(harness);
    let column = all.width() - 40.0;
    let x = all.left() + column * (step as f32 + 0.5) / (STEPS as f32 + 1.0);
    pos2(x, all.center().y)
}

#[test]
fn curves_are_chosen_by_key_and_each_says_where_it_peaked_and_how_it_ended() {
    let mut harness = window(measured(), DESKTOP);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::S);
    harness.run_ok();
    harness.get_by_label("PSNR · 8 bits").click();
    harness.run_ok();
    harness.get_by_label("ΔE2000 · mean over pixels").click();
    harness.run_ok();
    let state = &harness.state().state;
    assert_eq!(state.settings.curves_beside, [PSNR, COLOR]);
    // At the selected step, 18.
    harness.get_by_label("PSNR 20.00 · peaked at step 14 (21.00), ended 3.000 lower");
    harness.get_by_label("SSIM 0.690 · peaked at step 4 (0.781), ended 0.112 lower");
    harness.get_by_label("SSIM after each step, beside it PSNR, ΔE2000");
    // Where the pointer is, the values are those of the step there.
    harness.key_press(Key::Escape);
    harness.run_ok();
    let place = at_step(&harness, 14);
    harness.hover_at(place);
    harness.run_ok();
    harness.get_by_label_contains("PSNR 21.00 · peaked");
    harness.remove_cursor();
    // What is gone by is no curve beside itself.
    harness.state_mut().state.settings.curve_variant = PSNR.to_owned();
    harness.run_ok();
    harness.get_by_label("PSNR after each step, beside it ΔE2000");
    let beside: Vec<_> =
        harness.state().state.curves_beside().map(|variant| variant.id.to_string()).collect();
    assert_eq!(beside, [COLOR]);
}

#[test]
fn a_run_that_was_broken_off_or_goes_on_says_where_it_peaked_too() {
    for (run_state, sentence) in [
        (RunState::Interrupted, "SSIM 0.690 · peaked at step 4 (0.781), ended 0.112 lower"),
        (
            RunState::Failed("no answer".to_owned()),
            "SSIM 0.690 · peaked at step 4 (0.781), ended 0.112 lower",
        ),
        (RunState::Live, "SSIM 0.690 · peaked at step 4 (0.781), 0.112 lower now"),
    ] {
        let mut state = fixture::full();
        state.library.runs.get_mut(&RUN).expect("the fixture has it").state = run_state;
        let harness = window(state, DESKTOP);
        harness.get_by_label(sentence);
    }
}

#[test]
fn the_curves_are_saved_and_copied_from_their_menu_each_in_a_panel_of_its_own() {
    use pentimento::evaluate::figures::{RUN_CURVES, Shape};
    use pentimento::workbench::{Browse, ExploreCommand, StageForm};

    let mut state = measured();
    state.settings.curves_beside = vec![PSNR.to_owned()];
    let mut harness = window(state, DESKTOP);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::S);
    harness.run_ok();
    harness.get_by_label("SVG…").click();
    harness.run_ok();
    let browse = Command::Browse(Browse::Figure(RUN_CURVES, StageForm::Svg));
    assert_eq!(harness.state().sent.last(), Some(&browse));
    harness.get_by_label("Copy as a picture").click();
    harness.run_ok();
    let copy = Command::Explore(ExploreCommand::CopyFigure(RUN_CURVES.to_owned()));
    assert_eq!(harness.state().sent.last(), Some(&copy));
    // A panel each, with the id above it.
    let figure = harness.state().state.explore_figure(RUN_CURVES).unwrap();
    let texts = figure.drawing.shapes.iter().filter_map(|shape| match shape {
        Shape::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    let texts: Vec<&str> = texts.collect();
    assert!(texts.contains(&"ssim/uniform7") && texts.contains(&PSNR), "{texts:?}");
    let command = harness.state().state.explore_figure_command(RUN_CURVES);
    assert!(command.contains("--curve ssim/uniform7,psnr/test"), "{command}");
}

#[test]
fn what_of_curves_is_missing_is_asked_for_a_few_steps_at_a_time_after_the_chosen_one() {
    let mut state = measured();
    state.settings.curves_beside = vec![PSNR.to_owned(), COLOR.to_owned()];
    state.settings.inspector_tab = InspectorTab::Nodes;
    let run = state.library.runs.get_mut(&RUN).unwrap();
    let ssim = VariantId::from(PrimaryMetric::Similarity.variant());
    let mut curves =
        pentimento::workbench::Curves::of_one(ssim, run.curves.of("ssim/uniform7").to_vec());
    curves.put(&VariantId::from(PSNR), 0, Score::Value(1.0));
    run.curves = curves;
    let asked = |requests: &[Request]| -> Vec<(Vec<String>, Vec<u32>)> {
        let keys = requests.iter().filter_map(|request| match request {
            Request::Derive { key: DerivedKey::Scores(key), .. } => Some(key),
            _ => None,
        });
        let curve = keys.filter(|key| key.purpose == pentimento::workbench::ScorePurpose::Curve);
        curve
            .map(|key| (key.variants.iter().map(ToString::to_string).collect(), key.steps.clone()))
            .collect()
    };
    let requests = handle(&mut state, Command::Scores(ScoresCommand::ShowChanges(false)));
    let wanted: Vec<u32> = (0..=STEPS).collect();
    assert_eq!(asked(&requests), [(vec![PSNR.to_owned(), COLOR.to_owned()], wanted)]);
    // One that is not shown any more is cancelled once none of its variants is.
    let requests = handle(&mut state, Command::Scores(ScoresCommand::ToggleBeside(PSNR.into())));
    assert!(!requests.iter().any(|it| matches!(it, Request::Cancel(_))), "{requests:?}");
    let requests = handle(&mut state, Command::Scores(ScoresCommand::ToggleBeside(COLOR.into())));
    assert!(requests.iter().any(|it| matches!(it, Request::Cancel(_))), "{requests:?}");
}

#[test]
fn steps_dragged_over_with_shift_are_played_round_and_lists_are_narrowed_to_them() {
    let mut harness = window(measured(), DESKTOP);
    let (from, to) = (at_step(&harness, 5), at_step(&harness, 12));
    let press = |pos, pressed| egui::Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: Modifiers::SHIFT,
    };
    harness.hover_at(from);
    harness.run_steps(1);
    harness.event_modifiers(press(from, true), Modifiers::SHIFT);
    harness.run_steps(2);
    harness.hover_at(to);
    harness.run_steps(2);
    harness.event_modifiers(press(to, false), Modifiers::SHIFT);
    harness.run_steps(2);
    let state = &harness.state().state;
    assert_eq!(state.selection.range, Some(StepRange { first: 5, last: 12 }));
    assert_eq!(state.selection.step, 18, "marking is no going");
    harness.get_by_label("Steps 5 to 12 · 8 calls. Unmark them");
    // It begins at the start of the range, and from its end goes there again.
    harness.key_press(Key::Space);
    harness.run_steps(2);
    let state = &harness.state().state;
    assert_eq!((state.selection.step, state.playback.playing), (5, true));
    // The chip takes it away again.
    harness.get_by_label_contains("Steps 5 to 12").click();
    harness.run_steps(2);
    assert_eq!(harness.state().state.selection.range, None);
}

#[test]
fn playing_goes_from_the_end_of_a_range_to_its_start_and_on() {
    let mut state = measured();
    let tick = || Command::Playback(PlaybackCommand::Tick);
    let range = StepRange { first: 10, last: 18 };
    drop(handle(&mut state, Command::Playback(PlaybackCommand::SetRange(Some(range)))));
    state.playback.playing = true;
    drop(handle(&mut state, tick()));
    assert_eq!((state.selection.step, state.playback.playing), (10, true));
    // Without it the end is the end.
    drop(handle(&mut state, Command::Playback(PlaybackCommand::SetRange(None))));
    state.selection.step = 18;
    drop(handle(&mut state, tick()));
    assert_eq!((state.selection.step, state.playback.playing), (19, true));
}

#[test]
fn the_ends_of_a_range_are_set_by_keys_and_it_narrows_tools_matches_and_jumps() {
    let mut state = measured();
    state.selection.step = 6;
    let mut harness = window(state, DESKTOP);
    let ctrl = Modifiers::COMMAND;
    harness.key_press_modifiers(ctrl, Key::OpenBracket);
    harness.run_steps(2);
    assert_eq!(harness.state().state.selection.range, Some(StepRange { first: 6, last: STEPS }));
    for _ in 0..6 {
        harness.key_press(Key::ArrowRight);
    }
    harness.run_steps(2);
    harness.key_press_modifiers(ctrl, Key::CloseBracket);
    harness.run_steps(2);
    let range = StepRange { first: 6, last: 12 };
    assert_eq!(harness.state().state.selection.range, Some(range));
    let mut state = harness.state().state.clone();
    let tools = views::run_tools(&state).unwrap();
    assert_eq!(tools.tools.iter().map(|row| row.calls).sum::<usize>(), 7);
    assert_eq!(tools.scored, (7, 7));
    let ssim = state.library.runs[&RUN].curves.clone();
    let moved: f64 = tools.by_category.iter().map(|(_, moved)| moved.total()).sum();
    let change =
        |a, b| ssim.value("ssim/uniform7", b).unwrap() - ssim.value("ssim/uniform7", a).unwrap();
    assert!((moved - change(5, 12)).abs() < 1e-9, "{moved}");
    drop(handle(&mut state, Command::Find(FindCommand::Open)));
    drop(handle(&mut state, Command::Find(FindCommand::SetQuery("create_rectangle".to_owned()))));
    assert!(!state.find.found.is_empty());
    assert!(state.find.found.iter().all(|found| range.contains(found.step)));
    // The large fall at step 18 lies beyond it.
    state.selection.step = 12;
    assert_eq!(views::next_loss(&state), None);
    drop(handle(&mut state, Command::Playback(PlaybackCommand::SetRange(None))));
    assert_eq!(views::next_loss(&state), Some(18));
    assert!(state.find.found.iter().any(|found| found.step > 12));
    harness.key_press_modifiers(ctrl, Key::Backslash);
    harness.run_steps(2);
    assert_eq!(harness.state().state.selection.range, None);
}

#[test]
fn curves_and_range_are_remembered_and_a_range_goes_with_its_run() {
    let mut state = measured();
    state.settings.curves_beside = vec![PSNR.to_owned()];
    state.settings.shows_changes = true;
    let range = StepRange { first: 3, last: 9 };
    drop(handle(&mut state, Command::Playback(PlaybackCommand::SetRange(Some(range)))));
    let session = state.session_to_save();
    assert_eq!(session.range, Some(range));
    let settings = Settings { session, ..state.settings.clone() };
    let again = Settings::from_json(&settings.to_json().unwrap()).unwrap();
    assert_eq!(again, settings);
    let beyond = StepRange { first: 20, last: 900 };
    drop(handle(&mut state, Command::Playback(PlaybackCommand::SetRange(Some(beyond)))));
    assert_eq!(state.selection.range, Some(StepRange { first: 20, last: STEPS }));
    drop(handle(&mut state, Command::SelectRunBy(1)));
    assert_eq!(state.selection.range, None);
}

#[test]
fn change_bars_come_by_key_and_say_what_moved_most() {
    let mut harness = window(measured(), DESKTOP);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::K);
    harness.run_ok();
    assert!(harness.state().state.settings.shows_changes);
    let bars = "Change at each step, most gained at step 3: +0.047, most lost at step 18: −0.046";
    assert!(harness.get_by_label(bars).accesskit_node().label().is_some());
}

/// With everything that the timeline can show.
fn whole() -> State {
    let mut state = measured();
    state.settings.curves_beside = vec![PSNR.to_owned(), COLOR.to_owned()];
    state.settings.shows_changes = true;
    state.selection.range = Some(StepRange { first: 6, last: 20 });
    state
}

#[test]
fn the_timeline_with_curves_changes_and_a_range() {
    looks("timeline_curves", &whole(), DESKTOP, Part::Timeline);
}

#[test]
fn the_menu_of_curves() {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")] {
        let mut harness = window(themed(whole(), theme), DESKTOP);
        harness.key_press_modifiers(Modifiers::SHIFT, Key::S);
        harness.run_ok();
        let first = harness.get_by_label("SSIM · uniform 7×7").rect();
        let last = harness.get_by_label_contains("The grid is that of").rect();
        let menu = egui::Rect::from_min_max(
            first.left_top() - egui::vec2(12.0, 34.0),
            egui::pos2(first.left() + 352.0, last.bottom() + 12.0),
        );
        add_look_at(&mut results, &mut harness, &format!("curves_menu_{suffix}"), menu);
    }
}

#[test]
fn the_timeline_of_a_small_window_keeps_room_for_its_curves() {
    let mut results = SnapshotResults::new();
    let mut harness = window(themed(whole(), ThemeChoice::Dark), [1024.0, 700.0]);
    harness.run_ok();
    add_look(&mut results, &mut harness, "timeline_curves_1024_dark", Part::Timeline);
}

#[test]
fn tools_of_the_reference_are_hits_the_others_extra_and_what_was_not_used_is_missing() {
    let mut state = fixture::full();
    let id = state.selected_task().unwrap().id.clone();
    for entry in &mut state.library.sets {
        let mut set = (*entry.set).clone();
        for task in set.tasks.iter_mut().filter(|task| task.id == id) {
            Arc::make_mut(task).reference_tools =
                vec!["create_rectangle".to_owned(), "clone_node".to_owned()];
        }
        entry.set = Arc::new(set);
    }
    let mut harness = window(state, DESKTOP);
    harness.get_by_label_contains("11 hits of the reference, 15 extra");
    let words = "Tools against the reference: precision 8 %, recall 50 %; missing: clone_node";
    harness.get_by_label_contains(words);
    // Of one step it is said where the pointer is.
    for (step, words) in [(2, "hit: a tool of the"), (4, "extra: no tool of the")] {
        let place = at_step(&harness, step);
        harness.hover_at(place);
        harness.run_ok();
        assert!(harness.query_by_label_contains(words).is_some(), "{words}");
    }
    // Without a reference nothing is said of it.
    let harness = window(fixture::full(), DESKTOP);
    assert!(harness.query_by_label_contains("Tools against the reference").is_none());
}
