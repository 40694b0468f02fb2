//! Planners on the design suite: plans that are carried out, step by step.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use pentimento::agent::PictureSource;
use pentimento::agent::models::ModelEntry;
use pentimento::agent::planner::RulePlanner;
use pentimento::agent::providers::{ProviderKind, ProviderSettings};
use pentimento::agent::runner::{Attempt, NoObserver, RunLimits, run_task};
use pentimento::base::{CancelToken, Pixels, Size};
use pentimento::environment::{EnvironmentKind, PictureRequest, open_environment};
use pentimento::metric::constraint::{Aspect, Findings, Page, Query, Verdict, check};
use pentimento::run::recorder::Durability;
use pentimento::run::replay::Replay;
use pentimento::run::{Manifest, Outcome, Run, Step, reader};
use pentimento::task::{self, Task};
use serde_json::{Map, Value, json};

use crate::meaning::server::{Server, says};
use crate::shared;

/// The run of the rule planner on a task.
fn planned(task: &Task, dir: &Path) -> (Manifest, Arc<Run>) {
    let attempt = Attempt {
        set: "graphicbench-test",
        task,
        limits: RunLimits { max_turns: 100, ..RunLimits::default() },
        settings: Map::new(),
        dir,
        open_environment: &open_environment,
        pictures: &PictureSource::Nowhere,
        durability: Durability::NoFsync,
        cpu: &pentimento::agent::CpuPool::default(),
    };
    let mut agent = RulePlanner::new();
    let manifest = run_task(&attempt, &mut agent, &CancelToken::new(), &mut NoObserver).unwrap();
    (manifest, Arc::new(reader::open(dir).unwrap()))
}

/// What the query's components say of the page at the end.
fn findings(task: &Task, run: &Arc<Run>) -> Findings {
    let mut replay = Replay::new(Arc::clone(run), &open_environment).unwrap();
    let last = u32::try_from(run.steps.len()).unwrap();
    let environment = replay.environment_at(last, &CancelToken::new()).unwrap();
    let design = environment.design().unwrap();
    let query = &task.brief.as_ref().unwrap().query;
    let picture = environment.picture(&PictureRequest::default()).ok();
    let (picture, shown) =
        (picture.map(|it| it.pixels), environment.hand_outs().unwrap().shown_pictures());
    let page = Page { document: &design, picture: picture.as_ref(), shown: shown.as_deref() };
    check(query, &page).unwrap()
}

#[test]
fn plans_by_rules_are_carried_out_without_a_failure_and_do_what_the_queries_ask() {
    let Some(queries) = shared::path("data/graphicbench/test.jsonl") else { return };
    let opened = task::open(&queries).unwrap();
    let tasks: Vec<&Arc<Task>> = opened.sets[0].0.tasks.iter().step_by(7).collect();
    assert!(tasks.len() > 150);
    let (mut yes, mut no) = (0, 0);
    let mut of_aspect = [[0; 2]; Aspect::ALL.len()];
    for task in tasks {
        let dir = tempfile::tempdir().unwrap();
        let (manifest, run) = planned(task, &dir.path().join("run"));
        let failed: Vec<&String> = run
            .steps
            .iter()
            .filter_map(|step| step.outcome.as_ref().filter(|it| it.failure.is_some()))
            .map(|outcome| &outcome.text)
            .collect();
        assert_eq!(manifest.outcome, Outcome::Completed, "{}", task.id);
        assert!(failed.is_empty(), "{}: {failed:?}", task.id);
        let plan = &run.plan.as_ref().unwrap().row;
        assert_eq!(plan.final_workflow.items.len(), run.steps.len(), "{}", task.id);
        assert_eq!(plan.query, task.instruction);
        let findings = findings(task, &run);
        yes += findings.count(Verdict::Yes, None);
        no += findings.count(Verdict::No, None);
        for (counts, aspect) in of_aspect.iter_mut().zip(Aspect::ALL) {
            for (count, verdict) in counts.iter_mut().zip([Verdict::Yes, Verdict::No]) {
                *count += findings.count(verdict, Some(aspect));
            }
        }
    }
    for ([yes, no], aspect) in of_aspect.iter().zip(Aspect::ALL) {
        eprintln!("{}: {yes} yes, {no} no", aspect.word());
    }
    let share = yes as f64 / (yes + no) as f64;
    eprintln!("constraints: {yes} yes, {no} no ({share:.3})");
    assert!(share > 0.8, "{yes} yes, {no} no");
}

fn step(expert: &str, skill: &str, parameters: &Value) -> Value {
    json!({"id": 1, "expert": expert, "description": format!("{skill}."), "skill": skill,
        "parameters": parameters})
}

