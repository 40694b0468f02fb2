//! `pentimento compare`, run as people run it, over runs of which it is known where they diverge.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use pentimento::app::Session;
use pentimento::evaluate::groups::GroupSide;
use pentimento::label::WriterId;
use pentimento::store::labels::LabelFile;
use pentimento::workbench::{
    AnnotateCommand, Column, Command, Event, ExploreCommand, ExportedTable, Fetched, LabelNews,
    Settings, State, TableFile, TableFormat, Workspace, apply, handle,
};
use pentimento::worker::WorkerConfig;

use crate::cli::{assert_fails, program, run, stderr, stdout};
use crate::explore::run_line;
use crate::files::copy_folder;
use crate::first_study;
use crate::nodes::until;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs/runs/own-samples").join(name)
}

fn tasks() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs")
}

fn compare(runs: &[&Path]) -> Value {
    let output = program().arg("compare").args(runs).arg("--json").output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

/// The run with other calls, recorded in `out`.
pub(super) fn branch(base: &Path, edits: &[&str], out: &Path) -> PathBuf {
    let mut made = program();
    made.arg("what-if").arg(base).args(edits).args(["--json", "--out"]).arg(out);
    let output = made.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let made: Value = serde_json::from_str(&stdout(&output)).unwrap();
    PathBuf::from(made["dir"].as_str().unwrap())
}

/// The first step of the run whose call has this name.
fn step_of(base: &Path, tool: &str) -> usize {
    let run = pentimento::run::reader::open(base).unwrap();
    let step = run.steps.iter().find(|step| step.call.as_ref().is_some_and(|it| it.name == tool));
    step.unwrap().number as usize
}

#[test]
fn a_call_that_is_left_out_is_where_two_runs_part_though_all_ids_behind_it_shift() {
    let out = tempfile::tempdir().unwrap();
    let base = sample("trailhead-welcome/tracer-01");
    let left_out = step_of(&base, "create_rectangle");
    let other = branch(&base, &["--drop", &left_out.to_string()], out.path());
    let found = compare(&[&base, &other]);
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(
        rows.len() as u64,
        found["runs"][0]["steps"].as_u64().unwrap(),
        "nothing else moved"
    );
    assert_eq!(found["divergence"]["row"], left_out);
    assert_eq!(found["divergence"]["kind"], "only_some");
    assert_eq!(found["divergence"]["steps"][0], left_out);
    assert_eq!(found["divergence"]["steps"][1], Value::Null);
    let known = rows.iter().filter(|row| row["same"]["tool"] == true).count();
    assert_eq!(known, rows.len() - 1, "every other call is known again");
    // But for those on the node that is not there.
    let same = rows.iter().filter(|row| row["same"]["call"] == true).count();
    assert!(same + 5 >= rows.len(), "{same} of {}", rows.len());
    let nodes = found["consensus"]["nodes"].as_array().unwrap();
    assert!(nodes.iter().any(|node| node["had_by"] == serde_json::json!([true, true])));
    let picture = &found["consensus"]["picture"];
    assert!(picture["had_by_all"].as_f64().unwrap() > 0.5, "{picture}");
}

#[test]
fn another_argument_is_named_with_both_values() {
    let out = tempfile::tempdir().unwrap();
    let base = sample("quiz-progress/scripted-01");
    let other = branch(&base, &["--edit", "1={\"height\": 20}"], out.path());
    let found = compare(&[&base, &other]);
    let divergence = &found["divergence"];
    assert_eq!((&divergence["row"], &divergence["kind"]), (&1.into(), &"arguments".into()));
    assert_eq!(divergence["arguments"][0]["name"], "height");
    assert_eq!(divergence["arguments"][0]["values"][1], "20");
    let output = program().arg("compare").args([&base, &other]).arg("--rows").output().unwrap();
    let text = stdout(&output);
    assert!(text.contains("diverge for good in row 1"), "{text}");
    assert!(text.contains("height"), "{text}");
}

#[test]
fn a_run_beside_itself_made_again_ends_the_same() {
    let out = tempfile::tempdir().unwrap();
    let base = sample("quiz-progress/scripted-01");
    // Put in and taken out again, so that the run is another and its end is not.
    let other = branch(&base, &["--insert", "0=get_page_structure:{}"], out.path());
    let found = compare(&[&base, &other]);
    assert_eq!(found["divergence"], Value::Null);
    assert_eq!(found["rows"][0]["steps"][0], Value::Null);
    assert!(
        found["rows"]
            .as_array()
            .unwrap()
            .iter()
            .all(|row| { row["looks"] == serde_json::json!([0, 0]) })
    );
}

#[test]
fn the_two_tracers_of_a_sample_part_somewhere_and_miss_the_same() {
    let found = compare(&[&sample("basket/tracer-01"), &sample("basket/tracer-02")]);
    assert!(found["rows"].as_array().unwrap().len() > 10);
    let agents: Vec<&Value> = found["runs"].as_array().unwrap().iter().collect();
    assert_eq!(agents.len(), 2);
    assert!(found["consensus"]["picture"]["had_by_all"].as_f64().is_some(), "{found}");
}

#[test]
fn rows_and_what_of_the_ground_truth_runs_have_are_tables_in_files() {
    let out = tempfile::tempdir().unwrap();
    let base = sample("quiz-progress/scripted-01");
    let other = branch(&base, &["--edit", "1={\"height\": 20}"], out.path());
    let found = compare(&[&base, &other]);
    let to = |rows: &str, name: &str| {
        let file = out.path().join(name);
        let mut command = program();
        command.arg("compare").args([&base, &other]).args(["--table-of", rows, "--table"]);
        let output = command.arg(&file).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        std::fs::read_to_string(file).unwrap()
    };
    let csv = to("rows", "rows.csv");
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let headings = reader.headers().unwrap().clone();
    assert_eq!(
        headings.iter().collect::<Vec<_>>(),
        ["row", "step A", "call A", "step B", "call B", "the same", "look alike"]
    );
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), found["rows"].as_array().unwrap().len());
    for (row, known) in rows.iter().zip(found["rows"].as_array().unwrap()) {
        assert_eq!(row[1].parse().ok(), known["steps"][0].as_u64(), "{row:?}");
        assert_eq!(row[2].is_empty(), known["steps"][0].is_null(), "{row:?}");
    }
    let latex = to("rows", "rows.tex");
    assert!(latex.contains("diverge for good in row 1") && latex.contains("toprule"), "{latex}");
    let nodes = to("nodes", "nodes.md");
    let known = found["consensus"]["nodes"].as_array().unwrap();
    assert!(nodes.contains("| had by A | had by B |"), "{nodes}");
    assert!(nodes.lines().filter(|line| line.starts_with("| ")).count() > known.len(), "{nodes}");
}

