//! A conversation with a model, whoever provides it: what is asked, what is answered, and what went
//! over the wire.
//!
//! [`ChatModel`] answers a [`ChatRequest`] with an [`Answer`]; a [`ChatListener`] hears it grow. Each
//! HTTP attempt is an [`Exchange`], exactly as it went but for secrets, so that a run can be asked
//! again without a network. [`super::providers`] has the models.
//!
//! Uses `run` (the names of recorded pictures) and `base`.

mod answer;
mod error;
mod exchange;
mod message;
mod model;
mod payload;
mod request;

pub use answer::{Answer, Attempt, RetryCause, StopReason, TokenUsage};
pub use error::ChatError;
pub use exchange::{Exchange, ExchangeEnd, ExchangeHead, RecordedExchange};
pub use message::{
    AssistantMessage, CallRequest, MalformedArguments, Message, Part, ProviderItems, ToolResult,
};
pub use model::{ChatListener, ChatModel, ModelIdentity, NoListener};
pub use payload::{Payload, PayloadError, Piece, TakenPicture};
pub use request::{ChatRequest, ChatSettings, ChatTool};
