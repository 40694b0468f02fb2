//! The checks of an edit in the window: verdicts, their numbers, the steps at which they pass.

use std::sync::Arc;

use egui_kittest::kittest::Queryable as _;

use pentimento::metric::transformation::{Axis, Bounds, Check, Checks, Verdict};
use pentimento::workbench::{EditCheckKey, Fetched, State};

use super::fixture::{self, RUN};
use super::harness::{Part, looks, window};

const DESKTOP: [f32; 2] = [1440.0, 900.0];

fn verdict(check: &'static str, measured: f64, wanted: Bounds, what: &str) -> Verdict {
    let passed = wanted.contain(measured);
    let why = format!("{what}: {measured:.4}, wanted {wanted}");
    Verdict { check, passed, measured: Some(measured), wanted, why }
}

/// A run whose task has three checks: one came to pass, one ceased to, one cannot.
fn checked() -> State {
    let mut state = fixture::full();
    let set = Arc::make_mut(&mut state.library.sets[0].set);
    let task = set.tasks.iter_mut().find(|task| task.id == "gid11-16").map(Arc::make_mut).unwrap();
    let checks = vec![
        Check::Flip { axis: Axis::Horizontal, tolerance: 0.2 },
        Check::Unchanged { difference: 1.0, region: None, except: None },
        Check::Resize { width: 640, height: 480, tolerance: 0.2 },
    ];
    task.checks = Some(Checks::new(checks).unwrap());
    let likeness = "likeness to the flipped picture";
    for step in 0..=20 {
        let flip = 0.31 + 0.04 * f64::from(step);
        let verdicts = vec![
            verdict("flip", flip, Bounds::at_least(0.8), likeness),
            verdict("unchanged", f64::from(step) * 0.1, Bounds::at_most(1.0), "mean ΔE2000"),
            Verdict {
                check: "resize",
                passed: false,
                measured: None,
                wanted: Bounds::at_least(0.8),
                why: "the picture is 393 × 852, wanted 640 × 480".to_owned(),
            },
        ];
        let key = EditCheckKey { run: RUN, step };
        state.derived.edit_checks.insert(key, Fetched::Ready(Arc::new(verdicts)));
    }
    state
}

#[test]
fn the_checks_of_an_edit_beside_the_stage() {
    let mut state = checked();
    // Without the section above it, which has a look of its own.
    for task in &mut Arc::make_mut(&mut state.library.sets[0].set).tasks {
        Arc::make_mut(task).ground_truth = None;
    }
    looks("checks_1440", &state, DESKTOP, Part::Inspector);
}

#[test]
fn a_click_on_the_strip_of_a_check_goes_to_the_step() {
    let mut harness = window(checked(), DESKTOP);
    harness.run_ok();
    let strip = harness.get_by_label_contains("flip: passes at steps 13 to 20");
    strip.scroll_to_me();
    harness.run_ok();
    let rect = harness.get_by_label_contains("flip: passes at steps 13 to 20").rect();
    let at = egui::pos2(rect.left() + rect.width() * 0.1, rect.center().y);
    harness.hover_at(at);
    harness.run_ok();
    harness.drag_at(at);
    harness.drop_at(at);
    harness.run_ok();
    let step = harness.state().state.selection.step;
    assert!((1..=4).contains(&step), "{step}");
    assert!(harness.query_by_label_contains("1 of 3 passed").is_some());
}
