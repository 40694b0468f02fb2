use std::path::Path;

use pentimento::evaluate::has_come_to_end;
use pentimento::run::Outcome;
use serde_json::{Value, json};

use super::{colour, imported, png, record, write, write_json, write_lines};

/// The folder of a task below those that say who acted.
fn task(root: &Path, id: &str) -> std::path::PathBuf {
    root.join("pyautogui/screenshot/some-model/gimp").join(id)
}

fn step(number: u32, action: &Value, file: &Value) -> Value {
    json!({
        "step_num": number, "action_timestamp": "20250615@101530", "action": action,
        "response": "I click.", "reward": 0, "done": false, "info": {}, "screenshot_file": file,
    })
}

#[test]
fn a_result_of_the_current_runner_is_read_whole() {
    let dir = tempfile::tempdir().unwrap();
    let folder = task(dir.path(), "7a4deb26");
    write_lines(
        &folder.join("traj.jsonl"),
        &[
            step(1, &json!("pyautogui.click(3, 4)"), &json!("step_1_20250615@101530.png")),
            step(
                2,
                &json!("tag_1=(10, 20)\npyautogui.click(*tag_1)"),
                &json!("step_2_20250615@101530.png"),
            ),
            // Two actions of one answer.
            step(2, &json!("pyautogui.write('a')"), &json!("step_2_20250615@101531.png")),
            step(3, &json!("DONE"), &json!(null)),
        ],
    );
    for (file, red) in [
        ("step_1_20250615@101530", 1),
        ("step_2_20250615@101530", 2),
        ("step_2_20250615@101531", 3),
        ("initial_state", 7),
    ] {
        write(&folder.join(format!("{file}.png")), png([red, 0, 0]));
    }
    write(&folder.join("result.txt"), "0.5\n");
    write(&folder.join("instruction.txt"), "Rotate the picture.\n");
    write(&folder.join("runtime.log"), "INFO");
    write_json(
        &dir.path().join("pyautogui/screenshot/some-model/args.json"),
        &json!({
            "model": "some-model-2", "max_steps": 15, "api_key": "secret",
        }),
    );
    let imported = imported(&[dir.path()]);
    let run = imported.run();
    assert_eq!(imported.report.runs[0].warnings, [] as [&str; 0]);
    assert_eq!((&*run.manifest.task.set, &*run.manifest.task.id), ("osworld", "gimp/7a4deb26"));
    assert_eq!(run.manifest.agent.name, "some-model-2");
    assert_eq!((run.turns.len(), run.steps.len()), (3, 4));
    assert_eq!(
        [1, 2, 3, 4].map(|step| colour(&run, step).map(|rgb| rgb[0])),
        [Some(1), Some(2), Some(3), None]
    );
    let second = run.steps[1].call.as_ref().unwrap();
    assert_eq!(second.name, "pyautogui.click");
    assert_eq!(second.arguments["code"], "pyautogui.click(*(10, 20))");
    assert_eq!(run.turns[0].thought, "I click.");
    let record = record(&run);
    assert_eq!((&record.scores["result"], record.outcome.as_deref()), (&json!(0.5), Some("DONE")));
    assert_eq!(record.instruction.as_deref(), Some("Rotate the picture."));
    assert!(record.start_picture.is_some());
    assert_eq!(
        (&record.facts["max_steps"], &record.facts["action_space"]),
        (&json!(15), &json!("pyautogui"))
    );
    // Keys of the runner's settings that are not known stay where they are.
    let manifest = std::fs::read_to_string(imported.report.runs[0].dir.join("run.json")).unwrap();
    assert!(!manifest.contains("secret"));
    // In which zone the machine's clock was is not known.
    assert_eq!((&*run.manifest.started, run.manifest.totals.seconds), ("", 0.0));
    assert_eq!(record.facts["first_action_local_time"], "20250615@101530");
}

