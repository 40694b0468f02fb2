//! What all clients of a server share, and the runs they make.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::Context as _;
use parking_lot::Mutex;
use serde_json::{Map, Value, json};

use super::catalog::Catalog;
use crate::agent::batch::relative_path;
use crate::agent::hosted::{
    HostedPlace, HostedRun, HostedTask, HostedThread, NotMade, OutcomeCallback,
};
use crate::agent::runner::COMPAT_SETTING;
use crate::cli::output::note;
use crate::environment::ToolCall;
use crate::run::{AgentRef, Outcome, TASKS_SETTING, folder};

/// The server behind all connections.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) catalog: Catalog,
    hosted: Arc<HostedTask>,
    out: PathBuf,
    set_dir: PathBuf,
    /// Sessions open now, those that have not called a tool among them.
    sessions: AtomicUsize,
    stopping: AtomicBool,
    slots: Mutex<Vec<Arc<Slot>>>,
    /// Threads of runs that were told to end, with their folders.
    ending: Mutex<Vec<(PathBuf, HostedThread)>>,
    unrecorded: AtomicUsize,
    /// Sessions that gave their place to others because their clients were gone.
    evicted: Mutex<BTreeSet<String>>,
}

/// The slot of one session: its run, once it has called a tool.
#[derive(Debug, Default)]
pub(super) struct Slot(Mutex<ClientState>);

#[derive(Debug, Default)]
enum ClientState {
    #[default]
    /// No tool was called yet. Clients connect only to look, and such make no run.
    Looking,
    /// The run's folder, and the run.
    Drawing(PathBuf, HostedRun),
    /// The session has ended; a call that was still under way finds this.
    Gone,
}

impl Server {
    pub(super) fn new(
        catalog: Catalog,
        hosted: HostedTask,
        out: PathBuf,
        set_dir: PathBuf,
    ) -> Self {
        Self {
            catalog,
            hosted: Arc::new(hosted),
            out,
            set_dir,
            sessions: AtomicUsize::new(0),
            stopping: AtomicBool::new(false),
            slots: Mutex::default(),
            ending: Mutex::default(),
            unrecorded: AtomicUsize::new(0),
            evicted: Mutex::default(),
        }
    }

    /// This session is about to be closed because its client is gone.
    pub(super) fn evict(&self, session: &str) {
        self.evicted.lock().insert(session.to_owned());
    }

    /// Whether this session was closed because its client was gone; asked once, at its end.
    pub(super) fn was_evicted(&self, session: &str) -> bool {
        self.evicted.lock().remove(session)
    }

    /// Sessions open now.
    pub(super) fn sessions(&self) -> usize {
        self.sessions.load(Ordering::Acquire)
    }

    /// A slot for a client that has connected; [`Server::leave`] gives it back.
    pub(super) fn open_slot(&self) -> Arc<Slot> {
        self.sessions.fetch_add(1, Ordering::AcqRel);
        Arc::default()
    }

    /// Makes a call in the client's run, which begins with its first call.
    pub(super) fn call(
        &self,
        slot: &Arc<Slot>,
        agent: impl FnOnce() -> AgentRef,
        call: ToolCall,
        answer: OutcomeCallback,
    ) {
        // Held until the call is handed over, so that the calls of one client keep their order and its
        // run is begun once.
        let mut state = slot.0.lock();
        if matches!(*state, ClientState::Looking) {
            match self.begin(agent()) {
                Ok((dir, run)) => {
                    note(&format!("recording into {}", dir.display()));
                    *state = ClientState::Drawing(dir, run);
                    self.slots.lock().push(Arc::clone(slot));
                }
                Err(error) => return answer(Err(NotMade::Over(format!("{error:#}")))),
            }
        }
        match &*state {
            ClientState::Drawing(_, run) => run.call(call, answer),
            ClientState::Looking | ClientState::Gone => {
                answer(Err(NotMade::Over("the session has ended".to_owned())));
            }
        }
    }

    fn begin(&self, agent: AgentRef) -> anyhow::Result<(PathBuf, HostedRun)> {
        // The folder is made here, so that two clients of one name never share a run.
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
        if let Some(compat) = &self.hosted.prepared.start.compat {
            settings.insert(COMPAT_SETTING.to_owned(), json!(compat));
        }
        settings.insert("turn_pause_ms".to_owned(), json!(self.hosted.pause.as_millis() as u64));
        settings
    }

    /// A client has gone; its run ends.
    pub(super) fn leave(&self, slot: &Arc<Slot>, outcome: Outcome) {
        self.sessions.fetch_sub(1, Ordering::AcqRel);
        self.slots.lock().retain(|other| !Arc::ptr_eq(other, slot));
        self.end(slot, outcome);
        // Each that goes is an occasion: nobody else looks after those that took longer to end.
        self.report_ended();
    }

    /// Asks a run to end, and does not wait: its thread may be in the middle of a call.
    fn end(&self, slot: &Slot, outcome: Outcome) {
        // Replaced before anything else: no call can slip in behind the end.
        let before = std::mem::replace(&mut *slot.0.lock(), ClientState::Gone);
        if let ClientState::Drawing(dir, run) = before {
            self.ending.lock().push((dir, run.end(outcome)));
        }
    }

    /// Says what came of the runs whose threads are done, without waiting for the others.
    fn report_ended(&self) {
        let (done, others) = std::mem::take(&mut *self.ending.lock())
            .into_iter()
            .partition::<Vec<_>, _>(|(_, thread)| thread.is_finished());
        self.ending.lock().extend(others);
        for (dir, thread) in done {
            self.wait_for(&dir, thread);
        }
    }

    fn wait_for(&self, dir: &Path, thread: HostedThread) {
        match thread.join() {
            Ok(Ok(manifest)) => {
                let totals = &manifest.totals;
                let outcome = manifest.outcome.word();
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
        for slot in std::mem::take(&mut *self.slots.lock()) {
            self.end(&slot, Outcome::Cancelled);
        }
        for (dir, thread) in std::mem::take(&mut *self.ending.lock()) {
            self.wait_for(&dir, thread);
        }
        self.unrecorded.load(Ordering::Acquire)
    }
}
