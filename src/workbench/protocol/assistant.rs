//! What somebody asks of the assistant at the side of a design, and what is heard of it meanwhile.

use crate::workbench::model::AssistantSource;

/// Something that is asked of the assistant.
#[derive(Clone, Debug, PartialEq)]
pub enum AssistantCommand {
    /// Offer the next step.
    Ask,
    /// Take all of the offer that still fits.
    Accept,
    /// Take what is ticked of it.
    AcceptTicked,
    /// Refuse it.
    Refuse,
    /// Say why.
    Why,
    /// Offer another step instead.
    AnotherWay,
    /// Offer the step that was offered after this one of the design as it is; behind the last, another.
    NextWay,
    /// Offer the step again that was offered before this one, as long as the design is as it was.
    PreviousWay,
    /// Offer a step and tell little of it; asked again, more; at last, do it.
    ShowMe,
    /// Carry the offer out, a change after the other.
    DoIt,
    /// The next change of what is being carried out.
    PlayNext,
    /// Show what would come of the offer over the picture, or do not.
    ToggleGhost,
    /// Say all that is amiss, or differs from the goal.
    CheckWork,
    /// Tick a change of the offer, or do not.
    Tick(usize),
    /// Say something.
    Say(String),
    /// Stop: the search, the model, what is being carried out.
    Stop,
    /// The offer of this number was in view for half a second.
    Shown(u32),
    /// Ask somebody else from now on.
    Choose(AssistantSource),
    /// Offer a step unasked after so many seconds of inactivity, or never.
    AfterIdle(Option<f64>),
    /// Show how the work went, in numbers, or do not.
    ShowMeasures(bool),
}

/// What is heard of a model before its answer is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssistantNews {
    /// Its words so far.
    Growing {
        /// Of which desk.
        desk: u64,
        /// Of which question.
        number: u64,
        /// The words.
        words: String,
    },
}