#[test]
fn every_older_and_newer_shape_of_a_line_is_taken() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("t");
    write_lines(
        &folder.join("traj.jsonl"),
        &[
            json!({"instruction": "Do it.", "initial_state": "initial_state.png"}),
            // 2024: no response; objects as actions; the picture found by step and time.
            json!({"step_num": 1, "action_timestamp": "20240101@000000", "action": {"action_type": "CLICK", "parameters": {"x": 5}}, "reward": 0, "done": false, "info": {}}),
            json!({"step_num": 2, "action_timestamp": "20240101@000001", "action": {"action_type": "TYPING", "text": "hi"}, "response": {"content": "typing"}, "reward": 0, "done": false, "info": {}}),
            // 2026: microseconds, an answer without an action.
            json!({"step_num": 3, "action_index": 0, "action_timestamp": "20260101@000002123456", "action": null, "screenshot_file": null, "response": null, "natural_language_action": "wait a little", "step_info": {"a": 1}}),
            json!({"step_num": 4, "action": "FAIL", "done": true, "info": {"fail": true}, "screenshot_file": "../../etc/passwd"}),
            json!({"Error": "Time limit exceeded in gimp/t"}),
        ],
    );
    write(&folder.join("step_1_20240101@000000.png"), png([1, 0, 0]));
    write(&folder.join("step_2_0_20240101@000001.png"), png([2, 0, 0]));
    let imported = imported(&[&folder]);
    let run = imported.run();
    assert_eq!((run.turns.len(), run.steps.len()), (4, 3));
    assert_eq!(run.steps[0].call.as_ref().unwrap().arguments, json!({"x": 5}));
    assert_eq!(run.steps[1].call.as_ref().unwrap().arguments, json!({"text": "hi"}));
    assert_eq!([1, 2].map(|step| colour(&run, step).map(|rgb| rgb[0])), [Some(1), Some(2)]);
    assert_eq!((&*run.turns[1].thought, &*run.turns[2].thought), ("typing", "wait a little"));
    assert!(matches!(run.manifest.outcome, Outcome::LimitReached(_)), "{:?}", run.manifest.outcome);
    let warnings = &imported.report.runs[0].warnings;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0].contains("\"passwd\" is missing") && warnings[0].contains("traj.jsonl:5"),
        "{warnings:?}"
    );
    assert_eq!(record(&run).instruction.as_deref(), Some("Do it."));
}

#[test]
fn a_torn_trajectory_keeps_its_whole_lines_and_an_unfinished_one_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("screens");
    let first = step(1, &json!("pyautogui.click(1, 2)"), &json!(null));
    write(&folder.join("trajectory.jsonl"), format!("{first}\n{{\"step_num\": 2, \"act"));
    write(&folder.join("screenshots/step_1_20250615@101530.png"), png([4, 0, 0]));
    let imported = imported(&[dir.path()]);
    let run = imported.run();
    assert_eq!((run.steps.len(), colour(&run, 1)), (1, Some([4, 0, 0])));
    assert_eq!(run.manifest.outcome, Outcome::Cancelled);
    assert!(
        imported.report.runs[0].warnings[0].contains("trajectory.jsonl:2"),
        "{:?}",
        imported.report
    );
}

#[test]
fn what_was_done_but_not_scored_is_unfinished_and_says_its_last_word() {
    let dir = tempfile::tempdir().unwrap();
    for word in ["DONE", "FAIL"] {
        let folder = task(dir.path(), word);
        write_lines(&folder.join("traj.jsonl"), &[step(1, &json!(word), &json!(null))]);
    }
    let before = imported(&[dir.path()]);
    for run in before.runs() {
        assert_eq!(run.manifest.outcome, Outcome::Cancelled);
        let word = run.manifest.task.id.rsplit('/').next().unwrap();
        let said = format!("{word}, no result.txt: not scored");
        assert_eq!(record(&run).outcome.as_deref(), Some(&*said));
        assert!(!has_come_to_end(&run.manifest), "it counts in no mean");
    }
    for word in ["DONE", "FAIL"] {
        write(&task(dir.path(), word).join("result.txt"), "1.0\n");
    }
    for run in imported(&[dir.path()]).runs() {
        assert_eq!(run.manifest.outcome, Outcome::Completed);
        assert!(has_come_to_end(&run.manifest));
    }
}

