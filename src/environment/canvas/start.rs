//! What an environment starts with, and how it behaves.

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
    /// ids stay as they are; whatever lies beside the main frame is left out.
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
    /// It may.
    Allowed,
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
