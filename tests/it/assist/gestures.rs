//! Gestures as tool calls: what was recorded is replayed to the same document.

use pentimento::agent::assistant::recorded_calls;
use pentimento::base::{Affine, CancelToken, Vector};
use pentimento::design::diff::{diff, pair_by_id};
use pentimento::design::gesture::{Drag, Handle, ResizeKeys, Turning};
use pentimento::design::{Document, NodeId};
use pentimento::environment::canvas::{CanvasEnvironment, Start};
use pentimento::environment::{Environment as _, ToolCall};
use pentimento::render::TextMeasurer;
use proptest::prelude::*;

use super::{Assistant, screen, update};

/// A canvas after these calls.
fn played(assistant: &Assistant, start: &Document, calls: &[ToolCall]) -> Document {
    let start = Start::Design(start.clone());
    let mut canvas = CanvasEnvironment::new(start, assistant.canvas.clone()).unwrap();
    for call in calls {
        let outcome = canvas.call(call, &CancelToken::default());
        assert!(!outcome.is_error(), "{}: {}", call.name, outcome.text);
    }
    canvas.document().clone()
}

fn assert_replayed(assistant: &Assistant, before: &Document, after: &Document, calls: &[ToolCall]) {
    let canvas = played(assistant, before, calls);
    let differing = diff(&canvas, after, &pair_by_id(&canvas, after)).nodes;
    // The canvas calls its screen by a name of its own, and puts it at the corner of the page.
    let others: Vec<_> = differing
        .iter()
        .filter(|node| node.after.as_ref().is_none_or(|id| id.as_str() != "screen"))
        .collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn plain_gestures_have_their_tools() {
    let assistant = Assistant::new();
    let measure = TextMeasurer(&assistant.canvas.render);
    let start = screen();
    let drag = Drag::begin(&start, &["card".into(), "menu".into()]);
    let moved = drag.moved(Vector { x: 7.0, y: 5.0 }, &measure).unwrap().document;
    let calls = recorded_calls(&start, &moved, drag.nodes(), &assistant.canvas);
    assert_eq!(calls.iter().map(|call| call.name.as_str()).collect::<Vec<_>>(), ["move_node"; 2]);
    assert_replayed(&assistant, &start, &moved, &calls);

    let drag = Drag::begin(&start, &["photo".into()]);
    let by = Vector { x: 20.0, y: 10.0 };
    let handle = Handle { x: 1, y: 1 };
    let resized = drag.resized(handle, by, ResizeKeys::default(), &measure).unwrap().document;
    let calls = recorded_calls(&start, &resized, drag.nodes(), &assistant.canvas);
    assert_eq!(calls[0].name, "resize_node");
    assert_replayed(&assistant, &start, &resized, &calls);

    let turned = drag.turned(30.0, Turning::Free, &measure).unwrap().document;
    let calls = recorded_calls(&start, &turned, drag.nodes(), &assistant.canvas);
    assert_eq!(calls[0].name, "rotate_node");
    assert_replayed(&assistant, &start, &turned, &calls);
}

#[test]
fn a_change_that_no_tool_makes_has_no_calls() {
    let assistant = Assistant::new();
    let start = screen();
    let mut skewed = start.clone();
    assistant.edit(&mut skewed, |change| {
        update(change, "photo", |photo| {
            photo.transform = Affine { c: 0.3, ..photo.transform };
        });
    });
    assert_eq!(recorded_calls(&start, &skewed, &["photo".into()], &assistant.canvas), []);
    assert_eq!(recorded_calls(&start, &start, &[], &assistant.canvas), []);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Whatever a drag does, what is recorded of it leads to the same document.
    #[test]
    fn what_was_recorded_is_replayed_to_the_same_document(
        which in prop::collection::vec(0..16_usize, 1..4), how in 0..3_u8, corner in 0..4_usize,
        x in -80..80_i32, y in -80..80_i32,
    ) {
        let assistant = Assistant::new();
        let measure = TextMeasurer(&assistant.canvas.render);
        let start = screen();
        let ids: Vec<NodeId> =
            start.iter_depth_first().skip(1).map(|node| node.id.clone()).collect();
        let selection: Vec<NodeId> =
            which.iter().filter_map(|at| ids.get(at % ids.len())).cloned().collect();
        let drag = Drag::begin(&start, &selection);
        let by = Vector { x: f64::from(x), y: f64::from(y) };
        let dragged = match how {
            0 => drag.moved(by, &measure),
            1 => drag.turned(by.x, Turning::InSteps, &measure),
            _ => drag.resized(Handle::CORNERS[corner], by, ResizeKeys::default(), &measure),
        };
        if let Ok(dragged) = dragged {
            let (after, nodes) = (&dragged.document, drag.nodes());
            let calls = recorded_calls(&start, after, nodes, &assistant.canvas);
            if !calls.is_empty() {
                assert_replayed(&assistant, &start, after, &calls);
            }
            if how == 0 && !dragged.edit.is_empty() {
                prop_assert!(!calls.is_empty(), "every move has its tool");
            }
        }
    }
}
