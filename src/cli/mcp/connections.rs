//! The connections of the HTTP server: so many at once, and none that is quiet for long.
//!
//! Who never gets past the gate can still open connections. A stream of events is never quiet: the
//! server writes to it every few seconds.

use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// Most connections at once; others wait to be accepted.
const MOST: usize = 512;

/// Accepts connections.
#[derive(Debug)]
pub(super) struct Connections {
    listener: TcpListener,
    room: Arc<Semaphore>,
    quiet: Duration,
}

impl Connections {
    /// Accepts from this listener what is quiet for at most `quiet`.
    pub(super) fn new(listener: TcpListener, quiet: Duration) -> Self {
        Self { listener, room: Arc::new(Semaphore::new(MOST)), quiet }
    }
}

impl Listener for Connections {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        // The semaphore is never closed; without a permit the connection would only count less.
        let room = Arc::clone(&self.room).acquire_owned().await.ok();
        let (stream, address) = Listener::accept(&mut self.listener).await;
        let ends = Box::pin(sleep(self.quiet));
        (Connection { stream, ends, quiet: self.quiet, _room: room }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that ends when it is quiet.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    ends: Pin<Box<Sleep>>,
    quiet: Duration,
    _room: Option<OwnedSemaphorePermit>,
}

impl Connection {
    /// Puts the end off, now that something happened.
    fn moved<T>(&mut self, happened: T) -> Poll<T> {
        self.ends.as_mut().reset(Instant::now() + self.quiet);
        Poll::Ready(happened)
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
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
