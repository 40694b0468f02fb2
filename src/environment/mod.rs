//! What an agent acts on: a document behind a list of tools.
//!
//! [`Environment`] is the contract, [`ToolSpec`] what a model is told, [`ToolCall`] what it asks
//! and [`ToolOutcome`] what it gets. One folder an environment: [`canvas`] is CANVAS's vector design,
//! [`suite`] GraphicTown's three programs, [`page`] a page in HTML. [`graphic`] reads SVG for the first two.
//!
//! Uses `design`, `render`, `raster` and `base`.

mod begun;
pub mod canvas;
mod compat;
mod design_pictures;
mod graphic;
mod kind;
pub mod page;
mod schema;
mod start;
pub mod suite;
mod tool;

pub use begun::{BegunCall, BegunStart, BegunStartError, own_document};
pub use compat::Compat;
pub use design_pictures::{
    DESIGN_PICTURE_ENDINGS, DesignPictureError, add_pictures, pictures_beside,
};
pub use graphic::{SvgError, draw_svg, svg_design};
pub use kind::EnvironmentKind;
pub use schema::{ArgumentError, check_arguments};
pub use start::{
    Environments, FALLBACK_CANVAS, FONTS_SETTING, HANDS_SETTING, OpenEnvironment, StartError,
    StartState, open_begun, open_environment,
};
pub use tool::{FailureClass, ToolCall, ToolCategory, ToolFailure, ToolOutcome, ToolSpec};

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

pub use crate::render::{Diagnostic, FontSource, RenderError};
pub use page::BrowserSearch;

use crate::base::{CancelToken, Pixels, Size};
use crate::design::{Document, NodeId, ShownPicture};

/// A world with tools. Deterministic: the same calls on the same start give the same bytes.
///
/// What only some environments have is a capability of its own: [`Self::documents`],
/// [`Self::hand_outs`].
pub trait Environment: Send + fmt::Debug {
    /// The tools, in the order a model sees them.
    fn tools(&self) -> &[ToolSpec];

    /// Does what the call asks. A failure is an outcome, never a panic, and changes nothing. What
    /// takes long ends soon after it is cancelled, as a failure.
    fn call(&mut self, call: &ToolCall, cancel: &CancelToken) -> ToolOutcome;

    /// Whether calls wait for a program outside rather than compute: then they may not be made on a
    /// thread that others share.
    fn calls_wait(&self) -> bool {
        false
    }

    /// What the environment looks like.
    fn picture(&self, request: &PictureRequest) -> Result<Picture, RenderError>;

    /// The node that [`PictureView::MainFrame`] shows, whatever was deleted or moved since the start;
    /// `None` where there is none. What is compared with the ground truth is decided here alone.
    fn main_frame(&self) -> Option<NodeId> {
        None
    }

    /// The state, to come back to. Cheap: structure is shared.
    fn snapshot(&self) -> Snapshot;

    /// Back to a state that [`Environment::snapshot`] of the same kind of environment gave.
    fn restore(&mut self, snapshot: &Snapshot);

    /// Lets go of what is kept only to be faster, such as pictures: nothing is asked for a while. What
    /// it does afterwards is the same.
    fn drop_caches(&mut self) {}

    /// The document as it is written to `final.json`.
    fn document_json(&self) -> Value;

    /// The vector design it works on, all of the page; `None` if it works on something else. Cheap:
    /// a clone shares all nodes.
    fn design(&self) -> Option<Document> {
        None
    }

    /// Its documents, where there may be more than the one that [`Environment::picture`] shows.
    fn documents(&self) -> Option<&dyn MultiDocument> {
        None
    }

    /// The pictures that its task hands out, where it knows of such.
    fn hand_outs(&self) -> Option<&dyn HandOuts> {
        None
    }
}

/// An environment of several programs, each with one open document at most, and files that they share.
pub trait MultiDocument {
    /// The names of the programs, in their order. The id of an open document is its program's name.
    fn programs(&self) -> &'static [&'static str];

    /// All documents: the open ones, then the files.
    fn list(&self) -> Vec<DocumentInfo>;

    /// What one of [`Self::list`] looks like.
    fn picture_of(&self, document: &str, request: &PictureRequest) -> Result<Picture, RenderError>;

    /// One of [`Self::list`] as a vector design.
    fn design_of(&self, document: &str) -> Option<Document>;
}

/// An environment whose task hands pictures out, to be used in the design.
pub trait HandOuts {
    /// The pictures by their names, in order. They stay the same whatever is called.
    fn given(&self) -> Vec<HandedOut>;

    /// Where [`Environment::design`] shows them, in the order they are drawn; `None` if that cannot be
    /// told.
    fn shown_pictures(&self) -> Option<Vec<ShownPicture>>;
}

/// A picture that a task hands out.
#[derive(Clone, Debug, PartialEq)]
pub struct HandedOut {
    /// What the task calls it.
    pub name: String,
    /// The picture, a drawing at its own size; or why there is none, so that a placeholder stands for
    /// it.
    pub pixels: Result<Pixels, String>,
}

/// A document of an environment that has several.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentInfo {
    /// What it is asked for by: [`MultiDocument::picture_of`].
    pub id: String,
    /// The program it is open in, or that wrote the file: one of [`MultiDocument::programs`].
    pub program: &'static str,
    /// For people: what the document is, or the file's name.
    pub name: String,
    /// Its page, in units of the canvas.
    pub size: Size,
    /// Whether it is the one that [`Environment::picture`] shows.
    pub is_current: bool,
    /// Where it is.
    pub place: DocumentPlace,
}

/// Where a document of an environment is that has several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentPlace {
    /// Open in its program.
    Open {
        /// Whether it was saved since the last change.
        is_saved: bool,
        /// The file that holds all of it, if that is known.
        file: Option<String>,
    },
    /// A file of the folder that the programs share.
    File,
}

/// Which picture of the environment is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureRequest {
    /// What is in view.
    pub view: PictureView,
    /// Pixels a unit; 0.01..=16.
    pub scale: f64,
}

/// What a picture shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PictureView {
    /// The main frame, cut at its box: what is compared with the ground truth.
    #[default]
    MainFrame,
    /// Everything visible on the page, as `get_result_image` shows it.
    Page,
}

impl Default for PictureRequest {
    fn default() -> Self {
        Self { view: PictureView::MainFrame, scale: 1.0 }
    }
}

/// A picture with what could not be drawn in it.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The picture.
    pub pixels: Pixels,
    /// What was left out or replaced, and why.
    pub diagnostics: Vec<Diagnostic>,
}

/// A state of an environment, shared and opaque.
#[derive(Clone)]
pub struct Snapshot(Arc<dyn Any + Send + Sync>);

impl Snapshot {
    /// Wraps a state.
    pub fn new<T: Any + Send + Sync>(state: T) -> Self {
        Self(Arc::new(state))
    }

    /// The state, if it is of this type.
    pub fn get<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Snapshot")
    }
}
