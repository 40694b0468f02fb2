//! Copying and pasting where people design by hand.

use crate::base::{Pixels, Rect};
use crate::design::Document;
use crate::editor::PastePlace;
use crate::render::RenderContext;
use crate::workbench::model::{CopiedForm, CopyForm};

/// Something that is done with the clipboard.
#[derive(Clone, Debug, PartialEq)]
pub enum ClipboardCommand {
    /// Copy what is selected.
    Copy,
    /// Copy it and take it out.
    Cut,
    /// Copy it as something that other programs read.
    CopyAs(CopyForm),
    /// Copy the look of what is selected.
    CopyProperties,
    /// Give what is selected that look.
    PasteProperties,
    /// Have the window ask the system for what it has on its clipboard.
    Ask(PastePlace),
    /// Paste text of the system's clipboard: what was copied here, Figma JSON, SVG, a picture's data URL, or any
    /// other as a text.
    PasteText {
        /// The text.
        text: String,
        /// Where.
        place: PastePlace,
        /// The part of the page that is seen.
        visible: Option<Rect>,
    },
    /// Paste a picture of the system's clipboard.
    PastePicture {
        /// The picture.
        picture: Pixels,
        /// Where.
        place: PastePlace,
        /// The part of the page that is seen.
        visible: Option<Rect>,
    },
}

/// Layers that are to be written as something that other programs read.
#[derive(Clone, Debug)]
pub struct CopyOrder {
    /// Of which desk.
    pub desk: u64,
    /// The layers as a design of their own.
    pub document: Document,
    /// What they are drawn with.
    pub render: RenderContext,
    /// As what.
    pub form: CopyForm,
}

/// What was written.
#[derive(Clone, Debug)]
pub struct CopyNews {
    /// Of which desk.
    pub desk: u64,
    /// It, or why not.
    pub result: Result<CopiedForm, String>,
    /// How many pictures there was no room for.
    pub left_out: usize,
}
