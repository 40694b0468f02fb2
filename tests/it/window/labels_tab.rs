//! What people who label said of a run, in the inspector.

use std::path::Path;

use egui::{Key, Modifiers, Rect, pos2};
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, SnapshotResults};
use serde_json::{Value, json};

use pentimento::label::{Item, ItemKind, WriterId};
use pentimento::store::labels::LabelFile;
use pentimento::workbench::{
    AnnotateCommand, Command, InspectorTab, Settings, ThemeChoice, Workspace, views,
};

use super::accessibility::assert_all_have_names;
use super::harness::add_look_at;
use super::labelling::{Host, THEMES, dressed, is_listed, open, state, until, window};
use crate::first_study::{copied, label};

/// As high as everything that is said.
const TALL: [f32; 2] = [1440.0, 1500.0];
pub(super) const RUN: &str = "runs/own-samples/now-playing/scripted-01";

fn items(dir: &Path) -> Vec<Item> {
    LabelFile::open(&dir.join("said.labels"), WriterId(4)).unwrap().items().unwrap()
}

/// The samples with a project of the runs of a task, by four forms.
pub(super) fn made(is_blind: bool) -> tempfile::TempDir {
    let dir = copied();
    let mut line = vec!["new", "said.labels", "runs/own-samples/now-playing", "--tasks", "."];
    for form in ["plan-errors", "canvas-errors", "likert", "pairwise-preference"] {
        line.extend(["--form", form]);
    }
    for person in ["ada", "bo", "cem"] {
        line.extend(["--person", person]);
    }
    line.extend((!is_blind).then_some("--not-blind"));
    label(dir.path(), &line);
    dir
}

/// What three people said of the run.
pub(super) fn answer(dir: &Path) {
    let items = items(dir);
    let of = |kind: ItemKind, step: Option<u32>| {
        let mut found = items.iter().filter(|it| it.kind == kind && it.step == step);
        found.find(|it| kind == ItemKind::Pair || it.runs[0].path == RUN).unwrap()
    };
    // Which of the pair it is follows from the files' order.
    let pair = of(ItemKind::Pair, None);
    let [this, other] =
        if pair.runs[0].path == RUN { ["first", "second"] } else { ["second", "first"] };
    let run = &of(ItemKind::Run, None).id.0;
    let mark = |option: &str, place: Value, severity: u32, note: &str| json!({"option": option, "place": place, "severity": severity, "note": note});
    let corner = json!({"step": 4, "region": [197.0, 156.0, 104.0, 104.0]});
    let ada = [
        mark("layout_displacement", corner, 2, "Too far to the right"),
        mark("text_overflow", json!({"step": 5, "node": "1:5"}), 1, ""),
    ];
    let bo = [mark("layout_displacement", json!({"step": 4, "node": "1:4"}), 3, "")];
    let step = |at: u32| of(ItemKind::Step, Some(at)).id.0.as_str();
    let rows = [
        json!({"person": "ada", "item": run, "form": "canvas-errors", "has_errors": "yes", "errors": ada}),
        json!({"person": "bo", "item": run, "form": "canvas-errors", "has_errors": "yes", "errors": bo}),
        json!({"person": "cem", "item": run, "form": "canvas-errors", "has_errors": "no",
            "note": "Looks fine to me."}),
        json!({"person": "ada", "item": run, "form": "likert", "rating": 4}),
        json!({"person": "bo", "item": run, "form": "likert", "rating": 2,
            "reason": "The player's controls are missing."}),
        json!({"person": "ada", "item": pair.id.0, "form": "pairwise-preference", "preference": this}),
        json!({"person": "bo", "item": pair.id.0, "form": "pairwise-preference", "preference": this}),
        json!({"person": "cem", "item": pair.id.0, "form": "pairwise-preference", "preference": other}),
        json!({"person": "ada", "item": step(4), "form": "plan-errors", "errors": "inconsistency"}),
        json!({"person": "bo", "item": step(4), "form": "plan-errors", "errors": "inconsistency"}),
        json!({"person": "cem", "item": step(4), "form": "plan-errors", "errors": "none"}),
        json!({"person": "ada", "item": step(6), "form": "plan-errors", "errors": "dependency_local"}),
    ];
    let rows = rows.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    std::fs::write(dir.join("said.jsonl"), rows).unwrap();
    label(dir, &["import", "said.labels", "said.jsonl"]);
    label(
        dir,
        &[
            "settle",
            "said.labels",
            "--item",
            run,
            "--question",
            "rating",
            "--value",
            "3",
            "--as",
            "lead",
            "--form",
            "likert",
            "--note",
            "Half of it is there.",
        ],
    );
}

pub(super) fn send(harness: &mut Harness<'_, Host>, command: Command) {
    harness.state_mut().session.carry_out(command);
}

