//! Runs that are made here, as far as they have come.
//!
//! The window has a few runs on its stage, so only of those it is told everything: all of them at every
//! turn, and their answers while they grow. Of the others it hears what their rows show.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::agent::Growth;
use crate::run::builder::RunBuilder;
use crate::run::{Manifest, Run};
use crate::workbench::protocol::Answering;
use crate::workbench::{Event, RunId};

use super::mailbox::Mailbox;

/// A run that is being made.
#[derive(Debug)]
pub(in crate::worker) struct LiveRun {
    pub(in crate::worker) builder: RunBuilder,
    pub(in crate::worker) growing: Growing,
}

/// The runs that are being made, and which of them are looked at.
#[derive(Debug, Default)]
pub(in crate::worker) struct LiveRuns(Mutex<WatchedRuns>);

#[derive(Debug, Default)]
struct WatchedRuns {
    watched: Vec<RunId>,
    runs: BTreeMap<RunId, Arc<Mutex<LiveRun>>>,
}

impl LiveRuns {
    /// Enters a run.
    pub(in crate::worker) fn enter(
        &self,
        run_id: RunId,
        builder: RunBuilder,
    ) -> Arc<Mutex<LiveRun>> {
        let run = Arc::new(Mutex::new(LiveRun { builder, growing: Growing::default() }));
        self.0.lock().runs.insert(run_id, Arc::clone(&run));
        run
    }

    /// The run is made.
    pub(in crate::worker) fn leave(&self, run_id: RunId) {
        self.0.lock().runs.remove(&run_id);
    }

    /// Whether the run is one that is looked at.
    pub(in crate::worker) fn is_watched(&self, run_id: RunId) -> bool {
        self.0.lock().watched.contains(&run_id)
    }

    /// From now on these runs are looked at: all there is of those that were not is told at once.
    pub(in crate::worker) fn watch(&self, watched: Vec<RunId>, mailbox: &Mailbox) {
        let new: Vec<(RunId, Arc<Mutex<LiveRun>>)> = {
            let mut inner = self.0.lock();
            let before = std::mem::replace(&mut inner.watched, watched);
            let new = inner.watched.iter().filter(|run_id| !before.contains(run_id));
            new.filter_map(|run_id| Some((*run_id, Arc::clone(inner.runs.get(run_id)?)))).collect()
        };
        for (run_id, run) in new {
            // Held while it is told, so that no older state follows a newer one; and not the table above,
            // which the run's own thread asks while it holds this.
            let run = run.lock();
            run.emit(run_id, mailbox);
            if let Some(answering) = run.growing.told_last() {
                mailbox.send_now(Event::Answering { run_id, answering });
            }
        }
    }
}

impl LiveRun {
    /// Tells all of it.
    pub(in crate::worker) fn emit(&self, run_id: RunId, mailbox: &Mailbox) {
        mailbox.send_now(Event::RunRead { run_id, run: self.snapshot(), live: true });
    }

    /// The run as it is now.
    pub(in crate::worker) fn snapshot(&self) -> Arc<Run> {
        // The copy shares its turns and steps: this costs the same however long the run is.
        Arc::new(self.builder.run().clone())
    }

    /// Tells what a row shows.
    pub(in crate::worker) fn emit_growth(&self, run_id: RunId, mailbox: &Mailbox) {
        let Manifest { totals, .. } = &self.builder.run().manifest;
        let steps = u32::try_from(self.builder.run().steps.len()).unwrap_or(u32::MAX - 1);
        mailbox.send_now(Event::RunGrew { run_id, totals: totals.clone(), steps });
    }
}

/// An answer while it grows.
#[derive(Debug, Default)]
pub(in crate::worker) struct Growing {
    answering: Answering,
    told: Option<Instant>,
}

/// Longest text of an answer that is shown while it grows, in bytes.
const GROWING_BYTES: usize = 4000;
/// How often a growing answer is told of at most.
const EMIT_EVERY: Duration = Duration::from_millis(80);

