//! An error of a plan: of which class, where, and by whose doing.

use crate::graphictown::Expert;

/// Most characters of a message; one that is cut ends in `…`.
pub(super) const LONGEST: usize = 600;

/// The classes of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlanErrorClass {
    /// The workflow or the step cannot be read.
    Format,
    /// No such expert.
    InvalidExpert,
    /// No such action, or not of this expert.
    InvalidAction,
    /// Parameters missing, too many, of the wrong type or out of range.
    InvalidParameters,
    /// Needs what the same expert did not make.
    LocalDependency,
    /// Needs what another expert made, makes later or should have handed over.
    GlobalDependency,
    /// Contradicts an earlier step.
    Inconsistency,
}

impl PlanErrorClass {
    /// All classes, in the order of tables.
    pub const ALL: [Self; 7] = [
        Self::Format,
        Self::InvalidExpert,
        Self::InvalidAction,
        Self::InvalidParameters,
        Self::LocalDependency,
        Self::GlobalDependency,
        Self::Inconsistency,
    ];

    /// For people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::InvalidExpert => "invalid expert",
            Self::InvalidAction => "invalid action",
            Self::InvalidParameters => "invalid parameters",
            Self::LocalDependency => "local dependency",
            Self::GlobalDependency => "global dependency",
            Self::Inconsistency => "inconsistency",
        }
    }
}

/// An error of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanError {
    /// Its class.
    pub class: PlanErrorClass,
    /// At which item of the workflow, from 1; `None` for the whole of it.
    pub step: Option<usize>,
    /// What happened, to what, and who should have done what; what it quotes may be cut.
    pub message: String,
    /// The layer, file, action … it is about.
    pub object: Option<String>,
    /// Who made it, makes it, or should have.
    pub maker: Option<Maker>,
}

/// Who made something, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Maker {
    /// Who.
    pub expert: Expert,
    /// At which item of the workflow, from 1; `None` if he never did.
    pub step: Option<usize>,
}

pub(super) fn fault(
    class: PlanErrorClass,
    at: usize,
    object: Option<&str>,
    message: impl Into<String>,
) -> PlanError {
    let object = object.map(|name| cut(name.to_owned()));
    PlanError { class, step: Some(at), message: cut(message.into()), object, maker: None }
}

/// A model may name or quote anything at any length.
fn cut(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    text
}
