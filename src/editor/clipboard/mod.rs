//! Copy, cut, paste.
//!
//! [`Fragment`] is what is copied: nodes with all below them. Who has a clipboard, and how what lies on it is read,
//! is not known here: [`Editor::copied`] gives a fragment, and [`ClipboardAct::Paste`] brings one.

mod carried;
mod fragment;
mod paste;
mod properties;

pub use paste::PastePlace;

#[cfg(test)]
mod tests;

pub use carried::{CarryLimits, add_carried, carry_pictures, take_carried};
pub use fragment::{Fragment, MOST_PASTED, MOST_PASTED_CHARACTERS};

use std::sync::Arc;

use super::arrange::members::delete;
use super::context::EditorContext;
use super::editing::Editor;
use super::error::EditorError;
use crate::base::Rect;
use crate::design::Node;

/// What is done with the clipboard.
#[derive(Clone, Debug, PartialEq)]
pub enum ClipboardAct {
    /// Takes out what is selected, which was copied, but what is locked.
    Cut,
    /// Puts nodes in.
    Paste {
        /// Which.
        fragment: Arc<Fragment>,
        /// Where.
        place: PastePlace,
        /// The part of the page that is seen, if anyone sees it.
        visible: Option<Rect>,
    },
    /// Gives what is selected the look of a node.
    PasteProperties(Arc<Node>),
}

/// Does it.
pub(super) fn clipboard_act(
    editor: &mut Editor,
    act: ClipboardAct,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    match act {
        ClipboardAct::Cut => {
            let cut = editor.copied().ok().filter(Fragment::has_components);
            delete(editor, "Cut", context)?;
            editor.set_last_cut(cut.map(|cut| cut.document().clone()));
            Ok(())
        }
        ClipboardAct::Paste { fragment, place, visible } => {
            paste::paste(editor, &fragment, place, visible, context)
        }
        ClipboardAct::PasteProperties(from) => properties::paste(editor, &from, context),
    }
}
