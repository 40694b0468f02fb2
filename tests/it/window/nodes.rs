//! The list of nodes in the window: what a person does there, and how it looks.

use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use pentimento::design::NodeId;
use pentimento::workbench::protocol::ExportFormat;
use pentimento::workbench::views::{self, BoxKind};
use pentimento::workbench::{
    Browse, ChangeKind, Command, Comparison, Fetched, InspectorTab, NodeRef, NodeSide,
    NodesCommand, PlaybackCommand,
};

use super::harness::{Host, Part, looks, window};
use super::{fixture, layers};

const DESKTOP: [f32; 2] = [1440.0, 900.0];
const SMALL: [f32; 2] = [1024.0, 700.0];

fn against_truth<'a>() -> egui_kittest::Harness<'a, Host> {
    window(layers::listed(Comparison::GroundTruth), DESKTOP)
}

fn sent(harness: &egui_kittest::Harness<'_, Host>, command: &Command) -> bool {
    harness.state().sent.contains(command)
}

fn card() -> NodeRef {
    NodeRef { side: NodeSide::Canvas, id: NodeId::from("1:33") }
}

#[test]
fn keys_go_from_the_step_to_the_nodes_and_back() {
    let mut harness = window(fixture::full(), DESKTOP);
    assert!(harness.query_by_label("Filter the nodes").is_none());
    harness.key_press(Key::N);
    harness.run_ok();
    assert_eq!(harness.state().state.settings.inspector_tab, InspectorTab::Nodes);
    harness.key_press(Key::I);
    harness.run_ok();
    assert!(harness.query_by_label("Thought").is_some());
}

#[test]
fn rows_say_their_kind_and_how_they_differ() {
    let harness = against_truth();
    assert!(harness.query_by_label("Card, frame, moved, restyled").is_some());
    assert!(harness.query_by_label_contains("Row 5, instance, missing").is_some());
    assert!(harness.query_by_label_contains("Rectangle 61, rectangle, extra").is_some());
    assert!(
        harness.query_by_label_contains("Brand mark of the issuing bank, vector, hidden").is_some()
    );
}

#[test]
fn a_click_selects_and_arrows_walk_on_without_leaving_the_run() {
    let mut harness = against_truth();
    harness.get_by_label("Card, frame, moved, restyled").click();
    harness.run_ok();
    assert_eq!(harness.state().state.nodes.selected, Some(card()));
    let run = harness.state().state.selection.run;
    harness.run_ok();
    harness.key_press(Key::ArrowDown);
    harness.run_ok();
    assert_ne!(harness.state().state.nodes.selected, Some(card()));
    assert_eq!(harness.state().state.selection.run, run, "arrows are the list's now");
    assert_eq!(harness.state().state.selection.step, 18);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowUp);
    harness.run_ok();
    assert_eq!(harness.state().state.nodes.selected, Some(card()));
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert_eq!(harness.state().state.nodes.selected, None);
}

#[test]
fn a_click_on_the_stage_selects_the_node_there() {
    let mut harness = window(layers::listed(Comparison::GroundTruth), DESKTOP);
    let picture = harness.get_by_label_contains("Picture of step 18").rect();
    let pos = picture.min + picture.size() * egui::vec2(0.2, 0.21);
    harness.hover_at(pos);
    harness.run_ok();
    harness.drag_at(pos);
    harness.drop_at(pos);
    harness.run_ok();
    let selected = harness.state().state.nodes.selected.clone();
    assert_eq!(selected.map(|node| node.side), Some(NodeSide::Canvas));
}

#[test]
fn counts_filter_the_list() {
    let mut harness = against_truth();
    harness.get_by_label("5 missing").click();
    harness.run_ok();
    assert!(sent(&harness, &Command::Nodes(NodesCommand::ToggleChangeKind(ChangeKind::Removed))));
    assert!(harness.query_by_label_contains("Row 5, instance, missing").is_some());
    assert!(harness.query_by_label("Card, frame, moved, restyled").is_none());
}

#[test]
fn the_filter_finds_names() {
    let mut harness = against_truth();
    harness.get_by_label("Filter the nodes").click();
    harness.run_ok();
    harness.get_by_label("Filter the nodes").type_text("water");
    harness.run_ok();
    assert!(harness.query_by_label_contains("Water Bill, text").is_some());
    assert!(harness.query_by_label_contains("Header, rectangle").is_none());
}

#[test]
fn the_call_that_made_a_node_is_a_link() {
    let mut state = layers::listed(Comparison::GroundTruth);
    state.nodes.selected = Some(card());
    let mut harness = window(state, DESKTOP);
    let links = harness.get_all_by_label_contains("Made by");
    links.last().expect("there is one").click();
    harness.run_ok();
    let jumped = |command: &Command| matches!(command, Command::Playback(PlaybackCommand::Step(step)) if *step < 10);
    assert!(harness.state().sent.iter().any(jumped), "{:?}", harness.state().sent);
}

#[test]
fn old_and_new_stand_side_by_side() {
    let mut state = layers::listed(Comparison::GroundTruth);
    state.nodes.selected = Some(card());
    let harness = window(state, DESKTOP);
    for words in ["114 px", "108 px", "12", "18"] {
        assert!(
            harness.query_all_by_value(words).next().is_some()
                || harness.query_all_by_label(words).next().is_some(),
            "{words}"
        );
    }
}

