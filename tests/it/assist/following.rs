//! Following the assistant always ends, at the goal.

use std::path::Path;

use pentimento::agent::assistant::{Guide, Suggestion};
use pentimento::base::{Affine, CancelToken, Rgba, Size};
use pentimento::design::diff::{diff, pair_by_id};
use pentimento::design::edit::Transaction;
use pentimento::design::{
    CornerRadii, Document, Effect, EffectKind, Node, NodeId, NodeKind, Paint, figma,
};
use pentimento::environment::Environment as _;
use pentimento::environment::canvas::{CanvasEnvironment, Start};
use pentimento::render::TextMeasurer;
use proptest::prelude::*;

use super::{Assistant, get, guide, screen, shape, update};

/// One edit of somebody who does not know what is wanted: what, of which node, with which other node and
/// by how much.
type Edit = (u8, usize, usize, i8);

/// Nodes of the screen but the screen, in paint order.
fn nodes(document: &Document) -> Vec<NodeId> {
    let nodes = document.iter_depth_first().skip(1);
    nodes.map(|node| node.id.clone()).collect()
}

/// Makes an edit, if the document takes it.
fn mutate(change: &mut Transaction<'_>, (what, which, other, by): Edit) {
    let ids = nodes(change.document());
    if ids.is_empty() {
        return;
    }
    let (id, other) = (&ids[which % ids.len()], &ids[other % ids.len()]);
    let by = f64::from(by);
    let grey = Rgba::new(by.abs() / 128.0, 0.5, 0.5, 1.0);
    // Refusals (a node put into itself, a size below nothing) are part of it.
    let refused = match what {
        0 => change.update(id, |node| node.transform.e += by),
        1 => change.update(id, |node| node.transform.f += by),
        2 => {
            let size = change.document().get(id).map(|node| node.size).unwrap_or_default();
            change.resize(id, Size::new(size.width + by, size.height + by / 2.0))
        }
        3 => change.update(id, |node| node.fills = vec![Paint::solid(grey)]),
        4 => change.update(id, |node| node.opacity = by.abs() / 128.0),
        5 => change.update(id, |node| {
            if let Some(text) = node.text_mut() {
                text.characters = format!("Some {by} other words");
            }
        }),
        6 => change.update(id, |node| {
            if let Some(text) = node.text_mut() {
                text.style.font_size = 8.0 + by.abs() / 4.0;
            }
        }),
        7 => change.update(id, |node| node.corner_radii = CornerRadii::uniform(by.abs())),
        8 => change.reparent(id, Some(other), None),
        9 => {
            change.reparent(id, None, None).and_then(|()| change.reparent(id, Some(other), Some(0)))
        }
        10 => {
            let parent = change.document().get(id).and_then(|node| node.parent.clone());
            change.reparent(id, parent.as_ref(), Some(0))
        }
        11 => change.remove(id),
        12 => change.duplicate(id).map(|_| ()),
        13 => change.update(id, |node| {
            let turn = Affine::rotate(by / 40.0);
            let (e, f) = (node.transform.e, node.transform.f);
            node.transform = Affine { e, f, ..turn };
        }),
        14 => {
            let shape = shape("x", "x", [by, by, 30.0, 30.0], [9, 9, 9]);
            let id = change.new_id();
            change.insert(Node { id, parent: None, ..shape }, Some(other), None)
        }
        15 => change.update(id, |node| node.visible = !node.visible),
        16 => change.update(id, |node| {
            node.stroke.paints = vec![Paint::solid(grey)];
            node.stroke.weight = by.abs() / 8.0;
        }),
        17 => change.update(id, |node| {
            node.effects =
                vec![Effect { kind: EffectKind::LayerBlur { radius: by.abs() }, visible: true }];
        }),
        18 => change.update(id, |node| {
            if let Some(layout) = &mut node.auto_layout {
                layout.item_spacing += by;
            }
        }),
        _ => change.update(id, |node| node.name = format!("Layer {by}")),
    };
    drop(refused);
}

fn mutated(assistant: &Assistant, goal: &Document, edits: &[Edit]) -> Document {
    let mut document = goal.clone();
    for edit in edits {
        assistant.edit(&mut document, |change| mutate(change, *edit));
    }
    document
}

/// Follows the guide to the end, and checks every step on the way.
fn follow(assistant: &Assistant, guide: &mut Guide, document: &mut Document) -> usize {
    let mut steps = 0;
    loop {
        let before = guide.distance(document);
        let step = assistant.next(guide, document);
        assert_eq!(step.is_none(), before == 0, "distance {before}: {step:?}");
        let Some(step) = step else { return steps };
        let words = step.words.split_whitespace().count();
        assert!((1..=25).contains(&words), "{words} words: {}", step.words);
        let start = document.clone();
        check_saved(assistant, &step, &start);
        assistant.take(&step, &step.all(), document);
        let adds = step.hunks.iter().any(|hunk| hunk.was().is_none());
        if !adds && !step.calls.is_empty() {
            check_calls(assistant, guide, &start, document, &step.calls);
        }
        guide.followed(&step, document);
        assert!(guide.distance(document) < before, "{} from {before}", step.words);
        steps += 1;
    }
}