#[test]
fn what_cannot_be_compared_says_why() {
    let one = sample("basket/tracer-01").display().to_string();
    let other = sample("settings/tracer-01").display().to_string();
    assert_fails(&run(["compare", &one]), &["two to 6 runs"]);
    assert_fails(&run(["compare", &one, &other]), &["runs of one task", "basket", "settings"]);
    assert_fails(&run(["compare", &tasks().display().to_string()]), &["two to 6 runs"]);
    let share = run(["compare", &one, &one, "--threshold", "2"]);
    assert_eq!(share.status.code(), Some(2), "{}", stderr(&share));
}

/// Two batches: both have a run of one task, the first two of it; of two other tasks one has each.
fn two_batches(out: &Path) {
    for (from, to) in [
        ("recipe-tip/scripted-01", "warm/own-samples/recipe-tip/scripted-01"),
        ("recipe-tip/scripted-02", "warm/own-samples/recipe-tip/scripted-02"),
        ("recipe-tip/scripted-02", "cold/own-samples/recipe-tip/scripted-01"),
        ("quiz-progress/scripted-01", "warm/own-samples/quiz-progress/scripted-01"),
        ("chat-dark/scripted-01", "cold/own-samples/chat-dark/scripted-01"),
    ] {
        copy_folder(&sample(from), &out.join(to));
    }
}

