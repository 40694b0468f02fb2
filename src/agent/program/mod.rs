//! An agent that is a program: JSON lines on its stdin and stdout.
//!
//! The program is started in the current folder, once a run. It reads a line
//! ([`ToProgram`]) and writes a line ([`FromProgram`]), in turns:
//!
//! ```text
//! → {"type": "hello", "protocol": 1, "task": …, "instruction": …, "canvas_size": …,
//!    "main_frame": …, "tools": […], "ground_truth": {"width": …, "height": …, "path": …}}
//! ← {"type": "answer", "thought": "A card", "calls": [{"name": "create_frame", "arguments": {…}}]}
//! → {"type": "turn", "turn": 2, "outcomes": [{"id": …, "name": …, "text": …, "structured": …}]}
//! ← {"type": "done"}
//! ```
//!
//! An answer without calls and `done` end the run, `error` fails it. Pictures are paths of PNG files;
//! a program that wants them in the message says `{"type": "pictures", "form": "base64"}` and is sent
//! the last message again. When its stdin closes, a program has half a second to end; then it and its
//! process group are ended for it. What it writes to stderr is kept for the message when it fails.
//! The schema of every line is in `assets/schema/agent-protocol.schema.json`.
//!
//! The command is split by simple rules ([`CommandWords::split`]), without a shell, and recorded in the run: secrets
//! belong into environment variables.

mod error;
mod message;
mod pictures;

use std::path::Path;
use std::time::Duration;

use crate::base::{CancelToken, CommandError, CommandWords, LineProgram};
use crate::environment::{ToolCall, ToolOutcome, ToolSpec};
use crate::run::AgentRef;

use super::{Agent, AgentError, AgentKind, AgentLog, AgentTurn, AgentView};

pub use error::ProgramError;
pub use message::{
    FromProgram, Message, PROTOCOL, PictureForm, ProgramCall, ProgramOutcome, ProgramPicture,
    ProgramTool, ToProgram,
};

use error::{LIMITS, MOST_CALLS};
use pictures::Pictures;

/// How long a program may think about an answer, unless told otherwise.
pub const ANSWER_TIMEOUT: Duration = Duration::from_mins(10);
/// How often a program may change its mind on the form of pictures before it answers.
const MOST_FORMS: usize = 4;

/// The agent.
#[derive(Debug)]
pub struct Program {
    words: CommandWords,
    timeout: Duration,
    form: PictureForm,
    pictures: Pictures,
    /// From the first turn on.
    process: Option<LineProgram>,
}

impl Program {
    /// An agent that starts this command with its first turn and waits so long for each answer.
    pub fn new(command: &str, timeout: Duration) -> Result<Self, CommandError> {
        let words = CommandWords::split(command)?;
        let (form, pictures) = (PictureForm::default(), Pictures::default());
        Ok(Self { words, timeout, form, pictures, process: None })
    }

    fn answer(
        &mut self,
        view: &AgentView<'_>,
        cancel: &CancelToken,
    ) -> Result<AgentTurn, AgentError> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => LineProgram::start(&self.words, Path::new(""), LIMITS)
                .map_err(ProgramError::from)?,
        };
        let answer = self.converse(&mut process, view, cancel);
        // Whatever state it is in, nothing that it may still write is an answer to the next
        // message.
        if answer.is_err() {
            process.kill();
        }
        self.process = Some(process);
        answer
    }

    fn converse(
        &mut self,
        process: &mut LineProgram,
        view: &AgentView<'_>,
        cancel: &CancelToken,
    ) -> Result<AgentTurn, AgentError> {
        // A program may ask for another form of pictures instead of answering, but not for ever.
        for _ in 0..MOST_FORMS {
            let message = self.message(view)?;
            let line = serde_json::to_vec(&message).map_err(ProgramError::from)?;
            let line = process.ask(line, self.timeout, cancel)?;
            match process.parse::<FromProgram>(&line).map_err(ProgramError::from)? {
                FromProgram::Answer { thought, calls, usage } => {
                    return Ok(AgentTurn {
                        thought,
                        calls: tool_calls(calls)?,
                        usage,
                        goes_on: false,
                        ends: None,
                    });
                }
                FromProgram::Done { thought, usage } => {
                    return Ok(AgentTurn {
                        thought,
                        calls: Vec::new(),
                        usage,
                        goes_on: false,
                        ends: None,
                    });
                }
                FromProgram::Error { message } => return Err(ProgramError::Said(message).into()),
                FromProgram::Pictures { form } => self.form = form,
            }
        }
        Err(ProgramError::OnlyPictures.into())
    }

    fn message(&mut self, view: &AgentView<'_>) -> Result<ToProgram, ProgramError> {
        // After the first turn only what is new is said: the program keeps what it heard.
        if view.turn > 1 {
            let outcomes = view.last_turn.iter().map(|(call, outcome)| self.outcome(call, outcome));
            let outcomes = outcomes.collect::<Result<_, _>>()?;
            return Ok(ToProgram::Turn { turn: view.turn, outcomes });
        }
        let ground_truth = view.ground_truth.map(|picture| self.pictures.show(picture, self.form));
        Ok(ToProgram::Hello {
            protocol: PROTOCOL,
            task: view.task.clone(),
            instruction: view.instruction.to_owned(),
            canvas_size: view.canvas_size,
            main_frame: view.main_frame.to_owned(),
            tools: view.tools.iter().map(tool).collect(),
            ground_truth: ground_truth.transpose()?,
        })
    }

    fn outcome(
        &mut self,
        call: &ToolCall,
        outcome: &ToolOutcome,
    ) -> Result<ProgramOutcome, ProgramError> {
        let picture = outcome.image.as_ref().map(|image| self.pictures.show(image, self.form));
        Ok(ProgramOutcome {
            id: call.id.clone(),
            name: call.name.clone(),
            text: outcome.text.clone(),
            structured: outcome.structured.clone(),
            failure: outcome.failure.clone(),
            picture: picture.transpose()?,
        })
    }
}

impl Agent for Program {
    fn identity(&self) -> AgentRef {
        // What an interpreter is given says more than the interpreter.
        let name = self.words.name(Path::new(""));
        let name = name.unwrap_or_else(|| AgentKind::Exec.name().to_owned());
        AgentRef { kind: AgentKind::Exec.name().to_owned(), name, version: None }
    }

    fn next_turn(
        &mut self,
        view: &AgentView<'_>,
        _log: &mut dyn AgentLog,
        cancel: &CancelToken,
    ) -> Result<AgentTurn, AgentError> {
        self.answer(view, cancel)
    }
}

fn tool(spec: &ToolSpec) -> ProgramTool {
    ProgramTool {
        name: spec.name.to_owned(),
        description: spec.description.to_owned(),
        schema: spec.schema.clone(),
        category: spec.category,
    }
}

fn tool_calls(calls: Vec<ProgramCall>) -> Result<Vec<ToolCall>, ProgramError> {
    // Checked before any is made: half of an answer would be worse than none.
    if calls.len() > MOST_CALLS {
        return Err(ProgramError::TooManyCalls(calls.len()));
    }
    let calls = calls.into_iter().enumerate().map(|(at, call)| ToolCall {
        id: call.id.unwrap_or_else(|| (at + 1).to_string()),
        name: call.name,
        arguments: call.arguments.into(),
    });
    Ok(calls.collect())
}
