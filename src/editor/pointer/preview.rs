//! What a gesture would come to.

use super::feedback::{Feedback, Reading};
use crate::design::edit::{Edit, Transaction};
use crate::design::gesture::Dragged;
use crate::design::{Document, DocumentError, NodeId};
use crate::editor::arrange::LastDuplicate;
use crate::editor::context::EditorContext;
use crate::editor::error::EditorError;
use crate::editor::selection::Selection;

/// What a gesture would come to, as it is now.
#[derive(Clone, Debug, Default)]
pub(super) struct Preview {
    /// The design as it would be; `None`: as it is.
    pub(super) dragged: Option<Dragged>,
    pub(super) feedback: Feedback,
}

impl Preview {
    /// The design as it would be, if anything is different, and the number that is changed.
    pub(super) fn reading(dragged: Dragged, reading: Option<Reading>) -> Self {
        let dragged = (!dragged.edit.is_empty()).then_some(dragged);
        Self { dragged, feedback: Feedback { reading, ..Feedback::default() } }
    }
}

/// What a gesture came to.
#[derive(Debug, Default)]
pub(super) struct GestureOutcome {
    pub(super) label: &'static str,
    pub(super) nodes: Vec<NodeId>,
    pub(super) edit: Option<Edit>,
    /// What is selected then, if that is something else.
    pub(super) select: Option<Selection>,
    /// What was duplicated, if that was done.
    pub(super) duplicated: Option<LastDuplicate>,
}

impl GestureOutcome {
    /// An edit of these nodes.
    pub(super) fn edited(label: &'static str, nodes: Vec<NodeId>, preview: Preview) -> Self {
        let edit = preview.dragged.map(|dragged| dragged.edit);
        Self { label, nodes, edit, ..Self::default() }
    }
}

/// The start changed, with all that follows.
pub(super) fn changed(
    start: &Document,
    context: &EditorContext<'_>,
    change: impl FnOnce(&mut Transaction<'_>) -> Result<(), DocumentError>,
) -> Result<Dragged, EditorError> {
    let mut document = start.clone();
    let mut transaction = Transaction::begin(&mut document);
    change(&mut transaction)?;
    let edit = transaction.commit_with(context.measure);
    Ok(Dragged { document, edit })
}