#[test]
fn two_batches_are_matched_by_task_with_repeats_averaged_and_the_missing_named() {
    let out = tempfile::tempdir().unwrap();
    two_batches(out.path());
    let [warm, cold] = ["warm", "cold"].map(|name| out.path().join(name).display().to_string());
    let compared = |first: &str, second: &str, json: &[&str]| {
        let mut command = program();
        command.arg("compare").arg(out.path()).arg("--tasks").arg(tasks());
        command.args(["--by", "folder", "--first", first, "--second", second, "--no-cache"]);
        let output = command.args(["--metric", "ssim/uniform7"]).args(json).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    let found: Value = serde_json::from_str(&compared(&warm, &cold, &["--json"])).unwrap();
    assert_eq!(found["groups"][0], serde_json::json!({"name": warm, "runs": 3}));
    assert_eq!(found["missing"]["first"], serde_json::json!(["chat-dark"]));
    assert_eq!(found["missing"]["second"], serde_json::json!(["quiz-progress"]));
    let rows = found["tasks"].as_array().unwrap();
    let ids: Vec<&str> = rows.iter().map(|row| row["task"].as_str().unwrap()).collect();
    assert_eq!(ids, ["chat-dark", "quiz-progress", "recipe-tip"]);
    assert_eq!((&rows[0]["difference"], &rows[0]["first"]["mean"]), (&Value::Null, &Value::Null));
    let both = &rows[2];
    assert_eq!((&both["first"]["measured"], &both["second"]["measured"]), (&2.into(), &1.into()));
    let mean = |side: &str| both[side]["mean"].as_f64().unwrap();
    let difference = both["difference"].as_f64().unwrap();
    assert!((mean("first") - mean("second") - difference).abs() < 1e-12);
    // The second has one of the first's two runs, so that half of what these differ is left.
    assert!(difference != 0.0, "the two runs are not of one score");
    let counts = &found["contingency"];
    let all =
        ["both", "only_first", "only_second", "neither"].map(|it| counts[it].as_u64().unwrap());
    assert_eq!(all.iter().sum::<u64>(), 1);
    // The other way round everything is turned round.
    let turned: Value = serde_json::from_str(&compared(&cold, &warm, &["--json"])).unwrap();
    let turned = turned["tasks"][2]["difference"].as_f64().unwrap();
    assert!((turned + difference).abs() < 1e-12);
    let text = compared(&warm, &cold, &[]);
    assert!(text.contains("1 tasks of both") && text.contains("up to 2 of"), "{text}");
    assert!(text.contains("is missing at 1: quiz-progress"), "{text}");
    assert!(text.contains(": pentimento compare "), "{text}");
    assert!(found["command"].as_str().unwrap().starts_with("pentimento compare "));

    // The tasks as a file, which says what was found over them.
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("tasks.csv").display().to_string();
    drop(compared(&warm, &cold, &["--table", &file]));
    let mut reader = csv::Reader::from_path(&file).unwrap();
    let heads = reader.headers().unwrap().clone();
    assert_eq!([&heads[0], &heads[1], &heads[6]], ["set", "task", "difference"]);
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 3);
    assert_eq!([&rows[0][2], &rows[0][6]], ["", ""], "a task of one group alone");
    assert_eq!([&rows[2][3], &rows[2][5]], ["2", "1"]);
    assert_eq!(rows[2][6].parse::<f64>().unwrap(), difference);
    let about = std::fs::read(format!("{file}.json")).unwrap();
    let about: Value = serde_json::from_slice(&about).unwrap();
    assert_eq!(
        (&about["metrics"], &about["groups by"]),
        (&"ssim/uniform7".into(), &"folder".into())
    );
    assert_eq!(about["finding 1"], "1 tasks of both");
    assert!(about["command"].as_str().unwrap().contains(" --table "), "{about}");
}

#[test]
fn of_damaged_runs_it_is_said_what_is_lost() {
    let out = tempfile::tempdir().unwrap();
    two_batches(out.path());
    let damaged = out.path().join("cold/own-samples/recipe-tip/scripted-01/events.jsonl");
    let events = std::fs::read(&damaged).unwrap();
    std::fs::write(&damaged, &events[..events.len() / 2]).unwrap();
    let is_told = |output: &std::process::Output| {
        assert!(output.status.success(), "{}", stderr(output));
        let told = stderr(output);
        let mut lines = told.lines().filter(|line| line.starts_with("warning: "));
        let line = lines.find(|line| line.contains("cold/own-samples/recipe-tip/scripted-01"));
        assert!(line.is_some_and(|line| line.contains(" whole; ")), "{told}");
    };
    let mut command = program();
    command.arg("compare").arg(out.path()).arg("--tasks").arg(tasks());
    let output = command.args(["--by", "folder", "--metric", "calls", "--json"]).output().unwrap();
    is_told(&output);
    let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(found["torn"].as_array().unwrap().len(), 1);
    let runs = ["warm", "cold"].map(|it| out.path().join(it).join("own-samples/recipe-tip"));
    let mut command = program();
    command.arg("compare").args(runs).arg("--tasks").arg(tasks());
    is_told(&command.output().unwrap());
    let mut command = program();
    command.args(["report", "tables", "--no-cache", "--only", "canvas-1"]).arg(out.path());
    let output = command.arg("--tasks").arg(tasks()).output().unwrap();
    is_told(&output);
    let words = "Counted only as far as the record is whole: 1 run with a damaged one (";
    assert!(stdout(&output).contains(words), "{}", stdout(&output));
}

