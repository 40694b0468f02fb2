//! The tree of layers and the views of the canvas where people design by hand: by keys and pointer, and as they look.

use std::path::PathBuf;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Rect, pos2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_kittest::{Harness, SnapshotResults};

use pentimento::base::{Affine, Point, Rgba, Size};
use pentimento::design::{Document, Node, NodeId, NodeKind, Paint};
use pentimento::editor::{Act, Editor, LayerAct, SelectAct};
use pentimento::render::RenderContext;
use pentimento::workbench::{
    AssistCommand, AssistDesk, AssistStart, Command, CommentCommand, DesignGoal, GoalView,
    LookCommand, Settings, State, ThemeChoice, Workspace,
};

use super::accessibility::assert_all_have_names;
use super::harness::add_look_at;
use super::labelling::{Host, state, until, window_of};

const SIZE: [f32; 2] = [1440.0, 900.0];

fn node(id: &str, name: &str, kind: NodeKind, parent: &str, area: [f64; 4]) -> Node {
    let [x, y, width, height] = area;
    let parent = (!parent.is_empty()).then(|| NodeId::from(parent));
    let has_paint = matches!(kind, NodeKind::Frame | NodeKind::Rectangle | NodeKind::Ellipse(_));
    let fills = if has_paint { vec![Paint::solid(Rgba::WHITE)] } else { Vec::new() };
    let (transform, size) = (Affine::translate(x, y), Size::new(width, height));
    Node { parent, transform, size, fills, ..Node::new(id.into(), name, kind) }
}

/// A screen with a card, in it a row, in it a group; a second frame beside it.
fn document() -> Document {
    let frame = NodeKind::Frame;
    Document::from_nodes([
        node("0:1", "Page 1", NodeKind::Canvas, "", [0.0; 4]),
        node("1:1", "Basket", frame.clone(), "0:1", [0.0, 0.0, 400.0, 600.0]),
        node("1:2", "Ground", NodeKind::Rectangle, "1:1", [0.0, 0.0, 400.0, 600.0]),
        node("1:3", "Header", frame.clone(), "1:1", [0.0, 0.0, 400.0, 60.0]),
        node("1:4", "Title", NodeKind::Rectangle, "1:3", [150.0, 20.0, 100.0, 20.0]),
        node("1:5", "Card", frame.clone(), "1:1", [20.0, 100.0, 360.0, 120.0]),
        node("1:6", "Thumbnail", NodeKind::Rectangle, "1:5", [10.0, 10.0, 100.0, 100.0]),
        node("1:7", "Stepper", NodeKind::Group, "1:5", [250.0, 80.0, 90.0, 30.0]),
        node("1:8", "Less", NodeKind::Rectangle, "1:7", [250.0, 80.0, 30.0, 30.0]),
        node("1:9", "More", NodeKind::Rectangle, "1:7", [310.0, 80.0, 30.0, 30.0]),
        node("1:10", "Home indicator", NodeKind::Rectangle, "1:1", [130.0, 580.0, 140.0, 5.0]),
        node("1:11", "Second screen", frame, "0:1", [500.0, 0.0, 400.0, 600.0]),
    ])
    .unwrap()
}

fn at_desk(document: Document, size: [f32; 2], theme: ThemeChoice) -> Harness<'static, Host> {
    let settings = Settings { theme, ..Settings::default() };
    let mut state = State::new(settings, PathBuf::from("runs"));
    let editor = Editor::new(document.clone());
    let start = AssistStart::Blank(Size::new(400.0, 600.0));
    let desk = AssistDesk::new(1, "Basket".to_owned(), start, editor, RenderContext::default());
    let goal = Some(DesignGoal::of_design(std::sync::Arc::new(document)));
    state.assist.desk = Some(Box::new(AssistDesk { goal, ..desk }));
    state.workspace = Workspace::Assist;
    let mut harness = window_of(state, size);
    until(&mut harness, "the design is drawn", is_drawn);
    harness
}

