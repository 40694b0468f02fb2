//! A design to the tool calls that build it on an empty canvas.
//!
//! What a design *could* be built with: the upper bound of what any agent can reach with these
//! tools, a script for `scripted`, and a test that tools and renderer mean the same.
//!
//! The transcriber plays every call on a canvas of its own, so that it knows the ids that come back, and
//! looks at what came of it: a node whose look the tools cannot give (several fills, dashes, a
//! gradient at its own handles …) is taken back and made by `create_graphic` from its SVG instead.
//! Structure, names, texts and places are kept so far as the tools can make them; auto layout is
//! written down as the places it led to.
//!
//! Start with [`transcribe`].

mod calls;
mod transcriber;
mod visual_eq;

use crate::design::Document;
use crate::environment::ToolCall;
use crate::render::{RenderContext, RenderError};

use super::start::StartError;

/// The calls that build a design.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transcript {
    /// In order, for a blank canvas of the design's size.
    pub calls: Vec<ToolCall>,
    /// What could not be built as it is, and how it was built instead, for people.
    pub remarks: Vec<String>,
}

/// Why a design cannot be written down as calls.
#[derive(Debug, thiserror::Error)]
pub enum TranscribeError {
    /// There is nothing to build, or the canvas refuses its size.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A tool refused what was asked.
    #[error("{tool} refused: {message}")]
    Refused {
        /// Which tool.
        tool: String,
        /// Why.
        message: String,
    },
    /// A node could not be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
}

/// Writes down the main frame of a design as calls.
pub fn transcribe(
    render: &RenderContext,
    design: &Document,
) -> Result<Transcript, TranscribeError> {
    transcriber::Transcriber::new(render, design)?.write()
}
