//! Runs with other calls: what comes of edits, and what each call brought.

mod command;
mod ends;
mod newest;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pentimento::base::{CancelToken, Pixels, Size};
use pentimento::environment::{
    Environment, EnvironmentKind, FontSource, OpenEnvironment, PictureRequest, StartState,
    ToolCall, open_environment,
};
use pentimento::evaluate::what_if::{
    Base, Branch, Looks, SaveBranch, WhatIfError, branch_manifest, save_branch, thoughts_of,
    turns_of,
};
use pentimento::evaluate::{ComparedTask, RunCanvas, Scorer, Wanted, compared_step};
use pentimento::metric::{Registry, Score};
use pentimento::run::replay::Replay;
use pentimento::run::{CallEdit, Outcome, Run, reader};
use pentimento::task::{Task, TaskFinder};
use serde_json::{Value, json};

pub(crate) fn samples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("sample_runs")
}

pub(crate) fn sample_run(name: &str) -> PathBuf {
    samples().join("runs/own-samples").join(name)
}

/// All sample runs on the canvas.
fn sample_dirs() -> Vec<PathBuf> {
    let tasks = std::fs::read_dir(samples().join("runs/own-samples")).unwrap();
    let runs = tasks.flat_map(|task| std::fs::read_dir(task.unwrap().path()).unwrap());
    let mut dirs: Vec<PathBuf> = runs.map(|run| run.unwrap().path()).collect();
    dirs.sort();
    assert!(dirs.len() > 15, "{dirs:?}");
    dirs
}

fn task_of(dir: &Path, run: &Run) -> Arc<Task> {
    let mut finder = TaskFinder::default();
    finder.search(&samples()).unwrap();
    finder.task_of(dir, &run.manifest).unwrap()
}

pub(crate) fn never() -> CancelToken {
    CancelToken::new()
}

pub(crate) fn picture(environment: &dyn Environment) -> Pixels {
    environment.picture(&PictureRequest::default()).unwrap().pixels
}

/// A blank canvas.
pub(crate) fn blank() -> StartState {
    StartState {
        environment: EnvironmentKind::Canvas,
        canvas_size: Size::new(200.0, 200.0),
        document: None,
        pictures: None,
        given: Vec::new(),
        compat: None,
        hands: pentimento::environment::canvas::HandTools::default(),
        fonts: FontSource::default(),
    }
}

pub(crate) fn insert(name: &str, arguments: Value) -> CallEdit {
    CallEdit::Insert { after: 0, name: name.to_owned(), arguments }
}

/// A run of these calls on a blank canvas, recorded and read.
pub(crate) fn recorded(dir: &Path, calls: &[(&str, Value)]) -> Run {
    let open: &OpenEnvironment = &open_environment;
    let base = Base::by_hand(blank(), open).unwrap();
    let edits: Vec<CallEdit> =
        calls.iter().map(|(name, args)| insert(name, args.clone())).collect();
    let planned = base.planned(&edits).unwrap();
    let task = pentimento::run::TaskRef { set: "s".into(), id: "t".into() };
    let agent =
        pentimento::run::AgentRef { kind: "test".into(), name: "test".into(), version: None };
    let now = "2026-01-01T00:00:00Z";
    let mut manifest = pentimento::run::Manifest::new(task, agent, now);
    manifest.canvas_size = Some(blank().canvas_size);
    let turns: Vec<u32> = (0..planned.len() as u32).collect();
    let order = SaveBranch {
        dir,
        manifest: &manifest,
        calls: &planned,
        turns: &turns,
        thoughts: &std::collections::BTreeMap::new(),
        now,
    };
    save_branch(&order, &base, open, &never()).unwrap();
    reader::open(dir).unwrap()
}

pub(crate) fn rectangle(x: f64, name: &str) -> (&'static str, Value) {
    ("create_rectangle", json!({ "x": x, "y": 10, "width": 30, "height": 30, "name": name }))
}

pub(crate) fn colour(id: &str, red: f64) -> (&'static str, Value) {
    ("set_fill_color", json!({ "nodeId": id, "r": red, "g": 0.2, "b": 0.1, "a": 1 }))
}

fn ids(run: &Run) -> Vec<String> {
    let ids = run.steps.iter().filter_map(|step| {
        let outcome = step.outcome.as_ref()?;
        Some(outcome.structured.as_ref()?.get("id")?.as_str()?.to_owned())
    });
    ids.collect()
}

