//! What a check found.

use serde::Serialize;

use super::Bounds;

/// What a check found, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The check's name, as in files.
    pub check: &'static str,
    /// Whether the task was done, as far as the check can tell.
    pub passed: bool,
    /// The number that decided; `None` if there was nothing to measure.
    pub measured: Option<f64>,
    /// What it had to be.
    pub wanted: Bounds,
    /// The number and what it had to be in words, or why there is none.
    pub why: String,
}

/// What was measured, before it is held against what is wanted.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Finding {
    /// A number.
    Measured {
        /// The number.
        value: f64,
        /// What it must be.
        wanted: Bounds,
        /// What the number is, such as `likeness to the flipped picture`.
        what: &'static str,
    },
    /// The picture cannot be what was asked for.
    Failed {
        /// What the number would have to be.
        wanted: Bounds,
        /// Why not.
        why: String,
    },
}

impl Finding {
    /// As the verdict of the check of this name.
    pub(super) fn into_verdict(self, check: &'static str) -> Verdict {
        match self {
            Self::Measured { value, wanted, what } => {
                let passed = wanted.contain(value);
                let why = format!("{what}: {value:.4}, wanted {wanted}");
                Verdict { check, passed, measured: Some(value), wanted, why }
            }
            Self::Failed { wanted, why } => {
                Verdict { check, passed: false, measured: None, wanted, why }
            }
        }
    }
}
