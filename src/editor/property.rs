//! Numbers, colours and words of the panel at the side.

use super::context::EditorContext;
use super::editing::Editor;
use super::error::EditorError;
use super::pick_color::pick_color;
use crate::base::Rgba;

/// A property that is changed.
#[derive(Clone, Debug, PartialEq)]
pub enum PropertyAct {
    /// A colour that was picked from the picture.
    PickColor(Rgba),
}

/// Does it.
pub(super) fn property_act(
    editor: &mut Editor,
    act: PropertyAct,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    match act {
        PropertyAct::PickColor(color) => pick_color(editor, color, context),
    }
}
