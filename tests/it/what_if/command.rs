//! `pentimento what-if`, run as people run it.

use serde_json::Value;

use crate::cli::{assert_fails, program, run, stderr, stdout};
use crate::files::copy_folder;

use super::{sample_run, samples};

const RUN: &str = "quiz-progress/scripted-01";

fn dir() -> String {
    sample_run(RUN).display().to_string()
}

fn json(arguments: &[&str]) -> Value {
    let output = program().arg("what-if").args(arguments).arg("--json").output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

#[test]
fn a_branch_is_scored_beside_the_run_and_kept_with_its_parent() {
    let out = tempfile::tempdir().unwrap();
    let out = out.path().to_str().unwrap();
    let made =
        json(&[&dir(), "--drop", "2", "--edit", "1={\"height\": 20}", "--steps", "--out", out]);
    assert_eq!(made["edits"].as_array().unwrap().len(), 2);
    assert_eq!(made["calls"][0]["arguments"]["height"], 20);
    assert_eq!(made["calls"][0]["arguments"]["width"], 240, "what was not named stays");
    let change = |key: &str| made[key][0]["value"].as_f64().unwrap();
    assert_ne!(change("with"), change("without_edits"));
    let calls = made["calls"].as_array().unwrap();
    assert_eq!(calls.last().unwrap()["scores"][0]["value"], made["with"][0]["value"]);
    let kept = made["dir"].as_str().unwrap();
    let manifest = std::fs::read(format!("{kept}/run.json")).unwrap();
    let manifest: Value = serde_json::from_slice(&manifest).unwrap();
    assert_eq!(manifest["parent"]["step"], 0);
    assert_eq!(manifest["agent"]["kind"], "what_if");
    // It is a run like any other, whose task is found again from where it is.
    let scored = run(["score", kept, "--json", "--no-cache", "--only", "ssim/uniform7"]);
    assert!(scored.status.success(), "{}", stderr(&scored));
    let scored: Value = serde_json::from_str(&stdout(&scored)).unwrap();
    assert_eq!(scored["runs"][0]["scores"][0]["value"], made["with"][0]["value"]);
}

#[test]
fn going_on_from_a_step_leaves_out_all_behind_it() {
    let made = json(&[
        &dir(),
        "--from",
        "1",
        "--insert",
        "1=set_corner_radius:{\"nodeId\": \"1:35\", \"radius\": 1}",
    ]);
    let calls = made["calls"].as_array().unwrap();
    assert_eq!(calls.len(), 2);
    assert_eq!((&calls[0]["step"], &calls[1]["inserted"]), (&1.into(), &1.into()));
    assert_eq!(calls[1]["failed"], false);
}

#[test]
fn what_calls_brought_is_printed_ranked_and_as_json() {
    let found = json(&[&dir(), "--leave-one-out", "--by", "turn"]);
    assert_eq!(found["by"], "turn");
    assert!(!found["groups"].as_array().unwrap().is_empty());
    let table = run(["what-if", &dir(), "--leave-one-out"]);
    assert!(table.status.success(), "{}", stderr(&table));
    assert!(stdout(&table).contains("fails without"), "{}", stdout(&table));
    let values = json(&[&dir(), "--shapley", "4", "--by", "node", "--seed", "3"]);
    let sum: f64 = values["groups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| group["values"][0]["value"].as_f64().unwrap())
        .sum();
    let end = |key: &str| values["ends"][0][key].as_f64().unwrap();
    assert!((sum - (end("full") - end("empty"))).abs() < 1e-9);
}

#[test]
fn what_calls_brought_is_a_table_in_a_file_that_says_where_it_is_from() {
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("calls.csv").display().to_string();
    let found = json(&[&dir(), "--leave-one-out", "--table", &file]);
    let mut reader = csv::Reader::from_path(&file).unwrap();
    assert_eq!(&reader.headers().unwrap()[2], "brought ssim/uniform7");
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let groups = found["groups"].as_array().unwrap();
    assert_eq!(rows.len(), groups.len());
    for (row, group) in rows.iter().zip(groups) {
        assert_eq!(row[0], group["steps"][0].to_string(), "{row:?}");
        assert_eq!(row[2].parse().ok(), group["brought"][0].as_f64(), "{row:?}");
    }
    let about = std::fs::read(format!("{file}.json")).unwrap();
    let about: Value = serde_json::from_slice(&about).unwrap();
    assert_eq!(
        (&about["metrics"], &about["left out together"]),
        (&"ssim/uniform7".into(), &"call".into())
    );
    assert!(about["command"].as_str().unwrap().starts_with("pentimento what-if "), "{about}");
    for (how, file) in [("--shapley=4", "values.tex"), ("--ablate-tools", "tools.md")] {
        let file = out.path().join(file);
        let table = run(["what-if", &dir(), how, "--table", file.to_str().unwrap()]);
        assert!(table.status.success(), "{}", stderr(&table));
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.contains("pentimento what-if ") && text.contains("ssim/uniform7"), "{text}");
    }
    let edited = run(["what-if", &dir(), "--drop", "2", "--table", &file]);
    assert_fails(&edited, &["--table is of --leave-one-out"]);
    let other = run(["what-if", &dir(), "--leave-one-out", "--table", "calls.xlsx"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(stderr(&other).contains(".csv, .md, .tex, .tsv, .parquet"), "{}", stderr(&other));
}

#[test]
fn tools_are_left_out_over_a_set_of_runs() {
    let runs = sample_run("recipe-tip").display().to_string();
    let found = json(&[&runs, "--ablate-tools"]);
    let tools = found["tools"].as_array().unwrap();
    assert!(!tools.is_empty() && found["problems"].as_array().unwrap().is_empty(), "{found}");
    for tool in tools {
        assert_eq!(tool["tasks"], 1);
        assert!(tool["brought"].is_number() && tool["low"].is_null(), "{tool}");
    }
    let table = run(["what-if", &runs, "--ablate-tools"]);
    assert!(stdout(&table).contains("95 % over tasks"), "{}", stderr(&table));
}

#[test]
fn a_run_that_was_stopped_is_in_no_mean_of_tools_and_is_counted() {
    let own = tempfile::tempdir().unwrap();
    let runs = own.path().join("runs");
    copy_folder(&sample_run("recipe-tip"), &runs);
    let file = runs.join("scripted-02/run.json");
    let mut manifest: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    manifest["outcome"] = serde_json::json!({ "state": "cancelled" });
    std::fs::write(&file, manifest.to_string()).unwrap();
    let (runs, tasks) = (runs.display().to_string(), samples().display().to_string());
    let found = json(&[&runs, "--tasks", &tasks, "--ablate-tools"]);
    assert_eq!(found["unfinished"], 1, "{found}");
    let problem = found["problems"][0].as_str().unwrap();
    assert!(problem.ends_with("scripted-02: it did not come to its end"), "{problem}");
    for tool in found["tools"].as_array().unwrap() {
        let of = tool["runs"].as_u64().unwrap() + tool["unscored"].as_u64().unwrap();
        assert_eq!(of, 1, "{tool}");
    }
    let table = run(["what-if", &runs, "--tasks", &tasks, "--ablate-tools"]);
    assert!(table.status.success(), "{}", stderr(&table));
    assert!(stderr(&table).contains("1 of 2 runs did not come to their end"), "{}", stderr(&table));
}

#[test]
fn a_run_by_hand_can_become_the_reference_tools_of_its_task() {
    let own = tempfile::tempdir().unwrap();
    let set = own.path().join("taskset.json");
    let text = r#"{"format": "pentimento/taskset", "version": 1, "id": "mine", "name": "Mine",
        "tasks": [{"id": "dot", "kind": "replication", "instruction": "A dot",
                   "canvas_size": {"width": 80, "height": 80}}]}"#;
    std::fs::write(&set, text).unwrap();
    let calls = own.path().join("calls.json");
    let script = r#"[{"thought": "A dot", "calls": [{"name": "create_ellipse", "arguments":
        {"x": 4, "y": 4, "width": 9, "height": 9, "name": "Dot"}}, {"name": "no_such_tool"}]},
        {"calls": [{"name": "set_opacity", "arguments": {"nodeId": {"$ref": "1.1"}, "opacity": 0.5}}]}]"#;
    std::fs::write(&calls, script).unwrap();
    let (task, calls) = (format!("{}#dot", own.path().display()), calls.display().to_string());
    let out = own.path().join("runs").display().to_string();
    let made = json(&["--task", &task, "--calls", &calls, "--out", &out, "--make-reference"]);
    assert_eq!((&made["calls"], &made["failures"]), (&3.into(), &1.into()), "{made}");
    let set: Value = serde_json::from_slice(&std::fs::read(&set).unwrap()).unwrap();
    let tools = &set["tasks"][0]["reference_tools"];
    assert_eq!(*tools, serde_json::json!(["create_ellipse", "set_opacity"]));
    let backup = std::fs::read_to_string(own.path().join("taskset.json.before-1")).unwrap();
    assert_eq!(backup, text);
    let events = format!("{}/events.jsonl", made["dir"].as_str().unwrap());
    let events = std::fs::read_to_string(events).unwrap();
    assert!(events.contains("A dot") && events.matches("turn_end").count() == 2, "{events}");
}

