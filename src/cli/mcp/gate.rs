//! Who is let in over HTTP.
//!
//! A web page in the user's own browser can send requests to this machine, and with a name that it
//! points here (DNS rebinding) read the answers. So a request must call the server by an IP address,
//! by `localhost` or by a name that was given, must not come from a web page at all (no `Origin`),
//! and must bring the token.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use rmcp::transport::streamable_http_server::session::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;

use super::attendance::Attendance;
use super::connections::Behind;
use super::host::Host;
use super::token::Token;

/// The header that names a session.
pub(super) const SESSION: &str = "mcp-session-id";

/// How often is looked whether a session that was closed has ended, and how long between.
const LOOKS: u32 = 200;
const LOOK: Duration = Duration::from_millis(10);

/// What is asked of a request.
#[derive(Debug)]
pub(super) struct Gate {
    pub(super) token: Token,
    /// Names the server goes by, beside IP addresses and `localhost`.
    pub(super) names: Vec<String>,
    /// Most clients at once.
    pub(super) most_guests: usize,
    pub(super) host: Arc<Host>,
    pub(super) attendance: Arc<Attendance>,
    pub(super) sessions: Arc<LocalSessionManager>,
    /// How long a client may be gone until another may have its place.
    pub(super) gone: Duration,
}

/// Why a request is turned away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    Name,
    Page,
    Token,
    Full,
}

impl Refusal {
    fn answer(self) -> Response {
        match self {
            Self::Name => {
                (StatusCode::FORBIDDEN, "the server does not go by this name: see --host-name")
                    .into_response()
            }
            Self::Page => (StatusCode::FORBIDDEN, "web pages are not let in").into_response(),
            Self::Token => {
                let how = [(header::WWW_AUTHENTICATE, "Bearer realm=\"pentimento\"")];
                let words = "the token is missing or wrong: send Authorization: Bearer TOKEN";
                (StatusCode::UNAUTHORIZED, how, words).into_response()
            }
            Self::Full => {
                let words = "there are as many sessions as the server allows: end one first";
                (StatusCode::SERVICE_UNAVAILABLE, words).into_response()
            }
        }
    }
}

/// Lets a request through, or answers why not.
pub(super) async fn pass(
    State(gate): State<Arc<Gate>>,
    ConnectInfo(Behind(visitor)): ConnectInfo<Behind>,
    request: Request,
    next: Next,
) -> Response {
    if let Err(refusal) = gate.check(request.headers()) {
        return refusal.answer();
    }
    visitor.admit();
    let (method, session) = (request.method().clone(), session_of(request.headers()));
    if method == Method::POST && session.is_none() && !gate.has_room().await {
        return Refusal::Full.answer();
    }
    if let Some(session) = &session {
        visitor.asks_for(session);
    }
    let response = next.run(request).await;
    if method != Method::DELETE {
        // A session that has just begun is named in the answer.
        if let Some(begun) = session_of(response.headers()).filter(|_| session.is_none()) {
            visitor.asks_for(&begun);
        }
        return response;
    }
    if let Some(session) = session.filter(|_| response.status().is_success()) {
        gate.attendance.forget(&session);
    }
    // The official client takes "accepted" for a failure; nothing more comes of it in any case.
    let is_accepted = response.status() == StatusCode::ACCEPTED;
    if is_accepted { StatusCode::NO_CONTENT.into_response() } else { response }
}

fn session_of(headers: &HeaderMap) -> Option<String> {
    Some(headers.get(SESSION)?.to_str().ok()?.to_owned())
}

impl Gate {
    fn check(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let Some(true) = host_of(headers).map(|host| self.goes_by(&host)) else {
            return Err(Refusal::Name);
        };
        if headers.contains_key(header::ORIGIN) {
            return Err(Refusal::Page);
        }
        if bearer(headers).is_some_and(|token| self.token.is(token)) {
            Ok(())
        } else {
            Err(Refusal::Token)
        }
    }

    /// Whether there is room for one more client; one that is gone gives up its place for it.
    async fn has_room(&self) -> bool {
        if self.host.guests() < self.most_guests {
            return true;
        }
        let Some(gone) = self.attendance.take_vanished(self.gone) else { return false };
        self.host.sends_away(&gone);
        // A session that has ended by itself meanwhile has left its place already.
        self.sessions.close_session(&gone.into()).await.ok();
        for _ in 0..LOOKS {
            if self.host.guests() < self.most_guests {
                return true;
            }
            tokio::time::sleep(LOOK).await;
        }
        false
    }

    fn goes_by(&self, host: &str) -> bool {
        host.parse::<IpAddr>().is_ok()
            || host.eq_ignore_ascii_case("localhost")
            || self.names.iter().any(|name| host.eq_ignore_ascii_case(name))
    }
}

/// The name in the one `Host` header, without port and brackets.
fn host_of(headers: &HeaderMap) -> Option<String> {
    let mut all = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (all.next(), all.next()) else { return None };
    let authority = Authority::try_from(host.as_bytes()).ok()?;
    if authority.as_str().contains('@') {
        return None;
    }
    Some(authority.host().trim_start_matches('[').trim_end_matches(']').to_owned())
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut all = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (all.next(), all.next()) else { return None };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