fn is_drawn(state: &State) -> bool {
    let desk = state.assist.desk.as_ref().unwrap();
    state.derived.design_pictures.ready(&desk.picture_key()).is_some()
}

fn desk<'a>(harness: &'a Harness<'_, Host>) -> &'a AssistDesk {
    state(harness).assist.desk.as_deref().unwrap()
}

fn act(harness: &mut Harness<'_, Host>, act: Act) {
    let command = Command::Assist(AssistCommand::Act(Box::new(act)));
    harness.state_mut().session.carry_out(command);
    harness.run_steps(2);
}

fn select(harness: &mut Harness<'_, Host>, ids: &[&str]) {
    let ids = ids.iter().map(|id| NodeId::from(*id)).collect();
    act(harness, Act::Select(SelectAct::Only(ids)));
}

fn selected<'a>(harness: &'a Harness<'_, Host>) -> Vec<&'a str> {
    desk(harness).editor.selection().nodes.iter().map(NodeId::as_str).collect()
}

fn children<'a>(harness: &'a Harness<'_, Host>, parent: &str) -> Vec<&'a str> {
    let children = desk(harness).editor.document().children_of(Some(&parent.into()));
    children.iter().map(NodeId::as_str).collect()
}

/// The names of the rows that are listed.
fn listed(harness: &Harness<'_, Host>) -> Vec<String> {
    let mut rows: Vec<(f32, String)> = harness
        .get_all_by_role(egui::accesskit::Role::TreeItem)
        .map(|row| (row.rect().top(), row.accesskit_node().label().unwrap_or_default()))
        .collect();
    rows.sort_by(|one, other| one.0.total_cmp(&other.0));
    rows.into_iter()
        .map(|(_, name)| name.split(',').next().unwrap_or_default().to_owned())
        .collect()
}

fn row(harness: &Harness<'_, Host>, name: &str) -> Rect {
    harness.get_by_label_contains(&format!("{name}, ")).rect()
}

fn drag(harness: &mut Harness<'_, Host>, from: egui::Pos2, to: egui::Pos2) {
    harness.hover_at(from);
    harness.run_steps(2);
    harness.drag_at(from);
    harness.run_steps(2);
    for share in [0.3, 0.6, 1.0] {
        harness.hover_at(from + (to - from) * share);
        harness.run_steps(2);
    }
    harness.drop_at(to);
    harness.run_steps(3);
}

#[test]
fn rows_are_selected_by_click_range_and_keys() {
    let mut harness = at_desk(document(), SIZE, ThemeChoice::Dark);
    let front_first = ["Second screen", "Basket", "Home indicator", "Card", "Header", "Ground"];
    assert_eq!(listed(&harness), front_first);
    harness.get_by_label_contains("Card, ").click();
    harness.run_steps(2);
    assert_eq!(selected(&harness), ["1:5"]);
    harness.get_by_label_contains("Ground, ").click_modifiers(Modifiers::SHIFT);
    harness.run_steps(2);
    assert_eq!(selected(&harness), ["1:5", "1:3", "1:2"]);
    harness.get_by_label_contains("Header, ").click_modifiers(Modifiers::COMMAND);
    harness.run_steps(2);
    assert_eq!(selected(&harness), ["1:5", "1:2"]);
    harness.get_by_label_contains("Card, ").click();
    harness.run_steps(2);
    for (key, expected) in [
        (Key::ArrowDown, "1:3"),
        (Key::ArrowUp, "1:5"),
        (Key::ArrowRight, "1:5"),
        (Key::ArrowRight, "1:7"),
        (Key::ArrowLeft, "1:5"),
        (Key::ArrowLeft, "1:5"),
        (Key::ArrowLeft, "1:1"),
    ] {
        harness.key_press(key);
        harness.run_steps(2);
        assert_eq!(selected(&harness), [expected], "{key:?}");
    }
    harness.key_press_modifiers(Modifiers::ALT, Key::L);
    harness.run_steps(2);
    assert_eq!(listed(&harness), ["Second screen", "Basket"]);
}

