//! Asking an endpoint, again if it is busy.

use std::io::Read as _;
use std::time::Duration;

use base64::Engine as _;
use reqwest::blocking::{Client, Response};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{StatusCode, Url};
use serde_json::{Value, json};

use crate::base::CancelToken;

use super::answer::{Reply, read_error, read_reply};
use super::key::ApiKey;
use super::{EndpointError, EndpointSettings};

/// Largest answer read, in bytes.
const ANSWER_BYTES: u64 = 4 << 20;
/// Most characters of what an endpoint says that go into an error.
const MESSAGE_CHARS: usize = 300;
/// Longest wait between two tries, in milliseconds, whatever the endpoint asks for.
const LONGEST_WAIT_MS: u64 = 120_000;
/// How often a wait looks whether it was stopped, in milliseconds.
const LOOK_MS: u64 = 20;

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
    client: Client,
    url: Url,
    host: String,
    key: Option<ApiKey>,
}

/// What came of one try.
enum Try {
    /// The answer, or a failure that another try would not mend.
    Done(Result<String, EndpointError>),
    /// A failure that may pass, and how long the endpoint wants to be left alone.
    Again(EndpointError, Option<u64>),
}

impl ChatEndpoint {
    /// An endpoint with the key that the environment holds.
    pub fn new(settings: EndpointSettings) -> Result<Self, EndpointError> {
        let key = ApiKey::from_variable(&settings.key_variable)?;
        Self::with_key(settings, key)
    }

    /// An endpoint with this key, whatever the environment holds.
    pub fn with_key_text(settings: EndpointSettings, key: &str) -> Result<Self, EndpointError> {
        let key = ApiKey::new(key, &settings.key_variable)?;
        Self::with_key(settings, key)
    }

    fn with_key(settings: EndpointSettings, key: Option<ApiKey>) -> Result<Self, EndpointError> {
        let url = completions_url(&settings.base_url)?;
        // Installing fails only if a provider is there already, which is as good.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = Client::builder()
            .timeout(Duration::from_secs(settings.timeout_secs.max(1)))
            // A redirect would show key and picture to someone else.
            .redirect(Policy::none())
            .build()
            .map_err(|error| EndpointError::Setup(causes(&error)))?;
        let host = url.host_str().unwrap_or_default().to_owned();
        Ok(Self { settings, client, url, host, key })
    }

    /// How it is asked.
    pub fn settings(&self) -> &EndpointSettings {
        &self.settings
    }

    /// The address that is asked, without any password in it.
    pub fn address(&self) -> String {
        format!("{}{}", self.url.origin().ascii_serialization(), self.url.path())
    }

    /// Asks, and asks again while the endpoint is busy (status 429), out of order (5xx) or breaks
    /// off, up to the settings' number of tries.
    ///
    /// Blocks. A raised token is seen between the tries and while waiting, not within a request.
    pub fn complete(
        &self,
        request: ChatRequest<'_>,
        cancel: &CancelToken,
    ) -> Result<String, EndpointError> {
        let body = self.body(request).to_string();
        let mut wait_ms = self.settings.first_wait_ms;
        let mut tries_left = self.settings.attempts.max(1);
        loop {
            cancel.check().map_err(|_stopped| EndpointError::Cancelled)?;
            tries_left -= 1;
            match self.attempt(&body) {
                Try::Done(result) => return result,
                Try::Again(error, _) if tries_left == 0 => return Err(error),
                Try::Again(_, asked_ms) => wait(asked_ms.unwrap_or(wait_ms), cancel)?,
            }
            wait_ms = wait_ms.saturating_mul(2);
        }
    }

    /// What is sent, without the picture's bytes twice: the parameters, then model and messages.
    fn body(&self, request: ChatRequest<'_>) -> Value {
        let mut content = Vec::new();
        if let Some(png) = request.png {
            let data = base64::engine::general_purpose::STANDARD.encode(png);
            let url = format!("data:image/png;base64,{data}");
            content.push(json!({ "type": "image_url", "image_url": { "url": url } }));
        }
        content.push(json!({ "type": "text", "text": request.prompt }));
        let mut body = self.settings.parameters.clone();
        body.insert("model".to_owned(), json!(self.settings.model));
        body.insert("messages".to_owned(), json!([{ "role": "user", "content": content }]));
        Value::Object(body)
    }

