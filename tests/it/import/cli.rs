use serde_json::{Value, json};

use super::{write, write_lines};
use crate::cli::{assert_fails, program, stderr, stdout};

#[test]
fn the_command_says_what_came_in_and_what_did_not() {
    let dir = tempfile::tempdir().unwrap();
    write_lines(
        &dir.path().join("in/log.jsonl"),
        &[
            json!({"role": "user", "content": "Hello"}),
            json!({"role": "assistant", "content": "Hi", "tool_calls": []}),
        ],
    );
    write(&dir.path().join("in/torn.json"), "{\"messages");
    let import = |more: &[&str]| {
        let mut command = program();
        command.current_dir(dir.path()).args(["import", "in", "--out", "runs"]).args(more);
        command.output().unwrap()
    };
    let first = import(&[]);
    assert!(first.status.success(), "{}", stderr(&first));
    assert!(stdout(&first).contains("1 run imported, 1 left out"), "{}", stdout(&first));
    assert!(
        stderr(&first).contains("left out: in/torn.json: it begins as JSON"),
        "{}",
        stderr(&first)
    );
    let again: Value = serde_json::from_slice(&import(&["--json"]).stdout).unwrap();
    assert_eq!((&again["imported"], &again["found"]), (&json!(0), &json!(1)));
    assert_eq!(again["runs"][0]["run"], "runs/openai/log/not-recorded-01");
    let as_other = import(&["--format", "gemini"]);
    assert_eq!(as_other.status.code(), Some(1));
    assert!(stderr(&as_other).contains("nothing could be imported"), "{}", stderr(&as_other));
}

#[test]
fn wrong_usage_is_refused_and_the_plans_have_their_own_command() {
    let run = |arguments: &[&str]| program().args(arguments).output().unwrap();
    for wrong in
        [&["import"][..], &["import", "x"], &["import", "x", "--out", "y", "--format", "z"]]
    {
        assert_eq!(run(wrong).status.code(), Some(2), "{wrong:?}");
    }
    let help = stdout(&run(&["import", "graphicbench", "--help"]));
    assert!(help.contains("--pictures"), "{help}");
    let missing = run(&["import", "/no/such/path", "--out", "/no/such/out"]);
    assert_fails(&missing, &["there is nothing at this path"]);
}
