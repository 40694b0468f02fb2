//! One client: answers its requests, and leaves when it goes.

use parking_lot::Mutex;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use axum::http::request::Parts;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    GetPromptRequestParams, GetPromptResponse, ListPromptsResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;

use super::gate::SESSION;
use super::host::{Host, Seat};
use super::offer::{Offer, PROMPT, result_of};
use crate::agent::hosted::NotMade;
use crate::environment::{FailureClass, ToolCall, ToolOutcome};
use crate::run::{AgentRef, Outcome};

/// The agent kind of these runs.
const KIND: &str = "mcp";
/// Longest name of a client that is kept, in characters.
const NAME_CHARS: usize = 80;

/// The newest version of the protocol that has sessions. Later ones have none, and without them
/// nobody could say which calls belong to one run.
const NEWEST: ProtocolVersion = ProtocolVersion::V_2025_11_25;

/// A client.
#[derive(Debug)]
pub(super) struct Guest {
    host: Arc<Host>,
    seat: Arc<Seat>,
    /// When it asked for something last, and how long it may ask for nothing.
    last: Mutex<Instant>,
    idle: Option<Duration>,
    /// Its session's id, once it has called a tool over HTTP.
    session: OnceLock<String>,
}

impl Guest {
    /// A client of `host` that may ask for nothing for `idle`.
    pub(super) fn new(host: &Arc<Host>, idle: Option<Duration>) -> Self {
        let seat = host.seat();
        let (last, session) = (Mutex::new(Instant::now()), OnceLock::new());
        Self { host: Arc::clone(host), seat, last, idle, session }
    }

    fn asks(&self) {
        *self.last.lock() = Instant::now();
    }

    fn outcome(&self) -> Outcome {
        let idle = self.last.lock().elapsed();
        match self.idle {
            _ if self.host.is_stopping() => Outcome::Cancelled,
            _ if self.session.get().is_some_and(|session| self.host.was_sent_away(session)) => {
                let secs = idle.as_secs();
                Outcome::LimitReached(format!(
                    "{secs} seconds without a request or a connection, while others waited"
                ))
            }
            Some(most) if idle >= most => {
                Outcome::LimitReached(format!("{} seconds without a request", most.as_secs()))
            }
            _ => Outcome::Completed,
        }
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.host.leave(&self.seat, self.outcome());
    }
}

impl ServerHandler for Guest {
    fn get_info(&self) -> ServerConfig {
        Offer::server()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::known_up_to(&NEWEST))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.asks();
        Ok(ListToolsResult::with_all_items(self.host.offer.tools.clone()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.host.offer.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.asks();
        if let Some(parts) = context.extensions.get::<Parts>()
            && let Some(session) = parts.headers.get(SESSION)
        {
            self.session.get_or_init(|| session.to_str().unwrap_or_default().to_owned());
        }
        let call = ToolCall {
            id: context.id.to_string(),
            name: request.name.into_owned(),
            arguments: Value::Object(request.arguments.unwrap_or_default()),
        };
        let (tell, told) = tokio::sync::oneshot::channel();
        // The picture is encoded on the run's thread, not on the one that serves everybody.
        let answer = Box::new(move |made: Result<ToolOutcome, NotMade>| {
            // Whoever asked may be gone.
            tell.send(response(made)).ok();
        });
        self.host.call(&self.seat, || agent(&context), call, answer);
        let lost = |_| ErrorData::internal_error("the call was lost", None);
        let made = told.await.map_err(lost)?;
        self.asks();
        made.map(CallToolResponse::Complete)
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.asks();
        Ok(ListResourcesResult::with_all_items(self.host.offer.resources()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.asks();
        let read = self.host.offer.read(&request.uri);
        let missing = || format!("there is no resource {}", shortened(&request.uri));
        let read = read.ok_or_else(|| ErrorData::resource_not_found(missing(), None))?;
        Ok(ReadResourceResponse::Complete(read))
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.asks();
        Ok(ListPromptsResult::with_all_items(Offer::prompts()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.asks();
        if request.name != PROMPT {
            let words = format!("there is no prompt {}", shortened(&request.name));
            return Err(ErrorData::invalid_params(words, None));
        }
        Ok(GetPromptResponse::Complete(self.host.offer.prompt()))
    }
}

/// What the client is told of a call. A tool that does not exist is an error of the protocol, as the
/// specification has it; every other failure is a result that a model can read.
fn response(made: Result<ToolOutcome, NotMade>) -> Result<CallToolResult, ErrorData> {
    match made {
        Ok(outcome) => match &outcome.failure {
            Some(failure) if failure.class == FailureClass::UnknownTool => {
                Err(ErrorData::invalid_params(failure.message.clone(), None))
            }
            _ => Ok(result_of(&outcome)),
        },
        Err(why) => Ok(CallToolResult::error(vec![ContentBlock::text(why.to_string())])),
    }
}

/// The client by the name and version it gave when it connected.
fn agent(context: &RequestContext<RoleServer>) -> AgentRef {
    let client = context.peer.peer_info().map(|peer| peer.client_info.clone());
    let (name, version) = client.map(|client| (client.name, client.version)).unwrap_or_default();
    let name = shortened(&name);
    AgentRef {
        kind: KIND.to_owned(),
        name: if name.trim().is_empty() { KIND.to_owned() } else { name },
        version: Some(shortened(&version)).filter(|version| !version.is_empty()),
    }
}

fn shortened(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(NAME_CHARS).collect()
}
