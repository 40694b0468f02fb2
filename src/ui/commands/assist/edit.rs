//! Selecting, undoing, copying, deleting, nudging.

use egui::Key;

use super::{act, assist, can_redo, can_undo, desk, has_desk, has_selected};
use crate::editor::{Act, ArrangeAct, Arrow, InPlace, PastePlace, SelectAct, Tool};
use crate::ui::commands::keys::{ctrl, ctrl_alt, ctrl_alt_shift, ctrl_shift, key, shift};
use crate::ui::commands::{Effect, UiCommand};
use crate::workbench::{AssistCommand, ClipboardCommand, CopyForm, State};

/// What there is to do.
#[rustfmt::skip]
pub(in crate::ui::commands) static TABLE: &[UiCommand] = commands![
    UndoEdit, Edit, "Undo", "Take the last step back.", [ctrl(Key::Z)], can_undo_here, |_| act(Act::Undo);
    RedoEdit, Edit, "Redo", "Do again what was taken back last.", [ctrl_shift(Key::Z)], can_redo, |_| act(Act::Redo);
    DeleteLayers, Edit, "Delete", "Take what is selected out.", [key(Key::Delete), key(Key::Backspace)], can_delete, |_| act(Act::Arrange(ArrangeAct::Delete));
    SelectSiblings, Edit, "Select all", "Select all that lies beside what is selected.", [ctrl(Key::A)], has_desk, |_| act(Act::Select(SelectAct::Siblings));
    SelectNothing, Edit, "Select nothing", "Take the selection away.", [key(Key::Escape)], can_escape, |_| act(Act::Select(SelectAct::None));
    SelectInverse, Edit, "Select inverse", "Select what lies beside what is selected instead of it.", [ctrl_shift(Key::A)], has_selected, |_| act(Act::Select(SelectAct::Inverse));
    SelectParent, Edit, "Select parent", "Select what it lies in.", [shift(Key::Enter)], has_selected, |_| act(Act::Select(SelectAct::Parent));
    SelectNextSibling, Edit, "Select next sibling", "Select the layer in front of it; on the canvas.", [key(Key::Tab)], has_desk, |_| act(Act::Select(SelectAct::SiblingBy(1)));
    SelectPreviousSibling, Edit, "Select previous sibling", "Select the layer behind it; on the canvas.", [shift(Key::Tab)], has_desk, |_| act(Act::Select(SelectAct::SiblingBy(-1)));
    CutLayers, Edit, "Cut", "Copy what is selected and take it out.", [ctrl(Key::X)], has_selected, |_| clipboard(ClipboardCommand::Cut);
    CopyLayers, Edit, "Copy", "Copy what is selected.", [ctrl(Key::C)], has_selected, |_| clipboard(ClipboardCommand::Copy);
    PasteLayers, Edit, "Paste", "Put in what is on the clipboard: layers, SVG, a picture or text.", [ctrl(Key::V)], has_desk, |_| clipboard(ClipboardCommand::Ask(PastePlace::Beside));
    PasteOverSelection, Edit, "Paste over selection", "Put it where the selection is.", [ctrl_shift(Key::V)], has_selected, |_| clipboard(ClipboardCommand::Ask(PastePlace::OverSelection));
    CopyProperties, Edit, "Copy properties", "Copy the look of the selected layer.", [ctrl_alt(Key::C)], has_selected, |_| clipboard(ClipboardCommand::CopyProperties);
    PasteProperties, Edit, "Paste properties", "Give what is selected the look that was copied.", [ctrl_alt(Key::V)], has_properties, |_| clipboard(ClipboardCommand::PasteProperties);
    CopyAsPng, Edit, "Copy as PNG", "Copy a picture of what is selected, at two pixels a unit.", [ctrl_shift(Key::C)], has_selected, |_| clipboard(ClipboardCommand::CopyAs(CopyForm::Png { scale: 2 }));
    CopyAsSvg, Edit, "Copy as SVG", "Copy what is selected as SVG, with its texts as outlines.", [ctrl_alt_shift(Key::S)], has_selected, |_| clipboard(ClipboardCommand::CopyAs(CopyForm::Svg));
    CopyAsJson, Edit, "Copy as JSON", "Copy what is selected as Figma REST JSON.", [ctrl_alt_shift(Key::J)], has_selected, |_| clipboard(ClipboardCommand::CopyAs(CopyForm::Json));
    DuplicateLayers, Edit, "Duplicate", "Copy what is selected in place; a copy that was moved, or dragged off with Alt, is copied on by as much.", [ctrl(Key::D)], has_selected, |_| act(Act::Arrange(ArrangeAct::Duplicate));
    NudgeLeft, Edit, "Nudge left", "Move what is selected left by {small}; in auto layout to another place.", [key(Key::ArrowLeft)], has_selected, |state| nudge(Arrow::Left, small(state));
    NudgeFarLeft, Edit, "Big nudge left", "Move what is selected left by {big}.", [shift(Key::ArrowLeft)], has_selected, |state| nudge(Arrow::Left, big(state));
    NudgeRight, Edit, "Nudge right", "Move what is selected right by {small}; in auto layout to another place.", [key(Key::ArrowRight)], has_selected, |state| nudge(Arrow::Right, small(state));
    NudgeFarRight, Edit, "Big nudge right", "Move what is selected right by {big}.", [shift(Key::ArrowRight)], has_selected, |state| nudge(Arrow::Right, big(state));
    NudgeUp, Edit, "Nudge up", "Move what is selected up by {small}; in auto layout to another place.", [key(Key::ArrowUp)], has_selected, |state| nudge(Arrow::Up, small(state));
    NudgeFarUp, Edit, "Big nudge up", "Move what is selected up by {big}.", [shift(Key::ArrowUp)], has_selected, |state| nudge(Arrow::Up, big(state));
    NudgeDown, Edit, "Nudge down", "Move what is selected down by {small}; in auto layout to another place.", [key(Key::ArrowDown)], has_selected, |state| nudge(Arrow::Down, small(state));
    NudgeFarDown, Edit, "Big nudge down", "Move what is selected down by {big}.", [shift(Key::ArrowDown)], has_selected, |state| nudge(Arrow::Down, big(state));
    ResizeNarrower, Edit, "Resize: narrower", "Make what is selected narrower by {small}.", [ctrl(Key::ArrowLeft)], has_selected, |state| resize(Arrow::Left, small(state));
    ResizeFarNarrower, Edit, "Big resize: narrower", "Make what is selected narrower by {big}.", [ctrl_shift(Key::ArrowLeft)], has_selected, |state| resize(Arrow::Left, big(state));
    ResizeWider, Edit, "Resize: wider", "Make what is selected wider by {small}.", [ctrl(Key::ArrowRight)], has_selected, |state| resize(Arrow::Right, small(state));
    ResizeFarWider, Edit, "Big resize: wider", "Make what is selected wider by {big}.", [ctrl_shift(Key::ArrowRight)], has_selected, |state| resize(Arrow::Right, big(state));
    ResizeLower, Edit, "Resize: lower", "Make what is selected lower by {small}.", [ctrl(Key::ArrowUp)], has_selected, |state| resize(Arrow::Up, small(state));
    ResizeFarLower, Edit, "Big resize: lower", "Make what is selected lower by {big}.", [ctrl_shift(Key::ArrowUp)], has_selected, |state| resize(Arrow::Up, big(state));
    ResizeTaller, Edit, "Resize: taller", "Make what is selected taller by {small}.", [ctrl(Key::ArrowDown)], has_selected, |state| resize(Arrow::Down, small(state));
    ResizeFarTaller, Edit, "Big resize: taller", "Make what is selected taller by {big}.", [ctrl_shift(Key::ArrowDown)], has_selected, |state| resize(Arrow::Down, big(state));
];