#[test]
fn comparisons_are_buttons_and_a_key() {
    let mut harness = against_truth();
    harness.get_by_label("Compare with the step before").click();
    harness.run_ok();
    assert_eq!(harness.state().state.settings.comparison, Comparison::Previous);
    assert!(harness.query_by_label_contains("Row 5").is_none(), "the step before has none either");
    harness.key_press(Key::C);
    harness.run_ok();
    assert_eq!(harness.state().state.settings.comparison, Comparison::GroundTruth);
}

#[test]
fn boxes_have_a_legend_with_counts() {
    let mut harness = against_truth();
    harness.key_press(Key::X);
    harness.run_ok();
    assert!(harness.state().state.stage.boxes);
    assert!(harness.query_by_label_contains("missing 5, extra 5").is_some());
}

#[test]
fn boxes_are_saved_with_the_stage_while_they_are_on() {
    let mut state = layers::listed(Comparison::GroundTruth);
    let without = views::stage_shot(&state, 1).panes;
    assert!(without.iter().all(|pane| pane.boxes.is_empty()));
    state.stage.boxes = true;
    let panes = views::stage_shot(&state, 1).panes;
    // The run and the ground truth, each with what only it has.
    for (kind, counts) in [(BoxKind::Missing, [0, 5]), (BoxKind::Extra, [5, 0])] {
        let color = kind.color_on_picture();
        let of_kind = panes[..2].iter().map(|pane| {
            let boxes = pane.boxes.iter().filter(|found| found.color == color);
            boxes.filter(|found| found.is_filled).count()
        });
        assert_eq!(of_kind.collect::<Vec<_>>(), counts, "{kind:?}");
    }
    let areas: Vec<_> = panes.iter().flat_map(|pane| &pane.boxes).map(|it| it.area).collect();
    assert!(areas.len() > 10);
    // A screen is 393 wide and 852 high.
    assert!(areas.iter().all(|it| it.x >= 0.0 && it.right() <= 1.001 && it.y < 2.2), "{areas:?}");
}

#[test]
fn an_export_asks_where_to() {
    let mut harness = against_truth();
    harness.get_by_label("Export").click();
    harness.run_ok();
    harness.get_by_label_contains("PNG at 3×").click();
    harness.run_ok();
    assert!(sent(&harness, &Command::Browse(Browse::Export(ExportFormat::Png { scale: 3 }))));
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::E);
    harness.run_ok();
    assert!(sent(&harness, &Command::Browse(Browse::Export(ExportFormat::Json))));
}

#[test]
fn a_picture_without_a_document_says_so() {
    let mut state = fixture::full();
    state.settings.inspector_tab = InspectorTab::Nodes;
    state.selection.run = None;
    state.nodes.of_ground_truth = true;
    let harness = window(state, DESKTOP);
    assert!(harness.query_by_label_contains("picture without a document").is_some());
    let truth = harness.get_by_label("Compare with the ground truth");
    assert!(truth.accesskit_node().is_disabled());
}

#[test]
fn the_run_can_be_listed_again_where_the_ground_truth_has_no_document() {
    let mut state = fixture::full();
    state.settings.inspector_tab = InspectorTab::Nodes;
    state.nodes.of_ground_truth = true;
    let mut harness = window(state, DESKTOP);
    harness.key_press(Key::T);
    harness.run_ok();
    assert!(!harness.state().state.nodes.of_ground_truth);
}

#[test]
fn nodes_that_cannot_be_had_say_why() {
    let mut state = layers::listed(Comparison::GroundTruth);
    let keys: Vec<_> = state.derived.layer_trees.iter().map(|(key, _)| key.clone()).collect();
    for key in keys {
        let why = "gt.json cannot be read: it is gone".to_owned();
        state.derived.layer_trees.insert(key, Fetched::Failed(why));
    }
    let harness = window(state, DESKTOP);
    assert!(harness.query_by_label_contains("gt.json cannot be read").is_some());
}

#[test]
fn the_nodes_against_the_ground_truth() {
    let mut state = layers::listed(Comparison::GroundTruth);
    state.nodes.selected = Some(card());
    looks("nodes_1440", &state, DESKTOP, Part::Inspector);
}

#[test]
fn the_nodes_in_a_small_window() {
    let mut state = layers::listed(Comparison::Previous);
    state.nodes.selected = Some(NodeRef { side: NodeSide::Canvas, id: NodeId::from("1:42") });
    looks("nodes_1024", &state, SMALL, Part::Inspector);
}

#[test]
fn boxes_around_nodes() {
    let mut state = layers::listed(Comparison::GroundTruth);
    state.stage.boxes = true;
    looks("boxes", &state, DESKTOP, Part::Stage);
}

#[test]
fn no_nodes_to_list() {
    let mut state = fixture::full();
    state.settings.inspector_tab = InspectorTab::Nodes;
    state.nodes.of_ground_truth = true;
    looks("nodes_none", &state, SMALL, Part::Inspector);
}
