use pentimento::run::Outcome;
use serde_json::json;

use super::{colour, imported, png, record, write, write_json};

#[test]
fn the_picture_after_a_step_is_the_one_before_the_next() {
    let dir = tempfile::tempdir().unwrap();
    for number in 0..3 {
        write(&dir.path().join(format!("images/{number}.png")), png([number, 0, 0]));
    }
    let step = |number: u32, code: &str| {
        json!({
            "index": number, "image": format!("{number}.png"),
            "value": {"code": code, "thought": "So it goes.", "observation": "A window.", "last_step_correct": true},
        })
    };
    let task = json!({
        "task_id": "t-1", "instruction": "Make it blue.", "task_completed": true, "alignment_score": 8,
        "traj": [step(0, "pyautogui.click(x=0.5, y=0.3)"), step(1, "pyautogui.write('a')"), step(2, "computer.terminate(status='success')")],
    });
    write(
        &dir.path().join("data.jsonl"),
        format!("{task}\n{{\"task_id\": \"t-2\", \"traj\": []}}\n{{\"torn\n"),
    );
    let imported = imported(&[dir.path()]);
    let run = imported.run();
    assert_eq!((&*run.manifest.task.set, &*run.manifest.task.id), ("agentnet", "t-1"));
    assert_eq!(
        [1, 2, 3].map(|step| colour(&run, step).map(|rgb| rgb[0])),
        [Some(1), Some(2), None]
    );
    assert!(record(&run).start_picture.is_some());
    assert_eq!(run.turns[0].thought, "A window.\n\nSo it goes.");
    assert_eq!(run.steps[0].call.as_ref().unwrap().name, "pyautogui.click");
    assert_eq!(record(&run).scores["alignment_score"], 8);
    assert_eq!(record(&run).outcome.as_deref(), Some("computer.terminate(status='success')"));
    assert_eq!(run.manifest.outcome, Outcome::Completed);
    assert_eq!(imported.reason("data.jsonl:2"), "the task has no step");
    assert!(imported.reason("data.jsonl:3").contains("not valid JSON"));
}

#[test]
fn the_benchmark_has_a_shape_of_its_own_and_pictures_may_be_missing() {
    let dir = tempfile::tempdir().unwrap();
    let task = json!({
        "task_id": "b-1", "high_level_task_description": "Open the file.", "user_task_description": "open",
        "steps": [
            {"step_num": 0, "image": "a.png", "action": "", "milestone": true,
             "inner_monologue": {"observation": "Files.", "thought": "Click.", "low_level_instruction": "Click it."},
             "ground_truth_actions": [{"type": "click", "params": {"position": {"x": 0.1, "y": 0.2}}, "metadata": {}}]},
            {"step_num": 1, "image": "../../secret.png", "action": "pyautogui.press('enter')"},
        ],
    });
    write_json(&dir.path().join("task.json"), &task);
    let imported = imported(&[&dir.path().join("task.json")]);
    let run = imported.run();
    assert_eq!(run.steps[0].call.as_ref().unwrap().name, "click");
    assert_eq!(run.turns[0].thought, "Files.\n\nClick.\n\nClick it.");
    let warnings = &imported.report.runs[0].warnings;
    assert!(warnings[0].contains("\"a.png\" is missing"), "{warnings:?}");
    assert!(warnings[1].contains("leads out of the folder"), "{warnings:?}");
    assert_eq!(record(&run).outcome, None);
}
