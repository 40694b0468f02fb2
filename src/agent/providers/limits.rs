//! What an answer may be before it is refused.

/// Bounds on what a provider answers.
#[derive(Clone, Copy, Debug)]
pub struct AnswerLimits;

impl AnswerLimits {
    /// Most bytes of a body, streamed or whole.
    pub const BODY_BYTES: usize = 64 << 20;
    /// Most bytes of the body of a refusal; the rest is not read.
    pub const REFUSAL_BYTES: usize = 256 << 10;
    /// Most bytes of an event of a stream.
    pub const EVENT_BYTES: usize = 16 << 20;
    /// Most calls in an answer.
    pub const CALLS: usize = 2048;
    /// Most bytes of a call's arguments.
    pub const ARGUMENT_BYTES: usize = 8 << 20;
    /// Most bytes of the name or the id of a call.
    pub const NAME_BYTES: usize = 1024;
    /// Most parts, blocks or items in an answer.
    pub const PARTS: usize = 65_536;
}
