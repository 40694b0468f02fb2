//! Sessions of Codex CLI (openai/codex, `codex-rs/protocol`), `rollout-*.jsonl`: a line for the session, for each
//! of its turns, for what happened, and for each item of OpenAI's Responses. A session is a run.
//!
//! Earlier versions wrote items alone behind a line about the session, the earliest one object with all of them. What
//! the program prints of a session is something else: `codex_exec`.

use serde_json::Value;

use crate::import::conversation::{Answer, Conversation, ToolResult, usage_of};
use crate::import::error::ImportError;
use crate::import::json::{self, first_count, items, moment, text, words};
use crate::import::sink::{RunEnd, RunHead, RunWriter, Sink};
use crate::import::source::{Certainty, Source};
use crate::run::{Outcome, Usage};

use super::codex_exec;
use super::dialect::{Chat, Standing};
use super::openai;

/// What the lines are of, each with its `payload`.
const LINES: [&str; 8] = [
    "session_meta",
    "turn_context",
    "response_item",
    "event_msg",
    "compacted",
    "world_state",
    "inter_agent_communication",
    "inter_agent_communication_metadata",
];
/// What it says of a session that is kept.
const FACTS: [&str; 8] =
    ["id", "cli_version", "originator", "source", "cwd", "git", "model_provider", "forked_from_id"];
/// How messages begin that the program put in the user's mouth.
const PUT_IN: [&str; 14] = [
    "<environment_context>",
    "<user_instructions>",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<multi_agent_mode>",
    "<apps_instructions>",
    "<plugins_instructions>",
    "<skills_instructions>",
    "<personality_spec>",
    "<turn_aborted>",
    "<subagent_notification>",
    "<image",
    "</image>",
    "# AGENTS.md instructions",
];
/// Behind this stands what was asked where an editor wrote around it.
const REQUEST: &str = "## My request for Codex:";

/// Lines of a session, or one object with all of its items.
pub(in crate::import::formats) fn sniff(source: &Source) -> Option<Certainty> {
    let outline = source.outline()?;
    let is_line =
        outline.has("payload") && outline.text("type").is_some_and(|kind| LINES.contains(&kind));
    let is_header = outline.is_lines && outline.has_all(&["id", "timestamp", "instructions"]);
    let is_object = outline.has_all(&["session", "items"]) && source.mentions("\"instructions\"");
    let is_printed = codex_exec::is_thread(outline);
    (is_line || is_header || is_object || is_printed).then_some(Certainty::Certain)
}

/// Imports a session.
pub(in crate::import::formats) fn import(
    source: &Source,
    sink: &mut Sink<'_>,
) -> Result<(), ImportError> {
    if source.outline().is_some_and(codex_exec::is_thread) {
        return codex_exec::import(source, sink);
    }
    let mut session: Option<CodexSession> = None;
    json::each(source, sink, |line, place, sink| {
        let line = match line {
            Ok(line) => line,
            Err(why) => {
                match &mut session {
                    Some(session) => session.writer.warn(format!("{why}: {place}")),
                    None => sink.report.skip(place, why),
                }
                return Ok(());
            }
        };
        let session = match &mut session {
            Some(session) => session,
            None => session.insert(CodexSession::begin(source, line, sink)?),
        };
        if let (Some(about), Value::Array(items)) = (line.get("session"), &line["items"]) {
            session.about(about);
            return items.iter().try_for_each(|item| session.item(item, "", place));
        }
        session.take(line, place)
    })?;
    session.map_or(Ok(()), |session| session.finish(sink))
}

/// A session while it is read.
struct CodexSession {
    writer: RunWriter,
    conversation: Conversation,
    /// An answer of which more items may follow.
    pending: Option<Answer>,
    /// Why the last answer ended, in the word of the API.
    stop: Option<String>,
    /// How the last turn of the session ended, in the session's word.
    end: Option<String>,
    /// Whether it was told what session it is: one that goes on from another repeats its lines.
    is_told: bool,
    /// Tokens up to now, as the session counts them, and what they are.
    tokens: Option<u64>,
    total: Option<Usage>,
    last_at: String,
}

