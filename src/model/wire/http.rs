//! The network.

use std::future::Future;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, Proxy, Response};
use tokio::runtime::{Handle, Runtime};

use crate::base::{CancelToken, read_file_limited};

use super::message::causes;
use super::request::{AnswerListener, BodyEnd, Wire, WireHead, WireRequest};
use super::{TimeLimit, WireError, checked_address};

/// How often an open request looks whether it was stopped.
const LOOK: Duration = Duration::from_millis(40);
/// Largest file of authorities, in bytes: a system's own has a quarter of it.
const AUTHORITIES_BYTES: u64 = 1 << 20;

/// How connections are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpSettings {
    /// Longest time until there is a connection.
    pub connect_timeout: Duration,
    /// Longest time in which nothing comes.
    pub idle_timeout: Duration,
    /// Longest time of the whole.
    pub whole_timeout: Duration,
    /// The proxy's address; `Some` of an empty text for none at all, `None` for the environment's
    /// (`HTTPS_PROXY` and so on).
    pub proxy: Option<String>,
    /// A PEM file with the certificates of authorities that are trusted beside the system's, as a
    /// server of one's own has them.
    pub ca_file: Option<PathBuf>,
}

/// The network. Follows no redirect: that would show key and content to someone else.
///
/// One serves any number of threads, and keeps connections to use them again. All of them are driven by one thread of
/// its own, from the first request on.
#[derive(Debug)]
pub struct HttpWire {
    client: Client,
    settings: HttpSettings,
    runtime: OnceLock<Result<Runtime, String>>,
}

/// Why a request ends before its time.
enum Interrupted {
    Cancelled,
    Idle,
    Whole,
}

impl HttpWire {
    /// Ready to connect; does not yet.
    pub fn new(settings: HttpSettings) -> Result<Self, WireError> {
        // Installing fails only if a provider is there already, which is as good.
        drop(rustls::crypto::ring::default_provider().install_default());
        let mut builder = Client::builder()
            .connect_timeout(settings.connect_timeout)
            .redirect(Policy::none())
            .user_agent(concat!("pentimento/", env!("CARGO_PKG_VERSION")));
        match settings.proxy.as_deref().map(str::trim) {
            None => {}
            Some("") => builder = builder.no_proxy(),
            Some(proxy) => {
                let url = checked_address(proxy, "")
                    .map_err(|error| WireError::Setup(format!("the proxy: {error}")))?;
                let proxy = Proxy::all(url).map_err(|error| WireError::Setup(causes(&error)))?;
                builder = builder.proxy(proxy);
            }
        }
        if let Some(path) = &settings.ca_file {
            builder = builder.tls_certs_merge(authorities(path)?);
        }
        let client = builder.build().map_err(|error| WireError::Setup(causes(&error)))?;
        Ok(Self { client, settings, runtime: OnceLock::new() })
    }

    fn runtime(&self) -> Result<&Runtime, WireError> {
        let runtime = self.runtime.get_or_init(|| {
            let mut builder = tokio::runtime::Builder::new_multi_thread();
            // One is enough: it waits, and the thread that asked reads what came.
            builder.worker_threads(1).thread_name("http").enable_io().enable_time();
            builder.build().map_err(|error| error.to_string())
        });
        runtime.as_ref().map_err(|why| WireError::Setup(why.clone()))
    }

    async fn exchange(
        &self,
        request: &WireRequest,
        listener: &mut dyn AnswerListener,
        cancel: &CancelToken,
    ) -> Result<BodyEnd, WireError> {
        let began = Instant::now();
        let sent = self.client.post(&request.url).headers(headers_of(request)?);
        let sent = sent.body(request.body.clone()).send();
        let mut response = match self.within(began, cancel, sent).await {
            Ok(Ok(response)) => response,
            // The only limit that the client keeps itself; the others are ours, below.
            Ok(Err(error)) if error.is_timeout() => {
                return Err(timed_out(TimeLimit::Connect, self.settings.connect_timeout));
            }
            Ok(Err(error)) if error.is_builder() => {
                return Err(WireError::Unsendable(causes(&error)));
            }
            Ok(Err(error)) if error.is_connect() => {
                return Err(WireError::Unreachable { why: causes(&error) });
            }
            Ok(Err(error)) => return Err(WireError::BrokenOff { why: causes(&error) }),
            Err(interrupted) => return Err(self.error_of(&interrupted)),
        };
        listener.head(head_of(&response));
        loop {
            match self.within(began, cancel, response.chunk()).await {
                Ok(Ok(None)) => return Ok(BodyEnd::Whole),
                Ok(Ok(Some(bytes))) => {
                    if listener.bytes(&bytes) == ControlFlow::Break(()) {
                        return Ok(BodyEnd::Stopped);
                    }
                }
                Ok(Err(error)) => return Err(WireError::BrokenOff { why: causes(&error) }),
                Err(interrupted) => return Err(self.error_of(&interrupted)),
            }
        }
    }

