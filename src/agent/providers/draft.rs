//! An answer as it is read, before it is known what it took.

use serde_json::Value;

use crate::agent::chat::{
    AssistantMessage, CallRequest, ChatRequest, ProviderItems, StopReason, TokenUsage,
};

use super::arguments::read_arguments;
use super::error::ProviderError;
use super::limits::AnswerLimits;

/// An answer as it is read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Draft {
    pub(super) message: AssistantMessage,
    pub(super) reasoning: String,
    pub(super) stop: StopReason,
    pub(super) usage: Option<TokenUsage>,
}

/// Makes up ids for calls without one. Each is unlike every other of the conversation, as each answer
/// follows another number of messages.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallIds {
    messages: usize,
}

/// How ids begin that were made up.
const MADE_UP: &str = "made_";

impl CallIds {
    /// For the answer to this request.
    pub(super) fn new(request: &ChatRequest) -> Self {
        Self { messages: request.messages.len() }
    }

    fn nth(self, nth: usize) -> String {
        format!("{MADE_UP}{}_{nth}", self.messages)
    }
}

/// Whether an id was made up here, so that its provider does not know it.
pub(super) fn is_made_up(id: &str) -> bool {
    id.starts_with(MADE_UP)
}

/// The answer's words, reasoning and calls as they are found.
#[derive(Debug)]
pub(super) struct Parts {
    ids: CallIds,
    pub(super) text: String,
    pub(super) reasoning: String,
    pub(super) calls: Vec<CallRequest>,
}

impl Parts {
    pub(super) fn new(ids: CallIds) -> Self {
        Self { ids, text: String::new(), reasoning: String::new(), calls: Vec::new() }
    }

    /// More of the reasoning; a new paragraph if there is some already.
    pub(super) fn add_reasoning(&mut self, text: &str) {
        if !self.reasoning.is_empty() && !text.is_empty() {
            self.reasoning.push_str("\n\n");
        }
        self.reasoning.push_str(text);
    }

    /// One more call. Without an id, or with one that another call of the answer has, it gets one.
    pub(super) fn add_call(
        &mut self,
        id: &str,
        name: &str,
        arguments: Option<&Value>,
    ) -> Result<(), ProviderError> {
        let longest = AnswerLimits::NAME_BYTES;
        check_calls(self.calls.len() + 1)?;
        if id.len() > longest || name.len() > longest {
            let why = format!("the name or the id of a call has over {longest} bytes");
            return Err(ProviderError::TooMuch(why));
        }
        // Results name their call by its id: two calls of one id could not be told apart.
        let taken = id.is_empty() || self.calls.iter().any(|call| call.id == id);
        let id = if taken { self.ids.nth(self.calls.len()) } else { id.to_owned() };
        let arguments = read_arguments(arguments)?;
        self.calls.push(CallRequest { id, name: name.to_owned(), arguments });
        Ok(())
    }

    /// The answer.
    pub(super) fn draft(
        self,
        stop: StopReason,
        usage: Option<TokenUsage>,
        items: Option<(&str, Value)>,
    ) -> Draft {
        let items =
            items.map(|(provider, items)| ProviderItems { provider: provider.to_owned(), items });
        let Self { text, reasoning, calls, .. } = self;
        let message = AssistantMessage { text, calls, provider_items: items };
        Draft { message, reasoning, stop, usage }
    }

    /// [`StopReason::ToolCalls`] if there is a call, else [`StopReason::End`].
    pub(super) fn natural_stop(&self) -> StopReason {
        // Servers disagree on what they call it: what is there decides.
        if self.calls.is_empty() { StopReason::End } else { StopReason::ToolCalls }
    }
}

/// Refuses more calls than an answer may have.
pub(super) fn check_calls(count: usize) -> Result<(), ProviderError> {
    let most = AnswerLimits::CALLS;
    if count > most {
        return Err(ProviderError::TooMuch(format!("it has more than {most} calls")));
    }
    Ok(())
}

/// Refuses more parts than an answer may have.
pub(super) fn check_parts(count: usize) -> Result<(), ProviderError> {
    let most = AnswerLimits::PARTS;
    if count > most {
        return Err(ProviderError::TooMuch(format!("it has more than {most} parts")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_without_an_id_of_their_own_get_one() {
        let mut parts = Parts::new(CallIds { messages: 3 });
        for id in ["a", "", "a", ""] {
            parts.add_call(id, "tool", None).unwrap();
        }
        let ids: Vec<&str> = parts.calls.iter().map(|call| call.id.as_str()).collect();
        assert_eq!(ids, ["a", "made_3_1", "made_3_2", "made_3_3"]);
        assert!(is_made_up("made_3_1") && !is_made_up("a"));
    }

    #[test]
    fn no_answer_has_more_calls_than_anyone_could_want() {
        let mut parts = Parts::new(CallIds { messages: 0 });
        let error = (0..=AnswerLimits::CALLS).find_map(|_| parts.add_call("", "t", None).err());
        assert!(matches!(error, Some(ProviderError::TooMuch(_))), "{error:?}");
        let long = "a".repeat(AnswerLimits::NAME_BYTES + 1);
        let error = Parts::new(CallIds { messages: 0 }).add_call(&long, "t", None);
        assert!(matches!(error, Err(ProviderError::TooMuch(_))), "{error:?}");
    }
}