/// Read back from a file it does the same, and is told in the same words.
fn check_saved(assistant: &Assistant, step: &Suggestion, document: &Document) {
    let measure = TextMeasurer(&assistant.canvas.render);
    let json = step.to_json(document, &measure);
    let json = json.unwrap_or_else(|| panic!("not saved: {} {:?}", step.words, step.hunks));
    let json = serde_json::from_str(&json.to_string()).unwrap();
    let (design, read) = Suggestion::from_json(json, &measure).unwrap();
    assert_eq!(design.len(), document.len());
    let Suggestion { stage, control, words, calls, reason, .. } = &read;
    assert_eq!((*stage, *control, words), (step.stage, step.control, &step.words));
    assert_eq!((calls, reason), (&step.calls, &step.reason));
    for hunk in 0..step.hunks.len() {
        let [one, other] =
            [step, &read].map(|step| step.carried_out(document, &[hunk], &measure).ok());
        assert_eq!(one.is_some(), other.is_some(), "{} {hunk}", step.words);
        let Some((one, other)) = one.zip(other) else { continue };
        let differing = diff(&one, &other, &pair_by_id(&one, &other)).nodes;
        assert!(differing.is_empty(), "{} {hunk}: {differing:?}", step.words);
    }
}

/// The calls bring a canvas as much nearer to the goal as the step does the design.
fn check_calls(
    assistant: &Assistant,
    guide: &Guide,
    start: &Document,
    after: &Document,
    calls: &[pentimento::environment::ToolCall],
) {
    let opened = Start::Design(start.clone());
    let mut canvas = CanvasEnvironment::new(opened, assistant.canvas.clone()).unwrap();
    // What lies beside the screen is not on the canvas, so that distances are compared by their fall.
    let before = guide.distance(canvas.document());
    for call in calls {
        let outcome = canvas.call(call, &CancelToken::default());
        assert!(!outcome.is_error(), "{}: {}", call.name, outcome.text);
    }
    let fall = before - guide.distance(canvas.document());
    assert_eq!(fall, guide.distance(start) - guide.distance(after), "{calls:?}");
}

/// Whether two screens look the same node by node, by a comparison of its own: names, ids and what the
/// files said apart.
fn assert_alike(one: &Document, other: &Document) {
    let [a, b] = [one, other].map(|document| {
        let screen = document.main_frame().unwrap();
        document.subtree(&screen.id).cloned().collect::<Vec<_>>()
    });
    assert_eq!(a.len(), b.len());
    for (at, (a, b)) in a.iter().zip(&b).enumerate() {
        assert_eq!(a.children.len(), b.children.len());
        assert_eq!(plain(a, at == 0), plain(b, at == 0));
    }
}

/// A node without what does not count, its lengths to a hundredth.
fn plain(node: &Node, is_screen: bool) -> Node {
    // In whole hundredths, shifted so that what lies on the border is not torn apart by dust.
    let round = |value: f64| (value * 100.0 + 0.37).floor() / 100.0;
    let mut plain = Node::new("".into(), "", node.kind.clone());
    let t = node.transform;
    let t = Affine {
        e: round(t.e),
        f: round(t.f),
        a: round(t.a),
        b: round(t.b),
        c: round(t.c),
        d: round(t.d),
    };
    plain.transform = if is_screen { Affine::IDENTITY } else { t };
    plain.size = Size::new(round(node.size.width), round(node.size.height));
    (plain.visible, plain.opacity) = (node.visible, node.opacity);
    (plain.fills, plain.effects) = (node.fills.clone(), node.effects.clone());
    if !node.stroke.paints.is_empty() {
        plain.stroke = node.stroke.clone();
    }
    (plain.corner_radii, plain.clips_content) = (node.corner_radii, node.clips_content);
    plain.auto_layout.clone_from(&node.auto_layout);
    if let Some(text) = plain.text_mut() {
        text.style.font_style = None;
    }
    plain
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn every_mutation_of_thirty_edits_is_healed(
        edits in prop::collection::vec((0..20_u8, 0..40_usize, 0..40_usize, -60..60_i8), 1..=30),
    ) {
        let (assistant, goal) = (Assistant::new(), screen());
        let mut document = mutated(&assistant, &goal, &edits);
        let mut guide = guide(&document, &goal);
        follow(&assistant, &mut guide, &mut document);
        assert_alike(&document, &goal);
    }

    #[test]
    fn there_is_a_step_as_long_as_something_differs(
        edit in (0..19_u8, 0..40_usize, 0..40_usize, 1..60_i8),
    ) {
        let (assistant, goal) = (Assistant::new(), screen());
        prop_assert_eq!(guide(&goal, &goal).distance(&goal), 0);
        let document = mutated(&assistant, &goal, &[edit]);
        let guide = guide(&document, &goal);
        let distance = guide.distance(&document);
        prop_assert_eq!(distance == 0, assistant.next(&guide, &document).is_none());
        // What is at no distance looks the same; what is the same is at no distance.
        if distance == 0 {
            assert_alike(&document, &goal);
        }
        prop_assert!(document != goal || distance == 0);
    }
}

