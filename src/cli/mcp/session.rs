//! The session of one client: answers its requests, and leaves the server when it goes.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use axum::http::request::Parts;
use parking_lot::Mutex;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    GetPromptRequestParams, GetPromptResponse, ListPromptsResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;

use super::auth::SESSION_HEADER;
use super::catalog::{Catalog, PROMPT, result_of};
use super::server::{Server, Slot};
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

/// The session of a client.
#[derive(Debug)]
pub(super) struct ClientSession {
    server: Arc<Server>,
    slot: Arc<Slot>,
    /// When it asked for something last, and how long it may ask for nothing.
    last: Mutex<Instant>,
    idle: Option<Duration>,
    /// Its id, once it has called a tool over HTTP.
    id: OnceLock<String>,
}

impl ClientSession {
    /// The session of a client of `server` that may ask for nothing for `idle`.
    pub(super) fn new(server: &Arc<Server>, idle: Option<Duration>) -> Self {
        Self {
            slot: server.open_slot(),
            server: Arc::clone(server),
            last: Mutex::new(Instant::now()),
            idle,
            id: OnceLock::new(),
        }
    }

    /// A request has come, or was answered: the client is there.
    fn touch(&self) {
        *self.last.lock() = Instant::now();
    }

    /// How its run ended, told from what is known when the session is dropped: the protocol's library
    /// says of none why it closed it.
    fn outcome(&self) -> Outcome {
        let idle = self.last.lock().elapsed();
        match self.idle {
            // In this order: a server that stops closes all sessions, whatever else is true of them.
            _ if self.server.is_stopping() => Outcome::Cancelled,
            _ if self.id.get().is_some_and(|id| self.server.was_evicted(id)) => {
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

impl Drop for ClientSession {
    fn drop(&mut self) {
        self.server.leave(&self.slot, self.outcome());
    }
}

impl ServerHandler for ClientSession {
    fn get_info(&self) -> ServerConfig {
        Catalog::server()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::known_up_to(&NEWEST))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.touch();
        Ok(ListToolsResult::with_all_items(self.server.catalog.tools.clone()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.server.catalog.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.touch();
        // Over stdio there are no headers, and no session that could be evicted.
        if let Some(parts) = context.extensions.get::<Parts>()
            && let Some(session) = parts.headers.get(SESSION_HEADER)
        {
            self.id.get_or_init(|| session.to_str().unwrap_or_default().to_owned());
        }
        let call = ToolCall {
            id: context.id.to_string(),
            name: request.name.into_owned(),
            arguments: Value::Object(request.arguments.unwrap_or_default()),
        };
        let (sender, receiver) = tokio::sync::oneshot::channel();
        self.server.call(
            &self.slot,
            || agent(&context),
            call,
            // The picture is encoded on the run's thread, not on the one that serves everybody. Whoever
            // asked may be gone by then.
            Box::new(move |made| drop(sender.send(response(made)))),
        );
        let made = receiver.await;
        let made = made.map_err(|_gone| ErrorData::internal_error("the call was lost", None))?;
        // A call may take longer than a client may be idle: the time counts from its answer.
        self.touch();
        made.map(CallToolResponse::Complete)
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.touch();
        Ok(ListResourcesResult::with_all_items(self.server.catalog.resources()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        self.touch();
        let read = self.server.catalog.read(&request.uri);
        let read = read.ok_or_else(|| {
            let words = format!("there is no resource {}", shortened(&request.uri));
            ErrorData::resource_not_found(words, None)
        })?;
        Ok(ReadResourceResponse::Complete(read))
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        self.touch();
        Ok(ListPromptsResult::with_all_items(Catalog::prompts()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.touch();
        if request.name != PROMPT {
            let words = format!("there is no prompt {}", shortened(&request.name));
            return Err(ErrorData::invalid_params(words, None));
        }
        Ok(GetPromptResponse::Complete(self.server.catalog.prompt()))
    }
}

/// What the client is told of a call. A tool that does not exist is an error of the protocol, as the
/// specification has it; every other failure is a result that a model can read.
fn response(made: Result<ToolOutcome, NotMade>) -> Result<CallToolResult, ErrorData> {
    match made {
        Ok(outcome) => match &outcome.failure {
            // Only this one: what a model can mend by itself has to reach the model.
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
        // The name becomes a folder: who gives none, or only spaces, is called by the kind.
        name: if name.trim().is_empty() { KIND.to_owned() } else { name },
        version: Some(shortened(&version)).filter(|version| !version.is_empty()),
    }
}

/// What a client says of itself, or asks for, as it may stand in a file, a folder's name or a message.
fn shortened(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(NAME_CHARS).collect()
}