/// A window with the run on the stage, at its fourth step.
pub(super) fn shown(dir: &Path, theme: ThemeChoice) -> Harness<'static, Host> {
    let mut harness = window(Settings { theme, ..Settings::default() }, TALL);
    open(&mut harness, &dir.join("said.labels"));
    send(&mut harness, Command::Open(vec![dir.to_path_buf()]));
    let wanted = dir.join(RUN);
    until(&mut harness, "the library is listed", |state| {
        is_listed(state) && state.library.runs.values().any(|run| run.dir == wanted)
    });
    let mut runs = state(&harness).library.runs.iter();
    let run = *runs.find(|(_, run)| run.dir == wanted).unwrap().0;
    send(&mut harness, Command::Annotate(AnnotateCommand::Show(Workspace::Inspect)));
    send(&mut harness, Command::SelectRun(run));
    until(&mut harness, "the run is read", |state| state.last_step() > 5);
    send(
        &mut harness,
        Command::GoToPlace(pentimento::label::Place {
            step: Some(4),
            ..pentimento::label::Place::default()
        }),
    );
    harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::ALT), Key::L);
    harness.run_steps(3);
    assert_eq!(state(&harness).inspector_tab(), InspectorTab::Labels);
    harness
}

#[test]
fn what_people_said_of_a_run_is_in_the_inspector_and_leads_to_where_it_is() {
    let dir = made(false);
    let mut harness = shown(dir.path(), ThemeChoice::Dark);
    harness.get_by_label("No labels yet");
    answer(dir.path());
    until(&mut harness, "what was answered elsewhere is heard of", |state| {
        matches!(views::labels_of_run(state), Some(views::LabelsOfRun::Said(said))
            if state.annotate.ledger.len() == 13 && said.of_run.len() == 3 && said.of_step.len() == 1 && said.steps.len() == 4)
    });
    harness.run_steps(3);
    assert_all_have_names(&harness, "labels of a run");
    for words in [
        "This run",
        "2 of 3, majority",
        "The other run: cem",
        "0 of 2, adjudicated",
        "Half of it is there.",
        "The player's controls are missing.",
        "Looks fine to me.",
    ] {
        assert!(harness.query_all_by_label(words).next().is_some(), "{words}");
    }
    harness.get_by_label("step 5 · node 1:5").click();
    harness.run_steps(3);
    assert_eq!(state(&harness).selection.step, 5);
    let selected = state(&harness).nodes.selected.as_ref().unwrap();
    assert_eq!(selected.id.as_str(), "1:5");
    assert!(harness.query_by_label("Region that somebody showed").is_none());
    harness.get_by_label("step 4 · 104 × 104 at 197, 156").click();
    until(&mut harness, "the step's picture is there", |state| {
        state.selection.step == 4 && state.jobs.active().next().is_none()
    });
    harness.run_steps(3);
    harness.get_by_label("Region that somebody showed");
    // A step of those in which something was found.
    harness.get_by_label_contains("Go to step 6:").click();
    harness.run_steps(3);
    assert_eq!(state(&harness).selection.step, 6);
    assert!(harness.query_by_label("Region that somebody showed").is_none(), "it is at step 4");
}

#[test]
fn nothing_of_it_shows_while_somebody_labels_blind() {
    let dir = made(true);
    answer(dir.path());
    let mut harness = shown(dir.path(), ThemeChoice::Dark);
    // Nobody labels just now: what was said is there, and not who said it, nor who made the other run.
    assert!(harness.query_all_by_label("2 of 3, majority").next().is_some());
    for name in ["cem", "ada", "tracer"] {
        let Some(views::LabelsOfRun::Said(said)) = views::labels_of_run(state(&harness)) else {
            panic!("it is shown")
        };
        let name = format!("{name:?}");
        assert!(!format!("{:?}", (said.of_run, said.of_step)).contains(&name), "{name}");
    }
    send(&mut harness, Command::Annotate(AnnotateCommand::SitDown("ada".to_owned())));
    harness.run_steps(3);
    send(&mut harness, Command::Annotate(AnnotateCommand::Show(Workspace::Inspect)));
    harness.run_steps(3);
    harness.get_by_label("Labels are hidden");
    assert!(harness.query_by_label("2 of 3, majority").is_none());
    assert!(harness.query_by_label("Looks fine to me.").is_none());
    send(&mut harness, Command::Annotate(AnnotateCommand::GetUp));
    harness.run_steps(3);
    assert!(harness.query_by_label("Labels are hidden").is_none());
    // Another run is none of the project's.
    let other = state(&harness).library.runs.iter().find(|(_, run)| run.task.id == "basket");
    let other = *other.unwrap().0;
    send(&mut harness, Command::SelectRun(other));
    harness.run_steps(3);
    harness.get_by_label("Not in this project");
}

#[test]
fn the_labels_of_a_run_look() {
    let mut results = SnapshotResults::new();
    let dir = made(false);
    answer(dir.path());
    let mut harness = shown(dir.path(), ThemeChoice::Dark);
    until(&mut harness, "all is drawn", |state| state.jobs.active().next().is_none());
    harness.remove_cursor();
    for (theme, suffix) in THEMES {
        dressed(&mut harness, theme);
        let tab = harness.get_by_label("Inspect the labels").rect();
        let last = harness.get_by_label_contains("Go to step 6:").rect();
        let alone = Rect::from_min_max(
            pos2(last.left() - 14.0, tab.top() - 6.0),
            pos2(TALL[0], last.bottom() + 10.0),
        );
        add_look_at(&mut results, &mut harness, &format!("labels_of_run_{suffix}"), alone);
    }
}
