//! Message logs: what the APIs of models are sent and answer, as JSON or JSON Lines, in all the ways in which
//! people keep it: a list of messages, a request that holds them, exchanges of which each repeats what came
//! before, answers alone, a message or a conversation a line, streams as they came over the wire.
//!
//! - `log`: the parts of a log one after the other;
//! - `dialect`: what each API says of its messages;
//! - `open_run`: a run of which more may follow;
//! - `seen_request`: whether a request goes on from one before, and which model it asks;
//! - `stream`: answers that came in events, put together;
//! - `batch`: requests and results that were sent and fetched as files;
//! - `anthropic`, `openai`, `gemini`: the APIs;
//! - `codex`, `codex_exec`: sessions of a program that keeps items of one of them, and what it prints.
//!
//! Start with `log.rs`.

pub(super) mod anthropic;
mod batch;
pub(super) mod codex;
mod codex_exec;
mod dialect;
pub(super) mod gemini;
mod log;
mod open_run;
pub(super) mod openai;
mod seen_request;
mod stream;
