//! What drawing and dragging need of the editor.

use super::arrange::LastDuplicate;
use super::context::EditorContext;
use super::edited::InPlace;
use super::error::EditorError;
use super::selection::Selection;
use super::tool::Tool;
use crate::design::edit::{Edit, Transaction};
use crate::design::gesture::BurstKey;
use crate::design::{Document, DocumentError, NodeId};

/// A design that is drawn on, and what is in hand meanwhile. The editor is one; gestures know no more of it, as it
/// holds them.
pub(super) trait Drafting {
    /// The design without what is under way.
    fn document(&self) -> &Document;

    /// The same as it is looked at: of several pages the one.
    fn on_page(&self) -> Document;

    /// What is in hand.
    fn tool(&self) -> Tool;

    /// Takes another tool in hand, without letting go of anything.
    fn set_tool(&mut self, tool: Tool);

    /// What is edited in place.
    fn in_place(&self) -> &InPlace;

    /// Edits something else in place.
    fn set_in_place(&mut self, in_place: InPlace);

    /// Selects.
    fn set_selection(&mut self, selection: Selection);

    /// Gives up what is held.
    fn drop_held(&mut self);

    /// Remembers what was duplicated.
    fn set_last_duplicate(&mut self, last: LastDuplicate);

    /// Takes in an edit of the design, as a step of the person; whether anything is different.
    fn take_in(
        &mut self,
        label: &str,
        nodes: &[NodeId],
        edit: Edit,
        burst: Option<BurstKey>,
    ) -> bool;

    /// Changes the design, as one step; whether anything is different.
    ///
    /// # Errors
    ///
    /// What the document refuses; it is as it was.
    fn edit(
        &mut self,
        label: &str,
        nodes: &[NodeId],
        context: &EditorContext<'_>,
        change: impl FnOnce(&mut Transaction<'_>) -> Result<(), DocumentError>,
    ) -> Result<bool, EditorError>;
}
