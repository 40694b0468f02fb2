//! Which sessions are still there: by the connections that carried their requests.
//!
//! A client that vanished says no goodbye, and its session would keep its place until it has asked for
//! nothing for the time of `--idle`. So when no place is left, the session that has had no connection and
//! asked for nothing the longest gives up its own.

use parking_lot::{Mutex, MutexGuard};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What is known of each session, by its id.
#[derive(Debug, Default)]
pub(super) struct Attendance(Mutex<BTreeMap<String, Seen>>);

/// What is known of a session.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// When it was heard of last: it asked for something, or its last connection ended.
    last: Instant,
    /// Open connections that carried a request of it.
    connections: usize,
}

impl Attendance {
    /// The session that has been gone the longest, for at least `gone`; it is not known any more.
    pub(super) fn take_vanished(&self, gone: Duration) -> Option<String> {
        let mut sessions = self.lock();
        let vanished = sessions
            .iter()
            .filter(|(_, seen)| seen.connections == 0 && seen.last.elapsed() >= gone);
        let session = vanished.min_by_key(|(_, seen)| seen.last).map(|(id, _)| id.clone())?;
        sessions.remove(&session);
        Some(session)
    }

    /// The session has ended.
    pub(super) fn forget(&self, session: &str) {
        self.lock().remove(session);
    }

    fn asked(&self, session: &str, is_new_connection: bool) {
        let mut sessions = self.lock();
        let nobody = Seen { last: Instant::now(), connections: 0 };
        let seen = sessions.entry(session.to_owned()).or_insert(nobody);
        seen.last = Instant::now();
        seen.connections += usize::from(is_new_connection);
    }

    fn disconnected(&self, session: &str) {
        if let Some(seen) = self.lock().get_mut(session) {
            seen.last = Instant::now();
            seen.connections = seen.connections.saturating_sub(1);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Seen>> {
        // Each holder leaves a whole map, whatever happens to it.
        self.0.lock()
    }
}

/// Who is behind a connection.
#[derive(Debug)]
pub(super) struct Visitor {
    attendance: Arc<Attendance>,
    admitted: AtomicBool,
    /// The sessions whose requests it carried.
    sessions: Mutex<BTreeSet<String>>,
}

impl Visitor {
    /// A stranger.
    pub(super) fn new(attendance: &Arc<Attendance>) -> Self {
        let attendance = Arc::clone(attendance);
        Self { attendance, admitted: AtomicBool::new(false), sessions: Mutex::default() }
    }

    /// They have shown the token.
    pub(super) fn admit(&self) {
        self.admitted.store(true, Ordering::Release);
    }

    /// Whether they have shown the token.
    pub(super) fn is_admitted(&self) -> bool {
        self.admitted.load(Ordering::Acquire)
    }

    /// The connection carries a request of this session.
    pub(super) fn asks_for(&self, session: &str) {
        let mut sessions = self.sessions.lock();
        self.attendance.asked(session, sessions.insert(session.to_owned()));
    }
}

impl Drop for Visitor {
    fn drop(&mut self) {
        let sessions = self.sessions.get_mut();
        for session in sessions.iter() {
            self.attendance.disconnected(session);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_session_without_a_connection_is_gone_and_the_longest_first() {
        let attendance = Arc::new(Attendance::default());
        let (first, second) = (Visitor::new(&attendance), Visitor::new(&attendance));
        let here = Visitor::new(&attendance);
        first.asks_for("a");
        second.asks_for("b");
        here.asks_for("c");
        here.asks_for("a");
        assert_eq!(attendance.take_vanished(Duration::ZERO), None, "all are connected");
        drop(second);
        drop(first);
        assert_eq!(attendance.take_vanished(Duration::from_hours(1)), None);
        assert_eq!(attendance.take_vanished(Duration::ZERO).as_deref(), Some("b"));
        assert_eq!(attendance.take_vanished(Duration::ZERO), None, "another carries its requests");
        drop(here);
        assert_eq!(attendance.take_vanished(Duration::ZERO).as_deref(), Some("a"));
        attendance.forget("c");
        assert_eq!(attendance.take_vanished(Duration::ZERO), None);
    }
}
