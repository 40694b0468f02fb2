//! What a press took hold of.

use super::drawing::Drawing;
use super::feedback::Feedback;
use super::gradient::GradientDrag;
use super::grips::EditGrip;
use super::input::Pointer;
use super::line_end::LineEndDrag;
use super::marquee::Marquee;
use super::moving::Moving;
use super::preview::{GestureOutcome, Preview};
use super::radius::RadiusDrag;
use super::resizing::Resizing;
use super::spacing::SpacingDrag;
use super::turning::TurnDrag;
use crate::base::Rect;
use crate::design::{Document, NodeId};
use crate::editor::context::EditorContext;
use crate::editor::drafting::Drafting;
use crate::editor::error::EditorError;
use crate::editor::selection::Selection;

/// A gesture under way.
#[derive(Clone, Debug)]
pub(in crate::editor) enum Held {
    /// Moves what is selected.
    Move(Box<Moving>),
    /// Resizes or scales it by a handle.
    Resize(Box<Resizing>),
    /// Turns it.
    Turn(TurnDrag),
    /// Rounds its corners.
    Radius(RadiusDrag),
    /// Pulls an end of a line.
    LineEnd(LineEndDrag),
    /// Changes a padding or the gap of a frame with auto layout.
    Spacing(SpacingDrag),
    /// Pulls a handle or a stop of a gradient.
    Gradient(GradientDrag),
    /// Selects what a rectangle meets.
    Marquee(Marquee),
    /// Draws with a tool, or drags points of a path.
    Drawing(Drawing),
}

impl Held {
    /// Takes hold of a handle of what is selected; `others` are the boxes that it may be drawn to.
    pub(super) fn by_grip(
        editor: &impl Drafting,
        nodes: &[NodeId],
        grip: EditGrip,
        pointer: Pointer,
        others: Vec<Rect>,
    ) -> Option<Self> {
        let document = editor.document();
        Some(match grip {
            EditGrip::Resize(handle) => Self::Resize(Box::new(Resizing::begin(
                document,
                nodes,
                (handle, editor.tool()),
                pointer,
                others,
            ))),
            EditGrip::Turn(_) => Self::Turn(TurnDrag::begin(document, nodes, pointer)?),
            EditGrip::Radius(corner) => {
                Self::Radius(RadiusDrag::begin(document, nodes, corner, pointer)?)
            }
            EditGrip::LineEnd(end) => {
                Self::LineEnd(LineEndDrag::begin(document, nodes, end, pointer)?)
            }
            EditGrip::Padding(_) | EditGrip::Gap(_) => {
                Self::Spacing(SpacingDrag::begin(document, nodes, grip, pointer)?)
            }
        })
    }

    /// Works out what it comes to with the pointer there.
    pub(super) fn go_to(
        &mut self,
        pointer: Pointer,
        context: &EditorContext<'_>,
    ) -> Result<(), EditorError> {
        // From nowhere nothing follows.
        if !pointer.at.is_finite() {
            return Ok(());
        }
        match self {
            Self::Move(held) => held.go_to(pointer, context),
            Self::Resize(held) => held.go_to(pointer, context),
            Self::Turn(held) => held.go_to(pointer, context),
            Self::Radius(held) => held.go_to(pointer, context),
            Self::LineEnd(held) => held.go_to(pointer, context),
            Self::Spacing(held) => held.go_to(pointer, context),
            Self::Gradient(held) => held.go_to(pointer, context),
            Self::Drawing(held) => held.go_to(pointer, context),
            Self::Marquee(held) => {
                held.go_to(pointer);
                Ok(())
            }
        }
    }

    fn preview(&self) -> &Preview {
        match self {
            Self::Move(held) => &held.preview,
            Self::Resize(held) => &held.preview,
            Self::Turn(held) => &held.preview,
            Self::Radius(held) => &held.preview,
            Self::LineEnd(held) => &held.preview,
            Self::Spacing(held) => &held.preview,
            Self::Gradient(held) => &held.preview,
            Self::Marquee(held) => &held.preview,
            Self::Drawing(held) => held.preview(),
        }
    }

    /// The design as it would be.
    pub(in crate::editor) fn document(&self) -> Option<&Document> {
        self.preview().dragged.as_ref().map(|dragged| &dragged.document)
    }

    /// What is drawn over the picture meanwhile.
    pub(in crate::editor) fn feedback(&self) -> &Feedback {
        &self.preview().feedback
    }

    /// What it selects already while it is under way.
    pub(super) fn selecting(&self) -> Option<&Selection> {
        match self {
            Self::Marquee(held) => Some(&held.selection),
            _ => None,
        }
    }

    /// What was selected before, where it selects something else.
    pub(super) fn selection_before(&self) -> Option<&Selection> {
        match self {
            Self::Marquee(held) => Some(&held.before),
            _ => None,
        }
    }

    /// What a tool draws, if that is held.
    pub(in crate::editor) fn drawing(&self) -> Option<&Drawing> {
        match self {
            Self::Drawing(drawing) => Some(drawing),
            _ => None,
        }
    }

    /// Makes it a step.
    pub(super) fn finish(
        self,
        editor: &mut impl Drafting,
        context: &EditorContext<'_>,
    ) -> Result<(), EditorError> {
        match self {
            Self::Drawing(held) => return held.finish(editor, context),
            Self::Move(held) => take_in(editor, held.finish()),
            Self::Resize(held) => take_in(editor, held.finish()),
            Self::Turn(held) => take_in(editor, held.finish()),
            Self::Radius(held) => take_in(editor, held.finish()),
            Self::LineEnd(held) => take_in(editor, held.finish()),
            Self::Spacing(held) => take_in(editor, held.finish()),
            Self::Gradient(held) => take_in(editor, held.finish()),
            Self::Marquee(_) => {}
        }
        Ok(())
    }
}

fn take_in(editor: &mut impl Drafting, outcome: GestureOutcome) {
    let GestureOutcome { label, nodes, edit, select, duplicated } = outcome;
    if let Some(edit) = edit {
        editor.take_in(label, &nodes, edit, None);
    }
    if let Some(selection) = select {
        editor.set_selection(selection);
    }
    if let Some(duplicated) = duplicated {
        editor.set_last_duplicate(duplicated);
    }
}
