//! One item asked: the request, the answer read and held against the form, once more where it is none.

use std::sync::Arc;

use crate::agent::batch::Budget;
use crate::agent::chat::{
    Answer, AssistantMessage, Attempt, ChatError, ChatListener, ChatModel, ChatRequest,
    ChatSettings, Exchange, Message, Part, RetryCause, StopReason,
};
use crate::base::CancelToken;
use crate::cli::output::note;
use crate::evaluate::ShownEvidence;
use crate::label::form::{FALLBACK_LANGUAGE, Form};
use crate::label::judging::{answer_shape, questions_in_words, read_answer};
use crate::label::{Item, JudgeIdentity, Judged, Judgement};
use crate::model::prompts::PromptSet;
use crate::run::exchange_folder::ExchangeFolderError;

use super::record::Record;

/// How often a model is asked for an answer that fits the form.
const TRIES: u32 = 2;

/// What asking needs, whatever the item.
pub(super) struct JudgeContext<'a> {
    pub(super) model: &'a dyn ChatModel,
    pub(super) settings: ChatSettings,
    pub(super) prompts: &'a PromptSet,
    pub(super) identity: &'a JudgeIdentity,
    pub(super) record: &'a Record,
    pub(super) budget: &'a Budget,
}

/// Why there is nothing to be written down about an item, and nobody else is asked either.
#[derive(Debug, thiserror::Error)]
pub(super) enum AskError {
    /// Somebody stopped it.
    #[error("stopped")]
    Stopped,
    /// The model cannot be reached, or takes no requests at all.
    #[error(transparent)]
    Chat(ChatError),
    /// What was asked and answered cannot be recorded.
    #[error("what was asked cannot be recorded: {0}")]
    Record(#[from] ExchangeFolderError),
}

/// What came of one request.
enum Reply {
    Answer(Box<Answer>),
    /// The model or its provider will not have this request.
    Refused(String),
}

/// What a model is asked about an item.
pub(super) fn prompt(
    prompts: &PromptSet,
    form: &Form,
    item: &Item,
    words: &str,
    candidates: &[u32],
) -> String {
    let candidates: Vec<&str> = candidates
        .iter()
        .filter_map(|place| item.candidates.get(*place as usize).map(String::as_str))
        .collect();
    let guide = match form.guide.in_language(FALLBACK_LANGUAGE) {
        "" => "Nothing beside the questions.",
        guide => guide,
    };
    let title = form.title.in_language(FALLBACK_LANGUAGE);
    let (questions, shape) = (questions_in_words(form, &candidates), answer_shape(form));
    prompts.label_item(&[title, guide, words, &questions, &shape])
}

impl JudgeContext<'_> {
    /// Asks, and says what came of it; every request and answer is recorded before.
    pub(super) fn ask(
        &self,
        (form, item): (&Form, &Item),
        (is_swapped, candidates): (bool, &[u32]),
        shown: &ShownEvidence,
    ) -> Result<Judged, AskError> {
        let mut parts =
            vec![Part::Text(prompt(self.prompts, form, item, &shown.words, candidates))];
        for (number, (caption, png)) in (1..).zip(&shown.pictures) {
            parts.push(Part::Text(format!("Picture {number}: {caption}")));
            parts.push(Part::Picture(Arc::from(png.as_slice())));
        }
        let mut request = ChatRequest {
            system: String::new(),
            messages: vec![Message::User(parts)],
            tools: Arc::from([]),
            settings: self.settings.clone(),
        };
        let mut judged = Judged {
            judge: self.identity.clone(),
            is_swapped,
            candidates: candidates.to_vec(),
            outcome: Judgement::failed("it was not asked"),
            asked: self.record.next_number(),
            tokens: [0; 2],
            cost_usd: None,
        };
        for _ in 0..TRIES {
            let answer = match self.answer(&request, &mut judged)? {
                Reply::Answer(answer) => answer,
                Reply::Refused(why) => {
                    judged.outcome = Judgement::failed(&why);
                    break;
                }
            };
            let problem = match &answer.stop {
                StopReason::Refused(why) | StopReason::Filtered(why) => {
                    // Asked again it would cost as much and say the same.
                    judged.outcome = Judgement::failed(&format!("it refused: {why}"));
                    break;
                }
                StopReason::Length => {
                    format!("it was cut off at the limit of {} tokens", self.settings.max_tokens)
                }
                _ if answer.is_empty() => "it is empty".to_owned(),
                _ => match read_answer(form, item, is_swapped, &answer.message.text) {
                    Ok(read) => {
                        let (answer, confidence) = (Box::new(read.answer), read.confidence);
                        judged.outcome = Judgement::Answered { answer, confidence };
                        break;
                    }
                    Err(error) => error.to_string(),
                },
            };
            judged.outcome = Judgement::failed(&problem);
            let Judgement::Failed { reason } = &judged.outcome else { break };
            // The answer that did not fit goes along, with what is wrong with it.
            let again = Part::Text(self.prompts.label_again(reason));
            let is_empty = answer.is_empty();
            request.messages = again_messages(request.messages, answer.message, is_empty, again);
        }
        Ok(judged)
    }

