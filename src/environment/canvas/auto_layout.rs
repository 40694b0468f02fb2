//! The argument words of auto layout.

use serde::Deserialize;

use crate::design::{CounterAlign, Direction, PrimaryAlign, Sizing};

use super::error::ToolError;

/// `layoutMode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum LayoutMode {
    None,
    Horizontal,
    Vertical,
}

/// `layoutWrap`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Wrap {
    NoWrap,
    Wrap,
}

/// `primaryAxisAlignItems`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Primary {
    Min,
    Max,
    Center,
    SpaceBetween,
}

/// `counterAxisAlignItems`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Counter {
    Min,
    Max,
    Center,
    Baseline,
}

/// `layoutSizingHorizontal` and `layoutSizingVertical`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Size {
    Fixed,
    Hug,
    Fill,
}

impl LayoutMode {
    /// The direction; `None` without auto layout.
    pub(super) fn direction(self) -> Option<Direction> {
        match self {
            Self::None => None,
            Self::Horizontal => Some(Direction::Horizontal),
            Self::Vertical => Some(Direction::Vertical),
        }
    }

    /// Figma's word.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::None => "NONE",
            Self::Horizontal => "HORIZONTAL",
            Self::Vertical => "VERTICAL",
        }
    }
}

impl From<Direction> for LayoutMode {
    fn from(direction: Direction) -> Self {
        match direction {
            Direction::Horizontal => Self::Horizontal,
            Direction::Vertical => Self::Vertical,
        }
    }
}

impl Wrap {
    /// Figma's word.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::NoWrap => "NO_WRAP",
            Self::Wrap => "WRAP",
        }
    }
}

impl From<Primary> for PrimaryAlign {
    fn from(word: Primary) -> Self {
        match word {
            Primary::Min => Self::Min,
            Primary::Max => Self::Max,
            Primary::Center => Self::Center,
            Primary::SpaceBetween => Self::SpaceBetween,
        }
    }
}

impl From<Counter> for CounterAlign {
    fn from(word: Counter) -> Self {
        match word {
            Counter::Min => Self::Min,
            Counter::Max => Self::Max,
            Counter::Center => Self::Center,
            Counter::Baseline => Self::Baseline,
        }
    }
}

impl From<Size> for Sizing {
    fn from(word: Size) -> Self {
        match word {
            Size::Fixed => Self::Fixed,
            Size::Hug => Self::Hug,
            Size::Fill => Self::Fill,
        }
    }
}

/// Refuses the words that mean nothing down the page: only a HORIZONTAL frame wraps, and only its
/// children stand on one baseline.
pub(super) fn check_words(
    direction: Direction,
    wrap: Option<Wrap>,
    counter: Option<Counter>,
) -> Result<(), ToolError> {
    let refuse =
        |what: &str| Err(ToolError::BadArguments(format!("{what} needs layoutMode HORIZONTAL")));
    match (direction, wrap, counter) {
        // Figma refuses both; a file that says so all the same is laid out as it says.
        (Direction::Vertical, Some(Wrap::Wrap), _) => refuse("layoutWrap: WRAP"),
        (Direction::Vertical, _, Some(Counter::Baseline)) => {
            refuse("counterAxisAlignItems: BASELINE")
        }
        _ => Ok(()),
    }
}

/// Figma's word for an alignment along the primary axis.
pub(super) fn primary_word(align: PrimaryAlign) -> &'static str {
    match align {
        PrimaryAlign::Min => "MIN",
        PrimaryAlign::Center => "CENTER",
        PrimaryAlign::Max => "MAX",
        PrimaryAlign::SpaceBetween => "SPACE_BETWEEN",
    }
}

/// Figma's word for an alignment across it.
pub(super) fn counter_word(align: CounterAlign) -> &'static str {
    match align {
        CounterAlign::Min => "MIN",
        CounterAlign::Center => "CENTER",
        CounterAlign::Max => "MAX",
        CounterAlign::Baseline => "BASELINE",
    }
}

/// Figma's word for how an extent is found.
pub(super) fn size_word(sizing: Sizing) -> &'static str {
    match sizing {
        Sizing::Fixed => "FIXED",
        Sizing::Hug => "HUG",
        Sizing::Fill => "FILL",
    }
}
