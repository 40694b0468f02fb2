//! What an endpoint can do, found by asking it for one word, one picture and one tool call.

use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};

use super::OpenedModel;
use crate::agent::chat::{
    Answer, Attempt, ChatError, ChatListener, ChatModel, ChatRequest, ChatTool, Exchange, Message,
    Part, RetryCause, StopReason, TokenUsage,
};
use crate::agent::providers::{ProviderSettings, SetupError};
use crate::base::{CancelToken, Cancelled, Pixels, PixelsError};

/// Side of the picture that is asked about, in pixels: no model is known to refuse it as too small.
const PICTURE_SIDE: u32 = 64;
/// The number that the tool is to be called with.
const NUMBER: i64 = 7;
/// The tool's name.
const TOOL: &str = "report_number";
/// Most tries of each question: a test says what is wrong instead of waiting for it to pass.
const TRIES: u32 = 2;

/// The colours that the picture may have, so that a guess is right one time in six.
const COLORS: [(&str, [u8; 4]); 6] = [
    ("red", [220, 30, 30, 255]),
    ("green", [30, 160, 60, 255]),
    ("blue", [30, 60, 220, 255]),
    ("yellow", [240, 220, 30, 255]),
    ("black", [0, 0, 0, 255]),
    ("white", [255, 255, 255, 255]),
];

/// What came of one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ability {
    /// It can.
    Yes,
    /// It answered, and not as it should; what it did instead.
    No(String),
    /// The question was refused or failed; why.
    Failed(String),
    /// It was not asked, as nothing was answered before.
    NotAsked,
}

/// What an endpoint can do.
#[derive(Clone, Debug, PartialEq)]
pub struct EndpointReport {
    /// Whether it answers with a word.
    pub answers: Ability,
    /// Whether it sees what is in a picture.
    pub sees_pictures: Ability,
    /// Whether it calls a tool with the arguments it was asked for.
    pub calls_tools: Ability,
    /// Whether its answers came as streams; `None` if it gave none.
    pub streams: Option<bool>,
    /// Seconds from the first question to the first that was heard of its answer.
    pub first_token_secs: Option<f64>,
    /// Seconds from the first question to the end of the last answer, with what was waited between tries.
    pub total_secs: f64,
    /// The tokens of all questions; `None` if the endpoint does not say for each answer.
    pub usage: Option<TokenUsage>,
    /// What they cost, in US dollars; `None` where a price or the tokens are not known.
    pub cost_usd: Option<f64>,
}

/// Why nothing could be tested.
#[derive(Debug, thiserror::Error)]
pub enum EndpointTestError {
    /// It was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The model cannot be set up.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The picture to ask about cannot be made.
    #[error(transparent)]
    Picture(#[from] PixelsError),
}

impl OpenedModel {
    /// Asks three short questions, one after the other, and says what the endpoint can do. It is asked as
    /// runs ask it, with its settings, and paid for; `chance` picks the colour of the picture.
    ///
    /// Blocks; a raised token is seen within 50 ms.
    pub fn test(
        &self,
        chance: u64,
        cancel: &CancelToken,
    ) -> Result<EndpointReport, EndpointTestError> {
        let settings = &self.entry().provider;
        let provider = self.provider_with(ProviderSettings {
            attempts: settings.attempts.min(TRIES),
            ..settings.clone()
        })?;
        let count = COLORS.len() as u64;
        let (color, rgba) = COLORS.get((chance % count) as usize).copied().unwrap_or(COLORS[0]);
        let png: Arc<[u8]> = Pixels::filled(PICTURE_SIDE, PICTURE_SIDE, rgba)?.to_png()?.into();
        let mut asked = EndpointProbe::new(self, &provider, cancel);
        let answers = asked.ask("Answer with one word: ready", None, &[])?;
        let answers = answers.map_or_else(Ability::Failed, |answer| says_something(&answer));
        // An endpoint that says nothing is not asked, and paid, for more.
        let (mut sees_pictures, mut calls_tools) = (Ability::NotAsked, Ability::NotAsked);
        if !matches!(answers, Ability::Failed(_)) {
            let names = COLORS.map(|(name, _)| name).join(", ");
            let question = format!("Which colour fills this picture? Answer with one of: {names}.");
            let seen = asked.ask(&question, Some(png), &[])?;
            sees_pictures = seen.map_or_else(Ability::Failed, |answer| says_color(&answer, color));
            let question = format!("Call the tool {TOOL} with the number {NUMBER}.");
            let called = asked.ask(&question, None, &[tool()])?;
            calls_tools = called.map_or_else(Ability::Failed, |answer| calls_tool(&answer));
        }
        let total_secs = asked.heard.began.elapsed().as_secs_f64();
        let (streams, first_token_secs) = (asked.heard.streams, asked.heard.first_secs);
        // Of failures alone nobody knows what they cost.
        let usage = asked.usage.filter(|_| streams.is_some());
        let cost_usd = usage.as_ref().and_then(|usage| provider.cost_usd(usage));
        Ok(EndpointReport {
            answers,
            sees_pictures,
            calls_tools,
            streams,
            first_token_secs,
            total_secs,
            usage,
            cost_usd,
        })
    }
}

/// The questions so far.
struct EndpointProbe<'a> {
    model: &'a OpenedModel,
    provider: &'a dyn ChatModel,
    cancel: &'a CancelToken,
    heard: Heard,
    /// `None` once an answer came without its tokens.
    usage: Option<TokenUsage>,
}

