//! What is posted, and who hears the answer.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::base::{CancelToken, Cancelled};

use super::WireError;

/// How often a wait looks whether it was stopped.
const LOOK: Duration = Duration::from_millis(20);

/// A way to post a request: the network, or a record of what came over it.
pub trait Wire: Send + Sync {
    /// Posts, and hands out the answer as it comes. Whatever the status is, it is an answer.
    ///
    /// Blocks; a raised token is seen within 50 ms and the connection is closed then.
    fn post(
        &self,
        request: &WireRequest,
        listener: &mut dyn AnswerListener,
        cancel: &CancelToken,
    ) -> Result<BodyEnd, WireError>;

    /// Waits between two tries; a record has no need to.
    fn wait(&self, duration: Duration, cancel: &CancelToken) -> Result<(), Cancelled> {
        wait(duration, cancel)
    }
}

/// A request to be posted.
#[derive(Clone, Debug, Default)]
pub struct WireRequest {
    /// The address, http or https.
    pub url: String,
    /// The headers, in order; `content-type` among them.
    pub headers: Vec<WireHeader>,
    /// The body.
    pub body: Vec<u8>,
}

/// A header of a request.
#[derive(Clone, PartialEq, Eq)]
pub struct WireHeader {
    /// Its name, in lower case.
    pub name: String,
    /// Its value; see [`Self::shown`] for what may be shown of it.
    pub(super) value: String,
    secret: bool,
}

/// What stands for the value of a secret header.
const SECRET: &str = "[secret]";
/// Words in the name of a header that make its value a secret.
const SECRET_WORDS: [&str; 7] =
    ["authorization", "cookie", "key", "password", "secret", "signature", "token"];

impl WireHeader {
    /// A header. One that is named like a key, a token or a cookie is a secret.
    pub fn new(name: &str, value: &str) -> Self {
        let name = name.to_ascii_lowercase();
        // By parts of words: providers call their key headers as they like.
        let secret = SECRET_WORDS.iter().any(|word| name.contains(word));
        Self { name, value: value.to_owned(), secret }
    }

    /// A header whose value must not be shown.
    pub fn secret(name: &str, value: &str) -> Self {
        Self { secret: true, ..Self::new(name, value) }
    }

    /// The value, or what stands for it if it is a secret.
    pub fn shown(&self) -> &str {
        if self.secret { SECRET } else { &self.value }
    }

    /// Whether the value must not be shown.
    pub fn is_secret(&self) -> bool {
        self.secret
    }
}

impl std::fmt::Debug for WireHeader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.name, self.shown())
    }
}

/// The beginning of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WireHead {
    /// The HTTP status.
    pub status: u16,
    /// The headers, names in lower case; values that are no text are left out.
    pub headers: Vec<(String, String)>,
}

impl WireHead {
    /// The first header of this name, which is given in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(header, _)| header == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Whether the status is a success.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// Hears an answer as it comes. Must not wait for anything: the connection waits for it.
pub trait AnswerListener {
    /// Status and headers, once, before any of the body.
    fn head(&mut self, head: WireHead);

    /// More of the body; `Break` to have no more of it.
    fn bytes(&mut self, bytes: &[u8]) -> ControlFlow<()>;
}

/// How the body of an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyEnd {
    /// All of it was handed out.
    Whole,
    /// The listener wanted no more, and the connection was closed.
    Stopped,
}

/// Sleeps, and wakes within 20 ms of a raised token.
pub fn wait(duration: Duration, cancel: &CancelToken) -> Result<(), Cancelled> {
    let begin = Instant::now();
    loop {
        cancel.check()?;
        // By the clock and not by counting naps, each of which is longer than it should be.
        let Some(left) = duration.checked_sub(begin.elapsed()) else { return Ok(()) };
        if left.is_zero() {
            return Ok(());
        }
        std::thread::sleep(left.min(LOOK));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_named_like_keys_are_never_shown() {
        for name in ["Authorization", "x-api-key", "X-Goog-Api-Key", "Cookie", "x-session-token"] {
            let shown = format!("{:?}", WireHeader::new(name, "hunter2hunter2"));
            assert!(shown.ends_with("[secret]"), "{shown}");
        }
        assert_eq!(WireHeader::new("Anthropic-Beta", "a").shown(), "a");
        assert_eq!(WireHeader::secret("x-plain", "a").shown(), "[secret]");
    }

    #[test]
    fn a_raised_token_ends_a_wait() {
        let cancel = CancelToken::new();
        cancel.cancel();
        assert_eq!(wait(Duration::from_hours(1), &cancel), Err(Cancelled));
    }
}