#[test]
fn a_run_without_edits_is_the_run_bit_by_bit_and_score_by_score() {
    let scorer = Scorer::new(Registry::built_in(), None);
    for dir in sample_dirs() {
        let run = Arc::new(reader::open(&dir).unwrap());
        let task = task_of(&dir, &run);
        let base = Base::of_run(&run, &open_environment, &never()).unwrap();
        let mut branch = Branch::from_start(&base, &open_environment).unwrap();
        branch.run(&base.planned(&[]).unwrap(), &never(), |_, _| ()).unwrap();
        let last = run.steps.len() as u32;
        let mut canvas =
            RunCanvas::open(Arc::clone(&run), Some(Arc::clone(&task)), &open_environment).unwrap();
        for step in [0, last / 2, last] {
            let was = canvas.picture(step, 1.0, &never()).unwrap().pixels;
            let is = picture(branch.environment_at(step as usize));
            assert!(was == is, "{} step {step}", dir.display());
        }
        assert_eq!(branch.newly_failed(), [0_u32; 0]);
        for (step, made) in run.steps.iter().zip(branch.steps()) {
            assert_eq!(step.call.as_ref(), Some(&*made.call));
        }
        let compared = ComparedTask::load(&task, &open_environment).unwrap().unwrap();
        let variants = ["ssim/uniform7", "component_similarity/canvas"];
        let wanted = Wanted { variants: Some(&variants), map: None };
        let made = compared_step(&mut canvas, last, &never()).unwrap();
        let mut of_run: Vec<(String, Score)> = Vec::new();
        scorer
            .score(&compared, &made, wanted, &never(), |found| {
                of_run.extend(
                    found.into_iter().map(|it| (it.variant.id.to_string(), it.measurement.score)),
                );
            })
            .unwrap();
        let scores = pentimento::evaluate::what_if::EndScores {
            scorer: &scorer,
            task: &compared,
            variants: &variants,
        };
        let of_branch = scores.of(branch.environment_at(last as usize), &never()).unwrap();
        assert_eq!(of_run.len(), 2);
        for (variant, score) in variants.iter().zip(of_branch) {
            assert!(of_run.contains(&((*variant).to_owned(), score)), "{}", dir.display());
        }
    }
}

#[test]
fn a_node_that_is_left_out_shifts_nobody_elses() {
    let dir = tempfile::tempdir().unwrap();
    let calls = [rectangle(10.0, "A"), rectangle(50.0, "B"), rectangle(90.0, "C")];
    let [a, b, c] = ids(&recorded(&dir.path().join("one"), &calls)).try_into().unwrap();
    let calls = [&calls[..], &[colour(&a, 0.1), colour(&b, 0.5), colour(&c, 0.9)]].concat();
    let run = recorded(&dir.path().join("two"), &calls);
    let base = Base::of_run(&run, &open_environment, &never()).unwrap();
    let mut branch = Branch::new(&base, Looks::Made, &open_environment).unwrap();
    let planned = base.planned(&[CallEdit::Drop { step: 2 }]).unwrap();
    branch.run(&planned, &never(), |_, _| ()).unwrap();
    assert_eq!(branch.newly_failed(), [5], "only the colour of the node that is gone");
    // C has B's id now, and the call that colours B must not find it.
    let made: Vec<&Value> = branch.steps().iter().map(|step| &step.call.arguments).collect();
    assert_eq!(made[3]["nodeId"], json!(format!("missing:{b}")));
    assert_eq!(made[4]["nodeId"], json!(b));
    let told = &branch.steps()[3].told;
    assert!(told.text.contains("missing:"), "{}", told.text);
    // As if B had never been.
    let without = [rectangle(10.0, "A"), rectangle(90.0, "C"), colour(&a, 0.1), colour(&b, 0.9)];
    let other = recorded(&dir.path().join("three"), &without);
    let mut replay = Replay::new(Arc::new(other), &open_environment).unwrap();
    let wanted = picture(replay.environment_at(4, &never()).unwrap());
    assert!(picture(branch.environment()) == wanted);
}