#[test]
fn a_model_plans_stage_by_stage_and_the_run_keeps_the_plan() {
    let Some(queries) = shared::path("data/graphicbench/test.jsonl") else { return };
    let layout = "Layout Designer";
    let recruits = json!([{"expert": layout, "task": "All of it."}]).to_string();
    let steps = json!([
        step(layout, "CreateDocument", &json!({"docType": "poster"})),
        step(layout, "CreateText", &json!({"layerName": "T", "textString": "Panda's Adventures"})),
        step(
            layout,
            "ColorText",
            &json!({"layerName": "Missing", "red": 1, "green": 2, "blue": 3})
        ),
        step(layout, "ExportDocument", &json!({"fileName": "poster", "format": "pdf"})),
    ])
    .to_string();
    let server = Server::answering(&[
        says("Light blue, with a panda."),
        says(&recruits),
        says(&steps),
        says(&steps),
        says(&steps),
    ]);
    let dir = tempfile::tempdir().unwrap();
    let output = by_planner(&server, &queries, dir.path(), "agentic").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    // A query has no ground truth to be like: the table says how much of it was done.
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(table.contains("mean constraints 0.") && !table.contains("SSIM"), "{table}");
    assert_eq!(server.asked().len(), 5);
    let folder = dir.path().join("runs/graphicbench-test/poster-261/planner-01");
    let run = reader::open(&folder).unwrap();
    assert_eq!(
        (run.manifest.mode.as_str(), &run.manifest.environment),
        ("agentic", &EnvironmentKind::Suite)
    );
    assert_eq!((run.turns.len(), run.steps.len()), (5, 4));
    assert_eq!(run.manifest.totals.failures, 1);
    let failure = run.steps[2].outcome.as_ref().unwrap().failure.as_ref().unwrap();
    assert!(failure.message.contains("Missing"), "{failure:?}");
    let plan = &run.plan.as_ref().unwrap().row;
    assert_eq!((plan.recruits.len(), plan.workflows.len()), (1, 1));
    assert!(plan.combined.is_whole() && plan.final_workflow.is_whole());
    replays(&folder, &queries);
}

/// The query of a poster, planned in this way by a model called `planner`.
fn by_planner(server: &Server, queries: &Path, dir: &Path, mode: &str) -> Command {
    let provider = ProviderSettings {
        kind: ProviderKind::ChatCompletions,
        base_url: Some(server.settings().base_url),
        model: "planner".into(),
        stream: false,
        ..ProviderSettings::default()
    };
    let entry = ModelEntry { provider, ..ModelEntry::default() };
    let models = json!({ "models": { "planner": entry } }).to_string();
    std::fs::write(dir.join("models.json"), models).unwrap();
    let mut command = crate::cli::program();
    command.env("NO_PROXY", "127.0.0.1").arg("run").arg("--tasks").arg(queries);
    command.args(["--filter", "cute panda reading a book", "--mode", mode]);
    command.args(["--models", "planner", "--models-file"]).arg(dir.join("models.json"));
    command.arg("--out").arg(dir.join("runs"));
    command
}

/// The same comes of a run from its record alone.
fn replays(folder: &Path, queries: &Path) {
    let mut replay = crate::cli::program();
    replay.arg("run").arg("--replay").arg(folder).arg("--tasks").arg(queries);
    let replayed = replay.output().unwrap();
    let said = String::from_utf8_lossy(&replayed.stdout).into_owned();
    assert!(said.contains("the same answers, calls, pictures and document"), "{replayed:?}");
}

#[test]
fn a_planner_sees_the_pictures_of_a_folder_and_its_replay_those_of_the_run() {
    let Some(queries) = shared::path("data/graphicbench/test.jsonl") else { return };
    let opened = task::open(&queries).unwrap();
    let task = opened.sets[0].0.tasks.iter().find(|task| task.id == "poster-261").unwrap();
    let name = &task.brief.as_ref().unwrap().query.images[0].name;
    let dir = tempfile::tempdir().unwrap();
    let pictures = dir.path().join("pictures");
    std::fs::create_dir(&pictures).unwrap();
    let picture = Pixels::filled(30, 20, [200, 30, 30, 255]).unwrap();
    picture.save_png(&pictures.join(format!("{name}.png"))).unwrap();
    let layout = "Layout Designer";
    let steps = json!([
        step(layout, "CreateDocument", &json!({"docType": "poster"})),
        step(layout, "ImportObject", &json!({"layerName": "P", "fileName": format!("{name}.png")})),
        step(layout, "ExportDocument", &json!({"fileName": "poster", "format": "pdf"})),
    ]);
    let server = Server::answering(&[says(&steps.to_string())]);
    let mut command = by_planner(&server, &queries, dir.path(), "direct_plan_vision");
    let output = command.arg("--pictures").arg(&pictures).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let seen = server.asked()[0].body.to_string();
    assert_eq!(seen.matches("data:image/png;base64,").count(), 1, "one picture has a file");
    let folder = dir.path().join("runs/graphicbench-test/poster-261/planner-01");
    let run = reader::open(&folder).unwrap();
    assert_eq!(run.manifest.totals.failures, 0);
    assert!(run.manifest.given.iter().any(|given| given.picture.is_some()));
    std::fs::remove_dir_all(&pictures).unwrap();
    replays(&folder, &queries);
    // Another picture of that name changes nothing.
    std::fs::create_dir(&pictures).unwrap();
    let other = Pixels::filled(9, 90, [0, 0, 200, 255]).unwrap();
    other.save_png(&pictures.join(format!("{name}.png"))).unwrap();
    replays(&folder, &queries);
}

