//! The view of the canvas: zoom, what is shown, the tree of layers.

use egui::Key;

use super::local::AssistLocal;
use super::{act, assist, desk, has_desk, has_selected};
use crate::design::{NodeKind, PaintKind};
use crate::editor::{Act, ComponentAct, PageAct};
use crate::ui::commands::UiCommand;
use crate::ui::commands::command::{Effect, Local};
use crate::ui::commands::keys::{
    alt, alt_shift, ctrl, ctrl_alt, ctrl_alt_shift, ctrl_shift, key, shift,
};
use crate::workbench::{AssistCommand, CanvasSettings, GoalView, LookCommand, State};

/// What there is to do.
#[rustfmt::skip]
pub(in crate::ui::commands) static TABLE: &[UiCommand] = commands![
    CanvasIn, Canvas, "Zoom in", "Zoom in about the middle; Ctrl and the wheel zoom at the pointer.", [ctrl(Key::Equals), ctrl(Key::Plus), key(Key::Equals), key(Key::Plus)], has_desk, |_| local(AssistLocal::ZoomIn);
    CanvasOut, Canvas, "Zoom out", "Zoom out about the middle; Ctrl and the wheel zoom at the pointer.", [ctrl(Key::Minus), key(Key::Minus)], has_desk, |_| local(AssistLocal::ZoomOut);
    CanvasActualSize, Canvas, "Zoom to 100 %", "One point of the screen a unit of the page.", [ctrl(Key::Num0), shift(Key::Num0)], has_desk, |_| local(AssistLocal::ZoomTo(100));
    CanvasFit, Canvas, "Zoom to fit", "Show all of the frame.", [shift(Key::Num1), key(Key::Exclamationmark)], has_desk, |_| local(AssistLocal::Fit);
    CanvasFitSelection, Canvas, "Zoom to selection", "Show all that is selected.", [shift(Key::Num2)], has_selected, |_| local(AssistLocal::FitSelection);
    NextFrame, Canvas, "Next frame", "Show the next frame on the page.", [key(Key::N)], has_desk, |_| local(AssistLocal::NextFrame);
    PreviousFrame, Canvas, "Previous frame", "Show the frame before on the page.", [shift(Key::N)], has_desk, |_| local(AssistLocal::PreviousFrame);
    PreviousPage, Canvas, "Previous page", "Look at the page before, in a file of several.", [key(Key::PageUp)], has_pages, |_| act(Act::Page(PageAct::ShowBy(-1)));
    NextPage, Canvas, "Next page", "Look at the page behind, in a file of several.", [key(Key::PageDown)], has_pages, |_| act(Act::Page(PageAct::ShowBy(1)));
    NewPage, Canvas, "New page", "Put an empty page behind the one that is looked at. A design without pages gets its first for what there is.", [ctrl_alt(Key::PageDown)], has_desk, |_| act(Act::Page(PageAct::Add));
    ToggleRulers, Canvas, "Rulers", "Show rulers at the edges of the canvas, or none.", [shift(Key::R)], has_desk, |state| look(LookCommand::Rulers(!canvas(state).rulers));
    TogglePixelGrid, Canvas, "Pixel grid", "Show lines between pixels from 800 % on, or none.", [ctrl(Key::Quote)], has_desk, |state| look(LookCommand::PixelGrid(!canvas(state).pixel_grid));
    ToggleOutlines, Canvas, "Outlines", "Show layers as lines in place of the picture, or the picture.", [ctrl(Key::Y)], has_desk, |state| look(LookCommand::Outlines(!canvas(state).outlines));
    HidePanels, Canvas, "Hide panels", "Show nothing but the canvas, or all panels.", [ctrl(Key::Backslash)], has_desk, |state| look(LookCommand::HidePanels(!canvas(state).hides_panels));
    ToggleSnapping, Canvas, "Snap", "Draw what is dragged to edges and middles near it, or not.", [ctrl_shift(Key::Semicolon)], has_desk, |state| look(LookCommand::Snap(!canvas(state).snaps));
    GoalBeside, Canvas, "Goal beside", "Show the goal at the right of the design, or not.", [shift(Key::G)], has_goal, |state| look(LookCommand::Goal(other(state, GoalView::Beside)));
    GoalOver, Canvas, "Goal over it", "Show the goal half clear over the design, or not.", [alt_shift(Key::G)], has_goal, |state| look(LookCommand::Goal(other(state, GoalView::Over)));
    FoldLayers, Canvas, "Fold all layers", "Fold all layers in the tree.", [alt(Key::L)], has_desk, |_| local(AssistLocal::FoldLayers);
    SearchLayers, Canvas, "Search the layers", "Find layers by their names.", [ctrl(Key::F)], has_desk, |_| local(AssistLocal::SearchLayers);
    RenameLayer, Order, "Rename", "Type over the name of the selected layer.", [ctrl(Key::R)], has_selected, |_| local(AssistLocal::RenameLayer);
    PlacePicture, Edit, "Place image…", "Put a PNG or JPEG where you look; one that is dropped on the canvas goes where it is dropped.", [ctrl_shift(Key::K)], has_desk, |_| local(AssistLocal::PlacePicture);
    CreateComponent, Order, "Create component", "Make what is selected a component, of which there can be instances; several components become a component set.", [ctrl_alt(Key::K)], has_selected, |_| act(Act::Component(ComponentAct::Create));
    DetachInstance, Order, "Detach instance", "Make the selected instances frames that follow no component.", [ctrl_alt(Key::B)], has_instance, |_| act(Act::Component(ComponentAct::Detach));
    ResetInstance, Order, "Reset instance", "Make what was changed in the selected instances as it is in their components.", [ctrl_alt_shift(Key::R)], has_instance, |_| act(Act::Component(ComponentAct::Reset));
    ShowAssets, Canvas, "Assets or layers", "Show the components and styles, or the tree of layers.", [alt(Key::Num2)], has_desk, |_| local(AssistLocal::ShowAssets);
    NudgeAmount, Canvas, "Nudge amount…", "Set how far arrow keys move and resize what is selected: now by {small}, and by {big} with Shift.", [ctrl_alt_shift(Key::N)], has_desk, |_| local(AssistLocal::NudgeAmount);
    CropPicture, Order, "Crop image", "Show another part of the selected image in its box.", [alt(Key::C)], has_picture, |_| local(AssistLocal::CropPicture);
];

