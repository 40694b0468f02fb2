//! What a measured number may be.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a measured number may be: from `min` to `max`, both included; at least one is given.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// The least it may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The most it may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

impl Bounds {
    /// `least` or more.
    pub fn at_least(least: f64) -> Self {
        Self { min: Some(least), max: None }
    }

    /// `most` or less.
    pub fn at_most(most: f64) -> Self {
        Self { min: None, max: Some(most) }
    }

    /// Whether a number is within.
    pub fn contain(self, value: f64) -> bool {
        self.min.is_none_or(|min| value >= min) && self.max.is_none_or(|max| value <= max)
    }

    /// What is wrong with them, if anything is.
    pub(super) fn fault(self) -> Option<&'static str> {
        match (self.min, self.max) {
            (None, None) => Some("needs a min or a max"),
            (Some(min), Some(max)) if min > max => Some("has a min above its max"),
            _ => None,
        }
    }
}

impl std::fmt::Display for Bounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.min, self.max) {
            (Some(min), Some(max)) => write!(f, "{min} to {max}"),
            (Some(min), None) => write!(f, "at least {min}"),
            (None, Some(max)) => write!(f, "at most {max}"),
            (None, None) => write!(f, "anything"),
        }
    }
}
