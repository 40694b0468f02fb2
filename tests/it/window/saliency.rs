//! Heats of saliency: chosen, explained, read out and looked at.

use std::sync::Arc;

use egui::{Key, Modifiers};
use egui_kittest::SnapshotResults;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use pentimento::base::{CancelToken, Palette, Rect};
use pentimento::metric::{Comparison, Evidence, LossArea, MapKind, Registry};
use pentimento::task::DesignBrief;
use pentimento::workbench::views;
use pentimento::workbench::{
    Command, Fetched, InspectorTab, LossAreas, MapKey, PictureKey, ScoresCommand, ShotContent,
    StageCommand, State, ThemeChoice, handle,
};

use super::fixture::{self, RUN, task_ref};
use super::harness::{Part, add_look, add_look_at, themed, window};

const SIZE: [f32; 2] = [1440.0, 900.0];
const SMALL: [f32; 2] = [1024.0, 700.0];
const VARIANT: &str = "saliency_cc/spectral-residual";

/// The fixture with the maps of saliency that the worker would make of its pictures.
fn with_saliency() -> State {
    let mut state = fixture::full();
    let step = state.selection.step;
    let keys = [PictureKey::GroundTruth(task_ref("gid11-16")), PictureKey::Step(RUN, step)];
    let [truth, run] =
        keys.map(|key| state.ready_picture(&key).unwrap().pixels.unpacked().unwrap());
    let comparison = Comparison::of_pictures(&truth, &run);
    let registry = Registry::built_in();
    let measured = registry.measure_one(VARIANT, &comparison, &CancelToken::new());
    let measured = measured.unwrap().unwrap();
    for (kind, map) in measured.evidence.map(Evidence::into_maps).unwrap() {
        let key = MapKey { kind, ..MapKey::of(RUN, step, VARIANT) };
        state.derived.maps.insert(key, Fetched::Ready(Arc::new(map)));
    }
    state
}

fn showing(kind: MapKind) -> State {
    let mut state = with_saliency();
    drop(handle(&mut state, Command::Scores(ScoresCommand::ShowMap(VARIANT.into(), kind))));
    state
}

#[test]
fn keys_show_the_saliency_of_either_side_and_their_difference() {
    let mut harness = window(with_saliency(), SIZE);
    for (key, kind, title) in [
        (Key::Q, MapKind::Generated, "Saliency of the run spectral-residual"),
        (Key::W, MapKind::GroundTruth, "Saliency of the ground truth spectral-residual"),
        (Key::H, MapKind::Difference, "Difference of saliency spectral-residual"),
    ] {
        harness.key_press_modifiers(Modifiers::ALT, key);
        harness.run_ok();
        let state = &harness.state().state;
        assert_eq!((state.heat_map(), &*state.settings.heat_variant), (kind, VARIANT));
        assert_eq!(state.curve_variant().unwrap().metric(), "ssim", "the curve stays");
        assert!(harness.query_by_label(title).is_some(), "{title}");
        let heat = views::heat(state);
        assert_eq!(heat.palette == Palette::Diverging, kind == MapKind::Difference);
    }
}

#[test]
fn the_menu_of_the_heat_has_the_maps_of_saliency_and_not_three_metrics_of_one_map() {
    let mut harness = window(with_saliency(), SIZE);
    harness.get_by_label("Heat").click();
    harness.run_ok();
    assert!(harness.query_by_label_contains("Saliency CC").is_none());
    for words in ["Saliency of the run ·", "Difference of saliency ·"] {
        assert!(harness.query_by_label_contains(words).is_some(), "{words}");
    }
    harness.get_by_label_contains("Saliency of the ground truth ·").click();
    harness.run_ok();
    let shown = ScoresCommand::ShowMap(VARIANT.into(), MapKind::GroundTruth);
    assert!(harness.state().sent.contains(&Command::Scores(shown)));
    assert_eq!(views::heat(&harness.state().state).name(), "Saliency of the ground truth");
}

#[test]
fn the_threshold_of_a_difference_is_dragged_from_the_middle_to_either_side() {
    let mut harness = window(showing(MapKind::Difference), SIZE);
    let ramp = harness.get_by_label("Heat threshold").rect();
    // The slider reaches six points beyond the colours at each end.
    let (middle, reach) = (ramp.center(), ramp.width() * 0.5 - 6.0);
    for side in [0.5, -0.5] {
        harness.hover_at(middle);
        harness.run_steps(1);
        harness.drag_at(middle);
        harness.run_steps(1);
        harness.hover_at(middle + egui::vec2(reach * side, 0.0));
        harness.run_steps(1);
        harness.drop_at(middle + egui::vec2(reach * side, 0.0));
        harness.run_steps(2);
        let threshold = harness.state().state.stage.heat_threshold;
        assert!((threshold - 0.5).abs() < 0.03, "{threshold} at {side}");
        drop(handle(
            &mut harness.state_mut().state,
            Command::Stage(StageCommand::HeatThreshold(0.1)),
        ));
    }
}

