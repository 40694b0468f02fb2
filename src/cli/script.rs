//! `pentimento script`: a design as the tool calls that build it.

use anyhow::Context as _;
use serde_json::{Value, json};

use crate::environment::canvas::transcript::{Transcript, transcribe};

use super::arguments::ScriptArguments;
use super::output::note;
use super::render::open;

/// Calls in one turn of the script.
const CALLS_A_TURN: usize = 40;

/// Does the command.
pub(super) fn write(arguments: &ScriptArguments) -> anyhow::Result<()> {
    let shown = arguments.design.display();
    let document = open(&arguments.design).with_context(|| format!("cannot open {shown}"))?;
    let transcript =
        transcribe(&document).with_context(|| format!("cannot write {shown} down as calls"))?;
    for remark in &transcript.remarks {
        note(&format!("warning: {remark}"));
    }
    let out = arguments.out.display();
    let text = serde_json::to_string_pretty(&script(&transcript))?;
    std::fs::write(&arguments.out, text + "\n").with_context(|| format!("cannot save {out}"))
}

/// A list of turns, as [`crate::agent::scripted`] reads it.
fn script(transcript: &Transcript) -> Value {
    let turn = |calls: &[crate::environment::ToolCall]| {
        let calls =
            calls.iter().map(|call| json!({"name": call.name, "arguments": call.arguments}));
        json!({ "calls": calls.collect::<Vec<_>>() })
    };
    transcript.calls.chunks(CALLS_A_TURN).map(turn).collect()
}
