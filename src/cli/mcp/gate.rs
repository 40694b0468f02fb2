//! Who is let in over HTTP.
//!
//! A web page in the user's own browser can send requests to this machine, and with a name that it
//! points here (DNS rebinding) read the answers. So a request must call the server by an IP address,
//! by `localhost` or by a name that was given, must not come from a web page at all (no `Origin`),
//! and must bring the token.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::host::Host;
use super::token::Token;

/// The header that names a session.
const SESSION: &str = "mcp-session-id";

/// What is asked of a request.
#[derive(Debug)]
pub(super) struct Gate {
    pub(super) token: Token,
    /// Names the server goes by, beside IP addresses and `localhost`.
    pub(super) names: Vec<String>,
    /// Most clients at once.
    pub(super) most_guests: usize,
    pub(super) host: Arc<Host>,
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
pub(super) async fn pass(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let guests = gate.host.guests();
    match gate.check(request.method(), request.headers(), guests) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.answer(),
    }
}

impl Gate {
    fn check(&self, method: &Method, headers: &HeaderMap, guests: usize) -> Result<(), Refusal> {
        let Some(true) = host_of(headers).map(|host| self.goes_by(&host)) else {
            return Err(Refusal::Name);
        };
        if headers.contains_key(header::ORIGIN) {
            return Err(Refusal::Page);
        }
        if !bearer(headers).is_some_and(|token| self.token.is(token)) {
            return Err(Refusal::Token);
        }
        let begins = method == Method::POST && !headers.contains_key(SESSION);
        if begins && guests >= self.most_guests { Err(Refusal::Full) } else { Ok(()) }
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
