//! Why an action fails, with the evidence in words.

use crate::environment::FailureClass;
use crate::graphictown::Expert;

/// Longest piece of the caller's own words in a message, in characters.
const SHOWN: usize = 60;

/// Why an action fails; the message is what the agent reads.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum Failure {
    /// The arguments are no object, or name no expert.
    #[error("{0}")]
    BadArguments(String),
    /// No such expert.
    #[error(
        "there is no expert {0:?}; there are Photo Editor, Vector Graphic Editor and Layout Designer"
    )]
    UnknownExpert(String),
    /// The program has no such action.
    #[error("the {} cannot {action}; {} can", expert.name(), names(others))]
    NotOfExpert {
        /// Who was asked.
        expert: Expert,
        /// What for.
        action: &'static str,
        /// Who could.
        others: Vec<Expert>,
    },
    /// A parameter is not there.
    #[error("{action} lacks {parameter}; it takes {takes}")]
    MissingParameter {
        /// Of which action.
        action: &'static str,
        /// Which.
        parameter: String,
        /// All that the action takes.
        takes: String,
    },
    /// A parameter that the action does not take.
    #[error("{action} takes no {parameter:?}; it takes {takes}")]
    ExtraParameter {
        /// Of which action.
        action: &'static str,
        /// Which.
        parameter: String,
        /// All that the action takes.
        takes: String,
    },
    /// A value of the wrong type.
    #[error("{0}")]
    IllTyped(String),
    /// A value out of its range, or none of its choices.
    #[error("{0}")]
    OutOfRange(String),
    /// The program has no document.
    #[error("{0}")]
    NoDocument(String),
    /// The document has no such layer.
    #[error("{0}")]
    UnknownLayer(String),
    /// The layer is of a kind that cannot take it.
    #[error("{0}")]
    WrongLayer(String),
    /// The file is neither given nor saved.
    #[error("{0}")]
    UnknownFile(String),
    /// The program does not write this format.
    #[error("the {} does not write {format:?}; it writes {}", expert.name(), expert.formats().join(", "))]
    WrongFormat {
        /// Whose program.
        expert: Expert,
        /// What was asked.
        format: String,
    },
    /// Nothing of the layer would be on the page.
    #[error("{0}")]
    OffPage(String),
    /// More than a document or a folder holds.
    #[error("{0}")]
    TooLarge(String),
}

impl Failure {
    /// The kind of failure.
    pub(super) fn class(&self) -> FailureClass {
        match self {
            Self::BadArguments(_) => FailureClass::BadArguments,
            Self::UnknownExpert(_) => FailureClass::UnknownExpert,
            Self::NotOfExpert { .. } => FailureClass::NotOfExpert,
            Self::MissingParameter { .. } => FailureClass::MissingParameter,
            Self::ExtraParameter { .. } => FailureClass::ExtraParameter,
            Self::IllTyped(_) => FailureClass::IllTypedParameter,
            Self::OutOfRange(_) => FailureClass::OutOfRange,
            Self::NoDocument(_) => FailureClass::NoDocument,
            Self::UnknownLayer(_) => FailureClass::UnknownLayer,
            Self::WrongLayer(_) => FailureClass::WrongNodeType,
            Self::UnknownFile(_) => FailureClass::UnknownFile,
            Self::WrongFormat { .. } => FailureClass::WrongFormat,
            Self::OffPage(_) => FailureClass::OffPage,
            Self::TooLarge(_) => FailureClass::TooLarge,
        }
    }
}

/// The caller's words, short enough for a message.
pub(super) fn shorten(text: &str) -> String {
    // By characters: a cut inside of one would be no text.
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Names in a row: `"a", "b"`, at most eight of them.
pub(super) fn quoted<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let all: Vec<String> = names.into_iter().map(|name| format!("{:?}", shorten(name))).collect();
    // A list that is longer than that is not read.
    let more = all.len().saturating_sub(8);
    let shown = all.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

fn names(experts: &[Expert]) -> String {
    experts.iter().map(|expert| expert.name()).collect::<Vec<_>>().join(" and ")
}
