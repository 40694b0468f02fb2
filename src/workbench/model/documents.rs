//! The documents of a run whose environment has several programs, and which of them is shown.
//!
//! What there is after a step comes with the picture of the step
//! ([`StagePicture::documents`](super::StagePicture::documents)). The document worked in last is what that picture
//! shows, and what is scored and compared; the others are asked for as
//! [`PictureKey::Document`](super::PictureKey::Document) of the step that changed them last, so that going over steps
//! draws only what changes.

use serde::{Deserialize, Serialize};

use crate::base::Size;

/// Which documents the stage shows of a run with several programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentChoice {
    /// The one worked in last.
    #[default]
    Current,
    /// That of one program, by its place among them.
    Program(u8),
    /// All, side by side.
    All,
}

/// The documents there are after a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Documents {
    /// The programs, in their order.
    pub programs: Vec<Program>,
    /// The folder that they share, by name.
    pub files: Vec<SharedFile>,
}

/// A program.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// Its open document; `None`: it has none.
    pub document: Option<OpenDocument>,
    /// Whether it was worked in last: its document is the one that is scored.
    pub is_current: bool,
}

/// The open document of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenDocument {
    /// What it is, such as `book cover`.
    pub title: String,
    /// Its page, in units of the canvas.
    pub size: Size,
    /// Whether it was saved since the last change.
    pub is_saved: bool,
    /// The file that holds all of it, if that is known.
    pub file: Option<String>,
    /// The last step that may have changed it.
    pub changed_at: u32,
}

/// A file of the shared folder.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedFile {
    /// Its name, with its ending.
    pub name: String,
    /// The name of the program that wrote it.
    pub program: String,
    /// Its page, in units of the canvas.
    pub size: Size,
    /// The step that saved it, if that is known.
    pub saved_at: Option<u32>,
}

impl Documents {
    /// The program worked in last, by its place.
    pub fn current(&self) -> Option<u8> {
        self.programs.iter().zip(0..).find_map(|(program, at)| program.is_current.then_some(at))
    }

    /// A program by its place.
    pub fn program(&self, at: u8) -> Option<&Program> {
        self.programs.get(usize::from(at))
    }

    /// The open document of a program by its place.
    pub fn open(&self, at: u8) -> Option<&OpenDocument> {
        self.program(at)?.document.as_ref()
    }
}
