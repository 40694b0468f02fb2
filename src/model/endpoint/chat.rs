//! Asking an endpoint, again if it is busy.

use std::ops::ControlFlow;
use std::time::Duration;

use base64::Engine as _;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::base::{CancelToken, Variables};
use crate::model::wire::{
    AnswerListener, ApiKey, BodyEnd, HttpSettings, HttpWire, Wire as _, WireError, WireHead,
    WireHeader, WireRequest, asked_wait, checked_address, in_one_line, wait,
};

use super::answer::{Reply, read_error, read_reply};
use super::{EndpointError, EndpointSettings};

/// Largest answer read, in bytes.
const ANSWER_BYTES: u64 = 4 << 20;
/// Longest wait between two tries, whatever the endpoint asks for.
const LONGEST_WAIT: Duration = Duration::from_mins(2);

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct ChatRequest<'a> {
    /// The prompt.
    pub prompt: &'a str,
    /// The picture it is about, as PNG.
    pub png: Option<&'a [u8]>,
}

/// An endpoint, ready to be asked.
#[derive(Debug)]
pub struct ChatEndpoint {
    settings: EndpointSettings,
    wire: HttpWire,
    url: String,
    host: String,
    key: Option<ApiKey>,
}

/// What came of one try.
enum Try {
    /// The answer, or a failure that another try would not mend.
    Done(Result<String, EndpointError>),
    /// A failure that may pass, and how long the endpoint wants to be left alone.
    Again(EndpointError, Option<Duration>),
}

impl ChatEndpoint {
    /// An endpoint with the key that these variables hold.
    pub fn new(settings: EndpointSettings, variables: &Variables) -> Result<Self, EndpointError> {
        let key = ApiKey::from_variable(variables, &settings.key_variable)?;
        Self::with_key(settings, key)
    }

    /// An endpoint with this key, whatever variables hold.
    pub fn with_key_text(settings: EndpointSettings, key: &str) -> Result<Self, EndpointError> {
        let key = ApiKey::new(key, &settings.key_variable)?;
        Self::with_key(settings, key)
    }

    fn with_key(settings: EndpointSettings, key: Option<ApiKey>) -> Result<Self, EndpointError> {
        let url = checked_address(&settings.base_url, "/chat/completions")
            .map_err(|error| EndpointError::BadAddress { why: error.0 })?;
        let host = host_of(&url).to_owned();
        let timeout = Duration::from_secs(settings.timeout_secs.max(1));
        let http = HttpSettings {
            connect_timeout: timeout,
            idle_timeout: timeout,
            whole_timeout: timeout,
            proxy: None,
            ca_file: settings.ca_file.clone(),
        };
        let wire = HttpWire::new(http).map_err(|error| EndpointError::Setup(error.to_string()))?;
        Ok(Self { settings, wire, url, host, key })
    }

    /// How it is asked.
    pub fn settings(&self) -> &EndpointSettings {
        &self.settings
    }

    /// The address that is asked, without what may be a secret in its query.
    pub fn address(&self) -> String {
        self.url.split('?').next().unwrap_or_default().to_owned()
    }

    /// Asks, and asks again while the endpoint is busy (status 429), out of order (5xx) or breaks
    /// off, up to the settings' number of tries.
    ///
    /// Blocks. A raised token is seen within 50 ms.
    pub fn complete(
        &self,
        request: ChatRequest<'_>,
        cancel: &CancelToken,
    ) -> Result<String, EndpointError> {
        let body = self.body(request).to_string();
        let mut next_wait = Duration::from_millis(self.settings.first_wait_ms);
        let mut tries_left = self.settings.attempts.max(1);
        loop {
            cancel.check().map_err(|_stopped| EndpointError::Cancelled)?;
            tries_left -= 1;
            match self.attempt(&body, cancel) {
                Try::Done(result) => return result,
                Try::Again(error, _) if tries_left == 0 => return Err(error),
                Try::Again(_, asked) => wait(asked.unwrap_or(next_wait).min(LONGEST_WAIT), cancel)
                    .map_err(|_stopped| EndpointError::Cancelled)?,
            }
            next_wait = next_wait.saturating_mul(2);
        }
    }

    /// What is sent, without the picture's bytes twice: the parameters, then model and messages.
    fn body(&self, request: ChatRequest<'_>) -> Value {
        // The picture before the question, as the makers of the models advise.
        let mut content = Vec::new();
        if let Some(png) = request.png {
            let data = base64::engine::general_purpose::STANDARD.encode(png);
            let url = format!("data:image/png;base64,{data}");
            content.push(json!({ "type": "image_url", "image_url": { "url": url } }));
        }
        content.push(json!({ "type": "text", "text": request.prompt }));
        // Parameters first: whatever they say, it is this model that is asked this.
        let mut body = self.settings.parameters.clone();
        body.insert("model".to_owned(), json!(self.settings.model));
        body.insert("messages".to_owned(), json!([{ "role": "user", "content": content }]));
        Value::Object(body)
    }

