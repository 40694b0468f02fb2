//! What a press took hold of.

use super::drawing::Drawing;
use super::feedback::Feedback;
use super::gradient::GradientDrag;
use super::grips::EditGrip;
use super::input::{DragStart, Pointer};
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
    /// Pulls a handle.
    Grip(HeldGrip),
    /// Selects what a rectangle meets.
    Marquee(Marquee),
    /// Draws with a tool, or drags points of a path.
    Drawing(Drawing),
}

/// A handle that is held.
#[derive(Clone, Debug)]
pub(in crate::editor) struct HeldGrip {
    start: DragStart,
    pull: Pull,
}

/// What a handle does that is pulled.
#[derive(Clone, Debug)]
enum Pull {
    /// Resizes or scales what is selected.
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
}

impl HeldGrip {
    /// Works out what it comes to with the pointer there.
    fn go_to(&mut self, pointer: Pointer, context: &EditorContext<'_>) -> Result<(), EditorError> {
        // A press that is a little unsteady changes nothing.
        if !self.start.follow(pointer) {
            return Ok(());
        }
        match &mut self.pull {
            Pull::Resize(held) => held.go_to(pointer, context),
            Pull::Turn(held) => held.go_to(pointer, context),
            Pull::Radius(held) => held.go_to(pointer, context),
            Pull::LineEnd(held) => held.go_to(pointer, context),
            Pull::Spacing(held) => held.go_to(pointer, context),
            Pull::Gradient(held) => held.go_to(pointer, context),
        }
    }

    fn preview(&self) -> &Preview {
        match &self.pull {
            Pull::Resize(held) => &held.preview,
            Pull::Turn(held) => &held.preview,
            Pull::Radius(held) => &held.preview,
            Pull::LineEnd(held) => &held.preview,
            Pull::Spacing(held) => &held.preview,
            Pull::Gradient(held) => &held.preview,
        }
    }

    fn finish(self) -> GestureOutcome {
        match self.pull {
            Pull::Resize(held) => held.finish(),
            Pull::Turn(held) => held.finish(),
            Pull::Radius(held) => held.finish(),
            Pull::LineEnd(held) => held.finish(),
            Pull::Spacing(held) => held.finish(),
            Pull::Gradient(held) => held.finish(),
        }
    }
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
        let pull = match grip {
            EditGrip::Resize(handle) => Pull::Resize(Box::new(Resizing::begin(
                document,
                nodes,
                (handle, editor.tool()),
                pointer,
                others,
            ))),
            EditGrip::Turn(_) => Pull::Turn(TurnDrag::begin(document, nodes, pointer)?),
            EditGrip::Radius(corner) => {
                Pull::Radius(RadiusDrag::begin(document, nodes, corner, pointer)?)
            }
            EditGrip::LineEnd(end) => {
                Pull::LineEnd(LineEndDrag::begin(document, nodes, end, pointer)?)
            }
            EditGrip::Padding(_) | EditGrip::Gap(_) => {
                Pull::Spacing(SpacingDrag::begin(document, nodes, grip, pointer)?)
            }
        };
        Some(Self::Grip(HeldGrip { start: DragStart::at(pointer.at), pull }))
    }

    /// Takes hold of a handle there of the gradient fill of the only node.
    pub(super) fn by_gradient(
        document: &Document,
        nodes: &[NodeId],
        fill: usize,
        pointer: Pointer,
    ) -> Option<Self> {
        let pull = Pull::Gradient(GradientDrag::take(document, nodes, fill, pointer)?);
        Some(Self::Grip(HeldGrip { start: DragStart::at(pointer.at), pull }))
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
            Self::Grip(held) => held.go_to(pointer, context),
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
            Self::Grip(held) => held.preview(),
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
            Self::Grip(held) => take_in(editor, held.finish()),
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