impl CodexSession {
    fn begin(source: &Source, line: &Value, sink: &mut Sink<'_>) -> Result<Self, ImportError> {
        let at = text(line, "timestamp").or_else(|| text(&line["session"], "timestamp"));
        let place = source.path.display().to_string();
        let started = at.map(moment).unwrap_or_default();
        let head = RunHead { started, ..RunHead::new("codex", &source.stem(), place) };
        Ok(Self {
            writer: sink.begin(head)?,
            conversation: Conversation::default(),
            pending: None,
            stop: None,
            end: None,
            is_told: false,
            tokens: None,
            total: None,
            last_at: String::new(),
        })
    }

    fn take(&mut self, line: &Value, place: &str) -> Result<(), ImportError> {
        let at = text(line, "timestamp").map(moment).unwrap_or_default();
        if !at.is_empty() {
            self.last_at.clone_from(&at);
        }
        let kind = line["type"].as_str().unwrap_or_default();
        // Some versions wrote the fields of the payload beside the type.
        let payload = line.get("payload").unwrap_or(line);
        match kind {
            "session_meta" => self.about(payload),
            "turn_context" => self.context(payload),
            "response_item" => self.item(payload, &at, place)?,
            "event_msg" => self.event(payload, &at, place)?,
            "compacted" => {
                self.chat(&at, place).end_answer()?;
                let summary = text(payload, "message").unwrap_or_default();
                self.writer.note(format!("The conversation was compacted.\n\n{summary}"))?;
            }
            // The state of the world, and what agents tell each other.
            _ if LINES.contains(&kind) => {}
            "" if line.get("id").is_some() && line.get("timestamp").is_some() => self.about(line),
            // A mark of older versions.
            "" if line.get("record_type").is_some() => {}
            "" => self.writer.warn(format!("it is no line of a session: {place}")),
            _ => self.item(line, &at, place)?,
        }
        Ok(())
    }

    fn about(&mut self, session: &Value) {
        if std::mem::replace(&mut self.is_told, true) {
            return;
        }
        self.writer.about(|record| {
            for name in FACTS {
                if let Some(value) = session.get(name).filter(|value| !value.is_null()) {
                    record.facts.insert(name.to_owned(), value.clone());
                }
            }
        });
    }

    fn context(&mut self, turn: &Value) {
        self.writer.set_agent(text(turn, "model").unwrap_or_default());
        if let Some(effort) = text(turn, "effort") {
            self.writer.about(|record| {
                record.facts.insert("effort".to_owned(), effort.into());
            });
        }
    }

