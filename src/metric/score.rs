//! Scores: a number of a named variant, or the reason why there is none.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// What a metric variant is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VariantSpec {
    /// `metric/variant`, such as `ssim/uniform7`: the name in files and tables.
    pub id: &'static str,
    /// For people, such as `SSIM`.
    pub label: &'static str,
    /// What distinguishes the variant, such as `uniform 7×7`.
    pub variant_label: &'static str,
    /// Which way is better.
    pub direction: Direction,
    /// Smallest and largest possible value.
    pub range: (f64, f64),
    /// Paper and section, and repository and path of the published code.
    pub source: &'static str,
}

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// More is better.
    HigherIsBetter,
    /// Less is better.
    LowerIsBetter,
}

/// A value, or the reason why there is none. Never a made-up number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Score {
    /// A finite value.
    Value(f64),
    /// No value, and why.
    Missing(MissingScore),
}

/// Why there is no score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case", tag = "reason", content = "detail")]
pub enum MissingScore {
    /// The task has no ground truth of the kind the metric needs.
    #[error("no ground truth")]
    NoGroundTruth,
    /// There is no picture to compare.
    #[error("no picture: {0}")]
    NoPicture(String),
    /// The pictures are smaller than the metric's window.
    #[error("the picture is smaller than the {0} window")]
    TooSmall(String),
    /// The result is not a finite number.
    #[error("the result is not a finite number")]
    NotFinite,
    /// It was stopped.
    #[error("stopped")]
    Cancelled,
}

/// A value at each pixel, rows from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalarMap {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// `width * height` values.
    pub values: Arc<[f32]>,
}

impl Score {
    /// A score from a computed number: not finite is missing.
    pub fn from_number(value: f64) -> Self {
        if value.is_finite() { Self::Value(value) } else { Self::Missing(MissingScore::NotFinite) }
    }

    /// The value, if there is one.
    pub fn value(&self) -> Option<f64> {
        match self {
            Self::Value(value) => Some(*value),
            Self::Missing(_) => None,
        }
    }
}

impl ScalarMap {
    /// The value at a pixel; `None` outside.
    pub fn get(&self, x: u32, y: u32) -> Option<f32> {
        (x < self.width && y < self.height)
            .then(|| self.values.get(y as usize * self.width as usize + x as usize).copied())
            .flatten()
    }
}
