//! What goes wrong with a labelling project's file.

use std::path::PathBuf;

use crate::label::{AnswerError, EventId, LedgerError};

/// Why a labelling project's file cannot be used, or something is not kept in it.
#[derive(Debug, thiserror::Error)]
pub enum LabelFileError {
    /// There is none.
    #[error("there is no labelling project: {}", path.display())]
    Missing {
        /// Where it should be.
        path: PathBuf,
    },
    /// A file is there already.
    #[error("a file is there already: {}", path.display())]
    Exists {
        /// Where.
        path: PathBuf,
    },
    /// A new file cannot be put where it should be.
    #[error("cannot make the labelling project ({source}): {}", path.display())]
    Place {
        /// The cause.
        source: std::io::Error,
        /// Where.
        path: PathBuf,
    },
    /// Another program's file, or none of SQLite's.
    #[error("not a labelling project of Pentimento; it is left as it is: {}", path.display())]
    Foreign {
        /// Which file.
        path: PathBuf,
    },
    /// A newer Pentimento made it.
    #[error(
        "the labelling project is of version {found}, this program knows up to {known}; update the program: {}",
        path.display()
    )]
    Newer {
        /// The file's version.
        found: u32,
        /// The newest this program knows.
        known: u32,
        /// Which file.
        path: PathBuf,
    },
    /// The file is torn or was changed by hand.
    #[error("the labelling project is damaged: {what}: {}", path.display())]
    Damaged {
        /// What of it.
        what: String,
        /// Which file.
        path: PathBuf,
    },
    /// What is to be taken in is of another project.
    #[error("that is of another project ({other}), not of this one: {}", path.display())]
    OtherProject {
        /// What the other one is called.
        other: String,
        /// Which file.
        path: PathBuf,
    },
    /// Two copies do not fit together.
    #[error("{source}: {}", path.display())]
    Conflict {
        /// Why.
        source: LedgerError,
        /// Which file.
        path: PathBuf,
    },
    /// There is no such item or form, so nothing can be said about it.
    #[error("the project has no {what}: {}", path.display())]
    Unknown {
        /// What is not there.
        what: String,
        /// Which file.
        path: PathBuf,
    },
    /// What is said to be the answer about an item is none.
    #[error("the known answer of the item {item:?} fits no form of the project: {}", path.display())]
    Known {
        /// Which item.
        item: String,
        /// Which file.
        path: PathBuf,
    },
    /// A question cannot be settled so.
    #[error("{source}: {}", path.display())]
    Settlement {
        /// Why.
        source: AnswerError,
        /// Which file.
        path: PathBuf,
    },
    /// An event is about the study, and cannot be so; or is about an item, and cannot be so.
    #[error("{what} is nothing that is done to {about}: {}", path.display())]
    Misplaced {
        /// What was done.
        what: &'static str,
        /// To what.
        about: &'static str,
        /// Which file.
        path: PathBuf,
    },
    /// Who did it no longer takes part.
    #[error("{person} has withdrawn from the project, and nothing of theirs is kept: {}", path.display())]
    Withdrawn {
        /// Who.
        person: String,
        /// Which file.
        path: PathBuf,
    },
    /// What is taken back is not there.
    #[error("there is no event {event:?} to take back: {}", path.display())]
    NothingToRetract {
        /// Which.
        event: EventId,
        /// Which file.
        path: PathBuf,
    },
    /// Anything else that SQLite says: a full disk, a file that must not be written.
    #[error("the labelling project cannot be used ({source}); nothing was changed: {}", path.display())]
    Sqlite {
        /// The cause.
        source: rusqlite::Error,
        /// Which file.
        path: PathBuf,
    },
}
