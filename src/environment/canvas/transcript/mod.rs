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

pub use transcriber::{TranscribeError, Transcript, transcribe};
