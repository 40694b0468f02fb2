//! What `codex exec --json` prints: a line when a thread, a turn or an item begins, changes or ends. Items hold what
//! was asked of a tool together with what came of it; what is said behind a call is another answer.

use serde_json::Value;

use crate::import::conversation::{
    Answer, AskedCall, Conversation, arguments_of, paragraphs, usage_of,
};
use crate::import::error::ImportError;
use crate::import::json::{self, items, moment_of, text, words};
use crate::import::outline::JsonHead;
use crate::import::picture_data;
use crate::import::sink::{OutcomeRecord, RunEnd, RunHead, RunWriter, Sink};
use crate::import::source::Source;
use crate::run::{Outcome, Usage};

/// Whether a file begins as the lines of a thread do.
pub(super) fn is_thread(outline: &JsonHead) -> bool {
    outline.text("type") == Some("thread.started") && outline.has("thread_id")
}

/// Imports a thread.
pub(super) fn import(source: &Source, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    let head = RunHead::new("codex", &source.stem(), source.path.display().to_string());
    let mut thread = Thread {
        writer: sink.begin(head)?,
        conversation: Conversation::default(),
        answer: None,
        usage: None,
        end: None,
    };
    json::each(source, sink, |line, place, _| match line {
        Ok(line) => thread.take(line, place),
        Err(why) => {
            thread.writer.warn(format!("{why}: {place}"));
            Ok(())
        }
    })?;
    thread.finish(sink)
}

/// A thread while it is read.
struct Thread {
    writer: RunWriter,
    conversation: Conversation,
    answer: Option<Answer>,
    /// Of the whole session up to the end of its last turn, as each turn says it anew (openai/codex#17539): of single
    /// answers none is said.
    usage: Option<Usage>,
    end: Option<(Outcome, String)>,
}

impl Thread {
    fn take(&mut self, line: &Value, place: &str) -> Result<(), ImportError> {
        let kind = line["type"].as_str().unwrap_or_default();
        match kind {
            "thread.started" => self.writer.about(|record| {
                record.facts.insert("thread_id".to_owned(), line["thread_id"].clone());
            }),
            "turn.started" => {
                self.end_answer()?;
                self.end = None;
            }
            "item.completed" => self.item(&line["item"], &moment_of(&line["timestamp"]), place)?,
            "turn.completed" => {
                self.end_answer()?;
                self.usage = line.get("usage").and_then(usage_of).or(self.usage);
                self.end = Some((Outcome::Completed, kind.to_owned()));
            }
            "turn.failed" | "error" => {
                self.end_answer()?;
                let error = text(&line["error"], "message").or_else(|| text(line, "message"));
                let error = error.unwrap_or("an error without a message").to_owned();
                self.writer.error(error.clone())?;
                if kind == "turn.failed" {
                    self.end = Some((Outcome::Failed(error), kind.to_owned()));
                }
            }
            // What an item was before it was complete.
            "item.started" | "item.updated" => {}
            _ => self.writer.warn(format!("it is no line of a thread: {place}")),
        }
        Ok(())
    }

    fn item(&mut self, item: &Value, at: &str, place: &str) -> Result<(), ImportError> {
        let said = text(item, "text").unwrap_or_default();
        let kind = item["type"].as_str().or_else(|| item["item_type"].as_str()).unwrap_or_default();
        match kind {
            "reasoning" | "agent_message" | "assistant_message" => {
                if self.answer.as_ref().is_some_and(|answer| !answer.calls.is_empty()) {
                    self.end_answer()?;
                }
                let answer = self.opened(at);
                answer.text = paragraphs([&*answer.text, said]);
            }
            "error" => self.writer.note(text(item, "message").unwrap_or(said))?,
            // A list of what is to be done, which is said once more with each change.
            "todo_list" => {}
            "" => self.writer.warn(format!("an item without a type: {place}")),
            _ => {
                let call = self.call(item, kind, place)?;
                self.opened(at).calls.push(call);
            }
        }
        Ok(())
    }

    /// A tool that was called, whichever it was.
    fn call(&mut self, item: &Value, kind: &str, place: &str) -> Result<AskedCall, ImportError> {
        let name = text(item, "tool").unwrap_or(kind).to_owned();
        let mut outcome = OutcomeRecord::default();
        if let Some(output) = text(item, "aggregated_output") {
            output.clone_into(&mut outcome.text);
        }
        let mut said = Vec::new();
        for part in items(&item["result"], "content") {
            said.extend(text(part, "text").map(str::to_owned));
            if let Some(data) = text(part, "data").filter(|_| part["type"] == "image") {
                match picture_data::from_base64(data) {
                    Ok(bytes) => {
                        outcome.image = self.writer.picture(&bytes, place)?.or(outcome.image);
                    }
                    Err(why) => self.writer.warn(format!("{why}: {place}")),
                }
            }
        }
        if !said.is_empty() {
            outcome.text = paragraphs(said);
        }
        let error = item.get("error").filter(|error| !error.is_null());
        let error = error.map(|it| text(it, "message").map_or_else(|| words(it), str::to_owned));
        let code = item["exit_code"].as_i64().filter(|code| *code != 0);
        outcome.error = error
            .or_else(|| code.map(|code| format!("exit code {code}")))
            .or_else(|| (item["status"] == "failed").then(|| "failed".to_owned()));
        let arguments = if let Some(arguments) = item.get("arguments") {
            arguments_of(Some(arguments))
        } else {
            // What is no part of how it went.
            let asked = ["command", "changes", "query", "server", "prompt"];
            let asked = asked.iter().filter_map(|name| Some((*name, item.get(*name)?)));
            asked.map(|(name, value)| (name.to_owned(), value.clone())).collect()
        };
        Ok(AskedCall { id: words(&item["id"]), name, arguments, outcome: Some(outcome) })
    }

    fn opened(&mut self, at: &str) -> &mut Answer {
        self.answer.get_or_insert_with(|| Answer { at: at.to_owned(), ..Answer::default() })
    }

    fn end_answer(&mut self) -> Result<(), ImportError> {
        match self.answer.take() {
            Some(answer) => self.conversation.answer(&mut self.writer, answer),
            None => Ok(()),
        }
    }

    fn finish(mut self, sink: &mut Sink<'_>) -> Result<(), ImportError> {
        self.end_answer()?;
        self.conversation.end_turn(&mut self.writer)?;
        if self.writer.is_empty() {
            return Ok(());
        }
        sink.finish(
            self.writer,
            RunEnd { outcome: self.end, usage: self.usage, ..RunEnd::default() },
        )
    }
}