impl<'a> EndpointProbe<'a> {
    fn new(model: &'a OpenedModel, provider: &'a dyn ChatModel, cancel: &'a CancelToken) -> Self {
        let heard = Heard { began: Instant::now(), first_secs: None, streams: None };
        Self { model, provider, cancel, heard, usage: Some(TokenUsage::default()) }
    }

    /// The answer, or why there is none.
    fn ask(
        &mut self,
        text: &str,
        png: Option<Arc<[u8]>>,
        tools: &[ChatTool],
    ) -> Result<Result<Answer, String>, Cancelled> {
        let picture = png.map(Part::Picture);
        let parts = picture.into_iter().chain([Part::Text(text.to_owned())]).collect();
        let request = ChatRequest {
            system: String::new(),
            messages: vec![Message::User(parts)],
            tools: tools.into(),
            settings: self.model.entry().chat_settings(),
        };
        let answer = self.provider.answer(&request, &mut self.heard, self.cancel);
        // Attempts that failed cost as well, and are counted whatever came at last.
        let attempts = match &answer {
            Ok(answer) => answer.attempts.as_slice(),
            Err(error) => error.attempts(),
        };
        for attempt in attempts {
            self.count(attempt);
        }
        match answer {
            Ok(answer) => Ok(Ok(answer)),
            Err(ChatError::Cancelled { .. }) => Err(Cancelled),
            Err(error) => Ok(Err(error.to_string())),
        }
    }

    fn count(&mut self, attempt: &Attempt) {
        let Some(sum) = &mut self.usage else { return };
        match &attempt.usage {
            Some(usage) => {
                sum.input += usage.input;
                sum.output += usage.output;
                sum.cached_input += usage.cached_input;
                sum.cache_writes += usage.cache_writes;
                sum.reasoning += usage.reasoning;
            }
            // A refusal costs nothing; an answer that does not say what it took makes the sum unknown.
            None if attempt.failure.is_none() => self.usage = None,
            None => {}
        }
    }
}

/// What is heard of the answers.
struct Heard {
    began: Instant,
    first_secs: Option<f64>,
    streams: Option<bool>,
}

impl Heard {
    fn anything(&mut self) {
        let began = self.began;
        self.first_secs.get_or_insert_with(|| began.elapsed().as_secs_f64());
    }
}

impl ChatListener for Heard {
    fn text(&mut self, _delta: &str) {
        self.anything();
    }

    fn reasoning(&mut self, _delta: &str) {
        self.anything();
    }

    fn call(&mut self, _name: &str, _arguments: &str) {
        self.anything();
    }

    fn exchange(&mut self, exchange: &Exchange, attempt: &Attempt) {
        if attempt.failure.is_some() {
            return;
        }
        let mut headers = exchange.answer_headers.iter();
        let kind = headers.find(|(name, _)| name == "content-type").map(|(_, value)| value);
        // Lines of text and Amazon's messages.
        let is_stream =
            kind.is_some_and(|it| it.contains("event-stream") || it.contains("eventstream"));
        self.streams = Some(self.streams.unwrap_or(true) && is_stream);
    }

    fn waiting(&mut self, _why: &RetryCause, _secs: f64) {
        // What was heard of an attempt that failed is void.
        self.first_secs = None;
    }
}

fn says_something(answer: &Answer) -> Ability {
    if answer.message.text.trim().is_empty() {
        return Ability::No(format!("it said nothing ({})", stopped(answer)));
    }
    Ability::Yes
}

fn says_color(answer: &Answer, color: &str) -> Ability {
    let text = answer.message.text.to_lowercase();
    let named: Vec<&str> =
        COLORS.iter().map(|(name, _)| *name).filter(|name| text.contains(*name)).collect();
    match named.as_slice() {
        [only] if *only == color => Ability::Yes,
        [] if text.trim().is_empty() => {
            Ability::No(format!("it said nothing ({})", stopped(answer)))
        }
        _ => Ability::No(format!("it said {:?} of a picture that is {color}", short(&text))),
    }
}

fn calls_tool(answer: &Answer) -> Ability {
    let Some(call) = answer.message.calls.iter().find(|call| call.name == TOOL) else {
        return Ability::No(match answer.message.calls.first() {
            Some(other) => format!("it called {:?}, which there is not", short(&other.name)),
            None => format!("it made no call and said {:?}", short(&answer.message.text)),
        });
    };
    match &call.arguments {
        Ok(arguments) if arguments.get("number").and_then(Value::as_f64) == Some(NUMBER as f64) => {
            Ability::Yes
        }
        _ => Ability::No(format!("it called the tool with {}", short(&call.arguments_text()))),
    }
}

fn stopped(answer: &Answer) -> String {
    match &answer.stop {
        StopReason::Length => "the limit of tokens was met".to_owned(),
        other => format!("stopped by {other:?}"),
    }
}

fn short(text: &str) -> String {
    crate::model::wire::in_one_line(text).chars().take(60).collect()
}

fn tool() -> ChatTool {
    ChatTool {
        name: TOOL.to_owned(),
        description: "Reports a number.".to_owned(),
        schema: json!({
            "type": "object",
            "properties": { "number": { "type": "integer" } },
            "required": ["number"],
            "additionalProperties": false,
        }),
    }
}
