//! The offer that nobody decided of yet, as it is kept beside a run by hand.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::assistant::Suggestion;
use crate::design::Measure;
use crate::workbench::{FoundStep, HelpLevel, PendingOffer};

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedOffer {
    number: u32,
    level: HelpLevel,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    is_right: Option<bool>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    are_right: Vec<Option<bool>>,
    suggestion: Value,
}

/// The offer as JSON; `None` where a file cannot say what it changes.
pub(super) fn to_json(offer: &PendingOffer, measure: &dyn Measure) -> Option<String> {
    let PendingOffer { number, level, found, design } = offer;
    let saved = SavedOffer {
        number: *number,
        level: *level,
        is_right: found.is_right,
        are_right: found.are_right.clone(),
        suggestion: found.suggestion.to_json(design, measure)?,
    };
    serde_json::to_string(&saved).ok()
}

impl SavedOffer {
    /// # Errors
    ///
    /// What is wrong with it.
    pub(super) fn read(self, measure: &dyn Measure) -> Result<PendingOffer, String> {
        let Self { number, level, is_right, are_right, suggestion } = self;
        let (design, suggestion) = Suggestion::from_json(suggestion, measure)?;
        let found = FoundStep { suggestion: Arc::new(suggestion), is_right, are_right };
        Ok(PendingOffer { number, level, found, design })
    }
}