#[test]
fn published_plans_become_runs_once_and_broken_lines_too() {
    let dir = tempfile::tempdir().unwrap();
    let layout = "Layout Designer";
    let plan = json!({"ID": 4, "user_query": "A poster.", "design_choices": {"background_color": "red"},
    "images": [], "recruitment_status": [], "workflows": [], "combined_workflow": "NOT RETRIEVED",
    "final_workflow": [
        step(layout, "CreateDocument", &json!({"docType": "poster"})),
        step("Photo Editor", "CreateText", &json!({"layerName": "T", "textString": "x"})),
    ]});
    let text = json!({"ID": 5, "user_query": "Another.", "final_workflow": "1. Open it"});
    let plans = dir.path().join("plans/ours");
    std::fs::create_dir_all(&plans).unwrap();
    std::fs::write(plans.join("poster.jsonl"), format!("{plan}\n{text}\n\n{{broken\n[]\n"))
        .unwrap();
    let import = || {
        let mut command = crate::cli::program();
        command.args(["import", "graphicbench"]).arg(dir.path().join("plans")).arg("--json");
        let output = command.arg("--out").arg(dir.path().join("runs")).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let first = import();
    assert_eq!((&first["imported"], &first["found"]), (&json!(4), &json!(0)));
    assert_eq!(first["files"][0]["failures"]["no_document"], 1, "{first}");
    assert_eq!(
        (&first["files"][0]["model"], &first["files"][0]["steps"]),
        (&json!("ours"), &json!(5))
    );
    let mut strange = crate::cli::program();
    strange.args(["import", "graphicbench"]).arg(dir.path().join("plans"));
    strange.arg("--out").arg(dir.path().join("none")).args(["--compat", "nonsense"]);
    let refused = strange.output().unwrap();
    assert!(!refused.status.success() && !dir.path().join("none").exists(), "{refused:?}");
    let again = import();
    assert_eq!((&again["imported"], &again["found"]), (&json!(0), &json!(4)));
    let set = dir.path().join("runs/graphicbench-test");
    let run = reader::open(&set.join("poster-264/ours-01")).unwrap();
    assert_eq!((run.turns.len(), run.steps.len()), (2, 2), "each expert has a turn");
    assert_eq!(run.plan.as_ref().unwrap().row.query, "A poster.");
    let raw = std::fs::read(set.join("poster-264/ours-01/plan.json")).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&raw).unwrap(), plan, "as it stands");
    let broken = reader::open(&set.join("poster-line-4/ours-01")).unwrap();
    assert_eq!((broken.steps.len(), broken.manifest.totals.failures), (1, 1));
}

/// The run of the rule planner on a poster with a title of this colour on this background, and what
/// its query says of it.
fn titled(background: &str, color: &str) -> (Arc<Run>, Findings) {
    let components = json!({"background_color": background, "text": {"title": {
        "content": "Harbour lights", "size": "large", "color": color, "position": "top center"}}});
    let (query, _) = Query::read("poster", &components, &json!([]));
    let task = Task::of_query("poster-1".to_owned(), "A poster.".to_owned(), query);
    let dir = tempfile::tempdir().unwrap();
    let (_, run) = planned(&task, &dir.path().join("run"));
    let findings = findings(&task, &run);
    (run, findings)
}

fn arguments<'a>(run: &'a Run, action: &str) -> Option<&'a Value> {
    let calls = run.steps.iter().filter_map(|step| step.call.as_ref());
    calls.into_iter().find(|call| call.name == action).map(|call| &call.arguments)
}

#[test]
fn the_colour_that_is_asked_for_stays_and_an_outline_makes_it_readable() {
    for (background, color) in [("white", "white"), ("white", "yellow"), ("black", "navy blue")] {
        let (run, findings) = titled(background, color);
        let of = |aspect| {
            findings.0.iter().find(|it| it.component == "title" && it.aspect == aspect).unwrap()
        };
        for aspect in [Aspect::Color, Aspect::Contrast] {
            assert_eq!(of(aspect).verdict, Verdict::Yes, "{color} on {background}: {}", of(aspect));
        }
        assert!(of(Aspect::Contrast).reason.contains("by its outline"), "{}", of(Aspect::Contrast));
        let stroke = arguments(&run, "StrokeText").unwrap();
        let width = stroke["strokeWidth"].as_f64().unwrap();
        assert!((1.0..4.0).contains(&width), "subtle: {stroke}");
        assert!(run.notes.iter().any(|note| note.contains("it has an outline")), "{:?}", run.notes);
    }
    let (run, findings) = titled("navy blue", "white");
    assert_eq!(findings.share(None), Some(1.0));
    assert!(arguments(&run, "StrokeText").is_none(), "what can be read needs none");
}