#[test]
fn what_passes_has_to_be_said_of_a_metric_of_which_one_is_not_the_best() {
    let out = tempfile::tempdir().unwrap();
    two_batches(out.path());
    let [warm, cold] = ["warm", "cold"].map(|name| out.path().join(name).display().to_string());
    let compared = |rest: &[&str]| -> Value {
        let mut command = program();
        command.arg("compare").arg(out.path()).arg("--tasks").arg(tasks());
        command.args(["--by", "folder", "--first", &warm, "--second", &cold, "--no-cache"]);
        command.args(["--metric", "color_difference/ciede2000", "--json"]);
        let output = command.args(rest).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        serde_json::from_str(&stdout(&output)).unwrap()
    };
    let found = compared(&[]);
    assert_eq!((&found["contingency"], &found["passes_from"]), (&Value::Null, &Value::Null));
    let why = found["mcnemar"]["missing"].as_str().unwrap();
    assert!(why.contains("color_difference/ciede2000") && why.contains("--passes-from"), "{why}");
    // Of one task there is neither an interval nor a spread.
    for (figure, words) in
        [("mean_difference", "too few items: 1"), ("cohen_d", "too few values: 1")]
    {
        let why = found[figure]["missing"].as_str().unwrap();
        assert!(why.contains(words), "{why}");
    }
    // Less is better: nothing is further apart than this, so that both pass.
    let found = compared(&["--passes-from", "120"]);
    assert_eq!((&found["contingency"]["both"], &found["passes_from"]), (&1.into(), &120.0.into()));
}

/// Two batches and their tasks in one folder, held against each other in *Explore*.
fn batches_in_explore(root: &Path) -> Session {
    two_batches(root);
    for folder in ["modification", "replication"] {
        copy_folder(&tasks().join(folder), &root.join("set").join(folder));
    }
    std::fs::copy(tasks().join("taskset.json"), root.join("set/taskset.json")).unwrap();
    let state = State::new(Settings::default(), root.join("new"));
    let config = WorkerConfig { drawing_threads: 2, ..WorkerConfig::default() };
    let mut session = Session::start(state, config, || {}).unwrap();
    session.carry_out(Command::Annotate(AnnotateCommand::Show(Workspace::Explore)));
    session.carry_out(Command::Open(vec![root.to_path_buf()]));
    let [warm, cold] = ["warm", "cold"].map(|name| root.join(name).display().to_string());
    session.carry_out(Command::Explore(ExploreCommand::PairBy(Column::Folder)));
    session.carry_out(Command::Explore(ExploreCommand::Pair(warm, cold)));
    session
}

/// Whether so many runs have a value, and the difference of the groups is tested.
fn are_compared(state: &State, runs: usize) -> bool {
    let Some(pair) = &state.explore.table.pair else { return false };
    let sides = pair.tasks.iter().flat_map(|task| GroupSide::BOTH.map(|side| task.side(side)));
    let tested = pair.difference.as_ref().and_then(|key| state.derived.statistics.get(key));
    sides.map(|side| side.measured).sum::<usize>() == runs
        && matches!(tested, Some(Fetched::Ready(_)))
}

#[test]
fn the_table_of_two_groups_in_explore_is_the_one_that_its_command_writes() {
    let (root, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut session = batches_in_explore(root.path());
    let file = out.path().join("written.csv");
    for (commands, runs, words) in [
        (vec![], 5, "--metric=ssim/uniform7"),
        (
            vec![ExploreCommand::SetFilter("-task:chat-dark".to_owned())],
            4,
            "--filter=-task:chat-dark",
        ),
        (
            vec![ExploreCommand::Metric(Column::Calls), ExploreCommand::PassesFrom(Some(30.0))],
            4,
            "--metric=calls --passes-from=30",
        ),
    ] {
        for command in commands {
            session.carry_out(Command::Explore(command));
        }
        until(&mut session, "both batches are compared", |state| are_compared(state, runs));
        let csv = TableFile::Text(TableFormat::Csv);
        let table = session.state().exported_table(ExportedTable::MatchedTasks, csv).unwrap();
        let command = table.about.iter().find(|(name, _)| name == "command").unwrap().1.clone();
        assert!(command.contains(words), "{command}");
        let written = run_line(&command.replace("tasks.csv", &file.display().to_string()));
        assert!(written.status.success(), "{command}: {}", stderr(&written));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), table.to_csv());
        // Both say the same of it: groups, filter, and what is found over the tasks.
        let about = std::fs::read(out.path().join("written.csv.json")).unwrap();
        let about: Value = serde_json::from_slice(&about).unwrap();
        for (name, value) in table.about.iter().filter(|(name, _)| name != "command") {
            assert_eq!(about[name], value.as_str(), "{name}");
        }
        assert_eq!(about.as_object().unwrap().len(), table.about.len(), "{about}");
    }
}