    fn attempt(&self, body: &str, cancel: &CancelToken) -> Try {
        let mut headers = vec![WireHeader::new("content-type", "application/json")];
        headers.extend(self.key.as_ref().map(ApiKey::bearer));
        let request =
            WireRequest { url: self.url.clone(), headers, body: body.as_bytes().to_vec() };
        let mut heard = Heard::default();
        match self.wire.post(&request, &mut heard, cancel) {
            // Whatever came of the body: the status says no.
            Ok(_) if !heard.head.is_success() => self.refused(&heard),
            Ok(BodyEnd::Whole) => Try::Done(self.answer_in(&heard.body)),
            Ok(BodyEnd::Stopped) => {
                let host = self.host.clone();
                Try::Done(Err(EndpointError::TooLarge { host, limit: ANSWER_BYTES }))
            }
            // What it says is a courtesy: a body that breaks off says what it says.
            Err(WireError::BrokenOff { .. })
                if heard.head.status != 0 && !heard.head.is_success() =>
            {
                self.refused(&heard)
            }
            Err(error) => self.unanswered(error),
        }
    }

    fn unanswered(&self, error: WireError) -> Try {
        let host = self.host.clone();
        match error {
            WireError::Cancelled => Try::Done(Err(EndpointError::Cancelled)),
            // Not again: what took so long takes it the next time too.
            WireError::TimedOut { .. } => {
                let seconds = self.settings.timeout_secs;
                Try::Done(Err(EndpointError::TimedOut { host, seconds }))
            }
            WireError::Unreachable { why } => {
                Try::Again(EndpointError::Unreachable { host, why: self.clean(&why) }, None)
            }
            WireError::BrokenOff { why } => {
                Try::Again(EndpointError::BrokenOff { host, why: self.clean(&why) }, None)
            }
            WireError::Setup(why) | WireError::Unsendable(why) | WireError::NotRecorded(why) => {
                Try::Done(Err(EndpointError::Setup(self.clean(&why))))
            }
        }
    }

    /// A status that is no success.
    fn refused(&self, heard: &Heard) -> Try {
        let (host, status) = (self.host.clone(), heard.head.status);
        let message = self.clean(&read_error(&heard.body));
        let error = EndpointError::Status { host, status, message };
        // Any other status says that the request is wrong, which it still is the next time.
        let may_pass = status == 429 || (500..600).contains(&status);
        let asked = asked_wait(&heard.head, Timestamp::now());
        if may_pass { Try::Again(error, asked) } else { Try::Done(Err(error)) }
    }

    fn answer_in(&self, body: &[u8]) -> Result<String, EndpointError> {
        let malformed = match read_reply(body) {
            // An endpoint may echo what it was sent, the key among it.
            Ok(Reply::Text(text)) => return Ok(self.without_key(&text)),
            Ok(Reply::Cut) => return Err(EndpointError::Cut),
            Ok(Reply::Refused(why)) => return Err(EndpointError::Refused(self.clean(&why))),
            Ok(Reply::Empty) => return Err(EndpointError::Empty),
            Ok(Reply::Error(why)) => format!("it is an error: {why}"),
            Err(why) => why,
        };
        Err(EndpointError::Malformed { host: self.host.clone(), why: self.clean(&malformed) })
    }

    /// A text from outside as it may stand in an error: without the key, short, on one line.
    fn clean(&self, text: &str) -> String {
        in_one_line(&self.without_key(text))
    }

    fn without_key(&self, text: &str) -> String {
        self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.redact(text))
    }
}

/// An answer as it was heard.
#[derive(Default)]
struct Heard {
    head: WireHead,
    body: Vec<u8>,
}

impl AnswerListener for Heard {
    fn head(&mut self, head: WireHead) {
        self.head = head;
    }

    fn bytes(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        self.body.extend_from_slice(bytes);
        let too_much = self.body.len() as u64 > ANSWER_BYTES;
        if too_much { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The host in an address that was checked.
fn host_of(url: &str) -> &str {
    let authority = url.split("//").nth(1).unwrap_or_default();
    let authority = authority.split(['/', '?']).next().unwrap_or_default();
    match authority.rsplit_once(':') {
        // Colons stand in an address of IPv6 too, whose last part ends in a bracket.
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_named_without_its_port() {
        assert_eq!(host_of("http://localhost:1/v1?a=b:2"), "localhost");
        assert_eq!(host_of("https://[::1]/v1"), "[::1]");
    }

    #[test]
    fn the_picture_goes_before_the_question() {
        let endpoint = ChatEndpoint::with_key_text(EndpointSettings::default(), "").unwrap();
        let body = endpoint.body(ChatRequest { prompt: "What?", png: Some(b"png") });
        let content = &body["messages"][0]["content"];
        assert_eq!(content[0]["image_url"]["url"], "data:image/png;base64,cG5n");
        assert_eq!(content[1]["text"], "What?");
        assert_eq!(body["temperature"], 0);
    }
}
