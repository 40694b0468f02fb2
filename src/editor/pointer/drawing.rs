//! Drawing with a tool: frames, shapes, lines, texts, and what the pen, the pencil and the points of a path are held
//! by.
//!
//! [`take`] asks first: what a tool other than moving and scaling takes hold of is a [`Drawing`].

use super::contour::{PointDrag, take_points};
use super::input::Pointer;
use super::pen::{PenDrag, PencilDrag};
use super::preview::Preview;
use super::shape::ShapeDrawing;
use super::taken::Taken;
use crate::design::Contour;
use crate::editor::context::EditorContext;
use crate::editor::drafting::Drafting;
use crate::editor::edited::InPlace;
use crate::editor::error::EditorError;
use crate::editor::tool::Tool;

/// What a tool draws, while the button is down.
#[derive(Clone, Debug)]
pub(in crate::editor) enum Drawing {
    /// A shape, a frame or the box of a text.
    Shape(Box<ShapeDrawing>),
    /// The anchor that the pen has just set.
    Pen(Box<PenDrag>),
    /// A free line.
    Pencil(Box<PencilDrag>),
    /// Points of a path.
    Points(Box<PointDrag>),
}

/// Takes hold of what the tool in hand draws.
pub(in crate::editor) fn take(
    editor: &mut impl Drafting,
    pointer: Pointer,
    context: &EditorContext<'_>,
) -> Result<Taken<Drawing>, EditorError> {
    if !pointer.at.is_finite() || pointer.zoom.is_nan() || pointer.zoom <= 0.0 {
        return Err(EditorError::NotPossible("the pointer is nowhere on the page".to_owned()));
    }
    // Before any tool: while points of a path are worked on, a press means one of them.
    if matches!(editor.in_place(), InPlace::Points(_)) {
        let taken = take_points(editor, pointer, context)?;
        return Ok(taken.map(|points| Drawing::Points(Box::new(points))));
    }
    let tool = editor.tool();
    match tool {
        Tool::Move | Tool::Scale => Ok(Taken::NotDrawing),
        Tool::Hand | Tool::Eyedropper | Tool::Comment => Ok(Taken::Done),
        Tool::Pen => {
            let pen = PenDrag::begin(editor, pointer);
            Ok(Taken::Held(Drawing::Pen(Box::new(pen))))
        }
        Tool::Pencil => {
            let pencil = PencilDrag::begin(editor, pointer);
            Ok(Taken::Held(Drawing::Pencil(Box::new(pencil))))
        }
        Tool::Frame
        | Tool::Section
        | Tool::Rectangle
        | Tool::Ellipse
        | Tool::Line
        | Tool::Arrow
        | Tool::Polygon
        | Tool::Star
        | Tool::Text => {
            let drawing = ShapeDrawing::begin(editor, tool, pointer);
            Ok(Taken::Held(Drawing::Shape(Box::new(drawing))))
        }
    }
}

impl Drawing {
    /// Works out what it comes to with the pointer there.
    pub(in crate::editor) fn go_to(
        &mut self,
        pointer: Pointer,
        context: &EditorContext<'_>,
    ) -> Result<(), EditorError> {
        match self {
            Self::Shape(shape) => shape.go_to(pointer, context),
            Self::Pen(pen) => {
                pen.go_to(pointer);
                Ok(())
            }
            Self::Pencil(pencil) => {
                pencil.go_to(pointer);
                Ok(())
            }
            Self::Points(points) => points.go_to(pointer, context),
        }
    }

    /// What it would come to.
    pub(super) fn preview(&self) -> &Preview {
        match self {
            Self::Shape(shape) => &shape.preview,
            Self::Pen(pen) => &pen.preview,
            Self::Pencil(pencil) => &pencil.preview,
            Self::Points(points) => &points.preview,
        }
    }

    /// Makes it a step.
    pub(in crate::editor) fn finish(
        self,
        editor: &mut impl Drafting,
        context: &EditorContext<'_>,
    ) -> Result<(), EditorError> {
        match self {
            Self::Shape(shape) => shape.finish(editor, context),
            Self::Pen(pen) => pen.finish(editor, context),
            Self::Pencil(pencil) => pencil.finish(editor, context),
            Self::Points(points) => {
                points.finish(editor);
                Ok(())
            }
        }
    }
}

/// The path that is drawn, with what is under way, on the page; `None` while none is.
pub(in crate::editor) fn shown_path(
    in_place: &InPlace,
    drawing: Option<&Drawing>,
) -> Option<Contour> {
    let path = match in_place {
        InPlace::Pen(path) => Some(path),
        _ => None,
    };
    match drawing {
        Some(Drawing::Pen(drag)) => Some(drag.after(path).contour),
        Some(Drawing::Pencil(pencil)) => Some(pencil.contour()),
        _ => path.map(|path| path.contour.clone()),
    }
}

#[cfg(test)]
mod tests;