impl Growing {
    /// Takes more in; whether it is time to tell.
    pub(in crate::worker) fn take(&mut self, turn: u32, growth: &Growth<'_>, now: Instant) -> bool {
        let answering = &mut self.answering;
        if answering.turn != turn || *growth == Growth::Asked {
            *answering = Answering { turn, ..Answering::default() };
        }
        // Whatever comes ends the waiting, and only that says anew why there is some.
        answering.waiting = None;
        match growth {
            Growth::Asked => {}
            Growth::Text(text) | Growth::Reasoning(text) => answering.text.push_str(text),
            Growth::Call { name, .. } => {
                answering.text.push_str("\n→ ");
                answering.text.push_str(name);
            }
            Growth::Waiting { why, secs } => {
                // The question is asked anew, and its answer begins anew.
                answering.text.clear();
                answering.waiting = Some(format!("{why}; retrying in {secs:.0} s"));
            }
        }
        keep_the_end(&mut answering.text);
        // A beginning and a pause are told at once: words come by the hundred, these by the minute.
        let is_rare = matches!(growth, Growth::Asked | Growth::Waiting { .. });
        let is_due = self.told.is_none_or(|told| now.duration_since(told) >= EMIT_EVERY);
        if is_rare || is_due {
            self.told = Some(now);
        }
        is_rare || is_due
    }

    /// What there is of the answer.
    pub(in crate::worker) fn answering(&self) -> Answering {
        self.answering.clone()
    }

    /// The same, if anything was ever asked.
    fn told_last(&self) -> Option<Answering> {
        self.told.map(|_| self.answering())
    }
}

