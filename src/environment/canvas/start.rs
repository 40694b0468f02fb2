//! What an environment starts with, and how it behaves.

use serde_json::Value;

use crate::base::{Limits, Size};
use crate::design::{Document, DocumentError};
use crate::render::RenderContext;

use super::compat::Compat;

/// The name of the frame that is the screen, by which CANVAS's runner finds it.
pub const MAIN_FRAME_NAME: &str = "Main Screen";

/// What lies on the page at first.
#[derive(Clone, Debug)]
pub enum Start {
    /// A white main frame of this size at (0, 0): replication.
    Blank(Size),
    /// A design, whose main frame is put at (0, 0) and named [`MAIN_FRAME_NAME`]: modification. Its
    /// ids stay as they are; whatever lies beside the main frame is left out. For hands it may stay as it is
    /// ([`HandTools`]).
    Design(Document),
}

/// How the tools behave where there is a choice.
#[derive(Clone, Debug, Default)]
pub struct CanvasSettings {
    /// Where a new node goes whose `parentId` is missing or cannot take it.
    pub default_parent: DefaultParent,
    /// Whose behaviour is followed.
    pub compat: Compat,
    /// Whether the tool for what people do by hand may be used.
    pub hands: HandTools,
    /// What texts are measured and pictures drawn with.
    pub render: RenderContext,
}

/// Whether the tool for hands may be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HandTools {
    /// There is none: agents, and all runs that are not by hand.
    #[default]
    Refused,
    /// It may, and of a file with one page the screen alone is opened, as tools have it.
    Allowed,
    /// It may, and a file is opened as it is, with all that lies on its pages.
    WholeFile,
}

impl HandTools {
    /// What a run says of it that was begun on a whole file; one that was not says `true`.
    const WHOLE_FILE: &str = "whole_file";

    /// What a run says of it ([`HANDS_SETTING`](crate::environment::HANDS_SETTING)); nothing where there is none.
    pub fn setting(self) -> Option<Value> {
        match self {
            Self::Refused => None,
            Self::Allowed => Some(Value::Bool(true)),
            Self::WholeFile => Some(Value::from(Self::WHOLE_FILE)),
        }
    }

    /// What a run says of it, read again.
    pub fn from_setting(setting: Option<&Value>) -> Self {
        match setting {
            Some(Value::Bool(true)) => Self::Allowed,
            Some(Value::String(words)) if words == Self::WHOLE_FILE => Self::WholeFile,
            _ => Self::Refused,
        }
    }

    /// The same where people go on with what others began.
    #[must_use]
    pub fn allowed(self) -> Self {
        if self == Self::Refused { Self::Allowed } else { self }
    }

    /// Whether a design with so many pages is opened as it is, and not its screen alone.
    pub(super) fn opens_whole(self, pages: usize) -> bool {
        match self {
            Self::Refused => false,
            // Hands go through all pages of a file; tools know of one.
            Self::Allowed => pages > 1,
            Self::WholeFile => true,
        }
    }
}

/// Where a new node goes whose `parentId` is missing or cannot take it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DefaultParent {
    /// Into the main frame, silently, also when the `parentId` is unknown or not a FRAME, GROUP or
    /// SECTION: what the published runner does to every creation call (`switchParentId`). On the
    /// page if the main frame was deleted.
    #[default]
    MainFrame,
    /// On the page; a `parentId` that is unknown or cannot take children is an error, as in the
    /// published plugin without its runner.
    Page,
}

/// Why an environment cannot start.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StartError {
    /// The screen's size is not one.
    #[error(
        "a screen of {width} × {height} cannot be: each side must be within 1 and {most}",
        most = Limits::IMAGE_SIDE
    )]
    Size {
        /// Along x.
        width: f64,
        /// Along y.
        height: f64,
    },
    /// The design has nothing that could be the screen.
    #[error("the design has no frame to work on: it needs a FRAME, COMPONENT, INSTANCE or SECTION")]
    NoFrame,
    /// The document refuses.
    #[error(transparent)]
    Document(#[from] DocumentError),
}