    fn attempt(&self, body: &str) -> Try {
        let mut request = self
            .client
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_owned());
        if let Some(header) = self.key.as_ref().and_then(ApiKey::header) {
            request = request.header(AUTHORIZATION, header);
        }
        match request.send() {
            Ok(response) if response.status().is_success() => self.read(response),
            Ok(response) => self.refused(response),
            Err(error) => self.unsent(&error),
        }
    }

    fn unsent(&self, error: &reqwest::Error) -> Try {
        let host = self.host.clone();
        if error.is_timeout() {
            return Try::Done(Err(self.timed_out()));
        }
        Try::Again(EndpointError::Unreachable { host, why: self.clean(&causes(error)) }, None)
    }

    fn timed_out(&self) -> EndpointError {
        EndpointError::TimedOut { host: self.host.clone(), seconds: self.settings.timeout_secs }
    }

    /// A status that is no success.
    fn refused(&self, response: Response) -> Try {
        let status = response.status();
        let asked_ms = asked_wait_ms(&response);
        let mut body = Vec::new();
        // What it says is a courtesy: a body that breaks off says what it says.
        let message = match response.take(ANSWER_BYTES).read_to_end(&mut body) {
            Ok(_) | Err(_) => self.clean(&read_error(&body)),
        };
        let host = self.host.clone();
        let error = EndpointError::Status { host, status: status.as_u16(), message };
        let may_pass = status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error();
        if may_pass { Try::Again(error, asked_ms) } else { Try::Done(Err(error)) }
    }

    fn read(&self, response: Response) -> Try {
        let mut body = Vec::new();
        if let Err(error) = response.take(ANSWER_BYTES + 1).read_to_end(&mut body) {
            let why = self.clean(&causes(&error));
            return match error.kind() {
                std::io::ErrorKind::TimedOut => Try::Done(Err(self.timed_out())),
                _ => Try::Again(EndpointError::BrokenOff { host: self.host.clone(), why }, None),
            };
        }
        if body.len() as u64 > ANSWER_BYTES {
            let host = self.host.clone();
            return Try::Done(Err(EndpointError::TooLarge { host, limit: ANSWER_BYTES }));
        }
        Try::Done(self.answer_in(&body))
    }

    fn answer_in(&self, body: &[u8]) -> Result<String, EndpointError> {
        let malformed =
            |why: &str| EndpointError::Malformed { host: self.host.clone(), why: self.clean(why) };
        match read_reply(body).map_err(|why| malformed(&why))? {
            Reply::Text(text) => Ok(self.without_key(&text)),
            Reply::Cut => Err(EndpointError::Cut),
            Reply::Refused(why) => Err(EndpointError::Refused(self.clean(&why))),
            Reply::Empty => Err(EndpointError::Empty),
            Reply::Error(why) => Err(malformed(&format!("it is an error: {why}"))),
        }
    }

    /// A text from outside as it may stand in an error: without the key, short, on one line.
    fn clean(&self, text: &str) -> String {
        let text = self.without_key(text);
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match line.char_indices().nth(MESSAGE_CHARS) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line,
        }
    }

    fn without_key(&self, text: &str) -> String {
        self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.redact(text))
    }
}

fn completions_url(base: &str) -> Result<Url, EndpointError> {
    let bad = |why: &str| EndpointError::BadAddress { why: why.to_owned() };
    let mut url = Url::parse(base.trim()).map_err(|error| bad(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(bad("begin it with https://"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(bad("leave name and password out of it; keys go into the environment"));
    }
    let path = format!("{}/chat/completions", url.path().trim_end_matches('/'));
    url.set_path(&path);
    Ok(url)
}

/// How long the endpoint wants to be left alone, if it says so in seconds.
fn asked_wait_ms(response: &Response) -> Option<u64> {
    let seconds: f64 = response.headers().get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    (seconds >= 0.0).then_some((seconds * 1000.0) as u64)
}

fn wait(ms: u64, cancel: &CancelToken) -> Result<(), EndpointError> {
    let mut left = ms.min(LONGEST_WAIT_MS);
    while left > 0 {
        cancel.check().map_err(|_stopped| EndpointError::Cancelled)?;
        let nap = left.min(LOOK_MS);
        std::thread::sleep(Duration::from_millis(nap));
        left -= nap;
    }
    Ok(())
}

/// An error with all that it goes back to, without addresses: they may hold secrets.
fn causes(error: &(dyn std::error::Error + 'static)) -> String {
    let mut texts = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next {
        let text = match error.downcast_ref::<reqwest::Error>() {
            // It prints its address; its causes say the rest.
            Some(_) => "no connection".to_owned(),
            None => error.to_string(),
        };
        if !texts.contains(&text) {
            texts.push(text);
        }
        next = error.source();
    }
    texts.join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_completed_whether_or_not_it_ends_in_a_slash() {
        for base in ["http://localhost:1/v1", " http://localhost:1/v1/ "] {
            let url = completions_url(base).unwrap();
            assert_eq!(url.as_str(), "http://localhost:1/v1/chat/completions");
        }
    }

    #[test]
    fn addresses_that_cannot_be_asked_are_refused_without_showing_them() {
        for base in ["", "localhost", "file:///etc/passwd", "https://me:secret@host/v1"] {
            let error = completions_url(base).unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
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
