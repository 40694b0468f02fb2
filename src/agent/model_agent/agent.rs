//! The conversation with the model.

use std::sync::Arc;

use crate::base::CancelToken;
use crate::environment::EnvironmentKind;
use crate::run::{AgentRef, Outcome};

use super::{AgentPrompts, Mode, conversation, page};
use crate::agent::asking::Asking;
use crate::agent::chat::{
    Answer, AssistantMessage, CallRequest, ChatModel, ChatRequest, ChatSettings, Message,
    StopReason,
};
use crate::agent::{Agent, AgentError, AgentKind, AgentLog, AgentTurn, AgentView};

/// How often a model is asked again in one turn, because its answer was of no use.
const MOST_REPEATS: u32 = 2;

/// A model that works on a task.
///
/// What it says before its calls is the turn's thought; the turn ends the run if there is no call.
/// What else can come:
///
/// - **cut off** at the limit of tokens: the calls that are whole are made; if there is none, it is
///   told to go on, up to two times in a turn, and
///   then the limit ends the run;
/// - **empty**: it is asked again as it was, up to two times;
/// - **a call that the provider could not read** (Gemini's `MALFORMED_FUNCTION_CALL`): it is told so
///   and asked again, up to two times;
/// - **a call whose arguments are no JSON object**: it is made, and its outcome says what is wrong;
/// - **no page**, where one was asked for ([`Mode::Code`]): it is told so and asked again, up to two
///   times, and then the run has failed; a page that was cut off is shown as far as it goes;
/// - **refused**, or stopped by a filter: the run has failed, with the reason.
///
/// Each is a note in the run, and the tokens of all answers are the turn's usage.
pub struct ModelAgent {
    name: String,
    model: Arc<dyn ChatModel>,
    settings: ChatSettings,
    mode: Mode,
    prompts: Arc<AgentPrompts>,
    messages: Vec<Message>,
    /// What the last answer asked for.
    asked: Vec<CallRequest>,
}

impl std::fmt::Debug for ModelAgent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut fields = f.debug_struct("ModelAgent");
        fields.field("model", &self.model.identity()).field("mode", &self.mode);
        fields.field("messages", &self.messages.len()).finish_non_exhaustive()
    }
}

/// What an answer comes to.
enum Use {
    /// It is the turn.
    Turn(AgentTurn),
    /// It is of no use: what to say before asking again, if anything, and what to note.
    Again { note: String, say: Option<Message> },
}

impl ModelAgent {
    /// A model at the beginning of a task.
    pub fn new(
        model: Arc<dyn ChatModel>,
        settings: ChatSettings,
        mode: Mode,
        prompts: Arc<AgentPrompts>,
    ) -> Self {
        let name = model.identity().model;
        Self { name, model, settings, mode, prompts, messages: Vec::new(), asked: Vec::new() }
    }

    /// The agent under the name that the user gave the model.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }

    /// Says what the model does not know yet.
    fn say(&mut self, view: &AgentView<'_>) -> Result<(), AgentError> {
        let message = if view.turn == 1 {
            // All of the task stands in the first message; later ones hold only what came of the calls.
            let words = self.prompts.opening(self.mode, view);
            conversation::opening(words, view.ground_truth)
        } else {
            conversation::results(&self.asked, view.last_turn)
        };
        self.messages.push(message.map_err(AgentError::Other)?);
        Ok(())
    }

    fn request(&self, view: &AgentView<'_>) -> ChatRequest {
        ChatRequest {
            system: String::new(),
            messages: self.messages.clone(),
            tools: match self.mode {
                // Who has tools would call them instead of writing the page.
                Mode::Code => Arc::new([]),
                _ => conversation::tools_of(view.tools),
            },
            settings: self.settings.clone(),
        }
    }

    /// What to make of an answer; `repeats`: how often this turn was asked again already.
    fn judge(&mut self, answer: &Answer, repeats: u32) -> Use {
        let may_repeat = repeats < MOST_REPEATS;
        let has_calls = !answer.message.calls.is_empty();
        // A refusal is a refusal whatever stands beside it; anything else that was to be a page is one
        // as far as it goes.
        let is_given = !matches!(answer.stop, StopReason::Refused(_) | StopReason::Filtered(_));
        if self.mode == Mode::Code && is_given && !answer.is_empty() {
            return self.judge_page(answer, may_repeat);
        }
        match &answer.stop {
            StopReason::Refused(why) => self.failed(answer, "refused", why),
            StopReason::Filtered(why) => self.failed(answer, "was stopped by a filter", why),
            // Calls that could be read are made: to ask again would be to pay for them twice.
            StopReason::MalformedCall(why) if may_repeat && !has_calls => Use::Again {
                note: format!("a call could not be read: {why}"),
                say: Some(conversation::words(self.prompts.unreadable_call(why))),
            },
            StopReason::MalformedCall(why) if !has_calls => {
                self.failed(answer, "made no call that could be read", why)
            }
            StopReason::Length if may_repeat && !has_calls => Use::Again {
                note: format!("cut off at {} tokens", self.settings.max_tokens),
                say: Some(conversation::words(self.prompts.go_on())),
            },
            StopReason::Length if !has_calls => {
                Use::Turn(AgentTurn { ends: Some(self.cut_off()), ..self.turn_of(answer) })
            }
            // With calls, or without any use in asking again: the turn is what came. An empty turn
            // ends the run, as an answer without calls does.
            _ if answer.is_empty() && may_repeat => {
                Use::Again { note: "the answer was empty".to_owned(), say: None }
            }
            _ => Use::Turn(self.turn_of(answer)),
        }
    }

