//! Single steps: their order, their words, the calls, and what becomes of them.

use pentimento::agent::assistant::{
    Freshness, GhostChange, Guide, Level, Stage, Suggestion, ghost,
};
use pentimento::base::{Affine, CancelToken, Point, Rgba, Size};
use pentimento::design::{CornerRadii, Document, Paint};
use pentimento::environment::Environment as _;
use pentimento::environment::canvas::{CanvasEnvironment, Start};
use pentimento::render::TextMeasurer;

use super::{Assistant, get, guide, screen, shape, update};

/// The steps to the goal, each taken before the next is asked for.
fn all_steps(assistant: &Assistant, guide: &mut Guide, document: &mut Document) -> Vec<Suggestion> {
    let mut steps = Vec::new();
    while let Some(step) = assistant.next(guide, document) {
        assistant.take(&step, &step.all(), document);
        guide.followed(&step, document);
        steps.push(step);
    }
    steps
}

fn color(node: &mut pentimento::design::Node, rgb: [u8; 3]) {
    let [r, g, b] = rgb;
    node.fills = vec![Paint::solid(Rgba::from_u8([r, g, b, 255]))];
}

#[test]
fn steps_come_in_the_order_of_a_designer() {
    let (assistant, goal) = (Assistant::new(), screen());
    let mut document = goal.clone();
    assistant.edit(&mut document, |change| {
        update(change, "buy", |buy| {
            buy.corner_radii = CornerRadii::uniform(8.0);
            color(buy, [200, 0, 0]);
        });
        update(change, "name", |name| {
            name.text_mut().unwrap().characters = "A bird".to_owned();
        });
        update(change, "photo", |photo| photo.transform = Affine::translate(29.0, 20.0));
        change.reparent(&"menu".into(), Some(&"card".into()), None).unwrap();
    });
    let mut guide = guide(&document, &goal);
    let steps = all_steps(&assistant, &mut guide, &mut document);
    let stages: Vec<Stage> = steps.iter().map(|step| step.stage).collect();
    let expected = [Stage::Frame, Stage::Layout, Stage::Type, Stage::Color, Stage::Detail];
    assert_eq!(stages, expected);
    let words: Vec<&str> = steps.iter().map(|step| step.words.as_str()).collect();
    let expected = [
        "Put \"menu\" into \"bar\" at X 360, Y 20",
        "X 29 → 20 on \"photo\", 20 px left of \"name\"",
        "Text → \"A red kite\" on \"name\"",
        "Fill → #1B4DFF on \"buy\"",
        "Corner radius 8 → 0 on \"buy\"",
    ];
    assert_eq!(words, expected);
    assert_eq!(steps[3].why(), "The goal has it so: the distance falls from 2 to 1.");
    let tools = steps.iter().map(|step| step.calls.first().map(|call| call.name.as_str()));
    let expected =
        ["move_node", "move_node", "set_text_content", "set_fill_color", "set_corner_radius"];
    assert_eq!(tools.collect::<Vec<_>>(), expected.map(Some));
}

#[test]
fn a_step_is_told_in_levels() {
    let (assistant, goal) = (Assistant::new(), screen());
    let mut document = goal.clone();
    assistant.edit(&mut document, |change| update(change, "buy", |buy| color(buy, [200, 0, 0])));
    let step = assistant.next(&guide(&document, &goal), &document).unwrap();
    let told = [Level::What, Level::Where, Level::Value].map(|level| step.told(level, &document));
    assert_eq!(told, ["Fill", "Fill on \"buy\"", "Fill → #1B4DFF on \"buy\""]);
}

#[test]
fn an_edge_that_will_be_in_line_is_named() {
    let (assistant, goal) = (Assistant::new(), screen());
    let mut document = goal.clone();
    assistant.edit(&mut document, |change| {
        update(change, "buy", |buy| buy.transform = Affine::translate(171.0, 140.0));
    });
    let step = assistant.next(&guide(&document, &goal), &document).unwrap();
    assert_eq!(step.words, "Align left with \"name\": X 171 → 160 on \"buy\"");
    assert_eq!(step.control, "Align left");
}

