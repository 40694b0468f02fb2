//! The argument words of auto layout.

use serde::Deserialize;

use crate::design::{CounterAlign, Direction, PrimaryAlign, Sizing};

/// `layoutMode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Axis {
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

impl Axis {
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
