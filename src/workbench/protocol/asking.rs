//! Asking models behind endpoints for scores.

use crate::evaluate::VariantId;
use crate::workbench::model::AskScope;

/// Asking models behind endpoints for scores: nothing is sent before [`AskCommand::Start`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskCommand {
    /// Open the dialog that says how many questions there are and what they cost.
    Open,
    /// Ask about these runs.
    Scope(AskScope),
    /// Ask for this score, or not.
    Toggle(VariantId),
    /// Send what the dialog says.
    Start,
}
