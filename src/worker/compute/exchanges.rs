//! Reading what a model was asked and answered, and laying it out to be read.

use std::path::Path;

use serde_json::Value;

use crate::agent::RecordedExchange;
use crate::agent::chat::Payload;
use crate::run::exchanges::{ExchangesError, index, read_at};
use crate::run::{Run, RunOrigin};
use crate::workbench::{BodyText, ExchangeKey, ExchangeList, ExchangeText};
use crate::worker::shared::job_border::JobError;

/// Longest line of a text that is shown, in characters.
const LONGEST_LINE: usize = 120;
/// Bodies beyond this many bytes are not laid out, only cut into lines.
const MOST_FORMATTED: usize = 16 << 20;

/// The exchanges of a run.
pub(in crate::worker) fn list_exchanges(run: &Run) -> Result<ExchangeList, JobError> {
    match index(folder_of(run)?) {
        Ok((exchanges, damaged)) => Ok(ExchangeList { exchanges, damaged }),
        // A run may well have ended before anything was asked.
        Err(ExchangesError::None(_)) => Ok(ExchangeList::default()),
        Err(error) => Err(JobError::failed(error)),
    }
}

/// One exchange of a run.
pub(in crate::worker) fn read_exchange(
    run: &Run,
    key: &ExchangeKey,
) -> Result<ExchangeText, JobError> {
    let read: RecordedExchange =
        read_at(folder_of(run)?, &key.bytes()).map_err(JobError::failed)?;
    let exchange = read.exchange;
    Ok(ExchangeText {
        request: body_text(exchange.request_headers, &exchange.request),
        answer: body_text(exchange.answer_headers, &exchange.answer),
    })
}

fn folder_of(run: &Run) -> Result<&Path, JobError> {
    match &run.origin {
        RunOrigin::Recorded { dir } => Ok(dir),
        RunOrigin::Pictures { .. } => {
            Err(JobError::Failed("the run was not recorded by this program".to_owned()))
        }
    }
}

fn body_text(headers: Vec<(String, String)>, body: &Payload) -> BodyText {
    let raw = body.to_text();
    let lines = cut_lines(&raw);
    let data: Option<Value> =
        (raw.len() <= MOST_FORMATTED).then(|| serde_json::from_str(&raw).ok()).flatten();
    let formatted = data.as_ref().map(layout);
    BodyText { headers, raw, formatted, lines }
}

/// The lines of a text, long ones in pieces.
fn cut_lines(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.lines() {
        push_cut(&mut lines, "", line);
    }
    lines
}

/// Adds a line in pieces of at most [`LONGEST_LINE`] characters, each after `indent`, between words where
/// there are any.
fn push_cut(lines: &mut Vec<String>, indent: &str, line: &str) {
    let room = LONGEST_LINE.saturating_sub(indent.chars().count()).max(LONGEST_LINE / 3);
    let mut rest = line;
    loop {
        let Some((end, _)) = rest.char_indices().nth(room) else {
            lines.push(format!("{indent}{rest}"));
            return;
        };
        // A word that fills more than half of a line is cut like anything else.
        let at_word = rest[..end].rfind(' ').map(|at| at + 1).filter(|at| *at > end / 2);
        let (head, tail) = rest.split_at(at_word.unwrap_or(end));
        lines.push(format!("{indent}{head}"));
        rest = tail;
    }
}

/// JSON in lines. Texts of several lines, such as prompts, stand as they are meant to be read, below their
/// names and a step further in.
fn layout(data: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    layout_value(&mut lines, 0, "", data, "");
    lines
}

fn layout_value(lines: &mut Vec<String>, depth: usize, name: &str, value: &Value, comma: &str) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(members) if !members.is_empty() => {
            lines.push(format!("{indent}{name}{{"));
            let last = members.len() - 1;
            for (at, (key, member)) in members.iter().enumerate() {
                let comma = if at < last { "," } else { "" };
                layout_value(lines, depth + 1, &format!("{}: ", quoted(key)), member, comma);
            }
            lines.push(format!("{indent}}}{comma}"));
        }
        // A list of plain values stays on one line, as places and colours are lists.
        Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
            lines.push(format!("{indent}{name}["));
            let last = items.len() - 1;
            for (at, item) in items.iter().enumerate() {
                layout_value(lines, depth + 1, "", item, if at < last { "," } else { "" });
            }
            lines.push(format!("{indent}]{comma}"));
        }
        // With its own line breaks: most of a request is a prompt, which is there to be read.
        Value::String(text) if text.contains('\n') => {
            lines.push(format!("{indent}{name}\""));
            let inner = "  ".repeat(depth + 1);
            for line in text.lines() {
                push_cut(lines, &inner, line);
            }
            lines.push(format!("{indent}\"{comma}"));
        }
        other => {
            let words = format!("{name}{other}{comma}");
            push_cut(lines, &indent, &words);
        }
    }
}

fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn prompts_stand_as_they_are_read() {
        let data = json!({"model": "m", "messages": [{"role": "user", "content": "Two\nlines"}], "stop": []});
        assert_eq!(
            layout(&data),
            [
                "{",
                "  \"model\": \"m\",",
                "  \"messages\": [",
                "    {",
                "      \"role\": \"user\",",
                "      \"content\": \"",
                "        Two",
                "        lines",
                "      \"",
                "    }",
                "  ],",
                "  \"stop\": []",
                "}",
            ]
        );
    }

    #[test]
    fn no_line_is_longer_than_can_be_shown_and_nothing_is_lost() {
        let words = "word ".repeat(100) + &"x".repeat(500) + "äöü — ";
        let lines = cut_lines(&words);
        assert!(lines.iter().all(|line| line.chars().count() <= LONGEST_LINE), "{lines:?}");
        assert_eq!(lines.concat(), words);
        assert!(lines[0].ends_with("word "), "between words");
        // However deep it lies, there is room for something.
        let mut deep = json!("word ".repeat(60));
        for _ in 0..100 {
            deep = json!([deep]);
        }
        assert!(layout(&deep).len() < 1000);
    }

    #[test]
    fn what_is_no_json_is_shown_line_by_line() {
        let text = body_text(Vec::new(), &Payload::new(b"data: {\"a\": 1}\n\ndata: [DONE]\n"));
        assert_eq!(text.lines, ["data: {\"a\": 1}", "", "data: [DONE]"]);
        assert_eq!(text.formatted, None);
        let text = body_text(Vec::new(), &Payload::new(b"{\"a\":1}"));
        assert_eq!((text.formatted.as_ref().map(Vec::len), text.lines.len()), (Some(3), 1));
    }
}
