//! Tools that draw.

use super::held::Held;
use super::input::Pointer;
use crate::editor::editing::Editor;

/// What a press with a tool that draws takes hold of; `None` where it draws nothing.
pub(super) fn take(_editor: &mut Editor, _pointer: Pointer) -> Option<Held> {
    None
}