fn local(local: AssistLocal) -> Effect {
    Effect::Window(Local::Assist(local))
}

fn look(command: LookCommand) -> Effect {
    assist(AssistCommand::Look(command))
}

fn canvas(state: &State) -> &CanvasSettings {
    &state.settings.canvas
}

/// That view of the goal, or none if it is the one there is.
fn other(state: &State, view: GoalView) -> GoalView {
    if canvas(state).goal == view { GoalView::Off } else { view }
}

/// Whether there is a page to be looked at instead.
fn has_pages(state: &State) -> bool {
    desk(state).is_some_and(|desk| desk.editor.document().pages().len() > 1)
}

fn has_goal(state: &State) -> bool {
    desk(state).is_some_and(|desk| desk.goal.is_some())
}

fn has_instance(state: &State) -> bool {
    desk(state).is_some_and(|desk| {
        let (document, selected) = (desk.editor.document(), &desk.editor.selection().nodes);
        let mut nodes = selected.iter().filter_map(|id| document.get(id));
        nodes.any(|node| node.kind == NodeKind::Instance)
    })
}

/// Whether one layer with a picture is selected.
fn has_picture(state: &State) -> bool {
    let selected =
        desk(state).and_then(|desk| desk.editor.document().get(desk.editor.selection().only()?));
    selected
        .is_some_and(|node| node.fills.iter().any(|fill| matches!(fill.kind, PaintKind::Image(_))))
}
