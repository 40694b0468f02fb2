//! Tools of the canvas.

use egui::Key;

use super::{act, desk, has_desk, has_selected};
use crate::design::AnchorKind;
use crate::editor::{Act, InPlace, PointAct, SelectAct, Tool};
use crate::ui::commands::UiCommand;
use crate::ui::commands::keys::{alt_shift, key, shift};
use crate::workbench::State;

/// What there is to do.
#[rustfmt::skip]
pub(in crate::ui::commands) static TABLE: &[UiCommand] = commands![
    TakeMove, Tools, "Move tool", "Select and move.", [key(Key::V)], has_desk, |_| act(Act::Take(Tool::Move));
    TakeScale, Tools, "Scale tool", "Resize with strokes, letters and effects.", [key(Key::K)], has_desk, |_| act(Act::Take(Tool::Scale));
    TakeHand, Tools, "Hand tool", "Move the view by dragging.", [key(Key::H)], has_desk, |_| act(Act::Take(Tool::Hand));
    TakeFrame, Tools, "Frame tool", "Draw a frame; a click makes one of 100 by 100.", [key(Key::F)], has_desk, |_| act(Act::Take(Tool::Frame));
    TakeSection, Tools, "Section tool", "Draw a section, which holds frames on the page.", [shift(Key::S)], has_desk, |_| act(Act::Take(Tool::Section));
    TakeRectangle, Tools, "Rectangle tool", "Draw a rectangle; Shift makes it a square, Alt draws from its center.", [key(Key::R)], has_desk, |_| act(Act::Take(Tool::Rectangle));
    TakeEllipse, Tools, "Ellipse tool", "Draw an ellipse; Shift makes it a circle, Alt draws from its center.", [key(Key::O)], has_desk, |_| act(Act::Take(Tool::Ellipse));
    TakePolygon, Tools, "Polygon tool", "Draw a polygon.", [alt_shift(Key::P)], has_desk, |_| act(Act::Take(Tool::Polygon));
    TakeStar, Tools, "Star tool", "Draw a star.", [alt_shift(Key::T)], has_desk, |_| act(Act::Take(Tool::Star));
    TakeLine, Tools, "Line tool", "Draw a line; Shift keeps it to steps of 45 degrees.", [key(Key::L)], has_desk, |_| act(Act::Take(Tool::Line));
    TakeArrow, Tools, "Arrow tool", "Draw an arrow; Shift keeps it to steps of 45 degrees.", [shift(Key::L)], has_desk, |_| act(Act::Take(Tool::Arrow));
    TakePen, Tools, "Pen tool", "Draw a path: click for a corner, drag for a curve, click the first point to close it; Backspace takes the last point back, Enter ends it.", [key(Key::P)], has_desk, |_| act(Act::Take(Tool::Pen));
    TakePencil, Tools, "Pencil tool", "Draw a free line, which is smoothed.", [shift(Key::P)], has_desk, |_| act(Act::Take(Tool::Pencil));
    TakeText, Tools, "Text tool", "Click to write a line, drag to write into a box.", [key(Key::T)], has_desk, |_| act(Act::Take(Tool::Text));
    TakeEyedropper, Tools, "Eyedropper", "Click on the picture to give what is selected the color there.", [key(Key::I)], has_desk, |_| act(Act::Take(Tool::Eyedropper));
    TakeComment, Tools, "Comment tool", "Click to pin a comment.", [key(Key::C)], has_desk, |_| act(Act::Take(Tool::Comment));
    EditInPlace, Tools, "Edit or enter", "Write in the selected text, edit the points of the selected path, or select what lies in the selection; ends a path that is being drawn.", [key(Key::Enter)], can_enter, |_| act(Act::Select(SelectAct::Children));
    MakeCorner, Tools, "Make points corners", "Take the handles of the selected points of the path away.", [alt_shift(Key::C)], edits_points, |_| act(Act::Points(PointAct::Kind(AnchorKind::Corner)));
    MakeSmooth, Tools, "Make points smooth", "Let the path run smoothly through its selected points.", [alt_shift(Key::M)], edits_points, |_| act(Act::Points(PointAct::Kind(AnchorKind::Smooth)));
    MakeSymmetric, Tools, "Make points symmetric", "Let the handles of the selected points be as long as each other.", [alt_shift(Key::Y)], edits_points, |_| act(Act::Points(PointAct::Kind(AnchorKind::Symmetric)));
    ClosePath, Tools, "Close path", "Join the last point of the selected open path to its first.", [alt_shift(Key::O)], edits_points, |_| act(Act::Points(PointAct::Close));
    SplitPath, Tools, "Split path", "Cut the path at the selected point.", [alt_shift(Key::X)], edits_points, |_| act(Act::Points(PointAct::Split));
    JoinPoints, Tools, "Join points", "Join two selected ends of open paths.", [alt_shift(Key::J)], edits_points, |_| act(Act::Points(PointAct::Join));
];

fn can_enter(state: &State) -> bool {
    has_selected(state) || desk(state).is_some_and(|desk| desk.editor.drawn_path().is_some())
}

fn edits_points(state: &State) -> bool {
    desk(state).is_some_and(|desk| match desk.editor.in_place() {
        InPlace::Points(points) => !points.selected.is_empty(),
        InPlace::Nothing | InPlace::Text(_) | InPlace::Pen(_) => false,
    })
}