#[test]
fn what_is_selected_elsewhere_unfolds_what_it_lies_in() {
    let mut harness = at_desk(document(), SIZE, ThemeChoice::Dark);
    assert!(!listed(&harness).contains(&"More".to_owned()));
    select(&mut harness, &["1:9"]);
    assert!(listed(&harness).contains(&"More".to_owned()));
}

#[test]
fn a_search_narrows_the_tree_to_names_and_what_they_lie_in() {
    let mut harness = at_desk(document(), SIZE, ThemeChoice::Dark);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
    harness.run_steps(2);
    harness.get_by_role_and_label(Role::TextInput, "Search the layers").type_text("less");
    harness.run_steps(3);
    assert_eq!(listed(&harness), ["Basket", "Card", "Stepper", "Less"]);
    harness.key_press(Key::Escape);
    harness.run_steps(3);
    assert_eq!(listed(&harness).len(), 6);
}

#[test]
fn a_name_is_typed_over_and_tab_goes_to_the_next() {
    let mut harness = at_desk(document(), SIZE, ThemeChoice::Dark);
    select(&mut harness, &["1:5"]);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::R);
    harness.run_steps(3);
    harness.get_by_label("Name of the layer").type_text("Article");
    harness.run_steps(2);
    harness.key_press(Key::Tab);
    harness.run_steps(3);
    let name = |harness: &Harness<'_, Host>, id: &str| {
        desk(harness).editor.document().get(&id.into()).unwrap().name.clone()
    };
    assert_eq!(name(&harness, "1:5"), "Article");
    assert_eq!(selected(&harness), ["1:3"]);
    harness.get_by_label("Name of the layer").type_text("Top");
    harness.run_steps(2);
    harness.key_press(Key::Escape);
    harness.run_steps(3);
    assert_eq!(name(&harness, "1:3"), "Header", "Escape restores");
    assert_eq!(desk(&harness).editor.steps(), 1);
}

#[test]
fn rows_are_dragged_beside_and_into_others() {
    let mut harness = at_desk(document(), SIZE, ThemeChoice::Dark);
    let before = desk(&harness).editor.document().absolute_box(&"1:10".into());
    let card = row(&harness, "Card").center();
    let from = row(&harness, "Home indicator").center();
    drag(&mut harness, from, card);
    assert_eq!(children(&harness, "1:5"), ["1:6", "1:7", "1:10"]);
    assert_eq!(desk(&harness).editor.document().absolute_box(&"1:10".into()), before);
    // Under the last row of all is behind it.
    let (from, ground) = (row(&harness, "Header").center(), row(&harness, "Ground"));
    drag(&mut harness, from, pos2(ground.center().x, ground.bottom() - 2.0));
    assert_eq!(children(&harness, "1:1"), ["1:3", "1:2", "1:5"]);
    // Not into itself.
    let steps = desk(&harness).editor.steps();
    let (basket, card) = (row(&harness, "Basket").center(), row(&harness, "Card").center());
    drag(&mut harness, basket, card);
    assert_eq!(desk(&harness).editor.steps(), steps);
}

#[test]
fn eyes_and_locks_are_pressed_and_painted_over() {
    let mut harness = at_desk(document(), SIZE, ThemeChoice::Dark);
    harness.get_by_label("Hide Card").click();
    harness.run_steps(2);
    let visible = |harness: &Harness<'_, Host>, id: &str| {
        desk(harness).editor.document().get(&id.into()).unwrap().visible
    };
    assert!(!visible(&harness, "1:5"));
    harness.get_by_label("Show Card");
    harness.get_by_label("Lock Header").click();
    harness.run_steps(2);
    harness.get_by_label("Unlock Header");
    let from = harness.get_by_label("Hide Header").rect().center();
    let to = harness.get_by_label("Hide Ground").rect().center();
    let steps = desk(&harness).editor.steps();
    drag(&mut harness, from, to);
    assert!(!visible(&harness, "1:3") && !visible(&harness, "1:2"));
    assert_eq!(desk(&harness).editor.steps(), steps + 1, "all that is painted over is one step");
}

