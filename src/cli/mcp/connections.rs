//! The connections of the HTTP server: so many at once, none that is quiet for long, and of those
//! that have not shown the token the oldest goes when another comes.
//!
//! Who never gets past the gate can still open connections, as many as they like: they keep nobody out,
//! as there is always room for one more stranger. A stream of events is never quiet: the server writes
//! to it every few seconds.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{Instant, Sleep, sleep};

use super::attendance::{Attendance, Visitor};

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

/// The visitor behind a connection, which the gate is told of with each request.
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
        self.ends.as_mut().reset(Instant::now() + self.quiet);
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
        if self.is_cut(cx) {
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        if let Poll::Ready(read) = pin!(&mut self.stream).poll_read(cx, buffer) {
            return self.moved(read);
        }
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
