//! Asking a model for a step.

use std::sync::Arc;

use super::answer::{Said, words_so_far};
use super::question::{ModelQuestion, again};
use super::trying::suggestion_of;
use crate::agent::assistant::describing::AssistContext;
use crate::agent::assistant::suggestion::Suggestion;
use crate::agent::chat::{
    Answer, AssistantMessage, Attempt, ChatError, ChatListener, ChatModel, ChatRequest,
    ChatSettings, Exchange, Message, RetryCause, StopReason, TokenUsage,
};
use crate::agent::models::OpenedModel;
use crate::agent::providers::SetupError;
use crate::base::{CancelToken, Cancelled};
use crate::environment::Environment as _;
use crate::environment::canvas::{CanvasEnvironment, Start, StartError};

/// How often an answer that cannot be used is asked for again.
const MOST_REPEATS: u32 = 1;
/// Most letters of an answer of no use that are sent back with the question.
const MOST_SENT_BACK: usize = 4_000;

/// What came of asking.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelAnswer {
    /// What it said, in at most 25 words; empty if nothing could be used.
    pub words: String,
    /// The step, if it proposes one that can be done.
    pub suggestion: Option<Suggestion>,
    /// Why its last answer could not be used, or did not come.
    pub problem: Option<String>,
    /// Tokens of all answers; `None` if the provider does not say.
    pub usage: Option<TokenUsage>,
    /// What they cost, in US dollars; `None` where a price or the tokens are not known.
    pub cost_usd: Option<f64>,
    /// How many answers were asked for.
    pub answers: u32,
}

/// Why nothing was asked, or nothing answered.
#[derive(Debug, thiserror::Error)]
pub enum ModelAskError {
    /// It was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The model cannot be set up.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// It gave no answer.
    #[error(transparent)]
    Chat(ChatError),
    /// The design cannot be opened on the canvas.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// Asks a model for a step, and again once if its answer cannot be used. `heard` is told its words as they grow;
/// they begin anew where an attempt failed.
///
/// Blocks; a raised token is seen within 50 ms. The design is not touched: calls are made on a copy.
///
/// # Errors
///
/// [`ModelAskError`]. An answer that cannot be used is no error but a [`ModelAnswer::problem`], and so is one that does
/// not come when it is asked for again.
pub fn ask(
    opened: &OpenedModel,
    question: &ModelQuestion,
    context: AssistContext<'_>,
    heard: &mut dyn FnMut(&str),
    cancel: &CancelToken,
) -> Result<ModelAnswer, ModelAskError> {
    let (provider, settings) = opened.chat()?;
    ask_chat(&provider, settings, question, context, heard, cancel)
}

/// The same of whoever answers.
///
/// # Errors
///
/// As [`ask`].
pub fn ask_chat(
    model: &dyn ChatModel,
    settings: ChatSettings,
    question: &ModelQuestion,
    context: AssistContext<'_>,
    heard: &mut dyn FnMut(&str),
    cancel: &CancelToken,
) -> Result<ModelAnswer, ModelAskError> {
    let start = Start::Design(question.design.clone());
    let canvas = CanvasEnvironment::new(start, context.canvas.clone())?;
    let mut request = ChatRequest {
        system: String::new(),
        messages: vec![question.message(canvas.tools())],
        tools: Arc::new([]),
        settings,
    };
    let mut came = ModelAnswer {
        words: String::new(),
        suggestion: None,
        problem: None,
        usage: Some(TokenUsage::default()),
        cost_usd: None,
        answers: 0,
    };
    for repeats in 0..=MOST_REPEATS {
        cancel.check()?;
        let mut listener = Listener { text: String::new(), heard: &mut *heard };
        let answer = match model.answer(&request, &mut listener, cancel) {
            Ok(answer) => answer,
            Err(ChatError::Cancelled { .. }) => return Err(Cancelled.into()),
            // What came before is paid for, and told.
            Err(error) if came.answers > 0 => {
                came.problem = Some(error.to_string());
                break;
            }
            Err(error) => return Err(ModelAskError::Chat(error)),
        };
        came.answers += 1;
        count(&mut came.usage, &answer);
        let text = answer.message.text.trim();
        match used(&answer, question, context, cancel) {
            Ok((words, suggestion)) => {
                (came.words, came.suggestion, came.problem) = (words, suggestion, None);
                break;
            }
            Err(problem) => {
                // An empty message is refused by most providers: then the same is asked once more.
                if repeats < MOST_REPEATS && !text.is_empty() {
                    let text = text.chars().take(MOST_SENT_BACK).collect();
                    let said = AssistantMessage { text, ..AssistantMessage::default() };
                    request.messages.push(Message::Assistant(said));
                    request.messages.push(again(&problem));
                }
                came.problem = Some(problem);
            }
        }
        // Whoever will not answer is not asked, and paid, again.
        if matches!(answer.stop, StopReason::Refused(_) | StopReason::Filtered(_)) {
            break;
        }
    }
    came.cost_usd = came.usage.as_ref().and_then(|usage| model.cost_usd(usage));
    Ok(came)
}

/// The words and the step of an answer, or why it cannot be used.
fn used(
    answer: &Answer,
    question: &ModelQuestion,
    context: AssistContext<'_>,
    cancel: &CancelToken,
) -> Result<(String, Option<Suggestion>), String> {
    match &answer.stop {
        StopReason::Refused(_) => return Err("the model refused to answer".to_owned()),
        StopReason::Filtered(_) => return Err("a filter of the provider stopped it".to_owned()),
        _ => {}
    }
    let said = Said::read(&answer.message.text).map_err(|problem| match &answer.stop {
        // Why it cannot be read is best said by how it ended.
        StopReason::Length => "the answer was cut off at the limit of tokens".to_owned(),
        _ => problem,
    })?;
    let suggestion = suggestion_of(&said, &question.design, context, cancel)?;
    Ok((said.words, suggestion))
}

/// Adds what the attempts at an answer took; an answer that does not say makes the sum unknown.
fn count(sum: &mut Option<TokenUsage>, answer: &Answer) {
    for attempt in &answer.attempts {
        match (&attempt.usage, sum.as_mut()) {
            (Some(usage), Some(sum)) => {
                sum.input += usage.input;
                sum.output += usage.output;
                sum.cached_input += usage.cached_input;
                sum.cache_writes += usage.cache_writes;
                sum.reasoning += usage.reasoning;
            }
            (None, Some(_)) if attempt.failure.is_none() => *sum = None,
            _ => {}
        }
    }
}

/// Hears the words grow.
struct Listener<'a> {
    text: String,
    heard: &'a mut dyn FnMut(&str),
}

impl ChatListener for Listener<'_> {
    fn text(&mut self, delta: &str) {
        // Its words come first: of an endless answer no more is looked at.
        if self.text.len() > MOST_SENT_BACK {
            return;
        }
        self.text.push_str(delta);
        (self.heard)(&words_so_far(&self.text));
    }

    fn exchange(&mut self, _exchange: &Exchange, _attempt: &Attempt) {}

    fn waiting(&mut self, _why: &RetryCause, _secs: f64) {
        // What was heard of an attempt that failed is void.
        self.text.clear();
        (self.heard)("");
    }
}