#[test]
fn the_pointer_says_how_salient_a_place_and_its_node_are() {
    for (kind, value, whole) in [
        (MapKind::Generated, "Saliency 0", "of the saliency"),
        (MapKind::Difference, "Saliency difference ", "of the difference"),
    ] {
        let mut harness = window(showing(kind), SIZE);
        let picture = harness.get_by_label_contains("Picture of step 18").rect();
        // On the card, which is far from covering the screen.
        harness.hover_at(picture.left_top() + picture.size() * egui::vec2(0.6, 0.2));
        harness.run_ok();
        let readout = harness.get_by_label_contains("ΔRGB").value().unwrap_or_default();
        assert!(readout.contains(value), "{readout}");
        assert!(harness.query_by_label_contains(whole).is_some(), "{kind:?}");
        assert!(harness.query_by_label_contains("of the loss").is_none(), "{kind:?}");
    }
}

#[test]
fn of_the_ground_truth_its_own_nodes_have_a_share() {
    let mut harness = window(showing(MapKind::GroundTruth), SIZE);
    let run = harness.get_by_label_contains("Picture of step 18").rect();
    let place = egui::vec2(0.6, 0.2);
    harness.hover_at(run.left_top() + run.size() * place);
    harness.run_ok();
    assert!(harness.query_by_label_contains("of the saliency").is_none(), "it is not the run's");
    let truth = harness.get_by_label_contains("Picture of the ground truth").rect();
    harness.hover_at(truth.left_top() + truth.size() * place);
    harness.run_ok();
    assert!(harness.query_by_label_contains("of the saliency").is_some());
}

#[test]
fn the_inspector_lists_where_the_saliency_is() {
    let mut state = showing(MapKind::GroundTruth);
    state.settings.inspector_tab = InspectorTab::Step;
    let key = state.loss_key().unwrap();
    assert_eq!(key.map.kind, MapKind::GroundTruth);
    // Where the ground truth has its card.
    let area = Rect::new(30.0, 108.0, 333.0, 200.0);
    let areas = [LossArea { area, share: 0.41 }].to_vec();
    state
        .derived
        .losses
        .insert(key, Fetched::Ready(Arc::new(LossAreas { areas, size: [393, 852] })));
    let harness = window(state, [1440.0, 1400.0]);
    assert!(harness.query_by_label("Where the saliency is").is_some());
    let row = harness.get_by_label_contains("41 % of the saliency");
    let words = row.accesskit_node().label().unwrap_or_default();
    assert!(!words.contains("missing"), "{words}");
}

#[test]
fn without_a_ground_truth_the_run_alone_has_its_saliency_and_the_rest_says_why_not() {
    let mut state = showing(MapKind::Generated);
    let set = Arc::make_mut(&mut state.library.sets[0].set);
    let task = set.tasks.iter_mut().find(|task| task.id == "gid11-16").map(Arc::make_mut).unwrap();
    task.ground_truth = None;
    task.brief = Some(Arc::new(DesignBrief::default()));
    let mut harness = window(state, SIZE);
    assert!(harness.query_by_label("Saliency of the run spectral-residual").is_some());
    harness.get_by_label("Heat").click();
    harness.run_ok();
    assert!(harness.query_by_label("The task asks in words: there is no ground truth.").is_some());
    harness.get_by_label_contains("Saliency of the ground truth ·").click();
    harness.run_ok();
    assert_eq!(harness.state().state.heat_map(), MapKind::Generated, "it cannot be chosen");
}

#[test]
fn the_heat_is_saved_in_the_colours_of_both_signs() {
    let state = showing(MapKind::Difference);
    let shot = views::stage_shot(&state, 1);
    let heat = shot.panes.iter().find_map(|pane| match &pane.content {
        ShotContent::Heat { places, palette, .. } => Some((places, *palette)),
        _ => None,
    });
    let (places, palette) = heat.unwrap();
    assert_eq!(palette, Palette::Diverging);
    assert!(places.iter().any(|place| *place < 0.45) && places.iter().any(|place| *place > 0.55));
    assert!(places.iter().all(|place| (0.0..=1.0).contains(place)));
}

#[test]
fn the_heats_of_saliency_look() {
    let mut results = SnapshotResults::new();
    for (kind, theme, size, name) in [
        (MapKind::Generated, ThemeChoice::Dark, SIZE, "stage_saliency_run_dark"),
        (MapKind::GroundTruth, ThemeChoice::Light, SMALL, "stage_saliency_truth_light"),
        (MapKind::Difference, ThemeChoice::Dark, SMALL, "stage_saliency_difference_dark"),
        (MapKind::Difference, ThemeChoice::Light, SMALL, "stage_saliency_difference_light"),
    ] {
        let mut state = themed(showing(kind), theme);
        state.stage.heat_threshold = 0.15;
        let mut harness = window(state, size);
        harness.run_steps(4);
        add_look(&mut results, &mut harness, name, Part::Stage);
    }
    for (theme, name) in [
        (ThemeChoice::Dark, "stage_saliency_menu_dark"),
        (ThemeChoice::Light, "stage_saliency_menu_light"),
    ] {
        let mut harness = window(themed(showing(MapKind::Difference), theme), SIZE);
        harness.get_by_label("Heat").click();
        harness.run_steps(4);
        let first = harness.get_by_label("SSIM · uniform 7×7").rect();
        let last = harness.get_by_label("Grey").rect();
        add_look_at(&mut results, &mut harness, name, first.union(last).expand(8.0));
    }
}