    fn chat<'a>(&'a mut self, at: &'a str, place: &'a str) -> Chat<'a> {
        Chat {
            conversation: &mut self.conversation,
            writer: &mut self.writer,
            pending: &mut self.pending,
            stop: &mut self.stop,
            standing: Standing::Listed,
            at,
            place,
        }
    }

    fn item(&mut self, item: &Value, at: &str, place: &str) -> Result<(), ImportError> {
        match (item["type"].as_str(), item["role"].as_str()) {
            (Some(kind), _) if kind.ends_with("_call_output") => self.result(item, at, place),
            (_, Some("user")) => match as_asked(item) {
                Some(asked) => openai::take(&asked, &mut self.chat(at, place)),
                None => Ok(()),
            },
            _ => openai::take(item, &mut self.chat(at, place)),
        }
    }

    fn result(&mut self, item: &Value, at: &str, place: &str) -> Result<(), ImportError> {
        let given = CallOutput::of(&item["output"]);
        let mut chat = self.chat(at, place);
        chat.end_answer()?;
        let (said, image) = openai::content(&given.said, &mut chat)?;
        let error = match given.exit_code {
            Some(code) if code != 0 => Some(format!("exit code {code}")),
            _ => given.is_failed.then(|| said.clone()),
        };
        let result = ToolResult {
            call_id: words(&item["call_id"]),
            text: said,
            image,
            error,
            latency_ms: given.seconds * 1e3,
            ..ToolResult::default()
        };
        chat.conversation.result(chat.writer, result, place);
        Ok(())
    }

    /// What happened. What was said and called is there as items as well.
    fn event(&mut self, event: &Value, at: &str, place: &str) -> Result<(), ImportError> {
        match event["type"].as_str().unwrap_or_default() {
            "token_count" => self.count(&event["info"], at, place),
            "task_started" | "turn_started" => {
                self.end = None;
                Ok(())
            }
            kind @ ("task_complete" | "turn_complete") => {
                self.end = Some(kind.to_owned());
                self.chat(at, place).end_answer()
            }
            "turn_aborted" => {
                let reason = text(event, "reason").unwrap_or("aborted").to_owned();
                self.chat(at, place).end_answer()?;
                self.writer.note(format!("The turn was aborted: {reason}"))?;
                self.end = Some(reason);
                Ok(())
            }
            "thread_rolled_back" => {
                self.chat(at, place).end_answer()?;
                let turns = words(&event["num_turns"]);
                self.writer.note(format!("Rolled back: {turns} turns"))
            }
            "error" => {
                self.chat(at, place).end_answer()?;
                self.writer.error(text(event, "message").unwrap_or("an error without a message"))
            }
            _ => Ok(()),
        }
    }

    /// Tokens of the answer that has just ended.
    fn count(&mut self, info: &Value, at: &str, place: &str) -> Result<(), ImportError> {
        // Limits alone, of no answer.
        if info.is_null() {
            return Ok(());
        }
        let tokens = first_count(&info["total_token_usage"], &["total_tokens"]);
        // Said once more when limits change.
        if tokens.is_some() && tokens == self.tokens {
            return Ok(());
        }
        self.tokens = tokens;
        self.total = usage_of(&info["total_token_usage"]).or(self.total);
        let usage = usage_of(&info["last_token_usage"]);
        match (&mut self.pending, usage) {
            (Some(answer), usage) => {
                answer.usage = usage.or(answer.usage);
                self.chat(at, place).end_answer()
            }
            (None, Some(usage)) => {
                self.conversation.used(usage);
                Ok(())
            }
            (None, None) => Ok(()),
        }
    }

    fn finish(mut self, sink: &mut Sink<'_>) -> Result<(), ImportError> {
        self.chat("", "").end_answer()?;
        let ended = self.conversation.ends_without_call();
        self.conversation.end_turn(&mut self.writer)?;
        if self.writer.is_empty() {
            return Ok(());
        }
        let outcome = self.end.and_then(|end| match end.as_str() {
            "task_complete" | "turn_complete" if ended => Some((Outcome::Completed, end)),
            "interrupted" => Some((Outcome::Cancelled, end)),
            "budget_limited" => Some((Outcome::LimitReached(end.clone()), end)),
            _ => None,
        });
        let end =
            RunEnd { outcome, finished: self.last_at, usage: self.total, ..RunEnd::default() };
        sink.finish(self.writer, end)
    }
}

/// A message of the user without what the program put into it; `None` if nothing is left.
fn as_asked(message: &Value) -> Option<Value> {
    let mut message = message.clone();
    let content = message.get_mut("content")?;
    match content {
        Value::String(said) => *said = asked_in(said)?.to_owned(),
        Value::Array(parts) => {
            parts.retain_mut(|part| match part.get_mut("text") {
                Some(Value::String(said)) => match asked_in(said) {
                    Some(asked) => {
                        *said = asked.to_owned();
                        true
                    }
                    None => false,
                },
                _ => true,
            });
            if parts.is_empty() {
                return None;
            }
        }
        _ => {}
    }
    Some(message)
}

fn asked_in(said: &str) -> Option<&str> {
    if let Some((_, asked)) = said.split_once(REQUEST) {
        return Some(asked.trim());
    }
    let begin = said.trim_start();
    (!PUT_IN.iter().any(|mark| begin.starts_with(mark))).then_some(said)
}

/// What a call gave back, and what is said of how it went.
struct CallOutput {
    said: Value,
    exit_code: Option<i64>,
    /// 0 where it is not known.
    seconds: f64,
    is_failed: bool,
}

