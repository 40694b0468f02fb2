//! What was copied where people design by hand, and what goes to the clipboard of the system.

use std::sync::Arc;

use crate::base::Pixels;
use crate::design::Node;
use crate::editor::{Fragment, PastePlace};

/// What was copied. It outlives the design it was copied from.
#[derive(Clone, Debug, Default)]
pub struct AssistClipboard {
    /// What was copied last, with the text that went to the system's clipboard: where that is pasted, this is, with its
    /// pictures.
    pub copied: Option<(Arc<Fragment>, Arc<str>)>,
    /// The node whose look was copied.
    pub properties: Option<Arc<Node>>,
    /// What is to go to the system's clipboard, with a number of its own.
    pub outgoing: Option<(u64, CopiedForm)>,
    /// Where the system's clipboard is to be pasted, with a number of its own.
    pub asked: Option<(u64, PastePlace)>,
    /// The last number that was given.
    pub(in crate::workbench) numbers: u64,
}

/// What goes to the system's clipboard.
#[derive(Clone, Debug, PartialEq)]
pub enum CopiedForm {
    /// Text: JSON or SVG.
    Text(Arc<str>),
    /// A picture.
    Picture(Pixels),
}

/// As what layers are copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyForm {
    /// A picture at so many pixels a unit, 1..=4.
    Png {
        /// Pixels a unit.
        scale: u8,
    },
    /// SVG, with texts as outlines.
    Svg,
    /// Figma REST JSON, with how far everything is drawn.
    Json,
}

impl AssistClipboard {
    /// A number that none of the others has.
    pub(in crate::workbench) fn next_number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }
}