#[test]
fn a_page_of_any_size_is_planned_and_said_in_the_run() {
    for (width, height) in
        [(393.0, 852.0), (1080.0, 1080.0), (728.0, 90.0), (2400.0, 600.0), (64.0, 64.0)]
    {
        let components = json!({"background_color": "navy blue", "text": {"title": {
            "content": "Harbour lights", "size": "large", "color": "white", "position": "top center"}}});
        let (mut query, _) = Query::read("", &components, &json!([]));
        query.page = Some(Size::new(width, height));
        let task = Task::of_query("harbour".to_owned(), "A banner.".to_owned(), query.clone());
        let dir = tempfile::tempdir().unwrap();
        let (manifest, run) = planned(&task, &dir.path().join("run"));
        assert_eq!(manifest.outcome, Outcome::Completed);
        let failed = |step: &Step| step.outcome.as_ref().is_none_or(|it| it.failure.is_some());
        assert!(!run.steps.iter().any(failed), "{width} × {height}");
        let created = arguments(&run, "CreateDocumentCustom").unwrap();
        assert_eq!((&created["width"], &created["height"]), (&json!(width), &json!(height)));
        for aspect in [Aspect::Present, Aspect::OnPage, Aspect::Color] {
            let found = findings(&task, &run);
            let found = found.0.iter().filter(|it| it.component == "title" && it.aspect == aspect);
            let verdicts: Vec<Verdict> = found.map(|it| it.verdict).collect();
            assert_eq!(verdicts, [Verdict::Yes], "{aspect:?} on {width} × {height}");
        }
        // Without its task set the run still says what it was planned for.
        let again = Task::of_plan(&run).unwrap();
        assert_eq!(again.canvas_size, Some(Size::new(width, height)));
        assert_eq!(again.brief.as_ref().unwrap().query.page, query.page);
    }
}

#[test]
fn the_plans_of_people_are_carried_out_with_the_pictures_they_name() {
    let Some(rows) = shared::path("data/graphicbench/train.jsonl") else { return };
    let dir = tempfile::tempdir().unwrap();
    let runs = dir.path().join("runs");
    let mut command = crate::cli::program();
    let output = command
        .args(["import", "graphicbench"])
        .arg(&rows)
        .arg("--out")
        .arg(&runs)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let (mut count, mut steps, mut failures) = (0, 0, BTreeMap::<String, usize>::new());
    for task in std::fs::read_dir(runs.join("graphicbench-train")).unwrap() {
        let run = reader::open(&task.unwrap().path().join("reference-01")).unwrap();
        count += 1;
        steps += run.steps.len();
        for step in &run.steps {
            if let Some(failure) = step.outcome.as_ref().and_then(|it| it.failure.as_ref()) {
                *failures.entry(format!("{:?}", failure.class)).or_default() += 1;
            }
        }
    }
    assert_eq!((count, steps), (20, 502));
    // Two steps name no action, one is of another expert, three texts are put below their pages.
    let known = [("NotOfExpert", 1), ("OffPage", 3), ("UnknownTool", 2)];
    assert_eq!(failures, known.map(|(class, many)| (class.to_owned(), many)).into());
}

#[test]
fn a_file_of_queries_is_no_file_of_plans() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("poster.jsonl");
    std::fs::write(&file, r#"{"id": 1, "user_query": "A poster.", "design_components": {}}"#)
        .unwrap();
    let mut command = crate::cli::program();
    let out = dir.path().join("runs");
    let output = command.args(["import", "graphicbench"]).arg(&file).arg("--out").arg(&out);
    let output = output.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("poster.jsonl holds no plan"), "{said}");
    assert!(said.contains("run --tasks") && !out.exists(), "{said}");
    // In a file of plans, a line that has none of them is a run of no steps.
    let plans = "{\"ID\": 1, \"final_workflow\": []}\n{\"ID\": 2}\n";
    std::fs::write(&file, plans).unwrap();
    let mut command = crate::cli::program();
    command.args(["import", "graphicbench", "--json"]).arg(&file).arg("--out").arg(&out);
    let said: Value =
        serde_json::from_str(&crate::cli::stdout(&command.output().unwrap())).unwrap();
    assert_eq!(said["imported"], json!(2), "{said}");
}