#[test]
fn calls_put_in_are_named_by_their_numbers_and_moved_ones_keep_their_nodes() {
    let dir = tempfile::tempdir().unwrap();
    let calls = [rectangle(10.0, "A"), rectangle(50.0, "B")];
    let [a, b] = ids(&recorded(&dir.path().join("one"), &calls)).try_into().unwrap();
    let calls = [&calls[..], &[colour(&a, 0.1), colour(&b, 0.5)]].concat();
    let run = recorded(&dir.path().join("two"), &calls);
    let base = Base::of_run(&run, &open_environment, &never()).unwrap();
    let edits = [
        insert("create_rectangle", rectangle(120.0, "New").1),
        insert("set_fill_color", colour("+1", 0.7).1),
        insert("set_fill_color", colour("+9", 0.7).1),
        CallEdit::Move { step: 1, after: 2 },
        CallEdit::Replace { step: 4, arguments: colour(&a, 0.3).1 },
    ];
    let mut branch = Branch::new(&base, Looks::Made, &open_environment).unwrap();
    branch.run(&base.planned(&edits).unwrap(), &never(), |_, _| ()).unwrap();
    let told: Vec<bool> = branch.steps().iter().map(|step| step.told.failure.is_none()).collect();
    assert_eq!(told, [true, true, false, true, true, true, true]);
    let design = branch.environment().design().unwrap();
    let red = |name: &str| {
        let node = design.iter_depth_first().find(|node| node.name == name).unwrap();
        let pentimento::design::PaintKind::Solid(colour) = &node.fills[0].kind else { panic!() };
        (colour.r * 10.0).round() / 10.0
    };
    assert_eq!((red("New"), red("A")), (0.7, 0.3), "the edit names A by its id in the run");
    // The run that is kept of it holds ids as they are there, so that its replay leads to the same.
    let now = "2026-01-02T00:00:00Z";
    let manifest = branch_manifest(&run, edits.to_vec(), now);
    let planned = base.planned(&edits).unwrap();
    let kept = dir.path().join("kept");
    let order = SaveBranch {
        dir: &kept,
        manifest: &manifest,
        calls: &planned,
        turns: &turns_of(&base, &planned),
        thoughts: &thoughts_of(&run),
        now,
    };
    save_branch(&order, &base, &open_environment, &never()).unwrap();
    let kept = Arc::new(reader::open(&kept).unwrap());
    let parent = kept.manifest.parent.as_ref().unwrap();
    assert_eq!((parent.run.as_str(), parent.step), (run.manifest.id.as_str(), 0));
    assert_eq!(parent.edits, edits);
    assert_eq!(kept.manifest.outcome, Outcome::Completed);
    assert_eq!(kept.manifest.totals.failures, 1);
    assert_ne!(kept.manifest.agent.name, run.manifest.agent.name, "no table counts it as its own");
    let mut replay = Replay::new(Arc::clone(&kept), &open_environment).unwrap();
    let last = kept.steps.len() as u32;
    assert!(
        picture(replay.environment_at(last, &never()).unwrap()) == picture(branch.environment())
    );
    assert_eq!(replay.divergences().count(), 0);
}

#[test]
fn a_branch_that_was_stopped_goes_on_where_it_was() {
    let run = reader::open(&sample_run("quiz-progress/scripted-01")).unwrap();
    let base = Base::of_run(&run, &open_environment, &never()).unwrap();
    let planned = base.planned(&[CallEdit::Drop { step: 1 }]).unwrap();
    let mut branch = Branch::new(&base, Looks::Made, &open_environment).unwrap();
    let stop = CancelToken::new();
    let mut made = 0;
    let stopped = branch.run(&planned, &stop, |_, _| {
        made += 1;
        if made == 2 {
            stop.cancel();
        }
    });
    assert!(matches!(stopped, Err(WhatIfError::Cancelled(_))), "{stopped:?}");
    branch.run(&planned, &never(), |_, _| ()).unwrap();
    let mut whole = Branch::from_start(&base, &open_environment).unwrap();
    whole.run(&planned, &never(), |_, _| ()).unwrap();
    assert!(picture(branch.environment()) == picture(whole.environment()));
    assert_eq!(branch.steps().len(), planned.len());
}

#[test]
fn a_run_of_pictures_has_no_calls_to_edit() {
    let dir = tempfile::tempdir().unwrap();
    Pixels::filled(8, 8, [255; 4]).unwrap().save_png(&dir.path().join("1.png")).unwrap();
    let run = reader::open(dir.path()).unwrap();
    let error = Base::of_run(&run, &open_environment, &never()).unwrap_err().to_string();
    assert!(error.contains("no calls to edit"), "{error}");
}

#[test]
fn the_suite_is_branched_by_the_same_code() {
    let path = samples().join("suite/scripts/postcard.json");
    let script = pentimento::agent::scripted::read_script(&path).unwrap();
    let calls: Vec<ToolCall> = script.into_iter().flat_map(|turn| turn.calls).collect();
    let start = StartState { environment: EnvironmentKind::Suite, ..blank() };
    let base = Base::by_hand(start, &open_environment).unwrap();
    let edits: Vec<CallEdit> =
        calls.iter().map(|call| insert(&call.name, call.arguments.clone())).collect();
    let mut branch = Branch::from_start(&base, &open_environment).unwrap();
    let planned = base.planned(&edits).unwrap();
    branch.run(&planned, &never(), |_, _| ()).unwrap();
    let whole = picture(branch.environment());
    let mut played = open_environment(base.start()).unwrap();
    for call in &calls {
        played.call(call, &never());
    }
    assert!(whole == picture(&*played));
    branch.run(&planned[..planned.len() / 2], &never(), |_, _| ()).unwrap();
    branch.run(&planned, &never(), |_, _| ()).unwrap();
    assert!(whole == picture(branch.environment()), "forth and back");
}
