//! How far a labelled run is from its ground truth, laid over it where the form allows that.

use egui::accesskit::Role;
use egui::{Key, pos2};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};

use pentimento::label::form::builtin_form;
use pentimento::label::{CellKey, Form, WriterId};
use pentimento::store::labels::LabelFile;
use pentimento::workbench::{Saving, ThemeChoice, views};

use super::harness::add_look_at;
use super::labelling::{Host, WIDE, desk, press, shows_pictures, state, themed_desk, until};

/// Whether a run succeeded, with or without the heat.
fn form(has_difference: bool) -> Form {
    let mut form = builtin_form("task-success").unwrap().clone();
    form.evidence.difference = has_difference;
    form.check().unwrap();
    form
}

fn is_ready(harness: &mut Harness<'_, Host>) {
    until(harness, "the difference is there", |state| {
        let panes = views::evidence_panes(state);
        let keys: Vec<_> = panes.iter().filter_map(views::EvidenceShown::difference_key).collect();
        !keys.is_empty() && keys.iter().all(|key| state.derived.differences.ready(key).is_some())
    });
    harness.run_steps(3);
}

#[test]
fn a_form_that_says_nothing_of_a_difference_is_what_it_was_and_shows_none() {
    let plain = form(false);
    let text = serde_json::to_string(&plain).unwrap();
    assert!(!text.contains("difference"), "its hash would be another: {text}");
    let text = r#"{"difference":true}"#;
    let allowed: Form = serde_json::from_str(&serde_json::to_string(&form(true)).unwrap()).unwrap();
    assert!(serde_json::to_string(&allowed).unwrap().contains(text));
    assert_ne!(plain.hash(), allowed.hash());
    let mut question = builtin_form("question-check").unwrap().clone();
    question.evidence.difference = true;
    let fault = question.check().unwrap_err().to_string();
    assert!(fault.contains("evidence.difference"), "{fault}");
    let dir = tempfile::tempdir().unwrap();
    let mut harness = themed_desk(dir.path(), &plain, 2, (WIDE, ThemeChoice::Dark));
    until(&mut harness, "the pictures are there", shows_pictures);
    press(&mut harness, Key::E);
    assert!(!views::shows_difference(state(&harness)));
    assert!(harness.query_by_label_contains("Difference").is_none());
}

#[test]
fn where_the_form_allows_it_a_key_lays_the_difference_over_the_run_and_the_answer_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let form = form(true);
    let mut harness = themed_desk(dir.path(), &form, 2, (WIDE, ThemeChoice::Dark));
    until(&mut harness, "the pictures are there", shows_pictures);
    assert!(state(&harness).derived.differences.is_empty(), "nobody asked for it");
    press(&mut harness, Key::E);
    is_ready(&mut harness);
    harness.get_by_label("Difference of Design from the ground truth");
    // Time counts while the window has the keyboard.
    harness.input_mut().focused = true;
    harness.run_steps(30);
    let item = desk(&harness).unit().unwrap().turn.index;
    press(&mut harness, Key::Y);
    press(&mut harness, Key::Enter);
    press(&mut harness, Key::Enter);
    until(&mut harness, "it is on disk", |state| {
        state.annotate.ledger.len() == 1
            && state.annotate.desk.as_ref().is_some_and(|desk| desk.saving != Saving::GoingOn)
    });
    let file = LabelFile::open(&dir.path().join("study.labels"), WriterId(71)).unwrap();
    let item = file.items().unwrap()[item].id.clone();
    let key = CellKey { item, form: form.hash(), person: "ada".into() };
    let ledger = file.ledger().unwrap();
    let views = &ledger.answer(&key).unwrap().views;
    assert!(views.get("difference").is_some_and(|millis| *millis > 0), "{views:?}");
    // It stays for the next item, and the button takes it away.
    until(&mut harness, "the next pictures are there", shows_pictures);
    assert!(views::shows_difference(state(&harness)));
    // How long it was looked at may stand beside it, by the same name.
    harness.get_by_role_and_label(Role::Button, "Difference").click();
    harness.run_steps(3);
    assert!(!views::shows_difference(state(&harness)));
}

/// The pictures alone: what is around them is another picture's.
#[test]
fn the_difference_looks() {
    let mut results = SnapshotResults::new();
    for (theme, suffix) in super::labelling::THEMES {
        let dir = tempfile::tempdir().unwrap();
        let mut harness = themed_desk(dir.path(), &form(true), 2, (WIDE, theme));
        until(&mut harness, "the pictures are there", shows_pictures);
        // The end is as it should be.
        for _ in 0..3 {
            press(&mut harness, Key::ArrowLeft);
        }
        until(&mut harness, "the pictures are there", shows_pictures);
        press(&mut harness, Key::E);
        is_ready(&mut harness);
        harness.remove_cursor();
        harness.run_steps(3);
        let area = harness.get_by_label("Difference of Design from the ground truth").rect();
        let button = harness.get_by_role_and_label(Role::Button, "Difference").rect();
        let top = area.top().min(button.top()) - 8.0;
        let alone = egui::Rect::from_min_max(
            pos2(area.left() - 24.0, top),
            pos2((area.right() + 24.0).max(button.right() + 8.0), area.bottom() + 12.0),
        );
        add_look_at(&mut results, &mut harness, &format!("difference_{suffix}"), alone);
    }
}