#[test]
fn an_empty_result_is_no_score_and_is_said() {
    let dir = tempfile::tempdir().unwrap();
    for (id, action) in [("a", "DONE"), ("b", "WAIT")] {
        write_lines(
            &task(dir.path(), id).join("traj.jsonl"),
            &[step(1, &json!(action), &json!(null))],
        );
        write(&task(dir.path(), id).join("result.txt"), "");
    }
    let imported = imported(&[dir.path()]);
    let runs = imported.runs();
    assert_eq!(runs.len(), 2, "{:#?}", imported.report);
    for (run, told) in runs.iter().zip(&imported.report.runs) {
        let said = match &*run.manifest.task.id {
            "gimp/a" => "DONE, no score in result.txt: not scored",
            _ => "no score in result.txt: not finished",
        };
        assert_eq!(record(run).outcome.as_deref(), Some(said));
        assert!(record(run).scores.is_empty() && !has_come_to_end(&run.manifest));
        let [warning] = told.warnings.as_slice() else { panic!("{:?}", told.warnings) };
        assert!(warning.starts_with("\"\" is no score: "), "{warning}");
    }
}

#[test]
fn what_failed_before_its_first_step_is_a_run_that_failed() {
    let dir = tempfile::tempdir().unwrap();
    for (id, error) in
        [("a", "gimp/a - the machine is gone"), ("b", "Time limit exceeded in gimp/b")]
    {
        let folder = task(dir.path(), id);
        write_lines(&folder.join("traj.jsonl"), &[json!({ "Error": error })]);
        write(&folder.join("instruction.txt"), "Rotate the picture.");
    }
    // Not a trajectory: an error that some other program wrote.
    write_lines(&dir.path().join("answer.json"), &[json!({"Error": "no such page"})]);
    let imported = imported(&[dir.path()]);
    let runs = imported.runs();
    assert_eq!(runs.len(), 2, "{:#?}", imported.report);
    for run in &runs {
        assert_eq!((run.turns.len(), run.steps.len()), (0, 0));
        assert_eq!(record(run).instruction.as_deref(), Some("Rotate the picture."));
        let why = record(run).outcome.clone().unwrap();
        let outcome = match &*run.manifest.task.id {
            "gimp/a" => Outcome::Failed(why),
            _ => Outcome::LimitReached(why),
        };
        assert_eq!(run.manifest.outcome, outcome);
    }
    assert!(imported.reason("answer.json").contains("holds no step"), "{:#?}", imported.report);
}

#[test]
fn what_was_imported_is_there_the_second_time() {
    let dir = tempfile::tempdir().unwrap();
    for id in ["a", "b"] {
        write_lines(
            &task(dir.path(), id).join("traj.jsonl"),
            &[step(1, &json!("WAIT"), &json!(null))],
        );
    }
    let first = imported(&[dir.path()]);
    let ids: Vec<String> = first.report.runs.iter().map(|run| run.id.clone()).collect();
    assert_eq!(ids.len(), 2);
    let again = super::import_into(first.out.path(), &[dir.path()]);
    assert_eq!(again.runs.iter().map(|run| run.id.clone()).collect::<Vec<_>>(), ids);
    assert!(again.runs.iter().all(|run| run.was_there) && again.new_runs() == 0);
    // The same from elsewhere is the same; with one step more it is another.
    let elsewhere = tempfile::tempdir().unwrap();
    let copy = task(elsewhere.path(), "a");
    write_lines(&copy.join("traj.jsonl"), &[step(1, &json!("WAIT"), &json!(null))]);
    assert_eq!(super::import_into(first.out.path(), &[elsewhere.path()]).new_runs(), 0);
    let longer = [step(1, &json!("WAIT"), &json!(null)), step(2, &json!("DONE"), &json!(null))];
    write_lines(&copy.join("traj.jsonl"), &longer);
    let other = super::import_into(first.out.path(), &[elsewhere.path()]);
    assert_eq!(other.new_runs(), 1);
    assert!(other.runs[0].dir.ends_with("some-model-02"), "{:?}", other.runs[0].dir);
}