#[test]
fn the_same_value_on_several_layers_is_one_step_that_can_be_taken_in_part() {
    let (assistant, goal) = (Assistant::new(), screen());
    let mut document = goal.clone();
    assistant.edit(&mut document, |change| {
        for id in ["one", "two", "three"] {
            update(change, id, |node| color(node, [1, 2, 3]));
        }
    });
    let mut guide = guide(&document, &goal);
    let step = assistant.next(&guide, &document).unwrap();
    assert_eq!(step.words, "Fill → #E6E6E6 on \"one\", \"two\" and \"three\"");
    assert_eq!((step.hunks.len(), step.calls.len(), guide.distance(&document)), (3, 3, 3));
    assistant.take(&step, &[1], &mut document);
    guide.followed(&step, &document);
    assert_eq!(guide.distance(&document), 2);
    assert_eq!(get(&document, "two").fills, get(&goal, "two").fills);
    assert_ne!(get(&document, "one").fills, get(&goal, "one").fills);
    // What was taken is no longer part of what can be taken.
    assert_eq!(
        (step.fitting(&document), step.freshness(&document)),
        (vec![0, 2], Freshness::Stale)
    );
}

#[test]
fn a_suggestion_is_rebased_by_field_or_withdrawn() {
    let (assistant, goal) = (Assistant::new(), screen());
    let mut document = goal.clone();
    assistant.edit(&mut document, |change| update(change, "buy", |buy| color(buy, [200, 0, 0])));
    let step = assistant.next(&guide(&document, &goal), &document).unwrap();
    // Another field of the same node: the fill can be taken, and the other change stays.
    assistant.edit(&mut document, |change| update(change, "buy", |buy| buy.opacity = 0.5));
    assert_eq!(step.freshness(&document), Freshness::Fresh);
    let mut taken = document.clone();
    assistant.take(&step, &step.all(), &mut taken);
    assert_eq!(get(&taken, "buy").fills, get(&goal, "buy").fills);
    assert_eq!(get(&taken, "buy").opacity, 0.5);
    // The very field: nothing is left of it, and taking it does nothing.
    assistant.edit(&mut document, |change| update(change, "buy", |buy| color(buy, [0, 0, 9])));
    assert_eq!(step.freshness(&document), Freshness::Withdrawn);
    let before = document.clone();
    assistant.take(&step, &step.all(), &mut document);
    assert_eq!(document, before);
}

#[test]
fn taking_a_step_is_one_edit_that_is_undone_exactly() {
    let (assistant, goal) = (Assistant::new(), screen());
    let mut document = goal.clone();
    assistant.edit(&mut document, |change| {
        change.remove(&"badge".into()).unwrap();
        update(change, "row", |row| row.auto_layout.as_mut().unwrap().item_spacing = 20.0);
    });
    let mut guide = guide(&document, &goal);
    let measure = TextMeasurer(&assistant.canvas.render);
    while let Some(step) = assistant.next(&guide, &document) {
        let start = document.clone();
        let edit = step.carry_out(&mut document, &step.all(), &measure).unwrap();
        let mut undone = document.clone();
        edit.inverse().apply(&mut undone);
        assert_eq!(undone, start, "{}", step.words);
        guide.followed(&step, &document);
    }
    assert_eq!(guide.distance(&document), 0);
}

#[test]
fn auto_layout_that_is_set_places_its_children_in_the_same_step() {
    let (assistant, goal) = (Assistant::new(), screen());
    let mut document = goal.clone();
    assistant.edit(&mut document, |change| {
        update(change, "row", |row| row.auto_layout.as_mut().unwrap().item_spacing = 20.0);
    });
    let mut guide = guide(&document, &goal);
    // The gap, the width of the row, and two places.
    assert_eq!(guide.distance(&document), 1 + 2 + 2 * 2);
    let steps = all_steps(&assistant, &mut guide, &mut document);
    let words: Vec<&str> = steps.iter().map(|step| step.words.as_str()).collect();
    assert_eq!(words, ["Auto layout → horizontal, gap 8, padding 8 on \"row\""]);
}

#[test]
fn a_node_made_by_hand_stands_for_the_one_that_is_missing() {
    let (assistant, goal) = (Assistant::new(), screen());
    let mut document = goal.clone();
    assistant.edit(&mut document, |change| change.remove(&"buy".into()).unwrap());
    let mut guide = guide(&document, &goal);
    let step = assistant.next(&guide, &document).unwrap();
    assert_eq!(step.words, "Add rectangle \"buy\", 120 × 40, at X 160, Y 140 in \"card\"");
    assert_eq!(guide.distance(&document), 3);
    // Not quite there, and in another colour.
    let mut by_hand = shape("by hand", "card", [161.0, 140.0, 120.0, 40.0], [20, 70, 250]);
    assistant.edit(&mut document, |change| {
        by_hand.parent = None;
        change.insert(by_hand, Some(&"card".into()), None).unwrap();
    });
    guide.changed(&document);
    let steps = all_steps(&assistant, &mut guide, &mut document);
    assert_eq!(guide.distance(&document), 0);
    assert!(document.get(&"by hand".into()).is_some(), "{:?}", steps.len());
    assert!(steps.iter().all(|step| step.words.contains("by hand")));
}