/// How far an arrow key goes.
fn small(state: &State) -> u16 {
    state.settings.canvas.nudge.small()
}

/// How far it goes with Shift.
fn big(state: &State) -> u16 {
    state.settings.canvas.nudge.big()
}

fn clipboard(command: ClipboardCommand) -> Effect {
    assist(AssistCommand::Clipboard(command))
}

fn nudge(arrow: Arrow, by: u16) -> Effect {
    act(Act::Arrange(ArrangeAct::Nudge(arrow, by)))
}

fn resize(arrow: Arrow, by: u16) -> Effect {
    act(Act::Arrange(ArrangeAct::Resize(arrow, by)))
}

fn has_properties(state: &State) -> bool {
    has_selected(state) && state.assist.clipboard.properties.is_some()
}

/// While the pen draws, the last point is taken back; what is dragged is given up.
fn can_undo_here(state: &State) -> bool {
    can_undo(state) || draws(state) || desk(state).is_some_and(|desk| desk.editor.is_holding())
}

fn can_delete(state: &State) -> bool {
    has_selected(state) || draws(state)
}

/// Escape ends what is under way, puts the tool away, or takes the selection away.
fn can_escape(state: &State) -> bool {
    is_under_way(state) || has_selected(state)
}

/// Whether something is under way on the canvas, or a tool in the hand: Escape ends that before anything else.
pub(super) fn is_under_way(state: &State) -> bool {
    desk(state).is_some_and(|desk| {
        let editor = &desk.editor;
        editor.is_holding()
            || editor.tool() != Tool::Move
            || !matches!(editor.in_place(), InPlace::Nothing)
    })
}

fn draws(state: &State) -> bool {
    desk(state).is_some_and(|desk| desk.editor.drawn_path().is_some())
}
