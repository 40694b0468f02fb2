//! The connections of the HTTP server, and which sessions are still there by them.
//!
//! So many connections at once, none that is quiet for long, and of those that have not shown the token
//! the oldest goes when another comes: who never gets past [`auth`](super::auth) can still open
//! connections, as many as they like, and keeps nobody out, as there is always room for one more
//! stranger. A stream of events is never quiet: the server writes to it every few seconds.
//!
//! A client that vanished says no goodbye, and its session would keep its slot until it has asked for
//! nothing for the time of `--idle`. So when no slot is left, the session that has had no connection and
//! asked for nothing the longest gives up its own.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{Sleep, sleep};

/// Most connections at once; others wait to be accepted.
const MOST: usize = 768;
/// Most of them that have not shown the token: with one more the oldest is cut.
const MOST_STRANGERS: usize = 256;

/// Accepts connections.
#[derive(Debug)]
pub(super) struct Connections {
    listener: TcpListener,
    room: Arc<Semaphore>,
    quiet: Duration,
    attendance: Arc<Attendance>,
    /// Those that had not shown the token when the last one came, the oldest first.
    strangers: VecDeque<Stranger>,
}

/// A connection that may be cut.
#[derive(Debug)]
struct Stranger {
    visitor: Arc<Visitor>,
    cut: oneshot::Sender<()>,
}

impl Connections {
    /// Accepts from this listener what is quiet for at most `quiet`.
    pub(super) fn new(
        listener: TcpListener,
        quiet: Duration,
        attendance: &Arc<Attendance>,
    ) -> Self {
        let (room, attendance) = (Arc::new(Semaphore::new(MOST)), Arc::clone(attendance));
        Self { listener, room, quiet, attendance, strangers: VecDeque::new() }
    }

    /// A stranger more, and the oldest gone if there are too many.
    fn enter(&mut self, visitor: &Arc<Visitor>) -> oneshot::Receiver<()> {
        // Only here is the list tidied, so that closing a connection costs nothing.
        self.strangers.retain(|one| !one.cut.is_closed() && !one.visitor.is_admitted());
        if self.strangers.len() >= MOST_STRANGERS
            && let Some(oldest) = self.strangers.pop_front()
        {
            // It may have ended by itself meanwhile.
            oldest.cut.send(()).ok();
        }
        let (cut, is_cut) = oneshot::channel();
        self.strangers.push_back(Stranger { visitor: Arc::clone(visitor), cut });
        is_cut
    }
}

impl Listener for Connections {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        // The semaphore is never closed; without a permit the connection would only count less.
        let room = Arc::clone(&self.room).acquire_owned().await.ok();
        let (stream, address) = Listener::accept(&mut self.listener).await;
        let visitor = Arc::new(Visitor::new(&self.attendance));
        let cut = Some(self.enter(&visitor));
        let (ends, quiet) = (Box::pin(sleep(self.quiet)), self.quiet);
        (Connection { stream, ends, quiet, visitor, cut, _room: room }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that ends when it is quiet, or cut.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    ends: Pin<Box<Sleep>>,
    quiet: Duration,
    visitor: Arc<Visitor>,
    /// Gives a value when the connection is to make room; `None` once it is no stranger any more.
    cut: Option<oneshot::Receiver<()>>,
    _room: Option<OwnedSemaphorePermit>,
}

/// The visitor behind a connection, which the auth is told of with each request.
#[derive(Clone, Debug)]
pub(super) struct Behind(pub(super) Arc<Visitor>);

impl Connected<IncomingStream<'_, Connections>> for Behind {
    fn connect_info(stream: IncomingStream<'_, Connections>) -> Self {
        Self(Arc::clone(&stream.io().visitor))
    }
}

impl Connection {
    /// Puts the end off, now that something happened.
    fn moved<T>(&mut self, happened: T) -> Poll<T> {
        self.ends.as_mut().reset(tokio::time::Instant::now() + self.quiet);
        Poll::Ready(happened)
    }

    /// Whether it has to make room for another.
    fn is_cut(&mut self, cx: &mut Context<'_>) -> bool {
        let Some(cut) = &mut self.cut else { return false };
        match Pin::new(cut).poll(cx) {
            Poll::Ready(Ok(())) => true,
            // Nobody can cut it any more.
            Poll::Ready(Err(_)) => {
                self.cut = None;
                false
            }
            Poll::Pending => false,
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // Reading is polled all along, also while an answer is written, so this is soon heard.
        if self.is_cut(cx) {
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        if let Poll::Ready(read) = pin!(&mut self.stream).poll_read(cx, buffer) {
            return self.moved(read);
        }
        // Nothing came: polled last, so that the task is woken by whichever happens first.
        ready!(self.ends.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        // Writing only puts the end off: reading, which is polled beside it, lets the end come.
        let written = ready!(pin!(&mut self.stream).poll_write(cx, bytes));
        self.moved(written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        pin!(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        pin!(&mut self.stream).poll_shutdown(cx)
    }
}

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
        let mut sessions = self.0.lock();
        let vanished = sessions
            .iter()
            .filter(|(_, seen)| seen.connections == 0 && seen.last.elapsed() >= gone);
        let session = vanished.min_by_key(|(_, seen)| seen.last).map(|(id, _)| id.clone())?;
        // Taken under the lock, so that two who ask for room at once do not evict the same one.
        sessions.remove(&session);
        Some(session)
    }

    /// The session has ended.
    pub(super) fn forget(&self, session: &str) {
        self.0.lock().remove(session);
    }

    fn asked(&self, session: &str, is_new_connection: bool) {
        let mut sessions = self.0.lock();
        let now = Instant::now();
        let seen = sessions.entry(session.to_owned()).or_insert(Seen { last: now, connections: 0 });
        seen.last = now;
        seen.connections += usize::from(is_new_connection);
    }

    fn disconnected(&self, session: &str) {
        if let Some(seen) = self.0.lock().get_mut(session) {
            seen.last = Instant::now();
            seen.connections = seen.connections.saturating_sub(1);
        }
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
        // A connection counts once for a session, however many requests it carries.
        let mut sessions = self.sessions.lock();
        self.attendance.asked(session, sessions.insert(session.to_owned()));
    }
}

impl Drop for Visitor {
    fn drop(&mut self) {
        // A connection that broke is dropped like one that was closed: here both are counted.
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