#[test]
fn the_calls_make_a_missing_layer_on_the_canvas() {
    let (assistant, goal) = (Assistant::new(), screen());
    let mut document = goal.clone();
    assistant.edit(&mut document, |change| change.remove(&"buy".into()).unwrap());
    let step = assistant.next(&guide(&document, &goal), &document).unwrap();
    assert_eq!(step.calls[0].name, "create_rectangle");
    let start = Start::Design(document.clone());
    let mut canvas = CanvasEnvironment::new(start, assistant.canvas.clone()).unwrap();
    for call in &step.calls {
        let outcome = canvas.call(call, &CancelToken::default());
        assert!(!outcome.is_error(), "{}", outcome.text);
    }
    let made = canvas.document();
    let id = made.children_of(Some(&"card".into())).last().unwrap().clone();
    let (made, wanted) = (get(made, id.as_str()), get(&goal, "buy"));
    assert_eq!(
        (made.transform, made.size, &made.fills),
        (wanted.transform, wanted.size, &wanted.fills)
    );
}

#[test]
fn a_ghost_outlines_what_would_be_added_removed_and_changed() {
    let (assistant, goal) = (Assistant::new(), screen());
    let measure = TextMeasurer(&assistant.canvas.render);
    let mut document = goal.clone();
    assistant.edit(&mut document, |change| {
        update(change, "photo", |photo| photo.transform = Affine::translate(29.0, 30.0));
    });
    let step = assistant.next(&guide(&document, &goal), &document).unwrap();
    let seen = ghost(&document, &step, &step.all(), &measure).unwrap();
    let [photo] = seen.nodes.as_slice() else { panic!("{:?}", seen.nodes) };
    assert_eq!((photo.id.as_str(), photo.change), ("photo", GhostChange::Changed));
    // The card is at (120, 130) on the page.
    assert_eq!(photo.before.unwrap()[0], Point::new(149.0, 160.0));
    assert_eq!(photo.after.unwrap()[2], Point::new(260.0, 310.0));
    assert_eq!(get(&seen.after, "photo").transform, get(&goal, "photo").transform);
    // Nothing happened to the document itself.
    assert_eq!(get(&document, "photo").transform, Affine::translate(29.0, 30.0));

    let mut emptier = goal.clone();
    assistant.edit(&mut emptier, |change| change.remove(&"card".into()).unwrap());
    let removal = assistant.next(&guide(&goal, &emptier), &goal).unwrap();
    assert_eq!(removal.words, "Delete \"card\"");
    let seen = ghost(&goal, &removal, &removal.all(), &measure).unwrap();
    let ids: Vec<&str> = seen.nodes.iter().map(|node| node.id.as_str()).collect();
    assert_eq!(ids, ["card", "photo", "name", "buy"]);
    assert!(
        seen.nodes.iter().all(|node| node.change == GhostChange::Removed && node.after.is_none())
    );
}

#[test]
fn what_is_near_to_the_last_step_comes_before_what_is_far() {
    let (assistant, goal) = (Assistant::new(), screen());
    let mut document = goal.clone();
    assistant.edit(&mut document, |change| {
        for id in ["one", "three", "menu"] {
            let node = change.document().get(&id.into()).unwrap().clone();
            // All of one area, none of one value.
            let radius = node.transform.e / 10.0 + 1.0;
            update(change, id, |node| {
                node.size = Size::new(40.0, 40.0);
                node.corner_radii = CornerRadii::uniform(radius);
            });
        }
    });
    let mut target = document.clone();
    assistant.edit(&mut target, |change| {
        for (id, radius) in [("one", 11.0), ("three", 13.0), ("menu", 15.0)] {
            update(change, id, |node| node.corner_radii = CornerRadii::uniform(radius));
        }
    });
    let mut guide = guide(&document, &target);
    let steps = all_steps(&assistant, &mut guide, &mut document);
    let nodes: Vec<&str> = steps.iter().map(|step| step.hunks[0].node.as_str()).collect();
    // All alike, the first in paint order; then the farther of the other two comes last.
    assert_eq!(nodes, ["menu", "three", "one"]);
}

#[test]
fn the_same_design_and_goal_give_the_same_steps() {
    let (assistant, goal) = (Assistant::new(), screen());
    let mut document = goal.clone();
    assistant.edit(&mut document, |change| {
        change.remove(&"bar".into()).unwrap();
        update(change, "buy", |buy| buy.size = Size::new(90.0, 30.0));
    });
    let [one, other] = [(); 2].map(|()| {
        let (mut document, mut guide) = (document.clone(), guide(&document, &goal));
        all_steps(&assistant, &mut guide, &mut document)
    });
    assert_eq!(one, other);
}