    /// What the future gives, unless it is stopped or takes too long.
    async fn within<T>(
        &self,
        began: Instant,
        cancel: &CancelToken,
        future: impl Future<Output = T>,
    ) -> Result<T, Interrupted> {
        // Begun anew for every piece of the body: what trickles is not idle, and ends at the whole.
        let idle_from = Instant::now();
        let mut future = pin!(future);
        loop {
            // Looked at every time, so that a stream that never pauses is stopped too.
            cancel.check().map_err(|_stopped| Interrupted::Cancelled)?;
            if began.elapsed() >= self.settings.whole_timeout {
                return Err(Interrupted::Whole);
            }
            if idle_from.elapsed() >= self.settings.idle_timeout {
                return Err(Interrupted::Idle);
            }
            tokio::select! {
                biased;
                // Biased: an answer that is there counts, even if the time is over by now.
                output = &mut future => return Ok(output),
                () = tokio::time::sleep(LOOK) => {}
            }
        }
    }

    fn error_of(&self, interrupted: &Interrupted) -> WireError {
        match interrupted {
            Interrupted::Cancelled => WireError::Cancelled,
            Interrupted::Idle => timed_out(TimeLimit::Idle, self.settings.idle_timeout),
            Interrupted::Whole => timed_out(TimeLimit::Whole, self.settings.whole_timeout),
        }
    }
}

impl Wire for HttpWire {
    fn post(
        &self,
        request: &WireRequest,
        listener: &mut dyn AnswerListener,
        cancel: &CancelToken,
    ) -> Result<BodyEnd, WireError> {
        // Blocking there would panic: the runtime's thread would wait for itself.
        if Handle::try_current().is_ok() {
            return Err(WireError::Setup("asked from within an asynchronous task".to_owned()));
        }
        self.runtime()?.block_on(self.exchange(request, listener, cancel))
    }
}

impl Drop for HttpWire {
    fn drop(&mut self) {
        // Waits for nothing: the last one who holds the wire may be a task of another runtime, where waiting would panic.
        if let Some(Ok(runtime)) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The certificates in a PEM file.
fn authorities(path: &Path) -> Result<Vec<Certificate>, WireError> {
    let why = match read_file_limited(path, AUTHORITIES_BYTES) {
        Ok(pem) => match Certificate::from_pem_bundle(&pem) {
            Ok(certificates) if !certificates.is_empty() => return Ok(certificates),
            // A file of something else has none, which is no error to the reader.
            Ok(_) => format!("there is no certificate in {}", path.display()),
            Err(error) => causes(&error),
        },
        Err(error) => error.to_string(),
    };
    Err(WireError::Setup(format!("the file of authorities: {why}")))
}

fn timed_out(limit: TimeLimit, after: Duration) -> WireError {
    WireError::TimedOut { limit, seconds: after.as_secs() }
}

fn headers_of(request: &WireRequest) -> Result<HeaderMap, WireError> {
    let mut headers = HeaderMap::new();
    for header in &request.headers {
        let (Ok(name), Ok(mut value)) =
            (HeaderName::from_bytes(header.name.as_bytes()), HeaderValue::from_str(&header.value))
        else {
            // By its name alone: the value may be the key.
            return Err(WireError::Unsendable(format!("the header {:?}", header.name)));
        };
        value.set_sensitive(header.is_secret());
        headers.append(name, value);
    }
    Ok(headers)
}

fn head_of(response: &Response) -> WireHead {
    let headers = response.headers().iter();
    let headers = headers
        .filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())));
    WireHead { status: response.status().as_u16(), headers: headers.collect() }
}