#[test]
fn a_run_by_hand_is_scored_by_the_models_that_are_named() {
    let own = tempfile::tempdir().unwrap();
    let [models, calls] =
        ["models.json", "calls.json"].map(|name| own.path().join(name).display().to_string());
    std::fs::write(&models, r#"{"judge": {"base_url": "nowhere"}}"#).unwrap();
    std::fs::write(&calls, r#"[{"calls": [{"name": "get_page_structure", "arguments": {}}]}]"#)
        .unwrap();
    let task = format!("{}#settings", samples().display());
    let out = own.path().join("runs").display().to_string();
    let line = ["--task", &task, "--calls", &calls, "--out", &out, "--only", "originality/judge"];
    let message = |more: &[&str]| {
        let made = json(&[line.as_slice(), more].concat());
        made["scores"][0]["message"].as_str().unwrap().to_owned()
    };
    assert!(message(&[]).contains("no judge"), "{}", message(&[]));
    let named = message(&["--models", &models]);
    assert!(named.contains("not an http or https address"), "{named}");
}

#[test]
fn a_run_of_the_design_suite_can_become_the_reference_plan_of_its_task() {
    let own = tempfile::tempdir().unwrap();
    let set = own.path().join("taskset.json");
    let text = r#"{"format": "pentimento/taskset", "version": 1, "id": "mine", "name": "Mine", "tasks": [
        {"id": "card", "environment": "suite", "kind": "composition", "instruction": "A card on ivory"},
        {"id": "dot", "kind": "replication", "instruction": "A dot"}]}"#;
    std::fs::write(&set, text).unwrap();
    let script = own.path().join("calls.json");
    let calls = r#"[{"calls": [
        {"name": "CreateDocument", "arguments": {"expert": "Layout Designer", "docType": "business card"}},
        {"name": "NoSuchAction", "arguments": {"expert": "Layout Designer"}},
        {"name": "SetBackgroundColor",
         "arguments": {"expert": "Layout Designer", "red": 255, "green": 231, "blue": 176}}]}]"#;
    std::fs::write(&script, calls).unwrap();
    let [card, dot] = ["card", "dot"].map(|id| format!("{}#{id}", own.path().display()));
    let (script, out) =
        (script.display().to_string(), own.path().join("runs").display().to_string());
    let by_hand = ["--calls", &script, "--out", &out, "--make-reference=plan"];
    let made = json(&[["--task", &card].as_slice(), &by_hand].concat());
    assert_eq!((&made["calls"], &made["failures"]), (&3.into(), &1.into()), "{made}");
    let written: Value = serde_json::from_slice(&std::fs::read(&set).unwrap()).unwrap();
    let plan = &written["tasks"][0]["reference_plan"];
    assert_eq!(
        *plan,
        serde_json::json!([
            {"id": 1, "expert": "Layout Designer", "skill": "CreateDocument",
             "parameters": {"docType": "business card"}},
            {"id": 2, "expert": "Layout Designer", "skill": "SetBackgroundColor",
             "parameters": {"red": 255, "green": 231, "blue": 176}},
        ])
    );
    let backup = std::fs::read_to_string(own.path().join("taskset.json.before-1")).unwrap();
    assert_eq!(backup, text);
    // With the failed call left out by an edit, from the run that was kept: the same plan again.
    let kept = made["dir"].as_str().unwrap();
    let tasks = own.path().display().to_string();
    json(&[kept, "--tasks", &tasks, "--drop", "2-3", "--make-reference=plan"]);
    let written: Value = serde_json::from_slice(&std::fs::read(&set).unwrap()).unwrap();
    assert_eq!(written["tasks"][0]["reference_plan"].as_array().unwrap().len(), 1);
    let opened = pentimento::task::open(&set).unwrap();
    let task = &opened.sets[0].0.tasks[0];
    assert_eq!(task.reference_tools, ["CreateDocument"], "the plan's actions are its tools");
    // A task of the canvas has none, which is said before anything is made.
    let refused = program().args(["what-if", "--task", &dot]).args(by_hand).output().unwrap();
    assert_fails(&refused, &["no reference plan", "--make-reference=tools"]);
    assert!(!own.path().join("runs/mine/dot").exists());
}

