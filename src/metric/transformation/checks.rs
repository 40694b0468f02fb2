//! The file in which a task names its checks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::base::{CancelToken, Cancelled, JsonLimitError, Pixels, parse_json};

use super::judge::judge;
use super::{Check, Verdict};

/// What must be true of a picture after an edit: the content of a checks file.
///
/// ```json
/// {"checks": [
///   {"check": "flip", "axis": "horizontal", "tolerance": 0.02},
///   {"check": "unchanged", "region": {"x": 0, "y": 0, "width": 320, "height": 40}}
/// ]}
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Checks {
    /// The checks; all of them must pass.
    pub checks: Vec<Check>,
}

/// Why a checks file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ChecksError {
    /// Not JSON, or not of checks.
    #[error("not a checks file: {0}")]
    Json(#[from] JsonLimitError),
    /// It names no check, so that everything would pass.
    #[error("there are no checks: give at least one")]
    Empty,
    /// More checks than anyone needs.
    #[error("there are {0} checks: at most {MOST} are taken")]
    TooMany(usize),
    /// A check says something that cannot be.
    #[error("check {number} ({check}) {fault}")]
    Parameter {
        /// Which check, from 1.
        number: usize,
        /// Its name.
        check: &'static str,
        /// What is wrong with it.
        fault: &'static str,
    },
}

/// The most checks of a file.
const MOST: usize = 1000;

impl Checks {
    /// Reads a checks file.
    ///
    /// # Errors
    ///
    /// [`ChecksError`]; a misspelt name or parameter is an error, so that nothing passes unchecked.
    pub fn parse(bytes: &[u8]) -> Result<Self, ChecksError> {
        let checks: Self = parse_json(bytes)?;
        Self::new(checks.checks)
    }

    /// These checks, all of which must pass.
    ///
    /// # Errors
    ///
    /// [`ChecksError`] for none, for too many and for one that says what cannot be.
    pub fn new(checks: Vec<Check>) -> Result<Self, ChecksError> {
        // All of no checks pass, which would call any attempt a success.
        if checks.is_empty() {
            return Err(ChecksError::Empty);
        }
        if checks.len() > MOST {
            return Err(ChecksError::TooMany(checks.len()));
        }
        for (at, check) in checks.iter().enumerate() {
            if let Some(fault) = check.fault() {
                let (number, check) = (at + 1, check.name());
                return Err(ChecksError::Parameter { number, check, fault });
            }
        }
        Ok(Self { checks })
    }

    /// The schema of the file, as it is in `assets/schema`.
    pub fn json_schema() -> Value {
        schemars::schema_for!(Self).to_value()
    }

    /// Judges an edit: a verdict for each check, in their order. The task is done if all passed.
    ///
    /// # Errors
    ///
    /// [`Cancelled`] once `cancel` is raised.
    pub fn judge(
        &self,
        before: &Pixels,
        after: &Pixels,
        cancel: &CancelToken,
    ) -> Result<Vec<Verdict>, Cancelled> {
        self.checks.iter().map(|check| judge(check, before, after, cancel)).collect()
    }
}
