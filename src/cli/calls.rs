//! `pentimento calls`: a design as the tool calls that build it.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use serde_json::{Value, json};

use crate::environment::canvas::transcript::{Transcript, transcribe};
use crate::render::RenderContext;

use super::output::{note, write_atomic};
use super::render::open;

/// Write a design down as the tool calls that build it
///
/// The calls rebuild the main frame of DESIGN.json on an empty canvas of its size, for the agent
/// `scripted`: `pentimento run TASKS --agent scripted --calls CALLS.json`. What the tools cannot
/// make as it is becomes a graphic or is left out, and is listed on stderr.
#[derive(Debug, Args)]
pub(super) struct CallsArguments {
    /// Figma REST JSON.
    #[arg(value_name = "DESIGN.json")]
    design: PathBuf,
    /// Where the calls go.
    #[arg(value_name = "CALLS.json")]
    out: PathBuf,
}

/// Calls in one turn: few enough that a person can follow them on the timeline.
const CALLS_A_TURN: usize = 40;

/// Does the command.
pub(super) fn write(arguments: &CallsArguments) -> anyhow::Result<()> {
    let shown = arguments.design.display();
    anyhow::ensure!(
        arguments.out != arguments.design,
        "the calls would replace the design: {shown}"
    );
    let document = open(&arguments.design).with_context(|| format!("cannot open {shown}"))?;
    let transcript = transcribe(&RenderContext::default(), &document)
        .with_context(|| format!("cannot write {shown} down as calls"))?;
    // Said before anything is written: what is left out is known even if the disk is full.
    for remark in &transcript.remarks {
        note(&format!("warning: {remark}"));
    }
    // Indented, as people edit such files.
    let text = serde_json::to_string_pretty(&turns(&transcript))?;
    write_atomic(&arguments.out, (text + "\n").as_bytes())
}

/// A list of turns, as [`crate::agent::scripted`] reads it.
fn turns(transcript: &Transcript) -> Value {
    let turns = transcript.calls.chunks(CALLS_A_TURN).map(|calls| {
        let calls =
            calls.iter().map(|call| json!({"name": call.name, "arguments": call.arguments}));
        json!({ "calls": calls.collect::<Vec<_>>() })
    });
    turns.collect()
}
