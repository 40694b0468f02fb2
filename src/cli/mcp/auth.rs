//! Who is let in over HTTP, and by which secret.
//!
//! A web page in the user's own browser can send requests to this machine, and with a name that it
//! points here (DNS rebinding) read the answers. So a request must call the server by an IP address,
//! by `localhost` or by a name that was given, must not come from a web page at all (no `Origin`),
//! and must bring the token.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use rmcp::transport::streamable_http_server::session::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;

use super::connections::{Attendance, Behind};
use super::server::Server;

/// The header that names a session.
pub(super) const SESSION_HEADER: &str = "mcp-session-id";

/// How often it is asked whether a session that was closed has ended, and how long between.
const POLLS: u32 = 200;
const POLL_PAUSE: Duration = Duration::from_millis(10);

/// The variable that may hold the token.
const TOKEN_VARIABLE: &str = "PENTIMENTO_MCP_TOKEN";
/// Fewest characters of a token of somebody's own.
const FEWEST_CHARS: usize = 16;
/// Bytes of a token that is made here.
const TOKEN_BYTES: usize = 32;

/// What is asked of a request.
#[derive(Debug)]
pub(super) struct Auth {
    pub(super) token: Token,
    /// Names the server goes by, beside IP addresses and `localhost`.
    pub(super) names: Vec<String>,
    /// Most clients at once.
    pub(super) most_sessions: usize,
    pub(super) server: Arc<Server>,
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
    State(auth): State<Arc<Auth>>,
    ConnectInfo(Behind(visitor)): ConnectInfo<Behind>,
    request: Request,
    next: Next,
) -> Response {
    if let Err(refusal) = auth.check(request.headers()) {
        return refusal.answer();
    }
    // Only now, so that a connection whose every request was refused can still be cut for another.
    visitor.admit();
    let (method, session) = (request.method().clone(), session_of(request.headers()));
    // A POST without a session is an `initialize`: the one request that makes another session.
    if method == Method::POST && session.is_none() && !auth.has_room().await {
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
    // A DELETE that failed has ended nothing, so the session stays known.
    if let Some(session) = session.filter(|_| response.status().is_success()) {
        auth.attendance.forget(&session);
    }
    // The official client takes "accepted" for a failure; nothing more comes of it in any case.
    let is_accepted = response.status() == StatusCode::ACCEPTED;
    if is_accepted { StatusCode::NO_CONTENT.into_response() } else { response }
}

fn session_of(headers: &HeaderMap) -> Option<String> {
    Some(headers.get(SESSION_HEADER)?.to_str().ok()?.to_owned())
}

impl Auth {
    fn check(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        // The token is looked at last: a web page must not learn from the answer whether it guessed it.
        let Some(true) = host_of(headers).map(|host| self.goes_by(&host)) else {
            return Err(Refusal::Name);
        };
        // Browsers put an Origin on every cross-site request that could do something; programs do not.
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
        if self.server.sessions() < self.most_sessions {
            return true;
        }
        let Some(gone) = self.attendance.take_vanished(self.gone) else { return false };
        self.server.evict(&gone);
        // A session that has ended by itself meanwhile has left its place already.
        self.sessions.close_session(&gone.into()).await.ok();
        // Closing is asynchronous: the slot is free once the session was dropped on its own task.
        for _ in 0..POLLS {
            if self.server.sessions() < self.most_sessions {
                return true;
            }
            tokio::time::sleep(POLL_PAUSE).await;
        }
        false
    }

    fn goes_by(&self, host: &str) -> bool {
        host.parse::<IpAddr>().is_ok()
            || host.eq_ignore_ascii_case("localhost")
            || self.names.iter().any(|name| host.eq_ignore_ascii_case(name))
    }
}

/// The name in the one `Server` header, without port and brackets.
fn host_of(headers: &HeaderMap) -> Option<String> {
    let mut all = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (all.next(), all.next()) else { return None };
    let authority = Authority::try_from(host.as_bytes()).ok()?;
    // What stands before an @ is taken for the host by some parsers, and by others not.
    if authority.as_str().contains('@') {
        return None;
    }
    Some(authority.host().trim_start_matches('[').trim_end_matches(']').to_owned())
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut all = headers.get_all(header::AUTHORIZATION).iter();
    // Two headers may be read differently by a proxy in between: neither is believed.
    let (Some(value), None) = (all.next(), all.next()) else { return None };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// A token, known by its hash: comparing hashes tells a clock nothing about the token.
pub(super) struct Token(blake3::Hash);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

impl Token {
    pub(super) fn new(secret: &str) -> Self {
        Self(blake3::hash(secret.as_bytes()))
    }

    /// Whether this is the token. Takes the same time for every wrong one of a length.
    pub(super) fn is(&self, given: &str) -> bool {
        // `blake3::Hash` is compared in constant time.
        self.0 == blake3::hash(given.as_bytes())
    }
}

/// The token of the environment variable, or a new one with its text, to be shown once.
pub(super) fn token_from_environment() -> anyhow::Result<(Token, Option<String>)> {
    match std::env::var(TOKEN_VARIABLE) {
        Ok(secret) => {
            let fit =
                secret.len() >= FEWEST_CHARS && secret.bytes().all(|byte| byte.is_ascii_graphic());
            anyhow::ensure!(
                fit,
                "{TOKEN_VARIABLE} must have at least {FEWEST_CHARS} characters, all of them visible ASCII"
            );
            Ok((Token::new(&secret), None))
        }
        Err(std::env::VarError::NotPresent) => {
            let secret = random_secret()?;
            Ok((Token::new(&secret), Some(secret)))
        }
        // Taking it for unset would start a server whose token is another than its owner thinks.
        Err(std::env::VarError::NotUnicode(_)) => anyhow::bail!("{TOKEN_VARIABLE} is not text"),
    }
}

fn random_secret() -> anyhow::Result<String> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes).context("the system gives no random bytes for a token")?;
    // Nothing is hashed: the type is borrowed for its way of writing 32 bytes in hexadecimal.
    Ok(blake3::Hash::from_bytes(bytes).to_hex().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_token_is_the_token() {
        let token = Token::new("correct horse battery");
        assert!(token.is("correct horse battery"));
        assert!(!token.is("correct horse batterz") && !token.is("") && !token.is("correct"));
        assert_eq!(format!("{token:?}"), "Token");
    }

    #[test]
    fn made_tokens_are_long_and_differ() {
        let (one, other) = (random_secret().unwrap(), random_secret().unwrap());
        assert_eq!(one.len(), 64);
        assert_ne!(one, other);
    }
}
