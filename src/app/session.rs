//! The workbench and its worker, without a window.

use std::time::{Duration, Instant, SystemTime};

use crate::workbench::{Command, Event, Request, State, Variants, apply_all, handle};
use crate::worker::{Worker, WorkerConfig, WorkerError};

/// The workbench and its worker: commands in, state out. The window turns it once a frame; a test
/// or a program without a window does so itself.
#[derive(Debug)]
pub struct Session {
    state: State,
    worker: Worker,
}

/// Whether events were left for the next time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventsLeft {
    /// All were taken in.
    None,
    /// The time was up first.
    More,
}

impl EventsLeft {
    /// Whether there are more.
    pub fn is_more(self) -> bool {
        self == Self::More
    }
}

impl Session {
    /// Starts the worker behind a state, which learns what the worker can measure. `wake` as in
    /// [`Worker::start`].
    pub fn start(
        state: State,
        config: WorkerConfig,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> Result<Self, WorkerError> {
        let variants = Variants::of(&config.registry);
        let state = State { variants, ..state };
        Ok(Self { state, worker: Worker::start(config, wake)? })
    }

    /// What there is to show.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Does what the command says.
    pub fn carry_out(&mut self, command: Command) {
        self.tell_time();
        let requests = handle(&mut self.state, command);
        self.send(requests);
    }

    /// What people do by hand is recorded with its time, which the state has no clock for.
    fn tell_time(&mut self) {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        if let (Some(desk), Ok(since)) = (&mut self.state.assist.desk, since) {
            desk.assistant.tell_time(since.as_secs_f64());
        }
    }

    /// Tells something that is odd.
    pub(super) fn warn(&mut self, message: String) {
        let requests = apply_all(&mut self.state, [Event::Warned { message }]);
        self.send(requests);
    }

    /// Takes in what the worker says, for so long at most.
    pub fn take_events(&mut self, budget: Duration) -> EventsLeft {
        self.tell_time();
        let until = Instant::now() + budget;
        // One event at least, or a slow machine whose budget is spent at once would never get on.
        let (mut left, mut is_first) = (EventsLeft::More, true);
        let worker = &self.worker;
        let events = std::iter::from_fn(|| {
            let is_in_time = is_first || Instant::now() < until;
            is_first = false;
            let event = if is_in_time { worker.try_event() } else { return None };
            if event.is_none() {
                left = EventsLeft::None;
            }
            event
        });
        // All events first and one look for what is wanted then: each alone would ask for work that
        // the next makes needless.
        let requests = apply_all(&mut self.state, events);
        self.send(requests);
        left
    }

    /// Waits for the next event and takes it in; `false` if none comes within this time.
    pub fn take_next_event(&mut self, within: Duration) -> bool {
        let Some(event) = self.worker.event_within(within) else { return false };
        self.tell_time();
        let requests = apply_all(&mut self.state, [event]);
        self.send(requests);
        true
    }

    fn send(&self, requests: Vec<Request>) {
        for request in requests {
            self.worker.send(request);
        }
    }
}