#[test]
fn a_score_that_comes_later_is_taken_into_the_run_that_was_there() {
    let dir = tempfile::tempdir().unwrap();
    for (id, action) in [("a", "DONE"), ("b", "WAIT"), ("c", "DONE")] {
        let folder = task(dir.path(), id);
        write_lines(&folder.join("traj.jsonl"), &[step(1, &json!(action), &json!(null))]);
    }
    write(&task(dir.path(), "c").join("result.txt"), "0.0\n");
    let first = imported(&[dir.path()]);
    let before = first.runs();
    assert!(before[..2].iter().all(|run| run.manifest.outcome == Outcome::Cancelled));
    let events: Vec<Vec<u8>> = first
        .report
        .runs
        .iter()
        .map(|run| std::fs::read(run.dir.join("events.jsonl")).unwrap())
        .collect();
    // Somebody wrote a field of theirs into it.
    let manifest = first.report.runs[0].dir.join("run.json");
    let mut fields: Value = serde_json::from_slice(&std::fs::read(&manifest).unwrap()).unwrap();
    fields["mine"] = json!("kept");
    write_json(&manifest, &fields);
    for id in ["a", "b"] {
        write(&task(dir.path(), id).join("result.txt"), "1.0\n");
    }
    let again = super::import_into(first.out.path(), &[dir.path()]);
    assert_eq!(again.summary(), "0 runs imported, 3 were there, 2 of them with new scores");
    let told: Vec<(bool, bool)> =
        again.runs.iter().map(|run| (run.was_there, run.has_new_scores)).collect();
    assert_eq!(told, [(true, true), (true, true), (true, false)]);
    for ((run, old), events) in first.runs().iter().zip(&before).zip(&events) {
        assert_eq!(run.manifest.id, old.manifest.id);
        assert_eq!(run.manifest.outcome, Outcome::Completed);
        let score = if run.manifest.task.id == "gimp/c" { 0.0 } else { 1.0 };
        assert_eq!(record(run).scores["result"], json!(score));
        assert!(has_come_to_end(&run.manifest));
        let pentimento::run::RunOrigin::Recorded { dir } = &run.origin else {
            panic!("{:?}", run.origin)
        };
        assert_eq!(&std::fs::read(dir.join("events.jsonl")).unwrap(), events);
    }
    let fields: Value = serde_json::from_slice(&std::fs::read(&manifest).unwrap()).unwrap();
    assert_eq!(fields["mine"], "kept");
    // Nothing is new any more, and a copy without its score takes none away.
    std::fs::remove_file(task(dir.path(), "a").join("result.txt")).unwrap();
    let last = super::import_into(first.out.path(), &[dir.path()]);
    assert!(last.runs.iter().all(|run| run.was_there && !run.has_new_scores), "{last:#?}");
    assert_eq!(record(&first.runs()[0]).scores["result"], json!(1.0));
}

#[test]
fn two_records_of_one_run_that_are_scored_otherwise_are_said() {
    let dir = tempfile::tempdir().unwrap();
    for (copy, score) in [("one", "1.0"), ("two", "0.0")] {
        let folder = task(&dir.path().join(copy), "a");
        write_lines(&folder.join("traj.jsonl"), &[step(1, &json!("DONE"), &json!(null))]);
        write(&folder.join("result.txt"), score);
    }
    let imported = imported(&[dir.path()]);
    assert_eq!(imported.report.new_runs(), 1, "{:#?}", imported.report);
    assert_eq!(record(&imported.runs()[0]).scores["result"], json!(1.0));
    let why = &imported.report.skipped[0].reason;
    assert!(why.contains("another outcome or other scores"), "{why}");
}
