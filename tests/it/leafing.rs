//! Leafing through many runs: only what is looked at is read and kept.

use pentimento::metric::Score;
use pentimento::run::Outcome;
use pentimento::workbench::views;
use pentimento::workbench::{
    Command, Event, READ_RUNS, Request, RunId, RunState, State, apply, handle,
};

use super::workbench::{listed, load, opened};

/// Far more runs than are kept.
const MANY: usize = READ_RUNS * 3;

/// A library of many runs, the first on the stage.
fn many() -> State {
    let (mut state, _) = opened();
    let one = |at: usize| {
        let mut run = listed("login", &format!("agent-{at:04}"), 5, Outcome::Completed);
        run.manifest.id = format!("run-{at}");
        run
    };
    apply(&mut state, Event::Found { runs: (0..MANY).map(one).collect() });
    assert_eq!(state.library.runs.len(), MANY + 4);
    state
}

fn loaded(state: &State) -> Vec<RunId> {
    let runs = state.library.runs.iter();
    runs.filter(|(_, run)| run.loaded.is_some()).map(|(id, _)| *id).collect()
}

#[test]
fn runs_that_were_passed_by_are_not_read() {
    let mut state = many();
    let mut waiting = None;
    for _ in 0..20 {
        let asked = handle(&mut state, Command::SelectRunBy(1));
        let load = asked.iter().find_map(|request| match request {
            Request::LoadRun { job, run, .. } => Some((*job, *run)),
            _ => None,
        });
        let (job, run) = load.expect("the one that is selected is read");
        assert_eq!(Some(run), state.selection.run);
        if let Some(before) = waiting.replace(job) {
            let is_stopped = |it: &Request| matches!(it, Request::Cancel(of) if *of == before);
            assert!(asked.iter().any(is_stopped), "the one before is not");
        }
    }
    // Nothing was read of them; going back asks for one again.
    let asked = handle(&mut state, Command::SelectRunBy(-1));
    assert!(asked.iter().any(|request| matches!(request, Request::LoadRun { .. })));
}

#[test]
fn of_runs_read_long_ago_only_what_the_library_shows_is_kept() {
    let mut state = many();
    let order = views::run_order(&state);
    let mut forgotten = Vec::new();
    for run in &order {
        let mut asked = handle(&mut state, Command::SelectRun(*run));
        asked.extend(load(&mut state, run.0, 5, false));
        state.library.runs.get_mut(run).unwrap().last_score = Some(Score::Value(0.5));
        forgotten.extend(asked.into_iter().filter_map(|request| match request {
            Request::Forget(run) => Some(run),
            _ => None,
        }));
        assert!(loaded(&state).len() <= READ_RUNS + 1, "{}", loaded(&state).len());
        assert!(loaded(&state).contains(run), "the one on the stage stays");
    }
    assert_eq!(forgotten, order[..order.len() - READ_RUNS - 1], "those looked at first go first");
    let first = &state.library.runs[&order[0]];
    assert_eq!((first.steps, first.last_score.as_ref()), (5, Some(&Score::Value(0.5))));
    let asked = handle(&mut state, Command::SelectRun(order[0]));
    let is_read_again =
        |it: &Request| matches!(it, Request::LoadRun { run, .. } if *run == order[0]);
    assert!(asked.iter().any(is_read_again));
}

#[test]
fn a_live_run_stays_whole_however_many_others_are_looked_at() {
    let mut state = many();
    let order = views::run_order(&state);
    let live = order[0];
    handle(&mut state, Command::SelectRun(live));
    let entry = state.library.runs.get_mut(&live).unwrap();
    entry.manifest.outcome = Outcome::Running;
    load(&mut state, live.0, 5, true);
    assert_eq!(state.library.runs[&live].state, RunState::Live);
    for run in &order[1..] {
        handle(&mut state, Command::SelectRun(*run));
        load(&mut state, run.0, 5, false);
    }
    assert!(state.library.runs[&live].loaded.is_some());
}
