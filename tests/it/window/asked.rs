//! A task that asks in words, where others have a ground truth.

use std::sync::Arc;

use egui_kittest::kittest::Queryable as _;

use pentimento::task::{DesignBrief, TaskKind};

use super::fixture;
use super::harness::window;

#[test]
fn what_a_task_asks_for_stands_where_a_ground_truth_would() {
    let words = "A poster of a moon on a deep purple sky, with the title at the top.";
    let mut state = fixture::full();
    let set = Arc::make_mut(&mut state.library.sets[0].set);
    let task = set.tasks.iter_mut().find(|task| task.id == "gid11-16").map(Arc::make_mut).unwrap();
    task.kind = TaskKind::Composition;
    task.ground_truth = None;
    task.brief = Some(Arc::new(DesignBrief::default()));
    words.clone_into(&mut task.instruction);
    let harness = window(state, [1280.0, 800.0]);
    assert!(harness.query_all_by_label(words).next().is_some());
    assert!(harness.query_by_label_contains("Asked for").is_some());
    assert!(harness.query_by_label("No ground truth").is_none());
}