impl CallOutput {
    /// A text, that of an object with its exit code, a list of parts, or an object with whether it went well.
    fn of(output: &Value) -> Self {
        let mut given =
            Self { said: output.clone(), exit_code: None, seconds: 0.0, is_failed: false };
        match output {
            Value::String(said) => {
                let object = said.starts_with('{').then(|| json::parse(said.as_bytes()).ok());
                match object.flatten().filter(|object| object.get("output").is_some()) {
                    Some(object) => {
                        given.said = words(&object["output"]).into();
                        given.exit_code = object["metadata"]["exit_code"].as_i64();
                        let seconds = object["metadata"]["duration_seconds"].as_f64();
                        given.seconds = seconds.unwrap_or(0.0);
                    }
                    None => given.read_head(said),
                }
            }
            Value::Object(fields) => {
                given.is_failed = fields.get("success") == Some(&Value::Bool(false));
                let parts = items(output, "content_items");
                given.said = if parts.is_empty() {
                    fields.get("content").cloned().unwrap_or_else(|| output.clone())
                } else {
                    parts.to_vec().into()
                };
            }
            _ => {}
        }
        given
    }

    /// What lines before the output say of it; where none says that it begins, all of them are output.
    fn read_head(&mut self, said: &str) {
        let count = said.lines().take(9).position(|line| line == "Output:");
        for line in said.lines().take(count.unwrap_or(0)) {
            let code = line
                .strip_prefix("Exit code: ")
                .or_else(|| line.strip_prefix("Process exited with code "));
            if let Some(code) = code.and_then(|code| code.parse().ok()) {
                self.exit_code = Some(code);
            }
            let seconds = line.strip_prefix("Wall time: ");
            let seconds = seconds.and_then(|it| it.strip_suffix(" seconds")?.parse().ok());
            self.seconds = seconds.unwrap_or(self.seconds);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_a_call_gave_back_is_told_from_how_it_went() {
        let of = |output: Value| {
            let given = CallOutput::of(&output);
            (given.said, given.exit_code, given.seconds, given.is_failed)
        };
        let object =
            json!({"output": "x\n", "metadata": {"exit_code": 1, "duration_seconds": 0.5}});
        assert_eq!(of(json!(object.to_string())), (json!("x\n"), Some(1), 0.5, false));
        let head = "Chunk ID: 1\nWall time: 0.25 seconds\nProcess exited with code 2\nOutput:\nExit code: 9";
        assert_eq!(of(json!(head)), (json!(head), Some(2), 0.25, false));
        let bare = "Exit code: 3\nis what it printed";
        assert_eq!(of(json!(bare)), (json!(bare), None, 0.0, false));
        assert_eq!(of(json!("{\"a\": 1}")), (json!("{\"a\": 1}"), None, 0.0, false));
        assert_eq!(of(json!({"content": "no", "success": false})), (json!("no"), None, 0.0, true));
        let parts = json!([{"type": "input_text", "text": "x"}]);
        assert_eq!(of(parts.clone()), (parts, None, 0.0, false));
    }

    #[test]
    fn what_the_program_put_in_is_not_what_was_asked() {
        for put_in in ["<environment_context>\n<cwd>/x</cwd>", " # AGENTS.md instructions for /x"] {
            assert_eq!(asked_in(put_in), None, "{put_in}");
        }
        assert_eq!(asked_in("Draw <b>it</b>."), Some("Draw <b>it</b>."));
        let wrapped = "# Context from my IDE setup:\n\n## My request for Codex:\nDraw it.\n";
        assert_eq!(asked_in(wrapped), Some("Draw it."));
        let message = json!({"role": "user", "content": [{"text": "<image name=1>"}, {"type": "input_image", "image_url": "x"}, {"text": "</image>"}, {"text": "See."}]});
        assert_eq!(as_asked(&message).unwrap()["content"].as_array().unwrap().len(), 2);
        assert_eq!(as_asked(&json!({"content": [{"text": "<turn_aborted>"}]})), None);
    }
}