#[test]
fn a_design_is_built_from_an_empty_screen() {
    let (assistant, goal) = (Assistant::new(), screen());
    let mut document = goal.clone();
    assistant.edit(&mut document, |change| {
        for id in nodes(change.document()) {
            // Those that went with their parent are gone already.
            change.remove(&id).ok();
        }
    });
    assert_eq!(document.len(), 1);
    let mut guide = guide(&document, &goal);
    let steps = follow(&assistant, &mut guide, &mut document);
    assert_alike(&document, &goal);
    // The group comes as one, all else node by node.
    assert_eq!(steps, 12);
    assert_eq!(get(&document, "dash").parent, Some("inner".into()));
}

#[test]
fn the_samples_edits_are_found_whole() {
    let assistant = Assistant::new();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs/modification");
    for name in ["quiz-progress", "recipe-tip", "timer-shape", "wallet-colors"] {
        let [mut document, goal] = ["base", "target"].map(|side| {
            let json = std::fs::read(samples.join(format!("{name}-{side}.json"))).unwrap();
            figma::from_json(serde_json::from_slice(&json).unwrap()).unwrap().document
        });
        let mut guide = guide(&document, &goal);
        assert!(guide.distance(&document) > 0, "{name}");
        let measure = TextMeasurer(&assistant.canvas.render);
        let planned = guide.least_steps(&document, &measure, &CancelToken::default()).unwrap();
        let steps = follow(&assistant, &mut guide, &mut document);
        assert_eq!(planned, u32::try_from(steps).ok(), "{name}: the plan is as long as it is");
        assert_eq!(super::guide(&document, &goal).distance(&document), 0, "{name}, looked at anew");
    }
}

#[test]
fn a_group_that_was_taken_apart_is_put_together() {
    let (assistant, goal) = (Assistant::new(), screen());
    let mut document = goal.clone();
    assistant.edit(&mut document, |change| {
        for id in ["plate", "inner"] {
            change.reparent(&id.into(), Some(&"screen".into()), None).unwrap();
        }
    });
    assert!(document.get(&"badge".into()).is_none(), "an empty group goes");
    let mut guide = guide(&document, &goal);
    let step = assistant.next(&guide, &document).unwrap();
    assert_eq!(step.words, "Group \"plate\" and \"inner\" as \"badge\"");
    // Into a group that is not made nothing can go.
    let mut only = document.clone();
    assistant.take(&step, &[1], &mut only);
    assert_eq!(only, document);
    assert_eq!(follow(&assistant, &mut guide, &mut document), 1);
    assert_alike(&document, &goal);
    assert_eq!(get(&document, "badge").kind, NodeKind::Group);
}

#[test]
fn what_was_paired_when_it_was_made_is_the_same_wherever_it_is_moved() {
    let (assistant, goal) = (Assistant::new(), screen());
    let mut document = goal.clone();
    assistant.edit(&mut document, |change| change.remove(&"buy".into()).unwrap());
    let mut guide = guide(&document, &goal);
    let made = shape("made", "card", [160.0, 140.0, 120.0, 40.0], [27, 77, 255]);
    let made = Node { parent: None, ..made };
    assistant.edit(&mut document, |change| {
        change.insert(made, Some(&"card".into()), None).unwrap();
    });
    guide.changed(&document);
    assert_eq!(guide.distance(&document), 0);
    assistant.edit(&mut document, |change| {
        update(change, "made", |made| made.transform = Affine::translate(0.0, 0.0));
    });
    // By what it is now it is nothing of the goal's: it lies elsewhere and has another name.
    assert_eq!(super::guide(&document, &goal).distance(&document), 6);
    guide.changed(&document);
    assert_eq!(guide.distance(&document), 2);
    assert_eq!(follow(&assistant, &mut guide, &mut document), 1);
    assert_eq!(get(&document, "made").transform, Affine::translate(160.0, 140.0));
}