#[test]
fn a_labelling_project_is_named_in_the_command_of_two_groups_only_where_it_counts() {
    let root = tempfile::tempdir().unwrap();
    let mut session = batches_in_explore(root.path());
    until(&mut session, "both batches are compared", |state| are_compared(state, 5));
    let mut state = session.state().clone();
    let path = tasks().join("labels/first-study.labels");
    let read = pentimento::worker::read_labels(&path).unwrap();
    drop(handle(&mut state, Command::Annotate(AnnotateCommand::Open(path.clone()))));
    drop(apply(&mut state, Event::Labels(LabelNews::Opened { path, result: Ok(read) })));
    drop(handle(&mut state, Command::Annotate(AnnotateCommand::Show(Workspace::Explore))));
    for (command, is_named) in [
        (ExploreCommand::SetFilter("-task:chat-dark".to_owned()), false),
        (ExploreCommand::SetFilter("-task:chat-dark -labels>3".to_owned()), true),
        (ExploreCommand::SetFilter(String::new()), false),
        (ExploreCommand::Metric(Column::Ndec), true),
    ] {
        drop(handle(&mut state, Command::Explore(command)));
        let csv = TableFile::Text(TableFormat::Csv);
        let table = state.exported_table(ExportedTable::MatchedTasks, csv).unwrap();
        let command = &table.about.iter().find(|(name, _)| name == "command").unwrap().1;
        assert_eq!(command.contains("--labels"), is_named, "{command}");
    }
}

