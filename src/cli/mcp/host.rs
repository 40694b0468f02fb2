//! What all clients of a server share, and the runs they make.

use parking_lot::{Mutex, MutexGuard};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::{Map, Value, json};

use super::offer::Offer;
use crate::agent::batch::{TASKS_SETTING, relative_path};
use crate::agent::hosted::{Answer, HostedPlace, HostedRun, HostedTask, HostedThread, NotMade};
use crate::agent::runner::COMPAT_SETTING;
use crate::cli::output::note;
use crate::environment::ToolCall;
use crate::run::{AgentRef, Outcome, folder};

/// The server behind all connections.
#[derive(Debug)]
pub(super) struct Host {
    pub(super) offer: Offer,
    hosted: Arc<HostedTask>,
    out: PathBuf,
    set_dir: PathBuf,
    /// Clients connected now.
    guests: AtomicUsize,
    stopping: AtomicBool,
    seats: Mutex<Vec<Arc<Seat>>>,
    /// Threads of runs that were told to end, with their folders.
    ending: Mutex<Vec<(PathBuf, HostedThread)>>,
    unrecorded: AtomicUsize,
    /// Sessions that gave their place to others because their clients were gone.
    sent_away: Mutex<BTreeSet<String>>,
}

/// The place of one client: its run, once it has called a tool.
#[derive(Debug, Default)]
pub(super) struct Seat(Mutex<State>);

#[derive(Debug, Default)]
enum State {
    #[default]
    Looking,
    Drawing(PathBuf, HostedRun),
    Gone,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic while it was held left a whole value: each holder changes it in one step.
    mutex.lock()
}

impl Host {
    pub(super) fn new(offer: Offer, hosted: HostedTask, out: PathBuf, set_dir: PathBuf) -> Self {
        Self {
            offer,
            hosted: Arc::new(hosted),
            out,
            set_dir,
            guests: AtomicUsize::new(0),
            stopping: AtomicBool::new(false),
            seats: Mutex::default(),
            ending: Mutex::default(),
            unrecorded: AtomicUsize::new(0),
            sent_away: Mutex::default(),
        }
    }

    /// This session is about to be closed because its client is gone.
    pub(super) fn sends_away(&self, session: &str) {
        lock(&self.sent_away).insert(session.to_owned());
    }

    /// Whether this session was closed because its client was gone; asked once, at its end.
    pub(super) fn was_sent_away(&self, session: &str) -> bool {
        lock(&self.sent_away).remove(session)
    }

    /// Clients connected now.
    pub(super) fn guests(&self) -> usize {
        self.guests.load(Ordering::Acquire)
    }

    /// A place for a client that has connected; [`Host::leave`] gives it back.
    pub(super) fn seat(&self) -> Arc<Seat> {
        self.guests.fetch_add(1, Ordering::AcqRel);
        Arc::default()
    }

    /// Makes a call in the client's run, which begins with its first call.
    pub(super) fn call(
        &self,
        seat: &Arc<Seat>,
        agent: impl FnOnce() -> AgentRef,
        call: ToolCall,
        answer: Answer,
    ) {
        let mut state = lock(&seat.0);
        if matches!(*state, State::Looking) {
            match self.begin(agent()) {
                Ok((dir, run)) => {
                    note(&format!("recording into {}", dir.display()));
                    *state = State::Drawing(dir, run);
                    lock(&self.seats).push(Arc::clone(seat));
                }
                Err(error) => return answer(Err(NotMade::Over(format!("{error:#}")))),
            }
        }
        match &*state {
            State::Drawing(_, run) => run.call(call, answer),
            State::Looking | State::Gone => {
                answer(Err(NotMade::Over("the session has ended".to_owned())));
            }
        }
    }

    fn begin(&self, agent: AgentRef) -> anyhow::Result<(PathBuf, HostedRun)> {
        use anyhow::Context as _;
        let dir = folder::claim(&self.out, &self.hosted.task, &agent.name)
            .with_context(|| format!("cannot make a folder in {}", self.out.display()))?;
        let place = HostedPlace { dir: dir.clone(), agent, settings: self.settings(&dir) };
        let run = HostedRun::begin(Arc::clone(&self.hosted), place);
        Ok((dir, run.context("cannot start a thread")?))
    }

    /// What the manifest remembers: enough to score the run later, and to know how it was made.
    fn settings(&self, dir: &Path) -> Map<String, Value> {
        let mut settings = Map::new();
        if let Some(tasks) = relative_path(dir, &self.set_dir) {
            settings.insert(TASKS_SETTING.to_owned(), json!(tasks.display().to_string()));
        }
        if let Some(compat) = &self.hosted.ready.start.compat {
            settings.insert(COMPAT_SETTING.to_owned(), json!(compat));
        }
        settings.insert("turn_pause_ms".to_owned(), json!(self.hosted.pause.as_millis() as u64));
        settings
    }

    /// A client has gone; its run ends.
    pub(super) fn leave(&self, seat: &Arc<Seat>, outcome: Outcome) {
        self.guests.fetch_sub(1, Ordering::AcqRel);
        lock(&self.seats).retain(|other| !Arc::ptr_eq(other, seat));
        self.end(seat, outcome);
        self.tell_of_the_ended();
    }

    fn end(&self, seat: &Seat, outcome: Outcome) {
        let before = std::mem::replace(&mut *lock(&seat.0), State::Gone);
        if let State::Drawing(dir, run) = before {
            lock(&self.ending).push((dir, run.end(outcome)));
        }
    }

    fn tell_of_the_ended(&self) {
        let (done, others) = std::mem::take(&mut *lock(&self.ending))
            .into_iter()
            .partition::<Vec<_>, _>(|(_, thread)| thread.is_finished());
        lock(&self.ending).extend(others);
        for (dir, thread) in done {
            self.wait_for(&dir, thread);
        }
    }

    fn wait_for(&self, dir: &Path, thread: HostedThread) {
        match thread.join() {
            Ok(Ok(manifest)) => {
                let totals = &manifest.totals;
                let outcome = crate::cli::score::outcome_word(&manifest.outcome);
                note(&format!(
                    "{outcome} after {} turns, {} calls: {}",
                    totals.turns,
                    totals.calls,
                    dir.display()
                ));
            }
            Ok(Err(error)) => self.not_recorded(&format!("{error}: {}", dir.display())),
            Err(_) => self.not_recorded(&format!("the run's thread broke down: {}", dir.display())),
        }
        // Succeeds only on an empty folder: what was recorded stays.
        std::fs::remove_dir(dir).ok();
    }

    fn not_recorded(&self, why: &str) {
        self.unrecorded.fetch_add(1, Ordering::AcqRel);
        note(&format!("error: {why}"));
    }

    /// From now on, runs end because somebody stopped the server.
    pub(super) fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }

    /// Ends the runs that are left and waits for all of them; gives how many are not whole.
    pub(super) fn finish(&self) -> usize {
        for seat in std::mem::take(&mut *lock(&self.seats)) {
            self.end(&seat, Outcome::Cancelled);
        }
        for (dir, thread) in std::mem::take(&mut *lock(&self.ending)) {
            self.wait_for(&dir, thread);
        }
        self.unrecorded.load(Ordering::Acquire)
    }
}