    fn answer(&self, request: &ChatRequest, judged: &mut Judged) -> Result<Reply, AskError> {
        let mut listener = Listener { asking: self, judged, failed: None };
        let answered = self.model.answer(request, &mut listener, self.cancel());
        if let Some(error) = listener.failed.take() {
            return Err(error.into());
        }
        match answered {
            Ok(answer) => Ok(Reply::Answer(Box::new(answer))),
            Err(ChatError::Cancelled { .. }) => Err(AskError::Stopped),
            // This request, and not the key or the address: too long, a picture it does not take.
            Err(
                error @ (ChatError::Rejected { status: 400 | 413 | 422, .. }
                | ChatError::TooMuch { .. }),
            ) => Ok(Reply::Refused(error.to_string())),
            Err(error) => Err(AskError::Chat(error)),
        }
    }

    fn cancel(&self) -> &CancelToken {
        self.budget.stop()
    }
}

/// The conversation with what is wrong with its last answer. An empty answer is no message that could be sent back.
fn again_messages(
    mut messages: Vec<Message>,
    answer: AssistantMessage,
    is_empty: bool,
    again: Part,
) -> Vec<Message> {
    match messages.last_mut() {
        Some(Message::User(parts)) if is_empty => parts.push(again),
        _ => messages.extend([Message::Assistant(answer), Message::User(vec![again])]),
    }
    messages
}

/// Records what goes over the wire, and counts what it costs.
struct Listener<'a, 'b> {
    asking: &'a JudgeContext<'b>,
    judged: &'a mut Judged,
    failed: Option<ExchangeFolderError>,
}

impl ChatListener for Listener<'_, '_> {
    fn exchange(&mut self, exchange: &Exchange, attempt: &Attempt) {
        let kept = self.asking.record.keep(self.judged.asked, exchange);
        if let Err(error) = kept {
            self.failed.get_or_insert(error);
        }
        // What failed attempts cost is paid for too.
        let Some(usage) = attempt.usage else { return };
        let (tokens, cost) = ([usage.input, usage.output], self.asking.model.cost_usd(&usage));
        for (sum, more) in self.judged.tokens.iter_mut().zip(tokens) {
            *sum = sum.saturating_add(more);
        }
        if let Some(cost) = cost {
            self.judged.cost_usd = Some(self.judged.cost_usd.unwrap_or(0.0) + cost);
            self.asking.budget.spend(cost);
        }
        self.asking.record.spend(tokens, cost);
    }

    fn waiting(&mut self, why: &RetryCause, secs: f64) {
        note(&format!("{why}; asked again after {secs:.1} s"));
    }
}