#[test]
fn groups_are_compared_by_a_column_of_numbers_and_not_by_words() {
    let out = tempfile::tempdir().unwrap();
    two_batches(out.path());
    let (runs, tasks) = (out.path().display().to_string(), tasks().display().to_string());
    let base = ["compare", &runs, "--tasks", &tasks, "--by", "folder", "--metric"];
    let with = |rest: &[&str]| program().args(base).args(rest).output().unwrap();
    let output = with(&["calls", "--json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!((&found["metric"], &found["contingency"]), (&"calls".into(), &Value::Null));
    let both = found["tasks"].as_array().unwrap().iter().find(|it| it["task"] == "recipe-tip");
    let mean = both.unwrap()["first"]["mean"].as_f64().unwrap();
    assert!(mean >= 1.0, "a run has calls: {mean}");
    assert_fails(&with(&["category"]), &["category is a column of words"]);
    assert_fails(&with(&["calls", "--filter", "task:nowhere"]), &["the filter leaves no run"]);
}

/// The shares of yes of all checklists that were answered, by model and task, from the tables that were imported.
fn shares_of_checks(samples: &Path, project: &Path) -> BTreeMap<(String, String), Vec<f64>> {
    let items = LabelFile::open(project, WriterId(1)).unwrap().items().unwrap();
    let mut shares: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    for person in ["careful", "hurried", "lenient"] {
        let table = samples.join(format!("labels/answers/{person}.csv"));
        let mut reader = csv::Reader::from_path(table).unwrap();
        let first = reader.headers().unwrap().iter().position(|it| it == "smart_objects").unwrap();
        let rows = reader.records().map(Result::unwrap);
        for row in rows.filter(|row| &row[2] == "ndec") {
            let item = items.iter().find(|item| item.id.0 == row[1]).unwrap();
            let of = (item.runs[0].model.clone(), item.task.as_ref().unwrap().id.clone());
            let yes = row.iter().skip(first).filter(|cell| *cell == "yes").count();
            shares.entry(of).or_default().push(yes as f64 / 6.0);
        }
    }
    shares
}

#[test]
fn groups_are_compared_by_the_answers_of_a_labelling_project_that_is_counted_or_refused() {
    let dir = first_study::copied();
    let project = dir.path().join("labels/first-study.labels");
    // Some of the runs that are labelled lie beside the project.
    let beside = dir.path().join("labels/runs");
    let [root, beside, labels] =
        [dir.path(), &beside, &project].map(|path| path.display().to_string());
    let base = ["compare", &root, &beside, "--labels", &labels, "--by", "model"];
    let groups = ["--first", "tracer", "--second", "scripted", "--json"];
    let with = |rest: &[&str]| program().args(base).args(groups).args(rest).output().unwrap();
    let output = with(&["--metric", "ndec"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let shares = shares_of_checks(dir.path(), &project);
    let tasks = found["tasks"].as_array().unwrap();
    assert!(tasks.len() > 7, "{tasks:?}");
    for task in tasks {
        let id = task["task"].as_str().unwrap();
        for (model, side) in [("tracer", "first"), ("scripted", "second")] {
            let of_side = shares.get(&(model.to_owned(), id.to_owned()));
            let mean = of_side.map(|shares| shares.iter().sum::<f64>() / shares.len() as f64);
            let found = task[side]["mean"].as_f64();
            assert_eq!(found.is_some(), mean.is_some(), "{model} on {id}");
            let (found, mean) = (found.unwrap_or_default(), mean.unwrap_or_default());
            assert!((found - mean).abs() < 1e-9, "{model} on {id}: {found} {mean}");
        }
    }

    // Of a filter: only runs of pairs that were answered, which are of both models.
    let output = with(&["--metric", "calls", "--filter", "preferred>=0"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let pairs = found["tasks"].as_array().unwrap();
    assert!(!pairs.is_empty() && pairs.len() < tasks.len(), "{pairs:?}");
    assert!(pairs.iter().all(|task| task["difference"].is_number()), "{pairs:?}");

    for rest in [&["--metric", "calls"][..], &["--metric", "calls", "--filter", "turns>1"], &[]] {
        let words = ["nothing is counted of --labels", "--metric answers", "--filter"];
        assert_fails(&with(rest), &words);
    }
}

#[test]
fn groups_are_compared_by_captions_that_were_made_before() {
    let out = tempfile::tempdir().unwrap();
    let captions = out.path().join("captions.json");
    std::fs::write(
        &captions,
        r#"[{"case_id": "now-playing-tracer", "gt_caption": "a song", "gen_caption": "a song"},
            {"case_id": "now-playing-scripted", "gt_caption": "a song",
             "gen_caption": "a song in a list of others"}]"#,
    )
    .unwrap();
    let id = "caption_similarity/canvas";
    let runs = ["tracer-01", "scripted-01"].map(|run| sample("now-playing").join(run));
    let json = |command: &[&str], runs: &[PathBuf], rest: &[&str]| -> Value {
        let mut line = program();
        line.args(command).args(runs).arg("--tasks").arg(tasks()).args(rest).arg("--json");
        let output = line.arg("--captions").arg(&captions).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        serde_json::from_str(&stdout(&output)).unwrap()
    };
    let groups = ["--by", "model", "--first", "tracer", "--second", "scripted"];
    let rest = [&groups[..], &["--metric", id, "--no-cache"]].concat();
    let found = json(&["compare"], &runs, &rest);
    assert_eq!(found["metric"], id);
    let means = ["first", "second"].map(|side| found["tasks"][0][side]["mean"].as_f64().unwrap());
    assert!(means[0] == 1.0 && means[1] < 1.0, "{means:?}");
    for (run, mean) in runs.into_iter().zip(means) {
        let scored = json(&["score"], &[run], &["--only", id]);
        assert_eq!(scored["runs"][0]["scores"][0]["value"].as_f64(), Some(mean));
    }
}

#[test]
fn groups_that_are_not_there_are_named_with_those_that_are() {
    let out = tempfile::tempdir().unwrap();
    two_batches(out.path());
    let (runs, tasks) = (out.path().display().to_string(), tasks().display().to_string());
    let base = ["compare", &runs, "--tasks", &tasks, "--by"];
    let with = |rest: &[&str]| program().args(base).args(rest).output().unwrap();
    assert_fails(&with(&["agent"]), &["two groups are needed", "scripted (5 runs)"]);
    let named = ["folder", "--first", "warm", "--second", "cold"];
    assert_fails(&with(&named), &["no group \"warm\" by folder", "3 runs"]);
    for wrong in [&["colour"][..], &["settings."], &["folder", "--first", "a"]] {
        assert_eq!(with(wrong).status.code(), Some(2), "{wrong:?}");
    }
}