#[test]
fn what_cannot_be_done_says_why() {
    let own = tempfile::tempdir().unwrap();
    assert_fails(&run(["what-if", &dir(), "--drop", "99"]), &["no step 99", "its last is"]);
    assert_fails(&run(["what-if", &dir(), "--drop", "1-4000000000"]), &["no step 4000000000"]);
    assert_fails(&run(["what-if", &dir(), "--edit", "0={}"]), &["no step 0"]);
    assert_fails(&run(["what-if", &dir(), "--move", "1:1"]), &["behind itself"]);
    assert_fails(&run(["what-if", &dir(), "--from", "77"]), &["no step 77"]);
    assert_fails(
        &run(["what-if", &dir(), "--drop", "1", "--only", "beauty/most"]),
        &["no variant"],
    );
    let all = samples().join("runs").display().to_string();
    assert_fails(&run(["what-if", &all, "--drop", "1"]), &["name one of them"]);
    let pictures = own.path().join("pictures");
    std::fs::create_dir(&pictures).unwrap();
    pentimento::base::Pixels::filled(8, 8, [9; 4])
        .unwrap()
        .save_png(&pictures.join("1.png"))
        .unwrap();
    let pictures = pictures.display().to_string();
    assert_fails(&run(["what-if", &pictures, "--drop", "1"]), &["no calls to edit"]);
    // The run alone, far from its task.
    let copy = own.path().join("copy");
    std::fs::create_dir(&copy).unwrap();
    for file in ["run.json", "events.jsonl", "start.json"] {
        std::fs::copy(sample_run(RUN).join(file), copy.join(file)).unwrap();
    }
    let copy = copy.display().to_string();
    assert_fails(&run(["what-if", &copy, "--leave-one-out"]), &["was not found", "--tasks"]);
    // Wrong usage is told by the parser.
    for line in [
        vec!["what-if", &copy, "--edit", "1={"],
        vec!["what-if", &copy, "--insert", "1"],
        vec!["what-if", &copy, "--leave-one-out", "--drop", "1"],
        vec!["what-if"],
    ] {
        let output = program().args(&line).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{line:?} {}", stderr(&output));
    }
}

#[test]
fn an_unknown_tool_and_thousands_of_calls_are_outcomes_and_no_errors() {
    let made = json(&[&dir(), "--insert", "0=paint_it_black:{}"]);
    assert_eq!(made["calls"][0]["failed"], true);
    let mut line: Vec<String> = vec![dir()];
    for _ in 0..2_000 {
        line.extend(["--insert".to_owned(), "0=get_document_info:{}".to_owned()]);
    }
    let line: Vec<&str> = line.iter().map(String::as_str).collect();
    let made = json(&line);
    assert_eq!(made["with"], made["without_edits"]);
    assert!(made["calls"].as_array().unwrap().len() > 2_000);
}
