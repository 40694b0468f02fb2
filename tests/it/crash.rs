//! A process killed in the middle of a run.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use pentimento::agent::runner::{NoObserver, RunLimits};
use pentimento::agent::{Agent, AgentError, AgentLog, AgentTurn, AgentView};
use pentimento::base::CancelToken;
use pentimento::environment::ToolCall;
use pentimento::run::replay::Replay;
use pentimento::run::{AgentRef, Outcome, folder, reader};
use serde_json::json;

use crate::agent::run_in;
use crate::mock::Marks;

/// The folder the child records into.
const DIR_VARIABLE: &str = "PENTIMENTO_TEST_RUN_DIR";

/// Makes two marks a turn, for ever.
struct Tireless;

impl Agent for Tireless {
    fn identity(&self) -> AgentRef {
        AgentRef { kind: "tireless".into(), name: "tireless".into(), version: None }
    }

    fn next_turn(
        &mut self,
        view: &AgentView<'_>,
        _: &mut dyn AgentLog,
        _: &CancelToken,
    ) -> Result<AgentTurn, AgentError> {
        std::thread::sleep(Duration::from_millis(3));
        let call = |n| ToolCall {
            id: format!("{n}"),
            name: "mark".into(),
            arguments: json!({ "n": view.turn * 2 + n }),
        };
        let thought = format!("Turn {}", view.turn);
        Ok(AgentTurn { thought, calls: vec![call(0), call(1)], ..AgentTurn::default() })
    }
}

#[test]
#[ignore = "the child of killing_the_process_loses_at_most_the_turn_in_flight"]
fn records_until_it_is_killed() {
    let dir = PathBuf::from(std::env::var_os(DIR_VARIABLE).expect("only the test below runs this"));
    let limits = RunLimits {
        max_turns: 20_000,
        max_calls: u32::MAX,
        max_seconds: Some(60.0),
        ..RunLimits::default()
    };
    run_in(&dir, &mut Tireless, limits, &CancelToken::new(), &mut NoObserver);
}

fn start_child(dir: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::records_until_it_is_killed", "--ignored"])
        .env(DIR_VARIABLE, dir)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Waits until the run on disk counts so many turns, and gives how many it counts.
fn wait_for_turns(dir: &Path, turns: u32) -> u32 {
    let began = Instant::now();
    loop {
        let counted = reader::peek(dir).map_or(0, |peek| peek.manifest.totals.turns);
        if counted >= turns {
            return counted;
        }
        assert!(began.elapsed() < Duration::from_mins(1), "the child does not record");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn killing_the_process_loses_at_most_the_turn_in_flight() {
    for turns in [1, 4, 9] {
        let dir = tempfile::tempdir().unwrap();
        let run_dir = dir.path().join("run");
        let mut child = start_child(&run_dir);
        let counted = wait_for_turns(&run_dir, turns);
        assert!(folder::is_live(&run_dir));
        child.kill().unwrap();
        child.wait().unwrap();

        assert!(!folder::is_live(&run_dir));
        let run = reader::open(&run_dir).unwrap();
        assert_eq!(run.manifest.outcome, Outcome::Running, "nobody wrote an end");
        assert!(run.turns.len() >= counted as usize, "every finished turn is there");
        for turn in &run.turns {
            assert_eq!((turn.step_count, turn.observation.is_some()), (2, true));
            assert_eq!(turn.thought, format!("Turn {}", turn.number));
        }
        let steps = run.steps.len() as u32;
        let mut replay = Replay::new(Arc::new(run), &Marks::open).unwrap();
        replay.environment_at(steps, &CancelToken::new()).unwrap();
        assert_eq!(replay.divergences().count(), 0);
    }
}
