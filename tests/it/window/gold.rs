//! A run beside its gold trajectory: the layers of both, and the gold one where it goes with the run.

use std::path::Path;

use egui::{Key, Modifiers, Rect, pos2};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};

use pentimento::label::form::builtin_form;
use pentimento::label::{Item, ItemId, ItemKind, WriterId};
use pentimento::store::labels::LabelFile;
use pentimento::workbench::{
    AnnotateCommand, Command, EvidenceCommand, Fetched, Settings, State, views,
};

use super::accessibility::assert_all_have_names;
use super::harness::add_look_at;
use super::labelling::{
    Host, THEMES, WIDE, desk, dressed, open, press, shows_pictures, state, until, window,
};
use crate::labelling::{labelled, study};

/// A window with ada at an NDEC checklist about the tracer's run, the scripted one its gold trajectory.
fn beside_gold<'a>(dir: &Path) -> Harness<'a, Host> {
    let path = dir.join("gold.labels");
    let form = builtin_form("ndec").unwrap();
    let runs = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs/runs/own-samples");
    let runs =
        ["now-playing/tracer-01", "now-playing/scripted-01"].map(|run| labelled(&runs.join(run)));
    let item = Item { runs: runs.to_vec(), ..Item::bare(ItemId("one".into()), ItemKind::Run) };
    let project = study(form, &["ada"]);
    LabelFile::create(&path, &project, std::slice::from_ref(form), &[item], WriterId(1)).unwrap();
    let mut harness = window(Settings::default(), WIDE);
    harness.input_mut().focused = false;
    open(&mut harness, &path);
    harness.get_by_label("ada").click();
    until(&mut harness, "the pictures are there", shows_pictures);
    until(&mut harness, "both are aligned", |state| aligned(state).is_some());
    assert_all_have_names(&harness, "a run beside its gold trajectory");
    harness
}

/// By run the step it is at, and the last.
fn steps(state: &State) -> [u32; 2] {
    [0, views::GOLD].map(|run| views::evidence_step(state, run).unwrap())
}

/// The step of the gold trajectory that goes with the run's.
fn aligned(state: &State) -> Option<u32> {
    let key = views::gold_alignment_key(state)?;
    let found = state.derived.alignments.ready(&key)?;
    Some(found.alignment.step_with((0, steps(state)[0]), 1))
}

fn layers_are_there(state: &State) -> bool {
    [0, views::GOLD]
        .into_iter()
        .all(|run| matches!(views::evidence_layers(state, run), Some(Fetched::Ready(_))))
}

#[test]
fn the_gold_trajectory_goes_with_the_run_until_it_is_let_go() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = beside_gold(dir.path());
    let last = views::evidence_steps(state(&harness));
    assert_eq!(steps(state(&harness)).map(Some).to_vec(), last, "both are shown at their ends");
    let mut seen = Vec::new();
    for _ in 0..last[0].unwrap().min(12) {
        press(&mut harness, Key::ArrowLeft);
        assert_eq!(Some(steps(state(&harness))[1]), aligned(state(&harness)));
        seen.push(steps(state(&harness)));
    }
    assert!(seen.is_sorted_by(|a, b| a[0] > b[0] && a[1] >= b[1]), "{seen:?}");
    // Looked at by itself, it stays there until the run moves.
    let look = EvidenceCommand::Step { run: views::GOLD, step: 1 };
    harness.state_mut().session.carry_out(Command::Annotate(AnnotateCommand::View(look)));
    harness.run_steps(2);
    assert_eq!(steps(state(&harness))[1], 1);
    press(&mut harness, Key::ArrowRight);
    assert_eq!(Some(steps(state(&harness))[1]), aligned(state(&harness)));
    // Let go, each goes by itself, from where it is.
    let before = steps(state(&harness));
    harness.key_press_modifiers(Modifiers::ALT, Key::G);
    harness.run_steps(3);
    assert!(!desk(&harness).view.gold_follows);
    assert_eq!(steps(state(&harness)), before);
    press(&mut harness, Key::ArrowLeft);
    assert_eq!(steps(state(&harness)), before.map(|step| step.saturating_sub(1)));
    harness.get_by_label("Gold trajectory follows").click();
    harness.run_steps(3);
    assert!(desk(&harness).view.gold_follows);
    assert_eq!(Some(steps(state(&harness))[1]), aligned(state(&harness)));
}

#[test]
fn the_layers_of_each_run_stand_beside_it_at_its_step() {
    let dir = tempfile::tempdir().unwrap();
    let mut harness = beside_gold(dir.path());
    until(&mut harness, "the layers are there", layers_are_there);
    harness.run_steps(3);
    harness.get_by_label_contains("Agent layers: ");
    harness.get_by_label_contains("Gold layers: ");
    let count = |harness: &Harness<'_, Host>| match views::evidence_layers(state(harness), 0) {
        Some(Fetched::Ready(layers)) => layers.rows.iter().filter(|row| !row.is_ghost).count(),
        _ => panic!("they are there"),
    };
    let at_end = count(&harness);
    let first = EvidenceCommand::Step { run: 0, step: 1 };
    harness.state_mut().session.carry_out(Command::Annotate(AnnotateCommand::View(first)));
    until(&mut harness, "the layers are there", layers_are_there);
    harness.run_steps(3);
    assert!(count(&harness) < at_end);
    harness.key_press_modifiers(Modifiers::ALT, Key::L);
    harness.run_steps(3);
    assert!(!views::shows_evidence_layers(state(&harness)));
    assert!(harness.query_by_label_contains("Gold layers").is_none());
}

/// The layers, the pictures and the filmstrips, between the bars.
#[test]
fn a_run_beside_its_gold_trajectory_looks() {
    let mut results = SnapshotResults::new();
    let dir = tempfile::tempdir().unwrap();
    let mut harness = beside_gold(dir.path());
    for _ in 0..4 {
        press(&mut harness, Key::ArrowLeft);
    }
    until(&mut harness, "all is drawn", |state| {
        layers_are_there(state) && shows_pictures(state) && state.jobs.active().next().is_none()
    });
    harness.remove_cursor();
    for (theme, suffix) in THEMES {
        dressed(&mut harness, theme);
        let left = harness.get_by_label_contains("Agent layers: ").rect();
        let right = harness.get_by_label_contains("Gold layers: ").rect();
        let films = harness.get_by_label("Gold, step 0").rect();
        let alone = Rect::from_min_max(
            pos2(left.left(), left.top() - 34.0),
            pos2(right.right(), films.bottom() + 6.0),
        );
        add_look_at(&mut results, &mut harness, &format!("gold_{suffix}"), alone);
    }
}