#[test]
fn keys_zoom_and_choose_what_is_seen() {
    let mut harness = at_desk(document(), SIZE, ThemeChoice::Dark);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::Num0);
    harness.run_steps(3);
    harness.get_by_label("Zoom, 100 %");
    harness.key_press(Key::Plus);
    harness.run_steps(3);
    harness.get_by_label("Zoom, 150 %");
    until(&mut harness, "it is drawn sharper", |state| {
        state.assist.desk.as_ref().unwrap().scale == 2 && is_drawn(state)
    });
    select(&mut harness, &["1:4"]);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::Num2);
    harness.run_steps(3);
    assert!(harness.query_by_label("Zoom, 150 %").is_none());
    harness.key_press_modifiers(Modifiers::SHIFT, Key::R);
    harness.run_steps(3);
    harness.get_by_label_contains("Rulers, 150 to 250 across");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Backslash);
    harness.run_steps(3);
    assert!(harness.query_by_label("Layers of the design").is_none());
    let canvas = state(&harness).settings.canvas;
    assert!(canvas.rulers && canvas.hides_panels && canvas.snaps);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Backslash);
    harness.run_steps(3);
    harness.get_by_label("Layers of the design");
}

#[test]
fn the_goal_is_held_and_shown_beside() {
    let mut harness = at_desk(document(), SIZE, ThemeChoice::Dark);
    harness.key_down(Key::G);
    harness.run_steps(3);
    assert!(desk(&harness).holds_goal);
    harness.get_by_label("The goal, in place of the design");
    harness.key_up(Key::G);
    harness.run_steps(3);
    assert!(!desk(&harness).holds_goal);
    let beside = LookCommand::Goal(GoalView::Beside);
    harness.state_mut().session.carry_out(Command::Assist(AssistCommand::Look(beside)));
    until(&mut harness, "the goal is drawn", |state| {
        let desk = state.assist.desk.as_ref().unwrap();
        state.derived.design_pictures.ready(&desk.goal_picture_key().unwrap()).is_some()
    });
    harness.run_steps(2);
    harness.get_by_label("The goal, beside the design");
}

#[test]
fn a_picture_of_a_file_is_placed_and_one_that_is_none_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("cat.png");
    let pixels = pentimento::base::Pixels::filled(40, 20, [200, 10, 10, 255]).unwrap();
    pixels.save_png(&path).unwrap();
    let wrong = dir.path().join("words.png");
    std::fs::write(&wrong, "no picture").unwrap();
    let mut harness = at_desk(document(), SIZE, ThemeChoice::Dark);
    let at = Point::new(200.0, 300.0);
    let place = AssistCommand::PlacePictures(vec![path, wrong], at);
    harness.state_mut().session.carry_out(Command::Assist(place));
    until(&mut harness, "one is there and the other refused", |state| {
        state.assist.desk.as_ref().unwrap().editor.steps() == 1 && !state.notices.is_empty()
    });
    let desk = desk(&harness);
    let placed = desk.editor.selection().only().unwrap();
    let area = desk.editor.document().absolute_box(placed).unwrap();
    assert_eq!(area, pentimento::base::Rect::new(180.0, 290.0, 40.0, 20.0));
    let notices: Vec<&str> = state(&harness).notices.iter().map(|it| it.text.as_str()).collect();
    assert!(notices.iter().any(|it| it.contains("was not placed")), "{notices:?}");
}

#[test]
fn comments_are_pins_with_names() {
    let mut harness = at_desk(document(), SIZE, ThemeChoice::Dark);
    let (node, at) = (NodeId::from("1:5"), Point::new(10.0, 10.0));
    let add = CommentCommand::Add { node, at, text: "Too dark".to_owned() };
    harness.state_mut().session.carry_out(Command::Assist(AssistCommand::Comment(add)));
    harness.run_steps(2);
    harness.get_by_label("Comment 1: Too dark").click();
    harness.run_steps(3);
    harness.get_by_label("Done").click();
    harness.run_steps(3);
    assert!(desk(&harness).comments.iter().all(|comment| comment.done));
}