/// Cuts a long text at its beginning.
fn keep_the_end(text: &mut String) {
    if text.len() > GROWING_BYTES {
        // Half of it, so that not every word that comes cuts again.
        let from = text.len() - GROWING_BYTES / 2;
        let from = (from..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        text.replace_range(..from, "…");
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use serde_json::json;

    use super::*;
    use crate::environment::{EnvironmentKind, ToolCall, ToolCategory, open_environment};
    use crate::evaluate::RunCanvas;
    use crate::metric::Score;
    use crate::run::{AgentRef, Event as RunEvent, RunOrigin, TaskRef};
    use crate::task::{Artifact, Task, TaskKind, TaskSet};
    use crate::workbench::protocol::ListedRun;
    use crate::workbench::{
        Command, Derived, DerivedKey, JobOutcome, Request, ScoredStep, State, Workspace, apply_all,
        handle,
    };

    /// A run that is on the stage while it is made, turn by turn: what its thread tells, what the
    /// workbench makes of it, and what a computing thread keeps of it.
    struct Watched {
        live: LiveRun,
        mailbox: Mailbox,
        state: State,
        canvas: RunCanvas,
        /// The run as it was last told.
        told: Arc<Run>,
        _dir: tempfile::TempDir,
    }

    fn task() -> Task {
        let truth = Artifact { document: None, picture: Some(PathBuf::from("truth.png")) };
        Task {
            id: "t".to_owned(),
            environment: EnvironmentKind::Canvas,
            kind: TaskKind::Replication,
            instruction: String::new(),
            start: None,
            ground_truth: Some(truth),
            canvas_size: None,
            reference_tools: Vec::new(),
            reference_plan: None,
            category: None,
            difficulty: None,
            tags: Vec::new(),
            checks: None,
            brief: None,
            given: Vec::new(),
        }
    }

    fn manifest() -> Manifest {
        let task_ref = TaskRef { set: "s".to_owned(), id: "t".to_owned() };
        let agent = AgentRef { name: "k".to_owned(), kind: "k".to_owned(), version: None };
        Manifest::new(task_ref, agent, "2026-01-01T00:00:00Z")
    }

    impl Watched {
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            let origin = RunOrigin::Recorded { dir: dir.path().to_path_buf() };
            let builder = RunBuilder::new(manifest(), origin);
            let live = LiveRun { builder, growing: Growing::default() };
            let told = live.snapshot();
            let mut state = State::default();
            let opened = handle(&mut state, Command::Open(vec![PathBuf::from("/s")]));
            let [Request::Open { job, .. }] = opened.as_slice() else { panic!("{opened:?}") };
            let set = TaskSet {
                id: "s".to_owned(),
                name: String::new(),
                dir: PathBuf::from("/s"),
                tasks: vec![Arc::new(task())],
            };
            let run = ListedRun {
                dir: dir.path().to_path_buf(),
                manifest: manifest(),
                steps: Some(0),
                live: true,
                unreadable: None,
            };
            let (sets, warnings) = (vec![(Arc::new(set), Vec::new())], Vec::new());
            let event = Event::Opened { job: *job, sets, runs: vec![run], warnings };
            apply_all(&mut state, [event]);
            Self {
                live,
                mailbox: Mailbox::new(Box::new(|| {})),
                state,
                canvas: RunCanvas::open(Arc::clone(&told), None, &open_environment).unwrap(),
                told,
                _dir: dir,
            }
        }

        /// One more turn of one step, told, taken in and scored. How many steps were not known by
        /// what was told before, and how many scores were asked for.
        fn take_turn(&mut self) -> (usize, usize) {
            let number = u32::try_from(self.told.turns.len()).unwrap() + 1;
            let call = ToolCall { id: "c".to_owned(), name: "n".to_owned(), arguments: json!({}) };
            for event in [
                RunEvent::Turn { turn: number, at: String::new() },
                RunEvent::Call { turn: number, step: number, category: ToolCategory::Other, call },
                RunEvent::TurnEnd { turn: number, seconds: 1.0 },
            ] {
                self.live.builder.push(event).unwrap();
            }
            self.live.emit(RunId(0), &self.mailbox);
            let told = self.mailbox.try_receive().unwrap();
            let Event::RunRead { run, .. } = &told else { panic!("{told:?}") };
            let fresh = run.steps.len() - run.steps.shared_with(&self.told.steps);
            self.told = Arc::clone(run);
            self.canvas.update(Arc::clone(run));
            let mut asked = 0;
            let mut events = vec![told];
            // Scoring keeps up: what is asked for is answered before the next turn.
            while !events.is_empty() {
                let requests = apply_all(&mut self.state, events.drain(..));
                for request in requests {
                    let Request::Derive { job, key: DerivedKey::Scores(key), .. } = request else {
                        continue;
                    };
                    for step in key.steps {
                        asked += 1;
                        let scores = key.variants.iter().cloned();
                        let scores = scores.map(|id| (id, Score::Value(0.5))).collect();
                        let scored = ScoredStep { run: key.run, step, scores, maps: Vec::new() };
                        events.push(Event::Derived { job, result: Ok(Derived::Scores(scored)) });
                    }
                    events.push(Event::JobEnded(job, JobOutcome::Done));
                }
            }
            (fresh, asked)
        }
    }

    #[test]
    fn a_turn_of_a_long_run_tells_as_little_as_one_of_a_short_run() {
        let mut watched = Watched::new();
        let turns: Vec<(usize, usize)> = (0..3_000).map(|_| watched.take_turn()).collect();
        assert_eq!(turns[99], turns[2_999]);
        assert_eq!(turns[2_999].0, 1, "all other steps are those told before");
        assert_eq!(watched.state.last_step(), 3_000);
    }

    /// Prints what a turn costs from the recorder to what is asked of the worker, where runs are stepped through and
    /// where the table over all runs is shown; for people, as `benches/README.md` has it:
    ///
    /// ```sh
    /// cargo test --release --lib what_a_turn_costs -- --ignored --nocapture
    /// ```
    #[test]
    #[ignore = "measures time, and holds nothing"]
    fn what_a_turn_costs() {
        const MEASURED: u32 = 100;
        for workspace in [Workspace::Inspect, Workspace::Explore] {
            let mut watched = Watched::new();
            watched.state.workspace = workspace;
            for length in [100, 1_000, 10_000] {
                while watched.told.steps.len() < length {
                    watched.take_turn();
                }
                let start = Instant::now();
                for _ in 0..MEASURED {
                    watched.take_turn();
                }
                let took = start.elapsed() / MEASURED;
                println!("{workspace:?}, {length:6} steps: {took:?} a turn");
            }
        }
    }

    #[test]
    fn a_growing_answer_is_told_of_now_and_then_and_never_long() {
        let (mut growing, start) = (Growing::default(), Instant::now());
        assert!(growing.take(1, &Growth::Asked, start));
        assert!(!growing.take(1, &Growth::Text("One "), start + EMIT_EVERY / 2));
        assert!(growing.take(1, &Growth::Text("two"), start + EMIT_EVERY));
        assert_eq!(growing.answering.text, "One two");
        let call = Growth::Call { name: "create_text", arguments: "{}" };
        growing.take(1, &call, start);
        assert_eq!(growing.answering.text, "One two\n→ create_text");
        growing.take(1, &Growth::Text(&"ä".repeat(GROWING_BYTES)), start);
        assert!(growing.answering.text.len() < GROWING_BYTES);
        assert!(growing.answering.text.starts_with('…'));
    }

    #[test]
    fn what_came_is_void_when_it_is_asked_again() {
        let (mut growing, now) = (Growing::default(), Instant::now());
        growing.take(3, &Growth::Text("I begin"), now);
        assert!(growing.take(3, &Growth::Waiting { why: "status 429", secs: 2.0 }, now));
        assert_eq!(growing.answering.waiting.as_deref(), Some("status 429; retrying in 2 s"));
        assert_eq!(growing.answering.text, "");
        growing.take(3, &Growth::Text("Again"), now);
        let answering = Answering { turn: 3, text: "Again".to_owned(), waiting: None };
        assert_eq!(growing.answering, answering);
    }
}