    /// What to make of an answer that should be a page.
    fn judge_page(&self, answer: &Answer, may_repeat: bool) -> Use {
        let Some(page) = page::of_answer(&answer.message.text) else {
            if !may_repeat {
                return self.failed(answer, "wrote no page", "");
            }
            let say = Some(conversation::words(self.prompts.no_page()));
            return Use::Again { note: "there was no page in the answer".to_owned(), say };
        };
        // A page is written in one answer: the turn ends the run either way.
        let ends = match answer.stop {
            StopReason::Length => self.cut_off(),
            _ => Outcome::Completed,
        };
        Use::Turn(AgentTurn {
            thought: joined([answer.reasoning.trim(), &page.around]),
            calls: vec![conversation::page_call(&page.html)],
            ends: Some(ends),
            ..AgentTurn::default()
        })
    }

    fn cut_off(&self) -> Outcome {
        Outcome::LimitReached(format!("{} tokens in an answer", self.settings.max_tokens))
    }

    fn failed(&self, answer: &Answer, what: &str, why: &str) -> Use {
        let model = &self.name;
        let why = if why.is_empty() { String::new() } else { format!(": {why}") };
        let ends = Some(Outcome::Failed(format!("{model} {what}{why}")));
        Use::Turn(AgentTurn { ends, calls: Vec::new(), ..self.turn_of(answer) })
    }

    fn turn_of(&self, answer: &Answer) -> AgentTurn {
        let calls = &answer.message.calls;
        // All calls in one answer: what comes of them is shown to nobody.
        let ends = (self.mode == Mode::SingleTurn).then_some(Outcome::Completed);
        AgentTurn {
            thought: joined([answer.reasoning.trim(), answer.message.text.trim()]),
            calls: calls.iter().map(conversation::tool_call).collect(),
            ends,
            ..AgentTurn::default()
        }
    }

    /// Remembers what the model said, as far as it said anything.
    fn hear(&mut self, answer: &Answer) {
        // Providers refuse an empty message of the assistant.
        if answer.is_empty() {
            return;
        }
        let AssistantMessage { text, calls, provider_items } = answer.message.clone();
        // As they came, for their results; what goes back to the provider has to be readable.
        self.asked.clone_from(&calls);
        let calls = conversation::repeatable(calls);
        let message = AssistantMessage { text, calls, provider_items };
        self.messages.push(Message::Assistant(message));
    }
}

impl Agent for ModelAgent {
    fn identity(&self) -> AgentRef {
        let version = Some(self.model.identity().model);
        AgentRef { kind: AgentKind::Model.name().to_owned(), name: self.name.clone(), version }
    }

    fn mode(&self) -> Option<&'static str> {
        Some(self.mode.name())
    }

    fn environment(&self) -> Option<EnvironmentKind> {
        (self.mode == Mode::Code).then_some(EnvironmentKind::Page)
    }

    fn next_turn(
        &mut self,
        view: &AgentView<'_>,
        log: &mut dyn AgentLog,
        cancel: &CancelToken,
    ) -> Result<AgentTurn, AgentError> {
        cancel.check()?;
        // Pictures are encoded here, which takes a processor; waiting for the model does not.
        log.cpu().run(|| self.say(view))?;
        let model = Arc::clone(&self.model);
        let mut asking = Asking::new(&*model, log, cancel);
        let mut repeats = 0;
        loop {
            let answer = asking.ask(&self.request(view))?;
            let judged = self.judge(&answer, repeats);
            // Heard even if it is of no use: the model is to see what it is asked to mend.
            self.hear(&answer);
            match judged {
                Use::Turn(turn) => return Ok(turn),
                Use::Again { note, say } => {
                    asking.note(format!("{note}; asked again"));
                    self.messages.extend(say);
                    repeats += 1;
                }
            }
        }
    }
}

/// What there is of these texts, as paragraphs.
fn joined(texts: [&str; 2]) -> String {
    let texts: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    texts.join("\n\n")
}