#[test]
fn all_in_the_room_has_a_name() {
    let mut harness = at_desk(document(), SIZE, ThemeChoice::Dark);
    harness.run_steps(2);
    assert_all_have_names(&harness, "the room");
}

#[test]
fn two_thousand_layers_are_drawn_as_few() {
    let mut nodes = vec![node("1:1", "Basket", NodeKind::Frame, "", [0.0, 0.0, 400.0, 600.0])];
    for number in 2..2002 {
        let area = [f64::from(number % 390), f64::from(number % 590), 8.0, 8.0];
        let (id, name) = (format!("1:{number}"), format!("Dot {number}"));
        nodes.push(node(&id, &name, NodeKind::Rectangle, "1:1", area));
    }
    let document = Document::from_nodes(nodes).unwrap();
    let mut harness = at_desk(document, SIZE, ThemeChoice::Dark);
    assert!(listed(&harness).len() < 60, "only what is seen is a widget");
    select(&mut harness, &["1:2"]);
    harness.run_steps(3);
    assert!(listed(&harness).contains(&"Dot 2".to_owned()), "scrolled to it");
}

/// A tree with all that a row can be.
fn varied() -> Document {
    let mut editor = Editor::new(document());
    let measure = pentimento::render::TextMeasurer(&RenderContext::default());
    let context = pentimento::editor::EditorContext { measure: &measure };
    let nodes = |ids: &[&str]| ids.iter().map(|id| NodeId::from(*id)).collect::<Vec<_>>();
    let hide = LayerAct::SetVisible { nodes: nodes(&["1:7", "1:10"]), visible: false };
    let lock = LayerAct::SetLocked { nodes: nodes(&["1:3"]), locked: true };
    for act in [hide, lock] {
        editor.act(Act::Layer(act), &context).unwrap();
    }
    editor.document().clone()
}

fn tree_rect(harness: &Harness<'_, Host>) -> Rect {
    let tree = harness.get_by_label("Layers of the design").rect();
    // With its heading and the pages, and no more than the rows of these designs.
    let right = tree.right();
    Rect::from_min_max(pos2(tree.left(), tree.top() - 117.0), pos2(right, tree.top() + 300.0))
}

#[test]
fn the_tree_looks_as_it_should() {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")] {
        let mut harness = at_desk(varied(), SIZE, theme);
        // Deep, hidden and locked; the pointer rests on a row.
        select(&mut harness, &["1:9"]);
        select(&mut harness, &["1:4"]);
        let rect = row(&harness, "Card");
        harness.hover_at(rect.center());
        harness.run_steps(3);
        let area = tree_rect(&harness);
        add_look_at(&mut results, &mut harness, &format!("assist_layers_{suffix}"), area);
        // Where a dragged row would go.
        let from = row(&harness, "Ground").center();
        let header = row(&harness, "Header");
        harness.hover_at(from);
        harness.run_steps(2);
        harness.drag_at(from);
        harness.run_steps(2);
        harness.hover_at(pos2(header.center().x, header.top() + 12.0));
        harness.run_steps(2);
        harness.hover_at(pos2(header.center().x, header.top() + 2.0));
        harness.run_steps(2);
        add_look_at(&mut results, &mut harness, &format!("assist_layers_drop_{suffix}"), area);
        harness.key_press(Key::Escape);
        harness.run_steps(2);
        harness.drop_at(pos2(header.center().x, header.top() + 2.0));
        harness.run_steps(2);
        harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
        harness.run_steps(2);
        harness.get_by_role_and_label(Role::TextInput, "Search the layers").type_text("e");
        harness.run_steps(3);
        add_look_at(&mut results, &mut harness, &format!("assist_layers_search_{suffix}"), area);
    }
}
